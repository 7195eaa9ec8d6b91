//! Tests of what a simulation shows: how often chance alone would show as much.
//!
//! Probabilities are floats while `statrs` computes them. They leave this file in fixed precision, so that what is
//! compared is the same on every machine.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts become floats for `statrs`, and probabilities whole numbers again"
)]

use statrs::function::{beta::beta_reg, erf::erfc_inv, gamma::gamma_ur};

use crate::simulate::statistics::{Millionths, Moments, Share};
use crate::simulate::tally::{Histogram, SeatWins, Tally};

/// How often chance alone would show as much or more, in 10^-18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Likelihood(u64);

const CERTAIN: u64 = 1_000_000_000_000_000_000;

/// A finding is no chance if chance alone shows as much in fewer than one of so many simulations.
const RARE: u64 = 200;

/// So many games or differences, on each side that is compared, are the fewest that say something.
pub(crate) const FEWEST: u64 = 30;

/// Where a seat is expected to win fewer games, the test of all seats is exact for each.
const FEW: u64 = 10;

impl Likelihood {
    fn from_probability(probability: f64) -> Likelihood {
        Likelihood((probability.clamp(0.0, 1.0) * CERTAIN as f64) as u64)
    }

    fn certain() -> Likelihood {
        Likelihood(CERTAIN)
    }

    /// The least of so many findings (Bonferroni).
    pub(crate) fn among(self, findings: usize) -> Likelihood {
        Likelihood(self.0.saturating_mul(findings as u64).min(CERTAIN))
    }

    pub(crate) fn is_rare(self) -> bool {
        self.0 < CERTAIN / RARE
    }

    /// `one of 840 simulations`
    pub(crate) fn words(self) -> String {
        let times = CERTAIN / self.0.max(1);
        if times >= 1_000_000 {
            return "fewer than one of a million simulations".to_owned();
        }
        let digits = times.checked_ilog10().unwrap_or(0).saturating_sub(1);
        let unit = 10_u64.pow(digits);
        format!("one of {} simulations", times / unit * unit)
    }
}

/// How often a part of a whole would be so far from one share of `of` equal ones, or farther: the exact binomial test,
/// with twice the smaller tail.
pub(crate) fn departure(part: (u64, u64), of: u64) -> Likelihood {
    departure_from(part, (1, of.max(1)))
}

/// The two-sided exact binomial test against any share, given as a part and a whole.
pub(crate) fn departure_from((part, whole): (u64, u64), (expected, of): (u64, u64)) -> Likelihood {
    if whole == 0 || expected == 0 || expected >= of {
        return Likelihood::certain();
    }
    let (k, n, p) = (part as f64, whole as f64, expected as f64 / of as f64);
    let below = if part == whole { 1.0 } else { beta_reg(n - k, k + 1.0, 1.0 - p) };
    let above = if part == 0 { 1.0 } else { beta_reg(k, n - k + 1.0, p) };
    Likelihood::from_probability(2.0 * below.min(above))
}

/// How often seats that are equal would win so differently: one test of all (Pearson, "On the criterion that a given
/// system of deviations …", 1900); of two seats, and where few wins are expected, the exact one of each.
fn unevenness(wins: &[u64]) -> Likelihood {
    let (won, seats) = (wins.iter().sum::<u64>(), wins.len());
    if seats == 2 || won < FEW * seats as u64 {
        let each = wins.iter().map(|wins| departure((*wins, won), seats as u64));
        return each.min().unwrap_or(Likelihood::certain()).among(seats - 1);
    }
    let expected = won as f64 / seats as f64;
    let square: f64 = wins.iter().map(|it| (*it as f64 - expected).powi(2) / expected).sum();
    Likelihood::from_probability(larger_sum(seats - 1, square))
}

/// How often those who take something and those who leave it would win so differently, seat by seat, if it made no
/// difference (Mantel and Haenszel, "Statistical aspects of the analysis of data from retrospective studies of
/// disease", 1959; with their correction for continuity).
pub(crate) fn difference_of(takers: &[SeatWins], others: &[SeatWins]) -> Likelihood {
    let (mut above, mut spread) = (0.0, 0.0);
    for (takers, others) in takers.iter().zip(others) {
        let [many, fewer] = [takers, others].map(|part| part.games as f64);
        let (won, games) = ((takers.wins + others.wins) as f64, many + fewer);
        if games > 1.0 {
            above += takers.wins as f64 - many * won / games;
            spread += many * fewer * won * (games - won) / (games * games * (games - 1.0));
        }
    }
    let above = (f64::abs(above) - 0.5).max(0.0);
    if spread == 0.0 {
        Likelihood::certain()
    } else {
        Likelihood::from_probability(normal(above * above / spread))
    }
}

