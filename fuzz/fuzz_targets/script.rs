//! A text is run as a script; its transcript runs again to the same transcript.
#![no_main]

use astragal_fuzz::{scripts, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    // Checking the games takes a while, and belongs to no input.
    init: scripts::prepare(),
    |data: &[u8]| scripts::run_twice(&text(data))
);
