//! Text to tidy text: what `astragal fmt` writes.
//!
//! Lines end where their author ended them, for a short decision on one line and a long one on ten
//! are both good. What is put right is what carries no meaning: how far lines are indented, the
//! spaces in them, drawn data in columns, texts and comments below each other, blank lines.

mod columns;
mod indents;
mod pieces;
mod spaces;

use crate::source::Source;
use crate::syntax::ast::{Ast, Item, ItemKind, KindBody, TableBody};
use crate::syntax::print;
use crate::syntax::tidy::columns::{Put, columns};
use crate::syntax::tidy::indents::Indents;
use crate::syntax::tidy::pieces::cut;

/// The text of a file without mistakes of form, laid out. Doing it again changes nothing.
pub fn tidy(source: &Source, ast: &Ast) -> String {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut drawn = drawings(source, ast, &lines).into_iter().peekable();
    let (mut put, mut indents, mut at) = (Vec::new(), Indents::default(), 0);
    while at < lines.len() {
        if let Some(drawing) = drawn.next_if(|drawing| drawing.first == at) {
            put.extend(drawing.put);
            at = drawing.last + 1;
            continue;
        }
        let line = cut(lines[at]);
        let text = spaces::spaced(&line.pieces, indents.expects_value());
        put.push(Put::new(indents.of(&line), text, line.comment.map(comment)));
        at += 1;
    }
    let mut text = String::new();
    for line in columns(without_idle_blanks(put)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Declarations that are drawn, as they are put, with their first and last line.
fn drawings(source: &Source, ast: &Ast, lines: &[&str]) -> Vec<Drawing> {
    let starts = starts(&source.text);
    let line_of = |offset: u32| {
        let place = (offset as usize).saturating_sub(source.base);
        starts.partition_point(|start| *start <= place) - 1
    };
    let mut drawings: Vec<Drawing> = Vec::new();
    for item in &ast.items {
        let (first, last) = (line_of(item.span.start), line_of(item.span.end.saturating_sub(1)));
        let free = drawings.last().is_none_or(|before| before.last < first);
        let put = match shape(&item.kind) {
            Some(Shape::Columns) if free => columns_of(ast, item, lines[last]),
            // The cells of a long row stand below each other as their author put them.
            Some(Shape::Row) if free && last > first => {
                lines[first..=last].iter().map(|line| Put::drawn(line.trim_end())).collect()
            }
            _ => continue,
        };
        drawings.push(Drawing { first, last, put });
    }
    drawings
}

/// A declaration that is drawn in columns, with the comment behind it.
fn columns_of(ast: &Ast, item: &Item, last: &str) -> Vec<Put> {
    let mut put: Vec<Put> = print::print_item(ast, item).lines().map(Put::drawn).collect();
    if let Some(last_put) = put.last_mut() {
        last_put.comment = cut(last).comment.map(comment);
    }
    put
}

/// A declaration that is put as a whole.
struct Drawing {
    first: usize,
    last: usize,
    put: Vec<Put>,
}

enum Shape {
    Columns,
    Row,
}

/// How a declaration is drawn, if it is.
fn shape(kind: &ItemKind) -> Option<Shape> {
    match kind {
        ItemKind::Replace(kind) => shape(kind),
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => {
            matches!(kind.body, KindBody::Drawn(_)).then_some(Shape::Columns)
        }
        ItemKind::Table(table) => Some(match table.body {
            TableBody::Drawn(_) => Shape::Columns,
            TableBody::Row(_) => Shape::Row,
        }),
        ItemKind::Board(board) => (!board.attributes.is_empty()).then_some(Shape::Columns),
        _ => None,
    }
}

/// Where each line begins.
fn starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// A comment with a space behind its `#`.
fn comment(text: &str) -> String {
    let words = text.trim_start_matches('#');
    let signs = &text[..text.len() - words.len()];
    let apart = words.is_empty() || words.starts_with([' ', '\t']);
    format!("{signs}{}{words}", if apart { "" } else { " " }).trim_end().to_owned()
}

/// One blank line where there are several; none at the begin, the end, or inside of braces there.
fn without_idle_blanks(lines: Vec<Put>) -> Vec<Put> {
    let mut kept: Vec<Put> = Vec::new();
    for line in lines {
        let idle = kept.last().is_none_or(|last| last.is_blank() || last.text.ends_with('{'));
        if line.is_blank() && idle {
            continue;
        }
        if line.text.starts_with('}') && kept.last().is_some_and(Put::is_blank) {
            kept.pop();
        }
        kept.push(line);
    }
    while kept.last().is_some_and(Put::is_blank) {
        kept.pop();
    }
    kept
}
