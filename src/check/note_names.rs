//! Splits a note into words, and finds the words by which it may mean what code names.
//!
//! Words are compared, nothing is understood: what names a part of the code in any of its words says it.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::rules::{
    Ambient, Array, Domain, Expr, ExprKind, KindId, PLAYER, Rule, RuleId, Rules, Stmt, StmtKind,
    Type, Value, VarForm, VarId,
};
use crate::syntax::number_words;

/// What a note says, and what the code is made of that it stands for.
pub(crate) struct NotedCode<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) budget: &'a Budget,
    pub(crate) rule: &'a Rule,
    pub(crate) said: &'a [String],
    /// Names that the note has for another reason.
    pub(crate) own: &'a [String],
    /// What the noted move names: a note has these words whatever is done with it.
    pub(crate) named: &'a [String],
    /// Variables that the file leaves undrawn, but that the book speaks of.
    pub(crate) kept: &'a BTreeSet<VarId>,
    /// Rules that have sections of their own in the book: a move has to lead to those that it follows.
    pub(crate) sections: &'a BTreeSet<RuleId>,
}

static NONE_KEPT: BTreeSet<VarId> = BTreeSet::new();
static NO_SECTIONS: BTreeSet<RuleId> = BTreeSet::new();

/// Words for what is nothing.
pub(super) const NOTHING: [&str; 8] =
    ["free", "empty", "no", "nobody", "none", "open", "without", "left"];

/// Words that tell nothing of a game.
pub(super) const IDLE: [&str; 51] = [
    "of", "the", "to", "an", "and", "or", "in", "on", "at", "is", "are", "it", "its", "by", "for",
    "from", "with", "that", "this", "you", "your", "their", "they", "them", "one", "as", "be",
    "all", "each", "who", "if", "then", "not", "no", "yes", "has", "have", "can", "may", "must",
    "there", "was", "were", "into", "than", "more", "so", "any", "other", "left", "do",
];

/// The words of notes, and of the name that stands above them.
pub(crate) fn words_said(name: &str, notes: &[String]) -> Vec<String> {
    notes
        .iter()
        .flat_map(|note| split_words(note))
        .chain(split_words(&name.replace('_', " ")))
        .collect()
}

