//! Pig by hand, as a programmer would write it.

use crate::luck::Luck;

/// Plays one game of two; gives 1 to the winner and -1 to the loser.
pub(crate) fn playout(luck: &mut impl Luck) -> [i64; 2] {
    let mut score = [0; 2];
    let mut me = 0;
    loop {
        let mut pot = 0;
        loop {
            let moves = if pot > 0 { 2 } else { 1 };
            if luck.seat(me, moves) == 0 {
                let shown = luck.table(6) + 1;
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
            return if me == 0 { [1, -1] } else { [-1, 1] };
        }
        me = 1 - me;
    }
}
