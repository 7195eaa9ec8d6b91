//! Expressions and types to text on one line, with as few parentheses as their meaning allows.

use crate::syntax::ast::{
    Arm, BinaryOp, Binder, Expr, ExprKind, FoldWord, Member, Param, Pattern, PileEnd, Text,
    TextPart, TypeExpr, TypeKind, UnaryOp,
};
use crate::syntax::operators::operator;
use crate::syntax::tightness::Tightness;

/// An expression as it is written where any may stand.
pub fn print_expression(expr: &Expr) -> String {
    placed(expr, Tightness::From)
}

/// An expression, in parentheses if it is looser than its place.
fn placed(expr: &Expr, place: Tightness) -> String {
    tightness(expr).placed(bare(expr), place)
}

/// Expressions with commas between them.
fn list(exprs: &[Expr]) -> String {
    joined(exprs.iter().map(print_expression))
}

/// Texts with commas between them.
fn joined(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(", ")
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
        ExprKind::Image(value, over) => {
            format!("{{{} for {}}}", print_expression(value), binder(over))
        }
        ExprKind::Fold { word, binder, body } => fold(*word, binder, body),
        ExprKind::If(condition, then, otherwise) => format!(
            "if {} then {} else {}",
            print_expression(condition),
            print_expression(then),
            placed(otherwise, Tightness::Open)
        ),
        ExprKind::Match(subject, arms) => match_value(subject, arms),
        // Statements do not fit on the line of a message.
        ExprKind::Suppose(_, value) => {
            format!("suppose {{ … }}: {}", placed(value, Tightness::Open))
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
            format!("choose {chooser}{prompt} {} from {}", name.text, print_expression(set))
        }
    }
}

/// What stands before `.`, `[` and where only an operand may stand.
fn operand(expr: &Expr) -> String {
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
fn binder(binder: &Binder) -> String {
    format!("{} in {}{}", binder.name.text, print_expression(&binder.set), condition(binder))
}

/// ` where P`, or nothing.
fn condition(binder: &Binder) -> String {
    let condition = binder.condition.as_ref();
    condition.map_or_else(String::new, |it| format!(" where {}", placed(it, Tightness::Open)))
}

fn fold(word: FoldWord, over: &Binder, body: &[Expr]) -> String {
    let (written, sign) = (word.word(), word.sign());
    if body.is_empty() {
        return format!("{written}({})", binder(over));
    }
    format!("{written}({}{sign} {})", binder(over), list(body))
}

fn match_value(subject: &Expr, arms: &[Arm<Expr>]) -> String {
    let arm =
        |arm: &Arm<Expr>| format!("{}: {}", patterns(&arm.patterns), print_expression(&arm.body));
    let arms = arms.iter().map(arm).collect::<Vec<_>>().join("; ");
    format!("match {} {{ {arms} }}", print_expression(subject))
}

/// `a, 2..4`, or `else`.
fn patterns(patterns: &[Pattern]) -> String {
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
fn text(text: &Text) -> String {
    let mut written = String::from('"');
    for part in &text.parts {
        match part {
            TextPart::Words(words) => written.push_str(&escaped(words)),
            TextPart::Hole(hole) => written.extend(["{", &print_expression(hole), "}"]),
        }
    }
    written.push('"');
    written
}

/// The words of a text as they are written between quotes.
fn escaped(words: &str) -> String {
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

/// `top of deck`
fn pile_end(end: &PileEnd) -> String {
    let word = if end.bottom { "bottom" } else { "top" };
    let count = end.count.as_ref().map_or_else(String::new, |count| format!(" {}", operand(count)));
    format!("{word}{count} of {}", operand(&end.pile))
}

/// A type as it is written.
pub fn print_type(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Number => "number".to_owned(),
        TypeKind::Bool => "yes/no".to_owned(),
        TypeKind::Text => "text".to_owned(),
        TypeKind::Kind(name) => name.text.clone(),
        TypeKind::Of(board, asked, args) => {
            let args = joined(args.iter().map(|arg| placed(arg, Tightness::From)));
            format!("{}.{}({args})", board.text, asked.text)
        }
        TypeKind::Members(all) => format!("{{{}}}", members(all)),
        TypeKind::Range(low, high) => {
            let bound = |expr| placed(expr, Tightness::Sum);
            format!("{}..{}", bound(low), high.as_deref().map_or_else(String::new, high_bound))
        }
        TypeKind::Cards(of) => {
            of.as_ref().map_or("cards".to_owned(), |of| format!("cards of {}", of.text))
        }
        TypeKind::Set(inner) => format!("set of {}", print_type(inner)),
        TypeKind::Maybe(inner) => format!("maybe {}", print_type(inner)),
    }
}

/// The grammar takes dots for open above unless a letter, a digit, `-` or `(` follows them.
fn high_bound(expr: &Expr) -> String {
    let text = placed(expr, Tightness::Sum);
    if text.starts_with(['"', '{']) { format!("({text})") } else { text }
}

/// A parameter with its type: `p: Player`
pub fn print_param(param: &Param) -> String {
    format!("{}: {}", param.name.text, print_type(&param.ty))
}

/// `elm, oak "Tall oak"`
fn members(members: &[Member]) -> String {
    joined(members.iter().map(|it| format!("{}{}", it.name.text, title(it.title.as_ref()))))
}

/// ` "title"`, or nothing.
fn title(title: Option<&Text>) -> String {
    title.map_or_else(String::new, |title| format!(" {}", text(title)))
}
