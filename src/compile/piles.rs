//! What is done with piles: moving, shuffling, drawing, taking back.

use crate::bytecode::{Op, program::Witness};
use crate::check::rules::{
    CardDeed, Cards, Domain, Expr, KindId, Pile, PileEnd, ResetTarget, Type, VarId,
};
use crate::compile::chance::{Event, Outcome};
use crate::compile::layout::elements;
use crate::compile::{Compiler, Slots};

/// The operand that names a kind of cards, by the position of its piles, and the top of a pile.
pub(super) fn cards_of(group: usize) -> u16 {
    u16::try_from(2 * group).expect("a file has few kinds of cards")
}

impl Compiler<'_> {
    /// The number of a pile that is given by reference.
    pub(super) fn pile_number(&mut self, var: VarId, indices: &[Expr]) -> u16 {
        let first = self.first_pile(var);
        let dims = self.var(var).dims.clone();
        if let Some(at) = self.fixed(&dims, indices) {
            return self.code.constant((first + at).into());
        }
        let index = self.position(&dims, indices, None);
        let count = self.count(&dims);
        let (low, dst) = (self.code.constant(0), self.take(1).at);
        self.code.emit(Op::Index { dst, a: index, low, count });
        let b = self.code.constant(first.into());
        self.code.emit(Op::Add { dst, a: dst, b });
        dst
    }

    /// The cards of a pile that is given by reference.
    pub(super) fn pile_cards(&mut self, pile: &Expr, dst: Slots) {
        let Type::Pile(cards) = pile.ty else { unreachable!("checked: this is a pile") };
        let index = self.word(pile);
        let info = &self.layout.piles[self.group_of(cards)].info;
        let (base, count) = (info.base, info.piles.len());
        let count = self.code.fit(count, "piles");
        self.load(dst, base, index, count);
    }

    /// `top of PILE`, `top n of PILE` as a value, with who sees what chance decides.
    pub(super) fn pile_end(&mut self, end: &PileEnd, dst: Slots, seen: Option<Witness>) {
        let cards = self.end_of(&end.pile, end.bottom);
        let pile = self.word(&end.pile);
        let count = end.count.as_ref().map(|count| self.kept_word(count));
        if end.draws {
            let count = count.unwrap_or_else(|| self.code.constant(1));
            self.settle(end, pile, count, seen);
        }
        self.code.emit(match count {
            None => Op::EndCard { dst: dst.at, pile, cards },
            Some(count) => Op::EndCards { dst: dst.at, pile, count, width: dst.width, cards },
        });
    }

    /// Lets chance decide the first cards of a pile, as far as they are not known.
    fn settle(&mut self, end: &PileEnd, pile: u16, count: u16, seen: Option<Witness>) {
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        let depth = self.take(1).at;
        self.code.emit(Op::Move { dst: depth, src: zero });
        let (again, exit) = (self.code.here(), self.code.label());
        self.code.emit(Op::JumpAtMost { a: count, b: depth, to: exit });
        self.settle_one(end, pile, depth, seen);
        self.code.emit(Op::Add { dst: depth, a: depth, b: one });
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
    }

    /// Lets chance decide one card, if it is not known.
    fn settle_one(&mut self, end: &PileEnd, pile: u16, depth: u16, seen: Option<Witness>) {
        let mark = self.mark();
        let Type::Pile(kind) = end.pile.ty else { unreachable!("checked: this is a pile") };
        let cards = self.end_of(&end.pile, end.bottom);
        let (outcomes, one, known) = (self.take(1).at, self.code.constant(1), self.code.label());
        self.code.emit(Op::Choices { dst: outcomes, pile, depth, cards });
        self.code.emit(Op::JumpAtMost { a: outcomes, b: one, to: known });
        let card = self.take(1);
        self.code.seen_by = seen;
        let seen = self.seers(seen);
        let outcome = Outcome::Card([pile, depth], cards);
        self.draw(outcomes, &outcome, Event::Card(pile, cards), Type::Kind(kind), card);
        self.code.emit(Op::Settle { pile, depth, card: card.at, seen, cards });
        self.code.place(known);
        self.release(mark);
    }

    /// `move …`, `shuffle …`, `look at …`, `show …`, `reveal …`
    pub(super) fn card_action(&mut self, deed: &CardDeed) {
        match deed {
            CardDeed::Move { what, to, bottom } => self.move_cards(what, to, *bottom),
            CardDeed::Shuffle(pile) => {
                let (cards, pile) = (self.end_of(pile, false), self.word(pile));
                self.code.emit(Op::Shuffle { pile, cards });
            }
            CardDeed::Learn { what, by } => self.learn_cards(what, by.as_ref()),
        }
    }

    fn move_cards(&mut self, what: &Cards, pile: &Expr, bottom: bool) {
        let cards = self.end_of(pile, bottom);
        match what {
            Cards::One(card) => {
                let told = self.is_announced(card);
                let (card, to) = (self.word(card), self.word(pile));
                self.code.emit(Op::MoveCard { card, to, told, cards });
            }
            Cards::Set(set) => {
                let told = self.is_announced(set);
                let (Slots { at: set, width }, to) = (self.operand(set), self.word(pile));
                self.code.emit(Op::MoveCards { set, to, width, told, cards });
            }
            Cards::Pile(from) => {
                let (from, to) = (self.word(from), self.word(pile));
                self.code.emit(Op::MovePile { pile: from, to, cards });
            }
            Cards::End(end) => self.move_end(end, pile, cards),
        }
    }

    /// Moves cards from the end of a pile, one after the other, as many as there are.
    fn move_end(&mut self, end: &PileEnd, to: &Expr, cards: u16) {
        let from = self.word(&end.pile);
        let count = end.count.as_ref().map(|count| self.kept_word(count));
        // Who sees either pile sees the cards.
        let seen = self.seen_in(&end.pile).and_then(|_| self.seen_in(to));
        let to = self.word(to);
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        let (card, of) = (self.take(1).at, self.end_of(&end.pile, end.bottom));
        let Some(left) = count else {
            self.settle_one(end, from, zero, seen);
            self.code.emit(Op::EndCard { dst: card, pile: from, cards: of });
            return self.code.emit(Op::MoveCard { card, to, told: 1, cards });
        };
        let (again, exit, none) = (self.code.here(), self.code.label(), self.none());
        self.code.emit(Op::JumpAtMost { a: left, b: zero, to: exit });
        self.settle_one(end, from, zero, seen);
        self.code.emit(Op::EndCard { dst: card, pile: from, cards: of });
        self.code.emit(Op::JumpEqual { a: card, b: none, to: exit });
        self.code.emit(Op::MoveCard { card, to, told: 1, cards });
        self.code.emit(Op::Subtract { dst: left, a: left, b: one });
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
    }

    /// The operand of the kind of cards that a set has, if it has cards.
    pub(super) fn cards_of(&self, ty: &Type) -> Option<u16> {
        let Type::Set(Domain::Kind(kind)) = ty else { return None };
        self.group_with(*kind).map(cards_of)
    }

    fn kind_in(ty: &Type) -> KindId {
        match ty {
            Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => *kind,
            Type::Maybe(inner) => Self::kind_in(inner),
            _ => unreachable!("checked: these are cards"),
        }
    }

    pub(super) fn set_width(&self, ty: &Type) -> u16 {
        self.layout.piles[self.group_of(Self::kind_in(ty))].info.width
    }

    pub(super) fn cards_in(&self, ty: &Type) -> u16 {
        cards_of(self.group_of(Self::kind_in(ty)))
    }

    /// Of cards that read the same only one for each pile.
    pub(super) fn distinct(&mut self, set: &Expr, dst: Slots) {
        let (cards, set) = (self.cards_in(&set.ty), self.operand(set));
        let Slots { at: dst, width } = dst;
        self.code.emit(Op::Distinct { dst, set: set.at, width, cards });
    }

    /// `reset PILE`: all cards that started there come back, in no known order.
    pub(super) fn call_back(&mut self, target: &ResetTarget, pile: Pile) {
        let place = self.var(target.var).clone();
        let (dims, rest) = place.dims.split_at(target.indices.len());
        let rest = self.code.fit(elements(rest), "piles");
        let cards = cards_of(self.group_of(pile.cards));
        let (first, width) = (self.first_pile(target.var), place.width);
        let initial = self.code.constants(&place.initial);
        let (element, set) = (self.take(1).at, self.take(width));
        let (number, b) = (self.take(1).at, self.code.constant(first.into()));
        let begin = self.position(dims, &target.indices, None);
        let count = self.count(&place.dims);
        for nth in 0..rest {
            let nth = self.code.constant(nth.into());
            self.code.emit(Op::Scale { dst: element, a: begin, size: rest, b: nth });
            self.load(set, initial, element, count);
            self.code.emit(Op::Add { dst: number, a: element, b });
            self.code.emit(Op::MoveCards { set: set.at, to: number, width, told: 1, cards });
            self.code.emit(Op::Shuffle { pile: number, cards });
        }
    }
}
