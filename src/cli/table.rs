//! What lies on the table, as text that is never wider than the screen.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::game::{TableView, Thing};

/// The space between two columns.
const GAP: usize = 2;

/// How narrow the column of a player may become before the players stand below each other.
const NARROWEST: usize = 12;

/// Draws the table, then what the players have: side by side if that fits, else below each other.
pub(super) fn draw(view: &TableView, names: &[String], width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = things(&view.table, 0, width);
    let shown = names.iter().zip(&view.players);
    if view.players.iter().all(Vec::is_empty) {
        return lines;
    }
    match columns(view, names, width) {
        Some(columns) => lines.extend(columns),
        None => {
            for (name, has) in shown {
                lines.extend(wrap(name, width));
                lines.extend(things(has, GAP.min(width - 1), width));
            }
        }
    }
    lines
}

/// The players side by side: a row for each thing, a column for each player, whose cells are folded
/// where the screen asks for it. `None` where the players have different things, a value is drawn on
/// several lines, or the columns would be too narrow.
fn columns(view: &TableView, names: &[String], width: usize) -> Option<Vec<String>> {
    let first = view.players.first()?;
    let titles: Vec<&str> = first.iter().map(|thing| thing.title.as_str()).collect();
    let mut rows = vec![vec![""]];
    rows[0].extend(names.iter().map(String::as_str));
    rows.extend(titles.iter().map(|title| vec![*title]));
    for has in &view.players {
        let same = has.iter().map(|thing| thing.title.as_str()).eq(titles.iter().copied());
        let is_drawn = |thing: &Thing| !thing.grid.is_empty() || thing.value.contains('\n');
        if !same || has.iter().any(is_drawn) {
            return None;
        }
        rows.iter_mut().skip(1).zip(has).for_each(|(row, thing)| row.push(&thing.value));
    }
    let titles = rows.iter().map(|row| length(row[0])).max().unwrap_or(0);
    let room = width.checked_sub(titles + GAP * view.players.len())?;
    let widths = (1..rows[0].len())
        .map(|column| rows.iter().map(|row| length(row[column])).max().unwrap_or(0));
    let widths = narrowed(&widths.collect::<Vec<_>>(), room, NARROWEST)?;
    let folded: Vec<Vec<String>> = rows.iter().flat_map(|row| folded(row, &widths)).collect();
    let folded: Vec<Vec<&str>> =
        folded.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    Some(align(&folded))
}

/// As wide as columns may be in some room: the widest give way first, but none below what can be
/// read.
fn narrowed(widths: &[usize], room: usize, least: usize) -> Option<Vec<usize>> {
    let widest = widths.iter().max().copied().unwrap_or(0);
    let fits = |most: &usize| widths.iter().map(|width| width.min(most)).sum::<usize>() <= room;
    let most = (least.min(widest)..=widest).rev().find(fits)?;
    Some(widths.iter().map(|width| *width.min(&most)).collect())
}

