//! Calls: rules that are compiled where they are called, and calls of functions.

use std::collections::BTreeMap;

use crate::bytecode::{Op, Wait};
use crate::compile::emit::Emitter;
use crate::compile::plan::inline::supposes;
use crate::compile::scope::{ReturnPath, SlotRange};
use crate::compile::{code::Draft, compiled::Storage, frames::Function, passes::Pass};
use crate::rules::returned_values::only_value;
use crate::rules::{Expr, ExprKind, LocalId, RangeId, RuleId, Type};
use crate::source::Span;

/// How many rules may be compiled into each other.
const MAX_INLINED: usize = 12;
/// How many parts of them may be compiled altogether.
const MAX_COPIED: usize = 1 << 11;
/// How many expressions may be inlined altogether: calls of calls could double for ever.
const MAX_WRITTEN: usize = 1 << 16;

/// Calls a rule; its value, if it is wanted, is put into the slots.
pub(super) fn emit_call(
    out: &mut Emitter,
    rule: RuleId,
    args: &[Expr],
    dst: Option<SlotRange>,
    span: Span,
) {
    let mark = out.mark();
    // A rule that is called in one place is compiled there, and a short one wherever it is called.
    let once = out.plan.tries(Pass::Once) && out.plan.call_counts.get(&rule) == Some(&1);
    let short = out.plan.prepared.short[rule.index()].filter(|_| out.plan.tries(Pass::Short));
    let copied = short.filter(|size| out.copied + size <= MAX_COPIED);
    let fits = (once || copied.is_some())
        && out.plan.prepared.circles[rule.index()].is_none()
        && out.frames.functions[out.frames.current].circle.is_none()
        && out.body.depth < MAX_INLINED;
    if fits {
        out.copied += copied.unwrap_or(0);
        out.plan.fires(if once { Pass::Once } else { Pass::Short });
        call_inside(out, rule, args, dst);
    } else {
        call_function(out, rule, args, dst, span);
    }
    out.release(mark);
}

fn call_function(
    out: &mut Emitter,
    rule: RuleId,
    args: &[Expr],
    dst: Option<SlotRange>,
    span: Span,
) {
    let callee = function_of(out, rule);
    let mut values: Vec<SlotRange> = args.iter().map(|arg| out.operand(arg)).collect();
    let Function { circle, ref params, result, link, entry, .. } = out.frames.functions[callee];
    let params = params.clone();
    let again = circle.is_some() && circle == out.frames.functions[out.frames.current].circle;
    let locals = &out.plan.rules.rules[rule.index()].locals;
    for ((local, arg), value) in locals.iter().zip(args).zip(&values) {
        check_param(out, local.range, arg, value.at);
    }
    // A rule that calls itself may hand on its own names in another order: those that lie where
    // an earlier parameter is written are copied.
    for (at, value) in values.iter_mut().enumerate() {
        if params[..at].iter().any(|param| param.at == value.at) {
            let copy = out.allocate(value.width);
            out.emit_copy(copy.at, *value);
            *value = copy;
        }
    }
    // The linker puts the frame of the function in place of its number.
    let base = out.code.fit(callee, "rules");
    if again {
        out.code.emit(Op::Push { base, width: 0 });
    }
    for (param, value) in params.iter().zip(values) {
        if again && param.at == value.at {
            // A rule that hands its own name on to itself reads it: it must last until then.
            out.code.emit(Op::Copy { dst: param.at, src: param.at, width: param.width });
        } else {
            out.emit_copy(param.at, value);
        }
    }
    let back = out.code.label();
    let pulled = again.then_some(callee);
    let draft = Draft { pulled, span, ..out.draft_site(back, Wait::Nothing) };
    let site = out.code.site(draft);
    let link = link.expect("a function of a rule has a link");
    out.code.emit(Op::Call { to: entry, link, site });
    out.code.place(back);
    if again {
        out.code.emit(Op::Pull { base, width: 0 });
    }
    out.frames.functions[out.frames.current].calls.insert(callee);
    if let (Some(dst), Some(result)) = (dst, result) {
        out.emit_copy(dst.at, result);
    }
}

fn call_inside(out: &mut Emitter, rule: RuleId, args: &[Expr], dst: Option<SlotRange>) {
    let called = &out.plan.rules.rules[rule.index()];
    let mut locals = BTreeMap::new();
    for (at, arg) in args.iter().enumerate() {
        // What is only supposed may change where an argument was read from.
        let copied = called.locals[at].mutable || supposes(called);
        let storage = argument_storage(out, arg, copied);
        emit_argument_range_check(out, called.locals[at].range, arg, &storage);
        locals.insert(LocalId::at(at), storage);
    }
    let end = out.code.label();
    let depth = out.body.depth + 1;
    let inner = out.body_of(Some(rule), locals, ReturnPath::To(end, dst), depth);
    let outer = std::mem::replace(&mut out.body, inner);
    out.block(&called.body);
    out.code.place(end);
    out.body = outer;
}

