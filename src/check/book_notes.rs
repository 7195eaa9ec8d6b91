//! Finds notes that hide what their rule or move does: the rulebook prints the note and nothing of the statements.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::check::error;
use crate::check::note_gaps::{NotedCode, names_of_move, words_said};
use crate::diagnostic::Diagnostics;
use crate::rules::visit::{visit_block, visit_choices};
use crate::rules::{
    Array, Block, CardAction, CardSource, Domain, Expr, ExprKind, Rules, Stmt, StmtKind, Type,
    Value, VarForm, VarId,
};
use crate::source::Span;

/// Reports each note of a rule or a move that mentions nothing of what its statements change, and each of a rule
/// with a value that has none of its numbers.
pub(crate) fn notes_that_hide(rules: &Rules, budget: &Budget) -> Diagnostics {
    let mut found = Diagnostics::new();
    let mut seen = BTreeSet::new();
    for rule in &rules.rules {
        budget.turn_to(rule.span);
        let named = (&rule.name, rule.notes.as_slice(), rule.span);
        check_note(named, &mut found, |said| {
            let named = words_said(&rule.name, &rule.notes);
            let code = NotedCode { rules, budget, rule, said: &named, own: &[] };
            if rule.effects.is_pure() {
                let hides = unsaid_numbers(rules, &rule.body, said, budget).map(Hidden::All);
                hides.or_else(|| code.left_out_of_value(&rule.body).map(Hidden::Part))
            } else {
                let hides = unsaid_changes(rules, &rule.body, said, budget).map(Hidden::All);
                hides.or_else(|| code.left_out(&rule.body).map(Hidden::Part))
            }
        });
        visit_choices(&rule.body, &mut |choose| {
            // A group of moves is in each decision that includes it.
            for option in choose.options.iter().filter(|option| seen.insert(option.span)) {
                let start = option.span.start as usize;
                let head = Span::new(start, start + option.name.len());
                let named = (&option.name, option.notes.as_slice(), head);
                check_note(named, &mut found, |said| {
                    let named = words_said(&option.name, &option.notes);
                    let own = names_of_move(rules, option);
                    let code = NotedCode { rules, budget, rule, said: &named, own: &own };
                    let hides = unsaid_changes(rules, &option.body, said, budget).map(Hidden::All);
                    hides.or_else(|| code.left_out(&option.body).map(Hidden::Part))
                });
            }
        });
    }
    found
}

/// Reports a note for which `unsaid` finds something that its words leave out.
fn check_note(
    (name, notes, span): (&String, &[String], Span),
    found: &mut Diagnostics,
    unsaid: impl FnOnce(&[String]) -> Option<Hidden>,
) {
    let said: Vec<String> = notes.iter().flat_map(|note| split_words(note)).collect();
    if notes.is_empty() {
        return;
    }
    found.extend(unsaid(&said).map(|hidden| match hidden {
        Hidden::All(done) => error::note_hides(name, done, span),
        Hidden::Part(what) => error::note_leaves_out(name, what, span),
    }));
}

/// What a note hides: all that happens, or a part of it.
enum Hidden {
    All(String),
    Part(String),
}

/// What statements change, unless some of it is said.
fn unsaid_changes(rules: &Rules, body: &Block, said: &[String], budget: &Budget) -> Option<String> {
    let mut done = HiddenChanges { rules, budget, names: BTreeSet::new(), words: BTreeSet::new() };
    done.visit_block(body);
    budget.charge(said.len() * done.words.len());
    let is_said = |done: &String| said.iter().any(|word| akin(done, word));
    let names: Vec<String> = done.names.iter().map(|it| format!("`{it}`")).collect();
    (!names.is_empty() && !done.words.iter().any(is_said))
        .then(|| format!("changes {}", names.join(", ")))
}

/// Smaller numbers are mostly steps and limits of loops.
const LEAST_NUMBER: i64 = 10;

/// The numbers that a value is computed from, unless some number is said.
fn unsaid_numbers(rules: &Rules, body: &Block, said: &[String], budget: &Budget) -> Option<String> {
    let mut numbers = BTreeSet::new();
    visit_block(body, &mut |expr| {
        budget.charge(1);
        if let ExprKind::Value(Value::Int(number)) = expr.kind
            && expr.ty == Type::Number
            && number >= LEAST_NUMBER
        {
            numbers.insert(number);
        }
    });
    // The end of a range is a place: a bar, an edge, the last square.
    for end in rules.ranges.iter().flat_map(|range| [Some(&range.low), range.high.as_ref()]) {
        if let Some(Expr { kind: ExprKind::Value(Value::Int(number)), .. }) = end {
            numbers.remove(number);
        }
    }
    let is_number = |word: &String| {
        NUMBERS.contains(&word.as_str()) || word.contains(|letter: char| letter.is_ascii_digit())
    };
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    (!numbers.is_empty() && !said.iter().any(is_number))
        .then(|| format!("counts with {}", numbers.join(", ")))
}

