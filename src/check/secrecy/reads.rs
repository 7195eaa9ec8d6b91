//! What the value of an expression tells.

use std::collections::BTreeSet;

use crate::check::rules::{Expr, ExprKind, LocalId, PLAYER, RuleId, Type, Value, VarForm, VarId};
use crate::check::secrecy::taint::{Sees, Taint};
use crate::check::secrecy::walk::Walk;
use crate::source::Span;
use crate::syntax::ast::{FoldWord, Sight};

impl Walk<'_> {
    /// What an expression tells.
    pub(super) fn tells(&mut self, expr: &Expr) -> Taint {
        // What is picked is told to everybody.
        if let ExprKind::Pick(_) = &expr.kind {
            return Taint::default();
        }
        let mut taint = Taint::default();
        let mut bound: BTreeSet<LocalId> = BTreeSet::new();
        // How many cards lie in a pile is seen by all.
        let mut counted: BTreeSet<Span> = BTreeSet::new();
        expr.visit(&mut |part| match &part.kind {
            _ if counted.contains(&part.span) => {}
            ExprKind::Equal(a, b) => {
                counted.extend(is_empty(b).then(|| self.pile(a)).flatten());
                counted.extend(is_empty(a).then(|| self.pile(b)).flatten());
            }
            ExprKind::Fold { word: FoldWord::Count, binder, body }
                if body.is_empty() && binder.condition.is_none() =>
            {
                bound.insert(binder.local);
                counted.extend(self.pile(&binder.set));
            }
            ExprKind::Var(var, indices) | ExprKind::Pile(var, indices) => {
                taint.join(&self.variable(*var, indices, part.span));
            }
            ExprKind::Local(local) | ExprKind::LocalElement(local, _) => {
                taint.join(&self.local(*local, part.span));
            }
            ExprKind::Call(rule, args) => taint.join(&self.called(*rule, args, part.span)),
            ExprKind::Suppose(block, _) => taint.join(&self.supposed(block)),
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => {
                bound.insert(binder.local);
            }
            _ => {}
        });
        // Outside of a fold nobody knows whom its name meant.
        taint.renamed(|sees| match sees {
            Sees::Local(local) if bound.contains(&local) => Sees::Somebody,
            sees => sees,
        })
    }

    /// The place where a pile is read, if the expression is all of one.
    fn pile(&self, expr: &Expr) -> Option<Span> {
        match &expr.kind {
            ExprKind::PileCards(pile) => Some(pile.span),
            ExprKind::Var(var, _) => {
                let form = &self.known.rules.vars[var.index()].form;
                matches!(form, VarForm::Pile(_)).then_some(expr.span)
            }
            _ => None,
        }
    }

    fn variable(&self, var: VarId, indices: &[Expr], span: Span) -> Taint {
        let declared = &self.known.rules.vars[var.index()];
        let name = &declared.name;
        let (sees, what) = match declared.sight {
            Sight::All => return Taint::default(),
            Sight::Owner => {
                let owner = indices.first().map_or(Sees::Nobody, |owner| self.who(owner));
                (owner, format!("only its owner sees `{name}`"))
            }
            Sight::Nobody => (Sees::Nobody, format!("nobody sees `{name}`")),
        };
        Taint::of(var, sees, vec![(span, what)])
    }

    /// What a local tells; notes that it is read.
    fn local(&mut self, local: LocalId, span: Span) -> Taint {
        let taint = self.locals.get(&local).cloned().unwrap_or_default();
        if !taint.is_empty()
            && let Some(asked) = self.crossed.get(&local).copied()
        {
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

    fn called(&self, rule: RuleId, args: &[Expr], span: Span) -> Taint {
        let params = self.known.rules.rules[rule.index()].params;
        let returned = self.known.returns[rule.index()]
            .renamed(|sees| sees.given(params, args, |arg| self.who(arg)));
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
