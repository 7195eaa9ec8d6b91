//! Conditions in English, `every heap is empty`, and how the language says them.

use crate::diagnostic::Help;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::slips::{is_number, join_words, offset_within, split_words, statement};

/// The words that a condition follows.
const OPENERS: [&str; 8] = ["if", "while", "until", "when", "where", "and", "or", "always"];

/// Who has something: the subjects that are players.
const PLAYERS: [&str; 12] =
    ["me", "p", "q", "I", "you", "they", "them", "foe", "opponent", "player", "winner", "leader"];

/// What piles are said to have.
const PIECES: [&str; 10] =
    ["card", "cards", "stone", "stones", "piece", "pieces", "tile", "tiles", "token", "tokens"];

const NUMBERS: [&str; 11] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// What to do about a condition in words.
pub(super) fn condition_help(slip: &GrammarMistake) -> Option<Help> {
    let (start, rest) = (behind_opener(slip.tail())?, statement(slip.rest));
    if start.len() + rest.len() > 200 {
        return None;
    }
    let mut all = split_words(start);
    let in_rest = all.len();
    all.extend(split_words(rest));
    let condition = one_condition(&all);
    let (form, more) = translate_condition(condition)?;
    let help = Help::from(format!("write `{form}`{more}"));
    let last = condition.last()?;
    // A condition that ends before the mistake is followed by something that is none.
    let length = offset_within(rest, last) + last.len();
    let reaches = condition.len() > in_rest && !form.contains('…');
    Some(if reaches { slip.replace_before(start, length, "write", &form).says(help) } else { help })
}

/// A condition in the words of the language, and what else could be meant.
type SaidCondition = (String, String);

fn only(form: String) -> SaidCondition {
    (form, String::new())
}

/// What follows the last word that begins a condition.
fn behind_opener(tail: &str) -> Option<&str> {
    let mut found = None;
    let mut at = 0;
    for word in tail.split(' ') {
        at += word.len() + 1;
        // A number may be between two others.
        if OPENERS.contains(&word) && !tail.get(..at).unwrap_or(tail).contains("between ") {
            found = Some(tail.get(at..).unwrap_or_default());
        }
    }
    found
}

