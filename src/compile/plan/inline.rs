//! Inlines rules that are one pure expression, so that conditions become operations on sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::compile::passes::{Pass, Passes};
use crate::rules::call_graph::{call_graph, calling_conditions};
use crate::rules::returned_values::{may_stand_for, only_value, simplify};
use crate::rules::safety::is_safe;
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Ambient, Array, Choose, Expr, ExprKind, Local, LocalId, Rule, RuleId, Rules, Stmt, StmtKind,
    Type, UnaryOp,
};
use crate::source::Span;

/// More expressions than this are not written into one rule: calls of calls could double for ever.
const MOST_WRITTEN: usize = 4096;
/// And not more than this into all rules together.
const MOST_IN_ALL: usize = 1 << 15;

/// Rules with calls inlined; and decisions as the file has them, by rule and place.
pub(in crate::compile) struct InlinedRules {
    pub(in crate::compile) rules: Rules,
    /// Whether something was written in place of a call, as a set of passes.
    pub(in crate::compile) passes: Passes,
    pub(in crate::compile) choices: BTreeMap<(RuleId, Span), Choose>,
    pub(in crate::compile) picks: BTreeMap<(RuleId, Span), Expr>,
    /// The conditions of moves that call a rule in the file: they may trap, although what is written in place of the
    /// call does not.
    pub(super) calling: BTreeSet<Span>,
}

#[derive(Clone)]
struct Inlined {
    value: Expr,
    size: usize,
    params: usize,
    locals: Vec<Local>,
    /// Whether it supposes something: then what its arguments were read from may change meanwhile.
    supposes: bool,
}

struct InlineWriter<'a> {
    values: &'a [Option<Inlined>],
    /// What is written at these places keeps its place: some say who hears something.
    kept: &'a BTreeSet<Span>,
    /// The locals of the rule; those of what is written into it are added.
    locals: Vec<Local>,
    /// How many more expressions may be written.
    left: usize,
}

impl InlineWriter<'_> {
    fn inline_calls(&mut self, expr: &mut Expr) {
        let ExprKind::Call(rule, args) = &expr.kind else { return };
        let Some(called) = &self.values[rule.index()] else { return };
        let fits = called.size <= self.left && may_stand_for(&called.value.ty, &expr.ty);
        let params = called.locals[..called.params].iter();
        let plain = args.iter().zip(params).enumerate().all(|(at, (arg, param))| {
            let is_plain = if called.supposes {
                is_plain(arg) && !reads_state(arg)
            } else {
                is_plain(arg) || is_safe(arg) && is_read_once(&called.value, LocalId::at(at))
            };
            is_plain && may_stand_for(&arg.ty, &param.ty)
        });
        if !fits || !plain {
            return;
        }
        self.left -= called.size;
        let mut value = called.value.clone();
        let mut renamed = BTreeMap::new();
        value.change_tree(&mut |part| self.rename(part, called, args, &mut renamed));
        value.ty = expr.ty.clone();
        if self.kept.contains(&expr.span) {
            value.span = expr.span;
        }
        *expr = value;
    }

    /// Replaces parameters by arguments, and the other locals by new ones of the caller.
    fn rename(
        &mut self,
        part: &mut Expr,
        called: &Inlined,
        args: &[Expr],
        renamed: &mut BTreeMap<LocalId, LocalId>,
    ) {
        let mut named = |local: LocalId| {
            *renamed.entry(local).or_insert_with(|| {
                self.locals.push(called.locals[local.index()].clone());
                LocalId::at(self.locals.len() - 1)
            })
        };
        match &mut part.kind {
            ExprKind::Local(local) if local.index() < called.params => {
                let arg = &args[local.index()];
                // Where a condition of the rule tells more of the parameter, more is known of the argument.
                let is_told = part.ty != called.locals[local.index()].ty;
                let ty = if is_told || arg.ty == Type::None { &part.ty } else { &arg.ty };
                *part = Expr { ty: ty.clone(), ..arg.clone() };
            }
            ExprKind::Local(local) => *local = named(*local),
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => binder.local = named(binder.local),
            _ => {}
        }
    }
}

