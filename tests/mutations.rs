//! Texts that were good before something happened to them: lost, doubled, swapped and foreign
//! words. Whatever comes out is refused or plays; nothing panics, and laying out changes no rules.
//!
//! `ASTRAGAL_MUTATIONS=20000 cargo test mutations` does more of it. A mutation is
//! known by its number, which a failure names; `ASTRAGAL_MUTATION=NUMBER` tries just that one.

mod one_token;

use std::panic::{AssertUnwindSafe, catch_unwind};

use astragal::machinery::budget::Budget;
use astragal::machinery::chance::{Chance, Seed, Seeded};
use astragal::machinery::dump::dump;
use astragal::machinery::game::{Game, LegalMoves, Step};
use astragal::machinery::pipeline::{GameOptions, OpenedFile, check_without_compiling, load};
use astragal::machinery::source::{Source, Sources};
use astragal::machinery::syntax::{parse, tidy};
use astragal::machinery::transcript;

use crate::support::{amount, comments, files, game_files, read};

/// How many texts are tried unless more are asked for.
const FEW: usize = 30;

/// How many decisions and draws a game of a changed text is played.
const EVENTS: usize = 60;

/// All texts of a sort that there are.
fn corpus(extension: &str) -> Vec<String> {
    let paths = match extension {
        "game" => {
            [game_files(&["games", "examples", "tests/games"]), files("tests/diagnostics", "game")]
                .concat()
        }
        _ => ["games", "examples", "tests"].map(|folder| files(folder, extension)).concat(),
    };
    paths.iter().map(|path| read(path)).collect()
}

fn each(extension: &str, try_out: impl Fn(&str)) {
    let corpus = corpus(extension);
    let one = std::env::var("ASTRAGAL_MUTATION").ok();
    let one = one.map(|it| it.parse::<usize>().expect("ASTRAGAL_MUTATION is a number"));
    let first = one.unwrap_or(0);
    let many = one.map_or_else(|| amount("ASTRAGAL_MUTATIONS", FEW), |_| 1);
    let mut failed = Vec::new();
    for number in (0..).skip(first).take(many) {
        let text = mutated(&corpus, &mut Seed(2026).stream(number));
        let tried = catch_unwind(AssertUnwindSafe(|| try_out(&text)));
        if tried.is_err() {
            failed.push(number);
        }
    }
    if let [first, ..] = failed.as_slice() {
        let text = mutated(&corpus, &mut Seed(2026).stream(*first));
        panic!("mutations {failed:?} of .{extension} files fail; the first is\n{text}");
    }
}

/// A text of the corpus after some accidents.
fn mutated(corpus: &[String], chance: &mut Seeded) -> String {
    let mut below =
        |count: usize| chance.below(u32::try_from(count).expect("not so many")) as usize;
    let mut pieces: Vec<String> = pieces(&corpus[below(corpus.len())]);
    for _ in 0..=below(4) {
        if pieces.is_empty() {
            break;
        }
        let (at, other) = (below(pieces.len()), below(pieces.len()));
        match below(8) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other].clone()),
            2 => pieces.swap(at, other),
            3 => {
                let end = (at + 1 + below(40)).min(pieces.len());
                drop(pieces.drain(at..end));
            }
            4 => {
                let end = (at + 1 + below(40)).min(pieces.len());
                let doubled: Vec<String> = pieces[at..end].to_vec();
                drop(pieces.splice(at..at, doubled));
            }
            5 => {
                let foreign = self::pieces(&corpus[below(corpus.len())]);
                let from = below(foreign.len().max(1));
                let end = (from + 1 + below(20)).min(foreign.len());
                drop(pieces.splice(at..at, foreign[from.min(end)..end].to_vec()));
            }
            6 => STRANGE[below(STRANGE.len())].clone_into(&mut pieces[at]),
            _ => WORDS[below(WORDS.len())].clone_into(&mut pieces[at]),
        }
    }
    pieces.concat()
}

const STRANGE: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "0",
    "1..0",
    "ä",
    "\u{feff}",
    "\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\t",
    "\0",
    "..",
    "- -",
    "##",
    "\n",
    ";",
    "99999999999999999999",
    "\\",
];

const WORDS: &[&str] = &[
    "none", "yes", "Player", "players", "turn", "me", "set", "maybe", "all", "any", "count",
    "first", "choose", "for", "in", "where", "if", "else", "then", "match", "1", "2", "and", "not",
    "cards", "move", "top", "deck", "reveal", "hidden", "number", "let", "var", "roll", "random",
    "suppose", "bag", "bags", "subsets", "of", "from", "order", "each", "within", "replace",
    "extend", "finish", "return",
];

/// Words, numbers, blanks and signs.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut joins = false;
    for letter in text.chars() {
        let part = letter.is_ascii_alphanumeric() || letter == '_';
        match pieces.last_mut() {
            Some(last) if joins && part => last.push(letter),
            _ => pieces.push(letter.to_string()),
        }
        joins = part;
    }
    pieces
}

/// Does with a text of rules what the commands do with it.
fn rules_are_tried(text: &str) {
    let source = Source::new("mutated.game", text);
    let (ast, found) = parse(&source);
    if !found.has_errors() {
        let tidy = |source, ast| tidy(source, ast, &Budget::default()).expect("it is small");
        let laid_out = Source::new("mutated.game", tidy(&source, &ast));
        let (again, _) = parse(&laid_out);
        assert_eq!(
            dump(&again.items),
            dump(&ast.items),
            "laid out it has other rules:\n{}",
            laid_out.text
        );
        assert_eq!(comments(&laid_out.text), comments(text), "laid out it has other comments");
        assert_eq!(tidy(&laid_out, &again), laid_out.text, "laid out twice it differs");
    }
    let mut sources = Sources::default();
    let checked = check_without_compiling(&mut sources, &OpenedFile::alone("mutated.game", text));
    for finding in checked.diagnostics.sorted() {
        assert!(finding.code.is_some(), "a finding has no code: {finding}");
    }
    let Some(rules) = checked.rules else { return };
    if let Ok(game) = load(&rules, &GameOptions::default()) {
        plays_for_a_while(&game);
    }
}

fn plays_for_a_while(game: &Game) {
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let mut chance = Seed(7).stream(0);
    for _ in 0..EVENTS {
        match game.advance(&mut state, &mut turn) {
            Ok(Step::Draw { outcomes }) => game.draw(&mut state, chance.below(outcomes)),
            Ok(Step::Decide { .. }) => {
                let count = u32::try_from(turn.count()).expect("not so many moves");
                let index = chance.below(count) as usize;
                assert!(!game.label_move(&state, &turn, index).is_empty());
                game.choose(&mut state, &turn, index);
            }
            Ok(Step::End) | Err(_) => return,
        }
    }
}

#[test]
fn changed_rules_are_refused_or_played() {
    each("game", rules_are_tried);
}

#[test]
fn changed_scripts_are_refused_or_read() {
    each("script", |text| {
        let _ = transcript::parse(&Source::new("mutated.script", text));
    });
}
