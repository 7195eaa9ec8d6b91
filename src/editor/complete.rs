//! Completion: a name that means nothing stands in for the word at a place, and the check records what is
//! expected there.

use serde::Serialize;

use crate::check::{CompletionContext, Global, HISTORY_FIELD, Symbol, index_symbols};
use crate::editor::words::{WordContext, words_at};
use crate::editor::{Document, MOST_LISTED, Sort};
use crate::load::{OpenedFile, assemble};
use crate::rules::{Domain, KindId, PLAYER, Rules, Type, VarForm};
use crate::source::{Source, Sources, Span};
use crate::syntax::ast::{Ast, Item, ItemKind, Owner};
use crate::syntax::{MAX_NESTING, TokenKind, declarations, is_part, parse, tokenize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WordProposal {
    pub text: String,
    pub(crate) sort: Sort,
    /// How it is declared, or what type it has.
    pub(crate) detail: String,
    pub(crate) notes: Vec<String>,
    /// 0 fits what is expected; higher numbers come later.
    pub rank: u8,
}

/// What may have to follow, so that a line that is still being written can be read.
const ENDINGS: [&str; 7] = ["", " { }", "()", "() { }", ": 0", " = 0", ": number"];

/// The ranks of what fits nothing in particular.
const NEAR: u8 = 1;
const FAR: u8 = 2;
const WORD: u8 = 3;

impl Document {
    /// What could stand at an offset, and the place of the word that it would stand for.
    pub fn complete(&self, offset: usize) -> (Span, Vec<WordProposal>) {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let place = Span::new(self.source.base + start, self.source.base + end);
        if !takes_names(text, offset) || text[start..end].starts_with(|it: char| it.is_numeric()) {
            return (place, Vec::new());
        }
        let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
        if line == start {
            return (place, propose_keywords(WordContext::Declaration).collect());
        }
        let before = text[line..start].trim_end();
        let behind_dot = before.ends_with('.');
        let mut proposals = match self.context(offset) {
            Some(context) => self.propose_words(context),
            None if behind_dot => Vec::new(),
            None => [WordContext::Within, WordContext::Statement, WordContext::Expression]
                .into_iter()
                .flat_map(propose_keywords)
                .collect(),
        };
        if before.is_empty() || before.ends_with(['{', ';', '}']) {
            proposals.extend(
                propose_keywords(WordContext::Statement)
                    .chain(propose_keywords(WordContext::Within)),
            );
        }
        proposals.sort_by(|a, b| (a.rank, &a.text).cmp(&(b.rank, &b.text)));
        proposals.dedup_by(|a, b| a.text == b.text && a.sort == b.sort);
        if proposals.len() > MOST_LISTED {
            proposals.retain(|it| it.text.starts_with(&text[start..offset.min(end)]));
            proposals.truncate(MOST_LISTED);
        }
        (place, proposals)
    }

    fn propose_words(&self, context: CompletionContext) -> Vec<WordProposal> {
        match context {
            CompletionContext::Value(locals, want) => {
                let mut values = self.propose_values(want.as_ref());
                values.extend(locals.into_iter().map(|local| WordProposal {
                    sort: Sort::Local,
                    rank: if want.as_ref().is_some_and(|it| is_compatible(&local.ty, it)) { 0 } else { NEAR },
                    ..field(&local.name, &self.index.type_text(&local.ty))
                }));
                values
            }
            CompletionContext::Member(ty) => self.propose_fields(&ty),
            CompletionContext::OfKind(kind) => self.propose_members(kind),
            CompletionContext::Type => {
                let mut types = self.propose_symbols(|symbol, _| matches!(symbol, Symbol::Kind(_)));
                types.extend(propose_keywords(WordContext::Type));
                types
            }
            CompletionContext::OfHistory => vec![field(HISTORY_FIELD, "number")],
            CompletionContext::Coin => self.propose_symbols(|symbol, rules| match symbol {
                Symbol::Global(Global::Var(it)) => {
                    matches!(rules.vars[it.index()].form, VarForm::Coin)
                }
                _ => false,
            }),
            CompletionContext::Moves => self.propose_symbols(|symbol, _| matches!(symbol, Symbol::Moves(_))),
            CompletionContext::Cell(kind) => self.propose_symbols(|symbol, _| {
                matches!(symbol, Symbol::Member(of, _) if kind.is_none_or(|kind| of == kind))
            }),
        }
    }

    /// Everything that may be a value, members of the wanted kind first.
    fn propose_values(&self, want: Option<&Type>) -> Vec<WordProposal> {
        let wanted = want.and_then(type_kind);
        let rank = |symbol| match symbol {
            Symbol::Member(kind, _) if Some(kind) == wanted => Some(0),
            Symbol::Member(..) | Symbol::Kind(_) => Some(FAR),
            Symbol::Global(Global::Var(var))
                if self.index.rules.vars[var.index()].owner == Owner::Player =>
            {
                None
            }
            Symbol::Global(_) | Symbol::Rule(_) => Some(NEAR),
            Symbol::Column(..) | Symbol::Moves(_) | Symbol::Local(_) => None,
        };
        let symbols = self.symbols().into_iter();
        let values = symbols.filter_map(|it| rank(it).map(|rank| self.proposal(it, rank)));
        values.chain(propose_keywords(WordContext::Expression)).collect()
    }

    /// What can follow the dot of a value.
    fn propose_fields(&self, ty: &Type) -> Vec<WordProposal> {
        let kind = match ty {
            Type::Set(_) => return Vec::new(),
            ty => type_kind(ty),
        };
        let Some(kind) = kind else { return Vec::new() };
        if kind != PLAYER {
            return self.propose_symbols(
                |symbol, _| matches!(symbol, Symbol::Column(of, _) if of == kind),
            );
        }
        let mut fields = self.propose_symbols(|symbol, rules| match symbol {
            Symbol::Global(Global::Var(it)) => rules.vars[it.index()].owner == Owner::Player,
            symbol => matches!(symbol, Symbol::Column(PLAYER, _)),
        });
        fields.extend(["seat", "turns"].map(|name| field(name, "number")));
        fields
    }

    fn propose_members(&self, kind: KindId) -> Vec<WordProposal> {
        let of = &self.index.rules.kinds[kind.index()];
        let members =
            of.own_members().into_iter().map(|at| self.proposal(Symbol::Member(kind, at), 0));
        let ends = ["first", "last"].map(|end| WordProposal { rank: NEAR, ..field(end, &of.name) });
        let lines =
            of.as_board().filter(|it| !it.axes().is_empty()).map(|_| field("lines", "lines(4)"));
        let numbers = of.as_board().map(|board| board.number_columns()).unwrap_or_default();
        let names: Vec<&str> = numbers.iter().map(|(name, _)| *name).collect();
        let at = (!names.is_empty()).then(|| field("at", &format!("at({})", names.join(", "))));
        members.chain(ends).chain(lines).chain(at).collect()
    }

    fn propose_symbols(&self, keep: impl Fn(Symbol, &Rules) -> bool) -> Vec<WordProposal> {
        let symbols = self.symbols().into_iter().filter(|it| keep(*it, &self.index.rules));
        symbols.map(|symbol| self.proposal(symbol, 0)).collect()
    }

    fn proposal(&self, symbol: Symbol, rank: u8) -> WordProposal {
        let found = self.index.describe(symbol);
        let notes = [found.more, found.notes].concat();
        WordProposal { text: found.name, sort: symbol.into(), detail: found.code, notes, rank }
    }

    /// What could stand at an offset, as far as the text around it can be understood.
    pub(super) fn context(&self, offset: usize) -> Option<CompletionContext> {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let mut name = "here".to_owned();
        while text.contains(&name) {
            name.push('_');
        }
        let probed = Source::new("", format!("{}{name}{}", &text[..start], &text[end..]));
        let chunk = declarations(&probed)
            .into_iter()
            .find(|chunk| (chunk.start as usize..chunk.end as usize).contains(&start))?;
        let (first, last) = (chunk.start as usize, chunk.end as usize);
        let around = (&probed.text[..first], &probed.text[last..]);
        let attempts = attempts(probed.slice(chunk), start - first, name.len());
        attempts.into_iter().find_map(|attempt| {
            let item = self.declaration(&attempt)?;
            if self.stands_alone(&item) {
                let place = Span::new(first, last + text.len() - probed.text.len());
                return self.look_with(place, item, &name);
            }
            let text = format!("{}{attempt}{}", around.0, around.1);
            let opened = OpenedFile { name: &self.source.name, text: &text, folder: &self.kept };
            index_symbols(&assemble(&mut Sources::default(), &opened).ast, Some(&name)).context
        })
    }

    /// The declaration that a text is, if it has no mistake of form. Its places are none of the
    /// file.
    fn declaration(&self, text: &str) -> Option<Item> {
        let base = self.sources.iter().map(|it| it.base + it.text.len() + 1).max()?;
        let (ast, diagnostics) = parse(&Source { base, ..Source::new("", text) });
        let [item] = <[Item; 1]>::try_from(ast.items).ok()?;
        (!diagnostics.has_errors()).then_some(item)
    }

    /// Whether a declaration means the same whatever other files and declarations it stands with.
    fn stands_alone(&self, item: &Item) -> bool {
        let is_layer = |item: &Item| {
            matches!(
                item.kind,
                ItemKind::Use(_)
                    | ItemKind::Variant(_)
                    | ItemKind::Replace(_)
                    | ItemKind::Remove(_)
                    | ItemKind::More(_)
            )
        };
        !self.names_others() && !is_layer(item) && !self.assembled.own.items.iter().any(is_layer)
    }

    /// The expectation at `name` if the declaration around it is replaced by `item`. Others are not read again.
    fn look_with(&self, place: Span, item: Item, name: &str) -> Option<CompletionContext> {
        let mut items = self.assembled.own.items.clone();
        let first = items.partition_point(|it| it.span.start < place.start);
        let last = items.partition_point(|it| it.span.start < place.end).max(first);
        items.splice(first..last, [item]);
        index_symbols(&Ast { items, files: Vec::new() }, Some(name)).context
    }
}

fn field(text: &str, detail: &str) -> WordProposal {
    let (text, detail) = (text.to_owned(), detail.to_owned());
    WordProposal { text, sort: Sort::Variable, detail, notes: Vec::new(), rank: 0 }
}

fn propose_keywords(place: WordContext) -> impl Iterator<Item = WordProposal> {
    words_at(place).map(|word| WordProposal {
        sort: Sort::Word,
        notes: vec![word.help.to_owned()],
        rank: WORD,
        ..field(word.word, "")
    })
}

fn type_kind(ty: &Type) -> Option<KindId> {
    match ty {
        Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
        Type::Maybe(inner) => type_kind(inner),
        _ => None,
    }
}

/// Whether a value of the type may stand where another is wanted.
fn is_compatible(ty: &Type, want: &Type) -> bool {
    ty == want || type_kind(ty).is_some() && type_kind(ty) == type_kind(want)
}

/// The word around an offset: where it begins and ends. Both are the offset if there is none.
pub(super) fn word_around(text: &str, offset: usize) -> (usize, usize) {
    let offset = text.floor_char_boundary(offset);
    let before = text[..offset].chars().rev().take_while(|letter| is_part(*letter)).count();
    let after = text[offset..].chars().take_while(|letter| is_part(*letter)).count();
    // Letters of words are one byte long.
    (offset - before, offset + after)
}

/// How many bytes are tried for one proposal: each is read as a part of the file.
const MOST_TRIED: usize = 1_000_000;

/// The texts that are tried for a declaration that is being written, the likeliest first: with all
/// that follows the name, and with nothing of it but the brackets that are open.
fn attempts(text: &str, at: usize, length: usize) -> Vec<String> {
    let (before, after) = text.split_at(at + length);
    let closing = closers(&text[..at]);
    if closing.len() > 2 * MAX_NESTING {
        return Vec::new();
    }
    let whole = ENDINGS.iter().map(|ending| format!("{before}{ending}{after}"));
    let cut = ENDINGS.iter().map(|ending| format!("{before}{ending}{closing}"));
    // Brackets that stand around a header belong to it, those further out to blocks.
    let headers = (1..=closing.len())
        .map(|inner| format!("{before}{} {{ }}{}", &closing[..inner], &closing[inner..]));
    let mut room = MOST_TRIED;
    let has_room = |attempt: &String| {
        let has_room = room > 0;
        room = room.saturating_sub(attempt.len());
        has_room
    };
    whole.chain(cut).chain(headers).take_while(has_room).collect()
}

/// The brackets that are open at the end of a text, closed from the innermost on.
fn closers(text: &str) -> String {
    let mut closing = String::new();
    for bracket in tokenize(text).open.iter().rev() {
        closing.push(match bracket.letter {
            '(' => ')',
            '[' => ']',
            _ => '}',
        });
        // The hole of a text is closed with its quote.
        if bracket.hole {
            closing.push('"');
        }
    }
    closing
}

/// Whether a name can stand at an offset: not in a comment, not in the words of a text.
pub(super) fn takes_names(text: &str, offset: usize) -> bool {
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = tokenize(&text[start..offset]);
    let in_comment = line.all.last().is_some_and(|it| it.kind == TokenKind::Comment);
    !in_comment && !line.in_text
}
