//! Options before their code is written: order of clauses, alike cards, dead moves.

use crate::compile::plan::expr_queries::{bound_by, conjuncts, filtered, joined};
use crate::compile::plan::{factors::FactorSource, facts::Facts};
use crate::compile::scope::BoundLocals;
use crate::rules::protect::protect;
use crate::rules::safety::is_safe;
use crate::rules::{
    Binder, Clause, Domain, Expr, ExprKind, KindShape, LocalId, MoveOption, Type, Value,
};

/// How many combinations are proposed at once at most.
const MOST_PROPOSED: usize = 1 << 16;
/// A local of what is picked from; no rule has as many locals.
pub(in crate::compile) const PICKED: LocalId = LocalId(u32::MAX >> 1);

impl Facts<'_, '_> {
    /// True if an option can never be legal and leaves no trace: a condition fails, and nothing before it can trap.
    pub(in crate::compile) fn never_legal(self, option: &MoveOption) -> bool {
        let fails = |condition: &Expr| self.known(condition) == Some(false);
        let is_empty = |set: &Expr| self.fold(set) == Some(Value::Set(Vec::new()));
        let may_stop = |expr: &Expr| !is_safe(expr) && self.fold(expr).is_none();
        for clause in self.schedule_clauses(&option.clauses) {
            let (never, stops) = match &clause {
                Clause::When(condition) => (fails(condition), may_stop(condition)),
                Clause::Let(_, value) => (false, may_stop(value)),
                Clause::For(Binder { set, condition, .. })
                | Clause::Maybe(Binder { set, condition, .. }) => {
                    let condition = condition.as_deref();
                    let never = is_empty(set) || condition.is_some_and(fails) && !may_stop(set);
                    let is_optional = matches!(clause, Clause::Maybe(_));
                    (never && !is_optional, may_stop(set) || condition.is_some_and(may_stop))
                }
            };
            if never || stops {
                return never;
            }
        }
        false
    }

    /// The first clauses, if they are sets that are proposed together, and the test that follows. It pays
    /// where a move takes a long test, or where each combination takes a step that often leads somewhere.
    /// Where conditions relate members of several sets, few combinations are legal, and loops find them
    /// sooner.
    pub(in crate::compile) fn proposed_sets(
        self,
        clauses: &[Clause],
    ) -> Option<(Vec<FactorSource<'_>>, &[Clause])> {
        let size = |clause: &Clause| match clause {
            Clause::For(Binder { set, .. }) => match set.ty {
                Type::Set(domain) => self.plan.known_domain(domain).map(|(_, size)| size),
                _ => None,
            },
            _ => None,
        };
        let (mut sources, mut combinations) = (Vec::new(), 1);
        for size in clauses.iter().map_while(size) {
            combinations *= size;
            let more = self.factors(&clauses[..=sources.len()]);
            let Some(more) = more.filter(|_| combinations <= MOST_PROPOSED) else { break };
            // The members are found before the first test, which may trap.
            if !more.iter().all(|source| self.cannot_trap(source.binder)) {
                break;
            }
            sources = more;
        }
        let test = &clauses[sources.len()..];
        let pays = is_long_test(test)
            || matches!(test.first(), Some(Clause::For(_))) && has_one_move_at_most(test);
        (pays && !sources.is_empty()).then_some((sources, test))
    }

    /// The clauses, each with only one of the cards that read the same and lie in one pile.
    pub(in crate::compile) fn told_apart(self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        for clause in &mut clauses {
            let (Clause::For(binder) | Clause::Maybe(binder)) = clause else { continue };
            if let Some(members) = self.members_of_span(binder, &[]) {
                *binder = members;
            }
            let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = binder.set.ty
            else {
                continue;
            };
            let kind = &self.plan.rules.kinds[kind.index()];
            let faces = kind.columns.first().map(|column| column.cells.as_slice());
            let several = faces.is_some_and(|faces| faces.windows(2).any(|two| two[0] == two[1]));
            if matches!(kind.shape, KindShape::Cards(_)) && several {
                one_of_each(binder);
            }
        }
        clauses
    }

