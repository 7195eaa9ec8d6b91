//! Finds the piles whose order may depend on a secret.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::pile_var;
use crate::rules::visit::visit_stmts;
use crate::rules::{CardAction, CardSource, Expr, ExprKind, Rules, StmtKind, VarForm, VarId};
use crate::syntax::ast::Owner;

/// Piles from whose ends cards are drawn.
pub(super) struct OrderedPiles {
    pub(super) drawn: BTreeSet<VarId>,
    /// Cards come in several ways: at both ends, one by one and together, or from several piles. So their order may
    /// decide whether chance decides a draw.
    pub(super) mixed: BTreeSet<VarId>,
    /// Cards are drawn from both ends.
    pub(super) two_ended: BTreeSet<VarId>,
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
        OrderedPiles {
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
            rule.visit_exprs(&mut |expr| {
                if let ExprKind::End(end) = &expr.kind {
                    uses.ends.entry(pile_var(&end.pile)).or_default().insert(end.bottom);
                }
            });
            visit_stmts(&rule.body, &mut |stmt| {
                if let StmtKind::Cards(action) = &stmt.kind {
                    uses.add(rules, action);
                }
            });
        }
        uses
    }

    fn add(&mut self, rules: &Rules, action: &CardAction) {
        if let CardAction::Move { what: CardSource::End(end), .. }
        | CardAction::Learn { what: CardSource::End(end), .. } = action
        {
            self.ends.entry(pile_var(&end.pile)).or_default().insert(end.bottom);
        }
        let CardAction::Move { what, to, bottom } = action else { return };
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
