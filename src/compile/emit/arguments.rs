//! The values of a move: what is printed after its name, and what tells it from the others of its option.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::{ArgumentInfo, Format, Manner, Shown};
use crate::compile::compiled::Storage;
use crate::compile::emit::Emitter;
use crate::rules::{
    Binder, Clause, Domain, Expr, ExprKind, KindId, LocalId, MoveOption, TextPart, Type, Value,
};

pub(super) fn shown_argument(out: &mut Emitter, local: LocalId, option: &MoveOption) -> Shown {
    let ty = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) | Clause::Maybe(binder) if binder.local == local => {
            Some(binder.set.ty.iterated())
        }
        Clause::Let(bound, value) if *bound == local => Some(value.ty.clone()),
        _ => None,
    });
    let ty = ty.expect("checked: only bound names are printed");
    let shape = out.plan.shape(&ty, option.span);
    let format = out.code.format(Format { shape, manner: Manner::Argument });
    let width = out.plan.width(&ty, option.span);
    let slot = match out.body.locals.get(&local).cloned() {
        Some(Storage::Known(value)) => {
            let words = out.encode_value(&value, &ty, option.span);
            out.code.constants(&words)
        }
        _ => out.body.local_slots(local).at,
    };
    Shown { slot, width, format }
}

/// The arguments that distinguish the moves of an option: members that it ranges over, shown names first; `let`s follow
/// from those.
pub(super) fn arguments_of(out: &Emitter, option: &MoveOption) -> Vec<ArgumentInfo> {
    let mut names = out.body.bounds.clone();
    let mut found: Vec<(usize, ArgumentInfo)> = Vec::new();
    for clause in &option.clauses {
        match clause {
            Clause::When(_) => {}
            Clause::Let(local, value) => {
                let ends = out.facts().bounds(value, &names);
                names.extend(ends.map(|ends| (*local, ends)));
            }
            Clause::For(binder) | Clause::Maybe(binder) => {
                out.facts().note_bounds(binder, &mut names);
                let place = option.params.iter().position(|param| *param == binder.local);
                let ends = names.get(&binder.local).copied().or_else(|| domain_ends(out, binder));
                // What is picked has no name of its own.
                let declared = out.facts().locals().get(binder.local.index());
                let (ty, at) = (binder.set.ty.iterated(), out.body.local_slots(binder.local));
                let argument = ArgumentInfo {
                    name: declared.map_or_else(String::new, |local| local.name.clone()),
                    slot: at.at,
                    width: at.width,
                    shape: out.plan.shape(&ty, option.span),
                    ends,
                    or_none: matches!(clause, Clause::Maybe(_)) || matches!(ty, Type::Maybe(_)),
                    alike: alike(out, option, binder.local, &ty),
                };
                found.push((place.unwrap_or(usize::MAX), argument));
            }
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, argument)| argument).collect()
}

/// The ends of the numbers that a name is one of, or is a set or a list of.
fn domain_ends(out: &Emitter, binder: &Binder) -> Option<(i64, i64)> {
    let (Type::Set(domain)
    | Type::Subsets(domain)
    | Type::List(domain, _)
    | Type::Lists(domain, _)) = &binder.set.ty
    else {
        return None;
    };
    let domain = Some(*domain).filter(|domain| matches!(domain, Domain::Range(_)))?;
    let (low, size) = out.plan.known_domain(domain)?;
    Some((low, low.checked_add(i64::try_from(size).ok()?)?.checked_sub(1)?))
}

/// Classes of members that read alike in the printed form; empty if it shows the member, or more than its columns.
fn alike(out: &Emitter, option: &MoveOption, local: LocalId, ty: &Type) -> Vec<u32> {
    let (Some(template), Type::Kind(kind)) = (&option.template, ty) else { return Vec::new() };
    let names_more = option.clauses.iter().any(|clause| match clause {
        Clause::Let(_, value) => value.any(|part| part.is_local(local)),
        _ => false,
    });
    let columns = printed_columns(template, local, *kind).filter(|_| !names_more);
    let Some(columns) = columns else { return Vec::new() };
    let info = &out.plan.rules.kinds[kind.index()];
    let mut known: BTreeMap<Vec<&Value>, u32> = BTreeMap::new();
    let mut numbers = Vec::with_capacity(info.members.len());
    for member in 0..info.members.len() {
        let cells = columns.iter().map(|at| info.columns[*at].cells.get(member));
        let Some(cells) = cells.collect::<Option<Vec<_>>>() else { return Vec::new() };
        let next = u32::try_from(known.len()).expect("a kind has few members");
        numbers.push(*known.entry(cells).or_insert(next));
    }
    numbers
}

/// The columns by which a printed form names a member, if it has no other part of it; none if it has nothing.
fn printed_columns(template: &Expr, local: LocalId, kind: KindId) -> Option<BTreeSet<usize>> {
    let ExprKind::Text(parts) = &template.kind else { return None };
    let mut columns = BTreeSet::new();
    for part in parts {
        let TextPart::Hole(hole) = part else { continue };
        match &hole.kind {
            ExprKind::Column(of, at, member) if *of == kind && member.is_local(local) => {
                columns.insert(*at);
            }
            _ if hole.any(|part| part.is_local(local)) => return None,
            _ => {}
        }
    }
    Some(columns).filter(|columns| !columns.is_empty())
}
