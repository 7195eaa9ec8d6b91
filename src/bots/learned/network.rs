//! A small network of whole numbers: what a position is worth to a seat, and which moves are likely to be good.
//!
//! Its inputs are features with amounts, of which few are there at a time. What they add up to goes both
//! straight to the worth and through one hidden layer, whose values also weigh the words of moves. All numbers
//! have a fixed point, and examples are learned one after the other, so that the same examples give the same
//! network on every machine. The steps are those of `AdaGrad` (Duchi, Hazan and Singer, 2011), with one sum of
//! squares for each row of weights.

use crate::bots::fixed_point::{BITS, ONE, softmax};

/// How many values the hidden layer has.
pub(super) const HIDDEN: usize = 32;

/// How many rows the words of moves have; words are spread over them.
pub(super) const WORDS: u32 = 4096;

/// The amount of a feature that is simply there, which has 8 fraction bits.
pub(super) const UNIT: i32 = 256;

/// How far a weight goes at its first steps.
pub(super) const RATE: i64 = ONE / 20;

/// The sum of squares that each row begins with.
const CALM: u64 = 1 << 22;

/// Features with their amounts.
pub(super) type FeatureList = Vec<(u32, i32)>;

/// The weights of one feature or word: to the hidden values, and straight to what is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WeightRow {
    pub(super) weights: [i32; HIDDEN],
    pub(super) straight: i32,
    /// The sums of the squares of its steps; 0 as long as it was never changed.
    pub(super) squares: [u64; 2],
}

/// The rows: first that of the output, then those of the features, then those of the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Network {
    pub(super) rows: Vec<WeightRow>,
    features: usize,
}

/// The hidden values at some features, before and after they are bent, and what goes straight on.
pub(super) struct HiddenValues {
    sums: [i64; HIDDEN],
    bent: [i64; HIDDEN],
    straight: i64,
}

/// What an example of a decision says of the moves: the words of each, and how good it is.
#[derive(Clone, Debug)]
pub(super) struct PolicyLesson {
    pub(super) moves: Vec<Vec<u32>>,
    /// Shares of 2^16.
    pub(super) shares: Vec<u32>,
}

impl Network {
    pub(super) fn new(features: usize) -> Network {
        let count = 1 + features + WORDS as usize;
        let rows = (0..count).map(|number| WeightRow::fresh(number, number <= features)).collect();
        Network { rows, features }
    }

    pub(super) fn hidden(&self, features: &[(u32, i32)]) -> HiddenValues {
        let mut sums = [0_i32; HIDDEN];
        let mut straight = 0;
        for (feature, amount) in features {
            let row = &self.rows[1 + *feature as usize];
            let weighed = sums.iter_mut().zip(&row.weights);
            // Most features are simply there: a whole weight needs no multiplication.
            if *amount == UNIT {
                weighed.for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            } else {
                let part = |weight: i32| weight.wrapping_mul(*amount) >> 8;
                weighed.for_each(|(sum, weight)| *sum = sum.wrapping_add(part(*weight)));
            }
            straight += (i64::from(row.straight) * i64::from(*amount)) >> 8;
        }
        let sums = sums.map(i64::from);
        HiddenValues { sums, bent: sums.map(bend), straight }
    }

    /// What hidden values are worth, from -[`ONE`] to [`ONE`].
    pub(super) fn worth(&self, hidden: &HiddenValues) -> i64 {
        squash(self.output(hidden))
    }

    fn output(&self, hidden: &HiddenValues) -> i64 {
        let row = &self.rows[0];
        i64::from(row.straight) + hidden.straight + (product(row, &hidden.bent) >> BITS)
    }

    /// How likely each move is to be good, in shares of 2^16.
    pub(super) fn likely(&self, hidden: &HiddenValues, moves: &[Vec<u32>]) -> Vec<u32> {
        let logit = |words: &Vec<u32>| -> i64 {
            let each = words.iter().map(|word| {
                let row = self.word(*word);
                i64::from(row.straight) + (product(row, &hidden.bent) >> BITS)
            });
            each.sum()
        };
        let options: Vec<(u32, i64)> = moves.iter().map(|words| (1, logit(words))).collect();
        softmax(&options)
    }

    fn word(&self, word: u32) -> &WeightRow {
        &self.rows[1 + self.features + word as usize]
    }

    /// One step of training: the worth of features, and the policy of a decision there. The rate is how far weights go
    /// at their first steps.
    pub(super) fn learn(
        &mut self,
        rate: i64,
        features: &[(u32, i32)],
        target: i64,
        policy: Option<&PolicyLesson>,
    ) {
        let hidden = self.hidden(features);
        let output = self.output(&hidden);
        let worth = squash(output);
        // The slope of the bend is smaller the further out it is, but never nothing.
        let rest = ONE - worth.abs();
        let slope = ((rest * rest) >> BITS).max(ONE / 16);
        let error = ((worth - target) * slope) >> BITS;
        let mut back = [0_i64; HIDDEN];
        for (back, weight) in back.iter_mut().zip(&self.rows[0].weights) {
            *back = (error * i64::from(*weight)) >> BITS;
        }
        self.rows[0].descend(rate, &hidden.bent.map(|value| (error * value) >> BITS), error);
        if let Some(PolicyLesson { moves, shares }) = policy {
            let likely = self.likely(&hidden, moves);
            for (words, (likely, share)) in moves.iter().zip(likely.iter().zip(shares)) {
                let error = (i64::from(*likely) - i64::from(*share)) / 2;
                if error.abs() >= 64 {
                    self.learn_move(rate, (words, error), &hidden, &mut back);
                }
            }
        }
        for (back, sum) in back.iter_mut().zip(&hidden.sums) {
            *back = if is_linear(*sum) { *back } else { *back / 8 };
        }
        for (feature, amount) in features {
            let amount = i64::from(*amount);
            let row = &mut self.rows[1 + *feature as usize];
            row.descend(rate, &back.map(|back| (back * amount) >> 8), (error * amount) >> 8);
        }
    }

