//! Lists. How many words of one are in use stands in a register.

use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types};

use super::{Flag, IntoWord, Word, Writer, byte_offset};

/// How many words are copied in a round of a loop.
const ROUND: usize = 8;

/// So many words are read and written one by one, because their values may be known.
const FEW: usize = 8;

/// Some words of a list: all lie below its room.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    address: Value,
    count: usize,
}

impl Writer<'_> {
    /// Where the next words of a list go; leaves at a point if there is no room for them.
    fn behind(&mut self, list: usize, register: usize, count: usize, point: usize) -> Value {
        let used = self.register(register);
        let room = self.room[list].checked_sub(count);
        let Some(room) = room else {
            let always = Flag(self.builder.ins().iconst(types::I8, 1));
            self.leave_if(always, point);
            return self.lists[list];
        };
        let room = self.number(i64::try_from(room).expect("lists are short"));
        let full = Flag(self.builder.ins().icmp(IntCC::UnsignedGreaterThan, used.0, room.0));
        self.leave_if(full, point);
        self.place_in(list, used)
    }

    fn place_in(&mut self, list: usize, at: Word) -> Value {
        let bytes = self.builder.ins().imul_imm_s(at.0, 8);
        self.builder.ins().iadd(self.lists[list], bytes)
    }

    fn longer(&mut self, register: usize, by: i64) {
        let used = self.register(register);
        let used = self.add(used, by);
        self.set_register(register, used);
    }

    /// Appends words to a list; leaves at a point if there is no room for them.
    ///
    /// # Panics
    /// If there are 2^28 words or more.
    pub fn append(&mut self, list: usize, register: usize, words: &[Word], point: usize) {
        let end = self.behind(list, register, words.len(), point);
        for (at, word) in words.iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), word.0, end, 8 * byte_offset(at));
        }
        self.longer(register, i64::try_from(words.len()).expect("few words"));
    }

    /// Appends words of the shape to a list, by ranges of first number and count, and a number after them;
    /// leaves at a point if there is no room for them.
    ///
    /// # Panics
    /// If the shape has not so many.
    pub fn put_aside(
        &mut self,
        list: usize,
        register: usize,
        (ranges, number): (&[(u16, u16)], i64),
        point: usize,
    ) {
        let count = self.count_of(ranges);
        let end = self.behind(list, register, count + 1, point);
        let mut next = 0;
        for (first, width) in ranges {
            let (range, width) = (*first..*first + *width, usize::from(*width));
            if width > FEW {
                let to = self.next_value(end, next, *first);
                self.move_words(self.words, to, range);
            } else {
                for (at, word) in (next..).zip(range) {
                    let word = self.word(word);
                    self.builder.ins().store(
                        MemFlagsData::trusted(),
                        word.0,
                        end,
                        8 * byte_offset(at),
                    );
                }
            }
            next += width;
        }
        let number = self.number(number);
        self.builder.ins().store(MemFlagsData::trusted(), number.0, end, 8 * byte_offset(next));
        self.longer(register, i64::try_from(count + 1).expect("few words"));
    }

    /// Takes back what [`Writer::put_aside`] appended last; leaves at a point if there are not so many words.
    ///
    /// # Panics
    /// If the shape has not so many.
    pub fn take_back(&mut self, list: usize, register: usize, ranges: &[(u16, u16)], point: usize) {
        let count = i64::try_from(self.count_of(ranges) + 1).expect("few words");
        let (used, least) = (self.register(register), self.number(count));
        let empty = self.less(used, least);
        self.leave_if(empty, point);
        let most = self.number(i64::try_from(self.room[list]).expect("lists are short"));
        let beyond = self.less(most, used);
        self.leave_if(beyond, point);
        self.longer(register, -count);
        let used = self.register(register);
        let from = self.place_in(list, used);
        let mut next = 0;
        for (first, width) in ranges {
            let (range, width) = (*first..*first + *width, usize::from(*width));
            if width > FEW {
                let from = self.next_value(from, next, *first);
                self.move_words(from, self.words, range.clone());
                self.known.retain(|at, _| !range.contains(at));
            } else {
                let flags = MemFlagsData::trusted();
                for (at, word) in (next..).zip(range) {
                    let kept =
                        self.builder.ins().load(types::I64, flags, from, 8 * byte_offset(at));
                    self.put(word, Word(kept));
                }
            }
            next += width;
        }
    }

    fn count_of(&self, ranges: &[(u16, u16)]) -> usize {
        let ends = ranges.iter().map(|(first, width)| usize::from(*first) + usize::from(*width));
        assert!(ends.max().unwrap_or(0) <= self.most.0, "the words of the shape");
        ranges.iter().map(|(_, width)| usize::from(*width)).sum()
    }

    /// Where word 0 would lie, if word `first` lay `next` words behind a place.
    fn next_value(&mut self, place: Value, next: usize, first: u16) -> Value {
        let bytes = 8 * (i64::from(byte_offset(next)) - i64::from(first));
        self.builder.ins().iadd_imm_s(place, bytes)
    }

    /// Copies words between places that do not overlap, several at once.
    fn move_words(&mut self, from: Value, to: Value, range: Range<u16>) {
        let flags = MemFlagsData::trusted();
        let (whole, rest) = (range.len() / ROUND, range.len() % ROUND);
        let mut first = usize::from(range.start);
        if whole > 2 {
            let bytes = i64::try_from(8 * ROUND * whole).expect("few words");
            let (begin, done) = (self.builder.create_block(), self.builder.create_block());
            let at = self.builder.append_block_param(begin, types::I64);
            let zero = self.builder.ins().iconst(types::I64, 0);
            self.builder.ins().jump(begin, &[BlockArg::from(zero)]);
            self.builder.switch_to_block(begin);
            let (source, target) =
                (self.builder.ins().iadd(from, at), self.builder.ins().iadd(to, at));
            self.move_some(source, target, first..first + ROUND);
            let next = self.builder.ins().iadd_imm_s(at, i64::from(8 * byte_offset(ROUND)));
            let goes_on = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, next, bytes);
            self.builder.ins().brif(goes_on, begin, &[BlockArg::from(next)], done, &[]);
            self.builder.switch_to_block(done);
            first += ROUND * whole;
        } else {
            self.move_some(from, to, first..first + ROUND * whole);
            first += ROUND * whole;
        }
        for at in first..first + rest {
            let word = self.builder.ins().load(types::I64, flags, from, 8 * byte_offset(at));
            self.builder.ins().store(flags, word, to, 8 * byte_offset(at));
        }
    }

    /// Copies an even number of words, two at once.
    fn move_some(&mut self, from: Value, to: Value, range: Range<usize>) {
        // Words lie at multiples of 8 bytes, not of 16.
        let flags = MemFlagsData::new().with_notrap();
        let two = |at: &usize| 8 * byte_offset(*at);
        for at in range.step_by(2).map(|at| two(&at)) {
            let words = self.builder.ins().load(types::I64X2, flags, from, at);
            self.builder.ins().store(flags, words, to, at);
        }
    }

    /// Some words of a list from one on whose number the code computed; leaves at a point if there is no
    /// room for them.
    ///
    /// # Panics
    /// If the list has more words than a register counts.
    pub fn in_list(&mut self, list: usize, at: impl IntoWord, count: usize, point: usize) -> Spot {
        let after = (self.room[list] + 1).saturating_sub(count);
        let at = at.into_word(self);
        let outside = self.at_least(at, i64::try_from(after).expect("lists are short"));
        self.leave_if(outside, point);
        Spot { address: self.place_in(list, at), count }
    }

    /// A word of a spot.
    ///
    /// # Panics
    /// If the spot has no such word.
    pub fn get_at(&mut self, spot: Spot, word: usize) -> Word {
        assert!(word < spot.count, "a word of the spot");
        let flags = MemFlagsData::trusted();
        Word(self.builder.ins().load(types::I64, flags, spot.address, 8 * byte_offset(word)))
    }

    /// Changes a word of a spot.
    ///
    /// # Panics
    /// If the spot has no such word.
    pub fn set_at(&mut self, spot: Spot, word: usize, value: Word) {
        assert!(word < spot.count, "a word of the spot");
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, value.0, spot.address, 8 * byte_offset(word));
    }
}
