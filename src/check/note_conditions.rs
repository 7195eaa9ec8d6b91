//! Finds the conditions and the cases that a note leaves out.

use crate::check::note_names::{NotedCode, akin, quote_names, split_words, words_said};
use crate::rules::ends::can_finish;
use crate::rules::visit::{any_stmt, let_of, visit_choices};
use crate::rules::{
    Ambient, Arm, BinaryOp, Binder, Block, Expr, ExprKind, PLAYER, Pattern, Stmt, StmtKind, Type,
    UnaryOp, Value,
};
use crate::syntax::number_words;

/// Words beside [`CONDITIONS`] that make a sentence hold only at times.
const CONDITIONAL: [&str; 28] = [
    "who", "whose", "enough", "least", "most", "without", "with", "each", "every", "all", "any",
    "per", "may", "can", "where", "which", "that", "first", "last", "other", "then", "instead",
    "or", "as", "after", "for", "up", "those",
];

/// Words that a condition begins with.
const CONDITIONS: [&str; 10] =
    ["if", "when", "whoever", "until", "while", "only", "otherwise", "else", "once", "unless"];

/// Words that leave something out.
const DENIALS: [&str; 10] =
    ["not", "no", "never", "nobody", "nothing", "unless", "except", "but", "without", "other"];

/// Words that keep somebody out who is not the most or the least of all.
const LIMITING: [&str; 7] = ["any", "least", "only", "if", "more", "some", "zero"];

/// Rules without notes that follow one another in the part of a note.
const MOST_FOLLOWED: usize = 3;

