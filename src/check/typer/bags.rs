//! Bags: an amount of each member of a kind. Whole bags become operations for each good here: an
//! expression that is one is the amount of a good, and the local that holds the good.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::Typer;
use crate::check::typer::fit::wrong_index_count;
use crate::check::typer::lookup::{Lookup, StoredElement};
use crate::check::typer::types::resolve_range;
use crate::diagnostic::Diagnostic;
use crate::rules::{
    Arith, Arm, Array, BinaryOp, Binder, Block, Domain, Expr, ExprKind, KindId, KindShape, LocalId,
    PLAYER, Pattern, RangeId, Rules, Stmt, StmtKind, TableId, TextPart, Type, UnaryOp, Value,
    VarForm, literal, member_expr, to_int, typed, unknown_expr,
};
use crate::source::Span;
use crate::syntax::ast::{self, FoldWord, Owner};

/// How much of each good there is: `amount`, where the local is the good.
#[derive(Clone)]
pub(crate) struct Bag {
    pub(crate) kind: KindId,
    pub(crate) good: LocalId,
    pub(crate) amount: Expr,
}

impl Bag {
    /// The bag that an expression of this type is.
    pub(crate) fn from_expr(expr: Expr) -> Result<Bag, Expr> {
        match (expr.ty.clone(), expr.kind) {
            (Type::Bag(kind), ExprKind::Image(amount, binder)) => {
                Ok(Bag { kind, good: binder.local, amount: *amount })
            }
            (ty, kind) => {
                debug_assert!(!matches!(ty, Type::Bag(_)), "a bag has an amount for each good");
                Err(Expr { kind, ty, span: expr.span })
            }
        }
    }

    pub(crate) fn into_expr(self, span: Span) -> Expr {
        let (kind, binder) = (self.kind, self.binder(span));
        typed(ExprKind::Image(Box::new(self.amount), binder), Type::Bag(kind), span)
    }

    /// The good, in all members of its kind.
    fn binder(&self, span: Span) -> Binder {
        let domain = Domain::Kind(self.kind);
        let set = Box::new(typed(ExprKind::Whole(domain), Type::Set(domain), span));
        Binder { local: self.good, set, condition: None }
    }

    /// The amount of one good.
    pub(crate) fn of_good(&self, good: &Expr) -> Expr {
        let mut amount = self.amount.clone();
        amount.change_tree(&mut |part| {
            if part.is_local(self.good) {
                *part = good.clone();
            } else if let ExprKind::Match(subject, arms) = &part.kind
                && let ExprKind::Value(value) = &subject.kind
                && let Some(arm) = arms.iter().find(|arm| arm.takes(value))
            {
                *part = arm.body.clone();
            }
        });
        amount
    }

    /// The amount of the good that another local holds.
    fn with_good(self, good: LocalId) -> Expr {
        let member = typed(ExprKind::Local(good), Type::Kind(self.kind), self.amount.span);
        self.of_good(&member)
    }

    /// The bag with so much more of a good.
    pub(super) fn with_more(self, good: Expr, more: Expr) -> Bag {
        let span = more.span;
        let own = typed(ExprKind::Local(self.good), Type::Kind(self.kind), span);
        let same = typed(ExprKind::new_binary(BinaryOp::Equal, own, good), Type::Bool, span);
        let none = Box::new(number_expr(0, span));
        let more = typed(ExprKind::If(Box::new(same), Box::new(more), none), Type::Number, span);
        let amount = match literal(&self.amount) {
            Some(0) => more,
            _ => {
                let kind = ExprKind::new_binary(BinaryOp::Arith(Arith::Add), self.amount, more);
                typed(kind, Type::Number, span)
            }
        };
        Bag { amount, ..self }
    }

    /// The amounts of all goods, in their order.
    pub(crate) fn all_amounts(&self, rules: &Rules) -> Vec<Expr> {
        let members = rules.kind_at(self.kind).own_members();
        let good = |at: usize| member_expr(self.kind, at, self.amount.span);
        members.into_iter().map(|at| self.of_good(&good(at))).collect()
    }

