//! Tables: numbers that the code only reads. They lie beside it and are freed with it.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use super::{Word, Writer, byte_offset};

/// Rows of numbers, as many in each.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    start: Value,
    rows: usize,
    width: usize,
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    address: Value,
    width: usize,
}

impl Writer<'_> {
    /// Keeps a table of rows of `width` numbers.
    ///
    /// # Panics
    /// If there is no row, or the last is not whole.
    pub fn intern_table(&mut self, numbers: Vec<i64>, width: usize) -> Table {
        let rows = numbers.len() / width;
        assert!(rows > 0 && numbers.len() == rows * width, "whole rows");
        let numbers = numbers.into_boxed_slice();
        let address = i64::try_from(numbers.as_ptr().addr()).expect("half of all addresses");
        self.tables.push(numbers);
        let pointer = self.builder.func.dfg.value_type(self.words);
        Table { start: self.builder.ins().iconst(pointer, address), rows, width }
    }

    /// The row with a number; the last one if there is none of this number.
    ///
    /// # Panics
    /// If there are 2^28 numbers or more in the table.
    pub fn row(&mut self, table: Table, number: Word) -> Row {
        let last = self.number(i64::try_from(table.rows - 1).expect("a table is short"));
        let number = self.builder.ins().umin(number.0, last.0);
        let bytes = i64::from(8 * byte_offset(table.width));
        let bytes = self.builder.ins().imul_imm_s(number, bytes);
        Row { address: self.builder.ins().iadd(table.start, bytes), width: table.width }
    }

    /// A number of a row.
    ///
    /// # Panics
    /// If the row has no such number.
    pub fn read(&mut self, row: Row, at: usize) -> Word {
        assert!(at < row.width, "a number of the row");
        let flags = MemFlagsData::trusted();
        Word(self.builder.ins().load(types::I64, flags, row.address, 8 * byte_offset(at)))
    }
}
