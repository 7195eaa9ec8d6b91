//! Reports cards that a secret moves and that come back before the next decision: sizes of piles do not show it.

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{SecretMove, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Array, CardAction, CardSource, Expr, ExprKind, LocalId, Rule, RuleId, Rules, StmtKind, Type,
    VarForm, VarId, is_same_expr,
};
use crate::source::Span;

/// Limits the moves that are remembered of a rule, and between two questions.
const MOST_MOVES: usize = 32;

/// A pile, as far as known where a move is followed.
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

    fn may_be(&self, other: &TrailPile) -> bool {
        match (self, other) {
            (TrailPile::Named(a), TrailPile::Named(b)) => is_same_expr(a, b),
            (a, b) => a.var().zip(b.var()).is_none_or(|(a, b)| a == b),
        }
    }
}

/// A move of cards in a rule, in terms of its parameters.
#[derive(Clone)]
pub(super) struct CardMove {
    /// The parameter whose cards are moved.
    cards: Option<LocalId>,
    from: Vec<TrailPile>,
    to: TrailPile,
}

/// The moves of each rule, itself and through calls. `order` puts callees first.
pub(super) fn moves_of_rules(rules: &Rules, order: &[u32]) -> Vec<Vec<CardMove>> {
    let mut moves = vec![Vec::new(); rules.rules.len()];
    // Twice, for rules that call each other.
    for rule in order.iter().chain(order) {
        let at = *rule as usize;
        moves[at] = moves_of_rule(rules, &rules.rules[at], &moves);
    }
    moves
}

fn moves_of_rule(rules: &Rules, rule: &Rule, known: &[Vec<CardMove>]) -> Vec<CardMove> {
    let mut moves: Vec<CardMove> = Vec::new();
    let mut add = |made: CardMove| {
        let is_same = |known: &CardMove| {
            known.to.is_same(&made.to)
                && known.cards == made.cards
                && known.from.len() == made.from.len()
                && known.from.iter().zip(&made.from).all(|(a, b)| a.is_same(b))
        };
        if moves.len() < MOST_MOVES && !moves.iter().any(is_same) {
            moves.push(made);
        }
    };
    let is_fixed = |local: LocalId| is_fixed_param(rule, local);
    visit_stmts(&rule.body, &mut |stmt| {
        let StmtKind::Cards(action) = &stmt.kind else { return };
        let CardAction::Move { what, to, .. } = action.as_ref() else { return };
        let from = sources(rules, what, &|local| piles_of_local(rules, rule, local));
        let cards = moved_local(what).filter(|local| is_fixed(*local));
        let from = from.iter().map(|pile| name_pile(pile, &is_fixed)).collect();
        add(CardMove { cards, from, to: name_pile(to, &is_fixed) });
    });
    rule.visit_exprs(&mut |part| {
        let ExprKind::Call(called, args) = &part.kind else { return };
        for made in &known[called.index()] {
            let cards = made.cards.and_then(|local| args[local.index()].as_local());
            let here = |pile: &TrailPile| substitute(pile, args, &is_fixed);
            let from = made.from.iter().map(here).collect();
            add(CardMove {
                cards: cards.filter(|local| is_fixed(*local)),
                from,
                to: here(&made.to),
            });
        }
    });
    moves
}

pub(super) fn is_fixed_param(rule: &Rule, local: LocalId) -> bool {
    local.index() < rule.params && !rule.locals[local.index()].mutable
}

