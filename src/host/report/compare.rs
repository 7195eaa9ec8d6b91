//! Says in sentences what an option changes, and what differs from an earlier simulation.

use serde_json::{Value, json};

use super::answers::is_mirror_match;
use super::results::{Results, turn_phrase};
use super::rows::{align_columns, number_to_json};
use crate::simulate::{
    Apart, Histogram, Likelihood, Moments, SeatWins, Tally, difference_from_zero,
    difference_of_means, difference_of_shares, holm_rejects,
};

/// A number of two simulations, and how far apart they are.
struct NumberChange {
    /// `P1 (random) wins`, `A game takes`.
    says: String,
    /// `wins of P1 (random)`, `decisions`.
    what: String,
    apart: Apart,
    chance: Likelihood,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A share of games, said in percentage points.
    Points,
    Plain(&'static str),
}

impl NumberChange {
    /// `4.0 ± 1.2 points more often`
    fn describe_size(&self) -> String {
        let NumberChange { apart, unit, .. } = self;
        let direction = if apart.by.0 < 0 { "less" } else { "more" };
        let (scale, unit, how) = match unit {
            Unit::Points => (100, "points ", " often"),
            Unit::Plain(unit) => (1, *unit, ""),
        };
        let size = apart.by.abs().times(scale).places(1);
        let margin = apart.margin().times(scale).places(1);
        format!("{size} ± {margin} {unit}{direction}{how}")
    }

