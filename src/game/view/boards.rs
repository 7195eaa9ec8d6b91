//! Draws boards as they lie, and variables over two types in rows and columns.

use super::colour::{self, Paint};
use super::grouping::{Series, Speaker, Speaks, table_cell, tables};
use super::{Cell, EMPTY, Thing, View, member_tags, row};
use crate::bytecode::program::Shape::Bool;
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Kind, Member, Rules, Type, Value};
use crate::check::topology::{Hex, Layout};

/// How many cells a ring has at least that is drawn as two rows, there and back.
const FEWEST_THERE_AND_BACK: usize = 6;

/// Rows of cells, and what explains them.
pub(super) type Grid = (Vec<Vec<Cell>>, String);

/// Draws a variable, where its elements lie in rows and columns.
pub(super) fn alone(view: View, var: &VarInfo, seat: usize) -> Option<Grid> {
    let cell = |element: usize| view.cell(var, (seat, element));
    match var.dims.as_slice() {
        [dim] => on_board(view, dim, &cell).or_else(|| over_parts(view, dim, &cell)),
        [down, across] => {
            // What is not done yet shows what the file asks for there.
            let mut tables = tables(view, &var.dims);
            let only = tables.next().filter(|_| tables.next().is_none());
            let asked = only.filter(|_| var.format.shape == Bool);
            let asking = |element: usize| match (cell(element), asked) {
                (cell, Some(table)) if cell.is_empty() => table_cell(view, table, element),
                (cell, _) => cell,
            };
            let legend = asked.map(|table| format!("numbers of {}: {}", var.title, table.title));
            let columns = view.own(across);
            let headings = columns.iter().map(|column| Cell::plain(&view.index(across, *column)));
            let mut grid = vec![row("", headings)];
            for at in view.own(down) {
                let cells = columns.iter().map(|column| asking(at * across.size + column));
                grid.push(row(&view.index(down, at), cells));
            }
            Some((grid, legend.unwrap_or_default()))
        }
        _ => None,
    }
}

/// A board with what lies on it, and the pieces whose places are known.
pub(super) fn with_pieces(view: View, over: &DimInfo, speakers: &[Speaker]) -> Option<Thing> {
    let (arrays, pieces): (Vec<&Speaker>, Vec<&Speaker>) =
        speakers.iter().partition(|it| it.says == Speaks::Array);
    let pieces: Vec<(&VarInfo, Series)> =
        pieces.iter().map(|it| (it.var, it.whose(view, over))).collect();
    let on_it = arrays.first().map(|it| it.var);
    let cell = |at: usize| {
        let mut parts: Vec<Cell> = on_it.iter().map(|var| view.cell(var, (0, at))).collect();
        for (var, piece) in pieces.iter().filter(|(_, piece)| !piece.cells[at].is_empty()) {
            let owner = var.of_player.then(|| piece.cells[at].clone());
            parts.push(owner.unwrap_or_else(|| Cell::plain(&var.title)));
        }
        parts.retain(|part| !part.is_empty());
        match parts.as_slice() {
            [] => Cell::plain(EMPTY),
            [one] => one.clone(),
            several => {
                let words: Vec<&str> = several.iter().map(Cell::shown).collect();
                Cell::plain(&words.join(" "))
            }
        }
    };
    let (grid, value) = on_board(view, over, &cell)?;
    let title = on_it.map_or(&view.kind(over)?.title, |var| &var.title).clone();
    Some(Thing { title, value, grid, ..Thing::default() })
}

/// A row of the board is a row of the drawing; columns are headed by their letters and rows by
/// their numbers, as the cells are called.
fn on_board(view: View, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let kind = view.kind(dim)?;
    let layout = kind.board()?.layout();
    if let Layout::Slanted(hex) = layout {
        return Some(slanted(view, kind, hex, cell));
    }
    let columns = layout.columns()?;
    let ground = Ground::of(view.rules, kind);
    let name = |at: usize| kind.members[at].name.as_str();
    let digits = |letter: char| letter.is_ascii_digit();
    let letters = (0..columns).map(|at| Cell::plain(name(at).trim_end_matches(digits)));
    let mut grid = vec![row("", letters)];
    for first in (0..kind.members.len()).step_by(columns) {
        let number = name(first).trim_start_matches(|letter| !digits(letter));
        grid.push(row(number, (first..first + columns).map(|at| ground.below(at, cell(at)))));
    }
    Some((grid, ground.legend))
}

/// A board of hexes: each row begins with the name of its first cell, and cells stand in every
/// other column, so that a row can lie half a cell to the right of the one above it.
fn slanted(view: View, kind: &Kind, hex: Hex, cell: &dyn Fn(usize) -> Cell) -> Grid {
    let ground = Ground::of(view.rules, kind);
    let spaced = |row: usize, cells: &mut dyn Iterator<Item = Cell>| {
        let before = std::iter::repeat_n(Cell::default(), hex.indent(row));
        let apart = cells.flat_map(|cell| [cell, Cell::default()]);
        before.chain(apart).collect::<Vec<_>>()
    };
    let name = |at: usize| kind.members[at].name.as_str();
    let letters =
        |at: usize| Cell::plain(name(at).trim_end_matches(|it: char| it.is_ascii_digit()));
    let mut grid = vec![row("", spaced(0, &mut (0..hex.length(0)).map(letters)).into_iter())];
    let mut first = 0;
    for at in 0..hex.rows() {
        let next = first + hex.length(at);
        let mut cells = (first..next).map(|at| ground.below(at, cell(at)));
        grid.push(row(name(first), spaced(at, &mut cells).into_iter()));
        first = next;
    }
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    grid.iter_mut().for_each(|row| row.resize(width, Cell::default()));
    (grid, ground.legend)
}

