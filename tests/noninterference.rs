//! The promise about secrets, held against made-up games: where the checker accepts a file, what a
//! seat is told, shown and offered never depends on what the seat may not see. This is
//! noninterference (Goguen and Meseguer, "Security Policies and Security Models", 1982), up to the
//! first secret that the rules show on purpose.

mod program;
mod views;

use std::sync::Arc;

use astragal::machinery::chance::Seed;
use astragal::machinery::check::check_without_secrecy;
use astragal::machinery::game::{Game, Player};
use astragal::machinery::noninterference::{Leak, Pair, compare, error::leaks};
use astragal::machinery::pipeline::Ruleset;
use astragal::machinery::source::Sources;
use astragal::machinery::syntax::parse;

use crate::commands::astragal_in;
use crate::support::{
    amount, below, checked, files, first_game, game_files, is_variant, name, read, root, rules,
};

/// How many pairs are played by an ordinary run.
const USUAL: usize = 400;

/// How many pairs each made-up game is played in.
const TO_A_PROGRAM: u64 = 8;

/// What the checker may have against a made-up game.
const REFUSALS: [&str; 2] = ["check::leak", "check::secret_kept"];

/// Made-up games that the checker accepts, with their numbers.
fn accepted() -> impl Iterator<Item = (u64, String, Game)> {
    (0..).filter_map(|number| {
        let text = program::program(number);
        let (checked, _) = checked("made up", &text);
        for found in checked.diagnostics {
            let code = found.code.map(str::to_owned).unwrap_or_default();
            let expected = !found.is_error() || REFUSALS.contains(&&*code);
            assert!(expected, "{text}\ngame {number} is refused for {code}");
        }
        checked.rules.map(|rules| (number, text, first_game(&rules)))
    })
}

/// Plays one of the pairs of a game.
fn pair(game: &Game, seat: u8, seed: u64, number: u64) -> Result<Pair, Box<Leak>> {
    compare(game, Player(seat), (Seed(seed), number), &|| true)
}

#[test]
fn a_seat_sees_nothing_of_what_others_hide() {
    let pairs = amount("ASTRAGAL_SECRETS", USUAL);
    let (mut played, mut decided, mut last, mut games) = (0, 0, 0, 0);
    for (made_up, text, game) in accepted() {
        for number in 0..TO_A_PROGRAM {
            let found = pair(&game, u8::from(number % 2 == 1), made_up, number);
            let found = found.unwrap_or_else(|leak| {
                panic!("{text}\ngame {made_up}, pair {number}: {}", leaks(&leak, &game, ""))
            });
            played += usize::from(found.differs);
            decided += usize::from(found.decisions > 0);
        }
        (last, games) = (made_up, games + 1);
        if played >= pairs {
            break;
        }
    }
    let share = 100 * decided / played;
    println!(
        "{played} pairs of {games} games, of {} made up; in {share} of 100 somebody decides after they differ",
        last + 1
    );
    assert!(share >= 50, "only {share} of 100 pairs reach a decision after they differ");
}

/// How many pairs of each game of the project are played, for each seat.
const TO_A_GAME: u64 = 6;

#[test]
fn the_games_of_the_project_tell_no_seat_what_others_hide() {
    let (mut played, mut decided) = (0, 0);
    for path in game_files(&["games", "examples", "tests/games"]) {
        let file = below(&path);
        let game = first_game(&rules(&file, &read(&path)));
        if is_variant(&path) || !game.has_secrets() {
            continue;
        }
        for seat in (0..).take(game.info().players) {
            for number in 0..TO_A_GAME {
                let found = pair(&game, seat, number, number);
                let found = found
                    .unwrap_or_else(|leak| panic!("{file}: {} {leak:?}", leaks(&leak, &game, "")));
                played += usize::from(found.differs);
                decided += usize::from(found.decisions > 0);
            }
        }
    }
    assert!(played > 100, "only {played} pairs differ");
    assert!(2 * decided >= played, "only {decided} of {played} pairs reach a decision");
}

