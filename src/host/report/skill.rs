//! Says whether stronger bots win more than weaker ones, on every seat.

use serde_json::json;

use crate::chance::Seed;
use crate::game::Game;
use crate::host::gate::escape_csv_cell;
use crate::host::report::output_formats::line_errors_to_json;
use crate::host::report::rows::{align_columns, number_to_json, share_to_json};
use crate::simulate::{
    EndKind, FEWEST, Histogram, Likelihood, LineErrors, Millionths, SeatWins, Share, Success,
    Tally, departure_from, difference_of_means, difference_of_ranks, difference_of_shares,
    holm_rejects,
};
use crate::transcript::list_words;

/// A bot against a weaker one on all other seats. Somebody who plays alone is compared with the
/// weaker one's scores; where all play together, those of one kind with those of the other.
#[derive(Default)]
pub(crate) struct SkillStep {
    pub(crate) bot: String,
    pub(crate) against: String,
    pub(crate) games: u64,
    /// How many of them the bot won alone or with partners, and how many anybody did, and how many winners these had.
    wins: u64,
    won: u64,
    winners: u64,
    /// How many of them several won, who are no partners.
    shared: u64,
    /// Of one who plays alone, or all together: the games with the bot, and with the other.
    groups: Option<[GroupGames; 2]>,
    is_together: bool,
    pub(crate) line_errors: LineErrors,
}

/// What comes of the games of one who plays alone, or of all together.
#[derive(Default)]
struct GroupGames {
    games: u64,
    won: u64,
    lost: u64,
    scores: Histogram,
    /// How games ended, as numbers of which more is better: defeats, games without a score, scores, wins.
    merits: Histogram,
}

impl GroupGames {
    fn add_tally(&mut self, tally: &Tally) {
        let (won, lost) = (tally.ended(EndKind::Won), tally.ended(EndKind::Lost));
        self.games += tally.playouts;
        self.won += won;
        self.lost += lost;
        let scores = &tally.scores[0];
        self.scores.merge(scores);
        let sign = if tally.lowest { -1 } else { 1 };
        let neither = tally.playouts.saturating_sub(won + lost + scores.count());
        let ends = [(i64::MIN, lost), (i64::MIN + 1, neither), (i64::MAX, won)];
        let scores = scores.counts.iter().map(|(score, games)| (sign * *score, *games));
        ends.into_iter().chain(scores).for_each(|(merit, games)| {
            self.merits.add_times(merit, games);
        });
    }

    fn has_end(&self, end: EndKind) -> bool {
        match end {
            EndKind::Won => self.won > 0,
            EndKind::Lost => self.lost > 0,
            EndKind::Scored => self.scores.count() > 0,
            _ => false,
        }
    }

    fn successes(&self, success: Success) -> SeatWins {
        let wins = if success == Success::Wins { self.won } else { self.games - self.lost };
        SeatWins { games: self.games, wins }
    }
}

/// What tells how well the bots of these steps do who play alone, or all together.
fn success_of(steps: &[SkillStep]) -> Success {
    Success::among(|end| steps.iter().any(|step| step.groups().any(|it| it.has_end(end))))
}

pub(crate) fn format_table(game: &Game, steps: &[SkillStep], seed: Seed) -> String {
    let players = game.info().players as u64;
    let mut text = format!("{} · does skill matter? · seed {seed}\n\n", game.info().title);
    answers(steps, players).iter().for_each(|answer| text.extend([answer, "\n"]));
    text + "\n" + &align_columns(&skill_rows(steps))
}

pub(crate) fn format_json(game: &Game, steps: &[SkillStep], seed: Seed) -> String {
    let players = game.info().players as u64;
    let objects = steps.iter().map(|step| {
        let mut object = json!({
            "bot": step.bot, "against": step.against, "games": step.games,
            "wins": step.wins, "won_by_any": step.won, "win_rate": share_to_json(step.win_share()),
        });
        if step.has_scores() {
            let means = step.groups().map(|it| number_to_json(it.scores.mean()));
            object["scores"] = means.collect();
        }
        if let Some(shares) = step.shares() {
            object[if step.is_together { "together" } else { "alone" }] =
                shares.map(|it| share_to_json(it.share())).into_iter().collect();
        }
        object
    });
    let value = json!({
        "game": game.info().title, "players": players, "seed": seed.0, "answers": answers(steps, players),
        "parity": number_to_json(steps.first().map_or(parity(players), |it| it.parity(players))),
        "steps": objects.collect::<Vec<_>>(),
        "strategy_errors": line_errors_to_json(&line_errors(steps), game.sources()),
    });
    format!("{value}\n")
}

