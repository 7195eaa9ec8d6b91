//! `astragal play`: a game at the table.

use std::path::Path;

use super::args::Play;
use super::error::CliError;
use super::files::{self, Found};
use super::games;
use super::journal::Journal;
use super::replay;
use super::screen::{Exit, Failure, Screen};
use super::terminal::Terminal;
use crate::chance::Seed;
use crate::game::Game;
use crate::session::{Console, Ending, Live, PlayError, Seat, Session};
use crate::source::Sources;

/// Plays a game to its end, or until the people leave.
pub(super) fn play(command: &Play, screen: &mut Screen) -> Result<Exit, Failure> {
    let Some(word) = chosen(command, screen)? else { return Ok(Exit::Fine) };
    let found = files::find(&word, Path::new(""))?;
    let (game, sources) = files::load(&found, &command.table, Sources::default())?;
    let seed = match command.seed {
        Some(seed) => Seed(seed),
        None => Seed::from_system().ok_or(CliError::NoSeed)?,
    };
    let seats = seats(command, seed, game.info().players)?;
    let journal = journal(command, &word, &found, &game)?;
    screen.line(&greeting(&game, &seats, seed))?;
    let chance = seed.table(0, game.info().players);
    let mut session = Session { position: Live::new(game), seats, chance };
    let mut terminal = Terminal { screen, journal };
    let ending = session.play(&mut terminal);
    let again = replay::command(command, &word, seed);
    conclude(ending, &again, &sources, screen)
}

/// The game that is played: named, or chosen from the bundled ones.
fn chosen(command: &Play, screen: &mut Screen) -> Result<Option<String>, Failure> {
    if let Some(word) = &command.game {
        return Ok(Some(word.clone()));
    }
    games::games(screen)?;
    let mut terminal = Terminal { screen, journal: None };
    loop {
        match terminal.ask("game> ")? {
            None => return Ok(None),
            Some(word) if word.is_empty() => {}
            Some(word) => return Ok(Some(word)),
        }
    }
}

/// Says how to begin the same game again, also where the rules had to stop.
fn conclude(
    ending: Result<Ending, PlayError>,
    again: &str,
    sources: &Sources,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    screen.flush()?;
    let found = match ending {
        Err(PlayError::Console(error)) => return Err(error.into()),
        Err(PlayError::Rules(diagnostics)) => Some(diagnostics),
        Ok(Ending::Left) => {
            screen.note("the game was left before its end")?;
            None
        }
        Ok(Ending::Over) => None,
    };
    screen.note(&format!("the same game again: {again}"))?;
    found.map_or(Ok(Exit::Fine), |diagnostics| Err(files::refuse(sources, diagnostics)))
}

fn journal(
    command: &Play,
    word: &str,
    found: &Found,
    game: &Game,
) -> Result<Option<Journal>, CliError> {
    command.record.as_ref().map(|path| Journal::begin(path, word, found, game)).transpose()
}

/// Who sits where; people, where nothing is said. What is said later counts.
fn seats(command: &Play, seed: Seed, players: usize) -> Result<Vec<Seat>, CliError> {
    let mut seats = vec![Seat::Human; players];
    for (place, who) in &command.seats {
        for seat in places(place, players)? {
            let number = u8::try_from(seat).expect("a table has few seats");
            seats[seat] = Seat::named(who, seed, players, number).ok_or_else(|| {
                let known = Seat::words().join(" or ");
                CliError::Who { who: who.clone(), known }
            })?;
        }
    }
    Ok(seats)
}

/// The seats, counted from 0, that a word of the command line means.
fn places(word: &str, players: usize) -> Result<std::ops::Range<usize>, CliError> {
    if word == "all" {
        return Ok(0..players);
    }
    match word.parse::<usize>() {
        Ok(number) if (1..=players).contains(&number) => Ok(number - 1..number),
        _ => Err(CliError::Seat { seat: word.to_owned(), players }),
    }
}

/// The first line: what is played, who sits where, and the seed.
fn greeting(game: &Game, seats: &[Seat], seed: Seed) -> String {
    let names = game.names().iter().zip(seats).map(|(name, seat)| match seat {
        Seat::Human => name.clone(),
        Seat::Random(_) => format!("{name} (random)"),
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let version = env!("CARGO_PKG_VERSION");
    format!("astragal {version} · {} · {names} · seed {seed} · :quit", game.info().title)
}

#[cfg(test)]
mod tests {
    use super::{places, seats};
    use crate::chance::Seed;
    use crate::cli::args::{Play, Table};
    use crate::cli::error::CliError;
    use crate::session::Seat;

    fn seated(pairs: &[(&str, &str)]) -> Result<Vec<bool>, CliError> {
        let pair = |(place, who): &(&str, &str)| ((*place).to_owned(), (*who).to_owned());
        let seats_given = pairs.iter().map(pair).collect();
        let (table, record) = (Table::default(), None);
        let play = Play { game: None, table, seed: None, seats: seats_given, record };
        let seats = seats(&play, Seed(1), 3)?;
        Ok(seats.iter().map(|seat| matches!(seat, Seat::Human)).collect())
    }

    #[test]
    fn people_sit_where_nothing_is_said() {
        assert_eq!(seated(&[]), Ok(vec![true, true, true]));
        assert_eq!(seated(&[("all", "random"), ("2", "human")]), Ok(vec![false, true, false]));
    }

    #[test]
    fn seats_and_who_sits_there_must_exist() {
        assert!(matches!(seated(&[("4", "human")]), Err(CliError::Seat { .. })));
        assert!(matches!(seated(&[("1", "cat")]), Err(CliError::Who { .. })));
        assert_eq!(places("2", 3), Ok(1..2));
    }
}
