//! Folds: words that reduce a set to one value, as `any`, `sum`, `highest`.

use crate::check::context::{Checker, typed, unknown};
use crate::check::error::TypeError;
use crate::check::rules::{Binder, Domain, Expr, ExprKind, Type};
use crate::check::scope::NewLocal;
use crate::check::subsets::not_of;
use crate::check::types::{kind_of, maybe, with_help};
use crate::source::Span;
use crate::syntax::ast::FoldWord;
use crate::syntax::{ast, print_expression};

impl Checker<'_> {
    /// `any(c in S: P)` and the like.
    pub(super) fn fold(
        &mut self,
        word: FoldWord,
        (binder, body): (&ast::Binder, &[ast::Expr]),
        span: Span,
        hint: Option<&Type>,
    ) -> Expr {
        if body.is_empty() && asks_of_each(word) {
            return self.fold_without_body(word, binder, span);
        }
        let hint = match word {
            FoldWord::First | FoldWord::Last | FoldWord::Highest | FoldWord::Lowest => {
                hint.and_then(kind_of)
            }
            _ => None,
        };
        let hint = hint.map(|kind| Type::Set(Domain::Kind(kind)));
        let (binder, body, member) = self.scoped(|checker| {
            let (set, member) = match not_of(word) {
                Some(refused) => checker.go_over_members(&binder.set, hint.as_ref(), refused),
                None => checker.go_over(&binder.set, hint.as_ref()),
            };
            let set = match word {
                FoldWord::Highest | FoldWord::Lowest => checker.kept_set(set),
                FoldWord::First | FoldWord::Last => checker.walked(set),
                _ => set,
            };
            let binder = checker.bind(binder, set, member.clone());
            let body: Vec<Expr> = body.iter().map(|part| checker.fold_body(word, part)).collect();
            (binder, body, member)
        });
        let is_broken = body.iter().any(|part| part.ty == Type::Unknown);
        let ty = match word {
            FoldWord::Any | FoldWord::All => Type::Bool,
            FoldWord::Sum | FoldWord::Min | FoldWord::Max if is_broken => Type::Unknown,
            FoldWord::Count | FoldWord::Sum | FoldWord::Min | FoldWord::Max => Type::Number,
            FoldWord::First | FoldWord::Last => maybe(member),
            FoldWord::Highest | FoldWord::Lowest => match &binder.set.ty {
                Type::Set(domain) => Type::Set(*domain),
                Type::Unknown => Type::Unknown,
                _ => return self.numbers_need_range(span),
            },
        };
        typed(ExprKind::Fold { word, binder, body }, ty, span)
    }

    fn fold_body(&mut self, word: FoldWord, part: &ast::Expr) -> Expr {
        match word {
            FoldWord::Any | FoldWord::All | FoldWord::Count | FoldWord::First | FoldWord::Last => {
                self.condition(part, "a condition")
            }
            FoldWord::Sum | FoldWord::Min | FoldWord::Max => {
                self.in_condition("what is added up", |checker| checker.folded(word, part))
            }
            FoldWord::Highest | FoldWord::Lowest => self.key(part),
        }
    }

    /// The number of a member.
    fn folded(&mut self, word: FoldWord, part: &ast::Expr) -> Expr {
        let number = self.infer(part, Some(&Type::Number));
        let instead = match (word, &number.ty) {
            (FoldWord::Max, Type::Kind(_)) => "highest",
            (FoldWord::Min, Type::Kind(_)) => "lowest",
            _ => return self.coerce(number, &Type::Number),
        };
        let help = format!("the set of the members that come {instead}: `{instead}(x in S by x)`");
        let error = with_help(self.misfit(&number, &Type::Number), help);
        self.broken(error, number.span)
    }

    /// `count(A)`
    pub(super) fn count_of(&mut self, set: &ast::Expr, span: Span) -> Expr {
        let (set, member) = self.go_over(set, None);
        let local = self.add_local("it", NewLocal::fixed(member), span);
        let binder = Binder { local, set: Box::new(set), condition: None };
        let kind = ExprKind::Fold { word: FoldWord::Count, binder, body: Vec::new() };
        typed(kind, Type::Number, span)
    }

    /// `any(c in S where P)`, where nothing is asked of each member.
    fn fold_without_body(&mut self, word: FoldWord, binder: &ast::Binder, span: Span) -> Expr {
        let (set, member, filter) = self.scoped(|checker| {
            let (set, member) = checker.go_over(&binder.set, None);
            checker.declare(&binder.name, member.clone());
            let filter = binder.condition.as_ref().map(|it| checker.infer(it, None).ty);
            (set, member, filter)
        });
        if set.ty == Type::Unknown || filter == Some(Type::Unknown) {
            return unknown(span);
        }
        let holds = filter.is_none_or(|ty| ty == Type::Bool);
        let error = TypeError::FoldWithoutBody {
            word: word.word().to_owned(),
            asked: asked(word),
            form: form(word, binder, (member == Type::Number, holds)),
            span,
        };
        self.broken(error, span)
    }
}

/// Whether there is no value without something that is asked of each member.
fn asks_of_each(word: FoldWord) -> bool {
    !matches!(word, FoldWord::Count | FoldWord::First | FoldWord::Last)
}

fn asked(word: FoldWord) -> &'static str {
    match word {
        FoldWord::Sum => "what is added up stands behind a colon",
        FoldWord::Min | FoldWord::Max => "which number of each stands behind a colon",
        FoldWord::Highest | FoldWord::Lowest => "what they are compared by stands behind `by`",
        _ => "what is asked of each stands behind a colon",
    }
}

/// How it is written: a member that is a number is compared itself, and what stands behind `where`
/// is what was to be asked, unless it chooses among the members.
fn form(word: FoldWord, binder: &ast::Binder, (is_number, filters): (bool, bool)) -> String {
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
