//! Phrases the moves of a decision: how each is said, what it names, when it is allowed, what it does.

use crate::check::note_effects::names_of_move;
use crate::check::note_names::split_words;
use crate::rulebook::english::{authored, capitalised, one, paragraph, plural};
use crate::rulebook::steps::{BookStep, in_line, render_steps};
use crate::rulebook::words::{Phraser, StepPhraser};
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    BinaryOp, Binder, Clause, Expr, ExprKind, LocalId, MoveOption, SetOp, SubsetBound, TextPart,
    Type, Value,
};
use crate::source::Span;
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Book<'_> {
    /// The number that a condition asks for at least: `count(x) >= 1`.
    fn least_size(&self, condition: &Expr, set: LocalId) -> Option<i64> {
        let (more, ExprKind::Binary(op, a, b)) = (0, &condition.kind) else { return None };
        let (number, count, more) = match op {
            BinaryOp::LessEqual => (a, b, more),
            BinaryOp::Less => (a, b, more + 1),
            _ => return None,
        };
        let ExprKind::Fold { word: FoldWord::Count, binder, body } = &count.kind else {
            return None;
        };
        let is_whole = binder.set.is_local(set) && body.is_empty() && binder.condition.is_none();
        match self.known_value(number)? {
            Value::Int(number) if is_whole => Some(number + more),
            _ => None,
        }
    }

    /// One of several: `a card in your hand`, or `one of your cards left`.
    fn out_of(&self, noun: &str, set: &str) -> String {
        let bare = ["your ", "the "].iter().find_map(|it| set.strip_prefix(it)).unwrap_or(set);
        let nouns = plural(noun);
        let is_last = !bare.contains(" of ") && bare.ends_with(&format!(" {nouns}"));
        let named = is_last || bare.trim_start_matches('*').starts_with(&nouns);
        if let Some(beside) = bare.strip_prefix(&format!("{} beside ", plural(noun))) {
            return format!("{} beside {beside}", one(noun));
        }
        match named && !self.keeps_names {
            true if set.starts_with('*') => format!("one of the {set}"),
            true => format!("one of {set}"),
            false => format!("{} in {set}", one(noun)),
        }
    }
}

impl StepPhraser<'_> {
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
            if let Some(players) = self.words.headcount_of(clause) {
                headcount = players;
                continue;
            }
            if let Some(any) = self.words.any_of(clause, &option.params) {
                loose.push(any);
                continue;
            }
            let text = self.words.clause(clause, &option.params);
            let text = text
                .map(|text| loose.iter().fold(text, |text, (that, any)| text.replace(that, any)));
            below.extend(text.map(|text| BookStep::new(&text)));
        }
        let steps = if note.is_empty() {
            self.phrase_steps(&option.body)
        } else {
            let name = option.name.as_str();
            self.words.rule.map_or_else(Vec::new, |rule| {
                let own = names_of_move(self.book.rules, option);
                // What a move names is in its note, whatever is done with it.
                let words = self.words;
                let of_local =
                    |it: &LocalId| [words.noun_of(*it), words.locals[it.index()].name.clone()];
                let named = option.params.iter().flat_map(of_local);
                let named: Vec<String> =
                    named.flat_map(|it| split_words(&it).collect::<Vec<_>>()).collect();
                self.unsaid_steps((rule, name), (&option.notes, &own, &named), &option.body)
            })
        };
        // What a note has told is no step below it, and a rule that does no more than it tells is not done twice.
        let is_whole = || steps.len() == self.phrase_steps(&option.body).len();
        let follows = steps.iter().all(|it| it.text.starts_with("**"));
        let word = match (note.is_empty(), is_whole()) {
            (false, false) => "Also:",
            (false, true) if follows => "How:",
            _ => "Then:",
        };
        below.extend(match in_line(&steps) {
            _ if steps.is_empty() => None,
            Some(text) => Some(BookStep { text: format!("{word} {text}"), below: Vec::new() }),
            None => Some(BookStep { text: word.to_owned(), below: steps }),
        });
        let note = if note.is_empty() { note } else { self.with_limits(&note, &option.body) };
        [self.words.phrase_form(option) + &headcount, note, render_steps(&below, 2, false)]
    }
}

