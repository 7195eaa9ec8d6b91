//! Draws a board of a view as SVG: where its cells lie, and what lies on them.

use crate::game::{Board, BoardCell, BoardLayout, Layer, LayerForm, Paint, Piece, SeatView, Tag};
use crate::host::drawing::board_view;
use crate::host::gate::html;
use crate::printed::hex;

/// How wide half a cell is, in the units of the drawing.
const HALF: i64 = 24;

/// How far rows of hexes are apart.
const HEX_ROW: i64 = 42;

/// The room beside and above the cells for their headings.
const EDGE: i64 = 30;

/// How wide and high a place of a map is drawn, and how far apart places stand on their circle.
const PLACE: (i64, i64) = (104, 58);
const APART: i64 = 150;

/// The boards of a table, each with its edges and corners in one figure.
pub(super) fn figures<'b>(
    boards: impl Iterator<Item = &'b Board>,
    seats: &[SeatView],
    titled: bool,
) -> String {
    let mut pictures: Vec<Vec<&Board>> = Vec::new();
    let whole = |board: &'b Board| {
        (board.of.as_ref().map_or(board.name.as_str(), |whole| whole.name.as_str()), board.owner)
    };
    for board in boards {
        match pictures.iter_mut().find(|parts| whole(parts[0]) == whole(board)) {
            Some(parts) => parts.push(board),
            None => pictures.push(vec![board]),
        }
    }
    pictures.iter().map(|parts| figure(parts, seats, titled)).collect()
}

/// A board with what lies on it, what its signs mean, and its title where it needs one.
pub(super) fn figure(parts: &[&Board], seats: &[SeatView], titled: bool) -> String {
    let board = parts[0];
    let mut text = format!("<figure>\n{}", draw_svg(parts, seats));
    let owner = board.owner.and_then(|seat| seats.get(seat)).map(|seat| seat.name.as_str());
    let title = match (owner, titled) {
        (Some(owner), _) => format!("{owner}: {}", board.title),
        (None, true) => board.title.clone(),
        (None, false) => String::new(),
    };
    let used = |at: &usize| board.cells.iter().any(|cell| cell.ground == Some(*at));
    let grounds = (0..board.grounds.len()).filter(used).map(|at| {
        let tag = &board.grounds[at];
        let paint = tag.colours.first().map_or_else(String::new, |paint| tint(*paint));
        format!("<i class=\"swatch\" style=\"background:{paint}\"></i>{}", html(&tag.title))
    });
    let meanings = parts.iter().map(|board| board_view::meanings(board, false));
    let words = std::iter::once(title).chain(meanings).map(|words| html(&words));
    let words: Vec<String> =
        words.chain([grounds.collect()]).filter(|words| !words.is_empty()).collect();
    if !words.is_empty() {
        text.extend([format!("<figcaption>{}</figcaption>\n", words.join(" · "))]);
    }
    text + "</figure>\n"
}

/// The colour of a cell on a page.
fn tint(paint: Paint) -> String {
    format!("color-mix(in srgb,{} 38%,#fbf6ea)", hex(paint))
}

