//! Counts at how many decisions lines of strategies met an error.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::snippet::LineError;

/// The errors that lines met, by where the lines begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineErrors(BTreeMap<u32, CountedError>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CountedError {
    /// The first error of the line, in the playout of the lowest number.
    pub(crate) error: LineError,
    pub(crate) playout: u64,
    /// At how many decisions the line met an error, this one or another.
    pub(crate) decisions: u64,
}

impl LineErrors {
    /// Counts the errors of a decision in a playout.
    pub(crate) fn count(&mut self, errors: &[LineError], playout: u64) {
        for error in errors {
            let counted = CountedError { error: error.clone(), playout, decisions: 1 };
            self.add(&counted);
        }
    }

    pub(crate) fn merge(&mut self, other: &LineErrors) {
        other.all().for_each(|it| self.add(it));
    }

    fn add(&mut self, counted: &CountedError) {
        let line = counted.error.line.start;
        let Some(own) = self.0.get_mut(&line) else {
            self.0.insert(line, counted.clone());
            return;
        };
        own.decisions += counted.decisions;
        if counted.playout < own.playout {
            (own.error, own.playout) = (counted.error.clone(), counted.playout);
        }
    }

    /// All of them, in the order of the file.
    pub(crate) fn all(&self) -> impl Iterator<Item = &CountedError> {
        self.0.values()
    }
}
