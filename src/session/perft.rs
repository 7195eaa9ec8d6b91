//! Counts how a game can go: sequences of decisions, each draw followed in all its outcomes.
//!
//! Positions that are reached in several ways are followed once and counted as often, so the work is
//! that of the positions and not of the sequences. They are taken one number of decisions after the
//! other. What would be too many at once is taken in parts, one after the other.

use std::collections::BTreeMap;

use crate::chance::{Chance, Seed};
use crate::game::{Game, LegalMoves, Positions, State, Step, Trap};
use crate::progress::Progress;
use crate::session::count::Count;
use crate::session::explore::{PositionGraph, PositionKind};
use crate::session::pins::{Pin, pinned};

/// The fewest positions that are taken at once.
const LEAST: usize = 1 << 8;

#[derive(Clone, Copy, Debug)]
pub struct Perft<'a> {
    pub game: &'a Game,
    /// Where to begin; none is the beginning of the game.
    pub start: Option<&'a State>,
    /// How many decisions; none to the end of every game.
    pub depth: Option<usize>,
    /// How many turns, in a game that counts them (`Game::counting_turns`). The depth then bounds
    /// sequences whose turns go on and on.
    pub turns: Option<i64>,
    /// How many positions chance may lead to from one position before it is drawn instead.
    pub most: usize,
    /// How many bytes of memory it may take.
    pub memory: usize,
    pub seed: Seed,
    /// How many positions were followed, and whether to stop.
    pub progress: &'a Progress,
}

impl Perft<'_> {
    /// The number of the decision that is counted and not made: the last that the depth allows. Where turns are
    /// counted that one is made, too, to see whether its turn is over.
    fn last_decision(&self) -> Option<usize> {
        self.depth.map(|depth| depth + usize::from(self.turns.is_some()))
    }
}

/// What was counted, by the number of decisions. A draw is no decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sequences of so many decisions.
    pub(crate) sequences: Vec<Count>,
    /// Games that ended after so many decisions. At the last depth of a limited count nobody
    /// looks whether the game goes on, so there is no number for it.
    pub(crate) ended: Vec<Count>,
    /// Where turns are counted: sequences that came to their end.
    pub(crate) turned: Count,
    /// Whether the depth cut off turns that were not over.
    pub(crate) cut: bool,
    /// Whether chance led back to a position that it came from. Such a draw is not followed.
    pub(crate) repeats: bool,
    /// The fewest decisions after which chance had too many outcomes, and was drawn.
    pub(crate) drawn: Option<usize>,
    /// Why it was stopped, if it was: then more can follow than was counted.
    pub(crate) stopped: Option<CountStop>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountStop {
    /// Somebody wanted it.
    Asked,
    /// It would take too much memory.
    Full,
}

impl Counts {
    /// Returns the sequences of exactly `depth` decisions; a game that ended before has none.
    pub fn at(&self, depth: usize) -> Count {
        self.sequences.get(depth).cloned().unwrap_or_default()
    }

    pub(crate) fn games(&self) -> Count {
        let mut games = Count::default();
        self.ended.iter().for_each(|ended| games.add_count(ended));
        games
    }

    pub(crate) fn merge(&mut self, other: &Counts) {
        for (sums, others) in
            [(&mut self.sequences, &other.sequences), (&mut self.ended, &other.ended)]
        {
            let others = others.iter().enumerate();
            others.for_each(|(place, count)| add_at_depth(sums, place, count, 1));
        }
        self.turned.add_count(&other.turned);
        self.cut |= other.cut;
        self.repeats |= other.repeats;
        self.drawn = self.drawn.into_iter().chain(other.drawn).min();
        self.stopped = self.stopped.or(other.stopped);
    }
}

fn add_at_depth(counts: &mut Vec<Count>, place: usize, count: &Count, times: u64) {
    if count.is_zero() || times == 0 {
        return;
    }
    if counts.len() <= place {
        counts.resize(place + 1, Count::default());
    }
    counts[place].add_times(count, times);
}

/// Counts from the beginning on: up to the depth, or to the end of every game.
/// # Errors
/// A mistake in the rules.
pub fn perft(wanted: Perft, pins: &mut [Pin]) -> Result<Counts, Trap> {
    let mut counting = Counting::new(wanted, pins);
    add_at_depth(&mut counting.counts.sequences, 0, &Count::from(1), 1);
    if wanted.depth != Some(0) {
        let start = counting.start_layer()?;
        counting.count_following(start, 0)?;
    }
    Ok(counting.counts)
}

