//! The lines of play that were left for others, and the positions that people named: any can be gone to.

use crate::session::draws::Luck;
use crate::session::steps::TimelineStep;
use crate::session::timeline::Timeline;

/// So many are kept; the oldest without a name goes first.
const MOST_KEPT: usize = 30;

#[derive(Clone, Debug)]
pub(super) struct PlayBranch {
    pub(super) name: Option<String>,
    pub(super) steps: Vec<TimelineStep>,
    /// What chance holds ready at its end.
    luck: Luck,
}

impl PlayBranch {
    fn is(&self, steps: &[TimelineStep]) -> bool {
        let same =
            |a: &TimelineStep, b: &TimelineStep| a.events == b.events && a.moment == b.moment;
        self.steps.len() == steps.len() && self.steps.iter().zip(steps).all(|(a, b)| same(a, b))
    }
}

impl Timeline {
    /// Keeps the line of play that ends with what was taken back; `luck` is what chance holds ready now.
    pub(super) fn keep_left(&mut self, mut luck: Luck) {
        let mut steps = self.done.clone();
        for mut step in self.undone.iter().rev().cloned() {
            // Of a step that was taken back the luck is the one after it.
            std::mem::swap(&mut step.luck, &mut luck);
            steps.push(step);
        }
        self.keep_branch(PlayBranch { name: None, steps, luck });
    }

    pub(super) fn name_position(&mut self, name: String, luck: &Luck) {
        self.branches.retain(|it| it.name.as_ref() != Some(&name));
        let (steps, luck) = (self.done.clone(), luck.clone());
        self.keep_branch(PlayBranch { name: Some(name), steps, luck });
    }

    fn keep_branch(&mut self, branch: PlayBranch) {
        self.branches.retain(|it| it.name.is_some() || !it.is(&branch.steps));
        self.branches.push(branch);
        if self.branches.len() > MOST_KEPT {
            let oldest = self.branches.iter().position(|it| it.name.is_none());
            self.branches.remove(oldest.unwrap_or(0));
        }
    }

    /// The lines of play that can be gone to: those with a name, and those that the present one does not
    /// contain.
    pub(super) fn branches(&self) -> impl Iterator<Item = &PlayBranch> {
        let is_other = |it: &&PlayBranch| {
            let here = self.done.get(..it.steps.len());
            it.name.is_some() || here.is_none_or(|here| !it.is(here))
        };
        self.branches.iter().filter(is_other)
    }

    /// The number of steps that a branch shares with the present line of play.
    pub(super) fn shared(&self, branch: &PlayBranch) -> usize {
        let pairs = self.done.iter().zip(&branch.steps);
        pairs.take_while(|(a, b)| a.events == b.events).count()
    }

    /// Goes to a line of play; the one that is left is kept.
    pub(super) fn go_to(&mut self, number: usize, luck: &mut Luck) {
        let Some(PlayBranch { steps, luck: held, .. }) = self.branches().nth(number).cloned()
        else {
            return;
        };
        self.keep_left(luck.clone());
        (self.done, *luck) = (steps, held);
        self.undone.clear();
        self.write_anew();
    }
}
