//! Probes a place for completion: a name that means nothing stands in for the word there, and the
//! check records what it looks for.

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
    let offset = text.floor_char_boundary(offset);
    let before = text[..offset].chars().rev().take_while(|letter| is_part(*letter)).count();
    let after = text[offset..].chars().take_while(|letter| is_part(*letter)).count();
    // Letters of words are one byte long.
    (offset - before, offset + after)
}

impl Document {
    /// What could stand at an offset, as far as the text around it can be understood.
    pub(super) fn context(&self, offset: usize) -> Option<CompletionContext> {
        let text = &self.source.text;
        let (start, end) = word_around(text, offset);
        let mut name = "here".to_owned();
        while text.contains(&name) {
            name.push('_');
        }
        let probed = Source::new("", format!("{}{name}{}", &text[..start], &text[end..]));
        let chunk = declarations(&probed)
            .into_iter()
            .find(|chunk| (chunk.start as usize..chunk.end as usize).contains(&start))?;
        let (first, last) = (chunk.start as usize, chunk.end as usize);
        let around = (&probed.text[..first], &probed.text[last..]);
        let attempts = attempts(probed.slice(chunk), start - first, name.len());
        attempts.into_iter().find_map(|attempt| {
            let item = self.declaration(&attempt)?;
            if self.stands_alone(&item) {
                let place = Span::new(first, last + text.len() - probed.text.len());
                return self.look_with(place, item, &name);
            }
            let text = format!("{}{attempt}{}", around.0, around.1);
            let opened = Opened { name: &self.source.name, text: &text, folder: &self.kept };
            study(&assemble(&mut Sources::default(), &opened).ast, Some(&name)).context
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
        !self.names_others() && !is_layer(item) && !self.assembled.own.items.iter().any(is_layer)
    }

    /// What the check looks for where the name stands in a declaration that takes the place of what
    /// could be read there. The others are not read again.
    fn look_with(&self, place: Span, item: Item, name: &str) -> Option<CompletionContext> {
        let mut items = self.assembled.own.items.clone();
        let first = items.partition_point(|it| it.span.start < place.start);
        let last = items.partition_point(|it| it.span.start < place.end).max(first);
        items.splice(first..last, [item]);
        study(&Ast { items }, Some(name)).context
    }
}

/// The texts that are tried for a declaration that is being written, the likeliest first: with all
/// that follows the name, and with nothing of it but the brackets that are open.
fn attempts(text: &str, at: usize, length: usize) -> Vec<String> {
    let (before, after) = text.split_at(at + length);
    let closing = closers(&text[..at]);
    let whole = ENDINGS.iter().map(|ending| format!("{before}{ending}{after}"));
    let cut = ENDINGS.iter().map(|ending| format!("{before}{ending}{closing}"));
    // Brackets that stand around a header belong to it, those further out to blocks.
    let headers = (1..=closing.len())
        .map(|inner| format!("{before}{} {{ }}{}", &closing[..inner], &closing[inner..]));
    whole.chain(cut).chain(headers).collect()
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
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = tokenize(&text[start..offset]);
    let in_comment = line.all.last().is_some_and(|it| it.kind == TokenKind::Comment);
    !in_comment && !line.in_text
}
