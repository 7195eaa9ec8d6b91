//! Defines the names of rules that compute a value: by their notes, or by what they count.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::note_names::{NotedCode, words_said};
use crate::rulebook::conditions::property;
use crate::rulebook::english::{
    append_note, capitalised, join_list, join_words, lowered, one, paragraph, sentence, term,
};
use crate::rulebook::flow::{called, called_by, find_names, is_told_above};
use crate::rulebook::naming::places_of;
use crate::rulebook::said::{is_sayable, unmarked};
use crate::rulebook::steps::behind_colon;
use crate::rulebook::words::{Phraser, StepPhraser};
use crate::rulebook::{Book, title_or_name};
use crate::rules::visit::visit_stmts;
use crate::rules::{Arith, BinaryOp, Expr, ExprKind, LocalId, Rule, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast::OF_BASE;

/// The rules that compute a value: those with a note, and those that the rest of the book names.
pub(super) fn meanings(book: &Book, told: &str) -> String {
    let pure = called(book).into_iter().filter(|it| it.effects.is_pure());
    let entries: Vec<(&Rule, String)> = pure.map(|it| (it, render_entry(book, it))).collect();
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (rule, _)) in entries.iter().enumerate() {
        let name = rule_name(rule);
        named.entry(format!("*{}*", term(&name))).or_default().push(at);
        named.entry(format!("*{name}*")).or_default().push(at);
    }
    let mut met: Vec<usize> =
        find_names(told).filter_map(|it| named.remove(it)).flatten().collect();
    // A rule that goes on with the one of its base is explained where that one was.
    let goes_on = |rule: &Rule| {
        let base = format!("{}{OF_BASE}", rule.name);
        entries.iter().any(|(other, _)| other.name == base)
    };
    let terms: Vec<String> = entries.iter().map(|(rule, _)| rule_name(rule)).collect();
    let texts: Vec<&str> = entries.iter().map(|(_, text)| text.as_str()).chain([told]).collect();
    let (places, ranked) = (places_of(book, &terms, &texts), ranked_by(book));
    let is_needed = |at: usize, rule: &Rule| {
        let is_used = places[at].iter().any(|other| *other != at);
        // What nobody names tells a rule of the game by a number, or in several sentences.
        let is_value = matches!(rule.returns, Type::Number | Type::Bool);
        let tells =
            !only_defines(&rule.notes) && (is_value || paragraph(&rule.notes).contains(". "));
        is_used || ranked.contains_key(&rule.span) || tells && !is_repeated(book, rule)
    };
    let is_told = |at: &usize| match entries[*at].0 {
        rule if rule.name.contains(OF_BASE) => {
            !is_told_above(book, rule) && !is_repeated(book, rule)
        }
        rule if ranked.get(&rule.span) == Some(&true) => true,
        rule => !rule.notes.is_empty() && is_needed(*at, rule) || goes_on(rule),
    };
    met.extend((0..entries.len()).filter(is_told));
    let mut shown = BTreeSet::new();
    while let Some(at) = met.pop() {
        if shown.insert(at) {
            met.extend(find_names(&entries[at].1).filter_map(|it| named.remove(it)).flatten());
        }
    }
    let shown = shown.into_iter().map(|at| entries[at].1.clone());
    // What the file leaves undrawn lies in no box.
    let noted = book.rules.vars.iter().filter(|var| var.undrawn && !var.notes.is_empty());
    let noted = noted.map(|var| (format!("*{}*", title_or_name(&var.title, &var.name)), var));
    let noted = noted.filter(|(name, _)| told.contains(name.as_str()));
    let noted = noted.map(|(name, var)| append_note(&format!("- {name}: "), &var.notes) + "\n");
    join_words(shown.chain(noted), "")
}