/// A ring: there below, and back above it; a short one in a row.
pub(super) fn around(view: View, over: &DimInfo, series: &[Series]) -> Option<Grid> {
    let kind = view.kind(over)?;
    let ground = Ground::of(view.rules, kind);
    let count = kind.members.len();
    let half = if count < FEWEST_THERE_AND_BACK { count } else { count.div_ceil(2) };
    let is_titled = |it: &Member| it.title != it.name.replace('_', " ");
    let heading: Vec<Cell> = if kind.members.iter().any(is_titled) {
        kind.members.iter().map(|it| Cell::plain(&it.title)).collect()
    } else {
        (1..=count).map(|at| Cell::plain(&at.to_string())).collect()
    };
    let mut lines: Vec<(&str, Vec<Cell>)> = vec![("", heading)];
    for one in series {
        let cells = one.cells.iter().cloned().enumerate();
        lines.push((&one.title, cells.map(|(at, cell)| ground.below(at, cell)).collect()));
    }
    let mut grid: Vec<Vec<Cell>> = Vec::new();
    if half < count {
        for (title, cells) in &lines {
            let missing = (count - half..half).map(|_| Cell::default());
            grid.push(row(title, missing.chain(cells[half..].iter().rev().cloned())));
        }
        // Both headings stand outside, so that the cells of both rows lie beside each other.
        lines.reverse();
    }
    grid.extend(lines.iter().map(|(title, cells)| row(title, cells[..half].iter().cloned())));
    Some((grid, ground.legend))
}

/// A drawn map: a row for each place, with what is there and what is linked to it.
pub(super) fn linked(view: View, over: &DimInfo, series: &[Series]) -> Option<Grid> {
    let kind = view.kind(over)?;
    let ground = Ground::of(view.rules, kind);
    let links = kind.columns.iter().find(|column| column.name == "neighbours()");
    let beside = |at: usize| match links.and_then(|column| column.cells.get(at)) {
        Some(Value::Set(places)) => {
            let places =
                places.iter().filter_map(|it| kind.members.get(usize::try_from(*it).ok()?));
            let titles: Vec<&str> = places.map(|place| place.title.as_str()).collect();
            titles.join(", ")
        }
        _ => String::new(),
    };
    let titles = series.iter().map(|one| Cell::plain(&one.title));
    let mut grid = vec![row("", titles.chain([Cell::plain("beside")]))];
    for (at, place) in kind.members.iter().enumerate() {
        let cells = series.iter().map(|one| one.cells[at].clone());
        let mut drawn = row(&place.title, cells.chain([Cell::plain(&beside(at))]));
        drawn[0] = ground.below(at, drawn[0].clone());
        grid.push(drawn);
    }
    Some((grid, ground.legend))
}

/// Members that are combinations of two kinds: the first goes down, the second across.
fn over_parts(view: View, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let parts = colour::parts(view.rules, view.kind(dim)?);
    let [(down, _), (across, _)] = parts.as_slice() else { return None };
    let (down, across) = (&view.rules.kinds[*down].members, &view.rules.kinds[*across].members);
    if down.len() * across.len() != dim.size {
        return None;
    }
    let mut grid = vec![row("", across.iter().map(|member| Cell::plain(&member.title)))];
    for (member, first) in down.iter().zip((0..).step_by(across.len())) {
        grid.push(row(&member.title, (first..first + across.len()).map(cell)));
    }
    Some((grid, String::new()))
}

/// What the cells of a board are: the first attribute that is a member of a kind, in a letter or a
/// few.
#[derive(Default)]
struct Ground {
    tags: Vec<Option<(String, Paint)>>,
    /// What the letters stand for, as far as they are drawn.
    legend: String,
}

impl Ground {
    fn of(rules: &Rules, kind: &Kind) -> Ground {
        let of_kind = kind.named_columns().find_map(|column| match column.ty {
            Type::Kind(kind) => Some((column, kind.index())),
            _ => None,
        });
        let Some((column, kind)) = of_kind else { return Ground::default() };
        let (members, tags) = (&rules.kinds[kind].members, member_tags(rules, kind));
        let member = |value: &Value| match value {
            Value::Int(member) => usize::try_from(*member).ok(),
            _ => None,
        };
        let cells: Vec<Option<usize>> = column.cells.iter().map(member).collect();
        let drawn = (0..members.len()).filter(|at| cells.contains(&Some(*at)));
        let words: Vec<String> =
            drawn.map(|at| format!("{} {}", tags[at], members[at].title)).collect();
        let legend = format!("{}: {}", column.name.replace('_', " "), words.join(", "));
        let tag = |at: usize| Some((tags.get(at)?.clone(), colour::member(rules, kind, at)));
        Ground { tags: cells.into_iter().map(|at| tag(at?)).collect(), legend }
    }

    fn below(&self, at: usize, cell: Cell) -> Cell {
        Cell { ground: self.tags.get(at).cloned().flatten(), ..cell }
    }
}
