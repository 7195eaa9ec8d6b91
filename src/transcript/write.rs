//! Lines of a transcript: of a played game, and of a script in its canonical layout.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostics;
use crate::game::{Outcome, Said, places_by};
use crate::source::Source;
use crate::transcript::read::{read_script, reported};
use crate::transcript::{Line, LineKind, LinePosition, SpannedText, fold_case};

/// Returns the first lines of the header; `game` is a bundled name, or a path relative to the transcript.
pub fn opening(game: &str, names: &[String], options: &[(String, String)]) -> Vec<String> {
    let options = options.iter().map(|(name, value)| format!("option {name} = {value}"));
    let heads = [format!("game {game}"), format!("players {}", names.join(", "))];
    heads.into_iter().chain(options).collect()
}

/// Returns the line of the header, after the options, that says what chance follows from.
pub(crate) fn seed(number: u64) -> String {
    format!("seed {number}")
}

pub fn chance(event: &str, outcome: &str) -> String {
    format!("* {event}: {outcome}")
}

pub fn format_decision(name: &str, label: &str) -> String {
    format!("{name}> {label}")
}

/// Returns the output lines of what was said: two spaces, and to whom if not to everybody. Empty
/// lines are left out, since an empty line in a script is no output.
pub fn format_said(said: &Said, names: &[String]) -> Vec<String> {
    let to = match said.to {
        Some(player) => format!("(to {}) ", names[usize::from(player.0)]),
        None => String::new(),
    };
    let lines = said.text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| format!("  {to}{line}")).collect()
}

/// Returns a result in words: scores by seat where the game ranks, and the places or who won where
/// these do not say so; else who won.
pub fn format_result(outcome: &Outcome, names: &[String]) -> String {
    let Some(scores) = &outcome.scores else { return winner(outcome, names) };
    if outcome.is_together() {
        return winner(outcome, names);
    }
    let pairs = names.iter().zip(scores).map(|(name, score)| format!("{name} {score}"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let by_score = outcome.merits().map(|merits| places_by(&merits));
    if names.len() > 2 && by_score.as_ref() != Some(&outcome.places) {
        return format!("{pairs}: {}", format_places(outcome, names));
    }
    if names.len() == 1 || best_seats(scores) == best_seats(&outcome.returns) {
        return pairs;
    }
    format!("{pairs}: {}", winner(outcome, names))
}

/// Returns the places in words: `1. Ben, Cem; 3. Ann`.
pub(crate) fn format_places(outcome: &Outcome, names: &[String]) -> String {
    let mut shared: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (place, name) in outcome.places.iter().zip(names) {
        shared.entry(*place).or_default().push(name);
    }
    let places = shared.iter().map(|(place, names)| format!("{place}. {}", names.join(", ")));
    places.collect::<Vec<_>>().join("; ")
}

/// The seats with the highest value.
fn best_seats(values: &[i64]) -> Vec<usize> {
    let best = values.iter().max();
    (0..values.len()).filter(|&seat| Some(&values[seat]) == best).collect()
}

pub fn winner(outcome: &Outcome, names: &[String]) -> String {
    if let Some(score) = outcome.scores.as_ref().filter(|_| outcome.is_together()) {
        return format!("together {}", score[0]);
    }
    let seats = best_seats(&outcome.returns);
    let winners: Vec<&String> = seats.iter().map(|&seat| &names[seat]).collect();
    let best = outcome.returns.iter().max().copied().unwrap_or(0);
    match winners.as_slice() {
        [winner] if best > 0 => format!("{winner} wins"),
        [alone] if names.len() == 1 && best < 0 => format!("{alone} loses"),
        all if all.len() == names.len() && best > 0 => "everybody wins".to_owned(),
        all if all.len() == names.len() && best < 0 => "everybody loses".to_owned(),
        everybody if everybody.len() == names.len() => "draw".to_owned(),
        team if best > 0 => format!("{} win", list_words(team)),
        some => format!("{} share the win", list_words(some)),
    }
}

/// Returns words as a list: `Ann, Ben and Cem`.
pub(crate) fn list_words(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The text of a script with its header in order, one space where spaces stand between words, and
/// one empty line where there are several. Output and comments stay as they are, and so does what
/// follows `?`, `set` and `do`. Doing it again changes nothing.
///
/// # Errors
///
/// What is wrong with the form of the script, but for the order of its header.
pub fn tidy(source: &Source) -> Result<String, Diagnostics> {
    let (script, errors) = read_script(source);
    if errors.iter().any(|error| error.code != Some("script::header_order")) {
        return Err(reported(errors));
    }
    let ranked = script.lines.iter().filter_map(|line| match line.kind.line_position() {
        LinePosition::Header(rank) => Some((rank, line)),
        _ => None,
    });
    let mut headers: Vec<(usize, &Line)> = ranked.collect();
    headers.sort_by_key(|(rank, _)| *rank);
    let mut headers = headers.into_iter();
    let mut lines: Vec<String> = Vec::new();
    for line in &script.lines {
        let header = if line.kind.is_header() { headers.next() } else { None };
        let line = header.map_or(line, |(_, header)| header);
        let text = format_line(line);
        // An empty line is worth one, and none at the beginning.
        if !text.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(text);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect())
}

/// A line with the spaces that belong into it, and its comment.
fn format_line(line: &Line) -> String {
    let words = |words: &SpannedText| fold_case(&words.text);
    let sign = line.kind.line_sign();
    let text = match &line.kind {
        LineKind::Output(_) | LineKind::Comment | LineKind::Blank => return line.text.clone(),
        LineKind::Game(it) | LineKind::Set(it) | LineKind::Do(it) | LineKind::Holds(it) => {
            format!("{sign} {}", it.text)
        }
        LineKind::Players(several) | LineKind::Tags(several) => {
            format!("{sign} {}", several.iter().map(words).collect::<Vec<_>>().join(", "))
        }
        LineKind::Option { name, value } => {
            let values = value.text.split('|').map(fold_case).collect::<Vec<_>>();
            format!("{sign} {} = {}", words(name), values.join(" | "))
        }
        LineKind::Include(text) | LineKind::Case(text) | LineKind::Known(text) => {
            format!("{sign} \"{}\"", text.text)
        }
        LineKind::Limit(time) => format!("{sign} {} s", time / 1000),
        LineKind::Seed(number) => seed(*number),
        LineKind::Decision { name, words: label } => format_decision(&words(name), &words(label)),
        LineKind::Chance(event) => {
            let (event, outcome) = event.text.split_once(':').unwrap_or((&event.text, ""));
            chance(&fold_case(event), &fold_case(outcome))
        }
        LineKind::Refused { words: label, because } => {
            let because = because.as_ref().map(|text| format!(" because \"{}\"", text.text));
            format!("{sign} {}{}", words(label), because.unwrap_or_default())
        }
        LineKind::Moves | LineKind::End => sign.to_owned(),
        LineKind::Bot(number, None) => format!("{sign} {number}"),
        LineKind::Bot(number, Some(who)) => format!("{sign} {number} {}", words(who)),
        LineKind::Result(result) => format!("{sign} {}", words(result)),
    };
    format!("{text}{}", line.tail)
}
