//! A signal that ends the program while somebody types: the terminal is left as it was found.

/// Waits for these signals from now on. The thread that calls this must be the only one.
#[cfg(unix)]
pub(super) fn on_signals() {
    use std::io;
    use std::process::exit;
    use std::thread;

    use nix::sys::signal::{SigSet, Signal};
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};

    use super::writing;

    /// What makes a terminal hand over pasted text as if it were typed, and ends the line.
    const LEAVE: &[u8] = b"\x1b[?2004l\r\n";

    /// What a shell adds to the number of the signal that ended a program.
    const BY_SIGNAL: i32 = 128;

    let Ok(found) = tcgetattr(io::stdin()) else { return };
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGTERM);
    signals.add(Signal::SIGHUP);
    // Threads that begin later do not hear them either, so that they wait for this one.
    if signals.thread_block().is_err() {
        return;
    }
    let found = std::sync::Mutex::new(found);
    thread::spawn(move || {
        let Ok(signal) = signals.wait() else { return };
        let _whole = writing::hold();
        if let Ok(found) = found.lock() {
            // A terminal that is gone needs nothing more.
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &found);
        }
        // Whoever holds the line may wait for it for ever.
        let _ = nix::unistd::write(io::stdout(), LEAVE);
        exit(BY_SIGNAL + signal as i32);
    });
}

#[cfg(not(unix))]
pub(super) fn on_signals() {}
