//! What people type against a state: expressions, statements, calls; and why a move is illegal.
//!
//! A piece is checked with the names in sight where the game waits, compiled behind the program of
//! the game, and run on a copy of the state.

mod invariants;
mod error;
mod faces;
mod help;
mod moment;
mod why;

pub use error::SnippetError;
pub use help::{Block, about, topics};
pub use invariants::{Broken, explain};
pub use why::{Reason, why_not};

use crate::bytecode::program::{ENDING, Ending};
use crate::check::rules::{
    BinaryOp, Expr, ExprKind, LocalId, Rule, SnippetScope, StmtKind, Type, UnaryOp,
};
use crate::check::{check_call, check_expression, check_statements};
use crate::compile::{Compiled, SiteDebug, Snippet, Storage, extend};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, State};
use crate::snippet::moment::{Known, Moment};
use crate::source::{Source, Span};
use crate::syntax::{parse_expression, parse_statements};
use crate::vm::{self, Driver, Offers};

/// Whether a condition holds, and what its parts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub holds: bool,
    /// Where it does not hold, the parts as they are typed, each with its value.
    pub values: Vec<(String, String)>,
}

/// The value of an expression, in words.
///
/// # Errors
/// Mistakes in the expression, or a trap while computing it.
pub fn evaluate(
    game: &Game,
    state: &State,
    legal: &LegalMoves,
    source: &Source,
) -> Result<String, Diagnostics> {
    let rule = expression(game, state, source)?;
    value(game, state, legal, &rule, returned(&rule))
}

/// Whether a condition holds.
///
/// # Errors
/// Mistakes in the condition, a value that is not yes or no, or a trap while computing it.
pub fn verdict(
    game: &Game,
    state: &State,
    legal: &LegalMoves,
    source: &Source,
) -> Result<Verdict, Diagnostics> {
    let rule = expression(game, state, source)?;
    let condition = returned(&rule);
    if condition.ty != Type::Bool {
        let span = condition.span;
        return Err(Diagnostics::of(SnippetError::NotACondition { span }));
    }
    let holds = value(game, state, legal, &rule, condition)? == "yes";
    let mut values = Vec::new();
    // Only what fails is explained; a part that the whole never reached may have no value.
    for part in parts(condition).into_iter().filter(|_| !holds) {
        if let Ok(value) = value(game, state, legal, &rule, part) {
            values.push((fold_space(source.slice(part.span)), value));
        }
    }
    Ok(Verdict { holds, values })
}

/// Runs a statement, or several in braces, at a decision. The game must be advanced again: other
/// moves may be legal now.
///
/// # Errors
/// Mistakes in the statements, a trap, a die that shows a face which it does not have, or a
/// statement that asks, draws or ends the game. The state is then as it was.
pub fn apply(game: &Game, state: &mut State, source: &Source) -> Result<(), Diagnostics> {
    let (scope, locals) = scope(game, state);
    let block = parse_statements(source)?;
    let rule = check_statements(game.rules(), &scope, &block)?;
    let compiled = extended(game, &piece(rule, &locals))?;
    let mut after = started(&compiled, state);
    let (program, mut offers) = (&compiled.program, Offers::new());
    let step = vm::run(program, &mut after, &mut offers, game.names(), &mut NullDriver);
    if step.map_err(Diagnostics::of)? != vm::Step::End || finished(&after) {
        return Err(Diagnostics::of(SnippetError::NotOnlyAChange { span: block.span }));
    }
    if let Some((die, face, faces)) = faces::no_face(game, state, &after) {
        return Err(Diagnostics::of(SnippetError::NoFace { die, face, faces, span: block.span }));
    }
    state.adopt(game.program(), &after);
    Ok(())
}

/// Leaves the current flow and begins a rule instead. The game that is returned is to be used
/// with the state from here on; when the rule returns, the game has ended without an outcome.
///
/// # Errors
/// Mistakes in the call.
pub fn start(game: &Game, state: &mut State, source: &Source) -> Result<Game, Diagnostics> {
    let (scope, locals) = scope(game, state);
    let rule = check_call(game.rules(), &scope, &parse_expression(source)?)?;
    let piece = piece(rule, &locals);
    let compiled = extended(game, &piece)?;
    *state = started(&compiled, state);
    let pieces = game.pieces().iter().cloned().chain([piece]).collect();
    Ok(game.with_pieces(pieces, compiled))
}

/// The names in sight where the game waits, and where the locals among them are kept.
fn scope(game: &Game, state: &State) -> (SnippetScope, Vec<Storage>) {
    let rule = site(game, state).rule.map(|rule| &game.rules().rules[rule.index()]);
    let local = |local: LocalId| Some(rule?.locals.get(local.index())?.clone());
    let seen = in_sight(game, state).into_iter();
    let (locals, storages) = seen.filter_map(|(id, kept)| Some((local(id)?, kept))).unzip();
    (SnippetScope { players: game.names().to_vec(), locals }, storages)
}

