//! Opens a game at a table: at its start, at the end of a script or of a saved game; its seed and seats.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::chance::Seed;
use crate::game::Game;
use crate::host::files::{self, TableSetup};
use crate::host::game_files::{FoundText, find_here};
use crate::host::journal::Journal;
use crate::host::saves::{self, SaveFolder};
use crate::host::{bots, error::HostError, exit::Failure, progress, screen::Screen};
use crate::session::{LoadedScript, Running, Seat};
use crate::source::Sources;
use crate::suggest::nearest;
use crate::transcript::{self, Script, list_words};

/// The game at its start, or a script that is played on.
pub(crate) enum GameBegin {
    Start(Box<Running>),
    Script(Box<LoadedScript>),
}

impl GameBegin {
    /// Reads the files of what bots learned that words of seats name.
    pub(crate) fn equip(
        &mut self,
        found: &FoundText,
        asked: &[(String, String)],
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let (running, written) = match self {
            GameBegin::Start(start) => (start.as_mut(), Vec::new()),
            GameBegin::Script(loaded) => (&mut loaded.start, saves::seats_of(&loaded.script)),
        };
        let words = asked.iter().map(|(_, who)| who).chain(&written);
        let game = bots::load_bot_files(running.game(), found, words, screen)?;
        running.equip(game);
        Ok(())
    }

    /// The game and the script, with what in them could deceive their reader reported.
    pub(crate) fn checked_parts(
        &self,
        screen: &mut Screen,
    ) -> Result<(&Game, Option<&Script>), Failure> {
        let (sources, parts) = match self {
            GameBegin::Start(start) => (start.game().sources(), (start.game(), None)),
            GameBegin::Script(loaded) => {
                (&loaded.sources, (loaded.start.game(), Some(&loaded.script)))
            }
        };
        screen.warn_of_signs(sources)?;
        Ok(parts)
    }
}

/// The game, where it begins, and its journal where there is one already.
pub(crate) type OpenedGame = (FoundText, GameBegin, Option<Journal>);

/// The last unfinished game, or the one with a number among them, where no other program plays it.
pub(crate) fn unfinished(
    folder: SaveFolder,
    game: Option<&str>,
    number: Option<NonZeroUsize>,
) -> Result<OpenedGame, Failure> {
    let given = game.map(find_here).transpose()?;
    let path = saves::unfinished(folder, given.as_ref(), number)?;
    let command = folder.command_name();
    let elsewhere = || HostError::PlayedElsewhere { game: game.map(str::to_owned), command };
    let journal = Journal::resume(&path)?.ok_or_else(elsewhere)?;
    let (named, loaded) = saves::open_unfinished(&path, given)?;
    Ok((named, GameBegin::Script(Box::new(loaded)), Some(journal)))
}

/// The game where a script ends.
pub(crate) fn scripted(file: &Path, game: Option<&str>) -> Result<OpenedGame, Failure> {
    let (named, loaded) = saves::open_script(file, game.map(find_here).transpose()?)?;
    Ok((named, GameBegin::Script(Box::new(loaded)), None))
}

/// A game at its start.
pub(crate) fn fresh(
    word: &str,
    table: &TableSetup,
    screen: &mut Screen,
) -> Result<OpenedGame, Failure> {
    let named = find_here(word)?;
    screen.note_namesake(&named)?;
    let game = files::load_game(&named, table, Sources::default())?;
    Ok((named, GameBegin::Start(Box::new(Running::new(game))), None))
}

pub(crate) fn seed_or(given: Option<Seed>) -> Result<Seed, HostError> {
    given.or_else(Seed::from_system).ok_or(HostError::NoSeed)
}

/// The seats: those that a file says, else people; later flags of the command win over earlier ones.
pub(crate) fn assign_seats(
    asked: &[(String, String)],
    written: &[String],
    game: &Game,
) -> Result<Vec<Seat>, HostError> {
    let (names, players) = (game.names(), game.info().players);
    let seat = |who: &str| Seat::from_word(who, game, progress::milliseconds);
    let mut seats = vec![Seat::Human; players];
    for (place, who) in seats.iter_mut().zip(written) {
        *place = seat(who).unwrap_or(Seat::Human);
    }
    for (place, who) in asked {
        let places = match place.parse::<usize>() {
            _ if place == "all" => 0..players,
            Ok(number) if (1..=players).contains(&number) => number - 1..number,
            _ => match named_seat(place, names, &game.titled_names()) {
                Some(seat) => seat..seat + 1,
                None => return Err(no_seat(place, names)),
            },
        };
        for place in places {
            let unknown = || HostError::Who { who: who.clone(), known: Seat::words(game) };
            seats[place] = seat(who).ok_or_else(unknown)?;
        }
    }
    Ok(seats)
}

/// The seat of a player by name, in any case, or by the title of the seat: `Ann (Black)`.
fn named_seat(word: &str, names: &[String], titled: &[String]) -> Option<usize> {
    let lower = transcript::fold_case(word).to_lowercase();
    let by_name = names.iter().position(|name| name.to_lowercase() == lower);
    by_name.or_else(|| {
        let title = format!(" ({lower})");
        titled.iter().position(|name| name.to_lowercase().ends_with(&title))
    })
}

fn no_seat(word: &str, names: &[String]) -> HostError {
    let help = match nearest(word, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? The players are {}", list_words(names)),
        None => format!("the players are {}", list_words(names)),
    };
    HostError::Seat { seat: word.to_owned(), players: names.len(), help }
}
