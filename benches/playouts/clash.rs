//! Elemental Clash by hand, as a programmer would write it: moves are listed, one is made.

use crate::luck::Luck;

const FIRE: usize = 0;
const WATER: usize = 1;
const EARTH: usize = 2;
const AIR: usize = 3;
const ETHER: usize = 4;
const STRENGTH: [i32; 5] = [3, 4, 5, 2, 1];

#[derive(Clone, Copy)]
enum Move {
    Attack { mine: usize, theirs: usize, call: bool },
    Revive { lost: usize },
}

#[derive(Clone, Copy, Default)]
struct Side {
    alive: [bool; 5],
    used: [bool; 5],
}

impl Side {
    fn lives(&self) -> bool {
        self.alive.iter().any(|alive| *alive)
    }
}

/// Plays one game of two with the usual options; gives the returns.
pub(crate) fn playout(luck: &mut impl Luck) -> [i64; 2] {
    let mut sides = [Side { alive: [true; 5], used: [false; 5] }; 2];
    let mut me = luck.table(2);
    let mut moves = Vec::with_capacity(64);
    loop {
        moves.clear();
        list(&sides[me], &sides[1 - me], &mut moves);
        let count = u32::try_from(moves.len()).expect("few moves");
        match moves[luck.seat(me, count)] {
            Move::Attack { mine, theirs, call } => {
                attack(&mut sides, me, (mine, theirs, call), luck);
            }
            Move::Revive { lost } => {
                sides[me].used[ETHER] = true;
                sides[me].alive[lost] = true;
            }
        }
        match (sides[0].lives(), sides[1].lives()) {
            (true, true) => me = 1 - me,
            (true, false) => return [1, -1],
            (false, true) => return [-1, 1],
            (false, false) => return [0, 0],
        }
    }
}

fn list(mine: &Side, theirs: &Side, moves: &mut Vec<Move>) {
    for a in (0..5).filter(|a| mine.alive[*a]) {
        for d in (0..5).filter(|d| theirs.alive[*d]) {
            moves.push(Move::Attack { mine: a, theirs: d, call: false });
            if (a == FIRE || a == AIR) && !mine.used[a] {
                moves.push(Move::Attack { mine: a, theirs: d, call: true });
            }
        }
    }
    if mine.alive[ETHER] && !mine.used[ETHER] {
        for lost in (0..5).filter(|lost| !mine.alive[*lost]) {
            moves.push(Move::Revive { lost });
        }
    }
}

fn attack(
    sides: &mut [Side; 2],
    me: usize,
    (mine, theirs, call): (usize, usize, bool),
    luck: &mut impl Luck,
) {
    let them = 1 - me;
    let may_answer = !sides[them].used[theirs] && (theirs == EARTH || (theirs == WATER && call));
    let answers = may_answer && luck.seat(them, 2) == 0;
    sides[me].used[mine] |= call;
    sides[them].used[theirs] |= answers;
    let (mut attack, mut defence) = (STRENGTH[mine], STRENGTH[theirs]);
    if call && !(answers && theirs == WATER) {
        if mine == FIRE {
            attack += 2;
        } else if mine == AIR {
            std::mem::swap(&mut attack, &mut defence);
        }
    }
    if defence >= attack {
        sides[me].alive[mine] = false;
    }
    if attack >= defence && !(answers && theirs == EARTH) {
        sides[them].alive[theirs] = false;
    }
}
