//! Orders declarations that need one another, finds cycles, and computes values that are known in every setting.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::names::Global;
use crate::check::recorder::Symbol;
use crate::check::words::quote_path;
use crate::eval::{Evaluator, Specialisation};
use crate::rules::{ConstantId, Expr, ExprKind, LocalId, Range, Value};
use crate::source::Span;
use crate::syntax::{ast, print_type};

/// How long a chain of constants may be that a size is computed by.
const LONGEST_SIZE: usize = 32;

/// How many names may depend on one another when their types are looked for.
const LONGEST_CHAIN: usize = 100;

/// How many steps one value may take.
const MOST_STEPS: usize = 1 << 16;

impl FileContext<'_> {
    pub(crate) fn has_broken_dims(&self, name: &str) -> bool {
        !self.written_dims(name).is_empty()
    }

    /// The value of an expression that is made of numbers and of constants made of numbers.
    pub(crate) fn written_number(&mut self, expr: &ast::Expr, depth: usize) -> Option<i64> {
        if depth > LONGEST_SIZE {
            return None;
        }
        match &expr.kind {
            ast::ExprKind::Number(number) => Some(*number),
            ast::ExprKind::Name(name) => {
                let mut constants = self.tree.constants.iter();
                let at = constants.position(|entry| entry.item.name.text == name.text)?;
                self.recorder
                    .note_use(name.span, Symbol::Global(Global::Constant(ConstantId::at(at))));
                self.written_number(&self.tree.constants[at].item.value, depth + 1)
            }
            ast::ExprKind::Binary(op, a, b) => {
                let a = self.written_number(a, depth + 1)?;
                let b = self.written_number(b, depth + 1)?;
                match op {
                    ast::BinaryOp::Add => a.checked_add(b),
                    ast::BinaryOp::Subtract => a.checked_sub(b),
                    ast::BinaryOp::Multiply => a.checked_mul(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number of the file in which something stands.
    pub(crate) fn file_at(&self, span: Span) -> usize {
        self.tree.files.partition_point(|begin| *begin <= span.start)
    }

    pub(crate) fn declaration(&self, global: Global) -> Span {
        match global {
            Global::Var(var) => self.rules.var_at(var).span,
            Global::Option(option) => self.rules.options[option.index()].span,
            Global::Constant(constant) => self.rules.constants[constant.index()].span,
            Global::Table(table) => self.rules.tables[table.index()].span,
            Global::History(history) => self.rules.histories[history.index()].span,
        }
    }

    /// Returns whether a declaration is to be checked now. Reports a cycle if its check has begun.
    pub(crate) fn begin_declaration(&mut self, name: &ast::Name, read: Span) -> bool {
        if self.checked.contains(&name.span) {
            return false;
        }
        if let Some(start) = self.searched(name) {
            let names = self.searching[start..].iter().copied().chain([name]);
            let path = quote_path(&names.map(|name| &name.text).collect::<Vec<_>>(), "needs");
            self.report_error(error::constant_cycle(&name.text, path, read, name.span));
            return false;
        }
        let is_near = self.searching.len() < LONGEST_CHAIN;
        if !is_near {
            self.report_error(error::long_chain(&name.text, name.span));
        }
        is_near
    }

    /// The place of a name among those that are being checked.
    pub(crate) fn searched(&self, name: &ast::Name) -> Option<usize> {
        self.searching.iter().position(|searched| searched.span == name.span)
    }

    /// Ends the check of the declaration that was begun last.
    pub(crate) fn end_search(&mut self) {
        self.checked.extend(self.searching.pop().map(|name| name.span));
    }

    pub(crate) fn written_dims(&self, name: &str) -> String {
        let vars = self.tree.vars.iter().map(|(_, var)| (&var.name, &var.dims));
        let tables = self.tree.tables.iter().map(|table| (&table.item.name, &table.item.dims));
        let found = vars.chain(tables).find(|(of, dims)| of.text == name && !dims.is_empty());
        let Some((_, dims)) = found else { return String::new() };
        let dim = |dim: &ast::Dim| match &dim.binder {
            Some(binder) => format!("{} in {}", binder.text, print_type(&dim.ty)),
            None => print_type(&dim.ty),
        };
        format!("[{}]", dims.iter().map(dim).collect::<Vec<_>>().join(", "))
    }

    /// A number that depends on nothing.
    pub(crate) fn known_number(&self, number: &Expr) -> Option<i64> {
        self.fold_constant(number, &[]).and_then(|value| value.as_number())
    }

    /// The members of a set that depends on nothing.
    pub(crate) fn known_set(&self, set: &Expr) -> Option<Vec<i64>> {
        self.fold_constant(set, &[]).and_then(Value::into_set)
    }

    /// The value of an expression whose first locals have these values; nothing if it needs more.
    pub(crate) fn fold_constant(&self, expr: &Expr, bound: &[Value]) -> Option<Value> {
        let mut costly = self.costly.borrow_mut();
        let is_costly = !costly.is_empty() && !constants_in(expr).is_disjoint(&costly);
        if is_costly || self.budget.is_spent() {
            return None;
        }
        let bound = (0..).map(LocalId::at).zip(bound.iter().cloned()).collect();
        let left = Cell::new(MOST_STEPS);
        let found =
            Evaluator::without_setting(&self.rules, bound, &left, &self.constants).value(expr);
        self.budget.charge(MOST_STEPS - left.get());
        if left.get() == 0 {
            // What has no value by now would take as long at the next place that reads it.
            let known = self.constants.borrow();
            costly.extend(constants_in(expr).into_iter().filter(|it| !known.contains_key(it)));
        }
        found.ok()
    }

    /// An evaluator of what is the same in every game, as far as this is.
    pub(crate) fn evaluator<'e>(
        &'e self,
        setting: Option<&'e Specialisation>,
        ranges: &'e [(i64, Option<i64>)],
        left: &'e Cell<usize>,
    ) -> Evaluator<'e> {
        let env = Evaluator::without_setting(&self.rules, Vec::new(), left, &self.constants);
        Evaluator { setting, ranges, ..env }
    }

    /// How many play, where only so many can.
    pub(crate) fn only_setting(&self) -> Option<Specialisation> {
        let (fewest, most) = self.rules.players;
        (fewest == most).then_some(Specialisation { players: most, options: Vec::new() })
    }

    /// The first and last number of each range, as far as they are the same in every game.
    pub(crate) fn known_ranges(
        &self,
        setting: Option<&Specialisation>,
        left: &Cell<usize>,
    ) -> Vec<(i64, Option<i64>)> {
        let mut evaluator = self.evaluator(setting, &[], left);
        let mut number = |end: &Expr| evaluator.value(end).ok().and_then(|it| it.as_number());
        let mut ends = |range: &Range| {
            let low = number(&range.low)?;
            Some((low, range.high.as_ref().and_then(&mut number)))
        };
        self.rules.ranges.iter().map(|range| ends(range).unwrap_or((i64::MIN, None))).collect()
    }
}

/// The constants that an expression reads itself.
fn constants_in(expr: &Expr) -> BTreeSet<ConstantId> {
    let mut found = BTreeSet::new();
    expr.visit_tree(&mut |part| {
        if let ExprKind::Constant(constant) = part.kind {
            found.insert(constant);
        }
    });
    found
}
