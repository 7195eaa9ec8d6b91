//! `astragal solve`: what a small game is worth.

use crate::bots::{
    Distribution, EndQuestion, FirstMoves, GameValue, ONE, PlayRule, Solution, Solve as Wanted,
    SolveRefusal, decimal, solve_along,
};
use crate::commands::{args::SolveArgs, engine, perft};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, State};
use crate::host::exit::{Exit, Failure};
use crate::host::{error::HostError, files, progress, saves, screen::Screen};
use crate::progress::Progress;
use crate::session::pinned;
use crate::snippet;
use crate::source::Sources;

/// Of how many ways in which a game can begin the best moves are printed.
const MOST_BEGINNINGS: usize = 12;

/// How many positions may be examined by default.
const MOST_STATES: usize = 4_000_000;

/// How many milliseconds it may take then: a refusal should not keep people waiting for long.
const PAUSE: u64 = 50_000;

/// How many positions of a game with secrets are examined without `--uniform`.
const MOST_HIDDEN: usize = 200_000;

pub(super) fn solve(command: &SolveArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let (word, load) = (command.game.as_deref(), command.load.as_deref());
    let (game, start) = saves::open_position(word, load, &command.table.setup(), screen)?;
    let mut pins = perft::pins(&game, &command.draws)?;
    let (mut sources, text) = (game.sources().clone(), command.distribution.as_deref());
    let number = game.program().measures.iter().position(|it| Some(it.name.as_str()) == text);
    let typed = text.filter(|_| number.is_none()).map(|text| sources.add("typed", text).clone());
    // When a game is over no rule waits, and no local is in sight.
    let question = typed.map(|typed| snippet::question(&game, &game.initial_state(), &typed));
    let question = question.transpose().map_err(|found| files::refuse_findings(&sources, found))?;
    let asked = number.map(EndQuestion::Measure).or(question.as_ref().map(EndQuestion::Expression));
    let mut compute = |rule, most, pause| {
        let (progress, remainder) = (Progress::new(), command.remainder);
        let unordered = command.draws.is_empty();
        let memory = command.max_memory;
        let wanted =
            Wanted { memory, asked, remainder, unordered, ..Wanted::new(rule, most, &progress) };
        let line = || format!("{} positions, at most {most}", progress.done());
        let mut draws =
            |game: &Game, state: &State, outcomes| pinned(game, state, outcomes, &mut pins);
        progress::watch_work(&progress, pause, line, || {
            solve_along(&game, &start, wanted, &mut draws)
        })
    };
    let rule = if command.uniform { PlayRule::Uniform } else { PlayRule::Best };
    progress::begin_work();
    let most = command.max_states.unwrap_or(MOST_STATES);
    let pause = command.max_states.is_none().then_some(PAUSE);
    let games = std::slice::from_ref(&game);
    let (mut answer, mut how) =
        engine::over(command.engine, games, false, || compute(rule, most, pause));
    let mut remark = None;
    if answer == Err(SolveRefusal::Hidden) {
        // What players do at random needs no beliefs, and is better than no answer.
        let most = command.max_states.unwrap_or(MOST_HIDDEN);
        let uniform = || compute(PlayRule::Uniform, most, pause);
        (answer, how) = engine::over(command.engine, games, false, uniform);
        answer = answer.map_err(|refusal| match refusal {
            SolveRefusal::TooMany { .. } => SolveRefusal::Hidden,
            other => other,
        });
        remark = Some(format!("{}; it is not computed", SolveRefusal::Hidden));
    }
    let solution = match answer {
        Ok(solution) => solution,
        Err(refusal @ SolveRefusal::Stopped { .. }) if progress::WORK.is_stopped() => {
            screen.print_note(&refusal.to_string())?;
            return Ok(Exit::Interrupted);
        }
        Err(refusal) => return Err(refused(&refusal, &sources)),
    };
    let rule = if remark.is_some() { PlayRule::Uniform } else { rule };
    let mut lines = format_solution(&game, &solution, rule);
    // The remark stands below the heading.
    remark.into_iter().for_each(|remark| lines.insert(1, remark));
    lines.iter().try_for_each(|line| screen.print_line(line))?;
    how.map_or(Ok(()), |how| screen.print_note(&how))?;
    perft::all_met(pins.into_iter().find(|pin| !pin.used), screen)
}

