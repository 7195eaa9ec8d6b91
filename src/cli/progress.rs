//! Shows the progress of a long computation, and stops it on Ctrl-C.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{thread, thread::Thread, time::Duration};

use super::{clock, gate, interrupt};
use crate::progress::Progress;

/// How often Ctrl-C is looked for, in milliseconds.
const LOOK: u64 = 10;

/// How often the line on the terminal changes, in milliseconds.
const TELL: u64 = 200;

pub(super) struct Watcher<'a> {
    pub(super) progress: &'a Progress,
    /// The line that a terminal shows, after so many milliseconds of work.
    pub(super) line: &'a (dyn Fn(u64) -> String + Sync),
    /// After how many milliseconds the computation is stopped, if not before.
    pub(super) pause: Option<u64>,
}

impl Watcher<'_> {
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let watching = scope.spawn(|| self.watch(&ended));
            // The thread also ends if the work panics.
            let _end = End { ended: &ended, watching: watching.thread().clone() };
            work()
        })
    }

    fn watch(&self, ended: &AtomicBool) {
        let (lively, begun) = (std::io::stderr().is_terminal(), clock::milliseconds());
        let (mut told, mut shown) = (begun, false);
        while !ended.load(Ordering::Relaxed) {
            thread::park_timeout(Duration::from_millis(LOOK));
            let now = clock::milliseconds();
            if interrupt::WORK.is_stopped() || self.pause.is_some_and(|pause| now - begun > pause) {
                self.progress.stop();
            }
            if lively && now - told > TELL {
                (told, shown) = (now, true);
                // Nobody needs to see how far it is.
                let line = (self.line)(now - begun);
                let _ = write!(std::io::stderr(), "\r\x1b[K{}", gate::plain(&line));
            }
        }
        if shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

struct End<'a> {
    ended: &'a AtomicBool,
    watching: Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watching.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::Watcher;
    use crate::progress::Progress;

    #[test]
    fn a_pause_stops_the_work() {
        let progress = Progress::new();
        let watcher = Watcher { progress: &progress, line: &|_| String::new(), pause: Some(1) };
        let steps = watcher.over(|| {
            while !progress.is_stopped() {
                progress.add(1);
            }
            progress.done()
        });
        assert!(steps > 0 && progress.is_stopped());
    }

    #[test]
    #[should_panic(expected = "broken")]
    fn work_that_panics_ends_the_watching() {
        let progress = Progress::new();
        Watcher { progress: &progress, line: &|_| String::new(), pause: None }
            .over(|| panic!("broken"));
    }
}