    /// `wins of P1 (0.4 ± 1.2 points more often)`, `x (the same)`
    fn unclear(&self) -> String {
        let is_same = (self.apart.low.0, self.apart.high.0) == (0, 0);
        let size = if is_same { "the same".to_owned() } else { self.describe_size() };
        format!("{} ({size})", self.what)
    }
}

/// Sentences about changes, those of clear ones first: all of them together are wrong in fewer than one of 200
/// comparisons where nothing changed. Each list has words for what it compares: after a change, `with a = 2 than with
/// a = 1`, and after `No clear difference`.
fn describe_changes(compared: &[([String; 2], Vec<NumberChange>)]) -> Vec<String> {
    let all = compared.iter().flat_map(|(_, changes)| changes);
    let chances: Vec<Likelihood> = all.map(|it| it.chance).collect();
    let (number, mut clear) = (chances.len(), holm_rejects(&chances).into_iter());
    let (mut sentences, mut unclear) = (Vec::new(), Vec::new());
    for ([than, between], changes) in compared {
        let (stand, fall): (Vec<_>, Vec<_>) =
            changes.iter().partition(|_| clear.next() == Some(true));
        sentences
            .extend(stand.iter().map(|it| format!("{} {} {than}", it.says, it.describe_size())));
        let fall: Vec<String> = fall.into_iter().map(NumberChange::unclear).collect();
        if !fall.is_empty() {
            let judged =
                if number > 1 { format!(" (of {number} judged together)") } else { String::new() };
            unclear.push(format!("No clear difference{judged} {between}: {}", fall.join(", ")));
        }
    }
    [sentences, unclear].concat()
}

/// Sentences on what the options change, clear changes first.
pub(crate) fn describe_option_changes(results: &Results) -> Vec<String> {
    let compared = pairs_to_compare(results).into_iter().map(|(first, second)| {
        let (from, to) = (results.option_values(first), results.option_values(second));
        let differ = |at: &usize| from[*at] != to[*at];
        let words = |values: &[&str]| {
            let differing = (0..values.len()).filter(differ);
            let differing = differing.map(|at| format!("{} = {}", results.varied[at], values[at]));
            differing.collect::<Vec<_>>().join(", ")
        };
        // In a grid, the other options are those of the first setting.
        let alike = (0..to.len()).filter(|at| !differ(at));
        let alike = alike.map(|at| format!("{} = {}", results.varied[at], to[at]));
        let alike = match alike.collect::<Vec<_>>() {
            alike if alike.is_empty() => String::new(),
            alike => format!(" (where {})", alike.join(", ")),
        };
        let (to, from) = (words(&to), words(&from));
        let words = [
            format!("with {to} than with {from}{alike}"),
            format!("between {from} and {to}{alike}"),
        ];
        (words, changes_between(results, (first, second)))
    });
    describe_changes(&compared.collect::<Vec<_>>())
}

/// The pairs of settings that are compared in words: in a grid those that differ from the first one
/// in one option.
fn pairs_to_compare(results: &Results) -> Vec<(usize, usize)> {
    let differ = |(first, second): &(usize, usize)| {
        let (one, other) = (results.option_values(*first), results.option_values(*second));
        one.iter().zip(&other).filter(|(one, other)| one != other).count() == 1
    };
    let is_grid = results.varied.len() > 1;
    let pairs = results.played.differences.keys().copied();
    pairs.filter(|pair| !is_grid || (pair.0 == 0 && differ(pair))).collect()
}

/// The changes of a second setting, over the same games.
fn changes_between(results: &Results, (first, second): (usize, usize)) -> Vec<NumberChange> {
    let difference = &results.played.differences[&(first, second)];
    let tallies = [first, second].map(|run| &results.played.tallies[run]);
    let winners = Winners::of(results, &tallies);
    let paired = |moments: &Moments| (moments.apart(), difference_from_zero(moments));
    let mut changes = Vec::new();
    let lost = [difference.lost];
    let wins = match winners {
        Winners::Turns => difference.places.as_slice(),
        Winners::Defeats => &lost,
        Winners::Seats | Winners::Everybody => &difference.wins,
    };
    for (at, moments) in winners.compared_seats(wins) {
        changes.push(win_change(results, tallies[0], (winners, at), paired(moments)));
    }
    if tallies.iter().any(|tally| tally.limit_reached > 0) {
        changes.push(limit_change(paired(&difference.stopped)));
    }
    changes.push(length_change(paired(&difference.decisions)));
    let scores = winners.compared_seats(&difference.scores).filter(|(_, it)| it.count > 0);
    changes.extend(
        scores.map(|(seat, moments)| score_change(results, (winners, seat), paired(moments))),
    );
    let measured = results.runs[first].measures.iter().zip(&difference.measures);
    for ((name, of_player), list) in measured {
        for (seat, moments) in list.iter().enumerate() {
            let seat = of_player.then_some(seat);
            changes.push(measure_change(results, name, seat, paired(moments)));
        }
    }
    changes
}

/// Whose wins are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Winners {
    Seats,
    /// By the order of turns: where chance decides it, seats of the same bot win alike whatever the rules are.
    Turns,
    /// All play together.
    Everybody,
    /// All play together for a score, and count how often they come to none.
    Defeats,
}

impl Winners {
    fn of(results: &Results, tallies: &[&Tally]) -> Winners {
        let is_one = |tally: &&Tally| tally.teams.is_one();
        // Where everybody lost, nothing is known of teams.
        let fits = |tally: &&Tally| is_one(tally) || tally.shared.lost == tally.playouts;
        if tallies.iter().any(is_one) && tallies.iter().all(fits) {
            let has_scores = tallies.iter().any(|tally| tally.shared.scored > 0);
            if has_scores { Winners::Defeats } else { Winners::Everybody }
        } else if is_mirror_match(results) && tallies.iter().any(|tally| tally.reordered > 0) {
            Winners::Turns
        } else {
            Winners::Seats
        }
    }

    /// The seats of a list that are compared: one where all play together.
    fn compared_seats<T>(self, of_seats: &[T]) -> impl Iterator<Item = (usize, &T)> {
        let is_one = matches!(self, Winners::Everybody | Winners::Defeats);
        of_seats.iter().enumerate().take(if is_one { 1 } else { of_seats.len() })
    }

    /// The compared counts of a tally, by seat or place.
    fn counts(self, tally: &Tally) -> Vec<SeatWins> {
        match self {
            Winners::Defeats => {
                vec![SeatWins { games: tally.playouts, wins: tally.shared.lost }]
            }
            _ => tally.parts_by(self == Winners::Turns),
        }
    }
}

