//! What the program is made of: licences, packages that must not be there, packages twice. The lists
//! are those of deny.toml, read by their form, so that `cargo deny` says the same where it is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::support::{files, read, root};

/// Where all packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The packages of this project.
const OWN: [&str; 2] = [env!("CARGO_PKG_NAME"), "astragal-native"];

/// Packages for terminals, files and drawing, which the library alone does not need.
const FOR_THE_PROGRAM: [&str; 14] = [
    "anstream",
    "anstyle",
    "clap",
    "clap_mangen",
    "ctrlc",
    "lsp-server",
    "lsp-types",
    "miette",
    "rustyline",
    "serde_json",
    "supports-color",
    "tempfile",
    "terminal_size",
    "textwrap",
];

/// What cargo prints.
fn cargo(words: &[&str]) -> String {
    let ran = Command::new(env!("CARGO")).args(words).arg("--locked").current_dir(root()).output();
    let ran = ran.expect("cargo runs the tests, so it can be run");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("cargo prints text")
}

/// All packages that any feature and any test needs.
fn packages() -> Vec<Value> {
    let printed = cargo(&["metadata", "--format-version", "1", "--all-features"]);
    let metadata: Value = serde_json::from_str(&printed).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("there are packages").clone()
}

fn word<'v>(package: &'v Value, field: &str) -> &'v str {
    package[field].as_str().unwrap_or_default()
}

/// The words in quotes of a list in deny.toml that stand behind a key.
fn listed(section: &str, key: &str) -> BTreeSet<String> {
    let text = read(&root().join("deny.toml"));
    let (_, section) = text.split_once(&format!("\n[{section}]\n")).expect("the section is there");
    let section = section.split("\n[").next().unwrap_or_default();
    let (_, list) = section.split_once(&format!("\n{key} = [\n")).expect("the list is there");
    let lines = list.lines().take_while(|line| *line != "]");
    let words = lines.filter(|line| !line.trim_start().starts_with('#'));
    words.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())).collect()
}

#[test]
fn every_licence_is_allowed() {
    let allowed = listed("licenses", "allow");
    for package in packages() {
        let licence = word(&package, "license").replace(['(', ')'], "").replace('/', " OR ");
        let fine = licence
            .split(" AND ")
            .all(|all| all.split(" OR ").any(|one| allowed.contains(one.trim())));
        assert!(fine, "{} has the licence `{licence}`", word(&package, "name"));
    }
}

#[test]
fn nothing_is_banned_and_nothing_comes_from_elsewhere() {
    let banned = listed("bans", "deny");
    assert!(banned.contains("openssl-sys"));
    for package in packages() {
        let (name, source) = (word(&package, "name"), package["source"].as_str());
        assert!(!banned.contains(name), "{name} is banned");
        let own = OWN.contains(&name);
        assert_eq!(source, (!own).then_some(REGISTRY), "{name} comes from elsewhere");
    }
}

#[test]
fn what_is_there_twice_is_known() {
    let mut versions: BTreeMap<String, usize> = BTreeMap::new();
    for package in packages() {
        *versions.entry(word(&package, "name").to_owned()).or_default() += 1;
    }
    let twice = versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name);
    assert_eq!(twice.collect::<BTreeSet<String>>(), listed("bans", "skip"));
}

/// The packages that some features need.
fn needed(features: &[&str]) -> BTreeSet<String> {
    let words = [&["tree", "--edges", "normal", "--prefix", "none"], features].concat();
    let printed = cargo(&words);
    let names = printed.lines().filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_library_alone_needs_no_terminal() {
    let names = needed(&["--no-default-features"]);
    assert!(names.contains("pest"), "{names:?}");
    for name in FOR_THE_PROGRAM {
        assert!(!names.contains(name), "the library needs `{name}`");
    }
}

#[test]
fn what_others_embed_needs_no_line_editor() {
    let [host, commands] = ["host,serve", "commands"]
        .map(|features| needed(&["--no-default-features", "--features", features]));
    for name in ["clap_complete", "clap_mangen", "lsp-server", "lsp-types", "rustyline"] {
        assert!(!host.contains(name) && !commands.contains(name), "{name}");
    }
    assert!(commands.contains("clap") && !host.contains("clap"));
}

#[test]
fn the_usual_program_needs_no_network() {
    let [usual, server] = [needed(&[]), needed(&["--features", "serve"])];
    for name in ["axum", "hyper", "mio", "socket2", "tokio", "tungstenite"] {
        assert!(server.contains(name) && !usual.contains(name), "{name}");
    }
}

/// What is checked is what was locked, and what others found wrong in packages is asked for.
#[test]
fn the_battery_builds_what_is_locked_and_asks_for_advisories() {
    let battery = root().join(".ci/run");
    let takes = ["test", "clippy", "doc", "deny", "package", "check", "build"];
    let calls = |line: &str| {
        let word = |word: &&str| line.contains(&format!("cargo {word} "));
        let is_call = !["--version", "echo", "#"].iter().any(|sign| line.contains(sign));
        is_call && takes.iter().any(word)
    };
    let text = read(&battery);
    let open: Vec<&str> =
        text.lines().filter(|line| calls(line) && !line.contains("--locked")).collect();
    assert!(open.is_empty(), "not locked: {open:#?}");
    assert!(text.contains("check --disable-fetch advisories"), "advisories are asked for");
    assert!(read(&root().join("deny.toml")).contains("\n[advisories]\n"));
}

/// Unsafe code is in one file of one package, which the program has only with a feature, and each use says
/// why it is sound.
#[test]
fn unsafe_code_is_in_one_place() {
    let manifest = read(&root().join("Cargo.toml"));
    assert!(manifest.contains("\nunsafe_code = \"forbid\"\n"));
    assert!(
        manifest.contains("\ndefault = [\"cli\", \"machinery\"]\n"),
        "machine code is no default"
    );
    let manifest = read(&root().join("native/Cargo.toml"));
    assert!(manifest.contains("\nunsafe_code = \"deny\"\n"));
    assert!(manifest.contains("\nundocumented_unsafe_blocks = \"deny\"\n"));
    for path in files("native/src", "rs") {
        let text = read(&path);
        assert!(path.ends_with("lib.rs") || !text.contains("unsafe"), "{}", path.display());
    }
}
