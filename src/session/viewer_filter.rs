//! Filters decisions and draws for the viewer of a screen.

use super::running::Running;
use super::steps::{Made, Moment, TimelineStep};
use crate::game::Player;
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

/// Draws, events with their outcomes, in few lines: dice together, and the cards of one pile.
pub(super) fn draw_lines(draws: &[(&str, &str)]) -> Vec<String> {
    let groups =
        draws.chunk_by(|(one, _), (other, _)| describe_event(one) == describe_event(other));
    groups.map(|group| format!("  {}: {}", describe_event(group[0].0), outcomes(group))).collect()
}

fn describe_event(event: &str) -> String {
    match event.split_once(' ') {
        Some(("roll", _)) => "rolled".to_owned(),
        Some(("draw", pile)) => format!("drawn from {}", plain(pile)),
        _ => "picked at random".to_owned(),
    }
}

fn outcomes(draws: &[(&str, &str)]) -> String {
    // Dice of one name differ by their indices.
    let same = |(one, _): &(&str, &str), (other, _): &(&str, &str)| {
        let name = |event: &'_ str| event.split_once('[').map(|(name, _)| name.len());
        one.starts_with("roll ") && name(one).is_some_and(|it| one.get(..=it) == other.get(..=it))
    };
    let words = draws.chunk_by(same).map(|alike| {
        let faces: Vec<String> = alike.iter().map(|(_, outcome)| plain(outcome)).collect();
        let which = alike.iter().filter_map(|(event, _)| event.split_once('[').map(|it| it.1));
        // Dice that are all rolled, in the order of their numbers, need no numbers.
        let all = (1..).zip(which.clone()).all(|(at, which)| which == format!("{at}]"));
        match alike {
            [(event, _)] => format!("{}{}", die_name(event), faces[0]),
            [(event, _), ..] if all => {
                let (name, _) = event.split_once('[').unwrap_or((event, ""));
                format!("{}{}", die_name(name), faces.join(" "))
            }
            [(event, _), ..] => {
                let rest = which.zip(&faces).skip(1);
                let rest = rest.map(|(which, face)| format!("{}{face}", numbered(&plain(which))));
                let first = format!("{}{}", die_name(event), faces[0]);
                [first].into_iter().chain(rest).collect::<Vec<_>>().join(", ")
            }
            [] => String::new(),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The die of an event, before its face; nothing for other events.
fn die_name(event: &str) -> String {
    event.strip_prefix("roll ").map_or_else(String::new, |die| numbered(&plain(die)))
}

/// A die before its face: a number of its own stands apart from that.
fn numbered(die: &str) -> String {
    let has_number = die.ends_with(|it: char| it.is_ascii_digit());
    format!("{die}{} ", if has_number { ":" } else { "" })
}

/// A name of the rules as people read it: `Ann.dark_cube[2]` is `Ann's dark cube 2`.
fn plain(name: &str) -> String {
    name.replace('.', "'s ").replace(['_', '['], " ").replace(']', "")
}
