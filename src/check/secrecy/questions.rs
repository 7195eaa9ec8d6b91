//! Decisions: who is asked, what is offered, and which arguments of a move stay private.

use crate::check::rules::{
    Array, Block, CardAction, Cards, Choose, Clause, Expr, ExprKind, LocalId, MoveOption, Pick,
    Rules, Stmt, StmtKind, VarForm,
};
use crate::check::secrecy::taint::{Sees, Taint};
use crate::check::secrecy::walk::Walk;
use crate::check::visit::any_stmt;
use crate::source::Span;
use crate::syntax::ast::Visibility;

/// A player who is asked, where, and what the options tell.
struct Offered {
    chooser: Sees,
    span: Span,
    what: Taint,
    /// What it tells whether anything is offered.
    whether: Taint,
}

impl Walk<'_> {
    pub(super) fn choose(&mut self, choose: &Choose, bodies: &[&Block]) {
        let (span, chooser) = (choose.chooser.span, self.who(&choose.chooser));
        let mut who = self.tells(&choose.chooser);
        if let Some(each) = &choose.each {
            who.join(&self.binder(each));
        }
        self.who_is_asked(&who, span);
        choose.prompt.iter().for_each(|prompt| self.offers(prompt, chooser, span));
        if choose.order.is_some() {
            // The rest is asked again after each of the bodies.
            self.several(|walk| {
                walk.asks_at(span, "somebody is asked here");
                walk.options(choose, chooser, span, bodies);
            });
        } else {
            self.options(choose, chooser, span, bodies);
        }
    }

    /// What is offered, and what happens then: one of the bodies, or one for each who decides.
    fn options(&mut self, choose: &Choose, chooser: Sees, span: Span, bodies: &[&Block]) {
        let (what, whether) = (Taint::default(), Taint::default());
        let mut offered = Offered { chooser, span, what, whether };
        choose.options.iter().for_each(|option| self.option(option, &mut offered));
        choose.options.iter().for_each(|it| self.tactics(it.span, &choose.chooser));
        if let Some(decline) = &choose.decline {
            self.tactics(decline.span, &choose.chooser);
            for part in decline.condition.iter().chain(&decline.template) {
                self.offers(part, chooser, span);
            }
            let tells = decline.condition.as_ref().map(|it| self.tells(it)).unwrap_or_default();
            offered.whether.join(&tells);
        }
        self.whether_asked(choose, &offered);
        if choose.each.is_some() {
            self.several(|walk| walk.one_of(bodies));
        } else {
            self.one_of(bodies);
        }
    }

    pub(super) fn pick(&mut self, pick: &Pick, span: Span) {
        let who = self.tells(&pick.chooser);
        self.who_is_asked(&who, span);
        let chooser = self.who(&pick.chooser);
        for part in pick.prompt.iter().chain([&pick.set]) {
            self.offers(part, chooser, pick.chooser.span);
        }
        self.tactics(span, &pick.chooser);
    }

    /// A strategy may read what the player sees who is asked.
    fn tactics(&mut self, option: Span, chooser: &Expr) {
        let rules = self.known.rules;
        for tactic in rules.tactics(option) {
            self.same(tactic.me, chooser);
            let sees = self.who(chooser);
            for part in tactic.exprs() {
                let what = "this strategy reads {}, which its player does not see";
                let help = "a strategy may read what the player on its seat can see";
                let tells = self.tells(part);
                self.leak(tells.unseen_by(Some(sees)), part.span, "the strategy asks", what, help);
            }
        }
    }

    fn who_is_asked(&mut self, who: &Taint, span: Span) {
        let what = "who is asked here depends on {}, which some players do not see";
        let help = "keep who is asked in a variable that all see";
        self.leak(who.unseen_by(None), span, "this player is asked", what, help);
        self.asks_at(span, "somebody is asked here");
    }

    /// The conditions of an option, and what they tell.
    fn option(&mut self, option: &MoveOption, offered: &mut Offered) {
        let (chooser, span) = (offered.chooser, offered.span);
        for clause in &option.clauses {
            let (tells, whether, at) = match clause {
                Clause::For(binder) | Clause::Maybe(binder) => {
                    let tells = self.binder(binder);
                    let (some, at) = match (clause, &binder.condition) {
                        // There is always the move without it.
                        (Clause::Maybe(_), _) => (Taint::default(), binder.set.span),
                        (_, None) => (self.tells_some(&binder.set), binder.set.span),
                        (_, Some(condition)) => (tells.clone(), condition.span),
                    };
                    self.now.hold(binder.local, tells.clone());
                    (tells, some, at)
                }
                Clause::Let(local, value) => {
                    let tells = self.tells(value);
                    self.now.hold(*local, tells);
                    self.same(*local, value);
                    // A name alone offers nothing.
                    continue;
                }
                Clause::When(condition) => {
                    let tells = self.tells(condition);
                    (tells.clone(), tells, condition.span)
                }
            };
            self.offers_what(&tells, chooser, span);
            offered.what.join(&tells);
            offered.whether.join(&whether.through(at, "this can leave nothing to choose"));
        }
        option.template.iter().for_each(|template| self.offers(template, chooser, span));
        // A move is announced to everybody, with its arguments, but for those that its body hides.
        let unseen = unseen_params(self.known.rules, option);
        for param in &option.params {
            let tells = self.now.forget(*param);
            if unseen.contains(param) && !tells.is_empty() {
                self.untold.insert(*param);
            }
        }
    }

    fn offers(&mut self, part: &Expr, chooser: Sees, span: Span) {
        let tells = self.tells(part);
        self.offers_what(&tells, chooser, span);
    }

    /// What a player is offered may tell what the player sees.
    fn offers_what(&mut self, tells: &Taint, chooser: Sees, span: Span) {
        let Some((var, path)) = tells.unseen_by(Some(chooser)) else { return };
        let what = "what is offered here depends on {}, which its player does not see";
        let help = match self.known.rules.vars[var.index()].form {
            VarForm::Pile(_) => {
                "let chance take a card in the body, `let c = random deck`; or let the player \
                 see the cards first: move them to a pile that is seen, `move top 3 of deck to \
                 me.looked`"
            }
            _ => {
                "offer what the player can know, and look at the secret in the body; or let the \
                 player see it first"
            }
        };
        self.leak(Some((var, path)), span, "this player chooses", what, help);
    }

    /// Where it is known to the player alone whether anything is legal, the question itself must
    /// not tell.
    fn whether_asked(&mut self, choose: &Choose, offered: &Offered) {
        let Offered { span, what, whether, .. } = offered;
        if choose.order.is_some() {
            let how_often = "how often is asked here depends on {}, which some players do not see";
            let help = "put in order what all see: move the cards to an open pile first";
            self.leak(what.first(), *span, "this player is asked", how_often, help);
        } else if choose.otherwise.is_some() {
            let skipped =
                "whether a question is skipped here depends on {}, which some players do not see";
            let help = "take `else` away and let the player decline: `or pass { … }` is asked \
                        even if nothing else is legal; what all see may skip a question, such as \
                        whether a hand has cards: `for c in me.hand` without a condition";
            let place = "this player may have nothing to choose";
            self.leak(whether.first(), *span, place, skipped, help);
        } else if choose.decline.is_some() && !whether.is_empty() {
            self.out.found.asked_anyway.insert(*span);
        }
    }
}

