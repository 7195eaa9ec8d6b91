//! The layout of cards in a state: a set for each pile, the order of some, and who knows which.

use crate::bytecode::sets::set_bit;

/// A kind of cards. Every card is in exactly one of the piles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardsInfo {
    pub(crate) kind: u16,
    /// For each card its face; cards of one face stand beside each other.
    pub(crate) faces: Vec<u16>,
    /// Where the cards of each face begin and end.
    pub(crate) runs: Runs,
    /// The first slot of the sets of the piles, one after the other.
    pub(crate) base: u16,
    pub(crate) width: u16,
    /// The piles; their numbers are their places here.
    pub piles: Vec<PileInfo>,
    /// The first slot of what each player knows, one set after the other, where there is a pile
    /// that not everybody sees: the cards whose place the player knows.
    pub(crate) known: Option<u16>,
}

/// Where the cards of each face stand in their kind, as sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runs {
    /// The first card of each face.
    pub(crate) first: Vec<i64>,
    /// The last card of each face.
    pub(crate) last: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PileInfo {
    /// The variable in the list of the program.
    pub(crate) var: u16,
    /// The player who has it, if one has.
    pub(crate) owner: Option<u8>,
    /// Which element of the variable of that owner it is.
    pub(crate) element: u16,
    /// Who sees what lies there: a bit for each seat.
    pub seers: i64,
    /// The first slot of its order, if it keeps one: the cards from the bottom up, four to a word, then a bit for
    /// each that lies in no known order with the one below it. Cards in no known order stand in that of the kind;
    /// what is not used is 0. All of it is 0 where nobody knows anything of the order.
    pub(crate) order: Option<u16>,
    /// The first slot of the set of the cards that could lie there, as far as everybody can tell, if
    /// not all see it. What all know to lie there is among them, what lies elsewhere is not.
    pub(crate) could: Option<u16>,
}

pub(crate) const LANES: usize = 4;

impl Runs {
    /// Finds the runs of cards with one face; a set has `width` words.
    pub(crate) fn of_faces(faces: &[u16], width: u16) -> Runs {
        let mut runs = Runs { first: vec![0; width.into()], last: vec![0; width.into()] };
        for (at, face) in faces.iter().enumerate() {
            let (before, after) = (at.checked_sub(1).map(|at| faces[at]), faces.get(at + 1));
            set_bit(&mut runs.first, at, before != Some(*face));
            set_bit(&mut runs.last, at, after != Some(face));
        }
        runs
    }

    /// Of the cards of a set with one face only the first, word by word.
    ///
    /// A number less one differs from it in its lowest bit that is set, and in those below. Here the cards of each
    /// face are a number of their own; their last card keeps it above 0, so that nothing is borrowed from the next.
    pub(crate) fn firsts(&self, set: impl IntoIterator<Item = i64>) -> impl Iterator<Item = i64> {
        let mut borrowed = false;
        set.into_iter().zip(&self.first).zip(&self.last).map(move |((word, first), last)| {
            let (less, a) = (word | last).cast_unsigned().overflowing_sub(first.cast_unsigned());
            let (less, b) = less.overflowing_sub(borrowed.into());
            borrowed = a || b;
            word & !less.cast_signed()
        })
    }
}

impl PileInfo {
    /// Whether a player, by seat from 0, sees what lies there.
    pub(crate) fn is_seen_by(&self, player: usize) -> bool {
        self.seers >> player & 1 == 1
    }
}

impl CardsInfo {
    pub(crate) fn lane_words(&self) -> usize {
        self.faces.len().div_ceil(LANES)
    }

    pub(crate) fn order_words(&self) -> usize {
        self.lane_words() + usize::from(self.width)
    }

    /// The pile whose set begins at a slot, if one does.
    pub(crate) fn pile_at(&self, slot: usize) -> Option<(&CardsInfo, usize)> {
        let pile = slot.checked_sub(self.base.into())? / usize::from(self.width);
        (pile < self.piles.len()).then_some((self, pile))
    }

    pub(crate) fn set_of(&self, pile: usize) -> usize {
        usize::from(self.base) + pile * usize::from(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;
    use crate::bytecode::sets::{bit, members, set_bit};

    /// Faces with so many cards each, one after the other.
    fn faces(copies: &[usize]) -> Vec<u16> {
        let faces = (0..).zip(copies).flat_map(|(face, count)| std::iter::repeat_n(face, *count));
        faces.collect()
    }

    #[test]
    fn the_first_of_each_face_is_found() {
        let lists: [&[usize]; 5] =
            [&[1, 1, 1], &[10], &[3, 61, 5, 1], &[60, 70, 1, 61], &[1, 200, 2, 2]];
        for copies in lists {
            let faces = faces(copies);
            let width = u16::try_from(faces.len().div_ceil(64)).expect("few words");
            let runs = Runs::of_faces(&faces, width);
            for step in [1, 2, 3, 7, 59, 64, 67] {
                for start in 0..step.min(faces.len()) {
                    let mut set = vec![0; width.into()];
                    (start..faces.len()).step_by(step).for_each(|at| set_bit(&mut set, at, true));
                    let kept: Vec<i64> = runs.firsts(set.iter().copied()).collect();
                    for card in 0..faces.len() {
                        let mut before = members(&set).take_while(|other| *other < card);
                        let is_first = before.all(|other| faces[other] != faces[card]);
                        let expected = bit(&set, card) && is_first;
                        assert_eq!(bit(&kept, card), expected, "{copies:?} {step} {start} {card}");
                    }
                }
            }
        }
    }
}
