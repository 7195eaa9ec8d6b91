//! Decisions of several players at once, and decisions about an order.

use std::collections::BTreeSet;

use crate::rules::{Binder, Choose, Clause, MoveOption};

use crate::reference::Reference;
use crate::reference::clauses::{as_asked, bound_by};
use crate::reference::decisions::LegalMove;
use crate::reference::values::{BlockEnd, Datum, Run};

impl Reference<'_> {
    /// All decide, then what they picked happens in the order of the seats.
    pub(super) fn together(&mut self, each: &Binder, choose: &Choose) -> Run<BlockEnd> {
        let players: BTreeSet<i64> = self.all_fitting(each)?.iter().map(Datum::to_int).collect();
        let mut picked = Vec::new();
        for player in &players {
            self.frame.set_local(each.local, Datum::Int(*player));
            picked.push(self.run_decision(choose)?);
        }
        for (player, offer) in players.into_iter().zip(picked) {
            self.frame.set_local(each.local, Datum::Int(player));
            let flow = match offer {
                Some(offer) => self.follow(choose, offer)?,
                None => {
                    let otherwise = choose.otherwise.as_ref();
                    self.run_block(otherwise.expect("nothing was legal"))?
                }
            };
            if flow != BlockEnd::On {
                return Ok(flow);
            }
        }
        Ok(BlockEnd::On)
    }

    /// All that is legal now happens, in the order that the player picks.
    pub(super) fn choose_in_order(&mut self, choose: &Choose) -> Run<BlockEnd> {
        let mut left = Vec::new();
        for (at, option) in choose.options.iter().enumerate() {
            let mut legal = BTreeSet::new();
            self.legal(&as_asked(&option.clauses), member_of(option), &mut legal)?;
            left.extend(legal.into_iter().map(|member| (at, member)));
        }
        while !left.is_empty() {
            let mut offers = self.list_remaining_moves(choose, &left)?;
            let offer = if left.len() == 1 {
                offers.pop().expect("what is left is offered")
            } else {
                let player = self.eval(&choose.chooser)?.to_int();
                self.check_limit()?;
                self.ask_player(player, choose.prompt.as_ref(), offers)?
            };
            let option = &choose.options[offer.option];
            let member =
                member_of(option).map(|binder| offer.bound[&binder.local.index()].to_int());
            left.retain(|left| *left != (offer.option, member));
            let flow = self.follow(choose, offer)?;
            if flow != BlockEnd::On {
                return Ok(flow);
            }
        }
        Ok(BlockEnd::On)
    }

    /// The members of what an option goes over for which it is legal; without that, whether it is.
    fn legal(
        &mut self,
        clauses: &[Clause],
        over: Option<&Binder>,
        legal: &mut BTreeSet<Option<i64>>,
    ) -> Run {
        let Some((clause, rest)) = clauses.split_first() else {
            legal.insert(over.map(|binder| self.frame.get(binder.local).to_int()));
            return Ok(());
        };
        match clause {
            Clause::When(condition) => {
                if self.eval_condition(condition)? {
                    self.legal(rest, over, legal)?;
                }
            }
            Clause::Let(local, value) => {
                let value = self.eval(value)?;
                self.frame.set_local(*local, value);
                self.legal(rest, over, legal)?;
            }
            Clause::For(binder) => {
                for member in self.all_fitting(binder)? {
                    self.frame.set_local(binder.local, member);
                    self.legal(rest, over, legal)?;
                }
            }
            Clause::Maybe(_) => panic!("an option of an order has one `for` at most"),
        }
        Ok(())
    }

    /// Lists the moves for the members that are left; `let`s are computed anew.
    fn list_remaining_moves(
        &mut self,
        choose: &Choose,
        left: &[(usize, Option<i64>)],
    ) -> Run<Vec<LegalMove>> {
        let mut offers = Vec::new();
        for (at, member) in left {
            let option = &choose.options[*at];
            if let (Some(binder), Some(member)) = (member_of(option), member) {
                self.frame.set_local(binder.local, Datum::Int(*member));
            }
            let lets = |clause: &&Clause| matches!(clause, Clause::Let(..));
            let lets: Vec<Clause> = option.clauses.iter().filter(lets).cloned().collect();
            debug_assert!(option.clauses.iter().filter_map(bound_by).count() <= lets.len() + 1);
            self.enumerate_moves((*at, option), &lets, &mut offers)?;
        }
        Ok(offers)
    }
}

/// The binder of an option of an ordered decision.
fn member_of(option: &MoveOption) -> Option<&Binder> {
    option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) => Some(binder),
        _ => None,
    })
}
