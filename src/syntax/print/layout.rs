//! Places where a line may break, and breaking it there.
//!
//! The printers of expressions write marks; only here it is decided what becomes of them.

/// A space that may become a line end.
pub(super) const SOFT: char = '\u{1}';
/// Behind the `{` of a `match`: a space, or a line end and two steps to the right.
pub(super) const ARMS: char = '\u{2}';
/// Between the cases of a `match`: `; `, or a line end.
pub(super) const ARM: char = '\u{3}';
/// Before the `}` of a `match`: a space, or a line end and two steps to the left.
pub(super) const END: char = '\u{4}';

/// The text on one line.
pub(super) fn flat(text: &str) -> String {
    let mut flat = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            SOFT | ARMS | END => flat.push(' '),
            ARM => flat.push_str("; "),
            letter => flat.push(letter),
        }
    }
    flat
}

/// How long the text is on one line.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|letter| if letter == ARM { 2 } else { 1 }).sum()
}

/// The text, broken if it is too long; lines behind the first are indented.
pub(super) fn fit(text: &str, indent: usize, limit: usize) -> String {
    if indent + width(text) <= limit {
        return flat(text);
    }
    let mut lines = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        if !matches!(letter, ARMS | ARM | END) {
            continue;
        }
        lines.push((depth, &text[start..at]));
        match letter {
            ARMS => depth += 1,
            END => depth -= 1,
            _ => {}
        }
        start = at + letter.len_utf8();
    }
    lines.push((depth, &text[start..]));
    let broken = lines.into_iter().map(|(depth, line)| fill(line, indent + 2 * depth, limit));
    broken.collect::<Vec<_>>().join("\n").trim_start().to_owned()
}

/// One line, filled as far as it goes; what does not fit stands below, four steps to the right.
fn fill(text: &str, indent: usize, limit: usize) -> String {
    let mut filled = " ".repeat(indent);
    let mut column = indent;
    for (number, piece) in text.split(SOFT).enumerate() {
        let length = piece.chars().count();
        if number > 0 && column + 1 + length > limit {
            filled.push('\n');
            filled.push_str(&" ".repeat(indent + 4));
            column = indent + 4;
        } else if number > 0 {
            filled.push(' ');
            column += 1;
        }
        filled.push_str(piece);
        column += length;
    }
    filled
}
