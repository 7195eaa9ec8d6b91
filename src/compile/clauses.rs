//! The clauses of an option: in which order they are tested, what they bind, which of them are sets
//! that do not depend on each other, and which cards read the same.

use crate::check::rules::{
    Array, BinaryOp, Binder, Clause, Domain, Expr, ExprKind, LocalId, Shape, Type, UnaryOp,
};
use crate::compile::Compiler;
use crate::compile::set_predicates::reads;

impl Compiler<'_> {
    /// The clauses, each with only one of the cards that read the same and lie in one pile.
    pub(super) fn told_apart(&self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        for clause in &mut clauses {
            let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { continue };
            let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = binder.set.ty
            else {
                continue;
            };
            let kind = &self.rules.kinds[kind.index()];
            let faces = kind.columns.first().map(|column| column.cells.as_slice());
            let several = faces.is_some_and(|faces| faces.windows(2).any(|two| two[0] == two[1]));
            if matches!(kind.shape, Shape::Cards(_)) && several {
                one_of_each(binder);
            }
        }
        clauses
    }
}

/// Leaves in a binder, of the cards or subsets that fulfil its condition, one of those that read the
/// same. Of subsets the condition is asked afterwards, since it is about all cards of one.
fn one_of_each(binder: &mut Binder) {
    let (mut set, from) = match &binder.set.kind {
        ExprKind::From(set, from) => (set.as_ref().clone(), Some(from.clone())),
        _ => (binder.set.as_ref().clone(), None),
    };
    if matches!(set.ty, Type::Set(_)) {
        set = filtered(set, binder);
        binder.condition = None;
    }
    let (ty, span) = (set.ty.clone(), set.span);
    let expr = |kind| Expr { kind, ty: ty.clone(), span };
    set = expr(ExprKind::Distinct(Box::new(set)));
    if let Some(from) = from {
        set = expr(ExprKind::From(Box::new(set), from));
    }
    *binder.set = set;
}

/// The members of a set that fulfil the condition of a binder, if it has one.
pub(super) fn filtered(set: Expr, binder: &Binder) -> Expr {
    let Binder { local, condition: condition @ Some(_), .. } = binder.clone() else { return set };
    let (ty, span) = (set.ty.clone(), set.span);
    let kind = ExprKind::Filter(Binder { local, set: Box::new(set), condition });
    Expr { kind, ty, span }
}

/// The clauses, each `when` as early as what it reads is bound, but behind those above it: these
/// may tell that a name in it is not none. Only conditions that cannot trap are moved: another
/// clause may be there to protect the others.
pub(super) fn scheduled(clauses: &[Clause]) -> Vec<Clause> {
    let mut scheduled: Vec<Clause> = Vec::new();
    for clause in clauses {
        let at = match clause {
            Clause::When(condition) if is_safe(condition) => {
                let holds =
                    |clause: &Clause| bound_by(clause).is_none_or(|local| reads(condition, local));
                scheduled.iter().rposition(holds).map_or(0, |at| at + 1)
            }
            _ => scheduled.len(),
        };
        scheduled.insert(at, clause.clone());
    }
    scheduled
}

/// The clauses as sets that do not depend on each other, each with whether it may be left out; none
/// if they are something else.
pub(super) fn factors(clauses: &[Clause]) -> Option<Vec<(&Binder, bool)>> {
    let mut factors: Vec<(&Binder, bool)> = Vec::new();
    for clause in clauses {
        let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { return None };
        let is_set = matches!(binder.set.ty, Type::Set(_));
        let ordered = matches!(binder.set.kind, ExprKind::From(..) | ExprKind::Walk(_));
        let depends = |(other, _): &(&Binder, bool)| {
            binder.condition.iter().chain([&binder.set]).any(|expr| reads(expr, other.local))
        };
        if !is_set || ordered || factors.iter().any(depends) {
            return None;
        }
        factors.push((binder, matches!(clause, Clause::Maybe(_))));
    }
    Some(factors)
}

/// The type of what a binder takes from a set.
pub(super) fn member_type(set: &Type) -> Type {
    match set {
        Type::Set(domain) => domain.member_type(),
        Type::Subsets(domain) => Type::Set(*domain),
        Type::Maybe(inner) => inner.as_ref().clone(),
        other if *other == Type::Span => Type::Number,
        other => other.clone(),
    }
}

/// The name that a clause binds.
pub(super) fn bound_by(clause: &Clause) -> Option<LocalId> {
    match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    }
}

/// Whether computing an expression can never trap.
pub(super) fn is_safe(expr: &Expr) -> bool {
    let mut safe = true;
    expr.visit(&mut |part| {
        let indices: &[Expr] = match &part.kind {
            ExprKind::Binary(BinaryOp::Arith(_), ..)
            | ExprKind::Unary(UnaryOp::Negate, _)
            | ExprKind::Call(..)
            | ExprKind::Suppose(..)
            | ExprKind::Fold { .. } => {
                safe = false;
                &[]
            }
            ExprKind::Element(Array::Var(_) | Array::Local(_) | Array::Table(_), indices) => {
                indices
            }
            _ => &[],
        };
        safe &= indices.iter().all(|index| !matches!(index.ty, Type::Number));
    });
    safe
}
