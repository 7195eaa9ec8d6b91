//! Cards: what statements do with piles, and the cards at their ends.

use std::collections::BTreeSet;

use crate::reference::Reference;
use crate::reference::chance::PendingDraw;
use crate::reference::piles::PileKey;
use crate::reference::values::{Datum, Halt, Run};
use crate::rules::{CardAction, CardSource, Domain, Expr, KindId, PileEnd, Type};

impl Reference<'_> {
    /// A pile that is given by reference.
    pub(super) fn pile_key(&mut self, pile: &Expr) -> Run<PileKey> {
        match self.eval(pile)? {
            Datum::Pile(var, key) => Ok((var, key)),
            other => panic!("{other:?} is no pile"),
        }
    }

    pub(super) fn card_action(&mut self, action: &CardAction) -> Run {
        match action {
            CardAction::Move { what, to, bottom } => self.move_cards(what, to, *bottom),
            CardAction::Shuffle(pile) => {
                let pile = self.pile_key(pile)?;
                self.table.pile_mut(&pile).mix();
                self.table.forget_pile(&pile);
                Ok(())
            }
            CardAction::Learn { what, by } => self.learn_cards(what, by.as_ref()),
        }
    }

    /// "One player, or a set of players, sees these cards; they stay in the pile."
    fn learn_cards(&mut self, what: &CardSource, by: Option<&Expr>) -> Run {
        let by = by.map(|by| self.eval(by)).transpose()?.map(|by| by.to_set());
        let (cards, ty) = match what {
            CardSource::One(cards) | CardSource::Set(cards) => {
                (self.eval(cards)?.to_set(), &cards.ty)
            }
            CardSource::Pile(pile) => {
                let key = self.pile_key(pile)?;
                (self.table.state.piles[&key].cards(), &pile.ty)
            }
            CardSource::End(end) => {
                let seen_by = by.clone().unwrap_or_else(|| self.table.everybody());
                (self.pile_end(end, Some(&seen_by))?.to_set(), &end.pile.ty)
            }
        };
        let end = if let CardSource::End(end) = what { Some(end) } else { None };
        let players = by.clone().unwrap_or_else(|| self.table.everybody());
        for (pile, here, news) in self.table.see_cards(cards_kind(ty), &cards, &players) {
            let readers =
                if by.is_some() { news.into_iter().map(Some).collect() } else { vec![None] };
            for reader in readers {
                let text = self.table.shown_cards((&pile, end), &here, reader);
                self.tell_player(reader, text, false);
            }
        }
        Ok(())
    }

    fn move_cards(&mut self, what: &CardSource, to: &Expr, bottom: bool) -> Run {
        match what {
            CardSource::One(of) | CardSource::Set(of) => {
                let cards = self.eval(of)?.to_set();
                let to = self.pile_key(to)?;
                if cards.is_empty() && matches!(what, CardSource::One(_)) {
                    return Err(Halt::Trap("NoCard"));
                }
                self.table.move_loose(&cards, &to, bottom, self.table.names_cards(of));
            }
            CardSource::Pile(from) => {
                let (from, to) = (self.pile_key(from)?, self.pile_key(to)?);
                self.table.move_in_order(&from, &to, bottom);
            }
            CardSource::End(end) => self.move_end(end, to, bottom)?,
        }
        Ok(())
    }

    /// "One after the other, as many as there are"; one card alone has to be there.
    fn move_end(&mut self, end: &PileEnd, to: &Expr, bottom: bool) -> Run {
        let from = self.pile_key(&end.pile)?;
        let count = self.number_if_any(end.count.as_ref())?;
        let to = self.pile_key(to)?;
        // Who sees either pile sees the card.
        let mut seen_by = self.table.seers((from.0, &from.1));
        seen_by.extend(self.table.seers((to.0, &to.1)));
        for _ in 0..count.unwrap_or(1) {
            self.draw_top_card(&from, 0, end.bottom, &seen_by)?;
            let card = self.table.state.piles[&from]
                .end_cards(1, end.bottom)
                .expect("it was just decided");
            if card.is_empty() {
                return if count.is_none() { Err(Halt::Trap("NoCard")) } else { Ok(()) };
            }
            self.table.move_loose(&card, &to, bottom, true);
        }
        Ok(())
    }

    /// `top of PILE`, `top n of PILE` as a value. If chance decides cards, `seen_by` see them, else those who see the pile.
    pub(super) fn pile_end(
        &mut self,
        end: &PileEnd,
        seen_by: Option<&BTreeSet<i64>>,
    ) -> Run<Datum> {
        let pile = self.pile_key(&end.pile)?;
        let count = self.number_if_any(end.count.as_ref())?.unwrap_or(1);
        let count = usize::try_from(count).unwrap_or(0);
        if end.draws {
            let public = self.table.is_open(pile.0);
            let seen_by = match seen_by {
                Some(_) if public => self.table.everybody(),
                Some(by) => by.clone(),
                None => self.table.seers((pile.0, &pile.1)),
            };
            for depth in 0..count {
                self.draw_top_card(&pile, depth, end.bottom, &seen_by)?;
            }
        }
        let cards = self.table.state.piles[&pile].end_cards(count, end.bottom);
        let cards = cards.ok_or(Halt::Trap("OrderUnknown"))?;
        Ok(match (&end.count, cards.first()) {
            (Some(_), _) => Datum::Set(cards),
            (None, None) => Datum::None,
            (None, Some(card)) => Datum::Int(*card),
        })
    }

    /// "Chance decides which card is on top, at the moment when it is drawn": if that is not known.
    fn draw_top_card(
        &mut self,
        pile: &PileKey,
        depth: usize,
        bottom: bool,
        seen_by: &BTreeSet<i64>,
    ) -> Run {
        let here = &self.table.state.piles[pile];
        let Some(group) = here.group_at(depth, bottom) else { return Ok(()) };
        let (kind, cards) = (here.kind, here.groups[group].clone());
        if cards.len() == 1 {
            return Ok(());
        }
        // Each of them is looked at, which takes its time.
        cards.iter().try_for_each(|_| self.count_expression())?;
        // Cards of one face are alike: the first of them comes.
        let first_alike = |card: &i64| {
            let face = self.table.face(kind, *card);
            let alike = cards.iter().find(|other| self.table.face(kind, **other) == face);
            Datum::Int(*alike.expect("it is one of them"))
        };
        let outcomes: Vec<Datum> = cards.iter().map(first_alike).collect();
        let end = if bottom { "bottom of " } else { "" };
        let event = format!("draw {end}{}", self.table.place_words(pile.0, &pile.1));
        let draw = PendingDraw { event, outcomes: &outcomes, ty: &Type::Kind(kind), seen_by };
        let card = self.draw_outcome(&draw)?.to_int();
        self.table.pile_mut(pile).split_group(group, card, bottom);
        self.table.lose_sight(pile, &cards, seen_by);
        Ok(())
    }
}

pub(super) fn cards_kind(ty: &Type) -> KindId {
    match ty {
        Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => *kind,
        Type::Maybe(inner) => cards_kind(inner),
        other => panic!("{other:?} are no cards"),
    }
}
