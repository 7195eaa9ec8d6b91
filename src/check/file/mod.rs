//! `FileContext`: the state of the check of a file: rules so far, names, findings, budget.

pub(crate) mod boards;
pub(crate) mod kinds;
pub(crate) mod looks;
pub(crate) mod members;
mod notes;
mod ranges;
mod search;
mod titles;
mod unresolved;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Budget;
use crate::check::names::Names;
use crate::check::recorder::SymbolRecorder;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::eval::Constants;
use crate::rules::print::{as_written, typed_name};
use crate::rules::{
    Block, ConstantId, Effects, Expr, KindId, Local, Rule, RuleId, Rules, unknown_expr,
};
use crate::source::Span;
use crate::suggest::Guesses;
use crate::syntax::ast;

/// What is known of a file while it is checked, and what was reported about it.
#[derive(Default)]
pub(crate) struct FileContext<'a> {
    pub(crate) rules: Rules,
    pub(crate) names: Names,
    /// The declarations that `rules` is made from.
    pub(crate) tree: FileTree<'a>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) budget: Budget,
    /// The boards whose rays the file asks for.
    has_rays: BTreeSet<KindId>,
    /// The constants whose values are known, and those that take too long to compute.
    constants: Constants,
    costly: RefCell<BTreeSet<ConstantId>>,
    pub(crate) guesses: Guesses,
    pub(crate) inclusions: usize,
    all_members: usize,
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
    pub(crate) recorder: SymbolRecorder,
    /// For each line of a strategy what came of the decisions that offer its move.
    pub(crate) tried_lines: BTreeMap<(usize, usize), TriedLine>,
    /// What the players are called; absent outside of snippets.
    pub(crate) seats: Option<Vec<String>>,
}

/// Work for a statement or an expression, in steps of a plain loop.
pub(crate) const STEPS_OF_A_PART: usize = 16;

/// Memory for a statement or an expression, in bytes of the tree and of the rules.
const BYTES_OF_A_PART: usize = 400;

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
    /// Edges and corners, each with the kind of its board.
    pub(crate) joints: Vec<(KindId, KindId, &'a ast::JointDecl)>,
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
    /// It has no effects: it gives a bag, good by good.
    Bag,
    /// It has no effects: it is in a condition.
    Condition(&'static str),
    /// It neither pauses nor ends the game: it is only supposed.
    Supposed,
    /// It has effects: its value is not used.
    Effect,
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

impl<'a> FileContext<'a> {
    /// A file that builds on these rules.
    pub(crate) fn new(rules: Rules) -> FileContext<'a> {
        let calls = vec![Vec::new(); rules.rules.len()];
        FileContext { names: Names::from_rules(&rules), calls, rules, ..FileContext::default() }
    }

    pub(crate) fn take_body(
        &mut self,
        id: RuleId,
        block: Block,
        (locals, effects, calls): (Vec<Local>, Effects, Vec<RuleId>),
    ) {
        let rule = &mut self.rules.rules[id.index()];
        rule.body = block;
        rule.locals = locals;
        rule.effects = effects;
        self.calls[id.index()] = calls;
    }

    /// Charges for one more part of the file; whether there is anything left for it.
    pub(crate) fn may_go_on(&self) -> bool {
        self.budget.charge(STEPS_OF_A_PART);
        self.budget.hold_memory(BYTES_OF_A_PART);
        !self.budget.is_spent()
    }

    /// Replaces all findings by that of a spent budget: skipped parts only seem to be wrong.
    pub(crate) fn report_budget_alone(&mut self) {
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
    pub(crate) fn report_as_expr(&mut self, error: impl Into<Diagnostic>) -> Expr {
        let error = error.into();
        let span = error.place();
        self.report_error(error);
        unknown_expr(span)
    }

    pub(crate) fn add_rule(&mut self, rule: Rule) -> RuleId {
        self.rules.rules.push(rule);
        self.calls.push(Vec::new());
        RuleId::at(self.rules.rules.len() - 1)
    }
}

/// The head of a group, as it is written: `card_play(me: Player)`.
pub(crate) fn group_head(rules: &Rules, group: &CheckedGroup) -> String {
    let params = as_written(rules, &group.params);
    let params = params.iter().map(|param| typed_name(rules, param));
    format!("{}({})", group.item.name.text, params.collect::<Vec<_>>().join(", "))
}
