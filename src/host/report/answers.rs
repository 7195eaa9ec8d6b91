//! Says in sentences what a simulation answers: is it fair, how long is it, what is too strong.

use std::collections::BTreeMap;

use crate::host::report::results::{Results, turn_phrase};
use crate::host::report::{move_choices::compare_choices, rows::many};
use crate::simulate::{
    EndKind, FEWEST, Millionths, Share, Success, Tally, Verdict, Who, WinStanding, departure_from,
    fairness, never_run,
};

/// How many things that never happen are named.
const MOST_NAMED: usize = 3;

const ONE: i128 = 1_000_000;

/// The sentences of a run, the most important first.
pub(crate) fn answers(results: &Results, run: usize, tally: &Tally) -> Vec<String> {
    let mut answers = Vec::new();
    answers.extend(describe_stops(tally));
    answers.extend(describe_luck(tally));
    answers.extend(if tally.is_of_one_side() {
        describe_ends(tally)
    } else if is_mirror_match(results) {
        vec![describe_fairness(results, tally)]
    } else {
        describe_bots(results, tally).into_iter().collect()
    });
    answers.extend(strong(results, tally));
    answers.extend(describe_score(tally));
    answers.push(describe_length(tally));
    answers.extend(describe_constants(results, tally));
    answers.extend(describe_never_run(results, run, tally));
    answers
}

/// Whether the same bot sits on all seats.
pub(crate) fn is_mirror_match(results: &Results) -> bool {
    results.head.seats.windows(2).all(|pair| pair[0] == pair[1])
}

fn describe_stops(tally: &Tally) -> Option<String> {
    let stopped = tally.limit_reached;
    if stopped == 0 {
        return None;
    }
    let share = Share::of(stopped, tally.playouts).spoken();
    Some(match stopped {
        // What the limit decides is an end as well.
        _ if tally.shared.stopped == 0 => {
            format!("The limit of decisions ends {share} of the games.")
        }
        _ if stopped == tally.playouts => {
            format!("No game ends: the limit of decisions stopped all {stopped}.")
        }
        _ if stopped.saturating_mul(100) > tally.playouts => {
            format!("Many games do not end: the limit of decisions stopped {share}.")
        }
        _ => format!("Nearly all games end: the limit of decisions stopped {share}."),
    })
}

fn describe_luck(tally: &Tally) -> Option<String> {
    if tally.most_moves > 1 || tally.wins.len() == 1 {
        return None;
    }
    let games = if tally.sampled < tally.playouts {
        format!("in a sample of {}", many(tally.sampled, "game"))
    } else {
        format!("in {}", many(tally.playouts, "game"))
    };
    let decides = if tally.draws.most() == 0 { "Nothing" } else { "Luck alone" };
    Some(format!("{decides} decides: nobody had two moves to choose from {games}."))
}

/// How often one who plays alone, or all together, win and are beaten.
fn describe_ends(tally: &Tally) -> Vec<String> {
    let [won, lost] = [EndKind::Won, EndKind::Lost].map(|end| tally.ended(end));
    let is_solo = tally.wins.len() == 1;
    if !is_solo && won > 0 && tally.won_by_all().is_none() {
        return vec![
            "No verdict on fairness: all win together in some games, and somebody alone in others."
                .to_owned(),
        ];
    }
    let (wins, loses) = if is_solo {
        ("The player wins", "The player loses")
    } else {
        ("Everybody wins together in", "Everybody loses in")
    };
    let say = |how: &str, games| {
        format!("{how} {} of the games.", Share::of(games, tally.playouts).spoken())
    };
    let mut told = Vec::new();
    if won > 0 {
        told.push(say(wins, won));
    }
    // Where nothing else happens, who does not win is beaten.
    if lost > 0 && (won == 0 || won + lost < tally.playouts) {
        told.push(say(loses, lost));
    }
    told
}

/// The results of games without a single winner.
fn describe_draws(tally: &Tally) -> String {
    let games = tally.playouts;
    match tally.shared.wins {
        0 if tally.shared.lost == games => {
            format!(
                "Everybody loses {}.",
                if games == 1 { "the only game".to_owned() } else { format!("all {games} games") }
            )
        }
        0 if games == 1 => "Nobody wins the only game.".to_owned(),
        0 => format!("Nobody wins: none of {games} games had one winner."),
        shared => format!(
            "No player wins alone: several share the win in {shared} of {}.",
            many(games, "game")
        ),
    }
}

