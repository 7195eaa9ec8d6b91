//! Handles requests in the room: seats, bots, names, and proposals that all must accept.

use std::io;

use serde_json::{Value, json};

use crate::chance::Seed;
use crate::game::Player;
use crate::host::{files::count_players, opening::seed_or, progress::milliseconds};
use crate::messages::Engine;
use crate::serve::clocks::SeatClocks;
use crate::serve::invitation::picture_rows;
use crate::serve::room::{MOST_GAMES, MOST_SECONDS, Proposed, RoomAsk, RoomRefusal, RoomSeat};
use crate::serve::table::{Place, ServedTable, has_page};
use crate::serve::{KEPT, guard_secrets};
use crate::session::resigning::{resign, take_resignation_back};
use crate::session::{Running, Seat, Session};

/// What is done in the room, or why not.
type InRoom<T> = Result<T, RoomRefusal>;

impl ServedTable<'_> {
    /// Does what a page asks in the room.
    ///
    /// # Errors
    /// The screen is gone; within, what is not done and why.
    pub(super) fn answer_in_room(
        &mut self,
        own: Option<Player>,
        ask: RoomAsk,
    ) -> io::Result<Result<Value, String>> {
        let done = match ask {
            RoomAsk::Invite => Ok(self.invite()),
            RoomAsk::Claim { seat, name } => self.claim_seat(own, seat, name),
            RoomAsk::StandUp => own.ok_or(RoomRefusal::Standing).map(|own| self.stand_up(own)),
            RoomAsk::Resign => self.resign(own),
            RoomAsk::Bot { seat, bot } => self.give_to_bot(own, seat, &bot),
            RoomAsk::Propose { what } => self.propose(own, what),
            RoomAsk::Answer { agrees } => self.answer_proposal(own, agrees),
        };
        if done.is_ok() {
            self.happened()?;
        }
        Ok(done.map_err(|refusal| refusal.to_string()))
    }

    fn invite(&self) -> Value {
        let address = self.links.lock().room_address();
        let watch = self.links.lock().watch_address();
        json!({ "picture": picture_rows(&address), "address": address, "watch": watch })
    }

    /// The seat with this number, if there is one.
    fn seat_at(&mut self, number: u8) -> InRoom<Player> {
        let seats = self.session().seats().len();
        let seat = Player(number);
        (seat.index() < seats).then_some(seat).ok_or(RoomRefusal::NoSeat(number))
    }

    fn is_here(&self, seat: Player) -> bool {
        has_page(&self.pages, seat)
    }

    fn is_occupied(&self, seat: Player) -> bool {
        self.links.lock().is_taken(seat) || self.is_here(seat)
    }

    fn seats_human(&mut self, seat: Player) -> bool {
        matches!(self.session().seats()[seat.index()], Seat::Human)
    }

    fn claim_seat(&mut self, own: Option<Player>, seat: u8, name: Option<String>) -> InRoom<Value> {
        let seat = self.seat_at(seat)?;
        let name = name.map(|name| name.trim().to_owned()).filter(|it| !it.is_empty());
        if let (Some(own), Some(name)) = (own, &name)
            && own == seat
        {
            self.rename_player(own, name)?;
            return Ok(json!({ "name": name }));
        }
        if own.is_some() {
            return Err(RoomRefusal::Sitting);
        }
        if self.seats_human(seat) && self.is_occupied(seat) {
            return Err(RoomRefusal::Taken);
        }
        self.check_seat(seat)?;
        if let Some(name) = name {
            self.rename_player(seat, &name)?;
        }
        let token = self.links.lock().take(seat).ok_or(RoomRefusal::NoRandom)?;
        self.left.remove(&seat);
        // Who watched from a seat that a bot had sees no more of it.
        self.pages.retain(|page| page.place != Place::Seat(seat));
        if !self.seats_human(seat) {
            self.session().give_seat(seat, Seat::Human);
        }
        self.save_links();
        let name = self.session().position().names()[seat.index()].clone();
        Ok(json!({ "token": token, "name": name }))
    }

    /// Calls a person otherwise. Once a person has decided, everybody keeps the name that is in the game.
    fn rename_player(&mut self, seat: Player, name: &str) -> InRoom<()> {
        let session = self.session();
        if session.has_person_decided() {
            return Ok(());
        }
        let mut names = session.position().names().to_vec();
        let before = std::mem::replace(&mut names[seat.index()], name.to_owned());
        // Who changes seats takes the name along; the seat that is left gets the other one.
        let other =
            (0..).map(Player).zip(&names).find(|(at, it)| *at != seat && it.as_str() == name);
        if let Some(left) = other.map(|(at, _)| at).filter(|at| self.left.contains(at)) {
            names[left.index()] = before;
        }
        count_players(None, &names).map_err(|error| RoomRefusal::Name(error.to_string()))?;
        let session = self.session();
        let game = session.position().game().with_names(names);
        if let Some(seed) = session.dealt_from() {
            self.begin_anew(Running::new(game), seed);
        }
        Ok(())
    }

    fn stand_up(&mut self, own: Player) -> Value {
        // The next who sits here gets another link, and this one opens nothing.
        let _ = self.links.lock().take(own);
        self.links.lock().set_taken(own, false);
        self.left.insert(own);
        let own = Place::Seat(own);
        self.pages.iter_mut().filter(|it| it.place == own).for_each(|it| it.place = Place::Room);
        self.save_links();
        json!({ "stands": true })
    }

    fn give_to_bot(&mut self, own: Option<Player>, seat: u8, bot: &str) -> InRoom<Value> {
        let own = own.ok_or(RoomRefusal::Standing)?;
        let seat = self.seat_at(seat)?;
        if seat != own && self.seats_human(seat) && self.is_here(seat) {
            return Err(RoomRefusal::Present);
        }
        let session = self.session();
        let game = session.position().game();
        let unknown = || RoomRefusal::NoBot(bot.to_owned(), Seat::words(game));
        let who = Seat::from_word(bot, game, milliseconds).ok_or_else(unknown)?;
        if let Seat::Bot { kind, .. } = who
            && !kind.fits_budget(MOST_GAMES, MOST_SECONDS * 1000)
        {
            return Err(RoomRefusal::SlowBot(bot.to_owned()));
        }
        if matches!(who, Seat::Human) {
            self.check_seat(seat)?;
        }
        self.session().give_seat(seat, who);
        Ok(json!({ "bot": bot }))
    }

    /// Nobody decides at a seat whose time is up, or that has resigned.
    fn check_seat(&mut self, seat: Player) -> InRoom<()> {
        if self.session().resigned.contains(&seat) {
            return Err(RoomRefusal::Resigned);
        }
        let is_up = |it: &SeatClocks| it.is_up(seat, milliseconds());
        let is_up = self.links.lock().clocks.as_ref().is_some_and(is_up);
        if is_up { Err(RoomRefusal::TimeUp) } else { Ok(()) }
    }

    /// A seat gives up. Where two play against each other, the game is over; else chance plays on.
    fn resign(&mut self, own: Option<Player>) -> InRoom<Value> {
        let own = own.ok_or(RoomRefusal::Standing)?;
        self.check_seat(own)?;
        if self.session().is_over() {
            return Err(RoomRefusal::Over);
        }
        resign(self.session(), own);
        let name = self.session().position().names()[own.index()].clone();
        if self.session().is_over() {
            self.room.say(format!("{name} resigns."));
        } else {
            self.give_to_chance(own);
            self.room.say(format!("{name} resigns: a bot plays on."));
        }
        self.keep_resigned();
        Ok(json!({ "resigned": true }))
    }

    /// A server that is killed knows who has resigned.
    fn keep_resigned(&mut self) {
        let resigned = self.session().resigned.clone();
        self.links.lock().resigned = resigned.iter().map(|seat| seat.0).collect();
        self.save_links();
    }

    /// The time of a seat is up: from now on chance decides there.
    pub(super) fn end_time(&mut self, seat: Player) {
        self.give_to_chance(seat);
        let name = self.session().position().names()[seat.index()].clone();
        self.room.say(format!("The time of {name} is up: a bot plays on."));
    }

    fn give_to_chance(&mut self, seat: Player) {
        let session = self.session();
        let game = session.position().game();
        let bot = Seat::from_word("random", game, milliseconds).expect("every game knows this bot");
        session.give_seat(seat, bot);
    }

    fn propose(&mut self, own: Option<Player>, what: Proposed) -> InRoom<Value> {
        let own = own.ok_or(RoomRefusal::Standing)?;
        let can_undo = self.session().has_person_decided() || !self.session().resigned.is_empty();
        if what == Proposed::Undo && !can_undo {
            return Err(RoomRefusal::NothingToUndo);
        }
        self.room.propose(what, own);
        Ok(json!({ "proposed": what }))
    }

    fn answer_proposal(&mut self, own: Option<Player>, agrees: bool) -> InRoom<Value> {
        let own = own.ok_or(RoomRefusal::Standing)?;
        let name = self.session().position().names()[own.index()].clone();
        self.room.answer(own, agrees, &name)?;
        Ok(json!({ "agrees": agrees }))
    }

    /// Everybody at a seat with a page open is asked; who is away is not waited for. Returns whether all agreed on
    /// something.
    pub(super) fn do_what_is_agreed(&mut self) -> io::Result<bool> {
        let seats = (0..).map(Player).take(self.session().seats().len());
        let asked: Vec<Player> =
            seats.filter(|seat| self.seats_human(*seat) && self.is_here(*seat)).collect();
        match self.room.agreed(asked) {
            Some(Proposed::Undo) => {
                if take_resignation_back(self.session()) {
                    self.room.say("The resignation is taken back.".to_owned());
                } else if self.session().undo_one() {
                    self.room.say("The last decision is taken back.".to_owned());
                }
            }
            Some(Proposed::Rematch) => {
                let game = self.session().position().game().clone();
                match seed_or(None) {
                    Ok(seed) => {
                        self.wind_clocks();
                        self.begin_anew(Running::new(game), seed);
                        self.room.say("Another game has begun.".to_owned());
                    }
                    Err(error) => self.screen.print_note(&error.to_string())?,
                }
            }
            None => return Ok(false),
        }
        self.has_ended = false;
        self.keep_resigned();
        Ok(true)
    }

    /// Whose time was up in the game before, and who resigned, plays this one.
    fn wind_clocks(&mut self) {
        let up = self.links.lock().clocks.as_mut().map(SeatClocks::begin_anew);
        let resigned = self.session().resigned.clone();
        up.into_iter()
            .chain([resigned])
            .flatten()
            .for_each(|seat| self.session().give_seat(seat, Seat::Human));
    }

    /// Another game begins at the same seats.
    fn begin_anew(&mut self, start: Running, seed: Seed) {
        let seats = self.session().seats().to_vec();
        let (mut session, _) = Session::steered(start, seats, seed, KEPT);
        guard_secrets(&mut session);
        session.mark_header_changed();
        self.engine = Engine::around(session, milliseconds);
    }

    /// Somebody came with the link to a seat.
    pub(super) fn mark_taken(&mut self, seat: Player) {
        if !self.links.lock().is_taken(seat) {
            self.links.lock().set_taken(seat, true);
            self.save_links();
        }
    }

    pub(super) fn save_links(&mut self) {
        // The links of a game that is over open nothing.
        if self.has_ended {
            return;
        }
        let file = self.links_file.clone();
        // A table whose links cannot be kept goes on; `serve` has said so when it began.
        let _ = file.map(|file| self.links.lock().save_to(file));
    }

    /// Who sits where, as everybody is told.
    pub(super) fn describe_room(&mut self) -> String {
        let session = self.engine.session().expect("the table was laid with a game");
        let game = session.position().game();
        let names = session.position().names();
        let seats = (0..).map(Player).zip(session.seats()).zip(names);
        let seats: Vec<RoomSeat> = seats
            .map(|((seat, who), name)| {
                let here = has_page(&self.pages, seat);
                let is_taken = here || self.links.lock().is_taken(seat);
                let who = match who {
                    Seat::Human if is_taken => "person".to_owned(),
                    Seat::Human => "free".to_owned(),
                    bot @ Seat::Bot { .. } => bot.word(game),
                };
                RoomSeat { name: name.clone(), who, here }
            })
            .collect();
        let title = game.info().title.clone();
        let stay = self.session().has_person_decided();
        self.room.room_message(&title, &seats, stay)
    }
}