/// The arguments of an option that its body puts only where not all see them: the others do not
/// learn them from the move.
pub(crate) fn unseen_params(rules: &Rules, option: &MoveOption) -> Vec<LocalId> {
    let pauses = option.body.iter().position(|stmt| may_pause(rules, stmt));
    let (quiet, rest) = option.body.split_at(pauses.unwrap_or(option.body.len()));
    let unseen = |param: &LocalId| {
        let stored = quiet.iter().filter(|stmt| stores(rules, stmt, *param)).count();
        let used = quiet.iter().filter(|stmt| uses(stmt, *param)).count();
        stored > 0 && stored == used && !rest.iter().any(|stmt| uses(stmt, *param))
    };
    option.params.iter().copied().filter(unseen).collect()
}

/// Whether a statement puts a local into a place that not all see, or shows it to some, and does
/// nothing else with it.
fn stores(rules: &Rules, stmt: &Stmt, local: LocalId) -> bool {
    let (place, value) = match &stmt.kind {
        StmtKind::Assign(place, value) | StmtKind::Change { place, value, .. } => (place, value),
        StmtKind::Cards(action) => match action.as_ref() {
            CardAction::Move { what: Cards::One(card) | Cards::Set(card), to, .. } => (to, card),
            CardAction::Learn { what: Cards::One(card) | Cards::Set(card), by: Some(by) } => {
                return card.is_local(local) && !by.reads(local);
            }
            _ => return false,
        },
        _ => return false,
    };
    let ExprKind::Element(Array::Var(var) | Array::Pile(var), indices) = &place.kind else {
        return false;
    };
    rules.vars[var.index()].sight != Visibility::All
        && value.reads(local)
        && !indices.iter().any(|index| index.reads(local))
}

fn may_pause(rules: &Rules, stmt: &Stmt) -> bool {
    let inside = std::slice::from_ref(stmt);
    let mut pauses = matches!(stmt.kind, StmtKind::Roll { .. })
        || any_stmt(inside, |inner| matches!(inner.kind, StmtKind::Choose(_)));
    stmt.visit(&mut |expr| {
        pauses |= match &expr.kind {
            ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) => true,
            ExprKind::Call(rule, _) => rules.rules[rule.index()].effects.pauses,
            _ => false,
        };
    });
    pauses
}

fn uses(stmt: &Stmt, local: LocalId) -> bool {
    let mut uses = false;
    stmt.visit(&mut |expr| uses |= expr.is_local(local));
    uses
}
