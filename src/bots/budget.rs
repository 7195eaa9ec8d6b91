//! Limits the thinking of a bot, in playouts or time, and stops it.

use crate::progress::{Progress, UNWATCHED};

/// Returns milliseconds since some moment.
pub(crate) type Clock = fn() -> u64;

/// The clock and the stop signal that limit a bot. The caller that seats the bot supplies them.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    pub clock: Clock,
    /// Whether to stop thinking: the bot then moves by what it knows so far.
    pub progress: &'static Progress,
}

impl Control {
    /// Returns a control that never stops a bot before its budget is spent.
    pub fn timed(clock: Clock) -> Control {
        Control { clock, progress: &UNWATCHED }
    }
}

/// How long a bot may think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotBudget {
    /// So many playouts: the same move on every machine.
    Iterations(u32),
    /// So many milliseconds: as many playouts as the machine manages.
    Milliseconds(u64),
}

impl BotBudget {
    /// Returns the budget that words of the command line mean: `1000`, `200ms`, `2s`.
    pub(super) fn from_words(words: &str) -> Option<BotBudget> {
        let budget = if let Some(number) = words.strip_suffix("ms") {
            BotBudget::Milliseconds(number.parse().ok()?)
        } else if let Some(number) = words.strip_suffix('s') {
            BotBudget::Milliseconds(number.parse::<u64>().ok()?.checked_mul(1000)?)
        } else {
            BotBudget::Iterations(words.parse().ok()?)
        };
        (!matches!(budget, BotBudget::Iterations(0) | BotBudget::Milliseconds(0))).then_some(budget)
    }

    /// Returns the words of the command line that mean it.
    pub(super) fn words(self) -> String {
        match self {
            BotBudget::Iterations(number) => number.to_string(),
            BotBudget::Milliseconds(number) => format!("{number}ms"),
        }
    }

    /// The iterations until the budget is spent; there is always a first one.
    pub fn iterations(self, control: Control) -> impl Iterator<Item = u32> {
        let until = match self {
            BotBudget::Iterations(_) => 0,
            BotBudget::Milliseconds(length) => (control.clock)().saturating_add(length),
        };
        // Many threads that nobody watches would only wait for each other here.
        let is_watched = !std::ptr::eq(control.progress, &raw const UNWATCHED);
        (0..=u32::MAX)
            .take_while(move |spent| match self {
                _ if *spent == 0 => true,
                _ if control.progress.is_stopped() => false,
                BotBudget::Iterations(number) => *spent < number,
                BotBudget::Milliseconds(_) => (control.clock)() < until,
            })
            .inspect(move |_| {
                if is_watched {
                    control.progress.advance(1);
                }
            })
    }
}
