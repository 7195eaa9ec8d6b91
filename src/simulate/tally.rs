//! Counts of what happened in many playouts, in whole numbers that add up in any order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::Outcome;

use crate::simulate::ends::{EndKind, SharedEnds, Success};
use crate::simulate::line_errors::LineErrors;
use crate::simulate::statistics::{Millionths, Moments, Share};

/// More are not counted in a lifetime; so many of them can be added up.
const MOST: u64 = 1 << 53;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    pub(crate) counts: BTreeMap<i64, u64>,
}

impl Histogram {
    pub fn add_number(&mut self, number: i64) {
        self.add_times(number, 1);
    }

    pub(crate) fn add_times(&mut self, number: i64, times: u64) {
        if times > 0 {
            *self.counts.entry(number).or_default() += times;
        }
    }

    pub(crate) fn merge(&mut self, other: &Histogram) {
        for (number, count) in &other.counts {
            *self.counts.entry(*number).or_default() += count;
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    pub(crate) fn moments(&self) -> Moments {
        let mut moments = Moments::default();
        self.counts.iter().for_each(|(number, count)| moments.add_times(*number, *count));
        moments
    }

    /// The smallest number that at least `percent` of all do not exceed; 0 if none came.
    pub fn percentile(&self, percent: u64) -> i64 {
        let wanted = (self.count().saturating_mul(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        let found = self.counts.iter().find(|(_, count)| {
            seen += *count;
            seen >= wanted
        });
        found.map_or(0, |(number, _)| *number)
    }

    /// The smallest number; 0 if none came.
    pub(crate) fn least(&self) -> i64 {
        self.counts.keys().next().copied().unwrap_or(0)
    }

    /// The largest number; 0 if none came.
    pub(crate) fn most(&self) -> i64 {
        self.counts.keys().next_back().copied().unwrap_or(0)
    }

    pub(crate) fn mean(&self) -> Millionths {
        self.moments().mean()
    }
}

/// How often a move, or a move with some argument, could be made and was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MoveUse {
    /// At how many decisions it was legal.
    pub(crate) offered: u64,
    pub(crate) taken: u64,
    /// By seat, and by how many moves there were to choose from: games in which that seat was the first that could
    /// take it or something else, and took it then.
    pub(crate) takers: Vec<SeatWins>,
    /// By seat and number of moves: games in which that seat took something else then.
    pub(crate) others: Vec<SeatWins>,
    /// The scores of these takers and others, where one plays alone or all together; empty where they have none.
    #[serde(default)]
    pub(crate) scores: [Vec<Moments>; 2],
    /// How many games ended as soon as it was taken then.
    pub(crate) ended: u64,
    /// The same where something else was taken then.
    #[serde(default)]
    pub(crate) others_ended: u64,
}

/// Games, each counted once for each seat, and how many of them that seat won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeatWins {
    pub(crate) games: u64,
    pub(crate) wins: u64,
}

impl SeatWins {
    pub(crate) fn add_game(&mut self, won: bool) {
        self.games += 1;
        self.wins += u64::from(won);
    }

    pub(crate) fn merge(&mut self, other: &SeatWins) {
        self.games += other.games;
        self.wins += other.wins;
    }

    pub(crate) fn share(self) -> Share {
        Share::of(self.wins, self.games)
    }

    pub(crate) fn sum(parts: &[SeatWins]) -> SeatWins {
        let mut sum = SeatWins::default();
        parts.iter().for_each(|part| sum.merge(part));
        sum
    }
}

impl MoveUse {
    pub(crate) fn merge(&mut self, other: &MoveUse) {
        self.offered += other.offered;
        self.taken += other.taken;
        merge_each(&mut self.takers, &other.takers, SeatWins::merge);
        merge_each(&mut self.others, &other.others, SeatWins::merge);
        for (own, other) in self.scores.iter_mut().zip(&other.scores) {
            merge_each(own, other, Moments::merge);
        }
        self.ended += other.ended;
        self.others_ended += other.others_ended;
    }

    /// Takers and others by seat and number of moves, and how many of them succeeded. Who comes to a score is not
    /// beaten, but has not won.
    pub(crate) fn successes(&self, success: Success) -> [Vec<SeatWins>; 2] {
        let mut parts = [self.takers.clone(), self.others.clone()];
        if success != Success::NotBeaten {
            for (parts, scores) in parts.iter_mut().zip(&self.scores) {
                let scored = parts.iter_mut().zip(scores);
                scored
                    .for_each(|(part, scores)| part.wins = part.wins.saturating_sub(scores.count));
            }
        }
        parts
    }
}

/// Who played together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TeamTally {
    /// For each seat the first of its team; empty where nobody has a partner.
    pub(crate) teams: Vec<usize>,
    /// Whether they were others in other games.
    pub(crate) differ: bool,
    /// How many winners there were beside one for each game that was won.
    pub(crate) partners: u64,
}

impl TeamTally {
    fn merge(&mut self, other: &TeamTally) {
        self.partners += other.partners;
        self.differ |= other.differ;
        self.add_teams(&other.teams);
    }

