//! Plays a game in the engine and in the reference side by side: after each step both have to show the same.

mod compare;
pub mod error;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::chance::{Chance, Seed, Seeded};
use crate::compile::{Pass, Passes};
use crate::game::{Game, LegalMoves, Player, Said, State, Step, Trap};
use crate::reference::{
    self, AskedPlayer, ChanceDraw, GameEnd, Halt, Partner, Pause, PlayedGame, Setup,
};
use compare::{difference, unequal};

/// How many expressions are computed to find the pass at fault, for each pass.
const MOST_TRIED: u64 = 3_000_000;

/// How many of the last events a disagreement tells.
const MOST_EVENTS: usize = 30;

/// How much is compared of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub decisions: u64,
    /// How many expressions the reference computes.
    pub expressions: u64,
}

/// What was compared of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    pub decisions: u64,
    pub expressions: u64,
    /// Why not all of the game was compared.
    pub cut: Option<&'static str>,
}

/// The engine and the reference differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// How many decisions and draws there were before.
    pub(crate) step: u64,
    pub(crate) decisions: u64,
    /// What differs: `the moves`.
    pub what: String,
    pub(crate) engine: String,
    pub(crate) reference: String,
    /// The last events before.
    pub(crate) events: Vec<String>,
}

impl Limits {
    /// All of a game, however long it is.
    pub const WHOLE: Limits = Limits { decisions: u64::MAX, expressions: u64::MAX };
}

impl fmt::Display for Disagreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in &self.events {
            writeln!(out, "{event}")?;
        }
        let Disagreement { step, what, engine, reference, .. } = self;
        write!(out, "step {step}: {what}\n  engine:    {engine}\n  reference: {reference}")
    }
}

/// Plays a game with random moves, the same as a table of random seats with this seed.
///
/// # Errors
/// The first thing in which the two differ.
pub fn compare_engines(
    game: &Game,
    seed: Seed,
    limits: Limits,
) -> Result<Compared, Box<Disagreement>> {
    compare_while(game, seed, limits, &|| true)
}

/// Compares engine and reference as long as `goes_on` holds.
///
/// # Errors
/// The first thing in which the two differ.
pub(crate) fn compare_while(
    game: &Game,
    seed: Seed,
    limits: Limits,
    goes_on: &dyn Fn() -> bool,
) -> Result<Compared, Box<Disagreement>> {
    let mut engine = EngineGame::new(game, seed, limits);
    let setup = Setup {
        rules: game.rules(),
        sources: game.sources(),
        names: game.names(),
        options: &game.setting().options,
        most_expressions: limits.expressions,
        goes_on,
    };
    // A mistake of either must not take the program with it.
    let played = catch_unwind(AssertUnwindSafe(|| reference::play_reference(setup, &mut engine)));
    let Ok(PlayedGame { halt, measures, broken, said, state, decisions, expressions }) = played
    else {
        engine.differ("a panic", "see above", "see above");
        return Err(Box::new(engine.disagreement()));
    };
    let pause = Pause { said: &said, state: &state };
    let cut = match halt {
        Halt::End(end) => {
            engine.compare_end(&end, (measures.as_ref(), &broken), pause);
            engine.cut
        }
        Halt::Trap(name) => engine.traps(name),
        Halt::Left => engine.cut,
        Halt::Bound(why) => Some(why),
    };
    match engine.found {
        Some(_) => Err(Box::new(engine.disagreement())),
        None => Ok(Compared { decisions, expressions, cut }),
    }
}

/// The pass of the compiler without which the two agree, if one alone is at fault.
pub fn faulty_pass(game: &Game, seed: Seed, limits: Limits) -> Option<Pass> {
    let limits = Limits { expressions: MOST_TRIED.min(limits.expressions), ..limits };
    let agrees = |off: Passes| {
        game.without(off).is_ok_and(|game| compare_engines(&game, seed, limits).is_ok())
    };
    // Where the interpreter agrees, machine code is at fault.
    let is_machine_code = agrees(Passes::default());
    Pass::ALL.into_iter().find(|pass| !is_machine_code && agrees([*pass].into_iter().collect()))
}

