//! Reads and writes what was learned: lines of numbers and a checksum.

use crate::bots::Analysis;
use crate::bots::learned::Learned;
use crate::bots::learned::features::FeatureLayout;
use crate::bots::learned::network::{HIDDEN, Network, WeightRow};
use crate::bots::learned::words::MoveRows;
use crate::game::fnv;

/// What such a file is called inside, with the version of its form.
pub(crate) const FORM: &str = "astragal bot 3";

/// Why a file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BotFileFault {
    /// It is no such file, or not of this version.
    Other,
    /// It is not as it was written.
    Damaged,
    /// It was learned for other rules, or another setting.
    Stale,
}

impl Learned {
    /// The text of the file: all that the next games need to go on learning.
    pub(crate) fn to_text(&self, analysis: &Analysis) -> String {
        let mut text = format!(
            "{FORM}\nrules {:016x}\ngames {}\nseed {}\nunit {}\n",
            analysis.game().fingerprint(),
            self.games,
            self.seed,
            self.unit
        );
        text.push_str(&line("teachers", self.teachers.iter().flat_map(|(a, b)| [*a, *b])));
        text.push_str(&line("matches", self.matches.iter().flat_map(|(a, b)| [*a, *b])));
        text.push_str(&line("bounds", self.layout.bounds.iter().flat_map(|(a, b)| [*a, *b])));
        for (number, row) in self.network.rows.iter().enumerate() {
            if row.squares != [0, 0] {
                let number = i64::try_from(number).expect("rows are few");
                let squares = row.squares.map(u64::cast_signed);
                let numbers = [number].into_iter().chain(squares).chain([row.straight.into()]);
                text.push_str(&line("row", numbers.chain(row.weights.map(i64::from))));
            }
        }
        let sum = fnv(text.as_bytes());
        text + &format!("sum {sum:016x}\n")
    }

    /// Reads such a text for a game.
    pub(crate) fn from_text(text: &str, analysis: &Analysis) -> Result<Learned, BotFileFault> {
        let heading = text.lines().next().ok_or(BotFileFault::Other)?;
        if heading != FORM {
            return Err(BotFileFault::Other);
        }
        let (body, sum) = text.trim_end().rsplit_once("\nsum ").ok_or(BotFileFault::Damaged)?;
        if sum != format!("{:016x}", fnv(format!("{body}\n").as_bytes())) {
            return Err(BotFileFault::Damaged);
        }
        let mut lines = body.lines().skip(1);
        let mut next = |word: &str| {
            let rest = lines.next().and_then(|line| line.strip_prefix(word));
            rest.map(str::trim).ok_or(BotFileFault::Damaged)
        };
        if next("rules")? != format!("{:016x}", analysis.game().fingerprint()) {
            return Err(BotFileFault::Stale);
        }
        let damaged = |_| BotFileFault::Damaged;
        let games = next("games")?.parse().map_err(damaged)?;
        let seed = next("seed")?.parse().map_err(damaged)?;
        let unit = next("unit")?.parse().map_err(damaged)?;
        let teachers = to_pairs(&numbers(next("teachers")?)?);
        let matches = to_pairs(&numbers(next("matches")?)?);
        let matches = matches.try_into().map_err(|_| BotFileFault::Damaged)?;
        let bounds = to_pairs(&numbers(next("bounds")?)?);
        let layout = FeatureLayout::new(analysis, Some(bounds));
        let mut network = Network::new(layout.count());
        for line in lines {
            let row = line.strip_prefix("row").ok_or(BotFileFault::Damaged)?;
            read_row(&numbers(row)?, &mut network).ok_or(BotFileFault::Damaged)?;
        }
        let words = MoveRows::new(analysis.game());
        Ok(Learned { layout, words, network, unit, games, seed, teachers, matches })
    }
}

fn line(word: &str, numbers: impl Iterator<Item = i64>) -> String {
    let numbers = numbers.map(|number| format!(" {number}"));
    format!("{word}{}\n", numbers.collect::<String>())
}

fn numbers(words: &str) -> Result<Vec<i64>, BotFileFault> {
    let each = words.split_whitespace().map(str::parse);
    each.collect::<Result<_, _>>().map_err(|_| BotFileFault::Damaged)
}

fn to_pairs(numbers: &[i64]) -> Vec<(i64, i64)> {
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

fn read_row(numbers: &[i64], network: &mut Network) -> Option<()> {
    let [number, first, second, straight, weights @ ..] = numbers else { return None };
    let row = network.rows.get_mut(usize::try_from(*number).ok()?)?;
    let weights = weights.iter().map(|weight| i32::try_from(*weight).ok());
    let weights: [i32; HIDDEN] = weights.collect::<Option<Vec<i32>>>()?.try_into().ok()?;
    let squares = [first, second].map(|square| square.cast_unsigned());
    *row = WeightRow { weights, straight: i32::try_from(*straight).ok()?, squares };
    Some(())
}
