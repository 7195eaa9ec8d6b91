//! Repairs of one word or sign: what stands twice, is missing, changed places, or is one too many. Each is tried out:
//! with what the help says, the declaration can be read.

use std::cell::Cell;
use std::ops::Range;

use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::evidence::LOOSE;
use crate::syntax::slips::parts::{Part, any_of};
use crate::syntax::tokens::{Token, TokenKind, is_drawn, is_part, tokenize};

/// No repair is looked for in a longer declaration, since it is read again for each.
pub(in crate::syntax) const LONGEST: usize = 16 * 1024;

/// A longer line is shown in part.
const LONGEST_SHOWN: usize = 90;

/// What repairs are tried with.
pub(in crate::syntax) struct Trial<'t> {
    pub(in crate::syntax) reader: &'t Reader<'t>,
    /// How many bytes may still be read.
    pub(in crate::syntax) left: &'t Cell<usize>,
}

/// Reads another text of the declaration: it fails at an offset where something of these rules is expected.
type Reader<'t> = dyn Fn(&str) -> Result<(), (usize, Vec<Rule>)> + 't;

impl Trial<'_> {
    pub(in crate::syntax) fn read(&self, text: &str) -> Result<(), (usize, Vec<Rule>)> {
        (self.reader)(text)
    }
}

/// A piece of the declaration, what takes its place, and what to say about that.
pub(super) struct Repair {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    pub(super) words: String,
    /// Whether the help shows what the line is then.
    pub(super) shows: bool,
}

impl Repair {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>, words: String) -> Repair {
        Repair { range, text: text.into(), words, shows: false }
    }

    pub(super) fn shown(self) -> Repair {
        Repair { shows: true, ..self }
    }
}

/// What mends the mistake, if one word or sign does.
pub(in crate::syntax) fn find_repair(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let near = Near::within_reach(mistake, trial)?;
    let try_all = |repairs: Vec<Repair>| near.first_that_reads(&repairs, trial);
    near.missing(near.parts(mistake.expected), trial)
        .or_else(|| try_all(near.other_order()))
        .or_else(|| near.wrong(trial))
        .or_else(|| try_all(near.moved_title()))
        .or_else(|| near.first_words(trial))
        .or_else(|| try_all(near.surplus()))
}

/// What to do about a slip that the text itself shows: a word twice.
pub(in crate::syntax) fn find_evident(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let near = Near::within_reach(mistake, trial)?;
    near.first_that_reads(&near.doubled(), trial)
}

/// Whether the words that a help offers are read where they stand.
pub(in crate::syntax) fn is_sound(help: &Help, mistake: &GrammarMistake, trial: &Trial) -> bool {
    let Some((span, text)) = help.replacement() else { return true };
    let at = |offset: u32| (offset as usize).saturating_sub(mistake.base).min(mistake.text.len());
    let span = span.unwrap_or(mistake.span);
    let range = at(span.start)..at(span.end);
    let (mended, end) = (spliced(mistake.text, &range, text), range.start + text.len());
    // The text behind the repair may have mistakes of its own.
    let reads_on = |failed| mended.get(end..failed).is_none_or(|behind| behind.contains(is_part));
    mended.len() > LONGEST
        || trial.read(&mended).map_or_else(|(at, _)| at > end && reads_on(at), |()| true)
}

/// The tokens of a text, without blanks and comments.
pub(super) fn seen_tokens(text: &str) -> Vec<Token<'_>> {
    let blank = |kind| matches!(kind, TokenKind::Space | TokenKind::End | TokenKind::Comment);
    tokenize(text).all.into_iter().filter(|token| !blank(token.kind)).collect()
}

pub(super) fn spliced(text: &str, range: &Range<usize>, instead: &str) -> String {
    [&text[..range.start], instead, &text[range.end..]].concat()
}

/// The tokens around a mistake.
pub(super) struct Near<'a> {
    pub(super) mistake: &'a GrammarMistake<'a>,
    pub(super) tokens: Vec<Token<'a>>,
    /// The place of the first token that does not fit.
    pub(super) at: usize,
    /// Where it begins in the text, or the line ends before it.
    pub(super) found: usize,
    ends_line: bool,
}

