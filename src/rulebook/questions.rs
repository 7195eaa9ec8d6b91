//! Writes the decisions of a rule in the order of the file, each behind the clauses that lead to it.

use crate::rulebook::english::{capitalised, does, join_list, lowered, sentence};
use crate::rulebook::said::MOST_WORDS_SAID;
use crate::rulebook::words::StepPhraser;
use crate::rules::visit::any_stmt;
use crate::rules::{Array, Block, Choose, Expr, ExprKind, LocalId, Stmt, StmtKind};

/// Adds the decisions of a block to what the book says of its rule.
pub(super) fn add_questions(steps: StepPhraser, block: &[Stmt], text: String) -> String {
    let mut questions = Questions { steps, around: Vec::new(), text };
    questions.visit(block);
    questions.text
}

struct Questions<'a> {
    steps: StepPhraser<'a>,
    /// The clauses that lead to the current statement.
    around: Vec<String>,
    text: String,
}

impl Questions<'_> {
    fn visit(&mut self, block: &[Stmt]) {
        let (steps, outside) = (self.steps, self.around.len());
        for stmt in block {
            match &stmt.kind {
                StmtKind::While(asked, _) if steps.book.truth(asked) == Some(false) => {}
                _ if let Some(note) = steps.note_of_lead(stmt) => self.visit_noted(stmt, &note),
                // Without steps, nothing else says how often this is asked.
                _ if let Some((clause, body)) = steps.how_often_asked(stmt) => {
                    self.visit_within(clause, body);
                }
                StmtKind::If { condition, then, otherwise } => match steps.book.truth(condition) {
                    Some(truth) => self.visit(if truth { then } else { otherwise }),
                    None => {
                        let clause = format!("if {}", steps.words.phrase_condition(condition));
                        self.visit_within(clause, then);
                        let clause = format!("if {}", steps.words.phrase_negated(condition));
                        self.visit_within(clause, otherwise);
                    }
                },
                StmtKind::Match { subject, arms } => arms.iter().for_each(|arm| {
                    let patterns = steps.book.patterns(arm, &subject.ty);
                    self.visit_within(format!("for {patterns}"), &arm.body);
                }),
                StmtKind::For { binder, body, .. } if asks(body, binder.local) => {
                    // A long clause is one that the rule's own words have to tell.
                    match steps.loop_of(stmt).filter(|(it, _)| is_short(it)) {
                        Some((clause, body)) => self.visit_within(clause, body),
                        None => self.visit(body),
                    }
                }
                StmtKind::Choose(choose) => {
                    self.ask(stmt);
                    for (label, body) in steps.bodies_of(choose) {
                        let around = std::mem::replace(&mut self.around, vec![label]);
                        self.visit(body);
                        self.around = around;
                    }
                }
                _ => {
                    self.ask(stmt);
                    stmt.blocks().iter().for_each(|inner| self.visit(inner));
                }
            }
            self.around.extend(steps.phrase_unless(stmt));
        }
        self.around.truncate(outside);
    }

    fn visit_within(&mut self, clause: String, block: &[Stmt]) {
        self.around.push(clause);
        self.visit(block);
        self.around.pop();
    }

    /// The decisions inside of a statement whose note stands in place of the conditions that lead to them.
    fn visit_noted(&mut self, stmt: &Stmt, note: &str) {
        let is_loop = |it: &&String| !["if ", "unless "].iter().any(|word| it.starts_with(word));
        let clause = note.strip_suffix(':');
        let loops = self.around.iter().filter(is_loop).cloned();
        let around = loops.chain(clause.map(lowered)).collect();
        let mut inside = Questions { steps: self.steps, around, text: String::new() };
        stmt.blocks().iter().for_each(|block| inside.visit(block));
        if clause.is_none() && !inside.text.is_empty() && !self.text.contains(note) {
            self.text.extend([&sentence(note), " "]);
        }
        self.text.push_str(&inside.text);
    }

    /// Adds what a statement asks, if it is a decision.
    fn ask(&mut self, stmt: &Stmt) {
        let question = self.steps.book.write_piece(|| {
            let asked = self.steps.question_of(stmt);
            if asked.is_empty() { asked } else { behind_clauses(&self.around, asked) }
        });
        self.text.push_str(&question);
    }
}

