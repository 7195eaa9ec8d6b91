//! Games whose values are known from elsewhere, or computed here without the solver.

use std::fmt::Write;

use astragal::machinery::bots::{GameValue, PlayRule, Solution, Solve, solve, solve_along};
use astragal::machinery::game::Game;
use astragal::machinery::progress::Progress;
use astragal::machinery::session::{Pin, pinned};

use crate::commands::{astragal, astragal_in};
use crate::support::{effort, first_game, read, root, rules};

fn game(path: &str) -> Game {
    first_game(&rules(path, &read(&root().join(path))))
}

fn uniform(path: &str) -> Solution {
    let (game, progress) = (game(path), Progress::new());
    let wanted = Solve::new(PlayRule::Uniform, 1_000_000, &progress);
    solve(&game, &game.initial_state(), wanted).expect("the game can be solved")
}

fn fractions(values: &[GameValue]) -> Vec<String> {
    let fraction = |value: &GameValue| match value {
        GameValue::Exact(ratio) => ratio.to_string(),
        GameValue::Near(_) => panic!("{value} is not exact"),
    };
    values.iter().map(fraction).collect()
}

fn measure(solution: &Solution, wanted: &str) -> Vec<String> {
    let found = solution.measures.iter().find(|(name, _)| name == wanted);
    fractions(&found.expect("the file measures it").1)
}

/// The expected returns that `OpenSpiel` gives for players who decide uniformly at random.
#[test]
fn poker_at_random_costs_what_it_is_known_to_cost() {
    let leduc = uniform("tests/games/leduc_poker.game");
    assert_eq!(measure(&leduc, "net"), ["-5/64", "5/64"]);
    let scores = leduc.scores.as_deref().expect("every game ends with scores");
    assert_eq!(fractions(scores), ["827/64", "837/64"]);
    let three = uniform("tests/games/kuhn_three.game");
    assert_eq!(measure(&three, "net"), ["15/64", "-3/64", "-3/16"]);
}

/// 244/495 is in every book on dice.
#[test]
fn the_pass_line_of_craps_wins_a_little_less_than_half() {
    let craps = uniform("tests/games/craps.game");
    assert_eq!(fractions(&craps.wins), ["244/495", "251/495"]);
    assert!(craps.exact);
}

#[test]
fn goofspiel_at_random_is_what_all_orders_of_cards_come_to() {
    let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let (mut wins, mut points) = ([0_i128; 2], 0_i128);
    for prizes in orders {
        for bids in orders.iter().flat_map(|a| orders.iter().map(move |b| [a, b])) {
            let won = |own: usize| -> i128 {
                let won = (0..3).filter(|at| bids[own][*at] > bids[1 - own][*at]);
                won.map(|at| prizes[at]).sum()
            };
            let [first, second] = [won(0), won(1)];
            wins[0] += i128::from(first > second);
            wins[1] += i128::from(second > first);
            points += first;
        }
    }
    let solution = uniform("tests/games/goofspiel_three.game");
    let share = |part: i128| {
        let ratio = astragal::machinery::bots::Ratio::new(part, 216).expect("216 is not 0");
        ratio.to_string()
    };
    assert_eq!(fractions(&solution.wins), [share(wins[0]), share(wins[1])]);
    assert_eq!(measure(&solution, "points")[0], share(points));
}

#[test]
fn only_pinned_outcomes_are_followed() {
    let game = game("tests/games/craps.game");
    let progress = Progress::new();
    let wanted = Solve::new(PlayRule::Uniform, 1000, &progress);
    let mut pins = [Pin::new("roll cup[1]: 6")];
    let mut draws = |game: &_, state: &_, outcomes| pinned(game, state, outcomes, &mut pins);
    let solution = solve_along(&game, &game.initial_state(), wanted, &mut draws);
    let solution = solution.expect("the game can be solved");
    assert!(pins[0].used);
    // With a six and another die: 1 and 5 win at once, 6 loses, each point is met by one face of
    // six and lost by one: 2/6 + 3/6 · 1/2.
    assert_eq!(fractions(&solution.wins), ["7/12", "5/12"]);
}

/// A position of Elemental Clash for two, by numbers of elements as bits: what the player to move
/// has and has used, then the same of the other.
type Clash = [[u8; 2]; 2];

const ELEMENTS: [&str; 5] = ["fire", "water", "earth", "air", "ether"];
const CALLS: [&str; 5] = ["blaze", "surge", "fortify", "gale", "revive"];
const STRENGTHS: [i8; 5] = [3, 4, 5, 2, 1];
const FIRE: usize = 0;
const WATER: usize = 1;
const EARTH: usize = 2;
const AIR: usize = 3;
const ETHER: usize = 4;

/// The rules of Elemental Clash once more, on bits.
struct Clashes {
    gale_on_defence: bool,
    /// The value of each position that is known, by its bits.
    known: Vec<Option<i8>>,
}

fn has(set: u8, element: usize) -> bool {
    set >> element & 1 == 1
}

