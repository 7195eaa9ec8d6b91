//! `astragal serve`: opens a game and serves it to browsers.

use crate::chance::Seed;
use crate::commands::args::Serve;
use crate::host::exit::{Exit, Failure};
use crate::host::opening::{OpenedGame, fresh, scripted, unfinished};
use crate::host::saves::{SaveFolder, all_unfinished};
use crate::host::screen::Screen;
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
    let opened = opened?;
    if command.load.is_none() && !command.resume {
        note_unfinished(&opened, screen)?;
    }
    serve_game(opened, setup, screen)
}

/// Says that a table of this game can go on, before another one is laid.
fn note_unfinished((named, ..): &OpenedGame, screen: &mut Screen) -> Result<(), Failure> {
    let mut left = all_unfinished(SaveFolder::Tables, Some(&named.word));
    left.retain(|it| it.moves > 0 && it.game == named.anywhere() && !it.is_played());
    let Some(last) = left.first() else { return Ok(()) };
    let decisions = if last.moves == 1 { "decision" } else { "decisions" };
    screen.print_note(&format!(
        "this is a new table; one of this game was left after {} {decisions}: \
         `astragal serve {} --resume` goes on with it",
        last.moves, named.word
    ))?;
    Ok(())
}
