//! The room around the table: who sits where, which bot plays on for whom, and what all have to agree on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::game::Player;

/// What a page says about the room, in place of a message about the game.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(super) enum RoomAsk {
    /// Where others come in: an address, and its picture.
    Invite,
    /// Takes a free seat, or that of a bot. Before the first decision the person may give a name.
    Claim { seat: u8, name: Option<String> },
    /// Gives the own seat back.
    StandUp,
    /// Gives the game up: a bot plays on, or the game is over.
    Resign,
    /// Lets a bot decide at the own seat or at one where nobody is, or a person again with `human`.
    Bot { seat: u8, bot: String },
    /// Asks all others at the table to agree.
    Propose { what: Proposed },
    /// Agrees with what is proposed, or not.
    Answer { agrees: bool },
}

/// How many games, or how long, a bot may think about a move that a page asks for.
pub(super) const MOST_GAMES: u32 = 10_000;
pub(super) const MOST_SECONDS: u64 = 10;

/// The words that begin these messages.
const ASKS: [&str; 7] = ["invite", "claim", "stand_up", "resign", "bot", "propose", "answer"];

impl RoomAsk {
    /// Reads a message about the room; nothing if it is about something else.
    pub(super) fn read(text: &str) -> Option<Result<RoomAsk, String>> {
        #[derive(Deserialize)]
        struct Tagged {
            ask: String,
        }
        let Tagged { ask } = serde_json::from_str(text).ok()?;
        ASKS.contains(&ask.as_str()).then(|| {
            serde_json::from_str(text)
                .map_err(|error| format!("the message cannot be read: {error}"))
        })
    }
}

/// What happens when all agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Proposed {
    /// The last decision of a person is taken back.
    Undo,
    /// Another game begins with the same people.
    Rematch,
}

/// Why something is not done in the room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RoomRefusal {
    #[error("there is no seat {0}; the seats are counted from 0")]
    NoSeat(u8),
    #[error("somebody sits there; choose another seat")]
    Taken,
    #[error("take a seat first")]
    Standing,
    #[error("you have a seat; stand up first")]
    Sitting,
    #[error("who only watches does nothing at the table; take a seat")]
    Watching,
    #[error("the time of this seat is up; a bot plays here until another game begins")]
    TimeUp,
    #[error("this seat has resigned; a bot plays here until another game begins")]
    Resigned,
    #[error("the game is over")]
    Over,
    #[error("somebody is at this seat and decides")]
    Present,
    #[error("`{0}` cannot take a seat; a seat is {1}")]
    NoBot(String, String),
    #[error(
        "`{0}` thinks too long for a table; a page may ask for up to {MOST_GAMES} games or {MOST_SECONDS}s"
    )]
    SlowBot(String),
    #[error("nothing is proposed")]
    NothingProposed,
    #[error("there is no decision to take back")]
    NothingToUndo,
    #[error("{0}")]
    Name(String),
    #[error("the system gives no random numbers")]
    NoRandom,
}

#[derive(Debug)]
struct Proposal {
    what: Proposed,
    by: Player,
    agreed: BTreeSet<Player>,
}

/// One seat as everybody in the room sees it.
#[derive(Debug, Serialize)]
pub(super) struct RoomSeat {
    pub(super) name: String,
    /// `person`, `free`, or the word of a bot.
    pub(super) who: String,
    pub(super) here: bool,
}

/// What is agreed on in the room.
#[derive(Debug, Default)]
pub(super) struct Room {
    proposal: Option<Proposal>,
    /// What became of the last proposal.
    note: Option<String>,
}

impl Room {
    pub(super) fn propose(&mut self, what: Proposed, by: Player) {
        self.note = None;
        self.proposal = Some(Proposal { what, by, agreed: BTreeSet::from([by]) });
    }

    /// Tells everybody what became of the table.
    pub(super) fn say(&mut self, note: String) {
        self.note = Some(note);
    }

    /// Counts a voice; one that does not agree ends it.
    pub(super) fn answer(
        &mut self,
        seat: Player,
        agrees: bool,
        name: &str,
    ) -> Result<(), RoomRefusal> {
        let proposal = self.proposal.as_mut().ok_or(RoomRefusal::NothingProposed)?;
        if agrees {
            proposal.agreed.insert(seat);
        } else {
            self.proposal = None;
            self.note = Some(format!("{name} does not agree."));
        }
        Ok(())
    }

    /// A decision was made: what was proposed about the one before is over.
    pub(super) fn went_on(&mut self) {
        self.note = None;
        if self.proposal.as_ref().is_some_and(|it| it.what == Proposed::Undo) {
            self.proposal = None;
        }
    }

    /// Takes the proposal that all who are asked agree on, if there is one.
    pub(super) fn agreed(&mut self, asked: impl IntoIterator<Item = Player>) -> Option<Proposed> {
        let proposal = self.proposal.as_ref()?;
        let mut asked = asked.into_iter().peekable();
        // Where everybody is gone, nobody agrees.
        if asked.peek().is_none() || !asked.all(|seat| proposal.agreed.contains(&seat)) {
            return None;
        }
        self.proposal.take().map(|it| it.what)
    }

    /// What everybody is told of the room: what is played there, who sits where, and whether the
    /// names stay (`named`).
    pub(super) fn room_message(&self, title: &str, seats: &[RoomSeat], named: bool) -> String {
        let proposal = self.proposal.as_ref().map(|it| {
            let agreed: Vec<u8> = it.agreed.iter().map(|seat| seat.0).collect();
            json!({ "what": it.what, "by": it.by.0, "agreed": agreed })
        });
        json!({ "room": {
            "title": title, "seats": seats, "proposal": proposal, "note": self.note, "named": named,
        } })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{Proposed, Room, RoomAsk, RoomRefusal};
    use crate::game::Player;

    #[test]
    fn only_what_all_agree_on_happens() {
        let mut room = Room::default();
        assert_eq!(room.answer(Player(1), true, "Ben"), Err(RoomRefusal::NothingProposed));
        room.propose(Proposed::Undo, Player(0));
        let everybody = || [0, 1, 2].map(Player);
        assert_eq!(room.agreed(everybody()), None);
        room.answer(Player(1), true, "Ben").expect("it is proposed");
        assert_eq!(room.agreed(everybody()), None);
        room.answer(Player(2), true, "Cem").expect("it is proposed");
        assert_eq!(room.agreed(everybody()), Some(Proposed::Undo));
        assert_eq!(room.agreed(everybody()), None, "it happens once");
        room.propose(Proposed::Rematch, Player(0));
        room.went_on();
        room.answer(Player(1), false, "Ben").expect("a rematch is proposed still");
        assert_eq!(room.agreed([Player(0)]), None);
        assert!(room.room_message("Nim", &[], false).contains("Ben does not agree."));
        room.propose(Proposed::Rematch, Player(0));
        assert_eq!(room.agreed([]), None, "nobody is there");
    }

    #[test]
    fn messages_about_the_game_are_not_read() {
        assert!(RoomAsk::read(r#"{"ask":"act","words":"roll"}"#).is_none());
        assert!(RoomAsk::read("no JSON").is_none());
        assert!(matches!(RoomAsk::read(r#"{"ask":"invite"}"#), Some(Ok(RoomAsk::Invite))));
        let wrong = RoomAsk::read(r#"{"ask":"claim"}"#).expect("it is about the room");
        assert!(wrong.expect_err("a seat is missing").contains("seat"));
    }
}
