//! Values in words.

use std::collections::BTreeSet;

use crate::reference::piles::PileKey;
use crate::reference::state::Tabletop;
use crate::reference::values::{Datum, ElementKey, TitledText, to_index};
use crate::rules::{Domain, Expr, PLAYER, PileEnd, Type};

/// For whom a value is put into words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextManner {
    /// For people: by titles.
    Said,
    /// As it is written in a file.
    Typed,
    /// As what stands behind the name of a move.
    Argument,
}

/// First words of moves that are no verbs.
const NO_VERBS: [&str; 9] =
    ["no", "nobody", "none", "nothing", "not", "neither", "done", "enough", "never"];

/// "`or pass` prints `Ben passes.`, and `or stay_out` prints `Ben stays out.`"
pub(super) fn said_of(player: &str, name: &str) -> String {
    let words = name.replace('_', " ");
    let verb = words.split(' ').next().unwrap_or_default();
    if NO_VERBS.contains(&verb) {
        return format!("{player}: {words}");
    }
    let before = verb.chars().rev().nth(1).unwrap_or('a');
    let third = if verb.ends_with('y') && !"aeou".contains(before) {
        format!("{}ies", &verb[..verb.len() - 1])
    } else if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| verb.ends_with(end)) {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    };
    format!("{player} {third}{}.", &words[verb.len()..])
}

