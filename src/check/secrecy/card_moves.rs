//! Moves of cards: what everybody sees of them, and what those notice who know where cards lie.

use crate::check::secrecy::bounds::left_out;
use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{SecretMove, Taint};
use crate::check::secrecy::trails::{TrailPile, is_fixed_param, moved_local};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Array, BinaryOp, Binder, CardSource, Expr, ExprKind, PileEnd, SetOp, Type, VarId, is_same_expr,
};
use crate::source::Span;

impl SecrecyWalk<'_> {
    /// `move what to pile`: sizes of piles are public, so the number of a secret set of cards is disclosed.
    pub(super) fn move_cards(&mut self, what: &CardSource, to: &Expr, span: Span) {
        let whereto = self.nonempty_taint(to);
        self.check_pile_bounds(to);
        let from: Vec<_> = self.source_piles(what).iter().map(TrailPile::of).collect();
        let goal = TrailPile::of(to);
        let (taint, mut counted, amount) = self.taints_of_moved(what, to, span);
        let decided = amount.with_taint(&counted).with_taint(&whereto);
        let move_taint = self.pc_taint().with_taint(&decided);
        self.change_piles(&from, &goal);
        let is_event = self.is_event(what, to);
        self.note_move(moved_local(what), &from, &goal, (move_taint.clone(), is_event));
        if is_event {
            let is_named =
                whereto.is_empty() || self.ordered_loops.iter().any(|it| goal.names(it.member));
            let to = if is_named { goal.clone() } else { TrailPile::new(goal.var()) };
            self.follow_event(SecretMove::new(span, from.clone(), to, move_taint));
        }
        self.follow_cards(from.clone(), goal.clone(), &decided, span);
        let stays_unseen =
            |pile: &TrailPile| pile.var().is_some_and(|var| self.known.is_unseen(var));
        self.now.taught |= from.is_empty() || !from.iter().chain([&goal]).all(stays_unseen);
        let reached = self.pc_without_rounds();
        self.out.found.teaches_unseen |= !reached.is_empty();
        counted.join_taint(&reached);
        self.check_order_leak(to, span);
        self.check_put_back(&from, &goal, span);
        self.check_taken_out(what, &taint, &from, span);
        self.out.note_sink(&counted.with_taint(&whereto), Sink::Public, span);
        let rounds = self.rounds.clone();
        self.out.note_sink(&rounds, Sink::Private, span);
        // If both are parameters, the caller knows who sees the cards.
        let are_params = self.is_param(to)
            && matches!(what, CardSource::One(it) | CardSource::Set(it) if self.is_param(it));
        if !are_params {
            let sink = if self.is_open(to) { Sink::Public } else { Sink::Private };
            self.out.note_sink(&taint, sink, span);
        }
    }

    /// The taint of moved cards, of what the size of their pile tells, and of how many they are.
    fn taints_of_moved(
        &mut self,
        what: &CardSource,
        to: &Expr,
        span: Span,
    ) -> (Taint, Taint, Taint) {
        let (taint, counted) = match what {
            CardSource::One(cards) | CardSource::Set(cards) => {
                let taint = self.taint_of(cards);
                self.note_secret_source(cards, &taint);
                self.now.publish_cards(cards, self.is_open(to));
                // The pile loses a card: the index that chose the pile is disclosed.
                (taint.clone(), taint.only_indices())
            }
            CardSource::Pile(pile) => {
                self.now.pass_order(pile, to);
                (Taint::default(), self.nonempty_taint(pile))
            }
            CardSource::End(end) => {
                // A move that changes no size discloses nothing.
                let (from, into) = (pile_var(&end.pile), pile_var(to));
                let has_two_ends = |var: VarId| self.known.piles.two_ended.contains(&var);
                if from == into || into.is_none() || from.is_none_or(has_two_ends) {
                    self.check_draw_from_end(end, span);
                    let which = self.which_place(&end.pile);
                    self.check_public_place(&which, span, "is drawn from");
                }
                self.report_orders_of(&end.pile);
                (Taint::default(), self.end_count_taint(end))
            }
        };
        let amount = match what {
            CardSource::One(_) | CardSource::Pile(_) | CardSource::End(_) => Taint::default(),
            CardSource::Set(cards) => self.amount_taint(cards),
        };
        (taint, counted, amount)
    }

    fn is_param(&self, part: &Expr) -> bool {
        part.as_local().is_some_and(|local| is_fixed_param(self.rule_of(), local))
    }

    /// Reports a move into a pile that is drawn from under a secret: everybody sees whether chance decides the draw.
    fn check_order_leak(&mut self, to: &Expr, span: Span) {
        let mixed = &self.known.piles.mixed;
        let is_mixed = pile_var(to).map_or(!mixed.is_empty(), |var| mixed.contains(&var));
        if is_mixed && !self.is_open(to) {
            self.now.note_order_leak(&TrailPile::of(to), self.pc_without_rounds(), span);
        }
    }

    /// The taint of the number of moved cards; `subsets … of size 2` is public.
    pub(super) fn amount_taint(&mut self, cards: &Expr) -> Taint {
        match &cards.kind {
            _ if matches!(cards.ty, Type::Kind(_) | Type::Maybe(_)) => Taint::default(),
            ExprKind::Local(local) if self.sized.contains(local) => Taint::default(),
            // All but one that lies there.
            ExprKind::Filter(Binder { local, set, condition: Some(condition), .. })
                if self.known.is_pile(set) =>
            {
                if self.now.is_as_first(set) {
                    // All know which cards lie there.
                    self.now.forget_local(*local);
                    return self.taint_of(condition);
                }
                let rest = left_out(*local, condition).filter(|card| self.lies_in(card, set));
                if rest.is_some() { self.nonempty_taint(set) } else { self.taint_of(cards) }
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), pile, out)
                if self.known.is_pile(pile) =>
            {
                let is_one = matches!(&out.kind, ExprKind::SetOf(out)
                    if out.len() == 1 && self.lies_in(&out[0], pile));
                if is_one { self.nonempty_taint(pile) } else { self.taint_of(cards) }
            }
            _ => self.count_taint(cards),
        }
    }

    fn change_piles(&mut self, from: &[TrailPile], to: &TrailPile) {
        for pile in from.iter().chain([to]) {
            match pile.var() {
                Some(var) => drop(self.now.changed.insert(var)),
                None => self.change_all_piles(),
            }
        }
    }

    pub(super) fn change_all_piles(&mut self) {
        self.now.changed.extend((0..self.known.rules.vars.len()).map(VarId::at));
    }

    /// True if a card is known to lie in a pile.
    fn lies_in(&self, card: &Expr, pile: &Expr) -> bool {
        let homes = card.as_local().and_then(|local| self.homes.get(&local));
        let lies = |homes: &Vec<Expr>| match (homes.as_slice(), self.homes_of(pile).as_slice()) {
            ([home], [pile]) => is_same_expr(home, pile),
            _ => false,
        };
        homes.is_some_and(lies)
    }

    /// The taint of how many cards `top n of pile` takes.
    pub(super) fn end_count_taint(&mut self, end: &PileEnd) -> Taint {
        let count = end.count.as_ref().map(|count| self.taint_of(count)).unwrap_or_default();
        self.nonempty_taint(&end.pile).with_taint(&count)
    }

    /// Checks that neither the draw from an end nor its size depends on a secret.
    pub(super) fn check_draw_from_end(&mut self, end: &PileEnd, span: Span) {
        self.report_orders_of(&end.pile);
        self.check_chance(span);
        self.check_draw_count(end);
    }

    pub(super) fn check_draw_count(&mut self, end: &PileEnd) {
        let Some(count) = &end.count else { return };
        let taint = self.taint_of(count);
        let what =
            "how many cards chance decides here depends on {}, which some players do not see";
        let help = "take a number that all see, in any case: `top 3 of deck`";
        self.report_leak(&taint, None, (count.span, "everybody notices how many"), what, help);
    }

    /// An index out of its range stops the game for all: reports it where the index is a secret.
    pub(super) fn check_bounds(&mut self, array: Array, indices: &[Expr], span: Span) {
        let rules = self.known.rules;
        let (Array::Var(var) | Array::Pile(var)) = array else { return };
        let dims = &rules.vars[var.index()].dims;
        // A whole array has no indices.
        let Some(of_owner) = indices.len().checked_sub(dims.len()) else { return };
        for (index, dim) in indices[of_owner..].iter().zip(dims) {
            if !self.bounds.may_miss(index, *dim) {
                continue;
            }
            let taint = self.taint_of(index);
            let _ = self.taint_of_failure(&taint, span);
        }
    }

    pub(super) fn check_pile_bounds(&mut self, pile: &Expr) {
        if let ExprKind::Element(array, indices) = &pile.kind {
            self.check_bounds(*array, indices, pile.span);
        }
    }
}
