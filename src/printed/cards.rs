//! Every card of a game on sheets to print and cut, and what is printed beside them.

use crate::game::{Board, Card, CardColumn, Game};
use crate::gate::html;
use crate::printed::{hex, is_light, sheets};

/// How many cards of the usual size a sheet of A4 or letter paper holds.
const ON_A_SHEET: usize = 9;

/// Longer texts are printed in smaller letters, and much longer ones in still smaller letters.
const LONG: usize = 130;
const LONGER: usize = 220;

/// All that is printed of a game: each card `once` or as often as it is there, with `backs` or without, and boards as
/// `figure` draws them. Nothing where nothing is printed.
pub(crate) fn printed_body(
    game: &Game,
    (once, backs): (bool, bool),
    figure: impl Fn(&Board) -> String,
) -> Option<String> {
    let title = &game.info().title;
    let (printed, more) = (game.printed_cards(), sheets::sheets(game, figure));
    if printed.is_empty() && more.is_empty() {
        return None;
    }
    let each = printed
        .iter()
        .flat_map(|(card, copies)| std::iter::repeat_n(card, if once { 1 } else { *copies }));
    let each: Vec<String> = each.map(|card| face(card, None)).collect();
    let sheet = |cards: &[String]| {
        format!("<section class=\"sheet9\">\n{MARKS}{}</section>\n", cards.concat())
    };
    let count = each.len();
    let mut sheets: Vec<String> = each.chunks(ON_A_SHEET).map(sheet).collect();
    if backs {
        let back = |cards: &[String]| sheet(&[sheets::backs(title, cards.len())]);
        sheets = sheets
            .into_iter()
            .zip(each.chunks(ON_A_SHEET))
            .flat_map(|(front, cards)| [front, back(cards)])
            .collect();
    }
    let cut = if count == 0 { "" } else { ", and cut between the marks" };
    let count = if count == 0 { String::new() } else { format!("{count} cards on ") };
    let is_written = more.iter().any(|sheet| sheet.contains("printed written"));
    let each = if is_written { " Print a score sheet for each player." } else { "" };
    let pages = match sheets.len() + more.len() {
        1 => "1 sheet".to_owned(),
        pages => format!("{pages} sheets"),
    };
    sheets.extend(more);
    let heading = format!(
        "<header class=\"screen\"><h1>{}</h1>\n<p>{count}{pages} of A4 or letter paper. \
         Print at 100 %{cut}.{each}</p></header>\n",
        html(title),
    );
    Some(heading + &sheets.concat())
}

/// Where to cut: a mark at both ends of each line between cards.
const MARKS: &str = "<i class=\"cut v0\"></i><i class=\"cut v1\"></i><i class=\"cut v2\"></i>\
<i class=\"cut v3\"></i><i class=\"cut h0\"></i><i class=\"cut h1\"></i><i class=\"cut h2\"></i>\
<i class=\"cut h3\"></i>\n";

/// The pictures of all cards of a game, each once with how many there are.
pub(crate) fn card_faces(game: &Game) -> String {
    game.printed_cards().iter().map(|(card, copies)| face(card, Some(*copies))).collect()
}

/// A card as it is printed: title, what the columns say, text, notes.
fn face(card: &Card, copies: Option<usize>) -> String {
    let mut colours: Vec<String> = card.colours.iter().map(|paint| hex(*paint)).collect();
    colours.dedup();
    let band = match colours.as_slice() {
        [] => "#8a8a8a".to_owned(),
        [one] => one.clone(),
        several => format!("linear-gradient(90deg,{})", several.join(",")),
    };
    let light = if is_light(&card.colours) { " light" } else { "" };
    let facts = card.columns.iter().filter(|column| !column.is_text);
    let facts = facts.map(|CardColumn { title, value, .. }| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>", html(title), html(value))
    });
    let facts: String = facts.collect();
    let texts = card.columns.iter().filter(|column| column.is_text).map(|column| &column.value);
    let texts: Vec<&String> = texts.chain([&card.notes]).filter(|it| !it.is_empty()).collect();
    let length: usize = texts.iter().map(|text| text.chars().count()).sum();
    let size = match length {
        0..LONG => "",
        LONG..LONGER => " long",
        _ => " longer",
    };
    let texts = texts.iter().map(|text| format!("<p>{}</p>", html(text)));
    let texts: String = texts.collect();
    let sign = |glyph: &String| format!("<span class=\"sign\">{}</span>", html(glyph));
    let glyph = card.glyph.as_ref().map_or_else(String::new, sign);
    let copies = copies.map_or_else(String::new, |copies| format!("<small>× {copies}</small>"));
    format!(
        "<article class=\"card{size}{light}\" style=\"--band:{band}\"><h3>{}{glyph}{copies}</h3>\
         <div class=\"text\">{texts}</div><dl>{facts}</dl></article>\n",
        html(&card.title)
    )
}
