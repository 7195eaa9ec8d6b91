//! Says in sentences what an option changes, and what differs from an earlier simulation.

use serde_json::{Value, json};

use crate::host::report::answers::is_mirror_match;
use crate::host::report::results::{Results, turn_phrase};
use crate::host::report::rows::{align_columns, many, number_to_json};
use crate::simulate::{
    Apart, Difference, EndKind, Histogram, Likelihood, Moments, SeatWins, Tally,
    difference_from_zero, difference_of_means, difference_of_shares, holm_rejects,
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
    let paired = |moments: &Moments| (moments.apart(), difference_from_zero(moments));
    let (parts, mut changes) = (compared_parts(results, &tallies), Vec::new());
    for part in &parts {
        // Counts of an earlier version lack some ends.
        let moments = part.difference(difference).filter(|it| it.count > 0);
        changes.extend(moments.map(|it| change_of_part(results, &tallies, *part, paired(it))));
    }
    if has_news_of_limit(&parts, &tallies) {
        changes.push(limit_change(paired(&difference.stopped)));
    }
    changes.push(length_change(paired(&difference.decisions)));
    for (seat, name) in scoring_sides(results, &tallies) {
        let scores = difference.scores.get(seat).filter(|scores| scores.count > 0);
        let of = |scores: &Moments| match scores.count {
            all if all == tallies[0].playouts => String::new(),
            some => format!(", in the {} with a score both times,", many(some, "game")),
        };
        changes.extend(scores.map(|it| score_change(&name, &of(it), paired(it))));
    }
    let measured = results.runs[first].measures.iter().zip(&difference.measures);
    for ((name, of_player), list) in measured {
        for (seat, moments) in list.iter().enumerate() {
            let seat = of_player.then_some(seat);
            changes.push(measure_change(results, name, seat, paired(moments)));
        }
    }
    changes
}

/// A part of all games whose shares are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GamePart {
    /// Those that a seat won alone, or its team.
    Seat(usize),
    /// Those that the player won who came at this place in the order of turns: where chance decides it, seats of the
    /// same bot win alike whatever the rules are.
    Turn(usize),
    /// Those that ended so for all.
    End(EndKind),
}

impl GamePart {
    /// How many games of a tally belong to it.
    fn count(self, tally: &Tally) -> SeatWins {
        match self {
            GamePart::Seat(seat) => tally.parts_by(false)[seat],
            GamePart::Turn(at) => tally.parts_by(true)[at],
            GamePart::End(end) => SeatWins { games: tally.playouts, wins: tally.ended(end) },
        }
    }

    fn difference(self, difference: &Difference) -> Option<&Moments> {
        match self {
            GamePart::Seat(seat) => difference.wins.get(seat),
            GamePart::Turn(at) => difference.places.get(at),
            GamePart::End(end) => difference.ends.get(&end),
        }
    }
}

/// Whether one plays alone or all together, as far as is known: where everybody lost, nothing is known of teams.
fn are_of_one_side(tallies: &[&Tally]) -> bool {
    let is_known = |tally: &&Tally| tally.is_of_one_side();
    tallies.iter().any(is_known)
        && tallies.iter().all(|it| it.is_of_one_side() || it.shared.lost == it.playouts)
}

/// The first seats of the teams that all simulations have; each seat where they have others.
fn shared_sides(tallies: &[&Tally]) -> Vec<usize> {
    let has_teams = |tally: &&&Tally| !tally.teams.teams.is_empty() || tally.won() > 0;
    let mut told = tallies.iter().filter(has_teams);
    let first = told.next().unwrap_or(&tallies[0]);
    let is_same = told.all(|it| !it.teams.differ && it.teams.teams == first.teams.teams);
    let sides = first.sides().filter(|_| is_same);
    sides.unwrap_or_else(|| (0..first.wins.len()).collect())
}

/// Which parts of the games are compared: those into which all of them fall. Of two, the first says what the other one
/// would say again; of one there is nothing to say.
fn compared_parts(results: &Results, tallies: &[&Tally]) -> Vec<GamePart> {
    use EndKind as End;
    let is_of_one_side = are_of_one_side(tallies);
    let wins = if is_of_one_side {
        Vec::new()
    } else if is_mirror_match(results) && tallies.iter().any(|tally| tally.reordered > 0) {
        (0..results.head.names.len()).map(GamePart::Turn).collect()
    } else {
        shared_sides(tallies).into_iter().map(GamePart::Seat).collect()
    };
    let ends: &[EndKind] = if is_of_one_side {
        &[End::Won, End::Lost, End::Scored, End::Draw, End::Stopped]
    } else {
        &[End::Shared, End::Draw, End::Lost, End::Scored, End::Stopped]
    };
    let mut parts = wins;
    parts.extend(ends.iter().map(|end| GamePart::End(*end)));
    parts.retain(|part| tallies.iter().any(|tally| part.count(tally).wins > 0));
    if parts.len() < 3 {
        parts.truncate(parts.len() / 2);
    }
    // What the limit stops has a sentence of its own.
    parts.retain(|part| *part != GamePart::End(End::Stopped));
    parts
}

/// Whether the limit ended games, which are not just those of a part: where it is a defeat, it may be the only one.
fn has_news_of_limit(parts: &[GamePart], tallies: &[&Tally]) -> bool {
    let is_all = |part: &GamePart| tallies.iter().all(|it| part.count(it).wins == it.limit_reached);
    tallies.iter().any(|tally| tally.limit_reached > 0) && !parts.iter().any(is_all)
}

/// The first seats of those who have scores of their own, and what they are called.
fn scoring_sides(results: &Results, tallies: &[&Tally]) -> Vec<(usize, String)> {
    if results.head.names.len() > 1 && are_of_one_side(tallies) {
        return vec![(0, "all together".to_owned())];
    }
    shared_sides(tallies)
        .into_iter()
        .map(|seat| (seat, side_name(results, tallies, seat)))
        .collect()
}

