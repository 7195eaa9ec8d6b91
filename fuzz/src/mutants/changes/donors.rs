//! Values, statements and moves that are put together from what the file has elsewhere.

use astragal::machinery::rules::{Domain, Type};
use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{MoveLine, StmtKind};

use super::Page;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, insert, replace};
use crate::mutants::outline::{Hoist, Scope, StmtSite};

/// Exchanges two expressions of one type.
pub fn exchange(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let one = dice.pick(&values)?;
    let ty = page.ty(one.expr.span)?;
    let mut others = page.values_of(|it| it == ty);
    others.retain(|it| apart(it.expr.span, one.expr.span));
    let other = dice.pick(&others)?;
    let here = page.draft.adapted(&page.outline, other.expr.span, &one.scope, dice)?;
    let there = page.draft.adapted(&page.outline, one.expr.span, &other.scope, dice)?;
    let edits =
        [(one, here), (other, there)].map(|(it, text)| replace(it.expr.span, placed(&text)));
    Some(edits.into())
}

fn apart(a: Span, b: Span) -> bool {
    a.end <= b.start || b.end <= a.start
}

/// An expression where an operand may stand.
pub fn placed(text: &str) -> String {
    let word = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
    if text.chars().all(word) || text.starts_with('{') && text.ends_with('}') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Puts one expression in the place of another of its type.
pub fn copy(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    let ty = page.ty(target.expr.span)?;
    let text = donor(page, ty, &target.scope, dice)?;
    Some(vec![replace(target.expr.span, placed(&text))])
}

/// An expression of the file of this type, made to fit a scope.
pub fn donor(page: &Page, ty: &Type, scope: &Scope, dice: &mut Dice) -> Option<String> {
    let donors = page.values_of(|it| it == ty);
    let donor = dice.pick(&donors)?;
    page.draft.adapted(&page.outline, donor.expr.span, scope, dice)
}

/// Replaces an expression by a fold, a filter or a choice between two.
pub fn compute(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    let text = made(page, page.ty(target.expr.span)?, &target.scope, dice)?;
    Some(vec![replace(target.expr.span, placed(&text))])
}

/// A new expression of a type.
fn made(page: &Page, ty: &Type, scope: &Scope, dice: &mut Dice) -> Option<String> {
    let like = |ty: &Type, scope: &Scope, dice: &mut Dice| donor(page, ty, scope, dice);
    let set = set_of_any(page, scope, dice)?;
    let it = Member { name: page.draft.fresh("it"), ty: set.ty.iterated() };
    let member = &it.name;
    let condition = |dice: &mut Dice| {
        about(page, &Type::Bool, &it, scope, dice).or_else(|| like(&Type::Bool, scope, dice))
    };
    Some(match ty {
        Type::Number => match dice.below(6) {
            0 => format!("count({})", set.text),
            1 => format!("count({member} in {}: {})", set.text, condition(dice)?),
            2 => format!("count({member} in {} where {})", set.text, condition(dice)?),
            3 => {
                let number = about(page, ty, &it, scope, dice);
                let number = number.or_else(|| like(ty, scope, dice))?;
                format!("sum({member} in {} where {}: {number})", set.text, condition(dice)?)
            }
            4 => format!("min({}, {})", like(ty, scope, dice)?, like(ty, scope, dice)?),
            _ => format!(
                "if {} then {} else {}",
                like(&Type::Bool, scope, dice)?,
                like(ty, scope, dice)?,
                like(ty, scope, dice)?
            ),
        },
        Type::Bool => match dice.below(6) {
            0 => format!("any({member} in {}: {})", set.text, condition(dice)?),
            1 => format!(
                "all({member} in {} where {}: {})",
                set.text,
                condition(dice)?,
                condition(dice)?
            ),
            2 => {
                let other = like(&set.ty, scope, dice)?;
                format!("({}) within ({other})", set.text)
            }
            3 => format!(
                "{} == {}",
                like(&Type::Number, scope, dice)?,
                placed(&made(page, &Type::Number, scope, dice)?)
            ),
            4 => format!("({}) and ({})", like(ty, scope, dice)?, like(ty, scope, dice)?),
            _ => format!("({}) or not ({})", like(ty, scope, dice)?, like(ty, scope, dice)?),
        },
        Type::Set(domain) => {
            let written = page.draft.domain(*domain)?;
            let it = Member { name: member.clone(), ty: domain.member_type() };
            let kept = about(page, &Type::Bool, &it, scope, dice);
            let kept = kept.unwrap_or_else(|| "yes".to_owned());
            match dice.below(4) {
                0 => format!("{{{member} in {written} where {kept}}}"),
                1 => format!("{{{member} in {} where {kept}}}", like(ty, scope, dice)?),
                2 => format!("({}) union ({})", like(ty, scope, dice)?, like(ty, scope, dice)?),
                _ => format!("({}) minus ({})", like(ty, scope, dice)?, like(ty, scope, dice)?),
            }
        }
        Type::Maybe(of) => match of.as_ref() {
            Type::Kind(kind) => {
                let written = page.draft.domain(Domain::Kind(*kind))?;
                let it = Member { name: member.clone(), ty: Type::Kind(*kind) };
                let kept = about(page, &Type::Bool, &it, scope, dice)?;
                let word = if dice.once_in(2) { "first" } else { "last" };
                format!("{word}({member} in {written}: {kept})")
            }
            _ => return None,
        },
        _ => format!(
            "if {} then {} else {}",
            like(&Type::Bool, scope, dice)?,
            like(ty, scope, dice)?,
            like(ty, scope, dice)?
        ),
    })
}

/// A new name, and what it stands for.
struct Member {
    name: String,
    ty: Type,
}

struct SomeSet {
    text: String,
    ty: Type,
}

fn set_of_any(page: &Page, scope: &Scope, dice: &mut Dice) -> Option<SomeSet> {
    let sets = page.values_of(|it| matches!(it, Type::Set(_)));
    let set = dice.pick(&sets)?;
    let ty = page.ty(set.expr.span)?.clone();
    let text = page.draft.adapted(&page.outline, set.expr.span, scope, dice)?;
    Some(SomeSet { text, ty })
}

/// An expression of the file that reads a name of the member's type, made to read the member.
fn about(
    page: &Page,
    ty: &Type,
    member: &Member,
    scope: &Scope,
    dice: &mut Dice,
) -> Option<String> {
    let donors = page.values_of(|it| it == ty);
    let fitting: Vec<_> = donors
        .iter()
        .filter_map(|it| Some((it.expr.span, free_of_type(page, it.expr.span, &member.ty)?)))
        .collect();
    let (span, declared) = *dice.pick(&fitting)?;
    let renamed = Some((declared, member.name.as_str()));
    page.draft.adapted_with(&page.outline, span, scope, renamed, dice)
}

/// Where a name of a type is declared that an expression reads from around it.
fn free_of_type(page: &Page, span: Span, ty: &Type) -> Option<Span> {
    let inside = |it: Span| span.start <= it.start && it.end <= span.end;
    let uses = page.outline.uses.iter().filter(|it| inside(it.span) && !inside(it.declared));
    uses.map(|it| it.declared).find(|it| page.draft.local_ty(*it) == Some(ty))
}

/// Adds a use of a set or a value that lasts: through a variable, an array or a parameter.
pub fn store(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    let ty = page.ty(target.expr.span)?;
    let (first, written) = (first_value(ty)?, page.draft.written(ty)?);
    let name = page.draft.fresh("kept");
    let index = page.some_domain(dice)?;
    let Some(Hoist::Stmt(stmt)) = target.hoist else { return None };
    let (at, value) = (format!("{index}.first"), page.slice(target.expr.span));
    Some(vec![
        page.append(&format!("the table has {{ {name}[{index}]: {written} = {first} }}")),
        insert(stmt.start as usize, format!("{name}[{at}] = {value}\n")),
        replace(target.expr.span, format!("{name}[{index}.last]")),
    ])
}

/// A value that a variable of a type may begin with.
pub fn first_value(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Number => "0",
        Type::Bool => "no",
        Type::Set(_) => "{}",
        Type::Maybe(_) => "none",
        _ => return None,
    })
}

