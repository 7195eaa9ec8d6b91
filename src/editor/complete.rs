//! Completion: what could stand at a place, with the likeliest first.

use crate::check::rules::{Domain, KindId, PLAYER, Rules, Type, VarForm};
use crate::check::{CompletionContext, Symbol};
use crate::editor::Document;
use crate::editor::probe::{takes_names, word_around};
use crate::editor::words::{Place, words_at};
use crate::source::Span;
use crate::syntax::ast::Owner;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is written.
    pub text: String,
    pub sort: Sort,
    /// How it is declared, or what type it has.
    pub detail: String,
    pub notes: Vec<String>,
    /// 0 fits what is expected; higher numbers come later.
    pub rank: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A name in a body.
    Local,
    /// A variable of the players or the table, or a column.
    Field,
    Member,
    Kind,
    Rule,
    /// An option, a constant or a table.
    Constant,
    Word,
}

/// The ranks of what fits nothing in particular.
const NEAR: u8 = 1;
const FAR: u8 = 2;
const WORD: u8 = 3;

impl Document {
    /// What could stand at an offset, and the place of the word that it would stand for.
    pub fn complete(&self, offset: usize) -> (Span, Vec<Proposal>) {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let place = Span::new(self.source.base + start, self.source.base + end);
        if !takes_names(text, offset) || text[start..end].starts_with(|it: char| it.is_numeric()) {
            return (place, Vec::new());
        }
        let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
        if line == start {
            return (place, words(Place::Declaration).collect());
        }
        let before = text[line..start].trim_end();
        let behind_dot = before.ends_with('.');
        let mut proposals = match self.context(offset) {
            Some(context) => self.seen(context),
            None if behind_dot => Vec::new(),
            None => [Place::Within, Place::Statement, Place::Expression]
                .map(words)
                .into_iter()
                .flatten()
                .collect(),
        };
        if before.is_empty() || before.ends_with(['{', ';', '}']) {
            proposals.extend(words(Place::Statement).chain(words(Place::Within)));
        }
        proposals.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
        proposals.dedup_by(|a, b| a.text == b.text && a.sort == b.sort);
        (place, proposals)
    }

    fn seen(&self, context: CompletionContext) -> Vec<Proposal> {
        match context {
            CompletionContext::Value(locals, want) => {
                let mut values = self.values(want.as_ref());
                values.extend(locals.into_iter().map(|local| Proposal {
                    sort: Sort::Local,
                    rank: if want.as_ref().is_some_and(|it| fits(&local.ty, it)) { 0 } else { NEAR },
                    ..field(&local.name, &self.index.type_text(&local.ty))
                }));
                values
            }
            CompletionContext::Member(ty) => self.behind(&ty),
            CompletionContext::OfKind(kind) => self.of_kind(kind),
            CompletionContext::Type => {
                let mut types = self.select(|symbol, _| matches!(symbol, Symbol::Kind(_)));
                types.extend(words(Place::Type));
                types
            }
            CompletionContext::Coin => self.select(|symbol, rules| {
                matches!(symbol, Symbol::Var(it) if matches!(rules.vars[it.index()].form, VarForm::Coin))
            }),
            CompletionContext::Moves => self.select(|symbol, _| matches!(symbol, Symbol::Moves(_))),
            CompletionContext::Cell(kind) => self.select(|symbol, _| {
                matches!(symbol, Symbol::Member(of, _) if kind.is_none_or(|kind| of == kind))
            }),
        }
    }

    /// Everything that may be a value, members of the wanted kind first.
    fn values(&self, want: Option<&Type>) -> Vec<Proposal> {
        let wanted = want.and_then(kind_of);
        let rank = |symbol| match symbol {
            Symbol::Member(kind, _) if Some(kind) == wanted => Some(0),
            Symbol::Member(..) | Symbol::Kind(_) => Some(FAR),
            Symbol::Var(var) if self.index.rules.vars[var.index()].owner == Owner::Player => None,
            Symbol::Var(_)
            | Symbol::Option(_)
            | Symbol::Constant(_)
            | Symbol::Table(_)
            | Symbol::Rule(_) => Some(NEAR),
            Symbol::Column(..) | Symbol::Moves(_) | Symbol::Local(_) => None,
        };
        let symbols = self.symbols().into_iter();
        let values = symbols.filter_map(|it| rank(it).map(|rank| self.proposal(it, rank)));
        values.chain(words(Place::Expression)).collect()
    }

    /// What can stand behind the dot of a value.
    fn behind(&self, ty: &Type) -> Vec<Proposal> {
        let kind = match ty {
            Type::Set(_) => return Vec::new(),
            ty => kind_of(ty),
        };
        let Some(kind) = kind else { return Vec::new() };
        if kind != PLAYER {
            return self.select(|symbol, _| matches!(symbol, Symbol::Column(of, _) if of == kind));
        }
        let mut fields = self.select(|symbol, rules| {
            matches!(symbol, Symbol::Var(it) if rules.vars[it.index()].owner == Owner::Player)
        });
        fields.push(field("seat", "number"));
        fields
    }

    fn of_kind(&self, kind: KindId) -> Vec<Proposal> {
        let of = &self.index.rules.kinds[kind.index()];
        let members = of.own().into_iter().map(|at| self.proposal(Symbol::Member(kind, at), 0));
        let ends = ["first", "last"].map(|end| Proposal { rank: NEAR, ..field(end, &of.name) });
        let lines =
            of.board().filter(|it| !it.axes().is_empty()).map(|_| field("lines", "lines(4)"));
        members.chain(ends).chain(lines).collect()
    }

    fn select(&self, keep: impl Fn(Symbol, &Rules) -> bool) -> Vec<Proposal> {
        let symbols = self.symbols().into_iter().filter(|it| keep(*it, &self.index.rules));
        symbols.map(|symbol| self.proposal(symbol, 0)).collect()
    }

    fn proposal(&self, symbol: Symbol, rank: u8) -> Proposal {
        let found = self.index.describe(symbol);
        let sort = match symbol {
            Symbol::Kind(_) => Sort::Kind,
            Symbol::Member(..) => Sort::Member,
            Symbol::Column(..) | Symbol::Var(_) => Sort::Field,
            Symbol::Option(_) | Symbol::Constant(_) | Symbol::Table(_) => Sort::Constant,
            Symbol::Rule(_) | Symbol::Moves(_) => Sort::Rule,
            Symbol::Local(_) => Sort::Local,
        };
        let notes = [found.more, found.notes].concat();
        Proposal { text: found.name, sort, detail: found.code, notes, rank }
    }
}

/// A field that has no declaration.
fn field(text: &str, detail: &str) -> Proposal {
    let (text, detail) = (text.to_owned(), detail.to_owned());
    Proposal { text, sort: Sort::Field, detail, notes: Vec::new(), rank: 0 }
}

fn words(place: Place) -> impl Iterator<Item = Proposal> {
    words_at(place).map(|word| Proposal {
        sort: Sort::Word,
        notes: vec![word.says.to_owned()],
        rank: WORD,
        ..field(word.word, "")
    })
}

/// The kind that a value is expected of.
fn kind_of(ty: &Type) -> Option<KindId> {
    match ty {
        Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
        Type::Maybe(inner) => kind_of(inner),
        _ => None,
    }
}

/// Whether a value of the type may stand where another is wanted.
fn fits(ty: &Type, want: &Type) -> bool {
    ty == want || kind_of(ty).is_some() && kind_of(ty) == kind_of(want)
}
