//! Types expressions: each kind of expression to its file.

pub(crate) mod types;
