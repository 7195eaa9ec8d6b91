//! Types statements.

pub(crate) mod rules;
