//! Finds variables whose first value play reads: others are bookkeeping of the setup.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Budget;
use crate::rulebook::Book;
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Array, Expr, ExprKind, PLAYER, RuleId, Rules, Stmt, StmtKind, Type, Var, VarForm, VarId,
};
use crate::syntax::ast::Owner;

/// Of each variable that is met, whether the first that is done with it is to read it.
#[derive(Default)]
pub(super) struct FirstUses(BTreeMap<VarId, bool>);

impl FirstUses {
    /// What play does first with each variable.
    pub(super) fn of_play(book: &Book) -> FirstUses {
        Walk::new(book.rules, book.budget).of_rule(book.rules.play)
    }

    pub(super) fn is_read(&self, var: VarId) -> bool {
        self.0.get(&var) == Some(&true)
    }

    fn note(&mut self, var: VarId, is_read: bool) {
        self.0.entry(var).or_insert(is_read);
    }

    /// What follows matters for those that were not met before.
    fn then(&mut self, after: FirstUses) {
        after.0.into_iter().for_each(|(var, is_read)| self.note(var, is_read));
    }
}

/// The dice, by their names, that every turn rolls before it looks at them: between turns they say nothing.
pub(crate) fn dice_of_a_turn(rules: &Rules) -> BTreeSet<String> {
    let (mut uses, budget) = (Vec::new(), Budget::default());
    for rule in &rules.rules {
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::Turns { body, .. } = &stmt.kind {
                uses.push(Walk::new(rules, &budget).of_block(body));
            }
        });
    }
    let is_stale = |at: usize| !uses.iter().any(|it| it.is_read(VarId::at(at)));
    let dice = rules.vars.iter().enumerate();
    let dice = dice.filter(|(_, var)| matches!(var.form, VarForm::Die(_)));
    let stale = dice.filter(|(at, _)| !uses.is_empty() && !budget.is_spent() && is_stale(*at));
    stale.map(|(_, var)| var.name.clone()).collect()
}

/// The variables of the table, by their names, that hold a player whom play asks for before it names one: the starter.
pub(crate) fn standing_players(rules: &Rules) -> BTreeSet<String> {
    used_first(rules, true, |var| {
        var.ty == Type::Kind(PLAYER) && var.owner == Owner::Table && !var.undrawn
    })
}

/// The variables of players, by their names, that play sets before it looks at them: their first value is none.
pub(crate) fn set_in_play(rules: &Rules) -> BTreeSet<String> {
    used_first(rules, false, |var| var.owner == Owner::Player && matches!(var.form, VarForm::Plain))
}

fn used_first(rules: &Rules, read: bool, is_asked: fn(&Var) -> bool) -> BTreeSet<String> {
    let budget = Budget::default();
    let uses = Walk::new(rules, &budget).of_rule(rules.play);
    let vars = rules.vars.iter().enumerate().filter(|(_, var)| is_asked(var));
    let vars = vars.filter(|(at, _)| uses.0.get(&VarId::at(*at)) == Some(&read));
    vars.map(|(_, var)| var.name.clone()).collect()
}

struct Walk<'a> {
    rules: &'a Rules,
    budget: &'a Budget,
    met: BTreeSet<RuleId>,
}

impl<'a> Walk<'a> {
    fn new(rules: &'a Rules, budget: &'a Budget) -> Walk<'a> {
        Walk { rules, budget, met: BTreeSet::new() }
    }

    fn of_rule(&mut self, id: RuleId) -> FirstUses {
        let rules = self.rules;
        if self.met.insert(id) {
            self.of_block(&rules.rules[id.index()].body)
        } else {
            FirstUses::default()
        }
    }

    fn of_block(&mut self, block: &[Stmt]) -> FirstUses {
        let mut uses = FirstUses::default();
        for stmt in block {
            let next = self.of_stmt(stmt);
            self.budget.charge(1 + next.0.len());
            uses.then(next);
        }
        uses
    }

    fn of_stmt(&mut self, stmt: &Stmt) -> FirstUses {
        let mut uses = FirstUses::default();
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.add_reads(value, &mut uses);
                if let ExprKind::Element(Array::Var(var), _) = place.kind {
                    uses.note(var, false);
                }
            }
            StmtKind::Roll { place, .. } => {
                if let ExprKind::Element(Array::Var(var), _) = place.kind {
                    uses.note(var, false);
                }
            }
            StmtKind::Reset(targets) => targets.iter().for_each(|it| uses.note(it.var, false)),
            _ => {}
        }
        stmt.visit_parts(&mut |part| self.add_reads(part, &mut uses));
        let blocks: Vec<FirstUses> =
            stmt.blocks().into_iter().map(|block| self.of_block(block)).collect();
        let is_either =
            matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose(_));
        if !is_either {
            blocks.into_iter().for_each(|block| uses.then(block));
            return uses;
        }
        let vars: BTreeSet<VarId> =
            blocks.iter().flat_map(|block| block.0.keys().copied()).collect();
        self.budget.charge(blocks.len() + vars.len());
        for var in vars {
            // What only one of several blocks sets may still hold what it began with.
            let is_read = blocks.iter().any(|block| block.is_read(var));
            if is_read || blocks.iter().all(|block| block.0.contains_key(&var)) {
                uses.note(var, is_read);
            }
        }
        uses
    }

    fn add_reads(&mut self, expr: &Expr, uses: &mut FirstUses) {
        expr.visit_tree(&mut |part| match &part.kind {
            ExprKind::Element(Array::Var(var), _) => uses.note(*var, true),
            ExprKind::Call(id, _) => uses.then(self.of_rule(*id)),
            ExprKind::Roll(die) => {
                if let ExprKind::Element(Array::Var(var), _) = die.kind {
                    uses.note(var, false);
                }
            }
            _ => {}
        });
    }
}
