//! Help of last resort: the form of what was being read at a mistake.

use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::context::block_opener;
use crate::syntax::tokens::{is_part, leading_word};

/// How statements and declarations are written, by their first word.
const FORMS: &[(&str, &str)] = &[
    ("let", "let NAME = VALUE"),
    ("var", "var NAME = VALUE"),
    ("if", "if CONDITION { … } else { … }"),
    ("match", "match VALUE { a, b: …; else: … }"),
    ("for", "for NAME in SET where CONDITION { … }"),
    ("repeat", "repeat { … } until CONDITION` or `repeat NUMBER times { … }"),
    ("while", "while CONDITION { … }"),
    ("return", "return VALUE"),
    ("choose", "choose me \"The question?\" { MOVE { … } }"),
    ("turns", "turns me from Player.first where CONDITION { … }"),
    ("swap", "swap PLACE and PLACE"),
    ("reset", "reset PLACE, PLACE"),
    ("roll", "roll DIE` or `roll die for NAME in SET"),
    ("reveal", "reveal PLACE, PLACE"),
    ("show", "show PLACE to PLAYER"),
    ("look", "look at PLACE for PLAYER"),
    ("move", "move CARDS to PILE"),
    ("shuffle", "shuffle PILE"),
    ("say", "say \"text with {VALUE}\""),
    (
        "finish",
        "finish win PLAYER`, `finish win team TEAM`, `finish draw`, `finish ranking p by p.points`, \
         `finish together win`, `finish lose` or `finish together SCORE",
    ),
    ("or", "or NAME when CONDITION { … }"),
    ("else", "else { … }"),
    ("game", "game \"Title\" { players 2..4 }"),
    ("players", "players 2..4 { red \"Red\", blue \"Blue\" }"),
    ("teams", "teams p by p.side"),
    ("example", "example \"first-turns.script\""),
    ("limit", "limit 500 decisions { finish draw }"),
    ("variant", "variant \"Title\" of \"file.game\" with \"other.game\""),
    ("mixin", "mixin of \"file.game\""),
    ("use", "use \"file.game\""),
    ("option", "option NAME: 1..9 = 1 \"title\""),
    ("kind", "kind Name { a, b, c }"),
    ("extend", "extend kind Name { d }"),
    ("cards", "cards Card of Face copies 2"),
    ("board", "board Field 3 by 3"),
    ("table", "table worth[Kind] = 3 2 1` or `table near[x in Kind] = VALUE"),
    ("rule", "rule name(p: Player) -> TYPE = VALUE` or `rule name(p: Player) { … }"),
    ("moves", "moves name(me: Player) { MOVE { … } }"),
    ("measure", "measure name = VALUE"),
    ("always", "always CONDITION for NAME in SET"),
    ("strategy", "strategy \"title\" { MOVE(ARGUMENT) when CONDITION }"),
    ("setup", "setup { … }"),
    ("play", "play { … }"),
    ("replace", "replace` and a declaration, such as `replace rule name() = VALUE"),
    ("remove", "remove rule name"),
];

/// The forms of one word, with that word.
pub(in crate::syntax) fn form_by_word(word: &str) -> Option<String> {
    let (_, form) = FORMS.iter().find(|(first, _)| *first == word)?;
    Some(format!("`{word}` was being read: it is written `{form}`"))
}

