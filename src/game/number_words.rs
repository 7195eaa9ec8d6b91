//! The numbers of moves in words, and back.

use crate::bytecode::{Manner, ValueShape};
use crate::error::Error;
use crate::game::numbering::ActionMeaning;
use crate::game::{Game, Position};

impl Game {
    /// A number in words, which need no position: the name of the move and its arguments, or of a step the name and
    /// what it adds. Nothing where no move has the number.
    pub fn number_label(&self, number: u32) -> Option<String> {
        let (table, program) = (self.action_table().ok()?, self.program());
        let words = |shape: &ValueShape, words: &[i64]| {
            self.wording().value(words, shape.clone(), Manner::Argument)
        };
        Some(match table.meaning(program, number)? {
            ActionMeaning::Whole(option, values) => self.wording().unplaced_move(option, &values),
            ActionMeaning::Step(option, shape, Some(value)) => {
                let word = words(&shape, &[value]);
                format!("{} {}", option.name, word.as_deref().unwrap_or("none"))
            }
            ActionMeaning::Step(option, _, None) => format!("{} done", option.name),
            ActionMeaning::Digit(option, digit, power) => {
                format!("{} {digit} x 1024^{power}", option.name)
            }
        })
    }

    /// A number in the words of the legal move that it makes; else as [`Game::number_label`] has it.
    pub fn label_at(&self, position: &Position, number: u32) -> Option<String> {
        match self.find_number(position, number) {
            Ok(Some(index)) if position.steps().is_empty() => {
                Some(self.label_move(position.state(), position.legal(), index))
            }
            _ => self.number_label(number),
        }
    }

    /// The numbers of a legal move with these words, as players type them: one, or those of its steps.
    ///
    /// # Errors
    /// If no legal move has these words.
    pub fn numbers_of_label(&self, position: &Position, label: &str) -> Result<Vec<u32>, Error> {
        let table = self.action_table()?;
        let index = self.find_label(position.state(), position.legal(), label)?;
        Ok(position.numbers_at(table, self.program(), index))
    }
}
