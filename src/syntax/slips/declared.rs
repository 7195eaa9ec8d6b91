//! The word that a declaration lacks in the beginning, or that another stands in the place of.

use crate::diagnostic::Help;
use crate::syntax::slips::parts::quoted_list;
use crate::syntax::slips::repair::{LONGEST, Trial, quoted, seen_tokens};
use crate::syntax::tokens::{DECLARATIONS, RESERVED, TokenKind};

/// What to do about a declaration that begins with another word than it should, if one word mends it.
pub(in crate::syntax) fn missing_word(declaration: &str, trial: &Trial) -> Option<Help> {
    if declaration.len() > LONGEST || trial.left.get() == 0 {
        return None;
    }
    let tokens = seen_tokens(declaration);
    let (first, line) = (tokens.first()?, declaration.lines().next()?.trim_end());
    // An option is chosen before a game, so its value is seldom computed.
    let words = || DECLARATIONS.iter().copied().filter(|it| *it != "option").chain(["option"]);
    let reads = |text: String| trial.read(&text).is_ok();
    // A condition compares; a call alone is a statement.
    let compares = line.contains(['=', '<', '>']);
    let words = || words().filter(|word| *word != "always" || compares);
    let is_text = first.kind == TokenKind::Text;
    let before: Vec<_> =
        words().filter(|word| !is_text && reads(format!("{word} {declaration}"))).collect();
    if let Some(word) = before.first() {
        let (all, first) = (quoted_list(&before), quoted(first.text));
        return Some(format!("{all} is missing before {first}: write `{word} {line}`").into());
    }
    let behind = &declaration[first.end()..];
    // A name may be the word itself, misspelt, unless it stands there again.
    let is_name = first.kind == TokenKind::Word
        && !RESERVED.contains(&first.text)
        && tokens.iter().skip(1).take(2).all(|it| it.text != first.text);
    let instead: Vec<_> =
        words().filter(|word| !is_name && reads([word, behind].concat())).collect();
    let word = instead.first()?;
    let (all, found) = (quoted_list(&instead), quoted(first.text));
    Some(
        format!("{all} is expected in place of {found}: write `{word}{}`", &line[first.end()..])
            .into(),
    )
}
