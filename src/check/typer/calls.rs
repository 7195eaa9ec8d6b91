//! Types calls of rules and functions.

use crate::check::block::rules::rule_type;
use crate::check::error;
use crate::check::file::{Need, Requirement};
use crate::check::recorder::Symbol;
use crate::check::typer::bags::Bag;
use crate::check::typer::board_lines::check_lines;
use crate::check::typer::boards::relation;
use crate::check::typer::joints::check_joints;
use crate::check::typer::numbering::{combination, member_at};
use crate::check::typer::scope::Scope;
use crate::check::typer::sets::IN_ONLY;
use crate::check::typer::unresolved::report_unknown_rule;
use crate::check::typer::{ExprSpot, Mode, Typer};
use crate::check::words::{BASE, WrittenCall};
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::print::{rule_head, written_params};
use crate::rules::{
    Arith, Binder, Expr, ExprKind, Kind, Local, LocalId, RuleId, Type, UnaryOp, format_count,
    player, players_type, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{self, FoldWord};
use crate::syntax::print_expression;
use crate::syntax::{BOARD_FUNCTIONS, FUNCTIONS};

impl Typer<'_, '_> {
    pub(crate) fn check_call(&mut self, call: WrittenCall, alone: bool) -> Expr {
        let WrittenCall { name, args, span } = call;
        if self.file.recorder.is_probe(&name.text) {
            let context = self.look().value_context(None);
            self.file.recorder.see(&name.text, context);
        }
        let has_board = || self.file.rules.kinds.iter().any(Kind::is_board);
        if BOARD_FUNCTIONS.contains(&name.text.as_str()) && has_board() {
            return relation(self, &name.text, args, span);
        }
        if let Some(value) = check_joints(self, call) {
            return value;
        }
        if let Some(value) = combination(self, call) {
            return value;
        }
        if let ("count", [set, _]) = (name.text.as_str(), args) {
            let form = format!("count(x in {}: …)", print_expression(set));
            return self.file.report_as_expr(error::fold_form(&name.text, form, span));
        }
        if let Some(error) = self.look().fold_of_array(call) {
            return self.file.report_as_expr(error);
        }
        if let Some(value) = self.function(call) {
            return value;
        }
        if let Some(error) = fold_form(call) {
            return self.file.report_as_expr(error);
        }
        let Some((call, rule)) = self.call_rule(call) else { return unknown_expr(span) };
        // Its effects are known only when all bodies are.
        let need = match self.condition {
            Some(what) => Some(Need::Condition(what)),
            None => (!alone).then_some(Need::Inside),
        };
        self.file.requirements.extend(need.map(|need| Requirement { rule, need, span }));
        if call.ty == Type::Nothing {
            let (found, help) = (
                self.file.rules.describe_type(&call.ty),
                self.look().help_for_misfit(&call, &Type::Unknown),
            );
            return self.file.report_as_expr(error::type_mismatch("a value", found, help, span));
        }
        call
    }

    /// A call of a rule, whatever it returns; nothing when there is no such rule.
    pub(crate) fn call_rule(&mut self, call: WrittenCall) -> Option<(Expr, RuleId)> {
        let WrittenCall { name, args, span } = call;
        let Some(rule) = self.look().rule_named(&name.text) else {
            report_unknown_rule(self.file, &self.scope, call);
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            return None;
        };
        self.file.recorder.note_use(name.span, Symbol::Rule(rule));
        if self.mode == Mode::Constant {
            let what = format!("what the rule `{}` returns", name.text);
            self.file.report_as_expr(error::not_constant(what, span));
            return None;
        }
        let ty = rule_type(self.file, rule, span);
        let bag = self.file.rules.rule(rule).bag;
        let args = self.check_arguments(rule, args, span);
        if self.supposing {
            self.file.requirements.push(Requirement { rule, need: Need::Supposed, span });
        } else {
            self.calls.push(rule);
        }
        let mut args = args?;
        let Some(kind) = bag else {
            return Some((typed(ExprKind::Call(rule, args), ty, span), rule));
        };
        let good = self.scope.add_good(&self.file.rules, kind, span);
        args.push(typed(ExprKind::Local(good), Type::Kind(kind), span));
        let amount = typed(ExprKind::Call(rule, args), Type::Number, span);
        Some((Bag { kind, good, amount }.into_expr(span), rule))
    }

    fn check_arguments(
        &mut self,
        rule: RuleId,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Vec<Expr>> {
        let called = self.file.rules.rule(rule);
        let params = written_params(&self.file.rules, called);
        if params.len() != args.len() {
            let (own, head) = (called.name.as_str(), rule_head(&self.file.rules, called));
            let name = if self.scope.base == Some(rule) { BASE } else { own };
            let head = head.replacen(own, name, 1);
            let (expected, found) = (format_count(params.len(), "argument"), args.len());
            let declared = self.file.seats.is_none().then_some(called.span);
            let name = name.to_owned();
            let error = error::WrongArgumentCount { name, expected, found, head, span, declared };
            self.file.report_error(error);
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            return None;
        }
        let mut checked = Vec::new();
        for (arg, param) in args.iter().zip(params) {
            let arg = match param.ty {
                Type::Bag(_) => self.infer_as(arg, &param.ty),
                ty => self.check_argument(rule, arg, &ty),
            };
            match Bag::from_expr(arg) {
                Ok(bag) => checked.extend(bag.all_amounts(&self.file.rules)),
                Err(arg) => checked.push(arg),
            }
        }
        Some(checked)
    }

    fn check_argument(&mut self, rule: RuleId, arg: &ast::Expr, ty: &Type) -> Expr {
        let arg = self.infer(arg, Some(ty));
        self.look().fit(arg, ty).unwrap_or_else(|arg| {
            let declared = || {
                format!(
                    "the rule is declared as `{}`",
                    rule_head(&self.file.rules, self.file.rules.rule(rule))
                )
            };
            let help = (!self.look().needs_part(&arg, ty)).then(|| declared().into());
            self.refuse_misfit(&arg, ty, help)
        })
    }

    /// A call of a built-in function; nothing when it is not one.
    fn function(&mut self, call: WrittenCall) -> Option<Expr> {
        let WrittenCall { name, args, span } = call;
        let &(word, head, count) = FUNCTIONS.iter().find(|(word, ..)| *word == name.text)?;
        if count != args.len() {
            let (expected, found) = (format_count(count, "argument"), args.len());
            let error = error::WrongArgumentCount {
                name: word,
                expected,
                found,
                head,
                span,
                declared: None,
            };
            return Some(self.file.report_as_expr(error));
        }
        Some(match (word, args) {
            ("next", [p]) => self.builtin(UnaryOp::Next, p, player(), span),
            ("previous", [p]) => self.builtin(UnaryOp::Previous, p, player(), span),
            ("others", [p]) => self.builtin(UnaryOp::Others, p, players_type(), span),
            ("abs", [n]) => self.builtin(UnaryOp::Abs, n, Type::Number, span),
            ("min", [a, b]) => self.check_arith(Arith::Min, (a, b), span),
            ("max", [a, b]) => self.check_arith(Arith::Max, (a, b), span),
            ("ceil", [of]) => self.division(Arith::CeilDivide, of, span),
            ("floor", [of]) => self.division(Arith::FloorDivide, of, span),
            ("only", all) => {
                let (set, member) = self.iterated_members(&all[0], None, IN_ONLY);
                let of = (set, member.clone());
                fold_members(&mut self.scope, FoldWord::Only, of, member, span)
            }
            (_, all) => self.count_of(&all[0], span),
        })
    }

    fn builtin(&mut self, builtin: UnaryOp, arg: &ast::Expr, ty: Type, span: Span) -> Expr {
        let want = if builtin == UnaryOp::Abs { Type::Number } else { player() };
        let arg = self.infer(arg, Some(&want));
        match self.look().fit(arg, &want) {
            Ok(arg) => typed(ExprKind::new_unary(builtin, arg), ty, span),
            Err(arg) => {
                self.refuse_misfit(&arg, &want, self.look().step_instead(builtin, &arg, span))
            }
        }
    }

    /// `ceil(a / b)`, `floor(a / b)`
    fn division(&mut self, op: Arith, of: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Binary(ast::BinaryOp::Divide, a, b) = &of.kind {
            return self.check_arith(op, (a, b), span);
        }
        self.infer(of, None);
        let word = if op == Arith::CeilDivide { "ceil" } else { "floor" };
        self.file.report_as_expr(error::needs_division(word, of.span))
    }

    /// A call after a dot: `Field.lines(4)`, `Field.at(2, 3)`.
    pub(crate) fn infer_method(&mut self, base: &ast::Expr, call: WrittenCall) -> Expr {
        let WrittenCall { name, args, span } = call;
        let mut is_set = false;
        match &base.kind {
            ast::ExprKind::Name(word) if self.file.names.kinds.contains_key(&word.text) => {
                let kind = self.file.names.kinds[&word.text];
                self.file.recorder.note_use(word.span, Symbol::Kind(kind));
                if name.text == "lines" {
                    return check_lines(self, kind, args, span);
                }
                if name.text == "at" {
                    return member_at(self, kind, args, span);
                }
            }
            _ => is_set = matches!(unwrap_maybe(&self.infer(base, None).ty), Type::Set(_)),
        }
        args.iter().for_each(|arg| drop(self.infer(arg, None)));
        let of_sets = is_set.then(|| set_word(base, &name.text, args)).flatten();
        let usual =
            || format!("rules are called with all they need in brackets: `{}(…, …)`", name.text);
        let help = of_sets.map_or_else(|| usual().into(), |help| help.with_span(span));
        let owner = if is_set { "a set" } else { "the value before the dot" };
        let called = format!("{}(…)", name.text);
        self.file.report_as_expr(error::unknown_field(owner, called, help, name.span))
    }

    /// Reports a draw or a decision that is part of a larger expression; whether it is.
    pub(crate) fn refuse_pause(
        &mut self,
        what: &str,
        does: &str,
        help: impl Into<Help>,
        ExprSpot { span, alone, .. }: ExprSpot,
    ) -> bool {
        self.effects.pauses = true;
        let what = format!("`{what}`");
        let error = match (self.mode, self.condition) {
            (Mode::Constant, _) => error::not_constant(what, span),
            (_, Some(place)) => error::condition_not_pure(place, format!("{what} {does}"), span),
            (_, None) if !alone => error::must_stand_alone(format!("{what} {does}"), help, span),
            _ => return false,
        };
        self.file.report_error(error);
        true
    }

    /// A new player, and the team of that player.
    pub(crate) fn team_of_player(&mut self, teams: RuleId, span: Span) -> (LocalId, Expr) {
        let local = self.scope.add_local(Local::fixed("p", player(), span));
        let returns = self.file.rules.rule(teams).returns.clone();
        let of = typed(ExprKind::Local(local), player(), span);
        self.calls.push(teams);
        (local, typed(ExprKind::Call(teams, vec![of]), returns, span))
    }

    /// `count(A)`
    fn count_of(&mut self, set: &ast::Expr, span: Span) -> Expr {
        let (set, member) = match set.kind {
            ast::ExprKind::Name(_)
            | ast::ExprKind::Field(..)
            | ast::ExprKind::Index(..)
            | ast::ExprKind::Call(..)
            | ast::ExprKind::Goods(..)
            | ast::ExprKind::Binary(..)
            | ast::ExprKind::If(..)
            | ast::ExprKind::Match(..) => {
                let found = self.infer_iterated(set, None);
                match self.as_bag(found, None) {
                    Ok(bag) => return bag.fold(FoldWord::Sum, Type::Number, span),
                    Err(set) => self.as_iterated(set),
                }
            }
            _ => self.iterated(set, None),
        };
        if matches!(set.ty, Type::List(..)) && !set.is_ordered() {
            return typed(ExprKind::new_unary(UnaryOp::Length, set), Type::Number, span);
        }
        fold_members(&mut self.scope, FoldWord::Count, (set, member), Type::Number, span)
    }
}

/// A fold of all members, without a name for them.
fn fold_members(
    scope: &mut Scope,
    word: FoldWord,
    (set, member): (Expr, Type),
    ty: Type,
    span: Span,
) -> Expr {
    let local = scope.add_local(Local::fixed("it", member, span));
    let binder = Binder { local, set: Box::new(set), condition: None };
    typed(ExprKind::Fold { word, binder, body: Vec::new() }, ty, span)
}

/// What to write in place of a method that other languages have on sets.
fn set_word(set: &ast::Expr, word: &str, args: &[ast::Expr]) -> Option<Help> {
    let set = print_expression(set);
    let argument = args.first().map(print_expression);
    let form = match (word, argument) {
        ("add" | "insert" | "push" | "append", Some(value)) => format!("{set} += {value}"),
        ("remove" | "delete" | "discard" | "erase", Some(value)) => format!("{set} -= {value}"),
        ("contains" | "has" | "includes", Some(value)) => format!("{value} in {set}"),
        ("size" | "count" | "len" | "length", None) => format!("count({set})"),
        ("clear", None) => format!("{set} = {{}}"),
        _ => return None,
    };
    Some(Help::form("write", &form))
}

/// `sum(p.items.value)`: a fold without a name for the members.
fn fold_form(WrittenCall { name, args, span }: WrittenCall) -> Option<Diagnostic> {
    let sign = match FoldWord::from_word(&name.text)? {
        // Without a binder these mean something else.
        FoldWord::Count | FoldWord::Only | FoldWord::Min | FoldWord::Max => return None,
        word => word.sign(),
    };
    let form = match args {
        [ast::Expr { kind: ast::ExprKind::Field(set, part), .. }] if name.text != "first" => {
            let set = print_expression(set);
            format!("{}(x in {set}{sign} x.{})", name.text, part.text)
        }
        _ => format!("{}(x in S{sign} …)", name.text),
    };
    Some(error::fold_form(&name.text, form, span))
}
