//! What lies on the table on the screen: as roomy as its height allows, never wider than it is.

use anstyle::Style;

use super::blocks::{Block, block, flow, panels};
use super::table::{GAP, columns, listed, packed, wrap};
use super::{line::Line, style};
use crate::game::{TableView, Thing};

#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet<'a> {
    pub(super) view: &'a TableView,
    pub(super) names: &'a [String],
    pub(super) width: usize,
    /// How many lines there are; none where it may take as many as it likes.
    pub(super) height: Option<usize>,
    /// Whose things matter most.
    pub(super) focus: Option<usize>,
}

/// What stands behind players whose drawings are left out.
const ELSEWHERE: &str = "   :state";

/// How close things stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Density {
    /// Each thing has a line of its own.
    Roomy,
    /// What the table has shares lines.
    PackedTable,
    /// What players have does so too.
    Packed,
    /// Only who decides is drawn, the others are told.
    Focused,
}

/// Draws the table, then what the players have: as roomy as the height of the screen allows.
pub(super) fn draw(sheet: &Sheet) -> Vec<Line> {
    let sheet = Sheet { width: sheet.width.max(1), ..*sheet };
    let mut best = sheet.drawn(Density::Roomy);
    let Some(height) = sheet.height else { return best };
    for density in [Density::PackedTable, Density::Packed, Density::Focused] {
        if best.len() <= height {
            break;
        }
        let drawn = sheet.drawn(density);
        if drawn.len() < best.len() {
            best = drawn;
        }
    }
    best
}

impl Sheet<'_> {
    fn drawn(&self, density: Density) -> Vec<Line> {
        let mut lines = self.of_table(density);
        if self.view.players.iter().all(Vec::is_empty) {
            return lines;
        }
        lines.extend(self.told(density));
        lines.extend(self.pictures(density));
        lines
    }

    fn of_table(&self, density: Density) -> Vec<Line> {
        let things = &self.view.table;
        if density == Density::Roomy {
            return roomy(things, 0, self.width);
        }
        let (pictures, told): (Vec<&Thing>, Vec<&Thing>) =
            things.iter().partition(|thing| is_picture(thing));
        let mut lines = packed(Line::default(), &telling(&told), self.width);
        let blocks = pictures.iter().map(|thing| block(thing, self.width, true)).collect();
        lines.extend(flow(blocks, self.width));
        lines
    }

    /// What the players have that is told in words.
    fn told(&self, density: Density) -> Vec<Line> {
        let told: Vec<Vec<&Thing>> = self.view.players.iter().map(|has| words(has)).collect();
        if told.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let columns = columns(&told, self.names, self.width);
        let shared = self.names.iter().zip(&told);
        if density >= Density::Packed {
            let packed = self.packed(&told, density);
            // Behind the words about who decides stand the drawings, without a name of their own.
            let drawn = density == Density::Focused
                && self.names.len() > 1
                && self.view.players.iter().flatten().any(is_picture);
            return match columns {
                Some(columns) if columns.len() <= packed.len() && !drawn => columns,
                _ => packed,
            };
        }
        columns.unwrap_or_else(|| {
            let below = |(name, has): (&String, &Vec<&Thing>)| {
                let mut lines: Vec<Line> = wrap(name, self.width)
                    .iter()
                    .map(|line| Line::styled(line, style::STRONG))
                    .collect();
                lines.extend(listed(has, GAP.min(self.width - 1), self.width));
                lines
            };
            shared.flat_map(below).collect()
        })
    }

    /// What the players have in words behind their names; who decides comes last, before the
    /// drawings.
    fn packed(&self, told: &[Vec<&Thing>], density: Density) -> Vec<Line> {
        let focus = self.focus.filter(|_| density == Density::Focused);
        let line = |seat: usize| {
            let mut head = Line::styled(&self.names[seat], style::STRONG);
            head.push(&" ".repeat(GAP), Style::new());
            packed(head, &telling(&told[seat]), self.width)
        };
        let others = (0..self.names.len()).filter(|seat| Some(*seat) != focus);
        let mut lines: Vec<Line> = others.flat_map(line).collect();
        let drawn = self.view.players.iter().flatten().any(is_picture);
        if let Some(last) = lines.last_mut()
            && focus.is_some()
            && drawn
        {
            if last.length() + ELSEWHERE.len() <= self.width {
                last.push(ELSEWHERE, style::FAINT);
            } else {
                lines.push(Line::styled(ELSEWHERE, style::FAINT).cut(self.width));
            }
        }
        lines.extend(focus.into_iter().flat_map(line));
        lines
    }

    /// What the players have that is drawn: side by side if that fits, else below each other.
    fn pictures(&self, density: Density) -> Vec<Line> {
        let seats = self.names.iter().zip(&self.view.players).enumerate();
        let seen =
            |seat: usize| density < Density::Focused || self.focus.is_none_or(|it| it == seat);
        let seats: Vec<(&String, Vec<&Thing>)> = seats
            .filter(|(seat, _)| seen(*seat))
            .map(|(_, (name, has))| (name, has.iter().filter(|thing| is_picture(thing)).collect()))
            .collect();
        if seats.iter().all(|(_, has)| has.is_empty()) {
            return Vec::new();
        }
        let alone = seats.len() == 1 && !words(&self.view.players[0]).is_empty();
        let blocks = |has: &Vec<&Thing>| -> Vec<Block> {
            has.iter().map(|thing| block(thing, self.width, false)).collect()
        };
        let shown: Vec<(String, Vec<Block>)> =
            seats.iter().map(|(name, has)| ((*name).clone(), blocks(has))).collect();
        let panels = panels(&shown, self.width).filter(|_| !alone);
        let mut lines = panels.unwrap_or_else(|| {
            let below = |(name, blocks): (String, Vec<Block>)| {
                let name = Line::styled(&name, style::STRONG).cut(self.width);
                // Alone it stands right behind the words about this player.
                let mut lines = if alone { Vec::new() } else { vec![name] };
                lines.extend(flow(blocks, self.width));
                lines
            };
            shown.into_iter().flat_map(below).collect()
        });
        // Drawings of several players explain the same letters.
        let mut legends: Vec<&str> = Vec::new();
        let drawn = seats.iter().flat_map(|(_, has)| has).filter(|thing| !thing.grid.is_empty());
        for part in drawn.flat_map(|thing| thing.value.split(", ")) {
            // What needs many words is told where there is room.
            let fits = density < Density::Focused || !part.contains(": ");
            if fits && !part.is_empty() && !legends.contains(&part) {
                legends.push(part);
            }
        }
        let legends = wrap(&legends.join(", "), self.width).into_iter();
        lines.extend(legends.map(|line| Line::styled(&line, style::FAINT)));
        lines
    }
}

