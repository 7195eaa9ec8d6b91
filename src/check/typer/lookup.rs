//! `Lookup`: read-only questions about names and expressions in a scope.

use crate::check::file::FileContext;
use crate::check::names::Meaning;
use crate::check::recorder::CompletionContext;
use crate::check::typer::scope::Scope;
use crate::check::words::BASE;
use crate::rules::topology::DIRECTION_SETS;
use crate::rules::{Array, Domain, Expr, RuleId, Type};
use crate::source::Span;
use crate::syntax::ast;

/// A view of the file and of a body: only reads.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'s> {
    pub(crate) file: &'s FileContext<'s>,
    pub(crate) scope: &'s Scope,
}

/// What a name, a dot or `[ ]` leads to.
pub(crate) enum NameAccess<'e> {
    Element(StoredElement<'e>),
    Value(Expr),
}

/// Something that is stored, and the indices that are written after it.
pub(crate) struct StoredElement<'e> {
    pub(crate) target: Array,
    /// Whose it is, when each player has one.
    pub(crate) owner: Option<Expr>,
    /// The written indices; not yet checked.
    pub(crate) args: &'e [ast::Expr],
    pub(crate) span: Span,
}

impl Lookup<'_> {
    pub(crate) fn is_list(self, element: &StoredElement) -> bool {
        let (_, dims, ty) = self.stored(element.target);
        dims.is_empty() && element.args.is_empty() && matches!(ty, Type::List(..))
    }

    /// Whether a name is that of one bag, which takes one good in brackets.
    pub(crate) fn is_bag(self, element: &StoredElement) -> bool {
        let (_, dims, ty) = self.stored(element.target);
        dims.is_empty() && element.args.is_empty() && self.file.rules.bag_of(&ty).is_some()
    }

    /// Whether an expression is a bare name that can only be a member.
    pub(crate) fn is_bare_member(self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.meaning(&name.text).is_none(),
            ast::ExprKind::None => true,
            ast::ExprKind::Goods(_, binders) => binders.is_empty(),
            ast::ExprKind::Set(items) => items.iter().all(|item| self.is_bare_member(item)),
            ast::ExprKind::List(items) => items.iter().all(|item| {
                matches!(item.kind, ast::ExprKind::Number(_)) || self.is_bare_member(item)
            }),
            ast::ExprKind::Range(low, high) => {
                self.is_bare_member(low) && self.is_bare_member(high)
            }
            _ => false,
        }
    }

    pub(crate) fn stored(self, target: Array) -> (String, Vec<Domain>, Type) {
        match target {
            Array::Local(local) => {
                let local = self.scope.local_at(local);
                (local.name.clone(), local.dims.clone(), local.ty.clone())
            }
            Array::Var(var) | Array::Pile(var) => {
                let var = self.file.rules.var_at(var);
                (var.name.clone(), var.dims.clone(), var.ty.clone())
            }
            Array::Table(table) => {
                let table = &self.file.rules.tables[table.index()];
                (table.name.clone(), table.dims.clone(), table.ty.clone())
            }
        }
    }

    pub(crate) fn rule_named(self, name: &str) -> Option<RuleId> {
        let replaced = self.scope.base.filter(|_| name == BASE);
        self.file.names.rules.get(name).copied().or(replaced)
    }

    pub(crate) fn value_context(self, want: Option<&Type>) -> CompletionContext {
        let visible = self.scope.visible.iter().map(|local| self.scope.local_at(local).clone());
        CompletionContext::Value(visible.collect(), want.cloned())
    }

    /// What a bare name means, members aside.
    pub(crate) fn meaning(self, name: &str) -> Option<Meaning> {
        if let Some(local) = self.scope.visible.find_local(name) {
            return Some(Meaning::Local(local));
        }
        if let Some(global) = self.file.names.globals.get(name) {
            return Some(Meaning::Global(*global));
        }
        match name {
            "players" => Some(Meaning::Players),
            "turn" => Some(Meaning::Turn),
            "orthogonal" | "diagonal" if self.file.direction_set(name).is_some() => {
                let known = DIRECTION_SETS.iter().find(|(word, _)| *word == name);
                known.map(|(word, _)| Meaning::Directions(word))
            }
            _ => self.file.names.kinds.get(name).map(|kind| Meaning::Kind(*kind)),
        }
    }
}
