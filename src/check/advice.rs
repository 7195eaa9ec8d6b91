//! Advice about a file that is right: what nothing uses, and sets that swallow what is equal.

use std::collections::BTreeSet;

use crate::check::card_advice::advise_on_cards;
use crate::check::error;
use crate::check::file::FileContext;
use crate::check::recorder::Symbol;
use crate::check::typer::folds::joining;
use crate::diagnostic::Diagnostics;
use crate::rules::print::expression_text;
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Column, Domain, Expr, ExprKind, KindShape, PLAYER, Rule, Rules, StmtKind, Type, VarId,
};
use crate::source::Span;

/// Columns that are read by people.
const FOR_PEOPLE: [&str; 2] = ["title", "text"];

/// Looks for what is right and still looks like a mistake.
pub(crate) struct Advice<'f> {
    pub(crate) file: &'f FileContext<'f>,
}

impl Advice<'_> {
    pub(crate) fn advice(&self) -> Diagnostics {
        let mut found = Diagnostics::new();
        if self.file.diagnostics.has_errors() {
            return found;
        }
        let used = self.used_declarations();
        self.unused_names(&used, &mut found);
        self.unread_columns(&used, &mut found);
        self.uncalled_rules(&mut found);
        self.file.rules.rules.iter().for_each(|rule| swallows(&self.file.rules, rule, &mut found));
        advise_on_cards(&self.file.rules, &mut found);
        found
    }

    /// The places of the declarations that something beside them names.
    fn used_declarations(&self) -> BTreeSet<Span> {
        let declared = |symbol| match symbol {
            Symbol::Kind(kind) => self.file.rules.kind_at(kind).span,
            Symbol::Member(kind, at) => self.file.rules.kind_at(kind).members[at].span,
            Symbol::Column(kind, at) => self.file.rules.kind_at(kind).columns[at].span,
            Symbol::Global(global) => self.file.declaration(global),
            Symbol::Rule(rule) => self.file.rules.rules[rule.index()].span,
            Symbol::Moves(_) => Span::default(),
            Symbol::Local(span) => span,
        };
        let uses = self.file.recorder.uses.iter().map(|it| (it.span, declared(it.means)));
        uses.filter(|(span, declared)| span != declared).map(|(_, declared)| declared).collect()
    }

    fn unused_names(&self, used: &BTreeSet<Span>, found: &mut Diagnostics) {
        let Rules { constants, tables, vars, histories, options, .. } = &self.file.rules;
        let constants = constants.iter().map(|it| ("the constant", &it.name, it.span));
        let tables = tables.iter().filter(|table| !table.is_computed());
        let tables = tables.map(|it| ("the table", &it.name, it.span));
        let own = |id: usize| Some(VarId::at(id)) != self.file.rules.turns_had;
        let vars = vars.iter().enumerate().filter(|(id, _)| own(*id));
        let vars = vars.map(|(_, it)| ("the variable", &it.name, it.span));
        let histories = histories.iter().map(|it| ("the history", &it.name, it.span));
        let kept =
            self.file.recorder.kept_names.iter().map(|(span, name)| ("the name", name, *span));
        let names = constants.chain(tables).chain(vars).chain(histories).chain(kept);
        for (what, name, span) in names.filter(|(_, _, span)| !used.contains(span)) {
            found.push(error::unused_name(what, name, span));
        }
        for option in options.iter().filter(|option| !used.contains(&option.span)) {
            let help = self.way_to_read(&option.name, &option.ty);
            found.push(error::idle_option(&option.name, help, option.span));
        }
    }

    /// The advice about an option that nothing reads.
    fn way_to_read(&self, name: &str, ty: &Type) -> String {
        let others =
            self.file.rules.options.iter().map(|it| it.name.as_str()).filter(|it| *it != name);
        if let Some(near) = self.file.guesses.nearest(name, others) {
            return format!("did you mean `{near}`?");
        }
        let test = if *ty == Type::Bool { "" } else { "== " };
        format!("read it where the game is another one, as in `if {name} {test}…`, or remove it")
    }

    fn unread_columns(&self, used: &BTreeSet<Span>, found: &mut Diagnostics) {
        let kinds =
            self.file.rules.kinds.iter().filter(|kind| matches!(kind.shape, KindShape::Plain));
        for kind in kinds {
            let is_idle = |column: &&Column| {
                let drawn = kind.span.end <= column.span.start && !column.span.is_empty();
                drawn && !used.contains(&column.span) && !FOR_PEOPLE.contains(&column.name.as_str())
            };
            // A part has the columns of its whole too, which belong to the whole.
            for column in kind.named_columns().filter(is_idle) {
                found.push(error::unread_column(&column.name, &kind.name, column.span));
            }
        }
    }

    fn uncalled_rules(&self, found: &mut Diagnostics) {
        let mut called = vec![false; self.file.rules.rules.len()];
        for it in &self.file.recorder.uses {
            if let Symbol::Rule(rule) = it.means
                && let Some(entry) = self.file.tree.rules.get(rule.index())
            {
                let within = entry.span.start <= it.span.start && it.span.end <= entry.span.end;
                called[rule.index()] |= !within;
            }
        }
        for (at, called) in called.into_iter().take(self.file.tree.rules.len()).enumerate() {
            if !called {
                let rule = &self.file.rules.rules[at];
                found.push(error::uncalled_rule(&rule.name, rule.span));
            }
        }
    }
}

