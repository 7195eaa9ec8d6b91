//! What holds for every game: each state of random playouts is looked at from all sides.

mod labels;
mod secrets;
mod table;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use astragal::machinery::budget::Budget;
use astragal::machinery::game::{Game, LegalMoves, State, Step};
use astragal::machinery::session::{Running, run};
use astragal::machinery::snippet::{WaitingGame, why_not};
use astragal::machinery::source::Source;
use astragal::machinery::syntax::{parse, tidy};
use astragal::machinery::transcript;

use crate::support::{self, Event, Playout, checked, effort, rules};

/// How many settings of a game are played; where there are more, some are left out evenly.
const SETTINGS: usize = 6;
/// How many playouts a game gets, all settings together, and at least how many a setting.
const PLAYOUTS: usize = 12;
const LEAST_PLAYOUTS: usize = 2;
/// How many games of a file are played at a table, where each of their states is saved, loaded,
/// taken back and made again: one for each of so many settings.
const TABLES: usize = 4;
/// How many games of a file are looked at that is like another one.
const FEW_GAMES: usize = 1;
/// How many states of a game are played on from, through the eyes of each player, without leaving any
/// out; behind them every second, then every third and so on.
const ALL_OF_THE_FIRST: usize = 40;
/// How many decisions and draws a random game may take.
const MOST_EVENTS: usize = 20_000;

/// Runs everything on one file.
#[track_caller]
pub(crate) fn passes(name: &str, text: &str) {
    let rules = rules(name, text);
    let games = support::some_games(&rules, SETTINGS * effort());
    is_laid_out(name, text, &games);
    let each = (PLAYOUTS * effort() / games.len()).max(LEAST_PLAYOUTS);
    for (setting, game) in &games {
        for seed in 0..each as u64 {
            // From the second game on by machine code, where there is such.
            #[cfg(feature = "native")]
            if seed == 1 {
                astragal::machinery::native::accelerate(game.program(), false)
                    .expect("it is known here");
            }
            let place = format!("{name}, {setting}, seed {seed}");
            let playout = looked_at(game, seed, &place);
            replays(game, &playout, &place);
            if seed == 0 {
                is_its_own_script(game, name, &playout, &place);
            }
        }
    }
    for (setting, game) in games.iter().step_by(games.len().div_ceil(TABLES)) {
        table::keeps_games(game, name, 7, &format!("{name}, {setting}, at the table"));
    }
}

/// Looks at the states of some random games through the eyes of everybody.
#[track_caller]
pub(crate) fn keeps_secrets(game: &Game) {
    for seed in 0..20 {
        looked_at(game, seed, &format!("seed {seed}"));
    }
}

/// Looks at a few games of a file, one for each of some settings.
#[track_caller]
pub(crate) fn holds_in_a_few_games(name: &str, text: &str) {
    let rules = rules(name, text);
    let games = support::some_games(&rules, SETTINGS * effort());
    is_laid_out(name, text, &games);
    for (setting, game) in games.iter().step_by(games.len().div_ceil(FEW_GAMES * effort())) {
        let place = format!("{name}, {setting}, a few games");
        let playout = looked_at(game, 1, &place);
        replays(game, &playout, &place);
        is_its_own_script(game, name, &playout, &place);
    }
}

/// The layout of a text means the same and is its own layout.
#[track_caller]
fn is_laid_out(name: &str, text: &str, games: &[(String, Game)]) {
    let tidied = |text: &str| {
        let source = Source::new(name, text);
        let (ast, found) = parse(&source);
        let drawn = support::draw(&source, &found);
        assert!(found.is_empty(), "{name} cannot be read:\n{drawn}");
        tidy(&source, &ast, &Budget::default()).expect("there is room for it")
    };
    let once = tidied(text);
    assert_eq!(tidied(&once), once, "{name} is laid out differently the second time");
    let rules = checked(name, &once).0.rules.expect("the file was found to be right");
    for ((setting, game), (_, again)) in
        games.iter().zip(support::some_games(&rules, SETTINGS * effort()))
    {
        let same = game.program().code == again.program().code;
        assert!(same, "{name}, {setting}: laid out it means something else");
    }
}

/// Plays a game and looks at each of its states.
#[track_caller]
fn looked_at(game: &Game, seed: u64, place: &str) -> Playout {
    let mut states = 0;
    let played = support::playout(game, seed, &mut |state, turn, step| {
        states += 1;
        assert!(states <= MOST_EVENTS, "{place}: still going on after {MOST_EVENTS} events");
        let place = format!("{place}, state {states}");
        stands_still(game, state, turn, step, &place);
        match step {
            Step::Decide { player } => {
                is_a_decision(game, state, turn, &place);
                let plays_on = states.is_multiple_of(1 + states / ALL_OF_THE_FIRST);
                secrets::are_kept(game, (state, turn, player), plays_on, &place);
            }
            Step::Draw { outcomes } => is_a_draw(game, state, outcomes, &place),
            Step::End => is_an_end(game, state, &place),
        }
    });
    match played {
        Ok(playout) => playout,
        Err(trap) => panic!("{place}: {trap} ({:?})", trap.span()),
    }
}

/// Looking changes nothing: a copy is equal, and what waits goes on waiting.
#[track_caller]
fn stands_still(game: &Game, state: &State, turn: &LegalMoves, step: Step, place: &str) {
    let mut copy = state.clone();
    assert!(copy == *state, "{place}: a copy differs");
    assert_eq!(hash(&copy), hash(state), "{place}: equal states have different hashes");
    if step == Step::End {
        return;
    }
    let mut again = LegalMoves::new();
    let same = game.advance(&mut copy, &mut again).expect("what waits can be asked again");
    assert_eq!(same, step, "{place}: something else waits the second time");
    assert!(copy == *state, "{place}: asking again changes the state");
    assert!(again.said.is_empty(), "{place}: asking again says something");
    if matches!(step, Step::Decide { .. }) {
        assert_eq!(labels(game, state, turn), labels(game, &copy, &again), "{place}: other moves");
    }
}

