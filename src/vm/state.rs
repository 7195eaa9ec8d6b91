//! One moment of one playing: a flat slice of integers, and a stack for rules inside themselves.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::bytecode::{ENDING, Program, RETURNS, SITE, Site, sets};
use crate::source::Span;
use crate::vm::FUEL;
use crate::vm::past::Past;

/// Between two decisions there are fewer than 2^24 rounds: so both counts fit into a word.
const DECISION_BITS: u32 = 39;

/// So many words of bits lie on the stack.
const FEW_WORDS: usize = 8;

/// A moment of a game. A value: it can be copied, compared, hashed and kept.
///
/// Two states are equal when the same can still happen: how many decisions were made and how much
/// work was done since the last one are guards against games that never end, not part of the
/// position.
#[derive(Debug)]
pub struct State {
    /// The words of the state, then the constants of its program: all operands lie in one row.
    pub(super) words: Vec<i64>,
    /// How many of the words are the state.
    pub(super) slots: usize,
    pub(super) stack: Vec<i64>,
    pub(super) past: Past,
    pub(super) decisions: i64,
    /// How often since the last decision nothing was legal.
    pub(super) passes: i64,
    pub(super) fuel: u64,
}

impl Clone for State {
    fn clone(&self) -> State {
        let (words, stack, past) = (self.words.clone(), self.stack.clone(), self.past.clone());
        State { words, stack, past, ..*self }
    }

    // Playouts and searches copy into states that they have: no allocation.
    fn clone_from(&mut self, source: &State) {
        self.words.clone_from(&source.words);
        self.slots = source.slots;
        self.stack.clone_from(&source.stack);
        self.past.copy_from(&source.past);
        self.copy_guards(source);
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.own() == other.own()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.own().hash(hasher);
    }
}

/// Hashes words into 128 bits: the product moves a word up, and the fold brings it down again before the next one.
struct FingerprintHasher(u128);

impl Hasher for FingerprintHasher {
    fn write(&mut self, bytes: &[u8]) {
        // Odd, and half of its bits are set: 2^128 and 2^64 divided by the golden ratio. With a factor of few bits,
        // such as the prime of FNV, words that differ in their high bits alone can cancel each other.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let (words, rest) = bytes.as_chunks();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        for word in words.chain(rest.iter().map(|byte| u64::from(*byte))) {
            self.0 = (self.0 ^ u128::from(word)).wrapping_mul(FACTOR);
            self.0 ^= self.0 >> 64;
        }
    }

    fn finish(&self) -> u64 {
        (self.0 >> 64) as u64
    }
}

/// An order of states, so that they can be kept in order: that of their words.
impl Ord for State {
    fn cmp(&self, other: &State) -> Ordering {
        self.own().cmp(&other.own())
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &State) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl State {
    /// Lets the machine take only so many steps to the next decision or draw.
    pub(crate) fn allow_steps(&mut self, steps: u64) {
        self.fuel = FUEL.saturating_sub(steps);
    }

    /// How many of the steps that were allowed are left.
    pub(crate) fn steps_left(&self) -> u64 {
        FUEL.saturating_sub(self.fuel)
    }

    /// The parts by which states are compared: constants of the program are none of them.
    fn own(&self) -> (&[i64], &[i64], &Past) {
        (&self.words[..self.slots], &self.stack, &self.past)
    }

    /// A number that differs where states differ, but for a chance of about 2^-128.
    pub(crate) fn fingerprint(&self) -> u128 {
        let mut hasher = FingerprintHasher(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        self.hash(&mut hasher);
        hasher.0
    }

    pub(crate) fn new(program: &Program) -> State {
        let words = [program.initial.as_slice(), &program.constants].concat();
        let (stack, past) = (Vec::new(), Past::new(program));
        State { words, slots: program.slots, stack, past, decisions: 0, passes: 0, fuel: 0 }
    }

    pub(super) fn copy_guards(&mut self, other: &State) {
        (self.decisions, self.passes, self.fuel) = (other.decisions, other.passes, other.fuel);
    }

    /// This state for an extended program, which has more locals.
    #[must_use]
    pub(crate) fn grown(&self, program: &Program) -> State {
        let mut grown = State::new(program);
        grown.set_to(self);
        grown
    }

    /// Becomes a copy of another state of its program, or of one that this program extends: it has the
    /// constants already.
    pub(crate) fn set_to(&mut self, other: &State) {
        let (shared, own) = self.words[..self.slots].split_at_mut(other.slots);
        shared.copy_from_slice(&other.words[..other.slots]);
        own.fill(0);
        self.stack.clone_from(&other.stack);
        self.past.copy_from(&other.past);
        self.copy_guards(other);
    }

    /// Takes over the words of the whole game, not the locals, from a state of an extended program.
    pub(crate) fn adopt(&mut self, program: &Program, other: &State) {
        let shared = Program::header(program.players)..program.frame;
        self.words[shared.clone()].copy_from_slice(&other.words[shared]);
        self.past.copy_from(&other.past);
    }

    /// Takes over the locals of another state of its program, after code that wrote some.
    pub(crate) fn set_locals(&mut self, program: &Program, other: &State) {
        let locals = program.frame..self.slots;
        self.words[locals.clone()].copy_from_slice(&other.words[locals]);
        self.stack.clone_from(&other.stack);
        self.fuel = other.fuel;
    }

    /// Goes to a site, with nothing waiting.
    pub(crate) fn jump(&mut self, site: u16) {
        self.words[SITE] = i64::from(site);
        self.words[ENDING] = 0;
        self.stack.clear();
    }

    #[doc(hidden)]
    pub(crate) fn word(&self, slot: usize) -> i64 {
        self.words[slot]
    }

    #[doc(hidden)]
    pub fn set_word(&mut self, slot: usize, word: i64) {
        self.words[slot] = word;
    }

    /// The number of the site at which it waits.
    pub fn site_number(&self) -> usize {
        site_in(self.words[SITE])
    }

    #[doc(hidden)]
    pub(crate) fn slice(&self, slot: usize, width: usize) -> &[i64] {
        &self.words[slot..slot + width]
    }

    /// How many bytes a copy of it writes.
    pub fn bytes(&self) -> usize {
        (self.words.len() + self.stack.len() + self.past.words().len()) * size_of::<i64>()
    }

    /// Whether the game is over, or the rule that was run on its own has returned.
    pub(crate) fn has_ended(&self) -> bool {
        self.words[ENDING] != 0
    }

    #[doc(hidden)]
    pub fn returns(&self, program: &Program) -> &[i64] {
        self.slice(RETURNS, program.players)
    }

    /// How often a history of the program remembers the present values.
    pub(crate) fn times(&self, program: &Program, history: usize) -> i64 {
        self.past.times(&program.histories[history], history, &self.words)
    }

    /// How many different positions a history of the program remembers.
    pub(crate) fn remembered(&self, history: usize) -> usize {
        self.past.count(history)
    }

    /// Counts decisions and work from 0 again, as if the game had begun here.
    pub(crate) fn forget_work(&mut self) {
        (self.decisions, self.passes, self.fuel) = (0, 0, 0);
    }

    /// The decisions so far, and above them how often nothing was legal since the last.
    pub(crate) fn counts(&self) -> i64 {
        self.decisions | self.passes << DECISION_BITS
    }

    pub(crate) fn set_counts(&mut self, counts: i64) {
        self.passes = counts >> DECISION_BITS;
        self.decisions = counts & ((1 << DECISION_BITS) - 1);
    }

    pub(crate) fn set_decisions(&mut self, decisions: i64) {
        self.decisions = decisions;
    }

    /// Returns the place in the text of what it waits for.
    pub(crate) fn site_span(&self, program: &Program) -> Span {
        self.site(program).span
    }

    pub(super) fn site<'p>(&self, program: &'p Program) -> &'p Site {
        &program.sites[self.site_number()]
    }