/// Finds sets of values that are added up, or iterated, one by one.
fn swallows(rules: &Rules, rule: &Rule, found: &mut Diagnostics) {
    let mut swallowed = |set: &Expr, what: &str, help: &str| {
        if may_swallow(set) {
            found.push(error::swallowed(what, help, set.span));
        }
    };
    let text = |expr: &Expr| expression_text(rules, &rule.locals, expr);
    rule.visit_exprs(&mut |expr| {
        if let ExprKind::Fold { word, binder, body } = &expr.kind
            && let Some((verb, sign)) = joining(*word)
        {
            let word = word.word();
            // What is added for a value of the set.
            let value = |item: &Expr| {
                let mut value = body[0].clone();
                value.change_tree(&mut |part| {
                    if part.is_local(binder.local) {
                        part.kind = item.kind.clone();
                    }
                });
                text(&value)
            };
            let help = match &binder.set.kind {
                ExprKind::SetOf(items) => {
                    let values: Vec<String> = items.iter().map(value).collect();
                    format!("{verb} the values one by one: `{}`, or use a loop", values.join(sign))
                }
                ExprKind::Image(image, of) => {
                    let (name, set) = (&rule.locals[of.local.index()].name, text(&of.set));
                    format!(
                        "{word} over what has the values: `{word}({name} in {set}: {})`",
                        value(image)
                    )
                }
                _ => String::new(),
            };
            swallowed(&binder.set, &format!("the {word} counts only one of them"), &help);
        }
    });
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::For { binder, .. } = &stmt.kind
            && matches!(binder.set.kind, ExprKind::SetOf(_))
        {
            let help =
                "write what happens for each of them, or keep it in a rule and call it for each";
            swallowed(&binder.set, "this happens only once for them", help);
        }
    });
}

/// Whether a set is made of values that may be equal without anybody seeing it.
fn may_swallow(set: &Expr) -> bool {
    match &set.kind {
        _ if set.ty == Type::Set(Domain::Kind(PLAYER)) => false,
        ExprKind::Image(value, binder) => {
            !matches!(value.kind, ExprKind::Local(local) if local == binder.local)
        }
        ExprKind::SetOf(items) => {
            items.len() > 1 && items.iter().any(|item| !matches!(item.kind, ExprKind::Value(_)))
        }
        _ => false,
    }
}
