//! A game in play as files keep it: the script of a saved game.

use crate::transcript::{self, Opening};

/// What the comment begins with that says who decides for whom.
const SEATS: &str = "# seats: ";

/// A game in play, as a file keeps it.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// What the players are called.
    pub names: &'a [String],
    /// The options by name and value.
    pub options: Vec<(String, String)>,
    /// Who decides for each player.
    pub seats: Vec<String>,
    /// The number that chance follows from.
    pub seed: u64,
    /// The lines of the transcript below its header.
    pub lines: &'a [String],
    /// Whether anybody has done anything yet.
    pub begun: bool,
    /// Whether the game is over.
    pub over: bool,
}

impl Record<'_> {
    /// Returns the whole script; `game` is what it calls the game.
    pub fn script(&self, game: String) -> String {
        let opening = Opening { game, names: self.names.to_vec(), options: self.options.clone() };
        let seats = format!("{SEATS}{}", self.seats.join(", "));
        let head = opening.lines().into_iter().chain([transcript::seed(self.seed), seats]);
        let lines = head.chain(self.lines.iter().cloned());
        lines.flat_map(|line| [line, "\n".to_owned()]).collect()
    }
}

/// Returns who decides for whom, as a line of a script says it.
pub fn seats_kept(line: &str) -> Option<Vec<String>> {
    let words = line.strip_prefix(SEATS)?.split(',');
    Some(words.map(|word| word.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::seats_kept;

    #[test]
    fn seats_are_read_back() {
        let words = ["human", "random"].map(String::from).to_vec();
        assert_eq!(seats_kept("# seats: human, random"), Some(words));
        assert_eq!(seats_kept("# a note"), None);
    }
}
