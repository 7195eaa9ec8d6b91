//! Types expressions by form: dispatch, literals, texts, `if`.

use crate::check::block::rules::infer_suppose;
use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::bags::Bag;
use crate::check::typer::cards::infer_pile_end;
use crate::check::typer::lists::infer_list;
use crate::check::typer::lookup::NameAccess;
use crate::check::typer::sets::NOT_KEPT;
use crate::check::typer::{ExprSpot, Typer};
use crate::check::words::WrittenCall;
use crate::rules::{
    Arm, Expr, ExprKind, TextPart, Type, Value, join_types, typed, unknown_expr, unwrap_maybe,
};
use crate::syntax::ast;

impl Typer<'_, '_> {
    pub(crate) fn infer_as(&mut self, expr: &ast::Expr, want: &Type) -> Expr {
        let checked = self.infer(expr, Some(want));
        self.coerce(checked, want)
    }

    /// The expression as a number; yes counts as 1 and no as 0.
    pub(crate) fn as_count(&mut self, value: Expr) -> Expr {
        if value.ty == Type::Bool { value } else { self.coerce(value, &Type::Number) }
    }

    /// An expression, as a value of the type if one is given.
    pub(crate) fn expect_or_infer(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        match want {
            Some(want) => self.infer_as(expr, want),
            None => self.infer(expr, None),
        }
    }

    pub(crate) fn condition(&mut self, expr: &ast::Expr, what: &'static str) -> Expr {
        self.in_condition(what, |typer| typer.infer_as(expr, &Type::Bool))
    }

