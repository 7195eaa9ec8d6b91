//! Decisions: what is offered, and what comes of the answer.

use std::collections::{BTreeMap, BTreeSet};

use astragal::check::rules::{
    Binder, Choose, Clause, Decline, Domain, Expr, ExprKind, MoveOption, Pick, Type,
};

use super::clauses::{as_asked, bound_by};
use super::evaluator::Evaluator;
use super::value::{Datum, Flow, Frame, Stop};
use super::words::{Manner, capitalised, said_of};

/// A move that is legal.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// Which option it is of; behind the last one stands declining.
    pub(super) option: usize,
    pub(super) label: String,
    /// What its names stand for.
    pub(super) bound: BTreeMap<usize, Datum>,
}

impl<'g> Evaluator<'g> {
    pub(super) fn choose(&mut self, frame: &mut Frame<'g>, choose: &Choose) -> Result<Flow, Stop> {
        if let Some(each) = &choose.each {
            return self.together(frame, each, choose);
        }
        if choose.order.is_some() {
            return self.in_order(frame, choose);
        }
        match self.decision(frame, choose)? {
            Some(offer) => self.follow(frame, choose, offer),
            None => self.block(frame, choose.otherwise.as_ref().expect("nothing was legal")),
        }
    }

    /// What is picked at a decision; nothing where `else` is left.
    pub(super) fn decision(
        &mut self,
        frame: &mut Frame<'g>,
        choose: &Choose,
    ) -> Result<Option<Offer>, Stop> {
        let player = self.value(frame, &choose.chooser)?.int();
        let mut offers = Vec::new();
        for (at, option) in choose.options.iter().enumerate() {
            self.list(frame, (at, option), &as_asked(&option.clauses), &mut offers)?;
        }
        let decline = match &choose.decline {
            Some(decline) => self.declining(frame, choose.options.len(), decline)?,
            None => None,
        };
        self.check_limit()?;
        // Where only the player knows whether anything is legal, the question is asked in any case.
        let anyway = self.rules.asked_anyway.contains(&choose.chooser.span);
        match decline {
            Some(decline) if !offers.is_empty() || anyway => offers.push(decline),
            _ if !offers.is_empty() => {}
            _ if choose.otherwise.is_some() => return Ok(None),
            Some(offer) => {
                let name = self.machine.names()[usize::try_from(player).expect("a seat")].as_str();
                let decline = choose.decline.as_ref().expect("it is offered");
                let text = match decline.template {
                    Some(_) => format!("{name}: {}", offer.label),
                    None => said_of(name, &decline.name),
                };
                self.machine.declines(text);
                return Ok(Some(offer));
            }
            None => return Err(Stop::Trap("NothingLegal")),
        }
        self.ask(frame, player, choose.prompt.as_ref(), offers).map(Some)
    }

    pub(super) fn ask(
        &mut self,
        frame: &mut Frame<'g>,
        player: i64,
        prompt: Option<&Expr>,
        mut offers: Vec<Offer>,
    ) -> Result<Offer, Stop> {
        let question = match prompt {
            Some(prompt) => Some(capitalised(&self.value(frame, prompt)?.words().text)),
            None => None,
        };
        let unkept = self.unkept()?;
        let labels: Vec<&str> = offers.iter().map(|offer| offer.label.as_str()).collect();
        self.machine.asks(player, question.as_deref(), &labels)?;
        self.machine.stands(self.rules, &self.table)?;
        let picked = self.machine.picks(&labels, &unkept)?;
        self.decisions += 1;
        Ok(offers.swap_remove(picked))
    }

    /// The body of what was picked.
    pub(super) fn follow(
        &mut self,
        frame: &mut Frame<'g>,
        choose: &Choose,
        offer: Offer,
    ) -> Result<Flow, Stop> {
        frame.locals.extend(offer.bound);
        match choose.options.get(offer.option) {
            Some(option) => self.block(frame, &option.body),
            None => {
                let decline = choose.decline.as_ref().expect("behind the options stands declining");
                self.block(frame, &decline.body)
            }
        }
    }

    fn declining(
        &mut self,
        frame: &mut Frame<'g>,
        option: usize,
        decline: &Decline,
    ) -> Result<Option<Offer>, Stop> {
        if let Some(condition) = &decline.condition
            && !self.holds(frame, condition)?
        {
            return Ok(None);
        }
        let label = match &decline.template {
            Some(template) => self.value(frame, template)?.words().text,
            None => decline.name.clone(),
        };
        Ok(Some(Offer { option, label, bound: BTreeMap::new() }))
    }

