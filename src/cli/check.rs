//! `astragal check`: everything that is wrong with files, also what only shows in random games.

use std::collections::BTreeMap;
use std::path::Path;

use super::args::{Check, Emit, Format, Table};
use super::files::{self, Found};
use super::screen::{Exit, Failure, Screen};
use super::{bundled, error::CliError, output_formats, report, watch::Watched};
use crate::budget::Budget;
use crate::bytecode::disassemble::disassemble;
use crate::chance::{Chance, Seed, Seeded};
use crate::check::book_notes::notes_that_hide;
use crate::check::rules::{Rules, Value};
use crate::compile::{Specialisation, compile, value_text};
use crate::diagnostic::Diagnostics;
use crate::dump::dump;
use crate::game::{Game, LegalMoves, State, Step, Trap};
use crate::pipeline::{self, Choice, Ruleset, choices};
use crate::simulate::Playouts;
use crate::snippet::explain;
use crate::source::{Sources, Span};

/// How many different settings are kept compiled.
const MOST_KEPT: usize = 2_000;

/// In how many games the words of all moves are compared, which takes much longer than making a move.
const MOST_READ: u64 = 500;

/// After how many endless games the search ends: each of them takes long and is alike.
const MOST_ENDLESS: usize = 3;

pub(super) fn check(command: &Check, screen: &mut Screen) -> Result<Exit, Failure> {
    loop {
        let (exit, mut watched) = check_all(command, screen)?;
        if !command.watch {
            return Ok(exit);
        }
        screen.flush()?;
        let file = watched.wait_for_one();
        screen.clear()?;
        screen.note(&format!("\n{file} has changed"))?;
    }
}

fn check_all(command: &Check, screen: &mut Screen) -> Result<(Exit, Watched), Failure> {
    let (mut wrong, mut watched) = (0, Watched::default());
    let files = files(command)?;
    for word in &files {
        let mut sources = Sources::default();
        let is_fine = match files::find(word, Path::new("")) {
            Ok(found) => check_file(command, word, &found, &mut sources, screen)?,
            Err(error) => {
                show(command, &sources, &Diagnostics::of(error), screen)?;
                false
            }
        };
        wrong += usize::from(!is_fine);
        watched.add(&sources, Path::new(word));
    }
    if files.len() > 1 && command.format == Format::Human {
        let right = files.len() - wrong;
        screen.line(&format!("{right} without errors, {wrong} with errors"))?;
    }
    Ok((if wrong == 0 { Exit::Fine } else { Exit::No }, watched))
}

/// The files that the command names; a folder stands for the games in it and below.
fn files(command: &Check) -> Result<Vec<String>, CliError> {
    let here = [".".to_owned()];
    let words = if command.files.is_empty() { &here[..] } else { &command.files };
    let mut found = Vec::new();
    for word in words {
        if !Path::new(word).is_dir() || bundled::find(word).is_some() {
            found.push(word.clone());
            continue;
        }
        let before = found.len();
        // What cannot be read is reported when it is checked.
        let is_game = |path: &Path| files::read(path).map_or(true, |text| files::is_game(&text));
        let games = files::below(Path::new(word))?.into_iter().filter(|path| is_game(path));
        found.extend(games.map(|path| path.display().to_string()));
        if found.len() == before {
            return Err(CliError::NoGames { place: word.clone() });
        }
    }
    Ok(found)
}

/// Checks a file; returns whether nothing was wrong.
fn check_file(
    command: &Check,
    word: &str,
    found: &Found,
    sources: &mut Sources,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    screen.note_namesake(found)?;
    let all = command.all_settings;
    let check = if all { pipeline::check_all_settings } else { pipeline::check };
    let mut checked = check(sources, &found.opened());
    if let Some(rules) = checked.rules.as_ref().filter(|_| command.book) {
        checked.diagnostics.extend(notes_that_hide(&rules.rules, &Budget::default()));
    }
    show(command, sources, &checked.diagnostics, screen)?;
    let Some(rules) = checked.rules.filter(|_| !checked.diagnostics.has_errors()) else {
        return Ok(false);
    };
    let is_human = command.format == Format::Human;
    if let Some(games) = command.play {
        let fixed = fixed(command, found, sources)?;
        if !random_check(word, &rules, games, command.seed, &fixed, screen)? {
            return Ok(false);
        }
        if is_human {
            screen.line(&format!("{word}: {games} random games, nothing went wrong"))?;
        }
    }
    let text = match command.emit {
        Some(Emit::Ast) => dump(&checked.ast.items),
        Some(Emit::Rules) => dump(&as_declared(&rules.rules)),
        Some(Emit::Bytecode) => disassemble(load(command, found, sources)?.program()),
        None if is_human => format!("{}: {}", found.name, report::summary(&checked.diagnostics)),
        None => return Ok(true),
    };
    screen.line(text.trim_end())?;
    Ok(true)
}

