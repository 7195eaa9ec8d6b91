//! Random moves where not all are tested: one is drawn, then tested, until one is legal.

use crate::chance::Chance;
use crate::vm::memory::Words;
use crate::vm::offers::{Drawn, TRIES, Untested};
use crate::vm::{Driver, Trap, step::Machine};

impl Machine<'_> {
    /// Draws a legal move, each equally likely, with the stream of its seat. None if nothing is legal, or
    /// if the driver has no stream; then at least one legal move was found, if there is one.
    pub(super) fn draw_move<D: Driver>(
        &mut self,
        mem: &mut [i64],
        seat: u8,
        driver: &mut D,
    ) -> Result<Option<usize>, Trap> {
        let Some(mut stream) = driver.stream(seat) else {
            self.finds_legal(mem, driver)?;
            return Ok(None);
        };
        for _ in 0..TRIES {
            let number = stream.index(self.offers.candidates());
            if let Drawn::Untested(choice) = self.offers.drawn(number) {
                self.test(mem, choice, driver)?;
            }
            let index = match self.offers.drawn(number) {
                Drawn::Legal(index) => index,
                // Declining is legal only if something else is.
                Drawn::Decline
                    if self.offers.declines_anyway() || self.finds_legal(mem, driver)? =>
                {
                    self.offers.legal()
                }
                _ => continue,
            };
            driver.drew(seat, stream);
            return Ok(Some(index));
        }
        while let Some(choice) = self.offers.untested() {
            self.test(mem, choice, driver)?;
        }
        if self.offers.count() == 0 {
            return Ok(None);
        }
        let index = stream.index(self.offers.count());
        driver.drew(seat, stream);
        Ok(Some(index))
    }

    /// Whether a move is legal; tests moves until one is.
    fn finds_legal<D: Driver>(&mut self, mem: &mut [i64], driver: &mut D) -> Result<bool, Trap> {
        while self.offers.legal() == 0
            && let Some(choice) = self.offers.untested()
        {
            self.test(mem, choice, driver)?;
        }
        Ok(self.offers.legal() > 0)
    }

    fn test<D: Driver>(
        &mut self,
        mem: &mut [i64],
        choice: Untested,
        driver: &mut D,
    ) -> Result<(), Trap> {
        let (program, at) = (self.program, self.at);
        let write = |slot, word| mem.put(slot, word);
        let to = self.offers.bind_untested(program, choice, write).test;
        let length = self.offers.length();
        self.tests_one = true;
        self.execute(mem, to, driver)?;
        self.tests_one = false;
        self.at = at;
        self.offers.end_test_of(choice, length);
        Ok(())
    }
}
