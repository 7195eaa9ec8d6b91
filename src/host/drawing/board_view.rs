//! Draws a board in letters: every cell as wide as the widest piece that can ever lie there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anstyle::Style;

use crate::game::{Board, BoardCell, BoardLayout, Layer, LayerForm, Piece, TableView, Tag};
use crate::host::drawing::lattice_view::render_lattice;
use crate::host::drawing::line::{FAINT, StyledLine, breadth, ground, ink, text_width, wrap};
use crate::host::drawing::table_view::{columns_of, split_columns};

/// What stands in an empty cell.
pub(super) const EMPTY: &str = "·";

/// Boards of more cells are cropped, with so many empty cells around what lies there.
const LARGE: usize = 400;
const MARGIN: usize = 2;

/// How wide what explains a board is at least.
const LEGEND: usize = 24;

/// What marks a cell.
pub(crate) const MARK: &str = "*";

/// The boards of a player, or of nobody, each in lines of its own.
pub(crate) fn render_boards(
    view: &TableView,
    owner: Option<usize>,
    width: usize,
    explained: bool,
) -> Vec<Vec<StyledLine>> {
    let whole = |board: &Board| board.of.as_ref().map_or(board.name.clone(), |it| it.name.clone());
    let titled = view.boards.iter().any(|board| whole(board) != whole(&view.boards[0]));
    let own = || view.boards.iter().filter(|board| board.owner == owner);
    let draw = |board: &Board| {
        // The first of a board and its edges and corners is drawn with the others.
        let parts: Vec<&Board> = own().filter(|other| whole(other) == whole(board)).collect();
        let is_first = parts.first().is_some_and(|first| first.name == board.name);
        if parts.iter().any(|part| is_between(part)) {
            return if is_first {
                render_parts(&parts, titled, width, explained)
            } else {
                Vec::new()
            };
        }
        // A map has its title where the headings meet.
        let title = (titled && board.layout != BoardLayout::Map)
            .then(|| StyledLine::styled(&board.title, FAINT).cut(width));
        title
            .into_iter()
            .chain(render_board(
                (board, visible_part(view, board)),
                &targets(view, board),
                width,
                explained,
            ))
            .collect()
    };
    own().map(draw).filter(|lines| !lines.is_empty()).collect()
}

fn is_between(board: &Board) -> bool {
    matches!(board.layout, BoardLayout::Edges | BoardLayout::Corners)
}

/// A board with its edges and corners, in one picture.
fn render_parts(parts: &[&Board], titled: bool, width: usize, explained: bool) -> Vec<StyledLine> {
    let name = parts[0].of.as_ref().map_or(&parts[0].title, |whole| &whole.name);
    let title = titled.then(|| StyledLine::styled(name, FAINT).cut(width));
    let picture = render_lattice(parts, width);
    let meanings: Vec<String> = parts.iter().map(|board| meanings(board, true)).collect();
    let meanings: Vec<String> = meanings.into_iter().filter(|words| !words.is_empty()).collect();
    let room = breadth(&picture).max(LEGEND).min(width);
    let meanings = if explained { wrap(&meanings.join(", "), room) } else { Vec::new() };
    let meanings = meanings.iter().map(|line| StyledLine::styled(line, FAINT));
    title.into_iter().chain(picture).chain(meanings).collect()
}

/// What lies on the cells of a board, drawn without the board.
pub(super) struct CellPicture<'a> {
    board: &'a Board,
    layers: Vec<usize>,
}

impl CellPicture<'_> {
    pub(super) fn new(board: &Board) -> CellPicture<'_> {
        let layers = board.layers.iter().map(|layer| layer_width(board, layer)).collect();
        CellPicture { board, layers }
    }

    /// What is there: nothing where it is empty.
    pub(super) fn draw(&self, cell: &BoardCell) -> StyledLine {
        let ground = cell.ground.and_then(|at| self.board.grounds.get(at));
        let mut line = ground.map_or_else(StyledLine::default, render_ground);
        let pieces = draw_layers(self.board, Ok(&self.layers), cell);
        if line.display_width() > 0 && pieces.display_width() > 0 {
            line.push_text(" ", Style::new());
        }
        line.append_line(pieces);
        line
    }
}

