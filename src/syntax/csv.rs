//! Reads drawn data from comma-separated values, as spreadsheets write them.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Source, Span};
use crate::syntax::ast::{Cell, CellKind, Drawn, DrawnHead, DrawnRow, TypeKind};
use crate::syntax::error;
use crate::syntax::parser::{Build, Built, Rule};
use crate::syntax::reader::read_snippet;
use crate::syntax::tokens::RESERVED;

/// What stands between two commas.
struct CsvField {
    text: String,
    span: Span,
}

/// What the cells of a column are, which their heading tells or they themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnSort {
    Cells,
    Texts,
    /// Names of colours and texts beside each other.
    Mixed,
}

pub(super) fn read_drawn(source: &Source) -> Result<Drawn, Diagnostics> {
    let mut records = split_records(source).map_err(Diagnostics::of)?.into_iter();
    let Some(first) = records.next() else {
        let help = "its first line has the headings: `name,cost,power`";
        let span = Span::new(source.base, source.base);
        return Err(Diagnostics::of(error::csv("this file is empty", help, span)));
    };
    let mut found = Diagnostics::new();
    let heads: Vec<DrawnHead> =
        first.iter().skip(1).filter_map(|it| head(it, &mut found)).collect();
    if found.has_errors() {
        return Err(found);
    }
    let records: Vec<Vec<CsvField>> = records.collect();
    let sorts: Vec<ColumnSort> =
        heads.iter().enumerate().map(|(at, head)| sort_of(head, at + 1, &records)).collect();
    let mut rows = Vec::new();
    for record in &records {
        let cells = (0..heads.len().max(record.len() - 1)).map(|at| match record.get(at + 1) {
            Some(field) if field.text.is_empty() && at < heads.len() => {
                left_out(&heads[at], sorts[at], &record[0], field.span)
            }
            Some(field) => cell(field, sorts.get(at).copied(), &mut found),
            None => left_out(&heads[at], sorts[at], &record[0], record[0].span),
        });
        let cells = cells.collect();
        let span = record[0].span;
        rows.extend(label(&record[0], &mut found).map(|label| DrawnRow {
            notes: Vec::new(),
            label,
            cells,
            span,
        }));
    }
    if found.has_errors() { Err(found) } else { Ok(Drawn { file: None, heads, rows }) }
}

/// The lines, without those that are empty; a text in quotes may hold commas and ends of lines, and `""` for a quote.
fn split_records(source: &Source) -> Built<Vec<Vec<CsvField>>> {
    let text = source.text.as_str();
    let separator = separator_of(text);
    let mut records = Vec::new();
    let (mut record, mut at) = (Vec::new(), text.len() - text.trim_start_matches('\u{feff}').len());
    while at < text.len() || !record.is_empty() {
        let end = field_end(&text[at..], separator);
        let end = end.ok_or_else(|| {
            let help = "a quote inside a text in quotes is written twice: `\"\"`";
            let span = Span::new(source.base + at, source.base + text.len());
            error::csv("this quote is never closed", help, span)
        })?;
        record.push(field(&text[at..at + end], source.base + at));
        let behind = &text[at + end..];
        at += end + behind.chars().next().map_or(0, char::len_utf8);
        if !behind.starts_with(separator) {
            while record.last().is_some_and(|field: &CsvField| field.text.is_empty()) {
                record.pop();
            }
            records.extend((!record.is_empty()).then(|| std::mem::take(&mut record)));
        }
    }
    Ok(records)
}

/// Spreadsheets of some countries put semicolons.
fn separator_of(text: &str) -> char {
    let first = text.lines().next().unwrap_or_default();
    let often = |separator: &char| first.matches(*separator).count();
    [',', ';', '\t'].into_iter().rev().max_by_key(often).unwrap_or(',')
}

/// Where a field ends; nothing if a quote is not closed.
fn field_end(text: &str, separator: char) -> Option<usize> {
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '"';
        if !quoted && (letter == separator || letter == '\n') {
            return Some(at);
        }
    }
    (!quoted).then_some(text.len())
}

fn field(written: &str, start: usize) -> CsvField {
    let trimmed = written.trim();
    let start = start + (written.len() - written.trim_start().len());
    let span = Span::new(start, start + trimmed.len());
    let inside = trimmed.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let text = inside.map_or_else(|| trimmed.to_owned(), |inside| inside.replace("\"\"", "\""));
    CsvField { text: text.trim().to_owned(), span }
}

