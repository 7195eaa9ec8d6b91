//! Machine code over a row of words, written while a program runs.
//!
//! Code has *points*, which have numbers. It begins at one of those that are *leaders*, and runs until
//! it leaves at a point, whose number it returns. It reads and writes nothing but what it is handed:
//! words, a few registers, marks, and lists that it makes longer and shorter; beside them it reads tables
//! that were written with it.
//!
//! ```
//! use astragal_native::{Code, Memory, Shape};
//!
//! // Adds the first word to the second, and leaves at point 1.
//! let shape = Shape { words: 2, leaders: &[true, false], ..Shape::default() };
//! let code = Code::write(&shape, |writer| {
//!     writer.begin(0);
//!     let (a, b) = (writer.word(0), writer.word(1));
//!     let sum = writer.add(a, b);
//!     writer.put(1, sum);
//!     writer.leave(1);
//! });
//! let mut words = [2, 40];
//! assert_eq!(code?.run(Memory { words: &mut words, ..Memory::default() }, 0), 1);
//! assert_eq!(words, [2, 42]);
//! # Ok::<(), astragal_native::Failure>(())
//! ```

mod writer;

pub use writer::{Branch, Flag, IntoWord, Join, Local, Place, Row, Spot, Table, Word, Writer};

use std::fmt;
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};

/// What code is written for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape<'a> {
    /// How many words a run needs at least.
    pub words: usize,
    /// How many numbers are kept in registers during a run.
    pub registers: usize,
    /// How many registers after them stay in memory: numbers that seldom change.
    pub cells: usize,
    /// How many marks a run needs at least.
    pub marks: usize,
    /// How many words each list has room for at least. How many of them are in use stands in a register.
    pub lists: [usize; LISTS],
    /// For each point whether code may jump there, or a run begin.
    pub leaders: &'a [bool],
}

/// How many lists there are.
pub const LISTS: usize = 3;

/// What a run may read and write.
#[derive(Default)]
pub struct Memory<'a> {
    /// The words that places name.
    pub words: &'a mut [i64],
    /// Numbers that are kept in registers during the run, then those that stay in memory.
    pub registers: &'a mut [i64],
    /// Marks that the code sets.
    pub marks: &'a mut [bool],
    /// Lists, with all the room that they have.
    pub lists: [&'a mut [i64]; LISTS],
    /// What [`Writer::aid`] and [`Writer::consult`] call. Without it the code gets [`LEAVES`].
    pub aid: Option<&'a mut Aid<'a>>,
}

/// Does the work of a point, where that is not written out: with the words, the registers, which only
/// [`Writer::consult`] hands over, and the lists. What it returns is for the code; [`LEAVES`] is negative.
pub type Aid<'a> = dyn FnMut(&mut [i64], &mut [i64], [&mut [i64]; LISTS], usize) -> i64 + 'a;

/// What the code gets where nothing was done, so that it must leave.
pub const LEAVES: i64 = -1;

/// What the code hands back when it calls for aid: where words, registers and lists lie, and how many
/// there are.
struct NativeContext<'a> {
    aid: Option<&'a mut Aid<'a>>,
    words: (*mut i64, usize),
    registers: (*mut i64, usize),
    lists: [(*mut i64, usize); LISTS],
}

/// Does for the code what it does not do itself.
extern "C" fn aid(desk: *mut NativeContext, point: i64) -> i64 {
    #[expect(unsafe_code, reason = "the code hands over what it was handed")]
    // SAFETY: the code gets the desk from `Code::run` and calls this with it alone. The desk lives, and
    // what it names is borrowed, until the code returns; all of it lies apart, and the code keeps no
    // reference to them. While this runs, nothing else touches them.
    let (aid, words, registers, lists) = unsafe {
        let NativeContext { aid, words, registers, lists } = &mut *desk;
        let slice =
            |(start, count): (*mut i64, usize)| std::slice::from_raw_parts_mut(start, count);
        (aid, slice(*words), slice(*registers), lists.map(slice))
    };
    match (aid, usize::try_from(point)) {
        (Some(aid), Ok(point)) => aid(words, registers, lists, point),
        _ => LEAVES,
    }
}

