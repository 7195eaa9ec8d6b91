//! Kinds, tables and the state to lines, drawn data in columns.

use crate::budget::Budget;
use crate::source::Span;
use crate::source::padded;
use crate::syntax::ast::Cell;
use crate::syntax::ast::CellKind;
use crate::syntax::ast::Dim;
use crate::syntax::ast::Drawn;
use crate::syntax::ast::Faces;
use crate::syntax::ast::Has;
use crate::syntax::ast::Head;
use crate::syntax::ast::Kind;
use crate::syntax::ast::KindBody;
use crate::syntax::ast::Owner;
use crate::syntax::ast::Table;
use crate::syntax::ast::TableBody;
use crate::syntax::ast::TypeKind;
use crate::syntax::ast::Var;
use crate::syntax::ast::VarForm;
use crate::syntax::print::Printer;
use crate::syntax::print::WIDTH;
use crate::syntax::print::cards::pile;
use crate::syntax::print::expressions::escaped;
use crate::syntax::print::expressions::expression;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::layout::flat;
use crate::syntax::print::types::dims;
use crate::syntax::print::types::members;
use crate::syntax::print::types::of_type;
use crate::syntax::print::types::title;
use crate::syntax::print::types::written_type;
use crate::syntax::tightness::Tightness;

/// How many cells of a long row stand on one line.
const CELLS_IN_A_LINE: usize = 10;

impl Printer<'_> {
    /// `kind Name { … }`
    pub(super) fn kind(&mut self, span: Span, word: &str, kind: &Kind) {
        let within = kind.within.as_ref().map(|of| format!(" within {}", of.text));
        let within = within.unwrap_or_default();
        let head = format!("{word} {}{}{within}", kind.name.text, title(kind.title.as_ref()));
        match &kind.body {
            KindBody::Members(all) if all.is_empty() => self.line(span, &format!("{head} {{ }}")),
            KindBody::Members(all) => self.line(span, &format!("{head} {{ {} }}", members(all))),
            KindBody::Product(factors) => {
                let factors = joined(factors.iter().map(|factor| factor.text.clone()));
                self.line(span, &format!("{head} = {factors}"));
            }
            KindBody::Drawn(drawn) => self.drawn(span, &head, drawn),
        }
    }

    /// `table name[Type] …`
    pub(super) fn table(&mut self, span: Span, table: &Table) {
        let over = joined(table.dims.iter().map(written_type));
        let head = format!("table {}[{over}]{}", table.name.text, title(table.title.as_ref()));
        match &table.body {
            TableBody::Row(row) => self.cell_rows(span, &format!("{head} = "), row),
            TableBody::Drawn(drawn) => self.drawn(span, &head, drawn),
        }
    }

    /// Cells on one line, or ten on each below one another.
    fn cell_rows(&mut self, span: Span, head: &str, row: &[Cell]) {
        let one = format!("{head}{}", cells(row));
        if one.chars().count() <= WIDTH {
            return self.line(span, &one);
        }
        let lines: Vec<Vec<String>> =
            row.chunks(CELLS_IN_A_LINE).map(|cells| cells.iter().map(cell).collect()).collect();
        let between = format!("\n{}", " ".repeat(head.chars().count()));
        self.flush(span.start);
        self.write(&format!("{head}{}", aligned(&lines, self.budget).join(&between)));
        self.skip_blanks(span.end);
    }

    fn drawn(&mut self, span: Span, head: &str, drawn: &Drawn) {
        self.opening(span.start, &format!("{} {{", flat(head)));
        self.indent += 2;
        let lines = aligned(&texts(drawn), self.budget);
        let heads = drawn.heads.first().map_or(span, |head| head.span);
        let notes = drawn.rows.iter().map(|row| row.notes.as_slice());
        let notes = std::iter::once::<&[String]>(&[]).chain(notes);
        let spans = std::iter::once(heads).chain(drawn.rows.iter().map(|row| row.span));
        for ((line, span), notes) in lines.iter().zip(spans).zip(notes) {
            self.notes(span.start, notes);
            self.write(line);
        }
        self.indent -= 2;
        self.closing(span.end, "}");
    }

    /// `each player has { … }`
    pub(super) fn has(&mut self, span: Span, has: &Has) {
        let owner = match has.owner {
            Owner::Player => "each player",
            Owner::Table => "the table",
        };
        self.opening(span.start, &format!("{owner} has {{"));
        self.indent += 2;
        for var in &has.vars {
            self.notes(var.span.start, &var.notes);
            self.line(var.span, &variable(var));
        }
        self.indent -= 2;
        self.closing(span.end, "}");
    }
}

