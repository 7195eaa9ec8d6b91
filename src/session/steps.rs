//! Makes the steps of a game at the table: from a position, or from the lines of a script.

use std::io;

use super::console::{DynIo, Loaded};
use super::event::{Event, Moment, run_to_decision};
use super::luck::Luck;
use super::running::Running;
use super::script::Runner;
use super::seat::Seat;
use super::timeline::{Made, Step};
use crate::diagnostic::Diagnostics;
use crate::transcript::{Kind, Line};

/// A step, and what there is to tell about it beside its events.
pub(super) struct Settled {
    pub(super) step: Step,
    /// What became of outcomes that people had typed.
    pub(super) sentences: Vec<String>,
    pub(super) trap: Option<Diagnostics>,
}

/// Runs from a position to the next decision; `head` is the line of whoever acted. Where the rules
/// cannot go on, the step keeps the position `before` it.
pub(super) fn settle_step(
    made: Made,
    head: Option<String>,
    before: &Running,
    mut position: Running,
    luck: &mut Luck,
) -> Settled {
    let earlier = luck.clone();
    let mut sentences = Vec::new();
    let mut events: Vec<Event> = head.into_iter().map(Event::Acted).collect();
    let mut draws =
        |position: &Running, outcomes| Ok(luck.answer(position, outcomes, &mut sentences));
    let (after, moment, trap) = match run_to_decision(&mut position, &mut draws, &mut events) {
        Ok(Moment::Returned) => (position, Moment::Over, None),
        Ok(moment) => (position, moment, None),
        Err(trap) => (before.clone(), Moment::Broken, Some(trap)),
    };
    let secret = events.iter().any(Event::is_private);
    let step = Step { made, events, secret, after, moment, luck: earlier };
    Settled { step, sentences, trap }
}

/// Plays a script again: every step up to the first that cannot be made, none if its game cannot
/// even begin. Draws that no line answers are taken from what chance holds ready; what went wrong
/// is reported.
pub(super) fn replay(
    loaded: Loaded,
    seats: &[Seat],
    luck: &mut Luck,
    io: &mut DynIo,
) -> io::Result<Vec<Step>> {
    let Loaded { start, script, source, sources } = loaded;
    let mut runner = Runner::new(&script, &source, start.clone());
    runner.draws.seeded.get_or_insert(luck.table.clone());
    let mut steps: Vec<Step> = Vec::new();
    let played = runner.run(&script, &mut |runner, line, happened| {
        let Some((made, heads)) = acted(runner, line, &start) else { return };
        let held = luck.clone();
        let made = match made {
            Made::Person(index) => made_by(index, steps.last(), seats, luck),
            made => made,
        };
        let events = heads.into_iter().map(Event::Acted).chain(happened).collect();
        let (after, moment) = (runner.position.clone(), runner.moment);
        steps.push(Step { made, events, secret: false, after, moment, luck: held });
        luck.table = runner.draws.seeded.clone().expect("chance follows from something");
    });
    if played.is_ok() {
        return Ok(steps);
    }
    io.console.draw(&sources, &runner.into_findings(false), true)?;
    io.console.tell(&match steps.len() {
        0 => "the game cannot begin".to_owned(),
        1 => "the game goes on from its beginning".to_owned(),
        2 => "the game goes on behind the one step before this".to_owned(),
        steps => format!("the game goes on behind the {} steps before this", steps - 1),
    })?;
    Ok(steps)
}

/// Who made a step of a script, a person unless it is said otherwise, and the lines that did so;
/// none if a line is no step of a game.
fn acted(runner: &Runner, line: Option<&Line>, start: &Running) -> Option<(Made, Vec<String>)> {
    fn bare(line: &Line) -> String {
        line.text.strip_suffix(line.tail.as_str()).unwrap_or(&line.text).to_owned()
    }
    if runner.moment == Moment::Returned {
        return None;
    }
    let Some(line) = line else { return Some((Made::Start(Box::new(start.clone())), Vec::new())) };
    let mut heads: Vec<String> = runner.sets.iter().map(|line| bare(line)).collect();
    let made = match line.kind {
        Kind::Decision { .. } => {
            heads.push(if runner.has_comment { bare(line) } else { line.text.clone() });
            Made::Person(runner.chosen?)
        }
        Kind::Bot(_) => Made::Person(runner.chosen?),
        Kind::Set(_) => {
            heads.push(bare(line));
            Made::Set
        }
        _ => return None,
    };
    Some((made, heads))
}

/// Who made a move of a script. A program at the table that decides has drawn from its stream, so
/// that it goes on as if the game had never stopped.
fn made_by(index: usize, before: Option<&Step>, seats: &[Seat], luck: &mut Luck) -> Made {
    let Some(before) = before else { return Made::Person(index) };
    let Moment::Decision(player) = before.moment else { return Made::Person(index) };
    let Some(Seat::Bot(bot)) = seats.get(player.index()) else { return Made::Person(index) };
    bot.kind.skip(before.after.moves(), &mut luck.seats[player.index()]);
    Made::Machine(index)
}