impl NotedCode<'_> {
    /// Whom the note leaves out, or what it calls free that is not.
    pub(super) fn unsaid_freedom(&self, notes: &[String], body: &Block) -> Option<String> {
        let who = self.unsaid_receivers(notes, body).into_iter().filter_map(|it| it.condition);
        let mut who = who.filter_map(|it| quote_names(&self.names_of(&it)));
        let forced =
            || self.forces_choices(notes, body).then(|| "nobody may stop early".to_owned());
        who.next().map(|it| format!("asks about {it}")).or_else(forced)
    }

    /// The players whom a loop gives something under a condition of which the note says nothing.
    pub(crate) fn unsaid_receivers(&self, notes: &[String], body: &Block) -> Vec<Binder> {
        let mut found = Vec::new();
        self.visit(body, &mut |stmt| {
            let StmtKind::For { binder, body, .. } = &stmt.kind else { return };
            if !any_stmt(body, |it| self.words_of_effect(it).is_some()) {
                return;
            }
            let set = binder.set.as_local().and_then(|it| let_of(&self.rule.body, it));
            let inner = match &set.unwrap_or(&binder.set).kind {
                ExprKind::Filter(inner) => Some((inner, false)),
                ExprKind::Fold { binder, .. } => Some((binder, true)),
                _ => None,
            };
            let all = [(binder, false)].into_iter().chain(inner);
            found.extend(all.filter(|it| self.leaves_out(notes, *it)).map(|it| it.0.clone()));
        });
        found
    }

    /// Whether the note says nothing of what is asked of some players. Who has the most of something may have none.
    fn leaves_out(&self, notes: &[String], (binder, is_best): (&Binder, bool)) -> bool {
        let is_player = self.rule.locals[binder.local.index()].ty == Type::Kind(PLAYER);
        let Some(condition) = binder.condition.as_ref().filter(|_| is_player) else { return false };
        // Players and numbers a note has for other reasons.
        let mut idle = self.names_of_kind(PLAYER);
        condition.visit_tree(&mut |part| match part.kind {
            ExprKind::Local(local) => idle.push(self.rule.locals[local.index()].name.clone()),
            ExprKind::Value(Value::Int(number)) => idle.extend(number_words(number)),
            _ => {}
        });
        let words = self.words_of(condition).into_iter().filter(|word| !idle.contains(word));
        let words = words_said("", &words.collect::<Vec<_>>());
        let is_limit = |it: &String| LIMITING.contains(&&**it) || DENIALS.contains(&&**it);
        let mut parts = notes.iter().flat_map(|note| note.split(['.', ',', ';', ':']));
        !words.is_empty()
            && !parts.any(|part| {
                let said: Vec<String> = split_words(part).collect();
                said.iter().any(|it| words.iter().any(|word| akin(it, word)))
                    && (!is_best || said.iter().any(is_limit))
            })
    }

    /// Whether a note calls it free how often something is chosen, of which a loop lets nobody stop.
    pub(crate) fn forces_choices(&self, notes: &[String], body: &[Stmt]) -> bool {
        let is_free = |words: &Vec<String>| {
            let mut pairs = words.windows(2).map(|it| (&*it[0], &*it[1]));
            pairs.any(|it| it == ("up", "to") || it.0 == "may" && !["not", "only"].contains(&it.1))
        };
        let text = notes.join(" ");
        let sentences = text.split(". ").map(|it| split_words(it).collect());
        let free: Vec<String> = sentences.filter(is_free).flatten().collect();
        !free.is_empty() && self.has_forced_loop(body, &free, MOST_FOLLOWED)
    }

    fn has_forced_loop(&self, body: &[Stmt], free: &[String], depth: usize) -> bool {
        let is_named = |name: &str| {
            words_said(name, &[]).iter().any(|word| free.iter().any(|it| akin(it, word)))
        };
        let ends = |it: &Stmt| matches!(it.kind, StmtKind::Break | StmtKind::Return(_));
        let (mut is_forced, mut next) = (false, Vec::new());
        self.visit(body, &mut |stmt| match &stmt.kind {
            StmtKind::For { binder, .. } if binder.set.ty != Type::Span => {}
            StmtKind::Times(_, inner)
            | StmtKind::Repeat(inner, None)
            | StmtKind::For { body: inner, .. } => {
                let (mut asks, mut lets_stop) = (false, false);
                visit_choices(inner, &mut |choose| {
                    asks |= choose.options.iter().any(|it| is_named(&it.name));
                    lets_stop |= choose.decline.is_some() || choose.each.is_some();
                    lets_stop |= choose.options.iter().any(|it| it.body.last().is_none_or(ends));
                });
                is_forced |= asks && !lets_stop;
            }
            StmtKind::Call(Expr { kind: ExprKind::Call(id, _), .. }) if depth > 0 => next.push(*id),
            _ => {}
        });
        // What a rule without a note does the note of its caller tells.
        let next = next.into_iter().map(|id| &self.rules.rules[id.index()]);
        let mut next = next.filter(|rule| rule.notes.is_empty());
        is_forced || next.any(|rule| self.has_forced_loop(&rule.body, free, depth - 1))
    }

    /// The first condition that the note of a rule with a value leaves out.
    pub(super) fn left_out_of_value(&self, body: &Block) -> Option<String> {
        let unsaid = match body.as_slice() {
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] if value.ty == Type::Bool => {
                let mut parts = Vec::new();
                split_condition(value, false, &mut parts);
                let is_one = parts.len() < 2;
                let is_told = |it: &(&Expr, bool)| is_limit(it.0) || !self.is_unsaid(it);
                parts.into_iter().find(|it| !is_one && !is_told(it)).map(|(part, _)| part)
            }
            _ => self.unsaid_cases(body),
        };
        quote_names(&self.names_of(unsaid?)).map(|names| format!("asks about {names}"))
    }

    /// A condition that decides between the values of a rule, if its note has fewer conditions than the rule and
    /// mentions nothing of this one.
    pub(crate) fn unsaid_cases<'e>(&self, body: &'e [Stmt]) -> Option<&'e Expr> {
        let mut parts = Vec::new();
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { condition, .. } => split_condition(condition, false, &mut parts),
                StmtKind::Return(Some(value)) if value.ty == Type::Bool && body.len() > 1 => {
                    split_condition(value, false, &mut parts);
                }
                StmtKind::Return(_) | StmtKind::Let(..) => {}
                // What is counted in steps is told by what it comes to.
                _ => return None,
            }
        }
        let told = self.said.iter().filter(|word| is_conditional(word)).count();
        let is_asked = |(part, _): &(&Expr, bool)| !matches!(part.kind, ExprKind::Value(_));
        let asked: Vec<(&Expr, bool)> = parts.into_iter().filter(is_asked).collect();
        let fewer = told < asked.len();
        asked.into_iter().find(|it| fewer && self.is_unsaid(it)).map(|(part, _)| part)
    }

    /// Whether the note says nothing of a condition. `not fetch` may be said in many ways.
    fn is_unsaid(&self, (part, is_denied): &(&Expr, bool)) -> bool {
        !(self.is_mentioned(part) || *is_denied && self.says_any(&DENIALS))
    }

    /// A case of a `match` that is not named where others are.
    pub(super) fn unsaid_case(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let StmtKind::Match { subject, arms } = &stmt.kind else { return };
            let acting = |arm: &&Arm<Block>| {
                any_stmt(&arm.body, |it| !matches!(it.kind, StmtKind::Say { .. }))
            };
            let named: Vec<(Vec<String>, bool)> = arms
                .iter()
                .filter(acting)
                .filter(|arm| !arm.patterns.is_empty())
                .map(|arm| {
                    let names = self.names_of_patterns(arm, &subject.ty);
                    let said = names
                        .iter()
                        .any(|name| split_words(name).any(|word| self.note_says(&word)));
                    (names, said)
                })
                .collect();
            let said = named.iter().filter(|(_, said)| *said).count();
            if said * 2 >= named.len()
                && let Some((names, _)) = named.iter().find(|(_, said)| !said)
            {
                let case = quote_names(&names[..1]);
                unsaid = unsaid.take().or(case.map(|case| format!("has a case for {case}")));
            }
        });
        unsaid
    }

    fn names_of_patterns(&self, arm: &Arm<Block>, ty: &Type) -> Vec<String> {
        let inner = if let Type::Maybe(inner) = ty { inner } else { ty };
        let name = |pattern: &Pattern| match (pattern, inner) {
            (Pattern::Value(Value::Int(number)), Type::Kind(kind)) => {
                self.words_of_member(*kind, *number)
            }
            (Pattern::Value(Value::Int(number)), Type::Number) => number_words(*number).collect(),
            _ => Vec::new(),
        };
        arm.patterns.iter().flat_map(name).collect()
    }

    /// The ends of a rule before its last statement, under conditions of which its note has fewer than the code.
    pub(crate) fn unsaid_returns<'s>(&self, block: &'s [Stmt]) -> Vec<&'s Stmt> {
        let mut count = 0;
        self.visit(&self.rule.body, &mut |stmt| {
            count += usize::from(matches!(stmt.kind, StmtKind::If { .. }));
        });
        let before = block.split_last().map_or(&[] as &[Stmt], |(_, before)| before);
        let found = before.iter().filter_map(|stmt| match &stmt.kind {
            // Names of locals are no words of a game.
            StmtKind::If { condition, then, .. }
                if is_local(condition) || !self.is_mentioned(condition) =>
            {
                then.last().filter(|last| matches!(last.kind, StmtKind::Return(None)))
            }
            _ => None,
        });
        let has_condition = |part: &&str| {
            split_words(part).any(|word| DENIALS.contains(&&*word) || CONDITIONS.contains(&&*word))
        };
        let notes = self.rule.notes.iter().flat_map(|note| note.split(['.', ',', ';', ':']));
        if notes.filter(has_condition).count() < count { found.collect() } else { Vec::new() }
    }

    /// A condition of which the note names nothing, where it has fewer conditions than the code.
    pub(super) fn unsaid_branch(&self, body: &Block) -> Option<String> {
        let (mut count, mut unsaid) = (0, None);
        self.visit(body, &mut |stmt| {
            let StmtKind::If { condition, then, otherwise } = &stmt.kind else { return };
            // How the game ends stands elsewhere in the book, with its conditions.
            let tells = |block: &Block| any_stmt(block, |it| self.changes_something(it));
            if can_finish(then) || can_finish(otherwise) || !(tells(then) || tells(otherwise)) {
                return;
            }
            count += 1;
            let mut parts = Vec::new();
            split_condition(condition, false, &mut parts);
            if !parts.iter().any(|(part, _)| self.is_mentioned(part)) {
                unsaid = unsaid.take().or_else(|| quote_names(&self.names_of(condition)));
            }
        });
        let conditions = self.said.iter().filter(|word| is_conditional(word)).count();
        unsaid.filter(|_| conditions < count).map(|names| format!("depends on {names}"))
    }

    fn changes_something(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Cards(_) | StmtKind::Reset(_) | StmtKind::Call(_) => true,
            _ => stmt.changed_places().iter().any(|place| !self.is_undrawn(place)),
        }
    }
}

