//! Subtyping and coercion: which value fits where, mismatches in words, suggested fixes.

use crate::check::error;
use crate::check::typer::Typer;
use crate::check::typer::lookup::Lookup;
use crate::check::words::quote_list;
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::print::expression_text;
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Array, Domain, Expr, ExprKind, KindId, PLAYER, Rules, Type, UnaryOp, Value, domain_code,
    format_count, member_kind, player, typed, unknown_expr, unwrap_maybe, with_kind,
};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The error about a variable that is written with another number of indices.
pub(crate) fn other_indices(
    rules: &Rules,
    name: &str,
    dims: &[Domain],
    found: usize,
    span: Span,
) -> Diagnostic {
    let help = format!("write `{}`", rules.indexed_form(name, dims));
    wrong_index_count(name, dims.len(), found, help, span)
}

/// A variable or table with `dims` dimensions that is read with another number of indices.
pub(crate) fn wrong_index_count(
    name: &str,
    dims: usize,
    found: usize,
    help: impl Into<Help>,
    span: Span,
) -> Diagnostic {
    let problem = match (dims, found) {
        (1, 0) => format!("`{name}` needs a value in brackets"),
        (_, 0) => format!("`{name}` needs {dims} values in brackets"),
        _ => format!("`{name}` takes {}, found {found}", format_count(dims, "index")),
    };
    error::wrong_index_count(problem, help, span)
}

/// Gives the type to a value that may be of many, and to the values that it is one of.
fn retype(expr: &mut Expr, want: &Type) {
    let many = std::mem::replace(&mut expr.ty, want.clone());
    let part = |part: &mut Expr| {
        if part.ty == many {
            retype(part, want);
        }
    };
    match &mut expr.kind {
        ExprKind::Suppose(_, value) => part(value),
        ExprKind::If(_, then, otherwise) => [then, otherwise].into_iter().for_each(|it| part(it)),
        ExprKind::Match(_, arms) => arms.iter_mut().for_each(|arm| part(&mut arm.body)),
        _ => {}
    }
}

/// The expression as a value of the type, or unchanged if it does not fit.
pub(crate) fn fit(mut expr: Expr, want: &Type) -> Result<Expr, Expr> {
    if expr.ty == *want || expr.ty == Type::Unknown || *want == Type::Unknown {
        return Ok(expr);
    }
    let span = expr.span;
    match (want, &expr.ty) {
        (Type::Maybe(_), Type::None) | (Type::Set(_), Type::EmptySet) => {
            retype(&mut expr, want);
            Ok(expr)
        }
        (Type::Maybe(inner), found) if **inner == *found => Ok(expr),
        (Type::List(want_of, most), Type::List(of, least)) if want_of == of && least <= most => {
            Ok(typed(ExprKind::new_unary(UnaryOp::ToList, expr), want.clone(), span))
        }
        (Type::Set(want_of), Type::List(of, _)) if want_of == of => {
            Ok(typed(ExprKind::new_unary(UnaryOp::ToSet, expr), want.clone(), span))
        }
        (Type::Set(_), Type::None) => Ok(typed(ExprKind::SetOf(Vec::new()), want.clone(), span)),
        (Type::Set(domain), found) if *unwrap_maybe(found) == domain.member_type() => {
            Ok(typed(ExprKind::new_unary(UnaryOp::ToSet, expr), want.clone(), span))
        }
        _ => Err(expr),
    }
}

impl Typer<'_, '_> {
    /// Reports something that has no members to iterate or to look among.
    pub(crate) fn not_a_set(&mut self, of: &Expr) -> Expr {
        if let Some(error) = self.look().forgotten_index(of) {
            return self.file.report_as_expr(error);
        }
        if let Some(kind) = self.file.rules.bag_of(&of.ty) {
            let kind = &self.file.rules.kind_at(kind).name;
            let help = format!("a bag has an amount of each: `any(x in {kind}: b[x] > 0)`");
            let found = self.file.rules.describe_type(&of.ty);
            let error = error::type_mismatch("a set", found, help, of.span);
            return self.file.report_as_expr(error);
        }
        self.file.report_as_expr(error::not_a_set(self.file.rules.describe_type(&of.ty), of.span))
    }

