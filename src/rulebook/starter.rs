//! Finds and phrases who begins.

use std::collections::BTreeSet;

use crate::rulebook::english::{capitalised, lowered, sentence};
use crate::rulebook::words::Phraser;
use crate::rulebook::{Book, has_own_title};
use crate::rules::{
    Array, Block, Domain, Expr, ExprKind, LocalId, PLAYER, Rule, RuleId, Stmt, StmtKind, Value,
    VarId,
};

/// How the player is found who begins; nothing where no turn has a first player.
pub(super) fn first_player(book: &Book) -> Vec<String> {
    let Some(from) = first_turn(book) else { return Vec::new() };
    let flow = &book.rules.rules[book.rules.play.index()];
    let found = match &from.kind {
        ExprKind::Local(local) => of_local(book, flow, *local),
        ExprKind::Element(Array::Var(var), of) if of.is_empty() => Some(of_var(book, *var)),
        _ => Some(phrase_who_begins(Phraser::for_rule(book, flow), from)),
    };
    found.into_iter().collect()
}

/// Whether a statement of the flow does no more than find who begins.
pub(super) fn only_finds_first(book: &Book, stmt: &Stmt) -> bool {
    let Some(first) = book.first else { return false };
    match &stmt.kind {
        StmtKind::Let(local, _) => *local == first,
        StmtKind::If { then, otherwise, .. } => {
            let sets =
                |it: &Stmt| matches!(&it.kind, StmtKind::Assign(place, _) if place.is_local(first));
            !then.is_empty() && otherwise.is_empty() && then.iter().all(sets)
        }
        _ => false,
    }
}

/// What the flow says of who has the first turn.
pub(super) fn first_turn<'a>(book: &Book<'a>) -> Option<&'a Expr> {
    Search { book, met: BTreeSet::new() }.first_of(book.rules.play)
}

/// Who sits in the first seat, as the book says it.
pub(super) fn seated_first(book: &Book) -> &'static str {
    if book.draws_first { "the first seat" } else { "the first player" }
}

struct Search<'b, 'a> {
    book: &'b Book<'a>,
    met: BTreeSet<RuleId>,
}

impl<'a> Search<'_, 'a> {
    /// Who has the first turn, as the flow itself says it.
    fn first_of(&mut self, id: RuleId) -> Option<&'a Expr> {
        if !self.met.insert(id) {
            return None;
        }
        let rule = &self.book.rules.rules[id.index()];
        self.first_in(&rule.body)
    }

    fn first_in(&mut self, block: &'a Block) -> Option<&'a Expr> {
        block.iter().find_map(|stmt| self.first_at(stmt))
    }

    fn first_at(&mut self, stmt: &'a Stmt) -> Option<&'a Expr> {
        match &stmt.kind {
            StmtKind::Turns { from, .. } => Some(from),
            StmtKind::For { binder, from, .. } if is_everybody(&binder.set) => {
                from.as_ref().or(match &binder.set.kind {
                    ExprKind::From(_, first) => Some(first),
                    _ => None,
                })
            }
            StmtKind::Call(Expr { kind: ExprKind::Call(id, args), .. }) => {
                let from = self.first_of(*id)?;
                match from.kind {
                    ExprKind::Local(local) => args.get(local.index()),
                    _ => Some(from),
                }
            }
            _ => stmt.blocks().into_iter().find_map(|block| self.first_in(block)),
        }
    }
}

fn is_everybody(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Whole(Domain::Kind(PLAYER)) => true,
        ExprKind::From(set, _) => is_everybody(set),
        _ => false,
    }
}

/// What a variable of the flow holds when the first turn begins.
fn of_local(book: &Book, rule: &Rule, local: LocalId) -> Option<String> {
    let words = Phraser::for_rule(book, rule);
    let mut found: Option<String> = None;
    for stmt in &rule.body {
        match &stmt.kind {
            StmtKind::Let(it, value) if *it == local => {
                let note = book.note_at(stmt.span).map(|note| sentence(&note));
                found = Some(note.unwrap_or_else(|| phrase_who_begins(words, value)));
            }
            StmtKind::If { condition, then, .. } => {
                let value = assigned_in(then, |place| place.is_local(local));
                let (Some(value), truth) = (value, book.truth(condition)) else { continue };
                if truth == Some(false) {
                    continue;
                }
                let before = found.filter(|_| truth.is_none());
                let otherwise = before.map(|it| match it.strip_prefix("If ") {
                    Some(_) => format!(" {it}"),
                    None if it.starts_with("With ") => format!(" {it}"),
                    None => format!(" Otherwise: {it}"),
                });
                let otherwise = otherwise.unwrap_or_default();
                let then = match (book.note_at(stmt.span), truth) {
                    (Some(note), _) => sentence(&note),
                    (None, Some(_)) => phrase_who_begins(words, value),
                    (None, None) => {
                        let condition = words.phrase_condition(condition);
                        format!("If {condition}, {}", lowered(&phrase_who_begins(words, value)))
                    }
                };
                found = Some(then + &otherwise);
            }
            _ => {}
        }
    }
    found
}

/// What a variable of the table holds behind the setup.
fn of_var(book: &Book, var: VarId) -> String {
    let is_it = |place: &Expr| matches!(&place.kind, ExprKind::Element(Array::Var(id), of) if *id == var && of.is_empty());
    let bodies = [book.rules.setup, Some(book.rules.play)].into_iter().flatten();
    let first = &book.rules.vars[var.index()];
    for rule in bodies.map(|id| &book.rules.rules[id.index()]) {
        if let Some(value) = assigned_in(&rule.body, is_it) {
            let words = Phraser::for_rule(book, rule);
            let is_drawn = matches!(value.kind, ExprKind::Random(_)) && rule.notes.is_empty();
            // The steps of the setup draw who that is.
            return if is_drawn && has_own_title(&first.title, &first.name) {
                format!("{} begins.", capitalised(&words.phrase_var(var, &[])))
            } else {
                phrase_who_begins(words, value)
            };
        }
    }
    phrase_who_begins(Phraser::for_first_value(book, first), &first.init.value)
}

fn assigned_in(block: &Block, is_it: impl Fn(&Expr) -> bool) -> Option<&Expr> {
    block.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Assign(place, value) if is_it(place) => Some(value),
        _ => None,
    })
}

fn phrase_who_begins(words: Phraser, who: &Expr) -> String {
    match &who.kind {
        ExprKind::Random(set) if is_everybody(set) => "Draw at random who begins.".to_owned(),
        ExprKind::Random(set) => {
            format!("Draw at random who begins, from {}.", words.phrase_value(set))
        }
        ExprKind::Value(Value::Int(0)) if words.book.lookup_kind(PLAYER).members.is_empty() => {
            "Agree on a first player.".to_owned()
        }
        _ => format!("{} begins.", capitalised(&words.phrase_value(who))),
    }
}
