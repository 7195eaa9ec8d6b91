//! Variants: what they change, what they leave, and that they are games like any other.

use std::collections::BTreeMap;

use astragal::load::{MAX_FILES, assemble};
use astragal::pipeline::{Folder, GameOptions, NamedText, Opened, load};
use astragal::source::Sources;
use astragal::syntax::MAX_BYTES;

use crate::commands::astragal;
use crate::support::{below, game_files, is_variant, read, rules};

/// A folder in memory.
struct Pages(BTreeMap<String, String>);

impl Folder for Pages {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let text = self.0.get(path).ok_or("it is not there")?.clone();
        Ok(NamedText { name: path.to_owned(), text })
    }
}

fn pages(files: impl IntoIterator<Item = (String, String)>) -> Pages {
    Pages(files.into_iter().collect())
}

/// The codes of what is found when a text is put together with the files that it names.
fn codes(text: &str, folder: &Pages) -> Vec<String> {
    let opened = Opened { name: "first.game", text, folder };
    let found = assemble(&mut Sources::default(), &opened).diagnostics;
    found.sorted().iter().filter_map(|it| it.code.map(str::to_owned)).collect()
}

/// The codes of what is found when the file at `from` names another one, and `there` can be had.
fn codes_from(from: &str, named: &str, there: &str) -> Vec<String> {
    let named = format!("use \"{named}\"\n");
    let there = (there.to_owned(), "let there = 1\n".to_owned());
    codes(&format!("use \"{from}\"\n"), &pages([(from.to_owned(), named), there]))
}

#[test]
fn paths_are_seen_from_the_file_that_names_them() {
    for (from, named, there) in [
        ("a.game", "b.game", "b.game"),
        ("lib/a.game", "b.game", "lib/b.game"),
        ("lib/a.game", "../b.game", "b.game"),
        ("a.game", "./x//b.game", "x/b.game"),
        ("a.game", "x/../b.game", "b.game"),
    ] {
        assert!(codes_from(from, named, there).is_empty(), "{named:?} in {from}");
    }
}

#[test]
fn no_path_leads_out_of_the_folder() {
    for path in ["../b.game", "/b.game", "C:\\\\b.game", "x/../../b.game", "b.txt", ""] {
        assert_eq!(codes_from("a.game", path, path), ["files::path"], "{path:?}");
    }
    assert_eq!(codes_from("a.game", "\0.game", "\0.game"), ["syntax::stray_character"]);
    assert_eq!(codes_from("lib/a.game", "../../b.game", "b.game"), ["files::path"]);
}

#[test]
fn too_many_files_are_refused() {
    let name = |number: usize| format!("{number}.game");
    let chain = |length: usize| {
        let uses = |number: usize| format!("use \"{}\"\n", name(number + 1));
        let last = (name(length), "let last = 1\n".to_owned());
        pages((1..length).map(|number| (name(number), uses(number))).chain([last]))
    };
    assert!(codes("use \"1.game\"\n", &chain(MAX_FILES - 1)).is_empty());
    assert_eq!(codes("use \"1.game\"\n", &chain(MAX_FILES)), ["files::too_many"]);
}

#[test]
fn too_long_files_are_refused() {
    let long = format!("# {}\nlet long = 1\n", "x".repeat(MAX_BYTES / 2));
    let folder = pages([("a.game".to_owned(), long.clone()), ("b.game".to_owned(), long)]);
    assert!(codes("use \"a.game\"\n", &folder).is_empty());
    assert_eq!(codes("use \"a.game\"\nuse \"b.game\"\n", &folder), ["files::too_long"]);
}

#[test]
fn a_file_is_used_once() {
    let folder = pages([
        ("a.game".to_owned(), "use \"c.game\"\n".to_owned()),
        ("b.game".to_owned(), "use \"c.game\"\n".to_owned()),
        ("c.game".to_owned(), "let once = 1\n".to_owned()),
    ]);
    let text = "use \"a.game\"\nuse \"b.game\"\nuse \"./c.game\"\n";
    let opened = Opened { name: "first.game", text, folder: &folder };
    let assembled = assemble(&mut Sources::default(), &opened);
    assert!(assembled.diagnostics.is_empty());
    assert_eq!(assembled.ast.items.len(), 1);
}

#[test]
fn variants_are_bundled_beside_their_bases() {
    let variants: Vec<_> =
        game_files(&["games"]).into_iter().filter(|path| is_variant(path)).collect();
    let listed = astragal(&["games"], "").output;
    for path in &variants {
        let place = below(path);
        let name = place.trim_start_matches("games/").trim_end_matches(".game");
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name} is not listed");
        assert_eq!(counts(name, &[]), counts(&place, &[]), "{name} differs inside the program");
    }
    let folders: BTreeMap<_, usize> = variants.iter().fold(BTreeMap::new(), |mut count, path| {
        *count.entry(path.parent()).or_default() += 1;
        count
    });
    assert_eq!(folders.len(), 5, "a game has no variants");
    assert!(folders.values().all(|count| *count >= 2), "a game has one variant only");
}

/// What some random games of a game come to.
#[track_caller]
fn counts(game: &str, option: &[&str]) -> String {
    let mut words = vec!["simulate", game, "-n", "20", "--seed", "3", "--format", "json"];
    words.extend_from_slice(option);
    let played = astragal(&words, "");
    assert_eq!(played.exit, Some(0), "{game}: {}", played.errors);
    let wins = played.output.split("\"wins\":").nth(1).expect("the counts have wins");
    wins.split(",\"measures\"").next().unwrap_or_default().to_owned()
}

/// A new default is all that a variant of one option changes: with the option set by hand the base
/// plays the same games.
#[test]
fn a_variant_of_an_option_is_the_base_with_that_option() {
    let alike = [
        ("tice/hard-mode", "tice", "hard_mode=yes"),
        ("tice/wind-cap", "tice", "wind_cap=yes"),
        ("elemento/tactical", "elemento", "tactical_variant=yes"),
        ("elemental-clash/defensive-gale", "elemental-clash", "gale_on_defense=yes"),
    ];
    for (variant, base, option) in alike {
        let base_plays = counts(base, &["--option", option]);
        assert_eq!(counts(variant, &[]), base_plays, "{variant} and {base} with {option}");
        let (name, value) = option.split_once('=').expect("an option has a value");
        assert_eq!(value, "yes");
        let back = format!("{name}=no");
        assert_eq!(counts(variant, &["--option", &back]), counts(base, &[]), "{variant}, {back}");
    }
}

#[test]
fn every_variant_can_be_set_as_its_base_can() {
    for path in game_files(&["games"]).iter().filter(|path| is_variant(path)) {
        let rules = rules(&below(path), &read(path));
        let (fewest, most) = rules.rules.players;
        for players in fewest..=most {
            let setting = GameOptions { players: Some(players), options: Vec::new() };
            assert!(load(&rules, &setting).is_ok(), "{} for {players}", path.display());
        }
    }
}
