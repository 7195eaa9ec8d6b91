//! Slips in what is listed or drawn: kinds, variables, heads of rules.

use crate::diagnostic::Help;
use crate::source::padded;
use crate::syntax::explain::Mistake;
use crate::syntax::grammar::Rule;
use crate::syntax::words::leading_word;

/// What to do about a slip in a declaration.
pub(super) fn help(slip: &Mistake) -> Option<Help> {
    match slip.declares() {
        "kind" | "extend" => about_kinds(slip),
        "table" | "game" => None,
        "cards" => about_computed_copies(slip),
        "rule" | "moves" => about_heads(slip).or_else(|| about_variables(slip)),
        _ => about_variables(slip),
    }
}

fn about_kinds(slip: &Mistake) -> Option<Help> {
    if let Some((member, value)) = slip.tail().split_once([':', '='])
        && [",", "\n", "}"].contains(&slip.found)
    {
        return Some(column(slip.head(), member.trim(), value.trim()).into());
    }
    let above = slip.before.trim_end().lines().next_back()?;
    let row = slip.line().is_empty() && above.trim_end().ends_with('"');
    row.then(|| "headings are words without quotes".into())
}

/// A kind with a column, for what stands behind a member.
fn column(head: &str, member: &str, value: &str) -> String {
    let name = leading_word(head.trim_start_matches("extend ").trim_start_matches("kind ").trim());
    let width = member.len() + 2;
    format!(
        "what belongs to a member stands in a column below a heading, a line for each member:\n\n\
         kind {name} {{\n  {}worth\n  {}{value}\n}}",
        padded("", width),
        padded(member, width)
    )
}

/// `copies { ace: 2 * players }`: how many cards there are does not depend on who plays.
fn about_computed_copies(slip: &Mistake) -> Option<Help> {
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
fn about_variables(slip: &Mistake) -> Option<Help> {
    let tail = slip.tail();
    let is_variable = slip.lists_variables() || leading_word(tail) == "var";
    let (_, ty) = tail.split_once(':').filter(|_| is_variable)?;
    let ty = ty.trim();
    let next = slip.rest.get(2..).map_or("", |rest| leading_word(rest.trim_start()));
    if slip.found == "or" && next == "none" {
        let length = slip.rest.find("none").unwrap_or_default() + "none".len();
        let words = "what may be missing is a `maybe`:";
        return Some(slip.over(ty, length, words, &format!("maybe {ty}")));
    }
    if slip.found == "of" && !["set", "cards"].contains(&ty) {
        let help = format!(
            "there is no `{ty}`: `set of {next}` holds some of them, an array `name[{next}]: 0..9 = 0` \
             how many of each, and cards lie in piles"
        );
        return Some(help.into());
    }
    if !slip.at_end() || !slip.expects(Rule::equals) || ty.is_empty() {
        return None;
    }
    let first_value = match leading_word(ty) {
        "maybe" => "none".to_owned(),
        "set" => "{}".to_owned(),
        "yes" => "no".to_owned(),
        "number" => "0".to_owned(),
        name if name.starts_with(|it: char| it.is_ascii_uppercase()) => format!("{name}.first"),
        _ => ty.split("..").next().unwrap_or("0").to_owned(),
    };
    let form = format!("{tail} = {first_value}");
    Some(slip.over(tail, 0, "write its first value too:", &form))
}

fn about_heads(slip: &Mistake) -> Option<Help> {
    let (line, word, name) = (slip.line(), slip.declares(), slip.last_word());
    if line != slip.head().trim_end() || !line.starts_with(word) || line.contains(')') {
        return None;
    }
    if line.contains('(') {
        let typeless = [")", ","].contains(&slip.found) && !line.ends_with('(');
        let help = || format!("a parameter has a type: `{name}: Player`, `{name}: 1..6`").into();
        return typeless.then(help);
    }
    ["{", "=", "->", ":"].contains(&slip.found).then(|| {
        let words = "write parentheses, even with nothing in them:";
        slip.over(line, 0, words, &format!("{word} {name}()"))
    })
}
