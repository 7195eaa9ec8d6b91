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

pub use read::{MAX_LINES, include, is_name, line, parse};
pub use write::{Opening, chance, decision, list, places, result, said, seed, tidy, winner};

pub use crate::game::fold;

use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: Kind,
    pub span: Span,
    /// The line as it was written, without white space at its end.
    pub text: String,
    /// Its trailing comment with the white space before it; empty if it has none.
    pub tail: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The text, without white space around it.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `game PATH-OR-NAME`
    Game(Words),
    /// `players Ann, Ben`
    Players(Vec<Words>),
    /// `option name = value`
    Option {
        name: Words,
        value: Words,
    },
    /// `seed N`
    Seed(u64),
    /// `include "FILE"`
    Include(Words),
    /// `case "NAME"`: what follows, after what stands above the first case.
    Case(Words),
    /// `tags slow, duel`
    Tags(Vec<Words>),
    /// `known failure because "text"`
    Known(Words),
    /// `limit 2 s`: in milliseconds.
    Limit(u64),
    /// `NAME> move`
    Decision {
        name: Words,
        words: Words,
    },
    /// `* EVENT: OUTCOME`
    Chance(Words),
    /// `set STATEMENT`
    Set(Words),
    /// `do RULE(args)`
    Do(Words),
    /// `? EXPR`
    Holds(Words),
    /// `! move because "text"`: the move must be illegal, and the reason must contain the text.
    Refused {
        words: Words,
        because: Option<Words>,
    },
    Moves,
    /// `end`
    End,
    /// `bot N`, `bot N WHO`: who decides, if it is not chance.
    Bot(u32, Option<Words>),
    /// Two spaces, then a text.
    Output(String),
    /// `= result`
    Result(Words),
    /// `# …`
    Comment,
    Blank,
}

/// Where a line of some kind may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the header, in the order of these numbers.
    Header(usize),
    /// It is a step, and output may stand below it.
    Speaking,
    /// It is a step, or looks at the state, without output.
    Silent,
    /// Anywhere below the line that it belongs to.
    Below,
}

impl Kind {
    /// The word or sign that such a line begins with, and its place.
    fn form(&self) -> (&'static str, Place) {
        match self {
            Kind::Game(_) => ("game", Place::Header(0)),
            Kind::Players(_) => ("players", Place::Header(1)),
            Kind::Option { .. } => ("option", Place::Header(2)),
            Kind::Include(_) => ("include", Place::Below),
            Kind::Case(_) => ("case", Place::Below),
            Kind::Tags(_) => ("tags", Place::Below),
            Kind::Known(_) => ("known failure because", Place::Below),
            Kind::Limit(_) => ("limit", Place::Below),
            Kind::Seed(_) => ("seed", Place::Header(3)),
            Kind::Decision { .. } => (">", Place::Speaking),
            Kind::Set(_) => ("set", Place::Speaking),
            Kind::Do(_) => ("do", Place::Speaking),
            Kind::Moves => ("moves", Place::Speaking),
            Kind::Holds(_) => ("?", Place::Silent),
            Kind::Refused { .. } => ("!", Place::Silent),
            Kind::Bot(..) => ("bot", Place::Silent),
            Kind::Result(_) => ("=", Place::Silent),
            Kind::Chance(_) => ("*", Place::Below),
            Kind::End => ("end", Place::Below),
            Kind::Comment => ("#", Place::Below),
            Kind::Output(_) | Kind::Blank => ("", Place::Below),
        }
    }

    fn sign(&self) -> &'static str {
        self.form().0
    }

    fn place(&self) -> Place {
        self.form().1
    }

    pub fn is_header(&self) -> bool {
        matches!(self.place(), Place::Header(_))
    }

    /// Whether output may stand below the line.
    pub fn speaks(&self) -> bool {
        self.place() == Place::Speaking
    }

    /// Whether the line expects something, or steps that nobody wrote.
    pub fn is_expectation(&self) -> bool {
        matches!(
            self,
            Kind::Output(_)
                | Kind::Result(_)
                | Kind::Holds(_)
                | Kind::Refused { .. }
                | Kind::Bot(..)
        )
    }

    /// Whether the line asks for a step or looks at the state, so that what was waiting must
    /// happen first.
    pub fn is_action(&self) -> bool {
        matches!(self.place(), Place::Speaking | Place::Silent)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub lines: Vec<Line>,
    /// What chance follows from if no line says it.
    pub other_seed: Option<u64>,
}

impl Script {
    fn find<'a, T>(&'a self, wanted: impl Fn(&'a Kind) -> Option<T>) -> Option<T> {
        self.lines.iter().find_map(|line| wanted(&line.kind))
    }

    pub fn game(&self) -> Option<&Words> {
        self.find(|kind| if let Kind::Game(words) = kind { Some(words) } else { None })
    }

    pub fn players(&self) -> Option<Vec<String>> {
        self.find(|kind| match kind {
            Kind::Players(names) => Some(names.iter().map(|name| name.text.clone()).collect()),
            _ => None,
        })
    }

    pub fn options(&self) -> Vec<(String, String)> {
        let options = self.lines.iter().filter_map(|line| match &line.kind {
            Kind::Option { name, value } => Some((name.text.clone(), value.text.clone())),
            _ => None,
        });
        options.collect()
    }

    pub fn seed(&self) -> Option<u64> {
        let seed = self.find(|kind| if let Kind::Seed(seed) = kind { Some(*seed) } else { None });
        seed.or(self.other_seed)
    }

    /// Whether the script has a tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        let is_it = |words: &Words| fold(&words.text) == tag;
        self.lines.iter().any(|it| matches!(&it.kind, Kind::Tags(tags) if tags.iter().any(is_it)))
    }

    /// Returns where the script says that it is known to fail.
    pub fn known(&self) -> Option<Span> {
        self.lines.iter().find(|line| matches!(line.kind, Kind::Known(_))).map(|line| line.span)
    }

    /// Returns how many milliseconds it may take, and where that is said.
    pub fn limit(&self) -> Option<(u64, Span)> {
        self.lines.iter().rev().find_map(|line| match line.kind {
            Kind::Limit(time) => Some((time, line.span)),
            _ => None,
        })
    }

    /// Returns the cases, each with its name and as a script of its own: what stands above the first one,
    /// and its own lines, once for each value of options that have several. A script without cases is
    /// one without a name.
    pub fn cases(&self) -> Vec<(String, Script)> {
        let begins = |line: &Line| matches!(line.kind, Kind::Case(_));
        let end = self.lines.iter().position(begins).unwrap_or(self.lines.len());
        let (opening, cases) = self.lines.split_at(end);
        let mut parts: Vec<&[Line]> = cases.chunk_by(|_, next| !begins(next)).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        let columns = opening.iter().map(|line| match &line.kind {
            Kind::Option { value, .. } => value.text.split('|').count(),
            _ => 1,
        });
        let columns = columns.max().unwrap_or(1);
        let each =
            parts.into_iter().flat_map(|part| (0..columns).map(move |column| (part, column)));
        let case = |(part, column): (&[Line], usize)| {
            let mut names = Vec::new();
            if let Some(Line { kind: Kind::Case(name), .. }) = part.first() {
                names.push(format!("\"{}\"", name.text));
            }
            let mut lines = opening.to_vec();
            for line in &mut lines {
                let Kind::Option { name, value } = &mut line.kind else { continue };
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
    pub fn header(&self) -> Span {
        let headers = self.lines.iter().filter(|line| line.kind.is_header());
        headers.map(|line| line.span).reduce(Span::to).unwrap_or_default()
    }
}
