//! Repairs of one word or sign: what stands twice, is missing, changed places, or is one too many. Each is tried out:
//! with what the help says, the declaration can be read.

use std::ops::Range;

use crate::diagnostic::Help;
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::slips::context::statement_words;
use crate::syntax::slips::parts::{Part, any_of};
use crate::syntax::tokens::{RESERVED, Token, TokenKind, is_drawn, is_part, tokenize};

/// No repair is looked for in a longer declaration, since it is read again for each.
const LONGEST: usize = 16 * 1024;

/// A longer line is shown in part.
const LONGEST_SHOWN: usize = 70;

/// Another text of the declaration, read: it fails at an offset where something of these rules is expected.
pub(in crate::syntax) type Trial<'t> = dyn Fn(&str) -> Result<(), (usize, Vec<Rule>)> + 't;

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
    let near = Near::within_reach(mistake)?;
    let try_all = |repairs: Vec<Repair>| near.first_that_reads(&repairs, trial);
    near.missing(0, near.parts(mistake.expected), false, trial)
        .or_else(|| near.wrong(trial))
        .or_else(|| try_all(near.moved_title()))
        .or_else(|| try_all(near.first_words()))
        .or_else(|| try_all(near.nameless_call()))
        .or_else(|| try_all(near.surplus()))
}

/// What to do about a slip that the text itself shows: a word twice, or blanks where none belong.
pub(in crate::syntax) fn find_evident(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let near = Near::within_reach(mistake)?;
    near.first_that_reads(&near.doubled(), trial).or_else(|| near.evident(trial))
}

/// What to do about two words or signs that changed places, unless a value may as well be missing.
pub(in crate::syntax) fn find_swapped(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let near = Near::within_reach(mistake)?;
    let swapped = near.first_that_reads(&near.swaps(false), trial)?;
    near.missing(0, near.values(), false, trial).or(Some(swapped))
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
        || trial(&mended).map_or_else(|(at, _)| at > end && reads_on(at), |()| true)
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
    found: usize,
    ends_line: bool,
}

