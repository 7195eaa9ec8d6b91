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
    CodeActionParams, DocumentHighlight, Location, Range, ReferenceParams, RenameParams,
    SemanticTokensRangeParams, TextDocumentPositionParams, TextEdit, Uri,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json, to_value};

use super::findings::{fixes, location};
use super::open_documents::{Open, OpenDocuments};
use super::{Refused, conversion};
use crate::editor::Document;
use crate::source::Span;

/// Answers a request. A mistake of our own fails this request and no other.
pub(super) fn answer(
    documents: &OpenDocuments,
    method: &str,
    params: Value,
) -> Result<Value, Refused> {
    let answered = catch_unwind(AssertUnwindSafe(|| find(documents, method, params)));
    let internal = || (ErrorCode::InternalError, format!("`{method}` cannot be answered"));
    answered.unwrap_or_else(|_| Err(internal()))
}

fn find(documents: &OpenDocuments, method: &str, params: Value) -> Result<Value, Refused> {
    let file = || read::<Uri>(method, params["textDocument"]["uri"].clone());
    Ok(match method {
        Completion::METHOD => at(documents, &read(method, params)?, |spot| {
            let (span, proposals) = spot.document.complete(spot.offset);
            conversion::proposals(spot.range(span), proposals)
        }),
        HoverRequest::METHOD => at(documents, &read(method, params)?, |spot| {
            spot.document.hover(spot.offset).map(|hover| conversion::hover(spot.open, &hover))
        }),
        GotoDefinition::METHOD => at(documents, &read(method, params)?, |spot| {
            spot.document.definition(spot.offset).map(|span| spot.location(span))
        }),
        SignatureHelpRequest::METHOD => at(documents, &read(method, params)?, |spot| {
            spot.document.call(spot.offset).map(conversion::signatures)
        }),
        DocumentHighlightRequest::METHOD => at(documents, &read(method, params)?, |spot| {
            let places = spot.document.highlights(spot.offset).into_iter();
            let places =
                places.map(|span| DocumentHighlight { range: spot.range(span), kind: None });
            places.collect::<Vec<_>>()
        }),
        References::METHOD => {
            let params: ReferenceParams = read(method, params)?;
            at(documents, &params.text_document_position, |spot| {
                let all = params.context.include_declaration;
                let spans = spot.document.references(spot.offset, all).into_iter();
                spans.map(|span| spot.location(span)).collect::<Vec<Location>>()
            })
        }
        Rename::METHOD => rename(documents, &read(method, params)?)?,
        SemanticTokensRangeRequest::METHOD => {
            let params: SemanticTokensRangeParams = read(method, params)?;
            of_game(documents, &params.text_document.uri, |open, document| {
                conversion::tokens(open, document, params.range)
            })
        }
        SemanticTokensFullRequest::METHOD => of_game(documents, &file()?, |open, document| {
            conversion::tokens(open, document, open.lines.whole(&open.source.text))
        }),
        DocumentSymbolRequest::METHOD => of_game(documents, &file()?, conversion::outline),
        FoldingRangeRequest::METHOD => of_game(documents, &file()?, conversion::folds),
        CodeLensRequest::METHOD => value(conversion::lenses(documents, &file()?)),
        Formatting::METHOD => {
            let laid_out = documents.laid_out(&file()?);
            value(laid_out.map(|(open, text)| edits(open, text)))
        }
        CodeActionRequest::METHOD => {
            let params: CodeActionParams = read(method, params)?;
            let found = documents.found(&params.text_document.uri);
            let fixes = |(open, found, sources): (&Open, _, _)| {
                fixes(&open.uri, &sources, &found, params.range)
            };
            value(found.map(fixes))
        }
        _ => return Err((ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
    })
}

/// A place in a game that is open.
struct Spot<'d> {
    uri: &'d Uri,
    open: &'d Open,
    document: &'d Document,
    offset: usize,
}

impl<'d> Spot<'d> {
    fn of(documents: &'d OpenDocuments, place: &'d TextDocumentPositionParams) -> Option<Self> {
        let uri = &place.text_document.uri;
        let (open, document) = documents.game(uri)?;
        let offset = open.lines.offset(&open.source.text, place.position);
        Some(Spot { uri, open, document, offset })
    }

    fn range(&self, span: Span) -> Range {
        self.open.lines.range(&self.open.source, span)
    }

    fn location(&self, span: Span) -> Location {
        location(self.uri, self.document.sources(), &self.open.lines, span)
    }
}

/// Answers what is asked of a game; of a script or a file that is not open nothing is known.
fn of_game<T: Serialize>(
    documents: &OpenDocuments,
    uri: &Uri,
    answer: impl FnOnce(&Open, &Document) -> T,
) -> Value {
    value(documents.game(uri).map(|(open, document)| answer(open, document)))
}

/// Answers what is asked of a place; of a file that is not open nothing is known.
fn at<T: Serialize>(
    documents: &OpenDocuments,
    place: &TextDocumentPositionParams,
    answer: impl FnOnce(&Spot) -> T,
) -> Value {
    value(Spot::of(documents, place).map(|spot| answer(&spot)))
}

fn rename(documents: &OpenDocuments, params: &RenameParams) -> Result<Value, Refused> {
    let place = &params.text_document_position;
    let Some(spot) = Spot::of(documents, place) else { return Ok(Value::Null) };
    let renamed = spot.document.rename(spot.offset, &params.new_name);
    let spans = renamed.map_err(|refusal| (ErrorCode::RequestFailed, refusal.to_string()))?;
    let edit = |span| TextEdit { range: spot.range(span), new_text: params.new_name.clone() };
    let edits: Vec<TextEdit> = spans.into_iter().map(edit).collect();
    Ok(json!({ "changes": { spot.uri.as_str(): edits } }))
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

fn value(answer: impl Serialize) -> Value {
    to_value(answer).expect("the types of the protocol can be written as JSON")
}
