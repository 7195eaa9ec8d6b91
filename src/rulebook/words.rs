//! Expressions that are things, in English: `grain of p`, `the number of cards in your hand`.

use crate::check::rules::{
    Binder, Builtin, Domain, Expr, ExprKind, Local, LocalId, PLAYER, PileEnd, Rule, StmtKind,
    TextPart, Type, Value, VarForm, VarId,
};
use crate::check::visit::{visit_choices, visit_stmts};
use crate::rulebook::book::{Book, title};
use crate::rulebook::english::{authored, code, list, plural};
use crate::source::Span;
use crate::syntax::Tightness;
use crate::syntax::ast::Owner;

/// Puts what belongs to one rule into words.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    /// The book.
    pub(super) book: &'a Book<'a>,
    /// The locals of the rule.
    pub(super) locals: &'a [Local],
    /// The player who is spoken to.
    pub(super) you: Option<LocalId>,
}

impl<'a> Words<'a> {
    /// The words of a rule. Who is called `me`, or else decides alone in it, is spoken to.
    pub(super) fn of(book: &'a Book<'a>, rule: &'a Rule) -> Words<'a> {
        let me = rule
            .locals
            .iter()
            .position(|local| local.name == "me" && local.ty == Type::Kind(PLAYER));
        let you = me.map(LocalId::at).or_else(|| only_chooser(rule));
        book.turn_to(rule.span);
        Words { book, locals: &rule.locals, you }
    }

    /// Words for what stands in no rule.
    pub(super) fn plain(book: &'a Book<'a>, locals: &'a [Local]) -> Words<'a> {
        Words { book, locals, you: None }
    }

    /// A local.
    pub(super) fn local(self, local: LocalId) -> String {
        if self.you == Some(local) {
            return "you".to_owned();
        }
        let name = self.locals.get(local.index()).map_or("it", |local| local.name.as_str());
        format!("*{}*", name.replace('_', " "))
    }

    /// What is written in a place, as code.
    pub(super) fn code(self, span: Span) -> String {
        code(&self.book.source(span))
    }

    /// A value as a thing.
    pub(super) fn thing(self, expr: &Expr) -> String {
        self.book.written(|| self.thing_text(expr))
    }

    fn thing_text(self, expr: &Expr) -> String {
        if let Some(value) = self.known(expr) {
            return self.book.value(&value, &expr.ty);
        }
        let rules = self.book.rules;
        match &expr.kind {
            ExprKind::Value(value) => self.book.value(value, &expr.ty),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement(local, of) => {
                format!("{} for {}", self.local(*local), self.operands(of))
            }
            ExprKind::Option(id) => format!("*{}*", spaced(&rules.options[id.index()].name)),
            ExprKind::Constant(id) => format!("*{}*", spaced(&rules.constants[id.index()].name)),
            ExprKind::Players => "the number of players".to_owned(),
            ExprKind::LastPlayer => "the last player".to_owned(),
            ExprKind::LegalMoves => "the number of the turn".to_owned(),
            ExprKind::Whole(domain) => format!("all {}", self.book.nouns(*domain)),
            ExprKind::Var(id, of) | ExprKind::Pile(id, of) => self.var(*id, of),
            ExprKind::Column(kind, at, of) => {
                let column = &self.book.kind(*kind).columns[*at];
                if column.is_computed() {
                    self.beside(&column.name, of)
                } else {
                    self.column(&column.name, of)
                }
            }
            ExprKind::Table(id, of) => {
                let table = &rules.tables[id.index()];
                if table.is_computed() {
                    return self.code(expr.span);
                }
                format!("*{}* for {}", title(&table.title, &table.name), self.operands(of))
            }
            ExprKind::Call(id, args) => self.call(&rules.rules[id.index()], args),
            ExprKind::Builtin(builtin, of) => self.builtin(*builtin, of),
            ExprKind::If(condition, then, otherwise)
                if let Some(truth) = self.book.truth(condition) =>
            {
                self.thing(if truth { then } else { otherwise })
            }
            ExprKind::If(condition, then, otherwise) => format!(
                "{} if {}, otherwise {}",
                self.placed(then, Tightness::Or),
                self.holds(condition),
                self.thing(otherwise)
            ),
            ExprKind::ToSet(of) | ExprKind::PileCards(of) | ExprKind::Distinct(of) => {
                self.thing(of)
            }
            ExprKind::Text(parts) => self.text(parts),
            ExprKind::End(end) => self.end(end),
            ExprKind::Random(set) => format!("one of {}, at random", self.operand(set)),
            ExprKind::Roll(die) => format!("what {} shows when it is rolled", self.operand(die)),
            ExprKind::Pick(pick) => format!("one of {}", self.operand(&pick.set)),
            ExprKind::From(set, first) => {
                let set = self.placed(set, Tightness::Open);
                format!("{set}, beginning with {}", self.placed(first, Tightness::Open))
            }
            _ => self.computed(expr),
        }
    }

    /// What is the same in every game; sets keep their names.
    pub(super) fn known(self, expr: &Expr) -> Option<Value> {
        let small = matches!(expr.ty, Type::Number | Type::Kind(_) | Type::Maybe(_) | Type::Bool);
        self.book.known(expr).filter(|_| small)
    }

    /// Several things: `a, b and c`.
    pub(super) fn things(self, exprs: &[Expr]) -> String {
        self.listed(exprs, Tightness::Range, "and")
    }

    /// What something is for: `x and (y + 1)`.
    pub(super) fn operands(self, exprs: &[Expr]) -> String {
        self.listed(exprs, Tightness::Operand, "and")
    }

    /// Several things: `a, b or c`.
    pub(super) fn listed(self, exprs: &[Expr], place: Tightness, last: &str) -> String {
        list(&exprs.iter().map(|expr| self.placed(expr, place)).collect::<Vec<_>>(), last)
    }

    /// A variable with its indices: `your coins`, `the shop for dear`.
    pub(super) fn var(self, id: VarId, of: &[Expr]) -> String {
        let var = &self.book.rules.vars[id.index()];
        let mut name = title(&var.title, &var.name);
        if matches!(var.form, VarForm::Die(_)) && !name.contains("die") && !name.contains("dice") {
            name.push_str(" die");
        }
        let (owner, of) = match var.owner {
            Owner::Player => (of.first(), of.get(1..).unwrap_or_default()),
            Owner::Table => (None, of),
        };
        let word = if of.iter().any(|index| self.is_cell(index)) { "on" } else { "for" };
        let behind =
            if of.is_empty() { String::new() } else { format!(" {word} {}", self.operands(of)) };
        match owner.map(|owner| self.operand(owner)).as_deref() {
            Some("you") => format!("your {name}{behind}"),
            Some(owner) => format!("the {name} of {owner}{behind}"),
            None if var.owner == Owner::Player => format!("the {name} of all players{behind}"),
            None => format!("the {name}{behind}"),
        }
    }

    fn is_cell(self, expr: &Expr) -> bool {
        matches!(expr.ty, Type::Kind(kind) if self.book.kind(kind).is_board())
    }

    /// A variable that is yes or no, as a mark: `you are marked *safe*`. The words stand behind `is`
    /// if it is so, and if it is not.
    pub(super) fn marked(self, id: VarId, of: &[Expr], words: (bool, &str, &str)) -> String {
        let (truth, yes, no) = words;
        let how = if truth { yes } else { no };
        let var = &self.book.rules.vars[id.index()];
        let name = title(&var.title, &var.name);
        match (var.owner, of) {
            (Owner::Player, [owner]) => {
                let owner = self.operand(owner);
                let is = if owner == "you" { "are" } else { "is" };
                format!("{owner} {is}{how} marked *{name}*")
            }
            (Owner::Table, []) => format!("*{name}* is{how} marked"),
            _ => format!("{} is{how} marked", self.var(id, of)),
        }
    }

    fn column(self, name: &str, of: &Expr) -> String {
        let (name, of) = (spaced(name), self.operand(of));
        if of == "you" { format!("your {name}") } else { format!("the {name} of {of}") }
    }

    /// The cells that lie beside another, in the directions that the name of the column tells.
    fn beside(self, name: &str, of: &Expr) -> String {
        let ways = name.split_once('(').map_or("", |(_, ways)| ways.trim_end_matches(')'));
        let ways: Vec<String> = ways.split(", ").filter(|it| !it.is_empty()).map(spaced).collect();
        let of = self.operand(of);
        match ways.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => format!("the cells beside {of}"),
            ["north", "east", "south", "west"] => {
                format!("the cells beside {of} in its row and column")
            }
            _ => format!("the cells beside {of} ({})", ways.join(", ")),
        }
    }

    fn call(self, rule: &Rule, args: &[Expr]) -> String {
        let name = title(&rule.title, &rule.name);
        let name = format!("*{}*", name.strip_suffix(" of").unwrap_or(&name));
        match args {
            [] => name,
            [of] => match self.operand(of) {
                you if you == "you" => format!("your {name}"),
                of => format!("{name} of {of}"),
            },
            several => format!("{name} ({})", self.arguments(several)),
        }
    }

    /// What a rule is about: `a, b, (c if p, otherwise d)`.
    pub(super) fn arguments(self, args: &[Expr]) -> String {
        match args {
            [only] => self.thing(only),
            several => {
                let arg = |arg| self.placed(arg, Tightness::Open);
                several.iter().map(arg).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn builtin(self, builtin: Builtin, of: &Expr) -> String {
        let thing = self.operand(of);
        match builtin {
            Builtin::Next => format!("the player after {thing}"),
            Builtin::Previous => format!("the player before {thing}"),
            Builtin::Others if thing == "you" => "the other players".to_owned(),
            Builtin::Others => format!("all players but {thing}"),
            Builtin::Seat => format!("the seat of {thing}"),
            Builtin::Abs => self.distance(of),
        }
    }

    /// The top or the bottom of a pile.
    pub(super) fn end(self, end: &PileEnd) -> String {
        let (place, pile) = (if end.bottom { "bottom" } else { "top" }, self.operand(&end.pile));
        match end.count.as_ref().map(|count| self.operand(count)).as_deref() {
            None | Some("1") => format!("the {place} card of {pile}"),
            Some(count) => format!("the {place} {count} cards of {pile}"),
        }
    }

    /// A text with its holes named.
    pub(super) fn text(self, parts: &[TextPart]) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Words(words) => authored(words),
            TextPart::Hole(hole) => match &hole.kind {
                ExprKind::If(..) | ExprKind::Match(..) => "…".to_owned(),
                _ => self.thing(hole),
            },
        };
        parts.iter().map(part).collect()
    }

    /// What something goes over: `each colour *c* for which …`.
    pub(super) fn each(self, binder: &Binder, word: &str) -> String {
        let (local, noun) = (self.local(binder.local), self.noun_of(binder.local));
        let local = if local == "you" { "(that is you)".to_owned() } else { local };
        let set = self.placed(&binder.set, self.before_filter(binder));
        let filter = self.filter(binder);
        let over = match &binder.set.kind {
            ExprKind::Whole(_) => format!("{word} {noun} {local}"),
            ExprKind::From(set, first) if matches!(set.kind, ExprKind::Whole(_)) => {
                let first = self.placed(first, Tightness::Open);
                return format!("{word} {noun} {local}{filter}, beginning with {first}");
            }
            ExprKind::Interval(..) => format!("{word} {noun} {local} from {set}"),
            _ if set == "the other players" => format!("{word} other player {local}"),
            _ if set == format!("all {}", plural(&noun)) => format!("{word} {noun} {local}"),
            _ => format!("{word} {noun} {local} in {set}"),
        };
        format!("{over}{filter}")
    }

    /// The place of a set that ` for which …` may follow.
    pub(super) fn before_filter(self, binder: &Binder) -> Tightness {
        if self.is_filtered(binder) { Tightness::Sets } else { Tightness::Open }
    }

    /// Whether a binder takes only some members.
    pub(super) fn is_filtered(self, binder: &Binder) -> bool {
        binder.condition.as_ref().is_some_and(|it| self.book.truth(it) != Some(true))
    }

    /// What a binder asks for: ` for which …`, or nothing.
    pub(super) fn filter(self, binder: &Binder) -> String {
        self.where_all(binder, binder.condition.iter().map(AsRef::as_ref))
    }

    /// What a local is: `colour`, `number`.
    pub(super) fn noun_of(self, local: LocalId) -> String {
        let ty = self.locals.get(local.index()).map(|local| &local.ty);
        match ty {
            Some(Type::Kind(kind)) => self.book.noun(Domain::Kind(*kind)),
            Some(Type::Number) => "number".to_owned(),
            Some(Type::Set(domain)) => format!("set of {}", self.book.nouns(*domain)),
            _ => "value".to_owned(),
        }
    }
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

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}
