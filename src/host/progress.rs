//! Shows the progress of a long computation, and stops it on Ctrl-C. Everywhere else, and where the work
//! does not stop, Ctrl-C ends the program. Here is the clock, for bots that think by it, and for rates.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anstyle::Style;

use crate::host::drawing::line::FAINT;
use crate::host::{exit::Exit, gate, tty, writing};
use crate::progress::Progress;

/// How often the progress is checked, in milliseconds.
const CHECK: u64 = 10;

const SHOW: u64 = 200;

/// How often the line of a thinking program changes, in milliseconds.
const TICK: u64 = 1_000;

/// Does work that shows a line at the terminal, and is stopped by Ctrl-C or after a pause in milliseconds.
pub(crate) fn watch_work<T>(
    progress: &Progress,
    pause: Option<u64>,
    line: impl Fn() -> String + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let watch = |ended: &AtomicBool| {
        let (lively, begun) = (std::io::stderr().is_terminal(), milliseconds());
        let (mut last_shown, mut shown) = (begun, false);
        while !ended.load(Ordering::Relaxed) {
            thread::park_timeout(Duration::from_millis(CHECK));
            let now = milliseconds();
            if WORK.is_stopped() || pause.is_some_and(|pause| now - begun > pause) {
                progress.stop();
            }
            if lively && now - last_shown > SHOW {
                (last_shown, shown) = (now, true);
                // Nobody needs to see how far it is.
                let _ = write!(std::io::stderr(), "\r\x1b[K{}", gate::sanitize_text(&line()));
            }
        }
        if shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    };
    watched(watch, work)
}

/// Does work; a thread beside it is told when it has ended.
pub(crate) fn watched<T>(watch: impl FnOnce(&AtomicBool) + Send, work: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| watch(&ended));
        // The thread also ends if the work panics.
        let _end = End { ended: &ended, watching: watching.thread().clone() };
        work()
    })
}

/// Tells a thread that waits that the work has ended.
struct End<'a> {
    ended: &'a AtomicBool,
    watching: Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watching.unpark();
    }
}

/// Does the work of a program that thinks. The line of the terminal shows, behind the words, for how
/// long it has been thinking, and how many games it has played in its head. Returns how many milliseconds
/// it took; the line stays as it is.
pub(crate) fn ticking(words: &str, coloured: bool, work: impl FnOnce()) -> u64 {
    let (begun, played) = (milliseconds(), WORK.done());
    let show = |ended: &AtomicBool| {
        let mut last = begun;
        while !ended.load(Ordering::Relaxed) {
            thread::park_timeout(Duration::from_millis(CHECK));
            let now = milliseconds();
            if now - last < TICK || ended.load(Ordering::Relaxed) {
                continue;
            }
            last = now;
            let games = match WORK.done() - played {
                0 => String::new(),
                1 => ", 1 game tried".to_owned(),
                games => format!(", {games} games tried"),
            };
            let seconds = (now - begun) / 1000;
            let line = format!("{words} {seconds} s{games} (Ctrl-C stops)");
            let line = gate::sanitize_text(&line);
            let style = if coloured { FAINT } else { Style::new() };
            let line = format!("\r\x1b[K{style}{line}{style:#}");
            // Nobody needs to see how far it is.
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        }
    };
    watched(show, work);
    milliseconds() - begun
}

pub(crate) static WORK: Progress = Progress::new();

static WORKING: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// Begins work that Ctrl-C stops, as a request to end does; the second one ends the program.
pub(crate) fn begin_work() {
    WORK.resume();
    WORKING.store(true, Ordering::Relaxed);
    handle_interrupts();
}

/// Ends the program on Ctrl-C or a request to end from now on, but not in the middle of a file.
pub(crate) fn handle_interrupts() {
    // Where no handler can be set, Ctrl-C ends the program at once. Its thread begins after requests are held back.
    LISTENING.call_once(|| {
        tty::hear_termination(hear);
        drop(ctrlc::set_handler(hear));
    });
}

/// Leaves Ctrl-C to the program around this one.
pub(crate) fn leave_signals() {
    LISTENING.call_once(|| ());
}

pub(crate) fn end_work() -> bool {
    WORKING.store(false, Ordering::Relaxed);
    WORK.is_stopped()
}

fn hear() {
    if !WORKING.load(Ordering::Relaxed) || WORK.is_stopped() {
        let _whole = writing::hold();
        tty::restore();
        std::process::exit(Exit::Interrupted as i32);
    }
    WORK.stop();
}

/// Milliseconds since the first call.
pub(crate) fn milliseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(now).elapsed();
    u64::try_from(elapsed.as_millis()).expect("no program runs for so many years")
}

/// The day in Greenwich: `2026-11-23`.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let days = i64::try_from(since.as_secs() / 86_400).expect("days are few");
    let (year, month, day) = date(days);
    format!("{year}-{month:02}-{day:02}")
}

/// The date so many days after 1 January 1970 (Hinnant, "chrono-compatible low-level date
/// algorithms": years begin in March, so that leap days end them).
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock lives here; what depends on it says so on the command line"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::{date, watch_work};
    use crate::progress::Progress;

    #[test]
    fn a_pause_stops_the_work() {
        let progress = Progress::new();
        let steps = watch_work(&progress, Some(1), String::new, || {
            while !progress.is_stopped() {
                progress.advance(1);
            }
            progress.done()
        });
        assert!(steps > 0 && progress.is_stopped());
    }

    #[test]
    fn days_have_their_dates() {
        let known = [(0, (1970, 1, 1)), (59, (1970, 3, 1)), (19_782, (2024, 2, 29))];
        for (days, known) in known {
            assert_eq!(date(days), known);
        }
    }

    #[test]
    #[should_panic(expected = "broken")]
    fn work_that_panics_ends_the_watching() {
        let progress = Progress::new();
        watch_work(&progress, None, String::new, || panic!("broken"));
    }
}
