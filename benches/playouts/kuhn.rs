//! Kuhn poker by hand, as a programmer would write it.

use crate::luck::Luck;

/// Plays one game of two; gives 1 to the winner and -1 to the loser.
pub(crate) fn playout(luck: &mut impl Luck) -> [i64; 2] {
    let first = luck.table(3);
    let other = luck.table(2);
    let second = if other < first { other } else { other + 1 };
    let showdown = usize::from(second > first);
    // Each move is the second of two: to bet, or to fold.
    let mut picks_second = |me: usize| luck.seat(me, 2) == 1;
    let winner = if picks_second(0) {
        if picks_second(1) { 0 } else { showdown }
    } else if picks_second(1) && picks_second(0) {
        1
    } else {
        showdown
    };
    if winner == 0 { [1, -1] } else { [-1, 1] }
}
