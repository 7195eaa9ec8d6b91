//! Symbol index for editors: what each name means where it stands, recorded while checking.

mod describe;

use std::collections::BTreeMap;

use crate::check::context::Checker;
use crate::check::rules::{
    ConstantId, KindId, Local, LocalId, OptionId, RuleId, Rules, TableId, Type, VarId,
};
use crate::check::scope::{Global, Meaning};
use crate::check::types::kind_of;
use crate::check::written::typed_name;
use crate::check::{no_rules, on_large_stack};
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::syntax::ast::{self, Ast};

pub use describe::Description;

/// What a check found out of a file, be it right or wrong.
#[derive(Clone, Debug)]
pub struct SymbolIndex {
    /// The rules, as far as they could be understood: where the file is wrong they only hold names
    /// and types, and cannot be compiled.
    pub rules: Rules,
    /// Whether they can be compiled.
    pub sound: bool,
    /// The names and what they mean, in the order of their places.
    pub uses: Vec<Use>,
    /// The locals of all bodies, by the places where they are declared.
    pub locals: BTreeMap<Span, Local>,
    pub groups: Vec<Moves>,
    /// What can stand at the place that was asked for.
    pub context: Option<CompletionContext>,
    pub diagnostics: Diagnostics,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    pub name: String,
    /// Its head, as it is written: `card_play(me: Player)`.
    pub head: String,
    pub notes: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub span: Span,
    pub means: Symbol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    Kind(KindId),
    /// A member of a kind, by its position.
    Member(KindId, usize),
    /// A column of a kind, by its position.
    Column(KindId, usize),
    Option(OptionId),
    Constant(ConstantId),
    Table(TableId),
    Var(VarId),
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
    Type,
    /// A coin of a player.
    Coin,
    Moves,
    /// A cell: one of the members of the kind, if that is known.
    Cell(Option<KindId>),
}

/// What a check keeps for editors while it goes on.
#[derive(Default)]
pub(super) struct SymbolRecorder {
    /// What names mean where they stand, in the order in which they were found.
    pub(super) uses: Vec<Use>,
    locals: BTreeMap<Span, Local>,
    /// The names that a `let` or `var` declares, with their places.
    pub(super) kept_names: BTreeMap<Span, String>,
    /// The name that stands where something shall be completed.
    probe: Option<String>,
    context: Option<CompletionContext>,
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
        let SymbolRecorder { mut uses, mut locals, context, .. } =
            self.notebook.unwrap_or_default();
        uses.sort_unstable();
        uses.dedup_by_key(|it| it.span);
        let of_rules = self.rules.rules.iter().flat_map(|rule| &rule.locals);
        // Locals that no name reaches have the places of values.
        for local in of_rules.filter(|local| local.span.len() == local.name.len()) {
            locals.entry(local.span).or_insert_with(|| local.clone());
        }
        let sound = !self.diagnostics.has_errors();
        let Checker { rules, mut diagnostics, .. } = self;
        diagnostics.extend(advice);
        SymbolIndex { rules, sound, uses, locals, groups, context, diagnostics }
    }

    pub(super) fn note(&mut self, span: Span, means: Symbol) {
        if let Some(notebook) = &mut self.notebook {
            notebook.uses.push(Use { span, means });
        }
    }

    pub(super) fn note_kept(&mut self, name: &ast::Name) {
        if let Some(notebook) = &mut self.notebook {
            notebook.kept_names.insert(name.span, name.text.clone());
        }
    }

    pub(super) fn note_local(&mut self, span: Span, local: LocalId) {
        if let Some(notebook) = &mut self.notebook {
            let local = &self.body.locals[local.index()];
            notebook.uses.push(Use { span, means: Symbol::Local(local.span) });
            notebook.locals.insert(local.span, local.clone());
        }
    }

    pub(super) fn note_meaning(&mut self, span: Span, meaning: Meaning) {
        match meaning {
            Meaning::Local(local) => self.note_local(span, local),
            Meaning::Global(Global::Var(var)) => self.note(span, Symbol::Var(var)),
            Meaning::Global(Global::Option(option)) => self.note(span, Symbol::Option(option)),
            Meaning::Global(Global::Constant(it)) => self.note(span, Symbol::Constant(it)),
            Meaning::Global(Global::Table(table)) => self.note(span, Symbol::Table(table)),
            Meaning::Kind(kind) => self.note(span, Symbol::Kind(kind)),
            Meaning::Players | Meaning::Turn | Meaning::Directions(_) => {}
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

    /// Keeps what can stand where something shall be completed.
    pub(super) fn see(&mut self, name: &str, context: impl FnOnce(&Self) -> CompletionContext) {
        if self.notebook.as_ref().is_some_and(|notebook| notebook.probe.as_deref() == Some(name)) {
            let context = context(self);
            if let Some(notebook) = &mut self.notebook {
                notebook.context = Some(context);
            }
        }
    }

    pub(super) fn value_sight(&self, want: Option<&Type>) -> CompletionContext {
        let visible = self.body.visible.iter().map(|local| self.local(local).clone());
        CompletionContext::Value(visible.collect(), want.cloned())
    }
}

/// The groups of moves in the order of the file, with the notes above them.
fn moves(checker: &Checker, ast: &Ast) -> Vec<Moves> {
    let items = ast.items.iter().filter_map(|item| match &item.kind {
        ast::ItemKind::Moves(moves) => Some((&moves.name, &item.notes)),
        _ => None,
    });
    let groups = items.zip(&checker.groups).map(|((name, notes), group)| {
        let params = group.params.iter().map(|param| typed_name(&checker.rules, param));
        let head = format!("{}({})", name.text, params.collect::<Vec<_>>().join(", "));
        Moves { name: name.text.clone(), head, notes: notes.clone(), span: name.span }
    });
    groups.collect()
}
