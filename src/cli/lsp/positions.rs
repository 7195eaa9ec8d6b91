//! Positions as editors count them: lines from 0, and in a line units of UTF-16.

use lsp_types::{Position, Range};

use crate::source::{Source, Span};

#[derive(Clone, Debug)]
pub(super) struct LineIndex {
    pub(super) source: Source,
    starts: Vec<usize>,
    /// How many units of UTF-16 stand before each block of the text: a line may be as long as the file.
    units: Vec<usize>,
}

/// How many bytes a block has.
const BLOCK: usize = 256;

impl LineIndex {
    pub(super) fn new(source: Source) -> LineIndex {
        let ends = source.text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = [0].into_iter().chain(ends).collect();
        let (mut units, mut before) = (Vec::new(), 0);
        for (at, letter) in source.text.char_indices() {
            // A letter belongs to the block that it begins in.
            while units.len() * BLOCK <= at {
                units.push(before);
            }
            before += letter.len_utf16();
        }
        LineIndex { source, starts, units }
    }

    /// The offset of a position; the end of its line or of the text if it lies after that.
    pub(super) fn offset(&self, place: Position) -> usize {
        let text = &self.source.text;
        let number = place.line as usize;
        let Some(start) = self.starts.get(number).copied() else { return text.len() };
        let next = self.starts.get(number + 1).copied().unwrap_or(text.len());
        let line = text[start..next].trim_end_matches(['\n', '\r']);
        let mut left = place.character as usize;
        for (at, letter) in line.char_indices() {
            if left < letter.len_utf16() {
                return start + at;
            }
            left -= letter.len_utf16();
        }
        start + line.len()
    }

    pub(super) fn position_at(&self, offset: usize) -> Position {
        let text = &self.source.text;
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let units = self.units_before(offset) - self.units_before(self.starts[line]);
        Position { line: to_lsp_number(line), character: to_lsp_number(units) }
    }

    /// How many units stand before an offset, which is the beginning of a letter.
    fn units_before(&self, offset: usize) -> usize {
        let text = &self.source.text;
        let block = (offset / BLOCK).min(self.units.len().saturating_sub(1));
        let start = text.ceil_char_boundary((block * BLOCK).min(text.len()));
        let inside = text.get(start..offset).unwrap_or_default();
        self.units.get(block).copied().unwrap_or(0)
            + inside.chars().map(char::len_utf16).sum::<usize>()
    }

    pub(super) fn range_of(&self, span: Span) -> Range {
        let local = |offset: u32| (offset as usize).saturating_sub(self.source.base);
        let place = |offset: u32| self.position_at(local(offset));
        Range { start: place(span.start), end: place(span.end) }
    }

    pub(super) fn full_range(&self) -> Range {
        Range { start: Position::default(), end: self.position_at(self.source.text.len()) }
    }
}

/// Replaces a range of a text. What lies outside of the text is cut off, and a range that ends
/// before it begins is read backwards.
pub(super) fn replace(text: &mut String, range: Range, with: &str) {
    let lines = LineIndex::new(Source::new("", text.as_str()));
    let (start, end) = (lines.offset(range.start), lines.offset(range.end));
    text.replace_range(start.min(end)..start.max(end), with);
}

pub(super) fn to_lsp_number(number: usize) -> u32 {
    u32::try_from(number).expect("messages are shorter than 4 GiB")
}
