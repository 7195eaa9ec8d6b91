//! Pairs to tree: blocks and statements.

use pest::iterators::Pair;

use crate::diagnostic::Help;
use crate::syntax::ast::{
    Arm, AssignOp, Binder, Block, CoinVerb, Expr, ExprKind, Finish, Stmt, StmtKind,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::print_expression;
use crate::syntax::tree::{Builder, Built, Parts};

impl Builder {
    /// `block`: statements in braces.
    pub(super) fn block(self, pair: Pair<'_, Rule>) -> Built<Block> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let stmts = Self::each(&mut parts, Rule::statement, |pair| self.statement(pair))?;
        Ok(Block { stmts, span })
    }

    /// A block, or one statement that stands for a block of its own.
    pub(super) fn typed_block(self, pair: Pair<'_, Rule>) -> Built<Block> {
        if pair.as_rule() == Rule::block {
            return self.block(pair);
        }
        let span = self.span(&pair);
        Ok(Block { stmts: vec![self.statement(pair)?], span })
    }

    /// `statement`: any of them.
    pub(super) fn statement(self, pair: Pair<'_, Rule>) -> Built<Stmt> {
        let span = self.span(&pair);
        let pair = Parts::of(pair).any();
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        let kind = match rule {
            Rule::let_statement => self.let_statement(&mut parts)?,
            Rule::var_statement => self.var_statement(&mut parts)?,
            Rule::if_statement => self.if_statement(&mut parts)?,
            Rule::match_statement => self.match_statement(&mut parts)?,
            Rule::for_statement => self.for_statement(&mut parts)?,
            Rule::repeat_statement => self.repeat_statement(&mut parts)?,
            Rule::while_statement => self.while_statement(&mut parts)?,
            Rule::return_statement => StmtKind::Return(self.perhaps_expression(&mut parts)?),
            Rule::break_statement => StmtKind::Break,
            Rule::choose_statement => StmtKind::Choose(self.choose(&mut parts)?),
            Rule::turns_statement => self.turns_statement(&mut parts)?,
            Rule::swap_statement => self.swap_statement(&mut parts)?,
            Rule::reset_statement => StmtKind::Reset(self.operands(&mut parts)?),
            Rule::roll_statement => self.roll_statement(&mut parts)?,
            Rule::reveal_statement => {
                StmtKind::Show { places: self.operands(&mut parts)?, to: None }
            }
            Rule::show_statement => self.show_statement(&mut parts)?,
            Rule::look_statement | Rule::move_statement | Rule::shuffle_statement => {
                StmtKind::Cards(self.card_deed(rule, &mut parts)?)
            }
            Rule::say_statement => self.say_statement(&mut parts)?,
            Rule::finish_statement => StmtKind::Finish(self.finish(parts.any())?),
            Rule::place_statement => self.place_statement(&mut parts)?,
            rule => unreachable!("the grammar has no {rule:?} among the statements"),
        };
        Ok(Stmt { kind, span })
    }

    fn perhaps_expression(self, parts: &mut Parts<'_>) -> Built<Option<Expr>> {
        parts.optional(Rule::expression).map(|pair| self.expression(pair)).transpose()
    }

    fn next_expression(self, parts: &mut Parts<'_>) -> Built<Expr> {
        self.expression(parts.one(Rule::expression))
    }

    fn operands(self, parts: &mut Parts<'_>) -> Built<Vec<Expr>> {
        Self::each(parts, Rule::operand, |pair| self.operand(pair))
    }

    fn show_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let mut places = self.operands(parts)?;
        let to = places.pop();
        Ok(StmtKind::Show { places, to })
    }

    fn let_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let name = self.name(&parts.one(Rule::name));
        Ok(StmtKind::Let { name, value: self.next_expression(parts)? })
    }

    fn var_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let name = self.name(&parts.one(Rule::name));
        let dims = self.dims(parts)?;
        let ty = self.perhaps_type(parts)?;
        Ok(StmtKind::Var { name, dims, ty, value: self.next_expression(parts)? })
    }

    fn if_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let condition = self.next_expression(parts)?;
        let then = self.block(parts.one(Rule::block))?;
        let otherwise = parts.optional(Rule::else_part);
        let otherwise = otherwise.map(|pair| self.else_part(pair)).transpose()?;
        Ok(StmtKind::If { condition, then, otherwise })
    }

    /// `else_part`: a block; an `if` that follows becomes the only statement of one.
    fn else_part(self, pair: Pair<'_, Rule>) -> Built<Block> {
        let part = Parts::of(pair).any();
        if part.as_rule() == Rule::block {
            return self.block(part);
        }
        let span = self.span(&part);
        let kind = self.if_statement(&mut Parts::of(part))?;
        Ok(Block { stmts: vec![Stmt { kind, span }], span })
    }

    fn match_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let subject = self.next_expression(parts)?;
        Ok(StmtKind::Match { subject, arms: self.statement_arms(parts)? })
    }

    /// Cases that do something.
    pub(super) fn statement_arms(self, parts: &mut Parts<'_>) -> Built<Vec<Arm<Block>>> {
        Self::each(parts, Rule::statement_arm, |pair| self.statement_arm(pair))
    }

    fn statement_arm(self, pair: Pair<'_, Rule>) -> Built<Arm<Block>> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let patterns = self.patterns(parts.one(Rule::patterns))?;
        let body = parts.any();
        let body = if body.as_rule() == Rule::block {
            self.block(body)?
        } else {
            let stmt = self.statement(body)?;
            Block { span: stmt.span, stmts: vec![stmt] }
        };
        Ok(Arm { patterns, body, span })
    }

    fn for_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let name = self.name(&parts.one(Rule::name));
        let set = Box::new(self.plain(parts.one(Rule::plain))?);
        let from = self.perhaps_from(parts)?;
        let condition = self.perhaps_where(parts)?.map(Box::new);
        let binder = Binder { name, set, condition };
        Ok(StmtKind::For { binder, from, body: self.block(parts.one(Rule::block))? })
    }

    fn repeat_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let times = self.perhaps_expression(parts)?;
        let body = self.block(parts.one(Rule::block))?;
        let until = parts.optional(Rule::until_part);
        let until = until.map(|pair| self.expression(Parts::of(pair).any())).transpose()?;
        Ok(StmtKind::Repeat { times, body, until })
    }

    fn while_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let condition = self.next_expression(parts)?;
        Ok(StmtKind::While { condition, body: self.block(parts.one(Rule::block))? })
    }

    fn turns_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let name = self.name(&parts.one(Rule::name));
        let from = self.plain(parts.one(Rule::plain))?;
        let condition = self.perhaps_where(parts)?;
        Ok(StmtKind::Turns { name, from, condition, body: self.block(parts.one(Rule::block))? })
    }

    fn swap_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let first = self.operand(parts.one(Rule::operand))?;
        Ok(StmtKind::Swap(first, self.operand(parts.one(Rule::operand))?))
    }

    fn roll_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let die = self.operand(parts.one(Rule::operand))?;
        let binder = parts.optional(Rule::binder).map(|pair| self.binder(pair)).transpose()?;
        Ok(StmtKind::Roll { die, binder })
    }

    fn say_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let to = parts.optional(Rule::say_to);
        let to = to.map(|pair| self.operand(Parts::of(pair).any())).transpose()?;
        Ok(StmtKind::Say { to, text: self.next_expression(parts)? })
    }

    fn finish(self, pair: Pair<'_, Rule>) -> Built<Finish> {
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        Ok(match rule {
            Rule::finish_draw => Finish::Draw,
            Rule::finish_win => Finish::Win(self.next_expression(&mut parts)?),
            _ => {
                let name = self.name(&parts.one(Rule::name));
                let keys = Self::each(&mut parts, Rule::expression, |key| self.expression(key))?;
                Finish::Ranking { name, keys }
            }
        })
    }

    fn place_statement(self, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let place = self.operand(parts.one(Rule::operand))?;
        let Some(change) = parts.next() else { return alone(place) };
        if change.as_rule() == Rule::coin_change {
            return self.coin_change(place, &mut Parts::of(change));
        }
        let op = match change.as_str().get(..2) {
            Some("+=") => AssignOp::Add,
            Some("-=") => AssignOp::Subtract,
            _ => AssignOp::Set,
        };
        let value = self.next_expression(&mut Parts::of(change))?;
        Ok(StmtKind::Assign { place, op, value })
    }

    fn coin_change(self, owner: Expr, parts: &mut Parts<'_>) -> Built<StmtKind> {
        let verb = match parts.any().as_rule() {
            Rule::gains => CoinVerb::Gains,
            Rule::loses => CoinVerb::Loses,
            _ => CoinVerb::Pays,
        };
        let amount = self.plain(parts.one(Rule::plain))?;
        let coin = self.name(&parts.one(Rule::name));
        let index = parts.optional(Rule::index).map(|pair| self.expressions(pair)).transpose()?;
        let verb = parts.optional(Rule::lose_rest).map_or(verb, |_| CoinVerb::GainsAtMost);
        Ok(StmtKind::Coin { owner, verb, amount, coin, index: index.unwrap_or_default() })
    }
}

