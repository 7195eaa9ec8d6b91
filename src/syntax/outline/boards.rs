//! Boards as indented lines.

use crate::syntax::ast::Board;
use crate::syntax::ast::BoardShape;
use crate::syntax::outline::Outline;
use crate::syntax::outline::cell;
use crate::syntax::outline::expressions::expression;
use crate::syntax::outline::expressions::text;
use crate::syntax::outline::expressions::typed;

impl Outline {
    /// A board, its links and its columns.
    pub(super) fn board(&mut self, board: &Board) {
        let title = board.title.as_ref().map(text).unwrap_or_default();
        let shape = match &board.shape {
            BoardShape::Grid { columns, rows, from_bottom } => {
                let from = if *from_bottom { " from bottom" } else { "" };
                format!("grid {} {}{from}", expression(columns), expression(rows))
            }
            BoardShape::Ring(size) => format!("ring {}", expression(size)),
            BoardShape::Map(_) => "map".to_owned(),
        };
        self.line(&format!("board {} {shape} {title}", board.name.text));
        self.inside(|it| {
            if let BoardShape::Map(chains) = &board.shape {
                for chain in chains {
                    let places = chain.places.iter().map(|place| {
                        let title = place.title.as_ref().map(|title| format!(" {}", text(title)));
                        format!("{}{}", place.name.text, title.unwrap_or_default())
                    });
                    it.line(&format!("chain {}", places.collect::<Vec<_>>().join(", ")));
                }
            }
            for attribute in &board.attributes {
                it.line(&format!("column {}{}", attribute.name.text, typed(attribute.ty.as_ref())));
                it.inside(|it| {
                    for row in &attribute.rows {
                        let cells: Vec<_> = row.cells.iter().map(|one| cell(&one.kind)).collect();
                        it.line(&format!("cells {}", cells.join(" ")));
                    }
                });
            }
        });
    }
}
