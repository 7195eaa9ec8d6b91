//! Expressions that are things, in English: `grain of p`, `the number of cards in your hand`.
//!
//! The levels of precedence are those of the language; which one an expression has is a matter of its
//! words: `A common B` is tight in a file and open in a book, `what is both in A and in B`.

use crate::rulebook::english::{
    authored, capitalised, embedded, is, is_many, join_list, join_words, plural,
};
use crate::rulebook::words::{Phraser, StepPhraser, TightPhrase};
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    Ambient, Arith, Arm, Array, BinaryOp, Binder, Block, Domain, Expr, ExprKind, KindShape,
    Pattern, PileEnd, SetOp, SubsetBound, Table, TextPart, Type, UnaryOp, Value,
};
use crate::syntax::Tightness;

impl Book<'_> {
    /// The cards whose faces a set holds, and what such a face is called.
    pub(super) fn find_faces<'e>(&self, set: &'e Expr) -> Option<(String, &'e Binder)> {
        let ExprKind::Image(value, cards) = &set.kind else { return None };
        let ExprKind::Column(kind, 0, of) = &value.kind else { return None };
        let KindShape::Cards(face) = self.lookup_kind(*kind).shape else { return None };
        let is_each = matches!(of.kind, ExprKind::Local(local) if local == cards.local);
        is_each.then(|| (self.noun(Domain::Kind(face)), cards))
    }

    fn phrase_constant(&self, value: &Value, ty: &Type) -> TightPhrase {
        let tightness = match value {
            Value::Int(number) if *number < 0 && *ty == Type::Number => Tightness::Negation,
            Value::Set(members) if members.len() > 1 && !self.is_all_members(members, ty) => {
                Tightness::From
            }
            _ => Tightness::Operand,
        };
        (self.describe_value(value, ty), tightness)
    }

    pub(super) fn patterns<T>(&self, arm: &Arm<T>, ty: &Type) -> String {
        let bound = |number: &i64| self.describe_value(&Value::Int(*number), ty);
        let pattern = |pattern: &Pattern| match pattern {
            Pattern::Value(value) => self.describe_value(value, ty),
            Pattern::Range(low, high) => format!("{} to {}", bound(low), bound(high)),
        };
        let patterns = join_list(arm.patterns.iter().map(pattern), "or");
        if arm.patterns.is_empty() { "anything else".to_owned() } else { patterns }
    }

    /// Whether a table is looked up for the number of players, which its heading names.
    fn is_by_players(&self, of: &[Expr]) -> bool {
        let [of] = of else { return false };
        !self.keeps_names && matches!(of.kind, ExprKind::Ambient(Ambient::Players))
    }

    /// What is the same in every game; sets keep their names.
    fn constant_value(&self, expr: &Expr) -> Option<Value> {
        let small = matches!(expr.ty, Type::Number | Type::Kind(_) | Type::Maybe(_) | Type::Bool);
        self.known_value(expr).filter(|_| small)
    }
}

