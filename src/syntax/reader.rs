//! From a text to the tree of one declaration, statement or expression.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::thread;

use pest::Parser;
use pest::error::{Error, ErrorVariant};
use pest::iterators::Pair;

use crate::diagnostic::{Diagnostic, Help};
use crate::source::{Source, Span};
use crate::suggest::nearest_within;
use crate::syntax::ast::Item;
use crate::syntax::explain::{error_offset, explain_error};
use crate::syntax::parser::{Build, Built, GameParser, Node, Rule, token};
use crate::syntax::recovery::separate_mistakes;
use crate::syntax::scan::{Chunk, Scan, scan_file, scan_snippet};
use crate::syntax::slips::{
    self, FileWords, LONGEST, TokenEdit, Trial, Trouble, mend_bracket, missing_word,
};
use crate::syntax::tokens::{DECLARATIONS, is_part, leading_word};
use crate::syntax::{MAX_NAME, MAX_NESTING, error};

/// How deep a text may be to be read on the stack of the caller, who may have little of it. In a browser nobody has
/// another stack, and the engine is built with a large one.
const SHALLOW: usize = if cfg!(target_family = "wasm") { 80 } else { 24 };

/// The stack for those on a thread of their own.
const SHALLOW_STACK: usize = 8 * 1024 * 1024;

/// The stack for deeper texts: four times what was enough for the deepest without optimisation.
const DEEP_STACK: usize = 64 * 1024 * 1024;

/// Long files are read on several threads: each takes at least so many bytes.
const BYTES_FOR_ONE: usize = 8 * 1024;

/// How many threads read a file at most.
const MOST_READERS: usize = 4;

/// How many bytes are read again, for each reader of a file, to find out what would mend its mistakes. Where there are
/// hundreds of mistakes, the last have a plainer help.
const MOST_TRIED: usize = 2 * 1024 * 1024;

/// To read the shortest text takes as long as so many bytes.
const BYTES_OF_A_TRIAL: usize = 1024;

/// Of many broken declarations only the first are mended.
const BYTES_OF_A_MISTAKE: usize = 128 * 1024;

/// Reads the declarations of a file, on a stack that is large enough for the deepest of them.
pub(super) fn read_chunks(source: &Source, scan: &Scan) -> Vec<Result<Item, Vec<Diagnostic>>> {
    let read = |chunks: &[Chunk]| {
        let tries = Tries::default();
        let read = |chunk| read_chunk(source, &scan.text, chunk, &tries);
        chunks.iter().map(read).collect::<Vec<_>>()
    };
    let is_deep = scan.chunks.iter().any(|chunk| chunk.depth.is_some_and(|it| it > SHALLOW));
    // The stacks of several deep readers would take too much memory.
    let parts = if is_deep { vec![&scan.chunks[..]] } else { split_chunks(&scan.chunks) };
    if parts.len() <= 1 && !is_deep {
        return read(&scan.chunks);
    }
    let stack = if is_deep { DEEP_STACK } else { SHALLOW_STACK };
    thread::scope(|scope| {
        let read = &read;
        let begin =
            |part| thread::Builder::new().stack_size(stack).spawn_scoped(scope, move || read(part));
        let readers: Vec<_> = parts.iter().copied().map(begin).collect();
        let read = readers.into_iter().zip(&parts).flat_map(|(reader, part)| match reader {
            Ok(reader) => reader.join().expect("reading a text does not panic"),
            Err(_) if !is_deep => read(part),
            // Where no thread can be had, what is deep cannot be read.
            Err(_) => {
                part.iter().map(|it| Err(vec![too_deep(source.base + it.range.start)])).collect()
            }
        });
        read.collect()
    })
}

/// The declarations in stretches of about the same length.
fn split_chunks(chunks: &[Chunk]) -> Vec<&[Chunk]> {
    let length = chunks.last().map_or(0, |last| last.range.end);
    let each = length.div_ceil(MOST_READERS).max(BYTES_FOR_ONE);
    let number = |chunk: &Chunk| chunk.range.start / each;
    chunks.chunk_by(|a, b| number(a) == number(b)).collect()
}

/// What the braces and signs of a file mean that mean different things in different places, by
/// their place in its text; nothing for declarations that cannot be read.
pub(super) fn find_marks(source: &Source) -> BTreeMap<usize, Mark> {
    let scan = scan_file(source);
    let mut marks = BTreeMap::new();
    for chunk in scan.chunks.iter().filter(|chunk| chunk.fault.is_none()) {
        let (text, base) = (&scan.text[chunk.range.clone()], chunk.range.start);
        let found = read_deep(text, base, chunk.depth, Rule::one_declaration, |pair, base| {
            let mut found = Vec::new();
            visit_marks(pair, &mut |place, mark| found.push((base + place, mark)));
            Ok(found)
        });
        marks.extend(found.into_iter().flatten());
    }
    marks
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Braces around statements, cases or variables.
    Block,
    /// Braces around moves.
    Moves,
    /// Braces around members of a kind or numbers of copies.
    List,
    /// Braces around a value or a type: a set.
    Set,
    /// An operator of arithmetic between two values.
    Operator,
    /// The sign of a negative number.
    Negative,
}

