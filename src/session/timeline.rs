//! The history of a game at the table, step by step, for undo and redo.

use crate::game::Player;
use crate::session::branches::PlayBranch;
use crate::session::draw_lines::draw_lines;
use crate::session::draws::Luck;
use crate::session::running::Running;
use crate::session::steps::{Event, Made, Moment, TimelineStep};
use crate::session::viewer_filter::ViewerFilter;

/// Who decided for a step, with the step before it.
fn find_decider(before: &TimelineStep, step: &TimelineStep) -> Option<Player> {
    let is_decided = matches!(step.made, Made::Person(_) | Made::Machine(_));
    match before.moment {
        Moment::Decision(player) if is_decided => Some(player),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UndoRefusal {
    Only(usize),
    Secret,
}

/// All steps: those that were made, and those that were taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    pub(super) done: Vec<TimelineStep>,
    pub(super) undone: Vec<TimelineStep>,
    /// The lines of play that were left for others.
    pub(super) branches: Vec<PlayBranch>,
    /// The lines of the game that is played now: those since the last start.
    pub(super) lines: Vec<String>,
    /// How many of them are as they were when they were last kept.
    pub(super) kept: usize,
    /// How many steps are kept at least; the last one is always.
    pub(super) keeps: usize,
    /// Of the game that is played now, how many steps are kept no more, and how many of them each seat decided.
    dropped: usize,
    decided: Vec<usize>,
}

impl Timeline {
    /// Begins with the first step. Where nobody can take anything back, only the last one is kept.
    pub(super) fn new(first: TimelineStep, remembers: bool) -> Timeline {
        let keeps = if remembers { usize::MAX } else { 1 };
        let lines = first.lines();
        Timeline { done: vec![first], lines, keeps, ..Timeline::default() }
    }

    pub(super) fn now(&self) -> &TimelineStep {
        self.done.last().expect("the first step stays")
    }

    pub(super) fn now_mut(&mut self) -> &mut TimelineStep {
        self.done.last_mut().expect("the first step stays")
    }

    pub(super) fn games(&self) -> usize {
        self.done.iter().filter(|step| step.is_start()).count()
    }

    /// The position from which the game began that is played now.
    pub(super) fn start_position(&self) -> Option<&Running> {
        if let Made::Start(start) = &self.current_steps()[0].made { Some(start) } else { None }
    }

    pub(super) fn has_begun(&self) -> bool {
        !self.now().is_start()
    }

    /// Whether the rules could not even come to a decision.
    pub(super) fn is_stillborn(&self) -> bool {
        self.now().moment == Moment::Broken && !self.has_begun()
    }

    /// Adds a step. What was taken back is kept as a line of play.
    pub(super) fn push_step(&mut self, step: TimelineStep) {
        if self.undone.iter().any(TimelineStep::is_counted) {
            self.keep_left(step.luck.clone());
        }
        self.undone.clear();
        self.append_step(step);
    }

    fn append_step(&mut self, step: TimelineStep) {
        if step.is_start() {
            (self.lines, self.kept) = (Vec::new(), 0);
        }
        self.lines.extend(step.lines());
        self.done.push(step);
        let extra = self.done.len().saturating_sub(self.keeps);
        for at in 0..extra {
            self.drop_step(at);
        }
        self.done.drain(..extra);
    }

    /// Counts a step that is kept no more.
    fn drop_step(&mut self, at: usize) {
        if self.done[at].is_start() {
            (self.dropped, self.decided) = (0, Vec::new());
        }
        self.dropped += 1;
        if let Some(player) = find_decider(&self.done[at], &self.done[at + 1]) {
            let seat = player.index();
            self.decided.resize(self.decided.len().max(seat + 1), 0);
            self.decided[seat] += 1;
        }
    }

    /// How many steps the game has that is played now.
    pub(super) fn count_steps(&self) -> usize {
        let is_known = self.done.iter().any(TimelineStep::is_start);
        self.current_steps().len() + if is_known { 0 } else { self.dropped }
    }

    /// How many decisions a player has made in the game that is played now.
    pub(super) fn decisions_of(&self, player: Player) -> usize {
        let is_known = self.done.iter().any(TimelineStep::is_start);
        let dropped = self.decided.get(player.index()).filter(|_| !is_known);
        let is_theirs = |pair: &&[TimelineStep]| find_decider(&pair[0], &pair[1]) == Some(player);
        self.current_steps().windows(2).filter(is_theirs).count() + dropped.copied().unwrap_or(0)
    }

    /// The steps of the game that is played now, as far as they are known.
    pub(super) fn current_steps(&self) -> &[TimelineStep] {
        let start = self.done.iter().rposition(TimelineStep::is_start);
        // Where nothing is remembered, the start is not known any more.
        &self.done[start.unwrap_or(0)..]
    }

    /// Takes back steps that people made, and what followed them; returns what each is called, the
    /// last one first. Chance goes back with them.
    pub(super) fn undo(
        &mut self,
        count: usize,
        force: bool,
        luck: &mut Luck,
        listener: ViewerFilter,
    ) -> Result<Vec<String>, UndoRefusal> {
        let counted: Vec<usize> = self.counted_steps().collect();
        let Some(&to) = counted.get(count.saturating_sub(1)) else {
            return Err(UndoRefusal::Only(counted.len()));
        };
        if !force && self.done[to..].iter().any(|step| step.secret) {
            return Err(UndoRefusal::Secret);
        }
        Ok(self.take_back(to, luck, listener))
    }

    /// The steps that would be taken back with so many that people made, each after the one before it.
    pub(super) fn last_steps(
        &self,
        count: usize,
    ) -> impl Iterator<Item = (&TimelineStep, &TimelineStep)> {
        let to = self.counted_steps().nth(count.saturating_sub(1)).unwrap_or(self.done.len());
        (to..self.done.len()).map(|at| (&self.done[at - 1], &self.done[at]))
    }

    /// The steps that can be taken back, the last one first.
    fn counted_steps(&self) -> impl Iterator<Item = usize> {
        (1..self.done.len()).rev().filter(|at| self.done[*at].is_counted())
    }

    /// What a list of ways to go on begins with: `:undo`, where something can be taken back.
    pub(super) fn undo_hint(&self) -> &'static str {
        if self.counted_steps().next().is_some() { "`:undo` takes back, " } else { "" }
    }

    /// What everybody was told in the last decisions.
    pub(super) fn told_since(&self, count: usize) -> Vec<String> {
        let all = ViewerFilter { keeps_secrets: true, viewer: None };
        let mut lines = Vec::new();
        for (before, step) in self.last_steps(count) {
            let draws = step.events.iter().filter_map(|event| event.drawn(<[Player]>::is_empty));
            let draws = draw_lines(&draws.collect::<Vec<_>>());
            let mut line = format!("taken back: {}", all.describe_replayed(before, step));
            draws.iter().for_each(|draw| line.extend(["; ", draw.trim()]));
            let said = step.events.iter().filter_map(Event::said_to_all);
            said.for_each(|said| line.extend(["; ", said]));
            lines.push(line);
        }
        lines
    }

    /// Takes back all steps of this game that follow one, counted from 0.
    pub(super) fn back_to(&mut self, step: usize, luck: &mut Luck, listener: ViewerFilter) {
        let start = self.done.len() - self.current_steps().len();
        self.take_back(start + step + 1, luck, listener);
    }

    fn take_back(&mut self, left: usize, luck: &mut Luck, listener: ViewerFilter) -> Vec<String> {
        let mut heads = Vec::new();
        while self.done.len() > left {
            let mut step = self.done.pop().expect("there are more steps than are left");
            std::mem::swap(&mut step.luck, luck);
            if step.is_counted() {
                heads.push(listener.describe_replayed(self.now(), &step));
            }
            // What somebody did at the table stays in the log.
            let noted = step.events.extract_if(.., |event| matches!(event, Event::Noted(_)));
            self.now_mut().events.extend(noted);
            self.undone.push(step);
        }
        self.write_anew();
        heads
    }

    /// Writes the lines of the game that is played now again.
    pub(super) fn write_anew(&mut self) {
        let lines: Vec<String> =
            self.current_steps().iter().flat_map(TimelineStep::lines).collect();
        let same = lines.iter().zip(&self.lines).take_while(|(a, b)| a == b).count();
        self.kept = self.kept.min(same);
        self.lines = lines;
    }

    /// Notes in the last step what somebody did.
    pub(super) fn note_event(&mut self, line: String) {
        self.now_mut().events.push(Event::Noted(line));
    }

    /// Writes a line into the transcript that changes nothing.
    pub(super) fn append_line(&mut self, line: String) {
        self.lines.push(line.clone());
        self.now_mut().events.push(Event::Written(line));
    }

    /// Makes steps again that were taken back, as far as there are any; returns what each is called.
    pub(super) fn redo(
        &mut self,
        count: usize,
        luck: &mut Luck,
        listener: ViewerFilter,
    ) -> Vec<String> {
        let mut heads = Vec::new();
        while let Some(mut step) =
            self.undone.pop_if(|step| !step.is_counted() || heads.len() < count)
        {
            std::mem::swap(&mut step.luck, luck);
            if step.is_counted() {
                heads.push(listener.describe_replayed(self.now(), &step));
            }
            self.append_step(step);
        }
        heads
    }
}
