//! Filters decisions and draws for the viewer of a screen.

use crate::game::Player;
use crate::session::running::Running;
use crate::session::steps::{Made, Moment, TimelineStep};
use crate::transcript;

/// What the viewer of the screen may read of what was decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewerFilter {
    /// Whether there is anything that not all may read.
    pub(super) keeps_secrets: bool,
    pub(super) viewer: Option<Player>,
}

impl ViewerFilter {
    /// Step `at` as the viewer may read it: in full for its player, else as others hear it. Picks made unseen are heard
    /// once all have picked.
    pub(super) fn describe_step(self, steps: &[TimelineStep], at: usize) -> String {
        let told = steps[at..].iter().map(|it| &it.after).find(|it| it.picked_unseen() == 0);
        self.describe_heard(&steps[at - 1], &steps[at], told)
    }

    /// A step as it stands in `told`, when others hear of it; without one, they read nothing.
    fn describe_heard(
        self,
        before: &TimelineStep,
        step: &TimelineStep,
        told: Option<&Running>,
    ) -> String {
        let (Moment::Decision(player), Made::Person(index) | Made::Machine(index)) =
            (before.moment, &step.made)
        else {
            return step.title_line();
        };
        if !self.keeps_secrets || self.viewer == Some(player) {
            return step.title_line();
        }
        let words = match (self.viewer, told) {
            (_, None) => "?".to_owned(),
            (Some(viewer), Some(Running { game, state, .. })) => {
                game.label_for(&before.after.mask_move(*index), state, viewer)
            }
            (None, Some(_)) => before.after.mask_move(*index).hidden(),
        };
        transcript::format_decision(&before.after.names()[player.index()], &words)
    }

    /// What a step that is taken back or made again is called.
    pub(super) fn describe_replayed(self, before: &TimelineStep, step: &TimelineStep) -> String {
        let told = Some(&step.after).filter(|it| it.picked_unseen() == 0);
        self.describe_heard(before, step, told)
    }
}
