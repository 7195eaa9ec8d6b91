//! The files of a game in play: the journal of an unfinished game, a recording, saved games.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

use crate::diagnostic::Diagnostics;
use crate::game::{Game, State};
use crate::host::command_line::command_line;
use crate::host::files::{self, TableSetup, open_game, refuse_findings};
use crate::host::game_files::{FoundText, describe_variants, find_here};
use crate::host::journal::Journal;
use crate::host::writing::{FileForm, OutputFile, Overwrite, write_file};
use crate::host::{disk, error::HostError, exit::Failure, screen::Screen, watch::WatchedFiles};
use crate::session::{
    Change, Files, GameRecord, LoadedScript, Running, after, seats_kept, whole_lines,
};
use crate::source::Sources;
use crate::transcript::{LineKind, Script};

const MOST_KEPT: usize = 20;

/// Where unfinished games lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaveFolder {
    /// Games at a terminal.
    Games,
    /// Games that people play over a network.
    #[cfg(feature = "serve")]
    Tables,
}

impl SaveFolder {
    fn path(self) -> Option<PathBuf> {
        let name = match self {
            SaveFolder::Games => "games",
            #[cfg(feature = "serve")]
            SaveFolder::Tables => "tables",
        };
        state_folder().map(|folder| folder.join(name))
    }

    /// The command that begins and continues such games.
    pub(crate) fn command_name(self) -> &'static str {
        match self {
            SaveFolder::Games => "play",
            #[cfg(feature = "serve")]
            SaveFolder::Tables => "serve",
        }
    }

    /// The journal of a new game; the name of its file says which game, when and which process. The oldest of the games
    /// that were kept under this name are removed, if there are too many. Nothing is written yet; none where there is no
    /// folder for states.
    pub(crate) fn create_journal(self, game: &str) -> Option<Journal> {
        // Somebody may sit for days at a game that is old; its journal is locked.
        let all = list_unfinished_files(self, Some(game)).into_iter();
        let left = all.filter_map(|path| OutputFile::take_existing(&path).ok().flatten());
        for mut old in left.skip(MOST_KEPT) {
            // What cannot be removed stays; it is only old.
            let _ = fs::remove_file(links_of(old.path()));
            let _ = old.remove_file();
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let file = format!("{}.{}-{}.script", stem(game), now.as_millis(), std::process::id());
        let out = OutputFile::private(self.path()?.join(file));
        let from_start = self != SaveFolder::Games;
        Some(Journal::unfinished(out, from_start))
    }
}

/// Reads a script and loads its game: the one it names, unless another one is given.
pub(crate) fn open_script(
    path: &Path,
    given: Option<FoundText>,
) -> Result<(FoundText, LoadedScript), Failure> {
    open_text(path, files::read_script(path)?, given)
}

/// Reads the journal of a game that was broken off: a line that was not finished does not count.
pub(crate) fn open_unfinished(
    path: &Path,
    given: Option<FoundText>,
) -> Result<(FoundText, LoadedScript), Failure> {
    let text = whole_lines(&disk::read_bytes(path)?)
        .ok_or_else(|| HostError::CutOff { path: path.display().to_string() })?;
    open_text(path, text, given)
}

/// Loads the game of a script whose text is at hand.
pub(crate) fn open_text(
    path: &Path,
    text: String,
    given: Option<FoundText>,
) -> Result<(FoundText, LoadedScript), Failure> {
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text).clone();
    let folder = path.parent().unwrap_or(Path::new(""));
    let script = files::script(&source, &mut sources, folder);
    let refused = |diagnostics| files::refuse_findings(&sources, diagnostics);
    // The first case is played on.
    let (_, script) = script.map_err(refused)?.cases().swap_remove(0);
    // What leaves the flow of the game cannot be played on.
    if let Some(aside) = script.lines.iter().find(|line| matches!(line.kind, LineKind::Do(_))) {
        return Err(refused(Diagnostics::of(HostError::LeavesTheFlow { span: aside.span })));
    }
    let named = match given {
        Some(named) => named,
        None => {
            let mut found = files::game_of(&script, folder).map_err(refused)?;
            if let Some(path) = &found.path {
                found.word = path.display().to_string();
            }
            found
        }
    };
    let table = TableSetup {
        players: None,
        names: script.players().unwrap_or_default(),
        options: script.options(),
    };
    let game = files::load_game(&named, &table, sources)?;
    let sources = game.sources().clone();
    Ok((named, LoadedScript { start: Running::new(game), script, source, sources }))
}

