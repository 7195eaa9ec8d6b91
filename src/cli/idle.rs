//! Waiting at the prompt until somebody types or a file changes.

use std::io;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    Key,
    Change,
}

/// Waits behind a prompt; `changed` is asked several times a second.
#[cfg(unix)]
pub(super) fn wait(mut changed: impl FnMut() -> bool) -> io::Result<Woken> {
    use std::os::fd::AsFd as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};

    /// How long it may take until a change is seen, in milliseconds.
    const PAUSE: u8 = 250;

    let stdin = io::stdin();
    let found = tcgetattr(&stdin)?;
    let mut quiet = found.clone();
    // A key counts at once, Ctrl-C too, and whoever reads it shows it.
    quiet.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
    tcsetattr(&stdin, SetArg::TCSANOW, &quiet)?;
    let woken = loop {
        let keys = &mut [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(keys, PollTimeout::from(PAUSE)) {
            // A window that changes its size interrupts.
            Ok(0) | Err(nix::errno::Errno::EINTR) if changed() => break Woken::Change,
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            _ => break Woken::Key,
        }
    };
    tcsetattr(&stdin, SetArg::TCSANOW, &found)?;
    Ok(woken)
}

#[cfg(not(unix))]
pub(super) fn wait(_: impl FnMut() -> bool) -> io::Result<Woken> {
    Ok(Woken::Key)
}
