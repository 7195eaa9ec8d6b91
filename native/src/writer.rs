//! Writes code, and lets it touch nothing but what its shape names.

mod branches;
mod lists;
mod numbers;
mod tables;

use std::collections::BTreeMap;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, JumpTableData, MemFlagsData, Signature, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};

pub use self::branches::{Branch, Join};
pub use self::lists::Spot;
pub use self::numbers::IntoWord;
pub use self::tables::{Row, Table};
use crate::{LISTS, Shape};

/// A number that the code has computed.
#[derive(Clone, Copy, Debug)]
pub struct Word(Value);

/// A yes or no that the code has computed.
#[derive(Clone, Copy, Debug)]
pub struct Flag(Value);

/// Some words, beginning at one whose number the code may have computed: all lie among those of the
/// shape.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The address in bytes that `first` counts from.
    base: Value,
    /// The first of the words that it could be, and how many these are.
    first: u16,
    reach: u16,
    /// How many words there are from `first` on.
    width: u16,
    /// Whether it is known where it lies.
    is_fixed: bool,
}

impl Place {
    /// How many words there are.
    pub fn width(&self) -> u16 {
        self.width
    }
}

/// A number that the code keeps for itself: 0 where a run begins.
#[derive(Clone, Copy, Debug)]
pub struct Local(Variable);

