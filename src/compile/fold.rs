//! Constant folding: the value of an expression when the setting is known.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::bytecode::program::MOST_IN_SUBSETS;
use crate::check::rules::{
    Arith, Arm, Binder, Builtin, ConstantId, Domain, Expr, ExprKind, LocalId, PLAYER, Pattern,
    Rules, SetOp, Type, Value,
};
use crate::compile::members::Members;
use crate::compile::setting::Setting;
use crate::source::Span;
use crate::syntax::ast::FoldWord;

/// Why an expression has no value before play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unfolded {
    /// It depends on the state.
    Runtime,
    /// It is constant, but cannot be computed.
    Fault(Span, String),
}

type Folded = Result<Value, Unfolded>;

/// How many steps may be taken to compute what is known before play, for one setting.
pub const MAX_STEPS: usize = 4_000_000;

/// The values of constants, as they become known.
pub(super) type Values = RefCell<BTreeMap<ConstantId, Value>>;

/// What is known while folding: the setting, and some locals.
pub(super) struct Fold<'a> {
    pub(super) rules: &'a Rules,
    pub(super) setting: &'a Setting,
    /// The first and last number of each range, once they are known.
    pub(super) ranges: &'a [(i64, Option<i64>)],
    /// The value of a local that is constant.
    pub(super) known: &'a dyn Fn(LocalId) -> Option<Value>,
    /// Locals of folds that are being gone over.
    pub(super) bound: Vec<(LocalId, Value)>,
    /// How many more steps may be taken.
    pub(super) left: &'a Cell<usize>,
    /// The constants that have a value already.
    pub(super) constants: &'a Values,
}

