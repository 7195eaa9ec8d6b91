//! The files of a game in play: its journal, a recording, saved games.

use std::path::{Path, PathBuf};

use super::journal::{self, Journal, Named};
use super::writing::{Anyhow, Out};
use super::{
    args::Table, error::CliError, files, files::Found, rules::variants, screen::Failure, state,
    watch::Watched,
};
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::session::{Change, Files, Loaded, Record, Running, seats_kept, whole_lines};
use crate::source::Sources;
use crate::transcript::{self, Kind, Script};

/// Whoever keeps the game that is played.
#[derive(Debug)]
pub(super) struct Keeper {
    named: Named,
    unfinished: Option<Journal>,
    recording: Option<Journal>,
    /// Why the recording that was asked for is not whole.
    broken: Option<CliError>,
    /// Why the game is not kept, until somebody heard of it.
    lost: Option<String>,
    rules: Rules,
}

/// The rules as they were read, so that they can be read again.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// The options that were asked for; the others have their defaults.
    pub(super) options: Vec<(String, String)>,
    pub(super) watched: Watched,
    /// Whether changes are played on with at once.
    pub(super) live: bool,
}

impl Keeper {
    /// A keeper with a journal that is new, or one that is played on.
    pub(super) fn new(named: Named, journal: Option<Journal>, rules: Rules) -> Keeper {
        let unfinished = journal.or_else(|| {
            state::prune(&named.word);
            state::new_journal(&named.word).map(Journal::unfinished)
        });
        let lost = unfinished.is_none().then(|| state::NOWHERE.to_owned());
        Keeper { named, unfinished, recording: None, broken: None, lost, rules }
    }

    pub(super) fn record_from_start(&mut self, path: &Path, force: bool) -> Result<(), CliError> {
        let out = Out::open(path, journal::FORM, &Anyhow::flag(force))?;
        self.recording = Some(Journal::recording(out));
        Ok(())
    }

    /// Whether the game can be played on later.
    pub(super) fn has_kept(&self) -> bool {
        self.unfinished.as_ref().is_some_and(|journal| journal.path().exists())
    }

    pub(super) fn watched(&self) -> &Watched {
        &self.rules.watched
    }

    /// Why the recording that was asked for is not whole, if it is not.
    pub(super) fn broken(self) -> Option<CliError> {
        self.broken
    }

    fn begin_recording(
        &self,
        path: &Path,
        anyhow: &Anyhow,
        record: &Record,
    ) -> Result<Journal, CliError> {
        let mut recording = Journal::recording(Out::open(path, journal::FORM, anyhow)?);
        recording.begin(&self.named, record)?;
        Ok(recording)
    }

    fn keep_unfinished(&mut self, record: &Record, unchanged: usize) -> Option<String> {
        if let Some(journal) = &mut self.unfinished {
            let error = journal.keep(&self.named, record, unchanged).err()?;
            if matches!(error, CliError::Full { .. }) {
                let found = "the game goes on, but `--resume` goes on where the file ends";
                return Some(format!("warning: {error}; {found}"));
            }
            self.unfinished = None;
            self.lost = Some(error.to_string());
        }
        let why = self.lost.take()?;
        Some(format!("warning: {why}; the game goes on, but `--resume` will not find it"))
    }

    fn keep_recording(&mut self, record: &Record, unchanged: usize) -> Option<String> {
        let recording = self.recording.as_mut()?;
        let error = recording.keep(&self.named, record, unchanged).err()?;
        self.recording = None;
        let warning = format!("warning: {error}; the game goes on and is not recorded any more");
        self.broken = Some(error);
        Some(warning)
    }
}

impl Files for Keeper {
    fn keep(&mut self, record: &Record, unchanged: usize) -> Option<String> {
        let unfinished = self.keep_unfinished(record, unchanged);
        let warnings = unfinished.into_iter().chain(self.keep_recording(record, unchanged));
        warnings.reduce(|first, second| format!("{first}\n{second}"))
    }

    fn save(&mut self, file: &str, anyhow: bool, record: &Record) -> Result<(), Diagnostics> {
        let anyhow = typed("save", file, anyhow);
        self.begin_recording(Path::new(file), &anyhow, record).map(drop).map_err(Diagnostics::of)
    }

    fn record(&mut self, file: &str, anyhow: bool, record: &Record) -> Result<(), Diagnostics> {
        let path = Path::new(file);
        // The file that is written until now may be named again.
        let before = self.recording.take().filter(|before| before.path() != path);
        let begun = self.begin_recording(path, &typed("record", file, anyhow), record);
        let failed = begun.as_ref().err().cloned();
        self.recording = begun.ok().or(before);
        failed.map_or(Ok(()), |error| Err(Diagnostics::of(error)))
    }

    fn recorded_in(&self) -> Option<String> {
        self.recording.as_ref().map(|recording| recording.path().display().to_string())
    }

    fn load(&mut self, file: &str) -> Result<Loaded, (Sources, Diagnostics)> {
        let opened = open(Path::new(file), None).map_err(taken_apart)?;
        if opened.named.anywhere() != self.named.anywhere() {
            let error = CliError::OtherGame { file: file.to_owned(), game: opened.named.word };
            return Err((Sources::default(), Diagnostics::of(error)));
        }
        Ok(opened.loaded)
    }

    fn variants(&self) -> Vec<String> {
        variants(&self.named.word, &self.named.found)
    }

