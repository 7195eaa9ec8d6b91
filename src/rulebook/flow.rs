//! Orders the rules as play reaches them, and writes their sections.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::rulebook::Book;
use crate::rulebook::english::{embedded, paragraph};
use crate::rulebook::moves::decisions;
use crate::rulebook::naming::is_flow;
use crate::rulebook::noted::is_no_act;
use crate::rulebook::steps::{behind_colon, in_line, render_steps};
use crate::rulebook::words::{Phraser, StepPhraser};
use crate::rules::visit::{any_stmt, visit_block, visit_stmts};
use crate::rules::{Block, Expr, ExprKind, LocalId, Rule, RuleId, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::syntax::ast::OF_BASE;

/// The note of a rule, or else its steps.
pub(super) fn prose(book: &Book, rule: &Rule) -> String {
    let note = paragraph(&rule.notes);
    let mut phraser = StepPhraser::for_rule(book, rule);
    phraser.tells_first = !is_flow(book, rule);
    if !note.is_empty() {
        let (led, _) = split_behind_decision(&rule.body);
        let mut unsaid = phraser.unsaid_steps((rule, &rule.name), (&rule.notes, &[], &[]), led);
        if let Some(first) = unsaid.first_mut().filter(|_| asks_first_whether_to_stop(&rule.body)) {
            // The note has told what comes behind it.
            first.text = first.text.replace("nothing more happens", "none of this happens");
        }
        let note = phraser.with_limits(&note, &rule.body);
        return match in_line(&unsaid) {
            // The name of a section alone would be read as if it came last.
            Some(line) if line.starts_with("**") => format!("{note} Also: {line}\n\n"),
            Some(line) => format!("{}\n\n", format!("{note} {line}").trim_end()),
            None => format!("{note}\n\n{}\n", render_steps(&unsaid, 0, false)),
        };
    }
    match phraser.phrase_steps(&rule.body).as_slice() {
        [] => String::new(),
        [only] if only.below.is_empty() => format!("{}\n\n", only.text),
        [only] => format!("{}\n\n{}\n", only.text, render_steps(&only.below, 0, false)),
        steps => format!("{}\n", render_steps(steps, 0, true)),
    }
}

/// Whether a rule does nothing before a condition that ends it.
fn asks_first_whether_to_stop(block: &[Stmt]) -> bool {
    let first = block.iter().find(|stmt| !matches!(stmt.kind, StmtKind::Let(..)));
    first.is_some_and(|stmt| match &stmt.kind {
        StmtKind::If { then, .. } => {
            matches!(then.as_slice(), [only] if matches!(only.kind, StmtKind::Return(None)))
        }
        _ => false,
    })
}

/// What leads to the last decision of a block with it, or else all of it, and what stands behind.
fn split_behind_decision(block: &[Stmt]) -> (&[Stmt], &[Stmt]) {
    let last = block.iter().rposition(decides);
    block.split_at(last.map_or(block.len(), |at| at + 1))
}

/// What follows the last decision of a rule with a note, if the note does not tell it: what its moves do not end.
pub(super) fn told_behind(book: &Book, rule: &Rule) -> String {
    let (led, behind) = split_behind_decision(&rule.body);
    let phraser = StepPhraser::for_rule(book, rule);
    let steps = phraser.unsaid_steps((rule, &rule.name), (&rule.notes, &[], &[]), behind);
    if rule.notes.is_empty() || steps.is_empty() {
        return String::new();
    }
    let returns = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Return(_));
    let word = if any_stmt(led, returns) { "Otherwise:" } else { "Then:" };
    format!("{word}{}\n", behind_colon(&steps))
}

/// Whether the rule that replaced this one says what it does: in its steps, which stand where it is called, or with
/// `## base` in its note.
pub(super) fn is_told_above(book: &Book, rule: &Rule) -> bool {
    let Some((name, _)) = rule.name.split_once(OF_BASE) else { return false };
    let calls_alike = |other: &Rule| {
        let mut calls = Vec::new();
        visit_block(&other.body, &mut |expr| {
            if let ExprKind::Call(id, args) = &expr.kind
                && book.rules.rules[id.index()].name == rule.name
            {
                calls.push(continues_alike(Phraser::for_rule(book, other), rule, args));
            }
        });
        (!calls.is_empty()).then(|| calls.into_iter().all(|is_alike| is_alike))
    };
    let above = book.rules.rules.iter().filter(|it| it.name.starts_with(name));
    above.filter_map(|above| Some((above, calls_alike(above)?))).any(|(above, is_alike)| {
        let has_note = rule.notes.iter().all(|note| above.notes.contains(note));
        (above.notes.is_empty() && is_alike) || (!rule.notes.is_empty() && has_note)
    })
}

