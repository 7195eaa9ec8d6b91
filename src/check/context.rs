//! State of the checker: the rules so far, the body being checked, the findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::budget::Budget;
use crate::check::groups::CheckedGroup;
use crate::check::narrow::Path;
use crate::check::scope::Names;
use crate::check::strategies::TriedLine;
use crate::check::symbols::SymbolRecorder;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::rules::{
    Effects, Expr, Kind, KindId, Local, LocalId, Rule, RuleId, Rules, Stmt, Type, Var, VarId,
    unknown_expr,
};
use crate::source::Span;
use crate::suggest::Guesses;
use crate::syntax::ast;

/// Work for a statement or an expression, in steps of a plain loop.
const STEPS_OF_A_PART: usize = 16;

/// Memory for a statement or an expression, in bytes of the tree and of the rules.
const BYTES_OF_A_PART: usize = 400;

#[derive(Default)]
pub(super) struct Checker<'a> {
    pub(super) rules: Rules,
    pub(super) names: Names,
    /// The declarations that `rules` is made from.
    pub(super) tree: FileTree<'a>,
    pub(super) body: Body,
    pub(super) diagnostics: Diagnostics,
    /// Whether rules that tell secrets are accepted.
    pub(super) accepts_leaks: bool,
    pub(super) budget: Budget,
    /// The boards whose rays the file asks for.
    pub(super) has_rays: BTreeSet<KindId>,
    pub(super) guesses: Guesses,
    pub(super) inclusions: usize,
    pub(super) all_members: usize,
    /// What calls must be, once effects are known.
    pub(super) requirements: Vec<Requirement>,
    pub(super) calls: Vec<Vec<RuleId>>,
    /// The options, constants and rules that are being checked, outermost first: what one of them
    /// reads is checked when it is needed.
    pub(super) searching: Vec<&'a ast::Name>,
    /// The places of the names of those that are checked already.
    pub(super) checked: BTreeSet<Span>,
    pub(super) groups: Vec<CheckedGroup<'a>>,
    /// The groups whose options are being checked, outermost first.
    pub(super) including: Vec<usize>,
    /// Unknown names that were reported: one missing declaration is one error.
    pub(super) reported_names: BTreeSet<String>,
    /// Rules whose bodies have errors, so that their effects are unknown.
    pub(super) broken_rules: BTreeSet<RuleId>,
    /// The symbol index for editors.
    pub(super) recorder: SymbolRecorder,
    /// For each line of a strategy what came of the decisions that offer its move.
    pub(super) tried_lines: BTreeMap<(usize, usize), TriedLine>,
    /// What the players are called; absent outside of snippets.
    pub(super) seats: Option<Vec<String>>,
}

