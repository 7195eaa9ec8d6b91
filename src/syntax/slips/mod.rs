//! Guesses what was meant at a mistake of form; the help writes it as the language does.

mod conditions;
mod context;
mod declared;
mod edits;
mod evidence;
mod forms;
mod glued;
mod parts;
mod repair;
mod words;

use std::sync::LazyLock;

pub(super) use self::context::OPERATORS;
use self::context::{block_help, declaration_help, statement_help};
pub(super) use self::declared::missing_word;
pub(super) use self::edits::likely_edits;
pub(crate) use self::edits::{TokenEdit, Trouble};
pub(super) use self::evidence::mend_bracket;
pub(super) use self::forms::{form_by_word, form_of};
pub(crate) use self::glued::FileWords;
pub(super) use self::repair::{Trial, find_evident, find_repair, is_sound};
use crate::diagnostic::Help;
use crate::source::Span;
use crate::syntax::explain::GrammarMistake;
use crate::syntax::parser::Rule;
use crate::syntax::tokens::{is_part, leading_word};

/// What to do about words and signs that are known from elsewhere.
pub(super) fn known_help(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    // The cells of a table are words of their own.
    if mistake.declares() == "table" {
        return None;
    }
    let is_sound = |help: &Help| is_sound(help, mistake, trial);
    let help = block_help(mistake).filter(is_sound);
    help.or_else(|| conditions::condition_help(mistake).filter(is_sound))
        .or_else(|| first_help(Stage::First, mistake).filter(is_sound))
}

/// What to do, where it is clear what was meant.
pub(super) fn intended_help(mistake: &GrammarMistake, trial: &Trial) -> Option<Help> {
    let is_sound = |help: &Help| is_sound(help, mistake, trial);
    let help = declaration_help(mistake).filter(is_sound);
    help.or_else(|| first_help(Stage::BeforeCode, mistake).filter(is_sound))
        .or_else(|| statement_help(mistake).filter(is_sound))
        .or_else(|| last_resort(mistake).filter(is_sound))
}

/// What to do where nothing else explains the mistake.
pub(super) fn last_resort(mistake: &GrammarMistake) -> Option<Help> {
    first_help(Stage::Last, mistake)
}

impl<'a> GrammarMistake<'a> {
    /// The line up to the mistake.
    pub(super) fn line_before(&self) -> &'a str {
        let before = self.before.trim_end_matches([' ', '\t']);
        before[before.rfind('\n').map_or(0, |end| end + 1)..].trim()
    }

    /// What stands between the last brace or `;` and the mistake.
    pub(super) fn tail(&self) -> &'a str {
        self.line_before().rsplit(['{', ';', '}']).next().unwrap_or_default().trim()
    }

    /// Whether a text is open: its hole is being read.
    fn in_text(&self) -> bool {
        self.line_before().matches('"').count() % 2 == 1
    }

    pub(super) fn last_word(&self) -> &'a str {
        let tail = self.tail();
        &tail[tail.trim_end_matches(is_part).len()..]
    }

    /// The first line that is no note.
    pub(super) fn head_line(&self) -> &'a str {
        let mut lines = self.before.lines().map(str::trim_start);
        lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
    }

    /// The first word of the declaration.
    pub(super) fn declares(&self) -> &'a str {
        leading_word(self.head_line())
    }

    /// Whether the declaration lists what players or the table have.
    fn lists_variables(&self) -> bool {
        matches!(self.declares(), "each" | "the")
    }

    /// Whether the head of a move may go on here.
    pub(super) fn in_move(&self) -> bool {
        self.expects(Rule::clause) || self.expects(Rule::kw_maybe)
    }

    /// Whether a statement or a variable may end here.
    fn may_end(&self) -> bool {
        self.expects(Rule::separator) || self.expects(Rule::close_brace)
    }

    /// Whether a line, a block or the text ends here.
    fn at_end(&self) -> bool {
        ["", "\n", "}", ";"].contains(&self.found)
    }

    /// The global offset of the last letter before the mistake.
    pub(super) fn end_before(&self) -> usize {
        self.base + self.before.trim_end().len()
    }

    /// A form in the place of some text that ends where the mistake begins, and of some of `rest`.
    fn replace_before(&self, before: &str, length: usize, words: &str, form: &str) -> Help {
        let from = if before.is_empty() { self.start } else { self.end_before() - before.len() };
        self.instead(words, form, from, length)
    }

    /// A form in the place of a stretch of the file, which begins at a global offset and takes
    /// some of `rest`. A block that follows stays; a parenthesis that the stretch opens is closed
    /// by the form.
    fn instead(&self, words: &str, form: &str, from: usize, length: usize) -> Help {
        let help = Help::form(words, form);
        let behind = self.rest.get(length..).unwrap_or_default();
        let block = form.strip_suffix(" { … }").filter(|_| behind.trim_start().starts_with('{'));
        let text = block.unwrap_or(form);
        if text.contains('…') {
            return help;
        }
        let to = if length == 0 { self.end_before().max(from) } else { self.start + length };
        let part = from.saturating_sub(self.base).min(self.before.len());
        let replaced = [&self.before[part..], &self.rest[..self.rest.len() - behind.len()]];
        let count = |letter| replaced.iter().map(|it| it.matches(letter).count()).sum::<usize>();
        let closes = count('(') > count(')') && behind.starts_with(')');
        help.with(text).with_span(Span::new(from, to + usize::from(closes)))
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
}

