//! Groups the variables over the members of one type into one drawing, a series of cells each.

use std::collections::BTreeSet;

use crate::bytecode::program::{self, NONE};
use crate::bytecode::vars::{DimInfo, VarInfo};
use crate::game::view::boards::boards;
use crate::game::view::cards::collect_cards;
use crate::game::view::tracks::{self, constant_number};
use crate::game::view::{
    EMPTY, TableView, Thing, ValueForm, ViewCell, ViewContext, YES, colour, grid_row,
};
use crate::rules::{Domain, History, Rules, Table, Type, Value, VarForm};

/// How many members a type has at most whose variables stand in one drawing.
const MOST_ACROSS: usize = 26;

/// So many numbers of a player stand in a row of their own.
const LEAST_IN_ROW: usize = 9;

/// Puts a state into words: what a player sees of it, if it is a player who views it.
pub(in crate::game) fn build_view(view: ViewContext) -> TableView {
    let mut kept = tracks::absorbed_variables(view);
    let undrawn = |at: &usize| !view.whole && view.rules.vars[*at].undrawn;
    kept.extend((0..view.program.vars.len()).filter(undrawn));
    let mut groups: Vec<VarGroup> = Vec::new();
    for over in types(view) {
        let speakers = speakers(view, &kept, &over);
        if !speakers.is_empty() {
            groups.push(VarGroup { over, speakers });
        }
    }
    let things = |of_player: bool, seat: usize| {
        let vars = view.program.vars.iter().enumerate();
        let vars = vars.filter(|(at, var)| var.of_player == of_player && !kept.contains(at));
        let thing = |(number, var): (usize, &VarInfo)| {
            let has = |group: &&VarGroup| group.speakers.iter().any(|it| it.number == number);
            let Some(group) = groups.iter().find(has) else {
                let track = tracks::track_of(view, number);
                let track = track.and_then(|track| track.draw_track(view, seat));
                let thing = track.unwrap_or_else(|| view.build_thing(var, seat));
                return Some(view.describe_thing(thing, number, seat));
            };
            // A group is drawn where its first variable stands.
            (!of_player && group.speakers[0].number == number).then(|| group.draw_group(view))
        };
        vars.filter_map(thing).collect::<Vec<_>>()
    };
    let mut table = things(false, 0);
    // What only players have is drawn on the table, too.
    let of_players = groups.iter().filter(|group| group.speakers[0].var.of_player);
    table.extend(of_players.map(|group| group.draw_group(view)));
    if view.whole {
        table.extend((0..).zip(&view.rules.histories).map(|it| remembered(view, it)));
    }
    let players: Vec<Vec<Thing>> =
        (0..view.program.players).map(|seat| things(true, seat)).collect();
    let cards = collect_cards(view, table.iter().chain(players.iter().flatten()));
    let (head, seats, boards) = (view.build_head(), view.build_seats(), boards(view));
    TableView { head, seats, boards, table, players, cards, ..TableView::default() }
}

/// How much a history remembers; all of it would fill the screen.
fn remembered(view: ViewContext, (number, history): (usize, &History)) -> Thing {
    let count = view.state.remembered(number);
    let s = if count == 1 { "" } else { "s" };
    let value = format!("{count} different position{s}");
    Thing { title: history.title.clone(), value, ..Thing::default() }
}

/// The types that variables could be drawn over; what lies on boards is drawn there.
fn types(view: ViewContext) -> Vec<DimInfo> {
    let mut types: Vec<DimInfo> = Vec::new();
    for var in &view.program.vars {
        if let [over] = var.dims.as_slice()
            && view.dim_layout(over).is_none()
            && !types.contains(over)
        {
            types.push(over.clone());
        }
    }
    types
}

/// The variables that are drawn together over a type: arrays of the table with its sets, those of
/// players where they have arrays too. None where each is better shown alone.
fn speakers<'a>(view: ViewContext<'a>, kept: &BTreeSet<usize>, over: &DimInfo) -> Vec<Speaker<'a>> {
    let free = |at: &usize| !kept.contains(at) && tracks::track_of(view, *at).is_none();
    let numbers = (0..view.program.vars.len()).filter(free);
    let mut all: Vec<Speaker> =
        numbers.filter_map(|at| Speaker::for_variable(view, at, over)).collect();
    all.sort_by_key(|it| it.var.of_player);
    let is_array = |it: &Speaker| it.says == Speaks::Array;
    let of_players = all.iter().any(|it| is_array(it) && it.var.of_player);
    all.retain(|it| it.says != Speaks::Place && (of_players || !it.var.of_player));
    let few = view.own_positions(over).len() <= MOST_ACROSS;
    let is_group = all.len() > 1 && all.iter().any(is_array) || is_row_of_numbers(view, &all);
    if is_group && few { all } else { Vec::new() }
}

