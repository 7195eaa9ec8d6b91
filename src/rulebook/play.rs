//! Your turn: the rules in the order in which play reaches them, their moves, and each table where it is first
//! used.

use std::collections::BTreeSet;

use crate::rulebook::drawn::{Drawing, Subject, draw_components};
use crate::rulebook::english::{join_list, join_words};
use crate::rulebook::flow::{called, is_told_above, prose, told_behind, visit_played};
use crate::rulebook::moves::{decisions, picks};
use crate::rulebook::naming::{is_flow, places_of, rule_heading};
use crate::rulebook::questions::add_questions;
use crate::rulebook::terms::meanings;
use crate::rulebook::words::StepPhraser;
use crate::rulebook::{Book, title_or_name};
use crate::rules::{Array, Expr, ExprKind, Rule, RuleId, StmtKind, Type};
use crate::source::Span;

/// What play tells, and what the setup needs to be understood that play does not tell.
///
/// Words of other parts are explained, too.
pub(super) fn render_play(book: &Book, setup: &str, others: &str) -> (String, String) {
    let mut groups = BTreeSet::new();
    let mut drawings =
        Drawings { all: draw_components(book), terms: Vec::new(), seen: BTreeSet::new() };
    let acting = called(book).into_iter().filter(|it| !it.effects.is_pure());
    let sections = acting.map(|rule| (rule, sections_of(book, rule, &mut groups)));
    let mut sections: Vec<(&Rule, Vec<String>)> =
        sections.filter(|(_, it)| !it.is_empty()).collect();
    refer_to_orphans(book, &mut sections);
    let (mut parts, mut tables) = (Vec::new(), Vec::new());
    let many = drawings.all.iter().filter(|(_, text)| text.starts_with("###")).count();
    for (rule, sections) in sections {
        parts.extend(sections);
        // What the flow itself looks at is explained with what it follows; many tables would part what belongs together.
        if !is_flow(book, rule) {
            let place = if many > TABLES_AMONG_RULES { &mut tables } else { &mut parts };
            drawings.take_used(book, rule, place);
        }
    }
    parts.append(&mut tables);
    let words = meanings(book, &[&parts.concat(), others].concat());
    let told = [parts.concat(), words.clone()].concat();
    let asked = |it: &Drawing| is_asked_for(book, it, &told);
    let asked: Vec<Drawing> = drawings.all.extract_if(.., |it| asked(it)).collect();
    drawings.place(asked, &mut parts);
    let name = |(_, text): &Drawing| text.split('*').nth(1).unwrap_or_default().to_owned();
    let names: Vec<String> = drawings.terms.iter().map(name).collect();
    let mut places = places_of(book, &names, &[&told, setup, others]).into_iter();
    drawings.terms.retain(|(subject, _)| {
        let is_named = places.next().is_some_and(|it| !it.is_empty());
        is_named || !matches!(subject, Subject::Kind(_))
    });
    let terms: String = drawings.terms.iter().flat_map(|(_, text)| [text, "\n"]).collect();
    let for_setup = drawings.explain_setup(book, setup, &words);
    let words = [words, terms].concat();
    parts.extend(
        (!words.is_empty()).then(|| format!("### What words mean\n\n{}", words.trim_end())),
    );
    (parts.join("\n\n"), for_setup)
}

/// Whether the game is no more than the turns of its players.
pub(super) fn is_in_turns(book: &Book) -> bool {
    let play = &book.rules.rules[book.rules.play.index()];
    play.body.iter().any(|stmt| matches!(stmt.kind, StmtKind::Turns { .. }))
}

/// With more tables than these, all of them follow the rules.
const TABLES_AMONG_RULES: usize = 5;

