//! Plays two games beside each other that differ only in what one seat may not see: the seat must not notice.
//!
//! This is noninterference (Goguen and Meseguer, "Security Policies and Security Models", 1982), up to the first secret
//! that the rules disclose on purpose. What the checker, the engine and the author believe about secrets is not asked:
//! what the seat receives is compared.

pub(crate) mod error;
mod visible;
mod world;

use crate::chance::{Chance, Seed, Seeded};
use crate::game::{Game, Player};
use crate::source::Span;
use world::{World, WorldMoment, one_of};

/// How many decisions of a pair are made at most.
const MOST_DECISIONS: u64 = 400;

/// One time in so many the two games go apart where the seat does not see it. Each pair draws one of these numbers:
/// where the games differ in little, they stay beside each other for long.
const RATES: [u32; 3] = [2, 6, 20];

/// A pair of games in which the seat noticed nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Whether the games ever went apart.
    pub differs: bool,
    /// How many decisions were compared after the games had gone apart.
    pub decisions: u64,
    /// What ended it, where the rules told the seat on purpose.
    pub(crate) disclosed: Option<String>,
}

/// Something that a seat can tell the two games apart by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    pub(crate) seat: Player,
    /// Where the games stood.
    pub(crate) span: Span,
    /// What the seat receives in each of them.
    pub received: [String; 2],
    /// What it does not see, and where they differ.
    pub(crate) secrets: Vec<[String; 2]>,
}

/// Plays one of the pairs of random games of a seed, as long as `goes_on`.
///
/// # Errors
/// The first thing by which the seat can tell them apart, though nothing disclosed it on purpose.
pub fn compare(
    game: &Game,
    seat: Player,
    (seed, number): (Seed, u64),
    goes_on: &dyn Fn() -> bool,
) -> Result<Pair, Box<Leak>> {
    let mut random = seed.stream((number << 8) + u64::from(seat.0));
    let rate = RATES[random.random_index(RATES.len())];
    let mut pair = Pair::default();
    let Some(mut beside) = TwoWorlds::split_worlds(game, seat, (random, rate), goes_on) else {
        return Ok(pair);
    };
    pair.differs = true;
    while beside.decisions < MOST_DECISIONS && goes_on() {
        match beside.step_worlds() {
            Ok(()) => {}
            Err(Ended::Over) => break,
            Err(Ended::Told(what)) => {
                pair.disclosed = Some(what);
                break;
            }
            Err(Ended::Leaked(leak)) => return Err(leak),
        }
    }
    pair.decisions = beside.decisions;
    Ok(pair)
}

struct TwoWorlds<'g> {
    game: &'g Game,
    seat: Player,
    worlds: [World<'g>; 2],
    random: Seeded,
    rate: u32,
    secrets: Vec<[String; 2]>,
    decisions: u64,
}

enum Ended {
    /// Both have ended, or cannot go on alike.
    Over,
    Told(String),
    Leaked(Box<Leak>),
}

type Goes = Result<(), Ended>;

