//! One script: its game is found and loaded, its steps are made, its transcript is written. Each game is
//! checked once, each setting of it compiled once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::commands::args::RunArgs;
use crate::diagnostic::{Diagnostic, Diagnostics, hidden_signs_in};
use crate::game::{Game, Player};
use crate::host::disk::{self, MOST_BYTES};
use crate::host::game_files::{FoundText, find_here};
use crate::host::{error::HostError, exit::Failure, files, progress, writing};
use crate::load::changed_data;
use crate::pipeline::{self, GameOptions, Ruleset, SettingMisfit};
use crate::session::{Edit, Running, ScriptRun as Ran, edited, run as run_script, run_as};
use crate::simulate::Points;
use crate::source::{Source, Sources, Span};
use crate::transcript::{self, LineKind, Script};

#[derive(Default)]
pub(super) struct PlayedScript {
    /// The transcript, as far as it went.
    pub(super) transcript: String,
    pub(super) sources: Sources,
    pub(super) found: Diagnostics,
    /// What was written, or why nothing was.
    pub(super) notes: Vec<String>,
    /// How many milliseconds it took, loading included.
    pub(super) time: u64,
    /// What the script needs to expect what happened, if it runs to its end in all cases.
    pub(super) edits: Vec<Edit>,
    pub(super) is_whole: bool,
    /// The script as it was read.
    pub(super) text: String,
    /// Why a variant cannot play it.
    pub(super) cannot: Option<String>,
    /// The rules of a variant that were carried out where it failed.
    pub(super) changed: BTreeSet<String>,
    /// The files that it was read from, with their texts.
    pub(super) files: Vec<(PathBuf, String)>,
}

impl PlayedScript {
    pub(super) fn passed(&self) -> bool {
        !self.found.has_errors() && self.cannot.is_none()
    }
}

type CheckedGame = Result<Ruleset, (Sources, Diagnostics)>;

/// The games of all scripts, by their whole paths, or the names of those inside of the program.
#[derive(Default)]
pub(super) struct GameCache {
    checked: Mutex<BTreeMap<PathBuf, Arc<OnceLock<CheckedGame>>>>,
    compiled: Mutex<BTreeMap<(PathBuf, GameOptions), Game>>,
}

/// Locks, also after a panic: entries are only added, so they are whole.
fn lock_unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn play_script(
    command: &RunArgs,
    path: &Path,
    games: &GameCache,
) -> Result<PlayedScript, Failure> {
    let start = progress::milliseconds();
    let mut files: Vec<PathBuf> = Vec::new();
    if !disk::is_input(path) {
        files.push(path.to_owned());
    }
    let mut played = match attempt(command, path, games, &mut files) {
        Err(Failure::Findings { sources, diagnostics, .. }) => {
            PlayedScript { sources, found: diagnostics, ..PlayedScript::default() }
        }
        other => other?,
    };
    let read = played.sources.iter();
    let read = read.map(|source| (PathBuf::from(&source.name), source.text.clone()));
    played.files = read.filter(|(path, _)| path.is_file()).collect();
    // What could not be read may be there later.
    files.retain(|path| played.files.iter().all(|(known, _)| known != path));
    played.files.extend(files.into_iter().map(|path| (path, String::new())));
    played.time = progress::milliseconds() - start;
    Ok(played)
}

fn attempt(
    command: &RunArgs,
    path: &Path,
    games: &GameCache,
    files: &mut Vec<PathBuf>,
) -> Result<PlayedScript, Failure> {
    let is_input = disk::is_input(path);
    let text = if is_input { disk::read_input()? } else { files::read_script(path)? };
    let folder = path.parent().filter(|_| !is_input).unwrap_or(Path::new(""));
    let mut alone = Sources::default();
    let source = alone.add(disk::display_path(path), text).clone();
    let script = files::script(&source, &mut alone, folder);
    let mut script = script.map_err(|found| files::refuse_findings(&alone, found))?;
    script.other_seed = command.seed.or(command.game.as_ref().map(|_| 1));
    let found = match &command.game {
        Some(game) => find_here(game)?,
        None => files::game_of(&script, folder)
            .map_err(|found| files::refuse_findings(&alone, found))?,
    };
    files.extend(found.path.clone());
    let tagged =
        |(_, case): &(String, Script)| command.tag.as_ref().is_none_or(|it| case.has_tag(it));
    let cases: Vec<(String, Script)> = script.cases().into_iter().filter(tagged).collect();
    let (mut played, mut failed) =
        (PlayedScript { is_whole: true, ..PlayedScript::default() }, Vec::new());
    let table =
        ScriptSetup { command, source: &source, alone: &alone, folder, games, found: &found };
    for (name, case) in &cases {
        if table.play_case(case, &mut played)? {
            failed.push(name.as_str());
        }
    }
    if !failed.is_empty() && cases.len() > 1 {
        let (count, all, names) = (failed.len(), cases.len(), failed.join("; "));
        played.notes.push(format!("{}: {count} of {all} cases failed: {names}", source.name));
    }
    played.found.extend(hidden_signs_in(&source));
    if command.bless {
        bless(path, &source, &mut played)?;
    }
    played.text = source.text;
    Ok(played)
}

