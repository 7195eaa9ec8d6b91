//! Answers `:help` and `:rules`.

use std::io;

use super::command::{COMMANDS, Entry};
use crate::budget::Budget;
use crate::game::Game;
use crate::rulebook::{Edition, Part, rulebook};
use crate::session::console::DynIo;
use crate::session::play::Session;
use crate::snippet::{Block, about as about_word, topics};
use crate::suggest::nearest;
use crate::transcript::list;

impl Session {
    pub(super) fn help(&self, word: &str, io: &mut DynIo) -> io::Result<()> {
        if word.is_empty() {
            io.console.tell(if self.numbers_moves() {
                "type a move, beginnings of its words, or its number; or one of these:"
            } else {
                "type a move, or beginnings of its words; or one of these:"
            })?;
            return io.console.grid(&COMMANDS.iter().map(row).collect::<Vec<_>>());
        }
        match about(self.position().game(), word) {
            Ok(blocks) => blocks.iter().try_for_each(|block| match block {
                Block::Line(line) => io.console.tell(line),
                Block::Grid(rows) => io.console.grid(rows),
            }),
            Err(sentence) => io.console.tell(&sentence),
        }
    }

    pub(super) fn rules(&self, word: &str, io: &mut DynIo) -> io::Result<()> {
        match book(self.position().game(), &io.files.variants(), word) {
            Ok(text) => text.lines().try_for_each(|line| io.console.tell(line)),
            Err(sentence) => io.console.tell(&sentence),
        }
    }
}

fn row(entry: &Entry) -> Vec<String> {
    let form = format!("  :{} {}", entry.word, entry.behind);
    vec![form.trim_end().to_owned(), entry.does.to_owned()]
}

/// What a word means: everything that is called so, else the command; or the sentence that there
/// is none.
fn about(game: &Game, word: &str) -> Result<Vec<Block>, String> {
    let mut blocks = about_word(game, word);
    let command = word.trim_start_matches(':');
    if let Some(entry) = COMMANDS.iter().find(|entry| entry.word == command)
        && (blocks.is_empty() || word.starts_with(':'))
    {
        blocks.push(Block::Grid(vec![row(entry)]));
    }
    if blocks.is_empty() { Err(unknown(game, word)) } else { Ok(blocks) }
}

/// The rulebook of this game as it is played here, or one part of it; or the sentence that there is
/// none.
fn book(game: &Game, variants: &[String], word: &str) -> Result<String, String> {
    let (rules, sources, setting) = (game.rules(), game.sources(), Some(game.setting()));
    let edition = Edition { rules, sources, setting, variants };
    let book = rulebook(&edition, &Budget::default()).map_err(|finding| finding.to_string())?;
    if word.is_empty() {
        return Ok(book.markdown());
    }
    let words: Vec<&str> = book.parts.iter().map(|part| part.word).collect();
    let none = || format!("the rulebook has no part `{word}`; its parts are {}", list(&words));
    book.part(word).map(Part::markdown).ok_or_else(none)
}

fn unknown(game: &Game, word: &str) -> String {
    let topics = topics(game);
    match nearest(word, topics.iter().map(String::as_str)) {
        Some(near) => format!("nothing here is called `{word}`; did you mean `{near}`?"),
        None => format!("nothing here is called `{word}`; `:help` alone lists the commands"),
    }
}
