//! Tic-tac-toe by hand, as a programmer would write it.

use crate::luck::Luck;

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Plays one game; gives 1 to the winner and -1 to the loser, or 0 to both.
pub(crate) fn playout(luck: &mut impl Luck) -> [i64; 2] {
    let mut at: [Option<usize>; 9] = [None; 9];
    let mut me = 0;
    let mut free = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    for left in (1..=9_u32).rev() {
        let choice = luck.seat(me, left);
        at[free[choice]] = Some(me);
        // The free cells stay in order, as the moves are listed.
        free.copy_within(choice + 1..left as usize, choice);
        if LINES.iter().any(|line| line.iter().all(|cell| at[*cell] == Some(me))) {
            return if me == 0 { [1, -1] } else { [-1, 1] };
        }
        me = 1 - me;
    }
    [0, 0]
}
