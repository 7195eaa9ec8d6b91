//! Strategies: each of their lines is checked at every decision that offers its move.

use crate::check::typer::Typer;
use crate::rules::{Expr, ExprKind, StrategyLine, Tactic, Type, player};
use crate::source::Span;
use crate::syntax::ast;

/// Whether a line takes every move that a later one could take: it fits wherever that one does.
pub(crate) fn covers(earlier: &StrategyLine, later: &StrategyLine) -> bool {
    let takes = |tactic: &Tactic| tactic.condition.is_none();
    later.tactics.keys().all(|option| earlier.tactics.get(option).is_some_and(takes))
}

/// Checks the lines that name an option, with the names that can be seen where it is offered.
pub(crate) fn tactic(typer: &mut Typer, name: &str, option: Span, args: &[Type], chooser: &Expr) {
    for (at, strategy) in typer.file.tree.strategies.clone().into_iter().enumerate() {
        let lines = strategy.lines.iter().enumerate();
        for (number, line) in lines.filter(|(_, line)| line.name.text == name) {
            let tried = typer.file.tried_lines.entry((at, number)).or_default();
            tried.count.get_or_insert(args.len());
            if line.arguments.as_ref().is_some_and(|names| names.len() != args.len()) {
                continue;
            }
            // What a line reads may be known at one decision and not at another.
            let outer = std::mem::take(&mut typer.file.diagnostics);
            let tactic = typer.scoped(|typer| check_line(typer, line, args, chooser));
            let found = std::mem::replace(&mut typer.file.diagnostics, outer);
            if !found.has_errors() {
                typer.file.rules.strategies[at].lines[number].tactics.insert(option, tactic);
            } else if let Some(tried) = typer.file.tried_lines.get_mut(&(at, number)) {
                tried.found.get_or_insert(found);
            }
        }
    }
}

fn check_line(
    typer: &mut Typer,
    line: &ast::StrategyLineDecl,
    args: &[Type],
    chooser: &Expr,
) -> Tactic {
    // What the rules know of their own `me` stays known where they ask that player.
    let me = match chooser.kind {
        ExprKind::Local(local) if typer.scope.visible.find_local("me") == Some(local) => local,
        _ => typer.scope.add_name("me", player(), line.name.span),
    };
    let names = line.arguments.iter().flatten().zip(args);
    let args = names.map(|(name, ty)| {
        name.as_ref().map(|name| typer.scope.add_name(&name.text, ty.clone(), name.span))
    });
    let arguments = args.collect();
    let place = "a line of a strategy";
    let condition = line.condition.as_ref().map(|it| typer.condition(it, place));
    if let Some(condition) = &condition {
        typer.assume(condition, true);
    }
    let keys = line.keys.iter().map(|(direction, key)| {
        let key = typer.in_condition(place, |typer| typer.infer_as(key, &Type::Number));
        (*direction, key)
    });
    let keys = keys.collect();
    Tactic { me, arguments, condition, keys }
}
