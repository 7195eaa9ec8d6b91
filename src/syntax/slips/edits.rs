//! Edits of one word or sign that may mend a file: each is known to read, the likeliest come first. How likely one
//! is tells the rest of the file, by what stands beside what in it.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;
use std::ops::Range;
use std::sync::LazyLock;

use crate::diagnostic::Help;
use crate::source::Source;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::functions::is_function;
use crate::syntax::parser::{Rule, token};
use crate::syntax::slips::evidence::is_odd;
use crate::syntax::slips::glued::FileWords;
use crate::syntax::slips::is_number;
use crate::syntax::slips::parts::quoted_list;
use crate::syntax::slips::repair::{Near, Repair, exchanged, quoted, seen_tokens};
use crate::syntax::tokens::{
    DECLARATIONS, RESERVED, Token, TokenKind, is_drawn, is_part, leading_word,
};

/// How far from a finding any word or sign may be missing, in tokens; elsewhere only where the file looks odd.
const NEAR: usize = 8;

/// Names that stand so near may be meant again, in tokens.
const WITHIN: usize = 60;

/// So many of the likeliest edits are worth a trial.
const MOST: usize = 200;

/// So many names are thought of at one place.
const MOST_NAMES: usize = 8;

/// An edit of a file, and what to say about it; nothing, where a finding says it already.
pub(crate) struct TokenEdit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    pub(crate) help: Option<Help>,
    /// How much odder the file looks with it: below 0 it looks more like the rest of itself.
    pub(crate) cost: i32,
    /// Whether it puts in a name of many, which nothing lacks.
    pub(crate) is_named: bool,
}

impl TokenEdit {
    /// Whether another word or sign could stand in the same place.
    pub(crate) fn is_like(&self, other: &TokenEdit) -> bool {
        let is_one =
            |it: &TokenEdit| SIGNS.contains(&it.text.trim()) || KEYWORDS.contains(it.text.trim());
        self.range == other.range && is_one(self) && is_one(other)
    }

    /// What to say where others are as good: all of them, or that some operator is meant.
    pub(crate) fn help_with(&self, others: &[&TokenEdit]) -> Option<Help> {
        let all: Vec<_> =
            once(self).chain(others.iter().copied()).map(|it| it.text.trim()).collect();
        let words = self.help.as_ref()?.to_string();
        let place = words.split_once(": write").map_or(words.as_str(), |it| it.0);
        let named = format!("`{}`", all[0]);
        let place = place.strip_prefix(&named).unwrap_or(place);
        Some(match all.len() {
            1 => self.help.clone()?,
            2 | 3 => format!("{}{place}", quoted_list(&all)).into(),
            _ => format!("an operator such as {named}{place}").into(),
        })
    }
}

/// What the findings in a file are about.
pub(crate) struct Trouble<'f> {
    /// Their offsets in the file.
    pub(crate) places: Vec<usize>,
    /// Names that nothing has: their declaration may have lost them.
    pub(crate) unknown: Vec<&'f str>,
    /// What the findings offer.
    pub(crate) fixes: Vec<(Range<usize>, String)>,
}

/// Edits of a file whose findings lie in a stretch of it, the likeliest first.
pub(in crate::syntax) fn likely_edits(
    source: &Source,
    stretch: &Range<usize>,
    findings: &Trouble,
    words: &FileWords,
) -> Vec<TokenEdit> {
    let mistake = GrammarMistake::new(&source.text, stretch.start, source.base, &[]);
    let (near, pairs) = (Near::anywhere(&mistake), Pairs::of(words));
    let search = EditSearch { near: &near, pairs: &pairs, findings, words };
    let mut all = search.edits(stretch);
    all.sort_by_key(|(cost, _)| *cost);
    let mut known = BTreeSet::new();
    all.retain(|(_, it)| known.insert((it.range.start, it.range.end, it.text.clone())));
    all.truncate(MOST);
    let edit = |(cost, it): (i32, Repair)| {
        let (word, help) = (it.text.trim(), Some(near.help(&it)));
        let is_named = is_name(word) && !findings.unknown.contains(&word);
        TokenEdit { help, range: it.range, text: it.text, cost, is_named }
    };
    let mut all: Vec<_> = all.into_iter().map(edit).collect();
    all.extend(findings.fixes.iter().map(|(range, text)| {
        let cost = search.cost(&Repair::new(range.clone(), text, String::new()));
        // Another word is likely meant; less text always looks less odd.
        let more = [-2, 0, 4, 4][usize::from(range.is_empty()) + 2 * usize::from(text.is_empty())];
        let (range, text, cost) = (range.clone(), text.clone(), cost + more);
        TokenEdit { range, text, help: None, cost, is_named: false }
    }));
    all.sort_by_key(|it| (it.cost, it.help.is_some()));
    all
}

