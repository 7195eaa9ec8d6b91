//! A played game as text: scripts are read, transcripts are written, and a transcript is a script.
//!
//! A transcript is what running a script prints, and running it again prints the same bytes. For
//! that, everything a run adds has one place:
//!
//! * What is said and what chance decides stands below the line whose step caused it, in the order
//!   in which it happened: `  two spaces and a text`, `* event: outcome`. What happens before the
//!   first decision follows the header.
//! * The result, `= …`, is the last line.
//! * Every other line stays as it was written. A comment or an empty line between the lines of a
//!   step stays where it is, counted by the lines of that step above it; one that has no line of
//!   its step below it comes after the step.
//!
//! In a script, a chance event may be written anywhere above the line that makes it due: a step is
//! carried out only when the next line asks for its end, so the events below a decision are known
//! when it runs. Events are used up in the order in which they are written. The transcript then
//! shows them in their one place, and there a second run finds them again.

mod error;
mod read;
mod write;

pub use read::{MAX_LINES, is_name, parse};
pub(crate) use read::{include, parse_line};
pub use write::{chance, format_decision, format_result, format_said, opening, tidy, winner};
pub(crate) use write::{format_places, list_words, seed};

pub(crate) use crate::game::fold_case;

use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: LineKind,
    pub(crate) span: Span,
    /// The line as it was written, without white space at its end.
    pub text: String,
    /// Its trailing comment with the white space before it; empty if it has none.
    pub tail: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The text, without white space around it.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// `game PATH-OR-NAME`
    Game(SpannedText),
    /// `players Ann, Ben`
    Players(Vec<SpannedText>),
    /// `option name = value`
    Option {
        name: SpannedText,
        value: SpannedText,
    },
    /// `seed N`
    Seed(u64),
    /// `include "FILE"`
    Include(SpannedText),
    /// `case "NAME"`: what follows, after what stands above the first case.
    Case(SpannedText),
    /// `tags slow, duel`
    Tags(Vec<SpannedText>),
    /// `known failure because "text"`
    Known(SpannedText),
    /// `limit 2 s`: in milliseconds.
    Limit(u64),
    /// `NAME> move`
    Decision {
        name: SpannedText,
        words: SpannedText,
    },
    /// `* EVENT: OUTCOME`
    Chance(SpannedText),
    /// `set STATEMENT`
    Set(SpannedText),
    /// `do RULE(args)`
    Do(SpannedText),
    /// `? EXPR`
    Holds(SpannedText),
    /// `! move because "text"`: the move must be illegal, and the reason must contain the text.
    Refused {
        words: SpannedText,
        because: Option<SpannedText>,
    },
    Moves,
    /// `end`
    End,
    /// `bot N`, `bot N WHO`: who decides, if it is not chance.
    Bot(u32, Option<SpannedText>),
    /// Two spaces, then a text.
    Output(String),
    /// `= result`
    Result(SpannedText),
    /// `# …`
    Comment,
    Blank,
}

/// Where a line of some kind may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinePosition {
    /// In the header, in the order of these numbers.
    Header(usize),
    /// It is a step, and output may stand below it.
    Speaking,
    /// It is a step, or looks at the state, without output.
    Silent,
    /// Anywhere below the line that it belongs to.
    Below,
}

impl LineKind {
    /// The word or sign that such a line begins with, and its place.
    fn sign_and_position(&self) -> (&'static str, LinePosition) {
        match self {
            LineKind::Game(_) => ("game", LinePosition::Header(0)),
            LineKind::Players(_) => ("players", LinePosition::Header(1)),
            LineKind::Option { .. } => ("option", LinePosition::Header(2)),
            LineKind::Include(_) => ("include", LinePosition::Below),
            LineKind::Case(_) => ("case", LinePosition::Below),
            LineKind::Tags(_) => ("tags", LinePosition::Below),
            LineKind::Known(_) => ("known failure because", LinePosition::Below),
            LineKind::Limit(_) => ("limit", LinePosition::Below),
            LineKind::Seed(_) => ("seed", LinePosition::Header(3)),
            LineKind::Decision { .. } => (">", LinePosition::Speaking),
            LineKind::Set(_) => ("set", LinePosition::Speaking),
            LineKind::Do(_) => ("do", LinePosition::Speaking),
            LineKind::Moves => ("moves", LinePosition::Speaking),
            LineKind::Holds(_) => ("?", LinePosition::Silent),
            LineKind::Refused { .. } => ("!", LinePosition::Silent),
            LineKind::Bot(..) => ("bot", LinePosition::Silent),
            LineKind::Result(_) => ("=", LinePosition::Silent),
            LineKind::Chance(_) => ("*", LinePosition::Below),
            LineKind::End => ("end", LinePosition::Below),
            LineKind::Comment => ("#", LinePosition::Below),
            LineKind::Output(_) | LineKind::Blank => ("", LinePosition::Below),
        }
    }

