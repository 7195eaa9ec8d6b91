//! The counts of a simulation in a file: to be gone on with, and to be added to others.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use super::results::{Head, Located, Placed, Results, Run};
use super::writing::{Form, Out, Overwrite};
use super::{error::CliError, files, gate};
use crate::simulate::{Difference, Simulated, Tally};
use crate::source::Sources;

/// What such a file is called inside, with the version of its form.
const FORM: &str = "astragal counts 4";

const COUNTS: Form = Form { called: "a file of counts", is: is_counts };

fn is_counts(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|heading: Heading| heading.form == FORM)
}

/// The file that counts are written into. What it holds already is lost only if the counts to come have
/// it too.
pub(super) fn open(path: &Path, counts: &Results, overwrite: &Overwrite) -> Result<Out, CliError> {
    let out = Out::open(path, COUNTS, overwrite)?;
    let old = match fs::metadata(path) {
        Ok(there) if there.len() > 0 && *overwrite != Overwrite::Yes => read(path)?,
        _ => return Ok(out),
    };
    let ranges = old.done();
    let covers = |range: &(u64, u64)| {
        counts.ranges.iter().any(|(first, last)| *first <= range.0 && range.1 <= *last)
    };
    let part = (!ranges.iter().all(covers)).then_some("part");
    match differs(counts, &old).or(part) {
        Some(what) if !ranges.is_empty() => {
            overwrite.refuse(path, format!("holds counts of another run: its {what} differs"))?;
            Ok(out)
        }
        _ => Ok(out),
    }
}

pub(super) fn reopen(path: &Path, overwrite: &Overwrite) -> Result<(Out, Results), CliError> {
    // Whether it holds counts is seen when they are read.
    let out = Out::open(path, Form { is: |_| true, ..COUNTS }, overwrite)?;
    Ok((out, read(path)?))
}

/// Writes the counts. The file is whole at every moment.
pub(super) fn write(out: &mut Out, results: &Results) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(&Kept::of(results)).expect("counts are plain data");
    out.write(&gate::json(&format!("{text}\n")))
}

pub(super) fn read(path: &Path) -> Result<Results, CliError> {
    let text = files::read(path)?;
    let bad = |reason: String| CliError::NoCounts { path: path.display().to_string(), reason };
    match serde_json::from_str::<Heading>(&text) {
        Err(error) if !error.is_data() => return Err(bad(error.to_string())),
        Ok(heading) if heading.form == FORM => {}
        _ => return Err(bad(format!("it does not begin with `{FORM}`"))),
    }
    let kept = serde_json::from_str::<Kept>(&text).ok().and_then(Kept::results);
    kept.ok_or_else(|| bad("something in it is missing or changed".to_owned()))
}

pub(super) fn same(path: &Path, one: &Results, other: &Results) -> Result<(), CliError> {
    let path = path.display().to_string();
    differs(one, other).map_or(Ok(()), |what| Err(CliError::OtherCounts { path, what }))
}

fn differs(one: &Results, other: &Results) -> Option<&'static str> {
    let (a, b) = (&one.head, &other.head);
    let runs = |results: &Results| -> Vec<(Vec<(String, String)>, Vec<Located>)> {
        let places = |run: &Run| run.all_places().map(|place| results.locate(place)).collect();
        results.runs.iter().map(|run| (run.options.clone(), places(run))).collect()
    };
    Some(if a.title != b.title || a.rules != b.rules || runs(one) != runs(other) {
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

#[derive(Serialize, Deserialize)]
struct Kept {
    form: String,
    head: Head,
    varied: Option<String>,
    /// The texts of the rules by their names.
    files: Vec<(String, String)>,
    runs: Vec<Run>,
    ranges: Vec<(u64, u64)>,
    next: u64,
    milliseconds: u64,
    tallies: Vec<Tally>,
    differences: Vec<((usize, usize), Difference)>,
}

/// The beginning of every form.
#[derive(Deserialize)]
struct Heading {
    form: String,
}

impl Kept {
    fn of(results: &Results) -> Kept {
        let Results { head, varied, runs, sources, ranges, played, took } = results.clone();
        Kept {
            form: FORM.to_owned(),
            head,
            varied,
            files: sources.iter().map(|it| (it.name.clone(), it.text.clone())).collect(),
            runs,
            ranges,
            next: played.next,
            milliseconds: took,
            tallies: played.tallies,
            differences: played.differences.into_iter().collect(),
        }
    }

    /// The results; none where a place lies in no text, since a changed file may point anywhere.
    fn results(self) -> Option<Results> {
        let mut sources = Sources::default();
        for (name, text) in self.files {
            sources.add(name, text);
        }
        let lies_in_text = |place: &Placed| {
            let source = sources.find(place.span);
            source.is_some_and(|it| place.span.is_empty() || !it.slice(place.span).is_empty())
        };
        if !self.runs.iter().flat_map(Run::all_places).all(lies_in_text) {
            return None;
        }
        let differences = self.differences.into_iter().collect();
        Some(Results {
            head: self.head,
            varied: self.varied,
            runs: self.runs,
            ranges: self.ranges,
            played: Simulated { next: self.next, tallies: self.tallies, differences },
            took: self.milliseconds,
            sources,
        })
    }
}
