//! Emits the members of a set form, and look-ups in tables computed before play.

use std::collections::BTreeMap;

use crate::bytecode::{NONE, Op, sets};
use crate::compile::emit::places::{SlotAccess, row_of};
use crate::compile::emit::{Emitter, filters::apply_form};
use crate::compile::plan::forms::{Comparison, Related, SetForm, TableKey};
use crate::compile::plan::{Plan, expr_queries::member_domain, tabulation::MOST_TABLE_WORDS};
use crate::compile::{passes::Pass, scope::SlotRange};
use crate::rules::{Domain, Expr, Type, Value, VarId};

/// In more ways than this the sets that are reached are joined one by one.
const MOST_MOVES: usize = 8;

fn related_words(out: &mut Emitter, sets: &[Vec<i64>], domain: Domain) -> u16 {
    let words = words_of_sets(out, sets, domain);
    out.code.constants(&words)
}

pub(super) fn words_of_sets(out: &mut Emitter, sets: &[Vec<i64>], domain: Domain) -> Vec<i64> {
    let (ty, span) = (Type::Set(domain), out.code.span);
    let words = sets.iter().flat_map(|set| out.encode_value(&Value::Set(set.clone()), &ty, span));
    words.collect()
}

fn known_set(out: &mut Emitter, members: Vec<i64>, domain: Domain) -> SlotRange {
    let width = out.plan.width(&Type::Set(domain), out.code.span);
    SlotRange { at: related_words(out, &[members], domain), width }
}

fn all_set(out: &mut Emitter, domain: Domain) -> SlotRange {
    let all = out.plan.all_members(domain).expect("a form is about a finite type");
    known_set(out, all, domain)
}

/// The members that have a form, of all. The slots are only to be read.
pub(super) fn members_of_form(out: &mut Emitter, form: &SetForm, domain: Domain) -> SlotRange {
    let width = out.plan.width(&Type::Set(domain), out.code.span);
    match form {
        SetForm::Known(members) => known_set(out, members.clone(), domain),
        SetForm::Set(set) => out.operand(set),
        SetForm::Only(member) => {
            let is_inside = out.facts().is_inside(member, domain);
            let (member, dst) = (member_of(out, member, domain), out.allocate(width));
            out.code.emit(Op::Single { set: dst.at, member, width });
            if !is_inside {
                let all = all_set(out, domain);
                out.code.emit(Op::Common { dst: dst.at, a: dst.at, b: all.at, width });
            }
            dst
        }
        SetForm::Kept(var, outer, value) => kept_members(out, *var, outer, *value),
        SetForm::Where(var, outer, comparison, value) => {
            members_where(out, (*var, outer), *comparison, value)
        }
        SetForm::Among(var, of, values) => {
            let of = members_of_form(out, of, *values).at;
            members_among(out, *var, of)
        }
        SetForm::Numbered(sets, low, value) => {
            let words = words_of_sets(out, sets, domain);
            let (base, count) = (out.code.constants(&words), out.code.fit(sets.len(), "sets"));
            let high = low.saturating_add(i64::from(count) - 1);
            let index = clamp_number(out, value, (*low, high));
            let index = out.behind_low(index, *low);
            out.load_from(SlotAccess::Indexed { base, index, count, width }, None)
        }
        SetForm::Listed(key, sets) => {
            let words = words_of_sets(out, sets, domain);
            let row = table_row(out, key, &words, width);
            out.load_from(row, None)
        }
        SetForm::Related(related) => related_members(out, related, width),
        SetForm::Or(a, b) => {
            let dst = out.allocate(width);
            let (a, b) = (members_of_form(out, a, domain), members_of_form(out, b, domain));
            out.code.emit(Op::Union { dst: dst.at, a: a.at, b: b.at, width });
            dst
        }
        SetForm::And(first, second) if is_direct(first) && !out.plan.is_part(domain) => {
            let (cut, own) = (members_of_form(out, first, domain), out.allocate(width));
            apply_form(out, cut, second, own, domain);
            own
        }
        SetForm::Not(_) | SetForm::And(..) | SetForm::When(_) | SetForm::If(..) => {
            let all = all_set(out, domain);
            let dst = out.allocate(width);
            apply_form(out, all, form, dst, domain);
            dst
        }
    }
}

/// A number, or the end of a range that is nearest to it.
fn clamp_number(out: &mut Emitter, number: &Expr, (low, high): (i64, i64)) -> u16 {
    let mut a = out.word(number);
    if matches!(number.ty, Type::Kind(_)) {
        return a;
    }
    let ends = out.facts().bounds(number, &out.body.bounds).unwrap_or((i64::MIN, i64::MAX));
    if ends.0 < low {
        let (b, dst) = (out.code.constant(low), out.allocate(1).at);
        out.code.emit(Op::Greatest { dst, a, b });
        a = dst;
    }
    if ends.1 > high {
        let (b, dst) = (out.code.constant(high), out.allocate(1).at);
        out.code.emit(Op::Least { dst, a, b });
        a = dst;
    }
    a
}