/// Why no code was written: this processor is not supported, or the system gives no memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// A failure whose reason the caller knows.
    pub fn because(reason: impl Into<String>) -> Failure {
        Failure(reason.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl std::error::Error for Failure {}

fn failure(cause: impl fmt::Display) -> Failure {
    Failure(cause.to_string())
}

/// Words, registers, marks, where the lists lie, what it hands back for aid, and the point to begin at; the
/// point where it left.
type Run = unsafe extern "C" fn(
    *mut i64,
    *mut i64,
    *mut u8,
    *const [*mut i64; LISTS],
    *mut NativeContext,
    i64,
) -> i64;

/// Machine code; its memory is freed with it.
pub struct Code {
    run: Run,
    words: usize,
    registers: usize,
    marks: usize,
    lists: [usize; LISTS],
    size: usize,
    /// What the code reads beside what it is handed: it knows where they lie.
    tables: Vec<Box<[i64]>>,
    /// The owner of the memory; only taken when this is dropped.
    module: Mutex<Option<JITModule>>,
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Code").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Code {
    /// Writes code for this processor.
    ///
    /// # Errors
    /// A processor that is not supported, or no memory.
    ///
    /// # Panics
    /// If what is written names words, registers, marks or points that the shape has not, or does not
    /// begin each leader.
    pub fn write(shape: &Shape, work: impl FnOnce(&mut Writer)) -> Result<Code, Failure> {
        let mut flags = settings::builder();
        let wanted = [
            ("opt_level", "speed"),
            ("unwind_info", "false"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            // The verifier proves that no value is used where it was not computed.
            ("enable_verifier", "true"),
        ];
        for (name, value) in wanted {
            flags.set(name, value).map_err(failure)?;
        }
        let processor = cranelift_native::builder().map_err(failure)?;
        let processor = processor.finish(settings::Flags::new(flags)).map_err(failure)?;
        let mut module = JITModule::new(JITBuilder::with_isa(processor, default_libcall_names()));
        let mut context = module.make_context();
        let pointer = module.target_config().pointer_type();
        let params = [pointer, pointer, pointer, pointer, pointer, types::I64];
        let params = params.map(AbiParam::new);
        context.func.signature.params.extend(params);
        context.func.signature.returns.push(AbiParam::new(types::I64));
        let mut scratch = FunctionBuilderContext::new();
        let mut writer = Writer::new(FunctionBuilder::new(&mut context.func, &mut scratch), shape);
        work(&mut writer);
        let tables = writer.finish(module.target_config());
        let function = module
            .declare_function("run", Linkage::Local, &context.func.signature)
            .map_err(failure)?;
        module.define_function(function, &mut context).map_err(failure)?;
        let size = context.compiled_code().map_or(0, |code| code.code_buffer().len());
        module.finalize_definitions().map_err(failure)?;
        let start = module.get_finalized_function(function);
        #[expect(unsafe_code, reason = "a pointer to code becomes a function")]
        // SAFETY: `start` is where the code of a function with this signature begins, in the calling
        // convention of C of this processor, which `make_context` chose. It stays there until
        // `free_memory`, which only `drop` calls.
        let run = unsafe { std::mem::transmute::<*const u8, Run>(start) };
        let Shape { words, registers, cells, marks, lists, .. } = *shape;
        let registers = registers + cells;
        let module = Mutex::new(Some(module));
        Ok(Code { run, words, registers, marks, lists, size, tables, module })
    }

    /// Runs from a point on that is a leader, and returns the point where it left. At any other point it
    /// leaves at once.
    ///
    /// # Panics
    /// If the memory is smaller than the shape.
    #[inline]
    pub fn run(&self, memory: Memory, at: usize) -> usize {
        let Memory { words, registers, marks, lists, aid } = memory;
        assert!(words.len() >= self.words, "the words of the shape");
        assert!(registers.len() >= self.registers, "the registers of the shape");
        assert!(marks.len() >= self.marks, "the marks of the shape");
        let room = lists.iter().zip(self.lists).all(|(list, room)| list.len() >= room);
        assert!(room, "the lists of the shape");
        let at = i64::try_from(at).unwrap_or(-1);
        let parts = |slice: &mut [i64]| (slice.as_mut_ptr(), slice.len());
        let (words, registers, lists) = (parts(words), parts(registers), lists.map(parts));
        let starts = lists.map(|(start, _)| start);
        let mut desk = NativeContext { aid, words, registers, lists };
        let marks = marks.as_mut_ptr().cast::<u8>();
        #[expect(unsafe_code, reason = "the code that was written is run")]
        // SAFETY: the code has the signature `Run`, and lies in memory that lives as long as `self`.
        // `Writer` lets it touch only words, registers and marks with numbers below those of the
        // shape, and words of lists below their room there; these are there, as was just asserted, and
        // are borrowed for this call alone. The only byte that it stores into marks is 1, a `bool`.
        // Where the lists lie it only reads. Of tables it only reads rows that they have: they lie where
        // they lay when the code was written, in boxes that `self` owns and never changes. The desk it
        // hands back to `aid` and nobody else.
        let left = unsafe {
            (self.run)(words.0, registers.0, marks, &raw const starts, &raw mut desk, at)
        };
        usize::try_from(left).expect("a point is never negative")
    }

    /// How many bytes the code and its tables have.
    pub fn size(&self) -> usize {
        self.size + self.tables.iter().map(|table| size_of_val(&**table)).sum::<usize>()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        #[expect(unsafe_code, reason = "the memory of the code goes back")]
        if let Some(module) = module {
            // SAFETY: nobody runs the code, since `run` borrows `self`, and nobody can later: the
            // pointer to it never leaves `self`.
            unsafe { module.free_memory() };
        }
    }
}
