//! Rules as functions: who calls whom, slots of locals, calls and returns; measures and promises.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Op;
use crate::bytecode::program::{ENDING, Ending, MeasureInfo, NONE, Piece, Promise, Wait};
use crate::check::rules::{
    Always, Expr, ExprKind, LocalId, RangeId, Rule, RuleId, Rules, Stmt, StmtKind, Type, Value,
};
use crate::check::visit::visit_stmts;
use crate::compile::code::{Draft, Label};
use crate::compile::inline::{returned, supposes};
use crate::compile::{Body, Compiler, PieceSlots, Returning, SiteDebug, Slots, Snippet, Storage};
use crate::components::Components;
use crate::source::Span;

/// How many rules may be compiled into each other.
const MAX_INLINED: usize = 12;

/// How many expressions of rules may be compiled where the rules are called: calls of calls could
/// double for ever.
const MAX_WRITTEN: usize = 1 << 16;

/// A stretch of code with locals of its own: a rule, or one of the flows.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) entry: Label,
    /// The operations of it: first, and one past the last.
    pub(super) range: (usize, usize),
    /// Its slots as they were given out: first slot and width. The value it returns is not among
    /// them.
    pub(super) blocks: Vec<(u16, u16)>,
    /// The blocks that are in use, by position; the others can be used again.
    busy: Vec<usize>,
    /// The blocks that are not in use, by their width.
    free: BTreeMap<u16, BTreeSet<usize>>,
    /// The rule that it is; none of a flow.
    rule: Option<RuleId>,
    params: Vec<Slots>,
    pub(super) result: Option<Slots>,
    /// Where the site to go back to is kept.
    pub(super) link: Option<u16>,
    /// The functions that it calls.
    pub(super) calls: BTreeSet<usize>,
    /// The circle of functions that call each other it is in.
    pub(super) circle: Option<usize>,
}

impl<'a> Compiler<'a> {
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
            self.enter(Some(id), Returning::Back);
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

    /// Compiles measures, and what must always hold. What is known to hold needs no code.
    fn invariants(&mut self) {
        let rules = self.rules;
        for measure in &rules.measures {
            let piece = self.computed(&measure.rule);
            self.measures.push(MeasureInfo {
                name: measure.name.clone(),
                title: measure.title.clone(),
                of_player: measure.rule.params > 0,
                piece,
            });
        }
        for (number, always) in (0..).zip(&rules.always) {
            self.enter(None, Returning::Back);
            if !self.surely_holds(always) {
                let kept = if always.binder.is_some() { NONE } else { 1 };
                let piece = self.computed(&always.rule);
                self.always.push(Promise { number, piece, kept });
            }
        }
        self.snippet = None;
    }

    fn surely_holds(&self, always: &Always) -> bool {
        let kept = if always.binder.is_some() { Value::None } else { Value::Int(1) };
        let test = always.rule.body.first().and_then(|stmt| returned(stmt));
        test.is_some_and(|test| self.fold(test) == Some(kept))
    }

    /// Compiles a typed piece as a function behind all others, and the site where it begins.
    pub(super) fn snippet(&mut self, snippet: &'a Snippet) {
        let first = self.functions.len();
        let entry = self.code.label();
        self.begin(entry);
        let (end, rule) = (self.code.label(), &snippet.rule);
        let returns = !snippet.printed && rule.returns != Type::Nothing;
        let result = returns.then(|| self.take_for(&rule.returns, rule.span));
        self.enter(None, Returning::To(end, result));
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
        let src = self.code.constant(Ending::Stopped as i64);
        let dst = u16::try_from(ENDING).expect("one of the first slots");
        self.code.emit(Op::Move { dst, src });
        self.code.emit(Op::Stop {});
        self.end();
        self.pending(first);
        self.start_site(entry);
    }

    /// A rule without effects as code of its own; its only parameter is a player.
    fn computed(&mut self, rule: &'a Rule) -> Piece {
        self.code.span = rule.span;
        let [to, end] = self.code.labels();
        self.begin(to);
        let (player, result) = (self.take(1).at, self.take(1));
        self.enter(None, Returning::To(end, Some(result)));
        self.snippet = Some(rule);
        if rule.params > 0 {
            self.keep_local(LocalId::at(0), Storage::Slots(player, 1));
        }
        self.block(&rule.body);
        self.code.place(end);
        self.code.emit(Op::Stop {});
        self.end();
        Piece { to, player, result: result.at }
    }

    /// A site where the current function begins.
    fn start_site(&mut self, to: Label) -> u16 {
        self.code.site(self.draft(to, Wait::Nothing))
    }

    /// A site of the current function where nobody looks.
    pub(super) fn draft(&self, to: Label, wait: Wait) -> Draft {
        Draft {
            to,
            wait,
            function: self.current,
            pulled: None,
            options: Vec::new(),
            debug: SiteDebug::default(),
            span: self.code.span,
        }
    }