/// The words up to the next condition.
fn one_condition<'w>(all: &'w [&'w str]) -> &'w [&'w str] {
    let more = ["more", "less", "fewer", "higher", "lower", "better", "over"];
    let ends = |at: &usize| match all[*at] {
        "and" => !all[..*at].contains(&"between"),
        "or" => all.get(at + 1).is_none_or(|next| !more.contains(next)),
        word => ["then", "do"].contains(&word),
    };
    &all[..(0..all.len()).find(ends).unwrap_or(all.len())]
}

fn translate_condition(words: &[&str]) -> Option<SaidCondition> {
    match words.strip_prefix(&["the"]).unwrap_or(words) {
        ["not", words @ ..] => {
            let (form, more) = translate_condition(words)?;
            Some((format!("not ({form})"), more))
        }
        ["there", "is" | "are", words @ ..] | ["there's", words @ ..] => existence(words),
        words => about_some(words).or_else(|| about_amount(words)).or_else(|| about_one(words)),
    }
}

/// `there are no cards left in the deck`
fn existence(words: &[&str]) -> Option<SaidCondition> {
    let (count, rest) = match words {
        ["a" | "an" | "any" | "some" | "still" | "more", rest @ ..] => (None, rest),
        words => parse_amount(words)
            .map_or((None, words), |(sign, count, rest)| (Some((sign, count)), rest)),
    };
    let Some(at) = rest.iter().position(|word| ["in", "on"].contains(word)) else {
        let player = rest.first().is_some_and(|noun| noun.starts_with("player"));
        let (sign, count) = count.filter(|_| player)?;
        return Some(only(format!("count(p in Player: …) {sign} {count}")));
    };
    let place = subject(&rest[at + 1..])?;
    Some(only(match count {
        None => format!("{place} != {{}}"),
        Some((_, count)) if count == "0" => format!("{place} == {{}}"),
        Some((sign, count)) => format!("count({place}) {sign} {count}"),
    }))
}

/// `every heap is empty`, `a player has 10 points`, `nobody has passed`
fn about_some(words: &[&str]) -> Option<SaidCondition> {
    let (first, rest) = words.split_first()?;
    let (before, fold, people) = match *first {
        "every" | "each" | "all" | "both" => ("", "all", false),
        "any" | "a" | "an" | "some" => ("", "any", false),
        "no" | "neither" => ("not ", "any", false),
        "everyone" | "everybody" => ("", "all", true),
        "someone" | "somebody" | "anyone" | "anybody" => ("", "any", true),
        "nobody" => ("not ", "any", true),
        _ => return None,
    };
    let rest = if people { rest } else { without_article(rest) };
    let (members, more) = match rest {
        rest if people => of_players(rest)?,
        ["one", rest @ ..] if before == "not " => of_players(rest)?,
        ["player" | "players" | "opponent" | "opponents", rest @ ..] => of_players(rest)?,
        rest => match likeness(fold, rest) {
            Some(form) => return Some(only(form)),
            None => of_elements(rest)?,
        },
    };
    Some((format!("{before}{fold}({members})"), more))
}

/// `all dice are equal`, `all dice are different`
fn likeness(fold: &str, words: &[&str]) -> Option<String> {
    let [noun, "are", rest @ ..] = words else { return None };
    let (element, name, kind) = noun_element(noun)?;
    let values = format!("count({{{element} for {name} in {kind}}})");
    match rest {
        ["equal" | "alike" | "identical"] | ["the", "same"] if fold == "all" => {
            Some(format!("{values} == 1"))
        }
        ["different" | "distinct" | "unequal"] if fold == "all" => {
            Some(format!("{values} == count({kind})"))
        }
        _ => None,
    }
}

/// `at least 2 players are alive`, `only one player is left`
fn about_amount(words: &[&str]) -> Option<SaidCondition> {
    let (sign, count, rest) = parse_amount(words)?;
    let (members, more) = match rest {
        [noun, rest @ ..] if noun.starts_with("player") => {
            of_players(rest).unwrap_or_else(|| only("p in Player: …".to_owned()))
        }
        rest => of_elements(rest)?,
    };
    Some((format!("count({members}) {sign} {count}"), more))
}

/// The players of whom something is said: `are alive`.
fn of_players(words: &[&str]) -> Option<SaidCondition> {
    Some(only(format!("p in Player: {}", predicate("p", words, ConditionSubject::Player)?)))
}

/// The members of whose elements something is said: `heaps are empty`.
fn of_elements(words: &[&str]) -> Option<SaidCondition> {
    let (noun, rest) = words.split_first()?;
    let (element, name, kind) = noun_element(noun)?;
    let asked = predicate(&element, rest, ConditionSubject::Element)?;
    let is_empty = rest.last() == Some(&"empty");
    let more = if is_empty { ", with `{}` for `0` where cards lie in it" } else { "" };
    Some((format!("{name} in {kind}: {asked}"), more.to_owned()))
}

/// The element that a noun means: `heap[h]`, for `h` in the kind `Heap`.
fn noun_element(noun: &str) -> Option<(String, char, String)> {
    let name = noun.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let one = match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if noun.ends_with("ss") => noun.to_owned(),
        None => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    };
    let kind = one.get(..1)?.to_uppercase() + &one[1..];
    Some((format!("{one}[{name}]"), name, kind))
}

/// `the deck is empty`, `me has 10 points`, `my points are at least 10`
fn about_one(words: &[&str]) -> Option<SaidCondition> {
    let verbs = [
        "is", "are", "am", "has", "have", "equals", "exceeds", "reaches", "contains", "includes",
        "exists", "runs", "at",
    ];
    let at = words.iter().position(|word| verbs.contains(word))?;
    let of = subject(&words[..at])?;
    let is_player = PLAYERS.contains(&words[at - 1]) && at <= 2 || of.starts_with("next(");
    let is = if is_player { ConditionSubject::Player } else { ConditionSubject::Other };
    let asked = predicate(&of, &words[at..], is)?;
    let number =
        ["== {}", "!= {}"].iter().find(|it| asked.ends_with(**it) && is == ConditionSubject::Other);
    let number = number
        .map_or(String::new(), |it| format!(", or of a number `{of} {}`", it.replace("{}", "0")));
    Some((asked, number))
}

