//! Types folds over sets: `any`, `sum`, `highest` and the like.

use crate::check::error;
use crate::check::typer::sets::{IN_BEST, IN_FIRST_OR_LAST, IN_ONLY};
use crate::check::typer::{ExprSpot, Typer};
use crate::rules::{Domain, Expr, ExprKind, Type, maybe_if_any, member_kind, typed, unknown_expr};
use crate::source::Span;
use crate::syntax::ast::{self, Direction, FoldWord};
use crate::syntax::print_expression;

/// What to write where a fold cannot look through several sets.
pub(crate) fn nested(word: FoldWord) -> Option<&'static str> {
    match word {
        FoldWord::Any | FoldWord::All | FoldWord::Count | FoldWord::Sum => None,
        FoldWord::Min => Some(
            "write one inside the other: `min(a in A: min(b in B: E))`; where `B` may be empty, \
             `min(a in A where count(B) > 0: …)`",
        ),
        FoldWord::Max => Some(
            "write one inside the other: `max(a in A: max(b in B: E))`; where `B` may be empty, \
             `max(a in A where count(B) > 0: …)`",
        ),
        FoldWord::First => Some("ask about the other set: `first(a in A: any(b in B: P))`"),
        FoldWord::Last => Some("ask about the other set: `last(a in A: any(b in B: P))`"),
        FoldWord::Only => Some("ask about the other set: `only(a in A: any(b in B: P))`"),
        FoldWord::Highest => {
            Some("look through the other set in the key: `highest(a in A by max(b in B: E))`")
        }
        FoldWord::Lowest => {
            Some("look through the other set in the key: `lowest(a in A by min(b in B: E))`")
        }
    }
}

/// Whether a fold makes a number of the numbers of the members.
pub(crate) fn is_of_numbers(word: FoldWord) -> bool {
    match word {
        FoldWord::Sum | FoldWord::Min | FoldWord::Max => true,
        FoldWord::Any
        | FoldWord::All
        | FoldWord::Count
        | FoldWord::First
        | FoldWord::Last
        | FoldWord::Only
        | FoldWord::Highest
        | FoldWord::Lowest => false,
    }
}

/// How the values are joined of a fold for which equal values count once each; nothing where they need count only once.
pub(crate) fn joining(word: FoldWord) -> Option<(&'static str, &'static str)> {
    match word {
        FoldWord::Sum => Some(("add", " + ")),
        FoldWord::Any
        | FoldWord::All
        | FoldWord::Count
        | FoldWord::Min
        | FoldWord::Max
        | FoldWord::First
        | FoldWord::Last
        | FoldWord::Only
        | FoldWord::Highest
        | FoldWord::Lowest => None,
    }
}

fn body_advice(word: FoldWord) -> &'static str {
    match word {
        FoldWord::Sum => "write what to add up after a colon",
        FoldWord::Min | FoldWord::Max => "write the number of each member after a colon",
        FoldWord::Highest | FoldWord::Lowest => "write what to compare after `by`",
        FoldWord::Any
        | FoldWord::All
        | FoldWord::Count
        | FoldWord::First
        | FoldWord::Last
        | FoldWord::Only => "write the condition for each member after a colon",
    }
}

/// Source text of a fold that lacks its body: numbers are their own values, and a `where` is taken for the body unless
/// it filters.
fn written_fold(
    word: FoldWord,
    binder: &ast::Binder,
    (is_number, filters): (bool, bool),
) -> String {
    let (name, set) = (&binder.name.text, print_expression(&binder.set));
    let filter = binder.condition.as_ref().map(|it| print_expression(it));
    let asks = matches!(word, FoldWord::Any | FoldWord::All);
    let sign = word.sign();
    let (kept, body) = match filter {
        Some(filter) if asks || !filters => (String::new(), filter),
        filter => {
            let kept = filter.map(|filter| format!(" where {filter}")).unwrap_or_default();
            (kept, if is_number && !asks { name.clone() } else { "…".to_owned() })
        }
    };
    format!("{}({name} in {set}{kept}{sign} {body})", word.word())
}

impl Typer<'_, '_> {
    /// `any(c in S: P)` and the like; with several binders each is a fold inside the one before.
    pub(crate) fn infer_fold(
        &mut self,
        word: FoldWord,
        (binders, body): (&[ast::Binder], &[ast::Expr]),
        spot: ExprSpot,
    ) -> Expr {
        let (outer, inner) = binders.split_first().expect("the grammar has a binder");
        let Some(second) = inner.first() else {
            return self.check_fold(word, (outer, body), spot);
        };
        if let Some(help) = nested(word) {
            let (word, span) = (word.word(), second.name.span.to(second.set.span));
            return self.file.report_as_expr(error::one_set(word, help, span));
        }
        let (binder, inner) = self.scoped(|typer| {
            let binder = typer.check_binder(outer, None);
            (binder, typer.infer_fold(word, (inner, body), spot))
        });
        let word = if word == FoldWord::Count { FoldWord::Sum } else { word };
        let ty = inner.ty.clone();
        typed(ExprKind::Fold { word, binder, body: vec![inner] }, ty, spot.span)
    }

