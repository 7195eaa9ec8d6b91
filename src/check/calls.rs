//! Calls: of rules and of built-in functions.

use crate::check::context::{Checker, Mode, Need, Requirement, player, typed, unknown};
use crate::check::error::{FlowError, TypeError};
use crate::check::rules::{Arith, Domain, Expr, ExprKind, PLAYER, RuleId, Shape, Type, UnaryOp};
use crate::check::symbols::Symbol;
use crate::check::types::{counted, mismatch, plain, with_help};
use crate::check::unresolved::unknown_field;
use crate::check::written::head;
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::{ast, print_expression};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        alone: bool,
    ) -> Expr {
        self.see(&name.text, |checker| checker.value_sight(None));
        if self.is_relation(&name.text) {
            return self.relation(&name.text, args, span);
        }
        if let Some(value) = self.combination(name, args, span) {
            return value;
        }
        if let ("count", [set, _]) = (name.text.as_str(), args) {
            let form = format!("count(x in {}: …)", print_expression(set));
            let word = name.text.clone();
            return self.broken(TypeError::FoldForm { word, form, span }, span);
        }
        if let Some(error) = self.fold_of_array(name, args, span) {
            return self.broken(error, span);
        }
        if let Some(value) = self.function(name, args, span) {
            return value;
        }
        if let Some(error) = fold_form(name, args, span) {
            return self.broken(error, span);
        }
        let Some((call, rule)) = self.call_rule(name, args, span) else { return unknown(span) };
        // Its effects are known only when all bodies are.
        let need = match self.body.condition {
            Some(what) => Some(Need::Condition(what)),
            None => (!alone).then_some(Need::Inside),
        };
        self.requirements.extend(need.map(|need| Requirement { rule, need, span }));
        if call.ty == Type::Nothing {
            let (found, help) =
                (self.name_of(&call.ty), self.help_for_misfit(&call, &Type::Unknown));
            return self.broken(mismatch("a value", found, help, span), span);
        }
        call
    }

    /// A call of a rule, whatever it returns; nothing when there is no such rule.
    pub(super) fn call_rule(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<(Expr, RuleId)> {
        let Some(rule) = self.names.rules.get(&name.text).copied() else {
            self.unknown_rule(name, args, span);
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            return None;
        };
        self.note(name.span, Symbol::Rule(rule));
        if self.body.mode == Mode::Constant {
            self.not_constant(&format!("what the rule `{}` returns", name.text), span);
            return None;
        }
        let ty = self.rule_type(rule, span);
        let args = self.arguments(rule, args, span);
        if self.body.supposing {
            self.requirements.push(Requirement { rule, need: Need::Supposed, span });
        } else {
            self.body.calls.push(rule);
        }
        Some((typed(ExprKind::Call(rule, args?), ty, span), rule))
    }

    /// The arguments of a call, one for each parameter.
    fn arguments(&mut self, rule: RuleId, args: &[ast::Expr], span: Span) -> Option<Vec<Expr>> {
        let called = self.rule(rule);
        if called.params != args.len() {
            self.report(TypeError::WrongArgumentCount {
                name: called.name.clone(),
                expected: counted(called.params, "argument"),
                found: args.len(),
                head: head(&self.rules, called),
                span,
                declared: self.seats.is_none().then_some(called.span),
            });
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            return None;
        }
        let types: Vec<Type> =
            called.locals[..called.params].iter().map(|param| param.ty.clone()).collect();
        Some(args.iter().zip(types).map(|(arg, ty)| self.argument(rule, arg, &ty)).collect())
    }

    fn argument(&mut self, rule: RuleId, arg: &ast::Expr, ty: &Type) -> Expr {
        let arg = self.infer(arg, Some(ty));
        match self.fit(arg, ty) {
            Ok(arg) => self.noting(arg),
            Err(arg) => {
                let mut error = self.misfit(&arg, ty);
                if !self.needs_part(&arg, ty) {
                    let head = head(&self.rules, self.rule(rule));
                    error = with_help(error, format!("the rule is declared as `{head}`"));
                }
                self.broken(error, arg.span)
            }
        }
    }

    /// A call of a built-in function; nothing when it is not one.
    fn function(&mut self, name: &ast::Name, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let &(word, head, count) = FUNCTIONS.iter().find(|(word, ..)| *word == name.text)?;
        if count != args.len() {
            let error = TypeError::WrongArgumentCount {
                name: name.text.clone(),
                expected: counted(count, "argument"),
                found: args.len(),
                head: head.to_owned(),
                span,
                declared: None,
            };
            return Some(self.broken(error, span));
        }
        Some(match (word, args) {
            ("next", [p]) => self.builtin(UnaryOp::Next, p, player(), span),
            ("previous", [p]) => self.builtin(UnaryOp::Previous, p, player(), span),
            ("others", [p]) => {
                self.builtin(UnaryOp::Others, p, Type::Set(Domain::Kind(PLAYER)), span)
            }
            ("abs", [n]) => self.builtin(UnaryOp::Abs, n, Type::Number, span),
            ("min", [a, b]) => self.arith(Arith::Min, (a, b), span),
            ("max", [a, b]) => self.arith(Arith::Max, (a, b), span),
            ("ceil", [of]) => self.division(Arith::CeilDivide, of, span),
            ("floor", [of]) => self.division(Arith::FloorDivide, of, span),
            (_, all) => self.count_of(&all[0], span),
        })
    }

    fn builtin(&mut self, builtin: UnaryOp, arg: &ast::Expr, ty: Type, span: Span) -> Expr {
        let want = if builtin == UnaryOp::Abs { Type::Number } else { player() };
        let arg = self.infer(arg, Some(&want));
        match self.fit(arg, &want) {
            Ok(arg) => typed(ExprKind::Unary(builtin, Box::new(arg)), ty, span),
            Err(arg) => {
                let mut error = self.misfit(&arg, &want);
                if let Some(help) = self.step_instead(builtin, &arg, span) {
                    error = with_help(error, help);
                }
                self.broken(error, span)
            }
        }
    }

    /// What to write in place of `next(cell)` or `previous(cell)`.
    fn step_instead(&self, builtin: UnaryOp, arg: &Expr, call: Span) -> Option<Help> {
        let way = match builtin {
            UnaryOp::Next => "onward",
            UnaryOp::Previous => "back",
            _ => return None,
        };
        let Type::Kind(kind) = plain(&arg.ty) else { return None };
        match self.kind(*kind).shape {
            Shape::Ring => {
                let step = format!("step({}, {way})", self.code(arg));
                Some(Help::form("that is for players; on a ring", &step).at(call))
            }
            Shape::Grid { .. } | Shape::Map => {
                Some("that is for players; on a board `step(c, north)`, `neighbours(c)`".into())
            }
            _ => None,
        }
    }

    /// `ceil(a / b)`, `floor(a / b)`
    fn division(&mut self, op: Arith, of: &ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Binary(ast::BinaryOp::Divide, a, b) = &of.kind {
            return self.arith(op, (a, b), span);
        }
        self.infer(of, None);
        let word = if op == Arith::CeilDivide { "ceil" } else { "floor" };
        self.broken(TypeError::NeedsDivision { word: word.to_owned(), span: of.span }, span)
    }

    /// A call behind a dot: only boards have one.
    pub(super) fn method(
        &mut self,
        base: &ast::Expr,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let mut is_set = false;
        match &base.kind {
            ast::ExprKind::Name(word) if self.names.kinds.contains_key(&word.text) => {
                let kind = self.names.kinds[&word.text];
                self.note(word.span, Symbol::Kind(kind));
                if name.text == "lines" {
                    return self.lines(kind, args, span);
                }
            }
            _ => is_set = matches!(plain(&self.infer(base, None).ty), Type::Set(_)),
        }
        args.iter().for_each(|arg| drop(self.infer(arg, None)));
        let of_sets = is_set.then(|| set_word(base, &name.text, args)).flatten();
        let usual =
            || format!("rules are called with all they need in brackets: `{}(…, …)`", name.text);
        let help = of_sets.map_or_else(|| usual().into(), |help| help.at(span));
        let owner = if is_set { "a set" } else { "what stands before the dot" };
        let called = ast::Name { text: format!("{}(…)", name.text), span: name.span };
        self.broken(unknown_field(owner, &called, help), base.span.to(name.span))
    }

    /// Reports a draw or a decision that is part of something larger; whether it is.
    pub(super) fn refuse_pause(&mut self, what: &str, span: Span, alone: bool) -> bool {
        self.body.effects.pauses = true;
        let error = match (self.body.mode, self.body.condition) {
            (Mode::Constant, _) => FlowError::NotConstant { what: what.to_owned(), span },
            (_, Some(place)) => FlowError::ConditionNotPure {
                place: place.to_owned(),
                what: format!("{what} pauses the game"),
                span,
            },
            (_, None) if !alone => {
                FlowError::MustStandAlone { what: format!("{what} pauses the game, so it"), span }
            }
            _ => return false,
        };
        self.report(error);
        true
    }
}

