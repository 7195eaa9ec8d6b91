//! Sets: literals, operations, filters, folds over them.

use crate::bytecode::{NONE, Op};
use crate::compile::{Compiler, SlotRange, error};
use crate::eval::held;
use crate::rules::{
    BinaryOp, Binder, Domain, Expr, ExprKind, RangeId, SetOp, Type, UnaryOp, Value,
};
use crate::syntax::ast::FoldWord;

impl Compiler<'_> {
    /// Computes a set into slots, if it is one of the forms that only sets have.
    pub(super) fn set_into(&mut self, expr: &Expr, dst: SlotRange) -> bool {
        let SlotRange { at: set, width } = dst;
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Set(op), a, b) => {
                let (a, b) = (self.operand(a).at, self.operand(b).at);
                self.code.emit(match op {
                    SetOp::Union => Op::Union { dst: set, a, b, width },
                    SetOp::Minus => Op::Minus { dst: set, a, b, width },
                    SetOp::Common => Op::Common { dst: set, a, b, width },
                });
            }
            ExprKind::SetOf(members) => self.literal(members, expr, dst),
            ExprKind::Unary(UnaryOp::ToSet, member) => {
                self.literal(std::slice::from_ref(&**member), expr, dst);
            }
            ExprKind::Interval(low, high) => self.interval(low, high, expr, dst),
            ExprKind::Unary(UnaryOp::Others, player) => self.others(player, dst),
            ExprKind::Filter(binder) if is_plain(&binder.set) => {
                let conditions = Self::conditions(binder, &[]);
                let filtered = self.filtered(&binder.set, binder.local, &conditions);
                self.copy(set, filtered);
            }
            ExprKind::Filter(binder) => {
                self.code.emit(Op::Clear { set, width });
                self.each(binder, |compiler| {
                    let member = compiler.bound_member(binder, expr);
                    compiler.code.emit(Op::Insert { set, member, width });
                });
            }
            ExprKind::Image(body, binder) => {
                self.code.emit(Op::Clear { set, width });
                self.each(binder, |compiler| compiler.insert(body, expr, dst));
            }
            ExprKind::Fold { word: FoldWord::Highest, binder, body } => {
                self.best(true, binder, body, expr, dst);
            }
            ExprKind::Fold { word: FoldWord::Lowest, binder, body } => {
                self.best(false, binder, body, expr, dst);
            }
            _ => return false,
        }
        true
    }

    /// A set that is written with its members; some may be sets themselves.
    fn literal(&mut self, members: &[Expr], expr: &Expr, dst: SlotRange) {
        let SlotRange { at: set, width } = dst;
        if let [member] = members
            && !matches!(member.ty, Type::Set(_) | Type::List(..))
        {
            let member = self.new_member(member, expr);
            return self.code.emit(Op::Single { set, member, width });
        }
        self.code.emit(Op::Clear { set, width });
        members.iter().for_each(|member| self.insert(member, expr, dst));
    }

    /// Puts a member, a maybe or a whole set into a set.
    fn insert(&mut self, member: &Expr, set: &Expr, dst: SlotRange) {
        let mark = self.mark();
        let SlotRange { at, width } = dst;
        if matches!(member.ty, Type::List(..)) {
            self.insert_elements(member, dst);
        } else if matches!(member.ty, Type::Set(_)) {
            let b = self.operand(member).at;
            self.code.emit(Op::Union { dst: at, a: at, b, width });
        } else {
            let member = self.new_member(member, set);
            self.code.emit(Op::Insert { set: at, member, width });
        }
        self.release(mark);
    }

    /// The position of a member that comes into a set: a number must be one of its range.
    pub(super) fn new_member(&mut self, member: &Expr, set: &Expr) -> u16 {
        let a = self.word(member);
        self.check_member(a, member, set);
        let low = self.low(set);
        self.behind_low(a, low)
    }

    /// Checks that a set of numbers may have a number: before play, if it is known then.
    fn check_member(&mut self, a: u16, member: &Expr, set: &Expr) {
        let Some(range) = range_of(set) else { return };
        let (low, high) = self.ranges[range.index()];
        match self.fold(member) {
            Some(Value::Int(number)) => {
                let high = high.unwrap_or(i64::MAX);
                // An empty range was reported; every number is outside of it.
                if low <= high && !(low..=high).contains(&number) {
                    let range = format!("{low}..{high}");
                    let (setting, span) = (self.setting_text(), member.span);
                    self.errors.push(error::no_member(number, range, setting, span));
                }
            }
            _ => self.check_range(a, Some(range)),
        }
    }

    /// A position in a slot becomes the member that it stands for.
    pub(super) fn add_low(&mut self, dst: u16, low: i64) {
        if low != 0 {
            let b = self.code.constant(low);
            self.code.emit(Op::Add { dst, a: dst, b });
        }
    }

    /// All from one member to another; none if they are the wrong way round.
    fn interval(&mut self, low: &Expr, high: &Expr, set: &Expr, dst: SlotRange) {
        let (a, b) = (self.word(low), self.word(high));
        if range_of(set).is_some() {
            let empty = self.code.label();
            self.code.emit(Op::JumpLess { a: b, b: a, to: empty });
            self.check_member(a, low, set);
            self.check_member(b, high, set);
            self.code.place(empty);
        }
        let first = self.low(set);
        let (low, high) = (self.behind_low(a, first), self.behind_low(b, first));
        self.code.emit(Op::Interval { dst: dst.at, low, high, width: dst.width });
    }

    fn bound_member(&mut self, binder: &Binder, set: &Expr) -> u16 {
        let (low, a) = (self.low(set), self.local_slots(binder.local).at);
        if binder.set.ty != set.ty {
            self.check_range(a, range_of(set));
        }
        self.behind_low(a, low)
    }

    fn others(&mut self, player: &Expr, dst: SlotRange) {
        let member = self.word(player);
        let all: i64 = (0..self.setting.players).map(|seat| 1_i64 << seat).sum();
        let src = self.code.constant(all);
        self.code.emit(Op::Move { dst: dst.at, src });
        self.code.emit(Op::Remove { set: dst.at, member, width: dst.width });
    }

    /// The set of the members with the best keys: the first key counts, the next break ties.
    fn best(&mut self, highest: bool, binder: &Binder, keys: &[Expr], expr: &Expr, dst: SlotRange) {
        let mark = self.mark();
        // A list counts as its words, one after another.
        let widths: Vec<u16> = keys.iter().map(|key| self.width(&key.ty, key.span)).collect();
        let best: Vec<SlotRange> = (0..widths.iter().sum()).map(|_| self.take(1)).collect();
        let SlotRange { at: set, width } = dst;
        self.code.emit(Op::Clear { set, width });
        self.each(binder, |compiler| {
            let values = keys.iter().zip(&widths);
            let values: Vec<u16> = values
                .map(|(key, width)| (compiler.word(key), *width))
                .flat_map(|(at, width)| at..at + width)
                .collect();
            let [better, equal, worse, compare] = compiler.code.labels();
            compiler.code.emit(Op::JumpSome { set, width, to: compare });
            compiler.code.emit(Op::Jump { to: better });
            compiler.code.place(compare);
            for (value, best) in values.iter().zip(&best) {
                let (high, low) = if highest { (*value, best.at) } else { (best.at, *value) };
                compiler.code.emit(Op::JumpLess { a: low, b: high, to: better });
                compiler.code.emit(Op::JumpLess { a: high, b: low, to: worse });
            }
            compiler.code.emit(Op::Jump { to: equal });
            compiler.code.place(better);
            compiler.code.emit(Op::Clear { set, width });
            for (value, best) in values.iter().zip(&best) {
                compiler.code.emit(Op::Move { dst: best.at, src: *value });
            }
            compiler.code.place(equal);
            let member = compiler.bound_member(binder, expr);
            compiler.code.emit(Op::Insert { set, member, width });
            compiler.code.place(worse);
        });
        self.release(mark);
    }

    pub(super) fn fold_value(
        &mut self,
        word: FoldWord,
        binder: &Binder,
        body: &[Expr],
        dst: SlotRange,
    ) {
        let members = match word {
            FoldWord::Count | FoldWord::First | FoldWord::Last => {
                self.members_of_span(binder, body)
            }
            _ => None,
        };
        let binder = members.as_ref().unwrap_or(binder);
        let dst = dst.at;
        let total = match word {
            FoldWord::Any => return self.found(true, binder, &body[0], dst),
            FoldWord::All => return self.found(false, binder, &body[0], dst),
            FoldWord::First => return self.first(binder, body, false, dst),
            FoldWord::Last => return self.first(binder, body, true, dst),
            FoldWord::Count if is_plain(&binder.set) => {
                let conditions = Self::conditions(binder, body);
                let SlotRange { at: set, width } =
                    self.filtered(&binder.set, binder.local, &conditions);
                return self.code.emit(Op::Count { dst, set, width });
            }
            FoldWord::Count => self.gather(binder, 0, |compiler, total| {
                let (b, skip) = (compiler.code.constant(1), compiler.code.label());
                body.iter().for_each(|condition| compiler.condition(condition, false, skip));
                compiler.code.emit(Op::Add { dst: total, a: total, b });
                compiler.code.place(skip);
            }),
            FoldWord::Sum if self.sum_of(binder, &body[0], dst) => return,
            FoldWord::Sum => self.gather(binder, 0, |compiler, total| {
                let b = compiler.word(&body[0]);
                compiler.code.emit(Op::Add { dst: total, a: total, b });
            }),
            FoldWord::Min | FoldWord::Max => {
                let best = self.gather(binder, NONE, |compiler, best| {
                    let (value, none) = (compiler.word(&body[0]), compiler.none());
                    let [take, keep] = compiler.code.labels();
                    compiler.code.emit(Op::JumpEqual { a: best, b: none, to: take });
                    let (a, b) = if word == FoldWord::Min { (best, value) } else { (value, best) };
                    compiler.code.emit(Op::JumpAtMost { a, b, to: keep });
                    compiler.code.place(take);
                    compiler.code.emit(Op::Move { dst: best, src: value });
                    compiler.code.place(keep);
                });
                self.code.emit(Op::CheckSome { a: best });
                best
            }
            FoldWord::Highest | FoldWord::Lowest => unreachable!("these give a set"),
        };
        self.code.emit(Op::Move { dst, src: total });
    }

    /// A word that begins at a constant and that each member may change.
    fn gather(&mut self, binder: &Binder, first: i64, change: impl FnOnce(&mut Self, u16)) -> u16 {
        let (src, total) = (self.code.constant(first), self.take(1).at);
        self.code.emit(Op::Move { dst: total, src });
        self.each(binder, |compiler| change(compiler, total));
        total
    }

    fn found(&mut self, any: bool, binder: &Binder, body: &Expr, dst: u16) {
        let [found, missed] = [any, !any].map(|word| self.code.constant(word.into()));
        let end = self.code.label();
        // What decides is put there first: a label that is passed over costs nothing.
        let decided = self.take(1).at;
        self.code.emit(Op::Move { dst: decided, src: found });
        self.search(binder, body, any, any, end);
        self.code.emit(Op::Move { dst: decided, src: missed });
        self.code.place(end);
        self.code.emit(Op::Move { dst, src: decided });
    }

    fn first(&mut self, binder: &Binder, body: &[Expr], last: bool, dst: u16) {
        let conditions = Self::conditions(binder, body);
        if is_plain(&binder.set)
            && let Some(cut) = self.cut_whole(&binder.set, binder.local, &conditions)
        {
            let (SlotRange { at: set, width }, end) = (cut, self.code.label());
            self.code.emit(if last {
                Op::Last { dst, set, width }
            } else {
                Op::First { dst, set, width }
            });
            let low = self.low(&binder.set);
            if low != 0 {
                let none = self.none();
                self.code.emit(Op::JumpEqual { a: dst, b: none, to: end });
                self.add_low(dst, low);
            }
            return self.code.place(end);
        }
        let end = self.code.label();
        let found = self.gather(binder, NONE, |compiler, found| {
            let skip = compiler.code.label();
            body.iter().for_each(|condition| compiler.condition(condition, false, skip));
            let src = compiler.local_slots(binder.local).at;
            compiler.code.emit(Op::Move { dst: found, src });
            if !last {
                compiler.code.emit(Op::Jump { to: end });
            }
            compiler.code.place(skip);
        });
        self.code.place(end);
        self.code.emit(Op::Move { dst, src: found });
    }
}

/// Whether something is a set whose members are all there is to it, not a span, a maybe or an order.
pub(super) fn is_plain(set: &Expr) -> bool {
    matches!(set.ty, Type::Set(_)) && !set.is_ordered()
}

/// The numbers that a set may have, if it is one of numbers.
fn range_of(set: &Expr) -> Option<RangeId> {
    if let Some(Domain::Range(range)) = held(&set.ty) { Some(range) } else { None }
}