/// Whether a rule of the base is called with what it is about, and decides nothing: its steps can stand where it is called.
pub(super) fn continues_alike(words: Phraser, base: &Rule, args: &[Expr]) -> bool {
    let same = words.phrase_arguments(args) == Phraser::for_rule(words.book, base).params(base);
    same && decisions(base).is_empty()
}

/// The rules that play reaches in this book, itself first, each after one that calls it.
pub(super) fn called<'a>(book: &Book<'a>) -> Vec<&'a Rule> {
    let order = book.called.get_or_init(|| reached(book));
    order.iter().map(|id| &book.rules.rules[id.index()]).collect()
}

/// Those of them that have sections of their own: they do something.
pub(super) fn sections<'b>(book: &'b Book) -> &'b BTreeSet<RuleId> {
    book.sections.get_or_init(|| {
        let acts = |id: &RuleId| {
            let rule = &book.rules.rules[id.index()];
            !rule.effects.is_pure() && !rule.body.is_empty() && !is_flow(book, rule)
        };
        called(book);
        book.called.get().into_iter().flatten().copied().filter(acts).collect()
    })
}

/// The rules that play and the setup reach, but for the setup itself: what a rule follows stands together, before
/// what that follows.
pub(super) fn reached(book: &Book) -> Vec<RuleId> {
    let mut order = Vec::new();
    collect_called(book, book.rules.play, &mut order);
    if let Some(setup) = book.rules.setup {
        let first = order.len();
        collect_called(book, setup, &mut order);
        order.remove(first);
    }
    order
}

/// Each rule follows what leads to it in the fewest steps, with what follows from it. What the many cases of a
/// `match` lead to, such as the effects of cards, waits until all else is told.
fn collect_called(book: &Book, first: RuleId, order: &mut Vec<RuleId>) {
    let mut known: BTreeSet<RuleId> = order.iter().copied().chain([first]).collect();
    let (mut waiting, mut last) = (VecDeque::from([first]), Vec::new());
    let mut below: BTreeMap<RuleId, Vec<RuleId>> = BTreeMap::new();
    while let Some(id) = waiting.pop_front() {
        let cases = called_in_cases(&book.rules.rules[id.index()]);
        for next in followed_by(book, id).into_iter().filter(|next| known.insert(*next)) {
            waiting.push_back(next);
            let place =
                if cases.contains(&next) { &mut last } else { below.entry(id).or_default() };
            place.push(next);
        }
    }
    let mut next: Vec<RuleId> = last.into_iter().rev().chain([first]).collect();
    while let Some(id) = next.pop() {
        order.push(id);
        next.extend(below.remove(&id).into_iter().flatten().rev());
    }
}

/// The rules that a `match` with many cases leads to.
fn called_in_cases(rule: &Rule) -> BTreeSet<RuleId> {
    let mut called = BTreeSet::new();
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::Match { arms, .. } = &stmt.kind
            && arms.len() > FEW_CASES
        {
            arms.iter()
                .for_each(|arm| visit_block(&arm.body, &mut |it| called.extend(called_by(it))));
        }
    });
    called
}

/// With more cases than these, a `match` is a list of effects.
const FEW_CASES: usize = 5;

/// What a rule calls. What is only supposed does not happen in the game.
fn followed_by(book: &Book, id: RuleId) -> Vec<RuleId> {
    let rule = &book.rules.rules[id.index()];
    let (mut next, mut supposed) = (Vec::new(), BTreeSet::new());
    visit_block(&rule.body, &mut |part| {
        if let ExprKind::Suppose(block, _) = &part.kind {
            visit_block(block, &mut |part| supposed.extend(called_by(part)));
        }
    });
    visit_played(book, &rule.body, &mut next);
    next.retain(|id| !supposed.contains(id));
    next
}

/// The rules that a block calls as it is played with the usual options.
pub(super) fn visit_played(book: &Book, block: &[Stmt], next: &mut Vec<RuleId>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let truth = book.truth(condition);
                if truth.is_none() {
                    condition.visit_tree(&mut |part| next.extend(called_by(part)));
                }
                for (block, when) in [(then, true), (otherwise, false)] {
                    if truth != Some(!when) {
                        visit_played(book, block, next);
                    }
                }
            }
            StmtKind::Choose(choose) => {
                for option in choose.options.iter().filter(|option| book.is_possible(option)) {
                    let mut see = |part: &Expr| next.extend(called_by(part));
                    option.clauses.iter().for_each(|clause| clause.visit_exprs(&mut see));
                    visit_played(book, &option.body, next);
                }
                let asked = choose.decline.iter().filter_map(|it| it.condition.as_ref());
                let asked = asked.filter(|it| book.truth(it) != Some(false));
                asked.for_each(|it| it.visit_tree(&mut |part| next.extend(called_by(part))));
                let others = choose.decline.iter().map(|it| &it.body).chain(&choose.otherwise);
                others.for_each(|body| visit_played(book, body, next));
            }
            _ => {
                let blocks = stmt.blocks();
                let inside = |part: &Expr| blocks.iter().any(|block| is_within(part.span, block));
                stmt.visit_exprs(&mut |part| {
                    next.extend(called_by(part).filter(|_| !inside(part)));
                });
                blocks.into_iter().for_each(|block| visit_played(book, block, next));
            }
        }
    }
}

