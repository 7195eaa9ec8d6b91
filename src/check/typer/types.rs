//! Resolves written types: kinds by name, anonymous kinds, ranges; and constant expressions.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::members::MOST_MEMBERS;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::bags::resolve_bag;
use crate::check::typer::board_lines::check_lines;
use crate::check::typer::{Mode, Typer};
use crate::check::words::WrittenCall;
use crate::rules::{
    ConstantId, Domain, Expr, Local, LocalId, OptionId, PLAYER, Range, RangeId, Type, domain_code,
    has_maybe, literal, maybe_if_any, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast;

/// A type, and the range that is enforced on its numbers.
#[derive(Clone, Debug)]
pub(crate) struct WrittenType {
    pub(crate) ty: Type,
    pub(crate) range: Option<RangeId>,
}

impl WrittenType {
    pub(crate) fn from_type(ty: Type) -> WrittenType {
        WrittenType { ty, range: None }
    }
}

pub(crate) const MOST_IN_LIST: u16 = 64;

pub(crate) fn parameters(file: &mut FileContext, params: &[ast::Param]) -> Vec<Local> {
    let mut typer = Typer::new(file, Vec::new(), Mode::Rule);
    for param in params {
        let WrittenType { ty, range } = resolve(typer.file, &param.ty);
        if let Type::Bag(kind) = ty {
            let amounts = typer.scope.add_amounts(&typer.file.rules, &param.name, kind);
            for (at, amount) in amounts.into_iter().enumerate() {
                let local = &mut typer.scope.locals[amount.index()];
                (local.range, local.bag) = (range, (at == 0).then_some(kind));
                local.span = param.name.span;
            }
            continue;
        }
        let local = Local::fixed(&param.name.text, ty, param.name.span);
        typer.declare_local(Local { range, ..local });
    }
    typer.scope.locals
}

/// The type of an option, checked now if need be.
pub(crate) fn option_type(file: &mut FileContext, id: OptionId, span: Span) -> Type {
    if let Some(option) = file.tree.options.get(id.index()).map(|entry| entry.item)
        && file.begin_declaration(&option.name, span)
    {
        check_option(file, id, option);
    }
    file.rules.options[id.index()].ty.clone()
}

fn check_option<'a>(file: &mut FileContext<'a>, id: OptionId, option: &'a ast::OptionItem) {
    file.searching.push(&option.name);
    let written = option.ty.as_ref().map(|ty| resolve(file, ty));
    let default = constant_expr(file, &option.default, written.as_ref().map(|written| &written.ty));
    let WrittenType { ty, range } =
        written.unwrap_or_else(|| WrittenType::from_type(default.ty.clone()));
    file.end_search();
    let ty = settable(file, option, ty);
    let checked = &mut file.rules.options[id.index()];
    (checked.ty, checked.range, checked.default) = (ty, range, default);
}

/// The type of an option, if there can be one of it.
fn settable(file: &mut FileContext, option: &ast::OptionItem, ty: Type) -> Type {
    match unwrap_maybe(&ty) {
        Type::Number | Type::Bool | Type::Unknown => {}
        Type::Kind(kind) if *kind != PLAYER => {}
        Type::None | Type::EmptySet => {
            file.report_untyped(&option.name, &ty, option.default.span);
            return Type::Unknown;
        }
        _ => {
            file.report_error(error::option_type(file.rules.describe_type(&ty), option.name.span));
        }
    }
    ty
}

/// The type of a constant, checked now if need be.
pub(crate) fn constant_type(file: &mut FileContext, id: ConstantId, span: Span) -> Type {
    if let Some(constant) = file.tree.constants.get(id.index()).map(|entry| entry.item)
        && file.begin_declaration(&constant.name, span)
    {
        check_constant(file, id, constant);
    }
    file.rules.constants[id.index()].value.ty.clone()
}

