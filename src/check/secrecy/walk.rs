//! Walks a rule with a flow state: the taint of each local, and whether a question came since it was set.
//!
//! Loops run to a fixpoint together: each walk goes once through every body, from the joined states of earlier walks at
//! the head of its loop. The findings are those of the last walk.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::RuleKnowledge;
use crate::check::secrecy::bounds::KnownBounds;
use crate::check::secrecy::calls::CallInput;
use crate::check::secrecy::outputs::{RuleOutflow, Sink};
use crate::check::secrecy::seers::KnownPlayers;
use crate::check::secrecy::taint::{FlowState, OrderedLoop, Sees, Taint};
use crate::rules::{
    Array, Block, Expr, ExprKind, LocalId, ResetTarget, Rule, RuleId, Stmt, StmtKind, VarForm,
};

pub(super) struct SecrecyWalk<'a> {
    pub(super) known: &'a RuleKnowledge<'a>,
    pub(super) rule: RuleId,
    /// False while only the taint of the returned value is wanted.
    pub(super) knows_callers: bool,
    /// The state here.
    pub(super) now: FlowState,
    /// The joined states at each `break` of the loop around.
    pub(super) exit: FlowState,
    /// The joined states at each `continue`.
    pub(super) round_end: FlowState,
    /// The joined states at the head of each loop, in order of the walk.
    pub(super) loops: Vec<FlowState>,
    pub(super) next_loop: usize,
    /// True if this walk changed one of them.
    pub(super) grew: bool,
    pub(super) players: KnownPlayers<'a>,
    pub(super) bounds: KnownBounds<'a>,
    /// The taint of the conditions and loops around the statement.
    pub(super) pc: Taint,
    /// The taint of the number of rounds of loops over cards.
    pub(super) rounds: Taint,
    pub(super) out: RuleOutflow,
    /// Locals that hold an end of a pile: everybody can identify the card. Unless mutable, with the taint of whether
    /// there was one.
    pub(super) ends: BTreeMap<LocalId, Option<Taint>>,
    /// The taint of the choice of a local pile, and whether all see it.
    pub(super) piles: BTreeMap<LocalId, (Taint, bool)>,
    /// The piles of the cards in a local.
    pub(super) homes: BTreeMap<LocalId, Vec<Expr>>,
    /// Locals that were bound since the loop around began.
    pub(super) rebound: BTreeSet<LocalId>,
    /// Members of an end of a pile, `for c in top 3 of deck`.
    pub(super) of_ends: BTreeSet<LocalId>,
    /// The local of the loop that begins.
    pub(super) member: Option<LocalId>,
    /// The loops around that have a fixed order.
    pub(super) ordered_loops: Vec<OrderedLoop>,
    /// The sets whose number of members all know.
    pub(super) sized: BTreeSet<LocalId>,
}

impl<'a> SecrecyWalk<'a> {
    /// Walks a rule until its loops reach a fixpoint.
    pub(super) fn solve(
        known: &'a RuleKnowledge<'a>,
        rule: RuleId,
        knows_callers: bool,
    ) -> RuleOutflow {
        let declared = &known.rules.rules[rule.index()];
        let mut walk = SecrecyWalk {
            known,
            rule,
            knows_callers,
            now: FlowState::default(),
            exit: FlowState::new_unreachable(),
            round_end: FlowState::new_unreachable(),
            loops: Vec::new(),
            next_loop: 0,
            grew: false,
            players: KnownPlayers::new(known, declared),
            bounds: KnownBounds::new(known.rules, declared),
            pc: Taint::default(),
            rounds: Taint::default(),
            out: RuleOutflow::default(),
            ends: BTreeMap::new(),
            piles: BTreeMap::new(),
            homes: BTreeMap::new(),
            rebound: BTreeSet::new(),
            of_ends: BTreeSet::new(),
            member: None,
            ordered_loops: Vec::new(),
            sized: BTreeSet::new(),
        };
        walk.walk_rule();
        while std::mem::take(&mut walk.grew) && !known.budget.is_spent() {
            walk.walk_rule();
        }
        walk.out
    }

    fn walk_rule(&mut self) {
        self.now = FlowState::default();
        if self.known.rules.setup != Some(self.rule) {
            self.change_all_piles();
        }
        for at in 0..self.rule_of().params {
            let taint = self.taint_from_callers(CallInput::Argument(at));
            self.set_local(LocalId::at(at), taint);
        }
        self.pc = self.taint_from_callers(CallInput::Pc);
        self.rounds = self.taint_from_callers(CallInput::Rounds);
        self.next_loop = 0;
        self.out = RuleOutflow::default();
        self.walk_block(&self.rule_of().body);
        self.report_left_orders();
        self.report_event_orders();
    }

