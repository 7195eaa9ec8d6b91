//! How a game ends, in words: who wins, alone, as a team, or all together.

use crate::rulebook::words::Phraser;
use crate::rules::{BinaryOp, Expr, ExprKind, LocalId, PLAYER, StmtKind, Type, UnaryOp};

impl Phraser<'_> {
    /// What a statement makes the result; nothing where it is a draw, or no end.
    pub(super) fn result(self, end: &StmtKind) -> Option<String> {
        match end {
            StmtKind::FinishWin(who) => Some(self.winners(who)),
            StmtKind::FinishRanking { local, keys } => Some(self.ranking(*local, keys)),
            StmtKind::FinishAll { win: true } => Some("everybody wins".to_owned()),
            StmtKind::FinishAll { win: false } => Some("everybody loses".to_owned()),
            StmtKind::FinishTogether(score) => {
                Some(format!("the score of all together is {}", self.phrase_value(score)))
            }
            StmtKind::FinishTeams { end, .. } => match end.first().map(|end| &end.kind) {
                Some(StmtKind::FinishRanking { local, keys }) => {
                    let (who, team) = ("whoever has", "the team of whoever has");
                    Some(self.ranking(*local, keys).replace(who, team))
                }
                Some(StmtKind::FinishWin(who)) => Some(match self.winning_team(who) {
                    Some(team) => format!("the team {team} wins"),
                    None => format!("{}, and so does the whole team", self.winners(who)),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// What `finish win team` names.
    fn winning_team(self, who: &Expr) -> Option<String> {
        let ExprKind::Filter(binder) = &who.kind else { return None };
        let condition = &binder.condition.as_ref()?.kind;
        let ExprKind::Binary(BinaryOp::Equal, own, team) = condition else { return None };
        let ExprKind::Call(rule, _) = own.kind else { return None };
        (Some(rule) == self.book.rules.teams).then(|| self.phrase_operand(team))
    }

    fn winners(self, who: &Expr) -> String {
        let thing = self.phrase_value(who);
        let alone = match &who.kind {
            ExprKind::Unary(UnaryOp::ToSet, _) => thing != "you",
            ExprKind::SetOf(items) => items.len() == 1 && thing != "you",
            _ => who.ty == Type::Kind(PLAYER) && thing != "you",
        };
        let s = if alone || thing.starts_with("whoever") { "s" } else { "" };
        format!("{thing} win{s}")
    }

    fn ranking(self, local: LocalId, keys: &[Expr]) -> String {
        let name = self.phrase_local(local);
        let key = |key: &Expr| {
            // A score that counts against a player.
            let (word, of) = match &key.kind {
                ExprKind::Unary(UnaryOp::Negate | UnaryOp::Reverse, of) => ("lowest", of.as_ref()),
                _ => ("highest", key),
            };
            let key = self.extreme(word, of);
            if self.book.keeps_names || is_own(local, of) {
                return key.replace(&format!(" of {name}"), "");
            }
            // What only belongs to something of the player is `their`.
            let Some((before, behind)) = key.split_once(&format!(" of {name}")) else { return key };
            match before.rsplit_once("the ") {
                Some((start, thing)) if !start.is_empty() => {
                    format!("{start}their {thing}{behind}")
                }
                _ => format!("{before}{behind}"),
            }
        };
        let keys: Vec<String> = keys.iter().map(key).collect();
        let (first, ties) = keys.split_first().expect("a ranking has a first key");
        let mut text = format!("whoever has {first} wins");
        if !ties.is_empty() {
            let ties = ties.join(", then to whoever has ");
            text.extend([format!("; a tie goes to whoever has {ties}")]);
        }
        if self.book.keeps_names && keys.iter().any(|key| key.contains(&name)) {
            text.extend([format!(" (where {name} is the player)")]);
        }
        text
    }
}

/// Whether a key is something that the player has.
fn is_own(local: LocalId, key: &Expr) -> bool {
    match &key.kind {
        ExprKind::Element(_, of) | ExprKind::Call(_, of) => {
            of.first().is_some_and(|it| it.is_local(local))
        }
        ExprKind::Column(_, _, of) => of.is_local(local),
        _ => false,
    }
}
