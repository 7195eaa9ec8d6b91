//! The one door for randomness: seeds, their numbered streams, and fair picks from them.
//!
//! A [`Seed`] has 2^64 streams that never touch each other. The playout of number `n` at a table of
//! `p` players owns the streams `n × (p + 1)` to `n × (p + 1) + p`: the first belongs to the table,
//! which rolls and shuffles, the others to the seats in order. So a bot that draws once more never
//! shifts the dice, and playouts can run in any order on any number of threads.
//!
//! A stream begins in a few instructions, because a playout of a small game draws fewer numbers than
//! the set-up of a cipher costs. The generator is `xoshiro256++` (Blackman and Vigna, "Scrambled Linear
//! Pseudorandom Number Generators", 2021). Its first state and the way from its words to a pick are
//! written out here, so no update of a package can change what a seed means; a test holds golden
//! numbers.

use std::fmt;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Whoever answers draws: a seed, a script, a person with real dice.
pub trait Chance {
    /// Returns one of `0..outcomes`, all equally likely. `outcomes` is at least 1.
    fn below(&mut self, outcomes: u32) -> u32;

    /// Returns one of `0..outcomes`, all equally likely, where there may be more than one draw can
    /// tell. `outcomes` is at least 1.
    fn below_long(&mut self, outcomes: u64) -> u64 {
        if let Ok(outcomes) = u32::try_from(outcomes) {
            return self.below(outcomes).into();
        }
        // Four draws of 16 bits are evenly one of 2^64 words; the last ones, which would favour some
        // outcomes, are drawn again. `outcomes.wrapping_neg() % outcomes` is 2^64 mod outcomes.
        let last = u64::MAX - outcomes.wrapping_neg() % outcomes;
        loop {
            let word = (0..4).fold(0, |word, _| word << 16 | u64::from(self.below(1 << 16)));
            if word <= last {
                return word % outcomes;
            }
        }
    }
}