    /// A value of a condition or of cases: the amount of each good is one.
    pub(super) fn join_values(
        values: Vec<Expr>,
        span: Span,
        join: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Expr {
        let bags = values.into_iter().map(Bag::from_expr).collect::<Result<Vec<Bag>, Expr>>();
        let Ok(bags) = bags else { return unknown_expr(span) };
        let (kind, good) = (bags[0].kind, bags[0].good);
        let amounts = bags.into_iter().map(|bag| bag.with_good(good)).collect();
        let amount = typed(join(amounts), Type::Number, span);
        Bag { kind, good, amount }.into_expr(span)
    }

    pub(super) fn fold(self, word: FoldWord, ty: Type, span: Span) -> Expr {
        let binder = self.binder(span);
        typed(ExprKind::Fold { word, binder, body: vec![self.amount] }, ty, span)
    }

    /// Statements for each good.
    pub(crate) fn each_good(&self, kinds: Vec<StmtKind>, span: Span) -> StmtKind {
        let body: Block = kinds.into_iter().map(|kind| Stmt { kind, span }).collect();
        StmtKind::For { binder: self.binder(span), from: None, body }
    }

    /// Whether the amount of a good may hang on another element of an array than its own.
    pub(crate) fn reads_others(&self, changed: Array) -> bool {
        self.amount.any(|part| match &part.kind {
            ExprKind::Call(..) | ExprKind::Suppose(..) => true,
            ExprKind::Element(array, indices) if *array == changed => {
                indices.last().is_none_or(|last| !last.is_local(self.good))
            }
            _ => false,
        })
    }
}

/// A number that must not be below 0.
pub(super) fn checked(amount: Expr) -> Expr {
    let span = amount.span;
    typed(ExprKind::new_unary(UnaryOp::Amount, amount), Type::Number, span)
}

pub(crate) fn number_expr(value: i64, span: Span) -> Expr {
    typed(ExprKind::Value(Value::Int(value)), Type::Number, span)
}

/// `bag of Gem up to 9` as a type, with the range of each amount.
pub(crate) fn resolve_bag(
    file: &mut FileContext,
    of: &ast::Name,
    most: Option<&ast::Expr>,
    span: Span,
) -> (Type, Option<RangeId>) {
    let Some(kind) = file.kind_named(of) else { return (Type::Unknown, None) };
    if kind == PLAYER {
        file.report_error(error::bag_place("a bag cannot hold players", of.span));
        return (Type::Unknown, None);
    }
    (Type::Bag(kind), bag_amount_range(file, most, span))
}

/// The range of the amounts of a bag: from 0 on.
pub(crate) fn bag_amount_range(
    file: &mut FileContext,
    most: Option<&ast::Expr>,
    span: Span,
) -> Option<RangeId> {
    let zero = ast::Expr { kind: ast::ExprKind::Number(0), span };
    resolve_range(file, &zero, most, span)
}

pub(super) fn good_expr(kind: KindId, good: LocalId, span: Span) -> Expr {
    typed(ExprKind::Local(good), Type::Kind(kind), span)
}

/// The result of a rule: of a bag the amount of the good `asked`.
pub(crate) fn given_amount(value: Expr, asked: Option<LocalId>) -> Expr {
    let span = value.span;
    match (Bag::from_expr(value), asked) {
        (Ok(bag), Some(good)) => Expr { span, ..bag.with_good(good) },
        (Ok(_), None) => unknown_expr(span),
        (Err(value), _) => value,
    }
}

fn amounts_table(file: &FileContext, kind: &str, column: &str) -> Option<TableId> {
    file.names.computed.get(&amounts_name(kind, column)).copied()
}

/// The name of the table that holds how much of each good the members of a kind have.
pub(crate) fn amounts_name(kind: &str, column: &str) -> String {
    format!("{column}({kind}, good)")
}

/// What a bag holds, in words: `2 red 1 blue`.
pub(crate) fn goods_text(amounts: &[i64], names: &[&str]) -> String {
    let held = amounts.iter().zip(names).filter(|(amount, _)| **amount > 0);
    let words: Vec<String> = held.map(|(amount, name)| format!("{amount} {name}")).collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}

impl Typer<'_, '_> {
    /// A bag whose goods have these amounts, and no others.
    pub(super) fn bag_of_amounts(
        &mut self,
        kind: KindId,
        amounts: Vec<(i64, Expr)>,
        span: Span,
    ) -> Bag {
        let good = self.scope.add_good(&self.file.rules, kind, span);
        let none = Arm { patterns: Vec::new(), body: number_expr(0, span), span };
        let all = self.file.rules.kind_at(kind).own_members().len() == amounts.len();
        let arms = amounts.into_iter().map(|(member, body)| Arm {
            patterns: vec![Pattern::Value(Value::Int(member))],
            body,
            span,
        });
        let mut arms: Vec<Arm<Expr>> = arms.collect();
        if arms.is_empty() {
            return Bag { kind, good, amount: number_expr(0, span) };
        }
        if all {
            arms.last_mut().into_iter().for_each(|arm| arm.patterns.clear());
        } else {
            arms.push(none);
        }
        let subject = Box::new(good_expr(kind, good, span));
        Bag { kind, good, amount: typed(ExprKind::Match(subject, arms), Type::Number, span) }
    }

