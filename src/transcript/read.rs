//! Script text to lines: each line by itself, then the order in which they stand.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Diagnostics, Help};
use crate::source::{Source, Span, is_one_seen_line};
use crate::suggest::nearest;
use crate::transcript::{Line, LineKind, LinePosition, Script, SpannedText, error, fold_case};

pub const MAX_LINES: usize = 500_000;

/// More mistakes than this are not reported: the text is something else than a script.
const MOST_REPORTED: usize = 100;

const WORDS: [&str; 8] = ["game", "players", "option", "seed", "set", "do", "moves", "bot"];

/// Players may be called so, too.
const LATER_WORDS: [&str; 6] = ["end", "case", "include", "tags", "known", "limit"];

/// Reads a script. All its mistakes are reported, up to a hundred.
///
/// # Errors
///
/// Lines of no known form, and lines that stand where they cannot.
pub fn parse(source: &Source) -> Result<Script, Diagnostics> {
    let (script, errors) = read_script(source);
    if errors.is_empty() { Ok(script) } else { Err(reported(errors)) }
}

/// Reads a single line of a script, wherever it may stand.
///
/// # Errors
///
/// A line of no known form.
pub(crate) fn parse_line(source: &Source) -> Result<Line, Diagnostic> {
    read_line(&source.text, source.base)
}

pub(super) fn reported(errors: Vec<Diagnostic>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    errors.into_iter().take(MOST_REPORTED).for_each(|error| diagnostics.push(error));
    diagnostics
}

pub(super) fn read_script(source: &Source) -> (Script, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let mut lines = Vec::new();
    // A mark of the byte order at the beginning belongs to the file, not to its first line.
    let text = source.text.trim_start_matches('\u{feff}');
    let mut offset = source.base + source.text.len() - text.len();
    for raw in text.split_inclusive('\n') {
        if lines.len() == MAX_LINES {
            let span = Span::new(offset, offset + raw.trim_end().len());
            errors.push(error::too_long(MAX_LINES, span));
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
    check_lines(&lines, source, &mut errors);
    (Script { lines, other_seed: None }, errors)
}

fn check_lines(lines: &[Line], source: &Source, errors: &mut Vec<Diagnostic>) {
    check_header(lines, source, errors);
    check_order(lines, errors);
}

/// Puts the lines of other files where a script includes them; `read` gives the file that a line names.
///
/// # Errors
///
/// Files that cannot be read, lines in them of no known form, and lines that stand where they cannot.
pub(crate) fn include(
    script: &mut Script,
    source: &Source,
    mut read: impl FnMut(&str) -> Result<Source, String>,
) -> Result<(), Diagnostics> {
    let is_include = |line: &Line| matches!(line.kind, LineKind::Include(_));
    for count in 0..MOST_REPORTED {
        let next = script.lines.iter().position(is_include);
        let Some((at, LineKind::Include(name))) = next.map(|at| (at, &script.lines[at].kind))
        else {
            let mut errors = Vec::new();
            if count > 0 {
                check_lines(&script.lines, source, &mut errors);
            }
            return if errors.is_empty() { Ok(()) } else { Err(reported(errors)) };
        };
        let refused = |reason: &str| {
            Diagnostics::of(error::include(name.text.clone(), reason.to_owned(), name.span))
        };
        if count + 1 == MOST_REPORTED {
            return Err(refused("too many files include others"));
        }
        let included = read(&name.text).map_err(|reason| refused(&reason))?;
        let (Script { lines, .. }, mut errors) = self::read_script(&included);
        // The header may be in either file.
        errors.retain(|error| error.code != Some("script::no_game"));
        if !errors.is_empty() {
            return Err(reported(errors));
        }
        if script.lines.len() + lines.len() > MAX_LINES {
            return Err(refused("the files have too many lines together"));
        }
        script.lines.splice(at..=at, lines);
    }
    Ok(())
}

/// Whether a name of a player can stand before `>` in a script.
pub fn is_name(name: &str) -> bool {
    let words = SpannedText { text: name.to_owned(), span: Span::default() };
    !name.trim().is_empty() && !name.contains(',') && check_name(&words).is_ok()
}

/// A stretch of the script and where it begins.
#[derive(Clone, Copy)]
struct ScriptPiece<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> ScriptPiece<'a> {
    fn piece_span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    fn trim(self) -> ScriptPiece<'a> {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        ScriptPiece { text: text.trim_end(), start }
    }

    fn split_at(self, at: usize) -> (ScriptPiece<'a>, ScriptPiece<'a>) {
        let (left, right) = self.text.split_at(at);
        (ScriptPiece { text: left, ..self }, ScriptPiece { text: right, start: self.start + at })
    }

    /// The two sides of the first `sign`, trimmed.
    fn split_at_sign(self, sign: char) -> Option<(ScriptPiece<'a>, ScriptPiece<'a>)> {
        let (left, right) = self.split_at(self.text.find(sign)?);
        Some((left.trim(), right.split_at(sign.len_utf8()).1.trim()))
    }

    fn to_spanned(self) -> SpannedText {
        SpannedText { text: self.text.to_owned(), span: self.piece_span() }
    }
}

