//! `StepDriver`: hears what is said in a game that is played step by step.

use crate::game::{MAX_SAID, Player, Said};
use crate::vm::Driver;

/// The driver of a game that is played step by step: it hears everything and answers nothing.
pub(crate) struct StepDriver {
    pub(crate) said: Vec<Said>,
    /// How many more bytes are heard.
    pub(super) left: usize,
    /// The operation that ended the game.
    pub(super) ended_at: Option<usize>,
    pub(super) marks: Vec<bool>,
}

impl Default for StepDriver {
    fn default() -> StepDriver {
        StepDriver { said: Vec::new(), left: MAX_SAID, ended_at: None, marks: Vec::new() }
    }
}

impl Driver for StepDriver {
    fn wants_speech(&self) -> bool {
        self.left > 0
    }

    fn on_end(&mut self, operation: usize) {
        self.ended_at = Some(operation);
    }

    fn op_marks(&mut self) -> Option<&mut Vec<bool>> {
        (!self.marks.is_empty()).then_some(&mut self.marks)
    }

    fn hear(&mut self, to: Option<u8>, text: &str) {
        // A line takes room even if it is empty.
        self.left = self.left.saturating_sub(text.len() + 1);
        self.said.push(Said { to: to.map(Player), text: text.to_owned(), declines: false });
    }

    fn hear_declining(&mut self, text: &str) {
        self.hear(None, text);
        self.said.iter_mut().last().expect("it was just heard").declines = true;
    }
}
