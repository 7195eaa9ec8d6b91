//! Slips that depend on the block, the declaration or the statement around them.

use crate::diagnostic::Help;
use crate::source::padded;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::{is_number, offset_within};
use crate::syntax::tokens::{RESERVED, is_part, leading_word};

/// What to do about a slip that the block around it explains.
pub(super) fn block_help(slip: &GrammarMistake) -> Option<Help> {
    first_match(slip, &[board_size, decision_help, range_help, operator])
}

/// What to do about a slip in a declaration: what it lists, draws or begins with.
pub(super) fn declaration_help(slip: &GrammarMistake) -> Option<Help> {
    match slip.declares() {
        "kind" => member_help(slip),
        "extend" if slip.head_line().starts_with("extend kind ") => member_help(slip),
        "table" | "game" => None,
        "cards" => computed_copies(slip),
        _ => variable(slip),
    }
}

/// What to do about a slip in a statement or an expression.
pub(super) fn statement_help(slip: &GrammarMistake) -> Option<Help> {
    first_match(slip, &[move_name, word_help, value_help, call_help])
}

/// Rules of statements that begin with no word of their own, or with one that no word need follow.
const WITHOUT_WORD: [Rule; 4] = [
    Rule::break_statement,
    Rule::continue_statement,
    Rule::place_statement,
    Rule::repeat_statement,
];

/// Words that begin a statement, and that are followed by a word: `swap` has the rule `swap_statement`.
pub(super) fn statement_words() -> Vec<String> {
    let rules = Rule::all_rules().iter().filter(|rule| !WITHOUT_WORD.contains(rule));
    let word = |rule| format!("{rule:?}").strip_suffix("_statement").map(str::to_owned);
    rules.filter_map(word).collect()
}

fn first_match(
    slip: &GrammarMistake,
    explained: &[fn(&GrammarMistake) -> Option<Help>],
) -> Option<Help> {
    explained.iter().find_map(|help| help(slip))
}

// Blocks.

/// `board Sea 6x6`
fn board_size(slip: &GrammarMistake) -> Option<Help> {
    let (columns, rows) = slip.found.split_once(['x', 'X'])?;
    (slip.declares() == "board" && is_number(columns) && is_number(rows)).then(|| {
        let form = format!("{} {columns} by {rows}", slip.line_before());
        slip.replace_before(
            slip.line_before(),
            slip.found.len(),
            "a board has columns and rows:",
            &form,
        )
    })
}

/// What follows a move, and a decision without the one who decides.
fn decision_help(slip: &GrammarMistake) -> Option<Help> {
    let around = block_opener(slip.before);
    let in_moves = ["choose", "moves"].contains(&leading_word(around)) && slip.tail().is_empty();
    let help = match slip.found {
        "{" if around == "choose" => "say who decides: `choose me { … }`",
        "," if in_moves => "put each move on its own line, or separate them with `;`",
        "else" if in_moves => {
            "`else` follows the `}` of the decision, and is for when nothing is legal"
        }
        _ => return None,
    };
    Some(help.into())
}

/// What stands on its line before the innermost brace that is open.
pub(super) fn block_opener(before: &str) -> &str {
    let mut closed = 0_usize;
    for (at, letter) in before.char_indices().rev() {
        match letter {
            '}' => closed += 1,
            '{' if closed > 0 => closed -= 1,
            '{' => {
                let line = before[..at].rsplit(['\n', '{', ';']).next().unwrap_or_default();
                return line.trim();
            }
            _ => {}
        }
    }
    ""
}

/// Ranges with a dash.
fn range_help(slip: &GrammarMistake) -> Option<Help> {
    let last = slip.tail().split_whitespace().next_back()?;
    let (low, high) = last.split_once('-')?;
    let in_type = slip.tail().contains(':');
    let ends = ["=", "\n", "}", ";", "seen", "hidden"].contains(&slip.found);
    (in_type && ends && is_number(low) && is_number(high))
        .then(|| slip.replace_before(last, 0, "a range has two dots:", &format!("{low}..{high}")))
}

/// Signs that join two values.
pub(in crate::syntax) const OPERATORS: [&str; 10] =
    ["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="];