/// Whether a rule is only used by other words of the book, whose notes say most of what its own note says.
fn is_repeated(book: &Book, rule: &Rule) -> bool {
    let mut users = called(book).into_iter().filter(|user| {
        let mut uses = false;
        user.visit_exprs(&mut |part| {
            uses |=
                called_by(part).is_some_and(|id| book.rules.rules[id.index()].span == rule.span);
        });
        uses
    });
    users.all(|user| {
        let said = words_said("", &user.notes);
        let code = NotedCode::of_rule((book.rules, book.budget), user, &said);
        user.effects.is_pure() && !code.says_less_than(&rule.notes)
    })
}

/// Whether notes say in one sentence what a word means, and nothing more.
fn only_defines(notes: &[String]) -> bool {
    let note = paragraph(notes);
    !note.trim_end_matches('.').contains(['.', ':', ';', '!', '?'])
}

/// The rules that a ranking at the end counts by, and whether one is all that it looks at.
fn ranked_by(book: &Book) -> BTreeMap<Span, bool> {
    let mut ranked = BTreeMap::new();
    for rule in called(book) {
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::FinishRanking { keys, .. } = &stmt.kind {
                for key in keys {
                    key.visit_tree(&mut |part| {
                        if let Some(id) = called_by(part) {
                            ranked.entry(id).or_insert(false);
                        }
                    });
                    let of = if let ExprKind::Unary(_, of) = &key.kind { of } else { key };
                    ranked.extend(called_by(of).map(|id| (id, true)));
                }
            }
        });
    }
    ranked.into_iter().map(|(id, whole)| (book.rules.rules[id.index()].span, whole)).collect()
}

fn rule_name(rule: &Rule) -> String {
    let name = title_or_name(&rule.title, &rule.name);
    let name = name.strip_suffix(" of").unwrap_or(&name);
    let said = property(rule, &vec![String::new(); rule.params], true);
    if said.is_some() { term(name) } else { name }.to_owned()
}

/// `that player is *out*` as what can be said of any: `a player is *out*`.
fn indefinite(said: &str) -> String {
    let (mut out, mut rest) = (String::new(), said);
    while let Some((before, noun)) = rest.split_once("that ") {
        let (noun, behind) = noun.split_at(noun.find(' ').unwrap_or(noun.len()));
        out.extend([before, &one(noun)]);
        rest = behind;
    }
    out + rest
}

/// What a rule is about, from one of its parameters on: ` (for a post and a way)`.
fn about(words: Phraser, rule: &Rule, first: usize) -> String {
    let named = (first..rule.params).map(LocalId::at).filter(|local| words.you != Some(*local));
    let named = named.map(|local| match words.phrase_local(local).strip_prefix("that ") {
        Some(noun) => one(noun),
        None => words.phrase_local(local),
    });
    let named = join_list(named, "and");
    if named.is_empty() || words.book.keeps_names {
        String::new()
    } else {
        format!(" (for {named})")
    }
}

