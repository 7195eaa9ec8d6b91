//! `astragal serve`: a game for people around one table, each with a browser and a secret link.

mod error;
mod limits;
mod links;
mod page;
mod table;
mod web;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread;

use clap::Args;
use tokio::{runtime, sync::mpsc};

use super::args::{TableArgs as Setting, pair};
use crate::chance::Seed;
use crate::host::exit::{Exit, HostFailure};
use crate::host::opening::{
    GameBegin, OpenedGame, assign_seats, fresh, scripted, seed_or, unfinished,
};
use crate::host::saves::{OpenGameFiles, Shelf, links_of, seats_of};
use crate::host::{disk, progress, screen::Screen, watch::WatchedFiles};
use crate::session::{Seat, Session};
use crate::transcript::Script;
use error::ServeError;
use links::Links;
use table::ServedTable;

/// The page of a seat; empty where it was not built before the program.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/seat.html"));

/// The port where a table is found unless another one is named.
const PORT: u16 = 7117;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Choose a file or a bundled game; `--load` and `--resume` need none.
    #[arg(required_unless_present_any = ["load", "resume"])]
    pub(super) game: Option<String>,
    #[command(flatten)]
    setting: Setting,
    /// Set the random seed; default: a new one from the system.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Seat a bot such as `random`, `greedy` or `mcts:1000` at a seat or for a player by name; may be
    /// repeated. All other seats are for people.
    #[arg(long = "seat", value_name = "SEAT=WHO", value_parser = pair)]
    seats: Vec<(String, String)>,
    /// Replay this script and continue where it ends.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "names", "options"])]
    load: Option<PathBuf>,
    /// Continue the last unfinished game of GAME, or of all, under the same links.
    #[arg(long, conflicts_with_all = ["load", "players", "names", "options", "seed"])]
    resume: bool,
    /// Record the game in this file, as a script.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "record")]
    force: bool,
    /// Listen at this address: `0.0.0.0` for others in the network. Default: 127.0.0.1, for this machine
    /// alone.
    #[arg(long, value_name = "IP")]
    address: Option<IpAddr>,
    /// Listen at this port; default: 7117. With 0 the system chooses one.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Also answer under this name, with its port if it is not the usual one; the links have the first
    /// one. May be repeated; `https://` may stand before it.
    #[arg(long = "host", value_name = "HOST")]
    hosts: Vec<String>,
    /// Send this page instead of the one inside the program.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

pub(super) fn serve(command: &Serve, screen: &mut Screen) -> Result<Exit, HostFailure> {
    let page = match &command.page {
        Some(path) => disk::read_text(path)?,
        None if PAGE.is_empty() => return Err(ServeError::Page.into()),
        None => PAGE.to_owned(),
    };
    let (named, begin, journal) = open_served(command, screen)?;
    let (game, script) = begin.checked_parts(screen)?;
    let written = script.and_then(|script| script.seed().map(Seed));
    let seed = seed_or(command.seed.map(Seed).or(written))?;
    let seats = assign_seats(&command.seats, &script.map(seats_of).unwrap_or_default(), game)?;
    let people: Vec<bool> = seats.iter().map(|seat| matches!(seat, Seat::Human)).collect();
    if !people.contains(&true) {
        return Err(ServeError::People.into());
    }
    let options = script.map_or_else(|| command.setting.options.clone(), Script::options);
    let watched = WatchedFiles::from_game(&named, game.sources());
    let is_resumed = journal.is_some();
    let journal = journal.or_else(|| Shelf::Tables.journal(&named.word));
    let beside = journal.as_ref().map(|journal| links_of(journal.path()));
    let kept = beside.as_deref().filter(|_| is_resumed).and_then(Links::read_saved);
    let listener = bind_listener(command, kept.as_ref())?;
    let before = kept.as_ref().map_or_else(Vec::new, |kept| kept.hosts.clone());
    let hosts = if command.hosts.is_empty() { before } else { command.hosts.clone() };
    let links = Links::new(listener.local_addr()?, hosts, &people, kept)?;
    let mut files = OpenGameFiles::new(named, journal, options, watched, false);
    if let Some(path) = &command.record {
        files.record_from_start(path, command.force)?;
    }
    let mut session = begin_session(begin, seats, seed, screen)?;
    // A player may use a link at once, so the links are saved before anybody can.
    if let Some(Err(error)) = beside.clone().map(|beside| links.save_to(beside)) {
        screen
            .print_note(&format!("warning: {error}; after `--resume` the links will be others"))?;
    }
    if let Some(warning) = session.keep(&mut files) {
        screen.print_note(&warning)?;
    }
    let players = session.position().game().titled_names();
    for (seat, address) in links.addresses() {
        screen.print_line(&format!("{}: {address}", players[seat]))?;
    }
    screen.flush()?;
    screen.print_note("Ctrl-C closes the table; `astragal serve --resume` opens it again")?;
    progress::handle_interrupts();
    let (asks, mut requests) = mpsc::channel(limits::MOST_REQUESTS);
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    // One thread is enough for browsers: what takes long is done at the table.
    thread::spawn(move || runtime.block_on(web::serve_browsers(listener, page, links, asks)));
    ServedTable::new(session, files, beside, screen).serve_requests(&mut requests)?;
    Ok(Exit::No)
}

fn open_served(command: &Serve, screen: &mut Screen) -> Result<OpenedGame, HostFailure> {
    let game = command.game.as_deref();
    match (&command.load, game) {
        _ if command.resume => unfinished(Shelf::Tables, game, None),
        (Some(file), _) => scripted(file, game),
        (None, word) => fresh(word.unwrap_or_default(), &command.setting, screen),
    }
}

/// Listens where it is said, or where the table was found before.
fn bind_listener(command: &Serve, kept: Option<&Links>) -> Result<TcpListener, HostFailure> {
    let address = command.address.or(kept.map(|kept| kept.address));
    let port = command.port.or(kept.map(|kept| kept.port));
    let at = SocketAddr::new(address.unwrap_or(Ipv4Addr::LOCALHOST.into()), port.unwrap_or(PORT));
    let listening = TcpListener::bind(at).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    let refused = |error: std::io::Error| {
        let (address, reason) = (at.to_string(), disk::reason(&error));
        HostFailure::from(ServeError::Address { address, reason })
    };
    listening.map_err(refused)
}

/// How many steps are kept of a game: a seat reads what happened since it decided last. Nobody takes a step back.
const KEPT: usize = 256;

/// Begins the game, or goes on with it; what goes wrong is reported.
fn begin_session(
    begin: GameBegin,
    seats: Vec<Seat>,
    seed: Seed,
    screen: &mut Screen,
) -> Result<Session, HostFailure> {
    let (session, found) = match begin {
        GameBegin::Start(start) => {
            let (session, found) = Session::steered(*start, seats, seed, KEPT);
            (Some(session), found)
        }
        GameBegin::Script(loaded) => Session::replayed(*loaded, seats, seed, KEPT),
    };
    found.iter().try_for_each(|(sources, found)| screen.report_findings(sources, found))?;
    let mut session = session.ok_or(HostFailure::Said(Exit::No))?;
    let has_secrets = session.position().game().has_secrets();
    session.known_seed = !has_secrets;
    if has_secrets {
        // A move that is made at once would tell what a person holds.
        session.ask_all();
    }
    Ok(session)
}