impl Phraser<'_> {
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

    /// The player that a group calls `me` is spoken to in it.
    pub(super) fn for_group(self, option: &MoveOption) -> Self {
        let mut given = group_arguments(option).map(|(local, _)| local);
        let me = given.find(|local| self.locals[local.index()].name == "me");
        Phraser { you: me.or(self.you), ..self }
    }

    /// What a move is called where others are named beside it: as it is said, if that has words.
    pub(super) fn phrase_label(self, name: &str, template: Option<&Expr>) -> String {
        self.said_form(template).unwrap_or_else(|| format!("**{}**", title_or_name("", name)))
    }

    /// The printed form of a move, if it has words of its own.
    pub(super) fn said_form(self, template: Option<&Expr>) -> Option<String> {
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
        // How many of a thing its note tells.
        let is_count = |it: &Expr| matches!(it.kind, ExprKind::Call(..)) && it.ty == Type::Number;
        let form = parts.iter().enumerate().map(|(at, it)| match (it, parts.get(at + 1)) {
            (TextPart::Hole(hole), Some(TextPart::Words(gap)))
                if gap == " " && is_count(hole) && !self.book.keeps_names =>
            {
                String::new()
            }
            _ => part(it),
        });
        parts.iter().any(is_word).then(|| form.collect::<String>().replace("  ", " "))
    }

    /// What a move names, or when it is allowed.
    pub(super) fn clause(self, clause: &Clause, params: &[LocalId]) -> Option<String> {
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
        // A note that is a condition names nothing.
        if ["If ", "Only if "].iter().any(|it| text.starts_with(it)) {
            return Some(text);
        }
        // What a name stands for: `*c*: a colour for which …`.
        Some(format!("{}: {text}", self.label_of(local)))
    }

    /// What stands before the colon where a move names something.
    pub(super) fn label_of(self, local: LocalId) -> String {
        let name = self.phrase_local(local);
        if self.book.keeps_names || name == "you" {
            return name;
        }
        let bare = ["the ", "that ", "those "].iter().find_map(|it| name.strip_prefix(it));
        capitalised(bare.unwrap_or(&name))
    }

    fn phrase_asked(self, binder: &Binder) -> String {
        if let Some(part) = self.asked_part(binder) {
            return part;
        }
        self.phrase_range(binder) + &self.of_one(binder, self.phrase_filter(binder))
    }

    /// Subsets of which the least size is asked, or the same of each member: `1 to 3 cards of your hand, each of which is
    /// red`.
    fn asked_part(self, binder: &Binder) -> Option<String> {
        let ExprKind::Subsets(all, Some(SubsetBound { up_to, size })) = &binder.set.kind else {
            return None;
        };
        let (Type::Set(members) | Type::Subsets(members)) = &binder.set.ty else { return None };
        let (both, asked) = self.book.split_conditions(binder.condition.as_deref()?, true);
        let most = self.phrase_operand(size);
        if self.book.keeps_names || !both && asked.len() > 1 || most.contains(' ') {
            return None;
        }
        let (mut least, mut each) = (None, String::new());
        for (condition, yes) in asked {
            match self.book.least_size(condition, binder.local).filter(|_| yes && *up_to) {
                Some(number) => least = Some(number),
                None => each += &self.of_each_member(condition, binder.local).filter(|_| yes)?,
            }
        }
        let number = match least {
            Some(least) => format!("{least} to {most}"),
            None if *up_to => format!("up to {most}"),
            None => most,
        };
        let nouns = self.book.nouns(*members);
        Some(format!("{number} {nouns} of {}{each}", self.phrase_operand(all)))
    }

    /// What is asked of each member of a set: `, each of that metal`.
    fn of_each_member(self, condition: &Expr, set: LocalId) -> Option<String> {
        let ExprKind::Fold { word: FoldWord::All, binder, body } = &condition.kind else {
            return None;
        };
        let ([asked], None, true) = (body.as_slice(), &binder.condition, binder.set.is_local(set))
        else {
            return None;
        };
        let claim = self.phrase_condition(asked);
        let rest = claim.strip_prefix(&format!("{} ", self.phrase_local(binder.local)))?;
        Some(match rest.strip_prefix("is that ") {
            Some(kind) => format!(", each of that {kind}"),
            None => format!(", each of which {rest}"),
        })
    }

    /// Subsets of which only the size is asked: `any 3 cards of your hand`.
    pub(super) fn so_many(self, binder: &Binder) -> Option<String> {
        self.so_many_of(&binder.set, binder.condition.as_deref(), Some(binder.local))
    }

    /// The same of a set, and what is asked of the part that a local is.
    pub(super) fn so_many_of(
        self,
        set: &Expr,
        condition: Option<&Expr>,
        part: Option<LocalId>,
    ) -> Option<String> {
        let ExprKind::Subsets(all, size) = &set.kind else { return None };
        let (Type::Set(members) | Type::Subsets(members)) = &set.ty else { return None };
        let of = |any: &str, number: &Expr| {
            let (number, nouns) = (self.phrase_operand(number), self.book.nouns(*members));
            if number.contains(' ') && !self.book.keeps_names {
                let most = if any == "any" { "" } else { "at most " };
                return format!("{most}as many as {number}, out of {}", self.phrase_value(all));
            }
            let all = self.phrase_operand(all);
            if number == "1" && any == "any" {
                return format!("{any} {} of {all}", self.book.noun(*members));
            }
            format!("{any} {number} {nouns} of {all}")
        };
        if let Some(SubsetBound { up_to, size }) = size {
            return Some(of(if *up_to { "up to" } else { "any" }, size));
        }
        let ExprKind::Binary(BinaryOp::Equal, size, number) = &condition?.kind else {
            return None;
        };
        let ExprKind::Fold { word: FoldWord::Count, binder: counted, body } = &size.kind else {
            return None;
        };
        let is_part = counted.set.as_local().is_some() && counted.set.as_local() == part;
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
        let set = self.placed(&binder.set, self.book.before_filter(binder));
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
                    _ => self.book.out_of(&noun, &part(a)),
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
            _ => self.book.out_of(&noun, &set),
        }
    }
}

/// Whether the members of a set are written out.
fn is_listed(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::SetOf(items) => !items.is_empty(),
        ExprKind::Value(Value::Set(members)) => !members.is_empty(),
        _ => false,
    }
}

/// What the group of the option was given, which is no part of the option.
pub(super) fn group_arguments(option: &MoveOption) -> impl Iterator<Item = (LocalId, &Expr)> {
    let within = |span: Span| option.span.start <= span.start && span.end <= option.span.end;
    option.clauses.iter().filter_map(move |clause| match clause {
        Clause::Let(local, value) if !within(value.span) => Some((*local, value)),
        _ => None,
    })
}
