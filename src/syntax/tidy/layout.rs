//! Indents lines, and aligns texts and comments of neighbouring lines.

use std::ops::Range;

use crate::syntax::reader::Mark;
use crate::syntax::tidy::lines::{TidyLine, TokenPiece};
use crate::syntax::tokens::DECLARATIONS;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputLine {
    pub(super) indent: usize,
    pub(super) text: String,
    pub(super) comment: Option<String>,
}

impl OutputLine {
    pub(super) fn new(indent: usize, text: String, comment: Option<String>) -> OutputLine {
        OutputLine { indent, text, comment }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty() && self.comment.is_none()
    }

    pub(super) fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }

    /// An option and the text after it.
    fn split_title(&self) -> Option<(&str, &str)> {
        let titled = self.text.starts_with("option ") && self.text.ends_with('"');
        let body = self.text.strip_suffix('"').filter(|_| titled)?;
        let (option, title) = self.text.split_at(body.rfind('"').filter(|at| *at > 0)?);
        Some((option.trim_end(), title))
    }
}

/// A line that is longer does not push the trailing parts of others to the right.
const LONG: usize = 72;

/// How many spaces stand between a line and what is put after it.
const BETWEEN: usize = 2;

/// The lines with their trailing parts aligned in columns.
pub(super) fn align_columns(mut lines: Vec<OutputLine>) -> Vec<String> {
    align(&mut lines, OutputLine::split_title);
    align(&mut lines, |line| {
        let comment = line.comment.as_deref().filter(|_| !line.text.is_empty())?;
        Some((&line.text, comment))
    });
    lines.into_iter().map(render_line).collect()
}

/// Puts the trailing parts of neighbouring lines below each other: what a line is divided into.
fn align(lines: &mut [OutputLine], divided: impl Fn(&OutputLine) -> Option<(&str, &str)>) {
    for group in groups(lines, |line| divided(line).is_some()) {
        let bodies =
            lines[group.clone()].iter().filter_map(|line| Some((line.indent, divided(line)?.0)));
        let widths = bodies.map(|(indent, body)| indent + body.chars().count());
        let column = widths.filter(|width| *width <= LONG).max().unwrap_or(0) + BETWEEN;
        for line in &mut lines[group] {
            let (body, trailing) = divided(line).expect("all lines of the group are divided");
            let width = line.indent + body.chars().count();
            let between = " ".repeat(column.saturating_sub(width).max(BETWEEN));
            line.text = format!("{body}{between}{trailing}");
        }
    }
}

fn render_line(line: OutputLine) -> String {
    let text = if line.text.is_empty() { line.comment.unwrap_or_default() } else { line.text };
    let indent = if text.is_empty() { 0 } else { line.indent };
    format!("{}{text}", " ".repeat(indent))
}

