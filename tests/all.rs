//! One test program: the inputs are files, the outputs are snapshots beside them.
#![expect(clippy::disallowed_methods, reason = "tests read their inputs")]

mod action_numbers;
mod allocation;
#[cfg(all(unix, feature = "cli"))]
mod at_prompt;
mod backgammon;
mod battery;
mod books;
mod bots;
mod bytecode;
mod colours;
mod chance;
mod checked_rules;
mod checks;
mod command_list;
mod commands;
mod counting;
mod determinism;
mod diagnostics;
mod differential;
mod distributions;
mod docs;
mod editor;
mod english;
mod errors;
#[cfg(feature = "cli")]
mod csv;
mod files;
mod floors;
mod foundations;
mod games;
mod gate;
mod go;
mod hostile;
mod journal;
mod knowledge;
mod known_values;
mod library;
mod layout;
mod limits;
#[cfg(feature = "cli")]
mod messages;
mod mutated_games;
#[path = "../fuzz/src/mutants/mod.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    clippy::pedantic,
    reason = "the crate of the targets holds it, which show all of it"
)]
mod mutants;
mod mutations;
#[cfg(feature = "cli")]
mod lsp;
mod new_cards;
#[cfg(feature = "native")]
mod native;
mod noninterference;
mod numbers;
#[cfg(feature = "cli")]
mod pages;
mod passes;
mod picture;
mod recipes;
mod rolling;
mod scripts;
#[cfg(all(unix, feature = "serve"))]
mod serve;
#[cfg(all(unix, feature = "cli"))]
mod shared_screen;
mod shown;
mod simulate;
#[cfg(feature = "cli")]
mod supply;
mod support;
mod syntax;
#[cfg(all(unix, feature = "cli"))]
mod table_screens;
mod topology;
mod training;
mod transcript;
mod tuning;
mod variants;
mod watch;
mod words;

use std::collections::BTreeSet;
use std::path::Path;

use support::{files, name, read, root};

#[test]
fn every_test_file_is_listed() {
    let listed = read(&root().join("tests/all.rs"));
    for path in files("tests", "rs") {
        let below = path.strip_prefix(root().join("tests")).expect("the walk began in tests");
        let module = below.iter().next().expect("a file has a name").to_string_lossy();
        let module = module.trim_end_matches(".rs");
        let line = format!("\nmod {module};");
        assert!(
            module == "all" || listed.contains(&line),
            "{} is not listed in tests/all.rs: add `mod {module};`",
            below.display()
        );
    }
}

#[test]
fn every_snapshot_has_its_input() {
    for path in files("tests", "snap") {
        // What these show stands in docs/errors.md, or is drawn from all files of a folder.
        let listed = [
            "diagnostics/snapshots/fixes.snap",
            "games/snapshots/numbers.snap",
            "games/snapshots/shown.snap",
            "simulate/snapshots/verdicts.snap",
            "bots/snapshots/chosen.snap",
            "commands/snapshots/all__commands__rulebooks__left_out_by_notes.snap",
            "csv/snapshots/found.snap",
            "csv/snapshots/mistakes.snap",
            "mutations/snapshots/slips.snap",
        ];
        let is_listed = listed.iter().any(|it| path == root().join("tests").join(it));
        if path.starts_with(root().join("tests/errors")) || is_listed {
            continue;
        }
        let name = name(&path);
        let input = name.split_once('@').map(|(_, input)| input.trim_end_matches(".snap"));
        let folder = path.parent().and_then(Path::parent).expect("snapshots lie in their folder");
        let found = input.is_some_and(|input| folder.join(input).is_file());
        assert!(found, "{} belongs to no input: remove it", path.display());
    }
}

#[test]
fn every_input_is_read_by_a_test() {
    let known: BTreeSet<&str> = [
        "books game",
        "bots game",
        "bytecode game",
        "commands game",
        "commands session",
        "diagnostics/check game",
        "diagnostics/play game",
        "diagnostics/script script",
        "diagnostics/session session",
        "diagnostics/setting game",
        "diagnostics/syntax game",
        "diagnostics/variant game",
        "diagnostics/variant/base game",
        "differential/stops game",
        "games game",
        "layout game",
        "lsp game",
        "noninterference/leaks game",
        "scripts script",
        "scripts/ferry game",
        "scripts/variants game",
        "serve/two_worlds script",
        "simulate game",
        "simulate script",
        "simulate/starters game",
        "simulate/verdicts game",
        "noninterference/heard game",
        "noninterference/heard script",
        "solve game",
        "syntax game",
        "table_screens game",
        "table_screens script",
    ]
    .into();
    for extension in ["game", "script", "session"] {
        for path in files("tests", extension) {
            let folder = path.strip_prefix(root().join("tests")).expect("the walk began in tests");
            let folder = folder.parent().expect("a file has a folder").display();
            let kind = format!("{folder} {extension}").replace('\\', "/");
            assert!(known.contains(kind.as_str()), "no test reads {}", path.display());
        }
    }
}
