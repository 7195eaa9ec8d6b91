//! Playing at the table: people are asked, programs pick, every step is kept.

use std::io;

use super::console::Console;
use super::flow::{Happening, settle};
use super::position::Position;
use super::seat::{Seat, pick};
use super::typed::{Typed, find};
use crate::chance::Seeded;
use crate::diagnostic::Diagnostics;
use crate::game::{Player, Step};
use crate::suggest::nearest;
use crate::transcript;

/// One game at one table.
#[derive(Clone, Debug)]
pub struct Session<P> {
    /// The game in play.
    pub position: P,
    /// Who sits where.
    pub seats: Vec<Seat>,
    /// The stream that answers draws.
    pub chance: Seeded,
}

/// How playing came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over.
    Over,
    /// The people left.
    Left,
}

/// Why playing had to stop.
#[derive(Debug)]
pub enum PlayError {
    /// Nobody listens any more.
    Console(io::Error),
    /// The rules have a mistake that only showed in play.
    Rules(Diagnostics),
}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> PlayError {
        PlayError::Console(error)
    }
}

impl<P: Position> Session<P> {
    /// Plays to the end, or until the people leave.
    ///
    /// # Errors
    ///
    /// The console is gone, or the rules have a mistake.
    pub fn play(&mut self, console: &mut impl Console) -> Result<Ending, PlayError> {
        loop {
            match self.settle(console)? {
                Step::Decide { player } => match self.decide(player, console)? {
                    Some(index) => self.position.choose(index),
                    None => return Ok(Ending::Left),
                },
                Step::Draw { .. } => unreachable!("settling answers every draw"),
                Step::End => {
                    self.conclude(console)?;
                    return Ok(Ending::Over);
                }
            }
        }
    }

    fn settle(&mut self, console: &mut impl Console) -> Result<Step, PlayError> {
        let mut happened = Vec::new();
        let step = settle(&mut self.position, &mut self.chance, &mut happened);
        for happening in &happened {
            for line in happening.lines(self.position.names()) {
                console.keep(&line)?;
            }
            self.tell(happening, console)?;
        }
        step.map_err(PlayError::Rules)
    }

    /// Tells what people may hear. A draw is not told: it may be a card that nobody has seen, and
    /// what is public of it lies on the table.
    fn tell(&self, happening: &Happening, console: &mut impl Console) -> io::Result<()> {
        let Happening::Said(said) = happening else { return Ok(()) };
        let heard = said.to.is_none_or(|player| self.is_human(player));
        let lines = transcript::said(said, self.position.names());
        lines.iter().filter(|_| heard).try_for_each(|line| console.tell(line))
    }

    fn is_human(&self, player: Player) -> bool {
        matches!(self.seats[usize::from(player.0)], Seat::Human)
    }

    /// Has the player decide; `None` if the person left.
    fn decide(
        &mut self,
        player: Player,
        console: &mut impl Console,
    ) -> Result<Option<usize>, PlayError> {
        let name = self.position.names()[usize::from(player.0)].clone();
        let moves = self.position.moves();
        let picked = match &mut self.seats[usize::from(player.0)] {
            Seat::Human => ask(&self.position, &name, console)?,
            Seat::Random(stream) => Some(pick(stream, moves)),
        };
        if let Some(index) = picked {
            let line = transcript::decision(&name, &self.position.label(index));
            console.keep(&line)?;
            if !self.is_human(player) {
                console.tell(&line)?;
            }
        }
        Ok(picked)
    }

    fn conclude(&self, console: &mut impl Console) -> io::Result<()> {
        let names = self.position.names();
        console.show(&self.position.table(), names)?;
        let Some(outcome) = self.position.result() else { return Ok(()) };
        let line = format!("= {}", transcript::result(&outcome, names));
        console.keep(&line)?;
        console.tell(&line)
    }
}

/// Asks a person until a legal move is typed; `None` if they leave.
fn ask(
    position: &impl Position,
    name: &str,
    console: &mut impl Console,
) -> io::Result<Option<usize>> {
    let labels: Vec<String> = (0..position.moves()).map(|index| position.label(index)).collect();
    console.show(&position.table(), position.names())?;
    list(position, &labels, console)?;
    loop {
        let Some(line) = console.ask(&format!("{name}> "))? else { return Ok(None) };
        match line.trim() {
            "" => {}
            ":quit" => return Ok(None),
            ":moves" => list(position, &labels, console)?,
            ":state" => console.show(&position.table(), position.names())?,
            command if command.starts_with(':') => {
                console.tell("type a move, its number, or :moves, :state, :quit")?;
            }
            typed => match find(&labels, typed) {
                Typed::Move(index) => return Ok(Some(index)),
                Typed::Several(several) => ambiguous(&labels, &several, console)?,
                Typed::Nothing => explain(position, &labels, typed, console)?,
            },
        }
    }
}

fn list(position: &impl Position, labels: &[String], console: &mut impl Console) -> io::Result<()> {
    if let Some(question) = position.question() {
        console.tell(&question)?;
    }
    let width = labels.len().to_string().len();
    for (index, label) in labels.iter().enumerate() {
        console.tell(&format!("  {:>width$}  {label}", index + 1))?;
    }
    Ok(())
}

fn ambiguous(labels: &[String], several: &[usize], console: &mut impl Console) -> io::Result<()> {
    let words: Vec<String> = several.iter().map(|&index| format!("`{}`", labels[index])).collect();
    console.tell(&format!("that could mean {}", transcript::list(&words)))
}

fn explain(
    position: &impl Position,
    labels: &[String],
    typed: &str,
    console: &mut impl Console,
) -> io::Result<()> {
    let reason = position.why_not(typed);
    console.tell(&reason.message)?;
    let folded = transcript::fold(typed);
    match nearest(&folded, labels.iter().map(String::as_str)) {
        Some(near) => console.tell(&format!("did you mean `{near}`?")),
        None => reason.help.iter().try_for_each(|help| console.tell(help)),
    }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
