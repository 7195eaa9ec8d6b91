//! Statements as steps: sentences, some of them with steps below.

use crate::rulebook::english::{
    capitalised, does, embedded, join_list, join_words, lowered, paragraph, sentence,
};
use crate::rulebook::flow::{continues_alike, decides};
use crate::rulebook::said::{has_joints, is_sayable};
use crate::rulebook::starter::only_finds_first;
use crate::rulebook::words::StepPhraser;
use crate::rules::visit::any_stmt;
use crate::rules::{Arm, Block, Choose, Expr, ExprKind, Stmt, StmtKind, TextPart, Value};
use crate::source::Span;
use crate::syntax::ast::OF_BASE;
use std::collections::BTreeSet;

/// Of more moves a step names none: their list follows.
const NAMED_MOVES: usize = 4;

/// `p loses 2 gold to me` keeps the amount, takes it from one and gives it to the other.
const STATEMENTS_OF_A_TRANSFER: usize = 3;

/// More things than these are brought back in a step each.
const FEW_THINGS: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BookStep {
    /// The sentence; it ends with a colon where steps stand below.
    pub(super) text: String,
    pub(super) below: Vec<BookStep>,
}

impl BookStep {
    pub(super) fn new(text: &str) -> BookStep {
        BookStep { text: sentence(text), below: Vec::new() }
    }

    /// A sentence that begins with a clause: one step goes on with it, several stand below it.
    pub(super) fn under(clause: &str, below: Vec<BookStep>) -> Option<BookStep> {
        match below.as_slice() {
            [] => None,
            [only] if only.below.is_empty() && is_short_with(clause, &only.text) => {
                let then = theirs(clause, &embedded(&only.text));
                // `If a, and if b, …`: both have to hold.
                let and =
                    if clause.starts_with("if ") && then.starts_with("if ") { " and" } else { "" };
                let between = if then.starts_with("**") { ":" } else { "," };
                Some(BookStep::new(&format!("{clause}{between}{and} {then}")))
            }
            _ => {
                let below = below.into_iter().map(|it| it.theirs(clause)).collect();
                Some(BookStep { text: format!("{}:", capitalised(clause)), below })
            }
        }
    }

    pub(super) fn theirs(self, clause: &str) -> BookStep {
        let below = self.below.into_iter().map(|it| it.theirs(clause)).collect();
        BookStep { text: theirs(clause, &self.text), below }
    }
}

/// Whether a clause and a sentence are one sentence that can be said, or that can be broken.
fn is_short_with(clause: &str, text: &str) -> bool {
    let both = format!("{clause} {text}");
    let mut sentences = both.split(": ").flat_map(|it| it.split(". "));
    both.len() < 200 && (has_joints(&both) || sentences.all(is_sayable))
}

