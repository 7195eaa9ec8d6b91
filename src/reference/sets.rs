//! Sets, subsets and lists: which members a form visits, in which order, and what it makes of them.
//!
//! `visited` are the members before any `where`, `candidates` the same for a binder, `all_fitting` those that fulfil
//! the `where`, and `each_fitting` visits these one after the other.

use std::collections::BTreeSet;

use crate::rules::{Arith, Binder, BoardWalk, Expr, ExprKind, SubsetBound, Type};
use crate::syntax::ast::FoldWord;

use crate::reference::Reference;
use crate::reference::expressions::compute_arith;
use crate::reference::values::{Datum, Halt, Run, to_index, to_number};

/// `subsets of` makes so many at most.
const MOST_SUBSETS: usize = 1 << 16;

/// Lists with more elements together fill the memory.
const MOST_ELEMENTS: usize = 1 << 22;

/// A range of more numbers is not visited.
const LONGEST: i64 = 1_000_000;

impl Reference<'_> {
    /// The members of what a `for` or a fold visits, in its order, before any `where`.
    pub(super) fn visited(&mut self, set: &Expr) -> Run<Vec<Datum>> {
        match &set.kind {
            ExprKind::From(set, start) => {
                let members = self.eval(set)?.to_set();
                let start = self.eval(start)?.to_int();
                Ok(cyclic(&members, start).into_iter().map(Datum::Int).collect())
            }
            ExprKind::Backwards(inner) => self.members_backwards(inner),
            ExprKind::Walk(walk) => {
                let members = self.eval(&walk.set)?.to_set();
                let mut cells = self.walk(walk)?;
                cells.retain(|cell| members.contains(cell));
                Ok(cells.into_iter().map(Datum::Int).collect())
            }
            ExprKind::Subsets(of, size) => {
                let members = self.eval(of)?.to_set();
                self.visit_subsets(&members, size.as_ref(), &|_, _| false)
            }
            _ => match self.eval(set)? {
                Datum::List(elements) => Ok(elements.into_iter().map(Datum::Int).collect()),
                Datum::Span(low, high) if high.saturating_sub(low) > LONGEST => {
                    Err(Halt::Bound("a loop goes on too long"))
                }
                members => Ok(members.to_set().into_iter().map(Datum::Int).collect()),
            },
        }
    }

    /// "Of cards that look alike only the first are taken."
    pub(super) fn visit_subsets(
        &mut self,
        members: &BTreeSet<i64>,
        size: Option<&SubsetBound>,
        are_alike: &dyn Fn(i64, i64) -> bool,
    ) -> Run<Vec<Datum>> {
        let sizes = match size {
            None => (0, members.len()),
            Some(SubsetBound { up_to, size }) => match usize::try_from(self.eval(size)?.to_int()) {
                Ok(most) => (if *up_to { 0 } else { most }, most),
                Err(_) => return Ok(Vec::new()),
            },
        };
        let members = members.iter().copied().collect::<Vec<_>>();
        let (left, found) = (members.len(), Vec::new());
        let mut subsets = Subsets { members, sizes, are_alike, found };
        subsets.extend(left, &BTreeSet::new())?;
        Ok(subsets.found)
    }

    /// The members in descending order; with `from m`, `m` still comes first.
    fn members_backwards(&mut self, set: &Expr) -> Run<Vec<Datum>> {
        let (of, start) = match &set.kind {
            ExprKind::From(of, start) => (of.as_ref(), Some(start)),
            _ => (set, None),
        };
        let mut course = self.visited(of)?;
        course.reverse();
        let Some(start) = start else { return Ok(course) };
        let start = self.eval(start)?.to_int();
        let (up_to, behind): (Vec<_>, Vec<_>) =
            course.into_iter().partition(|member| member.to_int() <= start);
        Ok(up_to.into_iter().chain(behind).collect())
    }

    /// The cells from another on in a direction, the nearest first.
    fn walk(&mut self, walk: &BoardWalk) -> Run<Vec<i64>> {
        let start = self.eval(&walk.start)?.to_int();
        let direction = self.eval(&walk.direction)?.to_int();
        let size = self.rules.kinds[walk.board.index()].members.len();
        let steps = &self.rules.tables[walk.step.index()].cells;
        let (mut cells, mut at) = (Vec::new(), start);
        while let Datum::Int(next) =
            Datum::from_value(&steps[to_index(direction) * size + to_index(at)])
        {
            if next == start {
                break;
            }
            cells.push(next);
            at = next;
        }
        Ok(cells)
    }

    /// Visits the members that fulfil the `where` of a binder, until `each` returns no.
    pub(super) fn visit_fitting(
        &mut self,
        binder: &Binder,
        each: &mut dyn FnMut(&mut Self, Datum) -> Run<bool>,
    ) -> Run {
        for member in self.candidates(binder)? {
            self.frame.set_local(binder.local, member.clone());
            if self.holds_if_any(binder.condition.as_deref())? && !each(self, member)? {
                break;
            }
        }
        Ok(())
    }

    /// What a binder visits before its `where`; `lists of` asks the list so far how it may grow.
    pub(super) fn candidates(&mut self, of: &Binder) -> Run<Vec<Datum>> {
        let (ExprKind::Lists(next), Type::Lists(_, most)) = (&of.set.kind, &of.set.ty) else {
            return self.visited(&of.set);
        };
        let (mut all, mut open, mut elements) = (Vec::new(), vec![Vec::new()], 0);
        // Depth first: a list comes before those that begin with it.
        while let Some(list) = open.pop() {
            elements += list.len();
            if elements > MOST_ELEMENTS {
                return Err(Halt::Bound("there are too many lists"));
            }
            if !list.is_empty() {
                all.push(Datum::List(list.clone()));
            }
            if list.len() == usize::from(*most) {
                continue;
            }
            self.frame.set_local(of.local, Datum::List(list.clone()));
            let longer = self.eval(next)?.to_set();
            open.extend(longer.into_iter().rev().map(|it| [list.as_slice(), &[it]].concat()));
        }
        Ok(all)
    }

    /// The members that fulfil the `where` of a binder now.
    pub(super) fn all_fitting(&mut self, binder: &Binder) -> Run<Vec<Datum>> {
        let mut found = Vec::new();
        self.visit_fitting(binder, &mut |_, member| {
            found.push(member);
            Ok(true)
        })?;
        Ok(found)
    }

    /// What a fold makes of the members of its binder.
    pub(super) fn eval_fold(
        &mut self,
        word: FoldWord,
        binder: &Binder,
        body: &[Expr],
    ) -> Run<Datum> {
        match word {
            FoldWord::Any => {
                let fulfilling = self.fulfilling(binder, (body, true), true)?;
                Ok(Datum::yes(!fulfilling.is_empty()))
            }
            FoldWord::All => {
                let failing = self.fulfilling(binder, (body, false), true)?;
                Ok(Datum::yes(failing.is_empty()))
            }
            FoldWord::Count => {
                let found = self.fulfilling(binder, (body, true), false)?;
                Ok(Datum::Int(to_number(found.len())))
            }
            FoldWord::First => {
                let found = self.fulfilling(binder, (body, true), true)?;
                Ok(found.into_iter().next().unwrap_or(Datum::None))
            }
            FoldWord::Last => {
                let found = self.fulfilling(binder, (body, true), false)?;
                Ok(found.into_iter().next_back().unwrap_or(Datum::None))
            }
            FoldWord::Only => {
                let mut found = self.fulfilling(binder, (body, true), false)?;
                let only = found.pop().filter(|_| found.is_empty());
                only.ok_or(Halt::Trap("NotOne"))
            }
            FoldWord::Sum => {
                let keyed = self.keyed(binder, body)?;
                let add = |sum: Datum, (keys, _): &(Vec<Datum>, Datum)| {
                    compute_arith(Arith::Add, sum.to_int(), keys[0].to_int())
                };
                keyed.iter().try_fold(Datum::Int(0), add)
            }
            FoldWord::Min | FoldWord::Max => {
                let keyed = self.keyed(binder, body)?;
                let values = keyed.iter().map(|(keys, _)| keys[0].to_int());
                let best = if word == FoldWord::Min { values.min() } else { values.max() };
                best.map(Datum::Int).ok_or(Halt::Trap("NothingToCompare"))
            }
            FoldWord::Highest | FoldWord::Lowest => {
                let keyed = self.keyed(binder, body)?;
                let keys = keyed.iter().map(|(keys, _)| keys.clone());
                let best = if word == FoldWord::Highest { keys.max() } else { keys.min() };
                let best = keyed.iter().filter(|(keys, _)| Some(keys) == best.as_ref());
                Ok(Datum::Set(best.map(|(_, member)| member.to_int()).collect()))
            }
        }
    }

    /// The members for which a condition has this value, or only the first of them.
    fn fulfilling(
        &mut self,
        binder: &Binder,
        (body, wanted): (&[Expr], bool),
        only_first: bool,
    ) -> Run<Vec<Datum>> {
        let mut found = Vec::new();
        self.visit_fitting(binder, &mut |reference, member| {
            if reference.holds_if_any(body.first())? == wanted {
                found.push(member);
            }
            Ok(!only_first || found.is_empty())
        })?;
        Ok(found)
    }

    /// The members, each with the values of its keys.
    fn keyed(&mut self, binder: &Binder, body: &[Expr]) -> Run<Vec<(Vec<Datum>, Datum)>> {
        let mut keyed = Vec::new();
        self.visit_fitting(binder, &mut |reference, member| {
            let keys = body.iter().map(|key| reference.eval(key));
            keyed.push((keys.collect::<Result<_, _>>()?, member));
            Ok(true)
        })?;
        Ok(keyed)
    }
}

