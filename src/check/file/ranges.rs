//! Interns ranges, and refuses types that cannot be stored.

use crate::check::error;
use crate::check::file::FileContext;
use crate::rules::{
    Domain, Expr, ExprKind, Range, RangeId, Type, is_same_expr, literal, unknown_expr,
};
use crate::source::Span;
use crate::syntax::ast;

impl FileContext<'_> {
    /// The id of a range, a new one if there is none like it.
    pub(crate) fn intern_range(&mut self, range: Range) -> Option<RangeId> {
        let is_same = |known: &Range| {
            is_same_expr(&known.low, &range.low)
                && match (&known.high, &range.high) {
                    (Some(a), Some(b)) => is_same_expr(a, b),
                    (None, None) => true,
                    _ => false,
                }
        };
        if let Some(at) = self.rules.ranges.iter().position(is_same) {
            return Some(RangeId::at(at));
        }
        if self.seats.is_some() {
            self.new_type(range.span);
            return None;
        }
        self.rules.ranges.push(range);
        Some(RangeId::at(self.rules.ranges.len() - 1))
    }

    /// Reports that a script needs a type that its game does not have; once, since others follow.
    pub(crate) fn new_type(&mut self, span: Span) {
        if self.reported_names.insert("a new type".to_owned()) {
            self.report_error(error::new_type(span));
        }
    }

    pub(crate) fn literal_range(&mut self, low: &Expr, high: &Expr) -> Option<RangeId> {
        let (from, to) = (literal(low)?, literal(high)?);
        if from > to {
            return None;
        }
        let span = low.span.to(high.span);
        self.intern_range(Range { low: low.clone(), high: Some(high.clone()), span })
    }

    /// A range of numbers as a set that can be kept, if its ends are written as numbers.
    pub(crate) fn keep_range(&mut self, mut set: Expr) -> Expr {
        if let (Type::Span, ExprKind::Interval(low, high)) = (&set.ty, &set.kind)
            && let Some(range) = self.literal_range(&low.clone(), &high.clone())
        {
            set.ty = Type::Set(Domain::Range(range));
        }
        set
    }

    pub(crate) fn numbers_need_range(&mut self, span: Span) -> Expr {
        if self.seats.is_some() {
            self.new_type(span);
            return unknown_expr(span);
        }
        let error = error::needs_type(
            "this set",
            "numbers",
            "use it where a `set of 1..6` is expected, as in `var x: set of 1..6 = …` or in \
             `rule f(…) -> set of 1..6 = …`",
            span,
        );
        self.report_as_expr(error)
    }

    pub(crate) fn report_untyped(&mut self, name: &ast::Name, ty: &Type, span: Span) {
        let name = &name.text;
        let (value, like) = match ty {
            Type::EmptySet => ("{}", "set of KIND"),
            Type::Span => ("a range", "set of 1..6"),
            _ => ("none", "maybe Player"),
        };
        let help = if *ty == Type::Span {
            format!(
                "a die is `die {name} = 1..6`, a number `{name}: 1..6 = 1`, a set \
                 `{name}: set of 1..6 = …`"
            )
        } else {
            format!("write it: `{name}{}: {like} = {value}`", self.written_dims(name))
        };
        self.report_error(error::needs_type(format!("`{name}`"), value, help, span));
    }

    /// The type, or `Unknown` if no variable can have it, which is reported; lists need `holds_lists`.
    pub(crate) fn check_storable(
        &mut self,
        name: &ast::Name,
        ty: Type,
        holds_lists: bool,
        span: Span,
    ) -> Type {
        match ty {
            Type::List(..) if !holds_lists => {
                self.report_error(error::stored_list(name.span));
                Type::Unknown
            }
            Type::None | Type::EmptySet | Type::Span => {
                self.report_untyped(name, &ty, span);
                Type::Unknown
            }
            Type::Text | Type::Nothing | Type::Pile(_) => {
                self.report_error(error::not_storable(self.rules.describe_type(&ty), name.span));
                Type::Unknown
            }
            Type::Maybe(inner) if *inner == Type::Text => {
                self.check_storable(name, Type::Text, holds_lists, span)
            }
            ty => ty,
        }
    }
}
