//! Random games of a file that is checked: errors that only show in play, whether engine and reference agree, and
//! whether a seat notices what it may not see.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::bots::{Analysis, BotKind};
use crate::chance::{Chance, Seed, Seeded};
use crate::commands::{args::EngineChoice, engine::prepare};
use crate::compile::{Specialisation, compile, value_text};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, Player, State, Step, Trap};
use crate::host::exit::{Exit, Failure};
use crate::host::report::{output_formats, rows};
use crate::host::{progress::milliseconds, screen::Screen};
use crate::lockstep::{Limits, compare_while, error, faulty_pass};
use crate::noninterference::error::leaks;
use crate::noninterference::{self, Pair};
use crate::pipeline::{OptionChoice, Ruleset, choices};
use crate::progress::Progress;
use crate::rules::{Rules, Value};
use crate::simulate::{Batch, LineErrors, Playouts, simulate};
use crate::snippet::{WaitingGame, explain};
use crate::source::Span;

/// How many different settings are kept compiled.
const MOST_KEPT: usize = 2_000;

/// How many games each strategy plays at most.
const MOST_BY_STRATEGY: usize = 20;

/// In how many games the words of all moves are compared, which takes much longer than making a move.
const MOST_READ: u64 = 500;

/// After how many endless games the search ends: each of them takes long and is alike.
const MOST_ENDLESS: usize = 3;

/// How many times as long as the games took they are compared, and at least for so many milliseconds. Of that time the
/// pairs have two fifths where there are secrets.
const COMPARED_TIMES: u64 = 5;
const COMPARED_LEAST: u64 = 100;

/// How many pairs of a game are played for each seat.
const PAIRS: u64 = 8;

/// Random games of a file, under random settings.
pub(super) struct RandomGames<'a> {
    /// The file, as the command names it.
    pub(super) word: &'a str,
    pub(super) ruleset: &'a Ruleset,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) fixed: FixedSettings,
    pub(super) engine: EngineChoice,
}

/// How much was compared with the reference.
#[derive(Default)]
struct Coverage {
    games: u64,
    decisions: u64,
    /// Why a game was not compared to its end.
    cut: Option<&'static str>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = rows::many(self.games, "game");
        let decisions = rows::many(self.decisions, "decision");
        write!(out, "{games}, {decisions}, compared with the meaning of the rules")?;
        self.cut.map_or(Ok(()), |why| write!(out, "; one only in part: {why}"))
    }
}

/// How much was compared of games that differ only in what a seat may not see.
#[derive(Default)]
struct Secrecy {
    pairs: u64,
    decisions: u64,
    /// What ended pairs, since the rules tell it on purpose.
    disclosed: BTreeSet<String>,
}

impl Secrecy {
    fn add_pair(&mut self, pair: Pair) {
        self.pairs += u64::from(pair.differs);
        self.decisions += pair.decisions;
        self.disclosed.extend(pair.disclosed);
    }
}

impl fmt::Display for Secrecy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = rows::many(self.pairs, "pair");
        let decisions = rows::many(self.decisions, "decision");
        let result = match self.decisions {
            0 => "nothing was compared",
            _ => "no seat noticed",
        };
        write!(out, "{pairs} of games with other secrets, {decisions}: {result}")?;
        let disclosed: Vec<&str> = self.disclosed.iter().map(String::as_str).collect();
        match disclosed.as_slice() {
            [] => Ok(()),
            told => write!(out, "; told on purpose by {}", told.join(", ")),
        }
    }
}

/// What is the same in all games; the other settings are random.
#[derive(Debug, Default)]
pub(super) struct FixedSettings {
    pub(super) players: Option<usize>,
    /// The values of the options, in the order of their declarations.
    pub(super) options: Vec<Option<Value>>,
}

struct FoundMistake {
    found: Diagnostics,
    place: Span,
    is_endless: bool,
    /// The command that shows it again, and what follows the game there.
    command: (&'static str, &'static str),
}

const PLAYED: (&str, &str) = ("play", "--seat all=random");

/// Shows a mistake in what is measured: a game at the table is not measured.
const MEASURED: (&str, &str) = ("simulate", "-n 1");

impl From<Trap> for FoundMistake {
    fn from(trap: Trap) -> FoundMistake {
        let (place, is_endless) = (trap.span(), matches!(trap, Trap::Endless { .. }));
        FoundMistake { found: Diagnostics::of(trap), place, is_endless, command: PLAYED }
    }
}

