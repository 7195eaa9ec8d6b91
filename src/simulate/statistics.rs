//! Fixed-point statistics: means, deviations and intervals, the same on every machine.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bots::decimal;

/// A number in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millionths(pub i128);

const ONE: i128 = 1_000_000;

/// The 97.5 % point of the normal distribution, in millionths.
const Z: i128 = 1_959_964;

impl Millionths {
    pub fn ratio(over: i128, under: i128) -> Millionths {
        if under == 0 {
            return Millionths(0);
        }
        Millionths(divided(over.saturating_mul(ONE), under))
    }

    /// The number with so many decimal places.
    pub fn places(self, places: u32) -> String {
        let unit = 10_i128.pow(6_u32.saturating_sub(places));
        decimal(divided(self.0, unit), places)
    }

    #[must_use]
    pub(crate) fn abs(self) -> Millionths {
        Millionths(self.0.abs())
    }

    #[must_use]
    pub(crate) fn times(self, factor: i128) -> Millionths {
        Millionths(self.0.saturating_mul(factor))
    }

    /// The number as a percentage with one decimal place.
    pub fn percent(self) -> String {
        Millionths(self.0 * 100).places(1)
    }
}

/// Shortest: up to four decimal places, without zeros at the end.
impl fmt::Display for Millionths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.places(4);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        formatter.write_str(if text == "-0" { "0" } else { text })
    }
}

/// A share with the interval that it lies in, 19 times out of 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub(crate) rate: Millionths,
    pub low: Millionths,
    pub high: Millionths,
}

impl Share {
    /// The share of `part` in `whole` with its 95 % interval by Wilson ("Probable inference, the
    /// law of succession, and statistical inference", 1927): right also near 0 and 1.
    pub fn of(part: u64, whole: u64) -> Share {
        Share::with_reach(part, whole, Millionths(Z))
    }

    /// A share with a Wilson interval of `reach` standard deviations.
    pub(crate) fn with_reach(part: u64, whole: u64, reach: Millionths) -> Share {
        let (part, whole) = (i128::from(part), i128::from(whole));
        if whole == 0 {
            return Share { rate: Millionths(0), low: Millionths(0), high: Millionths(ONE) };
        }
        let squared = divided(reach.0 * reach.0, ONE);
        let under = whole * ONE + squared;
        let centre = part * ONE + squared / 2;
        // In millionths of millionths.
        let spread = part * (whole - part) * ONE / whole * ONE + squared * ONE / 4;
        let half = divided(integer_root(squared.saturating_mul(spread)), 1000);
        let low = if part == 0 { 0 } else { divided((centre - half) * ONE, under) };
        let high = if part == whole { ONE } else { divided((centre + half) * ONE, under) };
        let rate = Millionths::ratio(part, whole);
        Share { rate, low: Millionths(low.max(0)), high: Millionths(high.min(ONE)) }
    }
}

/// How far a number is from another, with the interval that the distance lies in, 19 times out of 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Apart {
    pub(crate) by: Millionths,
    pub(crate) low: Millionths,
    pub(crate) high: Millionths,
}

impl Apart {
    fn new(by: Millionths, margins: [i128; 2]) -> Apart {
        let [below, above] = margins;
        Apart { by, low: Millionths(by.0 - below), high: Millionths(by.0 + above) }
    }

    /// The larger side of the interval.
    pub(crate) fn margin(self) -> Millionths {
        Millionths((self.high.0 - self.by.0).max(self.by.0 - self.low.0))
    }
}

impl Share {
    /// `61.2 %`
    pub(crate) fn percent(self) -> String {
        format!("{} %", self.rate.percent())
    }

    /// `58.1-64.2`
    pub(crate) fn interval(self) -> String {
        format!("{}-{}", self.low.percent(), self.high.percent())
    }

    /// `61.2 % (58.1-64.2)`
    pub(crate) fn spoken(self) -> String {
        format!("{} ({})", self.percent(), self.interval())
    }

