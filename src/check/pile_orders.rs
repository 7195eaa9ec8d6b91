//! Finds the piles whose order some rule can tell: piles whose top or bottom is read, and piles that are
//! moved whole into such a pile.

use std::collections::BTreeSet;

use crate::rules::visit::visit_block;
use crate::rules::{
    Array, Block, CardAction, CardSource, Choose, Clause, Expr, ExprKind, LocalId, RuleId, Rules,
    Stmt, StmtKind, Tactic, Type, VarForm, VarId, is_same_expr,
};
use crate::source::Span;

/// A pile as a rule names it: a variable, or a parameter of the rule or of a group of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PileName {
    Var(VarId),
    Param(RuleId, LocalId),
}

#[derive(Default)]
struct PileUses {
    read: BTreeSet<PileName>,
    /// Arguments, each with the parameter that stands for it.
    passed: BTreeSet<(PileName, PileName)>,
    /// Piles that are moved whole, each with the pile that they come to.
    moved: BTreeSet<(PileName, PileName)>,
}

/// Lets the piles keep their order where a rule can tell it.
pub(crate) fn order_piles(rules: &mut Rules) {
    let mut uses = PileUses::default();
    let measures = rules.measures.iter().map(|measure| &measure.rule);
    let promises = rules.always.iter().map(|always| &always.rule);
    for (at, rule) in rules.rules.iter().chain(measures).chain(promises).enumerate() {
        uses.add_block(rules, RuleId::at(at), &rule.body);
    }
    for name in uses.ordered() {
        if let PileName::Var(var) = name
            && let VarForm::Pile(pile) = &mut rules.vars[var.index()].form
        {
            pile.ordered = true;
        }
    }
}

impl PileUses {
    /// Adds a block of a rule with all that is inside of it.
    fn add_block(&mut self, rules: &Rules, rule: RuleId, block: &Block) {
        self.add_moves(rules, rule, block);
        visit_block(block, &mut |part| self.add_expr(rules, rule, part));
    }

    fn add_expr(&mut self, rules: &Rules, rule: RuleId, part: &Expr) {
        match &part.kind {
            ExprKind::End(end) => self.read.extend(pile_name(rule, &end.pile)),
            ExprKind::Call(called, args) => {
                for (at, arg) in args.iter().enumerate() {
                    self.pass_order(rule, arg, PileName::Param(*called, LocalId::at(at)));
                }
            }
            ExprKind::Suppose(block, _) => self.add_moves(rules, rule, block),
            ExprKind::Pick(_) => self.add_tactics(rules, rule, part.span),
            _ => {}
        }
    }

    /// Adds what strategies read where a move is offered.
    fn add_tactics(&mut self, rules: &Rules, rule: RuleId, option: Span) {
        for part in rules.tactics(option).flat_map(Tactic::exprs) {
            part.visit_tree(&mut |part| self.add_expr(rules, rule, part));
        }
    }

    fn pass_order(&mut self, rule: RuleId, arg: &Expr, param: PileName) {
        self.passed.extend(pile_name(rule, arg).map(|arg| (arg, param)));
    }

    /// Adds the piles that a block moves whole, and those that groups of moves are given.
    fn add_moves(&mut self, rules: &Rules, rule: RuleId, block: &Block) {
        for (at, stmt) in block.iter().enumerate() {
            match card_action(stmt) {
                Some(CardAction::Move { what: CardSource::Pile(from), to, .. })
                    if !is_shuffled(block, at, from, to) =>
                {
                    self.moved.extend(pile_name(rule, from).zip(pile_name(rule, to)));
                }
                Some(
                    CardAction::Move { what: CardSource::End(end), .. }
                    | CardAction::Learn { what: CardSource::End(end), .. },
                ) => self.read.extend(pile_name(rule, &end.pile)),
                _ => {}
            }
            if let StmtKind::Choose(choose) = &stmt.kind {
                self.add_options(rules, rule, choose);
            }
            stmt.blocks().into_iter().for_each(|block| self.add_moves(rules, rule, block));
        }
    }

    fn add_options(&mut self, rules: &Rules, rule: RuleId, choose: &Choose) {
        for option in &choose.options {
            self.add_tactics(rules, rule, option.span);
            for clause in &option.clauses {
                if let Clause::Let(param, arg) = clause {
                    self.pass_order(rule, arg, PileName::Param(rule, *param));
                }
            }
        }
        choose.decline.iter().for_each(|decline| self.add_tactics(rules, rule, decline.span));
    }

    /// The piles that keep an order: those whose top or bottom is read, those whose cards are moved whole into an ordered
    /// pile, and those whose cards are moved into a parameter that an ordered pile may stand for.
    fn ordered(self) -> BTreeSet<PileName> {
        let (mut ordered, mut targets) = (self.read.clone(), self.read);
        loop {
            let count = ordered.len() + targets.len();
            for (arg, param) in &self.passed {
                if targets.contains(arg) {
                    targets.insert(*param);
                }
                if ordered.contains(param) {
                    ordered.insert(*arg);
                }
            }
            let sources = self.moved.iter().filter(|(_, to)| targets.contains(to));
            ordered.extend(sources.map(|(from, _)| *from));
            targets.extend(&ordered);
            if ordered.len() + targets.len() == count {
                return ordered;
            }
        }
    }
}

/// Whether the cards of a move are shuffled right before it, or right after the last of the moves to
/// the same pile: then no order comes with them.
fn is_shuffled(block: &Block, at: usize, from: &Expr, to: &Expr) -> bool {
    let shuffles = |stmt: &Stmt, pile: &Expr| matches!(card_action(stmt), Some(CardAction::Shuffle(shuffled)) if is_same_expr(shuffled, pile));
    let fills = |stmt: &&Stmt| {
        matches!(card_action(stmt), Some(CardAction::Move { what: CardSource::Pile(_), to: other, .. })
            if is_same_expr(to, other))
    };
    let next = block[at + 1..].iter().find(|stmt| !fills(stmt));
    next.is_some_and(|stmt| shuffles(stmt, to)) || at > 0 && shuffles(&block[at - 1], from)
}

fn card_action(stmt: &Stmt) -> Option<&CardAction> {
    let StmtKind::Cards(action) = &stmt.kind else { return None };
    Some(action)
}

/// The pile that an expression names, if it names one.
fn pile_name(rule: RuleId, pile: &Expr) -> Option<PileName> {
    match pile.kind {
        ExprKind::Element(Array::Pile(var), _) => Some(PileName::Var(var)),
        ExprKind::Local(local) if matches!(pile.ty, Type::Pile(_)) => {
            Some(PileName::Param(rule, local))
        }
        _ => None,
    }
}
