//! `astragal play`: a game at the table.

use super::journal::{Journal, Named};
use super::saves::{self, Keeper, Opened, Rules};
use super::screen::{Exit, Failure, Screen};
use super::{
    args::Play, bundled, error::CliError, files, line::Line, line::STRONG, progress, replay,
    replay::quote, terminal::Terminal, watch::Watched,
};
use crate::chance::Seed;
use crate::diagnostic::hidden_signs_in;
use crate::game::Game;
use crate::session::{Console, Ending, Io, Loaded, Prompt, Reply, Running, Seat, Session};
use crate::source::Sources;

struct Table {
    named: Named,
    /// The game at its start, or a script that is played on.
    begin: Begin,
    seats: Vec<Seat>,
    seed: Seed,
    keeper: Keeper,
}

enum Begin {
    Start(Running),
    Script(Box<Loaded>),
}

pub(super) fn play(command: &Play, screen: &mut Screen) -> Result<Exit, Failure> {
    let given = || command.game.as_deref().map(saves::named).transpose();
    let table = if command.resume {
        let given = given()?;
        let path = saves::newest_unfinished(given.as_ref())?;
        let journal = Journal::resume(&path)?
            .ok_or_else(|| CliError::PlayedElsewhere { game: command.game.clone() })?;
        set_up(command, saves::open_unfinished(&path, given)?, Some(journal), screen)?
    } else if let Some(file) = &command.load {
        set_up(command, saves::open(file, given()?)?, None, screen)?
    } else {
        match chosen(command, screen)? {
            Ok(word) => begin(command, saves::named(&word)?, screen)?,
            Err(exit) => return Ok(exit),
        }
    };
    sit_down(command, table, screen)
}

fn begin(command: &Play, named: Named, screen: &mut Screen) -> Result<Table, Failure> {
    screen.tell_namesake(&named.found)?;
    let game = files::load(&named.found, &command.table, Sources::default())?;
    let seed = seed_or(command.seed.map(Seed), Seed::from_system)?;
    let seats = seats(command, &[], game.info().players)?;
    let watched = Watched::of(&named.found, game.sources());
    let options = command.table.options.clone();
    let rules = Rules { options, watched, live: command.watch };
    let keeper = Keeper::new(named.clone(), None, rules);
    Ok(Table { named, begin: Begin::Start(Running::new(game)), seats, seed, keeper })
}

fn set_up(
    command: &Play,
    opened: Opened,
    journal: Option<Journal>,
    screen: &mut Screen,
) -> Result<Table, Failure> {
    let Opened { loaded, named, seed: written, seats: seated } = opened;
    screen.report(&loaded.sources, &hidden_signs_in(&loaded.source))?;
    let seed = seed_or(command.seed.map(Seed).or(written), Seed::from_system)?;
    let seats = seats(command, &seated.unwrap_or_default(), loaded.start.names().len())?;
    let watched = Watched::of(&named.found, &loaded.sources);
    let rules = Rules { options: loaded.script.options(), watched, live: command.watch };
    let keeper = Keeper::new(named.clone(), journal, rules);
    Ok(Table { named, begin: Begin::Script(Box::new(loaded)), seats, seed, keeper })
}

pub(super) fn seed_or(
    given: Option<Seed>,
    system: impl FnOnce() -> Option<Seed>,
) -> Result<Seed, CliError> {
    given.or_else(system).ok_or(CliError::NoSeed)
}

fn sit_down(command: &Play, table: Table, screen: &mut Screen) -> Result<Exit, Failure> {
    let Table { named, begin, seats, seed, mut keeper } = table;
    if let Some(path) = &command.record {
        keeper.record_from_start(path, command.force)?;
    }
    let start = match &begin {
        Begin::Start(start) => start,
        Begin::Script(loaded) => &loaded.start,
    };
    let game = start.game();
    let has_secrets = game.has_secrets();
    let known = command.seed.map(Seed).or_else(|| (!has_secrets).then_some(seed));
    for line in folded(&greeting(game, &seats, known), Screen::width()) {
        screen.put(&Line::styled(&line, STRONG))?;
    }
    let mut console = Terminal::new(screen)?;
    if command.watch {
        console.watch(keeper.watched().clone());
    }
    let mut desk = Io { console, files: keeper };
    let session = match begin {
        Begin::Start(start) => Some(Session::begin(start, seats, seed, &mut desk)?),
        Begin::Script(loaded) => Session::go_on(*loaded, seats, seed, &mut desk)?,
    };
    let Some(mut session) = session else { return Ok(Exit::No) };
    let ending = session.play(&mut desk)?;
    let can_resume = desk.files.has_kept();
    // What was resumed was not begun by this command.
    // Nobody learns the seed of a game with secrets before its end.
    let known = !has_secrets || command.seed.is_some() || ending == Ending::Over;
    let again = (!command.resume && known).then(|| replay::command(command, &named.word, seed));
    let broken = desk.files.broken();
    let exit = conclude(ending, again, can_resume.then_some(named.word.as_str()), screen)?;
    broken.map_or(Ok(exit), |error| Err(error.into()))
}

