//! Running a script: its steps are made, its expectations checked, its transcript written.

use std::collections::BTreeSet;

use super::error::RunError;
use super::events::Events;
use super::merge::{Entry, Missed, compare, transcript_diff, weave};
use super::playable::Playable;
use super::run_to_decision::{Event, run_to_decision};
use crate::bots::pick;
use crate::chance::{Seed, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::{Player, Step};
use crate::source::{Source, Span};
use crate::transcript::{self, Kind, Line, Script, Words};

/// What running a script gave.
#[derive(Clone, Debug)]
pub struct Run {
    /// The transcript, up to where the run had to stop.
    pub transcript: String,
    /// What went wrong.
    pub diagnostics: Diagnostics,
    /// What is still wrong once the transcript is written into the script; nothing if it must not
    /// be written, because it is not whole.
    pub blessed: Option<Diagnostics>,
}

/// Runs a script on a game at its start. The run goes on after an expectation that is not met and
/// stops at a step that cannot be made.
pub fn run(script: &Script, source: &Source, position: impl Playable) -> Run {
    let mut runner = Runner::new(script, source, position);
    let made = runner.run_all(script).is_ok();
    // The result of a game that is not over has no place in the transcript.
    let mut whole = made && !runner.early_result;
    if made {
        // The transcript lacks lines that nothing asked for; they are not to be lost.
        for error in runner.events.unused() {
            whole = false;
            runner.report(error);
        }
        runner.write_result();
    }
    let transcript: String = runner.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    let blessed = whole.then(|| runner.found.clone());
    let diagnostics = runner.into_findings(whole);
    Run { transcript, diagnostics, blessed }
}

/// Runs a script as [`run`] does; the transcript holds what one player saw of the game.
pub fn run_as(script: &Script, source: &Source, position: impl Playable, player: Player) -> Run {
    let mut runner = Runner::new(script, source, position);
    runner.viewer = Some(player);
    let whole = runner.run_all(script).is_ok();
    runner.see_own(player);
    if whole {
        runner.write_result();
    }
    let transcript = runner.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    let withholds = runner.withholds();
    let promises = std::mem::take(&mut runner.promises);
    let mut diagnostics = runner.into_findings(false);
    if withholds && diagnostics.has_errors() {
        // Whatever is said of a line of the script shows the line.
        diagnostics = Diagnostics::new();
        diagnostics.push(RunError::Withheld {});
    }
    diagnostics.extend(promises);
    Run { transcript, diagnostics, blessed: None }
}

/// The run cannot go on; what stopped it was reported.
pub(super) struct Stop;

/// Whoever looks at each step that was made: at its line and at what it brought.
pub(super) type Watch<'w, 'a, P> = dyn FnMut(&Runner<'a, P>, Option<&Line>, &[Entry]) + 'w;

/// What waits.
#[derive(Clone, Copy)]
pub(super) enum Moment {
    Decision(Player),
    Over,
    /// The rule run by `do` has returned.
    Returned,
}

pub(super) struct Runner<'a, P> {
    source: &'a Source,
    pub(super) position: P,
    pub(super) events: Events<'a>,
    /// The streams of the seats, if there is a seed.
    bots: Vec<Seeded>,
    pub(super) moment: Moment,
    lines: Vec<String>,
    /// The trailing comment of the result line.
    pub(super) result_tail: &'a str,
    found: Diagnostics,
    /// What the transcript has otherwise than the script.
    differences: Vec<RunError>,
    missed: Vec<Missed>,
    /// Whether a line gives the result of a game that is not over.
    pub(super) early_result: bool,
    /// `set` lines that are one change with the next.
    set: Vec<&'a Line>,
    /// Whether the next step is a `set` too, with nothing to happen before it.
    sets_on: bool,
    /// Whose transcript is written, if it is not that of the whole table.
    pub(super) viewer: Option<Player>,
    /// What the viewer does not see yet.
    withheld: Vec<String>,
    /// What must always hold and did not before: it is told when it breaks, not as long as it does.
    unkept: BTreeSet<usize>,
    /// Whether what looks like a comment behind the last decision is one, and no part of it.
    pub(super) has_comment: bool,
    /// What is said to the viewer of what must always hold.
    promises: Diagnostics,
}

impl<'a, P: Playable> Runner<'a, P> {
    pub(super) fn new(script: &Script, source: &'a Source, position: P) -> Runner<'a, P> {
        let players = position.names().len();
        let seed = script.seed().map(Seed);
        let seats = 0..u8::try_from(players).expect("a table has few seats");
        Runner {
            source,
            events: Events::new(seed.map(|seed| seed.table(0, players))),
            bots: seed.map_or_else(Vec::new, |seed| {
                seats.map(|seat| seed.seat(0, players, seat)).collect()
            }),
            position,
            moment: Moment::Over,
            lines: Vec::new(),
            result_tail: "",
            found: Diagnostics::new(),
            differences: Vec::new(),
            missed: Vec::new(),
            early_result: false,
            set: Vec::new(),
            sets_on: false,
            viewer: None,
            withheld: Vec::new(),
            unkept: BTreeSet::new(),
            has_comment: true,
            promises: Diagnostics::new(),
        }
    }

    fn run_all(&mut self, script: &'a Script) -> Result<(), Stop> {
        self.run_watched(script, &mut |_, _, _| {})
    }

    /// Makes all steps, each under the eyes of `watch`.
    pub(super) fn run_watched(
        &mut self,
        script: &'a Script,
        watch: &mut Watch<'_, 'a, P>,
    ) -> Result<(), Stop> {
        let numbered: Vec<(usize, &Line)> = script.lines.iter().enumerate().collect();
        let after_header = numbered.iter().rposition(|(_, line)| line.kind.is_header());
        let (header, rest) = numbered.split_at(after_header.map_or(0, |last| last + 1));
        // From the seed anybody can deal the game again.
        let tells = |line: &Line| !(self.withholds() && matches!(line.kind, Kind::Seed(_)));
        let header = header.iter().filter(|(_, line)| tells(line));
        let header: Vec<String> = header.map(|(_, line)| line.text.clone()).collect();
        self.lines.extend(header);
        let mut rest = rest;
        let mut head = None;
        loop {
            let next = rest.iter().position(|(_, line)| line.kind.is_action());
            let (below, others) = rest.split_at(next.unwrap_or(rest.len()));
            let is_set = |line: &Line| matches!(line.kind, Kind::Set(_));
            self.sets_on = others.first().is_some_and(|(_, line)| is_set(line))
                && below.iter().all(|(_, line)| matches!(line.kind, Kind::Comment | Kind::Blank));
            let entries = self.run_step(head, below, script.header())?;
            match head {
                Some(line) if is_set(line) && self.sets_on => self.set.push(line),
                _ => {
                    watch(self, head, &entries);
                    self.set.clear();
                }
            }
            let Some(((_, line), others)) = others.split_first() else { return Ok(()) };
            (head, rest) = (Some(*line), others);
        }
    }

    /// Makes one step, or the first run up to a decision, with the lines of the script below it.
    fn run_step(
        &mut self,
        head: Option<&'a Line>,
        below: &[(usize, &'a Line)],
        header: Span,
    ) -> Result<Vec<Entry>, Stop> {
        for (number, line) in below {
            if let Kind::Chance(words) = &line.kind {
                self.events.add(*number, line, words);
            }
        }
        self.events.at(head.map_or(header, |line| line.span));
        let mut entries = Vec::new();
        let outcome = match head {
            Some(line) => self.perform(line, &mut entries),
            None => self.run_to_decision(&mut entries, header),
        };
        if self.viewer.is_some() {
            self.see(&entries);
            return outcome.map(|()| entries);
        }
        dress(&mut entries, below);
        let differs = if outcome.is_ok() { compare(&entries, below) } else { None };
        let woven = weave(&entries, below);
        if let Some((diff, span)) = differs {
            self.report(RunError::Output { diff, bless: "", span });
            let found = self.lines.len()..self.lines.len() + woven.len();
            let expected = below.iter().map(|(_, line)| line.text.clone()).collect();
            self.missed.push(Missed { found, expected, line: self.source.place(span.start).line });
        }
        self.lines.extend(woven);
        outcome.map(|()| entries)
    }

    /// Writes what a viewer saw: while several decide together, nothing of what they picked.
    fn see(&mut self, entries: &[Entry]) {
        self.withheld.extend(entries.iter().map(|entry| entry.text.clone()));
        if self.position.picked_unseen() == 0 {
            self.lines.append(&mut self.withheld);
        }
    }

    /// What a viewer knows although others are still to decide: the own decision.
    fn see_own(&mut self, player: Player) {
        let begin = transcript::decision(&self.position.names()[player.index()], "");
        let own = self.withheld.drain(..).filter(|line| line.starts_with(begin.trim_end()));
        self.lines.extend(own);
    }

    fn perform(&mut self, line: &'a Line, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        if !matches!(line.kind, Kind::Result(_) | Kind::Bot(_)) && self.viewer.is_none() {
            self.lines.push(line.text.clone());
        }
        self.check_moment(line)?;
        match &line.kind {
            Kind::Decision { name, words } => self.decide(line, name, words, entries),
            Kind::Set(words) => self.apply(words, entries),
            Kind::Do(words) => self.start(words, entries),
            Kind::Holds(words) => {
                self.check(words);
                Ok(())
            }
            Kind::Refused { words, because } => {
                self.check_refused(words, because.as_ref());
                Ok(())
            }
            Kind::Moves if self.viewer.is_some() => Ok(()),
            Kind::Moves => {
                self.list_moves(entries);
                Ok(())
            }
            Kind::Bot(decisions) => self.play_on(*decisions, line.span, entries),
            Kind::Result(words) => {
                self.check_result(words, &line.tail);
                Ok(())
            }
            _ => unreachable!("only these lines ask for a step"),
        }
    }

    /// Checks that the line may stand here: after the end, and after a rule run by `do`, only some
    /// may.
    fn check_moment(&mut self, line: &Line) -> Result<(), Stop> {
        let span = line.span;
        match (self.moment, &line.kind) {
            (Moment::Decision(_), _)
            | (_, Kind::Holds(_))
            | (Moment::Over, Kind::Result(_) | Kind::Do(_))
            | (Moment::Returned, Kind::Set(_) | Kind::Do(_)) => Ok(()),
            (Moment::Over, _) => self.stop(RunError::AfterEnd { result: self.result(), span }),
            (Moment::Returned, _) => self.stop(RunError::AfterRule { span }),
        }
    }

    fn apply(&mut self, words: &Words, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        if let Err(diagnostics) = self.position.apply(&self.snippet(words)) {
            return self.stop_all(diagnostics, words.span);
        }
        // Whoever makes a position by hand knows what it lacks; only what the game breaks is told.
        self.note_promises();
        // Between two changes nothing happens: a position that is half made may have no legal move.
        if matches!(self.moment, Moment::Returned) || self.sets_on {
            return Ok(());
        }
        // The moves are listed anew; where nothing is legal any more, the game goes on.
        self.run_to_decision(entries, words.span)
    }

    fn start(&mut self, words: &Words, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        match self.position.start(&self.snippet(words)) {
            Ok(()) => self.run_to_decision(entries, words.span),
            Err(diagnostics) => self.stop_all(diagnostics, words.span),
        }
    }

    fn play_on(&mut self, times: u32, span: Span, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        if self.bots.is_empty() {
            return self.stop(RunError::NoSeed { span });
        }
        for _ in 0..times {
            let Moment::Decision(player) = self.moment else { break };
            let stream = &mut self.bots[usize::from(player.0)];
            let index = pick(stream, self.position.moves());
            self.choose(index, span, entries)?;
        }
        Ok(())
    }

    fn write_result(&mut self) {
        if matches!(self.moment, Moment::Over) {
            self.lines.push(format!("= {}{}", self.result(), self.result_tail));
        }
    }

    /// Runs on to the next decision and adds what happens on the way.
    pub(super) fn run_to_decision(
        &mut self,
        entries: &mut Vec<Entry>,
        span: Span,
    ) -> Result<(), Stop> {
        let mut happened = Vec::new();
        let step = run_to_decision(&mut self.position, &mut self.events, &mut happened);
        for happening in happened {
            let (pin, output) = match &happening {
                Event::Said(_) => (None, true),
                Event::Drew { pin, .. } => (*pin, false),
            };
            let declines = happening.declines();
            let names = self.position.names();
            let lines = match self.viewer {
                Some(viewer) => happening.lines_for(names, viewer),
                None => happening.lines(names),
            };
            let lines = lines.into_iter();
            entries.extend(lines.map(|text| Entry { text, pin, output, declines }));
        }
        self.arrive(step, span)
    }

    fn arrive(&mut self, step: Result<Step, Diagnostics>, span: Span) -> Result<(), Stop> {
        self.moment = match step {
            Ok(Step::Decide { player }) => Moment::Decision(player),
            Ok(Step::End) if self.position.result().is_some() => Moment::Over,
            Ok(Step::End) => Moment::Returned,
            Ok(Step::Draw { .. }) => unreachable!("no draw waits where a decision waited"),
            Err(diagnostics) => return self.stop_all(diagnostics, span),
        };
        if matches!(self.moment, Moment::Decision(_) | Moment::Over) {
            self.check_promises(span);
        }
        Ok(())
    }

    /// Reports what must always hold and no longer does; the run goes on.
    fn check_promises(&mut self, span: Span) {
        let known = std::mem::take(&mut self.unkept);
        let eyes: Vec<Player> = self.viewer.into_iter().collect();
        for (number, found) in self.position.unkept(&eyes) {
            self.unkept.insert(number);
            if known.contains(&number) {
                continue;
            }
            if self.withholds() {
                self.promises.extend(found);
                continue;
            }
            for finding in found.sorted() {
                let rule = Some(finding.place());
                self.report(RunError::Unkept { problem: finding.to_string(), span, rule });
            }
        }
    }

    /// Whether there are lines of the script that the viewer must not see.
    fn withholds(&self) -> bool {
        self.viewer.is_some() && self.position.has_secrets()
    }

    /// Notes what must always hold and does not, without a word.
    fn note_promises(&mut self) {
        self.unkept = self.position.unkept(&[]).into_iter().map(|(number, _)| number).collect();
    }

    /// What went wrong. In a whole transcript all that is said otherwise than the script says is shown
    /// at once, and can be written into the script.
    pub(super) fn into_findings(self, whole: bool) -> Diagnostics {
        let mut found = self.found;
        let mut shown = None;
        for error in self.differences {
            match error {
                RunError::Output { span, .. } if whole => {
                    shown.get_or_insert(span);
                }
                error if whole => found.push(error.with_a_blessing()),
                error => found.push(error),
            }
        }
        if let Some(span) = shown {
            let diff = transcript_diff(&self.lines, &self.missed);
            found.push(RunError::Output { diff, bless: "", span }.with_a_blessing());
        }
        found
    }

    /// The `set` lines that were one change with the step that was made.
    pub(super) fn earlier_sets(&self) -> &[&'a Line] {
        &self.set
    }

    pub(super) fn labels(&self) -> Vec<String> {
        (0..self.position.moves()).map(|index| self.position.label(index)).collect()
    }

    pub(super) fn to_move(&self) -> String {
        match self.moment {
            Moment::Decision(player) => self.position.names()[usize::from(player.0)].clone(),
            Moment::Over | Moment::Returned => "nobody".to_owned(),
        }
    }

    pub(super) fn winner(&self) -> String {
        let outcome = self.position.result().expect("the game is over");
        transcript::winner(&outcome, self.position.names())
    }

    pub(super) fn result(&self) -> String {
        let outcome = self.position.result().expect("the game is over");
        transcript::result(&outcome, self.position.names())
    }

    /// The words as a text of their own, at their place in the script.
    pub(super) fn snippet(&self, words: &Words) -> Source {
        Source {
            name: self.source.name.clone(),
            text: words.text.clone(),
            base: words.span.start as usize,
        }
    }

    pub(super) fn report(&mut self, error: RunError) {
        if error.can_be_blessed() {
            self.differences.push(error);
        } else {
            self.found.push(error);
        }
    }

    pub(super) fn report_all(&mut self, diagnostics: Diagnostics) {
        self.found.extend(diagnostics);
    }

    pub(super) fn stop(&mut self, error: RunError) -> Result<(), Stop> {
        self.report(error);
        Err(Stop)
    }

    pub(super) fn stop_all(&mut self, diagnostics: Diagnostics, span: Span) -> Result<(), Stop> {
        let elsewhere =
            diagnostics.sorted().iter().all(|finding| !self.source.contains(finding.place()));
        self.report_all(diagnostics);
        if elsewhere {
            self.found.push(RunError::Stopped { span });
        }
        Err(Stop)
    }
}

/// Gives the chance events that a line asked for the comment of that line.
fn dress(entries: &mut [Entry], below: &[(usize, &Line)]) {
    for entry in entries {
        let line = below.iter().find(|(number, _)| entry.pin == Some(*number));
        if let Some((_, line)) = line
            && !entry.text.ends_with(&line.tail)
        {
            entry.text.push_str(&line.tail);
        }
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
