//! Loops around statements, and other ways to go over a set.

use astragal::machinery::rules::Type;
use astragal::machinery::syntax::ast::StmtKind;

use super::Page;
use super::donors::donor;
use super::helpers::{declares, is_braced, leaves};
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert, replace};
use crate::mutants::outline::{BinderOf, Scope, StmtSite};

fn some_stmt<'p>(page: &'p Page, dice: &mut Dice) -> Option<&'p StmtSite<'p>> {
    let stmt = dice.pick(&page.outline.stmts)?;
    let braced = is_braced(page, page.outline.blocks[stmt.block]);
    (braced && !declares(stmt)).then_some(stmt)
}

fn around(stmt: &StmtSite, head: &str, tail: &str) -> Vec<Edit> {
    let span = stmt.stmt.span;
    vec![
        insert(span.start as usize, format!("{head} {{\n")),
        insert(span.end as usize, format!("\n}}{tail}")),
    ]
}

/// A statement is put into a loop or a condition that it runs in once.
pub fn once(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let stmt = some_stmt(page, dice)?;
    let name = page.draft.fresh("each");
    let text = page.slice(stmt.stmt.span);
    let way = dice.below(7);
    // `return` and `break` mean the same in a condition.
    if leaves(text) && way > 1 {
        return None;
    }
    Some(match way {
        0 => around(stmt, "if players > 0", ""),
        1 => around(stmt, "if players > 0", " else { }"),
        2 => around(stmt, "repeat 1 times", ""),
        3 => around(stmt, "repeat", " until players > 0"),
        4 => around(stmt, &format!("for {name} in {{Player.first}}"), ""),
        5 => around(stmt, &format!("for {name} in {{x in Player where x == Player.first}}"), ""),
        _ => around(stmt, &format!("for {name} in 3..3"), ""),
    })
}

/// A statement is repeated, for each member of a set of the file or some times.
pub fn repeat(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let stmt = some_stmt(page, dice)?;
    if matches!(stmt.stmt.kind, StmtKind::Turns { .. } | StmtKind::Return(_)) {
        return None;
    }
    let name = page.draft.fresh("each");
    let (scope, bool) = (&stmt.scope, Type::Bool);
    let head = match dice.below(5) {
        0 => format!("for {name} in {}", page.some_domain(dice)?),
        1 => format!("for {name} in {}", some_set(page, scope, dice)?),
        2 => format!(
            "for {name} in {} where {}",
            some_set(page, scope, dice)?,
            donor(page, &bool, scope, dice)?
        ),
        3 => format!("repeat {} times", 1 + dice.below(3)),
        _ => format!("if {}", donor(page, &bool, scope, dice)?),
    };
    Some(around(stmt, &head, ""))
}

fn some_set(page: &Page, scope: &Scope, dice: &mut Dice) -> Option<String> {
    let sets = page.values_of(|it| matches!(it, Type::Set(_)));
    let set = dice.pick(&sets)?;
    page.draft.adapted(&page.outline, set.expr.span, scope, dice)
}

/// `for x in S { … }` becomes a loop over the kind, a list, or a set that was gathered before.
pub fn gather(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let loops = page.outline.binders.iter().filter(|it| it.of != BinderOf::Clause);
    let loops: Vec<_> = loops.collect();
    let site = dice.pick(&loops)?;
    let (binder, set) = (site.binder, site.binder.set.span);
    let known = page.draft.known(set)?;
    let Type::Set(domain) = &known.ty else { return None };
    if known.bound_to_place {
        return None;
    }
    let (name, whole) = (&binder.name.text, page.draft.domain(*domain)?);
    let (start, end) = (set.start as usize, set.end as usize);
    if dice.once_in(2) {
        return Some(vec![insert(start, format!("{whole} common (")), insert(end, ")")]);
    }
    // The set is fixed before the loop, so the condition may be asked of each member too.
    let written = page.slice(set);
    let text = format!("{{{name} in {whole} where {name} in ({written})}}");
    Some(vec![replace(set, text)])
}
