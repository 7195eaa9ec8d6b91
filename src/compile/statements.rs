//! Statements: what a rule does, one after the other.

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::check::rules::VarForm;
use crate::check::rules::{
    Block, Expr, ExprKind, LocalId, RangeId, ResetTarget, Stmt, StmtKind, Type, Value,
};
use crate::compile::layout::elements;
use crate::compile::value_sets::Kept;
use crate::compile::{Compiler, Returning, Slots, Storage};
use crate::syntax::ast::CoinVerb;

impl Compiler<'_> {
    /// Statements in braces: what they bind is forgotten behind them.
    pub(super) fn block(&mut self, block: &Block) {
        let mark = self.mark();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.release(mark);
    }

    /// One statement.
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
            StmtKind::Reset(targets) => targets.iter().for_each(|target| self.reset(target)),
            StmtKind::Show { targets, to } => self.show(targets, to.as_ref()),
            StmtKind::Coin { place, verb, amount } => self.coin(place, *verb, amount),
            StmtKind::Roll { place, binder: None } => self.roll(place),
            StmtKind::Roll { place, binder: Some(binder) } => {
                self.roll_each(binder, place);
            }
            StmtKind::If { condition, then, otherwise } => self.if_else(condition, then, otherwise),
            StmtKind::Match { subject, arms } => {
                self.cases(subject, arms, Self::block);
            }
            StmtKind::For { binder, from, body } => self.for_loop(binder, from.as_ref(), body),
            StmtKind::Times(times, body) => self.times(times, body),
            StmtKind::Repeat(body, until) => self.repeat(body, until.as_ref()),
            StmtKind::While(condition, body) => self.while_loop(condition, body),
            StmtKind::Turns { local, from, condition, body } => {
                self.turns(*local, from, condition.as_ref(), body);
            }
            StmtKind::Break => {
                let to = *self.body.breaks.last().expect("checked: `break` stands in a loop");
                self.code.emit(Op::Jump { to });
            }
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Say { to, text } => self.say(to.as_ref(), text),
            StmtKind::Cards(deed) => self.card_deed(deed),
            StmtKind::Choose(choose) => self.choose(choose, stmt.span),
            StmtKind::FinishDraw => self.code.emit(Op::FinishDraw {}),
            StmtKind::FinishWin(set) => {
                let Slots { at: set, width } = self.operand(set);
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

    // Names.

    fn bind(&mut self, local: LocalId, value: &Expr) {
        let known = self.local_info(local);
        if let (false, Some(value)) = (known.mutable, self.fold(value)) {
            self.keep_local(local, Storage::Known(value));
            return;
        }
        let width = self.width(&known.ty, value.span);
        let dst = self.take(width);
        let mark = self.mark();
        self.compute(value, dst);
        self.check_range(dst.at, known.range);
        self.release(mark);
        self.keep_local(local, Storage::Slots(dst.at, width));
    }

    fn bind_array(&mut self, local: LocalId, binders: &[Option<LocalId>], value: &Expr) {
        let known = self.local_info(local);
        let dims: Vec<(i64, usize)> =
            known.dims.iter().map(|domain| self.domain(*domain, value.span)).collect();
        let width = self.width(&known.ty, value.span);
        let count = elements(&dims);
        let words = u16::try_from(count.saturating_mul(width.into())).unwrap_or_else(|_| {
            self.code.exceed("words in the state");
            1
        });
        let base = self.take(words).at;
        for element in 0..u16::try_from(count).unwrap_or(0) {
            self.bind_indices(binders, &dims, element.into());
            let mark = self.mark();
            self.compute(value, Slots { at: base + element * width, width });
            self.release(mark);
        }
        self.keep_local(local, Storage::Array(base, dims, width));
    }

    fn bind_indices(&mut self, binders: &[Option<LocalId>], dims: &[(i64, usize)], element: usize) {
        let mut left = element;
        for ((low, size), binder) in dims.iter().zip(binders).rev() {
            let index = low + i64::try_from(left % size).unwrap_or(0);
            left /= size;
            if let Some(binder) = binder {
                self.keep_local(*binder, Storage::Known(Value::Int(index)));
            }
        }
    }

    pub(super) fn local_info(&self, local: LocalId) -> crate::check::rules::Local {
        let rule = match self.body.rule {
            Some(rule) => Some(&self.rules.rules[rule.index()]),
            None => self.snippet.as_ref(),
        };
        let local = rule.and_then(|rule| rule.locals.get(local.index()));
        local.cloned().expect("the checker lists every local of a rule")
    }

    // Places.

    /// Where something is assigned to: slots, or an element whose position is computed.
    fn target(&mut self, place: &Expr) -> Target {
        if let Some(kept) = self.kept(place) {
            return Target::Kept(kept);
        }
        let (base, width, dims, indices) = self.array(place);
        match self.fixed(&dims, &indices) {
            Some(at) => Target::Slots(Slots { at: base + at * width, width }),
            None => {
                let count = dims.iter().map(|(_, size)| size).product::<usize>();
                let count = u16::try_from(count).unwrap_or(u16::MAX);
                let index = self.position(&dims, &indices);
                Target::Element { base, index, count, width }
            }
        }
    }

    /// The value at a target, where it can be read.
    fn at(&mut self, target: Target) -> Slots {
        match target {
            Target::Slots(slots) => slots,
            Target::Element { base, index, count, width } => {
                let dst = self.take(width);
                self.load(dst, base, index, count.into());
                dst
            }
            Target::Kept(kept) => {
                let dst = self.take(1);
                self.load_kept(kept, dst.at);
                dst
            }
        }
    }

    fn store(&mut self, target: Target, value: Slots) {
        match target {
            Target::Slots(slots) => self.copy(slots.at, value),
            Target::Kept(kept) => self.store_kept(kept, value.at),
            Target::Element { base, index, count, width: 1 } => {
                self.code.emit(Op::Store { base, index, src: value.at, count });
            }
            Target::Element { base, index, count, width } => {
                self.code.emit(Op::StoreSet { base, index, src: value.at, count, width });
            }
        }
    }

    fn range_of(&self, place: &Expr) -> Option<RangeId> {
        match &place.kind {
            ExprKind::Var(var, _) => self.rules.vars[var.index()].range,
            ExprKind::Local(local) | ExprKind::LocalElement(local, _) => {
                self.local_info(*local).range
            }
            _ => None,
        }
    }

    /// A trap if the number is outside the range.
    pub(super) fn check_range(&mut self, a: u16, range: Option<RangeId>) {
        let Some(range) = range else { return };
        let (low, high) = self.ranges[range.index()];
        let low = self.code.constant(low);
        let high = self.code.constant(high.unwrap_or(NONE));
        self.code.emit(Op::CheckRange { a, low, high });
    }

    /// Only forms that read all their parts before they write may be computed in place.
    fn computes_in_place(value: &Expr) -> bool {
        matches!(
            value.kind,
            ExprKind::Arith(..) | ExprKind::SetOp(..) | ExprKind::Negate(_) | ExprKind::Call(..)
        )
    }

    fn assign(&mut self, place: &Expr, value: &Expr) {
        let range = self.range_of(place);
        // A value that pauses may change what the index of the place reads: it comes first.
        let pauses = matches!(
            value.kind,
            ExprKind::Random(_)
                | ExprKind::Roll(_)
                | ExprKind::Pick(_)
                | ExprKind::End(_)
                | ExprKind::Call(..)
        );
        if matches!(value.kind, ExprKind::Random(_)) {
            self.draw_into(place);
        }
        let early = pauses.then(|| self.operand(value));
        let target = self.target(place);
        match (target, early) {
            (Target::Slots(dst), None) if range.is_none() && Self::computes_in_place(value) => {
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
        let target = self.target(place);
        if let Target::Element { base, index, count, width } = target
            && self.add_at([base, index, count, width], place, add, value)
        {
            return;
        }
        let old = self.at(target);
        if matches!(place.ty, Type::Set(_)) {
            return self.add_members(target, old, add, value);
        }
        let b = self.word(value);
        let range = self.range_of(place);
        let direct = matches!(target, Target::Slots(_)) && range.is_none();
        let dst = if direct { old.at } else { self.take(1).at };
        let a = old.at;
        self.code.emit(if add { Op::Add { dst, a, b } } else { Op::Subtract { dst, a, b } });
        self.check_range(dst, range);
        self.store(target, Slots { at: dst, width: 1 });
    }

    /// One operation for an element of an array, if there is one.
    fn add_at(
        &mut self,
        [base, index, count, width]: [u16; 4],
        place: &Expr,
        add: bool,
        value: &Expr,
    ) -> bool {
        if matches!(place.ty, Type::Set(_)) {
            let single = single(value).filter(|member| !matches!(member.ty, Type::Set(_)));
            let Some(member) = single else { return false };
            let member =
                if add { self.new_member(member, value) } else { self.member(member, value) };
            self.code.emit(if add {
                Op::InsertAt { base, index, count, member, width }
            } else {
                Op::RemoveAt { base, index, count, member, width }
            });
            return true;
        }
        let range = self.range_of(place).map(|range| self.ranges[range.index()]);
        let (true, Some((low, high))) = (add, range) else { return false };
        let b = self.word(value);
        let range = self.code.constants(&[low, high.unwrap_or(NONE)]);
        self.code.emit(Op::AddAt { base, index, count, b, range });
        true
    }

    fn add_members(&mut self, target: Target, old: Slots, add: bool, value: &Expr) {
        let Slots { at: set, width } = old;
        if let Some(member) = single(value).filter(|member| !matches!(member.ty, Type::Set(_))) {
            let member =
                if add { self.new_member(member, value) } else { self.member(member, value) };
            self.code.emit(if add {
                Op::Insert { set, member, width }
            } else {
                Op::Remove { set, member, width }
            });
        } else {
            let b = self.operand(value).at;
            let (dst, a) = (set, set);
            self.code.emit(if add {
                Op::Union { dst, a, b, width }
            } else {
                Op::Minus { dst, a, b, width }
            });
        }
        self.store(target, old);
    }

    fn swap(&mut self, a: &Expr, b: &Expr) {
        let (first, second) = (self.target(a), self.target(b));
        let (x, y) = (self.at(first), self.at(second));
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
        let place = self.var(target.var).clone();
        let given = target.indices.len();
        if let Some(sets) = place.sets.filter(|_| given == place.dims.len()) {
            return self.reset_kept(&place, sets, &target.indices);
        }
        let rest = elements(&place.dims[given..]);
        let dims = &place.dims[..given];
        let words = rest * place.initial.len() / place.count().max(1);
        let words = u16::try_from(words).unwrap_or(u16::MAX);
        if words == 0 {
            return;
        }
        let initial = self.code.constants(&place.initial);
        let count = place.count() / rest;
        if let Some(at) = self.fixed(dims, &target.indices) {
            let src = Slots { at: initial + at * words, width: words };
            return self.copy(place.base + at * words, src);
        }
        let index = self.position(dims, &target.indices);
        let value = self.take(words);
        self.load(value, initial, index, count);
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        self.store(Target::Element { base: place.base, index, count, width: words }, value);
    }

    fn coin(&mut self, place: &Expr, verb: CoinVerb, amount: &Expr) {
        let target = self.target(place);
        let Slots { at: have, .. } = self.at(target);
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
        self.store(target, Slots { at: dst, width: 1 });
    }

    // Flow.

    fn if_else(&mut self, condition: &Expr, then: &Block, otherwise: &Block) {
        if let Some(holds) = self.fold(condition) {
            let branch = if holds == Value::Int(0) { otherwise } else { then };
            return self.block(branch);
        }
        let (fails, end) = (self.code.label(), self.code.label());
        self.condition(condition, false, fails);
        self.block(then);
        if !otherwise.is_empty() {
            self.code.emit(Op::Jump { to: end });
        }
        self.code.place(fails);
        self.block(otherwise);
        self.code.place(end);
    }

    fn give_back(&mut self, value: Option<&Expr>) {
        match self.body.returning {
            Returning::To(to, result) => {
                if let (Some(value), Some(result)) = (value, result) {
                    self.compute(value, result);
                }
                self.leave_turns();
                self.code.emit(Op::Jump { to });
            }
            Returning::Back => {
                if let (Some(value), Some(result)) = (value, self.functions[self.current].result) {
                    self.compute(value, result);
                }
                self.leave_turns();
                self.return_back();
            }
        }
    }

    /// The keys of all players, one key behind the other, then the end.
    fn rank(&mut self, local: LocalId, keys: &[Expr]) {
        let players = u16::try_from(self.setting.players).unwrap_or(1);
        let count = u16::try_from(keys.len()).unwrap_or(1);
        let base = self.take(count * players).at;
        for seat in 0..players {
            self.keep_local(local, Storage::Known(Value::Int(seat.into())));
            for (key, at) in keys.iter().zip(0..) {
                let mark = self.mark();
                let dst = Slots { at: base + at * players + seat, width: 1 };
                self.compute(key, dst);
                self.release(mark);
            }
        }
        self.code.emit(Op::FinishRanking { base, count, width: players });
    }
}

/// Where something is assigned to.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// Slots that are known.
    Slots(Slots),
    /// An element whose position stands in a slot.
    Element { base: u16, index: u16, count: u16, width: u16 },
    /// An element of an array that is kept as sets.
    Kept(Kept),
}

/// The one member of a set that is written with one.
fn single(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        ExprKind::ToSet(member) => Some(member),
        ExprKind::SetOf(members) => match members.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}
