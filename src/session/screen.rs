//! Several people at one screen, where not all may see everything: each hears at the next own view
//! what happened since the last.

use std::io;

use super::console::{Console, Desk};
use super::play::Session;
use super::position::Position;
use crate::game::Player;

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

impl<P: Position + Clone> Session<P> {
    /// Whether people must not see each other's views.
    pub(super) fn is_guarded(&self) -> bool {
        self.is_hot() && self.position().has_secrets()
    }

    /// Tells a line to everybody, or to one player: at once, or at the next own view.
    pub(super) fn tell<C: Console, F>(
        &mut self,
        to: Option<Player>,
        line: String,
        desk: &mut Desk<C, F>,
    ) -> io::Result<()> {
        if self.is_guarded() {
            self.screen.lines.push((to, line));
            return Ok(());
        }
        desk.console.tell(&line)
    }

    /// Forgets what was told: it was taken back, or happens again.
    pub(super) fn forget_told(&mut self) {
        (self.screen.lines, self.screen.heard) = (Vec::new(), Vec::new());
    }

    /// The line of a decision without what others may not hear: the name of the move alone, where
    /// people must not see each other's views.
    pub(super) fn public(&self, line: &str) -> String {
        if !self.is_guarded() {
            return line.to_owned();
        }
        line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
    }

    /// Gives the screen to the person who decides, who then hears what happened.
    pub(super) fn hand_over<C: Console, F>(
        &mut self,
        player: Player,
        desk: &mut Desk<C, F>,
    ) -> io::Result<()> {
        if !self.is_guarded() {
            return Ok(());
        }
        if self.screen.looked.replace(player) != Some(player) {
            let name = self.position().names()[player.index()].clone();
            desk.console.hand_over(&name)?;
        }
        let heard = self.screen.heard.get(player.index()).copied().unwrap_or(0);
        self.screen.heard.resize(self.seats.len(), 0);
        self.screen.heard[player.index()] = self.screen.lines.len();
        let news = self.screen.lines[heard..].iter();
        let mut news = news.filter(|(to, _)| to.is_none_or(|to| to == player));
        news.try_for_each(|(_, line)| desk.console.tell(line))
    }

    /// Tells what all may hear and whoever looked last has not heard: the game is over.
    pub(super) fn tell_the_rest<C: Console, F>(&mut self, desk: &mut Desk<C, F>) -> io::Result<()> {
        let last = self.screen.looked.map_or(0, Player::index);
        let heard = self.screen.heard.get(last).copied().unwrap_or(0);
        let all = self.screen.lines.len();
        let news = self.screen.lines[heard.min(all)..].iter();
        news.filter(|(to, _)| to.is_none()).try_for_each(|(_, line)| desk.console.tell(line))?;
        self.screen.heard = vec![all; self.seats.len()];
        Ok(())
    }
}
