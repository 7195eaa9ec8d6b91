//! Groups the variables over the members of one type into one drawing, a series of cells each.

use std::collections::BTreeSet;

use super::boards::{around, linked, with_pieces};
use super::colour;
use super::tracks::{self, number};
use super::{Cell, EMPTY, TableView, Thing, View, YES, row};
use crate::bytecode::program::{self, NONE};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::check::rules::{Domain, Rules, Shape, Table, Type, Value, VarForm};

/// How many members a type has at most whose variables stand in one drawing, unless it is a board.
const MOST_ACROSS: usize = 24;

/// Puts a state into words: what a player sees of it, if it is a player who views it.
pub(in crate::game) fn table(view: View) -> TableView {
    let plan = Plan::new(view);
    let mut table = plan.things(false, 0);
    // What only players have is drawn on the table, too.
    let alone = plan.groups.iter().filter(|group| plan.is_of_player(group.vars[0]));
    table.extend(alone.filter_map(|group| plan.drawn(group)));
    let players = (0..view.program.players).map(|seat| plan.things(true, seat)).collect();
    TableView { table, players }
}

/// What is drawn together, and what does not need a drawing.
struct Plan<'a> {
    view: View<'a>,
    groups: Vec<Group>,
    /// Variables that a track shows.
    kept: BTreeSet<usize>,
}