const NUMBERS: [&str; 3] = ["ten", "eleven", "twelve"];

/// What statements change. The rules that they call have sections of their own.
struct HiddenChanges<'a> {
    rules: &'a Rules,
    budget: &'a Budget,
    names: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl HiddenChanges<'_> {
    fn visit_block(&mut self, block: &Block) {
        self.budget.charge(block.len());
        // The moves of a decision are in the book by themselves.
        for stmt in block.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Choose(_))) {
            self.visit_stmt(stmt);
            stmt.blocks().into_iter().for_each(|inner| self.visit_block(inner));
        }
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        stmt.changed_places().iter().for_each(|place| self.visit_place(place));
        match &stmt.kind {
            StmtKind::Reset(targets) => {
                targets.iter().for_each(|target| self.visit_var(target.var));
            }
            StmtKind::Cards(action) => self.visit_cards(action),
            StmtKind::FinishDraw
            | StmtKind::FinishWin(_)
            | StmtKind::FinishRanking { .. }
            | StmtKind::FinishAll { .. }
            | StmtKind::FinishTogether(_) => {
                self.names.insert("finish".to_owned());
                let words = ["game", "end", "over", "win", "lose", "draw", "tie", "most", "best"];
                self.words.extend(words.map(str::to_owned));
            }
            _ => {}
        }
    }

    fn visit_cards(&mut self, action: &CardAction) {
        match action {
            CardAction::Move { what, to, .. } => {
                self.visit_place(to);
                match what {
                    CardSource::One(of) | CardSource::Set(of) | CardSource::Pile(of) => {
                        self.visit_place(of);
                    }
                    CardSource::End(end) => self.visit_place(&end.pile),
                }
                self.words.insert("card".to_owned());
            }
            CardAction::Shuffle(pile) => {
                self.visit_place(pile);
                self.words.insert("shuffle".to_owned());
            }
            CardAction::Learn { .. } => {}
        }
    }

    fn visit_place(&mut self, place: &Expr) {
        let ExprKind::Element(Array::Var(id) | Array::Pile(id), of) = &place.kind else { return };
        self.visit_var(*id);
        // `2 fish` are goods.
        for index in of {
            if let (ExprKind::Value(Value::Int(at)), Type::Kind(kind)) = (&index.kind, &index.ty)
                && let Some(good) = usize::try_from(*at)
                    .ok()
                    .and_then(|at| self.rules.kinds[kind.index()].members.get(at))
            {
                self.words.extend(split_words(&good.name).chain(split_words(&good.title)));
            }
        }
    }

    fn visit_var(&mut self, id: VarId) {
        let var = &self.rules.vars[id.index()];
        if var.undrawn {
            return;
        }
        self.names.insert(var.name.clone());
        self.words.extend(split_words(&var.name).chain(split_words(&var.title)));
        if let VarForm::Die(_) = var.form {
            self.words.extend(["roll", "die", "dice", "throw"].map(str::to_owned));
        }
        let held = match &var.ty {
            Type::Maybe(inner) => inner,
            ty => ty,
        };
        if let Type::Kind(kind) | Type::Set(Domain::Kind(kind)) = held {
            let kind = &self.rules.kinds[kind.index()];
            self.words.extend(split_words(&kind.name).chain(split_words(&kind.title)));
        }
    }
}

pub(crate) fn split_words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| word.len() > 1 || word.starts_with(|it: char| it.is_ascii_digit()))
        .map(str::to_lowercase)
}

/// Words of which one is a form of the other, though they begin less alike.
const FORMS: [(&str, &str); 7] = [
    ("man", "men"),
    ("die", "dice"),
    ("pay", "paid"),
    ("lay", "laid"),
    ("say", "said"),
    ("score", "point"),
    ("score", "points"),
];

/// Whether two words differ at most in how they end: `discard` and `discards`, `take` and `taken`.
pub(crate) fn akin(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() > b.len() { (b, a) } else { (a, b) };
    let same = short.chars().zip(long.chars()).take_while(|(a, b)| a == b).count();
    let length = short.chars().count();
    same >= 2 && same == length
        || same >= 3 && same + 1 == length
        || FORMS.iter().any(|forms| *forms == (a, b) || *forms == (b, a))
}
