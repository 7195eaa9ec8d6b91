//! How long a bot may think.

use crate::progress::{Progress, UNWATCHED};

/// Returns milliseconds since some moment. The clock belongs to whoever seats the bots.
pub type Clock = fn() -> u64;

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
pub enum Budget {
    /// So many playouts: the same move on every machine.
    Iterations(u32),
    /// So many milliseconds: as many playouts as the machine manages.
    Milliseconds(u64),
}

impl Budget {
    /// Returns the budget that words of the command line mean: `1000`, `200ms`, `2s`.
    pub(super) fn parse(words: &str) -> Option<Budget> {
        let budget = if let Some(number) = words.strip_suffix("ms") {
            Budget::Milliseconds(number.parse().ok()?)
        } else if let Some(number) = words.strip_suffix('s') {
            Budget::Milliseconds(number.parse::<u64>().ok()?.checked_mul(1000)?)
        } else {
            Budget::Iterations(words.parse().ok()?)
        };
        (!matches!(budget, Budget::Iterations(0) | Budget::Milliseconds(0))).then_some(budget)
    }

    /// Returns the words of the command line that mean it.
    pub(super) fn words(self) -> String {
        match self {
            Budget::Iterations(number) => number.to_string(),
            Budget::Milliseconds(number) => format!("{number}ms"),
        }
    }

    pub(super) fn spend(self, control: Control) -> Spending {
        let until = match self {
            Budget::Iterations(_) => 0,
            Budget::Milliseconds(length) => (control.clock)().saturating_add(length),
        };
        Spending { budget: self, control, until, spent: 0 }
    }
}

/// A budget that is being spent.
#[derive(Debug)]
pub(super) struct Spending {
    budget: Budget,
    control: Control,
    until: u64,
    spent: u32,
}

impl Spending {
    /// Whether there is another iteration; the first one there always is.
    pub(super) fn goes_on(&mut self) -> bool {
        let goes_on = match self.budget {
            _ if self.spent == 0 => true,
            _ if self.control.progress.is_stopped() => false,
            Budget::Iterations(number) => self.spent < number,
            Budget::Milliseconds(_) => (self.control.clock)() < self.until,
        };
        self.spent = self.spent.saturating_add(1);
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Control};
    use crate::progress::Progress;

    fn iterations(budget: Budget, control: Control) -> usize {
        let mut spending = budget.spend(control);
        std::iter::from_fn(|| spending.goes_on().then_some(())).take(10).count()
    }

    #[test]
    fn a_stopped_bot_has_thought_once() {
        static STOPPED: Progress = Progress::new();
        STOPPED.stop();
        let stopped = Control { clock: || 0, progress: &STOPPED };
        for budget in [Budget::Iterations(u32::MAX), Budget::Milliseconds(u64::MAX)] {
            assert_eq!(iterations(budget, stopped), 1);
        }
        assert_eq!(iterations(Budget::Iterations(3), Control::timed(|| 0)), 3);
    }
}
