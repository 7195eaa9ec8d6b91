//! Cells of drawn data: the type that a column of them has, and their values.

use std::collections::BTreeSet;

use crate::check::adjacency::int;
use crate::check::context::Checker;
use crate::check::error::{DataError, NameError, TypeError};
use crate::check::resolve::{Written, literal};
use crate::check::rules::{Domain, KindId, RangeId, Type, Value};
use crate::check::scope::list;
use crate::check::symbols::{CompletionContext, Symbol};
use crate::check::types::{maybe, plain};
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::ast::{Cell, CellKind, Name, TypeExpr};

/// Cells that are to be of one type.
pub(super) struct Cells<'c> {
    /// What the column or table is called.
    pub(super) name: &'c str,
    pub(super) span: Span,
    pub(super) written: Option<&'c TypeExpr>,
    pub(super) list: &'c [&'c Cell],
}

pub(super) struct Found {
    pub(super) ty: Type,
    pub(super) values: Vec<Value>,
}

impl Checker<'_> {
    pub(super) fn cells(&mut self, cells: &Cells) -> Found {
        let Written { ty, range } = match cells.written {
            Some(written) => self.resolve(written),
            None => Written::plain(self.type_of_cells(cells).unwrap_or(Type::Unknown)),
        };
        let values = cells.list.iter().map(|cell| self.cell_value(cell, &ty, range)).collect();
        Found { ty, values }
    }

    /// The one type of cells; nothing when there is none, which is reported.
    fn type_of_cells(&mut self, cells: &Cells) -> Option<Type> {
        let mut there = cells.list.iter().filter(|cell| cell.kind != CellKind::None);
        let Some(first) = there.next() else {
            // No cell at all: the rows are too short, which was reported.
            return if cells.list.is_empty() { None } else { self.untyped_cells(cells, "-") };
        };
        let sort = |cell: &Cell| std::mem::discriminant(&cell.kind);
        let none = cells.list.iter().find(|cell| cell.kind == CellKind::None);
        let no_maybe = none.filter(|_| matches!(first.kind, CellKind::Set(_)));
        if let Some(other) = there.find(|cell| sort(cell) != sort(first)).or(no_maybe) {
            let (one, other_name) = (cell_name(first), cell_name(other));
            return self.mixed_cells(cells, one, other_name, first.span, other.span);
        }
        let ty = match &first.kind {
            CellKind::Number(_) => Type::Number,
            CellKind::Bool(_) => Type::Bool,
            CellKind::Text(_) => Type::Text,
            CellKind::Name(_) => Type::Kind(self.kind_of_cells(cells)?),
            CellKind::Set(_) => Type::Set(Domain::Kind(self.kind_of_cells(cells)?)),
            CellKind::None => {
                unreachable!("the first cell was taken from those that hold something")
            }
        };
        Some(if none.is_some() { maybe(ty) } else { ty })
    }

    fn untyped_cells<T>(&mut self, cells: &Cells, value: &str) -> Option<T> {
        self.report(TypeError::NeedsType {
            what: format!("`{}`", cells.name),
            value: value.to_owned(),
            help: format!("write it: `{}: TYPE`", cells.name),
            span: cells.span,
        });
        None
    }

    fn mixed_cells<T>(
        &mut self,
        cells: &Cells,
        one: String,
        other: String,
        first: Span,
        span: Span,
    ) -> Option<T> {
        let name = cells.name.to_owned();
        self.report(DataError::MixedCells { name, one, other, span, first });
        None
    }

    /// The one kind that has all the words in the cells.
    fn kind_of_cells(&mut self, cells: &Cells) -> Option<KindId> {
        let words: Vec<Name> = cells.list.iter().flat_map(|cell| words(cell)).collect();
        let Some(first) = words.first() else { return self.untyped_cells(cells, "{}") };
        let mut kinds: BTreeSet<KindId> = self.kinds_with(first).collect();
        for word in &words {
            let both: BTreeSet<KindId> =
                self.kinds_with(word).filter(|kind| kinds.contains(kind)).collect();
            if both.is_empty() {
                return self.odd_word(cells, first, word);
            }
            kinds = both;
        }
        if kinds.len() > 1 {
            let names: Vec<&str> =
                kinds.iter().map(|kind| self.kind(*kind).name.as_str()).collect();
            let (kinds, example) = (list(&names), names[0].to_owned());
            let name = cells.name.to_owned();
            self.report(DataError::AmbiguousCells { name, kinds, example, span: cells.span });
            return None;
        }
        kinds.first().copied()
    }

    fn kinds_with(&self, word: &Name) -> impl Iterator<Item = KindId> {
        self.owners(&word.text).iter().map(|(kind, _)| *kind)
    }

    /// Reports a word that is in no kind with the words before it.
    fn odd_word<T>(&mut self, cells: &Cells, first: &Name, word: &Name) -> Option<T> {
        let name_of =
            |word| self.kinds_with(word).next().map(|kind| self.name_of(&Type::Kind(kind)));
        if let (Some(one), Some(other)) = (name_of(first), name_of(word)) {
            return self.mixed_cells(cells, one, other, first.span, word.span);
        }
        let members = self.names.members.keys().map(String::as_str);
        let help = self.guesses.nearest(&word.text, members).map_or_else(
            || "declare it as a member of a kind, or write `-` for no member".into(),
            Help::did_you_mean,
        );
        self.report(DataError::UnknownCell { name: word.text.clone(), help, span: word.span });
        None
    }

    pub(super) fn cell_value(&mut self, cell: &Cell, ty: &Type, range: Option<RangeId>) -> Value {
        match (&cell.kind, plain(ty)) {
            (_, Type::Unknown) => Value::None,
            (CellKind::None, _) if matches!(ty, Type::Maybe(_)) => Value::None,
            (CellKind::Number(number), Type::Number) => {
                self.check_in_range(*number, range, cell.span);
                Value::Int(*number)
            }
            (CellKind::Bool(holds), Type::Bool) => Value::Int(i64::from(*holds)),
            (CellKind::Text(text), Type::Text) => Value::Text(text.clone()),
            (CellKind::Name(_), Type::Kind(kind)) => {
                self.cell_members(cell, *kind).first().map_or(Value::None, |at| Value::Int(*at))
            }
            (CellKind::Set(_) | CellKind::Name(_), Type::Set(Domain::Kind(kind))) => {
                Value::Set(self.cell_members(cell, *kind).into_iter().collect())
            }
            _ => {
                let (expected, found) = (self.name_of(ty), cell_name(cell));
                self.report(DataError::WrongCell { expected, found, span: cell.span });
                Value::None
            }
        }
    }

    fn check_in_range(&mut self, number: i64, range: Option<RangeId>, span: Span) {
        let Some(range) = range.map(|range| &self.rules.ranges[range.index()]) else { return };
        let low = literal(&range.low);
        let high = range.high.as_ref().and_then(literal);
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            let bound = |bound: Option<i64>| bound.map(|b| b.to_string()).unwrap_or_default();
            let expected = format!("a number in {}..{}", bound(low), bound(high));
            self.report(DataError::WrongCell { expected, found: number.to_string(), span });
        }
    }

    /// The positions of the words of a cell in a kind.
    fn cell_members(&mut self, cell: &Cell, kind: KindId) -> BTreeSet<i64> {
        let mut positions = BTreeSet::new();
        for word in words(cell) {
            self.see(&word.text, |_| CompletionContext::Cell(Some(kind)));
            match self.member_of(kind, &word.text) {
                Some(at) => {
                    self.note(word.span, Symbol::Member(kind, at));
                    positions.insert(int(at));
                }
                None => self.no_member(kind, &word),
            }
        }
        positions
    }

    pub(super) fn no_member(&mut self, kind: KindId, word: &Name) {
        let guess = self.guesses.are_left();
        let members = if guess { self.member_names(kind) } else { Vec::new() };
        let help = match self.guesses.nearest(&word.text, members.iter().map(String::as_str)) {
            Some(near) => Help::did_you_mean(near),
            None if !guess => "name one of its members".into(),
            None if members.is_empty() => "write `Player.first`, `next(p)` and the like".into(),
            None if members.len() > 12 => "name one of its members".into(),
            None => format!("its members are {}", list(&members)).into(),
        };
        let (kind, name) = (self.kind(kind).name.clone(), word.text.clone());
        self.report(NameError::UnknownMember { kind, name, help, span: word.span });
    }
}

fn words(cell: &Cell) -> Vec<Name> {
    match &cell.kind {
        CellKind::Name(text) => vec![Name { text: text.clone(), span: cell.span }],
        CellKind::Set(names) => names.clone(),
        _ => Vec::new(),
    }
}

/// What a cell holds, in messages.
pub(super) fn cell_name(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::None => "`-`".to_owned(),
        CellKind::Number(_) => "a number".to_owned(),
        CellKind::Bool(_) => "yes or no".to_owned(),
        CellKind::Text(_) => "a text".to_owned(),
        CellKind::Name(name) => format!("the name `{name}`"),
        CellKind::Set(_) => "a set".to_owned(),
    }
}
