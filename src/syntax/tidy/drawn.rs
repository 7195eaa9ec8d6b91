//! Declarations that are drawn: their cells below each other, in columns.

use std::ops::Range;

use crate::budget::Budget;
use crate::source::{Source, Span, padded};
use crate::syntax::ast::{
    Ast, Attribute, BoardDecl, BoardShape, Cell, CellKind, CellRow, Drawn, Extension, GameClause,
    GameDecl, Item, ItemKind, KindBody, KindDecl, PartColumn, TableBody, TableDecl,
};
use crate::syntax::tidy::layout::{OutputLine, STEP};
use crate::syntax::tidy::lines::{TidyLine, TokenPiece, join_pieces};
use crate::syntax::tidy::{comment, head_span};

/// A declaration that is laid out as a whole, in the place of its lines.
pub(super) struct TidyDrawing {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) put: Vec<OutputLine>,
}

/// Declarations that are drawn, as they are put.
pub(super) fn drawings(
    source: &Source,
    ast: &Ast,
    lines: &[TidyLine],
    budget: &Budget,
) -> Vec<TidyDrawing> {
    let all = lines.iter().flat_map(|line| &line.pieces).copied();
    let sheet = DrawnSheet { source, lines, pieces: all.collect(), budget };
    let mut drawings: Vec<TidyDrawing> = Vec::new();
    for item in &ast.items {
        let (first, last) = (sheet.line_of(item.span.start), sheet.line_of(item.span.end - 1));
        if drawings.last().is_some_and(|before| before.last >= first) {
            continue;
        }
        let kind = if let ItemKind::Replace(kind) = &item.kind { kind } else { &item.kind };
        if let ItemKind::Game(game) = kind {
            drawings.extend(sheet.draw_seats(game, first));
            continue;
        }
        let put = match kind {
            // The cells of one row stand below each other as their author put them.
            ItemKind::Table(TableDecl { body: TableBody::Row(_), .. }) if last > first => {
                let texts = source.text.lines().skip(first).take(last + 1 - first);
                Some(
                    texts
                        .map(|line| OutputLine::new(0, line.trim_end().to_owned(), None))
                        .collect(),
                )
            }
            kind => sheet.lay_out_drawing(item, kind, first..last + 1),
        };
        drawings.extend(put.map(|put| TidyDrawing { first, last, put }));
    }
    drawings
}

enum SheetPart {
    /// A line that ends with `{`.
    Open(String),
    Row(String),
    Close,
    /// A comment or a note, and whether it has a line of its own.
    Comment(String, bool),
    Blank,
}

struct DrawnSheet<'a> {
    source: &'a Source,
    lines: &'a [TidyLine<'a>],
    pieces: Vec<TokenPiece<'a>>,
    budget: &'a Budget,
}

