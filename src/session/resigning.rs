//! Seats that give the game up. No rule of a game speaks of it: the table ends the game when one seat is left, and lets
//! bots play on before.

use crate::game::{Player, Status, TableView};
use crate::session::play::Session;

/// Who has won because all others have given up; nobody where all play together against the game.
pub(super) fn last_left(session: &Session) -> Option<Player> {
    let players = (0..).map(Player).take(session.seats.len());
    let mut left = players.filter(|it| !session.resigned.contains(it));
    let last = left.next().filter(|_| left.next().is_none() && !session.resigned.is_empty())?;
    (!session.position().game().plays_together()).then_some(last)
}

/// Shows a game that is over because one seat is left.
pub(super) fn add_resignation(session: &Session, view: &mut TableView) {
    let Some(winner) = last_left(session) else { return };
    view.head.result = Some(format!("{} wins by resignation", session.player_name(winner)));
    (view.question, view.actions) = (None, Vec::new());
    for (at, seat) in (0..).zip(&mut view.seats) {
        seat.status = if Player(at) == winner { Status::Won } else { Status::Lost };
    }
}

/// A seat gives up. The log and the record say so.
#[cfg(feature = "serve")]
pub(crate) fn resign(session: &mut Session, player: Player) {
    let line = format!("{} resigns", session.player_name(player));
    session.timeline.note_event(line.clone());
    session.timeline.append_line(format!("# {line}"));
    session.resigned.push(player);
}

/// Takes back the resignation that ended the game; whether there was one.
#[cfg(feature = "serve")]
pub(crate) fn take_resignation_back(session: &mut Session) -> bool {
    let has_ended = last_left(session).is_some();
    if has_ended {
        session.resigned.pop();
        session.mark_header_changed();
    }
    has_ended
}