/// The number from which all randomness of a run follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// Returns the generator of one stream, at its beginning.
    ///
    /// `scramble` gives every number another one, so no two streams of a seed begin alike.
    pub fn stream(self, number: u64) -> Seeded {
        let origin = scramble(scramble(self.0).wrapping_add(number));
        let mut state = [0; 32];
        for (place, word) in (1..).zip(state.chunks_exact_mut(8)) {
            let word_at = scramble(origin.wrapping_add(GOLDEN.wrapping_mul(place)));
            word.copy_from_slice(&word_at.to_le_bytes());
        }
        Seeded { generator: Xoshiro256PlusPlus::from_seed(state) }
    }

    /// Returns the stream of the table in one playout.
    pub fn table(self, playout: u64, players: usize) -> Seeded {
        self.stream(first_stream(playout, players))
    }

    /// Returns the stream of a seat, counted from 0, in one playout.
    pub fn seat(self, playout: u64, players: usize, seat: u8) -> Seeded {
        self.stream(first_stream(playout, players).wrapping_add(u64::from(seat) + 1))
    }

    /// Returns a seed that nobody chose, from the operating system; short enough to be typed again.
    #[cfg(feature = "cli")]
    pub fn from_system() -> Option<Seed> {
        use rand::TryRng;
        rand::rngs::SysRng.try_next_u32().ok().map(|word| Seed(u64::from(word)))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// 2^64 divided by the golden ratio: its multiples are spread evenly over the words.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a word, one to one (the finisher of `SplitMix64`: Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014, in the variant 13 of David Stafford).
fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn first_stream(playout: u64, players: usize) -> u64 {
    let seats = u64::try_from(players).expect("a table has few seats");
    playout.wrapping_mul(seats + 1)
}

/// One stream of a seed: a portable generator that can be cloned.
#[derive(Clone, Debug)]
pub struct Seeded {
    generator: Xoshiro256PlusPlus,
}

impl Chance for Seeded {
    /// Scales a word of 32 bits to the range by a multiplication and draws again where that would
    /// favour some outcomes (Lemire, "Fast Random Integer Generation in an Interval", 2019).
    fn below(&mut self, outcomes: u32) -> u32 {
        assert!(outcomes > 0, "a draw has at least one outcome");
        loop {
            // The upper half of a word is the better one.
            let word = self.generator.next_u64() >> 32;
            let product = word * u64::from(outcomes);
            let [low, high] = halves(product);
            // `outcomes.wrapping_neg() % outcomes` is 2^32 mod outcomes: the words left over when
            // every outcome has got the same number of them.
            if low >= outcomes || low >= outcomes.wrapping_neg() % outcomes {
                return high;
            }
        }
    }
}

fn halves(word: u64) -> [u32; 2] {
    let half = |bits: u64| u32::try_from(bits).expect("32 bits were left");
    [half(word & u64::from(u32::MAX)), half(word >> 32)]
}

#[cfg(test)]
mod tests {
    use super::{Chance, Seed, Seeded};

    fn picks(mut source: Seeded, outcomes: u32, times: usize) -> Vec<u32> {
        (0..times).map(|_| source.below(outcomes)).collect()
    }

    #[test]
    fn a_seed_means_the_same_numbers_for_ever() {
        // A program in another language that follows the two papers gives the same.
        assert_eq!(picks(Seed(42).stream(0), 6, 12), [0, 3, 5, 2, 1, 2, 0, 5, 3, 1, 2, 4]);
        assert_eq!(picks(Seed(42).stream(7), 20, 12), [8, 9, 10, 8, 1, 17, 1, 1, 9, 18, 6, 6]);
        assert_eq!(
            picks(Seed(0).stream(0), u32::MAX, 3),
            [1_394_040_160, 1_641_705_276, 1_544_544_144]
        );
        assert_eq!(
            picks(Seed(u64::MAX).stream(u64::MAX), 3_000_000_000, 3),
            [2_106_562_854, 2_755_743_782, 979_323_997]
        );
    }

    #[test]
    fn streams_and_seeds_differ() {
        let first = picks(Seed(1).stream(0), 1000, 8);
        assert_ne!(first, picks(Seed(1).stream(1), 1000, 8));
        assert_ne!(first, picks(Seed(2).stream(0), 1000, 8));
    }

    #[test]
    fn neighbouring_streams_have_nothing_in_common() {
        // The first numbers of 10,000 neighbours are as evenly spread as those of one stream, and a
        // pair of neighbours is as often equal as chance has it.
        for depth in 0..4 {
            let nth = |number| picks(Seed(8).stream(number), 10, depth + 1)[depth];
            let firsts: Vec<u32> = (0..10_000).map(nth).collect();
            for outcome in 0..10 {
                let count = firsts.iter().filter(|it| **it == outcome).count();
                assert!((880..1_120).contains(&count), "{outcome} comes {count} times");
            }
            let equal = firsts.windows(2).filter(|pair| pair[0] == pair[1]).count();
            assert!((880..1_120).contains(&equal), "{equal} pairs are equal");
        }
    }

    #[test]
    fn table_and_seats_own_consecutive_streams() {
        let stream = |number| picks(Seed(9).stream(number), 1000, 4);
        assert_eq!(picks(Seed(9).table(5, 3), 1000, 4), stream(20));
        assert_eq!(picks(Seed(9).seat(5, 3, 2), 1000, 4), stream(23));
        assert_eq!(picks(Seed(9).table(6, 3), 1000, 4), stream(24));
    }

    #[test]
    fn every_outcome_comes_equally_often() {
        let mut counts = [0_u32; 6];
        let mut source = Seed(3).stream(0);
        for _ in 0..60_000 {
            counts[source.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_range_that_does_not_divide_the_words_is_still_fair() {
        // Without drawing again, every third outcome would come half of the time.
        let mut source = Seed(4).stream(0);
        let favoured = (0..40_000).filter(|_| source.below(3 << 30).is_multiple_of(3)).count();
        assert!((12_900..13_800).contains(&favoured), "{favoured}");
    }

    #[test]
    fn more_outcomes_than_one_draw_can_tell_come_equally_often() {
        // By a remainder alone the first third of the outcomes would come half of the time.
        let mut source = Seed(6).stream(0);
        let outcomes = 3 << 62;
        let first = (0..40_000).filter(|_| source.below_long(outcomes) < 1 << 62).count();
        assert!((12_900..13_800).contains(&first), "{first}");
        // The lowest draw and the highest come as well.
        let odd = (0..40_000).filter(|_| source.below_long((1 << 32) + 1) % 2 == 1).count();
        assert!((19_500..20_500).contains(&odd), "{odd}");
        assert_eq!(source.below_long(1), 0);
        assert!((0..1000).all(|_| source.below_long(u64::MAX) < u64::MAX));
    }

    #[test]
    fn one_outcome_is_no_surprise() {
        assert_eq!(picks(Seed(5).stream(0), 1, 3), [0, 0, 0]);
    }
}
