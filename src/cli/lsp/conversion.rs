//! What is known of a file in the types of the protocol: hovers, proposals, folds, symbols, semantic
//! tokens, and lenses whose commands the editor executes.

use std::fs;
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeLens, Command, CompletionItem, CompletionItemKind, CompletionTextEdit, DocumentSymbol,
    DocumentSymbolResponse, Documentation, FoldingRange, FoldingRangeKind, Hover, HoverContents,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position, Range,
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SignatureHelp,
    SignatureInformation, SymbolKind, TextEdit, Uri,
};

use super::addresses::path_of;
use super::lines::count;
use super::open_documents::{Open, OpenDocuments, is_script};
use crate::editor::{self, Call, Document, Entry, EntrySort, Proposal, Signature, Sort, TokenSort};

pub(super) fn hover(open: &Open, hover: &editor::Hover) -> Hover {
    let mut parts = Vec::new();
    if !hover.code.is_empty() {
        parts.push(format!("```astragal\n{}\n```", hover.code));
    }
    parts.extend(hover.more.iter().cloned());
    if !hover.notes.is_empty() {
        parts.push(hover.notes.join("\n"));
    }
    Hover {
        contents: HoverContents::Markup(markdown(parts.join("\n\n"))),
        range: Some(open.lines.range(&open.source, hover.span)),
    }
}

pub(super) fn proposals(range: Range, proposals: Vec<Proposal>) -> Vec<CompletionItem> {
    let items = proposals.into_iter().map(|proposal| {
        let edit = TextEdit { range, new_text: proposal.text.clone() };
        CompletionItem {
            sort_text: Some(format!("{}{}", proposal.rank, proposal.text)),
            label: proposal.text,
            kind: Some(item_kind(proposal.sort)),
            detail: (!proposal.detail.is_empty()).then_some(proposal.detail),
            documentation: documentation(&proposal.notes),
            text_edit: Some(CompletionTextEdit::Edit(edit)),
            ..CompletionItem::default()
        }
    });
    items.collect()
}

/// What can be folded. The line with a closing bracket stays.
pub(super) fn folds(open: &Open, document: &Document) -> Vec<FoldingRange> {
    let line = |offset| open.lines.position(&open.source.text, offset).line;
    let folds = document.folds().into_iter().map(|fold| FoldingRange {
        start_line: line(fold.start),
        end_line: line(fold.end).saturating_sub(u32::from(fold.bracket)),
        kind: fold.comment.then_some(FoldingRangeKind::Comment),
        ..FoldingRange::default()
    });
    folds.filter(|fold| fold.start_line < fold.end_line).collect()
}

pub(super) fn signatures(call: Call) -> SignatureHelp {
    let form = |form: Signature| {
        let place = |at: usize| count(form.label[..at].encode_utf16().count());
        let parameters = form.parameters.iter().map(|part| ParameterInformation {
            label: ParameterLabel::LabelOffsets([place(part.start), place(part.end)]),
            documentation: None,
        });
        SignatureInformation {
            parameters: Some(parameters.collect()),
            documentation: documentation(&form.notes),
            label: form.label,
            active_parameter: None,
        }
    };
    SignatureHelp {
        signatures: call.forms.into_iter().map(form).collect(),
        active_signature: Some(0),
        active_parameter: Some(count(call.argument)),
    }
}

pub(super) fn outline(open: &Open, document: &Document) -> DocumentSymbolResponse {
    let symbols = document.outline().into_iter().map(|entry| symbol(open, entry));
    DocumentSymbolResponse::Nested(symbols.collect())
}

fn symbol(open: &Open, entry: Entry) -> DocumentSymbol {
    let inside: Vec<DocumentSymbol> =
        entry.inside.into_iter().map(|entry| symbol(open, entry)).collect();
    #[expect(deprecated, reason = "the type of the protocol still wants the field")]
    DocumentSymbol {
        name: entry.name,
        detail: None,
        kind: symbol_kind(entry.sort),
        tags: None,
        deprecated: None,
        range: open.lines.range(&open.source, entry.span),
        selection_range: open.lines.range(&open.source, entry.at),
        children: (!inside.is_empty()).then_some(inside),
    }
}

fn documentation(notes: &[String]) -> Option<Documentation> {
    (!notes.is_empty()).then(|| Documentation::MarkupContent(markdown(notes.join("\n\n"))))
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

fn item_kind(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Local => CompletionItemKind::VARIABLE,
        Sort::Field => CompletionItemKind::FIELD,
        Sort::Member => CompletionItemKind::ENUM_MEMBER,
        Sort::Kind => CompletionItemKind::ENUM,
        Sort::Rule => CompletionItemKind::FUNCTION,
        Sort::Constant => CompletionItemKind::CONSTANT,
        Sort::Word => CompletionItemKind::KEYWORD,
    }
}