fn check_constant<'a>(file: &mut FileContext<'a>, id: ConstantId, constant: &'a ast::ConstantDecl) {
    file.searching.push(&constant.name);
    let mut value = constant_expr(file, &constant.value, None);
    if let Type::Bag(_) = value.ty {
        let problem = "a constant cannot be a bag";
        file.report_error(error::bag_place(problem, constant.name.span));
        value = unknown_expr(value.span);
    }
    if matches!(value.ty, Type::None | Type::EmptySet | Type::Span) {
        file.report_error(error::needs_type(
            format!("`{}`", constant.name.text),
            file.rules.describe_type(&value.ty),
            "give it a value whose type is plain: a number, a member, a set of members",
            value.span,
        ));
        value = unknown_expr(value.span);
    }
    file.rules.constants[id.index()].value = value;
    file.end_search();
}

/// `list of Field up to 9`
pub(crate) fn resolve_list(file: &mut FileContext, of: &ast::TypeExpr, most: &ast::Expr) -> Type {
    let domain = resolve_domain(file, of);
    let most = list_length(file, most);
    let (Some(domain), Some(most)) = (domain, most) else { return Type::Unknown };
    if file.rules.are_cards(domain) {
        let name = domain_code(&file.rules, domain);
        file.report_error(error::list_of_cards(name, of.span));
        return Type::Unknown;
    }
    Type::List(domain, most)
}

fn list_length(file: &mut FileContext, most: &ast::Expr) -> Option<u16> {
    let span = most.span;
    let Some(number) = file.written_number(most, 0) else {
        return file.refuse_with(error::unknown_length(span));
    };
    let fits = u16::try_from(number).ok().filter(|it| (1..=MOST_IN_LIST).contains(it));
    fits.or_else(|| file.refuse_with(error::list_length(number, MOST_IN_LIST, span)))
}

pub(crate) fn resolve(file: &mut FileContext, written: &ast::TypeExpr) -> WrittenType {
    let ty = match &written.kind {
        ast::TypeKind::Number => Type::Number,
        ast::TypeKind::Bool => Type::Bool,
        ast::TypeKind::Text => Type::Text,
        ast::TypeKind::Kind(name) => {
            file.recorder.see(&name.text, CompletionContext::Type);
            file.kind_named(name).map_or(Type::Unknown, Type::Kind)
        }
        ast::TypeKind::Of(board, name, args) => {
            resolve_lines(file, board, WrittenCall { name, args, span: written.span })
        }
        ast::TypeKind::Members(members) => file.unnamed_kind(members, written.span),
        ast::TypeKind::Range(low, high) => {
            let range = resolve_range(file, low, high.as_deref(), written.span);
            return WrittenType { ty: Type::Number, range };
        }
        ast::TypeKind::Set(of) => resolve_domain(file, of).map_or(Type::Unknown, Type::Set),
        ast::TypeKind::List(of, most) => resolve_list(file, of, most),
        ast::TypeKind::Bag(of, most) => {
            file.recorder.see(&of.text, CompletionContext::Type);
            let (ty, range) = resolve_bag(file, of, most.as_deref(), written.span);
            return WrittenType { ty, range };
        }
        ast::TypeKind::Cards(of) => {
            file.cards_kind(of.as_ref(), written.span).map_or(Type::Unknown, Type::Pile)
        }
        ast::TypeKind::Maybe(of) => return resolve_maybe(file, of),
    };
    WrittenType::from_type(ty)
}

/// `Field.lines(4)` as a type: one of the lines.
fn resolve_lines(file: &mut FileContext, name: &ast::Name, method: WrittenCall) -> Type {
    file.recorder.see(&name.text, CompletionContext::Type);
    let Some(board) = file.kind_named(name) else { return Type::Unknown };
    if method.name.text != "lines" {
        let help = "the lines of a board are a type: `Field.lines(4)`";
        let (owner, called) = (format!("`{}`", name.text), method.name);
        file.report_error(error::unknown_field(owner, &called.text, help, called.span));
        return Type::Unknown;
    }
    let mut typer = Typer::new(file, Vec::new(), Mode::Constant);
    let lines = check_lines(&mut typer, board, method.args, method.span);
    match lines.ty {
        Type::Set(domain) => domain.member_type(),
        _ => Type::Unknown,
    }
}

