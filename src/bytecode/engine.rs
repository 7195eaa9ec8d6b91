//! Machine code that stands for the operations of a program, where somebody has made some.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// The numbers that a run of machine code begins with and leaves, besides the words.
pub type Registers = [i64; 3];

/// The register that holds the fuel that was burnt.
pub const BURNT: usize = 0;
/// The register that holds where the stretch of code begins that is being run.
pub const LANDING: usize = 1;
/// The register that holds 1 if nobody listens, else 0.
pub const QUIET: usize = 2;

/// Operations of a program as code of the processor. What it does not know it leaves to the
/// interpreter, and so does it with everything that becomes a trap.
pub trait MachineCode: fmt::Debug + Send + Sync {
    /// Carries out operations from one on that is an entry. Returns the operation at which it
    /// left: nothing of that one is done yet. `marks` are as long as [`MachineCode::marks`] says.
    fn run(
        &self,
        words: &mut [i64],
        registers: &mut Registers,
        marks: &mut [bool],
        at: usize,
    ) -> usize;

    /// For each operation, whether a run pays that begins there.
    fn entries(&self) -> &[bool];

    /// Whether it marks each operation that it carries out.
    fn marks(&self) -> bool;

    /// How many bytes of code there are.
    fn size(&self) -> usize;
}

/// The machine code of a program. How a program is run is no part of it: all engines are equal, and a
/// copy of a program is interpreted.
#[derive(Debug, Default)]
pub struct Engine(OnceLock<Arc<dyn MachineCode>>);

impl Engine {
    pub fn code(&self) -> Option<&dyn MachineCode> {
        self.0.get().map(|code| &**code)
    }

    /// Gives a program its machine code; one that has some keeps it.
    pub fn set(&self, code: Arc<dyn MachineCode>) {
        self.0.get_or_init(|| code);
    }
}

impl Clone for Engine {
    fn clone(&self) -> Engine {
        Engine::default()
    }
}

impl PartialEq for Engine {
    fn eq(&self, _: &Engine) -> bool {
        true
    }
}

impl Eq for Engine {}
