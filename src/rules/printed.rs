//! Finds the columns that people read of the members of each kind.

use std::collections::BTreeSet;

use crate::rules::visit::{any_stmt, visit_choices};
use crate::rules::{
    Array, Clause, Column, Domain, Expr, ExprKind, Kind, KindId, KindShape, Rules, StmtKind, Table,
    Type, Value,
};
use crate::syntax::number_words;

/// Returns for each kind the positions of the columns that people need: where a text says what a member does, it,
/// what moves ask for, and all that rules read and the text does not say. How many cards there are of a face is no
/// property of the face, nor is its place on a board one of a cell.
pub(crate) fn printed_columns(rules: &Rules) -> Vec<Vec<usize>> {
    let (read, asked) = (read_columns(rules), asked_columns(rules));
    let of_kind = |(number, kind): (usize, &Kind)| {
        let copies = copies_of(rules, number);
        let named = kind.columns.iter().enumerate().filter(|(_, column)| !column.is_computed());
        let named: Vec<(usize, &Column)> = named
            .filter(|(_, it)| copies.as_ref().is_none_or(|all| !is_copy_count(it, all)))
            .collect();
        let lies =
            |it: &Column| is_placed(rules, kind) && ["row", "column"].contains(&it.name.as_str());
        let named: Vec<(usize, &Column)> = named.into_iter().filter(|(_, it)| !lies(it)).collect();
        let has_text = named.iter().any(|(_, column)| is_text(column));
        let is_read = |column: &Column| read.contains(&(number, column.name.as_str()));
        let is_asked = |column: &Column| asked.contains(&(number, column.name.as_str()));
        let needed = |column: &Column| {
            !has_text
                || is_text(column)
                || is_asked(column)
                || is_read(column) && tells_apart(rules, kind, column)
        };
        named.iter().filter(|(_, column)| needed(column)).map(|(at, _)| *at).collect()
    };
    rules.kinds.iter().enumerate().map(of_kind).collect()
}

/// How many cards there are of each member of a kind, if its members are faces.
pub(crate) fn copies_of(rules: &Rules, kind: usize) -> Option<Vec<usize>> {
    let of_it = |it: &&Kind| matches!(it.shape, KindShape::Cards(face) if face.index() == kind);
    let cards = rules.kinds.iter().find(of_it)?;
    let mut counts = vec![0; rules.kinds[kind].members.len()];
    for cell in &cards.columns.first()?.cells {
        if let Value::Int(at) = cell
            && let Some(count) = usize::try_from(*at).ok().and_then(|at| counts.get_mut(at))
        {
            *count += 1;
        }
    }
    Some(counts)
}

fn is_text(column: &Column) -> bool {
    column.name == "text" && column.ty == Type::Text
}

/// Whether a column says how many cards there are of each face.
fn is_copy_count(column: &Column, copies: &[usize]) -> bool {
    column.ty == Type::Number
        && column.cells.iter().map(Value::member).eq(copies.iter().map(|it| Some(*it)))
}

/// Whether a kind is a part of a board.
fn is_placed(rules: &Rules, kind: &Kind) -> bool {
    kind.within.as_ref().is_some_and(|part| rules.kinds[part.of.index()].is_board())
}

/// The columns that rules read, of members or of the cards with these faces.
fn read_columns(rules: &Rules) -> BTreeSet<(usize, &str)> {
    let mut read = BTreeSet::new();
    let mut see = |expr: &Expr| read.extend(names_of_column(rules, expr));
    rules.rules.iter().for_each(|rule| rule.visit_exprs(&mut see));
    read
}

/// The columns that the heads of moves read.
fn asked_columns(rules: &Rules) -> BTreeSet<(usize, &str)> {
    let mut asked = BTreeSet::new();
    let mut see = |expr: &Expr| asked.extend(names_of_column(rules, expr));
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| {
            let clauses = choose.options.iter().flat_map(|option| &option.clauses);
            clauses.for_each(|clause: &Clause| clause.visit_exprs(&mut see));
        });
    }
    asked
}

