//! Histories: what they remember, and the statements and expressions that use them.

use crate::check::context::{Checker, Mode};
use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::check::recorder::{CompletionContext, HISTORY_FIELD, Symbol};
use crate::check::typer::lookup::Lookup;
use crate::diagnostic::Help;
use crate::rules::{Ambient, Expr, ExprKind, HistoryId, StmtKind, Type, typed};
use crate::source::Span;
use crate::syntax::ast::{self, PastVerb};
use crate::syntax::print_expression;

impl<'a> Checker<'_, 'a> {
    /// `remember past`, `forget past`
    pub(crate) fn check_past(&mut self, verb: PastVerb, history: &ast::Expr) -> Option<StmtKind> {
        self.body.effects.changes = true;
        let Some(id) = self.look().history_named(history) else {
            let help = self.look().history_for(history);
            let found = format!("`{}`", print_expression(history));
            return self.file.refuse_with(error::not_a_history(found, help, history.span));
        };
        self.file.recorder.note_use(history.span, Symbol::Global(Global::History(id)));
        Some(StmtKind::Past(verb, id))
    }

    /// `past.times`
    pub(crate) fn of_history(&mut self, id: HistoryId, base: Span, name: &ast::Name) -> Expr {
        let span = base.to(name.span);
        self.file.recorder.note_use(base, Symbol::Global(Global::History(id)));
        self.file.recorder.see(&name.text, CompletionContext::OfHistory);
        if name.text != HISTORY_FIELD {
            let help = format!(
                "`{}.{HISTORY_FIELD}` is how often the present values were remembered",
                self.file.rules.histories[id.index()].name
            );
            return self.file.broken(error::unknown_field(
                "a history",
                &name.text,
                help,
                name.span,
            ));
        }
        if self.body.mode == Mode::Constant {
            return self.not_constant("what a history remembers", span);
        }
        typed(ExprKind::Ambient(Ambient::Past(id)), Type::Number, span)
    }
}

impl<'s> Lookup<'s> {
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
