//! The command that begins the same game again.

use super::args::Play;
use crate::chance::Seed;

pub(super) fn command(play: &Play, game: &str, seed: Seed) -> String {
    let mut words = vec!["astragal".to_owned(), "play".to_owned(), quote(game)];
    if let Some(file) = &play.load {
        words.push(format!("--load {}", quote(&file.display().to_string())));
    }
    if let Some(players) = play.table.players {
        words.push(format!("--players {players}"));
    }
    if !play.table.names.is_empty() {
        words.push(format!("--names {}", quote(&play.table.names.join(","))));
    }
    let flags = [("--option", &play.table.options), ("--seat", &play.seats)];
    for (flag, pairs) in flags {
        let word = |(name, value): &(String, String)| quote(&format!("{name}={value}"));
        words.extend(pairs.iter().map(|pair| format!("{flag} {}", word(pair))));
    }
    words.push(format!("--seed {seed}"));
    words.join(" ")
}

/// A word that a shell leaves as it is.
pub(super) fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./,=:+@".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::command;
    use crate::chance::Seed;
    use crate::cli::args::{Play, Table};

    #[test]
    fn the_command_can_be_pasted() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let play = Play {
            table: Table {
                players: Some(2),
                names: vec!["Ann".to_owned(), "O'Ben".to_owned()],
                options: vec![pair("goal", "5")],
            },
            seats: vec![pair("2", "random")],
            ..Play::default()
        };
        assert_eq!(
            command(&play, "my games/pairs.game", Seed(7)),
            r"astragal play 'my games/pairs.game' --players 2 --names 'Ann,O'\''Ben' --option goal=5 --seat 2=random --seed 7"
        );
    }
}
