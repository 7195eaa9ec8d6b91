//! Sets, subsets and lists: which members a form visits, in which order, and what it makes of them.
//!
//! `visited` are the members before any `where`, `candidates` the same for a binder, `all_fitting` those that fulfil
//! the `where`, and `each_fitting` visits these one after the other.

use std::collections::BTreeSet;

use crate::check::rules::{Arith, Binder, BoardWalk, Domain, Expr, ExprKind, KindShape, Type};
use crate::syntax::ast::FoldWord;

use super::Reference;
use super::expressions::arith;
use super::values::{Datum, Halt, RuleFrame, index, number};

/// `subsets of` takes a set of so many members at most.
const MOST_IN_SUBSETS: usize = 16;

/// Lists with more elements together fill the memory.
const MOST_ELEMENTS: usize = 1 << 22;

/// A range of more numbers is not visited.
const LONGEST: i64 = 1_000_000;

impl<'g> Reference<'g> {
    /// The members of what a `for` or a fold visits, in its order, before any `where`.
    pub(super) fn visited(
        &mut self,
        frame: &mut RuleFrame<'g>,
        set: &Expr,
    ) -> Result<Vec<Datum>, Halt> {
        match &set.kind {
            ExprKind::From(set, start) => {
                let members = self.value(frame, set)?.set();
                let start = self.value(frame, start)?.int();
                Ok(cyclic(&members, start).into_iter().map(Datum::Int).collect())
            }
            ExprKind::Backwards(inner) => self.backwards(frame, inner),
            ExprKind::Walk(walk) => {
                let members = self.value(frame, &walk.set)?.set();
                let mut cells = self.walk(frame, walk)?;
                cells.retain(|cell| members.contains(cell));
                Ok(cells.into_iter().map(Datum::Int).collect())
            }
            ExprKind::Subsets(of) => {
                let members = self.value(frame, of)?.set();
                subsets(&members)
            }
            _ => match self.value(frame, set)? {
                Datum::List(elements) => Ok(elements.into_iter().map(Datum::Int).collect()),
                Datum::Span(low, high) if high.saturating_sub(low) > LONGEST => {
                    Err(Halt::Bound("a loop goes on too long"))
                }
                members => Ok(members.set().into_iter().map(Datum::Int).collect()),
            },
        }
    }

    /// The same against the order; from a member on, that one still comes first.
    fn backwards(&mut self, frame: &mut RuleFrame<'g>, set: &Expr) -> Result<Vec<Datum>, Halt> {
        let (of, start) = match &set.kind {
            ExprKind::From(of, start) => (of.as_ref(), Some(start)),
            _ => (set, None),
        };
        let mut course = self.visited(frame, of)?;
        course.reverse();
        let Some(start) = start else { return Ok(course) };
        let start = self.value(frame, start)?.int();
        let (up_to, behind): (Vec<_>, Vec<_>) =
            course.into_iter().partition(|member| member.int() <= start);
        Ok(up_to.into_iter().chain(behind).collect())
    }

    /// The cells from another on in a direction, the nearest first.
    fn walk(&mut self, frame: &mut RuleFrame<'g>, walk: &BoardWalk) -> Result<Vec<i64>, Halt> {
        let start = self.value(frame, &walk.start)?.int();
        let direction = self.value(frame, &walk.direction)?.int();
        let size = self.rules.kinds[walk.board.index()].members.len();
        let steps = &self.rules.tables[walk.step.index()].cells;
        let (mut cells, mut at) = (Vec::new(), start);
        while let Datum::Int(next) = Datum::of(&steps[index(direction) * size + index(at)]) {
            if next == start {
                break;
            }
            cells.push(next);
            at = next;
        }
        Ok(cells)
    }

    /// Visits the members that fulfil the `where` of a binder, until `each` returns no.
    pub(super) fn each_fitting(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
        each: &mut dyn FnMut(&mut Self, &mut RuleFrame<'g>, Datum) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        for member in self.candidates(frame, binder)? {
            frame.put(binder.local, member.clone());
            let fits = match &binder.condition {
                Some(condition) => self.holds(frame, condition)?,
                None => true,
            };
            if fits && !each(self, frame, member)? {
                break;
            }
        }
        Ok(())
    }

    /// What a binder visits before its `where`; `lists of` asks the list so far how it may grow.
    pub(super) fn candidates(
        &mut self,
        frame: &mut RuleFrame<'g>,
        of: &Binder,
    ) -> Result<Vec<Datum>, Halt> {
        let (ExprKind::Lists(next), Type::Lists(_, most)) = (&of.set.kind, &of.set.ty) else {
            return self.visited(frame, &of.set);
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
            frame.put(of.local, Datum::List(list.clone()));
            let longer = self.value(frame, next)?.set();
            open.extend(longer.into_iter().rev().map(|it| [list.as_slice(), &[it]].concat()));
        }
        Ok(all)
    }

    /// The members that fulfil the `where` of a binder now.
    pub(super) fn all_fitting(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
    ) -> Result<Vec<Datum>, Halt> {
        let mut found = Vec::new();
        self.each_fitting(frame, binder, &mut |_, _, member| {
            found.push(member);
            Ok(true)
        })?;
        Ok(found)
    }

