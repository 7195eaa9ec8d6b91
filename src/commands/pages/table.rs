//! A view of a table for a page: boards, seats, what lies there, the question.

use crate::commands::pages::board::figures;
use crate::game::{Status, TableView, Thing, ViewCell};
use crate::host::drawing::table_screen::{is_worded, shortened};
use crate::host::drawing::{line::StyledLine, seat_table};
use crate::host::gate::html;

/// The table as one seat sees it, or as everybody does together.
pub(super) fn render_table(view: &TableView) -> String {
    let titled = view.boards.len() > 1;
    let boards = figures(view.boards.iter(), &view.seats, titled);
    let mut text = render_seats(view);
    let worded = view.table.iter().filter(|thing| is_worded(thing));
    let words = worded.filter_map(|thing| {
        let words = seat_table::thing_words(&shortened(thing))?;
        Some(format!("<div><dt>{}</dt><dd>{}</dd></div>\n", html(&thing.title), words.html()))
    });
    let words: String = words.collect();
    if !words.is_empty() {
        text.extend(["<dl class=\"things\">\n", &words, "</dl>\n"]);
    }
    text +=
        &view.table.iter().filter(|it| is_sheet(it)).map(|it| sheet(it, "")).collect::<String>();
    for (seat, things) in view.seats.iter().zip(&view.players) {
        let sheets = things.iter().filter(|it| is_sheet(it));
        text.extend(sheets.map(|it| sheet(it, &format!("{}: ", seat.name))));
    }
    let boards = if boards.is_empty() {
        boards
    } else {
        format!("<div class=\"boards\">\n{boards}</div>\n")
    };
    format!("<div class=\"table\">\n{boards}<div class=\"rest\">\n{text}</div>\n</div>\n")
}

/// Whether a thing is a drawing of its own.
fn is_sheet(thing: &Thing) -> bool {
    thing.drawn && !thing.grid.is_empty()
}

fn render_seats(view: &TableView) -> String {
    let columns = seat_table::seat_columns(view);
    let heads = columns.iter().map(|column| format!("<th>{}</th>", html(&column.title)));
    let heads = heads.collect::<Vec<_>>().concat();
    let row = |seat: usize| {
        let class = match view.seats[seat].status {
            Status::Decides => "decides",
            Status::Out => "out",
            Status::Won => "won",
            _ => "",
        };
        let cells = columns.iter().map(|column| {
            let (title, words) = (html(&column.title), column.cells[seat].html());
            format!("<td data-title=\"{title}\">{words}</td>")
        });
        let name = seat_table::render_seat_name(view, seat).html();
        format!("<tr class=\"{class}\"><th>{name}</th>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = (0..view.seats.len()).map(row).collect();
    format!("<table class=\"seats\">\n<tr><th></th>{heads}</tr>\n{rows}</table>\n")
}

/// A drawing in rows and columns, and what explains it.
fn sheet(thing: &Thing, owner: &str) -> String {
    let row = |(at, row): (usize, &Vec<ViewCell>)| {
        let cells = row.iter().enumerate().map(|(column, of)| {
            let mark = if at == 0 || column == 0 { "th" } else { "td" };
            format!("<{mark}>{}</{mark}>", StyledLine::inked(of.shown(), &of.inks).html())
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = thing.grid.iter().enumerate().map(row).collect();
    let title = html(&format!("{owner}{}", thing.title));
    let legend = match thing.value.as_str() {
        "" => String::new(),
        words => format!("<p class=\"faint\">{}</p>\n", html(words)),
    };
    format!(
        "<div class=\"wide\"><table class=\"sheet\"><caption>{title}</caption>\n{rows}</table></div>\n\
         {legend}"
    )
}