impl<'a> Near<'a> {
    pub(super) fn within_reach(mistake: &'a GrammarMistake<'a>) -> Option<Near<'a>> {
        if mistake.text.len() > LONGEST {
            return None;
        }
        let tokens = seen_tokens(mistake.text);
        let ends_line = ["", "\n"].contains(&mistake.found);
        let begin = mistake.before.len();
        let at = tokens.partition_point(|token| token.start < begin);
        let found = tokens.get(at).filter(|_| !ends_line).map(|token| token.start);
        Some(Near { mistake, at, found: found.unwrap_or(begin), ends_line, tokens })
    }

    fn reads(&self, repair: &Repair, trial: &Trial) -> bool {
        trial(&spliced(self.mistake.text, &repair.range, &repair.text)).is_ok()
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
        let twice = [0, -1, 1, -2, -3, -4, -5, -6, -7, -8, -9].into_iter().filter_map(|second| {
            let (second, first) = (self.token_at(second)?, self.token_at(second - 1)?);
            // Without one of two commas a table or a list may mean something else: a blank offers no fix.
            let (text, words) = match first.text {
                "," => {
                    (" ", "a name is missing between the two `,`, or one is too many".to_owned())
                }
                text => ("", format!("{} stands here twice: take one out", quoted(text))),
            };
            let is_block =
                second.text == "}" && self.mistake.text[first.end()..second.start].contains('\n');
            (second.text == first.text && !is_block)
                .then(|| Repair::new(first.end()..second.end(), text, words))
        });
        twice.collect()
    }

    /// What is missing before the token so many places behind the mistake. Where blanks show that a word was there,
    /// `is_sure`, all that could be meant is named.
    pub(super) fn missing(
        &self,
        behind: isize,
        parts: Vec<Part>,
        is_sure: bool,
        trial: &Trial,
    ) -> Option<Help> {
        let (last, token) = (self.token_beyond(behind - 1), self.token_at(behind));
        let ends_line = behind == 0 && self.ends_line;
        let at = match self.token_beyond(behind) {
            _ if ends_line => last.map_or(self.found, |it| it.end()),
            Some(token) if behind != 0 => token.start,
            _ => self.found,
        };
        // `copies` counts and `return` ends a rule: no text follows them. `say` says one.
        let is_text = token.is_some_and(|it| it.kind == TokenKind::Text);
        let assigns = parts.iter().any(|it| it.text == "+=");
        let fits = |part: &Part| match part.text {
            "copies" | "return" => !is_text,
            "say" => is_text,
            "top" => token.is_some_and(|it| it.text == "of"),
            "=" | "+=" | "-=" if assigns => is_sure,
            "," if self.folds() => false,
            "," | ":" | "." | "(" | "[" => !is_sure,
            _ => true,
        };
        let parts = parts.into_iter().filter(fits).collect();
        let found = self.that_read(at..at, parts, is_sure, trial);
        let place = self.place(behind);
        let Some(first) = found.first() else { return self.new_line(behind, trial) };
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
    fn that_read(
        &self,
        range: Range<usize>,
        parts: Vec<Part>,
        all: bool,
        trial: &Trial,
    ) -> Vec<Part> {
        let mut found: Vec<Part> = Vec::new();
        for part in parts {
            let text = format!(" {} ", part.text);
            let repair = Repair::new(range.clone(), text, String::new());
            let is_wanted = match found.first() {
                Some(first) if first.text == "," || first.text == "\n" => all,
                Some(first) => first.is_sign && (all || part.is_operator()),
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
    pub(super) fn instead(
        &self,
        token: Token<'_>,
        mut parts: Vec<Part>,
        all: bool,
        trial: &Trial,
    ) -> Option<Help> {
        parts.retain(|part| part.text != token.text);
        let found = self.that_read(token.start..token.end(), parts, all, trial);
        let first = found.first()?;
        // Of a sign and an operator the first is shown, unless the text says that both may be meant.
        let found = if all || !first.is_sign { &found[..] } else { &found[..1] };
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
        self.instead(found, parts, false, trial)
    }

    /// `a = 1 b = 2`
    fn new_line(&self, behind: isize, trial: &Trial) -> Option<Help> {
        let found =
            self.token_at(0).filter(|_| behind == 0 && self.mistake.expects(Rule::separator))?;
        let words =
            format!("begin a new line before {0}, or write `;` before it", quoted(found.text));
        let range = self.found..self.found;
        self.first_that_reads(&[Repair::new(range, "; ", words)], trial)
    }

    /// `for p Player in`
    pub(super) fn swaps(&self, is_sure: bool) -> Vec<Repair> {
        let pairs = [(-1, 0), (0, 1), (-2, -1)].into_iter();
        pairs.filter_map(|(first, second)| self.swap(first, second, is_sure)).collect()
    }

    /// Two tokens in the other order. Signs alone are swapped only where the blanks around them then fit better.
    fn swap(&self, first: isize, second: isize, is_sure: bool) -> Option<Repair> {
        let (first, second) = (self.token_beyond(first)?, self.token_beyond(second)?);
        let whole = |it: &Token<'_>| {
            it.kind != TokenKind::Text || it.text.len() > 1 && it.text.ends_with('"')
        };
        let word = |it: &Token<'_>| matches!(it.kind, TokenKind::Word | TokenKind::Number);
        if !whole(&first) || !whole(&second) || !is_sure && !word(&first) && !word(&second) {
            return None;
        }
        let text = self.mistake.text;
        let gap = &text[first.end()..second.start];
        if gap.contains('\n') && second.start == self.found && !self.ends_line {
            return None;
        }
        // The words of a text are in no order that a grammar knows.
        let known = |it: &Token<'_>| it.kind != TokenKind::Word || RESERVED.contains(&it.text);
        if self.mistake.in_text() && !(known(&first) && known(&second)) {
            return None;
        }
        // Behind a dot a name is missing, whatever comes next.
        let before = self.tokens.iter().rfind(|it| it.end() <= first.start);
        if before.is_some_and(|it| it.text == ".") && !gap.is_empty() {
            return None;
        }
        let is_sign = |it: char| ".=<>+-".contains(it);
        let joins = |left: &str, right: &str| {
            left.ends_with(is_part) && right.starts_with(is_part)
                || left.ends_with(is_sign) && right.starts_with(is_sign)
        };
        if joins(&text[..first.start], second.text) || joins(first.text, &text[second.end()..]) {
            return None;
        }
        let words =
            format!("{} and {} have changed places:", quoted(first.text), quoted(second.text));
        let swapped = format!("{}{gap}{}", second.text, first.text);
        let repair = Repair::new(first.start..second.end(), swapped, words).shown();
        (!is_sure || self.improves(&repair)).then_some(repair)
    }

    /// `table span "length" [Line]` and `wins[Suit] "tricks": 0..9`: a title on the wrong side of the brackets.
    fn moved_title(&self) -> Vec<Repair> {
        let Some(title) = self.token_at(0).filter(|it| it.kind == TokenKind::Text) else {
            return Vec::new();
        };
        let touches = |at, sign| self.token_at(at).is_some_and(|it| it.text == sign);
        let words = "the title stands on the other side of the brackets".to_owned();
        let is_moved = touches(1, "[") || touches(-1, "]");
        is_moved.then(|| Repair::new(title.start..title.end(), " ", words)).into_iter().collect()
    }

    fn surplus(&self) -> Vec<Repair> {
        let tokens = [0, -1].into_iter().filter_map(|it| self.token_at(it));
        let words = |it: &Token<'_>| format!("{} is one too many: take it out", quoted(it.text));
        tokens.map(|it| Repair::new(it.start..it.end(), "", words(&it))).collect()
    }

    /// `others win others(me)`, `a == b { … }`: the first word of a statement is another, or missing.
    fn first_words(&self) -> Vec<Repair> {
        let begun = self.mistake.line_before().rsplit(['{', ';']).next().unwrap_or_default().trim();
        let start = self.mistake.before.trim_end().len().saturating_sub(begun.len());
        let Some(first) = self.tokens.iter().find(|it| it.start == start && !begun.is_empty())
        else {
            return Vec::new();
        };
        // `turns` takes the fewest things, so it is the surest.
        let mut words = statement_words();
        words.sort_by_key(|word| word != "turns");
        let meant = nearest(begun, words.iter().map(String::as_str)).map(|word| {
            let help = format!("did you mean `{word}`?");
            Repair::new(start..first.end(), word, help)
        });
        let before = words.iter().map(|word| {
            let help = format!("`{word}` is missing before `{}`:", first.text);
            Repair::new(start..start, format!("{word} "), help).shown()
        });
        let instead = words.iter().filter(|_| begun == first.text).map(|word| {
            let help = format!("`{begun}` begins no statement:");
            Repair::new(start..first.end(), word, help).shown()
        });
        meant.into_iter().chain(before).chain(instead).collect()
    }

    /// `in (f, orthogonal)`: what is called has no name.
    fn nameless_call(&self) -> Vec<Repair> {
        let opens = (-9..0).rev().filter_map(|it| self.token_at(it)).find(|it| it.text == "(");
        let words = "a name is missing before the `(`, as in `name(a, b)`".to_owned();
        let call = opens.filter(|_| self.mistake.found == ",");
        call.map(|open| Repair::new(open.start..open.start, " x", words)).into_iter().collect()
    }

    /// Where a token is missing, seen from what stands around it.
    fn place(&self, behind: isize) -> String {
        let (before, found) = (self.token_beyond(behind - 1), self.token_at(behind));
        let above = |it: &Token<'_>| {
            found.is_some_and(|found| self.mistake.text[it.end()..found.start].contains('\n'))
        };
        match (before.filter(|it| !above(it)), found) {
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
            from =
                self.token_at(-3).map_or(line, |token| token.start.clamp(line, repair.range.start));
            let behind = seen_tokens(&text[end..line_end]);
            to = behind.iter().take(3).next_back().map_or(end, |it| end + it.end());
        }
        let shown = text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        let help = Help::from(format!("{} write `{shown}`", repair.words));
        help.with(&repair.text).with_span(span)
    }
}

/// A token as it is spoken of.
pub(super) fn quoted(token: &str) -> String {
    match token {
        token if token.starts_with('"') => "the text".to_owned(),
        token => format!("`{token}`"),
    }
}
