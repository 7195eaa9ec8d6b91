//! The table: it answers one request after the other, lets bots decide, keeps the journal, and tells
//! every page what its seat sees.

use std::collections::BTreeSet;
use std::{io, path::PathBuf};

use axum::extract::ws::Utf8Bytes;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};

use crate::game::Player;
use crate::host::{progress::milliseconds, saves::OpenGameFiles, screen::Screen};
use crate::messages::Engine;
use crate::serve::limits::{MOST_GUESTS, MOST_PAGES};
use crate::serve::links::SharedLinks;
use crate::serve::room::{Room, RoomAsk, RoomRefusal};
use crate::session::{Findings, Seat, Session};

/// What the table is asked.
#[derive(Debug)]
pub(super) enum Request {
    /// A page sits down at a seat, or comes into the room or to watch, and is given a number if there is room.
    Come {
        place: Place,
        outbox: mpsc::Sender<Utf8Bytes>,
        welcome: oneshot::Sender<u64>,
    },
    /// The page with this number says something.
    Say {
        page: u64,
        text: Utf8Bytes,
    },
    Leave {
        page: u64,
    },
    /// Time has passed.
    Tick,
}

/// Where a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Seat(Player),
    /// It has no seat yet, and sees nothing of the game.
    Room,
    /// It sees what all players see, and does nothing.
    Watching,
}

impl Place {
    fn seat(self) -> Option<Player> {
        if let Place::Seat(seat) = self { Some(seat) } else { None }
    }
}

/// A page that somebody has open.
#[derive(Debug)]
pub(super) struct RoomPage {
    number: u64,
    pub(super) place: Place,
    outbox: mpsc::Sender<Utf8Bytes>,
}

pub(super) struct ServedTable<'s> {
    pub(super) engine: Engine,
    files: OpenGameFiles,
    pub(super) links: SharedLinks,
    /// The file that keeps the links, if there is one.
    pub(super) links_file: Option<PathBuf>,
    pub(super) screen: &'s mut Screen,
    pub(super) pages: Vec<RoomPage>,
    pages_so_far: u64,
    pub(super) room: Room,
    /// The seats from which somebody stood up.
    pub(super) left: BTreeSet<Player>,
    /// What each seat was told last.
    told: Vec<Utf8Bytes>,
    /// What those were told last who watch.
    told_watching: Utf8Bytes,
    /// Which seats have a page open, as everybody was told last.
    here: Utf8Bytes,
    /// Who sits where, as everybody was told last.
    told_of_room: Utf8Bytes,
    pub(super) has_ended: bool,
}