/// How often two shares would be so far apart if they were the same.
pub(crate) fn difference_of_shares(one: SeatWins, other: SeatWins) -> Likelihood {
    difference_of(&[one], &[other])
}

/// How often the scores of those who take something and those who leave it would be so far apart, seat by seat: each
/// counts as much as its groups have games (Cochran, "Some methods for strengthening the common χ² tests", 1954).
pub(crate) fn difference_of_scores([takers, others]: [&[Moments]; 2]) -> Likelihood {
    let (mut above, mut spread) = (0.0, 0.0);
    for (takers, others) in takers.iter().zip(others) {
        let mut all = *takers;
        all.merge(others);
        if takers.count.min(others.count) > 0 {
            let [many, fewer] = [takers, others].map(|part| part.count as f64);
            let (weight, deviation) = (many * fewer / (many + fewer), all.deviation().0 as f64);
            above += weight * (takers.mean().0 - others.mean().0) as f64;
            spread += weight * deviation * deviation;
        }
    }
    let square = if spread == 0.0 { 0.0 } else { above * above / spread };
    Likelihood::from_probability(normal(square))
}

/// How often chance alone would rank the numbers of one list so far above or below those of another (Mann and Whitney,
/// "On a test of whether one of two random variables is stochastically larger than the other", 1947; with ties), and
/// whether they are above.
pub(crate) fn difference_of_ranks(one: &Histogram, other: &Histogram) -> (Likelihood, bool) {
    let [first, second] = [one, other].map(|it| it.count() as f64);
    let (all, mut before, mut ranks, mut ties) = (first + second, 0.0, 0.0, 0.0);
    let mut both = one.clone();
    both.merge(other);
    for (number, count) in &both.counts {
        let (own, alike) = (one.counts.get(number).copied().unwrap_or(0) as f64, *count as f64);
        ranks += own * (before + f64::midpoint(alike, 1.0));
        before += alike;
        ties += alike * (alike * alike - 1.0);
    }
    let above = ranks - first * (all + 1.0) / 2.0;
    let spread = first * second / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)).max(1.0));
    if one.count().min(other.count()) < FEWEST || spread <= 0.0 {
        return (Likelihood::certain(), false);
    }
    let far = (f64::abs(above) - 0.5).max(0.0);
    (Likelihood::from_probability(normal(far * far / spread)), above > 0.0)
}

/// How often chance alone would show such a difference of the mean from 0.
pub(crate) fn difference_from_zero(moments: &Moments) -> Likelihood {
    // Few games that differ say nothing: each adds at least 1 to the squares.
    if moments.count < FEWEST || moments.squares < FEW.into() {
        return Likelihood::certain();
    }
    let (mean, deviation) = (moments.mean().0 as f64, moments.deviation().0 as f64);
    Likelihood::from_probability(normal(
        mean * mean * moments.count as f64 / (deviation * deviation).max(1.0),
    ))
}

/// How often chance alone would show means so far apart.
pub(crate) fn difference_of_means(one: &Moments, other: &Moments) -> Likelihood {
    if one.count.min(other.count) < FEWEST {
        return Likelihood::certain();
    }
    let [first, second] = [one, other].map(|it| {
        let deviation = it.deviation().0 as f64;
        (it.mean().0 as f64, deviation * deviation / it.count as f64)
    });
    let apart = first.0 - second.0;
    if apart == 0.0 {
        return Likelihood::certain();
    }
    Likelihood::from_probability(normal(
        apart * apart / (first.1 + second.1).max(f64::MIN_POSITIVE),
    ))
}

/// P(χ² with 1 degree of freedom > square).
fn normal(square: f64) -> f64 {
    larger_sum(1, square)
}

/// P(χ² with `numbers` degrees of freedom > sum).
fn larger_sum(numbers: usize, sum: f64) -> f64 {
    match sum {
        sum if sum <= 0.0 => 1.0,
        // What never varies differs for certain; `gamma_ur` takes finite numbers alone.
        sum if sum.is_infinite() => 0.0,
        sum => gamma_ur(numbers as f64 / 2.0, sum / 2.0),
    }
}