    fn learn_move(
        &mut self,
        rate: i64,
        (words, error): (&[u32], i64),
        hidden: &HiddenValues,
        back: &mut [i64; HIDDEN],
    ) {
        let step = hidden.bent.map(|value| (error * value) >> BITS);
        for word in words {
            let row = &mut self.rows[1 + self.features + *word as usize];
            for (back, weight) in back.iter_mut().zip(&row.weights) {
                *back += (error * i64::from(*weight)) >> BITS;
            }
            row.descend(rate, &step, error);
        }
    }
}

impl WeightRow {
    /// A row before it has learned: small weights, no two alike, where the hidden values come from it.
    pub(super) fn fresh(number: usize, is_varied: bool) -> WeightRow {
        let mut weights = [0; HIDDEN];
        let mut word = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for weight in weights.iter_mut().filter(|_| is_varied) {
            word ^= word >> 30;
            word = word.wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x94d0_49bb_1331_11eb);
            let most = if number == 0 { ONE / 2 } else { ONE / 8 };
            let part = i64::try_from(word >> 40).expect("24 bits") - (1 << 23);
            *weight = short((part * most) >> 23);
        }
        WeightRow { weights, straight: 0, squares: [0; 2] }
    }

    /// Goes against the slopes, in steps that become smaller.
    fn descend(&mut self, rate: i64, slopes: &[i64; HIDDEN], straight: i64) {
        let square = |slope: i64| slope.unsigned_abs().min(1 << 24).pow(2);
        let mean = slopes.iter().map(|slope| square(*slope)).sum::<u64>() / HIDDEN as u64;
        let factor = |sum: &mut u64, more: u64| {
            *sum = sum.saturating_add(more).max(1);
            i64::try_from((rate.unsigned_abs() << BITS) / (*sum + CALM).isqrt()).expect("48 bits")
        };
        let step = factor(&mut self.squares[0], mean);
        for (weight, slope) in self.weights.iter_mut().zip(slopes) {
            *weight = short((i64::from(*weight) - ((slope * step) >> BITS)).clamp(-HIGH, HIGH));
        }
        let step = factor(&mut self.squares[1], square(straight));
        let straight = i64::from(self.straight) - ((straight * step) >> BITS);
        self.straight = short(straight.clamp(-HIGH, HIGH));
    }
}

/// No weight is larger, so that sums of products fit.
const HIGH: i64 = 1 << 20;

fn short(number: i64) -> i32 {
    i32::try_from(number).expect("it was clamped")
}

fn product(row: &WeightRow, values: &[i64; HIDDEN]) -> i64 {
    row.weights.iter().zip(values).map(|(weight, value)| i64::from(*weight) * value).sum()
}

/// The part of `bend` with slope 1.
fn is_linear(sum: i64) -> bool {
    (0..=4 * ONE).contains(&sum)
}

/// Bends a sum: below nothing it counts an eighth, and far above no more.
fn bend(sum: i64) -> i64 {
    match sum {
        ..0 => (sum / 8).max(-ONE),
        sum => sum.min(4 * ONE) + (sum - 4 * ONE).clamp(0, 8 * ONE) / 8,
    }
}

/// Bends a number to one between -[`ONE`] and [`ONE`].
fn squash(number: i64) -> i64 {
    number * ONE / (ONE + number.abs())
}

#[cfg(test)]
mod tests {
    use super::{Network, PolicyLesson, RATE, UNIT};
    use crate::bots::fixed_point::ONE;

    #[test]
    fn what_is_good_only_together_is_learned() {
        let mut network = Network::new(3);
        let features = |round: u32| {
            let mut list = vec![(0, UNIT)];
            list.extend((1..3).filter(|at| round >> at & 1 == 1).map(|at| (at, UNIT)));
            list
        };
        let target = |round: u32| if round.count_ones() % 2 == 1 { ONE / 2 } else { -ONE / 2 };
        for round in (0..40_000).map(|round: u32| (round * 7 % 4) << 1) {
            network.learn(RATE, &features(round), target(round), None);
        }
        for round in [0, 2, 4, 6] {
            let worth = network.worth(&network.hidden(&features(round)));
            assert!((worth - target(round)).abs() < ONE / 8, "{round}: {worth}");
        }
    }

    #[test]
    fn which_move_is_good_may_depend_on_a_feature() {
        let mut network = Network::new(2);
        let lesson = |good: usize| PolicyLesson {
            moves: vec![vec![1], vec![2], vec![3]],
            shares: (0..3).map(|at| if at == good { 1 << 16 } else { 0 }).collect(),
        };
        for round in 0..4_000 {
            let on = round % 2;
            let policy = lesson(usize::from(on == 1));
            network.learn(RATE, &[(0, UNIT), (1, on * UNIT)], 0, Some(&policy));
        }
        for on in 0..2 {
            let hidden = network.hidden(&[(0, UNIT), (1, on * UNIT)]);
            let likely = network.likely(&hidden, &lesson(0).moves);
            assert!(likely[usize::from(on == 1)] > 3 << 14, "{likely:?}");
        }
    }
}
