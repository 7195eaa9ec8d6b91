//! Draws boards as they lie, and variables over two types in rows and columns.

use super::Thing;
use super::cell::{self, Cell, member_tags, row};
use super::colour::{self, Paint};
use super::look::Look;
use super::series::{Series, only_table, table_cell, whose};
use crate::bytecode::program::Shape::Bool;
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Kind, Rules, Type, Value};

/// How many cells a ring has at least that is drawn as two rows, there and back.
const FEWEST_THERE_AND_BACK: usize = 6;

/// Rows of cells, and what explains them.
pub(super) type Grid = (Vec<Vec<Cell>>, String);

/// Draws a variable, where its elements lie in rows and columns.
pub(super) fn alone(look: Look, var: &VarInfo, seat: usize) -> Option<Grid> {
    let cell = |element: usize| look.cell(var, (seat, element));
    match var.dims.as_slice() {
        [dim] => on_board(look, dim, &cell).or_else(|| over_parts(look, dim, &cell)),
        [down, across] => {
            // What is not done yet shows what the file asks for there.
            let asked = only_table(look, &var.dims).filter(|_| var.format.shape == Bool);
            let asking = |element: usize| match (cell(element), asked) {
                (cell, Some(table)) if cell.is_empty() => table_cell(look, table, element),
                (cell, _) => cell,
            };
            let legend = asked.map(|table| format!("numbers of {}: {}", var.title, table.title));
            let columns = look.own(across);
            let headings = columns.iter().map(|column| Cell::plain(&look.index(across, *column)));
            let mut grid = vec![row("", headings)];
            for at in look.own(down) {
                let cells = columns.iter().map(|column| asking(at * across.size + column));
                grid.push(row(&look.index(down, at), cells));
            }
            Some((grid, legend.unwrap_or_default()))
        }
        _ => None,
    }
}

/// A board with what lies on it, and the pieces whose places are known.
pub(super) fn with_pieces(look: Look, over: &DimInfo, vars: &[usize]) -> Option<Thing> {
    let all = &look.program.vars;
    let (arrays, pieces): (Vec<usize>, Vec<usize>) =
        vars.iter().partition(|var| !all[**var].dims.is_empty());
    let pieces: Vec<(&VarInfo, Series)> =
        pieces.iter().filter_map(|var| Some((&all[*var], whose(look, *var, over)?))).collect();
    let on_it = arrays.first().map(|var| &all[*var]);
    let cell = |at: usize| {
        let mut parts: Vec<Cell> = on_it.iter().map(|var| look.cell(var, (0, at))).collect();
        for (var, piece) in pieces.iter().filter(|(_, piece)| !piece.cells[at].is_empty()) {
            let owner = var.of_player.then(|| piece.cells[at].clone());
            parts.push(owner.unwrap_or_else(|| Cell::plain(&var.title)));
        }
        parts.retain(|part| !part.is_empty());
        match parts.as_slice() {
            [] => Cell::plain(cell::EMPTY),
            [one] => one.clone(),
            several => {
                let words: Vec<&str> = several.iter().map(|part| part.text.as_str()).collect();
                Cell::plain(&words.join(" "))
            }
        }
    };
    let (grid, value) = on_board(look, over, &cell)?;
    let title = on_it.map_or(&look.kind(over)?.title, |var| &var.title).clone();
    Some(Thing { title, value, inks: Vec::new(), grid })
}

/// A row of the board is a row of the drawing; columns are headed by their letters and rows by
/// their numbers, as the cells are called.
fn on_board(look: Look, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let kind = look.kind(dim)?;
    let columns = kind.board()?.layout().columns()?;
    let ground = Ground::of(look.rules, kind);
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

/// A ring: there below, and back above it; a short one in a row.
pub(super) fn around(look: Look, over: &DimInfo, series: &[Series]) -> Option<Grid> {
    let kind = look.kind(over)?;
    let ground = Ground::of(look.rules, kind);
    let count = kind.members.len();
    let half = if count < FEWEST_THERE_AND_BACK { count } else { count.div_ceil(2) };
    let heading: Vec<Cell> = (1..=count).map(|at| Cell::plain(&at.to_string())).collect();
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
pub(super) fn linked(look: Look, over: &DimInfo, series: &[Series]) -> Option<Grid> {
    let kind = look.kind(over)?;
    let ground = Ground::of(look.rules, kind);
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
fn over_parts(look: Look, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let parts = colour::parts(look.rules, look.kind(dim)?);
    let [(down, _), (across, _)] = parts.as_slice() else { return None };
    let (down, across) = (&look.rules.kinds[*down].members, &look.rules.kinds[*across].members);
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