// The phrases of `grammar/phrases.txt`, which explains its patterns.

/// How many bytes a statement may have: nobody writes a slip of more, and patterns take their time.
const LONGEST_STATEMENT: usize = 240;

/// The parts of the file, in their order.
#[derive(Clone, Copy, Debug)]
enum Stage {
    First,
    BeforeCode,
    Last,
}

struct SlipPhrase {
    place: &'static str,
    before: &'static str,
    found: &'static str,
    words: &'static str,
    /// The form to write after the words, and whether it replaces what stands before the mistake too.
    form: Option<(&'static str, bool)>,
}

static PHRASES: LazyLock<Vec<Vec<SlipPhrase>>> = LazyLock::new(|| {
    let stages = include_str!("../../../grammar/phrases.txt").split("\n== ").skip(1);
    let is_phrase = |line: &&str| !line.starts_with(' ') && line.contains(">>");
    stages.map(|stage| stage.lines().filter(is_phrase).map(phrase).collect()).collect()
});

fn phrase(line: &'static str) -> SlipPhrase {
    let (patterns, answer) = line.split_once(" => ").expect("a phrase has an answer");
    let (place, patterns) = match patterns.strip_prefix('@') {
        Some(patterns) => patterns.split_once(' ').expect("a pattern follows a place"),
        None => ("", patterns),
    };
    let (before, found) = patterns.split_once(">>").expect("a phrase has two patterns");
    let (words, form) = match (answer.split_once(" => "), answer.split_once(" +> ")) {
        (Some((words, form)), _) => (words, Some((form, true))),
        (_, Some((words, form))) => (words, Some((form, false))),
        _ => (answer, None),
    };
    SlipPhrase { place, before: before.trim(), found: found.trim(), words, form }
}

/// What to do about a mistake that one of the phrases describes: the first that does.
fn first_help(stage: Stage, mistake: &GrammarMistake) -> Option<Help> {
    let (tail, rest) = (mistake.tail(), statement(mistake.rest));
    if tail.len() + rest.len() > LONGEST_STATEMENT {
        return None;
    }
    let (tail, rest) = (split_words(tail), split_words(rest));
    let count = |sign| mistake.tail().matches(sign).count();
    // A comma inside of brackets separates what they hold.
    let is_inside = mistake.found == "," && count('(') + count('[') > count(')') + count(']');
    let phrases = PHRASES[stage as usize].iter().filter(|it| {
        let is_about_all = it.before.is_empty() || it.before.starts_with('^');
        is_at_place(it.place, mistake) && !(is_inside && is_about_all)
    });
    phrases.into_iter().find_map(|phrase| {
        let mut captured = Vec::new();
        let first = before(phrase.before, &tail, &mut captured)?;
        if !matches_found(phrase.found, mistake.found, &rest, &mut captured) {
            return None;
        }
        let help = fill_help(phrase.words, mistake, &captured);
        let Some((form, from_before)) = phrase.form else { return Some(help.into()) };
        let first = tail.get(first).filter(|_| from_before);
        let tail_start = mistake.end_before() - mistake.tail().len();
        let from =
            first.map_or(mistake.start, |word| tail_start + offset_within(mistake.tail(), word));
        let form_filled = fill_help(form, mistake, &captured);
        Some(mistake.instead(&help, &form_filled, from, replaced_length(phrase, form, mistake)))
    })
}

/// Whether a phrase of this place is looked for at the mistake.
fn is_at_place(place: &str, mistake: &GrammarMistake) -> bool {
    let expects = |rule| mistake.expects(rule);
    match place {
        "" => true,
        "end" => mistake.may_end() && !mistake.in_move() && !mistake.lists_variables(),
        "body" => !mistake.in_move(),
        "head" => mistake.in_move(),
        "move" => expects(Rule::move_option),
        "variable" => mistake.lists_variables(),
        "names" => {
            expects(Rule::close_paren)
                && expects(Rule::comma)
                && !expects(Rule::operator)
                && !expects(Rule::colon)
        }
        "case" => expects(Rule::colon) && expects(Rule::comma) && expects(Rule::dots),
        "hole" => mistake.in_text(),
        declarations => declarations.split('|').any(|it| it == mistake.declares()),
    }
}

/// The length that a phrase replaces from the mistake on.
fn replaced_length(phrase: &SlipPhrase, form: &str, mistake: &GrammarMistake) -> usize {
    let takes_rest =
        phrase.found.contains(' ') || form.contains("{rest}") || form.contains("{behind}");
    match mistake.found {
        "" | "\n" | "}" | ";" | "{" => 0,
        _ if takes_rest => statement(mistake.rest).len(),
        found => found.len(),
    }
}

/// Where a piece of a text begins in it.
fn offset_within(text: &str, piece: &str) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The words and brackets of a text, each a piece of it; a text in quotes is one.
fn split_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' | ')' | '[' | ']' | ',' | ':' => 1,
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ => rest.find([' ', '\t', '(', ')', '[', ']', ',', ':']).unwrap_or(rest.len()),
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// The first of the words that fit the pattern up to the last word.
fn before(pattern: &str, words: &[&str], captured: &mut Vec<String>) -> Option<usize> {
    let whole = pattern.starts_with('^');
    let pattern: Vec<&str> = pattern.trim_start_matches('^').split_whitespace().collect();
    let starts = if whole { 0..=0 } else { 0..=words.len() };
    starts.rev().find(|start| matches_pattern(&pattern, &words[*start..], captured))
}

