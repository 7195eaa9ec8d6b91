//! Rules that are one pure expression, written out where they are called: then what they ask can
//! become operations on sets together with whatever stands around the call.

use std::collections::BTreeMap;

use crate::check::rules::{
    Binder, Choose, Expr, ExprKind, Local, LocalId, Pick, Rule, Rules, StmtKind, Type,
};
use crate::check::visit::visit_choices;
use crate::compile::Compiler;
use crate::compile::functions::circles;
use crate::compile::suppose::supposes;

/// More expressions than this are not written into one rule: calls of calls could double for ever.
const MOST_WRITTEN: usize = 4096;

/// And not more than this into all rules together.
const MOST_IN_ALL: usize = 1 << 15;

/// The same rules, with calls written out where that changes nothing but the speed.
pub(super) fn written_out(rules: &Rules) -> Rules {
    let mut written = rules.clone();
    let circles = circles(rules);
    let mut values = vec![None; rules.rules.len()];
    let mut left_in_all = MOST_IN_ALL;
    for at in in_order_of_calls(rules) {
        let rule = &mut written.rules[at];
        let locals = std::mem::take(&mut rule.locals);
        let most = MOST_WRITTEN.min(left_in_all);
        let mut writer = Writer { values: &values, locals, left: most };
        rule.change(&mut |expr| writer.write(expr));
        left_in_all -= most - writer.left;
        rule.locals = writer.locals;
        values[at] = circles[at].is_none().then(|| value_of(rule)).flatten();
    }
    written
}

/// The decisions of a file as it has them, without what was written into them.
pub(super) struct Asked {
    choices: Vec<Choose>,
    /// What can be picked from.
    picks: Vec<Expr>,
    /// The number of each decision of the rules with calls written out, by where it lies.
    numbers: BTreeMap<usize, usize>,
}

impl Asked {
    /// Nothing that is written out asks, so the decisions stand in the same order.
    pub(super) fn of(typed: &Rules, written: &Rules) -> Asked {
        let (mut choices, mut picks) = (Vec::new(), Vec::new());
        for rule in &typed.rules {
            visit_choices(&rule.body, &mut |choose| choices.push(choose.head()));
            visit_picks(rule, &mut |pick| picks.push(pick.set.clone()));
        }
        let mut numbers = BTreeMap::new();
        let (mut choice, mut pick) = (0.., 0..);
        for rule in &written.rules {
            visit_choices(&rule.body, &mut |it| {
                numbers.extend(choice.next().map(|at| (std::ptr::from_ref(it).addr(), at)));
            });
            visit_picks(rule, &mut |it| {
                numbers.extend(pick.next().map(|at| (std::ptr::from_ref(it).addr(), at)));
            });
        }
        Asked { choices, picks, numbers }
    }

    fn number<T>(&self, asked: &T) -> Option<usize> {
        self.numbers.get(&std::ptr::from_ref(asked).addr()).copied()
    }
}

impl Compiler<'_> {
    /// A decision as the file has it, without what happens behind it.
    pub(super) fn as_typed(&self, choose: &Choose) -> Choose {
        let typed = self.asked.number(choose).and_then(|at| self.asked.choices.get(at));
        typed.cloned().unwrap_or_else(|| choose.head())
    }

    /// What can be picked from, as the file has it.
    pub(super) fn pick_as_typed(&self, pick: &Pick) -> Expr {
        let typed = self.asked.number(pick).and_then(|at| self.asked.picks.get(at));
        typed.unwrap_or(&pick.set).clone()
    }
}

fn visit_picks(rule: &Rule, see: &mut dyn FnMut(&Pick)) {
    rule.visit(&mut |expr| {
        if let ExprKind::Pick(pick) = &expr.kind {
            see(pick);
        }
    });
}

/// A rule that is one expression, ready to be written out.
#[derive(Clone)]
struct Written {
    value: Expr,
    size: usize,
    params: usize,
    locals: Vec<Local>,
}

