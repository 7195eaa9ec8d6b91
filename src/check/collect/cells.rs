//! Finds the one type of the cells of a column or table, and their values.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::members::describe_cell;
use crate::check::names::Global;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::types::{WrittenType, resolve, short_range};
use crate::check::words::quote_list;
use crate::diagnostic::Help;
use crate::rules::{
    Domain, ExprKind, KindId, PLAYER, RangeId, Type, Value, ascending, literal, maybe_if_any,
    to_int, typed, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{Cell, CellKind, Name, TypeExpr};

/// Cells that are to be of one type.
pub(crate) struct CellColumn<'c> {
    pub(crate) name: &'c str,
    pub(crate) span: Span,
    /// A heading that can say their type.
    pub(crate) heading: Option<&'c str>,
    pub(crate) written: Option<&'c TypeExpr>,
    pub(crate) list: &'c [&'c Cell],
}

pub(crate) struct TypedCells {
    pub(crate) ty: Type,
    pub(crate) values: Vec<Value>,
}

fn cell_words(cell: &Cell) -> Vec<Name> {
    match &cell.kind {
        CellKind::Name(text) => vec![Name { text: text.clone(), span: cell.span }],
        CellKind::Set(names) => names.clone(),
        CellKind::Goods(goods) => goods.iter().map(|(_, name)| name.clone()).collect(),
        _ => Vec::new(),
    }
}

const OTHER_CELL: &str = "change the cell, or the type that is written";

pub(crate) fn infer_cells(file: &mut FileContext, cells: &CellColumn) -> TypedCells {
    let WrittenType { ty, range } = match cells.written {
        Some(written) => resolve(file, written),
        None => WrittenType::from_type(type_of_cells(file, cells).unwrap_or(Type::Unknown)),
    };
    let values = cells.list.iter().map(|cell| cell_value(file, cell, &ty, range)).collect();
    TypedCells { ty, values }
}

/// The one type of cells; nothing when there is none, which is reported.
fn type_of_cells(file: &mut FileContext, cells: &CellColumn) -> Option<Type> {
    let mut there = cells.list.iter().filter(|cell| cell.kind != CellKind::None);
    let Some(first) = there.next() else {
        // No cell at all: the rows are too short, which was reported.
        return if cells.list.is_empty() { None } else { untyped_cells(file, cells, "-") };
    };
    let numbers = cells.list.iter().copied().find(|it| matches!(it.kind, CellKind::Numbers(_)));
    // The empty set is one of numbers where there are others.
    let sort = |cell: &Cell| match (&cell.kind, numbers) {
        (CellKind::Set(names), Some(numbers)) if names.is_empty() => discriminant(&numbers.kind),
        (kind, _) => discriminant(kind),
    };
    let none = cells.list.iter().find(|cell| cell.kind == CellKind::None);
    if cells.list.iter().any(|cell| matches!(cell.kind, CellKind::Goods(_))) {
        return type_of_bags(file, cells);
    }
    let is_set = matches!(first.kind, CellKind::Set(_) | CellKind::Numbers(_));
    let no_maybe = none.filter(|_| is_set);
    if let Some(other) = there.find(|cell| sort(cell) != sort(first)).or(no_maybe) {
        let (one, other_name) = (describe_cell(first), describe_cell(other));
        let (name, first) = (cells.name, first.span);
        return file.refuse_with(error::MixedCells {
            name,
            one,
            other: other_name,
            span: other.span,
            first,
        });
    }
    let ty = match &first.kind {
        CellKind::Number(_) => Type::Number,
        CellKind::Bool(_) => Type::Bool,
        CellKind::Text(_) => Type::Text,
        CellKind::Name(_) => Type::Kind(kind_of_cells(file, cells)?),
        CellKind::Set(_) | CellKind::Numbers(_) if numbers.is_some() => {
            Type::Set(range_of_cells(file, cells)?)
        }
        CellKind::Set(_) | CellKind::Numbers(_) => {
            Type::Set(Domain::Kind(kind_of_cells(file, cells)?))
        }
        CellKind::None | CellKind::Goods(_) => {
            unreachable!("the first cell was taken from those that hold something")
        }
    };
    Some(if none.is_some() { maybe_if_any(ty) } else { ty })
}

