//! Snippets that people type against a state: expressions, statements, calls; and why a move is illegal (`:why`).
//!
//! A snippet is checked with the names in scope where the game waits, appended to the program, and run on a copy of the
//! state.

mod help;
mod moment;
mod strategy;
mod why;

pub(crate) use help::{HelpBlock, about, is_meant, is_own, move_words, printed_as, topics};
pub(crate) use strategy::{LineError, picked};
pub(crate) use why::Reason;
pub use why::unkept::explain;
pub use why::why_not;

use crate::bytecode::program::{ENDING, Format, GameEnding, Manner, NONE};
use crate::check::{check_call, check_expression, check_statements};
use crate::compile::{Compiled, SiteDebug, Snippet, Storage, extend};
use crate::diagnostic::{Diagnostics, diagnostics};
use crate::game::{Game, LegalMoves, Said, State, StepDriver};
use crate::rulebook::Edition;
use crate::rules::{
    Array, BinaryOp, Clause, Expr, ExprKind, Faces, Local, LocalId, MoveOption, Rule, SnippetScope,
    StmtKind, Type, UnaryOp, Value, VarForm,
};
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::source::{Source, Span};
use crate::syntax::{parse_expression, parse_statements};
use crate::vm::{self, Offers};

diagnostics! {
    // A mistake in something typed against a state.

    snippet::not_a_condition => (; span),
        "this is neither yes nor no", span: "a condition is expected here",
        help: "compare it with something, as in `count(Ann.hand) == 3`";
    snippet::no_face => wrong_face(die, face, faces; span),
        "`{die}` has no face {face}", span: "no roll ends so", help: "its faces are {faces}";
    snippet::not_only_a_change => (; span),
        "this does more than change the state", span: "it asks, draws or ends the game",
        help: "`set` only changes variables; to run a rule that asks, draws or finishes, use `do`";
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConditionVerdict {
    pub(crate) holds: bool,
    /// Where it does not hold, the parts as they are typed, each with its value.
    pub(crate) values: Vec<(String, String)>,
}

/// A game where it waits, and what is legal there.
#[derive(Clone, Copy, Debug)]
pub struct WaitingGame<'a> {
    pub game: &'a Game,
    pub state: &'a State,
    pub legal: &'a LegalMoves,
}

impl WaitingGame<'_> {
    /// The value of an expression, in words.
    ///
    /// # Errors
    /// Mistakes in the expression, or a trap while computing it.
    pub(crate) fn evaluate(self, source: &Source) -> Result<String, Diagnostics> {
        self.answer_question(&question(self.game, self.state, source)?)
    }

    /// The value in words of an expression that was checked at this place of the game.
    ///
    /// # Errors
    /// A trap while computing it.
    pub(crate) fn answer_question(self, question: &Rule) -> Result<String, Diagnostics> {
        self.evaluate_to_words(question, returned(question))
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// Mistakes in the condition, a value that is not yes or no, or a trap while computing it.
    pub(crate) fn judge_condition(self, source: &Source) -> Result<ConditionVerdict, Diagnostics> {
        let rule = question(self.game, self.state, source)?;
        let condition = returned(&rule);
        if condition.ty != Type::Bool {
            return Err(Diagnostics::of(not_a_condition(condition.span)));
        }
        let holds = self.evaluate_to_words(&rule, condition)? == "yes";
        let mut values = Vec::new();
        // Only what fails is explained; a part that the whole never reached may have no value.
        for part in compared_parts(condition).into_iter().filter(|_| !holds) {
            if let Ok(value) = self.evaluate_to_words(&rule, part) {
                values.push((fold_space(source.slice(part.span)), value));
            }
        }
        Ok(ConditionVerdict { holds, values })
    }

    /// The value of an expression that somebody typed, or of a part of it, in words.
    fn evaluate_to_words(self, rule: &Rule, expr: &Expr) -> Result<String, Diagnostics> {
        let WaitingGame { game, state, legal } = self;
        let (_, known) = scope(game, state);
        let moment =
            LiveGame { game, state, legal, locals: &rule.locals, of_rules: false, eyes: &[] };
        if let Ok(words) = moment.print_value(expr, &known) {
            return Ok(words);
        }
        // The machine, which prints the value at the last site, reports why there is none.
        let moves = i64::try_from(legal.count()).expect("moves fit into memory");
        let mut rule = rule.clone();
        rule.body[0].kind = StmtKind::Return(Some(expr.clone()));
        let compiled = extended(game, &Snippet { moves, printed: true, ..piece(rule, known) })?;
        let program = &compiled.program;
        let at = program.sites.last().expect("a piece adds a site").to;
        vm::text(program, &state.grown(program), at, game.names(), |_| {}).map_err(Diagnostics::of)
    }
}

