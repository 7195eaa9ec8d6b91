//! Columns that a product draws itself: a row for each member of its first kind, a column for each of its second.

use crate::check::collect::Collector;
use crate::check::collect::cells::{CellColumn, TypedCells, infer_cells};
use crate::check::error;
use crate::check::file::looks::{COLOUR, GLYPH, colour, glyph};
use crate::rules::{Column, Domain, KindId};
use crate::syntax::ast::{self, CellKind};

impl Collector<'_> {
    pub(crate) fn check_drawn_parts(&mut self, id: KindId, kind: &ast::KindDecl) {
        let Some(first) = kind.columns.first() else { return };
        let product = self.file.rules.kind_at(id);
        let mut tables = self.file.rules.tables.iter();
        // A product without this table was reported.
        let Some(dims) = tables.find(|it| it.makes(product)).map(|it| it.dims.clone()) else {
            return;
        };
        let [rows, columns] = dims[..] else {
            let problem =
                format!("a column of `{}` would be over {} kinds", product.name, dims.len());
            let help = "draw columns of a product of two kinds; those of one part are read through \
                        it, as in `s.element.heat`";
            return self.file.report_error(error::product(problem, help, first.name.span));
        };
        for column in &kind.columns {
            self.check_part_column(id, column, (rows, columns));
        }
    }

    fn check_part_column(
        &mut self,
        id: KindId,
        column: &ast::PartColumn,
        (rows, columns): (Domain, Domain),
    ) {
        let ast::PartColumn { name, ty, drawn, .. } = column;
        let mut known = self.file.rules.kind_at(id).columns.iter();
        if let Some(earlier) = known.find(|it| it.name == name.text).map(|it| it.span) {
            return self.file.duplicate(name, earlier);
        }
        let Some(cells) = self.grid_cells(name, drawn, rows, columns) else { return };
        let is_look = ty.is_none() && [COLOUR, GLYPH].contains(&name.text.as_str());
        if !is_look && name.text != "title" {
            let (text, span, heading) = (name.text.as_str(), name.span, Some(name.text.as_str()));
            let list = CellColumn { name: text, span, heading, written: ty.as_ref(), list: &cells };
            let TypedCells { ty, values: cells } = infer_cells(&mut self.file, &list);
            let column = Column { name: name.text.clone(), ty, cells, span };
            self.file.add_column(id, column);
            return;
        }
        for (at, cell) in cells.into_iter().enumerate() {
            if cell.kind == CellKind::None {
                continue;
            }
            if !is_look {
                self.take_title(id, at, cell);
            } else if name.text == COLOUR {
                let colour = colour(&mut self.file, cell);
                self.file.rules.kinds[id.index()].members[at].look.colour = colour;
            } else {
                let glyph = glyph(&mut self.file, cell);
                self.file.rules.kinds[id.index()].members[at].look.glyph = Some(glyph);
            }
        }
    }
}