/// The built-in functions: name, head, number of arguments.
pub(super) const FUNCTIONS: [(&str, &str, usize); 9] = [
    ("next", "next(p: Player) -> Player", 1),
    ("previous", "previous(p: Player) -> Player", 1),
    ("others", "others(p: Player) -> set of Player", 1),
    ("abs", "abs(n: number) -> number", 1),
    ("min", "min(a: number, b: number) -> number", 2),
    ("max", "max(a: number, b: number) -> number", 2),
    ("ceil", "ceil(a / b) -> number", 1),
    ("floor", "floor(a / b) -> number", 1),
    ("count", "count(A: set) -> number", 1),
];

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
fn fold_form(name: &ast::Name, args: &[ast::Expr], span: Span) -> Option<TypeError> {
    let sign = match name.text.as_str() {
        "sum" | "any" | "all" | "first" | "last" => ":",
        "highest" | "lowest" => " by",
        _ => return None,
    };
    let form = match args {
        [ast::Expr { kind: ast::ExprKind::Field(set, part), .. }] if name.text != "first" => {
            let set = print_expression(set);
            format!("{}(x in {set}{sign} x.{})", name.text, part.text)
        }
        _ => format!("{}(x in S{sign} …)", name.text),
    };
    Some(TypeError::FoldForm { word: name.text.clone(), form, span })
}
