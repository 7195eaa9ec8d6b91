//! What the checker has to say: one enum for each family of mistakes.

mod advice;
mod board;
mod cards;
mod data;
mod flow;
mod moves;
mod names;
mod secrets;
mod types;

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable};

pub use advice::Advice;
pub use board::BoardError;
pub use cards::CardError;
pub use data::DataError;
pub use flow::FlowError;
pub use moves::MovesError;
pub use names::NameError;
pub use secrets::SecretError;
pub use types::TypeError;

/// A mistake in a file that can be read but makes no sense.
#[derive(Debug, Error, Diagnostic)]
pub enum CheckError {
    /// About names: unknown, declared twice, with two meanings.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Name(#[from] NameError),
    /// About types: what does not fit where it stands.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Type(#[from] TypeError),
    /// About drawn data and declarations.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Data(#[from] DataError),
    /// About boards and the ways on them.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Board(#[from] BoardError),
    /// About cards and the piles that they lie in.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Cards(#[from] CardError),
    /// About what happens when: order, ends, what may stand where.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Flow(#[from] FlowError),
    /// About groups of moves.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Moves(#[from] MovesError),
    /// About what players may see.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Secret(#[from] SecretError),
}

impl Fixable for CheckError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::Name(error) => error.fix(),
            Self::Type(error) => error.fix(),
            Self::Data(error) => error.fix(),
            Self::Moves(error) => error.fix(),
            Self::Board(_) | Self::Cards(_) | Self::Flow(_) | Self::Secret(_) => None,
        }
    }
}
