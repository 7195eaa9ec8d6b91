//! Fixed-point statistics: means, deviations and intervals, the same on every machine.

use std::fmt;

use crate::bots::decimal;

/// A number in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub i128);

const ONE: i128 = 1_000_000;

/// The square of the 97.5 % point of the normal distribution, in millionths.
const Z_SQUARED: i128 = 3_841_459;

/// The 97.5 % point itself, in millionths.
const Z: i128 = 1_959_964;

impl Number {
    pub fn ratio(over: i128, under: i128) -> Number {
        if under == 0 {
            return Number(0);
        }
        Number(divided(over.saturating_mul(ONE), under))
    }

    /// The number with so many places behind the point.
    pub fn places(self, places: u32) -> String {
        let unit = 10_i128.pow(6_u32.saturating_sub(places));
        decimal(divided(self.0, unit), places)
    }

    /// The number as a percentage with a place behind the point.
    pub fn percent(self) -> String {
        Number(self.0 * 100).places(1)
    }
}

/// Shortest: up to four places behind the point, without zeros at the end.
impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.places(4);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        formatter.write_str(if text == "-0" { "0" } else { text })
    }
}

/// A share with the interval that it lies in, 19 times out of 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub rate: Number,
    pub low: Number,
    pub high: Number,
}

impl Share {
    /// The share of `part` in `whole` with its 95 % interval by Wilson ("Probable inference, the
    /// law of succession, and statistical inference", 1927): right also near 0 and 1.
    pub fn of(part: u64, whole: u64) -> Share {
        let (part, whole) = (i128::from(part), i128::from(whole));
        if whole == 0 {
            return Share { rate: Number(0), low: Number(0), high: Number(ONE) };
        }
        let under = whole * ONE + Z_SQUARED;
        let centre = part * ONE + Z_SQUARED / 2;
        // In millionths of millionths.
        let spread = part * (whole - part) * ONE / whole * ONE + Z_SQUARED * ONE / 4;
        let half = divided(root(Z_SQUARED.saturating_mul(spread)), 1000);
        let low = if part == 0 { 0 } else { divided((centre - half) * ONE, under) };
        let high = if part == whole { ONE } else { divided((centre + half) * ONE, under) };
        let rate = Number::ratio(part, whole);
        Share { rate, low: Number(low.max(0)), high: Number(high.min(ONE)) }
    }
}

/// A sum of numbers with the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize, serde::Deserialize))]
pub struct Moments {
    pub count: u64,
    pub sum: i128,
    pub squares: i128,
}

impl Moments {
    pub fn add(&mut self, number: i64) {
        self.add_times(number, 1);
    }

    pub fn add_times(&mut self, number: i64, times: u64) {
        let (number, many) = (i128::from(number), i128::from(times));
        self.count += times;
        self.sum = self.sum.saturating_add(number.saturating_mul(many));
        self.squares = self.squares.saturating_add((number * number).saturating_mul(many));
    }

    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    pub fn mean(&self) -> Number {
        Number::ratio(self.sum, self.count.into())
    }

    /// The standard deviation of a sample.
    pub fn deviation(&self) -> Number {
        let count = i128::from(self.count);
        if count < 2 {
            return Number(0);
        }
        let spread = count.saturating_mul(self.squares) - self.sum.saturating_mul(self.sum);
        let under = count * (count - 1);
        // The root of a number in millionths of millionths is in millionths.
        match spread.checked_mul(ONE * ONE) {
            Some(spread) => Number(root(spread / under)),
            None => Number(root(spread / under) * ONE),
        }
    }

    /// How far the mean may be off, 19 times out of 20.
    pub fn margin(&self) -> Number {
        if self.count < 2 {
            return Number(0);
        }
        // The root of the count has as many places again.
        let count = root(i128::from(self.count) * ONE * ONE);
        Number(divided(self.deviation().0.saturating_mul(Z), count))
    }
}

/// One number over another, rounded to the nearest.
fn divided(over: i128, under: i128) -> i128 {
    let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
    whole + i128::from(rest >= under - rest)
}

fn root(number: i128) -> i128 {
    number.max(0).isqrt()
}
