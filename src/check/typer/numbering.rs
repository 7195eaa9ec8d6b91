//! `Field[row, column]`, `Kind[n]` and `Field.at(row, column)`: members by the numbers that they have.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::typer::Typer;
use crate::check::typer::fit::wrong_index_count;
use crate::check::words::WrittenCall;
use crate::diagnostic::Help;
use crate::rules::{
    Arith, Array, BinaryOp, Domain, Expr, ExprKind, KindId, KindShape, PLAYER, Type, Value,
    domain_code, flat_index, format_count, maybe_if_any, member_expr, to_int, typed, unknown_expr,
};
use crate::source::Span;
use crate::syntax::ast;

/// How the members of a kind are numbered, each number from 1.
pub(crate) struct Numbering {
    kind: KindId,
    /// What the numbers are called.
    names: Vec<&'static str>,
    /// The highest of each.
    sizes: Vec<usize>,
    /// The members by their numbers, the last number running fastest.
    members: Vec<Option<usize>>,
}

impl Numbering {
    fn join_names(&self) -> String {
        self.names.join(", ")
    }

    /// The place of some numbers in the list of members.
    fn position_of(&self, numbers: &[i64]) -> Option<usize> {
        flat_index(self.sizes.iter().map(|size| (1, *size)), numbers)
    }

    fn find_member(&self, numbers: &[i64]) -> Option<usize> {
        self.position_of(numbers).and_then(|place| self.members[place])
    }

