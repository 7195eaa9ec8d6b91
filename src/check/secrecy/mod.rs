//! Proves noninterference: nothing that a player notices depends on a secret, unless the rules disclose it.
//!
//! | word | meaning |
//! |---|---|
//! | taint | the secrets that a value may depend on, each with its path (`taint`, `reads`) |
//! | pc | the taint of reaching a statement: implicit flows through conditions, loops and calls (`walk`) |
//! | join | union of taints, and of states where paths meet; loops and calls run to a fixpoint |
//! | input | an argument or a named draw: hidden if it flows into private sinks alone (`decide_hidden_inputs`) |
//! | known | of players in locals (`seers`), of numbers and sizes of sets (`bounds`): what cannot be leaks nothing |
//! | may disclose | `say`, `show`, `finish`, moves of cards, writes to what others see: declassification (`outputs`) |
//! | must not | questions and who is asked (`questions`), chance, shuffling, runtime errors, remembered positions |
//!
//! A value that is written is as visible as its variable: there the trail ends. docs/security.md has the argument.

mod bounds;
mod calls;
mod card_moves;
mod event_orders;
mod loops;
mod outputs;
mod piles;
mod questions;
mod reads;
mod seers;
mod shown;
mod taint;
mod trails;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use calls::CallInput;
use outputs::Sink;
use piles::{OrderedPiles, draws_from_pile};
use questions::surely_asking;
use seers::{SeerSets, find_seers};
use shown::ShownVars;
use taint::Taint;
use trails::{CardMove, add_move};
use walk::SecrecyWalk;

use crate::budget::Budget;
use crate::check::error;
use crate::check::file::FileContext;
use crate::components::Components;
use crate::diagnostic::Diagnostic;
use crate::rules::call_graph::{asks, rules_that};
use crate::rules::{ArgumentHearers, Array, Expr, ExprKind, RuleId, Rules, VarId};
use crate::source::Span;
use crate::syntax::ast::Visibility;

#[derive(Default)]
pub(super) struct SecrecyFindings {
    pub(super) errors: Vec<Diagnostic>,
    /// The deciders of questions that are asked even if only declining is legal: they alone know whether more is.
    pub(super) asked_anyway: BTreeSet<Span>,
    /// The deciders of questions whose number of legal moves is a secret.
    pub(super) secret_offers: BTreeSet<Span>,
    /// Sources that not everybody can identify: moved cards, sets that are drawn from, arguments that only some hear.
    pub(super) secret_sources: BTreeSet<Span>,
    pub(super) heard: Vec<ArgumentHearers>,
    /// Whether a secret decides that somebody learns something.
    pub(super) teaches_unseen: bool,
}

/// An argument of a move, a pick or a named draw; without a name, a value whose computation may fail.
#[derive(Clone, Debug, Default)]
struct TaintInput {
    name: String,
    is_draw: bool,
    /// It says whose turn comes first: all hear it on purpose, wherever else it goes.
    is_starter: bool,
    /// The first place of each sort of sink.
    sinks: BTreeMap<Sink, Span>,
}

/// Summaries of all rules, one for each.
struct RuleKnowledge<'a> {
    rules: &'a Rules,
    budget: &'a Budget,
    /// The position of each rule in an order that puts callees before their callers.
    places: Vec<usize>,
    callers: Vec<BTreeSet<usize>>,
    /// The rules that may ask somebody.
    asks: BTreeSet<RuleId>,
    /// The secrets that each rule reads, itself or through calls.
    reads: Vec<Taint>,
    /// The taint of each returned value beside that of the arguments.
    returns: Vec<Taint>,
    /// The taint of whether a returned set has members.
    returns_some: Vec<Taint>,
    /// What callers pass to each rule, joined.
    call_inputs: Vec<BTreeMap<CallInput, Taint>>,
    /// Who sees each variable.
    seers: Vec<SeerSets>,
    shown: ShownVars,
    /// The piles whose order may depend on a secret.
    piles: OrderedPiles,
    /// The moves of cards in each rule.
    moves: Vec<Vec<CardMove>>,
    /// The rules that may draw from a pile.
    draws: BTreeSet<RuleId>,
    /// The rules that ask somebody in any case.
    surely_asks: BTreeSet<RuleId>,
    /// The sinks of the inputs of each rule.
    inputs: Vec<BTreeMap<Span, TaintInput>>,
    /// The inputs that not everybody hears; none before `decide_hidden_inputs`.
    hidden: Option<BTreeSet<Span>>,
    /// Errors of values that become public, wherever they are used.
    public_errors: BTreeSet<Span>,
}

