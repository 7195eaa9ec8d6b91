//! Loops and branches of a rule: joins the flow states where ways meet, until nothing changes at the head of a loop.

use crate::check::secrecy::taint::{FlowState, OrderedLoop, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{Binder, Block, Expr, ExprKind, Stmt, StmtKind, Type};
use crate::source::Span;

impl SecrecyWalk<'_> {
    /// `for x in S from y where P { }`: over cards without a condition only the number of rounds is tainted, and sizes
    /// of piles are public.
    pub(super) fn walk_each(&mut self, binder: &Binder, from: Option<&Expr>, body: &Block) {
        let mut taint =
            self.right_side_taint(&binder.set, false).with_taint(&self.walk_binder(binder));
        taint.join_taint(&from.map(|from| self.taint_of(from)).unwrap_or_default());
        self.set_local(binder.local, taint.clone());
        self.member = Some(binder.local);
        self.note_end(binder.local, &binder.set);
        if binder.condition.is_some() || !self.known.are_cards(&binder.set.ty) {
            let is_ordered =
                |part: &Expr| matches!(part.kind, ExprKind::From(..) | ExprKind::Walk(_));
            let is_fixed = matches!(binder.set.ty, Type::Set(_))
                && !binder.set.any(is_ordered)
                && from.is_none_or(|from| self.taint_of(from).is_empty());
            let known = self.ordered_loops.len();
            if is_fixed {
                let (member, before) = (binder.local, self.now.events.clone());
                self.ordered_loops.push(OrderedLoop { member, members: taint.clone(), before });
            }
            self.walk_loop(&taint, None, body, None);
            self.ordered_loops.truncate(known);
            return;
        }
        let rounds = self.rounds.clone();
        let count =
            if self.known.is_pile(&binder.set) { self.nonempty_taint(&binder.set) } else { taint };
        self.rounds.join_taint(&count);
        self.walk_loop(&Taint::default(), None, body, None);
        self.rounds = rounds;
    }

    /// `break` (`leaves`) goes to the exit of the loop, `continue` to the end of the round.
    pub(super) fn end_round(&mut self, leaves: bool) {
        let reached = self.pc_taint();
        if leaves {
            self.now.break_pc.join_taint(&reached);
            self.exit.join_state(&self.now);
        } else {
            self.now.continue_pc.join_taint(&reached);
            self.round_end.join_state(&self.now);
        }
        self.now.is_unreachable = true;
    }

    /// Binds a member; returns the taint of the set and its condition.
    pub(super) fn walk_binder(&mut self, binder: &Binder) -> Taint {
        self.now.forget_local(binder.local);
        let taint = self.taint_of(&binder.set);
        self.bind_member(binder, &taint);
        let Some(condition) = &binder.condition else { return taint };
        let condition = self.taint_of(condition);
        taint.with_taint(&self.players.forget_seers_in(&condition, |local| local == binder.local))
    }

    /// A loop under `taint`; `condition` is read before each round, `turn` is the place of a `turns` loop.
    pub(super) fn walk_loop(
        &mut self,
        taint: &Taint,
        condition: Option<&Expr>,
        body: &Block,
        turn: Option<Span>,
    ) {
        let at = self.with_break_exit(taint, |walk| {
            walk.with_loop_head(|walk| {
                let taint = condition.map(|it| walk.taint_of(it)).unwrap_or_default();
                walk.pc.join_taint(&taint);
                if let Some(span) = turn {
                    let help = "let the turn begin in any case, and look at the secret in it";
                    walk.check_public_event(&Taint::default(), span, "a turn begins", help);
                }
                walk.walk_loop_body(body);
            })
        });
        // A `break` does not leave the outer loop.
        let break_pc = std::mem::take(&mut self.now.break_pc);
        self.now.join_state(&self.loops[at]);
        self.now.break_pc = break_pc;
    }

    /// `repeat { } until …`, or for ever.
    pub(super) fn repeat(&mut self, body: &Block, until: Option<&Expr>) {
        self.with_break_exit(&Taint::default(), |walk| {
            let at = walk.with_loop_head(|walk| {
                walk.walk_loop_body(body);
                let taint = until.map(|it| walk.taint_of(it)).unwrap_or_default();
                if !taint.is_empty() {
                    let taint = taint.with_taint(&walk.pc_taint());
                    walk.now.break_pc.join_taint(&taint);
                }
            });
            if until.is_some() {
                walk.exit.join_state(&walk.now);
            }
            at
        });
    }

    /// Walks a body once, and joins the states at `continue`.
    fn walk_loop_body(&mut self, body: &Block) {
        let continue_pc = std::mem::take(&mut self.now.continue_pc);
        let pc = self.pc.clone();
        self.pc.join_taint(&continue_pc);
        let round_end = std::mem::replace(&mut self.round_end, FlowState::new_unreachable());
        self.walk_block(body);
        let ended = std::mem::replace(&mut self.round_end, round_end);
        self.now.join_state(&ended);
        self.now.continue_pc = continue_pc;
        self.pc = pc;
    }

    /// Walks a loop under `taint` and continues with the states at `break`.
    fn with_break_exit(&mut self, taint: &Taint, walk: impl FnOnce(&mut Self) -> usize) -> usize {
        let break_pc = std::mem::take(&mut self.now.break_pc);
        let pc = self.pc.clone();
        self.pc.join_taint(taint);
        self.pc.join_taint(&break_pc);
        let exit = std::mem::replace(&mut self.exit, FlowState::new_unreachable());
        let at = walk(self);
        self.now = std::mem::replace(&mut self.exit, exit);
        self.now.break_pc = break_pc;
        self.pc = pc;
        at
    }

    /// Walks what may run several times, and joins its end into its head. Returns the number of the loop.
    pub(super) fn with_loop_head(&mut self, walk: impl FnOnce(&mut Self)) -> usize {
        let at = self.next_loop;
        self.next_loop += 1;
        if at == self.loops.len() {
            self.loops.push(FlowState::new_unreachable());
        }
        self.loops[at].join_state(&self.now);
        self.now.clone_from(&self.loops[at]);
        let outside = std::mem::take(&mut self.rebound);
        self.rebound.extend(self.member.take());
        walk(self);
        self.now.forget_round(&self.rebound);
        self.rebound.extend(outside);
        self.grew |= self.loops[at].join_state(&self.now);
        at
    }

    /// `if` and `match`.
    pub(super) fn walk_cases(&mut self, subject: &Expr, stmt: &Stmt) {
        let taint = self.taint_of(subject);
        let pc = self.pc.clone();
        self.pc.join_taint(&taint);
        let is_test = matches!(stmt.kind, StmtKind::If { .. });
        self.walk_alternatives(&stmt.blocks(), |walk, at, block| {
            if is_test {
                walk.walk_branch_where(subject, at == 0, block);
            } else {
                walk.walk_block(block);
            }
        });
        self.pc = pc;
    }

    /// Walks a branch; assumes its condition if nothing in it changes what the condition reads.
    fn walk_branch_where(&mut self, condition: &Expr, holds: bool, block: &Block) {
        let known = self.bounds.assumption_count();
        if self.bounds.stays_true(condition, block) {
            self.bounds.assume(condition, holds);
        }
        self.walk_block(block);
        self.bounds.keep_assumptions(known);
    }

    /// Walks alternatives from one state and joins their ends.
    pub(super) fn walk_branches(&mut self, blocks: &[&Block]) {
        self.walk_alternatives(blocks, |walk, _, block| walk.walk_block(block));
    }

    /// As `walk_branches`; `walk_one` gets the number of the branch, too.
    pub(super) fn walk_alternatives(
        &mut self,
        blocks: &[&Block],
        walk_one: impl Fn(&mut Self, usize, &Block),
    ) {
        let mut after = FlowState::new_unreachable();
        let before = self.now.clone();
        for (at, block) in blocks.iter().enumerate() {
            self.now.clone_from(&before);
            walk_one(self, at, block);
            after.join_state(&self.now);
        }
        self.now = after;
    }
}
