//! Calls: of rules, and of the functions that are there without being declared.

use crate::check::context::{Checker, Mode, Need, Requirement, player, typed, unknown};
use crate::check::error::{FlowError, NameError, TypeError};
use crate::check::rules::{Arith, Builtin, Domain, Expr, ExprKind, PLAYER, RuleId, Shape, Type};
use crate::check::symbols::Symbol;
use crate::check::types::{counted, plain};
use crate::check::written::{expression_text, head};
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::{ast, print_expression};

impl Checker<'_> {
    /// A call that gives a value.
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
        let Some((call, _)) = self.call_rule(name, args, span) else { return unknown(span) };
        self.require(&call, alone);
        if call.ty == Type::Nothing {
            let error = self.misfit(&call, &Type::Unknown);
            let error = match error {
                TypeError::Mismatch { found, help, span, .. } => {
                    TypeError::Mismatch { expected: "a value".to_owned(), found, help, span }
                }
                other => other,
            };
            return self.broken(error, span);
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
            for arg in args {
                self.infer(arg, None);
            }
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
        let called = &self.rules.rules[rule.index()];
        if called.params == args.len() {
            let types: Vec<Type> =
                called.locals[..called.params].iter().map(|param| param.ty.clone()).collect();
            return Some(
                args.iter().zip(types).map(|(arg, ty)| self.argument(rule, arg, &ty)).collect(),
            );
        }
        let error = TypeError::WrongArgumentCount {
            name: called.name.clone(),
            expected: counted(called.params, "argument"),
            found: args.len(),
            head: head(&self.rules, called),
            span,
            declared: self.seats.is_none().then_some(called.span),
        };
        self.report(error);
        for arg in args {
            self.infer(arg, None);
        }
        None
    }

    fn argument(&mut self, rule: RuleId, arg: &ast::Expr, ty: &Type) -> Expr {
        let arg = self.infer(arg, Some(ty));
        let arg = match self.fit(arg, ty) {
            Ok(arg) => return self.noting(arg),
            Err(arg) => arg,
        };
        let mut error = self.misfit(&arg, ty);
        if let TypeError::Mismatch { help, .. } = &mut error
            && !self.needs_part(&arg, ty)
        {
            let head = head(&self.rules, &self.rules.rules[rule.index()]);
            *help = format!("the rule is declared as `{head}`").into();
        }
        self.broken(error, arg.span)
    }

    /// Keeps in mind what the rule must be like, since its effects are known only at the end.
    fn require(&mut self, call: &Expr, alone: bool) {
        let ExprKind::Call(rule, _) = &call.kind else { return };
        let need = match self.body.condition {
            Some(what) => Need::Condition(what),
            None if alone => return,
            None => Need::Inside,
        };
        self.requirements.push(Requirement { rule: *rule, need, span: call.span });
    }

    /// A call of a function that is there without being declared; nothing when it is not one.
    fn function(&mut self, name: &ast::Name, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let heads: (&str, usize) = match name.text.as_str() {
            "next" => ("next(p: Player) -> Player", 1),
            "previous" => ("previous(p: Player) -> Player", 1),
            "others" => ("others(p: Player) -> set of Player", 1),
            "abs" => ("abs(n: number) -> number", 1),
            "min" => ("min(a: number, b: number) -> number", 2),
            "max" => ("max(a: number, b: number) -> number", 2),
            "ceil" => ("ceil(a / b) -> number", 1),
            "floor" => ("floor(a / b) -> number", 1),
            "count" => ("count(A: set) -> number", 1),
            _ => return None,
        };
        if heads.1 != args.len() {
            let error = TypeError::WrongArgumentCount {
                name: name.text.clone(),
                expected: counted(heads.1, "argument"),
                found: args.len(),
                head: heads.0.to_owned(),
                span,
                declared: None,
            };
            return Some(self.broken(error, span));
        }
        Some(self.known_function(&name.text, args, span))
    }

    fn known_function(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Expr {
        match name {
            "next" => self.builtin(Builtin::Next, &args[0], player(), span),
            "previous" => self.builtin(Builtin::Previous, &args[0], player(), span),
            "others" => {
                let ty = Type::Set(Domain::Kind(PLAYER));
                self.builtin(Builtin::Others, &args[0], ty, span)
            }
            "abs" => self.builtin(Builtin::Abs, &args[0], Type::Number, span),
            "min" => self.arith(Arith::Min, (&args[0], &args[1]), span),
            "max" => self.arith(Arith::Max, (&args[0], &args[1]), span),
            "ceil" => self.division(Arith::CeilDivide, &args[0], span),
            "floor" => self.division(Arith::FloorDivide, &args[0], span),
            _ => self.count_of(&args[0], span),
        }
    }

    fn builtin(&mut self, builtin: Builtin, arg: &ast::Expr, ty: Type, span: Span) -> Expr {
        let want = if builtin == Builtin::Abs { Type::Number } else { player() };
        let arg = self.infer(arg, Some(&want));
        let arg = match self.fit(arg, &want) {
            Ok(arg) => arg,
            Err(arg) => {
                let error = self.no_builtin(builtin, &arg, &want, span);
                return self.broken(error, span);
            }
        };
        typed(ExprKind::Builtin(builtin, Box::new(arg)), ty, span)
    }

    /// What to say of something that a function is not for.
    fn no_builtin(&self, builtin: Builtin, arg: &Expr, want: &Type, call: Span) -> TypeError {
        let mut error = self.misfit(arg, want);
        let ways = match builtin {
            Builtin::Next => "onward",
            Builtin::Previous => "back",
            _ => return error,
        };
        if let (TypeError::Mismatch { help, .. }, Type::Kind(kind)) = (&mut error, plain(&arg.ty)) {
            let text = expression_text(&self.rules, &self.body.locals, arg);
            match self.kind(*kind).shape {
                Shape::Ring => {
                    let step = format!("step({text}, {ways})");
                    *help = Help::form("that is for players; on a ring", &step).at(call);
                }
                Shape::Grid { .. } | Shape::Map => {
                    *help =
                        "that is for players; on a board `step(c, north)`, `neighbours(c)`".into();
                }
                _ => {}
            }
        }
        error
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
        let kind = match &base.kind {
            ast::ExprKind::Name(word) => self.names.kinds.get(&word.text).copied(),
            _ => None,
        };
        if let (Some(kind), ast::ExprKind::Name(word)) = (kind, &base.kind) {
            self.note(word.span, Symbol::Kind(kind));
        }
        if let (Some(kind), "lines") = (kind, name.text.as_str()) {
            return self.lines(kind, args, span);
        }
        let ty = kind.is_none().then(|| self.infer(base, None).ty);
        for arg in args {
            self.infer(arg, None);
        }
        let is_set = ty.is_some_and(|ty| matches!(plain(&ty), Type::Set(_)));
        let of_sets = is_set.then(|| set_word(base, &name.text, args)).flatten();
        let usual =
            || format!("rules are called with all they need in brackets: `{}(…, …)`", name.text);
        let error = NameError::UnknownField {
            owner: if is_set { "a set" } else { "what stands before the dot" }.to_owned(),
            name: format!("{}(…)", name.text),
            help: of_sets.map_or_else(|| usual().into(), |help| help.at(span)),
            span: name.span,
        };
        self.broken(error, base.span.to(name.span))
    }

    /// Reports a draw or a decision that is part of something larger, and tells whether it is.
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

/// How this language says what other languages call on a set.
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

/// `sum(p.items.value)`: what goes over a set, and names no member.
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
