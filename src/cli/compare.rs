//! Says in sentences what an option changes, and what differs from an earlier simulation.

use serde_json::{Value, json};

use super::output_formats::{columns, number};
use super::results::{Results, nth};
use crate::simulate::{Apart, Moments, Share, Tally};

/// A number of two simulations, and how far apart they are.
pub(super) struct Change {
    /// `P1 (random) wins`, `A game takes`.
    what: String,
    apart: Apart,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A share of games, said in percentage points.
    Points,
    Plain(&'static str),
}

impl Change {
    /// `P1 wins 4.0 ± 1.2 points more often with a = 2 than with a = 1`
    fn sentence(&self, with: &str) -> String {
        let Change { what, apart, unit } = self;
        let direction = if apart.by.0 < 0 { "less" } else { "more" };
        let (scale, unit, how) = match unit {
            Unit::Points => (100, "points ", " often"),
            Unit::Plain("") => (1, "", ""),
            Unit::Plain(unit) => (1, *unit, ""),
        };
        let size = apart.by.abs().times(scale).places(1);
        let margin = apart.margin().times(scale).places(1);
        let text = format!("{what} {size} ± {margin} {unit}{direction}{how} {with}");
        if apart.is_clear() { text } else { format!("{text}: no clear difference") }
    }
}

/// What the options change, the clear changes first.
pub(super) fn sentences(results: &Results) -> Vec<String> {
    let mut sentences = Vec::new();
    for (first, second) in pairs(results) {
        let (from, to) = (results.values(first), results.values(second));
        let differ = |at: &usize| from[*at] != to[*at];
        let words = |values: &[&str]| {
            let differing = (0..values.len()).filter(differ);
            let differing = differing.map(|at| format!("{} = {}", results.varied[at], values[at]));
            differing.collect::<Vec<_>>().join(", ")
        };
        let with = format!("with {} than with {}", words(&to), words(&from));
        let changes = changes(results, (first, second));
        sentences.extend(changes.iter().map(|it| (!it.apart.is_clear(), it.sentence(&with))));
    }
    sentences.sort_by_key(|(unclear, _)| *unclear);
    sentences.into_iter().map(|(_, sentence)| sentence).collect()
}

/// The pairs of settings that are compared in words: in a grid those that differ from the first one
/// in one option.
fn pairs(results: &Results) -> Vec<(usize, usize)> {
    let differ = |(first, second): &(usize, usize)| {
        let (one, other) = (results.values(*first), results.values(*second));
        one.iter().zip(&other).filter(|(one, other)| one != other).count() == 1
    };
    let is_grid = results.varied.len() > 1;
    let pairs = results.played.differences.keys().copied();
    pairs.filter(|pair| !is_grid || (pair.0 == 0 && differ(pair))).collect()
}

/// What a second setting changes, by the same games under both.
fn changes(results: &Results, (first, second): (usize, usize)) -> Vec<Change> {
    let difference = &results.played.differences[&(first, second)];
    let reordered = [first, second].iter().any(|run| results.played.tallies[*run].reordered > 0);
    // Where the starter is drawn, seats win alike whatever the rules are.
    let wins = if reordered { &difference.places } else { &difference.wins };
    let wins = wins.iter().enumerate().map(|(at, moments)| {
        let what = format!("{} wins", winner(results, at, reordered));
        Change { what, apart: moments.apart(), unit: Unit::Points }
    });
    let apart = difference.decisions.apart();
    let unit = Unit::Plain("decisions ");
    wins.chain([Change { what: "A game takes".to_owned(), apart, unit }]).collect()
}

fn winner(results: &Results, at: usize, by_turn: bool) -> String {
    if by_turn {
        return format!("The player who decides {}", nth(at));
    }
    format!("{} ({})", results.head.names[at], results.head.seats[at])
}

/// What differs from the file of `--baseline`: a heading, and sentences, those of clear differences
/// first.
pub(super) fn against(results: &Results) -> Vec<String> {
    let Some((file, old)) = &results.baseline else { return Vec::new() };
    let mut lines = Vec::new();
    for run in 0..results.runs.len() {
        let setting = results.setting(run);
        let with = if setting.is_empty() { String::new() } else { format!("with {setting} ") };
        let than = format!("{with}than in {file}");
        let changes = since(results, run, old);
        let (clear, unclear): (Vec<_>, Vec<_>) = changes.iter().partition(|it| it.apart.is_clear());
        lines.extend(clear.iter().map(|it| it.sentence(&than)));
        let unclear: Vec<&str> = unclear.iter().map(|it| it.what.as_str()).collect();
        if !unclear.is_empty() {
            lines.push(format!("No clear difference {with}from {file}: {}", unclear.join(", ")));
        }
    }
    lines
}

/// What differs from an earlier simulation, taken as one of other games.
fn since(results: &Results, run: usize, old: &Results) -> Vec<Change> {
    // The same setting, if it had that.
    let earlier = (0..old.runs.len()).find(|it| old.runs[*it].options == results.runs[run].options);
    let (now, then) =
        (&results.played.tallies[run], &old.played.tallies[earlier.unwrap_or_default()]);
    let by_turn = now.reordered > 0 || then.reordered > 0;
    let mut changes: Vec<Change> = Vec::new();
    let shares = now.shares_by(by_turn).into_iter().zip(then.shares_by(by_turn));
    for (at, (now, then)) in shares.enumerate() {
        let what = format!("{} wins", winner(results, at, by_turn));
        let apart = now.apart_from(then);
        changes.push(Change { what, apart, unit: Unit::Points });
    }
    let stopped = |tally: &Tally| Share::of(tally.limit_reached, tally.playouts);
    if now.limit_reached + then.limit_reached > 0 {
        let apart = stopped(now).apart_from(stopped(then));
        let what = "The limit stops a game".to_owned();
        changes.push(Change { what, apart, unit: Unit::Points });
    }
    let mut add = |what: String, now: Moments, then: Moments, unit| {
        changes.push(Change { what, apart: now.apart_from(&then), unit: Unit::Plain(unit) });
    };
    let long = |tally: &Tally| tally.decisions.moments();
    add("A game takes".to_owned(), long(now), long(then), "decisions ");
    for (seat, (now, then)) in now.scores.iter().zip(&then.scores).enumerate() {
        if now.count() > 0 && then.count() > 0 {
            let what = format!("The score of {} is", results.head.names[seat]);
            add(what, now.moments(), then.moments(), "");
        }
    }
    for (name, lists) in &now.measures {
        let Some(others) = then.measures.get(name) else { continue };
        for (seat, (now, then)) in lists.iter().zip(others).enumerate() {
            let of = if lists.len() > 1 {
                format!(" of {}", results.head.names[seat])
            } else {
                String::new()
            };
            add(format!("`{name}`{of} is"), now.moments(), then.moments(), "");
        }
    }
    changes
}

/// The differences from the file of `--baseline` as JSON.
pub(super) fn json_against(results: &Results, run: usize) -> Option<Value> {
    let (file, old) = results.baseline.as_ref()?;
    let differences = since(results, run, old).into_iter().map(|change| {
        let Change { what, apart, .. } = change;
        json!({
            "what": what, "difference": number(apart.by), "low": number(apart.low),
            "high": number(apart.high), "clear": apart.is_clear(),
        })
    });
    let differences = differences.collect::<Vec<_>>();
    Some(json!({ "file": file, "playouts": old.playouts(), "differences": differences }))
}

/// Tables of a number under each of several settings: a row for each value of the first option and a
/// column for each of the second, or else a row for each setting.
pub(super) fn grids(results: &Results) -> Vec<Vec<Vec<String>>> {
    let tallies = &results.played.tallies;
    let by_turn = tallies.iter().any(|tally| tally.reordered > 0);
    let who = if by_turn { "who decides first".to_owned() } else { results.head.names[0].clone() };
    let wins = |run: usize| tallies[run].shares_by(by_turn)[0].spoken();
    let long = |run: usize| {
        let moments = tallies[run].decisions.moments();
        format!("{} ± {}", moments.mean().places(1), moments.margin().places(1))
    };
    let numbers: [(String, &dyn Fn(usize) -> String); 2] =
        [(format!("wins of {who}"), &wins), ("decisions".to_owned(), &long)];
    match results.varied.as_slice() {
        [_] if tallies.len() < 3 => Vec::new(),
        [] => Vec::new(),
        [row, column] => {
            let first = results.values(0)[0];
            let width =
                (0..tallies.len()).take_while(|run| results.values(*run)[0] == first).count();
            let table = |(what, cell): &(String, &dyn Fn(usize) -> String)| {
                let mut rows = vec![vec![what.clone()]];
                rows[0]
                    .extend((0..width).map(|run| format!("{column} = {}", results.values(run)[1])));
                for runs in (0..tallies.len()).collect::<Vec<_>>().chunks(width) {
                    let mut cells = vec![format!("{row} = {}", results.values(runs[0])[0])];
                    cells.extend(runs.iter().map(|run| cell(*run)));
                    rows.push(cells);
                }
                rows
            };
            numbers.iter().map(table).collect()
        }
        _ => {
            let mut rows = vec![vec!["setting".to_owned()]];
            rows[0].extend(numbers.iter().map(|(what, _)| what.clone()));
            for run in 0..tallies.len() {
                let cells = numbers.iter().map(|(_, cell)| cell(run));
                rows.push([results.setting(run)].into_iter().chain(cells).collect());
            }
            vec![rows]
        }
    }
}

/// What stands above all settings: what they change, and how the games differ from earlier ones.
pub(super) fn above(results: &Results) -> String {
    let sentences = [against(results), sentences(results)].concat();
    if sentences.is_empty() {
        return String::new();
    }
    let mut parts = vec![results.head.title.clone()];
    if results.runs.len() > 1 {
        let (games, settings) = (results.playouts(), results.runs.len());
        parts.push(format!("the same {games} games under {settings} settings"));
    }
    let mut text = format!("{}\n\n", parts.join(" · "));
    for sentence in sentences {
        text.extend([&sentence, "\n"]);
    }
    for grid in grids(results) {
        text.extend(["\n", &columns(&grid)]);
    }
    text + "\n"
}