    fn add_teams(&mut self, teams: &[usize]) {
        if self.teams.is_empty() {
            self.teams = teams.to_vec();
        }
        self.differ |= !teams.is_empty() && self.teams != teams;
    }

    /// True if all seats form one team.
    pub(crate) fn is_one(&self) -> bool {
        !self.differ && !self.teams.is_empty() && self.teams.iter().all(|team| *team == 0)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub(crate) playouts: u64,
    /// How many of them came to an end before the limit of decisions.
    pub(crate) finished: u64,
    /// How many of them were ended by the limit.
    pub(crate) limit_reached: u64,
    /// For each seat, how many games it won alone.
    pub(crate) wins: Vec<u64>,
    /// What became of those who came first in the order of turns, or second, and so on.
    pub(crate) places: Vec<SeatWins>,
    /// By place in the order of turns: wins of the games that somebody won, alone or with some of the others.
    #[serde(default)]
    pub(crate) won_in_order: Vec<SeatWins>,
    /// By seat: games that it began and somebody won, alone or with some of the others, and how many of them it won.
    pub(crate) begun: Vec<SeatWins>,
    /// In how many games this order was not that of the seats.
    pub(crate) reordered: u64,
    /// How many games nobody won alone, by why.
    pub(crate) shared: SharedEnds,
    /// For each seat, how many wins it shared with some of the others.
    #[serde(default)]
    pub(crate) shares: Vec<u64>,
    #[serde(default)]
    pub(crate) teams: TeamTally,
    /// For each seat its scores, in games that were ranked.
    pub(crate) scores: Vec<Histogram>,
    /// Whether the lowest score is best.
    #[serde(default)]
    pub(crate) lowest: bool,
    pub(crate) decisions: Histogram,
    /// How many draws of chance games had.
    pub(crate) draws: Histogram,
    /// In how many games moves were counted, and the decisions there.
    pub(crate) sampled: u64,
    pub(crate) decisions_sampled: u64,
    /// How many moves there were to choose from, summed over these decisions.
    pub(crate) moves_offered: u64,
    pub(crate) most_moves: u64,
    /// What the file measures, by name; of each player, one after the other.
    pub(crate) measures: BTreeMap<String, Vec<Histogram>>,
    pub(crate) moves: BTreeMap<String, MoveUse>,
    /// For each move, and each of its arguments in their order, what each member of a kind that
    /// stood there brought.
    pub(crate) choices: BTreeMap<String, Vec<BTreeMap<String, MoveUse>>>,
    /// For what must always hold, in how many games it did not, and the first of them.
    pub(crate) unkept: BTreeMap<usize, (u64, u64)>,
    /// For lines of strategies, by where they begin, the errors that they met.
    #[serde(default)]
    pub(crate) line_errors: LineErrors,
    /// For each place of the rules, whether any playout passed it.
    pub(crate) passed: Vec<bool>,
    /// For each place where `gains` may be cut off at the top of a range, how often it was.
    pub(crate) cut_off: Vec<u64>,
}

impl Tally {
    /// Nothing, for so many seats.
    pub(crate) fn new(players: usize) -> Tally {
        Tally {
            wins: vec![0; players],
            shares: vec![0; players],
            places: vec![SeatWins::default(); players],
            won_in_order: vec![SeatWins::default(); players],
            begun: vec![SeatWins::default(); players],
            scores: vec![Histogram::default(); players],
            ..Tally::default()
        }
    }