impl<'a> Near<'a> {
    pub(super) fn within_reach(mistake: &'a GrammarMistake<'a>, trial: &Trial) -> Option<Near<'a>> {
        if mistake.text.len() > LONGEST || trial.left.get() == 0 {
            return None;
        }
        let tokens = seen_tokens(mistake.text);
        let ends_line = ["", "\n"].contains(&mistake.found);
        let begin = mistake.before.len();
        let at = tokens.partition_point(|token| token.start < begin);
        let found = tokens.get(at).filter(|_| !ends_line).map(|token| token.start);
        Some(Near { mistake, at, found: found.unwrap_or(begin), ends_line, tokens })
    }

    /// The tokens of a text of any length.
    pub(super) fn anywhere(mistake: &'a GrammarMistake<'a>) -> Near<'a> {
        let tokens = seen_tokens(mistake.text);
        Near { mistake, at: 0, found: 0, ends_line: false, tokens }
    }

    /// True if the text reads with a repair, and no word stands twice then: it could only read as another slip does.
    pub(super) fn reads(&self, repair: &Repair, trial: &Trial) -> bool {
        let (text, word) = (self.mistake.text, repair.text.trim());
        let is_word = word.starts_with(char::is_alphabetic);
        let is_twice = text[..repair.range.start].split_whitespace().next_back() == Some(word)
            || text[repair.range.end..].split_whitespace().next() == Some(word);
        !(is_word && is_twice)
            && trial.read(&spliced(self.mistake.text, &repair.range, &repair.text)).is_ok()
    }

    pub(super) fn first_that_reads(&self, repairs: &[Repair], trial: &Trial) -> Option<Help> {
        repairs.iter().find(|it| self.reads(it, trial)).map(|repair| self.help(repair))
    }

    /// The token so many places behind the mistake, on its line; `-1` is the last before it.
    pub(super) fn token_at(&self, behind: isize) -> Option<Token<'a>> {
        if self.ends_line && behind >= 0 {
            return None;
        }
        self.token_beyond(behind)
    }

    /// The same, on whatever line.
    pub(super) fn token_beyond(&self, behind: isize) -> Option<Token<'a>> {
        self.tokens.get(self.at.checked_add_signed(behind)?).copied()
    }

    /// `p p`, at the mistake or a little before it.
    pub(super) fn doubled(&self) -> Vec<Repair> {
        let places = [0, -1, 1].into_iter().chain((-40..-1).rev());
        let twice = places.filter_map(|at| {
            let (second, first) = (self.token_at(at)?, self.token_at(at - 1)?);
            let between = &self.mistake.text[first.end()..second.start];
            // Without one of two commas a table or a list may mean something else: a blank offers no fix.
            let (text, words) = match first.text {
                "," => {
                    (" ", "a name is missing between the two `,`, or one is too many".to_owned())
                }
                text if (-2..=1).contains(&at) => {
                    ("", format!("{} stands here twice: take one out", quoted(text)))
                }
                text => ("", format!("{} stands twice: take one out and", quoted(text))),
            };
            // Blocks end below each other, and far away brackets often close together.
            let is_block = second.text == "}" && between.contains('\n')
                || second.kind == TokenKind::Close && at > 1;
            (second.text == first.text && !is_block)
                .then(|| Repair::new(first.end()..second.end(), text, words))
                .map(|repair| Repair { shows: !(-2..=1).contains(&at), ..repair })
        });
        twice.collect()
    }

    /// What is missing before the mistake.
    fn missing(&self, parts: Vec<Part>, trial: &Trial) -> Option<Help> {
        let (last, token) = (self.token_beyond(-1), self.token_at(0));
        let at = if self.ends_line { last.map_or(self.found, |it| it.end()) } else { self.found };
        // `copies` counts and `return` ends a rule: no text follows them. `say` says one.
        let is_text = token.is_some_and(|it| it.kind == TokenKind::Text);
        let assigns = parts.iter().any(|it| it.text == "+=");
        let fits = |part: &Part| match part.text {
            "copies" | "return" => !is_text,
            "say" => is_text,
            "top" => token.is_some_and(|it| it.text == "of"),
            "=" | "+=" | "-=" => !assigns,
            "," => !self.folds(),
            _ => true,
        };
        let parts = parts.into_iter().filter(fits).collect();
        let found = self.that_read(at..at, parts, trial);
        let place = self.place();
        let Some(first) = found.first() else { return self.new_line(trial) };
        let surplus = match last {
            Some(last) if last.text == "," && !first.is_sign => ", or the `,` is one too many",
            _ => "",
        };
        let words = if first.is_operator() {
            format!(
                "two values stand side by side {place}: an operator is missing, or one of them is too many"
            )
        } else {
            format!("{} is missing {place}{surplus}", any_of(&found))
        };
        Some(self.part_help(at..at, &found, words))
    }

    /// The parts that can be read in the place of a stretch: a value, or the first sign and what else may be meant.
    fn that_read(&self, range: Range<usize>, parts: Vec<Part>, trial: &Trial) -> Vec<Part> {
        let mut found: Vec<Part> = Vec::new();
        for part in parts {
            let text = format!(" {} ", part.text);
            let repair = Repair::new(range.clone(), text, String::new());
            let is_wanted = match found.first() {
                Some(first) if first.text == "," || first.text == "\n" => false,
                Some(first) => first.is_sign && part.is_operator(),
                None => true,
            };
            if is_wanted
                && found.iter().all(|it| it.what != part.what)
                && self.reads(&repair, trial)
            {
                found.push(part);
            }
        }
        found
    }

    /// The help for parts of which one belongs to a place. A single sign is shown in its line.
    fn part_help(&self, range: Range<usize>, found: &[Part], words: String) -> Help {
        let shows = found.len() == 1 && found[0].is_sign;
        let words = if shows { format!("{words}:") } else { words };
        self.help(&Repair { range, text: format!(" {} ", found[0].text), words, shows })
    }

    /// What is expected in the place of a token.
    fn instead(&self, token: Token<'_>, parts: Vec<Part>, trial: &Trial) -> Option<Help> {
        let parts = parts.into_iter().filter(|part| part.text != token.text).collect();
        let found = self.that_read(token.start..token.end(), parts, trial);
        let first = found.first()?;
        // Of a sign and an operator the first is shown.
        let found = if first.is_sign { &found[..1] } else { &found[..] };
        let words = format!("{} is expected in place of {}", any_of(found), quoted(token.text));
        Some(self.part_help(token.start..token.end(), found, words))
    }

    /// `board Grid 3 3 3`
    fn wrong(&self, trial: &Trial) -> Option<Help> {
        let found = self.token_at(0)?;
        // A word is no sign that somebody mistook for another, unless it stands there again. No sign is a heading.
        let is_twin = |at| self.token_beyond(at).is_some_and(|it| it.text == found.text);
        let is_word = found.text.starts_with(char::is_alphabetic) && !(1..=2).any(is_twin);
        let is_drawn = is_drawn(self.mistake.head_line());
        let mut parts = self.parts(self.mistake.expected);
        let assigns = parts.iter().any(|it| it.text == "+=");
        parts.retain(|part| match part.is_sign {
            _ if ["top", "+=", "-="].contains(&part.text) => false,
            true if part.text == "=" => !is_word && !is_drawn && (!assigns || found.text == "=="),
            // What a comma separates stands in parentheses already.
            true if part.text == "(" && found.text == "," => false,
            true => part.text != "\n" && (!is_word || part.text.starts_with(char::is_alphabetic)),
            false => !part.is_operator() && part.what != "a text in quotes",
        });
        parts.sort_by_key(|part| !part.is_sign);
        self.instead(found, parts, trial)
    }

    /// `a = 1 b = 2`
    fn new_line(&self, trial: &Trial) -> Option<Help> {
        let found = self.token_at(0).filter(|_| self.mistake.expects(Rule::separator))?;
        let words =
            format!("begin a new line before {0}, or write `;` before it", quoted(found.text));
        let range = self.found..self.found;
        self.first_that_reads(&[Repair::new(range, "; ", words)], trial)
    }

    fn surplus(&self) -> Vec<Repair> {
        let tokens = [0, -1].into_iter().filter_map(|it| self.token_at(it));
        let words = |it: &Token<'_>| format!("{} is one too many: take it out", quoted(it.text));
        tokens.map(|it| Repair::new(it.start..it.end(), "", words(&it))).collect()
    }

    /// `for p Player in`: two words or signs in the other order.
    fn other_order(&self) -> Vec<Repair> {
        // The words of a text are in no order that a grammar knows.
        let is_sign = |it: &Token<'_>| it.kind != TokenKind::Word;
        let pairs = [(-1, 0), (0, 1)].into_iter().filter_map(|(a, b)| {
            let (a, b) = (self.token_beyond(a)?, self.token_beyond(b)?);
            let fits = !self.mistake.in_text() || is_sign(&a) || is_sign(&b);
            exchanged(self.mistake.text, a, b).filter(|_| fits)
        });
        pairs.collect()
    }

    /// Where a token is missing, seen from what stands around it.
    fn place(&self) -> String {
        let (before, found) = (self.token_beyond(-1), self.token_at(0));
        let above = |it: &Token<'_>| {
            found.is_some_and(|found| self.mistake.text[it.end()..found.start].contains('\n'))
        };
        // A line that ends with a sign lacks what follows it.
        let found =
            found.filter(|_| !before.is_some_and(|it| above(&it) && LOOSE.contains(&it.text)));
        match (before.filter(|it| found.is_none() || !above(it)), found) {
            (Some(before), Some(found)) => {
                format!("between {} and {}", quoted(before.text), quoted(found.text))
            }
            (Some(before), None) => format!("after {}", quoted(before.text)),
            (None, Some(found)) => format!("before {}", quoted(found.text)),
            (None, None) => "here".to_owned(),
        }
    }

    pub(super) fn help(&self, repair: &Repair) -> Help {
        let base = self.mistake.base;
        let span = Span::new(base + repair.range.start, base + repair.range.end);
        if !repair.shows {
            let help = Help::from(&repair.words);
            // What stands between blanks is only one of many that could be meant.
            let is_meant = repair.text.trim() == repair.text;
            return if is_meant { help.with(&repair.text).with_span(span) } else { help };
        }
        let text = spliced(self.mistake.text, &repair.range, &repair.text);
        let line = text[..repair.range.start].rfind('\n').map_or(0, |end| end + 1);
        let end = repair.range.start + repair.text.len();
        let line_end = text[end..].find('\n').map_or(text.len(), |it| end + it);
        let (mut from, mut to) = (line, line_end);
        if to - from > LONGEST_SHOWN {
            let before = self.tokens.iter().rev().filter(|it| it.start < repair.range.start);
            from = before.take(3).last().map_or(line, |token| token.start.max(line));
            let behind = seen_tokens(&text[end..line_end]);
            to = behind.iter().take(3).next_back().map_or(end, |it| end + it.end());
        }
        let cut = |is_cut: bool| if is_cut { "…" } else { "" };
        let shown = [cut(from > line), &lines_of_code(&text[from..to]), cut(to < line_end)];
        let shown = shown.concat();
        let help = Help::from(format!("{} write `{shown}`", repair.words));
        help.with(&repair.text).with_span(span)
    }
}

/// Lines without their comments and blanks, as they are shown.
fn lines_of_code(text: &str) -> String {
    let code = |line: &str| {
        let comment = tokenize(line).all.into_iter().find(|it| it.kind == TokenKind::Comment);
        let code = &line[..comment.map_or(line.len(), |it| it.start)];
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lines = text.lines().map(code).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("` and below it `")
}

/// Two tokens in the other order, if each of them is whole.
pub(super) fn exchanged(text: &str, first: Token<'_>, second: Token<'_>) -> Option<Repair> {
    let is_whole =
        |it: &Token<'_>| it.kind != TokenKind::Text || it.text.len() > 1 && it.text.ends_with('"');
    let words = format!("{} and {} have changed places:", quoted(first.text), quoted(second.text));
    let swapped = [second.text, &text[first.end()..second.start], first.text].concat();
    (is_whole(&first) && is_whole(&second))
        .then(|| Repair::new(first.start..second.end(), swapped, words).shown())
}

/// A token as it is spoken of.
pub(super) fn quoted(token: &str) -> String {
    match token {
        token if token.starts_with('"') => "the text".to_owned(),
        token => format!("`{token}`"),
    }
}
