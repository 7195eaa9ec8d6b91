//! `State`: a position of a game, with the verbs of `OpenSpiel`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use astragal::machinery::bots::{Control, View};
use astragal::machinery::chance::Seed;
use astragal::machinery::game::fold_case;
use astragal::machinery::host::{milliseconds, table_text};
use astragal::{ErrorKind, Player, Position, Step};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyTuple};

use crate::game::{Inner, PyGame};
use crate::recall::{Recall, answer};
use crate::vector::number;
use crate::{failed, illegal, interruptible, trapped};

const CHANCE: i32 = -1;
const TERMINAL: i32 = -4;

/// A position of a game. `apply_action` changes it; `clone` copies it.
///
/// >>> import astragal
/// >>> state = astragal.load("tic-tac-toe").new_initial_state()
/// >>> len(state.legal_actions())
/// 9
#[pyclass(name = "State", module = "astragal._astragal")]
#[derive(Clone)]
pub struct PyState {
    inner: Arc<Inner>,
    position: Position,
    /// The numbers of the actions and outcomes so far.
    history: Vec<u32>,
    recall: Option<Recall>,
}

/// The position after some answers.
#[pyfunction]
pub fn replay(game: &PyGame, history: Vec<u32>) -> PyResult<PyState> {
    let mut state = PyState::start(&game.0)?;
    for number in &history {
        let answered = answer(&game.0.game, &mut state.position, *number);
        answered.map_err(|_| PyValueError::new_err("this is no state of the game"))?;
    }
    Ok(PyState { history, ..state })
}

impl PyState {
    pub fn start(inner: &Arc<Inner>) -> PyResult<PyState> {
        let position =
            inner.game.start_position().map_err(|error| failed(&inner.game, &error))?.unheard();
        Ok(PyState { inner: Arc::clone(inner), position, history: Vec::new(), recall: None })
    }

    fn legal(&self) -> PyResult<Vec<u32>> {
        let mut numbers = Vec::new();
        self.inner
            .game
            .legal_numbers(&self.position, &mut numbers)
            .map_err(|it| failed(&self.inner.game, &it))?;
        Ok(numbers)
    }

    /// A seat; without one, the seat that decides.
    fn seat(&self, player: Option<i32>) -> PyResult<Player> {
        let player = player.unwrap_or_else(|| self.current_player());
        let seats = self.inner.game.info().players;
        let seat = u8::try_from(player).ok().filter(|seat| usize::from(*seat) < seats);
        seat.map(Player).ok_or_else(|| {
            PyIndexError::new_err(format!(
                "there is no player {player}; players are 0 to {}",
                seats - 1
            ))
        })
    }

    /// The numbers of a move in words: one, or those of its steps; or the number of an outcome.
    fn numbers(&self, words: &str) -> PyResult<Vec<u32>> {
        let (game, state) = (&self.inner.game, self.position.state());
        if !self.is_chance_node() {
            return game
                .numbers_of_label(&self.position, words)
                .map_err(|error| failed(&self.inner.game, &error));
        }
        let (wanted, event) = (fold_case(words), game.event(state));
        let fits = |index: &u32| {
            let outcome = game.outcome(state, *index);
            fold_case(&outcome) == wanted || fold_case(&format!("{event}: {outcome}")) == wanted
        };
        let count = u32::try_from(self.position.count()).unwrap_or(u32::MAX);
        let found = (0..count).find(fits);
        let impossible = || illegal(format!("`{event}` cannot come out as `{words}`"));
        found.map(|outcome| vec![outcome]).ok_or_else(impossible)
    }

    fn take(&mut self, number: u32) -> PyResult<()> {
        match answer(&self.inner.game, &mut self.position, number) {
            Ok(()) => {
                self.history.push(number);
                Ok(())
            }
            Err(error) => {
                if error.kind() == ErrorKind::Rules {
                    // The position is of no use any more: it is made once more.
                    let again = replay(&self.game(), std::mem::take(&mut self.history))?;
                    (self.position, self.history) = (again.position, again.history);
                }
                Err(failed(&self.inner.game, &error))
            }
        }
    }
}

#[pymethods]
impl PyState {
    #[getter]
    fn game(&self) -> PyGame {
        PyGame(Arc::clone(&self.inner))
    }

    /// The seat that decides; -1 while chance draws, -4 when the game is over.
    fn current_player(&self) -> i32 {
        match self.position.step() {
            Step::Decide { player } => player.0.into(),
            Step::Draw { .. } => CHANCE,
            Step::End => TERMINAL,
        }
    }

    fn is_chance_node(&self) -> bool {
        matches!(self.position.step(), Step::Draw { .. })
    }

