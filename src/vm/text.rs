//! Values as text.

use std::fmt::Write;

use crate::bytecode::Program;
use crate::bytecode::program::{Format, NONE, Shape};
use crate::vm::sets;

/// Appends a value, one word or the words of a set, to a text.
pub(super) fn print(
    out: &mut String,
    program: &Program,
    names: &[String],
    words: &[i64],
    format: &Format,
) {
    let one = words.first().copied().unwrap_or(NONE);
    if one == NONE && !is_set(&format.shape) {
        out.push_str("none");
        return;
    }
    match &format.shape {
        Shape::Number => {
            let _ = write!(out, "{one}");
        }
        Shape::Bool => out.push_str(if one == 0 { "no" } else { "yes" }),
        Shape::Text => out.push_str(at(&program.texts, one).map_or("", String::as_str)),
        Shape::Member(kind) => out.push_str(&member(program, names, *kind, one, format.typed)),
        Shape::Members(_) | Shape::Numbers(_) => {
            print_set(out, program, names, words, format);
        }
    }
}

fn is_set(shape: &Shape) -> bool {
    matches!(shape, Shape::Members(_) | Shape::Numbers(_))
}

fn at<T>(list: &[T], index: i64) -> Option<&T> {
    list.get(usize::try_from(index).ok()?)
}

/// The name or the title of a member; players have the names that they play under.
fn member(program: &Program, names: &[String], kind: u16, index: i64, typed: bool) -> String {
    if kind == 0 {
        return at(names, index).cloned().unwrap_or_default();
    }
    let members = &program.kinds[usize::from(kind)].members;
    let Some((name, title)) = at(members, index) else { return String::new() };
    if typed { name.clone() } else { title.clone() }
}

/// A set is its members between commas; a typed one stands in braces.
fn print_set(
    out: &mut String,
    program: &Program,
    names: &[String],
    words: &[i64],
    format: &Format,
) {
    let mut parts = Vec::new();
    let mut nth = 0;
    while let Some(index) = sets::nth(words, nth) {
        parts.push(match format.shape {
            Shape::Members(kind) => member(program, names, kind, index, format.typed),
            Shape::Numbers(low) => (low + index).to_string(),
            _ => String::new(),
        });
        nth += 1;
    }
    let list = parts.join(", ");
    match (format.typed, parts.is_empty()) {
        (true, _) => {
            let _ = write!(out, "{{{list}}}");
        }
        (false, true) => out.push_str("nothing"),
        (false, false) => out.push_str(&list),
    }
}
