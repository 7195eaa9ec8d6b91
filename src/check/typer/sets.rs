//! Sets: iteration, subsets, filters, images, literals, ranges; and what is drawn or picked from them.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::hints::{filter_without_condition, members_of_many, question_as_set};
use crate::check::typer::lists::check_lists;
use crate::check::typer::{ExprSpot, Typer};
use crate::rules::{
    Binder, Domain, Expr, ExprKind, RangeId, SubsetBound, Type, UnaryOp, literal, maybe_if_any,
    member_kind, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{self, Direction};

impl Typer<'_, '_> {
    /// A set that is iterated, and the type of its members.
    pub(crate) fn iterated(&mut self, set: &ast::Expr, hint: Option<&Type>) -> (Expr, Type) {
        if let Some(error) = question_as_set(set) {
            return (self.file.report_as_expr(error), Type::Unknown);
        }
        match &set.kind {
            ast::ExprKind::Subsets(of, size) => {
                self.alone = false;
                return self.type_subsets(of, size.as_ref(), set.span);
            }
            ast::ExprKind::Lists(lists) => {
                self.alone = false;
                return check_lists(self, lists, set.span);
            }
            _ => {}
        }
        let set = self.infer_iterated(set, hint);
        self.as_iterated(set)
    }

    /// What is iterated, whether it can be or not.
    pub(crate) fn infer_iterated(&mut self, set: &ast::Expr, hint: Option<&Type>) -> Expr {
        let alone = std::mem::take(&mut self.alone);
        match &set.kind {
            ast::ExprKind::From(of, first) => self.check_from(of, first, set.span),
            ast::ExprKind::Backwards(of) => self.check_backwards(of, set.span, hint),
            _ => {
                self.alone = alone;
                self.infer(set, hint)
            }
        }
    }

    /// A value as a set that is iterated, and the type of its members.
    pub(crate) fn as_iterated(&mut self, set: Expr) -> (Expr, Type) {
        let set = self.look().line_cells(set);
        let member = set.ty.iterated();
        match set.ty {
            Type::Set(_) | Type::List(..) | Type::Span | Type::Maybe(_) | Type::Unknown => {
                (set, member)
            }
            Type::Kind(kind) => (self.coerce(set, &Type::Set(Domain::Kind(kind))), member),
            _ => (self.not_a_set(&set), Type::Unknown),
        }
    }

    /// `S from x`, where it is iterated.
    fn check_from(&mut self, set: &ast::Expr, first: &ast::Expr, span: Span) -> Expr {
        let (set, member) = self.iterated_members(set, None, BEFORE_FROM);
        let first = self.infer_as(first, &member);
        let set = self.file.keep_range(set);
        let set = self.refuse_order(set);
        match &set.ty {
            Type::Set(domain) => {
                let ty = Type::Set(*domain);
                typed(ExprKind::From(Box::new(set), Box::new(first)), ty, span)
            }
            Type::Unknown => unknown_expr(span),
            _ => Expr { span, ..self.not_a_set(&set) },
        }
    }

    /// `S backwards`, where it is iterated.
    fn check_backwards(&mut self, set: &ast::Expr, span: Span, hint: Option<&Type>) -> Expr {
        let (set, _) = self.iterated_members(set, hint, BEFORE_BACKWARDS);
        if matches!(set.kind, ExprKind::Backwards(_)) {
            return self.refuse_order(set);
        }
        // A list keeps its order, and what stands in it twice.
        let is_list = matches!(set.ty, Type::List(..));
        let set = if is_list { set } else { self.look().set_of_maybe(set) };
        let set = self.file.walked(set);
        match set.ty {
            Type::Unknown => unknown_expr(span),
            Type::Set(_) | Type::List(..) | Type::Span => {
                let ty = set.ty.clone();
                typed(ExprKind::Backwards(Box::new(set)), ty, span)
            }
            _ => self.not_a_set(&set),
        }
    }

    /// A set where an order of its members would be lost: it has none.
    pub(crate) fn refuse_order(&mut self, set: Expr) -> Expr {
        let (word, help) = match set.kind {
            _ if set.ty == Type::Unknown => return set,
            ExprKind::From(..) => {
                ("from", "use `S from x` after `in`: `for p in Player from me { … }`")
            }
            ExprKind::Backwards(_) => {
                ("backwards", "use `S backwards` after `in`: `for n in 1..3 backwards { … }`")
            }
            _ => return set,
        };
        let span = set.span;
        self.file.report_as_expr(error::order_lost(word, help, span))
    }

    /// `x in S where P`: declares `x` and learns from the condition.
    pub(crate) fn check_binder(&mut self, binder: &ast::Binder, hint: Option<&Type>) -> Binder {
        let (set, member) = self.iterated(&binder.set, hint);
        self.bind_member(binder, set, member)
    }

    /// Declares the name of a binder whose set is checked, and checks its condition.
    pub(crate) fn bind_member(&mut self, binder: &ast::Binder, set: Expr, member: Type) -> Binder {
        // The local of a list was declared with what may come next in it.
        let local = match (&binder.set.kind, self.scope.visible.find_local(&binder.name.text)) {
            (ast::ExprKind::Lists(_), Some(local)) => local,
            _ => self.declare(&binder.name, member),
        };
        let condition = binder.condition.as_ref().map(|condition| {
            let condition = self.condition(condition, "`where`");
            self.assume(&condition, true);
            Box::new(condition)
        });
        Binder { local, set: Box::new(set), condition }
    }

    /// `{c in S where P}`
    pub(crate) fn infer_filter(
        &mut self,
        binder: &ast::Binder,
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        let binder = self.scoped(|typer| {
            let (set, member) = typer.iterated_members(&binder.set, hint, IN_FILTER);
            let set = typer.kept_set(set);
            typer.bind_member(binder, set, member)
        });
        match binder.set.ty {
            Type::Set(domain) => typed(ExprKind::Filter(binder), Type::Set(domain), span),
            Type::Unknown => unknown_expr(span),
            _ => self.file.numbers_need_range(span),
        }
    }

    /// `{E for a in S for b in T where P}`: the first set changes slowest.
    pub(crate) fn infer_image(
        &mut self,
        value: &ast::Expr,
        binders: &[ast::Binder],
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        if let [binder] = binders
            && let Some(broken) = members_of_many(self, value, binder, span)
        {
            return broken;
        }
        let (binders, value) = self.scoped(|typer| {
            let binders: Vec<Binder> =
                binders.iter().map(|binder| typer.check_binder(binder, None)).collect();
            (binders, typer.infer(value, hint))
        });
        let ty = match (unwrap_maybe(&value.ty), hint) {
            (Type::Kind(kind), _) => Type::Set(Domain::Kind(*kind)),
            (Type::Number, Some(hint @ Type::Set(Domain::Range(_)))) => hint.clone(),
            (Type::Number, _) => return self.file.numbers_need_range(span),
            (Type::Unknown, _) => return unknown_expr(span),
            (other, _) => {
                let (found, help) =
                    (self.file.rules.describe_type(other), "write a member of a kind before `for`");
                let error =
                    error::type_mismatch("members to make a set of", found, help, value.span);
                return self.file.report_as_expr(error);
            }
        };
        let image =
            |value, binder| typed(ExprKind::Image(Box::new(value), binder), ty.clone(), span);
        binders.into_iter().rev().fold(value, image)
    }

    /// `{a, b}`
    pub(crate) fn check_set(
        &mut self,
        items: &[ast::Expr],
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        let expected = match hint.map(unwrap_maybe) {
            Some(Type::Set(domain)) => Some(*domain),
            Some(Type::Kind(kind)) => Some(Domain::Kind(*kind)),
            _ => None,
        };
        if let [ast::Expr { kind: ast::ExprKind::Binary(ast::BinaryOp::In, name, set), .. }] = items
            && let ast::ExprKind::Name(name) = &name.kind
            && !self.knows_name(&name.text)
        {
            return self.file.report_as_expr(filter_without_condition(name, set));
        }
        if items.is_empty() {
            let ty = expected.map_or(Type::EmptySet, Type::Set);
            return typed(ExprKind::SetOf(Vec::new()), ty, span);
        }
        // An item that needs no help to find its kind decides for all.
        let wants_set = matches!(hint, Some(Type::Set(_)));
        let first = items.iter().position(|item| !wants_set && !self.look().is_bare_member(item));
        let mut known = first.map(|at| self.infer(&items[at], None));
        let domain = match &known {
            Some(known) => member_kind(&known.ty).map(Domain::Kind),
            None if wants_set => expected,
            None => self.file.kind_of_names(items).map(Domain::Kind).or(expected),
        };
        let want = domain.map(|domain| maybe_if_any(domain.member_type()));
        let mut checked = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let known = known.take_if(|_| first == Some(at));
            checked.push(known.unwrap_or_else(|| self.infer(item, want.as_ref())));
        }
        let (Some(domain), Some(want)) = (domain, want) else {
            return untyped_set(self.file, checked, span);
        };
        let items = checked.into_iter().map(|item| self.coerce(item, &want)).collect();
        typed(ExprKind::SetOf(items), Type::Set(domain), span)
    }

    fn knows_name(&self, name: &str) -> bool {
        let names = &self.file.names;
        self.scope.visible.find_local(name).is_some()
            || names.globals.contains_key(name)
            || !names.owners(name).is_empty()
            || self.file.find_seat(name, false).is_some()
    }

    /// `1..6`, `red_bonus..yellow_bonus`
    pub(crate) fn infer_interval(
        &mut self,
        low: &ast::Expr,
        high: &ast::Expr,
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        let (low, high) = if self.look().is_bare_member(low) && !self.look().is_bare_member(high) {
            let high = self.infer(high, hint);
            (self.infer(low, Some(&high.ty)), high)
        } else {
            let low = self.infer(low, hint);
            let high = self.infer(high, Some(&low.ty));
            (low, high)
        };
        // Between two members of a part of a kind there may be some of the whole.
        let low = Expr { ty: self.file.rules.whole_type(&low.ty), ..low };
        let ty = match (unwrap_maybe(&low.ty), hint) {
            (Type::Unknown, _) => return unknown_expr(span),
            (Type::Kind(kind), _) => Type::Set(Domain::Kind(*kind)),
            (Type::Number, Some(hint @ Type::Set(Domain::Range(_)))) => hint.clone(),
            (Type::Number, _) => Type::Span,
            (_, _) => {
                let error = self.look().misfit_error(&low, &Type::Number);
                return self.file.report_as_expr(error);
            }
        };
        let want = unwrap_maybe(&low.ty).clone();
        let (low, high) = (self.coerce(low, &want), self.coerce(high, &want));
        typed(ExprKind::Interval(Box::new(low), Box::new(high)), ty, span)
    }

    pub(crate) fn check_key(&mut self, key: &ast::Expr, best: Direction) -> Expr {
        let turned = matches!(&key.kind, ast::ExprKind::Directed(_, to) if *to != best);
        check_directed_key(key, best, |key| self.undirected_key(key, !turned))
    }

    /// Lists compare as they are; there is no negative of one.
    fn undirected_key(&mut self, key: &ast::Expr, lists: bool) -> Expr {
        let key = self.in_condition("a key", |typer| typer.infer(key, None));
        match &key.ty {
            Type::Number | Type::Bool | Type::Kind(_) | Type::Unknown => key,
            Type::List(..) if lists => key,
            Type::Maybe(inner) => self.report_unchecked_maybe(&key, inner),
            _ => self.coerce(key, &Type::Number),
        }
    }

    /// A set as it can be kept: of a maybe, and of numbers whose ends are written.
    pub(crate) fn kept_set(&mut self, set: Expr) -> Expr {
        let set = self.file.keep_range(set);
        self.look().set_of_maybe(set)
    }

    /// `subsets of S`, where they are iterated: with the type of each.
    fn type_subsets(
        &mut self,
        set: &ast::Expr,
        size: Option<&ast::SubsetSize>,
        span: Span,
    ) -> (Expr, Type) {
        let size = size.map(|ast::SubsetSize { up_to, size }| SubsetBound {
            up_to: *up_to,
            size: Box::new(self.infer_as(size, &Type::Number)),
        });
        let (set, _) = self.iterated_members(set, None, IN_FILTER);
        let set = self.refuse_order(set);
        let set = self.kept_set(set);
        match set.ty {
            Type::Set(domain) => {
                let kind = ExprKind::Subsets(Box::new(set), size);
                (typed(kind, Type::Subsets(domain), span), Type::Set(domain))
            }
            Type::Unknown => (unknown_expr(span), Type::Unknown),
            _ => (self.file.numbers_need_range(set.span), Type::Unknown),
        }
    }

    pub(crate) fn iterated_members(
        &mut self,
        set: &ast::Expr,
        hint: Option<&Type>,
        (problem, help): SubsetRefusal,
    ) -> (Expr, Type) {
        let (set, member) = self.iterated(set, hint);
        let span = set.span;
        match set.ty {
            Type::Subsets(_) => {
                (self.file.report_as_expr(error::subsets(problem, help, span)), Type::Unknown)
            }
            Type::Lists(..) => (self.file.report_as_expr(error::lists(span)), Type::Unknown),
            _ => (set, member),
        }
    }
}

