//! Diagnostics as plain records, tables that declare them, and bags that collect and sort them.

mod table;

use std::fmt::{Display, Formatter};

use serde::Serialize;

pub(crate) use table::{clause, diagnostics, function, parameter, record};

use crate::source::{Source, Span, hidden_signs};

/// What a stage reports about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// `stage::name`; `docs/errors.md` has a section for each.
    pub code: Option<&'static str>,
    /// What is wrong, in a line.
    pub message: String,
    /// The places that it is about; it is sorted by the first.
    pub labels: Vec<Label>,
    /// A way out.
    pub help: Option<String>,
    /// The replacement that mends it, where one is known.
    pub fix: Option<Box<Fix>>,
}

/// How bad it is: an error keeps the next stage from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Severity {
    /// The text is no game.
    Error,
    /// Probably a mistake.
    Warning,
    /// What would read better.
    Advice,
}

/// A place that a diagnostic is about, and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub text: String,
    /// Whether it is the main one, wherever it stands; else the first of them is.
    pub primary: bool,
}

/// A replacement that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text to replace; empty where something is only missing.
    pub span: Span,
    /// The text to put there.
    pub text: String,
}

impl Severity {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Advice => "advice",
        }
    }
}

impl Label {
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Label {
        Label { span, text: text.into(), primary: false }
    }
}

impl Diagnostic {
    /// An error about no place, to which `with_…` adds what else is known.
    pub(crate) fn new(
        code: impl Into<Option<&'static str>>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: code.into(),
            message: message.into(),
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    pub(crate) fn with_severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    /// Adds a label, if there is a place for it.
    pub(crate) fn with_label(
        self,
        span: impl Into<Option<Span>>,
        text: impl Into<String>,
    ) -> Diagnostic {
        let label = span.into().map(|span| Label::new(span, text));
        self.with_labels(label)
    }

    /// Adds the main label, which need not be the first.
    pub(crate) fn with_primary(
        self,
        span: impl Into<Option<Span>>,
        text: impl Into<String>,
    ) -> Diagnostic {
        let label = span.into().map(|span| Label { primary: true, ..Label::new(span, text) });
        self.with_labels(label)
    }

    pub(crate) fn with_labels(mut self, labels: impl IntoIterator<Item = Label>) -> Diagnostic {
        self.labels.extend(labels);
        self
    }

    /// Adds a help, if there is one, and the fix that it knows for the first label.
    pub(crate) fn with_help(mut self, help: impl Into<Help>) -> Diagnostic {
        let Help { words, text, span } = help.into();
        if !words.is_empty() {
            self.help = Some(words);
            let span = span.or(self.labels.first().map(|label| label.span));
            self.fix = text.zip(span).map(|(text, span)| Box::new(Fix { span, text }));
        }
        self
    }

    /// Adds the text that mends it in place of the first label.
    pub(crate) fn with_fix(self, text: impl Into<String>) -> Diagnostic {
        let fix =
            self.labels.first().map(|label| Box::new(Fix { span: label.span, text: text.into() }));
        Diagnostic { fix, ..self }
    }

    /// The place of the first label, or the beginning of everything.
    pub fn place(&self) -> Span {
        self.labels.first().map(|label| label.span).unwrap_or_default()
    }

    /// The label that an excerpt begins with.
    pub(crate) fn main_label(&self) -> Option<usize> {
        let primary = self.labels.iter().position(|label| label.primary);
        primary.or((!self.labels.is_empty()).then_some(0))
    }

    /// Whether it keeps the next stage from running.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Display for Diagnostic {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// What to do about a mistake, in words, with the text that mends it where that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub(crate) struct Help {
    words: String,
    text: Option<String>,
    /// What the text replaces, if that is not the first label of the diagnostic.
    span: Option<Span>,
}

impl Help {
    /// Suggests the closest name.
    pub(crate) fn did_you_mean(near: &str) -> Help {
        Help::from(format!("did you mean `{near}`?")).with(near)
    }

    /// Shows the form to write. A form with `…` is left to the designer to fill in.
    pub(crate) fn form(words: &str, form: &str) -> Help {
        let text = (!form.contains('…')).then(|| form.to_owned());
        Help { words: format!("{words} `{form}`"), text, span: None }
    }

    /// Adds the text that mends the mistake.
    pub(crate) fn with(self, text: &str) -> Help {
        Help { text: Some(text.to_owned()), ..self }
    }

    /// This fix with the words of another help.
    pub(crate) fn says(self, other: Help) -> Help {
        Help { words: other.words, ..self }
    }

    /// What its fix replaces, if that is said, and the text.
    pub(crate) fn replacement(&self) -> Option<(Option<Span>, &str)> {
        self.text.as_deref().map(|text| (self.span, text))
    }

    /// Says what the text replaces, where that is not the first label of the diagnostic.
    pub(crate) fn with_span(self, span: Span) -> Help {
        Help { span: Some(span), ..self }
    }
}

impl From<String> for Help {
    fn from(words: String) -> Help {
        Help { words, ..Help::default() }
    }
}

impl From<&str> for Help {
    fn from(words: &str) -> Help {
        Help::from(words.to_owned())
    }
}

impl From<&String> for Help {
    fn from(words: &String) -> Help {
        Help::from(words.clone())
    }
}

/// No help is one without words.
impl<T: Into<Help>> From<Option<T>> for Help {
    fn from(help: Option<T>) -> Help {
        help.map(Into::into).unwrap_or_default()
    }
}

impl Display for Help {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.words)
    }
}

