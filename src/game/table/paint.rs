//! Colours of members: those that their names say, else by their order.

use crate::check::rules::{Kind, Rules, Type, Value};

/// A colour that something is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Brown.
    Brown,
    /// Yellow, and gold.
    Yellow,
    /// Green.
    Green,
    /// Cyan, and turquoise.
    Cyan,
    /// Blue.
    Blue,
    /// Magenta, purple and violet.
    Magenta,
    /// Pink.
    Pink,
    /// Grey, and silver.
    Grey,
    /// White.
    White,
    /// Black.
    Black,
}

/// The names that are colours.
const NAMED: [(&str, Paint); 18] = [
    ("red", Paint::Red),
    ("orange", Paint::Orange),
    ("brown", Paint::Brown),
    ("yellow", Paint::Yellow),
    ("gold", Paint::Yellow),
    ("green", Paint::Green),
    ("cyan", Paint::Cyan),
    ("turquoise", Paint::Cyan),
    ("blue", Paint::Blue),
    ("magenta", Paint::Magenta),
    ("purple", Paint::Magenta),
    ("violet", Paint::Magenta),
    ("pink", Paint::Pink),
    ("grey", Paint::Grey),
    ("gray", Paint::Grey),
    ("silver", Paint::Grey),
    ("white", Paint::White),
    ("black", Paint::Black),
];

/// The colours of members whose names say none, in turn.
const IN_TURN: [Paint; 6] =
    [Paint::Cyan, Paint::Yellow, Paint::Magenta, Paint::Green, Paint::Red, Paint::Blue];

/// The colour of a member of a kind: its name may say it; a combination has the colour of its first
/// part; else the order decides.
pub(super) fn member(rules: &Rules, kind: usize, at: usize) -> Paint {
    let by_order = IN_TURN[at % IN_TURN.len()];
    let Some(kind) = rules.kinds.get(kind) else { return by_order };
    if let Some((first, part)) = first_part(rules, kind, at) {
        return member(rules, first, part);
    }
    let name = kind.members.get(at).map(|member| member.name.as_str());
    name.and_then(named).unwrap_or(by_order)
}

/// The colour that a name says: alone, or as its last word.
fn named(name: &str) -> Option<Paint> {
    let last = name.rsplit('_').next()?;
    NAMED.iter().find(|(word, _)| *word == last).map(|(_, paint)| *paint)
}

/// The kinds that a kind is the product of, each with the column that holds the parts of its
/// members; empty for any other kind.
pub(super) fn parts(rules: &Rules, kind: &Kind) -> Vec<(usize, usize)> {
    let part = |(at, column): (usize, &crate::check::rules::Column)| match column.ty {
        Type::Kind(of) => Some((of.index(), at)),
        _ => None,
    };
    let named = kind.columns.iter().enumerate().filter(|(_, column)| !column.is_computed());
    let parts: Option<Vec<(usize, usize)>> = named.map(part).collect();
    let parts = parts.unwrap_or_default();
    let size: usize = parts.iter().map(|(of, _)| rules.kinds[*of].members.len()).product();
    if parts.len() > 1 && size == kind.members.len() { parts } else { Vec::new() }
}

fn first_part(rules: &Rules, kind: &Kind, at: usize) -> Option<(usize, usize)> {
    let (of, column) = *parts(rules, kind).first()?;
    match kind.columns[column].cells.get(at)? {
        Value::Int(part) => Some((of, usize::try_from(*part).ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, named};

    #[test]
    fn names_say_colours_alone_or_with_their_last_word() {
        assert_eq!(named("violet"), Some(Paint::Magenta));
        assert_eq!(named("dark_green"), Some(Paint::Green));
        assert_eq!(named("green_house"), None);
    }
}
