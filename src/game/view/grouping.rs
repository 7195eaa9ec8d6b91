//! Groups the variables over the members of one type into one drawing.

use std::collections::BTreeSet;

use super::Thing;
use super::boards::{around, linked, with_pieces};
use super::cell::{Cell, row};
use super::look::Look;
use super::series::{Series, Speaks, series_of, speaks, table_series, whose};
use super::tracks;
use crate::bytecode::vars::DimInfo;
use crate::check::topology::Layout;

/// How many members a type has at most whose variables stand in one drawing, unless it is a board.
const MOST_ACROSS: usize = 24;

/// What is drawn together, and what does not need a drawing.
pub(super) struct Plan<'a> {
    look: Look<'a>,
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
    pub(super) fn new(look: Look<'a>) -> Plan<'a> {
        let kept = tracks::kept(look);
        let mut plan = Plan { look, groups: Vec::new(), kept };
        for over in plan.types() {
            let vars = plan.speakers(&over);
            if !vars.is_empty() {
                plan.groups.push(Group { over, vars });
            }
        }
        plan
    }

    /// The things that the table has, or a player, drawings of several among them.
    pub(super) fn things(&self, of_player: bool, seat: usize) -> Vec<Thing> {
        let vars = self.look.program.vars.iter().enumerate();
        let vars =
            vars.filter(|(number, var)| var.of_player == of_player && !self.kept.contains(number));
        let mut things = Vec::new();
        for (number, var) in vars {
            let track = || tracks::track_of(self.look, number)?.thing(self.look, seat);
            match self.groups.iter().find(|group| group.vars.contains(&number)) {
                Some(group) if group.vars[0] == number && !of_player => {
                    things.extend(self.drawn(group));
                }
                Some(_) => {}
                None => things.push(track().unwrap_or_else(|| self.look.thing(var, seat))),
            }
        }
        things
    }

    /// The drawings of what only players have.
    pub(super) fn of_players_alone(&self) -> Vec<Thing> {
        let alone = |group: &&Group| self.is_of_player(group.vars[0]);
        self.groups.iter().filter(alone).filter_map(|group| self.drawn(group)).collect()
    }

    fn is_of_player(&self, number: usize) -> bool {
        self.look.program.vars[number].of_player
    }

    /// The types that variables could be drawn over.
    fn types(&self) -> Vec<DimInfo> {
        let mut types: Vec<DimInfo> = Vec::new();
        let vars = self.look.program.vars.iter().filter_map(|var| match var.dims.as_slice() {
            [dim] => Some(dim.clone()),
            _ => None,
        });
        let kinds = self.look.rules.kinds.iter().enumerate().filter(|(_, kind)| kind.is_board());
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

    fn layout(&self, over: &DimInfo) -> Option<Layout> {
        Some(self.look.kind(over)?.board()?.layout())
    }

    /// The variables that are drawn together over a type: those of the table first. None where each
    /// is better shown alone.
    fn speakers(&self, over: &DimInfo) -> Vec<usize> {
        let numbers = (0..self.look.program.vars.len()).filter(|number| {
            !self.kept.contains(number) && tracks::track_of(self.look, *number).is_none()
        });
        let mut all: Vec<(usize, Speaks)> =
            numbers.filter_map(|number| Some((number, speaks(self.look, number, over)?))).collect();
        all.sort_by_key(|(number, _)| self.is_of_player(*number));
        let wanted = match self.layout(over) {
            Some(Layout::Circle | Layout::Links) => all,
            Some(Layout::Rows { .. }) => self.on_grid(all),
            _ => self.in_rows(over, all),
        };
        wanted.into_iter().map(|(number, _)| number).collect()
    }

    /// On a grid one variable lies, and the pieces that all see standing on its places.
    fn on_grid(&self, all: Vec<(usize, Speaks)>) -> Vec<(usize, Speaks)> {
        let vars = &self.look.program.vars;
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
        let few = self.look.own(over).len() <= MOST_ACROSS;
        if some.len() > 1 && has_array && few { some } else { Vec::new() }
    }

    fn drawn(&self, group: &Group) -> Option<Thing> {
        let over = &group.over;
        let (grid, value) = match self.layout(over) {
            Some(Layout::Rows { .. }) => return with_pieces(self.look, over, &group.vars),
            Some(Layout::Circle) => around(self.look, over, &self.about(group))?,
            Some(Layout::Links) => linked(self.look, over, &self.about(group))?,
            _ => (self.rows(group), String::new()),
        };
        let title = self.look.kind(over).map_or_else(String::new, |kind| kind.title.clone());
        Some(Thing { title, value, inks: Vec::new(), grid })
    }

    /// Series about the cells of a board: arrays of players one for each, whose cells a set or a
    /// piece stands on in one.
    fn about(&self, group: &Group) -> Vec<Series> {
        let series = group.vars.iter().flat_map(|number| {
            let says = speaks(self.look, *number, &group.over);
            let open = self.look.program.vars[*number].secret.is_none();
            if open && self.is_of_player(*number) && says != Some(Speaks::Array) {
                return whose(self.look, *number, &group.over).into_iter().collect();
            }
            self.series_of_all(*number, &group.over)
        });
        series.chain(table_series(self.look, &group.over)).collect()
    }

    /// A series of a variable, for each player if they have it.
    fn series_of_all(&self, number: usize, over: &DimInfo) -> Vec<Series> {
        let seats = if self.is_of_player(number) { self.look.program.players } else { 1 };
        let named = |seat: usize| {
            let mut found = series_of(self.look, number, over, seat)?;
            if seats > 1 {
                found.title = format!("{} {}", found.title, self.look.names[seat]);
            }
            Some(found)
        };
        (0..seats).filter_map(named).collect()
    }

    fn rows(&self, group: &Group) -> Vec<Vec<Cell>> {
        let (look, over) = (self.look, &group.over);
        let heading = look.own(over).into_iter().map(|at| Cell::plain(&look.index(over, at)));
        let mut rows = vec![row("", heading)];
        let vars = group.vars.iter().flat_map(|number| self.series_of_all(*number, over));
        let series = table_series(look, over).into_iter().chain(vars);
        rows.extend(series.map(|one| row(&one.title, one.cells.into_iter())));
        rows
    }
}
