//! Finds what a note leaves out of its statements, as steps that follow it.

use std::collections::BTreeSet;
use std::slice::from_ref;

use crate::check::note_names::{NotedCode, words_said};
use crate::rulebook::english::sentence;
use crate::rulebook::flow::{decides, is_within, sections};
use crate::rulebook::naming::LocalWord;
use crate::rulebook::steps::BookStep;
use crate::rulebook::words::StepPhraser;
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{Block, Expr, ExprKind, LocalId, Rule, Stmt, StmtKind};
use crate::source::Span;

impl StepPhraser<'_> {
    /// What a block does that no word of its notes tells.
    pub(super) fn unsaid_steps(
        self,
        (rule, name): (&Rule, &str),
        (notes, own, named): (&[String], &[String], &[String]),
        block: &[Stmt],
    ) -> Vec<BookStep> {
        let said = words_said(name, notes);
        let mut code = NotedCode { own, named, ..self.book.noted_code(rule, &said) };
        if name != rule.name {
            code.sections = sections(self.book);
        }
        let mut only: BTreeSet<Span> =
            code.unsaid_effects(block).iter().map(|it| it.span).collect();
        if name == rule.name {
            only.extend(code.unsaid_returns(block).iter().map(|it| it.span));
        }
        if only.is_empty() || self.book.keeps_names {
            return Vec::new();
        }
        self.add_what_is_read(block, &mut only);
        StepPhraser { only: Some(&only), ..self }.phrase_steps(block)
    }

    /// Adds what told statements read that the note explains nowhere: values that are kept under a name, and all that
    /// changes a count or comes from it.
    fn add_what_is_read(self, block: &[Stmt], only: &mut BTreeSet<Span>) {
        let (mut read, mut known) = (BTreeSet::new(), None);
        while known != Some((read.len(), only.len())) {
            known = Some((read.len(), only.len()));
            let whole = self.told_whole(block, only);
            only.extend(whole);
            visit_stmts(block, &mut |stmt| {
                let is_read = match &stmt.kind {
                    StmtKind::Choose(_) => false,
                    StmtKind::Let(local, _) if read.contains(local) => true,
                    _ => any_stmt(from_ref(stmt), |it| only.contains(&it.span)),
                };
                if is_read {
                    self.book.budget.charge(1);
                    add_locals_of_head(stmt, &mut read);
                }
            });
            visit_stmts(block, &mut |stmt| {
                if self.uses_any_local(stmt, &read) {
                    only.insert(stmt.span);
                }
            });
        }
    }

    /// What stands inside of statements that are told as a whole.
    fn told_whole(self, block: &[Stmt], only: &BTreeSet<Span>) -> Vec<Span> {
        let (phraser, mut found) = (StepPhraser { only: Some(only), ..self }, Vec::new());
        visit_stmts(block, &mut |stmt| {
            let is_told = any_stmt(from_ref(stmt), |it| only.contains(&it.span));
            if is_told && !only.contains(&stmt.span) && phraser.is_told_whole(stmt) {
                let blocks = stmt.blocks().into_iter();
                blocks.for_each(|it| visit_stmts(it, &mut |inner| found.push(inner.span)));
            }
        });
        found
    }

    /// Whether a statement keeps, changes or uses one of some locals.
    fn uses_any_local(self, stmt: &Stmt, read: &BTreeSet<LocalId>) -> bool {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let is_answer =
                    matches!(self.words.called.get(local.index()), Some(LocalWord::Answer(_)));
                read.contains(local)
                    && !self.words.is_unnamed(*local)
                    && is_no_act(value)
                    && !is_answer
            }
            StmtKind::Assign(place, value)
            | StmtKind::Change { place, value, .. }
            | StmtKind::Transfer { place, amount: value, .. } => {
                let counts =
                    |it: LocalId| read.contains(&it) && self.words.locals[it.index()].mutable;
                place.as_local().is_some_and(|it| read.contains(&it))
                    || value.any(|part| part.as_local().is_some_and(counts))
            }
            _ => false,
        }
    }

    /// Whether a statement of which a note tells a part is told with that part: half of a loop, or one of two branches,
    /// would be something else.
    pub(super) fn is_told_whole(self, stmt: &Stmt) -> bool {
        let Some(only) = self.only.filter(|_| !decides(stmt)) else { return false };
        let whole = StepPhraser { only: None, ..self };
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let acting = |phraser: StepPhraser| {
                    let acts = |block: &&Block| !phraser.phrase_steps(block).is_empty();
                    [then, otherwise].into_iter().filter(acts).count()
                };
                self.book.truth(condition).is_none() && acting(whole) == 2 && acting(self) < 2
            }
            StmtKind::Match { .. } | StmtKind::Turns { .. } => false,
            _ => stmt.blocks().iter().any(|block| {
                any_stmt(block, |it| {
                    !only.contains(&it.span) && it.blocks().is_empty() && whole.action(it).is_some()
                })
            }),
        }
    }

    /// The note of a statement with decisions inside: it leads to them. Without a note of its rule, the steps tell it,
    /// unless it is a clause.
    pub(super) fn note_of_lead(self, stmt: &Stmt) -> Option<String> {
        let note = self.book.note_at(stmt.span).filter(|_| !self.book.keeps_names)?;
        let is_open = match &stmt.kind {
            StmtKind::Choose(_) => false,
            StmtKind::If { condition, otherwise, .. } => {
                self.book.truth(condition).is_none() && !otherwise.iter().any(decides)
            }
            _ => !stmt.blocks().is_empty(),
        };
        let is_told =
            self.words.rule.is_some_and(|rule| rule.notes.is_empty()) && !note.ends_with(':');
        (is_open && !is_told).then(|| {
            let mut note = note;
            self.append_forced(&mut note, from_ref(stmt));
            note
        })
    }

    /// A note with what it leaves out of whom its part is for, and of what it calls free.
    pub(super) fn with_limits(self, note: &str, body: &Block) -> String {
        let notes = [note.to_owned()];
        let Some(rule) = self.words.rule.filter(|_| !self.book.keeps_names) else {
            return note.into();
        };
        let (said, mut text) = (words_said("", &notes), note.to_owned());
        let code = self.book.noted_code(rule, &said);
        for who in code.unsaid_receivers(&notes, body) {
            let who = self.words.of_many(&who, self.words.phrase_filter(&who));
            let limit = format!(" Only players{who}.");
            text.extend(Some(limit).filter(|it| !text.contains(it)));
        }
        self.append_forced(&mut text, body);
        text
    }

    /// Says that nobody may stop early where a note calls choices free that are not.
    fn append_forced(self, note: &mut String, body: &[Stmt]) {
        let notes = [note.clone()];
        let forced =
            |rule| self.book.noted_code(rule, &words_said("", &notes)).forces_choices(&notes, body);
        if self.words.rule.is_some_and(forced) && !self.book.keeps_names {
            let who = if self.words.you.is_some() { "You" } else { "They" };
            match note.strip_suffix(':') {
                Some(lead) => {
                    *note = format!("{lead} ({} may not stop early):", who.to_lowercase());
                }
                None => note.extend([" (", who, " may not stop early.)"]),
            }
        }
    }

    /// A statement with a note. What the note leaves out of what stands inside follows it.
    pub(super) fn noted_steps(self, stmt: &Stmt, note: &str) -> Vec<BookStep> {
        let mut note = note.to_owned();
        self.append_forced(&mut note, from_ref(stmt));
        let note = &note;
        let said = words_said("", &[note.to_owned()]);
        let leaves_out = |rule| {
            let code = self.book.noted_code(rule, &said);
            let code = NotedCode { own: &code.names_in_loop(stmt), ..code };
            stmt.blocks().iter().any(|block| !code.unsaid_effects(block).is_empty())
        };
        // The moves of a decision stand elsewhere.
        let is_whole = self.book.keeps_names || matches!(stmt.kind, StmtKind::Choose(_));
        if is_whole || !self.words.rule.is_some_and(leaves_out) {
            return vec![BookStep::new(note)];
        }
        let mut steps = StepPhraser { only: None, ..self }.phrase_bare_step(stmt);
        if let Some(first) = steps.first_mut() {
            first.text = format!("{} {}", sentence(note), first.text);
        }
        steps
    }
}

/// The locals that a statement reads itself, not in its blocks; and those that their values are computed from.
fn add_locals_of_head(stmt: &Stmt, found: &mut BTreeSet<LocalId>) {
    let blocks = stmt.blocks();
    stmt.visit_parts(&mut |part| {
        if !blocks.iter().any(|block| is_within(part.span, block)) {
            part.visit_tree(&mut |part| found.extend(part.as_local()));
        }
    });
}

/// Whether a value only looks at the table: what is rolled or drawn the note tells.
pub(super) fn is_no_act(value: &Expr) -> bool {
    !value.any(|part| {
        matches!(part.kind, ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_))
    })
}
