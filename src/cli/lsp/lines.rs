//! Places as editors count them: lines from 0, and in a line units of UTF-16.

use lsp_types::{Position, Range};

use crate::source::{Source, Span};

#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The offset of the first byte of each.
    starts: Vec<usize>,
}

impl Lines {
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

    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let units: usize = text[self.starts[line]..offset].chars().map(char::len_utf16).sum();
        Position { line: count(line), character: count(units) }
    }

    pub(super) fn range(&self, source: &Source, span: Span) -> Range {
        let local = |offset: u32| (offset as usize).saturating_sub(source.base);
        let place = |offset: u32| self.position(&source.text, local(offset));
        Range { start: place(span.start), end: place(span.end) }
    }

    pub(super) fn whole(&self, text: &str) -> Range {
        Range { start: Position::default(), end: self.position(text, text.len()) }
    }
}

/// Replaces a range of a text. What lies outside of the text is cut off, and a range that ends
/// before it begins is read backwards.
pub(super) fn replace(text: &mut String, range: Range, with: &str) {
    let lines = Lines::of(text);
    let (start, end) = (lines.offset(text, range.start), lines.offset(text, range.end));
    text.replace_range(start.min(end)..start.max(end), with);
}

/// A number as the protocol has it; texts are shorter than its largest.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range};

    use super::{Lines, replace};

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

    /// The text of a file as an editor keeps it: lines of units of UTF-16.
    struct Model(Vec<Vec<u16>>);

    impl Model {
        fn of(text: &str) -> Model {
            Model(text.split('\n').map(|line| line.encode_utf16().collect()).collect())
        }

        fn text(&self) -> String {
            let lines =
                self.0.iter().map(|line| String::from_utf16(line).expect("no half letters"));
            lines.collect::<Vec<String>>().join("\n")
        }

        fn replace(&mut self, range: Range, with: &str) {
            let at = |place: Position| (place.line as usize, place.character as usize);
            let ((first, from), (last, to)) = (at(range.start), at(range.end));
            let with: Vec<u16> = with.encode_utf16().collect();
            let whole = [&self.0[first][..from], &with, &self.0[last][to..]].concat();
            let lines = whole.split(|unit| *unit == u16::from(b'\n')).map(<[u16]>::to_vec);
            self.0.splice(first..=last, lines);
        }
    }

    /// Edits at random places leave the text as an editor has it.
    #[test]
    fn edits_leave_the_text_that_the_editor_has() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).expect("31 bits fit") % below.max(1)
        };
        let pieces = ["", "a", "ä", "😀", "\n", "x\ny", "😀\n\n", "let n = 3", "–\n"];
        let mut text = "game \"Ä😀\" { }\n\nplay { }\n".to_owned();
        let mut model = Model::of(&text);
        for round in 0..4_000 {
            let letters: Vec<usize> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (letters[random(letters.len())], letters[random(letters.len())]);
            // Most edits are short, as those of hands are.
            let b = if round % 4 == 0 {
                b
            } else {
                letters.iter().copied().find(|at| *at > a).unwrap_or(a)
            };
            let lines = Lines::of(&text);
            let place = |offset| lines.position(&text, offset);
            let range = Range { start: place(a.min(b)), end: place(a.max(b)) };
            let with = pieces[random(pieces.len())];
            model.replace(range, with);
            replace(&mut text, range, with);
            assert_eq!(text, model.text(), "round {round}: {range:?} becomes {with:?}");
            if text.len() > 400 {
                text = "a\n😀b\n".to_owned();
                model = Model::of(&text);
            }
        }
    }

    #[test]
    fn ranges_outside_of_the_text_are_cut_off() {
        let place = |line, character| Position { line, character };
        let replaced = |start, end, with| {
            let mut text = "ä😀\r\nb".to_owned();
            replace(&mut text, Range { start, end }, with);
            text
        };
        assert_eq!(replaced(place(0, 99), place(1, 99), "!"), "ä😀!");
        assert_eq!(replaced(place(7, 0), place(9, 9), "!"), "ä😀\r\nb!");
        assert_eq!(replaced(place(1, 0), place(0, 1), "!"), "ä!b");
        assert_eq!(replaced(place(0, 2), place(u32::MAX, u32::MAX), "!"), "ä!");
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