fn is_picture(thing: &Thing) -> bool {
    !thing.grid.is_empty() || thing.value.contains('\n')
}

/// The things that there is something to tell about.
fn telling<'a>(things: &[&'a Thing]) -> Vec<&'a Thing> {
    let tells = |thing: &&&Thing| !matches!(thing.value.as_str(), "nothing" | "none");
    things.iter().filter(tells).copied().collect()
}

fn words(things: &[Thing]) -> Vec<&Thing> {
    things.iter().filter(|thing| !is_picture(thing)).collect()
}

/// Things in their order: those in words below each other, drawings beside each other.
fn roomy(things: &[Thing], indent: usize, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for run in things.chunk_by(|a, b| is_picture(a) == is_picture(b)) {
        if is_picture(&run[0]) {
            let blocks = run.iter().map(|thing| block(thing, width, true)).collect();
            lines.extend(flow(blocks, width));
        } else {
            lines.extend(listed(&words(run), indent, width));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Sheet, draw};
    use crate::cli::line::Line;
    use crate::game::{Cell, Paint, TableView, Thing};

    fn things(pairs: &[(&str, &str)]) -> Vec<Thing> {
        let thing = |(title, value): &(&str, &str)| Thing {
            title: (*title).to_owned(),
            value: (*value).to_owned(),
            ..Thing::default()
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
        let names = ["Ann", "Ben"].map(String::from);
        let sheet = Sheet { view, names: &names, width, height: None, focus: None };
        draw(&sheet).iter().map(Line::letters).collect()
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
        let grid = rows.map(|row| row.map(Cell::plain).to_vec()).to_vec();
        let (title, value) = ("field of stones".to_owned(), "s sand, r rock".to_owned());
        view.table.push(Thing { title, value, inks: Vec::new(), grid });
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
        let grid = rows.map(|row| row.map(Cell::plain).to_vec()).to_vec();
        let (title, value) = ("field".to_owned(), "all sand".to_owned());
        let table = vec![Thing { title, value, inks: Vec::new(), grid }];
        let view = TableView { table, players: Vec::new() };
        assert_eq!(
            drawn(&view, 40),
            ["field  a      b", "2      tower  .", "1      .      wall", "all sand"]
        );
        assert_eq!(drawn(&view, 17)[1..3], ["2      tow…  .", "1      .     wall"]);
        assert_eq!(drawn(&view, 16)[1..3], ["2      tower", "1      ."]);
    }

    fn pond() -> Thing {
        let heron = Cell {
            text: "heron".to_owned(),
            inks: vec![Paint::Red],
            ground: Some(("w".to_owned(), Paint::Blue)),
        };
        let grid = vec![vec![Cell::plain(""), Cell::plain("a")], vec![Cell::plain("1"), heron]];
        Thing { title: "pond".to_owned(), value: "w water".to_owned(), inks: Vec::new(), grid }
    }

    #[test]
    fn members_have_colours_and_letters() {
        let view = TableView { table: vec![pond()], players: Vec::new() };
        let sheet = Sheet { view: &view, names: &[], width: 40, height: None, focus: None };
        let lines = draw(&sheet);
        assert_eq!(lines[1].letters(), "1     w heron");
        let cell = "\u{1b}[30m\u{1b}[48;5;32mw\u{1b}[0m \u{1b}[38;5;160mheron\u{1b}[0m";
        assert!(lines[1].coloured().contains(cell), "{:?}", lines[1].coloured());
    }

    #[test]
    fn what_is_too_high_moves_together() {
        let drawn = |height| {
            let mut view = view();
            view.players.iter_mut().for_each(|has| has.push(pond()));
            let names = ["Ann", "Ben"].map(String::from);
            let focus = Some(1);
            let sheet = Sheet { view: &view, names: &names, width: 28, height, focus };
            draw(&sheet).iter().map(Line::letters).collect::<Vec<_>>()
        };
        assert_eq!(drawn(None).len(), 13);
        assert_eq!(drawn(Some(12))[0], "die 4   open cards oak, elm");
        assert_eq!(
            drawn(Some(8)),
            [
                "die 4   open cards oak, elm",
                "Ann  coins 3",
                "     hand ash, yew, fir",
                "   :state",
                "Ben  coins 12   hand 2 cards",
                "pond  a",
                "1     w heron",
                "w water",
            ]
        );
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
