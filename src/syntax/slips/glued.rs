//! Names that ran together: the sign between them was lost, replaced, or changed places with one of them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::syntax::functions::is_function;
use crate::syntax::slips::repair::{Near, Repair, seen_tokens};
use crate::syntax::tokens::{RESERVED, Token, TokenKind};

/// Signs that may have stood between two names, with the blank behind them.
const BETWEEN: [&str; 5] = [".", "(", "[", ", ", ": "];

/// Signs that may have stood behind a name.
const CLOSING: [&str; 3] = [")", "]", "}"];

/// A longer name is no slip.
const LONGEST_NAME: usize = 60;

/// The words of a file, and how often each stands in it.
pub(crate) struct FileWords<'f> {
    pub(super) text: &'f str,
    seen: BTreeMap<&'f str, usize>,
}

impl<'f> FileWords<'f> {
    pub(crate) fn of(text: &'f str) -> FileWords<'f> {
        let mut seen = BTreeMap::new();
        for token in seen_tokens(text) {
            *seen.entry(token.text).or_default() += 1;
        }
        FileWords { text, seen }
    }

    fn count(&self, word: &str) -> usize {
        self.seen.get(word).copied().unwrap_or_default()
    }

    fn knows(&self, word: &str) -> bool {
        self.count(word) > 0
            || word.bytes().all(|it| it.is_ascii_digit()) && !word.is_empty()
            || RESERVED.contains(&word)
            || is_function(word)
    }
}

impl Near<'_> {
    /// The ways to read a word as two with a sign between, before or behind them.
    pub(super) fn splits(&self, at: usize, words: &FileWords, is_unknown: bool) -> Vec<Repair> {
        let word = self.tokens[at];
        // A number may run together with a name, and the ends of a range with each other.
        let is_range = at > 0 && self.tokens[at - 1].text == "..";
        let is_name = word.kind == TokenKind::Word
            || word.kind == TokenKind::Number
                && (is_range || word.text.contains(|it: char| !it.is_ascii_digit()));
        let is_known = words.count(word.text) > 1 && !is_range && !is_unknown;
        if !is_name || RESERVED.contains(&word.text) || is_known {
            return Vec::new();
        }
        let cuts = (1..word.text.len().min(LONGEST_NAME)).map(|cut| word.text.split_at(cut));
        let known = cuts.filter(|(first, _)| words.knows(first));
        let split = known.flat_map(|(first, rest)| self.splits_into(at, first, rest, words));
        // `cc in Field`: it stands twice, once in the place of a bracket.
        let half = &word.text[..word.text.len() / 2];
        let is_twin = [half, half].concat() == word.text && words.knows(half);
        let opened = ["{", "(", "["].into_iter().filter(|_| is_twin).map(|sign| {
            let help = format!("`{sign}` is expected before `{half}`:");
            Repair::new(word.start..word.end(), [sign, half].concat(), help).shown()
        });
        split.chain(opened).collect()
    }

    fn splits_into(&self, at: usize, first: &str, rest: &str, words: &FileWords) -> Vec<Repair> {
        let (text, word) = (self.mistake.text, self.tokens[at]);
        let before = at.checked_sub(1).map(|it| self.tokens[it]);
        let [next, third] = [1, 2].map(|behind| self.tokens.get(at + behind).copied());
        let next_text = next.map_or("", |it| it.text);
        let mut found = Vec::new();
        let mut add = |range: Range<usize>, sign: &str, second: &str, text: &[&str]| {
            let help = format!("`{}` belongs between `{first}` and `{second}`:", sign.trim_end());
            if words.knows(second) {
                found.push(Repair::new(range, text.concat(), help).shown());
            }
        };
        // The sign is lost, or a word that stands there again took its place.
        let half = &rest[..rest.len() / 2];
        let half = if [half, half].concat() == rest { half } else { "" };
        let behind = rest.strip_prefix(next_text).unwrap_or_default();
        for sign in BETWEEN {
            for second in [rest, half, behind] {
                add(word.start..word.end(), sign, second, &[first, sign, second]);
            }
        }
        let signs: &[&str] = if rest == next_text { &BETWEEN } else { &[] };
        let is_twin = rest == next_text || third.is_some_and(|it| it.text == rest);
        for sign in signs.iter().chain(if is_twin { &CLOSING[..] } else { &[] }) {
            let range = word.start..next.map_or(word.end(), |it| it.start);
            add(range, sign, next_text, &[first, sign]);
        }
        // The sign changed places with one of the two.
        let is_sign = |it: &Token<'_>| {
            !matches!(it.kind, TokenKind::Word | TokenKind::Number | TokenKind::Text)
        };
        if let Some(sign) = before.filter(is_sign) {
            let (gap, range) = (&text[sign.end()..word.start], sign.start..word.end());
            add(range, sign.text, rest, &[first, gap, sign.text, rest]);
        }
        if let Some(sign) = next.filter(is_sign) {
            let (gap, range) = (&text[word.end()..sign.start], word.start..sign.end());
            add(range, sign.text, rest, &[first, sign.text, gap, rest]);
        }
        found
    }
}
