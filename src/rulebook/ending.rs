//! Phrases how the game ends: every `finish`, with the conditions that lead to it.

use crate::check::note_names::words_said;
use crate::rulebook::Book;
use crate::rulebook::boxed::MOST_COUNTED;
use crate::rulebook::conditions::joined;
use crate::rulebook::english::{does, join_words, lowered, paragraph, sentence};
use crate::rulebook::flow::{called, decides};
use crate::rulebook::naming::{is_flow, rule_heading};
use crate::rulebook::said::unmarked;
use crate::rulebook::words::StepPhraser;
use crate::rules::ends::{block_ends, can_finish};
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    BinaryOp, Binder, Block, Choose, Domain, Expr, ExprKind, Limit, PLAYER, Rule, Stmt, StmtKind,
    Type, Value,
};
use crate::source::Span;
use crate::syntax::ast::FoldWord;

pub(super) fn ending(book: &Book) -> String {
    let (mut text, mut all_can_win) = (String::new(), false);
    for rule in called(book) {
        let steps = StepPhraser::for_rule(book, rule);
        let found = find_ends(steps, &rule.body, false);
        if found.is_empty() {
            continue;
        }
        all_can_win |= can_all_win(book, rule, &found);
        let mut found: Vec<String> = found.iter().map(FoundEnd::line).collect();
        found.extend(steps.definitions(&rule.body, &found));
        if is_flow(book, rule) {
            text.extend(found.iter().map(|line| format!("- {line}\n")));
            continue;
        }
        text.extend(["- **", &rule_heading(book, rule), "**:"]);
        match found.as_slice() {
            [only] => text.extend([" ", only, "\n"]),
            lines => {
                text.push('\n');
                text.extend(lines.iter().map(|line| format!("  - {line}\n")));
            }
        }
    }
    text.push_str(told_of_equals(book, all_can_win));
    // Nobody counts many decisions at a table, nor such as lead to an end told above: those limits are for programs.
    let is_rule = |it: &Limit| {
        let (rule, count) = (&book.rules.rules[it.body.index()], book.known_value(&it.decisions));
        let is_counted = matches!(count, Some(Value::Int(..=MOST_COUNTED)));
        text.is_empty() || !rule.notes.is_empty() || is_counted && can_finish(&rule.body)
    };
    if book.rules.limit.as_ref().is_some_and(is_rule) {
        text.push_str(&render_limit(book));
    }
    text
}

/// What happens if players are equal, or all win.
fn told_of_equals(book: &Book, all_can_win: bool) -> &'static str {
    let ranks = |stmt: &Stmt| matches!(stmt.kind, StmtKind::FinishRanking { .. });
    let ranks = called(book).iter().any(|rule| any_stmt(&rule.body, ranks));
    match book.most_players() {
        1 => "",
        2 if ranks => "- If both players are equal, the game is a draw.\n",
        _ if ranks && book.rules.teams.is_some() => {
            "- Teams that are equal share the win; if all are, the game is a draw.\n"
        }
        _ if ranks => "- Players who are equal share the win; if all are, the game is a draw.\n",
        2 if all_can_win => "- If both win, the game is a draw.\n",
        _ if all_can_win => "- If all players win, the game is a draw.\n",
        _ => "",
    }
}

/// Whether a rule can find that all players win.
fn can_all_win(book: &Book, rule: &Rule, found: &[FoundEnd]) -> bool {
    let (mut asks_for_all, mut all_can) = (false, false);
    rule.visit_exprs(&mut |part| asks_for_all |= compares_with_all(part));
    let mut of_one = Vec::new();
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::If { condition, then, .. } = &stmt.kind {
            let (both, asked) = book.split_conditions(condition, true);
            let is_one = both && asked.iter().any(|(it, yes)| *yes && book.asks_for_one(it));
            let ends = then.first().zip(then.last()).filter(|_| is_one);
            of_one.extend(ends.map(|(first, last)| first.span.to(last.span)));
        }
        let is_in = |outer: Span| outer.start <= stmt.span.start && stmt.span.end <= outer.end;
        let is_of_one = found.iter().any(|end| is_in(end.span) && end.is_of_one())
            || of_one.iter().any(|block| is_in(*block));
        all_can |= several_win(&stmt.kind) && !is_of_one;
    });
    all_can && !asks_for_all
}

