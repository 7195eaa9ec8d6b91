//! Small mistakes: a sign, a number, a word, a statement.

use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{BinaryOp, Expr, ExprKind, FoldWord};

use super::Page;
use super::helpers::{declares, is_braced};
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert, replace};

/// Another operator, number or fold.
pub fn slip(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let site = dice.pick(&page.outline.exprs)?;
    let span = site.expr.span;
    match &site.expr.kind {
        ExprKind::Number(number) => {
            let near = [number - 1, number + 1, 0, 1, 2, 63, 64, 65];
            Some(vec![replace(span, dice.pick(&near)?.to_string())])
        }
        ExprKind::Bool(yes) => Some(vec![replace(span, if *yes { "no" } else { "yes" })]),
        ExprKind::Binary(op, a, b) => operator(page, *op, a, b, dice),
        ExprKind::Fold { word, .. } => {
            let other = fold(*word, dice);
            let end = span.start + u32::try_from(word.word().len()).ok()?;
            Some(vec![replace(Span { start: span.start, end }, other.word())])
        }
        ExprKind::Call(name, _) if name.text == "min" => Some(vec![replace(name.span, "max")]),
        ExprKind::Call(name, _) if name.text == "max" => Some(vec![replace(name.span, "min")]),
        ExprKind::If(_, then, otherwise) => {
            let (a, b) = (page.slice(then.span), page.slice(otherwise.span));
            Some(vec![replace(then.span, b), replace(otherwise.span, a)])
        }
        ExprKind::From(..) => Some(vec![insert(span.end as usize, " backwards")]),
        _ => condition(page, dice),
    }
}

fn operator(page: &Page, op: BinaryOp, a: &Expr, b: &Expr, dice: &mut Dice) -> Option<Vec<Edit>> {
    let between = Span { start: a.span.end, end: b.span.start };
    // Parentheses of the sides stay where they are.
    let words = page.slice(between);
    let same: &[&str] = match op {
        BinaryOp::Or | BinaryOp::And => &["or", "and"],
        BinaryOp::Equal | BinaryOp::NotEqual => &["==", "!="],
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            &["<", "<=", ">", ">=", "==", "!="]
        }
        BinaryOp::In | BinaryOp::NotIn => &["in", "not in"],
        BinaryOp::Within => &["==", "!=", "within"],
        BinaryOp::Union | BinaryOp::Minus | BinaryOp::Common => &["union", "minus", "common"],
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => &["+", "-", "*", "mod"],
        BinaryOp::Divide | BinaryOp::Modulo => return None,
    };
    let other = dice.pick(same)?;
    words
        .trim()
        .chars()
        .all(|it| !"()#".contains(it))
        .then(|| vec![replace(between, format!(" {other} "))])
}

fn fold(word: FoldWord, dice: &mut Dice) -> FoldWord {
    let (any, sum) =
        ([FoldWord::Any, FoldWord::All], [FoldWord::Sum, FoldWord::Max, FoldWord::Min]);
    let pick = |of: &[FoldWord], dice: &mut Dice| of[dice.below(of.len())];
    match word {
        FoldWord::Any | FoldWord::All => pick(&any, dice),
        FoldWord::Sum | FoldWord::Max | FoldWord::Min => pick(&sum, dice),
        FoldWord::Count => FoldWord::Count,
        FoldWord::First | FoldWord::Last => pick(&[FoldWord::First, FoldWord::Last], dice),
        FoldWord::Only => FoldWord::Only,
        FoldWord::Highest | FoldWord::Lowest => pick(&[FoldWord::Highest, FoldWord::Lowest], dice),
    }
}

/// The condition of a binder is dropped or turned round.
fn condition(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let binder = dice.pick(&page.outline.binders)?.binder;
    let Some(condition) = &binder.condition else {
        return Some(vec![insert(binder.set.span.end as usize, " backwards")]);
    };
    if dice.once_in(2) {
        return Some(vec![replace(
            condition.span,
            format!("not ({})", page.slice(condition.span)),
        )]);
    }
    Some(vec![replace(Span { start: binder.set.span.end, end: condition.span.end }, "")])
}

/// A statement is dropped, or two that follow each other are exchanged.
pub fn statements(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let at = dice.below(page.outline.stmts.len());
    let stmt = page.outline.stmts.get(at)?;
    if dice.once_in(2) {
        let braced = is_braced(page, page.outline.blocks[stmt.block]);
        return Some(vec![replace(stmt.stmt.span, if braced { "" } else { "{ }" })]);
    }
    let others: Vec<_> = page.outline.stmts.iter().filter(|it| it.block == stmt.block).collect();
    let next = others.iter().find(|it| it.stmt.span.start > stmt.stmt.span.start)?;
    let may = !declares(stmt) || !declares(next);
    let (a, b) = (stmt.stmt.span, next.stmt.span);
    may.then(|| vec![replace(a, page.slice(b)), replace(b, page.slice(a))])
}
