//! Histories: what they remember, and the statements and expressions that use them.

use crate::check::context::{Checker, Mode};
use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::check::recorder::{CompletionContext, HISTORY_FIELD, Symbol};
use crate::check::words::to_spaced;
use crate::diagnostic::Help;
use crate::rules::{
    Ambient, Expr, ExprKind, History, HistoryId, StmtKind, Type, VarForm, VarId, typed,
};
use crate::source::Span;
use crate::syntax::ast::{self, PastVerb, Visibility};
use crate::syntax::print_expression;

impl<'a> Checker<'a> {
    pub(crate) fn collect_history(
        &mut self,
        owner: ast::Owner,
        var: &'a ast::VarDecl,
        of: &'a [ast::Name],
    ) {
        let name = &var.name;
        if owner == ast::Owner::Player {
            let problem = "a history belongs to the table";
            let help = format!(
                "declare it under `the table has`: `history {} of …` may name what each player has",
                name.text
            );
            self.file.report_error(error::history(problem, help, name.span));
        }
        let id = HistoryId::at(self.file.rules.histories.len());
        self.file.take_global(name, Global::History(id), "a history");
        let title = self.file.title_or(var.title.as_ref(), to_spaced(&name.text));
        self.file.tree.histories.push(of);
        let (name, notes, span) = (name.text.clone(), var.notes.clone(), name.span);
        let (vars, undrawn) = (Vec::new(), var.undrawn);
        self.file.rules.histories.push(History { name, title, notes, vars, undrawn, span });
    }

    /// Looks at what each history names; after the variables.
    pub(crate) fn check_histories(&mut self) {
        for at in 0..self.file.tree.histories.len() {
            for name in self.file.tree.histories[at] {
                let Some(var) = self.remembered(name) else { continue };
                if self.file.rules.histories[at].vars.contains(&var) {
                    let problem = format!("this history names `{}` twice", name.text);
                    self.file.report_error(error::history(
                        problem,
                        "remove one of them",
                        name.span,
                    ));
                } else {
                    self.file.rules.histories[at].vars.push(var);
                }
            }
        }
    }

    /// The variable that a history names, if its values can be remembered.
    fn remembered(&mut self, name: &ast::Name) -> Option<VarId> {
        let span = name.span;
        let word = name.text.as_str();
        let var = match self.file.names.globals.get(word) {
            Some(Global::Var(var)) => *var,
            Some(_) => {
                let problem = format!("`{word}` is no variable");
                let help = "a history names variables of the table or of the players";
                return self.file.refuse_with(error::history(problem, help, span));
            }
            None => match self.file.names.of_players.get(word) {
                Some(var) => *var,
                None => return self.nothing_to_remember(name),
            },
        };
        self.file.recorder.note_use(span, Symbol::Global(Global::Var(var)));
        let found = self.file.rules.var_at(var);
        let problem = match (&found.form, found.sight) {
            (VarForm::Pile(_), _) => "is a pile: a history cannot remember cards",
            (_, Visibility::All) => return Some(var),
            _ => "is not seen by everybody, and a history is",
        };
        let problem = format!("`{word}` {problem}");
        let help = "name variables that everybody sees, with numbers, members or sets";
        self.file.refuse_with(error::history(problem, help, span))
    }

    fn nothing_to_remember(&mut self, name: &ast::Name) -> Option<VarId> {
        let vars = self.file.rules.vars.iter().map(|var| var.name.as_str());
        let near = self.file.guesses.nearest(&name.text, vars).map(Help::did_you_mean);
        let help = near.unwrap_or_else(|| {
            "a history names variables, which are declared under `the table has` or `each player \
             has`"
                .into()
        });
        self.file.refuse_with(error::unknown_name(&name.text, help, name.span))
    }

    /// `remember past`, `forget past`
    pub(crate) fn check_past(&mut self, verb: PastVerb, history: &ast::Expr) -> Option<StmtKind> {
        self.body.effects.changes = true;
        let Some(id) = self.history_named(history) else {
            let help = self.history_for(history);
            let found = format!("`{}`", print_expression(history));
            return self.file.refuse_with(error::not_a_history(found, help, history.span));
        };
        self.file.recorder.note_use(history.span, Symbol::Global(Global::History(id)));
        Some(StmtKind::Past(verb, id))
    }

    /// The history to name in place of what is none.
    fn history_for(&self, found: &ast::Expr) -> Help {
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
    pub(crate) fn history_named(&self, expr: &ast::Expr) -> Option<HistoryId> {
        let ast::ExprKind::Name(name) = &expr.kind else { return None };
        match self.meaning(&name.text)? {
            Meaning::Global(Global::History(id)) => Some(id),
            _ => None,
        }
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