/// The z-value that a normal variable exceeds, on either side, once in `rare`.
fn deviations(rare: u64) -> Millionths {
    let reach = erfc_inv(1.0 / rare as f64) * std::f64::consts::SQRT_2;
    Millionths((reach * 1_000_000.0) as i128)
}

/// Which findings are clear, given that all are tested: all of them together are wrong in fewer than one of 200
/// simulations (Holm, "A simple sequentially rejective multiple test procedure", 1979).
pub(crate) fn holm_rejects(chances: &[Likelihood]) -> Vec<bool> {
    let mut sorted: Vec<usize> = (0..chances.len()).collect();
    sorted.sort_by_key(|at| chances[*at]);
    let mut stand = vec![false; chances.len()];
    for (rank, at) in sorted.into_iter().enumerate() {
        if !chances[at].among(chances.len() - rank).is_rare() {
            break;
        }
        stand[at] = true;
    }
    stand
}

/// Who may have an advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Seat(usize),
    /// Who begins, where that is not always the same seat.
    Starter,
    /// Who comes at this place in the order of turns, likewise.
    Place(usize),
}

/// What wins say about equal chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Everybody surely wins as often as all others, but for the margin.
    Fair,
    Unfair(Likelihood),
    /// About so many more games would tell, if rates stay as they are.
    Unknown(u64),
}

/// How often somebody wins of the games that somebody wins, with the interval for the verdict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WinStanding {
    pub(crate) who: Who,
    pub(crate) wins: u64,
    pub(crate) won: u64,
    pub(crate) share: Share,
    /// What all win alike.
    pub(crate) parity: Millionths,
}

/// Judges whether all seats, who begins, and who comes next in the order of turns win alike: within `margin` of parity, or surely not. Tells who is
/// farthest from parity. A team wins as one. None where nobody wins, nobody has an opponent, or teams differ.
pub(crate) fn fairness(tally: &Tally, margin: Millionths) -> Option<(Verdict, WinStanding)> {
    let ((victories, won), sides) = (tally.victories(), tally.sides()?);
    let seats = sides.len();
    if seats < 2 || won == 0 {
        return None;
    }
    let row = |seat: &usize| (Who::Seat(*seat), victories[*seat], won);
    let mut rows: Vec<(Who, u64, u64)> = sides.iter().map(row).collect();
    let wins: Vec<u64> = rows.iter().map(|(_, wins, _)| *wins).collect();
    let even = (wins.iter().sum::<u64>(), won * seats as u64);
    // Where several win a game, wins of one are not lost by another: each is tested for itself.
    let mut chance = if tally.shared.wins == 0 {
        unevenness(&wins)
    } else {
        let each = wins.iter().map(|wins| departure_from((*wins, won), even));
        each.min().unwrap_or(Likelihood::certain()).among(seats)
    };
    let begun = tally.begun();
    // Who plays in the team that wins is judged, whatever the sizes of teams: all of these win alike.
    if tally.starter().is_none() && begun.games > 0 {
        rows.push((Who::Starter, begun.wins, begun.games));
        let of_part = |part: &SeatWins| departure_from((part.wins, part.games), even);
        // Of two, the second wins what the first does not.
        let from = if tally.wins.len() > 2 { 1 } else { 2 };
        let later = tally.won_in_order.iter().enumerate().skip(from);
        let later: Vec<_> = later.filter(|(_, part)| part.games > 0).collect();
        rows.extend(later.iter().map(|(at, part)| (Who::Place(*at), part.wins, part.games)));
        chance = match later.iter().map(|(_, part)| of_part(part)).min() {
            Some(least) => chance.min(of_part(&begun)).min(least.among(later.len())).among(3),
            None => chance.min(of_part(&begun)).among(2),
        };
    }
    // All intervals hold together in 99 of 100 simulations.
    let reach = deviations(100 * rows.len() as u64);
    let parity = Millionths::ratio(even.0.into(), even.1.into());
    let standing = |(who, wins, won): (Who, u64, u64)| WinStanding {
        who,
        wins,
        won,
        share: Share::with_reach(wins, won, reach),
        parity,
    };
    let rows: Vec<WinStanding> = rows.into_iter().map(standing).collect();
    let away = |row: &WinStanding| (row.share.rate.0 - parity.0).abs();
    // Of two that are as far the one that wins more; partners of who begins come later in the order.
    let is_later = |row: &WinStanding| matches!(row.who, Who::Place(_));
    let farthest = *rows.iter().max_by_key(|row| (away(row), row.share.rate, !is_later(row)))?;
    let is_within = |row: &WinStanding| {
        parity.0 - margin.0 <= row.share.low.0 && row.share.high.0 <= parity.0 + margin.0
    };
    // What differs for certain may still be within the margin.
    let verdict = if rows.iter().all(is_within) {
        Verdict::Fair
    } else if chance.is_rare() {
        Verdict::Unfair(chance)
    } else {
        Verdict::Unknown(more_games(tally.playouts, won, parity, (away(&farthest), margin, reach)))
    };
    Some((verdict, farthest))
}

