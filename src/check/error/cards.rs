//! Mistakes about cards and the piles that they lie in.

use miette::Diagnostic;
use thiserror::Error;

use crate::source::Span;

/// Cards that are declared, kept or moved in a way that makes no sense.
#[derive(Debug, Error, Diagnostic)]
pub enum CardError {
    /// A pile in a file without cards, or of a kind that is none of cards.
    #[error("{problem}")]
    #[diagnostic(code(check::no_cards), help("{help}"))]
    NoCards {
        /// What is missing.
        problem: String,
        /// What to do.
        help: String,
        /// The type.
        #[label("of which cards?")]
        span: Span,
    },
    /// Faces that no card can have.
    #[error("cards cannot have `{name}` for a face")]
    #[diagnostic(
        code(check::no_faces),
        help("name a kind that is declared with `kind`, with a member for each face")
    )]
    NoFaces {
        /// The kind.
        name: String,
        /// Its place.
        #[label("not a kind of faces")]
        span: Span,
    },
    /// A number of copies that is none.
    #[error("{problem}")]
    #[diagnostic(code(check::copies), help("{help}"))]
    Copies {
        /// What is wrong.
        problem: String,
        /// What to do.
        help: String,
        /// Where.
        #[label("not a number of cards")]
        span: Span,
    },
    /// Something that is no pile where one is wanted.
    #[error("expected a pile, found {found}")]
    #[diagnostic(
        code(check::not_a_pile),
        help("name a variable that is declared as `cards`, with its owner and indices")
    )]
    NotAPile {
        /// What it is.
        found: String,
        /// Its place.
        #[label("no cards can lie here")]
        span: Span,
    },
    /// Something that is no card where cards are wanted.
    #[error("expected cards, found {found}")]
    #[diagnostic(code(check::not_cards), help("{help}"))]
    NotCards {
        /// What it is.
        found: String,
        /// What to do.
        help: String,
        /// Its place.
        #[label("this is no card")]
        span: Span,
    },
    /// An assignment to a pile.
    #[error("cards are not assigned to `{name}`: they are moved")]
    #[diagnostic(
        code(check::pile_assigned),
        help("write `move … to {name}`, so that no card is lost and none is there twice")
    )]
    PileAssigned {
        /// The pile.
        name: String,
        /// Its place.
        #[label("a pile")]
        span: Span,
    },
    /// The top of a pile whose order nothing in the file asks for, in what somebody types.
    #[error("the order of `{name}` is not kept")]
    #[diagnostic(
        code(check::no_order),
        help("the rules never ask for its top or bottom, so its cards lie in no order")
    )]
    NoOrder {
        /// The pile.
        name: String,
        /// Its place.
        #[label("this has no top and no bottom")]
        span: Span,
    },
}
