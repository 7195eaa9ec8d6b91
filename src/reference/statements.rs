//! What statements do.

use super::expressions::fits;
use super::state::{Lvalue, amount};
use super::values::{ControlFlow, Datum, Run};
use super::{Reference, Speech};
use crate::rules::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::ast::PastVerb;

impl Reference<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Run<ControlFlow> {
        // A round of a loop may compute nothing else.
        self.count_expression()?;
        for stmt in block {
            let flow = self.stmt(stmt)?;
            if flow != ControlFlow::On {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::On)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement")]
    fn stmt(&mut self, stmt: &Stmt) -> Run<ControlFlow> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.value(value)?;
                self.write(&Lvalue::Local(local.index()), value)?;
            }
            StmtKind::LetArray { local, binders, value } => {
                self.let_array(*local, binders, value)?;
            }
            StmtKind::Assign(to, value) => {
                let value = match &value.kind {
                    ExprKind::Random(set) => self.random((set, value), Some(to))?,
                    _ => self.value(value)?,
                };
                let to = self.place(to)?;
                self.write(&to, value)?;
            }
            StmtKind::Change { place, add, value } => self.change(place, *add, value)?,
            StmtKind::Swap(a, b) => {
                let (a, b) = (self.place(a)?, self.place(b)?);
                let (first, second) = (self.read(&a), self.read(&b));
                self.write(&a, second)?;
                self.write(&b, first)?;
            }
            StmtKind::Reset(targets) => {
                for target in targets {
                    self.reset(target)?;
                }
            }
            StmtKind::Coin { place, verb, amount } => self.coin(place, *verb, amount)?,
            StmtKind::Roll { place, binder: None } => self.roll(place)?,
            StmtKind::Roll { place, binder: Some(binder) } => {
                return self.over(binder, None, &mut |it| it.roll(place).map(|()| ControlFlow::On));
            }
            StmtKind::If { condition, then, otherwise } => {
                let branch = if self.holds(condition)? { then } else { otherwise };
                return self.block(branch);
            }
            StmtKind::Match { subject, arms } => {
                let subject = self.value(subject)?;
                let arm = arms.iter().find(|arm| fits(&arm.patterns, &subject));
                return self.block(&arm.expect("checked: every case is named").body);
            }
            StmtKind::For { binder, from, body } => {
                return self.over(binder, from.as_ref(), &mut |it| it.block(body));
            }
            StmtKind::Times(times, body) => {
                let times = amount(self.value(times)?.int())?;
                return self.repeated(body, |_, done| Ok(done < times), |_| Ok(false));
            }
            StmtKind::Repeat(body, until) => {
                let is_done = |it: &mut Self| match until {
                    Some(until) => it.holds(until),
                    None => Ok(false),
                };
                return self.repeated(body, |_, _| Ok(true), is_done);
            }
            StmtKind::While(condition, body) => {
                let holds = |it: &mut Self, _| it.holds(condition);
                return self.repeated(body, holds, |_| Ok(false));
            }
            StmtKind::Turns { local, from, backwards, condition, body } => {
                let from = self.value(from)?.int();
                let way = if *backwards { -1 } else { 1 };
                return self.turns((*local, from, way), condition.as_ref(), body);
            }
            StmtKind::Break => return Ok(ControlFlow::Break),
            StmtKind::Continue => return Ok(ControlFlow::Continue),
            StmtKind::Return(None) => return Ok(ControlFlow::Return(Datum::None)),
            StmtKind::Return(Some(value)) => {
                return Ok(ControlFlow::Return(self.value(value)?));
            }
            StmtKind::Show { targets, to } => self.show(targets, to.as_ref())?,
            StmtKind::Say { to, text } => self.say(to.as_ref(), text)?,
            StmtKind::Cards(action) => self.card_action(action)?,
            StmtKind::Past(PastVerb::Remember, history) => {
                let position = self.table.state.position(self.rules, *history);
                self.table.state.past[history.index()].push(position);
            }
            StmtKind::Past(PastVerb::Forget, history) => {
                self.table.state.past[history.index()].clear();
            }
            StmtKind::Choose(choose) => return self.choose(choose),
            StmtKind::FinishDraw => return Err(self.drawn()),
            StmtKind::FinishWin(winners) => {
                let winners = self.value(winners)?.set();
                return Err(self.won_by(&winners.into_iter().collect::<Vec<_>>()));
            }
            StmtKind::FinishRanking { local, keys } => {
                return Err(self.ranked(*local, keys)?);
            }
            StmtKind::Call(call) => {
                self.value(call)?;
            }
        }
        Ok(ControlFlow::On)
    }

    /// `say "…"`: in a `suppose` its text is not computed.
    pub(super) fn say(&mut self, to: Option<&Expr>, text: &Expr) -> Run {
        if self.supposed > 0 {
            return Ok(());
        }
        let to = self.number_if_any(to)?;
        let text = self.value(text)?.phrase().said();
        self.tell(to, text, false);
        Ok(())
    }

    /// Says something to a player, or to everybody. Nobody hears what is only supposed.
    pub(super) fn tell(&mut self, to: Option<i64>, text: String, declines: bool) {
        if self.supposed == 0 {
            self.said.push(Speech { to, text, declines });
        }
    }
}
