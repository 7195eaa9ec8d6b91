//! Rules that only decide what they return, as one expression: it can become operations on sets.

use crate::rules::{Binder, Expr, ExprKind, Rule, Stmt, StmtKind, Type};
use crate::syntax::ast::FoldWord;

/// No value has more expressions than this. What follows an `if` without `return` is written twice.
const MOST_IN_VALUE: usize = 512;

/// Makes `return VALUE` of a rule that has no effects and only decides what to return.
pub(crate) fn simplify(rule: &mut Rule) {
    let is_simple = only_value(&rule.body).is_some();
    if is_simple || !rule.effects.is_pure() || rule.returns == Type::Text {
        return;
    }
    if let (Some(value), Some(first)) =
        (returned_value(&rule.body, None, &rule.returns), rule.body.first())
    {
        rule.body = vec![Stmt { kind: StmtKind::Return(Some(value)), span: first.span }];
    }
}

pub(crate) fn returned(stmt: &Stmt) -> Option<&Expr> {
    if let StmtKind::Return(value) = &stmt.kind { value.as_ref() } else { None }
}

/// The value of a block that does nothing else than return it.
pub(crate) fn only_value(block: &[Stmt]) -> Option<&Expr> {
    if let [only] = block { returned(only) } else { None }
}

/// The value that a block returns, where `after` is the value of what follows it.
fn returned_value(block: &[Stmt], after: Option<Expr>, ty: &Type) -> Option<Expr> {
    block.iter().rev().try_fold(after, |after, stmt| {
        let value = decided_by(stmt, after, ty)?;
        let mut size = 0;
        value.visit_tree(&mut |_| size += 1);
        (size <= MOST_IN_VALUE).then_some(Some(value))
    })?
}

fn decided_by(stmt: &Stmt, after: Option<Expr>, ty: &Type) -> Option<Expr> {
    let (condition, then, otherwise) = match &stmt.kind {
        StmtKind::Return(value) => {
            return value.clone().filter(|value| may_stand_for(&value.ty, ty));
        }
        StmtKind::If { condition, then, otherwise } => (
            condition.clone(),
            returned_value(then, after.clone(), ty)?,
            returned_value(otherwise, after, ty)?,
        ),
        StmtKind::For { binder, from: None, body } => {
            let (found, value) = as_any_fold(binder, body)?;
            (found, may_stand_for(&value.ty, ty).then(|| value.clone())?, after?)
        }
        _ => return None,
    };
    let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
    Some(Expr { kind, ty: ty.clone(), span: stmt.span })
}

/// `for x in S { if C { return V } }` as `any(x in S: C)`, and V.
fn as_any_fold<'a>(binder: &Binder, body: &'a [Stmt]) -> Option<(Expr, &'a Expr)> {
    let [Stmt { kind: StmtKind::If { condition, then, otherwise }, span }] = body else {
        return None;
    };
    let value = only_value(then).filter(|value| !value.reads_local(binder.local))?;
    let (word, binder, body) = (FoldWord::Any, binder.clone(), vec![condition.clone()]);
    let kind = ExprKind::Fold { word, binder, body };
    let found = Expr { kind, ty: Type::Bool, span: *span };
    otherwise.is_empty().then_some((found, value))
}

/// Whether a value of a type may be written where one of another was computed before.
pub(crate) fn may_stand_for(ty: &Type, wanted: &Type) -> bool {
    let maybe = matches!(wanted, Type::Maybe(inner) if *ty == Type::None || *ty == **inner);
    ty == wanted || maybe
}
