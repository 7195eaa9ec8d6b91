//! Who sees a variable: the words behind its declaration, and showing it.

use crate::check::context::{Checker, player};
use crate::check::error::SecretError;
use crate::check::rules::{ResetTarget, StmtKind, Type, VarForm, VarId};
use crate::check::types::plain;
use crate::syntax::ast;
use crate::syntax::ast::{Owner, Visibility};

impl Checker<'_> {
    /// Looks whether a variable can be seen in the way that its declaration says.
    pub(super) fn check_sight(&mut self, id: VarId) {
        let var = &self.rules.vars[id.index()];
        let (name, span) = (var.name.clone(), var.span);
        if var.sight == Visibility::Owner && var.owner == Owner::Table {
            return self.report(SecretError::NoOwner { name, span });
        }
        let bounded = match (&var.form, var.range) {
            (VarForm::Die(_), _) => true,
            (_, Some(range)) => self.rules.ranges[range.index()].high.is_some(),
            (_, None) => false,
        };
        if var.sight != Visibility::All && *plain(&var.ty) == Type::Number && !bounded {
            self.report(SecretError::SecretRange { name, span });
        }
    }

    /// `reveal place, …`, `show place, … to p`
    pub(super) fn show(&mut self, places: &[ast::Expr], to: Option<&ast::Expr>) -> StmtKind {
        self.body.effects.changes = true;
        let (places, cards): (Vec<_>, Vec<_>) =
            places.iter().partition(|place| self.names_variable(place));
        for cards in cards {
            let shown = self.show_cards(cards, to);
            self.body.before.extend(shown);
        }
        let targets = places.into_iter().filter_map(|place| self.shown(place)).collect::<Vec<_>>();
        let to = to.filter(|_| !targets.is_empty());
        StmtKind::Show { targets, to: to.map(|to| self.expect(to, &player())) }
    }

    fn shown(&mut self, place: &ast::Expr) -> Option<ResetTarget> {
        let target = self.reset_target(place)?;
        let var = &self.rules.vars[target.var.index()];
        if var.sight == Visibility::All {
            let (name, declared) = (var.name.clone(), var.span);
            self.report(SecretError::NothingToShow { name, span: place.span, declared });
            return None;
        }
        Some(target)
    }
}
