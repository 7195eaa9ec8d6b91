//! Boards as they lie, and variables over two types in rows and columns.

use super::Thing;
use super::cell::{self, Cell, tags};
use super::colour::{self, Paint};
use super::constant;
use super::redact::{Look, Of};
use super::series::{Strand, whose};
use crate::bytecode::program::Shape::Bool as Yes;
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Column, Kind, Rules, Shape as Lie, Type, Value};

/// How many cells a ring has at least that is drawn as two rows, there and back.
const FEWEST_THERE_AND_BACK: usize = 6;

/// Rows of cells, and what explains them.
type Grid = (Vec<Vec<Cell>>, String);

/// Draws a variable, where its elements lie in rows and columns.
pub(super) fn alone(look: Look, var: &VarInfo, seat: usize) -> Option<Grid> {
    let cell =
        |element: usize| cell::of_words(look.of, var, look.words(var, (seat, element)).as_deref());
    match var.dims.as_slice() {
        [dim] => on_board(look.of, dim, &cell).or_else(|| over_parts(look.of, dim, &cell)),
        [down, across] => {
            // What is not done yet shows what the file asks for there.
            let asked = constant::only(look.of, &var.dims).filter(|_| var.format.shape == Yes);
            let asking = |element: usize| match (cell(element), asked) {
                (cell, Some(table)) if cell.is_empty() => constant::cell(look.of, table, element),
                (cell, _) => cell,
            };
            let legend = asked.map(|table| format!("numbers of {}: {}", var.title, table.title));
            Some((over_two(look.of, (down, across), &asking), legend.unwrap_or_default()))
        }
        _ => None,
    }
}