/// A game that may tell secrets.
fn unproven(file: &str, text: &str) -> Game {
    let mut sources = Sources::default();
    let (ast, unreadable) = parse(sources.add(file, text));
    assert!(unreadable.is_empty(), "{file} can be read");
    let rules = check_without_secrecy(&ast).rules.expect("but for secrets it is sound");
    first_game(&Ruleset { rules: Arc::new(rules), sources: Arc::new(sources) })
}

/// How many pairs are played at most until a leak is found.
const TO_A_LEAK: u64 = 200;

#[test]
fn leaks_are_noticed_though_the_checker_does_not_look() {
    for path in files("tests/noninterference/leaks", "game") {
        let (file, text) = (name(&path), read(&path));
        let refused = checked(&file, &text).0.rules.is_none();
        assert!(refused, "{file} is refused");
        let game = unproven(&file, &text);
        let notices =
            |seat| (0..TO_A_LEAK).any(|number| pair(&game, seat, number, number).is_err());
        assert!([0, 1].into_iter().any(notices), "{file}: neither player notices anything");
    }
}

/// Where secrets come from in the game of the cases: before its statement everybody is dealt some.
const DEALT: &str = "for p in Player { let n = random 0..9; p.s = n; p.note = n
move top 2 of deck to p.hand; move top of deck to p.aside }
move top 2 of deck to shop[1]
start()
";

/// Cases that the checker refuses, and of which nobody can notice anything in the game that they are set in: a shuffle
/// is silent, some are about the player alone, and of others both ways are alike here.
const UNNOTICED: [&str; 10] = [
    "a draw behind `return`",
    "the top of a pile is looked at",
    "cards are shuffled",
    "cards are shuffled by a helper rule",
    "a pile is shuffled that a secret names",
    "a pile is shuffled, as a secret says",
    "several `for`",
    "a pile by reference that a secret names",
    "it is kept",
    "it is offered to its player",
];

/// An error that depends on a secret tells of it no more than its result, which is public.
const TOLD_BY_AN_ERROR: [&str; 2] =
    ["a division whose result all see", "an error of a rule whose result all see"];

#[test]
fn cases_that_the_checker_refuses_are_noticed() {
    let text = read(&crate::support::root().join("tests/checks/public_outputs.cases"));
    let (game, cases) = text.split_once("\n---").expect("cases follow the game");
    for case in cases.split("\n---") {
        let (title, case) = case.split_once('\n').expect("a case has text");
        let title = title.trim();
        // Something is asked behind it: else only the end of the game would tell.
        let case = format!("{case}\nchoose me {{ go_on {{ }}; leave {{ }} }}");
        let text = game.replace("start()\n", DEALT).replace('@', &case);
        let is_refused = checked(title, &text).0.rules.is_none();
        let game = unproven(title, &text);
        let notices = |seat| (0..TO_A_LEAK).any(|at| pair(&game, seat, at, at).is_err());
        let expected =
            is_refused && !UNNOTICED.contains(&title) || TOLD_BY_AN_ERROR.contains(&title);
        assert_eq!(notices(0) || notices(1), expected, "{title}: refused: {is_refused}");
    }
}

/// Scripts of two worlds that a seat cannot tell apart: it hears the same words in both.
#[test]
fn what_is_done_in_secret_is_not_heard() {
    let folder = root().join("tests/noninterference/heard");
    let worlds = [
        ("an-empty-plan", "Ben"),
        ("a-note", "Ben"),
        ("a-promise", "Ann"),
        ("shown-to-one", "Ben"),
        ("shown-to-a-friend", "Cem"),
        ("hidden-by-a-rule", "Ben"),
        ("any-card", "Ben"),
    ];
    for (game, seat) in worlds {
        let [one, other] = ["a", "b"].map(|world| {
            let script = format!("{game}.{world}.script");
            let ran = astragal_in(&folder, &["run", &script, "--as", seat], "");
            assert_eq!(ran.exit, Some(0), "{script}: {}", ran.errors);
            ran.output
        });
        assert!(one.contains('?'), "{game}: nothing is a secret in {one}");
        assert_eq!(one, other, "{game}");
    }
}
