//! Phrases comparisons and membership as claims.

use crate::rulebook::conditions::{listing, not};
use crate::rulebook::english::{
    does, is, is_many, is_noun, is_superlative, is_title, join_list, one,
};
use crate::rulebook::naming::LocalWord;
use crate::rulebook::results::of_them;
use crate::rulebook::words::{Phraser, TightPhrase};
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    Ambient, Array, Domain, Expr, ExprKind, Kind, KindShape, PLAYER, Type, Value, Var, VarForm,
};
use crate::syntax::Tightness;
use crate::syntax::ast::{FoldWord, Owner};

/// What a variable is called that says whose a cell is.
const OWNERS: [&str; 4] = ["owner", "holder", "ruler", "lord"];

impl Book<'_> {
    /// Whether a number is more than one at first, however many play.
    fn begins_with_several(&self, var: &Var) -> bool {
        let is_several =
            |known| matches!(self.under(known, &var.init.value), Some(Value::Int(2..)));
        self.known.iter().all(is_several)
    }

    /// Whether there is anything: `there is a card`, `there is no hue of that route`.
    pub(super) fn phrase_existence(&self, thing: &str, yes: bool) -> String {
        let bare = ["the ", "that "].iter().find_map(|it| thing.strip_prefix(it));
        match bare {
            Some(bare) if yes && !self.keeps_names && !is_many(thing) => {
                format!("there is {}", one(bare))
            }
            _ => format!("there is{} {}", if yes { "" } else { " no" }, bare.unwrap_or(thing)),
        }
    }

    /// The letter of a column of a board: `the column of that cell is i`.
    fn column_letter(&self, column: &Expr, number: &Expr) -> Option<char> {
        let ExprKind::Column(kind, at, _) = &column.kind else { return None };
        let kind = self.lookup_kind(*kind);
        let has_letters = kind.as_board()?.cell_layout().column_count().is_some();
        let Value::Int(number) = self.known_value(number)? else { return None };
        let number = u8::try_from(number).ok().filter(|it| (1..=26).contains(it))?;
        (has_letters && kind.columns[*at].name == "column" && !self.keeps_names)
            .then(|| char::from(b'a' + number - 1))
    }
}

