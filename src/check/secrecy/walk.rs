//! Follows secrets through a rule, in its order: what each local may tell, and whether a question
//! came since it was read.
//!
//! Loops are solved together: a pass walks through every body once, with all that earlier passes
//! brought to the beginning of its loop. Passes continue until none brings anything new; the last
//! one reports.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::ranges::ValueBounds;
use crate::check::secrecy::taint::{FlowState, SecretSource, Sees, Taint};
use crate::check::secrecy::trails::CardMove;
use crate::check::secrecy::{RuleKnowledge, SecrecyFindings, TaintInput};
use crate::rules::{
    Array, Binder, Block, Expr, ExprKind, LocalId, PLAYER, ResetTarget, Rule, RuleId, Stmt,
    StmtKind, Type, VarForm,
};
use crate::source::Span;

/// What a rule is given where it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Given {
    /// What an argument tells.
    Argument(usize),
    /// What it tells which pile an argument is.
    Which(usize),
    /// An argument that may be a pile which not all see.
    Hidden(usize),
    /// What it tells that the rule is called.
    Around,
    /// What it tells how often a loop over cards calls it.
    Rounds,
}

pub(super) struct SecrecyWalk<'a> {
    pub(super) known: &'a RuleKnowledge<'a>,
    pub(super) rule: RuleId,
    /// Whether the rule knows what it is given.
    pub(super) is_given: bool,
    /// What is known here.
    pub(super) now: FlowState,
    /// What is known where the loop around was left by `break`.
    exit: FlowState,
    /// What is known where a round of the loop around was ended by `continue`.
    round_end: FlowState,
    /// What is known at the beginning of each loop, in the order of the walk.
    loops: Vec<FlowState>,
    next_loop: usize,
    /// Whether this pass brought more to the beginning of a loop.
    grew: bool,
    /// Locals that are another name for a player.
    pub(super) same_as: BTreeMap<LocalId, Sees>,
    /// Locals that hold a player beside the one of another local.
    pub(super) beside: BTreeMap<LocalId, Expr>,
    /// Locals that hold another player than this one.
    pub(super) apart: BTreeSet<(LocalId, Sees)>,
    /// What the conditions around the statement tell.
    pub(super) around: Taint,
    /// What the loops around tell whose members are cards: a round for each card.
    pub(super) rounds: Taint,
    pub(super) out: RuleOutflow,
    /// Locals that hold what lay at the end of a pile: everybody can tell which card that was. For each that is no
    /// variable, what it tells whether there was a card.
    pub(super) ends: BTreeMap<LocalId, Option<Taint>>,
    /// What it tells which pile a name of a group of moves is, and whether all see that pile.
    pub(super) piles: BTreeMap<LocalId, (Taint, bool)>,
    /// The piles in which the cards lie that a local stands for.
    pub(super) homes: BTreeMap<LocalId, Vec<Expr>>,
    /// The sets whose number of members all know.
    pub(super) sized: BTreeSet<LocalId>,
    /// The bounds of locals that are members of a range.
    pub(super) bounds: BTreeMap<LocalId, ValueBounds>,
    /// Where a leak was reported (`true`), or a local that keeps a secret.
    pub(super) reported: BTreeSet<(Span, bool)>,
}

#[derive(Default)]
pub(super) struct RuleOutflow {
    /// What the value of the rule tells.
    pub(super) returned: Taint,
    /// What it tells whether the set that the rule returns has members.
    pub(super) returned_some: Taint,
    /// The moves of cards in it and in the rules that it calls.
    pub(super) moves: Vec<CardMove>,
    /// What the rules that are called are given.
    pub(super) given: BTreeMap<(RuleId, Given), Taint>,
    /// Arguments of moves and draws, and where they come to.
    pub(super) inputs: BTreeMap<Span, TaintInput>,
    pub(super) found: SecrecyFindings,
}

impl<'a> SecrecyWalk<'a> {
    /// What a rule tells: with what it is given, or without.
    pub(super) fn through(
        known: &'a RuleKnowledge<'a>,
        rule: RuleId,
        is_given: bool,
    ) -> RuleOutflow {
        let mut walk = SecrecyWalk {
            known,
            rule,
            is_given,
            now: FlowState::default(),
            exit: FlowState::new_unreachable(),
            round_end: FlowState::new_unreachable(),
            loops: Vec::new(),
            next_loop: 0,
            grew: false,
            same_as: BTreeMap::new(),
            beside: BTreeMap::new(),
            apart: BTreeSet::new(),
            around: Taint::default(),
            rounds: Taint::default(),
            out: RuleOutflow::default(),
            ends: BTreeMap::new(),
            piles: BTreeMap::new(),
            homes: BTreeMap::new(),
            sized: BTreeSet::new(),
            bounds: BTreeMap::new(),
            reported: BTreeSet::new(),
        };
        walk.pass();
        while std::mem::take(&mut walk.grew) && !known.budget.is_spent() {
            walk.pass();
        }
        walk.out
    }

