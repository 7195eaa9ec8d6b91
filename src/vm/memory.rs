//! Memory of a run: reads and writes by slot, and sets of one word or many.

use crate::bytecode::sets;

pub(super) trait WordMemory {
    fn word(&self, slot: u16) -> i64;
    fn put(&mut self, slot: u16, word: i64);
    fn bits(&self, slot: u16, width: u16) -> &[i64];
    fn bits_mut(&mut self, slot: u16, width: u16) -> &mut [i64];

    /// Puts a member into a set; what is no member at all changes nothing.
    #[inline]
    fn insert(&mut self, set: u16, width: u16, member: i64) {
        sets::insert(self.bits_mut(set, width), member);
    }

    #[inline]
    fn remove(&mut self, set: u16, width: u16, member: i64) {
        sets::remove(self.bits_mut(set, width), member);
    }

    /// Copies words, as if one after the other.
    #[inline]
    fn copy(&mut self, dst: u16, src: u16, width: u16) {
        for word in 0..width {
            self.put(dst + word, self.word(src + word));
        }
    }

    #[inline]
    fn combine(&mut self, [dst, a, b]: [u16; 3], width: u16, combined: impl Fn(i64, i64) -> i64) {
        // Most sets have one word or two: no loop for them.
        self.put(dst, combined(self.word(a), self.word(b)));
        if width > 1 {
            self.put(dst + 1, combined(self.word(a + 1), self.word(b + 1)));
            for at in 2..width {
                self.put(dst + at, combined(self.word(a + at), self.word(b + at)));
            }
        }
    }

    #[inline]
    fn is_empty_set(&self, set: u16, width: u16) -> bool {
        self.word(set) == 0 && (1..width).all(|at| self.word(set + at) == 0)
    }

    #[inline]
    fn is_within(&self, a: u16, b: u16, width: u16) -> bool {
        let within = |at: u16| self.word(a + at) & !self.word(b + at) == 0;
        within(0) && (1..width).all(within)
    }

    #[inline]
    fn is_meeting(&self, a: u16, b: u16, width: u16) -> bool {
        let meets = |at: u16| self.word(a + at) & self.word(b + at) != 0;
        meets(0) || (1..width).any(meets)
    }
}

impl WordMemory for [i64] {
    #[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
    #[inline(always)]
    fn word(&self, slot: u16) -> i64 {
        self[usize::from(slot)]
    }

    #[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
    #[inline(always)]
    fn put(&mut self, slot: u16, word: i64) {
        self[usize::from(slot)] = word;
    }

    #[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
    #[inline(always)]
    fn bits(&self, slot: u16, width: u16) -> &[i64] {
        &self[usize::from(slot)..][..usize::from(width)]
    }

    #[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
    #[inline(always)]
    fn bits_mut(&mut self, slot: u16, width: u16) -> &mut [i64] {
        &mut self[usize::from(slot)..][..usize::from(width)]
    }
}

/// The number of a pile, of a card or of an outcome.
pub(super) fn index_at(mem: &[i64], slot: u16) -> usize {
    usize::try_from(mem.word(slot)).expect("it is never negative")
}

/// Makes of a subset of `of` the next one: counted like a number whose digits are the members of
/// `of`, the first one changing fastest. Returns whether there is one; else it is empty again.
pub(super) fn next_subset(mem: &mut [i64], set: u16, of: u16, width: u16) -> bool {
    let mut carries = true;
    for at in 0..width {
        let digits = mem.word(of + at).cast_unsigned();
        // With every other bit set a carry runs on to the next member.
        let full = mem.word(set + at).cast_unsigned() | !digits;
        let (sum, over) = full.overflowing_add(u64::from(carries));
        mem.put(set + at, (sum & digits).cast_signed());
        carries = over;
    }
    !carries
}

#[cfg(test)]
mod tests {
    use super::next_subset;

    #[test]
    fn subsets_are_counted_over_all_words() {
        // The members are bit 1 of the first word, bit 63 of it and bit 2 of the second.
        let of = [1 << 1 | i64::MIN, 1 << 2];
        let mut mem = [0, 0, of[0], of[1]];
        let mut met = vec![[mem[0], mem[1]]];
        while next_subset(&mut mem, 0, 2, 2) {
            met.push([mem[0], mem[1]]);
        }
        let low = [0, 1 << 1, i64::MIN, of[0]];
        let counted = [0, of[1]].map(|high| low.map(|low| [low, high]));
        assert_eq!(met, counted.concat());
        assert_eq!(mem[..2], [0, 0]);
    }

    #[test]
    fn the_empty_set_has_one_subset() {
        assert!(!next_subset(&mut [0, 0], 0, 1, 1));
    }
}
