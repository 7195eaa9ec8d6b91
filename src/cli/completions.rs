//! `astragal completions`: what shells can complete.

use clap_complete::generate;

use super::screen::{Exit, Failure, Screen};
use super::{args::Completions, examples};

pub(super) fn completions(command: &Completions, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    generate(command.shell, &mut examples::command(), "astragal", &mut text);
    screen.text(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}
