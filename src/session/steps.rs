//! Steps of a game at the table: the events of each, made from a position or from a script.

use std::io;

use super::console::{DynIo, LoadedScript, Seat, seats_kept};
use super::draws::Luck;
use super::running::Running;
use super::script::Runner;
use super::timeline::{Made, TimelineStep};
use crate::diagnostic::Diagnostics;
use crate::game::{self, Player, Said};
use crate::source::Sources;
use crate::transcript::{self, Line, LineKind, Script};

/// What happened at a table. The transcript of a game is a view of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Somebody decided, or changed the position: the line of the transcript.
    Acted(String),
    Said(Said),
    /// Somebody looked at secrets, or changed the seed: no line of a transcript, but others learn it.
    Noted(String),
    /// Somebody wrote a line that changes nothing: a comment, or a check.
    Written(String),
    Drew {
        event: String,
        outcome: String,
        unseen_by: Vec<Player>,
        /// The number of the script line that requested this outcome.
        pin: Option<usize>,
    },
}

impl Event {
    /// Its lines in a transcript: of the whole table, or of what one player sees.
    pub(super) fn lines(&self, names: &[String], viewer: Option<Player>) -> Vec<String> {
        match self {
            Event::Acted(line) | Event::Written(line) => vec![line.clone()],
            Event::Noted(_) => Vec::new(),
            Event::Said(said) => match (said.to, viewer) {
                (Some(to), Some(viewer)) if to != viewer => Vec::new(),
                _ => transcript::said(said, names),
            },
            Event::Drew { event, outcome, unseen_by, .. } => {
                let unseen = viewer.is_some_and(|viewer| unseen_by.contains(&viewer));
                vec![transcript::chance(event, if unseen { "?" } else { outcome })]
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Decision(Player),
    Over,
    /// The rule run by `do` has returned, or a script ends before a draw.
    Returned,

    /// The rules could not go on; the position is the one before.
    Broken,
}

/// The answer to a draw: an outcome, and the number of the script line that requested it.
pub(super) type DrawAnswer = (u32, Option<usize>);

/// Runs on to the next decision or the end, and adds what happens to `events`, also if it has to
/// stop halfway because of a mistake in the rules or a draw without an answer. `draw` answers the
/// draw that waits, which has so many outcomes.
pub(super) fn run_to_decision(
    position: &mut Running,
    events: &mut Vec<Event>,
    mut draw: impl FnMut(&Running, u32) -> Result<DrawAnswer, Diagnostics>,
) -> Result<Moment, Diagnostics> {
    events.extend(std::mem::take(&mut position.said).into_iter().map(Event::Said));
    loop {
        let step = position.advance();
        events.extend(position.legal.said.iter().cloned().map(Event::Said));
        let outcomes = match step? {
            game::Step::Draw { outcomes } => outcomes,
            game::Step::Decide { player } => return Ok(Moment::Decision(player)),
            game::Step::End if position.result().is_some() => return Ok(Moment::Over),
            game::Step::End => return Ok(Moment::Returned),
        };
        let (index, pin) = draw(position, outcomes)?;
        let (event, outcome) = (position.event(), position.outcome(index));
        let misses = |player: &Player| !position.game.sees_draw(&position.state, *player);
        let unseen_by = (0..).map(Player).take(position.names().len()).filter(misses).collect();
        events.push(Event::Drew { event, outcome, unseen_by, pin });
        position.draw(index);
    }
}

/// A step, and what is reported beside its events.
pub(super) struct Settled {
    pub(super) step: TimelineStep,
    /// What became of outcomes that people had typed.
    pub(super) sentences: Vec<String>,
    pub(super) trap: Option<Diagnostics>,
}

/// Runs from a position to the next decision; `head` is the line of the player who acted. Where the rules
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
    let moment = run_to_decision(&mut position, &mut events, |position, outcomes| {
        Ok((luck.answer(position, outcomes, &mut sentences), None))
    });
    let (after, moment, trap) = match moment {
        Ok(Moment::Returned) => (position, Moment::Over, None),
        Ok(moment) => (position, moment, None),
        Err(trap) => (before.clone(), Moment::Broken, Some(trap)),
    };
    // Some learn from it what others do not.
    let secret = events.iter().any(|event| match event {
        Event::Acted(_) | Event::Noted(_) | Event::Written(_) => false,
        Event::Said(said) => said.to.is_some(),
        Event::Drew { unseen_by, .. } => !unseen_by.is_empty(),
    });
    let step = TimelineStep { made, events, secret, after, moment, luck: earlier };
    Settled { step, sentences, trap }
}

/// Plays a script again, and reports what stops it.
pub(super) fn replay(
    loaded: LoadedScript,
    seats: &[Seat],
    luck: &mut Luck,
    io: &mut DynIo,
) -> io::Result<(Vec<TimelineStep>, Option<ScriptMisfit>)> {
    let sources = loaded.sources.clone();
    let (steps, found) = replayed(loaded, seats, luck);
    let Some(found) = found else { return Ok((steps, None)) };
    let sentence = match steps.len() {
        0 => "the game cannot begin".to_owned(),
        1 => "the game continues from its beginning".to_owned(),
        2 => "the game continues after the step before this".to_owned(),
        steps => format!("the game continues after the {} steps before this", steps - 1),
    };
    let mut misfit = ScriptMisfit { sources, found, sentence, is_reported: false };
    // Elsewhere what is drawn next would take its place.
    if !io.console.redraws() || steps.is_empty() {
        misfit.report(io)?;
    }
    Ok((steps, Some(misfit)))
}

/// What a script says that the game does not do; on a whole screen it is reported once the game is shown.
#[derive(Clone, Debug)]
pub(super) struct ScriptMisfit {
    sources: Sources,
    found: Diagnostics,
    sentence: String,
    is_reported: bool,
}

impl ScriptMisfit {
    pub(super) fn report(&mut self, io: &mut DynIo) -> io::Result<()> {
        if std::mem::replace(&mut self.is_reported, true) {
            return Ok(());
        }
        io.console.draw(&self.sources, &self.found, true)?;
        io.console.tell(&self.sentence)
    }
}

/// The steps of a script up to the first that cannot be made, none if its game cannot even begin;
/// and what stopped it. Draws that no line answers are taken from what chance holds ready.
pub(super) fn replayed(
    loaded: LoadedScript,
    seats: &[Seat],
    luck: &mut Luck,
) -> (Vec<TimelineStep>, Option<Diagnostics>) {
    let LoadedScript { start, script, source, .. } = loaded;
    let mut runner = Runner::new(&script, &source, start.clone());
    runner.draws.seeded.get_or_insert(luck.table.clone());
    let mut steps: Vec<TimelineStep> = Vec::new();
    let played = runner.run(&script, &mut |runner, line, happened| {
        let written = written_below(&script, line);
        let Some((made, heads)) = acted(runner, line, &start) else {
            if let Some(last) = steps.last_mut() {
                last.events.extend(written);
            }
            return;
        };
        let held = luck.clone();
        let made = match (made, steps.last().map(|before| (before, before.moment))) {
            // A program at the table that decides has drawn from its stream, so that it goes on as
            // if the game had never stopped.
            (Made::Person(index), Some((before, Moment::Decision(player))))
                if let Some(Seat::Bot { kind, .. }) = seats.get(player.index()) =>
            {
                kind.skip(before.after.legal.offers(), &mut luck.seats[player.index()]);
                Made::Machine(index)
            }
            // Who had no choice has nothing to take back.
            (Made::Person(index), Some((before, _))) if before.after.moves() == 1 => {
                Made::Machine(index)
            }
            (made, _) => made,
        };
        let events = heads.into_iter().map(Event::Acted).chain(happened).chain(written).collect();
        let (after, moment) = (runner.position.clone(), runner.moment);
        steps.push(TimelineStep { made, events, secret: false, after, moment, luck: held });
        luck.table = runner.draws.seeded.clone().expect("chance follows from something");
    });
    let found = played.is_err().then(|| runner.into_findings(false));
    (steps, found)
}

/// A line of a script that changes nothing, and the comments below a line.
fn written_below(script: &Script, line: Option<&Line>) -> Vec<Event> {
    let is_step = |it: &&Line| it.kind.is_action() || it.kind.is_header();
    let start = line.map_or_else(|| script.header().end, |line| line.span.end);
    let below = script.lines.partition_point(|it| it.span.end <= start);
    let below = script.lines[below..].iter();
    let comments = below
        .take_while(|it| !is_step(it))
        .filter(|it| it.kind == LineKind::Comment && seats_kept(&it.text).is_none());
    let looks = line.filter(|it| matches!(it.kind, LineKind::Holds(_) | LineKind::Refused { .. }));
    looks.into_iter().chain(comments).map(|it| Event::Written(it.text.clone())).collect()
}

/// Who made a step of a script, as if all were people, and the lines that did so; none if a line
/// is no step of a game.
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
        LineKind::Decision { .. } => {
            heads.push(if runner.has_comment { bare(line) } else { line.text.clone() });
            Made::Person(runner.chosen?)
        }
        LineKind::Bot(..) => Made::Person(runner.chosen?),
        LineKind::Set(_) => {
            heads.push(bare(line));
            Made::Set
        }
        _ => return None,
    };
    Some((made, heads))
}
