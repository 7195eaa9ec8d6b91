//! Tracks: numbers that count along a row, drawn with what they passed and what lies ahead.
//!
//! Nobody declares a track. A number that only ever counts on, and that the rules use as the last
//! index of a table over numbers, is a place on that table, and what lies ahead can be shown.

mod find;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::bytecode::vars::VarInfo;
use crate::game::view::grouping::{range_ends, table_type};
use crate::game::view::{EMPTY, Thing, ViewCell, ViewContext, YES, grid_row, member_tags};
use crate::rules::{Expr, ExprKind, Rules, Type, UnaryOp, Value};
pub(in crate::game) use find::tracks;

/// How many places ahead are put into words.
const MOST_AHEAD: usize = 3;

/// A number, and what it walks along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct Track {
    /// The position of the variable that counts.
    var: usize,
    /// Its stops, in the order of the file.
    stops: Vec<TrackStop>,
}

/// Something that has a place for each number: a table, or a variable that keeps what was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TrackStop {
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
pub(super) fn track_of(view: ViewContext<'_>, var: usize) -> Option<&Track> {
    view.loaded.tracks.iter().find(|track| track.var == var)
}

/// The variables that are drawn with the track that walks along them.
pub(super) fn absorbed_variables(view: ViewContext) -> BTreeSet<usize> {
    let drawn = view.loaded.tracks.iter().filter(|it| !view.program.vars[it.var].dims.is_empty());
    drawn.filter_map(Track::reached_variable).collect()
}

impl Track {
    /// The variable that keeps what was reached at each place.
    fn reached_variable(&self) -> Option<usize> {
        self.stops.iter().find_map(|stop| match (stop.along, stop.only) {
            (Along::Var(var), None) => Some(var),
            _ => None,
        })
    }

    /// Draws the number with what was reached and what lies ahead.
    pub(super) fn draw_track(&self, view: ViewContext, seat: usize) -> Option<Thing> {
        let var = &view.program.vars[self.var];
        if var.dims.is_empty() {
            self.worded(view, var, seat)
        } else {
            self.draw_rows(view, var, seat)
        }
    }

    /// One number: where it stands, and what comes next.
    fn worded(&self, view: ViewContext, var: &VarInfo, seat: usize) -> Option<Thing> {
        let at = *view.visible_words(var, (seat, 0))?.first()?;
        let rows = self.collect_rows(view, 0);
        let last = rows.iter().map(|row| row.stop_numbers().last().unwrap_or(row.low)).max()?;
        let ahead: Vec<String> =
            rows.iter().filter_map(|row| row.in_words(at, rows.len() == 1)).collect();
        let value = match ahead.as_slice() {
            [] => format!("{at} of {last}"),
            ahead => format!("{at} of {last} ({})", ahead.join("; ")),
        };
        Some(Thing { title: var.title.clone(), value, ..Thing::default() })
    }

    /// Several numbers: a row for each, filled as far as it came, then what lies ahead; below it
    /// what else each step asks for.
    fn draw_rows(&self, view: ViewContext, var: &VarInfo, seat: usize) -> Option<Thing> {
        let [dim] = var.dims.as_slice() else { return None };
        let members = view.own_positions(dim);
        let every = members.iter().flat_map(|member| self.collect_rows(view, *member));
        let numbers: BTreeSet<i64> = every.flat_map(|row| row.stop_numbers()).collect();
        let mut grid =
            vec![grid_row("", numbers.iter().map(|it| ViewCell::from_text(&it.to_string())))];
        let (mut letters, mut names): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for member in members {
            let at = *view.visible_words(var, (seat, member))?.first()?;
            let mut rows = self.collect_rows(view, member);
            for row in &rows {
                let ahead = row.stop_numbers().zip(&row.places).filter(|(number, _)| *number >= at);
                for line in ahead.filter_map(|(_, place)| place.letters.as_ref()) {
                    if !letters.contains(line) {
                        letters.push(line.clone());
                    }
                }
            }
            let main = rows.iter().position(|row| row.has_members).map(|main| rows.remove(main));
            let done = |number| self.passed_cell(view, seat, member, number);
            let line = numbers.iter().map(|number| {
                let ahead =
                    main.as_ref().map_or_else(ViewCell::default, |row| row.view_cell(*number));
                match number.cmp(&at) {
                    Ordering::Less => done(*number),
                    Ordering::Equal => {
                        let text = if ahead.is_empty() { "" } else { ahead.text.as_str() };
                        ViewCell { text: format!(">{text}"), ..ahead }
                    }
                    Ordering::Greater => ahead,
                }
            });
            grid.push(grid_row(&view.print_index(dim, member), line));
            for other in rows.iter().filter(|row| !row.is_level) {
                let cell =
                    |it: &i64| if *it < at { ViewCell::default() } else { other.view_cell(*it) };
                grid.push(grid_row(&format!("  {}", other.name), numbers.iter().map(cell)));
                // What the row is, where its name is not all that is said of it.
                let line = other.title.map(|title| format!("{}: {title}", other.name));
                names.extend(line.filter(|line| !names.contains(line)));
            }
        }
        letters.extend(names);
        let value = letters.join(", ");
        Some(Thing { title: var.title.clone(), value, grid, ..Thing::default() })
    }

