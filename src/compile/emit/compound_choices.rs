//! Decisions in several steps: an order, and decisions that several players make at once.
//!
//! What several players pick is kept in columns of one word for each player: the number of the
//! option (0 for nobody), then what it binds.

use crate::bytecode::{Op, Picks, Wait};
use crate::compile::emit::Emitter;
use crate::compile::emit::options::{
    begin_asking, begin_body, body_label, compute_let, emit_announcement, emit_decide, end_asking,
    list_option, list_options, nest_clauses, note_barred, reserve_slots,
};
use crate::compile::plan::expr_queries::filtered;
use crate::compile::{code::CodeLabel, compiled::Storage, scope::SlotRange};
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

/// `choose me order { options }`
pub(super) fn emit_order(out: &mut Emitter, choose: &Choose, left: &[LocalId], span: Span) {
    choose.options.iter().for_each(|option| note_barred(out, option));
    let mut ordered = Vec::new();
    for (option, local) in choose.options.iter().zip(left) {
        if !out.facts().never_legal(option) {
            ordered.push(gather_once(out, option, *local));
        }
    }
    out.code.span = span;
    let again = out.code.here();
    let [single, end] = out.code.labels();
    count_left(out, &ordered, single, end);
    let asking = begin_asking(out, &choose.chooser, span);
    let options: Vec<MoveOption> = ordered.iter().map(to_list).collect();
    let listed: Vec<u16> = options.iter().map(|option| list_option(out, option)).collect();
    // What was legal at the start may read what is gone by now.
    let typed = Choose { options, ..choose.without_bodies() };
    emit_decide(out, &asking, choose.prompt.as_ref(), None, listed.clone(), typed);
    out.code.place(single);
    ordered.iter().zip(&listed).for_each(|(ordered, at)| take_only(out, ordered, *at));
    out.code.emit(Op::Jump { to: end });
    for (ordered, at) in ordered.iter().zip(&listed) {
        begin_body(out, *at);
        remove_picked(out, ordered);
        out.block(&ordered.option.body);
        out.code.emit(Op::Again { to: again });
    }
    end_asking(out, &asking);
    out.code.place(end);
}

/// Keeps what is legal of an option now.
fn gather_once<'a>(out: &mut Emitter, option: &'a MoveOption, local: LocalId) -> Ordered<'a> {
    let outer = std::mem::replace(&mut out.code.span, option.span);
    let binder = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) => Some(binder),
        _ => None,
    });
    let width = binder.map_or(1, |binder| out.plan.width(&binder.set.ty, option.span));
    let left = out.allocate(width);
    out.keep_local(local, Storage::Slots(left.at, width));
    out.code.emit(Op::Clear { set: left.at, width });
    let mark = out.mark();
    let clauses = out.facts().schedule_clauses(&option.clauses);
    reserve_slots(out, &clauses, &option.params);
    nest_clauses(out, &clauses, &mut |out, clauses| {
        if !clauses.is_empty() {
            return false;
        }
        if let Some(binder) = binder {
            let member = place_in_set(out, binder);
            out.code.emit(Op::Insert { set: left.at, member, width });
        } else {
            let src = out.code.constant(1);
            out.code.emit(Op::Move { dst: left.at, src });
        }
        true
    });
    out.release(mark);
    out.code.span = outer;
    Ordered { option, binder, local, left }
}

fn place_in_set(out: &mut Emitter, binder: &Binder) -> u16 {
    let (low, at) = (out.plan.low(&binder.set), out.body.local_slots(binder.local).at);
    out.behind_low(at, low)
}

/// Continues at `end` if nothing is left, and at `single` if there is nothing to decide.
fn count_left(out: &mut Emitter, ordered: &[Ordered], single: CodeLabel, end: CodeLabel) {
    let mark = out.mark();
    let (total, part) = (out.allocate(1).at, out.allocate(1).at);
    let (zero, one) = (out.code.constant(0), out.code.constant(1));
    out.code.emit(Op::Move { dst: total, src: zero });
    for Ordered { left: SlotRange { at: set, width }, .. } in ordered {
        out.code.emit(Op::Count { dst: part, set: *set, width: *width });
        out.code.emit(Op::Add { dst: total, a: total, b: part });
    }
    out.code.emit(Op::JumpEqual { a: total, b: zero, to: end });
    out.code.emit(Op::JumpEqual { a: total, b: one, to: single });
    out.release(mark);
}

/// Goes to the body of an option if the one thing that is left is of it.
fn take_only(out: &mut Emitter, ordered: &Ordered, at: u16) {
    let SlotRange { at: set, width } = ordered.left;
    let next = out.code.label();
    out.code.emit(Op::JumpEmpty { set, width, to: next });
    if let Some(binder) = ordered.binder {
        let (dst, low) = (out.body.local_slots(binder.local).at, out.plan.low(&binder.set));
        out.code.emit(Op::First { dst, set, width });
        out.add_low(dst, low);
    }
    for clause in &ordered.option.clauses {
        if let Clause::Let(local, value) = clause {
            let mark = out.mark();
            compute_let(out, *local, value);
            out.release(mark);
        }
    }
    out.code.emit(Op::Jump { to: body_label(out, at) });
    out.code.place(next);
}