/// The subject of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConditionSubject {
    Player,
    /// Something for each member of a kind.
    Element,
    Other,
}

/// A condition on a subject: `is empty`, `has 10 points`.
fn predicate(of: &str, words: &[&str], is: ConditionSubject) -> Option<String> {
    match words {
        ["is" | "are" | "am", "not", rest @ ..] => being(of, rest, "!=", is),
        ["is" | "are" | "am", rest @ ..] => being(of, rest, "==", is),
        ["has" | "have", rest @ ..] => having(of, rest, is),
        ["equals", value @ ..] => Some(format!("{of} == {}", one_value(value)?)),
        ["exceeds", value @ ..] => Some(format!("{of} > {}", one_value(value)?)),
        ["reaches", value @ ..] => Some(format!("{of} >= {}", one_value(value)?)),
        ["at", ..] => being(of, words, "==", is),
        ["exists"] => Some(format!("{of} != none")),
        ["contains" | "includes", "a" | "an", what] => having(of, &["a", what], is),
        ["runs", "out"] => Some(format!("{of} == {{}}")),
        _ => None,
    }
}

fn being(of: &str, words: &[&str], sign: &str, is: ConditionSubject) -> Option<String> {
    Some(match words {
        ["empty"] if is == ConditionSubject::Element => format!("{of} {sign} 0"),
        ["empty"] => format!("{of} {sign} {{}}"),
        ["odd" | "even"] => {
            let rest = i32::from((words[0] == "odd") == (sign == "=="));
            format!("{of} mod 2 == {rest}")
        }
        ["between", low, "and", high] => {
            let within = if sign == "==" { "in" } else { "not in" };
            format!("{of} {within} {low}..{high}")
        }
        ["in", set @ ..] if sign == "==" => format!("{of} in {}", subject(set)?),
        ["in", set @ ..] => format!("{of} not in {}", subject(set)?),
        ["equal", "to", value @ ..] => format!("{of} {sign} {}", one_value(value)?),
        ["set" | "there"] => {
            let not = if sign == "==" { "!=" } else { "==" };
            format!("{of} {not} none")
        }
        ["left" | "over" | "out" | "done" | "remaining"] => return None,
        [word]
            if is == ConditionSubject::Player
                && word.starts_with(char::is_alphabetic)
                && *word != "none" =>
        {
            let not = if sign == "!=" { "not " } else { "" };
            format!("{not}{of}.{word}")
        }
        [word] => format!("{of} {sign} {}", one_value(&[*word])?),
        _ => {
            let (sign, value) = comparison(words).filter(|_| sign == "==")?;
            format!("{of} {sign} {value}")
        }
    })
}

fn having(of: &str, words: &[&str], is: ConditionSubject) -> Option<String> {
    let field = |word: &str| format!("{of}.{word}");
    Some(match words {
        ["the", "most" | "highest", what] => format!("{of} in highest(p in Player by p.{what})"),
        ["the", "fewest" | "least" | "lowest", what] => {
            format!("{of} in lowest(p in Player by p.{what})")
        }
        ["a" | "an", what] if is == ConditionSubject::Player => {
            format!("any(c in {of}.hand: c.face == {what})")
        }
        ["a" | "an", what] if is == ConditionSubject::Other => {
            format!("any(c in {of}: c.face == {what})")
        }
        ["not", what] if is == ConditionSubject::Player => format!("not {}", field(what)),
        [what] if is == ConditionSubject::Player && what.ends_with('s') => {
            format!("{} > 0", field(what))
        }
        [what] if is == ConditionSubject::Player && is_done(what) => field(what),
        [what] if is == ConditionSubject::Player => {
            format!("any(c in {of}.hand: c.face == {what})")
        }
        [what] if PIECES.contains(what) => format!("{of} != {{}}"),
        _ => {
            let (sign, count, rest) = parse_amount(words)?;
            let [what] = without_end(rest) else { return None };
            match count.as_str() {
                _ if PIECES.contains(what) => {
                    let pile = if is == ConditionSubject::Player {
                        format!("{of}.hand")
                    } else {
                        of.to_owned()
                    };
                    if count == "0" {
                        format!("{pile} == {{}}")
                    } else {
                        format!("count({pile}) {sign} {count}")
                    }
                }
                _ if is != ConditionSubject::Player => return None,
                "0" => format!("{} == 0", field(what)),
                _ if sign == "==" && words.len() == 2 => format!("{} >= {count}", field(what)),
                _ => format!("{} {sign} {count}", field(what)),
            }
        }
    })
}

