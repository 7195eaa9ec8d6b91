//! The moves: who decides, what there is to choose from, when it is allowed, what it does.

use std::collections::{BTreeMap, BTreeSet};

use crate::rulebook::english::{
    authored, capitalised, does, headed, join_list, join_words, lowered, one, paragraph, plural,
    sentence,
};
use crate::rulebook::said::MOST_WORDS_SAID;
use crate::rulebook::steps::{BookStep, behind_colon, in_line, render_steps};
use crate::rulebook::words::{Phraser, names_many};
use crate::rulebook::{Book, title_or_name};
use crate::rules::visit::{any_stmt, visit_choices};
use crate::rules::{
    BinaryOp, Binder, Block, Choose, Clause, Expr, ExprKind, Group, LocalId, MoveOption, PLAYER,
    Pick, Rule, SetOp, Stmt, StmtKind, SubsetBound, TextPart, Type, Value,
};
use crate::source::Span;
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

pub(super) fn decisions(rule: &Rule) -> Vec<Choose> {
    let mut found = Vec::new();
    visit_choices(&rule.body, &mut |choose| found.push(choose.clone()));
    found
}

pub(super) fn picks(rule: &Rule) -> Vec<Pick> {
    let mut found = Vec::new();
    rule.visit_exprs(&mut |expr| {
        if let ExprKind::Pick(pick) = &expr.kind {
            found.push(pick.as_ref().clone());
        }
    });
    found
}

impl Book<'_> {
    /// Whether a move can be legal in some setting that the book is for.
    pub(super) fn is_possible(&self, option: &MoveOption) -> bool {
        let never = |expr: &Expr| self.truth(expr) == Some(false);
        !option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => never(condition),
            Clause::For(binder) => binder.condition.as_deref().is_some_and(never),
            _ => false,
        })
    }
}

