//! Sinks: what is disclosed on purpose, and what everybody notices by the way and must depend on no secret.
//!
//! A value that is stored, said or shown, or that `finish` reads, is declassified to those who see the place or hear the words.
//! `check_public_event` reports the rest: draws, shuffling, runtime errors, writes over what was shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error;
use crate::check::secrecy::calls::CallInput;
use crate::check::secrecy::taint::{SecretMove, SecretPath, SecretSource, Sees, Taint};
use crate::check::secrecy::trails::CardMove;
use crate::check::secrecy::walk::SecrecyWalk;
use crate::check::secrecy::{SecrecyFindings, TaintInput};
use crate::diagnostic::Label;
use crate::rules::{Array, CardAction, CardSource, Expr, ExprKind, Local, RuleId, UnaryOp, VarId};
use crate::source::Span;
use crate::syntax::ast::Visibility;

/// Where an input flows to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sink {
    /// A variable or words that not all see.
    Private,
    /// The index of such a variable.
    PrivateIndex,
    /// A variable or words for everybody, or the fact that they are written.
    Public,
    /// The value of such a variable, or the content of such words.
    PublicValue,
    /// A public event.
    Output,
}

impl Sink {
    pub(super) fn is_private(self) -> bool {
        matches!(self, Sink::Private | Sink::PrivateIndex)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ReportKind {
    Leak,
    KeptSecret,
}

/// What a walk finds.
#[derive(Default)]
pub(super) struct RuleOutflow {
    /// The taint of the returned value.
    pub(super) returned: Taint,
    /// The taint of whether the returned set has members.
    pub(super) returned_some: Taint,
    /// The moves of cards in it and in the rules that it calls.
    pub(super) moves: Vec<CardMove>,
    /// Events that follow each other under a secret.
    pub(super) event_pairs: Vec<(SecretMove, SecretMove)>,
    /// What this rule passes to those that it calls.
    pub(super) call_inputs: BTreeMap<(RuleId, CallInput), Taint>,
    /// The inputs of this rule, with their sinks.
    pub(super) inputs: BTreeMap<Span, TaintInput>,
    pub(super) found: SecrecyFindings,
    reported: BTreeSet<(Span, ReportKind)>,
}

impl SecrecyWalk<'_> {
    /// The taint of an input; none if everybody hears it.
    pub(super) fn taint_of_input(&mut self, from: Span, name: &str, sees: Sees) -> Taint {
        if self.known.hidden.as_ref().is_some_and(|hidden| !hidden.contains(&from)) {
            return Taint::default();
        }
        let input = self.out.input_at(from);
        name.clone_into(&mut input.name);
        let path = vec![(from, format!("only its player hears `{name}`"))];
        Taint::from_source(SecretSource::Input(from), sees, path)
    }

    /// Declassifies `taint`, and the pc, to the player `to`, or to everybody.
    pub(super) fn disclose(&mut self, taint: &Taint, to: Option<&Expr>, place: Span) {
        let reached = self.pc_taint();
        let sink = if to.is_some() { Sink::Private } else { Sink::Public };
        self.out.note_sink(&reached, sink, place);
        self.out.note_sink(taint, sink, place);
        match to {
            Some(to) => {
                let whom = self.taint_of(to);
                self.out.found.teaches_unseen |= !reached.is_empty() || !whom.is_empty();
                self.out.note_sink(&whom, Sink::Public, place);
            }
            None => self.out.note_sink(taint, Sink::PublicValue, place),
        }
    }

    /// Flows a value into a variable: declassified to those who see it. Other places are ignored.
    pub(super) fn write_place(&mut self, place: &Expr, taint: &Taint) {
        if let ExprKind::Element(Array::Var(var), indices) = &place.kind {
            self.write_var(*var, indices, taint, place.span);
        }
    }

    pub(super) fn write_var(&mut self, var: VarId, indices: &[Expr], taint: &Taint, span: Span) {
        let which = self.which_element(indices);
        self.check_bounds(Array::Var(var), indices, span);
        let reached = self.pc_taint();
        if self.known.rules.vars[var.index()].sight == Visibility::All {
            return self.disclose(&which.with_taint(taint), None, span);
        }
        self.out.note_sink(taint, Sink::Private, span);
        self.out.note_sink(&reached, Sink::Private, span);
        self.out.note_sink(&which.clone().into_index(), Sink::Private, span);
        if self.known.shown.was_shown(var, self.rule) {
            self.out.note_sink(&which, Sink::Public, span);
            let help = "set it in any case: `x = if … then … else x`";
            self.check_public_event(&which, span, "what was shown is set again", help);
        }
    }

    /// Reports an event that everybody notices if the pc or `taint` is tainted.
    pub(super) fn check_public_event(
        &mut self,
        taint: &Taint,
        span: Span,
        event: &str,
        help: &str,
    ) {
        let taint = self.pc_taint().with_taint(taint);
        let what = format!("whether {event} here depends on {{}}, which some players do not see");
        self.report_leak(&taint, None, (span, "everybody notices this"), &what, help);
    }

    /// Reports a place that everybody hears if the choice of it, `which`, is tainted.
    pub(super) fn check_public_place(&mut self, which: &Taint, span: Span, event: &str) {
        let what = format!("which one {event} here depends on {{}}, which some players do not see");
        let help = "do it with all of them, or let everybody know which one it is; a condition stands inside \
                    of a loop over all, `for p in Player { if … { … } }`";
        self.report_leak(which, None, (span, "everybody hears the place"), &what, help);
    }

    pub(super) fn check_chance(&mut self, span: Span) {
        let help = "let chance decide in any case, before the condition: `let x = random …`";
        self.check_public_event(&Taint::default(), span, "chance decides", help);
    }

    /// Reports a runtime error that depends on `taint` or the pc: the game stops for everybody. Before inputs are
    /// decided, records an input instead and returns its taint.
    pub(super) fn taint_of_failure(&mut self, taint: &Taint, span: Span) -> Taint {
        let ruled_out = "rule the error out for every value: a divisor is at least 1 with `max(1, …)`, an \
                         index is of the type of its array or in its bounds, `max(1, min(x, 6))`, a set has members \
                         that all see";
        self.taint_of_failure_unless(taint, span, ruled_out)
    }

    /// As `taint_of_failure`, with a help of its own.
    pub(super) fn taint_of_failure_unless(
        &mut self,
        taint: &Taint,
        span: Span,
        help: &str,
    ) -> Taint {
        let taint = self.pc_taint().with_taint(taint);
        // `find_returns` runs without the inputs of callers.
        if taint.is_empty() && self.knows_callers {
            return taint;
        }
        if self.known.hidden.is_none() {
            self.out.input_at(span);
            return Taint::from_source(SecretSource::Input(span), Sees::Nobody, Vec::new());
        }
        if self.known.public_errors.contains(&span) {
            return Taint::default();
        }
        let is_draw = |input| self.out.inputs.get(&input).is_some_and(|it| it.is_draw);
        let help = match taint.first_secret() {
            Some((SecretSource::Input(input), _)) if !is_draw(input) => format!(
                "let everybody hear the argument before, `say \"{{me}}: {{c}}\"`; or {help}"
            ),
            _ => help.to_owned(),
        };
        self.check_public_event(&taint, span, "the rules fail", &help);
        Taint::default()
    }

    pub(super) fn cards_action(&mut self, action: &CardAction, span: Span) {
        match action {
            CardAction::Move { what, to, .. } => self.move_cards(what, to, span),
            CardAction::Shuffle(pile) => {
                let which = self.nonempty_taint(pile);
                self.check_pile_bounds(pile);
                self.now.forget_order(pile);
                let help = "shuffle in any case, or under a condition that everybody sees";
                self.check_public_event(&which, span, "cards are shuffled", help);
            }
            CardAction::Learn { what, by } => {
                self.now.taught = true;
                let nothing = Taint::default;
                let (taint, which, place) = match what {
                    CardSource::One(cards) | CardSource::Set(cards) => {
                        let taint = self.taint_of(cards);
                        // An empty set shows nothing, and `:undo` must not tell that.
                        let some = self.nonempty_taint(cards);
                        self.out.found.teaches_unseen |= by.is_some() && !some.is_empty();
                        self.now.publish_cards(cards, by.is_none());
                        (taint, nothing(), nothing())
                    }
                    CardSource::Pile(pile) => {
                        (nothing(), self.nonempty_taint(pile), self.which_place(pile))
                    }
                    CardSource::End(end) => {
                        if end.draws {
                            self.report_orders_of(&end.pile);
                            let help = "draw in any case, before the condition: `let c = top of deck`, and \
                                        then `show c to p`";
                            self.check_public_event(&nothing(), span, "chance decides", help);
                            self.check_draw_count(end);
                        }
                        (nothing(), self.end_count_taint(end), self.which_place(&end.pile))
                    }
                };
                self.disclose(&taint, by.as_ref(), span);
                self.out.note_sink(&which, Sink::Public, span);
                self.check_public_place(&place, span, "is looked at");
            }
        }
    }

    /// The taint of the choice of an element or pile.
    pub(super) fn which_place(&mut self, place: &Expr) -> Taint {
        match &place.kind {
            ExprKind::Element(_, indices) => self.which_element(indices),
            ExprKind::Local(_) => self.nonempty_taint(place),
            _ => Taint::default(),
        }
    }

    fn which_element(&mut self, indices: &[Expr]) -> Taint {
        indices.iter().fold(Taint::default(), |it, index| it.with_taint(&self.taint_of(index)))
    }

    /// True if all see the pile, or each pile that a reference may mean.
    pub(super) fn is_open(&self, pile: &Expr) -> bool {
        match &pile.kind {
            ExprKind::Element(Array::Pile(var) | Array::Var(var), _) => {
                self.known.is_open_var(*var)
            }
            ExprKind::Local(local) => {
                let given = &self.known.call_inputs[self.rule.index()];
                // Without callers a parameter counts as closed.
                let is_given = || {
                    self.knows_callers && !given.contains_key(&CallInput::ClosedPile(local.index()))
                };
                self.piles.get(local).map_or_else(is_given, |(_, is_open)| *is_open)
            }
            _ => true,
        }
    }

    /// True for cards out of piles that everybody sees: all see which one a player takes.
    pub(super) fn shows_taken_card(&mut self, set: &Expr) -> bool {
        let lie = |part: &Expr| match &part.kind {
            ExprKind::Element(Array::Pile(_), _) | ExprKind::Unary(UnaryOp::PileCards, _) => true,
            ExprKind::Element(Array::Var(_), _) => self.known.are_cards(&part.ty),
            _ => false,
        };
        self.known.are_cards(&set.ty) && set.any(lie) && self.taint_of(set).is_empty()
    }

    /// Records a move of cards that not everybody can identify.
    pub(super) fn note_secret_source(&mut self, cards: &Expr, taint: &Taint) {
        let from_end = match &cards.kind {
            ExprKind::Local(local) => {
                self.ends.contains_key(local) && taint.inputs().next().is_none()
            }
            kind => matches!(kind, ExprKind::End(_)),
        };
        if !from_end && !taint.is_empty() {
            self.out.found.secret_sources.insert(cards.span);
        }
    }

    /// Reports what `player` does not see in `taint`, or, without a player, all of it. `{}` in `what` becomes its name.
    pub(super) fn report_leak(
        &mut self,
        taint: &Taint,
        player: Option<Sees>,
        (span, place): (Span, &str),
        what: &str,
        help: &str,
    ) {
        if taint.is_empty() {
            return;
        }
        let unseen = self.players.unseen_by(taint, player);
        self.out.note_sink(&unseen, Sink::Output, span);
        let Some((secret, path)) = unseen.first_secret().filter(|_| self.known.hidden.is_some())
        else {
            return;
        };
        if self.out.reported.insert((span, ReportKind::Leak)) {
            let what = what.replace(
                "{}",
                &match secret {
                    SecretSource::Var(var, _) => {
                        format!("`{}`", self.known.rules.vars[var.index()].name)
                    }
                    SecretSource::Input(input) | SecretSource::Index(input) => {
                        let is_draw = self.out.inputs.get(&input).is_some_and(|it| it.is_draw);
                        if is_draw { "a draw" } else { "the argument of a move" }.to_owned()
                    }
                },
            );
            let path = path_labels(span, place, path.clone());
            let help = match secret {
                SecretSource::Var(var, _) if self.known.shown.was_shown(var, self.rule) => format!(
                    "{help}; what was revealed counts as secret until it is copied to a variable that all see"
                ),
                _ => help.to_owned(),
            };
            self.out.found.errors.push(error::leak(what, &help, path));
        }
    }
}

impl RuleOutflow {
    fn input_at(&mut self, from: Span) -> &mut TaintInput {
        self.inputs.entry(from).or_default()
    }

