//! Names that ran together: the sign between them was lost, replaced, or changed places with one of them. What stands
//! beside what elsewhere in the file tells which sign that was.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use crate::diagnostic::Help;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::functions::is_function;
use crate::syntax::slips::repair::{Near, Repair, Trial, seen_tokens};
use crate::syntax::tokens::{RESERVED, Token, TokenKind};

/// Signs that may have stood between two names, with the blank behind them.
const BETWEEN: [&str; 5] = [".", "(", "[", ", ", ": "];

/// Signs that may have stood behind a name.
const CLOSING: [&str; 3] = [")", "]", "}"];

/// A longer name is no slip.
const LONGEST_NAME: usize = 60;

/// So many of the likeliest repairs are tried.
const MOST_TRIED: usize = 8;

/// The words of a file, and what stands beside each other in it.
pub(crate) struct FileWords<'f> {
    text: &'f str,
    seen: OnceLock<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    words: BTreeMap<String, usize>,
    pairs: BTreeSet<String>,
}

impl<'f> FileWords<'f> {
    pub(crate) fn of(text: &'f str) -> FileWords<'f> {
        FileWords { text, seen: OnceLock::new() }
    }

    /// Few files have mistakes: only those are counted.
    fn seen(&self) -> &Seen {
        self.seen.get_or_init(|| {
            let (tokens, mut seen) = (seen_tokens(self.text), Seen::default());
            for token in &tokens {
                *seen.words.entry(token.text.to_owned()).or_default() += 1;
            }
            seen.pairs = tokens.windows(2).map(|it| as_pair(it[0].text, it[1].text)).collect();
            seen
        })
    }

    fn count(&self, word: &str) -> usize {
        self.seen().words.get(word).copied().unwrap_or_default()
    }

    fn knows(&self, word: &str) -> bool {
        self.count(word) > 0
            || word.bytes().all(|it| it.is_ascii_digit()) && !word.is_empty()
            || RESERVED.contains(&word)
            || is_function(word)
    }

    pub(super) fn has_pair(&self, first: &str, second: &str) -> bool {
        second == "(" && is_function(first)
            || first == "." && ["first", "last"].contains(&second)
            || self.seen().pairs.contains(&as_pair(first, second))
    }

    /// Whether a sign stands between these two, as far as the file tells.
    pub(super) fn joins(&self, first: &str, sign: &str, second: &str) -> bool {
        let opens = sign == "(" || sign == "[";
        self.has_pair(first, sign) && (opens && self.knows(second) || self.has_pair(sign, second))
    }

    /// The signs that stand between these two.
    pub(super) fn signs_between(&self, first: &str, second: &str) -> Vec<&'static str> {
        let signs = BETWEEN.into_iter().map(str::trim_end).chain(["..", "=", "in", "of"]);
        signs.filter(|sign| self.joins(first, sign, second)).collect()
    }
}

fn as_pair(first: &str, second: &str) -> String {
    [first, "\n", second].concat()
}

