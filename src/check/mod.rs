//! Checks a syntax tree and turns it into rules: names, types, effects, ends.

mod access;
mod advice;
mod boards;
mod bodies;
pub(crate) mod book_notes;
mod calls;
mod cards;
mod choices;
mod context;
mod copies;
mod declarations;
pub(crate) mod error;
mod expressions;
mod flow;
mod groups;
mod histories;
mod kinds;
mod known;
mod board_lines;
pub(crate) mod narrow;
mod numbering;
mod operators;
mod lvalues;
mod lists;
mod derived_kinds;
pub(crate) mod adjacency;
mod resolve;
mod scope;
mod looks;
mod seats;
mod secrecy;
mod sets;
mod hints;
mod snippets;
mod strategies;
mod variables;
mod statements;
mod unresolved;
mod symbols;
mod tables;
mod types;
mod pile_orders;

use std::panic::resume_unwind;
use std::thread;

use crate::budget::Budget;
use crate::check::context::Checker;
use crate::diagnostic::Diagnostics;
use crate::rules::{Kind, Rules};
use crate::syntax::ast::Ast;

pub(crate) use scope::Global;
pub use snippets::{check_call, check_expression, check_statements};
pub(crate) use symbols::{
    CompletionContext, Description, HISTORY_FIELD, Symbol, SymbolIndex, study,
};

/// Enough for the deepest text, and the longest chain of names, without optimisation.
const LARGE_STACK: usize = 256 * 1024 * 1024;

#[derive(Debug)]
pub struct CheckedRules {
    /// The rules, when there are no errors.
    pub rules: Option<Rules>,
    pub diagnostics: Diagnostics,
    /// Warnings about what is valid but looks like a mistake, when there are no errors.
    pub advice: Diagnostics,
    /// The budget that is left for the next stages.
    pub budget: Budget,
}

/// Checks a whole file with what is left of a budget.
pub fn check_rules(ast: &Ast, budget: Budget) -> CheckedRules {
    check_file(ast, budget, true)
}

/// Checks a whole file, and accepts rules that tell secrets, for tests that find them by playing.
pub fn check_without_secrecy(ast: &Ast) -> CheckedRules {
    check_file(ast, Budget::default(), false)
}

fn check_file(ast: &Ast, budget: Budget, refuses_leaks: bool) -> CheckedRules {
    on_large_stack(|| {
        let mut checker = Checker::new(no_rules());
        (checker.budget, checker.accepts_leaks) = (budget, !refuses_leaks);
        checker.check_file(ast);
        checker.settle_account();
        let advice = checker.advice();
        let Checker { budget, diagnostics, rules, .. } = checker;
        let rules = (!diagnostics.has_errors()).then_some(rules);
        CheckedRules { rules, diagnostics, advice, budget }
    })
}

/// Runs work that may recurse as deep as the deepest text that can be read.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut run = || work.take().map(|work| work());
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, &mut run);
        let done = thread.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.ok().flatten()
    });
    // Without a thread the stack of the caller has to do.
    done.or_else(run).expect("the work was not done before")
}

/// The rules that every game has: the kind of the players.
fn no_rules() -> Rules {
    let name = "Player".to_owned();
    let player = Kind { title: name.clone(), name, ..Kind::default() };
    Rules { players: (1, 1), usual_players: 1, kinds: vec![player], ..Rules::default() }
}
