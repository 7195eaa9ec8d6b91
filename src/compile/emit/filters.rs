//! Filters by operations on whole sets; conditions without a form are tested for each member.

use crate::bytecode::{Lines, Op};
use crate::compile::code::{CodeLabel, position_or_push};
use crate::compile::emit::Emitter;
use crate::compile::emit::form_members::{is_direct, member_of, members_of_form, words_of_sets};
use crate::compile::plan::expr_queries::conjuncts;
use crate::compile::plan::forms::{PredicateMember, Related, SetForm, conditions_of};
use crate::compile::{compiled::Storage, passes::Pass, scope::SlotRange};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{Binder, Domain, Expr, ExprKind, LocalId, Value};

/// The members of a binder as far as set operations find them, read only; and what is left.
pub(super) fn apply_conditions<'e>(
    out: &mut Emitter,
    set: &Expr,
    local: LocalId,
    conditions: &[&'e Expr],
) -> (SlotRange, Vec<&'e Expr>) {
    let domain = finite(&set.ty).filter(|_| !protect(conditions, Some(local)));
    let about = domain.map(|domain| PredicateMember::given(local, domain, conditions));
    let (mut forms, mut left, mut may_trap) = (Vec::new(), Vec::new(), false);
    for part in conjuncts(conditions.iter().copied()) {
        // A member for which a condition traps is not taken out before by one that follows.
        match about.filter(|_| !may_trap).and_then(|about| out.facts().set_form(part, about)) {
            Some(form) => forms.push(form),
            None => {
                may_trap |= !out.facts().is_safe(part);
                left.push(part);
            }
        }
    }
    (intersect_forms(out, set, forms), left)
}

/// The members of a set that have all forms. The slots are only to be read.
fn intersect_forms(out: &mut Emitter, set: &Expr, mut forms: Vec<SetForm>) -> SlotRange {
    let Some(domain) = finite(&set.ty) else { return out.operand(set) };
    // What is picked from all members is in the first set that is wanted.
    let whole = matches!(set.kind, ExprKind::Whole(_)) && !out.plan.is_part(domain);
    let mut cut = match forms.iter().position(|form| whole && is_direct(form)) {
        Some(first) => members_of_form(out, &forms.remove(first), domain),
        None => out.operand(set),
    };
    let base = cut;
    for form in &forms {
        let own = if cut == base { out.allocate(base.width) } else { cut };
        apply_form(out, cut, form, own, domain);
        cut = own;
    }
    cut
}

/// The members that fulfil all conditions. The slots are only to be read.
pub(super) fn emit_filtered(
    out: &mut Emitter,
    set: &Expr,
    local: LocalId,
    conditions: &[&Expr],
) -> SlotRange {
    let (cut, mut left) = apply_conditions(out, set, local, conditions);
    if left.is_empty() {
        return cut;
    }
    let kept = out.allocate(cut.width);
    let mark = out.mark();
    let done = out.code.label();
    // What is not about the member is tested once.
    if let [condition] = left[..]
        && let Some((either, or)) =
            out.plan.found_by(Pass::Either, || out.facts().split_either(condition, local))
    {
        out.emit_copy(kept.at, cut);
        out.condition(either, true, done);
        left = vec![or];
    }
    let (rest, member) = (out.allocate(cut.width), out.allocate(1).at);
    out.emit_copy(rest.at, cut);
    out.code.emit(Op::Clear { set: kept.at, width: kept.width });
    let (next, exit) = (out.code.here(), out.code.label());
    let (width, low) = (rest.width, out.plan.low(set));
    out.code.emit(Op::Pop { dst: member, set: rest.at, width, to: exit });
    let number = if low == 0 { member } else { out.allocate(1).at };
    if low != 0 {
        let b = out.code.constant(low);
        out.code.emit(Op::Add { dst: number, a: member, b });
    }
    out.keep_local(local, Storage::Slots(number, 1));
    left.iter().for_each(|condition| out.condition(condition, false, next));
    out.code.emit(Op::Insert { set: kept.at, member, width });
    out.code.emit(Op::Again { to: next });
    out.code.place(exit);
    out.code.place(done);
    out.release(mark);
    kept
}

/// As `emit_filtered`; none, and no code, where a condition needs a loop.
#[must_use]
pub(super) fn try_filter_without_loop(
    out: &mut Emitter,
    set: &Expr,
    local: LocalId,
    conditions: &[&Expr],
) -> Option<SlotRange> {
    if set.is_ordered() || protect(conditions, Some(local)) {
        return None;
    }
    let about = PredicateMember::given(local, finite(&set.ty)?, conditions);
    let forms: Option<Vec<SetForm>> =
        conditions.iter().map(|condition| out.facts().set_form(condition, about)).collect();
    Some(intersect_forms(out, set, forms?))
}

