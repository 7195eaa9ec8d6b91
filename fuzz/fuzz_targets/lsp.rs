//! Bytes become the messages of an editor, which the server answers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| astragal_fuzz::editor::talk(data));
