//! Loops that walk along rays up to what stands in the way, as operations on whole sets.
//!
//! ```text
//! for d in orthogonal {
//!   for x in ray(c, d) {
//!     if at[x] != none { break }
//!     found += x
//!   }
//! }
//! ```

use crate::bytecode::{Op, Rays, rays, sets};
use crate::compile::emit::{Emitter, filters::apply_form, form_members::members_of_form};
use crate::compile::plan::ray_loops::{Rounds, SweepOutcome};
use crate::compile::{code::position_or_push, passes::Pass, scope::SlotRange};
use crate::eval::finite;
use crate::rules::{Binder, Block, BoardWalk, Value};

/// Compiles a loop that only gathers cells along rays; no if it does more.
#[must_use]
pub(super) fn try_emit_sweep(out: &mut Emitter, binder: &Binder, body: &Block) -> bool {
    let rounds = out.facts().ray_loop(binder, body).filter(|_| out.plan.tries(Pass::Sweeps));
    let Some(rounds) = rounds else { return false };
    let Some(domain) = finite(&rounds.walk.set.ty) else { return false };
    let Some(SweepOutcome { into: Some(into), found, stops, .. }) =
        out.facts().sweep_outcome(&rounds, domain)
    else {
        return false;
    };
    let SlotRange { at: into, width } = out.body.local_slots(into);
    if usize::from(width) > rays::MOST_WORDS {
        return false;
    }
    let Some(rays) = intern_rays(out, &rounds, width) else { return false };
    let from = match &rounds.ways {
        Some(_) => out.word(&rounds.walk.start),
        None => ray_from(out, rounds.walk),
    };
    let SlotRange { at: stop, .. } = members_of_form(out, &stops, domain);
    out.plan.fires(Pass::Sweeps);
    let seen = out.allocate(width);
    out.code.emit(Op::Sweep { dst: seen.at, rays, from, stop, width });
    apply_form(out, seen, &found, seen, domain);
    out.code.emit(Op::Union { dst: into, a: into, b: seen.at, width });
    true
}

/// The number of a cell and a direction among those of all directions, the direction first.
fn ray_from(out: &mut Emitter, walk: &BoardWalk) -> u16 {
    let size = out.plan.rules.kinds[walk.board.index()].members.len();
    let (a, b) = (out.word(&walk.direction), out.word(&walk.start));
    let (dst, size) = (out.allocate(1).at, out.code.fit(size, "cells"));
    out.code.emit(Op::Scale { dst, a, size, b });
    dst
}

/// The rays of a loop; none where one lies neither in the order of the board nor against it.
fn intern_rays(out: &mut Emitter, rounds: &Rounds, width: u16) -> Option<u16> {
    let (rules, width) = (out.plan.rules, usize::from(width));
    let table = &rules.tables[rounds.walk.step.index()];
    let size = rules.kinds[rounds.walk.board.index()].members.len();
    out.plan.budget.charge(table.cells.len());
    let steps: Vec<&[Value]> = table.cells.chunks(size).collect();
    // Those that begin at each cell, of all directions together or of one after the other.
    let together = match &rounds.ways {
        Some(ways) => vec![ways.clone()],
        None => (0..steps.len()).map(|way| vec![way]).collect(),
    };
    let mut begins: Vec<[Vec<Vec<i64>>; 2]> = Vec::new();
    for ways in together {
        for from in 0..size {
            let mut pairs = [Vec::new(), Vec::new()];
            for way in &ways {
                let (is_later, ray) = ray(steps.get(*way)?, from)?;
                let mut cells = vec![0; width];
                ray.into_iter().for_each(|cell| sets::set_bit(&mut cells, cell, true));
                pairs[usize::from(!is_later)].push(cells);
            }
            begins.push(pairs);
        }
    }
    let pairs = begins.iter().flatten().map(Vec::len).max()?;
    let set = |rays: &Vec<Vec<i64>>, at: usize| rays.get(at).cloned().unwrap_or(vec![0; width]);
    let pair = |[later, earlier]: &[Vec<Vec<i64>>; 2], at| [set(later, at), set(earlier, at)];
    let sets = begins.iter().flat_map(|rays| (0..pairs).map(|at| pair(rays, at)));
    let rays = Rays::new(width, pairs, &sets.collect::<Vec<_>>());
    let at = position_or_push(&mut out.code.rays, rays);
    Some(out.code.fit(at, "rays"))
}

/// The cells of a ray, and whether they lie behind the one that it begins at; none if only some do.
fn ray(steps: &[Value], from: usize) -> Option<(bool, Vec<usize>)> {
    let mut cells = vec![from];
    while let Some(Value::Int(to)) = cells.last().and_then(|cell| steps.get(*cell))
        && let Ok(to) = usize::try_from(*to)
        && to != from
        && cells.len() <= steps.len()
    {
        cells.push(to);
    }
    let is_later = cells.is_sorted();
    let is_straight = is_later || cells.is_sorted_by(|a, b| a > b);
    cells.remove(0);
    is_straight.then_some((is_later, cells))
}
