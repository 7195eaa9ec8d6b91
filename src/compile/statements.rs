//! Statements: what a rule does, one after the other.

use crate::bytecode::{NONE, Op};
use crate::compile::layout::{elements, indices_of};
use crate::compile::places::{AssignTarget, SlotAccess};
use crate::compile::{Compiler, Pass, ReturnPath, SlotRange, Storage};
use crate::rules::{
    BinaryOp, Block, Expr, ExprKind, LocalId, ResetTarget, Stmt, StmtKind, Type, UnaryOp, Value,
    VarForm,
};
use crate::syntax::ast::{CoinVerb, PastVerb};

impl Compiler<'_> {
    /// Statements in braces: what they bind is forgotten after them.
    pub(super) fn block(&mut self, block: &Block) {
        let mark = self.mark();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.release(mark);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        if !self.may_go_on() {
            return;
        }
        let outer = std::mem::replace(&mut self.code.span, stmt.span);
        // What a name is bound to stays in use until the end of its block.
        match &stmt.kind {
            StmtKind::Let(local, value) => self.bind(*local, value),
            StmtKind::LetArray { local, binders, value } => {
                self.bind_array(*local, binders, value);
            }
            _ => {
                let mark = self.mark();
                self.change(stmt);
                self.release(mark);
            }
        }
        self.code.span = outer;
    }

    fn change(&mut self, stmt: &Stmt) {
        self.forget_changed(stmt);
        match &stmt.kind {
            StmtKind::Let(..) | StmtKind::LetArray { .. } => unreachable!("bound above"),
            StmtKind::Assign(place, value) => self.assign(place, value),
            StmtKind::Change { place, add, value } => self.add(place, *add, value),
            StmtKind::Swap(a, b) => self.swap(a, b),
            StmtKind::Reset(targets) => targets.iter().for_each(|target| {
                self.unlearn(target);
                self.reset(target);
            }),
            StmtKind::Show { targets, to } => self.show(targets, to.as_ref()),
            StmtKind::Coin { place, verb, amount } => self.coin(place, *verb, amount),
            StmtKind::Roll { place, binder: None } => self.roll(place),
            StmtKind::Roll { place, binder: Some(binder) } => {
                self.in_turn(binder, None, None, |compiler| compiler.roll(place));
            }
            StmtKind::If { condition, then, otherwise } => {
                self.branches(condition, then, otherwise, Self::block);
            }
            StmtKind::Match { subject, arms } => self.cases(subject, arms, Self::block),
            StmtKind::For { binder, from, body } => self.for_loop(binder, from.as_ref(), body),
            StmtKind::Times(times, body) => self.times(times, body),
            StmtKind::Repeat(body, until) => self.repeat(body, until.as_ref()),
            StmtKind::While(condition, body) => self.while_loop(condition, body),
            StmtKind::Turns { local, from, backwards, condition, body } => {
                self.turns((*local, from), *backwards, condition.as_ref(), body);
            }
            StmtKind::Break => {
                let to = self.loop_around().exit;
                self.code.emit(Op::Jump { to });
            }
            StmtKind::Continue => {
                let to = self.loop_around().round;
                self.code.emit(Op::Jump { to });
            }
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Say { to, text } => self.say(to.as_ref(), text),
            StmtKind::Cards(action) => self.card_action(action),
            StmtKind::Past(verb, id) => {
                let history = self.code.fit(id.index(), "histories");
                self.code.emit(match verb {
                    PastVerb::Remember => Op::Remember { history },
                    PastVerb::Forget => Op::Forget { history },
                });
            }
            StmtKind::Choose(choose) => self.choose(choose, stmt.span),
            StmtKind::FinishDraw => self.code.emit(Op::FinishDraw {}),
            StmtKind::FinishWin(set) => {
                let SlotRange { at: set, width } = self.operand(set);
                self.code.emit(Op::FinishWin { set, width });
            }
            StmtKind::FinishRanking { local, keys } => self.rank(*local, keys),
            StmtKind::Call(call) => match &call.kind {
                ExprKind::Call(rule, args) => self.call(*rule, args, None, call.span),
                _ => {
                    self.operand(call);
                }
            },
        }
    }

    fn bind(&mut self, local: LocalId, value: &Expr) {
        let known = self.local_info(local);
        if let (false, Some(value)) = (known.mutable, self.fold(value)) {
            self.keep_local(local, Storage::Known(value));
            return;
        }
        let dst = self.take_for(&known.ty, value.span);
        let mark = self.mark();
        self.compute(value, dst);
        self.check_range(dst.at, known.range);
        self.release(mark);
        self.keep_local(local, Storage::Slots(dst.at, dst.width));
    }

    fn bind_array(&mut self, local: LocalId, binders: &[Option<LocalId>], value: &Expr) {
        let known = self.local_info(local);
        let dims: Vec<(i64, usize)> =
            known.dims.iter().map(|domain| self.domain(*domain, value.span)).collect();
        let width = self.width(&known.ty, value.span);
        let words = elements(&dims).saturating_mul(width.into());
        let words = self.code.fit(words, "words in the state");
        let base = self.take(words).at;
        for element in 0..words / width {
            self.bind_indices(binders, &dims, element.into());
            let mark = self.mark();
            self.compute(value, SlotRange { at: base + element * width, width });
            self.release(mark);
        }
        self.keep_local(local, Storage::Array(base, dims, width));
    }

    /// Binds the names of the indices of an array to those of an element.
    pub(super) fn bind_indices(
        &mut self,
        binders: &[Option<LocalId>],
        dims: &[(i64, usize)],
        element: usize,
    ) {
        for (binder, index) in binders.iter().zip(indices_of(dims, element)) {
            if let Some(binder) = binder {
                self.keep_local(*binder, Storage::Known(Value::Int(index)));
            }
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) {
        let range = self.range_of(place);
        if matches!(value.kind, ExprKind::Random(_)) {
            self.draw_into(place);
        }
        // Only forms that read all their parts before they write may be computed in place.
        let in_place = matches!(
            value.kind,
            ExprKind::Binary(BinaryOp::Arith(_) | BinaryOp::Set(_), ..)
                | ExprKind::Unary(
                    UnaryOp::Negate | UnaryOp::Reverse | UnaryOp::Next | UnaryOp::Previous,
                    _,
                )
        );
        // A value that pauses may change what the index of the place reads: it is computed first. So is a
        // value that may trap where the place may trap, too.
        let early = pauses(value) || !self.is_safe(place) && !self.is_safe(value);
        let early = early.then(|| self.operand(value));
        // As long as the value is waited for, the old one is known.
        self.forget(place);
        let target = self.target(place);
        match (target, early) {
            (AssignTarget::Plain(SlotAccess::Fixed(dst)), None) if range.is_none() && in_place => {
                self.compute(value, dst);
            }
            (target, early) => {
                let value = early.unwrap_or_else(|| self.operand(value));
                self.check_range(value.at, range);
                self.store(target, value);
            }
        }
    }

    fn add(&mut self, place: &Expr, add: bool, value: &Expr) {
        let (target, range) = (self.target(place), self.range_of(place));
        if let (AssignTarget::Plain(access), Type::Set(_)) = (target, &place.ty) {
            return self.add_members(access, add, value);
        }
        if let (AssignTarget::Plain(access), Type::List(..)) = (target, &place.ty) {
            return self.add_element(access, place, value);
        }
        if let AssignTarget::Plain(SlotAccess::Indexed { base, index, count, .. }) = target
            && self.tries(Pass::Fused)
            && let Some(b) = self.added(add, value, range.is_some())
        {
            self.fires(Pass::Fused);
            let (low, high) = range.map_or((NONE, None), |range| self.ranges[range.index()]);
            let range = self.code.constants(&[low, high.unwrap_or(NONE)]);
            return self.code.emit(Op::AddAt { base, index, count, b, range });
        }
        let a = self.read(target, None).at;
        let b = self.word(value);
        let direct = matches!(target, AssignTarget::Plain(SlotAccess::Fixed(_))) && range.is_none();
        let dst = if direct { a } else { self.take(1).at };
        self.code.emit(if add { Op::Add { dst, a, b } } else { Op::Subtract { dst, a, b } });
        self.check_range(dst, range);
        self.store(target, SlotRange { at: dst, width: 1 });
    }

    /// What is added to a number where it lies. Without a range the number is read before what is added is
    /// computed, which must not make a difference then.
    fn added(&mut self, add: bool, value: &Expr, has_range: bool) -> Option<u16> {
        if add {
            return (has_range || !value.any(pauses)).then(|| self.word(value));
        }
        let Value::Int(number) = self.fold(value)? else { return None };
        number.checked_neg().map(|number| self.code.constant(number))
    }

    fn add_members(&mut self, set: SlotAccess, add: bool, value: &Expr) {
        if let Some(member) = self.changed_member(add, value) {
            return self.change_member(set, member, add);
        }
        let old @ SlotRange { at: dst, width } = self.load_from(set, None);
        let (a, b) = (dst, self.word(value));
        self.code.emit(if add {
            Op::Union { dst, a, b, width }
        } else {
            Op::Minus { dst, a, b, width }
        });
        self.store(AssignTarget::Plain(set), old);
    }

    /// The one member that is added or removed, as its position.
    fn changed_member(&mut self, add: bool, value: &Expr) -> Option<u16> {
        let member = single(value).filter(|member| !matches!(member.ty, Type::Set(_)))?;
        Some(if add { self.new_member(member, value) } else { self.member(member, value) })
    }

    fn swap(&mut self, a: &Expr, b: &Expr) {
        let (first, second) = (self.target(a), self.target(b));
        let (x, y) = (self.read(first, None), self.read(second, None));
        let kept = self.take(x.width);
        self.copy(kept.at, x);
        let (range, other) = (self.range_of(a), self.range_of(b));
        self.check_range(y.at, range);
        self.check_range(kept.at, other);
        self.store(first, y);
        self.store(second, kept);
    }

    fn reset(&mut self, target: &ResetTarget) {
        if let VarForm::Pile(pile) = self.rules.vars[target.var.index()].form {
            return self.call_back(target, pile);
        }
        self.reset_to(&self.var(target.var), &target.indices);
    }

    fn coin(&mut self, place: &Expr, verb: CoinVerb, amount: &Expr) {
        let target = self.target(place);
        let SlotRange { at: have, .. } = self.read(target, None);
        let cost = self.word(amount);
        if self.fold(amount).is_none_or(|amount| amount < Value::Int(0)) {
            self.code.emit(Op::CheckAmount { a: cost });
        }
        let (low, high) = match self.range_of(place) {
            Some(range) => self.ranges[range.index()],
            None => (0, None),
        };
        let low = self.code.constant(low);
        let dst = self.take(1).at;
        match verb {
            CoinVerb::Gains | CoinVerb::GainsAtMost => {
                self.code.emit(Op::Add { dst, a: have, b: cost });
                if let Some(high) = high {
                    let high = self.code.constant(high);
                    self.code.emit(match verb {
                        CoinVerb::Gains => Op::CutOff { a: dst, high },
                        _ => Op::Least { dst, a: dst, b: high },
                    });
                }
            }
            CoinVerb::Loses => {
                self.code.emit(Op::Subtract { dst, a: have, b: cost });
                self.code.emit(Op::Greatest { dst, a: dst, b: low });
            }
            CoinVerb::Pays => {
                self.code.emit(Op::CheckPay { have, cost, low });
                self.code.emit(Op::Subtract { dst, a: have, b: cost });
            }
        }
        self.store(target, SlotRange { at: dst, width: 1 });
    }

    fn give_back(&mut self, value: Option<&Expr>) {
        let result = match self.body.returning {
            ReturnPath::To(_, result) => result,
            ReturnPath::Back => self.functions[self.current].result,
        };
        if let (Some(value), Some(result)) = (value, result) {
            self.compute(value, result);
        }
        self.leave_turns();
        match self.body.returning {
            ReturnPath::To(to, _) => self.code.emit(Op::Jump { to }),
            ReturnPath::Back => self.return_back(),
        }
    }

    /// The keys of all players, one key after the other, then the end.
    fn rank(&mut self, local: LocalId, keys: &[Expr]) {
        let players = self.players();
        let count = self.code.fit(keys.len(), "keys");
        let base = self.take(count * players).at;
        for seat in 0..players {
            self.keep_local(local, Storage::Known(Value::Int(seat.into())));
            for (key, at) in keys.iter().zip(0..) {
                let mark = self.mark();
                let dst = SlotRange { at: base + at * players + seat, width: 1 };
                self.compute(key, dst);
                self.release(mark);
            }
        }
        let lowest = u16::from(matches!(keys[0].kind, ExprKind::Unary(UnaryOp::Reverse, _)));
        self.code.emit(Op::FinishRanking { base, count, lowest, width: players });
    }
}

/// Whether this expression itself, not its parts, pauses the game or calls a rule.
fn pauses(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Call(..)
            | ExprKind::Random(_)
            | ExprKind::Roll(_)
            | ExprKind::Pick(_)
            | ExprKind::End(_)
    )
}

/// The one member of a set that is written with one.
pub(super) fn single(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        // A list may have several members.
        ExprKind::Unary(UnaryOp::ToSet, member) if !matches!(member.ty, Type::List(..)) => {
            Some(member)
        }
        ExprKind::SetOf(members) if members.len() == 1 => members.first(),
        _ => None,
    }
}
