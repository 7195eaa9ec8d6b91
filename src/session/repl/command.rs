//! A line that was typed: nothing, a move, or a command with what stands behind it.

use crate::suggest::nearest;
use crate::transcript::list;

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Input {
    /// Nothing.
    Nothing,
    /// A move, as it was typed.
    Move(String),
    /// A command.
    Command(Command),
    /// Something that cannot be meant, and the sentence that says so.
    Wrong(String),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Command {
    Help(String),
    Rules(String),
    Moves(String),
    State,
    Why(String),
    Undo { count: usize, anyhow: bool },
    Redo(usize),
    Roll(String),
    Eval { text: String, anyhow: bool },
    Set(String),
    Save { file: String, anyhow: bool },
    Load(String),
    Reload,
    Record { file: String, anyhow: bool },
    History,
    Restart,
    Seed(Option<u64>),
    Auto,
    Hint(String),
    Best,
    Quit,
}

/// How a command is typed and what it does.
#[derive(Clone, Copy, Debug)]
pub(in crate::session) struct Entry {
    /// Its word, without the colon.
    pub(in crate::session) word: &'static str,
    /// What stands behind it.
    pub(in crate::session) behind: &'static str,
    /// What it does.
    pub(in crate::session) does: &'static str,
}

const fn entry(word: &'static str, behind: &'static str, does: &'static str) -> Entry {
    Entry { word, behind, does }
}

/// All commands.
pub(in crate::session) const COMMANDS: [Entry; 21] = [
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

/// Reads a line.
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
pub(in crate::session) fn find(word: &str) -> Result<Entry, String> {
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
    if anyhow && !matches!(entry.word, "undo" | "eval" | "save" | "record") {
        return Err(format!("`:{0}!` is no command; did you mean `:{0}`?", entry.word));
    }
    check_behind(entry, rest)?;
    let text = rest.to_owned();
    Ok(match entry.word {
        "help" => Command::Help(text),
        "rules" => Command::Rules(text),
        "moves" => Command::Moves(text),
        "state" => Command::State,
        "why" => Command::Why(text),
        "undo" => Command::Undo { count: count(entry, rest)?, anyhow },
        "redo" => Command::Redo(count(entry, rest)?),
        "roll" => Command::Roll(text),
        "eval" => Command::Eval { text, anyhow },
        "set" => Command::Set(text),
        "save" => Command::Save { file: text, anyhow },
        "load" => Command::Load(text),
        "reload" => Command::Reload,
        "record" => Command::Record { file: text, anyhow },
        "history" => Command::History,
        "restart" => Command::Restart,
        "seed" => Command::Seed(seed(rest)?),
        "auto" => Command::Auto,
        "hint" => Command::Hint(text),
        "best" => Command::Best,
        "quit" => Command::Quit,
        other => unreachable!("`:{other}` is not in the list of commands"),
    })
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

fn count(entry: Entry, rest: &str) -> Result<usize, String> {
    match rest.parse() {
        _ if rest.is_empty() => Ok(1),
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`:{0}` takes a number of decisions, as in `:{0} 2`", entry.word)),
    }
}

fn seed(rest: &str) -> Result<Option<u64>, String> {
    if rest.is_empty() {
        return Ok(None);
    }
    let number = rest.parse().map(Some);
    number.map_err(|_| "a seed is a number, as in `:seed 42`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Command, Input, read};

    fn wrong(line: &str) -> String {
        match read(line) {
            Input::Wrong(sentence) => sentence,
            other => panic!("{other:?}"),
        }
    }

    fn eval(text: &str, anyhow: bool) -> Command {
        Command::Eval { text: text.to_owned(), anyhow }
    }

    #[test]
    fn moves_and_commands_are_told_apart() {
        assert_eq!(read("  "), Input::Nothing);
        assert_eq!(read(" take 2 "), Input::Move("take 2".to_owned()));
        assert_eq!(read(":quit"), Input::Command(Command::Quit));
        assert_eq!(read(":eval 1 + 1"), Input::Command(eval("1 + 1", false)));
        assert_eq!(read(":eval! 1"), Input::Command(eval("1", true)));
    }

    #[test]
    fn beginnings_of_commands_do() {
        assert_eq!(read(":m"), Input::Command(Command::Moves(String::new())));
        assert_eq!(read(":UN 3"), Input::Command(Command::Undo { count: 3, anyhow: false }));
        assert_eq!(read(":undo!"), Input::Command(Command::Undo { count: 1, anyhow: true }));
        assert_eq!(
            wrong(":h"),
            "`:h` could mean `:help`, `:history` and `:hint`; type a letter more"
        );
    }

    #[test]
    fn unknown_commands_are_answered_with_the_nearest() {
        assert_eq!(wrong(":qiut"), "there is no command `:qiut`; did you mean `:quit`?");
        assert_eq!(wrong(":dance"), "there is no command `:dance`; `:help` lists them");
        assert_eq!(wrong(":"), "there is no command `:`; `:help` lists them");
        assert_eq!(wrong(":quit!"), "`:quit!` is no command; did you mean `:quit`?");
    }

    #[test]
    fn what_stands_behind_a_command_is_checked() {
        assert_eq!(wrong(":state now"), "`:state` stands alone; `now` is too much");
        assert_eq!(wrong(":save"), "`:save` needs something behind it: `:save FILE`");
        assert_eq!(wrong(":undo all"), "`:undo` takes a number of decisions, as in `:undo 2`");
        assert_eq!(wrong(":undo 0"), "`:undo` takes a number of decisions, as in `:undo 2`");
        assert_eq!(wrong(":seed x"), "a seed is a number, as in `:seed 42`");
        assert_eq!(read(":seed 7"), Input::Command(Command::Seed(Some(7))));
    }
}
