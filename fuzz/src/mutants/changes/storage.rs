//! Variables of another shape.

use astragal::machinery::syntax::ast::{
    CardAction, ExprKind, ItemKind, Owner, Stmt, StmtKind, VarDecl, VarForm,
};

use super::Page;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert};

/// A variable of the table or of the players becomes one element of an array.
pub fn array(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let has = page.draft.ast.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Has(has) => Some(has),
        _ => None,
    });
    let vars: Vec<(Owner, &VarDecl)> =
        has.flat_map(|has| has.vars.iter().map(|var| (has.owner, var))).collect();
    let (owner, var) = *dice.pick(&vars)?;
    let starts_full = matches!(var.form, VarForm::Pile) && var.init.is_some();
    if starts_full
        || matches!(var.form, VarForm::History(_))
        || var.dims.iter().any(|it| it.binder.is_some())
    {
        return None;
    }
    let domain = page.some_domain(dice)?;
    let index = format!("{domain}.{}", dice.pick(&["first", "last"])?);
    let mut edits = Vec::new();
    // Dice over several kinds have them behind a word.
    let declared = var.name.span.end as usize;
    if page.draft.text[declared..].trim_start().starts_with("for ") {
        return None;
    }
    indexed(page, declared, &domain, &mut edits);
    let name = &var.name.text;
    let is_it = |expr: &astragal::machinery::syntax::ast::Expr| match (&expr.kind, owner) {
        (ExprKind::Name(used), Owner::Table) => used.text == *name,
        (ExprKind::Field(_, used), Owner::Player) => used.text == *name,
        _ => false,
    };
    // What is shown is called by its place, which would be another one.
    let shows = |stmt: &Stmt| {
        matches!(stmt.kind, StmtKind::Show { .. } | StmtKind::Cards(CardAction::Look { .. }))
    };
    let shown = page.outline.stmts.iter().filter(|it| shows(it.stmt)).map(|it| it.stmt.span);
    for expr in page.outline.all.iter().filter(|it| is_it(it)) {
        let (start, end) = (expr.span.start, expr.span.end);
        if shown.clone().any(|span| span.start <= start && end <= span.end) {
            return None;
        }
        indexed(page, end as usize, &index, &mut edits);
    }
    for stmt in &page.outline.stmts {
        if let StmtKind::Transfer { coin, .. } = &stmt.stmt.kind
            && coin.text == *name
        {
            indexed(page, coin.span.end as usize, &index, &mut edits);
        }
    }
    edits.sort_by_key(|it| it.range.start);
    edits.dedup();
    Some(edits)
}

/// One more index in front of those that follow.
fn indexed(page: &Page, at: usize, index: &str, edits: &mut Vec<Edit>) {
    if page.draft.text[at..].starts_with('[') {
        edits.push(insert(at + 1, format!("{index}, ")));
    } else {
        edits.push(insert(at, format!("[{index}]")));
    }
}
