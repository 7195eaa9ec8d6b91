//! Where cards lie at the beginning, and where their piles lie in the state.

use crate::bytecode::cards::{CardsInfo, LANES, PileInfo, Visibility};
use crate::bytecode::sets;
use crate::check::rules::{
    Domain, Expr, KindId, PLAYER, Pile, Shape, Type, Value, Var, VarForm, VarId,
};
use crate::compile::layout::elements;
use crate::compile::piles::cards_of;
use crate::compile::{CompileError, Compiler};
use crate::syntax::ast;
use crate::syntax::ast::Owner;

/// The piles of one kind of cards, as the compiler knows them.
#[derive(Clone, Debug)]
pub(super) struct PileGroup {
    pub(super) cards: KindId,
    pub(super) info: CardsInfo,
    /// For each variable that is one, the number of its first pile.
    pub(super) firsts: Vec<(VarId, u16)>,
}

impl Compiler<'_> {
    /// Gives all piles their slots: sets first, then orders, then what the players know.
    pub(super) fn lay_out_piles(&mut self) {
        for (at, kind) in self.rules.kinds.iter().enumerate() {
            let Shape::Cards(_) = kind.shape else { continue };
            self.code.span = kind.span;
            let cards = KindId::at(at);
            let faces = kind.columns.first().map_or(&[][..], |column| &column.cells);
            let faces = faces.iter().map(|face| match face {
                Value::Int(face) => u16::try_from(*face).expect("a face is a member of a kind"),
                other => unreachable!("checked: the face of a card is a member, not {other:?}"),
            });
            let info = CardsInfo {
                kind: u16::try_from(at).expect("a file has few kinds"),
                faces: faces.collect(),
                base: self.code.slot_count(),
                width: self.width(&Type::Set(Domain::Kind(cards)), kind.span),
                piles: Vec::new(),
                known: None,
            };
            let mut group = PileGroup { cards, info, firsts: Vec::new() };
            for (at, var) in self.rules.vars.iter().enumerate() {
                if let VarForm::Pile(pile) = var.form
                    && pile.cards == cards
                {
                    let first = self.code.fit(group.info.piles.len(), "piles");
                    group.firsts.push((VarId::at(at), first));
                    self.add_piles(&mut group, VarId::at(at), pile);
                }
            }
            self.first_cards(&mut group);
            self.layout.piles.push(group);
        }
    }

    /// The piles of a variable; their orders get a slot later.
    fn add_piles(&mut self, group: &mut PileGroup, id: VarId, pile: Pile) {
        let var = &self.rules.vars[id.index()];
        let dims = self.dims_of(var);
        let each = if var.owner == Owner::Player { self.setting.players } else { 1 };
        let elements = elements(&dims) / each;
        let sight = match var.sight {
            ast::Visibility::All => Visibility::All,
            ast::Visibility::Owner => Visibility::Owner,
            ast::Visibility::Nobody => Visibility::Nobody,
        };
        let (id, elements) =
            (self.code.fit(id.index(), "variables"), self.code.fit(elements, "piles"));
        for owner in 0..each {
            let owner = u8::try_from(owner).expect("at most 20 can play");
            group.info.piles.extend((0..elements).map(|element| PileInfo {
                var: id,
                owner: (var.owner == Owner::Player).then_some(owner),
                element,
                sight,
                order: pile.ordered.then_some(0),
                could: None,
            }));
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
        group.info.base = self.slots_for(&sets);
        for (pile, set) in sets.chunks(width).enumerate().take(group.info.piles.len()) {
            if group.info.piles[pile].order.is_some() {
                let order = first_order(&group.info, set);
                group.info.piles[pile].order = Some(self.slots_for(&order));
            }
        }
        if group.info.piles.iter().any(|pile| pile.sight != Visibility::All) {
            let mut known = vec![0; self.setting.players * width];
            for (player, known) in known.chunks_mut(width).enumerate() {
                for (pile, set) in group.info.piles.iter().zip(sets.chunks(width)) {
                    if pile.is_seen_by(player) {
                        sets::unite(known, set);
                    }
                }
            }
            group.info.known = Some(self.slots_for(&known));
            for (pile, set) in group.info.piles.iter_mut().zip(sets.chunks(width)) {
                if pile.sight != Visibility::All {
                    pile.could = Some(self.slots_for(set));
                }
            }
        }
    }

    /// Slots of the whole game with these words at the beginning.
    fn slots_for(&mut self, words: &[i64]) -> u16 {
        let count = self.code.fit(words.len(), "words in the state");
        let at = self.code.slots(count);
        self.layout.initial.extend_from_slice(&words[..count.into()]);
        at
    }

    fn check_homes(&mut self, group: &PileGroup, piles: &[i64]) {
        let width = usize::from(group.info.width);
        let kind = &self.rules.kinds[group.cards.index()];
        let (setting, span, cards) = (self.setting_text(), kind.span, kind.name.clone());
        for (at, member) in kind.members.iter().enumerate() {
            let homes = piles.chunks(width).filter(|set| sets::bit(set, at)).count();
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
    pub(super) fn group_of(&self, cards: KindId) -> usize {
        self.group_with(cards).expect("every kind of cards has its piles")
    }

    pub(super) fn group_with(&self, cards: KindId) -> Option<usize> {
        self.layout.piles.iter().position(|group| group.cards == cards)
    }

    /// The operand that names a kind of cards and an end of a pile.
    pub(super) fn end_of(&self, pile: &Expr, bottom: bool) -> u16 {
        let Type::Pile(cards) = pile.ty else { unreachable!("checked: this is a pile") };
        cards_of(self.group_of(cards)) + u16::from(bottom)
    }

    /// The number of the first pile of a variable.
    pub(super) fn first_pile(&self, var: VarId) -> u16 {
        let firsts = self.layout.piles.iter().flat_map(|group| &group.firsts);
        let first = firsts.into_iter().find(|(of, _)| *of == var);
        first.map(|(_, first)| *first).expect("every pile was laid out")
    }

    pub(super) fn dims_of(&mut self, var: &Var) -> Vec<(i64, usize)> {
        let span = var.span;
        let owner = (var.owner == Owner::Player).then_some(Domain::Kind(PLAYER));
        let domains = owner.into_iter().chain(var.dims.iter().copied());
        domains.map(|domain| self.domain(domain, span)).collect()
    }
}

/// The order of a pile at the beginning: nobody knows it.
fn first_order(info: &CardsInfo, set: &[i64]) -> Vec<i64> {
    let mut words = vec![0; info.order_words()];
    for (at, card) in sets::members(set).enumerate() {
        words[at / LANES] |= i64::try_from(card).expect("there are at most 1024 cards")
            << (at % LANES * (64 / LANES));
        sets::set_bit(&mut words[info.lane_words()..], at, at > 0);
    }
    words
}