/// What is typed for a move to a cell, by the name of the cell, where that is not the name itself.
type Targets<'a> = BTreeMap<&'a str, &'a str>;

/// The cells that a move has as its only argument, where it calls them otherwise: by the number of their column, say.
fn targets<'a>(view: &'a TableView, board: &Board) -> Targets<'a> {
    let mut targets = Targets::new();
    for group in view.actions.iter().filter(|group| group.parameters.len() == 1) {
        for action in &group.actions {
            let value = action.arguments.first().and_then(|at| group.parameters[0].values.get(*at));
            let Some([cell]) = value.map(|value| value.members.as_slice()) else { continue };
            let words = action.label.strip_prefix(group.name.as_str()).unwrap_or(&action.label);
            if cell.kind == board.name && words.trim() != cell.name {
                targets.insert(cell.name.as_str(), words.trim());
            }
        }
    }
    targets
}

type VisiblePart = [Range<usize>; 2];

/// The columns and rows to draw: of a large board those around pieces and targets of moves.
fn visible_part(view: &TableView, board: &Board) -> VisiblePart {
    let place = |cell: &BoardCell| [cell.x / 2, cell.y];
    let is_cropped =
        board.cells.len() > LARGE && matches!(board.layout, BoardLayout::Grid | BoardLayout::Hex);
    let values = view.actions.iter().flat_map(|group| &group.parameters).flat_map(|it| &it.values);
    let tags = values.flat_map(|value| &value.members).filter(|tag| tag.kind == board.name);
    let named: BTreeSet<&str> = tags.map(|tag| tag.name.as_str()).collect();
    let is_used = |cell: &&BoardCell| !cell.pieces.is_empty() || named.contains(cell.name.as_str());
    let used: Vec<_> = board.cells.iter().filter(is_used).map(place).collect();
    [0, 1].map(|axis| {
        let end = board.cells.iter().map(|cell| place(cell)[axis] + 1).max().unwrap_or(0);
        let places = used.iter().filter(|_| is_cropped).map(|place| place[axis]);
        match (places.clone().min(), places.max()) {
            (Some(low), Some(high)) => low.saturating_sub(MARGIN)..end.min(high + MARGIN + 1),
            _ => 0..end,
        }
    })
}

/// A part of the first board that has rows, where the whole has no room: around the middle of what lies there.
pub(crate) fn render_part(view: &TableView, width: usize, height: usize) -> Vec<StyledLine> {
    let is_joined = |board: &Board| {
        let of = |part: &Board| part.of.as_ref().is_some_and(|whole| whole.name == board.name);
        view.boards.iter().any(of)
    };
    let in_rows = |board: &&Board| {
        matches!(board.layout, BoardLayout::Grid | BoardLayout::Hex)
            && board.owner.is_none()
            && !is_joined(board)
    };
    let Some(board) = view.boards.iter().find(in_rows) else { return Vec::new() };
    let targets = targets(view, board);
    let [columns, rows] = visible_part(view, board);
    let middle = |of: &dyn Fn(&BoardCell) -> usize, all: &Range<usize>| {
        let used = board.cells.iter().filter(|cell| !cell.pieces.is_empty());
        let places: Vec<usize> = used.map(of).collect();
        let (count, sum) = (places.len(), places.iter().sum::<usize>());
        sum.checked_div(count).unwrap_or(usize::midpoint(all.start, all.end))
    };
    let around = |middle: usize, most: usize, all: &Range<usize>| {
        let last = all.end.saturating_sub(most).max(all.start);
        let first = middle.saturating_sub(most / 2).clamp(all.start, last);
        first..all.end.min(first + most)
    };
    let rows = around(middle(&|cell| cell.y, &rows), height.saturating_sub(2).max(1), &rows);
    let most = (1..=columns.len()).rev().find(|most| {
        let frame = BoardFrame::new(board, rows.clone(), &targets);
        frame.step * most + frame.edge <= width
    });
    let columns = around(middle(&|cell| cell.x / 2, &columns), most.unwrap_or(1), &columns);
    let mut lines = render_grid((board, [columns, rows]), &targets, width);
    lines.truncate(height.saturating_sub(1));
    lines.push(StyledLine::styled("… a part of the board: :state", FAINT));
    lines
}

