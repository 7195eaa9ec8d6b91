//! Queries on checked expressions, and small rewrites of them.

use crate::eval::held;
use crate::rules::safety::is_safe;
use crate::rules::{
    Always, Ambient, Array, BinaryOp, Binder, Clause, Domain, Expr, ExprKind, LocalId, RangeId,
    Rules, Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::{FoldWord, Visibility};

/// The parts of some conditions that all have to hold.
pub(in crate::compile) fn conjuncts<'e>(
    conditions: impl IntoIterator<Item = &'e Expr>,
) -> Vec<&'e Expr> {
    let mut parts = Vec::new();
    conditions.into_iter().for_each(|condition| split_into(condition, &mut parts));
    parts
}

fn split_into<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            split_into(a, parts);
            split_into(b, parts);
        }
        _ => parts.push(condition),
    }
}

/// Whether everybody sees all that is read: to others it may be none.
pub(super) fn all_see(rules: &Rules, number: &Expr) -> bool {
    let is_seen = |var: &VarId| rules.vars[var.index()].sight == Visibility::All;
    !number.any(|part| matches!(&part.kind, ExprKind::Element(Array::Var(var), _) if !is_seen(var)))
}

/// Whether what always holds says something of each card alone: `all(card in PILE: …)` with nothing inside that
/// depends on where other cards lie. It then holds exactly if it holds of each card by itself, and all players know
/// what it says, since they see all that it reads.
pub(in crate::compile) fn is_of_single_cards(rules: &Rules, always: &Always) -> bool {
    let binder_is_open =
        |binder: &Binder| is_open(rules, &binder.set) && filter_is_open(rules, binder);
    always.binder.as_ref().is_none_or(binder_is_open)
        && tests_single_cards(rules, &always.condition)
}

fn tests_single_cards(rules: &Rules, condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            tests_single_cards(rules, a) && tests_single_cards(rules, b)
        }
        ExprKind::Fold { word: FoldWord::All, binder, body } if filter_is_open(rules, binder) => {
            let mut parts = body.iter();
            match &binder.set.kind {
                ExprKind::Element(Array::Var(var), indices) if rules.is_pile(*var) => {
                    indices.iter().chain(parts).all(|part| is_open(rules, part))
                }
                _ => {
                    is_open(rules, &binder.set) && parts.all(|part| tests_single_cards(rules, part))
                }
            }
        }
        _ => is_open(rules, condition),
    }
}

fn filter_is_open(rules: &Rules, binder: &Binder) -> bool {
    binder.condition.as_ref().is_none_or(|condition| is_open(rules, condition))
}

/// Whether everybody sees all that is read, and where cards lie does not matter. What rules that are called read is
/// not looked at.
fn is_open(rules: &Rules, part: &Expr) -> bool {
    let asks_elsewhere = |part: &Expr| match &part.kind {
        ExprKind::Element(Array::Var(var), _) => rules.is_pile(*var),
        ExprKind::Element(Array::Pile(_), _)
        | ExprKind::Call(..)
        | ExprKind::End(_)
        | ExprKind::Suppose(..)
        | ExprKind::Ambient(Ambient::Past(_)) => true,
        _ => false,
    };
    all_see(rules, part) && !part.any(asks_elsewhere)
}

/// True if no variable is read.
pub(in crate::compile) fn is_sure(number: &Expr) -> bool {
    let is_read = |array: &Array| matches!(array, Array::Var(_) | Array::Local(_));
    !number.any(|part| matches!(&part.kind, ExprKind::Element(array, _) if is_read(array)))
}

/// The members of a set for which the condition of a binder holds.
pub(in crate::compile) fn filtered(set: Expr, binder: &Binder) -> Expr {
    if binder.condition.is_none() {
        return set;
    }
    let (ty, span) = (set.ty.clone(), set.span);
    Expr { kind: ExprKind::Filter(Binder { set: Box::new(set), ..binder.clone() }), ty, span }
}

