//! The view of a seat at the table, with the log since its last decision.

use std::collections::BTreeSet;

use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::game::{LogEntry, Player, TableView, Tag, What};
use crate::session::console::{LoadedScript, Seat, is_human};
use crate::session::draw_lines::draw_lines;
use crate::session::draws::Luck;
use crate::session::play::{FORCED, Session};
use crate::session::replay::{Replayed, replayed};
use crate::session::resigning::add_resignation;
use crate::session::running::Running;
use crate::session::steps::{Event, Made, Moment, TimelineStep};
use crate::session::viewer_filter::ViewerFilter;
use crate::source::Sources;
use crate::transcript;

/// Who only watches is told of so many steps at a time.
const LATEST: usize = 40;

/// Returns what a seat saw after each step of a script, with what happened in that step; or what
/// there was to see, if nobody looks.
/// # Errors
/// Whatever stops the script.
pub(crate) fn views(
    loaded: LoadedScript,
    viewer: Option<Player>,
) -> Result<Vec<TableView>, Diagnostics> {
    let Some(session) = play_by_hand(loaded)? else { return Ok(Vec::new()) };
    let all = session.timeline.current_steps();
    let view = |at: usize| {
        let mut view = session.look_after(at, viewer, false);
        view.log = session.log_since(&all[..=at], at, viewer);
        view
    };
    Ok((0..all.len()).map(view).collect())
}

/// A stretch of play: the table before it, what happened, the table after it.
pub(crate) struct Stretch {
    pub(crate) before: TableView,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) after: TableView,
}

/// Returns the whole of a script, as somebody tells it who sees all cards; what it sets by hand stands there before.
///
/// # Errors
/// Whatever stops the script.
pub(crate) fn play_openly(loaded: LoadedScript) -> Result<Option<Stretch>, Diagnostics> {
    let Some(session) = play_by_hand(loaded)? else { return Ok(None) };
    let all = session.timeline.current_steps();
    let first = all.iter().rposition(|step| matches!(step.made, Made::Set)).unwrap_or(0);
    let log = session.log_for(ViewerFilter { keeps_secrets: false, viewer: None }, all, first + 1);
    let view = |at: usize| session.look_after(at, None, false);
    let last = all.len() - 1;
    Ok((first < last).then(|| Stretch { before: view(first), log, after: view(last) }))
}

/// The session of a script that people play at all seats; none if it has no step.
fn play_by_hand(loaded: LoadedScript) -> Result<Option<Session>, Diagnostics> {
    let seats = vec![Seat::Human; loaded.start.names().len()];
    let seed = Seed(loaded.script.seed().unwrap_or_default());
    let mut luck = Luck::new(seed, 0, seats.len());
    let Replayed { steps, found, .. } = replayed(loaded, &seats, &mut luck);
    found.map_or_else(|| Ok(Session::from_steps(steps, seats, luck)), Err)
}

impl Session {
    /// Returns what a seat sees of the game as it stands, or everything if nobody looks; `whole`
    /// adds what the file leaves undrawn.
    pub(crate) fn look(&self, viewer: Option<Player>, whole: bool) -> TableView {
        self.look_after(usize::MAX, viewer, whole)
    }

    /// Returns what a seat saw of the game after a step, counted from 0.
    pub(crate) fn look_after(&self, step: usize, viewer: Option<Player>, whole: bool) -> TableView {
        let all = self.timeline.current_steps();
        let steps = &all[..step.saturating_add(1).min(all.len())];
        let Some(TimelineStep { after: position, moment, .. }) = steps.last() else {
            return TableView::default();
        };
        let is_now = steps.len() == all.len();
        let rolled = if is_now {
            // These lines still tell of steps that are kept no more.
            collect_rolls(&self.timeline.lines)
        } else {
            let events = steps.iter().flat_map(|step| &step.events);
            let drawn = events.filter_map(|event| event.drawn(|_| true));
            drawn.filter_map(|(event, _)| event.strip_prefix("roll ").map(str::to_owned)).collect()
        };
        let mut view = position.game.table_since(&position.state, viewer, &rolled, whole);
        position.game.add_question(&position.state, &position.legal, &mut view);
        view.log = self.news_for(steps, viewer);
        self.add_end(&mut view, position, *moment);
        view
    }

    fn add_end(&self, view: &mut TableView, position: &Running, moment: Moment) {
        view.head.seed = self.chosen.is_seed_known.then_some(self.luck.seed.0);
        let outcome = position.final_outcome().filter(|_| moment == Moment::Over);
        view.head.result = outcome.map(|it| transcript::format_result(&it, position.names()));
        add_resignation(self, view);
    }

