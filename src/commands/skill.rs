//! `astragal simulate --skill`: whether stronger bots win more than weaker ones, on every seat.

use std::fmt::Write as _;

use serde_json::json;

use super::args::{Simulate, TableFormat};
use super::simulate::{load_settings, parse_seats, show_mistake, threads};
use crate::bots::{Analysis, BotKind};
use crate::chance::Seed;
use crate::game::Game;
use crate::host::exit::{Exit, Failure};
use crate::host::report::rows::{align_columns, number_to_json, share_to_json};
use crate::host::{gate::escape_csv_cell, opening::seed_or, progress, screen::Screen};
use crate::progress::Progress;
use crate::simulate::{
    Batch, Broken, Histogram, Millionths, Share, Tally, departure, difference_of_means,
    simulate as play,
};

/// How many games each pair plays if nobody says how many.
const GAMES: u64 = 200;

/// A bot against a weaker one on all other seats. Somebody who plays alone is compared with the
/// weaker one's scores.
#[derive(Default)]
struct SkillStep {
    bot: String,
    against: String,
    games: u64,
    /// How many of them the bot won alone, and how many anybody did.
    wins: u64,
    won: u64,
    scores: [Histogram; 2],
}

pub(super) fn skill(command: &Simulate, screen: &mut Screen) -> Result<Exit, Failure> {
    let game = load_settings(command, screen)?.remove(0);
    let ladder =
        command.skill.iter().map(|word| Ok(parse_seats(std::slice::from_ref(word), &game)?[0]));
    let ladder: Vec<BotKind> = ladder.collect::<Result<_, Failure>>()?;
    let seed = seed_or(command.seed.map(Seed))?;
    let analysis = [Analysis::new(game.clone())];
    let mut pairs: Vec<(BotKind, BotKind)> = ladder.windows(2).map(|it| (it[0], it[1])).collect();
    // How far the whole ladder reaches says more than its steps.
    if let (Some(first), Some(last), true) = (ladder.first(), ladder.last(), pairs.len() > 1) {
        pairs.insert(0, (*first, *last));
    }
    progress::begin_work();
    let mut steps = Vec::new();
    for pair in pairs {
        if progress::WORK.is_stopped() {
            break;
        }
        match play_step(command, &analysis, pair, seed) {
            Ok(step) => steps.push(step),
            Err(broken) => return show_mistake(broken, std::slice::from_ref(&game), seed, screen),
        }
    }
    steps.retain(|step| step.games > 0);
    print_skill(command.format, &game, &steps, seed, screen)?;
    if progress::WORK.is_stopped() {
        screen.flush()?;
        screen.print_note("broken off: not all games were played")?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Fine)
}

fn print_skill(
    layout: TableFormat,
    game: &Game,
    steps: &[SkillStep],
    seed: Seed,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let (title, players) = (&game.info().title, game.info().players as u64);
    let answers = answers(steps, players);
    match layout {
        TableFormat::Table => {
            screen.print_line(&format!("{title} · does skill matter? · seed {seed}\n"))?;
            answers.iter().try_for_each(|answer| screen.print_line(answer))?;
            screen.print_text(&format!("\n{}", align_columns(&skill_rows(steps, players))))?;
        }
        TableFormat::Json => {
            let steps = steps.iter().map(|step| {
                let mut object = json!({
                    "bot": step.bot, "against": step.against, "games": step.games,
                    "wins": step.wins, "won_by_any": step.won, "win_rate": share_to_json(step.win_share()),
                });
                if players == 1 {
                    object["scores"] = step.scores.iter().map(|it| number_to_json(it.mean())).collect();
                }
                object
            });
            let value = json!({
                "game": title, "players": players, "seed": seed.0, "answers": answers,
                "parity": number_to_json(parity(players)), "steps": steps.collect::<Vec<_>>(),
            });
            screen.print_json(&format!("{value}\n"))?;
        }
        TableFormat::Csv => {
            let mut text = "bot,against,games,wins,won_by_any\n".to_owned();
            for SkillStep { bot, against, games, wins, won, .. } in steps {
                let (bot, against) = (escape_csv_cell(bot), escape_csv_cell(against));
                writeln!(text, "{bot},{against},{games},{wins},{won}").expect("a string grows");
            }
            screen.print_text(&text)?;
        }
    }
    Ok(())
}

