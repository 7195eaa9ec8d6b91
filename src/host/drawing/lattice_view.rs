//! Draws a board with its edges and corners in one picture: each piece stands where it lies.

use std::collections::BTreeMap;

use anstyle::Style;

use crate::game::{Board, BoardCell, BoardLayout, LayerForm};
use crate::host::drawing::board_view::{CellPicture, EMPTY};
use crate::host::drawing::line::{FAINT, StyledLine, text_width};

/// What a board is drawn in: its lines from the top, in each what begins where.
type Canvas = BTreeMap<usize, BTreeMap<usize, StyledLine>>;

/// A picture of boards that lie in one another: the cells, where something can lie on them, edges and corners.
pub(super) fn render_lattice(parts: &[&Board], width: usize) -> Vec<StyledLine> {
    let frame = LatticeFrame::new(parts);
    let mut canvas = Canvas::new();
    frame.put_dots(&mut canvas);
    for board in parts {
        for (cell, drawn) in frame.pictures(board) {
            let (x, line) = frame.place(board, cell);
            let middle = frame.edge + x * frame.step;
            let row = canvas.entry(line).or_default();
            // In the place of the dot, if there is one.
            row.remove(&middle);
            row.insert(middle.saturating_sub(drawn.display_width() / 2), drawn);
        }
    }
    let mut lines = frame.heading();
    let last = canvas.keys().copied().max().unwrap_or(0);
    for at in 0..=last {
        let row = at.checked_sub(1).filter(|before| before % 2 == 0).map(|before| before / 2);
        let name = row.and_then(|row| parts[0].rows.get(row)).map_or("", String::as_str);
        let mut line = StyledLine::styled(name, FAINT);
        for (begin, drawn) in canvas.remove(&at).into_iter().flatten() {
            line.pad(begin);
            line.append_line(drawn);
        }
        lines.push(line.cut(width));
    }
    lines
}

struct LatticeFrame<'a> {
    parts: &'a [&'a Board],
    is_hex: bool,
    /// Where the left rim of the board is.
    edge: usize,
    /// How far a corner is from the next edge.
    step: usize,
}

impl<'a> LatticeFrame<'a> {
    fn new(parts: &'a [&'a Board]) -> LatticeFrame<'a> {
        let is_hex = parts.iter().any(|board| {
            let whole = board.of.as_ref().map(|whole| whole.layout);
            whole.unwrap_or(board.layout) == BoardLayout::Hex
        });
        let labels = parts[0].rows.iter().map(|row| text_width(row) + 1).max().unwrap_or(0);
        let mut frame = LatticeFrame { parts, is_hex, edge: 0, step: 2 };
        let widest = |joints: bool| {
            let boards = parts.iter().filter(|board| is_joined(board) == joints);
            let drawn = boards.flat_map(|board| frame.pictures(board));
            drawn.map(|(_, drawn)| drawn.display_width()).max().unwrap_or(1)
        };
        let (joints, cells) = (widest(true), widest(false));
        let across = if is_hex { 4 } else { 2 };
        frame.step = (joints + 1).max((cells + joints + 2).div_ceil(across)).max(2);
        frame.edge = labels + joints / 2;
        frame
    }

    /// The column and line of a cell or joint: joints lie between the lines of cells.
    fn place(&self, board: &Board, cell: &BoardCell) -> (usize, usize) {
        let (x, y) = match (is_joined(board), self.is_hex) {
            (true, _) => (cell.x, cell.y),
            (false, true) => (2 * cell.x + 2, 6 * cell.y + 4),
            (false, false) => (2 * cell.x + 2, 6 * cell.y + 3),
        };
        if self.is_hex { (x, 2 * (y / 6) + usize::from(y % 6 == 4)) } else { (x / 2, y / 3) }
    }

    /// The cells on which something lies, each with what is drawn there.
    fn pictures<'b>(&self, board: &'b Board) -> Vec<(&'b BoardCell, StyledLine)> {
        let picture = CellPicture::new(board);
        let draw = |cell: &'b BoardCell| {
            let is_mark = |at: usize| board.layers[at].form == LayerForm::Mark;
            let marked = cell.pieces.first().is_some_and(|piece| is_mark(piece.layer));
            let drawn = if marked && board.layout == BoardLayout::Edges && !self.is_hex {
                let is_across = self.place(board, cell).1.is_multiple_of(2);
                let line =
                    if is_across { "─".repeat(2 * self.step - 1) } else { "│".to_owned() };
                StyledLine::styled(&line, Style::new().bold())
            } else {
                picture.draw(cell)
            };
            (drawn.display_width() > 0).then_some((cell, drawn))
        };
        board.cells.iter().filter_map(draw).collect()
    }

    /// A dot at each corner: to the left and to the right of all edges that are not upright.
    fn put_dots(&self, canvas: &mut Canvas) {
        let mut dot = |x: usize, line: usize| {
            let row = canvas.entry(line).or_default();
            row.insert(self.edge + x * self.step, StyledLine::styled(EMPTY, FAINT));
        };
        for board in self.parts.iter().filter(|board| is_joined(board)) {
            for cell in &board.cells {
                match (self.place(board, cell), board.layout) {
                    ((x, line), BoardLayout::Corners) => dot(x, line),
                    ((x, line), _) if line % 2 == 0 => {
                        dot(x - 1, line);
                        dot(x + 1, line);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The letters of the columns of a grid.
    fn heading(&self) -> Vec<StyledLine> {
        if self.is_hex {
            return Vec::new();
        }
        let mut heading = StyledLine::default();
        for (at, letter) in self.parts[0].columns.iter().enumerate() {
            heading.pad(self.edge + (2 * at + 1) * self.step);
            heading.push_text(letter, FAINT);
        }
        vec![heading]
    }
}

/// True for boards of edges or corners.
fn is_joined(board: &Board) -> bool {
    board.of.is_some()
}
