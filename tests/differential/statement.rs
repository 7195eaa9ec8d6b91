//! What statements do.

use astragal::check::rules::{
    Arith, Binder, Block, Expr, ExprKind, LocalId, RangeId, ResetTarget, Stmt, StmtKind, Type,
    VarForm,
};
use astragal::syntax::ast::CoinVerb;

use super::evaluator::{Evaluator, seats};
use super::expression::{arith, fits};
use super::folds::cyclic;
use super::value::{Datum, Ending, Flow, Frame, Key, Stop, keys, place};

/// Rounds of one loop that no game needs.
const ROUNDS: usize = 1_000_000;

/// Where something can be put.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Local(usize),
    Element(usize, Key),
    Var(usize, Key),
}

impl<'g> Evaluator<'g> {
    pub(super) fn block(&mut self, frame: &mut Frame<'g>, block: &Block) -> Result<Flow, Stop> {
        for stmt in block {
            let flow = self.stmt(frame, stmt)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement")]
    fn stmt(&mut self, frame: &mut Frame<'g>, stmt: &Stmt) -> Result<Flow, Stop> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.value(frame, value)?;
                self.write(frame, &Place::Local(local.index()), value)?;
            }
            StmtKind::LetArray { local, binders, value } => {
                self.let_array(frame, *local, binders, value)?;
            }
            StmtKind::Assign(to, value) => {
                let value = self.value(frame, value)?;
                let to = self.place(frame, to)?;
                self.write(frame, &to, value)?;
            }
            StmtKind::Change { place, add, value } => self.change(frame, place, *add, value)?,
            StmtKind::Swap(a, b) => {
                let (a, b) = (self.place(frame, a)?, self.place(frame, b)?);
                let (first, second) = (self.read(frame, &a), self.read(frame, &b));
                self.write(frame, &a, second)?;
                self.write(frame, &b, first)?;
            }
            StmtKind::Reset(targets) => {
                for target in targets {
                    self.reset(frame, target)?;
                }
            }
            StmtKind::Coin { place, verb, amount } => self.coin(frame, place, *verb, amount)?,
            StmtKind::Roll { place, binder: None } => self.roll(frame, place)?,
            StmtKind::Roll { place, binder: Some(binder) } => {
                for member in self.found(frame, binder)? {
                    frame.put(binder.local, member);
                    self.roll(frame, place)?;
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                let branch = if self.holds(frame, condition)? { then } else { otherwise };
                return self.block(frame, branch);
            }
            StmtKind::Match { subject, arms } => {
                let subject = self.value(frame, subject)?;
                let arm = arms.iter().find(|arm| fits(&arm.patterns, &subject));
                return self.block(frame, &arm.expect("checked: every case is named").body);
            }
            StmtKind::For { binder, from, body } => {
                return self.for_loop(frame, binder, from.as_ref(), body);
            }
            StmtKind::Times(times, body) => {
                let times = amount(self.value(frame, times)?.int())?;
                return self.rounds(frame, body, |_, _, done| Ok(done < times), |_, _| Ok(false));
            }
            StmtKind::Repeat(body, until) => {
                return self.rounds(
                    frame,
                    body,
                    |_, _, _| Ok(true),
                    |it, frame| match until {
                        Some(until) => it.holds(frame, until),
                        None => Ok(false),
                    },
                );
            }
            StmtKind::While(condition, body) => {
                let holds = |it: &mut Self, frame: &mut _, _| it.holds(frame, condition);
                return self.rounds(frame, body, holds, |_, _| Ok(false));
            }
            StmtKind::Turns { local, from, condition, body } => {
                let from = self.value(frame, from)?.int();
                return self.turns(frame, (*local, from), condition.as_ref(), body);
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Return(None) => return Ok(Flow::Return(Datum::None)),
            StmtKind::Return(Some(value)) => {
                return Ok(Flow::Return(self.value(frame, value)?));
            }
            StmtKind::Show { targets, to } => self.show(frame, targets, to.as_ref())?,
            StmtKind::Say { to, text } => self.say(frame, to.as_ref(), text)?,
            StmtKind::Cards(deed) => self.deed(frame, deed)?,
            StmtKind::Choose(choose) => return self.choose(frame, choose),
            StmtKind::FinishDraw => {
                let returns = vec![0; self.setting.players];
                return Err(Stop::End(Ending { returns, scores: None }));
            }
            StmtKind::FinishWin(winners) => {
                let winners = self.value(frame, winners)?.set();
                return Err(self.won_by(&winners.into_iter().collect::<Vec<_>>(), None));
            }
            StmtKind::FinishRanking { local, keys } => {
                return Err(self.ranked(frame, *local, keys)?);
            }
            StmtKind::Call(call) => {
                self.value(frame, call)?;
            }
        }
        Ok(Flow::On)
    }

    // Places.

    pub(super) fn place(&mut self, frame: &mut Frame<'g>, expr: &Expr) -> Result<Place, Stop> {
        let place = match &expr.kind {
            ExprKind::Local(local) => Place::Local(local.index()),
            ExprKind::LocalElement(local, indices) => {
                Place::Element(local.index(), self.key(frame, indices)?)
            }
            ExprKind::Var(var, indices) => Place::Var(var.index(), self.key(frame, indices)?),
            other => panic!("{other:?} is no place"),
        };
        let is_there = match &place {
            Place::Local(_) => true,
            Place::Element(local, key) => frame.arrays.contains_key(&(*local, key.clone())),
            Place::Var(var, key) => self.table.elements.contains_key(&(*var, key.clone())),
        };
        if is_there { Ok(place) } else { Err(Stop::Trap("NoSuchElement")) }
    }

    pub(super) fn read(&self, frame: &Frame<'g>, place: &Place) -> Datum {
        match place {
            Place::Local(local) => frame.locals[local].clone(),
            Place::Element(local, key) => frame.arrays[&(*local, key.clone())].clone(),
            Place::Var(var, key) => self.table.elements[&(*var, key.clone())].clone(),
        }
    }

    pub(super) fn write(
        &mut self,
        frame: &mut Frame<'g>,
        place: &Place,
        value: Datum,
    ) -> Result<(), Stop> {
        let range = self.range_of(frame, place);
        self.check_range(range, &value)?;
        match place {
            Place::Local(local) => frame.locals.insert(*local, value),
            Place::Element(local, key) => frame.arrays.insert((*local, key.clone()), value),
            Place::Var(var, key) => self.table.elements.insert((*var, key.clone()), value),
        };
        Ok(())
    }

    fn range_of(&self, frame: &Frame<'g>, place: &Place) -> Option<RangeId> {
        match place {
            Place::Local(local) | Place::Element(local, _) => frame.known[*local].range,
            Place::Var(var, _) => self.rules.vars[*var].range,
        }
    }

    fn let_array(
        &mut self,
        frame: &mut Frame<'g>,
        local: LocalId,
        binders: &[Option<LocalId>],
        value: &Expr,
    ) -> Result<(), Stop> {
        let mut dims = Vec::new();
        for domain in &frame.known[local.index()].dims {
            dims.push(self.members(*domain)?);
        }
        for key in keys(&dims) {
            for (binder, index) in binders.iter().zip(&key) {
                if let Some(binder) = binder {
                    frame.put(*binder, Datum::Int(*index));
                }
            }
            let value = self.value(frame, value)?;
            self.write(frame, &Place::Element(local.index(), key), value)?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        frame: &mut Frame<'g>,
        to: &Expr,
        add: bool,
        value: &Expr,
    ) -> Result<(), Stop> {
        let at = self.place(frame, to)?;
        let (old, value) = (self.read(frame, &at), self.value(frame, value)?);
        let new = match (&to.ty, add) {
            (Type::Set(_), true) => Datum::Set(old.set().union(&value.set()).copied().collect()),
            (Type::Set(_), false) => {
                Datum::Set(old.set().difference(&value.set()).copied().collect())
            }
            (_, true) => arith(Arith::Add, old.int(), value.int())?,
            (_, false) => arith(Arith::Subtract, old.int(), value.int())?,
        };
        self.write(frame, &at, new)
    }

    fn reset(&mut self, frame: &mut Frame<'g>, target: &ResetTarget) -> Result<(), Stop> {
        let first = self.key(frame, &target.indices)?;
        let (at, var) = (target.var.index(), &self.rules.vars[target.var.index()]);
        let keys = self.keys_of(var)?.into_iter().filter(|key| key.starts_with(&first));
        let keys: Vec<Key> = keys.collect();
        if keys.is_empty() {
            return Err(Stop::Trap("NoSuchElement"));
        }
        for key in keys {
            let value = self.first_value(var, &key)?;
            if let VarForm::Pile(_) = var.form {
                self.call_back(&(at, key), &value.set());
            } else {
                self.table.elements.insert((at, key), value);
            }
        }
        Ok(())
    }

    fn coin(
        &mut self,
        frame: &mut Frame<'g>,
        coins: &Expr,
        verb: CoinVerb,
        of: &Expr,
    ) -> Result<(), Stop> {
        let at = self.place(frame, coins)?;
        let have = self.read(frame, &at).int();
        let cost = self.value(frame, of)?.int();
        amount(cost)?;
        let (low, high) = match self.range_of(frame, &at) {
            Some(range) => self.range(range)?,
            None => (0, None),
        };
        let new = match verb {
            CoinVerb::Gains => {
                let more = arith(Arith::Add, have, cost)?.int();
                more.min(high.unwrap_or(i64::MAX))
            }
            CoinVerb::Loses => (have - cost).max(low),
            CoinVerb::Pays if cost > have - low => return Err(Stop::Trap("CannotPay")),
            CoinVerb::Pays => have - cost,
        };
        self.write(frame, &at, Datum::Int(new))
    }

    // Loops.

    /// Over a set as it is at the start, its condition included; numbers between two bounds,
    /// subsets and what may be none are looked at when it is their turn.
    fn for_loop(
        &mut self,
        frame: &mut Frame<'g>,
        binder: &Binder,
        from: Option<&Expr>,
        body: &Block,
    ) -> Result<Flow, Stop> {
        let at_once = matches!(binder.set.ty, Type::Set(_));
        let course =
            if at_once { self.found(frame, binder)? } else { self.course(frame, &binder.set)? };
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
            match self.block(frame, body)? {
                Flow::On => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
        }
        Ok(Flow::On)
    }

    /// A body again and again, while something holds before it and something else does not behind.
    fn rounds(
        &mut self,
        frame: &mut Frame<'g>,
        body: &Block,
        mut goes_on: impl FnMut(&mut Self, &mut Frame<'g>, usize) -> Result<bool, Stop>,
        mut is_done: impl FnMut(&mut Self, &mut Frame<'g>) -> Result<bool, Stop>,
    ) -> Result<Flow, Stop> {
        let mut done = 0;
        while goes_on(self, frame, done)? {
            match self.block(frame, body)? {
                Flow::On => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
            if is_done(self, frame)? {
                break;
            }
            done += 1;
            if done > ROUNDS {
                return Err(Stop::Trap("Endless"));
            }
        }
        Ok(Flow::On)
    }

    /// From seat to seat, those who take part when their turn comes.
    fn turns(
        &mut self,
        frame: &mut Frame<'g>,
        (local, from): (LocalId, i64),
        condition: Option<&Expr>,
        body: &Block,
    ) -> Result<Flow, Stop> {
        let (outer, mut next, mut count) = (self.table.turn, from, 0);
        self.table.turn = 0;
        self.rounds += 1;
        let flow = 'turns: loop {
            let all = seats(self.setting.players).into_iter().collect();
            let mut found = None;
            for seat in cyclic(&all, next) {
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
            let Some(seat) = found else { break Flow::On };
            count += 1;
            self.table.turn = count;
            match self.block(frame, body)? {
                Flow::On => {}
                Flow::Break => break 'turns Flow::On,
                flow @ Flow::Return(_) => break 'turns flow,
            }
            next = (seat + 1) % all_seats(self.setting.players);
        };
        self.rounds -= 1;
        // Behind the inner turns the outer ones count on.
        if self.rounds > 0 {
            self.table.turn = outer;
        }
        Ok(flow)
    }

    // The end.

    fn won_by(&self, winners: &[i64], scores: Option<Vec<i64>>) -> Stop {
        if winners.is_empty() {
            return Stop::Trap("NobodyWins");
        }
        let share = if winners.len() == 1 { 1 } else { 0 };
        let returns = seats(self.setting.players).into_iter();
        let returns = returns.map(|seat| if winners.contains(&seat) { share } else { -1 });
        Stop::End(Ending { returns: returns.collect(), scores })
    }

    fn ranked(
        &mut self,
        frame: &mut Frame<'g>,
        local: LocalId,
        keys: &[Expr],
    ) -> Result<Stop, Stop> {
        let mut ranked = Vec::new();
        for seat in seats(self.setting.players) {
            frame.put(local, Datum::Int(seat));
            ranked.push(self.key(frame, keys)?);
        }
        let best = ranked.iter().max().cloned();
        let seats = seats(self.setting.players).into_iter();
        let winners: Vec<i64> =
            seats.filter(|seat| Some(&ranked[place(*seat)]) == best.as_ref()).collect();
        let scores = ranked.iter().map(|keys| keys[0]).collect();
        Ok(self.won_by(&winners, Some(scores)))
    }
}

fn all_seats(players: usize) -> i64 {
    super::value::number(players)
}

/// How often, or how much: never less than nothing.
fn amount(number: i64) -> Result<usize, Stop> {
    usize::try_from(number).map_err(|_| Stop::Trap("NegativeAmount"))
}