/// Neighbouring lines that are alike and indented alike.
fn groups(lines: &[OutputLine], alike: impl Fn(&OutputLine) -> bool) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for at in (0..lines.len()).filter(|at| alike(&lines[*at])) {
        match groups.last_mut() {
            Some(last) if last.end == at && lines[at - 1].indent == lines[at].indent => {
                last.end = at + 1;
            }
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// How far a line in a bracket is indented.
pub(super) const STEP: usize = 2;

/// Indents the lines of a file from the top: one step for every bracket around one, and what an
/// author gave to the lines that go on with the one before.
#[derive(Debug, Default)]
pub(super) struct Indents {
    /// What the open brackets are around, and where the line stands that closes each. Around a value
    /// line ends do not count; a head of moves may go on for lines; members stand at one margin.
    open: Vec<(Mark, usize)>,
    /// The line that a statement, a declaration or a move begins with.
    begin: LayoutStart,
    /// Whether the last line cannot stand alone.
    unfinished: OpenEnd,
    /// Whether the last line ends with the `}` of a block.
    closed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct LayoutStart {
    put: usize,
    /// Where its author had put it.
    had: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OpenEnd {
    #[default]
    No,
    Operator,
    Comma,
    /// It ends where a value begins, which stands on lines of its own.
    Value,
}

impl Indents {
    /// How far a line is indented.
    pub(super) fn indent_of(&mut self, line: &TidyLine) -> usize {
        let (Some(first), Some(last)) = (line.pieces.first(), line.pieces.last()) else {
            return self.inner();
        };
        let closers = line.pieces.iter().take_while(|piece| is_closer(piece.text)).count();
        let (put, begins) = if closers > 0 {
            let outermost = self.open.len().saturating_sub(closers);
            let closing = self.open.drain(outermost..).next().map_or(0, |(_, closing)| closing);
            (closing, true)
        } else {
            self.opened_line(line, first)
        };
        if begins {
            self.begin = LayoutStart { put, had: line.indent };
        }
        self.brackets(&line.pieces[closers..]);
        self.unfinished = unfinished(last.text);
        self.closed = last.text == "}" && last.is_block();
        put
    }

    fn inner(&self) -> usize {
        self.open.last().map_or(0, |(_, closing)| closing + STEP)
    }

    /// The indent of a line that closes nothing, and whether it begins a statement or a value.
    fn opened_line(&self, line: &TidyLine, first: &TokenPiece) -> (usize, bool) {
        let in_value = self.is_inside(Mark::Set);
        if self.open.is_empty() && DECLARATIONS.contains(&first.text) {
            (0, true)
        } else if self.unfinished == OpenEnd::Value && !in_value {
            (self.begin.put + STEP, true)
        } else if self.is_inside(Mark::List) {
            (self.inner(), false)
        } else if first.text == "{" && first.is_block() && !in_value {
            (self.begin.put, false)
        } else if in_value || self.unfinished != OpenEnd::No || self.goes_on(line) {
            // What is joined, or one of a list, may stand right below the one before.
            let joined = is_operator(first.text) || self.unfinished == OpenEnd::Comma;
            let given = line.indent.saturating_sub(self.begin.had) / STEP * STEP;
            (self.begin.put + given.max(if joined { 0 } else { STEP }), false)
        } else {
            (self.inner(), true)
        }
    }

    fn is_inside(&self, mark: Mark) -> bool {
        self.open.last().is_some_and(|(around, _)| *around == mark)
    }

    /// Whether a line goes on with what the one before began.
    fn goes_on(&self, line: &TidyLine) -> bool {
        let in_moves = self.is_inside(Mark::Moves);
        let second = line.pieces.get(1).map_or("", |piece| piece.text);
        match line.pieces.first().map_or("", |piece| piece.text) {
            word if self.open.is_empty() => !(self.closed && matches!(word, "else" | "or")),
            "where" | "when" | "then" => true,
            "from" => !["=", "+=", "-=", ".", "[", "gains", "loses", "pays"].contains(&second),
            "until" => second != "=",
            "else" | "or" => !self.closed && second != ":",
            "for" | "let" | "maybe" => in_moves,
            "by" => ["highest", "lowest"].contains(&second),
            sign => is_operator(sign),
        }
    }

    /// Opens and closes what a line opens and closes.
    fn brackets(&mut self, pieces: &[TokenPiece]) {
        for piece in pieces {
            match piece.text {
                "(" | "[" => self.open.push((Mark::Set, self.begin.put)),
                "{" => self.open.push((piece.mark.unwrap_or(Mark::Block), self.begin.put)),
                text if is_closer(text) => drop(self.open.pop()),
                _ => {}
            }
        }
    }
}

fn unfinished(last: &str) -> OpenEnd {
    match last {
        "=" | ":" => OpenEnd::Value,
        "," => OpenEnd::Comma,
        "or" | "where" | "when" | "then" | "by" => OpenEnd::Operator,
        sign if is_operator(sign) => OpenEnd::Operator,
        _ => OpenEnd::No,
    }
}

/// What joins two values, so that a line with it at an end does not stand alone.
const OPERATORS: [&str; 22] = [
    "=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "+=", "-=", "->", "and", "not",
    "in", "within", "union", "minus", "common", "mod",
];

fn is_operator(piece: &str) -> bool {
    OPERATORS.contains(&piece)
}

fn is_closer(piece: &str) -> bool {
    matches!(piece, ")" | "]" | "}")
}
