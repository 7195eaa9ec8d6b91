//! Finds the goals of players: the numbers that a file compares where it says who wins.
//!
//! A guard such as `if me.score >= target { finish win me }` tells whether a game is won, and its
//! two numbers tell how near it is to being won (the degree to which a goal is met; Schiffel and
//! Thielscher, "Fluxplayer: a successful general game player", 2007).

use std::collections::BTreeSet;

use crate::rules::visit::let_of;
use crate::rules::{
    Ambient, Arith, Array, BinaryOp, Block, Expr, ExprKind, LocalId, PLAYER, RuleId, Rules, SetOp,
    StmtKind, Type, UnaryOp,
};

/// A number that tells how near a player, or all together, are to what they want.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// The rule that it is written in; its locals count there.
    pub(super) rule: RuleId,
    /// Whose number it is; none if it is everybody's.
    pub(super) player: Option<LocalId>,
    pub(super) value: Expr,
    pub(super) wish: Wish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// It should rise; the file is content with 0 or more.
    High,
    /// It should come to 0, from above or below.
    Zero,
    /// It should stay away from 0, on the side where it began.
    NotZero,
}

/// The aims of players; where somebody plays `alone`, those of the table are theirs.
pub(super) fn find_goals(rules: &Rules, alone: bool) -> Vec<Aim> {
    let (seen, entered) = (BTreeSet::new(), BTreeSet::new());
    let mut search = GoalSearch { rules, alone, is_shared: alone, seen, entered, aims: vec![] };
    for position in 0..rules.rules.len() {
        search.search_block(RuleId::at(position), &rules.rules[position].body, &mut Vec::new());
    }
    search.aims
}

struct GoalSearch<'a> {
    rules: &'a Rules,
    alone: bool,
    /// Whether what is wanted where the search is now is wanted by all who play.
    is_shared: bool,
    /// Where the comparisons stand that are known.
    seen: BTreeSet<(u32, u32)>,
    /// Rules that were examined already.
    entered: BTreeSet<RuleId>,
    aims: Vec<Aim>,
}

impl<'a> GoalSearch<'a> {
    /// Looks for endings in a block; `guards` holds the conditions around it, and whether they hold
    /// there.
    fn search_block(&mut self, rule: RuleId, block: &'a Block, guards: &mut Vec<(&'a Expr, bool)>) {
        for stmt in block {
            match &stmt.kind {
                // What a `finish win` tells: first by whom it names, then by what had to hold.
                StmtKind::FinishWin(winners) => {
                    self.search_condition(rule, winners, true);
                    let mut named = winners;
                    while let ExprKind::Unary(UnaryOp::ToSet, inner) = &named.kind {
                        named = inner;
                    }
                    let loses = matches!(
                        named.kind,
                        ExprKind::Unary(UnaryOp::Others | UnaryOp::Next | UnaryOp::Previous, _)
                    );
                    for (condition, holds) in &*guards {
                        self.search_condition(rule, condition, *holds != loses);
                    }
                }
                StmtKind::FinishAll { win } => {
                    self.is_shared = true;
                    for (condition, holds) in &*guards {
                        self.search_condition(rule, condition, holds == win);
                    }
                    self.is_shared = self.alone;
                }
                StmtKind::If { condition, then, otherwise } => {
                    for (branch, holds) in [(then, true), (otherwise, false)] {
                        guards.push((condition, holds));
                        self.search_block(rule, branch, guards);
                        guards.pop();
                    }
                }
                _ => {
                    for inner in stmt.blocks() {
                        self.search_block(rule, inner, guards);
                    }
                }
            }
        }
    }

    /// Looks for comparisons in an expression that is wanted to hold, or not to.
    fn search_condition(&mut self, rule: RuleId, expr: &Expr, wanted: bool) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, a, b) => {
                let (low, high) = if wanted { (a, b) } else { (b, a) };
                self.add_aim(rule, (expr, Wish::High), low, high);
            }
            ExprKind::Binary(BinaryOp::Equal, a, b) if a.ty == Type::Number => {
                let wish = if wanted { Wish::Zero } else { Wish::NotZero };
                self.add_aim(rule, (expr, wish), a, b);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.search_condition(rule, inner, !wanted),
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), a, b) => {
                self.search_condition(rule, a, wanted);
                self.search_condition(rule, b, !wanted);
            }
            ExprKind::Local(local) => {
                let rules = self.rules;
                if let Some(value) = let_of(&rules.rules[rule.index()].body, *local) {
                    self.search_condition(rule, value, wanted);
                }
            }
            // A rule that does nothing but answer is looked into, once.
            ExprKind::Call(called, _) => {
                let rules = self.rules;
                let rule = &rules.rules[called.index()];
                if rule.effects.is_pure() && self.entered.insert(*called) {
                    for stmt in &rule.body {
                        if let StmtKind::Return(Some(value)) = &stmt.kind {
                            self.search_condition(*called, value, wanted);
                        }
                    }
                }
            }
            _ => expr.visit_parts(&mut |part| self.search_condition(rule, part, wanted)),
        }
    }

    /// A comparison of a player's number with one that is everybody's, or of two that are everybody's if all want
    /// the same.
    fn add_aim(&mut self, rule: RuleId, (whole, wish): (&Expr, Wish), low: &Expr, high: &Expr) {
        let numbers = low.ty == Type::Number && high.ty == Type::Number;
        let locals = &self.rules.rules[rule.index()].locals;
        let value = Expr {
            kind: ExprKind::Binary(
                BinaryOp::Arith(Arith::Subtract),
                Box::new(high.clone()),
                Box::new(low.clone()),
            ),
            ty: Type::Number,
            span: whole.span,
        };
        // The player that the number is of, if it reads no other name from around it.
        let free: Vec<LocalId> = free_locals(&value).into_iter().collect();
        let is_player = |local: &LocalId| {
            locals.get(local.index()).is_some_and(|local| local.ty == Type::Kind(PLAYER))
        };
        let player = match free[..] {
            [] if self.is_shared => None,
            [player] if is_player(&player) => Some(player),
            _ => return,
        };
        if numbers && self.seen.insert((whole.span.start, whole.span.end)) {
            self.aims.push(Aim { rule, player, value, wish });
        }
    }
}

/// The names that an expression reads and does not bind itself. The number of the turn and the past
/// count as one: they are known only in play.
pub(super) fn free_locals(expr: &Expr) -> BTreeSet<LocalId> {
    let (mut bound, mut read) = (BTreeSet::new(), BTreeSet::new());
    expr.visit_tree(&mut |part| match &part.kind {
        ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => {
            read.insert(*local);
        }
        ExprKind::Filter(binder) | ExprKind::Image(_, binder) | ExprKind::Fold { binder, .. } => {
            bound.insert(binder.local);
        }
        ExprKind::Ambient(Ambient::Turn | Ambient::Past(_)) => {
            read.insert(LocalId(u32::MAX));
        }
        _ => {}
    });
    &read - &bound
}
