//! Mends a file with errors by an edit of one word or sign: with it the whole file is sound, so all errors are
//! echoes of that one.

use std::ops::Range;
use std::sync::Arc;

use crate::budget::{Budget, MAX_WORK};
use crate::check::check_rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Help, Label};
use crate::load::{Folder, NamedText, OpenedFile, assemble};
use crate::pipeline::{Ruleset, compile_usual};
use crate::source::{Source, Sources, Span};
use crate::syntax::{FileWords, TokenEdit, TokenEdits, Trouble, is_part};

/// Where there are more errors, no single word is the cause.
const MOST_ERRORS: usize = 16;

/// A longer file is not checked again and again.
const LONGEST: usize = 64 * 1024;

/// So many bytes are checked at most to find a sound edit.
pub(super) const MOST_BYTES: usize = 1024 * 1024;

/// So many while somebody types: a game of a thousand lines twice or three times.
#[cfg(feature = "messages")]
pub(super) const MOST_TYPED: usize = 96 * 1024;

/// So many steps are taken at most for it.
const MOST_WORK: u64 = MAX_WORK / 4;

/// So many of the first errors are looked at.
const MOST_MENDED: usize = 3;

/// How much less odd a file looks with an edit that is meant, whatever else is wrong in it.
const SURE: i32 = -3;

/// So many others in the same place are tried beside a sound one.
const MOST_LIKE: usize = 24;

/// What is found in a file; where one word or sign is the cause of all errors, only the one next to it, with that
/// as its help.
pub(super) fn explain_by_form(
    found: Diagnostics,
    sources: &Sources,
    opened: &OpenedFile<'_>,
    most_bytes: usize,
) -> Diagnostics {
    let errors: Vec<_> = found.sorted().into_iter().filter(Diagnostic::is_error).collect();
    let source = errors.first().and_then(|it| sources.find(it.place()));
    let Some(source) = source.filter(|it| it.text.len() <= LONGEST) else { return found };
    if errors.len() > MOST_ERRORS
        || !may_be_slip(&errors[0])
        || errors.iter().any(|it| !source.contains(it.place()))
    {
        return found;
    }
    let text: Vec<_> = sources.iter().map(|it| it.text.as_str()).collect();
    let text = text.join("\n");
    let words = FileWords::of(&text);
    let mut trial = SoundTrial { source, opened, most_bytes, bytes: 0, work: 0 };
    if let Some(one) = trial.explain(&errors, &words) {
        return Diagnostics::of(one);
    }
    if errors.len() == 1 {
        return found;
    }
    found.into_iter().map(|it| trial.explain_alone(&it, &words).unwrap_or(it)).collect()
}

/// Whether one wrong word or sign often makes the program find this.
fn may_be_slip(error: &Diagnostic) -> bool {
    const NONE: [&str; 2] = ["syntax::csv", "syntax::chained_range"];
    const CODES: &str = "syntax:: check::unknown_ check::type_mismatch check::not_a_set check::row_length \
        check::mixed_cells check::wrong_ check::idle_statement check::not_indexable check::not_cards \
        check::duplicate";
    let code = error.code.filter(|code| !NONE.contains(code)).unwrap_or_default();
    CODES.split_whitespace().any(|it| code.starts_with(it))
}

/// Checks a game with another text of one of its files.
struct SoundTrial<'t> {
    source: &'t Source,
    opened: &'t OpenedFile<'t>,
    most_bytes: usize,
    bytes: usize,
    work: u64,
}