/// Writes the code of a function, point by point.
pub struct Writer<'a> {
    builder: FunctionBuilder<'a>,
    words: Value,
    marks: Value,
    desk: Value,
    /// Where the registers are when the code begins and leaves, or consults.
    cells: Value,
    lists: [Value; LISTS],
    room: [usize; LISTS],
    registers: Vec<Variable>,
    /// The beginning of each leader.
    blocks: Vec<Option<Block>>,
    begun: Vec<bool>,
    /// Where the code goes on at a leader, or leaves at any other point, and where it leaves; both take
    /// the point.
    dispatch: Block,
    exit: Block,
    /// Words that were read or written, as long as nothing else can have changed them.
    known: BTreeMap<u16, Value>,
    /// Whether what comes next can be reached.
    open: bool,
    /// How many words, marks and registers there are.
    most: (usize, usize, usize),
    /// What the code reads beside what it is handed.
    tables: Vec<Box<[i64]>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(mut builder: FunctionBuilder<'a>, shape: &Shape) -> Writer<'a> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let [words, cells, marks, starts, desk, at] = *builder.block_params(entry) else {
            unreachable!("a function has six parameters");
        };
        let pointer = builder.func.dfg.value_type(words);
        let lists: [Value; LISTS] = std::array::from_fn(|list| {
            builder.ins().load(pointer, MemFlagsData::trusted(), starts, 8 * byte_offset(list))
        });
        let room = shape.lists;
        let exit = builder.create_block();
        builder.set_cold_block(exit);
        builder.append_block_param(exit, types::I64);
        let registers = (0..shape.registers).map(|_| builder.declare_var(types::I64)).collect();
        let leaders = shape.leaders.iter();
        let blocks: Vec<Option<Block>> =
            leaders.map(|leads| leads.then(|| builder.create_block())).collect();
        let dispatch = builder.create_block();
        builder.append_block_param(dispatch, types::I64);
        let begun = vec![false; blocks.len()];
        let most = (shape.words, shape.marks, shape.registers + shape.cells);
        let mut writer = Writer {
            builder,
            words,
            marks,
            desk,
            cells,
            lists,
            room,
            registers,
            blocks,
            begun,
            dispatch,
            exit,
            known: BTreeMap::new(),
            open: false,
            most,
            tables: Vec::new(),
        };
        writer.load_registers();
        writer.builder.ins().jump(dispatch, &[BlockArg::from(at)]);
        writer.write_dispatch();
        writer.builder.switch_to_block(exit);
        writer.store_registers();
        let left = writer.builder.block_params(exit)[0];
        writer.builder.ins().return_(&[left]);
        writer
    }

    /// Each target of the jump table has arguments of its own.
    fn write_dispatch(&mut self) {
        self.builder.switch_to_block(self.dispatch);
        let at = self.builder.block_params(self.dispatch)[0];
        let away = self.builder.func.dfg.block_call(self.exit, &[BlockArg::from(at)]);
        let targets = self.blocks.iter().map(|block| match block {
            Some(block) => self.builder.func.dfg.block_call(*block, &[]),
            None => self.builder.func.dfg.block_call(self.exit, &[BlockArg::from(at)]),
        });
        let targets: Vec<_> = targets.collect();
        let table = self.builder.create_jump_table(JumpTableData::new(away, &targets));
        // The points have numbers below 2^32; what is beyond is none.
        let last = self.builder.ins().iconst(types::I64, i64::from(u32::MAX));
        let small = self.builder.ins().umin(at, last);
        let small = self.builder.ins().ireduce(types::I32, small);
        self.builder.ins().br_table(small, table);
    }

    fn load_registers(&mut self) {
        for (number, register) in (0..).zip(&self.registers) {
            let flags = MemFlagsData::trusted();
            let value = self.builder.ins().load(types::I64, flags, self.cells, 8 * number);
            self.builder.def_var(*register, value);
        }
    }

    fn store_registers(&mut self) {
        for (number, register) in (0..).zip(&self.registers) {
            let value = self.builder.use_var(*register);
            self.builder.ins().store(MemFlagsData::trusted(), value, self.cells, 8 * number);
        }
    }

    /// Ends the code; what is left are the tables that it reads.
    pub(crate) fn finish(mut self, target: TargetFrontendConfig) -> Vec<Box<[i64]>> {
        assert!(!self.open, "the code runs off its end");
        let begun = self.blocks.iter().zip(&self.begun);
        assert!(begun.into_iter().all(|(block, begun)| block.is_none() || *begun), "every leader");
        self.builder.seal_all_blocks();
        self.builder.finalize(target);
        self.tables
    }

    /// Whether what is written next can be reached.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Begins the code of a leader; what was written before goes on here.
    ///
    /// # Panics
    /// If the point is no leader, or has begun already.
    pub fn begin(&mut self, point: usize) {
        let block = self.blocks[point].expect("a leader begins");
        assert!(!std::mem::replace(&mut self.begun[point], true), "a point begins once");
        if self.open {
            self.builder.ins().jump(block, &[]);
        }
        self.builder.switch_to_block(block);
        self.known.clear();
        self.open = true;
    }

    /// Leaves at a point.
    pub fn leave(&mut self, point: usize) {
        let point = self.point(point);
        self.builder.ins().jump(self.exit, &[BlockArg::from(point)]);
        self.open = false;
    }

    fn point(&mut self, point: usize) -> Value {
        let point = i64::try_from(point).expect("there are fewer points");
        self.builder.ins().iconst(types::I64, point)
    }

    /// Leaves at a point if something holds.
    pub fn leave_if(&mut self, holds: Flag, point: usize) {
        let point = self.point(point);
        let rest = self.builder.create_block();
        self.builder.ins().brif(holds.0, self.exit, &[BlockArg::from(point)], rest, &[]);
        self.builder.switch_to_block(rest);
    }

    /// Goes on at a leader.
    pub fn jump(&mut self, point: usize) {
        let block = self.leader(point);
        self.builder.ins().jump(block, &[]);
        self.open = false;
    }

    fn leader(&self, point: usize) -> Block {
        self.blocks[point].expect("code jumps to leaders only")
    }

    /// Goes on at a leader if something holds.
    pub fn jump_if(&mut self, holds: Flag, point: usize) {
        let block = self.leader(point);
        let rest = self.builder.create_block();
        self.builder.ins().brif(holds.0, block, &[], rest, &[]);
        self.builder.switch_to_block(rest);
    }

    /// Goes on at the leader that belongs to a number, after `before` has been written for it; leaves
    /// at a point if there is none.
    pub fn switch(
        &mut self,
        number: Word,
        cases: &[(i64, usize)],
        point: usize,
        mut before: impl FnMut(&mut Self, usize),
    ) {
        for (case, to) in cases {
            let case = self.builder.ins().iconst(types::I64, *case);
            let is_case = self.builder.ins().icmp(IntCC::Equal, number.0, case);
            let (taken, rest) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(is_case, taken, &[], rest, &[]);
            self.builder.switch_to_block(taken);
            before(self, *to);
            let block = self.leader(*to);
            self.builder.ins().jump(block, &[]);
            self.builder.switch_to_block(rest);
        }
        self.leave(point);
    }

    /// Sets marks, `count` of them.
    ///
    /// # Panics
    /// If they are not among those of the shape.
    pub fn mark(&mut self, first: usize, count: usize) {
        let all = first..first + count;
        assert!(all.end <= self.most.1, "the marks of the shape");
        let mut at = all.start;
        while at < all.end {
            let (ty, step) = match all.end - at {
                8.. => (types::I64, 8),
                4.. => (types::I32, 4),
                2.. => (types::I16, 2),
                _ => (types::I8, 1),
            };
            let ones = 0x0101_0101_0101_0101_i64
                & (-1_i64).cast_unsigned().unbounded_shr(64 - 8 * step).cast_signed();
            let ones = self.builder.ins().iconst(ty, ones);
            // Marks are bytes, in no order of larger units.
            let flags = MemFlagsData::new().with_notrap();
            self.builder.ins().store(flags, ones, self.marks, byte_offset(at));
            at += step as usize;
        }
    }

    /// A number that is known.
    pub fn number(&mut self, number: i64) -> Word {
        Word(self.builder.ins().iconst(types::I64, number))
    }

    /// What a register holds.
    ///
    /// # Panics
    /// If the shape has no such register.
    pub fn register(&mut self, register: usize) -> Word {
        if let Some(variable) = self.registers.get(register) {
            return Word(self.builder.use_var(*variable));
        }
        let (flags, at) = (MemFlagsData::trusted(), self.cell(register));
        Word(self.builder.ins().load(types::I64, flags, self.cells, at))
    }

    /// Puts a number into a register.
    ///
    /// # Panics
    /// If the shape has no such register.
    pub fn set_register(&mut self, register: usize, word: impl IntoWord) {
        let word = word.into_word(self);
        if let Some(variable) = self.registers.get(register) {
            return self.builder.def_var(*variable, word.0);
        }
        let (flags, at) = (MemFlagsData::trusted(), self.cell(register));
        self.builder.ins().store(flags, word.0, self.cells, at);
    }

    /// Where a register lies that stays in memory.
    fn cell(&self, register: usize) -> i32 {
        assert!(register < self.most.2, "a register of the shape");
        8 * byte_offset(register)
    }

    /// A number of its own, which nobody sees who hands registers over.
    pub fn new_local(&mut self) -> Local {
        Local(self.builder.declare_var(types::I64))
    }

    /// What a local holds: 0 where nothing was put into it since the run began.
    pub fn get_local(&mut self, local: Local) -> Word {
        Word(self.builder.use_var(local.0))
    }

    /// Puts a number into a local.
    pub fn set_local(&mut self, local: Local, word: impl IntoWord) {
        let word = word.into_word(self);
        self.builder.def_var(local.0, word.0);
    }

    // Words.

    /// Some words whose numbers are known.
    ///
    /// # Panics
    /// If they are not among those of the shape.
    pub fn place(&self, first: u16, width: u16) -> Place {
        let end = usize::from(first) + usize::from(width);
        assert!(end <= self.most.0, "the words of the shape");
        Place { base: self.words, first, reach: width, width, is_fixed: true }
    }

    /// The element with an index among `count` that have `width` words each, the first of them at
    /// `first`; leaves at a point if there is none of this index.
    ///
    /// # Panics
    /// If they are not among those of the shape.
    pub fn element(
        &mut self,
        first: u16,
        count: u16,
        width: u16,
        index: Word,
        point: usize,
    ) -> Place {
        let Some(reach) = count.checked_mul(width) else { panic!("the words of the shape") };
        let all = self.place(first, reach);
        let outside = self.at_least(index, i64::from(count));
        self.leave_if(outside, point);
        self.offset(all, index, width)
    }

    /// One word of a place, by an index; the first where the index is outside.
    pub fn part(&mut self, place: Place, index: Word) -> Place {
        let inside = self.below(index, i64::from(place.width));
        let index = self.select(inside, index, 0);
        self.offset(place, index, 1)
    }

    /// What is said to be inside of `place`.
    fn offset(&mut self, place: Place, index: Word, width: u16) -> Place {
        let bytes = self.builder.ins().imul_imm_s(index.0, 8 * i64::from(width));
        let base = self.builder.ins().iadd(place.base, bytes);
        Place { base, width, is_fixed: false, ..place }
    }

    /// A word of a place. Reading stays behind the check of the place: such a load is not said to be
    /// movable.
    ///
    /// # Panics
    /// If the place has no such word.
    pub fn get(&mut self, place: Place, word: u16) -> Word {
        assert!(word < place.width, "a word of the place");
        let at = place.first + word;
        if let Some(known) = self.known.get(&at).filter(|_| place.is_fixed) {
            return Word(*known);
        }
        let flags = MemFlagsData::trusted();
        let value =
            self.builder.ins().load(types::I64, flags, place.base, 8 * byte_offset(at.into()));
        if place.is_fixed {
            self.known.insert(at, value);
        }
        Word(value)
    }

    /// Changes a word of a place.
    ///
    /// # Panics
    /// If the place has no such word.
    pub fn set(&mut self, place: Place, word: u16, value: impl IntoWord) {
        assert!(word < place.width, "a word of the place");
        let value = value.into_word(self);
        let at = place.first + word;
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, value.0, place.base, 8 * byte_offset(at.into()));
        if place.is_fixed {
            self.known.insert(at, value.0);
        } else {
            let reach: Range<u16> = place.first..place.first + place.reach;
            self.known.retain(|at, _| !reach.contains(at));
        }
    }

    /// A word whose number is known.
    ///
    /// # Panics
    /// If it is not among those of the shape.
    pub fn word(&mut self, at: u16) -> Word {
        self.get(self.place(at, 1), 0)
    }

    /// Changes a word whose number is known.
    ///
    /// # Panics
    /// If it is not among those of the shape.
    pub fn put(&mut self, at: u16, value: impl IntoWord) {
        self.set(self.place(at, 1), 0, value);
    }

    // Aid.

    /// Calls for aid with a point. Returns what that returned; it may have changed the words of the
    /// ranges, each a first number and a count, and no others.
    pub fn aid(&mut self, point: usize, changed: impl IntoIterator<Item = (u16, u16)>) -> Word {
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        let pointer = self.builder.func.dfg.value_type(self.words);
        signature.params.extend([pointer, types::I64].map(AbiParam::new));
        signature.returns.push(AbiParam::new(types::I64));
        let signature = self.builder.import_signature(signature);
        let address = (crate::aid as *const ()).addr().cast_signed() as i64;
        let callee = self.builder.ins().iconst(pointer, address);
        let arguments = [self.desk, self.point(point)];
        let call = self.builder.ins().call_indirect(signature, callee, &arguments);
        let result = Word(self.builder.inst_results(call)[0]);
        for (first, count) in changed {
            self.known.retain(|at, _| !(first..first + count).contains(at));
        }
        result
    }

    /// Calls for aid with a point, hands over the registers, and goes on at the point that it returns, as
    /// a run would begin there. It may have changed everything. Leaves at `point` if that is negative.
    pub fn consult(&mut self, point: usize) {
        self.store_registers();
        let next = self.aid(point, []);
        self.load_registers();
        let leaves = self.less(next, 0);
        self.leave_if(leaves, point);
        self.builder.ins().jump(self.dispatch, &[BlockArg::from(next.0)]);
        self.open = false;
    }

    /// The same if something holds.
    pub fn consult_if(&mut self, holds: Flag, point: usize) {
        let branch = self.begin_if(holds);
        self.consult(point);
        self.end_if(branch);
    }

    /// Whether one of the groups of `width` words in a place has no bit that is not among those of `set`.
    ///
    /// # Panics
    /// If `set` is empty, or the place is no whole number of groups.
    pub fn any_within(&mut self, place: Place, set: &[Word]) -> Flag {
        let width = u16::try_from(set.len()).expect("a set has few words");
        assert!(place.width.is_multiple_of(width), "whole groups");
        let mut found = None;
        for group in 0..place.width / width {
            let mut outside = None;
            for (word, set) in (0..width).zip(set) {
                let word = self.get(place, group * width + word);
                let rest = self.without(word, *set);
                outside = Some(outside.map_or(rest, |outside| self.or(outside, rest)));
            }
            let outside = outside.expect("a set has words");
            let within = self.equal(outside, 0);
            found = Some(found.map_or(within, |found| self.either(found, within)));
        }
        found.unwrap_or_else(|| Flag(self.builder.ins().iconst(types::I8, 0)))
    }
}

fn byte_offset(number: usize) -> i32 {
    i32::try_from(number).expect("there are fewer than 2^28 words")
}
