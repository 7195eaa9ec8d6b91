//! `astragal play`: a game at the table.

use crate::chance::Seed;
use crate::cli::{json_table::JsonTable, terminal::Terminal};
use crate::commands::args::{FindingFormat, Play};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::host::command_line::{command_line, quote};
use crate::host::drawing::line::{STRONG, StyledLine};
use crate::host::exit::{Exit, Failure};
use crate::host::game_files::find_here;
use crate::host::opening::{
    GameBegin, OpenedGame, assign_seats, fresh, scripted, seed_or, unfinished,
};
use crate::host::report::rows::{align_columns, many, to_row};
use crate::host::saves::{self, OpenGameFiles, SaveFolder, Unfinished};
use crate::host::{screen::Screen, watch::WatchedFiles};
use crate::load::bundled;
use crate::session::{
    ChosenSetup, Console, Io, MoveList, Prompt, Reply, Seat, Session, SessionEnd,
};
use crate::source::Sources;
use crate::transcript::Script;

/// Finds the game, and the script and the journal that it goes on from.
fn find_opening(command: &Play, screen: &mut Screen) -> Result<OpenedGame, Failure> {
    let game = command.game.as_deref();
    if let Some(number) = command.resume {
        let is_asked = game.is_none() && number.is_none();
        let games =
            if is_asked { saves::all_unfinished(SaveFolder::Games, None) } else { Vec::new() };
        return match games.len() {
            0 | 1 => unfinished(SaveFolder::Games, game, number),
            _ => Err(Failure::Said(list_unfinished(&games, screen)?)),
        };
    }
    if let Some(file) = &command.load {
        return scripted(file, game);
    }
    fresh(&choose_game(command, screen)?, &command.table.setup(), screen)
}

/// Several games are unfinished: says which, and how to go on with one of them.
fn list_unfinished(games: &[Unfinished], screen: &mut Screen) -> Result<Exit, Failure> {
    let rows = (1..).zip(games).map(|(number, unfinished)| {
        let Unfinished { game, names, moves, age, .. } = unfinished;
        let played = if unfinished.is_played() { "played by another program" } else { &ago(*age) };
        let number = format!("  --resume={number}");
        to_row(&[&number, &quote(game), names, &many(*moves, "move"), played])
    });
    screen.print_line("Several games are unfinished:")?;
    screen.print_text(&align_columns(&rows.collect::<Vec<_>>()))?;
    screen.flush()?;
    screen.print_note("to continue one: astragal play --resume=1, with its number")?;
    Ok(Exit::Fine)
}

/// How long ago something was, in the largest whole unit.
fn ago(seconds: u64) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let unit = units.into_iter().find(|(length, _)| seconds >= *length);
    unit.map_or("just now".to_owned(), |(length, unit)| {
        format!("{} ago", many(seconds / length, unit))
    })
}

pub(super) fn run_play(command: &Play, screen: &mut Screen) -> Result<Exit, Failure> {
    let (named, mut begin, journal) = find_opening(command, screen)?;
    begin.equip(&named, &command.seats, screen)?;
    let (game, script) = begin.checked_parts(screen)?;
    let written = script.and_then(|script| script.seed().map(Seed));
    let chosen = command.seed.map(Seed);
    let seed = seed_or(chosen.or(written))?;
    let written = script.map(saves::seats_of).unwrap_or_default();
    let seats = assign_seats(&command.seats, &written, game)?;
    let options = script.map_or_else(|| command.table.options.clone(), Script::options);
    let watched = WatchedFiles::from_game(&named, game.sources(), script);
    let word = named.word.clone();
    let mut files = OpenGameFiles::new(named, journal, options.clone(), watched, command.watch);
    if let Some(path) = &command.record {
        files.record_from_start(path, command.force)?;
    }
    let (game, has_secrets) = (game.clone(), game.has_secrets());
    // From the seed of a game with secrets anybody can deal it again.
    let known = chosen.or_else(|| (!has_secrets).then_some(seed));
    let (is_known, asks_all) = (known.is_some(), command.ask_all);
    let round = command.playout;
    let table = PlannedGame { begin, seats, seed, round, chosen, options, is_known, asks_all };
    let (ending, dealt_from, files) = if command.format == FindingFormat::Json {
        table.play_session(Io { console: JsonTable::new(screen), files })?
    } else {
        print_greeting(&game, &table.seats, known, screen)?;
        let mut console = Terminal::new(screen, &word)?;
        // Where nobody decides, people watch what happens line by line.
        let has_people = table.seats.iter().any(|seat| matches!(seat, Seat::Human));
        if command.plain || !has_people {
            console.scroll();
        }
        if command.watch {
            console.watch(files.watched.clone());
        }
        table.play_session(Io { console, files })?
    };
    screen.flush()?;
    if matches!(ending, SessionEnd::Left) {
        screen.print_note("the game was left before its end")?;
    }
    if files.has_kept() {
        screen.print_note(&format!("to continue: astragal play {} --resume", quote(&word)))?;
    }
    // What was resumed was not begun by this command. Nobody learns the seed of a game with secrets
    // before its end.
    let is_given = dealt_from.is_some_and(|seed| command.seed == Some(seed.0));
    let known = !has_secrets || is_given || ending == SessionEnd::Over;
    if let Some(seed) = dealt_from.filter(|_| known && command.resume.is_none()) {
        screen.print_note(&format!(
            "the same game again: {}",
            same_game_again(command, &word, seed)
        ))?;
    }
    if let Some(error) = files.broken {
        return Err(error.into());
    }
    Ok(match ending {
        SessionEnd::Over | SessionEnd::Left => Exit::Fine,
        SessionEnd::Broken => Exit::No,
        SessionEnd::Interrupted => Exit::Interrupted,
    })
}