impl<'s> ServedTable<'s> {
    /// A table with its links, and the file that keeps them if there is one.
    pub(super) fn new(
        session: Session,
        files: OpenGameFiles,
        (links, links_file): (SharedLinks, Option<PathBuf>),
        screen: &'s mut Screen,
    ) -> ServedTable<'s> {
        let seats = session.seats().len();
        ServedTable {
            engine: Engine::around(session, milliseconds),
            files,
            links,
            links_file,
            screen,
            pages: Vec::new(),
            pages_so_far: 0,
            room: Room::default(),
            left: BTreeSet::new(),
            told: vec![Utf8Bytes::default(); seats],
            told_watching: Utf8Bytes::default(),
            here: Utf8Bytes::default(),
            told_of_room: Utf8Bytes::default(),
            has_ended: false,
        }
    }

    /// Answers requests until nobody can send any more.
    ///
    /// # Errors
    /// The screen is gone.
    pub(super) fn serve_requests(
        &mut self,
        requests: &mut mpsc::Receiver<Request>,
    ) -> io::Result<()> {
        self.happened()?;
        loop {
            self.keep_time()?;
            let has_advanced = self.advance_step()?;
            let request = if has_advanced {
                match requests.try_recv() {
                    Ok(request) => request,
                    Err(mpsc::error::TryRecvError::Empty) => continue,
                    Err(mpsc::error::TryRecvError::Disconnected) => return Ok(()),
                }
            } else {
                let Some(request) = requests.blocking_recv() else { return Ok(()) };
                request
            };
            match request {
                Request::Come { place, outbox, welcome } => self.come(place, &outbox, welcome),
                Request::Say { page, text } => self.handle_text(page, &text)?,
                Request::Leave { page } => self.pages.retain(|it| it.number != page),
                Request::Tick => continue,
            }
            // Pages may be gone, also such as did not read: who is left may agree.
            if self.do_what_is_agreed()? {
                self.happened()?;
            }
            self.tell_of_room();
            self.tell_who_is_here();
        }
    }

    pub(super) fn session(&mut self) -> &mut Session {
        self.engine.session().expect("the table was laid with a game")
    }

    /// Makes one decision that needs no person; whether there was one.
    fn advance_step(&mut self) -> io::Result<bool> {
        let Some(found) = self.session().advance_alone() else { return Ok(false) };
        self.report_all(&found)?;
        self.happened()?;
        Ok(true)
    }

    fn report_all(&mut self, found: &Findings) -> io::Result<()> {
        found.iter().try_for_each(|(sources, found)| self.screen.report_findings(sources, found))
    }

    /// Keeps the game as it stands, and tells every seat what it sees now.
    pub(super) fn happened(&mut self) -> io::Result<()> {
        let session = self.engine.session().expect("the table was laid with a game");
        if let Some(warning) = session.save_record(&mut self.files) {
            self.screen.print_note(&warning)?;
        }
        if (session.is_over() || session.is_broken()) && !self.has_ended {
            self.has_ended = true;
            let result = session.look(None, false).head.result;
            self.announce_end(result)?;
        }
        for (seat, told) in (0..).map(Player).zip(&mut self.told) {
            let news = self.engine.news_for(Some(seat)).expect("the table was laid with a game");
            // How often something changes that a seat does not see is no business of that seat.
            if told.as_str() != news {
                *told = news.into();
                send_to_pages(&mut self.pages, Some(Place::Seat(seat)), told);
            }
        }
        if self.pages.iter().any(|page| page.place == Place::Watching) {
            self.tell_who_watches();
        }
        Ok(())
    }

    fn tell_who_watches(&mut self) {
        let news = self.engine.news_for(None).expect("the table was laid with a game");
        if self.told_watching.as_str() != news {
            self.told_watching = news.into();
            send_to_pages(&mut self.pages, Some(Place::Watching), &self.told_watching);
        }
    }

    /// Runs the clock of the seat that is asked. A bot plays for a seat whose time is up.
    fn keep_time(&mut self) -> io::Result<()> {
        let now = milliseconds();
        let session = self.session();
        let asked = session.decides().filter(|_| session.needs_person());
        let mut links = self.links.lock();
        // A seat that nobody has taken waits for as long as it takes.
        let asked = asked.filter(|seat| links.is_taken(*seat));
        let Some(clocks) = links.clocks.as_mut() else { return Ok(()) };
        let up = asked.filter(|seat| clocks.is_up(*seat, now));
        let has_changed = clocks.run(asked.filter(|_| up.is_none()), now);
        let news = clocks.clock_message(now).into();
        drop(links);
        if has_changed {
            send_to_pages(&mut self.pages, None, &news);
            self.save_links();
        }
        if let Some(seat) = up {
            self.end_time(seat);
            self.happened()?;
            self.tell_of_room();
        }
        Ok(())
    }

    fn announce_end(&mut self, result: Option<String>) -> io::Result<()> {
        let how = match result {
            Some(result) => {
                // The journal is gone, and nothing is left to come back to. A file of links that stays opens nothing.
                let _ = self.links_file.as_deref().map(std::fs::remove_file);
                format!("the game is over: {result}")
            }
            None => "the game cannot go on".to_owned(),
        };
        self.screen.print_note(&format!("{how}; Ctrl-C closes the table"))
    }

    fn come(
        &mut self,
        place: Place,
        outbox: &mpsc::Sender<Utf8Bytes>,
        welcome: oneshot::Sender<u64>,
    ) {
        let here = self.pages.iter().filter(|page| page.place == place).count();
        let most = if place.seat().is_some() { MOST_PAGES } else { MOST_GUESTS };
        let number = self.pages_so_far + 1;
        if here >= most || welcome.send(number).is_err() {
            return;
        }
        self.pages_so_far = number;
        // There is room in a box that is new.
        match place {
            Place::Seat(seat) => {
                let _ = outbox.try_send(self.told[seat.index()].clone());
                self.mark_taken(seat);
            }
            Place::Room => {}
            Place::Watching => {
                self.tell_who_watches();
                let _ = outbox.try_send(self.told_watching.clone());
            }
        }
        if let Some(clocks) = &self.links.lock().clocks {
            let _ = outbox.try_send(clocks.clock_message(milliseconds()).into());
        }
        self.pages.push(RoomPage { number, place, outbox: outbox.clone() });
        if !self.tell_of_room() {
            let _ = outbox.try_send(self.told_of_room.clone());
        }
        if !self.tell_who_is_here() {
            let _ = outbox.try_send(self.here.clone());
        }
    }

    fn handle_text(&mut self, number: u64, text: &str) -> io::Result<()> {
        // A page that was disconnected may have said something before.
        let Some(page) = self.pages.iter().find(|page| page.number == number) else {
            return Ok(());
        };
        let (place, outbox) = (page.place, page.outbox.clone());
        let before = self.session().steps();
        let answer = match (RoomAsk::read(text), place) {
            (None, Place::Watching) => self.engine.answer_seat(None, text),
            (Some(_), Place::Watching) => {
                json!({ "error": RoomRefusal::Watching.to_string() }).to_string()
            }
            (Some(ask), _) => {
                let done = match ask {
                    Ok(ask) => self.answer_in_room(place.seat(), ask)?,
                    Err(unreadable) => Err(unreadable),
                };
                done.map_or_else(|error| json!({ "error": error }), |ok| json!({ "ok": ok }))
                    .to_string()
            }
            (None, Place::Seat(seat)) => self.engine.answer_seat(Some(seat), text),
            (None, Place::Room) => {
                json!({ "error": RoomRefusal::Standing.to_string() }).to_string()
            }
        };
        let has_moved = self.session().steps() != before;
        if has_moved {
            self.room.went_on();
            let found = self.engine.found();
            self.report_all(&found)?;
            // What is answered is kept.
            if let Some(warning) =
                self.engine.session().and_then(|it| it.save_record(&mut self.files))
            {
                self.screen.print_note(&warning)?;
            }
        }
        if outbox.try_send(answer.into()).is_err() {
            self.pages.retain(|page| page.number != number);
        }
        if has_moved { self.happened() } else { Ok(()) }
    }

    /// Tells everybody which seats have a page open, where that has changed; a bot is always there.
    /// Returns whether it has.
    fn tell_who_is_here(&mut self) -> bool {
        let session = self.engine.session().expect("the table was laid with a game");
        let seats = (0..).map(Player).zip(session.seats());
        let here: Vec<bool> = seats
            .map(|(seat, who)| matches!(who, Seat::Bot { .. }) || has_page(&self.pages, seat))
            .collect();
        let here = json!({ "here": here }).to_string();
        let has_changed = self.here.as_str() != here;
        if has_changed {
            self.here = here.into();
            send_to_pages(&mut self.pages, None, &self.here);
        }
        has_changed
    }

    /// Tells everybody who sits where and what is proposed, where that has changed; whether it has.
    fn tell_of_room(&mut self) -> bool {
        let room = self.describe_room();
        let has_changed = self.told_of_room.as_str() != room;
        if has_changed {
            self.told_of_room = room.into();
            send_to_pages(&mut self.pages, None, &self.told_of_room);
        }
        has_changed
    }
}

/// Whether somebody has a page open at a seat.
pub(super) fn has_page(pages: &[RoomPage], seat: Player) -> bool {
    pages.iter().any(|page| page.place == Place::Seat(seat))
}

/// Tells something to the pages of a place, or to all. A page that has read nothing for long is dropped,
/// so that nothing piles up for it.
fn send_to_pages(pages: &mut Vec<RoomPage>, place: Option<Place>, text: &Utf8Bytes) {
    pages.retain(|page| {
        let is_meant = place.is_none_or(|place| page.place == place);
        !is_meant || page.outbox.try_send(text.clone()).is_ok()
    });
}
