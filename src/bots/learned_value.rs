//! Learns what lies ahead in long games from random ones: how much each card or point is worth.
//!
//! What is worth something only much later, as a card that goes into a deck, a search would not see
//! otherwise. A linear evaluation of features, fitted by ridge regression to what random games come
//! to (Buro, "From simple features to sophisticated evaluation functions", 1998).

use std::ops::Range;

use crate::bots::heuristic::{LeadMeasure, lead};
use crate::bots::random::RandomDriver;
use crate::bytecode::Program;
use crate::bytecode::program::{NONE, ValueShape};
use crate::chance::{Seed, Seeded};
use crate::game::{Game, State};
use crate::vm::{Offers, VmStep, run};

/// How many decisions lie between two samples of a random game.
const STRIDE: u64 = 25;

/// How many samples later it is seen what became of a player.
const AHEAD: usize = 6;

/// A game of so many samples is long: what a search sees is a small part of it.
const LONG: usize = 20;

/// How many samples are learned from: a person waits for the first move as long.
const SAMPLES: usize = 40_000;

/// With more features than so many nothing is learned: it would take too long.
const MOST_FEATURES: usize = 1000;

/// What numbers are measured by: the largest that a sample shows counts so much.
const WHOLE: i64 = 1024;

/// What the cards and numbers of players bring them.
#[derive(Clone, Debug)]
pub(super) struct Prospects {
    features: Features,
    /// For each feature how much one more of it brings, with [`BITS`] fraction bits.
    brings: Vec<i64>,
}

/// A position of a random game, and the standing of each player.
struct TrainingSample {
    state: State,
    scores: Vec<i64>,
}

impl Prospects {
    /// Learns them, where players are several and random games are long.
    pub(super) fn learn_prospects(game: &Game, standing: &LeadMeasure) -> Option<Prospects> {
        let players = game.info().players;
        let mut features = Features::from_program(game.program());
        if players < 2 || features.count == 0 || features.count > MOST_FEATURES {
            return None;
        }
        // The same games for all bots, so that they play alike everywhere.
        let mut chance = Seed(0).stream(0);
        let mut samples = sample_game(game, standing, &mut chance, SAMPLES);
        if samples.len() < LONG {
            return None;
        }
        features.measure_scales(players, &samples);
        let mut fit = Fit::new(features.count);
        let mut left = SAMPLES;
        while left > 0 {
            learn_samples(&mut fit, &features, &samples);
            // A game that ends before its first sample counts, too, so that this comes to an end.
            left = left.saturating_sub(samples.len().max(1));
            samples = sample_game(game, standing, &mut chance, left);
        }
        Some(Prospects { features, brings: fit.weights() })
    }

    /// Adds what lies ahead of each player to their standing.
    pub(super) fn add_prospects(&self, state: &State, scores: &mut [i64]) {
        let mut ahead = vec![0_i128; scores.len()];
        self.features.visit_features(state, scores.len(), |owner, feature, much| {
            ahead[owner] += i128::from(self.brings[feature]) * i128::from(much);
        });
        for (score, ahead) in scores.iter_mut().zip(ahead) {
            // Only weights that no game has would sum up to more than 64 bits.
            *score = score.saturating_add(i64::try_from(ahead >> BITS).unwrap_or(0));
        }
    }
}

/// Learns from the samples of a game: how each player's lead changed, by what they had more than
/// the others. What the game does to all alike falls out of the difference.
fn learn_samples(fit: &mut Fit, features: &Features, samples: &[TrainingSample]) {
    let mut row = vec![0; features.count];
    for (now, then) in samples.iter().zip(samples.iter().skip(AHEAD)) {
        let players = now.scores.len();
        let others = i64::try_from(players).expect("players are few") - 1;
        let alone: Vec<usize> = (0..players).collect();
        for player in 0..players {
            row.fill(0);
            features.visit_features(&now.state, players, |owner, feature, much| {
                row[feature] += if owner == player { much * others } else { -much };
            });
            let change = lead(&then.scores, &alone, player).saturating_sub(lead(
                &now.scores,
                &alone,
                player,
            ));
            // The row counts each difference once for each of the others.
            fit.add_row(&row, change.saturating_mul(others));
        }
    }
}

/// Plays a random game, and takes so many samples of it at most.
fn sample_game(
    game: &Game,
    standing: &LeadMeasure,
    chance: &mut Seeded,
    most: usize,
) -> Vec<TrainingSample> {
    let (mut samples, mut state, mut offers) = (Vec::new(), game.initial_state(), Offers::new());
    while samples.len() < most {
        let mut driver = RandomDriver { chance, left: STRIDE };
        match run(game.program(), &mut state, &mut offers, game.names(), &mut driver) {
            Ok(VmStep::End) | Err(_) => break,
            Ok(_) => {}
        }
        let Some(mut scores) = standing.scores(&state) else { break };
        scores.iter_mut().for_each(|score| *score = standing.fine(*score));
        samples.push(TrainingSample { state: state.clone(), scores });
    }
    samples
}

/// Where the features of players are in a state: each face of cards in each of a player's piles,
/// and each of their numbers.
#[derive(Clone, Debug)]
struct Features {
    piles: Vec<PileFeature>,
    numbers: Vec<NumberFeature>,
    count: usize,
}