/// What is done for each player, with `their hand` for `the hand of that player`.
fn theirs(clause: &str, text: &str) -> String {
    const WHOSE: &str = " of that player";
    let each = ["for each player", "for each of those players"];
    if !each.iter().any(|it| clause.starts_with(it)) || clause.contains('(') || clause.contains('*')
    {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once(WHOSE) {
        match split_thing(before) {
            Some((start, thing)) if !thing.contains([',', '.', ';', '(']) => {
                out.extend([start, "their ", thing]);
            }
            _ => out.extend([before, WHOSE]),
        }
        rest = behind;
    }
    out + rest
}

/// What stands before the thing with which a text ends, and that thing without its article: a name, or a noun.
fn split_thing(text: &str) -> Option<(&str, &str)> {
    if let Some(quoted) = text.strip_suffix('*') {
        let (start, thing) = text.split_at(quoted.rfind('*')?);
        return Some((start.strip_suffix("the ").unwrap_or(start), thing));
    }
    let (start, thing) = text.rsplit_once("the ")?;
    is_outside_names(start).then_some((start, thing))
}

/// Whether the end of a text stands in no name between stars.
pub(super) fn is_outside_names(text: &str) -> bool {
    text.matches('*').count().is_multiple_of(2)
}

/// Steps as a list of Markdown, the first level numbered on request.
pub(super) fn render_steps(steps: &[BookStep], depth: usize, numbered: bool) -> String {
    let mut text = String::new();
    for (number, step) in (1..).zip(steps) {
        let mark = if numbered { format!("{number}.") } else { "-".to_owned() };
        let below = render_steps(&step.below, depth + mark.len() + 1, false);
        text.extend([format!("{:depth$}{mark} {}\n{below}", "", step.text)]);
    }
    text
}

/// Steps on one line, if none of them has others below it.
pub(super) fn in_line(steps: &[BookStep]) -> Option<String> {
    let flat = steps.iter().all(|step| step.below.is_empty());
    let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
    flat.then(|| texts.join(" "))
}

/// Steps after a colon: on the same line, or as a list below it.
pub(super) fn behind_colon(steps: &[BookStep]) -> String {
    match in_line(steps) {
        Some(line) if line.is_empty() => "\n".to_owned(),
        Some(line) => format!(" {line}\n"),
        None => format!("\n{}", render_steps(steps, 2, false)),
    }
}

impl StepPhraser<'_> {
    /// What a block does. What it says is told only where it does nothing else.
    pub(super) fn phrase_steps(self, block: &[Stmt]) -> Vec<BookStep> {
        let mut steps = Vec::new();
        let is_idle = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Say { .. } | StmtKind::Let(..));
        let only_says = block.iter().all(is_idle);
        let mut rest = block;
        while let Some((stmt, behind)) = rest.split_first() {
            let at = rest;
            rest = behind;
            if self.is_untold(stmt) || self.book.is_never_so(stmt) {
                continue;
            }
            let bytes: usize = steps.last().map_or(0, |step: &BookStep| step.text.len());
            if !self.book.has_room(bytes) {
                break;
            }
            let only = self.only.filter(|_| !self.is_told_whole(stmt));
            let phraser = StepPhraser { only, ..self };
            if let Some(text) = phraser.phrase_handover(at) {
                let note = self.book.note_at(stmt.span);
                steps.push(BookStep::new(&note.unwrap_or(text)));
                rest = &at[STATEMENTS_OF_A_TRANSFER..];
                continue;
            }
            match &stmt.kind {
                StmtKind::Say { to, text } if only_says => {
                    steps.push(phraser.phrase_say(to.as_ref(), text));
                }
                _ => steps.extend(phraser.phrase_step(stmt)),
            }
        }
        steps
    }

    /// Whether the setup or a note tells a statement, or the moves that stand below.
    fn is_untold(self, stmt: &Stmt) -> bool {
        let is_choice = |it: &Stmt| matches!(it.kind, StmtKind::Choose(_));
        let is_left_out = |only: &BTreeSet<Span>| {
            let is_met = any_stmt(std::slice::from_ref(stmt), |it| only.contains(&it.span));
            !is_met || decides(stmt) && self.note_of_lead(stmt).is_some() || is_choice(stmt)
        };
        !self.tells_first && only_finds_first(self.book, stmt) || self.only.is_some_and(is_left_out)
    }

    fn phrase_say(self, to: Option<&Expr>, text: &Expr) -> BookStep {
        let words = self.words;
        let ExprKind::Text(parts) = &text.kind else {
            return BookStep::new(&format!("say: “{}”", words.phrase_value(text)));
        };
        let part = |part: &TextPart| match words.phrase_text(std::slice::from_ref(part)).as_str() {
            "you" => "*your name*".to_owned(),
            part => part.to_owned(),
        };
        let text = join_words(parts.iter().map(part), "");
        let verb =
            to.map_or_else(|| "say".to_owned(), |to| format!("tell {}", words.phrase_operand(to)));
        BookStep::new(&format!("{verb}: “{text}”"))
    }

    fn phrase_step(self, stmt: &Stmt) -> Vec<BookStep> {
        if let Some(note) = self.book.note_at(stmt.span) {
            return match &stmt.kind {
                StmtKind::Let(local, _) if self.words.is_unnamed(*local) => Vec::new(),
                StmtKind::Let(local, _) => {
                    vec![BookStep::new(&format!("{} {note}", self.phrase_noting(*local)))]
                }
                _ => self.noted_steps(stmt, &note),
            };
        }
        self.phrase_bare_step(stmt)
    }

    /// What a statement does, whatever stands above it.
    pub(super) fn phrase_bare_step(self, stmt: &Stmt) -> Vec<BookStep> {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                return self.phrase_branch(condition, then, otherwise);
            }
            StmtKind::Match { subject, arms } => return self.phrase_match(subject, arms),
            StmtKind::While(asked, _) if self.book.truth(asked) == Some(false) => {
                return Vec::new();
            }
            StmtKind::Choose(choose) if self.book.offers_nothing(choose) => {
                return choose.otherwise.as_ref().map_or_else(Vec::new, |it| self.otherwise(it));
            }
            StmtKind::Choose(choose) => return self.phrase_decision(choose),
            StmtKind::Call(Expr { kind: ExprKind::Call(id, args), .. }) => {
                let rule = &self.book.rules.rules[id.index()];
                if self.book.is_idle(rule) {
                    return Vec::new();
                }
                if rule.name.contains(OF_BASE) && continues_alike(self.words, rule, args) {
                    return match paragraph(&rule.notes).as_str() {
                        "" => StepPhraser::for_rule(self.book, rule).phrase_steps(&rule.body),
                        note => vec![BookStep::new(note)],
                    };
                }
            }
            StmtKind::Reset(targets) if targets.len() > FEW_THINGS && !self.book.keeps_names => {
                let each = targets.iter().map(std::slice::from_ref);
                return each.map(|it| BookStep::new(&self.phrase_reset(it))).collect();
            }
            _ => {}
        }
        if let StmtKind::Times(count, body) = &stmt.kind
            && self.book.known_value(count) == Some(Value::Int(1))
        {
            return self.phrase_steps(body);
        }
        let step = match self.loop_of(stmt) {
            Some((clause, body)) => BookStep::under(&clause, self.phrase_steps(body)),
            None => self.action(stmt).map(|text| BookStep::new(&text)),
        };
        step.into_iter().collect()
    }

    fn phrase_branch(self, condition: &Expr, then: &Block, otherwise: &Block) -> Vec<BookStep> {
        if let Some(truth) = self.book.truth(condition) {
            return self.phrase_steps(if truth { then } else { otherwise });
        }
        let (then, otherwise) = (self.phrase_steps(then), self.phrase_steps(otherwise));
        if then.is_empty() {
            let clause = format!("if {}", self.words.phrase_negated(condition));
            return BookStep::under(&clause, otherwise).into_iter().collect();
        }
        let clause = format!("if {}", self.words.phrase_condition(condition));
        let mut steps: Vec<BookStep> = BookStep::under(&clause, then).into_iter().collect();
        match otherwise.as_slice() {
            [only] if only.text.starts_with("If ") => {
                let text = format!("Otherwise, {}", lowered(&only.text));
                steps.push(BookStep { text, below: only.below.clone() });
            }
            _ => steps.extend(BookStep::under("otherwise", otherwise)),
        }
        steps
    }

    fn phrase_match(self, subject: &Expr, arms: &[Arm<Block>]) -> Vec<BookStep> {
        let below = arms.iter().filter_map(|arm| {
            let clause = format!("for {}", self.book.patterns(arm, &subject.ty));
            BookStep::under(&clause, self.phrase_steps(&arm.body))
        });
        let below: Vec<BookStep> = below.collect();
        // A list that leaves cases out would be read as if there were no others.
        if below.is_empty() || self.only.is_some() && below.len() < arms.len() {
            return Vec::new();
        }
        vec![BookStep {
            text: format!("It depends on {}:", self.words.phrase_value(subject)),
            below,
        }]
    }

    /// A decision as a step: its moves by their names. What they do stands with the moves.
    fn phrase_decision(self, choose: &Choose) -> Vec<BookStep> {
        let decline =
            choose.decline.iter().map(|it| self.words.phrase_label(&it.name, it.template.as_ref()));
        let names = self.list_options(choose).into_iter().chain(decline);
        let (verb, of, last) = match choose.order {
            Some(_) => ("pick", " the order of", "and"),
            None => ("choose", "", "or"),
        };
        let names: Vec<String> = names.collect();
        let is_long = names.len() > NAMED_MOVES && choose.order.is_none();
        let names = if is_long { vec!["one of the moves below".to_owned()] } else { names };
        let decides = does(&self.phrase_decider(choose), verb);
        let together = if choose.each.is_some() { ", all at the same time" } else { "" };
        let step = format!("{decides}{of} {}{together}", join_list(names, last));
        let mut steps = vec![BookStep::new(&step)];
        if let Some(otherwise) = &choose.otherwise {
            steps.extend(BookStep::under("if no move is possible", self.otherwise(otherwise)));
        }
        steps
    }

    /// What is done when no move is possible, which may be no more than a word of it.
    pub(super) fn otherwise(self, block: &Block) -> Vec<BookStep> {
        let only_says = block.iter().all(|stmt| matches!(stmt.kind, StmtKind::Say { .. }));
        if only_says { Vec::new() } else { self.phrase_steps(block) }
    }
}
