//! `astragal simulate` and `astragal merge`: many games by bots, and the sum of several such runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Parser;

use crate::bots::{Analysis, BotKind};
use crate::chance::Seed;
use crate::commands::args::{Arguments, Command, Merge, Simulate, TableFormat};
use crate::commands::{engine, random_games::flags, skill};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::host::exit::{Exit, Failure};
use crate::host::files::{self, TableSetup};
use crate::host::report::results::{self, ResultHead, ResultRun, Results, fingerprint};
use crate::host::report::{game_records, html_report, output_formats};
use crate::host::writing::{self, OutputFile, Overwrite};
use crate::host::{
    bots, command_line::command_line, error::HostError, opening::seed_or, progress, screen::Screen,
};
use crate::progress::Progress;
use crate::simulate::{
    Batch, Broken, CountedError, LineErrors, Millionths, SeatWins, Share, Simulated,
    simulate as play,
};
use crate::source::Sources;

/// How many games are played if nobody says how many.
const PLAYOUTS: u64 = 10_000;

/// How often the counts are written into the file of `--out`, in milliseconds.
const BETWEEN: u64 = 5_000;

/// After how many games `--until` looks whether they are enough.
const STEP: u64 = 1_000;

/// How many threads are begun at most, where there are not more cores.
const MOST_THREADS: usize = 8;

pub(super) fn simulate(command: &Simulate, screen: &mut Screen) -> Result<Exit, Failure> {
    if !command.skill.is_empty() {
        return skill::skill(command, screen);
    }
    let overwrite = Overwrite::flag(command.force);
    let baseline = command.baseline.as_deref().map(results::read_counts).transpose()?;
    // Hours of work should not end with a file that is not replaced.
    if let Some(path) = &command.report {
        writing::check_writable(path, html_report::FORM, &overwrite)?;
    }
    if let Some(path) = &command.games {
        writing::check_writable(path, game_records::FORM, &overwrite)?;
    }
    let games = load_settings(command, screen)?;
    let seats = parse_seats(&command.seats, &games[0])?;
    let (mut results, mut out) = begin_simulation(command, &games, &seats)?;
    if command.format == TableFormat::Table && command.shard.is_none() && !command.resume {
        let seed = Seed(results.head.seed);
        // A mistake in the rules shows in the games of the simulation, too.
        progress::begin_work();
        results.strengths = skill::strengths(command, &games[0], &seats, seed).unwrap_or_default();
        if progress::WORK.is_stopped() {
            return stopped(command, &results, screen);
        }
    }
    if let (Some(old), Some(path)) = (baseline, &command.baseline) {
        let file = path.display().to_string();
        if old.head.names.len() != results.head.names.len() {
            return Err(HostError::OtherBaseline { path: file }.into());
        }
        results.baseline = Some((file, Box::new(old)));
    }
    let how = play_fastest(command, &games, &seats, (&mut results, out.as_mut()), screen)?;
    print_results(&results, command.format, screen)?;
    how.map_or(Ok(()), |how| screen.print_note(&how))?;
    write_report(command.report.as_deref(), &results, &overwrite)?;
    if let Some(path) = &command.games {
        game_records::write_records(path, &results, &overwrite)?;
    }
    if results.ranges[0].0 == results.ranges[0].1 {
        screen.print_note("this part has no games: there are more parts than games")?;
    }
    let finished = results.played.next >= results.ranges[0].1 || is_known(command, &results);
    if !finished {
        return stopped(command, &results, screen);
    }
    let mut errors = LineErrors::default();
    results.played.tallies.iter().for_each(|tally| errors.merge(&tally.line_errors));
    let when = |it: &CountedError| {
        let (decisions, seed) = (output_formats::at_decisions(it), results.head.seed);
        format!("{decisions}; first in playout {} of seed {seed}, counted from 0", it.playout)
    };
    output_formats::draw_line_errors(&errors, when, &results.sources, screen)?;
    let kept = output_formats::draw_unkept(&results, screen)?;
    Ok(if kept { Exit::Fine } else { Exit::No })
}

/// What random bots make of a game with its default setting.
pub(super) fn random_playouts(
    game: &str,
    playouts: u64,
    screen: &mut Screen,
) -> Result<Results, Failure> {
    let playouts = playouts.to_string();
    let words = ["astragal", "simulate", "--seed", "1", "-n", &playouts, "--", game];
    let Ok(Arguments { command: Command::Simulate(command), .. }) =
        Arguments::try_parse_from(words)
    else {
        unreachable!("these words are right");
    };
    let games = load_settings(&command, screen)?;
    let seats = parse_seats(&command.seats, &games[0])?;
    let (mut results, _) = begin_simulation(&command, &games, &seats)?;
    play_fastest(&command, &games, &seats, (&mut results, None), screen)?;
    Ok(results)
}