    /// Adds a move for each way through the clauses.
    pub(super) fn list(
        &mut self,
        frame: &mut Frame<'g>,
        (at, option): (usize, &MoveOption),
        clauses: &[Clause],
        offers: &mut Vec<Offer>,
    ) -> Result<(), Stop> {
        let Some((clause, rest)) = clauses.split_first() else {
            let bound = option.clauses.iter().filter_map(bound_by);
            let bound = bound.map(|local| (local.index(), frame.get(local))).collect();
            let label = self.label(frame, option)?;
            offers.push(Offer { option: at, label, bound });
            return Ok(());
        };
        match clause {
            Clause::When(condition) => {
                if self.holds(frame, condition)? {
                    self.list(frame, (at, option), rest, offers)?;
                }
            }
            Clause::Let(local, value) => {
                let value = self.value(frame, value)?;
                frame.put(*local, value);
                self.list(frame, (at, option), rest, offers)?;
            }
            Clause::For(binder) | Clause::Maybe(binder) => {
                let mut ways = self.offered(frame, binder)?;
                if matches!(clause, Clause::Maybe(_)) {
                    ways.insert(0, Datum::None);
                }
                for way in ways {
                    frame.put(binder.local, way);
                    self.list(frame, (at, option), rest, offers)?;
                }
            }
        }
        Ok(())
    }

    /// The name of the move and its arguments; those at the end that are none are left out.
    fn label(&mut self, frame: &mut Frame<'g>, option: &MoveOption) -> Result<String, Stop> {
        if let Some(template) = &option.template {
            return Ok(self.value(frame, template)?.words().text);
        }
        let mut params = option.params.as_slice();
        while let Some((last, before)) = params.split_last()
            && frame.get(*last) == Datum::None
        {
            params = before;
        }
        let mut label = option.name.clone();
        for param in params {
            let ty = &frame.known[param.index()].ty;
            label.push(' ');
            label += &self.print(&frame.get(*param), ty, Manner::Argument);
        }
        Ok(label)
    }

    /// What an option may be about. Of cards that read the same and lie in one pile only the first
    /// is offered, and of subsets those that take the first.
    fn offered(&mut self, frame: &mut Frame<'g>, binder: &Binder) -> Result<Vec<Datum>, Stop> {
        if !self.are_cards(&binder.set.ty) {
            let mut found = self.found(frame, binder)?;
            if matches!(binder.set.kind, ExprKind::Walk(_)) {
                found.sort_by_key(Datum::int);
            }
            return Ok(found);
        }
        if let ExprKind::Subsets(of) = &binder.set.kind {
            let of = self.value(frame, of)?.set();
            let Type::Subsets(Domain::Kind(kind)) = binder.set.ty else {
                panic!("these are cards")
            };
            let mut parts = self.course(frame, &binder.set)?;
            parts.retain(|part| {
                let part = part.set();
                let could_be = |card: &i64| {
                    let mut before = of.range(..card).filter(|other| !part.contains(other));
                    before.any(|other| self.alike(kind, *other, *card))
                };
                !part.iter().any(could_be)
            });
            let mut kept = Vec::new();
            for part in parts {
                frame.put(binder.local, part.clone());
                let holds = match &binder.condition {
                    Some(condition) => self.holds(frame, condition)?,
                    None => true,
                };
                kept.extend(holds.then_some(part));
            }
            return Ok(kept);
        }
        let found = self.found(frame, binder)?;
        let firsts = self.firsts(&binder.set.ty, &found.iter().map(Datum::int).collect());
        Ok(found.into_iter().filter(|card| firsts.contains(&card.int())).collect())
    }

    /// Of cards that read the same and lie in one pile the first.
    fn firsts(&self, ty: &Type, cards: &BTreeSet<i64>) -> BTreeSet<i64> {
        let Type::Set(Domain::Kind(kind)) = ty else { panic!("these are cards") };
        let is_first =
            |card: &&i64| !cards.range(..**card).any(|other| self.alike(*kind, *other, **card));
        cards.iter().filter(is_first).copied().collect()
    }

    /// `choose me discard from S`
    pub(super) fn pick(&mut self, frame: &mut Frame<'g>, pick: &Pick) -> Result<Datum, Stop> {
        let player = self.value(frame, &pick.chooser)?.int();
        let local = astragal::check::rules::LocalId::at(usize::from(u16::MAX));
        let binder = Binder { local, set: Box::new(pick.set.clone()), condition: None };
        let ty = match &pick.set.ty {
            Type::Set(domain) | Type::List(domain, _) => domain.member_type(),
            Type::Subsets(domain) => Type::Set(*domain),
            _ => Type::Number,
        };
        let mut offers = Vec::new();
        for member in self.offered(frame, &binder)? {
            let label = format!("{} {}", pick.name, self.print(&member, &ty, Manner::Argument));
            offers.push(Offer { option: 0, label, bound: [(0, member)].into() });
        }
        self.check_limit()?;
        if offers.is_empty() {
            return Err(Stop::Trap("NothingLegal"));
        }
        let picked = self.ask(frame, player, pick.prompt.as_ref(), offers)?;
        Ok(picked.bound[&0].clone())
    }

    /// What must always hold and does not.
    fn unkept(&mut self) -> Result<Vec<usize>, Stop> {
        let mut unkept = Vec::new();
        for (at, always) in self.rules.always.iter().enumerate() {
            let found = self.run(&always.rule, Vec::new())?;
            let kept = if always.binder.is_some() { Datum::None } else { Datum::yes(true) };
            if found != kept {
                unkept.push(at);
            }
        }
        Ok(unkept)
    }
}
