//! `astragal cards`: every card of a game on sheets to print and cut.

use crate::commands::args::CardsArgs;
use crate::commands::pages::{board, html_page, output_page};
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::{error::HostError, screen::Screen};
use crate::printed::printed_body;

pub(in crate::commands) fn cards(
    command: &CardsArgs,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let (players, options) = (command.players, command.options.clone());
    let table = TableSetup { players, options, ..TableSetup::default() };
    let (_, game) = files::open_game(&command.game, &table, screen)?;
    let title = game.info().title.clone();
    let figure = |bare: &_| board::figure(&[bare], &[], true);
    let body = printed_body(&game, (command.once, command.backs), figure);
    let body = body.ok_or_else(|| HostError::NoCards { title: title.clone() })?;
    output_page(&html_page(&title, "cards", &body), &command.out, screen)
}
