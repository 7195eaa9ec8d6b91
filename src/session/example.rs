//! Play for a rulebook: how long a game takes, and a stretch of it as an example.
//!
//! What is played follows from the game alone. It is bounded by decisions and steps, not by a clock, so that a
//! book is the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use crate::bots::{Analysis, BotKind, Control, View};
use crate::chance::{Chance, Seed, Seeded};
use crate::game::{
    Game, LegalMoves, LogEntry, Player, State, Step, TableView, Thing, Trap, ValueForm, What,
};
use crate::rulebook::dice_of_a_turn;
use crate::rulebook::setup::unseen_piles;
use crate::session::draw_lines::draw_lines;
use crate::session::seat_view::Stretch;

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
const LONGEST_EXAMPLE: usize = 12;
const SEARCHED: usize = 64;

/// Of more moves the bot of the example takes any.
const MOST_WEIGHED: usize = 60;

/// After so many games that an error of the rules stops, no more are played.
const MOST_FAILED: usize = 2;

/// What was played for a book.
pub(crate) struct PlayedSample {
    /// How long people take, in minutes.
    pub(crate) minutes: Option<u64>,
    pub(crate) example: Option<Stretch>,
}

/// Plays a few games at random.
pub(crate) fn play_sample(game: &Game) -> PlayedSample {
    let counting = game.counting_turns();
    let game = counting.as_ref().unwrap_or(game);
    let mut bots = Bots { game, decisions: 0, steps: 0, best: Analysis::new(game.clone()) };
    let (mut lengths, mut example, mut started) = (Vec::new(), None, 0);
    let mut failed = 0;
    for number in 0..GAMES {
        // Rules that go round without an end take long each time.
        if bots.is_tired() || failed == MOST_FAILED {
            break;
        }
        started += 1;
        let mut seen = Vec::new();
        let length = bots.play(number, &mut seen);
        if example.is_none() {
            example = shortest(game, &seen);
        }
        failed += usize::from(length.is_err());
        lengths.extend(length.ok().flatten());
    }
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).filter(|_| lengths.len() * 2 > started);
    let minutes = usual.map(|length| round_up_minutes(length * SECONDS / 60));
    PlayedSample { minutes: minutes.filter(|it| *it <= LONGEST), example }
}

/// Up to whole fives, from half an hour on to whole quarters.
fn round_up_minutes(minutes: u64) -> u64 {
    let step = if minutes < 30 { 5 } else { 15 };
    (minutes.max(1)).div_ceil(step) * step
}

/// A decision that was made: what chance did in the turn before it, where the game stood before that, the word of the
/// move, and what happened then.
struct MadeDecision {
    before: State,
    rolled: BTreeSet<String>,
    turn: i64,
    word: String,
    lead: Vec<LogEntry>,
    log: Vec<LogEntry>,
}

/// What chance did since the last decision and what was said then, where the game stood before that, and the dice that
/// had been rolled then.
#[derive(Default)]
struct LateDraws {
    before: Option<(State, BTreeSet<String>)>,
    /// The turn in which it happened, where turns are counted.
    turn: Option<i64>,
    events: Vec<(String, String)>,
    told: Vec<LogEntry>,
    /// Where among these another turn begins than that of the last decision.
    turn_at: Option<usize>,
    /// All events since the last decision, and what lay in the piles then.
    drawn: Vec<(String, String)>,
    piles: UnseenPiles,
    /// The events of all piles from which chance ever drew.
    sources: BTreeSet<String>,
}

/// The faces in the piles of the table that nobody looks through, by the events that draw from them.
type UnseenPiles = BTreeMap<String, BTreeMap<String, usize>>;

impl LateDraws {
    /// Adds texts that were said after a draw, behind it.
    fn say(&mut self, words: Vec<LogEntry>) {
        // Dice and cards that come together are told together.
        if !words.is_empty() {
            self.tell_draws();
        }
        self.told.extend(words);
    }

    fn tell_draws(&mut self) {
        let events = std::mem::take(&mut self.events);
        let pairs: Vec<(&str, &str)> =
            events.iter().map(|(event, outcome)| (event.as_str(), outcome.as_str())).collect();
        let entry = |line: String| LogEntry {
            what: What::Draw,
            seat: None,
            text: line.trim().replacen("rolled: ", "the roll: ", 1),
        };
        self.told.extend(draw_lines(&pairs).into_iter().map(entry));
    }

    fn take_words(&mut self) -> Vec<LogEntry> {
        self.tell_draws();
        std::mem::take(&mut self.told)
    }

    fn add(&mut self, event: String, outcome: String) {
        if event.starts_with("draw ") {
            self.sources.insert(event.clone());
        }
        self.drawn.push((event.clone(), outcome.clone()));
        self.events.push((event, outcome));
    }

