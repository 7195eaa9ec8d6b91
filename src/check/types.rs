//! What fits where, and what types are called in messages.

use crate::check::context::{Checker, typed, unknown};
use crate::check::error::TypeError;
use crate::check::rules::{
    Domain, Expr, ExprKind, KindId, PLAYER, RangeId, Rules, Shape, Type, Value,
};
use crate::check::scope::list;
use crate::check::written::expression_text;
use crate::diagnostic::Help;

/// A type as it is written in a file.
pub(super) fn type_code(rules: &Rules, ty: &Type) -> String {
    match ty {
        Type::Unknown => "?".to_owned(),
        Type::Nothing => "nothing".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Bool => "yes/no".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Kind(kind) => rules.kinds[kind.index()].name.clone(),
        Type::Set(domain) => format!("set of {}", domain_code(rules, *domain)),
        Type::Maybe(inner) => format!("maybe {}", type_code(rules, inner)),
        Type::Span => "range".to_owned(),
        Type::Subsets(domain) => format!("subsets of {}", domain_code(rules, *domain)),
        Type::Pile(_) => "cards".to_owned(),
        Type::None => "none".to_owned(),
        Type::EmptySet => "{}".to_owned(),
    }
}

/// A finite type as it is written in a file.
pub(super) fn domain_code(rules: &Rules, domain: Domain) -> String {
    match domain {
        Domain::Kind(kind) => rules.kinds[kind.index()].name.clone(),
        Domain::Range(range) => range_code(rules, range),
    }
}

/// A range as it is written in a file.
pub(super) fn range_code(rules: &Rules, range: RangeId) -> String {
    let range = &rules.ranges[range.index()];
    let bound = |expr: &Expr| expression_text(rules, &[], expr);
    format!("{}..{}", bound(&range.low), range.high.as_ref().map(bound).unwrap_or_default())
}

/// What a value of the type is called in messages.
pub(super) fn type_name(rules: &Rules, ty: &Type) -> String {
    match ty {
        Type::Unknown => "something unknown".to_owned(),
        Type::Nothing => "no value".to_owned(),
        Type::Number => "a number".to_owned(),
        Type::Bool => "yes or no".to_owned(),
        Type::Text => "a text".to_owned(),
        Type::Kind(kind) => with_article(&rules.kinds[kind.index()].name),
        Type::Set(_) | Type::Maybe(_) => format!("a `{}`", type_code(rules, ty)),
        Type::Span => "a range of numbers".to_owned(),
        Type::Subsets(_) => "the subsets of a set".to_owned(),
        Type::Pile(_) => "a pile of cards".to_owned(),
        Type::None => "`none`".to_owned(),
        Type::EmptySet => "an empty set".to_owned(),
    }
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} `{name}`")
}

/// A count with its word: `1 cell`, `3 cells`.
pub(super) fn counted(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}"),
        1 => format!("1 {word}"),
        _ if word == "index" => format!("{count} indices"),
        _ => format!("{count} {word}s"),
    }
}

/// The kind whose members are expected, if the type tells.
pub(super) fn kind_of(ty: &Type) -> Option<KindId> {
    match ty {
        Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
        Type::Maybe(inner) => kind_of(inner),
        _ => None,
    }
}

/// What is in a maybe; any other type as it is.
pub(super) fn plain(ty: &Type) -> &Type {
    if let Type::Maybe(inner) = ty { inner } else { ty }
}

/// The maybe of a type; one of a maybe is that maybe.
pub(super) fn maybe(ty: Type) -> Type {
    match ty {
        Type::Number | Type::Bool | Type::Text | Type::Kind(_) => Type::Maybe(Box::new(ty)),
        other => other,
    }
}

/// Whether a maybe of the type exists.
pub(super) fn has_maybe(ty: &Type) -> bool {
    matches!(ty, Type::Number | Type::Bool | Type::Text | Type::Kind(_))
}

/// Whether a value of the type is a set of these, a member of it, or perhaps one.
fn fits_set(domain: Domain, ty: &Type) -> bool {
    *ty == Type::Set(domain)
        || *plain(ty) == domain.member_type()
        || matches!(ty, Type::None | Type::EmptySet)
}

