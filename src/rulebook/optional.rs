//! Phrases what the rules do only with other options than usual.

use std::collections::BTreeSet;

use crate::rulebook::Book;
use crate::rulebook::flow::{called, reached};
use crate::rulebook::naming::rule_heading;
use crate::rulebook::play::sections_of;
use crate::rulebook::steps::{BookStep, render_steps};
use crate::rulebook::words::{Phraser, StepPhraser};
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{Choose, Clause, Expr, Rule, RuleId, Stmt, StmtKind};

/// What is done, or may be done, only where an option is set otherwise.
pub(super) fn render_changes(book: &Book) -> String {
    if book.fixed || book.rules.options.is_empty() {
        return String::new();
    }
    let usual = called(book);
    let mut lines = String::new();
    for rule in &usual {
        let changes: String = changes_of(book, rule).into_iter().collect();
        lines.push_str(&changes);
    }
    let known: BTreeSet<u32> = usual.iter().map(|rule| rule.span.start).collect();
    book.names_options.set(true);
    let more = reached(book).into_iter().map(|id: RuleId| &book.rules.rules[id.index()]);
    let more = more.filter(|it| !it.effects.is_pure() && !known.contains(&it.span.start));
    let mut groups = BTreeSet::new();
    let sections: Vec<String> =
        more.flat_map(|rule| sections_of(book, rule, &mut groups)).collect();
    book.names_options.set(false);
    let lines = (!lines.is_empty()).then(|| format!("With other options:\n\n{}", lines.trim_end()));
    lines.into_iter().chain(sections).collect::<Vec<_>>().join("\n\n")
}

/// The steps and the moves of a rule that only other options lead to. A note tells them itself.
fn changes_of(book: &Book, rule: &Rule) -> Vec<String> {
    let (phraser, mut found) = (StepPhraser::for_rule(book, rule), Vec::new());
    let heading = rule_heading(book, rule);
    let mut tell = |steps: &[BookStep]| {
        let steps = render_steps(steps, 2, false);
        found.extend((!steps.is_empty()).then(|| format!("- **{heading}**:\n{steps}")));
    };
    visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
        StmtKind::If { condition, then, otherwise } if rule.notes.is_empty() => {
            let Some(truth) = settled(book, condition) else { return };
            let untaken = if truth { otherwise } else { then };
            let is_noted = |it: &Stmt| book.note_at(it.span).is_some();
            if is_noted(stmt) || any_stmt(untaken, is_noted) {
                return;
            }
            let steps = phraser.phrase_steps(untaken);
            let when = book.with_options(|| {
                if truth {
                    phraser.words.phrase_negated(condition)
                } else {
                    phraser.words.phrase_condition(condition)
                }
            });
            tell(BookStep::under(&format!("if {when}"), steps).as_slice());
        }
        StmtKind::Choose(choose) => {
            let moves = other_moves(phraser, choose).into_iter();
            let step =
                |text: String| BookStep { text: text.replace('\n', "\n  "), below: Vec::new() };
            tell(&moves.map(step).collect::<Vec<_>>());
        }
        _ => {}
    });
    found
}

/// The moves of a decision that are possible only with other options.
fn other_moves(phraser: StepPhraser, choose: &Choose) -> Vec<String> {
    let StepPhraser { book, words, .. } = phraser;
    let options: Vec<_> =
        choose.options.iter().filter(|option| !book.is_possible(option)).collect();
    let decline = choose.decline.as_ref().and_then(|it| it.condition.as_ref());
    let declines = decline.is_some_and(|it| settled(book, it) == Some(false));
    let mut text: Vec<String> = book.with_options(|| {
        let told = options.into_iter().filter(|option| book.is_possible(option));
        let told = told.map(|option| phraser.render_option(option));
        told.chain(declines.then(|| phraser.phrase_decline(choose))).collect()
    });
    // What the usual setting allows, another one may forbid.
    for option in choose.options.iter().filter(|option| book.is_possible(option)) {
        let whens = option.clauses.iter().filter_map(|clause| match clause {
            Clause::When(condition) => Some(condition),
            _ => None,
        });
        let label = || words.phrase_label(&option.name, option.template.as_ref());
        text.extend(whens.filter_map(|it| forbidden(words, &label(), it)));
    }
    if let (Some(decline), Some(condition)) = (&choose.decline, decline) {
        let label = words.phrase_label(&decline.name, decline.template.as_ref());
        text.extend(forbidden(words, &label, condition));
    }
    let bare = |text: String| text.trim_end().trim_start_matches("- ").to_owned();
    text.into_iter().map(bare).collect()
}

/// What is said of a move that an option can forbid, where nobody notes it.
fn forbidden(words: Phraser, label: &str, condition: &Expr) -> Option<String> {
    let book = words.book;
    if settled(book, condition) != Some(true) || book.note_at(condition.span).is_some() {
        return None;
    }
    let when = book.with_options(|| words.phrase_negated(condition));
    Some(format!("{label}: not if {when}."))
}

/// What a condition comes to with the options as they usually are, if it reads them.
fn settled(book: &Book, condition: &Expr) -> Option<bool> {
    let truth = book.truth(condition)?;
    book.with_options(|| book.truth(condition).is_none()).then_some(truth)
}