/// What was being read, and how it is written.
pub(in crate::syntax) fn form_of(mistake: &GrammarMistake) -> String {
    let line = mistake.line_before();
    if mistake.in_text() {
        return "a hole of a text was being read: it holds a value, `{me.score}`; a brace in a text is written `\\{`"
            .to_owned();
    }
    if mistake.expects(Rule::kw_mixin) || mistake.expects(Rule::EOI) && ["", "}"].contains(&line) {
        return "the declaration above ends before this: a new one begins at the margin with its word, such as `rule`, \
                `option` or `play`"
            .to_owned();
    }
    if let Some(form) = in_brackets(mistake) {
        return form;
    }
    let declined = mistake.before.trim_end().rsplit(['}', '\n']).next().unwrap_or_default();
    if declined.trim_start().starts_with("or ") && mistake.expects_brace() {
        return "a block follows, with what is done then: `{ … }`, or `{ }` for nothing".to_owned();
    }
    let statement = mistake.tail();
    if statement.ends_with('.') && !statement.ends_with("..") {
        return "a name is missing after the `.`: what somebody or something has".to_owned();
    }
    let around = block_opener(mistake.before);
    let about = match leading_word(around) {
        "choose" | "moves" if mistake.in_move() || statement.is_empty() => Some(
            "a move was being read: it is written `name(x) \"title\" for x in SET where CONDITION when CONDITION { … }`",
        ),
        "each" | "the" => Some(
            "a variable was being read: it is written `name: TYPE = VALUE`, with `seen by owner` or `hidden` behind it",
        ),
        "match" => {
            Some("a case of a `match` was being read: it is written `a, b: …`, the last `else: …`")
        }
        "strategy" => Some(
            "a line of a strategy was being read: it is written `name(VALUE) when CONDITION by highest VALUE, lowest VALUE`",
        ),
        "kind" | "extend" => Some(
            "the members of a kind were being read: they are written `{ a, b, c }`, or one below the other with columns",
        ),
        "table" => Some(
            "the cells of a table were being read: numbers, words, `-` or sets of names, without signs between",
        ),
        "board" => Some(
            "a board was being read: its columns are written `name: TYPE { … }`, its links `a - b - c`, or \
             one a line below headings of what each has, `a - b  2  red`",
        ),
        "game" => Some(
            "the game was being read: `players 2..4`, `limit 500 decisions { … }` stand on lines of their own",
        ),
        _ => None,
    };
    let is_head = mistake.head_line().trim() == line;
    let head = if is_head { mistake.declares() } else { "" };
    let word = [leading_word(statement), leading_word(line), head];
    let about = about.filter(|_| !["for", "if", "or"].contains(&word[0])).map(str::to_owned);
    about.or_else(|| word.iter().find_map(|word| form_by_word(word))).unwrap_or_else(|| {
        "a statement was being read: it gives a value, `x = 1`, calls a rule, `f(x)`, or begins with a word such as `if`"
            .to_owned()
    })
}

/// What stands in parentheses or brackets that are open on this line.
fn in_brackets(mistake: &GrammarMistake) -> Option<String> {
    let line = mistake.line_before();
    let mut closed = 0_usize;
    let open = line.char_indices().rev().find(|(_, letter)| match letter {
        ')' | ']' | '}' => {
            closed += 1;
            false
        }
        '(' | '[' | '{' if closed > 0 => {
            closed -= 1;
            false
        }
        letter => "([".contains(*letter),
    });
    let (at, bracket) = open?;
    let name = &line[line[..at].trim_end_matches(is_part).len()..at];
    Some(match (bracket, name) {
        ('[', "") => "a list was being read: it is written `[a, b]`".to_owned(),
        ('[', _) => format!(
            "what `{name}` has for something was being read: it is written `{name}[a]` or `{name}[a, b]`"
        ),
        (_, "any" | "all") => format!(
            "`{name}` was being read: it is written `{name}(x in SET where CONDITION: CONDITION)`"
        ),
        (_, "count" | "first" | "last") => {
            format!(
                "`{name}` was being read: it is written `{name}(x in SET where CONDITION)` or `{name}(SET)`"
            )
        }
        (_, "sum" | "min" | "max") => format!(
            "`{name}` was being read: it is written `{name}(x in SET: VALUE)` or `{name}(a, b)`"
        ),
        (_, "highest" | "lowest") => {
            format!("`{name}` was being read: it is written `{name}(x in SET by VALUE)`")
        }
        (_, "") => "a value in parentheses was being read, such as `(a + b) * 2`".to_owned(),
        _ if ["rule", "moves"].contains(&leading_word(line)) => {
            format!(
                "the parameters of `{name}` were being read: they are written `{name}(p: Player, n: 1..6)`"
            )
        }
        _ if mistake.expects(Rule::operator) || mistake.expects(Rule::expression) => {
            format!("what `{name}` is called with was being read: it is written `{name}(a, b)`")
        }
        _ => format!(
            "the names of what `{name}` is done with were being read: they are written `{name}(a, b)`"
        ),
    })
}