    /// `any(c in S: P)` and the like.
    fn check_fold(
        &mut self,
        word: FoldWord,
        (binder, body): (&ast::Binder, &[ast::Expr]),
        ExprSpot { span, hint, .. }: ExprSpot,
    ) -> Expr {
        let needs_body =
            !matches!(word, FoldWord::Count | FoldWord::First | FoldWord::Last | FoldWord::Only);
        if body.is_empty() && needs_body {
            return self.fold_without_body(word, binder, span);
        }
        let hint = hint.and_then(member_kind).map(|kind| Type::Set(Domain::Kind(kind)));
        let (binder, body, member) = self.scoped(|typer| {
            let (set, hint) = (&binder.set, hint.as_ref());
            let (set, member) = match word {
                FoldWord::Highest | FoldWord::Lowest => {
                    let (set, member) = typer.iterated_members(set, hint, IN_BEST);
                    (typer.kept_set(set), member)
                }
                FoldWord::First | FoldWord::Last => {
                    let (set, member) = typer.iterated_members(set, hint, IN_FIRST_OR_LAST);
                    (typer.file.walked(set), member)
                }
                FoldWord::Only => typer.iterated_members(set, hint, IN_ONLY),
                _ => typer.iterated(set, None),
            };
            let binder = typer.bind_member(binder, set, member.clone());
            let body: Vec<Expr> = body.iter().map(|part| typer.fold_body(word, part)).collect();
            (binder, body, member)
        });
        let is_broken = body.iter().any(|part| part.ty == Type::Unknown);
        let ty = match word {
            FoldWord::Any | FoldWord::All => Type::Bool,
            FoldWord::Sum | FoldWord::Min | FoldWord::Max if is_broken => Type::Unknown,
            FoldWord::Count | FoldWord::Sum | FoldWord::Min | FoldWord::Max => Type::Number,
            FoldWord::First | FoldWord::Last => maybe_if_any(member),
            FoldWord::Only => member,
            FoldWord::Highest | FoldWord::Lowest => match &binder.set.ty {
                Type::Set(domain) => Type::Set(*domain),
                Type::Unknown => Type::Unknown,
                _ => return self.file.numbers_need_range(span),
            },
        };
        typed(ExprKind::Fold { word, binder, body }, ty, span)
    }

    fn fold_body(&mut self, word: FoldWord, part: &ast::Expr) -> Expr {
        match word {
            FoldWord::Any
            | FoldWord::All
            | FoldWord::Count
            | FoldWord::First
            | FoldWord::Last
            | FoldWord::Only => self.condition(part, "a condition"),
            FoldWord::Sum | FoldWord::Min | FoldWord::Max => {
                self.in_condition("what is added up", |typer| typer.folded_number(word, part))
            }
            FoldWord::Highest => self.check_key(part, Direction::Highest),
            FoldWord::Lowest => self.check_key(part, Direction::Lowest),
        }
    }

    fn folded_number(&mut self, word: FoldWord, part: &ast::Expr) -> Expr {
        let number = self.infer(part, Some(&Type::Number));
        let instead = match (word, &number.ty) {
            (FoldWord::Max, Type::Kind(_)) => "highest",
            (FoldWord::Min, Type::Kind(_)) => "lowest",
            _ => return self.coerce(number, &Type::Number),
        };
        let help = format!("the set of the members that come {instead}: `{instead}(x in S by x)`");
        self.refuse_misfit(&number, &Type::Number, Some(help.into()))
    }

    /// `any(c in S where P)`, a fold that lacks its body after a colon.
    fn fold_without_body(&mut self, word: FoldWord, binder: &ast::Binder, span: Span) -> Expr {
        let (set, member, filter) = self.scoped(|typer| {
            let (set, member) = typer.iterated(&binder.set, None);
            typer.declare(&binder.name, member.clone());
            let filter = binder.condition.as_ref().map(|it| typer.infer(it, None).ty);
            (set, member, filter)
        });
        if set.ty == Type::Unknown || filter == Some(Type::Unknown) {
            return unknown_expr(span);
        }
        let holds = filter.is_none_or(|ty| ty == Type::Bool);
        let form = written_fold(word, binder, (member == Type::Number, holds));
        self.file.report_as_expr(error::fold_without_body(
            word.word(),
            body_advice(word),
            &form,
            span,
        ))
    }
}
