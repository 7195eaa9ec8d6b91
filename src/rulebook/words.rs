//! Names in English: locals, variables with their owners, what something goes through.

use std::collections::BTreeSet;

use crate::check::note_names::NotedCode;
use crate::rulebook::english::{does, is, is_noun, join_words, one, paragraph, plural, quote_code};
use crate::rulebook::naming::{LocalWord, address, address_of_locals, owner_of};
use crate::rulebook::values::describe_reversal;
use crate::rulebook::{Book, has_own_title, title_or_name};
use crate::rules::print::written_params;
use crate::rules::visit::{visit_choices, visit_stmts};
use crate::rules::{
    BinaryOp, Binder, Domain, Expr, ExprKind, Local, LocalId, PLAYER, Rule, StmtKind, Type,
    UnaryOp, Var, VarForm, VarId,
};
use crate::source::Span;
use crate::syntax::Tightness;
use crate::syntax::ast::Owner;

/// Words, and how tight they hold together: in a tighter place they stand in parentheses.
pub(super) type TightPhrase = (String, Tightness);

/// Puts the expressions of one rule into words.
#[derive(Clone, Copy)]
pub(super) struct Phraser<'a> {
    pub(super) book: &'a Book<'a>,
    /// The rule, unless what is told stands in none.
    pub(super) rule: Option<&'a Rule>,
    pub(super) locals: &'a [Local],
    /// The player who is spoken to.
    pub(super) you: Option<LocalId>,
    /// What the locals are called at a table.
    pub(super) called: &'a [LocalWord<'a>],
}

/// Puts the statements of one rule into steps.
#[derive(Clone, Copy)]
pub(super) struct StepPhraser<'a> {
    pub(super) book: &'a Book<'a>,
    /// The words of the expressions in them.
    pub(super) words: Phraser<'a>,
    /// Whether the steps tell who begins.
    pub(super) tells_first: bool,
    /// The statements that are told, if not all are.
    pub(super) only: Option<&'a BTreeSet<Span>>,
}

impl Book<'_> {
    /// A variable that the book speaks of: what it is set to must be there, too.
    pub(super) fn mentioned_var(&self, id: VarId) -> &Var {
        let var = &self.rules.vars[id.index()];
        if var.undrawn && Some(id) != self.rules.turns_had {
            self.mentioned.borrow_mut().insert(id);
        }
        var
    }

    /// What a variable that only says where a piece is, as in `at: Cell`, is called.
    pub(super) fn place_of_piece(&self, var: &Var) -> Option<String> {
        let ty = if let Type::Maybe(inner) = &var.ty { inner } else { &var.ty };
        let Type::Kind(kind) = *ty else { return None };
        let is_bare = !has_own_title(&var.title, &var.name)
            && ["at", "in", "on", "pos"].contains(&&*var.name);
        (is_bare && self.lookup_kind(kind).is_board()).then(|| self.noun(Domain::Kind(kind)))
    }

    pub(super) fn quote_source(&self, span: Span) -> String {
        quote_code(&self.source(span))
    }

    /// The note above a statement or a clause that begins at a place, if there is one.
    pub(super) fn note_at(&self, span: Span) -> Option<String> {
        let note = paragraph(self.rules.notes_inside.get(&span.start)?);
        (!note.is_empty()).then_some(note)
    }

    /// The code that a note of a rule stands for.
    pub(super) fn noted_code<'s>(&'s self, rule: &'s Rule, said: &'s [String]) -> NotedCode<'s> {
        let Book { rules, budget, ends_read: kept, .. } = self;
        NotedCode { kept, ..NotedCode::of_rule((rules, budget), rule, said) }
    }

    /// A phrase that the budget pays for.
    pub(super) fn charged(&self, write: impl FnOnce() -> TightPhrase) -> TightPhrase {
        if !self.has_room(0) {
            return (String::new(), Tightness::Operand);
        }
        let phrase = write();
        self.has_room(phrase.0.len());
        phrase
    }

    pub(super) fn is_filtered(&self, binder: &Binder) -> bool {
        binder.condition.as_ref().is_some_and(|it| self.truth(it) != Some(true))
    }

    /// The place of a set that ` for which …` may follow.
    pub(super) fn before_filter(&self, binder: &Binder) -> Tightness {
        if self.is_filtered(binder) { Tightness::Sets } else { Tightness::Open }
    }
}

