//! Values in notes, and notes that name a value which a variant changed.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Diagnostics, Label};
use crate::load::error;
use crate::load::extend::blocks_in;
use crate::load::names::plain_text;
use crate::source::{Source, Sources, Span};
use crate::syntax::ast::{
    BinaryOp, Block, Expr, ExprKind, FlowDecl, GameClause, Item, ItemKind, KindBody, KindDecl,
    MoveLine, Note, RuleBody, RuleDecl, StmtKind, TableBody, TableDecl, UnaryOp,
};
use crate::syntax::number_words;

/// How long a chain of constants may be that a note's value is computed by.
const DEPTH: usize = 64;

/// Puts the value of each constant that a note names in braces, `{tray}`, into its place.
pub(super) fn fill_notes(items: &mut [Item], sources: &Sources, diagnostics: &mut Diagnostics) {
    let mut named = false;
    each_note(items, &mut |_, note| named |= holes(note).next().is_some());
    if !named {
        return;
    }
    let values = NoteValues::from_items(items);
    each_note(items, &mut |about, note| {
        let mut filled = String::new();
        let mut rest = 0;
        for (at, name) in holes(note) {
            let value = values.lookup_text(name, DEPTH);
            filled.push_str(&note[rest..at]);
            rest = at + name.len() + 2;
            if let Some(value) = value {
                filled.push_str(&value);
                continue;
            }
            let hole = |note: Span| {
                let start = note.start as usize + at;
                Span::new(start, start + name.len() + 2)
            };
            let span = find_note(note, about, sources).map_or(about, hole);
            diagnostics.push(error::note_value(name.to_owned(), span));
        }
        filled.push_str(&note[rest..]);
        *note = filled;
    });
}

/// The names in braces of a note, each with where its brace begins.
fn holes(note: &str) -> impl Iterator<Item = (usize, &str)> {
    note.match_indices('{').filter_map(|(at, _)| {
        let inside = &note[at + 1..];
        let name = &inside[..inside.find('}')?];
        let is_name = name.starts_with(|it: char| it.is_ascii_lowercase())
            && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        is_name.then_some((at, name))
    })
}

/// The constants of a game, as far as their values are known without checking it.
struct NoteValues(BTreeMap<String, Expr>);

impl NoteValues {
    fn from_items(items: &[Item]) -> NoteValues {
        let constants = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Let(it) => Some((it.name.text.clone(), it.value.clone())),
            _ => None,
        });
        NoteValues(constants.collect())
    }

    fn lookup_text(&self, name: &str, depth: usize) -> Option<String> {
        match &self.0.get(name)?.kind {
            ExprKind::Text(text) => plain_text(text),
            ExprKind::Name(of) if self.0.contains_key(&of.text) => {
                self.lookup_text(&of.text, depth.checked_sub(1)?)
            }
            _ => self.eval_number(self.0.get(name)?, depth).map(|it| it.to_string()),
        }
    }

    fn eval_number(&self, expr: &Expr, depth: usize) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Name(name) => self.eval_number(self.0.get(&name.text)?, depth),
            ExprKind::Unary(UnaryOp::Negate, of) => self.eval_number(of, depth)?.checked_neg(),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval_number(a, depth)?, self.eval_number(b, depth)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A number that a variant changed, whose name a note may not say.
pub(super) struct Changed {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) old: i64,
}

/// What an expression counts, if it is known without checking the game.
pub(super) fn constant_number(items: &[Item], expr: &Expr) -> Option<i64> {
    NoteValues::from_items(items).eval_number(expr, DEPTH)
}

