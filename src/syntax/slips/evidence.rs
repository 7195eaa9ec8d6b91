//! Slips that a text shows by itself: two of the same beside each other, and blanks where none belong, since
//! somebody typed a word there, lost it, or swapped it with the next.

use std::ops::RangeInclusive;

use crate::diagnostic::{Diagnostic, Help};
use crate::source::Span;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::declared::missing_word;
use crate::syntax::slips::glued::FileWords;
use crate::syntax::slips::repair::{Near, Repair, Trial, quoted, seen_tokens, spliced};
use crate::syntax::tokens::{Token, TokenKind, begins_declaration, is_drawn};

/// Signs with a blank on either side.
pub(super) const LOOSE: [&str; 9] = ["==", "!=", "<=", ">=", "<", ">", "=", "+=", "-="];

/// Signs that give a value.
const ASSIGNS: [&str; 3] = ["=", "+=", "-="];

/// How far from the mistake a doubled token may stand: a set may be read in the place of a block.
const WINDOW: RangeInclusive<isize> = -9..=1;

/// The same, where a bracket without a partner is all that is known.
const BRACKETS: RangeInclusive<isize> = -9..=6;

/// So many doubled tokens are replaced by others.
const MOST_TWINS: usize = 6;

/// What a letter that is in no text makes the grammar say: all that it expects there.
pub(in crate::syntax) const NOTHING: &str = "\u{1}";

impl Near<'_> {
    /// What stands in the place of its neighbour, in the wrong order, or is missing where blanks show it.
    pub(super) fn evident(&self, trial: &Trial) -> Option<Help> {
        let replaced = self.replaced(WINDOW, 0, trial);
        // The cells of drawn data stand below each other.
        if replaced.is_some() || is_drawn(self.mistake.head_line()) {
            return replaced;
        }
        let gaps = WINDOW.rev().filter(|it| self.is_odd_gap(*it));
        let lost = gaps
            .into_iter()
            .find_map(|it| self.missing(it, self.parts(&self.expected_at(it, trial)), true, trial));
        lost.or_else(|| self.first_that_reads(&self.swaps(true, trial.words), trial))
    }

    /// What the grammar expects before a token.
    pub(super) fn expected_at(&self, behind: isize, trial: &Trial) -> Vec<Rule> {
        let start = self.token_beyond(behind).map_or(0, |it| it.start);
        let cut = [&self.mistake.text[..start], NOTHING].concat();
        trial.read(&cut).err().map(|(_, expected)| expected).unwrap_or_default()
    }

    /// `suppose go go(x) }`: a token that is the same as one beside it, where another belongs. One stands between them only
    /// from `signs_behind` on: elsewhere that is how people write.
    fn replaced(
        &self,
        window: RangeInclusive<isize>,
        signs_behind: isize,
        trial: &Trial,
    ) -> Option<Help> {
        let twins = window.rev().flat_map(|at| [(at, 1), (at, 2)]);
        let wrong = twins.filter_map(|(at, step)| {
            let (token, twin) = (self.token_beyond(at)?, self.token_beyond(at + step)?);
            if token.text != twin.text {
                return None;
            }
            let is_near = !self.mistake.text[token.start..twin.start].contains('\n');
            // Blocks end below each other.
            let is_block = token.text == "}" && !is_near;
            let is_text = self.token_beyond(at + 1).is_some_and(|it| it.kind == TokenKind::Text);
            // A statement gives one value.
            let is_rare = at >= signs_behind && (at == 0 || "()[]{}:.".contains(token.text))
                || ASSIGNS.contains(&token.text) && !is_drawn(self.mistake.head_line());
            let stands_out = if step == 1 {
                !is_block
            } else {
                is_near && is_rare && !(is_text && signs_behind == 0)
            };
            stands_out.then_some((at, token))
        });
        wrong.into_iter().take(MOST_TWINS).find_map(|(at, token)| {
            let mut parts = self.parts(&self.expected_at(at, trial));
            // Where a word stands again further on, only a sign or a word of the language is surely another.
            let is_next = self.token_beyond(at + 1).is_some_and(|it| it.text == token.text);
            parts.retain(|part| part.is_sign || is_next || token.kind != TokenKind::Word);
            self.instead(token, parts, true, trial)
        })
    }

    /// Whether blanks or a brace before a token show that another is missing.
    fn is_odd_gap(&self, behind: isize) -> bool {
        let pair = (self.token_beyond(behind - 1), self.token_beyond(behind));
        let (Some(before), Some(token)) = pair else { return false };
        // A block may be read as a set behind an operator that lacks its value.
        token.text == "{" && (LOOSE.contains(&before.text) || ["in", ".."].contains(&before.text))
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
    let first = near.first()?;
    let each = |mend: &dyn Fn(&Near<'_>) -> Vec<Repair>| {
        near.iter().find_map(|it| it.first_that_reads(&mend(it), trial))
    };
    let fix = fault.fix.as_ref();
    let closed = fix.map(|fix| spliced(text, &(at(fix.span)..at(fix.span)), &fix.text));
    let is_closed = closed.is_some_and(|closed| trial.read(&closed).is_ok());
    let help = begins.then(|| missing_word(declaration, trial)).flatten();
    let help = help
        .or_else(|| near.iter().find_map(|it| it.glued(trial)))
        .or_else(|| each(&|it| it.doubled()))
        .or_else(|| each(&|it| it.moved_hole(0)))
        .or_else(|| first.first_that_reads(&first.doubled_within(2..=400), trial))
        .or_else(|| near.iter().find_map(|it| it.replaced(BRACKETS, *BRACKETS.start(), trial)));
    if help.is_none() && is_closed {
        return None;
    }
    let brackets = ["syntax::stray_bracket", "syntax::unclosed_bracket"];
    let is_bracket = fault.code.is_some_and(|code| brackets.contains(&code));
    if help.is_some() || !is_bracket {
        return help.map(|help| fault.clone().with_help(help));
    }
    let help = None
        .or_else(|| each(&|it| it.missing_opener(trial.words)))
        .or_else(|| each(&|it| it.nameless_call()))
        .or_else(|| each(&|it| it.other_brackets()))
        .or_else(|| {
            let (open, added) = (text[at(fault.place())..].chars().next()?, &fix?.text);
            let words = "and what else is missing, or take out the";
            Some(format!("add the `{added}` {words} `{open}`").into())
        });
    help.map(|help| fault.clone().with_help(help))
}

