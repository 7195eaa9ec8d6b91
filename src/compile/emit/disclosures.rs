//! Says what `show`, `reveal` and `look at` let players see, to those who did not know it.

use crate::bytecode::{Manner, NONE, Op, PileInfo, Witness};
use crate::compile::emit::piles::{pile_cards, pile_end};
use crate::compile::emit::witnesses::{
    change_knowers, seers_of_pile, seers_of_var, single_member_set,
};
use crate::compile::emit::{Emitter, text::print_indices};
use crate::compile::plan::state_layout::{elements, indices_of};
use crate::compile::{code::CodeLabel, scope::SlotRange};
use crate::rules::{
    CardSource, Domain, Expr, ExprKind, KindId, PLAYER, PileEnd, ResetTarget, Type, Value,
};
use crate::syntax::ast::{Owner, Visibility};

/// The elements of a variable that are shown: their values, from a slot on, and the sets of players who know them,
/// if that matters.
struct Elements<'a> {
    values: u16,
    sets: Option<u16>,
    width: u16,
    /// The dimensions over which they go.
    rest: &'a [(i64, usize)],
}

/// `Ann shows code: 7`, to a player or to all. An array is a row, in its order; members among its indices are named.
fn say_values(out: &mut Emitter, target: &ResetTarget, reader: Option<u16>) {
    let (place, var) = (out.plan.var(target.var), &out.plan.rules.vars[target.var.index()]);
    let Some(known) = place.known else { return };
    let (dims, rest) = place.dims.split_at(target.indices.len());
    let count = out.code.fit(elements(rest), "elements");
    let ([skip, own], mark) = (out.code.labels(), out.mark());
    out.code.emit(Op::Quiet { to: skip });
    let owner = (var.owner == Owner::Player).then(|| out.kept_word(&target.indices[0]));
    // `reveal` says every element: leaving out what all know would tell who had been shown it.
    let sets = reader.map(|_| {
        let element = out.element(known, count, dims, &target.indices);
        out.load_from(element, None).at
    });
    let seers = match owner.filter(|_| var.sight == Visibility::Owner) {
        Some(owner) => Some(Witness::Player(owner)),
        None => seers_of_var(out, target.var, &target.indices),
    };
    let all = sets.map(|sets| {
        let (all, everybody) = (out.allocate(1).at, out.all_players());
        out.code.emit(Op::Move { dst: all, src: everybody });
        for b in sets..sets + count {
            out.code.emit(Op::Common { dst: all, a: all, b, width: 1 });
        }
        all
    });
    leave_if_known(out, all, seers, reader, skip);
    if let Some(owner) = owner {
        print_owner(out, owner, reader, own);
        out.words(" ");
    }
    out.code.place(own);
    out.words(&var.title);
    print_indices(out, &target.indices[usize::from(owner.is_some())..]);
    let element = out.element(place.base, place.width * count, dims, &target.indices);
    let values = out.load_from(element, None).at;
    out.words(": ");
    let elements = Elements { values, sets, width: place.width, rest };
    say_elements(out, target, &elements, seers, reader);
    emit_tell(out, reader);
    out.code.place(skip);
    out.release(mark);
}

/// Says the elements that not all readers know.
fn say_elements(
    out: &mut Emitter,
    target: &ResetTarget,
    &Elements { values, sets, width, rest }: &Elements<'_>,
    seers: Option<Witness>,
    reader: Option<u16>,
) {
    let var = &out.plan.rules.vars[target.var.index()];
    let then = if matches!(var.ty, Type::Set(_) | Type::List(..)) { "; " } else { ", " };
    let domains = &var.dims[var.dims.len() - rest.len()..];
    let (some, no, yes) = (out.allocate(1).at, out.code.constant(0), out.code.constant(1));
    out.code.emit(Op::Move { dst: some, src: no });
    let places = (values..).step_by(width.into());
    for (nth, at) in (0..elements(rest)).zip(places) {
        let set = sets.map(|sets| sets + out.code.fit(nth, "elements"));
        let [known, first] = out.code.labels();
        leave_if_known(out, set, seers, reader, known);
        out.code.emit(Op::JumpIfNot { a: some, to: first });
        out.words(then);
        out.code.place(first);
        out.code.emit(Op::Move { dst: some, src: yes });
        for (domain, index) in domains.iter().zip(indices_of(rest, nth)) {
            if let Domain::Kind(_) = domain {
                let at = out.code.constant(index);
                print_said(out, SlotRange { at, width: 1 }, &domain.member_type());
                out.words(" ");
            }
        }
        print_said(out, SlotRange { at, width }, &var.ty);
        out.code.place(known);
    }
}