/// Draws a board; one that is too wide continues below.
fn render_board(
    (board, part): (&Board, VisiblePart),
    targets: &Targets,
    width: usize,
    explained: bool,
) -> Vec<StyledLine> {
    let lines = match board.layout {
        BoardLayout::Map => map(board, width),
        _ => render_grid((board, part), targets, width),
    };
    if !explained {
        return lines;
    }
    let room = breadth(&lines).max(LEGEND).min(width);
    let meanings = wrap(&meanings(board, true), room);
    lines.into_iter().chain(meanings.iter().map(|line| StyledLine::styled(line, FAINT))).collect()
}

/// Where the cells of a board of rows stand.
#[derive(Clone)]
struct BoardFrame<'a> {
    board: &'a Board,
    rows: Range<usize>,
    targets: &'a Targets<'a>,
    /// How wide the names of the rows are, with the space behind them.
    edge: usize,
    /// How far a cell is from the next.
    step: usize,
    /// How wide what is below the pieces is.
    below: usize,
    layers: Vec<usize>,
    /// Where the board would be too wide: what stands between the pieces of a cell, and the widths of the columns.
    close: Option<(&'static str, Vec<usize>)>,
}

/// A board of rows, the letters of its columns above them.
fn render_grid(
    (board, [columns, rows]): (&Board, VisiblePart),
    targets: &Targets,
    width: usize,
) -> Vec<StyledLine> {
    let frame = BoardFrame::new(board, rows, targets);
    let whole = [frame.clone(), frame.close_up(" "), frame.close_up("")];
    let fits = |frame: &&BoardFrame| frame.parts(&columns, width).len() == 1;
    let frame = whole.iter().find(fits).unwrap_or(&whole[2]);
    let parts = frame.parts(&columns, width).into_iter();
    parts.flat_map(|part| frame.render_columns(&part)).map(|line| line.cut(width)).collect()
}

