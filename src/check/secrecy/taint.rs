//! What a value may tell: the secrets that were read for it, who sees them, and how they came here.

use std::collections::BTreeMap;

use crate::check::rules::{Expr, LocalId, VarId};
use crate::source::Span;

/// How many places of a way are shown.
const LONGEST_PATH: usize = 6;

/// Who sees a secret, as far as it can be told where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sees {
    /// The player in a local that does not change.
    Local(LocalId),
    /// The player of a seat, counted from 0.
    Seat(i64),
    /// Somebody who cannot be told from here.
    Somebody,
    /// Nobody.
    Nobody,
}

impl Sees {
    /// Who it is where a rule with so many parameters is called; `who` tells of an argument.
    pub(super) fn given(
        self,
        params: usize,
        args: &[Expr],
        who: impl FnOnce(&Expr) -> Sees,
    ) -> Sees {
        match self {
            Sees::Local(local) if local.index() < params => {
                args.get(local.index()).map_or(Sees::Somebody, who)
            }
            Sees::Local(_) => Sees::Somebody,
            sees => sees,
        }
    }
}

/// A place on the way of a secret, and what happens there.
pub(super) type Path = Vec<(Span, String)>;

/// The secrets that a value may tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taint(BTreeMap<(VarId, Sees), Path>);

impl Taint {
    /// What reading a variable tells.
    pub(super) fn of(var: VarId, sees: Sees, path: Path) -> Taint {
        Taint(BTreeMap::from([((var, sees), path)]))
    }

    /// How many secrets it tells.
    pub(super) fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether it tells nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what another value tells; whether that is anything new. The first way that a secret
    /// was found on is kept.
    pub(super) fn join(&mut self, other: &Taint) -> bool {
        let known = self.0.len();
        for (source, path) in &other.0 {
            self.0.entry(*source).or_insert_with(|| path.clone());
        }
        self.0.len() > known
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(mut self, other: &Taint) -> Taint {
        self.join(other);
        self
    }

    /// The same secrets, with those who see them named anew.
    #[must_use]
    pub(super) fn renamed(&self, mut rename: impl FnMut(Sees) -> Sees) -> Taint {
        let mut renamed = Taint::default();
        for ((var, sees), path) in &self.0 {
            renamed.0.entry((*var, rename(*sees))).or_insert_with(|| path.clone());
        }
        renamed
    }

    /// The same secrets, one place further on their way.
    #[must_use]
    pub(super) fn through(mut self, span: Span, what: &str) -> Taint {
        for path in self.0.values_mut().filter(|path| path.len() < LONGEST_PATH) {
            path.push((span, what.to_owned()));
        }
        self
    }

    /// The secrets that a player does not see; of none, all of them.
    pub(super) fn unseen_by(&self, player: Option<Sees>) -> Option<(VarId, &Path)> {
        let seen =
            |sees: Sees| matches!(sees, Sees::Local(_) | Sees::Seat(_)) && Some(sees) == player;
        let unseen = self.0.iter().find(|((_, sees), _)| !seen(*sees));
        unseen.map(|((var, _), path)| (*var, path))
    }

    /// The first secret and its way.
    pub(super) fn first(&self) -> Option<(VarId, &Path)> {
        self.0.iter().next().map(|((var, _), path)| (*var, path))
    }
}
