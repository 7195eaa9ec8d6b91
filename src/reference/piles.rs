//! Piles: groups of cards from the bottom up, each in no known order.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::state::Tabletop;
use crate::reference::values::{ElementKey, to_index};
use crate::rules::{Domain, KindId, KindShape, Type, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardPile {
    pub(crate) kind: KindId,
    /// Whether a rule can tell its order: if not, nobody asks for it.
    pub(crate) ordered: bool,
    /// From the bottom up; none is empty.
    pub(crate) groups: Vec<BTreeSet<i64>>,
}

/// A pile: its variable and its indices, the owner first.
pub(crate) type PileKey = (usize, ElementKey);

pub(super) type PileStore = BTreeMap<PileKey, CardPile>;

impl CardPile {
    pub(super) fn new(kind: KindId, ordered: bool, cards: BTreeSet<i64>) -> CardPile {
        let mut pile = CardPile { kind, ordered, groups: Vec::new() };
        pile.insert_group(cards, false);
        pile
    }

    pub(crate) fn cards(&self) -> BTreeSet<i64> {
        self.groups.iter().flatten().copied().collect()
    }

    fn remove_cards(&mut self, cards: &BTreeSet<i64>) {
        self.groups.iter_mut().for_each(|group| group.retain(|card| !cards.contains(card)));
        self.groups.retain(|group| !group.is_empty());
    }

    /// "Cards that move as a set have no order"; one goes on top of the others, or below them.
    fn insert_group(&mut self, cards: BTreeSet<i64>, bottom: bool) {
        if cards.is_empty() {
            return;
        }
        let at = if bottom { 0 } else { self.groups.len() };
        self.groups.insert(at, cards);
    }

    /// "Nobody knows its order any more."
    pub(super) fn mix(&mut self) {
        let cards = self.cards();
        self.groups = if cards.is_empty() { Vec::new() } else { vec![cards] };
    }

    /// The position of the group that the card with so many before it is in.
    pub(super) fn group_at(&self, depth: usize, bottom: bool) -> Option<usize> {
        let mut before = 0;
        let count = self.groups.len();
        (0..count).map(|nth| if bottom { nth } else { count - 1 - nth }).find(|at| {
            before += self.groups[*at].len();
            depth < before
        })
    }

    /// Chance has decided which card of a group comes first.
    pub(super) fn split_group(&mut self, group: usize, card: i64, bottom: bool) {
        self.groups[group].remove(&card);
        let at = if bottom { group } else { group + 1 };
        self.groups.insert(at, [card].into());
        self.groups.retain(|group| !group.is_empty());
    }

    /// The first cards from one end, if it is known which they are.
    pub(super) fn end_cards(&self, count: usize, bottom: bool) -> Option<BTreeSet<i64>> {
        let mut cards = BTreeSet::new();
        let mut groups = self.groups.clone();
        while cards.len() < count && !groups.is_empty() {
            let group = if bottom { groups.remove(0) } else { groups.pop()? };
            if cards.len() + group.len() > count {
                return None;
            }
            cards.extend(group);
        }
        Some(cards)
    }
}

impl<'g> Tabletop<'g> {
    /// Takes cards from wherever they lie and puts them on one end of a pile, in no known order; whether something
    /// names them to everybody.
    pub(super) fn move_loose(
        &mut self,
        cards: &BTreeSet<i64>,
        to: &PileKey,
        bottom: bool,
        named: bool,
    ) {
        let kind = self.state.piles[to].kind;
        let sources = self.state.piles.iter().filter(|(_, pile)| pile.kind == kind);
        let sources = sources.map(|(key, pile)| (key.clone(), pile.cards()));
        let sources: Vec<(PileKey, BTreeSet<i64>)> = sources.collect();
        for (from, all) in sources {
            let leaving: BTreeSet<i64> = all.intersection(cards).copied().collect();
            if !leaving.is_empty() {
                self.leave(&from, to, &leaving, named);
                self.pile_mut(&from).remove_cards(&leaving);
            }
        }
        self.pile_mut(to).insert_group(cards.clone(), bottom);
        self.reveal_entering(to, cards);
    }

    /// Puts a whole pile on one end of another, in its order.
    pub(super) fn move_in_order(&mut self, from: &PileKey, to: &PileKey, bottom: bool) {
        if from == to {
            return;
        }
        let cards = self.state.piles[from].cards();
        let source = std::mem::take(&mut self.pile_mut(from).groups);
        let target = &mut self.pile_mut(to).groups;
        let at = if bottom { 0 } else { target.len() };
        target.splice(at..at, source);
        self.reveal_entering(to, &cards);
    }

    pub(super) fn pile_mut(&mut self, pile: &PileKey) -> &mut CardPile {
        self.state.piles.get_mut(pile).expect("every pile is on the table")
    }

    /// "All cards that started there come back, in unknown order."
    pub(super) fn call_back(&mut self, pile: &PileKey, cards: &BTreeSet<i64>) {
        self.move_loose(cards, pile, false, true);
        self.pile_mut(pile).mix();
        self.forget_pile(pile);
    }

    /// Whether two cards have one face and lie in one pile.
    pub(super) fn are_alike(&self, kind: KindId, a: i64, b: i64) -> bool {
        let home = |card: i64| {
            let mut piles = self.state.piles.iter().filter(|(_, pile)| pile.kind == kind);
            piles.find(|(_, pile)| pile.cards().contains(&card)).map(|(key, _)| key)
        };
        self.face(kind, a) == self.face(kind, b) && home(a) == home(b)
    }

    pub(super) fn face(&self, kind: KindId, card: i64) -> &'g Value {
        &self.setup.rules.kinds[kind.index()].columns[0].cells[to_index(card)]
    }

    /// Whether a set or its subsets are made of cards.
    pub(super) fn are_cards(&self, ty: &Type) -> bool {
        let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = ty else {
            return false;
        };
        matches!(self.setup.rules.kinds[kind.index()].shape, KindShape::Cards(_))
    }

    /// Of cards that read the same and lie in one pile the first.
    pub(super) fn dedupe_alike(&self, ty: &Type, cards: &BTreeSet<i64>) -> BTreeSet<i64> {
        let Type::Set(Domain::Kind(kind)) = ty else { panic!("these are cards") };
        let is_first =
            |card: &&i64| !cards.range(..**card).any(|other| self.are_alike(*kind, *other, **card));
        cards.iter().filter(is_first).copied().collect()
    }
}
