//! The seats as a table: a row for each player, a column for each thing that they have.

use anstyle::Style;

use crate::game::{Element, Paint, SeenValue, Status, TableView, Tag, Thing, ValueForm};
use crate::host::drawing::line::{
    FAINT, STRONG, ScreenBlock, StyledLine, breadth, ink, text_width, wrap,
};
use crate::host::drawing::table_screen::{hanging, is_worded};
use crate::host::drawing::table_view::join_cells;

/// The highest number of coins that is drawn one by one.
const MOST_PIPS: i64 = 6;

/// How wide a column may be; what is wider stands in lines of its own.
const WIDEST: usize = 22;

const GAP: usize = 2;

/// What stands where there is nothing to say.
const NOTHING: &str = "–";

/// What stands where the person at the screen does not see something.
const UNSEEN: &str = "?";

/// Something that the seats have, in words.
pub(crate) struct SeatColumn {
    pub(crate) title: String,
    pub(crate) cells: Vec<StyledLine>,
}

impl SeatColumn {
    /// The width of its cells, or of its title, whole or by its longest word.
    fn column_width(&self, is_whole: bool) -> usize {
        let word = self.title.split(' ').map(text_width).max().unwrap_or(0);
        let title = if is_whole { text_width(&self.title) } else { word };
        breadth(&self.cells).max(title)
    }
}

/// The columns of the seats, ranking ones first.
pub(crate) fn seat_columns(view: &TableView) -> Vec<SeatColumn> {
    standing_columns(view).into_iter().chain(things(view)).collect()
}

/// Draws the seats, and below them what is too long for a column.
pub(crate) fn render_seat_table(view: &TableView, width: usize) -> Vec<StyledLine> {
    let names: Vec<StyledLine> =
        (0..view.seats.len()).map(|seat| render_seat_name(view, seat)).collect();
    let mut left = breadth(&names);
    let (mut wide, columns): (Vec<SeatColumn>, Vec<SeatColumn>) =
        seat_columns(view).into_iter().partition(|column| column.column_width(false) > WIDEST);
    // A title takes one line where that leaves room for all columns.
    let all: usize = columns.iter().map(|column| GAP + column.column_width(true)).sum();
    let is_whole = left + all <= width;
    let mut fitting: Vec<SeatColumn> = Vec::new();
    for column in columns {
        if left + GAP + column.column_width(is_whole) <= width {
            left += GAP + column.column_width(is_whole);
            fitting.push(column);
        } else {
            wide.push(column);
        }
    }
    let first = [breadth(&names)].into_iter();
    let widths: Vec<usize> =
        first.chain(fitting.iter().map(|it| it.column_width(is_whole))).collect();
    let mut lines = join_cells(render_titles(&fitting, &widths[1..]), &widths, GAP);
    for (seat, name) in names.into_iter().enumerate() {
        let cells = fitting.iter().map(|column| vec![column.cells[seat].clone()]);
        lines.extend(join_cells([vec![name]].into_iter().chain(cells).collect(), &widths, GAP));
    }
    lines.extend(extras(view, &wide, width));
    lines
}

/// The titles above the names and the columns, over as many lines as the longest needs.
fn render_titles(columns: &[SeatColumn], widths: &[usize]) -> Vec<ScreenBlock> {
    let titles = columns.iter().zip(widths).map(|(column, width)| wrap(&column.title, *width));
    let titles: Vec<Vec<String>> = titles.collect();
    let height = titles.iter().map(Vec::len).max().unwrap_or(0);
    let block = |title: &Vec<String>| {
        let above = std::iter::repeat_n(StyledLine::default(), height - title.len());
        above.chain(title.iter().map(|words| StyledLine::styled(words, FAINT))).collect()
    };
    [ScreenBlock::new()].into_iter().chain(titles.iter().map(block)).collect()
}

