//! A row of a table that a track shows.

use super::super::cell::{Cell, EMPTY, member_tags};
use super::super::colour;
use super::super::look::Look;
use super::super::series::{ends, table_type};
use super::{Along, Lead, Stop};
use crate::check::rules::{Expr, ExprKind, Rules, Type, UnaryOp, Value};

/// How many places ahead are told in words.
const MOST_TOLD: usize = 3;

/// The cells that stand along a track, the first at the number `low`.
pub(super) struct Row<'a> {
    /// What they are, in a word or two.
    pub(super) name: String,
    /// What they are, if the file says more.
    title: Option<&'a str>,
    low: i64,
    cells: &'a [Value],
    /// The kind of the cells, where they are members, with its letters.
    kind: Option<(usize, Vec<String>)>,
    rules: &'a Rules,
}

impl<'a> Row<'a> {
    /// The row of a table for a member; none of what keeps what was reached.
    pub(super) fn new(look: Look<'a>, stop: Stop, member: usize) -> Option<Row<'a>> {
        let (Along::Table(table), rules) = (stop.along, look.rules) else { return None };
        let table = &rules.tables[table];
        let (low, high) = ends(rules, *table.dims.last()?)?;
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
        let name = table.name.replace('_', " ");
        let title = (table.title != name).then_some(table.title.as_str());
        Some(Row { name, title, low, cells, kind, rules })
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = i64> + use<> {
        (self.low..).take(self.cells.len())
    }

    pub(super) fn last(&self) -> i64 {
        self.numbers().last().unwrap_or(self.low)
    }

    /// Whether its cells are members, which are drawn where the track itself is.
    pub(super) fn is_drawn(&self) -> bool {
        self.kind.is_some()
    }

    /// Whether it says the same at every place.
    pub(super) fn is_level(&self) -> bool {
        self.cells.iter().all(|cell| *cell == self.cells[0])
    }

    fn value(&self, number: i64) -> Option<&'a Value> {
        self.cells.get(usize::try_from(number - self.low).ok()?)
    }

    /// The member at a place, with its letters, its title and its colour.
    fn member(&self, number: i64) -> Option<(&str, &'a str, colour::Paint)> {
        let (kind, tags) = self.kind.as_ref()?;
        let Value::Int(at) = self.value(number)? else { return None };
        let at = usize::try_from(*at).ok()?;
        let title = &self.rules.kinds[*kind].members[at].title;
        Some((&tags[at], title, colour::member(self.rules, *kind, at)))
    }

    /// What stands at a place: a member in its letters.
    pub(super) fn cell(&self, number: i64) -> Cell {
        match (self.member(number), self.value(number)) {
            (Some((tag, _, paint)), _) => Cell::coloured(tag.to_owned(), vec![paint]),
            (None, None) => Cell::default(),
            (None, Some(Value::Int(number))) => Cell::plain(&number.to_string()),
            (None, Some(_)) => Cell::plain(EMPTY),
        }
    }

    /// What stands at a place, in words.
    fn word(&self, number: i64) -> Option<String> {
        match (self.member(number), self.value(number)?) {
            (Some((_, title, _)), _) => Some(title.to_owned()),
            (None, Value::Int(number)) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Adds what the letters from a place on stand for.
    pub(super) fn explain(&self, from: i64, legend: &mut Vec<String>) {
        for (tag, title, _) in (from.max(self.low)..=self.last()).filter_map(|at| self.member(at)) {
            let line = format!("{tag} {title}");
            if !legend.contains(&line) {
                legend.push(line);
            }
        }
    }

    /// Adds what the row is, where its name is not all that is said of it.
    pub(super) fn entitle(&self, legend: &mut Vec<String>) {
        let line = self.title.map(|title| format!("{}: {title}", self.name));
        legend.extend(line.filter(|line| !legend.contains(line)));
    }

    /// What stands at a place and what comes after it, in words, behind its name where it is not
    /// the only row.
    pub(super) fn told(&self, at: i64, alone: bool) -> Option<String> {
        let dash = || "-".to_owned();
        let now = self.word(at);
        let ahead: Vec<Option<String>> =
            self.numbers().filter(|number| *number > at).map(|it| self.word(it)).collect();
        let ahead = &ahead[..ahead.iter().rposition(Option::is_some).map_or(0, |last| last + 1)];
        let mut told: Vec<String> =
            ahead.iter().take(MOST_TOLD).map(|word| word.clone().unwrap_or_else(dash)).collect();
        told.extend((ahead.len() > MOST_TOLD).then(|| "…".to_owned()));
        let words = match (now, told.is_empty()) {
            (None, true) => return None,
            (Some(now), true) => now,
            (now, false) => format!("{}, then {}", now.unwrap_or_else(dash), told.join(", ")),
        };
        Some(if alone { words } else { format!("{} {words}", self.name) })
    }
}

/// The value of a bound that is written as a number or a constant.
pub(in crate::game::view) fn number(rules: &Rules, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Value(Value::Int(number)) => Some(*number),
        ExprKind::Constant(constant) => number(rules, &rules.constants[constant.index()].value),
        ExprKind::Unary(UnaryOp::Negate, part) => number(rules, part)?.checked_neg(),
        _ => None,
    }
}
