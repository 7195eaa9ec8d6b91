//! For another program around commands: games as texts that can be sent, tables and errors as strings.

use std::cell::RefCell;

pub use crate::host::game_files::GameFiles;

use crate::diagnostic::Diagnostics;
use crate::game::{Game, TableView};
use crate::host::drawing::{line::StyledLine, table_view};
use crate::host::exit::{Exit, Failure};
use crate::host::{
    files::{self, TableSetup},
    findings,
    game_files::find_here,
    progress,
};
use crate::load::{Folder, NamedText, OpenedFile};
use crate::pipeline::{self, GameOptions};
use crate::source::Sources;

/// Why something was not done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbedRefusal {
    /// The exit code of the command: 1 the game says no, 2 wrong use, 130 stopped.
    pub exit: u8,
    /// The errors as the program draws them, without colour.
    pub drawn: String,
    /// The errors as `check --format json` prints them, one JSON object each.
    pub objects: Vec<String>,
    /// What the command printed before.
    pub printed: String,
}

impl EmbedRefusal {
    /// Draws diagnostics of a text.
    pub fn from_diagnostics(sources: &Sources, diagnostics: &Diagnostics) -> EmbedRefusal {
        let objects = findings::diagnostic_records(sources, diagnostics);
        EmbedRefusal {
            exit: Exit::No as u8,
            drawn: findings::render_findings(sources, diagnostics, false, findings::WIDE),
            objects: objects.iter().map(ToString::to_string).collect(),
            printed: String::new(),
        }
    }

    /// What ended a command early.
    pub(crate) fn from_failure(failure: Failure) -> EmbedRefusal {
        match failure {
            Failure::Findings { sources, diagnostics, exit } => EmbedRefusal {
                exit: exit as u8,
                ..EmbedRefusal::from_diagnostics(&sources, &diagnostics)
            },
            Failure::Said(exit) => EmbedRefusal { exit: exit as u8, ..EmbedRefusal::default() },
            Failure::Stream(error) => {
                let drawn = error.to_string();
                EmbedRefusal { exit: Exit::No as u8, drawn, ..EmbedRefusal::default() }
            }
        }
    }
}

impl GameFiles {
    /// Finds a game by its bundled name or its path, and reads every file that it uses.
    ///
    /// # Errors
    /// If there is no such game, or its files have errors.
    pub fn find(word: &str) -> Result<GameFiles, EmbedRefusal> {
        let found = find_here(word).map_err(|it| EmbedRefusal::from_failure(it.into()))?;
        let reader = NotingFolder { folder: found.as_opened().folder, used: RefCell::default() };
        let opened = OpenedFile { folder: &reader, ..found.as_opened() };
        let mut sources = Sources::default();
        let checked = pipeline::check_without_compiling(&mut sources, &opened);
        if checked.diagnostics.has_errors() {
            return Err(EmbedRefusal::from_diagnostics(&sources, &checked.diagnostics));
        }
        let used = reader.used.into_inner();
        Ok(GameFiles { word: word.to_owned(), name: found.name, text: found.text, used })
    }

    /// Loads the game for a number of players and values of options. `names` may be empty.
    ///
    /// # Errors
    /// If the game cannot be played so, or the names are no names of players.
    pub fn load(&self, options: &GameOptions, names: &[String]) -> Result<Game, EmbedRefusal> {
        let GameOptions { players, options } = options.clone();
        let table = TableSetup { players, names: names.to_vec(), options };
        files::load_game(&self.to_found_text(), &table, Sources::default())
            .map_err(EmbedRefusal::from_failure)
    }
}

/// Notes which files are read.
struct NotingFolder<'a> {
    folder: &'a dyn Folder,
    used: RefCell<Vec<(String, String, String)>>,
}

impl Folder for NotingFolder<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let NamedText { name, text } = self.folder.read(path)?;
        self.used.borrow_mut().push((path.to_owned(), name.clone(), text.clone()));
        Ok(NamedText { name, text })
    }
}

/// Milliseconds since the first call, for bots that think by the clock.
pub fn milliseconds() -> u64 {
    progress::milliseconds()
}

/// Stops the commands that run, as Ctrl-C does.
pub fn stop_commands() {
    progress::WORK.stop();
}

/// Draws a table with the names of the players, 80 columns wide.
pub fn table_text(view: &TableView, names: &[String]) -> String {
    let sheet = table_view::Sheet { view, names, width: findings::WIDE, height: None, focus: None };
    let lines = table_view::render_view(&sheet);
    let lines: Vec<String> = lines.iter().map(StyledLine::letters).collect();
    lines.join("\n") + "\n"
}
