//! Counts that exceed a word.

use std::fmt;

/// An unsigned whole number of any length (bignum). Most are short, and take no room beside their
/// first word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    low: u64,
    /// The other words, the lowest first; the last is not 0.
    high: Vec<u64>,
}

/// The largest power of ten in a word, and how many zeros it has.
const TEN: (u64, usize) = (10_000_000_000_000_000_000, 19);

impl From<u64> for Count {
    fn from(low: u64) -> Count {
        Count { low, high: Vec::new() }
    }
}

impl Count {
    pub fn is_zero(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    pub fn add_count(&mut self, other: &Count) {
        self.add_times(other, 1);
    }

    pub fn add_times(&mut self, other: &Count, times: u64) {
        let mut carry = Count::multiply_add(&mut self.low, other.low, times, 0);
        let longest = self.high.len().max(other.high.len());
        for at in 0..longest {
            if at == self.high.len() {
                self.high.push(0);
            }
            let word = other.high.get(at).copied().unwrap_or(0);
            carry = Count::multiply_add(&mut self.high[at], word, times, carry);
        }
        if carry > 0 {
            self.high.push(carry);
        }
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }

    /// Adds a product and what was carried to a word, and returns what is carried on.
    fn multiply_add(word: &mut u64, other: u64, times: u64, carry: u64) -> u64 {
        let sum = u128::from(other) * u128::from(times) + u128::from(*word) + u128::from(carry);
        let halves = (sum & u128::from(u64::MAX), sum >> 64);
        *word = u64::try_from(halves.0).expect("the upper half is cut");
        u64::try_from(halves.1).expect("the lower half is cut")
    }

    /// Divides by a word and returns the rest.
    fn divide_word(&mut self, by: u64) -> u64 {
        let mut rest = 0;
        for word in self.high.iter_mut().rev().chain(std::iter::once(&mut self.low)) {
            let whole = (u128::from(rest) << 64) | u128::from(*word);
            let (quotient, left) = (whole / u128::from(by), whole % u128::from(by));
            *word = u64::try_from(quotient).expect("the rest is below the divisor");
            rest = u64::try_from(left).expect("the rest is below the divisor");
        }
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
        rest
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut digits) = (self.clone(), String::new());
        while !rest.high.is_empty() {
            let part = rest.divide_word(TEN.0);
            digits.insert_str(0, &format!("{part:0width$}", width = TEN.1));
        }
        formatter.pad_integral(true, "", &format!("{}{digits}", rest.low))
    }
}
