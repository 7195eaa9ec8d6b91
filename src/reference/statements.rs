//! What statements do.

use super::Reference;
use super::expressions::fits;
use super::state::{Lvalue, amount};
use super::values::{ControlFlow, Datum, Halt, RuleFrame};
use crate::check::rules::{Block, ExprKind, Stmt, StmtKind};
use crate::syntax::ast::PastVerb;

impl<'g> Reference<'g> {
    pub(super) fn block(
        &mut self,
        frame: &mut RuleFrame<'g>,
        block: &Block,
    ) -> Result<ControlFlow, Halt> {
        // A round of a loop may compute nothing else.
        self.count_expression()?;
        for stmt in block {
            let flow = self.stmt(frame, stmt)?;
            if flow != ControlFlow::On {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::On)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement")]
    fn stmt(&mut self, frame: &mut RuleFrame<'g>, stmt: &Stmt) -> Result<ControlFlow, Halt> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.value(frame, value)?;
                self.write(frame, &Lvalue::Local(local.index()), value)?;
            }
            StmtKind::LetArray { local, binders, value } => {
                self.let_array(frame, *local, binders, value)?;
            }
            StmtKind::Assign(to, value) => {
                let value = match &value.kind {
                    ExprKind::Random(set) => self.random(frame, (set, value), Some(to))?,
                    _ => self.value(frame, value)?,
                };
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
                return self.over(frame, binder, None, &mut |it, frame| {
                    it.roll(frame, place).map(|()| ControlFlow::On)
                });
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
                return self
                    .over(frame, binder, from.as_ref(), &mut |it, frame| it.block(frame, body));
            }
            StmtKind::Times(times, body) => {
                let times = amount(self.value(frame, times)?.int())?;
                return self.repeated(frame, body, |_, _, done| Ok(done < times), |_, _| Ok(false));
            }
            StmtKind::Repeat(body, until) => {
                return self.repeated(
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
                return self.repeated(frame, body, holds, |_, _| Ok(false));
            }
            StmtKind::Turns { local, from, backwards, condition, body } => {
                let from = self.value(frame, from)?.int();
                let way = if *backwards { -1 } else { 1 };
                return self.turns(frame, (*local, from, way), condition.as_ref(), body);
            }
            StmtKind::Break => return Ok(ControlFlow::Break),
            StmtKind::Continue => return Ok(ControlFlow::Continue),
            StmtKind::Return(None) => return Ok(ControlFlow::Return(Datum::None)),
            StmtKind::Return(Some(value)) => {
                return Ok(ControlFlow::Return(self.value(frame, value)?));
            }
            StmtKind::Show { targets, to } => self.show(frame, targets, to.as_ref())?,
            StmtKind::Say { to, text } => self.say(frame, to.as_ref(), text)?,
            StmtKind::Cards(action) => self.card_action(frame, action)?,
            StmtKind::Past(PastVerb::Remember, history) => {
                let position = self.state.position(self.rules, *history);
                self.state.past[history.index()].push(position);
            }
            StmtKind::Past(PastVerb::Forget, history) => self.state.past[history.index()].clear(),
            StmtKind::Choose(choose) => return self.choose(frame, choose),
            StmtKind::FinishDraw => return Err(self.drawn()),
            StmtKind::FinishWin(winners) => {
                let winners = self.value(frame, winners)?.set();
                return Err(self.won_by(&winners.into_iter().collect::<Vec<_>>()));
            }
            StmtKind::FinishRanking { local, keys } => {
                return Err(self.ranked(frame, *local, keys)?);
            }
            StmtKind::Call(call) => {
                self.value(frame, call)?;
            }
        }
        Ok(ControlFlow::On)
    }
}
