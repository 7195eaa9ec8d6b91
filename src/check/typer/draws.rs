//! Types what pauses: `random`, `roll`, `choose … from`.

use crate::check::error;
use crate::check::typer::fit::other_indices;
use crate::check::typer::lookup::{NameAccess, StoredElement};
use crate::check::typer::sets::AFTER_RANDOM;
use crate::check::typer::strategies::tactic;
use crate::check::typer::{ExprSpot, Typer};
use crate::check::words::STAND_ALONE;
use crate::rules::{
    Array, Domain, Expr, ExprKind, LocalId, Pick, Type, VarForm, VarId, member_kind, player, typed,
    unknown_expr,
};
use crate::syntax::{ast, print_expression};

impl Typer<'_, '_> {
    /// Who decides; `choose "…" { }` leaves it out.
    pub(crate) fn chooser(&mut self, chooser: &ast::Expr) -> Expr {
        let ast::ExprKind::Text(_) = chooser.kind else { return self.infer_as(chooser, &player()) };
        let (who, text) = (self.scope.somebody().unwrap_or("me"), print_expression(chooser));
        let (help, span) = (format!("say who decides: `choose {who} {text}`"), chooser.span);
        self.file.report_as_expr(error::type_mismatch(
            self.file.rules.describe_type(&player()),
            "a text",
            help,
            span,
        ))
    }

    /// An element with one more index, the member of a binder.
    fn indexed_by(&mut self, element: StoredElement, var: VarId, last: Expr) -> Option<Expr> {
        let (name, dims, ty) = self.look().stored(element.target);
        if element.args.len() + 1 != dims.len() {
            let (rules, found) = (&self.file.rules, element.args.len() + 1);
            let error = other_indices(rules, &name, &dims, found, element.span);
            return self.file.refuse_with(error);
        }
        let mut indices: Vec<Expr> = element.owner.into_iter().collect();
        indices.extend(self.indices(element.args, &dims));
        let member = dims[dims.len() - 1].member_type();
        indices.push(self.coerce(last, &member));
        Some(typed(ExprKind::Element(Array::Var(var), indices), ty, element.span))
    }

    /// `random S`
    pub(crate) fn infer_random(&mut self, set: &ast::Expr, spot: ExprSpot) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        if self.refuse_pause("random", "draws", STAND_ALONE, spot) {
            return unknown_expr(span);
        }
        let hint = hint.and_then(member_kind).map(|kind| Type::Set(Domain::Kind(kind)));
        let (set, member) = self.iterated_members(set, hint.as_ref(), AFTER_RANDOM);
        let set = if let Type::List(..) = set.ty { self.look().set_of_maybe(set) } else { set };
        let set = self.refuse_order(set);
        typed(ExprKind::Random(Box::new(set)), member, span)
    }

    /// `choose me discard from S`
    pub(crate) fn check_pick(
        &mut self,
        (chooser, prompt, name, set): (&ast::Expr, Option<&ast::Text>, &ast::Name, &ast::Expr),
        spot: ExprSpot,
    ) -> Expr {
        let span = spot.span;
        if self.refuse_pause("choose", "asks a player", STAND_ALONE, spot) {
            return unknown_expr(span);
        }
        let chooser = self.chooser(chooser);
        let prompt = prompt.map(|prompt| self.infer_text(prompt));
        let (set, member) =
            self.in_condition("what may be chosen", |typer| typer.iterated(set, None));
        let set = self.look().set_of_maybe(set);
        let picked = (!name.text.is_empty()).then(|| (String::new(), member.clone()));
        tactic(self, (&name.text, span), picked.as_slice(), &chooser);
        let pick = Pick { chooser, prompt, name: name.text.clone(), set };
        typed(ExprKind::Pick(Box::new(pick)), member, span)
    }

    /// `roll die` as a value.
    pub(crate) fn check_roll(&mut self, die: &ast::Expr, spot: ExprSpot) -> Expr {
        let span = spot.span;
        let shown = print_expression(die);
        let help = format!("first `roll {shown}` on a line of its own, then use `{shown}`");
        if self.refuse_pause("roll", "rolls a die", help, spot) {
            return unknown_expr(span);
        }
        let Some(die) = self.die(die, None) else { return unknown_expr(span) };
        let ty = die.ty.clone();
        typed(ExprKind::Roll(Box::new(die)), ty, span)
    }

    /// A die, with the member of a binder as its last index if there is one.
    pub(crate) fn die(&mut self, die: &ast::Expr, last: Option<(LocalId, Type)>) -> Option<Expr> {
        self.effects.pauses = true;
        self.effects.changes = true;
        let value = match self.access(die, None) {
            NameAccess::Element(element @ StoredElement { target: Array::Var(var), .. }) => {
                let declared = self.file.rules.var_at(var);
                return match declared.form {
                    VarForm::Die(_) => Some(match last {
                        None => self.check_element(element),
                        Some((local, ty)) => {
                            let member = typed(ExprKind::Local(local), ty, die.span);
                            self.indexed_by(element, var, member)?
                        }
                    }),
                    _ if declared.ty == Type::Unknown => None,
                    _ => {
                        let name = &declared.name;
                        self.file.refuse_with(error::not_a_die(
                            format!("`{name}`"),
                            name.clone(),
                            die.span,
                        ))
                    }
                };
            }
            NameAccess::Element(element) => self.check_element(element),
            NameAccess::Value(value) => value,
        };
        if value.ty == Type::Unknown {
            return None;
        }
        self.file.refuse_with(error::not_a_die(
            self.file.rules.describe_type(&value.ty),
            "cube",
            value.span,
        ))
    }
}