    /// The view of a spectator: what all players see, with decisions as everybody heard them.
    pub(crate) fn look_open(&self) -> TableView {
        let (position, rolled) = (self.position(), collect_rolls(&self.timeline.lines));
        let mut view = position.game.open_table(&position.state, &rolled);
        let steps = self.timeline.current_steps();
        view.log = self.log_open(steps, steps.len().saturating_sub(LATEST));
        self.add_end(&mut view, position, self.moment());
        view
    }

    /// The log for everybody; picks made unseen are left out until all are made.
    fn log_open(&self, steps: &[TimelineStep], first: usize) -> Vec<LogEntry> {
        let unseen = self.position().picked_unseen();
        let known = &steps[..steps.len().saturating_sub(unseen)];
        self.log_since(known, first, None)
    }

    /// All that happened in the game that is played now, as a seat may know it, or everybody if none looks. What is
    /// kept no more is played again.
    pub(crate) fn whole_log(&self, viewer: Option<Player>) -> Vec<LogEntry> {
        let again = (self.timeline.count_steps() > self.timeline.current_steps().len())
            .then(|| self.replay_from_start());
        let whole = again.flatten();
        let session = whole.as_ref().unwrap_or(self);
        let steps = session.timeline.current_steps();
        match viewer {
            Some(_) => session.log_since(steps, 0, viewer),
            None => session.log_open(steps, 0),
        }
    }

    /// The game from its beginning, with all its steps.
    fn replay_from_start(&self) -> Option<Session> {
        let mut sources = Sources::default();
        let source = sources.add("the game so far", self.record().script("game")).clone();
        let script = transcript::parse(&source).ok()?;
        let start = Running::new(self.position().game().clone());
        let (seats, seed) = (vec![Seat::Human; self.seats.len()], self.luck.seed);
        let loaded = LoadedScript { start, script, source, sources };
        let mut luck = Luck::new(seed, 0, seats.len());
        Session::from_steps(replayed(loaded, &seats, &mut luck).steps, seats, luck)
    }

    /// The log since a seat decided last, as far as it may know.
    fn news_for(&self, steps: &[TimelineStep], viewer: Option<Player>) -> Vec<LogEntry> {
        let first = (1..steps.len()).rev().find(|at| is_decision(&self.seats, steps, *at, viewer));
        self.log_since(steps, first.unwrap_or(0), viewer)
    }

    /// Whether a step was made because nothing else was legal, and everybody may know that.
    fn is_forced_move(&self, before: &TimelineStep, step: &TimelineStep) -> bool {
        let Moment::Decision(player) = before.moment else { return false };
        let only = matches!(step.made, Made::Machine(_)) && before.after.count_moves() == 1;
        let is_told = !self.is_guarded() || before.after.counts_openly();
        only && is_human(&self.seats, player) && is_told
    }

    /// The log from step `first` on, as far as a seat may know.
    fn log_since(
        &self,
        steps: &[TimelineStep],
        first: usize,
        viewer: Option<Player>,
    ) -> Vec<LogEntry> {
        let Some(TimelineStep { after: position, .. }) = steps.last() else { return Vec::new() };
        let listener = ViewerFilter { keeps_secrets: position.has_secrets(), viewer };
        self.log_for(listener, steps, first)
    }

    fn log_for(
        &self,
        listener: ViewerFilter,
        steps: &[TimelineStep],
        first: usize,
    ) -> Vec<LogEntry> {
        let Some(TimelineStep { after: position, .. }) = steps.last() else { return Vec::new() };
        let viewer = listener.viewer;
        // What was picked unseen is not known as long as others still pick.
        let known = steps.len() - position.picked_unseen().min(steps.len());
        let mut log = Vec::new();
        for (at, step) in steps.iter().enumerate().skip(first) {
            let before = at.checked_sub(1).map(|at| &steps[at]);
            let made = before
                .filter(|_| at < known || is_decision(&self.seats, steps, at, viewer))
                .and_then(|it| log_of_decision(it, step, || listener.describe_step(steps, at)));
            let forced = before.is_some_and(|it| self.is_forced_move(it, step));
            log.extend(made.map(|entry| {
                if forced {
                    LogEntry { text: entry.text + FORCED, what: What::Forced, ..entry }
                } else {
                    entry
                }
            }));
            log.extend(events(step, viewer));
            if let (Some(before), Some(viewer)) = (before, viewer) {
                log.extend(cards_moved(before, step, viewer));
            }
        }
        log
    }
}

