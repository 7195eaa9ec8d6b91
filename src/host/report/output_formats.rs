//! Results as a table for people, with coverage drawn on the rules, as JSON, and as lines for a spreadsheet.

use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use crate::host::report::answers::answers;
use crate::host::report::compare::{baseline_to_json, describe_option_changes, render_comparison};
use crate::host::report::move_choices::{MoveChoice, choice_rows, compare_choices};
use crate::host::report::results::{ResultRun, Results, by_order};
use crate::host::report::rows::{align_columns, many, number_to_json, share_to_json, to_row};
use crate::host::{exit::Failure, gate::escape_csv_cell, screen::Screen};
use crate::simulate::{
    Apart, CountedError, Difference, Histogram, LineErrors, Moments, Point, Share, SharedEnds,
    Tally, never_run,
};
use crate::source::{Sources, Span};

pub(crate) fn format_table(results: &Results) -> String {
    let mut text = render_comparison(results);
    for (run, tally) in results.played.tallies.iter().enumerate() {
        text.push_str(&format_heading(results, run, tally));
        let strengths = results.strengths.iter().filter(|_| run == 0);
        text.extend(strengths.map(|told| format!("{told}\n")));
        for answer in answers(results, run, tally) {
            text.extend([format!("{answer}\n")]);
        }
        let cells = &results.runs[run].cells;
        let (measures, choices) =
            (measure_rows(results, tally), choice_rows(&compare_choices(tally), cells));
        let always = [seat_rows(results, tally), length_rows(tally), move_rows(tally)];
        let [seats, lengths, moves] = always.map(|rows| align_columns(&rows));
        let [measures, choices] = [measures, choices].map(|rows| {
            // A heading alone says nothing.
            if rows.len() > 1 { format!("\n{}", align_columns(&rows)) } else { String::new() }
        });
        text.extend([format!("\n{seats}\n{lengths}{measures}\n{moves}{choices}")]);
        let ResultRun { places, folded, .. } = &results.runs[run];
        let covered = places.len() - never_run(&results.runs[run].places, tally).count();
        let places = places.len();
        text.extend([format!("\n{covered} of {places} rules, moves and cases ran\n")]);
        let folded: Vec<&str> = folded.iter().map(|it| it.what.as_str()).collect();
        if !folded.is_empty() {
            text.extend([format!("computed before play: {}\n", folded.join(", "))]);
        }
    }
    text
}

/// What the object of a run calls how quickly it went.
const RATE: &str = "playouts_per_second";

fn format_heading(results: &Results, run: usize, tally: &Tally) -> String {
    let head = &results.head;
    let mut parts = vec![head.title.clone()];
    parts.extend(Some(results.setting(run)).filter(|setting| !setting.is_empty()));
    parts.push(format!("{} playouts", tally.playouts));
    parts.push(format!("seed {}", head.seed));
    let stopped = Share::of(tally.limit_reached, tally.playouts);
    // Rates of games that did not come to their end say little.
    if tally.limit_reached.saturating_mul(100) > tally.playouts {
        parts.push(format!("{} stopped by the limit", stopped.percent()));
    }
    format!("{}{}\n\n", if run == 0 { "" } else { "\n" }, parts.join(" · "))
}

