//! Which constructs a printed tree has: variants of enums have the same names, so it is read by its types.

use std::collections::BTreeSet;

/// Each variant of each enum of the tree, such as `StmtKind::Let`.
pub(super) fn all(tree: &str) -> Vec<String> {
    let enums = tree.split("\npub enum ").skip(1);
    enums
        .flat_map(|text| {
            let (name, text) = text.split_once(" {").expect("an enum has a body");
            parts(body(text)).map(move |variant| format!("{name}::{}", word(variant)))
        })
        .collect()
}

/// Notes the variants of a printed value of a type; returns what follows the value.
pub(super) fn note<'p>(
    tree: &str,
    ty: &str,
    printed: &'p str,
    seen: &mut BTreeSet<String>,
) -> &'p str {
    let (head, inner) = ty.strip_suffix('>').and_then(|it| it.split_once('<')).unwrap_or((ty, ""));
    let declared = |sort| tree.split_once(&format!("\npub {sort} {head}{}", opening(inner)));
    if head == "Box" {
        return note(tree, inner, printed, seen);
    }
    if head == "Vec" {
        return members(tree, &mut std::iter::repeat(inner), &printed[1..], seen);
    }
    if head == "Option" {
        let some = printed.strip_prefix("Some(");
        return some.map_or_else(|| &printed[4..], |it| &note(tree, inner, it, seen)[1..]);
    }
    if let Some(types) = ty.strip_prefix('(') {
        return members(tree, &mut parts(types.trim_end_matches(')')), &printed[1..], seen);
    }
    if let Some((_, text)) = declared("enum") {
        let variant = word(printed);
        seen.insert(format!("{head}::{variant}"));
        let declared = parts(body(text))
            .find(|it| word(it) == variant)
            .unwrap_or_else(|| panic!("{head} has no {variant}: {printed:.80}"));
        let (declared, rest) = (&declared[variant.len()..], &printed[variant.len()..]);
        if let Some(types) = declared.strip_prefix('(') {
            return members(tree, &mut parts(types.trim_end_matches(')')), &rest[1..], seen);
        }
        return if declared.is_empty() { rest } else { fields(tree, declared, rest, seen) };
    }
    if let Some((_, text)) = declared("struct") {
        let text = body(text).replace("body: T,", &format!("body: {inner},"));
        return fields(tree, &text, &printed[head.len()..], seen);
    }
    literal(if head == "Note" { "String" } else { head }, printed)
}

/// What follows a text, a number or a span.
fn literal<'p>(ty: &str, printed: &'p str) -> &'p str {
    let end = if ty == "String" {
        let mut escaped = false;
        let quote = printed[1..].find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        quote.expect("a text ends") + 2
    } else if ty == "Span" {
        printed.find('}').expect("a span ends") + 1
    } else {
        printed.find([',', ')', ']', ' ']).unwrap_or(printed.len())
    };
    &printed[end..]
}

/// Fields with names, up to their brace.
fn fields<'p>(
    tree: &str,
    declared: &str,
    printed: &'p str,
    seen: &mut BTreeSet<String>,
) -> &'p str {
    let declared = declared.trim().trim_start_matches('{').trim_end_matches('}');
    let mut rest = &printed[" { ".len()..];
    for field in parts(declared) {
        let (name, ty) = field.split_once(": ").expect("a field has a type");
        let name = name.trim_start_matches("pub ");
        let value = rest.strip_prefix(name).unwrap_or_else(|| panic!("not {name}: {rest:.40}"));
        rest = note(tree, ty, &value[2..], seen).trim_start_matches(", ");
    }
    &rest[" }".len()..]
}

/// Values one behind the other, up to their bracket.
fn members<'p>(
    tree: &str,
    types: &mut dyn Iterator<Item = &str>,
    printed: &'p str,
    seen: &mut BTreeSet<String>,
) -> &'p str {
    let mut rest = printed;
    while !rest.starts_with([']', ')']) {
        let ty = types.next().unwrap_or_else(|| panic!("no type: {rest:.80}"));
        rest = note(tree, ty, rest, seen).trim_start_matches(", ");
    }
    &rest[1..]
}

fn opening(inner: &str) -> &str {
    if inner.is_empty() { " {" } else { "<T> {" }
}

/// What stands between the braces of a declaration, of which only the end is in the text.
fn body(text: &str) -> &str {
    text.split_once("\n}").expect("a declaration ends").0
}

fn word(text: &str) -> &str {
    text.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default()
}

/// What commas part, without what stands deeper, and without comments.
fn parts<'t>(text: &'t str) -> impl Iterator<Item = &'t str> {
    let (mut deep, mut comment) = (0, false);
    let pieces = text.split(move |letter: char| {
        comment = comment && letter != '\n' || letter == '/';
        if !comment {
            deep += i32::from("(<{".contains(letter)) - i32::from(")>}".contains(letter));
        }
        letter == ',' && deep == 0 && !comment
    });
    let bare = |piece: &'t str| {
        let mut piece = piece.trim();
        while piece.starts_with("///") {
            piece = piece.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
        }
        piece
    };
    pieces.map(bare).filter(|piece| !piece.is_empty())
}