/// Adds a move to a decision, with clauses of the file.
pub fn offer(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let option = dice.pick(&page.outline.options)?;
    let lines = page.outline.decisions[option.decision];
    let MoveLine::Option(first) = lines.first()? else { return None };
    let (scope, name) = (&option.before, page.draft.fresh("offer"));
    let set = set_of_any(page, scope, dice)?;
    let one = Member { name: page.draft.fresh("one"), ty: set.ty.iterated() };
    let member = &one.name;
    let condition = about(page, &Type::Bool, &one, scope, dice);
    let condition = condition.or_else(|| donor(page, &Type::Bool, scope, dice))?;
    let number = |dice: &mut Dice| {
        made(page, &Type::Number, scope, dice).or_else(|| donor(page, &Type::Number, scope, dice))
    };
    let word = *dice.pick(&["where", "when", "let"])?;
    let clause = |condition: &str| match word {
        "let" => format!("let {member}_holds = {condition} when {member}_holds"),
        word => format!("{word} {condition}"),
    };
    let clauses = match dice.below(5) {
        0 => format!("for {member} in {} {}", set.text, clause(&condition)),
        1 | 2 => {
            let condition = format!("count({member}) == {}", placed(&number(dice)?));
            format!("for {member} in subsets of ({}) {}", set.text, clause(&condition))
        }
        3 => {
            let (low, high) = (dice.below(3), 3 + dice.below(90));
            let sign = *dice.pick(&["==", "<", ">=", "!="])?;
            let condition = format!("{member} {sign} {}", placed(&number(dice)?));
            format!("for {member} in {low}..{high} {}", clause(&condition))
        }
        _ => format!("maybe {member} in {} where {condition}", set.text),
    };
    let body = body(page, scope, dice).unwrap_or_default();
    let line = format!("{name}({member}) {clauses} {{ {body} }}\n");
    if !first.notes.is_empty() {
        return None;
    }
    Some(vec![insert(first.span.start as usize, line)])
}

