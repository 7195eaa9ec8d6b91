//! Learns a game by playing it: batches of games with what is known so far, then their lessons, one after the other.
//!
//! All games of a batch are played with the same knowledge, each from random numbers of its own, and their lessons
//! come in the order of the games. So the number of games alone says what is learned, and not how many threads played
//! them, nor how often somebody stopped in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::bots::budget::{BotBudget, Control};
use crate::bots::fixed_point::ONE;
use crate::bots::heuristic::Analysis;
use crate::bots::learned::Learned;
use crate::bots::learned::network::{FeatureList, PolicyLesson, RATE};
use crate::bots::monte_carlo::Mcts;
use crate::bots::payoff::{Payoff, WIN};
use crate::bots::playout::{Counsel, WHOLE, moves_of};
use crate::bots::random::stream_of_decision;
use crate::bots::{Dealer, View};
use crate::chance::{Chance as _, Seed, Seeded};
use crate::game::{LegalMoves, Observation, Player, State, Step};
use crate::progress::Progress;

/// In so many games teachers play: chance, searches without knowledge, and the strategies of the file.
const TAUGHT: u64 = 96;

/// Results of fewer games do not tell who plays better.
const FEWEST_MATCHES: i64 = 8;

/// How many games a search plays in its head for a move, without knowledge and with it.
const SEARCH_OF_TEACHER: u32 = 24;
const SEARCH: u32 = 32;

/// A game is broken off after so many decisions, and at most so many of them are learned from.
const LONGEST: usize = 1_500;
const LESSONS: usize = 96;

/// So many sixteenths of what is expected a decision later is what was found there, and not what came of it.
const TRUST: i64 = 4;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Teacher {
    Chance,
    Search,
    Strategy(usize),
    /// A search that a strategy guides.
    Guided(usize),
    /// What was learned so far.
    Pupil,
}

/// A decision to learn from.
#[derive(Debug)]
struct Lesson {
    /// What each seat saw.
    seen: Vec<FeatureList>,
    mover: usize,
    policy: Option<PolicyLesson>,
    /// What a search expected there for each seat, in parts of a win.
    expected: Option<Vec<i64>>,
}

/// A game that was played to learn from it.
#[derive(Debug, Default)]
struct TeachingGame {
    lessons: Vec<Lesson>,
    /// What it was worth to each player.
    worth: Vec<i64>,
    teachers: Vec<Teacher>,
}

/// Learns a game.
#[derive(Clone, Debug)]
pub(crate) struct Trainer {
    analysis: Analysis,
    learned: Arc<Learned>,
}

impl Trainer {
    /// How many games are played with the same knowledge.
    pub(crate) const BATCH: u64 = 32;

    pub(crate) fn new(analysis: &Analysis, seed: u64) -> Trainer {
        Trainer::from_learned(analysis, Learned::new(analysis, seed))
    }

    /// Goes on with what was learned before.
    pub(crate) fn from_learned(analysis: &Analysis, learned: Learned) -> Trainer {
        Trainer { analysis: analysis.clone(), learned: Arc::new(learned) }
    }

    pub(crate) fn learned(&self) -> &Learned {
        &self.learned
    }

    /// Plays the next batch, up to a number of games, and learns from it; whether it was played whole.
    /// A batch that is stopped teaches nothing.
    pub(crate) fn learn_batch(&mut self, games: u64, threads: usize, progress: &Progress) -> bool {
        let first = self.learned.games;
        let last = (first / Trainer::BATCH + 1).saturating_mul(Trainer::BATCH).min(games);
        let Some(played) = self.play_batch(first..last, threads, progress) else { return false };
        let learned = Arc::make_mut(&mut self.learned);
        learned.games = last;
        learned.count_teachers(&self.analysis, &played);
        learned.learn_lessons(&self.analysis, played);
        true
    }

