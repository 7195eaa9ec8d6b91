//! The finding that the engine plays a game wrongly.

use crate::compile::Pass;
use crate::diagnostic::{Diagnostic, diagnostics};
use crate::lockstep::Disagreement;

diagnostics! {
    engine::disagrees => differs(step, what, help;),
        "astragal plays this game wrongly: {what} at step {step}", help: help;
}

/// The report of a disagreement, with the pass without which there is none, and the command that shows it again.
pub fn disagrees(found: &Disagreement, without: Option<Pass>, command: &str) -> Diagnostic {
    let Disagreement { step, what, engine, reference, .. } = found;
    let without = without.map(|pass| {
        format!("\nwithout the pass `{}` of the compiler both are the same", pass.name())
    });
    let help = format!(
        "by the rules: {reference}\nas it is played: {engine}{}\nthis is a fault of astragal, not of your file: please \
         send us the file and this command: {command}",
        without.unwrap_or_default()
    );
    differs(step, what, help)
}
