//! Phrases who wins: alone, as a team, or all together.

use crate::rulebook::Book;
use crate::rulebook::ending::{FoundEnd, find_ends};
use crate::rulebook::english::{capitalised, embedded, join_words, paragraph, sentence};
use crate::rulebook::flow::called;
use crate::rulebook::naming::rule_heading;
use crate::rulebook::said::{MOST_WORDS_SAID, is_sayable, unmarked};
use crate::rulebook::steps::is_outside_names;
use crate::rulebook::words::StepPhraser;
use crate::rules::ends::block_ends;
use crate::rules::visit::any_stmt;
use crate::rules::{BinaryOp, Expr, ExprKind, LocalId, PLAYER, Rule, StmtKind, Type, UnaryOp};

/// A goal is told in so many sentences at most.
const MOST_GOALS: usize = 2;

/// What the game is played for: who wins.
pub(super) fn goals(book: &Book) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for rule in called(book) {
        let mut ends = find_ends(StepPhraser::for_rule(book, rule), &rule.body, true);
        ends.retain(|end| {
            end.what != "everybody loses" && (!is_drawn(&end.what) || wins(&end.what))
        });
        match note_of_winning(rule).filter(|_| !ends.is_empty()) {
            Some(note) => found.push((0, note + &end_of_round(book, rule))),
            None => found.extend(ends.iter().map(|end| (1 + end.around.len(), goal(end)))),
        }
    }
    // A draw is what nobody plays for.
    if found.iter().any(|(_, goal)| !is_drawn(goal)) {
        found.retain(|(_, goal)| !is_drawn(goal));
    }
    // What only happens at times has more conditions than what all play for.
    found.sort_by_key(|(conditions, _)| *conditions);
    let mut goals: Vec<String> = Vec::new();
    for (_, goal) in found {
        if !goals.contains(&goal) && goals.len() < MOST_GOALS {
            goals.push(goal);
        }
    }
    if all_play_together(book) {
        goals.insert(0, "All play together: they win or lose together.".to_owned());
    }
    goals
}

/// When a rule that ends the game waits for the end of a round: its turn is that of the last player.
fn end_of_round(book: &Book, rule: &Rule) -> String {
    let (name, mut ends) = (format!("**{}**", rule_heading(book, rule)), Vec::new());
    for caller in called(book) {
        ends.extend(find_ends(StepPhraser::for_rule(book, caller), &caller.body, false));
    }
    let around = ends.iter().filter(|end| end.what == name).flat_map(|end| &end.around);
    let mut when = around.filter_map(|it| {
        let when = unmarked(it).strip_prefix("you are the last player and ")?.to_owned();
        Some(format!(" The game ends after the round if {when}."))
    });
    when.next().unwrap_or_default()
}

/// Whether the game ends for all alike, and never for some: who may lose with the others can also play against them.
fn all_play_together(book: &Book) -> bool {
    let ends = |is_so: fn(&StmtKind) -> bool| {
        called(book).iter().any(|rule| any_stmt(&rule.body, |stmt| is_so(&stmt.kind)))
    };
    ends(|end| matches!(end, StmtKind::FinishAll { .. } | StmtKind::FinishTogether(_)))
        && !ends(|end| {
            matches!(end, StmtKind::FinishWin(_))
                || matches!(end, StmtKind::FinishRanking { .. } | StmtKind::FinishTeams { .. })
        })
}

/// What the note of a rule that ends the game says of who wins, if it is little. What else the rule does is no goal.
fn note_of_winning(rule: &Rule) -> Option<String> {
    let note = paragraph(&rule.notes);
    let is_short = note.split(' ').count() <= MOST_GOALS * MOST_WORDS_SAID;
    if rule.name == "play" || !is_short || !wins(&note) {
        return None;
    }
    let told = note.split_inclusive(". ").filter(|it| wins(it)).map(str::trim_end);
    let told = join_words(told.map(str::to_owned), " ");
    // Some sentences only go on with the one before.
    let goes_on = ["Then ", "It ", "They ", "That ", "This "].iter().any(|it| told.starts_with(it));
    Some(if block_ends(&rule.body) || goes_on { note } else { told })
}

fn is_drawn(end: &str) -> bool {
    end.contains("draw")
}

fn wins(end: &str) -> bool {
    let mut words = end.split(' ').map(|it| it.trim_end_matches(['.', ',', ';', ':']));
    words.any(|word| ["win", "wins"].contains(&word))
}

/// An end as what to play for: who wins, and when.
fn goal(end: &FoundEnd) -> String {
    if end.is_noted {
        return sentence(&unmarked(&end.what));
    }
    if end.last_left().is_some() {
        return "The last player left wins.".to_owned();
    }
    let what = unmarked(&end.what);
    let what =
        ["; a tie", ". A tie"].iter().find_map(|it| what.split_once(it)).map_or(&*what, |it| it.0);
    // All play for the most of something, whenever that is counted.
    if let Some(most) = what.strip_suffix(" wins").filter(|it| it.contains("whoever has")) {
        return sentence(&format!("{most} at the end wins"));
    }
    let length = |text: &str| text.split(' ').count();
    let mut when = String::new();
    // Nobody knows here whom another sentence names.
    let is_plain = |it: &String| !it.contains("that player");
    for condition in end.around.iter().rev().map(|it| unmarked(it)).filter(is_plain) {
        let more = if when.is_empty() { condition } else { format!("{condition} and {when}") };
        if !when.is_empty() && length(&more) + length(what) >= MOST_WORDS_SAID {
            break;
        }
        when = more;
    }
    sentence(&if when.is_empty() { what.to_owned() } else { format!("{what} if {when}") })
}