fn variable(var: &Var) -> String {
    if var.form == VarForm::Pile {
        return pile(var);
    }
    format!("{}{}", stored(var), var.sight.suffix())
}

/// A variable without the words for who sees it.
fn stored(var: &Var) -> String {
    let name = format!("{}{}", var.name.text, title(var.title.as_ref()));
    let faces = match &var.form {
        VarForm::Die(Faces::Range(low, high)) => {
            let bound = |expr| placed(expr, Tightness::Sum);
            format!("{}..{}", bound(low), bound(high))
        }
        VarForm::Die(Faces::List(row)) => cells(row),
        VarForm::Plain | VarForm::Coin | VarForm::Pile => {
            let coin = if var.form == VarForm::Coin { "coin " } else { "" };
            let init = var.init.as_ref().map(|init| format!(" = {}", expression(init)));
            let init = init.unwrap_or_default();
            return format!("{coin}{name}{}{}{init}", dims(&var.dims), of_type(var.ty.as_ref()));
        }
    };
    let named = |dim: &Dim| dim.binder.is_none() && matches!(dim.ty.kind, TypeKind::Kind(_));
    if !var.dims.is_empty() && var.dims.iter().all(named) {
        let over = joined(var.dims.iter().map(|dim| written_type(&dim.ty)));
        return format!("dice {name} for {over} = {faces}");
    }
    format!("die {name}{} = {faces}", dims(&var.dims))
}

/// The heading row and the rows, cell by cell; the first cell of the heading is empty.
fn texts(drawn: &Drawn) -> Vec<Vec<String>> {
    let heads = drawn.heads.iter().map(head);
    let mut rows = vec![std::iter::once(String::new()).chain(heads).collect()];
    for row in &drawn.rows {
        rows.push(std::iter::once(label(&row.label)).chain(row.cells.iter().map(cell)).collect());
    }
    rows
}

/// Rows of cells below each other; nothing where that takes too much.
pub(super) fn aligned(rows: &[Vec<String>], budget: Option<&Budget>) -> Vec<String> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    if let Some(budget) = budget {
        // One long cell makes all others of its column as wide.
        let bytes = widths.iter().sum::<usize>() * rows.len();
        budget.charge(bytes);
        budget.keep(bytes);
        if budget.is_spent() {
            return Vec::new();
        }
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn head(head: &Head) -> String {
    let default = head.default.as_ref().map(|it| format!("={}", cell(it))).unwrap_or_default();
    flat(&format!("{}{}{default}", label(&head.label), of_type(head.ty.as_ref())))
}

/// A heading or the label of a row, where `-` cannot stand.
fn label(label: &Cell) -> String {
    if label.kind == CellKind::None { "none".to_owned() } else { cell(label) }
}

fn cells(cells: &[Cell]) -> String {
    cells.iter().map(cell).collect::<Vec<_>>().join(" ")
}

pub(super) fn cell(cell: &Cell) -> String {
    match &cell.kind {
        CellKind::None => "-".to_owned(),
        CellKind::Number(number) => number.to_string(),
        CellKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        CellKind::Text(words) => format!("\"{}\"", escaped(words)),
        CellKind::Name(name) => name.clone(),
        CellKind::Set(names) => {
            let names: Vec<_> = names.iter().map(|name| name.text.as_str()).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}