fn read_line(raw: &str, start: usize) -> Result<Line, Diagnostic> {
    let text = raw.trim_end();
    let whole = ScriptPiece { text, start };
    let line = |kind, tail: &str| Line {
        kind,
        span: whole.piece_span(),
        text: text.to_owned(),
        tail: tail.to_owned(),
    };
    if text.is_empty() {
        return Ok(line(LineKind::Blank, ""));
    }
    if let Some(said) = text.strip_prefix("  ") {
        return Ok(line(LineKind::Output(said.to_owned()), ""));
    }
    if text.starts_with(char::is_whitespace) {
        let width = text.len() - text.trim_start().len();
        return Err(error::indentation(Span::new(start, start + width)));
    }
    if text.starts_with('#') {
        return Ok(line(LineKind::Comment, ""));
    }
    let end = comment_start(text);
    let kind = read_kind(whole.split_at(end).0.trim())?;
    Ok(line(kind, &text[text[..end].trim_end().len()..]))
}

/// Where the trailing comment of a line begins: at a `#` after white space, outside of quotes.
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

/// A word or a sign, what follows it, an example, and what such a line is.
type Simple = (&'static str, &'static str, &'static str, fn(SpannedText) -> LineKind);

/// Lines that are a word or a sign and then any words.
const SIMPLE: [Simple; 5] = [
    ("?", "an expression", "? moves == 3", LineKind::Holds),
    ("=", "a result", "= Ann wins", LineKind::Result),
    ("game", "a name or a path", "game pairs.game", LineKind::Game),
    ("set", "a statement", "set Ann.coins = 3", LineKind::Set),
    ("do", "a rule to run", "do take_turn(Ann)", LineKind::Do),
];

fn read_kind(line: ScriptPiece) -> Result<LineKind, Diagnostic> {
    let is_sign = line.text.starts_with(['*', '?', '!', '=']);
    let end = if is_sign { Some(1) } else { line.text.find(char::is_whitespace) };
    let (word, rest) = line.split_at(end.unwrap_or(line.text.len()));
    let (word, rest) = (word.text, rest.trim());
    if let Some((sign, expected, example, kind)) = SIMPLE.iter().find(|(sign, ..)| *sign == word) {
        return Ok(kind(need(rest, sign, expected, example)?));
    }
    match word {
        "*" => match rest.split_at_sign(':') {
            Some((event, outcome)) if !event.text.is_empty() && !outcome.text.is_empty() => {
                Ok(LineKind::Chance(rest.to_spanned()))
            }
            _ => Err(incomplete(rest, "*", "an event, a colon and its outcome", "* roll die: 4")),
        },
        "!" => read_refused(rest),
        "players" => read_players(rest),
        "option" => {
            let (expected, example) = ("`name = value`", "option target = 5");
            let missing = || incomplete(rest, "option", expected, example);
            let (name, value) = rest.split_at_sign('=').ok_or_else(missing)?;
            let name = need(name, "option", expected, example)?;
            Ok(LineKind::Option { name, value: need(value, "option", expected, example)? })
        }
        "seed" => Ok(LineKind::Seed(parse_number(rest, "seed", "seed 42")?)),
        "bot" => {
            let (count, who) =
                rest.split_at_sign(' ').unwrap_or((rest, ScriptPiece { text: "", ..rest }));
            let who = (!who.text.is_empty()).then(|| who.to_spanned());
            Ok(LineKind::Bot(parse_number(count, "bot", "bot 10")?, who))
        }
        "moves" if rest.text.is_empty() => Ok(LineKind::Moves),
        _ => read_frame(word, rest).unwrap_or_else(|| read_decision(line, word)),
    }
}

/// Lines about the script itself: its cases, its end, other files, what is known of it. A player may be
/// called like one of their words.
fn read_frame(word: &str, rest: ScriptPiece) -> Option<Result<LineKind, Diagnostic>> {
    let is_quoted = rest.text.starts_with('"');
    let kind = match word {
        "end" if rest.text.is_empty() => Ok(LineKind::End),
        "case" if is_quoted => parse_quoted(rest, "case", "case \"two airs\"").map(LineKind::Case),
        "include" if is_quoted => {
            parse_quoted(rest, "include", "include \"opening.script\"").map(LineKind::Include)
        }
        _ if rest.text.contains('>') => return None,
        "tags" => {
            let mut at = rest.start;
            let tags = rest.text.split(',').map(|text| {
                let tag = ScriptPiece { text, start: at };
                at += text.len() + 1;
                need(tag, "tags", "words with commas between them", "tags slow, duel")
            });
            tags.collect::<Result<_, _>>().map(LineKind::Tags)
        }
        "known" if rest.text.starts_with("failure") => {
            let (sign, example) = ("known failure", "known failure because \"the bank runs dry\"");
            let because = rest.text["failure".len()..].trim_start().strip_prefix("because");
            let text = because.unwrap_or_default();
            let piece = ScriptPiece { text, start: rest.start + rest.text.len() - text.len() };
            parse_quoted(piece.trim(), sign, example).map(LineKind::Known)
        }
        "limit" => {
            let number = rest.text.strip_suffix('s').unwrap_or_default().trim_end();
            let seconds = number.parse::<u64>().ok().filter(|it| (1..=86_400).contains(it));
            let missing = || incomplete(rest, "limit", "seconds", "limit 2 s");
            seconds.map(|seconds| LineKind::Limit(1000 * seconds)).ok_or_else(missing)
        }
        _ => return None,
    };
    Some(kind)
}

/// A text in quotes.
fn parse_quoted(
    rest: ScriptPiece,
    sign: &'static str,
    example: &'static str,
) -> Result<SpannedText, Diagnostic> {
    let inner = rest.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = inner.filter(|text| !text.trim().is_empty() && !text.contains('"'));
    let missing = || incomplete(rest, sign, "a text in quotes", example);
    Ok(SpannedText { text: text.ok_or_else(missing)?.to_owned(), span: rest.piece_span() })
}

fn read_decision(line: ScriptPiece, word: &str) -> Result<LineKind, Diagnostic> {
    let Some((name, words)) = line.split_at_sign('>').filter(|(name, _)| !name.text.is_empty())
    else {
        let (help, span) = (otherwise(line, word), line.piece_span());
        return Err(error::unknown_line(line.text.to_owned(), help, span));
    };
    let words = need(words, ">", "a move after it", "Ann> take 2")?;
    Ok(LineKind::Decision { name: name.to_spanned(), words })
}

/// Help for a line that begins with no known word.
fn otherwise(place: ScriptPiece, word: &str) -> Help {
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
    if let Some(near) = nearest(name, WORDS.into_iter().chain(LATER_WORDS)) {
        let span = ScriptPiece { text: name, ..place }.piece_span();
        return Help::did_you_mean(near).with_span(span);
    }
    match line.split_once(':') {
        Some((name, words)) if !name.contains(' ') && !words.trim().is_empty() => {
            Help::form("a decision is written", &format!("{name}> {}", words.trim()))
        }
        _ => "a decision is written `NAME> move`; an output line begins with two spaces".into(),
    }
}

fn read_refused(rest: ScriptPiece) -> Result<LineKind, Diagnostic> {
    let example = "! take 9 because \"only 3 are left\"";
    let quoted = |at: &usize| rest.text[at + "because".len()..].trim_start().starts_with('"');
    let because = rest.text.rmatch_indices("because").map(|(at, _)| at).find(quoted);
    let (head, because) = match because {
        Some(at) if at == 0 || rest.text[..at].ends_with(char::is_whitespace) => {
            let (head, because) = rest.split_at(at);
            let quoted = because.split_at("because".len()).1.trim();
            let inner = quoted.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let Some(text) = inner.filter(|text| !text.is_empty()) else {
                return Err(incomplete(quoted, "because", "a text in quotes", example));
            };
            let because = SpannedText { text: text.to_owned(), span: quoted.piece_span() };
            (head, Some(because))
        }
        _ => (rest, None),
    };
    let words = need(head, "!", "a move that must be illegal", example)?;
    Ok(LineKind::Refused { words, because })
}

fn read_players(rest: ScriptPiece) -> Result<LineKind, Diagnostic> {
    let example = "players Ann, Ben";
    let (mut names, mut known) = (Vec::new(), BTreeSet::new());
    let mut offset = rest.start;
    let joined = [" and ", " & "].iter().any(|word| rest.text.contains(word));
    if joined || !rest.text.is_empty() && rest.text.bytes().all(|it| it.is_ascii_digit()) {
        return Err(incomplete(rest, "players", "names with commas between them", example));
    }
    for part in rest.text.split(',') {
        let name = need(ScriptPiece { text: part, start: offset }, "players", "names", example)?;
        check_name(&name)?;
        let name = SpannedText { text: fold_case(&name.text), ..name };
        if !known.insert(name.text.clone()) {
            let help = "give every player a name of their own";
            return Err(error::same_name(name.text, help, name.span));
        }
        names.push(name);
        offset += part.len() + 1;
    }
    Ok(LineKind::Players(names))
}

fn check_name(name: &SpannedText) -> Result<(), Diagnostic> {
    let text = fold_case(&name.text);
    let first = text.split(' ').next().unwrap_or_default();
    if !is_one_seen_line(&text)
        || text.contains(['>', '#', ':'])
        || text.starts_with(['*', '?', '!', '='])
        || WORDS.contains(&first)
    {
        return Err(error::bad_name(text, name.span));
    }
    Ok(())
}

fn parse_number<N: std::str::FromStr>(
    rest: ScriptPiece,
    sign: &'static str,
    example: &'static str,
) -> Result<N, Diagnostic> {
    rest.text.parse().map_err(|_| incomplete(rest, sign, "a number", example))
}

fn need(
    rest: ScriptPiece,
    sign: &'static str,
    expected: &'static str,
    example: &'static str,
) -> Result<SpannedText, Diagnostic> {
    let rest = rest.trim();
    if rest.text.is_empty() {
        return Err(incomplete(rest, sign, expected, example));
    }
    Ok(rest.to_spanned())
}

fn incomplete(
    rest: ScriptPiece,
    sign: &'static str,
    expected: &'static str,
    example: &'static str,
) -> Diagnostic {
    let found = if rest.text.is_empty() { "nothing".into() } else { format!("`{}`", rest.text) };
    error::IncompleteLine { sign, expected, found, example, span: rest.piece_span() }.into()
}

fn check_header(lines: &[Line], source: &Source, errors: &mut Vec<Diagnostic>) {
    let is_game = |line: &Line| matches!(line.kind, LineKind::Game(_));
    // A line that could not be read may well be the one that is missed here.
    let is_known = |line: &Line| is_game(line) || matches!(line.kind, LineKind::Include(_));
    if errors.is_empty() && !lines.iter().any(is_known) {
        errors.push(error::no_game(Span::new(source.base, source.base)));
    }
    // Of each sort the first.
    let mut above: BTreeMap<usize, &Line> = BTreeMap::new();
    let mut repeated = Vec::new();
    let (mut options, mut columns) = (BTreeSet::new(), None);
    for line in lines {
        let LinePosition::Header(rank) = line.kind.line_position() else { continue };
        let (sign, span) = (line.kind.line_sign(), line.span);
        let higher = above.range(rank + 1..).map(|(_, line)| line);
        match (&line.kind, above.get(&rank)) {
            (kind, Some(first)) if !matches!(kind, LineKind::Option { .. }) => {
                errors.push(error::two_headers(sign, first.span, span));
            }
            _ => {
                if let Some(before) = higher.min_by_key(|other| other.span.start) {
                    let before = before.kind.line_sign();
                    errors.push(error::header_order(sign, before, span));
                }
            }
        }
        above.entry(rank).or_insert(line);
        if let LineKind::Option { name, value } = &line.kind {
            if !options.insert(&name.text) {
                let help = "keep one of the values";
                repeated.push(error::same_name(name.text.clone(), help, name.span));
            }
            // Lines with several values have one for each case.
            let count = value.text.split('|').count();
            if count > 1 && *columns.get_or_insert(count) != count {
                let (text, start) = (value.text.as_str(), value.span.start as usize);
                let expected = "as many values as the other options with `|`";
                let piece = ScriptPiece { text, start };
                errors.push(incomplete(piece, "option", expected, "option target = 3 | 5"));
            }
        }
    }
    errors.extend(repeated);
}

/// Checks what may stand below what: no header below a step, no output below silent lines, no
/// step below the result.
fn check_order(lines: &[Line], errors: &mut Vec<Diagnostic>) {
    let (mut stepped, mut ended, mut speaks) = (false, false, true);
    // Whether output may stand below the last step above the cases.
    let (mut opening, mut names) = (None, BTreeSet::new());
    for line in lines {
        let (kind, sign, span) = (&line.kind, line.kind.line_sign(), line.span);
        match (kind, kind.line_position()) {
            (LineKind::Case(name), _) => {
                if !names.insert(&name.text) {
                    let help = "give every case a name of its own";
                    errors.push(error::same_name(name.text.clone(), help, name.span));
                }
                speaks = *opening.get_or_insert(speaks);
                (stepped, ended) = (true, false);
                continue;
            }
            (
                LineKind::Comment
                | LineKind::Blank
                | LineKind::Tags(_)
                | LineKind::Known(_)
                | LineKind::Limit(_)
                | LineKind::Include(_),
                _,
            ) => continue,
            (LineKind::Output(_), _) if !speaks => errors.push(error::stray_output(span)),
            (_, LinePosition::Header(_)) if stepped => {
                errors.push(error::late_header(sign, span));
            }
            (LineKind::Output(_) | LineKind::Holds(_), _) | (_, LinePosition::Header(_)) => {}
            _ if ended => {
                let line = match kind {
                    LineKind::Decision { .. } => "a decision".to_owned(),
                    LineKind::Result(_) => "another result".to_owned(),
                    _ => format!("`{sign}`"),
                };
                errors.push(error::after_result(line, span));
            }
            _ => {}
        }
        stepped |= !kind.is_header();
        ended |= matches!(kind, LineKind::Result(_) | LineKind::End);
        if kind.is_action() {
            speaks = kind.line_position() == LinePosition::Speaking;
        }
    }
}
