//! `match`, as a statement and as a value: patterns, exhaustiveness, duplicates.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::adjacency::int;
use crate::check::context::{Checker, typed, unknown};
use crate::check::error::{FlowError, TypeError};
use crate::check::rules::{Arm, Block, Expr, ExprKind, PLAYER, Pattern, StmtKind, Type, Value};
use crate::check::scope::list;
use crate::check::types::{mismatch, plain};
use crate::source::Span;
use crate::syntax::ast;

/// What the cases of a `match` cover so far.
#[derive(Default)]
struct Cases {
    /// The ends of each case and its place, by its low end.
    values: BTreeMap<i64, (i64, Span)>,
    /// The values without a case, where they can be listed.
    left: Option<BTreeSet<i64>>,
    none: Option<Span>,
    otherwise: Option<Span>,
    broken: bool,
}

impl Checker<'_> {
    /// `match x { … }` as a statement.
    pub(super) fn match_stmt(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm<ast::Block>],
        span: Span,
    ) -> Option<StmtKind> {
        let subject = self.subject(subject);
        let arms: Vec<Arm<Block>> = self.arms(&subject, arms, span, Self::block);
        (subject.ty != Type::Unknown).then_some(StmtKind::Match { subject, arms })
    }

    /// `match x { … }` as a value.
    pub(super) fn match_value(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm<ast::Expr>],
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        let subject = self.subject(subject);
        let mut first: Option<Type> = None;
        let mut arms: Vec<Arm<Expr>> = self.arms(&subject, arms, span, |checker, body| {
            let value = checker.infer(body, hint.or(first.as_ref()));
            first.get_or_insert_with(|| value.ty.clone());
            value
        });
        let ty = self.one_type(arms.iter_mut().map(|arm| &mut arm.body).collect(), hint);
        if subject.ty == Type::Unknown {
            return unknown(span);
        }
        typed(ExprKind::Match(Box::new(subject), arms), ty, span)
    }

    fn subject(&mut self, subject: &ast::Expr) -> Expr {
        let subject = self.infer(subject, None);
        let subject = self.as_face(subject);
        match plain(&subject.ty) {
            Type::Number | Type::Bool | Type::Kind(_) | Type::Unknown => subject,
            other => {
                let (expected, found) =
                    ("a number, yes/no or a member to look at", self.name_of(other));
                let error = mismatch(expected, found, "ask with `if` instead", subject.span);
                self.broken(error, subject.span)
            }
        }
    }

    fn arms<A, B>(
        &mut self,
        subject: &Expr,
        arms: &[ast::Arm<A>],
        span: Span,
        mut check: impl FnMut(&mut Self, &A) -> B,
    ) -> Vec<Arm<B>> {
        let mut cases = Cases { left: self.all_values(subject), ..Cases::default() };
        let mut checked = Vec::new();
        for arm in arms {
            self.check_reached(subject, &cases, arm.span);
            let patterns: Vec<Pattern> = arm
                .patterns
                .iter()
                .filter_map(|pattern| self.pattern(subject, pattern, &mut cases))
                .collect();
            if arm.patterns.is_empty() {
                cases.otherwise = Some(arm.span);
            }
            let there = !patterns.contains(&Pattern::Value(Value::None))
                && (!arm.patterns.is_empty() || cases.none.is_some());
            let body = self.scoped(|checker| {
                if there {
                    checker.assume_there(subject);
                }
                if patterns.len() == arm.patterns.len() {
                    checker.assume_parts(subject, &patterns, &cases);
                }
                check(checker, &arm.body)
            });
            cases.broken |= patterns.len() != arm.patterns.len();
            if !cases.broken {
                checked.push(Arm { patterns, body, span: arm.span });
            }
        }
        self.check_exhaustive(subject, &cases, span);
        checked
    }

    /// Learns which parts of its kind the value is in: those with all members of the case.
    fn assume_parts(&mut self, subject: &Expr, patterns: &[Pattern], cases: &Cases) {
        let Type::Kind(kind) = plain(&subject.ty) else { return };
        let kind = *kind;
        if !self.has_parts(kind) {
            return;
        }
        let covered = |pattern: &Pattern| match pattern {
            Pattern::Value(Value::Int(at)) => Some(*at..=*at),
            Pattern::Range(low, high) => Some(*low..=*high),
            Pattern::Value(_) => None,
        };
        let members: Vec<i64> = match patterns {
            [] => cases.left.iter().flatten().copied().collect(),
            some => some.iter().filter_map(covered).flatten().collect(),
        };
        self.budget.charge(members.len());
        self.assume_among(subject, kind, &members);
    }

    /// Warns of a case that comes when everything has a case.
    fn check_reached(&mut self, subject: &Expr, cases: &Cases, span: Span) {
        let left = cases.left.as_ref().is_some_and(BTreeSet::is_empty);
        let all = left && (cases.none.is_some() || !matches!(subject.ty, Type::Maybe(_)));
        if (all && subject.ty != Type::Unknown) || cases.otherwise.is_some() {
            self.report(FlowError::Unreachable { span });
        }
    }

    fn pattern(
        &mut self,
        subject: &Expr,
        pattern: &ast::Pattern,
        cases: &mut Cases,
    ) -> Option<Pattern> {
        let (low, high) = match pattern {
            ast::Pattern::Value(value) => match self.pattern_value(subject, value)? {
                Value::None => return self.none_pattern(subject, value.span, cases),
                Value::Int(at) => return self.new_pattern(subject, (at, at), value.span, cases),
                Value::Set(_) | Value::Text(_) => unreachable!("patterns are numbers or members"),
            },
            ast::Pattern::Range(low, high) => (low, high),
        };
        let span = low.span.to(high.span);
        let from = self.pattern_value(subject, low)?;
        let to = self.pattern_value(subject, high)?;
        let (Value::Int(from), Value::Int(to)) = (from, to) else {
            return self.refuse(TypeError::PatternNotConstant { span });
        };
        if from > to {
            return self.refuse(TypeError::EmptyRange { span });
        }
        self.new_pattern(subject, (from, to), span, cases)
    }

    fn pattern_value(&mut self, subject: &Expr, value: &ast::Expr) -> Option<Value> {
        let checked = self.expect(value, &subject.ty);
        match (checked.kind, &checked.ty) {
            (_, Type::Unknown) => None,
            (ExprKind::Value(value @ (Value::Int(_) | Value::None)), _) => Some(value),
            _ => self.refuse(TypeError::PatternNotConstant { span: value.span }),
        }
    }

    fn none_pattern(&mut self, subject: &Expr, span: Span, cases: &mut Cases) -> Option<Pattern> {
        if subject.ty == Type::Unknown {
            return None;
        }
        if let Some(earlier) = cases.none.replace(span) {
            let pattern = "`none`".to_owned();
            return self.refuse(TypeError::DuplicatePattern { pattern, span, earlier });
        }
        Some(Pattern::Value(Value::None))
    }

    fn new_pattern(
        &mut self,
        subject: &Expr,
        (low, high): (i64, i64),
        span: Span,
        cases: &mut Cases,
    ) -> Option<Pattern> {
        let before = cases.values.range(..=low).next_back().filter(|(_, (to, _))| low <= *to);
        let double = before.or_else(|| cases.values.range(low..=high).next());
        if let Some((from, (_, earlier))) = double {
            let (pattern, earlier) = (self.value_name(subject, low.max(*from)), *earlier);
            return self.refuse(TypeError::DuplicatePattern { pattern, span, earlier });
        }
        cases.values.insert(low, (high, span));
        if let Some(left) = &mut cases.left {
            let covered: Vec<i64> = left.range(low..=high).copied().collect();
            for at in covered {
                left.remove(&at);
            }
        }
        let one = Pattern::Value(Value::Int(low));
        Some(if low == high { one } else { Pattern::Range(low, high) })
    }

    fn value_name(&self, subject: &Expr, value: i64) -> String {
        match plain(&subject.ty) {
            Type::Kind(kind) => {
                let at = usize::try_from(value).expect("positions count from 0");
                let member = self.kind(*kind).members.get(at);
                member.map_or(format!("`{value}`"), |member| format!("`{}`", member.name))
            }
            Type::Bool => (if value == 0 { "`no`" } else { "`yes`" }).to_owned(),
            _ => format!("`{value}`"),
        }
    }

    fn all_values(&self, subject: &Expr) -> Option<BTreeSet<i64>> {
        match plain(&subject.ty) {
            Type::Bool => Some(BTreeSet::from([0, 1])),
            Type::Kind(kind) if *kind != PLAYER => {
                Some(self.kind(*kind).own().into_iter().map(int).collect())
            }
            _ => None,
        }
    }

    fn check_exhaustive(&mut self, subject: &Expr, cases: &Cases, span: Span) {
        if cases.otherwise.is_some() || cases.broken || subject.ty == Type::Unknown {
            return;
        }
        let missing = match &cases.left {
            Some(left) => {
                let name = |at: &i64| self.value_name(subject, *at).trim_matches('`').to_owned();
                let none = matches!(subject.ty, Type::Maybe(_)) && cases.none.is_none();
                let none = none.then(|| "none".to_owned());
                let names: Vec<String> = left.iter().map(name).chain(none).collect();
                match names.len() {
                    0 => return,
                    1..=6 => list(&names),
                    all => format!("{} and {} others", list(&names[..4]), all - 4),
                }
            }
            None => "all other values".to_owned(),
        };
        self.report(TypeError::NotExhaustive { missing, span });
    }
}
