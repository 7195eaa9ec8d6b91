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
//! numbers. So is the generator itself, a few shifts long: machine code goes on from its words, which no
//! package hands out. A test compares it with the one of `rand_xoshiro`.

use std::fmt;

/// Answers draws: a seed, a script, a person with real dice.
pub trait Chance {
    /// Returns one of `0..outcomes`, all equally likely. `outcomes` is at least 1.
    fn below(&mut self, outcomes: u32) -> u32;

    /// Returns one of `0..count`, all equally likely: the place of something in a list.
    ///
    /// # Panics
    /// If `count` is 0, or 2^32 or more.
    #[inline]
    fn random_index(&mut self, count: usize) -> usize {
        let count = u32::try_from(count).expect("a list that is picked from is short");
        usize::try_from(self.below(count)).expect("it is below the number of places")
    }

    /// Returns one of `0..outcomes`, all equally likely. There is at least one, and there may be more than a single
    /// draw can tell apart.
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
        Seeded::from_key(scramble(self.0), number)
    }

    /// Returns the stream of the table in one playout, then those of the seats.
    pub(crate) fn streams(self, playout: u64, players: usize) -> impl Iterator<Item = Seeded> {
        let (key, first) = (scramble(self.0), first_stream(playout, players));
        (0..=seat_count(players)).map(move |place| Seeded::from_key(key, first.wrapping_add(place)))
    }

    /// Returns the stream of the table in one playout.
    pub fn table_stream(self, playout: u64, players: usize) -> Seeded {
        self.stream(first_stream(playout, players))
    }

    /// Returns the stream of a seat, counted from 0, in one playout.
    pub fn seat(self, playout: u64, players: usize, seat: u8) -> Seeded {
        self.stream(first_stream(playout, players).wrapping_add(u64::from(seat) + 1))
    }

    /// Returns a seed that has nothing to do with this one, and is as short.
    #[must_use]
    pub(crate) fn next_seed(self) -> Seed {
        Seed(scramble(self.0.wrapping_add(GOLDEN)) >> 32)
    }

    /// Returns a seed that nobody chose, from the operating system; short enough to be typed again.
    #[cfg(feature = "host")]
    pub(crate) fn from_system() -> Option<Seed> {
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
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a word, one to one (the finisher of `SplitMix64`: Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014, in the variant 13 of David Stafford).
fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn first_stream(playout: u64, players: usize) -> u64 {
    playout.wrapping_mul(seat_count(players) + 1)
}

fn seat_count(players: usize) -> u64 {
    u64::try_from(players).expect("a table has few seats")
}

/// One stream of a seed: a portable generator that can be cloned.
#[derive(Clone, Debug)]
pub struct Seeded {
    words: [u64; 4],
}

impl Seeded {
    #[inline]
    fn from_key(key: u64, number: u64) -> Seeded {
        let origin = scramble(key.wrapping_add(number));
        let word = |place| scramble(origin.wrapping_add(GOLDEN.wrapping_mul(place)));
        Seeded { words: [1, 2, 3, 4].map(word) }
    }

    /// The words from which its next numbers follow.
    pub fn state_words(&self) -> [u64; 4] {
        self.words
    }

    /// What its next pick comes from: the upper half of its next word, which is the better one.
    pub(crate) fn coming(&self) -> u64 {
        let [a, _, _, d] = self.words;
        a.wrapping_add(d).rotate_left(23).wrapping_add(a) >> 32
    }

    /// The stream that goes on from words that another one had.
    pub(crate) fn from_words(words: [u64; 4]) -> Seeded {
        Seeded { words }
    }

    /// Goes on by one word of `xoshiro256++`.
    fn advance_state(&mut self) {
        let [a, b, c, d] = self.words;
        let (mixed_c, mixed_d) = (c ^ a, d ^ b);
        self.words = [a ^ mixed_d, b ^ mixed_c, mixed_c ^ b << 17, mixed_d.rotate_left(45)];
    }
}

impl Chance for Seeded {
    /// Scales a word of 32 bits to the range by a multiplication and draws again where that would
    /// favour some outcomes (Lemire, "Fast Random Integer Generation in an Interval", 2019).
    #[inline]
    fn below(&mut self, outcomes: u32) -> u32 {
        assert!(outcomes > 0, "a draw has at least one outcome");
        loop {
            let product = self.coming() * u64::from(outcomes);
            self.advance_state();
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
