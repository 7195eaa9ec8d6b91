//! Records uses of names during the check, for the symbol index and completion.

use std::collections::BTreeMap;

use crate::check::names::{Global, Meaning};
use crate::rules::{KindId, Local, RuleId, Type};
use crate::source::Span;
use crate::syntax::ast;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Symbol {
    Kind(KindId),
    /// A member of a kind, by its position.
    Member(KindId, usize),
    /// A column of a kind, by its position.
    Column(KindId, usize),
    Global(Global),
    Rule(RuleId),
    /// A group of moves, by its position.
    Moves(usize),
    /// A local, by the place where it is declared.
    Local(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SymbolUse {
    pub(crate) span: Span,
    pub(crate) means: Symbol,
}

/// What can stand where a name stands.
#[derive(Clone, Debug)]
pub(crate) enum CompletionContext {
    /// A value: these locals can be seen, and this type is expected.
    Value(Vec<Local>, Option<Type>),
    /// Something after the dot of a value.
    Member(Type),
    /// Something after the dot of a kind.
    OfKind(KindId),
    Type,
    /// After the dot of a history.
    OfHistory,
    Coin,
    Moves,
    /// A cell: one of the members of the kind, if that is known.
    Cell(Option<KindId>),
}

/// What a check keeps for editors while it goes on.
#[derive(Default)]
pub(crate) struct SymbolRecorder {
    /// What names mean where they stand, in the order in which they were found.
    pub(crate) uses: Vec<SymbolUse>,
    pub(crate) locals: BTreeMap<Span, Local>,
    /// The names that a `let` or `var` declares, with their places.
    pub(crate) kept_names: BTreeMap<Span, String>,
    /// The name that stands where something shall be completed.
    pub(crate) probe: Option<String>,
    pub(crate) context: Option<CompletionContext>,
}

/// What stands after the dot of a history.
pub(crate) const HISTORY_FIELD: &str = "times";

impl SymbolRecorder {
    /// True at the name whose possible completions are sought.
    pub(crate) fn is_probe(&self, name: &str) -> bool {
        self.probe.as_deref() == Some(name)
    }

    pub(crate) fn note_use(&mut self, span: Span, means: Symbol) {
        self.uses.push(SymbolUse { span, means });
    }

    pub(crate) fn note_local(&mut self, span: Span, local: &Local) {
        self.note_use(span, Symbol::Local(local.span));
        self.locals.insert(local.span, local.clone());
    }

    pub(crate) fn note_meaning(&mut self, span: Span, meaning: Meaning, locals: &[Local]) {
        match meaning {
            Meaning::Local(local) => self.note_local(span, &locals[local.index()]),
            Meaning::Global(global) => self.note_use(span, Symbol::Global(global)),
            Meaning::Kind(kind) => self.note_use(span, Symbol::Kind(kind)),
            Meaning::Players | Meaning::Turn | Meaning::Directions(_) => {}
        }
    }

    pub(crate) fn note_kept(&mut self, name: &ast::Name) {
        self.kept_names.insert(name.span, name.text.clone());
    }

    /// Keeps what can stand where something shall be completed.
    pub(crate) fn see(&mut self, name: &str, context: CompletionContext) {
        if self.is_probe(name) {
            self.context = Some(context);
        }
    }
}
