//! The floors of the house: a module uses modules on lower floors, and of those only some.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{files, read, root};

/// Each module, its floor, and the modules that it may use.
const FLOORS: &[(&str, u8, &[&str])] = &[
    ("source", 0, &[]),
    ("suggest", 0, &[]),
    ("chance", 0, &[]),
    ("components", 0, &[]),
    ("progress", 0, &[]),
    ("dump", 0, &[]),
    ("diagnostic", 1, &["source"]),
    ("gate", 1, &["source"]),
    ("error", 2, &["source", "diagnostic"]),
    ("budget", 2, &["source", "diagnostic"]),
    ("bytecode", 1, &["source"]),
    ("syntax", 3, &["source", "suggest", "dump", "budget", "diagnostic"]),
    ("load", 4, &["source", "suggest", "diagnostic", "syntax"]),
    ("rules", 4, &["source", "components", "syntax"]),
    (
        "check",
        6,
        &["source", "suggest", "components", "budget", "diagnostic", "syntax", "rules", "eval"],
    ),
    ("eval", 5, &["source", "bytecode", "syntax", "rules"]),
    // The meaning of the rules shares no code with what compiles and runs them.
    ("reference", 5, &["source", "syntax", "rules"]),
    (
        "compile",
        6,
        &["source", "components", "budget", "diagnostic", "bytecode", "syntax", "rules", "eval"],
    ),
    // A program is enough to play: the machine sees no text, no tree and no rules.
    ("vm", 6, &["source", "chance", "diagnostic", "bytecode"]),
    ("native", 7, &["bytecode", "vm"]),
    (
        "game",
        7,
        &[
            "source",
            "chance",
            "diagnostic",
            "error",
            "bytecode",
            "syntax",
            "rules",
            "eval",
            "compile",
            "vm",
        ],
    ),
    (
        "lockstep",
        8,
        &["chance", "diagnostic", "bytecode", "syntax", "rules", "compile", "reference", "game"],
    ),
    ("noninterference", 8, &["source", "chance", "diagnostic", "bytecode", "vm", "game"]),
    (
        "pipeline",
        8,
        &[
            "source",
            "suggest",
            "budget",
            "diagnostic",
            "syntax",
            "load",
            "rules",
            "check",
            "compile",
            "game",
        ],
    ),
    (
        "snippet",
        8,
        &[
            "source",
            "suggest",
            "budget",
            "diagnostic",
            "bytecode",
            "syntax",
            "rules",
            "check",
            "eval",
            "compile",
            "vm",
            "game",
            "rulebook",
        ],
    ),
    ("rulebook", 7, &["source", "budget", "diagnostic", "syntax", "rules", "check", "compile"]),
    ("printed", 8, &["gate", "syntax", "rules", "rulebook", "compile", "game"]),
    (
        "editor",
        8,
        &["source", "suggest", "budget", "diagnostic", "syntax", "load", "rules", "check"],
    ),
    (
        "bots",
        9,
        &[
            "chance",
            "components",
            "progress",
            "diagnostic",
            "bytecode",
            "syntax",
            "rules",
            "compile",
            "game",
            "snippet",
            "vm",
        ],
    ),
    ("transcript", 8, &["source", "suggest", "diagnostic", "game"]),
    (
        "session",
        10,
        &[
            "source",
            "suggest",
            "bots",
            "chance",
            "components",
            "progress",
            "diagnostic",
            "game",
            "rulebook",
            "snippet",
            "transcript",
            "budget",
        ],
    ),
    (
        "messages",
        11,
        &[
            "gate",
            "printed",
            "source",
            "bots",
            "budget",
            "chance",
            "progress",
            "diagnostic",
            "editor",
            "syntax",
            "load",
            "compile",
            "game",
            "pipeline",
            "rulebook",
            "transcript",
            "session",
            "simulate",
        ],
    ),
    (
        "simulate",
        10,
        &["source", "bots", "bytecode", "chance", "progress", "rules", "snippet", "game", "vm"],
    ),
    (
        "host",
        12,
        &[
            "gate",
            "printed",
            "source",
            "suggest",
            "bots",
            "chance",
            "progress",
            "diagnostic",
            "load",
            "game",
            "pipeline",
            "rulebook",
            "transcript",
            "session",
            "simulate",
            "messages",
        ],
    ),
    (
        "commands",
        13,
        &[
            "printed",
            "source",
            "suggest",
            "bots",
            "chance",
            "progress",
            "dump",
            "budget",
            "diagnostic",
            "bytecode",
            "syntax",
            "load",
            "rules",
            "check",
            "compile",
            "native",
            "game",
            "pipeline",
            "rulebook",
            "transcript",
            "snippet",
            "session",
            "simulate",
            "lockstep",
            "noninterference",
            "host",
        ],
    ),
    (
        "serve",
        13,
        &["source", "chance", "diagnostic", "game", "transcript", "session", "messages", "host"],
    ),
    (
        "cli",
        14,
        &[
            "source",
            "chance",
            "progress",
            "diagnostic",
            "editor",
            "load",
            "game",
            "pipeline",
            "transcript",
            "snippet",
            "session",
            "host",
            "commands",
            "serve",
        ],
    ),
];