/// The range from the lowest to the highest item, if all are written as numbers.
fn range_of_items(file: &mut FileContext, items: &[Expr]) -> Option<RangeId> {
    let numbered: Option<Vec<(i64, &Expr)>> =
        items.iter().map(|item| Some((literal(item)?, item))).collect();
    let numbered = numbered?;
    let (_, low) = numbered.iter().min_by_key(|(number, _)| *number)?;
    let (_, high) = numbered.iter().max_by_key(|(number, _)| *number)?;
    file.literal_range(low, high)
}

/// A set without a kind: of numbers, or wrong.
fn untyped_set(file: &mut FileContext, items: Vec<Expr>, span: Span) -> Expr {
    if let Some(broken) = items.iter().find(|item| item.ty == Type::Unknown) {
        return unknown_expr(broken.span);
    }
    if items.iter().all(|item| *unwrap_maybe(&item.ty) == Type::Number) {
        return match range_of_items(file, &items) {
            Some(range) => {
                let ty = Type::Set(Domain::Range(range));
                typed(ExprKind::SetOf(items), ty, span)
            }
            None => file.numbers_need_range(span),
        };
    }
    let odd = items.iter().find(|item| !matches!(unwrap_maybe(&item.ty), Type::Kind(_)));
    let odd = odd.or(items.last()).expect("a set without a kind has items");
    let (found, odd) = (file.rules.describe_type(&odd.ty), odd.span);
    let help = "sets hold members of one kind; `union` joins sets";
    file.report_as_expr(error::type_mismatch("members of one kind", found, help, odd))
}

