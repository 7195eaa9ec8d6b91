//! A text that was made large is laid out: what can be read of it, be the rest as broken as it may.
#![no_main]

use astragal_fuzz::{rules, swell::swell};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| rules::lay_out(&swell(data)));
