//! Taints: the secrets that a value may depend on, who sees them, and the paths that they took.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::secrecy::trails::{MOST_MOVES, TrailPile, are_same};
use crate::rules::{Expr, LocalId, VarId};
use crate::source::Span;

/// How many places of a path are shown.
const LONGEST_PATH: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SecretSource {
    /// A variable, and whether it is known to belong to who sees it.
    Var(VarId, SeerRole),
    /// An argument of a move or a named draw, by its place.
    Input(Span),
    /// Such an input as the index of a variable or a pile that was read.
    Index(Span),
}

/// What the player of a [`Sees`] is known to be of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeerRole {
    Owner,
    Unknown,
}

/// Who sees a secret, as far as known where it is read.
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
    /// Somebody unknown here.
    Somebody,
    Nobody,
}

impl Sees {
    /// Renames a seer from a rule of `params` parameters to its caller; `who` resolves an argument.
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

    /// All but this player; `Somebody` if that is unknown.
    pub(super) fn others(self) -> Sees {
        match self {
            Sees::Local(local) => Sees::AllBut(local),
            Sees::Seat(seat) => Sees::AllButSeat(seat),
            Sees::AllBut(_) | Sees::AllButSeat(_) | Sees::Somebody | Sees::Nobody => Sees::Somebody,
        }
    }

    /// The player whom `AllBut` leaves out.
    pub(super) fn left_out(self) -> Option<Sees> {
        match self {
            Sees::AllBut(local) => Some(Sees::Local(local)),
            Sees::AllButSeat(seat) => Some(Sees::Seat(seat)),
            Sees::Local(_) | Sees::Seat(_) | Sees::Somebody | Sees::Nobody => None,
        }
    }
}

/// The places on the way of a secret, and what happens there.
pub(super) type SecretPath = Vec<(Span, String)>;

/// The secrets that a value may depend on.
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

    /// Unites two taints; returns whether it grew. The first path of a secret is kept.
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

    /// Renames the seers.
    pub(super) fn map_seers(&self, mut rename: impl FnMut(Sees) -> Sees) -> Taint {
        let mut renamed = Taint::default();
        for ((source, sees), path) in &self.0 {
            renamed.0.entry((*source, rename(*sees))).or_insert_with(|| path.clone());
        }
        renamed
    }

    /// Appends a step to all paths.
    pub(super) fn with_step(mut self, span: Span, what: &str) -> Taint {
        for path in self.0.values_mut().filter(|path| path.len() < LONGEST_PATH) {
            path.push((span, what.to_owned()));
        }
        self
    }

    /// The secrets whose seers are not `seen`.
    pub(super) fn without_seen(&self, seen: impl Fn(SecretSource, Sees) -> bool) -> Taint {
        let unseen = self.0.iter().filter(|((source, sees), _)| !seen(*source, *sees));
        Taint(unseen.map(|(source, path)| (*source, path.clone())).collect())
    }

    /// The secrets that are not in another taint.
    pub(super) fn without_taint(&self, other: &Taint) -> Taint {
        self.without_seen(|source, sees| other.0.contains_key(&(source, sees)))
    }

    pub(super) fn first_secret(&self) -> Option<(SecretSource, &SecretPath)> {
        self.0.iter().next().map(|((source, _), path)| (*source, path))
    }

    /// The inputs in a taint; true for those that are only an index.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (Span, bool)> {
        self.0.keys().filter_map(|(source, _)| match source {
            SecretSource::Input(input) => Some((*input, false)),
            SecretSource::Index(input) => Some((*input, true)),
            SecretSource::Var(..) => None,
        })
    }

    /// The taint of a value that is read at this index.
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

    /// Drops the inputs that everybody hears.
    pub(super) fn retain_secret_inputs(&mut self, secret: &BTreeSet<Span>) {
        self.0.retain(|(source, _), _| match source {
            SecretSource::Input(input) | SecretSource::Index(input) => secret.contains(input),
            SecretSource::Var(..) => true,
        });
    }
}

#[derive(Clone, Default)]
struct Held {
    taint: Taint,
    /// A question since it was set.
    asked: Option<Span>,
}

/// The state at a place of a rule, joined over all paths. It only grows, by [`FlowState::join_state`].
#[derive(Clone, Default)]
pub(super) struct FlowState {
    locals: BTreeMap<LocalId, Held>,
    /// The taint of not having returned before.
    pub(super) return_pc: Taint,
    /// The taint of not having left the loop by `break`.
    pub(super) break_pc: Taint,
    /// The taint of not having ended the round by `continue`.
    pub(super) continue_pc: Taint,
    /// Moves of cards under a secret since the last question.
    pub(super) moved: Vec<SecretMove>,
    /// Draws, and cards laid open, under a secret since somebody may have been asked.
    pub(super) events: Vec<SecretMove>,
    /// Moves under a secret that decide whether chance orders a pile, until it is shuffled.
    pub(super) unshuffled: Vec<SecretMove>,
    /// Piles that may hold other cards than when the game began.
    pub(super) changed: BTreeSet<VarId>,
    /// Somebody may have seen where a card lies.
    pub(super) taught: bool,
    /// No path leads here.
    pub(super) is_unreachable: bool,
}

