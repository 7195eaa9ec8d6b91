//! The spread of payoffs, by which a search measures differences.

/// How far apart games come out. Measured by their whole range, games that are mostly near each
/// other would all look the same, and the search would find nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    count: i128,
    sum: i128,
    squares: i128,
    range: Option<(i128, i128)>,
    width: i128,
}

impl Spread {
    pub(super) fn add_value(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum = self.sum.saturating_add(value);
        self.squares = self.squares.saturating_add(value.saturating_mul(value));
        let of_counts = self.count.saturating_mul(self.squares);
        let variance = of_counts.saturating_sub(self.sum.saturating_mul(self.sum)).max(0);
        let (least, most) = self.range.unwrap_or((value, value));
        let (least, most) = (least.min(value), most.max(value));
        self.range = Some((least, most));
        // Where a search settles, the deviation shrinks, and what came out worse once would never be tried again.
        self.width = (2 * variance.isqrt() / self.count).max((most - least) / 2);
    }

    /// Twice the standard deviation: of games that are won and lost equally often, all of the
    /// range; and at least half of the range.
    pub(super) fn spread_width(&self) -> i128 {
        self.width.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn a_search_that_settles_measures_by_half_of_the_range() {
        let mut seen = Spread::default();
        [0, 4].into_iter().for_each(|value| seen.add_value(value));
        assert_eq!(seen.spread_width(), 4);
        (0..100_000).for_each(|_| seen.add_value(4));
        // Twice the deviation is less than 1 by now.
        assert_eq!(seen.spread_width(), 2);
    }
}
