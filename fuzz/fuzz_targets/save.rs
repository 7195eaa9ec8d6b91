//! A text is loaded as a saved game, and played on.
#![no_main]

use astragal_fuzz::{table, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| table::play_on(&text(data)));
