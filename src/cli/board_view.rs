//! Draws a board in rows: every cell as wide as the widest piece that can ever lie there.

use anstyle::Style;

use super::line::{FAINT, Line, ground, ink, length};
use crate::game::{Board, BoardCell, BoardLayout, Layer, LayerForm, Piece};

/// What stands in an empty cell.
const EMPTY: &str = "·";

/// How wide what explains a board is at least.
const LEGEND: usize = 24;

/// What marks a cell.
const MARK: &str = "*";

/// Draws a board of rows, its title above the letters of the columns.
pub(super) fn draw(board: &Board, width: usize, explained: bool) -> Vec<Line> {
    let below = board.grounds.iter().map(|tag| length(&tag.short)).max().unwrap_or(0);
    let below = if board.cells.iter().any(|cell| cell.ground.is_some()) { below } else { 0 };
    let layers: Vec<usize> = board.layers.iter().map(|layer| room(board, layer)).collect();
    let cell = layers.iter().sum::<usize>().max(1) + below + usize::from(below > 0);
    // Half a cell must be a whole number of columns, where rows lie beside each other.
    let step = if board.layout == BoardLayout::Hex { (cell / 2 + 1) * 2 } else { cell + 1 };
    let edge = board.rows.iter().map(|row| length(row)).max().unwrap_or(0) + 2;
    let mut lines = Vec::new();
    let mut heading = Line::default();
    for (at, letter) in board.columns.iter().enumerate() {
        heading.pad(edge + at * step);
        heading.push(letter, FAINT);
    }
    lines.push(heading);
    for (y, row) in board.rows.iter().enumerate() {
        let mut line = Line::styled(row, FAINT);
        for one in board.cells.iter().filter(|cell| cell.y == y) {
            line.pad(edge + one.x * step / 2);
            if let Some(at) = one.ground {
                let tag = &board.grounds[at];
                let paint = tag.colours.first().copied();
                line.push(&tag.short, paint.map_or(Style::new(), ground));
                line.pad(edge + one.x * step / 2 + below + 1);
            }
            line.extend(pieces(board, one));
        }
        lines.push(line);
    }
    let legend =
        if explained { legend(board, edge + board.columns.len() * step) } else { Vec::new() };
    lines.into_iter().map(|line| line.cut(width)).chain(legend).collect()
}

/// How many columns a layer takes in a cell.
fn room(board: &Board, layer: &Layer) -> usize {
    let owners = || {
        let pieces = board.cells.iter().flat_map(|cell| &cell.pieces);
        pieces.flat_map(|piece| &piece.value.members).map(|tag| length(&tag.short)).max()
    };
    match layer.form {
        LayerForm::Piece => {
            let widest = layer.pieces.iter().map(|tag| length(&tag.short)).max();
            widest.or_else(owners).unwrap_or(0).max(layer.digits)
        }
        LayerForm::Mark | LayerForm::Place => 1,
    }
}

/// What lies on a cell, in a sign or a few.
fn pieces(board: &Board, cell: &BoardCell) -> Line {
    let mut line = Line::default();
    for piece in &cell.pieces {
        line.extend(sign(&board.layers[piece.layer], piece));
    }
    if line.length() == 0 { Line::styled(EMPTY, FAINT) } else { line }
}

fn sign(layer: &Layer, piece: &Piece) -> Line {
    match (layer.form, piece.value.members.as_slice(), piece.value.number) {
        (LayerForm::Mark, ..) => Line::plain(MARK),
        (LayerForm::Place, ..) => {
            let first: String = layer.title.chars().take(1).collect();
            Line::plain(&first.to_uppercase())
        }
        (LayerForm::Piece, [tag], _) => match tag.colours.as_slice() {
            // A letter for each part has the colour of the part.
            colours if colours.len() == tag.short.chars().count() => {
                let mut line = Line::default();
                for (letter, paint) in tag.short.chars().zip(colours) {
                    line.push(&letter.to_string(), ink(*paint));
                }
                line
            }
            colours => {
                let style = colours.first().map_or(Style::new(), |paint| ink(*paint));
                Line::styled(&tag.short, style.bold())
            }
        },
        (_, _, Some(number)) => Line::plain(&number.to_string()),
        _ => Line::plain(&piece.value.text),
    }
}

/// What the letters mean, as far as they do not say it themselves.
fn legend(board: &Board, width: usize) -> Vec<Line> {
    let used = |at: usize| board.cells.iter().any(|cell| cell.ground == Some(at));
    let grounds = board.grounds.iter().enumerate().filter(|(at, _)| used(*at)).map(|(_, it)| it);
    let lying = board.cells.iter().flat_map(|cell| &cell.pieces);
    let lying = lying.flat_map(|piece| &piece.value.members);
    let mut known: Vec<(&str, &str)> = Vec::new();
    for tag in lying.chain(grounds) {
        let entry = (tag.short.as_str(), tag.title.as_str());
        if tag.short != tag.title && !known.contains(&entry) && tag.kind != "Player" {
            known.push(entry);
        }
    }
    let marks = board.layers.iter().filter(|layer| layer.form == LayerForm::Mark);
    let marks: Vec<String> = marks.map(|layer| format!("{MARK} {}", layer.title)).collect();
    let letters = known.iter().map(|(short, title)| format!("{short} {title}"));
    let words = letters.chain(marks).collect::<Vec<_>>().join(", ");
    super::line::wrap(&words, width.max(LEGEND))
        .iter()
        .map(|line| Line::styled(line, FAINT))
        .collect()
}