/// `a` and below it `+ b`: a line ends where it could, unless a sign at its end says that it goes on.
fn operator(slip: &GrammarMistake) -> Option<Help> {
    let begins = slip.line_before().is_empty() && OPERATORS.contains(&slip.found);
    let above = slip.before.trim_end().lines().next_back()?.trim();
    let is_value = above.ends_with(|it: char| it.is_ascii_alphanumeric() || ")]}_\"".contains(it));
    (begins && is_value && !["kind", "extend"].contains(&slip.declares())).then(|| {
        let found = slip.found;
        format!("a line continues after an operator: write `{found}` at the end of the line above, `{above} {found}`")
            .into()
    })
}

// Declarations.

fn member_help(slip: &GrammarMistake) -> Option<Help> {
    if let Some((member, value)) = slip.tail().split_once([':', '='])
        && [",", "\n", "}"].contains(&slip.found)
        && member.trim().chars().all(is_part)
    {
        let head =
            slip.head_line().trim_start_matches("extend ").trim_start_matches("kind ").trim();
        let (name, member, value) = (leading_word(head), member.trim(), value.trim());
        let (blank, label) = (padded("", member.len() + 2), padded(member, member.len() + 2));
        let help = format!(
            "put the data of members into columns, with a heading and a line for each member:\n\n\
             kind {name} {{\n  {blank}worth\n  {label}{value}\n}}",
        );
        return Some(help.into());
    }
    let above = slip.before.trim_end().lines().next_back()?;
    let row = slip.line_before().is_empty() && above.trim_end().ends_with('"');
    row.then(|| "headings are words without quotes".into())
}

/// `copies { ace: 2 * players }`: how many cards there are does not depend on who plays.
fn computed_copies(slip: &GrammarMistake) -> Option<Help> {
    let (_, listed) = slip.before.split_once("copies")?;
    let entry = listed.split_once('{')?.1.rsplit([',', '\n']).next()?;
    let face = entry.split_once(':')?.0.trim();
    let computes = ["*", "+", "-", "(", "if"].contains(&slip.found);
    let is_name = slip.found.starts_with(|it: char| it.is_ascii_alphabetic());
    (computes || is_name && entry.trim_end().ends_with(':')).then(|| {
        format!(
            "a number stands here, the same however many play: write the most that can be needed, \
             `{face}: 12`, and let `setup` move the others to a pile that is out of play"
        )
        .into()
    })
}

/// A variable whose type or first value is written otherwise.
fn variable(slip: &GrammarMistake) -> Option<Help> {
    let tail = slip.tail();
    let is_variable = slip.lists_variables() || leading_word(tail) == "var";
    let (_, ty) = tail.split_once(':').filter(|_| is_variable)?;
    let ty = ty.trim();
    let next = slip.rest.get(2..).map_or("", |rest| leading_word(rest.trim_start()));
    if slip.found == "or" && next == "none" {
        let length = slip.rest.find("none").unwrap_or_default() + "none".len();
        let words = "what may be missing is a `maybe`:";
        return Some(slip.replace_before(ty, length, words, &format!("maybe {ty}")));
    }
    if let Some(of_cards) = pile_in_other_words(slip, ty, next) {
        return Some(of_cards);
    }
    let list = ty.strip_prefix("list of ").filter(|_| slip.found == "=" && slip.lists_variables());
    let next = list.map_or(next, leading_word);
    if list.is_some() || slip.found == "of" && !["set", "cards"].contains(&ty) {
        let what = if list.is_some() {
            "a list cannot be stored".to_owned()
        } else {
            format!("there is no `{ty}`")
        };
        let help = format!(
            "{what}: `set of {next}` holds some of them, an array `name[{next}]: 0..9 = 0` \
             how many of each, and cards lie in piles"
        );
        return Some(help.into());
    }
    if !slip.at_end() || !slip.expects(Rule::equals) || ty.is_empty() {
        return None;
    }
    let first_value = match leading_word(ty) {
        "maybe" => "none".to_owned(),
        "bag" => "nothing".to_owned(),
        "set" => "{}".to_owned(),
        "yes" => "no".to_owned(),
        "number" => "0".to_owned(),
        name if name.starts_with(|it: char| it.is_ascii_uppercase()) => format!("{name}.first"),
        _ => ty.split("..").next().unwrap_or("0").to_owned(),
    };
    let form = format!("{tail} = {first_value}");
    Some(slip.replace_before(tail, 0, "write its first value too:", &form))
}

