//! Limits the number, size and work of a browser's requests.

use std::time::Duration;

use crate::host::progress::milliseconds;

/// Longer messages are refused.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// The head of a request has at most so many bytes.
pub(super) const MOST_HEAD: usize = 16 << 10;

/// So many connections may fetch the page or ask for a socket at the same time.
pub(super) const MOST_CONNECTIONS: usize = 128;

/// So many sockets may be open that have not said which seat is theirs.
pub(super) const MOST_STRANGERS: usize = 32;

/// So many pages may be open at one seat: a phone, a laptop, a page that was forgotten.
pub(super) const MOST_PAGES: usize = 4;

/// So many pages may be in the room without a seat, and so many may watch.
pub(super) const MOST_GUESTS: usize = 32;

/// So long an answer takes to a word that opens no table.
pub(super) const GUESS: Duration = Duration::from_secs(1);

/// So many requests wait for the table.
pub(super) const MOST_REQUESTS: usize = 64;

/// So many messages wait for a page that reads slowly.
pub(super) const MOST_WAITING: usize = 32;

/// A request has to be read and answered within this time.
pub(super) const REQUEST: Duration = Duration::from_secs(30);

/// The head of a request has to come within this time.
pub(super) const HEAD: Duration = Duration::from_secs(5);

/// A socket has to say within this time which seat is its own.
pub(super) const SIT: Duration = Duration::from_secs(5);

/// A page has to take a message within this time.
pub(super) const SEND: Duration = Duration::from_secs(10);

/// Where there is a clock, it is read each time after so long.
pub(super) const TICK: Duration = Duration::from_millis(250);

/// A page is asked whether it is there, each time after so long.
pub(super) const PING: Duration = Duration::from_secs(20);

/// A page that says nothing for this time, not even that it is there, is gone.
pub(super) const SILENCE: Duration = Duration::from_mins(1);

/// So many messages may come at once, and then one in each pause.
const BURST: u64 = 100;
const PAUSE: u64 = 20;

/// Counts the messages of one page.
#[derive(Debug)]
pub(super) struct Rate {
    /// The moment at which all that was said is paid for.
    paid: u64,
}

impl Rate {
    pub(super) fn new() -> Rate {
        Rate { paid: milliseconds() }
    }

    /// Whether one more message is not too many.
    pub(super) fn allows_one(&mut self) -> bool {
        self.allows_at(milliseconds())
    }

    fn allows_at(&mut self, now: u64) -> bool {
        self.paid = self.paid.max(now) + PAUSE;
        self.paid <= now + BURST * PAUSE
    }
}

#[cfg(test)]
mod tests {
    use super::{BURST, PAUSE, Rate};

    #[test]
    fn bursts_are_allowed_and_floods_are_not() {
        let mut rate = Rate { paid: 0 };
        assert!((0..BURST).all(|_| rate.allows_at(5)));
        assert!(!rate.allows_at(5));
        let mut rate = Rate { paid: 0 };
        assert!((1..500).all(|step| rate.allows_at(step * PAUSE)), "a steady pace is fine");
    }
}