impl RandomGames<'_> {
    /// Plays the games and reports the first mistake at each place, with the command that shows it again; then
    /// compares as many of them with the reference as fit into the time. If nothing went wrong and `prints` is set,
    /// prints how much was compared.
    pub(super) fn check_games(&self, prints: bool, screen: &mut Screen) -> Result<Exit, Failure> {
        let begun = milliseconds();
        let (is_fine, ends) = self.play_all(screen)?;
        let took = milliseconds() - begun;
        self.try_strategies(took, screen)?;
        let time = (took * COMPARED_TIMES).max(COMPARED_LEAST);
        let time_of_pairs = if self.has_secrets() { time * 2 / 5 } else { 0 };
        // A mistake of the rules may also be one of astragal.
        let Some(compared) = self.compare_all(time - time_of_pairs, screen)? else {
            return Ok(Exit::Fault);
        };
        let Some(secrecy) = self.compare_secrets(time_of_pairs, screen)?.filter(|_| is_fine) else {
            return Ok(Exit::No);
        };
        if prints {
            let Self { word, games, .. } = self;
            if ends {
                screen.print_line(&format!("{word}: {games} random games, nothing went wrong"))?;
            }
            screen.print_line(&format!("{word}: {compared}"))?;
            if secrecy.pairs > 0 {
                screen.print_line(&format!("{word}: {secrecy}"))?;
            }
        }
        Ok(Exit::Fine)
    }

    /// Whether there are secrets in the first of the games.
    fn has_secrets(&self) -> bool {
        let mut known = CompiledGames::default();
        let mut settings = self.settings();
        settings
            .find_map(|(it, _)| Some(known.compile_game(self, &it)?.has_secrets()))
            .unwrap_or(false)
    }

    /// The setting and the seed of each game, in their order. Each game has a seed of its own, so that it can be played
    /// again at a table.
    fn settings(&self) -> impl Iterator<Item = (Specialisation, Seed)> {
        let mut chance = Seed(self.seed).stream(u64::MAX);
        (0..self.games).map(move |number| {
            let setting = random_setting(&self.ruleset.rules, &mut chance, &self.fixed);
            (setting, Seed(self.seed.wrapping_add(number)))
        })
    }

    /// Plays all games; returns whether nothing went wrong, and whether all came to an end.
    fn play_all(&self, screen: &mut Screen) -> Result<(bool, bool), Failure> {
        let mut known = CompiledGames::default();
        let mut cut_off: BTreeMap<Span, u64> = BTreeMap::new();
        let mut mistakes: Vec<(FoundMistake, String)> = Vec::new();
        let (mut played, mut endless, mut unended) = (0, 0, 0);
        for (setting, seed) in self.settings() {
            let Some(game) = known.compile_game(self, &setting) else { continue };
            let compares_words = played < MOST_READ;
            played += 1;
            let mistake = match play_random(game, seed, compares_words, &mut cut_off) {
                Ok(decisions) => {
                    unended += usize::from(is_unended(game, decisions));
                    if unended == MOST_ENDLESS {
                        break;
                    }
                    continue;
                }
                Err(mistake) => mistake,
            };
            endless += usize::from(mistake.is_endless);
            if mistakes.iter().all(|(other, _)| other.place != mistake.place) {
                mistakes.push((mistake, flags(&self.ruleset.rules, &setting, seed)));
            }
            if endless == MOST_ENDLESS {
                break;
            }
        }
        let Self { word, ruleset, .. } = self;
        for (FoundMistake { found, command: (verb, rest), .. }, flags) in &mistakes {
            screen.report_findings(&ruleset.sources, found)?;
            screen.print_note(&format!("to see it: astragal {verb} {word} {rest} {flags}"))?;
        }
        if unended > 0 {
            screen.print_line(&format!(
                "{word}: {unended} of {played} random games did not end; `limit 500 decisions {{ finish draw }}` \
                 behind `players` ends them"
            ))?;
        }
        let cut_off: Vec<_> = cut_off.into_iter().collect();
        output_formats::draw_cut_off(&cut_off, played, "", &ruleset.sources, screen)?;
        Ok((mistakes.is_empty(), unended == 0))
    }

    /// Lets each strategy play the first game and, until the time is over, more of them; warns of errors that its lines
    /// met.
    fn try_strategies(&self, time: u64, screen: &mut Screen) -> Result<(), Failure> {
        let begun = milliseconds();
        let (mut known, mut errors) = (CompiledGames::default(), LineErrors::default());
        let strategies = (0..).take(self.ruleset.rules.strategies.len()).map(BotKind::Strategy);
        for (at, (setting, seed)) in self.settings().take(MOST_BY_STRATEGY).enumerate() {
            let Some(game) = known.compile_game(self, &setting) else { continue };
            let games = [Analysis::new(game.clone())];
            for kind in strategies.clone() {
                if at > 0 && milliseconds() - begun >= time {
                    break;
                }
                let (games, seats) = (&games, &vec![kind; setting.players]);
                let (clock, records, checks) = (milliseconds, false, false);
                let batch = Batch { games, seats, seed, threads: 1, clock, records, checks };
                // Random games report the mistakes of the rules.
                let played = simulate(batch, 0..1, &Progress::new());
                let tallies = played.into_iter().flat_map(|it| it.tallies);
                tallies.for_each(|tally| errors.merge(&tally.line_errors));
            }
        }
        // How many games there was time for says nothing.
        output_formats::draw_line_errors(&errors, |_| String::new(), &self.ruleset.sources, screen)
    }

    /// Compares the games with the reference, one after the other, until the time is over; nothing where they differ.
    fn compare_all(&self, time: u64, screen: &mut Screen) -> Result<Option<Coverage>, Failure> {
        let begun = milliseconds();
        let goes_on = || milliseconds() - begun < time;
        let (mut known, mut coverage) = (CompiledGames::default(), Coverage::default());
        for (setting, seed) in self.settings() {
            let Some(game) = known.compile_game(self, &setting) else { continue };
            match compare_while(game, seed, Limits::WHOLE, &goes_on) {
                Ok(compared) => {
                    coverage.games += 1;
                    coverage.decisions += compared.decisions;
                    coverage.cut = coverage.cut.or(compared.cut);
                }
                Err(found) => {
                    let flags = flags(&self.ruleset.rules, &setting, seed);
                    let again = format!("astragal check {} --play 1 {flags}", self.word);
                    let limits = Limits { decisions: found.decisions + 1, ..Limits::WHOLE };
                    let pass = faulty_pass(game, seed, limits);
                    let found = error::disagrees(&found, pass, &again);
                    screen.report_findings(&self.ruleset.sources, &Diagnostics::of(found))?;
                    return Ok(None);
                }
            }
            if !goes_on() {
                break;
            }
        }
        Ok(Some(coverage))
    }

    /// Plays pairs of games that differ only in what a seat may not see, until the time is over; nothing where a seat
    /// notices.
    fn compare_secrets(&self, time: u64, screen: &mut Screen) -> Result<Option<Secrecy>, Failure> {
        let begun = milliseconds();
        let goes_on = || milliseconds() - begun < time;
        let (mut known, mut secrecy) = (CompiledGames::default(), Secrecy::default());
        for (setting, seed) in self.settings().take_while(|_| goes_on()) {
            let Some(game) = known.compile_game(self, &setting).filter(|game| game.has_secrets())
            else {
                continue;
            };
            let seats = (0..).take(game.info().players).map(Player);
            for (seat, number) in seats.flat_map(|seat| (0..PAIRS).map(move |at| (seat, at))) {
                match noninterference::compare(game, seat, (seed, number), &goes_on) {
                    Ok(pair) => secrecy.add_pair(pair),
                    Err(found) => {
                        let flags = flags(&self.ruleset.rules, &setting, seed);
                        let again = format!("astragal check {} --play 1 {flags}", self.word);
                        let found = leaks(&found, game, &again);
                        screen.report_findings(&self.ruleset.sources, &Diagnostics::of(found))?;
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(secrecy))
    }
}

/// The games that were compiled, by their settings.
#[derive(Default)]
struct CompiledGames(BTreeMap<Specialisation, Game>);

impl CompiledGames {
    /// The game under a setting; none where it cannot be compiled, which was reported when the file was checked.
    fn compile_game(&mut self, of: &RandomGames<'_>, setting: &Specialisation) -> Option<&Game> {
        if self.0.len() > MOST_KEPT {
            self.0.clear();
        }
        if !self.0.contains_key(setting) {
            let Ruleset { rules, sources } = of.ruleset;
            let compiled = compile(rules, setting, sources).ok()?;
            let game = Game::new(rules.clone(), sources.clone(), setting.clone(), compiled);
            prepare(of.engine, &game);
            self.0.insert(setting.clone(), game);
        }
        self.0.get(setting)
    }
}

/// Plays one game: step by step where the words of moves are compared or invariants are declared, then
/// as a playout that is measured. Returns its number of decisions.
fn play_random(
    game: &Game,
    seed: Seed,
    compares_words: bool,
    cut_off: &mut BTreeMap<Span, u64>,
) -> Result<u64, FoundMistake> {
    if compares_words || !game.program().always.is_empty() {
        play_by_steps(game, seed, compares_words)?;
    }
    let mut playouts = Playouts::new(game).testing_all();
    let played = playouts.play(seed, 0).map_err(FoundMistake::from);
    let measured = |trap| FoundMistake { command: MEASURED, ..FoundMistake::from(trap) };
    let measured =
        played.and_then(|played| playouts.measure().map_err(measured).map(|()| played.decisions));
    for (span, times) in playouts.cut_off() {
        *cut_off.entry(span).or_default() += times;
    }
    measured
}

/// Whether a playout was cut off, though the file has no limit.
fn is_unended(game: &Game, decisions: u64) -> bool {
    let (most, _) = game.program().limit;
    game.rules().limit.is_none() && u64::try_from(most).is_ok_and(|most| decisions >= most)
}

fn play_by_steps(game: &Game, seed: Seed, compares_words: bool) -> Result<(), FoundMistake> {
    let players = game.info().players;
    let mut table = seed.table_stream(0, players);
    let seats = (0..).take(players);
    let mut seats: Vec<Seeded> = seats.map(|seat| seed.seat(0, players, seat)).collect();
    let (mut state, mut moves) = (game.initial_state(), LegalMoves::new());
    loop {
        match game.advance(&mut state, &mut moves)? {
            Step::Decide { player } => {
                if compares_words {
                    game.wrong_words(&state, &moves).map_or(Ok(()), Err)?;
                }
                check_invariants(game, &state, &moves)?;
                let index = random_below(&mut seats[player.index()], moves.count());
                game.choose(&mut state, &moves, index);
            }
            Step::Draw { outcomes } => game.draw(&mut state, table.below(outcomes)),
            Step::End => return check_invariants(game, &state, &moves),
        }
    }
}

fn check_invariants(game: &Game, state: &State, moves: &LegalMoves) -> Result<(), FoundMistake> {
    let Some(unkept) = game.unkept(state).into_iter().next() else { return Ok(()) };
    let place = game.rules().always[unkept.number].span;
    let waiting = WaitingGame { game, state, legal: moves };
    let Some(found) = explain(waiting, &unkept, &[]) else { return Ok(()) };
    Err(FoundMistake { found, place, is_endless: false, command: PLAYED })
}

fn random_setting(rules: &Rules, chance: &mut Seeded, fixed: &FixedSettings) -> Specialisation {
    let counts: Vec<usize> = rules.player_counts().collect();
    let players = fixed.players.unwrap_or_else(|| counts[random_below(chance, counts.len())]);
    let options = choices(rules, players).into_iter().enumerate().map(|(at, choice)| {
        let fixed = fixed.options.get(at).cloned().flatten();
        fixed.unwrap_or_else(|| random_value(&choice, chance))
    });
    Specialisation { players, options: options.collect() }
}

fn random_value(choice: &OptionChoice, chance: &mut Seeded) -> Value {
    let values = &choice.values;
    let Some((low, Some(high))) = choice.range else {
        return values
            .get(random_below(chance, values.len().max(1)))
            .unwrap_or(&choice.default)
            .clone();
    };
    // An empty range has one number all the same, which the compiler rejects.
    let numbers = usize::try_from(high - low + 1).unwrap_or(1);
    let extra = usize::from(values.contains(&Value::None));
    match random_below(chance, numbers + extra) {
        at if at < numbers => Value::Int(low.saturating_add_unsigned(at as u64)),
        _ => Value::None,
    }
}

fn random_below(chance: &mut Seeded, count: usize) -> usize {
    // Of a longer range only the first numbers are drawn.
    chance.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize
}

/// The flags of a command for a setting and a seed.
pub(super) fn flags(rules: &Rules, setting: &Specialisation, seed: Seed) -> String {
    let mut options = String::new();
    for (option, value) in rules.options.iter().zip(&setting.options) {
        let value = value_text(rules, &option.ty, value);
        options.extend([" --option ", &option.name, "=", &value]);
    }
    format!("--players {}{options} --seed {seed}", setting.players)
}
