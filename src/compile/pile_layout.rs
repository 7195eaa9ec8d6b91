//! Where cards lie at the beginning, and where their piles lie in the state.

use crate::bytecode::cards::{CardsInfo, LANES, PileInfo, Visibility};
use crate::check::rules::{
    Domain, Expr, KindId, PLAYER, Pile, Shape, Type, Value, Var, VarForm, VarId,
};
use crate::compile::layout::elements;
use crate::compile::{CompileError, Compiler};
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
    pub(super) firsts: Vec<(VarId, u16)>,
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
            ast::Visibility::All => Visibility::All,
            ast::Visibility::Owner => Visibility::Owner,
            ast::Visibility::Nobody => Visibility::Nobody,
        };
        for owner in 0..each {
            for element in 0..elements.min(u16::MAX.into()) {
                group.info.piles.push(PileInfo {
                    var: u16::try_from(id.0).unwrap_or(0),
                    owner: (var.owner == Owner::Player).then(|| u8::try_from(owner).unwrap_or(0)),
                    element: u16::try_from(element).unwrap_or(0),
                    sight,
                    order: pile.ordered.then_some(0),
                    could: None,
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
        if group.info.piles.iter().any(|pile| pile.sight != Visibility::All) {
            let mut known = vec![0; self.setting.players * width];
            for (player, known) in known.chunks_mut(width).enumerate() {
                for (pile, set) in group.info.piles.iter().zip(sets.chunks(width)) {
                    if pile.is_seen_by(player) {
                        known.iter_mut().zip(set).for_each(|(word, more)| *word |= more);
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
    pub(super) fn group_of(&self, cards: KindId) -> usize {
        let found = self.layout.piles.iter().position(|group| group.cards == cards);
        found.expect("every kind of cards has its piles")
    }

    /// The operand that names a kind of cards and an end of a pile.
    pub(super) fn end_of(&self, pile: &Expr, bottom: bool) -> u16 {
        let Type::Pile(cards) = pile.ty else { unreachable!("checked: this is a pile") };
        u16::try_from(2 * self.group_of(cards)).unwrap_or(0) + u16::from(bottom)
    }

    /// The number of the first pile of a variable.
    pub(super) fn first_pile(&self, var: VarId) -> u16 {
        let firsts = self.layout.piles.iter().flat_map(|group| &group.firsts);
        let first = firsts.into_iter().find(|(of, _)| *of == var);
        first.map(|(_, first)| *first).expect("every pile was laid out")
    }

    /// The first slot of the set of the first pile of a variable.
    pub(super) fn pile_base(&self, id: VarId, cards: KindId) -> u16 {
        let info = &self.layout.piles[self.group_of(cards)].info;
        info.base + self.first_pile(id) * info.width
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
