//! Facts known before play at one place of a body: constants, bounds of numbers, spans as ranges.

use std::cell::Cell;

use crate::compile::plan::Plan;
use crate::compile::plan::expr_queries::{all_see, conjuncts, is_sure, member_domain};
use crate::compile::plan::forms::{Comparison, PredicateMember, SetForm, conditions_of};
use crate::compile::scope::{BoundLocals, CompiledBody, NumberBounds};
use crate::compile::{compiled::Storage, passes::Pass};
use crate::eval::{Evaluator, NoValue, finite};
use crate::rules::changes::ChangedVars;
use crate::rules::returned_values::only_value;
use crate::rules::safety::is_safe_where;
use crate::rules::{
    Arith, Array, BinaryOp, Binder, Choose, Domain, Expr, ExprKind, Local, LocalId, Pick, RangeId,
    Tactic, Type, UnaryOp, Value,
};
use crate::source::Span;
use crate::syntax::ast::FoldWord;

/// What is known before play at one place of a body.
#[derive(Clone, Copy)]
pub(in crate::compile) struct Facts<'p, 'a> {
    pub(in crate::compile) plan: &'p Plan<'a>,
    pub(in crate::compile) body: &'p CompiledBody<'a>,
}

/// A table with more words than this is not made: constants are few, and a table should stay at hand.
const MOST_WORDS: usize = 512;
/// Through so many calls of rules bounds are looked for.
const MOST_CALLS: usize = 4;
/// So many expressions are looked at for the bounds of one number.
const MOST_PARTS: usize = 256;
/// Numbers that are this far from 0 at most can be added without a trap.
const SMALL: i64 = 1 << 60;
/// Arrays whose first element would lie further ahead than this have their indices counted from 0.
const MOST_AHEAD: u16 = 64;
/// More numbers than the bits of a word stay numbers.
const MOST_NUMBERS: i64 = 64;

impl<'p, 'a> Facts<'p, 'a> {
    /// Evaluates before play, with so many steps left.
    pub(super) fn evaluator(self, left: &'p Cell<usize>) -> Evaluator<'p> {
        let (ranges, constants) = (&self.plan.ranges, &self.plan.constants);
        Evaluator::new(self.plan.rules, self.plan.setting, ranges, self.body, left, constants)
    }

    /// The value of an expression, if it is known before play.
    pub(in crate::compile) fn fold(self, expr: &Expr) -> Option<Value> {
        self.evaluator(&self.plan.fold_steps).value(expr).ok()
    }

    /// The value of a condition, if known.
    pub(in crate::compile) fn known(self, condition: &Expr) -> Option<bool> {
        self.fold(condition).map(|value| value != Value::Int(0))
    }

    /// The value of an expression that the checker found constant.
    pub(super) fn constant_value(self, expr: &Expr) -> Value {
        self.evaluator(&self.plan.constant_steps).value(expr).unwrap_or_else(|stop| {
            let (span, reason) = match stop {
                NoValue::Fault(span, reason) => (span, reason),
                NoValue::Unknown => (expr.span, "it depends on the game".to_owned()),
            };
            self.plan.no_value(reason, span);
            Value::Int(0)
        })
    }

    pub(in crate::compile) fn known_number(self, expr: &Expr) -> i64 {
        match self.constant_value(expr) {
            Value::Int(number) => number,
            other => unreachable!("checked: the ends of a range are numbers, not {other:?}"),
        }
    }

    pub(in crate::compile) fn locals(self) -> &'a [Local] {
        self.body.declared
    }

