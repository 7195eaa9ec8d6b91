//! What is reported where the engine plays a game wrongly.

use super::Disagreement;
use crate::diagnostic::{Diagnostic, diagnostics};

diagnostics! {
    engine::disagrees => differs(step, what, help;),
        "astragal plays this game wrongly: {what} at step {step}", help: help;
}

/// The report of a disagreement, with the command that shows it again.
pub fn disagrees(found: &Disagreement, command: &str) -> Diagnostic {
    let Disagreement { step, what, engine, reference, .. } = found;
    let help = format!(
        "by the rules: {reference}\nas it is played: {engine}\nthis is a fault of astragal, not of your file: please \
         send us the file and this command: {command}"
    );
    differs(step, what, help)
}
