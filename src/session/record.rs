//! The script of a saved game, as files keep it.

use crate::transcript::{self, Opening};

/// What the comment begins with that says who decides for whom.
const SEATS: &str = "# seats: ";

/// A game in play, as a file keeps it.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    pub names: &'a [String],
    pub options: Vec<(String, String)>,
    pub seats: Vec<String>,
    /// The number that chance follows from.
    pub seed: u64,
    /// The lines of the transcript below its header.
    pub lines: &'a [String],
    pub begun: bool,
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

/// Returns the whole lines of a journal that may have been broken off anywhere; nothing if not even
/// what stands above the first move is whole, for then nobody knows which game it was.
pub fn whole_lines(journal: &[u8]) -> Option<String> {
    let whole = journal.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&journal[..whole]).into_owned();
    // The line about the seats is the last one of those that every journal begins with.
    text.lines().any(|line| line.starts_with(SEATS)).then_some(text)
}