    pub(super) fn rule_of(&self) -> &'a Rule {
        &self.known.rules.rules[self.rule.index()]
    }

    pub(super) fn walk_block(&mut self, block: &Block) {
        for stmt in block {
            let known = self.now.local_count() + self.pc.source_count();
            self.known.budget.charge(4 * (1 + known));
            if self.known.budget.is_spent() {
                return;
            }
            self.walk_stmt(stmt);
        }
    }

    /// The taint of reaching this statement: its implicit flow.
    pub(super) fn pc_taint(&self) -> Taint {
        self.pc_without_rounds().with_taint(&self.rounds)
    }

    /// The pc without the number of rounds of loops over cards, which sizes of piles show.
    pub(super) fn pc_without_rounds(&self) -> Taint {
        let FlowState { return_pc, break_pc, continue_pc, .. } = &self.now;
        self.pc.clone().with_taint(return_pc).with_taint(break_pc).with_taint(continue_pc)
    }

    /// Sets the taint of a local, and records that it may differ from round to round of the loop around.
    pub(super) fn set_local(&mut self, local: LocalId, taint: Taint) {
        self.rebound.insert(local);
        self.now.set_local(local, taint);
    }

    fn bind_local(&mut self, local: LocalId, value: &Expr) {
        let taint = self.value_taint(value).with_taint(&self.pc_taint());
        self.set_local(local, taint);
        self.players.note_alias(local, value);
        self.note_end(local, value);
        self.note_home(local, value);
        if !self.rule_of().locals[local.index()].mutable {
            self.bounds.note_bounds(local, value);
        }
    }

    fn walk_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::LetArray { local, value, .. } => {
                self.bind_local(*local, value);
            }
            StmtKind::Assign(place, value) => self.assign(place, value, true),
            StmtKind::Change { place, value, .. }
            | StmtKind::Transfer { place, amount: value, .. } => {
                self.assign(place, value, false);
            }
            StmtKind::Swap(a, b) => {
                self.assign(a, b, false);
                self.assign(b, a, false);
            }
            StmtKind::If { condition: subject, .. } | StmtKind::Match { subject, .. } => {
                self.walk_cases(subject, stmt);
            }
            StmtKind::Choose(choose) => self.visit_choose(choose, &stmt.blocks()),
            StmtKind::Cards(action) => {
                stmt.visit_exprs(&mut |part| self.note_read(part));
                self.cards_action(action, stmt.span);
            }
            StmtKind::Return(value) => self.walk_return(value.as_ref()),
            StmtKind::Break => self.end_round(true),
            StmtKind::Continue => self.end_round(false),
            StmtKind::Call(call) => drop(self.value_taint(call)),
            StmtKind::For { binder, from, body } => self.walk_each(binder, from.as_ref(), body),
            StmtKind::Times(times, body) => {
                let taint = self.taint_of(times);
                self.walk_loop(&taint, None, body, None);
            }
            StmtKind::While(condition, body) => {
                self.walk_loop(&Taint::default(), Some(condition), body, None);
            }
            StmtKind::Repeat(body, until) => self.repeat(body, until.as_ref()),
            StmtKind::Turns { local, from, condition, body, .. } => {
                let taint = self.right_side_taint(from, false);
                self.out.note_starter(&taint);
                self.set_local(*local, taint.clone());
                self.member = Some(*local);
                let rules = self.known.rules;
                let counts_turns = rules.reads_turn || rules.turns_had.is_some();
                let turn = counts_turns.then_some(stmt.span);
                self.walk_loop(&taint, condition.as_ref(), body, turn);
            }
            StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_)
            | StmtKind::FinishTeams { .. } => {
                // The end is for everybody: what decides it is disclosed on purpose, as by `say`.
                self.declassify_reads(stmt);
                self.now.is_unreachable = true;
            }
            StmtKind::Reset(_)
            | StmtKind::Roll { .. }
            | StmtKind::Show { .. }
            | StmtKind::Say { .. }
            | StmtKind::Past(..) => self.walk_effect(stmt),
        }
    }

    /// Walks a statement without binders and control flow.
    fn walk_effect(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Reset(targets) => {
                let nothing = Taint::default();
                for ResetTarget { var, indices } in targets {
                    self.write_var(*var, indices, &nothing, stmt.span);
                    if matches!(self.known.rules.vars[var.index()].form, VarForm::Pile(_)) {
                        self.now.unshuffled.retain(|it| it.to.var() != Some(*var));
                        if indices.is_empty() && self.pc_taint().is_empty() {
                            self.now.changed.remove(var);
                        }
                        let help = "reset in any case, or under a condition that everybody sees";
                        self.check_public_event(&nothing, stmt.span, "cards are shuffled", help);
                    }
                }
            }
            StmtKind::Roll { place, binder } => {
                let taint = binder.as_ref().map(|it| self.walk_binder(it)).unwrap_or_default();
                let pc = self.pc.clone();
                self.pc.join_taint(&taint);
                self.walk_roll(place);
                self.pc = pc;
            }
            StmtKind::Show { to: Some(to), targets } => {
                for ResetTarget { var, indices } in targets {
                    self.check_bounds(Array::Var(*var), indices, stmt.span);
                }
                let which = self.parts_taint(stmt);
                self.out.note_sink(&which, Sink::Public, stmt.span);
                self.disclose(&Taint::default(), Some(to), stmt.span);
            }
            StmtKind::Say { to, text } => {
                let taint = self.taint_of(text);
                self.disclose(&taint, to.as_ref(), stmt.span);
            }
            StmtKind::Past(..) => {
                let (nothing, event) = (Taint::default(), "a position is remembered");
                let help = "remember in any case, or under a condition that everybody sees";
                self.check_public_event(&nothing, stmt.span, event, help);
                self.declassify_reads(stmt);
            }
            _ => self.declassify_reads(stmt),
        }
    }

    /// Declassifies all that a statement reads to everybody.
    fn declassify_reads(&mut self, stmt: &Stmt) {
        let taint = self.parts_taint(stmt);
        self.disclose(&taint, None, stmt.span);
    }

    fn parts_taint(&mut self, stmt: &Stmt) -> Taint {
        let mut taint = Taint::default();
        stmt.visit_parts(&mut |part| {
            taint.join_taint(&self.taint_of(part));
        });
        taint
    }

    pub(super) fn note_end(&mut self, local: LocalId, value: &Expr) {
        if let ExprKind::End(end) = &value.kind {
            let is_fixed = !self.rule_of().locals[local.index()].mutable && end.count.is_none();
            let some = is_fixed.then(|| self.nonempty_taint(&end.pile));
            let some = some.map(|some| some.with_taint(&self.pc_taint()));
            self.ends.insert(local, some);
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr, replaces: bool) {
        let open = matches!(place.kind, ExprKind::Element(Array::Var(_), _)) && self.is_open(place);
        let taint = self.right_side_taint(value, !open);
        let Some(local) = place.as_local() else {
            let kept = if replaces { Taint::default() } else { self.taint_of(place) };
            return self.write_place(place, &taint.with_taint(&kept));
        };
        let replaces = replaces && matches!(place.kind, ExprKind::Local(_));
        let mut kept = if replaces { Taint::default() } else { self.taint_of(place) };
        kept.join_taint(&self.pc_taint());
        let taint = taint.with_taint(&kept);
        // A loop may be at another player now.
        let params = self.rule_of().params;
        let taint = self.players.forget_seers_in(&taint, |of| of.index() >= params);
        self.set_local(local, taint);
    }

    fn walk_return(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            let some = self.nonempty_taint(value);
            let taint = self.value_taint(value).with_taint(&self.pc_taint());
            self.out.returned.join_taint(&taint);
            self.out.returned_some.join_taint(&some.with_taint(&self.pc_taint()));
        }
        self.report_left_orders();
        let reached = self.pc_taint();
        self.now.return_pc.join_taint(&reached);
        self.now.is_unreachable = true;
    }

    /// The taint of a right side; checks the calls, draws and questions in it.
    fn value_taint(&mut self, value: &Expr) -> Taint {
        self.right_side_taint(value, true)
    }

    /// As `value_taint`; a draw is not `quiet` if its value becomes public at once.
    pub(super) fn right_side_taint(&mut self, value: &Expr, quiet: bool) -> Taint {
        if let ExprKind::Pick(pick) = &value.kind {
            return self.visit_pick(pick, value.span);
        }
        let taint = self.taint_of(value);
        match &value.kind {
            ExprKind::Call(rule, _) if self.known.asks.contains(rule) => {
                let name = &self.known.rules.rules[rule.index()].name;
                let surely = self.known.surely_asks.contains(rule);
                self.check_question(value.span, &format!("`{name}` asks somebody here"), surely);
            }
            ExprKind::Random(set) => return taint.with_taint(&self.walk_draw(set, quiet)),
            ExprKind::Roll(die) => self.walk_roll(die),
            ExprKind::End(end) if end.draws => {
                self.check_draw_from_end(end, value.span);
                let which = self.which_place(&end.pile);
                self.check_public_place(&which, value.span, "is drawn from");
            }
            _ => {}
        }
        taint
    }

    fn walk_roll(&mut self, die: &Expr) {
        self.check_chance(die.span);
        let which = self.which_place(die);
        self.out.note_sink(&which, Sink::Public, die.span);
        self.check_public_place(&which, die.span, "is rolled");
        self.write_place(die, &Taint::default());
    }

    /// `random S`
    fn walk_draw(&mut self, set: &Expr, quiet: bool) -> Taint {
        self.check_chance(set.span);
        let some = self.nonempty_taint(set);
        if !self.bounds.has_members(set) {
            let help = "let all see that there is something to draw; what is drawn unseen lies best in a pile of \
                        cards, `cards Stone of Gem`, of which `top of bag` is drawn";
            let _ = self.taint_of_failure_unless(&some, set.span, help);
        }
        if !self.taint_of(set).is_empty() && quiet {
            self.out.found.secret_sources.insert(set.span);
        }
        // Those who see a pile see which card leaves it.
        if !quiet
            || self.known.are_cards(&set.ty) && !self.taint_of(set).is_empty()
            || self.shows_taken_card(set)
        {
            return Taint::default();
        }
        let drawn = self.taint_of_input(set.span, "random", Sees::Nobody);
        self.out.inputs.entry(set.span).and_modify(|input| input.is_draw = true);
        drawn
    }
}
