//! Expressions: dispatch by form, literals, texts, `if` as a value.

use crate::check::context::{Checker, typed, unknown};
use crate::check::error::TypeError;
use crate::check::rules::{Expr, ExprKind, Stmt, StmtKind, TextPart, Type, UnaryOp, Value};
use crate::check::scope::NewLocal;
use crate::check::subsets::NOT_KEPT;
use crate::check::types::{join, mismatch, plain};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn expect(&mut self, expr: &ast::Expr, want: &Type) -> Expr {
        let checked = self.infer(expr, Some(want));
        self.coerce(checked, want)
    }

    /// An expression, as a value of the type if one is given.
    pub(super) fn expect_or_infer(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        match want {
            Some(want) => self.expect(expr, want),
            None => self.infer(expr, None),
        }
    }

    /// A whole right side, which may pause.
    pub(super) fn value(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        self.body.alone = true;
        let checked = self.expect_or_infer(expr, want);
        self.settled(checked)
    }

    /// A value that may pause and then becomes a set is kept first, so that it stands alone.
    pub(super) fn settled(&mut self, value: Expr) -> Expr {
        let span = value.span;
        let (mut member, column) = match value.kind {
            ExprKind::Unary(UnaryOp::ToSet, member) => (member, None),
            ExprKind::Column(kind, column, line) => (line, Some((kind, column))),
            _ => return value,
        };
        if matches!(
            member.kind,
            ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::Call(..)
        ) {
            let local = self.add_local("it", NewLocal::fixed(member.ty.clone()), span);
            let kept = typed(ExprKind::Local(local), member.ty.clone(), span);
            let pausing = std::mem::replace(&mut *member, kept);
            self.body.before.push(Stmt { kind: StmtKind::Let(local, pausing), span });
        }
        let kind = match column {
            Some((kind, column)) => ExprKind::Column(kind, column, member),
            None => ExprKind::Unary(UnaryOp::ToSet, member),
        };
        typed(kind, value.ty, span)
    }

    pub(super) fn condition(&mut self, expr: &ast::Expr, what: &'static str) -> Expr {
        self.in_condition(what, |checker| checker.expect(expr, &Type::Bool))
    }

    /// An expression of any type; the hint helps names and literals to find theirs.
    pub(super) fn infer(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let alone = std::mem::take(&mut self.body.alone);
        let span = expr.span;
        if !self.may_go_on() {
            return unknown(span);
        }
        match &expr.kind {
            ast::ExprKind::Number(number) => {
                typed(ExprKind::Value(Value::Int(*number)), Type::Number, span)
            }
            ast::ExprKind::Bool(holds) => {
                typed(ExprKind::Value(Value::Int(i64::from(*holds))), Type::Bool, span)
            }
            ast::ExprKind::None => {
                let ty = hint.filter(|hint| plain(hint) != *hint).cloned().unwrap_or(Type::None);
                typed(ExprKind::Value(Value::None), ty, span)
            }
            ast::ExprKind::Text(text) => self.text(text),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                self.read(expr, hint)
            }
            ast::ExprKind::Call(name, args) => self.call(name, args, span, alone),
            ast::ExprKind::Method(base, name, args) => self.method(base, name, args, span),
            ast::ExprKind::Unary(op, of) => self.unary(*op, of, span),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, (a, b), span, hint),
            ast::ExprKind::Range(low, high) => self.interval(low, high, span, hint),
            ast::ExprKind::From(set, first) => {
                let checked = self.from(set, first, span);
                if checked.ty == Type::Unknown {
                    return checked;
                }
                self.broken(TypeError::OrderLost { span }, span)
            }
            ast::ExprKind::Set(items) => self.set_of(items, span, hint),
            ast::ExprKind::Filter(binder) => self.filter(binder, span, hint),
            ast::ExprKind::Image(value, binder) => self.image(value, binder, span, hint),
            ast::ExprKind::Fold { word, binder, body } => {
                self.fold(*word, (binder, body), span, hint)
            }
            ast::ExprKind::If(condition, a, b) => self.if_value(condition, (a, b), span, hint),
            ast::ExprKind::Match(subject, arms) => self.match_value(subject, arms, span, hint),
            ast::ExprKind::Suppose(block, value) => self.suppose(block, value, span, hint),
            ast::ExprKind::Random(set) => self.random(set, span, alone, hint),
            ast::ExprKind::Subsets(_) => self.broken(NOT_KEPT.at(span), span),
            ast::ExprKind::End(end) => self.pile_end(end, span),
            ast::ExprKind::Roll(die) => self.roll(die, span, alone),
            ast::ExprKind::Pick { chooser, prompt, name, set } => {
                self.pick((chooser, prompt.as_ref(), name, set), span, alone)
            }
        }
    }

    pub(super) fn text(&mut self, text: &ast::Text) -> Expr {
        let part = |part: &ast::TextPart| match part {
            ast::TextPart::Words(words) => TextPart::Words(words.clone()),
            ast::TextPart::Hole(hole) => TextPart::Hole(self.hole(hole)),
        };
        let parts: Vec<TextPart> = text.parts.iter().map(part).collect();
        let words = parts.iter().map(|part| match part {
            TextPart::Words(words) => Some(words.as_str()),
            TextPart::Hole(_) => None,
        });
        let kind = match words.collect::<Option<String>>() {
            Some(words) => ExprKind::Value(Value::Text(words)),
            None => ExprKind::Text(parts),
        };
        typed(kind, Type::Text, text.span)
    }

    fn hole(&mut self, hole: &ast::Expr) -> Expr {
        let checked = self.in_condition("a text", |checker| checker.infer(hole, None));
        if checked.ty != Type::Span {
            return checked;
        }
        let found = self.name_of(&checked.ty);
        let help = "print its ends one by one";
        self.broken(mismatch("a value that can be printed", found, help, hole.span), hole.span)
    }

    fn if_value(
        &mut self,
        condition: &ast::Expr,
        (then, otherwise): (&ast::Expr, &ast::Expr),
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        let condition = self.condition(condition, "a condition");
        let mut then = self.assuming((&condition, true), |checker| checker.infer(then, hint));
        let mut otherwise = self.assuming((&condition, false), |checker| {
            checker.infer(otherwise, hint.or(Some(&then.ty)))
        });
        let ty = self.one_type(vec![&mut then, &mut otherwise], hint);
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        typed(kind, ty, span)
    }

    /// Values of which one will be taken, brought to the one type that all fit.
    pub(super) fn one_type(&mut self, values: Vec<&mut Expr>, hint: Option<&Type>) -> Type {
        let mut ty = values.first().map_or(Type::Unknown, |first| first.ty.clone());
        for value in &values {
            let joined = self.join(&ty, &value.ty);
            ty = joined.or_else(|| wide(hint, &ty, &value.ty)).unwrap_or(ty);
        }
        for value in values {
            let found = std::mem::replace(value, unknown(value.span));
            *value = self.coerce(found, &ty);
        }
        ty
    }
}

/// The expected type where two types have nothing else in common, as members of a set have.
fn wide(hint: Option<&Type>, a: &Type, b: &Type) -> Option<Type> {
    let hint = hint?;
    (join(hint, a)? == *hint && join(hint, b)? == *hint).then(|| hint.clone())
}