/// Continues at `to` if the reader, or everybody, is in a set of those who know something, or sees it.
fn leave_if_known(
    out: &mut Emitter,
    set: Option<u16>,
    seers: Option<Witness>,
    reader: Option<u16>,
    to: CodeLabel,
) {
    let (mark, knowers, b) = (out.mark(), out.allocate(1).at, out.all_players());
    let src = set.unwrap_or_else(|| out.code.constant(0));
    out.code.emit(Op::Move { dst: knowers, src });
    match seers {
        Some(Witness::Player(member)) => {
            out.code.emit(Op::Insert { set: knowers, member, width: 1 });
        }
        Some(Witness::Players(b)) => {
            out.code.emit(Op::Union { dst: knowers, a: knowers, b, width: 1 });
        }
        Some(Witness::Nobody) | None => {}
    }
    out.code.emit(match reader {
        Some(member) => Op::JumpHas { set: knowers, member, width: 1, to },
        None => Op::JumpSame { a: knowers, b, width: 1, to },
    });
    out.release(mark);
}

/// Cards of a set, pile by pile: to all, or to those of some players who did not know that such cards lie there.
fn say_cards(
    out: &mut Emitter,
    what: &CardSource,
    of: &Expr,
    SlotRange { at: set, width }: SlotRange,
    readers: Option<u16>,
) {
    let (info, cards) = (out.plan.cards_info(&of.ty), out.plan.cards_in(&of.ty));
    let (known, base, count) = (info.known, info.base, info.piles.len());
    if readers.is_some() && known.is_none() {
        return;
    }
    let count = out.code.fit(count, "piles");
    let ([skip, next, knew], mark) = (out.code.labels(), out.mark());
    out.code.emit(Op::Quiet { to: skip });
    let (piles, pile, part) =
        (out.allocate(count.div_ceil(64)), out.allocate(1).at, out.allocate(width));
    out.code.emit(Op::SelectMeeting { dst: piles.at, base, count, set, width });
    let again = out.code.here();
    out.code.emit(Op::Pop { dst: pile, set: piles.at, width: piles.width, to: skip });
    out.load(part, base, pile, count);
    out.code.emit(Op::Common { dst: part.at, a: part.at, b: set, width });
    if let (Some(readers), Some(known)) = (readers, known) {
        let [rest, reader, one, before, after] = std::array::from_fn(|_| out.allocate(1).at);
        out.emit_copy(rest, SlotRange { at: readers, width: 1 });
        let (theirs, each) = (out.allocate(width), out.code.here());
        out.code.emit(Op::Pop { dst: reader, set: rest, width: 1, to: next });
        out.load(theirs, known, reader, out.plan.players());
        out.code.emit(Op::Count { dst: before, set: theirs.at, width });
        out.code.emit(Op::Single { set: one, member: reader, width: 1 });
        out.code.emit(Op::Learn { set: part.at, players: one, width, cards });
        out.load(theirs, known, reader, out.plan.players());
        out.code.emit(Op::Count { dst: after, set: theirs.at, width });
        out.code.emit(Op::JumpEqual { a: before, b: after, to: knew });
        say_part(out, what, of, pile, part, Some(reader));
        out.code.place(knew);
        out.code.emit(Op::Again { to: each });
    } else {
        say_part(out, what, of, pile, part, None);
    }
    out.code.place(next);
    out.code.emit(Op::Again { to: again });
    out.code.place(skip);
    out.release(mark);
}