impl Clashes {
    /// What a position is worth to the player to move: 1, 0 or -1.
    fn value(&mut self, at: Clash) -> i8 {
        let [[mine, used], [theirs, _]] = at;
        if mine == 0 || theirs == 0 {
            return i8::from(mine != 0) - i8::from(theirs != 0);
        }
        let bits = at.iter().flatten().fold(0, |bits, set| bits << 5 | usize::from(*set));
        if let Some(value) = self.known[bits] {
            return value;
        }
        let mut best = -1;
        for own in (0..5).filter(|own| has(mine, *own)) {
            for other in (0..5).filter(|other| has(theirs, *other)) {
                best = best.max(self.attacked(at, own, other, false));
                if (own == FIRE || own == AIR) && !has(used, own) {
                    best = best.max(self.attacked(at, own, other, true));
                }
            }
        }
        if has(mine, ETHER) && !has(used, ETHER) {
            for lost in (0..5).filter(|lost| !has(mine, *lost)) {
                best = best.max(-self.value([at[1], [mine | 1 << lost, used | 1 << ETHER]]));
            }
        }
        self.known[bits] = Some(best);
        best
    }

    /// The same after an attack: the defender answers as is best, or stands.
    fn attacked(&mut self, at: Clash, own: usize, other: usize, calls: bool) -> i8 {
        let stands = self.resolved(at, (own, calls), (other, false));
        let can = match other {
            EARTH => true,
            WATER => calls,
            AIR => self.gale_on_defence,
            _ => false,
        };
        if can && !has(at[1][1], other) {
            return stands.min(self.resolved(at, (own, calls), (other, true)));
        }
        stands
    }

    fn resolved(&mut self, at: Clash, own: (usize, bool), other: (usize, bool)) -> i8 {
        let [[mut mine, mut used], [mut theirs, mut used_there]] = at;
        used |= u8::from(own.1) << own.0;
        used_there |= u8::from(other.1) << other.0;
        let (mut attack, mut defence) = (STRENGTHS[own.0], STRENGTHS[other.0]);
        if own == (FIRE, true) && other != (WATER, true) {
            attack += 2;
        }
        let swaps = usize::from(own == (AIR, true) && other != (WATER, true))
            + usize::from(other == (AIR, true));
        if swaps == 1 {
            (attack, defence) = (defence, attack);
        }
        if defence >= attack {
            mine &= !(1 << own.0);
        }
        if attack >= defence && other != (EARTH, true) {
            theirs &= !(1 << other.0);
        }
        -self.value([[theirs, used_there], [mine, used]])
    }
}

/// What `solve` says of a position, the other player's turn having just begun.
fn clash_solved(at: Clash, gale_on_defence: bool) -> String {
    let names = |words: [&str; 5], set: u8| {
        let chosen = (0..5).filter(|element| has(set, *element)).map(|element| words[element]);
        format!("{{{}}}", chosen.collect::<Vec<_>>().join(", "))
    };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("clashes");
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let mut script = "game elemental-clash\n".to_owned();
    if gale_on_defence {
        script += "option gale_on_defense = yes\n";
    }
    script += "\n* random Player: P1\n";
    for (player, [alive, used]) in ["P1", "P2"].iter().zip(at) {
        let _ = writeln!(script, "set {player}.alive = {}", names(ELEMENTS, alive));
        let _ = writeln!(script, "set {player}.used = {}", names(CALLS, used));
    }
    let file = format!("{at:?}-{gale_on_defence}.script").replace([' ', '[', ']'], "");
    std::fs::write(folder.join(&file), script).expect("the folder of tests can be written");
    let ran = astragal_in(&folder, &["solve", "--load", &file, "--max-states", "100000000"], "");
    assert_eq!(ran.exit, Some(0), "{}", ran.errors);
    let line = ran.output.lines().find(|line| line.starts_with("P1 ")).expect("P1 has a value");
    let value = line.split("value ").nth(1).expect("it says the value");
    value.split(',').next().expect("a text has a beginning").to_owned()
}

/// From a fixed starter the game is a draw, and the starter wins where Air may also defend with
/// Gale. `solve` says so, too, of positions that a test has time for; of all with more effort.
#[test]
fn elemental_clash_is_drawn_and_won_with_gale_in_defence() {
    const ALL: [u8; 2] = [0b11111, 0];
    let mut positions = vec![
        [[0b11000, 0], [0b11000, 0]],
        [[0b01110, 0b10000], [0b01110, 0b10000]],
        [[0b01101, 0b10000], [0b00110, 0b10000]],
        [[0b11010, 0b11010], [0b01011, 0b11000]],
    ];
    if effort() > 1 {
        positions.push([ALL, ALL]);
    }
    for (gale_on_defence, value) in [(false, 0), (true, 1)] {
        let mut clashes = Clashes { gale_on_defence, known: vec![None; 1 << 20] };
        assert_eq!(clashes.value([ALL, ALL]), value, "{gale_on_defence}");
        for at in &positions {
            let expected = clashes.value(*at).to_string();
            assert_eq!(clash_solved(*at, gale_on_defence), expected, "{at:?}, {gale_on_defence}");
        }
    }
}

