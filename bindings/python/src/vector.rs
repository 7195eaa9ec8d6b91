//! Many games at once: positions of one game that take a step together, into arrays that are filled in place.

use std::thread;

use astragal::machinery::bots::{Analysis, BotKind, Control, View};
use astragal::machinery::chance::{Chance, Seed, Seeded};
use astragal::machinery::host::milliseconds;
use astragal::{Error, LegalMoves, Player, Position, Step};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failed;
use crate::game::{Inner, PyGame};

/// A game of a batch.
struct Lane {
    position: Position,
    chance: Seeded,
    /// The seat that learns, where the others are bots.
    seat: u8,
    /// The legal numbers that the mask has.
    legal: Vec<u32>,
    decisions: u32,
}

/// What a step writes for one game.
struct LaneRow<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [u8],
    reward: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    player: &'a mut i32,
}

/// How the games of a batch are played.
#[derive(Clone)]
struct BatchRules {
    opponent: Option<(BotKind, Analysis)>,
    /// After so many decisions a game is cut off; 0 is never.
    most: u32,
}

#[pyclass(name = "Batch", module = "astragal._astragal")]
pub struct PyBatch {
    game: Py<PyGame>,
    rules: BatchRules,
    lanes: Vec<Lane>,
    start: Position,
    threads: usize,
    actions: usize,
    size: usize,
    players: usize,
}

#[pymethods]
impl PyBatch {
    #[new]
    fn new(
        py: Python,
        game: Py<PyGame>,
        count: usize,
        seed: u64,
        opponent: Option<&str>,
        most: u32,
        threads: usize,
    ) -> PyResult<PyBatch> {
        let inner = std::sync::Arc::clone(&game.borrow(py).0);
        let rules = &inner.game;
        let opponent = match opponent {
            Some(name) => Some(inner.bot(py, name)?),
            None => None,
        };
        let fails = |error| failed(rules, &error);
        let actions = rules.num_distinct_actions().map_err(fails)? as usize;
        let start = rules.start_position().map_err(fails)?.unheard();
        let players = rules.info().players;
        let lane = |number: usize| Lane {
            position: start.clone(),
            chance: Seed(seed).stream(number as u64),
            seat: 0,
            legal: Vec::new(),
            decisions: 0,
        };
        Ok(PyBatch {
            rules: BatchRules { opponent, most },
            lanes: (0..count).map(lane).collect(),
            start: start.clone(),
            threads: threads.max(1),
            actions,
            size: rules.observation_size(),
            players,
            game,
        })
    }

    /// Begins all games anew.
    fn reset(
        &mut self,
        py: Python,
        seed: Option<u64>,
        observations: &Bound<'_, PyArray2<f32>>,
        masks: &Bound<'_, PyArray2<u8>>,
        current: &Bound<'_, PyArray1<i32>>,
    ) -> PyResult<()> {
        let count = self.lanes.len();
        let (mut rewards, mut ends) = (vec![0.0; count * self.players], vec![false; 2 * count]);
        let (terminated, truncated) = ends.split_at_mut(count);
        let (mut seen, mut mask) = (observations.readwrite(), masks.readwrite());
        let mut player = current.readwrite();
        let arrays = (
            seen.as_slice_mut()?,
            mask.as_slice_mut()?,
            rewards.as_mut_slice(),
            terminated,
            truncated,
            player.as_slice_mut()?,
        );
        if let Some(seed) = seed {
            for (number, lane) in (0..).zip(&mut self.lanes) {
                lane.chance = Seed(seed).stream(number);
            }
        }
        self.each(py, arrays, None, |batch, inner, lane, row, _| {
            batch.begin(inner, lane)?;
            batch.look(inner, lane, row)
        })
    }