/// What a stage has reported so far, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    pub fn of(one: impl Into<Diagnostic>) -> Diagnostics {
        Diagnostics { all: vec![one.into()] }
    }

    pub fn push(&mut self, one: impl Into<Diagnostic>) {
        self.all.push(one.into());
    }

    pub fn extend(&mut self, more: impl IntoIterator<Item = impl Into<Diagnostic>>) {
        self.all.extend(more.into_iter().map(Into::into));
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn has_errors(&self) -> bool {
        self.all.iter().any(Diagnostic::is_error)
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub fn errors(&self) -> usize {
        self.all.iter().filter(|one| one.is_error()).count()
    }

    /// Not more than [`MOST_FINDINGS`], errors before others, and one that counts the rest.
    pub(crate) fn limited(self) -> Diagnostics {
        let sorted = self.sorted();
        if sorted.len() <= MOST_FINDINGS {
            return self;
        }
        let (mut all, others): (Vec<_>, Vec<_>) =
            sorted.into_iter().partition(Diagnostic::is_error);
        let errors = all.len();
        all.extend(others);
        let more = all.split_off(MOST_FINDINGS);
        let place = all.iter().map(Diagnostic::place).max().unwrap_or_default();
        let mut rest = more_findings(more.len(), errors.saturating_sub(MOST_FINDINGS), place);
        if errors <= MOST_FINDINGS {
            rest.severity = Severity::Warning;
        }
        all.push(rest);
        Diagnostics { all }
    }

    /// The first ones in order of place, and how many more there are.
    pub(crate) fn first(&self, count: usize) -> (Diagnostics, usize) {
        let mut all = self.sorted();
        let more = all.len().saturating_sub(count);
        all.truncate(count);
        (Diagnostics { all }, more)
    }

    /// All of them in order of place; those at one place in the order in which they were found, and
    /// the same message at one place once.
    pub fn sorted(&self) -> Vec<Diagnostic> {
        let mut sorted = self.all.clone();
        sorted.sort_by_key(Diagnostic::place);
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(sorted.len());
        for found in sorted {
            let mut here = kept.iter().rev().take_while(|it| it.place() == found.place());
            if here.all(|it| it.message != found.message) {
                kept.push(found);
            }
        }
        kept
    }
}

/// All of them, in the order in which they were found.
impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}

impl<T: Into<Diagnostic>> FromIterator<T> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Diagnostics {
        Diagnostics { all: all.into_iter().map(Into::into).collect() }
    }
}

// Signs in texts and comments that nobody sees, or that show the letters in another order.

diagnostics! {
    // It shows another file than the one that is read.
    syntax::hidden_sign => (sign: u32, what, help; span),
        "U+{sign:04X} {what}", span: "here",
        severity: Warning, help: help, fix: "";
}

diagnostics! {
    check::more_findings => (count, errors; span),
        "{count} more findings are not shown, {errors} of them errors", span: "the last one that is shown",
        help: "mend the first ones: the others often come from them";
}

/// How many findings of a file are shown; nobody reads more.
pub const MOST_FINDINGS: usize = 100;

/// How many lines of a file with hidden signs are reported.
const MOST_REPORTED: usize = 20;

/// Longer lines are not written out.
const LONGEST: usize = 200;

/// Warns of each line of a game or a script with such signs.
pub(crate) fn hidden_signs_in(source: &Source) -> Diagnostics {
    let (mut diagnostics, mut last) = (Diagnostics::new(), None::<usize>);
    let signs = hidden_signs(&source.text).filter(|(at, _)| {
        let before = last.replace(*at);
        let is_first = before.is_none_or(|before| source.text[before..*at].contains('\n'));
        // A mark of the byte order at the beginning belongs to the file.
        is_first && *at > 0
    });
    for (at, sign) in signs.take(MOST_REPORTED) {
        let (start, end) = (source.base + at, source.base + at + sign.len_utf8());
        let (help, span) = (line_without(&source.text, at), Span::new(start, end));
        let (what, sign) = (describe_hidden_sign(sign), u32::from(sign));
        diagnostics.push(hidden_sign(sign, what, help, span));
    }
    diagnostics
}

fn describe_hidden_sign(sign: char) -> &'static str {
    match sign {
        sign if sign.is_control() => "steers a terminal",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            "turns the order in which letters are shown"
        }
        _ => "cannot be seen",
    }
}

fn line_without(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    if line.len() > LONGEST {
        return "remove it".to_owned();
    }
    let hidden: Vec<usize> = hidden_signs(line).map(|(at, _)| at).collect();
    let seen = line.char_indices().filter(|(at, _)| !hidden.contains(at));
    let seen: String = seen.map(|(_, letter)| letter).collect();
    format!("write the line without it: `{}`", seen.trim())
}