/// Counts each first move on its own, in words and in the order in which they are met. Moves that
/// read the same are one.
/// # Errors
/// A mistake in the rules.
pub(crate) fn divide(wanted: Perft, pins: &mut [Pin]) -> Result<Vec<(String, Counts)>, Trap> {
    let mut counting = Counting::new(wanted, pins);
    let start = counting.start_layer()?;
    let firsts = counting.first_moves(start)?;
    let shared = std::mem::take(&mut counting.counts);
    let mut divided = Vec::new();
    for (label, layer, count) in firsts {
        counting.counts =
            Counts { repeats: shared.repeats, drawn: shared.drawn, ..Counts::default() };
        add_at_depth(&mut counting.counts.sequences, 1, &count, 1);
        // Games that end with the first move were counted when it was made.
        add_at_depth(&mut counting.counts.ended, 1, &layer.ended, 1);
        if wanted.last_decision() != Some(1) {
            counting.count_following(layer, 1)?;
        }
        divided.push((label, std::mem::take(&mut counting.counts)));
    }
    Ok(divided)
}

/// Positions that wait after the same number of decisions, each with the sequences that lead there.
#[derive(Clone, Debug, Default)]
struct PerftLayer {
    positions: Positions,
    counts: Vec<Count>,
    /// Games that were over instead.
    ended: Count,
}

impl PerftLayer {
    fn layer_bytes(&self) -> usize {
        self.positions.memory() + size_of::<Count>() * self.counts.len()
    }

    fn add_state(&mut self, state: &State, count: &Count) {
        let (number, is_new) = self.positions.add(state);
        if is_new {
            self.counts.push(Count::default());
        }
        self.counts[number].add_count(count);
    }
}

/// Positions after some number of decisions, as far as they were followed.
#[derive(Default)]
struct PerftLevel {
    decisions: usize,
    layer: PerftLayer,
    /// The first of them that was not followed through chance.
    next: usize,
    /// What chance makes of some of them, and the first of that whose moves were not made.
    walk: PositionGraph,
    made: usize,
    /// The first move of that one that was not made.
    way: usize,
    behind: PerftLayer,
}

impl PerftLevel {
    fn level_bytes(&self) -> usize {
        self.layer.layer_bytes() + self.walk.graph_bytes() + self.behind.layer_bytes()
    }
}

struct Counting<'a> {
    wanted: Perft<'a>,
    pins: &'a mut [Pin],
    counts: Counts,
    state: State,
    legal: LegalMoves,
    /// What a draw or a move makes of it.
    after: State,
    behind: LegalMoves,
    drawn: u64,
    /// How many bytes the levels take that wait.
    held: usize,
    /// How many positions are taken at once: as many as have room.
    part: usize,
}

/// The levels that wait have room for so many times the positions of one part.
const PARTS: usize = 8;

/// How many bytes a position takes beside itself.
const BYTES_OF_A_POSITION: usize = 96;

