//! A text as a script, run on the games of the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use astragal::machinery::game::Game;
use astragal::machinery::load::OpenedFile;
use astragal::machinery::pipeline::{GameOptions, Ruleset, check_without_compiling, load};
use astragal::machinery::session::{Running, run};
use astragal::machinery::source::{Source, Sources};
use astragal::machinery::transcript::{Script, parse};

/// Checks the games that scripts can name.
pub fn prepare() {
    games();
}

/// Runs a script; if nothing is wrong with it, its transcript runs again to the same transcript.
pub fn run_twice(text: &str) {
    let Some((script, source)) = read(text) else { return };
    let Some(game) = game_of(&script) else { return };
    let ran = run(&script, &source, Running::new(game.clone()));
    if !ran.diagnostics.is_empty() {
        return;
    }
    let (script, source) = read(&ran.transcript).expect("a transcript is a script");
    let again = run(&script, &source, Running::new(game));
    let found: Vec<String> =
        again.diagnostics.sorted().iter().map(|finding| finding.to_string()).collect();
    assert!(found.is_empty(), "the transcript does not run: {found:?}\n{}", ran.transcript);
    assert_eq!(again.transcript, ran.transcript, "the transcript runs to another one");
}

/// A text as a script, if it is one.
pub fn read(text: &str) -> Option<(Script, Source)> {
    let source = Source::new("it.script", text);
    let script = parse(&source).ok()?;
    Some((script, source))
}

/// The game that a script names, by the last word of the path; `nim` for what there is not.
pub fn game_of(script: &Script) -> Option<Game> {
    let words = &script.game()?.text;
    let name = words.rsplit(['/', '\\']).next().unwrap_or(words).trim_end_matches(".game");
    let games = games();
    let ruleset = games.get(name).or_else(|| games.get("nim"))?;
    let names = script.players().unwrap_or_default();
    let players = (!names.is_empty()).then_some(names.len());
    let game = load(ruleset, &GameOptions { players, options: script.options() }).ok()?;
    Some(if names.is_empty() { game } else { game.with_names(names) })
}

/// The checked games of the repository that stand alone, by the names of their files.
fn games() -> &'static BTreeMap<String, Ruleset> {
    static GAMES: OnceLock<BTreeMap<String, Ruleset>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders = ["examples", "tests/games"].map(|folder| root.join(folder));
        folders.iter().flat_map(|folder| files(folder)).filter_map(|path| checked(&path)).collect()
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folders of the repository are there");
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn checked(path: &Path) -> Option<(String, Ruleset)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".game")?;
    let text = fs::read_to_string(path).ok()?;
    let mut sources = Sources::default();
    let rules = check_without_compiling(&mut sources, &OpenedFile::alone(name, &text)).rules?;
    Some((name.to_owned(), rules))
}
