//! Sets of which one may be within another, such as the lines of a board: those of one shape at once.
//!
//! Lines of one direction differ in where they begin. So the cells where one begins that is within a set are
//! those where the set, the set moved by one cell of the line, by two, and so on, meet.

use crate::bytecode::sets;

/// How many words a set has at most.
pub(crate) const MOST_WORDS: usize = 8;

/// How many words are tested at most: code is written for each.
const MOST_STEPS: usize = 512;

/// Some sets, by their shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    width: usize,
    shapes: Vec<LineShape>,
}

/// Sets that differ only in where they begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineShape {
    /// The first members: as many words as a power of two.
    pub(crate) starts: Vec<i64>,
    /// By how much the other members lie behind the first.
    pub(crate) behind: Vec<usize>,
}

impl Lines {
    /// Groups sets of `width` words, at most [`MOST_WORDS`], by their shapes; nothing if to test one after the
    /// other is as short.
    pub(crate) fn new(width: usize, words: &[i64]) -> Option<Lines> {
        let mut shapes: Vec<LineShape> = Vec::new();
        for set in words.chunks(width) {
            let members: Vec<usize> = sets::members(set).collect();
            let first = *members.first()?;
            let behind: Vec<usize> = members[1..].iter().map(|member| member - first).collect();
            let at = shapes.iter().position(|shape| shape.behind == behind).unwrap_or_else(|| {
                shapes.push(LineShape { starts: vec![0; width.next_power_of_two()], behind });
                shapes.len() - 1
            });
            sets::set_bit(&mut shapes[at].starts, first, true);
        }
        let steps: usize = shapes.iter().map(|shape| 1 + shape.behind.len()).sum();
        // To move a set takes about twice as long as to compare one.
        let pays = width <= MOST_WORDS && 2 * steps < words.len() / width;
        let pays = pays && steps * width <= MOST_STEPS;
        pays.then_some(Lines { width, shapes })
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    #[cfg(feature = "native")]
    pub(crate) fn shapes(&self) -> &[LineShape] {
        &self.shapes
    }

    /// Whether one of the sets is within a set, which has as many words as a power of two, not less than `width`.
    #[inline]
    pub(crate) fn any_within<const WORDS: usize>(&self, set: [i64; WORDS]) -> bool {
        self.shapes.iter().any(|shape| {
            let starts = shape.starts.as_chunks::<WORDS>().0.first();
            let mut left: [i64; WORDS] =
                std::array::from_fn(|at| starts.map_or(0, |starts| starts[at] & set[at]));
            for behind in &shape.behind {
                let (words, bits) = (behind / 64, behind % 64);
                for (at, left) in left.iter_mut().enumerate() {
                    let word = |at: usize| set.get(at).map_or(0, |word| word.cast_unsigned());
                    // What is missing in a word is in the next one.
                    let next = word(at + words + 1) << 1 << (63 - bits);
                    *left &= (word(at + words) >> bits | next).cast_signed();
                }
            }
            left != [0; WORDS]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use crate::bytecode::sets;

    #[test]
    fn a_line_is_within_a_set_if_each_of_its_members_is() {
        // Lines of three on boards of some sizes, across and down.
        for side in [6_usize, 9, 12, 15, 20] {
            let cells = side * side;
            let width = cells.div_ceil(64);
            let set = |members: &[usize]| {
                let mut set = vec![0; width];
                members.iter().for_each(|member| sets::set_bit(&mut set, *member, true));
                set
            };
            let across =
                (0..cells).filter(|at| at % side + 2 < side).map(|at| [at, at + 1, at + 2]);
            let down = (0..cells).filter(|at| at + 2 * side < cells);
            let down = down.map(|at| [at, at + side, at + 2 * side]);
            let all: Vec<[usize; 3]> = across.chain(down).collect();
            let words: Vec<i64> = all.iter().flat_map(|line| set(line)).collect();
            let lines = Lines::new(width, &words).expect("there are many");
            let mut found = [0, 0];
            for part in 2..60 {
                let some: Vec<usize> =
                    (0..cells).filter(|at| (at * at * 7 + part) % 97 < part).collect();
                let is_within = |line: &[usize; 3]| line.iter().all(|at| some.contains(at));
                let expected = all.iter().any(is_within);
                let words = set(&some);
                let given = |at: usize| words.get(at).copied().unwrap_or(0);
                let found_one = match width {
                    1 => lines.any_within([given(0)]),
                    2 => lines.any_within([given(0), given(1)]),
                    3 | 4 => lines.any_within::<4>(std::array::from_fn(given)),
                    _ => lines.any_within::<8>(std::array::from_fn(given)),
                };
                assert_eq!(found_one, expected, "{side} {part}");
                found[usize::from(expected)] += 1;
            }
            assert!(found.iter().all(|count| *count > 5), "{found:?}");
        }
    }

    #[test]
    fn a_few_sets_are_tested_one_by_one() {
        assert_eq!(Lines::new(1, &[0b111, 0b11_1000, 0b1_0010_0100]), None);
    }
}
