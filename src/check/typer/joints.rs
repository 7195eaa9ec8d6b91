//! Types what touches what on a board with edges and corners: `edges`, `corners`, `ends`, `sides` and `edge`.

use crate::check::error;
use crate::check::typer::Typer;
use crate::check::typer::boards::{not_a_cell, tabulated_sets};
use crate::check::words::WrittenCall;
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::topology::BoardTopology;
use crate::rules::{
    Array, BinaryOp, Binder, Expr, ExprKind, Kind, KindId, Local, TableId, Type, Value,
    maybe_if_any, member_kind, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::JOINT_FUNCTIONS;
use crate::syntax::{
    ast::{self, FoldWord},
    print_expression,
};

/// A call of one of the functions, where the file has edges or corners.
pub(crate) fn check_joints(typer: &mut Typer, call: WrittenCall) -> Option<Expr> {
    let WrittenCall { name, args, span } = call;
    let word = name.text.as_str();
    let is_joint = |kind: &Kind| matches!(kind.as_board(), Some(BoardTopology::Joints(_)));
    let mut kinds = typer.file.rules.kinds.iter();
    if !JOINT_FUNCTIONS.contains(&word) || !kinds.any(is_joint) {
        return None;
    }
    let (count, expected, head) = match word {
        "edge" => (2, "2 arguments", "edge(c: Cell, way: Direction) -> maybe Edge"),
        "edges" => (1, "1 argument", "edges(c: Cell) -> set of Edge"),
        "corners" => (1, "1 argument", "corners(c: Cell) -> set of Corner"),
        "ends" => (1, "1 argument", "ends(e: Edge) -> set of Corner"),
        _ => (1, "1 argument", "sides(e: Edge) -> set of Cell"),
    };
    if args.len() != count {
        let found = args.len();
        let error =
            error::WrongArgumentCount { name: word, expected, found, head, span, declared: None };
        return Some(typer.file.report_as_expr(error));
    }
    let of = typer.infer(&args[0], None);
    let of = Expr { ty: typer.file.rules.whole_type(&of.ty), ..of };
    let board = match unwrap_maybe(&of.ty) {
        Type::Kind(kind) if typer.file.rules.kind_at(*kind).is_board() => *kind,
        _ => return Some(not_a_cell(typer, of)),
    };
    if word == "edge" {
        return Some(edge_between(typer, board, of, &args[1], span));
    }
    Some(match column_named(typer, board, &format!("{word}()")) {
        Some(column) => tabulated_sets(typer, board, of, column, span),
        None => no_joints(typer, board, word, of.span),
    })
}

fn column_named(typer: &Typer, kind: KindId, name: &str) -> Option<usize> {
    typer.file.rules.kind_at(kind).columns.iter().position(|column| column.name == name)
}

/// `edges(c)` of a board that has none, `ends(c)` of a cell.
fn no_joints(typer: &mut Typer, board: KindId, word: &str, span: Span) -> Expr {
    let kind = typer.file.rules.kind_at(board);
    let (name, part) = (&kind.name, if word == "edge" { "edges" } else { word });
    let problem = match (part, kind.as_board()) {
        (_, Some(BoardTopology::Joints(joints))) => {
            format!("the {} `{name}` have no `{part}(…)`", joints.part.word())
        }
        ("ends" | "sides", _) => format!("`{name}` is a board of cells, which have no {part}"),
        _ => format!("`{name}` has no {part}"),
    };
    let known: Vec<&str> = JOINT_FUNCTIONS
        .into_iter()
        .chain(["neighbours"])
        .filter(|it| column_named(typer, board, &format!("{it}()")).is_some())
        .collect();
    let help = match (part, kind.as_board()) {
        ("edges", Some(BoardTopology::Map(_) | BoardTopology::Grid(_) | BoardTopology::Hex(_))) => {
            format!("name them where the board is declared: `board {name} … with edges Edge`")
        }
        ("corners", Some(BoardTopology::Grid(_) | BoardTopology::Hex(_))) => {
            format!("name them where the board is declared: `board {name} … with corners Corner`")
        }
        ("ends", Some(BoardTopology::Joints(joints)))
            if joints.plane.is_some() && joints.part.word() == "edges" =>
        {
            "ends are corners: name them after the edges, `with edges Edge, corners Corner`".into()
        }
        _ => {
            let known: Vec<String> = known.iter().map(|word| format!("`{word}(…)`")).collect();
            format!("what `{name}` has is {}", known.join(", "))
        }
    };
    typer.file.report_as_expr(error::no_edges(problem, help, span))
}

/// `edge(c, north)`, or `edge(c, d)` of two cells
fn edge_between(typer: &mut Typer, board: KindId, cell: Expr, way: &ast::Expr, span: Span) -> Expr {
    let directions = typer.file.rules.directions_kind();
    let hint = directions.map(Type::Kind);
    let way = typer.infer(way, hint.as_ref());
    let Some(column) = column_named(typer, board, "edges()") else {
        return no_joints(typer, board, "edge", cell.span);
    };
    let other = Expr { ty: typer.file.rules.whole_type(&way.ty), ..way.clone() };
    if other.ty == Type::Kind(board) {
        if let Some(edge) = known_edge(typer, board, column, [&cell, &other], span) {
            return edge;
        }
        let (from, to) = (
            tabulated_sets(typer, board, cell, column, span),
            tabulated_sets(typer, board, other, column, span),
        );
        return common_edge(typer, from, to, span);
    }
    let (Some(directions), Some(table)) = (directions, typer.file.way_table("edge", board)) else {
        let help = format!("write a place of `{}`", typer.file.rules.kind_at(board).name);
        let found = typer.file.rules.describe_type(&way.ty);
        return typer.file.report_as_expr(error::not_a_cell(found, help, way.span));
    };
    let way = typer.coerce(way, &Type::Kind(directions));
    if way.ty == Type::Unknown {
        return unknown_expr(span);
    }
    if cell.ty != Type::Kind(board) {
        return typer.report_unchecked_maybe(&cell, &Type::Kind(board));
    }
    let table_type = typer.file.rules.tables[table.index()].ty.clone();
    let is_sure = match &way.kind {
        ExprKind::Value(Value::Int(at)) => has_side(typer, table, board, *at),
        _ => (0..)
            .take(typer.file.rules.kind_at(directions).members.len())
            .all(|at| has_side(typer, table, board, at)),
    };
    let ty = if is_sure { unwrap_maybe(&table_type).clone() } else { table_type };
    typer.look().narrowed(typed(ExprKind::Element(Array::Table(table), vec![way, cell]), ty, span))
}

/// What to write for the name of an edge, `b2-c2`, which reads as a subtraction.
pub(crate) fn edge_by_name(
    typer: &Typer,
    ends: [&Expr; 2],
    written: (&ast::Expr, &ast::Expr),
    span: Span,
) -> Option<Diagnostic> {
    let [Type::Kind(board), Type::Kind(other)] = ends.map(|end| &end.ty) else { return None };
    column_named(typer, *board, "edges()").filter(|_| board == other)?;
    let [from, to] = [written.0, written.1].map(print_expression);
    let help = Help::form("an edge is written by its ends:", &format!("edge({from}, {to})"));
    let found = typer.file.rules.describe_type(&ends[0].ty);
    let help = help.with_span(span);
    Some(error::type_mismatch("numbers beside `-`", found, help, ends[0].span))
}

/// The edge between two cells that are known.
fn known_edge(
    typer: &mut Typer,
    board: KindId,
    column: usize,
    cells: [&Expr; 2],
    span: Span,
) -> Option<Expr> {
    let [ExprKind::Value(a), ExprKind::Value(b)] = cells.map(|cell| &cell.kind) else {
        return None;
    };
    let kind = typer.file.rules.kind_at(board);
    let edges = kind.columns[column].ty.clone();
    let [of_a, of_b] = [a.member()?, b.member()?].map(|at| (at, &kind.columns[column].cells[at]));
    let (Value::Set(ours), Value::Set(theirs)) = (of_a.1, of_b.1) else { return None };
    if let Some(edge) = ours.iter().find(|edge| theirs.contains(edge)) {
        return Some(typed(
            ExprKind::Value(Value::Int(*edge)),
            Type::Kind(member_kind(&edges)?),
            span,
        ));
    }
    let [a, b] = [of_a.0, of_b.0].map(|at| kind.members[at].name.as_str());
    let problem = format!("no edge lies between `{a}` and `{b}`");
    let help = format!("`neighbours({a})` are beside it, some of them perhaps only at a corner");
    Some(typer.file.report_as_expr(error::no_edges(problem, help, span)))
}

/// Whether all cells of a board have a side in a direction.
fn has_side(typer: &Typer, table: TableId, board: KindId, way: i64) -> bool {
    let count = typer.file.rules.kind_at(board).members.len();
    let cells = &typer.file.rules.tables[table.index()].cells;
    usize::try_from(way)
        .is_ok_and(|way| (0..count).all(|at| cells[way * count + at] != Value::None))
}

/// The first member of one set that is in another.
fn common_edge(typer: &mut Typer, from: Expr, to: Expr, span: Span) -> Expr {
    let Some(edge) = member_kind(&from.ty).filter(|_| to.ty != Type::Unknown) else {
        return unknown_expr(span);
    };
    let of_edge = Type::Kind(edge);
    let local = typer.scope.add_local(Local::fixed("edge", of_edge.clone(), span));
    let member = typed(ExprKind::Local(local), of_edge.clone(), span);
    let joins = typed(ExprKind::new_binary(BinaryOp::In, member, to), Type::Bool, span);
    let binder = Binder { local, set: Box::new(from), condition: None };
    let fold = ExprKind::Fold { word: FoldWord::First, binder, body: vec![joins] };
    typed(fold, maybe_if_any(of_edge), span)
}
