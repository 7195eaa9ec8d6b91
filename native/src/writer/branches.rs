//! Branches and loops.

use std::collections::BTreeMap;

use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use super::{Flag, Word, Writer};

/// What is written if something holds: where the code goes on if not, and what is known there.
pub struct Branch {
    other: Block,
    known: BTreeMap<u16, Value>,
}

/// The ends of two branches: where they meet, and what is known at the end of the first, if it has one.
pub struct Join {
    meet: Block,
    known: Option<BTreeMap<u16, Value>>,
}

impl Writer<'_> {
    /// What is written next is carried out only if something holds.
    pub fn begin_if(&mut self, holds: Flag) -> Branch {
        let (begin, other) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(holds.0, begin, &[], other, &[]);
        self.builder.switch_to_block(begin);
        Branch { other, known: self.known.clone() }
    }

    /// What is written next is carried out only if it does not hold.
    pub fn otherwise(&mut self, Branch { other, known }: Branch) -> Join {
        let meet = self.builder.create_block();
        let first = std::mem::replace(&mut self.known, known);
        if self.open {
            self.builder.ins().jump(meet, &[]);
        }
        let known = std::mem::replace(&mut self.open, true).then_some(first);
        self.builder.switch_to_block(other);
        Join { meet, known }
    }

    /// Goes on where both branches end.
    pub fn end(&mut self, Join { meet, known }: Join) {
        match known {
            Some(known) if self.open => {
                self.builder.ins().jump(meet, &[]);
                self.known.retain(|at, value| known.get(at) == Some(value));
            }
            Some(known) => (self.known, self.open) = (known, true),
            // Only the second goes on.
            None => return,
        }
        self.builder.switch_to_block(meet);
    }

    /// Goes on whether it held or not.
    pub fn end_if(&mut self, branch: Branch) {
        let join = self.otherwise(branch);
        self.end(join);
    }

    /// Goes through the bits of a word that are set, the lowest first. `body` gets the place of each and
    /// what is carried along, and gives what is carried on; what the last one gave is returned.
    ///
    /// # Panics
    /// If `body` gives more or less than is carried along.
    pub fn each_bit(
        &mut self,
        word: Word,
        carried: &[Word],
        body: impl FnOnce(&mut Self, Word, &[Word]) -> Vec<Word>,
    ) -> Vec<Word> {
        let all: Vec<Word> = std::iter::once(word).chain(carried.iter().copied()).collect();
        let is_left = |writer: &mut Self, carried: &[Word]| writer.differ(carried[0], 0);
        let mut kept = self.go_round(&all, is_left, |writer, carried| {
            let (rest, place) = (carried[0], writer.first(carried[0]));
            let below = writer.subtract(rest, 1);
            let mut given = vec![writer.and(rest, below)];
            given.extend(body(writer, place, &carried[1..]));
            given
        });
        kept.remove(0);
        kept
    }

    /// Goes round as long as `goes_on` says. It and `body` get what is carried along; `body` gives what is
    /// carried on. Returns what is carried in the end.
    ///
    /// # Panics
    /// If `body` gives more or less than is carried along.
    pub fn go_round(
        &mut self,
        carried: &[Word],
        goes_on: impl FnOnce(&mut Self, &[Word]) -> Flag,
        body: impl FnOnce(&mut Self, &[Word]) -> Vec<Word>,
    ) -> Vec<Word> {
        let begin = self.builder.create_block();
        let (round, done) = (self.builder.create_block(), self.builder.create_block());
        let along = |carried: &[Word]| -> Vec<BlockArg> {
            carried.iter().map(|word| BlockArg::from(word.0)).collect()
        };
        self.builder.ins().jump(begin, &along(carried));
        self.builder.switch_to_block(begin);
        // What is known before a round may not be known in the next one, or after none.
        self.known.clear();
        let params = carried.iter().map(|_| self.builder.append_block_param(begin, types::I64));
        let kept: Vec<Word> = params.map(Word).collect();
        let goes_on = goes_on(self, &kept);
        self.builder.ins().brif(goes_on.0, round, &[], done, &[]);
        self.builder.switch_to_block(round);
        let given = body(self, &kept);
        assert_eq!(given.len(), carried.len(), "what is carried goes on");
        self.builder.ins().jump(begin, &along(&given));
        self.builder.switch_to_block(done);
        self.known.clear();
        kept
    }
}
