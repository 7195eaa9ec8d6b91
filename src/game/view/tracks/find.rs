//! Finds the numbers that walk along a row, from what the rules do with them.

use std::collections::{BTreeMap, BTreeSet};

use crate::bytecode::Program;
use crate::game::view::tracks::{Along, Lead, Track, TrackStop};
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Arith, Array, BinaryOp, Clause, Domain, Expr, ExprKind, LocalId, Rule, Rules, Stmt, StmtKind,
    Type, Value, VarForm,
};

/// A variable that is read, with its indices but for the owner.
#[derive(Clone, Debug)]
struct Read {
    var: usize,
    indices: Vec<Index>,
}

/// An index, as far as two of them can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    Local(LocalId),
    Member(usize),
    Other,
}

pub(in crate::game) fn tracks(rules: &Rules, program: &Program) -> Vec<Track> {
    let counted = find_counted(rules);
    let mut found: BTreeMap<usize, BTreeSet<TrackStop>> = BTreeMap::new();
    for rule in &rules.rules {
        let lets = lets(program, rule);
        rule.visit_exprs(&mut |expr| {
            if let Some((var, stop)) = find_stop(rules, program, &lets, expr)
                && counted.contains(&var)
            {
                found.entry(var).or_default().insert(stop);
            }
        });
    }
    let track = |(var, stops): (usize, BTreeSet<TrackStop>)| {
        let stops: Vec<TrackStop> = stops.into_iter().collect();
        // What only the rules write down is no track: something must say what stands where.
        let tells = stops.iter().any(|stop| matches!(stop.along, Along::Table(_)));
        tells.then_some(Track { var, stops })
    };
    found.into_iter().filter_map(track).collect()
}

/// The variables that count: something is added to them, or a loop over numbers sets them.
fn find_counted(rules: &Rules) -> BTreeSet<usize> {
    let mut counted = BTreeSet::new();
    for rule in &rules.rules {
        let mut numbers: BTreeSet<LocalId> = BTreeSet::new();
        visit_stmts(&rule.body, &mut |stmt| {
            if let StmtKind::For { binder, .. } = &stmt.kind
                && rule.locals[binder.local.0 as usize].ty == Type::Number
            {
                numbers.insert(binder.local);
            }
            counted.extend(counted_variable(stmt, &numbers));
        });
    }
    let is_number = |var: &usize| {
        let var = &rules.vars[*var];
        var.ty == Type::Number
            && !var.undrawn
            && !matches!(var.form, VarForm::Die(_))
            && var.dims.len() < 2
    };
    counted.into_iter().filter(is_number).collect()
}

/// The variable that a statement counts on; `numbers` are the locals of loops over numbers.
fn counted_variable(stmt: &Stmt, numbers: &BTreeSet<LocalId>) -> Option<usize> {
    let (place, counts) = match &stmt.kind {
        StmtKind::Change { place, add, .. } => (place, *add),
        StmtKind::Transfer { place, .. } => (place, true),
        StmtKind::Assign(place, value) => match (&value.kind, &place.kind) {
            (ExprKind::Local(local), _) => (place, numbers.contains(local)),
            (
                ExprKind::Binary(BinaryOp::Arith(Arith::Add), a, _),
                ExprKind::Element(Array::Var(var), _),
            ) => (place, matches!(&a.kind, ExprKind::Element(Array::Var(read), _) if read == var)),
            _ => return None,
        },
        _ => return None,
    };
    match &place.kind {
        ExprKind::Element(Array::Var(var), _) if counts => Some(var.index()),
        _ => None,
    }
}

/// The constant locals of a rule that hold a variable.
fn lets(program: &Program, rule: &Rule) -> BTreeMap<LocalId, Read> {
    let mut lets = BTreeMap::new();
    let mut keep = |local: &LocalId, value: &Expr| {
        if !rule.locals[local.0 as usize].mutable
            && let Some(read) = parse_read(program, value)
        {
            lets.insert(*local, read);
        }
    };
    visit_stmts(&rule.body, &mut |stmt| match &stmt.kind {
        StmtKind::Let(local, value) => keep(local, value),
        StmtKind::Choose(choose) => {
            for clause in choose.options.iter().flat_map(|option| &option.clauses) {
                if let Clause::Let(local, value) = clause {
                    keep(local, value);
                }
            }
        }
        _ => {}
    });
    lets
}

fn parse_read(program: &Program, expr: &Expr) -> Option<Read> {
    let ExprKind::Element(Array::Var(var), parts) = &expr.kind else { return None };
    let owned = usize::from(program.vars[var.index()].of_player);
    Some(Read { var: var.index(), indices: parts.iter().skip(owned).map(to_index).collect() })
}

fn to_index(expr: &Expr) -> Index {
    match &expr.kind {
        ExprKind::Local(local) => Index::Local(*local),
        ExprKind::Value(Value::Int(at)) => usize::try_from(*at).map_or(Index::Other, Index::Member),
        _ => Index::Other,
    }
}

/// The row and the stop of a track that an expression reads by its last index.
fn find_stop(
    rules: &Rules,
    program: &Program,
    lets: &BTreeMap<LocalId, Read>,
    expr: &Expr,
) -> Option<(usize, TrackStop)> {
    let (along, parts, dims) = match &expr.kind {
        ExprKind::Element(Array::Table(table), parts) => {
            let dims = &rules.tables[table.index()].dims;
            (Along::Table(table.index()), parts.as_slice(), dims)
        }
        ExprKind::Element(Array::Var(var), parts) => {
            let info = &rules.vars[var.index()];
            let owned = usize::from(program.vars[var.index()].of_player);
            (Along::Var(var.index()), parts.get(owned..)?, &info.dims)
        }
        _ => return None,
    };
    let (last, leading) = parts.split_last()?;
    if !matches!(dims.last()?, Domain::Range(_)) || leading.len() + 1 != dims.len() {
        return None;
    }
    let position = match &last.kind {
        ExprKind::Local(local) => lets.get(local)?.clone(),
        _ => parse_read(program, last)?,
    };
    let leading: Vec<Index> = leading.iter().map(to_index).collect();
    let (only, lead) = match (position.indices.as_slice(), leading.as_slice()) {
        ([], []) => (None, Lead::None),
        ([], [Index::Member(row)]) => (None, Lead::Fixed(*row)),
        ([Index::Local(a)], [Index::Local(b)]) if a == b => (None, Lead::Same),
        ([Index::Member(only)], []) => (Some(*only), Lead::None),
        ([Index::Member(only)], [Index::Member(row)]) => (Some(*only), Lead::Fixed(*row)),
        _ => return None,
    };
    let same = !matches!(along, Along::Var(var) if var == position.var);
    same.then_some((position.var, TrackStop { along, only, lead }))
}