/// The seats that a script was played with, where it says so.
pub(crate) fn seats_of(script: &Script) -> Vec<String> {
    script.lines.iter().find_map(|line| seats_kept(&line.text)).unwrap_or_default()
}

/// The files of a game, and its rules as they were read, so that they can be read again.
#[derive(Debug)]
pub(crate) struct OpenGameFiles {
    pub(crate) named: FoundText,
    unfinished: Option<Journal>,
    /// Whether the journal holds more than is played, so that what follows goes into another one.
    is_aside: bool,
    recording: Option<Journal>,
    /// Why the requested recording is not whole.
    pub(crate) broken: Option<HostError>,
    /// Why the game is not kept, until it was reported.
    lost: Option<String>,
    /// The requested options; the others have their defaults.
    options: Vec<(String, String)>,
    pub(crate) watched: WatchedFiles,
    /// Whether changed rules are played on with at once.
    is_live: bool,
}

impl OpenGameFiles {
    /// The files of a game with a journal that is new, or one that is played on.
    pub(crate) fn new(
        named: FoundText,
        journal: Option<Journal>,
        options: Vec<(String, String)>,
        watched: WatchedFiles,
        is_live: bool,
    ) -> OpenGameFiles {
        let unfinished = journal.or_else(|| SaveFolder::Games.create_journal(&named.word));
        let nowhere = "neither `XDG_STATE_HOME` nor `HOME` names a folder to keep games in";
        let lost = unfinished.is_none().then(|| nowhere.to_owned());
        let (is_aside, recording, broken) = (false, None, None);
        OpenGameFiles {
            named,
            unfinished,
            is_aside,
            recording,
            broken,
            lost,
            options,
            watched,
            is_live,
        }
    }

    pub(crate) fn record_from_start(&mut self, path: &Path, force: bool) -> Result<(), HostError> {
        let out = OutputFile::open_named(path, FORM, &Overwrite::flag(force))?;
        self.recording = Some(Journal::recording(out));
        Ok(())
    }

    pub(crate) fn has_kept(&self) -> bool {
        self.unfinished.as_ref().is_some_and(|journal| journal.path().exists())
    }

    /// Copies the journal among the unfinished games of `play`, before a shorter game replaces it, and says so.
    ///
    /// # Errors
    /// The copy cannot be written: then nothing may replace the journal.
    #[cfg(feature = "serve")]
    pub(crate) fn copy_journal(&self, screen: &mut Screen) -> Result<(), Failure> {
        let Some(journal) = self.unfinished.as_ref().filter(|_| self.has_kept()) else {
            return Ok(());
        };
        let Some(mut copy) = SaveFolder::Games.create_journal(&self.named.word) else {
            return Ok(());
        };
        copy.copy_from(journal)?;
        let command = load_command(copy.path());
        let sentence = format!("with the rules as they were, `{command}` plays the whole game");
        Ok(screen.print_note(&sentence)?)
    }

    fn begin_recording(
        &self,
        command: &str,
        file: &str,
        force: bool,
        record: &GameRecord,
    ) -> Result<Journal, HostError> {
        let how = || Overwrite::No(format!("`:{command}! {file}` replaces it"));
        let overwrite = if force { Overwrite::Yes } else { how() };
        let mut recording =
            Journal::recording(OutputFile::open_named(Path::new(file), FORM, &overwrite)?);
        recording.rewrite_file(&self.named, record)?;
        Ok(recording)
    }

    fn keep_unfinished(&mut self, record: &GameRecord, unchanged: usize) -> Option<String> {
        if self.is_aside {
            if unchanged == record.lines.len() {
                return None;
            }
            self.unfinished = SaveFolder::Games.create_journal(&self.named.word);
            self.is_aside = false;
        }
        if let Some(journal) = &mut self.unfinished {
            let error = journal.save_lines(&self.named, record, unchanged).err()?;
            if matches!(error, HostError::Full { .. }) {
                let found = "the game continues, but `--resume` continues where the file ends";
                return Some(format!("warning: {error}; {found}"));
            }
            self.unfinished = None;
            self.lost = Some(error.to_string());
        }
        let why = self.lost.take()?;
        Some(format!("warning: {why}; the game continues, but `--resume` will not find it"))
    }

    fn keep_recording(&mut self, record: &GameRecord, unchanged: usize) -> Option<String> {
        let error = self.recording.as_mut()?.save_lines(&self.named, record, unchanged).err()?;
        self.recording = None;
        let warning = format!("warning: {error}; the game continues without being recorded");
        self.broken = Some(error);
        Some(warning)
    }
}

