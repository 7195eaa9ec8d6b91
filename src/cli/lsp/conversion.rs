//! What the knowledge of a file looks like in an editor.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, DocumentSymbol, DocumentSymbolResponse,
    Documentation, FoldingRange, FoldingRangeKind, Hover, HoverContents, MarkupContent, MarkupKind,
    ParameterInformation, ParameterLabel, Range, SignatureHelp, SignatureInformation, SymbolKind,
    TextEdit,
};

use super::open_documents::Open;
use crate::editor::{self, Call, Document, Entry, EntrySort, Proposal, Signature, Sort};

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
        let notes = proposal.notes.join("\n\n");
        CompletionItem {
            sort_text: Some(format!("{}{}", proposal.rank, proposal.text)),
            label: proposal.text,
            kind: Some(item_kind(proposal.sort)),
            detail: (!proposal.detail.is_empty()).then_some(proposal.detail),
            documentation: (!notes.is_empty())
                .then(|| Documentation::MarkupContent(markdown(notes))),
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
    let argument = u32::try_from(call.argument).ok();
    let form = |form: Signature| {
        let unit = |at: usize| form.label[..at].encode_utf16().count();
        let place = |at| u32::try_from(unit(at)).unwrap_or(u32::MAX);
        let parameters = form.parameters.iter().map(|part| ParameterInformation {
            label: ParameterLabel::LabelOffsets([place(part.start), place(part.end)]),
            documentation: None,
        });
        SignatureInformation {
            parameters: Some(parameters.collect()),
            documentation: (!form.notes.is_empty())
                .then(|| Documentation::MarkupContent(markdown(form.notes.join("\n\n")))),
            label: form.label,
            active_parameter: None,
        }
    };
    SignatureHelp {
        signatures: call.forms.into_iter().map(form).collect(),
        active_signature: Some(0),
        active_parameter: argument,
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
