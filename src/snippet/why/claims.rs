//! The words of a condition that fails, and the values that it reads.

use crate::compile::Storage;
use crate::rulebook::{LocalNames, PhraseContext, is};
use crate::rules::{Array, Expr, ExprKind, Type, UnaryOp, Value};
use crate::snippet::compared_parts;
use crate::snippet::moment::KnownLocals;
use crate::snippet::why::{BrokenRule, Why};
use crate::source::Span;
use crate::syntax::ast::FoldWord;

impl Why<'_> {
    pub(super) fn phrase_context(&self) -> Option<PhraseContext<'_>> {
        self.rule.map(|rule| (rule, self.option))
    }

    /// What a value is in the words of the rulebook.
    pub(super) fn phrase_value(&self, value: &Expr, known: &KnownLocals) -> String {
        let code = || self.moment.span_text(value.span);
        let names = self.values_of_names(known);
        self.phrase_context()
            .map_or_else(code, |place| self.phrases.phrase_value(place, value, &names))
    }

    /// That a condition holds or fails, in the words of the rulebook, and the values that it reads.
    pub(super) fn broken_claim(
        &self,
        condition: &Expr,
        holds: bool,
        known: &KnownLocals,
    ) -> BrokenRule {
        let Some(place) = self.phrase_context() else {
            return BrokenRule {
                rule: self.moment.span_text(condition.span),
                ..BrokenRule::default()
            };
        };
        let (names, mut values) = (self.values_of_names(known), Vec::new());
        // What is yes or no the clause itself says.
        for part in shown_parts(condition).into_iter().filter(|it| it.ty != Type::Bool) {
            let thing = self.phrases.phrase_value(place, part, &names);
            let (shown, code) =
                (self.moment.show_value(part, known), self.moment.span_text(part.span));
            let says_more =
                ![shown.as_str(), code.as_str(), "you", "nothing"].contains(&thing.as_str());
            let value = format!("{} {}", is(&thing), if shown == "{}" { "empty" } else { &shown });
            if says_more && !values.contains(&value) {
                values.push(value);
            }
        }
        values.extend(self.compared_goods(place, condition, known, &names).into_iter().flatten());
        let rule = self.phrases.claim(place, condition, holds, &names);
        BrokenRule { rule, values: values.join(", ") }
    }

    /// What is in two bags that are compared good by good: `the cost of hall is 2 wood, 4 stone`.
    pub(super) fn compared_goods(
        &self,
        place: PhraseContext,
        condition: &Expr,
        known: &KnownLocals,
        names: &LocalNames,
    ) -> Option<Vec<String>> {
        let ExprKind::Fold { word: FoldWord::All, binder, body } = &condition.kind else {
            return None;
        };
        let [Expr { kind: ExprKind::Binary(_, a, b), .. }] = body.as_slice() else { return None };
        let good = binder.local;
        let goods = self.moment.compute_value(&binder.set, known).as_members().to_vec();
        let amounts = |side: &Expr| {
            let amount = |member: &i64| {
                let value = Value::Int(*member);
                let title = Expr {
                    kind: ExprKind::Value(value.clone()),
                    ty: binder.set.ty.iterated(),
                    span: Span::default(),
                };
                let mut known = known.clone();
                known.insert(good, Storage::Known(value));
                match self.moment.compute_value(side, &known) {
                    Value::Int(0) => None,
                    _ => Some(format!(
                        "{} {}",
                        self.moment.show_value(side, &known),
                        self.moment.show_value(&title, &known)
                    )),
                }
            };
            let all: Vec<String> = goods.iter().filter_map(amount).collect();
            if all.is_empty() { "empty".to_owned() } else { all.join(", ") }
        };
        let value = |side: &Expr| {
            let thing = self.phrases.phrase_goods(place, (side, good), names)?;
            Some(format!("{} {}", is(&thing), amounts(side)))
        };
        Some([a, b].into_iter().filter_map(|side| value(side)).collect())
    }

    /// The names that the typed move gives a value, with that value.
    pub(super) fn values_of_names(&self, known: &KnownLocals) -> LocalNames {
        let named = known.iter().filter_map(|(id, storage)| {
            let local = self.moment.locals.get(id.index())?;
            let is_single = matches!(local.ty, Type::Kind(_) | Type::Number | Type::Maybe(_));
            let typed = matches!(storage, Storage::Known(value) if *value != Value::None);
            let (kind, ty) = (ExprKind::Local(*id), local.ty.clone());
            let value = Expr { kind, ty, span: Span::default() };
            (is_single && typed)
                .then(|| (local.name.clone(), self.moment.show_value(&value, known)))
        });
        named.collect()
    }

    /// The typed arguments on which a set depends, as they are typed.
    pub(super) fn named_by(&self, set: &Expr, known: &KnownLocals) -> Option<String> {
        let mut values: Vec<String> = Vec::new();
        set.visit_tree(&mut |part| {
            if let ExprKind::Local(local) = &part.kind
                && self.option.is_some_and(|option| option.params.contains(local))
                && known.contains_key(local)
            {
                let value = self.moment.show_value(part, known);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        });
        (!values.is_empty()).then(|| values.join(" "))
    }
}

/// The parts of a condition whose values explain it: what it compares, else whatever it reads.
pub(super) fn shown_parts(condition: &Expr) -> Vec<&Expr> {
    let compared = compared_parts(condition);
    if compared.is_empty() { read_parts(condition) } else { compared }
}

/// The arguments of a rule that is called, or the value itself if it is read from the state.
fn read_parts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => read_parts(inner),
        ExprKind::Call(_, args) => args.iter().filter(|arg| is_read(arg)).collect(),
        _ if is_read(condition) => vec![condition],
        _ => Vec::new(),
    }
}

fn is_read(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Local(_)
            | ExprKind::Element(Array::Local(_) | Array::Var(_) | Array::Table(_), _)
            | ExprKind::Column(..)
            | ExprKind::Option(_)
    )
}
