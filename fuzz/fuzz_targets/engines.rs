//! Bytes become rules that make sense, which both engines play.
#![no_main]

use arbitrary::Unstructured;
use astragal_fuzz::{grow, rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let Ok(text) = grow::rules(&mut bytes) else { return };
    let Some(ruleset) = rules::check(&text) else { return };
    rules::play_with_both(&ruleset, data.len().try_into().unwrap_or(u64::MAX));
});
