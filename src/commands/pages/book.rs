//! The rulebook as a page: contents, pictures of boards and cards, the text.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html as markdown};

use crate::commands::pages::table::render_table;
use crate::commands::pages::{board, html_page};
use crate::game::{Board, Game, TableView};
use crate::host::gate::{html, sanitize_text};
use crate::printed::card_faces;
use crate::rulebook::{Chapter, PICTURE, Rulebook};
use crate::rules::KindShape;
use crate::session::Stretch;

/// Puts a rulebook, or one part of it, on a page.
pub(in crate::commands) fn book_page(
    game: &Game,
    book: &Rulebook,
    part: Option<&Chapter>,
    example: Option<&Stretch>,
) -> String {
    let begun = opening_view(game);
    let title = game.info().title.clone();
    let mut body = format!("<h1>{}</h1>\n{}", html(&title), markdown_to_html(&book.opening, &[]));
    let parts: Vec<&Chapter> = part.map_or_else(|| book.parts.iter().collect(), |part| vec![part]);
    let pictures = if part.is_none() { card_faces(game) } else { String::new() };
    if part.is_none() {
        let link = |id: &str, words: &str| format!("<a href=\"#{id}\">{words}</a>\n");
        let links: String = parts.iter().map(|part| link(part.word, part.heading)).collect();
        let cards = if pictures.is_empty() { String::new() } else { link("cards", "The cards") };
        body.extend([format!("<nav>\n{links}{cards}</nav>\n")]);
    }
    let empty = game.table(&game.initial_state());
    let boards: Vec<Board> = empty.boards.into_iter().map(Board::emptied).collect();
    for part in parts {
        let Chapter { word, heading, text } = part;
        // Each card is there once: as a picture.
        let text = if pictures.is_empty() { text.clone() } else { without_faces(game, text) };
        let (above, picture) = match (*word, &begun, example) {
            ("setup", Some(view), _) => (String::new(), set_up(view)),
            ("example", _, Some(Stretch { before, after, .. })) => {
                let after = format!("<p>Now the table is like this:</p>\n{}", render_table(after));
                (format!("<p>The table:</p>\n{}<p>Then:</p>\n", render_table(before)), after)
            }
            _ => (String::new(), String::new()),
        };
        body.extend([format!(
            "<section id=\"{word}\">\n<h2>{heading}</h2>\n{above}{}{picture}</section>\n",
            markdown_to_html(&text, &boards)
        )]);
    }
    if !pictures.is_empty() {
        body.extend([format!(
            "<section id=\"cards\">\n<h2>The cards</h2>\n<div class=\"faces\">\n{pictures}</div>\n\
             </section>\n"
        )]);
    }
    html_page(&title, "book", &body)
}

/// A part of the book without the tables of faces that are pictured.
fn without_faces(game: &Game, text: &str) -> String {
    let kinds = &game.rules().kinds;
    let faces = kinds.iter().filter_map(|kind| match kind.shape {
        KindShape::Cards(face) => Some(&kinds[face.index()]),
        _ => None,
    });
    let names = faces.map(|face| if face.title.is_empty() { &face.name } else { &face.title });
    let headings: Vec<String> = names.map(|name| name.replace('_', " ").to_lowercase()).collect();
    let mut is_face = false;
    let kept = text.lines().filter(|line| {
        if let Some(heading) = line.strip_prefix("### ") {
            is_face = headings.contains(&heading.to_lowercase());
        }
        !(is_face && line.starts_with('|'))
    });
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// The table when the first player decides, where chance has no part in the setup.
fn opening_view(game: &Game) -> Option<TableView> {
    let state = game.start().ok()?;
    game.current_player(&state)?;
    Some(game.table_since(&state, None, &BTreeSet::new(), false))
}

/// The boards on which something lies when the game begins.
fn set_up(view: &TableView) -> String {
    let laid = |board: &&Board| board.cells.iter().any(|cell| !cell.pieces.is_empty());
    board::figures(view.boards.iter().filter(laid), &view.seats, true)
}

/// Markdown as HTML. A block of code that only names a board becomes its picture; tags of an author
/// are words.
fn markdown_to_html(text: &str, boards: &[Board]) -> String {
    let text = sanitize_text(text);
    let mut board: Option<&Board> = None;
    let events = Parser::new_ext(&text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Some(Event::Text(tag)),
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
            let name = info.strip_prefix(PICTURE).unwrap_or_default().trim();
            board = boards.iter().find(|board| board.name == name);
            let picture =
                board.map(|board| Event::Html(board::figure(&[board], &[], false).into()));
            Some(picture.unwrap_or(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented))))
        }
        Event::End(TagEnd::CodeBlock) if board.take().is_some() => None,
        Event::Text(_) if board.is_some() => None,
        event => Some(event),
    });
    let mut out = String::with_capacity(text.len() * 2);
    markdown::push_html(&mut out, events);
    out
}