pub(super) fn called_by(part: &Expr) -> Option<RuleId> {
    if let ExprKind::Call(id, _) = part.kind { Some(id) } else { None }
}

pub(super) fn is_within(span: Span, block: &[Stmt]) -> bool {
    let ends = block.first().zip(block.last());
    ends.is_some_and(|(first, last)| first.span.start <= span.start && span.end <= last.span.end)
}

impl StepPhraser<'_> {
    /// Whether nothing else in the rule has the name of a local.
    fn is_lone(self, local: LocalId) -> bool {
        let name = self.words.phrase_local(local);
        let alike = |at: &usize| self.words.phrase_local(LocalId::at(*at)) == name;
        !self.words.is_unnamed(local) && (0..self.words.locals.len()).filter(alike).count() == 1
    }

    /// What the names mean that are in these lines, and those in what they mean.
    pub(super) fn definitions(self, body: &Block, lines: &[String]) -> Vec<String> {
        let (mut known, mut changed): (Vec<(String, String)>, _) = (Vec::new(), BTreeSet::new());
        visit_stmts(body, &mut |stmt| {
            if let StmtKind::Assign(place, _) | StmtKind::Change { place, .. } = &stmt.kind
                && let ExprKind::Local(local) = place.kind
            {
                changed.insert(local);
            }
        });
        visit_stmts(body, &mut |stmt| {
            if let StmtKind::Let(local, value) = &stmt.kind
                && !changed.contains(local)
            {
                let thing = match (self.book.note_at(stmt.span), &value.ty) {
                    (Some(note), _) => embedded(&note),
                    (None, Type::Bool) => format!("that {}", self.words.phrase_condition(value)),
                    _ => self.words.phrase_value(value),
                };
                let name = self.words.phrase_local(*local);
                if self.words.is_named(*local) {
                    known.push((name, thing));
                } else if name.starts_with("that ")
                    && !thing.starts_with("that ")
                    && self.is_lone(*local)
                    && is_no_act(value)
                {
                    // Its value may be another one when this is read.
                    let may_differ = value.any(|part| {
                        matches!(part.kind, ExprKind::Element(..) | ExprKind::Call(..))
                    });
                    let before = if may_differ { " before anything changes" } else { "" };
                    known.push((name, thing + before));
                }
            }
        });
        // A step has said it.
        known.retain(|(name, _)| {
            let step = name.strip_prefix("that ").map(|noun| format!("emember this {noun}:"));
            step.is_none_or(|step| !lines.iter().any(|line| line.contains(&step)))
        });
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, (name, _)) in known.iter().enumerate() {
            named.entry(name).or_default().push(at);
        }
        // The numbers of those that are met, each once; the first of the rule comes first.
        let mut met = BTreeSet::new();
        let mut look_up = |text: &str, met: &mut BTreeSet<usize>| {
            for name in find_names(text).chain(find_nouns(text)) {
                met.extend(named.remove(name).into_iter().flatten());
            }
        };
        lines.iter().for_each(|line| look_up(&line.replace("That ", "that "), &mut met));
        let mut definitions = Vec::new();
        while let Some(at) = met.pop_first() {
            let (name, thing) = &known[at];
            let means = if name == "you" { "are" } else { "means" };
            definitions.push(format!("Here {name} {means} {thing}."));
            look_up(thing, &mut met);
        }
        definitions
    }
}

pub(super) fn decides(stmt: &Stmt) -> bool {
    any_stmt(std::slice::from_ref(stmt), |inner| matches!(inner.kind, StmtKind::Choose(_)))
}

/// What may name a local in a text: `the price`, `that card`.
fn find_nouns(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["the ", "that ", "those "].into_iter().flat_map(|word| text.match_indices(word));
    starts.flat_map(move |(from, _)| {
        let ends = text[from..].match_indices(|it: char| !it.is_alphanumeric());
        let ends = ends.map(move |(at, _)| from + at).chain([text.len()]);
        ends.skip(1).take(MOST_WORDS).map(move |to| &text[from..to])
    })
}

/// How many words a name has at most behind its article.
const MOST_WORDS: usize = 3;

/// The names of locals in a text: `*name*`, or `you`.
pub(super) fn find_names(text: &str) -> impl Iterator<Item = &str> {
    let stars: Vec<usize> = text.match_indices('*').map(|(at, _)| at).collect();
    let pairs: Vec<&str> = stars.windows(2).map(|pair| &text[pair[0]..=pair[1]]).collect();
    text.contains("you").then_some("you").into_iter().chain(pairs)
}
