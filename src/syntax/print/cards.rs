//! Cards and piles to text.

use crate::syntax::ast::CardDeed;
use crate::syntax::ast::Cards;
use crate::syntax::ast::Copies;
use crate::syntax::ast::PileEnd;
use crate::syntax::ast::Var;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::operand;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::types::dims;
use crate::syntax::print::types::of_type;
use crate::syntax::print::types::title;
use crate::syntax::tightness::Tightness;

/// `cards Card of Face copies { coin: 10 }`
pub(super) fn cards(cards: &Cards) -> String {
    let copies = match &cards.copies {
        Copies::One => String::new(),
        Copies::Column(name) => format!(" copies {}", name.text),
        Copies::Listed(listed) => {
            let listed = joined(listed.iter().map(|(face, n)| format!("{}: {n}", face.text)));
            format!(" copies {{ {listed} }}")
        }
    };
    format!(
        "cards {}{} of {}{copies}",
        cards.name.text,
        title(cards.title.as_ref()),
        cards.face.text
    )
}

/// `deck: cards hidden = Card`
pub(super) fn pile(var: &Var) -> String {
    let name = format!("{}{}", var.name.text, title(var.title.as_ref()));
    let init = var.init.as_ref().map(|init| format!(" = {}", expression(init)));
    let (dims, ty, init) = (dims(&var.dims), of_type(var.ty.as_ref()), init.unwrap_or_default());
    format!("{name}{dims}{ty}{}{init}", var.sight.suffix())
}

/// `move c to me.discard`
pub(super) fn card_deed(deed: &CardDeed) -> String {
    match deed {
        CardDeed::Move { what, to, bottom } => {
            let below = if *bottom { "bottom of " } else { "" };
            format!("move {} to {below}{}", placed(what, Tightness::Open), operand(to))
        }
        CardDeed::Shuffle(pile) => format!("shuffle {}", operand(pile)),
        CardDeed::Look { what, by } => {
            format!("look at {} for {}", placed(what, Tightness::Open), operand(by))
        }
    }
}

/// `top of deck`
pub(super) fn pile_end(end: &PileEnd) -> String {
    let word = if end.bottom { "bottom" } else { "top" };
    let count = end.count.as_ref().map_or_else(String::new, |count| format!(" {}", operand(count)));
    format!("{word}{count} of {}", operand(&end.pile))
}