pub(super) fn member_of(out: &mut Emitter, member: &Expr, domain: Domain) -> u16 {
    let low = out.plan.domain(domain, member.span).0;
    let a = out.word(member);
    out.behind_low(a, low)
}

fn members_where(
    out: &mut Emitter,
    (var, outer): (VarId, &[Expr]),
    comparison: Comparison,
    value: &Expr,
) -> SlotRange {
    let (base, count) = row_of(out, var, outer);
    let a = match (comparison, out.facts().fold(value)) {
        (Comparison::AtMost, Some(Value::Int(number))) => {
            out.code.constant(number.saturating_add(1))
        }
        _ => out.word(value),
    };
    let slots = out.allocate(1);
    let dst = slots.at;
    out.code.emit(match comparison {
        Comparison::Equal => Op::WhereEqual { dst, base, count, a },
        Comparison::Below | Comparison::AtMost => Op::WhereBelow { dst, base, count, a },
    });
    slots
}

/// The indices of an array whose values are in a set.
fn members_among(out: &mut Emitter, var: VarId, of: u16) -> SlotRange {
    let place = out.plan.var(var);
    let width = place.sets.map_or(1, |sets| sets.width);
    let slots = out.allocate(width);
    let (dst, base) = (slots.at, place.base);
    let op = match place.sets {
        None => Op::WhereIn { dst, base, count: out.count(&place.dims), set: of },
        Some(sets) => Op::UnionOf { dst, base, count: sets.values(), of, width },
    };
    out.code.emit(op);
    slots
}

fn kept_members(out: &mut Emitter, var: VarId, outer: &[Expr], value: Option<&Expr>) -> SlotRange {
    let place = out.plan.var(var);
    let sets = place.sets.expect("the form says that it is kept as sets");
    let (base, width) = (place.base, sets.width);
    let Some(value) = value else {
        let access = out.element(base, width, &place.dims[..outer.len()], outer);
        return out.load_from(access, None);
    };
    let known = out.facts().fold(value).map(|value| match value {
        Value::Int(number) => sets.set_of(number),
        _ => sets.set_of(NONE),
    });
    if let Some(at) = known.flatten() {
        return SlotRange { at: base + at * width, width };
    }
    let index = out.word(value);
    if matches!(value.ty, Type::Kind(_)) || !sets.or_none {
        return out
            .load_from(SlotAccess::Indexed { base, index, count: sets.values(), width }, None);
    }
    // The last set is that of none.
    let dst = out.allocate(width);
    out.code.emit(Op::SetOf { dst: dst.at, base, a: index, count: sets.sets, width });
    dst
}

/// The members that are related to those of a form. `UnionOf` visits only members that are there: it is chosen for
/// sets of several words, and where the form mostly has few members and its type is no larger than the result's.
fn related_members(out: &mut Emitter, related: &Related, width: u16) -> SlotRange {
    let (of, domain) = (related.of.as_ref(), related.domain);
    if let (false, SetForm::Only(value)) = (related.all, of)
        && matches!(value.ty, Type::Kind(_))
        && member_domain(&value.ty) == Some(domain)
    {
        let index = member_of(out, value, domain);
        let reached = reached_words(out.plan, related, width);
        let (base, count) = store_sets(out, &reached, width);
        return out.load_from(SlotAccess::Indexed { base, index, count, width }, None);
    }
    let SlotRange { at: set, width: wide } = members_of_form(out, of, domain);
    let dst = out.allocate(width).at;
    let slots = SlotRange { at: dst, width };
    let fits = out.plan.known_domain(domain).is_some_and(|(_, size)| size <= related.sets.len());
    if !related.all && (wide > 1 || fits) {
        let reached = reached_words(out.plan, related, width);
        if wide == width
            && let Some(moves) = moves(&reached, width.into())
        {
            let base = out.code.constants(&moves);
            let count = out.code.fit(moves.len() / (1 + usize::from(width)), "moves");
            out.code.emit(Op::UnionMoved { dst, base, count, of: set, width });
            return slots;
        }
        if wide > 1 || out.facts().is_small(of) {
            let (base, count) = store_sets(out, &reached, width);
            out.code.emit(Op::UnionOf { dst, base, count, of: set, width });
            return slots;
        }
    }
    let count = out.code.fit(related.sets.len(), "members");
    let base = related_words(out, &related.sets, domain);
    out.code.emit(if related.all {
        Op::SelectWithin { dst, base, count, set, width: wide }
    } else {
        Op::SelectMeeting { dst, base, count, set, width: wide }
    });
    slots
}

