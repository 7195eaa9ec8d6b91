//! Cards that a secret moves and that come back before the next decision: the numbers of cards say nothing of it then.

use std::collections::BTreeSet;

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{SecretMove, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::{
    Array, CardSource, Expr, ExprKind, LocalId, Rule, RuleId, Rules, Type, VarForm, VarId,
    is_same_expr,
};
use crate::source::Span;

/// How many moves are remembered until somebody is asked, and of one rule. All beyond are one move from anywhere to
/// anywhere.
const MOST_MOVES: usize = 256;

/// A pile, as far as it can be told where a move is followed.
#[derive(Clone)]
pub(super) enum TrailPile {
    Named(Expr),
    /// One of the piles of a variable.
    Of(VarId),
    Unknown,
}

impl TrailPile {
    fn new(pile: Option<VarId>) -> TrailPile {
        pile.map_or(TrailPile::Unknown, TrailPile::Of)
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

    /// Whether both may be one pile; `are_apart` knows two indices that always differ.
    fn may_be(&self, other: &TrailPile, are_apart: &dyn Fn(&Expr, &Expr) -> bool) -> bool {
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

    /// The pile in words of locals that stay what they are, as far as they name it.
    fn in_words_of(&self, is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
        match self {
            TrailPile::Named(pile) => place(pile, is_fixed),
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

/// A move of cards in a rule, in words of its parameters.
#[derive(Clone)]
pub(super) struct CardMove {
    /// The parameter whose cards are moved.
    cards: Option<LocalId>,
    from: Vec<TrailPile>,
    to: TrailPile,
    /// What it tells that it happens, with so many cards and between these piles, beside what arguments tell.
    tells: Taint,
}

impl CardMove {
    fn anywhere() -> CardMove {
        let (from, to) = (vec![TrailPile::Unknown], TrailPile::Unknown);
        CardMove { cards: None, from, to, tells: Taint::default() }
    }

    fn is_same(&self, other: &CardMove) -> bool {
        self.to.is_same(&other.to)
            && self.cards == other.cards
            && self.from.len() == other.from.len()
            && self.from.iter().zip(&other.from).all(|(a, b)| a.is_same(b))
    }

    /// Forgets arguments and draws that everybody hears.
    pub(super) fn keep_inputs(&mut self, secret: &BTreeSet<Span>) {
        self.tells.keep_inputs(secret);
    }
}

/// Adds a move to those of a rule; whether that is anything new.
pub(super) fn add_move(moves: &mut Vec<CardMove>, made: CardMove) -> bool {
    if let Some(known) = moves.iter_mut().find(|known| known.is_same(&made)) {
        return known.tells.join_taint(&made.tells);
    }
    let made = match moves.len() {
        MOST_MOVES => CardMove { tells: made.tells, ..CardMove::anywhere() },
        count if count > MOST_MOVES => return moves[MOST_MOVES].tells.join_taint(&made.tells),
        _ => made,
    };
    moves.push(made);
    true
}

pub(super) fn is_fixed_param(rule: &Rule, local: LocalId) -> bool {
    local.index() < rule.params && !rule.locals[local.index()].mutable
}

/// The local whose cards are moved, if a statement moves what a local holds.
pub(super) fn moved_local(what: &CardSource) -> Option<LocalId> {
    match what {
        CardSource::One(cards) | CardSource::Set(cards) => cards.as_local(),
        CardSource::Pile(_) | CardSource::End(_) => None,
    }
}

/// A pile as its text names it, if nothing but names that stay what they are decides which one it is.
fn place(pile: &Expr, is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
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

/// A pile of a called rule, where that is called with these arguments.
fn substitute(pile: &TrailPile, args: &[Expr], is_fixed: &dyn Fn(LocalId) -> bool) -> TrailPile {
    let TrailPile::Named(named) = pile else { return pile.clone() };
    let given = |part: &Expr| {
        let local = part.as_local().and_then(|local| args.get(local.index()));
        local.unwrap_or(part).clone()
    };
    match &named.kind {
        ExprKind::Element(array, indices) => {
            let kind = ExprKind::Element(*array, indices.iter().map(given).collect());
            place(&Expr { kind, ..named.clone() }, is_fixed)
        }
        _ => place(&given(named), is_fixed),
    }
}

impl SecrecyWalk<'_> {
    /// The piles that cards leave.
    pub(super) fn piles_left(&self, what: &CardSource) -> Vec<Expr> {
        let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
        sources(self.known.rules, what, &homes)
    }

    /// Notes a move for those who call this rule.
    pub(super) fn note_move(
        &mut self,
        cards: Option<LocalId>,
        from: &[TrailPile],
        to: &TrailPile,
        tells: Taint,
    ) {
        let here = self.rule_of();
        let is_fixed = |local: LocalId| is_fixed_param(here, local);
        let cards = cards.filter(|local| is_fixed(*local));
        let from = from.iter().map(|pile| pile.in_words_of(&is_fixed)).collect();
        let made = CardMove { cards, from, to: to.in_words_of(&is_fixed), tells };
        let _ = add_move(&mut self.out.moves, made);
    }

    /// A called rule moves cards.
    pub(super) fn leave_trails(
        &mut self,
        rule: RuleId,
        args: &[Expr],
        tells: &[Taint],
        span: Span,
    ) {
        let here = self.rule_of();
        let is_fixed = |local: LocalId| !here.locals[local.index()].mutable;
        for made in &self.known.moves[rule.index()] {
            self.known.budget.charge(1 + made.from.len());
            let to = substitute(&made.to, args, &is_fixed);
            let mut from: Vec<TrailPile> =
                made.from.iter().map(|pile| substitute(pile, args, &is_fixed)).collect();
            let mut decided = self.decided_by_call(rule, made, args, tells);
            let mut given = None;
            if let Some(cards) = made.cards.map(LocalId::index) {
                from.extend(self.homes_of(&args[cards]).into_iter().map(TrailPile::Named));
                self.sink_moved(&made.to, &to, &tells[cards], span);
                decided.join_taint(&self.tells_amount(&args[cards]));
                given = args[cards].as_local();
            }
            let tells = self.reached_taint().with_taint(&decided);
            self.note_move(given, &from, &to, tells);
            self.follow_cards(from.clone(), to.clone(), &decided, span);
            self.put_back(&from, &to, span);
        }
    }

    /// What it tells that a called rule makes a move of cards, and between which piles.
    fn decided_by_call(
        &mut self,
        rule: RuleId,
        made: &CardMove,
        args: &[Expr],
        tells: &[Taint],
    ) -> Taint {
        let params = self.known.rules.rules[rule.index()].params;
        let mut decided = made.tells.renamed(|it| it.at_call(params, args, |arg| self.who(arg)));
        let mut locals = Vec::new();
        let piles = made.from.iter().chain([&made.to]);
        piles.for_each(|pile| pile.visit_locals(&mut |local| locals.push(local.index())));
        for at in locals.into_iter().filter(|at| *at < args.len()) {
            let is_pile = matches!(args[at].ty, Type::Pile(_));
            let told = if is_pile { self.tells_some(&args[at]) } else { tells[at].clone() };
            decided.join_taint(&told);
        }
        decided
    }

    pub(super) fn homes_of(&self, cards: &Expr) -> Vec<Expr> {
        let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
        named_piles(self.known.rules, cards, &homes)
    }

    /// Cards that a rule is given come to a pile that it is given: where that is known, so is who sees them then.
    fn sink_moved(&mut self, given: &TrailPile, to: &TrailPile, tells: &Taint, span: Span) {
        let is_given = matches!(given, TrailPile::Named(pile) if pile.as_local().is_some());
        let passes_on = matches!(to, TrailPile::Named(pile)
            if pile.as_local().is_some_and(|local| is_fixed_param(self.rule_of(), local)));
        if is_given && !passes_on {
            let sink = if self.is_open_pile(to) { Sink::Public } else { Sink::Private };
            self.sink(tells, sink, span);
        }
    }

    fn is_open_pile(&self, pile: &TrailPile) -> bool {
        match pile {
            TrailPile::Named(pile) => self.is_open(pile),
            TrailPile::Of(var) => self.known.is_open_var(*var),
            TrailPile::Unknown => false,
        }
    }

    /// Cards that go back into the pile in which they lay change whether chance decides the next draw there, and no
    /// number of cards.
    pub(super) fn put_back(&mut self, from: &[TrailPile], to: &TrailPile, span: Span) {
        let is_back = |var: VarId| from.iter().any(|pile| pile.var() == Some(var));
        let is_closed = !self.is_open_pile(to);
        let is_drawn = |var: VarId| self.known.piles.drawn.contains(&var);
        if is_closed && to.var().is_some_and(|var| is_drawn(var) && is_back(var)) {
            self.report_order_leak(&self.reached_by_choice(), span);
        }
    }

    /// Cards that a secret moved may come back before the next decision. Then the numbers of cards say nothing, but
    /// players who know one of these cards notice it, and so do all by the draws.
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
        // Everybody sees which card leaves an open pile, or comes to one.
        let is_open = from.iter().all(|pile| self.is_open_pile(pile));
        if is_open || self.is_open_pile(&to) {
            return;
        }
        let tells = self.reached_taint().with_taint(decided);
        let are_apart = |a: &Expr, b: &Expr| self.are_apart_indices(a, b);
        let comes_back = |moved: &&SecretMove| {
            let leaves = from.iter().any(|pile| pile.may_be(&moved.to, &are_apart));
            let enters = moved.from.iter().any(|pile| pile.may_be(&to, &are_apart));
            let is_other = moved.at != span || !moved.to.is_same(&to);
            is_other && if tells.is_empty() { leaves && enters } else { leaves || enters }
        };
        let moved = self.now.moved.iter().find(comes_back).cloned();
        if let Some(moved) = moved.filter(|_| !self.is_dealt_unseen()) {
            let secret = moved.tells.clone().with_taint(&tells);
            let what = "whether cards go from here and others come depends on {}, which some players do not see";
            let help = "move cards in any case, or under a condition that everybody sees; a variable \
                        leaves no trail: `role: Role = Role.first hidden`";
            let place = (span, "who knows a card here notices this");
            self.leak(&secret, None, place, what, help);
        }
        self.check_shares(&from, &to, &tells, span);
        if !tells.is_empty() {
            let moved = SecretMove { at: span, from, to, tells };
            let is_known = self.now.moved.iter().any(|known| known.is_same(&moved));
            match self.now.moved.len() {
                _ if is_known => {}
                MOST_MOVES => {
                    let (from, to) = (vec![TrailPile::Unknown], TrailPile::Unknown);
                    self.now.moved.push(SecretMove { from, to, ..moved });
                }
                count if count < MOST_MOVES => self.now.moved.push(moved),
                _ => {}
            }
        }
    }

    /// Two moves share out cards to one pile that is drawn from, and a secret decides how many each brings: all see
    /// the sum, and whether chance decides the next draws.
    fn check_shares(&mut self, from: &[TrailPile], to: &TrailPile, tells: &Taint, span: Span) {
        let are_apart = |a: &Expr, b: &Expr| self.are_apart_indices(a, b);
        let is_drawn = to.var().is_none_or(|var| self.known.piles.drawn.contains(&var));
        let is_same = |moved: &&SecretMove| moved.at != span && moved.to.may_be(to, &are_apart);
        // What an earlier move left in a pile is as secret as what it took.
        let is_left = |moved: &&SecretMove| {
            from.iter().any(|pile| moved.from.iter().any(|of| pile.may_be(of, &are_apart)))
        };
        let earlier = self.now.moved.iter().filter(is_left);
        let tells = earlier.fold(tells.clone(), |tells, moved| tells.with_taint(&moved.tells));
        if is_drawn && !tells.is_empty() && self.now.moved.iter().any(|it| is_same(&it)) {
            self.report_order_leak(&tells, span);
        }
    }

    fn are_apart_indices(&self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Value(a), ExprKind::Value(b)) => a != b,
            _ => self.are_apart(self.who(a), self.who(b)),
        }
    }

    /// Whether the setup deals cards of which nobody has seen one yet.
    fn is_dealt_unseen(&self) -> bool {
        self.known.rules.setup == Some(self.rule) && !self.now.taught
    }

    /// A local stands for cards that lie in the piles which a value names.
    pub(super) fn note_home(&mut self, local: LocalId, value: &Expr) {
        if self.are_cards(&value.ty) || self.is_pile(value) {
            let piles = self.homes_of(value);
            self.homes.insert(local, piles);
        }
    }
}

/// The piles that cards leave, as far as a move names them, itself or by the piles of locals.
fn sources(rules: &Rules, what: &CardSource, homes: &dyn Fn(LocalId) -> Vec<Expr>) -> Vec<Expr> {
    match what {
        CardSource::Pile(pile) => vec![pile.clone()],
        CardSource::End(end) => vec![end.pile.clone()],
        CardSource::One(cards) | CardSource::Set(cards) => named_piles(rules, cards, homes),
    }
}

/// The piles that a value names, itself or by locals.
fn named_piles(rules: &Rules, value: &Expr, homes: &dyn Fn(LocalId) -> Vec<Expr>) -> Vec<Expr> {
    let mut piles = Vec::new();
    value.visit_tree(&mut |part| match &part.kind {
        ExprKind::Element(Array::Pile(var) | Array::Var(var), indices)
            if matches!(rules.vars[var.index()].form, VarForm::Pile(_)) =>
        {
            // The pile itself, also where its cards are meant.
            let kind = ExprKind::Element(Array::Pile(*var), indices.clone());
            piles.push(Expr { kind, ..part.clone() });
        }
        ExprKind::Local(_) if matches!(part.ty, Type::Pile(_)) => piles.push(part.clone()),
        ExprKind::Local(local) => piles.extend(homes(*local)),
        _ => {}
    });
    piles
}
