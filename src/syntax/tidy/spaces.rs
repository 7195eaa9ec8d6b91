//! The spaces between the pieces of a line.

use crate::syntax::tidy::pieces::Piece;

/// The pieces with the spaces that belong between them; where nothing says whether one does, their
/// author has the word. `value` says that the line before ends where a value begins.
pub(super) fn spaced(pieces: &[Piece], value: bool) -> String {
    let (mut text, mut open) = (String::new(), Vec::new());
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| pieces[before]);
        // Blocks have spaces inside, sets and texts with holes have none.
        let opens = matches!(before, Some(Piece { text: "{", .. }));
        let opened = if opens { open.last().copied() } else { None };
        let closed = if piece.text == "}" { open.pop() } else { None };
        let apart = match (before, opened.or(closed)) {
            (Some(_), Some(block)) => block,
            (Some(before), None) => belongs(before, *piece),
            (None, _) => false,
        };
        if apart {
            text.push(' ');
        }
        text.push_str(piece.text);
        if piece.text == "{" {
            let in_value = value && at == 0;
            open.push(!in_value && is_block(&pieces[..at], &pieces[at + 1..]));
        }
    }
    text
}

/// Whether a brace is one of a block, not of a set, by what stands around it on its line.
pub(super) fn is_block(before: &[Piece], behind: &[Piece]) -> bool {
    let Some(last) = before.last() else { return true };
    let inside = || behind.iter().take_while(|piece| piece.text != "}");
    match last.text {
        // A case of a `match`, or a type that names its values.
        ":" if behind.first().is_some_and(|next| next.text == "}") => behind[0].apart,
        ":" => inside().next().is_none() || inside().any(|it| !it.is_word() && it.text != ","),
        ")" | "]" | "}" => true,
        "else" => !before.iter().any(|piece| piece.text == "then"),
        word if last.is_word() => !takes_value(word),
        text => text.starts_with('"'),
    }
}

/// Whether a value stands behind a word.
fn takes_value(word: &str) -> bool {
    let words = ["and", "not", "or", "in", "within", "union", "minus", "common", "mod"];
    words.contains(&word) || matches!(word, "return" | "to" | "then" | "for" | "by" | "win")
}

fn belongs(before: Piece, piece: Piece) -> bool {
    match (before.text, piece.text) {
        (_, "," | ";" | ")" | "]" | ":" | "." | "..") | ("(" | "[" | ".", _) => false,
        ("," | ";" | ":", _) => true,
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

#[cfg(test)]
mod tests {
    use super::spaced;
    use crate::syntax::tidy::pieces::cut;

    #[test]
    fn spaces_stand_where_they_belong() {
        let tidy = |line: &str| spaced(&cut(line).pieces, false);
        assert_eq!(tidy("kind   Shell{a ,b}"), "kind Shell { a, b }");
        assert_eq!(tidy("x=1..6 ;y+=- 2"), "x = 1..6; y += - 2");
        assert_eq!(
            tidy("if a<b{ return }else {f( x , y )}"),
            "if a < b { return } else { f(x, y) }"
        );
        assert_eq!(tidy("rule f(p:Player)->number=3"), "rule f(p: Player) -> number = 3");
        assert_eq!(tidy("score: 0.. = 0"), "score: 0.. = 0");
    }
}