/// A move of cards under a secret.
#[derive(Clone)]
pub(super) struct SecretMove {
    pub(super) at: Span,
    pub(super) from: Vec<TrailPile>,
    pub(super) to: TrailPile,
    /// The pc of the move.
    pub(super) taint: Taint,
    /// True if a loop went round since, and the piles were other ones.
    pub(super) is_old: bool,
}

/// A loop with a fixed order.
pub(super) struct OrderedLoop {
    pub(super) member: LocalId,
    /// The taint of which members it has.
    pub(super) members: Taint,
    /// The events before it began.
    pub(super) before: Vec<SecretMove>,
}

impl SecretMove {
    pub(super) fn new(at: Span, from: Vec<TrailPile>, to: TrailPile, taint: Taint) -> SecretMove {
        SecretMove { at, from, to, taint, is_old: false }
    }

    /// Adds a move of the same statement to the same pile. Returns whether that is new.
    fn join_move(&mut self, other: &SecretMove) -> bool {
        let known = self.from.len();
        for pile in &other.from {
            if !self.from.iter().any(|it| it.is_same(pile)) {
                self.from.push(pile.clone());
            }
        }
        self.taint.join_taint(&other.taint) || self.from.len() > known
    }
}

/// Remembers a move under a secret, beyond the limit as one from anywhere to anywhere. Returns whether that is new.
pub(super) fn remember_move(moves: &mut Vec<SecretMove>, new: &SecretMove) -> bool {
    let is_same = |it: &&mut SecretMove| it.at == new.at && it.to.is_same(&new.to);
    if let Some(known) = moves.iter_mut().find(is_same) {
        return known.join_move(new);
    }
    if let Some(rest) = moves.get_mut(MOST_MOVES) {
        return rest.taint.join_taint(&new.taint);
    }
    let mut new = new.clone();
    if moves.len() == MOST_MOVES {
        (new.from, new.to) = (vec![TrailPile::Unknown], TrailPile::Unknown);
    }
    moves.push(new);
    true
}

impl FlowState {
    pub(super) fn new_unreachable() -> FlowState {
        FlowState { is_unreachable: true, ..FlowState::default() }
    }

    /// Forgets which piles moves of an earlier round of a loop meant, where locals say so that are bound anew.
    pub(super) fn forget_round(&mut self, rebound: &BTreeSet<LocalId>) {
        for moves in [&mut self.moved, &mut self.events, &mut self.unshuffled] {
            for moved in std::mem::take(moves) {
                let forget = |pile: &TrailPile| pile.of_any_round(rebound);
                let from: Vec<_> = moved.from.iter().map(forget).collect();
                let to = forget(&moved.to);
                let is_same = to.is_same(&moved.to) && are_same(&from, &moved.from);
                let is_old = moved.is_old || !is_same;
                let _ = remember_move(moves, &SecretMove { from, to, is_old, ..moved });
            }
        }
    }

    pub(super) fn local_count(&self) -> usize {
        self.locals.len()
    }

    /// Sets the taint of a local, untouched by questions.
    pub(super) fn set_local(&mut self, local: LocalId, taint: Taint) {
        if taint.is_empty() {
            self.locals.remove(&local);
        } else {
            self.locals.insert(local, Held { taint, asked: None });
        }
    }

    pub(super) fn forget_local(&mut self, local: LocalId) {
        self.locals.remove(&local);
    }

    /// The taint of a local, and the question since it was set.
    pub(super) fn read_local(&self, local: LocalId) -> (Taint, Option<Span>) {
        self.locals.get(&local).map(|it| (it.taint.clone(), it.asked)).unwrap_or_default()
    }

    /// Marks all locals as kept across a question; one that is `surely` asked shows the sizes of piles.
    pub(super) fn note_question(&mut self, span: Span, surely: bool) {
        self.locals.values_mut().for_each(|held| held.asked = held.asked.or(Some(span)));
        self.events.clear();
        self.moved.retain(|it| !surely && !it.is_old);
    }

    /// Joins the state of another path; returns whether this one grew.
    pub(super) fn join_state(&mut self, other: &FlowState) -> bool {
        let return_pc = self.return_pc.join_taint(&other.return_pc);
        let break_pc = self.break_pc.join_taint(&other.break_pc);
        let continue_pc = self.continue_pc.join_taint(&other.continue_pc);
        let reached = self.is_unreachable && !other.is_unreachable;
        if reached {
            self.is_unreachable = false;
            self.locals.clear();
            self.moved.clear();
            self.events.clear();
            self.unshuffled.clear();
            self.changed.clear();
        }
        let taught =
            !other.is_unreachable && other.taught && !std::mem::replace(&mut self.taught, true);
        let mut grew = return_pc || break_pc || continue_pc || reached || taught;
        if !other.is_unreachable {
            let changed = self.changed.len();
            self.changed.extend(&other.changed);
            grew |= self.changed.len() > changed;
            other.moved.iter().for_each(|it| grew |= remember_move(&mut self.moved, it));
            other.events.iter().for_each(|it| grew |= remember_move(&mut self.events, it));
            let orders = &mut self.unshuffled;
            other.unshuffled.iter().for_each(|it| grew |= remember_move(orders, it));
        }
        for (local, held) in other.locals.iter().filter(|_| !other.is_unreachable) {
            let known = self.locals.entry(*local).or_default();
            grew |= known.taint.join_taint(&held.taint)
                || known.asked.is_none() && held.asked.is_some();
            known.asked = known.asked.or(held.asked);
        }
        grew
    }
}