/// The evaluator, which explains moves, finds every condition of a legal move to hold: it agrees
/// with the machine, which listed the move.
#[track_caller]
fn nothing_forbids(game: &Game, state: &State, turn: &LegalMoves, label: &str, place: &str) {
    let reason = why_not(WaitingGame { game, state, legal: turn }, label, false);
    let holds = reason.span.is_none() && reason.message.contains("here");
    assert!(holds, "{place}: `{label}` is legal, but: {}", reason.message);
}

/// There are moves, each reads differently, and a copy takes them as the original does.
#[track_caller]
fn is_a_decision(game: &Game, state: &State, turn: &LegalMoves, place: &str) {
    assert_eq!(game.unkept(state), [], "{place}: something does not hold that always must");
    let labels = labels(game, state, turn);
    for label in labels.iter().take(1).chain(labels.last()) {
        nothing_forbids(game, state, turn, label, place);
    }
    assert!(!labels.is_empty(), "{place}: nothing is legal");
    let different: BTreeSet<&String> = labels.iter().collect();
    assert_eq!(different.len(), labels.len(), "{place}: two moves read the same: {labels:?}");
    for (index, label) in labels.iter().enumerate() {
        assert!(label.starts_with(|letter: char| letter.is_alphanumeric()), "{place}: `{label}`");
        assert!(!game.option_name(turn, index).is_empty(), "{place}: `{label}`");
    }
    for index in [0, labels.len() / 2, labels.len() - 1] {
        let (mut one, mut other) = (state.clone(), state.clone());
        let mut listed_anew = LegalMoves::new();
        game.advance(&mut other, &mut listed_anew).expect("what waits can be asked again");
        game.choose(&mut one, turn, index);
        game.choose(&mut other, &listed_anew, index);
        assert!(one == other, "{place}: `{}` differs on a copy", labels[index]);
    }
}

#[track_caller]
fn is_a_draw(game: &Game, state: &State, outcomes: u32, place: &str) {
    assert!(outcomes > 0, "{place}: a draw without outcomes");
    assert!(!game.event(state).is_empty(), "{place}: a draw without words");
    assert!(!game.outcome(state, outcomes - 1).is_empty(), "{place}: an outcome without words");
}

#[track_caller]
fn is_an_end(game: &Game, state: &State, place: &str) {
    let outcome = game.final_outcome(state).expect("a game that is over has an outcome");
    let values = game.measure_values(state).expect("what is measured has a value");
    assert_eq!(values.len(), game.program().measures.len(), "{place}: a value for each measure");
    assert_eq!(outcome.returns.len(), game.info().players, "{place}: a return for each player");
    assert!(outcome.returns.iter().all(|value| (-1..=1).contains(value)), "{place}: {outcome:?}");
    let drawn = outcome.returns.iter().all(|value| *value == 0);
    let won = outcome.returns.contains(&1);
    let shared = outcome.returns.contains(&0) && outcome.returns.contains(&-1);
    let lost = outcome.returns.iter().all(|value| *value == -1);
    assert!(drawn || won || shared || lost || game.info().players == 1, "{place}: {outcome:?}");
}

/// The same answers lead to the same states, so undoing is replaying up to an earlier one.
#[track_caller]
fn replays(game: &Game, playout: &Playout, place: &str) {
    let mut state = game.initial_state();
    let mut turn = LegalMoves::new();
    let mut said = Vec::new();
    let answers = playout.events.iter().filter(|event| !matches!(event, Event::Said(_)));
    for event in answers {
        game.advance(&mut state, &mut turn).expect("it went well the first time");
        said.append(&mut turn.said);
        match event {
            Event::Decided(index, ..) => game.choose(&mut state, &turn, *index),
            Event::Drew(index, ..) => game.draw(&mut state, *index),
            Event::Said(_) => unreachable!("filtered out"),
        }
    }
    let step = game.advance(&mut state, &mut turn).expect("it went well the first time");
    said.append(&mut turn.said);
    assert_eq!(step, Step::End, "{place}: the replay goes on");
    assert!(state == playout.state, "{place}: the replay ends in another state");
    assert_eq!(hash(&state), hash(&playout.state), "{place}: equal states, different hashes");
    let first = playout.events.iter().filter_map(|event| match event {
        Event::Said(said) => Some(said.clone()),
        _ => None,
    });
    assert_eq!(said, first.collect::<Vec<_>>(), "{place}: the replay says something else");
}

/// The transcript, run as a script, prints itself.
#[track_caller]
fn is_its_own_script(game: &Game, name: &str, playout: &Playout, place: &str) {
    let text = support::transcript(game, name, playout);
    let source = Source::new("transcript", text.clone());
    let script = transcript::parse(&source);
    let script = script.unwrap_or_else(|found| {
        panic!("{place}: the transcript is no script:\n{}", support::draw(&source, &found))
    });
    let ran = run(&script, &source, Running::new(game.clone()));
    let found = support::draw(&source, &ran.diagnostics);
    assert!(ran.diagnostics.is_empty(), "{place}: the transcript fails as a script:\n{found}");
    assert_eq!(ran.transcript, text, "{place}: the transcript prints something else");
}

fn labels(game: &Game, state: &State, turn: &LegalMoves) -> Vec<String> {
    (0..turn.count()).map(|index| game.label_move(state, turn, index)).collect()
}

fn hash(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}
