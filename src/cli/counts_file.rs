//! The counts of a simulation in a file: to be gone on with, and to be added to others.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Map, Value, json};

use super::results::{Head, Placed, Results, Run, placed};
use super::writing::{Anyhow, Form, Out};
use super::{error::CliError, files, gate};
use crate::simulate::{Difference, Histogram, Moments, Place, Simulated, Tally, Use};
use crate::source::{Sources, Span};

/// What such a file is called inside, with the version of its form.
const FORM: &str = "astragal counts 3";

/// A file of counts, as a file that the program wrote.
const COUNTS: Form = Form { called: "a file of counts", is: is_counts };

fn is_counts(text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.is_some_and(|value| value["form"] == FORM)
}

/// The file that counts are written into. What it holds already is lost only if the counts to come have
/// it too.
pub(super) fn open(path: &Path, counts: &Results, anyhow: &Anyhow) -> Result<Out, CliError> {
    let out = Out::open(path, COUNTS, anyhow)?;
    let old = match fs::metadata(path) {
        Ok(there) if there.len() > 0 && *anyhow != Anyhow::Yes => read(path)?,
        _ => return Ok(out),
    };
    let ranges = old.done();
    let covers = |range: &(u64, u64)| {
        counts.ranges.iter().any(|(first, last)| *first <= range.0 && range.1 <= *last)
    };
    let part = (!ranges.iter().all(covers)).then_some("part");
    match differs(counts, &old).or(part) {
        Some(what) if !ranges.is_empty() => {
            anyhow.refuse(path, format!("holds counts of another run: its {what} differs"))?;
            Ok(out)
        }
        _ => Ok(out),
    }
}

/// The file of counts that are gone on with.
pub(super) fn reopen(path: &Path, anyhow: &Anyhow) -> Result<(Out, Results), CliError> {
    // Whether it holds counts is seen when they are read.
    let out = Out::open(path, Form { is: |_| true, ..COUNTS }, anyhow)?;
    Ok((out, read(path)?))
}

/// Writes the counts. The file is whole at every moment.
pub(super) fn write(out: &mut Out, results: &Results) -> Result<(), CliError> {
    out.write(&gate::json(&format!("{:#}\n", object(results))))
}

pub(super) fn read(path: &Path) -> Result<Results, CliError> {
    let text = files::read(path)?;
    let bad = |reason: String| CliError::NoCounts { path: path.display().to_string(), reason };
    let value: Value = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if value["form"] != FORM {
        return Err(bad(format!("it does not begin with `{FORM}`")));
    }
    results(&value).ok_or_else(|| bad("something in it is missing or changed".to_owned()))
}

pub(super) fn same(path: &Path, one: &Results, other: &Results) -> Result<(), CliError> {
    let path = path.display().to_string();
    differs(one, other).map_or(Ok(()), |what| Err(CliError::OtherCounts { path, what }))
}

/// What is not the same in two simulations, if anything.
fn differs(one: &Results, other: &Results) -> Option<&'static str> {
    let (a, b) = (&one.head, &other.head);
    Some(if a.title != b.title || a.rules != b.rules || one.runs != other.runs {
        "game"
    } else if a.seats != b.seats {
        "bots"
    } else if a.seed != b.seed {
        "seed"
    } else if one.varied != other.varied {
        "varied option"
    } else {
        return None;
    })
}

