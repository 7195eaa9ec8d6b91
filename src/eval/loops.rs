//! Loops over sets, spans of numbers, walks and subsets; and what folds make of them.

use crate::bytecode::program::{MOST_IN_SUBSETS, MOST_SUBSETS, NONE};
use crate::bytecode::subsets::{SubsetSearch, count_subsets};
use crate::eval::expressions::{boolean, count_value, too_large};
use crate::eval::{Evaluated, Evaluator, MAX_STEPS, NoValue};
use crate::rules::{
    Array, Binder, BoardWalk, Expr, ExprKind, SubsetBound, Type, UnaryOp, Value, ascending,
};
use crate::source::Span;
use crate::syntax::ast::FoldWord;

/// What a loop runs over. Subsets are made when their turn comes, as most loops end early.
enum Course {
    /// Each of these members.
    Members(Vec<i64>),
    /// Each number from the first to the last, or from the last to the first.
    Numbers { low: i64, high: i64, down: bool },
    /// Each set of these members.
    SubsetsOf(Vec<i64>),
    /// Each of these sets.
    Subsets(Vec<Vec<i64>>),
}

impl Course {
    /// The value at a place; nothing after the last.
    fn value_at(&self, place: usize) -> Option<Value> {
        match self {
            Course::Members(members) => members.get(place).copied().map(Value::Int),
            Course::Numbers { low, high, down } => {
                let place = i64::try_from(place).ok()?;
                let number = if *down { high.checked_sub(place)? } else { low.checked_add(place)? };
                (low..=high).contains(&&number).then_some(Value::Int(number))
            }
            Course::Subsets(all) => all.get(place).cloned().map(Value::Set),
            Course::SubsetsOf(of) => (place < 1 << of.len()).then(|| {
                let digits = of.iter().enumerate().filter(|(digit, _)| place >> digit & 1 == 1);
                Value::Set(digits.map(|(_, member)| *member).collect())
            }),
        }
    }
}

