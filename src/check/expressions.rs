//! Expressions: dispatch by form, literals, texts, `if` and `match`.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::context::{Checker, ExprSpot};
use crate::check::error;
use crate::check::recorder::Symbol;
use crate::check::sets::NOT_KEPT;
use crate::check::typer::lookup::NameAccess;
use crate::check::words::{WrittenCall, quote_list};
use crate::rules::{
    Arm, Expr, ExprKind, Local, PLAYER, Pattern, Stmt, StmtKind, TextPart, Type, UnaryOp, Value,
    join_types, to_int, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_, '_> {
    pub(crate) fn expect(&mut self, expr: &ast::Expr, want: &Type) -> Expr {
        let checked = self.infer(expr, Some(want));
        self.coerce(checked, want)
    }

    /// An expression, as a value of the type if one is given.
    pub(crate) fn expect_or_infer(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        match want {
            Some(want) => self.expect(expr, want),
            None => self.infer(expr, None),
        }
    }

    /// A whole right side, which may pause.
    pub(crate) fn check_value(&mut self, expr: &ast::Expr, want: Option<&Type>) -> Expr {
        self.body.alone = true;
        let checked = self.expect_or_infer(expr, want);
        self.settled(checked)
    }

    /// A value that may pause and then becomes a set is kept first, so that it stands alone.
    pub(crate) fn settled(&mut self, mut value: Expr) -> Expr {
        let span = value.span;
        if let ExprKind::Unary(UnaryOp::ToSet, of) | ExprKind::Column(_, _, of) = &mut value.kind
            && let ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) | ExprKind::Call(..) =
                of.kind
        {
            let local = self.body.scope.add_local(Local::fixed("it", of.ty.clone(), span));
            let kept = typed(ExprKind::Local(local), of.ty.clone(), span);
            let pausing = std::mem::replace(of.as_mut(), kept);
            self.body.before.push(Stmt { kind: StmtKind::Let(local, pausing), span });
        }
        value
    }

    pub(crate) fn condition(&mut self, expr: &ast::Expr, what: &'static str) -> Expr {
        self.in_condition(what, |checker| checker.expect(expr, &Type::Bool))
    }

    /// An expression of any type; the hint helps names and literals to find theirs.
    pub(crate) fn infer(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Expr {
        let alone = std::mem::take(&mut self.body.alone);
        let span = expr.span;
        let spot = ExprSpot { span, hint, alone };
        if !self.file.may_go_on() {
            return unknown_expr(span);
        }
        match &expr.kind {
            ast::ExprKind::Number(number) => {
                typed(ExprKind::Value(Value::Int(*number)), Type::Number, span)
            }
            ast::ExprKind::Bool(holds) => {
                typed(ExprKind::Value(Value::Int(i64::from(*holds))), Type::Bool, span)
            }
            ast::ExprKind::None => {
                let ty =
                    hint.filter(|hint| unwrap_maybe(hint) != *hint).cloned().unwrap_or(Type::None);
                typed(ExprKind::Value(Value::None), ty, span)
            }
            ast::ExprKind::Text(text) => self.check_text(text),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                match self.access(expr, hint) {
                    NameAccess::Element(element) => self.check_element(element),
                    NameAccess::Value(value) => value,
                }
            }
            ast::ExprKind::Call(name, args) => {
                self.check_call(WrittenCall { name, args, span }, alone)
            }
            ast::ExprKind::Method(base, name, args) => {
                self.method(base, WrittenCall { name, args, span })
            }
            ast::ExprKind::Unary(op, of) => self.check_unary(*op, of, span),
            ast::ExprKind::Binary(op, a, b) => self.check_binary(*op, (a, b), spot),
            ast::ExprKind::Range(low, high) => self.interval(low, high, spot),
            ast::ExprKind::From(..) | ast::ExprKind::Backwards(_) => {
                let (ordered, _) = self.iterated(expr, hint);
                self.unordered(ordered)
            }
            ast::ExprKind::Set(items) => self.check_set(items, span, hint),
            ast::ExprKind::Filter(binder) => self.filter(binder, span, hint),
            ast::ExprKind::Image(value, binders) => self.image(value, binders, spot),
            ast::ExprKind::Fold { word, binders, body } => self.folds(*word, (binders, body), spot),
            ast::ExprKind::If(condition, a, b) => self.if_value(condition, a, b, spot),
            ast::ExprKind::Match(subject, arms) => self.match_value(subject, arms, spot),
            ast::ExprKind::Suppose(block, value) => self.suppose(block, value, spot),
            ast::ExprKind::Random(set) => self.random(set, spot),
            ast::ExprKind::Directed(key, _) => self.infer(key, hint),
            ast::ExprKind::Subsets(_) => {
                let (problem, help) = NOT_KEPT;
                self.file.broken(error::subsets(problem, help, span))
            }
            ast::ExprKind::List(items) => self.check_list(items, span, hint),
            ast::ExprKind::Lists(_) => self.file.broken(error::lists(span)),
            ast::ExprKind::End(end) => self.pile_end(end, span),
            ast::ExprKind::Roll(die) => self.check_roll(die, spot),
            ast::ExprKind::Pick { chooser, prompt, name, set } => {
                self.check_pick((chooser, prompt.as_ref(), name, set), spot)
            }
        }
    }

    pub(crate) fn check_text(&mut self, text: &ast::Text) -> Expr {
        let part = |part: &ast::TextPart| match part {
            ast::TextPart::Words(words) => TextPart::Words(words.clone()),
            ast::TextPart::Hole(hole) => TextPart::Hole(self.hole(hole)),
        };
        let parts: Vec<TextPart> = text.parts.iter().map(part).collect();
        let words = parts.iter().map(|part| match part {
            TextPart::Words(words) => Some(words.as_str()),
            TextPart::Hole(_) => None,
        });
        let kind = match words.collect::<Option<String>>() {
            Some(words) => ExprKind::Value(Value::Text(words)),
            None => ExprKind::Text(parts),
        };
        typed(kind, Type::Text, text.span)
    }

    fn hole(&mut self, hole: &ast::Expr) -> Expr {
        let checked = self.in_condition("a text", |checker| checker.infer(hole, None));
        if checked.ty != Type::Span {
            return checked;
        }
        let found = self.file.rules.describe_type(&checked.ty);
        let help = "print its ends one by one";
        self.file.broken(error::type_mismatch(
            "a value that can be printed",
            found,
            help,
            hole.span,
        ))
    }

    fn if_value(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        ExprSpot { span, hint, .. }: ExprSpot,
    ) -> Expr {
        let condition = self.condition(condition, "a condition");
        let mut then = self.assuming((&condition, true), |checker| checker.infer(then, hint));
        let mut otherwise = self.assuming((&condition, false), |checker| {
            checker.infer(otherwise, hint.or(Some(&then.ty)))
        });
        let ty = self.one_type(vec![&mut then, &mut otherwise], hint);
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.no_range(typed(kind, ty, span))
    }

    /// A value that is chosen or supposed is computed, and no range of numbers is.
    pub(crate) fn no_range(&mut self, value: Expr) -> Expr {
        if value.ty != Type::Span {
            return value;
        }
        let found = self.file.rules.describe_type(&value.ty);
        let help = "choose its ends: `1..(if P then a else b)`";
        self.file.broken(error::type_mismatch("a set", found, help, value.span))
    }

    /// Values of which one will be taken, brought to the one type that all fit.
    fn one_type(&mut self, values: Vec<&mut Expr>, hint: Option<&Type>) -> Type {
        let mut ty = values.first().map_or(Type::Unknown, |first| first.ty.clone());
        for value in &values {
            let joined = self.file.rules.join_kinds(&ty, &value.ty);
            ty = joined.or_else(|| wide(hint, &ty, &value.ty)).unwrap_or(ty);
        }
        for value in values {
            let found = std::mem::replace(value, unknown_expr(value.span));
            *value = self.coerce(found, &ty);
        }
        ty
    }

    /// `match x { … }` as a value.
    fn match_value(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm<ast::Expr>],
        spot: ExprSpot,
    ) -> Expr {
        let ExprSpot { span, hint, .. } = spot;
        let subject = self.subject(subject);
        let mut first: Option<Type> = None;
        let mut arms: Vec<Arm<Expr>> = self.arms(&subject, arms, span, |checker, body| {
            let value = checker.infer(body, hint.or(first.as_ref()));
            first.get_or_insert_with(|| value.ty.clone());
            value
        });
        let ty = self.one_type(arms.iter_mut().map(|arm| &mut arm.body).collect(), hint);
        if subject.ty == Type::Unknown {
            return unknown_expr(span);
        }
        self.no_range(typed(ExprKind::Match(Box::new(subject), arms), ty, span))
    }

    pub(crate) fn subject(&mut self, subject: &ast::Expr) -> Expr {
        let subject = self.infer(subject, None);
        let subject = self.look().as_face(subject);
        match unwrap_maybe(&subject.ty) {
            Type::Number | Type::Bool | Type::Kind(_) | Type::Unknown => subject,
            other => {
                let expected = "a number, yes/no or a member to look at";
                let (found, help) = (self.file.rules.describe_type(other), "ask with `if` instead");
                self.file.broken(error::type_mismatch(expected, found, help, subject.span))
            }
        }
    }

    pub(crate) fn arms<A, B>(
        &mut self,
        subject: &Expr,
        arms: &[ast::Arm<A>],
        span: Span,
        mut check: impl FnMut(&mut Self, &A) -> B,
    ) -> Vec<Arm<B>> {
        let mut cases = CaseCoverage { left: self.all_values(subject), ..CaseCoverage::default() };
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
                    checker.add_facts(checker.body.scope.there(subject));
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

    /// Warns of a case that comes when everything has a case.
    fn check_reached(&mut self, subject: &Expr, cases: &CaseCoverage, span: Span) {
        let left = cases.left.as_ref().is_some_and(BTreeSet::is_empty);
        let all = left && (cases.none.is_some() || !matches!(subject.ty, Type::Maybe(_)));
        if (all && subject.ty != Type::Unknown) || cases.otherwise.is_some() {
            self.file
                .report_error(error::unreachable("remove it: every value has a case above", span));
        }
    }

    fn pattern(
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
                self.new_pattern(subject, (from, to), span, cases)
            }
            (_, Some(_)) => self.file.refuse_with(error::pattern_not_constant(span)),
            (Value::Int(only), None) => self.new_pattern(subject, (only, only), span, cases),
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
        let checked = self.expect(value, &subject.ty);
        match (checked.kind, &checked.ty) {
            (_, Type::Unknown) => None,
            (ExprKind::Value(value @ (Value::Int(_) | Value::None)), _) => Some(value),
            _ => self.file.refuse_with(error::pattern_not_constant(value.span)),
        }
    }

    fn new_pattern(
        &mut self,
        subject: &Expr,
        (low, high): (i64, i64),
        span: Span,
        cases: &mut CaseCoverage,
    ) -> Option<Pattern> {
        let before = cases.values.range(..=low).next_back().filter(|(_, (to, _))| low <= *to);
        let double = before.or_else(|| cases.values.range(low..=high).next());
        if let Some((from, (_, earlier))) = double {
            let pattern = self.value_name(subject, low.max(*from));
            return self.file.refuse_with(error::duplicate_pattern(pattern, span, *earlier));
        }
        cases.values.insert(low, (high, span));
        if let Some(left) = &mut cases.left {
            left.retain(|at| !(low..=high).contains(at));
        }
        let one = Pattern::Value(Value::Int(low));
        Some(if low == high { one } else { Pattern::Range(low, high) })
    }

    fn value_name(&self, subject: &Expr, value: i64) -> String {
        match unwrap_maybe(&subject.ty) {
            Type::Kind(kind) => {
                let at = usize::try_from(value).expect("positions count from 0");
                let member = self.file.rules.kind_at(*kind).members.get(at);
                member.map_or(format!("`{value}`"), |member| format!("`{}`", member.name))
            }
            Type::Bool => (if value == 0 { "`no`" } else { "`yes`" }).to_owned(),
            _ => format!("`{value}`"),
        }
    }

    fn all_values(&self, subject: &Expr) -> Option<BTreeSet<i64>> {
        match unwrap_maybe(&subject.ty) {
            Type::Bool => Some(BTreeSet::from([0, 1])),
            Type::Kind(kind)
                if *kind != PLAYER || !self.file.rules.kind_at(PLAYER).members.is_empty() =>
            {
                Some(self.file.rules.kind_at(*kind).own_members().into_iter().map(to_int).collect())
            }
            _ => None,
        }
    }

    fn check_exhaustive(&mut self, subject: &Expr, cases: &CaseCoverage, span: Span) {
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
                    1..=6 => quote_list(&names),
                    all => format!("{} and {} others", quote_list(&names[..4]), all - 4),
                }
            }
            None => "all other values".to_owned(),
        };
        self.file.report_error(error::not_exhaustive(missing, span));
    }
}

/// The expected type where two types have nothing else in common, as members of a set have.
fn wide(hint: Option<&Type>, a: &Type, b: &Type) -> Option<Type> {
    let hint = hint?;
    (join_types(hint, a)? == *hint && join_types(hint, b)? == *hint).then(|| hint.clone())
}

/// What the cases of a `match` cover so far.
#[derive(Default)]
struct CaseCoverage {
    /// The ends of each case and its place, by its low end.
    values: BTreeMap<i64, (i64, Span)>,
    /// The values without a case, where they can be listed.
    left: Option<BTreeSet<i64>>,
    none: Option<Span>,
    otherwise: Option<Span>,
    broken: bool,
}
