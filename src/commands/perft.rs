//! `astragal perft`: how many ways a game can go.

use crate::bots::memory_size;
use crate::chance::Seed;
use crate::commands::{args::PerftArgs, engine};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, State, Trap};
use crate::host::exit::{Exit, Failure};
use crate::host::{error::HostError, files, progress, saves, screen::Screen};
use crate::progress::Progress;
use crate::session::{
    Count, CountStop, Counts, Misfit, Perft as Wanted, Pin, divide, perft as count,
};

/// How many draws or outcomes an error lists.
const MOST_LISTED: usize = 24;

/// How many decisions are followed for each turn that is counted, if nobody says how many.
const MOST_IN_A_TURN: usize = 20;

pub(super) fn perft(command: &PerftArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let (word, load) = (command.game.as_deref(), command.load.as_deref());
    let (mut game, mut start) = saves::open_position(word, load, &command.table.setup(), screen)?;
    if command.turns.is_some() {
        if load.is_some() && !game.rules().reads_turn {
            return Err(
                HostError::NoTurns { why: "the state of a script does not know its turn" }.into()
            );
        }
        let none = || HostError::NoTurns { why: "the rules have no `turns`" };
        game = game.counting_turns().ok_or_else(none)?;
        start = if load.is_some() { start } else { game.initial_state() };
    }
    let mut pins = pins(&game, &command.draws)?;
    let games = std::slice::from_ref(&game);
    let count_all = || count_lines(command, (&game, &start), &mut pins);
    let (done, how) = engine::over(command.engine, games, false, count_all);
    let (lines, counts) =
        done.map_err(|trap| files::refuse_findings(game.sources(), Diagnostics::of(trap)))?;
    if counts.stopped == Some(CountStop::Full) {
        let size = memory_size(command.max_memory);
        let reason =
            format!("chance before a decision leads to more positions than {size} of memory hold");
        let help = "fix outcomes with `--draw \"roll die: 3\"`, follow fewer with `--max-states N`, or allow more \
                    with `--max-memory 4GB`";
        return Err(HostError::Unsolved { reason, help }.into());
    }
    remarks(command, &counts).iter().chain(&lines).try_for_each(|line| screen.print_line(line))?;
    how.map_or(Ok(()), |how| screen.print_note(&how))?;
    if counts.stopped.is_some() {
        screen.flush()?;
        screen.print_note("stopped: more can follow than was counted")?;
        return Ok(Exit::Interrupted);
    }
    let follows = command.depth != Some(0);
    all_met(pins.into_iter().find(|pin| follows && !pin.used), screen)
}

/// Refuses a pin that no draw met.
pub(super) fn all_met(unused: Option<Pin>, screen: &mut Screen) -> Result<Exit, Failure> {
    let Some(pin) = unused else { return Ok(Exit::Fine) };
    screen.flush()?;
    Err(HostError::UnusedDraw { draw: pin.words }.into())
}

/// Pins that some draw of the game can meet.
pub(super) fn pins(game: &Game, draws: &[String]) -> Result<Vec<Pin>, HostError> {
    let pins: Vec<Pin> = draws.iter().map(|draw| Pin::new(draw)).collect();
    pins.iter().try_for_each(|pin| pin.check(game).map_err(explain_misfit))?;
    Ok(pins)
}

/// Counts, and returns the lines to print, with the counts that the remarks are about.
fn count_lines(
    command: &PerftArgs,
    (game, start): (&Game, &State),
    pins: &mut [Pin],
) -> Result<(Vec<String>, Counts), Trap> {
    let progress = Progress::new();
    let wanted = Wanted {
        game,
        start: Some(start),
        depth: command.depth.or(command.turns.map(most_decisions)),
        turns: command.turns,
        most: command.max_states,
        memory: command.max_memory,
        seed: Seed(command.seed),
        progress: &progress,
    };
    let line = || format!("{} positions", progress.done());
    progress::begin_work();
    let (mut lines, mut counts) = (Vec::new(), Counts::default());
    if command.divide && command.depth != Some(0) {
        for (label, of_move) in
            progress::watch_work(&progress, None, line, || divide(wanted, pins))?
        {
            lines.push(format!("{label}: {}", final_count(command, &of_move)));
            counts.merge(&of_move);
        }
    } else {
        counts = progress::watch_work(&progress, None, line, || count(wanted, pins))?;
        lines = by_depth(command, &counts);
    }
    lines.push(final_count(command, &counts).to_string());
    Ok((lines, counts))
}

