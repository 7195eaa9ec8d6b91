//! Features of a state: the cards in the piles of players, and their numbers.

use std::ops::Range;

use crate::bytecode::Program;
use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{NONE, Shape};
use crate::game::State;

/// What numbers are measured by: the largest that a look at the game shows counts so much.
const WHOLE: i64 = 1024;

/// Where the things of players are in a state, and which of them are of one sort: each face of
/// cards in each of a player's piles, and each of his numbers.
#[derive(Clone, Debug)]
pub(super) struct Things {
    piles: Vec<Pile>,
    numbers: Vec<Number>,
    sorts: usize,
}

/// A pile of a player.
#[derive(Clone, Debug)]
struct Pile {
    owner: usize,
    /// The sort of the first face.
    first: usize,
    /// The slots of its set.
    set: Range<usize>,
    /// For each card its face.
    faces: Vec<usize>,
}

/// A number that each player has.
#[derive(Clone, Copy, Debug)]
struct Number {
    sort: usize,
    base: usize,
    width: usize,
    /// What counts as [`WHOLE`].
    whole: i64,
}

impl Things {
    pub(super) fn of(program: &Program) -> Things {
        let mut things = Things { piles: Vec::new(), numbers: Vec::new(), sorts: 0 };
        for cards in &program.cards {
            things.add_piles(cards);
        }
        for var in &program.vars {
            let plain = var.dims.is_empty() && var.kept.is_none() && var.secret.is_none();
            if var.of_player && plain && var.format.shape == Shape::Number {
                let (base, width) = (var.base.into(), var.width.into());
                things.numbers.push(Number { sort: things.sorts, base, width, whole: 1 });
                things.sorts += 1;
            }
        }
        things
    }

    fn add_piles(&mut self, cards: &CardsInfo) {
        let faces: Vec<usize> = cards.faces.iter().map(|face| usize::from(*face)).collect();
        let count = faces.iter().max().map_or(0, |face| face + 1);
        // The piles of one variable are of one sort, whoever has them.
        let mut vars: Vec<(u16, usize)> = Vec::new();
        for (at, pile) in cards.piles.iter().enumerate() {
            let Some(owner) = pile.owner.map(usize::from) else { continue };
            let known = vars.iter().find(|(var, _)| *var == pile.var).map(|(_, first)| *first);
            let first = known.unwrap_or(self.sorts);
            if known.is_none() {
                vars.push((pile.var, first));
                self.sorts += count;
            }
            let set = cards.set_of(at);
            let set = set..set + usize::from(cards.width);
            self.piles.push(Pile { owner, first, set, faces: faces.clone() });
        }
    }

    pub(super) fn sorts(&self) -> usize {
        self.sorts
    }

    /// Measures the numbers by the largest that they come to in some states.
    pub(super) fn measure<'a>(&mut self, players: usize, states: impl Iterator<Item = &'a State>) {
        for state in states {
            for number in &mut self.numbers {
                let most = (0..players).map(|player| number.of(state, player).saturating_abs());
                number.whole = most.fold(number.whole, i64::max);
            }
        }
    }

    /// Calls `see` with everything that players have: whose it is, of which sort, and how much.
    pub(super) fn each(
        &self,
        state: &State,
        players: usize,
        mut see: impl FnMut(usize, usize, i64),
    ) {
        for pile in &self.piles {
            for (at, word) in state.slice(pile.set.start, pile.set.len()).iter().enumerate() {
                let mut left = word.cast_unsigned();
                while left != 0 {
                    let card = at * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    see(pile.owner, pile.first + pile.faces[card], 1);
                }
            }
        }
        for number in &self.numbers {
            for player in 0..players {
                see(player, number.sort, number.part(state, player));
            }
        }
    }
}

impl Number {
    fn of(self, state: &State, player: usize) -> i64 {
        match state.word(self.base + player * self.width) {
            NONE => 0,
            number => number,
        }
    }

    /// How much of it a player has, in parts of what is much; no more than twice of that counts.
    fn part(self, state: &State, player: usize) -> i64 {
        let parts = i128::from(self.of(state, player)) * i128::from(WHOLE) / i128::from(self.whole);
        let parts = parts.clamp(i128::from(-2 * WHOLE), i128::from(2 * WHOLE));
        i64::try_from(parts).expect("it was clamped")
    }
}
