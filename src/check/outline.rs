//! Checked rules as readable text: what `--emit rules` shows.

mod cards;
mod expressions;
mod statements;

use std::fmt::Write;

use crate::check::flow::deeds;
use crate::check::rules::{
    Column, Domain, Faces, GameOption, Kind, Local, RangeId, Rule, Rules, Table, Type, Var, VarForm,
};
use crate::check::types::{domain_code, range_code, type_code};
use crate::syntax::ast::Owner;

use expressions::Printer;
pub(super) use expressions::expression_text;
pub(super) use expressions::value_text;

/// The rules with what the checker found out: types, effects, what names mean.
pub fn outline(rules: &Rules) -> String {
    let mut out = String::new();
    game(rules, &mut out);
    for kind in &rules.kinds[1..] {
        kind_lines(rules, kind, &mut out);
    }
    for option in &rules.options {
        line(&mut out, 0, &option_line(rules, option));
    }
    for constant in &rules.constants {
        let (ty, value) = (type_code(rules, &constant.value.ty), &constant.value);
        let value = expression_text(rules, &[], value);
        line(&mut out, 0, &format!("let {}: {ty} = {value}", constant.name));
    }
    for table in rules.tables.iter().filter(|table| !table.is_computed()) {
        line(&mut out, 0, &table_line(rules, table));
    }
    vars(rules, Owner::Player, "each player has", &mut out);
    vars(rules, Owner::Table, "the table has", &mut out);
    for rule in &rules.rules {
        rule_lines(rules, rule, &mut out);
    }
    promises(rules, &mut out);
    out
}

/// The head of a rule, as it is written.
pub(super) fn head(rules: &Rules, rule: &Rule) -> String {
    let params: Vec<String> =
        rule.locals[..rule.params].iter().map(|param| typed_name(rules, param)).collect();
    let returns = match &rule.returns {
        Type::Nothing | Type::Unknown => String::new(),
        ty => format!(" -> {}", type_code(rules, ty)),
    };
    format!("{}({}){returns}", rule.name, params.join(", "))
}

/// Adds an indented line.
fn line(out: &mut String, depth: usize, text: &str) {
    writeln!(out, "{:width$}{text}", "", width = depth * 2)
        .expect("writing to a string never fails");
}

fn game(rules: &Rules, out: &mut String) {
    let (low, high) = rules.players;
    line(out, 0, &format!("game \"{}\", players {low}..{high}", rules.title));
    if let Some(limit) = &rules.limit {
        let decisions = expression_text(rules, &[], &limit.decisions);
        line(out, 0, &format!("limit {decisions} decisions"));
    }
}

fn kind_lines(rules: &Rules, kind: &Kind, out: &mut String) {
    let own = kind.own().into_iter().map(|at| kind.members[at].name.as_str());
    let names: Vec<&str> = own.collect();
    let within = kind.within.as_ref().map(|part| rules.kinds[part.of.index()].name.as_str());
    let within = within.map(|name| format!(" within {name}")).unwrap_or_default();
    line(out, 0, &format!("kind {}{within}: {}", kind.name, names.join(", ")));
    for column in kind.named_columns() {
        line(out, 1, &column_line(rules, column));
    }
}

fn column_line(rules: &Rules, column: &Column) -> String {
    let cells: Vec<String> =
        column.cells.iter().map(|cell| value_text(rules, cell, &column.ty)).collect();
    format!("{}: {} = {}", column.name, type_code(rules, &column.ty), cells.join(", "))
}

pub(super) fn option_line(rules: &Rules, option: &GameOption) -> String {
    let ty = ranged(rules, &option.ty, option.range);
    let default = expression_text(rules, &[], &option.default);
    format!("option {}: {ty} = {default} \"{}\"", option.name, option.title)
}

fn table_line(rules: &Rules, table: &Table) -> String {
    let cells: Vec<String> =
        table.cells.iter().map(|cell| value_text(rules, cell, &table.ty)).collect();
    let (dims, ty) = (dims_text(rules, &table.dims), type_code(rules, &table.ty));
    format!("table {}{dims}: {ty} = {}", table.name, cells.join(" "))
}

fn vars(rules: &Rules, owner: Owner, heading: &str, out: &mut String) {
    let mut listed = rules.vars.iter().filter(|var| var.owner == owner).peekable();
    if listed.peek().is_some() {
        line(out, 0, heading);
    }
    for var in listed {
        line(out, 1, &var_line(rules, var));
    }
}

fn var_line(rules: &Rules, var: &Var) -> String {
    format!("{}{}", stored_line(rules, var), var.sight.suffix())
}

pub(super) fn stored_line(rules: &Rules, var: &Var) -> String {
    let dims = dims_text(rules, &var.dims);
    let ty = ranged(rules, &var.ty, var.range);
    let first = expression_text(rules, &var.init.locals, &var.init.value);
    match &var.form {
        VarForm::Plain => format!("{}{dims}: {ty} = {first}", var.name),
        VarForm::Pile(_) => format!("pile {}{dims}: {ty} = {first}", var.name),
        VarForm::Coin => format!("coin {}{dims}: {ty} = {first}", var.name),
        VarForm::Die(Faces::Range(range)) => {
            format!("die {}{dims} = {}", var.name, range_code(rules, *range))
        }
        VarForm::Die(Faces::List(faces)) => {
            let faces: Vec<String> =
                faces.iter().map(|face| value_text(rules, face, &var.ty)).collect();
            format!("die {}{dims}: {ty} = {}", var.name, faces.join(" "))
        }
    }
}

fn rule_lines(rules: &Rules, rule: &Rule, out: &mut String) {
    let deeds = deeds(rule.effects);
    let is_flow = rule.name == "limit" || rule.name == "setup" || rule.name == "play";
    if is_flow && rule.params == 0 {
        line(out, 0, &format!("{}  # {deeds}", rule.name));
    } else {
        line(out, 0, &format!("rule {}  # {deeds}", head(rules, rule)));
    }
    Printer { rules, locals: &rule.locals }.block(&rule.body, 1, out);
}

fn promises(rules: &Rules, out: &mut String) {
    for measure in &rules.measures {
        let each = if measure.rule.params == 0 { "" } else { " for each player" };
        line(out, 0, &format!("measure {}{each} \"{}\"", measure.name, measure.title));
        Printer { rules, locals: &measure.rule.locals }.block(&measure.rule.body, 1, out);
    }
    for always in &rules.always {
        line(out, 0, "always");
        Printer { rules, locals: &always.rule.locals }.block(&always.rule.body, 1, out);
    }
}

/// A local with its type, as a parameter is written.
pub(super) fn typed_name(rules: &Rules, local: &Local) -> String {
    let dims = dims_text(rules, &local.dims);
    format!("{}{dims}: {}", local.name, ranged(rules, &local.ty, local.range))
}

/// A type, with the range of its numbers in place of `number`.
pub(super) fn ranged(rules: &Rules, ty: &Type, range: Option<RangeId>) -> String {
    match (range, ty) {
        (Some(range), Type::Number) => range_code(rules, range),
        (Some(range), Type::Maybe(_)) => format!("maybe {}", range_code(rules, range)),
        _ => type_code(rules, ty),
    }
}

pub(super) fn dims_text(rules: &Rules, dims: &[Domain]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let dims: Vec<String> = dims.iter().map(|dim| domain_code(rules, *dim)).collect();
    format!("[{}]", dims.join(", "))
}
