//! Asking what could stand at a place: the word there is replaced by a name that means nothing, and
//! the check tells what it would look for.

use crate::check::{CompletionContext, study};
use crate::editor::Document;
use crate::load::{Opened, assemble};
use crate::source::{Source, Sources, Span};
use crate::syntax::ast::{Ast, Item, ItemKind};
use crate::syntax::{TokenKind, declarations, is_part, parse, tokenize};

/// What may have to follow, so that a line that is still being written can be read.
const ENDINGS: [&str; 7] = ["", " { }", "()", "() { }", ": 0", " = 0", ": number"];

/// The word around an offset: where it begins and ends. Both are the offset if there is none.
pub(super) fn word_around(text: &str, offset: usize) -> (usize, usize) {
    let offset = boundary(text, offset);
    let before = text[..offset].chars().rev().take_while(|letter| is_part(*letter)).count();
    let after = text[offset..].chars().take_while(|letter| is_part(*letter)).count();
    // Letters of words are one byte long.
    (offset - before, offset + after)
}

/// The last end of a character up to an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl Document {
    /// What could stand at an offset, as far as the text around it can be understood.
    pub(super) fn sight(&self, offset: usize) -> Option<CompletionContext> {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let name = unused_name(text);
        let probed = Source::new("", format!("{}{name}{}", &text[..start], &text[end..]));
        let chunk = declarations(&probed)
            .into_iter()
            .find(|chunk| (chunk.start as usize..chunk.end as usize).contains(&start))?;
        let at = start - chunk.start as usize;
        let unread = Unread { text: probed.slice(chunk), at, after: at + name.len() };
        let around = (&probed.text[..chunk.start as usize], &probed.text[chunk.end as usize..]);
        unread.attempts().into_iter().find_map(|attempt| {
            let item = self.declaration(&attempt)?;
            if self.stands_alone(&item) {
                let end = chunk.end as usize + text.len() - probed.text.len();
                let place = Span::new(chunk.start as usize, end);
                return self.look_with(place, item, &name);
            }
            self.look(&format!("{}{attempt}{}", around.0, around.1), &name)
        })
    }

    /// The declaration that a text is, if it has no mistake of form. Its places are none of the
    /// file.
    fn declaration(&self, text: &str) -> Option<Item> {
        let base = self.sources.iter().map(|it| it.base + it.text.len() + 1).max()?;
        let (ast, diagnostics) = parse(&Source { base, ..Source::new("", text) });
        let [item] = <[Item; 1]>::try_from(ast.items).ok()?;
        (!diagnostics.has_errors()).then_some(item)
    }

    /// Whether a declaration means the same whatever other files and declarations it stands with.
    fn stands_alone(&self, item: &Item) -> bool {
        let is_layer = |item: &Item| {
            matches!(
                item.kind,
                ItemKind::Use(_)
                    | ItemKind::Variant(_)
                    | ItemKind::Replace(_)
                    | ItemKind::MoreMoves(_)
                    | ItemKind::MoreBranches(_)
            )
        };
        self.kept.is_empty() && !is_layer(item) && !self.assembled.own.items.iter().any(is_layer)
    }

    /// What the check looks for where the name stands in a declaration that takes the place of what
    /// could be read there. The others are not read again.
    fn look_with(&self, place: Span, item: Item, name: &str) -> Option<CompletionContext> {
        let items = &self.assembled.own.items;
        let first = items.partition_point(|it| it.span.start < place.start);
        let last = items.partition_point(|it| it.span.start < place.end).max(first);
        let around = items[..first].iter().cloned().chain([item]);
        let items = around.chain(items[last..].iter().cloned()).collect();
        study(&Ast { items }, Some(name)).sight
    }

    /// What the check looks for where the name stands in another text of the file.
    fn look(&self, text: &str, name: &str) -> Option<CompletionContext> {
        let opened = Opened { name: &self.source.name, text, folder: &self.kept };
        let assembled = assemble(&mut Sources::default(), &opened);
        study(&assembled.ast, Some(name)).sight
    }
}

/// A declaration that is being written.
struct Unread<'t> {
    text: &'t str,
    /// Where the name stands in it.
    at: usize,
    /// Where the name ends.
    after: usize,
}

impl Unread<'_> {
    /// The texts that are tried, the likeliest first: with all that follows, and with nothing of
    /// it but the brackets that are open.
    fn attempts(&self) -> Vec<String> {
        let (before, after) = self.text.split_at(self.after);
        let closing = closers(&self.text[..self.at]);
        let whole = ENDINGS.iter().map(|ending| format!("{before}{ending}{after}"));
        let cut = ENDINGS.iter().map(|ending| format!("{before}{ending}{closing}"));
        // Brackets that stand around a header belong to it, those further out to blocks.
        let headers = (1..=closing.len())
            .map(|inner| format!("{before}{} {{ }}{}", &closing[..inner], &closing[inner..]));
        whole.chain(cut).chain(headers).collect()
    }
}

/// A name that stands nowhere in the text.
fn unused_name(text: &str) -> String {
    let mut name = "here".to_owned();
    while text.contains(&name) {
        name.push('_');
    }
    name
}

/// The brackets that are open at the end of a text, closed from the innermost on.
fn closers(text: &str) -> String {
    let mut closing = String::new();
    for bracket in tokenize(text).open.iter().rev() {
        closing.push(match bracket.letter {
            '(' => ')',
            '[' => ']',
            _ => '}',
        });
        // The hole of a text is closed with its quote.
        if bracket.hole {
            closing.push('"');
        }
    }
    closing
}

/// Whether a name can stand at an offset: not in a comment, not in the words of a text.
pub(super) fn takes_names(text: &str, offset: usize) -> bool {
    let offset = boundary(text, offset);
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = tokenize(&text[start..offset]);
    let in_comment = line.all.last().is_some_and(|it| it.kind == TokenKind::Comment);
    !in_comment && !line.in_text
}
