//! The engine of the page: one message in, one answer out, through one buffer.
//!
//! A caller asks for room with [`reserve`], writes a message in UTF-8 there, and calls [`answer`]; the answer
//! lies at [`address`].

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use astragal::machinery::messages::Engine;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a clock is positive and not old"
)]
fn clock() -> u64 {
    now() as u64
}

struct State {
    engine: Engine,
    buffer: Vec<u8>,
}

static STATE: LazyLock<Mutex<State>> =
    LazyLock::new(|| Mutex::new(State { engine: Engine::new(clock), buffer: Vec::new() }));

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a message of so many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *const u8 {
    let mut state = state();
    state.buffer.clear();
    state.buffer.resize(bytes, 0);
    state.buffer.as_ptr()
}

/// Answers the message in the buffer, and returns how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let State { engine, buffer } = &mut *state();
    let message = String::from_utf8_lossy(buffer).into_owned();
    *buffer = engine.answer(&message).into_bytes();
    buffer.len()
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn address() -> *const u8 {
    state().buffer.as_ptr()
}