    /// The games of some numbers, in their order; none if it was stopped.
    fn play_batch(
        &self,
        numbers: std::ops::Range<u64>,
        threads: usize,
        progress: &Progress,
    ) -> Option<Vec<TeachingGame>> {
        let next = AtomicU64::new(numbers.start);
        let work = || {
            let mut played = Vec::new();
            while !progress.is_stopped() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    break;
                }
                played.push((number, self.play_game(number, progress)));
                progress.advance(1);
            }
            played
        };
        let mut played = thread::scope(|scope| {
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads.max(1)).map_while(spawn).collect();
            let mut played = work();
            for other in others {
                played.extend(other.join().unwrap_or_else(|it| std::panic::resume_unwind(it)));
            }
            played
        });
        played.sort_by_key(|(number, _)| *number);
        let is_whole = played.len() as u64 == numbers.end - numbers.start;
        (is_whole && !progress.is_stopped()).then(|| played.into_iter().map(|it| it.1).collect())
    }

    fn play_game(&self, number: u64, progress: &Progress) -> TeachingGame {
        let game = self.analysis.game();
        let players = game.info().players;
        let mut streams: Vec<Seeded> = Seed(self.learned.seed).streams(number, players).collect();
        let mut table = SelfPlay::new(self, number, &mut streams[0].clone());
        let (mut state, mut legal) = (game.initial_state(), LegalMoves::new());
        for _ in 0..LONGEST {
            if progress.is_stopped() {
                break;
            }
            let mut dealer = Dealer { chance: &mut streams[0], is_watched: true };
            match game.advance_with(&mut state, &mut legal, &mut dealer) {
                Ok(Step::Decide { player }) => {
                    state.canonicalise(game.program());
                    let seen = game.observe(&state, player);
                    let index =
                        table.decide(&seen, &legal, player, &mut streams[1 + player.index()]);
                    game.choose(&mut state, &legal, index);
                }
                Ok(Step::Draw { .. }) => unreachable!("the driver answers draws"),
                Ok(Step::End) | Err(_) => break,
            }
        }
        table.finish(&state)
    }
}

/// A game in play, and what is noted of it.
struct SelfPlay<'a> {
    analysis: &'a Analysis,
    learned: &'a Learned,
    search: Mcts,
    /// The searches that strategies guide.
    guided: Vec<Mcts>,
    played: TeachingGame,
    made: usize,
    /// One of so many decisions is noted.
    stride: usize,
}