/// Where the locals in sight are kept; none once it is over.
fn in_sight(game: &Game, state: &State) -> Known {
    game.compiled().in_sight(if state.has_ended() { 0 } else { state.site_number() })
}

/// What is known of the place where the game waits; nothing once it is over.
fn site<'a>(game: &'a Game, state: &State) -> &'a SiteDebug {
    &game.compiled().sites[if state.has_ended() { 0 } else { state.site_number() }]
}

fn expression(game: &Game, state: &State, source: &Source) -> Result<Rule, Diagnostics> {
    let (scope, _) = scope(game, state);
    check_expression(game.rules(), &scope, &parse_expression(source)?)
}

/// The value that a typed expression was checked into.
fn returned(rule: &Rule) -> &Expr {
    match &rule.body[0].kind {
        StmtKind::Return(Some(value)) => value,
        _ => unreachable!("an expression is checked into one `return`"),
    }
}

/// The value of an expression that somebody typed, or of a part of it, in words.
fn value(
    game: &Game,
    state: &State,
    legal: &LegalMoves,
    rule: &Rule,
    expr: &Expr,
) -> Result<String, Diagnostics> {
    let (_, storages) = scope(game, state);
    let moment = Moment { game, state, legal, locals: &rule.locals, of_rules: false, eyes: &[] };
    let known = storages.iter().enumerate().map(|(at, it)| (LocalId::at(at), it.clone())).collect();
    if let Ok(words) = moment.words(expr, &known) {
        return Ok(words);
    }
    // The machine, which prints the value at the last site, reports why there is none.
    let moves = i64::try_from(legal.count()).expect("moves fit into memory");
    let mut rule = rule.clone();
    rule.body[0].kind = StmtKind::Return(Some(expr.clone()));
    let compiled = extended(game, &Snippet { moves, printed: true, ..piece(rule, &storages) })?;
    let program = &compiled.program;
    let at = program.sites.last().expect("a piece adds a site").to;
    vm::text(program, &state.grown(program), at, game.names(), |_| {}).map_err(Diagnostics::of)
}

/// A piece whose first locals are kept as given.
fn piece(rule: Rule, locals: &[Storage]) -> Snippet {
    let locals = locals.iter().enumerate();
    let locals = locals.map(|(at, storage)| (LocalId::at(at), storage.clone())).collect();
    Snippet { rule, locals, moves: 0, params: Vec::new(), printed: false }
}

/// The program of the game with a piece.
fn extended(game: &Game, piece: &Snippet) -> Result<Compiled, Diagnostics> {
    let pieces: Vec<Snippet> = game.pieces().iter().chain([piece]).cloned().collect();
    extend(game.rules(), game.setting(), game.sources(), &pieces).map_err(|errors| {
        let mut diagnostics = Diagnostics::new();
        errors.into_iter().for_each(|error| diagnostics.push(error));
        diagnostics
    })
}

/// A copy of a state that goes on where the added piece begins.
fn started(compiled: &Compiled, state: &State) -> State {
    let site = compiled.program.sites.len() - 1;
    let mut started = state.grown(&compiled.program);
    started.jump(u16::try_from(site).expect("verified: sites are counted with 16 bits"));
    started
}

/// Whether a run that ended has ended the game, not only its piece.
fn finished(state: &State) -> bool {
    state.word(ENDING) != Ending::Stopped as i64
}

/// The parts of a condition whose values explain it: both sides of each comparison.
fn parts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => parts(inner),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => [parts(a), parts(b)].concat(),
        ExprKind::Binary(BinaryOp::Arith(_) | BinaryOp::Set(_), ..) => Vec::new(),
        ExprKind::Binary(_, a, b) => {
            let mut both = [a.as_ref(), b.as_ref()];
            // `a > b` is kept as `b < a`; people read it as it is written.
            both.sort_by_key(|part| part.span);
            both.into_iter().filter(|part| tells(part)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the value of an expression says more than its text.
fn tells(expr: &Expr) -> bool {
    let constant = matches!(expr.kind, ExprKind::Value(_) | ExprKind::Whole(_));
    !constant && !matches!(expr.ty, Type::Span | Type::None | Type::EmptySet)
}

fn fold_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of the rules, on one line.
fn source_text(game: &Game, span: Span) -> String {
    let source = game.sources().find(span);
    source.map_or_else(String::new, |source| fold_space(source.slice(span)))
}

/// A driver that neither hears nor answers.
struct NullDriver;

impl Driver for NullDriver {
    fn wants_speech(&self) -> bool {
        false
    }

    fn hear(&mut self, _to: Option<u8>, _text: &str) {}

    fn decide(&mut self, _offers: &Offers) -> Option<usize> {
        None
    }

    fn draw(&mut self, _outcomes: u32) -> Option<u32> {
        None
    }
}
