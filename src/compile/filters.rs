//! Filters by operations on whole sets; conditions without a form are tested for each member.

use std::collections::BTreeMap;

use crate::bytecode::{Lines, NONE, Op, sets};
use crate::compile::code::{CodeLabel, position_of};
use crate::compile::forms::{Comparison, Related, SetForm};
use crate::compile::places::SlotAccess;
use crate::compile::set_predicates::{PredicateMember, member_domain};
use crate::compile::{Compiler, Pass, SlotRange, Storage};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{BinaryOp, Binder, Domain, Expr, ExprKind, LocalId, Type, Value, VarId};

/// In more ways than this the sets that are reached are joined one by one.
const MOST_MOVES: usize = 8;

impl Compiler<'_> {
    /// The members of a binder as far as set operations find them, read only; and what is left.
    pub(super) fn cut<'e>(
        &mut self,
        set: &Expr,
        local: LocalId,
        conditions: &[&'e Expr],
    ) -> (SlotRange, Vec<&'e Expr>) {
        let domain = finite(&set.ty).filter(|_| !protect(conditions, Some(local)));
        let about = domain.map(|domain| PredicateMember::given(local, domain, conditions));
        let (mut forms, mut left, mut may_trap) = (Vec::new(), Vec::new(), false);
        for part in conjuncts(conditions.iter().copied()) {
            // A member for which a condition traps is not taken out before by one that follows.
            match about.filter(|_| !may_trap).and_then(|about| self.form(part, about)) {
                Some(form) => forms.push(form),
                None => {
                    may_trap |= !self.is_safe(part);
                    left.push(part);
                }
            }
        }
        (self.cut_by(set, forms), left)
    }

    /// The members of a set that have all forms. The slots are only to be read.
    fn cut_by(&mut self, set: &Expr, mut forms: Vec<SetForm>) -> SlotRange {
        let Some(domain) = finite(&set.ty) else { return self.operand(set) };
        // What is picked from all members is in the first set that is wanted.
        let whole = matches!(set.kind, ExprKind::Whole(_)) && !self.is_part(domain);
        let mut cut = match forms.iter().position(|form| whole && is_direct(form)) {
            Some(first) => self.members_of_form(&forms.remove(first), domain),
            None => self.operand(set),
        };
        let base = cut;
        for form in &forms {
            let own = if cut == base { self.take(base.width) } else { cut };
            self.apply(cut, form, own, domain);
            cut = own;
        }
        cut
    }

    /// Whether the sets of a type have room for members that are not its own: it is a part of a kind.
    pub(super) fn is_part(&self, domain: Domain) -> bool {
        matches!(domain, Domain::Kind(kind) if self.rules.kinds[kind.index()].within.is_some())
    }

    /// The members that fulfil all conditions. The slots are only to be read.
    pub(super) fn filtered(
        &mut self,
        set: &Expr,
        local: LocalId,
        conditions: &[&Expr],
    ) -> SlotRange {
        let (cut, mut left) = self.cut(set, local, conditions);
        if left.is_empty() {
            return cut;
        }
        let kept = self.take(cut.width);
        let mark = self.mark();
        let done = self.code.label();
        // What is not about the member is tested once.
        if let [condition] = left[..]
            && let Some((either, or)) =
                self.found_by(Pass::Either, |it| it.either(condition, local))
        {
            self.copy(kept.at, cut);
            self.condition(either, true, done);
            left = vec![or];
        }
        let (rest, member) = (self.take(cut.width), self.take(1).at);
        self.copy(rest.at, cut);
        self.code.emit(Op::Clear { set: kept.at, width: kept.width });
        let (next, exit) = (self.code.here(), self.code.label());
        let (width, low) = (rest.width, self.low(set));
        self.code.emit(Op::Pop { dst: member, set: rest.at, width, to: exit });
        let number = if low == 0 { member } else { self.take(1).at };
        if low != 0 {
            let b = self.code.constant(low);
            self.code.emit(Op::Add { dst: number, a: member, b });
        }
        self.keep_local(local, Storage::Slots(number, 1));
        left.iter().for_each(|condition| self.condition(condition, false, next));
        self.code.emit(Op::Insert { set: kept.at, member, width });
        self.code.emit(Op::Again { to: next });
        self.code.place(exit);
        self.code.place(done);
        self.release(mark);
        kept
    }

    /// The parts of `A or B`: the first is not about the member and cannot trap, nor what the file tests before it.
    fn either<'e>(&self, condition: &'e Expr, member: LocalId) -> Option<(&'e Expr, &'e Expr)> {
        let ExprKind::Binary(BinaryOp::Or, a, b) = &condition.kind else { return None };
        let is_once = |part: &Expr| !part.reads_local(member) && self.is_safe(part);
        let is_either = is_once(b) && self.is_safe(a) && !protect(&[a, b], Some(member));
        if is_once(a) { Some((a, b)) } else { is_either.then_some((b, a)) }
    }

    pub(super) fn cut_whole(
        &mut self,
        set: &Expr,
        local: LocalId,
        conditions: &[&Expr],
    ) -> Option<SlotRange> {
        if set.is_ordered() || protect(conditions, Some(local)) {
            return None;
        }
        let about = PredicateMember::given(local, finite(&set.ty)?, conditions);
        let forms: Option<Vec<SetForm>> =
            conditions.iter().map(|condition| self.form(condition, about)).collect();
        Some(self.cut_by(set, forms?))
    }

    /// `any` and `all` as one question about whole sets; no if a loop is needed.
    pub(super) fn search_sets(
        &mut self,
        binder: &Binder,
        body: &Expr,
        any: bool,
        when: bool,
        to: CodeLabel,
    ) -> bool {
        let members = self.members_of_span(binder, std::slice::from_ref(body));
        let binder = members.as_ref().unwrap_or(binder);
        let set = binder.set.in_any_order();
        let Some(domain) = finite(&set.ty) else { return false };
        if protect(&Self::conditions(binder, std::slice::from_ref(body)), Some(binder.local)) {
            return false;
        }
        let condition = Self::conditions(binder, &[]);
        let about = PredicateMember::given(binder.local, domain, &condition);
        let Some(form) = self.form(body, about) else { return false };
        let related = match (&form, condition.as_slice()) {
            (SetForm::Related(related), []) if any => self.any_within(set, related, domain, to),
            _ => None,
        };
        let jump = if related.is_some() {
            related
        } else if any {
            let conditions = Self::conditions(binder, std::slice::from_ref(body));
            let cut = self.cut_whole(set, binder.local, &conditions);
            cut.map(|SlotRange { at: set, width }| Op::JumpSome { set, width, to })
        } else {
            self.cut_whole(set, binder.local, &condition).map(|SlotRange { at: a, width }| {
                Op::JumpWithin { a, b: self.members_of_form(&form, domain).at, width, to }
            })
        };
        jump.map(|jump| self.code.branch(jump, when)).is_some()
    }

    /// `any(line in LINES: line within A)`: one operation over the cells of all lines.
    fn any_within(
        &mut self,
        set: &Expr,
        related: &Related,
        domain: Domain,
        to: CodeLabel,
    ) -> Option<Op> {
        let is_tried = related.all && self.tries(Pass::Lines);
        let Value::Set(asked) = self.fold(set).filter(|_| is_tried)? else { return None };
        let (low, _) = self.known_domain(domain)?;
        let sets = (low..).zip(&related.sets).filter(|(member, _)| asked.contains(member));
        let sets: Vec<Vec<i64>> = sets.map(|(_, set)| set.clone()).collect();
        let count = u16::try_from(sets.len()).ok().filter(|count| *count > 0)?;
        self.fires(Pass::Lines);
        let words = self.words_of_sets(&sets, related.domain);
        let SlotRange { at: set, width } = self.members_of_form(&related.of, related.domain);
        if let Some(lines) = Lines::new(width.into(), &words) {
            let lines = position_of(&mut self.code.lines, lines);
            let lines = self.code.fit(lines, "sets of lines");
            return Some(Op::JumpAnyLine { lines, set, width, to });
        }
        let base = self.code.constants(&words);
        Some(Op::JumpAnyWithin { base, count, set, width, to })
    }

    fn related_words(&mut self, sets: &[Vec<i64>], domain: Domain) -> u16 {
        let words = self.words_of_sets(sets, domain);
        self.code.constants(&words)
    }

    fn words_of_sets(&mut self, sets: &[Vec<i64>], domain: Domain) -> Vec<i64> {
        let (ty, span) = (Type::Set(domain), self.code.span);
        let words = sets.iter().flat_map(|set| self.words_of(&Value::Set(set.clone()), &ty, span));
        words.collect()
    }

    fn known_set(&mut self, members: Vec<i64>, domain: Domain) -> SlotRange {
        let width = self.width(&Type::Set(domain), self.code.span);
        SlotRange { at: self.related_words(&[members], domain), width }
    }

    fn all_set(&mut self, domain: Domain) -> SlotRange {
        let all = self.all_members(domain).expect("a form is about a finite type");
        self.known_set(all, domain)
    }

    /// Whether a value surely is of a type: a number may be beyond the ends of a range.
    fn is_inside(&self, value: &Expr, domain: Domain) -> bool {
        let is_within = || {
            let (low, size) = self.known_domain(domain)?;
            let (least, most) = self.bounds(value, &self.body.bounds)?;
            Some(low <= least && usize::try_from(most.checked_sub(low)?).ok()? < size)
        };
        member_domain(&value.ty).is_some() || is_within() == Some(true)
    }

    /// Leaves in `own` what is in a set and has a form.
    pub(super) fn apply(&mut self, cut: SlotRange, form: &SetForm, own: SlotRange, domain: Domain) {
        let mark = self.mark();
        let (dst, a, width) = (own.at, cut.at, own.width);
        match form {
            SetForm::Not(inner) => match inner.as_ref() {
                SetForm::Not(again) => self.apply(cut, again, own, domain),
                SetForm::When(condition) => self.keep_when(cut, condition, false, own),
                SetForm::Only(member) => {
                    self.copy(dst, cut);
                    let member = self.member_of(member, domain);
                    self.code.emit(Op::Remove { set: dst, member, width });
                }
                // Of these only what is in the set is asked: of nothing where that is empty.
                SetForm::And(..) | SetForm::If(..) => {
                    let b = self.take(width);
                    self.apply(cut, inner, b, domain);
                    self.code.emit(Op::Minus { dst, a, b: b.at, width });
                }
                other => {
                    let b = self.members_of_form(other, domain).at;
                    self.code.emit(Op::Minus { dst, a, b, width });
                }
            },
            SetForm::And(first, second) => {
                self.apply(cut, first, own, domain);
                self.apply(own, second, own, domain);
            }
            SetForm::When(condition) => self.keep_when(cut, condition, true, own),
            SetForm::If(condition, then, otherwise) => {
                self.branches(condition, then.as_ref(), otherwise.as_ref(), |it, form| {
                    it.apply(cut, form, own, domain);
                });
            }
            other => {
                let b = self.members_of_form(other, domain).at;
                self.code.emit(Op::Common { dst, a, b, width });
            }
        }
        self.release(mark);
    }

    /// Leaves in `own` what is in a set, if a condition holds or (no) does not, else nothing.
    fn keep_when(&mut self, cut: SlotRange, condition: &Expr, holds: bool, own: SlotRange) {
        self.copy(own.at, cut);
        let kept = self.code.label();
        if may_be_long(condition) {
            self.code.emit(Op::JumpEmpty { set: own.at, width: own.width, to: kept });
        }
        self.condition(condition, holds, kept);
        self.code.emit(Op::Clear { set: own.at, width: own.width });
        self.code.place(kept);
    }

    /// The members that have a form, of all. The slots are only to be read.
    pub(super) fn members_of_form(&mut self, form: &SetForm, domain: Domain) -> SlotRange {
        let width = self.width(&Type::Set(domain), self.code.span);
        match form {
            SetForm::Known(members) => self.known_set(members.clone(), domain),
            SetForm::Set(set) => self.operand(set),
            SetForm::Only(member) => {
                let is_inside = self.is_inside(member, domain);
                let (member, dst) = (self.member_of(member, domain), self.take(width));
                self.code.emit(Op::Single { set: dst.at, member, width });
                if !is_inside {
                    let all = self.all_set(domain);
                    self.code.emit(Op::Common { dst: dst.at, a: dst.at, b: all.at, width });
                }
                dst
            }
            SetForm::Kept(var, outer, value) => self.kept_members(*var, outer, *value),
            SetForm::Where(var, outer, comparison, value) => {
                self.members_where((*var, outer), *comparison, value)
            }
            SetForm::Among(var, of, values) => {
                let of = self.members_of_form(of, *values).at;
                self.members_among(*var, of)
            }
            SetForm::Numbered(sets, low, value) => {
                let words = self.words_of_sets(sets, domain);
                let (base, count) =
                    (self.code.constants(&words), self.code.fit(sets.len(), "sets"));
                let high = low.saturating_add(i64::from(count) - 1);
                let index = self.clamped(value, (*low, high));
                let index = self.behind_low(index, *low);
                self.load_from(SlotAccess::Indexed { base, index, count, width }, None)
            }
            SetForm::Listed(key, sets) => {
                let words = self.words_of_sets(sets, domain);
                let row = self.row(key, &words, width);
                self.load_from(row, None)
            }
            SetForm::Related(related) => self.related_members(related, width),
            SetForm::Or(a, b) => {
                let dst = self.take(width);
                let (a, b) = (self.members_of_form(a, domain), self.members_of_form(b, domain));
                self.code.emit(Op::Union { dst: dst.at, a: a.at, b: b.at, width });
                dst
            }
            SetForm::And(first, second) if is_direct(first) && !self.is_part(domain) => {
                let (cut, own) = (self.members_of_form(first, domain), self.take(width));
                self.apply(cut, second, own, domain);
                own
            }
            SetForm::Not(_) | SetForm::And(..) | SetForm::When(_) | SetForm::If(..) => {
                let all = self.all_set(domain);
                let dst = self.take(width);
                self.apply(all, form, dst, domain);
                dst
            }
        }
    }

    /// A number, or the end of a range that is nearest to it.
    fn clamped(&mut self, number: &Expr, (low, high): (i64, i64)) -> u16 {
        let mut a = self.word(number);
        if matches!(number.ty, Type::Kind(_)) {
            return a;
        }
        let ends = self.bounds(number, &self.body.bounds).unwrap_or((i64::MIN, i64::MAX));
        if ends.0 < low {
            let (b, dst) = (self.code.constant(low), self.take(1).at);
            self.code.emit(Op::Greatest { dst, a, b });
            a = dst;
        }
        if ends.1 > high {
            let (b, dst) = (self.code.constant(high), self.take(1).at);
            self.code.emit(Op::Least { dst, a, b });
            a = dst;
        }
        a
    }

    fn member_of(&mut self, member: &Expr, domain: Domain) -> u16 {
        let low = self.domain(domain, member.span).0;
        let a = self.word(member);
        self.behind_low(a, low)
    }

    /// Where a row of an array lies, and how long it is.
    pub(super) fn row_of(&mut self, var: VarId, outer: &[Expr]) -> (u16, u16) {
        let place = self.var(var);
        let (rows, row) = place.dims.split_at(outer.len());
        let count = self.count(row);
        let row = self.element(place.base, count, rows, outer);
        (self.load_from(row, None).at, count)
    }

    fn members_where(
        &mut self,
        (var, outer): (VarId, &[Expr]),
        comparison: Comparison,
        value: &Expr,
    ) -> SlotRange {
        let (base, count) = self.row_of(var, outer);
        let a = match (comparison, self.fold(value)) {
            (Comparison::AtMost, Some(Value::Int(number))) => {
                self.code.constant(number.saturating_add(1))
            }
            _ => self.word(value),
        };
        let slots = self.take(1);
        let dst = slots.at;
        self.code.emit(match comparison {
            Comparison::Equal => Op::WhereEqual { dst, base, count, a },
            Comparison::Below | Comparison::AtMost => Op::WhereBelow { dst, base, count, a },
        });
        slots
    }

    /// The indices of an array whose values are in a set.
    fn members_among(&mut self, var: VarId, of: u16) -> SlotRange {
        let place = self.var(var);
        let width = place.sets.map_or(1, |sets| sets.width);
        let slots = self.take(width);
        let (dst, base) = (slots.at, place.base);
        let op = match place.sets {
            None => Op::WhereIn { dst, base, count: self.count(&place.dims), set: of },
            Some(sets) => Op::UnionOf { dst, base, count: sets.values(), of, width },
        };
        self.code.emit(op);
        slots
    }

    fn kept_members(&mut self, var: VarId, outer: &[Expr], value: Option<&Expr>) -> SlotRange {
        let place = self.var(var);
        let sets = place.sets.expect("the form says that it is kept as sets");
        let (base, width) = (place.base, sets.width);
        let Some(value) = value else {
            let access = self.element(base, width, &place.dims[..outer.len()], outer);
            return self.load_from(access, None);
        };
        let known = self.fold(value).map(|value| match value {
            Value::Int(number) => sets.set_of(number),
            _ => sets.set_of(NONE),
        });
        if let Some(at) = known.flatten() {
            return SlotRange { at: base + at * width, width };
        }
        let index = self.word(value);
        if matches!(value.ty, Type::Kind(_)) || !sets.or_none {
            return self
                .load_from(SlotAccess::Indexed { base, index, count: sets.values(), width }, None);
        }
        // The last set is that of none.
        let dst = self.take(width);
        self.code.emit(Op::SetOf { dst: dst.at, base, a: index, count: sets.sets, width });
        dst
    }

    /// The members that are related to those of a form. `UnionOf` visits only members that are there: it is chosen for
    /// sets of several words, and where the form mostly has few members and its type is no larger than the result's.
    fn related_members(&mut self, related: &Related, width: u16) -> SlotRange {
        let (of, domain) = (related.of.as_ref(), related.domain);
        if let (false, SetForm::Only(value)) = (related.all, of)
            && matches!(value.ty, Type::Kind(_))
            && member_domain(&value.ty) == Some(domain)
        {
            let index = self.member_of(value, domain);
            let (base, count) = self.keep_sets(&self.reached(related, width), width);
            return self.load_from(SlotAccess::Indexed { base, index, count, width }, None);
        }
        let SlotRange { at: set, width: wide } = self.members_of_form(of, domain);
        let dst = self.take(width).at;
        let slots = SlotRange { at: dst, width };
        let fits = self.known_domain(domain).is_some_and(|(_, size)| size <= related.sets.len());
        if !related.all && (wide > 1 || fits) {
            let reached = self.reached(related, width);
            if wide == width
                && let Some(moves) = moves(&reached, width.into())
            {
                let base = self.code.constants(&moves);
                let count = self.code.fit(moves.len() / (1 + usize::from(width)), "moves");
                self.code.emit(Op::UnionMoved { dst, base, count, of: set, width });
                return slots;
            }
            if wide > 1 || self.is_small(of) {
                let (base, count) = self.keep_sets(&reached, width);
                self.code.emit(Op::UnionOf { dst, base, count, of: set, width });
                return slots;
            }
        }
        let count = self.code.fit(related.sets.len(), "members");
        let base = self.related_words(&related.sets, domain);
        self.code.emit(if related.all {
            Op::SelectWithin { dst, base, count, set, width: wide }
        } else {
            Op::SelectMeeting { dst, base, count, set, width: wide }
        });
        slots
    }

    /// Whether few members have a form, mostly: what has no value, and what lacks a form, are many.
    fn is_small(&self, form: &SetForm) -> bool {
        match form {
            SetForm::Kept(_, _, Some(value)) => self.fold(value) != Some(Value::None),
            SetForm::Not(_) => false,
            _ => true,
        }
    }

    /// For each member of the set of a relation the words of the members that are related to it.
    fn reached(&self, related: &Related, width: u16) -> Vec<i64> {
        let Some((low, size)) = self.known_domain(related.domain) else {
            unreachable!("a relation is about finite types")
        };
        let mut words = Vec::new();
        for member in (low..).take(size) {
            let mut set = vec![0; width.into()];
            let from = (0..).zip(&related.sets).filter(|(_, set)| set.contains(&member));
            from.for_each(|(bit, _)| sets::set_bit(&mut set, bit, true));
            words.extend(set);
        }
        words
    }

    /// Where the words of sets stand, and how many sets they are.
    fn keep_sets(&mut self, words: &[i64], width: u16) -> (u16, u16) {
        (self.code.constants(words), self.code.fit(words.len() / usize::from(width), "members"))
    }

    pub(super) fn conditions<'e>(binder: &'e Binder, body: &'e [Expr]) -> Vec<&'e Expr> {
        binder.condition.iter().map(AsRef::as_ref).chain(body).collect()
    }
}

