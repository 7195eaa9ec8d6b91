//! Values as the words of a state, and back.

use crate::bytecode::program::NONE;
use crate::bytecode::{lists, sets};
use crate::rules::{Type, Value};

/// Returns the words of a value; for a set or a list its first possible member and their number are given.
/// Nothing for a text, which is no word of a state.
pub(crate) fn to_words(ty: &Type, (low, size): (i64, usize), value: &Value) -> Option<Vec<i64>> {
    Some(match (ty, value) {
        (Type::Set(_), value) => set_words(low, size, value),
        (Type::List(_, most), Value::List(elements)) => {
            lists::words((*most).into(), size, elements.iter().map(|element| element - low))
        }
        (_, Value::Int(number)) => vec![*number],
        (_, Value::None) => vec![NONE],
        (_, Value::Set(_) | Value::List(_) | Value::Text(_)) => return None,
    })
}

/// Returns the value that words of a state stand for; for a set or a list its first possible member
/// and their number are given.
pub(crate) fn from_words(ty: &Type, (low, size): (i64, usize), words: &[i64]) -> Value {
    if let Type::List(..) = ty {
        let elements = lists::elements(words, lists::element_bits(size));
        return Value::List(elements.map(|element| low + element).collect());
    }
    if !matches!(ty, Type::Set(_)) {
        return match words.first() {
            Some(&NONE) | None => Value::None,
            Some(word) => Value::Int(*word),
        };
    }
    Value::Set(
        (low..)
            .zip(0..words.len() * 64)
            .filter(|(_, at)| sets::bit(words, *at))
            .map(|(member, _)| member)
            .collect(),
    )
}

/// Returns a set as words: a bit for each of so many members from the first on.
pub(crate) fn set_words(low: i64, size: usize, value: &Value) -> Vec<i64> {
    let mut words = vec![0_i64; size.div_ceil(64).max(1)];
    for member in value.as_members() {
        // A number outside of its range was reported.
        if let Some(at) = usize::try_from(member - low).ok().filter(|at| *at < size) {
            sets::set_bit(&mut words, at, true);
        }
    }
    words
}