/// The members in order, beginning at one, and round.
pub(super) fn cyclic(members: &BTreeSet<i64>, start: i64) -> Vec<i64> {
    members.range(start..).chain(members.range(..start)).copied().collect()
}

/// The subsets of the first of some members, as one counts: the first member changes fastest.
struct Subsets<'a> {
    members: Vec<i64>,
    /// How many members each may have.
    sizes: (usize, usize),
    are_alike: &'a dyn Fn(i64, i64) -> bool,
    found: Vec<Datum>,
}

impl Subsets<'_> {
    /// Adds those of the first `left` members that can be joined to `taken`, which come after them. A member that is
    /// like one of `taken` is taken, too.
    fn extend(&mut self, left: usize, taken: &BTreeSet<i64>) -> Run {
        let (least, most) = self.sizes;
        if taken.len() > most || taken.len() + left < least {
            return Ok(());
        }
        let Some(before) = left.checked_sub(1) else {
            self.found.push(Datum::Set(taken.clone()));
            let fits = self.found.len() <= MOST_SUBSETS;
            return if fits { Ok(()) } else { Err(Halt::Trap("TooManySubsets")) };
        };
        let member = self.members[before];
        if !taken.iter().any(|other| (self.are_alike)(member, *other)) {
            self.extend(before, taken)?;
        }
        self.extend(before, &taken.iter().copied().chain([member]).collect())
    }
}
