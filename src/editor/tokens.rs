//! Semantic tokens: what each word of a file is, so that an editor can colour it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::check::Symbol;
use crate::editor::{Document, word};
use crate::source::Span;
use crate::syntax::{TokenKind, tokenize};

/// A word, number, text or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub sort: TokenSort,
    /// Whether it is a name where it is declared.
    pub declared: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenSort {
    /// A comment or a note.
    Comment,
    /// A text in quotes.
    Text,
    /// A number.
    Number,
    /// A word of the language.
    Word,
    /// A kind.
    Kind,
    /// A member of a kind.
    Member,
    /// A rule.
    Rule,
    /// A group of moves.
    Moves,
    /// A column of a kind.
    Column,
    /// A variable of the players or the table.
    Variable,
    /// A name in a body.
    Local,
    /// An option, a constant or a table.
    Constant,
}

impl Document {
    /// The tokens that begin in a part of the text, in order.
    pub fn tokens(&self, within: Range<usize>) -> Vec<Token> {
        let text = &self.source.text;
        let names = self.names();
        let pieces = tokenize(text).all.into_iter().filter(|it| within.contains(&it.start));
        let tokens = pieces.filter_map(|piece| {
            let span = Span::new(self.source.base + piece.start, self.source.base + piece.end());
            let meaning = names.get(&span).filter(|_| piece.kind == TokenKind::Word);
            let sort = match piece.kind {
                TokenKind::Comment => TokenSort::Comment,
                TokenKind::Text => TokenSort::Text,
                TokenKind::Number => TokenSort::Number,
                TokenKind::Word => match meaning {
                    Some((thing, _)) => sort_of(*thing),
                    None => word(piece.text).map(|_| TokenSort::Word)?,
                },
                _ => return None,
            };
            let declared = meaning.is_some_and(|(_, declared)| *declared);
            Some(Token { span, sort, declared })
        });
        tokens.collect()
    }

    /// What all names mean, and whether they are declared there.
    fn names(&self) -> BTreeMap<Span, (Symbol, bool)> {
        let uses = self.study.uses.iter().map(|it| (it.span, (it.means, false)));
        let locals = self.study.locals.keys().map(|span| (*span, (Symbol::Local(*span), true)));
        let declared = self.declared().into_iter().map(|(span, thing)| (span, (thing, true)));
        uses.chain(locals).chain(declared).collect()
    }
}

fn sort_of(thing: Symbol) -> TokenSort {
    match thing {
        Symbol::Kind(_) => TokenSort::Kind,
        Symbol::Member(..) => TokenSort::Member,
        Symbol::Column(..) => TokenSort::Column,
        Symbol::Option(_) | Symbol::Constant(_) | Symbol::Table(_) => TokenSort::Constant,
        Symbol::Var(_) => TokenSort::Variable,
        Symbol::Rule(_) => TokenSort::Rule,
        Symbol::Moves(_) => TokenSort::Moves,
        Symbol::Local(_) => TokenSort::Local,
    }
}
