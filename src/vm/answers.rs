//! Decisions and draws: what is offered, and how the machine goes on when somebody answers.

use crate::bytecode::program::{SITE, Wait};
use crate::vm::memory::Words;
use crate::vm::step::Machine;
use crate::vm::text::said_of;
use crate::vm::trap::Trap;
use crate::vm::{Driver, Listener};

/// How many moves there may be at one decision: all of them are listed, counted and compared.
const MOST_MOVES: usize = 1_000_000;

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
        let seat = u8::try_from(mem.word(player)).expect("a player is a seat");
        if self.offers.count() == 0 {
            return self.nothing_legal((mem, seat), otherwise, driver).map(Some);
        }
        let most = MOST_MOVES;
        self.check(self.offers.count() <= most, |span| Trap::TooManyMoves { most, span })?;
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

    fn nothing_legal<D: Driver>(
        &mut self,
        (mem, seat): (&[i64], u8),
        otherwise: Option<u16>,
        driver: &mut D,
    ) -> Result<u16, Trap> {
        let decline = self.offers.declinable();
        self.offers.clear();
        if let Some(to) = otherwise {
            return Ok(to);
        }
        let option = decline.ok_or_else(|| Trap::NothingLegal { span: self.span() })?;
        if driver.wants_speech() {
            let text = self.declining(mem, option, seat);
            driver.hear_declining(&text);
        }
        let body = self.program.options[usize::from(option)].body;
        Ok(self.program.sites[usize::from(body)].to)
    }

    /// `Ann passes.`; a printed form is what the file makes it: `Ann: no trade`.
    fn declining(&mut self, mem: &[i64], option: u16, seat: u8) -> String {
        let info = &self.program.options[usize::from(option)];
        let name = self.names.get(usize::from(seat)).map_or("", String::as_str);
        let at = self.at;
        let printed = info.template.and_then(|to| {
            let done = self.execute(&mut mem.to_vec(), to, &mut Listener);
            let text = std::mem::take(&mut self.text);
            done.is_ok().then_some(text)
        });
        self.at = at;
        match printed {
            Some(printed) => format!("{name}: {printed}"),
            None => said_of(name, &info.name),
        }
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
