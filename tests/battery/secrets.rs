//! What players do not see changes nothing for them: states that agree with what a player sees are
//! looked at, asked, and played on from.

use astragal::machinery::chance::{Chance, Seed, Seeded};
use astragal::machinery::game::{Game, LegalMoves, Player, State, Step};

use super::labels;

/// How many events are played on from a state that a player could be in.
const PLAYED_ON: usize = 60;

/// Looks at one state through the eyes of everybody, and plays on from what each could be in.
#[track_caller]
pub(super) fn are_kept(
    game: &Game,
    (state, turn, decider): (&State, &LegalMoves, Player),
    is_played_on: bool,
    place: &str,
) {
    let mut chance = Seed(99).stream(place.len() as u64);
    for seat in 0..game.info().players {
        let player = Player(u8::try_from(seat).expect("there are few players"));
        let place = format!("{place}, seen by {}", game.names()[seat]);
        let seen = game.observe(state, player);
        assert!(seen == game.observe(&state.clone(), player), "{place}: seen differently");
        let other = game.sample(&seen, &mut chance);
        let mut other = other.unwrap_or_else(|trap| panic!("{place}: no other state: {trap}"));
        if !game.has_secrets() {
            assert!(other == *state, "{place}: another state although nothing is hidden");
            continue;
        }
        assert!(game.observe(&other, player) == seen, "{place}: the other state looks different");
        let mut listed = LegalMoves::new();
        let step = game.advance(&mut other, &mut listed);
        let step = step.unwrap_or_else(|trap| panic!("{place}: the other state traps: {trap}"));
        assert_eq!(step, Step::Decide { player: decider }, "{place}: somebody else is asked");
        assert!(game.observe(&other, player) == seen, "{place}: asking again changes what is seen");
        if player == decider {
            let (ours, theirs) = (labels(game, state, turn), labels(game, &other, &listed));
            assert_eq!(ours, theirs, "{place}: the moves depend on what is not seen");
            let asked = (game.question(state), game.question(&other));
            assert_eq!(asked.0, asked.1, "{place}: the question depends on what is not seen");
            let name = |turn, at| game.option_name(turn, at).to_owned();
            let same = (0..ours.len()).all(|at| name(turn, at) == name(&listed, at));
            assert!(same, "{place}: other moves read the same");
        }
        if is_played_on {
            plays_on(game, other, listed, &mut chance, &place);
        }
    }
}

/// A state that a player could be in is one that can be played.
#[track_caller]
fn plays_on(game: &Game, mut state: State, mut turn: LegalMoves, chance: &mut Seeded, place: &str) {
    for _ in 0..PLAYED_ON {
        let step = game.advance(&mut state, &mut turn);
        match step.unwrap_or_else(|trap| panic!("{place}: playing on traps: {trap}")) {
            Step::Decide { .. } => {
                let count = u32::try_from(turn.count()).expect("there are few moves");
                game.choose(&mut state, &turn, chance.below(count) as usize);
            }
            Step::Draw { outcomes } => game.draw(&mut state, chance.below(outcomes)),
            Step::End => return,
        }
    }
}