fn seat_rows(results: &Results, tally: &Tally) -> Vec<Vec<String>> {
    let ranked = tally.scores.iter().map(Histogram::count).max().unwrap_or(0);
    let mut heading = to_row(&["", "", "wins", "95 %"]);
    if ranked > 0 {
        // Most games may end before they are ranked: then the scores are about few.
        let score = match ranked {
            all if all >= tally.playouts => "score".to_owned(),
            1 => "score of 1 game".to_owned(),
            some => format!("score of {some} games"),
        };
        heading.extend([score, "nine of ten".to_owned()]);
    }
    let mut rows = vec![heading];
    for (seat, part) in tally.parts_by(false).into_iter().enumerate() {
        let share = part.share();
        let (name, bot) = (&results.head.names[seat], &results.head.seats[seat]);
        let mut cells = vec![name.clone(), bot.clone(), share.percent(), share.interval()];
        let scores = &tally.scores[seat];
        if scores.count() > 0 {
            cells.push(scores.mean().places(2));
            let [low, high] = [5, 95].map(|percent| scores.percentile(percent));
            let between = if low < 0 { " to " } else { "-" };
            cells.push(format!("{low}{between}{high}"));
        }
        rows.push(cells);
    }
    for (name, share) in shared_rows(tally).into_iter().chain(by_order(tally)) {
        rows.push(vec![name, String::new(), share.percent(), share.interval()]);
    }
    rows
}

/// The games that nobody won alone, by why; one row of zeros where there are none.
pub(crate) fn shared_rows(tally: &Tally) -> Vec<(String, Share)> {
    let SharedEnds { draws, wins, stopped, lost, scored } = tally.shared;
    let rows = [
        ("draws", draws),
        ("shared wins", wins),
        ("everybody loses", lost),
        ("together", scored),
        ("stopped, no winner", stopped),
    ];
    let mut rows: Vec<_> = rows.into_iter().filter(|(_, games)| *games > 0).collect();
    if rows.is_empty() {
        rows.push(("shared", 0));
    }
    let share = |(name, games): (&str, u64)| (name.to_owned(), Share::of(games, tally.playouts));
    rows.into_iter().map(share).collect()
}

fn length_rows(tally: &Tally) -> Vec<Vec<String>> {
    let mut rows = vec![to_row(&["a game has", "mean", "least", "median", "most"])];
    for (what, histogram) in [("decisions", &tally.decisions), ("draws of chance", &tally.draws)] {
        rows.push(spread_row(what, histogram));
    }
    let most = tally.most_moves.to_string();
    rows.push(to_row(&["moves to choose from", &tally.branching().places(2), "", "", &most]));
    if tally.limit_reached > 0 {
        let reached = Share::of(tally.limit_reached, tally.playouts);
        rows.push(to_row(&["ended by the limit", &reached.percent()]));
    }
    rows
}

fn spread_row(what: &str, histogram: &Histogram) -> Vec<String> {
    let (least, most) = (histogram.least().to_string(), histogram.most().to_string());
    let median = histogram.percentile(50).to_string();
    let moments = histogram.moments();
    let mean = moments.spoken(2);
    to_row(&[what, &mean, &least, &median, &most])
}

fn measure_rows(results: &Results, tally: &Tally) -> Vec<Vec<String>> {
    let mut rows = vec![to_row(&["measure", "mean", "least", "median", "most"])];
    for (name, list) in &tally.measures {
        for (seat, histogram) in list.iter().enumerate() {
            let of = if list.len() > 1 { &results.head.names[seat] } else { "" };
            rows.push(spread_row(format!("{name} {of}").trim_end(), histogram));
        }
    }
    rows
}

pub(crate) fn move_rows(tally: &Tally) -> Vec<Vec<String>> {
    let mut rows = vec![to_row(&["move", "offered", "taken", "of offered"])];
    if tally.sampled < tally.playouts {
        rows[0][0] = format!("move, in a sample of {} games", tally.sampled);
    }
    for (name, used) in &tally.moves {
        let share = match used.offered {
            0 => "-".to_owned(),
            offered => Share::of(used.taken, offered).percent(),
        };
        rows.push(to_row(&[name, &used.offered.to_string(), &used.taken.to_string(), &share]));
    }
    rows
}

