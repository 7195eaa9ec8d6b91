//! What a fold goes over before play, one member after the other.

use crate::check::rules::Value;

/// The members that are gone over; subsets are made when their turn comes, as most folds end early.
pub(super) enum Members {
    /// Each member of a set.
    Single(Vec<i64>),
    /// Each set of these.
    SubsetsOf(Vec<i64>),
}

impl Members {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Members::Single(members) => members.len(),
            Members::SubsetsOf(of) => 1 << of.len(),
        }
    }

    /// The member at a place below [`Members::len`], and its value.
    pub(super) fn at(&self, place: usize) -> (i64, Value) {
        match self {
            Members::Single(members) => (members[place], Value::Int(members[place])),
            Members::SubsetsOf(of) => {
                let digits = of.iter().enumerate().filter(|(digit, _)| place >> digit & 1 == 1);
                let number = i64::try_from(place).expect("sets of few members have few subsets");
                (number, Value::Set(digits.map(|(_, member)| *member).collect()))
            }
        }
    }
}