/// Whether a word says what somebody did: `passed`, `won`.
fn is_done(word: &str) -> bool {
    word.ends_with("ed") || ["won", "lost", "gone", "begun", "dealt", "moved"].contains(&word)
}

/// `at least 10`, `10 or more`, `greater than 3`
fn comparison(words: &[&str]) -> Option<(&'static str, String)> {
    let (sign, value) = match words {
        [value @ .., "or", "more" | "higher" | "better" | "over"] => (">=", value),
        [value @ .., "or", "less" | "fewer" | "lower"] | ["at", "most", value @ ..] => {
            ("<=", value)
        }
        ["greater" | "more" | "higher" | "bigger" | "larger" | "over" | "above", value @ ..] => {
            (">", value.strip_prefix(&["than"]).unwrap_or(value))
        }
        ["less" | "fewer" | "lower" | "smaller" | "under" | "below", value @ ..] => {
            ("<", value.strip_prefix(&["than"]).unwrap_or(value))
        }
        ["at", "least", value @ ..] => (">=", value),
        _ => return None,
    };
    Some((sign, one_value(value)?))
}

/// How many, and what follows it: `at least 2 players`.
fn parse_amount<'w>(words: &'w [&'w str]) -> Option<(&'static str, String, &'w [&'w str])> {
    let (sign, rest) = match words {
        ["at", "least", rest @ ..] => (">=", rest),
        ["at", "most", rest @ ..] => ("<=", rest),
        ["more", "than", rest @ ..] => (">", rest),
        ["fewer" | "less", "than", rest @ ..] => ("<", rest),
        ["exactly" | "only", rest @ ..] => ("==", rest),
        _ => ("==", words),
    };
    let (count, rest) = rest.split_first()?;
    let known = NUMBERS.iter().position(|word| word == count).map(|at| at.to_string());
    let count = known.or_else(|| is_number(count).then(|| (*count).to_owned()))?;
    match rest {
        ["or", "more", rest @ ..] => Some((">=", count, rest)),
        ["or", "fewer" | "less", rest @ ..] => Some(("<=", count, rest)),
        _ => Some((sign, count, rest)),
    }
}

/// Who or what a condition is about, as the language calls it.
fn subject(words: &[&str]) -> Option<String> {
    Some(match without_article(words) {
        ["I" | "you" | "player"] | ["current" | "active", "player"] => "me".to_owned(),
        ["my" | "your", what] => format!("me.{what}"),
        [one] => (*one).to_owned(),
        [first, "(", rest @ ..] if rest.last() == Some(&")") => {
            format!("{first}({}", join_words(rest))
        }
        ["top", "of", pile] => format!("top of {pile}"),
        _ => return None,
    })
}

fn one_value(words: &[&str]) -> Option<String> {
    let of_word = |word: &str| NUMBERS.iter().position(|it| *it == word && it != &"no");
    match words {
        [word] => Some(of_word(word).map_or_else(|| (*word).to_owned(), |at| at.to_string())),
        _ => subject(words),
    }
}

fn without_article<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    match words {
        ["the" | "of" | "its", rest @ ..] => without_article(rest),
        words => words,
    }
}

fn without_end<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    match words {
        [rest @ .., "left" | "remaining"] => rest,
        words => words,
    }
}
