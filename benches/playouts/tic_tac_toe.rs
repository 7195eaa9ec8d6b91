//! Tic-tac-toe by hand, as a programmer would write it.

use astragal::chance::{Chance, Seed};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Plays one game; gives 1 to the winner and -1 to the loser, or 0 to both.
pub(crate) fn playout(seed: Seed, number: u64) -> Vec<i64> {
    let mut seats = [seed.seat(number, 2, 0), seed.seat(number, 2, 1)];
    let mut at: [Option<usize>; 9] = [None; 9];
    let mut me = 0;
    let mut free = Vec::with_capacity(9);
    loop {
        free.clear();
        free.extend((0..9).filter(|cell| at[*cell].is_none()));
        if free.is_empty() {
            return vec![0, 0];
        }
        let count = u32::try_from(free.len()).expect("there are nine cells");
        at[free[seats[me].below(count) as usize]] = Some(me);
        if LINES.iter().any(|line| line.iter().all(|cell| at[*cell] == Some(me))) {
            return if me == 0 { vec![1, -1] } else { vec![-1, 1] };
        }
        me = 1 - me;
    }
}
