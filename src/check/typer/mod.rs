//! `Typer`: types the expressions of one body, in its scope.

pub(crate) mod access;
mod bag_literals;
pub(crate) mod bags;
pub(crate) mod board_lines;
pub(crate) mod boards;
pub(crate) mod calls;
pub(crate) mod cards;
pub(crate) mod draws;
pub(crate) mod expressions;
pub(crate) mod fit;
pub(crate) mod folds;
pub(crate) mod hints;
pub(crate) mod histories;
pub(crate) mod joints;
pub(crate) mod lists;
pub(crate) mod lookup;
pub(crate) mod matches;
pub(crate) mod narrow;
pub(crate) mod numbering;
pub(crate) mod operators;
pub(crate) mod scope;
pub(crate) mod sets;
pub(crate) mod strategies;
pub(crate) mod tables;
pub(crate) mod types;
pub(crate) mod unresolved;

use std::rc::Rc;

use crate::check::file::FileContext;
use crate::check::typer::lookup::Lookup;
use crate::check::typer::scope::{Path, Scope};
use crate::rules::{Effects, Expr, KindId, Local, LocalId, RuleId, Type};
use crate::source::Span;
use crate::syntax::ast::Name;

/// Types the expressions of one body: of a rule, or constant ones.
pub(crate) struct Typer<'c, 'a> {
    pub(crate) file: &'c mut FileContext<'a>,
    pub(crate) scope: Scope,
    pub(crate) mode: Mode,
    /// Whether the next expression is a whole right side, and may pause.
    pub(crate) alone: bool,
    /// The condition that is being checked, as messages call it.
    pub(crate) condition: Option<&'static str>,
    pub(crate) supposing: bool,
    /// Its own effects, without those of the rules that it calls.
    pub(crate) effects: Effects,
    calls: Vec<RuleId>,
}

/// What may stand in a body: only what is known before play, or everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Constant,
    Rule,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) struct ExprSpot<'t> {
    pub(crate) span: Span,
    /// The type that is expected; it helps names and literals to find theirs.
    pub(crate) hint: Option<&'t Type>,
    /// Whether it is a whole right side, and may pause.
    pub(crate) alone: bool,
}

impl<'c, 'a> Typer<'c, 'a> {
    /// A typer of a body with these parameters, all visible.
    pub(crate) fn new(
        file: &'c mut FileContext<'a>,
        params: Vec<Local>,
        mode: Mode,
    ) -> Typer<'c, 'a> {
        let (effects, calls) = (Effects::default(), Vec::new());
        let scope = Scope::new(params);
        Typer { file, scope, mode, alone: false, condition: None, supposing: false, effects, calls }
    }

    /// The locals, effects and calls of a typed body.
    pub(crate) fn finish(self) -> (Vec<Local>, Effects, Vec<RuleId>) {
        (self.scope.locals, self.effects, self.calls)
    }

    pub(crate) fn declare(&mut self, name: &Name, ty: Type) -> LocalId {
        self.declare_local(Local::fixed(&name.text, ty, name.span))
    }

    /// A new local that its name stands for from here on; one that means something already is reported.
    pub(crate) fn declare_local(&mut self, local: Local) -> LocalId {
        if let Some(error) = self.look().shadowing(&local) {
            self.file.report_error(error);
        }
        self.file.recorder.note_local(local.span, &local);
        let name = local.name.clone();
        let id = self.scope.add_local(local);
        self.scope.visible.push(id, &name);
        id
    }

    /// Read-only queries about names and expressions here.
    pub(crate) fn look(&self) -> Lookup<'_> {
        Lookup { file: &*self.file, scope: &self.scope }
    }

    /// Runs a check as part of a condition, which must not do anything.
    pub(crate) fn in_condition<T>(
        &mut self,
        what: &'static str,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.condition.replace(what);
        let result = check(self);
        self.condition = outer;
        result
    }

    /// Runs a check in a scope of its own: its names and what it knows are forgotten after it.
    pub(crate) fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.mark();
        let result = check(self);
        self.scope.leave(mark);
        result
    }

    /// Runs a check in a scope where a condition is known to hold, or not to.
    pub(crate) fn assuming<T>(
        &mut self,
        (condition, holds): (&Expr, bool),
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scoped(|typer| {
            typer.assume(condition, holds);
            check(typer)
        })
    }

    pub(crate) fn add_facts(&mut self, facts: impl IntoIterator<Item = Path>) {
        for fact in facts {
            if !self.scope.known.contains(&fact) {
                if Rc::strong_count(&self.scope.known) > 1 {
                    self.file.budget.charge(self.scope.known.len());
                }
                Rc::make_mut(&mut self.scope.known).insert(fact);
            }
        }
    }

    pub(crate) fn assume(&mut self, condition: &Expr, holds: bool) {
        self.add_facts(self.look().facts(condition, holds));
    }

    /// Learns that the expression is one of these members, so that it is of each part that has
    /// them all.
    pub(crate) fn assume_among(&mut self, expr: &Expr, kind: KindId, members: &[i64]) {
        let Some(path) = self.scope.path_of(expr) else { return };
        let facts: Vec<Path> = (0..self.file.rules.kinds.len())
            .map(KindId::at)
            .filter(|part| {
                self.file.rules.whole_kind(*part) == self.file.rules.whole_kind(kind)
                    && self.file.has_all(*part, members)
            })
            .map(|part| Path::Within(Box::new(path.clone()), part))
            .collect();
        self.add_facts(facts);
    }
}
