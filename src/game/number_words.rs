//! The numbers of moves in words, and back.

use crate::bytecode::{ArgumentInfo, Manner, OptionInfo, ValueShape};
use crate::error::Error;
use crate::game::numbering::ActionMeaning;
use crate::game::{Game, Position, labels};
use crate::vm::text_on;

impl Game {
    /// A number in words, which need no position: the name of the move and its arguments, or of a step the name and
    /// what it adds. Nothing where no move has the number.
    pub fn number_label(&self, number: u32) -> Option<String> {
        let (table, program) = (self.action_table().ok()?, self.program());
        let words = |shape: &ValueShape, words: &[i64]| {
            self.format_words(words, shape.clone(), Manner::Argument)
        };
        Some(match table.meaning(program, number)? {
            ActionMeaning::Whole(option, values) => self.whole_label(option, &values),
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

    /// A move in words without a position: as players type it, where they type all that tells it apart.
    fn whole_label(&self, option: &OptionInfo, values: &[Vec<i64>]) -> String {
        let given = option.arguments.iter().zip(values);
        if let Some(template) = option.template
            && option.arguments.iter().any(|argument| !argument.alike.is_empty())
        {
            let mut state = self.initial_state();
            for (argument, words) in given {
                let slots = usize::from(argument.slot)..;
                slots.zip(words).for_each(|(slot, word)| state.set_word(slot, *word));
            }
            let label = text_on(self.program(), &mut state, template, self.names());
            return label.unwrap_or_else(|_| option.name.clone());
        }
        let words = given.map(|(argument, words)| {
            (argument, self.format_words(words, argument.shape.clone(), Manner::Argument))
        });
        let slots = |it: &ArgumentInfo| (it.slot, it.width);
        if option.arguments.iter().map(slots).eq(option.shown.iter().map(|it| (it.slot, it.width)))
        {
            return labels::join_arguments(&option.name, words.map(|(_, words)| words).collect());
        }
        let words = words.map(|(argument, words)| {
            format!("{} {}", argument.name, words.as_deref().unwrap_or("none"))
        });
        format!("{}({})", option.name, words.collect::<Vec<_>>().join(", "))
    }

    /// The numbers of a legal move with these words, as players type them: one, or those of its steps.
    ///
    /// # Errors
    /// If no legal move has these words.
    pub fn numbers_of_label(&self, position: &Position, label: &str) -> Result<Vec<u32>, Error> {
        let table = self.action_table()?;
        let index = self.find_label(position.state(), position.legal(), label)?;
        Ok(self.numbers_at(table, position, index))
    }
}