/// Reports the notes of the base that name the value which a constant or an option had there, where what they are
/// about reads it.
pub(super) fn old_values(
    items: &mut [Item],
    changed: &[Changed],
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    for Changed { name, span, old } in changed {
        let own = sources.find(*span).map_or(0, |source| source.base);
        let mut found = Vec::new();
        each_note(items, &mut |about, note| {
            let said = number_words(*old).find(|word| has_word(note, word));
            // The notes of a game are about all of it.
            let is_game = sources.find(about).is_some_and(|it| it.slice(about).starts_with("game"));
            let is_sure =
                |word: &String| !is_game || word.starts_with(|it: char| it.is_ascii_digit());
            let Some(said) = said.filter(is_sure) else { return };
            let reads =
                is_game || sources.find(about).is_some_and(|it| uses_name(it.slice(about), name));
            let place = find_note(note, about, sources).filter(|_| reads);
            let of_base = place.filter(|at| sources.find(*at).is_some_and(|it| it.base != own));
            found.extend(of_base.map(|at| (at, said)));
        });
        let Some((_, said)) = found.first() else { continue };
        // The value of an option is not fixed by the file.
        let is_option =
            |it: &Item| matches!(&it.kind, ItemKind::Option(it) if it.name.text == *name);
        let printed = if items.iter().any(is_option) {
            "no number".to_owned()
        } else {
            format!("`{{{name}}}`, which prints the value,")
        };
        let finding: Diagnostic = error::OldValue { name, said, printed, span: *span }.into();
        let labels = found.iter().map(|(at, _)| Label::new(*at, "the rulebook says it here"));
        diagnostics.push(finding.with_labels(labels));
    }
}

fn has_word(text: &str, sought: &str) -> bool {
    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.any(|word| word.eq_ignore_ascii_case(sought))
}

/// Whether a piece of a file uses a name outside of its notes.
fn uses_name(text: &str, name: &str) -> bool {
    text.lines().any(|line| has_word(line.split('#').next().unwrap_or_default(), name))
}

/// Where a note stands that is about this place: in its file, else in another one.
fn find_note(note: &str, about: Span, sources: &Sources) -> Option<Span> {
    let place = |source: &Source, end: usize| {
        let at = source.base + source.text[..end].rfind(note)?;
        Some(Span::new(at, at + note.len()))
    };
    let own = sources.find(about).and_then(|it| place(it, about.end as usize - it.base));
    own.or_else(|| sources.iter().find_map(|it| place(it, it.text.len())))
}

/// Shows each note of the declarations, with the whole declaration that it stands at.
fn each_note(items: &mut [Item], see: &mut dyn FnMut(Span, &mut Note)) {
    for item in items {
        let about = item.span;
        let mut see = |note: &mut Note| see(about, note);
        item.notes.iter_mut().for_each(&mut see);
        match &mut item.kind {
            ItemKind::Game(game) => {
                for clause in &mut game.clauses {
                    if let GameClause::Limit { notes, body, .. } = clause {
                        notes.iter_mut().for_each(&mut see);
                        in_block(body, &mut see);
                    }
                }
            }
            ItemKind::Has(has) => {
                has.vars.iter_mut().flat_map(|var| &mut var.notes).for_each(see);
            }
            ItemKind::Kind(KindDecl { body: KindBody::Drawn(drawn), .. })
            | ItemKind::Extend(KindDecl { body: KindBody::Drawn(drawn), .. })
            | ItemKind::Table(TableDecl { body: TableBody::Drawn(drawn), .. }) => {
                drawn.rows.iter_mut().flat_map(|row| &mut row.notes).for_each(see);
            }
            ItemKind::Rule(RuleDecl { body: RuleBody::Block(block), .. })
            | ItemKind::Flow(FlowDecl { body: block, .. }) => in_block(block, &mut see),
            ItemKind::Moves(group) => in_moves(&mut group.options, &mut see),
            ItemKind::Strategy(it) => {
                it.lines.iter_mut().flat_map(|line| &mut line.notes).for_each(see);
            }
            _ => {}
        }
    }
}

fn in_block(block: &mut Block, see: &mut dyn FnMut(&mut Note)) {
    for stmt in &mut block.stmts {
        stmt.notes.iter_mut().for_each(&mut *see);
        if let StmtKind::Choose(choose) = &mut stmt.kind {
            in_moves(&mut choose.options, see);
            if let Some(decline) = &mut choose.decline {
                decline.notes.iter_mut().for_each(&mut *see);
                in_block(&mut decline.body, see);
            }
            choose.otherwise.iter_mut().for_each(|block| in_block(block, see));
            continue;
        }
        blocks_in(&mut stmt.kind).into_iter().for_each(|block| in_block(block, see));
    }
}

fn in_moves(lines: &mut [MoveLine], see: &mut dyn FnMut(&mut Note)) {
    for line in lines {
        let MoveLine::Option(option) = line else { continue };
        option.notes.iter_mut().for_each(&mut *see);
        option.clauses.iter_mut().flat_map(|it| &mut it.notes).for_each(&mut *see);
        in_block(&mut option.body, see);
    }
}
