//! The word that a declaration lacks in the beginning.

use crate::diagnostic::Help;
use crate::syntax::slips::parts::quoted_list;
use crate::syntax::slips::repair::{LONGEST, Trial, quoted, seen_tokens};
use crate::syntax::tokens::{DECLARATIONS, TokenKind};

/// What to do about a declaration that lacks its first word.
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
    let (word, first) = (before.first()?, quoted(first.text));
    let all = quoted_list(&before);
    Some(format!("{all} is missing before {first}: write `{word} {line}`").into())
}
