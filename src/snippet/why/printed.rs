//! Searches for the moves whose printed form was typed.

use std::collections::BTreeSet;

use crate::check::rules::{
    Binder, Clause, Domain, Expr, ExprKind, LocalId, MoveOption, PLAYER, TextPart, Type, Value,
};
use crate::compile::Storage;
use crate::snippet::fold_space;
use crate::snippet::moment::{Known, read_locals};
use crate::snippet::why::{Failed, Reason, Why};

/// How many values are put into words in search of the moves that were meant, while a person waits.
const MOST_TRIED: usize = 100_000;

/// All subsets of so many members are put into words in search of the one that was meant.
const FEW_MEMBERS: usize = 8;

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
        let failed = search.found.iter_mut().map(|known| self.failing(option, known, typed));
        // Of those that come equally far the first is reported.
        failed.reduce(|best, other| if other.0 > best.0 { other } else { best })
    }

    /// What to say when no move of an option is printed so.
    pub(super) fn not_printed(
        &self,
        option: &MoveOption,
        template: &Expr,
        typed: &[&str],
    ) -> Failed {
        let message = format!("no `{}` is printed as `{}`", option.name, typed.join(" "));
        let form = self.moment.text(template.span);
        (0, Reason::new(message, format!("its printed form is {form}")))
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
            Clause::Let(_, value) => vec![self.moment.compute(value, known)],
            Clause::Maybe(binder) => {
                std::iter::once(Value::None).chain(self.members_of(binder, known)).collect()
            }
            Clause::For(binder) => self.members_of(binder, known),
            Clause::When(_) => Vec::new(),
        }
    }

    /// All members of the kind that a binder iterates; of numbers those in its set; all subsets, if
    /// these are so few that they can be put into words.
    fn members_of(&self, binder: &Binder, known: &Known) -> Vec<Value> {
        if let ExprKind::Subsets(of) = &binder.set.kind {
            let Value::Set(members) = self.moment.compute(of, known) else { return Vec::new() };
            if !matches!(of.ty, Type::Set(_)) || members.len() > FEW_MEMBERS {
                return Vec::new();
            }
            let bits = |number: usize| (0..members.len()).filter(move |bit| number >> bit & 1 == 1);
            let part = |number| Value::Set(bits(number).map(|bit| members[bit]).collect());
            return (0..1 << members.len()).map(part).collect();
        }
        let game = self.moment.game;
        let members = match &binder.set.ty {
            Type::Set(Domain::Kind(PLAYER)) | Type::Kind(PLAYER) => {
                (0..game.names().len()).collect()
            }
            Type::Set(Domain::Kind(kind)) | Type::Kind(kind) => {
                game.rules().kinds[kind.index()].own()
            }
            _ => match self.moment.compute(&binder.set, known) {
                Value::Set(members) => return members.into_iter().map(Value::Int).collect(),
                Value::None | Value::Text(_) => return Vec::new(),
                member @ Value::Int(_) => return vec![member],
            },
        };
        let number = |at| i64::try_from(at).expect("a kind has few members");
        members.into_iter().map(|at| Value::Int(number(at))).collect()
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
        Some(small(&self.moment.show(expr, known)))
    }
}

fn small(text: &str) -> String {
    fold_space(text).to_lowercase()
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