    /// Takes a step in all games: an action for each. A game that ends begins anew; what it brought
    /// stands in `rewards`.
    #[expect(clippy::too_many_arguments, reason = "the arrays of Python")]
    fn step(
        &mut self,
        py: Python,
        actions: &Bound<'_, PyArray1<i32>>,
        observations: &Bound<'_, PyArray2<f32>>,
        masks: &Bound<'_, PyArray2<u8>>,
        rewards: &Bound<'_, PyArray2<f32>>,
        terminated: &Bound<'_, PyArray1<bool>>,
        truncated: &Bound<'_, PyArray1<bool>>,
        current: &Bound<'_, PyArray1<i32>>,
    ) -> PyResult<()> {
        let chosen = actions.readonly();
        let (mut seen, mut mask) = (observations.readwrite(), masks.readwrite());
        let (mut reward, mut player) = (rewards.readwrite(), current.readwrite());
        let (mut ended, mut cut) = (terminated.readwrite(), truncated.readwrite());
        let arrays = (
            seen.as_slice_mut()?,
            mask.as_slice_mut()?,
            reward.as_slice_mut()?,
            ended.as_slice_mut()?,
            cut.as_slice_mut()?,
            player.as_slice_mut()?,
        );
        self.each(py, arrays, Some(chosen.as_slice()?), |batch, inner, lane, row, action| {
            batch.take(inner, lane, row, action)
        })
    }

    /// Picks a legal action in each game, all equally likely.
    fn sample(&mut self, actions: &Bound<'_, PyArray1<i32>>) -> PyResult<()> {
        let mut actions = actions.readwrite();
        for (action, lane) in actions.as_slice_mut()?.iter_mut().zip(&mut self.lanes) {
            let at = lane.chance.random_index(lane.legal.len());
            *action = lane.legal[at].cast_signed();
        }
        Ok(())
    }

    fn sizes(&self) -> (usize, usize, usize) {
        (self.size, self.actions, self.players)
    }
}

type Arrays<'a> =
    (&'a mut [f32], &'a mut [u8], &'a mut [f32], &'a mut [bool], &'a mut [bool], &'a mut [i32]);

impl PyBatch {
    /// Does work for each game, on several threads, while other threads of Python go on.
    fn each(
        &mut self,
        py: Python,
        arrays: Arrays<'_>,
        actions: Option<&[i32]>,
        work: impl Fn(&Batch<'_>, &Inner, &mut Lane, &mut LaneRow<'_>, i32) -> Result<(), Error> + Sync,
    ) -> PyResult<()> {
        let inner = std::sync::Arc::clone(&self.game.borrow(py).0);
        let PyBatch { rules, lanes, start, threads, actions: moves, size, players, .. } = self;
        let (moves, size, players) = (*moves, *size, *players);
        let batch = Batch { rules, start, players };
        let (seen, mask, reward, ended, cut, player) = arrays;
        let count = lanes.len();
        let fits = [seen.len() / size.max(1), mask.len() / moves.max(1), ended.len(), player.len()];
        if fits.into_iter().any(|length| length < count)
            || actions.is_some_and(|actions| actions.len() < count)
        {
            return Err(PyValueError::new_err("an array has too few rows"));
        }
        let mut rows: Vec<(&mut Lane, LaneRow<'_>, i32)> = lanes
            .iter_mut()
            .zip(seen.chunks_exact_mut(size.max(1)))
            .zip(mask.chunks_exact_mut(moves.max(1)))
            .zip(reward.chunks_exact_mut(players))
            .zip(ended.iter_mut().zip(cut.iter_mut()))
            .zip(player.iter_mut())
            .enumerate()
            .map(|(at, (((((lane, observation), mask), reward), ends), player))| {
                let (terminated, truncated) = ends;
                let row = LaneRow { observation, mask, reward, terminated, truncated, player };
                (lane, row, actions.map_or(0, |actions| actions[at]))
            })
            .collect();
        let share = count.div_ceil(*threads).max(1);
        let run = |rows: &mut [(&mut Lane, LaneRow<'_>, i32)]| {
            // Machine code needs room while it runs: one for all keeps what is used near.
            let mut room = LegalMoves::new();
            rows.iter_mut().try_for_each(|(lane, row, action)| {
                lane.position.swap_room(&mut room);
                let done = work(&batch, &inner, lane, row, *action);
                lane.position.swap_room(&mut room);
                done
            })
        };
        let done = py.detach(|| {
            if *threads == 1 {
                return run(&mut rows);
            }
            thread::scope(|scope| {
                let parts: Vec<_> =
                    rows.chunks_mut(share).map(|part| scope.spawn(|| run(part))).collect();
                parts.into_iter().try_for_each(|part| part.join().expect("no step panics"))
            })
        });
        done.map_err(|error| failed(&inner.game, &error))
    }
}

/// What all games of a batch share.
struct Batch<'a> {
    rules: &'a BatchRules,
    start: &'a Position,
    players: usize,
}

impl Batch<'_> {
    /// Begins a game anew, up to the first decision of somebody who learns.
    fn begin(&self, inner: &Inner, lane: &mut Lane) -> Result<(), Error> {
        loop {
            lane.position.clone_from(self.start);
            lane.decisions = 0;
            if self.rules.opponent.is_some() {
                let seat = lane.chance.random_index(self.players);
                lane.seat = u8::try_from(seat).unwrap_or(0);
            }
            inner.game.settle(&mut lane.position, &mut lane.chance)?;
            self.play_bots(inner, lane)?;
            // A game may end before anybody who learns decides.
            if lane.position.step() != Step::End {
                return Ok(());
            }
        }
    }