/// The kind and the name of the column that an expression reads; the face of a card has it, too.
fn names_of_column<'r>(rules: &'r Rules, expr: &Expr) -> Vec<(usize, &'r str)> {
    // A column of bags has its amounts in a table of its own.
    if let ExprKind::Element(Array::Table(id), _) = &expr.kind
        && let Table { dims, name, .. } = &rules.tables[id.index()]
        && let (Some(Domain::Kind(kind)), Some((column, _))) = (dims.first(), name.split_once('('))
    {
        return vec![(kind.index(), column)];
    }
    let ExprKind::Column(kind, at, _) = &expr.kind else { return Vec::new() };
    let of = &rules.kinds[kind.index()];
    let name = of.columns[*at].name.as_str();
    let face = if let KindShape::Cards(face) = of.shape { Some(face.index()) } else { None };
    [Some(kind.index()), face].into_iter().flatten().map(|kind| (kind, name)).collect()
}

/// Whether a column tells members apart: what most have is no news, unless the texts of the others do not say their
/// numbers, and what it holds is more than a name by which rules find what the text says.
fn tells_apart(rules: &Rules, kind: &Kind, column: &Column) -> bool {
    let count = column.cells.len();
    let same = |cell: &Value| column.cells.iter().filter(|it| *it == cell).count();
    let usual = column.cells.iter().find(|cell| same(cell) * 2 > count);
    let texts = kind.columns.iter().find(|it| is_text(it)).map(|it| it.cells.as_slice());
    let words = |cell: &Value| match (cell, &column.ty) {
        (Value::Int(number), Type::Number) => number_words(*number).collect(),
        (Value::Int(at), Type::Kind(of)) => member_words(rules, *of, &[*at]),
        (Value::Set(members), Type::Set(Domain::Kind(of))) => member_words(rules, *of, members),
        (Value::Text(goods), Type::Bag(_)) => goods
            .split(' ')
            .filter(|it| it.parse::<i64>().is_err())
            .map(str::to_lowercase)
            .collect(),
        _ => Vec::new(),
    };
    let told = texts.unwrap_or_default().iter().zip(&column.cells).zip(&kind.members);
    let told = told.filter(|((_, cell), _)| usual != Some(cell));
    let (said, all) = told.fold((0, 0), |(said, all), ((text, cell), member)| {
        let words = words(cell);
        let Value::Text(text) = text else { return (said, all) };
        let title = if usual.is_some() { member.title.as_str() } else { "" };
        let text = format!("{text} {title}").to_lowercase();
        let has = |word: &String| text.split(|it: char| !it.is_alphanumeric()).any(|it| it == word);
        (said + usize::from(words.iter().any(has)), all + usize::from(!words.is_empty()))
    });
    // Members of a kind that is nothing but its names, one for each way to act.
    let acts = matches!(column.ty, Type::Kind(of) if is_dispatched(rules, of));
    let is_news = match usual {
        None => said * 5 < all * 4,
        // Of few exceptions the text of a card says what it has to.
        Some(_) if column.ty == Type::Number => all * MOST_EXCEPTIONS > count && said * 2 < all,
        Some(_) => false,
    };
    is_news && !acts
}

/// One of so many members is an exception that its text tells.
const MOST_EXCEPTIONS: usize = 10;

fn member_words(rules: &Rules, kind: KindId, members: &[i64]) -> Vec<String> {
    let all = &rules.kinds[kind.index()].members;
    let at = |it: &i64| usize::try_from(*it).ok().and_then(|at| all.get(at));
    members
        .iter()
        .filter_map(at)
        .map(|member| member.name.replace('_', " ").to_lowercase())
        .collect()
}

/// Whether rules go on with one of several cases by a member of a kind.
fn is_dispatched(rules: &Rules, kind: KindId) -> bool {
    rules.rules.iter().any(|rule| {
        any_stmt(&rule.body, |stmt| {
            matches!(&stmt.kind, StmtKind::Match { subject, .. } if subject.ty == Type::Kind(kind))
        })
    })
}
