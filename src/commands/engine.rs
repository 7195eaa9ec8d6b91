//! `--engine`: whether the operations of a game are interpreted or become code of the processor.

use crate::commands::args::EngineChoice;
#[cfg(not(feature = "native"))]
pub(super) fn prepare(_: EngineChoice, _: &crate::game::Game) {}

/// Makes machine code of a game that is about to be played, if that was chosen.
#[cfg(feature = "native")]
pub(super) fn prepare(engine: EngineChoice, game: &crate::game::Game) {
    if engine == EngineChoice::Native {
        let _ = crate::native::accelerate(game.program(), false);
    }
}

#[cfg(not(feature = "native"))]
pub(super) fn over<T>(
    asked: Option<EngineChoice>,
    _: &[crate::game::Game],
    _marks: bool,
    work: impl FnOnce() -> T,
) -> (T, Option<String>) {
    (work(), asked.map(|_| "engine: interpreter".to_owned()))
}

#[cfg(feature = "native")]
pub(super) use with_code::over;

#[cfg(feature = "native")]
mod with_code {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use crate::commands::args::EngineChoice;
    use crate::game::Game;
    use crate::host::progress::{milliseconds, watched};
    use crate::native::{MOST_OPERATIONS, accelerate};

    /// Machine code pays after about twice the time that it takes to make it: so many milliseconds, and one more for
    /// so many operations of all games.
    const PATIENCE: u64 = 10;
    const OPERATIONS: usize = 10;

    /// Does work with games. If somebody chose an engine, also returns a note about it. `marks` says
    /// whether the work asks which operations are passed.
    pub(in crate::commands) fn over<T>(
        asked: Option<EngineChoice>,
        games: &[Game],
        marks: bool,
        work: impl FnOnce() -> T,
    ) -> (T, Option<String>) {
        let done = match asked.unwrap_or(EngineChoice::Auto) {
            EngineChoice::Interpreter => work(),
            EngineChoice::Native => {
                make(games, marks);
                work()
            }
            EngineChoice::Auto => watched(|ended| compile_later(games, marks, ended), work),
        };
        (done, asked.map(|_| describe_engine(games)))
    }

    /// Compiles the games to machine code once the work has taken long; returns when `ended` is set before.
    fn compile_later(games: &[Game], marks: bool, ended: &AtomicBool) {
        let operations: usize = games.iter().map(|it| it.program().code.len()).sum();
        let patience = PATIENCE + (operations / OPERATIONS) as u64;
        let begun = milliseconds();
        while !ended.load(Ordering::Relaxed) {
            let passed = milliseconds() - begun;
            if passed >= patience {
                return make(games, marks);
            }
            thread::park_timeout(Duration::from_millis(patience - passed));
        }
    }

    /// Makes machine code; on a processor that is not supported the games are interpreted.
    fn make(games: &[Game], marks: bool) {
        games.iter().for_each(|game| drop(accelerate(game.program(), marks)));
    }

    fn describe_engine(games: &[Game]) -> String {
        let code = games.iter().filter_map(|game| game.program().engine.code());
        match code.map(crate::bytecode::engine::MachineCode::size).sum::<usize>() {
            0 if games.iter().any(|it| it.program().code.len() > MOST_OPERATIONS) => format!(
                "engine: interpreter; this game has more than {MOST_OPERATIONS} operations, too many for \
                 machine code"
            ),
            0 => "engine: interpreter".to_owned(),
            bytes => format!("engine: native, {bytes} bytes of code"),
        }
    }
}
