//! Who knows which cards lie where, and what those who do not know must reckon with.

use std::collections::{BTreeMap, BTreeSet};

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::{Game, LegalMoves, Player, State, Step, TableView};
use astragal::machinery::session::Running;

use crate::battery;
use crate::support::{first_game, read, root, rules};

const ANN: Player = Player(0);
const BEN: Player = Player(1);
const CEM: Player = Player(2);

fn game(path: &str) -> Game {
    first_game(&rules(path, &read(&root().join(path))))
}

/// What a player sees of a pile behind some moves: of the table, or of somebody. Behind a move
/// stand the faces that are drawn for it; where there are none the first outcome comes.
#[track_caller]
fn after(moves: &[&str], viewer: Player, pile: &str) -> String {
    let mut live = Running::new(game("tests/games/workbench.game"));
    next_decision(&mut live, &mut Vec::new());
    for made in moves {
        let (label, drawn) = made.split_once(": ").unwrap_or((made, ""));
        let mut faces: Vec<&str> = drawn.split_whitespace().rev().collect();
        let index = (0..live.count_moves()).find(|index| live.label_move(*index) == label);
        live.make_move(index.unwrap_or_else(|| panic!("`{label}` is not legal")));
        next_decision(&mut live, &mut faces);
        assert!(faces.is_empty(), "{faces:?} was not drawn");
    }
    let table = live.game().table_since(live.state(), Some(viewer), &BTreeSet::new(), false);
    seen(&table, pile)
}

#[track_caller]
fn next_decision(live: &mut Running, faces: &mut Vec<&str>) {
    while let Step::Draw { outcomes } =
        live.advance_position().expect("nothing is wrong with the game")
    {
        let face = faces.pop();
        let fits = |index: &u32| face.is_none_or(|face| live.outcome(*index) == face);
        let index = (0..outcomes).find(fits);
        live.answer_draw(index.unwrap_or_else(|| panic!("{face:?} cannot be drawn")));
    }
}

/// `deck`, or `ben.hand`.
fn seen(table: &TableView, pile: &str) -> String {
    let (things, title) = match pile.split_once('.') {
        Some(("ann", title)) => (&table.players[0], title),
        Some(("ben", title)) => (&table.players[1], title),
        _ => (&table.table, pile),
    };
    let thing = things.iter().find(|thing| thing.title == title).expect("there is such a pile");
    thing.value.clone()
}

#[test]
fn who_looks_at_the_top_knows_it_until_a_shuffle() {
    let peek = "peek: elk fox";
    assert_eq!(after(&[peek], ANN, "deck"), "8 cards, among them elk, fox");
    assert_eq!(after(&[peek], BEN, "deck"), "8 cards");
    assert_eq!(after(&[peek, "mix"], ANN, "deck"), "8 cards");
}

#[test]
fn knowledge_stays_with_a_card_that_somebody_draws() {
    for draws in ["ben_draws", "ben_takes"] {
        let moves = ["peek: elk fox", draws, "mix"];
        assert_eq!(after(&moves, ANN, "ben.hand"), "1 card, among them elk");
        assert_eq!(after(&moves, ANN, "deck"), "7 cards");
        assert_eq!(after(&moves, BEN, "ben.hand"), "1: elk");
        assert_eq!(after(&moves, CEM, "ben.hand"), "1 card");
    }
}

#[test]
fn a_known_bottom_stays_while_others_draw_from_above() {
    let moves = ["draw: dog", "bury dog", "ben_draws: cow", "ben_takes: elk"];
    assert_eq!(after(&moves, ANN, "deck"), "6 cards, among them dog");
    assert_eq!(after(&moves, ANN, "ben.hand"), "2 cards");
    assert_eq!(after(&moves, BEN, "deck"), "6 cards");
}

#[test]
fn what_is_put_back_in_no_order_is_lost_when_one_of_it_is_drawn() {
    let moves = ["draw: dog", "draw: elk", "tuck"];
    assert_eq!(after(&moves, ANN, "deck"), "8 cards, among them dog, elk");
    let drawn = ["draw: dog", "draw: elk", "tuck", "ben_draws: elk"];
    assert_eq!(after(&drawn, ANN, "deck"), "7 cards");
    assert_eq!(after(&drawn, ANN, "ben.hand"), "1 card");
    let own = ["draw: dog", "draw: elk", "tuck", "draw: elk"];
    assert_eq!(after(&own, ANN, "deck"), "7 cards, among them dog");
}

