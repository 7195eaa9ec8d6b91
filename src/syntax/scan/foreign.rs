//! Signs of other languages and of word processors, and what to write instead.

use crate::diagnostic::Help;

/// A foreign sign, the help for it, and what replaces it if that is clear. Longer signs stand before
/// their beginnings.
const SIGNS: &[(&str, &str, &str)] = &[
    ("&&", "write `and`", "and"),
    ("||", "write `or`", "or"),
    ("===", "write `==`", "=="),
    ("!==", "write `!=`", "!="),
    ("=<", "write `<=`", "<="),
    ("=>", "write `:` in a case of a `match`, `->` before the type of a rule, `>=` to compare", ""),
    ("<>", "write `!=`", "!="),
    (":=", "write `=`", "="),
    ("++", "write `+= 1`", "+= 1"),
    ("**", "there is no power: multiply with `*`, or draw a table of the values", ""),
    ("^", "there is no power: multiply with `*`, or draw a table of the values", ""),
    ("*=", "write `a = a * b`", ""),
    ("//", "a comment begins with `#`; a division is `floor(a / b)` or `ceil(a / b)`", ""),
    ("/*", "a comment begins with `#` and ends with its line", ""),
    ("%", "write `a mod b`", ""),
    ("&", "write `and`, or `common` for what two sets share", ""),
    ("|", "write `or`, or `union` for two sets together", ""),
    ("!", "write `not`", "not "),
    ("'", "write `\"` around a text", ""),
    ("`", "write `\"` around a text", ""),
    ("“", "write `\"` around a text", "\""),
    ("”", "write `\"` around a text", "\""),
    ("„", "write `\"` around a text", "\""),
    ("«", "write `\"` around a text", "\""),
    ("»", "write `\"` around a text", "\""),
    ("‘", "write `\"` around a text", ""),
    ("’", "write `\"` around a text", ""),
    ("–", "write `-`", "-"),
    ("—", "write `-`", "-"),
    ("−", "write `-`", "-"),
    ("×", "write `*`", "*"),
    ("÷", "write `floor(a / b)` or `ceil(a / b)`", ""),
    ("≤", "write `<=`", "<="),
    ("≥", "write `>=`", ">="),
    ("≠", "write `!=`", "!="),
    ("→", "write `->`", "->"),
    ("…", "write `..`", ".."),
    ("?", "write `if P then A else B`", ""),
];

/// The foreign sign that `text` begins with, and the help for it.
pub(super) fn foreign_sign(text: &str) -> Option<(&'static str, Help)> {
    if text.starts_with("!=") && !text.starts_with("!==") {
        return None;
    }
    let (sign, words, instead) = SIGNS.iter().find(|(sign, ..)| text.starts_with(sign))?;
    let help = Help::from(*words);
    Some((sign, if instead.is_empty() { help } else { help.with(instead) }))
}
