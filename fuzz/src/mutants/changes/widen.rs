//! More members, larger boards, longer ranges: so that sets take several words.

use astragal::machinery::syntax::ast::{
    BoardDecl, BoardShape, Expr, ExprKind, ItemKind, KindBody, KindDecl, TypeKind,
};

use super::Page;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert, replace};

/// How many members a set of two to five words has.
fn many(dice: &mut Dice) -> usize {
    *dice.pick(&[63, 64, 65, 70, 100, 128, 129, 150, 200, 256, 260, 300]).unwrap_or(&65)
}

fn kinds<'p>(page: &'p Page) -> Vec<&'p KindDecl> {
    let kinds = page.draft.ast.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Kind(kind) => Some(kind),
        _ => None,
    });
    kinds.collect()
}

/// More members, or a product with another kind in the place of a kind.
pub fn kind(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let kinds = kinds(page);
    let kind = dice.pick(&kinds)?;
    match &kind.body {
        KindBody::Members(members) => {
            let last = members.last()?;
            let end = last.title.as_ref().map_or(last.name.span, |it| it.span).end as usize;
            Some(vec![insert(end, names(page, many(dice), ", "))])
        }
        KindBody::Drawn(drawn) => {
            let last = drawn.rows.last()?;
            let cells = page.slice(last.span).strip_prefix(page.slice(last.label.span))?;
            let rows = (0..many(dice)).map(|at| format!("\n  more_{at} {cells}"));
            Some(vec![insert(last.span.end as usize, rows.collect::<String>())])
        }
        KindBody::Product(parts) => {
            let other = page.draft.fresh("Side").replace('_', "");
            let end = parts.last()?.span.end as usize;
            let size = many(dice).div_ceil(4);
            let members: Vec<_> = (0..size).map(|at| format!("side_{at}")).collect();
            let form = kind.form.is_none();
            let declared = format!("kind {other} {{ {} }}", members.join(", "));
            form.then(|| vec![insert(end, format!(", {other}")), page.append(&declared)])
        }
    }
}

fn names(page: &Page, count: usize, between: &str) -> String {
    let like = page.draft.fresh("more");
    (0..count).map(|at| format!("{between}{like}_{at}")).collect()
}

/// Another size of a board, or a kind in the place of a board's cells.
pub fn board(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let boards = page.draft.ast.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Board(board) => Some(board),
        _ => None,
    });
    let boards: Vec<&BoardDecl> = boards.filter(|it| it.attributes.is_empty()).collect();
    let board = dice.pick(&boards)?;
    let sizes: Vec<&Expr> = match &board.shape {
        BoardShape::Grid { columns, rows, .. } => vec![columns, rows],
        BoardShape::Shaped { sizes, .. } => sizes.iter().collect(),
        BoardShape::Map(..) => return None,
    };
    let long = sizes.len() == 1 && page.slice(board.name.span.to(sizes[0].span)).contains("ring");
    let edits = sizes.into_iter().map(|size| {
        let size_of = if long { many(dice) } else { 3 + dice.below(14) };
        replace(size.span, size_of.to_string())
    });
    Some(edits.collect())
}

/// Another end of a range.
pub fn range(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let ranges = page.outline.types.iter().filter_map(|ty| numbers(&ty.kind));
    let mut ranges: Vec<&Expr> = ranges.collect();
    // What a loop counts to is widened too, but not far: it runs at each decision.
    let spans = page.outline.all.iter().filter_map(|it| match &it.kind {
        ExprKind::Range(_, high) => Some(high.as_ref()),
        _ => None,
    });
    ranges.extend(spans.filter(|it| matches!(it.kind, ExprKind::Number(_))));
    let high = dice.pick(&ranges)?;
    Some(vec![replace(high.span, many(dice).to_string())])
}

fn numbers(ty: &TypeKind) -> Option<&Expr> {
    match ty {
        TypeKind::Range(_, high) => high.as_deref(),
        TypeKind::Set(inner) | TypeKind::Maybe(inner) | TypeKind::List(inner, _) => {
            numbers(&inner.kind)
        }
        _ => None,
    }
}