fn visit_marks(pair: Pair<'_, Rule>, see: &mut impl FnMut(usize, Mark)) {
    let around = match pair.as_rule() {
        Rule::brace | Rule::type_members | Rule::cell_set | Rule::cell_goods | Rule::hole => {
            Mark::Set
        }
        Rule::choose_statement | Rule::more_choices | Rule::moves_declaration => Mark::Moves,
        Rule::kind_declaration | Rule::extend_declaration | Rule::seats | Rule::copies => {
            Mark::List
        }
        _ => Mark::Block,
    };
    for part in pair.into_inner() {
        let start = part.as_span().start();
        match part.as_rule() {
            Rule::open_brace => see(start, around),
            Rule::op_add | Rule::op_subtract | Rule::op_multiply | Rule::op_divide => {
                see(start, Mark::Operator);
            }
            Rule::negate => see(start, Mark::Negative),
            _ => visit_marks(part, see),
        }
    }
}

/// How many bytes may be read again to try repairs.
struct Tries {
    left: Cell<usize>,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries { left: Cell::new(MOST_TRIED) }
    }
}

impl Tries {
    fn count(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes + BYTES_OF_A_TRIAL));
    }
}

/// Reads a declaration, or finds its mistakes.
fn read_chunk(
    source: &Source,
    text: &str,
    chunk: &Chunk,
    tried: &Tries,
) -> Result<Item, Vec<Diagnostic>> {
    let first = match read_whole(source, text, chunk, tried) {
        Ok(item) => return Ok(item),
        Err(first) => first,
    };
    tried.count(BYTES_OF_A_MISTAKE);
    if chunk.fault.is_some()
        || chunk.depth.is_none()
        || first.code == Some("syntax::unknown_declaration")
        || tried.left.get() == 0
    {
        return Err(vec![first]);
    }
    let (text, base) = (&text[chunk.range.clone()], source.base + chunk.range.start);
    let read = |text: &str| read_here(text, base, Rule::one_declaration, built::<Item>, tried);
    let alone = separate_mistakes(text, |text| {
        tried.count(text.len());
        fault_offset(text, base, Rule::one_declaration)
    });
    let all: Vec<_> = alone.iter().filter_map(|text| read(text).err()).collect();
    Err(if all.first().is_some_and(|it| it.place().start == first.place().start) {
        all
    } else {
        vec![first]
    })
}

fn read_whole(source: &Source, text: &str, chunk: &Chunk, tried: &Tries) -> Built<Item> {
    let (text, base) = (&text[chunk.range.clone()], source.base + chunk.range.start);
    let parsed = || {
        chunk.depth.ok_or_else(|| too_deep(base))?;
        read_here(text, base, Rule::one_declaration, built, tried)
    };
    let reader = |text: &str| try_text(text, tried, |text| read_item(text, base));
    let trial = Trial { reader: &reader, left: &tried.left };
    let Some(fault) = &chunk.fault else {
        refuse_unknown(text, base).map_err(|error| {
            let help = missing_word(&text[after_notes(text)..], &trial);
            help.map_or(error.clone(), |help| error.with_help(help))
        })?;
        return parsed();
    };
    // On the same line the bracket shows more, unless one token mends it.
    let start = |it: &Diagnostic| it.place().start as usize - source.base;
    let is_above = |it: &Diagnostic| source.text[start(it)..start(fault)].contains('\n');
    // What stands before a bracket too many may lack the bracket that it closes: then the grammar knows better.
    if fault.code == Some("syntax::stray_bracket")
        && let Err(error) = parsed()
        && error.place().start < fault.place().start
        && (error.fix.is_some() || is_above(&error))
    {
        return Err(error);
    }
    let raw = without_last_notes(&source.text[chunk.range.clone()]);
    let reader = |text: &str| {
        // To scan it again takes longer than to read it.
        tried.count(7 * text.len());
        try_text(text, tried, |text| parse_again(text, chunk.depth))
    };
    let trial = Trial { reader: &reader, left: &tried.left };
    Err(mend_bracket(fault, raw, base, &trial).unwrap_or_else(|| fault.clone()))
}

/// Without the notes at its end: where a bracket is open they are those of the next declaration.
fn without_last_notes(text: &str) -> &str {
    let is_note = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    let notes: usize = text.split_inclusive('\n').rev().take_while(is_note).map(str::len).sum();
    &text[..text.len() - notes]
}

