//! Several mistakes in one declaration: a statement that cannot be read is left out, to look for mistakes behind it.
//!
//! A mistake that is none would be worse than one that is not found. So only those lines count without which the whole
//! declaration can be read.

use std::ops::Range;

use crate::syntax::tokens::{is_drawn, leading_word};

/// How many mistakes of one declaration are found: where there are more, one of them is the cause of the others.
const MOST: usize = 8;

/// A longer declaration is not read again and again.
const LONGEST: usize = 16 * 1024;

/// A broken line and what stands in its place, of the same length.
#[derive(Clone, Debug)]
struct Gap {
    range: Range<usize>,
    filled: String,
}

/// The texts of a declaration with one mistake each, in the order of the mistakes; nothing if it has only one. `fails_at`
/// tells at which offset a text cannot be read.
pub(super) fn separate_mistakes(
    text: &str,
    fails_at: impl Fn(&str) -> Option<usize>,
) -> Vec<String> {
    let mut gaps: Vec<Gap> = Vec::new();
    let mut left = text.to_owned();
    let is_long = text.len() > LONGEST;
    while let Some(at) = fails_at(&left).filter(|_| !is_long) {
        let gap =
            lines_at(&left, at).into_iter().flat_map(|line| fillings(&left, &line)).map(|gap| {
                let reached = fails_at(&fill_gaps(&left, [&gap])).unwrap_or(usize::MAX);
                (reached, gap)
            });
        // Of gaps that reach as far the first is kept: it leaves out the most.
        let best = gap
            .filter(|(reached, gap)| {
                *reached > gap.range.end && !is_directly_behind(&left, gap, *reached)
            })
            .reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, gap)) = best.filter(|_| gaps.len() < MOST) else { return Vec::new() };
        left = fill_gaps(&left, [&gap]);
        gaps.push(gap);
    }
    // Under a heading that cannot be read every row looks wrong.
    let is_heading = |gap: &Gap| {
        let head = text.lines().find(|line| !line.starts_with("##")).unwrap_or_default();
        is_drawn(head) && text[..gap.range.start].trim_end().ends_with('{')
    };
    if gaps.len() < 2 || is_heading(&gaps[0]) {
        return Vec::new();
    }
    let others = |kept: usize| {
        gaps.iter().enumerate().filter(move |(at, _)| *at != kept).map(|(_, gap)| gap)
    };
    (0..gaps.len()).map(|kept| fill_gaps(text, others(kept))).collect()
}

fn fill_gaps<'a>(text: &str, gaps: impl IntoIterator<Item = &'a Gap>) -> String {
    let mut text = text.to_owned();
    for gap in gaps {
        text.replace_range(gap.range.clone(), &gap.filled);
    }
    text
}

/// Whether the fault is the first word or sign behind what was left out: it may miss that.
fn is_directly_behind(text: &str, gap: &Gap, at: usize) -> bool {
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with("##");
    text.get(gap.range.end..at).is_some_and(|between| between.lines().all(is_blank))
}

/// The line on which reading ends, and the one before it, where a statement may lack its end.
fn lines_at(text: &str, at: usize) -> Vec<Range<usize>> {
    let line_before = |end: usize| {
        let end = text[..end].trim_end().len();
        let start = text[..end].rfind(['\n', ';']).map_or(0, |it| it + 1);
        (start < end).then_some(start..end)
    };
    let end = text[at..].find(['\n', ';']).map_or(text.len(), |it| at + it);
    let line = line_before(end);
    let above = line.as_ref().and_then(|line| line_before(line.start));
    line.into_iter().chain(above).collect()
}

/// Replacements for a line: nothing, or the shortest form of what it begins. Braces stay.
fn fillings(text: &str, line: &Range<usize>) -> Vec<Gap> {
    let written = &text[line.clone()];
    let body = written.trim_start().trim_start_matches('}');
    let start = line.end - body.len();
    let opens = body.ends_with('{');
    let range = start..line.end - usize::from(opens);
    let words: &[&str] = match (opens, leading_word(body)) {
        (false, _) => &[""],
        (true, "rule") => &["rule x()"],
        (true, "moves") => &["moves x()"],
        (true, _) => &["if x", "x", "choose x", "match x", "else"],
    };
    let whole = &text[range.clone()];
    let open = |opener, closer| whole.matches(opener).count() == whole.matches(closer).count();
    let is_whole = open('{', '}') && open('(', ')') && open('[', ']');
    let fits = words.iter().filter(|word| is_whole && word.len() <= whole.len());
    let width = whole.len();
    fits.map(|word| Gap { range: range.clone(), filled: format!("{word:width$}") }).collect()
}
