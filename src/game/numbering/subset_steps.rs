//! The steps of moves that take so many members of one set: followed without listing the moves.

use crate::bytecode::{Factor, Program};
use crate::game::numbering::{ActionTable, ValueSource, small};
use crate::vm::{self, OfferedMoves};

/// The moves in steps of a decision, where these are all subsets of one set with so many members. Such a move is
/// spelled by its members, ascending, and the end. So a member can come next if it is above the last one and enough
/// others are above it.
#[derive(Debug)]
pub(crate) struct SubsetSteps {
    /// The number of the first of the moves among all.
    index: usize,
    factor: Factor,
    set: i64,
    taken: usize,
    /// The numbers of the first member of the kind and of the end.
    first: u32,
    end: u32,
}

impl ActionTable {
    /// The steps of what is offered; none where moves in steps are other than the subsets of one set.
    pub(crate) fn subset_steps<'a>(
        &self,
        program: &Program,
        offered: impl Iterator<Item = OfferedMoves<'a>>,
    ) -> Option<SubsetSteps> {
        let mut in_steps = offered.filter(|it| self.site_of(it.option).in_steps());
        let (offered, None) = (in_steps.next()?, in_steps.next()) else { return None };
        let numbered = &self.options[usize::from(offered.option)];
        let factors = program.options[usize::from(offered.option)].binds.factors.as_slice();
        let arguments = self.sites[numbered.site].arguments.as_slice();
        let ([argument], [ValueSource::Factor(0, 0)], [factor]) =
            (arguments, numbered.sources.as_slice(), factors)
        else {
            return None;
        };
        let (&set, taken) = (offered.words.first()?, usize::from(factor.taken?));
        let is_whole = offered.count == vm::factor_size(*factor, &[set]);
        if argument.is_single() || !argument.letters.is_plain() || factor.width != 1 || !is_whole {
            return None;
        }
        let (index, factor, first) = (offered.index, *factor, argument.weight);
        let end = first + small(argument.letters.count());
        Some(SubsetSteps { index, factor, set, taken, first, end })
    }
}

impl SubsetSteps {
    /// Calls `see` with each number that may follow those that were given.
    pub(crate) fn each_next(&self, made: &[u32], see: &mut impl FnMut(u32)) {
        let Some(left) = self.taken.checked_sub(made.len() + 1) else { return see(self.end) };
        let behind = made.last().map_or(0, |last| last + 1 - self.first);
        let mut next = self.set.cast_unsigned() & u64::MAX.checked_shl(behind).unwrap_or(0);
        // The last ones are too few to follow each other.
        for _ in 0..left {
            next &= !(1_u64 << 63).checked_shr(next.leading_zeros()).unwrap_or(0);
        }
        vm::members(&[next.cast_signed()])
            .for_each(|bit| see(self.first + small(bit.unsigned_abs())));
    }

    /// The legal move that a number ends, or nothing if others follow it; nothing at all if it may not follow.
    #[expect(clippy::option_option, reason = "the two say different things")]
    pub(crate) fn find(&self, made: &[u32], number: u32) -> Option<Option<usize>> {
        let mut is_next = false;
        self.each_next(made, &mut |next| is_next |= next == number);
        let subset = made.iter().fold(0_i64, |subset, step| subset | 1 << (step - self.first));
        let whole = || vm::way_to(self.factor, &[self.set], subset).map(|way| self.index + way);
        is_next.then(|| if number == self.end { whole() } else { None })
    }
}