/// Whether all seats, and who begins, win alike.
fn describe_fairness(results: &Results, tally: &Tally) -> String {
    if tally.teams.differ {
        return "No verdict on fairness: the teams differ from game to game.".to_owned();
    }
    match fairness(tally, results.margin) {
        Some((verdict, row)) => describe_verdict(results, tally, verdict, &row),
        None => describe_draws(tally),
    }
}

/// How players win, and which games they do, as sentences say it.
fn how_won(tally: &Tally) -> (&'static str, &'static str) {
    match tally.shared.wins {
        0 => ("", "games with one winner"),
        _ => (", alone or with others,", "games that somebody won"),
    }
}

/// Of which games a share of wins is, where somebody does not win all.
fn games_with_winner(tally: &Tally, row: &WinStanding) -> String {
    let (_, with_winner) = how_won(tally);
    match row.who {
        _ if row.won == tally.playouts => String::new(),
        // Who comes second and later is noted where moves are counted.
        Who::Place(_) if tally.sampled < tally.playouts => {
            format!(" of {} {with_winner}, in a sample of {}", row.won, tally.sampled)
        }
        _ => format!(" of the {} {with_winner}", row.won),
    }
}

fn describe_verdict(
    results: &Results,
    tally: &Tally,
    verdict: Verdict,
    row: &WinStanding,
) -> String {
    let (who, s) = name_winner(results, tally, row.who);
    let parity = format!("parity is {} %", row.parity.percent());
    let base = games_with_winner(tally, row);
    let (how, _) = how_won(tally);
    let wins = format!("{who} win{s}{how} {}{base}", Share::of(row.wins, row.won).spoken());
    // The interval that decides is wider than that of the table.
    let surely =
        format!("{who} win{s}{how} {} (99 %: {}){base}", row.share.percent(), row.share.interval());
    match verdict {
        Verdict::Unfair(_) if row.wins == row.won => {
            let of = match row.who {
                Who::Place(_) if tally.sampled < tally.playouts => " sampled".to_owned(),
                _ if row.won == tally.playouts => String::new(),
                _ => format!(" of {}", tally.playouts),
            };
            let (how, won) = (how.trim_end_matches(','), row.won);
            format!("Not fair: {who} always win{s}{how}, in all {won}{of} games that somebody won.")
        }
        Verdict::Unfair(chance) => {
            format!("Not fair: {wins}; {parity}. Chance alone shows as much in {}.", chance.words())
        }
        _ if tally.begun().games == 0 => format!(
            "No verdict on fairness: nobody is known to begin (no `turns`, no `measure starter`). {wins}; {parity}."
        ),
        Verdict::Fair => {
            format!(
                "Fair between these bots, within {} points: {surely}; {parity}.",
                results.margin.times(100)
            )
        }
        Verdict::Unknown(more) => {
            // Where one of several games is counted, so many times as many are played.
            let more = match row.who {
                Who::Place(_) => more.saturating_mul(tally.playouts) / tally.sampled.max(1),
                _ => more,
            };
            let more = match row.won {
                1 => "1 decided game is too few.".to_owned(),
                0..FEWEST => format!("{} are too few.", many(row.won, "decided game")),
                _ => format!("If these shares stay, about {more} more games would tell."),
            };
            format!("Cannot tell yet whether it is fair: {surely}; {parity}. {more}")
        }
    }
}

/// Who wins often or seldom, and the ending of the verb: partners win, a player wins.
fn name_winner(results: &Results, tally: &Tally, who: Who) -> (String, &'static str) {
    let name = match who {
        Who::Seat(seat) if tally.sides().is_some_and(|sides| sides.len() < tally.wins.len()) => {
            let partners = results.team_names(&tally.teams.teams, seat).len();
            return (results.team_name(tally, seat), if partners > 1 { "" } else { "s" });
        }
        Who::Seat(seat) if tally.starter() == Some(seat) => {
            format!("{}, who begins,", results.head.names[seat])
        }
        Who::Seat(seat) => results.head.names[seat].clone(),
        Who::Starter => "the player who begins".to_owned(),
        Who::Place(at) => format!("the player who {}", turn_phrase(tally, at)),
    };
    (name, "s")
}

