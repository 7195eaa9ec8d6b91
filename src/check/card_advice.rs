//! Advice about what two players take at once, and about a pile that nobody shuffles before it is dealt from.

use std::collections::BTreeSet;

use crate::check::error;
use crate::diagnostic::Diagnostics;
use crate::rules::print::expression_text;
use crate::rules::visit::{visit_block, visit_choices, visit_stmts};
use crate::rules::{
    Array, BinaryOp, Binder, CardAction, CardSource, Choose, Clause, Expr, ExprKind, LocalId,
    MoveOption, Rule, RuleId, Rules, StmtKind, VarForm, VarId,
};
use crate::syntax::ast::Visibility;

/// Warns of what two take at once, and of piles whose order the file lays.
pub(crate) fn advise_on_cards(rules: &Rules, found: &mut Diagnostics) {
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| taken_twice(rules, rule, choose, found));
    }
    unshuffled_piles(rules, found);
}

/// `choose each p in Player { grab(c) for c in shop { move c to p.hand } }`: the moves are listed before any of them
/// happens, so the second move of a card takes it from where the first has put it.
fn taken_twice(rules: &Rules, rule: &Rule, choose: &Choose, found: &mut Diagnostics) {
    let Some(each) = &choose.each else { return };
    for option in &choose.options {
        // What differs from player to player: the player, and what is computed from that.
        let mut own = BTreeSet::from([each.local]);
        for clause in &option.clauses {
            let (local, value) = match clause {
                Clause::For(binder) | Clause::Maybe(binder) => (binder.local, &*binder.set),
                Clause::Let(local, value) => (*local, value),
                Clause::When(_) => continue,
            };
            if own.iter().any(|local| value.reads_local(*local)) {
                own.insert(local);
            } else if let Clause::For(binder) | Clause::Maybe(binder) = clause
                && !tells_apart(binder, each.local)
            {
                warn_of_shared(rules, rule, option, (binder, &own), found);
            }
        }
    }
}

/// Warns if a move takes, or fills, a member of a set that is the same for all.
fn warn_of_shared(
    rules: &Rules,
    rule: &Rule,
    option: &MoveOption,
    (binder, own): (&Binder, &BTreeSet<LocalId>),
    found: &mut Diagnostics,
) {
    let text = |expr| expression_text(rules, &rule.locals, expr);
    let (name, set) = (&rule.locals[binder.local.index()].name, &binder.set);
    if is_taken(option, binder.local) {
        found.push(error::taken_twice(name, text(set), set.span));
    } else if let Some(place) = overwritten(option, binder.local, own) {
        found.push(error::claimed_twice(name, text(place), set.span));
    }
}

/// Whether the statements of a move take the card without looking where it lies by then.
fn is_taken(option: &MoveOption, card: LocalId) -> bool {
    let mut taken = false;
    visit_stmts(&option.body, &mut |stmt| {
        taken |= matches!(&stmt.kind, StmtKind::Cards(action) if matches!(&**action,
            CardAction::Move { what: CardSource::One(what), .. } if what.is_local(card)));
    });
    let mut asked = false;
    visit_block(&option.body, &mut |part| {
        asked |=
            matches!(&part.kind, ExprKind::Binary(BinaryOp::In, what, _) if what.is_local(card));
    });
    taken && !asked
}

/// The element that two moves both assign, each a value of its own, without a look at what it holds.
fn overwritten<'a>(
    option: &'a MoveOption,
    chosen: LocalId,
    own: &BTreeSet<LocalId>,
) -> Option<&'a Expr> {
    option.body.iter().find_map(|stmt| {
        let StmtKind::Assign(to, value) = &stmt.kind else { return None };
        let ExprKind::Element(Array::Var(var), indices) = &to.kind else { return None };
        let is_chosen = indices.iter().any(|index| index.is_local(chosen));
        let is_own = own.iter().any(|local| value.reads_local(*local) && !to.reads_local(*local));
        (is_chosen && is_own && mentions(option, *var) == 1).then_some(to)
    })
}

/// How often a move names an array, as what it reads and as what it writes.
fn mentions(option: &MoveOption, array: VarId) -> usize {
    let mut count = 0;
    visit_block(&option.body, &mut |part| {
        let is_named = matches!(&part.kind, ExprKind::Element(Array::Var(var), _) if *var == array);
        count += usize::from(is_named);
    });
    count
}

/// Whether a condition gives each player other cards: `where owner[c] == p`.
fn tells_apart(binder: &Binder, player: LocalId) -> bool {
    let equal = |part: &Expr| matches!(&part.kind, ExprKind::Binary(BinaryOp::Equal, a, b) if a.is_local(player) || b.is_local(player));
    binder.condition.as_ref().is_some_and(|condition| condition.any(equal))
}

/// What a file does with its piles.
#[derive(Default)]
struct DealtPiles {
    shuffled: BTreeSet<VarId>,
    /// Cards come from an end of them.
    dealt: BTreeSet<VarId>,
    /// `setup` fills them card by card.
    laid: BTreeSet<VarId>,
    /// Something else fills them, too.
    refilled: BTreeSet<VarId>,
}

impl DealtPiles {
    fn from_rules(rules: &Rules) -> DealtPiles {
        let mut uses = DealtPiles::default();
        for (at, rule) in rules.rules.iter().enumerate() {
            let in_setup = rules.setup == Some(RuleId::at(at));
            visit_stmts(&rule.body, &mut |stmt| {
                if let StmtKind::Cards(action) = &stmt.kind {
                    uses.note_action(action, in_setup);
                }
            });
            rule.visit_exprs(&mut |part| match &part.kind {
                ExprKind::End(end) => uses.dealt.extend(pile_var(&end.pile)),
                // What a rule does with a pile that it is given is not followed.
                ExprKind::Call(_, args) => uses.shuffled.extend(args.iter().filter_map(pile_var)),
                // A pile that chance fills has no order that the file lays.
                ExprKind::Random(_) if in_setup => uses.refilled.extend(&uses.laid),
                _ => {}
            });
        }
        uses
    }

    fn note_action(&mut self, action: &CardAction, in_setup: bool) {
        match action {
            CardAction::Shuffle(pile) => self.shuffled.extend(pile_var(pile)),
            CardAction::Move { what, to, .. } => {
                let by_hand = in_setup && matches!(what, CardSource::One(_));
                if by_hand { &mut self.laid } else { &mut self.refilled }.extend(pile_var(to));
                if let CardSource::End(end) = what {
                    self.dealt.extend(pile_var(&end.pile));
                }
            }
            CardAction::Learn { .. } => {}
        }
    }
}

/// Warns of hidden piles that `setup` lays card by card and nothing ever shuffles: a reader of the file knows what
/// is dealt next.
fn unshuffled_piles(rules: &Rules, found: &mut Diagnostics) {
    let uses = DealtPiles::from_rules(rules);
    for var in &uses.laid {
        let pile = &rules.vars[var.index()];
        let is_hidden = pile.sight == Visibility::Nobody && matches!(pile.form, VarForm::Pile(_));
        let has_order = !uses.shuffled.contains(var) && !uses.refilled.contains(var);
        if is_hidden && has_order && uses.dealt.contains(var) {
            found.push(error::unshuffled(&pile.name, pile.span));
        }
    }
}

fn pile_var(pile: &Expr) -> Option<VarId> {
    match &pile.kind {
        ExprKind::Element(Array::Pile(var), _) => Some(*var),
        _ => None,
    }
}