impl Book<'_> {
    /// Whether a condition asks for one player at most of several.
    fn asks_for_one(&self, condition: &Expr) -> bool {
        let ExprKind::Binary(op, count, number) = &condition.kind else { return false };
        let ExprKind::Fold { word: FoldWord::Count, binder, .. } = &count.kind else {
            return false;
        };
        let most = match op {
            BinaryOp::Equal | BinaryOp::LessEqual => 1,
            BinaryOp::Less => 2,
            _ => return false,
        };
        binder.set.ty == Type::Set(Domain::Kind(PLAYER))
            && self.known_value(number) == Some(Value::Int(most))
    }

    /// A rule that does no more than end the game: where it is followed, the game ends.
    fn ending_rule(&self, call: &Expr) -> Option<String> {
        let ExprKind::Call(id, _) = call.kind else { return None };
        let rule = &self.rules.rules[id.index()];
        let ends = block_ends(&rule.body) && can_finish(&rule.body) && !rule.effects.pauses;
        ends.then(|| rule_heading(self, rule))
    }
}

/// Whether a condition tells all players apart from some.
fn compares_with_all(part: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &part.kind else {
        return false;
    };
    [a, b].iter().any(|it| matches!(it.kind, ExprKind::Whole(Domain::Kind(PLAYER))))
}

/// Whether a `finish win` names those of the players of whom something holds: these can be all.
fn several_win(end: &StmtKind) -> bool {
    let StmtKind::FinishWin(who) = end else { return false };
    let is_part =
        matches!(&who.kind, ExprKind::Filter(_) | ExprKind::Call(..) | ExprKind::Local(_));
    is_part && matches!(who.ty, Type::Set(_))
}

/// The line of the book for the `finish` at a place.
pub(super) fn ending_at(book: &Book, finish: Span) -> Option<String> {
    let is_in = |rule: &Rule| any_stmt(&rule.body, |stmt| stmt.span == finish);
    if let Some(last) = &book.rules.limit
        && is_in(&book.rules.rules[last.body.index()])
    {
        return render_limit(book).strip_prefix("- ").map(|line| line.trim_end().to_owned());
    }
    let rule = called(book).into_iter().find(|rule| is_in(rule))?;
    let steps = StepPhraser::for_rule(book, rule);
    let found = find_ends(steps, &rule.body, true);
    let around = |at: &Span| at.start <= finish.start && finish.end <= at.end;
    let mut lines = vec![found.iter().find(|end| around(&end.span))?.line()];
    // Conditions hold, whatever their names mean; who wins people want to know.
    let end = lines[0].rsplit(": ").next().unwrap_or_default().to_owned();
    lines.extend(steps.definitions(&rule.body, &[end]));
    Some(unmarked(&lines.join(" ")))
}

fn render_limit(book: &Book) -> String {
    let Some(limit) = &book.rules.limit else { return String::new() };
    let rule = &book.rules.rules[limit.body.index()];
    let note = paragraph(&rule.notes);
    if !note.is_empty() {
        return format!("- {note}\n");
    }
    let phraser = StepPhraser::for_rule(book, rule);
    let steps = phraser.phrase_steps(&rule.body).into_iter().map(|step| step.text);
    let steps = join_words(steps, " ");
    let count = phraser.words.phrase_value(&limit.decisions);
    format!("- After {count} decisions at the latest, {}\n", lowered(&steps))
}

/// An end of the game: under which conditions, and who wins, or else what the note says.
pub(super) struct FoundEnd {
    span: Span,
    pub(super) around: Vec<String>,
    pub(super) what: String,
    pub(super) is_noted: bool,
}

impl FoundEnd {
    /// An end without a note: who is looked for, and wins, is told in one.
    fn new(span: Span, around: &[String], what: String) -> FoundEnd {
        let one = around.split_last().and_then(|(last, others)| {
            let (who, wins) =
                (last.strip_prefix("there is a")?, what.strip_prefix("that player ")?);
            let is_plain = unmarked(last) == *last && !who.contains(" and ");
            (is_plain && last.contains(" player ")).then(|| (others, format!("a{who} {wins}")))
        });
        let (around, what) = one.unwrap_or((around, what));
        FoundEnd { span, around: around.to_vec(), what, is_noted: false }
    }

    fn line(&self) -> String {
        let Some((last, others)) = self.last_left() else {
            // A note that says who wins says when, too.
            let whole = ["Whoever ", "Who ", "With ", "If ", "When ", "The player ", "The last "];
            let is_whole = self.is_noted && whole.iter().any(|it| self.what.starts_with(it));
            return format_end(if is_whole { &[] } else { &self.around }, &self.what);
        };
        let around: Vec<String> = others.iter().cloned().chain([last]).collect();
        format_end(&around, "that player wins")
    }

