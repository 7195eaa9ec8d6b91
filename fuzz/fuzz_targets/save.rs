//! A text is loaded as a saved game, and played on.
#![no_main]

use astragal_fuzz::{scripts, table, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    // Checking the games takes a while, and belongs to no input.
    init: scripts::prepare(),
    |data: &[u8]| table::play_on(&text(data))
);
