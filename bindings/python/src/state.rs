//! `State`: a position of a game, with the verbs of `OpenSpiel`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use astragal::machinery::bots::{BotKind, Control, View};
use astragal::machinery::chance::Seed;
use astragal::machinery::game::fold;
use astragal::machinery::host::{milliseconds, table_text};
use astragal::{Player, Step};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::game::{Inner, PyGame};
use crate::node::Node;
use crate::recall::Recall;
use crate::{illegal, interruptible, tensor, trapped};

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
    node: Node,
    /// The answers so far: the position among the answers, and the number of the action.
    answers: Vec<u32>,
    actions: Vec<u32>,
    /// The legal moves in words and their numbers, when they were asked for.
    legal: Option<Arc<Legal>>,
    recall: Option<Recall>,
}

struct Legal {
    labels: Vec<String>,
    ids: Vec<u32>,
}

/// The position after some answers.
#[pyfunction]
pub fn replay(game: &PyGame, answers: Vec<u32>, actions: Vec<u32>) -> PyResult<PyState> {
    let mut state = PyState::start(&game.0)?;
    for index in &answers {
        if *index as usize >= state.node.answers() {
            return Err(PyValueError::new_err("this is no state of the game"));
        }
        let answered = state.node.answer(&game.0.game, *index);
        answered.map_err(|trap| trapped(&game.0.game, trap))?;
    }
    Ok(PyState { answers, actions, ..state })
}

impl PyState {
    pub fn start(inner: &Arc<Inner>) -> PyResult<PyState> {
        let node = Node::start(&inner.game).map_err(|trap| trapped(&inner.game, trap))?;
        let (answers, actions) = Default::default();
        let inner = Arc::clone(inner);
        Ok(PyState { inner, node, answers, actions, legal: None, recall: None })
    }

    fn legal(&mut self) -> PyResult<Arc<Legal>> {
        if let Some(legal) = &self.legal {
            return Ok(Arc::clone(legal));
        }
        let game = &self.inner.game;
        let labels = self.node.labels(game).map_err(|trap| trapped(game, trap))?;
        let vocabulary = self.inner.vocabulary();
        let ids = vocabulary.ids(&labels).ok_or_else(|| {
            let (moves, size) = (labels.len(), vocabulary.size);
            illegal(format!("{moves} moves are legal, and actions have only {size} numbers"))
        })?;
        let legal = Arc::new(Legal { labels, ids });
        self.legal = Some(Arc::clone(&legal));
        Ok(legal)
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

    fn take(&mut self, index: u32, action: u32) -> PyResult<()> {
        let before = self.node.clone();
        if let Err(trap) = self.node.answer(&self.inner.game, index) {
            self.node = before;
            return Err(trapped(&self.inner.game, trap));
        }
        self.answers.push(index);
        self.actions.push(action);
        self.legal = None;
        Ok(())
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
        match self.node.step {
            Step::Decide { player } => player.0.into(),
            Step::Draw { .. } => CHANCE,
            Step::End => TERMINAL,
        }
    }

    fn is_chance_node(&self) -> bool {
        matches!(self.node.step, Step::Draw { .. })
    }

    fn is_terminal(&self) -> bool {
        self.node.step == Step::End
    }

    /// The numbers of the legal actions, ascending; of a draw, its outcomes.
    #[pyo3(signature = (player = None))]
    fn legal_actions(&mut self, player: Option<i32>) -> PyResult<Vec<u32>> {
        if player.is_some_and(|player| player != self.current_player()) {
            return Ok(Vec::new());
        }
        if self.is_chance_node() {
            return Ok(self.chance_outcomes().into_iter().map(|(outcome, _)| outcome).collect());
        }
        let mut ids = self.legal()?.ids.clone();
        ids.sort_unstable();
        Ok(ids)
    }

    /// A 1 for each legal action, else 0.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask(&mut self, player: Option<i32>) -> PyResult<Vec<u8>> {
        let is_chance = self.is_chance_node() && player.is_none_or(|player| player == CHANCE);
        let size = if is_chance { self.node.answers() } else { self.inner.vocabulary().size };
        let mut mask = vec![0; size];
        if !self.is_chance_node() || is_chance {
            self.legal_actions(player)?.into_iter().for_each(|id| mask[id as usize] = 1);
        }
        Ok(mask)
    }