    /// An expression as the bag that it is; the empty set is one where it is known of what.
    pub(crate) fn as_bag(&mut self, expr: Expr, of: Option<KindId>) -> Result<Bag, Expr> {
        let span = expr.span;
        match (&expr.ty, of) {
            (Type::EmptySet, Some(kind)) => Ok(self.bag_of_amounts(kind, Vec::new(), span)),
            (Type::Kind(coded), _) => {
                let KindShape::Bags(kind) = self.file.rules.kind_at(*coded).shape else {
                    return Err(expr);
                };
                let name = self.file.rules.kind_at(*coded).name.clone();
                let Some(table) = amounts_table(self.file, &name, "amount") else {
                    return Err(expr);
                };
                Ok(self.bag_in_table(table, kind, expr))
            }
            _ => Bag::from_expr(expr),
        }
    }

    fn bag_in_table(&mut self, table: TableId, kind: KindId, member: Expr) -> Bag {
        let span = member.span;
        let good = self.scope.add_good(&self.file.rules, kind, span);
        let indices = vec![member, good_expr(kind, good, span)];
        let element = ExprKind::Element(Array::Table(table), indices);
        Bag { kind, good, amount: typed(element, Type::Number, span) }
    }

    /// `c.cost`: a column of bags, of a card that of its face.
    pub(crate) fn bag_column(&mut self, of: KindId, at: usize, base: Expr, span: Span) -> Expr {
        let kind = self.file.rules.kind_at(of);
        let Type::Bag(goods) = kind.columns[at].ty else { return unknown_expr(span) };
        let (column, owner) = (kind.columns[at].name.clone(), self.file.rules.face_of(of));
        let base = match owner {
            Some(face) => typed(ExprKind::new_column(of, 0, base), Type::Kind(face), span),
            None => base,
        };
        let mut owner = owner.unwrap_or(of);
        let table = loop {
            let kind = self.file.rules.kind_at(owner);
            match (amounts_table(self.file, &kind.name, &column), &kind.within) {
                (Some(table), _) => break table,
                (None, Some(part)) => owner = part.of,
                (None, None) => return unknown_expr(span),
            }
        };
        self.bag_in_table(table, goods, base).into_expr(span)
    }

    /// An array over a kind without its last index.
    pub(crate) fn bag_of_elements(&mut self, element: StoredElement, kind: KindId) -> Expr {
        let StoredElement { target, owner, args, span } = element;
        let (_, dims, _) = self.look().stored(target);
        let mut indices: Vec<Expr> = owner.into_iter().collect();
        indices.extend(self.indices(args, &dims));
        let good = self.scope.add_good(&self.file.rules, kind, span);
        indices.push(good_expr(kind, good, span));
        let amount = typed(ExprKind::Element(target, indices), Type::Number, span);
        Bag { kind, good, amount }.into_expr(span)
    }

    /// A name for a bag whose amounts are locals.
    pub(crate) fn bag_of_locals(&mut self, local: LocalId, kind: KindId, span: Span) -> Expr {
        let locals = self.scope.bags.get(&local).cloned().unwrap_or_default();
        let members = self.file.rules.kind_at(kind).own_members();
        let amounts = members.into_iter().zip(locals).map(|(member, amount)| {
            (to_int(member), typed(ExprKind::Local(amount), Type::Number, span))
        });
        let amounts = amounts.collect();
        self.bag_of_amounts(kind, amounts, span).into_expr(span)
    }