/// Reports leaks, unless `accepts_leaks`, and stores in `rules` what the analysis infers about moves.
pub(crate) fn check_secrets(file: &mut FileContext, accepts_leaks: bool) {
    if file.diagnostics.has_errors() {
        return;
    }
    let found = check_secrecy(&file.rules, &file.budget);
    let rules = &mut file.rules;
    (rules.asked_anyway, rules.secret_offers) = (found.asked_anyway, found.secret_offers);
    (rules.secret_sources, rules.heard) = (found.secret_sources, found.heard);
    rules.teaches_unseen = found.teaches_unseen;
    if !accepts_leaks {
        found.errors.into_iter().for_each(|error| file.report_error(error));
    }
}

fn check_secrecy(rules: &Rules, budget: &Budget) -> SecrecyFindings {
    let mut found = SecrecyFindings::default();
    if rules.vars.iter().all(|var| var.sight == Visibility::All) {
        return found;
    }
    let mut known = RuleKnowledge::new(rules, budget);
    known.run_to_fixpoint(false, RuleKnowledge::find_reads);
    known.run_to_fixpoint(false, RuleKnowledge::find_returns);
    known.run_to_fixpoint(true, RuleKnowledge::find_call_inputs);
    known.decide_hidden_inputs(&mut found);
    for at in 0..rules.rules.len() {
        let mut out = SecrecyWalk::solve(&known, RuleId::at(at), true);
        found.errors.append(&mut out.found.errors);
        found.asked_anyway.append(&mut out.found.asked_anyway);
        found.secret_offers.append(&mut out.found.secret_offers);
        found.secret_sources.append(&mut out.found.secret_sources);
        found.teaches_unseen |= out.found.teaches_unseen;
    }
    // One finding for each place where a secret is read: the rest are echoes. A leak goes before a kept secret.
    let mut origins = BTreeSet::new();
    let origin = |error: &Diagnostic| error.labels.get(1).map(|label| label.span.start);
    found.errors.sort_by_key(|error| error.code != Some("check::leak"));
    found.errors.retain(|error| origin(error).is_none_or(|origin| origins.insert(origin)));
    found
}

/// The variable of a pile, unless it is a parameter.
pub(super) fn pile_var(pile: &Expr) -> Option<VarId> {
    match pile.kind {
        ExprKind::Element(Array::Pile(var) | Array::Var(var), _) => Some(var),
        _ => None,
    }
}

