//! A text is compiled for two settings, which are verified and played.
#![no_main]

use astragal_fuzz::{rules, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(ruleset) = rules::check(&text(data)) {
        rules::compile(&ruleset, data.len().try_into().unwrap_or(u64::MAX));
    }
});