fn render_entry(book: &Book, rule: &Rule) -> String {
    let words = Phraser::for_rule(book, rule);
    let of: Vec<String> = (0..rule.params).map(|at| words.phrase_local(LocalId::at(at))).collect();
    // Who has arrived is of interest, and where that is looked up is not.
    let has_own = of.len() == 2 && rule.name.starts_with("has_");
    let own = || property(rule, of.get(..1).filter(|_| has_own)?, true);
    let said = property(rule, &of, true).or_else(|| own().map(|it| it + &about(words, rule, 1)));
    let about = if rule.notes.is_empty() { about(words, rule, 0) } else { String::new() };
    let head = match &said {
        Some(said) => format!("- {}", capitalised(&indefinite(said))),
        None => format!("- *{}*{about}", rule_name(rule)),
    };
    let holds = match &said {
        Some(_) => " if",
        None if about.is_empty() => " means that",
        None => ": it means that",
    };
    let note = paragraph(&rule.notes);
    if !note.is_empty() {
        let note = note + &in_full(words, rule);
        let repeats = |note: &str| {
            said.as_ref()
                .is_some_and(|said| note.starts_with(&unmarked(&indefinite(said)).replace('*', "")))
        };
        return match note.strip_prefix("Whether ") {
            // The note says the same words, and more.
            Some(note) if repeats(note) => {
                format!("- *{}*: {}\n", rule_name(rule), capitalised(note))
            }
            // To whom a note speaks, that is no player of whom another sentence does.
            Some(note)
                if is_sayable(first(&format!("{head}{holds} {note}")))
                    && (said.is_none() || head.contains("ou ") || !note.contains("you")) =>
            {
                format!("{head}{holds} {note}\n")
            }
            Some(note) => format!("- *{}*: whether {note}\n", rule_name(rule)),
            None => format!("{head}: {note}\n"),
        };
    }
    if let [only] = rule.body.as_slice()
        && let StmtKind::Return(Some(value)) = &only.kind
    {
        if let (ExprKind::If(condition, then, otherwise), Type::Bool) = (&value.kind, &value.ty)
            && book.truth(condition).is_none()
        {
            let [if_so, then, otherwise] =
                [condition, then, otherwise].map(|it| words.phrase_condition(it));
            return format!(
                "{head}{holds} this is so:\n  - If {if_so}: {then}.\n  - Otherwise: {otherwise}.\n"
            );
        }
        return if value.ty == Type::Bool && book.truth(value).is_none() {
            format!("{head}{holds} {}.\n", words.phrase_condition(value))
        } else {
            format!("{head}: {}.\n", words.phrase_value(value))
        };
    }
    format!("{head}:{}", behind_colon(&StepPhraser::new(words).phrase_steps(&rule.body)))
}

/// What a rule computes, where its note has less of it.
fn in_full(words: Phraser, rule: &Rule) -> String {
    let said = words_said(&rule.name, &rule.notes);
    let code = words.book.noted_code(rule, &said);
    // A note of one sentence may only say what is counted, and not by what.
    let is_untold = match rule.body.as_slice() {
        [Stmt { kind: StmtKind::Return(Some(value)), .. }] if value.ty == Type::Number => {
            let goes_on = |part: &Expr| {
                called_by(part)
                    .is_some_and(|id| words.book.rules.rules[id.index()].name.contains(OF_BASE))
            };
            only_defines(&rule.notes) && !code.tells_value(value) && !value.any(goes_on)
        }
        _ => false,
    };
    let is_told = !is_untold && code.unsaid_cases(&rule.body).is_none();
    if words.book.keeps_names || is_told {
        return String::new();
    }
    let mut steps = StepPhraser::new(words).phrase_steps(&rule.body);
    match (rule.body.as_slice(), steps.as_mut_slice()) {
        ([Stmt { kind: StmtKind::Return(Some(value)), .. }], [_]) if is_untold => {
            return in_terms(words, value);
        }
        (_, [_, .., last]) => last.text = format!("Otherwise, {}", lowered(&last.text)),
        _ => {}
    }
    format!(" In full:{}", behind_colon(&steps).trim_end())
}

/// What a number is, on one line, or each part of a sum on one of its own.
fn in_terms(words: Phraser, value: &Expr) -> String {
    let (whole, mut parts) = (sentence(&words.phrase_value(value)), Vec::new());
    add_terms(value, &mut parts);
    if is_sayable(&whole) {
        return format!(" In full: {whole}");
    }
    let lines: Vec<String> = parts.iter().map(|it| sentence(&words.phrase_value(it))).collect();
    if !lines.iter().all(|it| is_sayable(it)) {
        return String::new();
    }
    format!(" In full, the sum of this:\n  - {}", lines.join("\n  - "))
}

fn add_terms<'e>(value: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &value.kind {
        ExprKind::Binary(BinaryOp::Arith(Arith::Add), a, b) => {
            add_terms(a, parts);
            add_terms(b, parts);
        }
        _ => parts.push(value),
    }
}

/// The first sentence of a text, up to what follows its colon.
fn first(text: &str) -> &str {
    let ends = [". ", ": "].into_iter().filter_map(|end| text.find(end));
    &text[..ends.min().unwrap_or(text.len())]
}