/// Runs a statement, or several in braces, at a decision, and returns what they say. The game must be
/// advanced again: other moves may be legal now.
///
/// # Errors
/// Mistakes in the statements, a trap, a die that shows a face which it does not have, or a
/// statement that asks, draws or ends the game. The state is then as it was.
pub(crate) fn apply_statements(
    game: &Game,
    state: &mut State,
    source: &Source,
) -> Result<Vec<Said>, Diagnostics> {
    let (scope, locals) = scope(game, state);
    let block = parse_statements(source)?;
    let rule = check_statements(game.rules(), &scope, &block)?;
    let die = die_set(game, &rule);
    let compiled = extended(game, &piece(rule, locals))?;
    let mut after = started(&compiled, state);
    let (program, mut offers, mut table) =
        (&compiled.program, Offers::new(), StepDriver::default());
    let step = vm::run(program, &mut after, &mut offers, game.names(), &mut table);
    let step = step.map_err(|trap| match (&trap, die) {
        (vm::Trap::OutOfRange { value, range, .. }, Some(die)) => {
            Diagnostics::of(wrong_face(die, value, range, block.span))
        }
        _ => Diagnostics::of(trap),
    });
    if step? != vm::VmStep::End || finished(&after) {
        return Err(Diagnostics::of(not_only_a_change(block.span)));
    }
    if let Some((die, face, faces)) = no_face(game, state, &after) {
        return Err(Diagnostics::of(wrong_face(die, face, faces, block.span)));
    }
    state.adopt(game.program(), &after);
    Ok(table.said)
}

/// Leaves the current flow and begins a rule instead. The game that is returned is to be used
/// with the state from here on; when the rule returns, the game has ended without an outcome.
///
/// # Errors
/// Mistakes in the call.
pub(crate) fn start_rule(
    game: &Game,
    state: &mut State,
    source: &Source,
) -> Result<Game, Diagnostics> {
    let (scope, locals) = scope(game, state);
    let rule = check_call(game.rules(), &scope, &parse_expression(source)?)?;
    let piece = piece(rule, locals);
    let compiled = extended(game, &piece)?;
    *state = started(&compiled, state);
    let pieces = game.snippets().iter().cloned().chain([piece]).collect();
    Ok(game.with_pieces(pieces, compiled))
}

/// The names in sight where the game waits, and where the locals among them are kept.
fn scope(game: &Game, state: &State) -> (SnippetScope, KnownLocals) {
    let rule = current_site(game, state).rule.map(|rule| &game.rules().rules[rule.index()]);
    let local = |local: LocalId| Some(rule?.locals.get(local.index())?.clone());
    let seen = in_sight(game, state).into_iter();
    let seen = seen.filter_map(|(id, kept)| Some((local(id)?, kept)));
    let (locals, kept): (Vec<Local>, Vec<Storage>) = seen.unzip();
    let known = (0..).map(LocalId::at).zip(kept).collect();
    (SnippetScope { players: game.names().to_vec(), locals }, known)
}

/// The storage of the locals in scope; none once the game is over.
fn in_sight(game: &Game, state: &State) -> KnownLocals {
    game.compiled().in_sight(if state.has_ended() { 0 } else { state.site_number() })
}

/// The debug info of the site where the game waits; empty once it is over.
fn current_site<'a>(game: &'a Game, state: &State) -> &'a SiteDebug {
    &game.compiled().sites[if state.has_ended() { 0 } else { state.site_number() }]
}

