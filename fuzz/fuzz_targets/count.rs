//! The positions of a game are counted and solved, each as far as a small limit.
#![no_main]

use astragal_fuzz::{rules, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(ruleset) = rules::check(&text(data)) {
        rules::count(&ruleset);
    }
});
