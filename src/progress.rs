//! Progress of a long computation, and the wish to stop it, shared between threads.
//!
//! A computation adds the steps that it has done, and asks now and then whether it should stop. It
//! knows neither the time nor a signal: the thread that watches it does.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far a computation is, and whether it should stop.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    pub const fn new() -> Progress {
        Progress { done: AtomicU64::new(0), stopped: AtomicBool::new(false) }
    }

    pub(crate) fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Takes the wish back, before the computation goes on.
    pub(crate) fn resume(&self) {
        self.stopped.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// The progress of computations that nobody watches or stops.
pub static UNWATCHED: Progress = Progress::new();