/// How different bots do against each other. Each has its own seats, so more than skill may decide.
fn describe_bots(results: &Results, tally: &Tally) -> Option<String> {
    let (wins, won) = tally.victories();
    if won == 0 {
        return Some(describe_draws(tally));
    }
    if tally.teams.differ || tally.sides().is_none_or(|sides| sides.len() < tally.wins.len()) {
        return describe_teams(results, tally);
    }
    let is_shared = tally.shared.wins > 0;
    let (best, of_bot) = best_bot(&results.head.seats, &wins, is_shared)?;
    let mut others: Vec<&str> = results.head.seats.iter().map(String::as_str).collect();
    others.sort_unstable();
    others.dedup();
    // Of two bots, one wins what the other does not; of several, the best is one of so many findings.
    let findings = match others.len() {
        _ if is_shared => wins.len(),
        2 => 1,
        bots => bots,
    };
    others.retain(|bot| *bot != best);
    let seats: u64 = of_bot.iter().map(|seat| wins[*seat]).sum();
    let (won_of, unclear) = compare_best(&wins, won, (seats, of_bot.len()), findings);
    let of = match how_won(tally) {
        _ if won == tally.playouts => String::new(),
        (_, with_winner) => format!(" of the {won} {with_winner}"),
    };
    let name = match of_bot.as_slice() {
        [seat] => format!("as {}", results.head.names[*seat]),
        seats => format!("on {} seats", seats.len()),
    };
    let unclear = if unclear { "No bot is clearly better: " } else { "" };
    let (others, (share, parity), how) = (others.join(" and "), won_of, how_won(tally).0);
    Some(format!(
        "{unclear}{best} {name} wins{how} {}{of} against {others}; parity is {} %.",
        share.spoken(),
        parity.percent()
    ))
}

/// How often the best ones win, of the games that somebody won, what they would win if all were equal, and whether
/// chance may be all that it is.
fn compare_best(
    wins: &[u64],
    won: u64,
    (best, seats): (u64, usize),
    findings: usize,
) -> ((Share, Millionths), bool) {
    // A game that nobody wins says nothing of who is better.
    let share = Share::of(best, won);
    let parity = (wins.iter().sum::<u64>() * seats as u64, won * wins.len() as u64);
    let is_clear = departure_from((best, won), parity).among(findings).is_rare();
    let parity = Millionths::ratio(parity.0.into(), parity.1.into());
    ((share, parity), !is_clear || share.rate < parity)
}

/// The bot that wins most on a seat, and its seats; where several win a game, these are no part of a whole, and its best
/// seat stands for it.
fn best_bot<'r>(
    seats: &'r [String],
    wins: &[u64],
    is_shared: bool,
) -> Option<(&'r str, Vec<usize>)> {
    let mut by_bot: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (seat, bot) in seats.iter().enumerate() {
        by_bot.entry(bot).or_default().push(seat);
    }
    let per_seat = |seats: &[usize]| {
        let all: u64 = seats.iter().map(|seat| wins[*seat]).sum();
        Millionths::ratio(all.into(), seats.len() as i128)
    };
    let (best, seats) = by_bot.into_iter().max_by_key(|(_, seats)| per_seat(seats))?;
    let first = seats.iter().copied().max_by_key(|seat| wins[*seat])?;
    Some((best, if is_shared { vec![first] } else { seats }))
}

/// How teams of different bots do against each other.
fn describe_teams(results: &Results, tally: &Tally) -> Option<String> {
    let ((wins, won), sides) = (tally.victories(), tally.sides()?);
    let best = *sides.iter().max_by_key(|seat| wins[**seat])?;
    let of_sides: Vec<u64> = sides.iter().map(|seat| wins[*seat]).collect();
    let findings = if sides.len() == 2 && tally.shared.wins == 0 { 1 } else { sides.len() };
    let ((share, _), unclear) = compare_best(&of_sides, won, (wins[best], 1), findings);
    let unclear = if unclear { "No team is clearly better: " } else { "" };
    let (name, s) = name_winner(results, tally, Who::Seat(best));
    Some(format!("{unclear}{name} win{s}{} {}.", how_won(tally).0, share.spoken()))
}

