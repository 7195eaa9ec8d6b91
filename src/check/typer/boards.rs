//! Types adjacency of cells: `neighbours`, `step` and `ray`, tabulated before play.

use crate::check::error;
use crate::check::file::boards::ALL_NEIGHBOURS;
use crate::check::typer::Typer;
use crate::check::words::quote_list;
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Array, Binder, Domain, Expr, ExprKind, KindId, Local, Type, Value, maybe_if_any, to_int, typed,
    unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

/// `neighbours(c)`, `neighbours(c, orthogonal)`, `step(c, north)`, `ray(c, east)`
pub(crate) fn relation(typer: &mut Typer, name: &str, args: &[ast::Expr], span: Span) -> Expr {
    let (fewest, expected, head) = match name {
        "neighbours" => (1, "1 argument or 2", "neighbours(c: Cell, ways: set of Direction)"),
        "step" => (2, "2 arguments", "step(c: Cell, way: Direction) -> maybe Cell"),
        _ => (2, "2 arguments", "ray(c: Cell, way: Direction) -> set of Cell"),
    };
    if !(fewest..=2).contains(&args.len()) {
        let found = args.len();
        let error = error::WrongArgumentCount { name, expected, found, head, span, declared: None };
        return typer.file.report_as_expr(error);
    }
    let cell = typer.infer(&args[0], None);
    let cell = Expr { ty: typer.file.rules.whole_type(&cell.ty), ..cell };
    let board = match unwrap_maybe(&cell.ty) {
        Type::Kind(kind) if typer.file.rules.kind_at(*kind).is_board() => *kind,
        _ => return not_a_cell(typer, cell),
    };
    match args.get(1) {
        None => {
            let mut columns = typer.file.rules.kind_at(board).columns.iter();
            let column = columns.position(|known| known.name == ALL_NEIGHBOURS);
            column.map_or(unknown_expr(span), |at| tabulated_sets(typer, board, cell, at, span))
        }
        Some(way) if typer.file.rules.board_of(board).directions().is_empty() => {
            typer.infer(way, None);
            let (what, help) = match typer.file.rules.board_of(board) {
                BoardTopology::Joints(_) => ("board", "`neighbours(c)` are what touches it"),
                _ => ("map", "`neighbours(c)` are the places that are linked to it"),
            };
            let board = format!("the {what} `{}`", typer.file.rules.kind_at(board).name);
            let direction = "directions";
            let span = way.span;
            typer.file.report_as_expr(error::no_direction(board, direction, help, span))
        }
        Some(ways) if name == "neighbours" => some_neighbours(typer, board, cell, ways, span),
        Some(way) => check_way(typer, name, board, cell, way, span),
    }
}

pub(crate) fn not_a_cell(typer: &mut Typer, cell: Expr) -> Expr {
    let (found, span) = (typer.file.rules.describe_type(&cell.ty), cell.span);
    let help = match cell.ty {
        Type::Unknown => return cell,
        Type::Set(_) => "ask for one cell after the other: `for c in S { … }`",
        _ => "write a cell: a name like `a1`, or a variable that holds one",
    };
    typer.file.report_as_expr(error::not_a_cell(found, help, span))
}

/// What a computed column says of a cell.
pub(crate) fn tabulated_sets(
    typer: &mut Typer,
    board: KindId,
    cell: Expr,
    column: usize,
    span: Span,
) -> Expr {
    if cell.ty != Type::Kind(board) {
        return typer.report_unchecked_maybe(&cell, &Type::Kind(board));
    }
    let ty = typer.file.rules.kind_at(board).columns[column].ty.clone();
    typed(ExprKind::new_column(board, column, cell), ty, span)
}

fn some_neighbours(
    typer: &mut Typer,
    board: KindId,
    cell: Expr,
    ways: &ast::Expr,
    span: Span,
) -> Expr {
    let Some(directions) = typer.file.rules.directions_kind() else { return unknown_expr(span) };
    let ways = typer.infer_as(ways, &Type::Set(Domain::Kind(directions)));
    if ways.ty == Type::Unknown {
        return unknown_expr(span);
    }
    if let Some(known) = typer.file.known_set(&ways) {
        if let Some(stranger) = typer.file.rules.missing_direction(board, &known) {
            return no_direction(typer, board, &stranger, ways.span);
        }
        if let Some(column) = typer.file.neighbours_in(board, &known) {
            return tabulated_sets(typer, board, cell, column, span);
        }
    }
    let Some(table) = typer.file.way_table("step", board) else { return unknown_expr(span) };
    let of_direction = Type::Kind(directions);
    let local = typer.scope.add_local(Local::fixed("way", of_direction.clone(), span));
    let way = typed(ExprKind::Local(local), of_direction, span);
    let step = typed(
        ExprKind::Element(Array::Table(table), vec![way, cell]),
        maybe_if_any(Type::Kind(board)),
        span,
    );
    let binder = Binder { local, set: Box::new(ways), condition: None };
    typed(ExprKind::Image(Box::new(step), binder), Type::Set(Domain::Kind(board)), span)
}

/// `step(c, way)`, `ray(c, way)`
fn check_way(
    typer: &mut Typer,
    word: &str,
    board: KindId,
    cell: Expr,
    way: &ast::Expr,
    span: Span,
) -> Expr {
    let Some(directions) = typer.file.rules.directions_kind() else { return unknown_expr(span) };
    let way = typer.infer(way, Some(&Type::Kind(directions)));
    if way.ty == Type::Number {
        let error = typer.look().number_as_direction_error(board, way.span);
        return typer.file.report_as_expr(error);
    }
    let way = typer.coerce(way, &Type::Kind(directions));
    if way.ty == Type::Unknown {
        return unknown_expr(span);
    }
    let ways: Vec<i64> = match &way.kind {
        ExprKind::Value(Value::Int(at)) => vec![*at],
        _ => (0..typer.file.rules.kind_at(directions).members.len()).map(to_int).collect(),
    };
    let stranger = typer.file.rules.missing_direction(board, &ways);
    if let (Some(stranger), ExprKind::Value(Value::Int(_))) = (&stranger, &way.kind) {
        return no_direction(typer, board, stranger, way.span);
    }
    let is_cell = cell.ty == Type::Kind(board);
    if word == "ray" && !is_cell {
        return typer.report_unchecked_maybe(&cell, &Type::Kind(board));
    }
    let Some(table) = typer.file.way_table(word, board) else { return unknown_expr(span) };
    if word == "ray" && !typer.file.pay_for_rays(board) {
        return unknown_expr(span);
    }
    // On a ring there is a next cell in its own directions wherever one stands.
    let goes_on = typer.file.rules.board_of(board).is_endless() && stranger.is_none();
    let ty = if word == "step" && goes_on && is_cell {
        cell.ty.clone()
    } else {
        typer.file.rules.tables[table.index()].ty.clone()
    };
    typer.look().narrowed(typed(ExprKind::Element(Array::Table(table), vec![way, cell]), ty, span))
}

fn no_direction(typer: &mut Typer, board: KindId, direction: &str, span: Span) -> Expr {
    let help =
        format!("its directions are {}", quote_list(typer.file.rules.board_of(board).directions()));
    let board = format!("`{}`", typer.file.rules.kind_at(board).name);
    typer.file.report_as_expr(error::no_direction(board, format!("`{direction}`"), help, span))
}
