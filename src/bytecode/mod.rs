//! The contract between compiler and machine: operations, programs, and the proof of soundness.

pub(crate) mod arith;
pub(crate) mod cards;
pub(crate) mod disassemble;
pub(crate) mod engine;
pub(crate) mod lines;
pub(crate) mod lists;
pub(crate) mod op;
pub(crate) mod program;
pub(crate) mod rays;
pub(crate) mod sets;
pub(crate) mod subsets;
pub(crate) mod vars;
pub(crate) mod verify;

pub(crate) use cards::{CardsInfo, LANES, PileInfo, Runs};
pub(crate) use lines::Lines;
pub(crate) use op::{Op, Operand, Role};
pub use program::Program;
pub(crate) use program::{
    ArgumentInfo, Binds, CodePiece, ENDING, Factor, Format, GameEnding, HiddenDraw, HistoryInfo,
    KindNames, MOST_IN_SUBSETS, MOST_SUBSETS, Manner, MeasureInfo, MoveProposal, NONE, OptionInfo,
    Picks, Promise, RETURNS, SITE, Shown, Site, ValueShape, Wait, Witness,
};
pub(crate) use rays::Rays;
pub use vars::VarInfo;
pub(crate) use vars::{DimInfo, KeptSets, SecretVar, ValueDomain};

/// A count or an index as a word of a state.
pub(crate) fn to_word(count: usize) -> i64 {
    i64::try_from(count).expect("a state has few words")
}
