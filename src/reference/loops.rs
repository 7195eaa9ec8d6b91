//! Loops: over members, so often, and from seat to seat.

use crate::rules::{Binder, Block, Expr, ExprKind, LocalId, Type};

use crate::reference::Reference;
use crate::reference::sets::cyclic;
use crate::reference::values::{BlockEnd, Datum, Halt, Run, to_number};

/// Rounds of one loop that no game needs.
const MOST_ROUNDS: usize = 1_000_000;

impl Reference<'_> {
    /// "`for` fixes its set at the start, its `where` included. Over a range of numbers, a list, `subsets of` or `lists
    /// of`, it tests its `where` at each one."
    pub(super) fn visit_members(
        &mut self,
        binder: &Binder,
        from: Option<&Expr>,
        body: &mut dyn FnMut(&mut Self) -> Run<BlockEnd>,
    ) -> Run<BlockEnd> {
        if matches!(binder.set.ty, Type::Lists(..)) {
            return match self.over_lists(binder, &mut Vec::new(), body)? {
                BlockEnd::Break => Ok(BlockEnd::On),
                flow => Ok(flow),
            };
        }
        let at_once = matches!(binder.set.ty, Type::Set(_));
        let course = if at_once { self.all_fitting(binder)? } else { self.visited(&binder.set)? };
        let course = match from {
            None => course,
            Some(from) => {
                let start = self.eval(from)?.to_int();
                let members = course.iter().map(Datum::to_int).collect();
                cyclic(&members, start).into_iter().map(Datum::Int).collect()
            }
        };
        for member in course {
            self.frame.set_local(binder.local, member);
            if !at_once && !self.holds_if_any(binder.condition.as_deref())? {
                continue;
            }
            match body(self)? {
                BlockEnd::On | BlockEnd::Continue => {}
                BlockEnd::Break => break,
                flow @ BlockEnd::Return(_) => return Ok(flow),
            }
        }
        Ok(BlockEnd::On)
    }

    /// Over all lists that begin like this and are longer. What comes next is asked again after each,
    /// since the body may have changed it.
    fn over_lists(
        &mut self,
        binder: &Binder,
        list: &mut Vec<i64>,
        body: &mut dyn FnMut(&mut Self) -> Run<BlockEnd>,
    ) -> Run<BlockEnd> {
        let (ExprKind::Lists(next), Type::Lists(_, most)) = (&binder.set.kind, &binder.set.ty)
        else {
            panic!("these are lists")
        };
        let mut done = i64::MIN;
        while list.len() < usize::from(*most) {
            self.frame.set_local(binder.local, Datum::List(list.clone()));
            let members = self.eval(next)?.to_set();
            let Some(member) = members.into_iter().find(|member| *member > done) else { break };
            done = member;
            list.push(member);
            self.frame.set_local(binder.local, Datum::List(list.clone()));
            let fits = self.holds_if_any(binder.condition.as_deref())?;
            let flow = if fits { body(self)? } else { BlockEnd::On };
            let flow = match flow {
                BlockEnd::On | BlockEnd::Continue => self.over_lists(binder, list, body)?,
                flow => flow,
            };
            list.pop();
            if flow != BlockEnd::On {
                return Ok(flow);
            }
        }
        Ok(BlockEnd::On)
    }

    /// `while`, `repeat`: runs a body as long as `goes_on` before it and not `is_done` after it.
    pub(super) fn repeated(
        &mut self,
        body: &Block,
        mut goes_on: impl FnMut(&mut Self, usize) -> Run<bool>,
        mut is_done: impl FnMut(&mut Self) -> Run<bool>,
    ) -> Run<BlockEnd> {
        let mut done = 0;
        while goes_on(self, done)? {
            match self.run_block(body)? {
                BlockEnd::On | BlockEnd::Continue => {}
                BlockEnd::Break => break,
                flow @ BlockEnd::Return(_) => return Ok(flow),
            }
            if is_done(self)? {
                break;
            }
            done += 1;
            if done > MOST_ROUNDS {
                return Err(Halt::Bound("a loop goes on too long"));
            }
        }
        Ok(BlockEnd::On)
    }

    /// From seat to seat, those who take part when their turn comes.
    pub(super) fn run_turns(
        &mut self,
        (local, from, way): (LocalId, i64, i64),
        condition: Option<&Expr>,
        body: &Block,
    ) -> Run<BlockEnd> {
        let outer = self.table.state.turn;
        self.table.state.turn = 0;
        let outer_had = self.table.begin_counting_turns();
        self.turns_running += 1;
        let flow = self.take_turns((local, from, way), condition, body);
        self.turns_running -= 1;
        // "Nested `turns` have a count of their own; after them the outer count continues." Where the game ends inside
        // them, a measure reads theirs.
        if self.turns_running > 0 && flow.is_ok() {
            self.table.state.turn = outer;
            self.table.state.elements.extend(outer_had);
        }
        flow
    }

    fn take_turns(
        &mut self,
        (local, from, way): (LocalId, i64, i64),
        condition: Option<&Expr>,
        body: &Block,
    ) -> Run<BlockEnd> {
        let (all, mut next) = (to_number(self.table.player_count()), from);
        for turn in 1.. {
            let mut found = None;
            for seat in (0..all).map(|behind| (next + way * behind).rem_euclid(all)) {
                self.frame.set_local(local, Datum::Int(seat));
                if self.holds_if_any(condition)? {
                    found = Some(seat);
                    break;
                }
            }
            let Some(seat) = found else { break };
            self.table.state.turn = turn;
            match self.run_block(body)? {
                BlockEnd::On | BlockEnd::Continue => {}
                BlockEnd::Break => break,
                flow @ BlockEnd::Return(_) => return Ok(flow),
            }
            next = (seat + way).rem_euclid(all);
        }
        Ok(BlockEnd::On)
    }
}
