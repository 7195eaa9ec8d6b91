//! Backgammon beside a small program that knows nothing of the language.

use std::collections::BTreeSet;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::{Game, State};

use crate::support::{first_game, read, root, rules};

/// How many turns of a random game are compared.
const TURNS: usize = 12;

/// The men of a player by the pips that they still have to go: 0 borne off, 25 on the bar.
type Men = [u8; 26];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Board {
    mine: Men,
    theirs: Men,
}

fn opening() -> Board {
    let mut men = [0; 26];
    for (pips, count) in [(6, 5), (8, 3), (13, 5), (24, 2)] {
        men[pips] = count;
    }
    Board { mine: men, theirs: men }
}

/// The board after a man went so far, if it may.
fn moved(board: Board, from: usize, pips: usize) -> Option<Board> {
    let Board { mut mine, mut theirs } = board;
    if mine[from] == 0 || from < 25 && mine[25] > 0 {
        return None;
    }
    let to = from.saturating_sub(pips);
    if to == 0 {
        let farthest = (1..26).rfind(|at| mine[*at] > 0)?;
        if farthest > 6 || pips > from && farthest > from {
            return None;
        }
    } else if theirs[25 - to] > 1 {
        return None;
    } else {
        theirs[25] += std::mem::take(&mut theirs[25 - to]);
    }
    mine[from] -= 1;
    mine[to] += 1;
    Some(Board { mine, theirs })
}

/// Adds every board on the way, with how many numbers it took and their sum.
fn search(
    board: Board,
    left: &[usize],
    taken: (usize, usize),
    all: &mut BTreeSet<(usize, usize, Board)>,
) {
    if !all.insert((taken.0, taken.1, board)) {
        return;
    }
    for (at, pips) in left.iter().enumerate().filter(|(at, pips)| !left[..*at].contains(pips)) {
        let rest = [&left[..at], &left[at + 1..]].concat();
        for from in 1..26 {
            if let Some(next) = moved(board, from, *pips) {
                search(next, &rest, (taken.0 + 1, taken.1 + pips), all);
            }
        }
    }
}

/// The boards that a turn can end with: as many numbers used as possible, of one the higher.
fn ends(board: Board, dice: [usize; 2]) -> BTreeSet<Board> {
    let numbers = if dice[0] == dice[1] { vec![dice[0]; 4] } else { dice.to_vec() };
    let mut all = BTreeSet::new();
    search(board, &numbers, (0, 0), &mut all);
    let most = all.iter().map(|(used, ..)| *used).max().unwrap_or_default();
    let highest = all.iter().filter(|(used, ..)| *used == most).map(|(_, pips, _)| *pips).max();
    let best = all
        .into_iter()
        .filter(|(used, pips, _)| *used == most && (most != 1 || Some(*pips) == highest));
    best.map(|(.., board)| board).collect()
}

/// The states in which the turn of a player can end in the game.
fn ends_of_game(game: &Game, state: &State) -> BTreeSet<State> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![state.clone()]);
    while let Some(state) = open.pop() {
        if game.current_player(&state).is_none() {
            found.insert(state);
            continue;
        }
        if seen.insert(state.clone()) {
            for action in game.legal_actions(&state) {
                let mut next = state.clone();
                game.apply_action(&mut next, &action).expect("the move is legal");
                open.push(next);
            }
        }
    }
    found
}

/// Rolls both dice; the outcomes are the numbers in order.
fn roll(game: &Game, state: &mut State, dice: [usize; 2]) {
    for number in dice {
        let outcome = u32::try_from(number - 1).expect("a die is small");
        game.apply_outcome(state, outcome).expect("a die is rolled");
    }
}

fn backgammon() -> Game {
    first_game(&rules("backgammon.game", &read(&root().join("examples/backgammon.game"))))
}

#[test]
fn a_three_and_a_one_can_be_played_in_sixteen_ways() {
    let game = backgammon();
    let mut state = game.start().expect("the rules hold");
    roll(&game, &mut state, [3, 1]);
    assert_eq!(ends_of_game(&game, &state).len(), 16);
    assert_eq!(ends(opening(), [3, 1]).len(), 16);
}

#[test]
fn turns_end_as_in_another_program() {
    let game = backgammon();
    for seed in 0..3 {
        let (mut chance, mut board) = (Seed(seed).stream(0), opening());
        let mut state = game.start().expect("the rules hold");
        for turn in 0..TURNS {
            let mut thrown = || 1 + chance.below(6) as usize;
            let mut dice = [thrown(), thrown()];
            if turn == 0 && dice[0] == dice[1] {
                dice[0] = 1 + dice[1] % 6;
            }
            roll(&game, &mut state, dice);
            let found = ends_of_game(&game, &state);
            assert_eq!(found.len(), ends(board, dice).len(), "seed {seed}, turn {turn}, {dice:?}");
            while game.current_player(&state).is_some() && !game.is_chance(&state) {
                let actions = game.legal_actions(&state);
                let most = u32::try_from(actions.len()).expect("moves are few");
                let action = &actions[chance.below(most) as usize];
                let number = |at: usize| action.arguments[at].parse().expect("it is a number");
                board = moved(board, number(0), number(1)).expect("both allow it");
                game.apply_action(&mut state, action).expect("the move is legal");
            }
            if game.is_terminal(&state) {
                break;
            }
            board = Board { mine: board.theirs, theirs: board.mine };
        }
    }
}