    fn change(&mut self) -> Change {
        let changed = self.rules.watched.changed();
        match changed.first().map(|path| path.display().to_string()) {
            None => Change::No,
            Some(file) if self.rules.live => Change::Wanted(file),
            Some(file) => Change::Offered(file),
        }
    }

    fn reload(&mut self, record: &Record) -> Result<Loaded, (Sources, Diagnostics)> {
        let path = self.named.found.path.as_ref().map(|path| path.display().to_string());
        let word = path.unwrap_or_else(|| self.named.word.clone());
        let found = files::find(&word, Path::new(""));
        let found = found.map_err(|error| (Sources::default(), Diagnostics::of(error)))?;
        let named = Named { word: self.named.word.clone(), found };
        let text = so_far(record, &self.rules.options, word);
        // What is seen now is no news any more, whatever it is worth.
        self.rules.watched.changed();
        let opened = open_text(Path::new("the game so far"), text, Some(named));
        let opened = opened.map_err(taken_apart)?;
        self.rules.watched = Watched::of(&opened.named.found, &opened.loaded.sources);
        self.named = opened.named;
        Ok(opened.loaded)
    }
}

/// A game as a script that other rules may be able to play: what was decided and drawn, but not
/// what was said, and only the options that somebody asked for.
fn so_far(record: &Record, options: &[(String, String)], game: String) -> String {
    let happened = |line: &&String| !line.starts_with(' ') && !line.starts_with("= ");
    let lines: Vec<String> = record.lines.iter().filter(happened).cloned().collect();
    Record { lines: &lines, options: options.to_vec(), ..record.clone() }.script(game)
}

#[derive(Debug)]
pub(super) struct Opened {
    pub(super) loaded: Loaded,
    pub(super) named: Named,
    /// The number that chance follows from, where the script says it.
    pub(super) seed: Option<Seed>,
    /// Who decides for whom, where the script says it.
    pub(super) seats: Option<Vec<String>>,
}

/// Reads a script and loads its game: the one it names, unless another text is given.
pub(super) fn open(path: &Path, given: Option<Named>) -> Result<Opened, Failure> {
    open_text(path, files::read_script(path)?, given)
}

/// Reads the journal of a game that was broken off: a line that was not finished does not count.
pub(super) fn open_unfinished(path: &Path, given: Option<Named>) -> Result<Opened, Failure> {
    let bytes = files::bytes(path)?;
    let text =
        whole_lines(&bytes).ok_or_else(|| CliError::CutOff { path: path.display().to_string() })?;
    open_text(path, text, given)
}

fn open_text(path: &Path, text: String, given: Option<Named>) -> Result<Opened, Failure> {
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text).clone();
    let refused = |diagnostics| files::refuse(&sources, diagnostics);
    let script = transcript::parse(&source).map_err(refused)?;
    // What leaves the flow of the game cannot be played on.
    if let Some(aside) = script.lines.iter().find(|line| matches!(line.kind, Kind::Do(_))) {
        return Err(refused(Diagnostics::of(CliError::LeavesTheFlow { span: aside.span })));
    }
    let game = || game_of(&script, path).map_err(|error| refused(Diagnostics::of(error)));
    let named = given.map_or_else(game, Ok)?;
    let table = Table {
        players: None,
        names: script.players().unwrap_or_default(),
        options: script.options(),
    };
    let game = files::load(&named.found, &table, sources)?;
    let seats = script.lines.iter().find_map(|line| seats_kept(&line.text));
    let seed = script.seed().map(Seed);
    let sources = game.sources().clone();
    let loaded = Loaded { start: Running::new(game), script, source, sources };
    Ok(Opened { loaded, named, seed, seats })
}

fn game_of(script: &Script, path: &Path) -> Result<Named, CliError> {
    let words = script.game().expect("a script that was read names its game");
    let folder = path.parent().unwrap_or(Path::new(""));
    let found = files::find(&words.text, folder).map_err(|error| error.named_at(words.span))?;
    let path = found.path.as_ref().map(|path| path.display().to_string());
    Ok(Named { word: path.unwrap_or_else(|| words.text.clone()), found })
}

/// Whether a command of the table replaces what is there.
fn typed(word: &str, file: &str, anyhow: bool) -> Anyhow {
    if anyhow { Anyhow::Yes } else { Anyhow::No(format!("`:{word}! {file}` replaces it")) }
}

fn taken_apart(failure: Failure) -> (Sources, Diagnostics) {
    match failure {
        Failure::Findings { sources, diagnostics, .. } => (sources, diagnostics),
        Failure::Stream(error) => {
            let error = files::unreadable(Path::new("the file"), &error);
            (Sources::default(), Diagnostics::of(error))
        }
    }
}

/// The newest unfinished game, of one game or of any.
pub(super) fn newest_unfinished(named: Option<&Named>) -> Result<PathBuf, CliError> {
    let kept = state::kept(named.map(|named| named.word.as_str()));
    let of_this_game = |path: &&PathBuf| {
        let line = |named: &Named| format!("game {}", named.anywhere());
        let first = files::bytes(path).unwrap_or_default();
        let first = String::from_utf8_lossy(&first);
        named.is_none_or(|named| first.lines().next() == Some(line(named).as_str()))
    };
    kept.iter()
        .find(of_this_game)
        .cloned()
        .ok_or_else(|| CliError::NothingUnfinished { game: named.map(|named| named.word.clone()) })
}

pub(super) fn named(word: &str) -> Result<Named, CliError> {
    let found: Found = files::find(word, Path::new(""))?;
    Ok(Named { word: word.to_owned(), found })
}
