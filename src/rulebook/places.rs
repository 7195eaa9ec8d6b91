//! Places of boards in English: what lies beside them, ahead of them, or has some numbers.

use crate::rulebook::english::{join_list, join_words, plural};
use crate::rulebook::title_or_name;
use crate::rulebook::words::Phraser;
use crate::rules::print::unclamped;
use crate::rules::topology::BoardTopology;
use crate::rules::{Domain, Expr, ExprKind, Kind, Table, Type};

impl Phraser<'_> {
    /// Phrases the cells beside another, in the directions of a column; or what touches it.
    pub(super) fn phrase_beside(
        self,
        kind: &Kind,
        (name, nouns): (&str, &str),
        of: &Expr,
    ) -> String {
        let (what, ways) = name.split_once('(').unwrap_or((name, ""));
        let ways = ways.trim_end_matches(')');
        let of = self.phrase_operand(of);
        let board = kind.as_board();
        match (what, title_or_name("", ways).as_str()) {
            ("edges" | "corners" | "ends", _) => format!("the {what} of {of}"),
            ("sides", _) => format!("the {nouns} beside {of}"),
            (_, "") if matches!(board, Some(BoardTopology::Joints(_))) => {
                format!("the {} next to {of}", plural(board.map_or("cell", |it| it.noun())))
            }
            (_, "") => format!("the {nouns} beside {of}"),
            (_, "north, east, south, west") => {
                format!("the {nouns} beside {of} in its row and column")
            }
            (_, ways) => format!("the {nouns} beside {of} ({ways})"),
        }
    }

    /// An element of a table that the checker made: a step or a ray, or the member with some parts.
    pub(super) fn looked_up(self, table: &str, ty: &Type, of: &[Expr]) -> String {
        match (table.split('(').next(), of, ty) {
            (Some("step"), [way, start], _) => self.phrase_ahead("next cell", start, way),
            (Some("edge"), [way, start], _) => self.phrase_ahead("edge", start, way),
            (Some("ray"), [way, start], _) => self.phrase_ahead("cells", start, way),
            (.., Type::Kind(kind)) => {
                format!("the {} with {}", self.book.noun(Domain::Kind(*kind)), self.operands(of))
            }
            _ => format!("the value for {}", self.operands(of)),
        }
    }

    pub(super) fn phrase_ahead(self, what: &str, start: &Expr, way: &Expr) -> String {
        let to = if self.book.known_value(way).is_some() { "to the" } else { "in the direction" };
        format!("the {what} from {} {to} {}", self.phrase_operand(start), self.phrase_operand(way))
    }

    /// A member by its numbers: `the cell in row r, column c`.
    pub(super) fn phrase_numbered(self, table: &Table, numbers: &[Expr]) -> String {
        let member = if let Type::Maybe(member) = &table.ty { &**member } else { &table.ty };
        let Type::Kind(kind) = *member else { unreachable!("such a table holds members") };
        let noun = self.book.noun(Domain::Kind(kind));
        let or_none = table.numbered_kind().is_some_and(|(_, or_none)| or_none);
        let names =
            table.name.rsplit_once('(').map_or("", |(_, names)| names.trim_end_matches(')'));
        let numbers = names.split(", ").zip(numbers).map(|(name, number)| {
            (name, self.phrase_value(if or_none { unclamped(number) } else { number }))
        });
        let numbers: Vec<(&str, String)> = numbers.collect();
        let is_short = numbers.iter().all(|(_, number)| !number.contains(' '));
        match numbers.as_slice() {
            [(_, number)] if is_short => format!("{noun} {number}"),
            numbers if is_short => {
                let numbers = numbers.iter().map(|(name, number)| format!("{name} {number}"));
                format!("the {noun} in {}", join_words(numbers, ", "))
            }
            numbers => {
                let numbers =
                    numbers.iter().map(|(name, number)| format!("whose {name} is {number}"));
                format!("the {noun} {}", join_list(numbers, "and"))
            }
        }
    }

    /// The cell that an element lies on, where it has no other index.
    pub(super) fn cell_of(self, place: &Expr) -> Option<String> {
        let ExprKind::Element(_, of) = &place.kind else { return None };
        let [cell] = of.as_slice() else { return None };
        Some(self.phrase_operand(cell))
    }
}
