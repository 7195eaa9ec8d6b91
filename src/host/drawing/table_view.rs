//! Draws a `TableView` on the screen: as roomy as its height allows, never wider than it is.

use std::ops::Range;

use anstyle::Style;

use crate::game::{Board, TableView, Thing, ViewCell};
use crate::host::drawing::board_view;
use crate::host::drawing::line::{
    BETWEEN, FAINT, STRONG, ScreenBlock, StyledLine, breadth, ink, text_width, widest, wrap,
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet<'a> {
    pub(crate) view: &'a TableView,
    pub(crate) names: &'a [String],
    pub(crate) width: usize,
    /// How many lines there are; none where it may take as many as it likes.
    pub(crate) height: Option<usize>,
    /// The seat whose things matter most.
    pub(crate) focus: Option<usize>,
}

const GAP: usize = 2;

/// How narrow the column of a player may become before the players stand below each other.
const NARROWEST_PLAYER: usize = 12;

/// How narrow a column of a drawing may become before it is continued below itself.
const NARROWEST_CELL: usize = 4;

/// How wide lines of explanation are at least.
const LEGEND: usize = 40;

/// The hint at the end of the line where the drawings of players are left out.
const ELSEWHERE: &str = "   :state";

/// How close things stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Density {
    /// Each thing has a line of its own.
    Roomy,
    /// Things of the table share lines.
    PackedTable,
    /// Those of players do so too.
    Packed,
    /// Only the player in focus is drawn, the others are put into words.
    Focused,
}

/// Draws the table, then what the players have: as roomy as the height of the screen allows.
pub(crate) fn render_view(sheet: &Sheet) -> Vec<StyledLine> {
    let mut best = sheet.render_sheet(Density::Roomy);
    for density in [Density::PackedTable, Density::Packed, Density::Focused] {
        if sheet.height.is_none_or(|height| best.len() <= height) {
            break;
        }
        let drawn = sheet.render_sheet(density);
        if drawn.len() < best.len() {
            best = drawn;
        }
    }
    best
}

