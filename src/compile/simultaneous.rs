//! Decisions that several players make at once: one after the other picks unseen, then the bodies
//! run in the order of the seats.
//!
//! What was picked is kept in columns, each with a word for every player: the number of the
//! option first, 0 for nobody, then what the option binds.

use crate::bytecode::Op;
use crate::bytecode::program::{Picks, Wait};
use crate::check::rules::{Binder, Block, Choose, Clause, Expr, ExprKind, MoveOption, Type};
use crate::compile::code::Label;
use crate::compile::{Compiler, Slots, Storage};
use crate::source::Span;

/// What a player may have done, with where it is picked.
struct Picked<'a> {
    /// Its number; none of what is done without being picked.
    option: Option<u16>,
    /// Where it is recorded.
    recorded: Label,
    /// The slots that it binds.
    slots: Vec<u16>,
    body: &'a Block,
}

impl Compiler<'_> {
    /// `choose each p in S where P { options } or decline … else { … }`
    pub(super) fn choose_together(&mut self, each: &Binder, choose: &Choose, span: Span) {
        let mark = self.mark();
        self.code.span = span;
        let width = self.width(&each.set.ty, span);
        // Who decides is settled before anybody does.
        let (asked, rest, me) = (self.take(width), self.take(width), self.take(1).at);
        let columns = self.columns(choose) + 1;
        let words = columns.saturating_mul(self.players());
        let base = self.take(words).at;
        let who = Expr { kind: ExprKind::Filter(each.clone()), ..each.set.as_ref().clone() };
        self.compute(if each.condition.is_some() { &who } else { &each.set }, asked);
        self.copy(rest.at, asked);
        self.code.emit(Op::Clear { set: base, width: words });
        self.keep_local(each.local, Storage::Slots(me, 1));
        let [next, done] = self.code.labels();
        self.code.place(next);
        let begin = self.waiting(next, Wait::Nothing);
        self.code.emit(Op::Pop { dst: me, set: rest.at, width, to: done });
        let (site, picked) = self.ask_one(choose, span);
        self.record(base, me, &picked, next);
        self.code.place(done);
        self.copy(rest.at, asked);
        self.run_bodies(base, me, rest, &picked);
        let (asked, rest) = (asked.at, rest.at);
        self.code.picks.push(Picks { site, begin, asked, rest, width, base, columns });
        self.release(mark);
    }

    /// The question to one of them.
    fn ask_one<'c>(&mut self, choose: &'c Choose, span: Span) -> (u16, Vec<Picked<'c>>) {
        let asking = self.ask(&choose.chooser, span);
        let (offered, otherwise) = self.offer(&asking, choose, span);
        let picked = offered.into_iter().map(|(option, body)| {
            let bindings = self.code.options[usize::from(option)].bindings.iter();
            let slots = bindings.flat_map(|(slot, width)| *slot..*slot + *width).collect();
            let recorded = self.body_label(option);
            Picked { option: Some(option), recorded, slots, body }
        });
        let otherwise = otherwise.map(|(recorded, body)| Picked {
            option: None,
            recorded,
            slots: Vec::new(),
            body,
        });
        (asking.site, picked.chain(otherwise).collect())
    }

    /// Keeps what was picked, and asks the next.
    fn record(&mut self, base: u16, me: u16, picked: &[Picked], next: Label) {
        for (number, pick) in (1..).zip(picked) {
            self.code.place(pick.recorded);
            let number = self.code.constant(number);
            for (column, slot) in (0..).zip(std::iter::once(&number).chain(&pick.slots)) {
                self.keep_word(base, column, me, *slot);
            }
            self.code.emit(Op::Again { to: next });
        }
    }

    fn keep_word(&mut self, base: u16, column: u16, me: u16, src: u16) {
        let count = self.players();
        self.code.emit(Op::Store { base: base + column * count, index: me, src, count });
    }

    /// Takes a word out of its column: nothing of a pick that is done stays behind.
    fn take_word(&mut self, base: u16, column: u16, me: u16, dst: u16) {
        let count = self.players();
        self.load(Slots { at: dst, width: 1 }, base + column * count, me, count);
        let nothing = self.code.constant(0);
        self.keep_word(base, column, me, nothing);
    }

    fn run_bodies(&mut self, base: u16, me: u16, rest: Slots, picked: &[Picked]) {
        let number = self.take(1).at;
        let (next, end) = (self.code.here(), self.code.label());
        self.code.emit(Op::Pop { dst: me, set: rest.at, width: rest.width, to: end });
        self.take_word(base, 0, me, number);
        for (at, pick) in (1..).zip(picked) {
            let (other, b) = (self.code.label(), self.code.constant(at));
            self.code.emit(Op::JumpDifferent { a: number, b, to: other });
            for (column, slot) in (1..).zip(&pick.slots) {
                self.take_word(base, column, me, *slot);
            }
            pick.option.iter().for_each(|option| self.announce(*option));
            self.block(pick.body);
            self.code.emit(Op::Again { to: next });
            self.code.place(other);
        }
        self.code.emit(Op::Again { to: next });
        self.code.place(end);
    }

    /// How many words the largest option binds.
    fn columns(&mut self, choose: &Choose) -> u16 {
        let mut words = |option: &MoveOption| -> u16 {
            let bound = option.clauses.iter().map(|clause| match clause {
                Clause::Let(_, value) if matches!(value.ty, Type::Set(_)) => {
                    self.width(&value.ty, value.span)
                }
                Clause::Let(..) | Clause::For(_) | Clause::Maybe(_) => 1,
                Clause::When(_) => 0,
            });
            bound.sum()
        };
        choose.options.iter().map(&mut words).max().unwrap_or(0)
    }
}