/// The type that both fit, if there is one.
pub(super) fn join(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (Type::Unknown, _) | (_, Type::Unknown) => Some(Type::Unknown),
        (Type::Set(domain), other) | (other, Type::Set(domain)) => {
            fits_set(*domain, other).then_some(Type::Set(*domain))
        }
        (Type::EmptySet, other) | (other, Type::EmptySet) => match plain(other) {
            Type::Kind(kind) => Some(Type::Set(Domain::Kind(*kind))),
            Type::None => Some(Type::EmptySet),
            _ => None,
        },
        (Type::None, other) | (other, Type::None) if has_maybe(plain(other)) => {
            Some(maybe(other.clone()))
        }
        (Type::Maybe(inner), other) | (other, Type::Maybe(inner)) if **inner == *other => {
            Some(maybe(other.clone()))
        }
        _ => None,
    }
}

/// The expression as a value of the type, or unchanged if it does not fit.
pub(super) fn fit(mut expr: Expr, want: &Type) -> Result<Expr, Expr> {
    if expr.ty == *want || expr.ty == Type::Unknown || *want == Type::Unknown {
        return Ok(expr);
    }
    match (want, &expr.ty) {
        (Type::Maybe(_), Type::None) | (Type::Set(_), Type::EmptySet) => {
            expr.ty = want.clone();
            Ok(expr)
        }
        (Type::Maybe(inner), found) if **inner == *found => Ok(expr),
        (Type::Set(_), Type::None) => {
            Ok(typed(ExprKind::SetOf(Vec::new()), want.clone(), expr.span))
        }
        (Type::Set(domain), found) if *plain(found) == domain.member_type() => {
            let span = expr.span;
            Ok(typed(ExprKind::ToSet(Box::new(expr)), want.clone(), span))
        }
        _ => Err(expr),
    }
}