impl<'a> SelfPlay<'a> {
    fn new(trainer: &'a Trainer, number: u64, chance: &mut Seeded) -> SelfPlay<'a> {
        let Trainer { analysis, learned } = trainer;
        let is_taught = number < TAUGHT;
        let (counsel, iterations) = if is_taught {
            (Counsel::Margins, SEARCH_OF_TEACHER)
        } else {
            (Counsel::Learned(learned.clone()), SEARCH)
        };
        let control = Control::timed(|| 0);
        let search =
            |counsel, count| Mcts::new(analysis, counsel, BotBudget::Iterations(count), control);
        let guided = |number| search(Counsel::Strategy(number), SEARCH_OF_TEACHER);
        let guided = (0..analysis.game().rules().strategies.len()).map(guided).collect();
        let search = search(counsel, iterations);
        let teachers = learned.seat_teachers(analysis, number, chance);
        let played = TeachingGame { teachers, ..TeachingGame::default() };
        SelfPlay { analysis, learned, search, guided, played, made: 0, stride: 1 }
    }

    fn decide(
        &mut self,
        seen: &Observation,
        legal: &LegalMoves,
        player: Player,
        chance: &mut Seeded,
    ) -> usize {
        let game = self.analysis.game();
        let view = View { game, seen, player, offers: legal.offers() };
        let mut chance = stream_of_decision(chance);
        let mut listed = LegalMoves::new();
        let imagined = view.imagine(&mut chance, &mut listed);
        let Some(state) = imagined.filter(|_| view.count_moves() > 1) else {
            return chance.random_index(view.count_moves());
        };
        let teacher = self.played.teachers[player.index()];
        let (shares, expected) = match teacher {
            Teacher::Chance => (None, None),
            Teacher::Strategy(number) => {
                let moves = moves_of(number, game, (&state, &listed), player);
                (Some(even_shares(&moves, view.count_moves())), None)
            }
            Teacher::Search | Teacher::Pupil | Teacher::Guided(_) => {
                let search = match teacher {
                    Teacher::Guided(number) => &mut self.guided[number],
                    _ => &mut self.search,
                };
                let found = search.search(&view, &mut chance);
                (Some(found.shares), Some(found.expected))
            }
        };
        let index = pick(shares.as_deref(), view.count_moves(), teacher, self.made, &mut chance);
        self.record_sample(&state, &listed, player, (shares, expected));
        index
    }

    /// Records a decision as a sample for training.
    fn record_sample(
        &mut self,
        state: &State,
        legal: &LegalMoves,
        player: Player,
        (shares, expected): (Option<Vec<u32>>, Option<Vec<i64>>),
    ) {
        self.made += 1;
        if !self.made.is_multiple_of(self.stride) {
            return;
        }
        let (analysis, learned) = (self.analysis, self.learned);
        let standing = learned.layout.standing(analysis, state);
        let players = analysis.game().info().players;
        let see = |seat| learned.see(analysis, (state, &standing), seat, Some(player));
        let moves = || learned.words.list_rows(analysis.game(), (state, legal), player);
        let policy = shares.map(|shares| PolicyLesson { moves: moves(), shares });
        let seen = (0..players).map(see).collect();
        let expected = expected.filter(|_| self.played.teachers[player.index()] == Teacher::Pupil);
        self.played.lessons.push(Lesson { seen, mover: player.index(), policy, expected });
        if self.played.lessons.len() >= 2 * LESSONS {
            // Of long games less is kept, evenly.
            let mut at = 0;
            self.played.lessons.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.stride *= 2;
        }
    }

    fn finish(mut self, state: &State) -> TeachingGame {
        let (analysis, payoff) = (self.analysis, self.analysis.payoff());
        self.played.worth = if state.has_ended() {
            analysis.ended(state, payoff)
        } else if analysis.standing_predicts_end() {
            analysis.running(state, payoff)
        } else {
            vec![0; analysis.game().info().players]
        };
        self.played
    }
}

/// Who can teach a game. Where all want the same, chance spoils it for all, and a search needs a strategy to see what
/// its moves are worth; elsewhere such a search takes more time than it teaches.
fn teachers(analysis: &Analysis) -> Vec<Teacher> {
    let strategies = 0..analysis.game().rules().strategies.len();
    let is_common = analysis.payoff() == Payoff::Common;
    let guided = strategies.clone().filter(|_| is_common).map(Teacher::Guided);
    let strategies = strategies.map(Teacher::Strategy).chain(guided);
    [Teacher::Chance, Teacher::Search].into_iter().chain(strategies).collect()
}

/// Divides the whole evenly among `moves`, or among all if that is empty.
fn even_shares(moves: &[usize], count: usize) -> Vec<u32> {
    let all: Vec<usize> = (0..count).collect();
    let moves = if moves.is_empty() { &all } else { moves };
    let share = WHOLE / u32::try_from(moves.len()).expect("a list of moves is short");
    let mut shares = vec![0; count];
    moves.iter().for_each(|at| shares[*at] = share);
    shares
}

/// The move that is made: by the shares early in the game, and mostly the best one later. Teachers err now and then,
/// so that more is seen.
fn pick(
    shares: Option<&[u32]>,
    count: usize,
    teacher: Teacher,
    made: usize,
    chance: &mut Seeded,
) -> usize {
    let errs = chance.below(16) == 0 && teacher != Teacher::Pupil;
    let Some(shares) = shares.filter(|_| !errs) else { return chance.random_index(count) };
    let is_strategy = matches!(teacher, Teacher::Strategy(_));
    if is_strategy || chance.below(if made < 20 { 2 } else { 8 }) == 0 {
        let mut left = chance.below(shares.iter().sum::<u32>().max(1));
        for (at, share) in shares.iter().enumerate() {
            if left < *share {
                return at;
            }
            left -= share;
        }
    }
    (0..count).rev().max_by_key(|at| shares[*at]).unwrap_or(0)
}

impl Learned {
    /// Who plays the seats of a game that is learned from. Where all want the same, one plays them all: what one
    /// does well another would spoil.
    fn seat_teachers(&self, analysis: &Analysis, number: u64, chance: &mut Seeded) -> Vec<Teacher> {
        let (known, best) = (teachers(analysis), self.best_teacher(analysis));
        // Now and then somebody else plays, so that all is not learned from equals, and the pupil is compared.
        let rarely = if self.trusts_itself(analysis) { 6 } else { 2 };
        let mut teacher = || {
            if number >= TAUGHT {
                let other = chance.below(rarely) == 0 && best != Teacher::Search;
                return if other { best } else { Teacher::Pupil };
            }
            match chance.below(2) {
                0 if number >= Trainer::BATCH => best,
                _ => known[chance.random_index(known.len())],
            }
        };
        let players = analysis.game().info().players;
        if analysis.payoff() == Payoff::Common {
            return vec![teacher(); players];
        }
        (0..players).map(|_| teacher()).collect()
    }

    /// Whom a search asks that plays with this knowledge: what was learned, or the strategy of the best teacher if
    /// that did better in the last games.
    pub(in crate::bots) fn counsel(self: Arc<Learned>, analysis: &Analysis) -> Counsel {
        match self.best_strategy(analysis) {
            Some(number) if !self.trusts_itself(analysis) => Counsel::Strategy(number),
            _ => Counsel::Learned(self),
        }
    }