impl Sheet<'_> {
    fn render_sheet(&self, density: Density) -> ScreenBlock {
        let mut lines = self.of_table(density);
        lines.extend(self.words_of_players(density));
        lines.extend(self.drawings_of_players(density));
        lines
    }

    /// The things of the table; where there is room, in their order.
    fn of_table(&self, density: Density) -> ScreenBlock {
        let drawn = |things: &[&Thing]| -> Vec<ScreenBlock> {
            things.iter().map(|thing| drawing(thing, self.width, true)).collect()
        };
        let things: Vec<&Thing> = on_no_board(&self.view.table).collect();
        let mut boards = board_view::render_boards(self.view, None, self.width, true);
        if density > Density::Roomy {
            let (pictures, words): (Vec<&Thing>, Vec<&Thing>) =
                things.into_iter().partition(|thing| is_drawing(thing));
            let mut lines = pack_things(StyledLine::default(), &words, self.width);
            lines.extend(flow([drawn(&pictures), boards].concat(), self.width));
            return lines;
        }
        let mut lines = ScreenBlock::new();
        let mut runs = things.chunk_by(|a, b| is_drawing(a) == is_drawing(b)).peekable();
        while let Some(run) = runs.next() {
            if is_drawing(run[0]) {
                let mut blocks = drawn(run);
                if runs.peek().is_none() {
                    blocks.append(&mut boards);
                }
                lines.extend(flow(blocks, self.width));
            } else {
                lines.extend(list_things(run, 0, self.width));
            }
        }
        lines.extend(flow(boards, self.width));
        lines
    }

    fn words_of_players(&self, density: Density) -> ScreenBlock {
        let players: Vec<Vec<&Thing>> =
            self.view.players.iter().map(|has| things_off_boards(has, false)).collect();
        if players.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let columns = side_by_side(&players, self.names, self.width);
        if density < Density::Packed {
            return columns.unwrap_or_else(|| {
                let below = |(name, has): (&String, &Vec<&Thing>)| {
                    let mut lines = styled(name, self.width, STRONG);
                    lines.extend(list_things(has, GAP, self.width));
                    lines
                };
                self.names.iter().zip(&players).flat_map(below).collect()
            });
        }
        let packed = self.packed_players(&players, density);
        // The drawings follow the words of the player in focus, without the name.
        let drawn = density == Density::Focused && self.names.len() > 1 && self.draws_players();
        columns.filter(|columns| columns.len() <= packed.len() && !drawn).unwrap_or(packed)
    }

    /// The words of each player after the name; the player in focus comes last, before the drawings.
    fn packed_players(&self, players: &[Vec<&Thing>], density: Density) -> ScreenBlock {
        let focus = self.focus.filter(|_| density == Density::Focused);
        let line = |seat: usize| {
            let mut head = StyledLine::styled(&self.names[seat], STRONG);
            head.pad(head.display_width() + GAP);
            pack_things(head, &players[seat], self.width)
        };
        let others = (0..self.names.len()).filter(|seat| Some(*seat) != focus);
        let mut lines: ScreenBlock = others.flat_map(line).collect();
        if let Some(last) = lines.last_mut()
            && focus.is_some()
            && self.draws_players()
        {
            if last.display_width() + ELSEWHERE.len() <= self.width {
                last.push_text(ELSEWHERE, FAINT);
            } else {
                lines.push(StyledLine::styled(ELSEWHERE, FAINT));
            }
        }
        lines.extend(focus.into_iter().flat_map(line));
        lines
    }

    fn draws_players(&self) -> bool {
        let is_owned = |board: &Board| board.owner.is_some();
        self.view.boards.iter().any(is_owned) || self.view.players.iter().flatten().any(is_drawing)
    }

    /// The drawings of the players: side by side if that fits, else below each other.
    fn drawings_of_players(&self, density: Density) -> ScreenBlock {
        let is_shown =
            |seat: usize| density < Density::Focused || self.focus.is_none_or(|it| it == seat);
        let players = self.names.iter().zip(&self.view.players).enumerate();
        let players: Vec<(usize, &String, Vec<&Thing>)> = players
            .filter(|(seat, _)| is_shown(*seat))
            .map(|(seat, (name, has))| (seat, name, things_off_boards(has, true)))
            .collect();
        if !self.draws_players() {
            return Vec::new();
        }
        let drawings = |(seat, _, has): &(usize, &String, Vec<&Thing>)| {
            let things = has.iter().map(|thing| drawing(thing, self.width, false));
            let boards = board_view::render_boards(self.view, Some(*seat), self.width, false);
            things.chain(boards).collect::<Vec<ScreenBlock>>()
        };
        let panel = |name: &str, drawings: Vec<ScreenBlock>, width: usize| {
            let mut lines = vec![StyledLine::styled(name, STRONG).cut(width)];
            lines.extend(flow(drawings, width));
            lines
        };
        let gaps = BETWEEN * (players.len() - 1);
        let room = self.width.saturating_sub(gaps) / players.len();
        let drawn: Vec<_> = players.iter().map(|player| (player.1, drawings(player))).collect();
        let fits = drawn.iter().flat_map(|(_, blocks)| blocks).all(|block| breadth(block) <= room);
        let mut lines = if players.len() == 1
            && !things_off_boards(&self.view.players[0], false).is_empty()
        {
            // They follow the words about this player.
            flow(drawings(&players[0]), self.width)
        } else if fits {
            join_blocks(drawn.into_iter().map(|(name, blocks)| panel(name, blocks, room)), BETWEEN)
        } else {
            let panels = drawn.into_iter().map(|(name, blocks)| panel(name, blocks, self.width));
            panels.flatten().collect()
        };
        // Drawings of several players explain the same letters.
        let mut legends: Vec<&str> = Vec::new();
        let has_board = |board: &&Board| players.iter().any(|it| Some(it.0) == board.owner);
        let boards = self.view.boards.iter().filter(has_board);
        let meanings: Vec<String> = boards.map(|board| board_view::meanings(board, true)).collect();
        let parts = players.iter().flat_map(|(.., has)| has).map(|it| &it.value);
        let parts = parts.chain(&meanings).flat_map(|it| it.split(", "));
        for part in parts {
            // What needs many words stands only where there is room.
            let fits = density < Density::Focused || !part.contains(": ");
            if fits && !part.is_empty() && !legends.contains(&part) {
                legends.push(part);
            }
        }
        lines.extend(styled(&legends.join(", "), self.width, FAINT));
        lines
    }
}

fn is_drawing(thing: &Thing) -> bool {
    !thing.grid.is_empty()
}

