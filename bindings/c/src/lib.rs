//! Games for C and C++: states, actions by numbers, observations.
//!
//! A pointer that a function here returned belongs to the caller, who gives it back once to the function that
//! frees it. Other pointers are only read or written while a function runs. Games may be shared by threads; a
//! state is used by one thread at a time.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use astragal::machinery::host::GameFiles;
use astragal::machinery::native::accelerate;
use astragal::{Error, ErrorKind, Game, GameOptions, Player, Position, Step, load_text};

/// Chance draws next.
pub const ASTRAGAL_CHANCE: i32 = -1;
/// The game is over.
pub const ASTRAGAL_TERMINAL: i32 = -4;
/// It was done.
pub const ASTRAGAL_OK: i32 = 0;
/// The action is not legal; the state is as it was.
pub const ASTRAGAL_ILLEGAL: i32 = 1;
/// A mistake in the rules, after which the state is of no use; or moves without numbers.
pub const ASTRAGAL_RULES: i32 = 2;

/// The rules, loaded for a number of players and values of the options. It never changes.
pub struct AstragalGame {
    game: Game,
    actions: u32,
}

/// A position of a game.
pub struct AstragalState {
    game: Game,
    position: Position,
}

thread_local! {
    /// What went wrong last in this thread.
    static MESSAGE: RefCell<CString> = RefCell::new(CString::default());
}

/// What went wrong in the last call of this thread that failed. The text is there until the next one fails.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_error() -> *const c_char {
    MESSAGE.with_borrow(|message| message.as_ptr())
}

/// Loads a game by the path of its file or the name of a bundled one. With `players` 0 the number of players is the
/// default of the file. With `native` machine code plays where this processor has it. Returns null if it fails.
///
/// # Safety
/// `word` is a text that ends with 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_load(
    word: *const c_char,
    players: usize,
    native: bool,
) -> *mut AstragalGame {
    // SAFETY: the caller says so.
    let word = unsafe { CStr::from_ptr(word) }.to_string_lossy();
    let options = GameOptions { players: Some(players).filter(|it| *it > 0), options: Vec::new() };
    let files = GameFiles::find(&word).and_then(|files| files.load(&options, &[]));
    let game = files.map_err(|refusal| refusal.drawn);
    finish_load(game, native)
}

/// Loads a game from the text of its file. Returns null if it fails.
///
/// # Safety
/// `name` and `text` are texts that end with 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_load_text(
    name: *const c_char,
    text: *const c_char,
    players: usize,
    native: bool,
) -> *mut AstragalGame {
    // SAFETY: the caller says so.
    let [name, text] = [name, text].map(|it| unsafe { CStr::from_ptr(it) }.to_string_lossy());
    let options = GameOptions { players: Some(players).filter(|it| *it > 0), options: Vec::new() };
    finish_load(load_text(&name, &text, &options).map_err(|error| error.to_string()), native)
}

fn finish_load(game: Result<Game, String>, native: bool) -> *mut AstragalGame {
    let game = game.and_then(|game| {
        let actions = game.num_distinct_actions().map_err(|error| error.to_string())?;
        if native {
            // Without machine code the same games are played.
            let _ = accelerate(game.program(), false);
        }
        Ok(AstragalGame { game, actions })
    });
    match game {
        Ok(game) => Box::into_raw(Box::new(game)),
        Err(message) => {
            fail(&message);
            ptr::null_mut()
        }
    }
}

/// Frees a game; its states stay as they are.
///
/// # Safety
/// The game comes from a function that loads one, and is freed once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_free_game(game: *mut AstragalGame) {
    // SAFETY: the caller says so.
    drop(unsafe { Box::from_raw(game) });
}

/// How many players there are.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_num_players(game: &AstragalGame) -> usize {
    game.game.names().len()
}

/// How many numbers the actions have: all are below it, in every state.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_num_distinct_actions(game: &AstragalGame) -> u32 {
    game.actions
}

/// How many outcomes a draw has at most; 0 where nothing is drawn or nothing bounds them.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_max_chance_outcomes(game: &AstragalGame) -> u32 {
    game.game.max_chance_outcomes().unwrap_or(0)
}

/// How many numbers an observation has.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_observation_size(game: &AstragalGame) -> usize {
    game.game.observation_size()
}

/// A new game, run up to its first decision or draw. Returns null if the rules fail.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_new_state(game: &AstragalGame) -> *mut AstragalState {
    match game.game.start_position() {
        Ok(position) => {
            let state = AstragalState { game: game.game.clone(), position: position.unheard() };
            Box::into_raw(Box::new(state))
        }
        Err(error) => {
            fail(&error.to_string());
            ptr::null_mut()
        }
    }
}

/// A copy of a state.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_clone(state: &AstragalState) -> *mut AstragalState {
    let (game, position) = (state.game.clone(), state.position.clone());
    Box::into_raw(Box::new(AstragalState { game, position }))
}

/// Frees a state.
///
/// # Safety
/// The state comes from a function here that makes one, and is freed once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_free_state(state: *mut AstragalState) {
    // SAFETY: the caller says so.
    drop(unsafe { Box::from_raw(state) });
}

/// The seat that decides, from 0; `ASTRAGAL_CHANCE` while chance draws, `ASTRAGAL_TERMINAL` when the game is over.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_current_player(state: &AstragalState) -> i32 {
    match state.position.step() {
        Step::Decide { player } => player.0.into(),
        Step::Draw { .. } => ASTRAGAL_CHANCE,
        Step::End => ASTRAGAL_TERMINAL,
    }
}

