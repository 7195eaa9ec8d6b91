//! The emitter: writes the code of a plan, body by body.

mod arguments;
mod calls;
mod chance;
mod choices;
mod compound_choices;
mod conditions;
mod disclosures;
mod ends;
mod expressions;
mod filters;
mod form_members;
mod functions;
mod deferred_texts;
mod lists;
mod loops;
mod options;
mod piles;
mod places;
mod rounds;
mod sets;
mod statements;
mod sums;
mod sweeps;
mod text;
mod witnesses;

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::{NONE, Op, Wait};
use crate::compile::code::{CodeBuffer, CodeLabel, Draft};
use crate::compile::compiled::{PieceSlots, SiteDebug, Storage};
use crate::compile::frames::{Frames, Function};
use crate::compile::plan::{Plan, facts::Facts, state_layout::indices_of};
use crate::compile::scope::{BoundLocals, CompiledBody, ReturnPath, SlotRange};
use crate::rules::{LocalId, RuleId, Type, Value};
use crate::source::Span;
use deferred_texts::{DeferredText, DrawText, PendingText};

/// What compiling a statement or an expression takes, compared with a step of a plain loop.
const STEPS_OF_A_PART: usize = 16;

/// The code while it is written, and the body that is being compiled.
pub(super) struct Emitter<'p, 'a> {
    plan: &'p Plan<'a>,
    pub(super) code: CodeBuffer,
    pub(super) frames: Frames,
    body: CompiledBody<'a>,
    pub(super) histories: Vec<Vec<(LocalId, Storage)>>,
    /// Texts that are compiled after the rule that needs them.
    pending_texts: Vec<PendingText<'a>>,
    /// What `moves` stands for.
    moves: i64,
    /// Whether indices are to be counted from 0, as nothing may lie before what is read.
    counts_from_zero: bool,
    /// The slots of the piece that is added, if one is.
    pub(super) piece: PieceSlots,
    /// How many expressions of rules were compiled where the rules are called.
    written: usize,
    /// How many parts of short rules were compiled so.
    copied: usize,
}

impl<'p, 'a> Emitter<'p, 'a> {
    pub(super) fn new(plan: &'p Plan<'a>, code: CodeBuffer) -> Emitter<'p, 'a> {
        Emitter {
            plan,
            code,
            frames: Frames::default(),
            body: CompiledBody::default(),
            histories: vec![Vec::new()],
            pending_texts: Vec::new(),
            moves: 0,
            counts_from_zero: false,
            piece: PieceSlots::default(),
            written: 0,
            copied: 0,
        }
    }

    fn facts(&self) -> Facts<'_, 'a> {
        Facts { plan: self.plan, body: &self.body }
    }

    /// New slots for a local or a value in between, in use until they are released.
    fn allocate(&mut self, width: u16) -> SlotRange {
        let function = &mut self.frames.functions[self.frames.current];
        let free = function.free.get_mut(&width).and_then(BTreeSet::pop_first);
        let at = free.unwrap_or_else(|| {
            function.blocks.push((self.code.slots(width), width));
            function.blocks.len() - 1
        });
        function.busy.push(at);
        SlotRange { at: function.blocks[at].0, width }
    }

    /// How many slots are in use: what is taken from here on can be released together.
    fn mark(&self) -> usize {
        self.frames.functions[self.frames.current].busy.len()
    }

    /// The locals that are in use: first slot and number.
    fn in_use(&self) -> Vec<(u16, u16)> {
        let function = &self.frames.functions[self.frames.current];
        function.busy.iter().map(|at| function.blocks[*at]).collect()
    }

    fn release(&mut self, mark: usize) {
        let function = &mut self.frames.functions[self.frames.current];
        for at in function.busy.drain(mark..) {
            function.free.entry(function.blocks[at].1).or_default().insert(at);
        }
    }

    fn encode_value(&mut self, value: &Value, ty: &Type, span: Span) -> Vec<i64> {
        self.plan.encode_value(value, ty, span, &mut self.code)
    }

    fn emit_copy(&mut self, dst: u16, src: SlotRange) {
        if dst == src.at {
            return;
        }
        self.code.emit(match src.width {
            1 => Op::Move { dst, src: src.at },
            width => Op::Copy { dst, src: src.at, width },
        });
    }