fn value_of(rule: &Rule) -> Option<Written> {
    let [only] = rule.body.as_slice() else { return None };
    let StmtKind::Return(Some(value)) = &only.kind else { return None };
    let mut size = 0;
    value.visit(&mut |_| size += 1);
    // The range of a parameter is looked at where the rule is called, so it has to be called.
    let ranged = rule.locals[..rule.params].iter().any(|param| param.range.is_some());
    let pure = rule.effects.is_pure() && !supposes(rule);
    let plain = pure && !ranged && !matches!(rule.returns, Type::Text);
    let (params, locals) = (rule.params, rule.locals.clone());
    plain.then(|| Written { value: value.clone(), size, params, locals })
}

/// The rules, each behind those that it calls.
fn in_order_of_calls(rules: &Rules) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; rules.rules.len()];
    for at in 0..rules.rules.len() {
        follow(rules, at, (&mut seen, &mut order));
    }
    order
}

fn follow(rules: &Rules, at: usize, (seen, order): (&mut Vec<bool>, &mut Vec<usize>)) {
    if std::mem::replace(&mut seen[at], true) {
        return;
    }
    rules.rules[at].visit(&mut |expr| {
        if let ExprKind::Call(rule, _) = &expr.kind {
            follow(rules, rule.index(), (&mut *seen, &mut *order));
        }
    });
    order.push(at);
}

/// Writes calls out in one rule.
struct Writer<'a> {
    values: &'a [Option<Written>],
    /// The locals of the rule; those of what is written into it are added.
    locals: Vec<Local>,
    /// How many more expressions may be written.
    left: usize,
}

impl Writer<'_> {
    fn write(&mut self, expr: &mut Expr) {
        let ExprKind::Call(rule, args) = &expr.kind else { return };
        let Some(called) = &self.values[rule.index()] else { return };
        let fits = called.size <= self.left && may_stand_for(&called.value.ty, &expr.ty);
        let params = called.locals[..called.params].iter();
        let plain = args
            .iter()
            .zip(params)
            .all(|(arg, param)| is_plain(arg) && may_stand_for(&arg.ty, &param.ty));
        if !fits || !plain {
            return;
        }
        self.left -= called.size;
        let mut value = called.value.clone();
        let mut renamed = BTreeMap::new();
        value.change(&mut |part| self.rename(part, called, args, &mut renamed));
        value.ty = expr.ty.clone();
        *expr = value;
    }

    /// Puts arguments in place of parameters, and locals of the rule in place of those of the
    /// called one.
    fn rename(
        &mut self,
        part: &mut Expr,
        called: &Written,
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
                let ty = if arg.ty == Type::None { part.ty.clone() } else { arg.ty.clone() };
                *part = Expr { ty, ..arg.clone() };
            }
            ExprKind::Local(local) => *local = named(*local),
            ExprKind::Filter(binder)
            | ExprKind::Image(_, binder)
            | ExprKind::Fold { binder, .. } => {
                let Binder { local, .. } = binder;
                *local = named(*local);
            }
            _ => {}
        }
    }
}

/// Whether a value of a type may be written where one of another was computed before.
fn may_stand_for(ty: &Type, wanted: &Type) -> bool {
    ty == wanted
        || match wanted {
            Type::Maybe(inner) => *ty == Type::None || *ty == **inner,
            _ => false,
        }
}

/// Whether computing an argument again costs next to nothing and cannot trap.
fn is_plain(arg: &Expr) -> bool {
    match &arg.kind {
        ExprKind::Value(_)
        | ExprKind::Local(_)
        | ExprKind::Option(_)
        | ExprKind::Constant(_)
        | ExprKind::Players
        | ExprKind::LastPlayer
        | ExprKind::LegalMoves
        | ExprKind::Whole(_) => true,
        ExprKind::Column(_, _, of) => is_plain(of),
        ExprKind::Var(_, indices) => {
            indices.iter().all(|index| is_plain(index) && !matches!(index.ty, Type::Number))
        }
        _ => false,
    }
}
