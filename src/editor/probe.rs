//! Asking what could stand at a place: the word there is replaced by a name that means nothing, and
//! the check tells what it would look for.

use crate::assemble::{Opened, assemble};
use crate::check::{Sight, study};
use crate::editor::Document;
use crate::source::{Source, Sources};
use crate::syntax::{declarations, parse};

/// What may have to follow, so that a line that is still being written can be read.
const ENDINGS: [&str; 7] = ["", " { }", "()", "() { }", ": 0", " = 0", ": number"];

/// The word around an offset: where it begins and ends. Both are the offset if there is none.
pub(super) fn word_around(text: &str, offset: usize) -> (usize, usize) {
    let offset = boundary(text, offset);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let before = text[..offset].chars().rev().take_while(|letter| is_part(*letter)).count();
    let after = text[offset..].chars().take_while(|letter| is_part(*letter)).count();
    // Letters of words are one byte long.
    (offset - before, offset + after)
}

/// The last end of a character up to an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl Document {
    /// What could stand at an offset, as far as the text around it can be understood.
    pub(super) fn sight(&self, offset: usize) -> Option<Sight> {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let name = unused_name(text);
        let probed = Source::new("", format!("{}{name}{}", &text[..start], &text[end..]));
        let chunk = declarations(&probed)
            .into_iter()
            .find(|chunk| (chunk.start as usize..chunk.end as usize).contains(&start))?;
        let at = start - chunk.start as usize;
        let unread = Unread { text: probed.slice(chunk), at, after: at + name.len() };
        let readable = unread.attempts().into_iter().filter(|attempt| can_be_read(attempt));
        let around = (&probed.text[..chunk.start as usize], &probed.text[chunk.end as usize..]);
        let mut texts = readable.map(|attempt| format!("{}{attempt}{}", around.0, around.1));
        texts.find_map(|text| self.look(&text, &name))
    }

    /// What the check looks for where the name stands in another text of the file.
    fn look(&self, text: &str, name: &str) -> Option<Sight> {
        let opened = Opened { name: &self.source.name, text, folder: &self.kept };
        let assembled = assemble(&mut Sources::default(), &opened);
        study(&assembled.ast, Some(name)).sight
    }
}

/// Whether a text is one declaration without a mistake of form.
fn can_be_read(text: &str) -> bool {
    let (ast, diagnostics) = parse(&Source::new("", text));
    !diagnostics.has_errors() && ast.items.len() == 1
}

/// A declaration that is being written.
struct Unread<'t> {
    text: &'t str,
    /// Where the name stands in it.
    at: usize,
    /// Where the name ends.
    after: usize,
}

impl Unread<'_> {
    /// The texts that are tried, the likeliest first: with all that follows, and with nothing of
    /// it but the brackets that are open.
    fn attempts(&self) -> Vec<String> {
        let (before, after) = self.text.split_at(self.after);
        let closing = closers(&self.text[..self.at]);
        let whole = ENDINGS.iter().map(|ending| format!("{before}{ending}{after}"));
        let cut = ENDINGS.iter().map(|ending| format!("{before}{ending}{closing}"));
        // Brackets that stand around a header belong to it, those further out to blocks.
        let headers = (1..=closing.len())
            .map(|inner| format!("{before}{} {{ }}{}", &closing[..inner], &closing[inner..]));
        whole.chain(cut).chain(headers).collect()
    }
}

/// A name that stands nowhere in the text.
fn unused_name(text: &str) -> String {
    let mut name = "here".to_owned();
    while text.contains(&name) {
        name.push('_');
    }
    name
}

/// The brackets that are open at the end of a text, closed from the innermost on.
fn closers(text: &str) -> String {
    let mut open = Vec::new();
    let mut quoted = false;
    let mut comment = false;
    for letter in text.chars() {
        match letter {
            '\n' => (quoted, comment) = (false, false),
            _ if comment => {}
            '"' => quoted = !quoted,
            '#' if !quoted => comment = true,
            '{' => open.push(('}', quoted)),
            '(' => open.push((')', quoted)),
            '[' => open.push((']', quoted)),
            '}' | ')' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    let mut closing = String::new();
    for (letter, in_text) in open.into_iter().rev() {
        closing.push(letter);
        // The hole of a text is closed with its quote.
        if in_text && letter == '}' {
            closing.push('"');
        }
    }
    closing
}

/// Whether a name can stand at an offset: not in a comment, not in the words of a text.
pub(super) fn takes_names(text: &str, offset: usize) -> bool {
    let offset = boundary(text, offset);
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let (mut quoted, mut holes) = (false, 0_usize);
    for letter in text[start..offset].chars() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return false,
            '{' if quoted => holes += 1,
            '}' if quoted => holes = holes.saturating_sub(1),
            _ => {}
        }
    }
    !quoted || holes > 0
}
