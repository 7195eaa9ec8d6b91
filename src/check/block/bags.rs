//! Types statements that change whole bags: each becomes one for each good.

use crate::check::block::BlockTyper;
use crate::check::typer::bags::Bag;
use crate::check::typer::lookup::{NameAccess, StoredElement};
use crate::rules::{
    Arith, Array, BinaryOp, Expr, ExprKind, Local, Stmt, StmtKind, Type, UnaryOp, Value, VarId,
    player, typed,
};
use crate::source::Span;
use crate::syntax::ast::{self, TransferVerb};

/// What `gains`, `loses` and `pays` move, and between which places.
pub(crate) struct Transfer<'s> {
    pub(crate) var: VarId,
    pub(crate) index: &'s [ast::Expr],
    pub(crate) verb: TransferVerb,
    /// What is changed; of a bag the number of a good.
    pub(crate) place: Expr,
    pub(crate) amount: Expr,
}

impl BlockTyper<'_, '_, '_> {
    /// `me.gems = b`, `+= b`, `-= b`
    pub(crate) fn assign_bag(
        &mut self,
        place: Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
    ) -> Option<StmtKind> {
        let (span, ty) = (place.span, place.ty.clone());
        let value = self.typer.infer(value, Some(&ty));
        if let (Type::Number, Some(error)) = (&value.ty, self.typer.look().forgotten_index(&place))
        {
            return self.typer.file.refuse_with(error);
        }
        let value = self.typer.coerce(value, &ty);
        let (place, value) = (Bag::from_expr(place).ok()?, Bag::from_expr(value).ok()?);
        let value = self.settled_bag(value, &place);
        let good = typed(ExprKind::Local(place.good), Type::Kind(place.kind), span);
        let amount = value.of_good(&good);
        let change = match op {
            ast::AssignOp::Set => StmtKind::Assign(place.amount.clone(), amount),
            _ => {
                let add = op == ast::AssignOp::Add;
                StmtKind::Change { place: place.amount.clone(), add, value: amount }
            }
        };
        Some(place.each_good(vec![change], span))
    }

    /// A bag that is kept first if the change of a place could change it half way.
    fn settled_bag(&mut self, bag: Bag, place: &Bag) -> Bag {
        let ExprKind::Element(array, _) = &place.amount.kind else { return bag };
        if !bag.reads_others(*array) {
            return bag;
        }
        let (span, kind) = (bag.amount.span, bag.kind);
        let dims = vec![crate::rules::Domain::Kind(kind)];
        let local = Local { dims, ..Local::fixed("it", Type::Number, span) };
        let local = self.typer.scope.add_local(local);
        let keep = StmtKind::LetArray { local, binders: vec![Some(bag.good)], value: bag.amount };
        self.state.before.push(Stmt { kind: keep, span });
        let good = self.typer.scope.add_good(&self.typer.file.rules, kind, span);
        let index = vec![typed(ExprKind::Local(good), Type::Kind(kind), span)];
        let amount = typed(ExprKind::Element(Array::Local(local), index), Type::Number, span);
        Bag { kind, good, amount }
    }

    /// `swap me.gems and p.gems`
    pub(crate) fn swap_bags(a: &Bag, b: &Bag) -> StmtKind {
        let span = a.amount.span;
        let good = typed(ExprKind::Local(a.good), Type::Kind(a.kind), span);
        let swap = StmtKind::Swap(a.amount.clone(), b.of_good(&good));
        a.each_good(vec![swap], span)
    }

    /// `me gains {2 red} gems`, `me pays cost[c] gems to bank`
    pub(crate) fn coin_of_goods(
        &mut self,
        moved: Transfer,
        other: Option<&ast::Expr>,
        span: Span,
    ) -> Option<StmtKind> {
        let verb = moved.verb;
        let other = match other {
            Some(other) => Some(self.other_place(&moved, other)?),
            None => None,
        };
        let (place, amount) = (Bag::from_expr(moved.place), Bag::from_expr(moved.amount));
        let (Ok(place), Ok(amount)) = (place.clone(), amount.clone()) else {
            let (Err(place), Err(amount)) = (place, amount) else { return None };
            let Some(other) = other else {
                return Some(StmtKind::Transfer { place, verb, amount });
            };
            let mut all = self.both_ways(place, other, verb, amount);
            let last = all.pop();
            let more = all.into_iter().map(|kind| Stmt { kind, span });
            self.state.before.extend(more);
            return last;
        };
        let amount = self.settled_bag(amount, &place);
        let good = typed(ExprKind::Local(place.good), Type::Kind(place.kind), span);
        let (mine, amount) = (place.amount.clone(), amount.of_good(&good));
        let steps = match other {
            None => vec![StmtKind::Transfer { place: mine, verb, amount }],
            Some(other) => {
                let other = Bag::from_expr(other).ok()?.of_good(&good);
                self.both_ways(mine, other, verb, amount)
            }
        };
        Some(place.each_good(steps, span))
    }

    /// Where it comes from or goes to: a place, or what another player has of the same.
    fn other_place(&mut self, moved: &Transfer, other: &ast::Expr) -> Option<Expr> {
        let span = other.span;
        let of_player = |owner| StoredElement {
            target: Array::Var(moved.var),
            owner: Some(owner),
            args: moved.index,
            span,
        };
        let place = match self.typer.access(other, None) {
            NameAccess::Value(value) if value.ty == player() => {
                self.typer.check_element(of_player(value))
            }
            NameAccess::Element(element)
                if self.typer.look().stored(element.target).2 == player()
                    && matches!(element.target, Array::Local(_)) =>
            {
                let owner = self.typer.check_element(element);
                self.typer.check_element(of_player(owner))
            }
            NameAccess::Element(element) => self.stored_place(element)?,
            NameAccess::Value(value) => self.refuse_place(&value)?,
        };
        if place.ty == moved.place.ty {
            return Some(place);
        }
        let error = self.typer.look().misfit_error(&place, &moved.place.ty);
        (place.ty != Type::Unknown).then(|| self.typer.file.report_error(error));
        None
    }

    /// Takes an amount from one place and puts it into the other: all of it, or it is an error; with
    /// `loses` what there is.
    fn both_ways(
        &mut self,
        mine: Expr,
        other: Expr,
        verb: TransferVerb,
        amount: Expr,
    ) -> Vec<StmtKind> {
        let span = amount.span;
        let amount = match verb {
            TransferVerb::Loses => {
                let least = ExprKind::new_binary(BinaryOp::Arith(Arith::Min), amount, mine.clone());
                typed(least, Type::Number, span)
            }
            _ => amount,
        };
        let amount = match amount.kind {
            ExprKind::Value(Value::Int(_)) => amount,
            _ => typed(ExprKind::new_unary(UnaryOp::Amount, amount), Type::Number, span),
        };
        let local = self.typer.scope.add_local(Local::fixed("it", Type::Number, span));
        let kept = || typed(ExprKind::Local(local), Type::Number, span);
        let gains = matches!(verb, TransferVerb::Gains | TransferVerb::GainsLosingRest);
        let (from, to) = if gains { (other, mine) } else { (mine, other) };
        vec![
            StmtKind::Let(local, amount),
            StmtKind::Transfer { place: from, verb: TransferVerb::Pays, amount: kept() },
            StmtKind::Change { place: to, add: true, value: kept() },
        ]
    }
}
