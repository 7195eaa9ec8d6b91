//! `Wording`: moves, their arguments and values in words.

use crate::bytecode::program::{ArgumentInfo, Manner, NONE, OptionInfo, Shown, ValueShape};
use crate::bytecode::{Format, Program};
use crate::game::{LegalMoves, State};
use crate::vm::{print_as, run_text};

/// What words are made of: the program, and what the players are called.
#[derive(Clone, Copy)]
pub(super) struct Wording<'g> {
    pub(super) program: &'g Program,
    pub(super) names: &'g [String],
}

impl Wording<'_> {
    /// The words of a move, whose values are written into the state, and what they are computed from.
    pub(super) fn label(self, words: &mut State, legal: &LegalMoves, index: usize) -> String {
        let program = self.program;
        let option = bind_move(program, words, legal, index);
        let info = &program.options[usize::from(option)];
        if let Some(template) = info.template {
            let label = run_text(program, words, template, self.names);
            return label.unwrap_or_else(|_| info.name.clone());
        }
        self.whole_move(words, option, Manner::Argument)
    }

    /// The name of an option and its arguments; those at the end that are none are left out.
    pub(super) fn whole_move(self, words: &State, option: u16, manner: Manner) -> String {
        let info = &self.program.options[usize::from(option)];
        let arguments = info.shown.iter().map(|shown| self.argument(words, *shown, manner));
        join_arguments(&info.name, arguments.collect())
    }

    /// A move in words without a position: as players type it, where they type all that tells it apart.
    pub(super) fn unplaced_move(self, option: &OptionInfo, values: &[Vec<i64>]) -> String {
        let given = option.arguments.iter().zip(values);
        if let Some(template) = option.template
            && option.arguments.iter().any(|argument| !argument.alike.is_empty())
        {
            let mut state = State::new(self.program);
            for (argument, words) in given {
                let slots = usize::from(argument.slot)..;
                slots.zip(words).for_each(|(slot, word)| state.set_word(slot, *word));
            }
            let label = run_text(self.program, &mut state, template, self.names);
            return label.unwrap_or_else(|_| option.name.clone());
        }
        let words = given.map(|(argument, words)| {
            (argument, self.value(words, argument.shape.clone(), Manner::Argument))
        });
        let slots = |it: &ArgumentInfo| (it.slot, it.width);
        if option.arguments.iter().map(slots).eq(option.shown.iter().map(|it| (it.slot, it.width)))
        {
            return join_arguments(&option.name, words.map(|(_, words)| words).collect());
        }
        let words = words.map(|(argument, words)| {
            format!("{} {}", argument.name, words.as_deref().unwrap_or("none"))
        });
        format!("{}({})", option.name, words.collect::<Vec<_>>().join(", "))
    }

    /// An argument of a move in words; nothing if it is none.
    pub(super) fn argument(self, state: &State, shown: Shown, manner: Manner) -> Option<String> {
        let words = state.slice(shown.slot.into(), shown.width.into());
        let shape = self.program.formats[usize::from(shown.format)].shape.clone();
        self.value(words, shape, manner)
    }

    /// The arguments of a move in words, each of them.
    pub(super) fn all_arguments(self, words: &State, option: u16) -> Vec<String> {
        let shown = self.program.options[usize::from(option)].shown.iter();
        let argument = |shown: &Shown| self.argument(words, *shown, Manner::Argument);
        shown.map(|it| argument(it).unwrap_or_else(|| "none".to_owned())).collect()
    }

    /// A value in words; nothing if it is none.
    pub(super) fn value(self, words: &[i64], shape: ValueShape, manner: Manner) -> Option<String> {
        let given = shape.is_set() || words != [NONE];
        given.then(|| print_as(self.program, self.names, words, &Format { shape, manner }))
    }
}

/// The name of a move and its arguments; those at the end that are none are left out.
pub(super) fn join_arguments(name: &str, mut arguments: Vec<Option<String>>) -> String {
    let given = arguments.iter().rposition(Option::is_some);
    arguments.truncate(given.map_or(0, |last| last + 1));
    let mut form = name.to_owned();
    for argument in arguments {
        form.push(' ');
        form.push_str(argument.as_deref().unwrap_or("none"));
    }
    form
}

pub(super) fn bind_move(
    program: &Program,
    state: &mut State,
    legal: &LegalMoves,
    index: usize,
) -> u16 {
    let mut filled = Vec::new();
    let option = legal.offers.bind(program, index, |slot, word| filled.push((slot, word)));
    filled.into_iter().for_each(|(slot, word)| state.set_word(slot.into(), word));
    option
}