/// Takes what was picked out of what is left.
fn remove_picked(out: &mut Emitter, ordered: &Ordered) {
    let SlotRange { at: set, width } = ordered.left;
    let mark = out.mark();
    let member = ordered.binder.map(|binder| place_in_set(out, binder));
    out.code.emit(match member {
        Some(member) => Op::Remove { set, member, width },
        None => Op::Clear { set, width },
    });
    out.release(mark);
}

/// `choose each p in S where P { options } or decline … else { … }`
pub(super) fn choose_together(out: &mut Emitter, each: &Binder, choose: &Choose, span: Span) {
    out.code.span = span;
    let width = out.plan.width(&each.set.ty, span);
    // Who decides is settled before anybody does.
    let (deciders, rest, me) = (out.allocate(width), out.allocate(width), out.allocate(1).at);
    let columns = count_columns(out, choose) + 1;
    let words = columns.saturating_mul(out.plan.players());
    let base = out.allocate(words).at;
    out.compute(&filtered(each.set.as_ref().clone(), each), deciders);
    out.emit_copy(rest.at, deciders);
    out.code.emit(Op::Clear { set: base, width: words });
    out.keep_local(each.local, Storage::Slots(me, 1));
    let [next, done] = out.code.labels();
    out.code.place(next);
    let begin = out.waiting_site(next, Wait::Nothing);
    out.code.emit(Op::Pop { dst: me, set: rest.at, width, to: done });
    let (site, picked) = ask_one(out, choose, span);
    record_picks(out, base, me, &picked, next);
    out.code.place(done);
    out.emit_copy(rest.at, deciders);
    run_bodies(out, base, me, rest, &picked);
    let (deciders, rest) = (deciders.at, rest.at);
    out.code.picks.push(Picks { site, begin, deciders, rest, width, base, columns });
}

/// The question to one of them.
fn ask_one<'c>(out: &mut Emitter, choose: &'c Choose, span: Span) -> (u16, Vec<Picked<'c>>) {
    let asking = begin_asking(out, &choose.chooser, span);
    let (offered, otherwise) = list_options(out, &asking, choose, span);
    let picked = offered.into_iter().map(|(option, body)| {
        let bindings = out.code.options[usize::from(option)].binds.slots.iter();
        let slots = bindings.flat_map(|(slot, width)| *slot..*slot + *width).collect();
        let recorded = body_label(out, option);
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
fn record_picks(out: &mut Emitter, base: u16, me: u16, picked: &[Picked], next: CodeLabel) {
    for (number, pick) in (1..).zip(picked) {
        out.code.place(pick.recorded);
        let number = out.code.constant(number);
        for (column, slot) in (0..).zip(std::iter::once(&number).chain(&pick.slots)) {
            keep_word(out, base, column, me, *slot);
        }
        out.code.emit(Op::Again { to: next });
    }
}

fn keep_word(out: &mut Emitter, base: u16, column: u16, me: u16, src: u16) {
    let count = out.plan.players();
    out.code.emit(Op::Store { base: base + column * count, index: me, src, count });
}

/// Takes a word out of its column: nothing of a finished pick remains.
fn take_word(out: &mut Emitter, base: u16, column: u16, me: u16, dst: u16) {
    let count = out.plan.players();
    out.load(SlotRange { at: dst, width: 1 }, base + column * count, me, count);
    let nothing = out.code.constant(0);
    keep_word(out, base, column, me, nothing);
}

fn run_bodies(out: &mut Emitter, base: u16, me: u16, rest: SlotRange, picked: &[Picked]) {
    let number = out.allocate(1).at;
    let (next, end) = (out.code.here(), out.code.label());
    out.code.emit(Op::Pop { dst: me, set: rest.at, width: rest.width, to: end });
    take_word(out, base, 0, me, number);
    for (at, pick) in (1..).zip(picked) {
        let (other, b) = (out.code.label(), out.code.constant(at));
        out.code.emit(Op::JumpDifferent { a: number, b, to: other });
        for (column, slot) in (1..).zip(&pick.slots) {
            take_word(out, base, column, me, *slot);
        }
        pick.option.iter().for_each(|option| emit_announcement(out, *option));
        out.block(pick.body);
        out.code.emit(Op::Again { to: next });
        out.code.place(other);
    }
    out.code.emit(Op::Again { to: next });
    out.code.place(end);
}

fn count_columns(out: &mut Emitter, choose: &Choose) -> u16 {
    let mut words = |clause: &Clause| match clause {
        Clause::Let(_, value) => out.plan.width(&value.ty, value.span),
        Clause::For(binder) | Clause::Maybe(binder) => out.width_of_member(&binder.set),
        Clause::When(_) => 0,
    };
    let columns = choose.options.iter().map(|it| it.clauses.iter().map(&mut words).sum());
    columns.max().unwrap_or_default()
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
