//! Arrays of few values, kept as one set for each value.
//!
//! `mark[Square]: maybe Player` that the file filters by, as in `c in Square where mark[c] == none`,
//! is kept as the set of the squares of each player and the set of those of nobody: then the filter
//! is one of these sets, and needs no work at all.

use std::collections::BTreeSet;

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::check::rules::{
    Array, Expr, ExprKind, LocalId, PLAYER, Rules, Type, Value, Var, VarForm, VarId,
};
use crate::check::visit::visit_filters;
use crate::compile::code::Label;
use crate::compile::layout::Place;
use crate::compile::places::Target;
use crate::compile::set_predicates::is_local;
use crate::compile::{Compiler, Slots};
use crate::syntax::ast::Visibility;

/// More values than this are kept element by element.
const MOST_VALUES: usize = 8;

/// How an array is kept as sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    /// How many sets there are for each group of elements.
    pub(super) kept: u16,
    /// Words of one set.
    pub(super) width: u16,
    /// Whether the one set is that of yes; else there is one for each value.
    pub(super) flags: bool,
    /// Whether an element can be none; the last set is that of none.
    pub(super) or_none: bool,
}

impl Sets {
    /// How many values have a set, none aside.
    pub(super) fn values(self) -> u16 {
        self.kept - u16::from(self.or_none)
    }

    /// The position of the set of a value, if it has one.
    pub(super) fn set_of(self, value: i64) -> Option<u16> {
        match (self.flags, value) {
            (true, yes) => (yes != 0).then_some(0),
            (false, NONE) => self.or_none.then_some(self.kept - 1),
            (false, value) => u16::try_from(value).ok().filter(|at| *at < self.values()),
        }
    }
}

/// An element of an array that is kept as sets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    /// Of yes/no: whether a member is in a set.
    Flag { set: u16, width: u16, member: u16 },
    /// Of yes/no: whether a member is in the set at a position.
    FlagAt { base: u16, index: u16, count: u16, width: u16, member: u16 },
    /// In which of the sets a member is.
    Value { base: u16, member: u16, sets: Sets },
}

/// The variables that a file picks members by: with the member as the last index, in a condition.
pub(super) fn filtered(rules: &Rules) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for rule in &rules.rules {
        visit_filters(rule, &mut |binder, body| {
            for condition in binder.condition.iter().map(AsRef::as_ref).chain(body) {
                condition.visit(&mut |part| found.extend(indexed_by(part, binder.local)));
            }
        });
    }
    found
}

/// The variable whose last index is this local.
fn indexed_by(expr: &Expr, local: LocalId) -> Option<VarId> {
    let ExprKind::Element(Array::Var(var), indices) = &expr.kind else { return None };
    indices.last().is_some_and(|last| is_local(last, local)).then_some(*var)
}

