//! Runs a check on a large stack.

use std::panic::resume_unwind;
use std::thread;

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
