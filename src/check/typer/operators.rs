//! Operators: arithmetic, logic, comparisons, membership and set operations.

use std::collections::BTreeSet;

use crate::check::error;
use crate::check::typer::hints::{joined_text, none_in_set};
use crate::check::typer::joints::edge_by_name;
use crate::check::typer::lookup::Lookup;
use crate::check::typer::{ExprSpot, Typer};
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::{
    Arith, Arm, BinaryOp, Domain, Expr, ExprKind, Pattern, SetOp, Type, UnaryOp, Value, literal,
    maybe_if_any, member_kind, type_code, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::{ast, print_expression};

/// The two sides of an operator.
type Sides<'e> = (&'e ast::Expr, &'e ast::Expr);

impl Typer<'_, '_> {
    /// `-x`, `not p`
    pub(crate) fn check_unary(&mut self, op: ast::UnaryOp, of: &ast::Expr, span: Span) -> Expr {
        match op {
            ast::UnaryOp::Not => Expr { span, ..not(self.infer_as(of, &Type::Bool)) },
            ast::UnaryOp::Negate => {
                let of = self.infer_as(of, &Type::Number);
                let kind = match of.kind {
                    ExprKind::Value(Value::Int(number)) => {
                        ExprKind::Value(Value::Int(number.saturating_neg()))
                    }
                    _ => ExprKind::new_unary(UnaryOp::Negate, of),
                };
                typed(kind, Type::Number, span)
            }
        }
    }

    /// `a + b` and all other operators between two expressions.
    pub(crate) fn check_binary(&mut self, op: ast::BinaryOp, sides: Sides, spot: ExprSpot) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        if let Some(error) = none_in_set(op, sides, span) {
            return self.file.report_as_expr(error);
        }
        match op {
            ast::BinaryOp::Or | ast::BinaryOp::And => self.infer_logic(op, sides, span),
            ast::BinaryOp::Equal => self.infer_equality(sides, span),
            ast::BinaryOp::NotEqual => not(self.infer_equality(sides, span)),
            ast::BinaryOp::Less
            | ast::BinaryOp::LessEqual
            | ast::BinaryOp::Greater
            | ast::BinaryOp::GreaterEqual => self.infer_order(op, sides, span),
            ast::BinaryOp::In => self.check_membership(sides, span),
            ast::BinaryOp::NotIn => not(self.check_membership(sides, span)),
            ast::BinaryOp::Within => {
                let (a, b, ty, _) = self.two_sets(sides, None);
                if let Type::Bag(_) = ty {
                    return self.compare_bags(BinaryOp::LessEqual, a, b, span);
                }
                typed(ExprKind::new_binary(BinaryOp::Within, a, b), Type::Bool, span)
            }
            ast::BinaryOp::Union => self.set_op(SetOp::Union, sides, span, hint),
            ast::BinaryOp::Minus => self.set_op(SetOp::Minus, sides, span, hint),
            ast::BinaryOp::Common => self.set_op(SetOp::Common, sides, span, hint),
            ast::BinaryOp::Add => match joined_text(sides, span) {
                Some(error) => self.file.report_as_expr(error),
                None => self.check_arith(Arith::Add, sides, span),
            },
            ast::BinaryOp::Subtract => self.check_arith(Arith::Subtract, sides, span),
            ast::BinaryOp::Multiply => self.check_arith(Arith::Multiply, sides, span),
            ast::BinaryOp::Modulo => self.check_arith(Arith::Modulo, sides, span),
            ast::BinaryOp::Divide => {
                // For the mistakes in its sides.
                self.check_arith(Arith::FloorDivide, sides, span);
                let [a, b] = [sides.0, sides.1].map(|side| Box::new(side.clone()));
                let kind = ast::ExprKind::Binary(ast::BinaryOp::Divide, a, b);
                let division = print_expression(&ast::Expr { kind, span });
                self.file.report_as_expr(error::division_rounds(division, span))
            }
        }
    }

    pub(crate) fn check_arith(&mut self, op: Arith, sides: Sides, span: Span) -> Expr {
        let (a, b) = self.two_numbers(sides);
        if [&a, &b].iter().any(|side| self.file.rules.bag_of(&side.ty).is_some()) {
            if let Arith::Add | Arith::Subtract = op {
                return self.bag_arith(op, a, b, span);
            }
            let bag = if self.file.rules.bag_of(&a.ty).is_some() { a } else { b };
            return self.coerce(bag, &Type::Number);
        }
        if op == Arith::Subtract
            && let Some(error) = edge_by_name(self, [&a, &b], sides, span)
        {
            return self.file.report_as_expr(error);
        }
        let words = match op {
            Arith::Add => Some(("+", "union")),
            Arith::Subtract => Some(("-", "minus")),
            _ => None,
        };
        let set = [&a, &b].into_iter().find(|side| matches!(side.ty, Type::Set(_)));
        if let (Arith::Add, Type::List(..)) = (op, &a.ty) {
            let found = self.file.rules.describe_type(&a.ty);
            let help = "a list grows by one element: `path += x`";
            return self.file.report_as_expr(error::type_mismatch(
                "numbers beside `+`",
                found,
                help,
                a.span,
            ));
        }
        if let (Some((sign, word)), Some(set)) = (words, set) {
            let form =
                format!("{} {word} {}", print_expression(sides.0), print_expression(sides.1));
            let help = Help::form("of sets write", &form).with_span(span);
            let found = self.file.rules.describe_type(&set.ty);
            let error =
                error::type_mismatch(format!("numbers beside `{sign}`"), found, help, set.span);
            return self.file.report_as_expr(error);
        }
        let (a, b) = (self.coerce(a, &Type::Number), self.coerce(b, &Type::Number));
        if [&a, &b].iter().any(|side| side.ty == Type::Unknown) {
            return unknown_expr(span);
        }
        typed(ExprKind::new_binary(BinaryOp::Arith(op), a, b), Type::Number, span)
    }

    /// Two numbers, or two bags, of which a literal one has the kind of the other.
    fn two_numbers(&mut self, (a, b): Sides) -> (Expr, Expr) {
        let hint = |typer: &Self, of: &Expr| match typer.file.rules.bag_of(&of.ty) {
            Some(kind) => Type::Bag(kind),
            None => Type::Number,
        };
        if let ast::ExprKind::Goods(..) = a.kind {
            let b = self.infer(b, Some(&Type::Number));
            (self.infer(a, Some(&hint(self, &b))), b)
        } else {
            let a = self.infer(a, Some(&Type::Number));
            let b = self.infer(b, Some(&hint(self, &a)));
            (a, b)
        }
    }

    fn infer_logic(&mut self, op: ast::BinaryOp, (a, b): Sides, span: Span) -> Expr {
        let compared = a;
        let a = self.infer_as(a, &Type::Bool);
        let b = self.assuming((&a, op == ast::BinaryOp::And), |typer| {
            let written = b;
            let b = typer.infer(b, Some(&Type::Bool));
            match typer.look().half_comparison(op, (compared, written), &b) {
                Some(error) => typer.file.report_as_expr(error),
                None => typer.coerce(b, &Type::Bool),
            }
        });
        let op = if op == ast::BinaryOp::And { BinaryOp::And } else { BinaryOp::Or };
        typed(ExprKind::new_binary(op, a, b), Type::Bool, span)
    }

    /// Both sides, a bare name last, so that the other side decides which kind it belongs to.
    fn both_sides(&mut self, (a, b): Sides) -> (Expr, Expr) {
        if self.look().is_bare_member(a) {
            // Two names may belong to one kind together.
            let names = [a, b].into_iter().all(|it| matches!(it.kind, ast::ExprKind::Name(_)));
            let kind = self.file.kind_of_names([a, b]).filter(|_| names).map(Type::Kind);
            let b = self.infer(b, kind.as_ref());
            (self.infer(a, Some(&b.ty)), b)
        } else {
            let a = self.infer(a, None);
            let b = self.infer(b, Some(&a.ty));
            (a, b)
        }
    }

    fn infer_equality(&mut self, sides: Sides, span: Span) -> Expr {
        let (a, b) = self.both_sides(sides);
        let (a, b) = self.look().both_faces(a, b);
        // What is known to be there may still be compared with `none`.
        let (a, b) = (self.look().as_maybe(a, &b), b);
        let (b, a) = (self.look().as_maybe(b, &a), a);
        let comparable = |ty: &Type| !matches!(ty, Type::Text | Type::Span | Type::Nothing);
        let joined = self.file.rules.join_kinds(&a.ty, &b.ty);
        let fine = joined.as_ref().is_some_and(comparable) && may_differ(&a, &b);
        let (Some(joined), true) = (joined, fine) else {
            return self.not_comparable(&a, &b, span);
        };
        if let Type::Bag(_) = joined {
            return self.compare_bags(BinaryOp::Equal, a, b, span);
        }
        let (a, b) = (self.coerce(a, &joined), self.coerce(b, &joined));
        typed(ExprKind::new_binary(BinaryOp::Equal, a, b), Type::Bool, span)
    }

    fn not_comparable(&mut self, a: &Expr, b: &Expr, span: Span) -> Expr {
        if [a, b].iter().all(|side| self.file.rules.bag_of(&side.ty).is_some()) {
            let [left, right] = [a, b].map(|side| self.file.rules.describe_type(&side.ty));
            let help =
                "whether one bag can pay another is asked with `within`: `{1 red} within me.gems`";
            self.file.report_error(error::not_comparable(left, right, help, span));
            return typed(unknown_expr(span).kind, Type::Bool, span);
        }
        let forgotten = [a, b].into_iter().find_map(|side| self.look().forgotten_index(side));
        if let Some(error) = forgotten {
            self.file.report_error(error);
            return typed(unknown_expr(span).kind, Type::Bool, span);
        }
        let (left, right) =
            (self.file.rules.describe_type(&a.ty), self.file.rules.describe_type(&b.ty));
        let help = match (&a.ty, &b.ty) {
            (Type::None, _) => self.look().never_none(b),
            (_, Type::None) => self.look().never_none(a),
            (Type::List(..), Type::Set(_)) | (Type::Set(_), Type::List(..)) => {
                "a list has an order and a set has none: `{x for x in list}` is the set of what is in \
                 a list"
                    .to_owned()
            }
            (Type::List(..), Type::List(..)) => {
                "two lists are compared if they hold members of one type".to_owned()
            }
            _ => "compare two values of one type; `<` and its like need numbers or members of one \
                  kind"
                .to_owned(),
        };
        self.file.report_error(error::not_comparable(left, right, help, span));
        typed(unknown_expr(span).kind, Type::Bool, span)
    }

    pub(crate) fn infer_order(&mut self, op: ast::BinaryOp, sides: Sides, span: Span) -> Expr {
        let (a, b) = self.both_sides(sides);
        let (a, b) = self.look().both_faces(a, b);
        let fine = match (unwrap_maybe(&a.ty), unwrap_maybe(&b.ty)) {
            (Type::Unknown, _) | (_, Type::Unknown) | (Type::Number, Type::Number) => true,
            (Type::Kind(one), Type::Kind(other)) => {
                self.file.rules.whole_kind(*one) == self.file.rules.whole_kind(*other)
            }
            (Type::List(..), Type::List(..)) => self.file.rules.join_kinds(&a.ty, &b.ty).is_some(),
            _ => false,
        };
        if !fine {
            return self.not_comparable(&a, &b, span);
        }
        let (a, b) = match (&a.ty, self.file.rules.join_kinds(&a.ty, &b.ty)) {
            (Type::List(..), Some(joined)) => (self.coerce(a, &joined), self.coerce(b, &joined)),
            _ => (a, b),
        };
        let kind = match op {
            ast::BinaryOp::Less => ExprKind::new_binary(BinaryOp::Less, a, b),
            ast::BinaryOp::LessEqual => ExprKind::new_binary(BinaryOp::LessEqual, a, b),
            ast::BinaryOp::Greater => ExprKind::new_binary(BinaryOp::Less, b, a),
            _ => ExprKind::new_binary(BinaryOp::LessEqual, b, a),
        };
        typed(kind, Type::Bool, span)
    }

    fn check_membership(&mut self, (element, set): Sides, span: Span) -> Expr {
        let sides = (element, set);
        let (element, set) = if self.look().is_bare_member(element) {
            let set = self.infer(set, None);
            let set = self.look().line_cells(set);
            (self.infer(element, Some(&set.ty)), set)
        } else {
            let element = self.infer(element, None);
            let element = if self.look().is_bare_member(set) {
                self.look().as_face(element)
            } else {
                element
            };
            let kind = member_kind(&element.ty);
            // The items in the braces decide whether it is a set of cards or of faces.
            let listed = matches!(set.kind, ast::ExprKind::Set(_));
            let kind = kind.filter(|kind| !(listed && self.file.rules.face_of(*kind).is_some()));
            let hint = kind.map(|kind| Type::Set(Domain::Kind(kind)));
            if let (ast::ExprKind::Set(items), Type::Number) =
                (&set.kind, unwrap_maybe(&element.ty))
            {
                return self.type_one_of(element, items, span);
            }
            (element, self.infer(set, hint.as_ref()))
        };
        if let (Type::Set(of), Type::Set(_)) = (&element.ty, &set.ty)
            && set.ty == Type::Set(*of)
        {
            let error = self.look().set_in_set(sides, &element);
            return self.file.report_as_expr(error);
        }
        self.member_of_set(element, set, span)
    }

    /// `n in {1, 3}`: a case for the numbers, and one for all others.
    fn type_one_of(&mut self, element: Expr, items: &[ast::Expr], span: Span) -> Expr {
        let items: Vec<Expr> =
            items.iter().map(|item| self.infer_as(item, &Type::Number)).collect();
        let answer = |holds: i64| typed(ExprKind::Value(Value::Int(holds)), Type::Bool, span);
        if let Some(numbers) = items.iter().map(literal).collect::<Option<BTreeSet<i64>>>() {
            let patterns =
                numbers.into_iter().map(|number| Pattern::Value(Value::Int(number))).collect();
            let arms = vec![
                Arm { patterns, body: answer(1), span },
                Arm { patterns: Vec::new(), body: answer(0), span },
            ];
            return typed(ExprKind::Match(Box::new(element), arms), Type::Bool, span);
        }
        let equals = items.into_iter().map(|item| {
            let kind = ExprKind::new_binary(BinaryOp::Equal, element.clone(), item);
            typed(kind, Type::Bool, span)
        });
        let either = |a, b| typed(ExprKind::new_binary(BinaryOp::Or, a, b), Type::Bool, span);
        equals.reduce(either).unwrap_or_else(|| answer(0))
    }

    fn member_of_set(&mut self, element: Expr, set: Expr, span: Span) -> Expr {
        let set = match (&set.ty, unwrap_maybe(&element.ty)) {
            (Type::Maybe(_) | Type::Kind(_) | Type::EmptySet, Type::Kind(kind)) => {
                self.look().fit(set, &Type::Set(Domain::Kind(*kind))).unwrap_or_else(|set| set)
            }
            _ => set,
        };
        let member = match &set.ty {
            Type::Set(domain) | Type::List(domain, _) => domain.member_type(),
            Type::Span => Type::Number,
            Type::Unknown => return typed(unknown_expr(span).kind, Type::Bool, span),
            _ => return self.not_a_set(&set),
        };
        let face = member_kind(&element.ty).and_then(|kind| self.file.rules.face_of(kind));
        let is_of_faces = face
            .zip(member_kind(&member))
            .is_some_and(|(face, kind)| kind == face || self.file.rules.is_part(kind, face));
        let mut element = if is_of_faces { self.look().as_face(element) } else { element };
        if *unwrap_maybe(&element.ty) != Type::Unknown
            && self.file.rules.whole_type(unwrap_maybe(&element.ty))
                != self.file.rules.whole_type(&member)
        {
            element = self.coerce(element, &member);
        }
        typed(ExprKind::new_binary(BinaryOp::In, element, set), Type::Bool, span)
    }

    fn set_op(&mut self, op: SetOp, sides: Sides, span: Span, hint: Option<&Type>) -> Expr {
        let (a, b, ty, part) = self.two_sets(sides, hint);
        if let Type::Bag(_) = ty {
            return match op {
                SetOp::Union => self.bag_arith(Arith::Max, a, b, span),
                SetOp::Common => self.bag_arith(Arith::Min, a, b, span),
                SetOp::Minus => self.bag_rest(a, b, span),
            };
        }
        let ty = part.filter(|_| op == SetOp::Common).unwrap_or(ty);
        typed(ExprKind::new_binary(BinaryOp::Set(op), a, b), ty, span)
    }

    /// Two sets over one type, and the type of the one that is over a part of what the other is over;
    /// a member becomes the set of it.
    fn two_sets(&mut self, sides: Sides, hint: Option<&Type>) -> (Expr, Expr, Type, Option<Type>) {
        let (a, b) = match (hint, &sides.0.kind) {
            (Some(hint @ Type::Set(_)), _) => {
                (self.infer(sides.0, Some(hint)), self.infer(sides.1, Some(hint)))
            }
            (_, ast::ExprKind::Range(..)) => {
                let range = self.infer(sides.0, None);
                let range = self.file.keep_range(range);
                let hint = range.ty.clone();
                (range, self.infer(sides.1, Some(&hint)))
            }
            _ => self.both_sides(sides),
        };
        if [&a, &b].iter().all(|it| matches!(it.ty, Type::Set(Domain::Range(_)) | Type::Span))
            && a.ty != b.ty
        {
            let [expected, found] = [&a, &b].map(|it| self.file.rules.describe_type(&it.ty));
            let [first, second] = [sides.0, sides.1].map(print_expression);
            let help = format!(
                "these are sets of different numbers; say it of each one: `{{n in {first} where n not in {second}}}`"
            );
            let error = error::type_mismatch(expected, found, help, b.span);
            self.file.report_error(error);
            return (a, b, Type::Unknown, None);
        }
        let bag = [&a, &b].into_iter().find_map(|side| self.file.rules.bag_of(&side.ty));
        if let Some(kind) = bag {
            return (a, b, Type::Bag(kind), None);
        }
        // A line beside a set of lines is a member of that; beside anything else it is the set of its cells.
        let is_one = |side: &Expr, of: &Expr| match of.ty {
            Type::Set(domain) => domain.member_type() == side.ty,
            _ => false,
        };
        let (a, b) = if is_one(&a, &b) || is_one(&b, &a) {
            (a, b)
        } else {
            (self.look().line_cells(a), self.look().line_cells(b))
        };
        let rules = &self.file.rules;
        let (found, part) = match (set_type(&a), set_type(&b)) {
            (Some(one), Some(other)) => {
                let kinds = member_kind(&one).zip(member_kind(&other));
                let part = kinds.and_then(|(kind, of)| {
                    let (first, second) = (rules.is_part(kind, of), rules.is_part(of, kind));
                    if first { Some(one.clone()) } else { second.then(|| other.clone()) }
                });
                (rules.join_kinds(&one, &other).or(Some(one)), part)
            }
            (one, other) => (one.or(other), None),
        };
        let Some(ty) = found else {
            if a.ty != Type::Unknown && b.ty != Type::Unknown {
                let side = if matches!(a.ty, Type::EmptySet) { &b } else { &a };
                self.not_a_set(side);
            }
            return (a, b, Type::Unknown, None);
        };
        (self.coerce(a, &ty), self.coerce(b, &ty), ty, part)
    }
}

