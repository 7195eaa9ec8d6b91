//! What players may like to know about a move beside its words.

use super::{Game, LegalMoves, State, bind};
use crate::bytecode::program::{Shape, Shown};
use crate::check::rules::{Type, Value};

/// The column in which members say what they do.
const TEXT: &str = "text";

impl Game {
    /// What the members that a legal move names say of themselves, in their column `text`; nothing
    /// where none of them says anything.
    pub fn remark(&self, state: &State, turn: &LegalMoves, index: usize) -> Option<String> {
        let mut words = state.clone();
        let option = bind(self.program(), &mut words, turn, index);
        let shown = self.program().options[usize::from(option)].shown.iter();
        let texts: Vec<&str> = shown.filter_map(|shown| self.text_of(&words, *shown)).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    fn text_of(&self, state: &State, shown: Shown) -> Option<&str> {
        let Shape::Member(kind) = self.program().formats[usize::from(shown.format)].shape else {
            return None;
        };
        if usize::from(shown.slot) >= self.program().slots {
            return None;
        }
        let member = usize::try_from(state.word(shown.slot.into())).ok()?;
        let kind = self.rules().kinds.get(usize::from(kind))?;
        let texts = |name: &str, ty: &Type| name == TEXT && *ty == Type::Text;
        let column = kind.named_columns().find(|column| texts(&column.name, &column.ty))?;
        match column.cells.get(member)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