fn object(results: &Results) -> Value {
    let Results { head, varied, runs, sources, ranges, played, took } = results;
    let differences = played.differences.iter().map(|((first, second), difference)| {
        json!({
            "first": first, "second": second,
            "wins": difference.wins.iter().map(moments).collect::<Vec<_>>(),
            "scores": difference.scores.iter().map(moments).collect::<Vec<_>>(),
            "decisions": moments(&difference.decisions),
        })
    });
    json!({
        "form": FORM,
        "game": head.word, "title": head.title, "rules": head.rules,
        "seats": head.seats, "names": head.names, "seed": head.seed,
        "varied": varied,
        "files": sources.iter().map(|it| json!([it.name, it.text])).collect::<Vec<_>>(),
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "ranges": ranges, "next": played.next, "milliseconds": took,
        "tallies": played.tallies.iter().map(tally).collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn run(run: &Run) -> Value {
    let place = |place: &Placed| json!([place.what, place.span.start, place.span.end]);
    let all = |places: &[Placed]| places.iter().map(place).collect::<Vec<_>>();
    json!({ "options": run.options, "places": all(&run.places), "folded": all(&run.folded),
        "gains": all(&run.gains) })
}

fn moments(moments: &Moments) -> Value {
    json!([moments.count, moments.sum.to_string(), moments.squares.to_string()])
}

fn histogram(histogram: &Histogram) -> Value {
    histogram.counts.iter().map(|(number, count)| json!([number, count])).collect()
}

fn tally(tally: &Tally) -> Value {
    let all = |list: &[Histogram]| list.iter().map(histogram).collect::<Vec<_>>();
    let measures = tally.measures.iter().map(|(name, list)| (name.clone(), all(list).into()));
    let moves =
        tally.moves.iter().map(|(name, used)| (name.clone(), json!([used.offered, used.taken])));
    let places = tally.places.iter().map(|place| json!([place.games, place.wins]));
    json!({
        "playouts": tally.playouts, "finished": tally.finished,
        "limit_reached": tally.limit_reached, "wins": tally.wins, "shared": tally.shared,
        "places": places.collect::<Vec<_>>(), "reordered": tally.reordered,
        "scores": all(&tally.scores), "decisions": histogram(&tally.decisions),
        "draws": histogram(&tally.draws), "moves_offered": tally.moves_offered,
        "most_moves": tally.most_moves,
        "measures": measures.collect::<Map<String, Value>>(),
        "moves": moves.collect::<Map<String, Value>>(),
        "passed": tally.passed, "cut_off": tally.cut_off,
    })
}

fn results(value: &Value) -> Option<Results> {
    let head = Head {
        word: text(&value["game"])?,
        title: text(&value["title"])?,
        rules: text(&value["rules"])?,
        seats: list(&value["seats"], text)?,
        names: list(&value["names"], text)?,
        seed: value["seed"].as_u64()?,
    };
    let played = Simulated {
        next: value["next"].as_u64()?,
        tallies: list(&value["tallies"], read_tally)?,
        differences: list(&value["differences"], read_difference)?.into_iter().collect(),
    };
    let mut sources = Sources::default();
    for (name, words) in list(&value["files"], |it| Some((text(&it[0])?, text(&it[1])?)))? {
        sources.add(name, words);
    }
    Some(Results {
        head,
        varied: text(&value["varied"]),
        runs: list(&value["runs"], |run| read_run(run, &sources))?,
        sources,
        ranges: list(&value["ranges"], |pair| Some((pair[0].as_u64()?, pair[1].as_u64()?)))?,
        played,
        took: value["milliseconds"].as_u64()?,
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

fn read_run(value: &Value, sources: &Sources) -> Option<Run> {
    let option = |pair: &Value| Some((text(&pair[0])?, text(&pair[1])?));
    let place = |place: &Value| {
        let offset = |at: usize| usize::try_from(place[at].as_u64()?).ok();
        let span = Span::new(offset(1)?, offset(2)?);
        // A changed file may point anywhere.
        let source = sources.find(span)?;
        let whole = !source.slice(span).is_empty() || span.is_empty();
        whole.then_some(placed(sources, span, text(&place[0])?))
    };
    Some(Run {
        options: list(&value["options"], option)?,
        places: list(&value["places"], place)?,
        folded: list(&value["folded"], place)?,
        gains: list(&value["gains"], place)?,
    })
}

fn read_difference(value: &Value) -> Option<((usize, usize), Difference)> {
    let index = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let difference = Difference {
        wins: list(&value["wins"], read_moments)?,
        scores: list(&value["scores"], read_moments)?,
        decisions: read_moments(&value["decisions"])?,
    };
    Some(((index(&value["first"])?, index(&value["second"])?), difference))
}

fn read_moments(value: &Value) -> Option<Moments> {
    let long = |value: &Value| value.as_str()?.parse().ok();
    Some(Moments { count: value[0].as_u64()?, sum: long(&value[1])?, squares: long(&value[2])? })
}

fn read_histogram(value: &Value) -> Option<Histogram> {
    let pair = |pair: &Value| Some((pair[0].as_i64()?, pair[1].as_u64()?));
    Some(Histogram { counts: list(value, pair)?.into_iter().collect() })
}

fn read_tally(value: &Value) -> Option<Tally> {
    let number = |key: &str| value[key].as_u64();
    let all = |value: &Value| list(value, read_histogram);
    let measures = value["measures"].as_object()?.iter();
    let measures = measures.map(|(name, list)| Some((name.clone(), all(list)?)));
    let moves = value["moves"].as_object()?.iter().map(|(name, pair)| {
        Some((name.clone(), Use { offered: pair[0].as_u64()?, taken: pair[1].as_u64()? }))
    });
    let place = |pair: &Value| Some(Place { games: pair[0].as_u64()?, wins: pair[1].as_u64()? });
    Some(Tally {
        places: list(&value["places"], place)?,
        reordered: number("reordered")?,
        playouts: number("playouts")?,
        finished: number("finished")?,
        limit_reached: number("limit_reached")?,
        wins: list(&value["wins"], Value::as_u64)?,
        shared: number("shared")?,
        scores: all(&value["scores"])?,
        decisions: read_histogram(&value["decisions"])?,
        draws: read_histogram(&value["draws"])?,
        moves_offered: number("moves_offered")?,
        most_moves: number("most_moves")?,
        measures: measures.collect::<Option<BTreeMap<_, _>>>()?,
        moves: moves.collect::<Option<BTreeMap<_, _>>>()?,
        passed: list(&value["passed"], Value::as_bool)?,
        cut_off: list(&value["cut_off"], Value::as_u64)?,
    })
}