impl Evaluator<'_> {
    /// Runs over the values of a binder that fulfil its condition; `each` may end it.
    pub(crate) fn visit_each(
        &mut self,
        binder: &Binder,
        mut each: impl FnMut(&mut Self, Value) -> Result<bool, NoValue>,
    ) -> Result<(), NoValue> {
        if let ExprKind::Lists(next) = &binder.set.kind {
            return self.each_list(binder, next, &mut Vec::new(), &mut each).map(|_| ());
        }
        let course = self.course(&binder.set)?;
        let mut place = 0;
        while let Some(value) = course.value_at(place) {
            place += 1;
            self.charge_step(binder.set.span)?;
            if !self.run_round(binder, value, &mut each)? {
                break;
            }
        }
        Ok(())
    }

    /// Looks at one value of a binder; whether `each` wants more.
    fn run_round(
        &mut self,
        binder: &Binder,
        value: Value,
        each: &mut impl FnMut(&mut Self, Value) -> Result<bool, NoValue>,
    ) -> Result<bool, NoValue> {
        self.bound.push((binder.local, value.clone()));
        let fits = match &binder.condition {
            Some(condition) => self.eval_int(condition).map(|holds| holds != 0),
            None => Ok(true),
        };
        let on = fits.and_then(|fits| if fits { each(self, value) } else { Ok(true) });
        self.bound.pop();
        on
    }

    /// All lists that begin like this and are longer, as far as `each` wants more; whether it does.
    fn each_list(
        &mut self,
        binder: &Binder,
        next: &Expr,
        list: &mut Vec<i64>,
        each: &mut impl FnMut(&mut Self, Value) -> Result<bool, NoValue>,
    ) -> Result<bool, NoValue> {
        let Type::Lists(_, most) = binder.set.ty else { return Err(NoValue::Unknown) };
        if list.len() >= most.into() {
            return Ok(true);
        }
        self.bound.push((binder.local, Value::List(list.clone())));
        let elements = self.eval_set(next);
        self.bound.pop();
        for element in elements? {
            self.charge_step(binder.set.span)?;
            self.left.set(self.left.get().saturating_sub(list.len()));
            list.push(element);
            let on = self.run_round(binder, Value::List(list.clone()), each)?
                && self.each_list(binder, next, list, each)?;
            list.pop();
            if !on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn course(&mut self, set: &Expr) -> Result<Course, NoValue> {
        if let Some((low, high)) = self.eval_span(set)? {
            return Ok(Course::Numbers { low, high, down: false });
        }
        match &set.kind {
            ExprKind::Subsets(of, Some(size)) => self.subsets_of_size(of, size),
            ExprKind::Subsets(of, None) => {
                let of = self.eval_set(of)?;
                if of.len() > MOST_IN_SUBSETS {
                    return Err(NoValue::Unknown);
                }
                Ok(Course::SubsetsOf(of))
            }
            ExprKind::From(set, start) => {
                let (mut members, start) = (self.eval_set(set)?, self.eval_int(start)?);
                let first = members.iter().position(|member| *member >= start).unwrap_or(0);
                members.rotate_left(first);
                Ok(Course::Members(members))
            }
            ExprKind::Backwards(set) => self.course_back(set),
            ExprKind::Walk(walk) => self.walk(walk).map(Course::Members),
            _ if matches!(set.ty, Type::List(..)) => self.eval_list(set).map(Course::Members),
            _ => self.eval_set(set).map(Course::Members),
        }
    }

    fn subsets_of_size(&mut self, of: &Expr, size: &SubsetBound) -> Result<Course, NoValue> {
        let (of, most) = (self.eval_set(of)?, self.eval_int(&size.size)?);
        let Ok(most) = usize::try_from(most) else { return Ok(Course::Subsets(Vec::new())) };
        let sizes = (if size.up_to { 0 } else { most }, most);
        if count_subsets(vec![1; of.len()], sizes, &mut Vec::new()) > MOST_SUBSETS {
            return Err(NoValue::Unknown);
        }
        let (mut search, mut all) = (SubsetSearch::default(), Vec::new());
        search.start(of.len(), sizes);
        while search.advance(&[]) {
            self.left.set(self.left.get().saturating_sub(of.len()));
            let taken = of.iter().zip(&search.taken).filter(|(_, taken)| **taken);
            all.push(taken.map(|(member, _)| *member).collect());
        }
        Ok(Course::Subsets(all))
    }

    /// A set from its last member on, or against its order from where it begins.
    fn course_back(&mut self, set: &Expr) -> Result<Course, NoValue> {
        if let ExprKind::From(set, start) = &set.kind {
            let (mut members, start) = (self.eval_set(set)?, self.eval_int(start)?);
            members.reverse();
            let first = members.iter().position(|member| *member <= start).unwrap_or(0);
            members.rotate_left(first);
            return Ok(Course::Members(members));
        }
        Ok(match self.course(set)? {
            Course::Members(mut members) => {
                members.reverse();
                Course::Members(members)
            }
            Course::Numbers { low, high, .. } => Course::Numbers { low, high, down: true },
            subsets @ (Course::SubsetsOf(_) | Course::Subsets(_)) => subsets,
        })
    }

    /// The cells in a direction that are in the set, the nearest first.
    fn walk(&mut self, walk: &BoardWalk) -> Result<Vec<i64>, NoValue> {
        let set = self.eval_set(&walk.set)?;
        let (start, direction) = (self.eval_int(&walk.start)?, self.eval_int(&walk.direction)?);
        let size = self.rules.kinds[walk.board.index()].members.len();
        let steps = &self.rules.tables[walk.step.index()].cells;
        let (mut cells, mut cell) = (Vec::new(), start);
        for _ in 1..size {
            let row = usize::try_from(direction).map_err(|_| NoValue::Unknown)? * size;
            let at = usize::try_from(cell).map_err(|_| NoValue::Unknown)?;
            match steps.get(row + at) {
                Some(Value::Int(next)) if *next != start => cell = *next,
                _ => break,
            }
            cells.push(cell);
        }
        cells.retain(|cell| set.contains(cell));
        Ok(cells)
    }

    /// The first and last number of an expression whose type is a span of numbers.
    pub(super) fn eval_span(&mut self, expr: &Expr) -> Result<Option<(i64, i64)>, NoValue> {
        match &expr.kind {
            ExprKind::Interval(low, high) if expr.ty == Type::Span => {
                Ok(Some((self.eval_int(low)?, self.eval_int(high)?)))
            }
            ExprKind::If(condition, then, otherwise) if expr.ty == Type::Span => {
                let branch = if self.eval_int(condition)? != 0 { then } else { otherwise };
                self.eval_span(branch)
            }
            _ => Ok(None),
        }
    }

    /// Stops a loop when too many steps were taken. Only loops are stopped: the code around counts on
    /// the value of everything else.
    fn charge_step(&self, span: Span) -> Result<(), NoValue> {
        self.left.set(self.left.get().saturating_sub(1));
        if self.left.get() > 0 {
            return Ok(());
        }
        Err(NoValue::Fault(span, format!("to compute it takes more than {} steps", MAX_STEPS)))
    }

    pub(super) fn gather_set(
        &mut self,
        binder: &Binder,
        mut value: impl FnMut(&mut Self, Value) -> Evaluated,
    ) -> Evaluated {
        let mut members = Vec::new();
        self.visit_each(binder, |evaluator, member| {
            match value(evaluator, member)? {
                Value::Int(member) => members.push(member),
                Value::Set(more) => members.extend(more),
                Value::None | Value::List(_) | Value::Text(_) => {}
            }
            Ok(true)
        })?;
        Ok(Value::Set(ascending(members)))
    }

    pub(super) fn eval_fold(
        &mut self,
        word: FoldWord,
        binder: &Binder,
        body: &[Expr],
        span: Span,
    ) -> Evaluated {
        let number = match word {
            FoldWord::Any => return Ok(boolean(self.find_first(binder, body, true)?.is_some())),
            FoldWord::All => return Ok(boolean(self.find_first(binder, body, false)?.is_none())),
            FoldWord::First => {
                return Ok(self.find_first(binder, body, true)?.unwrap_or(Value::None));
            }
            FoldWord::Last => return Ok(self.matching(binder, body)?.pop().unwrap_or(Value::None)),
            FoldWord::Only => {
                let mut found = self.matching(binder, body)?;
                let only = found.pop().filter(|_| found.is_empty());
                return only.ok_or_else(|| {
                    NoValue::Fault(span, "`only` finds no member, or more than one".to_owned())
                });
            }
            FoldWord::Highest | FoldWord::Lowest => return self.eval_best(word, binder, body),
            FoldWord::Count => {
                let known = if body.is_empty() { self.count_pile(binder)? } else { None };
                return known.map_or_else(
                    || Ok(count_value(self.matching(binder, body)?.len())),
                    |count| Ok(Value::Int(count)),
                );
            }
            FoldWord::Sum => {
                let values = self.collect_values(binder, body)?;
                let sum = values.iter().try_fold(0_i64, |sum, value| sum.checked_add(*value));
                sum.filter(|sum| *sum != NONE)
            }
            FoldWord::Min => self.collect_values(binder, body)?.into_iter().min(),
            FoldWord::Max => self.collect_values(binder, body)?.into_iter().max(),
        };
        number.map(Value::Int).ok_or_else(|| too_large(span))
    }

    /// How many cards lie in a pile, which everybody sees; none where the binder is of something else.
    fn count_pile(&mut self, binder: &Binder) -> Result<Option<i64>, NoValue> {
        let ExprKind::Unary(UnaryOp::PileCards, pile) = &binder.set.kind else { return Ok(None) };
        let ExprKind::Element(Array::Pile(var), indices) = &pile.kind else { return Ok(None) };
        if binder.condition.is_some() {
            return Ok(None);
        }
        let indices = self.ints(indices)?;
        Ok(self.env.count_cards(*var, &indices))
    }

    /// The first member for which the condition comes out as wanted.
    fn find_first(
        &mut self,
        binder: &Binder,
        body: &[Expr],
        wanted: bool,
    ) -> Result<Option<Value>, NoValue> {
        let mut found = None;
        self.visit_each(binder, |evaluator, member| {
            if evaluator.eval_condition(body)? == wanted {
                found = Some(member);
            }
            Ok(found.is_none())
        })?;
        Ok(found)
    }

    fn eval_condition(&mut self, body: &[Expr]) -> Result<bool, NoValue> {
        body.first().map_or(Ok(true), |condition| self.eval_int(condition).map(|holds| holds != 0))
    }

    fn matching(&mut self, binder: &Binder, body: &[Expr]) -> Result<Vec<Value>, NoValue> {
        let mut all = Vec::new();
        self.visit_each(binder, |evaluator, member| {
            if evaluator.eval_condition(body)? {
                all.push(member);
            }
            Ok(true)
        })?;
        Ok(all)
    }

    fn collect_values(&mut self, binder: &Binder, body: &[Expr]) -> Result<Vec<i64>, NoValue> {
        let value = body.first().ok_or(NoValue::Unknown)?;
        let mut values = Vec::new();
        self.visit_each(binder, |evaluator, _| {
            values.push(evaluator.eval_int(value)?);
            Ok(true)
        })?;
        Ok(values)
    }

    fn eval_best(&mut self, word: FoldWord, binder: &Binder, body: &[Expr]) -> Evaluated {
        let mut ranked = Vec::new();
        self.visit_each(binder, |evaluator, member| {
            let keys =
                body.iter().map(|key| evaluator.value(key)).collect::<Result<Vec<_>, _>>()?;
            ranked.push((keys, member));
            Ok(true)
        })?;
        let keys = ranked.iter().map(|(keys, _)| keys.clone());
        let best = if word == FoldWord::Highest { keys.max() } else { keys.min() };
        let members = ranked.into_iter().filter(|(keys, _)| Some(keys) == best.as_ref());
        let members = members.filter_map(|(_, member)| match member {
            Value::Int(member) => Some(member),
            _ => None,
        });
        Ok(Value::Set(ascending(members.collect())))
    }
}