fn things_off_boards(things: &[Thing], drawings: bool) -> Vec<&Thing> {
    on_no_board(things).filter(|thing| is_drawing(thing) == drawings).collect()
}

fn on_no_board(things: &[Thing]) -> impl Iterator<Item = &Thing> {
    things.iter().filter(|thing| thing.board.is_none())
}

fn styled(text: &str, width: usize, style: Style) -> ScreenBlock {
    wrap(text, width).iter().map(|line| StyledLine::styled(line, style)).collect()
}

fn indented(block: ScreenBlock, indent: usize) -> ScreenBlock {
    let shifted = |line: StyledLine| {
        let mut shifted = StyledLine::from_text(&" ".repeat(indent));
        shifted.append_line(line);
        shifted
    };
    block.into_iter().map(shifted).collect()
}

/// A row of a table: the cells beside each other, each in a column of its width.
pub(crate) fn join_cells(mut cells: Vec<ScreenBlock>, widths: &[usize], gap: usize) -> ScreenBlock {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let (mut line, mut edge) = (StyledLine::default(), 0);
        for (cell, width) in cells.iter_mut().zip(widths) {
            line.pad(edge);
            line.append_line(cell.get_mut(at).map(std::mem::take).unwrap_or_default());
            edge += width + gap;
        }
        line
    };
    (0..height).map(line).collect()
}

/// Blocks beside each other, each as wide as it is.
pub(crate) fn join_blocks(blocks: impl Iterator<Item = ScreenBlock>, gap: usize) -> ScreenBlock {
    let blocks: Vec<ScreenBlock> = blocks.collect();
    let widths: Vec<usize> = blocks.iter().map(breadth).collect();
    join_cells(blocks, &widths, gap)
}

/// Blocks beside each other as far as they fit, then below.
pub(crate) fn flow(blocks: Vec<ScreenBlock>, width: usize) -> ScreenBlock {
    let widths: Vec<usize> = blocks.iter().map(breadth).collect();
    let mut blocks = blocks.into_iter();
    let rows = split_columns(&widths, width, BETWEEN);
    rows.into_iter()
        .flat_map(|part| join_blocks(blocks.by_ref().take(part.len()), BETWEEN))
        .collect()
}

/// The columns that fit beside each other, in as many parts as are needed.
pub(super) fn split_columns(widths: &[usize], room: usize, gap: usize) -> Vec<Range<usize>> {
    let (mut parts, mut begin, mut taken) = (Vec::new(), 0, 0);
    for (column, width) in widths.iter().enumerate() {
        if column > begin && taken + gap + width > room {
            parts.push(begin..column);
            begin = column;
        }
        taken = if column == begin { *width } else { taken + gap + width };
    }
    parts.push(begin..widths.len());
    parts
}

/// As wide as columns may be in some room: the widest give way first, but none below what can be read.
fn narrowed(widths: &[usize], room: usize, least: usize) -> Option<Vec<usize>> {
    let widest = widths.iter().max().copied().unwrap_or(0);
    let fits = |most: &usize| widths.iter().map(|width| width.min(most)).sum::<usize>() <= room;
    let most = (least.min(widest)..=widest).rev().find(fits)?;
    Some(widths.iter().map(|width| *width.min(&most)).collect())
}

/// Things in words one after the other, in as many lines as they need; empty ones are left out.
fn pack_things(head: StyledLine, things: &[&Thing], width: usize) -> ScreenBlock {
    let indent = head.display_width().min(width - 1);
    let mut lines = vec![head];
    let mut gap = 0;
    for thing in things.iter().filter(|it| !matches!(it.value.as_str(), "nothing" | "none")) {
        let mut words = StyledLine::styled(&thing.title, FAINT);
        words.push_text(" ", Style::new());
        words.append_line(StyledLine::inked(&thing.value, &thing.inks));
        let last = lines.last_mut().expect("there is always a line");
        if last.display_width() + gap + words.display_width() <= width {
            last.pad(last.display_width() + gap);
            last.append_line(words);
        } else if indent + words.display_width() <= width {
            lines.extend(indented(vec![words], indent));
        } else {
            let folded = styled(&words.letters(), width - indent, Style::new());
            lines.extend(indented(folded, indent));
        }
        gap = BETWEEN;
    }
    lines.retain(|line| !line.letters().is_empty());
    lines
}

