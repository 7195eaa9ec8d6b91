//! Advice about a file that is right: what nothing uses, and sets that swallow what is equal.

use std::collections::BTreeSet;

use crate::check::context::Checker;
use crate::check::error::Advice;
use crate::check::rules::{
    Column, Domain, Expr, ExprKind, KindId, PLAYER, Rule, Rules, Shape, StmtKind, Type,
};
use crate::check::symbols::{Symbol, SymbolRecorder};
use crate::check::visit::visit_stmts;
use crate::diagnostic::Diagnostics;
use crate::source::Span;
use crate::syntax::ast::FoldWord;

/// Columns that are read by people.
const FOR_PEOPLE: [&str; 2] = ["title", "text"];

impl Checker<'_> {
    /// Everything that is right and still looks like a mistake.
    pub(super) fn advice(&self) -> Diagnostics {
        let mut found = Diagnostics::new();
        if self.diagnostics.has_errors() {
            return found;
        }
        if let Some(notebook) = &self.notebook {
            let used = self.used(notebook);
            self.idle_names(notebook, &used, &mut found);
            self.idle_columns(&used, &mut found);
            self.idle_rules(notebook, &mut found);
        }
        self.rules.rules.iter().for_each(|rule| swallows(rule, &mut found));
        found
    }

    /// The places of the declarations that something beside them names.
    fn used(&self, notebook: &SymbolRecorder) -> BTreeSet<Span> {
        let declared = |thing| match thing {
            Symbol::Kind(kind) => self.kind(kind).span,
            Symbol::Member(kind, at) => self.kind(kind).members[at].span,
            Symbol::Column(kind, at) => self.kind(kind).columns[at].span,
            Symbol::Option(option) => self.rules.options[option.index()].span,
            Symbol::Constant(constant) => self.rules.constants[constant.index()].span,
            Symbol::Table(table) => self.rules.tables[table.index()].span,
            Symbol::Var(var) => self.rules.vars[var.index()].span,
            Symbol::Rule(rule) => self.rules.rules[rule.index()].span,
            Symbol::Moves(_) => Span::default(),
            Symbol::Local(span) => span,
        };
        let uses = notebook.uses().iter().map(|it| (it.span, declared(it.means)));
        uses.filter(|(span, declared)| span != declared).map(|(_, declared)| declared).collect()
    }

    fn idle_names(
        &self,
        notebook: &SymbolRecorder,
        used: &BTreeSet<Span>,
        found: &mut Diagnostics,
    ) {
        let mut idle = |what, name: &str, span: Span| {
            if !used.contains(&span) {
                found.push(Advice::UnusedName { what, name: name.to_owned(), span });
            }
        };
        let Rules { constants, tables, vars, .. } = &self.rules;
        constants.iter().for_each(|it| idle("the constant", &it.name, it.span));
        let drawn = tables.iter().filter(|table| !table.is_computed());
        drawn.for_each(|it| idle("the table", &it.name, it.span));
        vars.iter().for_each(|it| idle("the variable", &it.name, it.span));
        for (span, name) in notebook.kept_names() {
            idle("the name", name, *span);
        }
        for option in self.rules.options.iter().filter(|option| !used.contains(&option.span)) {
            let (name, span) = (option.name.clone(), option.span);
            found.push(Advice::IdleOption {
                help: self.way_to_read(&name, &option.ty),
                name,
                span,
            });
        }
    }

    /// What to do about an option that nothing reads.
    fn way_to_read(&self, name: &str, ty: &Type) -> String {
        let others = self.rules.options.iter().map(|it| it.name.as_str()).filter(|it| *it != name);
        if let Some(near) = self.guesses.nearest(name, others) {
            return format!("did you mean `{near}`?");
        }
        let form = if *ty == Type::Bool {
            format!("`if {name} …`")
        } else {
            format!("`if {name} == …`")
        };
        format!("read it where the game is another one, as in {form}, or take it out")
    }

    fn idle_columns(&self, used: &BTreeSet<Span>, found: &mut Diagnostics) {
        let kinds = self.rules.kinds.iter().filter(|kind| matches!(kind.shape, Shape::Plain));
        for kind in kinds {
            let is_idle = |column: &&Column| {
                let drawn = kind.span.end <= column.span.start && !column.span.is_empty();
                drawn && !used.contains(&column.span) && !FOR_PEOPLE.contains(&column.name.as_str())
            };
            // A part has the columns of its whole too, which belong to the whole.
            for column in kind.named_columns().filter(is_idle) {
                let (name, kind) = (column.name.clone(), kind.name.clone());
                found.push(Advice::UnreadColumn { name, kind, span: column.span });
            }
        }
    }

    fn idle_rules(&self, notebook: &SymbolRecorder, found: &mut Diagnostics) {
        let mut called = vec![false; self.rules.rules.len()];
        for it in notebook.uses() {
            if let Symbol::Rule(rule) = it.means
                && let Some(entry) = self.tree.rules.get(rule.index())
            {
                let within = entry.span.start <= it.span.start && it.span.end <= entry.span.end;
                called[rule.index()] |= !within;
            }
        }
        for (at, called) in called.into_iter().take(self.tree.rules.len()).enumerate() {
            if !called {
                let rule = &self.rules.rules[at];
                found.push(Advice::UncalledRule { name: rule.name.clone(), span: rule.span });
            }
        }
    }
}

/// Finds sets of values that are added up, or gone over, one by one.
fn swallows(rule: &Rule, found: &mut Diagnostics) {
    rule.visit(&mut |expr| {
        if let ExprKind::Fold { word: FoldWord::Sum, binder, .. } = &expr.kind
            && may_swallow(&binder.set)
        {
            let what = "the sum counts only one of them";
            let help = "add up over the members themselves: `sum(x in S: E)`";
            found.push(Advice::Swallowed { what, help, span: binder.set.span });
        }
    });
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::For { binder, .. } = &stmt.kind
            && matches!(binder.set.kind, ExprKind::SetOf(_))
            && may_swallow(&binder.set)
        {
            let what = "this happens only once for them";
            let help =
                "write what happens for each of them, or keep it in a rule and call it for each";
            found.push(Advice::Swallowed { what, help, span: binder.set.span });
        }
    });
}

/// Whether a set is made of values that may be equal without anybody seeing it.
fn may_swallow(set: &Expr) -> bool {
    let of_players = matches!(set.ty, Type::Set(Domain::Kind(KindId(kind))) if kind == PLAYER.0);
    match &set.kind {
        _ if of_players => false,
        ExprKind::Image(value, binder) => {
            !matches!(value.kind, ExprKind::Local(local) if local == binder.local)
        }
        ExprKind::SetOf(items) => {
            let open = items.iter().filter(|item| !matches!(item.kind, ExprKind::Value(_)));
            items.len() > 1 && open.count() > 0
        }
        _ => false,
    }
}
