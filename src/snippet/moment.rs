//! Evaluates checked expressions where a game waits: its state, its locals, its players.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::compile::{Compiled, Snippet, Storage};
use crate::eval::{
    Constants, Env, Evaluated, Evaluator, MAX_STEPS, NoValue, domain_of, from_words, held, to_words,
};
use crate::game::{Game, LegalMoves, PieceKey, Player, State, element_place};
use crate::rules::{
    Expr, HistoryId, Local, LocalId, PrintManner, Rule, RuleId, Type, Value, VarId, flat_index,
};
use crate::snippet::{extended, finished, source_text, started};
use crate::source::Span;
use crate::vm::{self, NullDriver, Offers};

/// Where locals are kept, those that a move binds among them.
pub(super) type KnownLocals = BTreeMap<LocalId, Storage>;

/// A game where it waits.
#[derive(Clone, Copy)]
pub(super) struct LiveGame<'a> {
    pub(super) game: &'a Game,
    pub(super) state: &'a State,
    pub(super) legal: &'a LegalMoves,
    /// The locals of the rule whose names can be read.
    pub(super) locals: &'a [Local],
    /// Whether the expressions stand in the rules; else somebody typed them.
    pub(super) of_rules: bool,
    /// Who must see all that is read, for it to have a value; nobody: everything has one.
    pub(super) eyes: &'a [Player],
}

/// What stands for a value that somebody must not see.
pub(super) const HIDDEN: &str = "?";

impl LiveGame<'_> {
    /// Returns the value of an expression in words, as it is typed.
    pub(super) fn print_value(&self, expr: &Expr, known: &KnownLocals) -> Result<String, NoValue> {
        self.evaluate(known, |evaluator| evaluator.eval_words(expr, PrintManner::Typed))
    }

    /// Returns the value of an expression of the rules; none where it has no value.
    pub(super) fn compute_value(&self, expr: &Expr, known: &KnownLocals) -> Value {
        self.try_value(expr, known).unwrap_or(Value::None)
    }

    pub(super) fn try_value(&self, expr: &Expr, known: &KnownLocals) -> Evaluated {
        self.evaluate(known, |evaluator| evaluator.value(expr))
    }

    /// Returns the value that the machine computes for an expression of the rules: faster where it looks through many
    /// members.
    pub(super) fn run_value(&self, expr: &Expr, known: &KnownLocals) -> Evaluated {
        (MomentLocals { moment: self, known }).run_expression(expr, None, &[])
    }

    /// Returns the error that stops the machine at an expression of the rules; none where it computes a value.
    pub(super) fn find_trap(&self, expr: &Expr, known: &KnownLocals) -> Option<vm::Trap> {
        match (MomentLocals { moment: self, known }).run_on_machine(expr, None, &[]) {
            Err(MachineStop::Trap(trap)) => Some(trap),
            Err(MachineStop::Unknown) | Ok(_) => None,
        }
    }

    pub(super) fn show_value(&self, expr: &Expr, known: &KnownLocals) -> String {
        self.print_value(expr, known).unwrap_or_else(|stop| {
            let hidden = stop == NoValue::Unknown && !self.eyes.is_empty();
            if hidden { HIDDEN } else { "no value" }.to_owned()
        })
    }

    pub(super) fn span_text(&self, span: Span) -> String {
        source_text(self.game, span)
    }

    fn evaluate<T>(&self, known: &KnownLocals, work: impl FnOnce(&mut Evaluator) -> T) -> T {
        let LiveGame { game, .. } = self;
        let (env, left, constants) =
            (MomentLocals { moment: self, known }, Cell::new(MAX_STEPS), Constants::default());
        let ranges = &game.compiled().ranges;
        work(&mut Evaluator::new(game.rules(), game.setting(), ranges, &env, &left, &constants))
    }

    fn domain_bounds(&self, ty: &Type) -> (i64, usize) {
        let (game, ranges) = (self.game, &self.game.compiled().ranges);
        let known = held(ty).and_then(|it| domain_of(game.rules(), game.setting(), ranges, it));
        known.unwrap_or((0, 0))
    }

    pub(super) fn value_from_words(&self, ty: &Type, words: &[i64]) -> Option<Value> {
        if *ty == Type::Text {
            let text = usize::try_from(*words.first()?).ok()?;
            return self.game.program().texts.get(text).cloned().map(Value::Text);
        }
        Some(from_words(ty, self.domain_bounds(ty), words))
    }

    /// Compiles an expression as a piece that takes some locals; each once for a game.
    fn compiled(
        &self,
        expr: &Expr,
        locals: &[Local],
        params: &[LocalId],
        arrays: &KnownLocals,
        key: Option<PieceKey>,
    ) -> Option<Arc<Compiled>> {
        let compile = || {
            let rule = Rule { locals: locals.to_vec(), ..Rule::empty("piece", expr.span) };
            let piece = Snippet {
                rule: rule.returning(expr.clone()),
                locals: arrays.iter().map(|(id, storage)| (*id, storage.clone())).collect(),
                moves: i64::try_from(self.legal.count()).expect("moves fit into memory"),
                params: params.to_vec(),
                printed: false,
            };
            extended(self.game, &piece).ok()
        };
        match key {
            Some(key) => self.game.piece(key, compile),
            None => compile().map(Arc::new),
        }
    }
}

