//! Pig by hand, as a programmer would write it.

use astragal::chance::{Chance, Seed};

/// Plays one game of two; gives 1 to the winner and -1 to the loser.
pub(crate) fn playout(seed: Seed, number: u64) -> Vec<i64> {
    let mut cube = seed.table(number, 2);
    let mut seats = [seed.seat(number, 2, 0), seed.seat(number, 2, 1)];
    let mut score = [0_i64; 2];
    let mut me = 0;
    loop {
        let mut pot = 0;
        loop {
            let moves = if pot > 0 { 2 } else { 1 };
            if seats[me].below(moves) == 0 {
                let shown = i64::from(cube.below(6)) + 1;
                if shown == 1 {
                    break;
                }
                pot += shown;
            } else {
                score[me] += pot;
                break;
            }
        }
        if score[me] >= 100 {
            return if me == 0 { vec![1, -1] } else { vec![-1, 1] };
        }
        me = 1 - me;
    }
}