    /// The rows along the track of a member.
    fn collect_rows<'a>(&self, view: ViewContext<'a>, member: usize) -> Vec<TrackRow<'a>> {
        let mut seen = BTreeSet::new();
        let stops = self.stops.iter().filter(|stop| stop.only.is_none_or(|only| only == member));
        let stops = stops.filter(|stop| seen.insert(stop.along));
        stops.filter_map(|stop| TrackRow::new(view, *stop, member)).collect()
    }

    /// A place that was passed: what was reached there.
    fn passed_cell(&self, view: ViewContext, seat: usize, member: usize, number: i64) -> ViewCell {
        let reached = self.reached_variable().map(|var| &view.program.vars[var]);
        let Some((var, last)) = reached.and_then(|var| Some((var, var.dims.last()?))) else {
            return ViewCell::from_text(YES);
        };
        let at = usize::try_from(number - last.low).ok().filter(|at| *at < last.size);
        let Some(at) = at else { return ViewCell::default() };
        let lead = if var.dims.len() > 1 { member } else { 0 };
        view.build_cell(var, (seat, lead * last.size + at))
    }
}

/// What a table says about each place of a track, the first at the number `low`.
struct TrackRow<'a> {
    /// What it is, in a word or two.
    name: String,
    /// What it is, if the file says more.
    title: Option<&'a str>,
    low: i64,
    places: Vec<TrackCell>,
    /// Whether its cells are members, which are drawn where the track itself is.
    has_members: bool,
    /// Whether it says the same at every place.
    is_level: bool,
}

struct TrackCell {
    /// A member in its letters, or a number.
    cell: ViewCell,
    /// Its text in full.
    word: Option<String>,
    /// What the letters stand for.
    letters: Option<String>,
}

impl<'a> TrackRow<'a> {
    /// The row of a table for a member; none of what keeps what was reached.
    fn new(view: ViewContext<'a>, stop: TrackStop, member: usize) -> Option<TrackRow<'a>> {
        let (Along::Table(table), rules) = (stop.along, view.rules) else { return None };
        let table = &rules.tables[table];
        let (low, high) = range_ends(rules, *table.dims.last()?)?;
        let size = usize::try_from(high - low + 1).ok()?;
        let lead = match stop.lead {
            Lead::None => 0,
            Lead::Same => member,
            Lead::Fixed(row) => row,
        };
        let cells = table.cells.get(lead * size..(lead + 1) * size)?;
        let kind = match table_type(table) {
            Type::Kind(kind) => Some((kind.index(), member_tags(rules, kind.index()))),
            _ => None,
        };
        let place = |value: &Value| match (value, &kind) {
            (Value::Int(at), Some((kind, tags))) => {
                let at = usize::try_from(*at).expect("a member has a position");
                let (tag, title) = (&tags[at], &rules.kinds[*kind].members[at].title);
                let cell = ViewCell::coloured(tag.clone(), vec![view.paint(*kind, at)]);
                let letters = Some(format!("{tag} {title}"));
                TrackCell { cell, word: Some(title.clone()), letters }
            }
            (Value::Int(number), None) => {
                let word = number.to_string();
                TrackCell { cell: ViewCell::from_text(&word), word: Some(word), letters: None }
            }
            _ => TrackCell { cell: ViewCell::from_text(EMPTY), word: None, letters: None },
        };
        let name = table.name.replace('_', " ");
        let title = (table.title != name).then_some(table.title.as_str());
        let is_level = cells.iter().all(|cell| *cell == cells[0]);
        let places = cells.iter().map(place).collect();
        Some(TrackRow { name, title, low, places, has_members: kind.is_some(), is_level })
    }

    fn stop_numbers(&self) -> impl Iterator<Item = i64> + use<> {
        (self.low..).take(self.places.len())
    }

    fn cell_at(&self, number: i64) -> Option<&TrackCell> {
        self.places.get(usize::try_from(number - self.low).ok()?)
    }

    fn view_cell(&self, number: i64) -> ViewCell {
        self.cell_at(number).map_or_else(ViewCell::default, |place| place.cell.clone())
    }

    /// The stop at a place and the next one in words, named unless it is the only row.
    fn in_words(&self, at: i64, alone: bool) -> Option<String> {
        let dash = || "-".to_owned();
        let now = self.cell_at(at).and_then(|place| place.word.clone());
        let ahead = self.stop_numbers().zip(&self.places).filter(|(number, _)| *number > at);
        let ahead: Vec<Option<String>> = ahead.map(|(_, place)| place.word.clone()).collect();
        let ahead = &ahead[..ahead.iter().rposition(Option::is_some).map_or(0, |last| last + 1)];
        let mut then: Vec<String> =
            ahead.iter().take(MOST_AHEAD).map(|word| word.clone().unwrap_or_else(dash)).collect();
        then.extend((ahead.len() > MOST_AHEAD).then(|| "…".to_owned()));
        let words = match (now, then.is_empty()) {
            (None, true) => return None,
            (Some(now), true) => now,
            (now, false) => format!("{}, then {}", now.unwrap_or_else(dash), then.join(", ")),
        };
        Some(if alone { words } else { format!("{} {words}", self.name) })
    }
}

/// The value of a bound that is written as a number or a constant.
pub(super) fn constant_number(rules: &Rules, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Value(Value::Int(number)) => Some(*number),
        ExprKind::Constant(constant) => {
            constant_number(rules, &rules.constants[constant.index()].value)
        }
        ExprKind::Unary(UnaryOp::Negate, part) => constant_number(rules, part)?.checked_neg(),
        _ => None,
    }
}
