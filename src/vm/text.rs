//! Values as text.

use std::fmt::Write;

use crate::bytecode::{Format, Manner, NONE, PileInfo, Program, ValueShape, lists};
use crate::vm;

/// Appends a value, one word or the words of a set, to a text.
pub(super) fn print(
    out: &mut String,
    program: &Program,
    names: &[String],
    words: &[i64],
    format: &Format,
) {
    let one = words.first().copied().unwrap_or(NONE);
    if one == NONE && !format.shape.is_set() {
        out.push_str("none");
        return;
    }
    let name = |kind, index| {
        let name = find_member(program, names, kind, index, format.manner).to_owned();
        name + &seat(program, kind, index, format.manner)
    };
    match &format.shape {
        ValueShape::Number => {
            let _ = write!(out, "{one}");
        }
        ValueShape::Bool => out.push_str(if one == 0 { "no" } else { "yes" }),
        ValueShape::Text => out.push_str(get_at(&program.texts, one).map_or("", String::as_str)),
        ValueShape::Member(kind) => out.push_str(&name(*kind, one)),
        ValueShape::Members(kind) => {
            let members = vm::members(words).map(|index| name(*kind, index));
            print_set(out, format.manner, &members.collect::<Vec<_>>());
        }
        ValueShape::Numbers(low) => {
            let numbers = vm::members(words).map(|index| (low + index).to_string());
            print_set(out, format.manner, &numbers.collect::<Vec<_>>());
        }
        ValueShape::MemberList(kind, bits) => {
            let elements = lists::elements(words, *bits).map(|index| name(*kind, index));
            print_list(out, format.manner, &elements.collect::<Vec<_>>());
        }
        ValueShape::NumberList(low, bits) => {
            let numbers = lists::elements(words, *bits).map(|index| (low + index).to_string());
            print_list(out, format.manner, &numbers.collect::<Vec<_>>());
        }
    }
}

/// The elements as those of a set, in brackets where they are typed.
fn print_list(out: &mut String, manner: Manner, elements: &[String]) {
    match manner {
        Manner::Typed => {
            let _ = write!(out, "[{}]", elements.join(", "));
        }
        _ => print_set(out, manner, elements),
    }
}

/// The members between commas; typed in braces; as an argument of a move between spaces.
fn print_set(out: &mut String, manner: Manner, members: &[String]) {
    let text = match manner {
        Manner::Typed => format!("{{{}}}", members.join(", ")),
        Manner::Said | Manner::Argument if members.is_empty() => "nothing".to_owned(),
        Manner::Said => members.join(", "),
        Manner::Argument => members.join(" "),
    };
    out.push_str(&text);
}

/// Appends the name of a pile as it is typed: `Ann.deck`, `shop[cheap]`.
pub(super) fn print_pile(out: &mut String, program: &Program, names: &[String], pile: &PileInfo) {
    let var = &program.vars[usize::from(pile.var)];
    if let Some(owner) = pile.owner {
        out.push_str(names.get(usize::from(owner)).map_or("", String::as_str));
        out.push('.');
    }
    out.push_str(&var.name);
    let (mut left, mut indices) = (usize::from(pile.element), Vec::new());
    for dim in var.dims.iter().rev() {
        let index = dim.low + i64::try_from(left % dim.size).expect("few members");
        left /= dim.size;
        let shape = dim.kind.map_or(ValueShape::Number, ValueShape::Member);
        let mut word = String::new();
        print(&mut word, program, names, &[index], &Format { shape, manner: Manner::Typed });
        indices.insert(0, word);
    }
    if !indices.is_empty() {
        let _ = write!(out, "[{}]", indices.join(", "));
    }
}

fn get_at<T>(list: &[T], index: i64) -> Option<&T> {
    list.get(usize::try_from(index).ok()?)
}

fn find_member<'a>(
    program: &'a Program,
    names: &'a [String],
    kind: u16,
    index: i64,
    manner: Manner,
) -> &'a str {
    if kind == 0 {
        return get_at(names, index).map_or("", String::as_str);
    }
    let name = get_at(&program.kinds[usize::from(kind)].members, index);
    name.map_or("", |(name, title)| if manner == Manner::Said { title } else { name })
}

/// The title of the seat of a player behind the name, for people: ` (Black)`.
fn seat(program: &Program, kind: u16, index: i64, manner: Manner) -> String {
    let title =
        (kind == 0 && manner == Manner::Said).then(|| get_at(&program.kinds[0].members, index));
    let title = title.flatten().map(|(_, title)| title).filter(|title| !title.is_empty());
    title.map_or_else(String::new, |title| format!(" ({title})"))
}

/// First words of moves that are no verbs.
const NO_VERBS: [&str; 9] =
    ["no", "nobody", "none", "nothing", "not", "neither", "done", "enough", "never"];

/// What a move is called, said of somebody: `Ann passes.`, `Ann carries on.`, `Ann: nobody`.
pub(super) fn said_of(somebody: &str, name: &str) -> String {
    let (verb, rest) = name.split_at(name.find('_').unwrap_or(name.len()));
    if NO_VERBS.contains(&verb) {
        return format!("{somebody}: {}", name.replace('_', " "));
    }
    let stem = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    let hisses = ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| verb.ends_with(end));
    let verb = match stem {
        Some(stem) => format!("{stem}ies"),
        None if hisses => format!("{verb}es"),
        None => format!("{verb}s"),
    };
    format!("{somebody} {verb}{}.", rest.replace('_', " "))
}

/// Makes the first letter of a text a capital.
pub(super) fn capitalise(text: &mut String) {
    let Some(first) = text.chars().next() else { return };
    let capital: String = first.to_uppercase().collect();
    text.replace_range(..first.len_utf8(), &capital);
}
