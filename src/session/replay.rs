//! Replays a script: its steps up to the first that the game does not make, and what stopped it.

use std::io;

use crate::diagnostic::Diagnostics;
use crate::session::console::{DynIo, LoadedScript, Seat, seats_kept};
use crate::session::draws::Luck;
use crate::session::running::Running;
use crate::session::script::Runner;
use crate::session::steps::{Event, Made, Moment, TimelineStep, has_taught};
use crate::source::Sources;
use crate::transcript::{Line, LineKind, Script};

/// Why a script is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayPurpose {
    /// A game begins with it.
    Begin,
    /// The rules of the game were changed.
    Reload,
    /// Somebody wants to see it during another game.
    Load,
}

/// Plays a script again, and reports what stops it.
pub(super) fn replay(
    loaded: LoadedScript,
    purpose: ReplayPurpose,
    (seats, luck): (&[Seat], &mut Luck),
    io: &mut DynIo,
) -> io::Result<(Vec<TimelineStep>, Option<ScriptMisfit>)> {
    let sources = loaded.sources.clone();
    let wanted = loaded.script.lines.iter().filter(|line| is_step(line)).count();
    let Replayed { steps, found, unused } = replayed(loaded, seats, luck);
    let is_reload = purpose == ReplayPurpose::Reload;
    if is_reload && !steps.is_empty() {
        io.console.tell("the moves so far, on the rules as they are now; `:undo` goes back")?;
    }
    if found.is_none() && (unused.is_empty() || purpose == ReplayPurpose::Load) {
        return Ok((steps, None));
    }
    let mut sentences = Vec::new();
    if let (Some(event), false) = (unused.first(), steps.is_empty()) {
        let were = match unused.len() {
            1 => format!("1 draw of before was not made, `{event}`"),
            count => format!("{count} draws of before were not made, the first of them `{event}`"),
        };
        sentences.push(format!("{were}; where others were made instead, chance drew anew"));
    }
    sentences.extend(found.is_some().then(|| match steps.len() {
        0 if is_reload => "the game cannot begin, and continues with the old rules".to_owned(),
        0 => "the game cannot begin".to_owned(),
        1 => "the game continues from its beginning".to_owned(),
        2 => "the game continues after the step before this".to_owned(),
        steps => format!("the game continues after the {} steps before this", steps - 1),
    }));
    let has_journal = purpose != ReplayPurpose::Load && !steps.is_empty();
    let whole = if has_journal { io.files.set_aside() } else { None };
    let is_aside = whole.is_some();
    sentences.extend(whole.map(|command| {
        let left = (wanted + 1).saturating_sub(steps.len());
        let are = match left {
            0 => String::new(),
            1 => "1 step is left out; ".to_owned(),
            left => format!("{left} steps are left out; "),
        };
        format!("{are}with the rules as they were, `{command}` plays the whole game")
    }));
    let found = found.unwrap_or_default();
    let mut misfit = ScriptMisfit { sources, found, sentences, is_aside, is_reported: false };
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
    sentences: Vec<String>,
    /// Whether the journal still holds what was left out.
    pub(super) is_aside: bool,
    is_reported: bool,
}

impl ScriptMisfit {
    /// What is said of it, a sentence a line.
    #[cfg(feature = "serve")]
    pub(super) fn sentences(&self) -> &[String] {
        &self.sentences
    }

    pub(super) fn report(&mut self, io: &mut DynIo) -> io::Result<()> {
        if std::mem::replace(&mut self.is_reported, true) {
            return Ok(());
        }
        if !self.found.is_empty() {
            io.console.draw(&self.sources, &self.found, true)?;
        }
        self.sentences.iter().try_for_each(|sentence| io.console.tell(sentence))
    }
}

/// A script that was played again.
pub(super) struct Replayed {
    /// None if the game cannot begin.
    pub(super) steps: Vec<TimelineStep>,
    /// The cause of the stop.
    pub(super) found: Option<Diagnostics>,
    /// The events of the lines that no draw used in these steps.
    unused: Vec<String>,
}

/// Replays a script up to the first step that cannot be made. Draws without a line come from `luck`.
pub(super) fn replayed(loaded: LoadedScript, seats: &[Seat], luck: &mut Luck) -> Replayed {
    let LoadedScript { start, script, source, .. } = loaded;
    let mut runner = Runner::new(&script, &source, start.clone());
    runner.draws.seeded.get_or_insert(luck.table.clone());
    let mut steps: Vec<TimelineStep> = Vec::new();
    let played = runner.run_steps(&script, &mut |runner, line, happened| {
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
            (Made::Person(index), Some((before, _))) if before.after.count_moves() == 1 => {
                Made::Machine(index)
            }
            (made, _) => made,
        };
        let events = heads.into_iter().map(Event::Acted).chain(happened).chain(written);
        let events: Vec<Event> = events.collect();
        let (after, moment) = (runner.position.clone(), runner.moment);
        let before = steps.last().map_or(&start, |step| &step.after);
        let secret = events.iter().any(Event::is_for_some) || has_taught(before, &after);
        steps.push(TimelineStep { made, events, secret, after, moment, luck: held });
        luck.table = runner.draws.seeded.clone().expect("chance follows from something");
    });
    let unused = runner.draws.unused_events(played.is_err());
    let found = played.is_err().then(|| runner.into_findings(false));
    Replayed { steps, found, unused }
}

/// Whether a line of a script makes a step where it fits.
fn is_step(line: &Line) -> bool {
    matches!(line.kind, LineKind::Decision { .. } | LineKind::Bot(..) | LineKind::Set(_))
}

/// A line of a script that changes nothing, and the comments below a line.
fn written_below(script: &Script, line: Option<&Line>) -> Vec<Event> {
    let is_other = |it: &&Line| it.kind.is_action() || it.kind.is_header();
    let start = line.map_or_else(|| script.header().end, |line| line.span.end);
    let below = script.lines.partition_point(|it| it.span.end <= start);
    let below = script.lines[below..].iter();
    let comments = below
        .take_while(|it| !is_other(it))
        .filter(|it| it.kind == LineKind::Comment && seats_kept(&it.text).is_none());
    let looks = line.filter(|it| matches!(it.kind, LineKind::Holds(_) | LineKind::Refused { .. }));
    looks.into_iter().chain(comments).map(|it| Event::Written(it.text.clone())).collect()
}

/// The move of a step of a script, made by a person, and its lines; none if a line is no step.
fn acted(runner: &Runner, line: Option<&Line>, start: &Running) -> Option<(Made, Vec<String>)> {
    fn strip_tail(line: &Line) -> String {
        line.text.strip_suffix(line.tail.as_str()).unwrap_or(&line.text).to_owned()
    }
    if runner.moment == Moment::Returned {
        return None;
    }
    let Some(line) = line else { return Some((Made::Start(Box::new(start.clone())), Vec::new())) };
    let mut heads: Vec<String> = runner.sets.iter().map(|line| strip_tail(line)).collect();
    let made = match line.kind {
        LineKind::Decision { .. } => {
            heads.push(if runner.has_comment { strip_tail(line) } else { line.text.clone() });
            Made::Person(runner.chosen?)
        }
        LineKind::Bot(..) => Made::Person(runner.chosen?),
        LineKind::Set(_) => {
            heads.push(strip_tail(line));
            Made::Set
        }
        _ => return None,
    };
    Some((made, heads))
}