/// Cards of one pile: `Ann shows: king`, `top of deck: ace`
fn say_part(
    out: &mut Emitter,
    what: &CardSource,
    of: &Expr,
    pile: u16,
    part: SlotRange,
    reader: Option<u16>,
) {
    let (info, mut cards) = (out.plan.cards_info(&of.ty), out.plan.cards_in(&of.ty));
    let kind = KindId::at(info.kind.into());
    let owner = |info: &PileInfo| info.owner.map_or(NONE, i64::from);
    let owners: Vec<i64> = info.piles.iter().map(owner).collect();
    let [place, then] = out.code.labels();
    if let CardSource::End(end) = what {
        cards += u16::from(end.bottom);
        out.words(if end.bottom { "" } else { "top of " });
    } else {
        let (owner, base) = (out.allocate(1), out.code.constants(&owners));
        let (count, none) = (out.code.fit(owners.len(), "piles"), out.none());
        out.load(owner, base, pile, count);
        out.code.emit(Op::JumpEqual { a: owner.at, b: none, to: place });
        print_owner(out, owner.at, reader, place);
        out.code.emit(Op::Jump { to: then });
    }
    out.code.place(place);
    out.code.emit(Op::PrintPile { pile, cards });
    out.code.place(then);
    out.words(": ");
    print_said(out, part, &Type::Set(Domain::Kind(kind)));
    emit_tell(out, reader);
}

/// `Ann shows`, unless Ann is the one who reads it.
fn print_owner(out: &mut Emitter, owner: u16, reader: Option<u16>, own: CodeLabel) {
    if let Some(b) = reader {
        out.code.emit(Op::JumpEqual { a: owner, b, to: own });
    }
    print_said(out, SlotRange { at: owner, width: 1 }, &Type::Kind(PLAYER));
    out.words(if reader.is_some() { " shows" } else { " reveals" });
}

fn print_said(out: &mut Emitter, value: SlotRange, ty: &Type) {
    out.print_slots(value, ty, Manner::Said, out.code.span);
}

fn emit_tell(out: &mut Emitter, reader: Option<u16>) {
    let to_whom = reader.unwrap_or_else(|| out.none());
    out.code.emit(Op::Tell { to_whom });
}

/// `reveal PLACE, …`, `show PLACE, … to p`
pub(super) fn emit_show(out: &mut Emitter, targets: &[ResetTarget], to: Option<&Expr>) {
    let to = to.map(|to| out.word(to));
    for target in targets {
        let mark = out.mark();
        say_values(out, target, to);
        change_knowers(out, target, &|out, set| match to {
            Some(member) => out.code.emit(Op::Insert { set, member, width: 1 }),
            None => {
                let at = out.all_players();
                out.emit_copy(set, SlotRange { at, width: 1 });
            }
        });
        out.release(mark);
    }
}

/// `show …`, `reveal …`, `look at …`: some, or all, know cards from here on.
pub(super) fn learn_cards(out: &mut Emitter, what: &CardSource, by: Option<&Expr>) {
    let readers = by.map(|by| out.word(by));
    let by = readers.unwrap_or_else(|| out.all_players());
    let (CardSource::Set(of)
    | CardSource::One(of)
    | CardSource::Pile(of)
    | CardSource::End(PileEnd { pile: of, .. })) = what;
    let (width, cards) = (out.plan.cards_info(&of.ty).width, out.plan.cards_in(&of.ty));
    let set = match what {
        CardSource::Set(set) => out.word(set),
        CardSource::One(card) => {
            let (set, member) = (out.allocate(width), out.word(card));
            single_member_set(out, set, member)
        }
        CardSource::Pile(pile) => {
            let set = out.allocate(width);
            pile_cards(out, pile, set);
            set.at
        }
        CardSource::End(end) => {
            let set = out.allocate(width);
            let (kind, span) = (ExprKind::Value(Value::Int(1)), end.pile.span);
            let one = Expr { kind, ty: Type::Number, span };
            let count = Some(end.count.clone().unwrap_or(one));
            let seen = seers_of_pile(out, &end.pile).map(|_| Witness::Players(by));
            pile_end(out, &PileEnd { count, ..end.clone() }, set, seen);
            set.at
        }
    };
    say_cards(out, what, of, SlotRange { at: set, width }, readers);
    out.code.emit(Op::Learn { set, players: by, width, cards });
}