/// Checks an expression that somebody typed: a rule that returns its value.
///
/// # Errors
/// Mistakes in the expression.
pub(crate) fn question(game: &Game, state: &State, source: &Source) -> Result<Rule, Diagnostics> {
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

/// A piece whose first locals are kept as given.
fn piece(rule: Rule, locals: KnownLocals) -> Snippet {
    let locals = locals.into_iter().collect();
    Snippet { rule, locals, moves: 0, params: Vec::new(), printed: false }
}

fn extended(game: &Game, piece: &Snippet) -> Result<Compiled, Diagnostics> {
    let pieces: Vec<Snippet> = game.snippets().iter().chain([piece]).cloned().collect();
    extend(game.rules(), game.setting(), game.sources(), &pieces, game.compiled().off)
}

/// A copy of a state that goes on where the added piece begins.
fn started(compiled: &Compiled, state: &State) -> State {
    let site = compiled.program.sites.len() - 1;
    let mut started = state.grown(&compiled.program);
    started.jump(u16::try_from(site).expect("verified: sites are counted with 16 bits"));
    started
}

/// True if the game has ended, not only the piece of code.
fn finished(state: &State) -> bool {
    state.word(ENDING) != GameEnding::Stopped as i64
}

/// The die that a statement sets.
fn die_set(game: &Game, rule: &Rule) -> Option<String> {
    let StmtKind::Assign(place, _) = &rule.body.first()?.kind else { return None };
    let ExprKind::Element(Array::Var(var), _) = place.kind else { return None };
    let var = &game.rules().vars[var.index()];
    matches!(var.form, VarForm::Die(_)).then(|| var.name.clone())
}

/// The first die that a change made show what no roll could: its name, that value, and its faces.
/// The range of a die whose faces are a range is enforced anyway.
fn no_face(game: &Game, before: &State, after: &State) -> Option<(String, String, String)> {
    let players = game.names().len();
    for (var, info) in game.rules().vars.iter().zip(&game.program().vars) {
        let VarForm::Die(Faces::List(faces)) = &var.form else { continue };
        let words: Vec<i64> = faces.iter().filter_map(face_word).collect();
        let owners = if info.of_player { players } else { 1 };
        let changed = (0..owners * info.count()).find_map(|element| {
            let [old, new] = [before, after]
                .map(|state| info.element(players, element, |slot| state.word(slot)));
            (old != new && !words.contains(&new[0])).then_some(new[0])
        });
        if let Some(shown) = changed {
            let format = Format { manner: Manner::Typed, ..info.format.clone() };
            let print = |word| vm::print_as(game.program(), game.names(), &[word], &format);
            let mut faces: Vec<String> = Vec::new();
            for face in words.into_iter().map(print) {
                if !faces.contains(&face) {
                    faces.push(face);
                }
            }
            return Some((var.name.clone(), print(shown), faces.join(", ")));
        }
    }
    None
}

/// The word of a face; the faces of a die are numbers, members, yes, no or none.
fn face_word(face: &Value) -> Option<i64> {
    match face {
        Value::Int(word) => Some(*word),
        Value::None => Some(NONE),
        Value::Set(_) | Value::List(_) | Value::Text(_) => None,
    }
}

/// The parts of a condition whose values explain it: both sides of each comparison.
fn compared_parts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => compared_parts(inner),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            [compared_parts(a), compared_parts(b)].concat()
        }
        ExprKind::Binary(BinaryOp::Arith(_) | BinaryOp::Set(_), ..) => Vec::new(),
        ExprKind::Binary(_, a, b) => {
            let mut both = [a.as_ref(), b.as_ref()];
            // `a > b` is kept as `b < a`; people read it as it is written.
            both.sort_by_key(|part| part.span);
            both.into_iter().filter(|part| says_more(part)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the value of an expression says more than its text.
fn says_more(expr: &Expr) -> bool {
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

/// How a move is typed: `raid ship harbour [crew]`.
fn format_usage(locals: &[Local], option: &MoveOption) -> String {
    let mut form = option.name.clone();
    for param in &option.params {
        let (_, optional) = param_type(option, *param);
        let (open, close) = if optional { ("[", "]") } else { ("", "") };
        form.extend([" ", open, &locals[param.index()].name, close]);
    }
    form
}

/// The type of a printed name, and whether it may be left out.
fn param_type(option: &MoveOption, param: LocalId) -> (Type, bool) {
    let found = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) | Clause::Maybe(binder) if binder.local == param => {
            Some((binder.set.ty.iterated(), matches!(clause, Clause::Maybe(_))))
        }
        Clause::Let(local, value) if *local == param => Some(match &value.ty {
            Type::Maybe(inner) => (inner.as_ref().clone(), true),
            other => (other.clone(), false),
        }),
        _ => None,
    });
    found.unwrap_or((Type::Number, false))
}

/// The first of some words, quoted, and how many more there are.
pub(crate) fn named_up_to(most: usize, words: &[impl AsRef<str>]) -> Vec<String> {
    let named = words.iter().take(most).map(|it| format!("`{}`", it.as_ref()));
    let more = words.len().saturating_sub(most);
    named.chain((more > 0).then(|| format!("{more} more"))).collect()
}

/// Returns the edition of the rulebook for the setting of a game.
pub(crate) fn edition(game: &Game) -> Edition<'_> {
    let settings = std::slice::from_ref(game.setting());
    Edition { rules: game.rules(), sources: game.sources(), settings, variants: &[] }
}
