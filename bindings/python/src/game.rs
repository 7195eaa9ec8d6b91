//! `Game`: the rules, loaded for a number of players and values of options.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use astragal::machinery::bots::Analysis;
use astragal::machinery::bytecode::program::Wait;
use astragal::machinery::game::Utility;
use astragal::machinery::host::GameFiles;
use astragal::{Game, GameOptions, Player};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::actions::Vocabulary;
use crate::node::Node;
use crate::state::PyState;
use crate::{refused, tensor, trapped};

pub struct Inner {
    pub files: GameFiles,
    options: GameOptions,
    names: Vec<String>,
    pub game: Game,
    vocabulary: OnceLock<Vocabulary>,
    analysis: OnceLock<Analysis>,
}

impl Inner {
    pub fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| Vocabulary::learn(&self.game))
    }

    pub fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| Analysis::new(self.game.clone()))
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
) -> PyResult<PyGame> {
    let files = py.detach(|| GameFiles::find(word)).map_err(|it| refused(py, it))?;
    load(py, files, GameOptions { players, options }, names)
}

/// Opens a game whose files were sent.
#[pyfunction]
pub fn reopen(
    py: Python,
    files: &str,
    players: Option<usize>,
    options: Vec<(String, String)>,
    names: Vec<String>,
) -> PyResult<PyGame> {
    let files = GameFiles::from_json(files)
        .ok_or_else(|| PyValueError::new_err("these are no files of a game"))?;
    load(py, files, GameOptions { players, options }, names)
}

fn load(
    py: Python,
    files: GameFiles,
    options: GameOptions,
    names: Vec<String>,
) -> PyResult<PyGame> {
    let game = py.detach(|| files.load(&options, &names)).map_err(|it| refused(py, it))?;
    let (vocabulary, analysis) = Default::default();
    Ok(PyGame(Arc::new(Inner { files, options, names, game, vocabulary, analysis })))
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

    fn num_distinct_actions(&self, py: Python) -> usize {
        py.detach(|| self.0.vocabulary().size)
    }

    fn max_chance_outcomes(&self, py: Python) -> usize {
        let program = self.0.game.program();
        let outcomes = program.sites.iter().filter_map(|site| match site.wait {
            Wait::Draw { outcomes, .. } => {
                let constant = usize::from(outcomes).checked_sub(program.slots)?;
                usize::try_from(*program.constants.get(constant)?).ok()
            }
            _ => None,
        });
        let seen = py.detach(|| self.0.vocabulary().outcomes) as usize;
        // A draw whose members differ from position to position draws from a kind or from cards.
        let kinds = program.kinds.iter().map(|kind| kind.members.len());
        let cards = program.cards.iter().map(|cards| cards.faces.len());
        if !self.0.game.game_type().chance {
            return 0;
        }
        outcomes.chain(kinds).chain(cards).chain([seen]).max().unwrap_or(0)
    }

    /// How many decisions a game has at most.
    fn max_game_length(&self) -> i64 {
        self.0.game.program().limit.0
    }

    fn observation_tensor_size(&self) -> PyResult<usize> {
        let node = Node::start(&self.0.game).map_err(|trap| trapped(&self.0.game, trap))?;
        Ok(tensor::tensor(&self.0.game, &node, Player(0)).len())
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
        Ok((reopen, (self.0.files.to_json(), players, options, names).into_pyobject(py)?))
    }
}
