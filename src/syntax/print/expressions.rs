//! Expressions to text, with as few parentheses as their meaning allows.

use crate::syntax::ast::Arm;
use crate::syntax::ast::BinaryOp;
use crate::syntax::ast::Binder;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::FoldWord;
use crate::syntax::ast::Pattern;
use crate::syntax::ast::Text;
use crate::syntax::ast::TextPart;
use crate::syntax::ast::UnaryOp;
use crate::syntax::print::cards::pile_end;
use crate::syntax::print::layout::ARM;
use crate::syntax::print::layout::ARMS;
use crate::syntax::print::layout::END;
use crate::syntax::print::layout::SOFT;
use crate::syntax::print::layout::flat;
use crate::syntax::print::statements::detached;
use crate::syntax::tightness::Tightness;

/// An expression where any may stand.
pub(super) fn expression(expr: &Expr) -> String {
    placed(expr, Tightness::From)
}

/// An expression, in parentheses if it is looser than its place.
pub(super) fn placed(expr: &Expr, place: Tightness) -> String {
    tightness(expr).placed(bare(expr), place)
}

/// Expressions with commas between them.
pub(super) fn list(exprs: &[Expr]) -> String {
    joined(exprs.iter().map(expression))
}

/// Texts with commas between them.
pub(super) fn joined(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(&format!(",{SOFT}"))
}

fn tightness(expr: &Expr) -> Tightness {
    match &expr.kind {
        ExprKind::From(..) => Tightness::From,
        ExprKind::If(..)
        | ExprKind::Suppose(..)
        | ExprKind::Random(_)
        | ExprKind::Subsets(_)
        | ExprKind::Roll(_)
        | ExprKind::End(_)
        | ExprKind::Pick { .. } => Tightness::Open,
        ExprKind::Unary(UnaryOp::Not, _) => Tightness::Not,
        ExprKind::Unary(UnaryOp::Negate, _) => Tightness::Negation,
        ExprKind::Number(number) if *number < 0 => Tightness::Negation,
        ExprKind::Range(..) => Tightness::Range,
        ExprKind::Binary(op, ..) => operator(*op).0,
        _ => Tightness::Operand,
    }
}

/// How tight an operator binds, and how it is written.
fn operator(op: BinaryOp) -> (Tightness, &'static str) {
    match op {
        BinaryOp::Or => (Tightness::Or, "or"),
        BinaryOp::And => (Tightness::And, "and"),
        BinaryOp::Equal => (Tightness::Comparison, "=="),
        BinaryOp::NotEqual => (Tightness::Comparison, "!="),
        BinaryOp::Less => (Tightness::Comparison, "<"),
        BinaryOp::LessEqual => (Tightness::Comparison, "<="),
        BinaryOp::Greater => (Tightness::Comparison, ">"),
        BinaryOp::GreaterEqual => (Tightness::Comparison, ">="),
        BinaryOp::In => (Tightness::Comparison, "in"),
        BinaryOp::NotIn => (Tightness::Comparison, "not in"),
        BinaryOp::Within => (Tightness::Comparison, "within"),
        BinaryOp::Union => (Tightness::Sets, "union"),
        BinaryOp::Minus => (Tightness::Sets, "minus"),
        BinaryOp::Common => (Tightness::Sets, "common"),
        BinaryOp::Add => (Tightness::Sum, "+"),
        BinaryOp::Subtract => (Tightness::Sum, "-"),
        BinaryOp::Multiply => (Tightness::Product, "*"),
        BinaryOp::Divide => (Tightness::Product, "/"),
        BinaryOp::Modulo => (Tightness::Product, "mod"),
    }
}

fn bare(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Text(words) => text(words),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Field(base, name) => format!("{}.{}", operand(base), name.text),
        ExprKind::Index(base, index) => format!("{}[{}]", operand(base), list(index)),
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
        ExprKind::Method(base, name, arguments) => {
            format!("{}.{}({})", operand(base), name.text, list(arguments))
        }
        ExprKind::Unary(op, inner) => unary(*op, inner),
        ExprKind::Binary(op, left, right) => binary(*op, left, right),
        ExprKind::Range(low, high) => range(low, high),
        ExprKind::From(set, from) => {
            format!("{} from {}", placed(set, Tightness::Open), placed(from, Tightness::Open))
        }
        ExprKind::Set(elements) => format!("{{{}}}", list(elements)),
        ExprKind::Filter(it) => format!("{{{}}}", binder(it)),
        ExprKind::Image(value, over) => format!("{{{} for {}}}", expression(value), binder(over)),
        ExprKind::Fold { word, binder, body } => fold(*word, binder, body),
        ExprKind::If(condition, then, otherwise) => format!(
            "if {} then {}{SOFT}else {}",
            expression(condition),
            expression(then),
            placed(otherwise, Tightness::Open)
        ),
        ExprKind::Match(subject, arms) => match_value(subject, arms),
        ExprKind::Suppose(block, value) => {
            format!("suppose {}: {}", detached(block), placed(value, Tightness::Open))
        }
        ExprKind::Random(set) => format!("random {}", random_set(set)),
        ExprKind::Subsets(set) => {
            format!("subsets of {}", placed(set, Tightness::Open))
        }
        ExprKind::End(end) => pile_end(end),
        ExprKind::Roll(die) => format!("roll {}", operand(die)),
        ExprKind::Pick { chooser, prompt, name, set } => {
            let prompt = prompt.as_ref().map_or_else(String::new, |it| format!(" {}", text(it)));
            let chooser = operand(chooser);
            format!("choose {chooser}{prompt} {} from {}", name.text, expression(set))
        }
    }
}