/// Plays to the end. Returns a note about the engine if the command names one. The mistake of a playout ends the command.
fn play_fastest(
    command: &Simulate,
    games: &[Game],
    seats: &[BotKind],
    (results, out): (&mut Results, Option<&mut OutputFile>),
    screen: &mut Screen,
) -> Result<Option<String>, Failure> {
    progress::begin_work();
    let seed = results.head.seed;
    // Which operations are passed is counted; where bots think, they take the time.
    let counted = seats.iter().all(|kind| matches!(kind, BotKind::Random | BotKind::First));
    let work = || play_batches(command, games, seats, results, out);
    let (done, how) = engine::over(command.engine, games, counted, work);
    let Err(broken) = done? else { return Ok(how) };
    let again = play_again(command, &broken, &games[broken.game], seats, seed);
    let exit = show_mistake(broken, games, Seed(seed), screen)?;
    again.map_or(Ok(()), |again| screen.print_note(&again))?;
    Err(Failure::Said(exit))
}

fn print_results(
    results: &Results,
    layout: TableFormat,
    screen: &mut Screen,
) -> Result<(), Failure> {
    match layout {
        TableFormat::Table => {
            screen.print_text(&output_formats::format_table(results))?;
            output_formats::draw_coverage(results, screen)
        }
        TableFormat::Json => Ok(screen.print_json(&output_formats::format_json(results))?),
        TableFormat::Csv => Ok(screen.print_text(&output_formats::csv(results))?),
    }
}

/// Writes the report of results, where one is wanted.
fn write_report(
    path: Option<&Path>,
    results: &Results,
    overwrite: &Overwrite,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let page = html_report::render_report(results);
    Ok(writing::write_file(path, &page, html_report::FORM, overwrite)?)
}

/// The command that shows a playout at the table; none where a measure stopped it, which is not played.
fn play_again(
    command: &Simulate,
    broken: &Broken,
    game: &Game,
    seats: &[BotKind],
    seed: u64,
) -> Option<String> {
    let line = |span| game.sources().find(span).map(|it| (&it.name, it.place(span.start).line));
    let place = line(broken.trap.span());
    if game.rules().measures.iter().any(|it| line(it.rule.span) == place) {
        return None;
    }
    let seats = seats
        .iter()
        .zip(1..)
        .flat_map(|(kind, seat)| ["--seat".to_owned(), format!("{seat}={}", kind.word(game))]);
    let words = ["play".to_owned(), command.game.clone()].into_iter().chain(seats);
    let flags = flags(game.rules(), game.setting(), Seed(seed));
    let playout = match broken.number {
        0 => String::new(),
        number => format!(" --playout {number}"),
    };
    Some(format!("to see it: {} {flags}{playout}", command_line(words)))
}

/// Shows the mistake that stopped a playout, and in which it was.
pub(super) fn show_mistake(
    Broken { trap, number, game }: Broken,
    games: &[Game],
    seed: Seed,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    screen.report_findings(games[game].sources(), &Diagnostics::of(trap))?;
    screen.print_note(&format!("this is playout {number} of seed {seed}, counted from 0"))?;
    Ok(Exit::No)
}

/// The game, under each combination of the values of the options that are varied.
pub(super) fn load_settings(command: &Simulate, screen: &mut Screen) -> Result<Vec<Game>, Failure> {
    let found = screen.find_game(&command.game)?;
    screen.note_namesake(&found)?;
    let mut settings = vec![command.table.options.clone()];
    for (option, values) in &command.vary {
        let each = settings.iter().flat_map(|options| {
            values.split(',').map(|value| {
                let others = options.iter().filter(|(name, _)| name != option).cloned();
                others.chain([(option.clone(), value.trim().to_owned())]).collect()
            })
        });
        settings = each.collect();
    }
    let mut seen = BTreeSet::new();
    settings.retain(|options: &Vec<(String, String)>| seen.insert(options.clone()));
    let game = |options| {
        let table = TableSetup { options, ..command.table.setup() };
        let game = files::load_game(&found, &table, Sources::default())?;
        let Some(off) = command.without else { return Ok(game) };
        game.without(off).map_err(|found| files::refuse_findings(game.sources(), found))
    };
    let mut games: Vec<Game> = settings.into_iter().map(game).collect::<Result<_, _>>()?;
    for game in &mut games {
        *game =
            bots::load_bot_files(game, &found, command.seats.iter().chain(&command.skill), screen)?;
    }
    games.first().map_or(Ok(()), |game| screen.warn_of_signs(game.sources()))?;
    Ok(games)
}