    /// How far it is above a share of other games (Newcombe, "Interval estimation for the difference
    /// between independent proportions", 1998).
    pub(crate) fn apart_from(self, other: Share) -> Apart {
        let far = |a: Millionths, b: Millionths, c: Millionths, d: Millionths| {
            integer_root((a.0 - b.0).pow(2) + (c.0 - d.0).pow(2))
        };
        let below = far(self.rate, self.low, other.high, other.rate);
        let above = far(self.high, self.rate, other.rate, other.low);
        Apart::new(Millionths(self.rate.0 - other.rate.0), [below, above])
    }
}

/// A sum of numbers with the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    pub(crate) count: u64,
    pub(crate) sum: i128,
    pub(crate) squares: i128,
}

impl Moments {
    pub fn add_number(&mut self, number: i64) {
        self.add_times(number, 1);
    }

    pub(crate) fn add_times(&mut self, number: i64, times: u64) {
        let (number, many) = (i128::from(number), i128::from(times));
        self.count += times;
        self.sum = self.sum.saturating_add(number.saturating_mul(many));
        self.squares = self.squares.saturating_add((number * number).saturating_mul(many));
    }

    pub(crate) fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    pub fn mean(&self) -> Millionths {
        Millionths::ratio(self.sum, self.count.into())
    }

    /// The standard deviation of a sample.
    pub fn deviation(&self) -> Millionths {
        let count = i128::from(self.count);
        if count < 2 {
            return Millionths(0);
        }
        let spread = count.saturating_mul(self.squares) - self.sum.saturating_mul(self.sum);
        let under = count * (count - 1);
        // The root of a number in millionths of millionths is in millionths.
        match spread.checked_mul(ONE * ONE) {
            Some(spread) => Millionths(integer_root(spread / under)),
            None => Millionths(integer_root(spread / under) * ONE),
        }
    }

    /// How far the mean may be off, 19 times out of 20.
    pub fn margin(&self) -> Millionths {
        if self.count < 2 {
            return Millionths(0);
        }
        // The root of the count has as many places again.
        let count = integer_root(i128::from(self.count) * ONE * ONE);
        Millionths(divided(self.deviation().0.saturating_mul(Z), count))
    }

    /// The mean and its margin, as `10.5 ± 0.3`.
    pub(crate) fn spoken(&self, places: u32) -> String {
        format!("{} ± {}", self.mean().places(places), self.margin().places(places))
    }

    /// How far the mean is from 0.
    pub(crate) fn apart(&self) -> Apart {
        Apart::new(self.mean(), [self.margin().0; 2])
    }

    /// How far the mean is above that of other games.
    pub(crate) fn apart_from(&self, other: &Moments) -> Apart {
        let margin = integer_root(self.margin().0.pow(2) + other.margin().0.pow(2));
        Apart::new(Millionths(self.mean().0 - other.mean().0), [margin; 2])
    }
}

/// One number over another, rounded to the nearest.
fn divided(over: i128, under: i128) -> i128 {
    let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
    whole + i128::from(rest >= under - rest)
}

fn integer_root(number: i128) -> i128 {
    number.max(0).isqrt()
}

#[cfg(test)]
mod tests {
    use super::{Moments, Share};

    #[test]
    fn shares_and_means_of_two_simulations_are_as_far_apart_as_tables_say() {
        // Newcombe's first example: 56 of 70 against 48 of 80, 0.20 (0.0524 to 0.3339).
        let apart = Share::of(56, 70).apart_from(Share::of(48, 80));
        let found = [apart.by, apart.low, apart.high].map(|it| it.places(4));
        assert_eq!(found, ["0.2000", "0.0524", "0.3339"]);
        let of = |numbers: [i64; 4]| {
            let mut moments = Moments::default();
            numbers.iter().for_each(|number| moments.add_number(*number));
            moments
        };
        // Standard deviations of 1.2910 each: 1.96 · 1.2910 · √(2/4).
        let apart = of([5, 6, 7, 8]).apart_from(&of([1, 2, 3, 4]));
        assert_eq!((apart.by.places(2), apart.margin().places(2)), ("4.00".into(), "1.79".into()));
    }
}