    /// Whether only one player is left then.
    fn is_of_one(&self) -> bool {
        let is_one = |it: &String| it.starts_with("the number of ") && it.ends_with(" is 1");
        self.around.iter().any(is_one)
    }

    /// `the number of players in *left* is 1: *left* win`, as a condition and what has to hold beside it.
    pub(super) fn last_left(&self) -> Option<(String, &[String])> {
        let (last, others) = self.around.split_last()?;
        let left = self.what.strip_suffix(" win")?;
        let is_one = ["is 1", "is at most 1", "is less than 2"].iter().any(|one| {
            let numbers = ["the number of players in ", "the number of "];
            numbers.iter().any(|it| unmarked(last) == format!("{it}{left} {one}"))
        });
        is_one.then(|| (format!("only one player is left in {left}"), others))
    }
}

/// The ends of a block, each with the conditions around it. Where a single end is looked up (`alone`), its note stands
/// without them, and a note above a decision does not speak for the ends inside.
pub(super) fn find_ends(steps: StepPhraser, block: &Block, alone: bool) -> Vec<FoundEnd> {
    let mut search = EndSearch { steps, alone, around: Vec::new(), found: Vec::new() };
    search.visit(block);
    search.found
}

struct EndSearch<'a> {
    steps: StepPhraser<'a>,
    alone: bool,
    /// The conditions that lead to the current statement.
    around: Vec<String>,
    found: Vec<FoundEnd>,
}

impl EndSearch<'_> {
    fn visit(&mut self, block: &Block) {
        let StepPhraser { book, words, .. } = self.steps;
        let outside = self.around.len();
        for stmt in block.iter().filter(|stmt| !book.is_never_so(stmt)) {
            let (end, is_whole) = self.end_at(stmt);
            self.found.extend(end);
            if is_whole {
                continue;
            }
            match &stmt.kind {
                StmtKind::If { condition, then, otherwise } => match book.truth(condition) {
                    Some(true) => self.visit(then),
                    Some(false) => self.visit(otherwise),
                    None => {
                        self.visit_within(words.phrase_condition(condition), then);
                        self.visit_within(words.phrase_negated(condition), otherwise);
                    }
                },
                StmtKind::Match { subject, arms } => {
                    for arm in arms {
                        let patterns = book.patterns(arm, &subject.ty);
                        let subject = words.phrase_operand(subject);
                        self.visit_within(format!("{subject} is {patterns}"), &arm.body);
                    }
                }
                StmtKind::For { binder, body, .. }
                    if !matches!(binder.set.ty, Type::Maybe(_)) && picks_some(binder) =>
                {
                    let condition = format!("there is {}", words.phrase_each(binder, "a"));
                    self.visit_within(condition, body);
                }
                StmtKind::Choose(choose) => {
                    for (condition, body) in self.steps.chosen(choose) {
                        self.visit_within(condition, body);
                    }
                }
                _ => stmt.blocks().into_iter().for_each(|block| self.visit(block)),
            }
            self.around.extend(self.steps.known_behind(stmt));
        }
        self.around.truncate(outside);
    }

    fn visit_within(&mut self, condition: String, block: &Block) {
        self.around.push(condition);
        self.visit(block);
        self.around.pop();
    }

    /// The end that a statement itself is, and whether that tells all that stands inside of it.
    fn end_at(&self, stmt: &Stmt) -> (Option<FoundEnd>, bool) {
        let (book, around, alone) = (self.steps.book, &self.around, self.alone);
        let noted = |around, what| Some(FoundEnd { span: stmt.span, around, what, is_noted: true });
        let ends =
            |it: &Stmt| matches!(&it.kind, StmtKind::Call(it) if book.ending_rule(it).is_some());
        let leads = || !stmt.blocks().is_empty() && any_stmt(std::slice::from_ref(stmt), ends);
        if let Some(note) = book.note_at(stmt.span)
            && (can_finish(std::slice::from_ref(stmt)) || !alone && leads())
            && !(alone && decides(stmt))
        {
            let end = if alone {
                noted(Vec::new(), note)
            } else {
                noted(around.clone(), self.with_untold_ranking(stmt, note))
            };
            return (end, true);
        }
        let what = match &stmt.kind {
            StmtKind::FinishDraw => Some("the game is a draw".to_owned()),
            StmtKind::Call(call) if !alone => {
                let Some(heading) = book.ending_rule(call) else { return (None, true) };
                if let Some(note) = self.note_with(&heading) {
                    return (noted(Vec::new(), note), true);
                }
                (!around.is_empty()).then(|| format!("**{heading}**"))
            }
            kind => self.steps.result(kind),
        };
        // Nothing is added when there is no room for more.
        let length: usize = around.iter().map(String::len).sum();
        let what = what.filter(|what| book.has_room(what.len() + length));
        (what.map(|what| FoundEnd::new(stmt.span, around, what)), false)
    }

    /// The note above a ranking; what that counts by follows where the note has other words for it.
    fn with_untold_ranking(&self, stmt: &Stmt, note: String) -> String {
        let said = words_said("", std::slice::from_ref(&note));
        let Some(rule) = self.steps.words.rule else { return note };
        let (code, mut untold) = (self.steps.book.noted_code(rule, &said), None);
        visit_stmts(std::slice::from_ref(stmt), &mut |it| {
            if let StmtKind::FinishRanking { keys, .. } = &it.kind
                && !keys.iter().all(|key| code.tells_value(key))
            {
                untold = self.steps.result(&it.kind).map(|it| sentence(&it));
            }
        });
        match untold {
            Some(ranking) => format!("{} {ranking}", sentence(&note)),
            None => note,
        }
    }

    /// The sentence of the note of the rule that names another one, which ends the game.
    fn note_with(&self, heading: &str) -> Option<String> {
        let note = paragraph(&self.steps.words.rule?.notes);
        let named = format!("({heading})");
        note.split_inclusive(". ").find(|it| it.contains(&named)).map(|it| it.trim().to_owned())
    }
}