pub(super) fn parse_seats(words: &[String], game: &Game) -> Result<Vec<BotKind>, HostError> {
    let players = game.info().players;
    let unknown = |word: &String| HostError::Bot { bot: word.clone(), known: BotKind::words(game) };
    let kind = |word: &String| BotKind::from_word(word.trim(), game).ok_or_else(|| unknown(word));
    let kinds = words.iter().map(kind).collect::<Result<Vec<BotKind>, HostError>>()?;
    match kinds.as_slice() {
        [kind] => Ok(vec![*kind; players]),
        _ if kinds.len() == players => Ok(kinds),
        _ => Err(HostError::Bots { given: kinds.len(), players }),
    }
}

/// A simulation before its first playout, or as far as a file has it.
fn begin_simulation(
    command: &Simulate,
    games: &[Game],
    seats: &[BotKind],
) -> Result<(Results, Option<OutputFile>), Failure> {
    let overwrite = Overwrite::flag(command.force);
    let kept = match &command.out {
        Some(path) if command.resume => Some((path, results::reopen(path, &overwrite)?)),
        _ => None,
    };
    let written = kept.as_ref().map(|(_, (_, kept))| Seed(kept.head.seed));
    let seed = seed_or(command.seed.map(Seed).or(written))?;
    let range = shard_range(command);
    let varied = command.vary.iter().map(|(name, values)| format!("{name}={values}"));
    let varied = varied.flat_map(|values| ["--vary".to_owned(), values]);
    let fresh = Results {
        head: ResultHead {
            word: command.game.clone(),
            title: games[0].info().title.clone(),
            rules: fingerprint(games),
            seats: seats.iter().map(|kind| kind.word(&games[0])).collect(),
            names: games[0].seat_names(),
            seed: seed.0,
            table: command.table.to_flags().into_iter().chain(varied).collect(),
        },
        varied: command.vary.iter().map(|(option, _)| option.clone()).collect(),
        runs: games.iter().map(ResultRun::from_game).collect(),
        sources: games[0].sources().clone(),
        ranges: vec![range],
        played: Simulated { next: range.0, ..Simulated::default() },
        took: 0,
        margin: Millionths(command.margin.into()),
        baseline: None,
        strengths: Vec::new(),
    };
    let Some((path, (out, kept))) = kept else {
        let open = |path: &PathBuf| results::open_counts(path, &fresh, &overwrite);
        let mut out = command.out.as_ref().map(open).transpose()?;
        // From now on the file is ours, and whatever cannot be written is known.
        out.as_mut().map_or(Ok(()), |out| results::write_counts(out, &fresh))?;
        return Ok((fresh, out));
    };
    results::require_same(path, &fresh, &kept)?;
    if kept.ranges.first().map(|(first, _)| *first) != Some(range.0) || kept.ranges.len() != 1 {
        let path = path.display().to_string();
        return Err(HostError::OtherCounts { path, what: "another part" }.into());
    }
    Ok((Results { ranges: vec![range], margin: fresh.margin, ..kept }, Some(out)))
}

pub(super) fn wanted_playouts(command: &Simulate) -> u64 {
    command.playouts.unwrap_or(PLAYOUTS)
}

/// The playouts of the requested part: the first, and one past the last.
fn shard_range(command: &Simulate) -> (u64, u64) {
    let (at, of) = command.shard.unwrap_or((1, 1));
    let playouts = wanted_playouts(command);
    let bound = |part: u64| {
        let bound = u128::from(playouts) * u128::from(part) / u128::from(of);
        u64::try_from(bound).expect("a part is no larger than the whole")
    };
    (bound(at - 1), bound(at))
}

