//! A game whose people sit elsewhere: a front makes one decision after the other, and looks at any step.

use std::io;

use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::game::{Player, goods_in_order};
use crate::session::console::{Console, Files, Io, LoadedScript, Prompt, Reply, Seat, is_human};
use crate::session::match_move::{MoveWords, advice, find_move};
use crate::session::play::Session;
use crate::session::resigning::last_left;
use crate::session::running::Running;
use crate::session::steps::{Made, Moment, TimelineStep};
use crate::source::Sources;

/// What went wrong in the rules, or in a script that was replayed, with the texts that it points into.
pub(crate) type Findings = Vec<(Sources, Diagnostics)>;

/// A console that nobody looks at: what happened stands in the view. It keeps what a command answers.
#[derive(Debug, Default)]
struct Unwatched {
    found: Findings,
    lines: Vec<String>,
}

impl Console for Unwatched {
    fn ask(&mut self, _: &Prompt) -> io::Result<Reply> {
        Ok(Reply::End)
    }

    fn draw(&mut self, sources: &Sources, found: &Diagnostics, _: bool) -> io::Result<()> {
        self.found.push((sources.clone(), found.clone()));
        Ok(())
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.lines.push(line.to_owned());
        Ok(())
    }

    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        self.lines.extend(rows.iter().map(|row| row.join("  ")));
        Ok(())
    }
}

/// No files: a front keeps the script of a game itself.
#[derive(Debug)]
struct NoFiles;

impl Files for NoFiles {}

type Nowhere = Io<Unwatched, NoFiles>;

fn unwatched<T>(work: impl FnOnce(&mut Nowhere) -> io::Result<T>) -> (T, Findings) {
    let (done, console) = listened(work);
    (done, console.found)
}

fn listened<T>(work: impl FnOnce(&mut Nowhere) -> io::Result<T>) -> (T, Unwatched) {
    let mut io = Io { console: Unwatched::default(), files: NoFiles };
    let done = work(&mut io).expect("what prints nothing does not fail");
    (done, io.console)
}

impl Session {
    /// Begins a game of which at least so many steps are kept, also where only bots play.
    pub fn steered(
        start: Running,
        seats: Vec<Seat>,
        seed: Seed,
        keeps: usize,
    ) -> (Session, Findings) {
        let (mut session, found) = unwatched(|io| Session::begin(start, seats, (seed, 0), io));
        session.timeline.keeps = keeps;
        (session, found)
    }

    /// Replays a script as far as its lines fit the game; none if not even its game can begin.
    pub(crate) fn replayed(
        loaded: LoadedScript,
        seats: Vec<Seat>,
        seed: Seed,
        keeps: usize,
    ) -> (Option<Session>, Findings) {
        let (mut session, found) = unwatched(|io| Session::go_on(loaded, seats, seed, io));
        session.iter_mut().for_each(|session| session.timeline.keeps = keeps);
        (session, found)
    }

    /// What is said where a script was not replayed as it stands; nothing where it was.
    #[cfg(feature = "serve")]
    pub(crate) fn misfit_sentences(&self) -> &[String] {
        self.misfit.as_ref().map_or(&[], crate::session::replay::ScriptMisfit::sentences)
    }

    /// Who decides now; nobody where the game is over or its rules cannot go on.
    pub fn decides(&self) -> Option<Player> {
        let is_over = last_left(self).is_some();
        if let Moment::Decision(player) = self.moment() {
            Some(player).filter(|_| !is_over)
        } else {
            None
        }
    }

    /// Whether the game is over, and not broken by a mistake in its rules.
    pub(crate) fn is_over(&self) -> bool {
        last_left(self).is_some() || matches!(self.moment(), Moment::Over | Moment::Returned)
    }

    /// Whether the rules have a mistake that showed in play, so that the game cannot go on.
    pub(crate) fn is_broken(&self) -> bool {
        self.moment() == Moment::Broken
    }

    /// Whether the next decision needs a person.
    pub(crate) fn needs_person(&self) -> bool {
        self.decides().is_some_and(|player| is_human(&self.seats, player) && !self.is_forced())
    }