impl<'a> BoardFrame<'a> {
    fn new(board: &'a Board, rows: Range<usize>, targets: &'a Targets) -> BoardFrame<'a> {
        let below = board.grounds.iter().map(|tag| text_width(&tag.short)).max().unwrap_or(0);
        let below = if board.cells.iter().any(|cell| cell.ground.is_some()) { below } else { 0 };
        let layers: Vec<usize> =
            board.layers.iter().map(|layer| layer_width(board, layer)).collect();
        let gaps =
            board.layers.iter().filter(|it| it.form != LayerForm::Mark).count().saturating_sub(1);
        let cell = (layers.iter().sum::<usize>() + gaps).max(1) + below + usize::from(below > 0);
        let cell = match board.layout {
            BoardLayout::Ring => {
                cell.max(board.columns.iter().map(|it| text_width(it)).max().unwrap_or(0))
            }
            _ => cell,
        };
        // Half a cell must be a whole number of columns, where rows lie beside each other.
        let step = if board.layout == BoardLayout::Hex { (cell / 2 + 1) * 2 } else { cell + 1 };
        let edge = board.rows.iter().map(|row| text_width(row) + 2).max().unwrap_or(0);
        BoardFrame { board, rows, targets, edge, step, below, layers, close: None }
    }

    /// Makes columns as narrow as their content; only cells in rows have columns of their own.
    fn close_up(&self, between: &'static str) -> Self {
        let mut frame = self.clone();
        if self.board.layout != BoardLayout::Grid {
            return frame;
        }
        let mut widths: Vec<usize> = self.board.columns.iter().map(|it| text_width(it)).collect();
        for cell in self.board.cells.iter().filter(|cell| self.rows.contains(&cell.y)) {
            let Some(width) = widths.get_mut(cell.x / 2) else { continue };
            let pieces = draw_layers(self.board, Err(between), cell).display_width().max(1);
            *width = (*width).max(pieces + self.below + usize::from(self.below > 0));
        }
        frame.close = Some((between, widths));
        frame
    }

    /// The columns that stand beside each other, in as many parts as are needed.
    fn parts(&self, columns: &Range<usize>, width: usize) -> Vec<Range<usize>> {
        let room = width.saturating_sub(self.edge);
        if let Some((_, widths)) = &self.close {
            let parts = split_columns(&widths[columns.clone()], room, 1).into_iter();
            return parts.map(|it| it.start + columns.start..it.end + columns.start).collect();
        }
        let most = (room / self.step).max(1);
        let parts = columns.clone().step_by(most);
        parts.map(|first| first..columns.end.min(first + most)).collect()
    }

    /// The screen columns from the names of the rows to `x`, in halves of a cell.
    fn offset(&self, x: usize, columns: &Range<usize>) -> usize {
        match &self.close {
            Some((_, widths)) => widths[columns.start..x / 2].iter().map(|it| it + 1).sum(),
            None => (x - 2 * columns.start) * self.step / 2,
        }
    }

    fn render_columns(&self, columns: &Range<usize>) -> Vec<StyledLine> {
        let BoardFrame { board, edge, .. } = *self;
        let last = self.rows.end.saturating_sub(1);
        let is_ring = board.layout == BoardLayout::Ring;
        let mut lines = Vec::new();
        if !is_ring {
            let mut heading = StyledLine::default();
            let letters = board.columns.iter().take(columns.end).skip(columns.start);
            for (at, letter) in (columns.start..).zip(letters) {
                heading.pad(edge + self.offset(2 * at, columns));
                heading.push_text(letter, FAINT);
            }
            lines.push(heading);
        }
        for y in self.rows.start..=last {
            let row = self.render_row(y, columns);
            // The names of a ring stand outside, so that the cells of both rows lie beside each other.
            match is_ring {
                true if y < last || last == 0 => {
                    lines.extend([self.render_cell_names(y, columns), row]);
                }
                true => lines.extend([row, self.render_cell_names(y, columns)]),
                false => lines.push(row),
            }
        }
        lines
    }

    fn cell_offset(&self, cell: &BoardCell, columns: &Range<usize>) -> usize {
        self.edge + self.offset(cell.x, columns)
    }

    /// The cells of a row in the order in which they stand.
    fn cells_in_row(&self, y: usize, columns: &Range<usize>) -> Vec<(usize, &BoardCell)> {
        let cells = self.board.cells.iter().enumerate();
        let stands = |cell: &BoardCell| cell.y == y && columns.contains(&(cell.x / 2));
        let mut cells: Vec<_> = cells.filter(|(_, cell)| stands(cell)).collect();
        cells.sort_by_key(|(_, cell)| cell.x);
        cells
    }

    fn render_cell_names(&self, y: usize, columns: &Range<usize>) -> StyledLine {
        let mut line = StyledLine::default();
        for (at, cell) in self.cells_in_row(y, columns) {
            line.pad(self.cell_offset(cell, columns));
            line.push_text(&self.board.columns[at], FAINT);
        }
        line
    }

    fn render_row(&self, y: usize, columns: &Range<usize>) -> StyledLine {
        let name = self.board.rows.get(y).map_or("", String::as_str);
        let mut line = StyledLine::styled(name, FAINT);
        for (_, cell) in self.cells_in_row(y, columns) {
            let begin = self.cell_offset(cell, columns);
            line.pad(begin);
            if let Some(tag) = cell.ground.and_then(|at| self.board.grounds.get(at)) {
                line.append_line(render_ground(tag));
            }
            if self.below > 0 {
                line.pad(begin + self.below + 1);
            }
            line.append_line(self.render_pieces(cell));
        }
        line
    }

    /// What lies on a cell, in a sign or a few; each layer but marks has a column of its own.
    fn render_pieces(&self, cell: &BoardCell) -> StyledLine {
        let spacing = match &self.close {
            Some((between, _)) => Err(*between),
            None => Ok(self.layers.as_slice()),
        };
        let line = draw_layers(self.board, spacing, cell);
        if !line.letters().is_empty() {
            return line;
        }
        let target = self.targets.get(cell.name.as_str());
        let step = self.close.as_ref().map_or(self.step, |(_, widths)| widths[cell.x / 2] + 1);
        let fits = |words: &&&str| text_width(words) + self.below < step;
        StyledLine::styled(target.filter(fits).copied().unwrap_or(EMPTY), FAINT)
    }
}

