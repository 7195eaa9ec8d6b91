//! Requests of an editor, and their answers in the types of the protocol.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lsp_server::ErrorCode;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    References, Rename, Request, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest,
};
use lsp_types::{
    CodeActionParams, CompletionItemKind, Position, Range, ReferenceParams, RenameParams,
    SemanticTokensRangeParams, SymbolKind, TextDocumentPositionParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json};

use crate::cli::lsp::RequestError;
use crate::cli::lsp::diagnostics::OpenPage;
use crate::cli::lsp::open_documents::{Open, OpenDocuments, is_script, path_of};
use crate::cli::lsp::positions::to_lsp_number;
use crate::editor::{
    CallInProgress, Document, Hover, MOST_LISTED, OutlineEntry, Sort, WordProposal,
};
use crate::source::Span;

/// Answers a request. A mistake of our own fails this request and no other.
pub(super) fn answer_request(
    documents: &OpenDocuments,
    method: &str,
    params: Value,
) -> Result<Value, RequestError> {
    let answered = catch_unwind(AssertUnwindSafe(|| dispatch_request(documents, method, params)));
    let internal = || (ErrorCode::InternalError, format!("`{method}` cannot be answered"));
    answered.unwrap_or_else(|_| Err(internal()))
}

fn dispatch_request(
    documents: &OpenDocuments,
    method: &str,
    params: Value,
) -> Result<Value, RequestError> {
    let file = || to_params::<Uri>(method, params["textDocument"]["uri"].clone());
    Ok(match method {
        Completion::METHOD => answer_at(documents, &to_params(method, params)?, |spot| {
            let (span, proposals) = spot.document.complete(spot.offset);
            let range = spot.to_range(span);
            // More than are listed can fit what is typed next.
            let is_cut = proposals.len() >= MOST_LISTED;
            let items: Value = proposals.into_iter().map(|it| completion(range, it)).collect();
            if is_cut { json!({ "isIncomplete": true, "items": items }) } else { items }
        }),
        HoverRequest::METHOD => answer_at(documents, &to_params(method, params)?, |spot| {
            spot.document.hover(spot.offset).map(|it| hover(spot.to_range(it.span), it)).into()
        }),
        GotoDefinition::METHOD => answer_at(documents, &to_params(method, params)?, |spot| {
            let definition = spot.document.definition(spot.offset);
            definition.map(|span| json!(spot.open_page().location(span))).into()
        }),
        SignatureHelpRequest::METHOD => answer_at(documents, &to_params(method, params)?, |spot| {
            spot.document.call(spot.offset).map(signatures).into()
        }),
        DocumentHighlightRequest::METHOD => {
            answer_at(documents, &to_params(method, params)?, |spot| {
                let places = spot.document.highlights(spot.offset).into_iter();
                places.map(|span| json!({ "range": spot.to_range(span) })).collect()
            })
        }
        References::METHOD => {
            let params: ReferenceParams = to_params(method, params)?;
            answer_at(documents, &params.text_document_position, |spot| {
                let all = params.context.include_declaration;
                let spans = spot.document.references(spot.offset, all).into_iter();
                spans.map(|span| json!(spot.open_page().location(span))).collect()
            })
        }
        Rename::METHOD => answer_rename(documents, &to_params(method, params)?)?,
        SemanticTokensRangeRequest::METHOD => {
            let params: SemanticTokensRangeParams = to_params(method, params)?;
            let tokens = |open: &Open, document: &Document| tokens(open, document, params.range);
            of_game(documents, &params.text_document.uri, tokens)
        }
        SemanticTokensFullRequest::METHOD => of_game(documents, &file()?, |open, document| {
            tokens(open, document, open.text.full_range())
        }),
        DocumentSymbolRequest::METHOD => of_game(documents, &file()?, |open, document| {
            document.outline().into_iter().map(|entry| symbol(open, entry)).collect()
        }),
        FoldingRangeRequest::METHOD => of_game(documents, &file()?, folds),
        CodeLensRequest::METHOD => lenses(documents, &file()?).into(),
        Formatting::METHOD => formatting(documents, &file()?),
        CodeActionRequest::METHOD => {
            let params: CodeActionParams = to_params(method, params)?;
            let found = documents.find_diagnostics(&params.text_document.uri);
            let fixes = found.map(|(open, found, sources)| {
                OpenPage { uri: &open.uri, sources: &sources, text: &open.text }
                    .fixes(&found, params.range)
            });
            fixes.into()
        }
        _ => return Err((ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
    })
}

fn to_params<T: DeserializeOwned>(method: &str, params: Value) -> Result<T, RequestError> {
    from_value(params).map_err(|error| {
        (ErrorCode::InvalidParams, format!("`{method}` is asked in another form: {error}"))
    })
}

struct CursorSpot<'d> {
    open: &'d Open,
    document: &'d Document,
    offset: usize,
}

impl<'d> CursorSpot<'d> {
    fn from_position(
        documents: &'d OpenDocuments,
        place: &TextDocumentPositionParams,
    ) -> Option<Self> {
        let (open, document) = documents.find_document(&place.text_document.uri)?;
        Some(CursorSpot { open, document, offset: open.text.offset(place.position) })
    }

    fn open_page(&self) -> OpenPage<'d> {
        let Open { uri, text, .. } = self.open;
        OpenPage { uri, sources: self.document.sources(), text }
    }

    fn to_range(&self, span: Span) -> Range {
        self.open.text.range_of(span)
    }
}

