//! Bags as they are written, and the kinds whose members are all bags of some size.

use std::collections::BTreeMap;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::members::{MOST_MEMBERS, plain_member};
use crate::check::typer::bags::{Bag, amounts_name, checked, good_expr, goods_text, number_expr};
use crate::check::typer::{ExprSpot, Typer};
use crate::rules::{
    BinaryOp, Binder, Domain, Expr, ExprKind, KindId, KindShape, Local, PLAYER, Type, Value,
    literal, to_int, typed, unknown_expr,
};
use crate::source::Span;
use crate::syntax::ast;

impl Typer<'_, '_> {
    /// `{2 red, 1 blue}`, `{E g for g in Gem}`
    pub(crate) fn infer_goods(
        &mut self,
        goods: &[(ast::Expr, ast::Name)],
        binders: &[ast::Binder],
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        if let [binder, more @ ..] = binders {
            if let Some(second) = more.first() {
                return self.file.report_as_expr(error::one_set(
                    "bag",
                    "a bag has one `for`: join two bags with `+`",
                    second.name.span,
                ));
            }
            return self.goods_of_each(&goods[0], binder, span);
        }
        let written = goods.iter().map(|(_, name)| ast::Expr {
            kind: ast::ExprKind::Name(name.clone()),
            span: name.span,
        });
        // A name of the rule that holds a good stands for it.
        let (held, named): (Vec<ast::Expr>, Vec<ast::Expr>) =
            written.partition(|name| !self.look().is_bare_member(name));
        let held: Vec<Expr> = held.iter().map(|name| self.infer(name, None)).collect();
        let of_held = held.iter().find_map(|good| match good.ty {
            Type::Kind(kind) => Some(kind),
            _ => None,
        });
        let hinted = hint.and_then(|hint| self.file.rules.bag_of(hint)).or(of_held);
        let Some(kind) = hinted.or_else(|| self.file.kind_of_names(&named)) else {
            return self.goods_of_no_kind(goods, &named, span);
        };
        let (mut amounts, mut more) = (BTreeMap::new(), Vec::new());
        let mut held = held.into_iter();
        for (amount, name) in goods {
            let amount = self.amount(amount);
            if self.look().meaning(&name.text).is_some() {
                let good = held.next().map(|good| self.coerce(good, &Type::Kind(kind)));
                more.extend(good.map(|good| (good, amount)));
                continue;
            }
            let Some(at) = self.file.member_of(kind, &name.text) else {
                self.file.no_member(kind, name);
                continue;
            };
            self.file.member_value(kind, at, name, name.span);
            if let Some((_, first)) = amounts.insert(to_int(at), (amount, name.span)) {
                self.file.report_error(error::good_twice(&name.text, name.span, first));
            }
        }
        let amounts = amounts.into_iter().map(|(member, (amount, _))| (member, amount)).collect();
        let bag = self.bag_of_amounts(kind, amounts, span);
        let more = more.into_iter().fold(bag, |bag, (good, amount)| bag.with_more(good, amount));
        more.into_expr(span)
    }

    /// Goods of which nothing says what kind they are of, or whose kind is unknown.
    fn goods_of_no_kind(
        &mut self,
        goods: &[(ast::Expr, ast::Name)],
        named: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let before = self.file.diagnostics.count();
        goods.iter().for_each(|(amount, _)| drop(self.infer(amount, Some(&Type::Number))));
        named.iter().for_each(|name| drop(self.infer(name, None)));
        if self.file.diagnostics.count() == before {
            self.file.report_error(error::bag_goods(span));
        }
        unknown_expr(span)
    }

    /// How much there is of a good, as it is written.
    fn amount(&mut self, written: &ast::Expr) -> Expr {
        let amount = self.infer_as(written, &Type::Number);
        match literal(&amount) {
            Some(found) if found < 0 => {
                self.file.report_as_expr(error::bag_amount(found, written.span))
            }
            Some(_) => amount,
            None if amount.ty == Type::Unknown => amount,
            None => checked(amount),
        }
    }

    /// `{E g for g in S where P}`
    fn goods_of_each(
        &mut self,
        (amount, name): &(ast::Expr, ast::Name),
        binder: &ast::Binder,
        span: Span,
    ) -> Expr {
        if binder.name.text != name.text {
            let error = error::bag_binder(&name.text, &binder.name.text, name.span);
            return self.file.report_as_expr(error);
        }
        let (checked, amount) = self.scoped(|typer| {
            let checked = typer.check_binder(binder, None);
            let good = ast::Expr { kind: ast::ExprKind::Name(name.clone()), span: name.span };
            typer.infer(&good, None);
            (checked, typer.amount(amount))
        });
        let set = self.refuse_order(*checked.set);
        let Type::Set(Domain::Kind(kind)) = set.ty else {
            if set.ty == Type::Unknown {
                return set;
            }
            let found = self.file.rules.describe_type(&set.ty);
            let help = format!(
                "an amount and a name make a bag, `{{2 {0} for {0} in KIND}}`; for a set of values take one of \
                 the two out",
                name.text
            );
            let error = error::type_mismatch("a set of members of a kind", found, help, set.span);
            return self.file.report_as_expr(error);
        };
        let good = good_expr(kind, checked.local, span);
        let inside = (!matches!(set.kind, ExprKind::Whole(_)))
            .then(|| typed(ExprKind::new_binary(BinaryOp::In, good, set), Type::Bool, span));
        let both = |a, b| typed(ExprKind::new_binary(BinaryOp::And, a, b), Type::Bool, span);
        let there = inside.into_iter().chain(checked.condition.map(|it| *it)).reduce(both);
        let amount = match there {
            Some(there) => {
                let none = Box::new(number_expr(0, span));
                let kind = ExprKind::If(Box::new(there), Box::new(amount), none);
                typed(kind, Type::Number, span)
            }
            None => amount,
        };
        Bag { kind, good: checked.local, amount }.into_expr(span)
    }

