//! Ending a game: `finish`, the limit of decisions, what is measured, and what must always hold.

use super::Reference;
use super::knowledge::seats;
use super::values::{Datum, Frame, Stop, index};
use crate::check::rules::{Expr, ExprKind, LocalId, UnaryOp};

/// Decisions of a game that says nothing of a limit.
const USUAL_LIMIT: i64 = 1_000_000;

/// How a game ended.
#[derive(Debug)]
pub struct GameEnd {
    /// 1 for a win, -1 for a loss, 0 for a draw.
    pub returns: Vec<i64>,
    /// The first key of a ranking.
    pub scores: Option<Vec<i64>>,
}

impl<'g> Reference<'g> {
    /// `finish draw`
    pub(super) fn drawn(&self) -> Stop {
        Stop::End(GameEnd { returns: vec![0; self.players()], scores: None })
    }

    /// `finish win S`: one winner wins, several draw among themselves, all others lose.
    pub(super) fn won_by(&self, winners: &[i64], scores: Option<Vec<i64>>) -> Stop {
        if winners.is_empty() {
            return Stop::Trap("NobodyWins");
        }
        let share = i64::from(winners.len() == 1);
        let returns = seats(self.players()).into_iter();
        let returns = returns.map(|seat| if winners.contains(&seat) { share } else { -1 });
        Stop::End(GameEnd { returns: returns.collect(), scores })
    }

    /// `finish ranking p by E, E2`: each key decides among those who are equal by the keys before it.
    pub(super) fn ranked(
        &mut self,
        frame: &mut Frame<'g>,
        local: LocalId,
        keys: &[Expr],
    ) -> Result<Stop, Stop> {
        let mut ranked = Vec::new();
        for seat in seats(self.players()) {
            frame.put(local, Datum::Int(seat));
            ranked.push(self.key(frame, keys)?);
        }
        let best = ranked.iter().max().cloned();
        let seats = seats(self.players()).into_iter();
        let winners: Vec<i64> =
            seats.filter(|seat| Some(&ranked[index(*seat)]) == best.as_ref()).collect();
        let lowest = matches!(keys[0].kind, ExprKind::Unary(UnaryOp::Reverse, _));
        let scores = ranked.iter().map(|keys| if lowest { -keys[0] } else { keys[0] }).collect();
        Ok(self.won_by(&winners, Some(scores)))
    }

    /// `limit N decisions { … }`: after so many, the block runs in place of the next decision.
    pub(super) fn check_limit(&mut self) -> Result<(), Stop> {
        let decisions = i64::try_from(self.decisions).unwrap_or(i64::MAX);
        let Some(limit) = &self.rules.limit else {
            return if decisions < USUAL_LIMIT { Ok(()) } else { Err(self.drawn()) };
        };
        if decisions < self.constant(&limit.decisions)?.int() {
            return Ok(());
        }
        self.call(limit.body, Vec::new())?;
        Err(Stop::Trap("NoFinish"))
    }

    /// The values of all measures, unless one of them is an error.
    pub(super) fn measures(&mut self) -> Option<Vec<Vec<i64>>> {
        let values = self.rules.measures.iter().map(|measure| {
            let players = if measure.rule.params == 1 { self.players() } else { 1 };
            let values = seats(players).into_iter().map(|player| {
                let args = if measure.rule.params == 1 { vec![Datum::Int(player)] } else { vec![] };
                Some(self.run(&measure.rule, args).ok()?.int())
            });
            values.collect()
        });
        values.collect()
    }

    /// The positions of the `always` that do not hold.
    pub(super) fn broken_invariants(&mut self) -> Result<Vec<usize>, Stop> {
        let mut broken = Vec::new();
        for (at, always) in self.rules.always.iter().enumerate() {
            let found = match self.run(&always.rule, Vec::new()) {
                Err(Stop::Trap(_)) => None,
                found => Some(found?),
            };
            let kept = if always.binder.is_some() { Datum::None } else { Datum::yes(true) };
            if found != Some(kept) {
                broken.push(at);
            }
        }
        Ok(broken)
    }
}