    /// The expression as a value of the type; one that does not fit is reported.
    pub(crate) fn coerce(&mut self, expr: Expr, want: &Type) -> Expr {
        let expr = match (want, expr.span) {
            (Type::Bag(kind), span) if expr.ty != *want => match self.as_bag(expr, Some(*kind)) {
                Ok(bag) => bag.into_expr(span),
                Err(other) => other,
            },
            _ => expr,
        };
        self.look().fit(expr, want).unwrap_or_else(|expr| {
            match self.look().misfit_error(&expr, want) {
                error if error.code == Some("check::may_be_none") => {
                    self.report_unchecked_maybe(&expr, want)
                }
                error => self.file.report_as_expr(error),
            }
        })
    }

    /// Reports an expression that does not fit, with better help where it is a value of another type.
    pub(crate) fn refuse_misfit(&mut self, expr: &Expr, want: &Type, help: Option<Help>) -> Expr {
        let error = self.look().misfit_error(expr, want);
        let is_other = error.code == Some("check::type_mismatch");
        self.file.report_as_expr(if is_other { error.with_help(help) } else { error })
    }

    /// Reports a maybe that must be tested first; once in a body, since one test mends all.
    pub(crate) fn report_unchecked_maybe(&mut self, expr: &Expr, want: &Type) -> Expr {
        let (text, span) = (self.look().expr_code(expr), expr.span);
        if !self.scope.blamed.insert(text) {
            return unknown_expr(span);
        }
        let (expected, help) =
            (self.file.rules.describe_type(want), self.look().help_for_maybe(expr));
        self.file.report_as_expr(error::may_be_none(expected, help, span))
    }

    /// The type of whom a variable that each player has belongs to.
    pub(crate) fn check_owner(&mut self, owner: Expr) -> Expr {
        self.coerce(owner, &player())
    }
}