/// Variables that speak about the members of one type.
struct Group {
    over: DimInfo,
    vars: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn new(view: View<'a>) -> Plan<'a> {
        let kept = tracks::kept(view);
        let mut plan = Plan { view, groups: Vec::new(), kept };
        for over in plan.types() {
            let vars = plan.speakers(&over);
            if !vars.is_empty() {
                plan.groups.push(Group { over, vars });
            }
        }
        plan
    }

    /// The things that the table has, or a player, drawings of several among them.
    fn things(&self, of_player: bool, seat: usize) -> Vec<Thing> {
        let vars = self.view.program.vars.iter().enumerate();
        let vars =
            vars.filter(|(number, var)| var.of_player == of_player && !self.kept.contains(number));
        let mut things = Vec::new();
        for (number, var) in vars {
            let track = || tracks::track_of(self.view, number)?.thing(self.view, seat);
            match self.groups.iter().find(|group| group.vars.contains(&number)) {
                Some(group) if group.vars[0] == number && !of_player => {
                    things.extend(self.drawn(group));
                }
                Some(_) => {}
                None => things.push(track().unwrap_or_else(|| self.view.thing(var, seat))),
            }
        }
        things
    }

    fn is_of_player(&self, number: usize) -> bool {
        self.view.program.vars[number].of_player
    }

    /// The types that variables could be drawn over.
    fn types(&self) -> Vec<DimInfo> {
        let mut types: Vec<DimInfo> = Vec::new();
        let vars = self.view.program.vars.iter().filter_map(|var| match var.dims.as_slice() {
            [dim] => Some(dim.clone()),
            _ => None,
        });
        let kinds = self.view.rules.kinds.iter().enumerate().filter(|(_, kind)| kind.is_board());
        let boards = kinds.filter_map(|(number, kind)| {
            let (number, size) = (u16::try_from(number).ok()?, kind.members.len());
            Some(DimInfo { kind: Some(number), low: 0, size })
        });
        for over in vars.chain(boards) {
            if !types.contains(&over) {
                types.push(over);
            }
        }
        types
    }

    fn shape(&self, over: &DimInfo) -> Shape {
        self.view.kind(over).map_or(Shape::Plain, |kind| kind.shape)
    }

    /// The variables that are drawn together over a type: those of the table first. None where each
    /// is better shown alone.
    fn speakers(&self, over: &DimInfo) -> Vec<usize> {
        let numbers = (0..self.view.program.vars.len()).filter(|number| {
            !self.kept.contains(number) && tracks::track_of(self.view, *number).is_none()
        });
        let mut all: Vec<(usize, Speaks)> =
            numbers.filter_map(|number| Some((number, speaks(self.view, number, over)?))).collect();
        all.sort_by_key(|(number, _)| self.is_of_player(*number));
        let wanted = match self.shape(over) {
            Shape::Ring | Shape::Map => all,
            Shape::Grid { .. } => self.on_grid(all),
            _ => self.in_rows(over, all),
        };
        wanted.into_iter().map(|(number, _)| number).collect()
    }

    /// On a grid one variable lies, and the pieces that all see standing on its places.
    fn on_grid(&self, all: Vec<(usize, Speaks)>) -> Vec<(usize, Speaks)> {
        let vars = &self.view.program.vars;
        let open: Vec<(usize, Speaks)> =
            all.into_iter().filter(|(number, _)| vars[*number].secret.is_none()).collect();
        if !open.iter().any(|(_, says)| *says == Speaks::Place) {
            return Vec::new();
        }
        let lies = |(number, says): &&(usize, Speaks)| {
            *says == Speaks::Array && !self.is_of_player(*number)
        };
        let lies = open.iter().find(lies).copied();
        let places = open.into_iter().filter(|(_, says)| *says == Speaks::Place);
        lies.into_iter().chain(places).collect()
    }

    /// Arrays of the table, with its sets; those of players where they have arrays too.
    fn in_rows(&self, over: &DimInfo, all: Vec<(usize, Speaks)>) -> Vec<(usize, Speaks)> {
        let of_players =
            all.iter().any(|(number, says)| *says == Speaks::Array && self.is_of_player(*number));
        let fits = |(number, says): &(usize, Speaks)| {
            *says != Speaks::Place && (of_players || !self.is_of_player(*number))
        };
        let some: Vec<(usize, Speaks)> = all.into_iter().filter(fits).collect();
        let has_array = some.iter().any(|(_, says)| *says == Speaks::Array);
        let few = self.view.own(over).len() <= MOST_ACROSS;
        if some.len() > 1 && has_array && few { some } else { Vec::new() }
    }

    fn drawn(&self, group: &Group) -> Option<Thing> {
        let over = &group.over;
        let (grid, value) = match self.shape(over) {
            Shape::Grid { .. } => return with_pieces(self.view, over, &group.vars),
            Shape::Ring => around(self.view, over, &self.about(group))?,
            Shape::Map => linked(self.view, over, &self.about(group))?,
            _ => (self.rows(group), String::new()),
        };
        let title = self.view.kind(over).map_or_else(String::new, |kind| kind.title.clone());
        Some(Thing { title, value, grid, ..Thing::default() })
    }

    /// Series about the cells of a board: arrays of players one for each, whose cells a set or a
    /// piece stands on in one.
    fn about(&self, group: &Group) -> Vec<Series> {
        let series = group.vars.iter().flat_map(|number| {
            let says = speaks(self.view, *number, &group.over);
            let open = self.view.program.vars[*number].secret.is_none();
            if open && self.is_of_player(*number) && says != Some(Speaks::Array) {
                return whose(self.view, *number, &group.over).into_iter().collect();
            }
            self.series_of_all(*number, &group.over)
        });
        series.chain(table_series(self.view, &group.over)).collect()
    }

    /// A series of a variable, for each player if they have it.
    fn series_of_all(&self, number: usize, over: &DimInfo) -> Vec<Series> {
        let seats = if self.is_of_player(number) { self.view.program.players } else { 1 };
        let named = |seat: usize| {
            let mut found = series_of(self.view, number, over, seat)?;
            if seats > 1 {
                found.title = format!("{} {}", found.title, self.view.names[seat]);
            }
            Some(found)
        };
        (0..seats).filter_map(named).collect()
    }

    fn rows(&self, group: &Group) -> Vec<Vec<Cell>> {
        let (view, over) = (self.view, &group.over);
        let heading = view.own(over).into_iter().map(|at| Cell::plain(&view.index(over, at)));
        let mut rows = vec![row("", heading)];
        let vars = group.vars.iter().flat_map(|number| self.series_of_all(*number, over));
        let series = table_series(view, over).into_iter().chain(vars);
        rows.extend(series.map(|one| row(&one.title, one.cells.into_iter())));
        rows
    }
}

/// A cell for each of some members.
pub(super) struct Series {
    pub(super) title: String,
    pub(super) cells: Vec<Cell>,
}

/// How a variable speaks about the members of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaks {
    Array,
    /// Whether they are in a set.
    Set,
    /// Which one it is, as a piece stands on a place.
    Place,
}

/// How a variable speaks about the members of a dimension, if it does.
fn speaks(view: View, number: usize, over: &DimInfo) -> Option<Speaks> {
    let var = &view.program.vars[number];
    if matches!(view.rules.vars[number].form, VarForm::Pile(_)) {
        return None;
    }
    match (var.dims.as_slice(), &var.format.shape) {
        ([dim], _) if dim == over => Some(Speaks::Array),
        ([], program::Shape::Members(kind)) if over.kind == Some(*kind) => Some(Speaks::Set),
        ([], program::Shape::Numbers(low)) if over.kind.is_none() && over.low == *low => {
            Some(Speaks::Set)
        }
        ([], program::Shape::Member(kind)) if over.kind == Some(*kind) => Some(Speaks::Place),
        _ => None,
    }
}

