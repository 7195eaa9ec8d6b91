//! `Game`: the rules, loaded for a number of players and values of options.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use astragal::machinery::bots::{Analysis, BotKind};
use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::game::Utility;
use astragal::machinery::host::{EmbedRefusal, GameFiles, find_bot};
use astragal::machinery::native::accelerate;
use astragal::{Game, GameOptions, Step};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyTuple};

use crate::state::PyState;
use crate::{failed, refused};

/// The outcomes of draws with more are made each time.
const MOST_SHARED: usize = 1 << 10;

pub struct Inner {
    pub files: GameFiles,
    options: GameOptions,
    names: Vec<String>,
    pub game: Game,
    analysis: OnceLock<Analysis>,
    /// The bots that learned, by their words, with what they play with.
    learned: Mutex<BTreeMap<String, (BotKind, Analysis)>>,
    /// The engine that was asked for.
    engine: String,
    /// The outcomes of draws without any that are alike, by their number: pairs never change, so lists share them.
    equal_outcomes: Mutex<BTreeMap<usize, Py<PyList>>>,
}

impl Inner {
    /// So many outcomes, each equally likely.
    pub fn equal_outcomes<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let known = || self.equal_outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing of Python is made while the lock is held: that could run other code of Python.
        let shared = known().get(&count).map(|pairs| pairs.clone_ref(py));
        if let Some(pairs) = shared {
            return Ok(pairs.bind(py).get_slice(0, count));
        }
        #[expect(clippy::cast_precision_loss, reason = "outcomes are few")]
        let chance = PyFloat::new(py, 1.0 / count as f64);
        let pairs = (0..count).map(|index| (index, chance.clone()).into_pyobject(py));
        let pairs = PyList::new(py, pairs.collect::<PyResult<Vec<_>>>()?)?;
        if count <= MOST_SHARED {
            known().insert(count, pairs.clone().unbind());
        }
        Ok(pairs.get_slice(0, count))
    }

    pub fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| Analysis::new(self.game.clone()))
    }

    /// The bot that a word means, and what it plays with.
    pub fn bot(&self, py: Python, word: &str) -> PyResult<(BotKind, Analysis)> {
        if let Some(kind) = BotKind::from_word(word, &self.game) {
            return Ok((kind, self.analysis().clone()));
        }
        if word != "learned" && !word.contains('@') {
            let known = BotKind::words(&self.game);
            return Err(PyValueError::new_err(format!("`{word}` is not a bot; a bot is {known}")));
        }
        let learned = || self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = learned().get(word) {
            return Ok(known.clone());
        }
        let found = py.detach(|| find_bot(word, &self.game, &self.files));
        let found = found.map_err(|it| refused(py, it))?;
        learned().insert(word.to_owned(), found.clone());
        Ok(found)
    }
}

/// A game, loaded for a number of players and values of its options. It never changes.
///
/// >>> import astragal
/// >>> game = astragal.load("nim")
/// >>> game.title, game.num_players()
/// ('Nim', 2)
#[pyclass(name = "Game", module = "astragal._astragal", frozen)]
pub struct PyGame(pub Arc<Inner>);

#[pyfunction]
pub fn open(
    py: Python,
    word: &str,
    players: Option<usize>,
    options: Vec<(String, String)>,
    names: Vec<String>,
    engine: &str,
) -> PyResult<PyGame> {
    let files = py.detach(|| GameFiles::find(word)).map_err(|it| refused(py, it))?;
    load(py, files, GameOptions { players, options }, names, engine)
}

/// Opens a game whose files were sent.
#[pyfunction]
pub fn reopen(
    py: Python,
    files: &str,
    players: Option<usize>,
    options: Vec<(String, String)>,
    names: Vec<String>,
    engine: &str,
) -> PyResult<PyGame> {
    let files = GameFiles::from_json(files)
        .ok_or_else(|| PyValueError::new_err("these are no files of a game"))?;
    load(py, files, GameOptions { players, options }, names, engine)
}

fn load(
    py: Python,
    files: GameFiles,
    options: GameOptions,
    names: Vec<String>,
    engine: &str,
) -> PyResult<PyGame> {
    let loaded = || files.load(&options, &names);
    let game = py.detach(loaded).map_err(|it| refused(py, it))?;
    let game = match engine {
        "interpreter" => game,
        "native" => {
            let made = py.detach(|| accelerate(game.program(), false));
            made.map_err(|why| PyValueError::new_err(format!("there is no machine code: {why}")))?;
            game
        }
        "auto" => py.detach(|| faster(game, loaded)),
        _ => {
            let engines = "`auto`, `native` or `interpreter`";
            return Err(PyValueError::new_err(format!("an engine is {engines}, not `{engine}`")));
        }
    };
    let (analysis, learned, engine) = (OnceLock::new(), Mutex::default(), engine.to_owned());
    let equal_outcomes = Mutex::default();
    let inner = Inner { files, options, names, game, analysis, learned, engine, equal_outcomes };
    Ok(PyGame(Arc::new(inner)))
}