/// A small statement of the file.
fn body(page: &Page, scope: &Scope, dice: &mut Dice) -> Option<String> {
    let small = |it: &&StmtSite| {
        matches!(
            it.stmt.kind,
            StmtKind::Assign { .. } | StmtKind::Transfer { .. } | StmtKind::Cards(_)
        )
    };
    let stmts: Vec<_> = page.outline.stmts.iter().filter(small).collect();
    let stmt = dice.pick(&stmts)?;
    page.draft.adapted(&page.outline, stmt.stmt.span, scope, dice)
}

/// Puts a copy of a statement before another.
pub fn copy_statement(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let from = dice.pick(&page.outline.stmts)?;
    if matches!(from.stmt.kind, StmtKind::Turns { .. } | StmtKind::Return(_)) {
        return None;
    }
    let target = dice.pick(&page.outline.stmts)?;
    if !page.slice(page.outline.blocks[target.block].span).starts_with('{') {
        return None;
    }
    let text = page.draft.adapted(&page.outline, from.stmt.span, &target.scope, dice)?;
    Some(vec![insert(target.stmt.span.start as usize, format!("{text}\n"))])
}

/// `suppose { … }: E`
pub fn suppose(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values_of(|it| matches!(it, Type::Number | Type::Bool | Type::Set(_)));
    let target = dice.pick(&values)?;
    let body = body(page, &target.scope, dice)?;
    let value = page.slice(target.expr.span);
    Some(vec![replace(target.expr.span, format!("(suppose {{ {body} }}: {value})"))])
}