/// A place where subsets cannot stand: why not, and what to write.
pub(crate) type SubsetRefusal = (&'static str, &'static str);

/// Where nothing iterates them.
pub(crate) const NOT_KEPT: SubsetRefusal = (
    "nothing iterates over them here",
    "write them after `in`, as in `for part in subsets of S`; `part within S` tests whether a set is one of them",
);

pub(crate) const BEFORE_FROM: SubsetRefusal = (
    "`from` begins at a member, and these are sets",
    "take out `from`: the empty set comes first, the whole set last",
);

const BEFORE_BACKWARDS: SubsetRefusal = (
    "`backwards` turns the order of members round, and these are sets",
    "take out `backwards`: the empty set comes first, the whole set last",
);

const IN_FILTER: SubsetRefusal =
    ("a set cannot hold sets", "ask with `any`, `all` or `count`, or loop over them with `for`");

pub(crate) const AFTER_RANDOM: SubsetRefusal =
    ("`random` draws one member", "draw the members one after another");

pub(crate) const AFTER_MAYBE: SubsetRefusal =
    ("there is no `maybe` of a set", "write `for`: the empty set is among the subsets");

pub(crate) const AFTER_ALWAYS: SubsetRefusal = (
    "`always` reports the member for which it fails",
    "write `always all(part in subsets of S: …)`",
);

pub(crate) const IN_FIRST_OR_LAST: SubsetRefusal = (
    "there is no `maybe` of a set",
    "loop over them with `for` and keep the one you look for in a `var`; `any` says whether there is one",
);

pub(crate) const IN_ONLY: SubsetRefusal =
    ("`only` gives a member", "loop over them with `for` and keep the one you look for in a `var`");

/// In `highest(…)` and `lowest(…)`.
pub(crate) const IN_BEST: SubsetRefusal = (
    "a set cannot hold sets",
    "`max` and `min` give the best value; loop over them with `for` and keep the best in a `var`",
);

/// A key, turned round where its best end is not the one that counts.
pub(crate) fn check_directed_key(
    key: &ast::Expr,
    best: Direction,
    mut check: impl FnMut(&ast::Expr) -> Expr,
) -> Expr {
    let ast::ExprKind::Directed(of, direction) = &key.kind else { return check(key) };
    let of = check(of);
    if *direction == best || of.ty == Type::Unknown {
        return of;
    }
    typed(ExprKind::new_unary(UnaryOp::Reverse, of), Type::Number, key.span)
}
