//! What the value of an expression tells.

use std::collections::BTreeSet;

use crate::check::rules::{
    Expr, ExprKind, LocalId, PLAYER, RuleId, SetOp, Type, Value, VarForm, VarId,
};
use crate::check::secrecy::taint::{Sees, Taint};
use crate::check::secrecy::walk::Walk;
use crate::source::Span;
use crate::syntax::ast::{FoldWord, Visibility};

impl Walk<'_> {
    /// What an expression tells.
    pub(super) fn tells(&mut self, expr: &Expr) -> Taint {
        let mut taint = Taint::default();
        let mut bound = BTreeSet::new();
        self.gather(expr, &mut taint, &mut bound);
        // Outside of a fold nobody knows whom its name meant.
        taint.renamed(|sees| match sees {
            Sees::Local(local) if bound.contains(&local) => Sees::Somebody,
            sees => sees,
        })
    }

    /// Adds what an expression and its parts tell, and the names that it binds.
    fn gather(&mut self, expr: &Expr, taint: &mut Taint, bound: &mut BTreeSet<LocalId>) {
        match &expr.kind {
            // What is picked is told to everybody.
            ExprKind::Pick(_) => return,
            ExprKind::Equal(set, empty) | ExprKind::Equal(empty, set) if is_empty(empty) => {
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
            ExprKind::Var(var, indices) | ExprKind::Pile(var, indices) => {
                taint.join(&self.variable(*var, indices, expr.span));
            }
            ExprKind::Local(local) | ExprKind::LocalElement(local, _) => {
                taint.join(&self.local(*local, expr.span));
            }
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns[rule.index()];
                taint.join(&self.called(returned, *rule, args, expr.span));
            }
            ExprKind::Suppose(block, _) => {
                taint.join(&self.supposed(block));
            }
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => {
                bound.insert(binder.local);
            }
            _ => {}
        }
        expr.visit_parts(&mut |part| self.gather(part, taint, bound));
    }

    /// What it tells whether a set has members: less than what its members tell.
    pub(super) fn tells_some(&mut self, set: &Expr) -> Taint {
        match &set.kind {
            // A pile by reference: what its cards tell is in what the rule is given.
            ExprKind::Local(_) if matches!(set.ty, Type::Pile(_)) => Taint::default(),
            // How many cards lie in a pile is seen by all; which pile it is may be a secret.
            _ if self.is_pile(set) => {
                let mut taint = Taint::default();
                set.visit_parts(&mut |part| {
                    taint.join(&self.tells_some(part));
                });
                taint
            }
            ExprKind::Filter(binder) | ExprKind::Image(_, binder) if binder.condition.is_none() => {
                self.tells_some(&binder.set)
            }
            ExprKind::Distinct(cards) => self.tells_some(cards),
            ExprKind::SetOp(SetOp::Union, a, b) => self.tells_some(a).with(&self.tells_some(b)),
            ExprKind::Subsets(_) => Taint::default(),
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns_some[rule.index()];
                let mut taint = self.called(returned, *rule, args, set.span);
                for arg in args {
                    taint.join(&self.tells(arg));
                }
                taint
            }
            _ => self.tells(set),
        }
    }

    /// Whether an expression is all cards of a pile.
    fn is_pile(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::PileCards(_) | ExprKind::Pile(..) => true,
            ExprKind::Var(var, _) => {
                matches!(self.known.rules.vars[var.index()].form, VarForm::Pile(_))
            }
            _ => false,
        }
    }

    fn variable(&self, var: VarId, indices: &[Expr], span: Span) -> Taint {
        let declared = &self.known.rules.vars[var.index()];
        let name = &declared.name;
        let (sees, what) = match declared.sight {
            Visibility::All => return Taint::default(),
            Visibility::Owner => {
                let owner = indices.first().map_or(Sees::Nobody, |owner| self.who(owner));
                (owner, format!("only its owner sees `{name}`"))
            }
            Visibility::Nobody => (Sees::Nobody, format!("nobody sees `{name}`")),
        };
        Taint::of(var, sees, vec![(span, what)])
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
        if let ExprKind::Local(local) | ExprKind::LocalElement(local, _) = &part.kind {
            self.local(*local, part.span);
        }
    }

    /// What a call tells of what its rule tells.
    fn called(&self, returned: &Taint, rule: RuleId, args: &[Expr], span: Span) -> Taint {
        let params = self.known.rules.rules[rule.index()].params;
        let returned = returned.renamed(|sees| sees.given(params, args, |arg| self.who(arg)));
        let name = &self.known.rules.rules[rule.index()].name;
        returned.through(span, &format!("and `{name}` tells it here"))
    }

    /// Which player an expression means, if that can be told.
    pub(super) fn who(&self, expr: &Expr) -> Sees {
        match &expr.kind {
            ExprKind::Local(local) => self.person(*local),
            ExprKind::Value(Value::Int(seat)) if expr.ty == Type::Kind(PLAYER) => Sees::Seat(*seat),
            _ => Sees::Somebody,
        }
    }

    fn person(&self, local: LocalId) -> Sees {
        match self.same_as.get(&local) {
            Some(sees) => *sees,
            None if self.rule_of().locals[local.index()].mutable => Sees::Somebody,
            None => Sees::Local(local),
        }
    }
}

/// Whether an expression is the empty set.
fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetOf(members) => members.is_empty(),
        ExprKind::Value(Value::Set(members)) => members.is_empty(),
        _ => false,
    }
}
