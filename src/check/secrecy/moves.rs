//! Moves of cards: what everybody sees of them, and what those notice who know where cards lie.

use crate::check::secrecy::outputs::Sink;
use crate::check::secrecy::pile_var;
use crate::check::secrecy::taint::{SecretMove, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Array, CardAction, CardSource, Expr, ExprKind, LocalId, PileEnd, Rule, RuleId, Rules, StmtKind,
    Type, VarForm, is_same_expr,
};
use crate::source::Span;

/// How many moves are remembered until somebody is asked.
const MOST_MOVES: usize = 32;

impl SecrecyWalk<'_> {
    /// How many cards lie where is seen by all. Where they are the cards of a set that is a secret,
    /// their number alone is told.
    pub(super) fn move_cards(&mut self, what: &CardSource, to: &Expr, span: Span) {
        let whereto = self.tells_some(to);
        self.pile_may_be_nowhere(to);
        self.leave_a_trail(what, to, span);
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
                if from == into || from.is_none() || into.is_none() {
                    self.drawn_from(end, span);
                }
                (Taint::default(), self.tells_end(end))
            }
        };
        counted.join_taint(&self.reached_by_choice());
        self.order_cards(to, span);
        self.sink(&counted.with_taint(&whereto), Sink::Public, span);
        let rounds = self.rounds.clone();
        self.sink(&rounds, Sink::Private, span);
        let sink = if self.is_open(to) { Sink::Public } else { Sink::Private };
        self.sink(&tells, sink, span);
    }

    /// Where cards lie in a pile that is drawn from tells everybody whether chance must decide which one comes.
    fn order_cards(&mut self, to: &Expr, span: Span) {
        let is_drawn = match pile_var(to) {
            Some(var) => self.known.drawn.contains(&var),
            None => !self.known.drawn.is_empty(),
        };
        if is_drawn && !self.is_open(to) {
            let tells = self.reached_by_choice();
            let what = "how cards lie here depends on {}, which some players do not see";
            let help = "put them there alike in any case, or under a condition that everybody sees";
            let place = (span, "everybody notices whether chance decides a draw from here");
            self.leak(&tells, None, place, what, help);
        }
    }

    /// Notes a move, or reports it: see [`Self::follow_cards`].
    fn leave_a_trail(&mut self, what: &CardSource, to: &Expr, span: Span) {
        let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
        let from = sources(self.known.rules, what, &homes);
        self.follow_cards(from, to, span);
    }

    /// A called rule moves cards between piles that it is given, or that lie on the table.
    pub(super) fn leave_trails(&mut self, rule: RuleId, args: &[Expr], span: Span) {
        let rules = self.known.rules;
        let called = &rules.rules[rule.index()];
        // The pile here that a pile of the rule is.
        let here = |pile: &Expr| match &pile.kind {
            ExprKind::Local(local) if local.index() < called.params => {
                args.get(local.index()).cloned()
            }
            ExprKind::Element(_, indices) => indices.is_empty().then(|| pile.clone()),
            _ => None,
        };
        let mut moves: Vec<(Vec<Expr>, Expr)> = Vec::new();
        visit_stmts(&called.body, &mut |stmt| {
            let StmtKind::Cards(action) = &stmt.kind else { return };
            let CardAction::Move { what, to, .. } = action.as_ref() else { return };
            if let Some(to) = here(to) {
                let from = sources(rules, what, &|local| piles_of_local(rules, called, local));
                moves.push((from.iter().filter_map(here).collect(), to));
            }
        });
        for (from, to) in moves {
            self.known.budget.charge(1 + from.len());
            self.follow_cards(from, &to, span);
        }
    }

    /// Cards that a secret moved may come back before the next decision. Then the numbers of cards say nothing, but
    /// players who know one of these cards notice it, and so do all by the draws.
    fn follow_cards(&mut self, from: Vec<Expr>, to: &Expr, span: Span) {
        // Everybody sees which card leaves an open pile, or comes to one.
        let is_open = !from.is_empty() && from.iter().all(|pile| self.is_open(pile));
        if is_open || self.is_open(to) {
            return;
        }
        // How many cards a loop goes through is told by the piles.
        let tells = self.reached_by_choice();
        let is = |piles: &[Expr], pile: &Expr| piles.iter().any(|it| is_same_expr(it, pile));
        let comes_back = |moved: &&SecretMove| {
            let (leaves, enters) =
                (from.iter().any(|it| is_same_expr(it, &moved.to)), is(&moved.from, to));
            moved.at != span && if tells.is_empty() { leaves && enters } else { leaves || enters }
        };
        if let Some(moved) = self.now.moved.iter().find(comes_back) {
            let secret = moved.tells.clone().with_taint(&tells);
            let what = "whether cards go from here and others come depends on {}, which some players do not see";
            let help = "move cards in any case, or under a condition that everybody sees; a variable \
                        leaves no trail: `role: Role = Role.first hidden`";
            let place = (span, "who knows a card here notices this");
            self.leak(&secret, None, place, what, help);
        }
        if !tells.is_empty() && self.now.moved.len() < MOST_MOVES {
            let moved = SecretMove { at: span, from, to: to.clone(), tells };
            if !self.now.moved.iter().any(|known| known.is_same(&moved)) {
                self.now.moved.push(moved);
            }
        }
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
    pub(super) fn may_be_nowhere(&mut self, array: Array, indices: &[Expr], span: Span) {
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
            let _ = self.may_fail(&tells, span);
        }
    }

    pub(super) fn pile_may_be_nowhere(&mut self, pile: &Expr) {
        if let ExprKind::Element(array, indices) = &pile.kind {
            self.may_be_nowhere(*array, indices, pile.span);
        }
    }

    /// A local stands for cards that lie in the piles which a value names.
    pub(super) fn note_home(&mut self, local: LocalId, value: &Expr) {
        if self.are_cards(&value.ty) || self.is_pile(value) {
            let homes = |local| self.homes.get(&local).cloned().unwrap_or_default();
            let piles = named_piles(self.known.rules, value, &homes);
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

/// The piles of a local of a rule: of its value, or of the set of its loop.
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