impl Phraser<'_> {
    pub(super) fn phrase_value(self, expr: &Expr) -> String {
        self.phrase(expr).0
    }

    /// A value as a thing, in parentheses if its words are looser than its place.
    pub(super) fn placed(self, expr: &Expr, place: Tightness) -> String {
        let (text, tightness) = self.phrase(expr);
        tightness.placed(text, place)
    }

    /// A value after `of` and the like.
    pub(super) fn phrase_operand(self, expr: &Expr) -> String {
        self.placed(expr, Tightness::Operand)
    }

    /// What is the highest or the lowest of its kind: `the highest water of *p*`, `the most chips`.
    pub(super) fn phrase_extreme(self, word: &str, expr: &Expr) -> String {
        let (text, tightness) = self.phrase(expr);
        if let Some(counted) = text.strip_prefix("the number of ") {
            return format!("the {} {counted}", if word == "highest" { "most" } else { "fewest" });
        }
        let is_several = is_many(&text) || text.starts_with('*') && is_many(&format!("the {text}"));
        let word = match word {
            "highest" if is_several => "most",
            "lowest" if is_several => "fewest",
            word => word,
        };
        let bare = text.strip_prefix("the ").unwrap_or(&text);
        format!("the {word} {}", tightness.placed(bare.to_owned(), Tightness::Sum))
    }

    /// What is done before a value is looked at: `after **Go** (you, *n*)`.
    pub(super) fn phrase_supposed(self, block: &Block) -> String {
        let steps = StepPhraser::new(self).phrase_steps(block);
        let text = join_words(steps.iter().map(|step| embedded(&step.text)), "; ");
        match text.strip_prefix("follow ").or(text.starts_with("**").then_some(&*text)) {
            Some(rule) if steps.len() == 1 => format!("after {rule}"),
            _ => format!("after this: {text}"),
        }
    }

    pub(super) fn phrase(self, expr: &Expr) -> TightPhrase {
        self.book.charged(|| self.words_of(expr))
    }

    fn words_of(self, expr: &Expr) -> TightPhrase {
        if let Some(value) = self.book.constant_value(expr) {
            let (text, tightness) = self.book.phrase_constant(&value, &expr.ty);
            let agreed = if self.book.is_agreed(expr) { "the agreed " } else { "" };
            return (format!("{agreed}{text}"), tightness);
        }
        let rules = self.book.rules;
        let text = match &expr.kind {
            ExprKind::Value(value) => return self.book.phrase_constant(value, &expr.ty),
            ExprKind::Unary(UnaryOp::ToSet | UnaryOp::PileCards, of) | ExprKind::Distinct(of) => {
                return self.phrase(of);
            }
            ExprKind::Local(local) => match self.meaning_of(*local) {
                Some(value) => return self.phrase(value),
                None => self.phrase_local(*local),
            },
            ExprKind::Element(Array::Local(local), of) => {
                format!("{} for {}", self.phrase_local(*local), self.operands(of))
            }
            ExprKind::Option(id) => {
                let agreed = if self.book.is_agreed(expr) { "the agreed " } else { "" };
                format!("{agreed}{}", self.book.option_name(id.index()))
            }
            ExprKind::Constant(id) => {
                format!("*{}*", title_or_name("", &rules.constants[id.index()].name))
            }
            ExprKind::Ambient(Ambient::Players) => "the number of players".to_owned(),
            ExprKind::Ambient(Ambient::LastPlayer) => "the last player".to_owned(),
            ExprKind::Ambient(Ambient::Turn) => "the turn number".to_owned(),
            ExprKind::Ambient(Ambient::Past(id)) => {
                let history = &rules.histories[id.index()];
                let name = title_or_name(&history.title, &history.name);
                format!("how often the position is in *{name}*")
            }
            ExprKind::Whole(domain) => format!("all {}", self.book.nouns(*domain)),
            ExprKind::Element(Array::Var(id) | Array::Pile(id), of) => self.phrase_var(*id, of),
            ExprKind::Column(kind, at, of) => {
                let of_kind = self.book.lookup_kind(*kind);
                let column = &of_kind.columns[*at];
                if matches!((of_kind.shape, *at), (KindShape::Cards(_) | KindShape::Lines(_), 0)) {
                    // A card is its face, and a line its cells.
                    return self.phrase(of);
                } else if column.is_computed() {
                    let nouns = self.book.nouns(Domain::Kind(*kind));
                    self.phrase_beside(of_kind, (&column.name, &nouns), of)
                } else {
                    self.phrase_column(&column.name, of)
                }
            }
            ExprKind::Element(Array::Table(id), of) => {
                self.phrase_table(&rules.tables[id.index()], of, &expr.ty)
            }
            ExprKind::Call(id, args) => self.phrase_call(&rules.rules[id.index()], args),
            _ => return self.phrase_computed(expr),
        };
        (text, Tightness::Operand)
    }

    fn phrase_subsets(self, set: &Expr, size: Option<&SubsetBound>) -> String {
        let size = size.map(|SubsetBound { up_to, size }| {
            let most = if *up_to { "at most " } else { "" };
            format!(" with {most}{} members", self.phrase_operand(size))
        });
        format!("any part of {}{}", self.phrase_operand(set), size.unwrap_or_default())
    }

    pub(super) fn phrase_computed(self, expr: &Expr) -> TightPhrase {
        let (operand, open, from) = (Tightness::Operand, Tightness::Open, Tightness::From);
        let (tightness, text) = match &expr.kind {
            ExprKind::Text(parts) => (operand, self.phrase_text(parts)),
            ExprKind::End(end) => (operand, self.phrase_pile_end(end)),
            ExprKind::Random(set) => {
                (from, format!("one of {}, at random", self.phrase_operand(set)))
            }
            ExprKind::Roll(die) => {
                (open, format!("what {} shows when it is rolled", self.phrase_operand(die)))
            }
            ExprKind::Pick(pick) => (operand, format!("one of {}", self.phrase_operand(&pick.set))),
            ExprKind::From(set, first) => {
                let [set, first] = [set, first].map(|of| self.placed(of, open));
                (from, format!("{set}, beginning with {first}"))
            }
            ExprKind::Backwards(set) => {
                (from, format!("{}{}", self.placed(set, from), describe_reversal(set)))
            }
            ExprKind::Binary(BinaryOp::Arith(op), a, b) => {
                return self.phrase_arithmetic(*op, a, b);
            }
            ExprKind::Unary(op, of) if *op != UnaryOp::Not => return self.phrase_unary(*op, of),
            ExprKind::Binary(BinaryOp::Set(op), a, b) => return self.set_op(*op, a, b),
            ExprKind::SetOf(items) if items.is_empty() => (operand, "nothing".to_owned()),
            ExprKind::SetOf(items) => {
                let tightness = if items.len() == 1 { operand } else { from };
                (tightness, self.phrase_listed(items, Tightness::Range, "and"))
            }
            ExprKind::Interval(a, b) => {
                let [a, b] = [a, b].map(|end| self.placed(end, Tightness::Sum));
                (Tightness::Range, format!("{a} to {b}"))
            }
            ExprKind::ListOf(items) if items.is_empty() => (operand, "an empty list".to_owned()),
            ExprKind::ListOf(items) => {
                (from, format!("the list {}", self.phrase_listed(items, Tightness::Range, "and")))
            }
            ExprKind::Lists(next) => (open, format!("all lists of {}", self.lists(next, &expr.ty))),
            ExprKind::Binary(BinaryOp::Nth, list, index) => {
                let index = self.placed(index, Tightness::Sum);
                (operand, format!("element {index} of {}", self.phrase_operand(list)))
            }
            ExprKind::Subsets(set, size) => (operand, self.phrase_subsets(set, size.as_ref())),
            ExprKind::Filter(binder) => (open, self.phrase_filtered_set(binder)),
            ExprKind::Image(of, binder) => (open, self.image(expr, of, binder)),
            ExprKind::Fold { word, binder, body } => return self.phrase_fold(*word, binder, body),
            ExprKind::If(so, then, otherwise) => return self.phrase_if(so, then, otherwise),
            ExprKind::Match(subject, arms) => (from, self.value_cases(subject, arms)),
            ExprKind::Suppose(block, of) => (
                from,
                format!("{} {}", self.placed(of, Tightness::Sets), self.phrase_supposed(block)),
            ),
            ExprKind::Walk(walk) => {
                (open, self.phrase_ahead("cells", &walk.start, &walk.direction))
            }
            _ if expr.ty == Type::Bool => {
                (open, format!("whether {}", self.phrase_condition(expr)))
            }
            _ => (operand, self.book.quote_source(expr.span)),
        };
        (text, tightness)
    }

    /// What a table holds for some indices.
    fn phrase_table(self, table: &Table, of: &[Expr], ty: &Type) -> String {
        let name = || format!("*{}*", title_or_name(&table.title, &table.name));
        let heading = || format!("*{}*", capitalised(&title_or_name(&table.title, &table.name)));
        if table.numbered_kind().is_some() {
            self.phrase_numbered(table, of)
        } else if table.is_computed() {
            self.looked_up(&table.name, ty, of)
        } else if self.book.is_by_players(of) {
            format!("the number in {}", heading())
        } else {
            format!("{} for {}", name(), self.operands(of))
        }
    }

    /// `2 if your hand is empty, otherwise 1`
    fn phrase_if(self, condition: &Expr, then: &Expr, otherwise: &Expr) -> TightPhrase {
        if let Some(truth) = self.book.truth(condition) {
            return self.phrase(if truth { then } else { otherwise });
        }
        let (then, if_so) = (self.placed(then, Tightness::Or), self.phrase_condition(condition));
        let otherwise = self.phrase_value(otherwise);
        (format!("{then} if {if_so}, otherwise {otherwise}"), Tightness::From)
    }

    /// `the ranks of the cards in your hand`, `*n* + 1 for each number *n* in …`
    fn image(self, set: &Expr, of: &Expr, binder: &Binder) -> String {
        let Some((noun, cards)) = self.book.find_faces(set) else {
            let value = self.placed(of, Tightness::Sets);
            return format!("{value} for {}", self.phrase_each(binder, "each"));
        };
        let of = if self.book.is_filtered(cards) {
            self.phrase_filtered_set(cards)
        } else {
            format!("the cards in {}", self.phrase_operand(&cards.set))
        };
        format!("the {} of {of}", plural(&noun))
    }

    /// Members one after another: `1 to 9 cells in order, each in …`.
    pub(super) fn lists(self, next: &Expr, ty: &Type) -> String {
        let Type::Lists(domain, most) = ty else { return self.phrase_value(next) };
        let (nouns, next) = (self.book.nouns(*domain), self.placed(next, Tightness::Sets));
        format!("1 to {most} {nouns} in order, each in {next}")
    }

    fn value_cases(self, subject: &Expr, arms: &[Arm<Expr>]) -> String {
        let (asked, mut it) = (is(&self.placed(subject, Tightness::Sets)), None);
        let arm = |arm: &Arm<Expr>| {
            let value = self.placed(&arm.body, Tightness::Or);
            if arm.patterns.is_empty() {
                return format!("otherwise {value}");
            }
            let asked = it.replace("it is").map_or(asked.as_str(), |it| it);
            format!("{value} if {asked} {}", self.book.patterns(arm, &subject.ty))
        };
        join_words(arms.iter().map(arm), ", ")
    }

    /// What something is for: `x and (y + 1)`.
    pub(super) fn operands(self, exprs: &[Expr]) -> String {
        self.phrase_listed(exprs, Tightness::Operand, "and")
    }

    /// Several things: `a, b or c`.
    pub(super) fn phrase_listed(self, exprs: &[Expr], place: Tightness, last: &str) -> String {
        join_list(exprs.iter().map(|expr| self.placed(expr, place)), last)
    }

    fn phrase_column(self, name: &str, of: &Expr) -> String {
        match (title_or_name("", name), self.phrase_operand(of).as_str()) {
            (name, "you") => format!("your {name}"),
            (name, of) => format!("the {name} of {of}"),
        }
    }

    fn phrase_unary(self, op: UnaryOp, of: &Expr) -> TightPhrase {
        if let (UnaryOp::Abs, ExprKind::Binary(BinaryOp::Arith(Arith::Subtract), a, b)) =
            (op, &of.kind)
        {
            let [a, b] = [a, b].map(|number| self.placed(number, Tightness::Sum));
            return (format!("the difference between {a} and {b}"), Tightness::Open);
        }
        let thing = self.phrase_operand(of);
        let text = match op {
            UnaryOp::Amount => return self.phrase(of),
            UnaryOp::Negate | UnaryOp::Reverse => {
                return (format!("−{thing}"), Tightness::Negation);
            }
            UnaryOp::Next | UnaryOp::Previous
                if thing == "you" && self.book.most_players() == 2 =>
            {
                "the other player".to_owned()
            }
            UnaryOp::Next => format!("the player after {thing}"),
            UnaryOp::Previous => format!("the player before {thing}"),
            UnaryOp::Others if thing == "you" => "the other players".to_owned(),
            UnaryOp::Others => format!("all players but {thing}"),
            UnaryOp::Seat => format!("the seat of {thing}"),
            UnaryOp::Abs => return (format!("{thing} without its sign"), Tightness::Open),
            UnaryOp::FirstElement => format!("the first of {thing}"),
            UnaryOp::LastElement => format!("the last of {thing}"),
            UnaryOp::Length => format!("the length of {thing}"),
            UnaryOp::Not | UnaryOp::ToSet | UnaryOp::ToList | UnaryOp::PileCards => thing,
        };
        (text, Tightness::Operand)
    }

    pub(super) fn phrase_pile_end(self, end: &PileEnd) -> String {
        let (place, pile) =
            (if end.bottom { "bottom" } else { "top" }, self.phrase_operand(&end.pile));
        match end.count.as_ref().map(|count| self.phrase_operand(count)).as_deref() {
            None | Some("1") => format!("the {place} card of {pile}"),
            Some(count) if count.contains(' ') => {
                format!("the {place} cards of {pile}, as many as {}", said_in_table(count))
            }
            Some(count) => format!("the {place} {count} cards of {pile}"),
        }
    }

    pub(super) fn phrase_text(self, parts: &[TextPart]) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Words(words) => authored(words),
            TextPart::Hole(hole) => match &hole.kind {
                ExprKind::If(..) | ExprKind::Match(..) => "…".to_owned(),
                ExprKind::Text(parts) => {
                    self.text_of_bag(parts).unwrap_or_else(|| self.phrase_value(hole))
                }
                _ => self.phrase_value(hole),
            },
        };
        parts.iter().map(part).collect()
    }

    fn phrase_arithmetic(self, op: Arith, a: &Expr, b: &Expr) -> TightPhrase {
        let zero = |expr: &Expr| self.book.known_value(expr) == Some(Value::Int(0));
        let chain = |place: Tightness, sign: &str| {
            format!("{} {sign} {}", self.placed(a, place), self.placed(b, place.tighter()))
        };
        let (first, second) =
            (|| self.placed(a, Tightness::Sum), || self.placed(b, Tightness::Sum));
        let text = match op {
            Arith::Add => return (chain(Tightness::Sum, "+"), Tightness::Sum),
            Arith::Subtract => return (chain(Tightness::Sum, "−"), Tightness::Sum),
            Arith::Multiply => return (chain(Tightness::Product, "×"), Tightness::Product),
            Arith::CeilDivide | Arith::FloorDivide => {
                let way = if op == Arith::CeilDivide { "up" } else { "down" };
                let text = format!("{}, rounded {way}", chain(Tightness::Product, "/"));
                return (text, Tightness::From);
            }
            Arith::Modulo => format!("what is left when {} is divided by {}", first(), second()),
            Arith::Min => format!("the smaller of {} and {}", first(), second()),
            Arith::Max if zero(a) => format!("{} (but not below 0)", second()),
            Arith::Max if zero(b) => format!("{} (but not below 0)", first()),
            Arith::Max => format!("the larger of {} and {}", first(), second()),
        };
        (text, Tightness::Open)
    }

    fn set_op(self, op: SetOp, a: &Expr, b: &Expr) -> TightPhrase {
        // `a together with b without c` could be read in two ways.
        let chained = op == SetOp::Union
            && matches!(a.kind, ExprKind::Binary(BinaryOp::Set(SetOp::Union), ..));
        let first = if chained { Tightness::Sets } else { Tightness::Range };
        let (a, b) = (self.placed(a, first), self.placed(b, Tightness::Range));
        match op {
            SetOp::Union => (format!("{a} together with {b}"), Tightness::Sets),
            SetOp::Minus => (format!("{a} without {b}"), Tightness::Sets),
            SetOp::Common => (format!("what is both in {a} and in {b}"), Tightness::Open),
        }
    }
}

/// `the number in *Deal*` behind `as many as`: `*Deal* says`.
pub(super) fn said_in_table(count: &str) -> String {
    count.strip_prefix("the number in ").map_or_else(|| count.to_owned(), |it| format!("{it} says"))
}

/// In which order the members of a set come backwards.
pub(super) fn describe_reversal(set: &Expr) -> &'static str {
    match &set.kind {
        ExprKind::From(..) => ", the other way round",
        ExprKind::Interval(..) => ", the highest first",
        ExprKind::Walk(_) => ", the farthest first",
        _ => ", the last first",
    }
}