/// The cells of a variable for the members of a dimension.
fn series_of(view: View, number: usize, over: &DimInfo, seat: usize) -> Option<Series> {
    let var = &view.program.vars[number];
    let says = speaks(view, number, over)?;
    let cell = |member: usize| match says {
        Speaks::Array => view.cell(var, (seat, member)),
        _ => match holds(view, var, seat, says, member) {
            None => view.cell(var, (seat, 0)),
            Some(holds) => Cell::plain(if holds { YES } else { EMPTY }),
        },
    };
    let cells = view.own(over).into_iter().map(cell).collect();
    Some(Series { title: var.title.clone(), cells })
}

/// The cells of what all players have: each says whose members they are.
pub(super) fn whose(view: View, number: usize, over: &DimInfo) -> Option<Series> {
    let var = &view.program.vars[number];
    let says = speaks(view, number, over)?;
    let cell = |member: usize| {
        let has = |seat: &usize| holds(view, var, *seat, says, member) == Some(true);
        let owners = if var.of_player { view.program.players } else { 1 };
        let seats: Vec<usize> = (0..owners).filter(has).collect();
        let names: Vec<&str> = seats.iter().map(|seat| view.names[*seat].as_str()).collect();
        match seats.as_slice() {
            [] => Cell::plain(EMPTY),
            [one] => Cell::coloured(names.join(" "), vec![colour::member(view.rules, 0, *one)]),
            _ => Cell::plain(&names.join(" ")),
        }
    };
    let cells = view.own(over).into_iter().map(cell).collect();
    Some(Series { title: var.title.clone(), cells })
}

/// Whether a set holds a member, or a piece stands on it; none where that is not seen.
fn holds(view: View, var: &VarInfo, seat: usize, says: Speaks, member: usize) -> Option<bool> {
    let words = view.words(var, (seat, 0))?;
    Some(match says {
        Speaks::Set => words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1),
        Speaks::Place => {
            words.first().is_some_and(|word| *word != NONE && i64::try_from(member) == Ok(*word))
        }
        Speaks::Array => false,
    })
}

/// The constant tables over one type, a series each: what was written down about its members.
fn table_series(view: View, over: &DimInfo) -> Vec<Series> {
    let one = |table: &Table| {
        let cells = view.own(over).into_iter().map(|at| table_cell(view, table, at)).collect();
        Series { title: table.name.replace('_', " "), cells }
    };
    tables(view, std::slice::from_ref(over)).map(one).collect()
}

/// The constant tables of numbers or members over some types.
pub(super) fn tables<'a>(view: View<'a>, dims: &'a [DimInfo]) -> impl Iterator<Item = &'a Table> {
    view.rules.tables.iter().filter(move |table| {
        table.dims.len() == dims.len()
            && table.dims.iter().zip(dims).all(|(domain, dim)| is_over(view, *domain, dim))
            && matches!(table_type(table), Type::Number | Type::Kind(_))
            && !table.is_computed()
    })
}

/// Whether a table has a cell for each index of a dimension.
fn is_over(view: View, domain: Domain, dim: &DimInfo) -> bool {
    match domain {
        Domain::Kind(kind) => dim.kind.map(u32::from) == Some(kind.0),
        Domain::Range(_) => {
            let size = i64::try_from(dim.size).expect("a dimension fits into the state");
            dim.kind.is_none() && ends(view.rules, domain) == Some((dim.low, dim.low + size - 1))
        }
    }
}

/// The first and the last number of a range whose ends are written as numbers or constants.
pub(super) fn ends(rules: &Rules, domain: Domain) -> Option<(i64, i64)> {
    let Domain::Range(range) = domain else { return None };
    let range = &rules.ranges[range.index()];
    Some((number(rules, &range.low)?, number(rules, range.high.as_ref()?)?))
}

/// The type of the cells of a table that are not empty.
pub(super) fn table_type(table: &Table) -> &Type {
    match &table.ty {
        Type::Maybe(ty) => ty,
        ty => ty,
    }
}

pub(super) fn table_cell(view: View, table: &Table, at: usize) -> Cell {
    match (table.cells.get(at), table_type(table)) {
        (Some(Value::Int(word)), Type::Kind(kind)) => {
            let at = usize::try_from(*word).expect("a member has a position");
            let text = view.rules.kinds[kind.index()].members[at].title.clone();
            let inks = colour::words(view.rules, kind.index(), at, &text);
            Cell::coloured(text, inks)
        }
        (Some(Value::Int(word)), _) => Cell::plain(&word.to_string()),
        _ => Cell::plain(EMPTY),
    }
}
