//! What a seat sees of a game at the table, with what happened since it decided last.

use std::collections::BTreeSet;

use super::play::Session;
use super::screen::{Listener, draw_lines};
use super::steps::{Event, Moment};
use super::timeline::{Made, Step};
use crate::game::{Entry, Player, TableView, What};
use crate::transcript;

impl Session {
    /// Returns what a seat sees of the game as it stands, or everything if nobody looks; `whole`
    /// adds what the file leaves undrawn.
    pub fn look(&self, viewer: Option<Player>, whole: bool) -> TableView {
        self.look_after(usize::MAX, viewer, whole)
    }

    /// Returns what a seat saw of the game after a step, counted from 0.
    pub fn look_after(&self, step: usize, viewer: Option<Player>, whole: bool) -> TableView {
        let all = self.timeline.steps();
        let steps = &all[..step.saturating_add(1).min(all.len())];
        let Some(Step { after: position, moment, .. }) = steps.last() else {
            return TableView::default();
        };
        let is_now = steps.len() == all.len();
        let rolled = if is_now { self.rolled() } else { rolled(steps) };
        let mut view = if whole {
            position.whole_table(viewer, &rolled)
        } else {
            position.table(viewer, &rolled)
        };
        position.game().look(&position.state, &position.legal, &mut view);
        view.log = news_for(steps, viewer);
        view.head.seed = self.known_seed.then_some(self.luck.seed.0);
        let outcome = position.result().filter(|_| *moment == Moment::Over);
        view.head.result = outcome.map(|it| transcript::result(&it, position.names()));
        view
    }
}

/// The dice that were rolled in some steps, as events name them.
fn rolled(steps: &[Step]) -> BTreeSet<String> {
    let events = steps.iter().flat_map(|step| &step.events);
    let die = |event: &Event| match event {
        Event::Drew { event, .. } => event.strip_prefix("roll ").map(str::to_owned),
        _ => None,
    };
    events.filter_map(die).collect()
}

/// What happened since a seat decided last, as far as it may know it.
fn news_for(steps: &[Step], viewer: Option<Player>) -> Vec<Entry> {
    let Some(Step { after: position, .. }) = steps.last() else { return Vec::new() };
    // What was picked unseen is not known as long as others still pick.
    let known = steps.len() - position.picked_unseen().min(steps.len());
    let decides = |at: usize| match steps[at - 1].moment {
        Moment::Decision(player) => {
            viewer.is_none_or(|viewer| viewer == player)
                && matches!(steps[at].made, Made::Person(_) | Made::Machine(_))
        }
        _ => false,
    };
    let first = (1..steps.len()).rev().find(|at| decides(*at)).unwrap_or(0);
    let listener = Listener { keeps_secrets: position.has_secrets(), viewer };
    let mut log = Vec::new();
    for (at, step) in steps.iter().enumerate().skip(first) {
        let before = at.checked_sub(1).map(|at| &steps[at]);
        let made =
            before.filter(|_| at < known || decides(at)).and_then(|it| made(it, step, listener));
        log.extend(made);
        log.extend(events(step, viewer));
    }
    log
}

/// The decision or the change that made a step.
fn made(before: &Step, step: &Step, listener: Listener) -> Option<Entry> {
    let what = match step.made {
        Made::Start(_) => return None,
        Made::Set => What::Set,
        Made::Person(_) | Made::Machine(_) => What::Move,
    };
    let seat = match (before.moment, what) {
        (Moment::Decision(player), What::Move) => Some(player.index()),
        _ => None,
    };
    let line = listener.line(before, step, false);
    let text = match seat {
        Some(seat) => {
            let name = format!("{}> ", before.after.names()[seat]);
            line.strip_prefix(&name).unwrap_or(&line).to_owned()
        }
        None => line,
    };
    Some(Entry { what, seat, text })
}

/// What was said and drawn in a step; dice and cards that came together are one entry.
fn events(step: &Step, viewer: Option<Player>) -> Vec<Entry> {
    let mut log = Vec::new();
    let mut draws: Vec<(&str, &str)> = Vec::new();
    let entry = |what, text: &str| Entry {
        what,
        seat: None,
        text: text.trim().replacen("rolled: ", "rolled ", 1),
    };
    let flush = |draws: &mut Vec<(&str, &str)>, log: &mut Vec<Entry>| {
        log.extend(draw_lines(draws).iter().map(|line| entry(What::Draw, line)));
        draws.clear();
    };
    for event in &step.events {
        match event {
            Event::Acted(_) => {}
            Event::Drew { event, outcome, unseen_by, .. } => {
                // Where nobody looks for themselves, only what all may know is told.
                if viewer.map_or(unseen_by.is_empty(), |viewer| !unseen_by.contains(&viewer)) {
                    draws.push((event, outcome));
                }
            }
            Event::Said(said) => {
                flush(&mut draws, &mut log);
                if said.to.is_none() || said.to == viewer {
                    let what = if said.declines { What::Pass } else { What::Said };
                    let lines = said.text.lines().filter(|line| !line.trim().is_empty());
                    log.extend(lines.map(|line| entry(what, line)));
                }
            }
        }
    }
    flush(&mut draws, &mut log);
    log
}