impl<'a> RuleKnowledge<'a> {
    fn new(rules: &'a Rules, budget: &'a Budget) -> RuleKnowledge<'a> {
        let count = rules.rules.len();
        let mut callers = vec![BTreeSet::new(); count];
        let mut calls = vec![Vec::new(); count];
        for (at, rule) in rules.rules.iter().enumerate() {
            rule.visit_exprs(&mut |expr| {
                if let ExprKind::Call(called, _) = &expr.kind {
                    callers[called.index()].insert(at);
                    calls[at].push(called.0);
                }
            });
        }
        let mut places = vec![0; count];
        let order = Components::of_graph(count, |rule| &calls[rule as usize]);
        for (place, rule) in order.iter().flatten().enumerate() {
            places[*rule as usize] = place;
        }
        let asking = rules_that(&rules.rules, asks);
        RuleKnowledge {
            rules,
            budget,
            places,
            callers,
            reads: vec![Taint::default(); count],
            returns: vec![Taint::default(); count],
            returns_some: vec![Taint::default(); count],
            call_inputs: vec![BTreeMap::new(); count],
            seers: find_seers(rules),
            shown: ShownVars::of_rules(rules, &calls, &asking),
            piles: OrderedPiles::of_rules(rules),
            moves: vec![Vec::new(); count],
            draws: rules_that(&rules.rules, draws_from_pile),
            asks: asking,
            surely_asks: surely_asking(rules, order.iter().flatten().copied()),
            inputs: vec![BTreeMap::new(); count],
            hidden: None,
            public_errors: BTreeSet::new(),
        }
    }

    /// Worklist: runs `find` on each rule, and again on the rules that it returns, until none is left.
    fn run_to_fixpoint(
        &mut self,
        callers_first: bool,
        find: fn(&mut Self, usize) -> BTreeSet<usize>,
    ) {
        let place = |known: &Self, at: usize| {
            let place = known.places[at];
            (if callers_first { known.places.len() - place } else { place }, at)
        };
        let mut waiting: BTreeSet<(usize, usize)> =
            (0..self.rules.rules.len()).map(|at| place(self, at)).collect();
        while let Some((_, at)) = waiting.pop_first() {
            let concerned = find(self, at);
            waiting.extend(concerned.into_iter().map(|at| place(self, at)));
            if self.budget.is_spent() {
                return;
            }
        }
    }

    fn find_reads(&mut self, at: usize) -> BTreeSet<usize> {
        let reads = self.taint_read_by(RuleId::at(at));
        let new = self.reads[at].join_taint(&reads);
        self.callers_of(at, new)
    }

    fn find_returns(&mut self, at: usize) -> BTreeSet<usize> {
        let out = SecrecyWalk::solve(self, RuleId::at(at), false);
        let new = self.returns[at].join_taint(&out.returned);
        let some = self.returns_some[at].join_taint(&out.returned_some);
        let mut moved = false;
        for made in out.moves {
            moved |= add_move(&mut self.moves[at], made);
        }
        self.callers_of(at, new || some || moved)
    }

    fn find_call_inputs(&mut self, at: usize) -> BTreeSet<usize> {
        let out = SecrecyWalk::solve(self, RuleId::at(at), true);
        let mut concerned = BTreeSet::new();
        for ((rule, given), taint) in out.call_inputs {
            if self.call_inputs[rule.index()].entry(given).or_default().join_taint(&taint) {
                concerned.insert(rule.index());
            }
        }
        self.inputs[at] = out.inputs;
        concerned
    }

    /// Infers which inputs only some hear: those that flow into a private sink and are disclosed nowhere.
    fn decide_hidden_inputs(&mut self, found: &mut SecrecyFindings) {
        // Nameless inputs are values whose computation may fail.
        let (errors, inputs): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.take_inputs().into_iter().partition(|(_, input)| input.name.is_empty());
        let public = |input: &TaintInput| {
            let is_kept = input.sinks.keys().any(|sink| sink.is_private());
            input.sinks.contains_key(&Sink::PublicValue) && !is_kept
        };
        let errors = errors.into_iter().filter(|(_, input)| public(input));
        self.public_errors = errors.map(|(span, _)| span).collect();
        let hidden: BTreeSet<Span> =
            inputs.iter().filter(|(_, it)| it.is_hidden()).map(|(span, _)| *span).collect();
        for (span, input) in inputs {
            input.report_sinks(span, found);
        }
        let given = self.call_inputs.iter_mut().flat_map(BTreeMap::values_mut);
        for taint in self.returns.iter_mut().chain(&mut self.returns_some).chain(given) {
            taint.retain_secret_inputs(&hidden);
        }
        self.moves.iter_mut().flatten().for_each(|made| made.retain_secret_inputs(&hidden));
        found.secret_sources.extend(&hidden);
        self.hidden = Some(hidden);
    }

    /// Moves the inputs out of the rules, and joins those of one place.
    fn take_inputs(&mut self) -> BTreeMap<Span, TaintInput> {
        let mut inputs: BTreeMap<Span, TaintInput> = BTreeMap::new();
        for (span, input) in std::mem::take(&mut self.inputs).into_iter().flatten() {
            let all = inputs.entry(span).or_default();
            all.sinks.extend(input.sinks);
            all.is_draw |= input.is_draw;
            all.is_starter |= input.is_starter;
            if all.name.is_empty() {
                all.name = input.name;
            }
        }
        inputs
    }

    fn callers_of(&self, at: usize, new: bool) -> BTreeSet<usize> {
        if new { self.callers[at].clone() } else { BTreeSet::new() }
    }
}

impl TaintInput {
    fn is_hidden(&self) -> bool {
        self.sinks.keys().any(|sink| sink.is_private()) && self.public_at().is_none()
    }

    /// Records the hearers of an argument with a private sink; warns of such a draw that all hear.
    fn report_sinks(self, span: Span, found: &mut SecrecyFindings) {
        let Some(place) = self.sinks.iter().find(|(sink, _)| sink.is_private()) else { return };
        let place = *place.1;
        let all = (!self.is_hidden()).then(|| self.public_at().unwrap_or(span));
        if !self.is_draw {
            found.heard.push(ArgumentHearers { name: self.name, span, place, all });
        } else if let Some(all) = all.filter(|_| !self.is_starter) {
            found.errors.push(error::drawn_for_all(span, place, all));
        }
    }

    /// The place that discloses an input. One that is stored out of sight stays hidden from outputs: they are leaks.
    fn public_at(&self) -> Option<Span> {
        let kept = !self.is_draw && self.sinks.contains_key(&Sink::Private);
        let output = self.sinks.get(&Sink::Output).filter(|_| !kept);
        self.sinks.get(&Sink::Public).or(output).copied()
    }
}
