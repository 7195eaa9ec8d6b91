//! Variables in a state: where they lie, how they print, who sees them.

use crate::bytecode::{Format, NONE, sets};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarInfo {
    pub name: String,
    pub(crate) title: String,
    /// Whether each player has one; the players are then the outermost dimension.
    pub(crate) of_player: bool,
    pub(crate) dims: Vec<DimInfo>,
    pub base: u16,
    /// Slots of one element, unless it is kept as sets.
    pub(crate) width: u16,
    pub(crate) kept: Option<KeptSets>,
    pub(crate) format: Format,
    /// Who sees it, if not everybody does.
    pub(crate) secret: Option<SecretVar>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecretVar {
    /// Who sees that of each owner, or that of the table: a bit for each seat.
    pub(crate) seers: Vec<i64>,
    /// The first slot of the sets of players who know the value as it is now, one for each element.
    pub(crate) known: u16,
    /// Slots of one of these sets.
    pub(crate) known_width: u16,
    /// What a player who does not see it must assume.
    pub(crate) values: ValueDomain,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueDomain {
    /// Everything from the first to the last, and none where that is possible.
    Between { low: i64, high: i64, or_none: bool },
    /// The faces of a die, or members; equal ones may stand several times.
    Faces(Vec<i64>),
    /// All sets of members at these bits.
    Subsets(Vec<usize>),
}

/// How an array is kept as sets of its last index, for each group of elements that differ in that index only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptSets {
    /// How many sets there are for a group.
    pub(crate) sets: u16,
    pub(crate) width: u16,
    /// Whether the one set holds the indices that are yes; else there is one for each value.
    pub(crate) flags: bool,
    /// Whether an element can be none; the last set is that of none.
    pub(crate) or_none: bool,
}

impl KeptSets {
    /// How many values have a set, none aside.
    pub(crate) fn values(self) -> u16 {
        self.sets - u16::from(self.or_none)
    }

    /// The position of the set of a value, if it has one.
    pub(crate) fn set_of(self, value: i64) -> Option<u16> {
        match (self.flags, value) {
            (true, yes) => (yes != 0).then_some(0),
            (false, NONE) => self.or_none.then_some(self.sets - 1),
            (false, value) => u16::try_from(value).ok().filter(|at| *at < self.values()),
        }
    }
}

impl VarInfo {
    /// How many elements it has, for one owner.
    pub(crate) fn count(&self) -> usize {
        self.dims.iter().map(|dim| dim.size).product()
    }

    /// How many slots it takes for `players` players.
    pub(crate) fn words(&self, players: usize) -> usize {
        let owners = if self.of_player { players } else { 1 };
        let elements = owners * self.count();
        let Some(kept) = self.kept else { return elements * usize::from(self.width) };
        let last = self.dims.last().map_or(owners, |dim| dim.size);
        elements / last * usize::from(kept.sets) * usize::from(kept.width)
    }

    /// The words of an element, counted with the owner first. `word` reads a slot.
    pub(crate) fn element(
        &self,
        players: usize,
        element: usize,
        word: impl Fn(usize) -> i64,
    ) -> Vec<i64> {
        let base = usize::from(self.base);
        let Some(kept) = self.kept else {
            let width = usize::from(self.width);
            return (0..width).map(|at| word(base + element * width + at)).collect();
        };
        let size = self.dims.last().map_or(players, |dim| dim.size);
        let (group, member) = (element / size, element % size);
        let first = group * usize::from(kept.sets);
        let has = |set: &u16| {
            let slot = base + (first + usize::from(*set)) * usize::from(kept.width);
            sets::bit(&[word(slot + member / 64)], member % 64)
        };
        let value = (0..kept.values()).find(has);
        vec![if kept.flags { value.is_some().into() } else { value.map_or(NONE, i64::from) }]
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DimInfo {
    /// The kind, or none for numbers.
    pub(crate) kind: Option<u16>,
    pub(crate) low: i64,
    pub(crate) size: usize,
}
