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
use crate::compile::code::position_of;
use crate::compile::forms::SetForm;
use crate::compile::set_predicates::PredicateMember;
use crate::compile::statements::single;
use crate::compile::{Compiler, Pass, SlotRange};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{
    Array, Binder, Block, BoardWalk, Domain, Expr, ExprKind, LocalId, Stmt, StmtKind, Value,
};

/// Where a loop asks more than this of a cell, it stays a loop: each question can double what follows.
const MOST_CONDITIONS: usize = 6;

/// A loop over the cells of rays from one cell.
struct Rounds<'e> {
    walk: &'e BoardWalk,
    /// The directions, if they are known: else that of the walk.
    ways: Option<Vec<usize>>,
    local: LocalId,
    body: &'e Block,
}

/// What the rounds of a loop do, each for one cell that is met first.
struct SweepOutcome<'e> {
    about: PredicateMember,
    all: Vec<i64>,
    /// The set that cells are put into, once one is.
    into: Option<LocalId>,
    /// What is asked of a cell.
    conditions: Vec<&'e Expr>,
    /// The cells that are put in when they are met.
    found: SetForm<'e>,
    /// The cells behind which the loop does not go.
    stops: SetForm<'e>,
}

impl Compiler<'_> {
    /// Compiles a loop that only gathers cells along rays; no if it does more.
    pub(super) fn sweep(&mut self, binder: &Binder, body: &Block) -> bool {
        let rounds = self.rounds(binder, body).filter(|_| self.tries(Pass::Sweeps));
        let Some(rounds) = rounds else { return false };
        let Some(domain) = finite(&rounds.walk.set.ty) else { return false };
        let Some(SweepOutcome { into: Some(into), found, stops, .. }) =
            self.outcome(&rounds, domain)
        else {
            return false;
        };
        let SlotRange { at: into, width } = self.local_slots(into);
        if usize::from(width) > rays::MOST_WORDS {
            return false;
        }
        let Some(rays) = self.rays(&rounds, width) else { return false };
        let from = match &rounds.ways {
            Some(_) => self.word(&rounds.walk.start),
            None => self.ray_from(rounds.walk),
        };
        let SlotRange { at: stop, .. } = self.members_of_form(&stops, domain);
        self.fires(Pass::Sweeps);
        let seen = self.take(width);
        self.code.emit(Op::Sweep { dst: seen.at, rays, from, stop, width });
        self.apply(seen, &found, seen, domain);
        self.code.emit(Op::Union { dst: into, a: into, b: seen.at, width });
        true
    }

    /// A loop along a ray, or one over known directions with such a loop in it.
    fn rounds<'e>(&self, binder: &'e Binder, body: &'e Block) -> Option<Rounds<'e>> {
        if binder.condition.is_some() {
            return None;
        }
        if let ExprKind::Walk(walk) = &binder.set.kind {
            let is_whole = matches!(walk.set.kind, ExprKind::Element(Array::Table(_), ..));
            let ways = match self.fold(&walk.direction) {
                Some(Value::Int(way)) => Some(ways([way])?),
                _ => None,
            };
            return is_whole.then_some(Rounds { walk, ways, local: binder.local, body });
        }
        let [Stmt { kind: StmtKind::For { binder: inner, from: None, body }, .. }] = &body[..]
        else {
            return None;
        };
        let Value::Set(members) = self.fold(binder.set.in_any_order())? else { return None };
        let ExprKind::Walk(walk) = &inner.set.kind else { return None };
        if !walk.direction.is_local(binder.local) || walk.start.reads_local(binder.local) {
            return None;
        }
        Some(Rounds { ways: Some(ways(members)?), ..self.rounds(inner, body)? })
    }

    /// What comes of all rounds; none if they do more than to put cells into a set.
    fn outcome<'e>(&self, rounds: &Rounds<'e>, domain: Domain) -> Option<SweepOutcome<'e>> {
        let mut outcome = SweepOutcome {
            about: PredicateMember::given(rounds.local, domain, &[]),
            all: self.all_members(domain)?,
            into: None,
            conditions: Vec::new(),
            found: SetForm::Known(Vec::new()),
            stops: SetForm::Known(Vec::new()),
        };
        let cells = SetForm::Known(outcome.all.clone());
        self.follow(rounds.body, cells, &mut outcome)?;
        // What is found must not change where it goes.
        let into = outcome.into?;
        let mut read = outcome.conditions.iter().copied().chain([&rounds.walk.start]);
        (!read.any(|expr| expr.reads_local(into))
            && !protect(&outcome.conditions, Some(rounds.local)))
        .then_some(outcome)
    }

    /// Follows cells through statements; returns those that come to the end of them.
    fn follow<'e>(
        &self,
        body: &'e Block,
        mut cells: SetForm<'e>,
        outcome: &mut SweepOutcome<'e>,
    ) -> Option<SetForm<'e>> {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Break => {
                    outcome.stops = take(&mut outcome.stops).or(take(&mut cells), &outcome.all);
                }
                StmtKind::Continue => cells = SetForm::Known(Vec::new()),
                StmtKind::Change { place, add: true, value } => {
                    let ExprKind::Local(into) = place.kind else { return None };
                    let is_cell = single(value)?.is_local(outcome.about.local);
                    let fits = finite(&place.ty) == Some(outcome.about.domain);
                    if !is_cell || !fits || outcome.into.is_some_and(|other| other != into) {
                        return None;
                    }
                    outcome.into = Some(into);
                    outcome.found = take(&mut outcome.found).or(cells.clone(), &outcome.all);
                }
                StmtKind::If { condition, then, otherwise } => {
                    outcome.conditions.push(condition);
                    if outcome.conditions.len() > MOST_CONDITIONS {
                        return None;
                    }
                    let holds = self.form(condition, outcome.about)?;
                    let fails = holds.clone().negated(&outcome.all);
                    let (yes, no) =
                        (cells.clone().and(holds, &outcome.all), cells.and(fails, &outcome.all));
                    let yes = self.follow(then, yes, outcome)?;
                    cells = yes.or(self.follow(otherwise, no, outcome)?, &outcome.all);
                }
                _ => return None,
            }
        }
        Some(cells)
    }

    /// The number of a cell and a direction among those of all directions, the direction first.
    fn ray_from(&mut self, walk: &BoardWalk) -> u16 {
        let size = self.rules.kinds[walk.board.index()].members.len();
        let (a, b) = (self.word(&walk.direction), self.word(&walk.start));
        let (dst, size) = (self.take(1).at, self.code.fit(size, "cells"));
        self.code.emit(Op::Scale { dst, a, size, b });
        dst
    }

    /// The rays of a loop; none where one lies neither in the order of the board nor against it.
    fn rays(&mut self, rounds: &Rounds, width: u16) -> Option<u16> {
        let (rules, width) = (self.rules, usize::from(width));
        let table = &rules.tables[rounds.walk.step.index()];
        let size = rules.kinds[rounds.walk.board.index()].members.len();
        self.budget.charge(table.cells.len());
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
        let at = position_of(&mut self.code.rays, rays);
        Some(self.code.fit(at, "rays"))
    }
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

/// The numbers of known directions.
fn ways(members: impl IntoIterator<Item = i64>) -> Option<Vec<usize>> {
    members.into_iter().map(|way| usize::try_from(way).ok()).collect()
}

fn take<'e>(form: &mut SetForm<'e>) -> SetForm<'e> {
    std::mem::replace(form, SetForm::Known(Vec::new()))
}