/// The errors that lines of strategies met in any of the steps.
pub(crate) fn line_errors(steps: &[SkillStep]) -> LineErrors {
    let mut errors = LineErrors::default();
    steps.iter().for_each(|step| errors.merge(&step.line_errors));
    errors
}

pub(crate) fn csv(steps: &[SkillStep]) -> String {
    let mut text = "bot,against,games,wins,won_by_any\n".to_owned();
    for SkillStep { bot, against, games, wins, won, .. } in steps {
        let (bot, against) = (escape_csv_cell(bot), escape_csv_cell(against));
        text.extend([format!("{bot},{against},{games},{wins},{won}\n")]);
    }
    text
}

impl SkillStep {
    /// From here on all seats have the same bot: first the stronger one, then the other.
    pub(crate) fn begin_together(&mut self) {
        self.groups = Some(Default::default());
        self.is_together = true;
    }

    pub(crate) fn is_together(&self) -> bool {
        self.is_together
    }

    pub(crate) fn add_tally(&mut self, tally: &Tally, seat: usize) {
        self.line_errors.merge(&tally.line_errors);
        if tally.wins.len() == 1 || self.is_together {
            self.groups.get_or_insert_default()[seat].add_tally(tally);
            if self.is_together && seat == 1 {
                return;
            }
        }
        if seat < tally.wins.len() {
            let (wins, won) = tally.victories();
            self.games += tally.playouts;
            self.wins += wins[seat];
            self.won += won;
            self.winners += wins.iter().sum::<u64>();
            self.shared += tally.shared.wins;
        }
    }

    fn groups(&self) -> impl Iterator<Item = &GroupGames> {
        self.groups.iter().flatten()
    }

    fn success(&self) -> Success {
        success_of(std::slice::from_ref(self))
    }

    /// How often one who plays alone, or all together, succeed: with the bot, and with the other.
    fn shares(&self) -> Option<[SeatWins; 2]> {
        let success = self.success();
        self.groups.as_ref().map(|groups| groups.each_ref().map(|it| it.successes(success)))
    }

    /// Whether no difference could be clear.
    fn is_few(&self) -> bool {
        let few = |games: u64| games < FEWEST;
        match &self.groups {
            Some(groups) => groups.iter().any(|group| few(group.games)),
            None => few(self.games),
        }
    }

    /// What a seat wins of the games that are won if all are equal: with partners more than one of all seats.
    fn parity(&self, players: u64) -> Millionths {
        match self.won {
            0 => parity(players),
            won => Millionths::ratio(self.winners.into(), i128::from(won * players)),
        }
    }

    fn has_scores(&self) -> bool {
        self.groups.is_some() && self.groups().all(|it| it.scores.count() > 0)
    }

    /// `random in 97.0 % (91.5-99.0) of 100 games`
    fn describe_wins(&self) -> String {
        let SkillStep { against, won, games, .. } = self;
        let of = match won {
            won if won == games => format!("{games} games"),
            won => format!("the {won} of {games} games that somebody won"),
        };
        format!("{against} in {} of {of}", self.win_share().spoken())
    }

    /// How many of the games that somebody won the bot won.
    fn win_share(&self) -> Share {
        Share::of(self.wins, self.won)
    }

    /// Whether parity lies outside the interval of what the bot wins: that alone is not yet clear.
    fn seems_unequal(&self, players: u64) -> bool {
        let (share, parity) = (self.win_share(), self.parity(players));
        self.groups.is_none() && (parity < share.low || parity > share.high)
    }