/// The local whose cards are moved, if any.
fn moved_local(what: &CardSource) -> Option<LocalId> {
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
    /// The piles that cards leave, by the homes of locals.
    pub(super) fn source_piles(&self, what: &CardSource) -> Vec<Expr> {
        let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
        sources(self.known.rules, what, &homes)
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
        for made in &self.known.moves[rule.index()] {
            self.known.budget.charge(1 + made.from.len());
            let to = substitute(&made.to, args, &is_fixed);
            let mut from: Vec<TrailPile> =
                made.from.iter().map(|pile| substitute(pile, args, &is_fixed)).collect();
            if let Some(cards) = made.cards.map(LocalId::index) {
                from.extend(self.homes_of(&args[cards]).into_iter().map(TrailPile::Named));
                self.note_moved_sink(&made.to, &to, &taint[cards], span);
            }
            self.follow_cards(from.clone(), to.clone(), span);
            self.check_put_back(&from, &to, span);
        }
    }

    fn homes_of(&self, cards: &Expr) -> Vec<Expr> {
        let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
        named_piles(self.known.rules, cards, &homes)
    }

    /// Records the sink of cards that a called rule moves from one parameter to another: the caller knows who sees
    /// them.
    fn note_moved_sink(&mut self, given: &TrailPile, to: &TrailPile, taint: &Taint, span: Span) {
        let is_given = matches!(given, TrailPile::Named(pile) if pile.as_local().is_some());
        let passes_on = matches!(to, TrailPile::Named(pile)
            if pile.as_local().is_some_and(|local| is_fixed_param(self.rule_of(), local)));
        if is_given && !passes_on {
            let sink = if self.is_open_pile(to) { Sink::Public } else { Sink::Private };
            self.note_sink(taint, sink, span);
        }
    }

    fn is_open_pile(&self, pile: &TrailPile) -> bool {
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
            self.report_order_leak(span);
        }
    }

    /// Reports cards that a secret moved and that may come back before the next decision: who knows one of them notices
    /// it, and all do by the draws. Remembers moves under a secret.
    pub(super) fn follow_cards(&mut self, mut from: Vec<TrailPile>, to: TrailPile, span: Span) {
        if from.is_empty() {
            from.push(TrailPile::Unknown);
        }
        // Everybody sees the cards of open piles.
        let is_open = from.iter().all(|pile| self.is_open_pile(pile));
        if is_open || self.is_open_pile(&to) {
            return;
        }
        // Sizes of piles show the rounds of a loop.
        let taint = self.pc_without_rounds();
        let comes_back = |moved: &&SecretMove| {
            let leaves = from.iter().any(|pile| pile.may_be(&moved.to));
            let enters = moved.from.iter().any(|pile| pile.may_be(&to));
            let is_other = moved.at != span || !moved.to.is_same(&to);
            is_other && if taint.is_empty() { leaves && enters } else { leaves || enters }
        };
        if let Some(moved) = self.now.moved.iter().find(comes_back) {
            let secret = moved.taint.clone().with_taint(&taint);
            let what = "whether cards go from here and others come depends on {}, which some players do not see";
            let help = "move cards in any case, or under a condition that everybody sees; a variable \
                        leaves no trail: `role: Role = Role.first hidden`";
            let place = (span, "who knows a card here notices this");
            self.report_leak(&secret, None, place, what, help);
        }
        if !taint.is_empty() && self.now.moved.len() < MOST_MOVES {
            let moved = SecretMove { at: span, from, to, taint };
            if !self.now.moved.iter().any(|known| known.is_same(&moved)) {
                self.now.moved.push(moved);
            }
        }
    }

    /// Records the piles of the cards in a local.
    pub(super) fn note_home(&mut self, local: LocalId, value: &Expr) {
        if self.are_cards(&value.ty) || self.is_pile(value) {
            let piles = self.homes_of(value);
            self.homes.insert(local, piles);
        }
    }
}

/// The piles that cards leave, as far as a move names them, directly or by locals.
fn sources(rules: &Rules, what: &CardSource, homes: &dyn Fn(LocalId) -> Vec<Expr>) -> Vec<Expr> {
    match what {
        CardSource::Pile(pile) => vec![pile.clone()],
        CardSource::End(end) => vec![end.pile.clone()],
        CardSource::One(cards) | CardSource::Set(cards) => named_piles(rules, cards, homes),
    }
}

/// The piles that a value names, directly or by locals.
fn named_piles(rules: &Rules, value: &Expr, homes: &dyn Fn(LocalId) -> Vec<Expr>) -> Vec<Expr> {
    let mut piles = Vec::new();
    value.visit_tree(&mut |part| match &part.kind {
        ExprKind::Element(Array::Pile(var) | Array::Var(var), indices)
            if matches!(rules.vars[var.index()].form, VarForm::Pile(_)) =>
        {
            // The pile itself, even where its cards are meant.
            let kind = ExprKind::Element(Array::Pile(*var), indices.clone());
            piles.push(Expr { kind, ..part.clone() });
        }
        ExprKind::Local(_) if matches!(part.ty, Type::Pile(_)) => piles.push(part.clone()),
        ExprKind::Local(local) => piles.extend(homes(*local)),
        _ => {}
    });
    piles
}

/// The piles of a local: of its value or of the set of its loop.
fn piles_of_local(rules: &Rules, rule: &Rule, local: LocalId) -> Vec<Expr> {
    let mut piles = Vec::new();
    let mut add = |value: &Expr| piles.extend(named_piles(rules, value, &|_| Vec::new()));
    visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
        StmtKind::Let(named, value) if *named == local => add(value),
        StmtKind::For { binder, .. } if binder.local == local => add(&binder.set),
        _ => {}
    });
    piles
}
