//! Sets: what is gone over, what is folded into a value, and what is drawn from them.

use crate::check::access::{Access, Target};
use crate::check::context::{Checker, player, typed, unknown};
use crate::check::error::TypeError;
use crate::check::hints::question_as_set;
use crate::check::rules::{
    Binder, Domain, Expr, ExprKind, KindId, LocalId, PLAYER, Pick, RangeId, Type, Value, VarForm,
};
use crate::check::subsets::{DRAWN, FILTERED, IN_ORDER};
use crate::check::types::{kind_of, maybe, plain};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// What something goes over, and the type of its members.
    pub(super) fn go_over(&mut self, set: &ast::Expr, hint: Option<&Type>) -> (Expr, Type) {
        if let Some(error) = question_as_set(set) {
            return (self.broken(error, set.span), Type::Unknown);
        }
        let set = match &set.kind {
            ast::ExprKind::Subsets(of) => {
                self.body.alone = false;
                return self.subsets(of, set.span);
            }
            ast::ExprKind::From(of, first) => {
                self.body.alone = false;
                self.from(of, first, set.span)
            }
            _ => self.infer(set, hint),
        };
        let set = self.line_cells(set);
        let member = match &set.ty {
            Type::Set(domain) => domain.member_type(),
            Type::Span => Type::Number,
            Type::Maybe(inner) => inner.as_ref().clone(),
            Type::Unknown => Type::Unknown,
            Type::Kind(kind) => {
                let kind = *kind;
                let set = self.coerce(set, &Type::Set(Domain::Kind(kind)));
                return (set, Type::Kind(kind));
            }
            other => {
                let error = TypeError::NotASet { found: self.name_of(other), span: set.span };
                return (self.broken(error, set.span), Type::Unknown);
            }
        };
        (set, member)
    }

    /// `S from x`, where something goes over it.
    pub(super) fn from(&mut self, set: &ast::Expr, first: &ast::Expr, span: Span) -> Expr {
        let (set, member) = self.go_over_members(set, None, IN_ORDER);
        let first = self.expect(first, &member);
        let set = self.keep(set);
        match &set.ty {
            Type::Set(_) => {
                let ty = set.ty.clone();
                typed(ExprKind::From(Box::new(set), Box::new(first)), ty, span)
            }
            Type::Unknown => unknown(span),
            other => {
                let error = TypeError::NotASet { found: self.name_of(other), span: set.span };
                self.broken(error, span)
            }
        }
    }

    /// A range of numbers as a set that can be kept, if its ends are written as numbers.
    pub(super) fn keep(&mut self, mut set: Expr) -> Expr {
        if let (Type::Span, ExprKind::Interval(low, high)) = (&set.ty, &set.kind)
            && let Some(range) = self.literal_range(&low.clone(), &high.clone())
        {
            set.ty = Type::Set(Domain::Range(range));
        }
        set
    }

    /// `x in S where P`: declares `x`, and takes over what the condition tells.
    pub(super) fn binder(&mut self, binder: &ast::Binder, hint: Option<&Type>) -> Binder {
        let (set, member) = self.go_over(&binder.set, hint);
        self.bind(binder, set, member)
    }

    /// Declares the name of a binder whose set is checked, and checks its condition.
    pub(super) fn bind(&mut self, binder: &ast::Binder, set: Expr, member: Type) -> Binder {
        let local = self.declare(&binder.name, member);
        let condition = binder.condition.as_ref().map(|condition| {
            let condition = self.condition(condition, "`where`");
            self.assume(&condition, true);
            Box::new(condition)
        });
        Binder { local, set: Box::new(set), condition }
    }

    /// `{c in S where P}`
    pub(super) fn filter(&mut self, binder: &ast::Binder, span: Span, hint: Option<&Type>) -> Expr {
        let binder = self.scoped(|checker| {
            let (set, member) = checker.go_over_members(&binder.set, hint, FILTERED);
            let set = checker.keep(set);
            let set = checker.set_of_maybe(set);
            checker.bind(binder, set, member)
        });
        match &binder.set.ty {
            Type::Set(domain) => typed(ExprKind::Filter(binder.clone()), Type::Set(*domain), span),
            Type::Unknown => unknown(span),
            _ => self.numbers_need_range(span),
        }
    }

    pub(super) fn numbers_need_range(&mut self, span: Span) -> Expr {
        let error = TypeError::NeedsType {
            what: "this set".to_owned(),
            value: "numbers".to_owned(),
            help: "use it where a `set of 1..6` is expected, as in `var x: set of 1..6 = …`"
                .to_owned(),
            span,
        };
        self.broken(error, span)
    }

    /// The range from the lowest to the highest item, if all are written as numbers.
    fn range_of_items(&mut self, items: &[Expr]) -> Option<RangeId> {
        let number = |item: &&Expr| match item.kind {
            ExprKind::Value(Value::Int(number)) => Some(number),
            _ => None,
        };
        if items.iter().any(|item| number(&item).is_none()) {
            return None;
        }
        let (low, high) =
            (items.iter().min_by_key(number)?.clone(), items.iter().max_by_key(number)?.clone());
        self.literal_range(&low, &high)
    }

    /// `{E for c in S where P}`
    pub(super) fn image(
        &mut self,
        value: &ast::Expr,
        binder: &ast::Binder,
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        if let Some(member) = self.asks_for_membership(value) {
            return self.members_of_many(member, binder, (value.span, span));
        }
        let (binder, value) = self.scoped(|checker| {
            let binder = checker.binder(binder, None);
            (binder, checker.infer(value, hint))
        });
        let ty = match (plain(&value.ty), hint) {
            (Type::Kind(kind), _) => Type::Set(Domain::Kind(*kind)),
            (Type::Number, Some(hint @ Type::Set(Domain::Range(_)))) => hint.clone(),
            (Type::Number, _) => return self.numbers_need_range(span),
            (Type::Unknown, _) => return unknown(span),
            (other, _) => {
                let error = TypeError::Mismatch {
                    expected: "members to make a set of".to_owned(),
                    found: self.name_of(other),
                    help: "write a member of a kind before `for`".into(),
                    span: value.span,
                };
                return self.broken(error, span);
            }
        };
        typed(ExprKind::Image(Box::new(value), binder), ty, span)
    }

    /// `{a, b}`
    pub(super) fn set_of(&mut self, items: &[ast::Expr], span: Span, hint: Option<&Type>) -> Expr {
        let expected = match hint.map(plain) {
            Some(Type::Set(domain)) => Some(*domain),
            Some(Type::Kind(kind)) => Some(Domain::Kind(*kind)),
            _ => None,
        };
        if items.is_empty() {
            let ty = expected.map_or(Type::EmptySet, Type::Set);
            return typed(ExprKind::SetOf(Vec::new()), ty, span);
        }
        let plainest = match hint {
            Some(Type::Set(_)) => None,
            _ => items.iter().position(|item| !self.is_bare_member(item)),
        };
        if let Some(at) = plainest {
            return self.set_like(items, at, span);
        }
        let expected = match hint {
            Some(Type::Set(_)) => expected,
            _ => self.kind_of_names(items).map(Domain::Kind).or(expected),
        };
        match expected {
            Some(domain) => self.set_over(items, None, domain, span),
            None => self.untyped_set(items, None, span),
        }
    }

    /// A set over the kind of the item at a position, which needs no help to find its own.
    fn set_like(&mut self, items: &[ast::Expr], at: usize, span: Span) -> Expr {
        let known = self.infer(&items[at], None);
        match kind_of(&known.ty) {
            Some(kind) => self.set_over(items, Some((at, known)), Domain::Kind(kind), span),
            None => self.untyped_set(items, Some((at, known)), span),
        }
    }

    /// A set over a finite type; one of the items may be checked already.
    fn set_over(
        &mut self,
        items: &[ast::Expr],
        known: Option<(usize, Expr)>,
        domain: Domain,
        span: Span,
    ) -> Expr {
        let want = maybe(domain.member_type());
        let items = self.items(items, known, |checker, item| checker.infer(item, Some(&want)));
        let items = items.into_iter().map(|item| self.coerce(item, &want)).collect();
        typed(ExprKind::SetOf(items), Type::Set(domain), span)
    }

    /// Items in order, of which one may be checked already.
    fn items(
        &mut self,
        items: &[ast::Expr],
        known: Option<(usize, Expr)>,
        mut check: impl FnMut(&mut Self, &ast::Expr) -> Expr,
    ) -> Vec<Expr> {
        let (at, mut known) = known.map_or((0, None), |(at, known)| (at, Some(known)));
        let one = |(position, item)| {
            let checked = if position == at { known.take() } else { None };
            checked.unwrap_or_else(|| check(self, item))
        };
        items.iter().enumerate().map(one).collect()
    }

    /// The one kind that has all of these names.
    fn kind_of_names(&self, items: &[ast::Expr]) -> Option<KindId> {
        let mut names = items.iter().filter_map(|item| match &item.kind {
            ast::ExprKind::Name(name) => Some(&name.text),
            _ => None,
        });
        let first = names.next()?;
        let names: Vec<&String> = names.collect();
        let mut kinds = self
            .owners(first)
            .iter()
            .map(|(kind, _)| *kind)
            .chain(self.seat(first, true).map(|_| PLAYER))
            .filter(|kind| names.iter().all(|name| self.member_of(*kind, name).is_some()));
        let kind = kinds.next()?;
        kinds.next().is_none().then_some(kind)
    }

    /// A set without a kind: its items say what is wrong, or it is one of numbers.
    fn untyped_set(
        &mut self,
        items: &[ast::Expr],
        known: Option<(usize, Expr)>,
        span: Span,
    ) -> Expr {
        let items = self.items(items, known, |checker, item| checker.infer(item, None));
        if let Some(stranger) = items.iter().find(|item| item.ty == Type::Unknown) {
            return unknown(stranger.span);
        }
        if items.iter().all(|item| *plain(&item.ty) == Type::Number) {
            return match self.range_of_items(&items) {
                Some(range) => {
                    let ty = Type::Set(Domain::Range(range));
                    typed(ExprKind::SetOf(items), ty, span)
                }
                None => self.numbers_need_range(span),
            };
        }
        let odd = items.iter().find(|item| !matches!(plain(&item.ty), Type::Kind(_)));
        let odd = odd.or(items.last()).expect("a set without a kind has items");
        let error = TypeError::Mismatch {
            expected: "members of one kind".to_owned(),
            found: self.name_of(&odd.ty),
            help: "sets hold members of one kind; `union` joins sets".into(),
            span: odd.span,
        };
        self.broken(error, span)
    }

    /// `1..6`, `red_bonus..yellow_bonus`
    pub(super) fn interval(
        &mut self,
        low: &ast::Expr,
        high: &ast::Expr,
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        let (low, high) = if self.is_bare_member(low) && !self.is_bare_member(high) {
            let high = self.infer(high, hint);
            (self.infer(low, Some(&high.ty)), high)
        } else {
            let low = self.infer(low, hint);
            let high = self.infer(high, Some(&low.ty));
            (low, high)
        };
        // Between two members of a part of a kind there may be some of the whole.
        let low = Expr { ty: self.whole_type(&low.ty), ..low };
        let ty = match (plain(&low.ty), hint) {
            (Type::Unknown, _) => return unknown(span),
            (Type::Kind(kind), _) => Type::Set(Domain::Kind(*kind)),
            (Type::Number, Some(hint @ Type::Set(Domain::Range(_)))) => hint.clone(),
            (Type::Number, _) => Type::Span,
            (_, _) => {
                let error = self.misfit(&low, &Type::Number);
                return self.broken(error, span);
            }
        };
        let want = plain(&low.ty).clone();
        let (low, high) = (self.coerce(low, &want), self.coerce(high, &want));
        typed(ExprKind::Interval(Box::new(low), Box::new(high)), ty, span)
    }

    /// What things are compared by: a number, yes/no or a member.
    pub(super) fn key(&mut self, key: &ast::Expr) -> Expr {
        let key = self.in_condition("a key", |checker| checker.infer(key, None));
        match &key.ty {
            Type::Number | Type::Bool | Type::Kind(_) | Type::Unknown => key,
            Type::Maybe(inner) => {
                let expected = self.name_of(inner);
                self.needs_check(&key, expected)
            }
            _ => self.coerce(key, &Type::Number),
        }
    }

    /// `random S`
    pub(super) fn random(
        &mut self,
        set: &ast::Expr,
        span: Span,
        alone: bool,
        hint: Option<&Type>,
    ) -> Expr {
        if self.refuse_pause("`random`", span, alone) {
            return unknown(span);
        }
        let hint = hint.and_then(kind_of).map(|kind| Type::Set(Domain::Kind(kind)));
        let (set, member) = self.go_over_members(set, hint.as_ref(), DRAWN);
        typed(ExprKind::Random(Box::new(set)), member, span)
    }

    /// `choose me discard from S`
    pub(super) fn pick(
        &mut self,
        (chooser, prompt, name, set): (&ast::Expr, Option<&ast::Text>, &ast::Name, &ast::Expr),
        span: Span,
        alone: bool,
    ) -> Expr {
        if self.refuse_pause("`choose`", span, alone) {
            return unknown(span);
        }
        let chooser = self.expect(chooser, &player());
        let prompt = prompt.map(|prompt| self.text(prompt));
        let (set, member) =
            self.in_condition("what may be chosen", |checker| checker.go_over(set, None));
        let set = self.set_of_maybe(set);
        let pick = Pick { chooser, prompt, name: name.text.clone(), set };
        typed(ExprKind::Pick(Box::new(pick)), member, span)
    }

    /// `roll die` as a value.
    pub(super) fn roll(&mut self, die: &ast::Expr, span: Span, alone: bool) -> Expr {
        if self.refuse_pause("`roll`", span, alone) {
            return unknown(span);
        }
        let Some(die) = self.die(die, None) else { return unknown(span) };
        let ty = die.ty.clone();
        typed(ExprKind::Roll(Box::new(die)), ty, span)
    }

    /// A die, with the member of a binder as its last index if there is one.
    pub(super) fn die(&mut self, die: &ast::Expr, last: Option<(LocalId, Type)>) -> Option<Expr> {
        self.body.effects.pauses = true;
        self.body.effects.changes = true;
        let (element, var) = match self.access(die, None) {
            Access::Element(element) => match element.target {
                Target::Var(var) => (element, var),
                Target::Local(_) | Target::Table(_) => {
                    let value = self.element(element);
                    return self.not_a_die(&value);
                }
            },
            Access::Value(value) => return self.not_a_die(&value),
        };
        let declared = &self.rules.vars[var.index()];
        if !matches!(declared.form, VarForm::Die(_)) {
            let found = format!("`{}`", declared.name);
            if declared.ty != Type::Unknown {
                self.report(TypeError::NotADie { found, span: die.span });
            }
            return None;
        }
        let Some((local, ty)) = last else { return Some(self.element(element)) };
        self.indexed_by(element, var, typed(ExprKind::Local(local), ty, die.span))
    }

    fn not_a_die(&mut self, value: &Expr) -> Option<Expr> {
        if value.ty != Type::Unknown {
            let found = self.name_of(&value.ty);
            self.report(TypeError::NotADie { found, span: value.span });
        }
        None
    }

    /// A maybe as the set that it stands for.
    pub(super) fn set_of_maybe(&self, set: Expr) -> Expr {
        match kind_of(&set.ty) {
            Some(kind) => self.fit(set, &Type::Set(Domain::Kind(kind))).unwrap_or_else(|set| set),
            None => set,
        }
    }
}
