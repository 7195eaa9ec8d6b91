//! A played game as text: scripts are read, transcripts are written, and a transcript is a script.
//!
//! A transcript is what running a script prints, and running it again prints the same bytes. For
//! that, everything a run adds has one place:
//!
//! * What is said and what chance decides stands below the line whose step caused it, in the order
//!   in which it happened: `  two spaces and a text`, `* event: outcome`. What happens before the
//!   first decision stands behind the header.
//! * The result, `= …`, is the last line.
//! * Every other line stays as it was written. A comment or an empty line between the lines of a
//!   step stays where it is, counted by the lines of that step above it; one that has no line of
//!   its step below it comes behind the step.
//!
//! In a script, a chance event may be written anywhere above the line that makes it due: a step is
//! carried out only when the next line asks for its end, so the events below a decision are known
//! when it runs. Events are used up in the order in which they are written. The transcript then
//! shows them in their one place, and there a second run finds them again.

mod error;
mod line;
mod read;
mod write;

pub use error::ScriptError;
pub use line::{Kind, Line, Script, Words};
pub use read::{MAX_LINES, is_name, parse};
pub use write::{Opening, chance, decision, fold, list, result, said, seed, tidy, winner};