#[test]
fn who_does_not_see_which_card_goes_does_not_know_any_more_what_stays() {
    let shown = ["draw: bee", "draw: dog", "show_ben bee"];
    assert_eq!(after(&shown, BEN, "ann.hand"), "2 cards, among them bee");
    assert_eq!(after(&shown, CEM, "ann.hand"), "2 cards");
    let stashed = [shown.as_slice(), &["stash dog"]].concat();
    assert_eq!(after(&stashed, BEN, "ann.hand"), "1 card");
    assert_eq!(after(&stashed, BEN, "ann.chest"), "1 card");
    assert_eq!(after(&stashed, ANN, "ann.chest"), "1 card, among them dog");
    let all = [shown.as_slice(), &["stash_all"]].concat();
    assert_eq!(after(&all, BEN, "ann.chest"), "2 cards, among them bee");
    let played = [shown.as_slice(), &["play dog"]].concat();
    assert_eq!(after(&played, BEN, "ann.hand"), "1 card, among them bee");
}

#[test]
fn who_is_robbed_knows_what_goes_and_others_do_not() {
    let moves = ["peek: elk fox", "ben_draws", "ben_draws", "steal: fox"];
    assert_eq!(after(&moves, BEN, "ann.hand"), "1 card, among them fox");
    assert_eq!(after(&moves, ANN, "ben.hand"), "1 card, among them elk");
    assert_eq!(after(&moves, CEM, "ann.hand"), "1 card");
}

#[test]
fn cards_of_one_face_are_not_told_apart() {
    let shown = ["draw: ant", "draw: ant", "show_ben ant"];
    assert_eq!(after(&shown, BEN, "ann.hand"), "2 cards, among them ant");
    // Shown again: it may be the same.
    let again = [shown.as_slice(), &["show_ben ant"]].concat();
    assert_eq!(after(&again, BEN, "ann.hand"), "2 cards, among them ant");
    // Played: it may be the one that was shown.
    let played = [shown.as_slice(), &["play ant"]].concat();
    assert_eq!(after(&played, BEN, "ann.hand"), "1 card");
    let both = ["draw: ant", "draw: ant", "open", "play ant"];
    assert_eq!(after(&both, BEN, "ann.hand"), "1 card, among them ant");
}

#[test]
fn what_a_move_names_is_known() {
    let moves = ["draw: bee", "draw: dog", "name bee"];
    assert_eq!(after(&moves, CEM, "ann.hand"), "2 cards, among them bee");
    let stashed = ["draw: bee", "draw: dog", "stash bee"];
    assert_eq!(after(&stashed, CEM, "ann.chest"), "1 card");
}

/// Runs on to a decision; draws are answered by a stream.
fn settled(game: &Game, chance: &mut impl Chance) -> (State, Player) {
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    loop {
        match game.advance(&mut state, &mut turn).expect("nothing is wrong with the game") {
            Step::Draw { outcomes } => game.draw(&mut state, chance.below(outcomes)),
            Step::Decide { player } => return (state, player),
            Step::End => unreachable!("somebody decides in it"),
        }
    }
}

/// Whether counts could come from equal chances: the sum of the squares of their distances from
/// the mean is at most so many times the mean.
#[track_caller]
fn are_even(counts: &BTreeMap<String, i64>, ways: usize, bound: i64) {
    assert_eq!(counts.len(), ways, "{counts:?}");
    let mean = counts.values().sum::<i64>() / i64::try_from(ways).expect("there are few ways");
    let squares: i64 = counts.values().map(|count| (count - mean) * (count - mean)).sum();
    assert!(squares <= bound * mean, "{counts:?} are not even");
}