impl DrawnSheet<'_> {
    fn line_of(&self, offset: u32) -> usize {
        let place = (offset as usize).saturating_sub(self.source.base);
        self.lines.partition_point(|line| line.place <= place) - 1
    }

    /// The seats of a game, where their clause has lines of its own.
    fn draw_seats(&self, game: &GameDecl, head: usize) -> Option<TidyDrawing> {
        let (drawn, span) = drawn_seats(game)?;
        let (first, last) = (self.line_of(span.start), self.line_of(span.end - 1));
        let begins = |line: usize| self.lines[line].pieces.first().map(|piece| piece.place);
        let ends = |line: usize| {
            let last = self.lines[line].pieces.last();
            last.map(|piece| piece.place + piece.text.len())
        };
        let is_alone = begins(first) == Some(span.start as usize - self.source.base)
            && ends(last) == Some(span.end as usize - self.source.base);
        if !is_alone || first == head {
            return None;
        }
        let end = self.lines[last].comment;
        let mut parts = self.comments(span, first..last + 1);
        self.add_rows(span, self.cell_rows(drawn), false, &mut parts);
        let mut put = lay_out_parts(parts, end);
        put.iter_mut().for_each(|it| it.indent += if it.text.is_empty() { 0 } else { STEP });
        Some(TidyDrawing { first, last, put })
    }

    /// A drawing, with the comment after it; nothing for what is not drawn.
    fn lay_out_drawing(
        &self,
        item: &Item,
        kind: &ItemKind,
        lines: Range<usize>,
    ) -> Option<Vec<OutputLine>> {
        let end = self.lines[lines.end - 1].comment;
        let mut parts = self.comments(item.span, lines);
        let turn_to = || self.budget.turn_to(head_span(self.source, item));
        if kind.clone().drawn_mut().iter().any(|drawn| drawn.file.is_some()) {
            return None;
        }
        match kind {
            ItemKind::Kind(KindDecl { body: KindBody::Drawn(drawn), .. })
            | ItemKind::Extend(KindDecl { body: KindBody::Drawn(drawn), .. })
            | ItemKind::Table(TableDecl { body: TableBody::Drawn(drawn), .. })
            | ItemKind::Board(BoardDecl {
                shape: BoardShape::Map(_, Some(KindBody::Drawn(drawn))),
                ..
            })
            | ItemKind::More(Extension::Rows(_, TableBody::Drawn(drawn))) => {
                turn_to();
                self.add_rows(item.span, self.cell_rows(drawn), false, &mut parts);
            }
            ItemKind::Kind(KindDecl { columns, .. }) if !columns.is_empty() => {
                turn_to();
                let inside = columns[0].span.start;
                parts.push((item.span.start, self.opening(item.span.start, inside)));
                for PartColumn { drawn, span, .. } in columns {
                    self.add_rows(*span, self.cell_rows(drawn), false, &mut parts);
                }
                parts.push((item.span.end, SheetPart::Close));
            }
            ItemKind::Board(BoardDecl { attributes, shape, .. }) if !attributes.is_empty() => {
                turn_to();
                let inside = attributes[0].span.start;
                parts.push((item.span.start, self.opening(item.span.start, inside)));
                for Attribute { rows, span, .. } in attributes {
                    let cells =
                        |row: &CellRow| row.cells.iter().map(|it| self.cell_text(it)).collect();
                    let rows = rows.iter().map(|row| (row.span.start, cells(row))).collect();
                    let is_hex = matches!(shape, BoardShape::Shaped { word, .. } if word == "hex");
                    self.add_rows(*span, rows, is_hex, &mut parts);
                }
                parts.push((item.span.end, SheetPart::Close));
            }
            _ => return None,
        }
        Some(lay_out_parts(parts, end))
    }

    /// The comments inside of a declaration, and where its blank lines are.
    fn comments(&self, span: Span, lines: Range<usize>) -> Vec<(u32, SheetPart)> {
        let mut parts = Vec::new();
        for number in lines {
            let line = &self.lines[number];
            let alone = line.pieces.is_empty();
            let end = self.lines.get(number + 1).map_or(self.source.text.len(), |next| next.place);
            let end = Span::new(self.source.base, self.source.base + end).end;
            match line.comment {
                // After the last piece of its line.
                Some(text) if end < span.end => {
                    parts.push((end - 1, SheetPart::Comment(comment(text), alone)));
                }
                None if alone => parts.push((end - 1, SheetPart::Blank)),
                _ => {}
            }
        }
        parts
    }

    /// The headings and rows of a drawing, each with its place.
    fn cell_rows(&self, drawn: &Drawn) -> Vec<(u32, Vec<String>)> {
        let heads = drawn.heads.iter().map(|head| match &head.default {
            Some(default) => {
                let named = self.text_between(head.span.start, default.span.start);
                format!("{}={}", named.trim_end_matches([' ', '=']), self.cell_text(default))
            }
            None => self.text_between(head.span.start, head.span.end),
        });
        let heads = [String::new()].into_iter().chain(heads).collect();
        let rows = drawn.rows.iter().map(|row| {
            let label = self.text_between(row.label.span.start, row.label.span.end);
            let cells = row.cells.iter().map(|cell| self.cell_text(cell));
            (row.span.start, [label].into_iter().chain(cells).collect())
        });
        [(drawn.heads[0].span.start, heads)].into_iter().chain(rows).collect()
    }

    /// Rows of cells below each other, or slanted as hexes lie, in braces; no rows where that takes
    /// too much.
    fn add_rows(
        &self,
        span: Span,
        rows: Vec<(u32, Vec<String>)>,
        is_hex: bool,
        parts: &mut Vec<(u32, SheetPart)>,
    ) {
        parts.push((span.start, self.opening(span.start, rows[0].0)));
        parts.push((span.end, SheetPart::Close));
        let mut widths: Vec<usize> = Vec::new();
        for (_, row) in &rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let longest = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        let is_rhombus = rows.iter().all(|(_, row)| row.len() == longest);
        if is_hex {
            // Half a cell is a number of letters.
            let widest = widths.iter().copied().max().unwrap_or(0);
            widths.fill(widest.next_multiple_of(2));
        }
        // How far a row lies to the right, in halves of a cell.
        let indent = |at: usize, row: &[String]| match (is_hex, is_rhombus) {
            (false, _) => 0,
            (true, true) => at,
            (true, false) => longest - row.len(),
        };
        // One long cell makes all others of its column as wide.
        let half = widths.first().map_or(0, |width| (width + 2) / 2);
        let slant = if is_hex { half * longest.max(rows.len()) } else { 0 };
        let bytes = (widths.iter().sum::<usize>() + slant) * rows.len();
        self.budget.charge(bytes);
        self.budget.hold_memory(bytes);
        if self.budget.is_spent() {
            return;
        }
        for (at, (place, row)) in rows.into_iter().enumerate() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width));
            let line = " ".repeat(half * indent(at, &row)) + &cells.collect::<Vec<_>>().join("  ");
            parts.push((place, SheetPart::Row(line.trim_end().to_owned())));
        }
    }

    fn cell_text(&self, cell: &Cell) -> String {
        match cell.kind {
            CellKind::None => "-".to_owned(),
            _ => self.text_between(cell.span.start, cell.span.end),
        }
    }

    /// A head with its `{`, up to what stands first inside.
    fn opening(&self, start: u32, inside: u32) -> SheetPart {
        SheetPart::Open(self.text_between(start, inside).trim_end_matches([';', ' ']).to_owned())
    }

    /// What stands between two places.
    fn text_between(&self, start: u32, end: u32) -> String {
        let at = |offset: u32| {
            let place = offset as usize - self.source.base;
            self.pieces.partition_point(|piece| piece.place < place)
        };
        join_pieces(&self.pieces[at(start)..at(end)])
    }
}