/// For each member of the set of a relation the words of the members that are related to it.
fn reached_words(plan: &Plan, related: &Related, width: u16) -> Vec<i64> {
    let Some((low, size)) = plan.known_domain(related.domain) else {
        unreachable!("a relation is about finite types")
    };
    let mut words = Vec::new();
    for member in (low..).take(size) {
        let mut set = vec![0; width.into()];
        let from = (0..).zip(&related.sets).filter(|(_, set)| set.contains(&member));
        from.for_each(|(bit, _)| sets::set_bit(&mut set, bit, true));
        words.extend(set);
    }
    words
}

/// Stores sets as constants; returns the first slot and their number.
fn store_sets(out: &mut Emitter, words: &[i64], width: u16) -> (u16, u16) {
    (out.code.constants(words), out.code.fit(words.len() / usize::from(width), "members"))
}

/// Whether the members that have a form are found by themselves, not among others.
pub(super) fn is_direct(form: &SetForm) -> bool {
    !matches!(form, SetForm::Not(_) | SetForm::And(..) | SetForm::When(_) | SetForm::If(..))
}

/// On a board most cells reach others in a few ways: by so many cells forward or back. For each of these moves
/// the set of the cells that it is made from, then by how much each moves; nothing if there are many.
fn moves(reached: &[i64], width: usize) -> Option<Vec<i64>> {
    let mut moves: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let size = reached.len() / width;
    for (from, set) in reached.chunks(width).enumerate() {
        for to in sets::members(set) {
            let by = i64::try_from(to).ok()? - i64::try_from(from).ok()?;
            sets::set_bit(moves.entry(by).or_insert_with(|| vec![0; width]), from, true);
        }
        if moves.len() > MOST_MOVES {
            return None;
        }
    }
    let pays = !moves.is_empty() && 2 * moves.len() < size;
    pays.then(|| moves.values().flatten().chain(moves.keys()).copied().collect())
}

/// Looks a value up in a table, if that takes fewer operations than to compute it.
#[must_use]
pub(super) fn try_emit_lookup(out: &mut Emitter, expr: &Expr, dst: SlotRange) -> bool {
    let Some((key, words)) = rows_of(out, expr, dst.width) else { return false };
    let access = table_row(out, &key, &words, dst.width);
    out.load_from(access, Some(dst));
    true
}

/// Looks up whether a condition holds, if that pays.
pub(super) fn looked_up_word(out: &mut Emitter, condition: &Expr) -> Option<u16> {
    let (key, words) = rows_of(out, condition, 1)?;
    let access = table_row(out, &key, &words, 1);
    Some(out.load_from(access, None).at)
}

/// The key and the values of an expression for each row of what it depends on.
fn rows_of(out: &mut Emitter, expr: &Expr, width: u16) -> Option<(TableKey, Vec<i64>)> {
    let is_plain = match &expr.ty {
        Type::Number | Type::Bool | Type::Kind(_) | Type::Set(_) => !expr.is_ordered(),
        Type::Maybe(inner) => matches!(**inner, Type::Kind(_)),
        _ => false,
    };
    let key =
        out.facts().table_key(expr, None).filter(|_| is_plain && out.plan.tries(Pass::Tables))?;
    if key.rows() * usize::from(width) > MOST_TABLE_WORDS {
        return None;
    }
    let name = out.facts().name_of_table(expr, &key, None);
    let rows = out.facts().for_each_row(name, &key, |it| it.value(expr).ok())?;
    let words = rows.iter().flat_map(|row| out.encode_value(row, &expr.ty, expr.span)).collect();
    out.plan.fires(Pass::Tables);
    Some((key, words))
}

/// The row of a table for the present values of a key.
fn table_row(out: &mut Emitter, key: &TableKey, words: &[i64], width: u16) -> SlotAccess {
    let mut place = None;
    for (local, low, size) in &key.names {
        let at = out.body.local_slots(*local).at;
        let b = out.behind_low(at, *low);
        place = Some(place.map_or(b, |a| {
            let (dst, size) = (out.allocate(1).at, out.code.fit(*size, "rows"));
            out.code.emit(Op::Scale { dst, a, size, b });
            dst
        }));
    }
    let index = place.unwrap_or_else(|| out.code.constant(0));
    let base = out.code.constants(words);
    SlotAccess::Indexed { base, index, count: out.code.fit(key.rows(), "rows"), width }
}