/// How far apart numbers are, and how often chance alone shows as much.
type Apartness = (Apart, Likelihood);

fn new_change(says: String, what: String, unit: Unit, (apart, chance): Apartness) -> NumberChange {
    NumberChange { says, what, apart, chance, unit }
}

fn win_change(
    results: &Results,
    tally: &Tally,
    (winners, at): (Winners, usize),
    apart: Apartness,
) -> NumberChange {
    let (says, who) = match winners {
        Winners::Defeats => {
            return new_change(
                "Everybody loses".to_owned(),
                "defeats of all".to_owned(),
                Unit::Points,
                apart,
            );
        }
        Winners::Everybody => ("Everybody wins".to_owned(), "all together".to_owned()),
        Winners::Turns => {
            let who = format!("player who {}", turn_phrase(tally, at));
            (format!("The {who} wins"), format!("the {who}"))
        }
        Winners::Seats => {
            let who = format!("{} ({})", results.head.names[at], results.head.seats[at]);
            (format!("{who} wins"), who)
        }
    };
    new_change(says, format!("wins of {who}"), Unit::Points, apart)
}

fn limit_change(apart: Apartness) -> NumberChange {
    let (says, what) = ("The limit stops a game", "games that the limit stops");
    new_change(says.to_owned(), what.to_owned(), Unit::Points, apart)
}

fn length_change(apart: Apartness) -> NumberChange {
    let (says, what) = ("A game takes".to_owned(), "decisions of a game".to_owned());
    new_change(says, what, Unit::Plain("decisions "), apart)
}

fn score_change(
    results: &Results,
    (winners, seat): (Winners, usize),
    apart: Apartness,
) -> NumberChange {
    let name = match winners {
        Winners::Everybody | Winners::Defeats => "all together",
        Winners::Seats | Winners::Turns => results.head.names[seat].as_str(),
    };
    let says = format!("The score of {name} is");
    new_change(says, format!("score of {name}"), Unit::Plain(""), apart)
}

fn measure_change(
    results: &Results,
    name: &str,
    seat: Option<usize>,
    apart: Apartness,
) -> NumberChange {
    let of = seat.map_or_else(String::new, |seat| format!(" of {}", results.head.names[seat]));
    new_change(format!("`{name}`{of} is"), format!("`{name}`{of}"), Unit::Plain(""), apart)
}

/// Sentences on what differs from `--baseline`, clear differences first.
pub(crate) fn compare_with_baseline(results: &Results) -> Vec<String> {
    let Some((file, old)) = &results.baseline else { return Vec::new() };
    let compared = (0..results.runs.len()).map(|run| {
        let setting = results.setting(run);
        let with = if setting.is_empty() { String::new() } else { format!("with {setting} ") };
        let words = [format!("{with}than in {file}"), format!("{with}from {file}")];
        (words, changes_since(results, run, old))
    });
    describe_changes(&compared.collect::<Vec<_>>())
}

/// The changes since an earlier simulation, as an independent sample.
fn changes_since(results: &Results, run: usize, old: &Results) -> Vec<NumberChange> {
    // The same setting, if it had that.
    let earlier = (0..old.runs.len()).find(|it| old.runs[*it].options == results.runs[run].options);
    let (now, then) =
        (&results.played.tallies[run], &old.played.tallies[earlier.unwrap_or_default()]);
    let winners = Winners::of(results, &[now, then]);
    let mut changes: Vec<NumberChange> = Vec::new();
    let share_change = |(now, then): (SeatWins, SeatWins)| {
        (now.share().apart_from(then.share()), difference_of_shares(now, then))
    };
    let wins: Vec<_> = winners.counts(now).into_iter().zip(winners.counts(then)).collect();
    for (at, both) in winners.compared_seats(&wins) {
        changes.push(win_change(results, now, (winners, at), share_change(*both)));
    }
    let limited = |tally: &Tally| SeatWins { games: tally.playouts, wins: tally.limit_reached };
    if now.limit_reached + then.limit_reached > 0 {
        changes.push(limit_change(share_change((limited(now), limited(then)))));
    }
    let means = |now: &Histogram, then: &Histogram| {
        let (now, then) = (now.moments(), then.moments());
        (now.apart_from(&then), difference_of_means(&now, &then))
    };
    changes.push(length_change(means(&now.decisions, &then.decisions)));
    let scores: Vec<_> = now.scores.iter().zip(&then.scores).collect();
    for (seat, (now, then)) in winners.compared_seats(&scores) {
        if now.count() > 0 && then.count() > 0 {
            changes.push(score_change(results, (winners, seat), means(now, then)));
        }
    }
    for (name, lists) in &now.measures {
        let Some(others) = then.measures.get(name) else { continue };
        for (seat, (now, then)) in lists.iter().zip(others).enumerate() {
            let seat = (lists.len() > 1).then_some(seat);
            changes.push(measure_change(results, name, seat, means(now, then)));
        }
    }
    changes
}

