//! Extensions of declarations in other files: more options of a group, more cases of a rule.

use super::error::VariantError;
use super::names::head;
use crate::diagnostic::{Diagnostics, Help};
use crate::suggest::nearest;
use crate::syntax::ast::{
    Arm, Arms, Block, Expr, ExprKind, Item, ItemKind, MoreBranches, Moves, Name, Rule, RuleBody,
    Stmt, StmtKind,
};
use crate::syntax::print_param;

/// Adds more options or cases to the declaration that they extend.
pub(super) fn put(items: &mut [Item], item: Item, diagnostics: &mut Diagnostics) {
    let (word, name) = match &item.kind {
        ItemKind::MoreMoves(more) => ("moves", &more.name),
        ItemKind::MoreBranches(more) => ("rule", &more.name),
        _ => return,
    };
    let extended = items.iter().position(
        |it| matches!(head(&it.kind), (known, Some(it)) if known == word && it.text == name.text),
    );
    let Some(at) = extended else {
        return diagnostics.push_fixable(unknown(word, name, items));
    };
    let done = match (&mut items[at].kind, item.kind) {
        (ItemKind::Moves(group), ItemKind::MoreMoves(more)) => more_moves(group, more),
        (ItemKind::Rule(rule), ItemKind::MoreBranches(more)) => more_branches(rule, more),
        _ => unreachable!("declarations were looked for by their first word"),
    };
    if let Err(error) = done {
        diagnostics.push_fixable(error);
    }
}

fn more_moves(group: &mut Moves, more: Moves) -> Result<(), VariantError> {
    let written =
        |moves: &Moves| moves.params.iter().map(print_param).collect::<Vec<_>>().join(", ");
    if written(group) != written(&more) {
        let (parameters, earlier) = (written(group), group.name.span);
        let Name { text: name, span } = more.name;
        return Err(VariantError::Parameters { name, parameters, span, earlier });
    }
    group.options.extend(more.options);
    Ok(())
}

fn more_branches(rule: &mut Rule, more: MoreBranches) -> Result<(), VariantError> {
    let (Name { text: name, span }, earlier) = (more.name, rule.name.span);
    match (cases(rule), more.arms) {
        (Some(Cases::Values(arms)), Arms::Values(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Statements(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Values(more)) => {
            before_else(arms, more.into_iter().map(as_statement).collect());
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
    let value = match &mut rule.body {
        RuleBody::Value(value) => value,
        RuleBody::Block(block) => match block.stmts.as_mut_slice() {
            [Stmt { kind: StmtKind::Match { arms, .. }, .. }] => {
                return Some(Cases::Statements(arms));
            }
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] => value,
            _ => return None,
        },
    };
    match &mut value.kind {
        ExprKind::Match(_, arms) => Some(Cases::Values(arms)),
        _ => None,
    }
}

/// `else` stays the last.
fn before_else<T>(arms: &mut Vec<Arm<T>>, more: Vec<Arm<T>>) {
    let last = arms.last().is_some_and(|arm| arm.patterns.is_empty());
    let at = arms.len() - usize::from(last);
    arms.splice(at..at, more);
}

/// A case that reads like a value, `freeze: chill(p)`, as one that does something.
fn as_statement(arm: Arm<Expr>) -> Arm<Block> {
    let span = arm.body.span;
    let stmts = vec![Stmt { kind: StmtKind::Call(arm.body), span }];
    Arm { patterns: arm.patterns, body: Block { stmts, span }, span: arm.span }
}

fn unknown(word: &str, name: &Name, items: &[Item]) -> VariantError {
    let known = items.iter().map(|it| head(&it.kind)).filter(|(known, _)| *known == word);
    let near = nearest(&name.text, known.filter_map(|(_, it)| it).map(|it| it.text.as_str()));
    let help = near.map_or_else(
        || format!("leave out `extend` and write `{word} {} …` if it is new", name.text).into(),
        Help::did_you_mean,
    );
    let what = format!("`{word} {}`", name.text);
    VariantError::NothingToExtend { what, help, span: name.span }
}
