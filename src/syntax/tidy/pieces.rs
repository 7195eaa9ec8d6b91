//! Lines cut into pieces: words, signs, texts, and the comment at the end.

use crate::syntax::reader::Mark;

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Where it begins.
    pub(super) place: usize,
    /// How far it is indented; a tab counts as four columns.
    pub(super) indent: usize,
    /// Its pieces, the comment aside.
    pub(super) pieces: Vec<Piece<'a>>,
    /// The comment with its `#`.
    pub(super) comment: Option<&'a str>,
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// What it says.
    pub(super) text: &'a str,
    /// Whether a space stands before it.
    pub(super) apart: bool,
    /// Its place in the file.
    pub(super) place: usize,
    /// What it means, where the text alone does not say so.
    pub(super) mark: Option<Mark>,
}

impl Piece<'_> {
    /// Whether it is a word or a number.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_letter)
    }

    /// Whether it is a brace, but not one of a set.
    pub(super) fn is_block(&self) -> bool {
        matches!(self.text, "{" | "}") && self.mark != Some(Mark::Set)
    }
}

/// Signs of two letters; all others have one.
const SIGNS: [&str; 8] = ["..", "==", "!=", "<=", ">=", "+=", "-=", "->"];

/// How many columns a tab takes.
const TAB: usize = 4;

/// Cuts a file into lines.
pub(super) fn cut_lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let place = at;
        at += line.len();
        cut(line.strip_suffix('\n').unwrap_or(line), place)
    });
    lines.collect()
}

/// Cuts a line that begins at a place.
fn cut(line: &str, start: usize) -> Line<'_> {
    let text = line.trim_start();
    let indent = line[..line.len() - text.len()].chars();
    let indent = indent.map(|space| if space == '\t' { TAB } else { 1 }).sum();
    let (mut pieces, mut rest, mut apart) = (Vec::new(), text.trim_end(), false);
    while let Some(first) = rest.chars().next() {
        if first == '#' {
            return Line { place: start, indent, pieces, comment: Some(rest) };
        }
        let place = start + line.trim_end().len() - rest.len();
        let length = if first.is_whitespace() { first.len_utf8() } else { length(rest, first) };
        let (piece, behind) = rest.split_at(length);
        if !first.is_whitespace() {
            pieces.push(Piece { text: piece, apart, place, mark: None });
        }
        apart = first.is_whitespace();
        rest = behind;
    }
    Line { place: start, indent, pieces, comment: None }
}

fn length(text: &str, first: char) -> usize {
    if first == '"' {
        return text_length(text);
    }
    if is_word_letter(first) {
        return text.find(|letter| !is_word_letter(letter)).unwrap_or(text.len());
    }
    let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
    sign.map_or(first.len_utf8(), |sign| sign.len())
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
    use super::cut;

    #[test]
    fn texts_signs_and_comments_are_pieces() {
        let line = cut("\t say \"{p} has # {name(\"a\")}\"; x+=1..3  # so", 0);
        let pieces: Vec<&str> = line.pieces.iter().map(|piece| piece.text).collect();
        let text = "\"{p} has # {name(\"a\")}\"";
        assert_eq!(pieces, ["say", text, ";", "x", "+=", "1", "..", "3"]);
        assert_eq!((line.indent, line.comment), (5, Some("# so")));
    }

    #[test]
    fn a_text_without_end_takes_the_rest() {
        assert_eq!(cut("a \"b # c", 0).pieces.len(), 2);
    }
}
