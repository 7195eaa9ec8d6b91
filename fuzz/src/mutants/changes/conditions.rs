//! Conditions at other places: `where`, `when`, `let`, `if`, and inside of sets.

use astragal::machinery::rules::Type;
use astragal::machinery::syntax::ast::{BinaryOp, Binder, Block, ClauseKind, ExprKind, StmtKind};

use super::Page;
use super::helpers::clause_start;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert, replace};
use crate::mutants::outline::BinderOf;
use astragal::machinery::source::Span;

/// From the end of a set to the end of its condition: ` where P`; none where more is between them: ` from p where P`.
fn where_part(page: &Page, binder: &Binder) -> Option<(Span, Span)> {
    let condition = binder.condition.as_ref()?;
    let start = binder.set.span.end;
    let between = page.slice(Span { start, end: condition.span.start.max(start) });
    let part = Span { start, end: condition.span.end };
    (between.trim() == "where").then_some((part, condition.span))
}

fn is_plain_set(page: &Page, binder: &Binder) -> bool {
    let known = page.draft.known(binder.set.span);
    known.is_some_and(|it| {
        matches!(it.ty, Type::Set(_)) && !it.bound_to_place && !page.draft.are_cards(&it.ty)
    })
}

/// `for x in S where P`, `for x in S when P`, `for x in S let p = P when p`, and back.
pub fn move_in_option(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let site = dice.pick(&page.outline.clauses)?;
    let name = page.draft.fresh("holds");
    match &site.clause.kind {
        ClauseKind::For(binder) => {
            let (part, condition) = where_part(page, binder)?;
            let cards = page.ty(binder.set.span).is_none_or(|it| page.draft.are_cards(it));
            if cards || binder.set.span.end > condition.start {
                return None;
            }
            let condition = page.slice(condition);
            let text = match dice.below(3) {
                0 => format!(" when {condition}"),
                1 => format!(" let {name} = {condition} when {name}"),
                _ => format!(" when ({condition}) == yes"),
            };
            Some(vec![replace(part, text)])
        }
        ClauseKind::When(condition) => {
            let start = clause_start(page, condition.span.start as usize)?;
            let whole = Span { start: u32::try_from(start).ok()?, end: condition.span.end };
            let condition = page.slice(condition.span);
            let (binder, free) = match site.before.map(|it| &it.kind) {
                Some(ClauseKind::For(binder)) => (Some(binder), binder.condition.is_none()),
                _ => (None, false),
            };
            let cards = binder
                .is_none_or(|it| page.ty(it.set.span).is_none_or(|it| page.draft.are_cards(it)));
            let text = if free && !cards && !dice.once_in(3) {
                format!("where {condition}")
            } else {
                format!("let {name} = {condition} when {name}")
            };
            Some(vec![replace(whole, text)])
        }
        _ => None,
    }
}

/// `for x in S where P` becomes `for x in {x in S where P}`, and back.
pub fn move_in_set(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let site = dice.pick(&page.outline.binders)?;
    let binder = site.binder;
    let (name, set) = (&binder.name.text, page.slice(binder.set.span));
    match (&binder.set.kind, where_part(page, binder)) {
        (ExprKind::Filter(inner), outer) => {
            // The inner name is another one.
            let set = page.slice(inner.set.span);
            let condition = page.slice(inner.condition.as_ref()?.span);
            let text = if inner.name.text == *name {
                condition.to_owned()
            } else {
                format!("any({} in {{{name}}}: {condition})", inner.name.text)
            };
            let outer =
                outer.map_or_else(String::new, |(_, it)| format!(" and ({})", page.slice(it)));
            let end = binder.condition.as_ref().map_or(binder.set.span.end, |it| it.span.end);
            let whole = Span { start: binder.set.span.start, end };
            let moved =
                site.of != BinderOf::Clause || !page.draft.are_cards(page.ty(inner.set.span)?);
            moved.then(|| vec![replace(whole, format!("{set} where ({text}){outer}"))])
        }
        (_, Some((part, condition))) if is_plain_set(page, binder) => {
            let whole = Span { start: binder.set.span.start, end: part.end };
            let condition = page.slice(condition);
            Some(vec![replace(whole, format!("{{{name} in {set} where {condition}}}"))])
        }
        _ => None,
    }
}

/// `if a and b { … }` becomes two `if`s, `when a and b` two `when`s, and back.
pub fn split(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    if dice.once_in(2) {
        return split_when(page, dice);
    }
    let ifs = page.outline.stmts.iter().filter_map(|it| match &it.stmt.kind {
        StmtKind::If { condition, then, otherwise: None } => Some((condition, then)),
        _ => None,
    });
    let ifs: Vec<_> = ifs.collect();
    let (condition, then) = *dice.pick(&ifs)?;
    if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
        let (a, b) = (page.slice(a.span), page.slice(b.span));
        let end = then.span.end as usize;
        return Some(vec![replace(condition.span, format!("{a} {{ if {b}")), insert(end, " }")]);
    }
    let (inner, body) = lone_if(then)?;
    let text = format!(
        "({}) and ({}) {}",
        page.slice(condition.span),
        page.slice(inner.span),
        page.slice(body.span)
    );
    let whole = Span { start: condition.span.start, end: then.span.end };
    Some(vec![replace(whole, text)])
}

fn lone_if(block: &Block) -> Option<(&astragal::machinery::syntax::ast::Expr, &Block)> {
    let [only] = block.stmts.as_slice() else { return None };
    let StmtKind::If { condition, then, otherwise: None } = &only.kind else { return None };
    Some((condition, then))
}

fn split_when(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let conditions = page.outline.clauses.iter().filter_map(|it| match &it.clause.kind {
        ClauseKind::When(condition) => Some((condition, "when")),
        ClauseKind::For(binder) if !page.draft.are_cards(page.ty(binder.set.span)?) => {
            Some((binder.condition.as_deref()?, "when"))
        }
        _ => None,
    });
    let conditions: Vec<_> = conditions.collect();
    let (condition, word) = *dice.pick(&conditions)?;
    let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind else { return None };
    let (a, b) = (page.slice(a.span), page.slice(b.span));
    Some(vec![replace(condition.span, format!("{a} {word} {b}"))])
}
