//! `subsets of S`: where they may be iterated, and where they are refused.

use crate::check::context::{Checker, typed, unknown};
use crate::check::error::TypeError;
use crate::check::rules::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::FoldWord;

/// A place where subsets cannot stand: why not, and what to write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused(&'static str, &'static str);

/// Where nothing iterates them.
pub(super) const NOT_KEPT: Refused = Refused(
    "nothing goes over them here",
    "write them behind `in`, as in `for part in subsets of S`; whether a set is one of them says `part within S`",
);

/// Before `from`.
pub(super) const IN_ORDER: Refused = Refused(
    "`from` begins at a member, and these are sets",
    "take out `from`: the empty set comes first, the whole set last",
);

/// In `{x in S where P}`.
pub(super) const FILTERED: Refused = Refused(
    "a set cannot hold sets",
    "ask with `any`, `all` or `count`, or go over them with `for`",
);

/// Behind `random`.
pub(super) const DRAWN: Refused =
    Refused("`random` draws one member", "draw the members one after another");

/// Behind `maybe`.
pub(super) const PERHAPS: Refused =
    Refused("there is no `maybe` of a set", "write `for`: the empty set is among the subsets");

/// Behind `always`.
pub(super) const PROMISED: Refused = Refused(
    "`always` tells for which member it does not hold",
    "write `always all(part in subsets of S: …)`",
);

const NOT_ONE: Refused = Refused(
    "there is no `maybe` of a set",
    "go over them with `for` and keep the one you look for in a `var`; `any` says whether there is one",
);

const NOT_BEST: Refused = Refused(
    "a set cannot hold sets",
    "`max` and `min` give the best value; go over them with `for` and keep the best in a `var`",
);

impl Refused {
    pub(super) fn at(self, span: Span) -> TypeError {
        TypeError::Subsets { problem: self.0, help: self.1, span }
    }
}

pub(super) fn not_of(word: FoldWord) -> Option<Refused> {
    match word {
        FoldWord::First | FoldWord::Last => Some(NOT_ONE),
        FoldWord::Highest | FoldWord::Lowest => Some(NOT_BEST),
        _ => None,
    }
}

impl Checker<'_> {
    /// `subsets of S`, where they are iterated: with the type of each.
    pub(super) fn subsets(&mut self, set: &ast::Expr, span: Span) -> (Expr, Type) {
        let (set, _) = self.go_over_members(set, None, FILTERED);
        if matches!(set.kind, ExprKind::From(..)) {
            return (self.broken(TypeError::OrderLost { span: set.span }, span), Type::Unknown);
        }
        let set = self.kept_set(set);
        match set.ty {
            Type::Set(domain) => {
                let kind = ExprKind::Subsets(Box::new(set));
                (typed(kind, Type::Subsets(domain), span), Type::Set(domain))
            }
            Type::Unknown => (unknown(span), Type::Unknown),
            _ => (self.numbers_need_range(set.span), Type::Unknown),
        }
    }

    pub(super) fn go_over_members(
        &mut self,
        set: &ast::Expr,
        hint: Option<&Type>,
        refused: Refused,
    ) -> (Expr, Type) {
        let (set, member) = self.go_over(set, hint);
        if matches!(set.ty, Type::Subsets(_)) {
            let span = set.span;
            return (self.broken(refused.at(span), span), Type::Unknown);
        }
        (set, member)
    }
}
