//! A text is read, and laid out if it can be.
#![no_main]

use astragal_fuzz::{rules, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| rules::read(&text(data)));