/// How long each engine plays, and how often, before one is chosen.
const TRIAL: Duration = Duration::from_millis(1);
const TRIALS: usize = 4;

/// The game as it is, or loaded once more with machine code: the one that steps faster. Both play the same.
fn faster(game: Game, again: impl FnOnce() -> Result<Game, EmbedRefusal>) -> Game {
    let Ok(other) = again() else { return game };
    if accelerate(other.program(), false).is_err() {
        return game;
    }
    // They take turns, and the best counts: whatever else the machine does only makes a trial worse.
    let (mut plain, mut fast) = (0, 0);
    for _ in 0..TRIALS {
        (plain, fast) = (plain.max(steps(&game)), fast.max(steps(&other)));
    }
    if fast > plain { other } else { game }
}

/// How many random moves are made in a short time.
fn steps(game: &Game) -> usize {
    let mut chance = Seed(1).stream(0);
    let (begun, mut count) = (Instant::now(), 0);
    while begun.elapsed() < TRIAL {
        let Ok(position) = game.start_position() else { return count };
        let mut position = position.unheard();
        while position.step() != Step::End && begun.elapsed() < TRIAL {
            let done = if position.current_player().is_none() {
                game.settle(&mut position, &mut chance)
            } else {
                let index = chance.random_index(position.count());
                game.apply_move(&mut position, index)
            };
            if done.is_err() {
                return count;
            }
            count += 1;
        }
    }
    count
}

#[pymethods]
impl PyGame {
    #[getter]
    fn title(&self) -> &str {
        &self.0.game.info().title
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.game.names().to_vec()
    }

    #[getter]
    fn word(&self) -> &str {
        self.0.files.word()
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in &self.0.game.info().options {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Which engine plays: `native` is machine code.
    #[getter]
    fn engine(&self) -> &str {
        if self.0.game.program().engine.code().is_some() { "native" } else { "interpreter" }
    }

    /// The settings that were asked for, as arguments of a command.
    #[getter(_settings)]
    fn settings(&self) -> (Option<usize>, Vec<(String, String)>, Vec<String>) {
        let GameOptions { players, options } = self.0.options.clone();
        (players, options, self.0.names.clone())
    }

    #[getter]
    fn perfect_information(&self) -> bool {
        self.0.game.game_type().perfect_information
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.0.game.game_type().chance
    }

    #[getter]
    fn has_scores(&self) -> bool {
        self.0.game.game_type().utility == Utility::Score
    }

    #[getter]
    fn zero_sum(&self) -> bool {
        self.0.game.game_type().zero_sum
    }

    fn num_players(&self) -> usize {
        self.0.game.info().players
    }

    /// How many numbers the actions have: all are below it, in every state.
    fn num_distinct_actions(&self) -> PyResult<u32> {
        self.0.game.num_distinct_actions().map_err(|error| failed(&self.0.game, &error))
    }

    /// How many outcomes a draw has at most.
    fn max_chance_outcomes(&self) -> Option<u32> {
        self.0.game.max_chance_outcomes()
    }

    /// How many actions a game has at most, the steps of large moves counted and draws not.
    fn max_game_length(&self) -> PyResult<u64> {
        let length = self.0.game.max_game_length().map_err(|error| failed(&self.0.game, &error))?;
        Ok(length.min(i32::MAX as u64))
    }

    fn observation_tensor_size(&self) -> usize {
        self.0.game.observation_size()
    }

    /// What stands where in an observation: names, first positions and shapes.
    fn observation_spec(&self) -> Vec<(String, usize, Vec<usize>)> {
        let parts = self.0.game.observation_spec().iter();
        parts.map(|part| (part.name.clone(), part.offset, part.shape.clone())).collect()
    }

    fn new_initial_state(&self) -> PyResult<PyState> {
        PyState::start(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("<Game {:?} for {}>", self.title(), self.num_players())
    }

    fn __eq__(&self, other: &PyGame) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.game.fingerprint(), &self.0.files, self.0.game.names())
                == (other.0.game.fingerprint(), &other.0.files, other.0.game.names())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.game.fingerprint().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let reopen = py.import("astragal._astragal")?.getattr("reopen")?;
        let (players, options, names) = self.settings();
        let engine = &self.0.engine;
        Ok((reopen, (self.0.files.to_json(), players, options, names, engine).into_pyobject(py)?))
    }
}
