//! Runs statements.

use crate::reference::expressions::matches_any;
use crate::reference::state::{Lvalue, to_amount};
use crate::reference::values::{BlockEnd, Datum, Run};
use crate::reference::{Reference, Speech};
use crate::rules::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::ast::PastVerb;

impl Reference<'_> {
    pub(super) fn run_block(&mut self, block: &Block) -> Run<BlockEnd> {
        // A round of a loop may compute nothing else.
        self.count_expression()?;
        for stmt in block {
            let flow = self.run_stmt(stmt)?;
            if flow != BlockEnd::On {
                return Ok(flow);
            }
        }
        Ok(BlockEnd::On)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement")]
    fn run_stmt(&mut self, stmt: &Stmt) -> Run<BlockEnd> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.eval(value)?;
                self.write_lvalue(&Lvalue::Local(local.index()), value)?;
            }
            StmtKind::LetArray { local, binders, value } => {
                self.let_array(*local, binders, value)?;
            }
            StmtKind::Assign(to, value) => {
                let value = match &value.kind {
                    ExprKind::Random(set) => self.random((set, value), Some(to))?,
                    _ => self.eval(value)?,
                };
                let to = self.resolve_lvalue(to)?;
                self.write_lvalue(&to, value)?;
            }
            StmtKind::Change { place, add, value } => self.run_change(place, *add, value)?,
            StmtKind::Swap(a, b) => {
                let (a, b) = (self.resolve_lvalue(a)?, self.resolve_lvalue(b)?);
                let (first, second) = (self.read_lvalue(&a), self.read_lvalue(&b));
                self.write_lvalue(&a, second)?;
                self.write_lvalue(&b, first)?;
            }
            StmtKind::Reset(targets) => {
                for target in targets {
                    self.reset(target)?;
                }
            }
            StmtKind::Transfer { place, verb, amount } => {
                self.run_transfer(place, *verb, amount)?;
            }
            StmtKind::Roll { place, binder: None } => self.roll_die(place)?,
            StmtKind::Roll { place, binder: Some(binder) } => {
                return self.visit_members(binder, None, &mut |it| {
                    it.roll_die(place).map(|()| BlockEnd::On)
                });
            }
            StmtKind::If { condition, then, otherwise } => {
                let branch = if self.eval_condition(condition)? { then } else { otherwise };
                return self.run_block(branch);
            }
            StmtKind::Match { subject, arms } => {
                let subject = self.eval(subject)?;
                let arm = arms.iter().find(|arm| matches_any(&arm.patterns, &subject));
                return self.run_block(&arm.expect("checked: every case is named").body);
            }
            StmtKind::For { binder, from, body } => {
                return self.visit_members(binder, from.as_ref(), &mut |it| it.run_block(body));
            }
            StmtKind::Times(times, body) => {
                let times = to_amount(self.eval(times)?.to_int())?;
                return self.repeated(body, |_, done| Ok(done < times), |_| Ok(false));
            }
            StmtKind::Repeat(body, until) => {
                let is_done = |it: &mut Self| match until {
                    Some(until) => it.eval_condition(until),
                    None => Ok(false),
                };
                return self.repeated(body, |_, _| Ok(true), is_done);
            }
            StmtKind::While(condition, body) => {
                let holds = |it: &mut Self, _| it.eval_condition(condition);
                return self.repeated(body, holds, |_| Ok(false));
            }
            StmtKind::Turns { local, from, backwards, condition, body } => {
                let from = self.eval(from)?.to_int();
                let way = if *backwards { -1 } else { 1 };
                return self.run_turns((*local, from, way), condition.as_ref(), body);
            }
            StmtKind::Break => return Ok(BlockEnd::Break),
            StmtKind::Continue => return Ok(BlockEnd::Continue),
            StmtKind::Return(None) => return Ok(BlockEnd::Return(Datum::None)),
            StmtKind::Return(Some(value)) => {
                return Ok(BlockEnd::Return(self.eval(value)?));
            }
            StmtKind::Show { targets, to } => self.run_show(targets, to.as_ref())?,
            StmtKind::Say { to, text } => self.run_say(to.as_ref(), text)?,
            StmtKind::Cards(action) => self.card_action(action)?,
            StmtKind::Past(PastVerb::Remember, history) => {
                let position = self.table.state.history_values(self.rules, *history);
                self.table.state.past[history.index()].push(position);
            }
            StmtKind::Past(PastVerb::Forget, history) => {
                self.table.state.past[history.index()].clear();
            }
            StmtKind::Choose(choose) => return self.run_choose(choose),
            StmtKind::FinishDraw => return Err(self.end_in_draw()),
            StmtKind::FinishWin(winners) => {
                let winners = self.eval(winners)?.to_set();
                return Err(self.won_by(&winners.into_iter().collect::<Vec<_>>()));
            }
            StmtKind::FinishRanking { local, keys } => {
                return Err(self.ranked(*local, keys)?);
            }
            StmtKind::FinishAll { win } => {
                return Err(self.end_together(if *win { 1 } else { -1 }, None));
            }
            StmtKind::FinishTogether(score) => {
                let score = self.eval(score)?.to_int();
                return Err(self.end_together(0, Some(score)));
            }
            StmtKind::FinishTeams { local, team, end } => {
                return Err(self.end_in_teams(*local, team, end)?);
            }
            StmtKind::Call(call) => {
                self.eval(call)?;
            }
        }
        Ok(BlockEnd::On)
    }

    /// `say "…"`: in a `suppose` its text is not computed.
    pub(super) fn run_say(&mut self, to: Option<&Expr>, text: &Expr) -> Run {
        if self.supposed > 0 {
            return Ok(());
        }
        let to = self.number_if_any(to)?;
        let text = self.eval(text)?.phrase().into_sentence();
        self.tell_player(to, text, false);
        Ok(())
    }

    /// Says something to a player, or to everybody. Nobody hears what is only supposed.
    pub(super) fn tell_player(&mut self, to: Option<i64>, text: String, declines: bool) {
        if self.supposed == 0 {
            self.said.push(Speech { to, text, declines });
        }
    }
}