pub(in crate::compile) fn bound_by(clause: &Clause) -> Option<LocalId> {
    match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    }
}

/// Conditions as one.
pub(in crate::compile) fn joined(parts: &[&Expr]) -> Option<Expr> {
    let (first, rest) = parts.split_first()?;
    Some(rest.iter().fold((*first).clone(), |joined, part| {
        let span = joined.span.to(part.span);
        let kind = ExprKind::new_binary(BinaryOp::And, joined, (*part).clone());
        Expr { kind, ty: Type::Bool, span }
    }))
}

/// An element of a variable, with its indices.
pub(in crate::compile) fn var_element(expr: &Expr) -> Option<(VarId, &[Expr])> {
    match &expr.kind {
        ExprKind::Element(Array::Var(var), indices) => Some((*var, indices)),
        _ => None,
    }
}

/// The array that a condition says has a value at the member.
pub(super) fn not_none(condition: &Expr, local: LocalId) -> Option<VarId> {
    let ExprKind::Unary(UnaryOp::Not, inner) = &condition.kind else { return None };
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &inner.kind else { return None };
    let ((var, [index]), ExprKind::Value(Value::None)) = (var_element(a)?, &b.kind) else {
        return None;
    };
    index.is_local(local).then_some(var)
}

/// The finite type of the members of a set, or of the value that a maybe is.
pub(in crate::compile) fn member_domain(ty: &Type) -> Option<Domain> {
    match ty {
        Type::Set(domain) => Some(*domain),
        Type::Kind(kind) => Some(Domain::Kind(*kind)),
        Type::Maybe(inner) if matches!(**inner, Type::Kind(_)) => member_domain(inner),
        _ => None,
    }
}

/// Replaces an element of an array at the member by the member; gives the array and its type.
pub(super) fn replace_element_by_member(expr: &mut Expr, local: LocalId) -> Option<(VarId, Type)> {
    match &mut expr.kind {
        ExprKind::Column(_, _, of) => replace_element_by_member(of, local),
        ExprKind::Element(Array::Table(_), indices) => match indices.as_mut_slice() {
            [index] => replace_element_by_member(index, local),
            _ => None,
        },
        ExprKind::Element(Array::Var(var), indices) => {
            let [index] = indices.as_slice() else { return None };
            let found = index.is_local(local).then(|| (*var, expr.ty.clone()))?;
            let ty = match &expr.ty {
                Type::Maybe(inner) => inner.as_ref().clone(),
                other => other.clone(),
            };
            *expr = Expr { ty, ..index.clone() };
            Some(found)
        }
        _ => None,
    }
}

/// Whether an index is inside by its type.
pub(in crate::compile) fn checked(index: &Expr) -> bool {
    matches!(index.ty, Type::Kind(_))
}

/// An expression that does not depend on the member and cannot trap.
pub(in crate::compile) fn other(expr: &Expr, local: LocalId) -> Option<&Expr> {
    (!expr.reads_local(local) && is_safe(expr)).then_some(expr)
}

/// Whether something is a set whose members are all there is to it, not a span, a maybe or an order.
pub(in crate::compile) fn is_plain_set(set: &Expr) -> bool {
    matches!(set.ty, Type::Set(_)) && !set.is_ordered()
}

/// The numbers that a set may have, if it is one of numbers.
pub(in crate::compile) fn range_of_set(set: &Expr) -> Option<RangeId> {
    if let Some(Domain::Range(range)) = held(&set.ty) { Some(range) } else { None }
}

/// The one member of a set that is written with one.
pub(in crate::compile) fn single(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        // A list may have several members.
        ExprKind::Unary(UnaryOp::ToSet, member) if !matches!(member.ty, Type::List(..)) => {
            Some(member)
        }
        ExprKind::SetOf(members) if members.len() == 1 => members.first(),
        _ => None,
    }
}
