//! Serves a game to people around one table, each with a browser and a secret link. Links, clocks and seats are decided
//! here; a request about the game goes to `messages`, which refuses a stale or illegal move.

mod clocks;
mod error;
mod invitation;
mod limits;
mod links;
mod page;
mod room;
mod seating;
mod table;
mod web;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::thread;

use tokio::{runtime, sync::mpsc};

use crate::chance::Seed;
use crate::game::Player;
use crate::host::exit::{Exit, Failure};
use crate::host::opening::{GameBegin, OpenedGame, assign_seats, seed_or};
use crate::host::saves::{OpenGameFiles, SaveFolder, links_of, seats_of};
use crate::host::{disk, progress, screen::Screen, watch::WatchedFiles};
use crate::session::{Seat, Session};
use crate::transcript::Script;
use clocks::SeatClocks;
use error::ServeError;
use links::{Links, SharedLinks};
use table::{Request, ServedTable};

/// The page of a seat; empty where it was not built before the program.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/seat.html"));

/// The port where a table is found unless another one is named.
const PORT: u16 = 7117;

/// How a game is served.
#[derive(Debug)]
pub(crate) struct ServeSetup<'a> {
    /// The page that every browser gets.
    pub(crate) page: String,
    pub(crate) seed: Option<Seed>,
    pub(crate) seats: &'a [(String, String)],
    /// The options of a game that starts; a script has its own.
    pub(crate) options: &'a [(String, String)],
    /// The file to record the game in, and whether an existing one is replaced.
    pub(crate) record: Option<(&'a Path, bool)>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) port: Option<u16>,
    pub(crate) hosts: &'a [String],
    /// How many milliseconds each seat may think in a game.
    pub(crate) clock: Option<u64>,
}

/// The page of a seat: from a file, or the one inside the program.
pub(crate) fn seat_page(path: Option<&Path>) -> Result<String, Failure> {
    match path {
        Some(path) => Ok(disk::read_text(path)?),
        None if PAGE.is_empty() => Err(ServeError::Page.into()),
        None => Ok(PAGE.to_owned()),
    }
}

/// Serves a game until somebody closes the table.
pub(crate) fn serve_game(
    (named, mut begin, journal): OpenedGame,
    setup: ServeSetup,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    begin.equip(&named, setup.seats, screen)?;
    let (game, script) = begin.checked_parts(screen)?;
    let written = script.and_then(|script| script.seed().map(Seed));
    let seed = seed_or(setup.seed.or(written))?;
    let seats = assign_seats(setup.seats, &script.map(seats_of).unwrap_or_default(), game)?;
    let people: Vec<bool> = seats.iter().map(|seat| matches!(seat, Seat::Human)).collect();
    if !people.contains(&true) {
        return Err(ServeError::People.into());
    }
    let options = script.map_or_else(|| setup.options.to_vec(), Script::options);
    let watched = WatchedFiles::from_game(&named, game.sources(), script);
    let is_resumed = journal.is_some();
    let journal = journal.or_else(|| SaveFolder::Tables.create_journal(&named.word));
    let beside = journal.as_ref().map(|journal| links_of(journal.path()));
    let kept = beside.as_deref().filter(|_| is_resumed).and_then(Links::read_saved);
    let listener = bind_listener(&setup, kept.as_ref())?;
    let before = kept.as_ref().map_or_else(Vec::new, |kept| kept.hosts.clone());
    let hosts = if setup.hosts.is_empty() { before } else { setup.hosts.to_vec() };
    let mut links = Links::new(listener.local_addr()?, hosts, people.len(), kept)?;
    if let Some(each) = setup.clock {
        links.clocks = Some(SeatClocks::new(each, people.len()));
    }
    let mut files = OpenGameFiles::new(named, journal, options, watched, false);
    if let Some((path, force)) = setup.record {
        files.record_from_start(path, force)?;
    }
    let mut session = begin_session(begin, seats, seed, screen)?;
    let misfit = session.misfit_sentences();
    misfit.iter().try_for_each(|sentence| screen.print_note(sentence))?;
    if is_resumed && !misfit.is_empty() {
        files.copy_journal(screen)?;
    }
    session.resigned = links.resigned.iter().copied().map(Player).collect();
    // A player may use a link at once, so the links are saved before anybody can.
    if let Some(Err(error)) = beside.clone().map(|beside| links.save_to(beside)) {
        screen
            .print_note(&format!("warning: {error}; after `--resume` the links will be others"))?;
    }
    if let Some(warning) = session.save_record(&mut files) {
        screen.print_note(&warning)?;
    }
    print_links(&session, &links, screen)?;
    progress::handle_interrupts();
    let (asks, mut requests) = mpsc::channel(limits::MOST_REQUESTS);
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    if links.clocks.is_some() {
        tell_time(asks.clone());
    }
    // One thread is enough for browsers: what takes long is done at the table.
    let links = SharedLinks::new(links);
    let shared = links.clone();
    thread::spawn(move || {
        runtime.block_on(web::serve_browsers(listener, setup.page, shared, asks));
    });
    ServedTable::new(session, files, (links, beside), screen).serve_requests(&mut requests)?;
    Ok(Exit::No)
}

