//! The contract between compiler and machine: operations, programs, and the proof that one is sound.

pub mod arith;
pub mod cards;
pub mod disassemble;
pub mod op;
pub mod program;
pub mod sets;
pub mod vars;
pub mod verify;

pub use op::{Op, Operand, Role};
pub use program::Program;