impl<'g> TwoWorlds<'g> {
    /// Plays one game up to where the seat cannot see how it goes on, and from there two; none where that never happens.
    fn split_worlds(
        game: &'g Game,
        seat: Player,
        (mut random, rate): (Seeded, u32),
        goes_on: &dyn Fn() -> bool,
    ) -> Option<TwoWorlds<'g>> {
        let mut world = World::new(game, seat);
        loop {
            world.run_to_stop();
            let parts = random.below(rate) == 0;
            let apart = match &world.stop {
                WorldMoment::Draw(draw) if parts && !draw.is_seen => world.draws_apart(&mut random),
                WorldMoment::Decide(player) if parts && *player != seat => {
                    world.moves_apart(&mut random)
                }
                WorldMoment::Draw(_) | WorldMoment::Decide(_) => None,
                WorldMoment::End | WorldMoment::Error(_) | WorldMoment::Fault(_) => return None,
            };
            if let Some(([first, second], events)) = apart {
                let mut other = world.clone();
                world.answer_stop(first);
                other.answer_stop(second);
                let (worlds, secrets) = ([world, other], vec![events]);
                return Some(TwoWorlds { game, seat, worlds, random, rate, secrets, decisions: 0 });
            }
            let count = world.answer_count();
            if count == 0 || !goes_on() {
                return None;
            }
            world.answer_stop(random.random_index(count));
        }
    }

    fn step_worlds(&mut self) -> Goes {
        self.worlds.iter_mut().for_each(World::run_to_stop);
        let [a, b] = &self.worlds;
        if let Some(what) = visible::disclosed(self.game, [&a.state, &b.state], self.seat) {
            return Err(Ended::Told(what));
        }
        // A draw or an error in only one of them tells more than that the other has ended.
        let goes_on =
            |world: &World<'_>| matches!(world.stop, WorldMoment::Decide(_) | WorldMoment::End);
        if self.worlds.iter().all(goes_on) && a.game_outcome() != b.game_outcome() {
            return Err(Ended::Told("the end".to_owned()));
        }
        self.compare_words()?;
        let [a, b] = &self.worlds;
        match (&a.stop, &b.stop) {
            (WorldMoment::End, WorldMoment::End) => {
                self.compare_tables()?;
                Err(Ended::Over)
            }
            (WorldMoment::Fault(_), _)
            | (_, WorldMoment::Fault(_))
            | (WorldMoment::Error(_), WorldMoment::Error(_)) => Err(Ended::Over),
            (WorldMoment::Draw(one), WorldMoment::Draw(other)) if one == other => self.draw_both(),
            (WorldMoment::Decide(one), WorldMoment::Decide(other)) if one == other => {
                self.decide_both(*one)
            }
            _ => Err(self.stopped_apart(self.worlds.each_ref().map(World::stopped))),
        }
    }

    /// Only one game draws: a card that is drawn is moved, and where it goes may be seen.
    fn stopped_apart(&self, received: [String; 2]) -> Ended {
        let drawn = self.worlds.each_ref().map(World::past_a_card);
        let states = drawn.each_ref().map(|world| &world.state);
        match visible::disclosed(self.game, states, self.seat) {
            Some(what) => Ended::Told(what),
            None => self.leak(received),
        }
    }

    /// What is said is said on purpose. That somebody passes because nothing else is legal is no word of the rules.
    fn compare_words(&self) -> Goes {
        let [a, b] = &self.worlds;
        let at = a.said.iter().zip(&b.said).take_while(|(a, b)| a == b).count();
        let words = [a.said.get(at), b.said.get(at)];
        if words == [None, None] {
            return Ok(());
        }
        let passes = words.map(|said| said.is_some_and(|said| said.declines));
        if passes == [false, false] || words.iter().all(Option::is_some) && passes[0] != passes[1] {
            return Err(Ended::Told("words".to_owned()));
        }
        let heard = |at: usize, world: &World<'_>| {
            words[at].map_or_else(|| world.stopped(), |said| format!("hears: {}", said.text))
        };
        Err(self.stopped_apart([heard(0, a), heard(1, b)]))
    }

    fn compare_tables(&self) -> Goes {
        let [a, b] = &self.worlds;
        let tables = [a.print_table(), b.print_table()];
        if tables[0] == tables[1] { Ok(()) } else { Err(self.leak(tables)) }
    }

    /// Draws alike where the seat sees it, and mostly alike where it does not.
    fn draw_both(&mut self) -> Goes {
        let [a, b] = &mut self.worlds;
        let (outcomes, others) = (a.outcomes(), b.outcomes());
        let drawn = self.random.random_index(outcomes.len());
        let is_seen = matches!(&a.stop, WorldMoment::Draw(draw) if draw.is_seen);
        let goes_apart = !is_seen && self.random.below(self.rate) == 0;
        let is_same = |at: usize| goes_apart || others[at] == outcomes[drawn];
        let same = one_of(&mut self.random, others.len(), is_same);
        let any = || if is_seen { None } else { one_of(&mut self.random, others.len(), |_| true) };
        let beside = same.or_else(any).ok_or(Ended::Over)?;
        let events = [(&*a, &outcomes[drawn]), (&*b, &others[beside])];
        let events = events.map(|(world, outcome)| format!("{}: {outcome}", world.stopped()));
        a.answer_stop(drawn);
        b.answer_stop(beside);
        self.note_difference(events);
        Ok(())
    }

    fn decide_both(&mut self, player: Player) -> Goes {
        self.compare_tables()?;
        let [a, b] = &self.worlds;
        self.decisions += 1;
        if player == self.seat {
            return self.decide_alike();
        }
        let (heard, others) = (a.heard_labels(), b.heard_labels());
        let (labels, beside) = (a.move_labels(), b.move_labels());
        let made = self.random.random_index(heard.len());
        let goes_apart = self.random.below(self.rate) == 0;
        let count = others.len();
        let is_heard = |at: usize| others[at] == heard[made];
        let is_same = |at: usize| is_heard(at) && !goes_apart && beside[at] == labels[made];
        let same = one_of(&mut self.random, count, is_same);
        let other = same.or_else(|| one_of(&mut self.random, count, is_heard));
        let other = other.ok_or_else(|| self.reads_otherwise(made))?;
        let name = &self.game.names()[player.index()];
        self.note_difference(
            [&labels[made], &beside[other]].map(|label| format!("{name}> {label}")),
        );
        let told = [(0, made), (1, other)].map(|(at, index)| self.worlds[at].make_move(index));
        if told[0] == told[1] {
            return Ok(());
        }
        // A player who was given a card hears which one it is, and sees it: a move tells nothing else.
        let tables = [0, 1].map(|at| self.worlds[at].table_after());
        if tables[0] == tables[1] {
            return Err(self.leak(told.map(|words| format!("hears: {words}"))));
        }
        Err(Ended::Told("a move".to_owned()))
    }

    /// The seat is offered the same, and plays the same.
    fn decide_alike(&mut self) -> Goes {
        let [a, b] = &self.worlds;
        let offered = [a, b].map(|world| (world.asked_question(), world.move_labels()));
        if offered[0] != offered[1] {
            let read = |(question, labels): &(Option<String>, Vec<String>)| {
                let question = question.as_deref().unwrap_or_default();
                format!("is asked: {question} {}", labels.join(", "))
            };
            return Err(self.leak([read(&offered[0]), read(&offered[1])]));
        }
        let index = self.random.random_index(offered[0].1.len());
        self.worlds.iter_mut().for_each(|world| drop(world.make_move(index)));
        Ok(())
    }

    /// No move of the second game is heard like this one of the first: a leak, if one has the same arguments.
    fn reads_otherwise(&self, made: usize) -> Ended {
        let [a, b] = &self.worlds;
        let wanted = a.heard_arguments(made);
        let others = b.heard_labels();
        match (0..others.len()).find(|at| b.heard_arguments(*at) == wanted) {
            Some(at) => self.leak([
                format!("hears: {}", a.heard_labels()[made]),
                format!("hears: {}", others[at]),
            ]),
            None => Ended::Over,
        }
    }

    fn note_difference(&mut self, events: [String; 2]) {
        if events[0] != events[1] {
            self.secrets.push(events);
        }
    }

    fn leak(&self, received: [String; 2]) -> Ended {
        let (seat, secrets) = (self.seat, self.secrets.clone());
        let span = self.worlds[0].stop_span();
        Ended::Leaked(Box::new(Leak { seat, span, received, secrets }))
    }
}