/// The pieces of a cell: each layer but marks in a column of its own, with given widths or a separator.
fn draw_layers(board: &Board, spacing: Result<&[usize], &str>, cell: &BoardCell) -> StyledLine {
    let mut line = StyledLine::default();
    let widths = match spacing {
        Ok(widths) => widths,
        Err(between) => {
            for piece in &cell.pieces {
                let gap = if line.letters().is_empty() { "" } else { between };
                line.push_text(gap, Style::new());
                line.append_line(render_piece(&board.layers[piece.layer], piece));
            }
            return line;
        }
    };
    let mut end = None;
    for (at, (layer, room)) in board.layers.iter().zip(widths).enumerate() {
        if let Some(end) = end.filter(|_| layer.form != LayerForm::Mark) {
            line.pad(end + 1);
        }
        end = Some(end.map_or(0, |end| end + 1).max(line.display_width()) + room);
        for piece in cell.pieces.iter().filter(|piece| piece.layer == at) {
            line.append_line(render_piece(layer, piece));
        }
    }
    line
}

fn render_ground(tag: &Tag) -> StyledLine {
    let paint = tag.colours.first().copied();
    StyledLine::styled(&tag.short, paint.map_or(Style::new(), ground))
}

/// A map: a row for each place, with what is there and what is linked to it.
fn map(board: &Board, width: usize) -> Vec<StyledLine> {
    let facts = board.columns.iter().map(|heading| StyledLine::styled(heading, FAINT));
    let titles = board.layers.iter().map(|layer| StyledLine::styled(&layer.title, FAINT));
    let titles = facts.chain(titles);
    let mut rows: Vec<Vec<StyledLine>> =
        vec![[StyledLine::from_text(&board.title)].into_iter().chain(titles).collect()];
    for cell in &board.cells {
        let mut name = cell.ground.map_or_else(StyledLine::default, |at| {
            let mut tag = render_ground(&board.grounds[at]);
            tag.push_text(" ", Style::new());
            tag
        });
        name.push_text(&cell.title, Style::new());
        let layer = |at: usize| {
            let mut words = StyledLine::default();
            for piece in cell.pieces.iter().filter(|piece| piece.layer == at) {
                words.push_text(if words.display_width() == 0 { "" } else { " " }, Style::new());
                words.append_line(render_piece(&board.layers[at], piece));
            }
            if words.display_width() == 0 { StyledLine::styled(EMPTY, FAINT) } else { words }
        };
        let facts = cell.facts.iter().map(|fact| StyledLine::from_text(fact));
        let layers = (0..board.layers.len()).map(layer);
        rows.push([name].into_iter().chain(facts).chain(layers).collect());
    }
    // What belongs to a player lies on the same places, and a link is called after its places.
    if board.owner.is_none() && board.of.is_none() {
        let place = |name: &String| board.cells.iter().find(|cell| cell.name == *name);
        rows[0].push(StyledLine::styled("beside", FAINT));
        for (row, cell) in rows.iter_mut().skip(1).zip(&board.cells) {
            let places = cell.beside.iter().filter_map(place);
            let places: Vec<&str> = places.map(|place| place.title.as_str()).collect();
            row.push(StyledLine::from_text(&places.join(", ")));
        }
    }
    columns_of(&rows, width)
}