    /// A name for a bag, and the locals of its amounts: one for each good.
    pub(crate) fn declare_bag(
        &mut self,
        name: &ast::Name,
        kind: KindId,
        locals: Option<Vec<LocalId>>,
    ) -> (LocalId, Vec<LocalId>) {
        let locals = locals.unwrap_or_else(|| self.scope.add_amounts(&self.file.rules, name, kind));
        let local = self.declare(name, Type::Bag(kind));
        self.scope.bags.insert(local, locals.clone());
        (local, locals)
    }

    /// Names the bags among the parameters, whose amounts are locals.
    pub(crate) fn name_bags(&mut self, params: &[ast::Param]) {
        let mut at = 0;
        for param in params {
            let Some(kind) = self.scope.locals.get(at).and_then(|local| local.bag) else {
                at += 1;
                continue;
            };
            let size = self.file.rules.kind_at(kind).own_members().len();
            let locals = (at..at + size).map(LocalId::at).collect();
            self.declare_bag(&param.name, kind, Some(locals));
            at += size;
        }
    }

    /// Two bags of one kind, with one local for the good; another kind is reported.
    pub(crate) fn two_bags(&mut self, a: Expr, b: Expr) -> Option<(Bag, Expr)> {
        let kind = self.file.rules.bag_of(&a.ty).or_else(|| self.file.rules.bag_of(&b.ty))?;
        let ty = Type::Bag(kind);
        let whole = |one: &Expr, other: &Expr| {
            one.ty == Type::Number && self.look().forgotten_index(other).is_some()
        };
        let forgotten = if whole(&a, &b) { Some(&b) } else { whole(&b, &a).then_some(&a) };
        if let Some(error) = forgotten.and_then(|bag| self.look().forgotten_index(bag)) {
            self.file.report_error(error);
            return None;
        }
        let (a, b) = (self.coerce(a, &ty), self.coerce(b, &ty));
        let (a, b) = (Bag::from_expr(a).ok()?, Bag::from_expr(b).ok()?);
        let other = b.with_good(a.good);
        Some((a, other))
    }

    /// `a + b`, `a - b`, `a minus b` and the like, good by good.
    pub(crate) fn bag_arith(&mut self, op: Arith, a: Expr, b: Expr, span: Span) -> Expr {
        let Some((a, other)) = self.two_bags(a, b) else { return unknown_expr(span) };
        let kind = ExprKind::new_binary(BinaryOp::Arith(op), a.amount, other);
        let amount = typed(kind, Type::Number, span);
        let amount = if op == Arith::Subtract { checked(amount) } else { amount };
        Bag { amount, ..a }.into_expr(span)
    }

    /// `a minus b`: what is left of `a`, as far as there is any.
    pub(crate) fn bag_rest(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let Some((a, other)) = self.two_bags(a, b) else { return unknown_expr(span) };
        let less = ExprKind::new_binary(BinaryOp::Arith(Arith::Subtract), a.amount, other);
        let less = typed(less, Type::Number, span);
        let kind = ExprKind::new_binary(BinaryOp::Arith(Arith::Max), number_expr(0, span), less);
        let amount = typed(kind, Type::Number, span);
        Bag { amount, ..a }.into_expr(span)
    }

    /// `a within b`, `a == b`: whether it holds for each good.
    pub(crate) fn compare_bags(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let Some((a, other)) = self.two_bags(a, b) else {
            return typed(unknown_expr(span).kind, Type::Bool, span);
        };
        let holds = typed(ExprKind::new_binary(op, a.amount, other), Type::Bool, span);
        Bag { amount: holds, ..a }.fold(FoldWord::All, Type::Bool, span)
    }

