//! Where information goes: on purpose into places and words, or by the way to everybody.
//!
//! What is stored is as visible as its place, and what is said or shown is meant for those who hear
//! it. Everything else that people notice is an output: that chance decides, that cards are shuffled,
//! that what was shown is known no more, that the rules fail. It must depend on no secret.

use crate::check::error;
use crate::check::secrecy::TaintInput;
use crate::check::secrecy::taint::{SecretPath, SecretSource, Sees, Taint};
use crate::check::secrecy::walk::{Given, SecrecyWalk};
use crate::diagnostic::Label;
use crate::rules::{
    Array, CardAction, CardSource, Domain, Expr, ExprKind, KindShape, LocalId, Type, UnaryOp, VarId,
};
use crate::source::Span;
use crate::syntax::ast::Visibility;

/// What an argument of a move, or a draw, can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sink {
    /// A place or words that not all see.
    Private,
    /// The index of such a place.
    PrivateIndex,
    /// A place or words for everybody, or whether there are any.
    Public,
    /// The value of such a place, or what the words say.
    PublicValue,
    /// What everybody notices by the way.
    Output,
}

impl Sink {
    pub(super) fn is_private(self) -> bool {
        matches!(self, Sink::Private | Sink::PrivateIndex)
    }
}

impl SecrecyWalk<'_> {
    /// What an argument or a draw tells, unless everybody hears it.
    pub(super) fn input(&mut self, from: Span, name: &str, sees: Sees) -> Taint {
        if self.known.hidden.as_ref().is_some_and(|hidden| !hidden.contains(&from)) {
            return Taint::default();
        }
        let input = self.input_at(from);
        name.clone_into(&mut input.name);
        let path = vec![(from, format!("only its player hears `{name}`"))];
        Taint::from_source(SecretSource::Input(from), sees, path)
    }

    fn input_at(&mut self, from: Span) -> &mut TaintInput {
        self.out.inputs.entry(from).or_default()
    }

    /// Notes which arguments and draws come here.
    pub(super) fn sink(&mut self, tells: &Taint, sink: Sink, place: Span) {
        for (input, is_index) in tells.inputs() {
            let sink = if is_index && sink == Sink::Private { Sink::PrivateIndex } else { sink };
            self.input_at(input).sinks.entry(sink).or_insert(place);
        }
    }

    /// Somebody hears something, or all do: what they hear tells `tells`, and so does that they hear it.
    pub(super) fn tell(&mut self, tells: &Taint, to: Option<&Expr>, place: Span) {
        let reached = self.reached_taint();
        let sink = if to.is_some() { Sink::Private } else { Sink::Public };
        self.sink(&reached, sink, place);
        self.sink(tells, sink, place);
        match to {
            Some(to) => {
                let whom = self.tells(to);
                self.out.found.teaches_unseen |= !reached.is_empty() || !whom.is_empty();
                self.sink(&whom, Sink::Public, place);
            }
            None => self.sink(tells, Sink::PublicValue, place),
        }
    }

    /// Something is put into a place, and is as visible as that.
    pub(super) fn stored(&mut self, place: &Expr, tells: &Taint) {
        if let ExprKind::Element(Array::Var(var), indices) = &place.kind {
            self.stored_in(*var, indices, tells, place.span);
        }
    }

    pub(super) fn stored_in(&mut self, var: VarId, indices: &[Expr], tells: &Taint, span: Span) {
        let which = self.which_element(indices);
        self.check_bounds(Array::Var(var), indices, span);
        let reached = self.reached_taint();
        if self.known.rules.vars[var.index()].sight == Visibility::All {
            return self.tell(&which.with_taint(tells), None, span);
        }
        self.sink(tells, Sink::Private, span);
        self.sink(&reached, Sink::Private, span);
        self.sink(&which.clone().into_index(), Sink::Private, span);
        if self.known.shown.was_shown(var, self.rule) {
            self.sink(&which, Sink::Public, span);
            let help = "set it in any case: `x = if … then … else x`";
            self.noticed(&which, span, "what was shown is set again", help);
        }
    }

    /// Everybody notices whether this happens: it must depend on no secret.
    pub(super) fn noticed(&mut self, tells: &Taint, span: Span, event: &str, help: &str) {
        let tells = self.reached_taint().with_taint(tells);
        let what = format!("whether {event} here depends on {{}}, which some players do not see");
        self.leak(&tells, None, (span, "everybody notices this"), &what, help);
    }

    /// Everybody hears where this happens: which place it is must depend on no secret.
    pub(super) fn named(&mut self, which: &Taint, span: Span, event: &str) {
        let what = format!("which one {event} here depends on {{}}, which some players do not see");
        let help = "do it with all of them, or let everybody know which one it is; a condition stands inside \
                    of a loop over all, `for p in Player { if … { … } }`";
        self.leak(which, None, (span, "everybody hears the place"), &what, help);
    }

    pub(super) fn chance(&mut self, span: Span) {
        let help = "let chance decide in any case, before the condition: `let x = random …`";
        self.noticed(&Taint::default(), span, "chance decides", help);
    }

    /// A runtime error here depends on `tells`: the game stops for everybody, so the leak is reported. Returns the taint
    /// of a parameter that is not known yet, which the caller of the rule has to judge.
    pub(super) fn taint_of_failure(&mut self, tells: &Taint, span: Span) -> Taint {
        let ruled_out = "rule the error out for every value: a divisor is at least 1 with `max(1, …)`, an \
                         index is of the type of its array or in its bounds, `max(1, min(x, 6))`, a set has members \
                         that all see";
        self.taint_of_failure_unless(tells, span, ruled_out)
    }

    /// As `taint_of_failure`, with a help of its own.
    pub(super) fn taint_of_failure_unless(
        &mut self,
        tells: &Taint,
        span: Span,
        help: &str,
    ) -> Taint {
        let tells = self.reached_taint().with_taint(tells);
        // What a rule returns is looked at before it is known what it is given.
        if tells.is_empty() && self.is_given {
            return tells;
        }
        if self.known.hidden.is_none() {
            self.input_at(span);
            return Taint::from_source(SecretSource::Input(span), Sees::Nobody, Vec::new());
        }
        if self.known.public_errors.contains(&span) {
            return Taint::default();
        }
        let is_draw = |input| self.out.inputs.get(&input).is_some_and(|it| it.is_draw);
        let help = match tells.first_secret() {
            Some((SecretSource::Input(input), _)) if !is_draw(input) => format!(
                "let everybody hear the argument before, `say \"{{me}}: {{c}}\"`; or {help}"
            ),
            _ => help.to_owned(),
        };
        self.noticed(&tells, span, "the rules fail", &help);
        Taint::default()
    }

    pub(super) fn cards_action(&mut self, action: &CardAction, span: Span) {
        match action {
            CardAction::Move { what, to, .. } => self.move_cards(what, to, span),
            CardAction::Shuffle(pile) => {
                let which = self.tells_some(pile);
                self.check_pile_bounds(pile);
                let help = "shuffle in any case, or under a condition that everybody sees";
                self.noticed(&which, span, "cards are shuffled", help);
            }
            CardAction::Learn { what, by } => {
                self.now.taught = true;
                let nothing = Taint::default;
                let (tells, which, place) = match what {
                    CardSource::One(cards) | CardSource::Set(cards) => {
                        let tells = self.tells(cards);
                        // Whoever is shown no card learns nothing.
                        let some = self.tells_some(cards);
                        self.out.found.teaches_unseen |= by.is_some() && !some.is_empty();
                        self.publish_cards(cards, by.is_none());
                        (tells, nothing(), nothing())
                    }
                    CardSource::Pile(pile) => {
                        (nothing(), self.tells_some(pile), self.which_place(pile))
                    }
                    CardSource::End(end) => {
                        if end.draws {
                            let help = "draw in any case, before the condition: `let c = top of deck`, and \
                                        then `show c to p`";
                            self.noticed(&nothing(), span, "chance decides", help);
                            self.many_are_drawn(end);
                        }
                        (nothing(), self.tells_end(end), self.which_place(&end.pile))
                    }
                };
                self.tell(&tells, by.as_ref(), span);
                self.sink(&which, Sink::Public, span);
                self.named(&place, span, "is looked at");
            }
        }
    }

    /// What tells which element of an array it is, or which pile is meant.
    pub(super) fn which_place(&mut self, place: &Expr) -> Taint {
        match &place.kind {
            ExprKind::Element(_, indices) => self.which_element(indices),
            ExprKind::Local(_) => self.tells_some(place),
            _ => Taint::default(),
        }
    }

    fn which_element(&mut self, indices: &[Expr]) -> Taint {
        indices.iter().fold(Taint::default(), |it, index| it.with_taint(&self.tells(index)))
    }

    /// Cards with a name that all see now are no secret under this name.
    pub(super) fn publish_cards(&mut self, cards: &Expr, publicly: bool) {
        if let ExprKind::Local(local) = cards.kind
            && publicly
        {
            self.now.forget_local(local);
        }
    }

    /// Whether all see a pile, by itself or by reference, whichever it is.
    pub(super) fn is_open(&self, pile: &Expr) -> bool {
        match &pile.kind {
            ExprKind::Element(Array::Pile(var) | Array::Var(var), _) => {
                self.known.is_open_var(*var)
            }
            ExprKind::Local(local) => {
                let given = &self.known.given[self.rule.index()];
                // Before it is known what rules are given, a pile may be hidden.
                let is_given =
                    || self.is_given && !given.contains_key(&Given::Hidden(local.index()));
                self.piles.get(local).map_or_else(is_given, |(_, is_open)| *is_open)
            }
            _ => true,
        }
    }

    /// Whether these are cards out of piles that everybody sees. All see which of them a player takes.
    pub(super) fn are_open_cards(&mut self, set: &Expr) -> bool {
        let lie = |part: &Expr| match &part.kind {
            ExprKind::Element(Array::Pile(_), _) | ExprKind::Unary(UnaryOp::PileCards, _) => true,
            ExprKind::Element(Array::Var(_), _) => self.are_cards(&part.ty),
            _ => false,
        };
        self.are_cards(&set.ty) && set.any(lie) && self.tells(set).is_empty()
    }

    pub(super) fn are_cards(&self, ty: &Type) -> bool {
        match ty {
            Type::Kind(kind)
            | Type::Set(Domain::Kind(kind))
            | Type::Subsets(Domain::Kind(kind)) => {
                matches!(self.known.rules.kinds[kind.index()].shape, KindShape::Cards(_))
            }
            Type::Maybe(inner) => self.are_cards(inner),
            _ => false,
        }
    }

    /// Notes cards that are moved although not everybody can tell which they are.
    pub(super) fn note_secret_source(&mut self, cards: &Expr, tells: &Taint) {
        let from_end = match &cards.kind {
            ExprKind::Local(local) => {
                self.ends.contains_key(local) && tells.inputs().next().is_none()
            }
            kind => matches!(kind, ExprKind::End(_)),
        };
        if !from_end && !tells.is_empty() {
            self.out.found.secret_sources.insert(cards.span);
        }
    }

    /// Reports a secret that a player does not see, or without a player not everybody; its name
    /// stands for the `{}` of what is wrong.
    pub(super) fn leak(
        &mut self,
        tells: &Taint,
        player: Option<Sees>,
        (span, place): (Span, &str),
        what: &str,
        help: &str,
    ) {
        if tells.is_empty() {
            return;
        }
        let unseen = self.unseen_by(tells, player);
        self.sink(&unseen, Sink::Output, span);
        let Some((secret, path)) = unseen.first_secret().filter(|_| self.known.hidden.is_some())
        else {
            return;
        };
        if self.reported.insert((span, true)) {
            let what = what.replace(
                "{}",
                &match secret {
                    SecretSource::Var(var) => {
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
                SecretSource::Var(var) if self.known.shown.was_shown(var, self.rule) => format!(
                    "{help}; what was revealed counts as secret until it is copied to a variable that all see"
                ),
                _ => help.to_owned(),
            };
            self.out.found.errors.push(error::leak(what, &help, path));
        }
    }

    /// Reports a local that holds a secret while somebody is asked.
    pub(super) fn report_kept_secret(
        &mut self,
        local: LocalId,
        taint: &Taint,
        asked: Span,
        read: Span,
    ) {
        self.sink(taint, Sink::Output, read);
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
        let declared = &self.rule_of().locals[local.index()];
        if self.reported.insert((declared.span, false)) {
            let (name, mut path) = (&declared.name, path.clone());
            path.push((asked, "somebody is asked here".to_owned()));
            path.push((read, format!("and `{name}` is used again")));
            let path = path_labels(declared.span, "holds a secret", path);
            self.out.found.errors.push(error::secret_kept(name, help, path));
        }
    }
}

fn path_labels(span: Span, place: &str, path: SecretPath) -> Vec<Label> {
    let all = std::iter::once((span, place.to_owned())).chain(path);
    all.map(|(span, text)| Label::new(span, text)).collect()
}