impl<'a> Counting<'a> {
    fn new(wanted: Perft<'a>, pins: &'a mut [Pin]) -> Counting<'a> {
        let state = wanted.start.cloned().unwrap_or_else(|| wanted.game.initial_state());
        let (after, counts) = (state.clone(), Counts::default());
        let (legal, behind) = (LegalMoves::new(), LegalMoves::new());
        let mut packed = Vec::new();
        state.pack(&mut packed);
        let room = wanted.memory / PARTS / (packed.len() + BYTES_OF_A_POSITION);
        let part = wanted.most.min(room);
        Counting { wanted, pins, counts, state, legal, after, behind, drawn: 0, held: 0, part }
    }

    fn start_layer(&mut self) -> Result<PerftLayer, Trap> {
        let (mut layer, one) = (PerftLayer::default(), Count::from(1));
        self.after = self.state.clone();
        self.advance_into(&mut layer, &one)?;
        add_at_depth(&mut self.counts.ended, 0, &layer.ended, 1);
        Ok(layer)
    }

    /// Runs the state that was made to where it waits.
    fn advance_into(&mut self, layer: &mut PerftLayer, count: &Count) -> Result<(), Trap> {
        match self.wanted.game.advance_unheard(&mut self.after, &mut self.behind)? {
            Step::End => {
                let in_turn = |last| self.wanted.game.turn_number(&self.after) == Some(last);
                if self.wanted.turns.is_some_and(in_turn) {
                    self.counts.turned.add_count(count);
                }
                layer.ended.add_count(count);
            }
            _ => layer.add_state(&self.after, count),
        }
        Ok(())
    }

    /// Counts everything that follows from positions after some decisions.
    fn count_following(&mut self, layer: PerftLayer, decisions: usize) -> Result<(), Trap> {
        // Kept here and not on the stack of the program: a game may be very long.
        let mut levels = vec![PerftLevel { decisions, layer, ..PerftLevel::default() }];
        while let Some(mut level) = levels.pop() {
            if self.wanted.progress.is_stopped() {
                self.counts.stopped = Some(CountStop::Asked);
            }
            if self.counts.stopped.is_some() {
                return Ok(());
            }
            let most = (self.part >> levels.len().min(40)).max(LEAST);
            self.held = levels.iter().map(PerftLevel::level_bytes).sum::<usize>()
                + level.layer.layer_bytes();
            if level.made < level.walk.length {
                self.make_moves(&mut level, most)?;
            } else if level.next < level.layer.counts.len() {
                self.follow_chance(&mut level, most)?;
            } else if !level.behind.positions.is_empty() {
                let (decisions, layer) = (level.decisions + 1, level.behind);
                levels.push(PerftLevel { decisions, layer, ..PerftLevel::default() });
                continue;
            } else {
                continue;
            }
            let is_full = level.behind.positions.len() >= most;
            let behind = is_full.then(|| PerftLevel {
                layer: std::mem::take(&mut level.behind),
                decisions: level.decisions + 1,
                ..PerftLevel::default()
            });
            levels.push(level);
            levels.extend(behind);
        }
        Ok(())
    }

    /// Follows chance from as many positions as can be kept at once, and counts what comes of it.
    fn follow_chance(&mut self, level: &mut PerftLevel, most: usize) -> Result<(), Trap> {
        level.walk = PositionGraph::new(level.decisions, self.wanted.turns);
        level.made = 0;
        while level.next < level.layer.counts.len() {
            let before = level.walk.length;
            level.layer.positions.load(level.next, &mut self.state);
            self.state.set_decisions(level.walk.decisions);
            let entry = level.walk.add_start(self.wanted.game, &mut self.state, &mut self.legal)?;
            let room = if before == 0 { self.wanted.most } else { most };
            if !self.explore(&mut level.walk, room)? {
                if before > 0 || self.counts.stopped.is_some() {
                    // This one comes again with more room.
                    level.walk.length = before;
                    break;
                }
                self.draw_chance(level)?;
                break;
            }
            level.walk.counts[entry].add_count(&level.layer.counts[level.next]);
            level.next += 1;
            if level.walk.moves > most as u64 {
                break;
            }
        }
        self.counts.repeats |= level.walk.flow();
        for node in 0..level.walk.length {
            let count = &level.walk.counts[node];
            match level.walk.kinds[node] {
                PositionKind::Decide(moves) => {
                    add_at_depth(&mut self.counts.sequences, level.decisions + 1, count, moves);
                }
                PositionKind::Draw(ends) => {
                    add_at_depth(&mut self.counts.ended, level.decisions, count, ends);
                    level.walk.load_position(node, &mut self.state);
                    if ends > 0 && self.wanted.turns == self.wanted.game.turn_number(&self.state) {
                        self.counts.turned.add_times(count, ends);
                    }
                }
                PositionKind::Done => self.counts.turned.add_count(count),
            }
        }
        if self.wanted.last_decision() == Some(level.decisions + 1) {
            level.made = level.walk.length;
            let mut kinds = level.walk.kinds.iter().take(level.walk.length);
            let decides = kinds.any(|kind| matches!(kind, PositionKind::Decide(_)));
            self.counts.cut |= self.wanted.turns.is_some() && decides;
        }
        Ok(())
    }

    /// Follows every draw that was met; false if there is no room, or it was stopped.
    fn explore(&mut self, walk: &mut PositionGraph, room: usize) -> Result<bool, Trap> {
        let game = self.wanted.game;
        while let Some(node) = walk.next_draw() {
            if self.wanted.progress.is_stopped() {
                self.counts.stopped = Some(CountStop::Asked);
                return Ok(false);
            }
            if walk.length > room {
                return Ok(false);
            }
            // The program itself takes some, too.
            if self.held + walk.graph_bytes() > self.wanted.memory / 20 * 19 {
                self.counts.stopped = Some(CountStop::Full);
                return Ok(false);
            }
            self.wanted.progress.advance(1);
            walk.load_position(node, &mut self.state);
            let Step::Draw { outcomes } = game.advance_unheard(&mut self.state, &mut self.legal)?
            else {
                unreachable!("only draws are followed")
            };
            for outcome in pinned(game, &self.state, outcomes, self.pins) {
                self.after.clone_from(&self.state);
                game.draw(&mut self.after, outcome);
                walk.add_successor(game, &mut self.after, &mut self.legal)?;
                // A die has thousands of faces at most: how much they take shows before the next draw.
                if walk.length > room {
                    return Ok(false);
                }
            }
            walk.edges.close_node();
        }
        Ok(true)
    }

    /// Answers chance from the seed where it has too many outcomes.
    fn draw_chance(&mut self, level: &mut PerftLevel) -> Result<(), Trap> {
        let drawn = self.counts.drawn.get_or_insert(level.decisions);
        *drawn = (*drawn).min(level.decisions);
        let mut stream = self.wanted.seed.stream(self.drawn);
        self.drawn += 1;
        level.walk = PositionGraph::new(level.decisions, self.wanted.turns);
        level.layer.positions.load(level.next, &mut self.state);
        self.state.set_decisions(level.walk.decisions);
        let count = level.layer.counts[level.next].clone();
        level.next += 1;
        loop {
            match self.wanted.game.advance_unheard(&mut self.state, &mut self.legal)? {
                Step::Draw { outcomes } => {
                    let ways = pinned(self.wanted.game, &self.state, outcomes, self.pins);
                    let outcome = ways.start + stream.below(ways.end - ways.start);
                    self.wanted.game.draw(&mut self.state, outcome);
                }
                Step::Decide { .. } => {
                    let entry =
                        level.walk.add_start(self.wanted.game, &mut self.state, &mut self.legal)?;
                    level.walk.counts[entry].add_count(&count);
                    level.walk.next_draw();
                    return Ok(());
                }
                Step::End => {
                    add_at_depth(&mut self.counts.ended, level.decisions, &count, 1);
                    return Ok(());
                }
            }
        }
    }

    /// Makes the moves of decisions that were reached, until there are enough positions.
    fn make_moves(&mut self, level: &mut PerftLevel, most: usize) -> Result<(), Trap> {
        let game = self.wanted.game;
        while level.made < level.walk.length && level.behind.positions.len() < most {
            let node = level.made;
            if !matches!(level.walk.kinds[node], PositionKind::Decide(_)) {
                level.made += 1;
                continue;
            }
            if self.wanted.progress.is_stopped() {
                return Ok(());
            }
            self.wanted.progress.advance(1);
            level.walk.load_position(node, &mut self.state);
            game.advance_unheard(&mut self.state, &mut self.legal)?;
            while level.way < self.legal.count() && level.behind.positions.len() < most {
                self.after.clone_from(&self.state);
                game.choose(&mut self.after, &self.legal, level.way);
                self.advance_into(&mut level.behind, &level.walk.counts[node])?;
                level.way += 1;
            }
            if level.way >= self.legal.count() {
                (level.made, level.way) = (level.made + 1, 0);
            }
        }
        let ended = std::mem::take(&mut level.behind.ended);
        add_at_depth(&mut self.counts.ended, level.decisions + 1, &ended, 1);
        Ok(())
    }

    /// The first moves in words, each with what it leads to and how many sequences it is.
    fn first_moves(&mut self, start: PerftLayer) -> Result<Vec<(String, PerftLayer, Count)>, Trap> {
        let game = self.wanted.game;
        let mut level = PerftLevel { layer: start, ..PerftLevel::default() };
        let mut firsts: Vec<(String, PerftLayer, Count)> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        while level.next < level.layer.counts.len() && self.counts.stopped.is_none() {
            self.follow_chance(&mut level, self.wanted.most)?;
            for node in 0..level.walk.length {
                if !matches!(level.walk.kinds[node], PositionKind::Decide(_)) {
                    continue;
                }
                level.walk.load_position(node, &mut self.state);
                game.advance_unheard(&mut self.state, &mut self.legal)?;
                let labels: Vec<String> = game.label_moves(&self.state, &self.legal).collect();
                for (way, label) in labels.into_iter().enumerate() {
                    let at = *known.entry(label).or_insert_with_key(|label| {
                        firsts.push((label.clone(), PerftLayer::default(), Count::default()));
                        firsts.len() - 1
                    });
                    firsts[at].2.add_count(&level.walk.counts[node]);
                    if self.wanted.last_decision() == Some(1) {
                        continue;
                    }
                    self.after.clone_from(&self.state);
                    game.choose(&mut self.after, &self.legal, way);
                    self.advance_into(&mut firsts[at].1, &level.walk.counts[node])?;
                }
            }
        }
        Ok(firsts)
    }
}
