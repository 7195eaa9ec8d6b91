//! Text to tidy text: what `astragal fmt` writes.
//!
//! A block on one line stays there if it fits; one on several lines has a line for each statement,
//! and its braces open and close it there. Within a statement lines end where their author ended
//! them. What else is put right carries no meaning: how far lines are indented, the spaces in them,
//! drawn data in columns, texts and comments below each other, blank lines.

mod drawn;
mod layout;
mod lines;

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::syntax::ast::{Ast, Item};
use crate::syntax::parse;
use crate::syntax::reader::find_marks;
use crate::syntax::tidy::drawn::{drawings, has_drawn_seats};
use crate::syntax::tidy::layout::{Indents, OutputLine, align_columns};
use crate::syntax::tidy::lines::{
    TidyLine, TidyRow, cut_lines, join_pieces, open_blocks, outermost_blocks,
};
use crate::syntax::tokens::leading_word;

/// A longer line with a block in it is opened.
const WIDTH: usize = 120;

/// What it takes to read a byte once more and to cut it off, compared with a step of a plain loop.
const STEPS_OF_A_BYTE: usize = 8;

/// What it takes to put a piece of a line.
const STEPS_OF_A_PIECE: usize = 4;

/// How many bytes a piece takes while it is put.
const BYTES_OF_A_PIECE: usize = 128;

/// The text of a file without mistakes of form, laid out. Doing it again changes nothing.
///
/// # Errors
/// The declaration that took most of the budget, when it is spent before all is laid out.
pub fn tidy(source: &Source, ast: &Ast, budget: &Budget) -> Result<String, Diagnostic> {
    let text = format_ast(source, ast, budget)?;
    // Seats are drawn once their clause has lines of its own.
    if !ast.items.iter().any(has_drawn_seats) || text == source.text {
        return Ok(text);
    }
    let source = Source::new(&source.name, text);
    let (ast, _) = parse(&source);
    format_ast(&source, &ast, budget)
}

fn format_ast(source: &Source, ast: &Ast, budget: &Budget) -> Result<String, Diagnostic> {
    let heads: Vec<Span> = ast.items.iter().map(|item| head_span(source, item)).collect();
    for (item, head) in ast.items.iter().zip(&heads) {
        budget.turn_to(*head);
        budget.charge(STEPS_OF_A_BYTE * item.span.len());
    }
    budget.turn_to(Span::default());
    let rows = collect_rows(source, ast, budget);
    let pieces: usize = rows.iter().map(TidyRow::piece_count).sum();
    budget.hold_memory(BYTES_OF_A_PIECE * pieces);
    let mut too_long = BTreeSet::new();
    loop {
        budget.charge(STEPS_OF_A_PIECE * pieces);
        if let Some(finding) = budget.finding() {
            return Err(finding);
        }
        let rows = open_blocks(&rows, &too_long);
        let (put, found) = lay_out_rows(rows);
        // Each round opens a block that stands in one of those opened before.
        if found.iter().all(|place| too_long.contains(place)) {
            let lines = align_columns(without_idle_blanks(put)).into_iter();
            return Ok(lines.flat_map(|line| [line, "\n".to_owned()]).collect());
        }
        // Another round is the fault of the declaration with the first of them.
        let at = source.base + found.first().copied().unwrap_or_default();
        let before = heads.partition_point(|head| (head.start as usize) <= at);
        budget.turn_to(before.checked_sub(1).map(|at| heads[at]).unwrap_or_default());
        too_long.extend(found);
    }
}

/// The lines of a file: drawn ones as they are put, all others cut into pieces that say what they
/// mean.
fn collect_rows<'a>(source: &'a Source, ast: &Ast, budget: &Budget) -> Vec<TidyRow<'a>> {
    let lines = marked_lines(source);
    let mut drawn = drawings(source, ast, &lines, budget).into_iter().peekable();
    let (mut rows, mut last) = (Vec::new(), None);
    for (at, line) in lines.into_iter().enumerate() {
        if let Some(drawing) = drawn.next_if(|drawing| drawing.first == at) {
            last = Some(drawing.last);
            rows.push(TidyRow::Drawn(drawing.put));
        }
        if last.is_none_or(|last| last < at) {
            rows.push(TidyRow::Line(line));
        }
    }
    rows
}

fn marked_lines(source: &Source) -> Vec<TidyLine<'_>> {
    let marks = find_marks(source);
    let mut open = Vec::new();
    let mut lines = cut_lines(&source.text);
    for piece in lines.iter_mut().flat_map(|line| &mut line.pieces) {
        piece.mark = match piece.text {
            "}" => open.pop().flatten(),
            _ => marks.get(&piece.place).copied(),
        };
        if piece.text == "{" {
            open.push(piece.mark);
        }
    }
    lines
}

/// The rows as they are put, and the blocks in lines that are too long.
fn lay_out_rows(rows: Vec<TidyRow>) -> (Vec<OutputLine>, Vec<usize>) {
    let (mut all, mut too_long, mut indents) = (Vec::new(), Vec::new(), Indents::default());
    for row in rows {
        match row {
            TidyRow::Drawn(put) => all.extend(put),
            TidyRow::Line(line) => {
                let text = join_pieces(&line.pieces);
                let put =
                    OutputLine::new(indents.indent_of(&line), text, line.comment.map(comment));
                if put.width() > WIDTH {
                    too_long.extend(outermost_blocks(&line.pieces));
                }
                all.push(put);
            }
        }
    }
    // A note stands above what it is about.
    for at in (1..all.len()).rev() {
        let is_note = all[at - 1].comment.as_ref().is_some_and(|it| it.starts_with("##"));
        if is_note && all[at - 1].text.is_empty() && !all[at].is_blank() {
            all[at - 1].indent = all[at].indent;
        }
    }
    (all, too_long)
}

/// The word that a declaration begins with.
fn head_span(source: &Source, item: &Item) -> Span {
    let start = item.span.start as usize;
    Span::new(start, start + leading_word(source.slice(item.span)).len().max(1))
}

/// A comment with a space after its `#`.
fn comment(text: &str) -> String {
    let words = text.trim_start_matches('#');
    let signs = &text[..text.len() - words.len()];
    let space = if words.starts_with([' ', '\t']) { "" } else { " " };
    format!("{signs}{space}{words}").trim_end().to_owned()
}

/// One blank line where there are several; none at the begin, the end, or inside of braces there.
fn without_idle_blanks(lines: Vec<OutputLine>) -> Vec<OutputLine> {
    let mut kept: Vec<OutputLine> = Vec::new();
    for line in lines {
        let idle = kept.last().is_none_or(|last| last.is_blank() || last.text.ends_with('{'));
        if line.is_blank() && idle {
            continue;
        }
        if line.text.starts_with('}') && kept.last().is_some_and(OutputLine::is_blank) {
            kept.pop();
        }
        kept.push(line);
    }
    while kept.last().is_some_and(OutputLine::is_blank) {
        kept.pop();
    }
    kept
}
