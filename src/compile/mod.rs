//! Compiles checked rules for one number of players and one setting of the options.
//!
//! It fails only where a setting makes a constant impossible or the game too large.

mod code;
mod compiled;
mod emit;
mod error;
mod frames;
mod link;
mod passes;
mod plan;
mod scope;

use std::cell::Cell;

use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::eval::{Constants, Evaluator};
pub use crate::eval::{MAX_STEPS, Specialisation};
pub use crate::rules::value_text;
use crate::rules::{Expr, Rules, Value};
use crate::source::Sources;
pub(crate) use compiled::{Compiled, SiteDebug, Snippet, Storage};
use emit::Emitter;
use link::Linker;
pub use passes::{Pass, Passes};
use plan::planner::make_plan;
pub(crate) use plan::rule_analysis::RuleAnalysis;

impl RuleAnalysis {
    /// Makes the program of a game.
    ///
    /// # Errors
    /// All constants that have no value under this setting, or what makes the game too large.
    pub(crate) fn compile(
        &self,
        setting: &Specialisation,
        sources: &Sources,
        budget: &Budget,
    ) -> Result<Compiled, Diagnostics> {
        compile_with_pieces(self, (setting, sources, budget), &[])
    }
}

/// Plans, emits and links a game, then the pieces added to it.
fn compile_with_pieces(
    prepared: &RuleAnalysis,
    (setting, sources, budget): (&Specialisation, &Sources, &Budget),
    pieces: &[Snippet],
) -> Result<Compiled, Diagnostics> {
    let (plan, code) = make_plan(prepared, budget, setting, sources);
    let mut emitter = Emitter::new(&plan, code);
    emitter.emit_game();
    let mut bases = Vec::new();
    for piece in pieces {
        bases.push(emitter.frames.functions.len());
        emitter.emit_snippet(piece);
    }
    let Emitter { code, frames, histories, piece, .. } = emitter;
    let linker = Linker { plan: &plan, code, functions: frames.functions, histories, piece };
    linker.link_program(&bases)
}

/// Makes the program of a game under one setting.
///
/// # Errors
/// All constants that have no value under this setting, or what makes the game too large.
pub fn compile(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
) -> Result<Compiled, Diagnostics> {
    compile_without(rules, setting, sources, Passes::default())
}

/// The same game, compiled without some passes.
///
/// # Errors
/// As [`compile`]: what the passes make shorter may be too large without them.
pub(crate) fn compile_without(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
    off: Passes,
) -> Result<Compiled, Diagnostics> {
    RuleAnalysis::without(rules, off).compile(setting, sources, &Budget::default())
}

/// Makes the program of a game with pieces added, each after everything before it: states of the
/// game, or of the game with the first pieces, are states of it once they are grown. The last site
/// is where the last piece begins. The passes that are off must be those of the game.
///
/// # Errors
/// As [`compile`].
pub(crate) fn extend(
    rules: &Rules,
    setting: &Specialisation,
    sources: &Sources,
    pieces: &[Snippet],
    off: Passes,
) -> Result<Compiled, Diagnostics> {
    let prepared = RuleAnalysis::without(rules, off);
    let budget = Budget::default();
    compile_with_pieces(&prepared, (setting, sources, &budget), pieces)
}

/// The value of a constant expression, if it has one. The setting may lack options that come later.
pub(crate) fn constant(rules: &Rules, setting: &Specialisation, expr: &Expr) -> Option<Value> {
    Foreknown::new(rules, setting.clone(), MAX_STEPS).value(expr)
}

/// What is known before play under one setting, computed in so many steps altogether.
pub(crate) struct Foreknown<'a> {
    rules: &'a Rules,
    setting: Specialisation,
    ranges: Vec<(i64, Option<i64>)>,
    constants: Constants,
    left: Cell<usize>,
}

impl<'a> Foreknown<'a> {
    pub(crate) fn new(rules: &'a Rules, setting: Specialisation, steps: usize) -> Foreknown<'a> {
        let left = Cell::new(steps.saturating_sub(setting.options.len()));
        let constants = Constants::default();
        let mut known = Foreknown { rules, setting, ranges: Vec::new(), constants, left };
        for range in &rules.ranges {
            let ends = (known.value(&range.low), range.high.as_ref().map(|high| known.value(high)));
            known.ranges.push(match ends {
                (Some(Value::Int(low)), None) => (low, None),
                (Some(Value::Int(low)), Some(Some(Value::Int(high)))) => (low, Some(high)),
                _ => UNKNOWN_RANGE,
            });
        }
        known
    }

    pub(crate) fn left(&self) -> usize {
        self.left.get()
    }

    pub(crate) fn value(&self, expr: &Expr) -> Option<Value> {
        let (ranges, constants) = (&self.ranges, &self.constants);
        Evaluator::new(self.rules, &self.setting, ranges, &(), &self.left, constants)
            .value(expr)
            .ok()
    }
}

/// A range whose ends are not known yet: too long to have members.
const UNKNOWN_RANGE: (i64, Option<i64>) = (i64::MIN, Some(i64::MAX));