    /// Whether a condition of an option cannot hold, by the ends of what it compares.
    pub(in crate::compile) fn is_barred(self, option: &MoveOption) -> bool {
        let mut names = BoundLocals::new();
        option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => self.is_known(condition, false, &names),
            Clause::For(binder) => {
                self.note_bounds(binder, &mut names);
                let condition = binder.condition.as_ref();
                condition.is_some_and(|condition| self.is_known(condition, false, &names))
            }
            Clause::Let(local, value) => {
                if let Some(bounds) = self.bounds(value, &names) {
                    names.insert(*local, bounds);
                }
                false
            }
            Clause::Maybe(_) => false,
        })
    }

    /// The clauses, each `when` as early as what it reads is bound, but after those above it: these
    /// may tell that a name in it is not none. Only conditions that cannot trap are moved: another
    /// clause may be there to protect the others. One that calls a rule hides no trap of another clause.
    pub(in crate::compile) fn schedule_clauses(self, clauses: &[Clause]) -> Vec<Clause> {
        let mut scheduled: Vec<Clause> = Vec::new();
        for clause in clauses {
            let at = match clause {
                Clause::When(condition) if is_safe(condition) => {
                    let calls = self.plan.is_calling(condition);
                    let holds = |clause: &Clause| {
                        let mut traps = false;
                        clause.visit_exprs(&mut |part| traps |= calls && !is_safe(part));
                        traps || holds_back(clause, condition)
                    };
                    scheduled.iter().rposition(holds).map_or(0, |at| at + 1)
                }
                _ => scheduled.len(),
            };
            scheduled.insert(at, clause.clone());
        }
        scheduled
    }
}

/// Leaves one of the cards or subsets that read the same. Subsets are tested afterwards, whole.
fn one_of_each(binder: &mut Binder) {
    let mut set = binder.set.in_any_order().clone();
    if matches!(set.ty, Type::Set(_)) {
        set = filtered(set, binder);
        binder.condition = None;
    }
    let (ty, span) = (set.ty.clone(), set.span);
    let distinct = Expr { kind: ExprKind::Distinct(Box::new(set)), ty, span };
    replace_members(&mut binder.set, distinct);
}

/// Puts a set in place of the one inside of what gives it an order.
fn replace_members(set: &mut Expr, members: Expr) {
    match &mut set.kind {
        ExprKind::From(inner, _) | ExprKind::Backwards(inner) => replace_members(inner, members),
        _ => *set = members,
    }
}

/// Whether a condition must not be tested before a clause: it reads what the clause binds, or a name of which the
/// clause may tell that it is not none.
fn holds_back(clause: &Clause, condition: &Expr) -> bool {
    let tells = match clause {
        Clause::For(Binder { local, condition: Some(tests), .. })
        | Clause::Maybe(Binder { local, condition: Some(tests), .. }) => {
            protect(&[tests, condition], Some(*local))
        }
        _ => false,
    };
    tells || bound_by(clause).is_none_or(|local| condition.reads_local(local))
}

/// The clauses, each test of a member that cannot trap as a condition of its binder: all members are tested at once.
pub(in crate::compile) fn tested_within(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut within: Vec<Clause> = Vec::new();
    for clause in clauses {
        if let (Some(Clause::For(Binder { local, set, condition })), Clause::When(test)) =
            (within.last_mut(), &clause)
            && matches!(set.ty, Type::Set(_))
            && !matches!(set.kind, ExprKind::Distinct(_))
            && test.reads_local(*local)
            && is_safe(test)
        {
            let tests: Vec<&Expr> = condition.as_deref().into_iter().chain([test]).collect();
            *condition = joined(&tests).map(Box::new);
        } else {
            within.push(clause);
        }
    }
    within
}

/// The clauses, with the conditions of the last binder after it from the first one on that takes long.
pub(in crate::compile) fn tested_last(mut clauses: Vec<Clause>) -> Vec<Clause> {
    let Some(Clause::For(binder)) = clauses.last_mut() else { return clauses };
    let parts = conjuncts(binder.condition.as_deref());
    let at = parts.iter().position(|part| takes_long(part)).unwrap_or(parts.len());
    let later = joined(&parts[at..]);
    let sooner = joined(&parts[..at]).map(Box::new);
    if later.is_some() {
        binder.condition = sooner;
    }
    clauses.extend(later.map(Clause::When));
    clauses
}

/// Whether these clauses bind no member of a set, and the first takes long.
pub(in crate::compile) fn is_long_test(clauses: &[Clause]) -> bool {
    let is_test = |clause: &Clause| matches!(clause, Clause::When(_) | Clause::Let(..));
    let first = match clauses.first() {
        Some(Clause::When(value) | Clause::Let(_, value)) => takes_long(value),
        _ => false,
    };
    first && clauses.iter().all(is_test)
}

/// Whether these clauses are tests, which leave one move or none.
pub(super) fn has_one_move_at_most(clauses: &[Clause]) -> bool {
    let is_single = |clause: &Clause| match clause {
        Clause::When(_) | Clause::Let(..) => true,
        Clause::For(binder) => matches!(binder.set.ty, Type::Maybe(_)),
        Clause::Maybe(_) => false,
    };
    clauses.iter().all(is_single)
}

/// True for calls: short rules are inlined by now.
fn takes_long(expr: &Expr) -> bool {
    expr.any(|part| matches!(part.kind, ExprKind::Call(..) | ExprKind::Suppose(..)))
}
