//! The library as other programs use it: games played by values.

use std::path::Path;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::Utility;
use astragal::{
    ErrorKind, Folder, Game, GameOptions, LegalMoves, NamedText, State, Step, load_text,
    load_text_in,
};

use crate::support::{files, first_game, read, root, rules};

fn load(path: &Path) -> Game {
    first_game(&rules("it.game", &read(path)))
}

/// Plays one random game by values beside one by the buffer, and compares them at each step.
fn plays_alike(game: &Game, seed: u64) {
    let mut chance = Seed(seed).stream(0);
    let mut state = game.start().expect("the rules hold");
    let mut other = game.initial_state();
    let mut moves = LegalMoves::new();
    for _ in 0..200 {
        let step = game.advance(&mut other, &mut moves).expect("the rules hold");
        assert_eq!(state, other);
        let bytes = game.to_bytes(&state);
        assert_eq!(game.from_bytes(&bytes).as_ref(), Ok(&state));
        match step {
            Step::Decide { player } => {
                assert_eq!(game.current_player(&state), Some(player));
                let actions = game.legal_actions(&state);
                assert_eq!(actions.len(), moves.count());
                let index =
                    chance.below(u32::try_from(actions.len()).expect("moves are few")) as usize;
                let action = &actions[index];
                assert_eq!(action.label, game.label_move(&other, &moves, index));
                game.choose(&mut other, &moves, index);
                game.apply_action(&mut state, action).expect("the action is legal");
            }
            Step::Draw { outcomes } => {
                assert!(game.is_chance(&state));
                let merged = game.chance_outcomes(&state);
                assert_eq!(merged.iter().map(|it| it.weight).sum::<u32>(), outcomes);
                let index =
                    chance.below(u32::try_from(merged.len()).expect("outcomes are few")) as usize;
                game.draw(&mut other, merged[index].index);
                let outcome = merged[index].index;
                game.apply_outcome(&mut state, outcome).expect("the outcome is possible");
            }
            Step::End => {
                assert!(game.is_terminal(&state));
                assert_eq!(game.final_returns(&state), game.final_returns(&other));
                assert_eq!(game.current_player(&state), None);
                return;
            }
        }
    }
}

#[test]
fn values_and_the_buffer_play_the_same_game() {
    for path in files("examples", "game") {
        let game = load(&path);
        (1..=3).for_each(|seed| plays_alike(&game, seed));
    }
}

fn sticks() -> Game {
    let text = "game \"Sticks\" { players 2 }\n\
                kind Colour { red, blue }\nthe table has { sticks: 0..7 = 7; die sky = red red blue }\n\
                play {\n  roll sky\n  turns me from Player.first {\n    \
                choose me { take(n) for n in 1..min(3, sticks) { sticks -= n } }\n    \
                if sticks == 0 { finish win others(me) }\n  }\n}\n";
    load_text("sticks.game", text, &GameOptions::default()).expect("the game is right")
}

fn decided() -> (Game, State) {
    let game = sticks();
    let mut state = game.start().expect("the rules hold");
    game.apply_outcome(&mut state, 0).expect("the die has a first face");
    (game, state)
}

#[test]
fn what_cannot_be_applied_changes_nothing() {
    let (game, mut state) = decided();
    let before = state.clone();
    let illegal = game.apply_label(&mut state, "take 4").expect_err("at most three are taken");
    assert_eq!(illegal.to_string(), "`take 4` is not legal; legal: take 1, take 2, take 3");
    let refused = game.apply_outcome(&mut state, 0).expect_err("no draw waits");
    assert_eq!(refused.kind(), ErrorKind::NoOutcome);
    assert_eq!(state, before);
    game.apply_label(&mut state, "  take   3 ").expect("spaces do not matter");
    let early = game.start().expect("the rules hold");
    let undecided = game.apply_label(&mut early.clone(), "take 1").expect_err("chance draws");
    assert_eq!(undecided.kind(), ErrorKind::NoDecision);
}

#[test]
fn equal_faces_are_one_outcome() {
    let game = sticks();
    let state = game.start().expect("the rules hold");
    let outcomes = game.chance_outcomes(&state).into_iter().map(|it| (it.label, it.weight));
    assert_eq!(outcomes.collect::<Vec<_>>(), [("red".to_owned(), 2), ("blue".to_owned(), 1)]);
}

