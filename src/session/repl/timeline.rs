//! What happened at the table, step by step, so that it can be taken back and made again.

use crate::game::Player;
use crate::session::luck::Luck;

/// What a step leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Moment {
    /// A player is to decide.
    Decision(Player),
    /// The game is over.
    Over,
    /// The rules could not go on; the position is the one before.
    Broken,
}

/// Who made a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Made<P> {
    /// Nobody: a game began, from here.
    Start(Box<P>),
    /// A person decided.
    Person,
    /// A program decided, or nobody had a choice.
    Machine,
    /// A person changed the position.
    Set,
}

/// A step with what it brought.
#[derive(Clone, Debug)]
pub(in crate::session) struct Step<P> {
    /// Who made it.
    pub(in crate::session) made: Made<P>,
    /// Its lines in the transcript.
    pub(in crate::session) lines: Vec<String>,
    /// Which of them say that a player declined without being asked.
    pub(in crate::session) declined: Vec<usize>,
    /// Whether somebody was told something that others were not.
    pub(in crate::session) secret: bool,
    /// The position behind it.
    pub(in crate::session) after: P,
    /// What waits there.
    pub(in crate::session) moment: Moment,
    /// What chance held ready before it; of a step that was taken back, what it holds behind it.
    pub(in crate::session) luck: Luck,
}

impl<P> Step<P> {
    /// Whether it is one of the steps that people count.
    fn counts(&self) -> bool {
        !matches!(self.made, Made::Machine)
    }
}

/// Why steps cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Refusal {
    /// There are only so many.
    Only(usize),
    /// Somebody was told something.
    Secret,
}

/// All steps: those that were made, and those that were taken back.
#[derive(Clone, Debug)]
pub(in crate::session) struct Timeline<P> {
    done: Vec<Step<P>>,
    undone: Vec<Step<P>>,
    /// The lines of the game that is played now: those since the last start.
    lines: Vec<String>,
    /// How many of them are as they were when they were last kept.
    kept: usize,
    /// Whether steps are kept at all.
    remembers: bool,
}

impl<P> Timeline<P> {
    /// Begins with the first step. Where nobody can take anything back, only the last one is kept.
    pub(in crate::session) fn new(first: Step<P>, remembers: bool) -> Timeline<P> {
        let lines = first.lines.clone();
        Timeline { done: vec![first], undone: Vec::new(), lines, kept: 0, remembers }
    }

    /// The last step.
    pub(in crate::session) fn now(&self) -> &Step<P> {
        self.done.last().expect("the first step stays")
    }

    /// The position from which the game began that is played now.
    pub(in crate::session) fn start(&self) -> Option<&P> {
        self.done.iter().rev().find_map(|step| match &step.made {
            Made::Start(start) => Some(start.as_ref()),
            _ => None,
        })
    }

    /// The lines of the game that is played now.
    pub(in crate::session) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Whether something was done since the start.
    pub(in crate::session) fn has_begun(&self) -> bool {
        !matches!(self.now().made, Made::Start(_))
    }

    /// Says that all lines were kept; returns how many did not change since the last time.
    pub(in crate::session) fn keep(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.lines.len())
    }

    /// Says that nothing was kept so far.
    pub(in crate::session) fn forget_kept(&mut self) {
        self.kept = 0;
    }

    /// Adds a step. What was taken back is gone.
    pub(in crate::session) fn push(&mut self, step: Step<P>) {
        self.undone.clear();
        self.add(step);
    }

    fn add(&mut self, step: Step<P>) {
        if matches!(step.made, Made::Start(_)) {
            (self.lines, self.kept) = (Vec::new(), 0);
        }
        self.lines.extend(step.lines.iter().cloned());
        if !self.remembers {
            self.done.clear();
        }
        self.done.push(step);
    }

    /// The steps of the game that is played now.
    pub(in crate::session) fn steps(&self) -> &[Step<P>] {
        let start = self.done.iter().rposition(|step| matches!(step.made, Made::Start(_)));
        &self.done[start.unwrap_or(0)..]
    }

    /// Takes back steps that people made, and what followed them; returns what `say` calls each,
    /// from the step before it and itself, the last one first. Chance goes back with them.
    pub(in crate::session) fn undo(
        &mut self,
        (count, anyhow): (usize, bool),
        luck: &mut Luck,
        say: &Say<P>,
    ) -> Result<Vec<String>, Refusal> {
        let behind_first = self.done.iter().enumerate().skip(1).rev();
        let counted: Vec<usize> =
            behind_first.filter(|(_, step)| step.counts()).map(|(at, _)| at).collect();
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
        self.recount();
        Ok(heads)
    }

    /// Makes steps again that were taken back, as far as there are any; returns what `say` calls
    /// each.
    pub(in crate::session) fn redo(
        &mut self,
        count: usize,
        luck: &mut Luck,
        say: &Say<P>,
    ) -> Vec<String> {
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

    /// Puts the lines together anew, after steps were taken away.
    fn recount(&mut self) {
        let lines: Vec<String> =
            self.steps().iter().flat_map(|step| step.lines.iter().cloned()).collect();
        let same = lines.iter().zip(&self.lines).take_while(|(a, b)| a == b).count();
        self.kept = self.kept.min(same);
        self.lines = lines;
    }
}

