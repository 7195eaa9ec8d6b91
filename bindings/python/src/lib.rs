//! The compiled half of the Python package `astragal`.

mod game;
mod recall;
mod state;
mod vector;

use std::thread;
use std::time::Duration;

use astragal::machinery::commands::run_command;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::game::{Game, Trap};
use astragal::machinery::host::{EmbedRefusal, stop_commands};
use astragal::{Error, ErrorKind};
use pyo3::prelude::*;

use game::PyGame;
use state::PyState;
use vector::PyBatch;

/// How often signals are looked at while a command runs.
const CHECK: Duration = Duration::from_millis(20);

#[pymodule]
fn _astragal(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGame>()?;
    module.add_class::<PyState>()?;
    module.add_class::<PyBatch>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(game::open, module)?)?;
    module.add_function(wrap_pyfunction!(game::reopen, module)?)?;
    module.add_function(wrap_pyfunction!(state::replay, module)?)
}

/// Runs a command and returns what it prints. Other threads of Python go on; Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (words, game = None))]
fn command(py: Python, words: Vec<String>, game: Option<&PyGame>) -> PyResult<String> {
    let files = game.map(|game| &game.0.files);
    interruptible(py, || run_command(&words, files))?.map_err(|it| refused(py, it))
}

/// Does work that Ctrl-C stops, while other threads of Python go on.
fn interruptible<T: Send>(py: Python, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let worker = scope.spawn(work);
            let mut interrupted = Ok(());
            while !worker.is_finished() {
                thread::park_timeout(CHECK);
                if interrupted.is_ok() {
                    #[expect(
                        clippy::redundant_closure_for_method_calls,
                        reason = "lifetimes differ"
                    )]
                    let signals = Python::attach(|py| py.check_signals());
                    interrupted = signals;
                }
                // The work may not yet have begun when it was first told to stop.
                if interrupted.is_err() {
                    stop_commands();
                }
            }
            let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map(|()| done)
        })
    })
}

/// The exception that stands for a refusal.
fn refused(py: Python, refused: EmbedRefusal) -> PyErr {
    let EmbedRefusal { exit, drawn, objects, printed } = refused;
    let made = py
        .import("astragal._errors")
        .and_then(|module| module.call_method1("refused", (exit, drawn, objects, printed)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A mistake in the rules that showed in play.
fn trapped(game: &Game, trap: Trap) -> PyErr {
    let found = Diagnostics::of(trap);
    Python::attach(|py| refused(py, EmbedRefusal::from_diagnostics(game.sources(), &found)))
}

/// A step of a game that cannot be made: an illegal action, a mistake in the rules that showed in play, or moves
/// without numbers.
fn failed(game: &Game, error: &Error) -> PyErr {
    if !matches!(error.kind(), ErrorKind::Rules | ErrorKind::Unnumbered) {
        return illegal(error.to_string());
    }
    let mut found = Diagnostics::new();
    error.diagnostics().iter().for_each(|it| found.push(it.clone()));
    Python::attach(|py| refused(py, EmbedRefusal::from_diagnostics(game.sources(), &found)))
}

/// An action that cannot be taken here.
fn illegal(message: String) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("astragal._errors")
            .and_then(|module| module.call_method1("IllegalAction", (message,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}
