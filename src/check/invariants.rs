//! Measures of a game that is over, and invariants: conditions that must always hold.

use crate::check::context::{Body, Checker, Mode, player, typed};
use crate::check::declarations::{empty_rule, spaced};
use crate::check::rules::{
    Always, Binder, Effects, Expr, ExprKind, Measure, Rule, Stmt, StmtKind, Type, UnaryOp,
};
use crate::check::subsets::PROMISED;
use crate::check::types::maybe;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::FoldWord;

impl Checker<'_> {
    pub(super) fn check_promises(&mut self) {
        for at in 0..self.tree.measures.len() {
            let entry = &self.tree.measures[at];
            let (measure, notes) = (entry.item, entry.notes.to_vec());
            self.check_measure(measure, notes);
        }
        for at in 0..self.tree.always.len() {
            let checked = self.always(self.tree.always[at].item, self.tree.always[at].span);
            self.rules.always.push(checked);
        }
    }

    fn check_measure(&mut self, measure: &ast::Measure, notes: Vec<ast::Note>) {
        let name = &measure.name;
        let earlier = self.rules.measures.iter().find(|earlier| earlier.name == name.text);
        let earlier = earlier.map(|earlier| earlier.rule.span);
        if !self.is_free(name, "a measure", false, earlier) {
            return;
        }
        let title = self.title(measure.title.as_ref(), spaced(&name.text));
        let (value, body) = self.in_body(Body::new(Vec::new(), Mode::Rule), |checker| {
            if let Some(span) = measure.each {
                let name = ast::Name { text: "p".to_owned(), span };
                checker.declare(&name, player());
            }
            // Yes counts as 1 and no as 0.
            let value = checker.in_condition("a measure", |it| it.infer(&measure.value, None));
            if value.ty == Type::Bool { value } else { checker.coerce(value, &Type::Number) }
        });
        let params = usize::from(measure.each.is_some());
        let rule = pure_rule(name, value, Rule { params, locals: body.locals, ..empty_rule(name) });
        self.rules.measures.push(Measure { name: name.text.clone(), title, notes, rule });
    }

    fn always(&mut self, always: &ast::Always, span: Span) -> Always {
        let ((binder, condition), body) =
            self.in_body(Body::new(Vec::new(), Mode::Rule), |checker| {
                let binder = always.binder.as_ref().map(|binder| {
                    checker.in_condition("`always`", |checker| {
                        let (set, member) = checker.go_over_members(&binder.set, None, PROMISED);
                        checker.bind(binder, set, member)
                    })
                });
                (binder, checker.condition(&always.condition, "`always`"))
            });
        let test = binder.as_ref().map_or_else(
            || condition.clone(),
            |it| first_without(it, &condition, &body.locals[it.local.index()].ty),
        );
        let name = ast::Name { text: "always".to_owned(), span };
        let rule = pure_rule(&name, test, Rule { locals: body.locals, ..empty_rule(&name) });
        Always { binder, condition, rule, span }
    }
}

/// The first member for which a condition does not hold.
fn first_without(binder: &Binder, condition: &Expr, member: &Type) -> Expr {
    let span = condition.span;
    let fails = typed(ExprKind::Unary(UnaryOp::Not, Box::new(condition.clone())), Type::Bool, span);
    let fold = ExprKind::Fold { word: FoldWord::First, binder: binder.clone(), body: vec![fails] };
    typed(fold, maybe(member.clone()), span)
}

/// A rule that does nothing but return a value.
fn pure_rule(name: &ast::Name, value: Expr, rule: Rule) -> Rule {
    let (returns, span) = (value.ty.clone(), value.span);
    let body = vec![Stmt { kind: StmtKind::Return(Some(value)), span }];
    Rule { returns, body, effects: Effects::default(), span: name.span, ..rule }
}
