//! Piles: where they lie in the state, and what is done with the cards in them.

use crate::bytecode::Op;
use crate::bytecode::cards::{CardsInfo, LANES, PileInfo, Sight};
use crate::check::rules::{
    CardDeed, Cards, Domain, Expr, ExprKind, KindId, PLAYER, Pile, PileEnd, ResetTarget, Shape,
    Type, Value, VarForm, VarId,
};
use crate::compile::chance::{Event, Outcome};
use crate::compile::code::SeenBy;
use crate::compile::layout::elements;
use crate::compile::{CompileError, Compiler, Slots};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::Owner;

/// The piles of one kind of cards, as the compiler knows them.
#[derive(Clone, Debug)]
pub(super) struct PileGroup {
    /// The kind.
    pub(super) cards: KindId,
    /// What the program tells of them.
    pub(super) info: CardsInfo,
    /// For each variable that is one, the number of its first pile.
    firsts: Vec<(VarId, u16)>,
}

impl Compiler<'_> {
    /// Gives all piles their slots: sets first, then orders, then what the players know.
    pub(super) fn lay_out_piles(&mut self) {
        let kinds = self.rules.kinds.iter().enumerate();
        for (at, kind) in kinds {
            let Shape::Cards(_) = kind.shape else { continue };
            self.code.span = kind.span;
            let mut group = self.pile_group(KindId::at(at));
            let mut firsts = Vec::new();
            for (at, var) in self.rules.vars.iter().enumerate() {
                match var.form {
                    VarForm::Pile(pile) if pile.cards == group.cards => {
                        let first = u16::try_from(group.info.piles.len()).unwrap_or(u16::MAX);
                        firsts.push((VarId::at(at), first));
                        self.add_piles(&mut group, VarId::at(at), pile);
                    }
                    _ => {}
                }
            }
            group.firsts = firsts;
            self.first_cards(&mut group);
            self.layout.piles.push(group);
        }
    }

    fn pile_group(&mut self, cards: KindId) -> PileGroup {
        let kind = &self.rules.kinds[cards.index()];
        let faces = kind.columns.first().map(|column| column.cells.as_slice()).unwrap_or_default();
        let faces = faces.iter().map(|face| match face {
            Value::Int(face) => u16::try_from(*face).unwrap_or(0),
            _ => 0,
        });
        let info = CardsInfo {
            kind: u16::try_from(cards.0).unwrap_or(0),
            faces: faces.collect(),
            base: self.code.slot_count(),
            width: self.width(&Type::Set(Domain::Kind(cards)), kind.span),
            piles: Vec::new(),
            known: None,
        };
        PileGroup { cards, info, firsts: Vec::new() }
    }

    /// The piles of a variable; their orders get a slot later.
    fn add_piles(&mut self, group: &mut PileGroup, id: VarId, pile: Pile) {
        let var = &self.rules.vars[id.index()];
        let dims = self.dims_of(var);
        let each = if var.owner == Owner::Player { self.setting.players } else { 1 };
        let elements = elements(&dims) / each;
        let sight = match var.sight {
            ast::Sight::All => Sight::All,
            ast::Sight::Owner => Sight::Owner,
            ast::Sight::Nobody => Sight::Nobody,
        };
        for owner in 0..each {
            for element in 0..elements.min(u16::MAX.into()) {
                group.info.piles.push(PileInfo {
                    var: u16::try_from(id.0).unwrap_or(0),
                    owner: (var.owner == Owner::Player).then(|| u8::try_from(owner).unwrap_or(0)),
                    element: u16::try_from(element).unwrap_or(0),
                    sight,
                    order: pile.ordered.then_some(0),
                });
            }
        }
    }

    /// Where every card is at the beginning: in exactly one pile.
    fn first_cards(&mut self, group: &mut PileGroup) {
        let mut sets: Vec<i64> = Vec::new();
        for (var, _) in &group.firsts {
            let var = &self.rules.vars[var.index()];
            let dims = self.dims_of(var);
            sets.extend(self.first_values(var, &dims));
        }
        self.check_homes(group, &sets);
        let width = usize::from(group.info.width);
        let count = group.info.piles.len();
        let base = self.slots_for(&sets);
        group.info.base = base;
        for pile in 0..count {
            if group.info.piles[pile].order.is_some() {
                let set = sets.get(pile * width..(pile + 1) * width).unwrap_or_default();
                let order = first_order(&group.info, set);
                group.info.piles[pile].order = Some(self.slots_for(&order));
            }
        }
        if group.info.piles.iter().any(|pile| pile.sight != Sight::All) {
            let mut known = vec![0; self.setting.players * width];
            for (player, known) in known.chunks_mut(width).enumerate() {
                for (pile, set) in group.info.piles.iter().zip(sets.chunks(width)) {
                    if pile.is_seen_by(player) {
                        known.iter_mut().zip(set).for_each(|(word, more)| *word |= more);
                    }
                }
            }
            group.info.known = Some(self.slots_for(&known));
        }
    }

    /// Slots of the whole game with these words at the beginning.
    fn slots_for(&mut self, words: &[i64]) -> u16 {
        let count = u16::try_from(words.len()).unwrap_or_else(|_| {
            self.code.exceed("words in the state");
            0
        });
        let at = self.code.slots(count);
        self.layout.initial.extend_from_slice(&words[..count.into()]);
        at
    }

    fn check_homes(&mut self, group: &PileGroup, sets: &[i64]) {
        let width = usize::from(group.info.width);
        let kind = &self.rules.kinds[group.cards.index()];
        let (setting, span, cards) = (self.setting_text(), kind.span, kind.name.clone());
        for (at, member) in kind.members.iter().enumerate() {
            let holds = |set: &[i64]| set[at / 64] >> (at % 64) & 1 == 1;
            let homes = sets.chunks(width).filter(|set| holds(set)).count();
            let card = member.name.clone();
            if homes != 1 {
                return self.errors.push(match homes {
                    0 => CompileError::NoHome { card, cards, setting, span },
                    _ => CompileError::TwoHomes { card, setting, span },
                });
            }
        }
    }

    /// The piles of a kind, by position in the program.
    fn group_of(&self, cards: KindId) -> usize {
        let found = self.layout.piles.iter().position(|group| group.cards == cards);
        found.expect("every kind of cards has its piles")
    }

    /// The operand that names a kind of cards and an end of a pile.
    fn end_of(&self, pile: &Expr, bottom: bool) -> u16 {
        let Type::Pile(cards) = pile.ty else { unreachable!("checked: this is a pile") };
        u16::try_from(2 * self.group_of(cards)).unwrap_or(0) + u16::from(bottom)
    }

    /// The number of the first pile of a variable.
    fn first_pile(&self, var: VarId) -> u16 {
        let firsts = self.layout.piles.iter().flat_map(|group| &group.firsts);
        let first = firsts.into_iter().find(|(of, _)| *of == var);
        first.map(|(_, first)| *first).expect("every pile was laid out")
    }

    /// The first slot of the set of the first pile of a variable.
    pub(super) fn pile_base(&self, id: VarId, cards: KindId) -> u16 {
        let info = &self.layout.piles[self.group_of(cards)].info;
        info.base + self.first_pile(id) * info.width
    }

    /// The number of a pile that is given by reference.
    pub(super) fn pile_number(&mut self, var: VarId, indices: &[Expr]) -> u16 {
        let first = self.first_pile(var);
        let dims = self.var(var).dims.clone();
        if let Some(at) = self.fixed(&dims, indices) {
            return self.code.constant((first + at).into());
        }
        let index = self.position(&dims, indices);
        let count = u16::try_from(elements(&dims)).unwrap_or(u16::MAX);
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
        self.load(dst, base, index, count);
    }

    /// `top of PILE`, `top n of PILE` as a value.
    pub(super) fn pile_end(&mut self, end: &PileEnd, dst: Slots) {
        let cards = self.end_of(&end.pile, end.bottom);
        let pile = self.word(&end.pile);
        let count = end.count.as_ref().map(|count| self.kept_word(count));
        if end.draws {
            let count = count.unwrap_or_else(|| self.code.constant(1));
            self.settle(end, pile, count, None);
        }
        self.code.emit(match count {
            None => Op::EndCard { dst: dst.at, pile, cards },
            Some(count) => Op::EndCards { dst: dst.at, pile, count, width: dst.width, cards },
        });
    }

    fn kept_word(&mut self, expr: &Expr) -> u16 {
        let kept = self.take(1);
        self.compute(expr, kept);
        kept.at
    }

    /// Lets chance decide the first cards of a pile, as far as they are not known.
    fn settle(&mut self, end: &PileEnd, pile: u16, count: u16, seen: Option<SeenBy>) {
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
    fn settle_one(&mut self, end: &PileEnd, pile: u16, depth: u16, seen: Option<SeenBy>) {
        let mark = self.mark();
        let Type::Pile(kind) = end.pile.ty else { unreachable!("checked: this is a pile") };
        let cards = self.end_of(&end.pile, end.bottom);
        let (outcomes, one, known) = (self.take(1).at, self.code.constant(1), self.code.label());
        self.code.emit(Op::Choices { dst: outcomes, pile, depth, cards });
        self.code.emit(Op::JumpAtMost { a: outcomes, b: one, to: known });
        let card = self.take(1);
        self.code.seen_by = seen;
        let outcome = Outcome::Card([pile, depth], cards);
        self.draw(outcomes, &outcome, (Event::Card(pile, cards), Type::Kind(kind)), card);
        self.code.emit(Op::Settle { pile, depth, card: card.at, cards });
        self.code.place(known);
        self.release(mark);
    }

    /// `move …`, `shuffle …`, `look at …`, `show …`, `reveal …`
    pub(super) fn card_deed(&mut self, deed: &CardDeed) {
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
                let (card, to) = (self.word(card), self.word(pile));
                self.code.emit(Op::MoveCard { card, to, cards });
            }
            Cards::Set(set) => {
                let (Slots { at: set, width }, to) = (self.operand(set), self.word(pile));
                self.code.emit(Op::MoveCards { set, to, width, cards });
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
        let seen = self.seen_in(to);
        let to = self.word(to);
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        let (card, of) = (self.take(1).at, self.end_of(&end.pile, end.bottom));
        let Some(left) = count else {
            self.settle_one(end, from, zero, seen);
            self.code.emit(Op::EndCard { dst: card, pile: from, cards: of });
            return self.code.emit(Op::MoveCard { card, to, cards });
        };
        let (again, exit, none) = (self.code.here(), self.code.label(), self.none());
        self.code.emit(Op::JumpAtMost { a: left, b: zero, to: exit });
        self.settle_one(end, from, zero, seen);
        self.code.emit(Op::EndCard { dst: card, pile: from, cards: of });
        self.code.emit(Op::JumpEqual { a: card, b: none, to: exit });
        self.code.emit(Op::MoveCard { card, to, cards });
        self.code.emit(Op::Subtract { dst: left, a: left, b: one });
        self.code.emit(Op::Again { to: again });
        self.code.place(exit);
    }

    /// Who sees a card that comes to a pile, if not everybody does.
    fn seen_in(&mut self, pile: &Expr) -> Option<SeenBy> {
        let ExprKind::Pile(var, indices) = &pile.kind else { return Some(SeenBy(None)) };
        match self.rules.vars[var.index()].sight {
            ast::Sight::All => None,
            ast::Sight::Nobody => Some(SeenBy(None)),
            ast::Sight::Owner => {
                let owner = indices.first().map(|owner| self.kept_word(owner));
                Some(SeenBy(owner))
            }
        }
    }

    fn learn_cards(&mut self, what: &Cards, by: Option<&Expr>) {
        let all = Type::Set(Domain::Kind(PLAYER));
        let by = match by {
            Some(by) => self.operand(by),
            None => {
                let seats = i64::try_from(self.setting.players).unwrap_or(0);
                let words = self.words_of(&Value::Set((0..seats).collect()), &all, self.code.span);
                Slots { at: self.code.constants(&words), width: 1 }
            }
        };
        let (Slots { at: set, width }, cards) = match what {
            Cards::Set(set) => (self.operand(set), self.cards_in(&set.ty)),
            Cards::One(card) => {
                let width = self.set_width(&card.ty);
                let (set, member) = (self.take(width), self.word(card));
                self.code.emit(Op::Clear { set: set.at, width });
                self.code.emit(Op::Insert { set: set.at, member, width });
                (set, self.cards_in(&card.ty))
            }
            Cards::Pile(pile) => {
                let width = self.set_width(&pile.ty);
                let set = self.take(width);
                self.pile_cards(pile, set);
                (set, self.cards_in(&pile.ty))
            }
            Cards::End(end) => {
                let width = self.set_width(&end.pile.ty);
                let set = self.take(width);
                let one = Expr {
                    kind: ExprKind::Value(Value::Int(1)),
                    ty: Type::Number,
                    span: end.pile.span,
                };
                let count = Some(end.count.clone().unwrap_or(one));
                self.pile_end(&PileEnd { count, ..end.clone() }, set);
                (set, self.cards_in(&end.pile.ty))
            }
        };
        self.code.emit(Op::Learn { set, players: by.at, width, cards });
    }

    fn kind_in(ty: &Type) -> KindId {
        match ty {
            Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => *kind,
            Type::Maybe(inner) => Self::kind_in(inner),
            _ => unreachable!("checked: these are cards"),
        }
    }

    fn set_width(&self, ty: &Type) -> u16 {
        self.layout.piles[self.group_of(Self::kind_in(ty))].info.width
    }

    pub(super) fn cards_in(&self, ty: &Type) -> u16 {
        u16::try_from(2 * self.group_of(Self::kind_in(ty))).unwrap_or(0)
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
        let given = target.indices.len();
        let rest = u16::try_from(elements(&place.dims[given..])).unwrap_or(0);
        let cards = u16::try_from(2 * self.group_of(pile.cards)).unwrap_or(0);
        let (first, width) = (self.first_pile(target.var), place.width);
        let initial = self.code.constants(&place.initial);
        let (element, set) = (self.take(1).at, self.take(width));
        let (number, b) = (self.take(1).at, self.code.constant(first.into()));
        let begin = if given == 0 {
            self.code.constant(0)
        } else {
            self.position(&place.dims[..given], &target.indices)
        };
        for nth in 0..rest {
            let nth = self.code.constant(nth.into());
            self.code.emit(Op::Scale { dst: element, a: begin, size: rest, b: nth });
            self.load(set, initial, element, place.count());
            self.code.emit(Op::Add { dst: number, a: element, b });
            self.code.emit(Op::MoveCards { set: set.at, to: number, width, cards });
            self.code.emit(Op::Shuffle { pile: number, cards });
        }
    }

    pub(super) fn dims_of(&mut self, var: &crate::check::rules::Var) -> Vec<(i64, usize)> {
        let span: Span = var.span;
        let owner = (var.owner == Owner::Player).then_some(Domain::Kind(PLAYER));
        let domains = owner.into_iter().chain(var.dims.iter().copied());
        domains.map(|domain| self.domain(domain, span)).collect()
    }
}

/// The order of a pile at the beginning: nobody knows it.
fn first_order(info: &CardsInfo, set: &[i64]) -> Vec<i64> {
    let mut words = vec![0; info.order_words()];
    let held = |card: &usize| set.get(card / 64).is_some_and(|word| word >> (card % 64) & 1 == 1);
    let cards = (0..info.faces.len()).filter(held);
    for (at, card) in cards.enumerate() {
        words[at / LANES] |= i64::try_from(card).unwrap_or(0) << (at % LANES * (64 / LANES));
        if at > 0 {
            words[info.lane_words() + at / 64] |= 1 << (at % 64);
        }
    }
    words
}