/// The declarations of a file by sort, in its order.
#[derive(Default)]
pub(super) struct FileTree<'a> {
    /// Where the files begin.
    pub(super) files: &'a [u32],
    pub(super) games: Vec<Declared<'a, ast::GameDecl>>,
    /// Kinds, cards and boards have their ids.
    pub(super) kinds: Vec<(KindId, &'a ast::KindDecl)>,
    pub(super) cards: Vec<(KindId, &'a ast::CardsDecl)>,
    pub(super) extensions: Vec<Declared<'a, ast::KindDecl>>,
    pub(super) boards: Vec<(KindId, &'a ast::BoardDecl)>,
    pub(super) options: Vec<Declared<'a, ast::OptionItem>>,
    pub(super) constants: Vec<Declared<'a, ast::ConstantDecl>>,
    pub(super) tables: Vec<Declared<'a, ast::TableDecl>>,
    pub(super) vars: Vec<(ast::Owner, &'a ast::VarDecl)>,
    /// For each history the variables that it names.
    pub(super) histories: Vec<&'a [ast::Name]>,
    pub(super) rules: Vec<Declared<'a, ast::RuleDecl>>,
    pub(super) measures: Vec<Declared<'a, ast::MeasureDecl>>,
    pub(super) always: Vec<Declared<'a, ast::AlwaysDecl>>,
    pub(super) strategies: Vec<&'a ast::StrategyDecl>,
    pub(super) flows: Vec<Declared<'a, ast::FlowDecl>>,
}

pub(super) struct Declared<'a, T> {
    /// The `##` lines above it.
    pub(super) notes: &'a [ast::Note],
    pub(super) item: &'a T,
    pub(super) span: Span,
}

pub(super) struct Requirement {
    pub(super) rule: RuleId,
    pub(super) need: Need,
    pub(super) span: Span,
}

/// What a call may do.
#[derive(Clone, Copy)]
pub(super) enum Need {
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
pub(super) enum Mode {
    #[default]
    Constant,
    Rule,
}

#[derive(Clone, Debug)]
pub(super) enum Returning {
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
pub(super) struct Body {
    pub(super) locals: Vec<Local>,
    pub(super) visible: Visible,
    /// How many of the visible ones were there before a snippet, which may hide them.
    pub(super) hideable: usize,
    /// What is known not to be `none`.
    pub(super) known: Rc<BTreeSet<Path>>,
    /// What was reported to be perhaps `none`, as it is written.
    pub(super) blamed: BTreeSet<String>,
    pub(super) mode: Mode,
    /// Whether the next expression is a whole right side, and may pause.
    pub(super) alone: bool,
    /// The condition that is being checked, as messages call it.
    pub(super) condition: Option<&'static str>,
    /// Statements that come before the one that is being checked.
    pub(super) before: Vec<Stmt>,
    /// Whether it is inside `suppose`.
    pub(super) supposing: bool,
    /// Whether the options that are being checked are those of an order.
    pub(super) in_order: bool,
    /// The names that later clauses of the move bind.
    pub(super) later: BTreeSet<String>,
    /// The number of loops around.
    pub(super) loops: usize,
    /// The first `continue` of the innermost loop: how many names there were, and its place.
    pub(super) continued: Option<(usize, Span)>,
    pub(super) returning: Returning,
    /// The place that is being changed, and the text that follows its owner: `.points += 1`.
    pub(super) changed: Option<(Span, String)>,
    /// Whether it belongs to a rule of the file, not to a flow.
    pub(super) in_rule: bool,
    /// The rule that `base` calls: the one that this one replaces.
    pub(super) base: Option<RuleId>,
    /// Its own effects, without those of the rules that it calls.
    pub(super) effects: Effects,
    pub(super) calls: Vec<RuleId>,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct ExprSpot<'t> {
    pub(super) span: Span,
    /// The type that is expected; it helps names and literals to find theirs.
    pub(super) hint: Option<&'t Type>,
    /// Whether it is a whole right side, and may pause.
    pub(super) alone: bool,
}

impl Body {
    /// A body with these parameters, all visible.
    pub(super) fn new(params: Vec<Local>, mode: Mode) -> Body {
        let mut visible = Visible::default();
        for (at, param) in params.iter().enumerate() {
            visible.push(LocalId::at(at), &param.name);
        }
        Body { visible, locals: params, mode, ..Body::default() }
    }
}

/// The locals that can be seen, innermost last: all of them, and those of each name.
#[derive(Default)]
pub(super) struct Visible {
    order: Vec<LocalId>,
    named: BTreeMap<String, Vec<LocalId>>,
}

impl Visible {
    pub(super) fn push(&mut self, local: LocalId, name: &str) {
        self.order.push(local);
        self.named.entry(name.to_owned()).or_default().push(local);
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = LocalId> {
        self.order.iter().copied()
    }

    /// Whether a local can be seen; later ones have higher numbers.
    pub(super) fn contains(&self, local: LocalId) -> bool {
        self.order.binary_search(&local).is_ok()
    }

    pub(super) fn find_local(&self, name: &str) -> Option<LocalId> {
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
    pub(super) fn new(rules: Rules) -> Checker<'a> {
        let calls = vec![Vec::new(); rules.rules.len()];
        Checker { names: Names::from_rules(&rules), calls, rules, ..Checker::default() }
    }

    /// Charges for one more part of the file; whether there is anything left for it.
    pub(super) fn may_go_on(&self) -> bool {
        self.budget.charge(STEPS_OF_A_PART);
        self.budget.keep(BYTES_OF_A_PART);
        !self.budget.is_spent()
    }

    /// Where the budget is spent that is the only finding: parts that were skipped seem to be wrong.
    pub(super) fn settle_account(&mut self) {
        if let Some(finding) = self.budget.finding() {
            self.diagnostics = Diagnostics::new();
            self.diagnostics.push(finding);
        }
    }

    pub(super) fn report_error(&mut self, error: impl Into<Diagnostic>) {
        self.diagnostics.push(error);
    }

    /// Reports an error in place of a result.
    pub(super) fn refuse_with<T>(&mut self, error: impl Into<Diagnostic>) -> Option<T> {
        self.report_error(error);
        None
    }

    /// Reports an error in place of an expression.
    pub(super) fn broken(&mut self, error: Diagnostic) -> Expr {
        let span = error.place();
        self.report_error(error);
        unknown_expr(span)
    }

    /// Runs a check in a body of its own and gives that body back.
    pub(super) fn in_body<T>(
        &mut self,
        body: Body,
        check: impl FnOnce(&mut Self) -> T,
    ) -> (T, Body) {
        let outer = std::mem::replace(&mut self.body, body);
        let result = check(self);
        (result, std::mem::replace(&mut self.body, outer))
    }

    /// Runs a check as part of a condition, which must not do anything.
    pub(super) fn in_condition<T>(
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
    pub(super) fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let (visible, known) = (self.body.visible.order.len(), Rc::clone(&self.body.known));
        let result = check(self);
        self.body.visible.truncate(visible, &self.body.locals);
        self.body.known = known;
        result
    }

    /// Runs a check in a scope where a condition is known to hold, or not to.
    pub(super) fn assuming<T>(
        &mut self,
        (condition, holds): (&Expr, bool),
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scoped(|checker| {
            checker.assume(condition, holds);
            check(checker)
        })
    }

    pub(super) fn kind_at(&self, kind: KindId) -> &Kind {
        &self.rules.kinds[kind.index()]
    }

    pub(super) fn var_at(&self, var: VarId) -> &Var {
        &self.rules.vars[var.index()]
    }

    pub(super) fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules.rules[rule.index()]
    }

    pub(super) fn local_at(&self, local: LocalId) -> &Local {
        &self.body.locals[local.index()]
    }
}
