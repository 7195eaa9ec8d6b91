//! Finds the piles whose order may depend on a secret.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::pile_var;
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Block, CardAction, CardSource, Clause, Expr, ExprKind, PileEnd, Rule, Rules, Stmt, StmtKind,
    Type, Value, VarForm, VarId, is_same_expr,
};
use crate::source::Span;
use crate::syntax::ast::Owner;

/// Piles from whose ends cards are drawn.
pub(super) struct OrderedPiles {
    pub(super) drawn: BTreeSet<VarId>,
    /// Cards come in several ways: at both ends, one by one and together, or from several piles. So their order may
    /// decide whether chance decides a draw.
    pub(super) mixed: BTreeSet<VarId>,
    /// Cards are drawn from both ends.
    pub(super) two_ended: BTreeSet<VarId>,
    /// A part may lie in a known order when a card is drawn, and a part in an unknown one.
    pub(super) partly: BTreeSet<VarId>,
}

/// How cards come into a pile: it decides what is known of their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Together {
    One,
    Set,
    /// A whole pile or a part of it, in the order in which they lay there: of this variable, or of one of several piles.
    Pile(Option<VarId>, bool),
}

/// What the rules do with piles; a pile by reference, `None` here, may be any.
#[derive(Default)]
struct PileTraffic {
    ends: BTreeMap<Option<VarId>, BTreeSet<bool>>,
    ways: BTreeMap<Option<VarId>, BTreeSet<(bool, Together)>>,
    /// Piles whose end is used other than right after they are shuffled.
    used_later: BTreeSet<Option<VarId>>,
    /// Piles of which an end is looked at.
    looked_at: BTreeSet<Option<VarId>>,
    shuffled: BTreeSet<Option<VarId>>,
    /// Piles that a local or a parameter may stand for.
    referred: BTreeSet<VarId>,
}

impl OrderedPiles {
    pub(super) fn of_rules(rules: &Rules) -> OrderedPiles {
        let uses = PileTraffic::of_rules(rules);
        let is_pile = |var: &usize| matches!(rules.vars[*var].form, VarForm::Pile(_));
        let piles = || (0..rules.vars.len()).filter(is_pile).map(VarId::at);
        let ends = |var: VarId| {
            let of = |pile| uses.ends.get(&pile).into_iter().flatten();
            of(Some(var)).chain(of(None)).collect::<BTreeSet<_>>().len()
        };
        let ways = |var: VarId| {
            let of = |pile| uses.ways.get(&pile).into_iter().flatten();
            of(Some(var)).chain(of(None)).collect::<BTreeSet<_>>().len()
        };
        let holds = |piles: &BTreeSet<Option<VarId>>, var: VarId| {
            piles.contains(&Some(var)) || piles.contains(&None) && uses.referred.contains(&var)
        };
        let is_partly = |var: &VarId| {
            let is_known = ways(*var) > 0 || holds(&uses.looked_at, *var);
            let is_unknown = has_first_cards(rules, *var) || holds(&uses.shuffled, *var);
            holds(&uses.used_later, *var) && (ways(*var) > 1 || is_known && is_unknown)
        };
        OrderedPiles {
            partly: piles().filter(is_partly).collect(),
            drawn: piles().filter(|var| ends(*var) > 0).collect(),
            mixed: piles().filter(|var| ends(*var) > 0 && ways(*var) > 1).collect(),
            two_ended: piles().filter(|var| ends(*var) > 1).collect(),
        }
    }
}

impl PileTraffic {
    fn of_rules(rules: &Rules) -> PileTraffic {
        let mut uses = PileTraffic::default();
        for rule in &rules.rules {
            let mut fresh = BTreeSet::new();
            find_fresh_ends(&rule.body, &mut fresh);
            rule.visit_exprs(&mut |expr| {
                if let ExprKind::Call(_, args) = &expr.kind {
                    uses.referred.extend(args.iter().filter_map(referred_pile));
                }
                if let ExprKind::End(end) = &expr.kind {
                    if !fresh.contains(&expr.span) {
                        uses.used_later.insert(pile_var(&end.pile));
                    }
                    uses.ends.entry(pile_var(&end.pile)).or_default().insert(end.bottom);
                }
            });
            visit_stmts(&rule.body, &mut |stmt| {
                uses.refer(stmt);
                if let StmtKind::Cards(action) = &stmt.kind {
                    uses.add(rules, action);
                    if let Some(end) = used_end(stmt).filter(|_| !fresh.contains(&stmt.span)) {
                        uses.used_later.insert(pile_var(&end.pile));
                    }
                }
            });
        }
        uses
    }

