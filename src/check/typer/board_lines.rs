//! `Field.lines(4)`: the straight lines of a grid, a kind that stands for sets of cells.

use crate::check::error;
use crate::check::typer::Typer;
use crate::rules::topology::{BoardTopology, Plane};
use crate::rules::{Domain, Expr, ExprKind, KindId, Type, format_count, typed};
use crate::source::Span;
use crate::syntax::ast;

/// `Field.lines(4)`, `Field.lines(3, orthogonal)`
pub(crate) fn check_lines(
    typer: &mut Typer,
    board: KindId,
    args: &[ast::Expr],
    span: Span,
) -> Expr {
    if typer.file.rules.board_axes(board).is_empty() {
        args.iter().for_each(|arg| drop(typer.infer(arg, None)));
        let problem = format!("`{}` has no lines", typer.file.rules.kind_at(board).name);
        let help = "lines are those of a grid or a hex board: `board Field 4 by 4`";
        return no_lines(typer, &problem, help, span);
    }
    if !(1..=2).contains(&args.len()) {
        let (expected, found) = ("1 argument or 2", args.len());
        let head = "Board.lines(length: number, ways: set of Direction)";
        let error = error::WrongArgumentCount {
            name: "lines",
            expected,
            found,
            head,
            span,
            declared: None,
        };
        return typer.file.report_as_expr(error);
    }
    wanted_lines(typer, board, args, span).unwrap_or_else(|broken| broken)
}

fn no_lines(typer: &mut Typer, problem: &str, help: &str, span: Span) -> Expr {
    typer.file.report_as_expr(error::no_lines(problem, help, span))
}

/// The lines of a length that run along some axes, or what takes their place.
fn wanted_lines(
    typer: &mut Typer,
    board: KindId,
    args: &[ast::Expr],
    span: Span,
) -> Result<Expr, Expr> {
    let number = typer.infer_as(&args[0], &Type::Number);
    let axes = args.get(1).map_or(Ok(typer.file.rules.board_axes(board).to_vec()), |ways| {
        resolve_axes(typer, board, ways)
    })?;
    if number.ty == Type::Unknown {
        return Err(number);
    }
    let Some(length) = typer.file.known_number(&number) else {
        let problem = "the length of a line must be known before play";
        let help = "write a number, or a constant made of numbers: `players` and options are known \
                    only when a game begins";
        return Err(no_lines(typer, problem, help, number.span));
    };
    let Some(length) = usize::try_from(length).ok().filter(|length| *length >= 2) else {
        let help = "for single cells write the board itself";
        return Err(no_lines(typer, "a line has at least 2 cells", help, number.span));
    };
    if axes
        .iter()
        .all(|axis| typer.file.rules.board_of(board).lines_along(length, axis).next().is_none())
    {
        let problem =
            format!("`{}` has no line of {length} cells", typer.file.rules.kind_at(board).name);
        let help = match typer.file.rules.board_of(board) {
            BoardTopology::Grid(Plane::Grid { columns, rows, .. }) => {
                let (columns, rows) = (format_count(columns, "column"), format_count(rows, "row"));
                format!("it has {columns} and {rows}")
            }
            other => format!("it has {}", other.describe_shape()),
        };
        return Err(no_lines(typer, &problem, &help, number.span));
    }
    Ok(all_lines(typer, board, length, &axes, span))
}

/// The axes that a set of directions lies on.
fn resolve_axes(
    typer: &mut Typer,
    board: KindId,
    ways: &ast::Expr,
) -> Result<Vec<&'static str>, Expr> {
    let Some(directions) = typer.file.rules.directions_kind() else {
        return Err(typer.infer(ways, None));
    };
    let ways = typer.infer_as(ways, &Type::Set(Domain::Kind(directions)));
    if ways.ty == Type::Unknown {
        return Err(ways);
    }
    let Some(known) = typer.file.known_set(&ways) else {
        let problem = "the directions of lines must be known before play";
        let help = "write `orthogonal`, `diagonal`, or directions in braces";
        return Err(no_lines(typer, problem, help, ways.span));
    };
    let words = typer.file.rules.direction_names(&known);
    let runs = |axis: &&'static str| {
        words.iter().any(|word| typer.file.rules.board_of(board).axis_of(word) == Some(*axis))
    };
    Ok(typer.file.rules.board_axes(board).iter().copied().filter(runs).collect())
}

fn all_lines(typer: &mut Typer, board: KindId, length: usize, axes: &[&str], span: Span) -> Expr {
    let ways = match axes {
        ["east", "south"] => ", orthogonal".to_owned(),
        ["south_east", "south_west"] if typer.file.rules.board_axes(board).contains(&"south") => {
            ", diagonal".to_owned()
        }
        all if all.len() == typer.file.rules.board_axes(board).len() => String::new(),
        some => format!(", {{{}}}", some.join(", ")),
    };
    let name = format!("{}.lines({length}{ways})", typer.file.rules.kind_at(board).name);
    let kind = match typer.file.names.kinds.get(&name) {
        Some(kind) => *kind,
        None if typer.file.seats.is_some() => {
            let help = "ask for lines that the rules use";
            return no_lines(typer, "the game does not know these lines", help, span);
        }
        None => typer.file.new_lines(&name, board, length, axes),
    };
    let domain = Domain::Kind(kind);
    typed(ExprKind::Whole(domain), Type::Set(domain), span)
}