/// About how many more games would tell, if rates stay as they are: until the interval lies within the margin, which is
/// fair, or the distance from parity is no chance.
fn more_games(
    playouts: u64,
    won: u64,
    parity: Millionths,
    (away, margin, reach): (i128, Millionths, Millionths),
) -> u64 {
    let [parity, away, margin, reach] =
        [parity.0, away, margin.0, reach.0].map(|it| it as f64 / 1_000_000.0);
    let rejects = deviations(2 * RARE).0 as f64 / 1_000_000.0;
    let needed = |reach: f64, room: f64| parity * (1.0 - parity) * (reach / room).powi(2);
    let to_fair = if away < margin { needed(reach, margin - away) } else { f64::INFINITY };
    let to_unfair = if away > 0.0 { needed(rejects, away) } else { f64::INFINITY };
    let more = to_fair.min(to_unfair).max(won as f64 * 1.1) - won as f64;
    let games = (more * playouts as f64 / won as f64).ceil() as u64;
    let unit = 10_u64.pow(games.checked_ilog10().unwrap_or(0).saturating_sub(1));
    games.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn billionths(chance: Likelihood) -> u64 {
        chance.0 / (CERTAIN / 1_000_000_000)
    }

    fn seat_wins(wins: u64, games: u64) -> SeatWins {
        SeatWins { games, wins }
    }

    #[test]
    fn chances_are_those_of_tables() {
        // 30 of 40 heads: 2 · P(X ≥ 30) = 0.00222 (Binomial(40, 1/2)).
        assert_eq!(billionths(departure((30, 40), 2)), 2_221_433);
        // χ² = 2.0 with 5 degrees of freedom.
        assert_eq!(billionths(unevenness(&[16, 18, 16, 14, 12, 12])), 849_145_036);
        // One table of 2 by 2, and two like it.
        let (takers, others) = ([seat_wins(15, 25); 2], [seat_wins(10, 25); 2]);
        assert_eq!(
            [1, 2].map(|of| billionths(difference_of(&takers[..of], &others[..of]))),
            [262_713_762, 74_764_058]
        );
    }

    #[test]
    fn ranks_and_scores_that_differ_are_told_from_those_that_do_not() {
        let of = |numbers: std::ops::Range<i64>| {
            let mut histogram = Histogram::default();
            numbers.for_each(|number| histogram.add_number(number));
            histogram
        };
        // U is 250 below 30 · 30 / 2, σ² = 30 · 30 / 12 · (61 - 20 · 6 / (60 · 59)), and z = 249.5 / σ = 3.6897.
        let (chance, is_above) = difference_of_ranks(&of(0..30), &of(10..40));
        assert_eq!((billionths(chance), is_above), (224_483, false));
        assert_eq!(difference_of_ranks(&of(0..30), &of(0..30)).0, Likelihood::certain());
        let [low, high] = [of(0..30), of(10..40)].map(|it| [it.moments()]);
        assert!(difference_of_scores([&low, &high]).is_rare());
        assert_eq!(difference_of_scores([&low, &low]), Likelihood::certain());
    }

    #[test]
    fn what_never_varies_differs_for_certain() {
        let always = |value| {
            let mut moments = Moments::default();
            moments.add_times(value, 100);
            moments
        };
        assert_eq!(difference_of_means(&always(4), &always(6)), Likelihood(0));
        assert_eq!(difference_of_means(&always(4), &always(4)), Likelihood::certain());
    }

    #[test]
    fn of_many_findings_only_those_stand_that_would_stand_alone_among_all() {
        let chances = [1_000, 40, 30, 1].map(|it| Likelihood(it * (CERTAIN / 10_000)));
        // 0.0001 · 4 < 0.005; 0.003 · 3 is not.
        assert_eq!(holm_rejects(&chances), [false, false, false, true]);
        assert_eq!(holm_rejects(&chances[2..3]), [true]);
        assert_eq!(Likelihood(CERTAIN / 843).words(), "one of 840 simulations");
    }
}