/// The storage of an argument: in place if neither side can change it.
fn argument_storage(out: &mut Emitter, arg: &Expr, copied: bool) -> Storage {
    let SlotRange { at, width } = match (out.facts().fold(arg), &arg.kind) {
        (Some(value), _) if !copied => return Storage::Known(value),
        (None, ExprKind::Local(local)) if !copied && !out.facts().local_info(*local).mutable => {
            out.operand(arg)
        }
        _ => out.kept_value(arg),
    };
    Storage::Slots(at, width)
}

/// The text that a rule returns, to be put together where it is called, and its locals.
pub(super) fn inline_value(
    out: &mut Emitter,
    rule: RuleId,
    args: &[Expr],
) -> Option<(Expr, BTreeMap<LocalId, Storage>)> {
    let called = &out.plan.rules.rules[rule.index()];
    let value = only_value(&called.body)?;
    let inlines = called.returns == Type::Text
        && out.plan.prepared.circles[rule.index()].is_none()
        && out.body.depth < MAX_INLINED
        && out.written < MAX_WRITTEN
        && called.effects.is_pure()
        && !supposes(called);
    if !inlines {
        return None;
    }
    value.visit_tree(&mut |_| out.written += 1);
    let mut locals = BTreeMap::new();
    for (local, arg) in args.iter().enumerate() {
        let storage = match out.facts().fold(arg) {
            Some(value) => Storage::Known(value),
            None => {
                let SlotRange { at, width } = out.operand(arg);
                Storage::Slots(at, width)
            }
        };
        emit_argument_range_check(out, called.locals[local].range, arg, &storage);
        locals.insert(LocalId::at(local), storage);
    }
    Some((value.clone(), locals))
}

/// Does something inside the body of a rule that is compiled where it is called.
pub(super) fn emit_inside_rule<T>(
    out: &mut Emitter,
    rule: RuleId,
    locals: BTreeMap<LocalId, Storage>,
    work: impl FnOnce(&mut Emitter) -> T,
) -> T {
    let inner = out.body_of(Some(rule), locals, ReturnPath::Back, out.body.depth + 1);
    let outer = std::mem::replace(&mut out.body, inner);
    let result = work(out);
    out.body = outer;
    result
}

fn function_of(out: &mut Emitter, rule: RuleId) -> usize {
    if let Some(known) = out.frames.by_rule.get(&rule) {
        return *known;
    }
    let at = out.frames.functions.len();
    out.frames.by_rule.insert(rule, at);
    let called = &out.plan.rules.rules[rule.index()];
    let entry = out.code.label();
    let given = |out: &mut Emitter, ty: &Type| {
        let width = out.plan.width(ty, called.span);
        SlotRange { at: out.code.slots(width), width }
    };
    let link = out.code.slots(1);
    let params = called.locals[..called.params].iter();
    let params: Vec<SlotRange> = params.map(|local| given(out, &local.ty)).collect();
    let result = (called.returns != Type::Nothing).then(|| given(out, &called.returns));
    let blocks = params.iter().map(|slots| (slots.at, slots.width));
    out.frames.functions.push(Function {
        entry,
        blocks: std::iter::once((link, 1)).chain(blocks).collect(),
        busy: (0..=params.len()).collect(),
        rule: Some(rule),
        params,
        result,
        link: Some(link),
        circle: out.plan.prepared.circles[rule.index()],
        ..Function::default()
    });
    at
}

/// Returns to the caller of the function.
pub(super) fn return_back(out: &mut Emitter) {
    out.code.emit(match out.frames.functions[out.frames.current].link {
        Some(link) => Op::Return { link },
        None => Op::NoFinish {},
    });
}

/// Emits a trap for an argument, read in place, outside the range of its parameter.
fn emit_argument_range_check(
    out: &mut Emitter,
    range: Option<RangeId>,
    arg: &Expr,
    kept: &Storage,
) {
    let at = match kept {
        _ if range.is_none() => return,
        Storage::Slots(at, _) => *at,
        Storage::Known(_) | Storage::Array(..) => out.word(arg),
    };
    check_param(out, range, arg, at);
}

fn check_param(out: &mut Emitter, range: Option<RangeId>, arg: &Expr, at: u16) {
    let Some((low, high)) = range.map(|range| out.plan.ranges[range.index()]) else { return };
    if !out.facts().is_between(arg, (low, high.unwrap_or(i64::MAX))) {
        out.emit_range_check(at, range);
    }
}
