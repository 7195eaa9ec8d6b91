//! A row of a table that a number walks along.

use super::super::cell::{Cell, EMPTY, tags};
use super::super::colour;
use super::super::redact::Of;
use super::{Along, Lead, Stop};
use crate::check::rules::{Domain, Expr, ExprKind, Rules, Type, Value};

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
    kind: Option<usize>,
    rules: &'a Rules,
}

impl<'a> Row<'a> {
    /// The row of a table for a member; none of what keeps what was reached.
    pub(super) fn new(of: Of<'a>, stop: Stop, member: usize) -> Option<Row<'a>> {
        let Along::Table(table) = stop.along else { return None };
        let table = &of.rules.tables[table];
        let Some(Domain::Range(range)) = table.dims.last() else { return None };
        let range = &of.rules.ranges[range.index()];
        let low = number(of.rules, &range.low)?;
        let high = number(of.rules, range.high.as_ref()?)?;
        let size = usize::try_from(high - low + 1).ok()?;
        let lead = match stop.lead {
            Lead::None => 0,
            Lead::Same => member,
            Lead::Fixed(row) => row,
        };
        let cells = table.cells.get(lead * size..(lead + 1) * size)?;
        let ty = match &table.ty {
            Type::Maybe(ty) => ty.as_ref(),
            ty => ty,
        };
        let kind = if let Type::Kind(kind) = ty { Some(kind.index()) } else { None };
        let name = table.name.replace('_', " ");
        let title = (table.title != name).then_some(table.title.as_str());
        Some(Row { name, title, low, cells, kind, rules: of.rules })
    }

    /// The numbers of its places.
    pub(super) fn numbers(&self) -> Vec<i64> {
        (self.low..).take(self.cells.len()).collect()
    }

    pub(super) fn last(&self) -> i64 {
        self.numbers().last().copied().unwrap_or(self.low)
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

    /// What stands at a place: a member in its letters.
    pub(super) fn cell(&self, number: i64) -> Cell {
        match (self.value(number), self.kind) {
            (None, _) => Cell::default(),
            (Some(Value::Int(at)), Some(kind)) => {
                let at = usize::try_from(*at).unwrap_or_default();
                let text = self.tags(kind).get(at).cloned().unwrap_or_default();
                let inks = vec![colour::member(self.rules, kind, at)];
                Cell { text, inks, ground: None }
            }
            (Some(Value::Int(number)), None) => Cell::plain(&number.to_string()),
            (Some(_), _) => Cell::plain(EMPTY),
        }
    }

    fn tags(&self, kind: usize) -> Vec<String> {
        let members = &self.rules.kinds[kind].members;
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        tags(&names)
    }

    fn word(&self, value: &Value) -> Option<String> {
        match (value, self.kind) {
            (Value::Int(at), Some(kind)) => {
                let at = usize::try_from(*at).ok()?;
                Some(self.rules.kinds[kind].members.get(at)?.title.clone())
            }
            (Value::Int(number), None) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Adds what the letters from a place on stand for.
    pub(super) fn explain(&self, from: i64, legend: &mut Vec<String>) {
        let Some(kind) = self.kind else { return };
        for number in self.numbers().into_iter().filter(|number| *number >= from) {
            if let Some(Value::Int(at)) = self.value(number)
                && let Ok(at) = usize::try_from(*at)
            {
                let line =
                    format!("{} {}", self.tags(kind)[at], self.rules.kinds[kind].members[at].title);
                if !legend.contains(&line) {
                    legend.push(line);
                }
            }
        }
    }

    /// Adds what the row is, where its name is not all that is said of it.
    pub(super) fn entitle(&self, legend: &mut Vec<String>) {
        let line = self.title.map(|title| format!("{}: {title}", self.name));
        legend.extend(line.filter(|line| !legend.contains(line)));
    }

    /// What stands at a place and what comes behind it, in words, behind its name where it is not
    /// the only row.
    pub(super) fn told(&self, at: i64, alone: bool) -> Option<String> {
        let words = |number: &i64| self.word(self.value(*number)?);
        let now = words(&at);
        let ahead: Vec<i64> = self.numbers().into_iter().filter(|number| *number > at).collect();
        let last = ahead.iter().rposition(|number| words(number).is_some());
        let ahead = &ahead[..last.map_or(0, |last| last + 1)];
        let mut told: Vec<String> = ahead
            .iter()
            .take(MOST_TOLD)
            .map(|number| words(number).unwrap_or_else(|| "-".to_owned()))
            .collect();
        if ahead.len() > MOST_TOLD {
            told.push("…".to_owned());
        }
        let (now, ahead) = (now.unwrap_or_else(|| "-".to_owned()), told.join(", "));
        let words = match (now.as_str(), told.is_empty()) {
            ("-", true) => return None,
            (now, true) => now.to_owned(),
            (now, false) => format!("{now}, then {ahead}"),
        };
        Some(if alone { words } else { format!("{} {words}", self.name) })
    }
}

/// The value of a bound that is written as a number or a constant.
pub(in crate::game::view) fn number(rules: &Rules, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Value(Value::Int(number)) => Some(*number),
        ExprKind::Constant(constant) => number(rules, &rules.constants[constant.index()].value),
        ExprKind::Negate(part) => number(rules, part)?.checked_neg(),
        _ => None,
    }
}