fn draw_svg(parts: &[&Board], seats: &[SeatView]) -> String {
    let board = parts[0];
    let place = |board: &Board| (0..board.cells.len()).map(|at| centre(board, at)).collect();
    let all: Vec<Vec<(i64, i64)>> = parts.iter().map(|board| place(board)).collect();
    let places = &all[0];
    let (reach_x, reach_y) = match board.layout {
        BoardLayout::Map => (PLACE.0 / 2 + 4, PLACE.1 / 2 + 4),
        _ => (HALF + 4, HALF + 4 + if board.layout == BoardLayout::Hex { 4 } else { 0 }),
    };
    let headed = if board.layout == BoardLayout::Ring { EDGE - 8 } else { 0 };
    let width = all.iter().flatten().map(|it| it.0).max().unwrap_or(0) + reach_x;
    let height = all.iter().flatten().map(|it| it.1).max().unwrap_or(0) + reach_y + headed;
    let name = html(&board.title);
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{name}\">\n"
    );
    headings(&mut svg, board, places);
    draw_links(&mut svg, board, places);
    let cells = parts.iter().zip(&all).flat_map(|(board, places)| {
        board.cells.iter().zip(places).map(move |(cell, place)| (board, cell, place))
    });
    for (board, cell, place) in cells {
        svg.push_str(&ground(board, cell, *place));
        svg.push_str(&draw_pieces(board, cell, seats, *place));
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// Where the middle of a cell is drawn.
fn centre(board: &Board, at: usize) -> (i64, i64) {
    let cell = &board.cells[at];
    let number = |it: usize| i64::try_from(it).unwrap_or(0);
    let (x, y) = (number(cell.x), number(cell.y));
    match board.layout {
        BoardLayout::Grid | BoardLayout::Ring => {
            (EDGE + HALF + x * HALF, EDGE + HALF + y * 2 * HALF)
        }
        BoardLayout::Hex => (EDGE + HALF + x * HALF, EDGE + HALF + y * HEX_ROW),
        BoardLayout::Map => on_circle(number(at), number(board.cells.len())),
        BoardLayout::Edges | BoardLayout::Corners => {
            let down = if is_of_hexes(board) { y * HEX_ROW / 6 - 4 } else { y * HALF / 3 };
            (EDGE + x * HALF / 2, EDGE + down)
        }
    }
}

/// Whether edges or corners are those of hexes.
fn is_of_hexes(board: &Board) -> bool {
    board.of.as_ref().is_some_and(|whole| whole.layout == BoardLayout::Hex)
}

/// Places of a map stand on a circle, so that no link runs through a third place.
fn on_circle(at: i64, count: i64) -> (i64, i64) {
    let radius = (count * APART * 10 / 63).max(APART);
    let (angle, flat) = (360 * at / count, radius * 62 / 100);
    let (right, up) = (radius * sine(angle) / 1000, flat * sine(angle + 90) / 1000);
    (radius + right + PLACE.0 / 2 + 4, flat - up + PLACE.1 / 2 + 4)
}

/// A thousand times the sine of an angle in degrees, by the formula of Bhaskara: near enough for a
/// drawing, and the same on every machine.
fn sine(degrees: i64) -> i64 {
    let angle = degrees.rem_euclid(360);
    let (half, sign) = if angle < 180 { (angle, 1) } else { (angle - 180, -1) };
    let product = half * (180 - half);
    sign * 4000 * product / (40_500 - product)
}

fn headings(svg: &mut String, board: &Board, places: &[(i64, i64)]) {
    let mut heading = |(x, y): (i64, i64), text: &str| {
        svg.extend([format!(
            "<text class=\"heading\" x=\"{x}\" y=\"{y}\">{}</text>\n",
            html(text)
        )]);
    };
    if board.layout == BoardLayout::Ring {
        let last = board.cells.iter().map(|cell| cell.y).max().unwrap_or(0);
        for ((cell, (x, y)), word) in board.cells.iter().zip(places).zip(&board.columns) {
            let below = cell.y == last && last > 0;
            let y = if below { y + HALF + 17 } else { y - HALF - 8 };
            heading((*x, y), word);
        }
        return;
    }
    let columns = board.columns.iter().zip((0..).step_by(2));
    columns.for_each(|(word, x)| heading((EDGE + HALF + x * HALF, EDGE - 10), word));
    for (y, word) in board.rows.iter().enumerate() {
        let first = board.cells.iter().zip(places).find(|(cell, _)| cell.y == y);
        first.into_iter().for_each(|(_, place)| heading((place.0 - HALF - 14, place.1 + 5), word));
    }
}

/// The links of a map, each once.
fn draw_links(svg: &mut String, board: &Board, places: &[(i64, i64)]) {
    for (at, cell) in board.cells.iter().enumerate() {
        let to = |name: &String| board.cells.iter().position(|cell| cell.name == *name);
        for other in cell.beside.iter().filter_map(to).filter(|other| *other > at) {
            let ((x1, y1), (x2, y2)) = (places[at], places[other]);
            svg.extend([format!(
                "<line class=\"link\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"
            )]);
        }
    }
}

/// A cell without what lies on it; the group that it begins stays open.
fn ground(board: &Board, cell: &BoardCell, (x, y): (i64, i64)) -> String {
    let tag = cell.ground.and_then(|at| board.grounds.get(at));
    let paint = tag.and_then(|tag| tag.colours.first());
    let fill = paint.map_or(String::new(), |paint| format!(" style=\"fill:{}\"", tint(*paint)));
    let mut words: Vec<&str> = vec![&cell.title];
    words.extend(tag.map(|tag| tag.title.as_str()));
    words.extend(cell.pieces.iter().map(|piece| piece.value.text.as_str()));
    let title = html(&words.join(" · "));
    let shape = match board.layout {
        BoardLayout::Grid | BoardLayout::Ring => {
            let (left, top, side) = (x - HALF, y - HALF, 2 * HALF);
            format!("<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"{fill}/>")
        }
        BoardLayout::Hex => {
            let corners = [(0, -28), (24, -14), (24, 14), (0, 28), (-24, 14), (-24, -14)];
            let corners = corners.map(|(right, down)| format!("{},{}", x + right, y + down));
            format!("<polygon points=\"{}\"{fill}/>", corners.join(" "))
        }
        BoardLayout::Edges | BoardLayout::Corners => {
            format!("<circle class=\"joint\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>")
        }
        BoardLayout::Map => {
            let (wide, high) = PLACE;
            let (left, top) = (x - wide / 2, y - high / 2);
            format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"9\"{fill}/>\
                 <text class=\"place\" x=\"{x}\" y=\"{}\">{}</text>",
                top + 16,
                html(&cell.title)
            )
        }
    };
    format!("<g class=\"cell\"><title>{title}</title>{shape}")
}

/// What lies on a cell: one piece in its middle, more of them smaller beside each other, and marks
/// in the corner.
fn draw_pieces(board: &Board, cell: &BoardCell, seats: &[SeatView], (x, y): (i64, i64)) -> String {
    let is_mark = |piece: &&Piece| board.layers[piece.layer].form == LayerForm::Mark;
    let (marks, lying): (Vec<&Piece>, Vec<&Piece>) = cell.pieces.iter().partition(is_mark);
    let (room, middle) = match board.layout {
        BoardLayout::Map => (34, y + 10),
        BoardLayout::Edges | BoardLayout::Corners => (HALF, y),
        _ => (2 * HALF - 8, y),
    };
    let across = match lying.len() {
        ..=1 => 1,
        2..=4 => 2,
        _ => 3,
    };
    let side = room / across;
    // An empty cell has a row of nothing.
    let rows = (0..).zip(&lying).map(|(at, _)| at / across + 1).last().unwrap_or(1);
    let mut drawn = String::new();
    for (at, piece) in (0..).zip(lying) {
        let centre = (
            x + side * (2 * (at % across) + 1 - across) / 2,
            middle + side * (2 * (at / across) + 1 - rows) / 2,
        );
        drawn.push_str(&draw_piece(
            &board.layers[piece.layer],
            piece,
            seats,
            (centre, side / 2 - 1),
        ));
    }
    for (at, piece) in (0..).zip(marks) {
        let (class, corner) =
            (inked("mark", owner_colour(piece, seats)), (x + 16 - 11 * at, y - 12));
        drawn.push_str(&letters(corner, 22, &class, board_view::MARK));
    }
    drawn
}

fn owner_colour(piece: &Piece, seats: &[SeatView]) -> Option<Paint> {
    piece.owner.and_then(|seat| seats.get(seat)).map(|seat| seat.colour)
}

/// A class of letters with a colour of their own.
fn inked(class: &str, paint: Option<Paint>) -> String {
    paint.map_or_else(|| class.to_owned(), |paint| format!("{class}\" style=\"fill:{}", hex(paint)))
}

/// A piece: a disc, with its letter where it has one; its glyph; a number.
fn draw_piece(
    layer: &Layer,
    piece: &Piece,
    seats: &[SeatView],
    ((x, y), radius): ((i64, i64), i64),
) -> String {
    let owner = owner_colour(piece, seats);
    match (layer.form, piece.value.members.as_slice()) {
        (LayerForm::Place, []) => disc((x, y), radius, &[Paint::Grey], &board_view::initial(layer)),
        (_, [tag]) if ROUND.contains(&tag.short.as_str()) => disc((x, y), radius, &tag.colours, ""),
        (_, [tag]) if is_glyph(tag) => {
            let count = i64::try_from(tag.short.chars().count()).unwrap_or(1);
            let class = inked("glyph", tag.colours.first().copied());
            letters((x, y), radius * 20 / (7 * count + 3), &class, &tag.short)
        }
        (_, [tag]) => {
            let short = if tag.short.is_empty() { &tag.title } else { &tag.short };
            disc((x, y), radius, &tag.colours, short)
        }
        _ => letters((x, y), (radius * 5 / 4).max(9), &inked("number", owner), &piece.value.text),
    }
}

/// Glyphs that stand for discs.
const ROUND: [&str; 2] = ["●", "○"];

/// Whether what stands for a member is a picture, and not letters.
fn is_glyph(tag: &Tag) -> bool {
    !tag.short.is_empty() && !tag.short.chars().any(char::is_alphanumeric)
}

fn fill_attribute(paint: Paint) -> String {
    format!("fill=\"{}\"", hex(paint))
}

/// A disc in one colour, or with a half for each of the first two.
fn disc((x, y): (i64, i64), radius: i64, paints: &[Paint], text: &str) -> String {
    let first = paints.first().copied().unwrap_or(Paint::Grey);
    let mut drawn = format!(
        "<circle class=\"piece\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {}/>",
        fill_attribute(first)
    );
    if let Some(second) = paints.get(1).filter(|second| **second != first) {
        drawn.extend([format!(
            "<path d=\"M{x} {} a{radius} {radius} 0 0 1 0 {} z\" {}/>",
            y - radius,
            2 * radius,
            fill_attribute(*second)
        )]);
    }
    let size = radius * 5 / i64::try_from(text.chars().count().clamp(3, 12)).unwrap_or(3);
    drawn + &letters((x, y), size, "letter", text)
}

fn letters((x, y): (i64, i64), size: i64, class: &str, text: &str) -> String {
    let (below, text) = (y + size * 7 / 20, html(text));
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{below}\" font-size=\"{size}\">{text}</text>")
}