fn read<T: Build + Send>(field: &CsvField, entry: Rule) -> Option<T> {
    let base = field.span.start as usize;
    read_snippet(&Source { name: String::new(), text: field.text.clone(), base }, entry).ok()
}

fn head(field: &CsvField, found: &mut Diagnostics) -> Option<DrawnHead> {
    let head = read::<DrawnHead>(field, Rule::one_head);
    if head.is_none() {
        let problem = format!("`{}` cannot be a heading", field.text);
        let help = "write a word, with a type or a default if it needs one: `cost`, `eats: Crop`, `flies=no`";
        found.push(error::csv(problem, help, field.span));
    }
    head.map(|head| DrawnHead { span: field.span, ..head })
}

fn label(field: &CsvField, found: &mut Diagnostics) -> Option<Cell> {
    let label = read::<Cell>(field, Rule::one_label);
    let error: Diagnostic = match &label {
        Some(Cell { kind: CellKind::Name(name), .. }) if RESERVED.contains(&name.as_str()) => {
            error::reserved_word(name, "the name of a member", field.span)
        }
        Some(label) => return Some(Cell { span: field.span, ..label.clone() }),
        None => {
            let problem = format!("`{}` cannot be the name of a row", field.text);
            let help =
                "a row begins with a name, `brown_hen`; what people see may be in a column `title`";
            error::csv(problem, help, field.span)
        }
    };
    found.push(error);
    None
}

/// The sort of a column: texts if its head says so, or if it has only texts and names.
fn sort_of(head: &DrawnHead, at: usize, records: &[Vec<CsvField>]) -> ColumnSort {
    let name = match &head.label.kind {
        CellKind::Name(name) => name.as_str(),
        _ => "",
    };
    let written = head.ty.as_ref().map(|ty| matches!(ty.kind, TypeKind::Text));
    match name {
        "title" | "text" | "glyph" => return ColumnSort::Texts,
        "colour" if written.is_none() => return ColumnSort::Mixed,
        _ => {}
    }
    let fields = records.iter().filter_map(|record| record.get(at));
    let cells: Vec<Option<Cell>> = fields
        .filter(|field| !field.text.is_empty())
        .map(|field| read::<Cell>(field, Rule::one_cell))
        .collect();
    let is_word = |cell: &Option<Cell>| {
        cell.as_ref().is_none_or(|it| matches!(it.kind, CellKind::Name(_) | CellKind::Text(_)))
    };
    let are_texts = cells.iter().any(Option::is_none) && cells.iter().all(is_word);
    if written.unwrap_or(are_texts) { ColumnSort::Texts } else { ColumnSort::Cells }
}

fn cell(field: &CsvField, sort: Option<ColumnSort>, found: &mut Diagnostics) -> Cell {
    let (sort, span) = (sort.unwrap_or(ColumnSort::Cells), field.span);
    let text = || CellKind::Text(field.text.clone());
    let kind = match read::<Cell>(field, Rule::one_cell).map(|cell| cell.kind) {
        Some(kind @ (CellKind::Text(_) | CellKind::None)) => kind,
        Some(kind) if sort != ColumnSort::Texts => kind,
        None if sort == ColumnSort::Cells => {
            let problem = format!("`{}` cannot be a cell of this column", field.text);
            let help = "write a whole number, `yes`, `no`, a name, `{a, b}` or `-`; the heading of a column of \
                        texts is `name: text`";
            found.push(error::csv(problem, help, span));
            CellKind::None
        }
        _ => text(),
    };
    Cell { kind, span }
}

/// An empty cell has the default of its column; without a title, a row is called what its name says.
fn left_out(head: &DrawnHead, sort: ColumnSort, row: &CsvField, span: Span) -> Cell {
    let kind = match (&head.default, &head.label.kind, sort) {
        (Some(default), ..) => default.kind.clone(),
        (None, CellKind::Name(name), _) if name == "title" => {
            CellKind::Text(row.text.replace('_', " "))
        }
        (None, _, ColumnSort::Texts) => CellKind::Text(String::new()),
        (None, ..) => CellKind::None,
    };
    Cell { kind, span }
}
