//! Finds stocks that circulate between a supply and players: an `always` fixes their sum.

use crate::rulebook::boxed::for_each;
use crate::rulebook::english::{append_note, capitalised};
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    Always, Arith, Array, BinaryOp, Domain, Expr, ExprKind, LocalId, PLAYER, Var, VarForm,
};
use crate::syntax::ast::{FoldWord, Owner};

/// `always supply + sum(p in Player: p.coins) == 9`, also for each member of a kind.
pub(super) struct SharedStock<'a> {
    /// What nobody has.
    pub(super) supply: &'a Var,
    /// What a player has.
    pub(super) held: &'a Var,
    amount: String,
}

pub(super) fn shared_stocks<'a>(book: &Book<'a>) -> Vec<SharedStock<'a>> {
    book.rules.always.iter().filter_map(|claim| shared_by(book, claim)).collect()
}

impl SharedStock<'_> {
    /// Its line among what must be in the box.
    pub(super) fn line(&self, book: &Book) -> String {
        let is_coin = matches!(self.held.form, VarForm::Coin);
        let what = if is_coin { "coins or tokens" } else { "tokens" };
        let (name, of) =
            (title_or_name(&self.held.title, &self.held.name), for_each(book, self.held));
        let count = match self.amount.parse::<u64>() {
            Ok(count) => format!("{count} {what} for **{name}**{of}"),
            Err(_) => format!("{what} for **{name}**{of}: {}", self.amount),
        };
        let supply = title_or_name(&self.supply.title, &self.supply.name);
        let held = append_note(" ", &self.held.notes);
        let supplied = match append_note("", &self.supply.notes) {
            note if note.is_empty() => format!("What nobody has is the **{supply}**."),
            note => format!("{}: {note}", capitalised(&supply)),
        };
        format!("- {count}.{held} {supplied}\n")
    }
}

fn shared_by<'a>(book: &Book<'a>, claim: &'a Always) -> Option<SharedStock<'a>> {
    let each = match &claim.binder {
        None => None,
        Some(binder) if binder.condition.is_some() => return None,
        Some(binder) => {
            let ExprKind::Whole(Domain::Kind(kind)) = binder.set.kind else { return None };
            (kind != PLAYER).then_some(())?;
            Some(binder.local)
        }
    };
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &claim.condition.kind else { return None };
    let (sum, total) = if book.describe_amount(b).is_some() { (a, b) } else { (b, a) };
    let ExprKind::Binary(BinaryOp::Arith(Arith::Add), a, b) = &sum.kind else { return None };
    let both = |supply, held| Some((supplied(book, supply, each)?, held_by_all(book, held, each)?));
    let (supply, held) = both(a, b).or_else(|| both(b, a))?;
    let amount = book.describe_amount(total)?;
    let is_drawn = !supply.undrawn && !held.undrawn && supply.dims == held.dims;
    is_drawn.then_some(SharedStock { supply, held, amount })
}

/// A number of the table, for each member where the claim is for each.
fn supplied<'a>(book: &Book<'a>, expr: &Expr, each: Option<LocalId>) -> Option<&'a Var> {
    let (var, of) = number_of(book, expr)?;
    (var.owner == Owner::Table && is_each(of, each)).then_some(var)
}

/// The sum of a number that all players have.
fn held_by_all<'a>(book: &Book<'a>, expr: &Expr, each: Option<LocalId>) -> Option<&'a Var> {
    let ExprKind::Fold { word: FoldWord::Sum, binder, body } = &expr.kind else { return None };
    let (ExprKind::Whole(Domain::Kind(PLAYER)), None, [held]) =
        (&binder.set.kind, &binder.condition, body.as_slice())
    else {
        return None;
    };
    let (var, of) = number_of(book, held)?;
    let (owner, of) = of.split_first()?;
    (var.owner == Owner::Player && owner.is_local(binder.local) && is_each(of, each)).then_some(var)
}

fn number_of<'a, 'e>(book: &Book<'a>, expr: &'e Expr) -> Option<(&'a Var, &'e [Expr])> {
    let ExprKind::Element(Array::Var(id), of) = &expr.kind else { return None };
    let var = &book.rules.vars[id.index()];
    matches!(var.form, VarForm::Coin | VarForm::Plain).then_some((var, of))
}

fn is_each(of: &[Expr], each: Option<LocalId>) -> bool {
    match (of, each) {
        ([], None) => true,
        ([index], Some(each)) => index.is_local(each),
        _ => false,
    }
}
