//! Who knows what a variable holds that not all see: a set of players for each of its elements,
//! behind its values.
//!
//! Showing puts players into the set. Whatever changes the value empties it, for what was seen is
//! not there any more.

use crate::bytecode::Op;
use crate::bytecode::program::NONE;
use crate::bytecode::vars::{Secret, Values};
use crate::check::rules::{
    Domain, Expr, ExprKind, Faces, PLAYER, ResetTarget, Stmt, StmtKind, Type, Value, Var, VarForm,
};
use crate::compile::code::SeenBy;
use crate::compile::layout::{Place, elements};
use crate::compile::{Compiler, Slots};
use crate::syntax::ast::{Owner, Visibility};

impl Compiler<'_> {
    /// Gives a variable that not all see room for who knows it.
    pub(super) fn lay_out_knowledge(&mut self, var: &Var, place: &mut Place) {
        if var.sight == Visibility::All {
            return;
        }
        let words = place.count().saturating_mul(self.seats_width().into());
        let words = u16::try_from(words).unwrap_or_else(|_| {
            self.code.exceed("words in the state");
            0
        });
        place.known = Some(self.code.slots(words));
        self.layout.initial.extend(vec![0; words.into()]);
    }

    /// What a program tells of a variable that not all see.
    pub(super) fn secret(&mut self, var: &Var, place: &Place) -> Option<Secret> {
        Some(Secret {
            owner_sees: var.sight == Visibility::Owner && var.owner == Owner::Player,
            known: place.known?,
            known_width: self.seats_width(),
            values: self.values(var),
        })
    }

    fn seats_width(&self) -> u16 {
        u16::try_from(self.setting.players.div_ceil(64)).unwrap_or(1).max(1)
    }

    /// The values that a variable may hold.
    fn values(&mut self, var: &Var) -> Values {
        if let VarForm::Die(Faces::List(faces)) = &var.form {
            let mut words = Vec::new();
            for face in faces {
                words.extend(self.words_of(face, &var.ty, var.span));
            }
            return Values::Faces(words);
        }
        let (ty, or_none) = match &var.ty {
            Type::Maybe(inner) => (inner.as_ref(), true),
            ty => (ty, false),
        };
        match (ty, var.range) {
            (Type::Set(domain), _) => Values::Subsets(self.positions(*domain, var)),
            (Type::Number, Some(range)) => {
                let (low, high) = self.ranges[range.index()];
                Values::Between { low, high: high.unwrap_or(low), or_none }
            }
            (Type::Kind(kind), _) => {
                let members = self.positions(Domain::Kind(*kind), var).into_iter();
                let members = members.filter_map(|at| i64::try_from(at).ok());
                Values::Faces(or_none.then_some(NONE).into_iter().chain(members).collect())
            }
            _ => Values::Between { low: 0, high: 1, or_none },
        }
    }

    /// The positions of the members of a finite type, counted from its first.
    fn positions(&mut self, domain: Domain, var: &Var) -> Vec<usize> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => self.rules.kinds[kind.index()].own(),
            domain => (0..self.domain(domain, var.span).1).collect(),
        }
    }

    /// `reveal PLACE, …`, `show PLACE, … to p`
    pub(super) fn show(&mut self, targets: &[ResetTarget], to: Option<&Expr>) {
        let to = to.map(|to| self.word(to));
        for target in targets {
            let mark = self.mark();
            self.learn(target, &|compiler, set, width| match to {
                Some(member) => compiler.code.emit(Op::Insert { set, member, width }),
                None => {
                    let (_, seats) = compiler.domain(Domain::Kind(PLAYER), compiler.code.span);
                    let all = (0..i64::try_from(seats).unwrap_or(0)).collect();
                    let ty = Type::Set(Domain::Kind(PLAYER));
                    let all = compiler.words_of(&Value::Set(all), &ty, compiler.code.span);
                    let at = compiler.code.constants(&all);
                    compiler.copy(set, Slots { at, width });
                }
            });
            self.release(mark);
        }
    }

    /// Nobody knows any more what a statement is about to change.
    pub(super) fn forget_changed(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, _)
            | StmtKind::Change { place, .. }
            | StmtKind::Coin { place, .. } => self.forget(place),
            StmtKind::Swap(a, b) => [a, b].into_iter().for_each(|place| self.forget(place)),
            StmtKind::Reset(targets) => targets.iter().for_each(|target| self.unlearn(target)),
            _ => {}
        }
    }

    /// Nobody knows any more what a place holds.
    pub(super) fn forget(&mut self, place: &Expr) {
        if let ExprKind::Var(var, indices) = &place.kind {
            self.unlearn(&ResetTarget { var: *var, indices: indices.clone() });
        }
    }

    fn unlearn(&mut self, target: &ResetTarget) {
        if self.var(target.var).known.is_none() {
            return;
        }
        let mark = self.mark();
        // What an index reads may be changed by the statement itself: then all is forgotten.
        let plain = |index: &Expr| matches!(index.kind, ExprKind::Value(_) | ExprKind::Local(_));
        let sure = target.indices.iter().all(plain);
        let indices = if sure { target.indices.clone() } else { Vec::new() };
        let target = ResetTarget { var: target.var, indices };
        self.learn(&target, &|compiler, set, width| {
            compiler.code.emit(Op::Clear { set, width });
        });
        self.release(mark);
    }

    /// Changes the sets of those who know the elements of a target.
    fn learn(&mut self, target: &ResetTarget, change: &dyn Fn(&mut Self, u16, u16)) {
        let place = self.var(target.var).clone();
        let Some(known) = place.known else { return };
        let (given, width) = (target.indices.len(), self.seats_width());
        let rest = u16::try_from(elements(&place.dims[given..])).unwrap_or(0);
        let (dims, words) = (&place.dims[..given], rest * width);
        if let Some(at) = self.fixed(dims, &target.indices) {
            let first = known + at * words;
            return (0..rest).for_each(|nth| change(self, first + nth * width, width));
        }
        let count = u16::try_from(elements(dims)).unwrap_or(u16::MAX);
        let index = self.position(dims, &target.indices);
        let sets = self.take(words);
        self.load(sets, known, index, count.into());
        (0..rest).for_each(|nth| change(self, sets.at + nth * width, width));
        self.code.emit(match words {
            1 => Op::Store { base: known, index, src: sets.at, count },
            width => Op::StoreSet { base: known, index, src: sets.at, count, width },
        });
    }

    /// Whether only some see the next draw, since it goes into a place that only they see.
    pub(super) fn draw_into(&mut self, place: &Expr) {
        let ExprKind::Var(var, indices) = &place.kind else { return };
        self.code.seen_by = match (self.rules.vars[var.index()].sight, indices.first()) {
            (Visibility::All, _) => return,
            (Visibility::Owner, Some(owner)) => SeenBy::Player(self.kept_word(owner)),
            (Visibility::Owner | Visibility::Nobody, _) => SeenBy::Nobody,
        };
    }
}
