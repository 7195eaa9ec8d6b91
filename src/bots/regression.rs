//! Ridge regression in whole numbers: what each feature adds to what follows.

/// How many bits of a weight stand behind the point.
pub(super) const BITS: u32 = 16;

/// As if so many rows had shown for each feature alone that nothing follows from it: few rows say
/// little (ridge regression).
const DOUBT: i64 = 200;

/// How often all weights are computed again, at most.
const ROUNDS: usize = 200;

/// Rows of features, each with what followed, summed up.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    width: usize,
    /// For each pair of features the sum of their products.
    squares: Vec<i64>,
    /// For each feature the sum of its products with what followed.
    products: Vec<i128>,
}

impl Fit {
    pub(super) fn new(width: usize) -> Fit {
        Fit { width, squares: vec![0; width * width], products: vec![0; width] }
    }

    /// Adds a row: how much there is of each feature, and what followed.
    pub(super) fn add(&mut self, row: &[i64], followed: i64) {
        let there: Vec<usize> = (0..self.width).filter(|at| row[*at] != 0).collect();
        for a in &there {
            self.products[*a] += i128::from(followed) * i128::from(row[*a]);
            for b in &there {
                self.squares[a * self.width + b] += row[*a] * row[*b];
            }
        }
    }

    /// The weights under which the sum of the features is nearest to what followed, with [`BITS`]
    /// bits behind the point. Each is computed from the others, until none changes any more
    /// (Gauss-Seidel).
    pub(super) fn weights(&self) -> Vec<i64> {
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
            fit.add(&row, 100 * row[0] - 50 * row[1]);
        }
        let weights: Vec<i64> = fit.weights().into_iter().map(|weight| weight >> BITS).collect();
        assert!((90..=100).contains(&weights[0]), "{weights:?}");
        assert!((-50..=-40).contains(&weights[1]), "{weights:?}");
        assert_eq!(weights[2], 0);
    }

    #[test]
    fn few_rows_say_little() {
        let mut fit = Fit::new(1);
        (0..10).for_each(|_| fit.add(&[1], 1000));
        assert!(fit.weights()[0] >> BITS < 50);
    }
}
