//! Says what `show`, `reveal` and `look at` let players see, to those who did not know it.

use crate::bytecode::{Manner, NONE, Op, PileInfo};
use crate::compile::code::CodeLabel;
use crate::compile::layout::{elements, indices_of};
use crate::compile::{Compiler, SlotRange};
use crate::rules::{CardSource, Domain, Expr, KindId, PLAYER, ResetTarget, Type};
use crate::syntax::ast::{Owner, Visibility};

/// The elements of a variable that are shown: their values, from a slot on, and the sets of players who know them.
struct Elements<'a> {
    values: u16,
    sets: u16,
    width: u16,
    /// The dimensions over which they go.
    rest: &'a [(i64, usize)],
}

impl Compiler<'_> {
    /// `Ann shows code: 7`, to a player or to all. An array is a row, in its order; members among its indices are named.
    pub(super) fn say_values(&mut self, target: &ResetTarget, reader: Option<u16>) {
        let (place, var) = (self.var(target.var), &self.rules.vars[target.var.index()]);
        let Some(known) = place.known else { return };
        let (dims, rest) = place.dims.split_at(target.indices.len());
        let count = self.code.fit(elements(rest), "elements");
        let ([skip, own], mark) = (self.code.labels(), self.mark());
        self.code.emit(Op::Quiet { to: skip });
        let owner = (var.owner == Owner::Player).then(|| self.kept_word(&target.indices[0]));
        let element = self.element(known, count, dims, &target.indices);
        let (sets, all) = (self.load_from(element, None).at, self.take(1).at);
        let owner_sees = owner.filter(|_| var.sight == Visibility::Owner);
        let everybody = self.everybody();
        self.code.emit(Op::Move { dst: all, src: everybody });
        for b in sets..sets + count {
            self.code.emit(Op::Common { dst: all, a: all, b, width: 1 });
        }
        self.leave_if_known(all, owner_sees, reader, skip);
        if let Some(owner) = owner {
            self.print_owner(owner, reader, own);
            self.words(" ");
        }
        self.code.place(own);
        self.words(&var.title);
        self.print_indices(&target.indices[usize::from(owner.is_some())..]);
        let element = self.element(place.base, place.width * count, dims, &target.indices);
        let values = self.load_from(element, None).at;
        self.words(": ");
        let elements = Elements { values, sets, width: place.width, rest };
        self.say_elements(target, &elements, owner_sees, reader);
        self.tell(reader);
        self.code.place(skip);
        self.release(mark);
    }

    /// Says the elements that not all readers know.
    fn say_elements(
        &mut self,
        target: &ResetTarget,
        &Elements { values, sets, width, rest }: &Elements<'_>,
        owner_sees: Option<u16>,
        reader: Option<u16>,
    ) {
        let var = &self.rules.vars[target.var.index()];
        let then = if matches!(var.ty, Type::Set(_) | Type::List(..)) { "; " } else { ", " };
        let domains = &var.dims[var.dims.len() - rest.len()..];
        let (some, no, yes) = (self.take(1).at, self.code.constant(0), self.code.constant(1));
        self.code.emit(Op::Move { dst: some, src: no });
        let places = (values..).step_by(width.into()).zip(sets..);
        for (nth, (at, set)) in (0..elements(rest)).zip(places) {
            let [known, first] = self.code.labels();
            self.leave_if_known(set, owner_sees, reader, known);
            self.code.emit(Op::JumpIfNot { a: some, to: first });
            self.words(then);
            self.code.place(first);
            self.code.emit(Op::Move { dst: some, src: yes });
            for (domain, index) in domains.iter().zip(indices_of(rest, nth)) {
                if let Domain::Kind(_) = domain {
                    let at = self.code.constant(index);
                    self.print_said(SlotRange { at, width: 1 }, &domain.member_type());
                    self.words(" ");
                }
            }
            self.print_said(SlotRange { at, width }, &var.ty);
            self.code.place(known);
        }
    }

    /// Continues at `to` if the reader, or everybody, is in a set of those who know something, or sees it.
    fn leave_if_known(
        &mut self,
        set: u16,
        owner_sees: Option<u16>,
        reader: Option<u16>,
        to: CodeLabel,
    ) {
        let (mark, knowers, b) = (self.mark(), self.take(1).at, self.everybody());
        self.code.emit(Op::Move { dst: knowers, src: set });
        if let Some(member) = owner_sees {
            self.code.emit(Op::Insert { set: knowers, member, width: 1 });
        }
        self.code.emit(match reader {
            Some(member) => Op::JumpHas { set: knowers, member, width: 1, to },
            None => Op::JumpSame { a: knowers, b, width: 1, to },
        });
        self.release(mark);
    }

    /// Cards of a set, pile by pile: to all, or to those of some players who did not know that such cards lie there.
    pub(super) fn say_cards(
        &mut self,
        what: &CardSource,
        of: &Expr,
        SlotRange { at: set, width }: SlotRange,
        readers: Option<u16>,
    ) {
        let (info, cards) = (self.cards_info(&of.ty), self.cards_in(&of.ty));
        let (known, base, count) = (info.known, info.base, info.piles.len());
        if readers.is_some() && known.is_none() {
            return;
        }
        let count = self.code.fit(count, "piles");
        let ([skip, next, knew], mark) = (self.code.labels(), self.mark());
        self.code.emit(Op::Quiet { to: skip });
        let (piles, pile, part) =
            (self.take(count.div_ceil(64)), self.take(1).at, self.take(width));
        self.code.emit(Op::SelectMeeting { dst: piles.at, base, count, set, width });
        let again = self.code.here();
        self.code.emit(Op::Pop { dst: pile, set: piles.at, width: piles.width, to: skip });
        self.load(part, base, pile, count);
        self.code.emit(Op::Common { dst: part.at, a: part.at, b: set, width });
        if let (Some(readers), Some(known)) = (readers, known) {
            let [rest, reader, one, before, after] = std::array::from_fn(|_| self.take(1).at);
            self.copy(rest, SlotRange { at: readers, width: 1 });
            let (theirs, each) = (self.take(width), self.code.here());
            self.code.emit(Op::Pop { dst: reader, set: rest, width: 1, to: next });
            self.load(theirs, known, reader, self.players());
            self.code.emit(Op::Count { dst: before, set: theirs.at, width });
            self.code.emit(Op::Single { set: one, member: reader, width: 1 });
            self.code.emit(Op::Learn { set: part.at, players: one, width, cards });
            self.load(theirs, known, reader, self.players());
            self.code.emit(Op::Count { dst: after, set: theirs.at, width });
            self.code.emit(Op::JumpEqual { a: before, b: after, to: knew });
            self.say_part(what, of, pile, part, Some(reader));
            self.code.place(knew);
            self.code.emit(Op::Again { to: each });
        } else {
            self.say_part(what, of, pile, part, None);
        }
        self.code.place(next);
        self.code.emit(Op::Again { to: again });
        self.code.place(skip);
        self.release(mark);
    }

    /// Cards of one pile: `Ann shows: king`, `top of deck: ace`
    fn say_part(
        &mut self,
        what: &CardSource,
        of: &Expr,
        pile: u16,
        part: SlotRange,
        reader: Option<u16>,
    ) {
        let (info, mut cards) = (self.cards_info(&of.ty), self.cards_in(&of.ty));
        let kind = KindId::at(info.kind.into());
        let owner = |info: &PileInfo| info.owner.map_or(NONE, i64::from);
        let owners: Vec<i64> = info.piles.iter().map(owner).collect();
        let [place, then] = self.code.labels();
        if let CardSource::End(end) = what {
            cards += u16::from(end.bottom);
            self.words(if end.bottom { "" } else { "top of " });
        } else {
            let (owner, base) = (self.take(1), self.code.constants(&owners));
            let (count, none) = (self.code.fit(owners.len(), "piles"), self.none());
            self.load(owner, base, pile, count);
            self.code.emit(Op::JumpEqual { a: owner.at, b: none, to: place });
            self.print_owner(owner.at, reader, place);
            self.code.emit(Op::Jump { to: then });
        }
        self.code.place(place);
        self.code.emit(Op::PrintPile { pile, cards });
        self.code.place(then);
        self.words(": ");
        self.print_said(part, &Type::Set(Domain::Kind(kind)));
        self.tell(reader);
    }

    /// `Ann shows`, unless Ann is the one who reads it.
    fn print_owner(&mut self, owner: u16, reader: Option<u16>, own: CodeLabel) {
        if let Some(b) = reader {
            self.code.emit(Op::JumpEqual { a: owner, b, to: own });
        }
        self.print_said(SlotRange { at: owner, width: 1 }, &Type::Kind(PLAYER));
        self.words(if reader.is_some() { " shows" } else { " reveals" });
    }

    fn print_said(&mut self, value: SlotRange, ty: &Type) {
        self.print_slots(value, ty, Manner::Said, self.code.span);
    }

    fn tell(&mut self, reader: Option<u16>) {
        let to_whom = reader.unwrap_or_else(|| self.none());
        self.code.emit(Op::Tell { to_whom });
    }
}