/// What the command fixes of the settings of the random games.
fn fixed(command: &Check, found: &Found, sources: &Sources) -> Result<Fixed, Failure> {
    let Table { players, names, options } = &command.table;
    if players.is_none() && names.is_empty() && options.is_empty() {
        return Ok(Fixed::default());
    }
    let game = load(command, found, sources)?;
    let setting = game.setting();
    let named = |name: &str| options.iter().any(|(option, _)| option == name);
    let declared = game.rules().options.iter().zip(&setting.options);
    Ok(Fixed {
        players: (players.is_some() || !names.is_empty()).then_some(setting.players),
        options: declared.map(|(it, value)| named(&it.name).then(|| value.clone())).collect(),
    })
}

/// Shows what was found: JSON is the result, a drawing is not.
fn show(
    command: &Check,
    sources: &Sources,
    found: &Diagnostics,
    screen: &mut Screen,
) -> Result<(), Failure> {
    match command.format {
        Format::Human => screen.report(sources, found)?,
        Format::Json => screen.json(&report::json(sources, found))?,
    }
    Ok(())
}

/// The rules without the tables that the checker computes of boards.
fn as_declared(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    for table in rules.tables.iter_mut().filter(|table| table.is_computed()) {
        table.cells = Vec::new().into();
    }
    let columns = rules.kinds.iter_mut().flat_map(|kind| &mut kind.columns);
    columns.filter(|column| column.is_computed()).for_each(|column| column.cells.clear());
    rules
}

/// Loads a game; a failure points into the texts that were checked before.
fn load(command: &Check, found: &Found, sources: &Sources) -> Result<Game, Failure> {
    files::load(found, &command.table, Sources::default()).map_err(|failure| match failure {
        Failure::Findings { diagnostics, .. } => files::refuse(sources, diagnostics),
        other @ Failure::Stream(_) => other,
    })
}

/// What is the same in all games; the other settings are random.
#[derive(Debug, Default)]
struct Fixed {
    players: Option<usize>,
    /// The values of the options, in the order of their declarations.
    options: Vec<Option<Value>>,
}

struct Mistake {
    found: Diagnostics,
    place: Span,
    is_endless: bool,
    /// The command that shows it again, and what follows the game there.
    command: (&'static str, &'static str),
}

const PLAYED: (&str, &str) = ("play", "--seat all=random");

/// Shows a mistake in what is measured: a game at the table is not measured.
const MEASURED: (&str, &str) = ("simulate", "-n 1");

impl From<Trap> for Mistake {
    fn from(trap: Trap) -> Mistake {
        let (place, is_endless) = (trap.span(), matches!(trap, Trap::Endless { .. }));
        Mistake { found: Diagnostics::of(trap), place, is_endless, command: PLAYED }
    }
}

/// Plays random games and reports the first mistake at each place, with the command that shows it again;
/// returns whether there was none.
fn random_check(
    word: &str,
    ruleset: &Ruleset,
    games: u64,
    seed: u64,
    fixed: &Fixed,
    screen: &mut Screen,
) -> Result<bool, Failure> {
    let mut chance = Seed(seed).stream(u64::MAX);
    let mut known: BTreeMap<Specialisation, Game> = BTreeMap::new();
    let mut cut_off: BTreeMap<Span, u64> = BTreeMap::new();
    let mut mistakes: Vec<(Mistake, String)> = Vec::new();
    let (mut played, mut endless) = (0, 0);
    for number in 0..games {
        let setting = random_setting(&ruleset.rules, &mut chance, fixed);
        if known.len() > MOST_KEPT {
            known.clear();
        }
        let Some(game) = game(&mut known, ruleset, &setting) else { continue };
        // Each game has a seed of its own, so that it can be played again at a table.
        let seed = Seed(seed.wrapping_add(number));
        played += 1;
        let Err(mistake) = play(game, seed, number < MOST_READ, &mut cut_off) else { continue };
        endless += usize::from(mistake.is_endless);
        if mistakes.iter().all(|(other, _)| other.place != mistake.place) {
            mistakes.push((mistake, flags(&ruleset.rules, &setting, seed)));
        }
        if endless == MOST_ENDLESS {
            break;
        }
    }
    for (Mistake { found, command: (verb, rest), .. }, flags) in &mistakes {
        screen.report(&ruleset.sources, found)?;
        screen.note(&format!("to see it: astragal {verb} {word} {rest} {flags}"))?;
    }
    let cut_off: Vec<_> = cut_off.into_iter().collect();
    output_formats::draw_cut_off(&cut_off, played, "", &ruleset.sources, screen)?;
    Ok(mistakes.is_empty())
}

