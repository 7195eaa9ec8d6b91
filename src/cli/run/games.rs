//! The games of scripts: each file is checked once, each setting of it compiled once.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::{collections::BTreeMap, path::PathBuf};

use crate::cli::files::{Found, MOST_BYTES};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::pipeline::{self, GameOptions, Ruleset, SettingError};
use crate::source::Sources;

#[derive(Debug, Default)]
pub(super) struct Games {
    checked: Mutex<BTreeMap<Key, Arc<OnceLock<Checked>>>>,
    compiled: Mutex<BTreeMap<(Key, GameOptions), Game>>,
}

/// A file by its whole path, or a game inside of the program by its name.
type Key = PathBuf;

/// The rules of a file, or what is wrong with them.
pub(super) type Checked = Result<Ruleset, (Sources, Diagnostics)>;

impl Games {
    /// The rules of a game. Other threads that ask for the same game wait for the first.
    pub(super) fn rules(&self, found: &Found) -> Arc<OnceLock<Checked>> {
        let checked = Arc::clone(locked(&self.checked).entry(key(found)).or_default());
        checked.get_or_init(|| {
            // The script that is read for comes first.
            let mut sources = Sources::with_room(MOST_BYTES);
            let checked = pipeline::check_once(&mut sources, &found.opened());
            checked.rules.ok_or((sources, checked.diagnostics))
        });
        checked
    }

    pub(super) fn game(
        &self,
        found: &Found,
        rules: &Ruleset,
        setting: GameOptions,
        place: &dyn Fn(SettingError) -> SettingError,
    ) -> Result<Game, Diagnostics> {
        let key = (key(found), setting);
        if let Some(game) = locked(&self.compiled).get(&key) {
            return Ok(game.clone());
        }
        let game = pipeline::load_for(rules, &key.1, place)?;
        locked(&self.compiled).insert(key, game.clone());
        Ok(game)
    }
}

fn key(found: &Found) -> Key {
    let Some(path) = &found.path else { return PathBuf::from(&found.name) };
    path.canonicalize().unwrap_or_else(|_| path.clone())
}

/// What a thread that panicked left behind is whole: entries are added, never changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