/// Ends the first section that calls a rule with *See also*, where no other section names that rule.
fn refer_to_orphans(book: &Book, sections: &mut [(&Rule, Vec<String>)]) {
    let heads: Vec<String> = sections.iter().map(|(rule, _)| rule_heading(book, rule)).collect();
    let texts: Vec<String> = sections.iter().map(|(_, texts)| texts.concat()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let named = places_of(book, &heads, &texts);
    let followed = |rule: &Rule| {
        let mut next = Vec::new();
        visit_played(book, &rule.body, &mut next);
        next
    };
    let next: Vec<Vec<RuleId>> = sections.iter().map(|(rule, _)| followed(rule)).collect();
    let mut orphans: Vec<Vec<String>> = vec![Vec::new(); sections.len()];
    for (at, (rule, _)) in sections.iter().enumerate() {
        if is_flow(book, rule) || named[at].iter().any(|other| *other != at) {
            continue;
        }
        let is_rule = |id: &RuleId| book.rules.rules[id.index()].span == rule.span;
        if let Some(caller) = next.iter().position(|ids| ids.iter().any(is_rule)) {
            orphans[caller].push(format!("**{}**", rule_heading(book, rule)));
        }
    }
    for ((_, texts), names) in sections.iter_mut().zip(orphans) {
        if let Some(first) = texts.first_mut().filter(|_| !names.is_empty()) {
            let more = format!("\n\nSee also {}.", join_list(names, "and"));
            *first = first.trim_end().to_owned() + &more;
        }
    }
}

/// A rule below its heading, and the groups of moves that it is the first to offer.
pub(super) fn sections_of(book: &Book, rule: &Rule, groups: &mut BTreeSet<Span>) -> Vec<String> {
    let (asks, text) = told(book, rule);
    if text.is_empty() || book.is_idle(rule) {
        return Vec::new();
    }
    let heading = if is_flow(book, rule) {
        String::new()
    } else {
        format!("### {}\n\n", rule_heading(book, rule))
    };
    let mut sections = vec![heading + &text];
    if asks {
        let phraser = StepPhraser::for_rule(book, rule);
        let offered = decisions(rule);
        sections.extend(offered.iter().flat_map(|choose| phraser.groups(choose, groups)));
    }
    sections
}

/// Whether people need what no rule of the book has used: it has a note, or the book names it.
fn is_asked_for(book: &Book, (subject, text): &Drawing, told: &str) -> bool {
    let names = |name: &str| told.contains(&format!("*{}*", title_or_name("", name)));
    match subject {
        Subject::Table(id) => {
            let table = &book.rules.tables[id.index()];
            !table.notes.is_empty() || names(&table.name) || names(&table.title)
        }
        Subject::Constant(id) => {
            let constant = &book.rules.constants[id.index()];
            !constant.notes.is_empty() || names(&constant.name)
        }
        Subject::Kind(_) => {
            let name = text.split(':').next().unwrap_or_default().trim_start_matches("- ");
            text.starts_with("###") || told.contains(name)
        }
    }
}

/// Whether a rule asks something, and what the book says of it.
fn told(book: &Book, rule: &Rule) -> (bool, String) {
    if decisions(rule).is_empty() && picks(rule).is_empty() {
        let text = if is_told_above(book, rule) { String::new() } else { prose(book, rule) };
        return (false, text.trim_end().to_owned());
    }
    let phraser = StepPhraser::for_rule(book, rule);
    let mut text = if phraser.is_one_decision(rule) { String::new() } else { prose(book, rule) };
    text = add_questions(phraser, &rule.body, text);
    text += &told_behind(book, rule);
    if !rule.notes.is_empty() {
        // The steps that say what the names mean are not in the book.
        let defined = phraser.definitions(&rule.body, std::slice::from_ref(&text));
        text.extend(defined.iter().map(|line| format!("{line}\n\n")));
    }
    (true, text.trim_end().to_owned())
}

/// Tables and kinds that the book has not drawn yet.
struct Drawings {
    all: Vec<Drawing>,
    /// What is told with the other words.
    terms: Vec<Drawing>,
    /// The rules that have been looked through.
    seen: BTreeSet<RuleId>,
}

impl Drawings {
    /// Puts what a rule uses behind it, and what the values are computed from that it uses.
    fn take_used(&mut self, book: &Book, rule: &Rule, parts: &mut Vec<String>) {
        let mut used = BTreeSet::new();
        self.look_through(book, rule, &mut used);
        let now: Vec<Drawing> = self.all.extract_if(.., |it| used.contains(&it.0)).collect();
        self.place(now, parts);
    }

    /// Tables follow the rule that uses them; single lines join the list of words.
    fn place(&mut self, drawn: Vec<Drawing>, parts: &mut Vec<String>) {
        for (subject, text) in drawn {
            if text.starts_with("###") {
                parts.push(text);
            } else {
                self.terms.push((subject, text));
            }
        }
    }

    /// The words, tables and numbers that only the setup uses.
    fn explain_setup(&mut self, book: &Book, told: &str, known: &str) -> String {
        let Some(setup) = book.rules.setup.map(|id| &book.rules.rules[id.index()]) else {
            return String::new();
        };
        let mut used = BTreeSet::new();
        self.look_through(book, setup, &mut used);
        let is_written = |it: &Subject| !matches!(it, Subject::Kind(_));
        let drawn: Vec<String> = std::mem::take(&mut self.all)
            .into_iter()
            .filter(|it| used.contains(&it.0) && is_written(&it.0) || is_asked_for(book, it, told))
            .map(|(_, text)| text)
            .collect();
        let (tables, numbers): (Vec<_>, Vec<_>) =
            drawn.into_iter().partition(|text| text.starts_with("###"));
        let words = meanings(book, told);
        let words = words.lines().filter(|line| !known.contains(line));
        let lines = words.map(str::to_owned).chain(numbers);
        let terms = join_words(lines.map(|line| line.trim_end().to_owned()), "\n");
        join_words([terms].into_iter().filter(|it| !it.is_empty()).chain(tables), "\n\n")
    }

    fn look_through(&mut self, book: &Book, rule: &Rule, used: &mut BTreeSet<Subject>) {
        let mut next = Vec::new();
        rule.visit_exprs(&mut |part| {
            used.extend(subject_of(part));
            if let ExprKind::Call(id, _) = &part.kind
                && book.rules.rules[id.index()].effects.is_pure()
                && self.seen.insert(*id)
            {
                next.push(*id);
            }
        });
        next.into_iter()
            .for_each(|id| self.look_through(book, &book.rules.rules[id.index()], used));
    }
}

fn subject_of(part: &Expr) -> Option<Subject> {
    match (&part.kind, &part.ty) {
        (ExprKind::Element(Array::Table(id), _), _) => Some(Subject::Table(*id)),
        (ExprKind::Constant(id), _) => Some(Subject::Constant(*id)),
        (ExprKind::Column(kind, ..), _) | (_, Type::Kind(kind)) => Some(Subject::Kind(*kind)),
        _ => None,
    }
}
