//! How games end for all who play them, and how often.

use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::simulate::tally::Tally;

/// How a game ended, seen from all seats.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndKind {
    /// One player or one team won, or all together without a score.
    #[default]
    Won,
    /// Some won who are no team, and others lost.
    Shared,
    /// All do equally well.
    Draw,
    /// Everybody lost.
    Lost,
    /// One who plays alone, or all together, came to a score.
    Scored,
    /// The limit of decisions made it a draw, without a ranking.
    Stopped,
}

impl EndKind {
    pub(crate) const ALL: [EndKind; 6] = [
        EndKind::Won,
        EndKind::Shared,
        EndKind::Draw,
        EndKind::Lost,
        EndKind::Scored,
        EndKind::Stopped,
    ];

    /// What reports call games that ended so.
    pub(crate) fn key(self) -> &'static str {
        match self {
            EndKind::Won => "won",
            EndKind::Shared => "shared_wins",
            EndKind::Draw => "draws",
            EndKind::Lost => "lost",
            EndKind::Scored => "scored",
            EndKind::Stopped => "draws_by_limit",
        }
    }

    /// The block of the limit may decide a game as well as any other statement: only its draws are stopped games.
    pub(super) fn of(outcome: &Outcome, limited: bool) -> EndKind {
        let returns = &outcome.returns;
        let is_same = |wanted: i64| returns.iter().all(|value| *value == wanted);
        let has_one_side = outcome.teams.iter().all(|team| *team == 0);
        if has_one_side && outcome.scores.is_some() {
            EndKind::Scored
        } else if returns.contains(&1) {
            EndKind::Won
        } else if is_same(-1) {
            EndKind::Lost
        } else if !is_same(0) {
            EndKind::Shared
        } else if limited && outcome.scores.is_none() {
            EndKind::Stopped
        } else {
            EndKind::Draw
        }
    }
}

/// Games that nobody won alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedEnds {
    /// Games that are the same for all.
    pub(crate) draws: u64,
    /// Games that some won together and others lost.
    pub(crate) wins: u64,
    /// Games that the limit of decisions made a draw.
    pub(crate) stopped: u64,
    /// Games that everybody lost.
    #[serde(default)]
    pub(crate) lost: u64,
    /// Games of all together that ended with a score.
    #[serde(default)]
    pub(crate) scored: u64,
}

impl SharedEnds {
    pub(crate) fn total(self) -> u64 {
        self.draws + self.wins + self.stopped + self.lost + self.scored
    }

    /// Counts a game without a winner.
    pub(super) fn add_end(&mut self, end: EndKind) {
        *match end {
            EndKind::Won => return,
            EndKind::Shared => &mut self.wins,
            EndKind::Draw => &mut self.draws,
            EndKind::Lost => &mut self.lost,
            EndKind::Scored => &mut self.scored,
            EndKind::Stopped => &mut self.stopped,
        } += 1;
    }

    pub(super) fn merge(&mut self, other: SharedEnds) {
        self.draws += other.draws;
        self.wins += other.wins;
        self.stopped += other.stopped;
        self.lost += other.lost;
        self.scored += other.scored;
    }
}

/// What tells how well those do who play alone, or all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Success {
    /// How often they win.
    Wins,
    /// How often they are not beaten, where they come to a score then.
    NotBeaten,
    /// Their score, to which they always come.
    Score,
}

impl Success {
    /// What tells it where some of these ends come about.
    pub(crate) fn among(came_about: impl Fn(EndKind) -> bool) -> Success {
        match (came_about(EndKind::Scored), came_about(EndKind::Lost)) {
            (true, true) => Success::NotBeaten,
            (true, false) if !came_about(EndKind::Won) => Success::Score,
            _ => Success::Wins,
        }
    }
}

impl Tally {
    /// Whether one plays alone, or all together.
    pub(crate) fn is_of_one_side(&self) -> bool {
        self.wins.len() == 1 || self.teams.is_one()
    }

    /// How many games ended so.
    pub(crate) fn ended(&self, end: EndKind) -> u64 {
        match end {
            // Somebody alone is counted as a winner with a score.
            EndKind::Scored if self.is_of_one_side() => self.scores[0].count(),
            EndKind::Scored => self.shared.scored,
            EndKind::Won => {
                let others = EndKind::ALL.into_iter().filter(|it| *it != EndKind::Won);
                self.playouts.saturating_sub(others.map(|it| self.ended(it)).sum())
            }
            EndKind::Shared => self.shared.wins,
            EndKind::Draw => self.shared.draws,
            EndKind::Lost => self.shared.lost,
            EndKind::Stopped => self.shared.stopped,
        }
    }

    /// What tells how well players do.
    pub(crate) fn success(&self) -> Success {
        if !self.is_of_one_side() {
            return Success::Wins;
        }
        Success::among(|end| self.ended(end) > 0)
    }
}