    /// `b[red]`
    pub(crate) fn good_of_bag(
        &mut self,
        bag: Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Expr, Expr> {
        let bag = self.as_bag(bag, None)?;
        let [arg] = args else {
            let help = "write one good in the brackets: `b[g]`";
            let error = wrong_index_count("a bag", 1, args.len(), help, span);
            return Ok(self.file.report_as_expr(error));
        };
        let good = self.infer_as(arg, &Type::Kind(bag.kind));
        Ok(Expr { span, ..bag.of_good(&good) })
    }

    /// What a bag holds as a text: `2 red 1 blue`, or `nothing`.
    pub(crate) fn bag_text(&mut self, bag: &Bag, span: Span) -> Expr {
        let text =
            |words: &str| typed(ExprKind::Value(Value::Text(words.to_owned())), Type::Text, span);
        let hole = |condition: Expr, then: Expr, otherwise: Expr| {
            let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
            TextPart::Hole(typed(kind, Type::Text, span))
        };
        let more = |amount: Expr| {
            let kind = ExprKind::new_binary(BinaryOp::Less, number_expr(0, span), amount);
            typed(kind, Type::Bool, span)
        };
        let mut parts = Vec::new();
        for member in self.file.rules.kind_at(bag.kind).own_members() {
            let good = member_expr(bag.kind, member, span);
            let words = format!(" {}", self.file.rules.kind_at(bag.kind).members[member].title);
            let held = bag.of_good(&good);
            if !parts.is_empty() {
                let before = self.any_before(bag, &good, span);
                let both = ExprKind::new_binary(BinaryOp::And, more(held.clone()), before);
                parts.push(hole(typed(both, Type::Bool, span), text(" "), text("")));
            }
            let said = vec![TextPart::Hole(held.clone()), TextPart::Words(words)];
            let said = typed(ExprKind::Text(said), Type::Text, span);
            parts.push(hole(more(held), said, text("")));
        }
        let all = bag.clone().fold(FoldWord::Sum, Type::Number, span);
        parts.push(hole(more(all), text(""), text("nothing")));
        typed(ExprKind::Text(parts), Type::Text, span)
    }

    /// Whether a bag holds any of the goods that come before one.
    fn any_before(&mut self, bag: &Bag, good: &Expr, span: Span) -> Expr {
        let local = self.scope.add_good(&self.file.rules, bag.kind, span);
        let member = good_expr(bag.kind, local, span);
        let held = ExprKind::new_binary(BinaryOp::Less, number_expr(0, span), bag.of_good(&member));
        let body = vec![typed(held, Type::Bool, span)];
        let kind = ExprKind::new_binary(BinaryOp::Less, member, good.clone());
        let before = typed(kind, Type::Bool, span);
        let mut binder = Bag { good: local, ..bag.clone() }.binder(span);
        binder.condition = Some(Box::new(before));
        typed(ExprKind::Fold { word: FoldWord::Any, binder, body }, Type::Bool, span)
    }
}

impl Lookup<'_> {
    /// The kind of the goods, where an array stands for a bag: numbers over a kind, with all its
    /// indices but the last.
    pub(crate) fn bag_of_array(self, target: Array, found: usize) -> Option<KindId> {
        let (_, dims, ty) = self.stored(target);
        let is_die = match target {
            Array::Var(var) => matches!(self.file.rules.var_at(var).form, VarForm::Die(_)),
            Array::Pile(_) => true,
            Array::Local(_) | Array::Table(_) => false,
        };
        match dims.last() {
            Some(Domain::Kind(kind))
                if found + 1 == dims.len() && ty == Type::Number && !is_die && *kind != PLAYER =>
            {
                Some(*kind)
            }
            _ => None,
        }
    }

    /// The error about a bag that is an array where one of its numbers is wanted.
    pub(crate) fn forgotten_index(self, bag: &Expr) -> Option<Diagnostic> {
        let (Type::Bag(_), ExprKind::Image(amount, _)) = (&bag.ty, &bag.kind) else { return None };
        let ExprKind::Element(array, indices) = &amount.kind else { return None };
        let (name, dims, _) = self.stored(*array);
        let of_player = match array {
            Array::Var(var) => self.file.rules.var_at(*var).owner == Owner::Player,
            Array::Table(table) if self.file.rules.tables[table.index()].is_computed() => {
                return None;
            }
            _ => false,
        };
        let whose = if of_player { "p." } else { "" };
        let form = self.file.rules.indexed_form(&format!("{whose}{name}"), &dims);
        let found = indices.len() - 1 - usize::from(of_player);
        let help = format!("write `{form}` for one of its goods: this is no set");
        Some(wrong_index_count(&name, dims.len(), found, help, bag.span))
    }
}
