//! Many positions in little room: the words of a state as bytes, each position kept once.

use crate::bytecode::to_word;
use crate::chance::GOLDEN;
use crate::vm::State;

impl State {
    /// Writes what can still happen, and nothing else, after the bytes that there are.
    ///
    /// Most words are small, so each takes as many bytes as it needs, seven bits in each.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        let past = self.past.sorted();
        // Only games with a history say how long it is.
        let length = (self.past.stride() > 0).then(|| to_word(past.len()));
        let words = self.words[..self.slots].iter().chain(&length).chain(&past).chain(&self.stack);
        words.for_each(|word| pack(code(*word), bytes));
    }

    /// Takes over a position that a state of the same program has packed. Decisions and work are
    /// counted anew.
    ///
    /// # Panics
    /// If the bytes are of another program.
    pub(crate) fn unpack(&mut self, bytes: &[u8]) {
        let mut words = PackedWords(bytes);
        for word in &mut self.words[..self.slots] {
            *word = words.next().expect("a packed position has a word for each slot");
        }
        if self.past.stride() > 0 {
            let length = words.next().map(usize::try_from);
            let length = length.expect("a length follows the slots").expect("it is a length");
            self.past.set_words(words.by_ref().take(length));
        }
        self.stack.clear();
        self.stack.extend(words);
        self.forget_work();
    }
}

fn pack(mut code: u64, bytes: &mut Vec<u8>) {
    while code >= 128 {
        bytes.push(code.to_le_bytes()[0] | 128);
        code >>= 7;
    }
    bytes.push(code.to_le_bytes()[0]);
}

struct PackedWords<'a>(&'a [u8]);

impl Iterator for PackedWords<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        let mut code = 0;
        for shift in (0..).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            code |= u64::from(byte & 127) << shift;
            if *byte < 128 {
                break;
            }
        }
        let code = code.wrapping_sub(1);
        Some((code >> 1).cast_signed() ^ -(code & 1).cast_signed())
    }
}

/// A number that is small for words near 0, and for `none`, which is the lowest of all.
fn code(word: i64) -> u64 {
    ((word << 1) ^ (word >> 63)).cast_unsigned().wrapping_add(1)
}

/// Positions of one program, each once, numbered in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions {
    bytes: Vec<u8>,
    /// Where each position ends in the bytes.
    ends: Vec<usize>,
    /// Open addressing: a part of the hash beside the number of the position and 1; 0 is free.
    table: Vec<(u32, u32)>,
    wanted: Vec<u8>,
}

impl Positions {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn memory(&self) -> usize {
        self.bytes.len() + 8 * (self.ends.len() + self.table.len())
    }

    /// The number of a position, and whether it is new.
    ///
    /// # Panics
    /// If there are more than 2^32 positions.
    pub(crate) fn add(&mut self, state: &State) -> (usize, bool) {
        if 3 * self.table.len() <= 4 * (self.len() + 1) {
            self.grow();
        }
        self.wanted.clear();
        state.pack(&mut self.wanted);
        let hash = hash(&self.wanted);
        match self.search(hash, &self.wanted) {
            Ok(number) => (number, false),
            Err(place) => {
                let number = self.len();
                self.table[place] = entry(hash, number);
                self.bytes.extend_from_slice(&self.wanted);
                self.ends.push(self.bytes.len());
                (number, true)
            }
        }
    }

    pub(crate) fn number_of(&self, state: &State) -> Option<usize> {
        let mut wanted = Vec::new();
        state.pack(&mut wanted);
        if self.is_empty() { None } else { self.search(hash(&wanted), &wanted).ok() }
    }

    pub(crate) fn load(&self, number: usize, state: &mut State) {
        state.unpack(self.packed(number));
    }

    fn packed(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// The number of a position, or the place of the table where it would stand.
    fn search(&self, hash: u64, wanted: &[u8]) -> Result<usize, usize> {
        let mut place = self.place(hash);
        while self.table[place].1 != 0 {
            let (tag, number) = self.table[place];
            let number = number as usize - 1;
            if tag == halves(hash).1 && self.packed(number) == wanted {
                return Ok(number);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        Err(place)
    }

    fn place(&self, hash: u64) -> usize {
        halves(hash).0 as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(1 << 10);
        self.table.clear();
        self.table.resize(size, (0, 0));
        for number in 0..self.len() {
            let hash = hash(self.packed(number));
            let mut place = self.place(hash);
            while self.table[place].1 != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = entry(hash, number);
        }
    }
}

fn entry(hash: u64, number: usize) -> (u32, u32) {
    let number = u32::try_from(number + 1).expect("there are less than 2^32 positions");
    (halves(hash).1, number)
}

/// The lower and the upper half.
fn halves(hash: u64) -> (u32, u32) {
    let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).expect("it is cut to a half");
    (half(hash), half(hash >> 32))
}

/// Takes eight bytes at a time: multiplies, and folds the product.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = GOLDEN;
    for chunk in bytes.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        let word = hash ^ u64::from_le_bytes(eight);
        hash = word.wrapping_mul(GOLDEN).rotate_left(29).wrapping_add(word >> 32);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{PackedWords, code, pack};

    #[test]
    fn words_are_read_as_they_were_written() {
        for word in [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN, i64::MIN + 1] {
            let mut bytes = Vec::new();
            pack(code(word), &mut bytes);
            assert_eq!(PackedWords(&bytes).collect::<Vec<_>>(), [word], "{word}");
        }
        assert_eq!(code(i64::MIN), 0);
    }
}
