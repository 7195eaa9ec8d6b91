//! What names mean where they stand, kept while a file is checked: what editors ask for.

mod describe;

use std::collections::BTreeMap;

use crate::check::context::Checker;
use crate::check::no_rules;
use crate::check::on_large_stack;
use crate::check::rules::{
    ConstantId, KindId, Local, LocalId, OptionId, RuleId, Rules, TableId, Type, VarId,
};
use crate::check::scope::{Global, Meaning};
use crate::check::types::kind_of;
use crate::check::written::typed_name;
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::syntax::ast::{self, Ast};

pub use describe::Description;

/// What a check found out of a file, be it right or wrong.
#[derive(Clone, Debug)]
pub struct SymbolIndex {
    /// The rules, as far as they could be understood: where the file is wrong they only tell of
    /// names and types, and cannot be compiled.
    pub rules: Rules,
    /// Whether they can be compiled.
    pub sound: bool,
    /// The places of names and what stands there, in order.
    pub uses: Vec<Use>,
    /// The locals of all bodies, by the places where they are declared.
    pub locals: BTreeMap<Span, Local>,
    /// The groups of moves: name, head, notes.
    pub groups: Vec<Moves>,
    /// What can stand at the place that was asked for.
    pub sight: Option<CompletionContext>,
    /// All errors and warnings.
    pub diagnostics: Diagnostics,
}

/// A group of moves, as editors show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Its name.
    pub name: String,
    /// Its head, as it is written: `card_play(me: Player)`.
    pub head: String,
    /// The `##` lines above it.
    pub notes: Vec<String>,
    /// Where its name is declared.
    pub span: Span,
}

/// A name where it stands, and what it means there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The name.
    pub span: Span,
    /// What it means.
    pub means: Symbol,
}

/// What a name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A kind.
    Kind(KindId),
    /// A member of a kind, by its position.
    Member(KindId, usize),
    /// A column of a kind, by its position.
    Column(KindId, usize),
    /// An option.
    Option(OptionId),
    /// A constant.
    Constant(ConstantId),
    /// A table.
    Table(TableId),
    /// A variable of the state.
    Var(VarId),
    /// A rule.
    Rule(RuleId),
    /// A group of moves, by its position.
    Moves(usize),
    /// A local, by the place where it is declared.
    Local(Span),
}

/// What can stand where a name stands.
#[derive(Clone, Debug)]
pub enum CompletionContext {
    /// A value: these locals can be seen, and this type is expected.
    Value(Vec<Local>, Option<Type>),
    /// Something behind the dot of a value.
    Member(Type),
    /// Something behind the dot of a kind.
    OfKind(KindId),
    /// A type.
    Type,
    /// A coin of a player.
    Coin,
    /// A group of moves.
    Moves,
    /// A cell: one of the members of the kind, if that is known.
    Cell(Option<KindId>),
}

/// What a check keeps for editors while it goes on.
#[derive(Default)]
pub(super) struct SymbolRecorder {
    uses: Vec<Use>,
    locals: BTreeMap<Span, Local>,
    /// The names that a body keeps values under, with their places.
    kept_names: BTreeMap<Span, String>,
    /// The name that stands where something shall be completed.
    probe: Option<String>,
    sight: Option<CompletionContext>,
}

impl SymbolRecorder {
    /// What names mean where they stand, in the order in which they were found.
    pub(super) fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// The names that a `let` or `var` declares.
    pub(super) fn kept_names(&self) -> &BTreeMap<Span, String> {
        &self.kept_names
    }
}

/// Checks a file as [`check`](crate::check::check) does and keeps what its names mean. Where a name
/// is called `probe` it is found out what could stand there.
pub fn study(ast: &Ast, probe: Option<&str>) -> SymbolIndex {
    on_large_stack(|| {
        let mut checker = Checker::new(no_rules());
        let probe = probe.map(str::to_owned);
        checker.notebook = Some(SymbolRecorder { probe, ..SymbolRecorder::default() });
        checker.check_file(ast);
        checker.studied(ast)
    })
}

