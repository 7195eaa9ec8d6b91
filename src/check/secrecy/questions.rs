//! Decisions: who is asked, what is offered, and the arguments of moves as inputs; `decide_hidden_inputs` finds which
//! of them are hidden from others.

use std::collections::BTreeSet;

use crate::check::secrecy::RuleKnowledge;
use crate::check::secrecy::taint::{SecretSource, SeerRole, Sees, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::returned_values::returned;
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Array, BinaryOp, Binder, Block, Choose, Clause, Domain, Expr, ExprKind, KindId, LocalId,
    MoveOption, Pick, Rule, RuleId, Rules, SetOp, Stmt, StmtKind, Type, Var, VarForm, VarId,
};
use crate::source::Span;
use crate::syntax::ast::Visibility;

/// A question: who is asked, where, and the taint of its options.
struct Offered {
    chooser: Sees,
    span: Span,
    what: Taint,
    /// The taint of whether anything is offered.
    whether: Taint,
}

impl SecrecyWalk<'_> {
    pub(super) fn visit_choose(&mut self, choose: &Choose, bodies: &[&Block]) {
        let (span, chooser) = (choose.chooser.span, self.players.seer_of(&choose.chooser));
        let mut who = self.taint_of(&choose.chooser);
        if let Some(each) = &choose.each {
            who.join_taint(&self.walk_binder(each));
        }
        self.check_chooser(&who, span, surely_asked(choose));
        choose.prompt.iter().for_each(|prompt| self.check_offer(prompt, chooser, span));
        if choose.order.is_some() {
            // The rest is asked again after each body.
            self.with_loop_head(|walk| {
                walk.check_question(span, "somebody is asked here", false);
                walk.visit_options(choose, chooser, span, bodies);
            });
        } else {
            self.visit_options(choose, chooser, span, bodies);
        }
    }

    /// Checks the options, then walks the bodies: one of them runs, or one for each decider.
    fn visit_options(&mut self, choose: &Choose, chooser: Sees, span: Span, bodies: &[&Block]) {
        let (what, whether) = (Taint::default(), Taint::default());
        let mut offered = Offered { chooser, span, what, whether };
        choose.options.iter().for_each(|option| self.visit_option(option, &mut offered));
        choose.options.iter().for_each(|it| self.check_strategy(it.span, &choose.chooser));
        if let Some(decline) = &choose.decline {
            self.check_strategy(decline.span, &choose.chooser);
            for part in decline.condition.iter().chain(&decline.template) {
                self.check_offer(part, chooser, span);
            }
            decline.template.iter().for_each(|template| self.check_printed(template));
            let taint = decline.condition.as_ref().map(|it| self.taint_of(it)).unwrap_or_default();
            offered.whether.join_taint(&taint);
        }
        if !offered.what.is_empty() || !offered.whether.is_empty() {
            self.out.found.secret_offers.insert(span);
        }
        self.check_skipped_question(choose, &offered);
        if choose.each.is_some() {
            self.with_loop_head(|walk| walk.walk_branches(bodies));
        } else {
            self.walk_branches(bodies);
        }
    }

    /// Checks a pick; returns its taint if others do not hear it.
    pub(super) fn visit_pick(&mut self, pick: &Pick, span: Span) -> Taint {
        let who = self.taint_of(&pick.chooser);
        self.check_chooser(&who, span, true);
        let chooser = self.players.seer_of(&pick.chooser);
        let lies = self.known.taint_of_card_piles(self.rule_of(), &pick.set, &mut BTreeSet::new());
        self.check_offer_taint(&lies, chooser, pick.chooser.span);
        for part in pick.prompt.iter().chain([&pick.set]) {
            self.check_offer(part, chooser, pick.chooser.span);
        }
        self.check_strategy(span, &pick.chooser);
        if !self.taint_of(&pick.set).is_empty() {
            self.out.found.secret_offers.insert(pick.chooser.span);
        }
        if self.shows_taken_card(&pick.set) {
            return Taint::default();
        }
        self.taint_of_input(pick.set.span, &pick.name, chooser)
    }

    /// Checks that a strategy reads only what its player sees.
    fn check_strategy(&mut self, option: Span, chooser: &Expr) {
        let rules = self.known.rules;
        for tactic in rules.tactics(option) {
            self.players.note_alias(tactic.me, chooser);
            let sees = self.players.seer_of(chooser);
            for part in tactic.exprs() {
                let what = "this strategy reads {}, which its player does not see";
                let help = "a strategy may read what the player on its seat can see";
                let taint = self.taint_of(part);
                self.report_leak(&taint, Some(sees), (part.span, "the strategy asks"), what, help);
            }
        }
    }

    fn check_chooser(&mut self, who: &Taint, span: Span, surely: bool) {
        let what = "who is asked here depends on {}, which some players do not see";
        let help = "keep who is asked in a variable that all see";
        self.report_leak(who, None, (span, "this player is asked"), what, help);
        self.check_question(span, "somebody is asked here", surely);
    }

    /// Reports a question under a tainted pc: everybody sees whether somebody is asked.
    pub(super) fn check_question(&mut self, span: Span, place: &str, surely: bool) {
        let reached = self.pc_taint();
        let what = "whether somebody is asked here depends on {}, which some players do not see";
        let help = "ask in any case, with the condition after `when` and `or pass { }`; or keep what \
                    everybody may know in a variable that all see";
        self.report_leak(&reached, None, (span, place), what, help);
        self.report_left_orders();
        self.now.note_question(span, surely);
    }

    /// Checks an option, and joins its taint into `offered`.
    fn visit_option(&mut self, option: &MoveOption, offered: &mut Offered) {
        let (chooser, span) = (offered.chooser, offered.span);
        for clause in &option.clauses {
            let (taint, whether, at) = match clause {
                Clause::For(binder) | Clause::Maybe(binder) => {
                    let lies = self.known.taint_of_card_piles(
                        self.rule_of(),
                        &binder.set,
                        &mut BTreeSet::new(),
                    );
                    let taint = self.walk_binder(binder).with_taint(&lies);
                    let (some, at) = match (clause, &binder.condition) {
                        // The move without it is always there.
                        (Clause::Maybe(_), _) => (Taint::default(), binder.set.span),
                        (_, None) => (self.nonempty_taint(&binder.set), binder.set.span),
                        (_, Some(condition)) => (taint.clone(), condition.span),
                    };
                    self.set_local(binder.local, taint.clone());
                    (taint, some, at)
                }
                Clause::Let(local, value) => {
                    let taint = self.taint_of(value);
                    if option.params.contains(local) {
                        self.check_offer_taint(&taint, chooser, value.span);
                        offered.what.join_taint(&taint);
                    }
                    self.set_local(*local, taint);
                    self.players.note_alias(*local, value);
                    if matches!(value.ty, Type::Pile(_)) {
                        let pile = (self.nonempty_taint(value), self.is_open(value));
                        self.piles.insert(*local, pile);
                    }
                    // A name alone offers nothing.
                    continue;
                }
                Clause::When(condition) => {
                    let taint = self.taint_of(condition);
                    (taint.clone(), taint, condition.span)
                }
            };
            self.check_offer_taint(&taint, chooser, span);
            offered.what.join_taint(&taint);
            offered.whether.join_taint(&whether.with_step(at, "this can leave nothing to choose"));
        }
        option.template.iter().for_each(|template| self.check_offer(template, chooser, span));
        let hides = self.announce_move(option, chooser);
        // Others read the name of a move that hides an argument, and `?`.
        if !hides && self.known.hidden.is_some() {
            option.template.iter().for_each(|template| self.check_printed(template));
        }
    }

    /// Declassifies the arguments that everybody hears; the others taint their locals. Returns whether there are any.
    fn announce_move(&mut self, option: &MoveOption, chooser: Sees) -> bool {
        let mut hides = false;
        for clause in &option.clauses {
            let (local, from, taint) = match clause {
                Clause::For(Binder { local, set, .. })
                | Clause::Maybe(Binder { local, set, .. }) => {
                    let name = &self.rule_of().locals[local.index()].name;
                    let name = format!("{}({name})", option.name);
                    let taint = if self.shows_taken_card(set) {
                        Taint::default()
                    } else {
                        self.taint_of_input(set.span, &name, chooser)
                    };
                    (*local, &**set, taint)
                }
                Clause::Let(local, value) => {
                    if option.params.contains(local) && self.known.hidden.is_some() {
                        self.check_printed(value);
                    }
                    (*local, value, self.taint_of(value))
                }
                Clause::When(_) => continue,
            };
            if !option.params.contains(&local) {
                if matches!(clause, Clause::Let(..)) {
                    self.set_local(local, taint);
                }
            } else if taint.inputs().next().is_some() {
                hides = true;
                self.out.found.secret_sources.insert(from.span);
                self.set_local(local, taint);
            } else {
                self.now.forget_local(local);
            }
        }
        hides
    }

    /// Reports a printed form that depends on a secret.
    fn check_printed(&mut self, template: &Expr) {
        let taint = self.taint_of(template);
        let what = "what everybody reads here depends on {}, which some players do not see";
        let help = "print what everybody may know; what only this player may know belongs in the \
                    question, `choose me \"…\"`, or in `say to me \"…\"`";
        self.report_leak(&taint, None, (template.span, "everybody reads this"), what, help);
    }

    fn check_offer(&mut self, part: &Expr, chooser: Sees, span: Span) {
        let taint = self.taint_of(part);
        self.check_offer_taint(&taint, chooser, span);
    }

    /// Reports an offer that depends on what its player does not see.
    fn check_offer_taint(&mut self, taint: &Taint, chooser: Sees, span: Span) {
        let what = "what is offered here depends on {}, which its player does not see";
        let unseen = self.players.unseen_by(taint, Some(chooser));
        let is_pile = |var: usize| matches!(self.known.rules.vars[var].form, VarForm::Pile(_));
        let is_unseen_hand =
            |var: usize| is_pile(var) && self.known.rules.vars[var].sight == Visibility::Others;
        // Of a player without a name that stays.
        let is_somebodys = unseen.without_seen(|_, sees| sees == Sees::Somebody).is_empty();
        let is_owned = |var: usize| self.known.rules.vars[var].sight == Visibility::Owner;
        let help = match unseen.first_secret() {
            Some((SecretSource::Var(var, _), _))
                if chooser == Sees::Somebody && is_somebodys && is_owned(var.index()) =>
            {
                "give the player a name that stays: `let p = asked`, then `choose p { play(c) for c in p.hand … }`"
            }
            Some((SecretSource::Var(var, _), _)) if is_unseen_hand(var.index()) => {
                "offer places in place of cards: `hand[1..5]: cards seen by others`, and `play(i) for i in \
                 1..5 where me.hand[i] != {}`"
            }
            Some((SecretSource::Var(var, _), _)) if is_pile(var.index()) => {
                "let chance take a card in the body, `let c = random deck`; or let the player \
                 see the cards first: move them to a pile that is seen, `move top 3 of deck to \
                 me.looked`"
            }
            _ => {
                "offer what the player can know, and look at the secret in the body; or store it \
                 first in a variable of the player, `known: … seen by owner`"
            }
        };
        self.report_leak(taint, Some(chooser), (span, "this player chooses"), what, help);
    }

    /// Reports a question whose being asked depends on a secret of its player.
    fn check_skipped_question(&mut self, choose: &Choose, offered: &Offered) {
        let Offered { span, what, whether, .. } = offered;
        if choose.order.is_some() {
            let how_often = "how often is asked here depends on {}, which some players do not see";
            let help = "put in order what all see: move the cards to an open pile first";
            self.report_leak(what, None, (*span, "this player is asked"), how_often, help);
        } else if choose.otherwise.is_some() {
            let skipped =
                "whether a question is skipped here depends on {}, which some players do not see";
            let help = "take `else` away and let the player decline: `or pass { … }` is asked \
                        even if nothing else is legal; what all see may skip a question, such as \
                        whether a hand has cards: `for c in me.hand` without a condition";
            let place = "this player may have nothing to choose";
            self.report_leak(whether, None, (*span, place), skipped, help);
        } else if choose.decline.is_some() && !whether.is_empty() {
            self.out.found.asked_anyway.insert(*span);
        }
    }
}

