//! Colours of members: those that the file gives them or their names say, else a palette in order.

use crate::check::rules::{Colour, Column, Kind, Member, Rules, Type, Value};

/// A colour that something is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Red,
    Orange,
    Brown,
    Yellow,
    Green,
    Cyan,
    Blue,
    Magenta,
    Pink,
    Grey,
    White,
    Black,
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Paint {
        match colour {
            Colour::Black => Paint::Black,
            Colour::Red => Paint::Red,
            Colour::Green => Paint::Green,
            Colour::Yellow => Paint::Yellow,
            Colour::Blue => Paint::Blue,
            Colour::Magenta => Paint::Magenta,
            Colour::Cyan => Paint::Cyan,
            Colour::White => Paint::White,
            Colour::Rgb(red, green, blue) => Paint::Rgb(red, green, blue),
        }
    }
}

/// The names that are colours.
const NAMED: [(Paint, &[&str]); 12] = [
    (Paint::Red, &["red"]),
    (Paint::Orange, &["orange"]),
    (Paint::Brown, &["brown"]),
    (Paint::Yellow, &["yellow", "gold"]),
    (Paint::Green, &["green"]),
    (Paint::Cyan, &["cyan", "turquoise"]),
    (Paint::Blue, &["blue"]),
    (Paint::Magenta, &["magenta", "purple", "violet"]),
    (Paint::Pink, &["pink"]),
    (Paint::Grey, &["grey", "gray", "silver"]),
    (Paint::White, &["white"]),
    (Paint::Black, &["black"]),
];

/// The colours of members whose names say none, in turn: people who see fewer colours tell these
/// apart too, the first ones best.
const PALETTE: [Paint; 9] = [
    Paint::Orange,
    Paint::Blue,
    Paint::Green,
    Paint::Magenta,
    Paint::Cyan,
    Paint::Red,
    Paint::Yellow,
    Paint::Brown,
    Paint::Grey,
];

/// The colour of a member of a kind: the file or its name may say it; all others have those of the palette that
/// no name says, in their order.
pub(super) fn member(rules: &Rules, kind: usize, at: usize) -> Paint {
    let members = rules.kinds.get(kind).map_or(&[][..], |kind| &kind.members);
    // A title says it, or else a name.
    let said = |member: &Member| {
        let given = member.look.colour.map(Paint::from);
        given.or_else(|| named(&member.title)).or_else(|| named(&member.name))
    };
    let said: Vec<Option<Paint>> = members.iter().map(said).collect();
    if let Some(Some(paint)) = said.get(at) {
        return *paint;
    }
    let mut free = PALETTE.to_vec();
    free.retain(|paint| !said.contains(&Some(*paint)));
    let free = if free.is_empty() { &PALETTE[..] } else { &free };
    let earlier = at - said.iter().take(at).flatten().count();
    free[(earlier + beside(rules, kind)) % free.len()]
}

/// How many members the parts have that stand before a kind in combinations: the parts of one have
/// different colours.
fn beside(rules: &Rules, part: usize) -> usize {
    let before = |kind: &Kind| {
        let parts = parts(rules, kind);
        let at = parts.iter().position(|(of, _)| *of == part)?;
        Some(parts[..at].iter().map(|(of, _)| rules.kinds[*of].members.len()).sum())
    };
    rules.kinds.iter().find_map(before).unwrap_or(0)
}

/// The colours of the words that a member is called by: a combination that is called by its parts
/// has the colour of each part, anything else one colour for all.
pub(super) fn words(rules: &Rules, kind: usize, at: usize, text: &str) -> Vec<Paint> {
    let mut words = Vec::new();
    let mut titles = Vec::new();
    for (kind, part) in parts_of(rules, kind, at) {
        let title = &rules.kinds[kind].members[part].title;
        let paint = member(rules, kind, part);
        words.extend(title.split(' ').map(|_| paint));
        titles.push(title.as_str());
    }
    let is_called_by_parts = !titles.is_empty() && titles.join(" ").eq_ignore_ascii_case(text);
    if is_called_by_parts { words } else { vec![member(rules, kind, at)] }
}

/// The glyph of a member: its own, or those of its parts where all have one.
pub(super) fn glyph(rules: &Rules, kind: usize, at: usize) -> Option<String> {
    let own = |kind: usize, at: usize| rules.kinds.get(kind)?.members.get(at)?.look.glyph.clone();
    let parts = || {
        let parts = parts_of(rules, kind, at);
        parts.iter().map(|(kind, at)| own(*kind, *at)).collect::<Option<String>>()
    };
    own(kind, at).or_else(parts).filter(|glyph| !glyph.is_empty())
}

/// The colour of the last word that is one.
fn named(words: &str) -> Option<Paint> {
    let words = words.split(|letter: char| !letter.is_alphabetic());
    let paint = |said: &str| {
        let said = said.to_lowercase();
        NAMED.iter().find(|(_, words)| words.contains(&said.as_str())).map(|(paint, _)| *paint)
    };
    words.filter_map(paint).next_back()
}

/// The kinds that a kind is the product of, each with the column that holds the parts of its
/// members; empty for any other kind.
pub(super) fn parts(rules: &Rules, kind: &Kind) -> Vec<(usize, usize)> {
    let part = |(at, column): (usize, &Column)| match column.ty {
        Type::Kind(of) => Some((of.index(), at)),
        _ => None,
    };
    let named = kind.columns.iter().enumerate().filter(|(_, column)| !column.is_computed());
    let parts: Option<Vec<(usize, usize)>> = named.map(part).collect();
    let parts = parts.unwrap_or_default();
    let size: usize = parts.iter().map(|(of, _)| rules.kinds[*of].members.len()).product();
    if parts.len() > 1 && size == kind.members.len() { parts } else { Vec::new() }
}

/// The parts of a combination, each with its kind; combinations among them in their parts.
pub(super) fn parts_of(rules: &Rules, number: usize, at: usize) -> Vec<(usize, usize)> {
    let Some(kind) = rules.kinds.get(number) else { return Vec::new() };
    let part = |(of, column): &(usize, usize)| match kind.columns[*column].cells.get(at)? {
        Value::Int(part) => Some((*of, usize::try_from(*part).ok()?)),
        _ => None,
    };
    let found: Option<Vec<(usize, usize)>> = parts(rules, kind).iter().map(part).collect();
    let inner = |(of, part): (usize, usize)| {
        let deeper = parts_of(rules, of, part);
        if deeper.is_empty() { vec![(of, part)] } else { deeper }
    };
    found.unwrap_or_default().into_iter().flat_map(inner).collect()
}
