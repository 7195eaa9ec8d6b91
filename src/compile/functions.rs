//! Rules as functions: who calls whom, slots of locals, calls and returns.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Op;
use crate::bytecode::program::{ENDING, Ending, Wait};
use crate::check::rules::{Expr, ExprKind, LocalId, Rule, RuleId, Rules, StmtKind, Type};
use crate::compile::code::{Draft, Label};
use crate::compile::debug::SiteDebug;
use crate::compile::suppose::supposes;
use crate::compile::{Body, Compiler, PieceSlots, Returning, Slots, Snippet, Storage};
use crate::components::Components;
use crate::source::Span;

/// How many rules may be compiled into each other.
const MAX_INLINED: usize = 12;

/// How many expressions of rules may be compiled where the rules are called: calls of calls could
/// double for ever.
const MAX_WRITTEN: usize = 1 << 16;

/// A stretch of code with locals of its own: a rule, or one of the flows.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// Where it begins.
    pub(super) entry: Label,
    /// The operations of it: first, and one past the last.
    pub(super) range: (usize, usize),
    /// Its slots as they were given out: first slot and width. The value it returns is not among
    /// them.
    pub(super) blocks: Vec<(u16, u16)>,
    /// The blocks that are in use, by position; the others can be used again.
    pub(super) busy: Vec<usize>,
    /// The blocks that are not in use, by their width.
    free: BTreeMap<u16, BTreeSet<usize>>,
    /// The rule that it is; none of a flow.
    rule: Option<RuleId>,
    /// Where its parameters are handed over.
    pub(super) params: Vec<Slots>,
    /// Where its value is handed back.
    pub(super) result: Option<Slots>,
    /// Where the site to go back to is kept.
    pub(super) link: Option<u16>,
    /// The functions that it calls.
    pub(super) calls: BTreeSet<usize>,
    /// The circle of functions that call each other it is in.
    pub(super) circle: Option<usize>,
}