/// `▶ Ann (Black) ●`: whose turn it is, the name, what the seat is called.
pub(crate) fn render_seat_name(view: &TableView, seat: usize) -> StyledLine {
    let seat = &view.seats[seat];
    let (mark, style) = match seat.status {
        Status::Decides => ("▶ ", ink(seat.colour).bold()),
        Status::Won => ("★ ", ink(seat.colour).bold()),
        Status::Out => ("  ", FAINT),
        Status::Waits | Status::Lost | Status::Drew => ("  ", ink(seat.colour)),
    };
    let mut line = StyledLine::styled(mark, STRONG);
    line.push_text(&seat.name, style);
    if let Some(title) = &seat.title {
        line.push_text(&format!(" ({title})"), Style::new());
    }
    if let Some(glyph) = &seat.glyph {
        line.push_text(&format!(" {glyph}"), ink(seat.colour));
    }
    if seat.status == Status::Out {
        line.push_text(" out", FAINT);
    }
    line
}

/// The columns that rank players and repeat no variable.
fn standing_columns(view: &TableView) -> Vec<SeatColumn> {
    let has = |title: &str| view.players.iter().flatten().any(|it| it.title == title);
    let mut titles: Vec<&String> = Vec::new();
    // What somebody does not see of the first seat, they may see of their own.
    for it in view.seats.iter().flat_map(|seat| &seat.standing) {
        if !has(&it.title) && !titles.contains(&&it.title) {
            titles.push(&it.title);
        }
    }
    let cell = |seat: &crate::game::SeatView, title: &String| {
        let number = seat.standing.iter().find(|it| it.title == *title);
        StyledLine::from_text(&number.map_or_else(|| UNSEEN.to_owned(), |it| it.value.to_string()))
    };
    let column = |title: &String| SeatColumn {
        title: title.clone(),
        cells: view.seats.iter().map(|seat| cell(seat, title)).collect(),
    };
    titles.into_iter().map(column).collect()
}

/// A column for each thing that players have in words: those that count for winning first.
fn things(view: &TableView) -> Vec<SeatColumn> {
    let mut titles: Vec<&str> = Vec::new();
    let ranked = view.seats.iter().flat_map(|seat| &seat.standing).map(|it| it.title.as_str());
    let all = view.players.iter().flatten().filter(|thing| is_worded(thing));
    let has =
        |title: &str| view.players.iter().flatten().any(|it| it.title == title && is_worded(it));
    for title in ranked.filter(|it| has(it)).chain(all.map(|thing| thing.title.as_str())) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    let cell = |things: &Vec<Thing>, title: &str| {
        let thing = things.iter().find(|it| it.title == title);
        thing.and_then(thing_words).unwrap_or_else(|| StyledLine::styled(NOTHING, FAINT))
    };
    let column = |title: &str| SeatColumn {
        title: title.to_owned(),
        cells: view.players.iter().map(|things| cell(things, title)).collect(),
    };
    let columns = titles.into_iter().map(column);
    // Where nobody has anything there is nothing to see.
    columns.filter(|it| it.cells.iter().any(|cell| cell.letters() != NOTHING)).collect()
}

/// Lines for what has no room in a column, one for each player.
fn extras(view: &TableView, wide: &[SeatColumn], width: usize) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for (seat, player) in view.seats.iter().enumerate() {
        let mut line = StyledLine::default();
        for column in wide {
            let cell = &column.cells[seat];
            if cell.letters() == NOTHING {
                continue;
            }
            let mut part = StyledLine::styled(&format!("{} ", column.title), FAINT);
            part.append_line(cell.clone());
            let begin = if line.display_width() == 0 {
                2 + text_width(&player.name)
            } else {
                line.display_width()
            };
            if line.display_width() > 0 && begin + GAP + 1 + part.display_width() > width {
                lines.push(std::mem::take(&mut line));
            }
            if line.display_width() == 0 {
                line = StyledLine::from_text("  ");
                line.push_text(&player.name, ink(player.colour));
            }
            line.pad(line.display_width() + GAP);
            if line.display_width() + part.display_width() > width {
                let heading = format!("{}{}", line.letters(), "  ") + &column.title;
                lines.extend(hanging(&heading, &cell.letters(), width));
                line = StyledLine::default();
            } else {
                line.append_line(part);
            }
        }
        if line.display_width() > 0 {
            lines.push(line);
        }
    }
    lines
}

