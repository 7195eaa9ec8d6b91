//! Recognises loops that only gather cells along rays.

use crate::compile::plan::forms::{PredicateMember, SetForm};
use crate::compile::plan::{expr_queries::single, facts::Facts};
use crate::eval::finite;
use crate::rules::protect::protect;
use crate::rules::{
    Array, Binder, Block, BoardWalk, Domain, Expr, ExprKind, LocalId, Stmt, StmtKind, Value,
};

/// Where a loop asks more than this of a cell, it stays a loop: each question can double what follows.
const MOST_CONDITIONS: usize = 6;

/// A loop over the cells of rays from one cell.
pub(in crate::compile) struct Rounds<'e> {
    pub(in crate::compile) walk: &'e BoardWalk,
    /// The directions, if they are known: else that of the walk.
    pub(in crate::compile) ways: Option<Vec<usize>>,
    pub(in crate::compile) local: LocalId,
    pub(in crate::compile) body: &'e Block,
}

/// What the rounds of a loop do, each for one cell that is met first.
pub(in crate::compile) struct SweepOutcome<'e> {
    pub(in crate::compile) about: PredicateMember,
    pub(in crate::compile) all: Vec<i64>,
    /// The set that cells are put into, once one is.
    pub(in crate::compile) into: Option<LocalId>,
    /// What is asked of a cell.
    pub(in crate::compile) conditions: Vec<&'e Expr>,
    /// The cells that are put in when they are met.
    pub(in crate::compile) found: SetForm<'e>,
    /// The cells behind which the loop does not go.
    pub(in crate::compile) stops: SetForm<'e>,
}

impl Facts<'_, '_> {
    /// A loop along a ray, or one over known directions with such a loop in it.
    pub(in crate::compile) fn ray_loop<'e>(
        self,
        binder: &'e Binder,
        body: &'e Block,
    ) -> Option<Rounds<'e>> {
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
        Some(Rounds { ways: Some(ways(members)?), ..self.ray_loop(inner, body)? })
    }

    /// The effect of all rounds, if they only put cells into a set.
    pub(in crate::compile) fn sweep_outcome<'e>(
        self,
        rounds: &Rounds<'e>,
        domain: Domain,
    ) -> Option<SweepOutcome<'e>> {
        let mut outcome = SweepOutcome {
            about: PredicateMember::given(rounds.local, domain, &[]),
            all: self.plan.all_members(domain)?,
            into: None,
            conditions: Vec::new(),
            found: SetForm::Known(Vec::new()),
            stops: SetForm::Known(Vec::new()),
        };
        let cells = SetForm::Known(outcome.all.clone());
        self.follow_cells(rounds.body, cells, &mut outcome)?;
        // What is found must not change where it goes.
        let into = outcome.into?;
        let mut read = outcome.conditions.iter().copied().chain([&rounds.walk.start]);
        (!read.any(|expr| expr.reads_local(into))
            && !protect(&outcome.conditions, Some(rounds.local)))
        .then_some(outcome)
    }

    /// Follows cells through statements; returns those that come to the end of them.
    fn follow_cells<'e>(
        self,
        body: &'e Block,
        mut cells: SetForm<'e>,
        outcome: &mut SweepOutcome<'e>,
    ) -> Option<SetForm<'e>> {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Break => {
                    outcome.stops =
                        take_form(&mut outcome.stops).or(take_form(&mut cells), &outcome.all);
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
                    outcome.found = take_form(&mut outcome.found).or(cells.clone(), &outcome.all);
                }
                StmtKind::If { condition, then, otherwise } => {
                    outcome.conditions.push(condition);
                    if outcome.conditions.len() > MOST_CONDITIONS {
                        return None;
                    }
                    let holds = self.set_form(condition, outcome.about)?;
                    let fails = holds.clone().negated(&outcome.all);
                    let (yes, no) =
                        (cells.clone().and(holds, &outcome.all), cells.and(fails, &outcome.all));
                    let yes = self.follow_cells(then, yes, outcome)?;
                    cells = yes.or(self.follow_cells(otherwise, no, outcome)?, &outcome.all);
                }
                _ => return None,
            }
        }
        Some(cells)
    }
}

/// The numbers of known directions.
fn ways(members: impl IntoIterator<Item = i64>) -> Option<Vec<usize>> {
    members.into_iter().map(|way| usize::try_from(way).ok()).collect()
}

fn take_form<'e>(form: &mut SetForm<'e>) -> SetForm<'e> {
    std::mem::replace(form, SetForm::Known(Vec::new()))
}