    pub(in crate::compile) fn local_info(self, local: LocalId) -> &'a Local {
        &self.locals()[local.index()]
    }

    /// Whether a local is never assigned to; not known of those that only the compiler has.
    pub(in crate::compile) fn is_immutable(self, local: LocalId) -> bool {
        self.locals().get(local.index()).is_some_and(|local| !local.mutable)
    }

    /// Whether a condition on a number is the same before the first round and when its turn comes.
    pub(in crate::compile) fn is_steady(
        self,
        condition: &Expr,
        member: LocalId,
        changes: Option<&ChangedVars>,
    ) -> bool {
        !condition.any(|part| match &part.kind {
            ExprKind::Local(local) => !self.is_immutable(*local),
            ExprKind::Element(Array::Local(_), _) => true,
            ExprKind::Element(Array::Var(var), indices) => changes.is_none_or(|changes| {
                let is_own = |at: usize| indices.get(at).is_some_and(|it| it.is_local(member));
                changes.get(var).is_some_and(|at| !at.is_some_and(is_own))
            }),
            ExprKind::Element(..) | ExprKind::Ambient(_) => changes.is_none(),
            _ => false,
        })
    }

    /// An index counted from 0, if it is known and inside.
    pub(in crate::compile) fn known_index(
        self,
        low: i64,
        size: usize,
        index: &Expr,
    ) -> Option<usize> {
        let Value::Int(number) = self.fold(index)? else { return None };
        usize::try_from(number.checked_sub(low)?).ok().filter(|position| *position < size)
    }

    /// The position of an element whose indices are all known and inside.
    pub(in crate::compile) fn fixed(self, dims: &[(i64, usize)], indices: &[Expr]) -> Option<u16> {
        let mut place = 0;
        for ((low, size), index) in dims.iter().zip(indices) {
            place = place * size + self.known_index(*low, *size, index)?;
        }
        u16::try_from(place).ok()
    }

    /// The offset of the first element if indices count as they are, not from 0; none if some may lie outside and need
    /// a check.
    pub(in crate::compile) fn ahead_of(
        self,
        dims: &[(i64, usize)],
        indices: &[Expr],
    ) -> Option<u16> {
        let mut ahead = 0_usize;
        for ((low, size), index) in dims.iter().zip(indices) {
            let is_number = index.ty == Type::Number;
            let low = usize::try_from(*low).ok().filter(|low| is_number || *low == 0)?;
            ahead = ahead.checked_mul(*size)?.checked_add(low)?;
            let ends = (i64::try_from(low).ok()?, i64::try_from(low + size).ok()? - 1);
            if is_number && !self.is_between(index, ends) {
                return None;
            }
        }
        u16::try_from(ahead).ok().filter(|ahead| *ahead <= MOST_AHEAD)
    }

    pub(in crate::compile) fn range_of(self, place: &Expr) -> Option<RangeId> {
        match &place.kind {
            ExprKind::Element(Array::Var(var), _) => self.plan.rules.vars[var.index()].range,
            ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => {
                self.local_info(*local).range
            }
            _ => None,
        }
    }

    /// Whether a condition always is, or never is.
    pub(super) fn is_known(self, condition: &Expr, holds: bool, names: &BoundLocals) -> bool {
        if let Some(Value::Int(value)) = self.fold(condition) {
            return (value != 0) == holds;
        }
        let both = |a: &Expr, b: &Expr| self.bounds(a, names).zip(self.bounds(b, names));
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, of) => self.is_known(of, !holds, names),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let either = matches!(condition.kind, ExprKind::Binary(BinaryOp::And, ..)) != holds;
                let (a, b) = (self.is_known(a, holds, names), self.is_known(b, holds, names));
                if either { a || b } else { a && b }
            }
            ExprKind::Binary(BinaryOp::Less, a, b) => {
                both(a, b).is_some_and(|(a, b)| if holds { a.1 < b.0 } else { a.0 >= b.1 })
            }
            ExprKind::Binary(BinaryOp::LessEqual, a, b) => {
                both(a, b).is_some_and(|(a, b)| if holds { a.1 <= b.0 } else { a.0 > b.1 })
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) if !holds => {
                both(a, b).is_some_and(|(a, b)| a.1 < b.0 || b.1 < a.0)
            }
            _ => false,
        }
    }

    /// Whether a number is between two ends whatever a state holds: also where a player who does not see
    /// a variable looks at it.
    pub(in crate::compile) fn is_between(self, number: &Expr, (low, high): NumberBounds) -> bool {
        let inside = |(least, most): NumberBounds| low <= least && most <= high;
        let is_inside =
            || is_sure(number) && self.bounds(number, &self.body.bounds).is_some_and(inside);
        self.plan.found_by(Pass::Bounds, || is_inside().then_some(())).is_some()
    }

    /// Whether a value surely is of a type: a number may be beyond the ends of a range.
    pub(in crate::compile) fn is_inside(self, value: &Expr, domain: Domain) -> bool {
        let is_within = || {
            let (low, size) = self.plan.known_domain(domain)?;
            let (least, most) = self.bounds(value, &self.body.bounds)?;
            Some(low <= least && usize::try_from(most.checked_sub(low)?).ok()? < size)
        };
        member_domain(&value.ty).is_some() || is_within() == Some(true)
    }

    /// Whether an expression cannot trap: also a sum that surely is small.
    pub(in crate::compile) fn is_safe(self, expr: &Expr) -> bool {
        let is_small = |number: &Expr| {
            let ends =
                self.bounds(number, &self.body.bounds).filter(|_| all_see(self.plan.rules, number));
            ends.is_some_and(|(low, high)| -SMALL <= low && high <= SMALL)
        };
        is_safe_where(expr, is_small)
    }

    /// The ends of a number, as far as they are known; none if it may be `none`.
    pub(in crate::compile) fn bounds(
        self,
        number: &Expr,
        names: &BoundLocals,
    ) -> Option<NumberBounds> {
        self.bounds_within(number, names, (MOST_CALLS, &Cell::new(MOST_PARTS)))
    }

    /// `bounds` within a budget of calls of one-expression rules and of parts.
    fn bounds_within(
        self,
        number: &Expr,
        names: &BoundLocals,
        search: (usize, &Cell<usize>),
    ) -> Option<NumberBounds> {
        let (calls, parts) = search;
        parts.set(parts.get().checked_sub(1)?);
        if number.ty != Type::Number {
            return None;
        }
        let bounds = |number: &Expr| self.bounds_within(number, names, search);
        // The locals of another rule are not those of this body.
        let is_own = calls == MOST_CALLS || !number.any(names_local);
        if let Some(Value::Int(value)) = self.fold(number).filter(|_| is_own) {
            return Some((value, value));
        }
        match &number.kind {
            ExprKind::Local(local) => names.get(local).copied(),
            ExprKind::Element(Array::Var(var), _) => {
                self.plan.ends(self.plan.rules.vars[var.index()].range?)
            }
            ExprKind::Column(kind, at, _) => {
                spread(&self.plan.rules.kinds[kind.index()].columns[*at].cells)
            }
            ExprKind::Element(Array::Table(table), _) => {
                spread(&self.plan.rules.tables[table.index()].cells)
            }
            ExprKind::Unary(UnaryOp::Seat, _) => {
                Some((1, i64::try_from(self.plan.setting.players).ok()?))
            }
            ExprKind::Fold { word: FoldWord::Count, binder, .. } => {
                let domain = finite(&binder.set.ty).and_then(|it| self.plan.known_domain(it));
                let size = domain.and_then(|(_, size)| i64::try_from(size).ok());
                Some((0, size.unwrap_or(i64::MAX)))
            }
            ExprKind::If(_, a, b) => {
                let (a, b) = (bounds(a)?, bounds(b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprKind::Random(set) => self.bounds_of_set(set, names, search),
            ExprKind::Call(rule, arguments) => {
                let rule = &self.plan.rules.rules[rule.index()];
                let value = only_value(&rule.body)?;
                let given = arguments.iter().enumerate();
                let given = given.filter_map(|(at, it)| Some((LocalId::at(at), bounds(it)?)));
                let names = given.filter(|(at, _)| !rule.locals[at.index()].mutable).collect();
                self.bounds_within(value, &names, (calls.checked_sub(1)?, parts))
            }
            ExprKind::Fold { word: FoldWord::Sum, binder, body } => {
                let (low, high) = bounds(body.first()?)?;
                let most =
                    i64::try_from(self.plan.known_domain(finite(&binder.set.ty)?)?.1).ok()?;
                Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
            }
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                combined_bounds(*op, bounds(a), bounds(b))
            }
            _ => None,
        }
    }

    pub(in crate::compile) fn note_bounds(self, binder: &Binder, names: &mut BoundLocals) {
        let search = (MOST_CALLS, &Cell::new(MOST_PARTS));
        if let Some(bounds) = self.bounds_of_set(&binder.set, names, search) {
            names.insert(binder.local, bounds);
        }
    }

    /// The lowest and the highest number of a set of numbers, as far as they are known.
    fn bounds_of_set(
        self,
        set: &Expr,
        names: &BoundLocals,
        search: (usize, &Cell<usize>),
    ) -> Option<NumberBounds> {
        match &set.kind {
            ExprKind::Interval(low, high) if set.ty == Type::Span => {
                let bounds = |end: &Expr| self.bounds_within(end, names, search);
                Some((bounds(low)?.0, bounds(high)?.1))
            }
            ExprKind::Whole(Domain::Range(range)) => self.plan.ends(*range),
            ExprKind::Backwards(set) | ExprKind::From(set, _) => {
                self.bounds_of_set(set, names, search)
            }
            _ => None,
        }
    }

    /// A binder over numbers as one over the set of a range that has just these, if something that is asked
    /// of each can be asked of the whole set. The order stays the same.
    pub(in crate::compile) fn members_of_span(
        self,
        binder: &Binder,
        body: &[Expr],
    ) -> Option<Binder> {
        let ends = self.ends_of_span(binder)?;
        let parts = conjuncts(conditions_of(binder, body));
        let is_same = |range: &usize| self.plan.ranges.get(*range) == Some(&(ends.0, Some(ends.1)));
        let asked = parts.iter().find_map(|part| self.range_asked(part, binder));
        let range = asked.filter(is_same).or_else(|| (0..self.plan.ranges.len()).find(is_same))?;
        let domain = Domain::Range(RangeId::at(range));
        let about = PredicateMember::given(binder.local, domain, &parts);
        let has_form =
            parts.is_empty() || parts.iter().any(|part| self.set_form(part, about).is_some());
        let (kind, span) = (ExprKind::Whole(domain), binder.set.span);
        let set = Box::new(Expr { kind, ty: Type::Set(domain), span });
        self.plan.found_by(Pass::Numbers, || has_form.then(|| Binder { set, ..binder.clone() }))
    }

    fn ends_of_span(self, binder: &Binder) -> Option<(i64, i64)> {
        let ExprKind::Interval(low, high) = &binder.set.kind else { return None };
        if binder.set.ty != Type::Span {
            return None;
        }
        let (Value::Int(low), Value::Int(high)) = (self.fold(low)?, self.fold(high)?) else {
            return None;
        };
        let count = high.checked_sub(low)?;
        (0..MOST_NUMBERS).contains(&count).then_some((low, high))
    }

    /// The range of the last index of an array that a condition asks for the element of a number.
    fn range_asked(self, condition: &Expr, binder: &Binder) -> Option<usize> {
        let mut asked = None;
        condition.visit_tree(&mut |part| {
            if let ExprKind::Element(Array::Var(var), indices) = &part.kind
                && indices.last().is_some_and(|index| index.is_local(binder.local))
                && let Domain::Range(range) = self.plan.last_domain(*var)
            {
                asked = asked.or(Some(range.index()));
            }
        });
        asked
    }

    /// `c.suit == s`, where `s` is a member of a kind: the members that have each value.
    pub(super) fn valued_form<'e>(
        self,
        column: &Expr,
        value: &'e Expr,
        values: Domain,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        let (low, size) = self.plan.known_domain(values)?;
        let members = self.plan.all_members(about.domain)?;
        let mut sets = self.plan.found_by(Pass::Columns, || rows(size, members.len()))?;
        for (member, has) in members.into_iter().zip(self.relation_of(column, about)?) {
            for value in has {
                sets.get_mut(usize::try_from(value - low).ok()?)?.push(member);
            }
        }
        Some(SetForm::Numbered(sets, low, value))
    }

    /// `c.column <= x`, where it is known only in play how much that is: the members up to each number.
    pub(super) fn up_to_form<'e>(
        self,
        number: &'e Expr,
        most: &'e Expr,
        comparison: Comparison,
        about: PredicateMember,
    ) -> Option<SetForm<'e>> {
        if most.reads_local(about.local) || !self.is_safe(most) {
            return None;
        }
        let (sets, low) = self.members_by_number(number, about)?;
        let mut all = Vec::new();
        let up_to = sets.into_iter().map(|members| {
            all.extend(members);
            all.sort_unstable();
            all.clone()
        });
        let sets = std::iter::once(Vec::new()).chain(up_to).collect();
        // None is below the lowest.
        let low = if comparison == Comparison::Below { low } else { low - 1 };
        Some(SetForm::numbered(sets, low, most))
    }

    /// The members for each number that an expression comes to, from the lowest on, if few.
    pub(super) fn members_by_number(
        self,
        expr: &Expr,
        about: PredicateMember,
    ) -> Option<(Vec<Vec<i64>>, i64)> {
        let numbers = self.for_each_member(expr, about, |value| value.as_number())?;
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
        let members = self.plan.all_members(about.domain)?;
        let mut sets = self.plan.found_by(Pass::Columns, || rows(count, members.len()))?;
        for (member, number) in members.into_iter().zip(numbers) {
            sets[usize::try_from(number - low).ok()?].push(member);
        }
        Some((sets, low))
    }

    /// A decision as the file has it, without what happens after it.
    pub(in crate::compile) fn typed_choice(self, choose: &Choose, span: Span) -> Choose {
        let typed =
            self.body.rule.and_then(|id| self.plan.prepared.written.choices.get(&(id, span)));
        typed.cloned().unwrap_or_else(|| choose.without_bodies())
    }

    /// The set of a pick with its declared type.
    pub(in crate::compile) fn typed_pick(self, pick: &Pick, span: Span) -> Expr {
        let typed = self.body.rule.and_then(|id| self.plan.prepared.written.picks.get(&(id, span)));
        typed.unwrap_or(&pick.set).clone()
    }

    /// The slots that strategies read where an option is offered.
    pub(in crate::compile) fn read_by_strategies(self, option: Span) -> Vec<(u16, u16)> {
        let mut kept = Vec::new();
        for expr in self.plan.rules.tactics(option).flat_map(Tactic::exprs) {
            expr.visit_tree(&mut |part| {
                let (ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _)) =
                    &part.kind
                else {
                    return;
                };
                kept.extend(self.body.locals.get(local).and_then(Storage::slots));
            });
        }
        kept
    }
}

