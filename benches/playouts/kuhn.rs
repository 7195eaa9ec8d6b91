//! Kuhn poker by hand, as a programmer would write it.

use astragal::chance::{Chance, Seed};

/// Plays one game of two; gives 1 to the winner and -1 to the loser.
pub(crate) fn playout(seed: Seed, number: u64) -> Vec<i64> {
    let mut deck = seed.table(number, 2);
    let mut seats = [seed.seat(number, 2, 0), seed.seat(number, 2, 1)];
    let first = deck.below(3);
    let other = deck.below(2);
    let second = if other < first { other } else { other + 1 };
    let showdown = usize::from(second > first);
    // Each move is the second of two: to bet, or to fold.
    let mut picks_second = |me: usize| seats[me].below(2) == 1;
    let winner = if picks_second(0) {
        if picks_second(1) { 0 } else { showdown }
    } else if picks_second(1) && picks_second(0) {
        1
    } else {
        showdown
    };
    if winner == 0 { vec![1, -1] } else { vec![-1, 1] }
}