impl SoundTrial<'_> {
    fn explain(&mut self, errors: &[Diagnostic], words: &FileWords) -> Option<Diagnostic> {
        let edits = TokenEdits::of(self.source, &about(errors, self.source), words)?;
        let is_form = errors[0].code.is_some_and(|code| code.starts_with("syntax::"));
        let mut best: Option<(usize, usize)> = None;
        for (at, edit) in edits.all.iter().enumerate() {
            // What reads well needs evidence.
            let is_likely =
                is_form || edit.help.is_none() || edit.cost < if edit.is_named { 0 } else { 5 };
            let found = if is_likely { self.findings_with(edit, &edits) } else { None };
            let Some(found) = found else { continue };
            if best.is_none_or(|(least, _)| found < least) {
                best = Some((found, at));
            }
            if found == 0 {
                break;
            }
        }
        let (found, at) = best?;
        let others = edits.all.iter().filter(|it| edits.all[at].is_like(it));
        let others =
            others.take(MOST_LIKE).filter(|it| self.findings_with(it, &edits) == Some(found));
        let others: Vec<_> = others.collect();
        self.with_edit(errors, &edits.all[at], edits.all[at].help_with(&others))
    }

    /// One error of several, with the likeliest edit with which its declaration can be read, where the file shows that
    /// it is meant.
    fn explain_alone(&mut self, error: &Diagnostic, words: &FileWords) -> Option<Diagnostic> {
        let code = error.code.filter(|_| self.bytes <= self.most_bytes)?;
        let is_name = code.starts_with("check::unknown_");
        let help = error.help.as_deref().unwrap_or_default();
        let says_little =
            ["was being read", "is missing", "is expected", "too many", "remove it, or add"];
        if !is_name && !says_little.iter().any(|it| help.contains(it)) {
            return None;
        }
        let errors = std::slice::from_ref(error);
        let edits = TokenEdits::of(self.source, &about(errors, self.source), words)?;
        let place = local(error.place(), self.source);
        let is_meant = |it: &&TokenEdit| {
            // Names that ran together keep their letters.
            let letters = |text: &str| text.replace(|it| !is_part(it), "");
            let names =
                |text: &str| text.split(|it| !is_part(it)).filter(|it| !it.is_empty()).count();
            let old = &self.source.text[it.range.clone()];
            let is_split = letters(old) == letters(&it.text) && names(old) < names(&it.text);
            let is_inside =
                edits.stretch.start <= it.range.start && it.range.end <= edits.stretch.end;
            let is_own = !is_name || it.range.contains(&place.start) && is_split;
            is_inside && is_own && it.cost <= SURE
        };
        let likely = edits.all.iter().filter(is_meant).take(MOST_LIKE);
        self.bytes += MOST_LIKE * edits.stretch.len();
        let edit = likely.into_iter().find(|it| edits.reads(it))?;
        self.with_edit(errors, edit, edit.help.clone())
    }

    /// How much is found with an edit; nothing where there are errors, or something on its lines.
    fn findings_with(&mut self, edit: &TokenEdit, edits: &TokenEdits) -> Option<usize> {
        if self.bytes > self.most_bytes || self.work > MOST_WORK {
            return None;
        }
        // To read a declaration takes less than to check the file.
        self.bytes += edits.stretch.len() / 3;
        if !edits.reads(edit) {
            return None;
        }
        let Source { name, text, .. } = self.source;
        let text = [&text[..edit.range.start], &edit.text, &text[edit.range.end..]].concat();
        let folder = Mended { folder: self.opened.folder, name, text: &text };
        let own = if self.opened.name == name { &text } else { self.opened.text };
        let opened = OpenedFile { name: self.opened.name, text: own, folder: &folder };
        let mut sources = Sources::default();
        let assembled = assemble(&mut sources, &opened);
        self.bytes += sources.iter().map(|it| it.text.len()).sum::<usize>();
        if assembled.diagnostics.has_errors() {
            return None;
        }
        let checked = check_rules(&assembled.ast, Budget::default());
        self.work += checked.budget.work();
        let rules = Ruleset { rules: Arc::new(checked.rules?), sources: Arc::new(sources) };
        let mut found = checked.diagnostics;
        found.extend(checked.advice);
        found.extend(assembled.diagnostics);
        compile_usual(&rules, &checked.budget, &mut found);
        self.work += checked.budget.work();
        let lines = edit.range.start..edit.range.start + edit.text.len();
        let lines = text[..lines.start].rfind('\n').map_or(0, |at| at + 1)
            ..text[lines.end..].find('\n').map_or(text.len(), |at| lines.end + at);
        let is_own = |it: &Diagnostic| {
            let source = rules.sources.find(it.place()).filter(|it| it.name == *name);
            let at = source.map(|source| it.place().start as usize - source.base);
            at.is_some_and(|at| lines.contains(&at))
        };
        let is_sound = !found.has_errors() && !found.sorted().iter().any(is_own);
        is_sound.then(|| found.count())
    }

    /// The error next to an edit, with the edit as its help, unless that is what an error offers.
    fn with_edit(
        &self,
        errors: &[Diagnostic],
        edit: &TokenEdit,
        help: Option<Help>,
    ) -> Option<Diagnostic> {
        let Some(help) = help else {
            let offers = |it: &&Diagnostic| {
                fix_of(it, self.source).is_some_and(|it| it.0 == edit.range && it.1 == edit.text)
            };
            return errors.iter().find(offers).cloned();
        };
        let start = self.source.base + edit.range.start;
        let span = Span::new(start, self.source.base + edit.range.end);
        let line_of = |span: Span| self.source.place(span.start).line;
        let line = line_of(span);
        let error = errors.iter().min_by_key(|it| line_of(it.place()).abs_diff(line))?;
        let is_here = line_of(error.place()) == line;
        let error = error.clone().with_help(help);
        if is_here {
            return Some(error);
        }
        let help = error.help.clone().map(|help| format!("in line {line} {help}"));
        let labels = error.labels.iter().take(1).cloned();
        let labels = labels.chain([Label::new(span, "the help is about this")]).collect();
        Some(Diagnostic { labels, help, ..error })
    }
}

/// The place of a span in a source.
fn local(span: Span, source: &Source) -> Range<usize> {
    let at = |offset: u32| (offset as usize - source.base).min(source.text.len());
    at(span.start)..at(span.end)
}

fn fix_of(error: &Diagnostic, source: &Source) -> Option<(Range<usize>, String)> {
    let fix = error.fix.as_ref().filter(|it| source.contains(it.span))?;
    Some((local(fix.span, source), fix.text.clone()))
}

/// What errors in a file are about.
fn about<'f>(errors: &[Diagnostic], source: &'f Source) -> Trouble<'f> {
    let first = || errors.iter().take(MOST_MENDED);
    let spans = first().flat_map(|it| &it.labels).map(|it| it.span);
    let places = spans.filter(|it| source.contains(*it)).map(|it| local(it, source).start);
    let is_unknown =
        |it: &&Diagnostic| it.code.is_some_and(|code| code.starts_with("check::unknown_"));
    let name = |it: &Diagnostic| {
        let shown = source.slice(it.place()).split('(').next().unwrap_or_default();
        shown.rsplit(|it| !is_part(it)).next().unwrap_or_default()
    };
    let unknown = errors.iter().filter(is_unknown).map(name).filter(|it| !it.is_empty());
    Trouble {
        places: places.collect(),
        unknown: unknown.collect(),
        fixes: first().filter_map(|it| fix_of(it, source)).collect(),
    }
}

/// A folder in which one file has another text.
struct Mended<'m> {
    folder: &'m dyn Folder,
    name: &'m str,
    text: &'m str,
}

impl Folder for Mended<'_> {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let found = self.folder.read(path)?;
        let text = if found.name == self.name { self.text.to_owned() } else { found.text };
        Ok(NamedText { text, ..found })
    }
}
