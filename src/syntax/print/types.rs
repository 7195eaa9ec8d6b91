//! Types and what stands in brackets behind a name, to text.

use crate::syntax::ast::Dim;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Member;
use crate::syntax::ast::Param;
use crate::syntax::ast::Text;
use crate::syntax::ast::TypeExpr;
use crate::syntax::ast::TypeKind;
use crate::syntax::print::expressions::joined;
use crate::syntax::print::expressions::placed;
use crate::syntax::print::expressions::text;
use crate::syntax::tightness::Tightness;

/// A type as it is written.
pub(super) fn written_type(ty: &TypeExpr) -> String {
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
        TypeKind::Set(inner) => format!("set of {}", written_type(inner)),
        TypeKind::Maybe(inner) => format!("maybe {}", written_type(inner)),
    }
}

/// The grammar takes dots for open above unless a letter, a digit, `-` or `(` follows them.
fn high_bound(expr: &Expr) -> String {
    let text = placed(expr, Tightness::Sum);
    if text.starts_with(['"', '{']) { format!("({text})") } else { text }
}

/// `p: Player`
pub(super) fn param(param: &Param) -> String {
    format!("{}: {}", param.name.text, written_type(&param.ty))
}

/// `elm, oak "Tall oak"`
pub(super) fn members(members: &[Member]) -> String {
    joined(members.iter().map(|it| format!("{}{}", it.name.text, title(it.title.as_ref()))))
}

/// ` "title"`, or nothing.
pub(super) fn title(title: Option<&Text>) -> String {
    title.map_or_else(String::new, |title| format!(" {}", text(title)))
}

/// `: Type`, or nothing.
pub(super) fn of_type(ty: Option<&TypeExpr>) -> String {
    ty.map_or_else(String::new, |ty| format!(": {}", written_type(ty)))
}

/// `[h in Harbour, c in Cargo]`, or nothing.
pub(super) fn dims(dims: &[Dim]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let dim = |dim: &Dim| match &dim.binder {
        Some(name) => format!("{} in {}", name.text, written_type(&dim.ty)),
        None => written_type(&dim.ty),
    };
    format!("[{}]", joined(dims.iter().map(dim)))
}
