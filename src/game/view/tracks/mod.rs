//! Numbers that walk along a row: the rules count them, and look up what stands where they are.
//!
//! Nobody declares a track. A number that only ever counts on, and that the rules use as the last
//! index of a table over numbers, is a place on that table, and what lies ahead can be shown.

mod find;
mod row;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Thing;
use super::cell::{self, Cell, YES};
use super::redact::Look;
use crate::bytecode::Program;
use crate::bytecode::vars::VarInfo;
use crate::check::rules::Rules;
use row::Row;
pub(super) use row::number;

/// A number, and what it walks along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct Track {
    /// The position of the variable that counts.
    var: usize,
    /// What stands along it, in the order of the file.
    stops: Vec<Stop>,
}

/// Something that has a place for each number: a table, or a variable that keeps what was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stop {
    along: Along,
    /// The member whose number walks along it, if not all do.
    only: Option<usize>,
    /// Which row of it.
    lead: Lead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Along {
    Table(usize),
    Var(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lead {
    /// It has one row.
    None,
    /// The row of the member whose number it is.
    Same,
    /// Always this row.
    Fixed(usize),
}

/// All tracks of a file.
pub(in crate::game) fn tracks(rules: &Rules, program: &Program) -> Vec<Track> {
    find::tracks(rules, program)
}

/// The track of a variable, if it walks along one.
pub(super) fn track_of(look: Look<'_>, var: usize) -> Option<&Track> {
    look.of.tracks.iter().find(|track| track.var == var)
}

/// The variables that are drawn with the track that walks along them.
pub(super) fn kept(look: Look) -> BTreeSet<usize> {
    let drawn = look.of.tracks.iter().filter(|it| !look.of.program.vars[it.var].dims.is_empty());
    drawn.filter_map(Track::reached).collect()
}

impl Track {
    /// The variable that keeps what was reached at each place.
    fn reached(&self) -> Option<usize> {
        self.stops.iter().find_map(|stop| match (stop.along, stop.only) {
            (Along::Var(var), None) => Some(var),
            _ => None,
        })
    }

    /// Draws the number with what was reached and what lies ahead.
    pub(super) fn thing(&self, look: Look, seat: usize) -> Option<Thing> {
        let var = &look.of.program.vars[self.var];
        if var.dims.is_empty() { self.told(look, var, seat) } else { self.drawn(look, var, seat) }
    }

    /// One number: where it stands, and what comes next.
    fn told(&self, look: Look, var: &VarInfo, seat: usize) -> Option<Thing> {
        let at = *look.words(var, (seat, 0))?.first()?;
        let rows = self.rows(look, 0);
        let last = rows.iter().map(Row::last).max()?;
        let ahead: Vec<String> =
            rows.iter().filter_map(|row| row.told(at, rows.len() == 1)).collect();
        let value = match ahead.as_slice() {
            [] => format!("{at} of {last}"),
            ahead => format!("{at} of {last} ({})", ahead.join("; ")),
        };
        Some(Thing { title: var.title.clone(), value, ..Thing::default() })
    }

    /// Several numbers: a row for each, filled as far as it came, then what lies ahead; below it
    /// what else each step asks for.
    fn drawn(&self, look: Look, var: &VarInfo, seat: usize) -> Option<Thing> {
        let [dim] = var.dims.as_slice() else { return None };
        let members = look.of.own(dim);
        let every = members.iter().flat_map(|member| self.rows(look, *member));
        let numbers: BTreeSet<i64> = every.flat_map(|row| row.numbers()).collect();
        let heading = numbers.iter().map(|number| Cell::plain(&number.to_string()));
        let mut grid = vec![[Cell::default()].into_iter().chain(heading).collect()];
        let (mut letters, mut names) = (Vec::new(), Vec::new());
        for member in members {
            let at = *look.words(var, (seat, member))?.first()?;
            let mut rows = self.rows(look, member);
            rows.iter().for_each(|row| row.explain(at, &mut letters));
            let main = rows.iter().position(Row::is_drawn).map(|main| rows.remove(main));
            let done = |number| self.done(look, seat, (member, number));
            let line = numbers.iter().map(|number| {
                let ahead = main.as_ref().map_or_else(Cell::default, |row| row.cell(*number));
                match number.cmp(&at) {
                    Ordering::Less => done(*number),
                    Ordering::Equal => here(ahead),
                    Ordering::Greater => ahead,
                }
            });
            let title = Cell::plain(&look.of.index(dim, member));
            grid.push([title].into_iter().chain(line).collect());
            for row in rows.iter().filter(|row| !row.is_level()) {
                grid.push(ahead(row, at, &numbers));
                row.entitle(&mut names);
            }
        }
        letters.extend(names);
        let value = letters.join(", ");
        Some(Thing { title: var.title.clone(), value, inks: Vec::new(), grid })
    }

    /// What stands along the number of a member.
    fn rows<'a>(&self, look: Look<'a>, member: usize) -> Vec<Row<'a>> {
        let mut seen = BTreeSet::new();
        let stops = self.stops.iter().filter(|stop| stop.only.is_none_or(|only| only == member));
        let stops = stops.filter(|stop| seen.insert(stop.along));
        stops.filter_map(|stop| Row::new(look.of, *stop, member)).collect()
    }

    /// A place that was passed: what was reached there.
    fn done(&self, look: Look, seat: usize, (member, number): (usize, i64)) -> Cell {
        let reached = self.reached().map(|var| &look.of.program.vars[var]);
        let Some((var, last)) = reached.and_then(|var| Some((var, var.dims.last()?))) else {
            return Cell::plain(YES);
        };
        let at = usize::try_from(number - last.low).ok().filter(|at| *at < last.size);
        let Some(at) = at else { return Cell::default() };
        let lead = if var.dims.len() > 1 { member } else { 0 };
        cell::of_words(look.of, var, look.words(var, (seat, lead * last.size + at)).as_deref())
    }
}

/// What else stands at the places that lie ahead.
fn ahead(row: &Row, at: i64, numbers: &BTreeSet<i64>) -> Vec<Cell> {
    let cell = |number: &i64| if *number < at { Cell::default() } else { row.cell(*number) };
    let title = Cell::plain(&format!("  {}", row.name));
    [title].into_iter().chain(numbers.iter().map(cell)).collect()
}

/// The place where the number stands.
fn here(ahead: Cell) -> Cell {
    let text = if ahead.is_empty() { String::new() } else { ahead.text };
    Cell { text: format!(">{text}"), ..ahead }
}
