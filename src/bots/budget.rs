//! How long a bot may think.

/// Returns milliseconds since some moment. The clock belongs to whoever seats the bots.
pub type Clock = fn() -> u64;

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

    /// Begins to spend it.
    pub(super) fn spend(self, clock: Clock) -> Spending {
        let until = match self {
            Budget::Iterations(_) => 0,
            Budget::Milliseconds(length) => clock().saturating_add(length),
        };
        Spending { budget: self, clock, until, spent: 0 }
    }
}

/// A budget that is being spent.
#[derive(Debug)]
pub(super) struct Spending {
    budget: Budget,
    clock: Clock,
    until: u64,
    spent: u32,
}

impl Spending {
    /// Whether there is another iteration; the first one there always is.
    pub(super) fn goes_on(&mut self) -> bool {
        let goes_on = match self.budget {
            Budget::Iterations(number) => self.spent < number,
            Budget::Milliseconds(_) => self.spent == 0 || (self.clock)() < self.until,
        };
        self.spent = self.spent.saturating_add(1);
        goes_on
    }
}
