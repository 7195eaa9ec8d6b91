//! Reports cards that a secret moves and that come back before the next decision: sizes of piles do not show it.

use std::collections::BTreeSet;

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{SecretMove, Taint, remember_move};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Array, CardSource, Expr, ExprKind, LocalId, Rule, RuleId, Type, VarForm, VarId, is_same_expr,
};
use crate::source::Span;

/// Limits the moves that are remembered of a rule, and between two questions.
pub(super) const MOST_MOVES: usize = 256;

/// A pile, as far as known where a move is followed.
#[derive(Clone)]
pub(super) enum TrailPile {
    Named(Expr),
    /// One of the piles of a variable.
    Of(VarId),
    Unknown,
}

impl TrailPile {
    pub(super) fn new(pile: Option<VarId>) -> TrailPile {
        pile.map_or(TrailPile::Unknown, TrailPile::Of)
    }

    /// The pile of an expression, named only if the name can be compared: one that differs from itself would be
    /// followed as a new pile in each round of a loop.
    pub(super) fn of(pile: &Expr) -> TrailPile {
        if is_same_expr(pile, pile) {
            TrailPile::Named(pile.clone())
        } else {
            TrailPile::new(pile_var(pile))
        }
    }

    pub(super) fn is_named(&self) -> bool {
        matches!(self, TrailPile::Named(_))
    }

    pub(super) fn var(&self) -> Option<VarId> {
        match self {
            TrailPile::Named(pile) => pile_var(pile),
            TrailPile::Of(var) => Some(*var),
            TrailPile::Unknown => None,
        }
    }

    pub(super) fn is_same(&self, other: &TrailPile) -> bool {
        match (self, other) {
            (TrailPile::Named(a), TrailPile::Named(b)) => is_same_expr(a, b),
            (TrailPile::Of(a), TrailPile::Of(b)) => a == b,
            (TrailPile::Unknown, TrailPile::Unknown) => true,
            _ => false,
        }
    }

    pub(super) fn may_be(
        &self,
        other: &TrailPile,
        are_apart: &dyn Fn(&Expr, &Expr) -> bool,
    ) -> bool {
        match (self, other) {
            (TrailPile::Named(a), TrailPile::Named(b)) => match (&a.kind, &b.kind) {
                (ExprKind::Element(_, of), ExprKind::Element(_, others)) => {
                    pile_var(a) == pile_var(b)
                        && !of.iter().zip(others).any(|(one, other)| are_apart(one, other))
                }
                _ => is_same_expr(a, b),
            },
            (a, b) => a.var().zip(b.var()).is_none_or(|(a, b)| a == b),
        }
    }

    /// True if a local decides which pile it is.
    pub(super) fn names(&self, local: LocalId) -> bool {
        let mut names = false;
        self.visit_locals(&mut |it| names |= it == local);
        names
    }

    /// The pile of an earlier round, in which these locals had other values.
    pub(super) fn of_any_round(&self, rebound: &BTreeSet<LocalId>) -> TrailPile {
        let mut is_old = false;
        self.visit_locals(&mut |local| is_old |= rebound.contains(&local));
        if is_old { TrailPile::new(self.var()) } else { self.clone() }
    }

    /// The pile in terms of fixed locals, as far as they name it.
    fn in_words_of(&self, is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
        match self {
            TrailPile::Named(pile) => name_pile(pile, is_fixed),
            pile => pile.clone(),
        }
    }

    /// Calls `see` with the locals that decide which pile it is.
    fn visit_locals(&self, see: &mut dyn FnMut(LocalId)) {
        if let TrailPile::Named(pile) = self {
            pile.visit_tree(&mut |part| part.as_local().into_iter().for_each(&mut *see));
        }
    }
}

/// True for the same piles in the same order.
pub(super) fn are_same(piles: &[TrailPile], others: &[TrailPile]) -> bool {
    piles.len() == others.len() && piles.iter().zip(others).all(|(a, b)| a.is_same(b))
}

/// A move of cards in a rule, in terms of its parameters.
#[derive(Clone)]
pub(super) struct CardMove {
    /// The parameter whose cards are moved.
    cards: Option<LocalId>,
    from: Vec<TrailPile>,
    to: TrailPile,
    /// The taint of the move, its size and its piles, beside that of arguments.
    taint: Taint,
    /// Cards are drawn, or laid open.
    is_event: bool,
}

