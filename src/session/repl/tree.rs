//! The lines of play that were tried: `:tree` lists them and goes to one, `:mark` gives a position a name.

use std::io;

use crate::session::branches::PlayBranch;
use crate::session::console::DynIo;
use crate::session::play::Session;
use crate::session::repl::commands::Typed;
use crate::session::timeline::Timeline;
use crate::session::viewer_filter::ViewerFilter;

impl Session {
    pub(super) fn tree(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if self.refuse_branches(io)? {
            return Ok(());
        }
        let branches: Vec<&PlayBranch> = self.timeline.branches().collect();
        if branches.is_empty() {
            return io.console.tell(
                "no other line of play was tried; `:undo` and another move begin one, `:mark NAME` names this \
                 position",
            );
        }
        if typed.text.is_empty() {
            let rows = (1..).zip(&branches).map(|(number, branch)| {
                branch_row(&self.timeline, self.listener(), number, branch)
            });
            let rows: Vec<Vec<String>> = rows.collect();
            io.console
                .tell("other lines of play; `:tree N` goes to one, and `:test FILE` writes it:")?;
            return io.console.grid(&rows);
        }
        let named = branches.iter().position(|it| it.name.as_deref() == Some(typed.text));
        let number =
            typed.text.parse::<usize>().ok().filter(|it| (1..=branches.len()).contains(it));
        let Some(number) = named.or(number.map(|number| number - 1)) else {
            self.typed.has_failed = true;
            return io
                .console
                .tell(&format!("there is no line `{}`; `:tree` lists them", typed.text));
        };
        let (seed, games) = (self.luck.seed, self.timeline.games());
        self.timeline.go_to(number, &mut self.luck);
        self.come_back(seed, games);
        io.console.tell("the line that you left is in `:tree`")
    }

    pub(super) fn mark_position(&mut self, typed: Typed, io: &mut DynIo) -> io::Result<()> {
        if self.refuse_branches(io)? {
            return Ok(());
        }
        let name = typed.text;
        let is_known = self.timeline.branches().any(|it| it.name.as_deref() == Some(name));
        self.timeline.name_position(name.to_owned(), &self.luck);
        let instead = if is_known { ", and no more to the one that was called so" } else { "" };
        io.console.tell(&format!("`:tree {name}` comes back to this position{instead}"))
    }

    /// Refuses branches, with a message, if another line of play could show people here what they may not know.
    fn refuse_branches(&mut self, io: &mut DynIo) -> io::Result<bool> {
        let hides = self.hides_from_people();
        if hides {
            self.typed.has_failed = true;
            io.console.tell(
                "other lines of play hold what not everybody at this screen may know; `:undo` takes back, `:save \
                 FILE` keeps this one",
            )?;
        }
        Ok(hides)
    }
}

/// The row of a branch: where it leaves the present line, and how it continues.
fn branch_row(
    timeline: &Timeline,
    listener: ViewerFilter,
    number: usize,
    branch: &PlayBranch,
) -> Vec<String> {
    let steps = &branch.steps;
    let shared = timeline.shared(branch);
    let count =
        |from: usize, to: usize| steps[from..to].iter().filter(|it| it.is_counted()).count();
    let (before, more) = (count(1, shared.max(1)), count(shared.max(1), steps.len()));
    let first = (shared.max(1)..steps.len()).find(|at| steps[*at].is_counted());
    let goes_on = match first {
        None => "here, or earlier on this line".to_owned(),
        Some(at) if more == 1 => listener.describe_step(steps, at),
        Some(at) => {
            format!("{}, and {} more", listener.describe_step(steps, at), more - 1)
        }
    };
    let name = branch.name.clone().unwrap_or_default();
    vec![format!("  {number}"), name, format!("after {before}"), goes_on]
}