impl Checker<'_> {
    /// What a value of the type is called in messages.
    pub(super) fn name_of(&self, ty: &Type) -> String {
        type_name(&self.rules, ty)
    }

    /// The expression as a value of the type, or unchanged if it does not fit. A line is taken for
    /// the set of its cells where one is wanted.
    pub(super) fn fit(&self, expr: Expr, want: &Type) -> Result<Expr, Expr> {
        let expr = match self.as_pile_or_face(expr, want) {
            Ok(expr) => return Ok(expr),
            Err(expr) => expr,
        };
        match self.board_of_lines(&expr.ty) {
            Some(board) if *want == Type::Set(Domain::Kind(board)) => Ok(self.line_cells(expr)),
            _ => fit(self.as_whole(expr, want), want),
        }
    }

    /// The expression as a value of the type; one that does not fit is reported.
    pub(super) fn coerce(&mut self, expr: Expr, want: &Type) -> Expr {
        match self.fit(expr, want) {
            Ok(expr) => expr,
            Err(expr) => {
                let error = self.misfit(&expr, want);
                if matches!(error, TypeError::MayBeNone { .. }) && self.is_blamed(&expr) {
                    return unknown(expr.span);
                }
                self.broken(error, expr.span)
            }
        }
    }

    /// What to say of an expression that does not fit.
    pub(super) fn misfit(&self, expr: &Expr, want: &Type) -> TypeError {
        let expected = self.name_of(want);
        match &expr.ty {
            Type::Maybe(inner) if self.fit(typed_as(expr, inner), want).is_ok() => {
                TypeError::MayBeNone { expected, help: self.help_for_maybe(expr), span: expr.span }
            }
            found => TypeError::Mismatch {
                expected,
                found: self.name_of(found),
                help: self.help_for_misfit(expr, want),
                span: expr.span,
            },
        }
    }

    /// Whether a maybe was blamed in this body before: one test mends both.
    fn is_blamed(&mut self, expr: &Expr) -> bool {
        let text = expression_text(&self.rules, &self.body.locals, expr);
        !self.body.blamed.insert(text)
    }

    /// Reports a maybe that must be looked at first.
    pub(super) fn needs_check(&mut self, expr: &Expr, expected: String) -> Expr {
        if self.is_blamed(expr) {
            return unknown(expr.span);
        }
        let help = self.help_for_maybe(expr);
        self.broken(TypeError::MayBeNone { expected, help, span: expr.span }, expr.span)
    }

    fn help_for_maybe(&self, expr: &Expr) -> String {
        let text = expression_text(&self.rules, &self.body.locals, expr);
        if self.path(expr).is_some() {
            format!("check it first: `if {text} != none {{ … }}`")
        } else if matches!(expr.kind, ExprKind::Var(..)) {
            format!(
                "what the game holds may change, so keep it first: `let it = {text}`, then check: `if it \
                 != none {{ … }}`"
            )
        } else {
            format!("keep it first: `let it = {text}`, then check: `if it != none {{ … }}`")
        }
    }

    /// Whether only a test is missing: a part of a kind is wanted, and this is of the whole.
    pub(super) fn needs_part(&self, expr: &Expr, want: &Type) -> bool {
        matches!((plain(&expr.ty), plain(want)), (Type::Kind(_), Type::Kind(_)))
            && self.is_part_type(want, &expr.ty)
    }

    /// What to do about a member of the whole where one of a part is wanted.
    fn help_for_part(&self, expr: &Expr, want: &Type) -> String {
        let Some(kind) = kind_of(want) else { return String::new() };
        if let ExprKind::Value(_) = expr.kind {
            return format!("its members are {}", list(&self.member_names(kind)));
        }
        let text = expression_text(&self.rules, &self.body.locals, expr);
        let part = &self.kind(kind).name;
        if self.path(expr).is_some() {
            format!("test it first: `if {text} in {part} {{ … }}`")
        } else {
            format!(
                "keep it in a `let` first: `let it = {text}`, then test: `if it in {part} {{ … }}`"
            )
        }
    }

    /// The numbers that a member has, since it is none itself.
    fn numbers_of(&self, kind: KindId) -> String {
        let of = self.kind(kind);
        let column = of.named_columns().find(|column| column.ty == Type::Number);
        match (&of.shape, column) {
            _ if kind == PLAYER => {
                "a player is no number: `p.seat` is the number of the seat".into()
            }
            (Shape::Ring, _) => {
                "a cell is no number: `step(c, back)` is the cell before it, `c.number` its number"
                    .into()
            }
            (_, Some(column)) => format!("a member is no number: `x.{}` is one of it", column.name),
            (_, None) => format!("a member is no number: give `{}` a column of numbers", of.name),
        }
    }

    fn help_for_misfit(&self, expr: &Expr, want: &Type) -> Help {
        match (&expr.ty, want) {
            (Type::Nothing, _) => "call a rule that returns a value: `-> TYPE` in its head".into(),
            (Type::Kind(kind), Type::Number) => self.numbers_of(*kind).into(),
            (Type::Text, Type::Kind(_)) => match &expr.kind {
                ExprKind::Value(Value::Text(word)) => Help::form("take out the quotes:", word),
                _ => "members are named without quotes".into(),
            },
            (Type::Number, Type::Kind(kind)) if self.cell_by_number(*kind).is_some() => {
                self.cell_by_number(*kind).unwrap_or_default().into()
            }
            (Type::Maybe(_), Type::Bool) => {
                let text = expression_text(&self.rules, &self.body.locals, expr);
                Help::form("ask whether it is there:", &format!("{text} != none"))
            }
            (Type::Number, Type::Bool) => "compare the number: `… > 0`".into(),
            (Type::Kind(_), Type::Bool) => {
                let text = expression_text(&self.rules, &self.body.locals, expr);
                format!("compare it: `{text} == …`").into()
            }
            (Type::Span, Type::Number) => {
                "take one number; `for n in 1..4 { … }` takes each of them".into()
            }
            (Type::Set(domain), want)
                if matches!(expr.kind, ExprKind::Whole(_))
                    && *plain(want) == domain.member_type() =>
            {
                let kind = domain_code(&self.rules, *domain);
                format!("`{kind}` is all of them: name one, as in `for x in {kind} {{ … }}`").into()
            }
            (Type::Set(_), Type::Bool) => "ask for a member: `any(x in S: …)`, `x in S`".into(),
            (Type::Set(_), Type::Number) => "count its members: `count(S)`".into(),
            (Type::Set(domain), want) if *plain(want) == domain.member_type() => {
                "pick one of its members: `first(x in S)`, `random S`, `choose p pick from S`"
                    .into()
            }
            (_, Type::Set(domain)) => {
                let one = self.name_of(&domain.member_type());
                format!("write {one}, or a set of them").into()
            }
            (_, want) if self.needs_part(expr, want) => self.help_for_part(expr, want).into(),
            (Type::None, _) => "only a `maybe` can be `none`".into(),
            (_, Type::Unknown) => "write something else here".into(),
            _ => format!("write {} here", self.name_of(want)).into(),
        }
    }
}

/// A stand-in of another type at the same place.
fn typed_as(expr: &Expr, ty: &Type) -> Expr {
    Expr { ty: ty.clone(), ..unknown(expr.span) }
}
