//! Secrets and knowledge: who sees what lies on the table, and which cards each player knows to lie where.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::piles::PileKey;
use crate::reference::state::Tabletop;
use crate::reference::values::{Datum, ElementKey, to_number};
use crate::rules::{Domain, Expr, KindId, Type};
use crate::syntax::ast::{Owner, Visibility};

/// What the players know beyond what the declarations let them see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// The players who were shown what an element of a secret variable holds now.
    pub(crate) shown: BTreeMap<(usize, ElementKey), BTreeSet<i64>>,
    /// The cards of each kind that a player knows to lie where they lie.
    pub(crate) cards: BTreeMap<(KindId, i64), BTreeSet<i64>>,
}

/// All seats, counted from 0.
pub(super) fn all_seats(players: usize) -> Vec<i64> {
    (0..to_number(players)).collect()
}

impl Tabletop<'_> {
    pub(super) fn everybody(&self) -> BTreeSet<i64> {
        all_seats(self.player_count()).into_iter().collect()
    }

    /// "`seen by owner` means that only the player who has it sees it"; `seen by others` all but this player;
    /// "`hidden` means that nobody does."
    pub(super) fn seers(&self, (var, key): (usize, &[i64])) -> BTreeSet<i64> {
        match self.setup.rules.vars[var].sight {
            Visibility::All => self.everybody(),
            Visibility::Owner => key.first().copied().into_iter().collect(),
            Visibility::Others => {
                let mut others = self.everybody();
                key.first().map(|owner| others.remove(owner));
                others
            }
            Visibility::Named => {
                let is_owned = self.setup.rules.vars[var].owner == Owner::Player;
                self.seers[&(var, key.first().copied().filter(|_| is_owned))].clone()
            }
            Visibility::Nobody => BTreeSet::new(),
        }
    }

    /// Whether everybody sees all elements of a variable.
    pub(super) fn is_open(&self, var: usize) -> bool {
        let mut seers = self.seers.iter().filter(|((of, _), _)| *of == var).peekable();
        self.setup.rules.vars[var].sight == Visibility::All
            || seers.peek().is_some() && seers.all(|(_, seers)| *seers == self.everybody())
    }

    /// `show VARIABLE to p`, `reveal VARIABLE`
    pub(super) fn show_element(&mut self, element: (usize, ElementKey), to: &BTreeSet<i64>) {
        if self.setup.rules.vars[element.0].sight != Visibility::All {
            self.state.knowledge.shown.entry(element).or_default().extend(to);
        }
    }

    pub(super) fn knows_element(&self, (var, key): (usize, &ElementKey), player: i64) -> bool {
        let shown = self.state.knowledge.shown.get(&(var, key.clone()));
        shown.is_some_and(|to| to.contains(&player)) || self.seers((var, key)).contains(&player)
    }

    /// "Players know a shown value until something sets the variable again."
    pub(super) fn forget_element(&mut self, element: &(usize, ElementKey)) {
        self.state.knowledge.shown.remove(element);
    }

    /// A player who sees a pile knows the cards that start there.
    pub(super) fn know_first_cards(&mut self) {
        let piles: Vec<PileKey> = self.state.piles.keys().cloned().collect();
        for pile in piles {
            self.reveal_entering(&pile, &self.state.piles[&pile].cards());
        }
    }

    /// "A player who sees a pile knows the cards that enter it."
    pub(super) fn reveal_entering(&mut self, pile: &PileKey, cards: &BTreeSet<i64>) {
        for player in self.seers((pile.0, &pile.1)) {
            self.known_cards(self.state.piles[pile].kind, player).extend(cards);
        }
    }

    /// Before cards leave a pile. Who sees where they go recognises them. Of the others, those who are told which cards
    /// these are still know where they lie; if nothing names them, they "no longer know which cards are left".
    pub(super) fn leave(
        &mut self,
        from: &PileKey,
        to: &PileKey,
        leaving: &BTreeSet<i64>,
        named: bool,
    ) {
        let (kind, all) = (self.state.piles[from].kind, self.state.piles[from].cards());
        let (see_source, see_target) = (self.seers((from.0, &from.1)), self.seers((to.0, &to.1)));
        for player in self.everybody().difference(&see_source) {
            if see_target.contains(player) {
                self.recognise(*player, from, leaving);
            } else if !named && all != *leaving {
                self.known_cards(kind, *player).retain(|card| !all.contains(card));
            }
        }
    }

    /// Players see cards where they lie. Returns for each pile which these are, and who did not know of so many.
    pub(super) fn see_cards(
        &mut self,
        kind: KindId,
        cards: &BTreeSet<i64>,
        players: &BTreeSet<i64>,
    ) -> Vec<(PileKey, BTreeSet<i64>, Vec<i64>)> {
        let piles = self.state.piles.iter().filter(|(_, pile)| pile.kind == kind);
        let here = piles.map(|(key, pile)| (key.clone(), pile.cards()));
        let here: Vec<(PileKey, BTreeSet<i64>)> = here
            .map(|(key, all)| (key, all.intersection(cards).copied().collect()))
            .filter(|(_, here): &(PileKey, BTreeSet<i64>)| !here.is_empty())
            .collect();
        here.into_iter()
            .map(|(pile, here)| {
                let players = players.iter().copied();
                let news = players.filter(|player| self.recognise(*player, &pile, &here)).collect();
                (pile, here, news)
            })
            .collect()
    }

    /// "Cards with the same face look alike": a card that a player knew already may be the one that is seen now.
    /// Returns whether it makes them know of more cards.
    fn recognise(&mut self, player: i64, pile: &PileKey, cards: &BTreeSet<i64>) -> bool {
        let kind = self.state.piles[pile].kind;
        let before = self.known_cards(kind, player).len();
        let here = self.state.piles[pile].cards();
        for card in cards {
            let face = self.face(kind, *card);
            let known = self.known_cards(kind, player).clone();
            let mut others = here.intersection(&known).filter(|other| !cards.contains(other));
            let same = others.find(|other| self.face(kind, **other) == face);
            if let (false, Some(same)) = (known.contains(card), same) {
                self.known_cards(kind, player).remove(same);
            }
        }
        self.known_cards(kind, player).extend(cards);
        self.known_cards(kind, player).len() > before
    }

    /// Chance decided which of some cards comes next: who sees neither it nor the pile no longer knows which of them
    /// lies where.
    pub(super) fn lose_sight(
        &mut self,
        pile: &PileKey,
        group: &BTreeSet<i64>,
        seen_by: &BTreeSet<i64>,
    ) {
        let kind = self.state.piles[pile].kind;
        let see_pile = self.seers((pile.0, &pile.1));
        for player in self.everybody() {
            if !seen_by.contains(&player) && !see_pile.contains(&player) {
                self.known_cards(kind, player).retain(|card| !group.contains(card));
            }
        }
    }

    /// "A shuffle ends all knowledge of a pile, except for players who see the pile."
    pub(super) fn forget_pile(&mut self, pile: &PileKey) {
        let (kind, cards) = (self.state.piles[pile].kind, self.state.piles[pile].cards());
        for player in self.everybody() {
            self.known_cards(kind, player).retain(|card| !cards.contains(card));
        }
        self.reveal_entering(pile, &cards);
    }

    fn known_cards(&mut self, kind: KindId, player: i64) -> &mut BTreeSet<i64> {
        self.state.knowledge.cards.entry((kind, player)).or_default()
    }

    /// Whether everybody can tell which cards of a pile these are.
    pub(super) fn names_cards(&self, cards: &Expr) -> bool {
        !self.setup.rules.secret_sources.contains(&cards.span)
    }

    /// Lets everybody learn which cards a value names.
    pub(super) fn announce_cards(&mut self, ty: &Type, value: &Datum) {
        let kind = match ty {
            Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => *kind,
            Type::Maybe(inner) => return self.announce_cards(inner, value),
            _ => return,
        };
        if self.are_cards(&Type::Set(Domain::Kind(kind))) {
            self.see_cards(kind, &value.to_set(), &self.everybody());
        }
    }
}