/// Whether the members that have a form are found by themselves, not among others.
fn is_direct(form: &SetForm) -> bool {
    !matches!(form, SetForm::Not(_) | SetForm::And(..) | SetForm::When(_) | SetForm::If(..))
}

/// On a board most cells reach others in a few ways: by so many cells forward or back. For each of these moves
/// the set of the cells that it is made from, then by how much each moves; nothing if there are many.
fn moves(reached: &[i64], width: usize) -> Option<Vec<i64>> {
    let mut moves: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let size = reached.len() / width;
    for (from, set) in reached.chunks(width).enumerate() {
        for to in sets::members(set) {
            let by = i64::try_from(to).ok()? - i64::try_from(from).ok()?;
            sets::set_bit(moves.entry(by).or_insert_with(|| vec![0; width]), from, true);
        }
        if moves.len() > MOST_MOVES {
            return None;
        }
    }
    let pays = !moves.is_empty() && 2 * moves.len() < size;
    pays.then(|| moves.values().flatten().chain(moves.keys()).copied().collect())
}

/// The parts of some conditions that all have to hold.
pub(super) fn conjuncts<'e>(conditions: impl IntoIterator<Item = &'e Expr>) -> Vec<&'e Expr> {
    let mut parts = Vec::new();
    conditions.into_iter().for_each(|condition| split_into(condition, &mut parts));
    parts
}

fn split_into<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            split_into(a, parts);
            split_into(b, parts);
        }
        _ => parts.push(condition),
    }
}

/// Whether a condition may take many operations.
fn may_be_long(condition: &Expr) -> bool {
    condition.any(|part| matches!(part.kind, ExprKind::Fold { .. }))
}
