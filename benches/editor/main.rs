//! How long an editor waits for its answers, on the largest game.
#![expect(clippy::disallowed_methods, reason = "a measurement reads a file and the clock")]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use astragal::machinery::cli::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// How often each is asked.
const TIMES: usize = 40;

/// The largest game, from the folder of the project.
const GAME: &str = "games/card-dice/card-dice.game";

/// What is asked of a name in a body.
const QUESTIONS: &[(&str, &str)] = &[
    ("hover", "hover"),
    ("go to its declaration", "definition"),
    ("all references", "references"),
    ("outline", "documentSymbol"),
    ("layout", "formatting"),
    ("completion", "completion"),
    ("signature help", "signatureHelp"),
    ("highlights", "documentHighlight"),
    ("semantic tokens", "semanticTokens/full"),
    ("folding", "foldingRange"),
    ("quick fixes", "codeAction"),
    ("lenses", "codeLens"),
];

/// What editors ask after every change.
const AFTER_CHANGES: [&str; 5] =
    ["documentSymbol", "semanticTokens/full", "foldingRange", "codeAction", "codeLens"];

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAME);
    let text = std::fs::read_to_string(path).expect("the game lies in its folder");
    let (client, server) = Connection::memory();
    let serving = thread::spawn(move || serve(&server));
    let mut editor = Editor { client, text, count: 0 };
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.tell("initialized", json!({}));
    println!("{GAME}: {} lines, {} bytes", editor.text.lines().count(), editor.text.len());
    println!("{:26} {:>9} {:>9}", "", "median", "worst");
    let open = editor.open();
    report("opening it, to findings", vec![open]);
    let (body, offset) = editor.place();
    let changes = (0..TIMES).map(|round| editor.letter(offset, round)).collect();
    report("a letter, to findings", changes);
    let all = (0..TIMES).map(|round| {
        let time = editor.letter(offset, round);
        AFTER_CHANGES.iter().fold(time, |time, method| time + editor.question(method, &body))
    });
    let all = all.collect();
    report("a letter, to all below", all);
    for (what, method) in QUESTIONS {
        let times = (0..TIMES).map(|_| editor.question(method, &body)).collect();
        report(what, times);
    }
    let fresh = (0..TIMES).map(|_| editor.unread(offset)).collect();
    report("completion in a broken body", fresh);
    editor.tell("exit", Value::Null);
    drop(editor);
    let ended = serving.join().expect("the server does not panic");
    ended.expect("the connection holds");
}

struct Editor {
    client: Connection,
    text: String,
    count: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.client.sender.send(notification.into()).expect("the server listens");
    }

    /// Asks and gives the time until the answer; findings that come in between are read.
    fn ask(&mut self, method: &str, params: Value) -> Duration {
        self.count += 1;
        let id = RequestId::from(self.count);
        let request = Request { id, method: method.to_owned(), params };
        let start = Instant::now();
        self.client.sender.send(request.into()).expect("the server listens");
        self.wait(|message| match message {
            Message::Response(response) => {
                assert!(response.response_result.is_ok(), "`{method}` is refused: {response:?}");
                true
            }
            _ => false,
        });
        start.elapsed()
    }

    fn wait(&self, is_it: impl Fn(&Message) -> bool) {
        while !is_it(&self.client.receiver.recv().expect("the server answers")) {}
    }

    fn open(&mut self) -> Duration {
        let it = json!({ "uri": uri(), "languageId": "astragal", "version": 0, "text": self.text });
        let start = Instant::now();
        self.tell("textDocument/didOpen", json!({ "textDocument": it }));
        self.wait(|message| matches!(message, Message::Notification(_)));
        start.elapsed()
    }

    /// Writes a letter, or takes it out again; the time until the findings came.
    fn letter(&mut self, offset: usize, round: usize) -> Duration {
        if round.is_multiple_of(2) {
            self.change(offset, "", "x")
        } else {
            self.change(offset, "x", "")
        }
    }

    /// Replaces a piece of the text; the time until the findings came.
    fn change(&mut self, offset: usize, from: &str, to: &str) -> Duration {
        self.count += 1;
        let it = json!({ "uri": uri(), "version": self.count });
        let end = offset + from.len();
        let range =
            json!({ "start": position(&self.text, offset), "end": position(&self.text, end) });
        self.text.replace_range(offset..end, to);
        let change = json!({ "range": range, "text": to });
        let params = json!({ "textDocument": it, "contentChanges": [change] });
        let start = Instant::now();
        self.tell("textDocument/didChange", params);
        self.wait(|message| matches!(message, Message::Notification(_)));
        start.elapsed()
    }

    /// The last name behind a dot, where a value stands, and its offset.
    fn place(&self) -> (Value, usize) {
        let offset = self.text.rfind("(me.").expect("a player is called so") + 4;
        (position(&self.text, offset), offset)
    }

    fn question(&mut self, method: &str, position: &Value) -> Duration {
        let mut params = json!({
            "textDocument": { "uri": uri() }, "position": position,
            "range": { "start": position, "end": position },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        match method {
            "references" => params["context"] = json!({ "includeDeclaration": true }),
            "codeAction" => params["context"] = json!({ "diagnostics": [] }),
            _ => {}
        }
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Cuts the name off, so that nothing stands behind the dot, and asks at once what could.
    fn unread(&mut self, offset: usize) -> Duration {
        let name = self.text[offset..].find(|it: char| !it.is_alphanumeric() && it != '_');
        let end = offset + name.expect("a text does not end with a name");
        let name = self.text[offset..end].to_owned();
        let place = position(&self.text, offset);
        let time = self.change(offset, &name, "") + self.question("completion", &place);
        self.change(offset, "", &name);
        time
    }
}

fn uri() -> &'static str {
    "file:///largest.game"
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let character = before[start..].encode_utf16().count();
    json!({ "line": before.matches('\n').count(), "character": character })
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let shown =
        |time: Duration| format!("{}.{:02} ms", time.as_millis(), time.as_micros() / 10 % 100);
    println!("{what:26} {:>9} {:>9}", shown(median), shown(worst));
}
