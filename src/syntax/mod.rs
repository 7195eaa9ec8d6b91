//! Text to tree. The only folder that knows pest.

pub(crate) mod ast;
pub(crate) mod error;

mod csv;
mod declarations;
mod drawn_data;
mod explain;
mod expressions;
mod functions;
mod print;
mod reader;
mod recovery;
mod scan;
mod slips;
mod statements;
mod tidy;
mod tokens;
mod parser;

pub(crate) use self::functions::{BOARD_FUNCTIONS, FUNCTIONS, JOINT_FUNCTIONS};
pub use self::print::print_expression;
pub(crate) use self::print::{Tightness, print_param, print_type};
pub use self::tidy::tidy;
pub use self::tokens::{
    DECLARATIONS, RESERVED, TokenKind, in_pascal_case, in_snake_case, tokenize,
};
pub(crate) use self::tokens::{Token, is_part};

use std::ops::Range;

use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::source::{Source, Span};
use crate::syntax::ast::{Ast, Block, Drawn, Expr};
use crate::syntax::parser::{Build, Built, Rule};
pub(crate) use crate::syntax::reader::TokenEdits;
use crate::syntax::reader::{read_chunks, read_snippet};
pub(crate) use crate::syntax::slips::{FileWords, TokenEdit, Trouble};

/// How deep brackets, operators and conditions may stand in each other.
pub const MAX_NESTING: usize = 256;

/// How many letters a name may have.
pub const MAX_NAME: usize = 200;

/// The newest edition of the language: what a file is written in that states none.
pub(crate) const EDITION: u32 = 1;

/// How many bytes a file may have.
pub const MAX_BYTES: usize = 384 * 1024;

/// Turns a file into its tree: what could be read of it, and the findings of each declaration that
/// could not.
pub fn parse(source: &Source) -> (Ast, Diagnostics) {
    if let Err(error) = refuse_length(source) {
        return (Ast::default(), Diagnostics::of(error));
    }
    let mut diagnostics = Diagnostics::new();
    let scan = scan::scan_file(source);
    if scan.chunks.is_empty() {
        diagnostics.push(error::empty(Span::new(source.base, source.base)));
    }
    let (mut items, mut is_open) = (Vec::new(), false);
    let mut after_error = false;
    for (read, chunk) in read_chunks(source, &scan).into_iter().zip(&scan.chunks) {
        let begins_line = source.text[..chunk.range.start].ends_with('\n');
        // What is left of a declaration that ends too early is no other mistake.
        let is_rest = std::mem::replace(&mut after_error, read.is_err()) && !begins_line;
        let errors = match read {
            Ok(item) => {
                items.push(item);
                continue;
            }
            Err(_) if is_rest => continue,
            Err(errors) => errors,
        };
        // Whatever else is found in words of another edition may be no mistake at all.
        if let Some(other) =
            errors.iter().find(|error| error.code == Some("syntax::unknown_edition"))
        {
            diagnostics = Diagnostics::of(other.clone());
            break;
        }
        for error in errors {
            if error.code == Some("syntax::stray_bracket") && is_open {
                continue;
            }
            // What an earlier declaration lacks is likely what is too much in this one.
            is_open |= error.code == Some("syntax::unclosed_bracket");
            diagnostics.push(error);
        }
    }
    // Outside of texts and comments such signs are mistakes already.
    if !diagnostics.has_errors() {
        diagnostics.extend(hidden_signs_in(source));
        diagnostics.extend(scan.lone_braces.iter().map(|span| error::lone_brace(*span)));
    }
    (Ast { items, files: Vec::new() }, diagnostics)
}

/// Where the declarations of a file stand, with the notes above them; those that cannot be read
/// too.
pub(crate) fn declarations(source: &Source) -> Vec<Span> {
    let chunks = scan::scan_file(source).chunks.into_iter();
    let span = |range: Range<usize>| Span::new(source.base + range.start, source.base + range.end);
    chunks.map(|chunk| span(chunk.range)).collect()
}

/// Turns one expression into its tree.
///
/// # Errors
/// The finding, when the text is no expression.
pub fn parse_expression(source: &Source) -> Result<Expr, Diagnostics> {
    parse_snippet(source, Rule::one_expression)
}

/// Turns one statement, or several in braces, into a block.
///
/// # Errors
/// The finding, when the text is no statement.
pub fn parse_statements(source: &Source) -> Result<Block, Diagnostics> {
    parse_snippet(source, Rule::one_statement)
}

/// Reads drawn data from a file of comma-separated values.
///
/// # Errors
/// Every cell that cannot be one.
pub(crate) fn parse_csv(source: &Source) -> Result<Drawn, Diagnostics> {
    refuse_length(source).map_err(Diagnostics::of)?;
    csv::read_drawn(source)
}

fn refuse_length(source: &Source) -> Built<()> {
    let length = source.text.len();
    if length <= MAX_BYTES {
        return Ok(());
    }
    let span = Span::new(source.base, source.base);
    Err(error::too_long(length, MAX_BYTES, span))
}

fn parse_snippet<T: Build + Send>(source: &Source, entry: Rule) -> Result<T, Diagnostics> {
    let parsed = refuse_length(source).and_then(|()| read_snippet(source, entry));
    parsed.map_err(Diagnostics::of)
}

/// How a number is written in a sentence. One is another word for `a`.
pub(crate) fn number_words(number: i64) -> impl Iterator<Item = String> {
    const WORDS: [&str; 11] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let at = usize::try_from(number - 2).unwrap_or(usize::MAX);
    let twice = (number == 2).then_some("twice");
    let words = WORDS.get(at).copied().into_iter().chain(twice).map(str::to_owned);
    std::iter::once(number.to_string()).chain(words)
}
