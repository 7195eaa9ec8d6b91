//! Resolves written types: kinds by name, anonymous kinds, ranges; and constant expressions.

use crate::check::context::{Body, Checker, Mode};
use crate::check::error;
use crate::check::members::MOST_MEMBERS;
use crate::check::recorder::CompletionContext;
use crate::check::words::WrittenCall;
use crate::rules::{Domain, Expr, Local, Range, RangeId, Type, has_maybe, literal, maybe};
use crate::source::Span;
use crate::syntax::ast;

/// A type, and the range that is enforced on its numbers.
#[derive(Clone, Debug)]
pub(crate) struct WrittenType {
    pub(crate) ty: Type,
    pub(crate) range: Option<RangeId>,
}

impl WrittenType {
    pub(crate) fn from_type(ty: Type) -> WrittenType {
        WrittenType { ty, range: None }
    }
}

impl Checker<'_> {
    pub(crate) fn resolve(&mut self, written: &ast::TypeExpr) -> WrittenType {
        let ty = match &written.kind {
            ast::TypeKind::Number => Type::Number,
            ast::TypeKind::Bool => Type::Bool,
            ast::TypeKind::Text => Type::Text,
            ast::TypeKind::Kind(name) => {
                self.file.recorder.see(&name.text, CompletionContext::Type);
                self.file.kind_named(name).map_or(Type::Unknown, Type::Kind)
            }
            ast::TypeKind::Of(board, name, args) => {
                self.resolve_lines(board, WrittenCall { name, args, span: written.span })
            }
            ast::TypeKind::Members(members) => self.file.unnamed_kind(members, written.span),
            ast::TypeKind::Range(low, high) => {
                let range = self.resolve_range(low, high.as_deref(), written.span);
                return WrittenType { ty: Type::Number, range };
            }
            ast::TypeKind::Set(of) => self.resolve_domain(of).map_or(Type::Unknown, Type::Set),
            ast::TypeKind::List(of, most) => self.resolve_list(of, most),
            ast::TypeKind::Cards(of) => {
                self.file.cards_kind(of.as_ref(), written.span).map_or(Type::Unknown, Type::Pile)
            }
            ast::TypeKind::Maybe(of) => return self.resolve_maybe(of),
        };
        WrittenType::from_type(ty)
    }

    /// `Field.lines(4)` as a type: one of the lines.
    fn resolve_lines(&mut self, name: &ast::Name, method: WrittenCall) -> Type {
        self.file.recorder.see(&name.text, CompletionContext::Type);
        let Some(board) = self.file.kind_named(name) else { return Type::Unknown };
        if method.name.text != "lines" {
            let help = "the lines of a board are a type: `Field.lines(4)`";
            let (owner, called) = (format!("`{}`", name.text), method.name);
            self.file.report_error(error::unknown_field(owner, &called.text, help, called.span));
            return Type::Unknown;
        }
        let body = Body::new(Vec::new(), Mode::Constant);
        let (lines, _) =
            self.in_body(body, |checker| checker.check_lines(board, method.args, method.span));
        match lines.ty {
            Type::Set(domain) => domain.member_type(),
            _ => Type::Unknown,
        }
    }

    fn resolve_maybe(&mut self, of: &ast::TypeExpr) -> WrittenType {
        let WrittenType { ty, range } = self.resolve(of);
        if ty != Type::Unknown && !has_maybe(&ty) {
            self.file.report_error(error::nested_type(
                "maybe",
                self.file.rules.describe_type(&ty),
                of.span,
            ));
            return WrittenType::from_type(Type::Unknown);
        }
        WrittenType { ty: maybe(ty), range }
    }

    pub(crate) fn resolve_domain(&mut self, written: &ast::TypeExpr) -> Option<Domain> {
        let WrittenType { ty, range } = self.resolve(written);
        match (&ty, range) {
            (Type::Kind(kind), _) => return Some(Domain::Kind(*kind)),
            (Type::Number, Some(range)) if self.file.rules.ranges[range.index()].high.is_some() => {
                return self.short_range(range, written.span);
            }
            (Type::Unknown, _) => return None,
            (Type::Number, None) if matches!(written.kind, ast::TypeKind::Range(..)) => {
                return None;
            }
            _ => {}
        }
        let found = match range {
            Some(_) => "a range that is open above".to_owned(),
            None => self.file.rules.describe_type(&ty),
        };
        let help = match ty {
            Type::Number => {
                "write the lowest number and the highest: `set of 1..99`; arrays and tables need both \
                 ends too"
            }
            _ => "sets, arrays and tables are over kinds (`Colour`) or closed ranges (`1..6`)",
        };
        self.file.refuse_with(error::not_finite(help, found, written.span))
    }

    fn short_range(&mut self, range: RangeId, span: Span) -> Option<Domain> {
        let domain = Domain::Range(range);
        match self.file.rules.domain_size(domain) {
            Some(found) if found > MOST_MEMBERS => self.file.refuse_with(error::too_many_members(
                "the range",
                found,
                MOST_MEMBERS,
                span,
            )),
            _ => Some(domain),
        }
    }

    pub(crate) fn resolve_range(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        span: Span,
    ) -> Option<RangeId> {
        let low = self.constant_expr(low, Some(&Type::Number));
        let high = high.map(|high| self.constant_expr(high, Some(&Type::Number)));
        if low.ty == Type::Unknown || high.as_ref().is_some_and(|high| high.ty == Type::Unknown) {
            return None;
        }
        if let (Some(low), Some(high)) = (literal(&low), high.as_ref().and_then(literal))
            && low > high
        {
            return self.file.refuse_with(error::empty_bounds(low, high, span));
        }
        self.file.intern_range(Range { low, high, span })
    }

    pub(crate) fn constant_expr(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        self.constant_with(expr, want, Vec::new()).0
    }

    /// A constant expression that may read some locals; those and the ones inside it come with it.
    pub(crate) fn constant_with(
        &mut self,
        expr: &ast::Expr,
        want: Option<&Type>,
        locals: Vec<Local>,
    ) -> (Expr, Vec<Local>) {
        let (checked, body) = self.in_body(Body::new(locals, Mode::Constant), |checker| {
            checker.expect_or_infer(expr, want)
        });
        (checked, body.locals)
    }
}
