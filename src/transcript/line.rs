//! One line of a script: what it is, its words, and where they stand.

use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is, with its words taken apart.
    pub kind: Kind,
    pub span: Span,
    /// The line as it was written, without white space at its end.
    pub text: String,
    /// Its trailing comment with the white space before it; empty if it has none.
    pub tail: String,
}

/// A part of a line and its place.
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
    Option { name: Words, value: Words },
    /// `seed N`
    Seed(u64),
    /// `NAME> move`
    Decision { name: Words, words: Words },
    /// `* EVENT: OUTCOME`
    Chance(Words),
    /// `set STATEMENT`
    Set(Words),
    /// `do RULE(args)`
    Do(Words),
    /// `? EXPR`
    Holds(Words),
    /// `! move because "text"`: the move must be illegal, and the reason must contain the text.
    Refused { words: Words, because: Option<Words> },
    /// `moves`
    Moves,
    /// `bot N`
    Bot(u32),
    /// Two spaces, then a text.
    Output(String),
    /// `= result`
    Result(Words),
    /// `# …`
    Comment,
    /// An empty line.
    Blank,
}

impl Kind {
    /// Whether the line belongs to the header.
    pub fn is_header(&self) -> bool {
        self.header_rank().is_some()
    }

    /// The place of a header line in the order of the header.
    pub(super) fn header_rank(&self) -> Option<usize> {
        match self {
            Kind::Game(_) => Some(0),
            Kind::Players(_) => Some(1),
            Kind::Option { .. } => Some(2),
            Kind::Seed(_) => Some(3),
            _ => None,
        }
    }

    /// Whether the line asks for a step or looks at the state, so that what was waiting must
    /// happen first.
    pub fn is_action(&self) -> bool {
        !self.is_header()
            && !matches!(self, Kind::Chance(_) | Kind::Output(_) | Kind::Comment | Kind::Blank)
    }

    /// Whether output may stand below the line.
    pub(super) fn speaks(&self) -> bool {
        self.is_header()
            || matches!(self, Kind::Decision { .. } | Kind::Set(_) | Kind::Do(_) | Kind::Moves)
    }

    /// The word or sign that such a line begins with.
    pub(super) fn sign(&self) -> &'static str {
        match self {
            Kind::Game(_) => "game",
            Kind::Players(_) => "players",
            Kind::Option { .. } => "option",
            Kind::Seed(_) => "seed",
            Kind::Decision { .. } => ">",
            Kind::Chance(_) => "*",
            Kind::Set(_) => "set",
            Kind::Do(_) => "do",
            Kind::Holds(_) => "?",
            Kind::Refused { .. } => "!",
            Kind::Moves => "moves",
            Kind::Bot(_) => "bot",
            Kind::Output(_) | Kind::Blank => "",
            Kind::Result(_) => "=",
            Kind::Comment => "#",
        }
    }
}