    /// Records draws that say whose turn comes first.
    pub(super) fn note_starter(&mut self, taint: &Taint) {
        for (input, _) in taint.inputs() {
            self.input_at(input).is_starter = true;
        }
    }

    /// Records the sink for all inputs in a taint.
    pub(super) fn note_sink(&mut self, taint: &Taint, sink: Sink, place: Span) {
        for (input, is_index) in taint.inputs() {
            let sink = if is_index && sink == Sink::Private { Sink::PrivateIndex } else { sink };
            self.input_at(input).sinks.entry(sink).or_insert(place);
        }
    }

    /// Reports a local that keeps a secret across the question `asked`.
    pub(super) fn report_kept_secret(
        &mut self,
        declared: &Local,
        taint: &Taint,
        asked: Span,
        read: Span,
    ) {
        self.note_sink(taint, Sink::Output, read);
        let Some((secret, path)) = taint.first_secret() else { return };
        let help = match secret {
            SecretSource::Input(_) => {
                "let everybody hear it before the question, `say \"{me}: {c}\"`; or keep it in a variable \
                 of a player, which declares who sees it"
            }
            _ => {
                "keep it in a variable of a player or of the table, which declares who sees it, or read it \
                 again after the question"
            }
        };
        if self.reported.insert((declared.span, ReportKind::KeptSecret)) {
            let (name, mut path) = (&declared.name, path.clone());
            path.push((asked, "somebody is asked here".to_owned()));
            path.push((read, format!("and `{name}` is used again")));
            let path = path_labels(declared.span, "holds a secret", path);
            self.found.errors.push(error::secret_kept(name, help, path));
        }
    }
}

fn path_labels(span: Span, place: &str, path: SecretPath) -> Vec<Label> {
    let all = std::iter::once((span, place.to_owned())).chain(path);
    all.map(|(span, text)| Label::new(span, text)).collect()
}
