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

/// Who decides together, and where it is kept.
struct Together {
    /// All who decide.
    asked: Slots,
    /// Those who come later.
    rest: Slots,
    /// Who decides now, or whose body runs.
    me: u16,
    /// The first column.
    columns: u16,
    /// Where the next player is asked.
    next: Label,
}

/// What a player may have done, with where it is picked.
struct Picked<'a> {
    /// Its number; none of what is done without being picked.
    option: Option<u16>,
    /// Where it is recorded.
    recorded: Label,
    /// What it binds: slots and their number.
    bindings: Vec<(u16, u16)>,
    body: &'a Block,
}

impl Compiler<'_> {
    /// `choose each p in S where P { options } or decline … else { … }`
    pub(super) fn choose_together(&mut self, each: &Binder, choose: &Choose, span: Span) {
        let mark = self.mark();
        let together = self.gather(each, choose, span);
        let done = self.code.label();
        self.code.place(together.next);
        let begin = self.waiting(together.next, Wait::Nothing, Vec::new());
        let Slots { at: set, width } = together.rest;
        self.code.emit(Op::Pop { dst: together.me, set, width, to: done });
        let (site, picked) = self.ask_one(choose, span);
        self.record(&together, &picked);
        self.code.place(done);
        self.copy(together.rest.at, together.asked);
        self.run_bodies(&together, &picked);
        let picks = Picks {
            site,
            begin,
            asked: together.asked.at,
            rest: together.rest.at,
            width,
            base: together.columns,
            columns: columns(self, choose) + 1,
        };
        self.code.picks.push(picks);
        self.release(mark);
    }

    /// Finds out who decides, before anybody does.
    fn gather(&mut self, each: &Binder, choose: &Choose, span: Span) -> Together {
        self.code.span = span;
        let width = self.width(&each.set.ty, span);
        let (asked, rest, me) = (self.take(width), self.take(width), self.take(1).at);
        let players = u16::try_from(self.setting.players).unwrap_or(1);
        let words = (columns(self, choose) + 1).saturating_mul(players);
        let columns = self.take(words).at;
        let who = Expr { kind: ExprKind::Filter(each.clone()), ..each.set.as_ref().clone() };
        self.compute(if each.condition.is_some() { &who } else { &each.set }, asked);
        self.copy(rest.at, asked);
        self.code.emit(Op::Clear { set: columns, width: words });
        self.keep_local(each.local, Storage::Slots(me, 1));
        Together { asked, rest, me, columns, next: self.code.label() }
    }

    /// The question to one of them.
    fn ask_one<'c>(&mut self, choose: &'c Choose, span: Span) -> (u16, Vec<Picked<'c>>) {
        let asking = self.ask(&choose.chooser, span);
        let mut offered = Vec::new();
        for option in &choose.options {
            self.note_barred(option);
            if !self.never_legal(option) {
                offered.push((self.list_option(option), &option.body));
            }
        }
        if let Some(decline) = &choose.decline {
            offered.extend(self.list_decline(choose, decline).map(|at| (at, &decline.body)));
        }
        let options = offered.iter().map(|(option, _)| *option).collect();
        let otherwise = choose.otherwise.as_ref().map(|_| self.code.label());
        self.wait(&asking, choose.prompt.as_ref(), otherwise, options);
        let site = asking.site();
        self.code.sites[usize::from(site)].debug.choose = Some(self.as_typed(choose));
        let mut picked: Vec<Picked> = Vec::new();
        for (option, body) in offered {
            let info = &self.code.options[usize::from(option)];
            let (bindings, site) = (info.bindings.clone(), info.body);
            let recorded = self.code.sites[usize::from(site)].to;
            picked.push(Picked { option: Some(option), recorded, bindings, body });
        }
        if let (Some(recorded), Some(body)) = (otherwise, &choose.otherwise) {
            picked.push(Picked { option: None, recorded, bindings: Vec::new(), body });
        }
        (site, picked)
    }

    /// Keeps what was picked, and asks the next.
    fn record(&mut self, together: &Together, picked: &[Picked]) {
        for (number, pick) in (1..).zip(picked) {
            self.code.place(pick.recorded);
            let number = self.code.constant(number);
            self.keep_word(together, 0, number);
            for (column, slot) in (1..).zip(pick.words()) {
                self.keep_word(together, column, slot);
            }
            self.code.emit(Op::Again { to: together.next });
        }
    }

    fn keep_word(&mut self, together: &Together, column: u16, src: u16) {
        let count = u16::try_from(self.setting.players).unwrap_or(1);
        let base = together.columns + column * count;
        self.code.emit(Op::Store { base, index: together.me, src, count });
    }

    /// Takes a word out of its column: nothing of a pick that is done stays behind.
    fn take_word(&mut self, together: &Together, column: u16, dst: u16) {
        let count = u16::try_from(self.setting.players).unwrap_or(1);
        let base = together.columns + column * count;
        self.load(Slots { at: dst, width: 1 }, base, together.me, count.into());
        let nothing = self.code.constant(0);
        self.keep_word(together, column, nothing);
    }

    fn run_bodies(&mut self, together: &Together, picked: &[Picked]) {
        let number = self.take(1).at;
        let (next, end) = (self.code.here(), self.code.label());
        let Slots { at: set, width } = together.rest;
        self.code.emit(Op::Pop { dst: together.me, set, width, to: end });
        self.take_word(together, 0, number);
        for (at, pick) in (1..).zip(picked) {
            let (other, b) = (self.code.label(), self.code.constant(at));
            self.code.emit(Op::JumpDifferent { a: number, b, to: other });
            for (column, slot) in (1..).zip(pick.words()) {
                self.take_word(together, column, slot);
            }
            pick.option.iter().for_each(|option| self.announce(*option));
            self.block(pick.body);
            self.code.emit(Op::Again { to: next });
            self.code.place(other);
        }
        self.code.emit(Op::Again { to: next });
        self.code.place(end);
    }
}

impl Picked<'_> {
    fn words(&self) -> impl Iterator<Item = u16> {
        self.bindings.iter().flat_map(|(slot, width)| *slot..*slot + *width)
    }
}

/// How many words the largest option binds.
fn columns(compiler: &mut Compiler, choose: &Choose) -> u16 {
    let words = |option: &MoveOption, compiler: &mut Compiler| {
        let bound = option.clauses.iter().map(|clause| match clause {
            Clause::Let(_, value) if matches!(value.ty, Type::Set(_)) => {
                compiler.width(&value.ty, value.span)
            }
            Clause::Let(..) | Clause::For(_) | Clause::Maybe(_) => 1,
            Clause::When(_) => 0,
        });
        bound.sum()
    };
    choose.options.iter().map(|option| words(option, compiler)).max().unwrap_or(0)
}