impl<'a> Phraser<'a> {
    /// The words of a rule. Who is called `me`, or else decides alone in it, is spoken to.
    pub(super) fn for_rule(book: &'a Book<'a>, rule: &'a Rule) -> Phraser<'a> {
        book.budget.turn_to(rule.span);
        let called = book.local_words.get(&address(rule)).map_or(&[] as &[_], Vec::as_slice);
        let (rule, you, locals) = (Some(rule), book.whom_it_speaks_to(rule), &rule.locals);
        Phraser { rule, you, called, ..Phraser::for_locals(book, locals) }
    }

    /// Words for what stands in no rule.
    pub(super) fn for_locals(book: &'a Book<'a>, locals: &'a [Local]) -> Phraser<'a> {
        let called = book.local_words.get(&address_of_locals(locals));
        let called = called.map_or(&[] as &[_], Vec::as_slice);
        Phraser { book, rule: None, locals, you: None, called }
    }

    /// Words for the first value of a variable. Whose variable it is, is spoken to.
    pub(super) fn for_first_value(book: &'a Book<'a>, var: &'a Var) -> Phraser<'a> {
        Phraser { you: owner_of(var), ..Phraser::for_locals(book, &var.init.locals) }
    }

    pub(super) fn phrase_local(self, local: LocalId) -> String {
        if self.you == Some(local) {
            return "you".to_owned();
        }
        if self.book.keeps_names {
            let name = self.locals.get(local.index()).map_or("it", |local| local.name.as_str());
            return format!("*{}*", title_or_name("", name));
        }
        match self.called.get(local.index()) {
            Some(LocalWord::Called { name, .. }) => name.clone(),
            Some(LocalWord::Noted(note)) => note.clone(),
            Some(LocalWord::Answer(of)) if of.is_empty() => "the answer".to_owned(),
            Some(LocalWord::Answer(of)) => format!("the answer of **{of}**"),
            Some(LocalWord::Equal(value)) => self.phrase_operand(value),
            None => format!("that {}", self.noun_of(local)),
        }
    }

    /// What a `let` stands for, where it needs no name.
    pub(super) fn meaning_of(self, local: LocalId) -> Option<&'a Expr> {
        match self.called.get(local.index()) {
            Some(LocalWord::Equal(value)) if !self.book.keeps_names => Some(value),
            _ => None,
        }
    }

    /// Whether a local has a name of its own.
    pub(super) fn is_named(self, local: LocalId) -> bool {
        let word = self.called.get(local.index());
        self.book.keeps_names
            || matches!(word, Some(LocalWord::Called { own: true, .. } | LocalWord::Answer(_)))
    }

    /// What follows the noun that introduces a local: its name, if it has one of its own.
    pub(super) fn phrase_introduced(self, local: LocalId) -> String {
        let name = self.phrase_local(local);
        match self.called.get(local.index()) {
            _ if name == "you" => " in turn".to_owned(),
            _ if self.book.keeps_names => format!(" {name}"),
            Some(LocalWord::Called { own: true, .. } | LocalWord::Answer(_)) => {
                format!(" ({name})")
            }
            _ => String::new(),
        }
    }

    /// The parameters of a rule: `*p*, *n*`.
    pub(super) fn params(self, rule: &Rule) -> String {
        let mut at = 0;
        let params = written_params(self.book.rules, rule).into_iter().map(|param| {
            let local = LocalId::at(at);
            let goods = param.bag.map(|kind| self.book.lookup_kind(kind).own_members().len());
            at += goods.unwrap_or(1);
            if goods.is_some() {
                format!("*{}*", title_or_name("", &param.name))
            } else {
                self.phrase_local(local)
            }
        });
        join_words(params, ", ")
    }

    /// A variable with its indices: `your coins`, `the shop for dear`.
    pub(super) fn phrase_var(self, id: VarId, of: &[Expr]) -> String {
        let var = self.book.mentioned_var(id);
        let mut name = title_or_name(&var.title, &var.name);
        if let Some(place) = self.book.place_of_piece(var) {
            name = place;
        }
        // `built` only says what was done with the cards.
        let is_done = name.ends_with("ed") || ["built", "won", "lost"].contains(&&*name);
        if is_done && matches!(var.form, VarForm::Pile(_)) {
            name.push_str(" cards");
        }
        if matches!(var.form, VarForm::Die(_)) && !name.contains("die") && !name.contains("dice") {
            name.push_str(" die");
        }
        let (owner, of) = match var.owner {
            Owner::Player => (of.first(), of.get(1..).unwrap_or_default()),
            Owner::Table => (None, of),
        };
        let is_board = |kind| self.book.lookup_kind(kind).is_board();
        let is_cell = |index: &Expr| matches!(index.ty, Type::Kind(kind) if is_board(kind));
        let word = if of.iter().any(is_cell) { "on" } else { "for" };
        let is_number = |index: &Expr| index.ty == Type::Number;
        if matches!(var.form, VarForm::Die(_)) && owner.is_none() && of.iter().any(is_number) {
            return format!("{name} {}", self.operands(of));
        }
        let behind = self.indices(word, of);
        if !is_noun(&name) || var.ty == Type::Bool {
            name = format!("*{name}*");
        }
        let name = match owner.map(|owner| self.phrase_operand(owner)).as_deref() {
            Some("you") => format!("your {name}"),
            Some(owner) => format!("the {name} of {owner}"),
            None if var.owner == Owner::Player => format!("the {name} of all players"),
            None if var.ty == Type::Bool => name,
            None => format!("the {name}"),
        };
        name + &behind
    }

    /// The indices of an element: ` for dear`.
    pub(super) fn indices(self, word: &str, of: &[Expr]) -> String {
        if of.is_empty() { String::new() } else { format!(" {word} {}", self.operands(of)) }
    }

    /// A variable that is yes or no, as a property: `you are *safe*`; `how` follows `is`.
    pub(super) fn marked(self, id: VarId, of: &[Expr], how: &str) -> String {
        let var = self.book.mentioned_var(id);
        let name = title_or_name(&var.title, &var.name);
        let verb = name.strip_suffix('s').filter(|it| !it.contains(' ') && !it.ends_with('s'));
        match (var.owner, of) {
            (Owner::Player, [owner]) if let Some(verb) = verb => {
                match (self.phrase_operand(owner).as_str(), how) {
                    (who, " not") => format!("{} not *{verb}*", does(who, "do")),
                    ("you", how) => format!("you{how} *{verb}*"),
                    (who, how) => format!("{who}{how} *{name}*"),
                }
            }
            (Owner::Player, [owner]) => {
                format!("{}{how} *{name}*", is(&self.phrase_operand(owner)))
            }
            (Owner::Table, []) if how == " not" => format!("not *{name}*"),
            (Owner::Table, []) => format!("*{name}*{how} holds"),
            _ => format!("{} is{how} marked", self.phrase_var(id, of)),
        }
    }

    /// What something goes through: `each colour *c* for which …`.
    pub(super) fn phrase_each(self, binder: &Binder, word: &str) -> String {
        if let ExprKind::Backwards(set) = &binder.set.kind {
            let forwards = Binder { set: set.clone(), ..binder.clone() };
            return format!("{}{}", self.phrase_each(&forwards, word), describe_reversal(set));
        }
        if let ExprKind::From(whole, first) = &binder.set.kind
            && let Some(others) = self.others_from(whole, first, binder)
        {
            return format!("{word} {others}");
        }
        if let ExprKind::From(whole, first) = &binder.set.kind {
            let all = Binder { set: whole.clone(), ..binder.clone() };
            return self.phrase_each(&all, word) + &self.phrase_start(first, binder);
        }
        if let Some(members) = self.listed_members(binder) {
            return self.phrase_over(&members, word);
        }
        self.phrase_over(binder, word) + &self.of_one(binder, self.phrase_filter(binder))
    }

    /// With whom a loop begins. Of some players only that one may be none.
    pub(super) fn phrase_start(self, first: &Expr, binder: &Binder) -> String {
        match self.placed(first, Tightness::Open).as_str() {
            "you" if self.listed_members(binder).is_some() => ", going round from you".to_owned(),
            first => format!(", beginning with {first}"),
        }
    }

    /// `p in Player where p in winners` goes through the winners.
    fn listed_members(self, binder: &Binder) -> Option<Binder> {
        let ExprKind::Binary(BinaryOp::In, member, set) = &binder.condition.as_ref()?.kind else {
            return None;
        };
        let whole = binder.set.in_any_order();
        let is_all = matches!(whole.kind, ExprKind::Whole(_)) && member.is_local(binder.local);
        let is_set = matches!(set.ty, Type::Set(_)) && !set.reads_local(binder.local);
        (is_all && is_set && !self.book.keeps_names).then(|| Binder {
            set: set.clone(),
            condition: None,
            ..binder.clone()
        })
    }

    /// All players but the one with whom a loop begins, in their order.
    pub(super) fn others_from(self, whole: &Expr, first: &Expr, binder: &Binder) -> Option<String> {
        let same = |of: &Expr| self.phrase_value(of) == self.phrase_value(first);
        let is_it = |of: &Expr| of.is_local(binder.local);
        let is_first = |asked: &Expr| match &asked.kind {
            ExprKind::Binary(BinaryOp::Equal, a, b) => is_it(a) && same(b) || is_it(b) && same(a),
            _ => false,
        };
        let is_other = match &binder.condition.as_ref()?.kind {
            ExprKind::Unary(UnaryOp::Not, asked) => is_first(asked),
            ExprKind::Binary(BinaryOp::In, member, set) => {
                is_it(member)
                    && matches!(&set.kind, ExprKind::Unary(UnaryOp::Others, of) if same(of))
            }
            _ => false,
        };
        let all = matches!(whole.kind, ExprKind::Whole(Domain::Kind(PLAYER)));
        let local = self.phrase_introduced(binder.local);
        (is_other && all && !self.book.keeps_names).then(|| {
            match self.phrase_value(first).as_str() {
                "you" => format!("other player{local}, beginning on your left"),
                first => format!("player{local} but {first}, beginning on their left"),
            }
        })
    }

    /// What something goes through, whatever is asked of it: `each colour *c*`.
    pub(super) fn phrase_over(self, binder: &Binder, word: &str) -> String {
        let (local, noun) = (self.phrase_introduced(binder.local), self.noun_of(binder.local));
        let whole = match &binder.set.kind {
            ExprKind::From(whole, _) => whole,
            _ => &binder.set,
        };
        let set = match &whole.kind {
            ExprKind::SetOf(_) | ExprKind::Value(_) if !self.book.is_filtered(binder) => {
                self.phrase_value(whole)
            }
            _ => self.placed(whole, self.book.before_filter(binder)),
        };
        let other = set == "the other players";
        let noun_phrase = match word {
            "a" if other => "another player".to_owned(),
            "a" => one(&noun),
            _ if other => format!("{word} other player"),
            _ => format!("{word} {noun}"),
        };
        match &whole.kind {
            ExprKind::Whole(_) => format!("{noun_phrase}{local}"),
            ExprKind::Interval(..) => format!("{noun_phrase}{local} from {set}"),
            _ if other || set == format!("all {}", plural(&noun)) => {
                format!("{noun_phrase}{local}")
            }
            _ if word == "each" && set == format!("those {}", plural(&noun)) => {
                format!("each of {set}{local}")
            }
            _ if !self.book.keeps_names && names_many(&set, &noun) => {
                let the = if set.starts_with('*') { "the " } else { "" };
                format!("{} of {the}{set}{local}", if word == "a" { "one" } else { word })
            }
            _ => match set.strip_prefix("(whoever ").and_then(|it| it.strip_suffix(')')) {
                Some(has) if word == "each" && local.is_empty() => format!("whoever {has}"),
                _ => format!("{noun_phrase}{local} in {set}"),
            },
        }
    }

    /// What a binder asks for: ` for which …`, or nothing.
    pub(super) fn phrase_filter(self, binder: &Binder) -> String {
        self.phrase_conditions(binder, binder.condition.iter().map(|it| (it.as_ref(), true)))
    }

    /// What a local is: `colour`, `number`.
    pub(super) fn noun_of(self, local: LocalId) -> String {
        let local = self.locals.get(local.index());
        local.map_or_else(|| "value".to_owned(), |local| self.book.noun_of_type(&local.ty))
    }

    /// Whether a `let` needs no step: its meaning stands wherever it is named.
    pub(super) fn is_unnamed(self, local: LocalId) -> bool {
        let word = self.called.get(local.index());
        !self.book.keeps_names && matches!(word, Some(LocalWord::Noted(_) | LocalWord::Equal(_)))
    }
}

impl<'a> StepPhraser<'a> {
    pub(super) fn for_rule(book: &'a Book<'a>, rule: &'a Rule) -> StepPhraser<'a> {
        StepPhraser::new(Phraser::for_rule(book, rule))
    }

    /// Tells all statements.
    pub(super) fn new(words: Phraser<'a>) -> StepPhraser<'a> {
        StepPhraser { book: words.book, words, tells_first: true, only: None }
    }
}

/// Whether a set is called by what its members are: `the players who …`, `*players with discs*`.
pub(super) fn names_many(set: &str, noun: &str) -> bool {
    let bare = set.strip_prefix("the ").or(set.strip_prefix('*'));
    bare.is_some_and(|it| it.starts_with(&plural(noun)))
}

/// Who is called `me` in a rule, or else decides alone in it.
pub(super) fn spoken_to(rule: &Rule) -> Option<LocalId> {
    let is_me = |local: &Local| local.name == "me" && local.ty == Type::Kind(PLAYER);
    let me = rule.locals.iter().position(is_me);
    me.map(LocalId::at).or_else(|| only_chooser(rule))
}

/// The local that all decisions of a rule ask, if it is one.
fn only_chooser(rule: &Rule) -> Option<LocalId> {
    let mut asked: Vec<Option<LocalId>> = Vec::new();
    let local = |expr: &Expr| match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    };
    visit_choices(&rule.body, &mut |choose| asked.push(local(&choose.chooser)));
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::Let(_, value) | StmtKind::Assign(_, value) = &stmt.kind
            && let ExprKind::Pick(pick) = &value.kind
        {
            asked.push(local(&pick.chooser));
        }
    });
    let first = asked.first().copied().flatten()?;
    asked.iter().all(|other| *other == Some(first)).then_some(first)
}