/// How likely each pot ends a turn of Pig, the lost one first, where a player with this score holds
/// as soon as the pot is worth so much, or wins.
fn turn(score: usize, hold: usize, target: usize) -> Vec<f64> {
    let mut reached = vec![0.0; hold.max(target) + 6];
    let mut ends = vec![0.0; reached.len()];
    reached[0] = 1.0;
    for pot in 0..reached.len() {
        if pot > 0 && (pot >= hold || score + pot >= target) {
            ends[pot] = reached[pot];
        } else if reached[pot] > 0.0 {
            ends[0] += reached[pot] / 6.0;
            for die in 2..=6 {
                reached[pot + die] += reached[pot] / 6.0;
            }
        }
    }
    ends
}

/// How likely the first of two players of Pig wins, by backward induction over both scores: while
/// nobody scores, the turns go round, which leaves two equations.
fn first_wins(holds: [usize; 2], target: usize) -> f64 {
    // By seat to move, own score and score of the other.
    let mut wins = vec![vec![vec![0.0; target]; target]; 2];
    for sum in (0..2 * target - 1).rev() {
        for own in sum.saturating_sub(target - 1)..=sum.min(target - 1) {
            let other = sum - own;
            let known = |seat: usize, own: usize, other: usize| -> (f64, f64) {
                let ends = turn(own, holds[seat], target);
                let scored = ends.iter().enumerate().skip(1).map(|(pot, chance)| {
                    let won = own + pot >= target;
                    chance * if won { 1.0 } else { 1.0 - wins[1 - seat][other][own + pot] }
                });
                (ends[0], scored.sum())
            };
            let both = [0, 1].map(|seat| {
                let ((lost, scored), (others, theirs)) =
                    (known(seat, own, other), known(1 - seat, other, own));
                // mine = lost · (1 - yours) + scored, yours = others · (1 - mine) + theirs.
                (lost * (1.0 - others - theirs) + scored) / (1.0 - lost * others)
            });
            for (wins, mine) in wins.iter_mut().zip(both) {
                wins[own][other] = mine;
            }
        }
    }
    wins[0][0][0]
}

#[test]
fn strategies_of_pig_win_as_often_as_they_must() {
    let of = |word: &str| if word == "Hold at 20" { 20 } else { 25 };
    for seats in [["Hold at 20", "Hold at 25"], ["Hold at 25", "Hold at 20"]] {
        let joined = seats.join(",");
        let words = ["simulate", "pig", "-n", "3000", "--seed", "1", "--seats", &joined];
        let ran = astragal(&[&words[..], &["--format", "json"]].concat(), "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
        let rate = &value["win_rate"][0];
        let expected = first_wins(seats.map(of), 100);
        let ends = ["low", "high"].map(|end| rate[end].as_f64().expect("a number"));
        assert!(
            ends[0] < expected && expected < ends[1],
            "{joined}: {expected} is not in {ends:?}"
        );
    }
}

/// A strategy of a file of its own, with ties, arguments, and what no line names.
#[test]
fn the_first_line_that_fits_decides() {
    let text = "game \"Heap\" { players 2 }\n\
        the table has { left: 0..9 = 9 }\n\
        measure rest = left\n\
        play { choose Player.first { take(n, m) for n in 1..3 for m in 1..3 { left -= n * m } }\n\
        choose Player.last { keep { }; drop { left -= 1 } }\n  finish draw }\n\
        strategy \"Careful\" { take(n, m) when n * m > 4 by lowest n * m; take; keep }\n\
        strategy \"Bold\" { take(_, m) by highest m; drop when left == 9; drop }\n\
        strategy \"Fussy\" { take(n, m)\n  by highest m, lowest n; drop }\n";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("strategies");
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    std::fs::write(folder.join("heap.game"), text).expect("the folder of tests can be written");
    let rest = |seats: &str| {
        let words = ["simulate", "heap.game", "-n", "60", "--seed", "1", "--format", "json"];
        let ran = astragal_in(&folder, &[&words[..], &["--seats", seats]].concat(), "");
        assert_eq!(ran.exit, Some(0), "{}", ran.errors);
        let value: serde_json::Value = serde_json::from_str(&ran.output).expect("it is JSON");
        let end = |end: &str| value["measures"]["rest"][end].as_i64().expect("a number");
        (end("min"), end("max"))
    };
    // 2 · 3 is the least product above 4; `keep` leaves the 3, `drop` takes one more.
    assert_eq!(rest("Careful"), (3, 3));
    assert_eq!(rest("Careful,Bold"), (2, 2));
    // The highest `m` is 3, whatever `n` is.
    assert_eq!(rest("Bold,Careful"), (0, 6));
    // Of those with the highest `m`, the one with the lowest `n`.
    assert_eq!(rest("Fussy,Careful"), (6, 6));
}
