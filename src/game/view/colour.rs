//! Colours of members: those that the file gives them or their names say, else a palette in order.

use crate::game::view::ViewContext;
use crate::game::view::values::face_of;
use crate::rules::{Column, Kind, KindShape, Member, Paint, Rules, Type, Value, member_kind};

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

/// The colours of the members of each kind. The file or a name may say one; all others have those of
/// the palette that no name says, in their order. Where these are too few to tell members apart, a
/// member has the colour of what it is about. A card has the colour of its face: nobody may tell copies apart.
pub(super) fn assign_colours(rules: &Rules) -> Vec<Vec<Paint>> {
    let of_plain = |(number, kind): (usize, &Kind)| {
        let plain = assign_in_order(rules, number);
        let topic = topic(rules, number).filter(|_| kind.members.len() > PALETTE.len());
        let Some((column, of)) = topic else { return plain };
        let parts = assign_in_order(rules, of);
        let about = |(at, member): (usize, &Member)| match (
            stated_colour(member),
            first_member(column, at),
        ) {
            (Some(paint), _) => paint,
            (None, Some(part)) => parts[part],
            (None, None) => Paint::Grey,
        };
        kind.members.iter().enumerate().map(about).collect()
    };
    let of_kind = |(number, kind): (usize, &Kind)| match kind.shape {
        KindShape::Cards(face) => {
            let colours = of_plain((face.index(), &rules.kinds[face.index()]));
            let colour = |at| face_of(kind, at).map_or(Paint::Grey, |face| colours[face]);
            (0..kind.members.len()).map(colour).collect()
        }
        _ => of_plain((number, kind)),
    };
    rules.kinds.iter().enumerate().map(of_kind).collect()
}

pub(super) fn palette_colour(at: usize) -> Paint {
    PALETTE[at % PALETTE.len()]
}

/// The colour that the file gives a member, or else its title, or its name.
pub(crate) fn stated_colour(member: &Member) -> Option<Paint> {
    let given = member.look.colour;
    given.or_else(|| find_colour(&member.title)).or_else(|| find_colour(&member.name))
}

/// Colours that are said, and for all other members those of the palette in their order.
fn assign_in_order(rules: &Rules, kind: usize) -> Vec<Paint> {
    let said: Vec<Option<Paint>> = rules.kinds[kind].members.iter().map(stated_colour).collect();
    let mut free = PALETTE.to_vec();
    free.retain(|paint| !said.contains(&Some(*paint)));
    let free = if free.is_empty() { &PALETTE[..] } else { &free };
    let mut next = free.iter().cycle().skip(palette_offset(rules, kind) % free.len());
    let paint = |said: &Option<Paint>| said.or_else(|| next.next().copied());
    said.iter().map(paint).map(|paint| paint.unwrap_or(Paint::Grey)).collect()
}

/// The column that says what the members of a kind are about, with the kind of its members: one to
/// whose members the file gives colours, else the first.
fn topic(rules: &Rules, kind: usize) -> Option<(&Column, usize)> {
    let columns = rules.kinds[kind].named_columns();
    let columns = columns.filter_map(|column| Some((column, member_kind(&column.ty)?.index())));
    let columns: Vec<(&Column, usize)> = columns.filter(|(_, of)| *of != kind).collect();
    let is_given = |of: usize| rules.kinds[of].members.iter().any(|it| it.look.colour.is_some());
    columns.iter().find(|(_, of)| is_given(*of)).or(columns.first()).copied()
}

/// The first member that a cell of a column names.
fn first_member(column: &Column, at: usize) -> Option<usize> {
    let member = match column.cells.get(at)? {
        Value::Int(member) => member,
        Value::Set(members) | Value::List(members) => members.first()?,
        Value::None | Value::Text(_) => return None,
    };
    usize::try_from(*member).ok()
}

/// How many members the parts have that stand before a kind in combinations: the parts of one have
/// different colours.
fn palette_offset(rules: &Rules, part: usize) -> usize {
    let before = |kind: &Kind| {
        let parts = product_parts(rules, kind);
        let at = parts.iter().position(|(of, _)| *of == part)?;
        Some(parts[..at].iter().map(|(of, _)| rules.kinds[*of].members.len()).sum())
    };
    rules.kinds.iter().find_map(before).unwrap_or(0)
}

/// The colours of the words that a member is called by: a combination that is called by its parts
/// has the colour of each part, anything else, and what the file gives a colour, one for all.
pub(super) fn colour_words(view: ViewContext, kind: usize, at: usize, text: &str) -> Vec<Paint> {
    let rules = view.rules;
    let mut words = Vec::new();
    let mut titles = Vec::new();
    for (kind, part) in parts_of(rules, kind, at) {
        let title = &rules.kinds[kind].members[part].title;
        let paint = view.paint(kind, part);
        words.extend(title.split(' ').map(|_| paint));
        titles.push(title.as_str());
    }
    let is_given = || rules.kinds[kind].members[at].look.colour.is_some();
    let is_called_by_parts = !titles.is_empty() && titles.join(" ").eq_ignore_ascii_case(text);
    if is_called_by_parts && !is_given() { words } else { vec![view.paint(kind, at)] }
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
fn find_colour(words: &str) -> Option<Paint> {
    let words = words.split(|letter: char| !letter.is_alphabetic());
    let paint = |said: &str| {
        let said = said.to_lowercase();
        NAMED.iter().find(|(_, words)| words.contains(&said.as_str())).map(|(paint, _)| *paint)
    };
    words.filter_map(paint).next_back()
}

/// The kinds that a kind is the product of, each with the column that holds the parts of its
/// members; empty for any other kind.
pub(super) fn product_parts(rules: &Rules, kind: &Kind) -> Vec<(usize, usize)> {
    let part = |(at, column): (usize, &Column)| match column.ty {
        Type::Kind(of) => Some((of.index(), at)),
        _ => None,
    };
    let named = kind.columns.iter().enumerate().filter(|(_, column)| !column.is_computed());
    // Columns that a product draws itself come after those of its parts.
    let made = rules.tables.iter().find(|table| table.makes(kind));
    let count = made.map_or(usize::MAX, |table| table.dims.len());
    let parts: Option<Vec<(usize, usize)>> = named.take(count).map(part).collect();
    let parts = parts.unwrap_or_default();
    let size: usize = parts.iter().map(|(of, _)| rules.kinds[*of].members.len()).product();
    if parts.len() > 1 && size == kind.members.len() { parts } else { Vec::new() }
}

/// The parts of a combination, each with its kind; combinations among them in their parts.
pub(super) fn parts_of(rules: &Rules, number: usize, at: usize) -> Vec<(usize, usize)> {
    let Some(kind) = rules.kinds.get(number) else { return Vec::new() };
    let part =
        |(of, column): &(usize, usize)| Some((*of, kind.columns[*column].cells.get(at)?.member()?));
    let found: Option<Vec<(usize, usize)>> = product_parts(rules, kind).iter().map(part).collect();
    let inner = |(of, part): (usize, usize)| {
        let deeper = parts_of(rules, of, part);
        if deeper.is_empty() { vec![(of, part)] } else { deeper }
    };
    found.unwrap_or_default().into_iter().flat_map(inner).collect()
}