/// Answers a question about a game; nothing is known of a script or of a file that is not open.
fn of_game(
    documents: &OpenDocuments,
    uri: &Uri,
    answer: impl FnOnce(&Open, &Document) -> Value,
) -> Value {
    documents.find_document(uri).map(|(open, document)| answer(open, document)).into()
}

/// Answers a question about a place in a game.
fn answer_at(
    documents: &OpenDocuments,
    place: &TextDocumentPositionParams,
    answer: impl FnOnce(&CursorSpot) -> Value,
) -> Value {
    CursorSpot::from_position(documents, place).map(|spot| answer(&spot)).into()
}

/// The edit that lays a file out, unless it is laid out already.
fn formatting(documents: &OpenDocuments, uri: &Uri) -> Value {
    let edits = documents.formatted_text(uri).map(|(open, text)| {
        let is_new = text != open.text.source.text;
        let edit = is_new.then(|| json!({ "range": open.text.full_range(), "newText": text }));
        Value::from_iter(edit)
    });
    edits.into()
}

fn answer_rename(documents: &OpenDocuments, params: &RenameParams) -> Result<Value, RequestError> {
    let Some(spot) = CursorSpot::from_position(documents, &params.text_document_position) else {
        return Ok(Value::Null);
    };
    let renamed = spot.document.rename(spot.offset, &params.new_name);
    let spans = renamed.map_err(|refusal| (ErrorCode::RequestFailed, refusal.to_string()))?;
    let edit = |span| json!({ "range": spot.to_range(span), "newText": params.new_name });
    let edits: Value = spans.into_iter().map(edit).collect();
    Ok(json!({ "changes": { spot.open.uri.as_str(): edits } }))
}