impl<'a> NotedCode<'a> {
    pub(crate) fn of_rule(
        (rules, budget): (&'a Rules, &'a Budget),
        rule: &'a Rule,
        said: &'a [String],
    ) -> NotedCode<'a> {
        let (own, named) = (&[], &[]);
        NotedCode {
            rules,
            budget,
            rule,
            said,
            own,
            named,
            kept: &NONE_KEPT,
            sections: &NO_SECTIONS,
        }
    }

    /// Whether the note names what a value is computed from, or half of it.
    pub(crate) fn tells_value(&self, value: &Expr) -> bool {
        let (mut told, mut all) = (0, 0);
        value.visit_tree(&mut |part| {
            let named = match &part.kind {
                ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => self.names_of_var(*id),
                ExprKind::Call(id, _) => {
                    let rule = &self.rules.rules[id.index()];
                    vec![rule.name.replace('_', " "), rule.title.clone()]
                }
                _ => return,
            };
            let is_told =
                named.iter().flat_map(|it| split_words(it)).any(|word| self.note_says(&word));
            (told, all) = (told + usize::from(is_told), all + 1);
        });
        2 * told >= all
    }

    /// What an expression names by itself, for people: variables, rules, options.
    pub(super) fn names_of(&self, expr: &Expr) -> Vec<String> {
        let mut names = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            match &part.kind {
                ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => {
                    names.push(self.rules.vars[id.index()].name.clone());
                }
                ExprKind::Call(id, _) => names.push(self.rules.rules[id.index()].name.clone()),
                ExprKind::Ambient(Ambient::Players) => names.push("players".to_owned()),
                ExprKind::Option(id) => names.push(self.rules.options[id.index()].name.clone()),
                ExprKind::Column(kind, at, _) => {
                    names.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                _ => {}
            }
        });
        names.dedup();
        names
    }

    /// All words that an expression could be meant by.
    pub(super) fn words_of(&self, expr: &Expr) -> Vec<String> {
        let mut words = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            let ty = if let Type::Maybe(inner) = &part.ty { inner } else { &part.ty };
            let kind = match ty {
                Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
                _ => None,
            };
            if let Some(kind) = kind {
                words.extend(self.names_of_kind(kind));
            }
            match (&part.kind, &part.ty) {
                (ExprKind::Element(Array::Var(id) | Array::Pile(id), _), _) => {
                    words.extend(self.names_of_var(*id));
                }
                (ExprKind::Element(Array::Table(id), _), _) => {
                    let table = &self.rules.tables[id.index()];
                    words.extend([table.name.clone(), table.title.clone()]);
                }
                (ExprKind::Call(id, _), _) => {
                    let rule = &self.rules.rules[id.index()];
                    words.extend([rule.name.clone(), rule.title.clone()]);
                    words.extend(rule.notes.clone());
                }
                (ExprKind::Option(id), _) => {
                    let option = &self.rules.options[id.index()];
                    words.extend([option.name.clone(), option.title.clone(), "agreed".to_owned()]);
                }
                (ExprKind::Value(Value::None), _) => words.extend(NOTHING.map(str::to_owned)),
                (ExprKind::Constant(id), _) => {
                    words.push(self.rules.constants[id.index()].name.clone());
                }
                (ExprKind::Column(kind, at, _), _) => {
                    words.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                (ExprKind::Value(Value::Int(number)), Type::Kind(kind)) => {
                    words.extend(self.words_of_member(*kind, *number));
                }
                (ExprKind::Value(Value::Int(number)), Type::Number) => {
                    words.extend(number_words(*number));
                }
                (ExprKind::Ambient(Ambient::Players), _) => words.push("players".to_owned()),
                (ExprKind::Local(local), _) => {
                    words.push(self.rule.locals[local.index()].name.clone());
                }
                _ => {}
            }
        });
        words
    }

    pub(super) fn names_of_kind(&self, kind: KindId) -> Vec<String> {
        if kind == PLAYER {
            let players = "player you your opponent everybody nobody other who whoever";
            return players.split(' ').map(str::to_owned).collect();
        }
        let of = &self.rules.kinds[kind.index()];
        let mut names = vec![of.name.clone(), of.title.clone()];
        if of.is_board() {
            names.extend(
                ["field", "cell", "square", "place", "space", "row", "column"].map(str::to_owned),
            );
        }
        names
    }

    pub(super) fn names_of_var(&self, id: VarId) -> Vec<String> {
        let var = &self.rules.vars[id.index()];
        let mut names = vec![var.name.clone(), var.title.clone()];
        match var.form {
            VarForm::Die(_) => names.extend(["die", "dice"].map(str::to_owned)),
            VarForm::Pile(_) => names.push("card".to_owned()),
            _ => {}
        }
        names
    }

    pub(super) fn words_of_member(&self, kind: KindId, at: i64) -> Vec<String> {
        let members = &self.rules.kinds[kind.index()].members;
        let member = usize::try_from(at).ok().and_then(|at| members.get(at));
        member.map_or_else(Vec::new, |it| vec![it.name.clone(), it.title.clone()])
    }

    pub(super) fn note_says(&self, word: &str) -> bool {
        self.budget.charge(self.said.len());
        self.said.iter().any(|said| akin(word, said))
    }

    pub(super) fn says_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.said.iter().any(|said| said == word || akin(word, said)))
    }

    /// Statements whose effect the note has to tell: not those inside of decisions, whose moves are told.
    pub(super) fn visit(&self, block: &[Stmt], see: &mut dyn FnMut(&Stmt)) {
        for stmt in block.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Choose(_))) {
            self.budget.charge(1);
            see(stmt);
            stmt.blocks().into_iter().for_each(|inner| self.visit(inner, see));
        }
    }

    /// Whether the note has one of some words; stop words tell nothing.
    pub(super) fn tells(&self, words: &[String]) -> bool {
        let is_telling = |word: &String| !IDLE.contains(&word.as_str());
        let words: Vec<String> =
            words.iter().flat_map(|it| split_words(it)).filter(is_telling).collect();
        self.budget.charge(words.len() * self.said.len());
        let said = || self.said.iter().filter(|it| is_telling(it));
        words.is_empty() || words.iter().any(|word| said().any(|it| akin(word, it)))
    }

    /// Whether the note has a word of what an expression names.
    pub(super) fn is_mentioned(&self, part: &Expr) -> bool {
        let names = self.words_of(part);
        names.is_empty()
            || names.iter().flat_map(|name| split_words(name)).any(|word| self.note_says(&word))
    }
}

pub(super) fn quote_names(names: &[String]) -> Option<String> {
    let mut names: Vec<String> =
        names.iter().filter(|name| !name.is_empty()).map(|name| format!("`{name}`")).collect();
    names.truncate(3);
    (!names.is_empty()).then(|| names.join(", "))
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
