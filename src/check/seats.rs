//! Seats: the players by the names that the game gives them, and the columns of these.

use std::collections::BTreeMap;

use crate::check::context::Checker;
use crate::check::error;
use crate::check::recorder::Symbol;
use crate::rules::{Expr, KindId, PLAYER, format_count, member_expr, unknown_expr};
use crate::source::Span;
use crate::syntax::ast::{self, GameClause, KindBody};

impl<'a> Checker<'a> {
    /// Takes the names of the seats as members of `Player`; returns how they are written.
    pub(crate) fn check_seats(&mut self) -> Option<&'a KindBody> {
        let mut clauses = self.tree.games.iter().flat_map(|game| &game.item.clauses);
        let (seats, span) = clauses.find_map(|clause| match clause {
            GameClause::Players { seats: Some(seats), span, .. } => Some((seats, *span)),
            _ => None,
        })?;
        let members = self.body_members(seats, &mut BTreeMap::new());
        let (_, most) = self.rules.players;
        if members.len() != most && most > 0 {
            let (expected, found) = (format_count(most, "seat"), members.len());
            self.report_error(error::seat_count(expected, found, most, span));
        }
        self.take_members(PLAYER, members);
        Some(seats)
    }

    /// Checks the columns of the seats, which are read like variables of players.
    pub(crate) fn check_seat_columns(&mut self, seats: &KindBody) {
        self.check_columns(PLAYER, &[seats]);
        let columns = self.rules.kind_at(PLAYER).columns.iter();
        let names: Vec<ast::Name> = columns
            .map(|column| ast::Name { text: column.name.clone(), span: column.span })
            .collect();
        for name in names {
            if let Some(var) = self.names.of_players.get(&name.text) {
                self.report_error(error::duplicate(
                    name.text,
                    self.rules.var_at(*var).span,
                    name.span,
                ));
            } else if name.text == "seat" {
                self.report_error(error::built_in(name.text, name.span));
            }
        }
    }

    /// A member of a kind that is named somewhere, as a value.
    pub(crate) fn member_value(
        &mut self,
        kind: KindId,
        position: usize,
        name: &ast::Name,
        span: Span,
    ) -> Expr {
        self.note_use(name.span, Symbol::Member(kind, position));
        if kind == PLAYER && !self.is_seat_taken(position, span) {
            return unknown_expr(span);
        }
        member_expr(kind, position, span)
    }

    /// Whether somebody sits on a seat in every game; else it is reported. In snippets it is known
    /// how many play.
    pub(crate) fn is_seat_taken(&mut self, position: usize, span: Span) -> bool {
        let fewest = self.seats.as_ref().map_or(self.rules.players.0, Vec::len);
        // Without a number of players nothing is known, which was reported.
        if position < fewest || fewest == 0 {
            return true;
        }
        let name = &self.rules.kind_at(PLAYER).members[position].name;
        self.report_error(error::missing_seat(name, fewest, span));
        false
    }
}
