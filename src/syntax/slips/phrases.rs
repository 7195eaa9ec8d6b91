//! Slips in what is done: loops, moves, ends, and words that other languages and rulebooks have.

use super::Slip;
use super::pattern::offset;
use crate::diagnostic::Help;
use crate::suggest::nearest;
use crate::syntax::words::leading_word;

/// The words that name each member of what they go over.
const FOLDS: [&str; 8] = ["sum", "any", "all", "count", "min", "max", "first", "last"];

/// What to do about a slip in a statement or an expression.
pub(super) fn help(slip: &Slip) -> Option<Help> {
    about_loops(slip)
        .map(Help::from)
        .or_else(|| about_moves(slip))
        .or_else(|| about_ends(slip))
        .or_else(|| about_words(slip))
        .or_else(|| about_values(slip))
}

fn about_loops(slip: &Slip) -> Option<String> {
    let tail = slip.tail();
    let first = leading_word(tail);
    if ["foreach", "forall"].contains(&first) || tail == "for" && slip.found == "each" {
        return Some("a loop is written `for x in S { … }`".to_owned());
    }
    if first == "turns" && !tail.contains(" from") {
        let name = tail.split_whitespace().nth(1).unwrap_or("me");
        return Some(format!("say who begins: `turns {name} from Player.first {{ … }}`"));
    }
    if slip.found == "where" && tail.contains(" where ") {
        return Some("there is one `where`: join the conditions with `and`".to_owned());
    }
    let fold = FOLDS.into_iter().find(|word| opens(tail, word));
    if let (Some(word), "for") = (fold, slip.found) {
        return Some(format!("the name comes first: `{word}(x in S: E)`"));
    }
    let drawn = ["shuffle", "random order", "random"].iter().find(|it| tail.ends_with(**it));
    (first == "for" && drawn.is_some()).then(|| {
        "there is no order to go in by chance: draw one after the other, `let one = random left`, \
         and take it out, `left -= one`"
            .to_owned()
    })
}

/// Whether the parenthesis of a call is still open.
fn opens(tail: &str, word: &str) -> bool {
    tail.rfind(&format!("{word}(")).is_some_and(|at| {
        let inside = &tail[at + word.len()..];
        inside.matches('(').count() > inside.matches(')').count()
    })
}

fn about_moves(slip: &Slip) -> Option<Help> {
    let tail = slip.tail();
    if slip.in_move && slip.found == "," && tail.contains(" for ") {
        return Some("each name has a `for` of its own: `for n in 1..3 for c in S`".into());
    }
    let name = leading_word(tail);
    let second = leading_word(slip.found);
    if slip.in_move && name == tail && !name.is_empty() && !second.is_empty() {
        return Some(if slip.rest.contains(&format!("for {second} in")) {
            let words = "what a move is about stands in parentheses:";
            slip.over(name, second.len(), words, &format!("{name}({second})"))
        } else {
            let words = "the name of a move is one word:";
            slip.over(name, second.len(), words, &format!("{name}_{second}"))
        });
    }
    let behind = leading_word(slip.rest.strip_prefix("or").unwrap_or_default().trim_start());
    (slip.found == "or" && tail.is_empty() && !behind.is_empty()).then(|| {
        format!("how to decline stands behind the `}}` of the decision: `}} or {behind} {{ … }}`")
            .into()
    })
}

fn about_ends(slip: &Slip) -> Option<Help> {
    let forms = "write `finish win me`, `finish draw` or `finish ranking p by p.points`";
    match slip.tail() {
        "finish" if nearest(slip.found, ["win", "draw", "ranking"]).is_none() => Some(forms.into()),
        "finish ranking by" => {
            let key = slip.found;
            let words = "name the player whose number it is:";
            let form = format!("finish ranking p by p.{key}");
            Some(slip.over(slip.tail(), key.len(), words, &form))
        }
        _ => None,
    }
}