/// What stands before `.`, `[` and where only an operand may stand.
pub(super) fn operand(expr: &Expr) -> String {
    placed(expr, Tightness::Operand)
}

fn unary(op: UnaryOp, inner: &Expr) -> String {
    match op {
        UnaryOp::Not => format!("not {}", placed(inner, Tightness::Not)),
        // `--` would be hard to read.
        UnaryOp::Negate => format!("-{}", operand(inner)),
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr) -> String {
    let (place, written) = operator(op);
    let chained = place != Tightness::Comparison;
    let left = placed(left, if chained { place } else { place.tighter() });
    let right = placed(right, place.tighter());
    if place <= Tightness::And || place == Tightness::Sets {
        return format!("{left}{SOFT}{written} {right}");
    }
    format!("{left} {written} {right}")
}

fn range(low: &Expr, high: &Expr) -> String {
    format!("{}..{}", placed(low, Tightness::Sum), placed(high, Tightness::Sum))
}

/// `random` looks like a name before a sign, so only some sets may follow it bare.
fn random_set(set: &Expr) -> String {
    let text = placed(set, Tightness::Or);
    let bare = text.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '{');
    let reserved = matches!(leftmost(set), ExprKind::Unary(..) | ExprKind::Match(..));
    let literal = matches!(leftmost(set), ExprKind::Bool(_) | ExprKind::None);
    let closed = text.starts_with('(') || bare && !reserved && !literal;
    if closed { text } else { format!("({text})") }
}

fn leftmost(expr: &Expr) -> &ExprKind {
    match &expr.kind {
        ExprKind::Field(left, _)
        | ExprKind::Index(left, _)
        | ExprKind::Method(left, ..)
        | ExprKind::Binary(_, left, _)
        | ExprKind::Range(left, _) => leftmost(left),
        kind => kind,
    }
}

/// `x in S where P`
pub(super) fn binder(binder: &Binder) -> String {
    format!("{} in {}{}", binder.name.text, expression(&binder.set), condition(binder))
}

/// ` where P`, or nothing.
pub(super) fn condition(binder: &Binder) -> String {
    let condition = binder.condition.as_ref();
    condition.map_or_else(String::new, |it| format!("{SOFT}where {}", placed(it, Tightness::Open)))
}

fn fold(word: FoldWord, over: &Binder, body: &[Expr]) -> String {
    let (written, sign) = (word.word(), word.sign());
    if body.is_empty() {
        return format!("{written}({})", binder(over));
    }
    format!("{written}({}{sign} {})", binder(over), list(body))
}

fn match_value(subject: &Expr, arms: &[Arm<Expr>]) -> String {
    let arm = |arm: &Arm<Expr>| format!("{}: {}", patterns(&arm.patterns), expression(&arm.body));
    let arms = arms.iter().map(arm).collect::<Vec<_>>().join(&ARM.to_string());
    format!("match {} {{{ARMS}{arms}{END}}}", expression(subject))
}

/// `a, 2..4`, or `else`.
pub(super) fn patterns(patterns: &[Pattern]) -> String {
    if patterns.is_empty() {
        return "else".to_owned();
    }
    let bound = |expr| placed(expr, Tightness::Negation);
    joined(patterns.iter().map(|pattern| match pattern {
        Pattern::Value(value) => bound(value),
        Pattern::Range(low, high) => format!("{}..{}", bound(low), bound(high)),
    }))
}

/// A text with its quotes.
pub(super) fn text(text: &Text) -> String {
    let mut written = String::from('"');
    for part in &text.parts {
        match part {
            TextPart::Words(words) => written.push_str(&escaped(words)),
            TextPart::Hole(hole) => written.push_str(&flat(&format!("{{{}}}", expression(hole)))),
        }
    }
    written.push('"');
    written
}

/// The words of a text as they are written between quotes.
pub(super) fn escaped(words: &str) -> String {
    let mut written = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '\n' => written.push_str("\\n"),
            '\\' | '"' | '{' | '}' => written.extend(['\\', letter]),
            letter => written.push(letter),
        }
    }
    written
}
