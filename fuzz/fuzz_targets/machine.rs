//! Bytes become rules that make sense, which are compiled and played.
#![no_main]

use arbitrary::Unstructured;
use astragal_fuzz::{grow, rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let Ok(text) = grow::rules(&mut bytes) else { return };
    // `GROWN=1` shows the rules that a kept input stands for.
    if std::env::var_os("GROWN").is_some() {
        eprintln!("{text}");
    }
    rules::read(&text);
    let Some(ruleset) = rules::check(&text) else { return };
    rules::compile(&ruleset, data.len().try_into().unwrap_or(u64::MAX));
});
