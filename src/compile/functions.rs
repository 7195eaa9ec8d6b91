//! Rules as functions: the flows, slots of locals, returns; measures and promises.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::{CodePiece, ENDING, GameEnding, MeasureInfo, NONE, Op, Promise, Wait};
use crate::compile::code::{CodeLabel, Draft};
use crate::compile::move_options::BoundLocals;
use crate::compile::{
    CompiledBody, Compiler, PieceSlots, ReturnPath, SiteDebug, SlotRange, Snippet, Storage,
};
use crate::rules::returned_values::returned;
use crate::rules::{Local, LocalId, Rule, RuleId, Type, Value};
use crate::source::Span;

/// A stretch of code with locals of its own: a rule, or one of the flows.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) entry: CodeLabel,
    /// The operations of it: first, and one past the last.
    pub(super) range: (usize, usize),
    /// Its slots as they were given out, first slot and width, without those of the result.
    pub(super) blocks: Vec<(u16, u16)>,
    /// The blocks that are in use, by position; the others can be used again.
    pub(super) busy: Vec<usize>,
    /// The blocks that are not in use, by their width.
    pub(super) free: BTreeMap<u16, BTreeSet<usize>>,
    pub(super) rule: Option<RuleId>,
    pub(super) params: Vec<SlotRange>,
    pub(super) result: Option<SlotRange>,
    /// Where the site to go back to is kept.
    pub(super) link: Option<u16>,
    pub(super) calls: BTreeSet<usize>,
    /// The circle of functions that call each other it is in.
    pub(super) circle: Option<usize>,
}

impl<'a> Compiler<'a> {
    pub(super) fn game(&mut self) {
        self.begin();
        self.start_site(self.current);
        let rules = self.rules;
        for flow in rules.setup.into_iter().chain([rules.play]) {
            let end = self.code.label();
            self.enter(Some(flow), ReturnPath::To(end, None));
            self.block(&rules.rules[flow.index()].body);
            self.code.place(end);
        }
        self.code.span = rules.rules[rules.play.index()].span;
        self.code.emit(Op::NoFinish {});
        self.end();
        self.limit();
        self.invariants();
        self.pending(0);
    }

    /// Compiles the functions from a position on; each may add more.
    fn pending(&mut self, from: usize) {
        for at in from.. {
            let Some(function) = self.functions.get(at) else { break };
            if function.range != (0, 0) {
                continue;
            }
            let id = function.rule.expect("every function without code is a rule");
            let (rule, params) = (&self.rules.rules[id.index()], function.params.clone());
            self.resume(at);
            self.enter(Some(id), ReturnPath::Back);
            for (local, slots) in params.iter().enumerate() {
                self.keep_local(LocalId::at(local), Storage::Slots(slots.at, slots.width));
            }
            self.block(&rule.body);
            self.code.span = rule.span;
            self.return_back();
            self.end();
        }
    }

    /// The code that runs when the limit of decisions is reached.
    fn limit(&mut self) {
        self.begin();
        self.code.limit_site = self.start_site(self.current);
        let Some(limit) = &self.rules.limit else {
            // A file that says nothing of a limit has one all the same.
            self.code.emit(Op::FinishDraw {});
            return self.end();
        };
        self.enter(Some(limit.body), ReturnPath::Back);
        let rule = &self.rules.rules[limit.body.index()];
        self.block(&rule.body);
        self.code.span = rule.span;
        self.code.emit(Op::NoFinish {});
        self.end();
    }

    /// Compiles measures, and what must always hold. What is known to hold needs no code.
    fn invariants(&mut self) {
        let rules = self.rules;
        for measure in &rules.measures {
            let piece = self.computed(&measure.rule);
            self.code.measures.push(MeasureInfo {
                name: measure.name.clone(),
                title: measure.title.clone(),
                of_player: measure.rule.params > 0,
                piece,
            });
        }
        for (number, always) in (0..).zip(&rules.always) {
            self.enter(None, ReturnPath::Back);
            let holds = if always.binder.is_some() { Value::None } else { Value::Int(1) };
            let test = always.rule.body.first().and_then(returned);
            if test.is_none_or(|test| self.fold(test) != Some(holds)) {
                let kept = if always.binder.is_some() { NONE } else { 1 };
                let piece = self.computed(&always.rule);
                self.code.always.push(Promise { number, piece, kept });
            }
        }
        self.snippet = None;
    }

    /// Compiles a typed piece as a function after all others, and the site where it begins.
    pub(super) fn snippet(&mut self, snippet: &'a Snippet) {
        let first = self.functions.len();
        self.begin();
        let (end, rule) = (self.code.label(), &snippet.rule);
        let returns = !snippet.printed && rule.returns != Type::Nothing;
        let result = returns.then(|| self.take_for(&rule.returns, rule.span));
        self.enter(None, ReturnPath::To(end, result));
        self.moves = snippet.moves;
        self.snippet = Some(rule);
        self.body.locals = snippet.locals.iter().cloned().collect();
        let mut params = Vec::new();
        for param in &snippet.params {
            let local = &rule.locals[param.index()];
            let slots = self.take_for(&local.ty, local.span);
            self.keep_local(*param, Storage::Slots(slots.at, slots.width));
            params.push((slots.at, slots.width));
        }
        self.piece = PieceSlots { params, result: result.map(|it| (it.at, it.width)) };
        if snippet.printed {
            for stmt in &rule.body {
                self.code.span = stmt.span;
                returned(stmt).into_iter().for_each(|value| self.print_typed(value));
            }
            self.code.emit(Op::Stop {});
        } else {
            self.block(&rule.body);
        }
        self.code.place(end);
        let src = self.code.constant(GameEnding::Stopped as i64);
        let dst = u16::try_from(ENDING).expect("one of the first slots");
        self.code.emit(Op::Move { dst, src });
        self.code.emit(Op::Stop {});
        self.end();
        self.pending(first);
        self.start_site(first);
    }