/// Lets a bot play on each seat in turn.
fn play_step(
    command: &Simulate,
    games: &[Analysis],
    (weak, strong): (BotKind, BotKind),
    seed: Seed,
) -> Result<SkillStep, Broken> {
    let game = games[0].game();
    let players = game.info().players;
    let wanted = command.playouts.unwrap_or(GAMES);
    let each = wanted.div_ceil(players as u64);
    let words = [strong, weak].map(|kind| kind.word(game));
    let [bot, against] = words.clone();
    let mut step = SkillStep { bot, against, ..SkillStep::default() };
    let clock = progress::milliseconds;
    let seats_of = |seat: usize, own: BotKind, others: BotKind| -> Vec<BotKind> {
        (0..players).map(|at| if at == seat { own } else { others }).collect()
    };
    // Somebody who plays alone plays the same games once by each bot.
    let mut tables: Vec<(usize, Vec<BotKind>)> =
        (0..players).map(|seat| (seat, seats_of(seat, strong, weak))).collect();
    if players == 1 {
        tables.push((1, vec![weak]));
    }
    for (number, (seat, seats)) in tables.iter().enumerate() {
        let threads = threads(command);
        let batch = Batch { games, seats, seed, threads, clock, records: false, checks: false };
        let progress = Progress::new();
        let done = number as u64 * each;
        let line = || {
            let [bot, against] = &words;
            format!("{bot} against {against}: {} of {wanted} games", done + progress.done())
        };
        // No game of one seat is that of another: the seeds follow each other.
        let first = if players == 1 { 0 } else { done };
        let played = progress::watch_work(&progress, None, line, || {
            play(batch, first..first + each, &progress)
        })?;
        let Some(tally) = played.tallies.first() else { continue };
        step.add_tally(tally, *seat);
    }
    Ok(step)
}

impl SkillStep {
    fn add_tally(&mut self, tally: &Tally, seat: usize) {
        let alone = tally.wins.len() == 1;
        if alone {
            self.scores[seat].merge(&tally.scores[0]);
        }
        if seat < tally.wins.len() {
            self.games += tally.playouts;
            self.wins += tally.wins[seat];
            self.won += tally.wins.iter().sum::<u64>();
        }
    }

    /// How many of the games that somebody won the bot won.
    fn win_share(&self) -> Share {
        Share::of(self.wins, self.won)
    }

    /// Whether the stronger bot does clearly better, or worse.
    fn judge_bots(&self, players: u64) -> Option<bool> {
        let (chance, is_better) = if players == 1 {
            let [own, other] = [&self.scores[0], &self.scores[1]].map(Histogram::moments);
            (difference_of_means(&own, &other), own.mean() > other.mean())
        } else {
            let chance = departure((self.wins, self.won), players);
            (chance, self.win_share().rate > parity(players))
        };
        chance.is_rare().then_some(is_better)
    }

    fn sentence(&self, players: u64) -> String {
        let SkillStep { bot, against, .. } = self;
        let result = if players == 1 {
            let [own, other] = [0, 1].map(|at| self.scores[at].mean().places(1));
            format!("scores {own} on average, {against} {other}")
        } else {
            let parity = parity(players).percent();
            format!("wins {} against {against}; parity is {parity} %", self.win_share().spoken())
        };
        format!("{bot} {result}")
    }
}

fn parity(players: u64) -> Millionths {
    Millionths::ratio(1, players.max(1).into())
}

fn answers(steps: &[SkillStep], players: u64) -> Vec<String> {
    let Some(whole) = steps.first() else { return Vec::new() };
    let verdict = match whole.judge_bots(players) {
        Some(true) => "Skill matters",
        Some(false) => "Thinking loses",
        None => "Skill does not show",
    };
    let mut answers = vec![format!("{verdict}: {}.", whole.sentence(players))];
    if whole.won < whole.games && players > 1 {
        let nobody = Share::of(whole.games - whole.won, whole.games).spoken();
        answers.push(format!("Nobody wins {nobody} of these games alone."));
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
    let heads: &[&str] = match players {
        1 => &["bot", "against", "games", "mean score", "of the other"],
        _ => &["bot", "against", "games", "wins", "95 %", "won by nobody"],
    };
    let mut rows = vec![heads.iter().map(|head| (*head).to_owned()).collect()];
    rows.extend(steps.iter().map(|step| {
        let mut row = vec![step.bot.clone(), step.against.clone(), step.games.to_string()];
        if players == 1 {
            row.extend(step.scores.iter().map(|it| it.mean().places(2)));
        } else {
            let (share, nobody) = (step.win_share(), step.games - step.won);
            row.extend([share.percent(), share.interval(), nobody.to_string()]);
        }
        row
    }));
    rows
}