#[test]
fn the_six_deals_of_three_cards_are_equally_likely() {
    let game = game("examples/kuhn-poker.game");
    let mut counts = BTreeMap::new();
    for playout in 0..6000 {
        let mut chance = Seed(5).table_stream(playout, 2);
        let (state, _) = settled(&game, &mut chance);
        let table = game.table(&state);
        let hands = format!("{} {}", seen(&table, "ann.hand"), seen(&table, "ben.hand"));
        *counts.entry(hands).or_insert(0) += 1;
    }
    // Five degrees of freedom: one in ten thousand goes above 25.
    are_even(&counts, 6, 25);
}

#[test]
fn the_hand_of_the_other_is_either_of_two_cards() {
    let game = game("examples/kuhn-poker.game");
    for seed in 0..6 {
        let (state, player) = settled(&game, &mut Seed(seed).stream(1));
        let observation = game.observe(&state, player);
        let (mut chance, mut counts) = (Seed(seed).stream(2), BTreeMap::new());
        for _ in 0..4000 {
            let other = game.sample(&observation, &mut chance).expect("it could be");
            let table = game.table(&other);
            assert_eq!(seen(&table, "ann.hand"), seen(&game.table(&state), "ann.hand"));
            *counts.entry(seen(&table, "ben.hand")).or_insert(0) += 1;
        }
        // One degree of freedom: one in ten thousand goes above 15.
        are_even(&counts, 2, 15);
    }
}

const TIERS: &str = r#"
game "Two decks" { players 2; limit 9 decisions { finish draw } }
kind Face {
         tier
  ant    1
  bee    1
  cow    1
  dog    2
  elk    2
  fox    2
}
cards Card of Face
each player has { hand: cards seen by owner }
the table has {
  low: cards hidden = {c in Card where c.tier == 1}
  high: cards hidden = {c in Card where c.tier == 2}
}
play {
  let ann = Player.first
  let ben = Player.last
  move top of low to ben.hand
  choose ann { wait { } }
  move top of high to ben.hand
  choose ann { wait { } }
  finish draw
}
"#;

#[test]
fn cards_are_only_dealt_where_they_could_have_come() {
    let game = first_game(&rules("tiers", TIERS));
    let mut chance = Seed(8).stream(0);
    let (mut state, player) = settled(&game, &mut chance);
    let mut ways = [BTreeMap::new(), BTreeMap::new()];
    for ways in &mut ways {
        let observation = game.observe(&state, player);
        for _ in 0..1800 {
            let other = game.sample(&observation, &mut chance).expect("it could be");
            *ways.entry(seen(&game.table(&other), "ben.hand")).or_insert(0) += 1;
        }
        let mut turn = LegalMoves::new();
        game.advance(&mut state, &mut turn).expect("nothing is wrong with the game");
        game.choose(&mut state, &turn, 0);
        while let Step::Draw { outcomes } = game.advance(&mut state, &mut turn).expect("as above") {
            game.draw(&mut state, chance.below(outcomes));
        }
    }
    are_even(&ways[0], 3, 20);
    are_even(&ways[1], 9, 32);
    assert!(ways[0].keys().all(|hand| !hand.contains("dog")), "{:?}", ways[0]);
}

/// Five faces of two tiers, one card of each.
const FACES: &str = "
kind Face {
         tier
  ant    1
  bee    1
  cow    1
  dog    2
  elk    2
}
cards Card of Face
";

/// Two cards lie before Ann, who may not look at them, and everybody is told something of the first. What is
/// promised of a secret number tells her nothing of the second.
const TOLD: &str = r#"
game "Told" { players 2; limit 9 decisions { finish draw } }
each player has {
  near: cards hidden
  far: cards hidden
  tiers: set of 1..2 = {1, 2}
}
the table has {
  deck: cards hidden = Card
  bound: 1..2 = 2 hidden
}
always all(card in p.near: card.tier in p.tiers) for p in Player
always all(p in Player for card in p.far: card.tier <= bound)
always count(deck) + sum(p in Player: count(p.near) + count(p.far)) == 5
play {
  let ann = Player.first
  move top of deck to ann.near
  move top of deck to ann.far
  for card in ann.near { ann.tiers = {card.tier} }
  choose ann { wait { } }
  finish draw
}
"#;