impl CardMove {
    fn anywhere() -> CardMove {
        let (from, to) = (vec![TrailPile::Unknown], TrailPile::Unknown);
        CardMove { cards: None, from, to, taint: Taint::default(), is_event: true }
    }

    fn is_same(&self, other: &CardMove) -> bool {
        self.to.is_same(&other.to)
            && self.cards == other.cards
            && self.is_event == other.is_event
            && are_same(&self.from, &other.from)
    }

    pub(super) fn retain_secret_inputs(&mut self, secret: &BTreeSet<Span>) {
        self.taint.retain_secret_inputs(secret);
    }
}

/// Adds a move to those of a rule; returns whether that is new.
pub(super) fn add_move(moves: &mut Vec<CardMove>, made: CardMove) -> bool {
    if let Some(known) = moves.iter_mut().find(|known| known.is_same(&made)) {
        return known.taint.join_taint(&made.taint);
    }
    let made = match moves.len() {
        MOST_MOVES => CardMove { taint: made.taint, ..CardMove::anywhere() },
        count if count > MOST_MOVES => return moves[MOST_MOVES].taint.join_taint(&made.taint),
        _ => made,
    };
    moves.push(made);
    true
}

pub(super) fn is_fixed_param(rule: &Rule, local: LocalId) -> bool {
    local.index() < rule.params && !rule.locals[local.index()].mutable
}

/// The local whose cards are moved, if any.
pub(super) fn moved_local(what: &CardSource) -> Option<LocalId> {
    match what {
        CardSource::One(cards) | CardSource::Set(cards) => cards.as_local(),
        CardSource::Pile(_) | CardSource::End(_) => None,
    }
}

/// Names a pile if its indices are literals or fixed locals; else its variable.
fn name_pile(pile: &Expr, is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
    let is_known = |part: &Expr| match &part.kind {
        ExprKind::Local(local) => is_fixed(*local),
        kind => matches!(kind, ExprKind::Value(_)),
    };
    match &pile.kind {
        ExprKind::Local(local) if is_fixed(*local) => TrailPile::Named(pile.clone()),
        ExprKind::Element(_, indices) if indices.iter().all(is_known) => {
            TrailPile::Named(pile.clone())
        }
        _ => TrailPile::new(pile_var(pile)),
    }
}

/// Renames a pile of a called rule to its caller.
fn substitute(pile: &TrailPile, args: &[Expr], is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
    let TrailPile::Named(named) = pile else { return pile.clone() };
    let given = |part: &Expr| {
        let local = part.as_local().and_then(|local| args.get(local.index()));
        local.unwrap_or(part).clone()
    };
    match &named.kind {
        ExprKind::Element(array, indices) => {
            let kind = ExprKind::Element(*array, indices.iter().map(given).collect());
            name_pile(&Expr { kind, ..named.clone() }, is_fixed)
        }
        _ => name_pile(&given(named), is_fixed),
    }
}

