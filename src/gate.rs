//! Escapes all text that leaves the program: no sign of a file or name steers a terminal, page or spreadsheet, and
//! invisible signs show.

use std::{borrow::Cow, fmt::Write as _};

use crate::source::{Source, Sources, hidden_signs};

const STAND_IN: char = '\u{fffd}';

pub(crate) fn sanitize_text(text: &str) -> Cow<'_, str> {
    replaced(text, |_, out| out.push(STAND_IN))
}

/// A drawing for a terminal: the colours in it are our own, since its texts were sanitised before.
pub(crate) fn sanitize_drawing(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut out = sanitize_text(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let end = piece.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
        let is_colour = end.is_some_and(|end| piece[end..].starts_with('m'));
        out.push(if is_colour { '\u{1b}' } else { STAND_IN });
        out.push('[');
        out.push_str(&sanitize_text(piece));
    }
    out
}

/// Texts that findings point into, for a drawing: nothing in them changes its place.
pub(crate) fn sanitize_sources(sources: &Sources) -> Cow<'_, Sources> {
    let hides = |text: &str| hidden_signs(text).next().is_some();
    if !sources.iter().any(|source| hides(&source.name) || hides(&source.text)) {
        return Cow::Borrowed(sources);
    }
    let shown = |source: &Source| {
        (sanitize_text(&source.name).into_owned(), as_long(&source.text).into_owned())
    };
    Cow::Owned(sources.rewritten(shown))
}

/// A text with as many bytes.
fn as_long(text: &str) -> Cow<'_, str> {
    replaced(text, |sign, out| match sign.len_utf8() {
        3 => out.push(STAND_IN),
        bytes => out.push_str(&"?".repeat(bytes)),
    })
}

/// JSON in which such signs are written as numbers. They can only stand in its texts.
pub(crate) fn escape_json(text: &str) -> Cow<'_, str> {
    replaced(text, |sign, out| {
        for unit in sign.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("a string takes every text");
        }
    })
}

pub(crate) fn html(text: &str) -> String {
    let text = sanitize_text(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// A text as a cell of a table for spreadsheets, which read some words as formulas.
pub(crate) fn escape_csv_cell(words: &str) -> String {
    let words = sanitize_text(words);
    let formula = words.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let mark = if formula && words.parse::<i64>().is_err() { "'" } else { "" };
    if mark.is_empty() && !words.contains([',', '"', '\n']) {
        return words.into_owned();
    }
    format!("\"{mark}{}\"", words.replace('"', "\"\""))
}

fn replaced(text: &str, instead: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let mut hidden = hidden_signs(text).peekable();
    if hidden.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (at, sign) in hidden {
        out.push_str(&text[done..at]);
        instead(sign, &mut out);
        done = at + sign.len_utf8();
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{as_long, escape_csv_cell, escape_json, sanitize_drawing};

    #[test]
    fn signs_keep_their_room_and_numbers_are_no_formulas() {
        for text in ["\u{1b}", "\u{9b}", "\u{202e}", "\u{e0041}", "\u{ad}a\u{feff}"] {
            assert_eq!(as_long(text).len(), text.len());
        }
        assert_eq!(sanitize_drawing("\u{1b}[31mred\u{1b}[2J"), "\u{1b}[31mred\u{fffd}[2J");
        assert_eq!(escape_json("\"\u{9b}\u{e0041}\""), r#""\u009b\udb40\udc41""#);
        assert_eq!(
            [escape_csv_cell("-3"), escape_csv_cell("=1"), escape_csv_cell("a,b")],
            ["-3", "\"'=1\"", "\"a,b\""]
        );
    }
}