fn about_words(slip: &Slip) -> Option<Help> {
    let tail = slip.tail();
    if slip.found == "empty" {
        let of = tail.trim_end_matches("not").trim_end().trim_end_matches(['=', '!']).trim_end();
        let of = of.rsplit([' ', '(']).next().unwrap_or(of);
        let sign = if tail.ends_with("not") || tail.ends_with("!=") { "!=" } else { "==" };
        let form = format!("{of} {sign} {{}}");
        let start = &tail[offset(tail, of)..];
        return Some(slip.over(start, slip.found.len(), "the empty set is `{}`:", &form));
    }
    if tail == "reveal all" || tail == "show all" {
        let place = slip.rest.split(['}', ';']).next().unwrap_or_default().trim_end();
        let form = format!("reveal {place}");
        return Some(slip.over(tail, place.len(), "name what is shown:", &form));
    }
    if ["+=", "-=", "="].contains(&slip.found) && tail.contains(" then ") {
        return Some("`then` gives a value; what is done stands in braces: `if P { … }`".into());
    }
    if slip.rest.starts_with("...") {
        return Some("where nothing happens the braces are empty: `{ }`".into());
    }
    let of = leading_word(slip.rest.strip_prefix("of").unwrap_or_default().trim_start());
    let owned = slip.last_word();
    let known = ["top", "bottom", "set", "cards", "subsets", "count", ""].contains(&owned);
    (slip.found == "of" && !of.is_empty() && !known).then(|| {
        let words = "write what somebody or something has after a dot:";
        slip.over(owned, offset(slip.rest, of) + of.len(), words, &format!("{of}.{owned}"))
    })
}

fn about_values(slip: &Slip) -> Option<Help> {
    let tail = slip.tail();
    let sign = slip.rest.get(..2).filter(|sign| ["++", "--"].contains(sign));
    if let Some(sign) = sign.filter(|_| slip.may_end) {
        let form = format!("{tail} {}= 1", &sign[..1]);
        return Some(slip.over(tail, sign.len(), "write", &form));
    }
    let compares = ["<", ">", "<=", ">=", "==", "!="].contains(&slip.found);
    let reckons = ["+", "-", "*", "and", "or"].contains(&slip.found);
    let is_value = !tail.is_empty() && !tail.contains(['=', ':', ' ']);
    if slip.may_end && (compares || reckons) && is_value {
        let rest = slip.rest.split(['}', ';']).next().unwrap_or_default().trim();
        let form = format!("return {tail} {rest}");
        return Some(slip.over(tail, rest.len(), "a value is given back with", &form));
    }
    about_calls(slip)
}

/// `x = score p`: two names beside each other, where a value is due.
fn about_calls(slip: &Slip) -> Option<Help> {
    let (first, second) = (slip.last_word(), slip.found);
    if !["rule", "play", "setup", "moves", "measure", "always"].contains(&slip.declares()) {
        return None;
    }
    let before = slip.tail().strip_suffix(first)?.trim_end();
    let due = [
        "=", "(", ",", "<", ">", "+", "-", "*", "return", "if", "while", "and", "or", "not", "by",
        "win",
    ];
    let behind = slip.rest.strip_prefix(second)?.trim_start();
    let ends = behind.chars().next().is_none_or(|next| ")},;{+-*<>=!".contains(next));
    let names = is_name(first) && is_name(second);
    if names && before.ends_with('=') && !ends {
        let place = before.trim_end_matches('=').trim_end();
        let help = format!(
            "one value stands behind `=`; of an array each element is given its own: `{place}[1] = \
             {first}`"
        );
        return Some(help.into());
    }
    let is_call = due.iter().any(|it| before.ends_with(it)) && ends;
    (is_call && names && !slip.in_move).then(|| {
        let help = format!(
            "a call has parentheses, `{first}({second})`; what `{second}` has stands behind a dot, \
             `{second}.{first}`"
        );
        slip.over(first, second.len(), "", &format!("{first}({second})")).says(help.into())
    })
}

/// Whether a word may be a name, and is none of the words that statements are made of.
fn is_name(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "by", "of", "to", "from", "in", "for", "where", "when", "if", "then", "else", "or", "and",
        "not", "is", "until", "times", "gains", "loses", "pays", "at", "with",
    ];
    word.len() > 1 && word.starts_with(|it: char| it.is_ascii_lowercase()) && !WORDS.contains(&word)
        || word.len() == 1 && word.starts_with(|it: char| it.is_ascii_lowercase())
}
