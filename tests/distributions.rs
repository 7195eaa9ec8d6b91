//! Distributions of dice: what the solver prints is what loops over all dice count here.

use std::collections::BTreeMap;

use astragal::machinery::bots::{
    Distribution, EndQuestion, GameValue, ONE, PlayRule, Ratio, Solution, Solve, solve,
};
use astragal::machinery::game::Game;
use astragal::machinery::pipeline::{GameOptions, load};
use astragal::machinery::progress::Progress;

use crate::support::{first_game, read, root, rules};

type Counts = BTreeMap<i64, u128>;

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    let path = format!("tests/solve/{name}.game");
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let setting = GameOptions { players: Some(1), options: options.iter().map(pair).collect() };
    load(&rules(&path, &read(&root().join(&path))), &setting).expect("the game has these options")
}

/// Solves a game with the distribution of its first measure.
fn solved(game: &Game, unordered: bool, remainder: u128) -> Solution {
    let progress = Progress::new();
    let asked = Some(EndQuestion::Measure(0));
    let wanted = Solve::new(PlayRule::Best, 1_000_000, &progress);
    let wanted = Solve { asked, unordered, remainder, ..wanted };
    solve(game, &game.initial_state(), wanted).expect("the game can be solved")
}

fn distribution(solution: &Solution) -> &Distribution {
    &solution.distributions[0]
}

fn fraction(value: GameValue) -> String {
    match value {
        GameValue::Exact(ratio) => ratio.to_string(),
        GameValue::Near(_) => panic!("{value} is not exact"),
    }
}

fn ratio(over: u128, under: u128) -> String {
    let [over, under] = [over, under].map(|it| i128::try_from(it).expect("it is short"));
    Ratio::new(over, under).expect("something was counted").to_string()
}

