//! Variants: what they change, what they leave, and that they are games like any other.

use std::collections::BTreeMap;

use astragal::machinery::game::{LegalMoves, Step};
use astragal::machinery::load::{MAX_FILES, assemble};
use astragal::machinery::pipeline::{Folder, GameOptions, NamedText, OpenedFile, check, load};
use astragal::machinery::source::Sources;
use astragal::machinery::syntax::MAX_BYTES;

use crate::commands::{astragal, astragal_in};
use crate::support::{below, empty_folder, game_files, is_variant, read, rules};

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
    let opened = OpenedFile { name: "first.game", text, folder };
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
    let opened = OpenedFile { name: "first.game", text, folder: &folder };
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
        for players in rules.rules.player_counts() {
            let setting = GameOptions { players: Some(players), options: Vec::new() };
            assert!(load(&rules, &setting).is_ok(), "{} for {players}", path.display());
        }
    }
}

/// A base, and variants over it, each above the one before.
fn tower(base: &str, variants: &[&str]) -> (String, Pages) {
    let name = |number: usize| format!("{number}.game");
    let mut files = vec![(name(0), format!("game \"Base\" {{ players 2 }}\n{base}\n"))];
    for (at, text) in variants.iter().enumerate() {
        files.push((name(at + 1), format!("variant \"V\" of \"{}\"\n{text}\n", name(at))));
    }
    let (_, top) = files.pop().expect("there is a base");
    (top, pages(files))
}

/// The error that a tower of variants has, or the score of its first player.
fn score(base: &str, variants: &[&str]) -> Result<String, String> {
    let (text, folder) = tower(base, variants);
    let opened = OpenedFile { name: "top.game", text: &text, folder: &folder };
    let checked = check(&mut Sources::default(), &opened);
    let found = checked.diagnostics.sorted();
    if let Some(error) = found.iter().find(|it| it.is_error()) {
        return Err(error.to_string());
    }
    let rules = checked.rules.expect("nothing is wrong");
    let setting = GameOptions { players: Some(2), options: Vec::new() };
    let game = load(&rules, &setting).expect("it compiles");
    let mut state = game.initial_state();
    let step = game.advance(&mut state, &mut LegalMoves::new());
    assert!(matches!(step, Ok(Step::End)), "{step:?}");
    let ended = game.final_outcome(&state).expect("it has ended");
    Ok(ended.scores.expect("it is a ranking")[0].to_string())
}

const COUNTS: &str = "the table has { n: 0..99 = 1 }\n\
    rule more(by: number) { n += by }\n\
    rule twice(k: number) -> number = 2 * k\n\
    play { more(2); finish ranking p by if p == Player.first then twice(n) else 0 }";

#[test]
fn a_replaced_rule_calls_the_one_that_it_replaces() {
    let plus = "replace rule twice(k: number) -> number = base(k) + 1";
    for (variants, expected) in [
        (vec![], "6"),
        (vec![plus], "7"),
        (vec![plus, "replace rule twice(k: number) -> number = base(k + 1)"], "9"),
        (vec![plus, plus, plus], "9"),
        // What replaces nothing in between leaves the chain as it is.
        (vec![plus, "let unused = 1", plus], "8"),
        (vec!["replace rule more(by: number) { base(by); base(by) }"], "10"),
        (
            vec![
                "replace rule more(by: number) {\n  if by > 1 { base(by + 5) } else { base(0) }\n}",
            ],
            "16",
        ),
        // The base calls the rules that take the place of its own.
        (vec!["replace rule more(by: number) { base(twice(by)) }", plus], "13"),
        (vec!["rule base(k: number) = 40 + k", plus], "44"),
    ] {
        assert_eq!(score(COUNTS, &variants).as_deref(), Ok(expected), "{variants:?}");
    }
}

#[test]
fn base_is_called_where_a_rule_is_replaced() {
    for (variant, wrong) in [
        ("rule other(k: number) -> number = base(k)", "no rule that `base` could call"),
        ("measure m = base(1)", "no rule that `base` could call"),
        ("replace play { finish ranking p by base(1) }", "no rule that `base` could call"),
        ("replace rule twice(k: number) -> number = base(k, k)", "`base` takes 1 argument"),
        ("replace rule twice(k: number) -> number = base(yes)", "expected a number"),
        ("replace rule gone(k: number) -> number = base(k)", "no `rule gone` to replace"),
    ] {
        let error = score(COUNTS, &[variant]).expect_err(variant);
        assert!(error.contains(wrong), "{variant}: {error}");
    }
}

