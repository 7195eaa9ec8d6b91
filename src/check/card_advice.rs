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

/// Reports both.
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
        let mut own = BTreeSet::from([each.local]);
        for clause in &option.clauses {
            let read = |expr: &Expr| own.iter().any(|local| expr.reads_local(*local));
            match clause {
                Clause::For(binder) | Clause::Maybe(binder) => {
                    if read(&binder.set) {
                        own.insert(binder.local);
                    } else if !tells_apart(binder, each.local) {
                        let (name, set) = (&rule.locals[binder.local.index()].name, &binder.set);
                        let text = || expression_text(rules, &rule.locals, set);
                        if is_taken(option, binder.local) {
                            found.push(error::taken_twice(name, text(), set.span));
                        } else if let Some(place) = overwritten(option, binder.local, &own) {
                            let place = expression_text(rules, &rule.locals, place);
                            found.push(error::claimed_twice(name, place, set.span));
                        }
                    }
                }
                Clause::Let(local, value) => drop(read(value).then(|| own.insert(*local))),
                Clause::When(_) => {}
            }
        }
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

/// The place of what both choose that each fills with a value of its own, without looking what it holds by then.
fn overwritten<'a>(
    option: &'a MoveOption,
    chosen: LocalId,
    own: &BTreeSet<LocalId>,
) -> Option<&'a Expr> {
    let mut place = None;
    for stmt in &option.body {
        if let StmtKind::Assign(to, value) = &stmt.kind
            && let ExprKind::Element(Array::Var(var), indices) = &to.kind
            && indices.iter().any(|index| index.is_local(chosen))
            && own.iter().any(|local| value.reads_local(*local) && !to.reads_local(*local))
        {
            let mut mentions = 0;
            visit_block(&option.body, &mut |part| {
                mentions += usize::from(
                    matches!(&part.kind, ExprKind::Element(Array::Var(read), _) if read == var),
                );
            });
            place = place.or((mentions == 1).then_some(to));
        }
    }
    place
}

/// Whether a condition gives each player other cards: `where owner[c] == p`.
fn tells_apart(binder: &Binder, player: LocalId) -> bool {
    let equal = |part: &Expr| matches!(&part.kind, ExprKind::Binary(BinaryOp::Equal, a, b) if a.is_local(player) || b.is_local(player));
    binder.condition.as_ref().is_some_and(|condition| condition.any(equal))
}

/// Hidden piles that `setup` fills card by card, that are dealt from, and that nothing ever shuffles: everybody can read in
/// the file what comes.
fn unshuffled_piles(rules: &Rules, found: &mut Diagnostics) {
    let (mut shuffled, mut dealt, mut laid, mut others) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (at, rule) in rules.rules.iter().enumerate() {
        let in_setup = rules.setup == Some(RuleId::at(at));
        visit_stmts(&rule.body, &mut |stmt| {
            let StmtKind::Cards(action) = &stmt.kind else { return };
            match &**action {
                CardAction::Shuffle(pile) => drop(shuffled.insert(pile_var(pile))),
                CardAction::Move { what, to, .. } => {
                    let by_hand = matches!(what, CardSource::One(_)) && in_setup;
                    if by_hand { &mut laid } else { &mut others }.insert(pile_var(to));
                    if let CardSource::End(end) = what {
                        dealt.insert(pile_var(&end.pile));
                    }
                }
                CardAction::Learn { .. } => {}
            }
        });
        rule.visit_exprs(&mut |part| match &part.kind {
            ExprKind::End(end) => drop(dealt.insert(pile_var(&end.pile))),
            // What a rule does with a pile that it is given is not followed.
            ExprKind::Call(_, args) => shuffled.extend(args.iter().map(pile_var)),
            // A pile that chance fills has no order that the file lays.
            ExprKind::Random(_) if in_setup => others.extend(laid.iter().copied()),
            _ => {}
        });
    }
    for var in laid.into_iter().flatten() {
        let pile = &rules.vars[var.index()];
        let is_hidden = pile.sight == Visibility::Nobody && matches!(pile.form, VarForm::Pile(_));
        let named = Some(var);
        if is_hidden
            && dealt.contains(&named)
            && !shuffled.contains(&named)
            && !others.contains(&named)
        {
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
