//! The history of a game at the table, step by step, for undo and redo.

use super::event::{Event, Moment};
use super::luck::Luck;
use super::running::Running;
use crate::transcript;

/// Who made a step.
#[derive(Clone, Debug)]
pub(super) enum Made {
    /// Nobody: a game began, from here.
    Start(Box<Running>),
    /// A person decided for this move.
    Person(usize),
    /// A program decided for this move, or nobody had a choice.
    Machine(usize),
    /// A person changed the position.
    Set,
}

/// A step with what it brought.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) made: Made,
    pub(super) events: Vec<Event>,
    /// Whether somebody was told something that others were not.
    pub(super) secret: bool,
    pub(super) after: Running,
    pub(super) moment: Moment,
    /// What chance held ready before it; of a step that was taken back, what it holds after it.
    pub(super) luck: Luck,
}

impl Step {
    /// Whether it is one of the steps that people count.
    fn counts(&self) -> bool {
        !matches!(self.made, Made::Machine(_))
    }

    fn lines(&self) -> Vec<String> {
        let names = self.after.names();
        let outcome = (self.moment == Moment::Over).then(|| self.after.result()).flatten();
        let result = outcome.map(|outcome| format!("= {}", transcript::result(&outcome, names)));
        self.events.iter().flat_map(|event| event.lines(names, None)).chain(result).collect()
    }

    /// What it is called: the line that made it, or that a game began.
    pub(super) fn head(&self) -> String {
        match (&self.made, self.events.first()) {
            (Made::Person(_) | Made::Machine(_) | Made::Set, Some(Event::Acted(line))) => {
                line.clone()
            }
            _ => "the beginning of this game".to_owned(),
        }
    }
}

/// Why steps cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// There are only so many.
    Only(usize),
    Secret,
}

/// All steps: those that were made, and those that were taken back.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The lines of the game that is played now: those since the last start.
    lines: Vec<String>,
    /// How many of them are as they were when they were last kept.
    kept: usize,
    /// Whether steps are kept at all.
    remembers: bool,
}

/// What a step is called, from the step before it and itself.
pub(super) type Say<'a> = dyn Fn(&Step, &Step) -> String + 'a;

impl Timeline {
    /// Begins with the first step. Where nobody can take anything back, only the last one is kept.
    pub(super) fn new(first: Step, remembers: bool) -> Timeline {
        let lines = first.lines();
        Timeline { done: vec![first], undone: Vec::new(), lines, kept: 0, remembers }
    }

    pub(super) fn now(&self) -> &Step {
        self.done.last().expect("the first step stays")
    }

    /// The position from which the game began that is played now.
    pub(super) fn start(&self) -> Option<&Running> {
        self.done.iter().rev().find_map(|step| match &step.made {
            Made::Start(start) => Some(start.as_ref()),
            _ => None,
        })
    }

    /// The lines of the game that is played now.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.now().made, Made::Start(_))
    }

    /// Notes that all lines were kept; returns how many did not change since the last time.
    pub(super) fn keep(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.lines.len())
    }

    /// Notes that nothing was kept so far.
    pub(super) fn forget_kept(&mut self) {
        self.kept = 0;
    }

    /// Adds a step. What was taken back is gone.
    pub(super) fn push(&mut self, step: Step) {
        self.undone.clear();
        self.add(step);
    }

    fn add(&mut self, step: Step) {
        if matches!(step.made, Made::Start(_)) {
            (self.lines, self.kept) = (Vec::new(), 0);
        }
        self.lines.extend(step.lines());
        if !self.remembers {
            self.done.clear();
        }
        self.done.push(step);
    }

    /// The steps of the game that is played now.
    pub(super) fn steps(&self) -> &[Step] {
        let start = self.done.iter().rposition(|step| matches!(step.made, Made::Start(_)));
        &self.done[start.unwrap_or(0)..]
    }

    /// Takes back steps that people made, and what followed them; returns what `say` calls each,
    /// the last one first. Chance goes back with them.
    pub(super) fn undo(
        &mut self,
        count: usize,
        anyhow: bool,
        luck: &mut Luck,
        say: &Say,
    ) -> Result<Vec<String>, Refusal> {
        let counted: Vec<usize> =
            (1..self.done.len()).rev().filter(|at| self.done[*at].counts()).collect();
        let Some(&to) = counted.get(count.saturating_sub(1)) else {
            return Err(Refusal::Only(counted.len()));
        };
        if !anyhow && self.done[to..].iter().any(|step| step.secret) {
            return Err(Refusal::Secret);
        }
        let mut heads = Vec::new();
        while self.done.len() > to {
            let mut step = self.done.pop().expect("there are more steps than are left");
            std::mem::swap(&mut step.luck, luck);
            if step.counts() {
                heads.push(say(self.now(), &step));
            }
            self.undone.push(step);
        }
        let lines: Vec<String> = self.steps().iter().flat_map(Step::lines).collect();
        let same = lines.iter().zip(&self.lines).take_while(|(a, b)| a == b).count();
        self.kept = self.kept.min(same);
        self.lines = lines;
        Ok(heads)
    }

    /// Makes steps again that were taken back, as far as there are any; returns what `say` calls
    /// each.
    pub(super) fn redo(&mut self, count: usize, luck: &mut Luck, say: &Say) -> Vec<String> {
        let mut heads = Vec::new();
        while let Some(mut step) = self.undone.pop_if(|step| !step.counts() || heads.len() < count)
        {
            std::mem::swap(&mut step.luck, luck);
            if step.counts() {
                heads.push(say(self.now(), &step));
            }
            self.add(step);
        }
        heads
    }
}