/// The engine's game, and how it differs from the reference.
struct EngineGame<'g> {
    game: &'g Game,
    limits: Limits,
    state: State,
    legal: LegalMoves,
    table: Seeded,
    seats: Vec<Seeded>,
    decisions: u64,
    step: u64,
    events: Vec<String>,
    cut: Option<&'static str>,
    found: Option<[String; 3]>,
}

impl<'g> EngineGame<'g> {
    fn new(game: &'g Game, seed: Seed, limits: Limits) -> EngineGame<'g> {
        let players = game.info().players;
        let seats = (0..).take(players).map(|seat| seed.seat(0, players, seat));
        EngineGame {
            game,
            limits,
            state: game.initial_state(),
            legal: LegalMoves::new(),
            table: seed.table_stream(0, players),
            seats: seats.collect(),
            decisions: 0,
            step: 0,
            events: Vec::new(),
            cut: None,
            found: None,
        }
    }

    fn disagreement(self) -> Disagreement {
        let [what, engine, reference] = self.found.unwrap_or_default();
        let from = self.events.len().saturating_sub(MOST_EVENTS);
        let events = self.events[from..].to_vec();
        let EngineGame { step, decisions, .. } = self;
        Disagreement { step, decisions, what, engine, reference, events }
    }

    fn differ(&mut self, what: &str, engine: &str, reference: &str) {
        self.record_difference(Some([what, engine, reference].map(str::to_owned)));
    }

    /// Records a disagreement if the two differ; returns whether they agree.
    fn check_same<T: PartialEq + fmt::Debug>(
        &mut self,
        what: &str,
        engine: &T,
        reference: &T,
    ) -> bool {
        self.record_difference(unequal(engine, reference, || what.to_owned()))
    }

    /// Keeps the first difference; returns whether there is none here.
    fn record_difference(&mut self, differs: Option<[String; 3]>) -> bool {
        let is_same = differs.is_none();
        self.found = self.found.take().or(differs);
        is_same
    }

    /// Runs the engine to where it waits, and compares what was said on the way; nothing if the two differ, or if the
    /// engine reached one of its bounds.
    fn advance_engine(&mut self, expected: &str, pause: Pause<'_>) -> Option<Step> {
        let found = match self.game.advance(&mut self.state, &mut self.legal) {
            Ok(step) => step,
            Err(trap) => {
                match bound(&trap) {
                    Some(why) => self.cut = Some(why),
                    None => self.differ("where it waits", &format!("{trap:?}"), expected),
                }
                return None;
            }
        };
        let said = std::mem::take(&mut self.legal.said);
        let heard: Vec<Said> = pause.said.iter().map(as_said).collect();
        let is_same = self.check_same("what was said", &said, &heard);
        self.events.extend(said.iter().map(|said| format!("  {}", said.text)));
        is_same.then_some(found)
    }

    /// Compares the tables of engine and reference; returns whether they agree.
    fn compare_tables(&mut self, pause: Pause<'_>) -> bool {
        self.record_difference(difference(self.game, &self.state, pause.state))
    }

    fn move_labels(&self) -> Vec<String> {
        self.game.label_moves(&self.state, &self.legal).collect()
    }

    fn compare_end(
        &mut self,
        end: &GameEnd,
        (measures, broken): (Option<&Vec<Vec<i64>>>, &Vec<usize>),
        pause: Pause<'_>,
    ) {
        let Some(step) = self.advance_engine("the end", pause) else { return };
        let result = self.game.final_outcome(&self.state);
        let (returns, scores, places, teams) =
            result.map(|it| (it.returns, it.scores, it.places, it.teams)).unwrap_or_default();
        let values = self.game.measure_values(&self.state).ok();
        let _ = self.check_same("where it waits", &step, &Step::End)
            && self.check_same("the result", &returns, &end.returns)
            && self.check_same("the scores", &scores, &end.scores)
            && self.check_same("the places", &places, &end.places)
            && self.check_same("the teams", &teams, &end.teams)
            && self.compare_tables(pause)
            && self.check_same("the measures", &values.as_ref(), &measures)
            && self.check_same("which `always` do not hold", &self.broken_invariants(), broken);
    }

    fn broken_invariants(&self) -> Vec<usize> {
        self.game.unkept(&self.state).into_iter().map(|it| it.number).collect()
    }

    fn traps(&mut self, name: &str) -> Option<&'static str> {
        match self.game.advance(&mut self.state, &mut self.legal) {
            Err(trap) => {
                let cut = bound(&trap);
                let trap = format!("{trap:?}");
                let found = trap.split([' ', '{']).next().unwrap_or_default().to_owned();
                if cut.is_none() {
                    self.check_same("the error", &found.as_str(), &name);
                }
                cut
            }
            Ok(step) => {
                let moves = self.move_labels();
                self.differ("the error", &format!("{step:?}, moves {moves:?}"), name);
                None
            }
        }
    }
}

