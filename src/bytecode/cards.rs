//! Where cards lie in a state: a set for each pile, the order of some, and who knows which.

/// A kind of cards. Every card is in exactly one of the piles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardsInfo {
    pub kind: u16,
    /// For each card its face; cards of one face stand beside each other.
    pub faces: Vec<u16>,
    /// The first slot of the sets of the piles, one after the other.
    pub base: u16,
    pub width: u16,
    /// The piles; their numbers are their places here.
    pub piles: Vec<PileInfo>,
    /// The first slot of what each player knows, one set after the other, where there is a pile
    /// that not everybody sees: the cards whose place the player knows.
    pub known: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PileInfo {
    /// The variable in the list of the program.
    pub var: u16,
    /// The player who has it, if one has.
    pub owner: Option<u8>,
    /// Which element of the variable of that owner it is.
    pub element: u16,
    /// Who sees what lies there.
    pub sight: Visibility,
    /// The first slot of its order, if it keeps one: the cards from the bottom up, four to a word,
    /// then a bit for each that lies in no known order with the one below it. Cards in no known
    /// order stand in that of the kind; what is not used is 0. All of it is 0 where nobody knows
    /// anything of the order.
    pub order: Option<u16>,
    /// The first slot of the set of the cards that could lie there, as far as everybody can tell, if
    /// not all see it. What all know to lie there is among them, what lies elsewhere is not.
    pub could: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    All,
    Owner,
    Nobody,
}

pub const LANES: usize = 4;

impl PileInfo {
    /// Whether a player, by seat from 0, sees what lies there.
    pub fn is_seen_by(&self, player: usize) -> bool {
        match self.sight {
            Visibility::All => true,
            Visibility::Owner => self.owner.map(usize::from) == Some(player),
            Visibility::Nobody => false,
        }
    }
}

impl CardsInfo {
    pub fn lane_words(&self) -> usize {
        self.faces.len().div_ceil(LANES)
    }

    pub fn order_words(&self) -> usize {
        self.lane_words() + usize::from(self.width)
    }

    /// The pile whose set begins at a slot, if one does.
    pub fn pile_at(&self, slot: usize) -> Option<(&CardsInfo, usize)> {
        let pile = slot.checked_sub(self.base.into())? / usize::from(self.width);
        (pile < self.piles.len()).then_some((self, pile))
    }

    pub fn set_of(&self, pile: usize) -> usize {
        usize::from(self.base) + pile * usize::from(self.width)
    }
}
