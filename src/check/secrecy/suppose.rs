//! What a value may tell through statements that are only supposed: everything that the rules read
//! that they call, since they may have written it where it is looked at.

use crate::check::rules::{Block, Expr, ExprKind, PLAYER, RuleId, Type, Value, VarId};
use crate::check::secrecy::Known;
use crate::check::secrecy::taint::{Sees, Taint};
use crate::check::secrecy::walk::Walk;
use crate::check::visit::visit_block;
use crate::source::Span;
use crate::syntax::ast::Visibility;

impl Walk<'_> {
    /// What the rules read that are called in statements that are only supposed.
    pub(super) fn supposed(&self, block: &Block) -> Taint {
        let mut taint = Taint::default();
        visit_block(block, &mut |part| {
            if let ExprKind::Call(rule, args) = &part.kind {
                let params = self.known.rules.rules[rule.index()].params;
                let read = &self.known.reads[rule.index()];
                let read = read.renamed(|sees| sees.given(params, args, |arg| self.who(arg)));
                let name = &self.known.rules.rules[rule.index()].name;
                taint.join(&read.through(part.span, &format!("and `{name}` is supposed here")));
            }
        });
        taint
    }
}

impl Known<'_> {
    /// The secrets that a rule reads, and those that the rules read that it calls.
    pub(super) fn read_by(&self, rule: RuleId) -> Taint {
        let mut taint = Taint::default();
        self.rules.rules[rule.index()].visit(&mut |part| match &part.kind {
            ExprKind::Var(var, indices) => {
                taint.join(&self.secret_in(rule, *var, indices, part.span));
            }
            ExprKind::Call(called, args) => {
                let params = self.rules.rules[called.index()].params;
                let read = &self.reads[called.index()];
                taint
                    .join(&read.renamed(|it| it.given(params, args, |arg| self.who_in(rule, arg))));
            }
            _ => {}
        });
        taint
    }

    fn secret_in(&self, rule: RuleId, var: VarId, indices: &[Expr], span: Span) -> Taint {
        let declared = &self.rules.vars[var.index()];
        let (sees, what) = match declared.sight {
            Visibility::All => return Taint::default(),
            Visibility::Owner => {
                let owner = indices.first().map_or(Sees::Nobody, |owner| self.who_in(rule, owner));
                (owner, format!("only its owner sees `{}`", declared.name))
            }
            Visibility::Nobody => (Sees::Nobody, format!("nobody sees `{}`", declared.name)),
        };
        Taint::of(var, sees, vec![(span, what)])
    }

    /// Which player an expression of another rule means, if that can be told.
    fn who_in(&self, rule: RuleId, expr: &Expr) -> Sees {
        let rule = &self.rules.rules[rule.index()];
        match &expr.kind {
            ExprKind::Local(local)
                if local.index() < rule.params && !rule.locals[local.index()].mutable =>
            {
                Sees::Local(*local)
            }
            ExprKind::Value(Value::Int(seat)) if expr.ty == Type::Kind(PLAYER) => Sees::Seat(*seat),
            _ => Sees::Somebody,
        }
    }
}