    /// The legal move that words or a number of the list mean, by index.
    pub(crate) fn find_move(&self, words: &str) -> Option<usize> {
        let labels = self.current_labels();
        let sorted = goods_in_order(self.position().game().rules(), words);
        [words, &sorted].into_iter().find_map(|words| {
            match find_move(&labels, self.numbers_moves(), words) {
                MoveWords::One(index) => Some(index),
                _ => None,
            }
        })
    }

    /// Why words are no legal move, and what to type instead.
    pub(crate) fn why_not(&self, words: &str) -> (String, Option<String>) {
        let labels = self.current_labels();
        let reason = self.position().why_not(words, true);
        let help = advice(&labels, words, reason.span.is_some()).or(reason.help);
        (reason.words.map_or(reason.message, |why| why.to_string()), help)
    }

    /// Makes the move of the person who decides.
    ///
    /// # Panics
    /// If nobody decides, or the index is that of no legal move.
    pub fn act(&mut self, index: usize) -> Findings {
        let player = self.decides().expect("somebody decides");
        assert!(index < self.position().count_moves(), "only legal moves have an index");
        self.forced.in_a_row = 0;
        unwatched(|io| self.play_move(player, Made::Person(index), &mut io.as_dyn())).1
    }

    /// Does what a line of the table says, such as `:roll 6`; returns what it answers, and what was wrong.
    pub(crate) fn command(&mut self, line: &str) -> (Vec<String>, Findings) {
        let labels = self.current_labels();
        let (_, console) = listened(|io| self.answer(line, &labels, &mut io.as_dyn()));
        (console.lines, console.found)
    }

    /// Makes one decision that needs no person: that of a bot, or one without a choice. `None` if there
    /// is none to make.
    pub(crate) fn advance_alone(&mut self) -> Option<Findings> {
        let player = self.decides().filter(|_| !self.needs_person())?;
        Some(unwatched(|io| self.decide_or_ask(player, &mut io.as_dyn())).1)
    }

    /// How many steps there are, the beginning included.
    pub fn steps(&self) -> usize {
        self.timeline.count_steps()
    }

    pub fn decisions_of(&self, player: Player) -> usize {
        self.timeline.decisions_of(player)
    }

    /// Takes back everything after a step, counted from 0.
    pub(crate) fn back_to(&mut self, step: usize) {
        let (listener, seed, games) = (self.listener(), self.luck.seed, self.timeline.games());
        self.timeline.back_to(step, &mut self.luck, listener);
        self.come_back(seed, games);
    }

    /// Takes back the last decision of a person; whether there was one.
    pub fn undo_one(&mut self) -> bool {
        let person = |step: &TimelineStep| matches!(step.made, Made::Person(_));
        let last = self.timeline.current_steps().iter().rposition(person);
        // The step before it may be kept no more.
        last.filter(|at| *at > 0).inspect(|at| self.back_to(at - 1)).is_some()
    }

    /// Makes the last step again that was taken back; whether there was one.
    pub(crate) fn redo_one(&mut self) -> bool {
        let (listener, seed, games) = (self.listener(), self.luck.seed, self.timeline.games());
        let again = !self.timeline.redo(1, &mut self.luck, listener).is_empty();
        self.come_back(seed, games);
        again
    }

    /// Whether steps were taken back that can be made again.
    pub(crate) fn has_undone(&self) -> bool {
        !self.timeline.undone.is_empty()
    }

    pub(crate) fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Lets somebody else decide for a player from now on.
    #[cfg(feature = "serve")]
    pub(crate) fn give_seat(&mut self, player: Player, who: Seat) {
        self.seats[player.index()] = who;
        self.mark_header_changed();
    }

    /// Makes the next save write the whole record: its header has changed.
    #[cfg(feature = "serve")]
    pub(crate) fn mark_header_changed(&mut self) {
        self.timeline.kept = usize::MAX;
    }

    /// Whether a person decided something already.
    #[cfg(feature = "serve")]
    pub(crate) fn has_person_decided(&self) -> bool {
        let person = |step: &TimelineStep| matches!(step.made, Made::Person(_));
        let steps = self.timeline.current_steps();
        // Of a long game the first steps are kept no more.
        !steps.first().is_some_and(TimelineStep::is_start) || steps.iter().any(person)
    }
}