/// The differences from the file of `--baseline` as JSON.
pub(crate) fn baseline_to_json(results: &Results, run: usize) -> Option<Value> {
    let (file, old) = results.baseline.as_ref()?;
    let changes = changes_since(results, run, old);
    let clear = holm_rejects(&changes.iter().map(|it| it.chance).collect::<Vec<_>>());
    let differences = changes.into_iter().zip(clear).map(|(change, clear)| {
        let NumberChange { says, apart, .. } = change;
        json!({
            "what": says, "difference": number_to_json(apart.by), "low": number_to_json(apart.low),
            "high": number_to_json(apart.high), "clear": clear,
        })
    });
    let differences = differences.collect::<Vec<_>>();
    Some(json!({ "file": file, "playouts": old.playouts(), "differences": differences }))
}

/// Tables of a number under each of several settings: a row for each value of the first option and a
/// column for each of the second, or else a row for each setting.
pub(crate) fn comparison_grids(results: &Results) -> Vec<Vec<Vec<String>>> {
    let tallies = &results.played.tallies;
    let by_turn = tallies.iter().any(|tally| tally.reordered > 0);
    let winners = Winners::of(results, &tallies.iter().collect::<Vec<_>>());
    let what = match winners {
        Winners::Defeats => "defeats of all".to_owned(),
        Winners::Everybody => "wins of all together".to_owned(),
        Winners::Seats | Winners::Turns if by_turn => {
            format!("wins of the player who {}", turn_phrase(&tallies[0], 0))
        }
        Winners::Seats | Winners::Turns => format!("wins of {}", results.head.names[0]),
    };
    let counted = if by_turn && winners == Winners::Seats { Winners::Turns } else { winners };
    let wins = |run: usize| counted.counts(&tallies[run])[0].share().spoken();
    let long = |run: usize| tallies[run].decisions.moments().spoken(1);
    let numbers: [(String, &dyn Fn(usize) -> String); 2] =
        [(what, &wins), ("decisions".to_owned(), &long)];
    match results.varied.as_slice() {
        [_] if tallies.len() < 3 => Vec::new(),
        [] => Vec::new(),
        [row, column] => {
            let first = results.option_values(0)[0];
            let width = (0..tallies.len())
                .take_while(|run| results.option_values(*run)[0] == first)
                .count();
            let table = |(what, cell): &(String, &dyn Fn(usize) -> String)| {
                let mut rows = vec![vec![what.clone()]];
                rows[0].extend(
                    (0..width).map(|run| format!("{column} = {}", results.option_values(run)[1])),
                );
                for runs in (0..tallies.len()).collect::<Vec<_>>().chunks(width) {
                    let mut cells = vec![format!("{row} = {}", results.option_values(runs[0])[0])];
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

/// The text above all settings: what they change, and what changed since the baseline.
pub(crate) fn render_comparison(results: &Results) -> String {
    let sentences = [compare_with_baseline(results), describe_option_changes(results)].concat();
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
    for grid in comparison_grids(results) {
        text.extend(["\n", &align_columns(&grid)]);
    }
    text + "\n"
}
