//! A first walk over the text: brackets, quotes, comments and line ends, before the grammar.
//!
//! It cuts the file into its declarations, so that each is read on its own; it finds the mistakes
//! that a grammar explains badly (a bracket never closed, a lost quote, signs of other languages);
//! and it hands on a text of the same length in which comments, and line ends that do not count,
//! are spaces, so that offsets stay true.

mod foreign;
mod levels;
mod lines;
mod tokens;

use std::ops::Range;

use crate::source::{Source, Span};
use crate::syntax::MAX_NESTING;
use crate::syntax::error::SyntaxError;
use crate::syntax::scan::levels::{Level, Levels};

/// What the first walk found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The text for the grammar, as long as the source.
    pub(super) text: String,
    /// The declarations, in order.
    pub(super) chunks: Vec<Chunk>,
}

/// The text of one declaration, with the notes above it.
#[derive(Debug)]
pub(super) struct Chunk {
    /// Where it stands, in bytes from the beginning of this source.
    pub(super) range: Range<usize>,
    /// How deep its tree is at most; none when that is too deep to be read.
    pub(super) depth: Option<usize>,
    /// The first mistake that the walk found in it.
    pub(super) fault: Option<SyntaxError>,
}

/// Walks over a whole file.
pub(super) fn scan_file(source: &Source) -> Scan {
    Scanner::new(source, true).run()
}

/// Walks over a snippet: one chunk, whatever its lines begin with.
pub(super) fn scan_snippet(source: &Source) -> Scan {
    Scanner::new(source, false).run()
}

struct Scanner<'s> {
    source: &'s Source,
    text: &'s str,
    /// Whether lines that begin a declaration begin a chunk.
    cuts: bool,
    at: usize,
    line_start: usize,
    out: Vec<u8>,
    levels: Levels,
    /// Whether what came last goes on behind a line end.
    open_ended: bool,
    chunk: Begun,
    scan: Scan,
}

/// The chunk that the walk is in.
#[derive(Debug, Default)]
struct Begun {
    /// Where it begins, if it does.
    start: Option<usize>,
    /// Whether it holds more than notes.
    declares: bool,
    /// Whether it holds drawn data, in which `-` and `common` are cells.
    drawn: bool,
    /// The first mistake in it.
    fault: Option<SyntaxError>,
}

impl<'s> Scanner<'s> {
    fn new(source: &'s Source, cuts: bool) -> Scanner<'s> {
        Scanner {
            source,
            text: &source.text,
            cuts,
            at: 0,
            line_start: 0,
            out: source.text.replace('\r', " ").into_bytes(),
            levels: Levels::default(),
            open_ended: false,
            chunk: Begun::default(),
            scan: Scan::default(),
        }
    }

    fn run(mut self) -> Scan {
        if self.text.starts_with('\u{feff}') {
            self.blank(0..'\u{feff}'.len_utf8());
            self.at = '\u{feff}'.len_utf8();
            self.line_start = self.at;
        }
        self.gap(true);
        while self.at < self.text.len() {
            self.token();
            self.gap(false);
        }
        self.end_chunk(self.text.len());
        let text = String::from_utf8(self.out);
        self.scan.text = text.expect("only whole characters were replaced by spaces");
        self.scan
    }

    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source.base + range.start, self.source.base + range.end)
    }

    fn blank(&mut self, range: Range<usize>) {
        self.out[range].fill(b' ');
    }

    fn report(&mut self, fault: SyntaxError) {
        self.chunk.fault.get_or_insert(fault);
    }

    fn begin_chunk(&mut self) {
        self.chunk = Begun { start: Some(self.at), ..Begun::default() };
        self.open_ended = false;
    }

    fn end_chunk(&mut self, end: usize) {
        let Some(start) = self.chunk.start.take() else { return };
        self.lost_quote();
        if let Some(open) = self.levels.culprit() {
            let fault = self.unclosed(&open);
            self.report(fault);
        }
        let depth = self.levels.finish();
        if let Err(place) = depth {
            self.too_deep(place.unwrap_or(start));
        }
        let fault = self.chunk.fault.take();
        self.scan.chunks.push(Chunk { range: start..end, depth: depth.ok(), fault });
    }

    fn unclosed(&self, open: &Level) -> SyntaxError {
        let line = self.text[..open.at].rfind('\n').map_or(0, |end| end + 1);
        let before = self.text[line..open.at].trim();
        let owner: String = before.trim_start_matches(['}', ' ']).chars().take(40).collect();
        let bracket = open.sign.opener();
        let missing = open.missing_at.unwrap_or(self.at);
        let missing = self.text[..missing].trim_end().len();
        SyntaxError::UnclosedBracket {
            bracket,
            closer: open.sign.closer(),
            owner: if owner.is_empty() { bracket.to_string() } else { owner },
            span: self.span(open.at..open.at + 1),
            missing: self.span(missing..missing),
        }
    }

    fn too_deep(&mut self, place: usize) {
        let span = self.span(place..place + 1);
        self.report(SyntaxError::TooDeep { limit: MAX_NESTING, span });
    }
}
