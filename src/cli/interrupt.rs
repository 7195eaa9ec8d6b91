//! Ctrl-C while the program works: the work stops, the program goes on. Everywhere else, and where
//! the work does not stop, Ctrl-C ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{process::exit, sync::Once};

use super::writing;
use crate::progress::Progress;

/// What a shell reports of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

pub(super) static WORK: Progress = Progress::new();

static WORKING: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// Begins work that Ctrl-C stops; the second Ctrl-C ends the program.
pub(super) fn begin() {
    WORK.resume();
    WORKING.store(true, Ordering::Relaxed);
    // Where no handler can be set, Ctrl-C ends the program at once.
    LISTENING.call_once(|| drop(ctrlc::set_handler(hear)));
}

/// Ends the work; returns whether it was stopped.
pub(super) fn end() -> bool {
    WORKING.store(false, Ordering::Relaxed);
    WORK.is_stopped()
}

fn hear() {
    if !WORKING.load(Ordering::Relaxed) || WORK.is_stopped() {
        let _whole = writing::hold();
        exit(INTERRUPTED);
    }
    WORK.stop();
}