/// Writes the numbers of the legal actions, ascending; of a draw, its outcomes. Returns how many there are; no more
/// than `room` are written.
///
/// # Safety
/// There is room for `room` numbers at `actions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_legal_actions(
    state: &AstragalState,
    actions: *mut u32,
    room: usize,
) -> usize {
    let mut legal = Vec::new();
    if let Step::Draw { .. } = state.position.step() {
        let weights = state.game.outcome_weights(state.position.state()).into_iter();
        legal.extend(weights.map(|(outcome, _)| outcome));
    } else {
        let _ = state.game.legal_numbers(&state.position, &mut legal);
    }
    // SAFETY: the caller says so.
    unsafe { ptr::copy_nonoverlapping(legal.as_ptr(), actions, legal.len().min(room)) };
    legal.len()
}

/// Writes a 1 for each legal action, else 0: as many bytes as there are numbers of actions.
///
/// # Safety
/// There is room for [`astragal_num_distinct_actions`] bytes at `mask`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_legal_mask(state: &AstragalState, mask: *mut u8) {
    let size = state.game.num_distinct_actions().unwrap_or(0) as usize;
    // SAFETY: the caller says so.
    let mask = unsafe { std::slice::from_raw_parts_mut(mask, size) };
    let _ = state.game.legal_mask(&state.position, mask);
}

/// How many equally likely outcomes the draw that waits has; 0 where nobody draws. [`astragal_apply`] takes each number
/// below it.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_num_outcomes(state: &AstragalState) -> u32 {
    match state.position.step() {
        Step::Draw { outcomes } => outcomes,
        Step::Decide { .. } | Step::End => 0,
    }
}

/// Writes how many of the equally likely outcomes of the draw that waits each stands for, in the order of
/// [`astragal_legal_actions`]. Returns how many there are; no more than `room` are written.
///
/// # Safety
/// There is room for `room` numbers at `weights`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_outcome_weights(
    state: &AstragalState,
    weights: *mut u32,
    room: usize,
) -> usize {
    let all = state.game.outcome_weights(state.position.state()).into_iter();
    let all: Vec<u32> = all.map(|(_, weight)| weight).collect();
    // SAFETY: the caller says so.
    unsafe { ptr::copy_nonoverlapping(all.as_ptr(), weights, all.len().min(room)) };
    all.len()
}

/// Makes a move or answers a draw, by number, and runs to the next. Returns `ASTRAGAL_OK`, `ASTRAGAL_ILLEGAL` or
/// `ASTRAGAL_RULES`.
#[unsafe(no_mangle)]
pub extern "C" fn astragal_apply(state: &mut AstragalState, action: u32) -> c_int {
    let AstragalState { game, position } = state;
    let done = match position.step() {
        Step::Draw { .. } => game.draw_number(position, action),
        _ => game.apply_number(position, action),
    };
    match done {
        Ok(()) => ASTRAGAL_OK,
        Err(error) => fails(&error),
    }
}

/// Writes 1 for a win, -1 for a loss and 0 for a draw, by seat; 0 before the end. Partners have the same, and all
/// together their score.
///
/// # Safety
/// There is room for a number for each player at `returns`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_returns(state: &AstragalState, returns: *mut i64) {
    let players = state.game.names().len();
    let mut all = state.game.final_returns(state.position.state()).unwrap_or_default();
    all.resize(players, 0);
    // SAFETY: the caller says so.
    unsafe { ptr::copy_nonoverlapping(all.as_ptr(), returns, players) };
}

/// Writes what a player sees, [`astragal_observation_size`] numbers. A player that there is not sees nothing.
///
/// # Safety
/// There is room for so many numbers at `observation`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_observation(
    state: &AstragalState,
    player: u8,
    observation: *mut f32,
) {
    let game = &state.game;
    // SAFETY: the caller says so.
    let out = unsafe { std::slice::from_raw_parts_mut(observation, game.observation_size()) };
    if usize::from(player) < game.names().len() {
        #[expect(clippy::cast_precision_loss, reason = "numbers of 25 bits fit")]
        game.write_observation(&state.position, Player(player), |number| number as f32, out);
    } else {
        out.fill(0.0);
    }
}

/// Writes an action or an outcome in words, as UTF-8 that ends with 0, cut if there is no room. Returns how many
/// bytes the whole text has; 0 if there is no such action.
///
/// # Safety
/// There is room for `room` bytes at `text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn astragal_action_to_string(
    state: &AstragalState,
    action: u32,
    text: *mut c_char,
    room: usize,
) -> usize {
    let AstragalState { game, position } = state;
    let words = match position.step() {
        Step::Draw { outcomes } if action < outcomes => {
            Some(game.outcome(position.state(), action))
        }
        Step::Draw { .. } => None,
        _ => game.label_at(position, action),
    };
    let words = words.unwrap_or_default();
    if room > 0 {
        let length = words.floor_char_boundary(room - 1);
        // SAFETY: the caller says so.
        unsafe {
            ptr::copy_nonoverlapping(words.as_ptr().cast(), text, length);
            *text.add(length) = 0;
        }
    }
    words.len()
}

fn fails(error: &Error) -> c_int {
    fail(&error.to_string());
    match error.kind() {
        ErrorKind::Rules | ErrorKind::Unnumbered => ASTRAGAL_RULES,
        _ => ASTRAGAL_ILLEGAL,
    }
}

fn fail(message: &str) {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    MESSAGE.with_borrow_mut(|last| *last = message);
}
