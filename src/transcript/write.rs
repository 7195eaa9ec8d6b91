//! A played game to lines: the one place that knows how a transcript is spelt.

use crate::game::{Outcome, Said};

/// What the first lines of a transcript say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The game: its bundled name, or a path relative to the transcript.
    pub game: String,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    /// The options by name and value.
    pub options: Vec<(String, String)>,
}

impl Opening {
    /// Returns the header lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("game {}", self.game)];
        lines.push(format!("players {}", self.names.join(", ")));
        lines.extend(self.options.iter().map(|(name, value)| format!("option {name} = {value}")));
        lines
    }
}

/// Returns the line of the header, behind the options, that says what chance follows from.
pub fn seed(number: u64) -> String {
    format!("seed {number}")
}

/// Returns the line of a chance event.
pub fn chance(event: &str, outcome: &str) -> String {
    format!("* {event}: {outcome}")
}

/// Returns the line of a decision.
pub fn decision(name: &str, label: &str) -> String {
    format!("{name}> {label}")
}

/// Returns the output lines of what was said: two spaces, and to whom if not to everybody. Empty
/// lines are left out, since an empty line in a script is no output.
pub fn said(said: &Said, names: &[String]) -> Vec<String> {
    let to = match said.to {
        Some(player) => format!("(to {}) ", names[usize::from(player.0)]),
        None => String::new(),
    };
    let lines = said.text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| format!("  {to}{line}")).collect()
}

/// Returns a result in words: scores by seat where the game ranks, and who won where these do not
/// say so; else who won.
pub fn result(outcome: &Outcome, names: &[String]) -> String {
    let Some(scores) = &outcome.scores else { return winner(outcome, names) };
    let pairs = names.iter().zip(scores).map(|(name, score)| format!("{name} {score}"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    if names.len() == 1 || best(scores) == best(&outcome.returns) {
        return pairs;
    }
    format!("{pairs}: {}", winner(outcome, names))
}

/// The seats with the highest value.
fn best(values: &[i64]) -> Vec<usize> {
    let best = values.iter().max();
    (0..values.len()).filter(|&seat| Some(&values[seat]) == best).collect()
}

/// Returns who won, in words.
pub fn winner(outcome: &Outcome, names: &[String]) -> String {
    let seats = best(&outcome.returns);
    let winners: Vec<&String> = seats.iter().map(|&seat| &names[seat]).collect();
    let best = outcome.returns.iter().max().copied().unwrap_or(0);
    match winners.as_slice() {
        [winner] if best > 0 => format!("{winner} wins"),
        [alone] if names.len() == 1 && best < 0 => format!("{alone} loses"),
        everybody if everybody.len() == names.len() => "draw".to_owned(),
        some => format!("{} share the win", list(some)),
    }
}

/// Returns words as a list: `Ann, Ben and Cem`.
pub fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Returns the words of a text with one space between them.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
