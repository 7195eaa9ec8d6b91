//! Words in columns and rows, never wider than the screen.

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

pub(super) use super::line::length;
use super::line::{Line, ink, inked};
use super::style;
use crate::game::Thing;

/// The space between two columns.
pub(super) const GAP: usize = 2;

/// The space between two things in a line.
const BETWEEN: usize = 3;

/// How narrow the column of a player may become before the players stand below each other.
const NARROWEST: usize = 12;

/// Things in words behind each other, in as many lines as they need.
pub(super) fn packed(head: Line, things: &[&Thing], width: usize) -> Vec<Line> {
    let indent = head.length().min(width - 1);
    let mut lines = vec![head];
    let mut is_first = true;
    for thing in things {
        let mut words = Line::styled(&thing.title, style::FAINT);
        words.push(" ", Style::new());
        words.extend(inked(&thing.value, &thing.inks));
        let last = lines.last_mut().expect("there is always a line");
        let gap = if is_first { 0 } else { BETWEEN };
        if last.length() + gap + words.length() <= width {
            last.push(&" ".repeat(gap), Style::new());
            last.extend(words);
        } else if indent + words.length() <= width {
            let mut line = Line::plain(&" ".repeat(indent));
            line.extend(words);
            lines.push(line);
        } else {
            let folded = wrap(&words.letters(), width - indent);
            lines.extend(
                folded.iter().map(|it| Line::plain(&format!("{}{it}", " ".repeat(indent)))),
            );
        }
        is_first = false;
    }
    lines.retain(|line| !line.letters().is_empty());
    lines
}

/// The players side by side: a row for each thing, a column for each player, whose cells are folded
/// where the screen asks for it. `None` where the players have different things, or the columns
/// would be too narrow.
pub(super) fn columns(
    players: &[Vec<&Thing>],
    names: &[String],
    width: usize,
) -> Option<Vec<Line>> {
    let first = players.first()?;
    let titles: Vec<&str> = first.iter().map(|thing| thing.title.as_str()).collect();
    let same =
        |has: &Vec<&Thing>| has.iter().map(|thing| thing.title.as_str()).eq(titles.iter().copied());
    if !players.iter().all(same) {
        return None;
    }
    let head = titles.iter().map(|title| length(title)).max().unwrap_or(0);
    let room = width.checked_sub(head + GAP * players.len())?;
    let widest = |(name, has): (&String, &Vec<&Thing>)| {
        let values = has.iter().map(|thing| length(&thing.value)).max().unwrap_or(0);
        values.max(length(name))
    };
    let widths: Vec<usize> = names.iter().zip(players).map(widest).collect();
    let widths = narrowed(&widths, room, NARROWEST)?;
    // A column that is folded between words may become narrower than it has to.
    let tight = |((name, has), width): ((&String, &Vec<&Thing>), &usize)| {
        let texts = has.iter().map(|thing| thing.value.as_str()).chain([name.as_str()]);
        let lines = texts.flat_map(|text| wrap(text, *width));
        lines.map(|line| length(&line)).max().unwrap_or(*width)
    };
    let widths: Vec<usize> = names.iter().zip(players).zip(&widths).map(tight).collect();
    let names = names.iter().map(|name| (name.as_str(), style::STRONG)).collect::<Vec<_>>();
    let mut lines = folded(head, "", &names, &widths);
    for (row, title) in titles.iter().enumerate() {
        let cells: Vec<(&str, Style)> =
            players.iter().map(|has| (has[row].value.as_str(), one_ink(has[row]))).collect();
        lines.extend(folded(head, title, &cells, &widths));
    }
    Some(lines)
}

fn one_ink(thing: &Thing) -> Style {
    match thing.inks.as_slice() {
        [paint] => ink(*paint),
        _ => Style::new(),
    }
}

/// As wide as columns may be in some room: the widest give way first, but none below what can be
/// read.
pub(super) fn narrowed(widths: &[usize], room: usize, least: usize) -> Option<Vec<usize>> {
    let widest = widths.iter().max().copied().unwrap_or(0);
    let fits = |most: &usize| widths.iter().map(|width| width.min(most)).sum::<usize>() <= room;
    let most = (least.min(widest)..=widest).rev().find(fits)?;
    Some(widths.iter().map(|width| *width.min(&most)).collect())
}

/// A row as lines: each cell is folded in its column, behind a title that stands once.
fn folded(head: usize, title: &str, cells: &[(&str, Style)], widths: &[usize]) -> Vec<Line> {
    let cells: Vec<(Vec<String>, Style)> = cells
        .iter()
        .zip(widths)
        .map(|((text, style), width)| (wrap(text, *width), *style))
        .collect();
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0).max(1);
    let line = |at: usize| {
        let (mut line, mut edge) = (Line::plain(if at == 0 { title } else { "" }), head);
        for ((lines, style), width) in cells.iter().zip(widths) {
            line.pad(edge + GAP);
            line.push(lines.get(at).map_or("", String::as_str), *style);
            edge += GAP + width;
        }
        line
    };
    (0..height).map(line).collect()
}

/// Titles and values below each other, the values in one column where the titles leave room.
pub(super) fn listed(things: &[&Thing], indent: usize, width: usize) -> Vec<Line> {
    let titles = things.iter().map(|thing| length(&thing.title)).max().unwrap_or(0);
    let column = indent + titles + GAP;
    let roomy = column + column.max(10) <= width;
    things
        .iter()
        .flat_map(|thing| {
            if roomy { behind(thing, indent, column, width) } else { below(thing, indent, width) }
        })
        .collect()
}

fn behind(thing: &Thing, indent: usize, column: usize, width: usize) -> Vec<Line> {
    let mut values = wrap(&thing.value, width - column);
    if values.is_empty() {
        values.push(String::new());
    }
    let whole = values.len() == 1;
    let line = |(at, value): (usize, &String)| {
        let mut line = Line::plain(&" ".repeat(indent));
        line.push(if at == 0 { thing.title.as_str() } else { "" }, Style::new());
        line.pad(column);
        line.extend(if whole { inked(value, &thing.inks) } else { Line::plain(value) });
        line
    };
    values.iter().enumerate().map(line).collect()
}

/// The title, and the value in lines of its own.
fn below(thing: &Thing, indent: usize, width: usize) -> Vec<Line> {
    let shift = |indent: usize, line: &str| Line::plain(&format!("{}{line}", " ".repeat(indent)));
    let inner = (indent + GAP).min(width - 1);
    let mut lines: Vec<Line> =
        wrap(&thing.title, width - indent).iter().map(|line| shift(indent, line)).collect();
    lines.extend(wrap(&thing.value, width - inner).iter().map(|line| shift(inner, line)));
    lines
}

/// Rows whose cells stand in columns.
pub(super) fn align(rows: &[Vec<&str>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| pad(cell, width + GAP));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Breaks a text between words, and inside a word that is too long for a line.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                lines.extend(chunks(word, width.max(1)));
            }
        }
    }
    lines
}

/// Breaks a word into pieces that are not wider than a line, but for a letter that is.
fn chunks(word: &str, width: usize) -> Vec<String> {
    let mut pieces: Vec<String> = vec![String::new()];
    for letter in word.chars() {
        let piece = pieces.last_mut().expect("there is always a last piece");
        if !piece.is_empty() && length(piece) + letter.width().unwrap_or(0) > width {
            pieces.push(letter.to_string());
        } else {
            piece.push(letter);
        }
    }
    pieces
}

pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(length(text));
    format!("{text}{}", " ".repeat(missing))
}