    /// What comes now belongs to another turn than what came before; that goes with the move before it.
    fn begin_turn(&mut self, turn: Option<i64>, seen: &mut [MadeDecision]) {
        let is_same = std::mem::replace(&mut self.turn, turn) == turn;
        if self.before.is_none() || is_same {
            return;
        }
        self.tell_draws();
        if let Some(last) = seen.last_mut() {
            last.log.append(&mut self.told);
            self.before = None;
        }
        self.turn_at = Some(self.told.len());
    }

    /// Adds the cards that chance did not draw: their order was known, or all that were left were alike. A pile that is
    /// taken away as a whole is none that somebody draws from.
    fn add_certain(&mut self, piles: UnseenPiles) {
        let before = std::mem::replace(&mut self.piles, piles);
        let drawn = std::mem::take(&mut self.drawn);
        for event in self.sources.clone() {
            let (Some(before), Some(after)) = (before.get(&event), self.piles.get(&event)) else {
                continue;
            };
            let told =
                |face: &str| drawn.iter().filter(|(it, of)| *it == event && of == face).count();
            let left = |face: &str| after.get(face).copied().unwrap_or(0);
            let gone = before.iter().map(|(face, count)| {
                let rest = count.checked_sub(left(face) + told(face));
                rest.map(|untold| (face.clone(), untold))
            });
            let gone: Option<Vec<_>> = gone.collect();
            let untold = gone.unwrap_or_default().into_iter().filter(|(_, count)| *count > 0);
            let untold: Vec<_> = untold.collect();
            if untold.len() == 1 || !after.is_empty() {
                // Cards of one pile are told together.
                let at =
                    self.events.iter().rposition(|(it, _)| *it == event).map_or(0, |at| at + 1);
                let cards = untold.iter().flat_map(|(face, count)| vec![face; *count]);
                let cards = cards.map(|face| (event.clone(), face.clone()));
                self.events.splice(at..at, cards);
            }
        }
    }
}

struct Bots<'a> {
    game: &'a Game,
    decisions: u64,
    steps: u64,
    /// Who plays the first game, from which the example is taken.
    best: Analysis,
}

impl Bots<'_> {
    fn is_tired(&self) -> bool {
        self.decisions >= MOST_DECISIONS || self.steps >= MOST_STEPS
    }

    /// Plays a game to its end, or as far as there is time; gives how often somebody had a choice.
    fn play(&mut self, number: u64, seen: &mut Vec<MadeDecision>) -> Result<Option<u64>, Trap> {
        let mut chance = Seed(0).stream(number);
        let (mut state, mut legal) = (self.game.initial_state(), LegalMoves::new());
        let (mut choices, mut rolled) = (0, BTreeSet::new());
        let mut drawn = LateDraws { piles: self.unseen_piles(&state), ..LateDraws::default() };
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
            let heard: Vec<LogEntry> = heard.collect();
            if drawn.before.is_some() {
                drawn.say(heard);
            } else if let Some(last) = seen.last_mut().filter(|_| number == 0) {
                last.log.extend(heard);
            }
            match step {
                Step::End => return Ok(Some(choices)),
                Step::Draw { outcomes } => {
                    let index = chance.below(outcomes);
                    if number == 0 && seen.len() <= SEARCHED {
                        let event = self.game.event(&state);
                        drawn.begin_turn(self.game.turn_number(&state), seen);
                        drawn.before.get_or_insert_with(|| (state.clone(), rolled.clone()));
                        rolled.extend(event.strip_prefix("roll ").map(str::to_owned));
                        drawn.add(event, self.game.outcome(&state, index));
                    }
                    self.game.draw(&mut state, index);
                }
                Step::Decide { player } => {
                    let picked = if number == 0 && seen.len() <= SEARCHED {
                        self.good_move(&state, &legal, player, &mut chance)
                    } else {
                        chance.random_index(legal.count())
                    };
                    choices += u64::from(legal.count() > 1);
                    self.decisions += 1;
                    if number == 0 && seen.len() <= SEARCHED {
                        let made = self.record_decision(
                            &state,
                            &legal,
                            (player, picked),
                            (&mut drawn, &rolled),
                            seen,
                        );
                        seen.push(made);
                    }
                    self.game.choose(&mut state, &legal, picked);
                }
            }
        }
        Ok(None)
    }

    fn unseen_piles(&self, state: &State) -> UnseenPiles {
        let view = self.game.table_since(state, None, &BTreeSet::new(), true);
        let unseen = unseen_piles(self.game.rules());
        let is_unseen = |thing: &&Thing| {
            thing.form == ValueForm::Pile && thing.variables.iter().all(|it| unseen.contains(it))
        };
        let pile = |thing: &Thing| {
            let [pile] = thing.elements.as_slice() else { return None };
            let mut faces = BTreeMap::new();
            for card in &pile.value.members {
                *faces.entry(card.name.clone()).or_default() += card.copies;
            }
            Some((format!("draw {}", thing.variables[0]), faces))
        };
        view.table.iter().filter(is_unseen).filter_map(pile).collect()
    }

    /// The turn of a decision: where turns are not counted, a joint decision of several or else the seat.
    fn turn_of(&self, state: &State, player: Player, seen: &[MadeDecision]) -> i64 {
        let number = |at: usize| i64::try_from(at).unwrap_or(0);
        match (self.game.turn_number(state), seen.last()) {
            (Some(turn), _) => turn,
            (None, Some(last)) if self.game.picked_unseen(state) > 0 => last.turn,
            (None, _) if self.game.game_type().simultaneous => number(seen.len()),
            (None, _) => number(player.index()),
        }
    }

    /// The move of the first strategy of the file, or else of the bot that takes the best next score.
    fn good_move(
        &self,
        state: &State,
        legal: &LegalMoves,
        player: Player,
        chance: &mut Seeded,
    ) -> usize {
        if legal.count() > MOST_WEIGHED {
            return chance.random_index(legal.count());
        }
        let seen = self.game.observe(state, player);
        let kind = if self.game.rules().strategies.is_empty() {
            BotKind::Greedy
        } else {
            BotKind::Strategy(0)
        };
        let view = View { game: self.game, seen: &seen, player, offers: legal.offers() };
        kind.bot(&self.best, Control::timed(|| 0)).choose(&view, chance)
    }

    /// A decision with what led to it. What chance did in a new turn belongs to that turn.
    fn record_decision(
        &self,
        state: &State,
        legal: &LegalMoves,
        (player, picked): (Player, usize),
        (drawn, rolled): (&mut LateDraws, &BTreeSet<String>),
        seen: &mut [MadeDecision],
    ) -> MadeDecision {
        let turn = self.turn_of(state, player, seen);
        drawn.add_certain(self.unseen_piles(state));
        let (before, events) = (drawn.before.take(), drawn.take_words());
        let began = drawn.turn.take().unwrap_or(turn);
        let turn_at = drawn.turn_at.take();
        let mut made = MadeDecision {
            before: state.clone(),
            rolled: rolled.clone(),
            turn,
            word: String::new(),
            lead: Vec::new(),
            log: Vec::new(),
        };
        let is_of_last =
            |last: &&mut MadeDecision| turn_at.is_none() && [turn, began].contains(&last.turn);
        match seen.last_mut().filter(is_of_last) {
            Some(last) => last.log.extend(events),
            None => {
                made.lead = events;
                // What a turn begins with is no part of the move before it.
                let takes_turns = self.game.turn_number(state).is_some();
                for at in turn_at.into_iter().chain([0]).filter(|_| takes_turns) {
                    if let Some(first) = made.lead.get_mut(at) {
                        first.seat = Some(player.index());
                    }
                }
                if let Some((before, rolled)) = before {
                    (made.before, made.rolled) = (before, rolled);
                }
            }
        }
        let label = self.game.label_move(state, legal, picked);
        label.split(' ').next().unwrap_or_default().clone_into(&mut made.word);
        made.log.push(LogEntry { what: What::Move, seat: Some(player.index()), text: label });
        made
    }
}

