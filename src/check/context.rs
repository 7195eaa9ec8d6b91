//! State of the checker: the rules so far, the body being checked, the findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::check::file::FileContext;
use crate::check::paths::Path;
use crate::rules::{Effects, Expr, Local, LocalId, RuleId, Stmt, Type};
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
    pub(crate) locals: Vec<Local>,
    pub(crate) visible: Visible,
    /// How many of the visible ones were there before a snippet, which may hide them.
    pub(crate) hideable: usize,
    /// What is known not to be `none`.
    pub(crate) known: Rc<BTreeSet<Path>>,
    /// What was reported to be perhaps `none`, as it is written.
    pub(crate) blamed: BTreeSet<String>,
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
    /// The names that later clauses of the move bind.
    pub(crate) later: BTreeSet<String>,
    /// The number of loops around.
    pub(crate) loops: usize,
    /// The first `continue` of the innermost loop: how many names there were, and its place.
    pub(crate) continued: Option<(usize, Span)>,
    pub(crate) returning: Returning,
    /// The place that is being changed, and the text that follows its owner: `.points += 1`.
    pub(crate) changed: Option<(Span, String)>,
    /// Whether it belongs to a rule of the file, not to a flow.
    pub(crate) in_rule: bool,
    /// The rule that `base` calls: the one that this one replaces.
    pub(crate) base: Option<RuleId>,
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
        let mut visible = Visible::default();
        for (at, param) in params.iter().enumerate() {
            visible.push(LocalId::at(at), &param.name);
        }
        Body { visible, locals: params, mode, ..Body::default() }
    }
}

/// The locals that can be seen, innermost last: all of them, and those of each name.
#[derive(Default)]
pub(crate) struct Visible {
    order: Vec<LocalId>,
    named: BTreeMap<String, Vec<LocalId>>,
}

impl Visible {
    pub(crate) fn push(&mut self, local: LocalId, name: &str) {
        self.order.push(local);
        self.named.entry(name.to_owned()).or_default().push(local);
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = LocalId> {
        self.order.iter().copied()
    }

    /// Whether a local can be seen; later ones have higher numbers.
    pub(crate) fn contains(&self, local: LocalId) -> bool {
        self.order.binary_search(&local).is_ok()
    }

    pub(crate) fn find_local(&self, name: &str) -> Option<LocalId> {
        self.named.get(name)?.last().copied()
    }

    fn truncate(&mut self, count: usize, locals: &[Local]) {
        for local in self.order.drain(count..) {
            if let Some(same) = self.named.get_mut(&locals[local.index()].name) {
                same.pop();
            }
        }
    }
}

impl Checker<'_, '_> {
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
        let (visible, known) = (self.body.visible.order.len(), Rc::clone(&self.body.known));
        let result = check(self);
        self.body.visible.truncate(visible, &self.body.locals);
        self.body.known = known;
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

    pub(crate) fn local_at(&self, local: LocalId) -> &Local {
        &self.body.locals[local.index()]
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
