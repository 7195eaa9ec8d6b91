//! The numbers of moves: each legal move has one, or a row of steps, and these lead back to the move.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::Game;
use astragal::machinery::host::GameFiles;
use astragal::{ErrorKind, GameOptions, Position, Step};

use crate::support::{below, checked, effort, game_files, read, root, snapshots, some_games};

/// So many moves of a decision are made, and so many decisions of a game are looked at.
const MOST_MADE: usize = 12;
const MOST_DECISIONS: usize = 400;
/// The outcomes of draws among so many first steps are all tried.
const MOST_DRAWS: usize = 60;

fn limit(game: &Game) -> u64 {
    game.program().limit.0.unsigned_abs()
}

/// What is compared at one decision: the numbers of all moves are theirs alone, and lead back to them.
fn compares(game: &Game, position: &Position, words: &mut BTreeMap<u32, String>, at: &str) {
    let size = game.num_distinct_actions().expect("the game has numbers");
    let (legal, count) = (position.legal(), position.legal().count());
    let numbers: Vec<Vec<u32>> = (0..count)
        .map(|index| game.numbers_of_move(position, index).expect("the game has numbers"))
        .collect();
    let distinct: BTreeSet<&Vec<u32>> = numbers.iter().collect();
    assert_eq!(distinct.len(), count, "{at}: two moves have one number");
    let firsts: BTreeSet<u32> = numbers.iter().map(|steps| steps[0]).collect();
    let mut listed = Vec::new();
    game.legal_numbers(position, &mut listed).expect("the game has numbers");
    assert_eq!(listed, firsts.iter().copied().collect::<Vec<_>>(), "{at}");
    let mut mask = vec![7; size as usize];
    game.legal_mask(position, &mut mask).expect("the game has numbers");
    let marked = (0..size).filter(|number| mask[*number as usize] == 1);
    assert!(marked.eq(firsts.iter().copied()), "{at}");
    let most = game.max_game_length().expect("the game has numbers") / limit(game);
    assert!(numbers.iter().all(|steps| steps.len() as u64 <= most), "{at}: more than {most} steps");
    for (index, steps) in numbers.iter().enumerate().step_by(count.div_ceil(MOST_MADE)) {
        let mut by_index = position.clone();
        game.apply_move(&mut by_index, index).expect("the rules hold");
        let mut by_number = position.clone();
        for (at, step) in (0..).zip(steps) {
            assert_eq!(by_number.steps().len(), at);
            let mut next = Vec::new();
            game.legal_numbers(&by_number, &mut next).expect("the game has numbers");
            let behind = numbers.iter().filter(|other| other.starts_with(&steps[..at]));
            let wanted: BTreeSet<u32> = behind.map(|other| other[at]).collect();
            assert!(next.iter().eq(&wanted), "{next:?} after {:?}", &steps[..at]);
            game.apply_number(&mut by_number, *step).expect("the number is legal");
            let word = game.number_label(*step).expect("a legal number has words");
            let known = words.entry(*step).or_insert_with(|| word.clone());
            assert_eq!(*known, word, "{at}");
        }
        assert_eq!(by_number.state(), by_index.state(), "{at}");
        if let [number] = steps.as_slice() {
            let label = game.label_move(position.state(), legal, index);
            let found = game.numbers_of_label(position, &label).expect("it is legal");
            assert_eq!(found, [*number], "{at}");
        }
    }
    if let Some(other) = (0..size).find(|number| !firsts.contains(number)) {
        let mut refused = position.clone();
        let error = game.apply_number(&mut refused, other).expect_err("it is not legal");
        assert_eq!(error.kind(), ErrorKind::Illegal);
        assert_eq!(refused.state(), position.state());
    }
    let beyond =
        game.apply_number(&mut position.clone(), size).expect_err("there is no such number");
    assert_eq!(beyond.kind(), ErrorKind::Illegal);
}

/// Outcomes that are one lead to one position, and all outcomes are among them.
fn weighs_outcomes(game: &Game, position: &Position, outcomes: u32, at: &str) {
    let after = |index: u32| {
        let mut next = position.clone();
        game.draw_number(&mut next, index).expect("it is an outcome");
        next.state().clone()
    };
    let weights = game.outcome_weights(position.state());
    let mut left: BTreeMap<_, i64> = BTreeMap::new();
    (0..outcomes).for_each(|index| *left.entry(after(index)).or_default() += 1);
    weights.iter().for_each(|(index, weight)| {
        *left.entry(after(*index)).or_default() -= i64::from(*weight);
    });
    assert!(left.values().all(|left| *left == 0), "{at}: {weights:?}");
}

fn plays(game: &Game, seed: u64, words: &mut BTreeMap<u32, String>, name: &str) {
    let mut chance = Seed(seed).stream(0);
    let mut position = game.start_position().expect("the rules hold");
    let most = game.max_chance_outcomes();
    for decision in 0..MOST_DECISIONS {
        match position.step() {
            Step::Decide { .. } => {
                compares(
                    game,
                    &position,
                    words,
                    &format!("{name}, seed {seed}, decision {decision}"),
                );
                let index = chance.random_index(position.legal().count());
                game.apply_move(&mut position, index).expect("the rules hold");
            }
            Step::Draw { outcomes } => {
                assert!(most.is_none_or(|most| outcomes <= most), "{name}: {outcomes} outcomes");
                if decision < MOST_DRAWS {
                    weighs_outcomes(game, &position, outcomes, name);
                }
                game.draw_number(&mut position, chance.below(outcomes)).expect("it is an outcome");
            }
            Step::End => return,
        }
    }
}

fn variant(path: &Path) -> Option<Game> {
    let files = GameFiles::find(path.to_str()?).ok()?;
    files.load(&GameOptions::default(), &[]).ok()
}

