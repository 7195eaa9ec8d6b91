//! A text is checked, and its rulebook written if it is right.
#![no_main]

use astragal_fuzz::{rules, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(ruleset) = rules::check(&text(data)) {
        rules::write_book(&ruleset);
    }
});
