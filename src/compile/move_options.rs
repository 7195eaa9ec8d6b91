//! Options before their code is written: order of clauses, alike cards, dead moves.

use std::collections::BTreeMap;

use crate::compile::filters::conjuncts;
use crate::compile::{Compiler, Pass};
use crate::eval::{finite, is_safe, is_safe_where};
use crate::rules::protect::protect;
use crate::rules::{
    Arith, Array, BinaryOp, Binder, Clause, Domain, Expr, ExprKind, KindShape, LocalId, MoveOption,
    Rules, Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::{FoldWord, Visibility};

/// A local of what is picked from; no rule has as many locals.
pub(super) const PICKED: LocalId = LocalId(u32::MAX >> 1);

type NumberBounds = (i64, i64);

/// Numbers that are this far from 0 at most can be added without a trap.
const SMALL: i64 = 1 << 60;

pub(super) type BoundLocals = BTreeMap<LocalId, NumberBounds>;

impl Compiler<'_> {
    /// The clauses, each with only one of the cards that read the same and lie in one pile.
    pub(super) fn told_apart(&self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        for clause in &mut clauses {
            let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { continue };
            if let Some(members) = self.members_of_span(binder, &[]) {
                *binder = members;
            }
            let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = binder.set.ty
            else {
                continue;
            };
            let kind = &self.rules.kinds[kind.index()];
            let faces = kind.columns.first().map(|column| column.cells.as_slice());
            let several = faces.is_some_and(|faces| faces.windows(2).any(|two| two[0] == two[1]));
            if matches!(kind.shape, KindShape::Cards(_)) && several {
                one_of_each(binder);
            }
        }
        clauses
    }

    /// Keeps that an option cannot be legal, if that is so.
    pub(super) fn note_barred(&mut self, option: &MoveOption) {
        if self.never_legal(option) || self.is_barred(option) {
            self.code.barred.insert(option.span, option.name.clone());
        }
    }

    /// Whether a condition of an option cannot hold, by the ends of what it compares.
    fn is_barred(&self, option: &MoveOption) -> bool {
        let mut names = BoundLocals::new();
        option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => self.is_known(condition, false, &names),
            Clause::For(binder) => {
                self.name(binder, &mut names);
                let condition = binder.condition.as_ref();
                condition.is_some_and(|condition| self.is_known(condition, false, &names))
            }
            Clause::Let(local, value) => {
                if let Some(bounds) = self.bounds(value, &names) {
                    names.insert(*local, bounds);
                }
                false
            }
            Clause::Maybe(_) => false,
        })
    }

    pub(super) fn name(&self, binder: &Binder, names: &mut BoundLocals) {
        let bounds = match &binder.set.kind {
            ExprKind::Interval(low, high) if binder.set.ty == Type::Span => {
                let (low, high) = (self.bounds(low, names), self.bounds(high, names));
                low.zip(high).map(|(low, high)| (low.0, high.1))
            }
            ExprKind::Whole(Domain::Range(range)) => self.ends(range.index()),
            _ => None,
        };
        if let Some(bounds) = bounds {
            names.insert(binder.local, bounds);
        }
    }

    pub(super) fn ends(&self, range: usize) -> Option<NumberBounds> {
        let (low, high) = *self.ranges.get(range)?;
        Some((low, high.unwrap_or(i64::MAX)))
    }

    /// Whether a condition always is, or never is.
    fn is_known(&self, condition: &Expr, holds: bool, names: &BoundLocals) -> bool {
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
    pub(super) fn is_between(&self, number: &Expr, (low, high): NumberBounds) -> bool {
        let inside = |(least, most): NumberBounds| low <= least && most <= high;
        let is_inside =
            || is_sure(number) && self.bounds(number, &self.body.bounds).is_some_and(inside);
        self.found_by(Pass::Bounds, |_| is_inside().then_some(())).is_some()
    }

    /// The clauses, each `when` as early as what it reads is bound, but after those above it: these
    /// may tell that a name in it is not none. Only conditions that cannot trap are moved: another
    /// clause may be there to protect the others. One that calls a rule hides no trap of another clause.
    pub(super) fn scheduled(&self, clauses: &[Clause]) -> Vec<Clause> {
        let mut scheduled: Vec<Clause> = Vec::new();
        for clause in clauses {
            let at = match clause {
                Clause::When(condition) if is_safe(condition) => {
                    let calls = self.is_calling(condition);
                    let holds = |clause: &Clause| {
                        let mut traps = false;
                        clause.visit_exprs(&mut |part| traps |= calls && !is_safe(part));
                        traps || holds_back(clause, condition)
                    };
                    scheduled.iter().rposition(holds).map_or(0, |at| at + 1)
                }
                _ => scheduled.len(),
            };
            scheduled.insert(at, clause.clone());
        }
        scheduled
    }

    /// Whether an expression cannot trap: also a sum that surely is small.
    pub(super) fn is_safe(&self, expr: &Expr) -> bool {
        let is_small = |number: &Expr| {
            let ends =
                self.bounds(number, &self.body.bounds).filter(|_| all_see(self.rules, number));
            ends.is_some_and(|(low, high)| -SMALL <= low && high <= SMALL)
        };
        is_safe_where(expr, is_small)
    }

    /// The ends of a number, as far as they are known; none if it may be `none`.
    pub(super) fn bounds(&self, number: &Expr, names: &BoundLocals) -> Option<NumberBounds> {
        if number.ty != Type::Number {
            return None;
        }
        if let Some(Value::Int(value)) = self.fold(number) {
            return Some((value, value));
        }
        match &number.kind {
            ExprKind::Local(local) => names.get(local).copied(),
            ExprKind::Element(Array::Var(var), _) => {
                self.ends(self.rules.vars[var.index()].range?.index())
            }
            ExprKind::Column(kind, at, _) => {
                spread(&self.rules.kinds[kind.index()].columns[*at].cells)
            }
            ExprKind::Element(Array::Table(table), _) => {
                spread(&self.rules.tables[table.index()].cells)
            }
            ExprKind::Unary(UnaryOp::Seat, _) => {
                Some((1, i64::try_from(self.setting.players).ok()?))
            }
            ExprKind::Fold { word: FoldWord::Count, .. } => Some((0, i64::MAX)),
            ExprKind::Fold { word: FoldWord::Sum, binder, body } => {
                let (low, high) = self.bounds(body.first()?, names)?;
                let most = i64::try_from(self.known_domain(finite(&binder.set.ty)?)?.1).ok()?;
                Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
            }
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                let (a, b) = (self.bounds(a, names)?, self.bounds(b, names)?);
                match op {
                    Arith::Add => Some((a.0.checked_add(b.0)?, a.1.saturating_add(b.1))),
                    Arith::Subtract => Some((a.0.saturating_sub(b.1), a.1.checked_sub(b.0)?)),
                    Arith::Multiply => {
                        let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
                        let ends = ends.map(|(a, b)| a.checked_mul(b));
                        let [Some(a), Some(b), Some(c), Some(d)] = ends else { return None };
                        Some((a.min(b).min(c).min(d), a.max(b).max(c).max(d)))
                    }
                    Arith::Min => Some((a.0.min(b.0), a.1.min(b.1))),
                    Arith::Max => Some((a.0.max(b.0), a.1.max(b.1))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether everybody sees all that is read: to others it may be none.
fn all_see(rules: &Rules, number: &Expr) -> bool {
    let is_seen = |var: &VarId| rules.vars[var.index()].sight == Visibility::All;
    !number.any(|part| matches!(&part.kind, ExprKind::Element(Array::Var(var), _) if !is_seen(var)))
}

/// Whether no variable is read.
pub(super) fn is_sure(number: &Expr) -> bool {
    let is_read = |array: &Array| matches!(array, Array::Var(_) | Array::Local(_));
    !number.any(|part| matches!(&part.kind, ExprKind::Element(array, _) if is_read(array)))
}

/// Leaves one of the cards or subsets that read the same. Subsets are tested afterwards, whole.
fn one_of_each(binder: &mut Binder) {
    let mut set = binder.set.in_any_order().clone();
    if matches!(set.ty, Type::Set(_)) {
        set = filtered(set, binder);
        binder.condition = None;
    }
    let (ty, span) = (set.ty.clone(), set.span);
    let distinct = Expr { kind: ExprKind::Distinct(Box::new(set)), ty, span };
    replace_members(&mut binder.set, distinct);
}

/// Puts a set in place of the one inside of what gives it an order.
fn replace_members(set: &mut Expr, members: Expr) {
    match &mut set.kind {
        ExprKind::From(inner, _) | ExprKind::Backwards(inner) => replace_members(inner, members),
        _ => *set = members,
    }
}

/// The members of a set for which the condition of a binder holds.
pub(super) fn filtered(set: Expr, binder: &Binder) -> Expr {
    if binder.condition.is_none() {
        return set;
    }
    let (ty, span) = (set.ty.clone(), set.span);
    Expr { kind: ExprKind::Filter(Binder { set: Box::new(set), ..binder.clone() }), ty, span }
}

/// Whether a condition must not be tested before a clause: it reads what the clause binds, or a name of which the
/// clause may tell that it is not none.
fn holds_back(clause: &Clause, condition: &Expr) -> bool {
    let tells = match clause {
        Clause::For(Binder { local, condition: Some(tests), .. })
        | Clause::Maybe(Binder { local, condition: Some(tests), .. }) => {
            protect(&[tests, condition], Some(*local))
        }
        _ => false,
    };
    tells || bound_by(clause).is_none_or(|local| condition.reads_local(local))
}

pub(super) fn bound_by(clause: &Clause) -> Option<LocalId> {
    match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    }
}

/// The clauses, each test of a member that cannot trap as a condition of its binder: all members are tested at once.
pub(super) fn tested_within(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut within: Vec<Clause> = Vec::new();
    for clause in clauses {
        if let (Some(Clause::For(Binder { local, set, condition })), Clause::When(test)) =
            (within.last_mut(), &clause)
            && matches!(set.ty, Type::Set(_))
            && !matches!(set.kind, ExprKind::Distinct(_))
            && test.reads_local(*local)
            && is_safe(test)
        {
            let tests: Vec<&Expr> = condition.as_deref().into_iter().chain([test]).collect();
            *condition = joined(&tests).map(Box::new);
        } else {
            within.push(clause);
        }
    }
    within
}

/// The clauses, with the conditions of the last binder after it from the first one on that takes long.
pub(super) fn tested_last(mut clauses: Vec<Clause>) -> Vec<Clause> {
    let Some(Clause::For(binder)) = clauses.last_mut() else { return clauses };
    let parts = conjuncts(binder.condition.as_deref());
    let at = parts.iter().position(|part| takes_long(part)).unwrap_or(parts.len());
    let later = joined(&parts[at..]);
    let sooner = joined(&parts[..at]).map(Box::new);
    if later.is_some() {
        binder.condition = sooner;
    }
    clauses.extend(later.map(Clause::When));
    clauses
}

/// Whether these clauses bind no member of a set, and the first takes long.
pub(super) fn is_long_test(clauses: &[Clause]) -> bool {
    let is_test = |clause: &Clause| matches!(clause, Clause::When(_) | Clause::Let(..));
    let first = match clauses.first() {
        Some(Clause::When(value) | Clause::Let(_, value)) => takes_long(value),
        _ => false,
    };
    first && clauses.iter().all(is_test)
}

/// Whether these clauses are tests, which leave one move or none.
pub(super) fn has_one_move_at_most(clauses: &[Clause]) -> bool {
    let is_single = |clause: &Clause| match clause {
        Clause::When(_) | Clause::Let(..) => true,
        Clause::For(binder) => matches!(binder.set.ty, Type::Maybe(_)),
        Clause::Maybe(_) => false,
    };
    clauses.iter().all(is_single)
}

/// Whether rules are called: those that are short are written out by now.
fn takes_long(expr: &Expr) -> bool {
    expr.any(|part| matches!(part.kind, ExprKind::Call(..) | ExprKind::Suppose(..)))
}

/// Conditions as one.
pub(super) fn joined(parts: &[&Expr]) -> Option<Expr> {
    let (first, rest) = parts.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, part| {
        let span = joined.span.to(part.span);
        let kind = ExprKind::new_binary(BinaryOp::And, joined, (*part).clone());
        Expr { kind, ty: Type::Bool, span }
    }))
}

fn spread(cells: &[Value]) -> Option<NumberBounds> {
    let numbers: Vec<i64> = cells.iter().map(Value::as_number).collect::<Option<_>>()?;
    Some((*numbers.iter().min()?, *numbers.iter().max()?))
}