/// Whether players have numbers in a long row, as men on points: in words they are hard to compare.
fn is_row_of_numbers(view: ViewContext, speakers: &[Speaker]) -> bool {
    let [Speaker { number, var, says: Speaks::Array }] = speakers else { return false };
    let is_number = matches!(view.value_form(*number), ValueForm::Number | ValueForm::Coin);
    let is_open = var.secret.is_none() && var.of_player;
    is_open && is_number && var.dims[0].kind.is_none() && var.count() >= LEAST_IN_ROW
}

/// Variables that are drawn together over the members of one type.
struct VarGroup<'a> {
    over: DimInfo,
    speakers: Vec<Speaker<'a>>,
}

impl VarGroup<'_> {
    fn draw_group(&self, view: ViewContext) -> Thing {
        let over = &self.over;
        let own = view.own_positions(over).into_iter();
        let array = self.speakers.iter().find(|it| it.says == Speaks::Array);
        let heading = |at| match array {
            Some(speaker) => view.index_heading((speaker.var, 0), at, None),
            None => ViewCell::from_text(&view.print_index(over, at)),
        };
        let mut grid = vec![grid_row("", own.map(heading))];
        let vars = self.speakers.iter().flat_map(|it| it.series(view, over));
        // In a row of numbers those that are not 0 matter.
        let is_row = self.speakers.len() == 1;
        let bare = |cell: ViewCell| match cell.text.as_str() {
            "0" if is_row => ViewCell::from_text(EMPTY),
            _ => cell,
        };
        let series = table_series(view, over).chain(vars);
        grid.extend(series.map(|one| {
            let mut row = grid_row(&one.title, one.cells.into_iter().map(bare));
            row[0].form = one.form;
            row
        }));
        let title = view.dim_kind(over).map_or_else(String::new, |kind| kind.title.clone());
        let variables = self.speakers.iter().map(|it| it.var.name.clone()).collect();
        let drawn = self.speakers.iter().any(|it| view.is_drawn(it.number));
        Thing { title, grid, variables, form: ValueForm::Sheet, drawn, ..Thing::default() }
    }
}

/// A cell for each of some members.
pub(super) struct Series {
    pub(super) title: String,
    pub(super) form: Option<ValueForm>,
    pub(super) cells: Vec<ViewCell>,
}

/// How a variable speaks about the members of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    Array,
    /// Whether they are in a set.
    Set,
    /// Which one it is, as a piece stands on a place.
    Place,
}

/// A variable that speaks about the members of a type.
#[derive(Clone, Copy)]
pub(super) struct Speaker<'a> {
    pub(super) number: usize,
    pub(super) var: &'a VarInfo,
    pub(super) says: Speaks,
}