    /// The members by all numbers that have one, and by so many more on each side.
    fn member_cells(&self, margin: i64) -> Vec<Value> {
        let mut all = vec![Vec::new()];
        for size in &self.sizes {
            let numbers = 1 - margin..=to_int(*size) + margin;
            let longer = |head: Vec<i64>| {
                numbers.clone().map(move |number| [head.as_slice(), &[number]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        let cell = |numbers: &Vec<i64>| {
            self.find_member(numbers).map_or(Value::None, |at| Value::Int(to_int(at)))
        };
        all.iter().map(cell).collect()
    }
}

fn clamp(op: Arith, number: Expr, bound: i64, span: Span) -> Expr {
    let bound = typed(ExprKind::Value(Value::Int(bound)), Type::Number, span);
    let kind = ExprKind::new_binary(BinaryOp::Arith(op), number, bound);
    typed(kind, Type::Number, span)
}

/// `Flag(red, oak)`: a member of a product; nothing if the name is not one of a product.
pub(crate) fn combination(typer: &mut Typer, call: WrittenCall) -> Option<Expr> {
    let WrittenCall { name, args, span } = call;
    let found = typer.file.names.computed.get(&format!("{}()", name.text)).copied()?;
    typer.file.note_kind(name);
    let table = &typer.file.rules.tables[found.index()];
    let (dims, ty) = (table.dims.clone(), table.ty.clone());
    if args.len() != dims.len() {
        args.iter().for_each(|arg| drop(typer.infer(arg, None)));
        let kinds = dims.iter().map(|dim| domain_code(&typer.file.rules, *dim));
        let head = format!("kind {} = {}", name.text, kinds.collect::<Vec<_>>().join(", "));
        let (expected, found) = (format_count(dims.len(), "argument"), args.len());
        let error = error::WrongArgumentCount {
            name: &name.text,
            expected,
            found,
            head,
            span,
            declared: None,
        };
        return Some(typer.file.report_as_expr(error));
    }
    let parts = typer.indices(args, &dims);
    if parts.iter().any(|part| part.ty == Type::Unknown) {
        return Some(unknown_expr(span));
    }
    Some(typed(ExprKind::Element(Array::Table(found), parts), ty, span))
}

/// `Field[2, 3]`, `Pit[k]`: a trap where there is no such member.
pub(crate) fn numbered_member(
    typer: &mut Typer,
    kind: KindId,
    args: &[ast::Expr],
    span: Span,
) -> Expr {
    let Some(numbering) = numbering(typer.file, kind, span) else { return unknown_expr(span) };
    let name = typer.file.rules.kind_at(kind).name.clone();
    if args.len() != numbering.names.len() {
        args.iter().for_each(|arg| drop(typer.infer(arg, None)));
        let help = Help::from(format!("write `{name}[{}]`", numbering.join_names()));
        let error = wrong_index_count(&name, numbering.names.len(), args.len(), help, span);
        return typer.file.report_as_expr(error);
    }
    if numbering.members.contains(&None) {
        args.iter().for_each(|arg| drop(typer.infer(arg, None)));
        let form = format!("{name}.at({})", numbering.join_names());
        let help = Help::from(format!("it has no cell at some numbers; `{form}` is a `maybe`"));
        return typer.file.report_as_expr(error::not_indexable(format!("`{name}`"), help, span));
    }
    let Some((numbers, known)) = check_numbers(typer, args) else { return unknown_expr(span) };
    if let Some(known) = known {
        return match numbering.find_member(&known) {
            Some(at) => member_expr(kind, at, span),
            None => no_such_number(typer, &numbering, &known, &numbers),
        };
    }
    by_numbers(typer, &numbering, numbers, false, span)
}

/// `Field.at(2, 3)`: `none` where there is no such member.
pub(crate) fn member_at(typer: &mut Typer, kind: KindId, args: &[ast::Expr], span: Span) -> Expr {
    let Some(numbering) = numbering(typer.file, kind, span) else { return unknown_expr(span) };
    let name = typer.file.rules.kind_at(kind).name.clone();
    if args.len() != numbering.names.len() {
        let numbers = numbering.names.iter().map(|it| format!("{it}: number"));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let expected = format_count(numbering.names.len(), "argument");
        let head = format!("{name}.at({numbers}) -> maybe {name}");
        let found = args.len();
        let error =
            error::WrongArgumentCount { name: "at", expected, found, head, span, declared: None };
        return typer.file.report_as_expr(error);
    }
    let Some((numbers, known)) = check_numbers(typer, args) else { return unknown_expr(span) };
    if let Some(known) = known {
        let value = numbering.find_member(&known).map_or(Value::None, |at| Value::Int(to_int(at)));
        return typed(ExprKind::Value(value), maybe_if_any(Type::Kind(kind)), span);
    }
    let clamped = numbers.into_iter().zip(&numbering.sizes).map(|(number, size)| {
        let number = clamp(Arith::Min, number, to_int(*size) + 1, span);
        clamp(Arith::Max, number, 0, span)
    });
    by_numbers(typer, &numbering, clamped.collect(), true, span)
}

/// The numbers, and what they are if all are known before play; nothing after an error.
fn check_numbers(typer: &mut Typer, args: &[ast::Expr]) -> Option<(Vec<Expr>, Option<Vec<i64>>)> {
    let numbers: Vec<Expr> = args.iter().map(|arg| typer.infer_as(arg, &Type::Number)).collect();
    let known = numbers.iter().map(|it| typer.file.known_number(it)).collect();
    numbers.iter().all(|it| it.ty != Type::Unknown).then_some((numbers, known))
}

fn no_such_number(typer: &mut Typer, by: &Numbering, known: &[i64], written: &[Expr]) -> Expr {
    let mut parts = known.iter().zip(&by.sizes).zip(written.iter().zip(&by.names));
    let outside = |number: i64, size: usize| !(1..=to_int(size)).contains(&number);
    let ((number, highest), (expr, name)) = parts
        .find(|((number, size), _)| outside(**number, **size))
        .expect("all other numbers have a member");
    let of = typer.file.rules.kind_at(by.kind);
    let what = match *name {
        "number" => of.as_board().map_or("member", |board| board.noun()),
        name => name,
    };
    let form = by.join_names();
    let (of, span) = (of.name.clone(), expr.span);
    typer.file.report_as_expr(error::NoSuchNumber { of, what, number, highest, form, span })
}

/// An element of the table that leads from numbers to members; a new one if there is none yet.
fn by_numbers(
    typer: &mut Typer,
    by: &Numbering,
    numbers: Vec<Expr>,
    or_none: bool,
    span: Span,
) -> Expr {
    let kind = by.kind;
    // A `maybe` has one more number on each side, for all beyond.
    let (word, ty, margin) = if or_none {
        (".at", maybe_if_any(Type::Kind(kind)), 1)
    } else {
        ("", Type::Kind(kind), 0)
    };
    let name = format!("{}{word}({})", typer.file.rules.kind_at(kind).name, by.join_names());
    if !typer.file.names.computed.contains_key(&name) {
        if typer.file.seats.is_some() {
            let found = format!("`{}`", typer.file.rules.kind_at(kind).name);
            let help = "write numbers that are known: no rule finds a member in this way";
            return typer.file.report_as_expr(error::not_indexable(found, help, span));
        }
        let bound = |value| typed(ExprKind::Value(Value::Int(value)), Type::Number, span);
        let ends = |size: &usize| (bound(1 - margin), bound(to_int(*size) + margin));
        let ends: Vec<(Expr, Expr)> = by.sizes.iter().map(ends).collect();
        let ranges = ends.iter().map(|(low, high)| typer.file.literal_range(low, high));
        let dims: Option<Vec<Domain>> = ranges.map(|it| it.map(Domain::Range)).collect();
        let Some(dims) = dims else { return unknown_expr(span) };
        let cells = by.member_cells(margin);
        typer.file.budget.charge(cells.len());
        typer.file.budget.hold_memory(cells.len() * size_of::<Value>());
        typer.file.add_computed(name.clone(), dims, ty.clone(), cells.into(), span);
    }
    let table = Array::Table(typer.file.names.computed[&name]);
    typer.look().narrowed(typed(ExprKind::Element(table, numbers), ty, span))
}

/// The numbers of the members of a kind; nothing after an error.
pub(crate) fn numbering(file: &mut FileContext, kind: KindId, span: Span) -> Option<Numbering> {
    let of = file.rules.kind_at(kind);
    let refused = match of.shape {
        _ if kind == PLAYER => Some("a player by the seat: `first(p in Player: p.seat == n)`"),
        KindShape::Cards(_) => Some("cards are in piles: `top of deck`, `first(c in me.hand: …)`"),
        _ => None,
    };
    if let Some(help) = refused {
        return file.refuse_with(error::not_indexable(format!("`{}`", of.name), help, span));
    }
    if of.members.is_empty() {
        return None;
    }
    file.budget.charge(of.members.len());
    let numbers = of.as_board().map(|board| board.number_columns()).unwrap_or_default();
    if numbers.is_empty() {
        let members: Vec<Option<usize>> = of.own_members().into_iter().map(Some).collect();
        let (names, sizes) = (vec!["number"], vec![members.len()]);
        return Some(Numbering { kind, names, sizes, members });
    }
    let highest = |all: &Vec<usize>| all.iter().copied().max().unwrap_or(0);
    let mut numbering = Numbering {
        kind,
        names: numbers.iter().map(|(name, _)| *name).collect(),
        sizes: numbers.iter().map(|(_, all)| highest(all)).collect(),
        members: Vec::new(),
    };
    numbering.members = vec![None; numbering.sizes.iter().product()];
    for at in 0..of.members.len() {
        let of_cell: Vec<i64> = numbers.iter().map(|(_, all)| to_int(all[at])).collect();
        let place = numbering.position_of(&of_cell).expect("numbers are from 1 to the highest");
        numbering.members[place] = Some(at);
    }
    Some(numbering)
}