    /// A rule without effects as code of its own; its only parameter is a player.
    fn computed(&mut self, rule: &'a Rule) -> CodePiece {
        self.code.span = rule.span;
        let (to, end) = (self.begin(), self.code.label());
        let (player, result) = (self.take(1).at, self.take(1));
        self.enter(None, ReturnPath::To(end, Some(result)));
        self.snippet = Some(rule);
        if rule.params > 0 {
            self.keep_local(LocalId::at(0), Storage::Slots(player, 1));
        }
        self.block(&rule.body);
        self.code.place(end);
        self.code.emit(Op::Stop {});
        self.end();
        CodePiece { to, player, result: result.at }
    }

    /// A site where a function begins.
    fn start_site(&mut self, function: usize) -> u16 {
        let to = self.functions[function].entry;
        self.code.site(self.draft(to, Wait::Nothing))
    }

    /// A site of the current function where nobody looks.
    pub(super) fn draft(&self, to: CodeLabel, wait: Wait) -> Draft {
        Draft {
            to,
            wait,
            function: self.current,
            pulled: None,
            options: Vec::new(),
            kept: Vec::new(),
            debug: SiteDebug::default(),
            span: self.code.span,
        }
    }

    /// A site of the current function where people may look.
    pub(super) fn waiting(&mut self, to: CodeLabel, wait: Wait) -> u16 {
        let history = (self.body.history, self.histories[self.body.history].len());
        let debug = SiteDebug { rule: self.body.rule, history, choose: None };
        self.code.site(Draft { debug, ..self.draft(to, wait) })
    }

    fn begin(&mut self) -> CodeLabel {
        let entry = self.code.label();
        self.functions.push(Function { entry, ..Function::default() });
        self.resume(self.functions.len() - 1);
        entry
    }

    fn resume(&mut self, function: usize) {
        self.current = function;
        self.code.place(self.functions[function].entry);
        self.functions[function].range.0 = self.code.ops.len();
    }

    fn end(&mut self) {
        self.write_later();
        self.functions[self.current].range.1 = self.code.ops.len();
    }

    /// Begins the body of a rule, without names.
    fn enter(&mut self, rule: Option<RuleId>, returning: ReturnPath) {
        self.body = self.body_of(rule, BTreeMap::new(), returning, 0);
    }

    /// A body in which these names can be seen.
    pub(super) fn body_of(
        &mut self,
        rule: Option<RuleId>,
        locals: BTreeMap<LocalId, Storage>,
        returning: ReturnPath,
        depth: usize,
    ) -> CompiledBody {
        self.histories.push(locals.iter().map(|(local, kept)| (*local, kept.clone())).collect());
        let history = self.histories.len() - 1;
        let bounds = rule.map_or_else(BoundLocals::new, |rule| self.bounds_of_params(rule));
        CompiledBody { rule, locals, bounds, history, returning, depth, ..CompiledBody::default() }
    }

    /// The ranges of the parameters that are not assigned to: what is handed over is checked.
    fn bounds_of_params(&self, rule: RuleId) -> BoundLocals {
        let rule = &self.rules.rules[rule.index()];
        let params = (0..).zip(&rule.locals[..rule.params]).filter(|(_, local)| !local.mutable);
        let ends = |(at, local): (usize, &Local)| {
            Some((LocalId::at(at), self.ends(local.range?.index())?))
        };
        params.filter_map(ends).collect()
    }

    /// From here on a name of the body is kept there.
    pub(super) fn keep_local(&mut self, local: LocalId, kept: Storage) {
        self.histories[self.body.history].push((local, kept.clone()));
        self.body.locals.insert(local, kept);
    }

    /// New slots for a local or a value in between, in use until they are released.
    pub(super) fn take(&mut self, width: u16) -> SlotRange {
        let function = &mut self.functions[self.current];
        let free = function.free.get_mut(&width).and_then(BTreeSet::pop_first);
        let at = free.unwrap_or_else(|| {
            let slot = self.code.slots(width);
            function.blocks.push((slot, width));
            function.blocks.len() - 1
        });
        function.busy.push(at);
        SlotRange { at: function.blocks[at].0, width }
    }

    pub(super) fn take_for(&mut self, ty: &Type, span: Span) -> SlotRange {
        let width = self.width(ty, span);
        self.take(width)
    }

    /// How many slots are in use: what is taken from here on can be released together.
    pub(super) fn mark(&self) -> usize {
        self.functions[self.current].busy.len()
    }

    /// The locals that are in use: first slot and number.
    pub(super) fn in_use(&self) -> Vec<(u16, u16)> {
        let function = &self.functions[self.current];
        function.busy.iter().map(|at| function.blocks[*at]).collect()
    }

    pub(super) fn release(&mut self, mark: usize) {
        let function = &mut self.functions[self.current];
        for at in function.busy.drain(mark..) {
            function.free.entry(function.blocks[at].1).or_default().insert(at);
        }
    }
}
