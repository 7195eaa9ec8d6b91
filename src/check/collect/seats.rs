//! Seats: the players by the names that the game gives them, and the columns of these.

use std::collections::BTreeMap;

use crate::check::collect::Collector;
use crate::check::error;
use crate::rules::{PLAYER, format_count};
use crate::syntax::ast::{self, GameClause, KindBody};

impl<'a> Collector<'a> {
    /// Takes the names of the seats as members of `Player`; returns how they are written.
    pub(crate) fn check_seats(&mut self) -> Option<&'a KindBody> {
        let mut clauses = self.file.tree.games.iter().flat_map(|game| &game.item.clauses);
        let (seats, span) = clauses.find_map(|clause| match clause {
            GameClause::Players { seats: Some(seats), span, .. } => Some((seats, *span)),
            _ => None,
        })?;
        let members = self.body_members(seats, &mut BTreeMap::new());
        let (_, most) = self.file.rules.players;
        if members.len() != most && most > 0 {
            let (expected, found) = (format_count(most, "seat"), members.len());
            self.file.report_error(error::SeatCount { expected, found, most, span });
        }
        self.file.take_members(PLAYER, members);
        Some(seats)
    }

    /// Checks the columns of the seats, which are read like variables of players.
    pub(crate) fn check_seat_columns(&mut self, seats: &KindBody) {
        self.check_columns(PLAYER, &[seats]);
        let columns = self.file.rules.kind_at(PLAYER).columns.iter();
        let names: Vec<ast::Name> = columns
            .map(|column| ast::Name { text: column.name.clone(), span: column.span })
            .collect();
        for name in names {
            if let Some(var) = self.file.names.of_players.get(&name.text) {
                self.file.report_error(error::duplicate(
                    name.text,
                    self.file.rules.var_at(*var).span,
                    name.span,
                ));
            } else if name.text == "seat" {
                self.file.report_error(error::built_in(name.text, name.span));
            }
        }
    }
}