/// Samples so many states that the one who decides first could be in; how often each was seen, and the state itself.
fn sampled(
    game: &Game,
    seed: u64,
    count: usize,
    see: impl Fn(&State) -> String,
) -> (State, BTreeMap<String, i64>) {
    let (state, player) = settled(game, &mut Seed(seed).stream(1));
    let (mut chance, mut ways) = (Seed(seed).stream(2), BTreeMap::new());
    let observation = game.observe(&state, player);
    for _ in 0..count {
        let other = game.sample(&observation, &mut chance).expect("it could be");
        assert!(game.observe(&other, player) == observation);
        *ways.entry(see(&other)).or_insert(0) += 1;
    }
    (state, ways)
}

#[test]
fn cards_lie_only_where_what_always_holds_lets_them() {
    let game = first_game(&rules("told", &[TOLD, FACES].concat()));
    for seed in 0..3 {
        let both = |state: &State| {
            let table = game.table(state);
            format!("{} {}", seen(&table, "ann.near"), seen(&table, "ann.far"))
        };
        let (state, ways) = sampled(&game, seed, 400, both);
        // The first card is one of its tier, the second any of the other four.
        let near = seen(&game.table(&state), "ann.near");
        let firsts = if near.contains("dog") || near.contains("elk") { 2 } else { 3 };
        are_even(&ways, 4 * firsts, 40);
    }
}

/// What always holds of two cards together may not hold of one of them alone.
const PAIRED: &str = r#"
game "Paired" { players 2; limit 9 decisions { finish draw } }
each player has { near: cards hidden }
the table has { deck: cards hidden = Card }
always all(card in p.near: card.tier == 1 or count(p.near) == 2) for p in Player
play {
  let ann = Player.first
  move top 2 of deck to ann.near
  choose ann { wait { } }
  finish draw
}
"#;

#[test]
fn what_always_holds_of_cards_together_rules_none_of_them_out() {
    let game = first_game(&rules("paired", &[PAIRED, FACES].concat()));
    let near = |state: &State| {
        assert!(game.unkept(state).is_empty());
        seen(&game.table(state), "ann.near")
    };
    are_even(&sampled(&game, 1, 2000, near).1, 10, 40);
}

/// A game of hints as somebody wrote it: in whatever position, the worlds that are imagined keep what it says of cards.
#[test]
fn imagined_hands_agree_with_all_hints() {
    let game = game("tests/games/garlands.game");
    let (mut hints, mut legal) = (0, LegalMoves::new());
    for number in 0..20 {
        let mut chance = Seed(number).stream(1);
        let mut state = game.initial_state();
        for _ in 0..60 {
            match game.advance(&mut state, &mut legal).expect("nothing is wrong with the game") {
                Step::Draw { outcomes } => game.draw(&mut state, chance.below(outcomes)),
                Step::End => break,
                Step::Decide { player } => {
                    let observation = game.observe(&state, player);
                    for _ in 0..3 {
                        let other = game.sample(&observation, &mut chance).expect("it could be");
                        assert!(game.unkept(&other).is_empty());
                        assert!(game.observe(&other, player) == observation);
                    }
                    let index = chance.random_index(legal.count());
                    let label = game.label_move(&state, &legal, index);
                    hints += i32::from(!label.starts_with("play") && !label.starts_with("discard"));
                    game.choose(&mut state, &legal, index);
                }
            }
        }
    }
    assert!(hints > 100, "{hints} hints");
}

/// A game that thinks that nobody sees a hand, and offers what lies in it all the same.
fn leaking() -> Game {
    let game = game("tests/games/workbench.game");
    let mut compiled = game.compiled().clone();
    for pile in &mut compiled.program.cards[0].piles {
        pile.seers = 0;
    }
    game.with_pieces(Vec::new(), compiled)
}

#[test]
#[should_panic(expected = "the moves depend on what is not seen")]
fn the_battery_catches_a_game_that_offers_what_is_not_seen() {
    battery::keeps_secrets(&leaking());
}

#[test]
fn the_battery_lets_the_same_game_pass_that_does_not() {
    battery::keeps_secrets(&game("tests/games/workbench.game"));
}