    /// Clears every local that nothing will read, so that equal positions are equal.
    ///
    /// The rules that wait are found from the site over the links. A rule that waits inside itself
    /// has its older words on the stack; those are cleared there.
    pub(crate) fn canonicalise(&mut self, program: &Program) {
        // A bit for each local, and after them for each word of the stack, that is still read.
        let frame = program.frame;
        let count = (self.slots - frame + self.stack.len()).div_ceil(64);
        // Most games have few locals: nothing is allocated for them.
        let (mut few, mut many) = ([0; FEW_WORDS], Vec::new());
        let kept = if count <= FEW_WORDS {
            &mut few[..count]
        } else {
            many.resize(count, 0);
            many.as_mut_slice()
        };
        // Blocks of slots whose words, from here on, lie on the stack: the slots, and where the first
        // of their words lies.
        let mut pulled: Vec<(Range<usize>, usize)> = Vec::new();
        let mut top = self.slots + self.stack.len();
        let mut site = self.site(program);
        loop {
            let find = |slot: u16| {
                let slot = usize::from(slot);
                let block = pulled.iter().rev().find(|(slots, _)| slots.contains(&slot));
                block.map_or(slot, |(slots, place)| place + slot - slots.start)
            };
            for slot in site.live.iter().chain(&site.link).map(|slot| find(*slot)) {
                slot.checked_sub(frame).into_iter().for_each(|at| sets::set_bit(kept, at, true));
            }
            let Some(link) = site.link.map(find) else { break };
            let on_stack = link.checked_sub(self.slots);
            let back = on_stack.map_or_else(|| self.words[link], |at| self.stack[at]);
            site = &program.sites[site_in(back)];
            if let Some((base, count)) = site.pulled {
                let (base, count) = (usize::from(base), usize::from(count));
                top -= count;
                pulled.push((base..base + count, top));
            }
        }
        let words = self.words[frame..self.slots].iter_mut().chain(&mut self.stack);
        words.enumerate().filter(|(at, _)| !sets::bit(kept, *at)).for_each(|(_, word)| *word = 0);
    }
}

/// The number of a site that is kept in a word.
pub(super) fn site_in(word: i64) -> usize {
    usize::try_from(word).expect("a site is never negative")
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::{Past, State};

    fn state(words: &[i64], constants: &[i64], stack: &[i64]) -> State {
        State {
            words: [words, constants].concat(),
            slots: words.len(),
            stack: stack.to_vec(),
            past: Past::default(),
            decisions: 0,
            passes: 0,
            fuel: 0,
        }
    }

    fn hash(state: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn states_are_equal_in_every_way_or_in_none() {
        // The same moment in a program that was extended by a piece with constants of its own.
        let (one, extended) = (state(&[1, 2], &[7], &[3]), state(&[1, 2], &[5, 9], &[3]));
        assert_eq!(one, extended);
        assert_eq!(one.cmp(&extended), Ordering::Equal);
        assert_eq!(hash(&one), hash(&extended));
        for other in
            [state(&[1, 3], &[7], &[3]), state(&[1, 2], &[7], &[4]), state(&[1], &[2], &[3])]
        {
            assert_ne!(one, other);
            assert_ne!(one.cmp(&other), Ordering::Equal);
            assert_eq!(one.cmp(&other), other.cmp(&one).reverse());
        }
    }
}
