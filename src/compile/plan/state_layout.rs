//! Places variables and piles in the state.

use crate::bytecode::{CardsInfo, KeptSets, VarInfo};

/// Where the variables of the game lie. Their slots are given out before any others.
#[derive(Clone, Debug, Default)]
pub(in crate::compile) struct StateLayout {
    pub(in crate::compile) vars: Vec<VarLayout>,
    /// The slot of `turn`, if anything reads it.
    pub(in crate::compile) turn: Option<u16>,
    /// The slot of the same as long as turns go on, else 0, if turns can go on inside of others.
    pub(in crate::compile) running: Option<u16>,
    pub(in crate::compile) initial: Vec<i64>,
    pub(in crate::compile) infos: Vec<VarInfo>,
    pub(in crate::compile) piles: Vec<CardsInfo>,
    /// Who sees each variable: for each owner, or for the table, a bit for each seat.
    pub(in crate::compile) seers: Vec<Vec<i64>>,
}

#[derive(Clone, Debug)]
pub(in crate::compile) struct VarLayout {
    pub(in crate::compile) base: u16,
    pub(in crate::compile) width: u16,
    /// Low end and size of each dimension, the owner first when a player has it.
    pub(in crate::compile) dims: Vec<(i64, usize)>,
    pub(in crate::compile) initial: Vec<i64>,
    /// The first slot of the sets of those who know an element, if not all see it.
    pub(in crate::compile) known: Option<u16>,
    /// How it is kept as sets, if it is; `width` and `dims` are still those of its elements.
    pub(in crate::compile) sets: Option<KeptSets>,
}

impl VarLayout {
    pub(in crate::compile) fn count(&self) -> usize {
        elements(&self.dims)
    }
}

/// How the elements of a list lie in its words.
#[derive(Clone, Copy)]
pub(in crate::compile) struct Packing {
    pub(in crate::compile) width: u16,
    pub(in crate::compile) bits: u16,
    pub(in crate::compile) most: u16,
    /// The member that position 0 stands for.
    pub(in crate::compile) low: i64,
}

/// The number of elements of an array, saturating.
pub(in crate::compile) fn elements(dims: &[(i64, usize)]) -> usize {
    dims.iter().fold(1, |count, (_, size)| count.saturating_mul(*size))
}

/// The indices of an element, counted as the elements lie.
pub(in crate::compile) fn indices_of(dims: &[(i64, usize)], element: usize) -> Vec<i64> {
    let mut left = element;
    let indices = dims.iter().rev().map(|(low, size)| {
        let index = left % size;
        left /= size;
        low + i64::try_from(index).expect("a finite type has few members")
    });
    let mut indices: Vec<i64> = indices.collect();
    indices.reverse();
    indices
}

/// The operand that names a kind of cards, by the position of its piles, and the top of a pile.
pub(in crate::compile) fn cards_of(group: usize) -> u16 {
    u16::try_from(2 * group).expect("a file has few kinds of cards")
}

/// The first values of elements, given one after the other, as sets.
pub(super) fn sets_of(words: &[i64], dims: &[(i64, usize)], sets: KeptSets) -> Vec<i64> {
    let size = dims.last().map_or(1, |(_, size)| *size);
    let width = usize::from(sets.width);
    let group = usize::from(sets.sets) * width;
    let mut all = vec![0_i64; words.len() / size * group];
    for (element, value) in words.iter().enumerate() {
        let (outer, member) = (element / size, element % size);
        if let Some(set) = sets.set_of(*value) {
            all[outer * group + usize::from(set) * width + member / 64] |= 1 << (member % 64);
        }
    }
    all
}