    /// How often chance alone shows as much, and whether the stronger bot does better.
    fn judge_bots(&self, players: u64) -> (Likelihood, bool) {
        let Some([own, other]) = &self.groups else {
            let chance = departure_from((self.wins, self.won), (self.winners, self.won * players));
            return (chance, self.win_share().rate > self.parity(players));
        };
        let success = self.success();
        if success == Success::Score {
            let [first, second] = [own, other].map(|it| it.merits.moments());
            return (difference_of_means(&first, &second), first.mean() > second.mean());
        }
        let [first, second] = [own, other].map(|it| it.successes(success));
        let of_shares = difference_of_shares(first, second);
        let is_more = first.share().rate > second.share().rate;
        if self.groups().all(|it| it.scores.count() == 0) {
            return (of_shares, is_more);
        }
        // Games that were not lost are other games for each bot, so that all games are ranked. How often they are lost
        // counts more.
        if of_shares.among(2).is_rare() {
            return (of_shares.among(2), is_more);
        }
        let (of_ranks, is_above) = difference_of_ranks(&own.merits, &other.merits);
        (of_ranks.among(2), is_above)
    }

    fn sentence(&self, players: u64) -> String {
        let SkillStep { bot, against, .. } = self;
        if self.groups.is_some() {
            return format!("{bot} {}", self.describe_groups());
        }
        if self.won == 0 {
            return format!("nobody wins any of {} games of {bot} against {against}", self.games);
        }
        let parity = self.parity(players).percent();
        let how = if self.shared > 0 { ", alone or with others," } else { "" };
        let wins = self.win_share().spoken();
        format!("{bot} wins{how} {wins} against {against}; parity is {parity} %")
    }

    /// How one who plays alone, or all together, fare with each of the bots.
    fn describe_groups(&self) -> String {
        let (against, success) = (&self.against, self.success());
        let on = if self.is_together { "on all seats " } else { "" };
        let scores: Vec<_> = self.groups().map(|it| it.scores.moments()).collect();
        if success == Success::Score {
            let [own, other] = [0, 1].map(|at| scores[at].spoken(1));
            let games = scores[0].count;
            return format!("{on}scores {own} on average of {games} games, {against} {other}");
        }
        let shares = self.shares().unwrap_or_default();
        if success == Success::Wins && shares.iter().all(|it| it.wins == it.games) {
            return format!("{on}wins every game, {against} too");
        }
        let [own, other] = shares.map(|it| it.share().spoken());
        let told = match success {
            Success::NotBeaten => format!("{on}is not beaten in {own}, {against} in {other}"),
            _ => format!("{on}wins {own}, {against} {other}"),
        };
        if !self.has_scores() {
            return told;
        }
        let when = if success == Success::NotBeaten { "then" } else { "else" };
        let [own, other] = [0, 1].map(|at| scores[at].mean().places(1));
        format!("{told}; {when} it scores {own} on average, {against} {other}")
    }
}

/// How bots that think do against others, in a sentence for each of them; nothing of those whose games nobody wins. All
/// findings are judged together.
pub(crate) fn describe_strengths(of_bots: &[Vec<SkillStep>], players: u64) -> Vec<String> {
    let steps = of_bots.iter().flatten();
    let mut clear = clear_steps(steps, players).into_iter();
    let told = of_bots.iter().filter_map(|steps| {
        let judged: Vec<_> = steps.iter().zip(clear.by_ref()).collect();
        describe_strength(&judged, players)
    });
    told.collect()
}

/// Whether each step is a clear one, up or down.
fn clear_steps<'s>(steps: impl Iterator<Item = &'s SkillStep>, players: u64) -> Vec<Option<bool>> {
    let judged: Vec<(Likelihood, bool)> = steps.map(|step| step.judge_bots(players)).collect();
    let chances: Vec<Likelihood> = judged.iter().map(|(chance, _)| *chance).collect();
    let standing = holm_rejects(&chances).into_iter().zip(judged);
    standing.map(|(stands, (_, is_better))| stands.then_some(is_better)).collect()
}

