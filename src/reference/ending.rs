//! Ending a game: `finish`, the limit of decisions, what is measured, and what must always hold.

use crate::reference::Reference;
use crate::reference::knowledge::all_seats;
use crate::reference::values::{Datum, Halt, Run};
use crate::rules::{Block, Expr, ExprKind, LocalId, UnaryOp};
use std::collections::BTreeSet;

/// Decisions of a game that says nothing of a limit.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// How a game ended.
#[derive(Debug)]
pub(crate) struct GameEnd {
    /// 1 for a win, -1 for a loss, 0 for a draw.
    pub(crate) returns: Vec<i64>,
    /// The first key of a ranking.
    pub(crate) scores: Option<Vec<i64>>,
    /// The place of each player: those who are better come before.
    pub(crate) places: Vec<usize>,
    /// The first partner of each player; who plays alone is the only one.
    pub(crate) teams: Vec<usize>,
}

/// One winner or one team wins, several draw among themselves, all others lose.
fn returns_from_wins(wins: &[bool], teams: &[usize]) -> Vec<i64> {
    let winning = teams.iter().zip(wins).filter(|(_, wins)| **wins).map(|(team, _)| team);
    let alone = i64::from(winning.collect::<BTreeSet<_>>().len() == 1);
    wins.iter().map(|wins| if *wins { alone } else { -1 }).collect()
}

/// Everybody gets the best that somebody of the team has.
fn shared_in_teams<T: Ord + Clone>(own: &[T], teams: &[usize]) -> Vec<T> {
    let best = |team: &usize| {
        own.iter().zip(teams).filter(|(_, of)| *of == team).map(|(own, _)| own.clone()).max()
    };
    teams.iter().filter_map(best).collect()
}

/// "Equal keys share a place."
fn rank_keys<T: Ord>(keys: &[T]) -> Vec<usize> {
    keys.iter().map(|own| 1 + keys.iter().filter(|other| *other > own).count()).collect()
}

impl Reference<'_> {
    /// `finish draw`
    pub(super) fn end_in_draw(&self) -> Halt {
        self.end_for_all(0, None, self.own_teams())
    }

    /// Everybody has the same.
    fn end_for_all(&self, returned: i64, score: Option<i64>, teams: Vec<usize>) -> Halt {
        let count = self.table.player_count();
        let scores = score.map(|score| vec![score; count]);
        Halt::End(GameEnd { returns: vec![returned; count], scores, places: vec![1; count], teams })
    }

    /// `finish lose`, `finish together win`
    pub(super) fn end_together(&self, returned: i64, score: Option<i64>) -> Halt {
        self.end_for_all(returned, score, vec![0; self.table.player_count()])
    }

    fn own_teams(&self) -> Vec<usize> {
        (0..self.table.player_count()).collect()
    }

    /// `teams p by TEAM`: "players with the same team play together; who has none plays alone".
    pub(super) fn end_in_teams(&mut self, local: LocalId, team: &Expr, end: &Block) -> Run<Halt> {
        let mut teams = Vec::new();
        for seat in all_seats(self.table.player_count()) {
            self.frame.set_local(local, Datum::Int(seat));
            teams.push(self.eval(team)?);
        }
        let is_with =
            |a: usize, b: usize| a == b || (teams[a] != Datum::None && teams[a] == teams[b]);
        let first = |seat| (0..seat).find(|other| is_with(*other, seat)).unwrap_or(seat);
        self.partners = Some((0..teams.len()).map(first).collect());
        match self.run_block(end) {
            Err(halt) => Ok(halt),
            Ok(_) => Ok(Halt::Trap("NoFinish")),
        }
    }

    /// `finish win S`: one winner wins, several draw among themselves, all others lose.
    pub(super) fn won_by(&mut self, winners: &[i64]) -> Halt {
        if winners.is_empty() {
            return Halt::Trap("NobodyWins");
        }
        let wins =
            all_seats(self.table.player_count()).into_iter().map(|seat| winners.contains(&seat));
        let teams = self.partners.take().unwrap_or_else(|| self.own_teams());
        let wins = shared_in_teams(&wins.collect::<Vec<bool>>(), &teams);
        let (returns, places) = (returns_from_wins(&wins, &teams), rank_keys(&wins));
        Halt::End(GameEnd { returns, scores: None, places, teams })
    }

    /// `finish ranking p by E, E2`: each key decides among those who are equal by the keys before it.
    pub(super) fn ranked(&mut self, local: LocalId, keys: &[Expr]) -> Run<Halt> {
        let mut ranked = Vec::new();
        for seat in all_seats(self.table.player_count()) {
            self.frame.set_local(local, Datum::Int(seat));
            ranked.push(self.eval_key(keys)?);
        }
        let teams = self.partners.take().unwrap_or_else(|| self.own_teams());
        let ranked = shared_in_teams(&ranked, &teams);
        let places = rank_keys(&ranked);
        let wins: Vec<bool> = places.iter().map(|place| *place == 1).collect();
        let lowest = matches!(keys[0].kind, ExprKind::Unary(UnaryOp::Reverse, _));
        let scores = ranked.iter().map(|keys| if lowest { -keys[0] } else { keys[0] }).collect();
        let returns = returns_from_wins(&wins, &teams);
        Ok(Halt::End(GameEnd { returns, scores: Some(scores), places, teams }))
    }

    /// `limit N decisions { … }`: after so many, the block runs in place of the next decision.
    pub(super) fn check_limit(&mut self) -> Run {
        match self.rules.limit {
            None if self.decisions >= DEFAULT_LIMIT => Err(self.end_in_draw()),
            None => Ok(()),
            Some(_) => self.end_after(self.decisions),
        }
    }

    /// "A player for whom nothing is legal makes no decision. But these times count for a `limit` too, as long as no
    /// decision follows."
    pub(super) fn pass(&mut self) -> Run {
        self.end_after(self.decisions + self.passes)?;
        self.passes += 1;
        Ok(())
    }

    /// Runs the block of the limit if its number is reached.
    fn end_after(&mut self, count: u64) -> Run {
        let Some(limit) = &self.rules.limit else { return Ok(()) };
        let most = self.eval_constant(&limit.decisions)?.to_int();
        if i64::try_from(count).is_ok_and(|count| count < most) {
            return Ok(());
        }
        self.call_rule(limit.body, Vec::new())?;
        Err(Halt::Trap("NoFinish"))
    }

    /// The values of all measures; nothing if one of them is an error.
    pub(super) fn measures(&mut self) -> Run<Option<Vec<Vec<i64>>>> {
        let mut all = Vec::new();
        for measure in &self.rules.measures {
            let players = if measure.rule.params == 1 { self.table.player_count() } else { 1 };
            let mut values = Vec::new();
            for player in all_seats(players) {
                let args = if measure.rule.params == 1 { vec![Datum::Int(player)] } else { vec![] };
                match self.run_rule(&measure.rule, args) {
                    Err(Halt::Trap(_)) => return Ok(None),
                    value => values.push(value?.to_int()),
                }
            }
            all.push(values);
        }
        Ok(Some(all))
    }

    /// The positions of the `always` that do not hold.
    pub(super) fn broken_invariants(&mut self) -> Run<Vec<usize>> {
        let mut broken = Vec::new();
        for (at, always) in self.rules.always.iter().enumerate() {
            let found = match self.run_rule(&always.rule, Vec::new()) {
                Err(Halt::Trap(_)) => None,
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
