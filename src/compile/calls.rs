//! Calls: rules that are compiled where they are called, and calls of functions.

use std::collections::BTreeMap;

use crate::bytecode::{Op, Wait};
use crate::compile::code::Draft;
use crate::compile::functions::Function;
use crate::compile::inline::supposes;
use crate::compile::{Compiler, Pass, ReturnPath, SlotRange, Storage};
use crate::rules::returned_values::only_value;
use crate::rules::visit::visit_stmts;
use crate::rules::{Expr, ExprKind, LocalId, RangeId, RuleId, Rules, Stmt, StmtKind, Type};
use crate::source::Span;

/// How many rules may be compiled into each other.
const MAX_INLINED: usize = 12;
/// Rules with at most so many parts are compiled wherever they are called.
const MAX_SHORT: usize = 24;
/// How many parts of them may be compiled altogether.
const MAX_COPIED: usize = 1 << 11;
/// How many expressions may be inlined altogether: calls of calls could double for ever.
const MAX_WRITTEN: usize = 1 << 16;

impl Compiler<'_> {
    /// Calls a rule; its value, if it is wanted, is put into the slots.
    pub(super) fn call(&mut self, rule: RuleId, args: &[Expr], dst: Option<SlotRange>, span: Span) {
        let mark = self.mark();
        // A rule that is called in one place is compiled there, and a short one wherever it is called.
        let once = self.tries(Pass::Once) && self.call_counts.get(&rule) == Some(&1);
        let short = self.prepared.short[rule.index()].filter(|_| self.tries(Pass::Short));
        let copied = short.filter(|size| self.copied + size <= MAX_COPIED);
        let fits = (once || copied.is_some())
            && self.prepared.circles[rule.index()].is_none()
            && self.functions[self.current].circle.is_none()
            && self.body.depth < MAX_INLINED;
        if fits {
            self.copied += copied.unwrap_or(0);
            self.fires(if once { Pass::Once } else { Pass::Short });
            self.call_inside(rule, args, dst);
        } else {
            self.call_function(rule, args, dst, span);
        }
        self.release(mark);
    }

    fn call_function(&mut self, rule: RuleId, args: &[Expr], dst: Option<SlotRange>, span: Span) {
        let callee = self.function_of(rule);
        let mut values: Vec<SlotRange> = args.iter().map(|arg| self.operand(arg)).collect();
        let Function { circle, ref params, result, link, entry, .. } = self.functions[callee];
        let params = params.clone();
        let again = circle.is_some() && circle == self.functions[self.current].circle;
        let locals = &self.rules.rules[rule.index()].locals;
        for ((local, arg), value) in locals.iter().zip(args).zip(&values) {
            self.check_param(local.range, arg, value.at);
        }
        // A rule that calls itself may hand on its own names in another order: those that lie where
        // an earlier parameter is written are copied.
        for (at, value) in values.iter_mut().enumerate() {
            if params[..at].iter().any(|param| param.at == value.at) {
                let copy = self.take(value.width);
                self.copy(copy.at, *value);
                *value = copy;
            }
        }
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

    fn call_inside(&mut self, rule: RuleId, args: &[Expr], dst: Option<SlotRange>) {
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
        let inner = self.body_of(Some(rule), locals, ReturnPath::To(end, dst), depth);
        let outer = std::mem::replace(&mut self.body, inner);
        self.block(&called.body);
        self.code.place(end);
        self.body = outer;
    }

    /// Where an argument is kept: where it lies, if neither side can change it.
    fn handed_over(&mut self, arg: &Expr, copied: bool) -> Storage {
        let SlotRange { at, width } = match (self.fold(arg), &arg.kind) {
            (Some(value), _) if !copied => return Storage::Known(value),
            (None, ExprKind::Local(local)) if !copied && !self.local_info(*local).mutable => {
                self.operand(arg)
            }
            _ => self.kept_value(arg),
        };
        Storage::Slots(at, width)
    }

    /// The text that a rule returns, to be put together where it is called, and its locals.
    pub(super) fn inline_value(
        &mut self,
        rule: RuleId,
        args: &[Expr],
    ) -> Option<(Expr, BTreeMap<LocalId, Storage>)> {
        let called = &self.rules.rules[rule.index()];
        let value = only_value(&called.body)?;
        let inlines = called.returns == Type::Text
            && self.prepared.circles[rule.index()].is_none()
            && self.body.depth < MAX_INLINED
            && self.written < MAX_WRITTEN
            && called.effects.is_pure()
            && !supposes(called);
        if !inlines {
            return None;
        }
        value.visit_tree(&mut |_| self.written += 1);
        let mut locals = BTreeMap::new();
        for (local, arg) in args.iter().enumerate() {
            let storage = match self.fold(arg) {
                Some(value) => Storage::Known(value),
                None => {
                    let SlotRange { at, width } = self.operand(arg);
                    Storage::Slots(at, width)
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
        let inner = self.body_of(Some(rule), locals, ReturnPath::Back, self.body.depth + 1);
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
            SlotRange { at: compiler.code.slots(width), width }
        };
        let link = self.code.slots(1);
        let params = called.locals[..called.params].iter();
        let params: Vec<SlotRange> = params.map(|local| given(self, &local.ty)).collect();
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
        let at = match kept {
            _ if range.is_none() => return,
            Storage::Slots(at, _) => *at,
            Storage::Known(_) | Storage::Array(..) => self.word(arg),
        };
        self.check_param(range, arg, at);
    }

    fn check_param(&mut self, range: Option<RangeId>, arg: &Expr, at: u16) {
        let Some((low, high)) = range.map(|range| self.ranges[range.index()]) else { return };
        if !self.is_between(arg, (low, high.unwrap_or(i64::MAX))) {
            self.check_range(at, range);
        }
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
            rule.visit_exprs(&mut |expr| {
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

    fn dead_parts(&self, body: &[Stmt]) -> Vec<Span> {
        let mut dead = Vec::new();
        visit_stmts(body, &mut |stmt| match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let holds = self.known(condition);
                let branch = holds.map(|holds| if holds { otherwise } else { then });
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

/// For each rule how many parts it has, if it is short and never waits. A `say` is no part: it is passed over where
/// nobody looks. The rules come in order, callees first.
pub(super) fn short_rules(
    rules: &Rules,
    (order, circles): (&[usize], &[Option<usize>]),
) -> Vec<Option<usize>> {
    let mut short = vec![None; rules.rules.len()];
    for at in order.iter().copied() {
        let (mut parts, mut fits) = (0, circles[at].is_none());
        visit_stmts(&rules.rules[at].body, &mut |stmt| {
            parts += usize::from(!matches!(stmt.kind, StmtKind::Say { .. }));
            fits &= !matches!(
                stmt.kind,
                StmtKind::Choose(_)
                    | StmtKind::Roll { .. }
                    | StmtKind::Cards(_)
                    | StmtKind::Turns { .. }
            );
        });
        rules.rules[at].visit_exprs(&mut |expr| match &expr.kind {
            ExprKind::Call(called, _) => match short[called.index()] {
                Some(size) => parts += size,
                None => fits = false,
            },
            ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::End(_) => {
                fits = false;
            }
            ExprKind::Value(_) | ExprKind::Local(_) | ExprKind::Text(_) => {}
            _ => parts += 1,
        });
        short[at] = Some(parts).filter(|parts| fits && *parts <= MAX_SHORT);
    }
    short
}
