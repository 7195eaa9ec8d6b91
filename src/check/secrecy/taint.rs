//! Taint analysis: the secrets that a value may tell, who sees them, and how they came here.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::trails::TrailPile;
use crate::rules::{Expr, LocalId, VarId};
use crate::source::Span;

/// How many places of a path are shown.
const LONGEST_PATH: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SecretSource {
    Var(VarId),
    /// An argument of a move or a draw that has a name: where it comes from.
    Input(Span),
    /// The same, as the index of a variable or a pile that was read.
    Index(Span),
}

/// Who sees a secret, as far as it can be told where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sees {
    /// The player in a local that does not change.
    Local(LocalId),
    /// The player of a seat, counted from 0.
    Seat(i64),
    /// All but the player in a local that does not change.
    AllBut(LocalId),
    /// All but the player of a seat.
    AllButSeat(i64),
    /// Somebody who cannot be told from here.
    Somebody,
    Nobody,
}

impl Sees {
    /// Who it is where a rule with so many parameters is called; `who` is the player of an argument.
    pub(super) fn at_call(
        self,
        params: usize,
        args: &[Expr],
        who: impl FnOnce(&Expr) -> Sees,
    ) -> Sees {
        match self {
            Sees::Local(local) if local.index() < params => {
                args.get(local.index()).map_or(Sees::Somebody, who)
            }
            Sees::AllBut(local) if local.index() < params => {
                args.get(local.index()).map_or(Sees::Somebody, |arg| who(arg).others())
            }
            Sees::Local(_) | Sees::AllBut(_) => Sees::Somebody,
            sees => sees,
        }
    }

    /// All but this player, if it can be told who that is.
    pub(super) fn others(self) -> Sees {
        match self {
            Sees::Local(local) => Sees::AllBut(local),
            Sees::Seat(seat) => Sees::AllButSeat(seat),
            Sees::AllBut(_) | Sees::AllButSeat(_) | Sees::Somebody | Sees::Nobody => Sees::Somebody,
        }
    }

    /// The player whom all the others are, if it is one in a local or of a seat.
    pub(super) fn left_out(self) -> Option<Sees> {
        match self {
            Sees::AllBut(local) => Some(Sees::Local(local)),
            Sees::AllButSeat(seat) => Some(Sees::Seat(seat)),
            Sees::Local(_) | Sees::Seat(_) | Sees::Somebody | Sees::Nobody => None,
        }
    }
}

/// The places that a secret came through, and what happens there.
pub(super) type SecretPath = Vec<(Span, String)>;

/// The secrets that a value may tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub(super) struct Taint(BTreeMap<(SecretSource, Sees), SecretPath>);

impl Taint {
    pub(super) fn from_source(source: SecretSource, sees: Sees, path: SecretPath) -> Taint {
        Taint(BTreeMap::from([((source, sees), path)]))
    }

    pub(super) fn source_count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what another value tells; whether that is anything new. The first path on which a
    /// secret was found is kept.
    pub(super) fn join_taint(&mut self, other: &Taint) -> bool {
        let known = self.0.len();
        for (source, path) in &other.0 {
            self.0.entry(*source).or_insert_with(|| path.clone());
        }
        self.0.len() > known
    }

    pub(super) fn with_taint(mut self, other: &Taint) -> Taint {
        self.join_taint(other);
        self
    }

    /// The same secrets, with those who see them named anew.
    pub(super) fn renamed(&self, mut rename: impl FnMut(Sees) -> Sees) -> Taint {
        let mut renamed = Taint::default();
        for ((source, sees), path) in &self.0 {
            renamed.0.entry((*source, rename(*sees))).or_insert_with(|| path.clone());
        }
        renamed
    }

    /// The same secrets, one place further on their paths.
    pub(super) fn through(mut self, span: Span, what: &str) -> Taint {
        for path in self.0.values_mut().filter(|path| path.len() < LONGEST_PATH) {
            path.push((span, what.to_owned()));
        }
        self
    }

    /// The secrets but those of which this says that they are seen.
    pub(super) fn without_seen(&self, seen: impl Fn(SecretSource, Sees) -> bool) -> Taint {
        let unseen = self.0.iter().filter(|((source, sees), _)| !seen(*source, *sees));
        Taint(unseen.map(|(source, path)| (*source, path.clone())).collect())
    }

    pub(super) fn first_secret(&self) -> Option<(SecretSource, &SecretPath)> {
        self.0.iter().next().map(|((source, _), path)| (*source, path))
    }