impl Phraser<'_> {
    pub(super) fn phrase_equality(self, a: &Expr, b: &Expr, yes: bool) -> TightPhrase {
        let is_none = |expr: &Expr| matches!(expr.kind, ExprKind::Value(Value::None));
        let is_empty = |expr: &Expr| match &expr.kind {
            ExprKind::SetOf(items) | ExprKind::ListOf(items) => items.is_empty(),
            ExprKind::Value(Value::Set(members) | Value::List(members)) => members.is_empty(),
            _ => false,
        };
        let (a, b) = if is_none(a) || is_empty(a) { (b, a) } else { (a, b) };
        if a.ty == Type::Bool {
            if let Some(truth) = self.book.truth(b) {
                return self.budgeted_claim(a, truth == yes);
            }
            let side = |of| self.claim_in_place(of, true, Tightness::Comparison);
            let exactly = if yes { "exactly if" } else { "or else" };
            return (format!("{} {exactly} {}", side(a), side(b)), Tightness::Open);
        }
        let not = not(yes);
        if let Some(text) = self.phrase_difference(a, b, yes) {
            return (text, Tightness::Comparison);
        }
        let is_face = |of: &Expr| match &of.kind {
            ExprKind::Column(kind, 0, _) => {
                matches!(self.book.lookup_kind(*kind).shape, KindShape::Cards(_))
            }
            _ => false,
        };
        let text = if is_face(a) && is_face(b) {
            let faces = if yes { "the same face" } else { "different faces" };
            format!("{} and {} have {faces}", self.phrase_operand(a), self.phrase_operand(b))
        } else if let Some(text) = self.phrase_few(a, b, not.trim()) {
            text
        } else if matches!(a.kind, ExprKind::Ambient(Ambient::Players)) {
            let (are, players) = self.headcount(b);
            format!("there {are}{not} {players}")
        } else {
            let thing = self.placed(a, Tightness::Sets);
            let lies_empty =
                matches!(a.kind, ExprKind::Element(Array::Var(_) | Array::Table(_), ..));
            if is_none(b)
                && let Some(text) = self.phrase_had(a, !yes)
            {
                text
            } else if self.book.is_owner_of_cell(a) && !is_none(b) {
                let verb = if yes { "belongs" } else { "does not belong" };
                let thing = self.owned_cell(a).unwrap_or(thing);
                format!("{thing} {verb} to {}", self.placed(b, Tightness::Sets))
            } else if is_empty(b)
                && self.is_described(a)
                && let Some(members) = self.phrase_value(a).strip_prefix("the ")
            {
                format!("there are{} {members}", if yes { " no" } else { "" })
            } else if is_empty(b) || is_none(b) && lies_empty {
                format!("{}{not} empty", is(&thing))
            } else if is_none(b) {
                self.book.phrase_existence(&thing, !yes)
            } else {
                self.phrase_sameness(a, b, not)
            }
        };
        (text, Tightness::Comparison)
    }

    /// That one value is the other: `you are the bidder`, `your cards are as many as *their cards*`.
    fn phrase_sameness(self, a: &Expr, b: &Expr, not: &str) -> String {
        let [thing, other] = [a, b].map(|it| self.placed(it, Tightness::Sets));
        let is_counted = |text: &str| {
            is_many(&format!("the {}", text.trim_start_matches("the ").replace('*', "")))
        };
        // What a cell holds is no title of a player.
        let is_bare = match &a.kind {
            ExprKind::Element(Array::Var(_), of) => of.is_empty(),
            _ => true,
        };
        let is_title = |name: &&str| is_title(name) && is_bare && !self.book.keeps_names;
        let title = thing.strip_prefix("the ").filter(is_title);
        match title {
            // A title that somebody has is no person.
            Some(title) if other == "you" && is_superlative(title) => {
                let have = if not.is_empty() { "have" } else { "do not have" };
                format!("you {have} {thing}")
            }
            Some(_) if other == "you" => format!("you are{not} {thing}"),
            Some(_) if other.starts_with('*') && is_counted(&thing) && is_counted(&other) => {
                format!("{}{not} as many as {other}", is(&thing))
            }
            _ => format!("{}{not} {other}", is(&thing)),
        }
    }

    /// The cell of which a variable says who has it.
    fn owned_cell(self, owner: &Expr) -> Option<String> {
        let ExprKind::Element(Array::Var(id), _) = owner.kind else { return None };
        let var = &self.book.rules.vars[id.index()];
        let name = title_or_name(&var.title, &var.name);
        let says_owner = OWNERS.iter().any(|it| name.contains(it)) && !self.book.keeps_names;
        says_owner.then(|| self.cell_of(owner))?
    }

    /// A comparison in other words than that one is the other: `all players have the most coins`.
    fn phrase_difference(self, a: &Expr, b: &Expr, yes: bool) -> Option<String> {
        if let Some(column) = self.book.column_letter(a, b) {
            return Some(format!("{}{} {column}", is(&self.placed(a, Tightness::Sets)), not(yes)));
        }
        let is_all = matches!(b.kind, ExprKind::Whole(_)) && yes;
        let most = is_all.then(|| self.phrase_value(a))?;
        let most = most.strip_prefix("whoever has ")?;
        Some(format!("all players have {}", of_them(most, "that player")))
    }

    /// Whether a set is told by what its members are.
    fn is_described(self, set: &Expr) -> bool {
        let is_filter = |set: &Expr| matches!(set.kind, ExprKind::Filter(_));
        match &set.kind {
            ExprKind::Local(local) => match self.called.get(local.index()) {
                Some(LocalWord::Noted(_)) => true,
                Some(LocalWord::Equal(value)) => is_filter(value),
                _ => false,
            },
            _ => is_filter(set),
        }
    }

    /// `there is a bidder`, `you have no guest`: a variable that has a value, or none. Nothing for arrays, and for
    /// names that are no nouns.
    fn phrase_had(self, var: &Expr, yes: bool) -> Option<String> {
        let ExprKind::Element(Array::Var(id), of) = &var.kind else { return None };
        let var = self.book.mentioned_var(*id);
        let name = title_or_name(&var.title, &var.name);
        if !var.dims.is_empty() || !is_noun(&format!("{name} ")) {
            return None;
        }
        let what = if yes { one(&name) } else { format!("no {name}") };
        Some(match of.first().map(|owner| self.phrase_operand(owner)).as_deref() {
            None => format!("there is {what}"),
            Some("you") => format!("you have {what}"),
            Some(owner) => format!("{owner} has {what}"),
        })
    }

    /// `a < b`, or `a <= b` where it is not strict, the way round that it is written.
    pub(super) fn phrase_order(self, a: &Expr, b: &Expr, yes: bool, strict: bool) -> String {
        let turned = a.span.start > b.span.start;
        let (left, right) = if turned { (b, a) } else { (a, b) };
        let members = matches!(a.ty, Type::Kind(_) | Type::List(..));
        let words = match (turned != yes, strict == yes, members) {
            (true, true, false) => "less than",
            (true, false, false) => "at most",
            (false, true, false) => "more than",
            (false, false, false) => "at least",
            (true, true, true) => "before",
            (true, false, true) => "not after",
            (false, true, true) => "after",
            (false, false, true) => "not before",
        };
        if matches!(left.kind, ExprKind::Ambient(Ambient::Players)) {
            let (are, players) = self.headcount(right);
            return format!("there {are} {words} {players}");
        }
        let counted =
            || self.phrase_few(left, right, words).or(self.phrase_count_in(left, right, words));
        let taken = || self.phrase_turns_taken(left, right, words);
        if let Some(text) =
            taken().or_else(|| self.phrase_left(left, right, words)).or_else(counted)
        {
            return text;
        }
        let side = |of| self.placed(of, Tightness::Sum);
        format!("{} {words} {}", is(&side(left)), side(right))
    }

    /// `you have had no turn in this round`.
    fn phrase_turns_taken(self, left: &Expr, right: &Expr, words: &str) -> Option<String> {
        let ExprKind::Element(Array::Var(id), of) = &left.kind else { return None };
        let own = Some(*id) == self.book.rules.turns_had && !self.book.keeps_names;
        let who = of.first().filter(|_| own)?;
        let had = format!("{} had", does(&self.phrase_operand(who), "have"));
        let number = self.placed(right, Tightness::Sum);
        Some(match (words, number.as_str()) {
            ("less than", "1") | ("at most", "0") => format!("{had} no turn in this round"),
            ("less than", number) => format!("{had} fewer than {number} turns"),
            (words, "1") => format!("{had} {words} 1 turn"),
            (words, number) => format!("{had} {words} {number} turns"),
        })
    }

    /// `there is no card in your hand`: a count that is 0, or is not.
    fn phrase_few(self, count: &Expr, number: &Expr, words: &str) -> Option<String> {
        let Value::Int(number @ (0 | 1)) = self.book.known_value(number)? else { return None };
        let ExprKind::Fold { word, binder, body } = &count.kind else { return None };
        let inner = match &binder.set.kind {
            ExprKind::Filter(inner) if body.is_empty() && binder.condition.is_none() => inner,
            _ => binder,
        };
        let any = match (words, number) {
            ("more than" | "not", 0) | ("at least", 1) => true,
            ("at most" | "", 0) | ("less than", 1) => false,
            _ => return None,
        };
        if self.book.keeps_names {
            return None;
        }
        if *word == FoldWord::Sum {
            self.counted_goods(binder, body)?;
            let goods = self.goods(body.first()?, binder.local)?;
            return Some(format!("{}{} empty", is(&goods), not(!any)));
        }
        (*word == FoldWord::Count).then(|| self.phrase_quantifier(FoldWord::Any, inner, body, any))
    }

    /// `there are fewer than 3 cards in your hand`.
    fn phrase_count_in(self, count: &Expr, number: &Expr, words: &str) -> Option<String> {
        let ExprKind::Fold { word: FoldWord::Count, binder, body } = &count.kind else {
            return None;
        };
        let is_pile = matches!(binder.set.ty, Type::Set(Domain::Kind(kind)) if kind != PLAYER);
        let is_plain = is_pile && body.is_empty() && binder.condition.is_none();
        let things = self.phrase_value(count);
        let things = things.strip_prefix("the number of ")?;
        let words = if words == "less than" { "fewer than" } else { words };
        let number = self.placed(number, Tightness::Sum);
        let is_told = is_plain && number.parse::<u32>().is_ok_and(|it| it > 1);
        (is_told && !self.book.keeps_names).then(|| match things.strip_prefix("your ") {
            Some(things) => format!("you have {words} {number} {things}"),
            None => format!("there are {words} {number} {things}"),
        })
    }

    /// `you have walls left`: of what players have several at first.
    fn phrase_left(self, left: &Expr, right: &Expr, words: &str) -> Option<String> {
        let any = match (words, self.book.known_value(right)?) {
            ("more than", Value::Int(0)) | ("at least", Value::Int(1)) => true,
            ("at most", Value::Int(0)) | ("less than", Value::Int(1)) => false,
            _ => return None,
        };
        let no = if any { "" } else { "no " };
        if let (ExprKind::Call(id, of), false) = (&left.kind, self.book.keeps_names)
            && let [owner @ Expr { ty: Type::Kind(PLAYER), .. }] = of.as_slice()
        {
            let rule = &self.book.rules.rules[id.index()];
            let name = title_or_name(&rule.title, &rule.name);
            let owner = self.phrase_operand(owner);
            return is_many(&format!("the {name}"))
                .then(|| format!("{} {no}*{name}*", does(&owner, "have")));
        }
        let ExprKind::Element(Array::Var(id), of) = &left.kind else { return None };
        let var = self.book.mentioned_var(*id);
        let stocked = matches!(var.form, VarForm::Coin) || self.book.begins_with_several(var);
        let name = title_or_name(&var.title, &var.name);
        let is_many = is_many(&format!("the {name}"));
        if !stocked && !is_many
            || self.book.keeps_names
            || !matches!(of.len(), 0 | 1)
            || of.len() != usize::from(var.owner == Owner::Player)
        {
            return None;
        }
        let left = if name.ends_with(" left") || !stocked { "" } else { " left" };
        // `owes` is no noun.
        let verb = name.strip_suffix('s').filter(|it| ["owe", "need", "want", "get"].contains(it));
        Some(match of.first() {
            Some(owner) if let Some(verb) = verb => {
                let thing = if any { "something" } else { "nothing" };
                format!("{} {thing}", does(&self.phrase_operand(owner), verb))
            }
            Some(owner) => {
                format!("{} {no}{name}{left}", does(&self.phrase_operand(owner), "have"))
            }
            None => format!("there {} {no}{name}{left}", if is_many { "are" } else { "is" }),
        })
    }

    /// A number of players, after the verb that goes with it.
    pub(super) fn headcount(self, number: &Expr) -> (&'static str, String) {
        match self.placed(number, Tightness::Sum).as_str() {
            "1" => ("is", "1 player".to_owned()),
            count => ("are", format!("{count} players")),
        }
    }

    pub(super) fn phrase_membership(self, a: &Expr, set: &Expr, yes: bool) -> TightPhrase {
        let written_out = match &set.kind {
            ExprKind::SetOf(items) => items.len(),
            ExprKind::Value(Value::Set(members)) if members.len() < 6 => members.len(),
            _ => 0,
        };
        if let ExprKind::Column(kind, at, _) = &set.kind
            && let Kind { columns, shape, .. } = self.book.lookup_kind(*kind)
            && !columns[*at].is_computed()
            && (*at > 0 || matches!(shape, KindShape::Plain | KindShape::Board(_)))
        {
            let (set, a) = (self.placed(set, Tightness::Sets), self.placed(a, Tightness::Sets));
            let includes = match (is_many(&set), yes) {
                (true, true) => "include",
                (true, false) => "do not include",
                (false, true) => "includes",
                (false, false) => "does not include",
            };
            return (format!("{set} {includes} {a}"), Tightness::Comparison);
        }
        let place = match &set.kind {
            _ if written_out > 0 => self.either(set),
            ExprKind::Interval(low, high) => {
                let [low, high] = [low, high].map(|of| self.placed(of, Tightness::Sum));
                format!("from {low} to {high}")
            }
            ExprKind::Whole(domain) => format!("one of the {}", self.book.nouns(*domain)),
            _ => format!("in {}", self.placed(set, Tightness::Sets)),
        };
        let thing = self.placed(a, Tightness::Sets);
        (format!("{}{} {place}", is(&thing), not(yes)), listing(written_out))
    }

    /// The members of a set that is written out: `red or white`.
    pub(super) fn either(self, set: &Expr) -> String {
        match (&set.kind, &set.ty) {
            (ExprKind::SetOf(items), _) => {
                let listed = self.phrase_listed(items, Tightness::Sum, "or");
                let dice = items.iter().all(|it| self.book.is_die(it));
                if dice && !items.is_empty() { format!("what {listed} shows") } else { listed }
            }
            (ExprKind::Value(Value::Set(members)), Type::Set(domain)) => {
                let ty = domain.member_type();
                join_list(
                    members.iter().map(|it| self.book.describe_value(&Value::Int(*it), &ty)),
                    "or",
                )
            }
            _ => self.placed(set, Tightness::Range),
        }
    }
}