/// The type of cells of which one at least is a bag; `nothing`, `-` and `{}` are empty ones.
fn type_of_bags(file: &mut FileContext, cells: &CellColumn) -> Option<Type> {
    let bags = cells.list.iter().copied().filter(|it| matches!(it.kind, CellKind::Goods(_)));
    let bags: Vec<&Cell> = bags.collect();
    Some(Type::Bag(kind_of_cells(file, &CellColumn { list: &bags, ..*cells })?))
}

/// The amounts of the goods in a cell.
fn bag_value(file: &mut FileContext, cell: &Cell, kind: KindId, range: Option<RangeId>) -> Value {
    let own = file.rules.kind_at(kind).own_members();
    let mut amounts = vec![0; own.len()];
    let goods: &[(i64, Name)] = match &cell.kind {
        CellKind::None => &[],
        CellKind::Name(word) if word == "nothing" => &[],
        CellKind::Set(names) if names.is_empty() => &[],
        CellKind::Goods(goods) => goods,
        _ => {
            let expected = file.rules.describe_type(&Type::Bag(kind));
            let (found, help) = (describe_cell(cell), "write its goods: `{2 red, 1 blue}`");
            file.report_error(error::wrong_cell(expected, found, help, cell.span));
            return Value::List(amounts);
        }
    };
    let mut first: BTreeMap<usize, Span> = BTreeMap::new();
    for (amount, name) in goods {
        file.recorder.see(&name.text, CompletionContext::Cell(Some(kind)));
        let Some(at) = file.member_of(kind, &name.text) else {
            file.no_member(kind, name);
            continue;
        };
        file.recorder.note_use(name.span, Symbol::Member(kind, at));
        if let Some(earlier) = first.insert(at, name.span) {
            file.report_error(error::good_twice(&name.text, name.span, earlier));
        }
        if *amount < 0 {
            file.report_error(error::bag_amount(*amount, cell.span));
        } else {
            check_in_range(file, *amount, range, cell.span);
        }
        if let Some(place) = own.iter().position(|own| *own == at) {
            amounts[place] = *amount;
        }
    }
    Value::List(amounts)
}

fn untyped_cells<T>(file: &mut FileContext, cells: &CellColumn, value: &str) -> Option<T> {
    file.refuse_with(error::needs_type(
        format!("`{}`", cells.name),
        value,
        cells.heading.map_or("fill in one cell at least".to_owned(), |heading| {
            format!("write it in the heading: `{heading}: TYPE`")
        }),
        cells.span,
    ))
}

/// The range from the lowest number in the cells to the highest.
fn range_of_cells(file: &mut FileContext, cells: &CellColumn) -> Option<Domain> {
    let numbers = cells.list.iter().flat_map(|cell| match &cell.kind {
        CellKind::Numbers(numbers) => numbers.as_slice(),
        _ => &[],
    });
    let (low, high) = (numbers.clone().min()?, numbers.max()?);
    let number = |end: &i64| typed(ExprKind::Value(Value::Int(*end)), Type::Number, cells.span);
    let (low, high) = (number(low), number(high));
    let range = file.literal_range(&low, &high)?;
    short_range(file, range, cells.span)
}

/// The one kind that has all the words in the cells.
fn kind_of_cells(file: &mut FileContext, cells: &CellColumn) -> Option<KindId> {
    let words: Vec<Name> = cells.list.iter().flat_map(|cell| cell_words(cell)).collect();
    let Some(first) = words.first() else { return untyped_cells(file, cells, "{}") };
    let mut kinds: BTreeSet<KindId> = file.names.kinds_with(first).collect();
    for word in &words {
        let both: BTreeSet<KindId> =
            file.names.kinds_with(word).filter(|kind| kinds.contains(kind)).collect();
        if both.is_empty() {
            return odd_word(file, cells, first, word);
        }
        kinds = both;
    }
    if kinds.len() > 1 {
        let names: Vec<&str> =
            kinds.iter().map(|kind| file.rules.kind_at(*kind).name.as_str()).collect();
        let kinds = quote_list(&names);
        let is_table = matches!(file.names.globals.get(cells.name), Some(Global::Table(_)));
        let help = match cells.heading {
            Some(heading) => format!("say which in the heading: `{heading}: {}`", names[0]),
            None if is_table => {
                format!("say which after the brackets: `{}[…]: {} = …`", cells.name, names[0])
            }
            None => format!("rename `{}` in one of the kinds", first.text),
        };
        return file.refuse_with(error::ambiguous_cells(cells.name, kinds, help, cells.span));
    }
    kinds.first().copied()
}

