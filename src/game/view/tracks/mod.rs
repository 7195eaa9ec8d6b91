//! Numbers that walk along a row: the rules count them, and look up what stands where they are.
//!
//! Nobody declares a track. A number that only ever counts on, and that the rules use as the last
//! index of a table over numbers, is a place on that table, and what lies ahead can be shown.

mod find;
mod row;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Thing;
use super::cell::{Cell, YES, row};
use super::look::Look;
use crate::bytecode::vars::VarInfo;
pub(in crate::game) use find::tracks;
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
    lead: Lead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Along {
    Table(usize),
    Var(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lead {
    None,
    /// The row of the member whose number it is.
    Same,
    Fixed(usize),
}

/// The track of a variable, if it walks along one.
pub(super) fn track_of(look: Look<'_>, var: usize) -> Option<&Track> {
    look.tracks.iter().find(|track| track.var == var)
}

/// The variables that are drawn with the track that walks along them.
pub(super) fn kept(look: Look) -> BTreeSet<usize> {
    let drawn = look.tracks.iter().filter(|it| !look.program.vars[it.var].dims.is_empty());
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
        let var = &look.program.vars[self.var];
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
        let members = look.own(dim);
        let every = members.iter().flat_map(|member| self.rows(look, *member));
        let numbers: BTreeSet<i64> = every.flat_map(|row| row.numbers()).collect();
        let mut grid = vec![row("", numbers.iter().map(|it| Cell::plain(&it.to_string())))];
        let (mut letters, mut names) = (Vec::new(), Vec::new());
        for member in members {
            let at = *look.words(var, (seat, member))?.first()?;
            let mut rows = self.rows(look, member);
            rows.iter().for_each(|row| row.explain(at, &mut letters));
            let main = rows.iter().position(Row::is_drawn).map(|main| rows.remove(main));
            let done = |number| self.done(look, seat, member, number);
            let line = numbers.iter().map(|number| {
                let ahead = main.as_ref().map_or_else(Cell::default, |row| row.cell(*number));
                match number.cmp(&at) {
                    Ordering::Less => done(*number),
                    Ordering::Equal => here(ahead),
                    Ordering::Greater => ahead,
                }
            });
            grid.push(row(&look.index(dim, member), line));
            for other in rows.iter().filter(|other| !other.is_level()) {
                let cell = |it: &i64| if *it < at { Cell::default() } else { other.cell(*it) };
                grid.push(row(&format!("  {}", other.name), numbers.iter().map(cell)));
                other.entitle(&mut names);
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
        stops.filter_map(|stop| Row::new(look, *stop, member)).collect()
    }

    /// A place that was passed: what was reached there.
    fn done(&self, look: Look, seat: usize, member: usize, number: i64) -> Cell {
        let reached = self.reached().map(|var| &look.program.vars[var]);
        let Some((var, last)) = reached.and_then(|var| Some((var, var.dims.last()?))) else {
            return Cell::plain(YES);
        };
        let at = usize::try_from(number - last.low).ok().filter(|at| *at < last.size);
        let Some(at) = at else { return Cell::default() };
        let lead = if var.dims.len() > 1 { member } else { 0 };
        look.cell(var, (seat, lead * last.size + at))
    }
}

/// The place where the number stands.
fn here(ahead: Cell) -> Cell {
    let text = if ahead.is_empty() { String::new() } else { ahead.text };
    Cell { text: format!(">{text}"), ..ahead }
}
