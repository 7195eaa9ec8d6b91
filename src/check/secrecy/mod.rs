//! No question and no list of moves tells what its player, or the others, may not see.
//!
//! Who is asked, and whether somebody is asked, is seen by all: it may hang on nothing that is
//! hidden from anybody. What a player is offered may hang on what that player sees. Secrets are
//! followed through locals, conditions around a question, and the rules that are called. What is
//! written into a variable is as visible as the variable; there the trail ends.

mod questions;
mod reads;
mod supposed;
mod taint;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error::SecretError;
use crate::check::rules::{Block, ExprKind, RuleId, Rules};
use crate::check::visit::visit_choices;
use crate::source::Span;
use crate::syntax::ast::Sight;
use taint::Taint;
use walk::Walk;

pub(crate) use questions::unseen_params;

/// What was found about the secrets of a game.
#[derive(Default)]
pub(super) struct Found {
    /// Everything that tells too much.
    pub(super) errors: Vec<SecretError>,
    /// The deciders of questions that are asked even if only declining is legal, by their place:
    /// whether anything else is legal is known to them alone.
    pub(super) asked_anyway: BTreeSet<Span>,
    /// Cards that are moved and sets that are drawn from where not everybody can tell which they
    /// are.
    pub(super) quiet: BTreeSet<Span>,
}

/// What is known of all rules together.
struct Known<'a> {
    rules: &'a Rules,
    /// For each rule, whether it may ask somebody.
    asks: Vec<bool>,
    /// For each rule, what its value tells beside what its arguments tell.
    returns: Vec<Taint>,
    /// For each rule and parameter, what the arguments tell that it is given somewhere.
    params: Vec<BTreeMap<usize, Taint>>,
}

/// Looks at all rules of a game.
pub(super) fn look(rules: &Rules) -> Found {
    let mut found = Found::default();
    if rules.vars.iter().all(|var| var.sight == Sight::All) {
        return found;
    }
    let mut known = Known {
        rules,
        asks: asking(rules),
        returns: vec![Taint::default(); rules.rules.len()],
        params: vec![BTreeMap::new(); rules.rules.len()],
    };
    while known.find_returns() {}
    while known.find_params() {}
    for at in 0..rules.rules.len() {
        let mut walk = Walk::new(&known, RuleId::at(at), true);
        walk.rule();
        found.errors.append(&mut walk.errors);
        found.asked_anyway.append(&mut walk.asked_anyway);
        found.quiet.append(&mut walk.quiet);
    }
    found.errors = once_each(found.errors);
    found
}

/// One finding for each place where a secret is read: what else comes of it is an echo. What shows
/// a secret says more than what only keeps it.
fn once_each(errors: Vec<SecretError>) -> Vec<SecretError> {
    let (shows, keeps): (Vec<_>, Vec<_>) =
        errors.into_iter().partition(|error| matches!(error, SecretError::Leak { .. }));
    let mut known = BTreeSet::new();
    let first = |error: &SecretError| error.origin().is_none_or(|origin| known.insert(origin));
    shows.into_iter().chain(keeps).filter(first).collect()
}

impl Known<'_> {
    /// Finds out more of what rules return; whether there was more.
    fn find_returns(&mut self) -> bool {
        let mut changed = false;
        for at in 0..self.rules.rules.len() {
            let mut walk = Walk::new(self, RuleId::at(at), false);
            walk.rule();
            let all = self.returns[at].clone().with(&walk.returned);
            changed |= !all.same(&self.returns[at]);
            self.returns[at] = all;
        }
        changed
    }

    /// Finds out more of what rules are given; whether there was more.
    fn find_params(&mut self) -> bool {
        let mut changed = false;
        for at in 0..self.rules.rules.len() {
            let mut walk = Walk::new(self, RuleId::at(at), true);
            walk.rule();
            for (rule, param, given) in walk.given {
                let known = self.params[rule.index()].entry(param).or_default();
                let all = known.clone().with(&given);
                changed |= !all.same(known);
                *known = all;
            }
        }
        changed
    }
}

/// For each rule, whether it may ask somebody.
fn asking(rules: &Rules) -> Vec<bool> {
    let mut asks: Vec<bool> = rules.rules.iter().map(|rule| asks_itself(&rule.body)).collect();
    loop {
        let mut changed = false;
        for (at, rule) in rules.rules.iter().enumerate() {
            let mut calls = false;
            rule.visit(&mut |expr| {
                calls |= matches!(expr.kind, ExprKind::Call(called, _) if asks[called.index()]);
            });
            changed |= calls && !asks[at];
            asks[at] |= calls;
        }
        if !changed {
            return asks;
        }
    }
}

fn asks_itself(block: &Block) -> bool {
    let mut asks = false;
    visit_choices(block, &mut |_| asks = true);
    let mut picks = false;
    crate::check::visit::visit_block(block, &mut |expr| {
        picks |= matches!(expr.kind, ExprKind::Pick(_));
    });
    asks || picks
}