impl RuleKnowledge<'_> {
    /// Equal cards in one pile are one offer, so offers depend on where cards lie. The taint of that for a set: none
    /// for the cards of a pile, all hidden piles for all cards of a kind or cards in a variable. Follows locals and
    /// returned values.
    fn taint_of_card_piles(&self, rule: &Rule, set: &Expr, seen: &mut BTreeSet<Span>) -> Taint {
        let mut taint = Taint::default();
        let (Type::Set(Domain::Kind(kind)) | Type::Subsets(Domain::Kind(kind))) = set.ty else {
            return taint;
        };
        if !self.are_cards(&set.ty) || !seen.insert(set.span) {
            return taint;
        }
        let rules = self.rules;
        let mut join = |rule: &Rule, set: &Expr| {
            taint.join_taint(&self.taint_of_card_piles(rule, set, seen));
        };
        match &set.kind {
            ExprKind::Element(Array::Var(var), _)
                if matches!(rules.vars[var.index()].form, VarForm::Pile(_)) => {}
            ExprKind::Whole(_) | ExprKind::Element(Array::Var(_), _) => {
                return self.hidden_piles(kind, set.span);
            }
            ExprKind::Call(called, _) => {
                let called = &rules.rules[called.index()];
                visit_stmts(&called.body, &mut |stmt| {
                    returned(stmt).into_iter().for_each(|value| join(called, value));
                });
            }
            ExprKind::Local(local) => {
                visit_stmts(&rule.body, &mut |stmt| {
                    given_to(stmt, *local, &mut |value| join(rule, value));
                });
                for caller in rules.rules.iter().filter(|_| local.index() < rule.params) {
                    caller.visit_exprs(&mut |expr| match &expr.kind {
                        ExprKind::Call(called, args)
                            if std::ptr::eq(&raw const rules.rules[called.index()], rule) =>
                        {
                            join(caller, &args[local.index()]);
                        }
                        _ => {}
                    });
                }
            }
            ExprKind::Filter(binder) => join(rule, &binder.set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), from, _) => join(rule, from),
            // An intersection lies where either part says.
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => {
                let both =
                    [a, b].map(|part| self.taint_of_card_piles(rule, part, &mut seen.clone()));
                return both.into_iter().min_by_key(Taint::source_count).unwrap_or_default();
            }
            _ => set.visit_parts(&mut |part| join(rule, part)),
        }
        taint
    }

    /// The taint of where the cards of a kind lie: the piles that not everybody sees.
    fn hidden_piles(&self, kind: KindId, at: Span) -> Taint {
        let mut taint = Taint::default();
        let of_kind = |var: &Var| {
            let lie = matches!(var.form, VarForm::Pile(pile) if pile.cards == kind);
            lie && var.sight != Visibility::All
        };
        let vars = self.rules.vars.iter().enumerate();
        for (number, var) in vars.filter(|(_, var)| of_kind(var)) {
            let path = vec![(at, format!("not everybody sees `{}`", var.name))];
            taint.join_taint(&Taint::from_source(
                SecretSource::Var(VarId::at(number), SeerRole::Unknown),
                Sees::Nobody,
                path,
            ));
        }
        taint
    }
}