/// What a step is called, from the step before it and itself.
pub(in crate::session) type Say<P> = dyn Fn(&Step<P>, &Step<P>) -> String;

/// What a step is called: its first line, or that a game began.
pub(in crate::session) fn head<P>(step: &Step<P>) -> String {
    match (&step.made, step.lines.first()) {
        (Made::Start(_), _) | (_, None) => "the beginning of this game".to_owned(),
        (_, Some(line)) => line.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Luck, Made, Moment, Refusal, Step, Timeline, head};
    use crate::chance::Seed;
    use crate::game::Player;

    fn step(made: Made<u32>, line: &str, after: u32) -> Step<u32> {
        let lines = vec![line.to_owned()];
        let declined = Vec::new();
        let moment = Moment::Decision(Player(0));
        Step { made, lines, declined, secret: false, after, moment, luck: luck() }
    }

    fn luck() -> Luck {
        Luck::new(Seed(1), 0, 0)
    }

    fn redo(timeline: &mut Timeline<u32>, count: usize) -> Vec<String> {
        timeline.redo(count, &mut luck(), &|_, step| head(step))
    }

    fn timeline() -> Timeline<u32> {
        let mut timeline = Timeline::new(step(Made::Start(Box::new(0)), "* start", 1), true);
        timeline.push(step(Made::Person, "a", 2));
        timeline.push(step(Made::Machine, "b", 3));
        timeline.push(step(Made::Set, "c", 4));
        timeline.push(step(Made::Machine, "d", 5));
        timeline
    }

    fn undo(
        timeline: &mut Timeline<u32>,
        count: usize,
        anyhow: bool,
    ) -> Result<Vec<String>, Refusal> {
        timeline.undo((count, anyhow), &mut luck(), &|_, step| head(step))
    }

    #[test]
    fn what_programs_did_is_taken_back_with_what_people_did() {
        let mut timeline = timeline();
        assert_eq!(undo(&mut timeline, 1, false), Ok(vec!["c".to_owned()]));
        assert_eq!((timeline.now().after, timeline.lines().len()), (3, 3));
        assert_eq!(undo(&mut timeline, 1, false), Ok(vec!["a".to_owned()]));
        assert_eq!(timeline.now().after, 1);
        assert_eq!(undo(&mut timeline, 1, false), Err(Refusal::Only(0)));
        assert_eq!(redo(&mut timeline, 1), ["a"]);
        assert_eq!(timeline.now().after, 3);
        assert_eq!(redo(&mut timeline, 7), ["c"]);
        assert_eq!((timeline.now().after, timeline.lines().len()), (5, 5));
        assert_eq!(redo(&mut timeline, 1), Vec::<String>::new());
    }

    #[test]
    fn more_than_there_is_takes_nothing_back() {
        let mut timeline = timeline();
        assert_eq!(undo(&mut timeline, 3, false), Err(Refusal::Only(2)));
        assert_eq!(undo(&mut timeline, 2, false), Ok(vec!["c".to_owned(), "a".to_owned()]));
    }

    #[test]
    fn another_move_ends_what_could_be_made_again() {
        let mut timeline = timeline();
        undo(&mut timeline, 1, false).unwrap();
        timeline.push(step(Made::Person, "e", 9));
        assert_eq!(redo(&mut timeline, 1), Vec::<String>::new());
        assert_eq!(timeline.lines(), ["* start", "a", "b", "e"]);
    }

    #[test]
    fn lines_that_were_kept_are_counted() {
        let mut timeline = timeline();
        assert_eq!(timeline.keep(), 0);
        timeline.push(step(Made::Person, "e", 6));
        assert_eq!(timeline.keep(), 5);
        undo(&mut timeline, 2, false).unwrap();
        timeline.push(step(Made::Person, "f", 7));
        assert_eq!(timeline.keep(), 3);
    }

    #[test]
    fn a_new_start_can_be_taken_back() {
        let mut timeline = timeline();
        timeline.push(step(Made::Start(Box::new(8)), "* again", 9));
        assert_eq!((timeline.lines(), timeline.start()), (&["* again".to_owned()][..], Some(&8)));
        assert_eq!(
            undo(&mut timeline, 1, false),
            Ok(vec!["the beginning of this game".to_owned()])
        );
        assert_eq!((timeline.lines().len(), timeline.now().after), (5, 5));
    }

    #[test]
    fn secrets_are_not_taken_back_by_accident() {
        let mut timeline = timeline();
        timeline.push(Step { secret: true, ..step(Made::Person, "e", 6) });
        assert_eq!(undo(&mut timeline, 1, false), Err(Refusal::Secret));
        assert_eq!(undo(&mut timeline, 1, true), Ok(vec!["e".to_owned()]));
    }
}
