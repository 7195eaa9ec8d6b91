//! Finds the decisions that have a typed move and do not wait here, and what keeps the game from them.

use crate::rules::visit::visit_choices;
use crate::rules::{Block, Choose, Decline, Expr, ExprKind, Pick, StmtKind, TextPart, Value};
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::snippet::why::{BrokenRule, Reason, Why};
use crate::source::Span;

/// Whether a move is typed so. Nothing if it is not called so; the reason if a word after the name
/// is misspelt, missing or too much.
type TypedMatch = Option<Result<(), Reason>>;

impl Why<'_> {
    /// How far another decision of the game has a move that is typed so.
    pub(super) fn elsewhere(&self, typed: &[&str]) -> TypedMatch {
        let mut found: TypedMatch = None;
        let mut tries = |tried: &dyn Fn() -> TypedMatch| {
            if !matches!(found, Some(Ok(()))) {
                found = tried().or(found.take());
            }
        };
        for rule in &self.moment.game.rules().rules {
            let moment = LiveGame { locals: &rule.locals, ..self.moment };
            let why = Why { moment, rule: Some(rule), option: None, ..*self };
            visit_choices(&rule.body, &mut |choose| tries(&|| why.of_choose(choose, typed)));
            rule.visit_exprs(&mut |expr| {
                if let ExprKind::Pick(pick) = &expr.kind {
                    tries(&|| why.of_pick(pick, typed));
                }
            });
        }
        found
    }

    fn of_choose(&self, choose: &Choose, typed: &[&str]) -> TypedMatch {
        if choose.decline.as_ref().is_some_and(|decline| declines(decline, typed)) {
            return Some(Ok(()));
        }
        let options = choose.options.iter().filter_map(|option| match &option.template {
            // Why the moves of this decision do not fit was found before.
            _ if self.choose.options.iter().any(|here| here.span == option.span) => None,
            Some(template) => {
                let by_name = self.short && self.is_called(option, typed[0]);
                (by_name || is_printed_so(template, typed)).then_some(Ok(()))
            }
            None if option.name == typed[0] => {
                Some(self.bind_arguments(option, &typed[1..], &mut KnownLocals::new()))
            }
            None => None,
        });
        options.reduce(Result::or)
    }

    /// `choose me discard from S`: its one argument is a member of what is picked from.
    fn of_pick(&self, pick: &Pick, typed: &[&str]) -> TypedMatch {
        if pick.name != typed[0] {
            return None;
        }
        Some(match &typed[1..] {
            [] => Err(Reason::new(
                format!("`{}` also needs what is picked", pick.name),
                format!("it is typed `{} …`", pick.name),
            )),
            words => self.parse_value(&pick.set.ty.iterated(), &words.join(" ")).map(|_| ()),
        })
    }

    /// The condition that leads to the decision here, and not to the one of the same rule that has
    /// the typed move.
    pub(super) fn guard(&self, typed: &[&str]) -> Option<Reason> {
        let rule = self.rule?;
        let (mut here, mut there) = (None, None);
        each_guarded(&rule.body, &mut Vec::new(), &mut |choose, guards| {
            if choose.chooser.span == self.choose.chooser.span {
                here = Some(guards.to_vec());
            } else if there.is_none() && self.of_choose(choose, typed).is_some() {
                there = Some(guards.to_vec());
            }
        });
        let (here, there) = (here?, there?);
        let same = |(a, b): &(&Guard, &Guard)| a.stmt == b.stmt && a.holds == b.holds;
        let shared = here.iter().zip(&there).take_while(same).count();
        let guard = match (there.get(shared), here.get(shared)) {
            (Some(guard), _) => Guard { holds: !guard.holds, ..*guard },
            (None, Some(guard)) => *guard,
            (None, None) => return None,
        };
        let known = self.in_sight();
        let value = self.moment.print_value(guard.condition, &known).ok()?;
        if value != if guard.holds { "yes" } else { "no" } {
            return None;
        }
        let text = self.moment.span_text(guard.condition.span);
        let verb = if guard.holds { "holds" } else { "does not hold" };
        let message = format!("`{}` is no move now: `{text}` {verb}", typed[0]);
        let claim = self.broken_claim(guard.condition, guard.holds, &known);
        // The note says what happens if the condition holds.
        let rule = self.phrases.find_note(guard.stmt).filter(|_| guard.holds);
        let rule = rule.unwrap_or_else(|| format!("now {}", claim.rule));
        let words = BrokenRule { rule, ..claim };
        Some(Reason::for_span(guard.condition.span, message, words))
    }
}

/// A condition around a decision, whether it has to hold for it, and where its statement begins.
#[derive(Clone, Copy)]
struct Guard<'a> {
    condition: &'a Expr,
    holds: bool,
    stmt: Span,
}

/// Visits the decisions of a block with the conditions around them.
fn each_guarded<'a>(
    block: &'a Block,
    around: &mut Vec<Guard<'a>>,
    see: &mut dyn FnMut(&'a Choose, &[Guard<'a>]),
) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                for (holds, block) in [(true, then), (false, otherwise)] {
                    around.push(Guard { condition, holds, stmt: stmt.span });
                    each_guarded(block, around, see);
                    around.pop();
                }
            }
            StmtKind::Choose(choose) => {
                see(choose, around);
                stmt.blocks().into_iter().for_each(|block| each_guarded(block, around, see));
            }
            _ => stmt.blocks().into_iter().for_each(|block| each_guarded(block, around, see)),
        }
    }
}

pub(super) fn declines(decline: &Decline, typed: &[&str]) -> bool {
    match &decline.template {
        Some(template) => is_printed_so(template, typed),
        None => typed == [decline.name.as_str()],
    }
}

/// Whether the words of a printed form stand in what was typed, in their order, with anything in
/// the place of its holes: what they hold at another decision nobody knows.
fn is_printed_so(template: &Expr, typed: &[&str]) -> bool {
    let typed = typed.join(" ").to_lowercase();
    let parts = match &template.kind {
        ExprKind::Text(parts) => parts,
        ExprKind::Value(Value::Text(words)) => return words.to_lowercase() == typed,
        _ => return false,
    };
    let (mut rest, mut open) = (typed.as_str(), false);
    for part in parts {
        let TextPart::Words(words) = part else {
            open = true;
            continue;
        };
        let words = words.to_lowercase();
        let Some(at) = rest.find(words.trim()).filter(|at| open || *at == 0) else { return false };
        rest = rest[at + words.trim().len()..].trim_start();
        open = false;
    }
    open || rest.is_empty()
}