/// How many decisions are followed where so many turns are counted: a turn may go on and on.
fn most_decisions(turns: i64) -> usize {
    usize::try_from(turns).unwrap_or(0).saturating_mul(MOST_IN_A_TURN)
}

/// What stands above the numbers because it changes what they mean.
fn remarks(command: &PerftArgs, counts: &Counts) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(decisions) = counts.drawn {
        remarks.push(format!(
            "chance before decision {} leads to more than {} positions: one outcome of each draw is \
             followed there, by seed {}; `--draw` pins an outcome, `--max-states` follows \
             more",
            decisions + 1,
            command.max_states,
            command.seed
        ));
    }
    if let Some(turns) = command.turns.filter(|_| counts.cut) {
        let most = command.depth.unwrap_or(most_decisions(turns));
        remarks.push(format!(
            "some turns can go on for longer: sequences of more than {most} decisions are left out; \
             `--depth` sets another bound"
        ));
    }
    if counts.repeats {
        remarks.push(
            "chance can lead back to where it came from; what leads back is left out".to_owned(),
        );
    }
    remarks
}

fn final_count(command: &PerftArgs, counts: &Counts) -> Count {
    match command.depth {
        _ if command.turns.is_some() => counts.turned.clone(),
        Some(depth) if !command.playouts => counts.at(depth),
        _ => counts.games(),
    }
}

fn by_depth(command: &PerftArgs, counts: &Counts) -> Vec<String> {
    if command.depth == Some(0) || command.turns.is_some() {
        return Vec::new();
    }
    let numbers = counts.sequences.iter().chain(&counts.ended).map(ToString::to_string);
    let width = numbers.map(|number| number.len()).max().unwrap_or(0).max(20);
    let mut lines = vec![format!("{:>5}  {:>width$}  {:>width$}", "depth", "sequences", "ended")];
    for (depth, sequences) in counts.sequences.iter().enumerate() {
        let ended = match counts.ended.get(depth) {
            Some(ended) => ended.to_string(),
            None if command.depth == Some(depth) => "-".to_owned(),
            None => "0".to_owned(),
        };
        lines.push(format!("{depth:>5}  {sequences:>width$}  {ended:>width$}"));
    }
    lines
}

fn explain_misfit(misfit: Misfit) -> HostError {
    match misfit {
        Misfit::Event { event, near, known } => {
            let known = match known.as_slice() {
                [] => "this game draws nothing".to_owned(),
                known => format!("the draws of this game are {}", quote_list(known)),
            };
            let help = match near {
                Some(near) => format!("did you mean `{near}`? {known}"),
                None => known,
            };
            HostError::UnknownDraw { event, help }
        }
        Misfit::Outcome { event, outcome, outcomes } => {
            let help = match outcomes.first().filter(|_| outcome.is_empty()) {
                Some(first) => format!("write it after a colon: `--draw \"{event}: {first}\"`"),
                None => format!("its outcomes are {}", quote_list(&outcomes)),
            };
            HostError::ImpossibleDraw { event, outcome, help }
        }
    }
}

fn quote_list(words: &[String]) -> String {
    let mut shown: Vec<String> =
        words.iter().take(MOST_LISTED).map(|word| format!("`{word}`")).collect();
    if words.len() > MOST_LISTED {
        shown.push(format!("… ({} more)", words.len() - MOST_LISTED));
    }
    shown.join(", ")
}