    /// The arguments and draws among the secrets, and whether each is only an index.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (Span, bool)> {
        self.0.keys().filter_map(|(source, _)| match source {
            SecretSource::Input(input) => Some((*input, false)),
            SecretSource::Index(input) => Some((*input, true)),
            SecretSource::Var(_) => None,
        })
    }

    /// What an index tells of a value that is read with it.
    pub(super) fn into_index(self) -> Taint {
        let all = self.0.into_iter().map(|((source, sees), path)| match source {
            SecretSource::Input(input) => ((SecretSource::Index(input), sees), path),
            source => ((source, sees), path),
        });
        Taint(all.collect())
    }

    pub(super) fn only_indices(mut self) -> Taint {
        self.0.retain(|(source, _), _| matches!(source, SecretSource::Index(_)));
        self
    }

    /// Forgets arguments and draws that everybody hears.
    pub(super) fn keep_inputs(&mut self, secret: &BTreeSet<Span>) {
        self.0.retain(|(source, _), _| match source {
            SecretSource::Input(input) | SecretSource::Index(input) => secret.contains(input),
            SecretSource::Var(_) => true,
        });
    }
}

#[derive(Clone, Default)]
struct Held {
    tells: Taint,
    /// A question that came since it was read.
    asked: Option<Span>,
}

/// What is known at one place of a rule, however the game came there. It only grows by
/// [`FlowState::join_state`].
#[derive(Clone, Default)]
pub(super) struct FlowState {
    locals: BTreeMap<LocalId, Held>,
    /// What it tells that the rule was not left before.
    pub(super) left: Taint,
    /// What it tells that the loop around was not left before.
    pub(super) broken: Taint,
    /// What it tells that `continue` did not end the round before.
    pub(super) skipped: Taint,
    /// Where cards went under a secret since somebody was asked.
    pub(super) moved: Vec<SecretMove>,
    /// Whether somebody may have seen where a card lies.
    pub(super) taught: bool,
    /// Whether the game never comes here.
    pub(super) over: bool,
}

/// A move of cards that a secret decided.
#[derive(Clone)]
pub(super) struct SecretMove {
    pub(super) at: Span,
    pub(super) from: Vec<TrailPile>,
    pub(super) to: TrailPile,
    /// What it tells that this happened.
    pub(super) tells: Taint,
}

impl SecretMove {
    /// Whether it is the same move, of a call perhaps one of several.
    pub(super) fn is_same(&self, other: &SecretMove) -> bool {
        self.at == other.at && self.to.is_same(&other.to)
    }
}

impl FlowState {
    /// A place that no path leads to yet.
    pub(super) fn new_unreachable() -> FlowState {
        FlowState { over: true, ..FlowState::default() }
    }

    pub(super) fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// A local has a new value that tells this.
    pub(super) fn hold(&mut self, local: LocalId, tells: Taint) {
        if tells.is_empty() {
            self.locals.remove(&local);
        } else {
            self.locals.insert(local, Held { tells, asked: None });
        }
    }

    /// A local has no value any more.
    pub(super) fn forget_local(&mut self, local: LocalId) {
        self.locals.remove(&local);
    }

    /// What a local tells, and the question that came since.
    pub(super) fn read_local(&self, local: LocalId) -> (Taint, Option<Span>) {
        self.locals.get(&local).map(|it| (it.tells.clone(), it.asked)).unwrap_or_default()
    }

    /// Somebody is asked, or may be.
    pub(super) fn asks(&mut self, span: Span, surely: bool) {
        self.locals.values_mut().for_each(|held| held.asked = held.asked.or(Some(span)));
        if surely {
            // Everybody has seen how many cards lie where.
            self.moved.clear();
        }
    }

    /// Another path leads to this place too; whether that brings anything new.
    pub(super) fn join_state(&mut self, other: &FlowState) -> bool {
        let left = self.left.join_taint(&other.left);
        let broken = self.broken.join_taint(&other.broken);
        let skipped = self.skipped.join_taint(&other.skipped);
        let reached = self.over && !other.over;
        if reached {
            self.over = false;
            self.locals.clear();
            self.moved.clear();
        }
        let taught = !other.over && other.taught && !std::mem::replace(&mut self.taught, true);
        let mut grew = left || broken || skipped || reached || taught;
        for moved in other.moved.iter().filter(|_| !other.over) {
            if !self.moved.iter().any(|known| known.is_same(moved)) {
                self.moved.push(moved.clone());
                grew = true;
            }
        }
        for (local, held) in other.locals.iter().filter(|_| !other.over) {
            let known = self.locals.entry(*local).or_default();
            grew |= known.tells.join_taint(&held.tells)
                || known.asked.is_none() && held.asked.is_some();
            known.asked = known.asked.or(held.asked);
        }
        grew
    }
}