impl Near<'_> {
    /// `rule deal) {`: what a bracket closes began behind a name that it follows elsewhere in the file.
    fn missing_opener(&self, words: &FileWords) -> Vec<Repair> {
        let open = match self.token_beyond(0).map_or("", |it| it.text) {
            ")" => "(",
            "]" => "[",
            _ => return Vec::new(),
        };
        let before = (-20..=0).rev().filter_map(|at| {
            let (name, token) = (self.token_beyond(at - 1)?, self.token_beyond(at)?);
            let help = format!("`{open}` is missing behind {}:", quoted(name.text));
            let repair = Repair::new(name.end()..token.start, open, help).shown();
            words.has_pair(name.text, open).then_some(repair)
        });
        before.collect()
    }

    /// The bracket that is marked, or the same before it, changed places with its neighbour, stands for another, or is one too
    /// many; or what stands alone on a line below stands for what closes it.
    fn other_brackets(&self) -> Vec<Repair> {
        let Some(marked) = self.token_beyond(0) else { return Vec::new() };
        let before = self.token_beyond(-1).filter(|it| it.text == marked.text);
        let line = |it: &Token<'_>| {
            let (above, below) = self.mistake.text.split_at(it.start);
            [above.rsplit('\n').next(), below.lines().next()]
                .map(Option::unwrap_or_default)
                .concat()
        };
        let is_alone = |it: &&Token<'_>| it.text != "}" && line(it).trim() == it.text;
        let alone = self.tokens.iter().skip(self.at).filter(is_alone).copied();
        let alone = alone.flat_map(with_brackets);
        let instead = [marked].into_iter().chain(before).flat_map(with_brackets);
        // A hole reads on where a text lacks its end.
        let line = &self.mistake.text[marked.start..].lines().next().unwrap_or_default();
        let end = marked.start + line.trim_end().trim_end_matches(['{', ' ']).len();
        let words = "the closing quote is missing:".to_owned();
        let quote = marked.continues.then(|| Repair::new(end..end, "\"", words).shown());
        let closer =
            [("{", "}"), ("(", ")"), ("[", "]")].into_iter().find(|it| it.0 == marked.text);
        // On its line as late as can be, or before a declaration.
        let on_line = |it: &&Token<'_>| it.start >= marked.start && it.end() <= end;
        let after = self.tokens.iter().filter(on_line).rev().map(|it| (it.end(), "after", it.text));
        let margin = |it: &&Token<'_>| {
            self.mistake.text[..it.start].ends_with('\n') && begins_declaration(it.text)
        };
        let below = self.tokens.iter().skip(self.at + 1).filter(margin);
        let below = below.map(|it| (it.start, "before", it.text));
        let repairs = after.chain(below).filter_map(|(at, side, text)| {
            let (_, closer) = closer?;
            let words = format!("`{closer}` is missing {side} {}:", quoted(text));
            let breaks = if side == "before" { "\n" } else { "" };
            Some(Repair::new(at..at, [closer, breaks].concat(), words).shown())
        });
        let words = format!("{} is one too many: take it out", quoted(marked.text));
        let without = Repair::new(marked.start..marked.end(), "", words);
        let without = (marked.kind == TokenKind::Open).then_some(without);
        self.other_order()
            .into_iter()
            .chain(quote)
            .chain(alone)
            .chain(repairs)
            .chain(instead)
            .chain(without)
            .collect()
    }

    /// `{"offer p} a card"`, `{count(s)}{ and has me.points}`: a `{` too far to the left.
    pub(super) fn moved_hole(&self, first: isize) -> Vec<Repair> {
        let opens = (first..=0).rev().filter_map(|it| self.token_at(it));
        let repairs = opens.filter(|it| it.text == "{").filter_map(|brace| {
            let line = self.mistake.text[brace.end()..].lines().next()?;
            let held = &line[..line.find('}')?];
            let (before, value) = held.split_at(held.rfind([' ', '"'])? + 1);
            let is_text = (brace.continues || before.contains('"')) && !before.contains('{');
            let words = format!("the `{{` belongs before `{value}`:");
            let range = brace.start..brace.end() + before.len();
            let moved = Repair::new(range, format!("{before}{{"), words).shown();
            (is_text && !value.is_empty()).then_some(moved)
        });
        repairs.collect()
    }
}

