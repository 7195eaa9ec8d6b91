//! Finds notes that hide what their rule or move does: the rulebook prints the note and nothing of the statements.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::check::error;
use crate::check::note_effects::names_of_move;
use crate::check::note_names::{NotedCode, split_words, words_said};
use crate::diagnostic::Diagnostics;
use crate::rules::visit::{visit_block, visit_choices};
use crate::rules::{Block, Expr, ExprKind, Rules, Type, Value};
use crate::source::Span;

/// Reports each note of a rule or a move that mentions nothing of what its statements change, and each of a rule
/// with a value that has none of its numbers.
pub(crate) fn notes_that_hide(rules: &Rules, budget: &Budget) -> Diagnostics {
    let mut found = Diagnostics::new();
    let mut seen = BTreeSet::new();
    for rule in &rules.rules {
        budget.turn_to(rule.span);
        let named = (&rule.name, rule.notes.as_slice(), rule.span);
        check_note(named, &mut found, |said| {
            let named = words_said(&rule.name, &rule.notes);
            let code = NotedCode::of_rule((rules, budget), rule, &named);
            if rule.effects.is_pure() {
                let hides = unsaid_numbers(rules, &rule.body, said, budget).map(Hidden::All);
                hides.or_else(|| code.left_out_of_value(&rule.body).map(Hidden::Part))
            } else {
                hidden_in(&code, (said, &rule.notes), &rule.body)
            }
        });
        visit_choices(&rule.body, &mut |choose| {
            // A group of moves is in each decision that includes it.
            for option in choose.options.iter().filter(|option| seen.insert(option.span)) {
                let start = option.span.start as usize;
                let head = Span::new(start, start + option.name.len());
                let named = (&option.name, option.notes.as_slice(), head);
                check_note(named, &mut found, |said| {
                    let named = words_said(&option.name, &option.notes);
                    let own = names_of_move(rules, option);
                    let code = NotedCode::of_rule((rules, budget), rule, &named);
                    hidden_in(&NotedCode { own: &own, ..code }, (said, &option.notes), &option.body)
                });
            }
        });
    }
    found
}

/// Reports a note for which `unsaid` finds something that its words leave out.
fn check_note(
    (name, notes, span): (&String, &[String], Span),
    found: &mut Diagnostics,
    unsaid: impl FnOnce(&[String]) -> Option<Hidden>,
) {
    let said: Vec<String> = notes.iter().flat_map(|note| split_words(note)).collect();
    if notes.is_empty() {
        return;
    }
    found.extend(unsaid(&said).map(|hidden| match hidden {
        Hidden::All(done) => error::note_hides(name, done, span),
        Hidden::Part(what) => error::note_leaves_out(name, what, span),
    }));
}

/// What a note hides: all that happens, or a part of it.
enum Hidden {
    All(String),
    Part(String),
}

/// What a note hides of statements; what they are called is no word of its own.
fn hidden_in(
    code: &NotedCode,
    (said, notes): (&[String], &[String]),
    body: &Block,
) -> Option<Hidden> {
    let part = code.first_unsaid(body).or_else(|| code.unsaid_freedom(notes, body));
    let part = part.map(Hidden::Part);
    NotedCode { said, ..*code }.hidden_effects(body).map(Hidden::All).or(part)
}

/// Smaller numbers are mostly steps and limits of loops.
const LEAST_NUMBER: i64 = 10;

/// The numbers that a value is computed from, unless some number is said.
fn unsaid_numbers(rules: &Rules, body: &Block, said: &[String], budget: &Budget) -> Option<String> {
    let mut numbers = BTreeSet::new();
    visit_block(body, &mut |expr| {
        budget.charge(1);
        if let ExprKind::Value(Value::Int(number)) = expr.kind
            && expr.ty == Type::Number
            && number >= LEAST_NUMBER
        {
            numbers.insert(number);
        }
    });
    // The end of a range is a place: a bar, an edge, the last square.
    for end in rules.ranges.iter().flat_map(|range| [Some(&range.low), range.high.as_ref()]) {
        if let Some(Expr { kind: ExprKind::Value(Value::Int(number)), .. }) = end {
            numbers.remove(number);
        }
    }
    let is_number = |word: &String| {
        NUMBERS.contains(&word.as_str()) || word.contains(|letter: char| letter.is_ascii_digit())
    };
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    (!numbers.is_empty() && !said.iter().any(is_number))
        .then(|| format!("counts with {}", numbers.join(", ")))
}

const NUMBERS: [&str; 3] = ["ten", "eleven", "twelve"];
