//! Tree to canonical text.
//!
//! Reading what was printed gives the same tree again, spans apart, and printing that gives the
//! same text. Comments and blank lines are put back by their place.

mod boards;
mod cards;
mod choices;
mod declarations;
mod drawn;
mod expressions;
mod layout;
mod statements;
mod types;

use std::iter::Peekable;
use std::mem;
use std::slice;

use crate::budget::Budget;
use crate::source::Span;
use crate::syntax::ast::Ast;
use crate::syntax::ast::Comment;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Item;
use crate::syntax::ast::Param;
use crate::syntax::ast::TypeExpr;
use crate::syntax::print::layout::flat;

/// How long a line may be before it is broken.
const WIDTH: usize = 100;

/// How long a line with a block in it may be.
const BLOCK_WIDTH: usize = 80;

/// Prints a file in its canonical form.
pub fn print(ast: &Ast) -> String {
    let budget = Budget::default();
    let mut printer = Printer::new(ast, &budget);
    printer.items(&ast.items);
    printer.flush(u32::MAX);
    printer.out
}

/// Prints one declaration in its canonical form, with the comments in it and without its notes.
pub(super) fn print_item(ast: &Ast, item: &Item, budget: &Budget) -> String {
    let mut printer = Printer::new(ast, budget);
    let before = |place: u32| ast.comments.partition_point(|comment| comment.span.start < place);
    printer.comments =
        ast.comments[before(item.span.start)..before(item.span.end)].iter().peekable();
    printer.item(item);
    printer.out
}

/// Prints an expression in its canonical form, on one line.
pub fn print_expression(expr: &Expr) -> String {
    flat(&expressions::expression(expr))
}

/// Prints a type in its canonical form, on one line.
pub fn print_type(ty: &TypeExpr) -> String {
    types::written_type(ty)
}

/// Prints a parameter with its type in its canonical form, on one line.
pub fn print_param(param: &Param) -> String {
    flat(&types::param(param))
}

/// Lines with their comments, from the top down.
struct Printer<'a> {
    out: String,
    indent: usize,
    comments: Peekable<slice::Iter<'a, Comment>>,
    blanks: Peekable<slice::Iter<'a, u32>>,
    /// Whether a blank line is due before the next line.
    blank_due: bool,
    /// Whether the last line opened a block, so that no blank line is due.
    opened: bool,
    /// Whether the last line ends with a comment.
    commented: bool,
    /// A word before the next line.
    before: &'static str,
    /// What columns may take; what becomes part of a line has none.
    budget: Option<&'a Budget>,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast, budget: &'a Budget) -> Printer<'a> {
        Printer {
            comments: ast.comments.iter().peekable(),
            blanks: ast.blanks.iter().peekable(),
            budget: Some(budget),
            ..Printer::detached()
        }
    }

    /// A printer without comments, for what will become part of a line.
    fn detached() -> Printer<'a> {
        Printer {
            out: String::new(),
            indent: 0,
            comments: [].iter().peekable(),
            blanks: [].iter().peekable(),
            blank_due: false,
            opened: true,
            commented: false,
            before: "",
            budget: None,
        }
    }

    /// Writes what stands at `span` as one line, or more if it is too long.
    fn line(&mut self, span: Span, text: &str) {
        self.flush(span.start);
        self.write(&layout::fit(text, self.indent, WIDTH));
        self.skip_blanks(span.end);
    }

    /// Writes a line that opens a block.
    fn opening(&mut self, start: u32, text: &str) {
        self.flush(start);
        self.write(&layout::fit(text, self.indent, WIDTH));
        self.opened = true;
    }

    /// Writes a line that closes the block that ends at `end`.
    fn closing(&mut self, end: u32, text: &str) {
        self.indent += 2;
        self.flush(end);
        self.indent -= 2;
        self.blank_due = false;
        self.write(&layout::fit(text, self.indent, WIDTH));
    }

    fn notes(&mut self, start: u32, notes: &[String]) {
        self.flush(start);
        for note in notes {
            self.write(format!("## {note}").trim_end());
        }
    }

    fn write(&mut self, text: &str) {
        if self.blank_due && !self.opened {
            self.out.push('\n');
        }
        self.blank_due = false;
        self.opened = false;
        self.commented = false;
        self.out.push_str(&" ".repeat(self.indent));
        self.out.push_str(mem::take(&mut self.before));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes the comments and the blank lines that stand before `place`.
    fn flush(&mut self, place: u32) {
        loop {
            let comment = self.comments.peek().map_or(u32::MAX, |comment| comment.span.start);
            let blank = self.blanks.peek().map_or(u32::MAX, |blank| **blank);
            if blank < place && blank <= comment {
                self.blanks.next();
                self.blank_due = true;
            } else if comment < place {
                self.comment();
            } else {
                return;
            }
        }
    }

    fn comment(&mut self) {
        let Some(comment) = self.comments.next() else { return };
        let text = format!("# {}", comment.text);
        let text = text.trim_end();
        if comment.alone || self.commented || self.out.is_empty() {
            self.write(text);
            return;
        }
        self.out.truncate(self.out.trim_end_matches('\n').len());
        self.out.push_str("  ");
        self.out.push_str(text);
        self.out.push('\n');
        self.commented = true;
    }

    /// Forgets the blank lines inside of what was written as one line.
    fn skip_blanks(&mut self, end: u32) {
        while self.blanks.next_if(|blank| **blank < end).is_some() {}
    }

    /// Whether a comment stands before `end` that is not written yet.
    fn comment_before(&mut self, end: u32) -> bool {
        self.comments.peek().is_some_and(|comment| comment.span.start < end)
    }
}
