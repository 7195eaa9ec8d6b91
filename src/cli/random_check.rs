//! `astragal check --play`: random games under random settings, in search of mistakes that only
//! show in play.

use std::collections::BTreeMap;

use super::screen::{Failure, Screen};
use crate::chance::{Chance, Seed, Seeded};
use crate::check::rules::{Rules, Value};
use crate::compile::{Specialisation, compile, value_text};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, State, Step, Trap};
use crate::pipeline::{Choice, Ruleset, choices};
use crate::simulate::Playouts;
use crate::snippet::explain;
use crate::source::{Sources, Span};

/// How many different settings are kept compiled.
const MOST_KEPT: usize = 2_000;

/// In how many games the words of all moves are compared.
const MOST_READ: u64 = 500;

/// After how many games that would go on for ever the others are left alone: each of them takes
/// long, and tells nothing new.
const MOST_ENDLESS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Fixed {
    pub(super) players: Option<usize>,
    pub(super) options: BTreeMap<String, Value>,
}

/// A game that went wrong.
pub(super) struct Mistake {
    found: Diagnostics,
    place: Span,
    /// Whether it would have gone on for ever.
    endless: bool,
    /// The command that shows it.
    again: Again,
    /// The flags that play the same game again.
    flags: String,
}

pub(super) struct Trial {
    /// The first game that went wrong at each place.
    pub(super) mistakes: Vec<Mistake>,
    /// Where `gains` was cut off at the top of a range, and how often.
    pub(super) cut_off: BTreeMap<Span, u64>,
    pub(super) games: u64,
}

pub(super) fn play(ruleset: &Ruleset, games: u64, seed: Seed, fixed: &Fixed) -> Trial {
    let mut chance = seed.stream(u64::MAX);
    let mut known: BTreeMap<Specialisation, Game> = BTreeMap::new();
    let mut mistakes: Vec<Mistake> = Vec::new();
    let mut cut_off: BTreeMap<Span, u64> = BTreeMap::new();
    let mut played_games = 0;
    let mut endless = 0;
    for number in 0..games {
        let setting = random_setting(&ruleset.rules, &mut chance, fixed);
        if known.len() > MOST_KEPT {
            known.clear();
        }
        let Some(game) = game(&mut known, ruleset, &setting) else { continue };
        // Each game has a seed of its own, so that it can be played again at a table.
        let seed = Seed(seed.0.wrapping_add(number));
        // Looking at the words of every move takes much longer than making it.
        let careful = number < MOST_READ;
        let played = if careful || game.promises() { reading(game, seed, careful) } else { Ok(()) };
        let mut fast = || {
            let mut playouts = Playouts::new(game);
            let measured = |trap| Mistake { again: MEASURED, ..Mistake::from(trap) };
            let played = playouts.play(seed, 0).map_err(Mistake::from);
            let measured = played.and_then(|_| playouts.measure().map_err(measured));
            playouts.cut_off().into_iter().for_each(|(span, times)| {
                *cut_off.entry(span).or_default() += times;
            });
            measured
        };
        played_games += 1;
        let Err(mut wrong) = played.and_then(|()| fast()) else { continue };
        endless += usize::from(wrong.endless);
        if mistakes.iter().all(|other| other.place != wrong.place) {
            wrong.flags = flags(&ruleset.rules, &setting, seed);
            mistakes.push(wrong);
        }
        if endless == MOST_ENDLESS {
            break;
        }
    }
    Trial { mistakes, cut_off, games: played_games }
}

/// What shows a mistake again: the command, and what stands behind the game.
type Again = (&'static str, &'static str);

const PLAYED: Again = ("play", "--seat all=random");

/// What shows a mistake in what is measured: nobody measures a game at the table.
const MEASURED: Again = ("simulate", "-n 1");

impl From<Trap> for Mistake {
    fn from(trap: Trap) -> Mistake {
        let (place, endless) = (trap.span(), matches!(trap, Trap::Endless { .. }));
        let found = Diagnostics::of(trap);
        Mistake { found, place, endless, again: PLAYED, flags: String::new() }
    }
}

/// Plays one game step by step: what must always hold is looked at, and, with care, the words of
/// all legal moves are compared.
fn reading(game: &Game, seed: Seed, careful: bool) -> Result<(), Mistake> {
    let players = game.info().players;
    let mut table = seed.table(0, players);
    let seats = 0..u8::try_from(players).unwrap_or(u8::MAX);
    let mut seats: Vec<Seeded> = seats.map(|seat| seed.seat(0, players, seat)).collect();
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    loop {
        match game.advance(&mut state, &mut turn)? {
            Step::Decide { player } => {
                if careful {
                    game.wrong_words(&state, &turn).map_or(Ok(()), Err)?;
                }
                is_sound(game, &state, &turn)?;
                let index = below(&mut seats[player.index()], turn.count());
                game.choose(&mut state, &turn, index);
            }
            Step::Draw { outcomes } => game.draw(&mut state, table.below(outcomes)),
            Step::End => return is_sound(game, &state, &turn),
        }
    }
}

fn is_sound(game: &Game, state: &State, turn: &LegalMoves) -> Result<(), Mistake> {
    let Some(unkept) = game.unkept(state).into_iter().next() else { return Ok(()) };
    let place = game.rules().always[unkept.number].span;
    let found = explain(game, state, turn, &unkept, &[]);
    Err(Mistake { found, place, endless: false, again: PLAYED, flags: String::new() })
}

/// Reports what went wrong, each with the way to see it again.
pub(super) fn report(
    word: &str,
    mistakes: &[Mistake],
    sources: &Sources,
    screen: &mut Screen,
) -> Result<(), Failure> {
    for Mistake { found, again, flags, .. } in mistakes {
        screen.report(sources, found)?;
        let (verb, rest) = again;
        screen.note(&format!("to see it: astragal {verb} {word} {rest} {flags}"))?;
    }
    Ok(())
}

fn game<'a>(
    known: &'a mut BTreeMap<Specialisation, Game>,
    ruleset: &Ruleset,
    setting: &Specialisation,
) -> Option<&'a Game> {
    if !known.contains_key(setting) {
        let Ruleset { rules, sources } = ruleset;
        // A setting that cannot be compiled was reported when the file was checked.
        let compiled = compile(rules, setting, sources).ok()?;
        let game = Game::new(rules.clone(), sources.clone(), setting.clone(), compiled);
        known.insert(setting.clone(), game);
    }
    known.get(setting)
}

fn random_setting(rules: &Rules, chance: &mut Seeded, fixed: &Fixed) -> Specialisation {
    let (fewest, most) = rules.players;
    let players = fixed.players.unwrap_or_else(|| fewest + below(chance, most - fewest + 1));
    let choices = choices(rules, players);
    let options = rules.options.iter().zip(&choices).map(|(option, choice)| {
        fixed.options.get(&option.name).cloned().unwrap_or_else(|| value(choice, chance))
    });
    Specialisation { players, options: options.collect() }
}

fn value(choice: &Choice, chance: &mut Seeded) -> Value {
    if let Some((low, Some(high))) = choice.range {
        // An empty range has one number all the same, which the compiler rejects.
        let numbers = usize::try_from(high - low + 1).unwrap_or(1);
        let extra = usize::from(choice.values.contains(&Value::None));
        let at = below(chance, numbers + extra);
        return if at < numbers {
            Value::Int(low.saturating_add_unsigned(at as u64))
        } else {
            Value::None
        };
    }
    let values = &choice.values;
    values.get(below(chance, values.len().max(1))).unwrap_or(&choice.default).clone()
}

fn below(chance: &mut Seeded, count: usize) -> usize {
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
