//! The values of a move: what is printed after its name, and what tells it from the others of its option.

use crate::bytecode::{ArgumentInfo, Format, Manner, Shown};
use crate::compile::compiled::Storage;
use crate::compile::emit::Emitter;
use crate::compile::scope::SlotRange;
use crate::rules::{Clause, Domain, LocalId, MoveOption, Type};
use crate::source::Span;

pub(super) fn shown_argument(out: &mut Emitter, local: LocalId, option: &MoveOption) -> Shown {
    let ty = bound_type(option, local);
    let shape = out.plan.shape(&ty, option.span);
    let format = out.code.format(Format { shape, manner: Manner::Argument });
    let SlotRange { at: slot, width } = argument_slots(out, local, &ty, option.span);
    Shown { slot, width, format }
}

/// The type of a name that an option binds.
fn bound_type(option: &MoveOption, local: LocalId) -> Type {
    let ty = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) | Clause::Maybe(binder) if binder.local == local => {
            Some(binder.set.ty.iterated())
        }
        Clause::Let(bound, value) if *bound == local => Some(value.ty.clone()),
        _ => None,
    });
    ty.expect("checked: only bound names are printed")
}

/// Where a value of a move is kept: in slots that it binds, or among the constants.
fn argument_slots(out: &mut Emitter, local: LocalId, ty: &Type, span: Span) -> SlotRange {
    let width = out.plan.width(ty, span);
    let at = match out.body.locals.get(&local).cloned() {
        Some(Storage::Known(value)) => {
            let words = out.words_of(&value, ty, span);
            out.code.constants(&words)
        }
        _ => out.body.local_slots(local).at,
    };
    SlotRange { at, width }
}

/// What tells the moves of an option apart: the values that it shows, then all others that it ranges over.
pub(super) fn arguments_of(out: &mut Emitter, option: &MoveOption) -> Vec<ArgumentInfo> {
    let (mut names, mut maybe) = (out.body.bounds.clone(), Vec::new());
    let mut locals = option.params.clone();
    for clause in &option.clauses {
        match clause {
            Clause::When(_) => {}
            Clause::Let(local, value) => {
                let ends = out.facts().bounds(value, &names);
                names.extend(ends.map(|ends| (*local, ends)));
            }
            Clause::For(binder) | Clause::Maybe(binder) => {
                out.facts().note_bounds(binder, &mut names);
                locals.extend(Some(binder.local).filter(|local| !option.params.contains(local)));
                maybe.extend(matches!(clause, Clause::Maybe(_)).then_some(binder.local));
            }
        }
    }
    let mut arguments = Vec::with_capacity(locals.len());
    for local in locals {
        let ty = bound_type(option, local);
        let or_none = maybe.contains(&local) || matches!(ty, Type::Maybe(_));
        let SlotRange { at: slot, width } = argument_slots(out, local, &ty, option.span);
        let shape = out.plan.shape(&ty, option.span);
        let ends = names.get(&local).copied().or_else(|| domain_ends(out, option, local));
        arguments.push(ArgumentInfo { slot, width, shape, ends, or_none });
    }
    arguments
}

/// The ends of the numbers that a name of an option is one of, or is a set or a list of.
fn domain_ends(out: &Emitter, option: &MoveOption, local: LocalId) -> Option<(i64, i64)> {
    let ty = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) | Clause::Maybe(binder) if binder.local == local => {
            Some(&binder.set.ty)
        }
        Clause::Let(bound, value) if *bound == local => Some(&value.ty),
        _ => None,
    })?;
    let (Type::Set(domain)
    | Type::Subsets(domain)
    | Type::List(domain, _)
    | Type::Lists(domain, _)) = ty
    else {
        return None;
    };
    let domain = Some(*domain).filter(|domain| matches!(domain, Domain::Range(_)))?;
    let (low, size) = out.plan.known_domain(domain)?;
    Some((low, low.checked_add(i64::try_from(size).ok()?)?.checked_sub(1)?))
}
