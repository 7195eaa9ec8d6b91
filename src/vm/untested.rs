//! Random moves where not all are tested: one is drawn, then tested, until one is legal.

use crate::chance::{Chance, Seeded};
use crate::vm::memory::WordMemory;
use crate::vm::offers::{DrawnOffer, TRIES, Untested};
use crate::vm::stops::{MOST_MOVES, decider};
use crate::vm::{Driver, Offers, Trap, step::Machine};

/// A legal move that is sought at a decision: each is equally likely, drawn with the stream of the seat.
/// Without a stream, moves are tested until one is legal, if there is one.
pub(super) struct LegalSearch {
    /// Whether one is being sought, so that a test is being made.
    pub(super) is_on: bool,
    site: u16,
    stream: Option<Seeded>,
    /// How many numbers are drawn at most before everything is tested, and the last that was.
    tries: usize,
    number: Option<usize>,
    /// The choice that is being tested, and whether it is the one that was drawn.
    choice: Untested,
    is_drawn: bool,
    /// How many entries there were before the test.
    length: usize,
    /// The operation of the decision, and where the stretch of code before it begins.
    at: usize,
    landing: usize,
}

impl LegalSearch {
    /// No search: a constant, which is faster to copy than what was just put together.
    pub(super) const OFF: LegalSearch = LegalSearch {
        is_on: false,
        site: 0,
        stream: None,
        tries: 0,
        number: None,
        choice: Untested::NONE,
        is_drawn: false,
        length: 0,
        at: 0,
        landing: 0,
    };
}

/// How a search goes on.
enum Sought {
    /// A choice is to be tested, which may be the one that was drawn.
    Test(Untested, bool),
    Found(usize),
    /// The search is over: nothing is legal or, without a stream, nothing more needs a test.
    Nothing,
}

impl Machine<'_> {
    /// Begins to seek a move at a decision; returns where to go on, or nothing if the driver lets the
    /// machine wait.
    pub(super) fn search<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        landing: &mut usize,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        self.offers.player = decider(self.program, mem, site);
        // A stream draws numbers of 32 bits.
        let (most, fits) = (MOST_MOVES, u32::try_from(self.offers.candidates()).is_ok());
        self.ensure(fits, |span| Trap::TooManyMoves { most, span })?;
        let search = &mut self.search;
        search.stream =
            driver.lend().and_then(|mut lent| lent.of_seat(self.offers.player).cloned());
        (search.site, search.at, search.landing) = (site, self.at, *landing);
        (search.tries, search.number) = (TRIES, None);
        self.seek(mem, landing, driver)
    }

    /// Ends a test of the move that is sought, and seeks on.
    pub(super) fn end_search<D: Driver>(
        &mut self,
        mem: &mut [i64],
        landing: &mut usize,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        (self.at, *landing) = (self.search.at, self.search.landing);
        let &mut LegalSearch { choice, is_drawn, length, ref stream, .. } = &mut self.search;
        let is_offered = self.offers.length() > length;
        if let Some(stream) = stream.as_ref().filter(|_| is_drawn && is_offered) {
            // What was offered last is the move.
            goes_on(driver, self.offers.player, stream);
            self.search.is_on = false;
            return Ok(Some(self.take_move(mem, self.offers.legal() - 1)));
        }
        self.offers.end_test_of(choice, length);
        self.seek(mem, landing, driver)
    }

    fn seek<D: Driver>(
        &mut self,
        mem: &mut [i64],
        landing: &mut usize,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        let sought = self.search.next(self.offers, driver);
        self.search.is_on = matches!(sought, Sought::Test(..));
        match sought {
            Sought::Test(choice, is_drawn) => {
                let write = |slot, word| mem.put(slot, word);
                let to = self.offers.bind_untested(self.program, choice, write).test;
                let length = self.offers.length();
                let search = &mut self.search;
                (search.choice, search.is_drawn, search.length) = (choice, is_drawn, length);
                *landing = to.into();
                Ok(Some(to))
            }
            Sought::Found(index) => Ok(Some(self.take_move(mem, index))),
            Sought::Nothing => self.answer_anyway(mem, self.search.site, driver),
        }
    }

    #[cold]
    fn answer_anyway<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        self.answer(mem, site, driver)
    }
}

impl LegalSearch {
    fn next<D: Driver>(&mut self, offers: &Offers, driver: &mut D) -> Sought {
        let Some(stream) = &mut self.stream else {
            let untested = offers.untested().filter(|_| offers.legal() == 0);
            return untested.map_or(Sought::Nothing, |choice| Sought::Test(choice, false));
        };
        let index = loop {
            match self.number.map(|number| offers.drawn(number)) {
                Some(DrawnOffer::Untested(choice)) => return Sought::Test(choice, true),
                Some(DrawnOffer::Legal(index)) => break index,
                Some(DrawnOffer::Decline) if offers.declines_anyway() || offers.legal() > 0 => {
                    break offers.legal();
                }
                // Declining is legal only if something else is.
                Some(DrawnOffer::Decline) if let Some(choice) = offers.untested() => {
                    return Sought::Test(choice, false);
                }
                Some(DrawnOffer::Decline | DrawnOffer::Refused) | None if self.tries > 0 => {
                    self.tries -= 1;
                    self.number = Some(stream.random_index(offers.candidates()));
                }
                _ => {
                    self.number = None;
                    if let Some(choice) = offers.untested() {
                        return Sought::Test(choice, false);
                    }
                    if offers.count() == 0 {
                        return Sought::Nothing;
                    }
                    break stream.random_index(offers.count());
                }
            }
        };
        goes_on(driver, offers.player, stream);
        Sought::Found(index)
    }
}

/// A move was drawn, and the stream of its seat goes on behind that.
fn goes_on<D: Driver>(driver: &mut D, seat: u8, stream: &Seeded) {
    if let Some(place) = driver.lend().as_mut().and_then(|lent| lent.of_seat(seat)) {
        place.clone_from(stream);
    }
    driver.on_lent_answers(1, 0);
}
