//! What is known at one place of a rule, however the game came there.

use std::collections::BTreeMap;

use crate::check::rules::LocalId;
use crate::check::secrecy::taint::Taint;
use crate::source::Span;

/// A local that holds a secret.
#[derive(Clone, Default)]
struct Held {
    tells: Taint,
    /// A question that came since it was read.
    asked: Option<Span>,
}

/// What is known at one place. It only grows by [`Moment::join`].
#[derive(Clone, Default)]
pub(super) struct Moment {
    locals: BTreeMap<LocalId, Held>,
    /// What it tells that the rule was not left before.
    pub(super) left: Taint,
    /// What it tells that the loop around was not left before.
    pub(super) broken: Taint,
    /// Whether the game never comes here.
    pub(super) over: bool,
}

impl Moment {
    /// A place that no way leads to yet.
    pub(super) fn never() -> Moment {
        Moment { over: true, ..Moment::default() }
    }

    /// How much is known.
    pub(super) fn size(&self) -> usize {
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

    /// A local has no value any more; what it told.
    pub(super) fn forget(&mut self, local: LocalId) -> Taint {
        self.locals.remove(&local).unwrap_or_default().tells
    }

    /// What a local tells, and the question that came since.
    pub(super) fn read(&self, local: LocalId) -> (Taint, Option<Span>) {
        self.locals.get(&local).map(|it| (it.tells.clone(), it.asked)).unwrap_or_default()
    }

    /// Somebody is asked here.
    pub(super) fn asks(&mut self, span: Span) {
        self.locals.values_mut().for_each(|held| held.asked = held.asked.or(Some(span)));
    }

    /// Another way leads to this place too; whether that brings anything new.
    pub(super) fn join(&mut self, other: &Moment) -> bool {
        let left = self.left.join(&other.left);
        let broken = self.broken.join(&other.broken);
        let reached = self.over && !other.over;
        if reached {
            self.over = false;
            self.locals.clear();
        }
        let mut grew = left || broken || reached;
        for (local, held) in other.locals.iter().filter(|_| !other.over) {
            let known = self.locals.entry(*local).or_default();
            grew |= known.tells.join(&held.tells) || known.asked.is_none() && held.asked.is_some();
            known.asked = known.asked.or(held.asked);
        }
        grew
    }
}