impl Compiler<'_> {
    /// How a variable is kept as sets, if it is.
    pub(super) fn as_sets(&self, id: VarId, var: &Var, dims: &[(i64, usize)]) -> Option<Sets> {
        // What not all see is kept element by element, for each may be known to others.
        let open = var.sight == Visibility::All;
        let plain = open && matches!(var.form, VarForm::Plain) && var.range.is_none();
        let filtered = self.prepared.filtered_vars.contains(&id);
        let (_, size) = dims.last().filter(|_| plain && filtered)?;
        let width = u16::try_from(size.div_ceil(64)).ok().filter(|width| *width > 0)?;
        let (values, or_none) = match &var.ty {
            Type::Bool => return Some(Sets { kept: 1, width, flags: true, or_none: false }),
            Type::Maybe(inner) => (self.members_of(inner)? + 1, true),
            other => (self.members_of(other)?, false),
        };
        let kept = u16::try_from(values).ok()?;
        let few = (2..=MOST_VALUES).contains(&values) && dims.len() == 1;
        few.then_some(Sets { kept, width, flags: false, or_none })
    }

    fn members_of(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Kind(PLAYER) => Some(self.setting.players),
            Type::Kind(kind) => Some(self.rules.kinds[kind.index()].members.len()),
            _ => None,
        }
    }

    /// Whether an expression is an element of an array that is kept as sets.
    pub(super) fn is_kept(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Element(Array::Var(var), _) if self.var(*var).sets.is_some())
    }

    /// An element of an array that is kept as sets; nothing for any other place.
    pub(super) fn kept(&mut self, place: &Expr) -> Option<Kept> {
        let ExprKind::Element(Array::Var(var), indices) = &place.kind else { return None };
        let Place { base, sets, ref dims, .. } = *self.var(*var);
        let (sets, dims) = (sets?, dims.clone());
        Some(self.kept_at(base, sets, &dims, indices))
    }

    fn kept_at(&mut self, base: u16, sets: Sets, dims: &[(i64, usize)], indices: &[Expr]) -> Kept {
        let (Some((last, outer)), Some((index, before))) =
            (dims.split_last(), indices.split_last())
        else {
            unreachable!("only arrays are kept as sets")
        };
        let member = self.set_member(*last, index);
        if !sets.flags {
            return Kept::Value { base, member, sets };
        }
        match self.element(base, sets.width, outer, before) {
            Target::Element { base, index, count, width } => {
                Kept::FlagAt { base, index, count, width, member }
            }
            Target::Slots(Slots { at: set, width }) => Kept::Flag { set, width, member },
            Target::Kept(_) => unreachable!("an element of an array of sets is a set"),
        }
    }

    /// An index as the position of a member in a set, checked where it could be outside.
    fn set_member(&mut self, (low, size): (i64, usize), index: &Expr) -> u16 {
        if let Some(at) = self.known_index(low, size, index) {
            return self.code.constant(i64::try_from(at).expect("a set has few members"));
        }
        let a = self.word(index);
        if matches!(index.ty, Type::Kind(_)) {
            return a;
        }
        let outer = std::mem::replace(&mut self.code.span, index.span);
        let dst = self.take(1).at;
        let (low, count) = (self.code.constant(low), self.code.fit(size, "members"));
        self.code.emit(Op::Index { dst, a, low, count });
        self.code.span = outer;
        dst
    }

    /// Continues at `to` if an element of yes/no is `when`.
    pub(super) fn test_kept(&mut self, kept: Kept, when: bool, to: Label) {
        let jump = match kept {
            Kept::Flag { set, width, member } => Op::JumpHas { set, member, width, to },
            Kept::FlagAt { base, index, count, width: 1, member } => {
                Op::JumpHasAt { base, index, count, member, to }
            }
            Kept::FlagAt { base, index, count, width, member } => {
                let set = self.take(width);
                self.load(set, base, index, count);
                Op::JumpHas { set: set.at, member, width, to }
            }
            Kept::Value { .. } => unreachable!("only yes and no are conditions"),
        };
        self.code.branch(jump, when);
    }

    /// Tests whether an element is a value whose set is known; no if it must be looked up.
    pub(super) fn test_value(&mut self, place: &Expr, value: &Expr, when: bool, to: Label) -> bool {
        let ExprKind::Element(Array::Var(var), _) = &place.kind else { return false };
        let Some(sets) = self.var(*var).sets.filter(|sets| !sets.flags) else { return false };
        let set = match self.fold(value) {
            Some(Value::Int(number)) => sets.set_of(number),
            Some(Value::None) => sets.set_of(NONE),
            _ => None,
        };
        let Some(set) = set else { return false };
        let Some(Kept::Value { base, member, .. }) = self.kept(place) else { return false };
        let (set, width) = (base + set * sets.width, sets.width);
        self.code.branch(Op::JumpHas { set, member, width, to }, when);
        true
    }

    /// Reads an element.
    pub(super) fn load_kept(&mut self, kept: Kept, dst: u16) {
        if let Kept::Value { base, member, sets } = kept {
            let (count, width) = (sets.values(), sets.width);
            return self.code.emit(Op::LoadValue { dst, base, member, count, width });
        }
        let (yes, no, end) = (self.code.constant(1), self.code.constant(0), self.code.label());
        self.code.emit(Op::Move { dst, src: no });
        self.test_kept(kept, false, end);
        self.code.emit(Op::Move { dst, src: yes });
        self.code.place(end);
    }

    /// Changes an element.
    pub(super) fn store_kept(&mut self, kept: Kept, src: u16) {
        if let Kept::Value { base, member, sets } = kept {
            let (count, width) = (sets.kept, sets.width);
            return self.code.emit(Op::StoreValue { base, member, src, count, width });
        }
        match self.code.constant_at(src) {
            Some(known) => self.flag(kept, known != 0),
            None => {
                let [no, end] = self.code.labels();
                self.code.emit(Op::JumpIfNot { a: src, to: no });
                self.flag(kept, true);
                self.code.emit(Op::Jump { to: end });
                self.code.place(no);
                self.flag(kept, false);
                self.code.place(end);
            }
        }
    }

    fn flag(&mut self, kept: Kept, yes: bool) {
        self.code.emit(match (kept, yes) {
            (Kept::Flag { set, width, member }, true) => Op::Insert { set, member, width },
            (Kept::Flag { set, width, member }, false) => Op::Remove { set, member, width },
            (Kept::FlagAt { base, index, count, width, member }, true) => {
                Op::InsertAt { base, index, count, member, width }
            }
            (Kept::FlagAt { base, index, count, width, member }, false) => {
                Op::RemoveAt { base, index, count, member, width }
            }
            (Kept::Value { .. }, _) => unreachable!("only yes and no are flags"),
        });
    }

    /// `reset` of one element: it is read from the first values, kept in the same way.
    pub(super) fn reset_kept(&mut self, place: &Place, sets: Sets, indices: &[Expr]) {
        let kept = self.kept_at(place.base, sets, &place.dims, indices);
        let initial = self.code.constants(&place.initial);
        let first = match kept {
            Kept::Flag { set, width, member } => {
                Kept::Flag { set: initial + (set - place.base), width, member }
            }
            Kept::FlagAt { index, count, width, member, .. } => {
                Kept::FlagAt { base: initial, index, count, width, member }
            }
            Kept::Value { member, sets, .. } => Kept::Value { base: initial, member, sets },
        };
        let value = self.take(1).at;
        self.load_kept(first, value);
        self.store_kept(kept, value);
    }
}

/// The first values of elements, given one behind the other, as sets.
pub(super) fn sets_of(words: &[i64], dims: &[(i64, usize)], sets: Sets) -> Vec<i64> {
    let size = dims.last().map_or(1, |(_, size)| *size);
    let width = usize::from(sets.width);
    let group = usize::from(sets.kept) * width;
    let mut all = vec![0_i64; words.len() / size * group];
    for (element, value) in words.iter().enumerate() {
        let (outer, member) = (element / size, element % size);
        if let Some(set) = sets.set_of(*value) {
            all[outer * group + usize::from(set) * width + member / 64] |= 1 << (member % 64);
        }
    }
    all
}
