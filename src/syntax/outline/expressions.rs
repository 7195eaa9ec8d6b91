//! Expressions with a parenthesis for each operation, its name first.

use crate::syntax::ast::Arm;
use crate::syntax::ast::BinaryOp;
use crate::syntax::ast::Binder;
use crate::syntax::ast::Dim;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::Pattern;
use crate::syntax::ast::Text;
use crate::syntax::ast::TextPart;
use crate::syntax::ast::TypeExpr;
use crate::syntax::ast::TypeKind;
use crate::syntax::ast::UnaryOp;
use crate::syntax::outline::cards::pile_end;
use crate::syntax::outline::statements::inline;

/// `a + b * c` as `(+ a (* b c))`.
pub(super) fn expression(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        ExprKind::None => "none".to_owned(),
        ExprKind::Text(words) => text(words),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Field(base, name) => format!("(field {} {})", expression(base), name.text),
        ExprKind::Index(base, index) => format!("(index {}{})", expression(base), list(index)),
        ExprKind::Call(name, arguments) => format!("(call {}{})", name.text, list(arguments)),
        ExprKind::Method(base, name, arguments) => {
            format!("(method {} {}{})", expression(base), name.text, list(arguments))
        }
        ExprKind::Unary(UnaryOp::Not, inner) => format!("(not {})", expression(inner)),
        ExprKind::Unary(UnaryOp::Negate, inner) => format!("(negate {})", expression(inner)),
        ExprKind::Binary(op, left, right) => two(sign(*op), left, right),
        ExprKind::Range(low, high) => two("..", low, high),
        ExprKind::From(set, from) => two("from", set, from),
        ExprKind::Set(elements) => format!("(set{})", list(elements)),
        ExprKind::Filter(it) => format!("(filter {})", binder(it)),
        ExprKind::Image(value, it) => format!("(image {} {})", expression(value), binder(it)),
        ExprKind::Fold { word, binder: it, body } => {
            format!("({} {}{})", word.word(), binder(it), list(body))
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("(if {} {} {})", expression(condition), expression(then), expression(otherwise))
        }
        ExprKind::Match(subject, arms) => match_value(subject, arms),
        ExprKind::Suppose(block, value) => {
            let stmts: Vec<String> = block.stmts.iter().map(inline).collect();
            format!("(suppose {{{}}} {})", stmts.join("; "), expression(value))
        }
        ExprKind::Random(set) => format!("(random {})", expression(set)),
        ExprKind::Subsets(set) => format!("(subsets {})", expression(set)),
        ExprKind::End(end) => pile_end(end),
        ExprKind::Roll(die) => format!("(roll {})", expression(die)),
        ExprKind::Pick { chooser, prompt, name, set } => {
            let prompt = prompt.as_ref().map_or_else(String::new, |it| format!(" {}", text(it)));
            let (chooser, set) = (expression(chooser), expression(set));
            format!("(pick {chooser}{prompt} {} {set})", name.text)
        }
    }
}

/// Expressions, each with a space before it.
pub(super) fn list(exprs: &[Expr]) -> String {
    exprs.iter().flat_map(|expr| [" ".to_owned(), expression(expr)]).collect()
}

fn two(sign: &str, left: &Expr, right: &Expr) -> String {
    format!("({sign} {} {})", expression(left), expression(right))
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not-in",
        BinaryOp::Within => "within",
        BinaryOp::Union => "union",
        BinaryOp::Minus => "minus",
        BinaryOp::Common => "common",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "mod",
    }
}

/// `x in S where P` as `[x S P]`.
pub(super) fn binder(binder: &Binder) -> String {
    let condition = binder.condition.as_ref().map(|it| format!(" where {}", expression(it)));
    let condition = condition.unwrap_or_default();
    format!("[{} in {}{condition}]", binder.name.text, expression(&binder.set))
}

fn match_value(subject: &Expr, arms: &[Arm<Expr>]) -> String {
    let arm = |arm: &Arm<Expr>| format!("[{}: {}]", patterns(arm), expression(&arm.body));
    let arms: Vec<_> = arms.iter().map(arm).collect();
    format!("(match {} {})", expression(subject), arms.join(" "))
}

/// What a case is for.
pub(super) fn patterns<T>(arm: &Arm<T>) -> String {
    let pattern = |pattern: &Pattern| match pattern {
        Pattern::Value(value) => expression(value),
        Pattern::Range(low, high) => two("..", low, high),
    };
    let patterns: Vec<_> = arm.patterns.iter().map(pattern).collect();
    if patterns.is_empty() { "else".to_owned() } else { patterns.join(", ") }
}

/// A text with its holes.
pub(super) fn text(text: &Text) -> String {
    let part = |part: &TextPart| match part {
        TextPart::Words(words) => words.escape_debug().to_string(),
        TextPart::Hole(hole) => format!("{{{}}}", expression(hole)),
    };
    format!("\"{}\"", text.parts.iter().map(part).collect::<String>())
}

/// `: Type`, or nothing.
pub(super) fn typed(ty: Option<&TypeExpr>) -> String {
    ty.map_or_else(String::new, |ty| format!(": {}", written_type(ty)))
}

/// A type in words.
pub(super) fn written_type(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeKind::Number => "number".to_owned(),
        TypeKind::Bool => "yes/no".to_owned(),
        TypeKind::Text => "text".to_owned(),
        TypeKind::Kind(name) => name.text.clone(),
        TypeKind::Of(board, asked, args) => {
            let args: Vec<String> = args.iter().map(expression).collect();
            format!("(of {} {} {})", board.text, asked.text, args.join(" "))
        }
        TypeKind::Members(members) => {
            let names: Vec<_> = members.iter().map(|it| it.name.text.as_str()).collect();
            format!("{{{}}}", names.join(", "))
        }
        TypeKind::Range(low, Some(high)) => two("..", low, high),
        TypeKind::Range(low, None) => format!("(.. {})", expression(low)),
        TypeKind::Set(inner) => format!("set of {}", written_type(inner)),
        TypeKind::Cards(None) => "cards".to_owned(),
        TypeKind::Cards(Some(of)) => format!("cards of {}", of.text),
        TypeKind::Maybe(inner) => format!("maybe {}", written_type(inner)),
    }
}

/// ` [h in Harbour, Cargo]`, or nothing.
pub(super) fn written_dims(dims: &[Dim]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let dim = |dim: &Dim| match &dim.binder {
        Some(name) => format!("{} in {}", name.text, written_type(&dim.ty)),
        None => written_type(&dim.ty),
    };
    format!(" [{}]", dims.iter().map(dim).collect::<Vec<_>>().join(", "))
}
