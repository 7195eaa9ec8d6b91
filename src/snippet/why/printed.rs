//! Moves with a printed form of their own: which of them were meant by what was typed.

use std::collections::BTreeSet;

use crate::check::rules::{
    Binder, Clause, Domain, Expr, ExprKind, LocalId, MoveOption, TextPart, Type, Value,
};
use crate::compile::Storage;
use crate::snippet::moment::{Known, read_locals};
use crate::snippet::why::{Failed, Reason, Why, plain};

/// How many values are put into words in search of the moves that were meant, while a person waits.
const MOST_TRIED: usize = 100_000;

/// A search for the ways to fill a printed form.
struct Search<'s> {
    /// The expressions in the form.
    holes: Vec<Expr>,
    /// The locals that the form depends on.
    needed: BTreeSet<LocalId>,
    template: &'s Expr,
    /// What was typed, in small letters.
    typed: String,
    /// How many values may still be put into words.
    left: usize,
    found: Vec<Known>,
}

impl Why<'_> {
    /// Why none of the moves that would be printed as was typed is legal: of several the one that
    /// comes furthest. Nothing if there is no such move.
    pub(super) fn printed(
        &self,
        option: &MoveOption,
        template: &Expr,
        typed: &[&str],
    ) -> Option<Failed> {
        let mut search = Search {
            holes: holes(template),
            needed: needed(option, template),
            template,
            typed: small(&typed.join(" ")),
            left: MOST_TRIED,
            found: Vec::new(),
        };
        self.fill(&mut search, &option.clauses, &self.in_sight());
        let mut best: Option<Failed> = None;
        for mut known in search.found {
            let failed = self.clauses(&option.clauses, &mut known, 1).err();
            let failed = failed.unwrap_or_else(|| not_offered(typed));
            if best.as_ref().is_none_or(|(held, _)| failed.0 > *held) {
                best = Some(failed);
            }
        }
        best
    }

    /// What to say when no move of an option is printed so.
    pub(super) fn not_printed(
        &self,
        option: &MoveOption,
        template: &Expr,
        typed: &[&str],
    ) -> Failed {
        let (typed, form) = (typed.join(" "), self.text(template.span));
        let message = format!("no `{}` is printed as `{typed}`", option.name);
        (0, plain(&message, &format!("its printed form is {form}")))
    }

    /// Gives the names that the form depends on every value, leaving conditions aside.
    fn fill(&self, search: &mut Search, clauses: &[Clause], known: &Known) {
        let Some((clause, rest)) = clauses.split_first() else {
            if self.tried(search, search.template, known).is_some_and(|text| text == search.typed) {
                search.found.push(known.clone());
            }
            return;
        };
        let local = match clause {
            Clause::For(binder) | Clause::Maybe(binder) => binder.local,
            Clause::Let(local, _) => *local,
            Clause::When(_) => return self.fill(search, rest, known),
        };
        if !search.needed.contains(&local) {
            return self.fill(search, rest, known);
        }
        for value in self.values_of(clause, known) {
            let mut known = known.clone();
            known.insert(local, Storage::Known(value));
            if self.may_fit(search, local, &known) {
                self.fill(search, rest, &known);
            }
        }
    }

    /// Every value that a clause may give its name.
    fn values_of(&self, clause: &Clause, known: &Known) -> Vec<Value> {
        match clause {
            Clause::Let(_, value) => vec![self.compute(value, known)],
            Clause::Maybe(binder) => {
                std::iter::once(Value::None).chain(self.members_of(binder, known)).collect()
            }
            Clause::For(binder) => self.members_of(binder, known),
            Clause::When(_) => Vec::new(),
        }
    }

    /// All members of the kind that a binder goes over; of numbers those in its set.
    fn members_of(&self, binder: &Binder, known: &Known) -> Vec<Value> {
        if let ExprKind::Subsets(of) = &binder.set.kind {
            return self.subsets_of(of, known);
        }
        let kind = match &binder.set.ty {
            Type::Set(Domain::Kind(kind)) | Type::Kind(kind) => Some(*kind),
            _ => None,
        };
        match (kind, self.compute(&binder.set, known)) {
            (Some(kind), _) => self.members_of_kind(kind).map(Value::Int).collect(),
            (None, Value::Set(members)) => members.into_iter().map(Value::Int).collect(),
            (None, Value::None | Value::Text(_)) => Vec::new(),
            (None, member) => vec![member],
        }
    }

    /// Whether what was typed contains the words of every hole that is known since this local.
    fn may_fit(&self, search: &mut Search, local: LocalId, known: &Known) -> bool {
        let holes = search.holes.clone();
        holes.into_iter().all(|hole| {
            let read = read_locals(&hole);
            let is_known = read.iter().all(|it| known.contains_key(it));
            if !read.contains(&local) || !is_known {
                return true;
            }
            self.tried(search, &hole, known).is_some_and(|words| search.typed.contains(&words))
        })
    }

    /// The words of an expression; nothing when the search has gone on for too long.
    fn tried(&self, search: &mut Search, expr: &Expr, known: &Known) -> Option<String> {
        search.left = search.left.checked_sub(1)?;
        Some(small(&self.show(expr, known)))
    }
}

/// What is left to say when nothing fails.
pub(super) fn not_offered(typed: &[&str]) -> Failed {
    let message = format!("`{}` is not offered here", typed.join(" "));
    let reason = plain(&message, "`:moves` lists what is legal");
    (usize::MAX, Reason { understood: true, ..reason })
}

fn small(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The holes of a printed form, each as a text of its own: in a text values are printed by their
/// titles.
fn holes(template: &Expr) -> Vec<Expr> {
    let ExprKind::Text(parts) = &template.kind else { return Vec::new() };
    let holes = parts.iter().filter(|part| matches!(part, TextPart::Hole(_)));
    holes
        .map(|hole| Expr { kind: ExprKind::Text(vec![hole.clone()]), ..template.clone() })
        .collect()
}

/// The locals that a form depends on, through `let`s too.
fn needed(option: &MoveOption, template: &Expr) -> BTreeSet<LocalId> {
    let mut needed = read_locals(template);
    for clause in option.clauses.iter().rev() {
        match clause {
            Clause::Let(local, value) if needed.contains(local) => {
                needed.append(&mut read_locals(value));
            }
            Clause::For(binder) | Clause::Maybe(binder) if needed.contains(&binder.local) => {
                needed.append(&mut read_locals(&binder.set));
            }
            _ => {}
        }
    }
    needed
}
