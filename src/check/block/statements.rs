//! Types each form of statement, and statements that follow one another.

use std::ops::Range;
use std::rc::Rc;

use crate::check::block::{BlockTyper, Returning};
use crate::check::error;
use crate::check::file::{Need, Requirement};
use crate::check::typer::bags::{Bag, bag_amount_range};
use crate::check::typer::hints::change_text;
use crate::check::typer::histories::check_past;
use crate::check::typer::lists::appended;
use crate::check::typer::sets::BEFORE_FROM;
use crate::check::typer::types::{WrittenType, resolve, resolve_domain};
use crate::check::words::WrittenCall;
use crate::diagnostic::Help;
use crate::rules::ends::{block_ends, breaks};
use crate::rules::{Block, Domain, Expr, Local, Stmt, StmtKind, Type, player};
use crate::source::Span;
use crate::syntax::{ast, print_expression};

impl BlockTyper<'_, '_, '_> {
    pub(crate) fn check_block(&mut self, block: &ast::Block) -> Block {
        self.scoped(|steps| steps.stmts(block))
    }

    pub(crate) fn stmts(&mut self, block: &ast::Block) -> Block {
        block.stmts.iter().flat_map(|stmt| self.stmt_with_values(stmt)).collect()
    }

    /// A statement, after those that keep its values.
    pub(crate) fn stmt_with_values(&mut self, stmt: &ast::Stmt) -> Block {
        let outer = std::mem::take(&mut self.state.before);
        let checked = self.check_stmt(stmt);
        let mut stmts = std::mem::replace(&mut self.state.before, outer);
        stmts.extend(checked);
        stmts
    }

    fn looped(&mut self, block: &ast::Block) -> Block {
        self.round(false, |steps| steps.check_block(block)).0
    }

    /// Checks the body of a loop; says where `continue` ended a round, and with how many names.
    fn round(
        &mut self,
        joined: bool,
        body: impl FnOnce(&mut BlockTyper) -> Block,
    ) -> (Block, Option<(usize, Span)>) {
        let outer = self.state.continued.take();
        let around = std::mem::replace(&mut self.state.joined, joined);
        self.state.loops += 1;
        let body = body(self);
        self.state.loops -= 1;
        self.state.joined = around;
        (body, std::mem::replace(&mut self.state.continued, outer))
    }

    /// A statement; nothing when it is too broken to keep.
    fn check_stmt(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        let span = stmt.span;
        if !self.typer.file.may_go_on() {
            return None;
        }
        self.typer.file.keep_notes(&stmt.notes, span);
        let kind = match &stmt.kind {
            ast::StmtKind::Let { name, value } => self.let_stmt(name, value),
            ast::StmtKind::Var { name, dims, ty, value } => {
                self.var_stmt((name, dims, ty.as_ref()), value)?
            }
            ast::StmtKind::Assign { place, op, value } => self.assign(place, *op, value)?,
            ast::StmtKind::Swap(a, b) => self.swap(a, b)?,
            ast::StmtKind::Reset(places) => self.reset(places),
            ast::StmtKind::Show { places, to } => self.check_show(places, to.as_ref()),
            ast::StmtKind::Transfer { .. } => self.check_transfer(&stmt.kind, span)?,
            ast::StmtKind::Roll { die, binder } => self.roll_stmt(die, binder.as_ref())?,
            ast::StmtKind::If { condition, then, otherwise } => {
                self.if_stmt(condition, then, otherwise.as_ref())
            }
            ast::StmtKind::Match { subject, arms } => {
                let subject = self.typer.infer_subject(subject);
                let state = &mut *self.state;
                let arms = self.typer.check_arms(&subject, arms, span, |typer, body| {
                    BlockTyper { typer, state: &mut *state }.check_block(body)
                });
                (subject.ty != Type::Unknown).then_some(StmtKind::Match { subject, arms })?
            }
            ast::StmtKind::For { binder, from, body, joined } => {
                self.for_stmt((binder, from.as_ref()), body, *joined)
            }
            ast::StmtKind::Repeat { times, body, until } => {
                self.repeat(times.as_ref(), body, until.as_ref())
            }
            ast::StmtKind::While { condition, body } => self.while_stmt(condition, body),
            ast::StmtKind::Turns { name, from, backwards, condition, body } => {
                self.check_turns_stmt((name, from, condition.as_ref()), *backwards, body)
            }
            ast::StmtKind::Break => self.leave_round(StmtKind::Break, "break", span),
            ast::StmtKind::Continue => {
                self.state.continued.get_or_insert((self.typer.scope.locals.len(), span));
                self.leave_round(StmtKind::Continue, "continue", span)
            }
            ast::StmtKind::Return(value) => self.return_stmt(value.as_ref(), span),
            ast::StmtKind::Say { to, text } => self.check_say(to.as_ref(), text),
            ast::StmtKind::Cards(action) => self.card_statement(action)?,
            ast::StmtKind::Past(verb, history) => check_past(self.typer, *verb, history)?,
            ast::StmtKind::Choose(choose) => StmtKind::Choose(Box::new(self.check_choose(choose))),
            ast::StmtKind::Finish(finish) => self.check_finish(finish, stmt.span),
            ast::StmtKind::Call(call) => self.call_stmt(call)?,
        };
        Some(Stmt { kind: self.drawing(kind), span })
    }

    fn let_stmt(&mut self, name: &ast::Name, value: &ast::Expr) -> StmtKind {
        let value = self.check_value(value, None);
        let value = self.typer.file.keep_range(value);
        let value = match Bag::from_expr(value) {
            Ok(bag) => return self.let_bag(name, bag),
            Err(value) => value,
        };
        let mut ty = value.ty.clone();
        if let Type::None | Type::EmptySet | Type::Span = ty {
            let help = format!("write it: `var {}: TYPE = …`", name.text);
            self.typer.file.report_error(self.typer.look().untyped(name, &value, help));
            ty = Type::Unknown;
        }
        self.typer.file.recorder.note_kept(name);
        StmtKind::Let(self.typer.declare(name, ty), value)
    }

    /// `let b = BAG`: an array that stays as it is.
    fn let_bag(&mut self, name: &ast::Name, bag: Bag) -> StmtKind {
        self.typer.file.recorder.note_kept(name);
        let local = self.typer.declare_local(Local {
            dims: vec![Domain::Kind(bag.kind)],
            ..Local::fixed(&name.text, Type::Number, name.span)
        });
        StmtKind::LetArray { local, binders: vec![Some(bag.good)], value: bag.amount }
    }

    fn var_stmt(
        &mut self,
        (name, dims, ty): (&ast::Name, &[ast::Dim], Option<&ast::TypeExpr>),
        value: &ast::Expr,
    ) -> Option<StmtKind> {
        let written = ty.map(|ty| resolve(self.typer.file, ty));
        let domains: Option<Vec<Domain>> =
            dims.iter().map(|dim| resolve_domain(self.typer.file, &dim.ty)).collect();
        let want = written.as_ref().map(|written| &written.ty);
        let mut is_array = !dims.is_empty();
        let (binders, value) = if dims.is_empty() {
            let value = self.check_value(value, want);
            (Vec::new(), if want.is_none() { self.typer.file.keep_range(value) } else { value })
        } else {
            // The first value may read the indices.
            self.scoped(|steps| {
                let mut binders = Vec::new();
                for (at, dim) in dims.iter().enumerate() {
                    let ty = domains.as_ref().map_or(Type::Unknown, |of| of[at].member_type());
                    binders.push(dim.binder.as_ref().map(|name| steps.typer.declare(name, ty)));
                }
                (binders, steps.typer.expect_or_infer(value, want))
            })
        };
        let written = written.unwrap_or_else(|| WrittenType::from_type(value.ty.clone()));
        let ty = self.typer.file.check_storable(name, written.ty, dims.is_empty(), value.span);
        let ty = if domains.is_none() { Type::Unknown } else { ty };
        let (mut binders, mut domains, mut ty, mut range) = (binders, domains, ty, written.range);
        let value = match Bag::from_expr(value) {
            Ok(bag) => {
                if let Type::Bag(kind) = ty
                    && let Some(domains) = &mut domains
                {
                    domains.push(Domain::Kind(kind));
                    binders.push(Some(bag.good));
                    (ty, is_array) = (Type::Number, true);
                }
                range = range.or_else(|| bag_amount_range(self.typer.file, None, name.span));
                bag.amount
            }
            Err(value) => value,
        };
        self.typer.file.recorder.note_kept(name);
        let local = self.typer.declare_local(Local {
            dims: domains.clone().unwrap_or_default(),
            range,
            mutable: true,
            ..Local::fixed(&name.text, ty, name.span)
        });
        domains?;
        Some(if is_array {
            StmtKind::LetArray { local, binders, value }
        } else {
            StmtKind::Let(local, value)
        })
    }

    fn assign(
        &mut self,
        place: &ast::Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
    ) -> Option<StmtKind> {
        let before = self.typer.file.diagnostics.count();
        self.typer.scope.changed = change_text(place, op, value);
        let changed = self.check_place(place);
        self.typer.scope.changed = None;
        let Some(place) = changed.filter(|_| self.typer.file.diagnostics.count() == before) else {
            self.typer.alone = true;
            self.typer.infer(value, None);
            return None;
        };
        if let Type::Bag(_) = place.ty {
            return self.assign_bag(place, op, value);
        }
        if op == ast::AssignOp::Set {
            let value = self.check_value(value, Some(&place.ty));
            return Some(StmtKind::Assign(place, value));
        }
        if let Type::List(..) = place.ty {
            let add = op == ast::AssignOp::Add;
            let value = appended(self.typer, &place, add, value)?;
            return Some(StmtKind::Change { place, add, value });
        }
        if !matches!(place.ty, Type::Number | Type::Set(_)) {
            self.typer.infer(value, Some(&place.ty));
            let (expected, found) =
                ("a number or a set to change", self.typer.file.rules.describe_type(&place.ty));
            let help = "write the new value: `place = …`";
            let error = error::type_mismatch(expected, found, help, place.span);
            return self.typer.file.refuse_with(error);
        }
        let value = self.typer.infer_as(value, &place.ty);
        Some(StmtKind::Change { place, add: op == ast::AssignOp::Add, value })
    }

    fn swap(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<StmtKind> {
        let (a, b) = (self.check_place(a), self.check_place(b));
        let (a, b) = (a?, b?);
        if a.ty != b.ty {
            return self.typer.file.refuse_with(self.typer.look().misfit_error(&b, &a.ty));
        }
        match (Bag::from_expr(a), Bag::from_expr(b)) {
            (Ok(a), Ok(b)) => Some(BlockTyper::swap_bags(&a, &b)),
            (Err(a), Err(b)) => Some(StmtKind::Swap(a, b)),
            _ => None,
        }
    }

    fn roll_stmt(&mut self, die: &ast::Expr, binder: Option<&ast::Binder>) -> Option<StmtKind> {
        let slip = match binder {
            Some(binder) => self.typer.look().rolled_by_index(die, binder),
            None => self.typer.look().rolled_whole(die),
        };
        if let Some(error) = slip {
            return self.typer.file.refuse_with(error);
        }
        let Some(binder) = binder else {
            let place = self.typer.die(die, None)?;
            return (place.ty != Type::Unknown).then_some(StmtKind::Roll { place, binder: None });
        };
        self.scoped(|steps| {
            let binder = steps.typer.check_binder(binder, None);
            let ty = steps.typer.scope.local_at(binder.local).ty.clone();
            let place = steps.typer.die(die, Some((binder.local, ty)))?;
            Some(StmtKind::Roll { place, binder: Some(binder) })
        })
    }

    fn if_stmt(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Block,
        otherwise: Option<&ast::Block>,
    ) -> StmtKind {
        let condition = self.typer.condition(condition, "the condition of `if`");
        let then = self.assuming((&condition, true), |steps| steps.stmts(then));
        let otherwise = self.assuming((&condition, false), |steps| {
            otherwise.map(|block| steps.stmts(block)).unwrap_or_default()
        });
        // What follows is reached only by the branch that goes on.
        match (block_ends(&then), block_ends(&otherwise)) {
            (true, false) => self.typer.assume(&condition, false),
            (false, true) => self.typer.assume(&condition, true),
            _ => {}
        }
        StmtKind::If { condition, then, otherwise }
    }

    fn for_stmt(
        &mut self,
        (binder, from): (&ast::Binder, Option<&ast::Expr>),
        body: &ast::Block,
        joined: bool,
    ) -> StmtKind {
        if let ast::ExprKind::Random(_) = binder.set.kind {
            self.typer.file.report_error(error::one_member(binder.set.span));
        }
        self.scoped(|steps| {
            steps.typer.alone = true;
            let (set, member) = match from {
                Some(_) => steps.typer.iterated_members(&binder.set, None, BEFORE_FROM),
                None => steps.typer.iterated(&binder.set, None),
            };
            steps.typer.alone = false;
            let mut set = steps.settled(set);
            let from = from.map(|from| steps.typer.infer_as(from, &member));
            if from.is_none() {
                set = steps.typer.file.walked(set);
            } else {
                set = steps.typer.file.keep_range(set);
                if !matches!(set.ty, Type::Set(_) | Type::Unknown) {
                    steps.typer.not_a_set(&set);
                }
                set = steps.typer.refuse_order(set);
            }
            let binder = steps.typer.bind_member(binder, set, member);
            let (body, _) = steps.round(joined, |steps| steps.check_block(body));
            StmtKind::For { binder, from, body }
        })
    }

    fn repeat(
        &mut self,
        times: Option<&ast::Expr>,
        body: &ast::Block,
        until: Option<&ast::Expr>,
    ) -> StmtKind {
        let times = times.map(|times| self.typer.infer_as(times, &Type::Number));
        let (mut body, until) = self.scoped(|steps| {
            let known = Rc::clone(&steps.typer.scope.known);
            let (body, continued) = steps.round(false, |steps| steps.stmts(body));
            let names = steps.typer.scope.locals.len();
            if continued.is_some() {
                // What the rest of the body proves was skipped.
                steps.typer.scope.known = known;
            }
            let until = until.map(|until| steps.typer.condition(until, "`until`"));
            if let (Some(until), Some((first, by))) = (&until, continued) {
                steps.refuse_skipped(until, first..names, by);
            }
            (body, until)
        });
        let Some(times) = times else { return StmtKind::Repeat(body, until) };
        if let Some(condition) = until {
            let span = condition.span;
            let then = vec![Stmt { kind: StmtKind::Break, span }];
            let kind = StmtKind::If { condition, then, otherwise: Vec::new() };
            body.push(Stmt { kind, span });
        }
        StmtKind::Times(times, body)
    }

    fn while_stmt(&mut self, condition: &ast::Expr, body: &ast::Block) -> StmtKind {
        let condition = self.typer.condition(condition, "the condition of `while`");
        let body = self.assuming((&condition, true), |steps| steps.looped(body));
        if !breaks(&body) {
            self.typer.assume(&condition, false);
        }
        StmtKind::While(condition, body)
    }

    fn check_turns_stmt(
        &mut self,
        (name, from, condition): (&ast::Name, &ast::Expr, Option<&ast::Expr>),
        backwards: bool,
        body: &ast::Block,
    ) -> StmtKind {
        self.typer.effects.changes = true;
        let from = self.check_value(from, Some(&player()));
        self.scoped(|steps| {
            let local = steps.typer.declare(name, player());
            let condition = condition.map(|condition| steps.typer.condition(condition, "`where`"));
            let body = steps.scoped(|steps| {
                if let Some(condition) = &condition {
                    steps.typer.assume(condition, true);
                }
                steps.looped(body)
            });
            StmtKind::Turns { local, from, backwards, condition, body }
        })
    }

    /// `break` or `continue`
    fn leave_round(&mut self, stmt: StmtKind, word: &'static str, span: Span) -> StmtKind {
        if self.state.loops > 0 {
            if self.state.joined && matches!(stmt, StmtKind::Break) {
                self.typer.file.report_error(error::unclear_break(span));
            }
            return stmt;
        }
        if !self.leaves_too_much(word, span) {
            self.typer.file.report_error(error::break_outside_loop(word, span));
        }
        nothing()
    }

    /// Reports names in an `until` that `continue` may have skipped.
    fn refuse_skipped(&mut self, until: &Expr, skipped: Range<usize>, by: Span) {
        let mut read = None;
        until.visit_tree(&mut |part| {
            if let Some(local) = part.as_local().filter(|local| skipped.contains(&local.index())) {
                read.get_or_insert((local, part.span));
            }
        });
        if let Some((local, span)) = read {
            let name = &self.typer.scope.local_at(local).name;
            self.typer.file.report_error(error::skipped_name(name, span, by));
        }
    }

    fn check_say(&mut self, to: Option<&ast::Expr>, text: &ast::Expr) -> StmtKind {
        self.typer.effects.says = true;
        let to = to.map(|to| self.typer.infer_as(to, &player()));
        let text = self.in_condition("a text", |steps| steps.check_said_text(text));
        StmtKind::Say { to, text }
    }

    /// The text of `say`.
    fn check_said_text(&mut self, text: &ast::Expr) -> Expr {
        let said = self.typer.infer(text, Some(&Type::Text));
        self.typer.look().fit(said, &Type::Text).unwrap_or_else(|said| {
            let form = format!("\"{{{}}}\"", print_expression(text));
            let help = Help::form("put a value in a hole of the text:", &form);
            self.typer.refuse_misfit(&said, &Type::Text, Some(help))
        })
    }

    fn call_stmt(&mut self, call: &ast::Expr) -> Option<StmtKind> {
        match &call.kind {
            ast::ExprKind::Call(name, args)
                if self.typer.look().rule_named(&name.text).is_some() =>
            {
                let (call, rule) =
                    self.typer.call_rule(WrittenCall { name, args, span: call.span })?;
                self.typer.file.requirements.push(Requirement {
                    rule,
                    need: Need::Effect,
                    span: call.span,
                });
                Some(StmtKind::Call(call))
            }
            ast::ExprKind::Random(_) | ast::ExprKind::Roll(_) | ast::ExprKind::Pick { .. } => {
                let value = self.check_value(call, None);
                let local =
                    self.typer.scope.add_local(Local::fixed("it", value.ty.clone(), value.span));
                Some(StmtKind::Let(local, value))
            }
            _ => {
                let value = self.typer.infer(call, None);
                if value.ty != Type::Unknown {
                    let help = "keep it with `let`, or remove it";
                    self.typer.file.report_error(error::value_alone(help, call.span));
                }
                None
            }
        }
    }

    /// Reports a word that would leave what cannot be left: a group of moves, or what is supposed.
    pub(crate) fn leaves_too_much(&mut self, word: &'static str, span: Span) -> bool {
        let error = match &self.state.returning {
            Returning::Group(name) => error::leaves_moves(word, name, span),
            Returning::Supposed => error::leaves_suppose(word, span),
            Returning::Value(_) | Returning::Nothing(_) => return false,
        };
        self.typer.file.report_error(error);
        true
    }
}

/// In place of a refused `break`, `continue` or `return`: what follows stays reachable.
pub(crate) fn nothing() -> StmtKind {
    StmtKind::Reset(Vec::new())
}