/// Plays on to the end, or until somebody asks to stop or the rules break.
fn play_batches(
    command: &Simulate,
    games: &[Game],
    seats: &[BotKind],
    results: &mut Results,
    mut out: Option<&mut OutputFile>,
) -> Result<Result<(), Broken>, HostError> {
    let threads = threads(command);
    let seed = Seed(results.head.seed);
    let studies: Vec<Analysis> = games.iter().cloned().map(Analysis::new).collect();
    let (records, checks) = (command.games.is_some(), command.check);
    let clock = progress::milliseconds;
    let batch = Batch { games: &studies, seats, seed, threads, clock, records, checks };
    let (begun, last) = (results.played.next, results.ranges[0].1);
    let progress = Progress::new();
    let start = progress::milliseconds();
    let took = results.took;
    let line = || {
        let (done, all, took) = (progress.done(), last - begun, progress::milliseconds() - start);
        let left = u128::from(all.saturating_sub(done)) * u128::from(took);
        let left = left / u128::from(done.max(1)) / 1000;
        let rate = done.saturating_mul(1000) / took.max(1);
        format!("{done} of {all} playouts, {rate} a second, {left} s left")
    };
    // Now and then the counts are written.
    let pause = out.is_some().then_some(BETWEEN);
    while results.played.next < last && !progress::WORK.is_stopped() && !is_known(command, results)
    {
        progress.resume();
        let next = results.played.next;
        // Where it stops must not depend on the number of threads.
        let end = if command.until.is_some() { next.saturating_add(STEP).min(last) } else { last };
        let numbers = next..end;
        let played =
            progress::watch_work(&progress, pause, line, || play(batch, numbers, &progress));
        match played {
            Ok(played) => results.played.merge(&played),
            Err(broken) => return Ok(Err(broken)),
        }
        results.took = took.saturating_add(progress::milliseconds() - start);
        if let Some(out) = &mut out {
            results::write_counts(out, results)?;
        }
    }
    Ok(Ok(()))
}

pub(super) fn threads(command: &Simulate) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    command.threads.unwrap_or(cores).clamp(1, cores.max(MOST_THREADS))
}

/// Whether every win rate is known as well as `--until` wants it.
fn is_known(command: &Simulate, results: &Results) -> bool {
    let Some(margin) = command.until else { return false };
    let tallies = &results.played.tallies;
    let known = |part: &SeatWins| {
        let Share { low, high, .. } = part.share();
        high.0 - low.0 <= 2 * i128::from(margin)
    };
    !tallies.is_empty() && tallies.iter().all(|it| it.parts_by(false).iter().all(known))
}

/// Says how to go on with what was broken off.
fn stopped(command: &Simulate, results: &Results, screen: &mut Screen) -> Result<Exit, Failure> {
    screen.flush()?;
    let (first, last) = results.ranges[0];
    let done = results.played.next - first;
    screen.print_note(&format!("broken off after {done} of {} playouts", last - first))?;
    let mut typed = command_line(std::env::args().skip(1));
    if command.seed.is_none() && !command.resume {
        typed.extend([" --seed ", &results.head.seed.to_string()]);
    }
    if command.out.is_some() {
        let resume = if command.resume { "" } else { " --resume" };
        screen.print_note(&format!("to go on: {typed}{resume}"))?;
    } else {
        screen.print_note(&format!(
            "to begin again and keep the counts: {typed} --out counts.json"
        ))?;
    }
    Ok(Exit::Interrupted)
}

/// `astragal merge`: adds up parts, and prints what a simulation in one piece would have printed.
pub(super) fn run_merge(command: &Merge, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut paths = command.files.iter();
    let first = paths.next().expect("the command line asks for a file");
    let mut sum = results::read_counts(first)?;
    sum.margin = Millionths(command.margin.into());
    sum.ranges = sum.finished_ranges();
    for path in paths {
        let mut part = results::read_counts(path)?;
        results::require_same(path, &sum, &part)?;
        part.ranges = part.finished_ranges();
        let overlaps = |(first, last): &(u64, u64)| {
            sum.ranges.iter().any(|(other, end)| first < end && other < last)
        };
        if part.ranges.iter().any(overlaps) {
            let is_within = |(first, last): &(u64, u64)| {
                sum.ranges.iter().any(|(other, end)| other <= first && last <= end)
            };
            let (path, is_divided) =
                (path.display().to_string(), !part.ranges.iter().all(is_within));
            return Err(HostError::CountedTwice { path, is_divided }.into());
        }
        sum.played.merge(&part.played);
        sum.took = sum.took.saturating_add(part.took);
        sum.ranges.extend(part.ranges);
        sum.ranges = join_ranges(std::mem::take(&mut sum.ranges));
    }
    let overwrite = Overwrite::flag(command.force);
    if let Some(path) = &command.out {
        results::write_counts(&mut results::open_counts(path, &sum, &overwrite)?, &sum)?;
    }
    print_results(&sum, command.format, screen)?;
    write_report(command.report.as_deref(), &sum, &overwrite)?;
    Ok(Exit::Fine)
}

/// Ranges in order, those that touch as one.
fn join_ranges(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(before) if before.1 == first => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}
