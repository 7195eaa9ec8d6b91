//! Lists: literals, elements, and `lists of …`, which grows them member by member.

use crate::check::error;
use crate::check::typer::Typer;
use crate::check::typer::fit::wrong_index_count;
use crate::check::typer::types::{MOST_IN_LIST, resolve_list};
use crate::diagnostic::Help;
use crate::rules::{
    BinaryOp, Expr, ExprKind, Type, UnaryOp, domain_code, maybe_if_any, type_code, typed,
    unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::{ast, print_expression};

/// `list.first`, `list.last`: `none` of an empty list.
pub(crate) fn end_of_list(list: &Expr, name: &str, span: Span) -> Option<Expr> {
    let Type::List(domain, _) = list.ty else { return None };
    let op = match name {
        "first" => UnaryOp::FirstElement,
        "last" => UnaryOp::LastElement,
        _ => return None,
    };
    let kind = ExprKind::new_unary(op, list.clone());
    Some(typed(kind, maybe_if_any(domain.member_type()), span))
}

/// `[a, b]`
pub(crate) fn infer_list(
    typer: &mut Typer,
    items: &[ast::Expr],
    span: Span,
    hint: Option<&Type>,
) -> Expr {
    let expected = match hint {
        Some(Type::List(domain, most)) => Some((*domain, *most)),
        _ => None,
    };
    if let (Some((_, most)), true) = (expected, items.len() > MOST_IN_LIST.into()) {
        return too_long(typer, items.len(), hint, most, span);
    }
    let (elements, domain) = match (expected, items) {
        (Some((domain, _)), []) => (Vec::new(), domain),
        (None, []) if matches!(hint, Some(Type::Set(_) | Type::EmptySet)) => {
            let (expected, found) = ("a set", "an empty list");
            let help = Help::form("the empty set is", "{}").with_span(span);
            return typer.file.report_as_expr(error::type_mismatch(expected, found, help, span));
        }
        (None, []) => {
            let (what, value) = ("this list", "[]");
            let help = "an empty set is `{}`; a list has its type before it, as in `var path: list of \
                 Field up to 9 = []`";
            return typer.file.report_as_expr(error::needs_type(what, value, help, span));
        }
        _ => {
            let set = expected.map(|(domain, _)| Type::Set(domain));
            let checked = typer.check_set(items, span, set.as_ref());
            match (checked.kind, checked.ty) {
                (ExprKind::SetOf(items), Type::Set(domain)) => (items, domain),
                _ => return unknown_expr(span),
            }
        }
    };
    if typer.file.rules.are_cards(domain) {
        let name = domain_code(&typer.file.rules, domain);
        return typer.file.report_as_expr(error::list_of_cards(name, span));
    }
    let most = expected.map_or(MOST_IN_LIST, |(_, most)| most);
    let found = u16::try_from(elements.len()).ok().filter(|found| *found <= most);
    let Some(found) = found else {
        return too_long(typer, elements.len(), expected.and(hint), most, span);
    };
    let most = if expected.is_some() { most } else { found };
    typed(ExprKind::ListOf(elements), Type::List(domain, most), span)
}

fn too_long(typer: &mut Typer, found: usize, ty: Option<&Type>, most: u16, span: Span) -> Expr {
    let ty = ty.map_or_else(|| "list".to_owned(), |ty| type_code(&typer.file.rules, ty));
    typer.file.report_as_expr(error::ListTooLong { found, ty, most, span })
}

/// `lists of Field up to 9 by S`, where it is iterated: declares the name of the list, which S
/// reads; with the type of each.
pub(crate) fn check_lists(typer: &mut Typer, lists: &ast::ListsOf, span: Span) -> (Expr, Type) {
    let ty = resolve_list(typer.file, &lists.of, &lists.most);
    let Some(name) = &lists.name else {
        let broken = typer.file.report_as_expr(error::lists(span));
        return (broken, Type::Unknown);
    };
    typer.declare(name, ty.clone());
    let Type::List(domain, most) = ty else {
        typer.infer(&lists.next, None);
        return (unknown_expr(span), Type::Unknown);
    };
    let next = typer.in_condition("what comes next in a list", |typer| {
        typer.infer_as(&lists.next, &Type::Set(domain))
    });
    let all = typed(ExprKind::Lists(Box::new(next)), Type::Lists(domain, most), span);
    (all, Type::List(domain, most))
}

/// `list[n]`
pub(crate) fn check_index(typer: &mut Typer, list: Expr, args: &[ast::Expr], span: Span) -> Expr {
    let Type::List(domain, _) = list.ty else { return unknown_expr(span) };
    let [index] = args else {
        let name = typer.look().expr_code(&list);
        let help = format!("write `{name}[1]` for the first element");
        let error = wrong_index_count(&name, 1, args.len(), help, span);
        return typer.file.report_as_expr(error);
    };
    let index = typer.infer_as(index, &Type::Number);
    let kind = ExprKind::new_binary(BinaryOp::Nth, list, index);
    typed(kind, domain.member_type(), span)
}

/// `list += x`, or why a list cannot be changed like this.
pub(crate) fn appended(
    typer: &mut Typer,
    list: &Expr,
    add: bool,
    value: &ast::Expr,
) -> Option<Expr> {
    let Type::List(domain, _) = list.ty else { return None };
    if !add {
        typer.infer(value, Some(&Type::Set(domain)));
        let (name, ty) = (typer.look().expr_code(list), type_code(&typer.file.rules, &list.ty));
        let is_set = matches!(value.kind, ast::ExprKind::Set(_));
        let kept = if is_set { "not in" } else { "!=" };
        let kept = format!("{kept} {}", print_expression(value));
        return typer.file.refuse_with(error::ListShrinks {
            list: name,
            ty,
            kept,
            span: list.span,
        });
    }
    let member = domain.member_type();
    let value = typer.infer(value, Some(&member));
    let want = if unwrap_maybe(&value.ty) == &value.ty { member } else { maybe_if_any(member) };
    Some(typer.coerce(value, &want))
}