/// The move or argument whose takers win most differently, where that is clear.
fn strong(results: &Results, tally: &Tally) -> Option<String> {
    if !is_mirror_match(results) {
        return None;
    }
    let choices = compare_choices(tally);
    let told = choices.iter().filter(|it| it.clear && !it.is_end());
    // How far the intervals are apart.
    let apart = |one: Share, other: Share| one.low.0 - other.high.0;
    let choice =
        told.max_by_key(|it| apart(it.taken, it.others).max(apart(it.others, it.taken)))?;
    let is_more = choice.taken.rate > choice.others.rate;
    let (words, games) = (&choice.words, choice.takers.games + choice.left.games);
    let [taken, others] = [choice.taken, choice.others].map(|share| choice.spoken(share));
    let is_random = results.head.seats.iter().all(|seat| seat == "random");
    let (goes_with, fares) = match (choice.success, is_more) {
        (Success::Wins, true) => ("winning more often", "wins"),
        (Success::Wins, false) => ("winning less often", "wins"),
        (Success::NotBeaten, true) => ("fewer defeats", "is not beaten in"),
        (Success::NotBeaten, false) => ("more defeats", "is not beaten in"),
        (Success::Score, true) => ("a higher score", "scores"),
        (Success::Score, false) => ("a lower score", "scores"),
    };
    // Bots that choose may take it because they are ahead.
    Some(if choice.success == Success::Wins && choice.taken.rate.0 == ONE && is_random {
        format!(
            "`{words}` is too strong: who takes it at the first chance wins all {} of these games; who could and does \
             not wins {others}.",
            choice.takers.games
        )
    } else {
        format!(
            "`{words}` goes with {goes_with}: who takes it at the first chance {fares} {taken}, who could and does not \
             {others}, in {games} games."
        )
    })
}

fn describe_length(tally: &Tally) -> String {
    let decisions = &tally.decisions;
    let (mean, margin) = (decisions.mean().places(1), decisions.moments().margin().places(1));
    let [low, high] = [5, 95].map(|percent| decisions.percentile(percent));
    if decisions.least() == decisions.most() {
        return format!("Every game takes {}.", many(low.unsigned_abs(), "decision"));
    }
    format!("A game takes {mean} ± {margin} decisions; nine of ten take {low} to {high}.")
}

/// What somebody who plays alone comes to, or all together.
fn describe_score(tally: &Tally) -> Option<String> {
    let scores = tally.scores.first().filter(|it| tally.is_of_one_side() && it.count() > 0)?;
    let (mean, margin) = (scores.mean().places(1), scores.moments().margin().places(1));
    let [low, high] = [5, 95].map(|percent| scores.percentile(percent));
    let counted = many(scores.count(), "game");
    let (of, games) = match scores.count() {
        all if all == tally.playouts => (String::new(), "games"),
        some if some + tally.shared.lost == tally.playouts => {
            (format!(" in the {counted} that were not lost"), "of them")
        }
        _ => (format!(" in the {counted} that end with one"), "of them"),
    };
    Some(format!("The score is {mean} ± {margin}{of}; nine of ten {games} bring {low} to {high}."))
}

/// Measures that never vary.
fn describe_constants(results: &Results, tally: &Tally) -> Option<String> {
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

fn describe_never_run(results: &Results, run: usize, tally: &Tally) -> Option<String> {
    let never: Vec<String> = never_run(&results.runs[run].places, tally)
        .map(|place| format!("`{}`", place.what))
        .collect();
    let more = never.len().saturating_sub(MOST_NAMED);
    let mut named = never.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.extend([" and ", &more.to_string(), " more"]);
    }
    // Moves are counted in a sample: what does not happen there may happen elsewhere.
    let games = match tally.sampled {
        all if all >= tally.playouts => format!("Never in {} games", tally.playouts),
        sampled => format!("Not in a sample of {sampled} of the games"),
    };
    (!never.is_empty()).then(|| format!("{games}: {named}."))
}
