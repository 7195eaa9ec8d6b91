//! What lies ahead in long games, learned from random ones: how much further each thing that a
//! player has brings him than the others. What is worth something only much later, as a card that
//! goes into a deck, a search would not see otherwise.
//!
//! A linear evaluation of features, fitted to what random games come to (Buro, "From simple
//! features to sophisticated evaluation functions", 1998).

use super::features::Things;
use super::heuristic::{Standing, lead};
use super::random::RandomDriver;
use super::regression::{BITS, Fit};
use crate::chance::{Seed, Seeded};
use crate::game::{Game, State};
use crate::vm::{Offers, Step, run};

/// How many decisions lie between two looks at a random game.
const STRIDE: u64 = 25;

/// How many looks later it is seen what became of a player.
const AHEAD: usize = 6;

/// A game that goes on for so many looks is long: what a search sees is a small part of it.
const LONG: usize = 20;

/// How many looks are learned from.
const LOOKS: usize = 40_000;

/// With more sorts of things than so many nothing is learned: it would take too long.
const MOST_SORTS: usize = 1000;

/// What the things of players bring them.
#[derive(Clone, Debug)]
pub(super) struct Prospects {
    things: Things,
    /// For each sort how much one more of it brings, with [`BITS`] bits behind the point.
    brings: Vec<i64>,
}

/// A look at a random game: where everything was, and what standing each player had.
struct Look {
    state: State,
    scores: Vec<i64>,
}

impl Prospects {
    /// Learns them, where players are several and random games are long.
    pub(super) fn of(game: &Game, standing: &Standing) -> Option<Prospects> {
        let players = game.info().players;
        let mut things = Things::of(game.program());
        if players < 2 || things.sorts() == 0 || things.sorts() > MOST_SORTS {
            return None;
        }
        // The same games for whoever asks, so that bots play alike everywhere.
        let mut chance = Seed(0).stream(0);
        let mut looks = play(game, standing, &mut chance, LOOKS);
        if looks.len() < LONG {
            return None;
        }
        things.measure(players, looks.iter().map(|look| &look.state));
        let mut fit = Fit::new(things.sorts());
        let mut left = LOOKS;
        while left > 0 {
            learn(&mut fit, &things, &looks);
            // A game that ends before it is looked at counts, too, so that this comes to an end.
            left = left.saturating_sub(looks.len().max(1));
            looks = play(game, standing, &mut chance, left);
        }
        Some(Prospects { things, brings: fit.weights() })
    }

    /// Adds what lies ahead of each player to the standing that he has.
    pub(super) fn add(&self, state: &State, scores: &mut [i64]) {
        let mut ahead = vec![0_i128; scores.len()];
        self.things.each(state, scores.len(), |owner, sort, much| {
            ahead[owner] += i128::from(self.brings[sort]) * i128::from(much);
        });
        for (score, ahead) in scores.iter_mut().zip(ahead) {
            // Only weights that no game has would sum up to more than 64 bits.
            let ahead = i64::try_from(ahead >> BITS).unwrap_or(0);
            *score = score.saturating_add(ahead);
        }
    }
}

/// Learns from the looks at a game: how each player's lead changed, by what he had more than the
/// others. What the game does to all alike falls out of the difference.
fn learn(fit: &mut Fit, things: &Things, looks: &[Look]) {
    let mut row = vec![0; things.sorts()];
    for (now, then) in looks.iter().zip(looks.iter().skip(AHEAD)) {
        let players = now.scores.len();
        let others = i64::try_from(players).expect("players are few") - 1;
        for player in 0..players {
            row.fill(0);
            things.each(&now.state, players, |owner, sort, much| {
                row[sort] += if owner == player { much * others } else { -much };
            });
            let change = lead(&then.scores, player).saturating_sub(lead(&now.scores, player));
            // The row counts each difference once for each of the others.
            fit.add(&row, change.saturating_mul(others));
        }
    }
}

/// Plays a random game, and looks at it so often at most.
fn play(game: &Game, standing: &Standing, chance: &mut Seeded, most: usize) -> Vec<Look> {
    let (mut looks, mut state, mut offers) = (Vec::new(), game.initial_state(), Offers::new());
    while looks.len() < most {
        let mut driver = RandomDriver { chance, left: STRIDE };
        match run(game.program(), &mut state, &mut offers, game.names(), &mut driver) {
            Ok(Step::End) | Err(_) => break,
            Ok(_) => {}
        }
        let Some(mut scores) = standing.scores(&state) else { break };
        scores.iter_mut().for_each(|score| *score = standing.fine(*score));
        looks.push(Look { state: state.clone(), scores });
    }
    looks
}