    /// `bags of Gem up to 3 within me.gems`: a set of the members of a kind that stand for them.
    pub(crate) fn infer_bags(&mut self, bags: &ast::BagsOf, span: Span) -> Expr {
        let Some(kind) = self.file.kind_named(&bags.of) else { return unknown_expr(span) };
        let most = self.infer_as(&bags.most, &Type::Number);
        let within = bags.within.as_ref().map(|it| self.infer_as(it, &Type::Bag(kind)));
        if most.ty == Type::Unknown || within.as_ref().is_some_and(|it| it.ty == Type::Unknown) {
            return unknown_expr(span);
        }
        let most = self.file.known_number(&most).and_then(|most| u32::try_from(most).ok());
        let Some(most) = most.filter(|_| kind != PLAYER) else {
            return self.file.report_as_expr(error::bag_bound(bags.most.span));
        };
        let Some(coded) = new_bags(self.file, kind, most, span) else { return unknown_expr(span) };
        let domain = Domain::Kind(coded);
        let all = typed(ExprKind::Whole(domain), Type::Set(domain), span);
        let Some(within) = within else { return all };
        let local = self.scope.add_local(Local::fixed("bag", Type::Kind(coded), span));
        let one = typed(ExprKind::Local(local), Type::Kind(coded), span);
        let fits = self.compare_bags(BinaryOp::LessEqual, one, within, span);
        let binder = Binder { local, set: Box::new(all), condition: Some(Box::new(fits)) };
        typed(ExprKind::Filter(binder), Type::Set(domain), span)
    }
}

/// The kind whose members are all bags with at most so many of each good: the smaller ones first.
fn new_bags(file: &mut FileContext, goods: KindId, most: u32, span: Span) -> Option<KindId> {
    let of = file.rules.kind_at(goods).name.clone();
    let name = format!("bag of {of} up to {most}");
    if let Some(kind) = file.names.kinds.get(&name) {
        return Some(*kind);
    }
    if file.seats.is_some() {
        file.new_type(span);
        return None;
    }
    let members = file.rules.kind_at(goods).own_members();
    let size =
        u32::try_from(members.len()).ok().and_then(|goods| most.checked_add(1)?.checked_pow(goods));
    let found = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
    if found > MOST_MEMBERS {
        return file.refuse_with(error::TooManyBags { of, found, most: MOST_MEMBERS, span });
    }
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in &members {
        let longer = |bag: &Vec<i64>| {
            (0..=i64::from(most)).map(|more| [bag.as_slice(), &[more]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by_key(|bag| (bag.iter().sum::<i64>(), std::cmp::Reverse(bag.clone())));
    let words = |titled: bool| -> Vec<&str> {
        let of = &file.rules.kind_at(goods).members;
        members
            .iter()
            .map(|at| if titled { &of[*at].title } else { &of[*at].name }.as_str())
            .collect()
    };
    let (names, titles) = (words(false), words(true));
    let member =
        |bag: &Vec<i64>| plain_member(goods_text(bag, &names), goods_text(bag, &titles), span);
    let listed: Vec<_> = all.iter().map(member).collect();
    let kind = file.add_kind(&name, KindShape::Bags(goods), Vec::new(), span);
    file.names.kinds.insert(name.clone(), kind);
    if file.reserve_members(found, span) {
        file.pay_for_members(&listed);
        file.rules.kinds[kind.index()].members = listed;
    }
    file.add_amounts(kind, goods, "amount", &all, span);
    Some(kind)
}

impl FileContext<'_> {
    /// Makes the table of how much of each good the members of a kind have.
    pub(crate) fn add_amounts(
        &mut self,
        kind: KindId,
        goods: KindId,
        column: &str,
        bags: &[Vec<i64>],
        span: Span,
    ) {
        let own = self.rules.kind_at(goods).own_members();
        let size = self.rules.kind_at(goods).members.len();
        let mut cells = Vec::new();
        for bag in bags {
            let mut row = vec![Value::Int(0); size];
            for (at, amount) in own.iter().zip(bag) {
                row[*at] = Value::Int(*amount);
            }
            cells.extend(row);
        }
        let name = amounts_name(&self.rules.kind_at(kind).name, column);
        let dims = vec![Domain::Kind(kind), Domain::Kind(goods)];
        self.budget.charge(cells.len());
        self.budget.hold_memory(cells.len() * 40);
        self.add_computed(name, dims, Type::Number, cells.into(), span);
    }
}
