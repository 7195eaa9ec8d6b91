//! The interfaces of a session: the console that people sit at, and the files that keep games.

use std::io;

use super::record::Record;
use super::running::Running;
use crate::diagnostic::Diagnostics;
use crate::game::{Player, TableView};
use crate::progress::{Progress, UNWATCHED};
use crate::source::{Source, Sources};
use crate::transcript::Script;

/// What a person is asked.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    /// What stands before the line that is typed.
    pub prompt: &'a str,
    /// The legal moves, for completion.
    pub moves: &'a [String],
    /// Whether a move may be typed as its number.
    pub numbered: bool,
    /// What help can be asked about, for completion.
    pub topics: &'a [String],
    /// Whether nothing needs an answer, so that nobody has to be asked who is not there.
    pub idle: bool,
    /// Whether the line may come back later: not where others at the screen must not see it.
    pub recalled: bool,
}

impl<'a> Prompt<'a> {
    /// Asks for Enter alone.
    pub fn enter(prompt: &'a str) -> Prompt<'a> {
        let (moves, topics) = (&[], &[]);
        Prompt { prompt, moves, numbered: true, topics, idle: true, recalled: false }
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Line(String),
    /// No more lines will come.
    End,
    Interrupt,
}

/// The legal moves of a decision, to be listed.
#[derive(Clone, Copy, Debug)]
pub struct MoveList<'a> {
    /// The moves in words, each with its number.
    pub moves: &'a [(usize, String)],
    /// Whether the numbers can be typed, so that they are shown.
    pub numbered: bool,
    /// Whether all of them are wanted, however long the list may be.
    pub whole: bool,
}

/// What lies on the table, to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Showing<'a> {
    pub table: &'a TableView,
    pub names: &'a [String],
    /// Who decides, if it is a person.
    pub decides: Option<Player>,
    /// How many moves will be listed below it.
    pub moves: usize,
    /// Whether all of it is wanted, however long it may be.
    pub whole: bool,
}

/// Whoever asks people and tells them things. An error means that nobody listens any more.
#[expect(clippy::missing_errors_doc, reason = "each fails where nobody listens any more")]
pub trait Console {
    /// Whether people sit at a screen, so that they like to be told what they could do.
    fn is_lively(&self) -> bool;
    /// Asks for a line.
    fn ask(&mut self, asking: &Prompt) -> io::Result<Reply>;
    /// Clears what stands on the screen and asks a person to sit before it, until a line is typed.
    /// Where nobody sits at a screen nobody needs to be asked.
    fn hand_over(&mut self, _name: &str) -> io::Result<Reply> {
        Ok(Reply::Line(String::new()))
    }
    /// Tells people who wait that a program begins to think. It is no part of the game.
    fn wait_for(&mut self, _thinker: &str) -> io::Result<()> {
        Ok(())
    }
    /// How the program that thinks learns that people want it to stop.
    fn progress(&self) -> &'static Progress {
        &UNWATCHED
    }
    /// Learns that the thinking is over, and forgets what was typed meanwhile. Returns whether people
    /// stopped it.
    fn waited(&mut self) -> io::Result<bool> {
        Ok(false)
    }
    /// Tells a line.
    fn tell(&mut self, line: &str) -> io::Result<()>;
    /// Tells a line that is no part of the game, such as a warning.
    fn note(&mut self, line: &str) -> io::Result<()>;
    /// Shows what lies on the table.
    fn show(&mut self, showing: &Showing) -> io::Result<()>;
    /// Lists legal moves.
    fn list(&mut self, list: &MoveList) -> io::Result<()>;
    /// Shows rows whose cells stand in columns.
    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()>;
    /// Draws findings; those that answer what was typed belong to the conversation.
    fn draw(&mut self, sources: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()>;
}

/// Has a program think; where that may take long, whoever waits learns who it is and can stop it.
/// Returns what it thought, and whether it was stopped.
pub(super) fn think<T>(
    console: &mut dyn Console,
    thinker: Option<&str>,
    work: impl FnOnce() -> T,
) -> io::Result<(T, bool)> {
    let Some(thinker) = thinker else { return Ok((work(), false)) };
    console.wait_for(thinker)?;
    let thought = work();
    Ok((thought, console.waited()?))
}

/// A script to be played on, with the beginning of its game.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub start: Running,
    pub script: Script,
    pub source: Source,
    /// All texts that diagnostics may point into.
    pub sources: Sources,
}

/// Whether rules were changed, where they are kept, while they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    No,
    /// This file was, and the people decide what becomes of it.
    Offered(String),
    /// This file was, and the people want to play on with it.
    Wanted(String),
}

/// Whoever keeps games.
#[expect(clippy::missing_errors_doc, reason = "each says why a file cannot be read or written")]
pub trait Files {
    /// Keeps the game as it stands; its first `unchanged` lines, and its header, are as they were
    /// when it was kept before. What goes wrong is returned once, as a warning.
    fn keep(&mut self, record: &Record, unchanged: usize) -> Option<String>;
    /// Writes the game into a file; `anyhow` if it may take the place of what others wrote.
    fn save(&mut self, file: &str, anyhow: bool, record: &Record) -> Result<(), Diagnostics>;
    /// Writes the game, and whatever follows, into a file, as [`Files::save`] does.
    fn record(&mut self, file: &str, anyhow: bool, record: &Record) -> Result<(), Diagnostics>;
    /// Returns the file that the game is being recorded in.
    fn recorded_in(&self) -> Option<String>;
    /// Reads a script of this game.
    fn load(&mut self, file: &str) -> Result<Loaded, (Sources, Diagnostics)>;
    /// Returns a line for each variant of the game, for its rulebook.
    fn variants(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns whether the rules were changed since this was last asked.
    fn change(&mut self) -> Change {
        Change::No
    }
    /// Reads the rules again, and the game as it stands as a script for them.
    fn reload(&mut self, record: &Record) -> Result<Loaded, (Sources, Diagnostics)>;
}

/// The people and the files of a session.
#[derive(Clone, Debug)]
pub struct Io<C, F> {
    pub console: C,
    pub files: F,
}

/// The same, whoever they are.
pub(super) type DynIo<'a> = Io<&'a mut dyn Console, &'a mut dyn Files>;

impl<C: Console, F: Files> Io<C, F> {
    pub(super) fn as_dyn(&mut self) -> DynIo<'_> {
        Io { console: &mut self.console, files: &mut self.files }
    }
}
