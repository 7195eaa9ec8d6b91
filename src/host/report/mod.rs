//! Reports of simulations: sentences, tables, CSV, JSON and pages of the same results.

mod answers;
mod move_choices;
mod compare;
pub(crate) mod game_records;
pub(crate) mod html_report;
pub(crate) mod output_formats;
pub(crate) mod results;
pub(crate) mod rows;
pub(crate) mod skill;

pub(crate) use answers::answers;
pub(crate) use compare::compare_with_baseline;
