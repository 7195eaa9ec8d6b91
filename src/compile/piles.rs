//! Compiles statements about cards and secrets: moving, shuffling, drawing, showing.
//!
//! A hidden variable has sets of the players who know each element; changing it empties them.

use crate::bytecode::{NONE, Op, SecretVar, Shown, ValueDomain, ValueShape, Witness};
use crate::compile::chance::{DrawText, OutcomeValue};
use crate::compile::code::CodeLabel;
use crate::compile::layout::{VarLayout, elements};
use crate::compile::places::{AssignTarget, var_element};
use crate::compile::set_predicates::checked;
use crate::compile::{Compiler, Pass, SlotRange};
use crate::rules::{
    Array, BinaryOp, CardAction, CardSource, Domain, Expr, ExprKind, Faces, PLAYER, Pile, PileEnd,
    ResetTarget, SetOp, Stmt, StmtKind, Type, UnaryOp, Value, Var, VarForm, VarId,
};
use crate::syntax::ast::{Owner, Visibility};

/// The operand that names a kind of cards, by the position of its piles, and the top of a pile.
pub(super) fn cards_of(group: usize) -> u16 {
    u16::try_from(2 * group).expect("a file has few kinds of cards")
}

impl Compiler<'_> {
    pub(super) fn pile_number(&mut self, var: VarId, indices: &[Expr]) -> u16 {
        let (first, place) = (self.first_pile(var), self.var(var));
        if let Some(at) = self.fixed(&place.dims, indices) {
            return self.code.constant((first + at).into());
        }
        let index = self.position(&place.dims, indices, (None, false));
        let dst = self.take(1).at;
        let mut a = index;
        if !indices.iter().all(checked) {
            let (low, count) = (self.code.constant(0), self.count(&place.dims));
            self.code.emit(Op::Index { dst, a, low, count });
            a = dst;
        }
        let b = self.code.constant(first.into());
        self.code.emit(Op::Add { dst, a, b });
        dst
    }

    pub(super) fn pile_cards(&mut self, pile: &Expr, dst: SlotRange) {
        let index = self.word(pile);
        let info = self.cards_info(&pile.ty);
        let (base, count) = (info.base, info.piles.len());
        let count = self.code.fit(count, "piles");
        self.load(dst, base, index, count);
    }

    /// `top of PILE`, `top n of PILE` as a value, with who sees what chance decides.
    pub(super) fn pile_end(&mut self, end: &PileEnd, dst: SlotRange, seen: Option<Witness>) {
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
        let (cards, known) = (self.end_of(&end.pile, end.bottom), self.code.label());
        let card = self.take(1);
        let seen = self.draw_card(end, [pile, depth], card, seen, known);
        self.code.emit(Op::Settle { pile, depth, card: card.at, seen, cards });
        self.code.place(known);
        self.release(mark);
    }

    /// Draws one of the cards that the one with `depth` others before it could be, or jumps where it is known.
    /// Returns who sees it.
    fn draw_card(
        &mut self,
        end: &PileEnd,
        [pile, depth]: [u16; 2],
        card: SlotRange,
        seen: Option<Witness>,
        known: CodeLabel,
    ) -> u16 {
        let Type::Pile(kind) = end.pile.ty else { unreachable!("checked: this is a pile") };
        let cards = self.end_of(&end.pile, end.bottom);
        let (outcomes, one) = (self.take(1).at, self.code.constant(1));
        self.code.emit(Op::Choices { dst: outcomes, pile, depth, cards });
        self.code.emit(Op::JumpAtMost { a: outcomes, b: one, to: known });
        self.code.seen_by = seen;
        let seen = self.seers(seen);
        let outcome = OutcomeValue::Card([pile, depth], cards);
        self.draw(outcomes, &outcome, DrawText::Card(pile, cards), Type::Kind(kind), card);
        seen
    }

    /// `move …`, `shuffle …`, `look at …`, `show …`, `reveal …`
    pub(super) fn card_action(&mut self, action: &CardAction) {
        match action {
            CardAction::Move { what, to, bottom } => self.move_cards(what, to, *bottom),
            CardAction::Shuffle(pile) => {
                let (cards, pile) = (self.end_of(pile, false), self.word(pile));
                self.code.emit(Op::Shuffle { pile, cards });
            }
            CardAction::Learn { what, by } => self.learn_cards(what, by.as_ref()),
        }
    }

    fn move_cards(&mut self, what: &CardSource, pile: &Expr, bottom: bool) {
        let cards = self.end_of(pile, bottom);
        match what {
            CardSource::One(card) => {
                let announced = self.is_announced(card);
                let (card, to) = (self.word(card), self.word(pile));
                self.code.emit(Op::MoveCard { card, to, announced, cards });
            }
            CardSource::Set(set) => {
                let announced = self.is_announced(set);
                let (SlotRange { at: set, width }, to) = (self.operand(set), self.word(pile));
                self.code.emit(Op::MoveCards { set, to, width, announced, cards });
            }
            CardSource::Pile(from) => {
                let (from, to) = (self.word(from), self.word(pile));
                self.code.emit(Op::MovePile { pile: from, to, cards });
            }
            CardSource::End(end) => self.move_end(end, pile, cards),
        }
    }

    /// Moves cards from the end of a pile, one after the other, as many as there are.
    fn move_end(&mut self, end: &PileEnd, to: &Expr, cards: u16) {
        let from = self.word(&end.pile);
        let count = end.count.as_ref().map(|count| self.kept_word(count));
        let seen = self.seen_in_either(&end.pile, to);
        let to = self.word(to);
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        let [left, card] = [self.take(1).at, self.take(1).at];
        self.code.emit(Op::Move { dst: left, src: count.unwrap_or(one) });
        let (again, exit) = (self.code.here(), self.code.label());
        self.code.emit(if end.bottom || !self.tries(Pass::Deals) {
            Op::JumpAtMost { a: left, b: zero, to: exit }
        } else {
            self.fires(Pass::Deals);
            Op::Deal { pile: from, to, left, cards, exit }
        });
        self.draw_end(end, from, card, seen, count.map(|_| exit));
        self.code.emit(Op::MoveCard { card, to, announced: 1, cards });
        if count.is_some() {
            self.code.emit(Op::Subtract { dst: left, a: left, b: one });
            self.code.emit(Op::Again { to: again });
        }
        self.code.place(exit);
    }

    /// The card at the end of a pile, which is about to leave it; chance decides which one it is, if that is not
    /// known. Goes on at `empty` where there is none, if that is a label.
    fn draw_end(
        &mut self,
        end: &PileEnd,
        pile: u16,
        card: u16,
        seen: Option<Witness>,
        empty: Option<CodeLabel>,
    ) {
        let mark = self.mark();
        let (cards, depth) = (self.end_of(&end.pile, end.bottom), self.code.constant(0));
        let [known, drawn] = self.code.labels();
        let seen =
            self.draw_card(end, [pile, depth], SlotRange { at: card, width: 1 }, seen, known);
        self.code.emit(Op::LoseSight { pile, depth, seen, cards });
        self.code.emit(Op::Jump { to: drawn });
        self.code.place(known);
        self.code.emit(Op::EndCard { dst: card, pile, cards });
        if let Some(empty) = empty {
            let none = self.none();
            self.code.emit(Op::JumpEqual { a: card, b: none, to: empty });
        }
        self.code.place(drawn);
        self.release(mark);
    }

    /// The operand that names a kind of cards and an end of a pile.
    fn end_of(&self, pile: &Expr, bottom: bool) -> u16 {
        self.cards_in(&pile.ty) + u16::from(bottom)
    }

    /// Of cards that read the same only one for each pile.
    pub(super) fn distinct(&mut self, set: &Expr, dst: SlotRange) {
        let together = self.lie_together(set).into();
        let (cards, set) = (self.cards_in(&set.ty), self.operand(set));
        let SlotRange { at: dst, width } = dst;
        self.code.emit(Op::Distinct { dst, set: set.at, width, together, cards });
    }

    /// Whether all of these cards surely lie in one pile.
    fn lie_together(&self, cards: &Expr) -> bool {
        match &cards.kind {
            ExprKind::Element(Array::Var(var), _) => {
                matches!(self.rules.vars[var.index()].form, VarForm::Pile(_))
            }
            ExprKind::Unary(UnaryOp::PileCards, _) => true,
            ExprKind::Filter(binder) => self.lie_together(&binder.set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => {
                self.lie_together(a) || self.lie_together(b)
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), a, _) => self.lie_together(a),
            _ => false,
        }
    }

    /// `reset PILE`: all cards that started there come back, in no known order.
    pub(super) fn call_back(&mut self, target: &ResetTarget, pile: Pile) {
        let place = self.var(target.var);
        let (dims, rest) = place.dims.split_at(target.indices.len());
        let rest = self.code.fit(elements(rest), "piles");
        let cards = self.cards_in(&Type::Pile(pile.cards));
        let (first, width) = (self.first_pile(target.var), place.width);
        let initial = self.code.constants(&place.initial);
        let (element, set) = (self.take(1).at, self.take(width));
        let (number, b) = (self.take(1).at, self.code.constant(first.into()));
        let begin = self.position(dims, &target.indices, (None, false));
        let count = self.count(&place.dims);
        for nth in 0..rest {
            let nth = self.code.constant(nth.into());
            self.code.emit(Op::Scale { dst: element, a: begin, size: rest, b: nth });
            self.load(set, initial, element, count);
            self.code.emit(Op::Add { dst: number, a: element, b });
            self.code.emit(Op::MoveCards { set: set.at, to: number, width, announced: 1, cards });
            self.code.emit(Op::Shuffle { pile: number, cards });
        }
    }

    /// Gives a variable that not all see room for who knows it.
    pub(super) fn lay_out_knowledge(&mut self, var: &Var, place: &mut VarLayout) {
        if var.sight == Visibility::All {
            return;
        }
        // At most 20 can play: a set of players is one word.
        let words = self.code.fit(place.count(), "words in the state");
        place.known = Some(self.code.slots(words));
        self.layout.initial.extend(vec![0; words.into()]);
    }

    pub(super) fn secret(&mut self, var: &Var, place: &VarLayout) -> Option<SecretVar> {
        Some(SecretVar {
            owner_sees: var.sight == Visibility::Owner && var.owner == Owner::Player,
            known: place.known?,
            known_width: 1,
            values: self.values(var),
        })
    }

    fn values(&mut self, var: &Var) -> ValueDomain {
        if let VarForm::Die(Faces::List(faces)) = &var.form {
            let faces = faces.iter().flat_map(|face| self.words_of(face, &var.ty, var.span));
            return ValueDomain::Faces(faces.collect());
        }
        let (ty, or_none) = match &var.ty {
            Type::Maybe(inner) => (inner.as_ref(), true),
            ty => (ty, false),
        };
        match (ty, var.range) {
            (Type::Set(domain), _) => ValueDomain::Subsets(self.positions(*domain, var)),
            (Type::Number, Some(range)) => {
                let (low, high) = self.ranges[range.index()];
                let high = high.expect("checked: hidden numbers have a last");
                ValueDomain::Between { low, high, or_none }
            }
            (Type::Kind(kind), _) => {
                let members = self.positions(Domain::Kind(*kind), var).into_iter();
                let members = members.map(|at| i64::try_from(at).expect("a kind has few members"));
                ValueDomain::Faces(or_none.then_some(NONE).into_iter().chain(members).collect())
            }
            _ => ValueDomain::Between { low: 0, high: 1, or_none },
        }
    }

    fn positions(&mut self, domain: Domain, var: &Var) -> Vec<usize> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => self.rules.kinds[kind.index()].own_members(),
            domain => (0..self.domain(domain, var.span).1).collect(),
        }
    }

    /// `reveal PLACE, …`, `show PLACE, … to p`
    pub(super) fn show(&mut self, targets: &[ResetTarget], to: Option<&Expr>) {
        let to = to.map(|to| self.word(to));
        for target in targets {
            let mark = self.mark();
            self.say_values(target, to);
            self.learn(target, &|compiler, set| match to {
                Some(member) => compiler.code.emit(Op::Insert { set, member, width: 1 }),
                None => {
                    let at = compiler.everybody();
                    compiler.copy(set, SlotRange { at, width: 1 });
                }
            });
            self.release(mark);
        }
    }

    /// Nobody knows any more what a statement is about to change.
    pub(super) fn forget_changed(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Change { place, .. } | StmtKind::Coin { place, .. } => self.forget(place),
            StmtKind::Swap(a, b) => [a, b].into_iter().for_each(|place| self.forget(place)),
            _ => {}
        }
    }

    /// Nobody knows any more what a place holds.
    pub(super) fn forget(&mut self, place: &Expr) {
        if let Some((var, indices)) = var_element(place) {
            self.unlearn(&ResetTarget { var, indices: indices.to_vec() });
        }
    }

    /// Nobody knows any more what the elements hold that are about to be set back.
    pub(super) fn unlearn(&mut self, target: &ResetTarget) {
        let mark = self.mark();
        self.learn(target, &|compiler, set| compiler.code.emit(Op::Clear { set, width: 1 }));
        self.release(mark);
    }

    /// Changes the sets of those who know the elements of a target.
    fn learn(&mut self, target: &ResetTarget, change: &dyn Fn(&mut Self, u16)) {
        let place = self.var(target.var);
        let Some(known) = place.known else { return };
        let (dims, rest) = place.dims.split_at(target.indices.len());
        let rest = self.code.fit(elements(rest), "elements");
        let element = self.element(known, rest, dims, &target.indices);
        let sets = self.load_from(element, None);
        (0..rest).for_each(|nth| change(self, sets.at + nth));
        self.store(AssignTarget::Plain(element), sets);
    }

    /// Whether only some see the next draw, since it goes into a place that only they see.
    pub(super) fn draw_into(&mut self, place: &Expr) {
        if let Some((var, indices)) = var_element(place)
            && self.rules.vars[var.index()].sight != Visibility::All
        {
            self.code.seen_by = self.sees(var, indices);
        }
    }

    /// Who sees what comes to a pile, if not all do.
    pub(super) fn seen_in(&mut self, pile: &Expr) -> Option<Witness> {
        let ExprKind::Element(Array::Pile(var), indices) = &pile.kind else {
            return self.seen_by_number(pile);
        };
        self.sees(*var, indices)
    }

    /// Who sees a pile that is given by reference: its number leads to a set of players.
    fn seen_by_number(&mut self, pile: &Expr) -> Option<Witness> {
        let players = 0..self.setting.players;
        let seers = self.cards_info(&pile.ty).piles.iter().map(|info| {
            let see = players.clone().filter(|player| info.is_seen_by(*player));
            see.fold(0_i64, |all, player| all | 1 << player)
        });
        let seers: Vec<i64> = seers.collect();
        if seers.iter().all(|seers| *seers == (1 << self.setting.players) - 1) {
            return None;
        }
        let (index, base) = (self.word(pile), self.code.constants(&seers));
        let (dst, count) = (self.take(1), self.code.fit(seers.len(), "piles"));
        self.load(dst, base, index, count);
        Some(Witness::Players(dst.at))
    }

    /// Who sees a card that goes from one pile to another: those who see either of them.
    fn seen_in_either(&mut self, from: &Expr, to: &Expr) -> Option<Witness> {
        match (self.seen_in(from)?, self.seen_in(to)?) {
            (Witness::Nobody, seen) | (seen, Witness::Nobody) => Some(seen),
            (from, to) => {
                let (a, b) = (self.seers(Some(from)), self.seers(Some(to)));
                let dst = self.take(1).at;
                self.code.emit(Op::Union { dst, a, b, width: 1 });
                Some(Witness::Players(dst))
            }
        }
    }

    /// Who sees an element of a variable, if not all do.
    fn sees(&mut self, var: VarId, indices: &[Expr]) -> Option<Witness> {
        Some(match (self.rules.vars[var.index()].sight, indices.first()) {
            (Visibility::All, _) => return None,
            (Visibility::Owner, Some(owner)) => Witness::Player(self.kept_word(owner)),
            (Visibility::Owner | Visibility::Nobody, _) => Witness::Nobody,
        })
    }

    /// The slot of a set of players: those who see something.
    pub(super) fn seers(&mut self, seen: Option<Witness>) -> u16 {
        match seen {
            None => self.everybody(),
            Some(Witness::Nobody) => self.code.constant(0),
            Some(Witness::Players(set)) => set,
            Some(Witness::Player(member)) => {
                let set = self.take(1);
                self.only(set, member)
            }
        }
    }

    pub(super) fn everybody(&mut self) -> u16 {
        self.code.constant((1 << self.setting.players) - 1)
    }

    /// Whether all can tell which cards are moved, if they know what lies in their pile.
    pub(super) fn is_announced(&self, cards: &Expr) -> u16 {
        u16::from(!self.rules.quiet.contains(&cards.span))
    }

    /// A move is announced to all with its cards, but for those that it hides: now they know them.
    pub(super) fn announce(&mut self, option: u16) {
        let info = &self.code.options[usize::from(option)];
        let shown = info.shown.iter().enumerate().filter(|(at, _)| !info.unseen.contains(at));
        let shown: Vec<Shown> = shown.map(|(_, shown)| *shown).collect();
        for Shown { slot, format, .. } in shown {
            let (kind, several) = match self.code.formats[usize::from(format)].shape {
                ValueShape::Member(kind) => (kind, false),
                ValueShape::Members(kind) => (kind, true),
                _ => continue,
            };
            let mut piles = self.layout.piles.iter();
            let found = piles.position(|info| info.kind == kind && info.known.is_some());
            let Some(group) = found else { continue };
            let width = self.layout.piles[group].width;
            let (mut set, players) = (slot, self.everybody());
            if !several {
                let one = self.take(width);
                set = self.only(one, slot);
            }
            self.code.emit(Op::Learn { set, players, width, cards: cards_of(group) });
        }
    }

    fn only(&mut self, SlotRange { at: set, width }: SlotRange, member: u16) -> u16 {
        self.code.emit(Op::Clear { set, width });
        self.code.emit(Op::Insert { set, member, width });
        set
    }

    /// `show …`, `reveal …`, `look at …`: some, or all, know cards from here on.
    pub(super) fn learn_cards(&mut self, what: &CardSource, by: Option<&Expr>) {
        let readers = by.map(|by| self.word(by));
        let by = readers.unwrap_or_else(|| self.everybody());
        let (CardSource::Set(of)
        | CardSource::One(of)
        | CardSource::Pile(of)
        | CardSource::End(PileEnd { pile: of, .. })) = what;
        let (width, cards) = (self.cards_info(&of.ty).width, self.cards_in(&of.ty));
        let set = match what {
            CardSource::Set(set) => self.word(set),
            CardSource::One(card) => {
                let (set, member) = (self.take(width), self.word(card));
                self.only(set, member)
            }
            CardSource::Pile(pile) => {
                let set = self.take(width);
                self.pile_cards(pile, set);
                set.at
            }
            CardSource::End(end) => {
                let set = self.take(width);
                let (kind, span) = (ExprKind::Value(Value::Int(1)), end.pile.span);
                let one = Expr { kind, ty: Type::Number, span };
                let count = Some(end.count.clone().unwrap_or(one));
                let seen = self.seen_in(&end.pile).map(|_| Witness::Players(by));
                self.pile_end(&PileEnd { count, ..end.clone() }, set, seen);
                set.at
            }
        };
        self.say_cards(what, of, SlotRange { at: set, width }, readers);
        self.code.emit(Op::Learn { set, players: by, width, cards });
    }
}