/// Plays one game: step by step where the words of moves are compared or invariants are declared, then
/// as a playout that is measured.
fn play(
    game: &Game,
    seed: Seed,
    compares_words: bool,
    cut_off: &mut BTreeMap<Span, u64>,
) -> Result<(), Mistake> {
    if compares_words || game.promises() {
        play_by_steps(game, seed, compares_words)?;
    }
    let mut playouts = Playouts::new(game).testing_all();
    let played = playouts.play(seed, 0).map_err(Mistake::from);
    let measured = |trap| Mistake { command: MEASURED, ..Mistake::from(trap) };
    let measured = played.and_then(|_| playouts.measure().map_err(measured));
    for (span, times) in playouts.cut_off() {
        *cut_off.entry(span).or_default() += times;
    }
    measured
}

fn play_by_steps(game: &Game, seed: Seed, compares_words: bool) -> Result<(), Mistake> {
    let players = game.info().players;
    let mut table = seed.table(0, players);
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
                let index = below(&mut seats[player.index()], moves.count());
                game.choose(&mut state, &moves, index);
            }
            Step::Draw { outcomes } => game.draw(&mut state, table.below(outcomes)),
            Step::End => return check_invariants(game, &state, &moves),
        }
    }
}

fn check_invariants(game: &Game, state: &State, moves: &LegalMoves) -> Result<(), Mistake> {
    let Some(unkept) = game.unkept(state).into_iter().next() else { return Ok(()) };
    let place = game.rules().always[unkept.number].span;
    let found = explain(game, state, moves, &unkept, &[]);
    Err(Mistake { found, place, is_endless: false, command: PLAYED })
}

/// The game under a setting; none where it cannot be compiled, which was reported when the file was
/// checked.
fn game<'a>(
    known: &'a mut BTreeMap<Specialisation, Game>,
    ruleset: &Ruleset,
    setting: &Specialisation,
) -> Option<&'a Game> {
    if !known.contains_key(setting) {
        let Ruleset { rules, sources } = ruleset;
        let compiled = compile(rules, setting, sources).ok()?;
        let game = Game::new(rules.clone(), sources.clone(), setting.clone(), compiled);
        known.insert(setting.clone(), game);
    }
    known.get(setting)
}

fn random_setting(rules: &Rules, chance: &mut Seeded, fixed: &Fixed) -> Specialisation {
    let (fewest, most) = rules.players;
    let players = fixed.players.unwrap_or_else(|| fewest + below(chance, most - fewest + 1));
    let options = choices(rules, players).into_iter().enumerate().map(|(at, choice)| {
        let fixed = fixed.options.get(at).cloned().flatten();
        fixed.unwrap_or_else(|| random_value(&choice, chance))
    });
    Specialisation { players, options: options.collect() }
}

fn random_value(choice: &Choice, chance: &mut Seeded) -> Value {
    let values = &choice.values;
    let Some((low, Some(high))) = choice.range else {
        return values.get(below(chance, values.len().max(1))).unwrap_or(&choice.default).clone();
    };
    // An empty range has one number all the same, which the compiler rejects.
    let numbers = usize::try_from(high - low + 1).unwrap_or(1);
    let extra = usize::from(values.contains(&Value::None));
    match below(chance, numbers + extra) {
        at if at < numbers => Value::Int(low.saturating_add_unsigned(at as u64)),
        _ => Value::None,
    }
}

fn below(chance: &mut Seeded, count: usize) -> usize {
    // Of a longer range only the first numbers are drawn.
    chance.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize
}

fn flags(rules: &Rules, setting: &Specialisation, seed: Seed) -> String {
    let mut options = String::new();
    for (option, value) in rules.options.iter().zip(&setting.options) {
        let value = value_text(rules, &option.ty, value);
        options.extend([" --option ", &option.name, "=", &value]);
    }
    format!("--players {}{options} --seed {seed}", setting.players)
}