pub(super) fn read_snippet<T: Build + Send>(source: &Source, entry: Rule) -> Built<T> {
    let mut scan = scan_snippet(source);
    // A snippet without a token has no chunk.
    let chunk = scan.chunks.pop();
    let depth = chunk.as_ref().map_or(Some(0), |chunk| chunk.depth);
    chunk.and_then(|chunk| chunk.fault).map_or(Ok(()), Err)?;
    read_deep(&scan.text, source.base, depth, entry, built)
}

fn built<T: Build>(pair: Pair<'_, Rule>, base: usize) -> Built<T> {
    T::build(Node::new(pair, base))
}

/// Reads a text that is so deep, or too deep, with the grammar, on a stack that is large enough.
fn read_deep<T: Send>(
    text: &str,
    base: usize,
    depth: Option<usize>,
    entry: Rule,
    build: impl Fn(Pair<'_, Rule>, usize) -> Built<T> + Send,
) -> Built<T> {
    if depth.ok_or_else(|| too_deep(base))? <= SHALLOW {
        return read_here(text, base, entry, build, &Tries::default());
    }
    thread::scope(|scope| {
        let stack = thread::Builder::new().stack_size(DEEP_STACK);
        let read = || read_here(text, base, entry, build, &Tries::default());
        let reader = stack.spawn_scoped(scope, read);
        let reader = reader.map_err(|_| too_deep(base))?;
        reader.join().expect("reading a text does not panic")
    })
}

/// Reads a text that begins at the global offset `base` with the grammar.
fn read_here<T>(
    text: &str,
    base: usize,
    entry: Rule,
    build: impl Fn(Pair<'_, Rule>, usize) -> Built<T>,
    tried: &Tries,
) -> Built<T> {
    let reader =
        |text: &str| try_text(text, tried, |text| parse_with(text, base, entry, &build).map(drop));
    let trial = Trial { reader: &reader, left: &tried.left };
    parse_with(text, base, entry, &build).map_err(|fault| match fault {
        Fault::Grammar(error) => explain_error(&error, text, base, &trial),
        Fault::Built(error) => error,
    })
}

/// Reads another text, or answers where it fails and what is expected there. After many trials every text fails, and
/// nobody knows where.
fn try_text(
    text: &str,
    tried: &Tries,
    parse: impl Fn(&str) -> Result<(), Fault>,
) -> Result<(), (usize, Vec<Rule>)> {
    tried.count(text.len());
    if tried.left.get() == 0 {
        return Err((usize::MAX, Vec::new()));
    }
    parse(text).map_err(|fault| match fault {
        Fault::Grammar(error) => match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => {
                (error_offset(&error), positives.clone())
            }
            ErrorVariant::CustomError { .. } => (0, Vec::new()),
        },
        Fault::Built(_) => (0, Vec::new()),
    })
}

/// Reads another text of a declaration whose brackets have no partners. Those behind it, which an open bracket held, need
/// not be read.
fn parse_again(text: &str, depth: Option<usize>) -> Result<(), Fault> {
    let source = Source::new("", text);
    let scan = scan_file(&source);
    // The stack is large enough for the declaration as it is.
    let most = depth.unwrap_or_default().max(SHALLOW);
    let mut faults = scan.chunks.iter().filter_map(|it| it.fault.clone());
    if let Some(fault) = faults.next() {
        return Err(Fault::Built(fault));
    }
    let chunk = scan.chunks.first().filter(|it| it.depth.is_some_and(|depth| depth <= most));
    let chunk = chunk.ok_or_else(|| Fault::Built(too_deep(0)))?;
    read_item(&scan.text[chunk.range.clone()], 0)
}

fn read_item(text: &str, base: usize) -> Result<(), Fault> {
    parse_with(text, base, Rule::one_declaration, built::<Item>).map(drop)
}

/// TokenEdits of one word or sign that may mend what is wrong in a file, the likeliest first.
pub(crate) struct TokenEdits<'e> {
    source: &'e Source,
    /// The declarations in which something is wrong.
    pub(crate) stretch: Range<usize>,
    pub(crate) all: Vec<TokenEdit>,
}

