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

#[cfg(test)]
mod tests {
    use super::{list, result, said};
    use crate::game::{Outcome, Player, Said};

    fn names() -> Vec<String> {
        ["Ann", "Ben", "Cem"].map(String::from).to_vec()
    }

    fn ended(returns: [i64; 3]) -> String {
        result(&Outcome { returns: returns.to_vec(), scores: None }, &names())
    }

    #[test]
    fn results_are_put_into_words() {
        assert_eq!(ended([1, -1, -1]), "Ann wins");
        assert_eq!(ended([0, 0, 0]), "draw");
        assert_eq!(ended([0, -1, 0]), "Ann and Cem share the win");
        let scores = Some(vec![6, 0, -2]);
        let outcome = Outcome { returns: vec![1, -1, -1], scores };
        assert_eq!(result(&outcome, &names()), "Ann 6, Ben 0, Cem -2");
        let outcome = Outcome { returns: vec![-1, 1, -1], scores: Some(vec![6, 6, 2]) };
        assert_eq!(result(&outcome, &names()), "Ann 6, Ben 6, Cem 2: Ben wins");
    }

    #[test]
    fn who_plays_alone_wins_or_loses() {
        let alone = |value| {
            let outcome = Outcome { returns: vec![value], scores: None };
            result(&outcome, &names()[..1])
        };
        assert_eq!([alone(1), alone(0), alone(-1)], ["Ann wins", "draw", "Ann loses"]);
    }

    #[test]
    fn what_is_said_is_indented_line_by_line() {
        let public = Said { to: None, text: "one \n\ntwo".to_owned(), declines: false };
        assert_eq!(said(&public, &names()), ["  one", "  two"]);
        let secret = Said { to: Some(Player(1)), text: "the ace".to_owned(), declines: false };
        assert_eq!(said(&secret, &names()), ["  (to Ben) the ace"]);
    }

    #[test]
    fn lists_read_like_speech() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