fn matches_found(pattern: &str, word: &str, rest: &[&str], captured: &mut Vec<String>) -> bool {
    if pattern.contains(' ') {
        return matches_pattern(&pattern.split_whitespace().collect::<Vec<_>>(), rest, captured);
    }
    pattern.split('|').any(|it| match it {
        "*" => !["", "\n"].contains(&word),
        "\\n" => ["", "\n", "}", ";"].contains(&word),
        "_" => word.starts_with(|it: char| it.is_ascii_alphabetic()),
        "#" => is_number(word),
        "!=" => word == "!=",
        it => it.strip_prefix('!').map_or(it == word, |other| other != word),
    })
}

/// Whether the words are what the pattern says, from the first to the last.
fn matches_pattern(pattern: &[&str], words: &[&str], captured: &mut Vec<String>) -> bool {
    let Some((place, pattern)) = pattern.split_first() else { return words.is_empty() };
    let kept = captured.len();
    let longest = if *place == "…" { words.len() } else { words.len().min(1) };
    for length in 1..=longest {
        let (here, behind) = words.split_at(length);
        let open = match *place {
            "…" => true,
            "_" if !"()[],:".contains(here[0]) => true,
            "#" if is_number(here[0]) => true,
            "\"" if here[0].starts_with('"') => true,
            place if place.split('|').any(|it| it == here[0]) => place.contains('|'),
            _ => continue,
        };
        captured.extend(open.then(|| join_words(here)));
        if matches_pattern(pattern, behind, captured) {
            return true;
        }
        captured.truncate(kept);
    }
    false
}

/// Words as they are written: no blank stands inside of brackets.
fn join_words(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        let close = matches!(*word, "(" | ")" | "[" | "]" | "," | ":");
        if !text.is_empty() && !close && !text.ends_with(['(', '[']) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn fill_help(help: &str, mistake: &GrammarMistake, captured: &[String]) -> String {
    let rest = statement(mistake.rest);
    let behind = rest.strip_prefix(mistake.found).unwrap_or_default().trim_start();
    let mut text = help.to_owned();
    for (place, word) in captured.iter().enumerate() {
        text = text.replace(&format!("{{{}}}", place + 1), word);
    }
    text.replace("{found}", mistake.found)
        .replace("{rest}", rest)
        .replace("{behind}", behind)
        .replace("{tail}", mistake.tail())
        .replace("{last}", mistake.last_word())
}

/// The text up to where its statement ends: at `;`, at a block, or where a bracket closes that it
/// has not opened.
fn statement(text: &str) -> &str {
    let mut open = 0_usize;
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        quoted ^= letter == '"';
        match letter {
            _ if quoted => {}
            '{' if open == 0 && at > 0 && !wants_value(&text[..at]) => {
                return text[..at].trim_end();
            }
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' | ';' if open == 0 => return text[..at].trim_end(),
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
    }
    text.trim_end()
}

/// Whether a text ends with an operator, so that a brace after it is a set.
fn wants_value(text: &str) -> bool {
    let text = text.trim_end();
    let last = text.rsplit([' ', '(']).next().unwrap_or_default();
    let words = ["in", "union", "minus", "common", "within", "and", "or", "not", "return", "win"];
    text.ends_with(['=', '<', '>', '+', '-', '*', ',', '(', '[']) || words.contains(&last)
}
