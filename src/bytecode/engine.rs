//! Machine code that stands for the operations of a program, where somebody has made some.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// The numbers that a run of machine code begins with and leaves, besides the words.
pub(crate) type Registers = [i64; 16];

/// The register that holds the fuel that was burnt.
pub(crate) const BURNT: usize = 0;
/// The register that holds where the stretch of code begins that is being run.
pub(crate) const LANDING: usize = 1;
/// The register that holds how many words of offers there are.
pub(crate) const OFFERED: usize = 2;
/// The register that holds how many legal choices were offered; [`UNCOUNTED`] or more where there is more to them.
pub(crate) const LEGAL: usize = 3;

/// The register that holds 1 if nobody listens, else 0.
pub(crate) const QUIET: usize = 4;
/// The register that holds 1 if nobody listens even where nothing is supposed, else 0.
pub(crate) const UNHEARD: usize = 5;
/// The register that holds how many words were put aside.
pub(crate) const ASIDE: usize = 6;
/// The register that holds which moves are tested: [`TEST_ALL`], [`TEST_LATER`] or [`TEST_ONE`].
pub(crate) const TESTING: usize = 7;
/// The register that holds 1 from the beginning of a test of a move until the move is offered, else 0.
pub(crate) const PENDING: usize = 8;
/// The register that holds 1 if the state keeps who knows which cards, else 0.
pub(crate) const TRACKS: usize = 9;
/// The register that holds 1 if the code may draw, from streams that somebody lends, else 0.
pub(crate) const LENT: usize = 10;
/// The register that holds -1 if each seat has a stream of its own, and 0 if there is one for all.
pub(crate) const APART: usize = 11;
/// The register that holds how many decisions the code may make.
pub(crate) const LEFT: usize = 12;
/// The register that holds how many it could make before those that it has made.
pub(crate) const GRANTED: usize = 13;
/// The register that holds how often it has drawn an outcome.
pub(crate) const DRAWN: usize = 14;
/// The register that holds how often nothing was legal since the last decision.
pub(crate) const PASSES: usize = 15;

/// The list of offers that the code makes.
pub(crate) const OFFERS: usize = 0;
/// The list of words that it puts aside.
pub(crate) const PUT_ASIDE: usize = 1;
/// The list of the streams that it draws from.
pub(crate) const STREAMS: usize = 2;

/// How many words there are for a stream: its own four, then what its next pick comes from, so that nobody
/// waits for that. The first stream belongs to the table, the others to the seats, in order.
pub(crate) const STREAM: usize = 1 << STREAM_BITS;
/// `STREAM` is two to this power.
pub(crate) const STREAM_BITS: i64 = 3;
/// Words of a stream in use.
pub(crate) const STREAM_WORDS: usize = 5;

/// More than the choices that a list has room for.
pub(crate) const UNCOUNTED: i64 = 1 << 40;

/// All moves are tested while they are listed.
pub(crate) const TEST_ALL: i64 = 0;
/// Moves are listed, and tested later.
pub(crate) const TEST_LATER: i64 = 1;
/// One move is tested.
pub(crate) const TEST_ONE: i64 = 2;

/// Offers that a run makes are lists of words: the option, with flags, from bit [`WIDTH`] on how many
/// words follow, and from bit 37 on how many choices machine code counted; then what it binds.
pub(crate) const WIDTH: u32 = 16;
/// Such an option declines.
pub(crate) const DECLINES: i64 = 1 << 32;
/// Such an option declines even if nothing else is legal.
pub(crate) const ANYWAY: i64 = 1 << 33;
/// Such an option was not tested yet.
pub(crate) const UNTESTED: i64 = 1 << 34;
/// No option, but the end of a test.
pub(crate) const TEST_ENDS: i64 = 1 << 35;
/// No option, but the end of a test that a move did not pass.
pub(crate) const TEST_FAILS: i64 = 1 << 36;
/// Such an option declines if nothing else is legal.
pub(crate) const ALONE: i64 = DECLINES | ANYWAY;

/// Carries out an operation for machine code, with the words, the registers, which only decisions and
/// the ends of tests hand over, the lists of offers, of what is put aside and of streams, and the number of
/// the operation. Returns 0, [`JUMPS`] or [`LEAVES`]; for decisions and ends of tests where to go on.
pub(crate) type Called<'a> = dyn FnMut(&mut [i64], &mut [i64], [&mut [i64]; 3], usize) -> i64 + 'a;

/// The operation was carried out, and what follows is elsewhere.
pub(crate) const JUMPS: i64 = 1;
/// Nothing was done: the code must leave before the operation.
pub(crate) const LEAVES: i64 = -1;

/// What a run of machine code reads and writes.
pub struct EngineContext<'a> {
    pub words: &'a mut [i64],
    pub registers: &'a mut Registers,
    /// As many as [`MachineCode::marks_operations`] says.
    pub marks: &'a mut [bool],
    /// Room for offers and for words that are put aside, as much as [`MachineCode::buffer_sizes`] says; and the
    /// streams of random numbers, of the table and of all seats.
    pub lists: [&'a mut [i64]; 3],
    /// Carries out what is not written out.
    pub called: &'a mut Called<'a>,
}

/// Operations of a program as code of the processor. What it does not know it leaves to the
/// interpreter, and so does it with everything that becomes a trap.
pub trait MachineCode: fmt::Debug + Send + Sync {
    /// Carries out operations from one on that is an entry. Returns the operation at which it
    /// left: nothing of that one is done yet.
    fn run(&self, desk: EngineContext, at: usize) -> usize;

    /// Words of the buffers for offers and for what is put aside.
    fn buffer_sizes(&self) -> (usize, usize);

    /// For each operation, whether a run pays that begins there.
    fn entry_points(&self) -> &[bool];

    /// Whether it marks each operation that it carries out.
    fn marks_operations(&self) -> bool;

    /// The size of the code in bytes.
    fn size(&self) -> usize;
}

/// The machine code of a program. How a program is run is no part of it: all engines are equal, and a
/// copy of a program is interpreted.
#[derive(Debug, Default)]
pub struct CompiledCode(OnceLock<Arc<dyn MachineCode>>);

impl CompiledCode {
    pub fn code(&self) -> Option<&dyn MachineCode> {
        self.0.get().map(|code| &**code)
    }

    /// Gives a program its machine code; one that has some keeps it.
    #[cfg(feature = "native")]
    pub(crate) fn install(&self, code: Arc<dyn MachineCode>) {
        self.0.get_or_init(|| code);
    }
}

impl Clone for CompiledCode {
    fn clone(&self) -> CompiledCode {
        CompiledCode::default()
    }
}

impl PartialEq for CompiledCode {
    fn eq(&self, _: &CompiledCode) -> bool {
        true
    }
}

impl Eq for CompiledCode {}
