//! Checks a syntax tree and turns it into rules: names, types, effects, ends.

mod advice;
mod block;
pub(crate) mod book_notes;
mod card_advice;
mod collect;
pub(crate) mod error;
mod file;
mod flow;
mod names;
mod note_conditions;
pub(crate) mod note_effects;
pub(crate) mod note_names;
mod pile_orders;
mod recorder;
mod secrecy;
mod snippets;
mod stages;
mod symbols;
mod turns;
mod typer;
mod words;

use crate::budget::Budget;
use crate::check::advice::Advice;
use crate::check::file::FileContext;
use crate::check::stages::{check_tree, on_large_stack};
use crate::diagnostic::Diagnostics;
use crate::rules::Rules;
use crate::syntax::ast::Ast;

pub(crate) use names::Global;
pub(crate) use recorder::{CompletionContext, HISTORY_FIELD, Symbol};
pub use snippets::{check_call, check_expression, check_statements};
pub(crate) use symbols::{Description, SymbolIndex, index_symbols};

#[derive(Debug)]
pub struct CheckedRules {
    /// The rules, when there are no errors.
    pub rules: Option<Rules>,
    pub diagnostics: Diagnostics,
    /// Warnings about what is valid but looks like a mistake, when there are no errors.
    pub(crate) advice: Diagnostics,
    /// The budget that is left for the next stages.
    pub(crate) budget: Budget,
}

/// Checks a whole file with what is left of a budget.
pub fn check_rules(ast: &Ast, budget: Budget) -> CheckedRules {
    check_file(ast, budget, false)
}

/// Checks a whole file, and accepts rules that tell secrets, for tests that find them by playing.
pub fn check_without_secrecy(ast: &Ast) -> CheckedRules {
    check_file(ast, Budget::default(), true)
}

fn check_file(ast: &Ast, budget: Budget, accepts_leaks: bool) -> CheckedRules {
    on_large_stack(|| {
        let file = check_tree(ast, budget, None, accepts_leaks);
        let advice = Advice { file: &file }.advice();
        let FileContext { budget, diagnostics, rules, .. } = file;
        let rules = (!diagnostics.has_errors()).then_some(rules);
        CheckedRules { rules, diagnostics, advice, budget }
    })
}
