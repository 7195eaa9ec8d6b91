//! astragal: a rules language for tabletop games, and the machine that plays them.
//!
//! # Steps
//!
//! | step | from | to | folder |
//! |---|---|---|---|
//! | parse | a text | a tree | `syntax`, and `load` for the files that it uses |
//! | check | the tree | rules: names resolved, a type on every expression | `check` |
//! | compile | the rules, a number of players and options | a program | `compile`, `bytecode` |
//! | run | the program on a [`State`] | until somebody decides or chance draws | `vm` |
//! | play | moves in words, observations, results | | `game` |
//!
//! `pipeline` does them in order. `bots`, `simulate`, `session` and the command line (feature `cli`) play games.
//! [`load_text`] is the way in, and [`Game`] plays; `examples/library.rs` plays any file at random in 30 lines.
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
//! assert_eq!(game.final_returns(&state), Some(vec![-1, 1]));
//! ```

#![cfg_attr(not(feature = "machinery"), deny(missing_docs))]
#![cfg_attr(
    not(all(feature = "cli", feature = "machinery")),
    allow(dead_code, unreachable_pub, unused_imports, reason = "tests and bindings use the rest")
)]

mod source; // texts, spans, line and column
mod suggest; // "did you mean"
mod chance; // seeds and random streams
mod components; // strongly connected components of graphs
mod progress; // progress and cancellation
mod dump; // values as indented trees (`--emit`)
mod budget; // limits the work for one file
mod diagnostic; // errors and warnings as records
mod error; // the one error of the library
mod bytecode; // operations, programs, their verification
mod syntax; // text to tree
mod load; // used files and variants, merged
mod rules; // the checked tree
mod check; // tree to rules: names, types, secrets
mod eval; // evaluates pure expressions
#[cfg(feature = "reference")]
mod reference; // slow interpreter that defines the meaning
mod compile; // rules to bytecode
mod vm; // runs bytecode
#[cfg(feature = "native")]
mod native; // bytecode to machine code
mod game; // moves, views, results of one game
#[cfg(feature = "reference")]
mod lockstep; // engine and reference, compared step by step
#[cfg(feature = "reference")]
mod noninterference; // tests that no seat notices secrets
mod bots; // players that are programs
mod pipeline; // all steps, text to game
mod snippet; // typed conditions and statements; `:why`
mod rulebook; // rules as prose in Markdown
mod editor; // hover, completion, rename
mod transcript; // scripts and transcripts as text
mod session; // the play loop at one table
mod simulate; // statistics of many bot games
#[cfg(any(feature = "host", feature = "messages"))]
mod gate; // escapes text for terminals, pages, spreadsheets
#[cfg(any(feature = "host", feature = "messages"))]
mod printed; // cards and boards to cut out
#[cfg(feature = "messages")]
mod messages; // JSON requests of browsers
#[cfg(feature = "host")]
mod host; // files, saves, drawings, reports
#[cfg(feature = "commands")]
mod commands; // the commands that ask nobody
#[cfg(feature = "serve")]
mod serve; // one table over WebSockets
#[cfg(feature = "cli")]
mod cli; // the program: play, help, language server
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::main;
#[cfg(feature = "machinery")]
#[doc(hidden)]
pub mod machinery; // opens the crate to tests and bindings

pub use chance::{Chance, Seed, Seeded};
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use error::{Error, ErrorKind};
pub use game::{
    Action, ChanceOutcome, Game, GameType, LegalMoves, Observation, ObservationPart, Player,
    Position, Said, State, Step, Utility,
};
pub use pipeline::{Folder, GameOptions, NamedText};
pub use source::Span;

use pipeline::OpenedFile;
use source::Sources;

/// Checks a text that is a whole game and returns every error and warning, sorted by place.
pub fn check_text(name: &str, text: &str) -> Vec<Diagnostic> {
    pipeline::check(&mut Sources::default(), &OpenedFile::alone(name, text)).diagnostics.sorted()
}

/// Checks a text that is a whole game and loads it for a number of players and options.
///
/// # Errors
/// Everything that is wrong with the text or with the options.
pub fn load_text(name: &str, text: &str, options: &GameOptions) -> Result<Game, Error> {
    load_opened(&OpenedFile::alone(name, text), options)
}

/// Loads a text that uses others, such as a variant; `folder` has the texts of those.
///
/// # Errors
/// Everything that is wrong with the texts or with the options.
pub fn load_text_in(
    folder: &dyn Folder,
    name: &str,
    text: &str,
    options: &GameOptions,
) -> Result<Game, Error> {
    load_opened(&OpenedFile { name, text, folder }, options)
}

fn load_opened(opened: &OpenedFile<'_>, options: &GameOptions) -> Result<Game, Error> {
    let mut sources = Sources::default();
    let checked = pipeline::check_without_compiling(&mut sources, opened);
    let rules = checked.rules.ok_or(checked.diagnostics);
    rules
        .and_then(|rules| pipeline::load(&rules, options))
        .map_err(|found| Error::with_findings(ErrorKind::Text, &found, &sources))
}
