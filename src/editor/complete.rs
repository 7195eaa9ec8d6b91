//! What could stand at a place, with the likeliest first.

use crate::check::rules::{Domain, KindId, PLAYER, Rules, Shape, Type, VarForm};
use crate::check::{CompletionContext, Symbol};
use crate::editor::Document;
use crate::editor::probe::{takes_names, word_around};
use crate::editor::words::{Place, words_at};
use crate::source::Span;
use crate::syntax::ast::Owner;

/// What could stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is written.
    pub text: String,
    /// What it is.
    pub sort: Sort,
    /// How it is declared, or what type it has.
    pub detail: String,
    /// What is said of it.
    pub notes: Vec<String>,
    /// How near it is: 0 fits what is expected, higher numbers come later.
    pub rank: u8,
}

/// What a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A name in a body.
    Local,
    /// A variable of the players or the table, or a column.
    Field,
    /// A member of a kind.
    Member,
    /// A kind.
    Kind,
    /// A rule.
    Rule,
    /// An option, a constant or a table.
    Constant,
    /// A word of the language.
    Word,
}

/// How near things are that fit nothing in particular.
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
            return (place, words(Place::Declaration));
        }
        let before = text[line..start].trim_end();
        let mut proposals = match self.sight(offset) {
            Some(sight) => self.seen(sight),
            None if before.ends_with('.') => Vec::new(),
            None => [Place::Within, Place::Statement, Place::Expression].map(words).concat(),
        };
        if !before.ends_with('.') && (before.is_empty() || before.ends_with(['{', ';', '}'])) {
            proposals.extend(words(Place::Statement));
            proposals.extend(words(Place::Within));
        }
        proposals.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
        proposals.dedup_by(|a, b| a.text == b.text && a.sort == b.sort);
        (place, proposals)
    }

    fn seen(&self, sight: CompletionContext) -> Vec<Proposal> {
        match sight {
            CompletionContext::Value(locals, want) => {
                let mut values = self.values(want.as_ref());
                for local in locals {
                    let fits = want.as_ref().is_some_and(|want| fits(&local.ty, want));
                    values.push(Proposal {
                        text: local.name,
                        sort: Sort::Local,
                        detail: self.study.type_text(&local.ty),
                        notes: Vec::new(),
                        rank: if fits { 0 } else { NEAR },
                    });
                }
                values
            }
            CompletionContext::Member(ty) => self.behind(&ty),
            CompletionContext::OfKind(kind) => self.of_kind(kind),
            CompletionContext::Type => {
                let kinds = self.things().into_iter().filter(|it| matches!(it, Symbol::Kind(_)));
                let kinds = kinds.map(|kind| self.proposal(kind, 0));
                kinds.chain(words(Place::Type)).collect()
            }
            CompletionContext::Coin => self.select(|thing, rules| match thing {
                Symbol::Var(var) => matches!(rules.vars[var.index()].form, VarForm::Coin),
                _ => false,
            }),
            CompletionContext::Moves => self.select(|thing, _| matches!(thing, Symbol::Moves(_))),
            CompletionContext::Cell(kind) => self.select(|thing, _| match (thing, kind) {
                (Symbol::Member(of, _), Some(kind)) => of == kind,
                (Symbol::Member(..), None) => true,
                _ => false,
            }),
        }
    }

    /// Everything that may be a value, members of the wanted kind first.
    fn values(&self, want: Option<&Type>) -> Vec<Proposal> {
        let wanted = want.and_then(kind_of);
        let mut proposals: Vec<Proposal> = Vec::new();
        for thing in self.things() {
            let rank = match thing {
                Symbol::Member(kind, _) if Some(kind) == wanted => 0,
                Symbol::Member(..) | Symbol::Kind(_) => FAR,
                Symbol::Var(var) if self.study.rules.vars[var.index()].owner == Owner::Player => {
                    continue;
                }
                Symbol::Var(_)
                | Symbol::Option(_)
                | Symbol::Constant(_)
                | Symbol::Table(_)
                | Symbol::Rule(_) => NEAR,
                Symbol::Column(..) | Symbol::Moves(_) | Symbol::Local(_) => continue,
            };
            proposals.push(self.proposal(thing, rank));
        }
        proposals.extend(words(Place::Expression));
        proposals
    }

    fn behind(&self, ty: &Type) -> Vec<Proposal> {
        let kind = match ty {
            Type::Maybe(inner) => kind_of(inner),
            Type::Kind(kind) => Some(*kind),
            _ => None,
        };
        let Some(kind) = kind else { return Vec::new() };
        if kind != PLAYER {
            let columns = self.study.rules.kinds[kind.index()].columns.iter().enumerate();
            let named = columns.filter(|(_, column)| !column.is_computed());
            return named.map(|(at, _)| self.proposal(Symbol::Column(kind, at), 0)).collect();
        }
        let mut fields = self.select(|thing, rules| match thing {
            Symbol::Var(var) => rules.vars[var.index()].owner == Owner::Player,
            _ => false,
        });
        fields.push(spare("seat", "number"));
        fields
    }

    fn of_kind(&self, kind: KindId) -> Vec<Proposal> {
        let of = &self.study.rules.kinds[kind.index()];
        let members = of.own().into_iter().map(|at| self.proposal(Symbol::Member(kind, at), 0));
        let ends = ["first", "last"].map(|end| Proposal { rank: NEAR, ..spare(end, &of.name) });
        let lines = matches!(of.shape, Shape::Grid { .. }).then(|| spare("lines", "lines(4)"));
        members.chain(ends).chain(lines).collect()
    }

    fn select(&self, keep: impl Fn(Symbol, &Rules) -> bool) -> Vec<Proposal> {
        let things = self.things().into_iter().filter(|thing| keep(*thing, &self.study.rules));
        things.map(|thing| self.proposal(thing, 0)).collect()
    }

    fn proposal(&self, thing: Symbol, rank: u8) -> Proposal {
        let told = self.study.describe(thing);
        let sort = match thing {
            Symbol::Kind(_) => Sort::Kind,
            Symbol::Member(..) => Sort::Member,
            Symbol::Column(..) | Symbol::Var(_) => Sort::Field,
            Symbol::Option(_) | Symbol::Constant(_) | Symbol::Table(_) => Sort::Constant,
            Symbol::Rule(_) | Symbol::Moves(_) => Sort::Rule,
            Symbol::Local(_) => Sort::Local,
        };
        let notes = told.more.into_iter().chain(told.notes).collect();
        Proposal { text: told.name, sort, detail: told.code, notes, rank }
    }
}

/// Something that every member or kind has.
fn spare(text: &str, detail: &str) -> Proposal {
    let (text, detail) = (text.to_owned(), detail.to_owned());
    Proposal { text, sort: Sort::Field, detail, notes: Vec::new(), rank: 0 }
}

fn words(place: Place) -> Vec<Proposal> {
    let words = words_at(place).map(|word| Proposal {
        text: word.word.to_owned(),
        sort: Sort::Word,
        detail: String::new(),
        notes: vec![word.says.to_owned()],
        rank: WORD,
    });
    words.collect()
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
