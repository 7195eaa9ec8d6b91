//! Go on four points, beside a small program that knows nothing of the language.

use astragal::machinery::bots::MAX_MEMORY;
use astragal::machinery::chance::Seed;
use astragal::machinery::progress::Progress;
use astragal::machinery::session::{Perft, perft};

use crate::support::{games, read, root, rules};

/// How many decisions are counted.
const DEPTH: usize = 9;

/// What each point holds: 0 nothing, else the number of a player.
type Points = [u8; 4];

/// The points beside each point: a1, b1, a2, b2.
const BESIDE: [[usize; 2]; 4] = [[1, 2], [0, 3], [0, 3], [1, 2]];

/// A game so far: what lay before each move, and how many passes came last.
#[derive(Clone)]
struct Line {
    points: Points,
    before: Vec<Points>,
    passes: usize,
}

fn is_free(points: Points, start: usize) -> bool {
    let mut group = vec![start];
    let mut at = 0;
    while let Some(point) = group.get(at).copied() {
        for next in BESIDE[point] {
            if points[next] == 0 {
                return true;
            }
            if points[next] == points[start] && !group.contains(&next) {
                group.push(next);
            }
        }
        at += 1;
    }
    false
}

fn without_captured(mut points: Points, them: u8) -> Points {
    let lost: Vec<usize> =
        (0..4).filter(|at| points[*at] == them && !is_free(points, *at)).collect();
    lost.into_iter().for_each(|at| points[at] = 0);
    points
}

/// Adds up how many lines of each length there are.
fn count(line: &Line, me: u8, superko: bool, depth: usize, counts: &mut [u64; DEPTH + 1]) {
    counts[depth] += 1;
    if depth == DEPTH || line.passes == 2 {
        return;
    }
    let mut before = line.before.clone();
    before.push(line.points);
    for at in (0..4).filter(|at| line.points[*at] == 0) {
        let mut points = line.points;
        points[at] = me;
        let points = without_captured(points, 3 - me);
        let seen = if superko {
            line.before.as_slice()
        } else {
            &line.before[line.before.len().saturating_sub(1)..]
        };
        if is_free(points, at) && !seen.contains(&points) {
            let next = Line { points, before: before.clone(), passes: 0 };
            count(&next, 3 - me, superko, depth + 1, counts);
        }
    }
    let passed = Line { points: line.points, before, passes: line.passes + 1 };
    count(&passed, 3 - me, superko, depth + 1, counts);
}

#[test]
fn go_on_four_points_has_as_many_lines_as_counted_by_hand() {
    let text = read(&root().join("examples/go.game")).replace("9 by 9", "2 by 2");
    let rules = rules("four points", &text);
    let mut rulings = 0;
    for (setting, game) in games(&rules) {
        let superko = setting.contains("superko");
        let simple = setting.contains("simple");
        if !superko && !simple {
            continue;
        }
        rulings += 1;
        let mut counts = [0; DEPTH + 1];
        let line = Line { points: [0; 4], before: Vec::new(), passes: 0 };
        count(&line, 1, superko, 0, &mut counts);
        let (progress, depth) = (Progress::default(), Some(DEPTH));
        let wanted = Perft {
            game: &game,
            start: None,
            turns: None,
            depth,
            most: 1,
            memory: MAX_MEMORY,
            seed: Seed(0),
            progress: &progress,
        };
        let found = perft(wanted, &mut []).expect("no mistake shows");
        for (depth, lines) in counts.iter().enumerate() {
            assert_eq!(found.at(depth).to_string(), lines.to_string(), "{setting}, {depth} moves");
        }
    }
    assert!(rulings >= 2, "both rulings are counted");
}