impl StepPhraser<'_> {
    /// What holds behind a loop: its end.
    fn known_behind(self, stmt: &Stmt) -> Option<String> {
        let breaks = |body: &Block| any_stmt(body, |it| matches!(it.kind, StmtKind::Break));
        match &stmt.kind {
            StmtKind::For { body, .. } if !breaks(body) => {
                let (clause, _) = self.loop_of(stmt)?;
                clause.strip_prefix("in each of ").map(|rounds| rounds.to_owned() + ROUNDS_OVER)
            }
            StmtKind::Repeat(body, Some(until)) if !breaks(body) => {
                self.book.truth(until).is_none().then(|| self.words.phrase_condition(until))
            }
            StmtKind::While(condition, body) if !breaks(body) => {
                self.book.truth(condition).is_none().then(|| self.words.phrase_negated(condition))
            }
            _ => None,
        }
    }

    /// What follows a decision, by what was chosen.
    fn chosen(self, choose: &Choose) -> Vec<(String, &Block)> {
        let words = self.words;
        let chooses = does(&self.phrase_decider(choose), "choose");
        let options = choose.options.iter().map(|option| {
            // What the move names the conditions say themselves.
            let plain = option.template.as_ref().filter(|_| option.params.is_empty());
            (format!("{chooses} {}", words.phrase_label(&option.name, plain)), &option.body)
        });
        let decline = choose.decline.iter().map(|decline| {
            let label = words.phrase_label(&decline.name, decline.template.as_ref());
            (format!("{label} is chosen"), &decline.body)
        });
        let otherwise = choose.otherwise.iter();
        let otherwise = otherwise.map(|body| ("no move is possible".to_owned(), body));
        options.chain(decline).chain(otherwise).collect()
    }
}

/// Whether a loop goes through less than a whole type, so that there may be nothing to go through.
fn picks_some(binder: &Binder) -> bool {
    let is_part = matches!(binder.set.kind, ExprKind::Filter(_) | ExprKind::Local(_));
    binder.condition.is_some() || is_part && matches!(binder.set.ty, Type::Set(_))
}

fn format_end(around: &[String], what: &str) -> String {
    if around.is_empty() {
        return sentence(what);
    }
    let all = match around {
        [only] if only.ends_with(ROUNDS_OVER) => {
            let rounds = only.trim_end_matches(ROUNDS_OVER);
            return format!("After {rounds}: {}", sentence(what));
        }
        [only] => only.clone(),
        all => joined(all, ", and "),
    };
    format!("If {all}: {}", sentence(what))
}

/// What holds behind a loop that counts rounds.
const ROUNDS_OVER: &str = " are over";