/// Results as JSON: one object; of a comparison, one for each setting, and the differences.
pub(crate) fn format_json(results: &Results) -> String {
    let runs = results.played.tallies.iter().enumerate();
    let object = |(run, tally): (usize, &Tally)| {
        let mut object = run_to_json(results, run, tally);
        if let Some(against) = baseline_to_json(results, run) {
            object["baseline"] = against;
        }
        object
    };
    let mut runs: Vec<Value> = runs.map(object).collect();
    let value = match (results.varied.len(), runs.len()) {
        (0, 1) => runs.remove(0),
        _ => {
            let differences = results.played.differences.iter();
            let differences = differences.map(|(pair, it)| difference_to_json(results, *pair, it));
            json!({ "runs": runs, "differences": differences.collect::<Vec<_>>() })
        }
    };
    format!("{value}\n")
}

fn run_to_json(results: &Results, run: usize, tally: &Tally) -> Value {
    let head = &results.head;
    let options = results.runs[run].options.iter().cloned();
    let options: Map<String, Value> = options.map(|(name, value)| (name, value.into())).collect();
    let shares = tally.parts_by(false).into_iter().map(|part| share_to_json(part.share()));
    let scores = tally.scores.iter().filter(|scores| scores.count() > 0).map(histogram_to_json);
    let places = tally.places.iter().map(|place| {
        json!({ "games": place.games, "wins": place.wins, "win_rate": share_to_json(place.share()) })
    });
    let begun = tally.begun();
    let starter = json!({
        "seat": tally.starter(), "games": begun.games, "wins": begun.wins,
        "win_rate": share_to_json(begun.share()),
    });
    let mut decisions = histogram_to_json(&tally.decisions);
    decisions.as_object_mut().expect("it is an object").remove("sd");
    let moves = tally.moves.iter().map(|(name, used)| {
        (name.clone(), json!({ "offered": used.offered, "taken": used.taken }))
    });
    let choices = compare_choices(tally).into_iter().map(MoveChoice::into_json);
    let measures = tally.measures.iter().map(|(name, list)| {
        let mut values: Vec<Value> = list.iter().map(histogram_to_json).collect();
        (name.clone(), if values.len() == 1 { values.remove(0) } else { values.into() })
    });
    let place = |it: &Point| {
        let it = results.locate(it);
        json!({ "file": it.file, "line": it.line, "what": it.what })
    };
    let never = never_run(&results.runs[run].places, tally).map(place);
    let folded = results.runs[run].folded.iter().map(place);
    let cut_off = results.runs[run].gains_cut_off(tally).map(|(it, times)| {
        let it = results.locate(it);
        json!({ "file": it.file, "line": it.line, "times": times })
    });
    let mut object = json!({
        "game": head.title, "players": head.seats.len(), "options": options,
        "seats": head.seats, "names": head.names, "seed": head.seed, "playouts": tally.playouts,
        "sampled_games": tally.sampled,
        "answers": answers(results, run, tally), "finished": tally.finished, "limit_reached": tally.limit_reached,
        "wins": tally.wins, "shared": tally.shared.total(),
        "draws": tally.shared.draws, "shared_wins": tally.shared.wins,
        "stopped": tally.shared.stopped,
        "win_rate": shares.collect::<Vec<_>>(),
        "starter": starter,
        "by_turn_order": places.collect::<Vec<_>>(),
        "scores": scores.collect::<Vec<_>>(),
        "decisions": decisions,
        "branching": { "mean": number_to_json(tally.branching()), "max": tally.most_moves },
        "draws_of_chance": { "mean": number_to_json(tally.draws.mean()) },
        "measures": measures.collect::<Map<String, Value>>(),
        "moves": moves.collect::<Map<String, Value>>(),
        "choices": choices.collect::<Vec<_>>(),
        "never_run": never.collect::<Vec<_>>(),
        "folded": folded.collect::<Vec<_>>(),
        "cut_off": cut_off.collect::<Vec<_>>(),
        "strategy_errors": line_errors_to_json(&tally.line_errors, &results.sources),
        RATE: results.rate(),
    });
    add_teams(&mut object, results, tally);
    object
}

