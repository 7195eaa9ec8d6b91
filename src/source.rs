//! Source texts, byte spans, and line and column numbers.

use serde::{Deserialize, Serialize};

/// A stretch of text: byte offsets, end excluded. All files of a load share one line of offsets, on
/// which each [`Source`] knows where it begins; so two numbers also say which file it is in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` up to, not including, `end`; both are clamped to 4 GiB.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The smallest stretch that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// True when it marks a place between two characters.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What messages call it: usually a path.
    pub name: String,
    pub text: String,
    /// The offset of its first byte on the line that all texts of a load share.
    pub base: usize,
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Source {
    /// A text that stands alone: its offsets begin at 0.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), base: 0 }
    }

    /// Whether the span begins in this text.
    pub(crate) fn contains(&self, span: Span) -> bool {
        let start = span.start as usize;
        (self.base..=self.base + self.text.len()).contains(&start)
    }

    /// The text of a span, or what of it lies in this source.
    pub fn slice(&self, span: Span) -> &str {
        let clamp = |offset: u32| (offset as usize).saturating_sub(self.base).min(self.text.len());
        self.text.get(clamp(span.start)..clamp(span.end)).unwrap_or("")
    }

    pub fn place(&self, offset: u32) -> Place {
        let local = (offset as usize).saturating_sub(self.base);
        let before = &self.text[..self.text.floor_char_boundary(local)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// The texts of one load, each with offsets of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<Source>,
    /// Where the first text begins.
    room: usize,
}

impl Sources {
    /// No texts yet, and room for one of so many bytes before those that will be added.
    pub(crate) fn with_room(room: usize) -> Sources {
        Sources { files: Vec::new(), room: room + 1 }
    }

    /// Adds texts of a load of their own before all others: what is found in them is shown first.
    ///
    /// # Panics
    /// If [`Sources::with_room`] left no room for them.
    pub(crate) fn add_first(&mut self, sources: Sources) {
        let end = sources.files.last().map_or(0, |last| last.base + last.text.len());
        assert!(end < self.room, "there is no room for this text");
        self.room = 0;
        self.files.splice(0..0, sources.files);
    }

    /// The files at the same offsets, with rewritten names and texts.
    #[must_use]
    pub(crate) fn rewritten(&self, rewrite: impl Fn(&Source) -> (String, String)) -> Sources {
        let files = self.files.iter().map(|source| {
            let (name, text) = rewrite(source);
            Source { name, text, base: source.base }
        });
        Sources { files: files.collect(), room: self.room }
    }

    /// Adds a text after all others and returns it. One byte is left between two texts, so that
    /// the end of one is not the start of the next.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> &Source {
        let base = self.files.last().map_or(self.room, |last| last.base + last.text.len() + 1);
        self.files.push(Source { name: name.into(), text: text.into(), base });
        &self.files[self.files.len() - 1]
    }

    /// The text that a span begins in.
    pub fn find(&self, span: Span) -> Option<&Source> {
        self.files.iter().find(|source| source.contains(span))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.files.iter()
    }
}

/// The signs of a text that steer a terminal, turn the order of letters, or cannot be seen, with their
/// places. Ends of lines and tabs are none; joiners after letters that need them are none.
pub fn hidden_signs(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = ' ';
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, letter) = letters.next()?;
            let joins = !before.is_ascii();
            before = letter;
            let hidden = match letter {
                '\n' | '\t' => false,
                '\r' => letters.peek().is_none_or(|(_, next)| *next != '\n'),
                '\u{200c}' | '\u{200d}' => !joins,
                letter => is_hidden(letter),
            };
            if hidden {
                return Some((at, letter));
            }
        }
    })
}

/// Whether a text is one line, and every sign of it can be seen.
pub(crate) fn is_one_seen_line(text: &str) -> bool {
    !text.contains(char::is_control) && hidden_signs(text).next().is_none()
}

fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Soft hyphen, Hangul fillers, the Mongolian mark, zero width, marks of the byte order.
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{180b}'..='\u{180f}' | '\u{200b}'
            | '\u{2060}'..='\u{2065}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Ends of lines and of paragraphs that are no line ends here.
            | '\u{2028}' | '\u{2029}'
            // The order of letters.
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
            // Tags, and variants of letters that no letter has.
            | '\u{e0000}'..='\u{e0fff}')
}

/// The text with spaces after it, as far as it is shorter than `width`. The width in a format has
/// 16 bits; texts of rules may be longer.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let spaces = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(spaces))
}

/// Why a move cannot be read back from its words, if it cannot.
pub fn fault(words: &str) -> Option<&'static str> {
    if !is_one_seen_line(words) {
        return Some("it contains an invisible character");
    }
    match words.trim_start().chars().next() {
        None => Some("it is empty"),
        Some('#') => Some("a line of a script that begins with `#` is a comment"),
        Some(':') => Some("what begins with `:` at the table is a command"),
        Some(_) => None,
    }
}
