//! Hot seat: people share a screen, and each hears the news at the next own view.

use std::io;

use super::console::{DynIo, Reply, Showing};
use super::event::Moment;
use super::play::{Ending, Session};
use super::repl::{Command, Input, read};
use super::timeline::{Made, Step};
use crate::game::Player;
use crate::transcript;

/// What was told to people who share a screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    /// Who looked at it last, if somebody did.
    looked: Option<Player>,
    /// The lines, with the one player who may hear it, if not all may.
    lines: Vec<(Option<Player>, String)>,
    /// How many of them each player has heard, by seat.
    heard: Vec<usize>,
}

impl Session {
    /// Whether people must not see each other's views.
    pub(super) fn is_guarded(&self) -> bool {
        self.is_hot() && self.position().has_secrets()
    }

    /// Tells a line to everybody, or to one player: at once, or at the next own view.
    pub(super) fn tell(
        &mut self,
        to: Option<Player>,
        line: String,
        io: &mut DynIo,
    ) -> io::Result<()> {
        if self.is_guarded() {
            self.screen.lines.push((to, line));
            return Ok(());
        }
        io.console.tell(&line)
    }

    /// Forgets what was told: it was taken back, or happens again.
    pub(super) fn forget_told(&mut self) {
        (self.screen.lines, self.screen.heard) = (Vec::new(), Vec::new());
    }

    /// Shows what lies on the table: as much as there is room for, or all of it.
    pub(super) fn show_table(&self, whole: bool, io: &mut DynIo) -> io::Result<()> {
        let position = self.position();
        let decides = match self.moment() {
            Moment::Decision(player) if self.is_human(player) => Some(player),
            _ => None,
        };
        let table = position.table(self.viewer(), &self.rolled());
        let moves = if decides.is_some() { position.moves() } else { 0 };
        let names = position.names();
        io.console.show(&Showing { table: &table, names, decides, moves, whole })
    }

    /// Whose view the screen shows: that of the person who decides, else of the only person.
    pub(super) fn viewer(&self) -> Option<Player> {
        match self.moment() {
            Moment::Decision(player) if self.is_human(player) => Some(player),
            _ if self.is_hot() => None,
            _ => self.humans().next(),
        }
    }

    /// What whoever looks at the screen may hear of what was decided.
    pub(super) fn listener(&self) -> Listener {
        Listener { keeps_secrets: self.position().has_secrets(), viewer: self.viewer() }
    }

    /// Gives the screen to the person who decides, who then hears what happened. Returns how playing
    /// ends where whoever sits there leaves in place of looking.
    pub(super) fn hand_over(
        &mut self,
        player: Player,
        io: &mut DynIo,
    ) -> io::Result<Option<Ending>> {
        if !self.is_guarded() {
            return Ok(None);
        }
        if self.screen.looked != Some(player) {
            let name = self.position().names()[player.index()].clone();
            loop {
                match io.console.hand_over(&name)? {
                    Reply::End => return Ok(Some(self.leave())),
                    Reply::Interrupt => return Ok(Some(Ending::Interrupted)),
                    Reply::Line(line) => match read(&line) {
                        Input::Nothing => break,
                        Input::Command(Command { word: "quit", .. }) => {
                            return Ok(Some(self.leave()));
                        }
                        // Moves and other commands wait until the person who decides sits there.
                        _ => {}
                    },
                }
            }
            self.screen.looked = Some(player);
        }
        let heard = self.screen.heard.get(player.index()).copied().unwrap_or(0);
        self.screen.heard.resize(self.seats.len(), 0);
        self.screen.heard[player.index()] = self.screen.lines.len();
        let news = self.screen.lines[heard..].iter();
        let mut news = news.filter(|(to, _)| to.is_none_or(|to| to == player));
        news.try_for_each(|(_, line)| io.console.tell(line))?;
        Ok(None)
    }

    /// Tells what all may hear and whoever looked last has not heard: the game is over.
    pub(super) fn tell_the_rest(&mut self, io: &mut DynIo) -> io::Result<()> {
        let last = self.screen.looked.map_or(0, Player::index);
        let heard = self.screen.heard.get(last).copied().unwrap_or(0);
        let all = self.screen.lines.len();
        let news = self.screen.lines[heard.min(all)..].iter();
        news.filter(|(to, _)| to.is_none()).try_for_each(|(_, line)| io.console.tell(line))?;
        self.screen.heard = vec![all; self.seats.len()];
        Ok(())
    }
}

/// What whoever looks at the screen may hear of what was decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listener {
    /// Whether there is anything that not all may hear.
    keeps_secrets: bool,
    viewer: Option<Player>,
}

impl Listener {
    /// What a step is called: as it was decided to whoever decided, else as others hear it. What was
    /// picked unseen is not said as long as it is `pending`.
    pub(super) fn line(self, before: &Step, step: &Step, pending: bool) -> String {
        let (Moment::Decision(player), Made::Person(index) | Made::Machine(index)) =
            (before.moment, &step.made)
        else {
            return step.head();
        };
        if !self.keeps_secrets || self.viewer == Some(player) {
            return step.head();
        }
        let words = match self.viewer {
            _ if pending => "?".to_owned(),
            Some(viewer) => step.after.hears(&before.after.heard(*index), viewer),
            None => before.after.heard(*index).hidden(),
        };
        transcript::decision(&before.after.names()[player.index()], &words)
    }

    /// What a step that is taken back or made again is called.
    pub(super) fn again(self, before: &Step, step: &Step) -> String {
        self.line(before, step, step.after.picked_unseen() > 0)
    }
}
