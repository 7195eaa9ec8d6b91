//! Repairs of one word or sign: what stands twice, is missing, changed places, or is one too many. Each is tried out:
//! with what the help says, the declaration can be read.

use std::ops::Range;

use super::context::{OPERATORS, statement_words};
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::explain::{GrammarMistake, Rank, describe_rule, rank};
use crate::syntax::parser::{Rule, token};
use crate::syntax::tokens::{Token, TokenKind, is_part, tokenize};

/// No repair is looked for in a longer declaration, since it is read again for each.
const LONGEST: usize = 16 * 1024;

/// A longer line is shown in part.
const LONGEST_SHOWN: usize = 70;

/// How many signs are tried where many are expected: there none of them tells what was meant.
const MOST_SIGNS: usize = 12;

/// A piece of the declaration, what takes its place, and what to say about that.
struct Repair {
    range: Range<usize>,
    text: String,
    words: String,
    /// Whether the help shows what the line is then.
    shows: bool,
}

/// What mends the mistake, if one word or sign does. `reads` tells whether another text of the declaration can be read.
pub(in crate::syntax) fn find_repair(
    mistake: &GrammarMistake,
    reads: &dyn Fn(&str) -> bool,
) -> Option<Help> {
    Near::within_reach(mistake)?.repair(reads)
}

/// What to do about a word or sign that stands twice.
pub(in crate::syntax) fn find_doubled(
    mistake: &GrammarMistake,
    reads: &dyn Fn(&str) -> bool,
) -> Option<Help> {
    let near = Near::within_reach(mistake)?;
    near.first_that_reads(&near.doubled(), reads)
}

/// What to do about two words or signs that changed places.
pub(in crate::syntax) fn find_swapped(
    mistake: &GrammarMistake,
    reads: &dyn Fn(&str) -> bool,
) -> Option<Help> {
    let near = Near::within_reach(mistake)?;
    near.first_that_reads(&near.swapped(), reads)
}

fn spliced(text: &str, range: &Range<usize>, instead: &str) -> String {
    [&text[..range.start], instead, &text[range.end..]].concat()
}

/// The tokens around a mistake.
struct Near<'a> {
    mistake: &'a GrammarMistake<'a>,
    tokens: Vec<Token<'a>>,
    /// The place of the first token that does not fit.
    at: usize,
    /// Where it begins in the text, or the line ends before it.
    found: usize,
    ends_line: bool,
}

