//! `astragal serve`: opens a game and serves it to browsers.

use crate::chance::Seed;
use crate::commands::args::Serve;
use crate::host::exit::{Exit, Failure};
use crate::host::opening::{fresh, scripted, unfinished};
use crate::host::{saves::SaveFolder, screen::Screen};
use crate::serve::{ServeSetup, seat_page, serve_game};

pub(super) fn serve(command: &Serve, screen: &mut Screen) -> Result<Exit, Failure> {
    let page = seat_page(command.page.as_deref())?;
    let game = command.game.as_deref();
    let opened = match &command.load {
        _ if command.resume => unfinished(SaveFolder::Tables, game, None),
        Some(file) => scripted(file, game),
        None => fresh(game.unwrap_or_default(), &command.table.setup(), screen),
    };
    let setup = ServeSetup {
        page,
        seed: command.seed.map(Seed),
        seats: &command.seats,
        options: &command.table.options,
        record: command.record.as_deref().map(|path| (path, command.force)),
        address: command.address,
        port: command.port,
        hosts: &command.hosts,
        clock: command.clock,
    };
    serve_game(opened?, setup, screen)
}
