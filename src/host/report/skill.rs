//! Says whether stronger bots win more than weaker ones, on every seat.

use serde_json::json;

use super::rows::{align_columns, number_to_json, share_to_json};
use crate::chance::Seed;
use crate::game::Game;
use crate::host::gate::escape_csv_cell;
use crate::simulate::{
    FEWEST, Histogram, Millionths, SeatWins, Share, Tally, departure_from, difference_of_means,
    difference_of_shares,
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
    scores: [Histogram; 2],
    /// How often one who plays alone, or all together, won, or were not beaten where a score counts: with the bot, and
    /// with the other.
    groups: Option<[SeatWins; 2]>,
    is_together: bool,
    /// Whether the lowest score is best.
    lowest: bool,
}

pub(crate) fn format_table(game: &Game, steps: &[SkillStep], seed: Seed) -> String {
    let players = game.info().players as u64;
    let mut text = format!("{} · does skill matter? · seed {seed}\n\n", game.info().title);
    answers(steps, players).iter().for_each(|answer| text.extend([answer, "\n"]));
    text + "\n" + &align_columns(&skill_rows(steps, players))
}

pub(crate) fn format_json(game: &Game, steps: &[SkillStep], seed: Seed) -> String {
    let players = game.info().players as u64;
    let objects = steps.iter().map(|step| {
        let mut object = json!({
            "bot": step.bot, "against": step.against, "games": step.games,
            "wins": step.wins, "won_by_any": step.won, "win_rate": share_to_json(step.win_share()),
        });
        if step.has_scores() {
            object["scores"] = step.scores.iter().map(|it| number_to_json(it.mean())).collect();
        }
        if let Some(groups) = step.groups {
            object[if step.is_together { "together" } else { "alone" }] =
                groups.iter().map(|it| share_to_json(it.share())).collect();
        }
        object
    });
    let value = json!({
        "game": game.info().title, "players": players, "seed": seed.0, "answers": answers(steps, players),
        "parity": number_to_json(steps.first().map_or(parity(players), |it| it.parity(players))),
        "steps": objects.collect::<Vec<_>>(),
    });
    format!("{value}\n")
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
        let alone = tally.wins.len() == 1;
        self.lowest |= tally.lowest;
        if alone || self.is_together() {
            self.scores[seat].merge(&tally.scores[0]);
            let wins = if tally.shared.scored > 0 || tally.scores[0].count() > 0 {
                tally.not_lost()
            } else {
                tally.won()
            };
            let groups = self.groups.get_or_insert_default();
            groups[seat].merge(&SeatWins { games: tally.playouts, wins });
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

    /// Whether a game without partners or opponents can be lost, or not won.
    fn is_beatable(&self) -> bool {
        self.groups.iter().flatten().any(|group| group.wins < group.games)
    }

    /// Whether no difference could be clear.
    fn is_few(&self) -> bool {
        let few = |games: u64| games < FEWEST;
        self.groups.map_or(few(self.games), |groups| groups.iter().any(|group| few(group.games)))
    }

    /// What a seat wins of the games that are won if all are equal: with partners more than one of all seats.
    fn parity(&self, players: u64) -> Millionths {
        match self.won {
            0 => parity(players),
            won => Millionths::ratio(self.winners.into(), i128::from(won * players)),
        }
    }

    fn has_scores(&self) -> bool {
        self.scores.iter().all(|it| it.count() > 0)
    }

    /// How many of the games that somebody won the bot won.
    fn win_share(&self) -> Share {
        Share::of(self.wins, self.won)
    }

    /// True if the stronger bot is clearly better, false if clearly worse; none otherwise.
    fn judge_bots(&self, players: u64) -> Option<bool> {
        if let Some([own, other]) = self.groups
            && self.is_beatable()
        {
            let is_clear = difference_of_shares(own, other).is_rare();
            if is_clear || !self.has_scores() {
                return is_clear.then_some(own.share().rate > other.share().rate);
            }
        }
        let (chance, is_better) = if players == 1 || self.has_scores() {
            let [own, other] = [&self.scores[0], &self.scores[1]].map(Histogram::moments);
            let is_better =
                if self.lowest { own.mean() < other.mean() } else { own.mean() > other.mean() };
            (difference_of_means(&own, &other), is_better)
        } else {
            let chance = departure_from((self.wins, self.won), (self.winners, self.won * players));
            (chance, self.win_share().rate > self.parity(players))
        };
        chance.is_rare().then_some(is_better)
    }

    fn sentence(&self, players: u64) -> String {
        let SkillStep { bot, against, .. } = self;
        let on = if self.is_together() { "on all seats " } else { "" };
        let groups = self.groups.filter(|_| self.is_beatable());
        let shares = groups.map(|groups| groups.map(|it| it.share().spoken()));
        let scores = || [0, 1].map(|at| self.scores[at].mean().places(1));
        let result = match shares {
            Some([own, other]) if self.has_scores() => {
                let [score, score_of_other] = scores();
                format!(
                    "{on}is not beaten in {own}, {against} in {other}; then it scores {score} on average, {against} \
                     {score_of_other}"
                )
            }
            Some([own, other]) if self.scores.iter().any(|it| it.count() > 0) => {
                format!("{on}is not beaten in {own}, {against} in {other}")
            }
            Some([own, other]) => format!("{on}wins {own}, {against} {other}"),
            None if players == 1 || self.has_scores() => {
                let [own, other] = [0, 1].map(|at| self.scores[at].moments());
                let [own, other] = [own, other].map(|it| it.spoken(1));
                let games = self.scores[0].count();
                format!("{on}scores {own} on average of {games} games, {against} {other}")
            }
            None if self.is_together() => format!("{on}wins every game, {against} too"),
            None if self.won == 0 => {
                return format!(
                    "nobody wins any of {} games of {bot} against {against}",
                    self.games
                );
            }
            None => {
                let parity = self.parity(players).percent();
                let how = if self.shared > 0 { ", alone or with others," } else { "" };
                format!(
                    "wins{how} {} against {against}; parity is {parity} %",
                    self.win_share().spoken()
                )
            }
        };
        format!("{bot} {result}")
    }
}

/// How often a bot beats others, of the games that somebody won; nothing if nobody ever wins.
pub(crate) fn describe_strength(steps: &[SkillStep]) -> Option<String> {
    if steps.iter().any(SkillStep::is_together) {
        let told: Vec<String> = steps.iter().map(|step| step.sentence(2)).collect();
        return Some(format!("Together, {}.", told.join("; ")));
    }
    let told = steps.iter().filter(|step| step.won > 0);
    let told: Vec<String> = told
        .map(|step| {
            let SkillStep { against, won, games, .. } = step;
            let of = if won == games {
                format!("{games} games")
            } else {
                format!("the {won} of {games} games that somebody won")
            };
            format!("{against} in {} of {of}", step.win_share().spoken())
        })
        .collect();
    let first = steps.first()?;
    (!told.is_empty())
        .then(|| format!("Played by {}, which beats {}.", first.bot, list_words(&told)))
}

fn parity(players: u64) -> Millionths {
    Millionths::ratio(1, players.max(1).into())
}

fn answers(steps: &[SkillStep], players: u64) -> Vec<String> {
    let Some(whole) = steps.first() else { return Vec::new() };
    let verdict = match whole.judge_bots(players) {
        Some(true) => "Skill matters",
        Some(false) => "Thinking loses",
        None if whole.is_few() => "Too few games to tell",
        None => "Skill does not show",
    };
    let mut answers = vec![format!("{verdict}: {}.", whole.sentence(players))];
    if whole.won < whole.games && players > 1 && !whole.is_together() {
        let nobody = Share::of(whole.games - whole.won, whole.games).spoken();
        answers.push(format!("Nobody wins {nobody} of these games."));
    }
    for step in steps.iter().skip(1) {
        let verdict = match step.judge_bots(players) {
            Some(true) => "A step up",
            Some(false) => "A step down",
            None => "No clear step",
        };
        answers.push(format!("{verdict}: {}.", step.sentence(players)));
    }
    answers
}

fn skill_rows(steps: &[SkillStep], players: u64) -> Vec<Vec<String>> {
    let is_beatable = steps.iter().any(SkillStep::is_beatable);
    let scores = steps.iter().any(SkillStep::has_scores) || players == 1 && !is_beatable;
    let heads: &[&str] = if scores && is_beatable {
        &["bot", "against", "games", "not beaten", "of the other", "mean score", "of the other"]
    } else if scores {
        &["bot", "against", "games", "mean score", "of the other"]
    } else if steps.iter().any(|step| step.groups.is_some()) {
        &["bot", "against", "games", "wins", "95 %", "of the other", "95 %"]
    } else {
        &["bot", "against", "games", "wins", "95 %", "won by nobody"]
    };
    let mut rows = vec![heads.iter().map(|head| (*head).to_owned()).collect()];
    rows.extend(steps.iter().map(|step| {
        let mut row = vec![step.bot.clone(), step.against.clone(), step.games.to_string()];
        if scores {
            let groups = step.groups.filter(|_| is_beatable);
            row.extend(groups.iter().flatten().map(|it| it.share().percent()));
            row.extend(step.scores.iter().map(|it| it.mean().places(2)));
        } else if let Some(groups) = step.groups {
            let shares = groups.map(SeatWins::share);
            row.extend(shares.iter().flat_map(|share| [share.percent(), share.interval()]));
        } else {
            let (share, nobody) = (step.win_share(), step.games - step.won);
            row.extend([share.percent(), share.interval(), nobody.to_string()]);
        }
        row
    }));
    rows
}
