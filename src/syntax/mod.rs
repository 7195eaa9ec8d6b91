//! Text to tree. The only folder that knows pest.

pub mod ast;
pub mod error;

mod choices;
mod declarations;
mod drawn;
mod explain;
mod expressions;
mod grammar;
mod naming;
mod outline;
mod print;
mod scan;
mod sets;
mod statements;
mod tree;
mod words;

#[cfg(test)]
mod tests;

pub use self::outline::outline;
pub use self::print::print;
pub use self::print::print_expression;

use pest::Parser;
use pest::iterators::Pair;

use crate::diagnostic::Diagnostics;
use crate::source::Source;
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast::Ast;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Item;
use crate::syntax::ast::Stmt;
use crate::syntax::error::SyntaxError;
use crate::syntax::explain::explain;
use crate::syntax::grammar::GameParser;
use crate::syntax::grammar::Rule;
use crate::syntax::scan::Chunk;
use crate::syntax::scan::Scan;
use crate::syntax::tree::Builder;
use crate::syntax::tree::Built;
use crate::syntax::tree::Parts;
use crate::syntax::words::DECLARATIONS;
use crate::syntax::words::leading_word;

/// How deep brackets, operators and conditions may stand in each other.
pub const MAX_NESTING: usize = 256;

/// How many bytes a file may have.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Turns a file into its tree: what could be read of it, and one finding for each declaration that
/// could not.
pub fn parse(source: &Source) -> (Ast, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    if let Err(error) = refuse_length(source) {
        diagnostics.push(error);
        return (Ast::default(), diagnostics);
    }
    let scan = scan::scan_file(source);
    if scan.chunks.is_empty() {
        diagnostics.push(SyntaxError::Empty { span: Span::new(source.base, source.base) });
    }
    let mut items = Vec::new();
    for chunk in &scan.chunks {
        match parse_chunk(source, &scan.text, chunk) {
            Ok(item) => items.push(item),
            Err(error) => diagnostics.push(error),
        }
    }
    (Ast { items, comments: scan.comments, blanks: scan.blanks }, diagnostics)
}

/// Turns one expression into its tree.
///
/// # Errors
///
/// The finding, when the text is no expression.
pub fn parse_expression(source: &Source) -> Result<Expr, Diagnostics> {
    parse_snippet(source, Rule::one_expression, Builder::expression)
}

/// Turns one statement into its tree.
///
/// # Errors
///
/// The finding, when the text is no statement.
pub fn parse_statement(source: &Source) -> Result<Stmt, Diagnostics> {
    parse_snippet(source, Rule::one_statement, Builder::statement)
}

fn refuse_length(source: &Source) -> Built<()> {
    let length = source.text.len();
    if length <= MAX_BYTES {
        return Ok(());
    }
    let span = Span::new(source.base, source.base);
    Err(SyntaxError::TooLong { length, limit: MAX_BYTES, span })
}

fn parse_snippet<T>(
    source: &Source,
    entry: Rule,
    build: impl Fn(Builder, Pair<'_, Rule>) -> Built<T>,
) -> Result<T, Diagnostics> {
    let attempt = || {
        refuse_length(source)?;
        let Scan { text, chunks, .. } = scan::scan_snippet(source);
        if let Some(fault) = chunks.into_iter().find_map(|chunk| chunk.fault) {
            return Err(fault);
        }
        parse_part(entry, &text, source.base, &build)
    };
    attempt().map_err(|error| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(error);
        diagnostics
    })
}

fn parse_chunk(source: &Source, text: &str, chunk: &Chunk) -> Built<Item> {
    let part = &text[chunk.range.clone()];
    let base = source.base + chunk.range.start;
    let parsed = || parse_part(Rule::one_declaration, part, base, Builder::declaration);
    match &chunk.fault {
        None => {
            refuse_unknown(part, base)?;
            parsed()
        }
        Some(fault) => Err(earlier(fault, parsed)),
    }
}

/// A `}` too many is often the end of a block whose `{` is missing: then the grammar knows better.
fn earlier(fault: &SyntaxError, parsed: impl FnOnce() -> Built<Item>) -> SyntaxError {
    if let SyntaxError::StrayBracket { span: stray, .. } = fault
        && let Err(SyntaxError::MissingBrace { found, span }) = parsed()
        && span < *stray
    {
        return SyntaxError::MissingBrace { found, span };
    }
    fault.clone()
}

fn parse_part<'t, T>(
    entry: Rule,
    text: &'t str,
    base: usize,
    build: impl Fn(Builder, Pair<'t, Rule>) -> Built<T>,
) -> Built<T> {
    let mut pairs = GameParser::parse(entry, text).map_err(|error| explain(&error, text, base))?;
    let whole = pairs.next().expect("an entry rule makes one pair");
    build(Builder { base }, Parts::of(whole).any())
}

/// A line at the margin that begins with no word of a declaration.
fn refuse_unknown(part: &str, base: usize) -> Built<()> {
    let start = after_notes(part);
    let word = leading_word(&part[start..]);
    if word.is_empty() || DECLARATIONS.contains(&word) {
        return Ok(());
    }
    let help = match nearest(word, DECLARATIONS.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "declarations begin with `game`, `option`, `let`, `kind`, `table`, \
                 `each player has`, `the table has`, `rule`, `setup` or `play`"
            .to_owned(),
    };
    let span = Span::new(base + start, base + start + word.len());
    Err(SyntaxError::UnknownDeclaration { found: word.to_owned(), help, span })
}

fn after_notes(part: &str) -> usize {
    let mut start = 0;
    for line in part.split_inclusive('\n') {
        if !line.trim().is_empty() && !line.trim_start().starts_with("##") {
            return start + line.len() - line.trim_start().len();
        }
        start += line.len();
    }
    part.len()
}