impl Files for OpenGameFiles {
    fn keep(&mut self, record: &GameRecord, unchanged: usize) -> Option<String> {
        let unfinished = self.keep_unfinished(record, unchanged);
        let warnings = unfinished.into_iter().chain(self.keep_recording(record, unchanged));
        warnings.reduce(|first, second| format!("{first}\n{second}"))
    }

    fn save(&mut self, file: &str, force: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.begin_recording("save", file, force, record).map(drop).map_err(Diagnostics::of)
    }

    fn record(&mut self, file: &str, force: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        // The file that is written until now may be named again.
        let before = self.recording.take().filter(|before| before.path() != Path::new(file));
        let begun = self.begin_recording("record", file, force, record);
        let failed = begun.as_ref().err().cloned();
        self.recording = begun.ok().or(before);
        failed.map_or(Ok(()), |error| Err(Diagnostics::of(error)))
    }

    fn test(&mut self, file: &str, force: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        let how = || Overwrite::No(format!("`:test! {file}` replaces it"));
        let overwrite = if force { Overwrite::Yes } else { how() };
        let path = Path::new(file);
        let text = record.test(&self.named.seen_from(path.parent().unwrap_or(Path::new(""))));
        let any = FileForm { called: "an empty file", is: |_| false };
        write_file(path, &text, any, &overwrite).map_err(Diagnostics::of)
    }

    fn recorded_in(&self) -> Option<String> {
        self.recording.as_ref().map(|recording| recording.path().display().to_string())
    }

    fn load(&mut self, file: &str) -> Result<LoadedScript, (Sources, Diagnostics)> {
        let (named, loaded) = open_script(Path::new(file), None).map_err(taken_apart)?;
        if named.anywhere() != self.named.anywhere() {
            let error = HostError::OtherGame { file: file.to_owned(), game: named.word };
            return Err((Sources::default(), Diagnostics::of(error)));
        }
        Ok(loaded)
    }

    fn set_aside(&mut self) -> Option<String> {
        self.is_aside |= self.has_kept();
        let journal = self.unfinished.as_ref().filter(|_| self.is_aside)?;
        Some(load_command(journal.path()))
    }

    fn variants(&self) -> Vec<String> {
        describe_variants(&self.named)
    }

    fn change(&mut self) -> Change {
        let changed = self.watched.changed();
        match changed.first().map(|path| path.display().to_string()) {
            None => Change::No,
            Some(file) if self.is_live => Change::Wanted(file),
            Some(file) => Change::Offered(file),
        }
    }

    fn reload(&mut self, record: &GameRecord) -> Result<LoadedScript, (Sources, Diagnostics)> {
        let path = self.named.path.as_ref().map(|path| path.display().to_string());
        let word = path.unwrap_or_else(|| self.named.word.clone());
        let found = find_here(&word);
        let mut named = found.map_err(|error| (Sources::default(), Diagnostics::of(error)))?;
        named.word.clone_from(&self.named.word);
        let text = record.replayable(&word, &self.options);
        // What is seen now is no news any more, whatever it is worth.
        self.watched.changed();
        let opened = open_text(Path::new("the game so far"), text, Some(named));
        let (named, loaded) = opened.map_err(taken_apart)?;
        self.watched = WatchedFiles::from_game(&named, &loaded.sources, Some(&loaded.script));
        self.named = named;
        Ok(loaded)
    }
}

/// The command that plays a saved game on.
fn load_command(path: &Path) -> String {
    let words = ["play", "--load", &path.display().to_string()];
    command_line(words.map(str::to_owned))
}

fn taken_apart(failure: Failure) -> (Sources, Diagnostics) {
    match failure {
        Failure::Findings { sources, diagnostics, .. } => (sources, diagnostics),
        Failure::Stream(error) => {
            let error = disk::unreadable(Path::new("the file"), &error);
            (Sources::default(), Diagnostics::of(error))
        }
        Failure::Said(_) => (Sources::default(), Diagnostics::new()),
    }
}

const FORM: FileForm = FileForm { called: "a saved game", is: is_saved_game };

/// True if a script begins as a saved game does: a header, then the seats.
fn is_saved_game(text: &str) -> bool {
    let header = ["game ", "players ", "option ", "seed "];
    let mut lines = text.lines();
    let behind = lines.find(|line| !header.iter().any(|word| line.starts_with(word)));
    text.starts_with("game ") && behind.is_some_and(|line| seats_kept(line).is_some())
}

/// The folder in which the program keeps what people may want back: below `XDG_STATE_HOME`, else where
/// the system keeps such things.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_STATE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".local").join("state")));
    base.map(|base| base.join("astragal"))
}

