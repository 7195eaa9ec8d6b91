//! Locals of a body: declares them, refuses names that mean something already, notes how they are used.

use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::check::recorder::{Symbol, SymbolUse};
use crate::check::typer::Typer;
use crate::rules::{Expr, ExprKind, Local, LocalId, RuleId, Type, player, typed};
use crate::source::Span;
use crate::syntax::ast::Name;

impl Typer<'_, '_> {
    pub(crate) fn declare(&mut self, name: &Name, ty: Type) -> LocalId {
        self.declare_local(Local::fixed(&name.text, ty, name.span))
    }

    pub(crate) fn declare_local(&mut self, local: Local) -> LocalId {
        self.refuse_shadowing(&local);
        let (name, span) = (local.name.clone(), local.span);
        let id = self.scope.add_local(local);
        self.scope.visible.push(id, &name);
        self.note_local(span, id);
        id
    }

    /// A new player, and the team of that player.
    pub(crate) fn team_of_player(&mut self, teams: RuleId, span: Span) -> (LocalId, Expr) {
        let local = self.scope.add_local(Local::fixed("p", player(), span));
        let returns = self.file.rules.rule(teams).returns.clone();
        let of = typed(ExprKind::Local(local), player(), span);
        self.calls.push(teams);
        (local, typed(ExprKind::Call(teams, vec![of]), returns, span))
    }

    fn refuse_shadowing(&mut self, new: &Local) {
        let Some(meaning) = self.look().meaning(&new.name) else { return };
        let (what, earlier, changes) = match meaning {
            Meaning::Local(local) if local.index() < self.scope.hideable => return,
            Meaning::Local(local) => {
                let local = self.scope.local_at(local);
                ("a name that can be seen here", Some(local.span), local.mutable)
            }
            // The author of a base does not know the names of its variants.
            Meaning::Global(global)
                if self.file.file_at(self.file.declaration(global))
                    < self.file.file_at(new.span) =>
            {
                return;
            }
            Meaning::Global(global) => {
                let what = match global {
                    Global::Var(_) => "a variable of the table",
                    Global::Option(_) => "an option",
                    Global::Constant(_) => "a constant",
                    Global::Table(_) => "a table",
                    Global::History(_) => "a history",
                };
                (what, Some(self.file.declaration(global)), matches!(global, Global::Var(_)))
            }
            Meaning::Players => ("the number of players", None, false),
            Meaning::Turn => ("the number of the turn", None, false),
            Meaning::Directions(_) => ("a set of directions", None, false),
            Meaning::Kind(_) => return,
        };
        let help = if changes {
            format!("take another name; to change the earlier one write `{} = …` alone", new.name)
        } else {
            "take another name, so that each name means one thing".to_owned()
        };
        self.file.report_error(error::shadowed(&new.name, what, help, new.span, earlier));
    }

    pub(crate) fn note_local(&mut self, span: Span, local: LocalId) {
        let local = &self.scope.locals[local.index()];
        self.file.recorder.uses.push(SymbolUse { span, means: Symbol::Local(local.span) });
        self.file.recorder.locals.insert(local.span, local.clone());
    }

    pub(crate) fn note_meaning(&mut self, span: Span, meaning: Meaning) {
        match meaning {
            Meaning::Local(local) => self.note_local(span, local),
            Meaning::Global(global) => self.file.recorder.note_use(span, Symbol::Global(global)),
            Meaning::Kind(kind) => self.file.recorder.note_use(span, Symbol::Kind(kind)),
            Meaning::Players | Meaning::Turn | Meaning::Directions(_) => {}
        }
    }
}
