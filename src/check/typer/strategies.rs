//! Strategies: each of their lines is checked at every decision that offers its move.

use crate::check::error;
use crate::check::typer::Typer;
use crate::check::typer::scope::Scope;
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Severity};
use crate::rules::{Expr, ExprKind, Local, StrategyLine, Tactic, Type, player};
use crate::source::Span;
use crate::syntax::ast;

/// Whether a line takes every move that a later one could take: it fits wherever that one does.
pub(crate) fn covers(earlier: &StrategyLine, later: &StrategyLine) -> bool {
    let takes = |tactic: &Tactic| tactic.condition.is_none();
    later.tactics.keys().all(|option| earlier.tactics.get(option).is_some_and(takes))
}

/// The move that a line of a strategy is about, for what is said of names that the line does not know.
pub(crate) struct LineScope {
    name: String,
    option: Span,
    /// Its arguments, and what the line calls them.
    params: Vec<String>,
    called: Vec<Option<String>>,
}

/// What to write for a name that a line of a strategy does not know, though its move declares it.
pub(crate) fn slip_of_line(scope: &Scope, name: &str) -> Option<Help> {
    let LineScope { name: of, option, params, called } = scope.line.as_ref()?;
    if let Some(at) = params.iter().position(|param| param == name) {
        if let Some(Some(other)) = called.get(at) {
            return Some(Help::from(format!("this line calls it `{other}`")).with(other));
        }
        let word = |place: usize| called.get(place).and_then(Option::as_deref).unwrap_or("_");
        let words = (0..params.len()).map(|place| if place == at { name } else { word(place) });
        let form = format!("{of}({})", words.collect::<Vec<_>>().join(", "));
        return Some(format!("name the argument in the parentheses of the line: `{form}`").into());
    }
    let is_inside = |it: &Local| option.start <= it.span.start && it.span.end <= option.end;
    scope.locals.iter().any(|it| it.name == name && is_inside(it)).then(|| {
        format!(
            "`{of}` declares it, but a line reads only the arguments of its move: compute it again, or call a rule \
             in both places"
        )
        .into()
    })
}

/// The error of a line that names an argument of its move at the place of another.
fn find_misorder(line: &ast::StrategyLineDecl, params: &[String]) -> Option<Diagnostic> {
    let mut names = line.arguments.iter().flatten().zip(params);
    let wrong = names.find_map(|(name, own)| {
        name.as_ref().filter(|name| name.text != *own && params.contains(&name.text))
    })?;
    let form = format!("{}({})", line.name.text, params.join(", "));
    Some(error::strategy_order(&wrong.text, &form, wrong.span))
}

/// Checks the lines that name an option, with the names that can be seen where it is offered; its arguments have
/// names, unless the member of a set is picked.
pub(crate) fn tactic(
    typer: &mut Typer,
    (name, option): (&str, Span),
    arguments: &[(String, Type)],
    chooser: &Expr,
) {
    let params: Vec<String> = arguments.iter().map(|(name, _)| name.clone()).collect();
    for (at, strategy) in typer.file.tree.strategies.clone().into_iter().enumerate() {
        let lines = strategy.lines.iter().enumerate();
        for (number, line) in lines.filter(|(_, line)| line.name.text == name) {
            let tried = typer.file.tried_lines.entry((at, number)).or_default();
            tried.count.get_or_insert(params.len());
            if line.arguments.as_ref().is_some_and(|names| names.len() != params.len()) {
                continue;
            }
            let called = line.arguments.iter().flatten();
            let called = called.map(|it| it.as_ref().map(|it| it.text.clone())).collect();
            let misorder = find_misorder(line, &params);
            // What a line reads may be known at one decision and not at another.
            let outer = std::mem::take(&mut typer.file.diagnostics);
            let (name, params) = (name.to_owned(), params.clone());
            typer.scope.line = Some(LineScope { name, option, params, called });
            let tactic = typer.scoped(|typer| check_line(typer, line, arguments, chooser));
            typer.scope.line = None;
            let found = std::mem::replace(&mut typer.file.diagnostics, outer);
            let is_sound = !found.has_errors();
            // Where the types fit all the same, the order may be meant.
            let severity = if is_sound { Severity::Warning } else { Severity::Error };
            let misorder = misorder.map(|it| Diagnostics::of(it.with_severity(severity)));
            if is_sound {
                typer.file.diagnostics.extend(misorder.into_iter().flatten());
                typer.file.rules.strategies[at].lines[number].tactics.insert(option, tactic);
            } else if let Some(tried) = typer.file.tried_lines.get_mut(&(at, number)) {
                tried.found.get_or_insert(misorder.unwrap_or(found));
            }
        }
    }
}

fn check_line(
    typer: &mut Typer,
    line: &ast::StrategyLineDecl,
    arguments: &[(String, Type)],
    chooser: &Expr,
) -> Tactic {
    // What the rules know of their own `me` stays known where they ask that player.
    let me = match chooser.kind {
        ExprKind::Local(local) if typer.scope.visible.find_local("me") == Some(local) => local,
        _ => typer.scope.add_name("me", player(), line.name.span),
    };
    let names = line.arguments.iter().flatten().zip(arguments);
    let arguments = names.map(|(name, (_, ty))| {
        name.as_ref().map(|name| typer.scope.add_name(&name.text, ty.clone(), name.span))
    });
    let arguments = arguments.collect();
    let place = "a line of a strategy";
    let condition = line.condition.as_ref().map(|it| typer.condition(it, place));
    if let Some(condition) = &condition {
        typer.assume(condition, true);
    }
    let keys = line.keys.iter().map(|(direction, key)| {
        let key = typer.in_condition(place, |typer| typer.infer(key, Some(&Type::Number)));
        let key = typer.as_count(key);
        (*direction, key)
    });
    let keys = keys.collect();
    Tactic { me, arguments, condition, keys }
}
