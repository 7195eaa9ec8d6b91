//! The taint of expressions: the secrets that a value may depend on, directly or through calls.

use std::collections::BTreeSet;

use crate::check::secrecy::RuleKnowledge;
use crate::check::secrecy::bounds::{is_empty_set, is_one_value};
use crate::check::secrecy::calls::CallInput;
use crate::check::secrecy::seers::{literal_seat, who_sees};
use crate::check::secrecy::taint::{SecretSource, Sees, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Array, BinaryOp, Binder, Domain, Expr, ExprKind, KindShape, LocalId, RuleId, SetOp, Type,
    UnaryOp, Value, VarForm, VarId,
};
use crate::source::Span;
use crate::syntax::ast::{FoldWord, Owner, Visibility};

impl SecrecyWalk<'_> {
    pub(super) fn taint_of(&mut self, expr: &Expr) -> Taint {
        let mut bound = BTreeSet::new();
        let taint = self.gather_taint(expr, &mut bound);
        // Outside of a fold its binder means nobody.
        self.players.forget_seers_in(&taint, |local| bound.contains(&local))
    }

    /// The taint of an expression and its parts; adds the locals that it binds to `bound`.
    fn gather_taint(&mut self, expr: &Expr, bound: &mut BTreeSet<LocalId>) -> Taint {
        if let Some(taint) = self.taint_of_size(expr, bound) {
            return taint;
        }
        let (binder, guards) = match &expr.kind {
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => {
                bound.insert(binder.local);
                (Some(binder), 1 + usize::from(binder.condition.is_some()))
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
            | ExprKind::If(..)
            | ExprKind::Match(..) => (None, 1),
            _ => (None, 0),
        };
        let (pc, mut parts) = ((guards > 0).then(|| self.pc.clone()), Vec::<Taint>::new());
        let assumed = self.bounds.assumption_count();
        expr.visit_parts(&mut |part| {
            if parts.len() > 1 {
                self.bounds.keep_assumptions(assumed);
            }
            self.bounds.assume_guard(expr, parts.len());
            let taint = self.gather_taint(part, bound);
            // The first parts guard the others.
            if parts.len() < guards {
                let some = if self.known.is_pile(part) {
                    self.nonempty_taint(part)
                } else {
                    taint.clone()
                };
                self.pc.join_taint(&some);
            }
            if let (Some(binder), []) = (binder, parts.as_slice()) {
                self.bind_member(binder, &taint);
            }
            parts.push(taint);
        });
        self.bounds.keep_assumptions(assumed);
        if let Some(pc) = pc {
            self.pc = pc;
        }
        if let Some(binder) = binder {
            self.now.forget_local(binder.local);
        }
        let failing = self.check_failure(expr, &parts);
        if let ExprKind::Call(rule, args) = &expr.kind {
            self.pass_to_callee(*rule, args, &parts, expr.span);
        }
        let all = parts.iter().fold(failing.unwrap_or_default(), Taint::with_taint);
        let is_indexed = matches!(expr.kind, ExprKind::Element(Array::Var(_) | Array::Pile(_), _));
        self.own_taint(expr).with_taint(&if is_indexed { all.into_index() } else { all })
    }

    /// The taint of an expression that tells of a set or a pile only whether it has members; none for all others.
    fn taint_of_size(&mut self, expr: &Expr, bound: &mut BTreeSet<LocalId>) -> Option<Taint> {
        match &expr.kind {
            // `visit_pick` checks it.
            ExprKind::Pick(_) => Some(Taint::default()),
            ExprKind::Binary(BinaryOp::Equal, set, empty)
            | ExprKind::Binary(BinaryOp::Equal, empty, set)
                if is_empty_set(empty) =>
            {
                self.look_for_errors(set, bound);
                Some(self.nonempty_taint(set))
            }
            ExprKind::Binary(BinaryOp::Equal, card, none)
            | ExprKind::Binary(BinaryOp::Equal, none, card)
                if matches!(none.kind, ExprKind::Value(Value::None))
                    && let Some(some) = self.end_nonempty_taint(card) =>
            {
                self.look_for_errors(card, bound);
                Some(some)
            }
            // Sizes of piles are public.
            ExprKind::Fold { word: FoldWord::Count, binder, body }
                if body.is_empty()
                    && binder.condition.is_none()
                    && self.known.is_pile(&binder.set) =>
            {
                self.look_for_errors(&binder.set, bound);
                Some(self.nonempty_taint(&binder.set))
            }
            _ => None,
        }
    }

    /// Checks for errors and calls in a set whose size alone is read.
    fn look_for_errors(&mut self, set: &Expr, bound: &mut BTreeSet<LocalId>) {
        let is_reference = |part: &Expr| {
            matches!(part.kind, ExprKind::Local(_)) && matches!(part.ty, Type::Pile(_))
        };
        // A reference holds the taint of the pile, which is not read here.
        if !set.any(is_reference) {
            let _ = self.gather_taint(set, bound);
        }
    }

    /// The taint of an expression without its parts.
    fn own_taint(&mut self, expr: &Expr) -> Taint {
        match &expr.kind {
            ExprKind::Element(Array::Var(var) | Array::Pile(var), indices) => {
                self.known.taint_of_var(*var, indices, expr.span, |it| self.players.seer_of(it))
            }
            ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) => {
                self.local_taint(*local, expr.span)
            }
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns[rule.index()];
                self.taint_of_call(returned, *rule, args, expr.span)
            }
            ExprKind::Suppose(block, _) => self.taint_of_suppose(block),
            _ => Taint::default(),
        }
    }

    /// Binds a local to a member of a set of this taint.
    pub(super) fn bind_member(&mut self, binder: &Binder, taint: &Taint) {
        self.set_local(binder.local, taint.clone());
        self.players.note_apart(binder);
        self.note_home(binder.local, &binder.set);
        if self.is_of_end(&binder.set) {
            self.of_ends.insert(binder.local);
        }
        let size = match (&binder.set.kind, &binder.condition) {
            (ExprKind::Subsets(_, Some(bound)), _) if !bound.up_to => Some(bound.size.as_ref()),
            (ExprKind::Subsets(..), Some(condition)) => equal_count(binder.local, condition),
            _ => None,
        };
        if size.is_some_and(|size| self.taint_of(size).is_empty()) {
            self.sized.insert(binder.local);
        }
        self.bounds.note_bounds(binder.local, &binder.set);
    }

    /// Checks an operation that may fail, unless interval bounds rule that out. Returns the taint of the failure while
    /// it is unknown whether the value becomes public.
    fn check_failure(&mut self, expr: &Expr, parts: &[Taint]) -> Option<Taint> {
        let rules = self.known.rules;
        let taint = match &expr.kind {
            ExprKind::Binary(BinaryOp::Arith(op), _, by) if op.divides() => {
                let is_sound = self.bounds.number_bounds(by).is_some_and(|(low, _)| low > 0);
                (!is_sound).then(|| parts[1].clone())?
            }
            ExprKind::Element(array, indices) => {
                let dims = match array {
                    Array::Table(table) => &rules.tables[table.index()].dims,
                    Array::Var(var) | Array::Pile(var) => &rules.vars[var.index()].dims,
                    Array::Local(local) => &self.rule_of().locals[local.index()].dims,
                };
                let of_owner = indices.len() - dims.len();
                let own = indices[of_owner..].iter().zip(dims).zip(&parts[of_owner..]);
                let outside = own.filter(|((index, dim), _)| self.bounds.may_miss(index, **dim));
                outside
                    .map(|(_, taint)| taint.clone())
                    .reduce(|all, taint| all.with_taint(&taint))?
            }
            ExprKind::Unary(UnaryOp::Amount, of) => {
                let is_sound = self.bounds.number_bounds(of).is_some_and(|(low, _)| low >= 0);
                (!is_sound).then(|| parts[0].clone())?
            }
            // Without a draw, an unknown order is an error.
            ExprKind::End(end) if !end.draws => Taint::default(),
            ExprKind::Binary(BinaryOp::Nth, ..) => parts[0].clone().with_taint(&parts[1]),
            ExprKind::Fold { word: FoldWord::Min | FoldWord::Max, binder, .. } => {
                match &binder.condition {
                    None if self.bounds.has_members(&binder.set) => return None,
                    Some(_) => parts[0].clone().with_taint(&parts[1]),
                    None => self.nonempty_taint(&binder.set),
                }
            }
            ExprKind::Fold { word: FoldWord::Only, binder, body } => {
                if binder.condition.is_none() && body.is_empty() && self.known.is_pile(&binder.set)
                {
                    self.nonempty_taint(&binder.set)
                } else {
                    parts.iter().cloned().reduce(|all, taint| all.with_taint(&taint))?
                }
            }
            _ => return None,
        };
        Some(self.taint_of_failure(&taint, expr.span))
    }

    /// The taint of whether a set has members: at most that of its members.
    pub(super) fn nonempty_taint(&mut self, set: &Expr) -> Taint {
        match &set.kind {
            // The choice of the pile may be a secret.
            ExprKind::Local(local) if matches!(set.ty, Type::Pile(_)) => {
                let known = self.piles.get(local).map(|(which, _)| which.clone());
                known
                    .unwrap_or_else(|| self.taint_from_callers(CallInput::WhichPile(local.index())))
            }
            // Sizes of piles are public; the choice of the pile may be a secret.
            _ if self.known.is_pile(set) => {
                let mut taint = Taint::default();
                set.visit_parts(&mut |part| {
                    taint.join_taint(&self.nonempty_taint(part));
                });
                taint
            }
            ExprKind::Filter(binder) if binder.condition.is_none() => {
                self.nonempty_taint(&binder.set)
            }
            // Each member gives one value, unless that is `none` or a set.
            ExprKind::Image(body, binder)
                if binder.condition.is_none() && is_one_value(&body.ty) =>
            {
                self.nonempty_taint(&binder.set)
            }
            ExprKind::Distinct(cards) => self.nonempty_taint(cards),
            _ if self.bounds.has_members(set) => Taint::default(),
            ExprKind::Binary(BinaryOp::Set(SetOp::Union), a, b) => {
                self.nonempty_taint(a).with_taint(&self.nonempty_taint(b))
            }
            // The empty set is always one of them.
            ExprKind::Subsets(_, None) => Taint::default(),
            ExprKind::Subsets(set, Some(bound)) => {
                let taint = self.taint_of(&bound.size);
                if bound.up_to { taint } else { taint.with_taint(&self.count_taint(set)) }
            }
            ExprKind::Call(rule, args) => {
                let returned = &self.known.returns_some[rule.index()];
                let taint = self.taint_of_call(returned, *rule, args, set.span);
                args.iter().fold(taint, |taint, arg| taint.with_taint(&self.taint_of(arg)))
            }
            _ => self.taint_of(set),
        }
    }

    /// The taint of whether an end of a pile, or a local that holds one, is a card.
    fn end_nonempty_taint(&mut self, card: &Expr) -> Option<Taint> {
        match &card.kind {
            ExprKind::End(end) if end.count.is_none() => Some(self.nonempty_taint(&end.pile)),
            ExprKind::Local(local) => self.ends.get(local).cloned().flatten(),
            _ => None,
        }
    }

    /// The taint of the size of a set; sizes of piles are public.
    pub(super) fn count_taint(&mut self, set: &Expr) -> Taint {
        match &set.kind {
            ExprKind::Distinct(cards) => self.count_taint(cards),
            ExprKind::Filter(binder) if binder.condition.is_none() => self.count_taint(&binder.set),
            _ if self.known.is_pile(set) => self.nonempty_taint(set),
            _ => self.taint_of(set),
        }
    }

    /// The taint of a local; reports it if a question came since it was set.
    fn local_taint(&mut self, local: LocalId, span: Span) -> Taint {
        let (taint, asked) = self.now.read_local(local);
        if let Some(asked) = asked {
            let declared = &self.rule_of().locals[local.index()];
            self.out.report_kept_secret(declared, &taint, asked, span);
        }
        taint
    }

    /// Reports a local, read in `part`, that keeps a secret across a question.
    pub(super) fn note_read(&mut self, part: &Expr) {
        if let ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _) = &part.kind {
            let _ = self.local_taint(*local, part.span);
        }
    }
}

