//! Types expressions: each kind of expression to its file.

pub(crate) mod types;
pub(crate) mod cards;
pub(crate) mod declare;
pub(crate) mod fit;
pub(crate) mod hints;
pub(crate) mod histories;
pub(crate) mod lookup;
pub(crate) mod narrow;
pub(crate) mod operators;
pub(crate) mod paths;
pub(crate) mod scope;
pub(crate) mod unresolved;