/// `any` and `all` as one question about whole sets; no if a loop is needed.
#[must_use]
pub(super) fn try_search_sets(
    out: &mut Emitter,
    binder: &Binder,
    body: &Expr,
    any: bool,
    when: bool,
    to: CodeLabel,
) -> bool {
    let members = out.facts().members_of_span(binder, std::slice::from_ref(body));
    let binder = members.as_ref().unwrap_or(binder);
    let set = binder.set.in_any_order();
    let Some(domain) = finite(&set.ty) else { return false };
    if protect(&conditions_of(binder, std::slice::from_ref(body)), Some(binder.local)) {
        return false;
    }
    let condition = conditions_of(binder, &[]);
    let about = PredicateMember::given(binder.local, domain, &condition);
    let Some(form) = out.facts().set_form(body, about) else { return false };
    let related = match (&form, condition.as_slice()) {
        (SetForm::Related(related), []) if any => emit_any_within(out, set, related, domain, to),
        _ => None,
    };
    let jump = if related.is_some() {
        related
    } else if any {
        let conditions = conditions_of(binder, std::slice::from_ref(body));
        let cut = try_filter_without_loop(out, set, binder.local, &conditions);
        cut.map(|SlotRange { at: set, width }| Op::JumpSome { set, width, to })
    } else {
        try_filter_without_loop(out, set, binder.local, &condition).map(
            |SlotRange { at: a, width }| Op::JumpWithin {
                a,
                b: members_of_form(out, &form, domain).at,
                width,
                to,
            },
        )
    };
    jump.map(|jump| out.code.branch(jump, when)).is_some()
}

/// `any(line in LINES: line within A)`: one operation over the cells of all lines.
fn emit_any_within(
    out: &mut Emitter,
    set: &Expr,
    related: &Related,
    domain: Domain,
    to: CodeLabel,
) -> Option<Op> {
    let is_tried = related.all && out.plan.tries(Pass::Lines);
    let Value::Set(asked) = out.facts().fold(set).filter(|_| is_tried)? else { return None };
    let (low, _) = out.plan.known_domain(domain)?;
    let sets = (low..).zip(&related.sets).filter(|(member, _)| asked.contains(member));
    let sets: Vec<Vec<i64>> = sets.map(|(_, set)| set.clone()).collect();
    let count = u16::try_from(sets.len()).ok().filter(|count| *count > 0)?;
    out.plan.fires(Pass::Lines);
    let words = words_of_sets(out, &sets, related.domain);
    let SlotRange { at: set, width } = members_of_form(out, &related.of, related.domain);
    if let Some(lines) = Lines::new(width.into(), &words) {
        let lines = position_or_push(&mut out.code.lines, lines);
        let lines = out.code.fit(lines, "sets of lines");
        return Some(Op::JumpAnyLine { lines, set, width, to });
    }
    let base = out.code.constants(&words);
    Some(Op::JumpAnyWithin { base, count, set, width, to })
}

/// Leaves in `own` what is in a set and has a form.
pub(super) fn apply_form(
    out: &mut Emitter,
    cut: SlotRange,
    form: &SetForm,
    own: SlotRange,
    domain: Domain,
) {
    let mark = out.mark();
    let (dst, a, width) = (own.at, cut.at, own.width);
    match form {
        SetForm::Not(inner) => match inner.as_ref() {
            SetForm::Not(again) => apply_form(out, cut, again, own, domain),
            SetForm::When(condition) => keep_when(out, cut, condition, false, own),
            SetForm::Only(member) => {
                out.emit_copy(dst, cut);
                let member = member_of(out, member, domain);
                out.code.emit(Op::Remove { set: dst, member, width });
            }
            // Of these only what is in the set is asked: of nothing where that is empty.
            SetForm::And(..) | SetForm::If(..) => {
                let b = out.allocate(width);
                apply_form(out, cut, inner, b, domain);
                out.code.emit(Op::Minus { dst, a, b: b.at, width });
            }
            other => {
                let b = members_of_form(out, other, domain).at;
                out.code.emit(Op::Minus { dst, a, b, width });
            }
        },
        SetForm::And(first, second) => {
            apply_form(out, cut, first, own, domain);
            apply_form(out, own, second, own, domain);
        }
        SetForm::When(condition) => keep_when(out, cut, condition, true, own),
        SetForm::If(condition, then, otherwise) => {
            out.branches(condition, then.as_ref(), otherwise.as_ref(), |it, form| {
                apply_form(it, cut, form, own, domain);
            });
        }
        other => {
            let b = members_of_form(out, other, domain).at;
            out.code.emit(Op::Common { dst, a, b, width });
        }
    }
    out.release(mark);
}

/// Leaves in `own` what is in a set, if a condition holds or (no) does not, else nothing.
fn keep_when(out: &mut Emitter, cut: SlotRange, condition: &Expr, holds: bool, own: SlotRange) {
    out.emit_copy(own.at, cut);
    let kept = out.code.label();
    if may_be_long(condition) {
        out.code.emit(Op::JumpEmpty { set: own.at, width: own.width, to: kept });
    }
    out.condition(condition, holds, kept);
    out.code.emit(Op::Clear { set: own.at, width: own.width });
    out.code.place(kept);
}

/// Whether a condition may take many operations.
fn may_be_long(condition: &Expr) -> bool {
    condition.any(|part| matches!(part.kind, ExprKind::Fold { .. }))
}