/// Tells the table again and again that time passes.
fn tell_time(asks: mpsc::Sender<Request>) {
    thread::spawn(move || {
        while asks.blocking_send(Request::Tick).is_ok() {
            thread::sleep(limits::TICK);
        }
    });
}

/// Prints the link of each person, and the one that lets all others in with its picture for phones.
fn print_links(session: &Session, links: &Links, screen: &mut Screen) -> Result<(), Failure> {
    let players = session.position().game().titled_names();
    for (seat, who) in (0..).map(Player).zip(session.seats()) {
        if matches!(who, Seat::Human) {
            let address = links.seat_address(seat);
            screen.print_line(&format!("{}: {address}", players[seat.index()]))?;
        }
    }
    let address = links.room_address();
    screen.print_line(&format!("everybody: {address}"))?;
    screen.print_line(&format!("to watch: {}", links.watch_address()))?;
    if let Some(picture) = invitation::terminal_picture(&address).filter(|_| Screen::is_watched()) {
        screen.print_note(&picture)?;
    }
    screen.flush()?;
    screen.print_note("Ctrl-C closes the table; `astragal serve --resume` opens it again")?;
    Ok(())
}

/// Listens where it is said, or where the table was found before.
fn bind_listener(setup: &ServeSetup, kept: Option<&Links>) -> Result<TcpListener, Failure> {
    let address = setup.address.or(kept.map(|kept| kept.address));
    let port = setup.port.or(kept.map(|kept| kept.port));
    let at = SocketAddr::new(address.unwrap_or(Ipv4Addr::LOCALHOST.into()), port.unwrap_or(PORT));
    let listening = TcpListener::bind(at).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    let refused = |error: std::io::Error| {
        let (address, reason) = (at.to_string(), disk::reason(&error));
        Failure::from(ServeError::Address { address, reason })
    };
    listening.map_err(refused)
}

/// How many steps are kept of a game: a seat reads what happened since it decided last, and people may agree to take
/// some of them back.
const KEPT: usize = 256;

/// Begins the game, or goes on with it; what goes wrong is reported.
fn begin_session(
    begin: GameBegin,
    seats: Vec<Seat>,
    seed: Seed,
    screen: &mut Screen,
) -> Result<Session, Failure> {
    let (session, found) = match begin {
        GameBegin::Start(start) => {
            let (session, found) = Session::steered(*start, seats, seed, KEPT);
            (Some(session), found)
        }
        GameBegin::Script(loaded) => Session::replayed(*loaded, seats, seed, KEPT),
    };
    found.iter().try_for_each(|(sources, found)| screen.report_findings(sources, found))?;
    let mut session = session.ok_or(Failure::Said(Exit::No))?;
    guard_secrets(&mut session);
    Ok(session)
}

/// In a game with secrets nothing may be told by a seed, or by a move that is made at once.
fn guard_secrets(session: &mut Session) {
    let has_secrets = session.position().game().has_secrets();
    session.chosen.is_seed_known = !has_secrets;
    if has_secrets {
        session.ask_all();
    }
}
