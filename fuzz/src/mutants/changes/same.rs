//! Other ways to write a value.

use astragal::machinery::rules::{Domain, Type};
use astragal::machinery::syntax::ast::{BinaryOp, ExprKind};

use super::Page;
use super::donors::placed;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, replace};

/// A value becomes an expression that is the same.
pub fn rewrite(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    let (ty, value) = (page.ty(target.expr.span)?, page.slice(target.expr.span));
    let it = page.draft.fresh("it");
    let always = *dice.pick(&["yes", "1 + 1 == 2", "players >= 1", "Player != {}"])?;
    let text = match (ty, dice.below(8)) {
        (Type::Number, 0) => format!("({value}) + 0"),
        (Type::Number, 1) => format!("max({value}, {value})"),
        (Type::Number, 2) => format!("sum({it} in {{Player.first}}: {value})"),
        (Type::Number, 3) => format!("-(-({value}))"),
        (Type::Number, 4) => format!("min({it} in Player: {value})"),
        (Type::Bool, 0) => format!("not (not ({value}))"),
        (Type::Bool, 1) => format!("any({it} in Player: {value})"),
        (Type::Bool, 2) => format!("({value}) and {always}"),
        (Type::Bool, 3) => format!("({value}) == yes"),
        (Type::Bool, 4) => compared(page, &target.expr.kind)?,
        (Type::Bool, 5) => format!("if {value} then yes else no"),
        (Type::Set(_), 0) => format!("({value}) union ({value})"),
        (Type::Set(_), 1) => format!("({value}) common ({value})"),
        (Type::Set(_), 2) => format!("({value}) minus {{}}"),
        (Type::Set(domain), 3) => format!("({}) common ({value})", whole(page, *domain)?),
        (Type::Set(domain), 4) => {
            let whole = whole(page, *domain)?;
            format!("{whole} minus ({whole} minus ({value}))")
        }
        (Type::Set(_), 5) => format!("{{{it} for {it} in ({value})}}"),
        _ => format!("if {always} then {value} else {value}"),
    };
    Some(vec![replace(target.expr.span, placed(&text))])
}

fn whole(page: &Page, domain: Domain) -> Option<String> {
    match domain {
        Domain::Kind(_) => page.draft.domain(domain),
        Domain::Range(_) => None,
    }
}

/// A comparison of numbers the other way round.
fn compared(page: &Page, kind: &ExprKind) -> Option<String> {
    let ExprKind::Binary(op, a, b) = kind else { return None };
    let (a, b) = (page.slice(a.span), page.slice(b.span));
    let sign = match op {
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => ">",
        BinaryOp::LessEqual => ">=",
        BinaryOp::Greater => "<",
        BinaryOp::GreaterEqual => "<=",
        BinaryOp::And => return Some(format!("not (not ({a}) or not ({b}))")),
        BinaryOp::Or => return Some(format!("not (not ({a}) and not ({b}))")),
        _ => return None,
    };
    Some(format!("({b}) {sign} ({a})"))
}

/// A set becomes those of it for which something holds that always does.
pub fn filter(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    // How many cards somebody holds is public, which of them fulfil a condition is not.
    let sets = page.values_of(|it| matches!(it, Type::Set(_)) && !page.draft.are_cards(it));
    let target = dice.pick(&sets)?;
    let value = page.slice(target.expr.span);
    let it = page.draft.fresh("it");
    let holds = match dice.below(5) {
        0 => format!("{it} in ({value})"),
        1 => format!("{it} == {it}"),
        2 => "players > 0".to_owned(),
        3 => format!("any({it}_other in ({value}): {it}_other == {it})"),
        _ => format!("count({it}_other in ({value}) where {it}_other == {it}) == 1"),
    };
    Some(vec![replace(target.expr.span, format!("{{{it} in ({value}) where {holds}}}"))])
}
