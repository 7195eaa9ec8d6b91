//! Slips that a text shows by itself: two of the same beside each other, and blanks where none belong, since
//! somebody typed a word there, lost it, or swapped it with the next.

use crate::diagnostic::{Diagnostic, Help};
use crate::source::Span;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::repair::{Near, Repair, Trial, quoted, seen_tokens, spliced};
use crate::syntax::tokens::{Token, TokenKind, is_drawn};

/// Signs with a blank on either side.
const LOOSE: [&str; 9] = ["==", "!=", "<=", ">=", "<", ">", "=", "+=", "-="];

/// How far from the mistake a doubled token may stand: a set may be read in the place of a block.
const WINDOW: std::ops::RangeInclusive<isize> = -9..=1;

/// What a letter that is in no text makes the grammar say: all that it expects there.
pub(in crate::syntax) const NOTHING: &str = "\u{1}";

impl Near<'_> {
    /// What stands in the place of its neighbour, in the wrong order, or is missing where blanks show it.
    pub(super) fn evident(&self, trial: &Trial) -> Option<Help> {
        let replaced = self.replaced(0, trial);
        // The cells of drawn data stand below each other.
        if replaced.is_some() || is_drawn(self.mistake.head_line()) {
            return replaced;
        }
        let gaps = WINDOW.rev().filter(|it| self.is_odd_gap(*it));
        let lost = gaps
            .into_iter()
            .find_map(|it| self.missing(it, self.parts(&self.expected_at(it, trial)), true, trial));
        lost.or_else(|| self.first_that_reads(&self.swaps(true), trial))
    }

    /// What the grammar expects before a token.
    fn expected_at(&self, behind: isize, trial: &Trial) -> Vec<Rule> {
        let start = self.token_beyond(behind).map_or(0, |it| it.start);
        let cut = [&self.mistake.text[..start], NOTHING].concat();
        trial(&cut).err().map(|(_, expected)| expected).unwrap_or_default()
    }

    /// `suppose go go(x) }`: a token that is the same as one beside it, where another belongs. One stands between them only
    /// from `signs_behind` on: elsewhere that is how people write.
    fn replaced(&self, signs_behind: isize, trial: &Trial) -> Option<Help> {
        let twins =
            WINDOW.rev().map(|it| (it, 1)).chain((signs_behind..=0).rev().map(|it| (it, 2)));
        let wrong = twins.filter_map(|(at, step)| {
            let (token, twin) = (self.token_beyond(at)?, self.token_beyond(at + step)?);
            let is_near = || !self.mistake.text[token.start..twin.start].contains('\n');
            // Blocks end below each other.
            let is_block = || token.text == "}" && !is_near();
            let is_text = self.token_beyond(at + 1).is_some_and(|it| it.kind == TokenKind::Text);
            let is_rare = !is_text
                && (at == 0 && token.kind != TokenKind::Word || "()[]{}:".contains(token.text));
            (token.text == twin.text && (step == 1 && !is_block() || is_rare && is_near()))
                .then_some((at, token))
        });
        wrong.into_iter().find_map(|(at, token)| {
            self.instead(token, self.parts(&self.expected_at(at, trial)), true, trial)
        })
    }

    /// Whether blanks or a brace before a token show that another is missing.
    fn is_odd_gap(&self, behind: isize) -> bool {
        let pair = (self.token_beyond(behind - 1), self.token_beyond(behind));
        let (Some(before), Some(token)) = pair else { return false };
        // A block may be read as a set behind an operator that lacks its value.
        token.text == "{" && (LOOSE.contains(&before.text) || before.text == "in")
            || is_odd(&before, &self.mistake.text[before.end()..token.start], &token)
    }

    /// Whether blanks fit better with a repair.
    pub(super) fn improves(&self, repair: &Repair) -> bool {
        let mended = spliced(self.mistake.text, &repair.range, &repair.text);
        count_odd(&mended) < count_odd(self.mistake.text)
    }
}

/// How many blanks there are where none belong, and none where some do.
fn count_odd(text: &str) -> usize {
    let tokens = seen_tokens(text);
    let gap = |pair: &[Token<'_>]| is_odd(&pair[0], &text[pair[0].end()..pair[1].start], &pair[1]);
    tokens.windows(2).filter(|pair| gap(pair)).count()
}

fn is_odd(before: &Token<'_>, gap: &str, token: &Token<'_>) -> bool {
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
        return token.text == ".";
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
    if fault.code == Some("syntax::unclosed_text") {
        return mend_quotes(fault, text, base, trial);
    }
    let at = |span: Span| (span.start as usize).saturating_sub(base).min(text.len());
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end);
    let end = line_end(at(fault.place()));
    let places = fault.labels.iter().map(|label| at(label.span)).chain([end]);
    let mistakes: Vec<_> = places.map(|at| GrammarMistake::new(text, at, base, &[])).collect();
    let near: Vec<_> = mistakes.iter().filter_map(Near::within_reach).collect();
    let doubled = near.iter().find_map(|it| it.first_that_reads(&it.doubled(), trial));
    let help = doubled.or_else(|| near.iter().find_map(|it| it.replaced(*WINDOW.start(), trial)));
    help.map(|help| fault.clone().with_help(help))
}

/// What mends a line with an odd number of quotes: one of them taken out, or one more before a word.
fn mend_quotes(fault: &Diagnostic, text: &str, base: usize, trial: &Trial) -> Option<Diagnostic> {
    let at = (fault.place().start as usize).saturating_sub(base);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let mistake = GrammarMistake::new(text, at, base, &[]);
    let near = Near::within_reach(&mistake)?;
    if trial(&[&text[..end], "\"", &text[end..]].concat()).is_ok() {
        return None;
    }
    let quotes = text[start..end].match_indices('"').map(|(at, _)| {
        let words = "one quote of this line is too many: without it".to_owned();
        Repair::new(start + at..start + at + 1, "", words).shown()
    });
    let begins =
        |it: &&Token<'_>| (start..at).contains(&it.start) && text[..it.start].ends_with(' ');
    let words = near.tokens.iter().filter(begins).map(|it| {
        let words = format!("the opening quote is missing before {}:", quoted(it.text));
        Repair::new(it.start..it.start, "\"", words).shown()
    });
    let help = near.first_that_reads(&quotes.chain(words).collect::<Vec<_>>(), trial)?;
    Some(fault.clone().with_help(help))
}