/// The players side by side: a row for each thing, a column for each player, whose cells are folded
/// where the screen asks for it. `None` where the players have different things, or the columns
/// would be too narrow.
fn side_by_side(players: &[Vec<&Thing>], names: &[String], width: usize) -> Option<ScreenBlock> {
    let titles = |has: &Vec<&Thing>| has.iter().map(|thing| thing.title.clone()).collect();
    let titles: Vec<Vec<String>> = players.iter().map(titles).collect();
    if titles.iter().any(|other| *other != titles[0]) {
        return None;
    }
    let style = |thing: &Thing| match thing.inks.as_slice() {
        [paint] => ink(*paint),
        _ => Style::new(),
    };
    let mut rows = vec![("", names.iter().map(|name| (name.as_str(), STRONG)).collect())];
    rows.extend(titles[0].iter().enumerate().map(|(at, title)| {
        let cells = players.iter().map(|has| (has[at].value.as_str(), style(has[at])));
        (title.as_str(), cells.collect::<Vec<_>>())
    }));
    let head = widest(rows.iter().map(|(title, _)| *title));
    let room = width.checked_sub(head + GAP * players.len())?;
    let texts = |seat: usize| rows.iter().map(move |(_, cells)| cells[seat].0);
    let widths: Vec<usize> = (0..players.len()).map(|seat| widest(texts(seat))).collect();
    let widths = narrowed(&widths, room, NARROWEST_PLAYER)?;
    // A column that is folded between words may become narrower than it has to.
    let tight = |(seat, width): (usize, &usize)| {
        texts(seat)
            .flat_map(|text| wrap(text, *width))
            .map(|line| text_width(&line))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> =
        [head].into_iter().chain(widths.iter().enumerate().map(tight)).collect();
    let line = |(title, cells): &(&str, Vec<(&str, Style)>)| {
        let folded = cells.iter().zip(&widths[1..]);
        let folded = folded.map(|((text, style), width)| styled(text, *width, *style));
        join_cells(
            [vec![StyledLine::from_text(title)]].into_iter().chain(folded).collect(),
            &widths,
            GAP,
        )
    };
    Some(rows.iter().flat_map(line).collect())
}

/// Titles and values below each other, the values in one column where the titles leave room.
fn list_things(things: &[&Thing], indent: usize, width: usize) -> ScreenBlock {
    let titles = widest(things.iter().map(|thing| thing.title.as_str()));
    let column = indent + titles + GAP;
    let is_roomy = column + column.max(10) <= width;
    let lines = things.iter().flat_map(|thing| {
        if !is_roomy {
            let mut lines = styled(&thing.title, width - indent, Style::new());
            let value = styled(&thing.value, width - indent - GAP, Style::new());
            lines.extend(indented(value, GAP));
            return lines;
        }
        let value = match wrap(&thing.value, width - column).as_slice() {
            [whole] => vec![StyledLine::inked(whole, &thing.inks)],
            lines => lines.iter().map(|line| StyledLine::from_text(line)).collect(),
        };
        join_cells(vec![vec![StyledLine::from_text(&thing.title)], value], &[titles, 0], GAP)
    });
    indented(lines.collect(), indent)
}

/// A thing in rows and columns, its title before the headings, and what explains it. What is too wide is
/// narrowed as far as it can be read, then continued below.
pub(crate) fn drawing(thing: &Thing, width: usize, explained: bool) -> ScreenBlock {
    let rows = |brief: bool| -> Vec<Vec<StyledLine>> {
        let rows = thing.grid.iter().enumerate();
        rows.map(|(at, row)| style_cells(thing, at, row, brief)).collect()
    };
    // Sets are in words, unless these would be cut.
    let is_wide = |rows: &[Vec<StyledLine>]| {
        let head = breadth(rows.iter().filter_map(|row| row.first()));
        head + width_of_cells(rows) > width
    };
    let rows = Some(rows(false)).filter(|rows| !is_wide(rows)).unwrap_or_else(|| rows(true));
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| breadth(rows.iter().filter_map(|row| row.get(column)));
    let mut widths: Vec<usize> = (0..count).map(widest).collect();
    let head = widths.remove(0).min(width.saturating_sub(NARROWEST_CELL + GAP).max(1));
    // Columns stand closer where only so all of them fit.
    let fits = |gap: usize| head + widths.iter().map(|it| it + gap).sum::<usize>() <= width;
    let gap = if !fits(GAP) && fits(1) { 1 } else { GAP };
    let room = width.saturating_sub(head + gap);
    let gaps = gap * widths.len().saturating_sub(1);
    let narrow = room.checked_sub(gaps).and_then(|room| narrowed(&widths, room, NARROWEST_CELL));
    let widths = narrow.unwrap_or(widths);
    let mut lines = ScreenBlock::new();
    for part in split_columns(&widths, room, gap) {
        let all: Vec<usize> = [&[head], &widths[part.clone()]].concat();
        for cells in &rows {
            let part = part.clone().map(|at| cells.get(at + 1).cloned().unwrap_or_default());
            let cells = [cells[0].clone()].into_iter().chain(part).zip(&all);
            let cells = cells.map(|(cell, width)| vec![cell.cut(*width)]).collect();
            lines.extend(join_cells(cells, &all, gap).into_iter().map(|line| line.cut(width)));
        }
    }
    if explained {
        let room = breadth(&lines).max(LEGEND).min(width);
        lines.extend(styled(&thing.value, room, FAINT));
    }
    lines
}

/// How wide the cells of some rows are beside each other, the headings of the rows aside.
fn width_of_cells(rows: &[Vec<StyledLine>]) -> usize {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |at: usize| breadth(rows.iter().filter_map(|row| row.get(at)));
    (1..count).map(|at| column(at) + GAP).sum()
}

/// The cells of a row: headings are faint, the title stands where the headings meet.
fn style_cells(thing: &Thing, row: usize, cells: &[ViewCell], brief: bool) -> Vec<StyledLine> {
    let cell = |(column, cell): (usize, &ViewCell)| match (row, column) {
        (0, 0) if cell.text.is_empty() => StyledLine::from_text(&thing.title),
        (0, _) | (_, 0) => StyledLine::styled(&cell.text, FAINT),
        _ => {
            let is_set = cell.text.contains(", ");
            let text = if is_set && !brief { cell.text.as_str() } else { cell.shown() };
            match cell.inks.as_slice() {
                [] if text == "." || text == "0" => StyledLine::styled(text, FAINT),
                inks if text.starts_with('>') => {
                    let style = inks.first().map_or(Style::new(), |paint| ink(*paint));
                    StyledLine::styled(text, style.bold())
                }
                inks => StyledLine::inked(text, inks),
            }
        }
    };
    cells.iter().enumerate().map(cell).collect()
}

/// Rows whose cells stand in columns; where the last ones are too long, they go on below themselves.
pub(crate) fn align(rows: &[Vec<String>], width: usize) -> ScreenBlock {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..count).map(|column| widest(cells(column).map(String::as_str))).collect();
    let before: usize = widths.iter().take(count.saturating_sub(1)).map(|it| it + GAP).sum();
    let room = width.saturating_sub(before).max(NARROWEST_PLAYER);
    let line = |cells: &Vec<String>| {
        let cell = |(at, cell): (usize, &String)| match wrap(cell, room) {
            lines if at + 1 == count && lines.len() > 1 => {
                lines.iter().map(|line| StyledLine::from_text(line)).collect()
            }
            _ => vec![StyledLine::from_text(cell)],
        };
        let lines = join_cells(cells.iter().enumerate().map(cell).collect(), &widths, GAP);
        if lines.iter().all(|line| line.display_width() <= width) {
            return lines;
        }
        // The row is too wide for columns: one cell follows the other.
        let cells: Vec<&str> =
            cells.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        let more = wrap(&cells.join(" · "), width.saturating_sub(4).max(1)).into_iter().enumerate();
        more.map(|(at, line)| {
            StyledLine::from_text(&format!("{}{line}", if at == 0 { "  " } else { "    " }))
        })
        .collect()
    };
    rows.iter().flat_map(line).collect()
}

/// Rows whose cells stand in columns, none wider than the screen.
pub(crate) fn columns_of(rows: &[Vec<StyledLine>], width: usize) -> ScreenBlock {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> = (0..count).map(|column| breadth(cells(column))).collect();
    let line = |cells: &Vec<StyledLine>| {
        let cells = cells.iter().map(|cell| vec![cell.clone()]).collect();
        join_cells(cells, &widths, GAP)
            .into_iter()
            .map(|line| line.cut(width))
            .collect::<ScreenBlock>()
    };
    rows.iter().flat_map(line).collect()
}
