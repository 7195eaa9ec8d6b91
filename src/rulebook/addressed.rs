//! Finds whom a rule speaks to that asks nothing itself: if all that follow it do so for the player whom they speak
//! to, it is that player.

use std::collections::BTreeMap;

use crate::rulebook::Book;
use crate::rulebook::naming::address;
use crate::rulebook::words::spoken_to;
use crate::rules::visit::visit_choices;
use crate::rules::{Clause, Expr, ExprKind, LocalId, PLAYER, Rule, Rules, Type};

/// By the address of the rule.
pub(super) type Addressed = BTreeMap<usize, LocalId>;

/// Each round finds the rules that those of the round before follow.
const MOST_CALLS_DEEP: usize = 16;

/// Where a rule is followed: by which other one, and for whom.
struct Followed {
    by: usize,
    whom: Option<LocalId>,
}

pub(super) fn find_addressed(rules: &Rules) -> Addressed {
    let rules = rules.rules.as_slice();
    let about: Vec<Option<LocalId>> = rules.iter().map(whom_about).collect();
    let calls = calls_by_rule(rules, &about);
    let mut you: Vec<Option<LocalId>> = rules.iter().map(spoken_to).collect();
    let aliases: Vec<_> = rules.iter().map(aliases_of).collect();
    let mut found = Addressed::new();
    for _ in 0..MOST_CALLS_DEEP {
        let before = found.len();
        for at in (0..rules.len()).filter(|at| !rules[*at].effects.is_pure()) {
            let is_you = |call: &Followed| {
                let whom = call.whom.map(|it| *aliases[call.by].get(&it).unwrap_or(&it));
                whom.is_some() && (whom == you[call.by] || call.by == at && whom == about[at])
            };
            if you[at].is_none() && !calls[at].is_empty() && calls[at].iter().all(is_you) {
                you[at] = about[at];
                found.extend(about[at].map(|whom| (address(&rules[at]), whom)));
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

/// The player that a rule is about: its first parameter of that sort.
fn whom_about(rule: &Rule) -> Option<LocalId> {
    let mut params = rule.locals[..rule.params].iter();
    params.position(|local| local.ty == Type::Kind(PLAYER)).map(LocalId::at)
}

fn calls_by_rule(rules: &[Rule], about: &[Option<LocalId>]) -> Vec<Vec<Followed>> {
    let mut calls: Vec<Vec<Followed>> = rules.iter().map(|_| Vec::new()).collect();
    for (by, rule) in rules.iter().enumerate() {
        rule.visit_exprs(&mut |part| {
            let ExprKind::Call(id, args) = &part.kind else { return };
            let at = about[id.index()].and_then(|whom| args.get(whom.index()));
            calls[id.index()].push(Followed { by, whom: at.and_then(Expr::as_local) });
        });
    }
    calls
}

/// What the moves of a rule call the players that they are given.
fn aliases_of(rule: &Rule) -> BTreeMap<LocalId, LocalId> {
    let mut aliases = BTreeMap::new();
    visit_choices(&rule.body, &mut |choose| {
        for clause in choose.options.iter().flat_map(|it| &it.clauses) {
            if let Clause::Let(local, value) = clause {
                aliases.extend(value.as_local().map(|of| (*local, of)));
            }
        }
    });
    aliases
}

impl Book<'_> {
    /// Who is spoken to in a rule.
    pub(super) fn whom_it_speaks_to(&self, rule: &Rule) -> Option<LocalId> {
        let named = || self.addressed.get(&address(rule)).filter(|_| !self.keeps_names).copied();
        spoken_to(rule).or_else(named)
    }
}
