//! Runs the stages of the check in their order.

use crate::budget::Budget;
use crate::check::collect::Collector;
use crate::check::file::FileContext;
use crate::check::flow::Flow;
use crate::check::secrecy::check_secrets;
use crate::rules::{Kind, Rules};
use crate::syntax::ast::Ast;

/// Checks a whole file. Where a name is called `probe`, the recorder keeps what could stand there.
pub(crate) fn check_tree<'a>(
    ast: &'a Ast,
    budget: Budget,
    probe: Option<&str>,
    accepts_leaks: bool,
) -> FileContext<'a> {
    let mut collector = Collector { file: FileContext::new(no_rules()) };
    collector.file.budget = budget;
    collector.file.recorder.probe = probe.map(str::to_owned);
    collector.check_file(ast);
    let mut file = collector.file;
    Flow { file: &mut file }.check_flow();
    check_secrets(&mut file, accepts_leaks);
    file.settle_account();
    file
}

/// The rules that every game has: the kind of the players.
fn no_rules() -> Rules {
    let name = "Player".to_owned();
    let player = Kind { title: name.clone(), name, ..Kind::default() };
    Rules { players: (1, 1), usual_players: 1, kinds: vec![player], ..Rules::default() }
}
