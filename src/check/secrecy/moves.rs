//! Moves of cards: what everybody sees of them, and what those notice who know where cards lie.

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::reads::left_out;
use crate::check::secrecy::taint::Taint;
use crate::check::secrecy::trails::{TrailPile, is_fixed_param, moved_local};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Array, BinaryOp, Binder, CardSource, Expr, ExprKind, PileEnd, SetOp, Type, VarId, is_same_expr,
};
use crate::source::Span;
use crate::syntax::ast::Visibility;

impl SecrecyWalk<'_> {
    /// How many cards lie where is seen by all. Where they are the cards of a set that is a secret,
    /// their number alone is told.
    pub(super) fn move_cards(&mut self, what: &CardSource, to: &Expr, span: Span) {
        let whereto = self.tells_some(to);
        self.check_pile_bounds(to);
        let from: Vec<_> = self.piles_left(what).into_iter().map(TrailPile::Named).collect();
        let goal = TrailPile::Named(to.clone());
        let (tells, mut counted) = match what {
            CardSource::One(cards) | CardSource::Set(cards) => {
                let tells = self.tells(cards);
                self.note_secret_source(cards, &tells);
                self.publish_cards(cards, self.is_open(to));
                // A card less lies in the pile that it was chosen by.
                (tells.clone(), tells.only_indices())
            }
            CardSource::Pile(pile) => (Taint::default(), self.tells_some(pile)),
            CardSource::End(end) => {
                // Where no number of cards changes, none is told on purpose.
                let (from, into) = (pile_var(&end.pile), pile_var(to));
                let has_two_ends = |var: VarId| self.known.piles.two_ended.contains(&var);
                if from == into || into.is_none() || from.is_none_or(has_two_ends) {
                    self.drawn_from(end, span);
                    let which = self.which_place(&end.pile);
                    self.named(&which, span, "is drawn from");
                }
                (Taint::default(), self.tells_end(end))
            }
        };
        let amount = match what {
            CardSource::One(_) | CardSource::Pile(_) | CardSource::End(_) => Taint::default(),
            CardSource::Set(cards) => self.tells_amount(cards),
        };
        let decided = amount.with_taint(&counted).with_taint(&whereto);
        let tells_move = self.reached_taint().with_taint(&decided);
        self.note_move(moved_local(what), &from, &goal, tells_move);
        self.follow_cards(from.clone(), goal.clone(), &decided, span);
        self.now.taught |= !self.is_unseen(to);
        let reached = self.reached_by_choice();
        self.out.found.teaches_unseen |= !reached.is_empty();
        counted.join_taint(&reached);
        self.check_order_leak(to, span);
        self.put_back(&from, &goal, span);
        self.sink(&counted.with_taint(&whereto), Sink::Public, span);
        let rounds = self.rounds.clone();
        self.sink(&rounds, Sink::Private, span);
        // Where both are given, those who call the rule know who sees the cards.
        if !(self.is_param(to)
            && matches!(what, CardSource::One(it) | CardSource::Set(it) if self.is_param(it)))
        {
            let sink = if self.is_open(to) { Sink::Public } else { Sink::Private };
            self.sink(&tells, sink, span);
        }
    }

    fn is_param(&self, part: &Expr) -> bool {
        part.as_local().is_some_and(|local| is_fixed_param(self.rule_of(), local))
    }

    /// Reports a secret that decides where cards lie in a pile that is drawn from: everybody sees whether chance must
    /// decide which card comes.
    fn check_order_leak(&mut self, to: &Expr, span: Span) {
        let mixed = &self.known.piles.mixed;
        let is_mixed = pile_var(to).map_or(!mixed.is_empty(), |var| mixed.contains(&var));
        if is_mixed && !self.is_open(to) {
            self.report_order_leak(&self.reached_by_choice(), span);
        }
    }

    /// What it tells how many cards a set has that is moved; of `subsets … of size 2` all know that.
    pub(super) fn tells_amount(&mut self, cards: &Expr) -> Taint {
        match &cards.kind {
            _ if matches!(cards.ty, Type::Kind(_) | Type::Maybe(_)) => Taint::default(),
            ExprKind::Local(local) if self.sized.contains(local) => Taint::default(),
            // All but one that lies there.
            ExprKind::Filter(Binder { local, set, condition: Some(condition), .. })
                if self.is_pile(set) =>
            {
                let rest = left_out(*local, condition).filter(|card| self.lies_in(card, set));
                if rest.is_some() { self.tells_some(set) } else { self.tells(cards) }
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), pile, out) if self.is_pile(pile) => {
                let is_one = matches!(&out.kind, ExprKind::SetOf(out)
                    if out.len() == 1 && self.lies_in(&out[0], pile));
                if is_one { self.tells_some(pile) } else { self.tells(cards) }
            }
            _ => self.tells_count(cards),
        }
    }

    /// Whether a card is known to lie in a pile.
    fn lies_in(&self, card: &Expr, pile: &Expr) -> bool {
        let homes = card.as_local().and_then(|local| self.homes.get(&local));
        let lies = |homes: &Vec<Expr>| match (homes.as_slice(), self.homes_of(pile).as_slice()) {
            ([home], [pile]) => is_same_expr(home, pile),
            _ => false,
        };
        homes.is_some_and(lies)
    }

    /// Whether nobody sees the cards that come to a pile.
    fn is_unseen(&self, pile: &Expr) -> bool {
        let is_hidden = |var: VarId| self.known.rules.vars[var.index()].sight == Visibility::Nobody;
        pile_var(pile).is_some_and(is_hidden)
    }

    pub(super) fn report_order_leak(&mut self, tells: &Taint, span: Span) {
        let what = "how cards lie here depends on {}, which some players do not see";
        let help = "put them there alike in any case, or under a condition that everybody sees";
        let place = (span, "everybody notices whether chance decides a draw from here");
        self.leak(tells, None, place, what, help);
    }

    /// What the number of cards at an end of a pile tells.
    pub(super) fn tells_end(&mut self, end: &PileEnd) -> Taint {
        let count = end.count.as_ref().map(|count| self.tells(count)).unwrap_or_default();
        self.tells_some(&end.pile).with_taint(&count)
    }

    /// Chance decides which cards lie at the end of a pile: everybody notices of how many.
    pub(super) fn drawn_from(&mut self, end: &PileEnd, span: Span) {
        self.chance(span);
        self.many_are_drawn(end);
    }

    pub(super) fn many_are_drawn(&mut self, end: &PileEnd) {
        let Some(count) = &end.count else { return };
        let tells = self.tells(count);
        let what =
            "how many cards chance decides here depends on {}, which some players do not see";
        let help = "take a number that all see, in any case: `top 3 of deck`";
        self.leak(&tells, None, (count.span, "everybody notices how many"), what, help);
    }

    /// An index that a secret drives out of its range stops the game.
    pub(super) fn check_bounds(&mut self, array: Array, indices: &[Expr], span: Span) {
        let rules = self.known.rules;
        let (Array::Var(var) | Array::Pile(var)) = array else { return };
        let dims = &rules.vars[var.index()].dims;
        // A whole array has no indices.
        let Some(of_owner) = indices.len().checked_sub(dims.len()) else { return };
        for (index, dim) in indices[of_owner..].iter().zip(dims) {
            if !self.may_miss(index, *dim) {
                continue;
            }
            let tells = self.tells(index);
            let _ = self.taint_of_failure(&tells, span);
        }
    }

    pub(super) fn check_pile_bounds(&mut self, pile: &Expr) {
        if let ExprKind::Element(array, indices) = &pile.kind {
            self.check_bounds(*array, indices, pile.span);
        }
    }
}