impl<'a> Near<'a> {
    fn within_reach(mistake: &'a GrammarMistake<'a>) -> Option<Near<'a>> {
        (mistake.text.len() <= LONGEST).then(|| Near::new(mistake))
    }

    fn first_that_reads(&self, repairs: &[Repair], reads: &dyn Fn(&str) -> bool) -> Option<Help> {
        let text = self.mistake.text;
        let found = repairs.iter().find(|it| reads(&spliced(text, &it.range, &it.text)));
        found.map(|repair| self.help(repair))
    }

    fn repair(&self, reads: &dyn Fn(&str) -> bool) -> Option<Help> {
        self.first_that_reads(&self.missing_signs(), reads)
            .or_else(|| self.first_that_reads(&self.missing_values(), reads))
            .or_else(|| self.first_that_reads(&self.missing_before_block(), reads))
            .or_else(|| self.first_that_reads(&self.wrong(), reads))
            .or_else(|| self.first_that_reads(&self.moved_title(), reads))
            .or_else(|| self.first_that_reads(&self.surplus(), reads))
            .or_else(|| self.first_that_reads(&self.first_words(), reads))
    }

    fn new(mistake: &'a GrammarMistake<'a>) -> Near<'a> {
        let blank = |kind| matches!(kind, TokenKind::Space | TokenKind::End | TokenKind::Comment);
        let all = tokenize(mistake.text).all;
        let tokens: Vec<_> = all.into_iter().filter(|token| !blank(token.kind)).collect();
        let ends_line = ["", "\n"].contains(&mistake.found);
        let begin = mistake.before.len();
        let at = tokens.partition_point(|token| token.start < begin);
        let found = tokens.get(at).filter(|_| !ends_line).map(|token| token.start);
        Near { mistake, at, found: found.unwrap_or(begin), ends_line, tokens }
    }

    /// The token so many places behind the mistake; `-1` is the last before it.
    fn token_at(&self, behind: isize) -> Option<Token<'a>> {
        if self.ends_line && behind >= 0 {
            return None;
        }
        self.tokens.get(self.at.checked_add_signed(behind)?).copied()
    }

    /// `p p`, at the mistake or a little before it.
    fn doubled(&self) -> Vec<Repair> {
        let twice = [0, -1, 1, -2, -3, -4, -5, -6, -7, -8, -9].into_iter().filter_map(|second| {
            let (second, first) = (self.token_at(second)?, self.token_at(second - 1)?);
            (second.text == first.text).then(|| Repair {
                range: first.end()..second.end(),
                text: String::new(),
                words: format!("{} stands here twice: take one out", quoted(first.text)),
                shows: false,
            })
        });
        twice.collect()
    }

    /// `size > { … }`: a set is read in the place of the block, and the mistake is found in it.
    fn missing_before_block(&self) -> Vec<Repair> {
        let pairs = (-9..-1)
            .filter_map(|before| Some((self.token_at(before)?, self.token_at(before + 1)?)));
        let blocks = pairs.filter(|(before, brace)| {
            brace.text == "{" && (OPERATORS.contains(&before.text) || before.text == "in")
        });
        blocks
            .map(|(before, brace)| Repair {
                range: brace.start..brace.start,
                text: "x ".to_owned(),
                words: format!(
                    "an expression is missing between `{}` and the `{{` of its line",
                    before.text
                ),
                shows: false,
            })
            .collect()
    }

    /// The words and signs that are expected, the most telling first.
    fn signs(&self) -> Vec<&'static str> {
        let mut rules: Vec<Rule> = self.mistake.expected.to_vec();
        rules.retain(|rule| {
            !matches!(rule, Rule::EOI | Rule::separator) && rank(*rule) != Rank::Behind
        });
        rules.sort_by_key(|rule| rank(*rule));
        // Most often all brackets have their partners already.
        let text = self.mistake.text;
        let opens = |sign: &str, closer| text.matches(sign).count() < text.matches(closer).count();
        let signs = rules.into_iter().filter_map(token).filter(|sign| match *sign {
            "{" => opens("{", "}"),
            "(" => opens("(", ")"),
            "[" => opens("[", "]"),
            sign => !"})]".contains(sign),
        });
        signs.take(MOST_SIGNS).collect()
    }

    /// `for path lists of …`
    fn missing_signs(&self) -> Vec<Repair> {
        let at = if self.ends_line {
            self.token_at(-1).map_or(self.found, |it| it.end())
        } else {
            self.found
        };
        let where_to = self.place();
        // `copies` counts: no text follows it.
        let is_text = self.token_at(0).is_some_and(|it| it.kind == TokenKind::Text);
        let signs = self.signs().into_iter().filter(|sign| !is_text || *sign != "copies");
        let mut repairs: Vec<Repair> = signs
            .map(|sign| Repair {
                range: at..at,
                text: format!(" {sign} "),
                words: format!("`{sign}` is missing {where_to}:"),
                shows: true,
            })
            .collect();
        if self.mistake.expects(Rule::separator)
            && let Some(found) = self.token_at(0)
        {
            let found = quoted(found.text);
            repairs.push(Repair {
                range: at..at,
                text: "; ".to_owned(),
                words: format!("begin a new line before {found}, or write `;` before it"),
                shows: false,
            });
        }
        repairs
    }

    /// `for p Player in`
    fn swapped(&self) -> Vec<Repair> {
        let pairs = [(-1, 0), (0, 1), (-2, -1)].into_iter().filter_map(|(first, second)| {
            let (first, second) = (self.token_at(first)?, self.token_at(second)?);
            let whole = |it: &Token<'_>| {
                it.kind != TokenKind::Text || it.text.len() > 1 && it.text.ends_with('"')
            };
            let word = |it: &Token<'_>| matches!(it.kind, TokenKind::Word | TokenKind::Number);
            if !whole(&first) || !whole(&second) || !word(&first) && !word(&second) {
                return None;
            }
            let text = self.mistake.text;
            let gap = &text[first.end()..second.start];
            // Behind a dot a name is missing, whatever comes next.
            let behind_dot =
                self.token_at(-1).is_some_and(|it| it.text == "." && it.end() <= first.start);
            if behind_dot && !gap.is_empty() {
                return None;
            }
            let joins =
                |left: &str, right: &str| left.ends_with(is_part) && right.starts_with(is_part);
            if joins(&text[..first.start], second.text) || joins(first.text, &text[second.end()..])
            {
                return None;
            }
            Some(Repair {
                range: first.start..second.end(),
                text: format!("{}{gap}{}", second.text, first.text),
                words: format!(
                    "{} and {} have changed places:",
                    quoted(first.text),
                    quoted(second.text)
                ),
                shows: true,
            })
        });
        pairs.collect()
    }

    /// `f(a, )`
    fn missing_values(&self) -> Vec<Repair> {
        let at = if self.ends_line {
            self.token_at(-1).map_or(self.found, |it| it.end())
        } else {
            self.found
        };
        let comma = self.token_at(-1).filter(|it| it.text == ",");
        let surplus = if comma.is_some() { ", or the `,` is one too many" } else { "" };
        let made = self.placeholders().into_iter().map(|(what, text)| Repair {
            range: at..at,
            text: format!(" {text} "),
            words: if what == "an operator" {
                format!("two values stand side by side {}: an operator is missing, or one of them is too many", self.place())
            } else {
                format!("{what} is missing {}{surplus}", self.place())
            },
            shows: false,
        });
        made.collect()
    }

    /// Expected items that are no signs: name and an example.
    fn placeholders(&self) -> Vec<(&'static str, &'static str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        for rule in self.mistake.expected {
            let texts: &[&str] = match rule {
                Rule::operator | Rule::arithmetic_operator => &["+", "or"],
                Rule::number | Rule::cell_number => &["1"],
                Rule::string => &["\"x\""],
                Rule::parameter => &["x: Player"],
                Rule::variable => &["x = 1"],
                Rule::any_type => &["Player"],
                Rule::faces => &["1..6"],
                Rule::game_name | Rule::name | Rule::word | Rule::member | Rule::place => {
                    &["x", "X"]
                }
                Rule::cell
                | Rule::cell_rows
                | Rule::head_label
                | Rule::expression
                | Rule::plain
                | Rule::operand
                | Rule::arithmetic
                | Rule::bound
                | Rule::op_not
                | Rule::negate
                | Rule::pattern
                | Rule::patterns => &["x"],
                _ => &[],
            };
            let what = if *rule == Rule::game_name {
                "the game that is changed"
            } else {
                describe_rule(*rule).unwrap_or_default()
            };
            found.extend(texts.iter().map(|text| (what, *text)).filter(|it| !it.0.is_empty()));
        }
        // An operator is the last thing to think of: a value may be missing at many more places.
        found.sort_by_key(|(what, _)| (*what == "an operator", !what.starts_with("the game")));
        found.dedup();
        found
    }

    /// `board Grid 3 3 3`
    fn wrong(&self) -> Vec<Repair> {
        let Some(found) = self.token_at(0) else { return Vec::new() };
        let (range, written) = (found.start..found.end(), quoted(found.text));
        // A word is no sign that somebody mistook for another.
        let is_word = found.text.starts_with(char::is_alphabetic);
        let is_likely = |sign: &str| !is_word || sign.starts_with(char::is_alphabetic);
        let signs = self.signs().into_iter().filter(|it| *it != "\n" && is_likely(it));
        let signs = signs.map(|sign| Repair {
            range: range.clone(),
            text: format!(" {sign} "),
            words: format!("`{sign}` is expected in place of {written}:"),
            shows: true,
        });
        let values = self
            .placeholders()
            .into_iter()
            .filter(|it| !["an operator", "a text in quotes"].contains(&it.0))
            .map(|(what, text)| Repair {
                range: range.clone(),
                text: format!(" {text} "),
                words: format!("{what} is expected in place of {written}"),
                shows: false,
            });
        signs.chain(values).collect()
    }

    /// `table span "length" [Line]` and `wins[Suit] "tricks": 0..9`: a title on the wrong side of the brackets.
    fn moved_title(&self) -> Vec<Repair> {
        let Some(title) = self.token_at(0).filter(|it| it.kind == TokenKind::Text) else {
            return Vec::new();
        };
        let text = self.mistake.text;
        let touches = |behind, sign| self.token_at(behind).is_some_and(|it| it.text == sign);
        let mut repairs = Vec::new();
        let mut add = |range, text, side: &str| {
            let words = format!("the title stands {side} the brackets:");
            repairs.push(Repair { range, text, words, shows: true });
        };
        let ahead = self.tokens[self.at..].iter().skip(1).take_while(|it| it.text != "=");
        if touches(1, "[")
            && let Some(close) = ahead.filter(|it| it.text == "]").last()
            && let Some(name) = self.token_at(-1)
        {
            let brackets = text[title.end()..close.end()].trim_start();
            add(name.end()..close.end(), format!("{brackets} {}", title.text), "behind");
        }
        if touches(-1, "]")
            && let Some(open) = self.brackets_before()
        {
            let brackets = text[open.start..title.start].trim_end();
            add(open.start..title.end(), format!(" {}{brackets}", title.text), "before");
        }
        repairs
    }

    /// The first bracket of those that stand one behind the other before the mistake.
    fn brackets_before(&self) -> Option<&Token<'a>> {
        let mut open = self.at;
        loop {
            open = self.tokens[..open].iter().rposition(|it| it.text == "[")?;
            if open == 0 || self.tokens[open - 1].text != "]" {
                return Some(&self.tokens[open]);
            }
        }
    }

    fn surplus(&self) -> Vec<Repair> {
        let tokens = [0, -1].into_iter().filter_map(|it| self.token_at(it));
        tokens
            .map(|token| Repair {
                range: token.start..token.end(),
                text: String::new(),
                words: format!("{} is one too many: take it out", quoted(token.text)),
                shows: false,
            })
            .collect()
    }

    /// `others win others(me)`: the first word of a statement is another, or missing.
    fn first_words(&self) -> Vec<Repair> {
        let begun = self.mistake.line_before().rsplit(['{', ';']).next().unwrap_or_default().trim();
        let Some(first) =
            self.token_at(-1).filter(|it| it.text == begun && begun.chars().all(is_part))
        else {
            return Vec::new();
        };
        let words = statement_words();
        let before = words.iter().map(|word| Repair {
            range: first.start..first.start,
            text: format!("{word} "),
            words: format!("`{word}` is missing before `{begun}`:"),
            shows: true,
        });
        let instead = words.iter().map(|word| Repair {
            range: first.start..first.end(),
            text: word.clone(),
            words: format!("`{begun}` begins no statement:"),
            shows: true,
        });
        before.chain(instead).collect()
    }

    /// Where the mistake is, seen from what stands around it.
    fn place(&self) -> String {
        let (before, found) = (self.token_at(-1), self.token_at(0));
        match (before, found) {
            (Some(before), Some(found)) => {
                format!("between {} and {}", quoted(before.text), quoted(found.text))
            }
            (Some(before), None) => format!("after {}", quoted(before.text)),
            (None, Some(found)) => format!("before {}", quoted(found.text)),
            (None, None) => "here".to_owned(),
        }
    }

    fn help(&self, repair: &Repair) -> Help {
        let base = self.mistake.base;
        let span = Span::new(base + repair.range.start, base + repair.range.end);
        if !repair.shows {
            let help = Help::from(&repair.words);
            return if repair.text.is_empty() { help.with("").with_span(span) } else { help };
        }
        let text = spliced(self.mistake.text, &repair.range, &repair.text);
        let line = text[..repair.range.start].rfind('\n').map_or(0, |end| end + 1);
        let end = repair.range.start + repair.text.len();
        let line_end = text[end..].find('\n').map_or(text.len(), |it| end + it);
        let (mut from, mut to) = (line, line_end);
        if to - from > LONGEST_SHOWN {
            from =
                self.token_at(-3).map_or(line, |token| token.start.clamp(line, repair.range.start));
            let behind = tokenize(&text[end..line_end])
                .all
                .into_iter()
                .filter(|it| it.kind != TokenKind::Space);
            to = behind.take(3).last().map_or(end, |it| end + it.end());
        }
        let shown = text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        let help = Help::from(format!("{} write `{shown}`", repair.words));
        help.with(&repair.text).with_span(span)
    }
}

/// A token as it is spoken of.
fn quoted(token: &str) -> String {
    match token {
        token if token.starts_with('"') => "the text".to_owned(),
        token => format!("`{token}`"),
    }
}