/// How many declarations of types may share their names with others. Only ever lower it.
const SHARED_NAMES: usize = 48;

#[test]
fn a_type_has_a_name_of_its_own() {
    let mut declared: BTreeMap<String, usize> = BTreeMap::new();
    for path in files("src", "rs") {
        for line in read(&path).lines() {
            // An associated type has the name that its trait gives it.
            let Some(line) = Some(line).filter(|line| !line.starts_with(' ')) else { continue };
            let mut words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
            if words.any(|word| matches!(word, "struct" | "enum" | "trait" | "type"))
                && !line.starts_with(['/', '#'])
                && let Some(name) = words.next()
            {
                *declared.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(declared.len() > 800, "types were found");
    let shared: Vec<_> = declared.into_iter().filter(|(_, count)| *count > 1).collect();
    let count: usize = shared.iter().map(|(_, count)| count).sum();
    assert!(count <= SHARED_NAMES, "{count} types share their names: {shared:?}");
}

/// A predicate changes nothing: a function named like one takes `&self`.
#[test]
fn predicates_have_no_effects() {
    let mut seen = 0;
    for path in files("src", "rs") {
        for declared in read(&path).split("fn ").skip(1) {
            let Some((name, params)) = declared.split_once('(') else { continue };
            let is_predicate =
                ["is_", "has_", "may_", "can_", "are_"].iter().any(|word| name.starts_with(word));
            seen += usize::from(is_predicate);
            let receiver = params.trim_start();
            let receiver = receiver.strip_prefix("&'a ").or(receiver.strip_prefix('&'));
            let changes = receiver.is_some_and(|it| it.starts_with("mut self"));
            assert!(!is_predicate || !changes, "{}: `{name}` takes `&mut self`", path.display());
        }
    }
    assert!(seen > 300, "only {seen} predicates were found");
}

#[test]
fn modules_use_only_what_lies_below_them() {
    for path in files("src", "rs") {
        let Some(module) = module_of(&path) else { continue };
        let Some((_, _, may_use)) = FLOORS.iter().find(|(name, ..)| *name == module) else {
            panic!("{} belongs to no floor: add `{module}` to tests/floors.rs", path.display());
        };
        let text = read(&path);
        assert!(
            !text.contains("crate::{"),
            "{}: write one path a module instead of `crate::{{`",
            path.display()
        );
        for used in uses(&text) {
            assert!(
                used == module || may_use.contains(&used),
                "{}: `{module}` must not use `{used}`",
                path.display()
            );
        }
    }
}

/// A path begins at the root of the crate: it says which folder a thing is from, and the test above sees it.
#[test]
fn paths_begin_at_the_root() {
    for path in files("src", "rs").into_iter().filter(|path| !is_test(path)) {
        let text = read(&path);
        let outside_of_tests = text.split("#[cfg(test)]").next().unwrap_or(&text);
        let upward = code(outside_of_tests).contains("super::");
        assert!(!upward, "{}: write `crate::` and the path in place of `super::`", path.display());
    }
}

#[test]
fn what_may_be_used_lies_lower() {
    let floors: BTreeMap<&str, u8> =
        FLOORS.iter().map(|(name, floor, _)| (*name, *floor)).collect();
    for (name, floor, may_use) in FLOORS {
        for used in *may_use {
            assert!(floors[used] < *floor, "`{used}` does not lie below `{name}`");
        }
    }
}

#[test]
fn every_floor_stands_in_the_plan() {
    let plan = read(&root().join("docs/architecture.md"));
    for (name, floor, _) in FLOORS {
        let line = plan.lines().find(|line| line.trim_start().starts_with(&format!("{floor}  ")));
        let line = line.unwrap_or_else(|| panic!("docs/architecture.md shows no floor {floor}"));
        let stands = line.split_whitespace().any(|word| word == *name);
        assert!(stands, "docs/architecture.md does not show `{name}` on floor {floor}");
        assert!(module_exists(name), "there is no module `{name}`");
    }
}

/// What is decided is finished before code is written, and the linker needs only the code.
#[test]
fn the_compiler_plans_before_it_writes() {
    for (part, other) in [("plan", "emit"), ("plan", "link"), ("link", "emit")] {
        for path in files(&format!("src/compile/{part}"), "rs") {
            let found = code(&read(&path)).contains(&format!("{other}::"));
            assert!(!found, "{} uses `{other}`", path.display());
        }
    }
}

#[test]
fn only_the_grammar_knows_pest() {
    absent("pest", &["syntax"]);
}

#[test]
fn only_programs_print_and_read() {
    for word in ["std::fs", "std::env", "std::time", "println!", "stdin()", "stdout()"] {
        absent(word, &["host", "commands", "serve", "cli"]);
    }
}

#[test]
fn only_the_command_line_knows_clap_and_editors() {
    absent("clap", &["commands", "cli"]);
    for word in ["clap_mangen", "rustyline", "lsp_"] {
        absent(word, &["cli"]);
    }
}

/// Unit tests aside, files are written in one place, and texts leave the program where the gate stands.
#[test]
fn what_leaves_the_program_passes_one_door() {
    let doors: [(&[&str], &[&str]); 2] = [
        (
            &["fs::write(", "File::create", "OpenOptions", "fs::rename(", "fs::copy("],
            &["host/writing.rs"],
        ),
        (
            &["stdout().lock()", "(io::stdout()", "(io::stderr()", "std::io::stderr(),"],
            &[
                "host/screen.rs",
                "host/progress.rs",
                "host/tty.rs",
                "cli/help.rs",
                "cli/lsp/stream.rs",
            ],
        ),
    ];
    for path in files("src", "rs").into_iter().filter(|path| !is_test(path)) {
        let text = code(&read(&path));
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (words, homes) in doors {
            let is_home = homes.iter().any(|home| path.ends_with(home));
            let found = words.iter().find(|word| text.contains(**word));
            assert!(is_home || found.is_none(), "{} uses `{found:?}`", path.display());
        }
    }
}

#[test]
fn only_chance_knows_a_generator() {
    absent("rand_xoshiro", &["chance"]);
}

#[test]
fn no_fraction_and_no_hash_walk_makes_a_result() {
    for path in files("src", "rs") {
        let text = code(&read(&path));
        for word in ["f32", "f64", "HashMap", "HashSet"] {
            // Probabilities are floats while `statrs` computes them, and whole numbers where they are compared.
            let is_home = word == "f64" && path.ends_with("simulate/verdict.rs");
            let found = text.split(|letter: char| !letter.is_alphanumeric()).any(|it| it == word);
            assert!(is_home || !found, "{} uses `{word}`", path.display());
        }
    }
}

/// The word stands in these modules only, unit tests aside.
#[track_caller]
fn absent(word: &str, homes: &[&str]) {
    for path in files("src", "rs") {
        let is_home = module_of(&path).is_none_or(|module| homes.contains(&module.as_str()));
        let found = !is_home && !is_test(&path) && code(&read(&path)).contains(word);
        assert!(!found, "{} uses `{word}`, which belongs to {homes:?}", path.display());
    }
}

/// Whether a file of the sources holds unit tests alone.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests")
}

/// A text without the lines that are comments.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The top module of a file; none for the roots of the crates.
fn module_of(path: &Path) -> Option<String> {
    let below = path.strip_prefix(root().join("src")).expect("the walk began in src");
    let first = below.iter().next().expect("a file has a name").to_string_lossy();
    let name = first.trim_end_matches(".rs");
    (!["lib", "main", "machinery"].contains(&name)).then(|| name.to_owned())
}

fn module_exists(name: &str) -> bool {
    let source = root().join("src");
    source.join(name).is_dir() || source.join(format!("{name}.rs")).is_file()
}

/// The modules that a text names behind `crate::`.
fn uses(text: &str) -> Vec<&str> {
    let words = text.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    words.collect()
}
