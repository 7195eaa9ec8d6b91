//! astragal: a rules language for tabletop games, and the machine that plays them.
//!
//! # Steps
//!
//! 1. [`syntax`] parses a text into an [`Ast`](syntax::ast::Ast); [`load`](mod@load) adds the files that it uses.
//! 2. [`mod@check`] turns the tree into [`Rules`](check::rules::Rules): names resolved, types on every expression.
//! 3. [`compile`] turns the rules into a [`Program`](bytecode::Program) for a number of players and options.
//! 4. [`vm`] runs the program on a [`State`] until somebody decides or chance draws.
//! 5. [`game`] puts that into words: actions, observations, the table.
//!
//! [`pipeline`] does the steps in order. [`bots`], [`simulate`], [`session`], the messages for other fronts
//! (feature `messages`) and the command line play games.
//!
//! # A game from a text
//!
//! ```
//! use astragal::{GameOptions, load_text};
//!
//! let text = "
//! game \"Sticks\" { players 2 }
//! the table has { sticks: 0..7 = 7 }
//! play {
//!   turns me from Player.first {
//!     choose me { take(n) for n in 1..min(3, sticks) { sticks -= n } }
//!     if sticks == 0 { finish win others(me) }
//!   }
//! }
//! ";
//! let game = load_text("sticks.game", text, &GameOptions::default()).unwrap();
//! let mut state = game.start().unwrap();
//! assert_eq!(game.current_player(&state).unwrap().index(), 0);
//! let labels: Vec<_> = game.legal_actions(&state).into_iter().map(|it| it.label).collect();
//! assert_eq!(labels, ["take 1", "take 2", "take 3"]);
//! for label in ["take 3", "take 3", "take 1"] {
//!     game.apply_label(&mut state, label).unwrap();
//! }
//! assert!(game.is_terminal(&state));
//! assert_eq!(game.returns(&state), Some(vec![-1, 1]));
//! ```

pub mod source;
pub mod suggest;
pub mod chance;
pub mod components;
pub mod progress;
pub mod dump;
pub mod budget;
pub mod diagnostic;
pub mod bytecode;
pub mod syntax;
pub mod load;
pub mod check;
pub(crate) mod eval;
#[cfg(feature = "reference")]
pub mod reference;
pub mod compile;
pub mod vm;
#[cfg(feature = "native")]
pub mod native;
pub mod game;
#[cfg(feature = "reference")]
pub mod lockstep;
#[cfg(feature = "reference")]
pub mod noninterference;
pub mod bots;
pub mod pipeline;
pub mod snippet;
pub mod rulebook;
pub mod editor;
pub mod transcript;
pub mod session;
pub mod simulate;
#[cfg(feature = "messages")]
pub mod messages;
#[cfg(feature = "cli")]
pub mod cli;

pub use diagnostic::{Diagnostic, Diagnostics};
pub use game::{
    Action, ChanceOutcome, Game, GameType, LegalMoves, Observation, PlayError, Player, State, Step,
};
pub use pipeline::{GameOptions, check, load};

/// Checks a text that is a whole game and returns every error and warning, sorted by place.
pub fn check_text(name: &str, text: &str) -> Vec<Diagnostic> {
    let opened = pipeline::OpenedFile::alone(name, text);
    check(&mut source::Sources::default(), &opened).diagnostics.sorted()
}

/// Checks a text that is a whole game and loads it for a number of players and options.
///
/// # Errors
/// Everything that is wrong with the text or with the options.
pub fn load_text(name: &str, text: &str, options: &GameOptions) -> Result<Game, Diagnostics> {
    let opened = pipeline::OpenedFile::alone(name, text);
    let checked = pipeline::check_once(&mut source::Sources::default(), &opened);
    load(&checked.rules.ok_or(checked.diagnostics)?, options)
}
