//! `:history` shows the decisions so far, `:log` everything.

use std::io;

use crate::game::Player;
use crate::session::console::{DynIo, Seat, human_players, tell_until_stopped};
use crate::session::draw_lines::draw_lines;
use crate::session::play::Session;
use crate::session::repl::commands::Typed;
use crate::session::running::Running;
use crate::session::steps::{Event, TimelineStep};
use crate::transcript;

impl Session {
    /// The steps of the game, each with what was decided in it as the viewer of the screen may read it.
    fn decisions(&self) -> impl Iterator<Item = (&TimelineStep, Vec<String>)> {
        let (steps, listener) = (self.timeline.current_steps(), self.listener());
        let acted = |event: &Event| match event {
            Event::Acted(line) => Some(line.clone()),
            _ => None,
        };
        steps.iter().enumerate().map(move |(at, step)| match at.checked_sub(1) {
            Some(_) if listener.keeps_secrets => (step, vec![listener.describe_step(steps, at)]),
            _ => (step, step.events.iter().filter_map(acted).collect()),
        })
    }

    /// Lists what was decided, as the viewer of the screen may read it, each with a number; without
    /// one, who declined because nothing else was legal.
    pub(super) fn history(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        let names = self.position().names();
        let mut decided: Vec<(bool, String)> = Vec::new();
        for (step, lines) in self.decisions() {
            decided.extend(lines.into_iter().map(|line| (true, line)));
            let declines = |event: &&Event| matches!(event, Event::Said(said) if said.declines);
            let declining = step.events.iter().filter(declines);
            let lines = declining.flat_map(|event| event.transcript_lines(names, None));
            decided.extend(lines.map(|line| (false, line.trim_start().to_owned())));
        }
        if decided.is_empty() {
            return io.console.tell("nothing was decided yet");
        }
        let count = decided.iter().filter(|(is_decision, _)| *is_decision).count();
        let width = count.to_string().len();
        let mut number = 0;
        let lines = decided.iter().map(|(is_decision, line)| {
            number += usize::from(*is_decision);
            let shown = if *is_decision { number.to_string() } else { String::new() };
            format!("  {shown:>width$}  {line}")
        });
        tell_until_stopped(io.console, lines)
    }

    /// Tells the whole game, with every text, die and card, as the viewer of the screen may read it.
    pub(super) fn log(&mut self, _: Typed, io: &mut DynIo) -> io::Result<()> {
        let viewer = self.viewer();
        let mut lines: Vec<String> = Vec::new();
        for (step, decided) in self.decisions() {
            lines.extend(decided);
            lines.extend(read_events(self.position(), &self.seats, &step.events, viewer));
        }
        if lines.is_empty() {
            return io.console.tell("nothing has happened yet");
        }
        tell_until_stopped(io.console, lines.into_iter())
    }
}

/// Puts the events of a step, decisions aside, into words for the viewer, or for all who share the screen.
fn read_events(
    position: &Running,
    seats: &[Seat],
    events: &[Event],
    viewer: Option<Player>,
) -> Vec<String> {
    let names = position.names();
    // People who share a screen read all that a game without secrets says.
    let is_shared = human_players(seats).count() != 1 && !position.has_secrets();
    let is_open = |to: &Player| viewer == Some(*to) || is_shared;
    let is_unseen = |by: &[Player]| match viewer {
        Some(viewer) => by.contains(&viewer),
        None => !by.is_empty(),
    };
    let (mut lines, mut draws): (Vec<String>, Vec<(&str, &str)>) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Said(said) if said.to.as_ref().is_none_or(is_open) => {
                lines.extend(draw_lines(&std::mem::take(&mut draws)));
                lines.extend(transcript::format_said(said, names));
            }
            Event::Noted(line) => {
                lines.extend(draw_lines(&std::mem::take(&mut draws)));
                lines.push(line.clone());
            }
            Event::Acted(_) | Event::Said(_) | Event::Written(_) => {}
            Event::Drew { event, outcome, unseen_by, .. } => {
                draws.push((event, if is_unseen(unseen_by) { "?" } else { outcome }));
            }
        }
    }
    lines.extend(draw_lines(&draws));
    lines
}
