//! What is legal at a decision: a buffer that is filled again at each decision, outside the state.

use crate::bytecode::Program;

/// The legal choices of one decision, some of them folded: an option with a set of members for its
/// last binding is one entry.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    entries: Vec<Entry>,
    values: Vec<i64>,
    decline: Option<u16>,
    legal: usize,
    player: u8,
}

/// An option with the values of its bindings; `each` words of a set follow them when the last
/// binding is taken from a set.
#[derive(Clone, Copy, Debug)]
struct Entry {
    option: u16,
    each: u16,
    count: usize,
    start: usize,
}

impl Offers {
    /// An empty buffer.
    pub fn new() -> Offers {
        Offers::default()
    }

    /// Whose decision it is, as a seat counted from 0.
    pub fn player(&self) -> u8 {
        self.player
    }

    /// How many choices there are, declining included.
    pub fn count(&self) -> usize {
        self.legal + usize::from(self.declines().is_some())
    }

    /// How many choices there are without declining.
    pub fn legal(&self) -> usize {
        self.legal
    }

    /// The option of declining, if it is offered and something else is legal too.
    pub fn declines(&self) -> Option<u16> {
        self.decline.filter(|_| self.legal > 0)
    }

    /// The option of declining, whether or not something else is legal.
    pub(super) fn declinable(&self) -> Option<u16> {
        self.decline
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.values.clear();
        self.decline = None;
        self.legal = 0;
    }

    pub(super) fn asks(&mut self, player: u8) {
        self.player = player;
    }

    pub(super) fn decline(&mut self, option: u16) {
        self.decline = Some(option);
    }

    /// Adds an option with the values of its bindings.
    pub(super) fn push(&mut self, option: u16, values: impl IntoIterator<Item = i64>) {
        let start = self.values.len();
        self.values.extend(values);
        self.entries.push(Entry { option, each: 0, count: 1, start });
        self.legal += 1;
    }

    /// Adds an option once for each member of a set.
    pub(super) fn push_each(
        &mut self,
        option: u16,
        values: impl IntoIterator<Item = i64>,
        set: &[i64],
    ) {
        let count: u32 = set.iter().map(|word| word.count_ones()).sum();
        if count == 0 {
            return;
        }
        let start = self.values.len();
        self.values.extend(values);
        self.values.extend_from_slice(set);
        let each = u16::try_from(set.len()).expect("verified: a set fits into the slots");
        let count = count as usize;
        self.entries.push(Entry { option, each, count, start });
        self.legal += count;
    }

    /// The option of a choice; `write` is called with each slot that it binds and its word.
    ///
    /// # Panics
    /// If `index` is not below [`Offers::count`].
    pub fn bind(&self, program: &Program, index: usize, mut write: impl FnMut(u16, i64)) -> u16 {
        let mut left = index;
        for entry in &self.entries {
            if left < entry.count {
                self.bind_entry(program, *entry, left, &mut write);
                return entry.option;
            }
            left -= entry.count;
        }
        assert!(left == 0, "choice {index} is not among the {} offered", self.count());
        self.declines().expect("the last choice is to decline")
    }

    fn bind_entry(
        &self,
        program: &Program,
        entry: Entry,
        nth: usize,
        write: &mut impl FnMut(u16, i64),
    ) {
        let info = &program.options[usize::from(entry.option)];
        let slots = info.bindings.iter().flat_map(|(slot, width)| *slot..*slot + *width);
        let values = &self.values[entry.start..];
        if entry.each == 0 {
            slots.zip(values).for_each(|(slot, value)| write(slot, *value));
            return;
        }
        let words: usize = info.bindings.iter().map(|(_, width)| usize::from(*width)).sum();
        let set = &values[words - 1..words - 1 + usize::from(entry.each)];
        let member = super::sets::nth(set, nth).expect("the entry counted its members");
        let member = info.low + member;
        let bound = values[..words - 1].iter().copied().chain([member]);
        slots.zip(bound).for_each(|(slot, value)| write(slot, value));
    }
}
