//! What goes on with a declaration that stands elsewhere: more options of a group, more cases of a
//! rule.

use super::error::VariantError;
use crate::diagnostic::{Diagnostics, Help};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast::{
    Arm, Arms, Block, Expr, ExprKind, Item, ItemKind, MoreBranches, Moves, Name, Rule, RuleBody,
    Stmt, StmtKind,
};
use crate::syntax::print_param;

/// What a declaration goes on with: name and place.
pub(super) fn named(kind: &ItemKind) -> Option<(String, Span)> {
    let name = match kind {
        ItemKind::MoreMoves(moves) => &moves.name,
        ItemKind::MoreBranches(more) => &more.name,
        _ => return None,
    };
    Some((name.text.clone(), name.span))
}

/// Puts more options or cases to the declaration that they go on with.
pub(super) fn put(items: &mut [Item], item: Item, diagnostics: &mut Diagnostics) {
    let done = match item.kind {
        ItemKind::MoreMoves(more) => more_moves(items, more),
        ItemKind::MoreBranches(more) => more_branches(items, more),
        _ => Ok(()),
    };
    if let Err(error) = done {
        diagnostics.push_fixable(error);
    }
}

fn more_moves(items: &mut [Item], more: Moves) -> Result<(), VariantError> {
    let groups = |item: &Item| match &item.kind {
        ItemKind::Moves(moves) => Some(moves.name.text.clone()),
        _ => None,
    };
    let unknown = unknown("moves", &more.name, items.iter().filter_map(groups));
    let group = items.iter_mut().find_map(|item| match &mut item.kind {
        ItemKind::Moves(moves) if moves.name.text == more.name.text => Some(moves),
        _ => None,
    });
    let group = group.ok_or(unknown)?;
    let written =
        |moves: &Moves| moves.params.iter().map(print_param).collect::<Vec<_>>().join(", ");
    if written(group) != written(&more) {
        return Err(VariantError::Parameters {
            name: more.name.text.clone(),
            parameters: written(group),
            span: more.name.span,
            earlier: group.name.span,
        });
    }
    group.options.extend(more.options);
    Ok(())
}

fn more_branches(items: &mut [Item], more: MoreBranches) -> Result<(), VariantError> {
    let rules = |item: &Item| match &item.kind {
        ItemKind::Rule(rule) => Some(rule.name.text.clone()),
        _ => None,
    };
    let unknown = unknown("rule", &more.name, items.iter().filter_map(rules));
    let rule = items.iter_mut().find_map(|item| match &mut item.kind {
        ItemKind::Rule(rule) if rule.name.text == more.name.text => Some(rule),
        _ => None,
    });
    let rule = rule.ok_or(unknown)?;
    let (span, earlier) = (more.name.span, rule.name.span);
    let name = more.name.text;
    match (cases(rule), more.arms) {
        (Some(Cases::Values(arms)), Arms::Values(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Statements(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Values(more)) => {
            before_else(arms, more.into_iter().map(deed).collect());
        }
        (Some(Cases::Values(_)), Arms::Statements(_)) => {
            return Err(VariantError::ValuesWanted { name, span, earlier });
        }
        (None, _) => return Err(VariantError::NoMatch { name, span, earlier }),
    }
    Ok(())
}

enum Cases<'a> {
    Statements(&'a mut Vec<Arm<Block>>),
    Values(&'a mut Vec<Arm<Expr>>),
}

/// The cases of a rule that is one `match`.
fn cases(rule: &mut Rule) -> Option<Cases<'_>> {
    match &mut rule.body {
        RuleBody::Value(Expr { kind: ExprKind::Match(_, arms), .. }) => Some(Cases::Values(arms)),
        RuleBody::Block(block) => match block.stmts.as_mut_slice() {
            [Stmt { kind: StmtKind::Match { arms, .. }, .. }] => Some(Cases::Statements(arms)),
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] => match &mut value.kind {
                ExprKind::Match(_, arms) => Some(Cases::Values(arms)),
                _ => None,
            },
            _ => None,
        },
        RuleBody::Value(_) => None,
    }
}

/// `else` stays the last.
fn before_else<T>(arms: &mut Vec<Arm<T>>, more: Vec<Arm<T>>) {
    let last = arms.last().is_some_and(|arm| arm.patterns.is_empty());
    let at = arms.len() - usize::from(last);
    arms.splice(at..at, more);
}

/// A case that reads like a value, `freeze: chill(p)`, as one that does something.
fn deed(arm: Arm<Expr>) -> Arm<Block> {
    let span = arm.body.span;
    let stmts = vec![Stmt { kind: StmtKind::Call(arm.body), span }];
    Arm { patterns: arm.patterns, body: Block { stmts, span }, span: arm.span }
}

fn unknown(word: &str, name: &Name, known: impl Iterator<Item = String>) -> VariantError {
    let known: Vec<String> = known.collect();
    let near = nearest(&name.text, known.iter().map(String::as_str));
    let help = near.map_or_else(
        || format!("leave out `extend` and write `{word} {} …` if it is new", name.text).into(),
        Help::did_you_mean,
    );
    let what = format!("`{word} {}`", name.text);
    VariantError::NothingToExtend { what, help, span: name.span }
}