fn refused(refusal: &SolveRefusal, sources: &Sources) -> Failure {
    let help = match refusal {
        SolveRefusal::Trap(trap) => {
            return files::refuse_findings(sources, Diagnostics::of(trap.clone()));
        }
        SolveRefusal::Expression(found) => return files::refuse_findings(sources, found.clone()),
        SolveRefusal::TooMany { .. } | SolveRefusal::Stopped { .. } => {
            "allow more with `--max-states N`, or make the game smaller by its options; `astragal \
             simulate` measures games of any size"
        }
        SolveRefusal::TooLarge { .. } => {
            "allow more with `--max-memory 4GB`, or make the game smaller by its options; `astragal \
             simulate` measures games of any size"
        }
        SolveRefusal::Circle => {
            "such a game has no end that counting back could begin at; `--uniform` solves it for \
             players who decide at random"
        }
        SolveRefusal::Hidden => "`--uniform` solves it for players who decide at random",
        SolveRefusal::Endless => {
            "let the rules end the repetition: by a decision, or after some number of rounds"
        }
        SolveRefusal::Unsettled => "`astragal simulate` measures it",
    };
    let reason = match refusal {
        SolveRefusal::Stopped { states, .. } => {
            let seconds = PAUSE / 1000;
            format!("more than {states} positions can follow: too many for {seconds} seconds")
        }
        refusal => refusal.to_string(),
    };
    HostError::Unsolved { reason, help }.into()
}

fn format_solution(game: &Game, solution: &Solution, rule: PlayRule) -> Vec<String> {
    let play = match rule {
        PlayRule::Best => "when all play as well as can be",
        PlayRule::Uniform => "when all play uniformly at random",
    };
    let mut lines = vec![format!("{} · {play}", game.info().title)];
    let names = game.names();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (seat, name) in names.iter().enumerate() {
        let (value, wins) = (solution.values[seat], solution.wins[seat]);
        let score = solution.scores.as_ref().map(|scores| format!(", score {}", scores[seat]));
        let score = score.unwrap_or_default();
        lines.push(format!("{name:width$}  value {value}, wins alone {wins}{score}"));
    }
    for (measure, values) in &solution.measures {
        let of = |seat: usize| if values.len() == 1 { "" } else { &names[seat] };
        lines.extend(values.iter().enumerate().map(|(seat, value)| {
            let of = format!("{measure} {}", of(seat));
            format!("measure {}  {value}", of.trim_end())
        }));
    }
    let all = solution.distributions.iter().enumerate();
    for (seat, distribution) in all {
        let of = if solution.distributions.len() == 1 { "" } else { &names[seat] };
        lines.push(format!("distribution {of}").trim_end().to_owned());
        lines.extend(distribution_lines(distribution));
    }
    lines.push(format!("states  {}", solution.states));
    if let Some((depth, left)) = solution.cut {
        lines.push(format!(
            "beyond {depth} draws and decisions: at most {} of all games, not followed and counted \
             as 0, so that no number is exact",
            power_of_ten(left)
        ));
    } else if !solution.exact {
        lines.push(
            "positions come back, or fractions grow too long: numbers with nine places are \
             computed until these do not change"
                .to_owned(),
        );
    }
    if solution.beyond_limit {
        lines.push(format!(
            "the limit of {} decisions is left out: a game could go on for longer",
            game.program().limit.0
        ));
    }
    if rule == PlayRule::Best {
        lines.extend(best_moves(game, solution));
    }
    lines
}

/// Each value with its probability, also in percent, then the mean.
fn distribution_lines(distribution: &Distribution) -> Vec<String> {
    let width = distribution.values.iter().map(|(word, _)| word.chars().count()).max().unwrap_or(0);
    let line = |(word, value): &(String, GameValue)| {
        let percent = decimal((value.trillionths() + 5_000).div_euclid(10_000), 6);
        let share = value.to_string();
        let share = share.split(' ').next().unwrap_or_default();
        format!("  {word:>width$}  {percent:>10} %  {share}")
    };
    let lines = distribution.values.iter().map(line);
    lines.chain(distribution.mean.map(|mean| format!("  mean  {mean}"))).collect()
}

/// A probability, rounded up to one digit.
fn power_of_ten(mut parts: u128) -> String {
    let mut places = 0;
    while parts > 0 && parts * 10 <= 9 * ONE {
        (parts, places) = (parts * 10, places + 1);
    }
    format!("{}e-{places}", parts.div_ceil(ONE))
}

/// The best first moves, after the draws that come before them.
fn best_moves(game: &Game, solution: &Solution) -> Vec<String> {
    let mut lines = Vec::new();
    for FirstMoves { draws, player, moves } in solution.first.iter().take(MOST_BEGINNINGS) {
        let drawn = draws.iter().flat_map(|(event, outcome)| [event, ": ", outcome, ", "]);
        let drawn: String = drawn.collect();
        let best = moves.iter().filter(|(_, _, best)| *best);
        let value = best.clone().next().map(|(_, value, _)| value.to_string()).unwrap_or_default();
        lines.push(format!("{drawn}best for {} (value {value}):", game.names()[player.index()]));
        lines.extend(best.map(|(label, _, _)| format!("  {label}")));
    }
    let more = solution.first.len().saturating_sub(MOST_BEGINNINGS);
    if more > 0 {
        lines.push(format!("… and {more} more ways to begin"));
    }
    lines
}