#[derive(Clone, Debug)]
struct PileFeature {
    owner: usize,
    /// The feature of the first face.
    first: usize,
    set: Range<usize>,
    faces: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct NumberFeature {
    feature: usize,
    base: usize,
    width: usize,
    /// What counts as [`WHOLE`].
    whole: i64,
}

impl Features {
    fn from_program(program: &Program) -> Features {
        let (mut piles, mut numbers, mut count) = (Vec::new(), Vec::new(), 0);
        for cards in &program.cards {
            let faces: Vec<usize> = cards.faces.iter().map(|face| usize::from(*face)).collect();
            let kinds = faces.iter().max().map_or(0, |face| face + 1);
            // The piles of one variable have the same features for every owner.
            let mut vars: Vec<(u16, usize)> = Vec::new();
            for (at, pile) in cards.piles.iter().enumerate() {
                let Some(owner) = pile.owner.map(usize::from) else { continue };
                let known = vars.iter().find(|(var, _)| *var == pile.var).map(|(_, first)| *first);
                let first = known.unwrap_or_else(|| {
                    vars.push((pile.var, count));
                    count += kinds;
                    count - kinds
                });
                let set = cards.set_of(at);
                let set = set..set + usize::from(cards.width);
                piles.push(PileFeature { owner, first, set, faces: faces.clone() });
            }
        }
        for var in &program.vars {
            let plain = var.dims.is_empty() && var.kept.is_none() && var.secret.is_none();
            if var.of_player && plain && var.format.shape == ValueShape::Number {
                let (base, width) = (var.base.into(), var.width.into());
                numbers.push(NumberFeature { feature: count, base, width, whole: 1 });
                count += 1;
            }
        }
        Features { piles, numbers, count }
    }

    /// Measures the numbers by the largest that they come to in some samples.
    fn measure_scales(&mut self, players: usize, samples: &[TrainingSample]) {
        for TrainingSample { state, .. } in samples {
            for number in &mut self.numbers {
                let most =
                    (0..players).map(|player| number.feature_value(state, player).saturating_abs());
                number.whole = most.fold(number.whole, i64::max);
            }
        }
    }

    /// Calls `see` with everything that players have: whose it is, which feature, and how much.
    fn visit_features(
        &self,
        state: &State,
        players: usize,
        mut see: impl FnMut(usize, usize, i64),
    ) {
        for pile in &self.piles {
            for (at, word) in state.slice(pile.set.start, pile.set.len()).iter().enumerate() {
                let mut left = word.cast_unsigned();
                while left != 0 {
                    let card = at * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    see(pile.owner, pile.first + pile.faces[card], 1);
                }
            }
        }
        for number in &self.numbers {
            for player in 0..players {
                // In parts of what is much; no more than twice of that counts.
                let much = i128::from(number.feature_value(state, player)) * i128::from(WHOLE);
                let most = 2 * i128::from(WHOLE);
                let much = (much / i128::from(number.whole)).clamp(-most, most);
                see(player, number.feature, i64::try_from(much).expect("it was clamped"));
            }
        }
    }
}

impl NumberFeature {
    fn feature_value(self, state: &State, player: usize) -> i64 {
        match state.word(self.base + player * self.width) {
            NONE => 0,
            number => number,
        }
    }
}

/// The number of fraction bits of a weight.
const BITS: u32 = 16;

/// As if so many rows had shown for each feature alone that nothing follows from it: few rows say
/// little (ridge regression).
const DOUBT: i64 = 200;

/// How often all weights are computed again, at most.
const ROUNDS: usize = 200;

/// Rows of features, each with what followed, summed up.
#[derive(Clone, Debug)]
struct Fit {
    width: usize,
    /// For each pair of features the sum of their products.
    squares: Vec<i64>,
    /// For each feature the sum of its products with what followed.
    products: Vec<i128>,
}

impl Fit {
    fn new(width: usize) -> Fit {
        Fit { width, squares: vec![0; width * width], products: vec![0; width] }
    }

    /// Adds a row: how much there is of each feature, and what followed.
    fn add_row(&mut self, row: &[i64], followed: i64) {
        let there: Vec<usize> = (0..self.width).filter(|at| row[*at] != 0).collect();
        for a in &there {
            self.products[*a] += i128::from(followed) * i128::from(row[*a]);
            for b in &there {
                self.squares[a * self.width + b] += row[*a] * row[*b];
            }
        }
    }

    /// The weights under which the sum of the features is nearest to what followed, with [`BITS`]
    /// fraction bits. Each is computed from the others, until none changes any more
    /// (Gauss-Seidel).
    fn weights(&self) -> Vec<i64> {
        let times = |square: i64, weight: i64| i128::from(square) * i128::from(weight);
        let mut weights = vec![0; self.width];
        for _ in 0..ROUNDS {
            let before = weights.clone();
            for (at, row) in self.squares.chunks(self.width).enumerate() {
                let all: i128 = row.iter().zip(&weights).map(|(a, b)| times(*a, *b)).sum();
                let others = all - times(row[at], weights[at]);
                let weight = ((self.products[at] << BITS) - others) / i128::from(row[at] + DOUBT);
                // A weight that is too long says nothing.
                weights[at] = i64::try_from(weight).unwrap_or(0);
            }
            if weights == before {
                break;
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::{BITS, Fit};

    #[test]
    fn what_each_feature_adds_is_told_apart() {
        let mut fit = Fit::new(3);
        for step in 0..30_000 {
            // The second feature mostly comes with the first, and takes away half of it.
            let row = [step % 5, step % 5 + i64::from(step % 7 == 0), 0];
            fit.add_row(&row, 100 * row[0] - 50 * row[1]);
        }
        let weights: Vec<i64> = fit.weights().into_iter().map(|weight| weight >> BITS).collect();
        assert!((90..=100).contains(&weights[0]), "{weights:?}");
        assert!((-50..=-40).contains(&weights[1]), "{weights:?}");
        assert_eq!(weights[2], 0);
    }

    #[test]
    fn few_rows_say_little() {
        let mut fit = Fit::new(1);
        (0..10).for_each(|_| fit.add_row(&[1], 1000));
        assert!(fit.weights()[0] >> BITS < 50);
    }
}
