//! Types `match`: patterns, covered cases, exhaustiveness.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::recorder::Symbol;
use crate::check::typer::Typer;
use crate::check::words::quote_list;
use crate::rules::{
    Arm, Expr, ExprKind, PLAYER, Pattern, Rules, Type, Value, to_int, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

/// What the cases of a `match` cover so far.
#[derive(Default)]
pub(crate) struct CaseCoverage {
    /// The ends of each case and its place, by its low end.
    values: BTreeMap<i64, (i64, Span)>,
    /// The values without a case, where they can be listed.
    left: Option<BTreeSet<i64>>,
    none: Option<Span>,
    otherwise: Option<Span>,
    broken: bool,
}

impl CaseCoverage {
    /// Warns of a case that comes when everything has a case.
    fn check_reached(&self, file: &mut FileContext, subject: &Expr, span: Span) {
        let left = self.left.as_ref().is_some_and(BTreeSet::is_empty);
        let all = left && (self.none.is_some() || !matches!(subject.ty, Type::Maybe(_)));
        if (all && subject.ty != Type::Unknown) || self.otherwise.is_some() {
            file.report_error(error::unreachable("remove it: every value has a case above", span));
        }
    }

    fn add_pattern(
        &mut self,
        file: &mut FileContext,
        subject: &Expr,
        (low, high): (i64, i64),
        span: Span,
    ) -> Option<Pattern> {
        let before = self.values.range(..=low).next_back().filter(|(_, (to, _))| low <= *to);
        let double = before.or_else(|| self.values.range(low..=high).next());
        if let Some((from, (_, earlier))) = double {
            let pattern = value_name(&file.rules, subject, low.max(*from));
            return file.refuse_with(error::duplicate_pattern(pattern, span, *earlier));
        }
        self.values.insert(low, (high, span));
        if let Some(left) = &mut self.left {
            left.retain(|at| !(low..=high).contains(at));
        }
        let one = Pattern::Value(Value::Int(low));
        Some(if low == high { one } else { Pattern::Range(low, high) })
    }

    fn check_exhaustive(&self, file: &mut FileContext, subject: &Expr, span: Span) {
        if self.otherwise.is_some() || self.broken || subject.ty == Type::Unknown {
            return;
        }
        let missing = match &self.left {
            Some(left) => {
                let name =
                    |at: &i64| value_name(&file.rules, subject, *at).trim_matches('`').to_owned();
                let none = matches!(subject.ty, Type::Maybe(_)) && self.none.is_none();
                let none = none.then(|| "none".to_owned());
                let names: Vec<String> = left.iter().map(name).chain(none).collect();
                match names.len() {
                    0 => return,
                    1..=6 => quote_list(&names),
                    all => format!("{} and {} others", quote_list(&names[..4]), all - 4),
                }
            }
            None => "all other values".to_owned(),
        };
        file.report_error(error::not_exhaustive(missing, span));
    }
}

impl Typer<'_, '_> {
    pub(crate) fn check_arms<A, B>(
        &mut self,
        subject: &Expr,
        arms: &[ast::Arm<A>],
        span: Span,
        mut check: impl FnMut(&mut Self, &A) -> B,
    ) -> Vec<Arm<B>> {
        let mut cases =
            CaseCoverage { left: all_values(&self.file.rules, subject), ..CaseCoverage::default() };
        let mut checked = Vec::new();
        for arm in arms {
            cases.check_reached(self.file, subject, arm.span);
            let patterns = arm.patterns.iter();
            let patterns: Vec<Pattern> =
                patterns.filter_map(|it| self.check_pattern(subject, it, &mut cases)).collect();
            if arm.patterns.is_empty() {
                cases.otherwise = Some(arm.span);
            }
            let there = !patterns.contains(&Pattern::Value(Value::None))
                && (!arm.patterns.is_empty() || cases.none.is_some());
            let body = self.scoped(|typer| {
                if there {
                    typer.add_facts(typer.scope.paths_present(subject));
                }
                if patterns.len() == arm.patterns.len() {
                    typer.assume_parts(subject, &patterns, &cases);
                }
                check(typer, &arm.body)
            });
            cases.broken |= patterns.len() != arm.patterns.len();
            if !cases.broken {
                checked.push(Arm { patterns, body, span: arm.span });
            }
        }
        cases.check_exhaustive(self.file, subject, span);
        checked
    }

    /// Learns which parts of its kind the value is in: those with all members of the case.
    fn assume_parts(&mut self, subject: &Expr, patterns: &[Pattern], cases: &CaseCoverage) {
        let Type::Kind(kind) = unwrap_maybe(&subject.ty) else { return };
        let kind = *kind;
        if !self.file.rules.has_parts(kind) {
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
        self.file.budget.charge(members.len());
        self.assume_among(subject, kind, &members);
    }

    fn check_pattern(
        &mut self,
        subject: &Expr,
        pattern: &ast::Pattern,
        cases: &mut CaseCoverage,
    ) -> Option<Pattern> {
        let (low, high) = match pattern {
            ast::Pattern::Value(value) => (value, None),
            ast::Pattern::Range(low, high) => (low, Some(high)),
        };
        let span = high.map_or(low.span, |high| low.span.to(high.span));
        let from = self.pattern_value(subject, low)?;
        let to = match high {
            Some(high) => Some(self.pattern_value(subject, high)?),
            None => None,
        };
        match (from, to) {
            (Value::Int(from), Some(Value::Int(to))) if from > to => {
                self.file.refuse_with(error::empty_range(span))
            }
            (Value::Int(from), Some(Value::Int(to))) => {
                cases.add_pattern(self.file, subject, (from, to), span)
            }
            (_, Some(_)) => self.file.refuse_with(error::pattern_not_constant(span)),
            (Value::Int(only), None) => cases.add_pattern(self.file, subject, (only, only), span),
            (_, None) if subject.ty == Type::Unknown => None,
            (_, None) => match cases.none.replace(span) {
                Some(earlier) => {
                    self.file.refuse_with(error::duplicate_pattern("`none`", span, earlier))
                }
                None => Some(Pattern::Value(Value::None)),
            },
        }
    }

    fn pattern_value(&mut self, subject: &Expr, value: &ast::Expr) -> Option<Value> {
        // A case may be for a seat that a smaller game has not.
        if let (Type::Kind(PLAYER), ast::ExprKind::Name(name)) =
            (unwrap_maybe(&subject.ty), &value.kind)
            && self.file.find_seat(&name.text, false).is_none()
            && let Some(at) = self.file.rules.listed_seat(&name.text)
        {
            self.file.recorder.note_use(name.span, Symbol::Member(PLAYER, at));
            return Some(Value::Int(to_int(at)));
        }
        let checked = self.infer_as(value, &subject.ty);
        match (checked.kind, &checked.ty) {
            (_, Type::Unknown) => None,
            (ExprKind::Value(value @ (Value::Int(_) | Value::None)), _) => Some(value),
            _ => self.file.refuse_with(error::pattern_not_constant(value.span)),
        }
    }
}

fn value_name(rules: &Rules, subject: &Expr, value: i64) -> String {
    match unwrap_maybe(&subject.ty) {
        Type::Kind(kind) => {
            let at = usize::try_from(value).expect("positions count from 0");
            let member = rules.kind_at(*kind).members.get(at);
            member.map_or(format!("`{value}`"), |member| format!("`{}`", member.name))
        }
        Type::Bool => (if value == 0 { "`no`" } else { "`yes`" }).to_owned(),
        _ => format!("`{value}`"),
    }
}

fn all_values(rules: &Rules, subject: &Expr) -> Option<BTreeSet<i64>> {
    match unwrap_maybe(&subject.ty) {
        Type::Bool => Some(BTreeSet::from([0, 1])),
        Type::Kind(kind) if *kind != PLAYER || !rules.kind_at(PLAYER).members.is_empty() => {
            Some(rules.kind_at(*kind).own_members().into_iter().map(to_int).collect())
        }
        _ => None,
    }
}