/// An expression that stands alone: only a call does something.
fn alone(expr: Expr) -> Built<StmtKind> {
    match expr.kind {
        ExprKind::Call(..) | ExprKind::Method(..) => Ok(StmtKind::Call(expr)),
        _ => Err(SyntaxError::IdleStatement { help: way_out(&expr), span: expr.span }),
    }
}

/// What was meant by a value that stands alone.
fn way_out(value: &Expr) -> Help {
    if let ExprKind::Match(subject, _) = &value.kind {
        let subject = print_expression(subject);
        return format!(
            "a rule gives its value back with `return`: `return match {subject} {{ … }}`; cases that do \
             something have no values, but statements"
        )
        .into();
    }
    let ExprKind::Name(name) = &value.kind else {
        return "a statement gives a value (`a = 1`), calls a rule (`deal(me)`), or begins with a word \
                such as `say`; a rule gives its value back with `return`"
            .into();
    };
    match name.text.as_str() {
        "finish" | "end" | "win" => {
            "say how it ends: `finish win me`, `finish draw` or `finish ranking p by p.points`"
                .into()
        }
        "draw" | "tie" => Help::form("if nobody wins, say", "finish draw"),
        "roll" => "say which die: `roll cube`".into(),
        "continue" => "there is no `continue`: put what follows into an `if`".into(),
        "pass" | "skip" | "nothing" => "where nothing happens the braces are empty: `{ }`".into(),
        "stop" | "exit" | "quit" => {
            "`break` leaves a loop, `return` a rule, `finish` the game".into()
        }
        name => {
            format!("a rule is called with parentheses: `{name}()`; a value is given: `{name} = …`")
                .into()
        }
    }
}