/// A row as lines: each cell is folded in its column, behind a title that stands once.
fn folded(row: &[&str], widths: &[usize]) -> Vec<Vec<String>> {
    let cells: Vec<Vec<String>> =
        row[1..].iter().zip(widths).map(|(cell, width)| wrap(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let line = |at: usize| {
        let title = if at == 0 { row[0] } else { "" };
        let parts = cells.iter().map(|cell| cell.get(at).cloned().unwrap_or_default());
        [title.to_owned()].into_iter().chain(parts).collect()
    };
    (0..height).map(line).collect()
}

/// Rows whose cells stand in columns.
pub(super) fn align(rows: &[Vec<&str>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max())
        .map(|longest| longest.unwrap_or(0))
        .collect();
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| pad(cell, width + GAP));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Titles and values below each other, the values in one column where the titles leave room.
fn things(things: &[Thing], indent: usize, width: usize) -> Vec<String> {
    let titles = things.iter().map(|thing| length(&thing.title)).max().unwrap_or(0);
    let column = indent + titles + GAP;
    let roomy = column + column.max(10) <= width;
    things
        .iter()
        .flat_map(|thing| {
            if !thing.grid.is_empty() {
                in_rows(thing, indent, width)
            } else if roomy && !thing.value.contains('\n') {
                beside(thing, indent, (column, width))
            } else {
                below(thing, indent, width)
            }
        })
        .collect()
}

/// The title, the rows below it, and what explains them. Where the screen is narrow the widest
/// columns are cut.
fn in_rows(thing: &Thing, indent: usize, width: usize) -> Vec<String> {
    let shift = |indent: usize, line: &str| format!("{}{line}", " ".repeat(indent));
    let inner = (indent + GAP).min(width - 1);
    let mut lines: Vec<String> =
        wrap(&thing.title, width - indent).iter().map(|line| shift(indent, line)).collect();
    let count = thing.grid.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..count)
        .map(|column| thing.grid.iter().map(|row| length(&row[column])).max().unwrap_or(0))
        .collect();
    let room = (width - inner).saturating_sub(GAP * count.saturating_sub(1));
    let widths = narrowed(&widths, room, 1).unwrap_or(widths);
    let cells = |row: &Vec<String>| -> Vec<String> {
        row.iter().zip(&widths).map(|(cell, width)| cut(cell, *width)).collect()
    };
    let rows: Vec<Vec<String>> = thing.grid.iter().map(cells).collect();
    let rows: Vec<Vec<&str>> =
        rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    lines.extend(align(&rows).iter().map(|line| shift(inner, &cut(line, width - inner))));
    lines.extend(wrap(&thing.value, width - inner).iter().map(|line| shift(inner, line)));
    lines
}

fn beside(thing: &Thing, indent: usize, (column, width): (usize, usize)) -> Vec<String> {
    let mut lines = wrap(&thing.value, width - column);
    if lines.is_empty() {
        lines.push(String::new());
    }
    let head = format!("{}{}", " ".repeat(indent), thing.title);
    let lead = |index: usize| if index == 0 { pad(&head, column) } else { " ".repeat(column) };
    let lines = lines.iter().enumerate();
    lines.map(|(index, line)| format!("{}{line}", lead(index)).trim_end().to_owned()).collect()
}

/// The title, and the value in lines of its own. A drawing keeps its lines and is cut.
fn below(thing: &Thing, indent: usize, width: usize) -> Vec<String> {
    let shift = |indent: usize, line: &str| format!("{}{line}", " ".repeat(indent));
    let inner = (indent + GAP).min(width - 1);
    let mut lines: Vec<String> =
        wrap(&thing.title, width - indent).iter().map(|line| shift(indent, line)).collect();
    let values: Vec<String> = if thing.value.contains('\n') {
        thing.value.lines().map(|line| cut(line.trim_end(), width - inner)).collect()
    } else {
        wrap(&thing.value, width - inner)
    };
    lines.extend(values.iter().map(|line| shift(inner, line).trim_end().to_owned()));
    lines
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

fn cut(line: &str, width: usize) -> String {
    if length(line) <= width {
        return line.to_owned();
    }
    let mut kept = String::new();
    for letter in line.chars() {
        if length(&kept) + letter.width().unwrap_or(0) + 1 > width {
            break;
        }
        kept.push(letter);
    }
    format!("{kept}…")
}

/// The text with spaces behind it up to a width.
pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(length(text));
    format!("{text}{}", " ".repeat(missing))
}

/// How many columns of the screen a text takes: wide letters take two.
pub(super) fn length(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::game::{TableView, Thing};

    fn things(pairs: &[(&str, &str)]) -> Vec<Thing> {
        let thing = |(title, value): &(&str, &str)| Thing {
            title: (*title).to_owned(),
            value: (*value).to_owned(),
            grid: Vec::new(),
        };
        pairs.iter().map(thing).collect()
    }

    fn view() -> TableView {
        TableView {
            table: things(&[("die", "4"), ("open cards", "oak, elm")]),
            players: vec![
                things(&[("coins", "3"), ("hand", "ash, yew, fir")]),
                things(&[("coins", "12"), ("hand", "2 cards")]),
            ],
        }
    }

    fn drawn(view: &TableView, width: usize) -> Vec<String> {
        draw(view, &["Ann", "Ben"].map(String::from), width)
    }

    #[test]
    fn players_stand_side_by_side() {
        assert_eq!(
            drawn(&view(), 40),
            [
                "die         4",
                "open cards  oak, elm",
                "       Ann            Ben",
                "coins  3              12",
                "hand   ash, yew, fir  2 cards",
            ]
        );
    }

    #[test]
    fn long_values_are_folded_in_the_column_of_their_player() {
        assert_eq!(
            drawn(&view(), 28)[2..],
            [
                "       Ann        Ben",
                "coins  3          12",
                "hand   ash, yew,  2 cards",
                "       fir",
            ]
        );
    }

    #[test]
    fn players_stand_below_each_other_where_the_screen_is_narrow() {
        assert_eq!(
            drawn(&view(), 24)[2..],
            [
                "Ann",
                "  coins  3",
                "  hand   ash, yew, fir",
                "Ben",
                "  coins  12",
                "  hand   2 cards",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let mut view = view();
        view.table.extend(things(&[
            ("board", "a b c d e f g h\n. . . . . . . .\n"),
            ("a_very_long_title_indeed", "averylongvaluewithoutanyspace and more of it"),
        ]));
        let rows = [["", "a", "b"], ["1", "a tall tower", "."], ["2", ".", "火"]];
        let grid = rows.map(|row| row.map(String::from).to_vec()).to_vec();
        let (title, value) = ("field of stones".to_owned(), "s sand, r rock".to_owned());
        view.table.push(Thing { title, value, grid });
        for width in 1..80 {
            for line in drawn(&view, width) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let table = things(&[("火", "oak"), ("open", "水水水")]);
        let view = TableView { table, players: Vec::new() };
        assert_eq!(drawn(&view, 40), ["火    oak", "open  水水水"]);
        assert_eq!(drawn(&view, 16), ["火    oak", "open  水水水"]);
        assert_eq!(drawn(&view, 5), ["火", "  oak", "open", "  水", "  水", "  水"]);
    }

    #[test]
    fn boards_are_drawn_in_rows() {
        let rows = [["", "a", "b"], ["2", "tower", "."], ["1", ".", "wall"]];
        let grid = rows.map(|row| row.map(String::from).to_vec()).to_vec();
        let (title, value) = ("field".to_owned(), "all sand".to_owned());
        let table = vec![Thing { title, value, grid }];
        let view = TableView { table, players: Vec::new() };
        assert_eq!(
            drawn(&view, 40),
            ["field", "     a      b", "  2  tower  .", "  1  .      wall", "  all sand"]
        );
        assert_eq!(drawn(&view, 14)[2..4], ["  2  to…  .", "  1  .    wa…"]);
    }

    #[test]
    fn a_drawing_keeps_its_lines() {
        let table = things(&[("board", "x o\n. x")]);
        let view = TableView { table, players: vec![Vec::new(), Vec::new()] };
        assert_eq!(drawn(&view, 40), ["board", "  x o", "  . x"]);
    }

    #[test]
    fn long_values_go_on_in_their_column() {
        let table = things(&[("open", "oak, elm, ash, yew, fir")]);
        let view = TableView { table, players: Vec::new() };
        assert_eq!(drawn(&view, 18), ["open  oak, elm,", "      ash, yew,", "      fir"]);
    }
}