/// A thing in a few words; none where there is nothing to say.
pub(crate) fn thing_words(thing: &Thing) -> Option<StyledLine> {
    if thing.elements.is_empty() {
        return (!thing.value.is_empty()).then(|| StyledLine::inked(&thing.value, &thing.inks));
    }
    if let [Element { index, value, .. }] = thing.elements.as_slice()
        && index.is_empty()
    {
        return value_words(thing, value);
    }
    if thing.elements.iter().all(|element| element.value.text == UNSEEN) {
        return Some(StyledLine::from_text(UNSEEN));
    }
    let mut line = StyledLine::default();
    if thing.form == ValueForm::Die && thing.elements.iter().all(is_numbered) {
        // Dice that only a number tells apart lie in a row.
        let faces: Vec<&str> = thing.elements.iter().map(|it| it.value.text.as_str()).collect();
        return Some(StyledLine::from_text(&faces.join(" ")));
    }
    let between = if has_lists(thing) { "; " } else { ", " };
    for element in &thing.elements {
        let Some(part) = element_words(thing, element) else { continue };
        if line.display_width() > 0 {
            line.push_text(between, Style::new());
        }
        line.append_line(part);
    }
    (line.display_width() > 0).then_some(line)
}

/// Whether some element is a list itself, so that commas do not tell elements apart.
fn has_lists(thing: &Thing) -> bool {
    thing.elements.iter().any(|element| element.value.members.len() > 1)
}

/// Whether numbers are the indices of an element.
fn is_numbered(element: &Element) -> bool {
    element.index.iter().all(|tag| tag.name.parse::<i64>().is_ok())
}

/// An element with its index: `2 red` of coins, `fire 4` of numbers, `fire` of yes/no.
fn element_words(thing: &Thing, element: &Element) -> Option<StyledLine> {
    let Element { index, value, unchanged } = element;
    if *unchanged
        && value.text != UNSEEN
        && !matches!(thing.form, ValueForm::Die | ValueForm::Pile)
        && value.number.unwrap_or(0) == 0
    {
        return None;
    }
    // A pile of equal cards that is called after them needs no name.
    let is_named_so = match (index.as_slice(), value.members.as_slice()) {
        ([name], [card]) => thing.form == ValueForm::Pile && name.title == card.title,
        _ => false,
    };
    if is_named_so {
        return value_words(thing, value);
    }
    let index = tags(index, " ");
    match (thing.form, value.number) {
        (ValueForm::YesNo, Some(yes)) => (yes != 0).then_some(index),
        (ValueForm::Coin, Some(1)) => Some(index),
        (ValueForm::Coin, Some(number)) => {
            let mut line = StyledLine::from_text(&format!("{number} "));
            line.append_line(index);
            Some(line)
        }
        _ => {
            let words = value_words(thing, value)?;
            let mut line = index;
            let is_apart = is_numbered(element) || has_lists(thing);
            line.push_text(if is_apart { ": " } else { " " }, Style::new());
            line.append_line(words);
            Some(line)
        }
    }
}

fn value_words(thing: &Thing, value: &SeenValue) -> Option<StyledLine> {
    match (thing.form, value.number, thing.range) {
        (ValueForm::Coin, Some(number), Some((0, Some(high)))) if high <= MOST_PIPS => {
            let many = |count: i64, pip: &str| pip.repeat(usize::try_from(count).unwrap_or(0));
            Some(StyledLine::from_text(&(many(number, "●") + &many(high - number, "○"))))
        }
        (ValueForm::YesNo, Some(number), _) => (number != 0).then(|| StyledLine::from_text("yes")),
        (_, Some(number), _) => Some(StyledLine::from_text(&number.to_string())),
        _ if !value.members.is_empty() && value.count.is_none() => Some(tags(&value.members, ", ")),
        _ if matches!(value.text.as_str(), "nothing" | "none" | "") => None,
        _ => Some(StyledLine::from_text(&value.text)),
    }
}

fn tags(tags: &[Tag], between: &str) -> StyledLine {
    let mut line = StyledLine::default();
    for (at, tag) in tags.iter().enumerate() {
        line.push_text(if at == 0 { "" } else { between }, Style::new());
        if tag.copies > 1 {
            line.push_text(&format!("{} ", tag.copies), Style::new());
        }
        let inks: &[Paint] = &tag.colours;
        line.append_line(StyledLine::inked(&tag.title, inks));
    }
    line
}
