//! A text cut into words, signs, texts, comments and spaces, before the grammar: each byte of it is
//! in one token, and broken texts are cut as well as right ones.

/// Signs of two letters; all others have one.
const SIGNS: [&str; 8] = ["..", "==", "!=", "<=", ">=", "+=", "-=", "->"];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space inside of a line.
    Space,
    /// The end of a line.
    End,
    /// A comment or a note with its `#`, up to the end of its line.
    Comment,
    /// A text with its quotes and holes; without an end, the rest of its line.
    Text,
    /// A word or a number.
    Word,
    /// Any other sign.
    Sign,
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// What it says.
    pub text: &'a str,
    /// Where it begins.
    pub place: usize,
}

/// The tokens of a text.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = &text[place..];
        let (kind, length) = first(rest, rest.chars().next()?);
        let token = Token { kind, text: &rest[..length], place };
        place += length;
        Some(token)
    })
}

fn first(text: &str, letter: char) -> (TokenKind, usize) {
    let until = |end: fn(char) -> bool| text.find(end).unwrap_or(text.len());
    match letter {
        '\n' => (TokenKind::End, 1),
        '#' => (TokenKind::Comment, until(|letter| letter == '\n')),
        '"' => (TokenKind::Text, text_length(&text[..until(|letter| letter == '\n')])),
        _ if letter.is_whitespace() => {
            (TokenKind::Space, until(|letter| letter == '\n' || !letter.is_whitespace()))
        }
        _ if is_word_letter(letter) => (TokenKind::Word, until(|letter| !is_word_letter(letter))),
        _ => (TokenKind::Sign, leading_sign(text).map_or(letter.len_utf8(), str::len)),
    }
}

/// The sign of two letters that a text begins with.
pub(super) fn leading_sign(text: &str) -> Option<&'static str> {
    SIGNS.into_iter().find(|sign| text.starts_with(sign))
}

/// How long a text in quotes is: holes in it may hold further texts.
fn text_length(text: &str) -> usize {
    let (mut holes, mut escaped, mut inner) = (0_usize, false, false);
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if holes == 0 => return at + 1,
            '"' => inner = !inner,
            '{' if !inner => holes += 1,
            '}' if !inner => holes = holes.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};

    #[test]
    fn texts_signs_and_comments_are_tokens() {
        let text = "\t say \"{p} has # {name(\"a\")}\"; x+=1..3  # so\r\nü\"b # c\n";
        let found: Vec<&str> = tokens(text).map(|token| token.text).collect();
        let quoted = "\"{p} has # {name(\"a\")}\"";
        let first = ["\t ", "say", " ", quoted, ";", " ", "x", "+=", "1", "..", "3", "  "];
        assert_eq!(found[..12], first);
        assert_eq!(found[12..], ["# so\r", "\n", "ü", "\"b # c", "\n"]);
        assert_eq!(tokens(text).last().map(|token| token.kind), Some(TokenKind::End));
        assert!(tokens(text).all(|token| text[token.place..].starts_with(token.text)));
    }
}
