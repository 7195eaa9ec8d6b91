//! Cards and piles, a line each.

use crate::syntax::ast::CardDeed;
use crate::syntax::ast::Cards;
use crate::syntax::ast::Copies;
use crate::syntax::ast::PileEnd;
use crate::syntax::outline::expressions::expression;
use crate::syntax::outline::expressions::text;

/// `cards Card of Face, coin 10`
pub(super) fn cards(cards: &Cards) -> String {
    let title = cards.title.as_ref().map(|title| format!(" {}", text(title)));
    let copies = match &cards.copies {
        Copies::One => String::new(),
        Copies::Column(name) => format!(", as many as {}", name.text),
        Copies::Listed(listed) => {
            let listed = listed.iter().map(|(face, count)| format!(", {} {count}", face.text));
            listed.collect::<Vec<_>>().concat()
        }
    };
    let (name, face) = (&cards.name.text, &cards.face.text);
    format!("cards {name}{} of {face}{copies}", title.unwrap_or_default())
}

/// `move (top deck) hand`
pub(super) fn card_deed(deed: &CardDeed) -> String {
    match deed {
        CardDeed::Move { what, to, bottom } => {
            let below = if *bottom { " bottom" } else { "" };
            format!("move{below} {} {}", expression(what), expression(to))
        }
        CardDeed::Shuffle(pile) => format!("shuffle {}", expression(pile)),
        CardDeed::Look { what, by } => format!("look {} {}", expression(by), expression(what)),
    }
}

/// `(top 3 deck)`
pub(super) fn pile_end(end: &PileEnd) -> String {
    let word = if end.bottom { "bottom" } else { "top" };
    let count = end.count.as_ref().map(|count| format!(" {}", expression(count)));
    format!("({word}{} {})", count.unwrap_or_default(), expression(&end.pile))
}