/// What only games of teams and games that players lose have.
fn add_teams(object: &mut Value, results: &Results, tally: &Tally) {
    if !tally.teams.teams.is_empty() {
        let sides = tally.sides().unwrap_or_default();
        let sides = sides.into_iter().map(|seat| results.team_names(&tally.teams.teams, seat));
        object["teams"] = sides.collect();
    }
    if tally.shared.lost > 0 {
        object["lost"] = tally.shared.lost.into();
    }
}

fn difference_to_json(
    results: &Results,
    (first, second): (usize, usize),
    difference: &Difference,
) -> Value {
    let all = |list: &[Moments]| list.iter().map(interval_to_json).collect::<Vec<_>>();
    let named = results.runs[first].measures.iter().zip(&difference.measures);
    let measures = named.map(|((name, _), list)| (name.clone(), all(list).into()));
    json!({
        "option": results.varied.join(", "), "from": results.setting_text(first),
        "to": results.setting_text(second), "win_rate": all(&difference.wins),
        "by_turn_order": all(&difference.places), "scores": all(&difference.scores),
        "decisions": interval_to_json(&difference.decisions), "stopped": interval_to_json(&difference.stopped),
        "ends": difference.ends.iter().map(|(end, it)| (end.key().to_owned(), interval_to_json(it))).collect::<Map<_, _>>(),
        "measures": measures.collect::<Map<_, _>>(), "sentences": describe_option_changes(results),
    })
}

fn interval_to_json(moments: &Moments) -> Value {
    let Apart { by, low, high } = moments.apart();
    json!({ "difference": number_to_json(by), "low": number_to_json(low), "high": number_to_json(high) })
}

fn histogram_to_json(histogram: &Histogram) -> Value {
    let moments = histogram.moments();
    json!({
        "mean": number_to_json(moments.mean()), "margin": number_to_json(moments.margin()), "sd": number_to_json(moments.deviation()),
        "min": histogram.least(), "p5": histogram.percentile(5), "p50": histogram.percentile(50),
        "p95": histogram.percentile(95), "max": histogram.most(),
        "histogram": histogram.counts.iter().collect::<Vec<_>>(),
    })
}

/// Results as lines for a spreadsheet: which run, what, of what, the number.
pub(crate) fn csv(results: &Results) -> String {
    let mut text = "setting,what,of,number\n".to_owned();
    for (run, tally) in results.played.tallies.iter().enumerate() {
        let setting = &results.setting_text(run);
        let Value::Object(object) = run_to_json(results, run, tally) else {
            unreachable!("a run is an object")
        };
        // How quickly it went is no number of the game.
        for (key, value) in object.iter().filter(|(key, _)| *key != RATE) {
            flatten(&mut text, setting, key, "", value);
        }
    }
    text
}

fn flatten(text: &mut String, setting: &str, key: &str, of: &str, value: &Value) {
    let below = |name: &str| if of.is_empty() { name.to_owned() } else { format!("{of}.{name}") };
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(name, value)| flatten(text, setting, key, &below(name), value));
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                flatten(text, setting, key, &below(&(at + 1).to_string()), value);
            }
        }
        value => {
            let value = value.as_str().map_or_else(|| value.to_string(), escape_csv_cell);
            text.extend([format!(
                "{},{key},{},{value}\n",
                escape_csv_cell(setting),
                escape_csv_cell(of)
            )]);
        }
    }
}

/// Draws what must always hold and did not; says whether all of it held.
pub(crate) fn draw_unkept(results: &Results, screen: &mut Screen) -> Result<bool, Failure> {
    let mut kept = true;
    for (run, tally) in results.runs.iter().zip(&results.played.tallies) {
        for (number, (games, first)) in &tally.unkept {
            let place = &run.always[*number];
            let message = format!("this does not always hold: not in {}", many(*games, "game"));
            let seed = results.head.seed;
            let label = format!("first in playout {first} of seed {seed}, counted from 0");
            let found = Diagnostic::new(None, message)
                .with_severity(Severity::Error)
                .with_labels([Label::new(place.span, label)])
                .with_help("`astragal check --play` shows the values where it breaks");
            screen.report_findings(&results.sources, &Diagnostics::of(found))?;
            kept = false;
        }
    }
    Ok(kept)
}

