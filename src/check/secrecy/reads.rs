//! The taint of expressions: which secrets a value may tell, directly or through calls.

use std::collections::BTreeSet;

use crate::check::rules::{
    Array, BinaryOp, Block, Expr, ExprKind, LocalId, PLAYER, RuleId, SetOp, Type, UnaryOp, Value,
    VarForm, VarId,
};
use crate::check::secrecy::Known;
use crate::check::secrecy::taint::{Sees, Source, Taint};
use crate::check::secrecy::walk::{Given, Walk};
use crate::check::visit::visit_block;
use crate::source::Span;
use crate::syntax::ast::{FoldWord, Visibility};

impl Walk<'_> {
    pub(super) fn tells(&mut self, expr: &Expr) -> Taint {
        let mut taint = Taint::default();
        let mut bound = BTreeSet::new();
        self.gather(expr, &mut taint, &mut bound);
        // Outside of a fold nobody knows whom its name meant.
        taint.renamed(|sees| sees.without(|local| bound.contains(&local)))
    }

    /// Adds what an expression and its parts tell, and the names that it binds.
    fn gather(&mut self, expr: &Expr, taint: &mut Taint, bound: &mut BTreeSet<LocalId>) {
        match &expr.kind {
            // What is picked is announced to everybody.
            ExprKind::Pick(_) => return,
            ExprKind::Binary(BinaryOp::Equal, set, empty)
            | ExprKind::Binary(BinaryOp::Equal, empty, set)
                if is_empty(empty) =>
            {
                taint.join(&self.tells_some(set));
                return;
            }
            // How many cards lie in a pile is seen by all.
            ExprKind::Fold { word: FoldWord::Count, binder, body }
                if body.is_empty() && binder.condition.is_none() && self.is_pile(&binder.set) =>
            {
                taint.join(&self.tells_some(&binder.set));
                return;
            }
            ExprKind::Element(Array::Var(var) | Array::Pile(var), indices) => {
                taint.join(&self.known.secret(*var, indices, expr.span, |it| self.who(it)));
                self.failing(expr, taint);
                let mut which = Taint::default();
                indices.iter().for_each(|index| self.gather(index, &mut which, bound));
                taint.join(&which.as_index());
                return;
            }
            ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => {
                taint.join(&self.local(*local, expr.span));
            }
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns[rule.index()];
                taint.join(&self.called(returned, *rule, args, expr.span));
            }
            ExprKind::Suppose(block, _) => {
                taint.join(&self.supposed(block));
            }
            _ => {}
        }
        self.failing(expr, taint);
        let binder = match &expr.kind {
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => binder,
            _ => return expr.visit_parts(&mut |part| self.gather(part, taint, bound)),
        };
        bound.insert(binder.local);
        // What is computed of the members tells what they tell.
        let members = self.tells(&binder.set);
        if let Some(bounds) = self.number(&binder.set) {
            self.bounds.insert(binder.local, bounds);
        }
        self.now.hold(binder.local, members);
        expr.visit_parts(&mut |part| self.gather(part, taint, bound));
        self.now.forget(binder.local);
    }

    /// Notes where the rules may fail, unless the bounds of numbers rule that out.
    fn failing(&mut self, expr: &Expr, taint: &mut Taint) {
        let rules = self.known.rules;
        let tells = match &expr.kind {
            ExprKind::Binary(BinaryOp::Arith(op), _, by) if op.divides() => {
                if self.number(by).is_some_and(|(low, _)| low > 0) {
                    return;
                }
                self.tells(by)
            }
            ExprKind::Element(array, indices) => {
                let dims = match array {
                    Array::Table(table) => &rules.tables[table.index()].dims,
                    Array::Var(var) | Array::Pile(var) => &rules.vars[var.index()].dims,
                    Array::Local(local) => &self.rule_of().locals[local.index()].dims,
                };
                let own = indices[indices.len() - dims.len()..].iter().zip(dims);
                let outside = own.filter(|(index, dim)| self.may_miss(index, **dim));
                let outside: Vec<&Expr> = outside.map(|(index, _)| index).collect();
                if outside.is_empty() {
                    return;
                }
                outside.iter().fold(Taint::default(), |tells, index| tells.with(&self.tells(index)))
            }
            ExprKind::Binary(BinaryOp::Nth, list, index) => {
                self.tells(list).with(&self.tells(index))
            }
            ExprKind::Fold { word: FoldWord::Min | FoldWord::Max, binder, .. } => {
                match &binder.condition {
                    Some(condition) => self.tells(&binder.set).with(&self.tells(condition)),
                    None => self.tells_some(&binder.set),
                }
            }
            _ => return,
        };
        taint.join(&self.may_fail(&tells, expr.span));
    }

    /// What it tells whether a set has members: less than what its members tell.
    pub(super) fn tells_some(&mut self, set: &Expr) -> Taint {
        match &set.kind {
            // A pile by reference: which one it is may be a secret.
            ExprKind::Local(local) if matches!(set.ty, Type::Pile(_)) => {
                let known = self.piles.get(local).map(|(which, _)| which.clone());
                known.unwrap_or_else(|| self.given(Given::Which(local.index())))
            }
            // How many cards lie in a pile is seen by all; which pile it is may be a secret.
            _ if self.is_pile(set) => {
                let mut taint = Taint::default();
                set.visit_parts(&mut |part| {
                    taint.join(&self.tells_some(part));
                });
                taint
            }
            ExprKind::Filter(binder) if binder.condition.is_none() => self.tells_some(&binder.set),
            // Each member gives one value, unless that is `none` or a set.
            ExprKind::Image(body, binder)
                if binder.condition.is_none()
                    && matches!(body.ty, Type::Kind(_) | Type::Number | Type::Bool) =>
            {
                self.tells_some(&binder.set)
            }
            ExprKind::Distinct(cards) => self.tells_some(cards),
            ExprKind::Binary(BinaryOp::Set(SetOp::Union), a, b) => {
                self.tells_some(a).with(&self.tells_some(b))
            }
            ExprKind::Subsets(_) => Taint::default(),
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns_some[rule.index()];
                let taint = self.called(returned, *rule, args, set.span);
                args.iter().fold(taint, |taint, arg| taint.with(&self.tells(arg)))
            }
            _ => self.tells(set),
        }
    }

    /// Whether an expression is all cards of a pile.
    pub(super) fn is_pile(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::PileCards, _) | ExprKind::Element(Array::Pile(_), ..) => true,
            ExprKind::Element(Array::Var(var), _) => {
                matches!(self.known.rules.vars[var.index()].form, VarForm::Pile(_))
            }
            _ => false,
        }
    }

    /// What a local tells; notes that it is read.
    fn local(&mut self, local: LocalId, span: Span) -> Taint {
        let (taint, asked) = self.now.read(local);
        if let Some(asked) = asked {
            self.kept(local, &taint, asked, span);
        }
        taint
    }

    /// Notes that a local is read, if a part of an expression is one.
    pub(super) fn read(&mut self, part: &Expr) {
        if let ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) = &part.kind {
            self.local(*local, part.span);
        }
    }

    /// What a call tells of what its rule tells.
    fn called(&self, returned: &Taint, rule: RuleId, args: &[Expr], span: Span) -> Taint {
        let rule = &self.known.rules.rules[rule.index()];
        let returned = returned.renamed(|it| it.given(rule.params, args, |arg| self.who(arg)));
        returned.through(span, &format!("and `{}` passes it on here", rule.name))
    }

    /// What statements that are only supposed tell: everything that the rules read that they call,
    /// since these may have written it where the value is computed.
    fn supposed(&self, block: &Block) -> Taint {
        let mut taint = Taint::default();
        visit_block(block, &mut |part| {
            if let ExprKind::Call(called, args) = &part.kind {
                let rule = &self.known.rules.rules[called.index()];
                let read = &self.known.reads[called.index()];
                let read = read.renamed(|it| it.given(rule.params, args, |arg| self.who(arg)));
                let what = format!("and `{}` is supposed here", rule.name);
                taint.join(&read.through(part.span, &what));
            }
        });
        taint
    }

    /// Which player an expression means, if that can be told.
    pub(super) fn who(&self, expr: &Expr) -> Sees {
        let ExprKind::Local(local) = &expr.kind else { return seat(expr) };
        match self.same_as.get(local) {
            Some(sees) => *sees,
            None if self.rule_of().locals[local.index()].mutable => Sees::Somebody,
            None => Sees::Local(*local),
        }
    }
}