fn names_local(part: &Expr) -> bool {
    matches!(part.kind, ExprKind::Local(_) | ExprKind::Element(Array::Local(_), _))
}

/// The bounds of what two numbers give, where no end is beyond all numbers.
fn combined_bounds(
    op: Arith,
    a: Option<NumberBounds>,
    b: Option<NumberBounds>,
) -> Option<NumberBounds> {
    if let Arith::Min | Arith::Max = op {
        // The lesser of two numbers is no more than the one that is bounded.
        let any = (i64::MIN, i64::MAX);
        let (a, b) = (a.unwrap_or(any), b.unwrap_or(any));
        return Some(match op {
            Arith::Min => (a.0.min(b.0), a.1.min(b.1)),
            _ => (a.0.max(b.0), a.1.max(b.1)),
        });
    }
    let (a, b) = (a?, b?);
    match op {
        Arith::Add => Some((a.0.checked_add(b.0)?, a.1.saturating_add(b.1))),
        Arith::Subtract => Some((a.0.saturating_sub(b.1), a.1.checked_sub(b.0)?)),
        Arith::Multiply => {
            let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let ends = ends.map(|(a, b)| a.checked_mul(b));
            let [Some(a), Some(b), Some(c), Some(d)] = ends else { return None };
            Some((a.min(b).min(c).min(d), a.max(b).max(c).max(d)))
        }
        _ => None,
    }
}

/// So many empty sets of members, if a table has room for them.
fn rows(count: usize, members: usize) -> Option<Vec<Vec<i64>>> {
    let words = count.checked_mul(members.div_ceil(64))?;
    (words <= MOST_WORDS).then(|| vec![Vec::new(); count])
}

fn spread(cells: &[Value]) -> Option<NumberBounds> {
    let numbers: Vec<i64> = cells.iter().map(Value::as_number).collect::<Option<_>>()?;
    Some((*numbers.iter().min()?, *numbers.iter().max()?))
}