/// Draws the errors that lines of strategies met, each with what is said of it.
pub(crate) fn draw_line_errors(
    errors: &LineErrors,
    when: impl Fn(&CountedError) -> String,
    sources: &Sources,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let found: Diagnostics = errors.all().map(|it| it.error.describe(&when(it))).collect();
    Ok(screen.report_findings(sources, &found)?)
}

/// At how many decisions a line met an error.
pub(crate) fn at_decisions(counted: &CountedError) -> String {
    format!(", at {}", many(counted.decisions, "decision"))
}

pub(crate) fn line_errors_to_json(errors: &LineErrors, sources: &Sources) -> Value {
    let object = |CountedError { error, playout, decisions }: &CountedError| {
        let source = sources.find(error.line).expect("a line stands in a text");
        let found = Diagnostic::from(&error.trap);
        json!({
            "strategy": error.strategy, "file": source.name,
            "line": source.place(error.line.start).line, "code": found.code,
            "message": found.message, "decisions": decisions, "first_playout": playout,
        })
    };
    errors.all().map(object).collect()
}

/// Draws where `gains` was cut off in so many games; nothing if it never was.
pub(crate) fn draw_cut_off(
    cut_off: &[(Span, u64)],
    games: u64,
    setting: &str,
    sources: &Sources,
    screen: &mut Screen,
) -> Result<(), Failure> {
    if cut_off.is_empty() {
        return Ok(());
    }
    let times = format_times(cut_off.iter().map(|(_, times)| times).sum());
    let games = many(games, "game");
    let message = format!("`gains` was cut off at the top, {times} in {games}{setting}");
    let label =
        |(span, cut): &(Span, u64)| Label::new(*span, format!("cut off {}", format_times(*cut)));
    let found = Diagnostic::new(None, message)
        .with_severity(Severity::Warning)
        .with_labels(cut_off.iter().map(label))
        .with_help(
            "if that is meant, write `gains … or lose the rest`; else give the coin a higher top, \
             or none: `0..`",
        );
    Ok(screen.print_first_findings(sources, &Diagnostics::of(found))?)
}

/// Draws what never ran and what was cut off, for each setting.
pub(crate) fn draw_coverage(results: &Results, screen: &mut Screen) -> Result<(), Failure> {
    let sources = &results.sources;
    for (number, (run, tally)) in results.runs.iter().zip(&results.played.tallies).enumerate() {
        let setting = results.setting(number);
        let setting = if setting.is_empty() { setting } else { format!(" with {setting}") };
        let cut_off: Vec<_> =
            run.gains_cut_off(tally).map(|(place, times)| (place.span, times)).collect();
        if !cut_off.is_empty() {
            screen.print_line("")?;
            draw_cut_off(&cut_off, tally.playouts, &setting, sources, screen)?;
        }
        let label = |place: &Point| Label::new(place.span, format!("{} never ran", place.what));
        let places: Vec<Label> = never_run(&run.places, tally).map(label).collect();
        if places.is_empty() {
            continue;
        }
        let count = many(places.len() as u64, "place");
        let playouts = match tally.sampled {
            all if all >= tally.playouts => format!("{all} playouts"),
            sampled => format!("a sample of {sampled} of the {} playouts", tally.playouts),
        };
        let message = format!("{count} of the rules never ran in {playouts}{setting}");
        let found = Diagnostic::new(None, message)
            .with_severity(Severity::Advice)
            .with_labels(places)
            .with_help("play more, seat other bots, or ask whether the rules ever need this");
        screen.print_line("")?;
        screen.print_first_findings(sources, &Diagnostics::of(found))?;
    }
    Ok(())
}

fn format_times(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}