fn resolve_maybe(file: &mut FileContext, of: &ast::TypeExpr) -> WrittenType {
    let WrittenType { ty, range } = resolve(file, of);
    if ty != Type::Unknown && !has_maybe(&ty) {
        file.report_error(error::nested_type("maybe", file.rules.describe_type(&ty), of.span));
        return WrittenType::from_type(Type::Unknown);
    }
    WrittenType { ty: maybe_if_any(ty), range }
}

pub(crate) fn resolve_domain(file: &mut FileContext, written: &ast::TypeExpr) -> Option<Domain> {
    let WrittenType { ty, range } = resolve(file, written);
    match (&ty, range) {
        (Type::Kind(kind), _) => return Some(Domain::Kind(*kind)),
        (Type::Number, Some(range)) if file.rules.ranges[range.index()].high.is_some() => {
            return short_range(file, range, written.span);
        }
        (Type::Unknown, _) => return None,
        (Type::Number, None) if matches!(written.kind, ast::TypeKind::Range(..)) => {
            return None;
        }
        _ => {}
    }
    let found = match range {
        Some(_) if matches!(ty, Type::Bag(_)) => file.rules.describe_type(&ty),
        Some(_) => "a range that is open above".to_owned(),
        None => file.rules.describe_type(&ty),
    };
    let help = match ty {
        Type::Number => {
            "write the lowest number and the highest: `set of 1..99`; arrays and tables need both \
             ends too"
        }
        _ => "sets, arrays and tables are over kinds (`Colour`) or closed ranges (`1..6`)",
    };
    file.refuse_with(error::not_finite(found, help, written.span))
}

pub(crate) fn short_range(file: &mut FileContext, range: RangeId, span: Span) -> Option<Domain> {
    let domain = Domain::Range(range);
    match file.rules.domain_size(domain) {
        Some(found) if found > MOST_MEMBERS => file.refuse_with(error::TooManyMembers {
            name: "the range",
            found,
            most: MOST_MEMBERS,
            span,
        }),
        _ => Some(domain),
    }
}

pub(crate) fn resolve_range(
    file: &mut FileContext,
    low: &ast::Expr,
    high: Option<&ast::Expr>,
    span: Span,
) -> Option<RangeId> {
    let low = constant_expr(file, low, Some(&Type::Number));
    let high = high.map(|high| constant_expr(file, high, Some(&Type::Number)));
    if low.ty == Type::Unknown || high.as_ref().is_some_and(|high| high.ty == Type::Unknown) {
        return None;
    }
    if let (Some(low), Some(high)) = (literal(&low), high.as_ref().and_then(literal))
        && low > high
    {
        return file.refuse_with(error::empty_bounds(low, high, span));
    }
    file.intern_range(Range { low, high, span })
}

pub(crate) fn constant_expr(file: &mut FileContext, expr: &ast::Expr, want: Option<&Type>) -> Expr {
    constant_with(file, expr, want, Vec::new()).0
}

/// A constant expression that may read some locals; those and the ones inside it come with it.
pub(crate) fn constant_with(
    file: &mut FileContext,
    expr: &ast::Expr,
    want: Option<&Type>,
    locals: Vec<Local>,
) -> (Expr, Vec<Local>) {
    let mut typer = Typer::new(file, locals, Mode::Constant);
    (typer.expect_or_infer(expr, want), typer.scope.locals)
}

/// The locals that hold the indices of an array in what gives its elements: those that have a name.
pub(crate) fn index_locals(
    file: &mut FileContext,
    dims: &[ast::Dim],
    domains: Option<&[Domain]>,
) -> (Vec<Option<LocalId>>, Vec<Local>) {
    let (mut binders, mut locals): (_, Vec<Local>) = (Vec::new(), Vec::new());
    for (at, dim) in dims.iter().enumerate() {
        binders.push(dim.binder.as_ref().map(|_| LocalId::at(locals.len())));
        let Some(binder) = &dim.binder else { continue };
        if let Some(earlier) = locals.iter().find(|local| local.name == binder.text) {
            file.duplicate(binder, earlier.span);
        }
        let ty = domains.map_or(Type::Unknown, |dims| dims[at].member_type());
        file.recorder.note_use(binder.span, Symbol::Local(binder.span));
        locals.push(Local::fixed(&binder.text, ty, binder.span));
    }
    (binders, locals)
}