/// What the cases of a script are played with.
struct ScriptSetup<'a> {
    command: &'a RunArgs,
    source: &'a Source,
    /// The script, and the files that it includes.
    alone: &'a Sources,
    folder: &'a Path,
    games: &'a GameCache,
    found: &'a FoundText,
}

impl ScriptSetup<'_> {
    /// Plays a case and adds what came of it; returns whether it failed.
    fn play_case(&self, case: &Script, played: &mut PlayedScript) -> Result<bool, Failure> {
        let is_variant = self.command.game.is_some();
        let (game, sources) = match self.load_variant(case, played) {
            // A variant may be for other players, and its options may be others.
            Err(Failure::Findings { diagnostics, .. })
                if is_variant && is_of_setting(&diagnostics) =>
            {
                played.cannot = Some(diagnostics.sorted().swap_remove(0).to_string());
                return Ok(false);
            }
            loaded => loaded?,
        };
        if played.cannot.is_some() {
            return Ok(false);
        }
        let begun = progress::milliseconds();
        let ran = run_case(self.command, case, self.source, game)?;
        let mut left = ran.verdict(case);
        if is_variant && left.has_errors() {
            match misfit_of(&left) {
                Some(why) => {
                    played.cannot = Some(why);
                    left = Diagnostics::new();
                }
                None => played.changed.extend(changed(&ran, &self.found.name)),
            }
        }
        let time = progress::milliseconds() - begun;
        if let Some((limit, span)) = case.limit().filter(|(limit, _)| time > *limit) {
            let seconds = format!("{}.{:03}", time / 1000, time % 1000);
            left.push(HostError::TooSlow { seconds, limit: limit / 1000, span });
        }
        let has_failed = left.has_errors();
        // What is known to fail is not to be made right.
        let is_known = case.known().is_some();
        played.is_whole &= ran.blessed.is_some() || is_known;
        if !is_known {
            let new = ran.edits.into_iter().filter(|edit| !played.edits.contains(edit));
            let new: Vec<Edit> = new.collect();
            played.edits.extend(new);
        }
        let blessed = ran.blessed.filter(|_| self.command.bless && !is_known);
        let known: Vec<_> = played.found.clone().into_iter().collect();
        let left = blessed.unwrap_or(left).into_iter();
        // What goes wrong in the opening does so in each case.
        left.filter(|it| !known.contains(it)).for_each(|it| played.found.push(it));
        if !played.transcript.is_empty() && !played.transcript.ends_with("\n\n") {
            played.transcript.push('\n');
        }
        played.transcript.push_str(&ran.transcript);
        played.sources = sources;
        Ok(has_failed)
    }

    /// The game of a script under the setting that the script asks for, and all texts. A variant takes the
    /// options that it has.
    fn load_variant(
        &self,
        script: &Script,
        played: &mut PlayedScript,
    ) -> Result<(Game, Sources), Failure> {
        let ScriptSetup { command, alone, folder, games, found, .. } = *self;
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let key = found.path.as_ref().map_or_else(|| PathBuf::from(&found.name), whole);
        let checked = Arc::clone(lock_unpoisoned(&games.checked).entry(key.clone()).or_default());
        // Other threads that need the same game wait for the first.
        let rules = checked.get_or_init(|| {
            // The script comes first.
            let mut sources = Sources::with_room(MOST_BYTES);
            let checked = pipeline::check_without_compiling(&mut sources, &found.as_opened());
            checked.rules.ok_or((sources, checked.diagnostics))
        });
        let rules = rules
            .as_ref()
            .map_err(|(sources, found)| files::refuse_findings(sources, found.clone()))?;
        let mut sources = Sources::clone(&rules.sources);
        sources.add_first(alone.clone());
        let names = script.players().unwrap_or_default();
        let players = files::count_players(None, &names)?;
        let mut options = script.options();
        if command.game.is_some() {
            let own = files::game_of(script, folder).ok();
            let is_base =
                |own: &FoundText| rules.sources.iter().any(|source| source.text == own.text);
            if let Some(own) = own.filter(|own| !is_base(own)) {
                played.cannot =
                    Some(format!("it plays `{}`, on which this is no variant", own.word));
            }
            let is_known = |name: &str| rules.rules.options.iter().any(|it| it.name == name);
            let lacks = options.iter().filter(|(name, _)| !is_known(name));
            let notes = &mut played.notes;
            let lacks = lacks.map(|(name, _)| format!("the variant has no option `{name}`"));
            let lacks: Vec<String> = lacks.filter(|it| !notes.contains(it)).collect();
            notes.extend(lacks);
            options.retain(|(name, _)| is_known(name));
        }
        let key = (key, GameOptions { players, options });
        let known = lock_unpoisoned(&games.compiled).get(&key).cloned();
        let game = match known {
            Some(game) => game,
            None => {
                let game =
                    pipeline::load_for(rules, &key.1, &|misfit| locate_misfit(&misfit, script));
                let game =
                    game.map_err(|diagnostics| files::refuse_findings(&sources, diagnostics))?;
                lock_unpoisoned(&games.compiled).insert(key, game.clone());
                game
            }
        };
        let game = game.with_sources(sources.clone());
        Ok((if names.is_empty() { game } else { game.with_names(names) }, sources))
    }
}

