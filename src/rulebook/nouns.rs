//! Nouns for kinds, and names of their members.

use crate::rulebook::english::{authored, plural, space_words};
use crate::rulebook::{Book, title_or_name};
use crate::rules::topology::CellLayout;
use crate::rules::{Domain, KindId, KindShape, PLAYER, Type};

/// What the cells of a board are called, where its name says it.
const CELL_NOUNS: &str =
    "area field house land node pit place point position post room space spot square";

/// What the places of a map are called, too; a grid of that name is one of them as a whole.
const MAP_NOUNS: &str = "chamber city county crossing district junction location planet port province quarter \
    region sector site star state stop territory town village";

impl Book<'_> {
    pub(super) fn member_title(&self, kind: KindId, position: i64) -> String {
        let seats = &self.lookup_kind(PLAYER).members;
        if kind == PLAYER && seats.is_empty() {
            return match position {
                0 if !self.keeps_names && self.draws_first => {
                    "the player in the first seat".to_owned()
                }
                0 => "the first player".to_owned(),
                at if self.fixed && usize::try_from(at + 1) == Ok(self.most_players()) => {
                    "the last player".to_owned()
                }
                _ => format!("player {}", position + 1),
            };
        }
        let at = usize::try_from(position).unwrap_or(usize::MAX);
        let member = self.lookup_kind(kind).members.get(at);
        member.map_or_else(String::new, |member| title_or_name(&member.title, &member.name))
    }

    /// What a member of a finite type is called: `colour`.
    pub(super) fn noun(&self, domain: Domain) -> String {
        let Domain::Kind(kind) = domain else { return "number".to_owned() };
        let kind = self.lookup_kind(kind);
        match kind.shape {
            KindShape::Cards(_) => "card".to_owned(),
            KindShape::Lines(_) => "line".to_owned(),
            KindShape::Bags(_) => "bag".to_owned(),
            KindShape::Board(board) if board.cell_layout() != CellLayout::Circle => {
                let names = [authored(&kind.title).to_lowercase(), space_words(&kind.name)];
                let is_map = board.cell_layout() == CellLayout::Links;
                let is_noun = |name: &String| {
                    let last = name.split(' ').next_back().unwrap_or_default();
                    let is_one_of = |nouns: &str| nouns.split(' ').any(|it| it == last);
                    is_one_of(CELL_NOUNS) || is_map && is_one_of(MAP_NOUNS)
                };
                names.into_iter().find(is_noun).unwrap_or_else(|| board.noun().to_owned())
            }
            _ if !kind.name.starts_with(char::is_alphabetic) => "value".to_owned(),
            _ if kind.title == kind.name || kind.title.is_empty() => space_words(&kind.name),
            _ => authored(&kind.title).to_lowercase(),
        }
    }

    pub(super) fn noun_of_type(&self, ty: &Type) -> String {
        match ty {
            Type::Kind(kind) => self.noun(Domain::Kind(*kind)),
            Type::Number => "number".to_owned(),
            Type::Maybe(inner) => self.noun_of_type(inner),
            Type::Set(domain) => format!("set of {}", self.nouns(*domain)),
            Type::List(domain, _) => format!("list of {}", self.nouns(*domain)),
            _ => "value".to_owned(),
        }
    }

    pub(super) fn nouns(&self, domain: Domain) -> String {
        plural(&self.noun(domain))
    }
}
