//! Plays a mutant: the engine beside the meaning of the rules, and beside the game as it was before.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use astragal::machinery::chance::{Chance, Seed as Number};
use astragal::machinery::compile::{Passes, value_text};
use astragal::machinery::game::{Game, LegalMoves, Player, Step};
use astragal::machinery::lockstep::{self, Compared, compare_engines, faulty_pass};
use astragal::machinery::noninterference;
use astragal::machinery::pipeline::{GameOptions, Ruleset, choices, load};

use super::dice::Dice;

/// How the sorts begin of what is wrong with a game that was written in another way.
pub const BEFORE: &str = "before";

/// Most moves of a decision that are compared with those of the same game written in another way.
const MOST_MOVES: usize = 2000;

/// What plays a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Interpreter,
    Native,
    /// The interpreter, twice: two games that differ only in what a seat may not see.
    Worlds,
}

/// How far a mutant is played.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub engine: Engine,
    pub decisions: u64,
    /// How many expressions the reference may compute.
    pub expressions: u64,
}

/// What came of a mutant without a fault.
#[derive(Clone, Debug, Default)]
pub struct Played {
    pub decisions: u64,
    /// The passes of the compiler that did something.
    pub passes: Passes,
    /// Why it was not played at all, or not to the end.
    pub cut: Option<String>,
}

/// Two that should be the same and differ.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// What differs, in words that stay when the file is made smaller.
    pub sort: String,
    pub story: String,
    pub setting: GameOptions,
}

/// Plays rules with the setting and the chance of a number; `before` is the same game written in another way.
///
/// # Errors
/// What differs.
pub fn play(
    ruleset: &Ruleset,
    before: Option<&Ruleset>,
    number: u64,
    limits: Limits,
) -> Result<Played, Box<Wrong>> {
    let setting = some_setting(ruleset, number);
    let played = guarded(|| play_setting(ruleset, before, &setting, number, limits));
    played.and_then(|it| it).map_err(|(sort, story)| Box::new(Wrong { sort, story, setting }))
}

fn play_setting(
    ruleset: &Ruleset,
    before: Option<&Ruleset>,
    setting: &GameOptions,
    number: u64,
    limits: Limits,
) -> Result<Played, Difference> {
    let cut = |why: String| Played { cut: Some(why), ..Played::default() };
    let game = match load(ruleset, setting) {
        Ok(game) => game,
        Err(found) => return Ok(cut(first_code(&found))),
    };
    #[cfg(feature = "native")]
    if limits.engine == Engine::Native
        && let Err(failure) = astragal::machinery::native::accelerate(game.program(), false)
    {
        return Ok(cut(format!("{failure:?}")));
    }
    if limits.engine == Engine::Worlds {
        return worlds(&game, number, limits);
    }
    let played = lockstep(&game, number, limits)?;
    // A limit of the compiler may refuse one of two texts that mean the same.
    if let Some(earlier) = before.and_then(|it| load(it, setting).ok()) {
        go_alike(&earlier, &game, number, limits)?;
    }
    Ok(played)
}

fn first_code(found: &astragal::machinery::diagnostic::Diagnostics) -> String {
    let errors = found.sorted();
    errors.iter().find_map(|it| it.code).unwrap_or("refused").to_owned()
}

/// Its sort and its story.
type Difference = (String, String);

/// Does something; a panic becomes a difference.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Difference> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()));
        let words = words.unwrap_or_default();
        let sort: String = words.chars().filter(|it| !it.is_ascii_digit()).take(40).collect();
        (format!("panic: {sort}"), format!("panic: {words}"))
    })
}

fn lockstep(game: &Game, number: u64, limits: Limits) -> Result<Played, Difference> {
    let Limits { decisions, expressions, .. } = limits;
    match compare_engines(game, Number(number), lockstep::Limits { decisions, expressions }) {
        Ok(Compared { decisions, cut, .. }) => {
            let passes = game.compiled().fired;
            Ok(Played { decisions, passes, cut: cut.map(str::to_owned) })
        }
        Err(found) => {
            // A variable or a pile is named with its place.
            let what = found.what.split(['[', '.', ':']).next().unwrap_or_default();
            Err((format!("meaning: {what}"), found.to_string()))
        }
    }
}

/// How many pairs of games each seat is shown.
const PAIRS: u64 = 4;

/// Plays pairs of games that differ only in what a seat may not see: it must not notice.
fn worlds(game: &Game, number: u64, limits: Limits) -> Result<Played, Difference> {
    if !game.has_secrets() {
        return Ok(Played { cut: Some("there are no secrets".to_owned()), ..Played::default() });
    }
    let mut played = Played { passes: game.compiled().fired, ..Played::default() };
    for seat in (0..).take(game.info().players) {
        for pair in 0..PAIRS {
            let left = Cell::new(limits.decisions * PAIRS);
            let goes_on = || left.replace(left.get().saturating_sub(1)) > 0;
            let pair =
                noninterference::compare(game, Player(seat), (Number(number), pair), &goes_on);
            match pair {
                Ok(pair) => played.decisions += pair.decisions,
                Err(leak) => {
                    let sort = leak.received[0].split([':', ' ']).next().unwrap_or_default();
                    return Err((format!("leak: {sort}"), format!("{leak:#?}")));
                }
            }
        }
    }
    Ok(played)
}

