//! Seats that give the game up. No rule of a game speaks of it: the table ends the game when one seat is left, and lets
//! bots play on before.

use super::play::Session;
use crate::game::{Player, Status, TableView};

impl Session {
    /// Who has won because all others have given up; nobody where all play together against the game.
    pub(super) fn last_left(&self) -> Option<Player> {
        let players = (0..).map(Player).take(self.seats.len());
        let mut left = players.filter(|it| !self.resigned.contains(it));
        let last = left.next().filter(|_| left.next().is_none() && !self.resigned.is_empty())?;
        (!self.position().game().plays_together()).then_some(last)
    }

    /// Shows a game that is over because one seat is left.
    pub(super) fn add_resignation(&self, view: &mut TableView) {
        let Some(winner) = self.last_left() else { return };
        view.head.result = Some(format!("{} wins by resignation", self.player_name(winner)));
        (view.question, view.actions) = (None, Vec::new());
        for (at, seat) in (0..).zip(&mut view.seats) {
            seat.status = if Player(at) == winner { Status::Won } else { Status::Lost };
        }
    }
}

#[cfg(feature = "serve")]
impl Session {
    pub(crate) fn resigned(&self) -> &[Player] {
        &self.resigned
    }

    /// A seat gives up. The log and the record say so.
    pub(crate) fn resign(&mut self, player: Player) {
        let line = format!("{} resigns", self.player_name(player));
        self.timeline.note_event(line.clone());
        self.timeline.append_line(format!("# {line}"));
        self.resigned.push(player);
    }

    /// The seats that had given up when the table was closed.
    pub(crate) fn set_resigned(&mut self, players: Vec<Player>) {
        self.resigned = players;
    }

    /// Takes back the resignation that ended the game; whether there was one.
    pub(crate) fn take_resignation_back(&mut self) -> bool {
        let has_ended = self.last_left().is_some();
        if has_ended {
            self.resigned.pop();
            self.keep_anew();
        }
        has_ended
    }
}
