//! Boards to lines, their cells in columns.

use crate::source::Span;
use crate::syntax::ast::Attribute;
use crate::syntax::ast::Board;
use crate::syntax::ast::BoardShape;
use crate::syntax::ast::Chain;
use crate::syntax::print::Printer;
use crate::syntax::print::drawn::aligned;
use crate::syntax::print::drawn::cell;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::types::of_type;
use crate::syntax::print::types::title;

impl Printer<'_> {
    /// `board Name SHAPE { … }`
    pub(super) fn board(&mut self, span: Span, board: &Board) {
        let head = format!("board {}{}", board.name.text, title(board.title.as_ref()));
        let head = match &board.shape {
            BoardShape::Grid { columns, rows, from_bottom } => {
                let from = if *from_bottom { " from bottom" } else { "" };
                format!("{head} {} by {}{from}", expression(columns), expression(rows))
            }
            BoardShape::Ring(size) => format!("{head} ring {}", expression(size)),
            BoardShape::Map(chains) => return self.map(span, &head, chains),
        };
        if board.attributes.is_empty() {
            return self.line(span, &head);
        }
        self.opening(span.start, &format!("{head} {{"));
        self.indent += 2;
        board.attributes.iter().for_each(|attribute| self.attribute(attribute));
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    fn map(&mut self, span: Span, head: &str, chains: &[Chain]) {
        self.opening(span.start, &format!("{head} {{"));
        self.indent += 2;
        for chain in chains {
            let places = chain.places.iter();
            let places = places.map(|it| format!("{}{}", it.name.text, title(it.title.as_ref())));
            self.line(chain.span, &places.collect::<Vec<_>>().join(" - "));
        }
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let ty = of_type(attribute.ty.as_ref());
        self.opening(attribute.span.start, &format!("{}{ty} {{", attribute.name.text));
        self.indent += 2;
        let rows = attribute.rows.iter();
        let texts: Vec<Vec<String>> =
            rows.map(|row| row.cells.iter().map(cell).collect()).collect();
        for (row, text) in attribute.rows.iter().zip(aligned(&texts, self.budget)) {
            self.flush(row.span.start);
            self.write(&text);
        }
        self.indent -= 2;
        self.closing(attribute.span.end, "}");
    }
}
