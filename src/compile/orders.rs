//! Decisions about an order: what is legal at the start is kept, and leaves what is kept one by one.

use crate::bytecode::Op;
use crate::check::rules::{Binder, Choose, Clause, Expr, ExprKind, LocalId, MoveOption, Type};
use crate::compile::clauses::scheduled;
use crate::compile::code::Label;
use crate::compile::{Compiler, Slots, Storage};
use crate::source::Span;

/// An option of an order, and where what is left of it is kept.
struct Ordered<'a> {
    option: &'a MoveOption,
    local: LocalId,
    left: Slots,
}

impl Compiler<'_> {
    /// `choose me order { options }`
    pub(super) fn order(&mut self, choose: &Choose, left: &[LocalId], span: Span) {
        let mark = self.mark();
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
        let typed = Choose { options, ..choose.head() };
        self.wait(&asking, choose.prompt.as_ref(), None, listed.clone(), typed);
        self.code.place(single);
        for (ordered, at) in ordered.iter().zip(&listed) {
            self.take_only(ordered, *at);
        }
        self.code.emit(Op::Jump { to: end });
        for (ordered, at) in ordered.iter().zip(&listed) {
            self.begin_body(*at);
            self.strike(ordered);
            self.block(&ordered.option.body);
            self.code.emit(Op::Again { to: again });
        }
        self.answered(&asking);
        self.code.place(end);
        self.release(mark);
    }

    /// Keeps what is legal of an option now.
    fn gather_once<'a>(&mut self, option: &'a MoveOption, local: LocalId) -> Ordered<'a> {
        let outer = std::mem::replace(&mut self.code.span, option.span);
        let binder = option.clauses.iter().find_map(bound);
        let width = binder.map_or(1, |binder| self.width(&binder.set.ty, option.span));
        let left = self.take(width);
        self.keep_local(local, Storage::Slots(left.at, width));
        self.code.emit(Op::Clear { set: left.at, width });
        let mark = self.mark();
        let clauses = scheduled(&option.clauses);
        self.reserve(&clauses);
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
        Ordered { option, local, left }
    }

    /// The member that a binder holds, as its position in the set.
    fn place_in_set(&mut self, binder: &Binder) -> u16 {
        let (low, at) = (self.low(&binder.set), self.local_slots(binder.local).at);
        self.behind_low(at, low)
    }

    /// Continues at `end` if nothing is left, and at `single` if there is nothing to decide.
    fn count_left(&mut self, ordered: &[Ordered], single: Label, end: Label) {
        let mark = self.mark();
        let (total, part) = (self.take(1).at, self.take(1).at);
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        self.code.emit(Op::Move { dst: total, src: zero });
        for Ordered { left: Slots { at: set, width }, .. } in ordered {
            self.code.emit(Op::Count { dst: part, set: *set, width: *width });
            self.code.emit(Op::Add { dst: total, a: total, b: part });
        }
        self.code.emit(Op::JumpEqual { a: total, b: zero, to: end });
        self.code.emit(Op::JumpEqual { a: total, b: one, to: single });
        self.release(mark);
    }

    /// Goes to the body of an option if the one thing that is left is of it.
    fn take_only(&mut self, ordered: &Ordered, at: u16) {
        let Slots { at: set, width } = ordered.left;
        let next = self.code.label();
        self.code.emit(Op::JumpEmpty { set, width, to: next });
        if let Some(binder) = ordered.option.clauses.iter().find_map(bound) {
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
        let Slots { at: set, width } = ordered.left;
        let mark = self.mark();
        match ordered.option.clauses.iter().find_map(bound) {
            Some(binder) => {
                let member = self.place_in_set(binder);
                self.code.emit(Op::Remove { set, member, width });
            }
            None => self.code.emit(Op::Clear { set, width }),
        }
        self.release(mark);
    }
}

fn bound(clause: &Clause) -> Option<&Binder> {
    match clause {
        Clause::For(binder) => Some(binder),
        _ => None,
    }
}

/// An option as it is listed: over what is left of it, without conditions.
fn to_list(ordered: &Ordered) -> MoveOption {
    let Ordered { option, local, .. } = ordered;
    let left = |ty: &Type, span| Expr { kind: ExprKind::Local(*local), ty: ty.clone(), span };
    let mut clauses: Vec<Clause> = Vec::new();
    for clause in &option.clauses {
        match clause {
            Clause::For(binder) => {
                let set = Box::new(left(&binder.set.ty, binder.set.span));
                clauses.push(Clause::For(Binder { local: binder.local, set, condition: None }));
            }
            Clause::Let(..) => clauses.push(clause.clone()),
            Clause::When(_) | Clause::Maybe(_) => {}
        }
    }
    if !option.clauses.iter().any(|clause| bound(clause).is_some()) {
        clauses.push(Clause::When(left(&Type::Bool, option.span)));
    }
    MoveOption { clauses, ..(*option).clone() }
}