/// Whether a step is a decision of the seat that looks, or of anybody if nobody does.
fn is_decision(seats: &[Seat], steps: &[TimelineStep], at: usize, viewer: Option<Player>) -> bool {
    match (at > 0).then(|| steps[at - 1].moment) {
        Some(Moment::Decision(player)) => {
            let made = match steps[at].made {
                // A person decides nothing where nothing else is legal.
                Made::Machine(_) => viewer.is_none() || !is_human(seats, player),
                Made::Person(_) => true,
                Made::Start(_) | Made::Set => false,
            };
            made && viewer.is_none_or(|viewer| viewer == player)
        }
        _ => false,
    }
}

/// The dice that some lines of a transcript roll, as events name them: `cube`, `die[red]`.
fn collect_rolls(lines: &[String]) -> BTreeSet<String> {
    let die = |line: &String| Some(line.strip_prefix("* roll ")?.split_once(": ")?.0.to_owned());
    lines.iter().filter_map(die).collect()
}

/// The cards that came to a player without a draw that they saw, or went from them as others wanted.
/// What only went from one pile of the player to another did neither.
fn cards_moved(before: &TimelineStep, step: &TimelineStep, viewer: Player) -> Vec<LogEntry> {
    type Piles = Vec<(String, Vec<Tag>)>;
    let piles = |it: &TimelineStep| it.after.game().own_piles(it.after.state(), viewer);
    let (old, new): (Piles, Piles) = (piles(before), piles(step));
    let sees = |unseen_by: &[Player]| !unseen_by.contains(&viewer);
    let drawn = |name: &str| {
        step.events.iter().filter_map(|it| it.drawn(sees)).any(|(_, outcome)| outcome == name)
    };
    let copies = |tags: &[Tag], name: &str| -> usize {
        tags.iter().filter(|tag| tag.name == name).map(|tag| tag.copies).sum()
    };
    let all = |piles: &Piles, name: &str| -> usize {
        piles.iter().map(|(_, tags)| copies(tags, name)).sum()
    };
    let more = |now: &[Tag], then: &[Tag]| -> Vec<String> {
        let changed = |tag: &&Tag| all(&old, &tag.name) != all(&new, &tag.name);
        let of = now.iter().filter(changed).filter(|tag| !drawn(&tag.name));
        let more = of.map(|tag| (tag, tag.copies.saturating_sub(copies(then, &tag.name))));
        let words = more.filter(|(_, more)| *more > 0).map(|(tag, more)| match more {
            1 => tag.title.clone(),
            more => format!("{more} {}", tag.title),
        });
        words.collect()
    };
    let entry = |way: &str, pile: &str, cards: Vec<String>| {
        let text = format!("{way} your {pile}: {}", cards.join(", "));
        (!cards.is_empty()).then_some(LogEntry { what: What::Cards, seat: None, text })
    };
    let is_own = before.moment == Moment::Decision(viewer);
    let moved = old.iter().zip(&new).flat_map(|((pile, then), (_, now))| {
        let went = if is_own { Vec::new() } else { more(then, now) };
        [entry("into", pile, more(now, then)), entry("out of", pile, went)]
    });
    moved.flatten().collect()
}

/// The log entry of a decision or a change; none for the beginning.
fn log_of_decision(
    before: &TimelineStep,
    step: &TimelineStep,
    line: impl FnOnce() -> String,
) -> Option<LogEntry> {
    let what = match step.made {
        Made::Start(_) => return None,
        Made::Set => What::Set,
        Made::Person(_) | Made::Machine(_) => What::Move,
    };
    let seat = match (before.moment, what) {
        (Moment::Decision(player), What::Move) => Some(player.index()),
        _ => None,
    };
    let line = line();
    let text = match seat {
        Some(seat) => {
            let name = format!("{}> ", before.after.names()[seat]);
            line.strip_prefix(&name).unwrap_or(&line).to_owned()
        }
        None => line,
    };
    Some(LogEntry { what, seat, text })
}

/// Texts and draws of a step; dice and cards of one roll are one entry.
fn events(step: &TimelineStep, viewer: Option<Player>) -> Vec<LogEntry> {
    let mut log = Vec::new();
    let mut draws: Vec<(&str, &str)> = Vec::new();
    let entry = |what, text: &str| LogEntry {
        what,
        seat: None,
        text: text.trim().replacen("rolled: ", "rolled ", 1),
    };
    let flush = |draws: &mut Vec<(&str, &str)>, log: &mut Vec<LogEntry>| {
        log.extend(draw_lines(draws).iter().map(|line| entry(What::Draw, line)));
        draws.clear();
    };
    for event in &step.events {
        match event {
            Event::Acted(_) | Event::Written(_) => {}
            Event::Noted(line) => {
                flush(&mut draws, &mut log);
                log.push(entry(What::Set, line));
            }
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
