//! Types reads of histories.

use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::check::recorder::{CompletionContext, HISTORY_FIELD, Symbol};
use crate::check::typer::lookup::Lookup;
use crate::check::typer::{Mode, Typer};
use crate::diagnostic::Help;
use crate::rules::{Ambient, Expr, ExprKind, HistoryId, StmtKind, Type, typed};
use crate::source::Span;
use crate::syntax::ast::{self, PastVerb};
use crate::syntax::print_expression;

impl Lookup<'_> {
    /// The history to name in place of what is none.
    fn history_for(self, found: &ast::Expr) -> Help {
        let names = self.file.rules.histories.iter().map(|history| history.name.as_str());
        let found = print_expression(found);
        if let Some(near) = self.file.guesses.nearest(&found, names.clone()) {
            return Help::did_you_mean(near);
        }
        if let Some(first) = names.clone().next() {
            return Help::form("name a history:", first);
        }
        let of = if self.file.names.globals.contains_key(&found) { found.as_str() } else { "at" };
        format!("declare one: `the table has {{ history past of {of} }}`").into()
    }

    /// The history that an expression names, if it is one.
    pub(crate) fn history_named(self, expr: &ast::Expr) -> Option<HistoryId> {
        let ast::ExprKind::Name(name) = &expr.kind else { return None };
        match self.meaning(&name.text)? {
            Meaning::Global(Global::History(id)) => Some(id),
            _ => None,
        }
    }
}

/// `remember past`, `forget past`
pub(crate) fn check_past(
    typer: &mut Typer,
    verb: PastVerb,
    history: &ast::Expr,
) -> Option<StmtKind> {
    typer.effects.changes = true;
    let Some(id) = typer.look().history_named(history) else {
        let help = typer.look().history_for(history);
        let found = format!("`{}`", print_expression(history));
        return typer.file.refuse_with(error::not_a_history(found, help, history.span));
    };
    typer.file.recorder.note_use(history.span, Symbol::Global(Global::History(id)));
    Some(StmtKind::Past(verb, id))
}

/// `past.times`
pub(crate) fn of_history(typer: &mut Typer, id: HistoryId, base: Span, name: &ast::Name) -> Expr {
    let span = base.to(name.span);
    typer.file.recorder.note_use(base, Symbol::Global(Global::History(id)));
    typer.file.recorder.see(&name.text, CompletionContext::OfHistory);
    if name.text != HISTORY_FIELD {
        let help = format!(
            "`{}.{HISTORY_FIELD}` is how often the present values were remembered",
            typer.file.rules.histories[id.index()].name
        );
        return typer.file.report_as_expr(error::unknown_field(
            "a history",
            &name.text,
            help,
            name.span,
        ));
    }
    if typer.mode == Mode::Constant {
        return typer.file.report_as_expr(error::not_constant("what a history remembers", span));
    }
    typed(ExprKind::Ambient(Ambient::Past(id)), Type::Number, span)
}
