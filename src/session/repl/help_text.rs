//! What is told of the rules at the table: help on a word, the rulebook.

use std::io;

use super::help;
use crate::session::console::{Console, Files, Io};
use crate::session::play::Session;
use crate::session::playable::Playable;
use crate::snippet::Block;

impl<P: Playable + Clone> Session<P> {
    /// Answers `:help`.
    pub(super) fn help<C: Console, F>(&self, word: &str, desk: &mut Io<C, F>) -> io::Result<()> {
        if word.is_empty() {
            return present(&help::general(self.numbers_moves()), desk);
        }
        match help::about(self.position().game(), word) {
            Ok(blocks) => present(&blocks, desk),
            Err(sentence) => desk.console.tell(&sentence),
        }
    }

    /// Answers `:rules`.
    pub(super) fn rules<C: Console, F: Files<P>>(
        &self,
        word: &str,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match help::book(self.position().game(), &desk.files.variants(), word) {
            Ok(text) => text.lines().try_for_each(|line| desk.console.tell(line)),
            Err(sentence) => desk.console.tell(&sentence),
        }
    }
}

fn present<C: Console, F>(blocks: &[Block], desk: &mut Io<C, F>) -> io::Result<()> {
    blocks.iter().try_for_each(|block| match block {
        Block::Line(line) => desk.console.tell(line),
        Block::Grid(rows) => desk.console.grid(rows),
    })
}