/// How often a bot beats others, of the games that somebody won.
fn describe_strength(judged: &[(&SkillStep, Option<bool>)], players: u64) -> Option<String> {
    let (first, _) = judged.first()?;
    if judged.iter().any(|(step, _)| step.is_together) {
        let told: Vec<String> = judged.iter().map(|(step, _)| step.sentence(players)).collect();
        return Some(format!("Together, {}.", told.join("; ")));
    }
    let told: Vec<_> = judged.iter().filter(|(step, _)| step.won > 0).collect();
    let clauses = [
        (Some(true), "beats", ""),
        (None, "wins against", ", not clearly more than parity"),
        (Some(false), "wins against", ", clearly less than parity"),
    ];
    let clauses = clauses.into_iter().filter_map(|(wanted, verb, how)| {
        let of_verb = told.iter().filter(|(_, clear)| *clear == wanted);
        let names: Vec<String> = of_verb.map(|(step, _)| step.describe_wins()).collect();
        (!names.is_empty()).then(|| format!("which {verb} {}{how}", list_words(&names)))
    });
    let clauses: Vec<String> = clauses.collect();
    let mut parities: Vec<String> =
        told.iter().map(|(step, _)| format!("{} %", step.parity(players).percent())).collect();
    parities.dedup();
    (!told.is_empty()).then(|| {
        let (bot, parity) = (&first.bot, list_words(&parities));
        format!("Played by {bot}, {}; parity is {parity}.", clauses.join(", "))
    })
}

fn parity(players: u64) -> Millionths {
    Millionths::ratio(1, players.max(1).into())
}

fn answers(steps: &[SkillStep], players: u64) -> Vec<String> {
    let Some(whole) = steps.first() else { return Vec::new() };
    let clear = clear_steps(steps.iter(), players);
    let verdict = match clear[0] {
        Some(true) => "Skill matters",
        Some(false) => "Thinking loses",
        None if whole.is_few() => "Too few games to tell",
        None if whole.seems_unequal(players) => "Not clear yet whether skill matters",
        None => "Skill does not show",
    };
    let mut answers = vec![format!("{verdict}: {}.", whole.sentence(players))];
    if whole.won < whole.games && whole.groups.is_none() {
        let nobody = Share::of(whole.games - whole.won, whole.games).spoken();
        answers.push(format!("Nobody wins {nobody} of these games."));
    }
    for (step, clear) in steps.iter().zip(clear).skip(1) {
        let verdict = match clear {
            Some(true) => "A step up",
            Some(false) => "A step down",
            None if step.seems_unequal(players) => "Not yet a clear step",
            None => "No clear step",
        };
        answers.push(format!("{verdict}: {}.", step.sentence(players)));
    }
    answers
}

fn skill_rows(steps: &[SkillStep]) -> Vec<Vec<String>> {
    let success = success_of(steps);
    let is_of_groups = steps.iter().any(|step| step.groups.is_some());
    let has_scores = steps.iter().any(SkillStep::has_scores);
    let heads: &[&str] = match success {
        _ if !is_of_groups => &["wins", "95 %", "won by nobody"],
        Success::Score => &["mean score", "of the other"],
        Success::NotBeaten => &["not beaten", "of the other", "mean score", "of the other"],
        Success::Wins if has_scores => &["wins", "of the other", "mean score", "of the other"],
        Success::Wins => &["wins", "95 %", "of the other", "95 %"],
    };
    let heads = ["bot", "against", "games"].iter().chain(heads);
    let mut rows = vec![heads.map(|head| (*head).to_owned()).collect()];
    rows.extend(steps.iter().map(|step| {
        let mut row = vec![step.bot.clone(), step.against.clone(), step.games.to_string()];
        let shares = step.groups().map(|it| it.successes(success).share());
        if !is_of_groups {
            let (share, nobody) = (step.win_share(), step.games - step.won);
            row.extend([share.percent(), share.interval(), nobody.to_string()]);
        } else if success == Success::Wins && !has_scores {
            row.extend(shares.flat_map(|share| [share.percent(), share.interval()]));
        } else {
            row.extend(shares.filter(|_| success != Success::Score).map(Share::percent));
            row.extend(step.groups().map(|it| it.scores.mean().places(2)));
        }
        row
    }));
    rows
}
