//! The spaces between the pieces of a line.

use crate::syntax::reader::Mark;
use crate::syntax::tidy::pieces::Piece;

/// The pieces with the spaces that belong between them; where nothing says whether one does, their
/// author has the word.
pub(super) fn spaced(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| pieces[before]);
        // Blocks have spaces inside, sets have none.
        let apart = match before {
            None => false,
            Some(before) if before.text == "{" => before.is_block(),
            Some(_) if piece.text == "}" => piece.is_block(),
            Some(before) => belongs(before, *piece),
        };
        if apart {
            text.push(' ');
        }
        text.push_str(piece.text);
    }
    text
}

fn belongs(before: Piece, piece: Piece) -> bool {
    match (before.text, piece.text) {
        (_, "," | ";" | ")" | "]" | ":" | "." | "..") | ("(" | "[" | ".", _) => false,
        ("," | ";" | ":", _) => true,
        _ if before.mark == Some(Mark::Negative) => false,
        _ if [before.mark, piece.mark].contains(&Some(Mark::Operator)) => true,
        (sign, _) | (_, sign) if is_relation(sign) => true,
        (text, "{") => {
            before.is_word()
                || text.starts_with('"')
                || matches!(text, ")" | "]" | "}")
                || piece.apart
        }
        ("}", _) => piece.is_word() || piece.apart,
        _ => piece.apart,
    }
}

/// Signs with a space on both sides.
fn is_relation(sign: &str) -> bool {
    matches!(sign, "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+=" | "-=" | "->")
}