/// A moment with names whose values are known beside those of the state.
struct MomentLocals<'a> {
    moment: &'a LiveGame<'a>,
    known: &'a KnownLocals,
}

impl Env for MomentLocals<'_> {
    fn local(&self, local: LocalId) -> Option<Value> {
        let LiveGame { game, state, locals, .. } = *self.moment;
        match self.known.get(&local)? {
            Storage::Known(value) => Some(value.clone()),
            Storage::Slots(at, width) => {
                let slot = game.compiled().slot(*at).into();
                let words = state.slice(slot, (*width).into());
                self.moment.value_from_words(&locals.get(local.index())?.ty, words)
            }
            Storage::Array(..) => None,
        }
    }

    fn element_value(&self, local: LocalId, indices: &[i64]) -> Option<Value> {
        let LiveGame { game, state, locals, .. } = *self.moment;
        let Storage::Array(at, dims, width) = self.known.get(&local)? else { return None };
        let ty = &locals.get(local.index())?.ty;
        let (base, width) = (usize::from(game.compiled().slot(*at)), usize::from(*width));
        let place = flat_index(dims.iter().copied(), indices)?;
        self.moment.value_from_words(ty, state.slice(base + place * width, width))
    }

    fn var_value(&self, var: VarId, indices: &[i64]) -> Option<Value> {
        let LiveGame { game, state, eyes, .. } = *self.moment;
        let program = game.program();
        let info = program.vars.get(var.index())?;
        let place = element_place(info, program.players, indices)?;
        let words = info.element(program.players, place, |slot| state.word(slot));
        let seen = eyes.iter().all(|eye| game.sees(state, *eye, (var.index(), place, &words)));
        seen.then(|| self.moment.value_from_words(&game.rules().vars[var.index()].ty, &words))?
    }

    fn turn_player(&self) -> Option<i64> {
        let LiveGame { game, state, .. } = *self.moment;
        game.turn_number(state)
    }

    fn count_past(&self, history: HistoryId) -> Option<i64> {
        Some(self.moment.state.times(self.moment.game.program(), history.index()))
    }

    fn legal_count(&self) -> Option<i64> {
        i64::try_from(self.moment.legal.count()).ok()
    }

    fn seat_names(&self) -> Option<&[String]> {
        Some(self.moment.game.names())
    }

    fn can_call(&self) -> bool {
        true
    }

    fn run_expression(
        &self,
        expr: &Expr,
        of: Option<RuleId>,
        bound: &[(LocalId, Value)],
    ) -> Evaluated {
        self.run_on_machine(expr, of, bound).map_err(|stop| match stop {
            MachineStop::Unknown => NoValue::Unknown,
            MachineStop::Trap(trap) => NoValue::Fault(expr.span, trap.to_string()),
        })
    }
}

/// Why the machine computed no value.
enum MachineStop {
    Unknown,
    Trap(vm::Trap),
}

impl MomentLocals<'_> {
    fn run_on_machine(
        &self,
        expr: &Expr,
        of: Option<RuleId>,
        bound: &[(LocalId, Value)],
    ) -> Result<Value, MachineStop> {
        let moment = self.moment;
        if !moment.eyes.is_empty() {
            // What the machine reads on its way is not known here.
            return Err(MachineStop::Unknown);
        }
        let (mut params, mut values, mut arrays) = (Vec::new(), Vec::new(), KnownLocals::new());
        for local in expr.locals() {
            let inner = bound.iter().rev().find(|(id, _)| *id == local);
            let outer = || if of.is_none() { self.local(local) } else { None };
            if let Some(value) = inner.map(|(_, value)| value.clone()).or_else(outer) {
                params.push(local);
                values.push(value);
            } else if let (None, Some(array)) = (of, self.known.get(&local)) {
                arrays.insert(local, array.clone());
            }
        }
        let locals = match of {
            Some(rule) => &moment.game.rules().rules[rule.index()].locals,
            None => moment.locals,
        };
        let types: Vec<Type> = params.iter().map(|id| locals[id.index()].ty.clone()).collect();
        // A line of a strategy is one expression for several decisions, which have locals of their own.
        let site = of.is_none().then(|| moment.state.site_number());
        let kept = moment.of_rules || of.is_some();
        let key = kept.then(|| PieceKey { span: expr.span, params: params.clone(), site });
        let compiled = moment.compiled(expr, locals, &params, &arrays, key);
        let compiled = compiled.ok_or(MachineStop::Unknown)?;
        let program = &compiled.program;
        let mut state = started(&compiled, moment.state);
        for ((value, ty), (slot, _)) in values.iter().zip(&types).zip(&compiled.piece.params) {
            let words =
                to_words(ty, moment.domain_bounds(ty), value).ok_or(MachineStop::Unknown)?;
            for (at, word) in (usize::from(*slot)..).zip(words) {
                state.set_word(at, word);
            }
        }
        let (names, mut offers) = (moment.game.names(), Offers::new());
        let step = vm::run(program, &mut state, &mut offers, names, &mut NullDriver);
        if step.map_err(MachineStop::Trap)? != vm::VmStep::End || finished(&state) {
            return Err(MachineStop::Unknown);
        }
        let (slot, width) = compiled.piece.result.ok_or(MachineStop::Unknown)?;
        let words = state.slice(slot.into(), width.into());
        moment.value_from_words(&expr.ty, words).ok_or(MachineStop::Unknown)
    }
}
