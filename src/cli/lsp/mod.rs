//! `astragal lsp`: answers editors, by the language server protocol over standard input and output.

mod answers;
mod diagnostics;
mod open_documents;
mod positions;
mod stream;

use std::io;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    TextDocumentSyncKind,
};
use serde_json::{Value, from_value, json};

use crate::host::exit::{Exit, Failure};
use open_documents::{OpenDocuments, Outlet};

pub(super) fn lsp() -> Result<Exit, Failure> {
    let (connection, threads) = stream::connect();
    let exit = serve(&connection);
    drop(connection);
    let lost = |_| Err(io::Error::other("a thread is gone"));
    let joined = threads.into_iter().try_for_each(|it| it.join().unwrap_or_else(lost));
    let exit = exit.map_err(Failure::Stream)?;
    joined.map_err(Failure::Stream)?;
    Ok(if exit { Exit::Fine } else { Exit::No })
}

/// Serves an editor over a connection until the editor ends it; returns whether it requested `shutdown` before.
///
/// # Errors
///
/// The editor does not begin as the protocol wants, or is gone.
pub fn serve(connection: &Connection) -> io::Result<bool> {
    let (id, _) = connection.initialize_start().map_err(io::Error::other)?;
    let about = json!({
        "capabilities": {
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": { "resolveProvider": false },
            "completionProvider": { "triggerCharacters": ["."] },
            "definitionProvider": true,
            "documentFormattingProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "foldingRangeProvider": true,
            "hoverProvider": true,
            "referencesProvider": true,
            "renameProvider": true,
            "semanticTokensProvider": answers::token_options(),
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "textDocumentSync": TextDocumentSyncKind::INCREMENTAL,
        },
        "serverInfo": { "name": "astragal", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about).map_err(io::Error::other)?;
    let sender = connection.sender.clone();
    // An editor that is gone needs no messages any more.
    let outlet: Outlet = Box::new(move |message| drop(sender.send(message)));
    Server { documents: OpenDocuments::new(outlet), ending: false }.serve_messages(connection)
}

/// The error that answers a request.
type RequestError = (ErrorCode, String);

struct Server {
    documents: OpenDocuments,
    ending: bool,
}

impl Server {
    fn serve_messages(mut self, connection: &Connection) -> io::Result<bool> {
        while let Ok(message) = connection.receiver.recv() {
            match message {
                Message::Notification(notification) if notification.method == "exit" => {
                    return Ok(self.ending);
                }
                Message::Notification(notification) => self.notice(notification),
                Message::Request(request) => {
                    let response = self.respond(request);
                    connection.sender.send(response.into()).map_err(io::Error::other)?;
                }
                Message::Response(_) => {}
            }
            // Who types fast needs the diagnostics of the last letter, not of each.
            if connection.receiver.is_empty() {
                self.documents.publish_changed();
            }
        }
        Ok(self.ending)
    }

    fn respond(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = if method == "shutdown" {
            self.ending = true;
            Ok(Value::Null)
        } else if self.ending {
            Err((ErrorCode::InvalidRequest, "nothing is answered after `shutdown`".to_owned()))
        } else {
            answers::answer_request(&self.documents, &method, params)
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((error, message)) => Response::new_err(id, error as i32, message),
        }
    }

    /// A notification that cannot be read is ignored: it has no answer.
    fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(DidOpenTextDocumentParams { text_document: it }) = from_value(params) {
                    self.documents.put_text(it.uri, it.version, it.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(change) = from_value::<DidChangeTextDocumentParams>(params) {
                    let it = change.text_document;
                    self.documents.apply_changes(it.uri, it.version, change.content_changes);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(DidCloseTextDocumentParams { text_document: it }) = from_value(params) {
                    self.documents.close_file(&it.uri);
                }
            }
            _ => {}
        }
    }
}