/// A board with what lies on it, and the pieces whose places are known.
pub(super) fn with_pieces(look: Look, over: &DimInfo, vars: &[usize]) -> Option<Thing> {
    let all = &look.of.program.vars;
    let (arrays, pieces): (Vec<usize>, Vec<usize>) =
        vars.iter().partition(|var| !all[**var].dims.is_empty());
    let pieces: Vec<(&VarInfo, Strand)> =
        pieces.iter().filter_map(|var| Some((&all[*var], whose(look, *var, over)?))).collect();
    let on_it = arrays.first().map(|var| &all[*var]);
    let cell = |at: usize| {
        let mut parts: Vec<Cell> = Vec::new();
        parts.extend(
            on_it.map(|var| cell::of_words(look.of, var, look.words(var, (0, at)).as_deref())),
        );
        for (var, strand) in &pieces {
            let piece = &strand.cells[at];
            let named = if var.of_player { piece.clone() } else { Cell::plain(&var.title) };
            parts.extend((!piece.is_empty()).then_some(named));
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
    let (grid, value) = on_board(look.of, over, &cell)?;
    let kind = &look.of.rules.kinds[usize::from(over.kind?)];
    let title = on_it.map_or_else(|| kind.title.clone(), |var| var.title.clone());
    Some(Thing { title, value, inks: Vec::new(), grid })
}

/// A row of the board is a row of the drawing; columns are headed by their letters and rows by
/// their numbers, as the cells are called.
fn on_board(of: Of, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let kind = of.rules.kinds.get(usize::from(dim.kind?))?;
    let Lie::Grid { columns, rows, .. } = kind.shape else { return None };
    let ground = Ground::of(of.rules, kind);
    let name = |at: usize| kind.members[at].name.as_str();
    let digits = |letter: char| letter.is_ascii_digit();
    let letters = (0..columns).map(|at| Cell::plain(name(at).trim_end_matches(digits)));
    let mut drawn = vec![[Cell::default()].into_iter().chain(letters).collect::<Vec<_>>()];
    for row in 0..rows {
        let number = name(row * columns).trim_start_matches(|letter| !digits(letter));
        let cells =
            (row * columns..(row + 1) * columns).map(|at| grounded(ground.as_ref(), at, cell(at)));
        drawn.push([Cell::plain(number)].into_iter().chain(cells).collect());
    }
    Some((drawn, ground.map_or_else(String::new, |ground| ground.legend())))
}

/// A ring: there below, and back above it; a short one in a row.
pub(super) fn around(of: Of, over: &DimInfo, strands: &[Strand]) -> Option<Grid> {
    let kind = of.rules.kinds.get(usize::from(over.kind?))?;
    let ground = Ground::of(of.rules, kind);
    let count = kind.members.len();
    let half = if count < FEWEST_THERE_AND_BACK { count } else { count.div_ceil(2) };
    let heading: Vec<Cell> = (1..=count).map(|at| Cell::plain(&at.to_string())).collect();
    let mut lines: Vec<(String, Vec<Cell>)> = vec![(String::new(), heading)];
    for strand in strands {
        let cells = strand.cells.iter().enumerate();
        let cells = cells.map(|(at, cell)| grounded(ground.as_ref(), at, cell.clone())).collect();
        lines.push((strand.title.clone(), cells));
    }
    let mut grid: Vec<Vec<Cell>> = Vec::new();
    if half < count {
        for (title, cells) in &lines {
            let missing = (count - half..half).map(|_| Cell::default());
            let back = missing.chain(cells[half..].iter().rev().cloned());
            grid.push([Cell::plain(title)].into_iter().chain(back).collect());
        }
        // Both headings stand outside, so that the cells of both rows lie beside each other.
        lines.reverse();
    }
    for (title, cells) in &lines {
        let there = cells[..half].iter().cloned();
        grid.push([Cell::plain(title)].into_iter().chain(there).collect());
    }
    Some((grid, ground.map_or_else(String::new, |ground| ground.legend())))
}

/// A drawn map: a row for each place, with what is there and what is linked to it.
pub(super) fn linked(of: Of, over: &DimInfo, strands: &[Strand]) -> Option<Grid> {
    let kind = of.rules.kinds.get(usize::from(over.kind?))?;
    let ground = Ground::of(of.rules, kind);
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
    let titles = strands.iter().map(|strand| Cell::plain(&strand.title));
    let heading = [Cell::default()].into_iter().chain(titles).chain([Cell::plain("beside")]);
    let mut grid: Vec<Vec<Cell>> = vec![heading.collect()];
    for (at, place) in kind.members.iter().enumerate() {
        let title = grounded(ground.as_ref(), at, Cell::plain(&place.title));
        let cells = strands.iter().map(|strand| strand.cells[at].clone());
        let row = [title].into_iter().chain(cells).chain([Cell::plain(&beside(at))]);
        grid.push(row.collect());
    }
    Some((grid, ground.map_or_else(String::new, |ground| ground.legend())))
}

/// Members that are combinations of two kinds: the first goes down, the second across.
fn over_parts(of: Of, dim: &DimInfo, cell: &dyn Fn(usize) -> Cell) -> Option<Grid> {
    let kind = of.rules.kinds.get(usize::from(dim.kind?))?;
    let parts = colour::parts(of.rules, kind);
    let [(down, _), (across, _)] = parts.as_slice() else { return None };
    let (down, across) = (&of.rules.kinds[*down].members, &of.rules.kinds[*across].members);
    if down.len() * across.len() != dim.size {
        return None;
    }
    let heading = across.iter().map(|member| Cell::plain(&member.title));
    let mut rows = vec![[Cell::default()].into_iter().chain(heading).collect::<Vec<_>>()];
    for (row, member) in down.iter().enumerate() {
        let cells = (0..across.len()).map(|column| cell(row * across.len() + column));
        rows.push([Cell::plain(&member.title)].into_iter().chain(cells).collect());
    }
    Some((rows, String::new()))
}

/// The members of the first type go down, those of the second across.
fn over_two(
    of: Of,
    (down, across): (&DimInfo, &DimInfo),
    cell: &dyn Fn(usize) -> Cell,
) -> Vec<Vec<Cell>> {
    let columns = of.own(across);
    let heading = columns.iter().map(|column| Cell::plain(&of.index(across, *column)));
    let mut rows = vec![[Cell::default()].into_iter().chain(heading).collect::<Vec<_>>()];
    for row in of.own(down) {
        let cells = columns.iter().map(|column| cell(row * across.size + column));
        rows.push([Cell::plain(&of.index(down, row))].into_iter().chain(cells).collect());
    }
    rows
}

fn grounded(ground: Option<&Ground>, at: usize, cell: Cell) -> Cell {
    Cell { ground: ground.and_then(|ground| ground.tag(at)), ..cell }
}

/// What the cells of a board are: the first attribute that is a member of a kind, in a letter or a
/// few.
struct Ground<'a> {
    rules: &'a Rules,
    column: &'a Column,
    kind: usize,
    tags: Vec<String>,
}

impl<'a> Ground<'a> {
    fn of(rules: &'a Rules, kind: &'a Kind) -> Option<Ground<'a>> {
        kind.named_columns().find_map(|column| Ground::new(rules, column))
    }

    fn new(rules: &'a Rules, column: &'a Column) -> Option<Ground<'a>> {
        let Type::Kind(kind) = column.ty else { return None };
        let members = rules.kinds[kind.index()].members.iter();
        let names: Vec<&str> = members.map(|member| member.name.as_str()).collect();
        Some(Ground { rules, column, kind: kind.index(), tags: tags(&names) })
    }

    fn member(&self, cell: usize) -> Option<usize> {
        match self.column.cells.get(cell) {
            Some(Value::Int(member)) => usize::try_from(*member).ok(),
            _ => None,
        }
    }

    fn tag(&self, cell: usize) -> Option<(String, Paint)> {
        let member = self.member(cell)?;
        Some((self.tags.get(member)?.clone(), colour::member(self.rules, self.kind, member)))
    }

    /// What the letters stand for, as far as they are drawn.
    fn legend(&self) -> String {
        let drawn =
            |at: &usize| (0..self.column.cells.len()).any(|it| self.member(it) == Some(*at));
        let members = &self.rules.kinds[self.kind].members;
        let words: Vec<String> = (0..members.len())
            .filter(drawn)
            .map(|at| format!("{} {}", self.tags[at], members[at].title))
            .collect();
        format!("{}: {}", self.column.name.replace('_', " "), words.join(", "))
    }
}
