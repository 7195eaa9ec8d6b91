//! Leaving, jumping, and what that burns.

use astragal_native::{Flag, IntoWord, Word, Writer};

use crate::bytecode::engine::{BURNT, LANDING};
use crate::bytecode::{Op, Role};
use crate::native::Translator;
use crate::vm::{FUEL, STRETCH};

impl<'w> Translator<'_, 'w> {
    pub(super) fn leave_if(&mut self, holds: Flag) {
        self.writer.leave_if(holds, self.at);
    }

    pub(super) fn leave_unless(&mut self, holds: Flag) {
        let holds = self.writer.as_word(holds);
        let fails = self.writer.differ(holds, 1);
        self.leave_if(fails);
    }

    pub(super) fn jump_if(
        &mut self,
        compare: impl Fn(&mut Writer<'w>, Word, Word) -> Flag,
        a: u16,
        b: u16,
        to: u16,
    ) {
        let (a, b) = (self.read_slot(a), self.read_slot(b));
        let holds = compare(self.writer, a, b);
        self.writer.jump_if(holds, to.into());
    }

    /// Jumps where a word is not 0, or where it is.
    pub(super) fn jump_where(&mut self, word: Word, is_some: bool, to: u16) {
        let compare = if is_some { Writer::differ } else { Writer::equal };
        let holds = compare(self.writer, word, 0);
        self.writer.jump_if(holds, to.into());
    }

    /// Burns fuel; leaves where there is not enough.
    pub(super) fn burn(&mut self, amount: usize) {
        let amount = i64::try_from(amount).expect("code is short");
        let burnt = self.burnt_with(amount);
        self.writer.set_register(BURNT, burnt);
    }

    /// Emits the burnt fuel plus an amount; leaves the code where there is not enough.
    pub(super) fn burnt_with(&mut self, amount: impl IntoWord) -> Word {
        let most = i64::try_from(FUEL).expect("fuel is a small number");
        let burnt = self.writer.register(BURNT);
        let burnt = self.writer.add(burnt, amount);
        let over = self.writer.less(most, burnt);
        self.leave_if(over);
        burnt
    }

    pub(super) fn set_landing(&mut self, to: usize) {
        self.writer.set_register(LANDING, i64::try_from(to).expect("code is short"));
    }

    pub(super) fn go_back(&mut self, link: u16) {
        let sites = self.calls.iter().filter(|(slot, ..)| *slot == link);
        let sites: Vec<(i64, usize)> = sites.map(|(_, site, to)| (*site, *to)).collect();
        let landing = self.writer.register(LANDING);
        let here = i64::try_from(self.at).expect("code is short");
        let way = self.writer.subtract(here, landing);
        let way = self.writer.distance(way);
        let way = self.writer.shift_down(way, i64::from(STRETCH.ilog2()));
        let amount = self.writer.add(way, 1);
        let back = self.read_slot(link);
        let burnt = self.burnt_with(amount);
        self.writer.switch(back, &sites, self.at, |writer, to| {
            writer.set_register(BURNT, burnt);
            writer.set_register(LANDING, i64::try_from(to).expect("code is short"));
        });
    }

    /// Goes on to the next number, or elsewhere after the last.
    pub(super) fn count(&mut self, a: u16, last: u16, to: u16, step: i64) {
        let (number, last) = (self.read_slot(a), self.read_slot(last));
        let (one, other) = if step > 0 { (last, number) } else { (number, last) };
        let ends = self.writer.at_most(one, other);
        self.writer.jump_if(ends, to.into());
        let next = self.writer.add(number, step);
        self.writer.put(a, next);
    }

    pub(super) fn jump_called(&mut self, op: Op, result: Word) {
        for to in op.operands().filter(|operand| operand.role == Role::To) {
            self.jump_where(result, true, to.value);
        }
    }
}
