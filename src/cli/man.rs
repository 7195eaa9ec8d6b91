//! `astragal man`: the manual, page by page.

use clap_mangen::Man as Page;

use super::screen::{Exit, Failure, Screen};
use super::{args::Man, examples};

pub(super) fn man(command: &Man, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut program = examples::command().disable_help_subcommand(true);
    // Building it gives each command its whole name: `astragal-check`.
    program.build();
    let asked = command.command.as_deref();
    let page = asked.and_then(|name| program.find_subcommand(name)).unwrap_or(&program).clone();
    let mut text = Vec::new();
    Page::new(page).render(&mut text).map_err(Failure::Stream)?;
    screen.text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}