    fn line_sign(&self) -> &'static str {
        self.sign_and_position().0
    }

    fn line_position(&self) -> LinePosition {
        self.sign_and_position().1
    }

    pub(crate) fn is_header(&self) -> bool {
        matches!(self.line_position(), LinePosition::Header(_))
    }

    /// Whether output may stand below the line.
    pub(crate) fn speaks(&self) -> bool {
        self.line_position() == LinePosition::Speaking
    }

    /// Whether the line expects something, or steps that nobody wrote.
    pub(crate) fn is_expectation(&self) -> bool {
        matches!(
            self,
            LineKind::Output(_)
                | LineKind::Result(_)
                | LineKind::Holds(_)
                | LineKind::Refused { .. }
                | LineKind::Bot(..)
        )
    }

    /// Whether the line asks for a step or looks at the state, so that what was waiting must
    /// happen first.
    pub(crate) fn is_action(&self) -> bool {
        matches!(self.line_position(), LinePosition::Speaking | LinePosition::Silent)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub lines: Vec<Line>,
    /// What chance follows from if no line says it.
    pub(crate) other_seed: Option<u64>,
}

impl Script {
    fn find_line<'a, T>(&'a self, wanted: impl Fn(&'a LineKind) -> Option<T>) -> Option<T> {
        self.lines.iter().find_map(|line| wanted(&line.kind))
    }

    pub fn game(&self) -> Option<&SpannedText> {
        self.find_line(|kind| if let LineKind::Game(words) = kind { Some(words) } else { None })
    }

    pub fn players(&self) -> Option<Vec<String>> {
        self.find_line(|kind| match kind {
            LineKind::Players(names) => Some(names.iter().map(|name| name.text.clone()).collect()),
            _ => None,
        })
    }

    pub fn options(&self) -> Vec<(String, String)> {
        let options = self.lines.iter().filter_map(|line| match &line.kind {
            LineKind::Option { name, value } => Some((name.text.clone(), value.text.clone())),
            _ => None,
        });
        options.collect()
    }

    pub fn seed(&self) -> Option<u64> {
        let seed =
            self.find_line(|kind| if let LineKind::Seed(seed) = kind { Some(*seed) } else { None });
        seed.or(self.other_seed)
    }

    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        let is_it = |words: &SpannedText| fold_case(&words.text) == tag;
        self.lines
            .iter()
            .any(|it| matches!(&it.kind, LineKind::Tags(tags) if tags.iter().any(is_it)))
    }

    /// Returns where the script says that it is known to fail.
    pub(crate) fn known(&self) -> Option<Span> {
        self.lines.iter().find(|line| matches!(line.kind, LineKind::Known(_))).map(|line| line.span)
    }

    /// Returns how many milliseconds it may take, and where that is said.
    pub(crate) fn limit(&self) -> Option<(u64, Span)> {
        self.lines.iter().rev().find_map(|line| match line.kind {
            LineKind::Limit(time) => Some((time, line.span)),
            _ => None,
        })
    }

    /// Returns the cases, each with its name and as a script of its own: what stands above the first one,
    /// and its own lines, once for each value of options that have several. A script without cases is
    /// one without a name.
    pub fn cases(&self) -> Vec<(String, Script)> {
        let begins = |line: &Line| matches!(line.kind, LineKind::Case(_));
        let end = self.lines.iter().position(begins).unwrap_or(self.lines.len());
        let (opening, cases) = self.lines.split_at(end);
        let mut parts: Vec<&[Line]> = cases.chunk_by(|_, next| !begins(next)).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        let columns = opening.iter().map(|line| match &line.kind {
            LineKind::Option { value, .. } => value.text.split('|').count(),
            _ => 1,
        });
        let columns = columns.max().unwrap_or(1);
        let each =
            parts.into_iter().flat_map(|part| (0..columns).map(move |column| (part, column)));
        let case = |(part, column): (&[Line], usize)| {
            let mut names = Vec::new();
            if let Some(Line { kind: LineKind::Case(name), .. }) = part.first() {
                names.push(format!("\"{}\"", name.text));
            }
            let mut lines = opening.to_vec();
            for line in &mut lines {
                let LineKind::Option { name, value } = &mut line.kind else { continue };
                if let Some(own) = value.text.split('|').nth(column).filter(|it| *it != value.text)
                {
                    value.text = own.trim().to_owned();
                    names.push(format!("{} = {}", name.text, value.text));
                    line.text = format!("option {} = {}{}", name.text, value.text, line.tail);
                }
            }
            lines.extend_from_slice(part);
            (names.join(", "), Script { lines, ..self.clone() })
        };
        each.map(case).collect()
    }

    /// Returns the place of the header as a whole: from `game` to the last header line.
    pub(crate) fn header(&self) -> Span {
        let headers = self.lines.iter().filter(|line| line.kind.is_header());
        headers.map(|line| line.span).reduce(Span::to).unwrap_or_default()
    }
}
