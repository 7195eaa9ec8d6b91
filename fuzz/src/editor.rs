//! Bytes as the messages of an editor.

use std::thread;
use std::time::Duration;

use astragal::machinery::cli::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// How long an answer may take before something is stuck.
const PATIENCE: Duration = Duration::from_secs(20);

/// The file that is open.
const URI: &str = "file:///nowhere/it.game";

/// What is asked about a place.
const QUESTIONS: [&str; 6] =
    ["hover", "completion", "definition", "references", "rename", "symbols"];

/// Most messages of one conversation.
const MESSAGES: usize = 24;

/// Opens the bytes before the first 255 as a file, and sends a message for each piece behind it.
/// Each request is answered, and the end is reached.
pub fn talk(data: &[u8]) {
    let mut pieces = data.split(|byte| *byte == u8::MAX);
    let text = String::from_utf8_lossy(pieces.next().unwrap_or_default()).into_owned();
    let (here, there) = Connection::memory();
    let server = thread::spawn(move || serve(&there));
    let mut editor = Editor { connection: here, count: 0, text };
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("initialized", json!({}));
    editor.open();
    for piece in pieces.take(MESSAGES) {
        editor.send(piece);
    }
    editor.ask_everything(data.len());
    editor.ask("shutdown", Value::Null);
    editor.tell("exit", Value::Null);
    let ended = server.join().expect("the server does not panic");
    assert!(ended.expect("nothing is lost"), "the server did not hear that the end was asked for");
}

struct Editor {
    connection: Connection,
    count: i32,
    text: String,
}

impl Editor {
    fn open(&mut self) {
        let it = json!({ "uri": URI, "languageId": "astragal", "version": 0, "text": self.text });
        self.tell("textDocument/didOpen", json!({ "textDocument": it }));
    }

    /// A piece is a method and its parameters, or else a number that says what is asked, a place
    /// and a text.
    fn send(&mut self, piece: &[u8]) {
        let words = String::from_utf8_lossy(piece).into_owned();
        if let Some((method, params)) = words.strip_prefix("ask ").and_then(|it| it.split_once(' '))
        {
            return self.ask(method, serde_json::from_str(params).unwrap_or_default());
        }
        if let Some((method, params)) =
            words.strip_prefix("tell ").and_then(|it| it.split_once(' '))
        {
            // The end comes where it is meant.
            let method = if method == "exit" { "exits" } else { method };
            return self.tell(method, serde_json::from_str(params).unwrap_or_default());
        }
        let [what, high, low, rest @ ..] = piece else { return };
        let at = usize::from(*high) * 256 + usize::from(*low);
        let rest = String::from_utf8_lossy(rest).into_owned();
        match usize::from(*what) % (QUESTIONS.len() + 2) {
            kind if kind < QUESTIONS.len() => self.question(QUESTIONS[kind], at, &rest),
            kind if kind == QUESTIONS.len() => self.change(at, &rest),
            _ => self.ask("textDocument/formatting", json!({
                "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true },
            })),
        }
    }

    /// Puts a text in the place of some letters.
    fn change(&mut self, at: usize, with: &str) {
        let letters: Vec<char> = self.text.chars().collect();
        let at = at % (letters.len() + 1);
        let end = (at + with.len() % 7).min(letters.len());
        let (before, after) = (letters[..at].iter(), letters[end..].iter());
        self.text = before.copied().chain(with.chars()).chain(after.copied()).collect();
        let it = json!({ "uri": URI, "version": self.count });
        let changes = json!([{ "text": self.text }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": it, "contentChanges": changes }),
        );
    }

    fn ask_everything(&mut self, seed: usize) {
        for (number, question) in QUESTIONS.iter().enumerate() {
            self.question(question, seed.wrapping_mul(number * 31 + 7), "other");
        }
    }

    fn question(&mut self, question: &str, at: usize, name: &str) {
        let lines = self.text.lines().count() + 1;
        let line = at % lines;
        let length = self.text.lines().nth(line).map_or(0, |line| line.encode_utf16().count());
        let place = json!({ "line": line, "character": (at / lines) % (length + 2) });
        let mut params = json!({ "textDocument": { "uri": URI }, "position": place });
        match question {
            "symbols" => return self.ask("textDocument/documentSymbol", params),
            "rename" => params["newName"] = name.into(),
            "references" => params["context"] = json!({ "includeDeclaration": true }),
            _ => {}
        }
        self.ask(&format!("textDocument/{question}"), params);
    }

    fn tell(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        let _ = self.connection.sender.send(notification.into());
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.count += 1;
        let id = RequestId::from(self.count);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        let _ = self.connection.sender.send(request.into());
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE) {
                Ok(Message::Response(response)) if response.id == id => return,
                Ok(_) => {}
                Err(_) => panic!("`{method}` is not answered"),
            }
        }
    }
}
