//! Names of declarations, so that one can be found again in another file.

use crate::source::Span;
use crate::syntax::ast::{
    CellKind, Item, ItemKind, KindBody, Name, OF_BASE, Phase, Text, TextPart,
};

/// A declaration's sort and name; there is one of each in a file.
pub(super) struct Identity {
    /// The word or words that it begins with.
    pub(super) word: &'static str,
    /// Its name; empty where there is only one.
    pub(super) name: String,
    pub(super) span: Span,
}

impl Identity {
    /// The declaration as messages call it.
    pub(super) fn quoted_name(&self) -> String {
        match self.name.as_str() {
            "" => format!("`{}`", self.word),
            name => format!("`{} {name}`", self.word),
        }
    }
}

/// The word or words that a declaration begins with, and its name if it has one.
pub(crate) fn item_head(kind: &ItemKind) -> (&'static str, Option<&Name>) {
    match kind {
        ItemKind::Game(_) => ("game", None),
        ItemKind::Variant(_) => ("variant", None),
        ItemKind::Use(_) => ("use", None),
        ItemKind::Replace(_) => ("replace", None),
        ItemKind::Option(it) => ("option", Some(&it.name)),
        ItemKind::Let(it) => ("let", Some(&it.name)),
        ItemKind::Kind(it) => ("kind", Some(&it.name)),
        ItemKind::Extend(it) => ("extend", Some(&it.name)),
        ItemKind::Cards(it) => ("cards", Some(&it.name)),
        ItemKind::Board(it) => ("board", Some(&it.name)),
        ItemKind::Table(it) => ("table", Some(&it.name)),
        ItemKind::Has(it) => (it.owner.as_str(), None),
        ItemKind::Rule(it) => ("rule", Some(&it.name)),
        ItemKind::More(it) => ("extend", Some(it.target().1)),
        ItemKind::Remove(_) => ("remove", None),
        ItemKind::Moves(it) => ("moves", Some(&it.name)),
        ItemKind::Measure(it) => ("measure", Some(&it.name)),
        ItemKind::Always(_) => ("always", None),
        ItemKind::Strategy(_) => ("strategy", None),
        ItemKind::Flow(it) if it.phase == Phase::Setup => ("setup", None),
        ItemKind::Flow(_) => ("play", None),
    }
}

/// The data that a file of a variant changes, as messages call them: `table face`.
#[cfg(feature = "commands")]
pub(crate) fn changed_data(variant: &crate::source::Source) -> Vec<String> {
    use crate::syntax::ast::Extension;
    let called = |kind: &ItemKind| match kind {
        ItemKind::Replace(kind) if matches!(**kind, ItemKind::Rule(_)) => None,
        ItemKind::Replace(kind) => {
            let (word, name) = item_head(kind);
            name.map(|name| (word, name.text.clone()))
        }
        ItemKind::Option(option) => Some(("option", option.name.text.clone())),
        ItemKind::Extend(kind) => Some(("kind", kind.name.text.clone())),
        ItemKind::More(
            more @ (Extension::Rows(..) | Extension::Cells { .. } | Extension::Members(..)),
        ) => {
            let (word, name) = more.target();
            Some((word, name.text.clone()))
        }
        _ => None,
    };
    let items = crate::syntax::parse(variant).0.items;
    items
        .iter()
        .filter_map(|it| called(&it.kind))
        .map(|(word, name)| format!("{word} {name}"))
        .collect()
}

/// What a declaration is called; none where a file may have several that are called alike.
pub(super) fn identity(kind: &ItemKind, span: Span) -> Option<Identity> {
    let is_one = |word| matches!(word, "game" | "setup" | "play");
    match item_head(kind) {
        ("extend", _) => None,
        (word, Some(it)) => Some(Identity { word, name: it.text.clone(), span: it.span }),
        (word, None) => is_one(word).then(|| Identity { word, name: String::new(), span }),
    }
}

/// The words of a text without holes.
pub(super) fn plain_text(text: &Text) -> Option<String> {
    let words = text.parts.iter().map(|part| match part {
        TextPart::Words(words) => Some(words.as_str()),
        TextPart::Hole(_) => None,
    });
    words.collect()
}

/// The first word of a declaration.
pub(super) fn first_word(whole: Span, word: &str) -> Span {
    Span::new(whole.start as usize, whole.start as usize + word.len())
}

/// The names that a declaration gives to its members, with their places and those of the rows.
pub(crate) fn declared_members(kind: &ItemKind) -> impl Iterator<Item = (&str, Span, Span)> {
    let (plain, drawn) = match kind {
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => match &kind.body {
            KindBody::Members(members) => (members.as_slice(), [].as_slice()),
            KindBody::Drawn(drawn) => ([].as_slice(), drawn.rows.as_slice()),
            KindBody::Product(_) => ([].as_slice(), [].as_slice()),
        },
        _ => ([].as_slice(), [].as_slice()),
    };
    let rows = drawn.iter().filter_map(|row| match &row.label.kind {
        CellKind::Name(name) => Some((name.as_str(), row.label.span, row.span)),
        _ => None,
    });
    let plain = plain.iter().map(|it| (it.name.text.as_str(), it.name.span, it.name.span));
    plain.chain(rows)
}

/// Where a rule of this name is declared.
pub(super) fn find_rule(items: &[Item], name: &str) -> Option<usize> {
    items.iter().position(|it| matches!(&it.kind, ItemKind::Rule(rule) if rule.name.text == name))
}

/// Keeps a copy of a rule, under a name that nobody can write, for the one that takes its place.
pub(super) fn keep_below(items: &mut Vec<Item>, at: usize) -> String {
    let mut copy = items[at].clone();
    let ItemKind::Rule(rule) = &mut copy.kind else { unreachable!("only rules are called") };
    let name = |number| match number {
        1 => format!("{}{OF_BASE}", rule.name.text),
        number => format!("{}{OF_BASE}, {number}", rule.name.text),
    };
    let mut names = (1..=items.len() + 1).map(name);
    let free = names.find(|name| find_rule(items, name).is_none());
    let name = free.expect("there are fewer rules than numbers");
    (rule.name.text, rule.title) = (name.clone(), None);
    items.push(copy);
    name
}
