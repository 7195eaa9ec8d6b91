//! Computes the measures of a game, and finds invariants that do not hold.

use crate::game::{Game, State, Trap};
use crate::vm::compute;

/// A number that is taken when a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub of_player: bool,
}

/// Something that must always hold and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unkept {
    /// Its position in [`Rules::always`](crate::check::rules::Rules::always).
    pub number: usize,
    /// The member for which it does not hold, where it is said of members; or why nobody knows.
    pub member: Result<i64, Trap>,
}

impl Game {
    /// What is measured when a game is over, in the order of the file.
    pub fn measures(&self) -> Vec<Measure<'_>> {
        let measures = self.program().measures.iter();
        measures
            .map(|measure| Measure {
                name: &measure.name,
                title: &measure.title,
                of_player: measure.of_player,
            })
            .collect()
    }

    /// The values of all measures: one, or one for each player. Yes is 1, no is 0.
    /// # Errors
    /// A mistake in the rules that shows while a value is computed.
    pub fn measure_values(&self, state: &State) -> Result<Vec<Vec<i64>>, Trap> {
        let program = self.program();
        let mut scratch = state.clone();
        let mut values = Vec::with_capacity(program.measures.len());
        for measure in &program.measures {
            let players = if measure.of_player { program.players } else { 1 };
            let each =
                (0..players).map(|player| compute(program, &mut scratch, measure.piece, player));
            values.push(each.collect::<Result<Vec<i64>, Trap>>()?);
        }
        Ok(values)
    }

    /// Whether there is anything that must always hold, and is not known to.
    pub fn promises(&self) -> bool {
        !self.program().always.is_empty()
    }

    /// What must always hold and does not hold now.
    pub fn unkept(&self, state: &State) -> Vec<Unkept> {
        if !self.promises() {
            return Vec::new();
        }
        let program = self.program();
        let mut scratch = state.clone();
        let mut unkept = Vec::new();
        for promise in &program.always {
            let value = compute(program, &mut scratch, promise.piece, 0);
            if value != Ok(promise.kept) {
                unkept.push(Unkept { number: promise.number.into(), member: value });
            }
        }
        unkept
    }
}
