//! Counts the cards of each face: listed, in a column, or computed from the face.

use std::collections::BTreeMap;

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::recorder::Symbol;
use crate::check::typer::types::constant_with;
use crate::check::words::quote_list;
use crate::rules::{Column, KindId, Local, Type, Value, to_int};
use crate::source::Span;
use crate::syntax::{ast, in_snake_case, print_expression, tokenize};

/// What a number of copies may read.
const BY_FACE: &str = "use the face, its columns and numbers: `if face.cost > 3 then 1 else 2`";

/// The most cards of one kind: a set of them is at most 16 words.
pub(crate) const MOST_CARDS: usize = 1024;

/// How many cards there are of each face.
pub(crate) fn copies(file: &mut FileContext, face: KindId, copies: &ast::Copies) -> Vec<usize> {
    let mut counts = vec![1; file.rules.kind_at(face).members.len()];
    match copies {
        ast::Copies::One => {}
        ast::Copies::Computed(ast::Expr { kind: ast::ExprKind::Name(name), .. }) => {
            counts = copies_in_column(file, face, name);
        }
        ast::Copies::Computed(number) => counts = computed_copies(file, face, number),
        ast::Copies::Listed(listed) => {
            let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
            for (name, count) in listed {
                if let Some(earlier) = seen.insert(&name.text, name.span) {
                    file.duplicate(name, earlier);
                }
                match file.member_of(face, &name.text) {
                    Some(at) => {
                        file.recorder.note_use(name.span, Symbol::Member(face, at));
                        counts[at] = usize::try_from(*count).unwrap_or(MOST_CARDS + 1);
                    }
                    None => file.no_member(face, name),
                }
            }
        }
    }
    counts
}

fn copies_in_column(file: &mut FileContext, face: KindId, name: &ast::Name) -> Vec<usize> {
    let at = file.rules.kind_at(face).columns.iter().position(|column| column.name == name.text);
    at.into_iter().for_each(|at| file.recorder.note_use(name.span, Symbol::Column(face, at)));
    let kind = file.rules.kind_at(face);
    let counts: Option<Vec<usize>> = at.and_then(|at| {
        let column = &kind.columns[at];
        let count = |cell: &Value| match cell {
            Value::Int(count) if column.ty == Type::Number => usize::try_from(*count).ok(),
            _ => None,
        };
        column.cells.iter().map(count).collect()
    });
    if let Some(counts) = counts {
        return counts;
    }
    let numbers = kind.named_columns().filter(|column| column.ty == Type::Number);
    let names: Vec<&str> = numbers.map(|column| column.name.as_str()).collect();
    let help = if names.is_empty() {
        format!("give `{}` a column of numbers: how often there is each face", kind.name)
    } else {
        format!("its columns of numbers are {}", quote_list(&names))
    };
    let problem =
        format!("`{}` is no column of `{}` with a number of copies", name.text, kind.name);
    let ones = vec![1; kind.members.len()];
    file.report_error(error::copies(problem, help, name.span));
    ones
}

/// A number for each face, from the face and its columns alone: how many cards there are is the
/// same in every setting, and known before all other names have values.
fn computed_copies(file: &mut FileContext, face: KindId, number: &ast::Expr) -> Vec<usize> {
    let kind = file.rules.kind_at(face);
    let faces = kind.members.len();
    let name = in_snake_case(&kind.name);
    let mut locals = vec![Local::fixed(&name, Type::Kind(face), kind.span)];
    let columns: Vec<&Column> = kind.named_columns().filter(|it| it.name != name).collect();
    locals.extend(columns.iter().map(|it| Local::fixed(&it.name, it.ty.clone(), it.span)));
    let cells: Vec<Vec<Value>> = columns.iter().map(|column| column.cells.clone()).collect();
    if let Some(name) = outside_of_face(file, number, &locals) {
        let problem = format!("`{name}` is no part of `{}`", file.rules.kind_at(face).name);
        file.report_error(error::copies(problem, BY_FACE, number.span));
        return vec![1; faces];
    }
    let before = file.diagnostics.count();
    let (number, _) = constant_with(file, number, Some(&Type::Number), locals);
    note_columns(file, face);
    let mut counts = vec![1; faces];
    if file.diagnostics.count() > before {
        return counts;
    }
    for (at, count) in counts.iter_mut().enumerate() {
        file.budget.charge(8);
        let cells = cells.iter().map(|cells| cells.get(at).cloned().unwrap_or(Value::None));
        let bound: Vec<Value> = std::iter::once(Value::Int(to_int(at))).chain(cells).collect();
        match file.fold_constant(&number, &bound) {
            Some(Value::Int(known @ 0..)) => {
                *count = usize::try_from(known).unwrap_or(MOST_CARDS + 1);
            }
            found => {
                let face = &file.rules.kind_at(face).members[at].name;
                let (problem, help) = if found.is_some() {
                    let problem = format!("there are fewer than 0 copies of `{face}`");
                    (problem, "a number of copies is 0 or more")
                } else {
                    let how_many = format!("how many copies of `{face}` there are");
                    (format!("{how_many} does not follow from the face"), BY_FACE)
                };
                file.report_error(error::copies(problem, help, number.span));
                return counts;
            }
        }
    }
    counts
}

/// A name that means something of the game which is not known this early. A rule is meant where it is called: else
/// the name may be a face.
fn outside_of_face(file: &FileContext, number: &ast::Expr, locals: &[Local]) -> Option<String> {
    let text = print_expression(number);
    let tokens = tokenize(&text).all;
    let text_at = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let found = (0..tokens.len()).find(|at| {
        let name = text_at(*at);
        let is_called = text_at(at + 1) == "(" && file.names.rules.contains_key(name);
        let is_field = *at > 0 && text_at(at - 1) == ".";
        let is_local = locals.iter().any(|local| local.name == name);
        (is_called || file.names.globals.contains_key(name)) && !is_local && !is_field
    });
    found.map(|at| text_at(at).to_owned())
}

/// Names in a number of copies stand for the kind of the face and for its columns.
fn note_columns(file: &mut FileContext, face: KindId) {
    let kind = &file.rules.kinds[face.index()];
    for it in &mut file.recorder.uses {
        let Symbol::Local(span) = it.means else { continue };
        if span == kind.span {
            it.means = Symbol::Kind(face);
        } else if let Some(at) = kind.columns.iter().position(|it| it.span == span) {
            it.means = Symbol::Column(face, at);
        }
    }
}
