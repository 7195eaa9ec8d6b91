//! Connect Four by hand, as a programmer would write it: the lowest free row of each column is kept,
//! and only lines through the last stone are looked at.

use crate::luck::Luck;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const WAYS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

type Board = [[u8; COLUMNS]; ROWS];

/// Plays one game; gives 1 to the winner and -1 to the loser, or 0 to both.
pub(crate) fn playout(luck: &mut impl Luck) -> [i64; 2] {
    let mut board: Board = [[0; COLUMNS]; ROWS];
    // How many rows of each column are free; the rows are counted from the top.
    let mut free = [ROWS; COLUMNS];
    let mut me = 0;
    let mut moves = [(0, 0); COLUMNS];
    loop {
        let mut count = 0;
        for (column, free) in free.iter().enumerate().filter(|(_, free)| **free > 0) {
            moves[count as usize] = (free - 1, column);
            count += 1;
        }
        if count == 0 {
            return [0, 0];
        }
        // In the order of the board, which is the order of its cells.
        moves[..count as usize].sort_unstable();
        let (row, column) = moves[luck.seat(me, count)];
        free[column] -= 1;
        board[row][column] = if me == 0 { 1 } else { 2 };
        if WAYS.iter().any(|way| run(&board, (row, column), *way) >= 4) {
            return if me == 0 { [1, -1] } else { [-1, 1] };
        }
        me = 1 - me;
    }
}

/// How many stones of one colour lie in a row through a cell.
fn run(board: &Board, cell: (usize, usize), (down, right): (isize, isize)) -> usize {
    1 + along(board, cell, (down, right)) + along(board, cell, (-down, -right))
}

fn along(board: &Board, (row, column): (usize, usize), (down, right): (isize, isize)) -> usize {
    let stone = board[row][column];
    let (mut row, mut column, mut count) = (row, column, 0);
    while let (Some(r), Some(c)) = (row.checked_add_signed(down), column.checked_add_signed(right))
        && r < ROWS
        && c < COLUMNS
        && board[r][c] == stone
    {
        (row, column) = (r, c);
        count += 1;
    }
    count
}
