//! Decisions: what is offered, and what comes of the answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::clauses::{as_asked, bound_by};
use crate::reference::text::{TextManner, capitalised, said_of};
use crate::reference::values::{BlockEnd, Datum, Halt, Run};
use crate::reference::{AskedPlayer, Pause, Reference};
use crate::rules::{
    Binder, Choose, Clause, Decline, Domain, Expr, ExprKind, LocalId, MoveOption, Pick, Type,
};

/// So many moves fill the memory.
const MOST_MOVES: usize = 100_000;

/// A move that is legal.
#[derive(Clone, Debug)]
pub(super) struct LegalMove {
    /// Which option it is of; behind the last one stands declining.
    pub(super) option: usize,
    /// As players type it, and as those hear it who may not know all of it.
    label: String,
    heard: String,
    /// What its names stand for.
    pub(super) bound: BTreeMap<usize, Datum>,
}

impl Reference<'_> {
    pub(super) fn run_choose(&mut self, choose: &Choose) -> Run<BlockEnd> {
        if let Some(each) = &choose.each {
            return self.together(each, choose);
        }
        if choose.order.is_some() {
            return self.choose_in_order(choose);
        }
        match self.run_decision(choose)? {
            Some(offer) => self.follow(choose, offer),
            None => self.run_block(choose.otherwise.as_ref().expect("nothing was legal")),
        }
    }

    /// What is picked at a decision; nothing where `else` is left.
    pub(super) fn run_decision(&mut self, choose: &Choose) -> Run<Option<LegalMove>> {
        let player = self.eval(&choose.chooser)?.to_int();
        let mut offers = Vec::new();
        for (at, option) in choose.options.iter().enumerate() {
            self.enumerate_moves((at, option), &as_asked(&option.clauses), &mut offers)?;
        }
        let decline = match &choose.decline {
            Some(decline) => self.declining(choose.options.len(), decline)?,
            None => None,
        };
        self.check_limit()?;
        // Where only the player knows whether anything is legal, the question is asked in any case.
        let anyway = self.rules.asked_anyway.contains(&choose.chooser.span);
        let is_alone = choose.decline.as_ref().is_some_and(|decline| decline.alone);
        match decline {
            // "`when nothing else`: legal only if no move is, and asked all the same."
            Some(_) if is_alone && !offers.is_empty() => {}
            Some(decline) if !offers.is_empty() || anyway || is_alone => offers.push(decline),
            _ if !offers.is_empty() => {}
            _ if choose.otherwise.is_some() => {
                self.pass()?;
                return Ok(None);
            }
            Some(offer) => {
                self.pass()?;
                let name = self.table.player_name(player);
                let decline = choose.decline.as_ref().expect("it is offered");
                let text = match decline.template {
                    Some(_) => format!("{name}: {}", offer.label),
                    None => said_of(name, &decline.name),
                };
                self.tell_player(None, text, true);
                return Ok(Some(offer));
            }
            None => return Err(Halt::Trap("NothingLegal")),
        }
        self.ask_player(player, choose.prompt.as_ref(), offers).map(Some)
    }

    pub(super) fn ask_player(
        &mut self,
        player: i64,
        prompt: Option<&Expr>,
        mut offers: Vec<LegalMove>,
    ) -> Run<LegalMove> {
        // "One that meets a runtime error is left out."
        let question = match prompt.map(|prompt| self.eval(prompt)) {
            Some(Err(Halt::Trap(_))) | None => None,
            Some(question) => Some(capitalised(&question?.phrase().text)),
        };
        let broken = self.broken_invariants()?;
        let moves = offers.iter().map(|offer| offer.label.clone()).collect();
        let heard = offers.iter().map(|offer| offer.heard.clone()).collect();
        let asked = AskedPlayer { player, question, moves, heard, broken };
        let pause = Pause { said: &self.said, state: &self.table.state };
        let picked = self.partner.pick_move(&asked, pause).ok_or(Halt::Left)?;
        self.said.clear();
        self.decisions += 1;
        self.passes = 0;
        Ok(offers.swap_remove(picked))
    }

    /// The body of what was picked.
    pub(super) fn follow(&mut self, choose: &Choose, offer: LegalMove) -> Run<BlockEnd> {
        self.frame.locals.extend(offer.bound);
        match choose.options.get(offer.option) {
            Some(option) => {
                self.announce_chosen(option);
                self.run_block(&option.body)
            }
            None => {
                let decline = choose.decline.as_ref().expect("behind the options stands declining");
                self.run_block(&decline.body)
            }
        }
    }

    fn declining(&mut self, option: usize, decline: &Decline) -> Run<Option<LegalMove>> {
        if !self.holds_if_any(decline.condition.as_ref())? {
            return Ok(None);
        }
        let label = match &decline.template {
            Some(template) => self.eval(template)?.phrase().text,
            None => decline.name.clone(),
        };
        let heard = label.clone();
        Ok(Some(LegalMove { option, label, heard, bound: BTreeMap::new() }))
    }

    /// Adds a move for each way through the clauses.
    pub(super) fn enumerate_moves(
        &mut self,
        (at, option): (usize, &MoveOption),
        clauses: &[Clause],
        offers: &mut Vec<LegalMove>,
    ) -> Run {
        if offers.len() == MOST_MOVES {
            return Err(Halt::Bound("there are too many moves"));
        }
        let Some((clause, rest)) = clauses.split_first() else {
            let bound = option.clauses.iter().filter_map(bound_by);
            let bound = bound.map(|local| (local.index(), self.frame.get(local))).collect();
            let (label, heard) = (self.format_label(option)?, self.format_heard_label(option)?);
            offers.push(LegalMove { option: at, label, heard, bound });
            return Ok(());
        };
        match clause {
            Clause::When(condition) => {
                if self.eval_condition(condition)? {
                    self.enumerate_moves((at, option), rest, offers)?;
                }
            }
            Clause::Let(local, value) => {
                let value = self.eval(value)?;
                self.frame.set_local(*local, value);
                self.enumerate_moves((at, option), rest, offers)?;
            }
            // As in a loop, each number is asked for in its turn.
            Clause::For(binder) if binder.set.ty == Type::Span => {
                for way in self.visited(&binder.set)? {
                    self.frame.set_local(binder.local, way);
                    if self.holds_if_any(binder.condition.as_deref())? {
                        self.enumerate_moves((at, option), rest, offers)?;
                    }
                }
            }
            Clause::For(binder) | Clause::Maybe(binder) => {
                let mut ways = self.offered(binder)?;
                if matches!(clause, Clause::Maybe(_)) {
                    ways.insert(0, Datum::None);
                }
                for way in ways {
                    self.frame.set_local(binder.local, way);
                    self.enumerate_moves((at, option), rest, offers)?;
                }
            }
        }
        Ok(())
    }

    /// The name of the move and its arguments; those at the end that are none are left out.
    fn format_label(&mut self, option: &MoveOption) -> Run<String> {
        if let Some(template) = &option.template {
            // "One that meets a runtime error reads as the name of the move."
            return match self.eval(template) {
                Err(Halt::Trap(_)) => Ok(option.name.clone()),
                label => Ok(label?.phrase().text),
            };
        }
        let mut params = option.params.as_slice();
        while let Some((last, before)) = params.split_last()
            && self.frame.get(*last) == Datum::None
        {
            params = before;
        }
        let arguments = params.iter().map(|param| self.format_argument(*param));
        let words: Vec<String> = [option.name.clone()].into_iter().chain(arguments).collect();
        Ok(words.join(" "))
    }

    fn format_argument(&self, param: LocalId) -> String {
        let ty = &self.frame.known[param.index()].ty;
        self.table.format_value(&self.frame.get(param), ty, TextManner::Argument)
    }

    /// "An argument stays private if it only reaches what not everybody sees. The others then see `?`."
    fn format_heard_label(&mut self, option: &MoveOption) -> Run<String> {
        let is_hidden = |param: &LocalId| self.rules.is_hidden(option, *param);
        if !option.params.iter().any(is_hidden) {
            return self.format_label(option);
        }
        let arguments = option.params.iter().map(|param| {
            if is_hidden(param) { "?".to_owned() } else { self.format_argument(*param) }
        });
        let words: Vec<String> = [option.name.clone()].into_iter().chain(arguments).collect();
        Ok(words.join(" "))
    }

    /// A move that names cards announces them to everybody, but for those that it hides.
    fn announce_chosen(&mut self, option: &MoveOption) {
        for param in option.params.iter().filter(|param| !self.rules.is_hidden(option, **param)) {
            let known = self.frame.known;
            self.table.announce_cards(&known[param.index()].ty, &self.frame.get(*param));
        }
    }

    /// What an option may be about. Of cards that read the same and lie in one pile only the first
    /// is offered, and of subsets those that take the first.
    fn offered(&mut self, binder: &Binder) -> Run<Vec<Datum>> {
        if !self.table.are_cards(&binder.set.ty) {
            let mut found = self.all_fitting(binder)?;
            if matches!(binder.set.kind, ExprKind::Walk(_)) {
                found.sort_by_key(Datum::to_int);
            }
            return Ok(found);
        }
        if let ExprKind::Subsets(of, size) = &binder.set.kind {
            let of = self.eval(of)?.to_set();
            let Type::Subsets(Domain::Kind(kind)) = binder.set.ty else {
                panic!("these are cards")
            };
            let alike: BTreeSet<(i64, i64)> = of
                .iter()
                .flat_map(|card| of.range(..card).map(|other| (*other, *card)))
                .filter(|(other, card)| self.table.are_alike(kind, *other, *card))
                .collect();
            let are_alike = |other: i64, card: i64| alike.contains(&(other, card));
            let parts = self.visit_subsets(&of, size.as_ref(), &are_alike)?;
            let mut kept = Vec::new();
            for part in parts {
                self.frame.set_local(binder.local, part.clone());
                let holds = self.holds_if_any(binder.condition.as_deref())?;
                kept.extend(holds.then_some(part));
            }
            return Ok(kept);
        }
        let found = self.all_fitting(binder)?;
        let firsts =
            self.table.dedupe_alike(&binder.set.ty, &found.iter().map(Datum::to_int).collect());
        Ok(found.into_iter().filter(|card| firsts.contains(&card.to_int())).collect())
    }

    /// `choose me discard from S`
    pub(super) fn eval_pick(&mut self, pick: &Pick) -> Run<Datum> {
        let player = self.eval(&pick.chooser)?.to_int();
        let local = crate::rules::LocalId::at(usize::from(u16::MAX));
        let binder = Binder { local, set: Box::new(pick.set.clone()), condition: None };
        let ty = match &pick.set.ty {
            Type::Set(domain) | Type::List(domain, _) => domain.member_type(),
            Type::Subsets(domain) => Type::Set(*domain),
            _ => Type::Number,
        };
        let hidden = self.rules.secret_sources.contains(&pick.set.span);
        let mut offers = Vec::new();
        for member in self.offered(&binder)? {
            let label = format!(
                "{} {}",
                pick.name,
                self.table.format_value(&member, &ty, TextManner::Argument)
            );
            let heard = if hidden { format!("{} ?", pick.name) } else { label.clone() };
            offers.push(LegalMove { option: 0, label, heard, bound: [(0, member)].into() });
        }
        self.check_limit()?;
        if offers.is_empty() {
            return Err(Halt::Trap("NothingLegal"));
        }
        let picked = self.ask_player(player, pick.prompt.as_ref(), offers)?;
        let member = picked.bound[&0].clone();
        if !hidden {
            self.table.announce_cards(&ty, &member);
        }
        Ok(member)
    }
}