/// Compares a distribution and its mean with what was counted.
fn agree(found: &Distribution, counts: &Counts) {
    let all: u128 = counts.values().sum();
    let expected = counts.iter().map(|(value, count)| (value.to_string(), ratio(*count, all)));
    let values = found.values.iter().map(|(word, value)| (word.clone(), fraction(*value)));
    assert_eq!(values.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let sum =
        |(value, count): (&i64, &u128)| u128::try_from(*value).expect("it is above 0") * count;
    let mean = ratio(counts.iter().map(sum).sum(), all);
    assert_eq!(found.mean.map(fraction), Some(mean));
}

fn factorial(number: u128) -> u128 {
    (1..=number).product()
}

/// Calls `see` with how many dice show each face, and in how many orders they can.
fn multisets(dice: usize, see: &mut dyn FnMut([usize; 6], u128)) {
    let mut shown = [0; 6];
    loop {
        if shown.iter().sum::<usize>() == dice {
            let orders = |count: &usize| factorial(u128::try_from(*count).expect("it is short"));
            let all = factorial(u128::try_from(dice).expect("it is short"));
            see(shown, all / shown.iter().map(orders).product::<u128>());
        }
        let Some(face) = shown.iter().position(|count| *count < dice) else { return };
        shown[..face].fill(0);
        shown[face] += 1;
    }
}

#[test]
fn ten_dice_keep_three() {
    let mut counts = Counts::new();
    multisets(10, &mut |shown, orders| {
        let faces = (0..6)
            .rev()
            .flat_map(|face| vec![face + 1; shown[usize::try_from(face).expect("faces are few")]]);
        *counts.entry(faces.take(3).sum()).or_default() += orders;
    });
    assert_eq!(counts.values().sum::<u128>(), 6_u128.pow(10));
    let solution = solved(&game("keep_the_highest", &[]), true, 0);
    assert!(solution.exact && solution.states < 6000);
    agree(distribution(&solution), &counts);
}

#[test]
fn three_dice_against_two() {
    let mut counts = Counts::new();
    for number in 0..6_usize.pow(5) {
        let die = |at: u32| number / 6_usize.pow(at) % 6;
        let (mut attack, mut defence) = ([0, 1, 2].map(die), [3, 4].map(die));
        attack.sort_unstable();
        defence.sort_unstable();
        let lost = i64::from(attack[2] > defence[1]) + i64::from(attack[1] > defence[0]);
        *counts.entry(lost).or_default() += 1;
    }
    assert_eq!(counts.values().copied().collect::<Vec<_>>(), [2275, 2611, 2890]);
    for unordered in [false, true] {
        let solution = solved(&game("three_against_two", &[]), unordered, 0);
        agree(distribution(&solution), &counts);
    }
}

/// In how many of 6^5 outcomes for each roll all dice come to show the same, if those that show
/// most often are kept.
fn alike(dice: [usize; 5], rolls: u32) -> u128 {
    let count = |face: usize| dice.iter().filter(|die| **die == face).count();
    let kept = (0..6).max_by_key(|face| count(*face)).expect("dice have faces");
    if rolls == 0 {
        return u128::from(count(kept) == 5);
    }
    let again = 5 - count(kept);
    let outcomes = 6_usize.pow(u32::try_from(again).expect("there are five"));
    let after = |number: usize| {
        let mut next = [kept; 5];
        (0..again).for_each(|at| {
            next[at] = number / 6_usize.pow(u32::try_from(at).expect("dice are few")) % 6;
        });
        alike(next, rolls - 1)
    };
    let sum: u128 = (0..outcomes).map(after).sum();
    sum * u128::try_from(6_usize.pow(5) / outcomes).expect("it is short")
}

#[test]
fn five_alike_within_three_rolls() {
    let first = (0..6_usize.pow(5)).map(|number| {
        let dice = [0, 1, 2, 3, 4].map(|at| number / 6_usize.pow(at) % 6);
        let mut sorted = dice;
        sorted.sort_unstable();
        sorted
    });
    let mut known: BTreeMap<[usize; 5], u128> = BTreeMap::new();
    let five: u128 = first.map(|dice| *known.entry(dice).or_insert_with(|| alike(dice, 2))).sum();
    let all = 6_u128.pow(15);
    let counts = Counts::from([(0, all - five), (1, five)]);
    assert_eq!(ratio(five, all), "347897/7558272");
    agree(distribution(&solved(&game("five_alike", &[]), true, 0)), &counts);
    let best = solved(&game("five_alike", &[("free", "yes")]), true, 0);
    agree(distribution(&best), &counts);
}

#[test]
fn exploding_dice_are_followed_to_a_bound() {
    let solution = solved(&game("exploding_die", &[]), true, ONE / 1_000_000_000);
    let (depth, left) = solution.cut.expect("a die can explode for ever");
    // The decision to throw, then sixes only.
    let sixes = u32::try_from(depth - 1).expect("these are few");
    assert!((12..=13).contains(&sixes) && !solution.exact);
    assert!((0..1000).contains(&(left - ONE / 6_u128.pow(sixes))), "{left}");
    let found = distribution(&solution);
    let expected = (0..sixes).flat_map(|sixes| {
        let share =
            move |face: u32| ((6 * sixes + face).to_string(), ratio(1, 6_u128.pow(sixes + 1)));
        (1..6).map(share)
    });
    let values = found.values.iter().map(|(word, value)| (word.clone(), fraction(*value)));
    assert_eq!(values.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let mean = found.mean.expect("these are numbers").trillionths();
    assert!((4_200_000_000_000 - mean).abs() < 100_000_000, "{mean}");
}

/// The same die in a loop, and several dice, whose sums are reached in several ways.
#[test]
fn dice_explode_in_loops_too() {
    let text = "game \"Dice\" { players 1 }\nthe table has { total = 0; die cube = 1..6 }\nmeasure total = total\nplay {\n  repeat 3 times {\n    repeat {\n      roll cube\n      total += cube\n    } until cube != 6\n  }\n  finish draw\n}\n";
    let game = first_game(&rules("dice.game", text));
    let solution = solved(&game, true, ONE / 1_000_000);
    let (_, left) = solution.cut.expect("dice can explode for ever");
    assert!(left > 0 && left < ONE / 1_000_000);
    // One die more at a time; sums up to 30 need at most five explosions.
    let mut counts = Counts::from([(0, 1)]);
    let under = 6_u128.pow(8);
    for _ in 0..3 {
        let mut next = Counts::new();
        for (sum, count) in &counts {
            for (sixes, face) in (0..6_u32).flat_map(|sixes| (1..6).map(move |face| (sixes, face)))
            {
                let share = count * (under / 6_u128.pow(sixes + 1));
                *next.entry(sum + 6 * i64::from(sixes) + face).or_default() += share;
            }
        }
        counts = next;
    }
    for (word, value) in distribution(&solution).values.iter().take(20) {
        let count = counts[&word.parse::<i64>().expect("it is a number")];
        assert_eq!(fraction(*value), ratio(count, under.pow(3)), "{word}");
    }
}

/// A game of four dice, of which something is kept.
fn four_dice(rest: &str, body: &str) -> Game {
    let text = format!(
        "game \"Four dice\" {{ players 1 }}\nthe table has {{ die pool[1..4] = 1..6; score = 0; \
         small: -9..9 = 0; mark: set of 1..4 = {{}} }}\nmeasure score = score\n{rest}\nplay {{\n  \
         {body}\n  finish draw\n}}\n"
    );
    first_game(&rules("four.game", &text))
}

const ROLL: &str = "roll pool for i in 1..4\n";

/// Rules to which the dice are a multiset: far fewer positions give the same distribution.
#[test]
fn dice_that_no_rule_tells_apart_are_a_multiset() {
    for body in [
        "score = sum(i in 1..4: pool[i])",
        "score = max(i in 1..4: pool[i]) - min(i in 1..4: pool[i])",
        "score = count(i in 1..4 where pool[i] == 6)",
        "var shown: set of 1..6 = {pool[i] for i in 1..4}\nscore = count(shown)",
        "score = sum(i in mark: i) + sum(i in 1..4: pool[i] + small)",
        "score = count(highest(i in 1..4 by pool[i]))",
        "for i in 1..4 where pool[i] > 2 { score += pool[i] }",
        "score = kept()",
        "score = max(f in 1..6: f * count(i in 1..4 where pool[i] == f))",
        "var left: set of 1..4 = {}\nfor i in 1..4 { left += i }\nwhile left != {} {\n  let low = \
         first(i in lowest(i in left by pool[i]))\n  if low == none { break }\n  score = 2 * score + \
         pool[low]\n  left -= low\n}",
    ] {
        let rest = "rule kept() = sum(i in 1..4: pool[i] * pool[i])";
        for roll in [ROLL, "for i in 1..4 { roll pool[i] }\n"] {
            let game = four_dice(rest, &format!("{roll}{body}"));
            let [ordered, unordered] = [false, true].map(|it| solved(&game, it, 0));
            assert_eq!(ordered.distributions, unordered.distributions, "{body}");
            assert_eq!(ordered.values, unordered.values, "{body}");
            // Before the last die 1 + 6 + 36 + 216 positions, or 1 + 6 + 21 + 56.
            assert_eq!(ordered.states - unordered.states, 175, "{body}");
        }
    }
}

/// Rules to which it matters which die shows what: nothing may be lost.
#[test]
fn dice_that_some_rule_tells_apart_stay_in_order() {
    let scored = |sum: &str| format!("{ROLL}score = {sum}");
    let best = "first(i in highest(i in 1..4 by pool[i]))";
    let bodies = [
        scored("10 * pool[1] + pool[2]"),
        scored("sum(i in 1..4: i * pool[i])"),
        scored("sum(i in 1..3: pool[i])"),
        scored("sum(i in highest(i in 1..4 by pool[i]): i)"),
        scored("count(i in highest(i in 1..4 by pool[i]) where i < 3)"),
        scored("if first(i in 1..4: pool[i] == 6) == 2 then 1 else 0"),
        scored("at(2)"),
        scored("sum(i in 1..4: at(i) * i)"),
        scored("suppose { pool[1] = 6 }: sum(i in 1..4: pool[i])"),
        scored("suppose { reset pool[4] }: total()"),
        format!("{ROLL}let top = {best}\nif top != none {{ score = top }}"),
        format!("{ROLL}let top = {best}\nif top == 1 {{ score = 1 }}"),
        format!(
            "{ROLL}let top = {best}\nif top != none {{ mark += top }}\nscore = sum(i in mark: i)"
        ),
        format!(
            "{ROLL}let top = {best}\nroll pool for i in 1..4\nif top != none {{ score = pool[top] }}"
        ),
        format!("{ROLL}let top = {best}\nagain()\nif top != none {{ score = pool[top] }}"),
        format!("{ROLL}for i in 1..4 where score < 6 {{ score += pool[i] }}"),
        format!("{ROLL}for i in 1..4 {{ score = pool[i] }}"),
        format!("{ROLL}for i in 1..4 {{ score = 3 * score + pool[i] }}"),
        format!("{ROLL}for i in 1..4 {{ if pool[i] > 3 {{ break }}\n score += pool[i] }}"),
        format!("{ROLL}for i in 1..4 {{ score += i * pool[i] }}"),
        format!("{ROLL}for x in 1..3 where pool[1] == x {{ for y in 1..2 {{ score += y }} }}"),
        format!("{ROLL}pool[1] = 3\nscore = sum(i in 1..4: pool[i])"),
        format!("{ROLL}swap pool[1] and pool[2]\nscore = pool[1]"),
        format!("{ROLL}roll pool[3]\nscore = sum(i in 1..4: pool[i] * pool[1])"),
        format!("{ROLL}roll pool for i in 2..3\nscore = sum(i in 1..4: pool[i])"),
        String::from(
            "roll pool for i in 1..2\nscore = sum(i in 1..4: pool[i] * pool[i])\nroll pool for i in 2..4\nscore += pool[2]",
        ),
        format!(
            "{ROLL}var odd: set of 1..4 = {{}}\nodd += 1\nvar left: set of 1..4 = {{}}\nfor i in 1..4 {{ left += i }}\nlet top = first(i in highest(i in left by pool[i]))\nif top != none {{ left -= top }}\nscore = count(left common odd)"
        ),
        format!(
            "{ROLL}var a: set of 1..4 = {{}}\nfor i in 1..4 where pool[i] > 3 {{ a += i }}\nvar b: set of 1..4 = {{}}\nfor i in 1..4 {{ b += i }}\nlet one = first(i in highest(i in b by pool[i]))\nif one != none {{ b -= one }}\nlet two = first(i in lowest(i in b by pool[i]))\nif two != none {{ a += two }}\nscore = 10 * count(a) + sum(i in a: pool[i])"
        ),
    ];
    let rest = "rule at(i: 1..4) = pool[i]\nrule total() = sum(i in 1..4: pool[i])\nrule again() { roll pool for i in 1..4 }";
    for body in bodies {
        let game = four_dice(rest, &body);
        let [ordered, unordered] = [false, true].map(|it| solved(&game, it, 0));
        assert_eq!(ordered.distributions, unordered.distributions, "{body}");
        assert_eq!(ordered.states, unordered.states, "{body}");
    }
    let named = four_dice("measure last = pool[4]", &scored("1"));
    let [ordered, unordered] = [false, true].map(|it| solved(&named, it, 0));
    assert_eq!(ordered.measures, unordered.measures);
}
