//! Runs a check on a large stack, from rules that hold the players alone.

use std::panic::resume_unwind;
use std::thread;

use crate::rules::{Kind, Rules};

/// Enough for the deepest text, and the longest chain of names, without optimisation.
pub(crate) const LARGE_STACK: usize = 256 * 1024 * 1024;

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

/// The rules that every game has: the kind of the players.
pub(crate) fn no_rules() -> Rules {
    let name = "Player".to_owned();
    let player = Kind { title: name.clone(), name, ..Kind::default() };
    Rules { players: (1, 1), usual_players: 1, kinds: vec![player], ..Rules::default() }
}