fn is_conditional(word: &str) -> bool {
    CONDITIONAL.contains(&word) || CONDITIONS.contains(&word)
}

/// Whether an expression is a local, or what people compare it with.
fn is_local(part: &Expr) -> bool {
    match &part.kind {
        ExprKind::Binary(_, a, b) => is_local(a) && is_local(b),
        kind => matches!(kind, ExprKind::Local(_) | ExprKind::Whole(_) | ExprKind::Value(_)),
    }
}

/// Whether a condition is a limit that is a number: it may only save time, unless it is one of players.
fn is_limit(part: &Expr) -> bool {
    let is_number = |it: &Expr| matches!((&it.kind, &it.ty), (ExprKind::Value(_), Type::Number));
    let counts_players = part.any(|it| matches!(it.kind, ExprKind::Ambient(Ambient::Players)));
    let is_ordered =
        matches!(part.kind, ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, ..));
    is_ordered && part.any(is_number) && !counts_players
}

/// The conditions that `and` or `or` joins, each with whether it is denied.
fn split_condition<'e>(condition: &'e Expr, is_denied: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            split_condition(a, is_denied, parts);
            split_condition(b, is_denied, parts);
        }
        ExprKind::Unary(UnaryOp::Not, of) => split_condition(of, !is_denied, parts),
        _ => parts.push((condition, is_denied)),
    }
}
