//! Runs the stages of the check in order, on a large stack.

use std::panic::resume_unwind;
use std::thread;

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
    file.report_budget_alone();
    file
}

/// The rules that every game has: the kind of the players.
fn no_rules() -> Rules {
    let name = "Player".to_owned();
    let player = Kind { title: name.clone(), name, ..Kind::default() };
    Rules { players: (1, 1), usual_players: 1, kinds: vec![player], ..Rules::default() }
}

/// Enough for the deepest text, and the longest chain of names, without optimisation.
const LARGE_STACK: usize = 256 * 1024 * 1024;

/// Runs work that may recurse as deep as the deepest text that can be read.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
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
