//! What is done with cards, as text.

use crate::check::outline::expressions::Printer;
use crate::check::rules::{CardDeed, Cards, PileEnd};

impl Printer<'_> {
    /// `move top of deck to me.hand`
    pub(super) fn card_deed(self, deed: &CardDeed) -> String {
        match deed {
            CardDeed::Move { what, to, bottom } => {
                let below = if *bottom { "bottom of " } else { "" };
                format!("move {} to {below}{}", self.cards(what), self.expr(to))
            }
            CardDeed::Shuffle(pile) => format!("shuffle {}", self.expr(pile)),
            CardDeed::Learn { what, by: Some(by) } => {
                format!("show {} to {}", self.cards(what), self.inner(by))
            }
            CardDeed::Learn { what, by: None } => format!("reveal {}", self.cards(what)),
        }
    }

    fn cards(self, cards: &Cards) -> String {
        match cards {
            Cards::One(expr) | Cards::Set(expr) | Cards::Pile(expr) => self.inner(expr),
            Cards::End(end) => self.pile_end(end),
        }
    }

    /// `top 3 of deck`
    pub(super) fn pile_end(self, end: &PileEnd) -> String {
        let word = if end.bottom { "bottom" } else { "top" };
        let count = end.count.as_ref().map(|count| format!(" {}", self.inner(count)));
        format!("{word}{} of {}", count.unwrap_or_default(), self.inner(&end.pile))
    }
}
