//! Moves with all kinds of words: what `check` or the table refuses is refused there, and whatever is
//! printed is read back.

use astragal::machinery::game::{Game, LegalMoves, Step};

use super::table;
use crate::support::{checked, draw, some_games};

/// Signs and words that mean something in a line of a script, on a screen, or nothing at all.
const PIECES: [&str; 40] = [
    "",
    " ",
    "  ",
    "#",
    "# a",
    " #",
    ":",
    ":quit",
    ">",
    "> a",
    "!",
    "?",
    "=",
    "= Ann wins",
    "*",
    "* roll die: 3",
    "set",
    "set x = 3",
    "do",
    "moves",
    "bot 3",
    "game",
    "seed 4",
    "\"",
    "'",
    "because \"a\"",
    "\\",
    "{",
    "}",
    ",",
    "1",
    "-3",
    "none",
    "\t",
    "\r",
    "\u{a0}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "é",
];

/// Where a piece may stand in a printed form.
const PLACES: [&str; 6] = ["X", "Xa", "aX", "aXb", "a X b", "a X"];

#[test]
fn whatever_is_printed_is_read_back() {
    let (mut refused, mut trapped, mut played) = (0, 0, 0);
    for piece in PIECES {
        for place in PLACES {
            let words = place.replace('X', piece);
            let [fixed, held] = [fixed(&words), held(&words)];
            let (checked, source) = checked("labels.game", &fixed);
            if checked.rules.is_none() {
                let found = draw(&source, &checked.diagnostics);
                let known = ["unreadable_move", "same_words"];
                assert!(known.iter().any(|code| found.contains(code)), "{words:?}:\n{found}");
                refused += 1;
            } else {
                plays(&fixed, &words);
                played += 1;
            }
            // What a hole of the text holds is known in play only.
            if is_trapped(&held) {
                trapped += 1;
            } else {
                plays(&held, &words);
            }
        }
    }
    assert!(refused > 30 && trapped > 30 && played > 100, "{refused}, {trapped}, {played}");
}

/// A game with a move that is printed like this, beside moves that are easily confused with it.
fn fixed(words: &str) -> String {
    let words = escaped(words);
    format!(
        "game \"Labels\" {{ players 2; limit 4 decisions {{ finish draw }} }}\n\
         play {{\n  turns me from Player.first {{\n    choose me {{\n      first \"{words}\" {{ }}\n      \
         second \"a\" {{ }}\n      third \"b a\" {{ finish draw }}\n    }}\n  }}\n}}\n"
    )
}

/// The same, where the words are the value of a column.
fn held(words: &str) -> String {
    let words = escaped(words);
    format!(
        "game \"Labels\" {{ players 2; limit 4 decisions {{ finish draw }} }}\n\
         kind Word {{\n       said\n  one  \"{words}\"\n  two  \"a\"\n  six  \"b a\"\n}}\n\
         play {{\n  turns me from Player.first {{\n    choose me {{\n      \
         tell(w) \"{{w.said}}\" for w in Word {{ if w == six {{ finish draw }} }}\n    }}\n  }}\n}}\n"
    )
}

fn escaped(words: &str) -> String {
    let escape = |letter: char| match letter {
        '\\' | '"' | '{' | '}' => format!("\\{letter}"),
        letter => letter.to_string(),
    };
    words.chars().map(escape).collect()
}

fn only_game(text: &str) -> Game {
    // Signs that cannot be seen are warned of, and may be there.
    let rules = checked("labels.game", text).0.rules.expect("nothing is wrong with it");
    some_games(&rules, 1).remove(0).1
}

/// Whether nobody could type a move at the first decision.
fn is_trapped(text: &str) -> bool {
    let game = only_game(text);
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let step = game.advance(&mut state, &mut turn);
    assert!(matches!(step, Ok(Step::Decide { .. })));
    game.wrong_words(&state, &turn).is_some()
}

#[track_caller]
fn plays(text: &str, words: &str) {
    let game = only_game(text);
    (0..2)
        .for_each(|seed| table::keeps_games(&game, "labels", seed, &format!("{words:?}, {seed}")));
}
