//! Script text to lines: each line by itself, then the order in which they stand.

use std::collections::{BTreeMap, BTreeSet};

use super::error::ScriptError;
use super::line::{Kind, Line, Words};
use super::write::fold;
use crate::diagnostic::{Diagnostics, Help};
use crate::source::{Source, Span, is_one_seen_line};
use crate::suggest::nearest;

/// How many lines a script may have.
pub const MAX_LINES: usize = 500_000;

/// More mistakes than this are not reported: the text is something else than a script.
const MOST_REPORTED: usize = 100;

/// The words that lines begin with.
const WORDS: [&str; 8] = ["game", "players", "option", "seed", "set", "do", "moves", "bot"];

/// A script as data: its lines, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Script {
    /// Returns what the `game` line names.
    pub fn game(&self) -> Option<&Words> {
        self.lines.iter().find_map(|line| match &line.kind {
            Kind::Game(words) => Some(words),
            _ => None,
        })
    }

    /// Returns the names of the `players` line.
    pub fn players(&self) -> Option<Vec<String>> {
        self.lines.iter().find_map(|line| match &line.kind {
            Kind::Players(names) => Some(names.iter().map(|name| name.text.clone()).collect()),
            _ => None,
        })
    }

    /// Returns the options of the header, by name and value.
    pub fn options(&self) -> Vec<(String, String)> {
        let options = self.lines.iter().filter_map(|line| match &line.kind {
            Kind::Option { name, value } => Some((name.text.clone(), value.text.clone())),
            _ => None,
        });
        options.collect()
    }

    /// Returns the number of the `seed` line.
    pub fn seed(&self) -> Option<u64> {
        self.lines.iter().find_map(|line| match line.kind {
            Kind::Seed(seed) => Some(seed),
            _ => None,
        })
    }

    /// Returns the place of the header as a whole: from `game` to the last header line.
    pub fn header(&self) -> Span {
        let headers = self.lines.iter().filter(|line| line.kind.is_header());
        headers.map(|line| line.span).reduce(Span::to).unwrap_or_default()
    }
}

/// Reads a script. All its mistakes are reported, up to a hundred.
///
/// # Errors
///
/// Lines of no known form, and lines that stand where they cannot.
pub fn parse(source: &Source) -> Result<Script, Diagnostics> {
    let (script, errors) = read(source);
    if errors.is_empty() { Ok(script) } else { Err(told(errors)) }
}

/// Reports mistakes, up to a hundred.
pub(super) fn told(errors: Vec<ScriptError>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    errors.into_iter().take(MOST_REPORTED).for_each(|error| diagnostics.push_fixable(error));
    diagnostics
}

/// Reads the lines of a script, and what is wrong with them.
pub(super) fn read(source: &Source) -> (Script, Vec<ScriptError>) {
    let mut errors = Vec::new();
    let mut lines = Vec::new();
    // A mark of the byte order at the beginning belongs to the file, not to its first line.
    let text = source.text.trim_start_matches('\u{feff}');
    let mut offset = source.base + source.text.len() - text.len();
    for raw in text.split_inclusive('\n') {
        if lines.len() == MAX_LINES {
            let span = Span::new(offset, offset + raw.trim_end().len());
            errors.push(ScriptError::TooLong { limit: MAX_LINES, span });
            break;
        }
        match read_line(raw, offset) {
            Ok(line) => lines.push(line),
            Err(error) => errors.push(error),
        }
        if errors.len() == MOST_REPORTED {
            break;
        }
        offset += raw.len();
    }
    check_header(&lines, source, &mut errors);
    check_order(&lines, &mut errors);
    (Script { lines }, errors)
}

/// Whether a name of a player can stand before `>` in a script.
pub fn is_name(name: &str) -> bool {
    let words = Words { text: name.to_owned(), span: Span::default() };
    !name.trim().is_empty() && !name.contains(',') && check_name(&words).is_ok()
}

