//! The time, for bots that think by the clock, and for rates.

use std::{sync::OnceLock, time::Instant};

/// Milliseconds since the program asked first.
pub(super) fn milliseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(now).elapsed();
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock lives here; what depends on it says so on the command line"
)]
fn now() -> Instant {
    Instant::now()
}
