//! Operations on sets, word by word.

use astragal_native::{Flag, Place, Word, Writer};

use crate::bytecode::{MOST_IN_SUBSETS, NONE, Op};
use crate::native::Translator;

impl<'w> Translator<'_, 'w> {
    /// Jumps by sets and elements, and what writes or searches a set.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn set_operation(&mut self, op: Op) {
        match op {
            Op::JumpHas { set, member, width, to } | Op::JumpLacks { set, member, width, to } => {
                let has = self.has(set, width, member);
                self.jump_where(has, matches!(op, Op::JumpHas { .. }), to);
            }
            Op::JumpHasAt { base, index, count, member, to }
            | Op::JumpLacksAt { base, index, count, member, to } => {
                let has = self.emit_has_at(base, index, count, member);
                self.jump_where(has, matches!(op, Op::JumpHasAt { .. }), to);
            }
            Op::JumpIfAt { base, index, count, to }
            | Op::JumpIfNotAt { base, index, count, to } => {
                let place = self.element_place(base, count, 1, index);
                let word = self.writer.get(place, 0);
                self.jump_where(word, matches!(op, Op::JumpIfAt { .. }), to);
            }
            Op::JumpEmpty { set, width, to } | Op::JumpSome { set, width, to } => {
                let words = self.read_set(set, width);
                let all = self.any_of(&words);
                self.jump_where(all, matches!(op, Op::JumpSome { .. }), to);
            }
            Op::JumpWithin { a, b, width, to } | Op::JumpNotWithin { a, b, width, to } => {
                let rest = self.combine_sets(a, b, width, Writer::without);
                self.jump_where(rest, matches!(op, Op::JumpNotWithin { .. }), to);
            }
            Op::JumpSame { a, b, width, to } | Op::JumpNotSame { a, b, width, to } => {
                let rest = self.combine_sets(a, b, width, Writer::differing);
                self.jump_where(rest, matches!(op, Op::JumpNotSame { .. }), to);
            }
            Op::JumpAnyWithin { base, count, set, width, to }
            | Op::JumpNoneWithin { base, count, set, width, to } => {
                let found = self.emit_any_within(base, count, set, width);
                self.jump_where(found, matches!(op, Op::JumpAnyWithin { .. }), to);
            }
            Op::JumpAnyLine { lines, set, width, to }
            | Op::JumpNoLine { lines, set, width, to } => {
                let found = self.any_line(lines, set, width);
                self.jump_where(found, matches!(op, Op::JumpAnyLine { .. }), to);
            }
            Op::JumpBefore { a, b, width, to } => {
                let before = self.emit_before((a, b), width, Writer::less);
                self.writer.jump_if(before, to.into());
            }
            Op::JumpNotAfter { a, b, width, to } => {
                let before = self.emit_before((a, b), width, Writer::at_most);
                self.writer.jump_if(before, to.into());
            }
            Op::InsertAt { base, index, count, member, width } => {
                let place = self.element_place(base, count, width, index);
                self.emit_set_change(place, member, Writer::or);
            }
            Op::RemoveAt { base, index, count, member, width } => {
                let place = self.element_place(base, count, width, index);
                self.emit_set_change(place, member, Writer::without);
            }
            Op::LoadValue { dst, base, member, count, width } => {
                let mut value = self.writer.number(NONE);
                for at in (0..count).rev() {
                    let has = self.has(base + at * width, width, member);
                    let is_in = self.emit_not_zero(has);
                    value = self.writer.select(is_in, i64::from(at), value);
                }
                self.writer.put(dst, value);
            }
            Op::StoreValue { base, member, src, count, width } => {
                self.store_value(base, member, src, (count, width));
            }
            Op::Clear { set, width } => {
                (set..set + width).for_each(|at| self.writer.put(at, 0));
            }
            Op::Single { set, member, width } => {
                let member = self.read_slot(member);
                for at in 0..width {
                    let bit = self.bit_of(member, at);
                    self.writer.put(set + at, bit);
                }
            }
            Op::Insert { set, member, width } => {
                self.emit_set_change(self.writer.place(set, width), member, Writer::or);
            }
            Op::Remove { set, member, width } => {
                self.emit_set_change(self.writer.place(set, width), member, Writer::without);
            }
            Op::Union { dst, a, b, width } => self.combine([dst, a, b], width, Writer::or),
            Op::Minus { dst, a, b, width } => self.combine([dst, a, b], width, Writer::without),
            Op::Common { dst, a, b, width } => self.combine([dst, a, b], width, Writer::and),
            Op::Interval { dst, low, high, width } => {
                let (low, high) = (self.read_slot(low), self.read_slot(high));
                for at in 0..width {
                    let (from, to) = (self.from(low, at), self.up_to(high, at));
                    let word = self.writer.and(from, to);
                    self.writer.put(dst + at, word);
                }
            }
            Op::WhereEqual { dst, base, count, a } => {
                let a = self.read_slot(a);
                self.emit_mark(dst, base, (count, 1), |it, word| it.writer.equal(word[0], a));
            }
            Op::WhereBelow { dst, base, count, a } => {
                let a = self.read_slot(a);
                self.emit_mark(dst, base, (count, 1), |it, word| it.writer.less(word[0], a));
            }
            Op::WhereIn { dst, base, count, set } => {
                let set = self.read_slot(set);
                self.emit_mark(dst, base, (count, 1), |it, word| {
                    let bit = it.bit_of(word[0], 0);
                    let both = it.writer.and(set, bit);
                    it.emit_not_zero(both)
                });
            }
            Op::UnionOf { dst, base, count, of, width } => {
                let words = self.read_set(of, count.div_ceil(64));
                let mut union = vec![self.writer.number(0); width.into()];
                let at = self.at;
                for (low, word) in (0..count).step_by(64).zip(words) {
                    union = self.writer.each_bit(word, &union, |writer, bit, union| {
                        let position = writer.add(bit, i64::from(low));
                        let set = writer.element(base, count, width, position, at);
                        let words = (0..width).zip(union);
                        words
                            .map(|(at, union)| {
                                let word = writer.get(set, at);
                                writer.or(*union, word)
                            })
                            .collect()
                    });
                }
                self.put_set(dst, union);
            }
            Op::UnionMoved { dst, base, count, of, width } => {
                self.union_moved(dst, (base, count), (of, width));
            }
            Op::SelectWithin { dst, base, count, set, width } => {
                let set = self.read_set(set, width);
                self.emit_mark(dst, base, (count, width), |it, words| {
                    let rest = it.combine_words(words, &set, Writer::without);
                    it.writer.equal(rest, 0)
                });
            }
            Op::SelectMeeting { dst, base, count, set, width } => {
                let set = self.read_set(set, width);
                self.emit_mark(dst, base, (count, width), |it, words| {
                    let both = it.combine_words(words, &set, Writer::and);
                    it.emit_not_zero(both)
                });
            }
            Op::Sweep { dst, rays, from, stop, width } => {
                self.sweep(dst, rays, from, (stop, width));
            }
            Op::SumOf { dst, base, count, set } => self.sum_of(dst, (base, count), set),
            Op::Count { dst, set, width } => {
                let sum = self.members(set, width);
                self.writer.put(dst, sum);
            }
            Op::First { dst, set, width } => {
                let words = self.read_set(set, width);
                let first = self.first_member(&words);
                self.writer.put(dst, first);
            }
            Op::Last { dst, set, width } => {
                let words = self.read_set(set, width);
                let last = self.last(&words);
                self.writer.put(dst, last);
            }
            Op::Pop { dst, set, width, to } => {
                let words = self.read_set(set, width);
                self.jump_empty(&words, to);
                let first = self.first_member(&words);
                self.take_out(dst, (set, width), first);
            }
            Op::PopFrom { dst, set, start, width, to } => {
                let (words, start) = (self.read_set(set, width), self.read_slot(start));
                self.jump_empty(&words, to);
                let ahead = self.masked(&words, |it, at| it.from(start, at));
                let (next, first) = (self.first_member(&ahead), self.first_member(&words));
                self.take_out_one(dst, (set, width), next, first);
            }
            Op::PopBack { dst, set, start, width, to } => {
                let (words, start) = (self.read_set(set, width), self.read_slot(start));
                self.jump_empty(&words, to);
                let before = self.masked(&words, |it, at| it.up_to(start, at));
                let (previous, last) = (self.last(&before), self.last(&words));
                self.take_out_one(dst, (set, width), previous, last);
            }
            Op::NextSubset { set, of, width, to } => self.next_subset(set, of, width, to),
            Op::MemberAfter { member, set, width, to } => {
                let (words, before) = (self.read_set(set, width), self.read_slot(member));
                let start = self.writer.add(before, 1);
                let ahead = self.masked(&words, |it, at| it.from(start, at));
                let next = self.first_member(&ahead);
                self.writer.put(member, next);
                self.jump_empty(&ahead, to);
            }
            Op::CheckSubsets { set, width } => {
                let sum = self.members(set, width);
                // The most members of a set whose subsets can be gone through.
                let most = i64::try_from(MOST_IN_SUBSETS).expect("a small number");
                let over = self.writer.less(most, sum);
                self.leave_if(over);
            }
            other => unreachable!("`{}` is left to the interpreter", other.name()),
        }
    }

    fn sum_of(&mut self, dst: u16, (base, count): (u16, u16), set: u16) {
        let (set, zero, at) = (self.read_slot(set), self.writer.number(0), self.at);
        let sum = self.writer.each_bit(set, &[zero], |writer, bit, sum| {
            let element = writer.element(base, count, 1, bit, at);
            let word = writer.get(element, 0);
            vec![writer.add(sum[0], word)]
        });
        self.writer.put(dst, sum[0]);
    }

    /// Steps to the subset after this one, and jumps after the last: numbers count up through the bits of
    /// the whole set.
    fn next_subset(&mut self, set: u16, of: u16, width: u16, to: u16) {
        let mut carry = self.writer.number(1);
        for at in 0..width {
            let (subset, digits) = (self.read_slot(set + at), self.read_slot(of + at));
            let outside = self.writer.differing(digits, -1);
            let full = self.writer.or(subset, outside);
            let sum = self.writer.add(full, carry);
            let next = self.writer.and(sum, digits);
            self.writer.put(set + at, next);
            // What was full and has become 0 carries on.
            let is_over = self.writer.equal(full, -1);
            let over = self.writer.as_word(is_over);
            carry = self.writer.and(carry, over);
        }
        self.jump_where(carry, true, to);
    }

    pub(super) fn emit_not_zero(&mut self, word: Word) -> Flag {
        self.writer.differ(word, 0)
    }

    /// The bit of a member in a word of a set; nothing where it is in another word, or in none.
    pub(super) fn bit_of(&mut self, member: Word, word: u16) -> Word {
        let within = self.writer.subtract(member, 64 * i64::from(word));
        let is_here = self.writer.below(within, 64);
        let bit = self.writer.shift_up(1, within);
        self.writer.select(is_here, bit, 0)
    }

    /// Emits a word that is not 0 if a member is in a set.
    fn has(&mut self, set: u16, width: u16, member: u16) -> Word {
        if let Some(known) = self.constant_at(member) {
            let at = usize::try_from(known).ok().filter(|at| *at < 64 * usize::from(width));
            let Some(at) = at else { return self.writer.number(0) };
            let word = u16::try_from(at / 64).expect("a set has few words");
            let word = self.read_slot(set + word);
            return self.writer.and(word, 1_i64 << (at % 64));
        }
        let member = self.read_slot(member);
        let (word, bit) = if width == 1 {
            (self.read_slot(set), self.bit_of(member, 0))
        } else {
            let (place, bit) = self.part(self.writer.place(set, width), member);
            (self.writer.get(place, 0), bit)
        };
        self.writer.and(word, bit)
    }

    fn emit_has_at(&mut self, base: u16, index: u16, count: u16, member: u16) -> Word {
        let place = self.element_place(base, count, 1, index);
        let member = self.read_slot(member);
        let (word, bit) = (self.writer.get(place, 0), self.bit_of(member, 0));
        self.writer.and(word, bit)
    }

    /// The word of a set that a member is in, and its bit there; no bit of any word where it is no member.
    fn part(&mut self, set: Place, member: Word) -> (Place, Word) {
        let is_member = self.writer.below(member, 64 * i64::from(set.width()));
        let word = self.writer.shift_down(member, 6);
        let place = self.writer.part(set, word);
        let bit = self.writer.shift_up(1, member);
        (place, self.writer.select(is_member, bit, 0))
    }

    /// Puts a member into a set or takes it out.
    fn emit_set_change(
        &mut self,
        set: Place,
        member: u16,
        how: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) {
        let member = self.read_slot(member);
        let (place, bit) = match set.width() {
            1 => (set, self.bit_of(member, 0)),
            _ => self.part(set, member),
        };
        let word = self.writer.get(place, 0);
        let word = how(self.writer, word, bit);
        self.writer.set(place, 0, word);
    }

    fn store_value(&mut self, base: u16, member: u16, src: u16, (count, width): (u16, u16)) {
        let (member, value) = (self.read_slot(member), self.read_slot(src));
        let last = i64::from(count) - 1;
        // The last set is that of whatever is no position.
        let is_position = self.writer.below(value, last);
        let value = self.writer.select(is_position, value, last);
        for at in 0..count {
            let set = self.writer.place(base + at * width, width);
            let (place, bit) = match width {
                1 => (set, self.bit_of(member, 0)),
                _ => self.part(set, member),
            };
            let is_here = self.writer.equal(value, i64::from(at));
            let word = self.writer.get(place, 0);
            let rest = self.writer.without(word, bit);
            let bit = self.writer.select(is_here, bit, 0);
            let word = self.writer.or(rest, bit);
            self.writer.set(place, 0, word);
        }
    }

    fn combine(
        &mut self,
        [dst, a, b]: [u16; 3],
        width: u16,
        how: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) {
        for at in 0..width {
            let (a, b) = (self.read_slot(a + at), self.read_slot(b + at));
            let word = how(self.writer, a, b);
            self.writer.put(dst + at, word);
        }
    }

    /// Emits whether `a` comes before `b`, word by word; `last` compares the last words.
    fn emit_before(
        &mut self,
        (a, b): (u16, u16),
        width: u16,
        last: impl Fn(&mut Writer<'w>, Word, Word) -> Flag,
    ) -> Flag {
        let (x, y) = (self.read_slot(a + width - 1), self.read_slot(b + width - 1));
        let mut before = last(self.writer, x, y);
        for at in (0..width - 1).rev() {
            let (x, y) = (self.read_slot(a + at), self.read_slot(b + at));
            let (less, same) = (self.writer.less(x, y), self.writer.equal(x, y));
            let rest = self.writer.both(same, before);
            before = self.writer.either(less, rest);
        }
        before
    }

    /// All words of a set as one that is 0 only if the set is empty.
    pub(super) fn any_of(&mut self, words: &[Word]) -> Word {
        let (first, rest) = words.split_first().expect("a set has words");
        rest.iter().fold(*first, |all, word| self.writer.or(all, *word))
    }

    /// Emits two sets combined word by word, as one word that is 0 only if nothing is left.
    fn combine_sets(
        &mut self,
        a: u16,
        b: u16,
        width: u16,
        how: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) -> Word {
        let (a, b) = (self.read_set(a, width), self.read_set(b, width));
        self.combine_words(&a, &b, how)
    }

    fn combine_words(
        &mut self,
        a: &[Word],
        b: &[Word],
        how: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) -> Word {
        let words: Vec<Word> = a.iter().zip(b).map(|(a, b)| how(self.writer, *a, *b)).collect();
        self.any_of(&words)
    }

    /// Emits a word that is not 0 if one of `count` sets is within another.
    fn emit_any_within(&mut self, base: u16, count: u16, set: u16, width: u16) -> Word {
        let set = self.read_set(set, width);
        let sets = self.writer.place(base, count * width);
        let found = self.writer.any_within(sets, &set);
        self.writer.as_word(found)
    }

    /// Makes a set of the positions of those of some sets for which something holds.
    fn emit_mark(
        &mut self,
        dst: u16,
        base: u16,
        (count, width): (u16, u16),
        holds: impl Fn(&mut Self, &[Word]) -> Flag,
    ) {
        let mut marked = self.writer.number(0);
        for at in 0..count {
            let words = self.read_set(base + at * width, width);
            let holds = holds(self, &words);
            let bit = self.writer.as_word(holds);
            let bit = self.writer.shift_up(bit, i64::from(at));
            marked = self.writer.or(marked, bit);
        }
        self.writer.put(dst, marked);
    }

    /// The bits of a word of a set that stand for `low` and all above it.
    fn from(&mut self, low: Word, word: u16) -> Word {
        let first = 64 * i64::from(word);
        let low = self.writer.greatest(low, first);
        let within = self.writer.subtract(low, first);
        let is_here = self.writer.below(within, 64);
        let above = self.writer.shift_up(-1, within);
        self.writer.select(is_here, above, 0)
    }

    /// The bits of a word of a set that stand for `high` and all below it.
    fn up_to(&mut self, high: Word, word: u16) -> Word {
        let (first, last) = (64 * i64::from(word), 64 * i64::from(word) + 63);
        let high = self.writer.least(high, last);
        let is_below = self.writer.less(high, first);
        let above = self.writer.subtract(last, high);
        let below = self.writer.shift_down(-1, above);
        self.writer.select(is_below, 0, below)
    }

    /// The words of a set, each with a mask that its number gives.
    fn masked(&mut self, words: &[Word], mask: impl Fn(&mut Self, u16) -> Word) -> Vec<Word> {
        let masked = (0..).zip(words).map(|(at, word)| {
            let mask = mask(self, at);
            self.writer.and(*word, mask)
        });
        masked.collect()
    }

    pub(super) fn members(&mut self, set: u16, width: u16) -> Word {
        let words = self.read_set(set, width);
        self.bits_in(&words)
    }

    pub(super) fn bits_in(&mut self, words: &[Word]) -> Word {
        let mut sum = self.writer.number(0);
        for word in words {
            let count = self.writer.count(*word);
            sum = self.writer.add(sum, count);
        }
        sum
    }

    /// The first member of some words, or none.
    fn first_member(&mut self, words: &[Word]) -> Word {
        let mut first = self.writer.number(NONE);
        for (at, word) in words.iter().enumerate().rev() {
            let low = 64 * i64::try_from(at).expect("a set has few words");
            let here = self.writer.first(*word);
            let here = self.writer.add(here, low);
            let is_some = self.emit_not_zero(*word);
            first = self.writer.select(is_some, here, first);
        }
        first
    }

    /// The last member of some words, or none.
    fn last(&mut self, words: &[Word]) -> Word {
        let mut last = self.writer.number(NONE);
        for (at, word) in (0_i64..).zip(words) {
            let above = self.writer.clear_above(*word);
            let here = self.writer.subtract(64 * at + 63, above);
            let is_some = self.emit_not_zero(*word);
            last = self.writer.select(is_some, here, last);
        }
        last
    }

    fn jump_empty(&mut self, words: &[Word], to: u16) {
        let all = self.any_of(words);
        self.jump_where(all, false, to);
    }

    /// Takes out what was found: the one if there is one, else the other.
    fn take_out_one(&mut self, dst: u16, set: (u16, u16), one: Word, other: Word) {
        let is_none = self.writer.equal(one, NONE);
        let member = self.writer.select(is_none, other, one);
        self.take_out(dst, set, member);
    }

    /// Takes a member out of a set that it is in.
    fn take_out(&mut self, dst: u16, (set, width): (u16, u16), member: Word) {
        for at in 0..width {
            let word = self.read_slot(set + at);
            let bit = self.bit_of(member, at);
            let rest = self.writer.without(word, bit);
            self.writer.put(set + at, rest);
        }
        self.writer.put(dst, member);
    }
}