/// A stretch of the script and where it begins.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Piece<'a> {
    fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    fn trim(self) -> Piece<'a> {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        Piece { text: text.trim_end(), start }
    }

    /// The two sides of the first `sign`, trimmed.
    fn split(self, sign: char) -> Option<(Piece<'a>, Piece<'a>)> {
        let at = self.text.find(sign)?;
        let after = at + sign.len_utf8();
        let left = Piece { text: &self.text[..at], start: self.start };
        let right = Piece { text: &self.text[after..], start: self.start + after };
        Some((left.trim(), right.trim()))
    }

    fn words(self) -> Words {
        Words { text: self.text.to_owned(), span: self.span() }
    }
}

fn read_line(raw: &str, start: usize) -> Result<Line, ScriptError> {
    let text = raw.trim_end();
    let whole = Piece { text, start };
    let line = |kind, tail: &str| Line {
        kind,
        span: whole.span(),
        text: text.to_owned(),
        tail: tail.to_owned(),
    };
    if text.is_empty() {
        return Ok(line(Kind::Blank, ""));
    }
    if let Some(said) = text.strip_prefix("  ") {
        return Ok(line(Kind::Output(said.to_owned()), ""));
    }
    if text.starts_with(char::is_whitespace) {
        let width = text.len() - text.trim_start().len();
        return Err(ScriptError::Indentation { span: Span::new(start, start + width) });
    }
    if text.starts_with('#') {
        return Ok(line(Kind::Comment, ""));
    }
    let end = comment_start(text);
    let kind = read_kind(Piece { text: &text[..end], start }.trim())?;
    Ok(line(kind, &text[text[..end].trim_end().len()..]))
}

/// Where the trailing comment of a line begins: at a `#` behind white space, outside of quotes.
fn comment_start(text: &str) -> usize {
    let mut quoted = false;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if before != '\\' => quoted = !quoted,
            '#' if !quoted && before.is_whitespace() => return at,
            _ => {}
        }
        before = letter;
    }
    text.len()
}

fn read_kind(line: Piece) -> Result<Kind, ScriptError> {
    let sign = line.text.chars().next().expect("empty lines were sorted out");
    let rest = Piece { text: &line.text[sign.len_utf8()..], start: line.start + sign.len_utf8() };
    match sign {
        '*' => read_chance(rest.trim()),
        '?' => Ok(Kind::Holds(need(rest, "?", "an expression", "? moves == 3")?)),
        '!' => read_refused(rest.trim()),
        '=' => Ok(Kind::Result(need(rest, "=", "a result", "= Ann wins")?)),
        _ => read_worded(line),
    }
}

fn read_worded(line: Piece) -> Result<Kind, ScriptError> {
    let end = line.text.find(char::is_whitespace).unwrap_or(line.text.len());
    let (word, rest) = line.text.split_at(end);
    let rest = Piece { text: rest, start: line.start + end }.trim();
    match word {
        "game" => Ok(Kind::Game(need(rest, "game", "a name or a path", "game pairs.game")?)),
        "players" => read_players(rest),
        "option" => read_option(rest),
        "seed" => Ok(Kind::Seed(number(rest, "seed", "seed 42")?)),
        "set" => Ok(Kind::Set(need(rest, "set", "a statement", "set Ann.coins = 3")?)),
        "do" => Ok(Kind::Do(need(rest, "do", "a rule to run", "do take_turn(Ann)")?)),
        "bot" => Ok(Kind::Bot(number(rest, "bot", "bot 10")?)),
        "moves" if rest.text.is_empty() => Ok(Kind::Moves),
        _ => read_decision(line, word),
    }
}

fn read_decision(line: Piece, word: &str) -> Result<Kind, ScriptError> {
    let Some((name, words)) = line.split('>').filter(|(name, _)| !name.text.is_empty()) else {
        let help = otherwise(line, word);
        return Err(ScriptError::UnknownLine {
            line: line.text.to_owned(),
            help,
            span: line.span(),
        });
    };
    let words = need(words, ">", "a move behind it", "Ann> take 2")?;
    Ok(Kind::Decision { name: name.words(), words })
}

