//! Variables that are drawn in rows and columns: over the cells of a board, and over two types.

use super::table::index_word;
use crate::bytecode::Program;
use crate::bytecode::program::{NONE, Shape};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Column, Kind, Rules, Shape as Lie, Type, Value};
use crate::vm::print_as;

/// What stands where nothing does.
const EMPTY: &str = ".";

/// What stands where a yes/no is yes.
const YES: &str = "x";

/// Rows of cells below and behind their headings, and what explains the cells.
pub(super) struct Grid {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) legend: String,
}

/// The game that a variable belongs to.
#[derive(Clone, Copy)]
pub(super) struct Of<'a> {
    pub(super) rules: &'a Rules,
    pub(super) program: &'a Program,
    pub(super) names: &'a [String],
}

/// The words of an element; none where it is not seen.
pub(super) type Words<'a> = dyn Fn(usize) -> Option<Vec<i64>> + 'a;

/// Draws a variable, where its elements lie in rows and columns.
pub(super) fn grid(of: Of, var: &VarInfo, words: &Words<'_>) -> Option<Grid> {
    let cell = |element: usize| match words(element) {
        Some(words) => cell(of, var, &words),
        None => "?".to_owned(),
    };
    match var.dims.as_slice() {
        [board] => on_board(of, board, &cell),
        // What players have is compared side by side, for which rows and columns take too much room.
        [down, across] if !var.of_player => Some(over_two(of, (down, across), &cell)),
        _ => None,
    }
}

fn cell(of: Of, var: &VarInfo, words: &[i64]) -> String {
    match (&var.format.shape, words) {
        (Shape::Bool, [0]) => EMPTY.to_owned(),
        (Shape::Bool, _) => YES.to_owned(),
        (_, [NONE]) => EMPTY.to_owned(),
        _ => print_as(of.program, of.names, words, &var.format),
    }
}

/// A row of the board is a row of the drawing; columns are headed by their letters and rows by
/// their numbers, as the cells are called.
fn on_board(of: Of, dim: &DimInfo, cell: &dyn Fn(usize) -> String) -> Option<Grid> {
    let kind = of.rules.kinds.get(usize::from(dim.kind?))?;
    let Lie::Grid { columns, rows, .. } = kind.shape else { return None };
    let ground = kind.named_columns().find_map(|column| Ground::new(of.rules, column));
    let name = |at: usize| kind.members[at].name.as_str();
    let digits = |letter: char| letter.is_ascii_digit();
    let letters = (0..columns).map(|at| name(at).trim_end_matches(digits).to_owned());
    let mut drawn = vec![[String::new()].into_iter().chain(letters).collect::<Vec<_>>()];
    for row in 0..rows {
        let number = name(row * columns).trim_start_matches(|letter| !digits(letter)).to_owned();
        let cells = (row * columns..(row + 1) * columns).map(|at| match &ground {
            Some(ground) => format!("{} {}", ground.tag(at), cell(at)),
            None => cell(at),
        });
        drawn.push([number].into_iter().chain(cells).collect());
    }
    Some(Grid { rows: drawn, legend: ground.map_or_else(String::new, |ground| ground.legend()) })
}

/// The members of the first type go down, those of the second across.
fn over_two(of: Of, (down, across): (&DimInfo, &DimInfo), cell: &dyn Fn(usize) -> String) -> Grid {
    let own = |dim: &DimInfo| -> Vec<usize> {
        let kind = dim.kind.and_then(|kind| of.program.kinds.get(usize::from(kind)));
        let is_own = |at: &usize| kind.is_none_or(|it| it.own.is_empty() || it.own.contains(at));
        (0..dim.size).filter(is_own).collect()
    };
    let word = |dim: &DimInfo, at: usize| index_word(of.program, of.names, dim, at);
    let columns = own(across);
    let heading = columns.iter().map(|column| word(across, *column));
    let mut rows = vec![[String::new()].into_iter().chain(heading).collect::<Vec<_>>()];
    for row in own(down) {
        let cells = columns.iter().map(|column| cell(row * across.size + column));
        rows.push([word(down, row)].into_iter().chain(cells).collect());
    }
    Grid { rows, legend: String::new() }
}

/// What the cells of a board are: the first attribute that is a member of a kind, in a letter or a
/// few.
struct Ground<'a> {
    column: &'a Column,
    kind: &'a Kind,
    tags: Vec<String>,
}

impl<'a> Ground<'a> {
    fn new(rules: &'a Rules, column: &'a Column) -> Option<Ground<'a>> {
        let Type::Kind(kind) = column.ty else { return None };
        let kind = &rules.kinds[kind.index()];
        let names: Vec<&str> = kind.members.iter().map(|member| member.name.as_str()).collect();
        let tags = names.iter().map(|name| shortest(name, &names)).collect();
        Some(Ground { column, kind, tags })
    }

    fn member(&self, cell: usize) -> Option<usize> {
        match self.column.cells.get(cell) {
            Some(Value::Int(member)) => usize::try_from(*member).ok(),
            _ => None,
        }
    }

    fn tag(&self, cell: usize) -> &str {
        let tag = self.member(cell).and_then(|member| self.tags.get(member));
        tag.map_or("", String::as_str)
    }

    /// What the letters stand for, as far as they are drawn.
    fn legend(&self) -> String {
        let drawn =
            |at: &usize| (0..self.column.cells.len()).any(|it| self.member(it) == Some(*at));
        let members = (0..self.kind.members.len()).filter(drawn);
        let words: Vec<String> = members
            .map(|at| format!("{} {}", self.tags[at], self.kind.members[at].title))
            .collect();
        format!("{}: {}", self.column.name.replace('_', " "), words.join(", "))
    }
}

/// The shortest beginning that no other name has.
fn shortest(name: &str, names: &[&str]) -> String {
    let alone = |tag: &&str| names.iter().filter(|other| other.starts_with(*tag)).count() == 1;
    let ends = name.char_indices().skip(1).map(|(at, _)| at).chain([name.len()]);
    ends.map(|end| &name[..end]).find(alone).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn tags_are_as_short_as_can_be() {
        let names = ["sand", "salt", "rock", "rocky"];
        let tags = names.map(|name| shortest(name, &names));
        assert_eq!(tags, ["san", "sal", "rock", "rocky"]);
    }
}
