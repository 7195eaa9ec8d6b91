//! Names that mean nothing since two ran together: a slip of form explains what the checker finds.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Sources;
use crate::syntax::{FileWords, split_name};

/// So many of the first findings are looked at.
const MOST: usize = 8;

/// The same findings, with what mends the form of the text as the help of some.
pub(super) fn explain_by_form(found: Diagnostics, sources: &Sources) -> Diagnostics {
    let text = sources.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n");
    let words = FileWords::of(&text);
    let mut left = MOST;
    let explained = found.into_iter().map(|one| {
        let is_unknown = one.code.is_some_and(|code| code.starts_with("check::unknown_"));
        if !is_unknown || left == 0 {
            return one;
        }
        left -= 1;
        explain(&one, sources, &words).unwrap_or(one)
    });
    let mut all = Diagnostics::new();
    all.extend(explained);
    all
}

fn explain(one: &Diagnostic, sources: &Sources, words: &FileWords) -> Option<Diagnostic> {
    let source = sources.find(one.place())?;
    let split = split_name(source, one.place().start as usize - source.base, words)?;
    Some(one.clone().with_help(split))
}