/// What stands beside what in a file, and beside what sort of thing.
struct Pairs<'t> {
    exact: BTreeMap<(&'t str, &'t str), usize>,
    sorts: BTreeMap<(&'t str, &'t str), usize>,
    behind: BTreeMap<&'t str, BTreeSet<&'t str>>,
    before: BTreeMap<&'t str, BTreeSet<&'t str>>,
}

impl<'t> Pairs<'t> {
    fn of(words: &'t FileWords) -> Pairs<'t> {
        let (mut exact, mut sorts) = (BTreeMap::new(), BTreeMap::new());
        let (mut behind, mut before) = (BTreeMap::new(), BTreeMap::new());
        for (a, b) in neighbours(words.text) {
            *exact.entry((a, b)).or_default() += 1;
            *sorts.entry((sort(a), sort(b))).or_default() += 1;
            behind.entry(a).or_insert_with(BTreeSet::new).insert(b);
            before.entry(b).or_insert_with(BTreeSet::new).insert(a);
        }
        Pairs { exact, sorts, behind, before }
    }

    /// How odd it is that these stand beside each other, where they do so often already.
    fn oddness(&self, (a, b): (&str, &str), here: usize) -> i32 {
        let seen = self.exact.get(&(a, b)).copied().unwrap_or_default();
        let alike = self.sorts.get(&(sort(a), sort(b))).copied().unwrap_or_default();
        match (seen > here, alike.saturating_sub(here)) {
            (true, _) => 0,
            (_, 3..) => 1,
            (_, 1..) => 2,
            _ => 4,
        }
    }
}

/// A word or sign as it counts: all texts are alike, and so are all ends of lines.
fn counted<'t>(token: &Token<'t>) -> &'t str {
    if token.kind == TokenKind::Text { "\"" } else { token.text }
}

fn neighbours(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let tokens = seen_tokens(text);
    let lines = tokens.windows(2).flat_map(|it| {
        let (a, b) = (counted(&it[0]), counted(&it[1]));
        let ends = text[it[0].end()..it[1].start].contains('\n');
        if ends { [Some((a, "\n")), Some(("\n", b))] } else { [Some((a, b)), None] }
    });
    lines.flatten().collect::<Vec<_>>().into_iter()
}

/// The words of the language.
static KEYWORDS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let tokens = Rule::all_rules().iter().filter_map(|rule| token(*rule));
    let words = tokens.chain(RESERVED.iter().copied()).chain(DECLARATIONS.iter().copied());
    words.filter(|it| it.bytes().all(|it| it.is_ascii_lowercase())).collect()
});

/// Signs that may be lost.
const SIGNS: [&str; 23] = [
    ".", ",", ":", "..", "(", ")", "[", "]", "{", "}", "=", "==", "!=", "<", ">", "<=", ">=", "+",
    "-", "*", "+=", "-=", "->",
];

fn is_name(word: &str) -> bool {
    let begins = word.starts_with(|it: char| it.is_ascii_alphanumeric());
    begins && !KEYWORDS.contains(word)
}

fn sort(word: &str) -> &str {
    match word.as_bytes().first() {
        Some(b'0'..=b'9') => "1",
        Some(b'A'..=b'Z') => "A",
        Some(b'a'..=b'z') if !KEYWORDS.contains(word) && !is_function(word) => "a",
        _ => word,
    }
}

/// The search for edits of a file.
struct EditSearch<'s> {
    near: &'s Near<'s>,
    pairs: &'s Pairs<'s>,
    findings: &'s Trouble<'s>,
    words: &'s FileWords<'s>,
}

/// A place for a word or sign: what stands around it, how odd that is now, and what is said about it.
struct Slot<'s> {
    at: usize,
    range: Range<usize>,
    around: (&'s str, &'s str),
    odd: i32,
    words: String,
}