#[test]
fn every_legal_move_has_a_number_of_its_own() {
    let files = game_files(&["games", "examples", "tests/games", "../shared/strangers"]);
    if !files.iter().any(|path| below(path).starts_with("../shared")) {
        println!("skipped: the games of ../shared/strangers, which is missing");
    }
    let (mut sizes, mut first) = (Vec::new(), true);
    for path in files {
        let name = below(&path);
        let games = match checked(&name, &read(&path)).0.rules {
            Some(ruleset) => some_games(&ruleset, 2),
            // A variant of a bundled game, or rules that games share.
            None => variant(&path).map(|game| ("as it is".to_owned(), game)).into_iter().collect(),
        };
        assert!(name.starts_with("../shared") || !games.is_empty(), "{name} has errors");
        for (setting, game) in games {
            let name = format!("{name} ({setting})");
            let size =
                game.num_distinct_actions().unwrap_or_else(|error| panic!("{name}: {error}"));
            if !name.starts_with("..") && std::mem::replace(&mut first, false) {
                let outcomes =
                    game.max_chance_outcomes().map_or("?".to_owned(), |it| it.to_string());
                sizes.push(format!("{size:>8} actions {outcomes:>4} outcomes  {name}"));
            }
            let mut words = BTreeMap::new();
            for seed in 0..effort() as u64 {
                plays(&game, seed, &mut words, &name);
            }
        }
        first = true;
    }
    let _settings = snapshots("games");
    insta::assert_snapshot!("numbers", sizes.join("\n"));
}

/// The bounds of a rule's value know the arguments of the call, not what the caller calls alike.
#[test]
fn bounds_of_another_rule_are_its_own() {
    let text = r#"
game "Stones" { players 2 }
the table has { pile: 0..9 = 9 }
rule most(x: number) = x + 1
play {
  let one = 1
  turns me from Player.first {
    choose me { take(n) for n in one..most(pile) { pile -= min(n, pile) } }
    if pile == 0 { finish win me }
  }
}
"#;
    let game =
        astragal::load_text("stones.game", text, &GameOptions::default()).expect("it is right");
    assert_eq!(game.num_distinct_actions(), Ok(10));
    let (mut words, mut position) =
        (BTreeMap::new(), game.start_position().expect("the rules hold"));
    compares(&game, &position, &mut words, "the first decision");
    game.apply_number(&mut position, 9).expect("taking 10 is legal");
    assert_eq!(position.step(), Step::End);
    assert_eq!(words.get(&9).map(String::as_str), Some("take 10"));
}

/// So it is where the other rule draws, and where rules call each other many thousand times.
#[test]
fn bounds_through_draws_and_many_calls_are_found_quickly() {
    let many: String = (0..5).fold(String::new(), |rules, at| {
        let calls = vec![format!("r{}()", at + 1); 60].join(" + ");
        rules + &format!("rule r{at}() -> number = {calls}\n")
    });
    let text = format!(
        r#"
game "Draws" {{ players 2 }}
the table has {{ pile: 0..9 = 9 }}
rule f(n: number) -> number = random 1..g(n)
rule g(n: number) -> number = n + 1
{many}
rule r5() -> number = pile
play {{
  let one = 5
  let two = f(pile)
  let three = r0()
  turns me from Player.first {{
    choose me {{ take(n) for n in 1..two {{ pile -= min(n + one + three, pile) }} }}
    if pile == 0 {{ finish win me }}
  }}
}}
"#
    );
    let game =
        astragal::load_text("draws.game", &text, &GameOptions::default()).expect("it is right");
    assert_eq!(game.num_distinct_actions(), Ok(10));
}

#[test]
fn a_move_without_an_upper_bound_has_no_number() {
    let text = r#"
game "Bids" { players 2 }
the table has { price: 0.. = 0 }
play {
  turns me from Player.first {
    choose me { raise(n) for n in price..price + 3 { price = n } }
    if price > 20 { finish win me }
  }
}
"#;
    let game =
        astragal::load_text("bids.game", text, &GameOptions::default()).expect("it is right");
    let error = game.num_distinct_actions().expect_err("nothing bounds it");
    assert_eq!(error.kind(), ErrorKind::Unnumbered);
    insta::assert_snapshot!(error.to_string(), @"bids.game:6:17: error: the moves of `raise` have no numbers: nothing bounds `n`");
    assert_eq!(error.diagnostics()[0].code, Some("play::unnumbered"));
    let position = game.start_position().expect("it can be played");
    assert!(game.legal_numbers(&position, &mut Vec::new()).is_err());
}

#[test]
fn several_players_decide_with_a_number_each() {
    let text = read(&root().join("examples/rock-paper-scissors.game"));
    let game = astragal::load_text("it.game", &text, &GameOptions::default()).expect("it is right");
    let mut position = game.start_position().expect("the rules hold");
    let mut numbers = BTreeMap::new();
    for number in 0..game.num_distinct_actions().expect("it has numbers") {
        numbers.insert(game.number_label(number).expect("it has words"), number);
    }
    let [rock, paper] = ["show rock", "show paper"].map(|word| numbers[word]);
    let before = position.clone();
    let error = game.apply_joint(&mut position, &[paper, 99]).expect_err("99 is no number");
    assert_eq!((error.kind(), position.state()), (ErrorKind::Illegal, before.state()));
    assert!(game.apply_joint(&mut position, &[paper]).is_err());
    while position.step() != Step::End {
        game.apply_joint(&mut position, &[paper, rock]).expect("both are legal");
    }
    assert_eq!(game.final_returns(position.state()), Some(vec![1, -1]));
}