impl<'e> TokenEdits<'e> {
    pub(crate) fn of(
        source: &'e Source,
        found: &Trouble,
        words: &FileWords,
    ) -> Option<TokenEdits<'e>> {
        let chunks = scan_file(source).chunks;
        let is_wrong = |it: &&Chunk| found.places.iter().any(|at| it.range.contains(at));
        let wrong: Vec<_> = chunks.iter().filter(is_wrong).collect();
        let stretch = wrong.first()?.range.start..wrong.last()?.range.end;
        (stretch.len() <= LONGEST).then(|| {
            let all = slips::likely_edits(source, &stretch, found, words);
            TokenEdits { source, stretch, all }
        })
    }

    /// Whether the declarations can be read with an edit; of others nothing is known.
    pub(crate) fn reads(&self, edit: &TokenEdit) -> bool {
        let (text, Range { start, end }) = (&self.source.text, edit.range.clone());
        if start < self.stretch.start || end > self.stretch.end {
            return true;
        }
        let parts = [&text[self.stretch.start..start], &edit.text, &text[end..self.stretch.end]];
        let mended = Source::new("", without_last_notes(&parts.concat()));
        let scan = scan_file(&mended);
        // What is deep is read with the whole file only, on a larger stack.
        let is_deep = |it: &Chunk| it.depth.is_none_or(|depth| depth > SHALLOW);
        let reads = |it: &Chunk| read_item(&scan.text[it.range.clone()], 0).is_ok();
        scan.chunks.iter().all(|it| it.fault.is_none() && (is_deep(it) || reads(it)))
    }
}

/// Why a text cannot be read.
enum Fault {
    Grammar(Box<Error<Rule>>),
    Built(Diagnostic),
}

fn parse_with<T>(
    text: &str,
    base: usize,
    entry: Rule,
    build: impl Fn(Pair<'_, Rule>, usize) -> Built<T>,
) -> Result<T, Fault> {
    let mut pairs =
        GameParser::parse(entry, text).map_err(|error| Fault::Grammar(Box::new(error)))?;
    let whole = pairs.next().expect("an entry rule makes one pair");
    refuse_long_names(&whole, base).map_err(Fault::Built)?;
    let mut inside = whole.into_inner().filter(|pair| token(pair.as_rule()).is_none());
    build(inside.next().expect("an entry rule holds what it is for"), base).map_err(Fault::Built)
}

/// At which offset of a text reading ends, if it does.
fn fault_offset(text: &str, base: usize, entry: Rule) -> Option<usize> {
    let fault = parse_with(text, base, entry, built::<Item>).err()?;
    Some(match fault {
        Fault::Grammar(error) => error_offset(&error),
        Fault::Built(error) => (error.place().start as usize).saturating_sub(base),
    })
}

/// Names are kept in many places, so none is as long as a file.
fn refuse_long_names(whole: &Pair<'_, Rule>, base: usize) -> Built<()> {
    if whole.as_str().split(|letter| !is_part(letter)).all(|word| word.len() <= MAX_NAME) {
        return Ok(());
    }
    let long = whole.clone().into_inner().flatten().find(|pair| {
        pair.as_str().len() > MAX_NAME
            && matches!(
                pair.as_rule(),
                Rule::name | Rule::word | Rule::cell_plain | Rule::cell_word
            )
    });
    let Some(long) = long else { return Ok(()) };
    let span = Node::new(long, base).span;
    Err(error::long_name(span.len(), MAX_NAME, span))
}

fn too_deep(base: usize) -> Diagnostic {
    error::too_deep(MAX_NESTING, Span::new(base, base + 1))
}

/// A line at the margin that begins with no word of a declaration.
fn refuse_unknown(part: &str, base: usize) -> Built<()> {
    let start = after_notes(part);
    let word = leading_word(&part[start..]);
    if word.is_empty() || DECLARATIONS.contains(&word) {
        return Ok(());
    }
    let help = match nearest_within(word, DECLARATIONS.iter().copied(), (2 * word.len() / 5).max(1)) {
        _ if matches!(word, "coin" | "die" | "dice" | "history") => {
            format!("somebody has it: `each player has {{ {word} … }}` or `the table has {{ {word} … }}`").into()
        }
        _ if matches!(word, "extends" | "inherits" | "modifies" | "base") => {
            "a game that changes another one begins with `variant \"Name\" of \"base.game\"`".into()
        }
        _ if matches!(word, "import" | "include" | "includes") => {
            "the declarations of another file are used with `use \"file.game\"`".into()
        }
        Some(meant) => Help::did_you_mean(meant),
        None => "declarations begin with `game`, `variant`, `use`, `option`, `let`, `kind`, `cards`, \
                 `board`, `table`, `extend`, `replace`, `each player has`, `the table has`, `rule`, \
                 `moves`, `measure`, `always`, `strategy`, `setup` or `play`"
            .into(),
    };
    let span = Span::new(base + start, base + start + word.len());
    Err(error::unknown_declaration(word, help, span))
}

fn after_notes(part: &str) -> usize {
    let mut rest = part.trim_start();
    while rest.starts_with("##") {
        rest = rest.split_once('\n').map_or("", |(_, below)| below.trim_start());
    }
    part.len() - rest.len()
}