impl SecrecyWalk<'_> {
    /// The piles that cards leave, as far as a move names them, directly or by locals.
    pub(super) fn source_piles(&self, what: &CardSource) -> Vec<Expr> {
        match what {
            CardSource::Pile(pile) => vec![pile.clone()],
            CardSource::End(end) => vec![end.pile.clone()],
            CardSource::One(cards) | CardSource::Set(cards) => self.homes_of(cards),
        }
    }

    /// The piles that a value names, directly or by locals.
    pub(super) fn homes_of(&self, cards: &Expr) -> Vec<Expr> {
        let mut piles = Vec::new();
        cards.visit_tree(&mut |part| match &part.kind {
            ExprKind::Element(Array::Pile(var) | Array::Var(var), indices)
                if matches!(self.known.rules.vars[var.index()].form, VarForm::Pile(_)) =>
            {
                // The pile itself, even where its cards are meant.
                let kind = ExprKind::Element(Array::Pile(*var), indices.clone());
                piles.push(Expr { kind, ..part.clone() });
            }
            ExprKind::Local(_) if matches!(part.ty, Type::Pile(_)) => piles.push(part.clone()),
            ExprKind::Local(local) => {
                piles.extend(self.homes.get(local).into_iter().flatten().cloned());
            }
            _ => {}
        });
        piles
    }

    /// Records a move for the callers of this rule.
    pub(super) fn note_move(
        &mut self,
        cards: Option<LocalId>,
        from: &[TrailPile],
        to: &TrailPile,
        (taint, is_event): (Taint, bool),
    ) {
        let here = self.rule_of();
        let is_fixed = |local: LocalId| is_fixed_param(here, local);
        let cards = cards.filter(|local| is_fixed(*local));
        let from = from.iter().map(|pile| pile.in_words_of(&is_fixed)).collect();
        let made = CardMove { cards, from, to: to.in_words_of(&is_fixed), taint, is_event };
        let _ = add_move(&mut self.out.moves, made);
    }

    /// Applies the moves of a called rule.
    pub(super) fn follow_called_moves(
        &mut self,
        rule: RuleId,
        args: &[Expr],
        taint: &[Taint],
        span: Span,
    ) {
        let here = self.rule_of();
        let is_fixed = |local: LocalId| !here.locals[local.index()].mutable;
        if !self.known.moves[rule.index()].is_empty() {
            self.change_all_piles();
        }
        for made in &self.known.moves[rule.index()] {
            self.known.budget.charge(1 + made.from.len());
            let to = substitute(&made.to, args, &is_fixed);
            let mut from: Vec<TrailPile> =
                made.from.iter().map(|pile| substitute(pile, args, &is_fixed)).collect();
            let mut decided = self.taint_of_called_move(rule, made, args, taint);
            let mut given = None;
            if let Some(cards) = made.cards.map(LocalId::index) {
                from.extend(self.homes_of(&args[cards]).iter().map(TrailPile::of));
                self.note_moved_sink(&made.to, &to, &taint[cards], span);
                decided.join_taint(&self.amount_taint(&args[cards]));
                given = args[cards].as_local();
            }
            let taint = self.pc_taint().with_taint(&decided);
            self.note_move(given, &from, &to, (taint.clone(), made.is_event));
            if made.is_event {
                self.follow_event(SecretMove::new(span, from.clone(), to.clone(), taint));
            }
            self.follow_cards(from.clone(), to.clone(), &decided, span);
            self.check_put_back(&from, &to, span);
        }
    }

    /// The taint of a move of a called rule, its size and its piles.
    fn taint_of_called_move(
        &mut self,
        rule: RuleId,
        made: &CardMove,
        args: &[Expr],
        taint: &[Taint],
    ) -> Taint {
        let params = self.known.rules.rules[rule.index()].params;
        let mut decided =
            made.taint.map_seers(|it| it.at_call(params, args, |arg| self.players.seer_of(arg)));
        let mut locals = Vec::new();
        let piles = made.from.iter().chain([&made.to]);
        piles.for_each(|pile| pile.visit_locals(&mut |local| locals.push(local.index())));
        for at in locals.into_iter().filter(|at| *at < args.len()) {
            let is_pile = matches!(args[at].ty, Type::Pile(_));
            let told = if is_pile { self.nonempty_taint(&args[at]) } else { taint[at].clone() };
            decided.join_taint(&told);
        }
        decided
    }

    /// Records the sink of cards that a called rule moves from one parameter to another: the caller knows who sees
    /// them.
    fn note_moved_sink(&mut self, given: &TrailPile, to: &TrailPile, taint: &Taint, span: Span) {
        let is_given = matches!(given, TrailPile::Named(pile) if pile.as_local().is_some());
        let passes_on = matches!(to, TrailPile::Named(pile)
            if pile.as_local().is_some_and(|local| is_fixed_param(self.rule_of(), local)));
        if is_given && !passes_on {
            let sink = if self.is_open_pile(to) { Sink::Public } else { Sink::Private };
            self.out.note_sink(taint, sink, span);
        }
    }

    pub(super) fn is_open_pile(&self, pile: &TrailPile) -> bool {
        match pile {
            TrailPile::Named(pile) => self.is_open(pile),
            TrailPile::Of(var) => self.known.is_open_var(*var),
            TrailPile::Unknown => false,
        }
    }

    /// Reports cards that go back into their own pile under a secret: sizes stay, but whether chance decides the next
    /// draw changes.
    pub(super) fn check_put_back(&mut self, from: &[TrailPile], to: &TrailPile, span: Span) {
        let is_back = |var: VarId| from.iter().any(|pile| pile.var() == Some(var));
        let is_closed = !self.is_open_pile(to);
        let is_drawn = |var: VarId| self.known.piles.drawn.contains(&var);
        if is_closed && to.var().is_some_and(|var| is_drawn(var) && is_back(var)) {
            self.now.note_order_leak(to, self.pc_without_rounds(), span);
        }
    }

    /// Reports cards that a secret moved and that may come back before the next decision: who knows one of them notices
    /// it, and all do by the draws. Remembers moves under a secret.
    pub(super) fn follow_cards(
        &mut self,
        mut from: Vec<TrailPile>,
        to: TrailPile,
        decided: &Taint,
        span: Span,
    ) {
        if from.is_empty() {
            from.push(TrailPile::Unknown);
        }
        // Everybody sees the cards of open piles.
        let is_open = from.iter().all(|pile| self.is_open_pile(pile));
        if is_open || self.is_open_pile(&to) {
            return;
        }
        let taint = self.pc_taint().with_taint(decided);
        let are_apart = |a: &Expr, b: &Expr| self.players.are_apart_indices(a, b);
        let comes_back = |moved: &&SecretMove| {
            let leaves = from.iter().any(|pile| pile.may_be(&moved.to, &are_apart));
            let enters = moved.from.iter().any(|pile| pile.may_be(&to, &are_apart));
            let is_other = moved.at != span || !to.is_named() || !moved.to.is_same(&to);
            is_other && if taint.is_empty() { leaves && enters } else { leaves || enters }
        };
        let moved = self.now.moved.iter().find(comes_back).cloned();
        if let Some(moved) = moved.filter(|_| !self.is_dealt_unseen()) {
            let secret = moved.taint.clone().with_taint(&taint);
            let what = "whether cards go from here and others come depends on {}, which some players do not see";
            let help = "move cards in any case, or under a condition that everybody sees; a variable \
                        leaves no trail: `role: Role = Role.first hidden`";
            let place = (span, "who knows a card here notices this");
            self.report_leak(&secret, None, place, what, help);
        }
        self.check_shares(&from, &to, &taint, span);
        if !taint.is_empty() {
            let _ = remember_move(&mut self.now.moved, &SecretMove::new(span, from, to, taint));
        }
    }

    /// Reports two moves to one pile that is drawn from whose shares a secret decides: all see the sum, and whether
    /// chance decides the next draws.
    fn check_shares(&mut self, from: &[TrailPile], to: &TrailPile, taint: &Taint, span: Span) {
        let are_apart = |a: &Expr, b: &Expr| self.players.are_apart_indices(a, b);
        let is_drawn = to.var().is_none_or(|var| self.known.piles.drawn.contains(&var));
        let is_same = |moved: &&SecretMove| moved.at != span && moved.to.may_be(to, &are_apart);
        // An earlier move leaves as secret a rest as it took.
        let is_left = |moved: &&SecretMove| {
            from.iter().any(|pile| moved.from.iter().any(|of| pile.may_be(of, &are_apart)))
        };
        let earlier = self.now.moved.iter().filter(is_left);
        let taint = earlier.fold(taint.clone(), |taint, moved| taint.with_taint(&moved.taint));
        if is_drawn && !taint.is_empty() && self.now.moved.iter().any(|it| is_same(&it)) {
            self.now.note_order_leak(to, taint, span);
        }
    }

    /// True while the setup deals cards of which nobody has seen one yet.
    pub(super) fn is_dealt_unseen(&self) -> bool {
        self.known.rules.setup == Some(self.rule) && !self.now.taught
    }

    /// Records the piles of the cards in a local.
    pub(super) fn note_home(&mut self, local: LocalId, value: &Expr) {
        if self.known.are_cards(&value.ty) || self.known.is_pile(value) {
            let piles = self.homes_of(value);
            self.homes.insert(local, piles);
        }
    }
}