    /// Adds the piles to which a statement gives a name.
    fn refer(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(_, value) => self.referred.extend(referred_pile(value)),
            StmtKind::Choose(choose) => {
                for clause in choose.options.iter().flat_map(|option| &option.clauses) {
                    if let Clause::Let(_, value) = clause {
                        self.referred.extend(referred_pile(value));
                    }
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, rules: &Rules, action: &CardAction) {
        if let CardAction::Move { what: CardSource::End(end), .. }
        | CardAction::Learn { what: CardSource::End(end), .. } = action
        {
            self.ends.entry(pile_var(&end.pile)).or_default().insert(end.bottom);
        }
        let (what, to, bottom) = match action {
            CardAction::Move { what, to, bottom } => (what, to, bottom),
            CardAction::Learn { what: CardSource::End(end), .. } => {
                self.looked_at.insert(pile_var(&end.pile));
                return;
            }
            CardAction::Shuffle(pile) => {
                self.shuffled.insert(pile_var(pile));
                return;
            }
            CardAction::Learn { .. } => return,
        };
        let ways = self.ways.entry(pile_var(to)).or_default();
        let mut together = |from: &Expr| {
            let var = pile_var(from);
            let is_array = |var: VarId| {
                let var = &rules.vars[var.index()];
                !var.dims.is_empty() || var.owner == Owner::Player
            };
            ways.insert((*bottom, Together::Pile(var, false)));
            if var.is_none_or(is_array) {
                ways.insert((*bottom, Together::Pile(var, true)));
            }
        };
        match what {
            CardSource::Pile(pile) => together(pile),
            CardSource::End(end) if end.count.is_some() => together(&end.pile),
            CardSource::One(_) | CardSource::End(_) => {
                ways.insert((*bottom, Together::One));
            }
            CardSource::Set(_) => {
                ways.insert((*bottom, Together::Set));
            }
        }
    }
}

fn referred_pile(value: &Expr) -> Option<VarId> {
    pile_var(value).filter(|_| matches!(value.ty, Type::Pile(_)))
}

/// Whether a rule draws from a pile, itself.
pub(super) fn draws_from_pile(rule: &Rule) -> bool {
    let mut draws = any_stmt(&rule.body, |stmt| used_end(stmt).is_some());
    rule.visit_exprs(&mut |expr| draws |= matches!(expr.kind, ExprKind::End(_)));
    draws
}

fn used_end(stmt: &Stmt) -> Option<&PileEnd> {
    let StmtKind::Cards(action) = &stmt.kind else { return None };
    match &**action {
        CardAction::Move { what: CardSource::End(end), .. }
        | CardAction::Learn { what: CardSource::End(end), .. } => Some(end),
        _ => None,
    }
}

/// The ends that are used right after their pile was shuffled, or after a card came there: of their order nothing is
/// known there, or all.
fn find_fresh_ends(block: &Block, fresh: &mut BTreeSet<Span>) {
    for (at, stmt) in block.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &block[before].kind);
        if let Some(StmtKind::Cards(action)) = before
            && stmt.blocks().is_empty()
        {
            let is_fresh = |end: &PileEnd| is_fresh_after(action, end);
            fresh.extend(used_end(stmt).filter(|end| is_fresh(end)).map(|_| stmt.span));
            stmt.visit_exprs(&mut |part| {
                if matches!(&part.kind, ExprKind::End(end) if is_fresh(end)) {
                    fresh.insert(part.span);
                }
            });
        }
        stmt.blocks().into_iter().for_each(|block| find_fresh_ends(block, fresh));
    }
}

fn is_fresh_after(action: &CardAction, end: &PileEnd) -> bool {
    match action {
        CardAction::Shuffle(pile) => is_same_expr(&end.pile, pile),
        CardAction::Move { what: CardSource::One(_) | CardSource::End(_), to, bottom } => {
            end.count.is_none() && end.bottom == *bottom && is_same_expr(&end.pile, to)
        }
        _ => false,
    }
}

fn has_first_cards(rules: &Rules, var: VarId) -> bool {
    match &rules.vars[var.index()].init.value.kind {
        ExprKind::SetOf(members) => !members.is_empty(),
        ExprKind::Value(Value::Set(members)) => !members.is_empty(),
        _ => true,
    }
}
