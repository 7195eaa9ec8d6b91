//! Parses a typed line: a command with its argument, or a move.

use crate::suggest::nearest;
use crate::transcript::list;

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Input {
    Nothing,
    Move(String),
    Command(Command),
    /// Something that cannot be meant, and the sentence that says so.
    Wrong(String),
}

/// A command that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Command {
    pub(in crate::session) word: &'static str,
    /// What stands behind it.
    pub(in crate::session) text: String,
    /// The same as a number, where it takes one and one is given.
    pub(in crate::session) number: Option<u64>,
    /// Whether a `!` follows its word.
    pub(in crate::session) anyhow: bool,
}

/// How a command is typed and what it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Its word, without the colon.
    pub(super) word: &'static str,
    /// What stands behind it.
    pub(super) behind: &'static str,
    pub(super) does: &'static str,
}

const fn entry(word: &'static str, behind: &'static str, does: &'static str) -> Entry {
    Entry { word, behind, does }
}

pub(super) const COMMANDS: [Entry; 21] = [
    entry("help", "[WORD]", "this list; or what a move, kind, rule, option or variable is"),
    entry("rules", "[PART]", "shows the rulebook of this game, or one part of it"),
    entry("moves", "[WORD]", "lists the legal moves, or those that begin with a word"),
    entry("state", "", "shows the table"),
    entry("why", "MOVE", "says why a move is illegal"),
    entry("undo", "[N]", "takes back the last decision, or the last N"),
    entry("redo", "[N]", "makes again what was taken back, with the same draws"),
    entry("roll", "OUTCOME…", "says how the next draws end: what real dice showed"),
    entry("eval", "EXPRESSION", "computes something"),
    entry("set", "STATEMENT", "changes the position"),
    entry("save", "FILE", "writes the game into a file, as a script"),
    entry("load", "FILE", "plays a script and goes on where it ends"),
    entry("reload", "", "reads the rules again and plays the moves so far on them"),
    entry("record", "FILE", "writes the game into a file, and whatever follows"),
    entry("history", "", "lists what was decided so far"),
    entry("restart", "", "begins again, with the same seed"),
    entry("seed", "[N]", "says what chance follows from; with N, draws follow from N"),
    entry("auto", "", "makes moves by itself where there is only one, or stops it"),
    entry("hint", "[BOT]", "asks a program what it would do"),
    entry("best", "", "says what each move is worth, where the rest of the game is small"),
    entry("quit", "", "leaves the game; `play --resume` goes on with it"),
];

pub(in crate::session) fn read(line: &str) -> Input {
    let line = line.trim();
    if line.is_empty() {
        return Input::Nothing;
    }
    let Some(typed) = line.strip_prefix(':') else { return Input::Move(line.to_owned()) };
    let end = typed.find(char::is_whitespace).unwrap_or(typed.len());
    let (word, rest) = (&typed[..end], typed[end..].trim());
    match find(word.trim_end_matches('!')) {
        Ok(entry) => {
            take(entry, word.ends_with('!'), rest).map_or_else(Input::Wrong, Input::Command)
        }
        Err(sentence) => Input::Wrong(sentence),
    }
}

/// Finds a command by its word, or by a beginning that only it has.
pub(super) fn find(word: &str) -> Result<Entry, String> {
    let lower = word.to_lowercase();
    if let Some(entry) = COMMANDS.iter().find(|entry| entry.word == lower) {
        return Ok(*entry);
    }
    let begun: Vec<&Entry> = COMMANDS
        .iter()
        .filter(|entry| !lower.is_empty() && entry.word.starts_with(&lower))
        .collect();
    match begun.as_slice() {
        [entry] => Ok(**entry),
        [] => Err(unknown(word, &lower)),
        several => {
            let words: Vec<String> =
                several.iter().map(|entry| format!("`:{}`", entry.word)).collect();
            Err(format!("`:{word}` could mean {}; type a letter more", list(&words)))
        }
    }
}

fn unknown(word: &str, lower: &str) -> String {
    match nearest(lower, COMMANDS.iter().map(|entry| entry.word)) {
        Some(near) => format!("there is no command `:{word}`; did you mean `:{near}`?"),
        None => format!("there is no command `:{word}`; `:help` lists them"),
    }
}

fn take(entry: Entry, anyhow: bool, rest: &str) -> Result<Command, String> {
    let word = entry.word;
    if anyhow && !matches!(word, "undo" | "eval" | "save" | "record") {
        return Err(format!("`:{word}!` is no command; did you mean `:{word}`?"));
    }
    check_behind(entry, rest)?;
    let parsed = rest.parse::<u64>().ok();
    let number = match (word, parsed) {
        ("undo" | "redo", Some(0) | None) if !rest.is_empty() => {
            return Err(format!("`:{word}` takes a number of decisions, as in `:{word} 2`"));
        }
        ("seed", None) if !rest.is_empty() => {
            return Err("a seed is a number, as in `:seed 42`".to_owned());
        }
        _ => parsed,
    };
    Ok(Command { word, text: rest.to_owned(), number, anyhow })
}

/// Checks that something stands behind a command exactly where it should.
fn check_behind(entry: Entry, rest: &str) -> Result<(), String> {
    let Entry { word, behind, .. } = entry;
    // What is pinned and where is recorded can also be asked for.
    let may_be_alone = behind.is_empty() || behind.starts_with('[');
    let tells = matches!(word, "roll" | "record");
    match (rest.is_empty(), may_be_alone || tells) {
        (true, false) => Err(format!("`:{word}` needs something behind it: `:{word} {behind}`")),
        (false, _) if behind.is_empty() => {
            Err(format!("`:{word}` stands alone; `{rest}` is too much"))
        }
        _ => Ok(()),
    }
}