/// Reports a word that is in no kind with the words before it.
fn odd_word<T>(file: &mut FileContext, cells: &CellColumn, first: &Name, word: &Name) -> Option<T> {
    let name_of = |word| {
        file.names.kinds_with(word).next().map(|kind| file.rules.describe_type(&Type::Kind(kind)))
    };
    if let (Some(one), Some(other)) = (name_of(first), name_of(word)) {
        return file.refuse_with(error::MixedCells {
            name: cells.name,
            one,
            other,
            span: word.span,
            first: first.span,
        });
    }
    let members = file.names.members.keys().map(String::as_str);
    let help = file.guesses.nearest(&word.text, members).map_or_else(
        || "declare it as a member of a kind, or write `-` for no member".into(),
        Help::did_you_mean,
    );
    file.refuse_with(error::unknown_cell(&word.text, help, word.span))
}

pub(crate) fn cell_value(
    file: &mut FileContext,
    cell: &Cell,
    ty: &Type,
    range: Option<RangeId>,
) -> Value {
    match (&cell.kind, unwrap_maybe(ty)) {
        (_, Type::Unknown) => Value::None,
        (_, Type::Bag(kind)) => bag_value(file, cell, *kind, range),
        (CellKind::None, _) if matches!(ty, Type::Maybe(_)) => Value::None,
        (CellKind::Number(number), Type::Number) => {
            check_in_range(file, *number, range, cell.span);
            Value::Int(*number)
        }
        (CellKind::Bool(holds), Type::Bool) => Value::Int(i64::from(*holds)),
        (CellKind::Text(text), Type::Text) => Value::Text(text.clone()),
        (CellKind::Name(_), Type::Kind(kind)) => {
            cell_members(file, cell, *kind).first().map_or(Value::None, |at| Value::Int(*at))
        }
        (CellKind::Numbers(numbers), Type::Set(Domain::Range(range))) => {
            numbers.iter().for_each(|it| check_in_range(file, *it, Some(*range), cell.span));
            Value::Set(ascending(numbers.clone()))
        }
        (CellKind::Set(names), Type::Set(Domain::Range(_))) if names.is_empty() => {
            Value::Set(Vec::new())
        }
        (CellKind::Set(_) | CellKind::Name(_), Type::Set(Domain::Kind(kind))) => {
            Value::Set(cell_members(file, cell, *kind).into_iter().collect())
        }
        (CellKind::Name(word), Type::Text) => {
            // Who forgets the quotes of one text forgets them all.
            if file.reported_names.insert("a text without quotes".to_owned()) {
                let help = format!("put each text in quotes: `\"{word}\"`");
                let found = describe_cell(cell);
                file.report_error(error::wrong_cell("a text", found, help, cell.span));
            }
            Value::None
        }
        (CellKind::None, Type::Text) => {
            let help = "write a text in quotes in each cell of this column";
            file.report_error(error::wrong_cell("a text", describe_cell(cell), help, cell.span));
            Value::None
        }
        _ => {
            let (expected, found) = (file.rules.describe_type(ty), describe_cell(cell));
            file.report_error(error::wrong_cell(expected, found, OTHER_CELL, cell.span));
            Value::None
        }
    }
}

fn check_in_range(file: &mut FileContext, number: i64, range: Option<RangeId>, span: Span) {
    let Some(range) = range.map(|range| &file.rules.ranges[range.index()]) else { return };
    let low = literal(&range.low);
    let high = range.high.as_ref().and_then(literal);
    if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
        let bound = |bound: Option<i64>| bound.map(|b| b.to_string()).unwrap_or_default();
        let expected = format!("a number in {}..{}", bound(low), bound(high));
        file.report_error(error::wrong_cell(expected, number.to_string(), OTHER_CELL, span));
    }
}

/// The positions of the words of a cell in a kind.
fn cell_members(file: &mut FileContext, cell: &Cell, kind: KindId) -> BTreeSet<i64> {
    let mut positions = BTreeSet::new();
    for word in cell_words(cell) {
        file.recorder.see(&word.text, CompletionContext::Cell(Some(kind)));
        match file.member_of(kind, &word.text) {
            Some(at) if kind != PLAYER || file.check_seat_taken(at, word.span) => {
                file.recorder.note_use(word.span, Symbol::Member(kind, at));
                positions.insert(to_int(at));
            }
            Some(_) => {}
            None => file.no_member(kind, &word),
        }
    }
    positions
}