/// A game that is about to be played, and who plays it.
struct PlannedGame {
    begin: GameBegin,
    seats: Vec<Seat>,
    seed: Seed,
    /// Which playout of the seed it is.
    round: u64,
    chosen: Option<Seed>,
    options: Vec<(String, String)>,
    /// Whether everybody may know the seed.
    is_known: bool,
    asks_all: bool,
}

impl PlannedGame {
    fn play_session<C: Console>(
        self,
        mut io: Io<C, OpenGameFiles>,
    ) -> Result<(SessionEnd, Option<Seed>, OpenGameFiles), Failure> {
        let PlannedGame { begin, seats, seed, round, chosen, options, is_known, asks_all } = self;
        let mut session = match begin {
            GameBegin::Start(start) => Session::begin(*start, seats, (seed, round), &mut io)?,
            GameBegin::Script(loaded) => {
                match Session::go_on(*loaded, seats, seed, &mut io)? {
                    Some(session) => session,
                    // `go_on` has reported why the game cannot begin.
                    None => {
                        if io.files.has_kept() {
                            io.console.note(
                                "the unfinished game is kept: put the rules back as they were, or \
                                 begin anew without `--resume`",
                            )?;
                        }
                        return Err(Failure::Said(Exit::No));
                    }
                }
            }
        };
        session.chosen = ChosenSetup { seed: chosen, is_seed_known: is_known, options };
        if asks_all {
            session.ask_all();
        }
        let ending = session.play(&mut io)?;
        Ok((ending, session.dealt_from(), io.files))
    }
}

/// The game that is played: named, or chosen from the bundled ones.
fn choose_game(command: &Play, screen: &mut Screen) -> Result<String, Failure> {
    if let Some(word) = &command.game {
        return Ok(word.clone());
    }
    let mut terminal = Terminal::new(screen, "games")?;
    let names: Vec<String> = bundled::bundled_games().into_iter().map(|game| game.name).collect();
    let finished = names.iter().filter(|name| !name.contains('/')).cloned();
    let finished: Vec<(usize, String)> = (1..).zip(finished).collect();
    terminal.list(&MoveList { moves: &finished, numbered: false, whole: true })?;
    let help =
        "type a name, or the path of a `.game` file; `astragal games` tells more, `quit` leaves";
    terminal.tell(help)?;
    loop {
        let prompt =
            Prompt { moves: &names, idle: false, recalled: true, ..Prompt::enter("game> ") };
        match terminal.ask(&prompt)? {
            Reply::End => return Err(Failure::Said(Exit::Fine)),
            Reply::Interrupt => return Err(Failure::Said(Exit::Interrupted)),
            Reply::Line(word) if word.trim().is_empty() => {}
            Reply::Line(word) => match word.trim().trim_start_matches(':') {
                "quit" | "exit" | "q" => return Err(Failure::Said(Exit::Fine)),
                "help" | "?" => terminal.tell(help)?,
                word => {
                    let word = meant(word, &names);
                    match find_here(word) {
                        // Who sits at a screen may try again.
                        Err(error) if terminal.is_lively() => {
                            terminal.draw(&Sources::default(), &Diagnostics::of(error), true)?;
                        }
                        _ => return Ok(word.to_owned()),
                    }
                }
            },
        }
    }
}

/// The only game whose name begins so, else the word itself.
fn meant<'a>(word: &'a str, names: &'a [String]) -> &'a str {
    let lower = word.to_lowercase();
    let begun = |name: &&String| name.starts_with(&lower) && !name[lower.len()..].contains('/');
    match names.iter().filter(begun).collect::<Vec<_>>().as_slice() {
        _ if names.contains(&lower) => word,
        [only] => only,
        _ => word,
    }
}

/// Prints the game, the seats, and the seed where everybody may know it, in lines that are broken
/// between these parts.
fn print_greeting(
    game: &Game,
    seats: &[Seat],
    seed: Option<Seed>,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let people = seats.iter().filter(|seat| matches!(seat, Seat::Human)).count();
    let names = game.names().iter().zip(seats).map(|(name, seat)| match seat {
        Seat::Human if people == 1 && seats.len() > 1 => format!("{name} (you)"),
        Seat::Human => name.clone(),
        other @ Seat::Bot { .. } => format!("{name} ({})", other.word(game)),
    });
    let mut parts = vec![
        concat!("astragal ", env!("CARGO_PKG_VERSION")).to_owned(),
        game.info().title.clone(),
        names.collect::<Vec<_>>().join(", "),
    ];
    parts.extend(seed.map(|seed| format!("seed {seed}")));
    parts.push(":help".to_owned());
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(last)
                if last.chars().count() + part.chars().count() + 3 <= Screen::screen_width() =>
            {
                last.extend([" · ", &part]);
            }
            _ => lines.push(part),
        }
    }
    Ok(lines.iter().try_for_each(|line| screen.print_styled(&StyledLine::styled(line, STRONG)))?)
}

fn same_game_again(play: &Play, game: &str, seed: Seed) -> String {
    let mut words = vec!["play".to_owned(), game.to_owned()];
    if let Some(file) = &play.load {
        words.extend(["--load".to_owned(), file.display().to_string()]);
    }
    words.extend(play.table.to_flags());
    for (seat, who) in &play.seats {
        words.extend(["--seat".to_owned(), format!("{seat}={who}")]);
    }
    words.extend(play.ask_all.then(|| "--ask-all".to_owned()));
    words.extend(["--seed".to_owned(), seed.to_string()]);
    if play.playout > 0 {
        words.extend(["--playout".to_owned(), play.playout.to_string()]);
    }
    command_line(words)
}
