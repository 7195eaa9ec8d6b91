//! Tree to checked rules: names, types, the shape of the game.

mod access;
mod bodies;
mod calls;
mod cells;
mod choices;
mod context;
mod declarations;
pub mod error;
mod expressions;
mod flow;
mod kinds;
mod matches;
mod narrow;
mod operators;
mod outline;
mod places;
mod resolve;
pub mod rules;
pub mod visit;
mod scope;
mod sets;
mod snippets;
mod state;
mod statements;
mod strangers;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod unnamed;

use crate::check::context::Checker;
use crate::check::rules::{Kind, RuleId, Rules};
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::syntax::ast::Ast;

pub use outline::outline;
pub use snippets::{check_call, check_expression, check_statement};

/// What came out of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The rules, when there are no errors.
    pub rules: Option<Rules>,
    /// All errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Checks a whole file.
pub fn check(ast: &Ast) -> Checked {
    let mut checker = Checker::new(no_rules());
    checker.check_file(ast);
    let rules = (!checker.diagnostics.has_errors()).then_some(checker.rules);
    Checked { rules, diagnostics: checker.diagnostics }
}

/// The rules that every game has: the kind of the players.
fn no_rules() -> Rules {
    let player = Kind {
        name: "Player".to_owned(),
        title: "Player".to_owned(),
        notes: Vec::new(),
        members: Vec::new(),
        columns: Vec::new(),
        span: Span::default(),
    };
    Rules {
        title: String::new(),
        players: (1, 1),
        limit: None,
        kinds: vec![player],
        ranges: Vec::new(),
        options: Vec::new(),
        constants: Vec::new(),
        tables: Vec::new(),
        vars: Vec::new(),
        rules: Vec::new(),
        setup: None,
        play: RuleId(0),
        reads_turn: false,
    }
}