impl Lookup<'_> {
    pub(crate) fn line_cells(self, line: Expr) -> Expr {
        let (Some(board), Type::Kind(kind)) = (self.file.rules.board_of_lines(&line.ty), &line.ty)
        else {
            return line;
        };
        let (kind, span, ty) = (*kind, line.span, Type::Set(Domain::Kind(board)));
        typed(ExprKind::new_column(kind, 0, line), ty, span)
    }

    /// Help for `next(cell)` and `previous(cell)`: a step in a direction.
    pub(crate) fn step_instead(self, builtin: UnaryOp, arg: &Expr, call: Span) -> Option<Help> {
        let way = match builtin {
            UnaryOp::Next => "onward",
            UnaryOp::Previous => "back",
            _ => return None,
        };
        let Type::Kind(kind) = unwrap_maybe(&arg.ty) else { return None };
        if self.file.rules.kind_at(*kind).as_board()?.directions().contains(&way) {
            let step = format!("step({}, {way})", self.expr_code(arg));
            return Some(Help::form("that is for players; on a ring", &step).with_span(call));
        }
        Some("that is for players; on a board `step(c, north)`, `neighbours(c)`".into())
    }

    /// A value of a part as one of the whole that is wanted, or a known member of the whole as one
    /// of the part that it is in: both are the same value.
    fn as_whole(self, mut expr: Expr, want: &Type) -> Expr {
        let (Some(found), Some(wanted)) = (member_kind(&expr.ty), member_kind(want)) else {
            return expr;
        };
        if self.file.rules.is_part(found, wanted)
            || self.is_known_in(&expr, wanted)
            || self.scope.is_known_within(&expr, wanted)
        {
            expr.ty = with_kind(&expr.ty, wanted);
        }
        expr
    }

    /// Whether an expression is a member, or a set of members, that a part of its kind has.
    fn is_known_in(self, expr: &Expr, part: KindId) -> bool {
        member_kind(&expr.ty).is_some_and(|kind| self.file.rules.is_part(part, kind))
            && match &expr.kind {
                ExprKind::Value(Value::Int(member)) => self.file.has_all(part, &[*member]),
                ExprKind::Value(Value::Set(members)) => {
                    members.is_empty() || self.file.has_all(part, members)
                }
                ExprKind::SetOf(members) => members.iter().all(|it| self.is_known_in(it, part)),
                _ => false,
            }
    }

    pub(crate) fn set_of_maybe(self, set: Expr) -> Expr {
        if let Type::List(domain, _) = set.ty {
            return self.fit(set, &Type::Set(domain)).unwrap_or_else(|set| set);
        }
        match member_kind(&set.ty) {
            Some(kind) => self.fit(set, &Type::Set(Domain::Kind(kind))).unwrap_or_else(|set| set),
            None => set,
        }
    }

    /// An expression of the body, close to how it is written.
    pub(crate) fn expr_code(self, expr: &Expr) -> String {
        expression_text(&self.file.rules, &self.scope.locals, expr)
    }

    /// The error about a value that may be of many types, as `none` or `{}`.
    pub(crate) fn untyped(self, name: &Name, value: &Expr, help: String) -> Diagnostic {
        let what = format!("`{}`", name.text);
        error::needs_type(
            what,
            self.file.rules.describe_type(&value.ty).replace('`', ""),
            help,
            value.span,
        )
    }

    /// The expression as a value of the type, or unchanged if it does not fit. A line is taken for
    /// the set of its cells where one is wanted.
    pub(crate) fn fit(self, expr: Expr, want: &Type) -> Result<Expr, Expr> {
        let expr = match self.as_pile_or_face(expr, want) {
            Ok(expr) => return Ok(expr),
            Err(expr) => expr,
        };
        match self.file.rules.board_of_lines(&expr.ty) {
            Some(board) if *want == Type::Set(Domain::Kind(board)) => Ok(self.line_cells(expr)),
            _ => fit(self.as_whole(expr, want), want),
        }
    }

    /// The error about an expression that does not fit.
    pub(crate) fn misfit_error(self, expr: &Expr, want: &Type) -> Diagnostic {
        if let (false, Some(error)) = (matches!(want, Type::Bag(_)), self.forgotten_index(expr)) {
            return error;
        }
        let (expected, span) = (self.file.rules.describe_type(want), expr.span);
        if let Type::Maybe(inner) = &expr.ty {
            let there = Expr { ty: inner.as_ref().clone(), ..unknown_expr(span) };
            if self.fit(there, want).is_ok() {
                return error::may_be_none(expected, self.help_for_maybe(expr), span);
            }
        }
        let (found, help) =
            (self.file.rules.describe_type(&expr.ty), self.help_for_misfit(expr, want));
        error::type_mismatch(expected, found, help, span)
    }

    fn help_for_maybe(self, expr: &Expr) -> String {
        let text = self.expr_code(expr);
        if self.scope.path_of(expr).is_some() {
            return format!("check it first: `if {text} != none {{ … }}`");
        }
        if let ExprKind::Value(Value::None) = expr.kind {
            return "this is always `none`: use a value that is there".to_owned();
        }
        let state = matches!(expr.kind, ExprKind::Element(Array::Var(_), ..));
        let why =
            if state { format!("`{text}` may change, so copy it") } else { "copy it first".into() };
        format!("{why}: `let it = {text}`, then `if it != none {{ … }}`")
    }

    /// True if a test would do: one part of a kind is wanted, and this is of the whole or of another part.
    pub(crate) fn needs_part(self, expr: &Expr, want: &Type) -> bool {
        match (unwrap_maybe(&expr.ty), unwrap_maybe(want)) {
            (Type::Kind(of), Type::Kind(part)) => {
                self.file.rules.whole_kind(*part) == self.file.rules.whole_kind(*of) && part != of
            }
            _ => false,
        }
    }

    /// What to do about a member of the whole where one of a part is wanted.
    pub(crate) fn help_for_part(self, expr: &Expr, want: &Type) -> String {
        let Some(kind) = member_kind(want) else { return String::new() };
        if let ExprKind::Value(_) = expr.kind {
            return format!("its members are {}", quote_list(&self.file.member_names(kind)));
        }
        let (text, part) = (self.expr_code(expr), &self.file.rules.kind_at(kind).name);
        if self.scope.path_of(expr).is_some() {
            return format!("test it first: `if {text} in {part} {{ … }}`");
        }
        format!("keep it in a `let` first: `let it = {text}`, then test: `if it in {part} {{ … }}`")
    }

    /// The numbers that a member has, since it is none itself.
    fn numbers_of(self, kind: KindId) -> String {
        let of = self.file.rules.kind_at(kind);
        let column = of.named_columns().find(|column| column.ty == Type::Number);
        match (of.as_board(), column) {
            _ if kind == PLAYER => {
                "a player is not a number: `p.seat` is the number of the seat".into()
            }
            (Some(BoardTopology::Ring(_)), _) => {
                "a cell is not a number: `step(c, back)` is the cell before it, `c.number` its number"
                    .into()
            }
            (_, Some(column)) => format!("a member is not a number: `x.{}` is one of it", column.name),
            (_, None) => format!("a member is not a number: give `{}` a column of numbers", of.name),
        }
    }

    /// What to write in place of an expression that does not fit.
    pub(crate) fn help_for_misfit(self, expr: &Expr, want: &Type) -> Help {
        if let (Type::Number, Type::Kind(kind)) = (&expr.ty, want)
            && let Some(help) = self.file.rules.cell_by_number(*kind)
        {
            return help.into();
        }
        match (&expr.ty, want) {
            (Type::Nothing, _) => "call a rule that returns a value: `-> TYPE` in its head".into(),
            (Type::Kind(kind), Type::Number) => self.numbers_of(*kind).into(),
            (Type::Text, Type::Kind(_)) => match &expr.kind {
                ExprKind::Value(Value::Text(word)) => Help::form("take out the quotes:", word),
                _ => "members are named without quotes".into(),
            },
            (Type::Maybe(_), Type::Bool) => {
                Help::form("ask whether it is there:", &format!("{} != none", self.expr_code(expr)))
            }
            (Type::Number, Type::Bool) => "compare the number: `… > 0`".into(),
            (Type::Kind(_), Type::Bool) => {
                format!("compare it: `{} == …`", self.expr_code(expr)).into()
            }
            (Type::Span, Type::Number) => {
                "take one number; `for n in 1..4 { … }` takes each of them".into()
            }
            (Type::Set(domain), want)
                if matches!(expr.kind, ExprKind::Whole(_))
                    && *unwrap_maybe(want) == domain.member_type() =>
            {
                let kind = domain_code(&self.file.rules, *domain);
                format!("`{kind}` is all of them: name one, as in `for x in {kind} {{ … }}`").into()
            }
            (Type::Set(_), Type::Bool) => "ask for a member: `any(x in S: …)`, `x in S`".into(),
            (Type::Set(_), Type::Number) => "count its members: `count(S)`".into(),
            (Type::Set(domain), want) if *unwrap_maybe(want) == domain.member_type() => {
                "pick one of its members: `first(x in S)`, `random S`, `choose p pick from S`"
                    .into()
            }
            (_, Type::Set(domain)) => {
                let one = self.file.rules.describe_type(&domain.member_type());
                format!("write {one}, or a set of them").into()
            }
            (_, want) if self.needs_part(expr, want) => self.help_for_part(expr, want).into(),
            (Type::None, _) => "only a `maybe` can be `none`".into(),
            (_, Type::Bag(kind)) => {
                let goods = self.file.member_names(*kind);
                let good = goods.first().map_or("good", String::as_str);
                format!("write a bag: `{{2 {good}}}`, or `nothing`").into()
            }
            (_, Type::Unknown) => "write something else here".into(),
            _ => format!("write {} here", self.file.rules.describe_type(want)).into(),
        }
    }
}