    pub(crate) fn merge(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.finished += other.finished;
        self.limit_reached += other.limit_reached;
        merge_each(&mut self.wins, &other.wins, |sum, wins| *sum += wins);
        merge_each(&mut self.places, &other.places, SeatWins::merge);
        merge_each(&mut self.won_in_order, &other.won_in_order, SeatWins::merge);
        merge_each(&mut self.begun, &other.begun, SeatWins::merge);
        self.reordered += other.reordered;
        self.shared.merge(other.shared);
        merge_each(&mut self.shares, &other.shares, |sum, shares| *sum += shares);
        self.teams.merge(&other.teams);
        merge_each(&mut self.scores, &other.scores, Histogram::merge);
        self.lowest |= other.lowest;
        self.decisions.merge(&other.decisions);
        self.draws.merge(&other.draws);
        self.sampled += other.sampled;
        self.decisions_sampled += other.decisions_sampled;
        self.moves_offered += other.moves_offered;
        self.most_moves = self.most_moves.max(other.most_moves);
        for (name, histograms) in &other.measures {
            let own = self.measures.entry(name.clone()).or_default();
            merge_each(own, histograms, Histogram::merge);
        }
        for (name, used) in &other.moves {
            self.moves.entry(name.clone()).or_default().merge(used);
        }
        for (name, arguments) in &other.choices {
            let own = self.choices.entry(name.clone()).or_default();
            merge_each(own, arguments, |own, members| {
                for (member, used) in members {
                    own.entry(member.clone()).or_default().merge(used);
                }
            });
        }
        for (number, (games, first)) in &other.unkept {
            let own = self.unkept.entry(*number).or_insert((0, *first));
            *own = (own.0 + games, own.1.min(*first));
        }
        self.line_errors.merge(&other.line_errors);
        merge_each(&mut self.cut_off, &other.cut_off, |sum, times| *sum += times);
        merge_each(&mut self.passed, &other.passed, |one, other| *one |= other);
    }

    /// The first part that does not add up, as in a file that somebody changed.
    pub(crate) fn untrue(&self) -> Option<&'static str> {
        let all = self.playouts;
        let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(u128::from).sum::<u128>();
        let few = |histogram: &Histogram| sum(&mut histogram.counts.values().copied());
        let is_whole = |histogram: &Histogram| few(histogram) == all.into();
        let is_part = |histogram: &Histogram| few(histogram) <= all.into();
        let is_share = |part: &SeatWins| part.wins <= part.games && part.games <= all;
        let is_use = |used: &MoveUse| {
            let shares = used.takers.iter().chain(&used.others).all(is_share);
            let ended = used.ended.max(used.others_ended);
            shares && used.taken <= used.offered && ended <= all && used.offered < MOST
        };
        let ends = self.wins.iter().copied().chain([self.shared.total()]);
        let winners = u128::from(all) + u128::from(self.teams.partners);
        let uses = self.choices.values().flatten().flat_map(BTreeMap::values);
        let sums = [self.decisions_sampled, self.moves_offered, self.most_moves];
        let parts = [
            ("playouts", all < MOST),
            ("finished", sum(&mut [self.finished, self.limit_reached].into_iter()) == all.into()),
            ("wins", sum(&mut ends.into_iter()) == winners),
            ("shares", self.shares.iter().all(|shares| *shares <= self.shared.wins)),
            ("places", self.places.iter().all(is_share) && self.reordered <= all),
            ("won_in_order", self.won_in_order.iter().all(is_share)),
            ("begun", self.begun.iter().all(is_share)),
            ("scores", self.scores.iter().all(is_part)),
            ("decisions", is_whole(&self.decisions)),
            ("draws", is_whole(&self.draws)),
            ("sampled", self.sampled <= all && sums.iter().all(|it| *it < MOST)),
            ("measures", self.measures.values().flatten().all(is_part)),
            ("moves", self.moves.values().all(is_use)),
            ("choices", uses.into_iter().all(is_use)),
            ("unkept", self.unkept.values().all(|(games, _)| *games <= all)),
            ("line_errors", self.line_errors.all().all(|it| it.decisions < MOST)),
            ("cut_off", self.cut_off.iter().all(|it| *it < MOST)),
        ];
        parts.into_iter().find_map(|(name, holds)| (!holds).then_some(name))
    }

    /// Games of which is known who began them and that somebody won, and how many of these the beginner won.
    pub(crate) fn begun(&self) -> SeatWins {
        SeatWins::sum(&self.begun)
    }

