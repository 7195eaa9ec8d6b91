//! Decisions about an order: everything happens, a player says what comes first.

use std::rc::Rc;

use crate::check::context::Checker;
use crate::check::error::MovesError;
use crate::check::narrow::Path;
use crate::check::rules::{Clause, Expr, ExprKind, LocalId, MoveOption, Type};
use crate::check::scope::NewLocal;
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// Looks whether the options can be put in order; gives the locals that keep what is left.
    pub(super) fn put_in_order(
        &mut self,
        choose: &ast::Choose,
        options: &mut [MoveOption],
    ) -> Vec<LocalId> {
        if let Some(decline) = &choose.decline {
            let problem = "an order cannot be declined";
            let help = "take the branch out, or ask with another `choose` before";
            self.report(MovesError::Order { problem, help, span: decline.name.span });
        }
        if let Some(otherwise) = &choose.otherwise {
            let problem = "an order has no `else`";
            let help = "where nothing is legal it goes on behind the order; take the branch out";
            self.report(MovesError::Order { problem, help, span: otherwise.span });
        }
        options.iter_mut().map(|option| self.left_of(option)).collect()
    }

    /// The local that keeps what is left of an option.
    fn left_of(&mut self, option: &mut MoveOption) -> LocalId {
        let mut ty = Type::Bool;
        let mut gone_over = false;
        for clause in &mut option.clauses {
            match clause {
                Clause::For(binder) if gone_over => {
                    let problem = "an option of an order goes over one set at most";
                    self.not_ordered(problem, binder.set.span);
                }
                Clause::For(binder) => {
                    gone_over = true;
                    ty = self.ordered_set(&mut binder.set);
                }
                Clause::Maybe(binder) => {
                    self.not_ordered("an option of an order has no `maybe`", binder.set.span);
                }
                Clause::Let(..) | Clause::When(_) => {}
            }
        }
        // No name that can be typed: only the order itself reads it.
        self.add_local("left of the order", NewLocal::fixed(ty), option.span)
    }

    fn ordered_set(&mut self, set: &mut Expr) -> Type {
        let kept = self.keep(set.clone());
        *set = self.set_of_maybe(unordered(kept));
        match &set.ty {
            Type::Set(_) | Type::Unknown => set.ty.clone(),
            _ => {
                self.not_ordered(
                    "an order goes over a set, or numbers between written bounds",
                    set.span,
                );
                Type::Unknown
            }
        }
    }

    fn not_ordered(&mut self, problem: &'static str, span: Span) {
        let help = "write `for x in S where P`, where S is a set or numbers between written bounds";
        self.report(MovesError::Order { problem, help, span });
    }

    /// In an order the bodies run one behind the other: what a `let` is may have changed since its
    /// option was found to be legal.
    pub(super) fn forget_lets(&mut self, clauses: &[Clause]) {
        if !self.body.in_order {
            return;
        }
        let lets: Vec<LocalId> = clauses
            .iter()
            .filter_map(|clause| match clause {
                Clause::Let(local, _) => Some(*local),
                _ => None,
            })
            .collect();
        Rc::make_mut(&mut self.body.known)
            .retain(|path| !lets.iter().any(|local| is_about(path, *local)));
        self.body.in_order = false;
    }
}

fn unordered(set: Expr) -> Expr {
    match set.kind {
        ExprKind::From(inner, _) => *inner,
        _ => set,
    }
}

fn is_about(path: &Path, local: LocalId) -> bool {
    match path {
        Path::Local(other) => *other == local,
        Path::Column(_, _, of) | Path::Within(of, _) => is_about(of, local),
        Path::Table(_, indices) => indices.iter().any(|index| is_about(index, local)),
        Path::Option(_) | Path::Constant(_) | Path::Value(_) => false,
    }
}