    /// Whether it plays about as well as the best teacher. As long as they hardly met, a strategy is held to
    /// play better.
    fn trusts_itself(&self, analysis: &Analysis) -> bool {
        let [(own, games), (other, others)] = self.matches;
        let is_common = analysis.payoff() == Payoff::Common;
        if games < FEWEST_MATCHES || others < FEWEST_MATCHES {
            return self.best_strategy(analysis).is_none();
        }
        let margin = if is_common { 0 } else { WIN / 8 };
        own / games + margin >= other / others
    }

    /// The teacher that played best, by the mean of what it won.
    fn best_teacher(&self, analysis: &Analysis) -> Teacher {
        let known = teachers(analysis);
        let counted = self.teachers.iter().zip(&known).filter(|((_, games), _)| *games > 0);
        let mean = |((sum, games), _): &(&(i64, i64), &Teacher)| sum / games;
        counted.max_by_key(mean).map_or(Teacher::Search, |(_, teacher)| *teacher)
    }

    /// The strategy that the best teacher knows.
    pub(in crate::bots) fn best_strategy(&self, analysis: &Analysis) -> Option<usize> {
        match self.best_teacher(analysis) {
            Teacher::Strategy(number) | Teacher::Guided(number) => Some(number),
            _ => None,
        }
    }

    fn count_teachers(&mut self, analysis: &Analysis, played: &[TeachingGame]) {
        let (known, best) = (teachers(analysis), self.best_teacher(analysis));
        self.teachers.resize(known.len(), (0, 0));
        // What was won long ago counts less and less: the pupil learns.
        self.matches = self.matches.map(|(sum, games)| (sum - sum / 8, games - games / 8));
        let results = played.iter().flat_map(|it| it.worth.iter().zip(&it.teachers));
        for (worth, teacher) in results {
            let add = |(sum, games): &mut (i64, i64)| {
                (*sum, *games) = (sum.saturating_add(*worth), *games + 1);
            };
            if let Some(at) = known.iter().position(|it| it == teacher) {
                add(&mut self.teachers[at]);
            }
            if self.games > TAUGHT {
                add(&mut self.matches[usize::from(*teacher == best)]);
            }
        }
        if self.unit == 0 {
            // The best score so far is half of what can be had, as far as anybody knows.
            let worth = played.iter().flat_map(|it| &it.worth);
            let most = worth.map(|worth| worth.saturating_abs()).max().unwrap_or(0);
            self.unit = most.saturating_mul(2).clamp(ONE, i64::MAX / (1 << 20));
        }
    }

    /// Learns from games twice, the second time backwards and in short steps: what the last lessons happened to be
    /// should hardly show in what is played next.
    fn learn_lessons(&mut self, analysis: &Analysis, played: Vec<TeachingGame>) {
        let best = self.best_teacher(analysis);
        let is_taught = self.games <= TAUGHT || !self.trusts_itself(analysis);
        let mut lessons = Vec::new();
        for game in played {
            let mut ahead: Vec<i64> =
                game.worth.iter().map(|worth| self.in_units(*worth)).collect();
            for lesson in game.lessons.into_iter().rev() {
                let imitated = match game.teachers[lesson.mover] {
                    Teacher::Pupil => true,
                    Teacher::Chance => false,
                    teacher => is_taught && teacher == best,
                };
                let policy = lesson.policy.filter(|_| imitated);
                lessons.push((lesson.seen, ahead.clone(), lesson.mover, policy));
                if let Some(expected) = lesson.expected {
                    for (ahead, expected) in ahead.iter_mut().zip(expected) {
                        let expected = self.in_units(expected);
                        *ahead += (expected - *ahead) * TRUST / 16;
                    }
                }
            }
        }
        // Lessons of one game are far from each other.
        let count = lessons.len();
        let far = (count / 7).max(1) | 1;
        let order = (0..far).flat_map(|first| (first..count).step_by(far));
        let order: Vec<usize> = order.collect();
        let forwards = order.iter().map(|at| (RATE, *at));
        for (rate, at) in forwards.chain(order.iter().rev().map(|at| (RATE / 4, *at))) {
            let (seen, ahead, mover, policy) = &lessons[at];
            for (seat, (seen, target)) in seen.iter().zip(ahead).enumerate() {
                let policy = policy.as_ref().filter(|_| seat == *mover);
                self.network.learn(rate, seen, *target, policy);
            }
        }
    }

    /// Parts of a win in parts of [`ONE`], a little less than it at most.
    fn in_units(&self, worth: i64) -> i64 {
        let parts = i128::from(worth) * i128::from(ONE) / i128::from(self.unit.max(1));
        let most = i128::from(ONE) * 15 / 16;
        i64::try_from(parts.clamp(-most, most)).expect("it was clamped")
    }
}