impl<'s> EditSearch<'s> {
    fn edits(&self, stretch: &Range<usize>) -> Vec<(i32, Repair)> {
        let tokens = &self.near.tokens;
        let place_of = |at: &usize| tokens.partition_point(|it| it.start < *at);
        let places: Vec<usize> = self.findings.places.iter().map(place_of).collect();
        let mut all = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let is_inside = stretch.contains(&token.start);
            if !is_inside && self.findings.unknown.is_empty() {
                continue;
            }
            let far = places.iter().map(|it| it.abs_diff(at)).min().unwrap_or_default();
            let far_cost = i32::from(far > 2) + i32::from(far > NEAR) + i32::from(far > 40);
            let odd = self.pairs.oddness((self.before(at), counted(token)), 1);
            let is_near = is_inside && far <= NEAR;
            let mut found = Vec::new();
            if is_inside && (is_near || odd > 0) && at > 0 {
                let orders = self.orders(at - 1).into_iter();
                found.extend(orders.map(|it| (self.cost(&it) - i32::from(it.text.is_empty()), it)));
            }
            let slots = self.slots(at, is_near || odd > 0);
            let is_drawn = !slots.is_empty() && self.is_drawn(token.start);
            let slots = slots.iter().flat_map(|it| self.filled(it, is_inside && !is_drawn));
            found.extend(slots.filter(|(cost, _)| is_near || *cost <= 1));
            all.extend(found.into_iter().map(|(cost, it)| (cost + far_cost, it)));
        }
        all
    }

    fn token(&self, at: usize) -> Option<Token<'s>> {
        self.near.tokens.get(at).copied()
    }

    /// What stands before a token: the end of a line, where it begins one.
    fn before(&self, at: usize) -> &'s str {
        let before = at.checked_sub(1).and_then(|it| self.token(it));
        before.filter(|_| !self.breaks(at)).map_or("\n", |it| counted(&it))
    }

    /// Whether a line ends before a token.
    fn breaks(&self, at: usize) -> bool {
        let pair = at.checked_sub(1).and_then(|it| Some((self.token(it)?, self.token(at)?)));
        pair.is_none_or(|(a, b)| self.near.mistake.text[a.end()..b.start].contains('\n'))
    }

    /// How much odder a file is with a repair.
    fn cost(&self, repair: &Repair) -> i32 {
        let (lines, mended) = self.near.lines_with(repair);
        let (old, new): (Vec<_>, Vec<_>) =
            (neighbours(lines).collect(), neighbours(&mended).collect());
        let most = old.len().min(new.len());
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let ends = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let ends = ends.min(most - same);
        let odd = |all: &[(&str, &str)], here| -> i32 {
            all[same..all.len() - ends].iter().map(|it| self.pairs.oddness(*it, here)).sum()
        };
        odd(&new, 0) - odd(&old, 1) + 2 * self.near.odd_gaps(repair)
    }

    /// What stands twice, changed places with the next, or ran together.
    fn orders(&self, at: usize) -> Vec<Repair> {
        let (Some(first), Some(second)) = (self.token(at), self.token(at + 1)) else {
            return Vec::new();
        };
        let text = self.near.mistake.text;
        let is_unknown = self.findings.unknown.contains(&second.text);
        let mut all = self.near.splits(at + 1, self.words, is_unknown);
        if let Some(end) = second.text.strip_prefix('0').filter(|it| is_number(it)) {
            let words = format!("`..` belongs between `0` and `{end}`:");
            all.push(Repair::new(second.start..second.end(), format!("0..{end}"), words).shown());
        }
        // Cells stand in columns: wide gaps are between two of them.
        let gap = &text[first.end()..second.start];
        let is_twice = first.text == second.text && first.text != ",";
        if is_twice && (gap.len() < 2 || !self.is_drawn(first.start)) {
            let words = format!("{} stands here twice: take one out and", quoted(first.text));
            all.push(Repair::new(first.end()..second.end(), "", words).shown());
        }
        // A comma that stands twice lacks what is between.
        let is_comma = first.text == "," && self.before(at) == ",";
        let keeps = |it: &Repair| {
            let (lines, mended) = self.near.lines_with(it);
            seen_tokens(lines).len() == seen_tokens(&mended).len()
        };
        all.extend(exchanged(text, first, second).filter(|it| !is_comma && keeps(it)));
        all.extend(self.near.moved_hole(first));
        all
    }

    /// Where something may be missing before a token, or belong in the place of one that stands there again.
    fn slots(&self, at: usize, is_likely: bool) -> Vec<Slot<'s>> {
        let Some(token) = self.token(at) else { return Vec::new() };
        let odd = |pair| self.pairs.oddness(pair, 1);
        let (before, here) = (self.before(at), counted(&token));
        let mut all = Vec::new();
        // A name and the dot behind it became two dots.
        if token.text == ".." {
            let words = "is expected in place of the first `.`".to_owned();
            let range = token.start..token.start + 1;
            all.push(Slot { at, range, around: (before, "."), odd: odd((before, here)), words });
        }
        let is_twin = |step| self.token(at + step).is_some_and(|it| it.text == token.text);
        if is_twin(1) || is_twin(2) {
            let next = self.token(at + 1).filter(|_| !self.breaks(at + 1));
            let behind = next.map_or("\n", |it| counted(&it));
            let which = if is_name(token.text) { "the first " } else { "" };
            all.push(Slot {
                at,
                range: token.start..token.end(),
                around: (before, behind),
                odd: odd((before, here)) + odd((here, behind)),
                words: format!("is expected in place of {which}{}", quoted(token.text)),
            });
        }
        if !is_likely {
            return all;
        }
        let last = at.checked_sub(1).and_then(|it| self.token(it));
        let gap = last.map_or("", |it| &self.near.mistake.text[it.end()..token.start]);
        let is_gap = last.is_some_and(|it| is_odd(&it, gap, &token));
        let new = |range, around, odd, words| Slot { at, range, around, odd: odd - 2, words };
        let place = last.filter(|_| !self.breaks(at)).map_or_else(
            || format!("before {}", quoted(token.text)),
            |it| format!("between {} and {}", quoted(it.text), quoted(token.text)),
        );
        let odd_here = odd((before, here)) + 5 * i32::from(is_gap);
        let place = format!("is missing {place}");
        all.push(new(token.start..token.start, (before, here), odd_here, place));
        // At the end of a line what is missing stands before the break.
        all.extend(last.filter(|_| self.breaks(at)).map(|it| {
            let (a, words) = (counted(&it), format!("is missing after {}", quoted(it.text)));
            new(it.end()..it.end(), (a, "\n"), odd((a, "\n")), words)
        }));
        all
    }

    /// The words and signs that fit a place best.
    fn filled(&self, slot: &Slot<'s>, is_free: bool) -> Vec<(i32, Repair)> {
        let odd = |pair| self.pairs.oddness(pair, 0);
        let text = self.near.mistake.text;
        let unknown = |word| 3 * i32::from(self.findings.unknown.contains(&word));
        let cost = |word| {
            odd((slot.around.0, word)) + odd((word, slot.around.1)) - slot.odd - unknown(word)
        };
        let mut all: Vec<_> =
            self.meant(slot, is_free).into_iter().map(|it| (cost(it), it)).collect();
        all.sort_by_key(|(cost, _)| *cost);
        let (mut names, mut numbers) = (0, 0);
        all.retain(|(_, word)| {
            let count = if is_number(word) { &mut numbers } else { &mut names };
            *count += usize::from(is_name(word));
            text[slot.range.clone()] != **word && (!is_name(word) || *count <= MOST_NAMES)
        });
        all.into_iter().map(|(cost, word)| (cost, put_in(text, word, slot))).collect()
    }

    /// Whether a row of drawn data holds this: most cells may stand anywhere in it.
    fn is_drawn(&self, at: usize) -> bool {
        let text = self.near.mistake.text;
        let begins = text[..at].rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
        let head =
            begins.map(|it| &text[it..at]).find(|it| DECLARATIONS.contains(&leading_word(it)));
        head.is_some_and(|it| is_drawn(it) && it.contains('\n'))
    }

    /// Words and signs that may stand between two others: what nothing has, and where all is free, what stands near,
    /// what has one of them beside it elsewhere, and the language.
    fn meant(&self, slot: &Slot<'s>, is_free: bool) -> Vec<&'s str> {
        let mut all = self.findings.unknown.clone();
        if is_free {
            let tokens = &self.near.tokens;
            let name = |at: usize| tokens.get(at).map(|it| it.text).filter(|it| is_name(it));
            let beside = |far| [slot.at.checked_sub(far), Some(slot.at + far)];
            all.extend((1..WITHIN).flat_map(beside).flatten().filter_map(name));
            all.extend(self.pairs.behind.get(slot.around.0).into_iter().flatten());
            all.extend(self.pairs.before.get(slot.around.1).into_iter().flatten());
            all.extend(["1", "2", "x", "X"].iter().chain(&SIGNS).chain(KEYWORDS.iter()));
        }
        let mut known = BTreeSet::from(["\n", "\""]);
        all.retain(|it| known.insert(*it));
        all
    }
}

/// A word or sign put in, with what is said about it: of names only that there is none.
fn put_in(text: &str, word: &str, slot: &Slot) -> Repair {
    let (range, place) = (slot.range.clone(), &slot.words);
    if is_name(word) {
        let what = if is_number(word) { "a number" } else { "a name" };
        return Repair::new(range, format!(" {word} "), format!("{what} {place}"));
    }
    let words = format!("`{word}` {place}:");
    let before = if text[..range.start].ends_with([' ', '\n']) { "" } else { " " };
    let behind = if text[range.end..].starts_with([' ', '\n']) { "" } else { " " };
    let put = match word {
        "." | "(" | "[" | ".." => word.to_owned(),
        ")" | "]" | "," | ":" if text[range.end..].starts_with(is_part) => format!("{word} "),
        ")" | "]" | "," | ":" => word.to_owned(),
        _ => [before, word, behind].concat(),
    };
    Repair::new(range, put, words).shown()
}