    /// The value of a form that visits the members of a binder.
    pub(super) fn fold_value(
        &mut self,
        frame: &mut RuleFrame<'g>,
        expr: &Expr,
    ) -> Result<Datum, Halt> {
        match &expr.kind {
            ExprKind::Filter(binder) => {
                let found = self.all_fitting(frame, binder)?;
                Ok(Datum::Set(found.iter().map(Datum::int).collect()))
            }
            ExprKind::Image(body, binder) => {
                let mut all = BTreeSet::new();
                self.each_fitting(frame, binder, &mut |reference, frame, _| {
                    all.extend(reference.value(frame, body)?.set());
                    Ok(true)
                })?;
                self.kept_set(all, &expr.ty)
            }
            ExprKind::Fold { word, binder, body } => self.fold(frame, *word, binder, body),
            other => panic!("{other:?} stands only where something goes over it"),
        }
    }

    fn fold(
        &mut self,
        frame: &mut RuleFrame<'g>,
        word: FoldWord,
        binder: &Binder,
        body: &[Expr],
    ) -> Result<Datum, Halt> {
        match word {
            FoldWord::Any | FoldWord::First => {
                let found = self.fulfilling(frame, binder, (body, true), true)?;
                let first = found.into_iter().next();
                Ok(if word == FoldWord::Any {
                    Datum::yes(first.is_some())
                } else {
                    first.unwrap_or(Datum::None)
                })
            }
            FoldWord::All => {
                let failing = self.fulfilling(frame, binder, (body, false), true)?;
                Ok(Datum::yes(failing.is_empty()))
            }
            FoldWord::Count => {
                let found = self.fulfilling(frame, binder, (body, true), false)?;
                Ok(Datum::Int(number(found.len())))
            }
            FoldWord::Last => {
                let found = self.fulfilling(frame, binder, (body, true), false)?;
                Ok(found.into_iter().next_back().unwrap_or(Datum::None))
            }
            FoldWord::Sum | FoldWord::Min | FoldWord::Max => {
                let keyed = self.keyed(frame, binder, body)?;
                combined(word, keyed.iter().map(|(keys, _)| keys[0].int()).collect())
            }
            FoldWord::Highest | FoldWord::Lowest => {
                let keyed = self.keyed(frame, binder, body)?;
                let keys = keyed.iter().map(|(keys, _)| keys.clone());
                let best = if word == FoldWord::Highest { keys.max() } else { keys.min() };
                let best = keyed.iter().filter(|(keys, _)| Some(keys) == best.as_ref());
                Ok(Datum::Set(best.map(|(_, member)| member.int()).collect()))
            }
        }
    }

    /// The members for which a condition has this value, or only the first of them.
    fn fulfilling(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
        (body, wanted): (&[Expr], bool),
        only_first: bool,
    ) -> Result<Vec<Datum>, Halt> {
        let mut found = Vec::new();
        self.each_fitting(frame, binder, &mut |reference, frame, member| {
            let holds = match body.first() {
                Some(condition) => reference.holds(frame, condition)?,
                None => true,
            };
            if holds == wanted {
                found.push(member);
            }
            Ok(!only_first || found.is_empty())
        })?;
        Ok(found)
    }

    /// The members, each with the values of its keys.
    fn keyed(
        &mut self,
        frame: &mut RuleFrame<'g>,
        binder: &Binder,
        body: &[Expr],
    ) -> Result<Vec<(Vec<Datum>, Datum)>, Halt> {
        let mut keyed = Vec::new();
        self.each_fitting(frame, binder, &mut |reference, frame, member| {
            let keys = body.iter().map(|key| reference.value(frame, key));
            keyed.push((keys.collect::<Result<_, _>>()?, member));
            Ok(true)
        })?;
        Ok(keyed)
    }

    /// Whether a set or its subsets are made of cards.
    pub(super) fn are_cards(&self, ty: &Type) -> bool {
        let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = ty else {
            return false;
        };
        matches!(self.rules.kinds[kind.index()].shape, KindShape::Cards(_))
    }
}

/// The members in order, beginning at one, and round.
pub(super) fn cyclic(members: &BTreeSet<i64>, start: i64) -> Vec<i64> {
    members.range(start..).chain(members.range(..start)).copied().collect()
}

/// All subsets, as one counts: the first member changes fastest.
fn subsets(members: &BTreeSet<i64>) -> Result<Vec<Datum>, Halt> {
    if members.len() > MOST_IN_SUBSETS {
        return Err(Halt::Trap("TooManySubsets"));
    }
    let mut subsets = vec![BTreeSet::new()];
    for member in members {
        let with = |subset: &BTreeSet<i64>| subset.iter().chain([member]).copied().collect();
        let more: Vec<BTreeSet<i64>> = subsets.iter().map(with).collect();
        subsets.extend(more);
    }
    Ok(subsets.into_iter().map(Datum::Set).collect())
}

fn combined(word: FoldWord, values: Vec<i64>) -> Result<Datum, Halt> {
    let nothing = || Halt::Trap("NothingToCompare");
    match word {
        FoldWord::Min => values.into_iter().min().map(Datum::Int).ok_or_else(nothing),
        FoldWord::Max => values.into_iter().max().map(Datum::Int).ok_or_else(nothing),
        FoldWord::Sum => {
            let mut sum = 0;
            for value in values {
                sum = arith(Arith::Add, sum, value)?.int();
            }
            Ok(Datum::Int(sum))
        }
        FoldWord::Any
        | FoldWord::All
        | FoldWord::Count
        | FoldWord::First
        | FoldWord::Last
        | FoldWord::Highest
        | FoldWord::Lowest => panic!("{word:?} combines no values"),
    }
}
