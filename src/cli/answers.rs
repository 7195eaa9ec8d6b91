//! Says in sentences what a simulation answers: is it fair, how long is it, what is too strong.

use super::output_formats::choices;
use super::results::{Results, nth};
use crate::simulate::{Number, Share, Tally, never_run};

/// How many things that never happen are named.
const MOST_NAMED: usize = 3;

const ONE: i128 = 1_000_000;

/// The sentences of a run, the most important first.
pub(super) fn answers(results: &Results, run: usize, tally: &Tally) -> Vec<String> {
    let mut answers = Vec::new();
    answers.extend(ends(tally));
    answers.extend(luck(tally));
    answers.extend(if alike(results) { fair(results, tally) } else { bots(results, tally) });
    answers.extend(strong(results, tally));
    answers.extend(score(tally));
    answers.push(length(tally));
    answers.extend(always(results, tally));
    answers.extend(never(results, run, tally));
    answers
}

/// Whether the same bot sits on all seats.
fn alike(results: &Results) -> bool {
    results.head.seats.windows(2).all(|pair| pair[0] == pair[1])
}

fn ends(tally: &Tally) -> Option<String> {
    let stopped = tally.limit_reached;
    if stopped == 0 {
        return None;
    }
    let share = Share::of(stopped, tally.playouts).spoken();
    Some(match stopped {
        _ if stopped == tally.playouts => {
            format!("No game ends: the limit of decisions stopped all {stopped}.")
        }
        _ if stopped.saturating_mul(100) > tally.playouts => {
            format!("Many games do not end: the limit of decisions stopped {share}.")
        }
        _ => format!("Nearly all games end: the limit of decisions stopped {share}."),
    })
}

fn luck(tally: &Tally) -> Option<String> {
    (tally.most_moves <= 1 && tally.wins.len() > 1).then(|| {
        let games = tally.playouts;
        format!("Luck alone decides: nobody had two moves to choose from in {games} games.")
    })
}

/// Whether all places in the order of turns, or all seats, win alike.
fn fair(results: &Results, tally: &Tally) -> Option<String> {
    let players = tally.wins.len() as u64;
    let won: u64 = tally.wins.iter().sum();
    if players < 2 {
        return None;
    }
    if won == 0 {
        return Some(format!("Nobody wins: none of {} games had one winner.", tally.playouts));
    }
    let by_turn = tally.reordered > 0;
    let who = |at: usize| {
        if by_turn {
            format!("the player who decides {}", nth(at))
        } else {
            results.head.names[at].clone()
        }
    };
    let rows: Vec<(usize, u64)> = tally.wins_by(by_turn).into_iter().enumerate().collect();
    let parity = Number::ratio(1, players.into());
    // Three standard deviations: all places are looked at, and nobody should be alarmed for nothing.
    let clear = |wins: u64| {
        let share = Share::of(wins, won);
        (share.rate.0 - parity.0).abs() * 4 > (share.high.0 - share.low.0) * 3
    };
    let unfair = rows.iter().filter(|(_, wins)| clear(*wins));
    // Of two that are as far from parity the one that wins more.
    let farthest = unfair.max_by_key(|(_, wins)| {
        let rate = Share::of(*wins, won).rate.0;
        ((rate - parity.0).abs(), rate)
    });
    Some(match farthest {
        Some((at, wins)) if *wins == won => {
            format!("Not fair: {} always wins, in all {won} games that somebody won.", who(*at))
        }
        Some((at, wins)) => format!(
            "Not fair: {} wins {} of the games that somebody wins; parity is {} %.",
            who(*at),
            Share::of(*wins, won).spoken(),
            parity.percent()
        ),
        None => format!(
            "Fair, as far as {won} games show: {} wins {}; parity is {} %.",
            who(0),
            Share::of(rows[0].1, won).spoken(),
            parity.percent()
        ),
    })
}

