//! Decisions in several steps: an order, and decisions that several players make at once.
//!
//! What several players pick is kept in columns of one word for each player: the number of the
//! option (0 for nobody), then what it binds.

use crate::bytecode::{Op, Picks, Wait};
use crate::compile::code::CodeLabel;
use crate::compile::move_options::filtered;
use crate::compile::{Compiler, SlotRange, Storage};
use crate::rules::{Binder, Block, Choose, Clause, Expr, ExprKind, LocalId, MoveOption, Type};
use crate::source::Span;

/// An option of an order, and where what is left of it is kept.
struct Ordered<'a> {
    option: &'a MoveOption,
    /// What it ranges over, if it does.
    binder: Option<&'a Binder>,
    local: LocalId,
    left: SlotRange,
}

/// What a player may have done, with where it is picked.
struct Picked<'a> {
    /// Its number; none of what is done without being picked.
    option: Option<u16>,
    recorded: CodeLabel,
    slots: Vec<u16>,
    body: &'a Block,
}

impl Compiler<'_> {
    /// `choose me order { options }`
    pub(super) fn order(&mut self, choose: &Choose, left: &[LocalId], span: Span) {
        choose.options.iter().for_each(|option| self.note_barred(option));
        let mut ordered = Vec::new();
        for (option, local) in choose.options.iter().zip(left) {
            if !self.never_legal(option) {
                ordered.push(self.gather_once(option, *local));
            }
        }
        self.code.span = span;
        let again = self.code.here();
        let [single, end] = self.code.labels();
        self.count_left(&ordered, single, end);
        let asking = self.ask(&choose.chooser, span);
        let options: Vec<MoveOption> = ordered.iter().map(to_list).collect();
        let listed: Vec<u16> = options.iter().map(|option| self.list_option(option)).collect();
        // What was legal at the start may read what is gone by now.
        let typed = Choose { options, ..choose.without_bodies() };
        self.wait(&asking, choose.prompt.as_ref(), None, listed.clone(), typed);
        self.code.place(single);
        ordered.iter().zip(&listed).for_each(|(ordered, at)| self.take_only(ordered, *at));
        self.code.emit(Op::Jump { to: end });
        for (ordered, at) in ordered.iter().zip(&listed) {
            self.begin_body(*at);
            self.strike(ordered);
            self.block(&ordered.option.body);
            self.code.emit(Op::Again { to: again });
        }
        self.answered(&asking);
        self.code.place(end);
    }

    /// Keeps what is legal of an option now.
    fn gather_once<'a>(&mut self, option: &'a MoveOption, local: LocalId) -> Ordered<'a> {
        let outer = std::mem::replace(&mut self.code.span, option.span);
        let binder = option.clauses.iter().find_map(|clause| match clause {
            Clause::For(binder) => Some(binder),
            _ => None,
        });
        let width = binder.map_or(1, |binder| self.width(&binder.set.ty, option.span));
        let left = self.take(width);
        self.keep_local(local, Storage::Slots(left.at, width));
        self.code.emit(Op::Clear { set: left.at, width });
        let mark = self.mark();
        let clauses = self.scheduled(&option.clauses);
        self.reserve(&clauses, &option.params);
        self.nest(&clauses, &mut |compiler, clauses| {
            if !clauses.is_empty() {
                return false;
            }
            if let Some(binder) = binder {
                let member = compiler.place_in_set(binder);
                compiler.code.emit(Op::Insert { set: left.at, member, width });
            } else {
                let src = compiler.code.constant(1);
                compiler.code.emit(Op::Move { dst: left.at, src });
            }
            true
        });
        self.release(mark);
        self.code.span = outer;
        Ordered { option, binder, local, left }
    }

    fn place_in_set(&mut self, binder: &Binder) -> u16 {
        let (low, at) = (self.low(&binder.set), self.local_slots(binder.local).at);
        self.behind_low(at, low)
    }

    /// Continues at `end` if nothing is left, and at `single` if there is nothing to decide.
    fn count_left(&mut self, ordered: &[Ordered], single: CodeLabel, end: CodeLabel) {
        let mark = self.mark();
        let (total, part) = (self.take(1).at, self.take(1).at);
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        self.code.emit(Op::Move { dst: total, src: zero });
        for Ordered { left: SlotRange { at: set, width }, .. } in ordered {
            self.code.emit(Op::Count { dst: part, set: *set, width: *width });
            self.code.emit(Op::Add { dst: total, a: total, b: part });
        }
        self.code.emit(Op::JumpEqual { a: total, b: zero, to: end });
        self.code.emit(Op::JumpEqual { a: total, b: one, to: single });
        self.release(mark);
    }

    /// Goes to the body of an option if the one thing that is left is of it.
    fn take_only(&mut self, ordered: &Ordered, at: u16) {
        let SlotRange { at: set, width } = ordered.left;
        let next = self.code.label();
        self.code.emit(Op::JumpEmpty { set, width, to: next });
        if let Some(binder) = ordered.binder {
            let (dst, low) = (self.local_slots(binder.local).at, self.low(&binder.set));
            self.code.emit(Op::First { dst, set, width });
            self.add_low(dst, low);
        }
        for clause in &ordered.option.clauses {
            if let Clause::Let(local, value) = clause {
                let mark = self.mark();
                self.compute_let(*local, value);
                self.release(mark);
            }
        }
        self.code.emit(Op::Jump { to: self.body_label(at) });
        self.code.place(next);
    }

    /// Takes what was picked out of what is left.
    fn strike(&mut self, ordered: &Ordered) {
        let SlotRange { at: set, width } = ordered.left;
        let mark = self.mark();
        let member = ordered.binder.map(|binder| self.place_in_set(binder));
        self.code.emit(match member {
            Some(member) => Op::Remove { set, member, width },
            None => Op::Clear { set, width },
        });
        self.release(mark);
    }

    /// `choose each p in S where P { options } or decline … else { … }`
    pub(super) fn choose_together(&mut self, each: &Binder, choose: &Choose, span: Span) {
        self.code.span = span;
        let width = self.width(&each.set.ty, span);
        // Who decides is settled before anybody does.
        let (deciders, rest, me) = (self.take(width), self.take(width), self.take(1).at);
        let columns = self.columns(choose) + 1;
        let words = columns.saturating_mul(self.players());
        let base = self.take(words).at;
        self.compute(&filtered(each.set.as_ref().clone(), each), deciders);
        self.copy(rest.at, deciders);
        self.code.emit(Op::Clear { set: base, width: words });
        self.keep_local(each.local, Storage::Slots(me, 1));
        let [next, done] = self.code.labels();
        self.code.place(next);
        let begin = self.waiting(next, Wait::Nothing);
        self.code.emit(Op::Pop { dst: me, set: rest.at, width, to: done });
        let (site, picked) = self.ask_one(choose, span);
        self.record(base, me, &picked, next);
        self.code.place(done);
        self.copy(rest.at, deciders);
        self.run_bodies(base, me, rest, &picked);
        let (deciders, rest) = (deciders.at, rest.at);
        self.code.picks.push(Picks { site, begin, deciders, rest, width, base, columns });
    }

    /// The question to one of them.
    fn ask_one<'c>(&mut self, choose: &'c Choose, span: Span) -> (u16, Vec<Picked<'c>>) {
        let asking = self.ask(&choose.chooser, span);
        let (offered, otherwise) = self.offer(&asking, choose, span);
        let picked = offered.into_iter().map(|(option, body)| {
            let bindings = self.code.options[usize::from(option)].binds.slots.iter();
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
    fn record(&mut self, base: u16, me: u16, picked: &[Picked], next: CodeLabel) {
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

    /// Takes a word out of its column: nothing of a finished pick remains.
    fn take_word(&mut self, base: u16, column: u16, me: u16, dst: u16) {
        let count = self.players();
        self.load(SlotRange { at: dst, width: 1 }, base + column * count, me, count);
        let nothing = self.code.constant(0);
        self.keep_word(base, column, me, nothing);
    }

    fn run_bodies(&mut self, base: u16, me: u16, rest: SlotRange, picked: &[Picked]) {
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

    fn columns(&mut self, choose: &Choose) -> u16 {
        let mut words = |clause: &Clause| match clause {
            Clause::Let(_, value) => self.width(&value.ty, value.span),
            Clause::For(binder) | Clause::Maybe(binder) => self.width_of_member(&binder.set),
            Clause::When(_) => 0,
        };
        let columns = choose.options.iter().map(|it| it.clauses.iter().map(&mut words).sum());
        columns.max().unwrap_or_default()
    }
}

/// An option as it is listed: over what is left of it, without conditions.
fn to_list(ordered: &Ordered) -> MoveOption {
    let Ordered { option, binder, local, .. } = ordered;
    let left = |ty: &Type, span| Expr { kind: ExprKind::Local(*local), ty: ty.clone(), span };
    let listed = option.clauses.iter().filter_map(|clause| match clause {
        Clause::For(Binder { local, set, .. }) => {
            let set = Box::new(left(&set.ty, set.span));
            Some(Clause::For(Binder { local: *local, set, condition: None }))
        }
        Clause::Let(..) => Some(clause.clone()),
        Clause::When(_) | Clause::Maybe(_) => None,
    });
    let alone = binder.is_none().then(|| Clause::When(left(&Type::Bool, option.span)));
    MoveOption { clauses: listed.chain(alone).collect(), ..(*option).clone() }
}
