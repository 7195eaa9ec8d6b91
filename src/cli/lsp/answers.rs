//! Requests of an editor, and what is answered.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::ErrorCode;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    References, Rename, Request, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest,
};
use lsp_types::{
    CodeActionParams, DocumentHighlight, Location, ReferenceParams, RenameParams,
    SemanticTokensRangeParams, TextDocumentIdentifier, TextDocumentPositionParams, TextEdit, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use super::findings::{fixes, location};
use super::open_documents::{Open, OpenDocuments};
use super::{conversion, lenses, tokens};
use crate::editor::Document;

type Refused = (ErrorCode, String);

/// Answers a request. A mistake of our own fails this request and no other.
pub(super) fn answer(
    desk: &mut OpenDocuments,
    method: &str,
    params: Value,
) -> Result<Value, Refused> {
    let answered = catch_unwind(AssertUnwindSafe(|| find(desk, method, params)));
    let internal = || (ErrorCode::InternalError, format!("`{method}` cannot be answered"));
    answered.unwrap_or_else(|_| Err(internal()))
}

fn find(desk: &OpenDocuments, method: &str, params: Value) -> Result<Value, Refused> {
    match method {
        Completion::METHOD
        | HoverRequest::METHOD
        | GotoDefinition::METHOD
        | SignatureHelpRequest::METHOD
        | DocumentHighlightRequest::METHOD => {
            let place: TextDocumentPositionParams = read(method, params)?;
            Ok(at(desk, &place, |spot| about_place(method, &place, spot)))
        }
        References::METHOD => {
            let params: ReferenceParams = read(method, params)?;
            let place = &params.text_document_position;
            Ok(at(desk, place, |spot| {
                let all = params.context.include_declaration;
                let spans = spot.document.references(spot.offset, all);
                let places = spans.into_iter().map(|span| spot.location(place, span));
                value(places.collect::<Vec<Location>>())
            }))
        }
        Rename::METHOD => rename(desk, &read(method, params)?),
        SemanticTokensRangeRequest::METHOD => {
            let params: SemanticTokensRangeParams = read(method, params)?;
            Ok(of_game(desk, &params.text_document.uri, |open, document| {
                tokens::tokens(open, document, params.range)
            }))
        }
        CodeActionRequest::METHOD => {
            let params: CodeActionParams = read(method, params)?;
            let found = desk.found(&params.text_document.uri);
            Ok(value(
                found.map(|(open, found, sources)| {
                    fixes(open.uri(), &sources, &found, params.range)
                }),
            ))
        }
        Formatting::METHOD
        | DocumentSymbolRequest::METHOD
        | FoldingRangeRequest::METHOD
        | SemanticTokensFullRequest::METHOD
        | CodeLensRequest::METHOD => {
            let file = params.get("textDocument").cloned().unwrap_or_default();
            let file: TextDocumentIdentifier = read(method, file)?;
            Ok(about_file(desk, method, &file.uri))
        }
        _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
    }
}

fn about_file(desk: &OpenDocuments, method: &str, uri: &Uri) -> Value {
    match method {
        Formatting::METHOD => value(desk.laid_out(uri).map(|(open, text)| edits(open, text))),
        DocumentSymbolRequest::METHOD => of_game(desk, uri, conversion::outline),
        FoldingRangeRequest::METHOD => of_game(desk, uri, conversion::folds),
        CodeLensRequest::METHOD => value(lenses::lenses(desk, uri)),
        _ => of_game(desk, uri, |open, document| {
            tokens::tokens(open, document, open.lines.whole(&open.source.text))
        }),
    }
}

fn about_place(method: &str, place: &TextDocumentPositionParams, spot: &Spot) -> Value {
    let Spot { open, document, offset } = spot;
    let range = |span| open.lines.range(&open.source, span);
    match method {
        Completion::METHOD => {
            let (span, proposals) = document.complete(*offset);
            value(conversion::proposals(range(span), proposals))
        }
        HoverRequest::METHOD => {
            value(document.hover(*offset).map(|hover| conversion::hover(open, &hover)))
        }
        GotoDefinition::METHOD => {
            let span = document.definition(*offset);
            value(span.map(|span| spot.location(place, span)))
        }
        SignatureHelpRequest::METHOD => value(document.call(*offset).map(conversion::signatures)),
        _ => {
            let places = document.highlights(*offset).into_iter();
            let places = places.map(|span| DocumentHighlight { range: range(span), kind: None });
            value(places.collect::<Vec<_>>())
        }
    }
}

/// A place in a game that is open.
struct Spot<'d> {
    open: &'d Open,
    document: &'d Document,
    offset: usize,
}

impl Spot<'_> {
    fn location(&self, place: &TextDocumentPositionParams, span: crate::source::Span) -> Location {
        location(&place.text_document.uri, self.document.sources(), &self.open.lines, span)
    }
}

/// Answers what is asked of a game; of a script or a file that is not open nothing is known.
fn of_game<T: serde::Serialize>(
    desk: &OpenDocuments,
    uri: &Uri,
    answer: impl FnOnce(&Open, &Document) -> T,
) -> Value {
    value(desk.game(uri).map(|(open, document)| answer(open, document)))
}

/// Answers what is asked of a place; of a file that is not open nothing is known.
fn at(
    desk: &OpenDocuments,
    place: &TextDocumentPositionParams,
    answer: impl FnOnce(&Spot) -> Value,
) -> Value {
    spot(desk, place).map_or(Value::Null, |spot| answer(&spot))
}

fn spot<'d>(desk: &'d OpenDocuments, place: &TextDocumentPositionParams) -> Option<Spot<'d>> {
    let (open, document) = desk.game(&place.text_document.uri)?;
    let offset = open.lines.offset(&open.source.text, place.position);
    Some(Spot { open, document, offset })
}

fn rename(desk: &OpenDocuments, params: &RenameParams) -> Result<Value, Refused> {
    let place = &params.text_document_position;
    let Some(spot) = spot(desk, place) else { return Ok(Value::Null) };
    let renamed = spot.document.rename(spot.offset, &params.new_name);
    let spans = renamed.map_err(|refusal| (ErrorCode::RequestFailed, refusal.to_string()))?;
    let edits: Vec<TextEdit> = spans
        .into_iter()
        .map(|span| TextEdit {
            range: spot.open.lines.range(&spot.open.source, span),
            new_text: params.new_name.clone(),
        })
        .collect();
    let file = place.text_document.uri.as_str();
    Ok(json!({ "changes": { file: edits } }))
}

/// One edit of all that is laid out anew; none if it is so already.
fn edits(open: &Open, text: String) -> Vec<TextEdit> {
    let old = &open.source.text;
    if *old == text {
        return Vec::new();
    }
    vec![TextEdit { range: open.lines.whole(old), new_text: text }]
}

fn read<T: DeserializeOwned>(method: &str, params: Value) -> Result<T, Refused> {
    from_value(params).map_err(|error| {
        (ErrorCode::InvalidParams, format!("`{method}` is asked in another form: {error}"))
    })
}

fn value(answer: impl serde::Serialize) -> Value {
    to_value(answer).expect("the types of the protocol can be written as JSON")
}