    fn pass(&mut self) {
        self.now = FlowState::default();
        for at in 0..self.rule_of().params {
            let tells = self.given_taint(Given::Argument(at));
            self.now.hold(LocalId::at(at), tells);
        }
        self.around = self.given_taint(Given::Around);
        self.rounds = self.given_taint(Given::Rounds);
        self.next_loop = 0;
        self.out = RuleOutflow::default();
        self.reported.clear();
        self.walk_block(&self.rule_of().body);
    }

    /// What the callers of the rule give it.
    pub(super) fn given_taint(&self, given: Given) -> Taint {
        let known = self.known.given[self.rule.index()].get(&given);
        known.filter(|_| self.is_given).cloned().unwrap_or_default()
    }

    pub(super) fn rule_of(&self) -> &'a Rule {
        &self.known.rules.rules[self.rule.index()]
    }

    fn walk_block(&mut self, block: &Block) {
        for stmt in block {
            let known = self.now.local_count() + self.around.source_count();
            self.known.budget.charge(4 * (1 + known));
            if self.known.budget.is_spent() {
                return;
            }
            self.walk_stmt(stmt);
        }
    }

    /// What it tells that a statement here is reached.
    pub(super) fn reached_taint(&self) -> Taint {
        self.reached_by_choice().with_taint(&self.rounds)
    }

    /// The same, but for how many cards a loop around iterates.
    pub(super) fn reached_by_choice(&self) -> Taint {
        let now = &self.now;
        self.around.clone().with_taint(&now.left).with_taint(&now.broken).with_taint(&now.skipped)
    }

    fn bind_local(&mut self, local: LocalId, value: &Expr) {
        let tells = self.value_taint(value).with_taint(&self.reached_taint());
        self.now.hold(local, tells);
        self.note_alias(local, value);
        self.note_end(local, value);
        self.note_home(local, value);
        let is_fixed = !self.rule_of().locals[local.index()].mutable;
        if let Some(bounds) = self.number_bounds(value).filter(|_| is_fixed) {
            self.bounds.insert(local, bounds);
        }
    }

    fn walk_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, value) | StmtKind::LetArray { local, value, .. } => {
                self.bind_local(*local, value);
            }
            StmtKind::Assign(place, value) => self.assign(place, value, true),
            StmtKind::Change { place, value, .. } | StmtKind::Coin { place, amount: value, .. } => {
                self.assign(place, value, false);
            }
            StmtKind::Swap(a, b) => {
                self.assign(a, b, false);
                self.assign(b, a, false);
            }
            StmtKind::If { condition: subject, .. } | StmtKind::Match { subject, .. } => {
                let tells = self.tells(subject);
                let around = self.around.clone();
                self.around.join_taint(&tells);
                self.one_of(&stmt.blocks());
                self.around = around;
            }
            StmtKind::Choose(choose) => self.visit_choose(choose, &stmt.blocks()),
            StmtKind::Cards(action) => {
                stmt.visit_exprs(&mut |part| self.note_read(part));
                self.cards_action(action, stmt.span);
            }
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Break => self.end_round(true),
            StmtKind::Continue => self.end_round(false),
            StmtKind::Call(call) => drop(self.value_taint(call)),
            StmtKind::For { binder, from, body } => self.walk_each(binder, from.as_ref(), body),
            StmtKind::Times(times, body) => {
                let tells = self.tells(times);
                self.check_loop(&tells, None, body, None);
            }
            StmtKind::While(condition, body) => {
                self.check_loop(&Taint::default(), Some(condition), body, None);
            }
            StmtKind::Repeat(body, until) => self.repeat(body, until.as_ref()),
            StmtKind::Turns { local, from, condition, body, .. } => {
                let tells = self.value_for(from, false);
                self.now.hold(*local, tells.clone());
                let rules = self.known.rules;
                let counts = rules.reads_turn || rules.turns_had.is_some();
                let turn = counts.then_some(stmt.span);
                self.check_loop(&tells, condition.as_ref(), body, turn);
            }
            StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_)
            | StmtKind::FinishTeams { .. } => {
                self.tell_all(stmt);
                self.now.over = true;
            }
            StmtKind::Reset(_)
            | StmtKind::Roll { .. }
            | StmtKind::Show { .. }
            | StmtKind::Say { .. }
            | StmtKind::Past(..) => self.act(stmt),
        }
    }

    /// A statement that neither binds names nor leads elsewhere.
    fn act(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Reset(targets) => {
                let nothing = Taint::default();
                for ResetTarget { var, indices } in targets {
                    self.stored_in(*var, indices, &nothing, stmt.span);
                    if matches!(self.known.rules.vars[var.index()].form, VarForm::Pile(_)) {
                        let help = "reset in any case, or under a condition that everybody sees";
                        self.noticed(&nothing, stmt.span, "cards are shuffled", help);
                    }
                }
            }
            StmtKind::Roll { place, binder } => {
                let tells = binder.as_ref().map(|it| self.walk_binder(it)).unwrap_or_default();
                let around = self.around.clone();
                self.around.join_taint(&tells);
                self.walk_roll(place);
                self.around = around;
            }
            StmtKind::Show { to: Some(to), targets } => {
                for ResetTarget { var, indices } in targets {
                    self.check_bounds(Array::Var(*var), indices, stmt.span);
                }
                let which = self.parts_tell(stmt);
                self.sink(&which, Sink::Public, stmt.span);
                self.tell(&Taint::default(), Some(to), stmt.span);
            }
            StmtKind::Say { to, text } => {
                let tells = self.tells(text);
                self.tell(&tells, to.as_ref(), stmt.span);
            }
            StmtKind::Past(..) => {
                let help = "remember in any case, or under a condition that everybody sees";
                self.noticed(&Taint::default(), stmt.span, "a position is remembered", help);
                self.tell_all(stmt);
            }
            _ => self.tell_all(stmt),
        }
    }

    /// A statement tells everybody all that it reads, on purpose.
    fn tell_all(&mut self, stmt: &Stmt) {
        let tells = self.parts_tell(stmt);
        self.tell(&tells, None, stmt.span);
    }

    fn parts_tell(&mut self, stmt: &Stmt) -> Taint {
        let mut tells = Taint::default();
        stmt.visit_parts(&mut |part| {
            tells.join_taint(&self.tells(part));
        });
        tells
    }

    /// `for x in S from y where P { }`: of cards without a condition only the number tells
    /// something, and everybody sees how many cards a pile has.
    fn walk_each(&mut self, binder: &Binder, from: Option<&Expr>, body: &Block) {
        let mut tells = self.value_for(&binder.set, false).with_taint(&self.walk_binder(binder));
        tells.join_taint(&from.map(|from| self.tells(from)).unwrap_or_default());
        self.now.hold(binder.local, tells.clone());
        self.note_end(binder.local, &binder.set);
        if binder.condition.is_some() || !self.are_cards(&binder.set.ty) {
            return self.check_loop(&tells, None, body, None);
        }
        let rounds = self.rounds.clone();
        let count = if self.is_pile(&binder.set) { self.tells_some(&binder.set) } else { tells };
        self.rounds.join_taint(&count);
        self.check_loop(&Taint::default(), None, body, None);
        self.rounds = rounds;
    }

    /// `break` leaves the loop around, `continue` only the round.
    fn end_round(&mut self, leaves: bool) {
        let reached = self.reached_taint();
        if leaves {
            self.now.broken.join_taint(&reached);
            self.exit.join_state(&self.now);
        } else {
            self.now.skipped.join_taint(&reached);
            self.round_end.join_state(&self.now);
        }
        self.now.over = true;
    }

    /// What the members of a binder tell.
    pub(super) fn walk_binder(&mut self, binder: &Binder) -> Taint {
        self.now.forget_local(binder.local);
        let tells = self.tells(&binder.set);
        self.bind_member(binder, &tells);
        let Some(condition) = &binder.condition else { return tells };
        let condition = self.tells(condition);
        tells.with_taint(&self.leave_locals(&condition, |local| local == binder.local))
    }

    /// A loop that tells this when it begins, and reads a condition before each round.
    fn check_loop(
        &mut self,
        tells: &Taint,
        condition: Option<&Expr>,
        body: &Block,
        turn: Option<Span>,
    ) {
        let at = self.leaving(tells, |walk| {
            walk.several(|walk| {
                let tells = condition.map(|it| walk.tells(it)).unwrap_or_default();
                walk.around.join_taint(&tells);
                if let Some(span) = turn {
                    let help = "let the turn begin in any case, and look at the secret in it";
                    walk.noticed(&Taint::default(), span, "a turn begins", help);
                }
                walk.round(body);
            })
        });
        // Who left this loop did not leave the one around.
        let broken = std::mem::take(&mut self.now.broken);
        self.now.join_state(&self.loops[at]);
        self.now.broken = broken;
    }

    /// A loop that only its end, or a `break`, leaves.
    fn repeat(&mut self, body: &Block, until: Option<&Expr>) {
        self.leaving(&Taint::default(), |walk| {
            let at = walk.several(|walk| {
                walk.round(body);
                let tells = until.map(|it| walk.tells(it)).unwrap_or_default();
                if !tells.is_empty() {
                    let tells = tells.with_taint(&walk.reached_taint());
                    walk.now.broken.join_taint(&tells);
                }
            });
            if until.is_some() {
                walk.exit.join_state(&walk.now);
            }
            at
        });
    }

    /// Walks through the body of a loop once, to where `continue` leads too.
    fn round(&mut self, body: &Block) {
        let skipped = std::mem::take(&mut self.now.skipped);
        let around = self.around.clone();
        self.around.join_taint(&skipped);
        let round_end = std::mem::replace(&mut self.round_end, FlowState::new_unreachable());
        self.walk_block(body);
        let ended = std::mem::replace(&mut self.round_end, round_end);
        self.now.join_state(&ended);
        self.now.skipped = skipped;
        self.around = around;
    }

    /// Walks through a loop, and on from where `break` leaves it.
    fn leaving(&mut self, tells: &Taint, walk: impl FnOnce(&mut Self) -> usize) -> usize {
        let broken = std::mem::take(&mut self.now.broken);
        let around = self.around.clone();
        self.around.join_taint(tells);
        self.around.join_taint(&broken);
        let exit = std::mem::replace(&mut self.exit, FlowState::new_unreachable());
        let at = walk(self);
        self.now = std::mem::replace(&mut self.exit, exit);
        self.now.broken = broken;
        self.around = around;
        at
    }

    /// Walks through what may run several times: what its end knows, its beginning knows too.
    /// Gives the number of the loop.
    pub(super) fn several(&mut self, walk: impl FnOnce(&mut Self)) -> usize {
        let at = self.next_loop;
        self.next_loop += 1;
        if at == self.loops.len() {
            self.loops.push(FlowState::new_unreachable());
        }
        self.loops[at].join_state(&self.now);
        self.now.clone_from(&self.loops[at]);
        walk(self);
        self.grew |= self.loops[at].join_state(&self.now);
        at
    }

    /// Blocks of which one runs.
    pub(super) fn one_of(&mut self, blocks: &[&Block]) {
        let mut after = FlowState::new_unreachable();
        let before = self.now.clone();
        for block in blocks {
            self.now.clone_from(&before);
            self.walk_block(block);
            after.join_state(&self.now);
        }
        self.now = after;
    }

    fn note_end(&mut self, local: LocalId, value: &Expr) {
        if let ExprKind::End(end) = &value.kind {
            let is_fixed = !self.rule_of().locals[local.index()].mutable && end.count.is_none();
            let some = is_fixed.then(|| self.tells_some(&end.pile));
            let some = some.map(|some| some.with_taint(&self.reached_taint()));
            self.ends.insert(local, some);
        }
    }

    /// Notes that a local is another name for a player.
    pub(super) fn note_alias(&mut self, local: LocalId, value: &Expr) {
        let mutable = self.rule_of().locals[local.index()].mutable;
        if value.ty == Type::Kind(PLAYER)
            && !mutable
            && let sees @ (Sees::Local(_) | Sees::Seat(_)) = self.who(value)
        {
            self.same_as.insert(local, sees);
        }
        if !mutable {
            self.note_beside(local, value);
        }
        self.note_other(local, value);
    }

    fn assign(&mut self, place: &Expr, value: &Expr, replaces: bool) {
        let open = matches!(place.kind, ExprKind::Element(Array::Var(_), _)) && self.is_open(place);
        let tells = self.value_for(value, !open);
        let Some(local) = place.as_local() else {
            let kept = if replaces { Taint::default() } else { self.tells(place) };
            return self.stored(place, &tells.with_taint(&kept));
        };
        let replaces = replaces && matches!(place.kind, ExprKind::Local(_));
        let mut kept = if replaces { Taint::default() } else { self.tells(place) };
        kept.join_taint(&self.reached_taint());
        let tells = tells.with_taint(&kept);
        // A loop may have gone on to another player since.
        let params = self.rule_of().params;
        let tells = self.leave_locals(&tells, |of| of.index() >= params);
        self.now.hold(local, tells);
    }

    fn give_back(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            let some = self.tells_some(value);
            let tells = self.value_taint(value).with_taint(&self.reached_taint());
            self.out.returned.join_taint(&tells);
            self.out.returned_some.join_taint(&some.with_taint(&self.reached_taint()));
        }
        let reached = self.reached_taint();
        self.now.left.join_taint(&reached);
        self.now.over = true;
    }

    /// What a whole right side tells; looks at the calls, draws and questions in it.
    fn value_taint(&mut self, value: &Expr) -> Taint {
        self.value_for(value, true)
    }

    /// The same; a draw may be `quiet` where its value does not become public at once.
    fn value_for(&mut self, value: &Expr, quiet: bool) -> Taint {
        if let ExprKind::Pick(pick) = &value.kind {
            return self.visit_pick(pick, value.span);
        }
        let tells = self.tells(value);
        match &value.kind {
            ExprKind::Call(rule, _) if self.known.asks.contains(rule) => {
                let name = &self.known.rules.rules[rule.index()].name;
                let surely = self.known.surely_asks.contains(rule);
                self.asks_at(value.span, &format!("`{name}` asks somebody here"), surely);
            }
            ExprKind::Random(set) => return tells.with_taint(&self.walk_draw(set, quiet)),
            ExprKind::Roll(die) => self.walk_roll(die),
            ExprKind::End(end) if end.draws => {
                self.drawn_from(end, value.span);
                let which = self.which_place(&end.pile);
                self.named(&which, value.span, "is drawn from");
            }
            _ => {}
        }
        tells
    }

    fn walk_roll(&mut self, die: &Expr) {
        self.chance(die.span);
        let which = self.which_place(die);
        self.sink(&which, Sink::Public, die.span);
        self.named(&which, die.span, "is rolled");
        self.stored(die, &Taint::default());
    }

    /// `random S`
    fn walk_draw(&mut self, set: &Expr, quiet: bool) -> Taint {
        self.chance(set.span);
        let some = self.tells_some(set);
        // Numbers from 1 to 0 are none.
        if !matches!(&set.kind, ExprKind::Interval(low, high) if self.number_bounds(low)
            .zip(self.number_bounds(high)).is_some_and(|((_, low), (high, _))| low <= high))
        {
            let help = "let all see that there is something to draw; what is drawn unseen lies best in a pile of \
                        cards, `cards Stone of Gem`, of which `top of bag` is drawn";
            let _ = self.taint_of_failure_unless(&some, set.span, help);
        }
        if !self.tells(set).is_empty() && quiet {
            self.out.found.secret_sources.insert(set.span);
        }
        // Which card leaves a pile is seen by those who see the pile.
        if !quiet
            || self.are_cards(&set.ty) && !self.tells(set).is_empty()
            || self.are_open_cards(set)
        {
            return Taint::default();
        }
        let drawn = self.input(set.span, "random", Sees::Nobody);
        self.out.inputs.entry(set.span).and_modify(|input| input.is_draw = true);
        drawn
    }

    /// A rule is called, and knows what is known here.
    pub(super) fn give(&mut self, rule: RuleId, args: &[Expr], tells: &[Taint], span: Span) {
        let mut given = Vec::new();
        for (at, (arg, tells)) in args.iter().zip(tells).enumerate() {
            given.push((Given::Argument(at), tells.clone()));
            if matches!(arg.ty, Type::Pile(_)) {
                given.push((Given::Which(at), self.tells_some(arg)));
                if !self.is_open(arg) {
                    let any =
                        Taint::from_source(SecretSource::Input(arg.span), Sees::Nobody, Vec::new());
                    given.push((Given::Hidden(at), any));
                }
            }
        }
        self.leave_trails(rule, args, tells, span);
        self.now.taught = true;
        let called = format!("and `{}` is called here", self.known.rules.rules[rule.index()].name);
        given.push((Given::Around, self.reached_by_choice().through(span, &called)));
        given.push((Given::Rounds, self.rounds.clone().through(span, &called)));
        for (what, tells) in given.into_iter().filter(|(_, tells)| !tells.is_empty()) {
            let tells = tells.renamed(|sees| self.at_callee(sees, args));
            self.out.given.entry((rule, what)).or_default().join_taint(&tells);
        }
    }

    /// Somebody is asked: whether this happens is seen by all.
    pub(super) fn asks_at(&mut self, span: Span, place: &str, surely: bool) {
        let reached = self.reached_taint();
        let what = "whether somebody is asked here depends on {}, which some players do not see";
        let help = "ask in any case, with the condition after `when` and `or pass { }`; or keep what \
                    everybody may know in a variable that all see";
        self.leak(&reached, None, (span, place), what, help);
        self.now.asks(span, surely);
    }
}
