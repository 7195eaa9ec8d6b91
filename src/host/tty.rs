//! Terminal modes: waits for a key, forgets what was typed, and restores the terminal when a signal ends
//! the program.

use std::io;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{SigSet, Signal},
    sys::termios::{FlushArg, LocalFlags, SetArg, tcflush, tcgetattr, tcsetattr},
};

use crate::host::writing;

/// How long it may take until a change is seen, in milliseconds.
#[cfg(unix)]
const PAUSE: u8 = 250;

/// What makes a terminal say where pasted text begins and ends.
#[cfg(unix)]
const PASTE: &[u8] = b"\x1b[?2004h";

/// What makes a terminal hand over pasted text as if it were typed, and ends the line.
#[cfg(unix)]
const LEAVE: &[u8] = b"\x1b[?2004l\r\n";

/// What a shell adds to the number of the signal that ended a program.
#[cfg(unix)]
const BY_SIGNAL: i32 = 128;

/// Whether a thread waits for signals to restore the terminal.
#[cfg(unix)]
static RESTORES: AtomicBool = AtomicBool::new(false);

/// Waits for a key, or until something has changed, which is asked several times a second; returns
/// whether it was a change.
#[cfg(unix)]
pub(crate) fn wait_for_change(mut changed: impl FnMut() -> bool) -> io::Result<bool> {
    use std::os::fd::AsFd as _;
    let stdin = io::stdin();
    let found = tcgetattr(&stdin)?;
    let mut quiet = found.clone();
    // A key counts at once, Ctrl-C too, and the line editor shows it.
    quiet.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
    tcsetattr(&stdin, SetArg::TCSANOW, &quiet)?;
    nix::unistd::write(io::stdout(), PASTE)?;
    let by_change = loop {
        let keys = &mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(keys, PollTimeout::from(PAUSE)) {
            // A window that changes its size interrupts.
            Ok(0) | Err(nix::errno::Errno::EINTR) if changed() => break true,
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            _ => break false,
        }
    };
    tcsetattr(&stdin, SetArg::TCSANOW, &found)?;
    Ok(by_change)
}

#[cfg(not(unix))]
pub(crate) fn wait_for_change(_: impl FnMut() -> bool) -> io::Result<bool> {
    Ok(false)
}

/// The terminal as it was before it was hushed.
#[cfg(unix)]
static FOUND: std::sync::Mutex<Option<nix::sys::termios::Termios>> = std::sync::Mutex::new(None);

/// Shows nothing that is typed until [`restore`]; Ctrl-C still counts.
pub(crate) fn hush() {
    #[cfg(unix)]
    if let (Ok(found), Ok(mut kept)) = (tcgetattr(io::stdin()), FOUND.lock()) {
        let mut quiet = found.clone();
        quiet.local_flags.remove(LocalFlags::ECHO | LocalFlags::ICANON);
        if tcsetattr(io::stdin(), SetArg::TCSANOW, &quiet).is_ok() {
            kept.get_or_insert(found);
        }
    }
}

pub(crate) fn restore() {
    #[cfg(unix)]
    if let Some(found) = FOUND.lock().ok().and_then(|mut kept| kept.take()) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &found);
    }
}

pub(crate) fn forget_typed() {
    // What is no terminal keeps its lines.
    #[cfg(unix)]
    let _ = tcflush(io::stdin(), FlushArg::TCIFLUSH);
}

/// Runs something that reads only what was typed already: reading more is an error, not a wait.
pub(crate) fn without_waiting<T>(read: impl FnOnce() -> T) -> Option<T> {
    #[cfg(unix)]
    {
        let found = fcntl(io::stdin(), FcntlArg::F_GETFL).ok()?;
        let found = OFlag::from_bits_retain(found);
        fcntl(io::stdin(), FcntlArg::F_SETFL(found | OFlag::O_NONBLOCK)).ok()?;
        let got = read();
        let _ = fcntl(io::stdin(), FcntlArg::F_SETFL(found));
        Some(got)
    }
    #[cfg(not(unix))]
    None
}

/// Calls `hear` from now on for each request to end the program (`SIGTERM`), unless the terminal has to be restored
/// then. Threads that began before do not wait for it: there the request ends the program at once.
pub(crate) fn hear_termination(hear: fn()) {
    #[cfg(unix)]
    {
        let signals = SigSet::from_iter([Signal::SIGTERM]);
        if !RESTORES.load(Ordering::Relaxed) && signals.thread_block().is_ok() {
            std::thread::spawn(move || {
                while signals.wait().is_ok() {
                    hear();
                }
            });
        }
    }
    #[cfg(not(unix))]
    let _ = hear;
}

/// Restores the terminal from now on when a signal ends the program. The thread that calls this must be
/// the only one.
pub(crate) fn restore_on_signals() {
    #[cfg(unix)]
    if let Ok(found) = tcgetattr(io::stdin()) {
        let signals = SigSet::from_iter([Signal::SIGTERM, Signal::SIGHUP]);
        // Threads that begin later do not hear them either, so that they wait for this one.
        if signals.thread_block().is_err() {
            return;
        }
        RESTORES.store(true, Ordering::Relaxed);
        let found = std::sync::Mutex::new(found);
        std::thread::spawn(move || {
            let Ok(signal) = signals.wait() else { return };
            let _whole = writing::hold();
            if let Ok(found) = found.lock() {
                // A terminal that is gone needs nothing more.
                let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &found);
            }
            // Standard output may be locked for ever.
            let _ = nix::unistd::write(io::stdout(), LEAVE);
            std::process::exit(BY_SIGNAL + signal as i32);
        });
    }
}
