//! Decisions and draws: what is offered, and how the machine goes on when somebody answers.

use crate::bytecode::program::{SITE, Wait};
use crate::vm::Driver;
use crate::vm::step::Machine;
use crate::vm::trap::Trap;

impl Machine<'_> {
    pub(super) fn offer(&mut self, option: u16) {
        let program = self.program;
        let info = &program.options[usize::from(option)];
        let words = &self.state.words;
        let word = |slot: u16| match words.get(usize::from(slot)) {
            Some(word) => *word,
            None => program.constants[usize::from(slot) - words.len()],
        };
        self.offers.push(option, info, word);
    }

    /// Where to go on, or nothing if the driver lets the machine wait.
    pub(super) fn decide<D: Driver>(
        &mut self,
        site: u16,
        driver: &mut D,
    ) -> Result<Option<u16>, Trap> {
        let program = self.program;
        let Wait::Decision { player, otherwise, .. } = program.sites[usize::from(site)].wait else {
            unreachable!("the compiler gives a decision the site of a decision");
        };
        let (limit, beyond) = program.limit;
        if self.state.decisions >= limit {
            return Ok(Some(program.sites[usize::from(beyond)].to));
        }
        if self.offers.count() == 0 {
            return self.nothing_legal(otherwise).map(Some);
        }
        let seat = u8::try_from(self.get(player)).expect("a player is a seat");
        self.offers.asks(seat);
        let Some(index) = driver.decide(self.offers) else {
            self.state.words[SITE] = site.into();
            return Ok(None);
        };
        let words = &mut self.state.words;
        let option = self.offers.bind(program, index, |slot, word| {
            words[usize::from(slot)] = word;
        });
        self.state.decisions += 1;
        self.state.fuel = 0;
        let body = program.options[usize::from(option)].body;
        Ok(Some(program.sites[usize::from(body)].to))
    }

    pub(super) fn nothing_legal(&self, otherwise: Option<u16>) -> Result<u16, Trap> {
        if let Some(to) = otherwise {
            return Ok(to);
        }
        let decline = self.offers.declinable();
        let option = decline.ok_or_else(|| Trap::NothingLegal { span: self.span() })?;
        let body = self.program.options[usize::from(option)].body;
        Ok(self.program.sites[usize::from(body)].to)
    }

    pub(super) fn outcomes(&mut self, outcomes: u16) -> Result<u32, Trap> {
        self.burn()?;
        match u32::try_from(self.get(outcomes)) {
            Ok(outcomes) if outcomes > 0 => Ok(outcomes),
            _ => Err(Trap::EmptyDraw { span: self.span() }),
        }
    }
}