fn drawn_seats(game: &GameDecl) -> Option<(&Drawn, Span)> {
    game.clauses.iter().find_map(|clause| match clause {
        GameClause::Players { seats: Some(KindBody::Drawn(drawn)), span, .. } => {
            Some((drawn, *span))
        }
        _ => None,
    })
}

pub(super) fn has_drawn_seats(item: &Item) -> bool {
    let kind = if let ItemKind::Replace(kind) = &item.kind { kind } else { &item.kind };
    matches!(kind, ItemKind::Game(game) if drawn_seats(game).is_some())
}

/// The parts of a drawing by their places, and the comment after it.
fn lay_out_parts(mut parts: Vec<(u32, SheetPart)>, end: Option<&str>) -> Vec<OutputLine> {
    parts.sort_by_key(|(place, _)| *place);
    let (mut put, mut indent) = (Vec::<OutputLine>::new(), 0);
    let (mut opened, mut commented) = (false, false);
    for (_, part) in parts {
        let behind = matches!(part, SheetPart::Comment(_, false)) && !commented;
        commented = matches!(part, SheetPart::Comment(..));
        let opens = matches!(part, SheetPart::Open(_));
        let text = match part {
            SheetPart::Comment(text, _) if behind => {
                // Rows keep their columns: comments after them have none.
                let row = put.last_mut().expect("it begins with its head");
                row.text.extend(["  ", &text]);
                continue;
            }
            SheetPart::Blank if opened => continue,
            SheetPart::Blank => {
                // Notes belong to the row below them: they are not parted from it.
                let notes = put.iter().rev().take_while(|it| it.text.starts_with("##")).count();
                put.insert(put.len() - notes, OutputLine::new(0, String::new(), None));
                continue;
            }
            SheetPart::Close => {
                indent -= STEP;
                "}".to_owned()
            }
            SheetPart::Open(text) | SheetPart::Row(text) | SheetPart::Comment(text, _) => text,
        };
        put.push(OutputLine::new(indent, text, None));
        indent += if opens { STEP } else { 0 };
        opened = opens;
    }
    if let (Some(last), Some(text)) = (put.last_mut(), end) {
        last.comment = Some(comment(text));
    }
    put
}