    /// Who began all of these games, if it is one seat.
    pub(crate) fn starter(&self) -> Option<usize> {
        let mut began = (0..self.begun.len()).filter(|seat| self.begun[*seat].games > 0);
        began.next().filter(|_| began.next().is_none())
    }

    /// Whether not the same seat began all games, as far as that is known.
    pub(crate) fn is_begun_by_several(&self) -> bool {
        self.begun().games > 0 && self.starter().is_none()
    }

    /// Counts who won, or why nobody did.
    pub(super) fn add_result(&mut self, outcome: &Outcome, end: EndKind) {
        let returns = &outcome.returns;
        self.lowest |= outcome.lowest;
        // Who plays alone and comes to a score is counted as a winner, whichever statement gives it.
        let has_won = |value: &&i64| **value == 1 || (end == EndKind::Scored && returns.len() == 1);
        match returns.iter().filter(has_won).count() as u64 {
            0 => self.shared.add_end(end),
            winners => self.teams.partners += winners - 1,
        }
        for (wins, value) in self.wins.iter_mut().zip(returns) {
            *wins += u64::from(has_won(&value));
        }
        if end == EndKind::Shared {
            let sharing = self.shares.iter_mut().zip(returns);
            sharing.for_each(|(wins, value)| *wins += u64::from(*value == 0));
        }
        // Where everybody loses, or nobody is told a team, nothing is known of the teams.
        let is_told = outcome.scores.is_some() || matches!(end, EndKind::Won | EndKind::Shared);
        if is_told {
            self.teams.add_teams(&outcome.partners().unwrap_or_default());
        }
    }

    /// How many games everybody won; none where somebody won alone.
    pub(crate) fn won_by_all(&self) -> Option<u64> {
        let won = self.won();
        self.wins.iter().all(|wins| *wins == won).then_some(won)
    }

    /// For each seat how often it won, alone or with some of the others, and of how many games.
    pub(crate) fn victories(&self) -> (Vec<u64>, u64) {
        let wins = self.wins.iter().zip(&self.shares).map(|(alone, shared)| alone + shared);
        (wins.collect(), self.won() + self.shared.wins)
    }

    pub(crate) fn won(&self) -> u64 {
        self.wins.iter().sum::<u64>() - self.teams.partners
    }

    /// The first seat of each side, if the sides are the same in all games.
    pub(crate) fn sides(&self) -> Option<Vec<usize>> {
        let first = |seat: &usize| self.teams.teams.get(*seat).is_none_or(|team| team == seat);
        (!self.teams.differ).then(|| (0..self.wins.len()).filter(first).collect())
    }

    /// Counts the order of turns, and which of the players won.
    pub(crate) fn add_order(&mut self, order: &[usize], returns: &[i64]) {
        for (place, seat) in self.places.iter_mut().zip(order) {
            place.add_game(returns[*seat] == 1);
        }
        if let Some(won) = winning_return(returns) {
            let in_order = self.won_in_order.iter_mut().zip(order);
            in_order.for_each(|(place, seat)| place.add_game(returns[*seat] == won));
        }
        self.reordered += u64::from(!order.iter().copied().eq(0..order.len()));
    }

    /// Wins of each seat alone; or by `turn`, of each place in the order of turns.
    pub(crate) fn parts_by(&self, turn: bool) -> Vec<SeatWins> {
        let seat = |wins: &u64| SeatWins { games: self.playouts, wins: *wins };
        if turn { self.places.clone() } else { self.wins.iter().map(seat).collect() }
    }

    /// How many moves there were to choose from on average.
    pub(crate) fn branching(&self) -> Millionths {
        Millionths::ratio(self.moves_offered.into(), self.decisions_sampled.into())
    }
}

/// The return of the winners of a game; none if all have the same.
pub(super) fn winning_return(returns: &[i64]) -> Option<i64> {
    let most = *returns.iter().max()?;
    (most == 1 || returns.iter().any(|value| *value < most)).then_some(most)
}

/// Merges lists position by position; the shorter one is filled up.
pub(super) fn merge_each<T: Clone + Default>(
    all: &mut Vec<T>,
    others: &[T],
    merge: impl Fn(&mut T, &T),
) {
    all.resize(all.len().max(others.len()), T::default());
    all.iter_mut().zip(others).for_each(|(one, other)| merge(one, other));
}
