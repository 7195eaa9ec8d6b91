//! Answers to `:help` and `:rules`: what can be typed, what the rules say of a word, the rulebook.

use super::command::{COMMANDS, Entry};
use crate::budget::Budget;
use crate::game::Game;
use crate::rulebook::{Edition, Part, rulebook};
use crate::snippet::{Block, about as about_word, topics};
use crate::suggest::nearest;
use crate::transcript::list;

/// All commands, and how moves are typed.
pub(super) fn general(numbered: bool) -> Vec<Block> {
    let intro = if numbered {
        "type a move, beginnings of its words, or its number; or one of these:"
    } else {
        "type a move, or beginnings of its words; or one of these:"
    };
    let rows = COMMANDS.iter().map(row).collect();
    vec![Block::Line(intro.to_owned()), Block::Grid(rows)]
}

fn row(entry: &Entry) -> Vec<String> {
    let form = format!("  :{} {}", entry.word, entry.behind);
    vec![form.trim_end().to_owned(), entry.does.to_owned()]
}

/// What a word means: everything that is called so, else the command; or the sentence that there
/// is none.
pub(super) fn about(game: Option<&Game>, word: &str) -> Result<Vec<Block>, String> {
    let mut blocks = game.map_or_else(Vec::new, |game| about_word(game, word));
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
pub(super) fn book(game: Option<&Game>, variants: &[String], word: &str) -> Result<String, String> {
    let Some(game) = game else { return Err("this game has no rulebook".to_owned()) };
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

fn unknown(game: Option<&Game>, word: &str) -> String {
    let topics = game.map_or_else(Vec::new, topics);
    match nearest(word, topics.iter().map(String::as_str)) {
        Some(near) => format!("nothing here is called `{word}`; did you mean `{near}`?"),
        None => format!("nothing here is called `{word}`; `:help` alone lists the commands"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, about, general};

    #[test]
    fn commands_are_helped_with() {
        let Block::Grid(rows) = &about(None, ":undo").unwrap()[0] else { panic!() };
        assert_eq!(rows[0][0], "  :undo [N]");
        assert_eq!(about(None, "undo"), about(None, ":undo"));
        assert_eq!(general(true).len(), 2);
    }

    #[test]
    fn strangers_are_answered() {
        assert!(about(None, "dragonfly").unwrap_err().contains("`:help` alone"));
    }
}