    /// A site where a function begins.
    fn start_site(&mut self, function: usize) -> u16 {
        let to = self.frames.functions[function].entry;
        self.code.site(self.draft_site(to, Wait::Nothing))
    }

    /// A site of the current function where nobody looks.
    fn draft_site(&self, to: CodeLabel, wait: Wait) -> Draft {
        Draft {
            to,
            wait,
            function: self.frames.current,
            pulled: None,
            options: Vec::new(),
            kept: Vec::new(),
            debug: SiteDebug::default(),
            span: self.code.span,
        }
    }

    /// A site of the current function where people may look.
    fn waiting_site(&mut self, to: CodeLabel, wait: Wait) -> u16 {
        let history = (self.body.history, self.histories[self.body.history].len());
        let debug = SiteDebug { rule: self.body.rule, history, choose: None };
        self.code.site(Draft { debug, ..self.draft_site(to, wait) })
    }

    fn begin_function(&mut self) -> CodeLabel {
        let entry = self.code.label();
        self.frames.functions.push(Function { entry, ..Function::default() });
        self.resume_function(self.frames.functions.len() - 1);
        entry
    }

    fn resume_function(&mut self, function: usize) {
        self.frames.current = function;
        self.code.place(self.frames.functions[function].entry);
        self.frames.functions[function].range.0 = self.code.ops.len();
    }

    fn end_function(&mut self) {
        self.write_later();
        self.frames.functions[self.frames.current].range.1 = self.code.ops.len();
    }

    /// Begins the body of a rule, without names.
    fn enter_body(&mut self, rule: Option<RuleId>, returning: ReturnPath) {
        self.body = self.body_of(rule, BTreeMap::new(), returning, 0);
    }

    /// A body in which these names can be seen.
    fn body_of(
        &mut self,
        rule: Option<RuleId>,
        locals: BTreeMap<LocalId, Storage>,
        returning: ReturnPath,
        depth: usize,
    ) -> CompiledBody<'a> {
        self.histories.push(locals.iter().map(|(local, kept)| (*local, kept.clone())).collect());
        let history = self.histories.len() - 1;
        let bounds = rule.map_or_else(BoundLocals::new, |rule| self.plan.bounds_of_params(rule));
        let rules = self.plan.rules;
        let declared = rule.map_or(self.body.declared, |rule| &rules.rules[rule.index()].locals);
        CompiledBody {
            rule,
            declared,
            locals,
            bounds,
            history,
            returning,
            depth,
            ..CompiledBody::default()
        }
    }

    /// From here on a name of the body is kept there.
    fn keep_local(&mut self, local: LocalId, kept: Storage) {
        self.histories[self.body.history].push((local, kept.clone()));
        self.body.locals.insert(local, kept);
    }

    fn take_for(&mut self, ty: &Type, span: Span) -> SlotRange {
        let width = self.plan.width(ty, span);
        self.allocate(width)
    }

    /// Charges for one more part of the rules; whether it makes sense to continue with it.
    fn may_go_on(&self) -> bool {
        self.plan.budget.charge(STEPS_OF_A_PART);
        self.code.excess.is_none() && !self.plan.budget.is_spent()
    }

    fn all_players(&mut self) -> u16 {
        self.code.constant((1 << self.plan.setting.players) - 1)
    }

    fn none(&mut self) -> u16 {
        self.code.constant(NONE)
    }

    /// Binds the names of the indices of an array to those of an element.
    fn bind_indices(&mut self, binders: &[Option<LocalId>], dims: &[(i64, usize)], element: usize) {
        for (binder, index) in binders.iter().zip(indices_of(dims, element)) {
            if let Some(binder) = binder {
                self.keep_local(*binder, Storage::Known(Value::Int(index)));
            }
        }
    }

    /// Notes a text that belongs here.
    fn note_text(&mut self, at: CodeLabel, what: DeferredText) {
        let mut read = BTreeSet::new();
        if let DeferredText::Text(expr) | DeferredText::Event(DrawText::Roll(expr)) = &what {
            read = expr.locals();
        }
        let kept = |local: &LocalId| Some((*local, self.body.locals.get(local)?.clone()));
        let locals = read.iter().filter_map(kept).collect();
        let CompiledBody { rule, returning, depth, .. } = self.body;
        let body = self.body_of(rule, locals, returning, depth);
        let span = self.code.span;
        self.pending_texts.push(PendingText { at, what, body, span });
    }
}