impl Book<'_> {
    /// Who a rule without parameters finds, by its note or by what it asks of them.
    fn named_winners(&self, who: &Expr) -> Option<String> {
        let ExprKind::Call(id, args) = &who.kind else { return None };
        let rule = &self.rules.rules[id.index()];
        if !args.is_empty() || self.keeps_names {
            return None;
        }
        let note = embedded(&paragraph(&rule.notes));
        let is_name = ["the ", "those ", "all "].iter().any(|it| note.starts_with(it));
        (is_name && !note.contains(['.', ';', ':', ','])).then_some(note)
    }
}

impl StepPhraser<'_> {
    /// What a statement makes the result; nothing where it is a draw, or no end.
    pub(super) fn result(self, end: &StmtKind) -> Option<String> {
        match end {
            StmtKind::FinishWin(who) => Some(self.phrase_winners(who)),
            StmtKind::FinishRanking { local, keys } => Some(self.phrase_ranking(*local, keys)),
            StmtKind::FinishAll { win: true } => Some("everybody wins".to_owned()),
            StmtKind::FinishAll { win: false } => Some("everybody loses".to_owned()),
            StmtKind::FinishTogether(score) => {
                Some(format!("the score of all together is {}", self.words.phrase_value(score)))
            }
            StmtKind::FinishTeams { end, .. } => match end.first().map(|end| &end.kind) {
                Some(StmtKind::FinishRanking { local, keys }) => {
                    let (who, team) = ("whoever has", "the team of whoever has");
                    Some(self.phrase_ranking(*local, keys).replace(who, team))
                }
                Some(StmtKind::FinishWin(who)) => Some(match self.winning_team(who) {
                    Some(team) => format!("the team {team} wins"),
                    None => format!("{}, and so does the whole team", self.phrase_winners(who)),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// What `finish win team` names.
    fn winning_team(self, who: &Expr) -> Option<String> {
        let ExprKind::Filter(binder) = &who.kind else { return None };
        let condition = &binder.condition.as_ref()?.kind;
        let ExprKind::Binary(BinaryOp::Equal, own, team) = condition else { return None };
        let ExprKind::Call(rule, _) = own.kind else { return None };
        (Some(rule) == self.book.rules.teams).then(|| self.words.phrase_operand(team))
    }

    fn phrase_winners(self, who: &Expr) -> String {
        let thing = self.book.named_winners(who).unwrap_or_else(|| self.words.phrase_value(who));
        let alone = match &who.kind {
            ExprKind::Unary(UnaryOp::ToSet, _) => thing != "you",
            ExprKind::SetOf(items) => items.len() == 1 && thing != "you",
            _ => who.ty == Type::Kind(PLAYER) && thing != "you",
        };
        let s = if alone || thing.starts_with("whoever") { "s" } else { "" };
        format!("{thing} win{s}")
    }

    fn phrase_ranking(self, local: LocalId, keys: &[Expr]) -> String {
        let name = self.words.phrase_local(local);
        let key = |key: &Expr| {
            // A score that counts against a player.
            let (word, of) = match &key.kind {
                ExprKind::Unary(UnaryOp::Negate | UnaryOp::Reverse, of) => ("lowest", of.as_ref()),
                _ => ("highest", key),
            };
            let key = self.words.phrase_extreme(word, of);
            if self.book.keeps_names || is_own(local, of) {
                return key.replace(&format!(" of {name}"), "");
            }
            of_them(&key, &name)
        };
        let keys: Vec<String> = keys.iter().map(key).collect();
        let (first, ties) = keys.split_first().expect("a ranking has a first key");
        let mut text = format!("whoever has {first} wins");
        if !ties.is_empty() {
            let ties = format!("a tie goes to whoever has {}", ties.join(", then "));
            let is_short = is_sayable(&format!("{text} {ties}"));
            text = if is_short {
                format!("{text}; {ties}")
            } else {
                format!("{text}. {}", capitalised(&ties))
            };
        }
        if self.book.keeps_names && keys.iter().any(|key| key.contains(&name)) {
            text.extend([format!(" (where {name} is the player)")]);
        }
        text
    }
}

/// What only belongs to something of a player is `their`: `the most cards in their hand`.
pub(super) fn of_them(key: &str, name: &str) -> String {
    let Some((before, behind)) = key.split_once(&format!(" of {name}")) else {
        return key.to_owned();
    };
    let behind = of_them(behind, name);
    match before.rsplit_once("the ") {
        Some((start, thing)) if !start.is_empty() && is_outside_names(start) => {
            format!("{start}their {thing}{behind}")
        }
        _ => format!("{before}{behind}"),
    }
}

/// Whether a key is something that the player has.
fn is_own(local: LocalId, key: &Expr) -> bool {
    match &key.kind {
        ExprKind::Element(_, of) | ExprKind::Call(_, of) => {
            of.first().is_some_and(|it| it.is_local(local))
        }
        ExprKind::Column(_, _, of) => of.is_local(local),
        _ => false,
    }
}
