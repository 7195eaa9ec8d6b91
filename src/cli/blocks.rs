//! Drawings in rows and columns: as lines of the screen, beside each other where there is room.

use anstyle::Style;

use super::line::{Line, ground, ink, inked};
use super::{style, table::narrowed, table::wrap};
use crate::game::{Cell, Thing};

/// The space between two columns.
const GAP: usize = 2;

/// The space between two drawings.
const BETWEEN: usize = 3;

/// How narrow a column may become before the drawing is continued below itself.
const NARROWEST: usize = 4;

/// How wide lines of explanation are at least.
const LEGEND: usize = 40;

pub(super) type Block = Vec<Line>;

/// A drawing with its title and what explains it.
pub(super) fn block(thing: &Thing, width: usize, explained: bool) -> Block {
    if thing.grid.is_empty() {
        let inner = width.saturating_sub(GAP).max(1);
        let indented = |line: &str| {
            let mut indented = Line::plain(&" ".repeat(width - inner));
            indented.extend(Line::plain(line).cut(inner));
            indented
        };
        let mut lines = vec![Line::plain(&thing.title).cut(width)];
        lines.extend(thing.value.lines().map(indented));
        return lines;
    }
    let mut lines = rows(thing, width);
    if explained {
        let room = broadest(&lines).max(LEGEND).min(width);
        lines.extend(wrap(&thing.value, room).iter().map(|line| Line::styled(line, style::FAINT)));
    }
    lines
}

/// The rows of a drawing, its title before the headings. What is too wide is narrowed as far as it
/// can be read, then continued below.
fn rows(thing: &Thing, width: usize) -> Block {
    let drawn: Vec<Vec<Line>> =
        thing.grid.iter().enumerate().map(|(at, row)| row_of(thing, at, row)).collect();
    let count = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let widest =
        |column: usize| drawn.iter().filter_map(|row| row.get(column)).map(Line::length).max();
    let widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
    let head =
        widths.first().copied().unwrap_or(0).min(width.saturating_sub(NARROWEST + GAP).max(1));
    let room = width.saturating_sub(head);
    let cells = widths.get(1..).unwrap_or(&[]);
    let inner = room.checked_sub(GAP * cells.len());
    let cells = inner.and_then(|inner| narrowed(cells, inner, NARROWEST)).unwrap_or(cells.to_vec());
    let mut lines = Block::new();
    for part in parts(&cells, room) {
        for row in &drawn {
            let mut line = row[0].clone().cut(head);
            line.pad(head);
            for column in part.clone() {
                line.push(&" ".repeat(GAP), Style::new());
                let mut cell = row.get(column + 1).cloned().unwrap_or_default().cut(cells[column]);
                cell.pad(cells[column]);
                line.extend(cell);
            }
            lines.push(line.cut(width));
        }
    }
    lines
}

/// The cells of a row: headings are faint, the title stands where the headings meet.
fn row_of(thing: &Thing, at: usize, row: &[Cell]) -> Vec<Line> {
    let cell = |(column, cell): (usize, &Cell)| match (at, column) {
        (0, 0) if cell.text.is_empty() => Line::plain(&thing.title),
        (0, _) | (_, 0) if cell.ground.is_none() => Line::styled(&cell.text, style::FAINT),
        _ => cell_line(cell),
    };
    row.iter().enumerate().map(cell).collect()
}

fn cell_line(cell: &Cell) -> Line {
    let mut line = Line::default();
    if let Some((tag, paint)) = &cell.ground {
        line.push(tag, ground(*paint));
        line.push(" ", Style::new());
    }
    if matches!(cell.text.as_str(), "." | "0") && cell.inks.is_empty() {
        line.push(&cell.text, style::FAINT);
    } else if cell.text.starts_with('>') {
        line.push(&cell.text, cell.inks.first().map_or(Style::new(), |paint| ink(*paint)).bold());
    } else {
        line.extend(inked(&cell.text, &cell.inks));
    }
    line
}

/// The columns that stand beside each other, in as many parts as are needed.
fn parts(widths: &[usize], room: usize) -> Vec<std::ops::Range<usize>> {
    let (mut parts, mut begin, mut taken) = (Vec::new(), 0, 0);
    for (column, width) in widths.iter().enumerate() {
        if column > begin && taken + width + GAP > room {
            parts.push(begin..column);
            (begin, taken) = (column, 0);
        }
        taken += width + GAP;
    }
    parts.push(begin..widths.len());
    parts
}

pub(super) fn broadest(lines: &[Line]) -> usize {
    lines.iter().map(Line::length).max().unwrap_or(0)
}

/// Drawings beside each other as far as they fit, then below.
pub(super) fn flow(blocks: Vec<Block>, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut row: Vec<Block> = Vec::new();
    let mut taken = 0;
    for block in blocks {
        let broad = broadest(&block);
        if !row.is_empty() && taken + BETWEEN + broad > width {
            lines.extend(beside(&std::mem::take(&mut row)));
            taken = 0;
        }
        taken += if row.is_empty() { broad } else { BETWEEN + broad };
        row.push(block);
    }
    lines.extend(beside(&row));
    lines
}

fn beside(blocks: &[Block]) -> Vec<Line> {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let (mut line, mut edge) = (Line::default(), 0);
        for block in blocks {
            line.pad(edge);
            line.extend(block.get(at).cloned().unwrap_or_default());
            edge += broadest(block) + BETWEEN;
        }
        line
    };
    (0..height).map(line).collect()
}

/// Drawings of several players: a column for each, below the name. None where that is too wide.
pub(super) fn panels(columns: &[(String, Vec<Block>)], width: usize) -> Option<Vec<Line>> {
    let gaps = BETWEEN * columns.len().saturating_sub(1);
    let room = width.checked_sub(gaps)? / columns.len().max(1);
    if columns.iter().flat_map(|(_, blocks)| blocks).any(|block| broadest(block) > room) {
        return None;
    }
    let column = |(name, blocks): &(String, Vec<Block>)| {
        let mut lines = vec![Line::styled(name, style::STRONG).cut(room)];
        lines.extend(flow(blocks.clone(), room));
        lines
    };
    Some(beside(&columns.iter().map(column).collect::<Vec<_>>()))
}