/// How many columns a layer takes in a cell.
fn layer_width(board: &Board, layer: &Layer) -> usize {
    let tags = |pieces: &[Tag]| pieces.iter().map(|tag| text_width(&tag.short)).max();
    // Several players may have a piece or a mark on one cell.
    let of_it = |piece: &&Piece| board.layers[piece.layer].variable == layer.variable;
    let lying = board.cells.iter().map(|cell| {
        cell.pieces
            .iter()
            .filter(of_it)
            .map(|piece| render_piece(layer, piece).display_width())
            .sum()
    });
    let lying = lying.max().unwrap_or(0);
    match layer.form {
        LayerForm::Mark => lying.max(1),
        LayerForm::Place => tags(&layer.pieces).unwrap_or(1).max(lying),
        LayerForm::Piece => tags(&layer.pieces).unwrap_or(lying).max(layer.digits),
    }
}

fn render_piece(layer: &Layer, piece: &Piece) -> StyledLine {
    match (layer.form, piece.value.members.as_slice(), piece.value.number) {
        (LayerForm::Mark, [], _) => StyledLine::from_text(MARK),
        (LayerForm::Mark, [tag, ..], _) => StyledLine::inked(MARK, &tag.colours),
        (LayerForm::Place, [], _) => StyledLine::from_text(&initial(layer)),
        (_, [tag], _) => match tag.colours.as_slice() {
            // A letter for each part has the colour of the part.
            colours if colours.len() == tag.short.chars().count() => {
                let mut line = StyledLine::default();
                for (letter, paint) in tag.short.chars().zip(colours) {
                    line.push_text(&letter.to_string(), ink(*paint));
                }
                line
            }
            colours => {
                let style = colours.first().map_or(Style::new(), |paint| ink(*paint));
                StyledLine::styled(&tag.short, style.bold())
            }
        },
        (_, _, Some(number)) => StyledLine::from_text(&number.to_string()),
        _ => StyledLine::from_text(&piece.value.text),
    }
}

/// The letter of a piece that is called like its variable.
pub(crate) fn initial(layer: &Layer) -> String {
    layer.title.chars().take(1).flat_map(char::to_uppercase).collect()
}

/// A legend of the letters that are not evident.
pub(crate) fn meanings(board: &Board, cells: bool) -> String {
    let used = |at: usize| cells && board.cells.iter().any(|cell| cell.ground == Some(at));
    let grounds = board.grounds.iter().enumerate().filter(|(at, _)| used(*at)).map(|(_, it)| it);
    let lying = board.cells.iter().flat_map(|cell| &cell.pieces);
    let lying = lying.flat_map(|piece| &piece.value.members);
    let mut known: Vec<(&str, &str)> = Vec::new();
    for tag in lying.chain(grounds) {
        let entry = (tag.short.as_str(), tag.title.as_str());
        // The glyphs and the first letters of players speak for themselves.
        let is_plain = tag.kind == "Player"
            && (tag.title.starts_with(&tag.short) || !tag.short.chars().all(char::is_alphanumeric));
        if tag.short != tag.title && !known.contains(&entry) && !is_plain {
            known.push(entry);
        }
    }
    let marks = board.layers.iter().filter(|layer| layer.form == LayerForm::Mark);
    let marks: Vec<String> = marks.map(|layer| format!("{MARK} {}", layer.title)).collect();
    let places =
        board.layers.iter().filter(|it| it.form == LayerForm::Place && it.pieces.is_empty());
    let places = places.map(|layer| format!("{} {}", initial(layer), layer.title));
    let letters = known.iter().map(|(short, title)| format!("{short} {title}"));
    letters.chain(marks).chain(places).collect::<Vec<_>>().join(", ")
}