/// The rules keep the suit alone, but everybody sees which card it was.
const GLANCE: &str = r#"
game "Glance" { players 2 }
kind Suit { clubs, hearts }
kind Rank { two, three, four }
kind Face = Suit, Rank "{rank} of {suit}"
cards Card of Face
the table has { deck: cards = Card; seen: maybe Suit = none }
play {
  let c = random deck
  seen = c.suit
  choose Player.first { on { } }
  finish draw
}
"#;

#[test]
fn outcomes_that_read_otherwise_are_not_alike() {
    let game = first_game(&rules("glance.game", GLANCE));
    let outcomes = game.chance_outcomes(&game.start().expect("the rules hold"));
    let labels: Vec<&str> = outcomes.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels.len(), 6, "{labels:?}");
    assert!(outcomes.iter().all(|outcome| outcome.weight == 1), "{outcomes:?}");
}

#[test]
fn bytes_of_another_game_are_refused() {
    let (game, state) = decided();
    let mut bytes = game.to_bytes(&state);
    assert_eq!(game.from_bytes(&bytes), Ok(state));
    *bytes.last_mut().expect("there are bytes") ^= 1;
    for bad in [bytes.as_slice(), b"short"] {
        let refused = game.from_bytes(bad).expect_err("they are not its bytes");
        assert_eq!(refused.kind(), ErrorKind::Bytes);
    }
}

#[test]
fn the_type_of_a_game_is_known() {
    let kind = sticks().game_type();
    assert!(kind.chance && kind.perfect_information && kind.zero_sum && !kind.simultaneous);
    assert_eq!(kind.utility, Utility::WinLoss);
    let skull = load(&root().join("examples/rock-paper-scissors.game")).game_type();
    assert!(skull.simultaneous && !skull.perfect_information && !skull.chance);
}

#[test]
fn an_observation_is_a_key() {
    let (game, state) = decided();
    let seat = game.current_player(&state).expect("somebody decides");
    let seen = game.observe(&state, seat);
    assert_eq!(seen.to_key(), game.observe(&state.clone(), seat).to_key());
    assert_eq!(seen.to_string().len(), 2 * seen.to_key().len());
}

#[test]
fn mistakes_are_told_with_their_places() {
    let text = "game \"Sticks\" { players 2 }\nplay { stick += 1 }\n";
    let error = load_text("sticks.game", text, &GameOptions::default()).expect_err("no such name");
    assert_eq!(error.kind(), ErrorKind::Text);
    assert_eq!(error.diagnostics().len(), 1);
    let told = error.to_string();
    assert!(told.starts_with("sticks.game:2:8: error: "), "{told}");
    let options = GameOptions { players: Some(7), ..GameOptions::default() };
    let text = read(&root().join("examples/nim.game"));
    let error = load_text("nim.game", &text, &options).expect_err("nim is for two");
    assert_eq!(error.kind(), ErrorKind::Text);
    assert!(error.to_string().starts_with("error: "), "{error}");
    let text = "game \"Over\" { players 1 }\nthe table has { n: 0..1 = 0 }\n\
                play { choose Player.first { go { n += 2 } }; finish draw }\n";
    let game = load_text("over.game", text, &GameOptions::default()).expect("the text is right");
    let mut state = game.start().expect("nothing went wrong yet");
    let error = game.apply_label(&mut state, "go").expect_err("n is at most 1");
    assert_eq!(error.kind(), ErrorKind::Rules);
    assert_eq!(error.to_string(), "over.game:3:35: error: 2 is outside 0..1");
}

#[test]
fn a_variant_is_loaded_with_its_base() {
    struct Games;
    impl Folder for Games {
        fn read(&self, path: &str) -> Result<NamedText, String> {
            let text = read(&root().join("examples").join(path));
            Ok(NamedText { name: path.to_owned(), text })
        }
    }
    let text = "variant \"Short\" of \"nim.game\"\n";
    let game = load_text_in(&Games, "short.game", text, &GameOptions::default());
    let game = game.expect("the variant is right");
    assert_eq!(game.legal_actions(&game.start().expect("the rules hold")).len(), 12);
}