pub(super) fn written_out(rules: &Rules, inlines: bool) -> InlinedRules {
    let (choices, picks, passes) = Default::default();
    let calling = calling_conditions(rules);
    let kept: BTreeSet<Span> = rules.secret_sources.union(&calling).copied().collect();
    let mut written = InlinedRules { rules: rules.clone(), passes, choices, picks, calling };
    let (order, circles) = call_graph(rules);
    let mut values = vec![None; rules.rules.len()];
    let mut left_in_all = MOST_IN_ALL;
    for at in order.into_iter().filter(|_| inlines) {
        let rule = &mut written.rules.rules[at];
        simplify(rule);
        let locals = std::mem::take(&mut rule.locals);
        let most = MOST_WRITTEN.min(left_in_all);
        let mut writer = InlineWriter { values: &values, kept: &kept, locals, left: most };
        rule.change_exprs(&mut |expr| writer.inline_calls(expr));
        if writer.left < most {
            written.passes = written.passes.with(Pass::Inline);
        }
        left_in_all -= most - writer.left;
        rule.locals = writer.locals;
        values[at] = circles[at].is_none().then(|| value_of(rule)).flatten();
    }
    for (at, rule) in rules.rules.iter().enumerate() {
        let id = RuleId::at(at);
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::Choose(choose) = &stmt.kind {
                written.choices.insert((id, stmt.span), choose.without_bodies());
            }
        });
        rule.visit_exprs(&mut |expr| {
            if let ExprKind::Pick(pick) = &expr.kind {
                written.picks.insert((id, expr.span), pick.set.clone());
            }
        });
    }
    written
}

/// Whether a rule supposes something: then what its arguments were read from may change meanwhile.
pub(in crate::compile) fn supposes(rule: &Rule) -> bool {
    let mut found = false;
    rule.visit_exprs(&mut |expr| found |= matches!(expr.kind, ExprKind::Suppose(..)));
    found
}

fn value_of(rule: &Rule) -> Option<Inlined> {
    let value = only_value(&rule.body)?;
    let mut size = 0;
    value.visit_tree(&mut |_| size += 1);
    // The range of a parameter is checked where the rule is called, so it has to be called.
    let ranged = rule.locals[..rule.params].iter().any(|param| param.range.is_some());
    let plain = rule.effects.is_pure() && !ranged && !matches!(rule.returns, Type::Text);
    let (params, locals) = (rule.params, rule.locals.clone());
    let supposes = supposes(rule);
    let fits = plain && (!supposes || does_nothing_but_call(value));
    fits.then(|| Inlined { value: value.clone(), size, params, locals, supposes })
}

/// Whether what an expression supposes consists of calls, so that it names no locals of its own.
fn does_nothing_but_call(value: &Expr) -> bool {
    let calls = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Call(_));
    !value.any(|part| matches!(&part.kind, ExprKind::Suppose(block, _) if !block.iter().all(calls)))
}

/// Whether a value reads a local in one place, and not once for each member of something.
fn is_read_once(value: &Expr, local: LocalId) -> bool {
    let (mut reads, mut repeats) = (0, false);
    value.visit_tree(&mut |part| {
        reads += usize::from(part.is_local(local));
        repeats |= repeated(part).any(|part| part.reads_local(local));
    });
    reads == 1 && !repeats
}

/// The parts of an expression that are computed once for each member of something.
fn repeated(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let (binder, body) = match &expr.kind {
        ExprKind::Filter(binder) => (Some(binder), &[][..]),
        ExprKind::Image(body, binder) => (Some(binder), std::slice::from_ref(&**body)),
        ExprKind::Fold { binder, body, .. } => (Some(binder), body.as_slice()),
        _ => (None, &[][..]),
    };
    let condition = binder.and_then(|binder| binder.condition.as_deref());
    condition.into_iter().chain(body)
}

fn reads_state(arg: &Expr) -> bool {
    arg.any(|part| matches!(part.kind, ExprKind::Element(..) | ExprKind::Ambient(_)))
}

/// Whether computing an argument again costs next to nothing and cannot trap.
fn is_plain(arg: &Expr) -> bool {
    match &arg.kind {
        ExprKind::Value(_)
        | ExprKind::Local(_)
        | ExprKind::Option(_)
        | ExprKind::Constant(_)
        | ExprKind::Ambient(Ambient::Players | Ambient::LastPlayer | Ambient::Turn)
        | ExprKind::Whole(_) => true,
        ExprKind::Column(_, _, of)
        | ExprKind::Unary(UnaryOp::Next | UnaryOp::Previous | UnaryOp::Seat, of) => is_plain(of),
        ExprKind::Element(Array::Var(_), indices) => {
            indices.iter().all(|index| is_plain(index) && !matches!(index.ty, Type::Number))
        }
        _ => false,
    }
}