    /// An action in words: `take 3`. With two arguments the first is the player, as in `OpenSpiel`.
    #[pyo3(signature = (first, second = None))]
    fn action_to_string(&mut self, first: i64, second: Option<i64>) -> PyResult<String> {
        let action = second.unwrap_or(first);
        let unknown = || illegal(format!("no action has the number {action}"));
        let id = u32::try_from(action).map_err(|_| unknown())?;
        let is_chance = second.map_or(self.is_chance_node(), |_| first == i64::from(CHANCE));
        if is_chance {
            let exists = self.is_chance_node() && (id as usize) < self.node.answers();
            let (game, state) = (&self.inner.game, &self.node.state);
            let words = || format!("{}: {}", game.event(state), game.outcome(state, id));
            return exists.then(words).ok_or_else(unknown);
        }
        let legal = self.legal()?;
        if let Some(at) = legal.ids.iter().position(|it| *it == id) {
            return Ok(legal.labels[at].clone());
        }
        self.inner.vocabulary().label(id).map(str::to_owned).ok_or_else(unknown)
    }

    /// The number of the legal action, or the outcome, with these words.
    fn string_to_action(&mut self, words: &str) -> PyResult<u32> {
        let wanted = fold(words);
        if self.is_chance_node() {
            let (game, state) = (&self.inner.game, &self.node.state);
            let event = game.event(state);
            let fits = |index: &u32| {
                let outcome = game.outcome(state, *index);
                fold(&outcome) == wanted || fold(&format!("{event}: {outcome}")) == wanted
            };
            let count = u32::try_from(self.node.answers()).unwrap_or(u32::MAX);
            return (0..count)
                .find(fits)
                .ok_or_else(|| illegal(format!("`{event}` cannot come out as `{words}`")));
        }
        let legal = self.legal()?;
        let found = legal.labels.iter().position(|label| fold(label) == wanted);
        found.map(|at| legal.ids[at]).ok_or_else(|| {
            let legal = legal.labels.join(", ");
            illegal(format!("`{words}` is not legal; legal: {legal}"))
        })
    }

    /// Makes a move or answers a draw, by number or in words, and runs to the next.
    fn apply_action(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let id = match action.extract::<String>() {
            Ok(words) => self.string_to_action(&words)?,
            Err(_) => u32::try_from(action.extract::<i64>()?)
                .map_err(|_| illegal(format!("no action has the number {action}")))?,
        };
        if self.is_chance_node() {
            let exists = (id as usize) < self.node.answers();
            let taken = exists.then(|| self.take(id, id));
            return taken.unwrap_or_else(|| Err(illegal(format!("the draw has no outcome {id}"))));
        }
        let legal = self.legal()?;
        let Some(at) = legal.ids.iter().position(|it| *it == id) else {
            let named = self
                .inner
                .vocabulary()
                .label(id)
                .map_or_else(|| format!("action {id}"), |label| format!("action {id}, `{label}`,"));
            let legal = legal.labels.join(", ");
            return Err(illegal(format!("{named} is not legal; legal: {legal}")));
        };
        self.take(u32::try_from(at).unwrap_or(u32::MAX), id)
    }

    /// The outcomes of the draw that waits and their probabilities. Outcomes that lead to the same
    /// position are one.
    fn chance_outcomes(&self) -> Vec<(u32, f64)> {
        let outcomes = self.inner.game.chance_outcomes(&self.node.state);
        let all: u32 = outcomes.iter().map(|it| it.weight).sum();
        let share = |weight: u32| f64::from(weight) / f64::from(all);
        outcomes.into_iter().map(|it| (it.index, share(it.weight))).collect()
    }

    /// All that a player remembers: equal where the player cannot tell two games apart.
    #[pyo3(signature = (player = None))]
    fn information_state_string(&mut self, player: Option<i32>) -> PyResult<String> {
        let (seat, game) = (self.seat(player)?, &self.inner.game);
        let failed = |trap| trapped(game, trap);
        let mut recall = match self.recall.take() {
            Some(recall) => recall,
            None => Recall::start(game).map_err(failed)?,
        };
        recall.follow(game, &self.answers).map_err(failed)?;
        let text = recall.of(seat).to_owned();
        self.recall = Some(recall);
        Ok(text)
    }