fn side_name(results: &Results, tallies: &[&Tally], seat: usize) -> String {
    let partners = shared_sides(tallies).len() < results.head.names.len();
    let of = tallies.iter().find(|tally| partners && !tally.teams.teams.is_empty());
    of.map_or_else(|| results.head.names[seat].clone(), |tally| results.team_name(tally, seat))
}

/// How far apart numbers are, and how often chance alone shows as much.
type Apartness = (Apart, Likelihood);

fn new_change(says: String, what: String, unit: Unit, (apart, chance): Apartness) -> NumberChange {
    NumberChange { says, what, apart, chance, unit }
}

fn change_of_part(
    results: &Results,
    tallies: &[&Tally],
    part: GamePart,
    apart: Apartness,
) -> NumberChange {
    let (says, what) = words_of_part(results, tallies, part);
    new_change(says, what, Unit::Points, apart)
}

/// A part of the games, as a sentence and as a list say it.
fn words_of_part(results: &Results, tallies: &[&Tally], part: GamePart) -> (String, String) {
    let is_solo = results.head.names.len() == 1;
    let alone = if tallies.iter().any(|tally| tally.shared.wins > 0) { " alone" } else { "" };
    let (says, what) = match part {
        GamePart::Turn(at) => {
            let who = format!("player who {}", turn_phrase(tallies[0], at));
            return (format!("The {who} wins{alone}"), format!("wins of the {who}{alone}"));
        }
        GamePart::Seat(seat) => {
            let (name, bot) = (side_name(results, tallies, seat), &results.head.seats[seat]);
            let s = if name == results.head.names[seat] { "s" } else { "" };
            return (
                format!("{name} ({bot}) win{s}{alone}"),
                format!("wins of {name} ({bot}){alone}"),
            );
        }
        GamePart::End(EndKind::Won) if is_solo => ("The player wins", "wins"),
        GamePart::End(EndKind::Won) => ("Everybody wins", "wins of all together"),
        GamePart::End(EndKind::Lost) if is_solo => ("The player loses", "defeats"),
        GamePart::End(EndKind::Lost) => ("Everybody loses", "defeats of all"),
        GamePart::End(EndKind::Shared) => ("Several share the win", "shared wins"),
        GamePart::End(EndKind::Scored) => ("A game ends with a score", "games with a score"),
        GamePart::End(EndKind::Draw) => ("A game is a draw", "draws"),
        GamePart::End(EndKind::Stopped) => ("The limit makes a draw", "draws by the limit"),
    };
    (says.to_owned(), what.to_owned())
}

fn limit_change(apart: Apartness) -> NumberChange {
    let (says, what) = ("The limit stops a game", "games that the limit stops");
    new_change(says.to_owned(), what.to_owned(), Unit::Points, apart)
}

fn length_change(apart: Apartness) -> NumberChange {
    let (says, what) = ("A game takes".to_owned(), "decisions of a game".to_owned());
    new_change(says, what, Unit::Plain("decisions "), apart)
}

fn score_change(name: &str, of: &str, apart: Apartness) -> NumberChange {
    let says = format!("The score of {name}{of} is");
    new_change(says, format!("score of {name}{}", of.trim_end_matches(',')), Unit::Plain(""), apart)
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
    let tallies = [now, then];
    let parts = |(now, then): (SeatWins, SeatWins)| {
        (now.share().apart_from(then.share()), difference_of_shares(now, then))
    };
    let compared = compared_parts(results, &tallies);
    let of_part = |part: &GamePart| {
        let apart = parts((part.count(now), part.count(then)));
        change_of_part(results, &tallies, *part, apart)
    };
    let mut changes: Vec<NumberChange> = compared.iter().map(of_part).collect();
    let limited = |tally: &Tally| SeatWins { games: tally.playouts, wins: tally.limit_reached };
    if has_news_of_limit(&compared, &tallies) {
        changes.push(limit_change(parts((limited(now), limited(then)))));
    }
    let means = |now: &Histogram, then: &Histogram| {
        let (now, then) = (now.moments(), then.moments());
        (now.apart_from(&then), difference_of_means(&now, &then))
    };
    changes.push(length_change(means(&now.decisions, &then.decisions)));
    for (seat, name) in scoring_sides(results, &tallies) {
        let scores = tallies.map(|tally| &tally.scores[seat]);
        if scores.iter().all(|it| it.count() > 0) {
            let has_all = tallies.iter().all(|it| it.scores[seat].count() == it.playouts);
            let of = if has_all { "" } else { ", of the games with one," };
            changes.push(score_change(&name, of, means(scores[0], scores[1])));
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
    let all: Vec<&Tally> = tallies.iter().collect();
    let by_turn = all.iter().any(|tally| tally.reordered > 0);
    let part = match compared_parts(results, &all).first() {
        Some(GamePart::Seat(_)) if by_turn => Some(GamePart::Turn(0)),
        part => part.copied(),
    };
    let share =
        |run: usize| part.map_or_else(String::new, |it| it.count(&tallies[run]).share().spoken());
    let long = |run: usize| tallies[run].decisions.moments().spoken(1);
    let mut numbers: Vec<(String, &dyn Fn(usize) -> String)> = Vec::new();
    if let Some(part) = part {
        // A table has no room for the bot.
        let what = match part {
            GamePart::Seat(seat) => format!("wins of {}", side_name(results, &all, seat)),
            part => words_of_part(results, &all, part).1,
        };
        numbers.push((what, &share));
    }
    numbers.push(("decisions".to_owned(), &long));
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
