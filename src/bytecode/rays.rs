//! Rays of a board: the cells that are seen from another along straight lines.
//!
//! The cells of a ray mostly lie in the order of the board or against it. So the nearest cell where
//! something stands is the first or the last bit of a set, and all cells up to it are found at once.

/// How many words a set of cells has at most.
pub(crate) const MOST_WORDS: usize = 8;

/// From each cell the rays that are looked along, in pairs: one leads to later cells, and one to earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rays {
    /// How many words a set of cells has.
    width: usize,
    pairs: usize,
    /// For each cell, and for each of its pairs, the two sets, the second mirrored: so the nearest cell has
    /// the lowest bit. They have as many words as a power of two.
    sets: Vec<i64>,
}

impl Rays {
    /// For each cell, and for each of its pairs, the two sets. They have `width` words, at most [`MOST_WORDS`].
    pub(crate) fn new(width: usize, pairs: usize, sets: &[[Vec<i64>; 2]]) -> Rays {
        let padding = vec![0; width.next_power_of_two() - width];
        let words = |[later, earlier]: &[Vec<i64>; 2]| {
            let earlier = [earlier.as_slice(), &padding].concat();
            let mirrored = earlier.iter().rev().map(|word| word.reverse_bits());
            later.iter().chain(&padding).copied().chain(mirrored).collect::<Vec<_>>()
        };
        Rays { width, pairs, sets: sets.iter().flat_map(words).collect() }
    }

    /// How many pairs begin at a cell.
    #[cfg(feature = "native")]
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// For each cell, and for each of its pairs, the words of the two sets, both in the usual order.
    #[cfg(feature = "native")]
    pub(crate) fn words(&self) -> Vec<i64> {
        let size = self.width.next_power_of_two();
        let mut words = Vec::new();
        for pair in self.sets.chunks(2 * size) {
            let (later, earlier) = pair.split_at(size);
            words.extend(&later[..self.width]);
            words.extend(earlier.iter().rev().map(|word| word.reverse_bits()).take(self.width));
        }
        words
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The cells of the rays from a cell, each up to and with its first in `stop`. The sets have as many
    /// words as a power of two, not less than `width`.
    #[inline]
    pub(crate) fn seen<const WORDS: usize>(&self, from: i64, stop: [i64; WORDS]) -> [i64; WORDS] {
        let length = 2 * self.pairs;
        let begin = usize::try_from(from).unwrap_or(usize::MAX).saturating_mul(length);
        let (sets, _) = self.sets.as_chunks::<WORDS>();
        let rays = sets.get(begin..begin.saturating_add(length)).unwrap_or_default();
        let (mut seen, mut seen_back) = ([0; WORDS], [0; WORDS]);
        let stop_back = mirrored(stop);
        for [later, earlier] in rays.as_chunks::<2>().0 {
            seen_along(*later, stop, &mut seen);
            seen_along(*earlier, stop_back, &mut seen_back);
        }
        let seen_back = mirrored(seen_back);
        std::array::from_fn(|at| seen[at] | seen_back[at])
    }
}

/// Adds the cells of a ray up to and with its first in `stop`, without a branch: where it ends is not to be
/// foreseen. One taken from a number changes its bits up to and with the lowest that is set.
#[inline]
fn seen_along<const WORDS: usize>(ray: [i64; WORDS], stop: [i64; WORDS], seen: &mut [i64; WORDS]) {
    let mut is_open = true;
    for at in 0..WORDS {
        let met = (ray[at] & stop[at]).cast_unsigned();
        let (less, goes_on) = met.overflowing_sub(is_open.into());
        seen[at] |= ray[at] & (met ^ less).cast_signed();
        is_open = goes_on;
    }
}

/// The bits in the opposite order.
#[inline]
fn mirrored<const WORDS: usize>(set: [i64; WORDS]) -> [i64; WORDS] {
    std::array::from_fn(|at| set[WORDS - 1 - at].reverse_bits())
}

#[cfg(test)]
mod tests {
    use super::{MOST_WORDS, Rays};
    use crate::bytecode::sets;

    #[test]
    fn rays_end_at_the_first_cell_that_stops_them() {
        // On a strip of cells, by steps of three both ways.
        for width in [1, 2, 3, 4, 8] {
            let (size, step) = (64 * width, 3);
            let set = |cells: &[usize]| {
                let mut set = vec![0; width];
                cells.iter().for_each(|cell| sets::set_bit(&mut set, *cell, true));
                set
            };
            let later = |from: usize| (from + step..size).step_by(step).collect::<Vec<_>>();
            let earlier =
                |from: usize| (0..from).rev().skip(step - 1).step_by(step).collect::<Vec<_>>();
            let pair = |from| [set(&later(from)), set(&earlier(from))];
            let sets: Vec<[Vec<i64>; 2]> = (0..size).map(pair).collect();
            let rays = Rays::new(width, 1, &sets);
            for nth in [1, 2, 7, 29, 1000] {
                let stops: Vec<usize> = (0..size).filter(|at| at * at % nth == nth / 2).collect();
                for from in 0..size {
                    let walked = |ray: Vec<usize>| {
                        let end = ray.iter().position(|cell| stops.contains(cell));
                        ray[..end.map_or(ray.len(), |end| end + 1)].to_vec()
                    };
                    let expected = set(&[walked(later(from)), walked(earlier(from))].concat());
                    let at = i64::try_from(from).expect("a small number");
                    let seen = seen(&rays, at, &set(&stops));
                    assert_eq!(seen[..width], expected, "{width} {nth} {from}");
                }
            }
        }
    }

    fn seen(rays: &Rays, from: i64, stop: &[i64]) -> [i64; MOST_WORDS] {
        let mut seen = [0; MOST_WORDS];
        let word = |at: usize| stop.get(at).copied().unwrap_or(0);
        match stop.len() {
            1 => seen[..1].copy_from_slice(&rays.seen(from, [word(0)])),
            2 => seen[..2].copy_from_slice(&rays.seen(from, [word(0), word(1)])),
            3 | 4 => seen[..4].copy_from_slice(&rays.seen::<4>(from, std::array::from_fn(word))),
            _ => seen = rays.seen(from, std::array::from_fn(word)),
        }
        seen
    }
}