/// The file of the lines that were typed in a game.
pub(crate) fn history_of(game: &str) -> Option<PathBuf> {
    state_folder().map(|folder| folder.join(format!("history-{}.txt", stem(game))))
}

/// The unfinished games that were kept under this name, or under any, the newest first.
fn list_unfinished_files(folder: SaveFolder, game: Option<&str>) -> Vec<PathBuf> {
    let Some(Ok(entries)) = folder.path().map(fs::read_dir) else { return Vec::new() };
    let begin = game.map_or_else(String::new, |game| format!("{}.", stem(game)));
    let files = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?;
        let fits = name.ends_with(".script") && name.starts_with(&begin);
        let changed = fs::metadata(&path).and_then(|data| data.modified());
        fits.then_some((changed.unwrap_or(SystemTime::UNIX_EPOCH), path))
    });
    let mut files: Vec<(SystemTime, PathBuf)> = files.collect();
    files.sort();
    files.into_iter().rev().map(|(_, path)| path).collect()
}

/// The file with the secret links of a journal's game.
pub(crate) fn links_of(journal: &Path) -> PathBuf {
    journal.with_extension("links")
}

/// The unfinished game with a number among those of this name, the newest first; else the newest that can be played.
pub(crate) fn unfinished(
    folder: SaveFolder,
    named: Option<&FoundText>,
    number: Option<NonZeroUsize>,
) -> Result<PathBuf, HostError> {
    let mut all = all_unfinished(folder, named.map(|named| named.word.as_str()));
    all.retain(|it| named.is_none_or(|named| it.game == named.anywhere()));
    let found = match number {
        Some(number) => all.get(number.get() - 1),
        // One that another program plays, or where nothing is decided, is none to continue where there is another.
        None => all
            .iter()
            .find(|it| it.moves > 0 && !it.is_played())
            .or_else(|| all.iter().find(|it| !it.is_played()))
            .or(all.first()),
    };
    found.map(|it| it.path.clone()).ok_or_else(|| {
        let game = named.map(|named| named.word.clone());
        match number.filter(|_| !all.is_empty()) {
            Some(number) => HostError::FewerUnfinished { number, count: all.len(), game },
            None => HostError::NothingUnfinished { game, command: folder.command_name() },
        }
    })
}

/// An unfinished game, as `play --resume` lists it.
pub(crate) struct Unfinished {
    path: PathBuf,
    /// How a command names the game.
    pub(crate) game: String,
    pub(crate) names: String,
    pub(crate) moves: u64,
    /// How many seconds ago its last move was made.
    pub(crate) age: u64,
}

impl Unfinished {
    /// Whether another program plays it.
    pub(crate) fn is_played(&self) -> bool {
        matches!(Journal::resume(&self.path), Ok(None))
    }
}

/// The unfinished games that were kept under this name, or under any, the newest first.
pub(crate) fn all_unfinished(folder: SaveFolder, word: Option<&str>) -> Vec<Unfinished> {
    let of = |path: PathBuf| {
        let text = String::from_utf8_lossy(&disk::read_bytes(&path).ok()?).into_owned();
        let game = text.lines().next()?.strip_prefix("game ")?.to_owned();
        let names = text.lines().find_map(|line| line.strip_prefix("players "));
        let names = names.unwrap_or_default().to_owned();
        let moves = text.lines().map(|line| u64::from(line.contains("> "))).sum();
        let changed = fs::metadata(&path).and_then(|data| data.modified()).ok();
        let age = changed.and_then(|changed| changed.elapsed().ok()).unwrap_or_default().as_secs();
        Some(Unfinished { path, game, names, moves, age })
    };
    list_unfinished_files(folder, word).into_iter().filter_map(of).collect()
}

/// The name of a game as a part of a file name: of a path, the file without its ending.
fn stem(game: &str) -> String {
    let word = game.strip_suffix(".game").map_or(game, |path| {
        Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
    });
    word.replace(|letter: char| !letter.is_alphanumeric(), "-")
}

/// A game and the state to begin with: that after the script of `--load`, if one is given. A script says who plays
/// and which options hold: `table` counts only without one.
pub(crate) fn open_position(
    word: Option<&str>,
    load: Option<&Path>,
    table: &TableSetup,
    screen: &mut Screen,
) -> Result<(Game, State), Failure> {
    if let Some(path) = load {
        let given = word.map(find_here).transpose()?;
        let (_, loaded) = open_script(path, given)?;
        return after(&loaded).map_err(|found| refuse_findings(&loaded.sources, found));
    }
    let word = word.expect("the command line asks for a game or a script");
    let (_, game) = open_game(word, table, screen)?;
    let start = game.initial_state();
    Ok((game, start))
}