impl Phraser<'_> {
    /// The decisions of a block in the order of the file, each behind the clauses that lead to it.
    pub(super) fn questions(self, block: &[Stmt], around: &mut Vec<String>, text: &mut String) {
        let outside = around.len();
        for stmt in block {
            let mut within = |clause: String, block: &[Stmt]| {
                around.push(clause);
                self.questions(block, around, text);
                around.pop();
            };
            match &stmt.kind {
                StmtKind::If { condition, then, otherwise } => match self.book.truth(condition) {
                    Some(truth) => {
                        self.questions(if truth { then } else { otherwise }, around, text);
                    }
                    None => {
                        within(format!("if {}", self.phrase_condition(condition)), then);
                        within(format!("if {}", self.fails(condition)), otherwise);
                    }
                },
                StmtKind::Match { subject, arms } => arms.iter().for_each(|arm| {
                    within(format!("for {}", self.book.patterns(arm, &subject.ty)), &arm.body);
                }),
                StmtKind::For { binder, body, .. } if asks(body, binder.local) => {
                    // A long clause is one that the rule's own words have to tell.
                    match self.loop_of(stmt).filter(|(it, _)| is_short(it)) {
                        Some((clause, body)) => within(clause, body),
                        None => self.questions(body, around, text),
                    }
                }
                // Beside a note no steps say how often this is asked.
                StmtKind::While(..) | StmtKind::Repeat(..) | StmtKind::Times(..)
                    if self.rule.is_some_and(|rule| !rule.notes.is_empty()) =>
                {
                    match self.how_often_asked(stmt) {
                        Some((clause, body)) => within(clause, body),
                        None => {
                            stmt.blocks().iter().for_each(|it| self.questions(it, around, text));
                        }
                    }
                }
                _ => {
                    text.push_str(&self.book.write_piece(|| self.question_of(stmt, around)));
                    stmt.blocks().iter().for_each(|inner| self.questions(inner, around, text));
                }
            }
            around.extend(self.unless(stmt));
        }
        around.truncate(outside);
    }

    /// A loop around a decision in few words: bookkeeping that ends it is none of them.
    fn how_often_asked(self, stmt: &Stmt) -> Option<(String, &[Stmt])> {
        let (clause, body) = self.loop_of(stmt)?;
        let is_plain = is_short(&clause) && !clause.starts_with("as often as");
        let has = ["you have ", "there is ", "there are "].iter().any(|it| clause.contains(it));
        match stmt.kind {
            StmtKind::While(..) if !(is_plain && has) => Some(("again and again".to_owned(), body)),
            _ => is_plain.then_some((clause, body)),
        }
    }

    /// What a statement asks, if it is a decision.
    fn question_of(self, stmt: &Stmt, around: &[String]) -> String {
        let asked = match &stmt.kind {
            StmtKind::Choose(choose) => self.choices(choose),
            StmtKind::Let(_, value) | StmtKind::Assign(_, value) => match &value.kind {
                ExprKind::Pick(pick) => self.phrase_pick(pick),
                _ => return String::new(),
            },
            _ => return String::new(),
        };
        match around {
            [] => asked,
            around => {
                let length = |text: &str| text.split(' ').count();
                let all: usize = around.iter().map(|it| length(it) + 1).sum();
                let is_long =
                    all + length(asked.lines().next().unwrap_or_default()) > MOST_WORDS_SAID;
                let (between, last) = if is_long { (": ", ": ") } else { (", and ", ", ") };
                let around =
                    join_words(around.to_vec(), between).replace(", and for each", ", for each");
                let around = around.replace("again and again, and ", "again and again, ");
                capitalised(&format!("{around}{last}{}", lowered(&asked)))
            }
        }
    }

    /// What has to hold to go on behind a statement that can end the rule.
    fn unless(self, stmt: &Stmt) -> Option<String> {
        let returns = |block: &Block| {
            block.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)))
        };
        match &stmt.kind {
            StmtKind::If { condition, then, .. } if returns(then) => self
                .book
                .truth(condition)
                .is_none()
                .then(|| format!("if {}", self.fails(condition))),
            StmtKind::Choose(choose) => {
                let ends = choose.options.iter().filter(|option| returns(&option.body));
                let labels = ends.map(|it| self.phrase_label(&it.name, it.template.as_ref()));
                let labels = join_list(labels, "or");
                let chooses = does(&self.phrase_decider(choose), "choose");
                (!labels.is_empty()).then(|| format!("unless {chooses} {labels}"))
            }
            _ => None,
        }
    }

    /// Whether there is nothing more to say of a rule than its decision.
    pub(super) fn is_one_decision(self, rule: &Rule) -> bool {
        let steps = self.phrase_steps(&rule.body);
        rule.notes.is_empty()
            && (steps.len() == 1
                || matches!(rule.body.as_slice(), [only] if matches!(only.kind, StmtKind::Choose(_))))
            && steps.iter().all(|step| step.below.is_empty())
    }

    pub(super) fn phrase_decider(self, choose: &Choose) -> String {
        match &choose.each {
            // Nobody waits for a turn.
            Some(each) => self.phrase_each(each, "each").replace(" in turn", ""),
            None => self.phrase_value(&choose.chooser),
        }
    }

    /// What a decision offers, by name; a group is one.
    pub(super) fn list_options(self, choose: &Choose) -> Vec<String> {
        let possible = choose.options.iter().filter(|option| self.book.is_possible(option));
        let line = |option: &MoveOption| match self.book.group_around(option.span) {
            Some(group) => format!("**{}**", title_or_name("", &group.name)),
            None => self.phrase_label(&option.name, option.template.as_ref()),
        };
        let mut lines: Vec<String> = possible.map(line).collect();
        lines.dedup();
        lines
    }

    /// What a move is called where others are named beside it: as it is said, if that has words.
    pub(super) fn phrase_label(self, name: &str, template: Option<&Expr>) -> String {
        self.said_form(template).unwrap_or_else(|| format!("**{}**", title_or_name("", name)))
    }

    fn choices(self, choose: &Choose) -> String {
        let mut text = format!("{}\n\n", self.opening(choose));
        let mut shown = BTreeSet::new();
        for option in choose.options.iter().filter(|option| self.book.is_possible(option)) {
            match self.book.group_around(option.span) {
                Some(group) if shown.insert(group.span) => {
                    let (name, given) = (title_or_name("", &group.name), self.phrase_given(option));
                    text.extend([format!("- any of the moves of **{name}**{given}\n")]);
                }
                Some(_) => {}
                None => text.push_str(&self.render_option(option)),
            }
        }
        // What happens where nothing else is possible stands above the way out, which is always possible.
        if let Some(otherwise) = &choose.otherwise {
            let steps = self.otherwise(otherwise);
            if !steps.is_empty() {
                text.extend(["- If you can do none of these:", &behind_colon(&steps)]);
            }
        }
        text.push_str(&self.phrase_decline(choose));
        format!("{text}\n")
    }

    fn opening(self, choose: &Choose) -> String {
        let who = self.phrase_decider(choose);
        let how = if choose.each.is_some() {
            format!("{who} chooses at the same time, unseen by the others")
        } else if choose.order.is_some() {
            format!("all of this that applies happens; {} the order", does(&who, "pick"))
        } else {
            // What is the only move is done.
            let only = choose.options.len() == 1 && choose.decline.is_none();
            format!("{}{}", does(&who, "choose"), if only { "" } else { " one" })
        };
        let question = choose.prompt.as_ref().and_then(|prompt| self.plain_question(prompt));
        let question = question.map(|it| format!(" “{it}”"));
        format!("{}:{}", capitalised(&how), question.unwrap_or_default())
    }

    /// The question, unless it needs words of play to be understood.
    fn plain_question(self, prompt: &Expr) -> Option<String> {
        match &prompt.kind {
            ExprKind::Text(parts) => {
                let plain = parts.iter().all(|part| matches!(part, TextPart::Words(_)));
                plain.then(|| self.phrase_text(parts))
            }
            ExprKind::Value(value) => Some(self.book.describe_value(value, &prompt.ty)),
            _ => None,
        }
    }

    pub(super) fn render_option(self, option: &MoveOption) -> String {
        let [form, note, below] = self.option_parts(option);
        let note = if note.is_empty() { note } else { format!(": {note}") };
        format!("- {form}{note}\n{below}")
    }

    /// How a move is said, its note, and what stands below it: what it names, when it is allowed, and what it does that
    /// the note does not tell.
    pub(super) fn option_parts(self, option: &MoveOption) -> [String; 3] {
        let note = paragraph(&option.notes);
        let mut below: Vec<BookStep> = Vec::new();
        let given: Vec<LocalId> = group_arguments(option).map(|(local, _)| local).collect();
        let is_given = |clause: &Clause| matches!(clause, Clause::Let(it, _) if given.contains(it));
        // What follows from the others is no choice, and the note says what is done with it.
        let is_told = |clause: &Clause| matches!(clause, Clause::Let(_, value) if !note.is_empty() && self.book.note_at(value.span).is_none());
        let is_left = |clause: &&Clause| !is_given(clause) && !is_told(clause);
        let (mut headcount, mut loose) = (String::new(), Vec::new());
        for clause in option.clauses.iter().filter(is_left) {
            if let Some(players) = self.headcount_of(clause) {
                headcount = players;
                continue;
            }
            if let Some(any) = self.any_of(clause, &option.params) {
                loose.push(any);
                continue;
            }
            let text = self.clause(clause, &option.params);
            let text = text
                .map(|text| loose.iter().fold(text, |text, (that, any)| text.replace(that, any)));
            below.extend(text.map(|text| BookStep::new(&text)));
        }
        let steps = if note.is_empty() {
            self.phrase_steps(&option.body)
        } else {
            let name = option.name.as_str();
            self.rule.map_or_else(Vec::new, |rule| {
                self.unsaid_steps((rule, name), &option.notes, &option.body)
            })
        };
        // What a note has told is no step below it.
        let is_whole = || steps.len() == self.phrase_steps(&option.body).len();
        let word = if note.is_empty() || is_whole() { "Then:" } else { "Also:" };
        below.extend(match in_line(&steps) {
            _ if steps.is_empty() => None,
            Some(text) => Some(BookStep { text: format!("{word} {text}"), below: Vec::new() }),
            None => Some(BookStep { text: word.to_owned(), below: steps }),
        });
        [self.phrase_form(option) + &headcount, note, render_steps(&below, 2, false)]
    }

    /// For how many players a move is, if a condition says no more: ` (with 2 players)`.
    fn headcount_of(self, clause: &Clause) -> Option<String> {
        let Clause::When(condition) = clause else { return None };
        let counts = self.book.note_at(condition.span).is_none() && !self.book.keeps_names;
        let open = self.book.truth(condition).is_none();
        let text = (counts && open).then(|| self.phrase_condition(condition))?;
        let players = text.strip_prefix("there are ")?;
        (players.ends_with(" players")
            && !players.contains([',', '('])
            && !players.contains(" and "))
        .then(|| format!(" (with {players})"))
    }

    /// What nobody types and nothing limits: `that level` is any.
    fn any_of(self, clause: &Clause, params: &[LocalId]) -> Option<(String, String)> {
        let Clause::For(binder) = clause else { return None };
        let is_any = matches!(binder.set.kind, ExprKind::Whole(_))
            && binder.condition.is_none()
            && !params.contains(&binder.local)
            && self.book.note_at(binder.set.span).is_none();
        let name = self.phrase_local(binder.local);
        (is_any && !self.book.keeps_names && name != "you")
            .then(|| (name, format!("any {}", self.noun_of(binder.local))))
    }

    /// How a move is said: its words, then what it names.
    fn phrase_form(self, option: &MoveOption) -> String {
        if let Some(said) = self.said_form(option.template.as_ref()) {
            return said;
        }
        let mut form = format!("**{}**", title_or_name("", &option.name));
        if !self.book.keeps_names {
            return form;
        }
        if let Some(ExprKind::Text(parts)) = option.template.as_ref().map(|it| &it.kind) {
            let holes = parts.iter().filter(|part| matches!(part, TextPart::Hole(_)));
            form.extend(
                holes.flat_map(|hole| [" ".into(), self.phrase_text(std::slice::from_ref(hole))]),
            );
            return form;
        }
        for param in &option.params {
            let maybe = |it: &Clause| matches!(it, Clause::Maybe(it) if it.local == *param);
            let optional = option.clauses.iter().any(maybe);
            let (open, close) = if optional { ("[", "]") } else { ("", "") };
            form.extend([" ", open, &self.phrase_local(*param), close]);
        }
        form
    }

    /// The printed form of a move, if it has words of its own.
    fn said_form(self, template: Option<&Expr>) -> Option<String> {
        let template = template?;
        let ExprKind::Text(parts) = &template.kind else {
            return Some(format!("**{}**", self.phrase_value(template)));
        };
        let part = |part: &TextPart| match part {
            TextPart::Words(words) if !words.contains(char::is_alphanumeric) => authored(words),
            TextPart::Words(words) => {
                let words = authored(words);
                let trimmed = words.trim().trim_matches([',', ';', ':', '.']).trim();
                words.replacen(trimmed, &format!("**{trimmed}**"), 1)
            }
            TextPart::Hole(hole) => match hole.kind {
                ExprKind::Local(local) if !self.book.keeps_names && self.you != Some(local) => {
                    one(&self.noun_of(local))
                }
                _ => self.phrase_text(std::slice::from_ref(part)),
            },
        };
        let is_word =
            |part: &TextPart| matches!(part, TextPart::Words(it) if !it.trim().is_empty());
        parts.iter().any(is_word).then(|| parts.iter().map(part).collect())
    }

    /// What a move names, or when it is allowed.
    fn clause(self, clause: &Clause, params: &[LocalId]) -> Option<String> {
        let note = |of: &Expr| self.book.note_at(of.span);
        let (local, text) = match clause {
            Clause::When(condition) => {
                let text = || {
                    note(condition)
                        .unwrap_or_else(|| format!("only if {}", self.phrase_condition(condition)))
                };
                return self.book.truth(condition).is_none().then(text);
            }
            Clause::Let(local, value) => {
                (*local, note(value).unwrap_or_else(|| self.phrase_value(value)))
            }
            Clause::For(binder) => {
                let all_said = |it: &&Binder| !matches!(it.set.kind, ExprKind::Subsets(_, Some(_)));
                let so_many = Some(binder).filter(all_said).and_then(|it| self.so_many(it));
                let text = || so_many.unwrap_or_else(|| self.phrase_asked(binder));
                (binder.local, note(&binder.set).unwrap_or_else(text))
            }
            Clause::Maybe(binder) => {
                let note = note(&binder.set).map(|note| format!("{note} You may leave it out."));
                let text = || format!("{}, or nothing", self.phrase_asked(binder));
                (binder.local, note.unwrap_or_else(text))
            }
        };
        // Nobody chooses what is not said: its note tells what the move needs.
        if !self.book.keeps_names
            && !params.contains(&local)
            && let Clause::For(binder) = clause
            && let Some(needed) = note(&binder.set)
        {
            return Some(needed);
        }
        // What a name stands for: `*c*: a colour for which …`.
        Some(format!("{}: {text}", self.label_of(local)))
    }

    /// What stands before the colon where a move names something.
    fn label_of(self, local: LocalId) -> String {
        let name = self.phrase_local(local);
        if self.book.keeps_names || name == "you" {
            return name;
        }
        let bare = ["the ", "that ", "those "].iter().find_map(|it| name.strip_prefix(it));
        capitalised(bare.unwrap_or(&name))
    }

    fn phrase_asked(self, binder: &Binder) -> String {
        self.phrase_range(binder) + &self.of_one(binder, self.phrase_filter(binder))
    }

    /// Subsets of which only the size is asked: `any 3 cards of your hand`.
    fn so_many(self, binder: &Binder) -> Option<String> {
        let ExprKind::Subsets(all, size) = &binder.set.kind else { return None };
        let (Type::Set(members) | Type::Subsets(members)) = &binder.set.ty else { return None };
        let of = |any: &str, number: &Expr| {
            let (number, nouns) = (self.phrase_operand(number), self.book.nouns(*members));
            if number.contains(' ') && !self.book.keeps_names {
                let most = if any == "any" { "" } else { "at most " };
                return format!("{most}as many as {number}, out of {}", self.phrase_value(all));
            }
            format!("{any} {number} {nouns} of {}", self.phrase_operand(all))
        };
        if let Some(SubsetBound { up_to, size }) = size {
            return Some(of(if *up_to { "up to" } else { "any" }, size));
        }
        let ExprKind::Binary(BinaryOp::Equal, size, number) = &binder.condition.as_ref()?.kind
        else {
            return None;
        };
        let ExprKind::Fold { word: FoldWord::Count, binder: counted, body } = &size.kind else {
            return None;
        };
        let is_part = matches!(counted.set.kind, ExprKind::Local(it) if it == binder.local);
        (is_part && body.is_empty() && counted.condition.is_none()).then(|| of("any", number))
    }

    fn phrase_range(self, binder: &Binder) -> String {
        if let Some((face, cards)) = self.book.find_faces(&binder.set)
            && !self.book.is_filtered(cards)
        {
            return format!("{} of a card in {}", one(&face), self.phrase_operand(&cards.set));
        }
        if let Some(bag) = self.one_bag(&binder.set) {
            return bag;
        }
        let noun = self.noun_of(binder.local);
        let set = self.placed(&binder.set, self.before_filter(binder));
        let part = |of| self.placed(of, Tightness::Range);
        match &binder.set.kind {
            ExprKind::Whole(_) if self.book.keeps_names || self.book.is_filtered(binder) => {
                one(&noun)
            }
            ExprKind::Whole(_) => format!("any {noun}"),
            ExprKind::Interval(..) => format!("a number from {set}"),
            ExprKind::SetOf(_) => self.either(&binder.set),
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) if is_listed(b) => {
                format!("{}, if it is in {}", self.either(b), part(a))
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Common), a, b) => {
                format!("{} that is both in {} and in {}", one(&noun), part(a), part(b))
            }
            ExprKind::Binary(BinaryOp::Set(SetOp::Minus), a, b) => {
                let from = match a.kind {
                    ExprKind::Whole(_) => one(&noun),
                    _ => self.out_of(&noun, &part(a)),
                };
                let not = if is_listed(b) { self.either(b) } else { format!("in {}", part(b)) };
                match not.as_str() {
                    "you" => format!("{from} other than you"),
                    not => format!("{from} that is not {not}"),
                }
            }
            _ if set == "the other players" => "another player".to_owned(),
            _ if is_listed(&binder.set) => self.either(&binder.set),
            ExprKind::Subsets(..) => self.so_many(binder).unwrap_or(set),
            ExprKind::Lists(next) => self.lists(next, &binder.set.ty),
            _ if matches!(binder.set.ty, Type::Maybe(_)) => set,
            _ => self.out_of(&noun, &set),
        }
    }

    /// One of several: `a card in your hand`, or `one of your cards left`.
    fn out_of(self, noun: &str, set: &str) -> String {
        let bare = ["your ", "the "].iter().find_map(|it| set.strip_prefix(it)).unwrap_or(set);
        let named = bare.trim_start_matches('*').starts_with(&plural(noun));
        match named && !self.book.keeps_names {
            true if set.starts_with('*') => format!("one of the {set}"),
            true => format!("one of {set}"),
            false => format!("{} in {set}", one(noun)),
        }
    }

    pub(super) fn phrase_decline(self, choose: &Choose) -> String {
        let Some(decline) = &choose.decline else { return String::new() };
        let when = match decline.condition.as_ref().map(|it| (self.book.truth(it), it)) {
            Some((Some(false), _)) => return String::new(),
            // The note says that it is agreed.
            Some(_) if self.book.note_at(decline.span).is_some_and(|it| it.contains("agree")) => {
                String::new()
            }
            Some((None, condition)) => format!(" (only if {})", self.phrase_condition(condition)),
            None if decline.alone => " (only if nothing else is possible)".to_owned(),
            _ => String::new(),
        };
        let name = self.phrase_label(&decline.name, decline.template.as_ref());
        let steps = match self.book.note_at(decline.span) {
            Some(note) => format!(" {}\n", sentence(&note)),
            None if decline.body.iter().all(ends_only) => return format!("- Or {name}{when}.\n"),
            None => behind_colon(&self.phrase_steps(&decline.body)),
        };
        format!("- Or {name}{when}:{steps}")
    }

    fn phrase_pick(self, pick: &Pick) -> String {
        let chooses = capitalised(&does(&self.phrase_value(&pick.chooser), "choose"));
        let name = title_or_name("", &pick.name);
        let thing = match (&pick.set.kind, &pick.set.ty) {
            (ExprKind::Whole(domain), _) => one(&self.book.noun(*domain)),
            (_, Type::Set(domain)) => match self.phrase_operand(&pick.set) {
                one_of if ARTICLES.iter().any(|word| one_of.starts_with(word)) => one_of,
                set if names_many(&set, &self.book.noun(*domain)) => {
                    format!("one of the {}", set.trim_start_matches("the "))
                }
                set => format!("{} of {set}", one(&self.book.noun(*domain))),
            },
            _ => format!("one of {}", self.phrase_operand(&pick.set)),
        };
        format!("{chooses} {thing} (**{name}**).\n\n")
    }

    /// What a group was given, where it is offered.
    fn phrase_given(self, option: &MoveOption) -> String {
        let given = group_arguments(option).filter_map(|(local, value)| {
            let (name, thing) = (self.phrase_local(local), self.phrase_value(value));
            if !self.book.keeps_names {
                let is_told = matches!(value.ty, Type::Kind(PLAYER)) || name == thing;
                return (!is_told).then(|| format!("{}: {thing}", lowered(&self.label_of(local))));
            }
            let says_more = name != thing && name != "you" && name != "*me*";
            says_more.then(|| format!("{name} is {thing}"))
        });
        let given = join_words(given, "; ");
        if given.is_empty() { given } else { format!(" ({given})") }
    }

    /// The groups of moves that a decision includes, if they were not shown yet.
    pub(super) fn groups(self, choose: &Choose, shown: &mut BTreeSet<Span>) -> Vec<String> {
        let mut new: Vec<(&Group, Vec<&MoveOption>)> = Vec::new();
        let mut numbers = BTreeMap::new();
        for option in &choose.options {
            let Some(group) = self.book.group_around(option.span) else { continue };
            if shown.insert(group.span) {
                numbers.insert(group.span, new.len());
                new.push((group, Vec::new()));
            }
            if let Some(number) = numbers.get(&group.span) {
                new[*number].1.push(option);
            }
        }
        let mut parts = Vec::new();
        for (group, inside) in new {
            let inside = inside.into_iter().filter(|option| self.book.is_possible(option));
            let text: String = inside.map(|it| self.for_group(it).render_option(it)).collect();
            parts.push(headed(&title_or_name("", &group.name), &group.notes, &text));
        }
        parts
    }

    /// The player that a group calls `me` is spoken to in it.
    pub(super) fn for_group(self, option: &MoveOption) -> Self {
        let mut given = group_arguments(option).map(|(local, _)| local);
        let me = given.find(|local| self.locals[local.index()].name == "me");
        Phraser { you: me.or(self.you), ..self }
    }
}

