//! Scripts: each passes, and its transcript is a script that prints itself.

use std::path::{Path, PathBuf};

use astragal::machinery::game::Game;
use astragal::machinery::pipeline::{GameOptions, Ruleset, load};
use astragal::machinery::session::{Running, ScriptRun, run};
use astragal::machinery::source::Source;
use astragal::machinery::transcript::{Script, parse};

use crate::support::{below, draw, files, game_files, name, read, root, rules, snapshots};

#[test]
fn scripts_of_the_language_pass() {
    let _guard = snapshots("scripts");
    insta::glob!("", "scripts/*.script", |path| {
        insta::assert_snapshot!("transcript", passes(path));
    });
}

#[test]
fn scripts_of_the_games_pass() {
    let mut count = 0;
    for path in files("games", "script").into_iter().chain(files("examples", "script")) {
        passes(&path);
        count += 1;
    }
    assert!(count > 0, "no game has scripts");
}

#[test]
fn every_finished_game_has_scripts() {
    for path in game_files(&["games"]) {
        let folder = path.parent().expect("a game lies in its folder").join("scripts");
        let below = folder.strip_prefix(root()).expect("games lie in the project");
        let scripts = files(&below.display().to_string(), "script");
        assert!(!scripts.is_empty(), "{} has no scripts", path.display());
    }
}

/// Runs a script and its transcript, and returns the transcript.
#[track_caller]
fn passes(path: &Path) -> String {
    let place = path.strip_prefix(root()).unwrap_or(path).display();
    let transcript = ran(path, &read(path)).transcript;
    let again = ran(path, &transcript);
    assert_eq!(again.transcript, transcript, "{place}: the transcript prints something else");
    transcript
}

#[track_caller]
fn ran(path: &Path, text: &str) -> ScriptRun {
    let source = Source::new(name(path), text);
    let script = parse(&source).unwrap_or_else(|found| {
        panic!("{} is no script:\n{}", path.display(), draw(&source, &found))
    });
    let ran = run(&script, &source, Running::new(game_of(&script, path)));
    let found = draw(&source, &ran.diagnostics);
    assert!(ran.diagnostics.is_empty(), "{} fails:\n{found}", path.display());
    ran
}

/// The game of a script: a path from the script, or the name of a bundled one.
#[track_caller]
fn game_of(script: &Script, path: &Path) -> Game {
    let words = &script.game().expect("a script names its game").text;
    let beside = path.parent().expect("a script lies in a folder").join(words);
    let bundled = || -> PathBuf {
        let (folder, file) = words.split_once('/').unwrap_or((words, words));
        let finished = root().join("games").join(folder).join(format!("{file}.game"));
        let example = root().join("examples").join(format!("{words}.game"));
        if finished.is_file() { finished } else { example }
    };
    let file = if beside.is_file() { beside } else { bundled() };
    let file = file.canonicalize().expect("a game lies where its script says");
    let name = below(&file);
    game_with(script, &name, &rules(&name, &read(&file)))
}

/// The game of a text, as a script wants it.
#[track_caller]
pub(crate) fn game_with(script: &Script, name: &str, rules: &Ruleset) -> Game {
    let names = script.players();
    let setting = GameOptions { players: names.as_ref().map(Vec::len), options: script.options() };
    let loaded = load(rules, &setting);
    let game = loaded.unwrap_or_else(|found| {
        panic!("{name} cannot be set so:\n{}", draw(&Source::new(name, ""), &found))
    });
    match names {
        Some(names) => game.with_names(names),
        None => game,
    }
}