/// How different bots do against each other. Each has its seats, so more than skill may decide.
fn bots(results: &Results, tally: &Tally) -> Option<String> {
    let seats = results.head.seats.iter().zip(&tally.wins);
    let (at, (best, wins)) = seats.enumerate().max_by_key(|(_, (_, wins))| **wins)?;
    let others = results.head.seats.iter().filter(|seat| *seat != best);
    let mut others: Vec<&str> = others.map(String::as_str).collect();
    others.dedup();
    let share = Share::of(*wins, tally.playouts);
    let players = results.head.seats.len() as u64;
    let parity = Number::ratio(1, players.into());
    let (name, others) = (&results.head.names[at], others.join(" and "));
    Some(if share.low.0 > parity.0 {
        format!("{best} as {name} wins {} against {others}.", share.spoken())
    } else {
        format!(
            "No bot is clearly better: {best} as {name} wins {} against {others}.",
            share.spoken()
        )
    })
}

/// The move or argument that its takers win most with, where that is clear.
fn strong(results: &Results, tally: &Tally) -> Option<String> {
    if !alike(results) {
        return None;
    }
    let choices = choices(tally);
    // Nearly everybody takes some moves: those who leave them lose, and who takes them wins as usual.
    let seats = tally.wins.len() as u64;
    let usual = Share::of(tally.wins.iter().sum(), tally.playouts.saturating_mul(seats)).rate;
    let stronger = choices.iter().filter(|it| it.clear && it.taken.low > usual.max(it.others.rate));
    let choice = stronger.max_by_key(|it| it.taken.low.0 - it.others.high.0)?;
    let (words, games) = (&choice.words, choice.used.takers.games);
    let others = choice.others.spoken();
    Some(if choice.taken.rate.0 == ONE {
        format!(
            "`{words}` is too strong: who takes it always wins, in {games} games; who could and \
             does not wins {others}."
        )
    } else {
        format!(
            "`{words}` goes with winning: who takes it wins {}, who could and does not {others}.",
            choice.taken.spoken()
        )
    })
}

fn length(tally: &Tally) -> String {
    let decisions = &tally.decisions;
    let (mean, margin) = (decisions.mean().places(1), decisions.moments().margin().places(1));
    let [low, high] = [5, 95].map(|percent| decisions.percentile(percent));
    if decisions.least() == decisions.most() {
        return format!("Every game takes {low} decisions.");
    }
    format!("A game takes {mean} ± {margin} decisions; nine of ten take {low} to {high}.")
}

/// What somebody who plays alone comes to.
fn score(tally: &Tally) -> Option<String> {
    let [scores] = tally.scores.as_slice() else { return None };
    let (mean, margin) = (scores.mean().places(1), scores.moments().margin().places(1));
    let [low, high] = [5, 95].map(|percent| scores.percentile(percent));
    (scores.count() > 0).then(|| {
        format!("The score is {mean} ± {margin}; nine of ten games bring {low} to {high}.")
    })
}

/// What the file measures and always comes out the same.
fn always(results: &Results, tally: &Tally) -> Option<String> {
    let constant = tally.measures.iter().filter_map(|(name, lists)| {
        let first = lists.first()?.least();
        let same = lists.iter().all(|it| (it.least(), it.most()) == (first, first));
        same.then(|| format!("`{name}` is {first}"))
    });
    let constant: Vec<String> = constant.take(MOST_NAMED).collect();
    let games = results.playouts();
    (!constant.is_empty() && games > 1)
        .then(|| format!("Always in {games} games: {}.", constant.join(", ")))
}

fn never(results: &Results, run: usize, tally: &Tally) -> Option<String> {
    let never: Vec<String> = never_run(&results.runs[run].places, tally)
        .map(|place| format!("`{}`", place.what))
        .collect();
    let more = never.len().saturating_sub(MOST_NAMED);
    let mut named = never.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.extend([" and ", &more.to_string(), " more"]);
    }
    (!never.is_empty()).then(|| format!("Never in {} games: {named}.", tally.playouts))
}