/// Each bracket in the place of a token.
fn with_brackets(token: Token<'_>) -> impl Iterator<Item = Repair> {
    let brackets =
        ["}", ")", "]", "{", "(", "[", "\""].into_iter().filter(move |it| *it != token.text);
    brackets.map(move |bracket| {
        let words = format!("`{bracket}` is expected in place of `{}`:", token.text);
        Repair::new(token.start..token.end(), bracket, words).shown()
    })
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
    let quotes = quotes_at.clone().map(|at| {
        let words = "one quote of this line is too many: without it".to_owned();
        Repair::new(at..at + 1, "", words).shown()
    });
    let begins =
        |it: &&Token<'_>| (start..at).contains(&it.start) && text[..it.start].ends_with(' ');
    let words = near.tokens.iter().filter(begins).map(|it| {
        let words = format!("the opening quote is missing before {}:", quoted(it.text));
        Repair::new(it.start..it.start, "\"", words).shown()
    });
    let quote = |start| Token { kind: TokenKind::Sign, text: "\"", start, continues: false };
    let closers = quotes_at.clone().flat_map(|at| with_brackets(quote(at)));
    let all = quotes.chain(words).chain(closers).collect::<Vec<_>>();
    let help = near.first_that_reads(&all, trial)?;
    Some(fault.clone().with_help(help))
}
