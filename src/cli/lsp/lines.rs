//! Places as editors count them: lines from 0, and in a line units of UTF-16.

use lsp_types::{Position, Range};

use crate::source::{Source, Span};

/// The lines of a text.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The offset of the first byte of each.
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text.
    pub(super) fn of(text: &str) -> Lines {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { starts: [0].into_iter().chain(ends).collect() }
    }

    /// The offset of a place; the end of its line or of the text if it lies behind that.
    pub(super) fn offset(&self, text: &str, place: Position) -> usize {
        let number = usize::try_from(place.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(number).copied() else { return text.len() };
        let next = self.starts.get(number.saturating_add(1)).copied().unwrap_or(text.len());
        let line = text[start..next].trim_end_matches(['\n', '\r']);
        let mut left = usize::try_from(place.character).unwrap_or(usize::MAX);
        for (at, letter) in line.char_indices() {
            if left < letter.len_utf16() {
                return start + at;
            }
            left -= letter.len_utf16();
        }
        start + line.len()
    }

    /// The place of an offset.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let units: usize = text[self.starts[line]..offset].chars().map(char::len_utf16).sum();
        Position { line: count(line), character: count(units) }
    }

    /// The place of a stretch of a source.
    pub(super) fn range(&self, source: &Source, span: Span) -> Range {
        let local = |offset: u32| (offset as usize).saturating_sub(source.base);
        let place = |offset: u32| self.position(&source.text, local(offset));
        Range { start: place(span.start), end: place(span.end) }
    }

    /// The place of the whole text.
    pub(super) fn whole(&self, text: &str) -> Range {
        Range { start: Position::default(), end: self.position(text, text.len()) }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use lsp_types::Position;

    use super::Lines;

    #[test]
    fn letters_beyond_ascii_are_counted_in_units() {
        let text = "a ä 😀 b\r\n\n– c";
        let lines = Lines::of(text);
        let place = |line, character| Position { line, character };
        let pairs = [
            (0, place(0, 0)),
            (text.find('ä').unwrap(), place(0, 2)),
            (text.find('😀').unwrap(), place(0, 4)),
            (text.find('b').unwrap(), place(0, 7)),
            (text.find("\n\n").unwrap() + 1, place(1, 0)),
            (text.find('c').unwrap(), place(2, 2)),
            (text.len(), place(2, 3)),
        ];
        for (offset, position) in pairs {
            assert_eq!(lines.position(text, offset), position, "{offset}");
            assert_eq!(lines.offset(text, position), offset, "{position:?}");
        }
    }

    #[test]
    fn places_outside_and_inside_of_letters_lead_to_the_nearest_before() {
        let text = "😀x\r\ny";
        let lines = Lines::of(text);
        let at = |line, character| lines.offset(text, Position { line, character });
        assert_eq!(at(0, 1), 0);
        assert_eq!(at(0, 99), 5);
        assert_eq!(at(1, 99), 8);
        assert_eq!(at(9, 0), text.len());
        assert_eq!(at(u32::MAX, u32::MAX), text.len());
        assert_eq!(lines.position(text, 2), Position { line: 0, character: 0 });
        assert_eq!(lines.position(text, 999), Position { line: 1, character: 1 });
    }
}
