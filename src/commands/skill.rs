//! `astragal simulate --skill`: lets each bot play a weaker one, on every seat.

use crate::bots::{Analysis, BotKind};
use crate::chance::Seed;
use crate::commands::args::{Simulate, TableFormat};
use crate::commands::simulate::{
    load_settings, parse_seats, show_mistake, threads, wanted_playouts,
};
use crate::game::Game;
use crate::host::exit::{Exit, Failure};
use crate::host::report::output_formats::{at_decisions, draw_line_errors};
use crate::host::report::skill::{
    SkillStep, csv, describe_strengths, format_json, format_table, line_errors,
};
use crate::host::{opening::seed_or, progress, screen::Screen};
use crate::progress::Progress;
use crate::simulate::{Batch, Broken, simulate as play};

/// Fewer games say little of how good a player is.
const FEWEST: u64 = 10;

/// How many games each pair plays if nobody says how many.
const GAMES: u64 = 200;

pub(super) fn skill(command: &Simulate, screen: &mut Screen) -> Result<Exit, Failure> {
    let game = load_settings(command, screen)?.remove(0);
    let ladder =
        command.skill.iter().map(|word| Ok(parse_seats(std::slice::from_ref(word), &game)?[0]));
    let mut ladder: Vec<BotKind> = ladder.collect::<Result<_, Failure>>()?;
    if ladder.len() == 1 {
        ladder.insert(0, BotKind::Random);
    }
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
        let wanted = command.playouts.unwrap_or(GAMES);
        match play_step(command, &analysis, pair, (wanted, seed)) {
            Ok(step) => steps.push(step),
            Err(broken) => return show_mistake(broken, std::slice::from_ref(&game), seed, screen),
        }
    }
    steps.retain(|step| step.games > 0);
    match command.format {
        TableFormat::Table => screen.print_text(&format_table(&game, &steps, seed))?,
        TableFormat::Json => screen.print_json(&format_json(&game, &steps, seed))?,
        TableFormat::Csv => screen.print_text(&csv(&steps))?,
    }
    draw_line_errors(&line_errors(&steps), at_decisions, game.sources(), screen)?;
    if progress::WORK.is_stopped() {
        screen.flush()?;
        screen.print_note("broken off: not all games were played")?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Fine)
}

/// So many times fewer games than are simulated tell how good their players are, and at most so many against one.
const FEWER: u64 = 10;
const MOST: u64 = 400;

/// How good those who think are, in a sentence each: against chance, and against the strategies of the file. Where few
/// games are played, nothing is said.
pub(super) fn strengths(
    command: &Simulate,
    game: &Game,
    seats: &[BotKind],
    seed: Seed,
) -> Result<Vec<String>, Broken> {
    let mut thinkers: Vec<BotKind> =
        seats.iter().copied().filter(|kind| kind.takes_time()).collect();
    thinkers.dedup();
    let strategies = (0..).take(game.rules().strategies.len()).map(BotKind::Strategy);
    let others: Vec<BotKind> = [BotKind::Random].into_iter().chain(strategies).collect();
    let pairs = (thinkers.len() * others.len()) as u64;
    let Some(wanted) = (wanted_playouts(command) / FEWER).checked_div(pairs) else {
        return Ok(Vec::new());
    };
    let players = game.info().players as u64;
    if wanted < players.max(FEWEST) || players == 1 {
        return Ok(Vec::new());
    }
    let (analysis, mut steps_of) = ([Analysis::new(game.clone())], Vec::new());
    for thinker in thinkers {
        let steps = others.iter().take_while(|_| !progress::WORK.is_stopped()).map(|other| {
            play_step(command, &analysis, (*other, thinker), (wanted.min(MOST), seed.next_seed()))
        });
        steps_of.push(steps.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(describe_strengths(&steps_of, players))
}

/// Lets a bot play on each seat in turn.
fn play_step(
    command: &Simulate,
    games: &[Analysis],
    (weak, strong): (BotKind, BotKind),
    (wanted, seed): (u64, Seed),
) -> Result<SkillStep, Broken> {
    let game = games[0].game();
    let players = game.info().players;
    let mut each = wanted.div_ceil(players as u64);
    let words = [strong, weak].map(|kind| kind.word(game));
    let mut step = SkillStep::default();
    [step.bot, step.against] = words.clone();
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
    let mut number = 0;
    while let Some((seat, seats)) = tables.get(number) {
        let threads = threads(command);
        let batch = Batch { games, seats, seed, threads, clock, records: false, checks: false };
        let progress = Progress::new();
        let done = number as u64 * each;
        number += 1;
        let line = || {
            let [bot, against] = &words;
            format!("{bot} against {against}: {} of {wanted} games", done + progress.done())
        };
        // No game of one seat is that of another: the seeds follow each other.
        let first = if players == 1 || step.is_together() { 0 } else { done };
        let played = progress::watch_work(&progress, None, line, || {
            play(batch, first..first + each, &progress)
        })?;
        let Some(tally) = played.tallies.first() else { continue };
        if tally.teams.is_one() && players > 1 && !step.is_together() {
            // Who plays together wins together: all are as strong, or as weak.
            step.begin_together();
            tables = vec![(0, vec![strong; players]), (1, vec![weak; players])];
            (number, each) = (0, wanted);
            continue;
        }
        step.add_tally(tally, *seat);
    }
    Ok(step)
}
