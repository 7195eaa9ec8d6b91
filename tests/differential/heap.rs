//! Piles: groups of cards from the bottom up, each in no known order.

use std::collections::{BTreeMap, BTreeSet};

use astragal::check::rules::KindId;

use super::value::Key;

/// The cards of one pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heap {
    pub(super) kind: KindId,
    /// Whether the file ever asks for its top or bottom.
    pub(super) ordered: bool,
    /// From the bottom up; none is empty.
    pub(super) groups: Vec<BTreeSet<i64>>,
}

/// All piles, by variable and indices.
pub(super) type Heaps = BTreeMap<(usize, Key), Heap>;

impl Heap {
    pub(super) fn new(kind: KindId, ordered: bool, cards: BTreeSet<i64>) -> Heap {
        let mut heap = Heap { kind, ordered, groups: Vec::new() };
        heap.put(cards, false);
        heap
    }

    pub(super) fn cards(&self) -> BTreeSet<i64> {
        self.groups.iter().flatten().copied().collect()
    }

    fn take_out(&mut self, cards: &BTreeSet<i64>) {
        self.groups.iter_mut().for_each(|group| group.retain(|card| !cards.contains(card)));
        self.groups.retain(|group| !group.is_empty());
    }

    fn put(&mut self, cards: BTreeSet<i64>, bottom: bool) {
        if cards.is_empty() {
            return;
        }
        let at = if bottom { 0 } else { self.groups.len() };
        self.groups.insert(at, cards);
        if !self.ordered {
            self.shuffle();
        }
    }

    /// Nobody knows its order any more.
    pub(super) fn shuffle(&mut self) {
        let cards = self.cards();
        self.groups = if cards.is_empty() { Vec::new() } else { vec![cards] };
    }

    /// The group that the card with so many before it is of, by position.
    pub(super) fn group(&self, depth: usize, bottom: bool) -> Option<usize> {
        let mut before = 0;
        let count = self.groups.len();
        (0..count).map(|nth| if bottom { nth } else { count - 1 - nth }).find(|at| {
            before += self.groups[*at].len();
            depth < before
        })
    }

    /// Chance has decided which card of a group comes first.
    pub(super) fn run_to_decision(&mut self, group: usize, card: i64, bottom: bool) {
        self.groups[group].remove(&card);
        let at = if bottom { group } else { group + 1 };
        self.groups.insert(at, [card].into());
        self.groups.retain(|group| !group.is_empty());
    }

    /// The first cards from one end, if it is known which they are.
    pub(super) fn end(&self, count: usize, bottom: bool) -> Option<BTreeSet<i64>> {
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

/// Takes cards from wherever they lie and puts them on one end of a pile, in no known order.
pub(super) fn gather(heaps: &mut Heaps, cards: &BTreeSet<i64>, to: &(usize, Key), bottom: bool) {
    let kind = heaps[to].kind;
    let alike = heaps.values_mut().filter(|heap| heap.kind == kind);
    alike.for_each(|heap| heap.take_out(cards));
    heaps.get_mut(to).expect("it was just looked at").put(cards.clone(), bottom);
}

/// Puts a whole pile on one end of another, in its order.
pub(super) fn stack(heaps: &mut Heaps, from: &(usize, Key), to: &(usize, Key), bottom: bool) {
    if from == to {
        return;
    }
    if !heaps[from].ordered || !heaps[to].ordered {
        let cards = heaps[from].cards();
        return gather(heaps, &cards, to, bottom);
    }
    let source = std::mem::take(&mut heaps.get_mut(from).expect("it is there").groups);
    let target = &mut heaps.get_mut(to).expect("it is there").groups;
    let at = if bottom { 0 } else { target.len() };
    target.splice(at..at, source);
}