/// `hand: pile of cards`, `stock: deck`, `row: list of cards`: other words for a pile. `next` follows `of`.
fn pile_in_other_words(slip: &GrammarMistake, ty: &str, next: &str) -> Option<Help> {
    let is_pile = ["pile", "deck", "stack", "hand", "list of cards"].contains(&ty);
    if !is_pile || !slip.lists_variables() {
        return None;
    }
    let is_theirs = slip.head_line().starts_with("each");
    let form = if is_theirs { "cards seen by owner" } else { "cards hidden" };
    let length = match slip.found {
        "of" => slip.rest.find(next)? + next.len(),
        _ => 0,
    };
    let words = "`cards` is a pile, and it says who sees them:";
    Some(slip.replace_before(ty, length, words, form))
}

// Statements and expressions.

fn move_name(slip: &GrammarMistake) -> Option<Help> {
    let (name, second) = (leading_word(slip.tail()), leading_word(slip.found));
    if !slip.in_move() || name != slip.tail() || name.is_empty() || second.is_empty() {
        return None;
    }
    if name == "moves" {
        let help = "the moves of a group have their notes where the group is declared: take out the note above";
        return Some(help.into());
    }
    let (words, form) = if slip.rest.contains(&format!("for {second} in")) {
        ("put the values of a move in parentheses:", format!("{name}({second})"))
    } else {
        ("the name of a move is one word:", format!("{name}_{second}"))
    };
    Some(slip.replace_before(name, second.len(), words, &form))
}

fn word_help(slip: &GrammarMistake) -> Option<Help> {
    if slip.rest.starts_with("...") {
        return Some("where nothing happens the braces are empty: `{ }`".into());
    }
    let of = leading_word(slip.rest.strip_prefix("of").unwrap_or_default().trim_start());
    let owned = slip.last_word();
    let known = ["top", "bottom", "set", "cards", "subsets", "count", ""].contains(&owned);
    (slip.found == "of" && !of.is_empty() && !known).then(|| {
        let words = "write what somebody or something has after a dot:";
        slip.replace_before(
            owned,
            offset_within(slip.rest, of) + of.len(),
            words,
            &format!("{of}.{owned}"),
        )
    })
}

/// `x++`, `x--`
fn value_help(slip: &GrammarMistake) -> Option<Help> {
    let sign = ["++", "--"].into_iter().find(|sign| slip.rest.starts_with(sign))?;
    let form = format!("{} {}= 1", slip.tail(), &sign[..1]);
    slip.may_end().then(|| slip.replace_before(slip.tail(), sign.len(), "write", &form))
}

/// `x = score p`: two names beside each other, where a value is due.
fn call_help(slip: &GrammarMistake) -> Option<Help> {
    const OPENERS: [&str; 13] =
        ["=", "<", ">", "+", "-", "*", "return", "if", "while", "and", "or", "not", "by"];
    let (first, second) = (slip.last_word(), slip.found);
    if !["rule", "play", "setup", "moves", "measure", "always"].contains(&slip.declares())
        || !may_be_name(first)
        || !may_be_name(second)
        || second == "suppose"
        || RESERVED.contains(&second)
    {
        return None;
    }
    let before = slip.tail().strip_suffix(first)?.trim_end();
    let behind = slip.rest.strip_prefix(second)?.trim_start();
    let ends = behind.chars().next().is_none_or(|next| ")},;{+-*<>=!".contains(next));
    let is_due = before.ends_with("win") || OPENERS.iter().any(|it| before.ends_with(it));
    (is_due && ends && !slip.in_move() && !before.ends_with("->")).then(|| {
        let help = format!(
            "a call has parentheses, `{first}({second})`; a field of `{second}` follows a dot, \
             `{second}.{first}`"
        );
        slip.replace_before(first, second.len(), "", &format!("{first}({second})"))
            .says(help.into())
    })
}

/// Whether a word may be a name, and is none of the words that statements are made of.
fn may_be_name(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "by", "of", "to", "from", "in", "for", "where", "when", "if", "then", "else", "or", "and",
        "not", "is", "until", "times", "gains", "loses", "pays", "at", "with",
    ];
    word.starts_with(|it: char| it.is_ascii_lowercase()) && !WORDS.contains(&word)
}