impl RuleKnowledge<'_> {
    /// The secrets that a rule reads, itself or through calls.
    pub(super) fn taint_read_by(&self, rule: RuleId) -> Taint {
        let rule = &self.rules.rules[rule.index()];
        let who = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local)
                if local.index() < rule.params && !rule.locals[local.index()].mutable =>
            {
                Sees::Local(*local)
            }
            _ => literal_seat(expr),
        };
        let mut taint = Taint::default();
        rule.visit_exprs(&mut |part| match &part.kind {
            ExprKind::Element(Array::Var(var), indices) => {
                taint.join_taint(&self.taint_of_var(*var, indices, part.span, who));
            }
            ExprKind::Call(called, args) => {
                let params = self.rules.rules[called.index()].params;
                let read = &self.reads[called.index()];
                taint.join_taint(&read.map_seers(|sees| sees.at_call(params, args, who)));
            }
            _ => {}
        });
        taint
    }

    /// True for the cards of a pile.
    pub(super) fn is_pile(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::PileCards, _) | ExprKind::Element(Array::Pile(_), ..) => true,
            ExprKind::Element(Array::Var(var), _) => {
                matches!(self.rules.vars[var.index()].form, VarForm::Pile(_))
            }
            _ => false,
        }
    }

    pub(super) fn are_cards(&self, ty: &Type) -> bool {
        match ty {
            Type::Kind(kind)
            | Type::Set(Domain::Kind(kind))
            | Type::Subsets(Domain::Kind(kind)) => {
                matches!(self.rules.kinds[kind.index()].shape, KindShape::Cards(_))
            }
            Type::Maybe(inner) => self.are_cards(inner),
            _ => false,
        }
    }

    pub(super) fn is_open_var(&self, var: VarId) -> bool {
        self.rules.vars[var.index()].sight == Visibility::All
    }

    /// True if nobody sees the cards of a pile.
    pub(super) fn is_unseen(&self, pile: VarId) -> bool {
        self.rules.vars[pile.index()].sight == Visibility::Nobody
    }

    /// The taint of reading a variable.
    fn taint_of_var(
        &self,
        var: VarId,
        indices: &[Expr],
        span: Span,
        who: impl Fn(&Expr) -> Sees,
    ) -> Taint {
        let declared = &self.rules.vars[var.index()];
        let name = &declared.name;
        let what = match declared.sight {
            Visibility::All => return Taint::default(),
            Visibility::Owner => format!("only its owner sees `{name}`"),
            Visibility::Others => format!("its owner does not see `{name}`"),
            Visibility::Named => format!("not everybody sees `{name}`"),
            Visibility::Nobody => format!("nobody sees `{name}`"),
        };
        let owner = indices.first().filter(|_| declared.owner == Owner::Player);
        let (sees, by_seer) = who_sees(self.rules, &self.seers[var.index()], owner, who);
        Taint::from_source(SecretSource::Var(var, by_seer), sees, vec![(span, what)])
    }
}

/// The number of a condition `count(s) == 3`.
fn equal_count(local: LocalId, condition: &Expr) -> Option<&Expr> {
    let ExprKind::Binary(BinaryOp::Equal, count, number) = &condition.kind else { return None };
    let is_count = matches!(&count.kind, ExprKind::Fold { word: FoldWord::Count, binder, body }
        if body.is_empty() && binder.condition.is_none() && binder.set.is_local(local));
    is_count.then_some(number.as_ref())
}
