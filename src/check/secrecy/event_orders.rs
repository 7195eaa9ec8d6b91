//! Reports what a secret orders: events that all notice, and how cards lie in a pile.
//!
//! Sizes of piles tell, on purpose, which cards were drawn or laid open; they do not tell what came first.

use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{FlowState, SecretMove, SecretSource, Taint, remember_move};
use crate::check::secrecy::trails::{TrailPile, are_same};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{CardSource, Expr, ExprKind, UnaryOp};
use crate::source::Span;

/// Limits the pairs of events that are remembered of a rule.
const MOST_PAIRS: usize = 256;

impl SecrecyWalk<'_> {
    /// True for a move that all notice at its moment: cards are drawn, or laid open.
    pub(super) fn is_event(&self, what: &CardSource, to: &Expr) -> bool {
        let draws = matches!(what, CardSource::End(end) if !self.is_open(&end.pile));
        draws || self.is_open(to)
    }

    /// Pairs an event under a secret with those before it. What cards that are laid open show they tell on purpose.
    pub(super) fn follow_event(&mut self, mut event: SecretMove) {
        if self.is_open_pile(&event.to) {
            let shows = |source| {
                matches!(source, SecretSource::Var(var, _)
                    if event.from.iter().any(|pile| pile.var() == Some(var)))
            };
            event.taint = event.taint.without_seen(|source, _| shows(source));
        }
        let remembered = event.clone();
        let before = self.events_before(&mut event);
        if event.taint.is_empty() {
            return;
        }
        let other = |it: &&SecretMove| !is_surely_same(it, &event);
        let pairs = before.iter().filter(other).map(|it| (it.clone(), event.clone()));
        let room = MOST_PAIRS.saturating_sub(self.out.event_pairs.len());
        self.out.event_pairs.extend(pairs.take(room).collect::<Vec<_>>());
        let _ = remember_move(&mut self.now.events, &remembered);
    }

    /// The events with which one is paired. In a loop over its piles it comes where its member comes; in others the
    /// choice of the members tells nothing of it.
    fn events_before(&self, event: &mut SecretMove) -> Vec<SecretMove> {
        let names = |local| event.from.iter().chain([&event.to]).any(|pile| pile.names(local));
        if let Some(around) = self.ordered_loops.iter().find(|it| names(it.member)) {
            return around.before.clone();
        }
        for around in &self.ordered_loops {
            event.taint = event.taint.without_taint(&around.members);
        }
        self.now.events.clone()
    }

    /// Reports pairs of events that may also come the other way round.
    pub(super) fn report_event_orders(&mut self) {
        let pairs = std::mem::take(&mut self.out.event_pairs);
        self.known.budget.charge(1 + pairs.len() * pairs.len());
        for (first, second) in &pairs {
            let swapped = |(one, other): &(SecretMove, SecretMove)| {
                self.may_be_alike(one, second) && self.may_be_alike(other, first)
            };
            if pairs.iter().any(swapped) {
                let taint = first.taint.clone().with_taint(&second.taint);
                let what = "what comes first here depends on {}, which some players do not see";
                let help = "let it happen in an order that everybody sees: `for p in Player`; or tell \
                            the order before, in a variable that all see";
                self.report_leak(&taint, None, (second.at, "everybody notices when"), what, help);
            }
        }
    }

    fn may_be_alike(&self, one: &SecretMove, other: &SecretMove) -> bool {
        let are_apart = |a: &Expr, b: &Expr| self.players.are_apart_indices(a, b);
        one.to.may_be(&other.to, &are_apart)
            && one.from.iter().any(|a| other.from.iter().any(|b| a.may_be(b, &are_apart)))
    }

    /// Reports that a pile was not shuffled before a card is drawn from it.
    pub(super) fn report_orders_of(&mut self, pile: &Expr) {
        let all = std::mem::take(&mut self.now.unshuffled);
        let are_apart = |a: &Expr, b: &Expr| self.players.are_apart_indices(a, b);
        let pile = TrailPile::of(pile);
        let (drawn, others) = all.into_iter().partition(|it| it.to.may_be(&pile, &are_apart));
        self.now.unshuffled = others;
        self.report_orders(drawn);
    }

    /// Reports piles that were not shuffled before a question or the end of the rule.
    pub(super) fn report_left_orders(&mut self) {
        let left = std::mem::take(&mut self.now.unshuffled);
        self.report_orders(left);
    }

    fn report_orders(&mut self, left: Vec<SecretMove>) {
        for moved in left {
            let what = "how cards lie here depends on {}, which some players do not see";
            let help = "shuffle the pile right after it; or put them there alike in any case, or \
                        under a condition that everybody sees";
            let place = (moved.at, "everybody notices whether chance decides a draw from here");
            self.report_leak(&moved.taint, None, place, what, help);
        }
    }

    /// Notes a card that a secret picks out of a pile of which a part lies in a known order: chance decides later draws
    /// or not.
    pub(super) fn check_taken_out(
        &mut self,
        what: &CardSource,
        which: &Taint,
        from: &[TrailPile],
        span: Span,
    ) {
        let (CardSource::One(cards) | CardSource::Set(cards)) = what else { return };
        if self.is_of_end(cards) || self.is_dealt_unseen() {
            return;
        }
        let taint = self.pc_without_rounds().with_taint(which);
        for pile in from {
            let is_partly = pile.var().is_some_and(|var| self.known.piles.partly.contains(&var));
            if is_partly && !self.is_open_pile(pile) {
                self.now.note_order_leak(pile, taint.clone(), span);
            }
        }
    }

    /// True for an end of a pile, its members and their parts: how many of them are left all know.
    pub(super) fn is_of_end(&self, cards: &Expr) -> bool {
        match &cards.kind {
            ExprKind::End(_) => true,
            ExprKind::Local(local) => self.ends.contains_key(local) || self.of_ends.contains(local),
            ExprKind::Filter(binder) => self.is_of_end(&binder.set),
            ExprKind::Distinct(cards) | ExprKind::Subsets(cards, _) => self.is_of_end(cards),
            _ => false,
        }
    }
}