/// The game that is played: named, or chosen from the bundled ones; else how the program ends.
fn chosen(command: &Play, screen: &mut Screen) -> Result<Result<String, Exit>, Failure> {
    if let Some(word) = &command.game {
        return Ok(Ok(word.clone()));
    }
    bundled::list(screen)?;
    let mut terminal = Terminal::new(screen)?;
    let names: Vec<String> = bundled::games().into_iter().map(|game| game.name).collect();
    loop {
        let asking =
            Prompt { moves: &names, idle: false, recalled: true, ..Prompt::enter("game> ") };
        match terminal.ask(&asking)? {
            Reply::End => return Ok(Err(Exit::Fine)),
            Reply::Interrupt => return Ok(Err(Exit::Interrupted)),
            Reply::Line(word) if word.trim().is_empty() => {}
            Reply::Line(word) => return Ok(Ok(word.trim().to_owned())),
        }
    }
}

/// Says how to go on with the game, and how to begin the same one again.
fn conclude(
    ending: Ending,
    again: Option<String>,
    kept: Option<&str>,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    screen.flush()?;
    if matches!(ending, Ending::Left) {
        screen.note("the game was left before its end")?;
    }
    if let Some(game) = kept {
        screen.note(&format!("to go on: astragal play {} --resume", quote(game)))?;
    }
    if let Some(command) = again {
        screen.note(&format!("the same game again: {command}"))?;
    }
    Ok(match ending {
        Ending::Over | Ending::Left => Exit::Fine,
        Ending::Broken => Exit::No,
        Ending::Interrupted => Exit::Interrupted,
    })
}

/// Who sits where: as a file says, else people; what is said later counts, and what the command
/// says most.
fn seats(command: &Play, written: &[String], players: usize) -> Result<Vec<Seat>, CliError> {
    let mut seats = vec![Seat::Human; players];
    for (seat, who) in seats.iter_mut().zip(written) {
        *seat = Seat::named(who, progress::milliseconds).unwrap_or(Seat::Human);
    }
    for (place, who) in &command.seats {
        for seat in places(place, players)? {
            seats[seat] = Seat::named(who, progress::milliseconds)
                .ok_or_else(|| CliError::Who { who: who.clone(), known: Seat::words() })?;
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

/// The first line: what is played, who sits where, and the seed where everybody may know it: from
/// the seed of a game with secrets anybody can deal it again.
fn greeting(game: &Game, seats: &[Seat], seed: Option<Seed>) -> String {
    let people = seats.iter().filter(|seat| matches!(seat, Seat::Human)).count();
    let names = game.names().iter().zip(seats).map(|(name, seat)| match seat {
        Seat::Human if people == 1 && seats.len() > 1 => format!("{name} (you)"),
        Seat::Human => name.clone(),
        other @ Seat::Bot(_) => format!("{name} ({})", other.word()),
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let version = env!("CARGO_PKG_VERSION");
    let seed = seed.map_or_else(String::new, |seed| format!(" · seed {seed}"));
    format!("astragal {version} · {} · {names}{seed} · :help", game.info().title)
}

/// Breaks the first line between its parts where it is too long.
fn folded(greeting: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in greeting.split(" · ") {
        let last = lines.last_mut().expect("there is a line");
        let longer = last.chars().count() + part.chars().count() + 3;
        if last.is_empty() {
            last.push_str(part);
        } else if longer <= width {
            last.push_str(" · ");
            last.push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{seats, seed_or};
    use crate::chance::Seed;
    use crate::cli::args::Play;
    use crate::cli::error::CliError;
    use crate::session::Seat;

    fn seated(pairs: &[(&str, &str)]) -> Result<Vec<bool>, CliError> {
        let pair = |(place, who): &(&str, &str)| ((*place).to_owned(), (*who).to_owned());
        let seats_given = pairs.iter().map(pair).collect();
        let play = Play { seats: seats_given, ..Play::default() };
        let written = ["human".to_owned(), "random".to_owned()];
        let seats = seats(&play, if pairs.is_empty() { &written } else { &[] }, 3)?;
        Ok(seats.iter().map(|seat| matches!(seat, Seat::Human)).collect())
    }

    #[test]
    fn people_sit_where_neither_the_file_nor_the_command_says_otherwise() {
        assert_eq!(seated(&[]), Ok(vec![true, false, true]));
        assert_eq!(seated(&[("all", "random"), ("2", "human")]), Ok(vec![false, true, false]));
    }

    #[test]
    fn a_system_that_draws_nothing_is_told_of() {
        assert_eq!(seed_or(Some(Seed(3)), || None), Ok(Seed(3)));
        assert_eq!(seed_or(None, || Some(Seed(4))), Ok(Seed(4)));
        let error = seed_or(None, || None).unwrap_err();
        let help = crate::diagnostic::Diagnostic::from(&error).help;
        assert_eq!(error.to_string(), "the operating system gives no random number");
        assert_eq!(help.as_deref(), Some("choose a seed yourself: `--seed 1`"));
    }
}
