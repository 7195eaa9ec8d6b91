//! State of the checker: the rules so far, the body being checked, the findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::budget::Budget;
use crate::check::names::Names;
use crate::check::paths::Path;
use crate::check::recorder::SymbolRecorder;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::{
    Effects, Expr, KindId, Local, LocalId, RuleId, Rules, Stmt, Type, unknown_expr,
};
use crate::source::Span;
use crate::suggest::Guesses;
use crate::syntax::ast;

/// Work for a statement or an expression, in steps of a plain loop.
const STEPS_OF_A_PART: usize = 16;

/// Memory for a statement or an expression, in bytes of the tree and of the rules.
const BYTES_OF_A_PART: usize = 400;

#[derive(Default)]
pub(crate) struct Checker<'a> {
    pub(crate) rules: Rules,
    pub(crate) names: Names,
    /// The declarations that `rules` is made from.
    pub(crate) tree: FileTree<'a>,
    pub(crate) body: Body,
    pub(crate) diagnostics: Diagnostics,
    /// Whether rules that tell secrets are accepted.
    pub(crate) accepts_leaks: bool,
    pub(crate) budget: Budget,
    /// The boards whose rays the file asks for.
    pub(crate) has_rays: BTreeSet<KindId>,
    pub(crate) guesses: Guesses,
    pub(crate) inclusions: usize,
    pub(crate) all_members: usize,
    /// What calls must be, once effects are known.
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) calls: Vec<Vec<RuleId>>,
    /// The options, constants and rules that are being checked, outermost first: what one of them
    /// reads is checked when it is needed.
    pub(crate) searching: Vec<&'a ast::Name>,
    /// The places of the names of those that are checked already.
    pub(crate) checked: BTreeSet<Span>,
    pub(crate) groups: Vec<CheckedGroup<'a>>,
    /// The groups whose options are being checked, outermost first.
    pub(crate) including: Vec<usize>,
    /// Unknown names that were reported: one missing declaration is one error.
    pub(crate) reported_names: BTreeSet<String>,
    /// Rules whose bodies have errors, so that their effects are unknown.
    pub(crate) broken_rules: BTreeSet<RuleId>,
    /// The symbol index for editors.
    pub(crate) recorder: SymbolRecorder,
    /// For each line of a strategy what came of the decisions that offer its move.
    pub(crate) tried_lines: BTreeMap<(usize, usize), TriedLine>,
    /// What the players are called; absent outside of snippets.
    pub(crate) seats: Option<Vec<String>>,
}

/// The declarations of a file by sort, in its order.
#[derive(Default)]
pub(crate) struct FileTree<'a> {
    /// Where the files begin.
    pub(crate) files: &'a [u32],
    pub(crate) games: Vec<Declared<'a, ast::GameDecl>>,
    /// Kinds, cards and boards have their ids.
    pub(crate) kinds: Vec<(KindId, &'a ast::KindDecl)>,
    pub(crate) cards: Vec<(KindId, &'a ast::CardsDecl)>,
    pub(crate) extensions: Vec<Declared<'a, ast::KindDecl>>,
    pub(crate) boards: Vec<(KindId, &'a ast::BoardDecl)>,
    pub(crate) options: Vec<Declared<'a, ast::OptionItem>>,
    pub(crate) constants: Vec<Declared<'a, ast::ConstantDecl>>,
    pub(crate) tables: Vec<Declared<'a, ast::TableDecl>>,
    pub(crate) vars: Vec<(ast::Owner, &'a ast::VarDecl)>,
    /// For each history the variables that it names.
    pub(crate) histories: Vec<&'a [ast::Name]>,
    pub(crate) rules: Vec<Declared<'a, ast::RuleDecl>>,
    pub(crate) measures: Vec<Declared<'a, ast::MeasureDecl>>,
    pub(crate) always: Vec<Declared<'a, ast::AlwaysDecl>>,
    pub(crate) strategies: Vec<&'a ast::StrategyDecl>,
    pub(crate) flows: Vec<Declared<'a, ast::FlowDecl>>,
}

pub(crate) struct Declared<'a, T> {
    /// The `##` lines above it.
    pub(crate) notes: &'a [ast::Note],
    pub(crate) item: &'a T,
    pub(crate) span: Span,
}

pub(crate) struct Requirement {
    pub(crate) rule: RuleId,
    pub(crate) need: Need,
    pub(crate) span: Span,
}

/// What a call may do.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// It has no effects: it is part of a larger expression.
    Inside,
    /// It has no effects: it is in a condition.
    Condition(&'static str),
    /// It neither pauses nor ends the game: it is only supposed.
    Supposed,
    /// It has effects: its value is not used.
    Effect,
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

impl<'a> Checker<'a> {
    pub(crate) fn new(rules: Rules) -> Checker<'a> {
        let calls = vec![Vec::new(); rules.rules.len()];
        Checker { names: Names::from_rules(&rules), calls, rules, ..Checker::default() }
    }

    /// Charges for one more part of the file; whether there is anything left for it.
    pub(crate) fn may_go_on(&self) -> bool {
        self.budget.charge(STEPS_OF_A_PART);
        self.budget.keep(BYTES_OF_A_PART);
        !self.budget.is_spent()
    }

    /// Where the budget is spent that is the only finding: parts that were skipped seem to be wrong.
    pub(crate) fn settle_account(&mut self) {
        if let Some(finding) = self.budget.finding() {
            self.diagnostics = Diagnostics::new();
            self.diagnostics.push(finding);
        }
    }

    pub(crate) fn report_error(&mut self, error: impl Into<Diagnostic>) {
        self.diagnostics.push(error);
    }

    /// Reports an error in place of a result.
    pub(crate) fn refuse_with<T>(&mut self, error: impl Into<Diagnostic>) -> Option<T> {
        self.report_error(error);
        None
    }

    /// Reports an error in place of an expression.
    pub(crate) fn broken(&mut self, error: Diagnostic) -> Expr {
        let span = error.place();
        self.report_error(error);
        unknown_expr(span)
    }

    /// Runs a check in a body of its own and gives that body back.
    pub(crate) fn in_body<T>(
        &mut self,
        body: Body,
        check: impl FnOnce(&mut Self) -> T,
    ) -> (T, Body) {
        let outer = std::mem::replace(&mut self.body, body);
        let result = check(self);
        (result, std::mem::replace(&mut self.body, outer))
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

/// A group whose parameters are known.
pub(crate) struct CheckedGroup<'a> {
    pub(crate) item: &'a ast::MovesDecl,
    pub(crate) params: Vec<Local>,
    pub(crate) named: bool,
}

/// What came of a line at the decisions so far.
#[derive(Default)]
pub(crate) struct TriedLine {
    /// How many arguments the first move of its name has.
    pub(crate) count: Option<usize>,
    /// What is wrong with it at the first decision where something is.
    pub(crate) found: Option<Diagnostics>,
}
