//! State of the checker: the rules so far, the body being checked, the findings.

use crate::check::file::FileContext;
use crate::check::typer::lookup::Lookup;
use crate::check::typer::scope::Scope;
use crate::rules::{Effects, Expr, Local, RuleId, Stmt, Type};
use crate::source::Span;

/// Checks one body: an expression that is constant, or a rule.
pub(crate) struct Checker<'c, 'a> {
    pub(crate) file: &'c mut FileContext<'a>,
    pub(crate) body: Body,
}

/// What may stand in a body: only what is known before play, or everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    Constant,
    Rule,
}

#[derive(Clone, Debug)]
pub(crate) enum Returning {
    Value(Type),
    /// Nothing; the name of the rule or flow.
    Nothing(String),
    /// An error: the body belongs to a group of moves of this name.
    Group(String),
    /// An error: the statements are only supposed.
    Supposed,
}

impl Default for Returning {
    fn default() -> Returning {
        Returning::Nothing(String::new())
    }
}

/// The rule or constant expression that is being checked.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says where in a rule the checker is")]
pub(crate) struct Body {
    pub(crate) scope: Scope,
    pub(crate) mode: Mode,
    /// Whether the next expression is a whole right side, and may pause.
    pub(crate) alone: bool,
    /// The condition that is being checked, as messages call it.
    pub(crate) condition: Option<&'static str>,
    /// Statements that come before the one that is being checked.
    pub(crate) before: Vec<Stmt>,
    /// Whether it is inside `suppose`.
    pub(crate) supposing: bool,
    /// Whether the options that are being checked are those of an order.
    pub(crate) in_order: bool,
    /// The number of loops around.
    pub(crate) loops: usize,
    /// The first `continue` of the innermost loop: how many names there were, and its place.
    pub(crate) continued: Option<(usize, Span)>,
    pub(crate) returning: Returning,
    /// Whether it belongs to a rule of the file, not to a flow.
    pub(crate) in_rule: bool,
    /// Its own effects, without those of the rules that it calls.
    pub(crate) effects: Effects,
    pub(crate) calls: Vec<RuleId>,
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

impl Body {
    /// A body with these parameters, all visible.
    pub(crate) fn new(params: Vec<Local>, mode: Mode) -> Body {
        Body { scope: Scope::new(params), mode, ..Body::default() }
    }
}

impl Checker<'_, '_> {
    /// What names and expressions mean here.
    pub(crate) fn look(&self) -> Lookup<'_> {
        Lookup { file: &*self.file, scope: &self.body.scope }
    }

    /// Runs a check as part of a condition, which must not do anything.
    pub(crate) fn in_condition<T>(
        &mut self,
        what: &'static str,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.body.condition.replace(what);
        let result = check(self);
        self.body.condition = outer;
        result
    }

    /// Runs a check in a scope of its own: its names and what it knows are forgotten after it.
    pub(crate) fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.body.scope.mark();
        let result = check(self);
        self.body.scope.leave(mark);
        result
    }

    /// Runs a check in a scope where a condition is known to hold, or not to.
    pub(crate) fn assuming<T>(
        &mut self,
        (condition, holds): (&Expr, bool),
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scoped(|checker| {
            checker.assume(condition, holds);
            check(checker)
        })
    }
}

/// Runs a check in a body of its own and gives that body back.
pub(crate) fn in_body<'a, T>(
    file: &mut FileContext<'a>,
    body: Body,
    check: impl FnOnce(&mut Checker<'_, 'a>) -> T,
) -> (T, Body) {
    let mut checker = Checker { file, body };
    let result = check(&mut checker);
    (result, checker.body)
}