/// The pass of the compiler without which engine and reference agree, if there is one.
pub fn pass_at_fault(ruleset: &Ruleset, number: u64, limits: Limits) -> Option<&'static str> {
    let Limits { engine, decisions, expressions } = limits;
    let game = load(ruleset, &some_setting(ruleset, number)).ok()?;
    let limits = lockstep::Limits { decisions, expressions };
    let find = || (engine != Engine::Worlds).then(|| faulty_pass(&game, Number(number), limits));
    Some(guarded(find).ok()???.name())
}

/// Plays two games with the same answers: both offer, draw and end the same.
fn go_alike(one: &Game, other: &Game, number: u64, limits: Limits) -> Result<(), Difference> {
    // Who has only one move is asked where `check` cannot tell that all see how many there are; a rule in the way is
    // enough for that.
    let asked = [one, other].map(|game| game.rules().asked_anyway.len());
    if asked[0] != asked[1] {
        return Ok(());
    }
    let mut chance = Number(number).stream(0);
    let mut states = [one.initial_state(), other.initial_state()];
    let mut turns = [LegalMoves::new(), LegalMoves::new()];
    let mut told = String::new();
    for _ in 0..limits.decisions {
        let [a, b] = [0, 1].map(|at| {
            let game = [one, other][at];
            seen(game, &mut states[at], &mut turns[at])
        });
        let ([_, what, before], [_, _, after]) = (&a.words, &b.words);
        // An error that is met earlier or later is none of a game written in another way: the
        // manual leaves open when some conditions are tested.
        if a.stops || b.stops {
            return Ok(());
        }
        if a.words != b.words {
            let differs = format!("{told}{what}\n  before: {before}\n  after:  {after}");
            return Err((
                format!("{BEFORE}: {}", what.split(' ').next().unwrap_or_default()),
                differs,
            ));
        }
        let Some(count) = a.ways else { return Ok(()) };
        let index = chance.below(count);
        for at in 0..2 {
            let game = [one, other][at];
            match a.draws {
                true => game.draw(&mut states[at], index),
                false => game.choose(&mut states[at], &turns[at], index as usize),
            }
        }
        told += &format!("{what}: {index}\n");
    }
    Ok(())
}

/// Where a game waits.
struct Seen {
    /// What was said; what is waited for; what may happen.
    words: [String; 3],
    ways: Option<u32>,
    draws: bool,
    /// Whether an error stopped it, or there is too much to compare.
    stops: bool,
}

fn seen(game: &Game, state: &mut astragal::machinery::game::State, turn: &mut LegalMoves) -> Seen {
    let step = game.advance(state, turn);
    let said = format!("{:?}", turn.said);
    let nothing = Seen { words: Default::default(), ways: None, draws: false, stops: false };
    match step {
        Err(_) => Seen { stops: true, ..nothing },
        Ok(Step::End) => {
            let result =
                format!("{:?} {:?}", game.final_outcome(state), game.measure_values(state).ok());
            Seen { words: [said, "end".to_owned(), result], ..nothing }
        }
        Ok(Step::Draw { outcomes }) => {
            let words: Vec<_> = (0..outcomes).map(|it| game.outcome(state, it)).collect();
            let words = [said, "draw".to_owned(), words.join(", ")];
            Seen { words, ways: Some(outcomes), draws: true, ..nothing }
        }
        // To write and compare all of so many takes minutes.
        Ok(Step::Decide { .. }) if turn.count() > MOST_MOVES => Seen { stops: true, ..nothing },
        Ok(Step::Decide { player }) => {
            let labels: Vec<_> =
                (0..turn.count()).map(|at| game.label_move(state, turn, at)).collect();
            let unkept = game.unkept(state).len();
            let asked = format!("{:?} {unkept} {}", game.question(state), labels.join(", "));
            let words = [said, format!("decision of {player:?}"), asked];
            Seen { words, ways: u32::try_from(turn.count()).ok(), ..nothing }
        }
    }
}

/// A number of players and values of options that the rules allow.
fn some_setting(ruleset: &Ruleset, number: u64) -> GameOptions {
    let rules = &ruleset.rules;
    let mut dice = Dice::new(number ^ 0x5e77);
    let counts: Vec<usize> = rules.player_counts().collect();
    let players = counts[dice.below(counts.len())];
    let mut options = Vec::new();
    for (option, choice) in rules.options.iter().zip(choices(rules, players)) {
        // Half of the games are played as usual.
        if dice.once_in(2) {
            continue;
        }
        if let Some(value) = dice.pick(&choice.values) {
            options.push((option.name.clone(), value_text(rules, &option.ty, value)));
        }
    }
    GameOptions { players: Some(players), options }
}