    /// Has the bots decide, up to a decision of the seat that learns.
    fn play_bots(&self, inner: &Inner, lane: &mut Lane) -> Result<(), Error> {
        let Some((kind, analysis)) = &self.rules.opponent else { return Ok(()) };
        let game = &inner.game;
        while let Step::Decide { player } = lane.position.step()
            && player.0 != lane.seat
        {
            let mut bot = kind.bot(analysis, Control::timed(milliseconds));
            let observed = game.observe(lane.position.state(), player);
            let offers = lane.position.legal().offers();
            let view = View { game, seen: &observed, player, offers };
            let index = bot.choose(&view, &mut lane.chance);
            game.apply_move(&mut lane.position, index)?;
            game.settle(&mut lane.position, &mut lane.chance)?;
        }
        Ok(())
    }

    /// Makes a move; an action that is not legal loses the game.
    fn take(
        &self,
        inner: &Inner,
        lane: &mut Lane,
        row: &mut LaneRow<'_>,
        action: i32,
    ) -> Result<(), Error> {
        row.reward.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        let move_number = u32::try_from(action).unwrap_or(u32::MAX);
        let decider = lane.position.current_player();
        if lane.legal.contains(&move_number) {
            inner.game.apply_drawing(&mut lane.position, move_number, &mut lane.chance)?;
            lane.decisions += 1;
            self.play_bots(inner, lane)?;
            if lane.position.step() == Step::End {
                *row.terminated = true;
                let returns = inner.game.final_returns(lane.position.state()).unwrap_or_default();
                for (reward, returned) in row.reward.iter_mut().zip(returns) {
                    *reward = number(i32::try_from(returned).unwrap_or(i32::MAX));
                }
            } else if self.rules.most > 0 && lane.decisions >= self.rules.most {
                *row.truncated = true;
            }
        } else {
            *row.terminated = true;
            let seat = decider.map_or(0, Player::index);
            row.reward[seat] = -1.0;
        }
        if *row.terminated || *row.truncated {
            self.begin(inner, lane)?;
        }
        self.look(inner, lane, row)
    }

    /// Writes what whoever decides sees, and what is legal.
    fn look(&self, inner: &Inner, lane: &mut Lane, row: &mut LaneRow<'_>) -> Result<(), Error> {
        let (game, Lane { position, legal, .. }) = (&inner.game, lane);
        legal.drain(..).for_each(|number| row.mask[number as usize] = 0);
        game.each_legal(position, &mut |number| {
            let mark = &mut row.mask[number as usize];
            if *mark == 0 {
                *mark = 1;
                legal.push(number);
            }
        })?;
        let player = position.current_player().unwrap_or(Player(0));
        *row.player = player.0.into();
        game.write_observation(position, player, number, row.observation);
        Ok(())
    }
}

/// A number of an observation as learners want it.
#[expect(clippy::cast_precision_loss, reason = "it has 25 bits")]
pub fn number(number: i32) -> f32 {
    number as f32
}
