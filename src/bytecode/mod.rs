//! The contract between compiler and machine: operations, programs, and the proof of soundness.

pub mod arith;
pub mod cards;
pub mod disassemble;
pub mod engine;
pub mod lines;
pub mod lists;
pub mod op;
pub mod program;
pub mod rays;
pub mod sets;
pub mod vars;
pub mod verify;

pub use cards::{CardsInfo, LANES, PileInfo, Runs, Visibility};
pub use lines::Lines;
pub use op::{Op, Operand, Role};
pub use program::{
    Binds, CodePiece, ENDING, Factor, Format, GameEnding, HistoryInfo, KindNames, MOST_IN_SUBSETS,
    Manner, MeasureInfo, MoveProposal, NONE, OptionInfo, Picks, Program, Promise, RETURNS, SITE,
    Shown, Site, Unseen, ValueShape, Wait, Witness,
};
pub use rays::Rays;
pub use vars::{DimInfo, KeptSets, SecretVar, ValueDomain, VarInfo};