    /// An expression of any type; the hint helps names and literals to find theirs.
    pub(crate) fn infer(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let alone = std::mem::take(&mut self.alone);
        let span = expr.span;
        if !self.file.may_go_on() {
            return unknown_expr(span);
        }
        let spot = ExprSpot { span, hint, alone };
        let literal = |number, ty| typed(ExprKind::Value(Value::Int(number)), ty, span);
        match &expr.kind {
            ast::ExprKind::Number(number) => literal(*number, Type::Number),
            ast::ExprKind::Bool(holds) => literal(i64::from(*holds), Type::Bool),
            ast::ExprKind::None => {
                let wanted = hint.filter(|hint| unwrap_maybe(hint) != *hint);
                let ty = wanted.cloned().unwrap_or(Type::None);
                typed(ExprKind::Value(Value::None), ty, span)
            }
            ast::ExprKind::Text(text) => self.infer_text(text),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                match self.access(expr, hint) {
                    NameAccess::Element(element) => self.check_element(element),
                    NameAccess::Value(value) => value,
                }
            }
            ast::ExprKind::Call(name, args) => {
                self.check_call(WrittenCall { name, args, span }, alone)
            }
            ast::ExprKind::Method(of, name, args) => {
                self.infer_method(of, WrittenCall { name, args, span })
            }
            ast::ExprKind::Unary(op, of) => self.check_unary(*op, of, span),
            ast::ExprKind::Binary(op, a, b) => self.check_binary(*op, (a, b), spot),
            ast::ExprKind::Range(low, high) => self.infer_interval(low, high, spot),
            ast::ExprKind::From(..) | ast::ExprKind::Backwards(_) => {
                let (ordered, _) = self.iterated(expr, hint);
                self.refuse_order(ordered)
            }
            ast::ExprKind::Set(items) => self.check_set(items, span, hint),
            ast::ExprKind::Filter(binder) => self.infer_filter(binder, span, hint),
            ast::ExprKind::Image(value, binders) => self.infer_image(value, binders, spot),
            ast::ExprKind::Fold { word, binders, body } => {
                self.infer_fold(*word, (binders, body), spot)
            }
            ast::ExprKind::If(condition, a, b) => self.if_value(condition, a, b, spot),
            ast::ExprKind::Match(subject, arms) => self.match_value(subject, arms, spot),
            ast::ExprKind::Suppose(block, value) => infer_suppose(self, block, value, spot),
            ast::ExprKind::Random(set) => self.infer_random(set, spot),
            ast::ExprKind::Directed(key, _) => self.infer(key, hint),
            ast::ExprKind::Subsets(..) => {
                let (problem, help) = NOT_KEPT;
                self.file.report_as_expr(error::subsets(problem, help, span))
            }
            ast::ExprKind::Goods(goods, binders) => self.infer_goods(goods, binders, spot),
            ast::ExprKind::Bags(bags) => self.infer_bags(bags, span),
            ast::ExprKind::List(items) => infer_list(self, items, span, hint),
            ast::ExprKind::Lists(_) => self.file.report_as_expr(error::lists(span)),
            ast::ExprKind::End(end) => infer_pile_end(self, end, span),
            ast::ExprKind::Roll(die) => self.check_roll(die, spot),
            ast::ExprKind::Pick { chooser, prompt, name, set } => {
                self.check_pick((chooser, prompt.as_ref(), name, set), spot)
            }
        }
    }

    pub(crate) fn infer_text(&mut self, text: &ast::Text) -> Expr {
        let part = |part: &ast::TextPart| match part {
            ast::TextPart::Words(words) => TextPart::Words(words.clone()),
            ast::TextPart::Hole(hole) => TextPart::Hole(self.infer_hole(hole)),
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

    fn infer_hole(&mut self, hole: &ast::Expr) -> Expr {
        let checked = self.in_condition("a text", |typer| typer.infer(hole, None));
        if checked.ty != Type::Span {
            let span = checked.span;
            return match Bag::from_expr(checked) {
                Ok(bag) => self.bag_text(&bag, span),
                Err(plain) => plain,
            };
        }
        let found = self.file.rules.describe_type(&checked.ty);
        let help = "print its ends one by one";
        self.file.report_as_expr(error::type_mismatch(
            "a value that can be printed",
            found,
            help,
            hole.span,
        ))
    }

    fn if_value(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        ExprSpot { span, hint, .. }: ExprSpot,
    ) -> Expr {
        let condition = self.condition(condition, "a condition");
        let mut then = self.assuming((&condition, true), |typer| typer.infer(then, hint));
        let mut otherwise = self
            .assuming((&condition, false), |typer| typer.infer(otherwise, hint.or(Some(&then.ty))));
        let ty = self.one_type(vec![&mut then, &mut otherwise], hint);
        if let Type::Bag(_) = ty {
            return Bag::join_values(vec![then, otherwise], span, |mut amounts| {
                let (otherwise, then) = (amounts.pop(), amounts.pop());
                let [then, otherwise] =
                    [then, otherwise].map(|it| Box::new(it.expect("there are two")));
                ExprKind::If(Box::new(condition), then, otherwise)
            });
        }
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        without_range(self.file, typed(kind, ty, span))
    }

    /// Values of which one will be taken, brought to the one type that all fit.
    fn one_type(&mut self, values: Vec<&mut Expr>, hint: Option<&Type>) -> Type {
        let mut ty = values.first().map_or(Type::Unknown, |first| first.ty.clone());
        for value in &values {
            let joined = self.file.rules.join_kinds(&ty, &value.ty);
            ty = joined.or_else(|| wide(hint, &ty, &value.ty)).unwrap_or(ty);
        }
        for value in values {
            let found = std::mem::replace(value, unknown_expr(value.span));
            *value = self.coerce(found, &ty);
        }
        ty
    }

    /// `match x { … }` as a value.
    fn match_value(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm<ast::Expr>],
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        let subject = self.infer_subject(subject);
        let mut first: Option<Type> = None;
        let mut arms: Vec<Arm<Expr>> = self.check_arms(&subject, arms, span, |typer, body| {
            let value = typer.infer(body, hint.or(first.as_ref()));
            first.get_or_insert_with(|| value.ty.clone());
            value
        });
        let ty = self.one_type(arms.iter_mut().map(|arm| &mut arm.body).collect(), hint);
        if subject.ty == Type::Unknown {
            return unknown_expr(span);
        }
        if let Type::Bag(_) = ty {
            let (heads, values): (Vec<_>, Vec<Expr>) =
                arms.into_iter().map(|arm| ((arm.patterns, arm.span), arm.body)).unzip();
            return Bag::join_values(values, span, |amounts| {
                let arms = heads.into_iter().zip(amounts);
                let arms = arms.map(|((patterns, span), body)| Arm { patterns, body, span });
                ExprKind::Match(Box::new(subject), arms.collect())
            });
        }
        without_range(self.file, typed(ExprKind::Match(Box::new(subject), arms), ty, span))
    }

    pub(crate) fn infer_subject(&mut self, subject: &ast::Expr) -> Expr {
        let subject = self.infer(subject, None);
        let subject = self.look().as_face(subject);
        match unwrap_maybe(&subject.ty) {
            Type::Number | Type::Bool | Type::Kind(_) | Type::Unknown => subject,
            other => {
                let expected = "a number, yes/no or a member to look at";
                let (found, help) = (self.file.rules.describe_type(other), "ask with `if` instead");
                self.file.report_as_expr(error::type_mismatch(expected, found, help, subject.span))
            }
        }
    }
}

/// The expected type where two types have nothing else in common, as members of a set have.
fn wide(hint: Option<&Type>, a: &Type, b: &Type) -> Option<Type> {
    let hint = hint?;
    (join_types(hint, a)? == *hint && join_types(hint, b)? == *hint).then(|| hint.clone())
}

/// A value that is chosen or supposed is computed, and no range of numbers is.
pub(crate) fn without_range(file: &mut FileContext, value: Expr) -> Expr {
    if value.ty != Type::Span {
        return value;
    }
    let found = file.rules.describe_type(&value.ty);
    let help = "choose its ends: `1..(if P then a else b)`";
    file.report_as_expr(error::type_mismatch("a set", found, help, value.span))
}
