//! Decisions and draws: what is offered, and how the machine goes on when somebody answers.

use crate::bytecode::program::{SITE, Wait};
use crate::vm::Driver;
use crate::vm::step::Machine;
use crate::vm::trap::Trap;
use crate::vm::words::Words;

impl Machine<'_> {
    /// Where to go on, or nothing if the driver lets the machine wait.
    #[inline]
    pub(super) fn decide<D: Driver>(
        &mut self,
        mem: &mut [i64],
        site: u16,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        let program = self.program;
        let Wait::Decision { player, otherwise, .. } = program.sites[usize::from(site)].wait else {
            unreachable!("the compiler gives a decision the site of a decision");
        };
        let (limit, beyond) = program.limit;
        if *self.decisions >= limit {
            self.offers.clear();
            return Ok(Some(program.sites[usize::from(beyond)].to));
        }
        if self.offers.count() == 0 {
            return self.nothing_legal(otherwise).map(Some);
        }
        let seat = u8::try_from(mem.word(player)).expect("a player is a seat");
        self.offers.asks(seat);
        let Some(index) = driver.decide(self.offers) else {
            mem[SITE] = site.into();
            return Ok(None);
        };
        let option = self.offers.bind(program, index, |slot, word| mem.put(slot, word));
        self.offers.clear();
        *self.decisions += 1;
        *self.fuel = 0;
        let body = program.options[usize::from(option)].body;
        Ok(Some(program.sites[usize::from(body)].to))
    }

    fn nothing_legal(&mut self, otherwise: Option<u16>) -> Result<u16, Trap> {
        let decline = self.offers.declinable();
        self.offers.clear();
        if let Some(to) = otherwise {
            return Ok(to);
        }
        let option = decline.ok_or_else(|| Trap::NothingLegal { span: self.span() })?;
        let body = self.program.options[usize::from(option)].body;
        Ok(self.program.sites[usize::from(body)].to)
    }

    #[inline]
    pub(super) fn outcomes(&mut self, outcomes: i64) -> Result<u32, Trap> {
        self.burn()?;
        match u32::try_from(outcomes) {
            Ok(outcomes) if outcomes > 0 => Ok(outcomes),
            _ => Err(Trap::EmptyDraw { span: self.span() }),
        }
    }
}