    /// A site of the current function where people may look.
    pub(super) fn waiting(&mut self, to: Label, wait: Wait) -> u16 {
        let history = (self.body.history, self.histories[self.body.history].len());
        let debug = SiteDebug { rule: self.body.rule, history, choose: None };
        self.code.site(Draft { debug, ..self.draft(to, wait) })
    }

    /// Begins a function that nobody calls.
    fn begin(&mut self, entry: Label) {
        self.functions.push(Function { entry, ..Function::default() });
        self.resume(self.functions.len() - 1);
    }

    fn resume(&mut self, function: usize) {
        self.current = function;
        self.code.place(self.functions[function].entry);
        self.functions[function].range.0 = self.code.ops.len();
    }

    /// Ends the current function.
    fn end(&mut self) {
        self.write_later();
        self.functions[self.current].range.1 = self.code.ops.len();
    }

    /// Begins the body of a rule, without names.
    fn enter(&mut self, rule: Option<RuleId>, returning: Returning) {
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

    pub(super) fn take_for(&mut self, ty: &Type, span: Span) -> Slots {
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

    /// Calls a rule; its value, if it is wanted, is put into the slots.
    pub(super) fn call(&mut self, rule: RuleId, args: &[Expr], dst: Option<Slots>, span: Span) {
        if let Some((value, locals)) = self.inline_value(rule, args) {
            if let Some(dst) = dst {
                self.inside(rule, locals, |compiler| compiler.compute(&value, dst));
            }
            return;
        }
        let mark = self.mark();
        if self.runs_inside(rule) {
            self.call_inside(rule, args, dst);
        } else {
            self.call_function(rule, args, dst, span);
        }
        self.release(mark);
    }

    fn call_function(&mut self, rule: RuleId, args: &[Expr], dst: Option<Slots>, span: Span) {
        let callee = self.function_of(rule);
        let values: Vec<Slots> = args.iter().map(|arg| self.operand(arg)).collect();
        let Function { circle, ref params, result, link, entry, .. } = self.functions[callee];
        let params = params.clone();
        let again = circle.is_some() && circle == self.functions[self.current].circle;
        let locals = &self.rules.rules[rule.index()].locals;
        for ((local, arg), value) in locals.iter().zip(args).zip(&values) {
            self.check_param(local.range, arg, value.at);
        }
        let values = self.out_of_the_way(values, &params);
        // The linker puts the frame of the function in place of its number.
        let base = self.code.fit(callee, "rules");
        if again {
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
        let pulled = again.then_some(callee);
        let draft = Draft { pulled, span, ..self.draft(back, Wait::Nothing) };
        let site = self.code.site(draft);
        let link = link.expect("a function of a rule has a link");
        self.code.emit(Op::Call { to: entry, link, site });
        self.code.place(back);
        if again {
            self.code.emit(Op::Pull { base, width: 0 });
        }
        self.functions[self.current].calls.insert(callee);
        if let (Some(dst), Some(result)) = (dst, result) {
            self.copy(dst.at, result);
        }
    }

    /// Whether a rule is called in one place, and compiled there.
    fn runs_inside(&self, rule: RuleId) -> bool {
        self.call_counts.get(&rule) == Some(&1)
            && self.prepared.circles[rule.index()].is_none()
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
        let slots = match (self.fold(arg), &arg.kind) {
            (Some(value), _) if !copied => return Storage::Known(value),
            (None, ExprKind::Local(local)) if !copied && !self.local_info(*local).mutable => {
                self.operand(arg)
            }
            _ => {
                let slots = self.take_for(&arg.ty, arg.span);
                self.compute(arg, slots);
                slots
            }
        };
        Storage::Slots(slots.at, slots.width)
    }

    /// The value of a rule that is one pure expression and is compiled where it is called, and the
    /// locals for reading it.
    pub(super) fn inline_value(
        &mut self,
        rule: RuleId,
        args: &[Expr],
    ) -> Option<(Expr, BTreeMap<LocalId, Storage>)> {
        let called = &self.rules.rules[rule.index()];
        let [only] = called.body.as_slice() else { return None };
        let value = returned(only)?;
        let inlines = self.prepared.circles[rule.index()].is_none()
            && self.body.depth < MAX_INLINED
            && self.written < MAX_WRITTEN
            && called.effects.is_pure()
            && !supposes(called);
        if !inlines {
            return None;
        }
        value.visit(&mut |_| self.written += 1);
        let mut locals = BTreeMap::new();
        for (local, arg) in args.iter().enumerate() {
            let storage = self.fold(arg).map(Storage::Known).unwrap_or_else(|| {
                let slots = self.operand(arg);
                Storage::Slots(slots.at, slots.width)
            });
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

    fn function_of(&mut self, rule: RuleId) -> usize {
        if let Some(known) = self.by_rule.get(&rule) {
            return *known;
        }
        let at = self.functions.len();
        self.by_rule.insert(rule, at);
        let called = &self.rules.rules[rule.index()];
        let entry = self.code.label();
        let given = |compiler: &mut Self, ty: &Type| {
            let width = compiler.width(ty, called.span);
            Slots { at: compiler.code.slots(width), width }
        };
        let link = self.code.slots(1);
        let params = called.locals[..called.params].iter();
        let params: Vec<Slots> = params.map(|local| given(self, &local.ty)).collect();
        let result = (called.returns != Type::Nothing).then(|| given(self, &called.returns));
        let blocks = params.iter().map(|slots| (slots.at, slots.width));
        self.functions.push(Function {
            entry,
            blocks: std::iter::once((link, 1)).chain(blocks).collect(),
            busy: (0..=params.len()).collect(),
            rule: Some(rule),
            params,
            result,
            link: Some(link),
            circle: self.prepared.circles[rule.index()],
            ..Function::default()
        });
        at
    }

    /// Returns to the caller of the function.
    pub(super) fn return_back(&mut self) {
        self.code.emit(match self.functions[self.current].link {
            Some(link) => Op::Return { link },
            None => Op::NoFinish {},
        });
    }

    /// A trap where an argument that is read where it is kept is outside the range of its parameter.
    fn check_kept(&mut self, range: Option<RangeId>, arg: &Expr, kept: &Storage) {
        if range.is_some() {
            let at = match kept {
                Storage::Slots(at, _) => *at,
                Storage::Known(_) | Storage::Array(..) => self.word(arg),
            };
            self.check_param(range, arg, at);
        }
    }

    fn check_param(&mut self, range: Option<RangeId>, arg: &Expr, at: u16) {
        let Some((low, high)) = range.map(|range| self.ranges[range.index()]) else { return };
        let is_inside = |number| low <= number && high.is_none_or(|high| number <= high);
        if !matches!(self.fold(arg), Some(Value::Int(number)) if is_inside(number)) {
            self.check_range(at, range);
        }
    }

    /// The values for some parameters; those that lie where an earlier parameter is written are
    /// copied, for a rule that calls itself may hand on its own names in another order.
    fn out_of_the_way(&mut self, mut values: Vec<Slots>, params: &[Slots]) -> Vec<Slots> {
        for (at, value) in values.iter_mut().enumerate() {
            if params[..at].iter().any(|param| param.at == value.at) {
                let copy = self.take(value.width);
                self.copy(copy.at, *value);
                *value = copy;
            }
        }
        values
    }

    /// In how many places each rule is called, as far as this setting lets them be reached.
    pub(super) fn count_calls(&self) -> BTreeMap<RuleId, usize> {
        let rules = self.rules;
        let limit = rules.limit.as_ref().map(|limit| limit.body);
        let flows = rules.setup.into_iter().chain([rules.play]).chain(limit);
        let (mut open, mut counts) = (flows.collect::<Vec<RuleId>>(), BTreeMap::new());
        while let Some(rule) = open.pop() {
            let rule = &rules.rules[rule.index()];
            let dead = self.dead_parts(&rule.body);
            rule.visit(&mut |expr| {
                let ExprKind::Call(called, _) = &expr.kind else { return };
                let is_in =
                    |span: &Span| span.start <= expr.span.start && expr.span.end <= span.end;
                if !dead.iter().any(is_in) {
                    let count = counts.entry(*called).or_insert(0);
                    *count += 1;
                    if *count == 1 {
                        open.push(*called);
                    }
                }
            });
        }
        counts
    }

    /// The statements that this setting rules out.
    fn dead_parts(&self, body: &[Stmt]) -> Vec<Span> {
        let mut dead = Vec::new();
        visit_stmts(body, &mut |stmt| match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let branch =
                    self.known(condition).map(|holds| if holds { otherwise } else { then });
                dead.extend(branch.into_iter().flatten().map(|stmt| stmt.span));
            }
            StmtKind::Choose(choose) => {
                let options = choose.options.iter().filter(|option| self.never_legal(option));
                dead.extend(options.flat_map(|option| &option.body).map(|stmt| stmt.span));
            }
            _ => {}
        });
        dead
    }
}

/// For each rule, the circle of rules calling each other that it is in, if it is in one.
pub(super) fn circles(rules: &Rules) -> Vec<Option<usize>> {
    let calls: Vec<Vec<u32>> = rules
        .rules
        .iter()
        .map(|rule| {
            let mut called = BTreeSet::new();
            rule.visit(&mut |expr| {
                if let ExprKind::Call(rule, _) = &expr.kind {
                    called.insert(rule.0);
                }
            });
            called.into_iter().collect()
        })
        .collect();
    let mut circles = vec![None; calls.len()];
    for members in Components::of(calls.len(), |rule| &calls[rule as usize]).iter() {
        let first = *members.iter().min().expect("a component has members") as usize;
        if members.len() > 1 || calls[first].contains(&members[0]) {
            members.iter().for_each(|rule| circles[*rule as usize] = Some(first));
        }
    }
    circles
}