/// Calls `see` with each value that a statement binds to a local.
fn given_to(stmt: &Stmt, wanted: LocalId, see: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Let(local, value) if *local == wanted => see(value),
        StmtKind::Assign(place, value) | StmtKind::Change { place, value, .. }
            if place.as_local() == Some(wanted) =>
        {
            see(value);
        }
        StmtKind::For { binder, .. } if binder.local == wanted => see(&binder.set),
        StmtKind::Choose(choose) => {
            for clause in choose.options.iter().flat_map(|option| &option.clauses) {
                match clause {
                    Clause::For(binder) | Clause::Maybe(binder) if binder.local == wanted => {
                        see(&binder.set);
                    }
                    Clause::Let(local, value) if *local == wanted => see(value),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// True for a decision that is asked wherever it is reached: nothing skips it. What stands alone in an order is not
/// asked for.
fn surely_asked(choose: &Choose) -> bool {
    let asks_nobody = choose.each.is_some() || choose.order.is_some();
    !asks_nobody && choose.otherwise.is_none() && choose.decline.is_none()
}

/// The rules that ask on each path; `order` puts callees first.
pub(super) fn surely_asking(rules: &Rules, order: impl Iterator<Item = u32>) -> BTreeSet<RuleId> {
    let mut asking = BTreeSet::new();
    for rule in order {
        let leaves = |stmt: &Stmt| {
            any_stmt(std::slice::from_ref(stmt), |it| matches!(it.kind, StmtKind::Return(_)))
        };
        let asks = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Choose(choose) => surely_asked(choose),
            StmtKind::Call(Expr { kind: ExprKind::Call(called, _), .. }) => asking.contains(called),
            StmtKind::Let(_, value) => matches!(value.kind, ExprKind::Pick(_)),
            _ => false,
        };
        let body = &rules.rules[rule as usize].body;
        if body.iter().take_while(|stmt| !leaves(stmt)).any(asks) {
            asking.insert(RuleId(rule));
        }
    }
    asking
}