fn is_short(clause: &str) -> bool {
    clause.split(' ').count() < MOST_WORDS_SAID - WORDS_OF_A_QUESTION
}

/// A note that begins so tells of one thing of a set.
const ARTICLES: [&str; 5] = ["a ", "an ", "any ", "another ", "one "];

/// `that player chooses one`
const WORDS_OF_A_QUESTION: usize = 4;

/// Whether a block asks the player that a loop has come to.
fn asks(body: &Block, local: LocalId) -> bool {
    any_stmt(body, |stmt| matches!(&stmt.kind, StmtKind::Choose(it) if it.chooser.is_local(local)))
}

/// Whether the members of a set are written out.
fn is_listed(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::SetOf(items) => !items.is_empty(),
        ExprKind::Value(Value::Set(members)) => !members.is_empty(),
        _ => false,
    }
}

/// Whether a statement does no more than leave the place where it stands.
fn ends_only(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(None))
}

/// What the group of the option was given, which is no part of the option.
fn group_arguments(option: &MoveOption) -> impl Iterator<Item = (LocalId, &Expr)> {
    let within = |span: Span| option.span.start <= span.start && span.end <= option.span.end;
    option.clauses.iter().filter_map(move |clause| match clause {
        Clause::Let(local, value) if !within(value.span) => Some((*local, value)),
        _ => None,
    })
}