impl FlowState {
    /// Remembers that a secret decides whether chance orders a pile, until it is shuffled.
    pub(super) fn note_order_leak(&mut self, pile: &TrailPile, taint: Taint, span: Span) {
        if !taint.is_empty() {
            let moved = SecretMove::new(span, Vec::new(), pile.clone(), taint);
            let _ = remember_move(&mut self.unshuffled, &moved);
        }
    }

    /// Untaints a local if its cards become public.
    pub(super) fn publish_cards(&mut self, cards: &Expr, publicly: bool) {
        if let ExprKind::Local(local) = cards.kind
            && publicly
        {
            self.forget_local(local);
        }
    }

    /// True for a pile of the table that holds the same cards as when the game began.
    pub(super) fn is_as_first(&self, pile: &Expr) -> bool {
        let pile = if let ExprKind::Unary(UnaryOp::PileCards, of) = &pile.kind { of } else { pile };
        let has_indices =
            matches!(&pile.kind, ExprKind::Element(_, indices) if !indices.is_empty());
        !has_indices && pile_var(pile).is_some_and(|var| !self.changed.contains(&var))
    }

    /// Records that a pile is shuffled: how its cards lay matters no more, if it is known which pile it is.
    pub(super) fn forget_order(&mut self, pile: &Expr) {
        let pile = TrailPile::of(pile);
        self.unshuffled.retain(|it| !pile.is_named() || !it.to.is_same(&pile));
    }

    /// Records that a whole pile goes to another, with its order; of one that may be several, it may also stay.
    pub(super) fn pass_order(&mut self, from: &Expr, to: &Expr) {
        let (from, to) = (TrailPile::of(from), TrailPile::of(to));
        for moved in std::mem::take(&mut self.unshuffled) {
            let goes = if from.is_named() {
                moved.to.is_same(&from)
            } else {
                moved.to.var() == from.var()
            };
            if goes {
                let passed = SecretMove { to: to.clone(), ..moved.clone() };
                let _ = remember_move(&mut self.unshuffled, &passed);
            }
            if !goes || !from.is_named() {
                let _ = remember_move(&mut self.unshuffled, &moved);
            }
        }
    }
}

/// True if two events draw from one pile to one.
fn is_surely_same(one: &SecretMove, other: &SecretMove) -> bool {
    let are_named = |it: &SecretMove| it.from.iter().chain([&it.to]).all(TrailPile::is_named);
    are_named(one) && one.to.is_same(&other.to) && are_same(&one.from, &other.from)
}
