//! Checks dice that were set: whether they show a face that they have.

use crate::bytecode::program::{Format, Manner, NONE};
use crate::check::rules::{Faces, Value, VarForm};
use crate::game::{Game, State};
use crate::vm::print_as;

/// The first die that a change made show what no roll could: its name, that value, and its faces.
/// The range of a die whose faces are a range is enforced anyway.
pub(super) fn no_face(
    game: &Game,
    before: &State,
    after: &State,
) -> Option<(String, String, String)> {
    let players = game.names().len();
    for (var, info) in game.rules().vars.iter().zip(&game.program().vars) {
        let VarForm::Die(Faces::List(faces)) = &var.form else { continue };
        let words: Vec<i64> = faces.iter().filter_map(word).collect();
        let owners = if info.of_player { players } else { 1 };
        let changed = (0..owners * info.count()).find_map(|element| {
            let [old, new] = [before, after]
                .map(|state| info.element(players, element, |slot| state.word(slot)));
            (old != new && !words.contains(&new[0])).then_some(new[0])
        });
        if let Some(shown) = changed {
            let format = Format { manner: Manner::Typed, ..info.format.clone() };
            let print = |word: i64| print_as(game.program(), game.names(), &[word], &format);
            let mut faces: Vec<String> = Vec::new();
            for face in words.into_iter().map(print) {
                if !faces.contains(&face) {
                    faces.push(face);
                }
            }
            return Some((var.name.clone(), print(shown), faces.join(", ")));
        }
    }
    None
}

/// The word of a face; the faces of a die are numbers, members, yes, no or none.
fn word(face: &Value) -> Option<i64> {
    match face {
        Value::Int(word) => Some(*word),
        Value::None => Some(NONE),
        Value::Set(_) | Value::Text(_) => None,
    }
}