impl Fold<'_> {
    /// The value of an expression.
    #[expect(clippy::too_many_lines, reason = "one arm per expression")]
    pub(super) fn value(&mut self, expr: &Expr) -> Folded {
        self.left.set(self.left.get().saturating_sub(1));
        match &expr.kind {
            ExprKind::Value(value) => Ok(value.clone()),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Option(option) => {
                let value = self.setting.options.get(option.index());
                value.cloned().ok_or(Unfolded::Runtime)
            }
            ExprKind::Constant(constant) => self.constant(*constant),
            ExprKind::Players => Ok(int(self.setting.players)),
            ExprKind::LastPlayer => Ok(int(self.setting.players - 1)),
            ExprKind::Whole(domain) => self.members(*domain, expr.span).map(Value::Set),
            ExprKind::Column(kind, column, of) => self.column(*kind, *column, of),
            ExprKind::Table(table, indices) => {
                let table = &self.rules.tables[table.index()];
                self.cell(&table.dims, &table.cells, indices)
            }
            ExprKind::Builtin(builtin, of) => self.builtin(*builtin, of),
            ExprKind::Arith(op, a, b) => self.arith(*op, a, b, expr.span),
            ExprKind::Negate(a) => {
                let negative = self.int(a)?.checked_neg();
                negative.map(Value::Int).ok_or_else(|| too_large(expr.span))
            }
            ExprKind::Not(a) => Ok(boolean(self.int(a)? == 0)),
            ExprKind::And(a, b) => self.both(a, b, 0),
            ExprKind::Or(a, b) => self.both(a, b, 1),
            ExprKind::Equal(a, b) => Ok(boolean(self.value(a)? == self.value(b)?)),
            ExprKind::Less(a, b) => self.compare(a, b, |a, b| a < b),
            ExprKind::LessEqual(a, b) => self.compare(a, b, |a, b| a <= b),
            ExprKind::In(a, set) => self.contains(a, set),
            ExprKind::Within(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Ok(boolean(a.iter().all(|member| b.contains(member))))
            }
            ExprKind::SetOp(op, a, b) => self.set_op(*op, a, b),
            ExprKind::SetOf(members) => self.set_of(members),
            ExprKind::ToSet(member) => self.set_of(std::slice::from_ref(member)),
            ExprKind::Interval(low, high) => {
                Ok(Value::Set((self.int(low)?..=self.int(high)?).take(MOST_MEMBERS).collect()))
            }
            ExprKind::Filter(binder) => self.gather(binder, |fold| fold.value_of(binder.local)),
            ExprKind::Image(body, binder) => self.gather(binder, |fold| fold.value(body)),
            ExprKind::Fold { word, binder, body } => self.fold(*word, binder, body, expr.span),
            ExprKind::If(condition, then, otherwise) => {
                let branch = if self.int(condition)? != 0 { then } else { otherwise };
                self.value(branch)
            }
            ExprKind::Match(subject, arms) => {
                let subject = self.value(subject)?;
                let arm = arm_for(arms, &subject).ok_or(Unfolded::Runtime)?;
                self.value(&arm.body)
            }
            ExprKind::LocalElement(..)
            | ExprKind::Turn
            | ExprKind::Moves
            | ExprKind::Var(..)
            | ExprKind::Call(..)
            | ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Text(_)
            | ExprKind::Suppose(..)
            | ExprKind::Pile(..)
            | ExprKind::PileCards(_)
            | ExprKind::End(_)
            | ExprKind::Distinct(_)
            | ExprKind::Subsets(_)
            | ExprKind::Random(_)
            | ExprKind::Roll(_)
            | ExprKind::Pick(_) => Err(Unfolded::Runtime),
        }
    }

    /// Refuses to go over anything more when too many steps were taken. What is no loop always has
    /// its value, which the code around it counts on.
    fn go_on(&self, span: Span) -> Result<(), Unfolded> {
        let reason = || format!("to compute it takes more than {MAX_STEPS} steps");
        if self.left.get() > 0 { Ok(()) } else { Err(Unfolded::Fault(span, reason())) }
    }

    /// Counts what is made to be gone over.
    fn make(&self, members: usize, span: Span) -> Result<(), Unfolded> {
        self.left.set(self.left.get().saturating_sub(members));
        self.go_on(span)
    }

    /// The value of a constant, which is computed once.
    fn constant(&mut self, constant: ConstantId) -> Folded {
        let known = self.constants.borrow().get(&constant).cloned();
        if let Some(value) = known {
            return Ok(value);
        }
        let value = self.value(&self.rules.constants[constant.index()].value)?;
        self.constants.borrow_mut().insert(constant, value.clone());
        Ok(value)
    }

    fn int(&mut self, expr: &Expr) -> Result<i64, Unfolded> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            _ => Err(Unfolded::Fault(expr.span, "this is none".to_owned())),
        }
    }

    fn set(&mut self, expr: &Expr) -> Result<Vec<i64>, Unfolded> {
        match self.value(expr)? {
            Value::Set(members) => Ok(members),
            Value::Int(member) => Ok(vec![member]),
            Value::None => Ok(Vec::new()),
            Value::Text(_) => Err(Unfolded::Runtime),
        }
    }

    fn local(&self, local: LocalId) -> Folded {
        let bound = self.bound.iter().rev().find(|(bound, _)| *bound == local);
        let value = bound.map(|(_, value)| value.clone()).or_else(|| (self.known)(local));
        value.ok_or(Unfolded::Runtime)
    }

    fn value_of(&self, local: LocalId) -> Folded {
        self.local(local)
    }

    /// The members of a finite type: positions of a kind, or numbers.
    fn members(&self, domain: Domain, span: Span) -> Result<Vec<i64>, Unfolded> {
        if let Domain::Kind(kind) = domain
            && let Some(part) = &self.rules.kinds[kind.index()].within
        {
            return Ok(part.members.iter().map(|at| i64::try_from(*at).unwrap_or(0)).collect());
        }
        let (low, size) = self
            .domain(domain)
            .ok_or_else(|| Unfolded::Fault(span, "the range is too long".to_owned()))?;
        Ok((low..).take(size).collect())
    }

    /// The first member and the number of members of a finite type that is not too long.
    pub(super) fn domain(&self, domain: Domain) -> Option<(i64, usize)> {
        match domain {
            Domain::Kind(PLAYER) => Some((0, self.setting.players)),
            Domain::Kind(kind) => Some((0, self.rules.kinds[kind.index()].members.len())),
            Domain::Range(range) => {
                let (low, high) = *self.ranges.get(range.index())?;
                let size = usize::try_from(high?.checked_sub(low)?.checked_add(1)?).ok()?;
                (size <= MOST_MEMBERS).then_some((low, size))
            }
        }
    }

    fn column(&mut self, kind: crate::check::rules::KindId, column: usize, of: &Expr) -> Folded {
        match self.value(of)? {
            Value::Int(member) => {
                let cells = &self.rules.kinds[kind.index()].columns[column].cells;
                let cell = usize::try_from(member).ok().and_then(|member| cells.get(member));
                cell.cloned().ok_or(Unfolded::Runtime)
            }
            _ => Ok(Value::None),
        }
    }

    fn cell(&mut self, dims: &[Domain], cells: &[Value], indices: &[Expr]) -> Folded {
        let mut place = 0;
        for (domain, index) in dims.iter().zip(indices) {
            let number = match self.value(index)? {
                Value::None if matches!(index.ty, Type::Maybe(_)) => return Ok(Value::None),
                _ => self.int(index)?,
            };
            let (low, size) = self.domain(*domain).ok_or(Unfolded::Runtime)?;
            let position =
                number.checked_sub(low).and_then(|position| usize::try_from(position).ok());
            let position = position.filter(|position| *position < size).ok_or_else(|| {
                let high = low + i64::try_from(size).unwrap_or(0) - 1;
                Unfolded::Fault(index.span, format!("{number} is outside {low}..{high}"))
            })?;
            place = place * size + position;
        }
        cells.get(place).cloned().ok_or(Unfolded::Runtime)
    }

    fn builtin(&mut self, builtin: Builtin, of: &Expr) -> Folded {
        let number = self.int(of)?;
        let players = i64::try_from(self.setting.players).unwrap_or(1);
        Ok(match builtin {
            Builtin::Next => Value::Int((number + 1) % players),
            Builtin::Previous => Value::Int((number + players - 1) % players),
            Builtin::Seat => Value::Int(number + 1),
            Builtin::Others => Value::Set((0..players).filter(|seat| *seat != number).collect()),
            Builtin::Abs => Value::Int(number.checked_abs().ok_or_else(|| too_large(of.span))?),
        })
    }

    fn arith(&mut self, op: Arith, a: &Expr, b: &Expr, span: Span) -> Folded {
        let (a, b) = (self.int(a)?, self.int(b)?);
        let divides = matches!(op, Arith::CeilDivide | Arith::FloorDivide | Arith::Modulo);
        if divides && b == 0 {
            return Err(Unfolded::Fault(span, "division by 0".to_owned()));
        }
        compute(op, a, b).map(Value::Int).ok_or_else(|| too_large(span))
    }

    /// `and` (decided by 0) and `or` (decided by 1): one side may decide alone.
    fn both(&mut self, a: &Expr, b: &Expr, decided: i64) -> Folded {
        let a = self.int(a);
        if a == Ok(decided) {
            return Ok(Value::Int(decided));
        }
        let b = self.int(b);
        if b == Ok(decided) && !matches!(a, Err(Unfolded::Fault(..))) {
            return Ok(Value::Int(decided));
        }
        a?;
        b.map(Value::Int)
    }

    fn compare(&mut self, a: &Expr, b: &Expr, holds: fn(i64, i64) -> bool) -> Folded {
        let (a, b) = (self.value(a)?, self.value(b)?);
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Ok(boolean(holds(a, b))),
            _ => Ok(boolean(false)),
        }
    }

    fn contains(&mut self, member: &Expr, set: &Expr) -> Folded {
        let set = self.value(set)?;
        if set == Value::Set(Vec::new()) || set == Value::None {
            return Ok(boolean(false));
        }
        let member = self.value(member)?;
        Ok(boolean(match (member, set) {
            (Value::Int(member), Value::Set(set)) => set.contains(&member),
            (Value::Int(member), Value::Int(only)) => member == only,
            _ => false,
        }))
    }

    fn set_op(&mut self, op: SetOp, a: &Expr, b: &Expr) -> Folded {
        let (a, b) = (self.set(a)?, self.set(b)?);
        let mut members = match op {
            SetOp::Union => a.iter().chain(&b).copied().collect(),
            SetOp::Minus => a.into_iter().filter(|member| !b.contains(member)).collect(),
            SetOp::Common => a.into_iter().filter(|member| b.contains(member)).collect::<Vec<_>>(),
        };
        members.sort_unstable();
        members.dedup();
        Ok(Value::Set(members))
    }

    fn set_of(&mut self, members: &[Expr]) -> Folded {
        let mut set = Vec::new();
        for member in members {
            set.extend(self.set(member)?);
        }
        set.sort_unstable();
        set.dedup();
        Ok(Value::Set(set))
    }

    /// Goes over the members of a binder that fulfil its condition; `each` may end it.
    fn each(
        &mut self,
        binder: &Binder,
        mut each: impl FnMut(&mut Self, i64) -> Result<bool, Unfolded>,
    ) -> Result<(), Unfolded> {
        let members = self.gone_over(&binder.set)?;
        for at in 0..members.len() {
            let (member, value) = members.at(at);
            self.go_on(binder.set.span)?;
            self.bound.push((binder.local, value));
            let fits = match &binder.condition {
                Some(condition) => self.int(condition).map(|holds| holds != 0),
                None => Ok(true),
            };
            let on = fits.and_then(|fits| if fits { each(self, member) } else { Ok(true) });
            self.bound.pop();
            if !on? {
                break;
            }
        }
        Ok(())
    }

    /// What a binder goes over.
    fn gone_over(&mut self, set: &Expr) -> Result<Members, Unfolded> {
        let ExprKind::Subsets(of) = &set.kind else { return self.set(set).map(Members::Single) };
        let of = self.set(of)?;
        if of.len() > MOST_IN_SUBSETS {
            return Err(Unfolded::Runtime);
        }
        self.make(1 << of.len(), set.span)?;
        Ok(Members::SubsetsOf(of))
    }

    fn gather(&mut self, binder: &Binder, mut value: impl FnMut(&mut Self) -> Folded) -> Folded {
        let mut members = Vec::new();
        self.each(binder, |fold, _| {
            match value(fold)? {
                Value::Int(member) => members.push(member),
                Value::Set(more) => members.extend(more),
                Value::None | Value::Text(_) => {}
            }
            Ok(true)
        })?;
        members.sort_unstable();
        members.dedup();
        Ok(Value::Set(members))
    }

    fn fold(&mut self, word: FoldWord, binder: &Binder, body: &[Expr], span: Span) -> Folded {
        match word {
            FoldWord::Any => self.search(binder, body).map(|found| boolean(found.is_some())),
            FoldWord::All => self.all(binder, body),
            FoldWord::First => {
                self.search(binder, body).map(|found| found.map_or(Value::None, Value::Int))
            }
            FoldWord::Last => {
                let all = self.matching(binder, body)?;
                Ok(all.last().map_or(Value::None, |member| Value::Int(*member)))
            }
            FoldWord::Count => self.matching(binder, body).map(|all| int(all.len())),
            FoldWord::Sum | FoldWord::Min | FoldWord::Max => {
                let values = self.values(binder, body)?;
                combine(word, &values).ok_or_else(|| too_large(span))
            }
            FoldWord::Highest | FoldWord::Lowest => self.best(word, binder, body),
        }
    }

    fn holds(&mut self, body: &[Expr]) -> Result<bool, Unfolded> {
        body.first().map_or(Ok(true), |condition| self.int(condition).map(|holds| holds != 0))
    }

    fn search(&mut self, binder: &Binder, body: &[Expr]) -> Result<Option<i64>, Unfolded> {
        let mut found = None;
        self.each(binder, |fold, member| {
            if fold.holds(body)? {
                found = Some(member);
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    fn all(&mut self, binder: &Binder, body: &[Expr]) -> Folded {
        let mut all = true;
        self.each(binder, |fold, _| {
            all = fold.holds(body)?;
            Ok(all)
        })?;
        Ok(boolean(all))
    }

    fn matching(&mut self, binder: &Binder, body: &[Expr]) -> Result<Vec<i64>, Unfolded> {
        let mut all = Vec::new();
        self.each(binder, |fold, member| {
            if fold.holds(body)? {
                all.push(member);
            }
            Ok(true)
        })?;
        Ok(all)
    }

    fn values(&mut self, binder: &Binder, body: &[Expr]) -> Result<Vec<i64>, Unfolded> {
        let mut values = Vec::new();
        self.each(binder, |fold, _| {
            let value = body.first().ok_or(Unfolded::Runtime)?;
            values.push(fold.int(value)?);
            Ok(true)
        })?;
        Ok(values)
    }

    fn best(&mut self, word: FoldWord, binder: &Binder, body: &[Expr]) -> Folded {
        let mut ranked = Vec::new();
        self.each(binder, |fold, member| {
            let keys = body.iter().map(|key| fold.int(key)).collect::<Result<Vec<_>, _>>()?;
            ranked.push((keys, member));
            Ok(true)
        })?;
        let keys = ranked.iter().map(|(keys, _)| keys.clone());
        let best = if word == FoldWord::Highest { keys.max() } else { keys.min() };
        let members = ranked.into_iter().filter(|(keys, _)| Some(keys) == best.as_ref());
        Ok(Value::Set(members.map(|(_, member)| member).collect()))
    }
}

/// The longest set that is computed before play.
pub(super) const MOST_MEMBERS: usize = 4096;

/// The case that a known value falls into.
pub(super) fn arm_for<'a, T>(arms: &'a [Arm<T>], subject: &Value) -> Option<&'a Arm<T>> {
    arms.iter().find(|arm| {
        arm.patterns.is_empty() || arm.patterns.iter().any(|pattern| fits(pattern, subject))
    })
}

fn fits(pattern: &Pattern, subject: &Value) -> bool {
    match (pattern, subject) {
        (Pattern::Value(value), subject) => value == subject,
        (Pattern::Range(low, high), Value::Int(number)) => (low..=high).contains(&number),
        (Pattern::Range(..), _) => false,
    }
}

/// The type of the members that an expression goes over, when it is a finite one.
pub(super) fn finite(ty: &Type) -> Option<Domain> {
    match ty {
        Type::Set(domain) => Some(*domain),
        _ => None,
    }
}

fn combine(word: FoldWord, values: &[i64]) -> Option<Value> {
    let number = match word {
        FoldWord::Sum => values.iter().try_fold(0_i64, |sum, value| sum.checked_add(*value))?,
        FoldWord::Min => *values.iter().min()?,
        _ => *values.iter().max()?,
    };
    Some(Value::Int(number))
}

fn compute(op: Arith, a: i64, b: i64) -> Option<i64> {
    let rest = || a.checked_rem(b);
    let quotient = || a.checked_div(b);
    match op {
        Arith::Add => a.checked_add(b),
        Arith::Subtract => a.checked_sub(b),
        Arith::Multiply => a.checked_mul(b),
        Arith::CeilDivide => Some(quotient()? + i64::from(rest()? != 0 && (a < 0) == (b < 0))),
        Arith::FloorDivide => Some(quotient()? - i64::from(rest()? != 0 && (a < 0) != (b < 0))),
        Arith::Modulo => {
            let rest = rest()?;
            Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Arith::Min => Some(a.min(b)),
        Arith::Max => Some(a.max(b)),
    }
}

fn boolean(holds: bool) -> Value {
    Value::Int(i64::from(holds))
}

fn int(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn too_large(span: Span) -> Unfolded {
    Unfolded::Fault(span, "the result is too large, or there is nothing to compare".to_owned())
}
