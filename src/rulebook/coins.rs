//! Coins that players gain, lose and pay, and those that go from one place to another.

use crate::rulebook::english::{does, singular};
use crate::rulebook::title_or_name;
use crate::rulebook::words::StepPhraser;
use crate::rules::{
    Arith, Array, BinaryOp, Expr, ExprKind, PLAYER, Stmt, StmtKind, Type, UnaryOp, VarId,
};
use crate::syntax::Tightness;
use crate::syntax::ast::{Owner, TransferVerb};

impl StepPhraser<'_> {
    pub(super) fn phrase_transfer(self, place: &Expr, verb: TransferVerb, amount: &Expr) -> String {
        let ExprKind::Element(Array::Var(id), of) = &place.kind else {
            return self.words.phrase_value(place);
        };
        let owner = of.first().map_or_else(String::new, |owner| self.words.phrase_operand(owner));
        let behind = self.words.indices("for", of.get(1..).unwrap_or_default());
        let (word, rest) = match verb {
            TransferVerb::Gains => ("gain", ""),
            TransferVerb::GainsLosingRest => ("gain", ", or as much of it as there is room for"),
            TransferVerb::Loses => ("lose", ""),
            TransferVerb::Pays => ("pay", ""),
        };
        format!("{} {}{behind}{rest}", does(&owner, word), self.phrase_coins(*id, amount))
    }

    /// `2 gold`, `that number of gold`
    fn phrase_coins(self, id: VarId, amount: &Expr) -> String {
        let var = &self.book.rules.vars[id.index()];
        let coin = title_or_name(&var.title, &var.name);
        let amount = self.words.placed(amount, Tightness::Sum);
        let coin = match amount.as_str() {
            "1" => singular(&coin),
            amount if amount.starts_with("that ") => format!("of {coin}"),
            // `the coins of that space` are coins.
            amount if amount.strip_prefix("the ").is_some_and(|it| it.starts_with(&coin)) => {
                return amount.to_owned();
            }
            amount if amount.contains(' ') && !self.book.keeps_names => format!("in {coin}"),
            _ => coin,
        };
        format!("{amount} {coin}")
    }

    /// `p loses 2 gold to me`, which is three statements for the machine: `that player gives you 2 gold`.
    pub(super) fn phrase_handover(self, block: &[Stmt]) -> Option<String> {
        let [keep, take, put, ..] = block else { return None };
        let (StmtKind::Let(kept, amount), StmtKind::Transfer { place: from, .. }) =
            (&keep.kind, &take.kind)
        else {
            return None;
        };
        let StmtKind::Change { place: to, add: true, value } = &put.kind else { return None };
        let is_one = [take, put].iter().all(|it| it.span == keep.span) && value.is_local(*kept);
        let ExprKind::Element(Array::Var(id), of) = &from.kind else { return None };
        is_one.then_some(())?;
        let (amount, is_most) = self.asked_amount(amount, from);
        let coins = self.phrase_coins(*id, amount);
        let coins = coins + &self.words.indices("for", of.get(1..).unwrap_or_default());
        let (giver, taker) = (self.owner_of_place(from), self.owner_of_place(to));
        let has = if giver.as_deref() == Some("you") { "you have" } else { "they have" };
        let rest = match (is_most, &giver) {
            (false, _) => String::new(),
            (true, Some(_)) => format!(", or all if {has} less"),
            (true, None) => ", or all if there is less".to_owned(),
        };
        Some(match (giver, taker) {
            (Some(giver), Some(taker)) => {
                format!("{} {taker} {coins}{rest}", does(&giver, "give"))
            }
            (Some(giver), None) => {
                let to = self.words.phrase_operand(to);
                format!("{} {coins} to {to}{rest}", does(&giver, "pay"))
            }
            (None, Some(taker)) => {
                let from = self.words.phrase_operand(from);
                format!("{} {coins} from {from}{rest}", does(&taker, "take"))
            }
            (None, None) => {
                let [from, to] = [from, to].map(|it| self.words.phrase_operand(it));
                format!("move {coins} from {from} to {to}{rest}")
            }
        })
    }

    /// The amount that is written, and whether what there is will do.
    fn asked_amount<'e>(self, amount: &'e Expr, from: &Expr) -> (&'e Expr, bool) {
        let amount = match &amount.kind {
            ExprKind::Unary(UnaryOp::Amount, of) => of.as_ref(),
            _ => amount,
        };
        match &amount.kind {
            ExprKind::Binary(BinaryOp::Arith(Arith::Min), asked, there)
                if self.words.phrase_value(there) == self.words.phrase_value(from) =>
            {
                (asked, true)
            }
            _ => (amount, false),
        }
    }

    /// The player whose coins these are.
    fn owner_of_place(self, place: &Expr) -> Option<String> {
        let ExprKind::Element(Array::Var(id), of) = &place.kind else { return None };
        let is_own = self.book.rules.vars[id.index()].owner == Owner::Player;
        let owner = of.first().filter(|it| is_own && it.ty == Type::Kind(PLAYER))?;
        Some(self.words.phrase_operand(owner))
    }
}