    /// What a player sees now: the table, then a key that differs where anything does.
    #[pyo3(signature = (player = None))]
    fn observation_string(&self, player: Option<i32>) -> PyResult<String> {
        let game = &self.inner.game;
        let seen = game.observe(&self.node.state, self.seat(player)?);
        Ok(format!("{}{seen}", table_text(&game.seen_table(&seen), &game.titled_names())))
    }

    /// What a player sees now, as numbers; always as many.
    #[pyo3(signature = (player = None))]
    fn observation_tensor(&self, player: Option<i32>) -> PyResult<Vec<f32>> {
        Ok(tensor::tensor(&self.inner.game, &self.node, self.seat(player)?))
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, and before the end.
    fn returns(&self) -> Vec<f64> {
        let game = &self.inner.game;
        let whole = |number: i64| match number.signum() {
            1 => 1.0,
            -1 => -1.0,
            _ => 0.0,
        };
        let returns = game.final_returns(&self.node.state).unwrap_or_default();
        let mut returns: Vec<f64> = returns.into_iter().map(whole).collect();
        returns.resize(game.info().players, 0.0);
        returns
    }

    /// The scores of a game that ended with a ranking.
    fn scores(&self) -> Option<Vec<i64>> {
        self.inner.game.final_outcome(&self.node.state)?.scores
    }

    /// The places of a game that ended with a ranking, by all its keys.
    fn places(&self) -> Option<Vec<usize>> {
        let outcome = self.inner.game.final_outcome(&self.node.state)?;
        outcome.scores.and(Some(outcome.places))
    }

    /// How far each score is above the mean, more being better; nothing unless the game has ended so.
    #[expect(clippy::cast_precision_loss, reason = "scores are small")]
    fn margins(&self) -> Option<Vec<f64>> {
        let merits = self.inner.game.final_outcome(&self.node.state)?.merits()?;
        let mean = merits.iter().sum::<i64>() as f64 / merits.len() as f64;
        Some(merits.into_iter().map(|merit| merit as f64 - mean).collect())
    }

    /// What the file measures, at the end of the game.
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = &self.inner.game;
        let values = game.measure_values(&self.node.state).map_err(|trap| trapped(game, trap))?;
        let dict = PyDict::new(py);
        for (measure, values) in game.measures().iter().zip(values) {
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
        let game = &self.inner.game;
        let kind = BotKind::named(bot, game).ok_or_else(|| {
            let known = BotKind::words(game);
            PyValueError::new_err(format!("`{bot}` is not a bot; a bot is {known}"))
        })?;
        let Step::Decide { player } = self.node.step else {
            return Err(illegal("nobody decides in this state".to_owned()));
        };
        let (inner, node) = (&self.inner, &self.node);
        let number = self.answers.len() as u64;
        let chosen = interruptible(py, || {
            let game = &inner.game;
            let mut bot = kind.bot(inner.analysis(), Control::timed(milliseconds));
            let observed = game.observe(&node.state, player);
            let view = View { game, seen: &observed, player, offers: node.legal.offers() };
            bot.choose(&view, &mut Seed(seed).stream(number))
        })?;
        Ok(self.legal()?.ids[chosen])
    }

    /// The numbers of the actions and outcomes so far.
    fn history(&self) -> Vec<u32> {
        self.actions.clone()
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
        table_text(&game.table(&self.node.state), &game.titled_names())
    }

    fn __repr__(&self) -> String {
        let title = &self.inner.game.info().title;
        format!("<State of {title:?} after {} actions>", self.answers.len())
    }

    fn __eq__(&self, other: &PyState) -> bool {
        self.inner.game.fingerprint() == other.inner.game.fingerprint()
            && self.node.state == other.node.state
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.node.state.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let replay = py.import("astragal._astragal")?.getattr("replay")?;
        let parts = (self.game(), self.answers.clone(), self.actions.clone());
        Ok((replay, parts.into_pyobject(py)?))
    }
}
