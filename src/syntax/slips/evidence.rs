//! What a text shows by itself: blanks where none belong, and brackets and quotes without a partner.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::slips::declared::missing_word;
use crate::syntax::slips::repair::{Near, Repair, Trial, quoted, seen_tokens, spliced};
use crate::syntax::tokens::{Token, TokenKind};

/// Signs with a blank on either side.
pub(super) const LOOSE: [&str; 9] = ["==", "!=", "<=", ">=", "<", ">", "=", "+=", "-="];

impl Near<'_> {
    /// How many more blanks there are with a repair where none belong, and none where some do.
    pub(super) fn odd_gaps(&self, repair: &Repair) -> i32 {
        let (lines, mended) = self.lines_with(repair);
        count_odd(&mended) - count_odd(lines)
    }

    /// The lines of a repair and those beside them, without it and with it.
    pub(super) fn lines_with(&self, repair: &Repair) -> (&str, String) {
        let (text, Range { start, end }) = (self.mistake.text, repair.range.clone());
        let from = text[..start].rmatch_indices('\n').nth(1).map_or(0, |(at, _)| at);
        let to = text[end..].match_indices('\n').nth(1).map_or(text.len(), |(at, _)| end + at);
        (&text[from..to], [&text[from..start], &repair.text, &text[end..to]].concat())
    }
}

/// How many blanks there are where none belong, and none where some do.
fn count_odd(text: &str) -> i32 {
    let tokens = seen_tokens(text);
    let gap = |pair: &[Token<'_>]| is_odd(&pair[0], &text[pair[0].end()..pair[1].start], &pair[1]);
    tokens.windows(2).map(|pair| i32::from(gap(pair))).sum()
}

pub(super) fn is_odd(before: &Token<'_>, gap: &str, token: &Token<'_>) -> bool {
    const TIGHT: [&str; 6] = [")", "]", ",", ".", ":", ".."];
    if [before.kind, token.kind].contains(&TokenKind::Text) {
        return false;
    }
    if gap.is_empty() {
        let touches = [TokenKind::Word, TokenKind::Number, TokenKind::Open].contains(&token.kind);
        return LOOSE.contains(&token.text)
            || touches && (before.text == "," || LOOSE.contains(&before.text));
    }
    if gap.contains('\n') {
        return token.text == "." || LOOSE.contains(&before.text);
    }
    // More blanks are the end of a line inside of brackets.
    gap == "  " || TIGHT.contains(&token.text) || ["(", "[", "."].contains(&before.text)
}

/// What mends a bracket without a partner, if one token does; `trial` reads
/// another text with its brackets.
pub(in crate::syntax) fn mend_bracket(
    fault: &Diagnostic,
    text: &str,
    base: usize,
    trial: &Trial,
) -> Option<Diagnostic> {
    let at = |span: Span| (span.start as usize).saturating_sub(base).min(text.len());
    // No bracket begins a declaration.
    let (above, declaration) = text.split_at(at(fault.place()));
    let begins = above.is_empty() || above.ends_with('\n');
    let end = declaration.find('\n').map_or(text.len(), |end| above.len() + end);
    let line = &text[above.rfind('\n').map_or(0, |it| it + 1)..end];
    let is_text = fault.code == Some("syntax::unclosed_text");
    let quoted = is_text || line.matches('"').count() % 2 == 1;
    let mended = quoted.then(|| mend_quotes(fault, text, base, trial)).flatten();
    if is_text || mended.is_some() {
        return mended;
    }
    let places = fault.labels.iter().map(|label| at(label.span)).chain([end]);
    let mistakes: Vec<_> = places.map(|at| GrammarMistake::new(text, at, base, &[])).collect();
    let near: Vec<_> = mistakes.iter().filter_map(|it| Near::within_reach(it, trial)).collect();
    let fix = fault.fix.as_ref();
    let closed = fix.map(|fix| spliced(text, &(at(fix.span)..at(fix.span)), &fix.text));
    let is_closed = closed.is_some_and(|closed| trial.read(&closed).is_ok());
    let help = begins.then(|| missing_word(declaration, trial)).flatten();
    let doubled = || near.iter().find_map(|it| it.first_that_reads(&it.doubled(), trial));
    let help = help.or_else(doubled);
    let brackets = ["syntax::stray_bracket", "syntax::unclosed_bracket"];
    let is_bracket = fault.code.is_some_and(|code| brackets.contains(&code));
    if help.is_none() && (is_closed || !is_bracket) {
        return None;
    }
    let help = help.or_else(|| {
        let (open, added) = (text[at(fault.place())..].chars().next()?, &fix?.text);
        let words = "and what else is missing, or take out the";
        Some(format!("add the `{added}` {words} `{open}`").into())
    });
    help.map(|help| fault.clone().with_help(help))
}

impl Near<'_> {
    /// `{"offer p} a card"`, `{count(s)}{ and has me.points}`: a `{` too far to the left.
    pub(super) fn moved_hole(&self, brace: Token<'_>) -> Option<Repair> {
        let line = self.mistake.text[brace.end()..].lines().next().filter(|_| brace.text == "{")?;
        let held = &line[..line.find('}')?];
        let (before, value) = held.split_at(held.rfind([' ', '"'])? + 1);
        let is_text = (brace.continues || before.contains('"')) && !before.contains('{');
        let words = format!("the `{{` belongs before `{value}`:");
        let range = brace.start..brace.end() + before.len();
        let moved = Repair::new(range, format!("{before}{{"), words).shown();
        (is_text && !value.is_empty()).then_some(moved)
    }
}

/// What mends a line with an odd number of quotes: one of them taken out, or one more before a word.
fn mend_quotes(fault: &Diagnostic, text: &str, base: usize, trial: &Trial) -> Option<Diagnostic> {
    let at = (fault.place().start as usize).saturating_sub(base);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let mistake = GrammarMistake::new(text, at, base, &[]);
    let near = Near::within_reach(&mistake, trial)?;
    if trial.read(&[&text[..end], "\"", &text[end..]].concat()).is_ok() {
        return None;
    }
    let quotes_at = text[start..end].match_indices('"').map(|(at, _)| start + at);
    let quotes = quotes_at.map(|at| {
        let words = "one quote of this line is too many: without it".to_owned();
        Repair::new(at..at + 1, "", words).shown()
    });
    let begins =
        |it: &&Token<'_>| (start..at).contains(&it.start) && text[..it.start].ends_with(' ');
    let words = near.tokens.iter().filter(begins).map(|it| {
        let words = format!("the opening quote is missing before {}:", quoted(it.text));
        Repair::new(it.start..it.start, "\"", words).shown()
    });
    let all = quotes.chain(words).collect::<Vec<_>>();
    let help = near.first_that_reads(&all, trial)?;
    Some(fault.clone().with_help(help))
}