/// An object without the fields that are unknown.
fn drop_nulls(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn markdown(text: &str) -> Value {
    json!({ "kind": "markdown", "value": text })
}

fn documentation(notes: &[String]) -> Option<Value> {
    (!notes.is_empty()).then(|| markdown(&notes.join("\n\n")))
}

fn hover(range: Range, hover: Hover) -> Value {
    let code = (!hover.code.is_empty()).then(|| format!("```astragal\n{}\n```", hover.code));
    let notes = (!hover.notes.is_empty()).then(|| hover.notes.join("\n"));
    let parts: Vec<String> = code.into_iter().chain(hover.more).chain(notes).collect();
    json!({ "contents": markdown(&parts.join("\n\n")), "range": range })
}

fn completion(range: Range, proposal: WordProposal) -> Value {
    let (_, kind, _) = kinds(proposal.sort);
    drop_nulls(json!({
        "label": proposal.text,
        "kind": kind,
        "detail": (!proposal.detail.is_empty()).then_some(proposal.detail),
        "documentation": documentation(&proposal.notes),
        "sortText": format!("{}{}", proposal.rank, proposal.text),
        "textEdit": { "range": range, "newText": proposal.text },
    }))
}

/// Folding ranges. The line with a closing bracket stays.
fn folds(open: &Open, document: &Document) -> Value {
    let line = |offset| open.text.position_at(offset).line;
    let folds = document.folds().into_iter().filter_map(|fold| {
        let (start, end) = (line(fold.start), line(fold.end).saturating_sub(fold.bracket.into()));
        let kind = fold.comment.then_some("comment");
        let fold = || drop_nulls(json!({ "startLine": start, "endLine": end, "kind": kind }));
        (start < end).then(fold)
    });
    folds.collect()
}

fn signatures(call: CallInProgress) -> Value {
    let forms = call.forms.into_iter().map(|form| {
        let place = |at: usize| form.label[..at].encode_utf16().count();
        let parameters = form.parameters.iter();
        let parameters = parameters.map(|it| json!({ "label": [place(it.start), place(it.end)] }));
        drop_nulls(json!({
            "label": form.label,
            "documentation": documentation(&form.notes),
            "parameters": parameters.collect::<Value>(),
        }))
    });
    let forms: Value = forms.collect();
    json!({ "signatures": forms, "activeSignature": 0, "activeParameter": call.argument })
}

fn symbol(open: &Open, entry: OutlineEntry) -> Value {
    let inside: Vec<Value> = entry.inside.into_iter().map(|entry| symbol(open, entry)).collect();
    let (_, _, kind) = kinds(entry.sort);
    drop_nulls(json!({
        "name": entry.name,
        "kind": kind,
        "range": open.text.range_of(entry.span),
        "selectionRange": open.text.range_of(entry.at),
        "children": (!inside.is_empty()).then_some(inside),
    }))
}

/// The types of tokens, in the order of their numbers.
const TOKEN_TYPES: [&str; 10] = [
    "comment",
    "string",
    "number",
    "keyword",
    "enum",
    "enumMember",
    "function",
    "method",
    "property",
    "variable",
];

/// What the protocol calls a sort: the type of a token, the kinds of a completion and of a symbol.
fn kinds(sort: Sort) -> (&'static str, CompletionItemKind, SymbolKind) {
    use CompletionItemKind as Item;
    match sort {
        Sort::Comment => ("comment", Item::TEXT, SymbolKind::STRING),
        Sort::Text => ("string", Item::TEXT, SymbolKind::STRING),
        Sort::Number => ("number", Item::VALUE, SymbolKind::NUMBER),
        Sort::Word => ("keyword", Item::KEYWORD, SymbolKind::KEY),
        Sort::Kind => ("enum", Item::ENUM, SymbolKind::ENUM),
        Sort::Member => ("enumMember", Item::ENUM_MEMBER, SymbolKind::ENUM_MEMBER),
        Sort::Rule => ("function", Item::FUNCTION, SymbolKind::FUNCTION),
        Sort::Moves => ("method", Item::FUNCTION, SymbolKind::CLASS),
        Sort::Move => ("method", Item::METHOD, SymbolKind::METHOD),
        Sort::Column | Sort::Variable => ("property", Item::FIELD, SymbolKind::FIELD),
        Sort::Measure => ("property", Item::PROPERTY, SymbolKind::PROPERTY),
        Sort::Local => ("variable", Item::VARIABLE, SymbolKind::VARIABLE),
        Sort::Constant => ("variable", Item::CONSTANT, SymbolKind::CONSTANT),
        Sort::Game => ("keyword", Item::MODULE, SymbolKind::MODULE),
        Sort::State => ("keyword", Item::STRUCT, SymbolKind::STRUCT),
    }
}

pub(super) fn token_options() -> Value {
    let modifiers = ["declaration", "readonly"];
    let legend = json!({ "tokenTypes": TOKEN_TYPES, "tokenModifiers": modifiers });
    json!({ "legend": legend, "range": true, "full": true })
}

/// Semantic tokens: five numbers each, the places as differences to the token before.
fn tokens(open: &Open, document: &Document, range: Range) -> Value {
    let within = open.text.offset(range.start)..open.text.offset(range.end);
    let mut last = Position::default();
    let mut data: Vec<u32> = Vec::new();
    for token in document.tokens(within) {
        // No token goes beyond its line.
        let Range { start, end } = open.text.range_of(token.span);
        let lines = start.line - last.line;
        let before = if lines == 0 { last.character } else { 0 };
        let (token_type, _, _) = kinds(token.sort);
        let token_type = TOKEN_TYPES.iter().position(|it| *it == token_type);
        let constant = token.sort == Sort::Constant;
        data.extend([
            lines,
            start.character - before,
            end.character - start.character,
            to_lsp_number(token_type.expect("every sort has a type")),
            u32::from(token.declared) | u32::from(constant) << 1,
        ]);
        last = start;
    }
    json!({ "data": data })
}

/// The lenses of a file that lies in a folder; the editor executes their commands.
fn lenses(documents: &OpenDocuments, uri: &Uri) -> Option<Vec<Value>> {
    let path = path_of(uri)?;
    let lens = |range: Range, title: &str, command: &str, path: &Path| {
        let path = [path.display().to_string()];
        let command = json!({ "title": title, "command": command, "arguments": path });
        json!({ "range": range, "command": command })
    };
    if is_script(uri) {
        return Some(vec![lens(Range::default(), "▶ run script", "astragal.run", &path)]);
    }
    let (open, document) = documents.find_document(uri)?;
    let Some(game) = document.game_span() else { return Some(Vec::new()) };
    let start = open.text.range_of(game).start;
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
