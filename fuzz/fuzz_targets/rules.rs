//! A text that was made large is checked within the budget, and its rulebook written if it is right.
#![no_main]

use astragal_fuzz::{rules, swell::swell};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(ruleset) = rules::check(&swell(data)) {
        rules::write_book(&ruleset);
    }
});
