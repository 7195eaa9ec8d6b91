//! Play for a rulebook: how long a game takes, and a stretch of it as an example.
//!
//! What is played follows from the game alone. It is bounded by decisions and steps, not by a clock, so that a
//! book is the same on every machine.

use std::collections::BTreeSet;

use super::console::LoadedScript;
use super::look::views;
use crate::chance::{Chance, Seed, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LegalMoves, LogEntry, State, Step, TableView, Trap, What};

/// How many games are played at random.
const GAMES: u64 = 16;

/// How many decisions and steps of the machine all of them take at most.
const MOST_DECISIONS: u64 = 3_000;
const MOST_STEPS: u64 = 1_500_000;

/// How long people think about a decision that they have.
const SECONDS: u64 = 20;

/// A longer game, or one of which so few end, is no measure of how people play.
const LONGEST: u64 = 180;

/// How many decisions an example has at most, and among how many it is sought.
const LONGEST_EXAMPLE: usize = 8;
const SEARCHED: usize = 48;

/// What was played for a book.
pub(crate) struct PlayedSample {
    /// How long people take, in minutes.
    pub(crate) minutes: Option<u64>,
    pub(crate) example: Option<Stretch>,
}

/// A stretch of play: the table before it, what happened, the table after it.
pub(crate) struct Stretch {
    pub(crate) before: TableView,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) after: TableView,
}

/// Plays a few games at random.
pub(crate) fn play_sample(game: &Game) -> PlayedSample {
    let mut bots = Bots { game, decisions: 0, steps: 0 };
    let (mut lengths, mut example, mut started) = (Vec::new(), None, 0);
    for number in 0..GAMES {
        if bots.is_tired() {
            break;
        }
        started += 1;
        let mut seen = Vec::new();
        let length = bots.play(number, &mut seen);
        if example.is_none() {
            example = shortest(game, &seen);
        }
        lengths.extend(length.ok().flatten());
    }
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).filter(|_| lengths.len() * 2 > started);
    let minutes = usual.map(|length| rounded(length * SECONDS / 60));
    PlayedSample { minutes: minutes.filter(|it| *it <= LONGEST), example }
}

/// The whole of a script as an example.
///
/// # Errors
/// Whatever stops the script.
pub(crate) fn play_script(loaded: LoadedScript) -> Result<Option<Stretch>, Diagnostics> {
    let mut steps = views(loaded, None)?;
    let log = steps.iter_mut().skip(1).flat_map(|view| std::mem::take(&mut view.log)).collect();
    let after = steps.pop();
    let before = steps.into_iter().next();
    Ok(before.zip(after).map(|(before, after)| Stretch { before, log, after }))
}

/// Minutes as people tell them.
fn rounded(minutes: u64) -> u64 {
    let step = if minutes < 30 { 5 } else { 15 };
    (minutes.max(1)).div_ceil(step) * step
}

/// A decision that was made: where the game stood, the word of the move, and what happened then.
struct MadeDecision {
    before: State,
    word: String,
    log: Vec<LogEntry>,
}

struct Bots<'a> {
    game: &'a Game,
    decisions: u64,
    steps: u64,
}

impl Bots<'_> {
    fn is_tired(&self) -> bool {
        self.decisions >= MOST_DECISIONS || self.steps >= MOST_STEPS
    }

    /// Plays a game to its end, or as far as there is time; gives how often somebody had a choice.
    fn play(&mut self, number: u64, seen: &mut Vec<MadeDecision>) -> Result<Option<u64>, Trap> {
        let mut chance = Seed(0).stream(number);
        let (mut state, mut legal) = (self.game.initial_state(), LegalMoves::new());
        let mut choices = 0;
        while !self.is_tired() {
            let allowed = MOST_STEPS - self.steps;
            state.allow_steps(allowed);
            let step = self.game.advance(&mut state, &mut legal);
            // Rules with a mistake are no game to measure, and it may take long to show.
            let step = step.inspect_err(|_| self.steps = MOST_STEPS)?;
            self.steps += allowed.saturating_sub(state.steps_left()).clamp(1, allowed);
            let heard = legal.said.iter().filter(|it| it.to.is_none() && !it.declines);
            let heard =
                heard.map(|it| LogEntry { what: What::Said, seat: None, text: it.text.clone() });
            if let Some(last) = seen.last_mut() {
                last.log.extend(heard);
            }
            match step {
                Step::End => return Ok(Some(choices)),
                Step::Draw { outcomes } => self.draw(&mut state, outcomes, &mut chance, seen),
                Step::Decide { player } => {
                    let picked = chance.random_index(legal.count());
                    choices += u64::from(legal.count() > 1);
                    self.decisions += 1;
                    if seen.len() <= SEARCHED {
                        let label = self.game.label_move(&state, &legal, picked);
                        let word = label.split(' ').next().unwrap_or_default().to_owned();
                        let made =
                            LogEntry { what: What::Move, seat: Some(player.index()), text: label };
                        seen.push(MadeDecision { before: state.clone(), word, log: vec![made] });
                    }
                    self.game.choose(&mut state, &legal, picked);
                }
            }
        }
        Ok(None)
    }

    fn draw(
        &self,
        state: &mut State,
        outcomes: u32,
        chance: &mut Seeded,
        seen: &mut [MadeDecision],
    ) {
        let drawn = chance.below(outcomes);
        if let Some(last) = seen.last_mut() {
            let text = format!("{}: {}", self.game.event(state), self.game.outcome(state, drawn));
            last.log.push(LogEntry { what: What::Draw, seat: None, text });
        }
        self.game.draw(state, drawn);
    }
}

/// The shortest stretch that shows as many kinds of moves as any; the first one of them.
fn shortest(game: &Game, seen: &[MadeDecision]) -> Option<Stretch> {
    // The last one has no table behind it.
    let whole = seen.len().checked_sub(1)?;
    let mut best: Option<(usize, usize, usize)> = None;
    for from in 0..whole {
        let mut words = BTreeSet::new();
        for (length, made) in seen[from..whole].iter().take(LONGEST_EXAMPLE).enumerate() {
            words.insert(&made.word);
            let is_better = best.is_none_or(|(kinds, _, most)| {
                words.len() > kinds || words.len() == kinds && length + 1 < most
            });
            if is_better {
                best = Some((words.len(), from, length + 1));
            }
        }
    }
    let (_, from, length) = best?;
    let view = |at: usize| game.table_since(&seen[at].before, None, &BTreeSet::new(), false);
    let log = seen[from..from + length].iter().flat_map(|it| it.log.clone()).collect();
    Some(Stretch { before: view(from), log, after: view(from + length) })
}