impl Checker<'_> {
    fn studied(mut self, ast: &Ast) -> SymbolIndex {
        self.settle_account();
        let (groups, advice) = (moves(&self, ast), self.advice());
        let SymbolRecorder { mut uses, mut locals, sight, .. } = self.notebook.unwrap_or_default();
        uses.sort_unstable();
        uses.dedup_by_key(|it| it.span);
        let of_rules = self.rules.rules.iter().flat_map(|rule| &rule.locals);
        // Locals that no name reaches have the places of values.
        for local in of_rules.filter(|local| local.span.len() == local.name.len()) {
            locals.entry(local.span).or_insert_with(|| local.clone());
        }
        let sound = !self.diagnostics.has_errors();
        let (rules, mut diagnostics) = (self.rules, self.diagnostics);
        diagnostics.extend(advice);
        SymbolIndex { rules, sound, uses, locals, groups, sight, diagnostics }
    }

    /// Keeps what a name means.
    pub(super) fn note(&mut self, span: Span, means: Symbol) {
        if let Some(notebook) = &mut self.notebook {
            notebook.uses.push(Use { span, means });
        }
    }

    /// Keeps that a `let` or `var` declares a name.
    pub(super) fn note_kept(&mut self, name: &ast::Name) {
        if let Some(notebook) = &mut self.notebook {
            notebook.kept_names.insert(name.span, name.text.clone());
        }
    }

    /// Keeps which local a name means.
    pub(super) fn note_local(&mut self, span: Span, local: LocalId) {
        if self.notebook.is_some() {
            let local = self.local(local).clone();
            self.note(span, Symbol::Local(local.span));
            if let Some(notebook) = &mut self.notebook {
                notebook.locals.insert(local.span, local);
            }
        }
    }

    /// Keeps what a bare name means.
    pub(super) fn note_meaning(&mut self, span: Span, meaning: Meaning) {
        match meaning {
            Meaning::Local(local) => self.note_local(span, local),
            Meaning::Global(Global::Var(var)) => self.note(span, Symbol::Var(var)),
            Meaning::Global(Global::Option(option)) => self.note(span, Symbol::Option(option)),
            Meaning::Global(Global::Constant(it)) => self.note(span, Symbol::Constant(it)),
            Meaning::Global(Global::Table(table)) => self.note(span, Symbol::Table(table)),
            Meaning::Kind(kind) => self.note(span, Symbol::Kind(kind)),
            Meaning::Players | Meaning::LegalMoves | Meaning::Directions(_) => {}
        }
    }

    /// Keeps which kind a name means, if there is one of this name.
    pub(super) fn note_kind(&mut self, name: &ast::Name) {
        if let Some(kind) = self.names.kinds.get(&name.text).copied() {
            self.note(name.span, Symbol::Kind(kind));
        }
    }

    /// Keeps what the words of a heading mean; of several for a column the check reads one.
    pub(super) fn note_head(&mut self, kind: KindId, name: &ast::Name, head: &ast::Head) {
        let columns = &self.kind(kind).columns;
        let Some(at) = columns.iter().position(|column| column.name == name.text) else { return };
        let ty = columns[at].ty.clone();
        self.note(name.span, Symbol::Column(kind, at));
        if let Some(written) = &head.ty {
            self.note_type(written);
        }
        if let (Some(cell), Some(of)) = (&head.default, kind_of(&ty))
            && let ast::CellKind::Name(word) = &cell.kind
            && let Some(at) = self.member_of(of, word)
        {
            self.note(cell.span, Symbol::Member(of, at));
        }
    }

    fn note_type(&mut self, written: &ast::TypeExpr) {
        match &written.kind {
            ast::TypeKind::Kind(name) => self.note_kind(name),
            ast::TypeKind::Set(of) | ast::TypeKind::Maybe(of) => self.note_type(of),
            _ => {}
        }
    }

    /// Whether something shall be completed where this name stands.
    pub(super) fn is_probe(&self, name: &str) -> bool {
        let probe = self.notebook.as_ref().and_then(|notebook| notebook.probe.as_deref());
        probe == Some(name)
    }

    /// Keeps what can stand where something shall be completed.
    pub(super) fn see(&mut self, name: &str, sight: impl FnOnce(&Self) -> CompletionContext) {
        if self.is_probe(name) {
            let sight = sight(self);
            if let Some(notebook) = &mut self.notebook {
                notebook.sight = Some(sight);
            }
        }
    }

    /// The locals that can be seen, and what type is expected.
    pub(super) fn value_sight(&self, want: Option<&Type>) -> CompletionContext {
        let visible = self.body.visible.iter().map(|local| self.local(local).clone());
        CompletionContext::Value(visible.collect(), want.cloned())
    }
}

/// The groups of moves in the order of the file, with the notes above them.
fn moves(checker: &Checker, ast: &Ast) -> Vec<Moves> {
    let items = ast.items.iter().filter_map(|item| match &item.kind {
        ast::ItemKind::Moves(moves) => Some((moves, &item.notes)),
        _ => None,
    });
    let groups = items.zip(&checker.groups).map(|((moves, notes), group)| {
        let params: Vec<String> =
            group.params.iter().map(|param| typed_name(&checker.rules, param)).collect();
        let head = format!("{}({})", moves.name.text, params.join(", "));
        let name = moves.name.text.clone();
        Moves { name, head, notes: notes.clone(), span: moves.name.span }
    });
    groups.collect()
}