impl StepPhraser<'_> {
    /// What follows each move of a decision, behind the clause that says so.
    fn bodies_of(self, choose: &Choose) -> Vec<(String, &Block)> {
        let after = |name: &str, template: Option<&Expr>| {
            format!("after {}", self.words.phrase_label(name, template))
        };
        let possible = choose.options.iter().filter(|it| self.book.is_possible(it));
        let moves = possible.map(|it| (after(&it.name, it.template.as_ref()), &it.body));
        let decline = choose.decline.iter();
        let decline = decline.map(|it| (after(&it.name, it.template.as_ref()), &it.body));
        let otherwise = choose.otherwise.iter();
        let otherwise = otherwise.map(|body| ("if no move is possible".to_owned(), body));
        moves.chain(decline).chain(otherwise).collect()
    }

    /// How often something is asked in a loop, where no step says so. Beside a note it is told in few words: no count
    /// of the file ends it.
    fn how_often_asked(self, stmt: &Stmt) -> Option<(String, &[Stmt])> {
        let rule = self.words.rule?;
        let (clause, body) = self.loop_of(stmt).filter(|(clause, _)| clause != "1 times")?;
        // Beside a note, who is asked one after the other is told otherwise.
        let goes_through = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Turns { .. });
        if rule.notes.is_empty() {
            return (self.is_one_decision(rule) && self.book.note_at(stmt.span).is_none())
                .then_some((clause, body));
        }
        let is_plain =
            is_short(&clause) && !goes_through && !clause.starts_with("as many times as");
        let is_counted = |part: &Expr| match &part.kind {
            ExprKind::Element(Array::Var(id), _) => self.book.rules.vars[id.index()].undrawn,
            _ => part.as_local().is_some_and(|it| self.words.locals[it.index()].mutable),
        };
        let has = ["you have ", "there is ", "there are "].iter().any(|it| clause.contains(it));
        match &stmt.kind {
            StmtKind::While(asked, _) if !is_plain || !has && asked.any(is_counted) => {
                // The loop stops by itself where nothing is left to do.
                Some(("as long as possible".to_owned(), body))
            }
            _ => is_plain.then_some((clause, body)),
        }
    }

    fn question_of(self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Choose(choose) => self.choices(choose),
            StmtKind::Let(_, value) | StmtKind::Assign(_, value) => match &value.kind {
                ExprKind::Pick(pick) => self.phrase_pick(pick),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    /// What has to hold to go on behind a statement that can end the rule.
    fn phrase_unless(self, stmt: &Stmt) -> Option<String> {
        let returns = |block: &Block| {
            block.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)))
        };
        match &stmt.kind {
            StmtKind::If { condition, then, .. } if returns(then) => {
                let is_open = self.book.truth(condition).is_none();
                is_open.then(|| format!("if {}", self.words.phrase_negated(condition)))
            }
            StmtKind::Choose(choose) => {
                let ends = choose.options.iter().filter(|option| returns(&option.body));
                let labels = ends.map(|it| self.words.phrase_label(&it.name, it.template.as_ref()));
                let labels = join_list(labels, "or");
                let chooses = does(&self.phrase_decider(choose), "choose");
                (!labels.is_empty()).then(|| format!("unless {chooses} {labels}"))
            }
            _ => None,
        }
    }
}

/// A question as one sentence with what leads to it.
fn behind_clauses(around: &[String], asked: String) -> String {
    if around.is_empty() {
        return asked;
    }
    let length = |text: &str| text.split(' ').count();
    let all: usize = around.iter().map(|it| length(it) + 1).sum();
    let is_long = all + length(asked.lines().next().unwrap_or_default()) > MOST_WORDS_SAID;
    let around = join_clauses(around, is_long);
    // A turn is no condition of its own.
    let is_apart = is_long && !around.ends_with(" turn");
    let last = if is_apart { ": " } else { ", " };
    capitalised(&format!("{around}{last}{}", lowered(&asked)))
}

/// Clauses that lead to a question, one behind the other.
fn join_clauses(clauses: &[String], is_long: bool) -> String {
    let mut text = String::new();
    for (at, clause) in clauses.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| clauses[at].as_str());
        let is_if = clause.starts_with("if ");
        let follows = ["again and again", "as long as possible"].contains(&before)
            || clause.starts_with("for each")
            || is_if && !before.starts_with("if ");
        let between = match before {
            "" => "",
            _ if follows => ", ",
            _ if is_long && !is_if => ": ",
            _ => ", and ",
        };
        text.extend([between, clause]);
    }
    text
}

fn is_short(clause: &str) -> bool {
    clause.split(' ').count() < MOST_WORDS_SAID - WORDS_OF_A_QUESTION
}

/// `that player chooses one`
const WORDS_OF_A_QUESTION: usize = 4;

/// Whether a block asks the player that a loop has come to.
fn asks(body: &Block, local: LocalId) -> bool {
    any_stmt(body, |stmt| matches!(&stmt.kind, StmtKind::Choose(it) if it.chooser.is_local(local)))
}
