//! Calls: what a caller passes to a rule, and what comes back.

use crate::check::secrecy::taint::{SecretSource, Sees, Taint};
use crate::check::secrecy::walk::SecrecyWalk;
use crate::rules::visit::visit_block;
use crate::rules::{Block, Expr, ExprKind, RuleId, Type};
use crate::source::Span;

/// What a caller passes to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CallInput {
    /// The taint of an argument.
    Argument(usize),
    /// The taint of the choice of a pile as an argument.
    WhichPile(usize),
    /// A pile as an argument that not all see.
    ClosedPile(usize),
    /// The pc of the call.
    Pc,
    /// The taint of the number of calls in a loop over cards.
    Rounds,
}

impl SecrecyWalk<'_> {
    /// The joined taint that callers pass; none unless `knows_callers`.
    pub(super) fn taint_from_callers(&self, given: CallInput) -> Taint {
        let known = self.known.call_inputs[self.rule.index()].get(&given);
        known.filter(|_| self.knows_callers).cloned().unwrap_or_default()
    }

    /// Joins arguments, pc and rounds into the inputs of a called rule.
    pub(super) fn pass_to_callee(
        &mut self,
        rule: RuleId,
        args: &[Expr],
        taint: &[Taint],
        span: Span,
    ) {
        let mut given = Vec::new();
        for (at, (arg, taint)) in args.iter().zip(taint).enumerate() {
            given.push((CallInput::Argument(at), taint.clone()));
            if matches!(arg.ty, Type::Pile(_)) {
                given.push((CallInput::WhichPile(at), self.nonempty_taint(arg)));
                if !self.is_open(arg) {
                    let any =
                        Taint::from_source(SecretSource::Input(arg.span), Sees::Nobody, Vec::new());
                    given.push((CallInput::ClosedPile(at), any));
                }
            }
        }
        if self.known.draws.contains(&rule) || self.known.asks.contains(&rule) {
            self.report_left_orders();
        }
        self.follow_called_moves(rule, args, taint, span);
        self.now.taught = true;
        let called = format!("and `{}` is called here", self.known.rules.rules[rule.index()].name);
        given.push((CallInput::Pc, self.pc_without_rounds().with_step(span, &called)));
        given.push((CallInput::Rounds, self.rounds.clone().with_step(span, &called)));
        for (what, taint) in given.into_iter().filter(|(_, taint)| !taint.is_empty()) {
            let taint = taint.map_seers(|sees| self.players.seer_at_callee(sees, args));
            self.out.call_inputs.entry((rule, what)).or_default().join_taint(&taint);
        }
    }

    /// The taint `returned` of a rule, seen from a call.
    pub(super) fn taint_of_call(
        &self,
        returned: &Taint,
        rule: RuleId,
        args: &[Expr],
        span: Span,
    ) -> Taint {
        let rule = &self.known.rules.rules[rule.index()];
        let returned =
            returned.map_seers(|it| it.at_call(rule.params, args, |arg| self.players.seer_of(arg)));
        returned.with_step(span, &format!("and `{}` passes it on here", rule.name))
    }

    /// The taint of `suppose`: its calls may write what they read into what the value is computed from, so all that
    /// they read counts.
    pub(super) fn taint_of_suppose(&self, block: &Block) -> Taint {
        let mut taint = Taint::default();
        visit_block(block, &mut |part| {
            if let ExprKind::Call(called, args) = &part.kind {
                let rule = &self.known.rules.rules[called.index()];
                let read = &self.known.reads[called.index()];
                let read = read
                    .map_seers(|it| it.at_call(rule.params, args, |arg| self.players.seer_of(arg)));
                let what = format!("and `{}` is supposed here", rule.name);
                taint.join_taint(&read.with_step(part.span, &what));
            }
        });
        taint
    }
}