fn not(of: Expr) -> Expr {
    let span = of.span;
    typed(ExprKind::new_unary(UnaryOp::Not, of), Type::Bool, span)
}

/// Whether a comparison can have both outcomes: `none` is compared with a maybe only.
fn may_differ(a: &Expr, b: &Expr) -> bool {
    match (&a.ty, &b.ty) {
        (Type::None, other) | (other, Type::None) => {
            matches!(other, Type::Maybe(_) | Type::None | Type::Unknown)
        }
        _ => true,
    }
}

fn set_type(expr: &Expr) -> Option<Type> {
    match unwrap_maybe(&expr.ty) {
        Type::Set(domain) | Type::List(domain, _) => Some(Type::Set(*domain)),
        Type::Kind(kind) => Some(Type::Set(Domain::Kind(*kind))),
        _ => None,
    }
}

impl Lookup<'_> {
    /// `a == x or y`, where `y` was meant to be compared too.
    fn half_comparison(self, op: ast::BinaryOp, (a, b): Sides, found: &Expr) -> Option<Diagnostic> {
        let (sign, left) = match &a.kind {
            ast::ExprKind::Binary(ast::BinaryOp::Equal, left, _) => ("==", left),
            ast::ExprKind::Binary(ast::BinaryOp::NotEqual, left, _) => ("!=", left),
            _ => return None,
        };
        if !matches!(unwrap_maybe(&found.ty), Type::Number | Type::Kind(_)) {
            return None;
        }
        let form = format!("{} {sign} {}", print_expression(left), print_expression(b));
        let word = if op == ast::BinaryOp::Or { "or" } else { "and" };
        let help = Help::form(&format!("after `{word}` write a whole condition:"), &form);
        Some(error::type_mismatch(
            "yes or no",
            self.file.rules.describe_type(&found.ty),
            help,
            found.span,
        ))
    }

    /// A narrowed expression as the maybe it was, when it is compared with `none`.
    fn as_maybe(self, mut expr: Expr, other: &Expr) -> Expr {
        if other.ty == Type::None && self.scope.is_known(&expr) {
            expr.ty = maybe_if_any(expr.ty);
        }
        expr
    }

    /// What to do about a value that is compared with `none`, and never is.
    fn never_none(self, value: &Expr) -> String {
        if let Type::List(..) = value.ty {
            let code = self.expr_code(value);
            if code.starts_with('[') {
                return format!("an index follows the name of an array: `name{code}`");
            }
            return format!("compare it with the empty list: `{code} == []`");
        }
        match &value.kind {
            ExprKind::Local(local) if self.scope.local_at(*local).mutable => format!(
                "only a `maybe` can be `none`: declare it as one, `var {}: maybe {} = …`",
                self.scope.local_at(*local).name,
                type_code(&self.file.rules, &value.ty)
            ),
            _ => "only a `maybe` can be `none`, and this is always there: remove the comparison"
                .to_owned(),
        }
    }
}