fn run_case(command: &RunArgs, case: &Script, source: &Source, game: Game) -> Result<Ran, Failure> {
    let Some(name) = &command.seen_by else {
        return Ok(run_script(case, source, Running::new(game)));
    };
    let names = transcript::list_words(game.names());
    let seat = (0..).zip(game.names()).find(|(_, known)| **known == transcript::fold_case(name));
    let unknown = || HostError::NoPlayer { name: name.clone(), names };
    let player = seat.map(|(seat, _)| Player(seat)).ok_or_else(unknown)?;
    Ok(run_as(case, source, Running::new(game), player))
}

/// True if a finding is about the setting of the script.
fn is_of_setting(found: &Diagnostics) -> bool {
    found.sorted().iter().all(|it| it.code.is_some_and(|code| code.starts_with("setting::")))
}

/// Why a script does not fit a variant at all, where it speaks of what the variant does not have.
fn misfit_of(found: &Diagnostics) -> Option<String> {
    let first = found.sorted().into_iter().find(Diagnostic::is_error)?;
    let code = first.code.unwrap_or_default();
    let lacks = code.starts_with("check::")
        || matches!(
            code,
            "script::unknown_outcome" | "script::unknown_player" | "script::unknown_move"
        );
    lacks.then(|| first.to_string())
}

/// The rules of the variant that the step carried out that went wrong first, and its data.
fn changed(ran: &Ran, variant: &str) -> BTreeSet<String> {
    let Some((game, marks)) = &ran.wrong else { return BTreeSet::new() };
    let is_own = |span| game.sources().find(span).is_some_and(|source| source.name == variant);
    let points = Points::of_game(game);
    let passed = points.passed(marks, &[]);
    let passed = points.points.into_iter().zip(passed).filter(|(_, passed)| *passed);
    let passed = passed.filter(|(point, _)| is_own(point.span)).map(|(point, _)| point.what);
    let own = game.sources().iter().filter(|source| source.name == variant);
    passed.chain(own.flat_map(changed_data)).collect()
}

/// Where a script asks for what the game does not have.
fn locate_misfit(misfit: &SettingMisfit, script: &Script) -> Option<Span> {
    script.lines.iter().find_map(|line| match (misfit, &line.kind) {
        (SettingMisfit::Players, LineKind::Players(_)) => Some(line.span),
        (SettingMisfit::Option(name), LineKind::Option { name: written, .. })
            if *name == written.text =>
        {
            Some(written.span)
        }
        (SettingMisfit::Value(name), LineKind::Option { name: written, value })
            if *name == written.text =>
        {
            Some(value.span)
        }
        _ => None,
    })
}

/// Writes what happened into the script where it expects something else, and notes what was written, or
/// why nothing was.
fn bless(path: &Path, source: &Source, played: &mut PlayedScript) -> Result<(), HostError> {
    let name = &source.name;
    let text = edited(&source.text, &played.edits);
    if played.is_whole && !disk::is_input(path) && text != source.text {
        writing::edit(path, &text)?;
        played.notes.push(format!("{name}: written"));
    }
    let has_output = source.text.lines().any(|line| line.starts_with("  "));
    if played.passed() && !has_output && text == source.text {
        let hint = "nothing to write: a line `  ?` under a move asks for what it brings";
        played.notes.push(format!("{name}: {hint}"));
    }
    if played.found.has_errors() {
        let why = if played.is_whole {
            "`--bless` writes outputs and results; what is left to repair is the rules, or these lines"
        } else {
            "not written: `--bless` needs a script that runs to its end and uses all its lines"
        };
        played.notes.push(format!("{name}: {why}"));
    }
    Ok(())
}
