//! Moves in words. A transcript holds one on a line, and players type them. So a move must be readable
//! from its words, and no two moves of a decision may have the same words.

use std::collections::BTreeMap;

use crate::check::context::Checker;
use crate::check::error::MovesError;
use crate::check::rules::{Choose, Clause, Expr, ExprKind, TextPart, Value};
use crate::source::{Span, fault};

impl Checker<'_> {
    /// Looks at the words of a decision as far as they are known before play.
    pub(super) fn check_labels(&mut self, choose: &Choose) {
        let mut known: BTreeMap<String, Span> = BTreeMap::new();
        let options = choose.options.iter().map(|option| {
            let name = option.params.is_empty().then_some(option.name.as_str());
            let asks = |clause: &Clause| !matches!(clause, Clause::Let(..));
            (name, &option.template, option.span, option.clauses.iter().any(asks))
        });
        let decline = choose.decline.iter().map(|decline| {
            let name = Some(decline.name.as_str());
            (name, &decline.template, decline.span, decline.condition.is_some())
        });
        for (name, template, span, sometimes) in options.chain(decline).collect::<Vec<_>>() {
            if let Some((why, span)) = template.as_ref().and_then(template_fault) {
                self.report(MovesError::Unreadable { why, span });
                continue;
            }
            let words = match template.as_ref().map(|template| &template.kind) {
                None => name,
                Some(ExprKind::Value(Value::Text(words))) => Some(words.as_str()),
                Some(_) => None,
            };
            // A condition may see to it that only one of two is offered.
            let Some(words) = words.filter(|_| !sometimes) else { continue };
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            match known.get(&words) {
                Some(first) => {
                    let first = *first;
                    self.report(MovesError::SameWords { words, first, span });
                }
                None => {
                    known.insert(words, span);
                }
            }
        }
    }
}

/// Why a printed form is read back nowhere, whatever its holes are.
fn template_fault(template: &Expr) -> Option<(&'static str, Span)> {
    let why = match &template.kind {
        ExprKind::Value(Value::Text(words)) => fault(words),
        ExprKind::Text(parts) => {
            let words = |part: &TextPart| match part {
                // What a hole holds shows in play.
                TextPart::Hole(_) => "…".to_owned(),
                TextPart::Words(words) => words.clone(),
            };
            fault(&parts.iter().map(words).collect::<String>())
        }
        _ => None,
    };
    Some((why?, template.span))
}
