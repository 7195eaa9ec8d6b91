//! What declarations are called, so that one can be found again in another file.

use crate::source::Span;
use crate::syntax::ast::{CellKind, ItemKind, KindBody, Owner, Phase, Text, TextPart};

/// A declaration's sort and name; there is one of each in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The word or words that it begins with.
    pub(super) word: &'static str,
    /// Its name; empty where there is only one.
    pub(super) name: String,
    /// Where its name stands.
    pub(super) span: Span,
}

impl Identity {
    fn of(word: &'static str, name: &crate::syntax::ast::Name) -> Identity {
        Identity { word, name: name.text.clone(), span: name.span }
    }

    /// Whether both mean the same declaration.
    pub(super) fn same(&self, other: &Identity) -> bool {
        self.word == other.word && self.name == other.name
    }

    /// The declaration as people speak of it.
    pub(super) fn spoken(&self) -> String {
        match self.name.as_str() {
            "" => format!("`{}`", self.word),
            name => format!("`{} {name}`", self.word),
        }
    }
}

/// What a declaration is called; none if it has no name, or several.
pub(super) fn identity(kind: &ItemKind, span: Span) -> Option<Identity> {
    Some(match kind {
        ItemKind::Game(_) => Identity { word: "game", name: String::new(), span },
        ItemKind::Option(it) => Identity::of("option", &it.name),
        ItemKind::Let(it) => Identity::of("let", &it.name),
        ItemKind::Kind(it) => Identity::of("kind", &it.name),
        ItemKind::Cards(it) => Identity::of("cards", &it.name),
        ItemKind::Board(it) => Identity::of("board", &it.name),
        ItemKind::Table(it) => Identity::of("table", &it.name),
        ItemKind::Rule(it) => Identity::of("rule", &it.name),
        ItemKind::Moves(it) => Identity::of("moves", &it.name),
        ItemKind::Measure(it) => Identity::of("measure", &it.name),
        ItemKind::Flow(it) => {
            let word = match it.phase {
                Phase::Setup => "setup",
                Phase::Play => "play",
            };
            Identity { word, name: String::new(), span }
        }
        ItemKind::Variant(_)
        | ItemKind::Use(_)
        | ItemKind::Replace(_)
        | ItemKind::Extend(_)
        | ItemKind::MoreMoves(_)
        | ItemKind::MoreBranches(_)
        | ItemKind::Has(_)
        | ItemKind::Always(_) => return None,
    })
}

/// The words that a declaration begins with.
pub(super) fn what(kind: &ItemKind) -> String {
    match kind {
        ItemKind::Has(has) => owner(has.owner).to_owned(),
        kind => identity(kind, Span::default()).map_or_else(String::new, |it| it.word.to_owned()),
    }
}

/// Who has a variable, as it is written.
pub(super) fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::Player => "each player has",
        Owner::Table => "the table has",
    }
}

/// The words of a text without holes.
pub(super) fn plain(text: &Text) -> Option<String> {
    text.parts
        .iter()
        .map(|part| match part {
            TextPart::Words(words) => Some(words.as_str()),
            TextPart::Hole(_) => None,
        })
        .collect()
}

/// The first word of a declaration.
pub(super) fn first_word(whole: Span, word: &str) -> Span {
    Span::new(whole.start as usize, whole.start as usize + word.len())
}

/// The names that a declaration gives to its members.
pub(super) fn members(kind: &ItemKind) -> impl Iterator<Item = &str> {
    let (plain, drawn) = match kind {
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => match &kind.body {
            KindBody::Members(members) => (members.as_slice(), [].as_slice()),
            KindBody::Drawn(drawn) => ([].as_slice(), drawn.rows.as_slice()),
            KindBody::Product(_) => ([].as_slice(), [].as_slice()),
        },
        _ => ([].as_slice(), [].as_slice()),
    };
    let labels = drawn.iter().filter_map(|row| match &row.label.kind {
        CellKind::Name(name) => Some(name.as_str()),
        _ => None,
    });
    plain.iter().map(|member| member.name.text.as_str()).chain(labels)
}
