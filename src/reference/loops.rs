//! Loops: over members, so often, and from seat to seat.

use crate::check::rules::{Binder, Block, Expr, ExprKind, LocalId, Type};

use super::Reference;
use super::sets::cyclic;
use super::values::{ControlFlow, Datum, Halt, RuleFrame, number};

/// Rounds of one loop that no game needs.
const MOST_ROUNDS: usize = 1_000_000;

impl<'g> Reference<'g> {
    /// "`for` fixes its set at the start, its `where` included. Over a range of numbers, a list, `subsets of` or `lists
    /// of`, it tests its `where` at each one."
    pub(super) fn over(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
        from: Option<&Expr>,
        body: &mut dyn FnMut(&mut Self, &mut RuleFrame<'g>) -> Result<ControlFlow, Halt>,
    ) -> Result<ControlFlow, Halt> {
        if matches!(binder.set.ty, Type::Lists(..)) {
            return match self.over_lists(frame, binder, &mut Vec::new(), body)? {
                ControlFlow::Break => Ok(ControlFlow::On),
                flow => Ok(flow),
            };
        }
        let at_once = matches!(binder.set.ty, Type::Set(_));
        let course = if at_once {
            self.all_fitting(frame, binder)?
        } else {
            self.visited(frame, &binder.set)?
        };
        let course = match from {
            None => course,
            Some(from) => {
                let start = self.value(frame, from)?.int();
                let members = course.iter().map(Datum::int).collect();
                cyclic(&members, start).into_iter().map(Datum::Int).collect()
            }
        };
        for member in course {
            frame.put(binder.local, member);
            if let (false, Some(condition)) = (at_once, &binder.condition)
                && !self.holds(frame, condition)?
            {
                continue;
            }
            match body(self, frame)? {
                ControlFlow::On | ControlFlow::Continue => {}
                ControlFlow::Break => break,
                flow @ ControlFlow::Return(_) => return Ok(flow),
            }
        }
        Ok(ControlFlow::On)
    }

    /// Over all lists that begin like this and are longer. What comes next is asked again after each,
    /// since the body may have changed it.
    fn over_lists(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
        list: &mut Vec<i64>,
        body: &mut dyn FnMut(&mut Self, &mut RuleFrame<'g>) -> Result<ControlFlow, Halt>,
    ) -> Result<ControlFlow, Halt> {
        let (ExprKind::Lists(next), Type::Lists(_, most)) = (&binder.set.kind, &binder.set.ty)
        else {
            panic!("these are lists")
        };
        let mut done = i64::MIN;
        while list.len() < usize::from(*most) {
            frame.put(binder.local, Datum::List(list.clone()));
            let members = self.value(frame, next)?.set();
            let Some(member) = members.into_iter().find(|member| *member > done) else { break };
            done = member;
            list.push(member);
            frame.put(binder.local, Datum::List(list.clone()));
            let fits = match &binder.condition {
                Some(condition) => self.holds(frame, condition)?,
                None => true,
            };
            let flow = if fits { body(self, frame)? } else { ControlFlow::On };
            let flow = match flow {
                ControlFlow::On | ControlFlow::Continue => {
                    self.over_lists(frame, binder, list, body)?
                }
                flow => flow,
            };
            list.pop();
            if flow != ControlFlow::On {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::On)
    }

    /// `while`, `repeat`: runs a body as long as `goes_on` before it and not `is_done` after it.
    pub(super) fn repeated(
        &mut self,
        frame: &mut RuleFrame<'g>,
        body: &Block,
        mut goes_on: impl FnMut(&mut Self, &mut RuleFrame<'g>, usize) -> Result<bool, Halt>,
        mut is_done: impl FnMut(&mut Self, &mut RuleFrame<'g>) -> Result<bool, Halt>,
    ) -> Result<ControlFlow, Halt> {
        let mut done = 0;
        while goes_on(self, frame, done)? {
            match self.block(frame, body)? {
                ControlFlow::On | ControlFlow::Continue => {}
                ControlFlow::Break => break,
                flow @ ControlFlow::Return(_) => return Ok(flow),
            }
            if is_done(self, frame)? {
                break;
            }
            done += 1;
            if done > MOST_ROUNDS {
                return Err(Halt::Bound("a loop goes on too long"));
            }
        }
        Ok(ControlFlow::On)
    }

    /// From seat to seat, those who take part when their turn comes.
    pub(super) fn turns(
        &mut self,
        frame: &mut RuleFrame<'g>,
        (local, from, way): (LocalId, i64, i64),
        condition: Option<&Expr>,
        body: &Block,
    ) -> Result<ControlFlow, Halt> {
        let outer = self.state.turn;
        self.state.turn = 0;
        self.turns_running += 1;
        let flow = self.take_turns(frame, (local, from, way), condition, body);
        self.turns_running -= 1;
        // "Nested `turns` have a count of their own; after them the outer count continues." Where the game ends inside
        // them, a measure reads theirs.
        if self.turns_running > 0 && flow.is_ok() {
            self.state.turn = outer;
        }
        flow
    }

    fn take_turns(
        &mut self,
        frame: &mut RuleFrame<'g>,
        (local, from, way): (LocalId, i64, i64),
        condition: Option<&Expr>,
        body: &Block,
    ) -> Result<ControlFlow, Halt> {
        let (all, mut next) = (number(self.players()), from);
        for turn in 1.. {
            let mut found = None;
            for seat in (0..all).map(|behind| (next + way * behind).rem_euclid(all)) {
                frame.put(local, Datum::Int(seat));
                let takes_part = match condition {
                    Some(condition) => self.holds(frame, condition)?,
                    None => true,
                };
                if takes_part {
                    found = Some(seat);
                    break;
                }
            }
            let Some(seat) = found else { break };
            self.state.turn = turn;
            match self.block(frame, body)? {
                ControlFlow::On | ControlFlow::Continue => {}
                ControlFlow::Break => break,
                flow @ ControlFlow::Return(_) => return Ok(flow),
            }
            next = (seat + way).rem_euclid(all);
        }
        Ok(ControlFlow::On)
    }
}