/// Takes dice off the table of which the next turn rolls all before anybody looks at them.
fn clear_dice(view: &mut TableView, stale: &BTreeSet<String>) {
    for things in view.players.iter_mut().chain([&mut view.table]) {
        things.retain(|it| {
            it.form != ValueForm::Die || !it.variables.iter().all(|name| stale.contains(name))
        });
    }
}

/// The shortest stretch of whole turns that shows as many kinds of moves as any; the first one of them.
fn shortest(game: &Game, seen: &[MadeDecision]) -> Option<Stretch> {
    let is_start = |at: &usize| *at == 0 || seen[*at].turn != seen[*at - 1].turn;
    let starts: Vec<usize> = (0..seen.len()).filter(is_start).collect();
    let mut best: Option<(usize, usize, usize)> = None;
    for (at, from) in starts.iter().enumerate() {
        // The last turn has no table behind it; one that is too long is better than half of one.
        for (turns, to) in starts[at + 1..].iter().enumerate() {
            let length = to - from;
            if length > LONGEST_EXAMPLE && turns > 0 {
                break;
            }
            let words: BTreeSet<&String> = seen[*from..*to].iter().map(|made| &made.word).collect();
            let is_better = best.is_none_or(|(kinds, first, last)| {
                let shown = last - first;
                let (fits, fitted) = (length <= LONGEST_EXAMPLE, shown <= LONGEST_EXAMPLE);
                (fits, words.len(), shown) > (fitted, kinds, length)
            });
            if is_better {
                best = Some((words.len(), *from, *to));
            }
        }
    }
    // A game of one turn is cut off.
    let last = seen.len().checked_sub(1)?;
    let (_, from, to) = best.unwrap_or((0, 0, last.min(LONGEST_EXAMPLE)));
    let stale = dice_of_a_turn(game.rules());
    let view = |at: usize| {
        let mut view = game.table_since(&seen[at].before, None, &seen[at].rolled, false);
        clear_dice(&mut view, &stale);
        view
    };
    let log = seen[from..to].iter().flat_map(|it| it.lead.iter().chain(&it.log).cloned()).collect();
    (from < to).then(|| Stretch { before: view(from), log, after: view(to) })
}