impl Partner for EngineGame<'_> {
    fn pick_move(&mut self, asked: &AskedPlayer, pause: Pause<'_>) -> Option<usize> {
        let AskedPlayer { player, question, moves, heard, broken } = asked;
        let expected = format!("player {player} with the moves {moves:?}");
        let found = self.advance_engine(&expected, pause)?;
        let player = Player(u8::try_from(*player).expect("a seat is a small number"));
        let labels = self.move_labels();
        let hidden =
            (0..labels.len()).map(|at| self.game.heard_label(&self.state, &self.legal, at));
        let hidden: Vec<String> = hidden.collect();
        let asks = self.game.question(&self.state);
        let unkept = self.broken_invariants();
        let is_same = self.check_same("where it waits", &found, &Step::Decide { player })
            && self.check_same("the moves", &labels, moves)
            && self.check_same("what others hear of the moves", &hidden, heard)
            && self.check_same("the question", &asks, question)
            && self.compare_tables(pause)
            && self.check_same("which `always` do not hold", &unkept, broken);
        if is_same && self.decisions == self.limits.decisions {
            self.cut = Some("it takes too many decisions");
        }
        if !is_same || self.cut.is_some() {
            return None;
        }
        let count = u32::try_from(moves.len()).expect("there are few moves");
        let index = self.seats[player.index()].below(count) as usize;
        self.events.push(format!("{}> {}", self.game.names()[player.index()], moves[index]));
        self.game.choose(&mut self.state, &self.legal, index);
        self.decisions += 1;
        self.step += 1;
        Some(index)
    }

    fn pick_outcome(&mut self, drawing: &ChanceDraw, pause: Pause<'_>) -> Option<usize> {
        let ChanceDraw { event, outcomes, seen_by } = drawing;
        let found =
            self.advance_engine(&format!("{event} with the outcomes {outcomes:?}"), pause)?;
        let count = u32::try_from(outcomes.len()).expect("there are few outcomes");
        let drawn = self.game.event(&self.state);
        let words = (0..count).map(|index| self.game.outcome(&self.state, index));
        let words: Vec<String> = words.collect();
        let players = (0..).take(self.game.info().players);
        let see = players.filter(|seat| self.game.sees_draw(&self.state, Player(*seat)));
        let see: Vec<i64> = see.map(i64::from).collect();
        let is_same = self.check_same("where it waits", &found, &Step::Draw { outcomes: count })
            && self.check_same("what is drawn", &drawn, event)
            && self.check_same("the outcomes", &words, outcomes)
            && self.check_same("who sees the draw", &see, seen_by)
            && self.compare_tables(pause);
        if !is_same {
            return None;
        }
        let index = self.table.below(count);
        self.game.draw(&mut self.state, index);
        self.events.push(format!("* {event}: {}", words[index as usize]));
        self.step += 1;
        Some(index as usize)
    }
}

/// Why an error of the engine says nothing about the rules: a bound that the reference does not have.
fn bound(trap: &Trap) -> Option<&'static str> {
    match trap {
        Trap::Endless { .. } => Some("the engine takes too many steps"),
        Trap::TooDeep { .. } => Some("rules call each other too deep"),
        Trap::TooMuchSaid { .. } => Some("too much is said"),
        Trap::TooMuchRemembered { .. } => Some("too many positions are remembered"),
        Trap::TooManyMoves { .. } => Some("there are too many moves"),
        _ => None,
    }
}

fn as_said(speech: &reference::Speech) -> Said {
    let to = speech.to.map(|seat| Player(u8::try_from(seat).expect("a seat is a small number")));
    Said { to, text: speech.text.clone(), declines: speech.declines }
}
