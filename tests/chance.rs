//! The generator: the same numbers from a seed everywhere, and evenly spread.

use astragal::machinery::chance::{Chance, Seed, Seeded};

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
fn the_generator_is_the_one_that_was_published() {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    let mut ours = Seed(5).stream(3);
    let words = ours.state_words().map(u64::to_le_bytes);
    let state: [u8; 32] = words.concat().try_into().expect("four words have 32 bytes");
    let mut theirs = Xoshiro256PlusPlus::from_seed(state);
    // Of 2^31 outcomes each is as likely as the next: none is drawn again.
    for _ in 0..1000 {
        assert_eq!(u64::from(ours.below(1 << 31)), theirs.next_u64() >> 33);
    }
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
    assert_eq!(picks(Seed(9).table_stream(5, 3), 1000, 4), stream(20));
    assert_eq!(picks(Seed(9).seat(5, 3, 2), 1000, 4), stream(23));
    assert_eq!(picks(Seed(9).table_stream(6, 3), 1000, 4), stream(24));
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