impl Tabletop<'_> {
    pub(super) fn format_value(&self, value: &Datum, ty: &Type, manner: TextManner) -> String {
        match (value, ty) {
            (value, Type::Maybe(inner)) if *value != Datum::None => {
                self.format_value(value, inner, manner)
            }
            (Datum::Set(_) | Datum::List(_), Type::Set(domain) | Type::List(domain, _)) => {
                let members = match value {
                    Datum::List(elements) => elements.clone(),
                    set => set.to_set().into_iter().collect(),
                };
                let member =
                    |member: &i64| self.format_member(*member, &domain.member_type(), manner);
                let words: Vec<String> = members.iter().map(member).collect();
                match manner {
                    TextManner::Typed if matches!(value, Datum::List(_)) => {
                        format!("[{}]", words.join(", "))
                    }
                    TextManner::Typed => format!("{{{}}}", words.join(", ")),
                    TextManner::Said | TextManner::Argument if words.is_empty() => {
                        "nothing".to_owned()
                    }
                    TextManner::Said => words.join(", "),
                    TextManner::Argument => words.join(" "),
                }
            }
            (Datum::Set(_), Type::EmptySet) if manner == TextManner::Typed => "{}".to_owned(),
            (Datum::Set(_), Type::EmptySet) => "nothing".to_owned(),
            (Datum::None, _) => "none".to_owned(),
            (Datum::Int(number), ty) => self.format_member(*number, ty, manner),
            (Datum::Span(low, high), _) => format!("{low}..{high}"),
            (Datum::Text(words), _) => words.text.clone(),
            (value, ty) => panic!("{value:?} is no {ty:?}"),
        }
    }

    fn format_member(&self, number: i64, ty: &Type, manner: TextManner) -> String {
        match ty {
            Type::Bool => if number == 0 { "no" } else { "yes" }.to_owned(),
            Type::Kind(PLAYER) => {
                let name = self.player_name(number).to_owned();
                match self.setup.rules.kinds[0].members.get(to_index(number)) {
                    Some(seat) if manner == TextManner::Said => format!("{name} ({})", seat.title),
                    _ => name,
                }
            }
            Type::Kind(kind) => {
                let member = &self.setup.rules.kinds[kind.index()].members[to_index(number)];
                let words = if manner == TextManner::Said { &member.title } else { &member.name };
                words.clone()
            }
            _ => number.to_string(),
        }
    }

    /// `Ann shows`, `Ann reveals`: the owner, if there is one who is not the reader.
    fn who_shows(&self, owner: &[i64], reader: Option<i64>) -> Option<String> {
        let owner = owner.first().filter(|owner| reader != Some(**owner))?;
        let name = self.format_member(*owner, &Type::Kind(PLAYER), TextManner::Said);
        Some(capitalised(&name) + if reader.is_some() { " shows" } else { " reveals" })
    }

    /// `Ann shows: king`, `top of deck: ace`
    pub(super) fn shown_cards(
        &self,
        ((at, key), end): (&PileKey, Option<&PileEnd>),
        cards: &BTreeSet<i64>,
        reader: Option<i64>,
    ) -> String {
        let (var, place) = (&self.setup.rules.vars[*at], self.place_words(*at, key));
        let owner = &key[..key.len() - var.dims.len()];
        let what = match end {
            Some(end) => format!("{} of {place}", if end.bottom { "bottom" } else { "top" }),
            None => self.who_shows(owner, reader).unwrap_or(place),
        };
        format!(
            "{what}: {}",
            self.format_value(&Datum::Set(cards.clone()), &var.ty, TextManner::Said)
        )
    }

    /// `Ann shows code: 7`, `Ann reveals cup: 2, 3, 3`: all elements that begin with so many indices.
    pub(super) fn shown_values(
        &self,
        (at, given): (usize, usize),
        keys: &[ElementKey],
        reader: Option<i64>,
    ) -> String {
        let var = &self.setup.rules.vars[at];
        let (owner, indices) = keys[0].split_at(keys[0].len() - var.dims.len());
        let (dims, rest) = var.dims.split_at(given - owner.len());
        let text = self.who_shows(owner, reader).map_or_else(String::new, |it| it + " ");
        let text = self.with_indices(text + &var.title, indices, dims);
        // Members among the indices are named; of numbers the order says which is which.
        let element = |key: &ElementKey| {
            let mut words = String::new();
            for (index, domain) in key[given..].iter().zip(rest) {
                if let Domain::Kind(_) = domain {
                    words += &self.format_member(*index, &domain.member_type(), TextManner::Said);
                    words.push(' ');
                }
            }
            words
                + &self.format_value(
                    &self.state.elements[&(at, key.clone())],
                    &var.ty,
                    TextManner::Said,
                )
        };
        let elements: Vec<String> = keys.iter().map(element).collect();
        let then = if matches!(var.ty, Type::Set(_) | Type::List(..)) { "; " } else { ", " };
        format!("{text}: {}", elements.join(then))
    }

    /// The name of a variable with its indices, and its owner before it.
    pub(super) fn place_words(&self, var: usize, key: &[i64]) -> String {
        let var = &self.setup.rules.vars[var];
        let (owner, indices) = key.split_at(key.len() - var.dims.len());
        let mut words = String::new();
        for owner in owner {
            words += &self.format_member(*owner, &Type::Kind(PLAYER), TextManner::Typed);
            words.push('.');
        }
        words += &var.name;
        self.with_indices(words, indices, &var.dims)
    }

    /// `cup[1]`
    fn with_indices(&self, words: String, indices: &[i64], dims: &[Domain]) -> String {
        let index = |(index, domain): (&i64, &Domain)| {
            self.format_member(*index, &domain.member_type(), TextManner::Typed)
        };
        let indices: Vec<String> = indices.iter().zip(dims).map(index).collect();
        if indices.is_empty() { words } else { format!("{words}[{}]", indices.join(", ")) }
    }

    /// A part of the rules as the file has it, with one blank between words.
    pub(super) fn source_text(&self, expr: &Expr) -> String {
        let source = self.setup.sources.find(expr.span);
        let text = source.map_or("", |source| source.slice(expr.span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl TitledText {
    /// Puts a value, or another text, behind what is there.
    pub(super) fn append_text(&mut self, more: &TitledText) {
        self.begins_with_title |= self.text.is_empty() && more.begins_with_title;
        self.text += &more.text;
    }

    /// The text as it is said: a title at its beginning begins a sentence.
    pub(super) fn into_sentence(self) -> String {
        if self.begins_with_title { capitalised(&self.text) } else { self.text }
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
