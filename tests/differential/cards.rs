//! What is done with piles, and what is shown.

use std::collections::BTreeSet;

use astragal::check::rules::{CardAction, Cards, Expr, PileEnd, ResetTarget};

use super::evaluator::Evaluator;
use super::heap::{gather, stack};
use super::value::{Datum, Frame, Key, Stop};

impl<'g> Evaluator<'g> {
    /// A pile that is given by reference.
    pub(super) fn pile(
        &mut self,
        frame: &mut Frame<'g>,
        pile: &Expr,
    ) -> Result<(usize, Key), Stop> {
        match self.value(frame, pile)? {
            Datum::Pile(var, key) => Ok((var, key)),
            other => panic!("{other:?} is no pile"),
        }
    }

    pub(super) fn deed(&mut self, frame: &mut Frame<'g>, deed: &CardAction) -> Result<(), Stop> {
        match deed {
            CardAction::Move { what, to, bottom } => self.move_cards(frame, what, to, *bottom),
            CardAction::Shuffle(pile) => {
                let pile = self.pile(frame, pile)?;
                self.table.heaps.get_mut(&pile).expect("it is there").shuffle();
                Ok(())
            }
            CardAction::Learn { what, by } => {
                match what {
                    Cards::One(cards) | Cards::Set(cards) | Cards::Pile(cards) => {
                        self.value(frame, cards)?;
                    }
                    Cards::End(end) => {
                        self.pile_end(frame, end)?;
                    }
                }
                if let Some(by) = by {
                    self.value(frame, by)?;
                }
                Ok(())
            }
        }
    }

    fn move_cards(
        &mut self,
        frame: &mut Frame<'g>,
        what: &Cards,
        to: &Expr,
        bottom: bool,
    ) -> Result<(), Stop> {
        match what {
            Cards::One(card) => {
                let card = self.value(frame, card)?.set();
                let to = self.pile(frame, to)?;
                if card.is_empty() {
                    return Err(Stop::Trap("NoCard"));
                }
                gather(&mut self.table.heaps, &card, &to, bottom);
            }
            Cards::Set(cards) => {
                let cards = self.value(frame, cards)?.set();
                let to = self.pile(frame, to)?;
                gather(&mut self.table.heaps, &cards, &to, bottom);
            }
            Cards::Pile(from) => {
                let (from, to) = (self.pile(frame, from)?, self.pile(frame, to)?);
                stack(&mut self.table.heaps, &from, &to, bottom);
            }
            Cards::End(end) => self.move_end(frame, end, to, bottom)?,
        }
        Ok(())
    }

    /// One card after the other, as many as there are.
    fn move_end(
        &mut self,
        frame: &mut Frame<'g>,
        end: &PileEnd,
        to: &Expr,
        bottom: bool,
    ) -> Result<(), Stop> {
        let from = self.pile(frame, &end.pile)?;
        let count = match &end.count {
            Some(count) => Some(self.value(frame, count)?.int()),
            None => None,
        };
        let to = self.pile(frame, to)?;
        for _ in 0..count.unwrap_or(1) {
            self.run_to_decision(&from, 0, end.bottom)?;
            let heap = &self.table.heaps[&from];
            let card = heap.end(1, end.bottom).expect("it has just been decided");
            if card.is_empty() {
                return if count.is_none() { Err(Stop::Trap("NoCard")) } else { Ok(()) };
            }
            gather(&mut self.table.heaps, &card, &to, bottom);
        }
        Ok(())
    }

    /// `top of PILE`, `top n of PILE` as a value.
    pub(super) fn pile_end(&mut self, frame: &mut Frame<'g>, end: &PileEnd) -> Result<Datum, Stop> {
        let pile = self.pile(frame, &end.pile)?;
        let count = match &end.count {
            Some(count) => self.value(frame, count)?.int(),
            None => 1,
        };
        let count = usize::try_from(count).unwrap_or(0);
        if end.draws {
            for depth in 0..count {
                self.run_to_decision(&pile, depth, end.bottom)?;
            }
        }
        let cards = self.table.heaps[&pile].end(count, end.bottom);
        let cards = cards.ok_or(Stop::Trap("OrderUnknown"))?;
        Ok(match (&end.count, cards.first()) {
            (Some(_), _) => Datum::Set(cards),
            (None, None) => Datum::None,
            (None, Some(card)) => Datum::Int(*card),
        })
    }

    /// Lets chance decide which card lies there, if that is not known.
    fn run_to_decision(
        &mut self,
        pile: &(usize, Key),
        depth: usize,
        bottom: bool,
    ) -> Result<(), Stop> {
        let heap = &self.table.heaps[pile];
        let Some(group) = heap.group(depth, bottom) else { return Ok(()) };
        let (kind, cards) = (heap.kind, heap.groups[group].clone());
        if cards.len() == 1 {
            return Ok(());
        }
        // Cards of one face are alike: the first of them comes.
        let first_alike = |card: &i64| {
            let face = self.face(kind, *card);
            let alike = cards.iter().find(|other| self.face(kind, **other) == face);
            *alike.expect("it is one of them")
        };
        let outcomes: Vec<i64> = cards.iter().map(first_alike).collect();
        let end = if bottom { "bottom of " } else { "" };
        let event = format!("draw {end}{}", self.place_words(pile.0, &pile.1));
        let ty = astragal::check::rules::Type::Kind(kind);
        let outcomes: Vec<Datum> = outcomes.into_iter().map(Datum::Int).collect();
        let card = self.draw(&event, &outcomes, &ty)?.int();
        self.table.heaps.get_mut(pile).expect("it is there").run_to_decision(group, card, bottom);
        Ok(())
    }

    /// The cards that started in a pile come back, in no known order.
    pub(super) fn call_back(&mut self, pile: &(usize, Key), cards: &BTreeSet<i64>) {
        gather(&mut self.table.heaps, cards, pile, false);
        self.table.heaps.get_mut(pile).expect("it is there").shuffle();
    }

    /// `show PLACE to p`: nothing that is kept changes by it.
    pub(super) fn show(
        &mut self,
        frame: &mut Frame<'g>,
        targets: &[ResetTarget],
        to: Option<&Expr>,
    ) -> Result<(), Stop> {
        if let Some(to) = to {
            self.value(frame, to)?;
        }
        for target in targets {
            let first = self.key(frame, &target.indices)?;
            let var = &self.rules.vars[target.var.index()];
            if !self.keys_of(var)?.iter().any(|key| key.starts_with(&first)) {
                return Err(Stop::Trap("NoSuchElement"));
            }
        }
        Ok(())
    }

    /// Whether two cards read the same and lie in one pile.
    pub(super) fn alike(&self, kind: astragal::check::rules::KindId, a: i64, b: i64) -> bool {
        let home = |card: i64| {
            let mut heaps = self.table.heaps.iter().filter(|(_, heap)| heap.kind == kind);
            heaps.find(|(_, heap)| heap.cards().contains(&card)).map(|(pile, _)| pile)
        };
        self.face(kind, a) == self.face(kind, b) && home(a) == home(b)
    }
}