impl Known<'_> {
    /// The secrets that a rule reads, and those that the rules read that it calls.
    pub(super) fn read_by(&self, rule: RuleId) -> Taint {
        let rule = &self.rules.rules[rule.index()];
        let who = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local)
                if local.index() < rule.params && !rule.locals[local.index()].mutable =>
            {
                Sees::Local(*local)
            }
            _ => seat(expr),
        };
        let mut taint = Taint::default();
        rule.visit(&mut |part| match &part.kind {
            ExprKind::Element(Array::Var(var), indices) => {
                taint.join(&self.secret(*var, indices, part.span, who));
            }
            ExprKind::Call(called, args) => {
                let params = self.rules.rules[called.index()].params;
                let read = &self.reads[called.index()];
                taint.join(&read.renamed(|sees| sees.given(params, args, who)));
            }
            _ => {}
        });
        taint
    }

    /// What reading a variable tells.
    fn secret(
        &self,
        var: VarId,
        indices: &[Expr],
        span: Span,
        who: impl FnOnce(&Expr) -> Sees,
    ) -> Taint {
        let declared = &self.rules.vars[var.index()];
        let name = &declared.name;
        let (sees, what) = match declared.sight {
            Visibility::All => return Taint::default(),
            Visibility::Owner => {
                let owner = indices.first().map_or(Sees::Nobody, who);
                (owner, format!("only its owner sees `{name}`"))
            }
            Visibility::Nobody => (Sees::Nobody, format!("nobody sees `{name}`")),
        };
        Taint::of(Source::Var(var), sees, vec![(span, what)])
    }
}

/// The player of a seat that is written.
fn seat(expr: &Expr) -> Sees {
    match &expr.kind {
        ExprKind::Value(Value::Int(seat)) if expr.ty == Type::Kind(PLAYER) => Sees::Seat(*seat),
        _ => Sees::Somebody,
    }
}

fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetOf(members) => members.is_empty(),
        ExprKind::Value(Value::Set(members)) => members.is_empty(),
        _ => false,
    }
}