/// What to do about a line that begins with none of the words.
fn otherwise(place: Piece, word: &str) -> Help {
    let line = place.text;
    let (name, behind) = (word.trim_end_matches([':', '=']), line[word.len()..].trim_start());
    if name != word && WORDS.contains(&name) {
        let words = format!("take out the `{}`:", &word[name.len()..]);
        return Help::form(&words, &format!("{name} {behind}"));
    }
    if let Some(value) = behind.strip_prefix('=').filter(|value| !value.starts_with('=')) {
        let value = value.trim_start();
        return if word.contains(['.', '[']) {
            let form = format!("set {word} = {value}");
            Help::form("what lies on the table is changed with", &form)
        } else {
            format!(
                "an option stands above the moves, `option {word} = {value}`; what lies on the table \
                 is changed with `set {word} = {value}`"
            )
            .into()
        };
    }
    if ["roll", "random", "shuffle"].contains(&word) && line.contains(':') {
        return Help::form("an event of chance begins with a star:", &format!("* {line}"));
    }
    if let Some(near) = nearest(name, WORDS) {
        let span = Piece { text: name, ..place }.span();
        return Help::did_you_mean(near).at(span);
    }
    match line.split_once(':') {
        Some((name, words)) if !name.contains(' ') && !words.trim().is_empty() => {
            Help::form("a decision is written", &format!("{name}> {}", words.trim()))
        }
        _ => "a decision is written `NAME> move`; an output line begins with two spaces".into(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_digit())
}

fn read_chance(rest: Piece) -> Result<Kind, ScriptError> {
    let complete = rest
        .split(':')
        .is_some_and(|(event, outcome)| !event.text.is_empty() && !outcome.text.is_empty());
    if complete { Ok(Kind::Chance(rest.words())) } else { Err(incomplete_chance(rest)) }
}

fn incomplete_chance(rest: Piece) -> ScriptError {
    incomplete(rest, "*", "an event, a colon and its outcome", "* roll die: 4")
}

fn read_refused(rest: Piece) -> Result<Kind, ScriptError> {
    let example = "! take 9 because \"only 3 are left\"";
    let quoted = |at: &usize| rest.text[at + "because".len()..].trim_start().starts_with('"');
    let because = rest.text.rmatch_indices("because").map(|(at, _)| at).find(quoted);
    let (head, because) = match because {
        Some(at) if at == 0 || rest.text[..at].ends_with(char::is_whitespace) => {
            let after = at + "because".len();
            let quoted = Piece { text: &rest.text[after..], start: rest.start + after }.trim();
            let inner = quoted.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let Some(text) = inner.filter(|text| !text.is_empty()) else {
                return Err(incomplete(quoted, "because", "a text in quotes", example));
            };
            let because = Words { text: text.to_owned(), span: quoted.span() };
            (Piece { text: &rest.text[..at], start: rest.start }, Some(because))
        }
        _ => (rest, None),
    };
    let words = need(head, "!", "a move that must be illegal", example)?;
    Ok(Kind::Refused { words, because })
}

fn read_players(rest: Piece) -> Result<Kind, ScriptError> {
    let example = "players Ann, Ben";
    let (mut names, mut known) = (Vec::new(), BTreeSet::new());
    let mut offset = rest.start;
    let joined = [" and ", " & "].iter().any(|word| rest.text.contains(word));
    if joined || is_number(rest.text) {
        return Err(incomplete(rest, "players", "names with commas between them", example));
    }
    for part in rest.text.split(',') {
        let name = need(Piece { text: part, start: offset }, "players", "names", example)?;
        check_name(&name)?;
        let name = Words { text: fold(&name.text), ..name };
        if !known.insert(name.text.clone()) {
            let help = "give every player a name of their own";
            return Err(ScriptError::SameName { name: name.text, help, span: name.span });
        }
        names.push(name);
        offset += part.len() + 1;
    }
    Ok(Kind::Players(names))
}

fn check_name(name: &Words) -> Result<(), ScriptError> {
    let text = fold(&name.text);
    let first = text.split(' ').next().unwrap_or_default();
    if !is_one_seen_line(&name.text)
        || text.contains(['>', '#', ':'])
        || text.starts_with(['*', '?', '!', '='])
        || WORDS.contains(&first)
    {
        return Err(ScriptError::BadName { name: text, span: name.span });
    }
    Ok(())
}

fn read_option(rest: Piece) -> Result<Kind, ScriptError> {
    let (expected, example) = ("`name = value`", "option target = 5");
    let (name, value) =
        rest.split('=').ok_or_else(|| incomplete(rest, "option", expected, example))?;
    let name = need(name, "option", expected, example)?;
    Ok(Kind::Option { name, value: need(value, "option", expected, example)? })
}

fn number<N: std::str::FromStr>(
    rest: Piece,
    sign: &'static str,
    example: &'static str,
) -> Result<N, ScriptError> {
    rest.text.parse().map_err(|_| incomplete(rest, sign, "a number", example))
}

fn need(
    rest: Piece,
    sign: &'static str,
    expected: &'static str,
    example: &'static str,
) -> Result<Words, ScriptError> {
    let rest = rest.trim();
    if rest.text.is_empty() {
        return Err(incomplete(rest, sign, expected, example));
    }
    Ok(rest.words())
}

fn incomplete(
    rest: Piece,
    sign: &'static str,
    expected: &'static str,
    example: &'static str,
) -> ScriptError {
    let found = if rest.text.is_empty() { "nothing".into() } else { format!("`{}`", rest.text) };
    ScriptError::Incomplete { sign, expected, found, example, span: rest.span() }
}

fn check_header(lines: &[Line], source: &Source, errors: &mut Vec<ScriptError>) {
    let headers: Vec<&Line> = lines.iter().filter(|line| line.kind.is_header()).collect();
    // A line that could not be read may well be the one that is missed here.
    if errors.is_empty() && !headers.iter().any(|line| matches!(line.kind, Kind::Game(_))) {
        errors.push(ScriptError::NoGame { span: Span::new(source.base, source.base) });
    }
    // Of each sort the first.
    let mut above: BTreeMap<Option<usize>, &Line> = BTreeMap::new();
    for line in headers {
        check_rank(line, &above, errors);
        above.entry(line.kind.header_rank()).or_insert(line);
    }
    check_options(lines, errors);
}

fn check_rank(line: &Line, above: &BTreeMap<Option<usize>, &Line>, errors: &mut Vec<ScriptError>) {
    let (rank, sign, span) = (line.kind.header_rank(), line.kind.sign(), line.span);
    let same = above.get(&rank).filter(|_| !matches!(line.kind, Kind::Option { .. }));
    let higher = above.iter().filter(|(other, _)| **other > rank).map(|(_, line)| line);
    if let Some(first) = same {
        errors.push(ScriptError::TwoHeaders { line: sign, first: first.span, span });
    } else if let Some(before) = higher.min_by_key(|other| other.span.start) {
        errors.push(ScriptError::HeaderOrder { line: sign, before: before.kind.sign(), span });
    }
}

fn check_options(lines: &[Line], errors: &mut Vec<ScriptError>) {
    let mut seen = BTreeSet::new();
    for line in lines {
        if let Kind::Option { name, .. } = &line.kind
            && !seen.insert(&name.text)
        {
            let help = "keep one of the values";
            errors.push(ScriptError::SameName { name: name.text.clone(), help, span: name.span });
        }
    }
}

/// Checks what may stand below what: no header below a step, no output below silent lines, no
/// step below the result.
fn check_order(lines: &[Line], errors: &mut Vec<ScriptError>) {
    let (mut stepped, mut ended, mut speaks) = (false, false, true);
    for line in lines {
        let (sign, span) = (line.kind.sign(), line.span);
        match &line.kind {
            Kind::Comment | Kind::Blank => {}
            Kind::Output(_) => {
                if !speaks {
                    errors.push(ScriptError::StrayOutput { span });
                }
                stepped = true;
            }
            kind if kind.is_header() => {
                if stepped {
                    errors.push(ScriptError::LateHeader { line: sign, span });
                }
            }
            kind => {
                if ended && !matches!(kind, Kind::Holds(_)) {
                    errors.push(ScriptError::AfterResult { line: after(kind), span });
                }
                ended |= matches!(kind, Kind::Result(_));
                stepped = true;
                if kind.is_action() {
                    speaks = kind.speaks();
                }
            }
        }
    }
}

/// What a line that stands too low is called.
fn after(kind: &Kind) -> String {
    match kind {
        Kind::Decision { .. } => "a decision".to_owned(),
        Kind::Result(_) => "another result".to_owned(),
        kind => format!("`{}`", kind.sign()),
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