impl Near<'_> {
    /// What mends a line in which two known names ran together.
    pub(super) fn glued(&self, trial: &Trial) -> Option<Help> {
        let text = self.mistake.text;
        let from = self.token_beyond(-2).map_or(0, |it| text[..it.start].rfind('\n').unwrap_or(0));
        let here = self.found.max(from);
        let to = text[here..].find('\n').map_or(text.len(), |it| here + it);
        let is_near = |at: &usize| (from..to).contains(&self.tokens[*at].start);
        self.best_split((0..self.tokens.len()).filter(is_near), trial)
    }

    fn best_split(&self, places: impl Iterator<Item = usize>, trial: &Trial) -> Option<Help> {
        let mut splits: Vec<_> = places.flat_map(|at| self.splits(at, trial.words)).collect();
        splits.sort_by_key(|(seen, _)| std::cmp::Reverse(*seen));
        let repairs: Vec<_> = splits.into_iter().take(MOST_TRIED).map(|(_, it)| it).collect();
        self.first_that_reads(&repairs, trial)
    }

    /// The ways to read a word as two, with how much of each stands elsewhere in the file.
    fn splits(&self, at: usize, words: &FileWords) -> Vec<(usize, Repair)> {
        let word = self.tokens[at];
        // A number may run together with a name, and the ends of a range with each other.
        let is_range = at > 0 && self.tokens[at - 1].text == "..";
        let is_name = word.kind == TokenKind::Word
            || word.kind == TokenKind::Number
                && (is_range || word.text.contains(|it: char| !it.is_ascii_digit()));
        let is_known = words.count(word.text) > 1 && !is_range;
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
            (1, Repair::new(word.start..word.end(), [sign, half].concat(), help).shown())
        });
        split.chain(opened).collect()
    }

    fn splits_into(
        &self,
        at: usize,
        first: &str,
        rest: &str,
        words: &FileWords,
    ) -> Vec<(usize, Repair)> {
        let (text, word) = (self.mistake.text, self.tokens[at]);
        let before = at.checked_sub(1).map(|it| self.tokens[it]);
        let [next, third] = [1, 2].map(|behind| self.tokens.get(at + behind).copied());
        let next_text = next.map_or("", |it| it.text);
        let mut found = Vec::new();
        let mut add =
            |range: Range<usize>, sign: &str, second: &str, text: &[&str], is_there: bool| {
                let is_word = |it: &str| RESERVED.contains(&it) && !is_function(it);
                let is_known = words.has_pair(first, sign) || is_word(first) || is_word(second);
                let is_usual = !["(", "["].contains(&sign) && words.has_pair(sign, second);
                // A sign that is still there, or was replaced, needs less evidence.
                let fits = CLOSING.contains(&sign)
                    || is_there && (is_known || is_usual)
                    || words.joins(first, sign, second);
                let last = before.map_or("", |it| it.text);
                let pairs = [(last, first), (first, sign), (sign, second)];
                let seen = pairs.iter().filter(|(a, b)| words.has_pair(a, b)).count();
                let help = format!("`{sign}` belongs between `{first}` and `{second}`:");
                if fits && words.knows(second) {
                    found.push((seen, Repair::new(range, text.concat(), help).shown()));
                }
            };
        // The sign is lost, or a word that stands there again took its place.
        let half = &rest[..rest.len() / 2];
        let half = if [half, half].concat() == rest { half } else { "" };
        let behind = rest.strip_prefix(next_text).unwrap_or_default();
        let whole = word.start..word.end();
        let is_usual = |sign: &str, second: &str| sign != "." || words.has_pair(sign, second);
        for sign in BETWEEN {
            for (second, is_twin) in [(rest, false), (half, true), (behind, true)] {
                let is_there = is_twin && is_usual(sign, second);
                add(whole.clone(), sign.trim_end(), second, &[first, sign, second], is_there);
            }
        }
        let signs: &[&str] = if rest == next_text { &BETWEEN } else { &[] };
        let is_twin = rest == next_text || third.is_some_and(|it| it.text == rest);
        for sign in signs.iter().chain(if is_twin { &CLOSING[..] } else { &[] }) {
            let range = word.start..next.map_or(word.end(), |it| it.start);
            add(range, sign.trim_end(), next_text, &[first, sign], is_usual(sign, next_text));
        }
        // The sign changed places with one of the two.
        let is_sign = |it: &Token<'_>| {
            !matches!(it.kind, TokenKind::Word | TokenKind::Number | TokenKind::Text)
        };
        if let Some(sign) = before.filter(is_sign) {
            let (gap, range) = (&text[sign.end()..word.start], sign.start..word.end());
            add(range, sign.text, rest, &[first, gap, sign.text, rest], true);
        }
        if let Some(sign) = next.filter(is_sign) {
            let (gap, range) = (&text[word.end()..sign.start], word.start..sign.end());
            add(range, sign.text, rest, &[first, sign.text, gap, rest], true);
        }
        found
    }
}

/// What mends a name that nothing has, if two known ones ran together in it.
pub(in crate::syntax) fn split_name(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let near = Near::within_reach(mistake, trial)?;
    near.best_split(std::iter::once(near.at), trial)
}