impl Compiler<'_> {
    /// Compiles the flows and every rule that they reach.
    pub(super) fn game(&mut self) {
        let entry = self.code.label();
        self.begin(entry);
        self.start_site(entry);
        let rules = self.rules;
        for flow in rules.setup.into_iter().chain([rules.play]) {
            let end = self.code.label();
            self.enter(Some(flow), Returning::To(end, None));
            self.block(&rules.rules[flow.index()].body);
            self.code.place(end);
        }
        self.code.span = rules.rules[rules.play.index()].span;
        self.code.emit(Op::NoFinish {});
        self.end();
        self.limit();
        self.promises();
        self.pending(0);
    }

    /// Compiles the functions from a position on; each may add more.
    fn pending(&mut self, from: usize) {
        let mut at = from;
        while at < self.functions.len() {
            if self.functions[at].range == (0, 0) {
                self.function(at);
            }
            at += 1;
        }
    }

    fn function(&mut self, at: usize) {
        let rule_id = self.functions[at].rule.expect("every function without code is a rule");
        let rule = &self.rules.rules[rule_id.index()];
        self.resume(at);
        self.enter(Some(rule_id), Returning::Back);
        let params = self.functions[at].params.clone();
        for (local, slots) in params.iter().enumerate() {
            let local = LocalId::at(local);
            self.keep_local(local, Storage::Slots(slots.at, slots.width));
        }
        self.block(&rule.body);
        self.code.span = rule.span;
        self.return_back();
        self.end();
    }

    /// The code that runs when the limit of decisions is reached.
    fn limit(&mut self) {
        let entry = self.code.label();
        self.begin(entry);
        self.limit_site = self.start_site(entry);
        let Some(limit) = &self.rules.limit else {
            // A file that says nothing of a limit has one all the same.
            self.code.emit(Op::FinishDraw {});
            return self.end();
        };
        self.enter(Some(limit.body), Returning::Back);
        let rule = &self.rules.rules[limit.body.index()];
        self.block(&rule.body);
        self.code.span = rule.span;
        self.code.emit(Op::NoFinish {});
        self.end();
    }

    /// Compiles a typed piece as a function behind all others, and the site where it begins.
    pub(super) fn snippet(&mut self, snippet: &Snippet) {
        let first = self.functions.len();
        let entry = self.code.label();
        self.begin(entry);
        let end = self.code.label();
        let returned = !snippet.printed && snippet.rule.returns != Type::Nothing;
        let result = returned.then(|| self.take_for(&snippet.rule.returns, snippet.rule.span));
        self.enter(None, Returning::To(end, result));
        self.moves = snippet.moves;
        self.snippet = Some(snippet.rule.clone());
        self.body.locals = snippet.locals.iter().cloned().collect();
        let mut params = Vec::new();
        for param in &snippet.params {
            let local = &snippet.rule.locals[param.index()];
            let slots = self.take_for(&local.ty, local.span);
            self.keep_local(*param, Storage::Slots(slots.at, slots.width));
            params.push((slots.at, slots.width));
        }
        self.piece = PieceSlots { params, result: result.map(|it| (it.at, it.width)) };
        if snippet.printed {
            self.print_snippet(&snippet.rule);
        } else {
            self.block(&snippet.rule.body);
        }
        self.code.place(end);
        let stopped = self.code.constant(Ending::Stopped as i64);
        let ending = u16::try_from(ENDING).unwrap_or(1);
        self.code.emit(Op::Move { dst: ending, src: stopped });
        self.code.emit(Op::Stop {});
        self.end();
        self.pending(first);
        self.start_site(entry);
    }

    fn print_snippet(&mut self, rule: &Rule) {
        for stmt in &rule.body {
            self.code.span = stmt.span;
            if let StmtKind::Return(Some(value)) = &stmt.kind {
                self.print_typed(value);
            }
        }
        self.code.emit(Op::Stop {});
    }

    /// A site where the current function begins.
    fn start_site(&mut self, to: Label) -> u16 {
        let span = self.code.span;
        let (wait, debug) = (Wait::Nothing, SiteDebug::default());
        let function = self.current;
        let draft = Draft { to, wait, function, pulled: None, options: Vec::new(), debug, span };
        self.code.site(draft)
    }

    /// Begins a function that nobody calls.
    pub(super) fn begin(&mut self, entry: Label) {
        self.functions.push(Function {
            entry,
            range: (0, 0),
            blocks: Vec::new(),
            busy: Vec::new(),
            free: BTreeMap::new(),
            rule: None,
            params: Vec::new(),
            result: None,
            link: None,
            calls: BTreeSet::new(),
            circle: None,
        });
        self.resume(self.functions.len() - 1);
    }

    fn resume(&mut self, function: usize) {
        self.current = function;
        let entry = self.functions[function].entry;
        self.code.place(entry);
        self.functions[function].range.0 = self.code.ops.len();
    }

    /// Ends the current function.
    pub(super) fn end(&mut self) {
        self.write_later();
        self.functions[self.current].range.1 = self.code.ops.len();
    }

    /// Begins the body of a rule, without names.
    pub(super) fn enter(&mut self, rule: Option<RuleId>, returning: Returning) {
        self.body = self.body_of(rule, BTreeMap::new(), returning, 0);
    }

    /// A body in which these names can be seen.
    pub(super) fn body_of(
        &mut self,
        rule: Option<RuleId>,
        locals: BTreeMap<LocalId, Storage>,
        returning: Returning,
        depth: usize,
    ) -> Body {
        self.histories.push(locals.iter().map(|(local, kept)| (*local, kept.clone())).collect());
        let history = self.histories.len() - 1;
        let (breaks, counts) = (Vec::new(), Vec::new());
        Body { rule, locals, history, returning, breaks, counts, depth }
    }

    /// From here on a name of the body is kept there.
    pub(super) fn keep_local(&mut self, local: LocalId, kept: Storage) {
        self.histories[self.body.history].push((local, kept.clone()));
        self.body.locals.insert(local, kept);
    }

    // Slots of locals.

    /// New slots for a local or a value in between, in use until they are released.
    pub(super) fn take(&mut self, width: u16) -> Slots {
        let function = &mut self.functions[self.current];
        let free = function.free.get_mut(&width).and_then(BTreeSet::pop_first);
        let at = free.unwrap_or_else(|| {
            let slot = self.code.slots(width);
            function.blocks.push((slot, width));
            function.blocks.len() - 1
        });
        function.busy.push(at);
        Slots { at: function.blocks[at].0, width }
    }

    fn take_for(&mut self, ty: &Type, span: Span) -> Slots {
        let width = self.width(ty, span);
        self.take(width)
    }

    /// How many slots are in use: what is taken from here on can be released together.
    pub(super) fn mark(&self) -> usize {
        self.functions[self.current].busy.len()
    }

    /// Releases what was taken since the mark.
    pub(super) fn release(&mut self, mark: usize) {
        let function = &mut self.functions[self.current];
        for at in function.busy.drain(mark..) {
            function.free.entry(function.blocks[at].1).or_default().insert(at);
        }
    }

    /// Takes all blocks for such that are in use.
    pub(super) fn use_all(&mut self) {
        self.functions[self.current].free.clear();
    }

    // Calls.

    /// Calls a rule; its value, if it is wanted, is put into the slots.
    pub(super) fn call(&mut self, rule: RuleId, args: &[Expr], dst: Option<Slots>, span: Span) {
        if self.inlines(rule) {
            return self.call_inline(rule, args, dst);
        }
        let mark = self.mark();
        if self.runs_inside(rule) {
            self.call_inside(rule, args, dst);
            return self.release(mark);
        }
        let callee = self.function_of(rule);
        let values: Vec<Slots> = args.iter().map(|arg| self.operand(arg)).collect();
        let circle = self.functions[callee].circle;
        let again = circle.is_some() && circle == self.functions[self.current].circle;
        self.check_params(rule, args, &values);
        let params = self.functions[callee].params.clone();
        let values = self.out_of_the_way(values, &params);
        if again {
            let base = u16::try_from(callee).unwrap_or(0);
            self.code.emit(Op::Push { base, width: 0 });
        }
        for (param, value) in params.iter().zip(values) {
            if again && param.at == value.at {
                // A rule that hands its own name on to itself reads it: it must last until then.
                self.code.emit(Op::Copy { dst: param.at, src: param.at, width: param.width });
            } else {
                self.copy(param.at, value);
            }
        }
        let back = self.code.label();
        let draft = Draft {
            to: back,
            wait: Wait::Nothing,
            function: self.current,
            pulled: again.then_some(callee),
            options: Vec::new(),
            debug: SiteDebug::default(),
            span,
        };
        let site = self.code.site(draft);
        let link = self.functions[callee].link.expect("a function of a rule has a link");
        self.code.emit(Op::Call { to: self.functions[callee].entry, link, site });
        self.code.place(back);
        if again {
            let base = u16::try_from(callee).unwrap_or(0);
            self.code.emit(Op::Pull { base, width: 0 });
        }
        self.functions[self.current].calls.insert(callee);
        if let (Some(dst), Some(result)) = (dst, self.functions[callee].result) {
            self.copy(dst.at, result);
        }
        self.release(mark);
    }

    /// A rule that is called in one place is compiled there.
    fn runs_inside(&self, rule: RuleId) -> bool {
        self.call_counts.get(&rule) == Some(&1)
            && self.circles[rule.index()].is_none()
            && self.functions[self.current].circle.is_none()
            && self.body.depth < MAX_INLINED
    }

    fn call_inside(&mut self, rule: RuleId, args: &[Expr], dst: Option<Slots>) {
        let called = &self.rules.rules[rule.index()];
        let mut locals = BTreeMap::new();
        for (at, arg) in args.iter().enumerate() {
            // What is only supposed may change where an argument was read from.
            let copied = called.locals[at].mutable || supposes(called);
            let storage = self.handed_over(arg, copied);
            self.check_kept(called.locals[at].range, arg, &storage);
            locals.insert(LocalId::at(at), storage);
        }
        let end = self.code.label();
        let depth = self.body.depth + 1;
        let inner = self.body_of(Some(rule), locals, Returning::To(end, dst), depth);
        let outer = std::mem::replace(&mut self.body, inner);
        self.block(&called.body);
        self.code.place(end);
        self.body = outer;
    }

    /// Where an argument is kept: where it lies, if neither side can change it.
    fn handed_over(&mut self, arg: &Expr, copied: bool) -> Storage {
        match (self.fold(arg), &arg.kind) {
            (Some(value), _) if !copied => Storage::Known(value),
            (None, ExprKind::Local(local)) if !copied && !self.local_info(*local).mutable => {
                let slots = self.operand(arg);
                Storage::Slots(slots.at, slots.width)
            }
            _ => {
                let width = self.width(&arg.ty, arg.span);
                let slots = self.take(width);
                self.compute(arg, slots);
                Storage::Slots(slots.at, width)
            }
        }
    }

    /// A rule that is one pure expression is compiled where it is called.
    fn inlines(&self, rule: RuleId) -> bool {
        let called = &self.rules.rules[rule.index()];
        self.circles[rule.index()].is_none()
            && self.body.depth < MAX_INLINED
            && self.written.get() < MAX_WRITTEN
            && called.effects.is_pure()
            && matches!(called.body.as_slice(), [only] if matches!(only.kind, StmtKind::Return(Some(_))))
            && !supposes(called)
    }

    /// The value of a rule that is one expression, and the locals for reading it.
    pub(super) fn inline_value(
        &mut self,
        rule: RuleId,
        args: &[Expr],
    ) -> Option<(Expr, BTreeMap<LocalId, Storage>)> {
        if !self.inlines(rule) {
            return None;
        }
        let called = &self.rules.rules[rule.index()];
        let StmtKind::Return(Some(value)) = &called.body.first()?.kind else { return None };
        let mut size = 0;
        value.visit(&mut |_| size += 1);
        self.written.set(self.written.get() + size);
        let mut locals = BTreeMap::new();
        for (local, arg) in args.iter().enumerate() {
            let storage = match self.fold(arg) {
                Some(value) => Storage::Known(value),
                None => {
                    let slots = self.operand(arg);
                    Storage::Slots(slots.at, slots.width)
                }
            };
            self.check_kept(called.locals[local].range, arg, &storage);
            locals.insert(LocalId::at(local), storage);
        }
        Some((value.clone(), locals))
    }

    /// Does something inside the body of a rule that is compiled where it is called.
    pub(super) fn inside<T>(
        &mut self,
        rule: RuleId,
        locals: BTreeMap<LocalId, Storage>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let inner = self.body_of(Some(rule), locals, Returning::Back, self.body.depth + 1);
        let outer = std::mem::replace(&mut self.body, inner);
        let result = work(self);
        self.body = outer;
        result
    }

    fn call_inline(&mut self, rule: RuleId, args: &[Expr], dst: Option<Slots>) {
        let Some((value, locals)) = self.inline_value(rule, args) else { return };
        if let Some(dst) = dst {
            self.inside(rule, locals, |compiler| compiler.compute(&value, dst));
        }
    }

    fn function_of(&mut self, rule: RuleId) -> usize {
        if let Some(known) = self.by_rule.get(&rule) {
            return *known;
        }
        let at = self.functions.len();
        self.by_rule.insert(rule, at);
        let entry = self.code.label();
        let circle = self.circles[rule.index()];
        let called = &self.rules.rules[rule.index()];
        let mut blocks = Vec::new();
        let given = |compiler: &mut Self, ty: &Type| {
            let width = compiler.width(ty, called.span);
            Slots { at: compiler.code.slots(width), width }
        };
        let link = self.code.slots(1);
        blocks.push((link, 1));
        let mut params = Vec::new();
        for local in &called.locals[..called.params] {
            let slots = given(self, &local.ty);
            blocks.push((slots.at, slots.width));
            params.push(slots);
        }
        let result = (called.returns != Type::Nothing).then(|| given(self, &called.returns));
        let busy = (0..blocks.len()).collect();
        self.functions.push(Function {
            entry,
            range: (0, 0),
            blocks,
            busy,
            free: BTreeMap::new(),
            rule: Some(rule),
            params,
            result,
            link: Some(link),
            calls: BTreeSet::new(),
            circle,
        });
        at
    }

    /// Goes back to whoever called the function.
    pub(super) fn return_back(&mut self) {
        match self.functions[self.current].link {
            Some(link) => self.code.emit(Op::Return { link }),
            None => self.code.emit(Op::NoFinish {}),
        }
    }
}

/// For each rule, the circle of rules calling each other that it is in, if it is in one.
pub(super) fn circles(rules: &Rules) -> Vec<Option<usize>> {
    let calls: Vec<Vec<u32>> = rules.rules.iter().map(called_by).collect();
    let mut circles = vec![None; calls.len()];
    for members in Components::of(calls.len(), |rule| &calls[rule as usize]).iter() {
        let first = members.iter().copied().min().unwrap_or_default();
        if members.len() > 1 || calls[first as usize].contains(&first) {
            members.iter().for_each(|rule| circles[*rule as usize] = Some(first as usize));
        }
    }
    circles
}

fn called_by(rule: &Rule) -> Vec<u32> {
    let mut called = Vec::new();
    rule.visit(&mut |expr| {
        if let ExprKind::Call(rule, _) = &expr.kind {
            called.push(u32::try_from(rule.index()).expect("a file declares few rules"));
        }
    });
    called.sort_unstable();
    called.dedup();
    called
}