    fn is_terminal(&self) -> bool {
        self.position.step() == Step::End
    }

    /// The numbers of the legal actions, ascending; of a draw, its outcomes.
    #[pyo3(signature = (player = None))]
    fn legal_actions(&self, player: Option<i32>) -> PyResult<Vec<u32>> {
        if player.is_some_and(|player| player != self.current_player()) {
            return Ok(Vec::new());
        }
        if self.is_chance_node() {
            let outcomes = self.inner.game.outcome_weights(self.position.state());
            return Ok(outcomes.into_iter().map(|(outcome, _)| outcome).collect());
        }
        self.legal()
    }

    /// A 1 for each legal action, else 0.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask(&self, player: Option<i32>) -> PyResult<Vec<u8>> {
        let is_chance = self.is_chance_node() && player.is_none_or(|player| player == CHANCE);
        let game = &self.inner.game;
        let size = if is_chance {
            self.position.count()
        } else {
            game.num_distinct_actions().map_err(|error| failed(&self.inner.game, &error))? as usize
        };
        let mut mask = vec![0; size];
        if !self.is_chance_node() || is_chance {
            self.legal_actions(player)?.into_iter().for_each(|id| mask[id as usize] = 1);
        }
        Ok(mask)
    }

    /// An action in words: `take 3`. With two arguments the first is the player, as in `OpenSpiel`.
    #[pyo3(signature = (first, second = None))]
    fn action_to_string(&self, first: i64, second: Option<i64>) -> PyResult<String> {
        let action = second.unwrap_or(first);
        let unknown = || illegal(format!("no action has the number {action}"));
        let number = u32::try_from(action).map_err(|_| unknown())?;
        let is_chance = second.map_or(self.is_chance_node(), |_| first == i64::from(CHANCE));
        let (game, state) = (&self.inner.game, self.position.state());
        if is_chance {
            let exists = self.is_chance_node() && (number as usize) < self.position.count();
            let words = || format!("{}: {}", game.event(state), game.outcome(state, number));
            return exists.then(words).ok_or_else(unknown);
        }
        game.label_at(&self.position, number).ok_or_else(unknown)
    }

    /// The number of the legal action, or the outcome, with these words.
    fn string_to_action(&self, words: &str) -> PyResult<u32> {
        let numbers = self.numbers(words)?;
        let [number] = numbers.as_slice() else {
            let steps = numbers.len();
            return Err(illegal(format!("`{words}` takes {steps} actions: {numbers:?}")));
        };
        Ok(*number)
    }

    /// Makes a move or answers a draw, by number or in words, and runs to the next.
    fn apply_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(number) = action.extract::<i64>() else {
            let words = action.extract::<String>()?;
            return self.numbers(&words)?.into_iter().try_for_each(|number| self.take(number));
        };
        let unknown = |_| illegal(format!("no action has the number {action}"));
        self.take(u32::try_from(number).map_err(unknown)?)
    }

    /// The outcomes of the draw that waits and their probabilities. Faces and cards that are alike are one.
    fn chance_outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outcomes = self.inner.game.outcome_weights(self.position.state());
        if (0..).zip(&outcomes).all(|(at, outcome)| *outcome == (at, 1)) {
            return self.inner.equal_outcomes(py, outcomes.len());
        }
        let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        // Most weigh the same: one object for all.
        let mut last = (0, PyFloat::new(py, 0.0));
        let pairs = outcomes.into_iter().map(|(index, weight)| {
            if last.0 != weight {
                last = (weight, PyFloat::new(py, f64::from(weight) / f64::from(all)));
            }
            (index, last.1.clone()).into_pyobject(py)
        });
        PyList::new(py, pairs.collect::<PyResult<Vec<_>>>()?)
    }

    /// All that a player remembers: equal where the player cannot tell two games apart.
    #[pyo3(signature = (player = None))]
    fn information_state_string(&mut self, player: Option<i32>) -> PyResult<String> {
        let (seat, game) = (self.seat(player)?, &self.inner.game);
        let mut recall = match self.recall.take() {
            Some(recall) => recall,
            None => Recall::start(game).map_err(|error| failed(&self.inner.game, &error))?,
        };
        recall.follow(game, &self.history).map_err(|error| failed(&self.inner.game, &error))?;
        let text = recall.of(seat).to_owned();
        self.recall = Some(recall);
        Ok(text)
    }

    /// What a player sees now: the table, then a key that differs where anything does.
    #[pyo3(signature = (player = None))]
    fn observation_string(&self, player: Option<i32>) -> PyResult<String> {
        let game = &self.inner.game;
        let seen = game.observe(self.position.state(), self.seat(player)?);
        Ok(format!("{}{seen}", table_text(&game.seen_table(&seen), &game.titled_names())))
    }

    /// What a player sees now, as numbers; always as many.
    #[pyo3(signature = (player = None))]
    fn observation_tensor(&self, player: Option<i32>) -> PyResult<Vec<f32>> {
        let (game, player) = (&self.inner.game, self.seat(player)?);
        let mut row = vec![0.0; game.observation_size()];
        game.write_observation(&self.position, player, number, &mut row);
        Ok(row)
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, and before the end; to all together their score.
    #[expect(clippy::cast_precision_loss, reason = "scores are small")]
    fn returns(&self) -> Vec<f64> {
        let game = &self.inner.game;
        let returns = game.final_returns(self.position.state()).unwrap_or_default();
        let mut returns: Vec<f64> = returns.into_iter().map(|number| number as f64).collect();
        returns.resize(game.info().players, 0.0);
        returns
    }

    /// The scores of a game that ended with a ranking.
    fn scores(&self) -> Option<Vec<i64>> {
        self.inner.game.final_outcome(self.position.state())?.scores
    }

    /// The places of a game that ended with a ranking, by all its keys.
    fn places(&self) -> Option<Vec<usize>> {
        let outcome = self.inner.game.final_outcome(self.position.state())?;
        outcome.scores.and(Some(outcome.places))
    }

    /// How far each score is above the mean, more being better; nothing unless the game has ended so.
    #[expect(clippy::cast_precision_loss, reason = "scores are small")]
    fn margins(&self) -> Option<Vec<f64>> {
        let merits = self.inner.game.final_outcome(self.position.state())?.merits()?;
        let mean = merits.iter().sum::<i64>() as f64 / merits.len() as f64;
        Some(merits.into_iter().map(|merit| merit as f64 - mean).collect())
    }

    /// What the file measures, at the end of the game.
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = &self.inner.game;
        let values =
            game.measure_values(self.position.state()).map_err(|trap| trapped(game, trap))?;
        let dict = PyDict::new(py);
        for (measure, values) in game.program().measures.iter().zip(values) {
            match values.as_slice() {
                [value] if !measure.of_player => dict.set_item(&measure.name, value)?,
                _ => dict.set_item(&measure.name, values)?,
            }
        }
        Ok(dict)
    }

    /// The action that a bot chooses: `random`, `greedy`, `mcts:1000` and the like.
    #[pyo3(signature = (bot = "mcts:1000", seed = 0))]
    fn bot_action(&mut self, py: Python, bot: &str, seed: u64) -> PyResult<u32> {
        let (kind, analysis) = self.inner.bot(py, bot)?;
        let Step::Decide { player } = self.position.step() else {
            return Err(illegal("nobody decides in this state".to_owned()));
        };
        let (inner, position) = (&self.inner, &self.position);
        // For each step of a move the bot chooses the same whole move.
        let made = self.position.steps();
        let number = (self.history.len() - made.len()) as u64;
        let chosen = interruptible(py, || {
            let game = &inner.game;
            let mut bot = kind.bot(&analysis, Control::timed(milliseconds));
            let observed = game.observe(position.state(), player);
            let view = View { game, seen: &observed, player, offers: position.legal().offers() };
            bot.choose(&view, &mut Seed(seed).stream(number))
        })?;
        let numbers = self.inner.game.numbers_of_move(&self.position, chosen);
        let numbers = numbers.map_err(|error| failed(&self.inner.game, &error))?;
        if numbers.starts_with(made) {
            return Ok(numbers[made.len()]);
        }
        // Somebody else began this move.
        Ok(self.legal()?[0])
    }

    /// The numbers of the actions and outcomes so far.
    fn history(&self) -> Vec<u32> {
        self.history.clone()
    }

    #[pyo3(name = "clone")]
    fn copy(&self) -> PyState {
        self.clone()
    }

    fn __copy__(&self) -> PyState {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.clone()
    }

    fn __str__(&self) -> String {
        let game = &self.inner.game;
        table_text(&game.table(self.position.state()), &game.titled_names())
    }

    fn __repr__(&self) -> String {
        let title = &self.inner.game.info().title;
        format!("<State of {title:?} after {} actions>", self.history.len())
    }

    fn __eq__(&self, other: &PyState) -> bool {
        self.inner.game.fingerprint() == other.inner.game.fingerprint()
            && *self.position.state() == *other.position.state()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.state().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let replay = py.import("astragal._astragal")?.getattr("replay")?;
        let parts = (self.game(), self.history.clone());
        Ok((replay, parts.into_pyobject(py)?))
    }
}