impl<'a> Speaker<'a> {
    pub(super) fn for_variable(
        view: ViewContext<'a>,
        number: usize,
        over: &DimInfo,
    ) -> Option<Speaker<'a>> {
        let var = &view.program.vars[number];
        if matches!(view.rules.vars[number].form, VarForm::Pile(_)) {
            return None;
        }
        let says = match (var.dims.as_slice(), &var.format.shape) {
            ([dim], _) if dim == over => Speaks::Array,
            ([], program::ValueShape::Members(kind)) if over.kind == Some(*kind) => Speaks::Set,
            ([], program::ValueShape::Numbers(low)) if over.kind.is_none() && over.low == *low => {
                Speaks::Set
            }
            ([], program::ValueShape::Member(kind)) if over.kind == Some(*kind) => Speaks::Place,
            _ => return None,
        };
        Some(Speaker { number, var, says })
    }

    /// Its cells for the members of a type, for each player if they have it.
    fn series(&self, view: ViewContext, over: &DimInfo) -> Vec<Series> {
        let Speaker { var, says, .. } = *self;
        let seats = if var.of_player { view.program.players } else { 1 };
        let one = |seat: usize| {
            let cell = |member: usize| match says {
                Speaks::Array => view.build_cell(var, (seat, member)),
                _ => match self.has_member(view, seat, member) {
                    None => view.build_cell(var, (seat, 0)),
                    Some(holds) => ViewCell::from_text(if holds { YES } else { EMPTY }),
                },
            };
            let owner = if seats > 1 { format!(" {}", view.names[seat]) } else { String::new() };
            // The place of a player says whose it is; that of the table stands in the heading.
            let is_place = over.kind.is_none() && var.of_player && says == Speaks::Array;
            let place = |member| is_place.then(|| view.index_tag((var, 0), member, Some(seat)));
            let cell = |member| ViewCell { tag: place(member), ..cell(member) };
            let cells = view.own_positions(over).into_iter().map(cell).collect();
            let form = Some(view.value_form(self.number));
            Series { title: format!("{}{owner}", var.title), form, cells }
        };
        (0..seats).map(one).collect()
    }

    /// Whether a set holds a member, or a piece stands on it; none where that is not seen.
    pub(super) fn has_member(&self, view: ViewContext, seat: usize, member: usize) -> Option<bool> {
        let words = view.visible_words(self.var, (seat, 0))?;
        let bit = |word: &i64| word >> (member % 64) & 1 == 1;
        Some(match self.says {
            Speaks::Set => words.get(member / 64).is_some_and(bit),
            Speaks::Place => {
                let stands = |word: &i64| *word != NONE && i64::try_from(member) == Ok(*word);
                words.first().is_some_and(stands)
            }
            Speaks::Array => false,
        })
    }
}

/// The constant tables over one type, a series each: what was written down about its members.
fn table_series<'a>(view: ViewContext<'a>, over: &'a DimInfo) -> impl Iterator<Item = Series> {
    tables(view, std::slice::from_ref(over)).map(move |table| {
        let cells =
            view.own_positions(over).into_iter().map(|at| table_cell(view, table, at)).collect();
        Series { title: table.name.replace('_', " "), form: None, cells }
    })
}

/// The constant tables of numbers or members over some types; those that are computed are for rules alone.
pub(super) fn tables<'a>(
    view: ViewContext<'a>,
    dims: &'a [DimInfo],
) -> impl Iterator<Item = &'a Table> + use<'a> {
    // Whether a table has a cell for each index of a dimension.
    let is_over = move |(domain, dim): (&Domain, &DimInfo)| match domain {
        Domain::Kind(kind) => dim.kind.map(u32::from) == Some(kind.0),
        Domain::Range(_) => {
            let size = i64::try_from(dim.size).expect("a dimension fits into the state");
            dim.kind.is_none()
                && range_ends(view.rules, *domain) == Some((dim.low, dim.low + size - 1))
        }
    };
    view.rules.tables.iter().filter(move |table| {
        table.dims.len() == dims.len()
            && table.dims.iter().zip(dims).all(is_over)
            && matches!(table_type(table), Type::Number | Type::Kind(_))
            && !table.is_computed()
            && table.formula.is_none()
    })
}

/// The first and the last number of a range whose ends are written as numbers or constants.
pub(super) fn range_ends(rules: &Rules, domain: Domain) -> Option<(i64, i64)> {
    let Domain::Range(range) = domain else { return None };
    let range = &rules.ranges[range.index()];
    Some((constant_number(rules, &range.low)?, constant_number(rules, range.high.as_ref()?)?))
}

/// The type of the cells of a table that are not empty.
pub(super) fn table_type(table: &Table) -> &Type {
    match &table.ty {
        Type::Maybe(ty) => ty,
        ty => ty,
    }
}

pub(super) fn table_cell(view: ViewContext, table: &Table, at: usize) -> ViewCell {
    match (table.cells.get(at), table_type(table)) {
        (Some(Value::Int(word)), Type::Kind(kind)) => {
            let at = usize::try_from(*word).expect("a member has a position");
            let text = view.rules.kinds[kind.index()].members[at].title.clone();
            let inks = colour::colour_words(view, kind.index(), at, &text);
            ViewCell::coloured(text, inks)
        }
        (Some(Value::Int(word)), _) => ViewCell::from_text(&word.to_string()),
        _ => ViewCell::from_text(EMPTY),
    }
}