fn symbol_kind(sort: EntrySort) -> SymbolKind {
    match sort {
        EntrySort::Game => SymbolKind::MODULE,
        EntrySort::Kind => SymbolKind::ENUM,
        EntrySort::Member => SymbolKind::ENUM_MEMBER,
        EntrySort::Constant => SymbolKind::CONSTANT,
        EntrySort::State => SymbolKind::STRUCT,
        EntrySort::Variable => SymbolKind::FIELD,
        EntrySort::Rule => SymbolKind::FUNCTION,
        EntrySort::Moves => SymbolKind::CLASS,
        EntrySort::Move => SymbolKind::METHOD,
        EntrySort::Measure => SymbolKind::PROPERTY,
    }
}

/// The types of tokens, in the order of their numbers, each with what it is in a game.
const TYPES: [(SemanticTokenType, &[TokenSort]); 10] = [
    (SemanticTokenType::COMMENT, &[TokenSort::Comment]),
    (SemanticTokenType::STRING, &[TokenSort::Text]),
    (SemanticTokenType::NUMBER, &[TokenSort::Number]),
    (SemanticTokenType::KEYWORD, &[TokenSort::Word]),
    (SemanticTokenType::ENUM, &[TokenSort::Kind]),
    (SemanticTokenType::ENUM_MEMBER, &[TokenSort::Member]),
    (SemanticTokenType::FUNCTION, &[TokenSort::Rule]),
    (SemanticTokenType::METHOD, &[TokenSort::Moves]),
    (SemanticTokenType::PROPERTY, &[TokenSort::Column, TokenSort::Variable]),
    (SemanticTokenType::VARIABLE, &[TokenSort::Local, TokenSort::Constant]),
];

pub(super) fn token_options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TYPES.map(|(name, _)| name).to_vec(),
            token_modifiers: vec![
                SemanticTokenModifier::DECLARATION,
                SemanticTokenModifier::READONLY,
            ],
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    }
}

pub(super) fn tokens(open: &Open, document: &Document, range: Range) -> SemanticTokens {
    let offset = |place| open.lines.offset(&open.source.text, place);
    let (mut line, mut character) = (0, 0);
    let tokens = document.tokens(offset(range.start)..offset(range.end)).into_iter().map(|token| {
        // No token goes beyond its line.
        let Range { start, end } = open.lines.range(&open.source, token.span);
        let delta_line = start.line - line;
        let delta_start =
            if delta_line == 0 { start.character - character } else { start.character };
        (line, character) = (start.line, start.character);
        let constant = token.sort == TokenSort::Constant;
        let number = TYPES.iter().position(|(_, sorts)| sorts.contains(&token.sort));
        SemanticToken {
            delta_line,
            delta_start,
            length: end.character - start.character,
            token_type: count(number.expect("every sort has a type")),
            token_modifiers_bitset: u32::from(token.declared) | u32::from(constant) << 1,
        }
    });
    SemanticTokens { result_id: None, data: tokens.collect() }
}

/// The lenses of a file that lies in a folder.
pub(super) fn lenses(documents: &OpenDocuments, uri: &Uri) -> Option<Vec<CodeLens>> {
    let path = path_of(uri)?;
    if is_script(uri) {
        return Some(vec![lens(Range::default(), "▶ run script", "astragal.run", &path)]);
    }
    let (open, document) = documents.game(uri)?;
    let Some(game) = document.game() else { return Some(Vec::new()) };
    let start = open.lines.range(&open.source, game).start;
    let range = Range { start, end: Position { line: start.line, character: start.character + 4 } };
    let mut lenses = vec![lens(range, "▶ play", "astragal.play", &path)];
    if let Some((folder, count)) = scripts(&path) {
        let noun = if count == 1 { "script" } else { "scripts" };
        lenses.push(lens(range, &format!("▶ run {count} {noun}"), "astragal.run", &folder));
    }
    Some(lenses)
}

/// The folder with the scripts of a game, which is its own or the `scripts` in it, and how many
/// there are.
fn scripts(game: &Path) -> Option<(PathBuf, usize)> {
    let beside = game.parent()?;
    let folders = [beside.join("scripts"), beside.to_owned()];
    folders.into_iter().find_map(|folder| {
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let is_script = |path: &PathBuf| path.extension().is_some_and(|it| it == "script");
        let count = entries.map(|entry| entry.path()).filter(is_script).count();
        (count > 0).then_some((folder, count))
    })
}

fn lens(range: Range, title: &str, command: &str, path: &Path) -> CodeLens {
    let command = Command {
        title: title.to_owned(),
        command: command.to_owned(),
        arguments: Some(vec![path.display().to_string().into()]),
    };
    CodeLens { range, command: Some(command), data: None }
}