#[test]
fn names_of_a_variant_are_free_in_its_base() {
    let base = "the table has { n: 0..99 = 1 }\n\
        rule more(by: number) { let step = by; for k in {1} { n += step * k } }\n\
        play { more(2); finish ranking p by if p == Player.first then n else 0 }";
    let added = "option by = 5\nlet step = 7\ntable k[1..2] = 3 4";
    assert_eq!(score(base, &[added]).as_deref(), Ok("3"));
    let uses = "replace rule more(many: number) { base(many + by + step + k[2]) }";
    assert_eq!(score(base, &[added, uses]).as_deref(), Ok("19"));
    // In one file each name means one thing.
    for own in ["option by = 5\nrule own(by: number) = by", "rule own() { let n = 2 }"] {
        let error = score(base, &[own]).expect_err(own);
        assert!(error.contains("already names"), "{error}");
    }
}

#[test]
fn names_of_an_extension_mean_nothing_in_what_it_extends() {
    let base = |body: &str| {
        format!(
            "kind Colour {{ red, blue }}\nthe table has {{ n: 0..99 = 1 }}\n\
             rule more(by: number) {{ {body} }}\n\
             play {{ more(2); finish ranking p by if p == Player.first then n else 0 }}"
        )
    };
    for (body, expected) in [
        ("for k in Colour { n += by }", "5"),
        ("if any(k in Colour: k == red) { n += by }", "3"),
        ("choose each k in {p in Player where p.seat > 9} { go { n += 1 } }; n += by", "3"),
        ("var z[k in Colour]: number = 0; z[red] = by; n += z[red]", "3"),
        ("let t = suppose { let k = 1; n += k }: n; n += t", "3"),
        // Here it is read, and still means a member of `Colour`.
        ("n += if first(c in Colour) == red then 10 else 1", "11"),
    ] {
        for name in ["k", "red"] {
            let value = if name == "k" { "by" } else { "first(c in Colour: c == blue)" };
            let extension = format!("extend rule more before {{ let {name} = {value} }}");
            assert_eq!(
                score(&base(body), &[&extension]).as_deref(),
                Ok(expected),
                "{body}: {name}"
            );
        }
    }
    let after = "extend rule more after { for k in {1} { n += k } }";
    assert_eq!(score(&base("let k = 5; n += k"), &[after]).as_deref(), Ok("7"));
}

#[test]
fn cases_are_added_to_the_match_of_a_rule_wherever_it_is() {
    let base = |body: &str| {
        format!(
            "kind K {{ a, b }}\nthe table has {{ n: 0..99 = 0; k = b }}\n\
             rule act(of: K) -> number {{\n{body}\n}}\n\
             play {{ let got = act(k); finish ranking p by if p == Player.first then got + n else 0 }}"
        )
    };
    for body in [
        "n += 1\n  match of { a: n += 2 ; else: n += 90 }\n  return n",
        "if n == 0 { for p in Player where p.seat == 1 { match of { a: n += 2; else: n += 90 } } }\n  return n",
        "let x = match of { a: 2; else: 90 }\n  return x",
        "n = match of { a: 2; else: 90 }\n  return 0",
    ] {
        let cases = if body.contains("= match") { "b: 30" } else { "b: { n += 30 }" };
        let got = score(&base(body), &[&format!("extend rule act {{ {cases} }}")]);
        let got = got.unwrap_or_else(|error| panic!("{body}: {error}"));
        assert!(["30", "31", "60", "62"].contains(&got.as_str()), "{body}: {got}");
    }
}

#[test]
fn a_bundled_game_is_a_base_by_its_name() {
    let folder = empty_folder("bundled-base");
    for (base, option) in [
        ("tice", "hard_mode"),
        ("\"tice\"", "hard_mode"),
        ("\"elemental-clash/close-match\"", "gale_on_defense"),
        ("\"tice/monsoon\"", "hard_mode"),
        ("yahtzee", ""),
    ] {
        let option =
            if option.is_empty() { String::new() } else { format!("option {option} = yes\n") };
        std::fs::write(folder.join("own.game"), format!("variant \"Own\" of {base}\n{option}"))
            .expect("the folder can be written");
        let ran = astragal_in(&folder, &["check", "own.game", "--play", "2"], "");
        assert_eq!(ran.exit, Some(0), "{base}: {}", ran.errors);
        let again = astragal_in(&folder, &["fmt", "--check", "own.game"], "");
        assert_eq!(again.exit, Some(0), "{base}: {}", again.errors);
    }
}
